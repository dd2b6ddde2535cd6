//! `contender pack` with the user's own program, from the package to the compared games.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Returns the source of a bot that plays Ultimate Tic-Tac-Toe with CodinGame's protocol. `place` is an expression for
/// the index of the chosen action.
fn bot(place: &str) -> String {
    format!(
        r#"
mod input {{
    pub fn line() -> Option<String> {{
        let mut line = String::new();
        let length = std::io::stdin().read_line(&mut line).expect("standard input");
        Some(line.trim_end().to_string()).filter(|_| length > 0)
    }}

    #[allow(dead_code)]
    pub fn never_called() {{}}
}}

fn main() {{
    while input::line().is_some() {{
        let count: usize = input::line().and_then(|line| line.parse().ok()).expect("a number of actions");
        let actions: Vec<String> = (0..count).filter_map(|_| input::line()).collect();
        println!("{{}}", actions[{place} % count]);
    }}
}}

#[test]
fn never_packed() {{}}
"#
    )
}

fn pack(folder: &Path, source: &str, words: &str) -> Output {
    let manifest = "[package]\nname = \"own\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    std::fs::write(folder.join("src/main.rs"), source).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
    // All programs have the same name, so each one is built in a folder of its own.
    command.env("CARGO_TARGET_DIR", folder.join("target"));
    command.current_dir(folder).args("pack --manifest Cargo.toml --verify --games 2 -o packed.rs".split(' '));
    command.args(words.split_whitespace()).output().expect("the command runs")
}

/// In the folder of a package no option is needed, and `--check` notices a file that is not up to date.
#[test]
fn the_package_around_the_folder_is_packed() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |words: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
        let output = command.current_dir(folder.path()).args(words.split(' ')).output();
        let output = output.expect("the command runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, error) = run("pack");
    assert!(code == Some(2) && error.contains("nothing to pack: the current folder"), "{error}");
    let source = "mod deep { pub fn three() -> u32 { 3 } }\nfn main() { println!(\"{}\", deep::three()); }";
    pack(folder.path(), source, "");
    let (code, report) = run("pack --check --sizes -o packed.rs");
    assert_eq!(code, Some(0), "{report}");
    assert!(report.contains("compiled on its own with rustc ") && report.contains("  deep\n"), "{report}");
    std::fs::write(folder.path().join("packed.rs"), "old").expect("a file");
    let (code, report) = run("pack --check -o packed.rs");
    assert!(code == Some(1) && report.contains("packed.rs is not up to date"), "{report}");
    let (code, report) = run("pack --check --limit 100");
    assert!(code == Some(1) && report.contains("TOO LARGE"), "{report}");
}

#[test]
fn an_own_program_is_packed_and_its_games_are_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = pack(folder.path(), &bot("count / 2"), "--plays uttt --minify");
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{report}");
    assert!(report.contains("2 games, ") && report.contains("identical to the unpacked bot"), "{report}");
    assert!(report.contains("for CodinGame"), "{report}");
    let packed = std::fs::read_to_string(folder.path().join("packed.rs")).expect("the packed file");
    assert!(!packed.contains("never"), "{packed}");
}

#[test]
fn a_packed_program_that_plays_otherwise_is_found_out() {
    let folder = tempfile::tempdir().expect("a folder");
    // Packing changes line numbers, so this bot plays differently.
    let output = pack(folder.path(), &bot("line!() as usize"), "--plays uttt");
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(report.contains("DIFFERENT from the unpacked bot"), "{report}");
}

/// A compiler that prints nothing, creates the file `started` and then runs until it is interrupted.
const PATIENT_COMPILER: &str = "#!/bin/sh
case \"$*\" in
  *--emit=metadata*) touch started; exec sleep 1000 ;;
  *) exec rustc \"$@\" ;;
esac
";

/// A program that would take unlimited memory or time is rejected, with the place in the source.
#[test]
fn programs_without_bounds_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let around = |open: &str, inner: &str, close: &str, times: usize| {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    let sources = [
        (
            format!("fn main() {{ let _x = {}; }}", around("(", "1", ")", 3_000)),
            "more than 500 nested brackets",
        ),
        (format!("{} fn main() {{}}", around("mod a { ", "", "}", 3_000)), "more than 500 nested brackets"),
        (format!("fn main() {{ {} }}", around("{", "", "}", 100_000)), "more than 500 nested brackets"),
        (
            "static ZEROS: &[u8] = include_bytes!(\"/dev/zero\"); fn main() { let _ = ZEROS; }".to_string(),
            "not a file",
        ),
        ("#[path = \"/dev/zero\"] mod zeros; fn main() {}".to_string(), "not a file"),
    ];
    for (source, words) in sources {
        let output = pack(folder.path(), &source, "");
        let report = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{report}");
        assert!(report.contains(words) && report.contains("main.rs:1:"), "{report}");
    }
}

#[test]
fn a_program_that_does_not_end_with_its_input_is_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("input"), "x\n").expect("a file");
    let source = "fn main() { loop { std::thread::sleep(std::time::Duration::from_secs(1)); } }";
    let output = pack(folder.path(), source, "--input input --input-time 200ms");
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(report.contains("with input the packed program has not finished after 0.2 s"), "{report}");
}

/// Sends a signal to the whole process group, to the command and the compiler, as Ctrl-C does. The signal is not
/// SIGINT, which a shell ignores for its background jobs.
#[test]
fn a_signal_ends_packing_in_the_middle_of_a_compilation() {
    let folder = tempfile::tempdir().expect("a folder");
    let compiler = folder.path().join("compiler");
    std::fs::write(&compiler, PATIENT_COMPILER).expect("a file");
    std::fs::set_permissions(&compiler, PermissionsExt::from_mode(0o755)).expect("a program");
    let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
    command.current_dir(folder.path()).env("RUSTC", &compiler).args(["pack", "uttt", "--bot", "random"]);
    command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the command runs");
    let start = Instant::now();
    while !folder.path().join("started").exists() && start.elapsed() < Duration::from_secs(600) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let group = format!("-{}", child.id());
    assert!(Command::new("kill").args(["-TERM", "--", &group]).status().expect("kill runs").success());
    let output = child.wait_with_output().expect("the command ends");
    assert!(String::from_utf8_lossy(&output.stderr).ends_with("error: interrupted\n"), "{output:?}");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0));
}

/// Packing takes a minute, so an output path that cannot be written is reported before the work. A failed run leaves no
/// file behind.
#[test]
fn what_cannot_be_written_or_read_is_refused_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let pack = |words: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
        // There is no compiler; the run would fail differently if the work began.
        command.current_dir(&folder).env("RUSTC", "/no/rustc").arg("pack").args(words.split(' '));
        let output = command.output().expect("the command runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    std::fs::write(folder.path().join("file"), "").expect("a file");
    let bad =
        ["uttt -o /proc/bot.rs", "uttt -o no/bot.rs", "uttt -o .", "--all -o /proc/bots", "--all -o file"];
    for words in bad {
        let (code, said) = pack(words);
        assert!(code == Some(2) && said.contains("cannot write "), "{words}: {code:?} {said}");
    }
    let (code, said) = pack("--verify --input file --input no.txt");
    assert!(code == Some(2) && said.contains("no such file: no.txt\nhint: "), "{code:?} {said}");
    let (code, said) = pack("--manifest no/Cargo.toml -o new.rs");
    assert!(code == Some(1) && !folder.path().join("new.rs").exists(), "{said}");
}
