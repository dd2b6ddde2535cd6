//! Small crates with tricky code: packed, they behave like the programs that cargo builds. Code that cannot be packed
//! is reported with its place.

use contender_pack::minify::minify;
use contender_pack::verify::{build, compare_outputs, compile};
use contender_pack::{Site, pack_program};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// Time limit for programs that end on their own.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(600);

static GO_ON: AtomicBool = AtomicBool::new(false);

fn judge() -> &'static Site {
    Site::find("codingame").unwrap()
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Packs the crate, compares it with the program that cargo builds, and returns the packed text.
fn same_as_cargo(name: &str) -> String {
    let manifest = corpus().join(name).join("Cargo.toml");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let original = output(
        Command::new("cargo")
            .args(["run", "--quiet", "--offline", "--manifest-path"])
            .arg(&manifest)
            .arg("--target-dir")
            .arg(target),
    );
    let packed = pack_program(&manifest, None, judge(), &GO_ON).unwrap();
    let compiled = compile(&packed.text, judge(), &GO_ON).unwrap();
    assert_eq!(compiled.warnings, "", "{}", packed.text);
    assert_eq!(output(&mut Command::new(&compiled.program)), original, "{}", packed.text);
    let short = packed.clone().minify(judge(), &GO_ON).unwrap();
    let compiled = compile(&short.text, judge(), &GO_ON).unwrap();
    assert_eq!(output(&mut Command::new(&compiled.program)), original, "{}", short.text);
    assert!(short.text.len() * 100 < packed.text.len() * 75, "{} {}", short.text.len(), packed.text.len());
    packed.text
}

#[test]
fn macros_that_leave_their_crate() {
    let text = same_as_cargo("macros");
    for gone in ["never_used", "nobody_calls", "fn unused"] {
        assert!(!text.contains(gone), "{gone} is still there:\n{text}");
    }
}

#[test]
fn modules_in_all_their_places() {
    let text = same_as_cargo("modules");
    for gone in ["unused_one", "fn nothing", "quiet", "#[cfg"] {
        assert!(!text.contains(gone), "{gone} is still there:\n{text}");
    }
}

#[test]
fn traits_and_what_is_never_reached_of_them() {
    let text = same_as_cargo("traits");
    for gone in ["Dead", "struct Unmade", "never(", "local_dead", "unread_only", "dead_reader", "fn reading"]
    {
        assert!(!text.contains(gone), "{gone} is still there:\n{text}");
    }
}

#[test]
fn data_travels_as_text() {
    let text = same_as_cargo("data");
    assert!(!text.contains("include_"), "{text}");
    assert!(
        text.contains("crate::contender_nn::unpack_wide(") && !text.contains("fn unpack_ascii"),
        "{text}"
    );
}

/// The comparison behind `--verify --input`.
#[test]
fn outputs_are_compared() {
    let echo = |end: &str| {
        let read = "let mut text = String::new(); std::io::Read::read_to_string(&mut std::io::stdin(), &mut text).unwrap();";
        let text = format!("fn main() {{ {read} println!(\"start\\n{{text}}{end}\"); }}");
        compile(&text, judge(), &GO_ON).unwrap()
    };
    let (one, other) = (echo("."), echo("!"));
    let input = corpus().join("data/Cargo.toml");
    let compare = |programs: [&Path; 2]| {
        compare_outputs(programs, &[], std::slice::from_ref(&input), PATIENCE, &GO_ON).unwrap()
    };
    assert_eq!(compare([&one.program, &one.program]), None);
    let difference = compare([&one.program, &other.program]).unwrap();
    assert!(difference.contains("line 11 is `.` from the packed program, but `!` from"), "{difference}");
    let missing =
        compare_outputs([&one.program; 2].map(|path| path.as_path()), &[], &["no".into()], PATIENCE, &GO_ON);
    assert!(missing.unwrap_err().to_string().starts_with("no: "));
    // Cargo's messages show the paths of a package's programs.
    let manifest = corpus().join("traits/Cargo.toml");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("built");
    fs::create_dir_all(folder.join("src")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock", "src/main.rs"] {
        fs::copy(manifest.with_file_name(file), folder.join(file)).unwrap();
    }
    let built = build(&folder.join("Cargo.toml"), None, &GO_ON).unwrap();
    let packed =
        compile(&pack_program(&manifest, None, judge(), &GO_ON).unwrap().text, judge(), &GO_ON).unwrap();
    assert_eq!(compare([&packed.program, &built]), None);
    assert!(build(&folder.join("Cargo.toml"), Some("none"), &GO_ON).is_err());
}

/// Returns the error of packing these files.
fn refusal(name: &str, files: &[(&str, &str)]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused").join(name);
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let error = pack_program(&folder.join("Cargo.toml"), None, judge(), &GO_ON).unwrap_err().to_string();
    error
        .replace(&format!("{}/", folder.canonicalize().unwrap().display()), "")
        .replace(&format!("{}/", folder.display()), "")
}

const MANIFEST: &str = "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";

#[test]
fn refusals_name_cause_and_place() {
    let main = |text| refusal("main", &[("Cargo.toml", MANIFEST), ("src/main.rs", text)]);
    assert!(
        main("fn main() {\n    let x = include_bytes!(\"no.bin\");\n}")
            .starts_with("src/main.rs:2:27: `include_bytes!` of src/no.bin: No such file")
    );
    assert!(main("mod missing;\nfn main() {}").starts_with("src/main.rs:1:5: module `missing` has no file"));
    assert!(
        main("\n#[derive(Clone, Serialize)]\nstruct A;\nfn main() {}")
            .starts_with("src/main.rs:2:17: `derive(Serialize)` is a procedural macro")
    );
    assert!(
        main("fn main() {\n  env!(\"PATH\");\n}")
            .starts_with("src/main.rs:2:7: `env!(\"PATH\")` reads the environment")
    );
    assert!(main("fn main() {\n  let = 3;\n}").starts_with("src/main.rs:2:7: "));
    assert!(
        main("#![feature(test)]\nfn main() {}").starts_with("src/main.rs:1:4: `#![feature]` needs a nightly")
    );
    assert!(main("fn main() { lost(); }").contains("cannot find function `lost`"));
    assert!(
        main("#[path = \"main.rs\"]\nmod again;\nfn main() {}")
            .ends_with("src/main.rs: the file includes itself")
    );
    let chain: Vec<[String; 2]> = (0..600)
        .map(|at| [format!("src/m{at}.rs"), format!("#[path = \"m{}.rs\"] pub mod m{};", at + 1, at + 1)])
        .collect();
    let mut files = vec![("Cargo.toml", MANIFEST), ("src/main.rs", "mod m0;\nfn main() {}")];
    files.extend(chain.iter().map(|[path, text]| (path.as_str(), text.as_str())));
    assert_eq!(refusal("chain", &files), "src/m499.rs: modules in more than 500 files");
    let script = [("Cargo.toml", MANIFEST), ("src/main.rs", "fn main() {}"), ("build.rs", "fn main() {}")];
    assert_eq!(refusal("script", &script), "build.rs: a build script cannot be packed; commit its output");
    let with = "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nd = { path = \"d\" }\n[workspace]\n";
    let dependency =
        "[package]\nname = \"d\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n";
    let files = [
        ("Cargo.toml", with),
        ("src/main.rs", "fn main() {}"),
        ("d/Cargo.toml", dependency),
        ("d/src/lib.rs", ""),
    ];
    assert!(refusal("macro", &files).starts_with("Cargo.toml:6: `d` is a procedural macro"));
}

/// One run reports all obstacles, from cargo and from the sources.
#[test]
fn all_obstacles_are_named_at_once() {
    let manifest = "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nd = { path = \"d\" }\n\
                    e = { path = \"e\" }\n[workspace]\n";
    let d = "[package]\nname = \"d\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n";
    let e = "[package]\nname = \"e\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let main = "mod lost;\nmod b;\n#[derive(Clone, Serialize)]\nstruct A;\nfn main() { env!(\"PATH\"); option_env!(\"X\"); }";
    let files = [
        ("Cargo.toml", manifest),
        ("src/main.rs", main),
        ("src/b.rs", "#[derive(Deserialize)]\nstruct B;"),
        ("build.rs", "fn main() {}"),
        ("d/Cargo.toml", d),
        ("d/src/lib.rs", ""),
        ("e/Cargo.toml", e),
        ("e/src/lib.rs", ""),
    ];
    let text = refusal("all", &files);
    let places: Vec<&str> = text.lines().map(|line| line.split(": ").next().unwrap()).collect();
    let expected = [
        "Cargo.toml:6",
        "e/Cargo.toml:4",
        "build.rs",
        "src/main.rs:5:17",
        "src/main.rs:5:38",
        "src/main.rs:3:17",
        "src/main.rs:1:5",
        "src/b.rs:1:10",
    ];
    assert_eq!(places, expected, "{text}");
}

/// A crate with an older edition is packed with a warning that shows its place.
#[test]
fn another_edition_is_not_packed_in_silence() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edition");
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("Cargo.toml"), MANIFEST.replace("2021", "2018")).unwrap();
    fs::write(folder.join("src/main.rs"), "fn main() {}").unwrap();
    let packed = pack_program(&folder.join("Cargo.toml"), None, judge(), &GO_ON).unwrap();
    let warning = packed.warnings.join("\n");
    assert!(warning.contains("Cargo.toml:4: the crate uses edition 2018"), "{warning}");
}

/// Items that the judge's compiler lacks are reported, because a program that uses them compiles on this machine but
/// not at the judge.
#[test]
fn items_newer_than_the_judges_compiler_are_warnings() {
    let text =
        "fn main() {\n    let x = std::env::args().count();\n    println!(\"{}\", x.div_ceil(2));\n}\n";
    let compiled = compile(text, judge(), &GO_ON).unwrap();
    let expected = format!(
        "{} has rustc {}, but `div_ceil(2)` in line 3 needs 1.73.0\n",
        judge().title,
        judge().compiler.value
    );
    assert_eq!((compiled.warnings, compiled.note), (expected, None));
}

/// A program with names that are difficult to shorten: its output stays the same.
#[test]
fn names_that_are_traps() {
    let source = include_str!("../corpus/traps.rs");
    let run = |text: &str| output(&mut Command::new(&compile(text, judge(), &GO_ON).unwrap().program));
    let short = minify(source, &GO_ON).unwrap();
    assert_eq!(run(&short.text), run(source), "{}", short.text);
    assert!(short.renamed > 30, "{}", short.renamed);
    // Minifying again gains little: only variables that had different names now share one.
    assert!(minify(&short.text, &GO_ON).unwrap().text.len() * 100 <= short.text.len() * 102);
    assert!(minify("fn main( {", &GO_ON).is_err());
    assert!(minify("fn main() { missing() }", &GO_ON).unwrap_err().to_string().contains("missing"));
}
