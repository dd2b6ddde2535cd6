//! Random programs print the same output in their original, packed and minified form.
//!
//! `CONTENDER_PROGRAMS=300 cargo test -p contender-pack --test all
//! generated` generates more programs, from the seed `CONTENDER_SEED`.

mod pieces;
mod program;

use contender_pack::minify::minify;
use contender_pack::{Site, pack_program};
use program::{Program, program};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// Never set, so packing runs to its end.
static GO_ON: AtomicBool = AtomicBool::new(false);

/// Compiles quickly, with results that do not depend on the machine's environment.
fn rustc(source: &Path, more: &[&str]) {
    let output = Command::new("rustc")
        .args(["--edition", "2021", "-A", "warnings", "-C", "debuginfo=0", "-C", "debug-assertions=off"])
        .args(more)
        .current_dir(source.parent().unwrap())
        .arg(source)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}:\n{}", source.display(), String::from_utf8_lossy(&output.stderr));
}

fn output(program: &Path) -> String {
    let output = Command::new(program).output().unwrap();
    assert!(output.status.success(), "{}: {}", program.display(), String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Writes the program as a package with a library and a binary, compiles it and returns its output.
fn original(program: &Program, folder: &Path) -> String {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = "[package]\nname = \"made\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    for (path, text) in &program.files {
        let path = folder.join("src").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let at = |name: &str| folder.join(name).display().to_string();
    rustc(&folder.join("src/lib.rs"), &["--crate-type=lib", "--crate-name=made", "-o", &at("libmade.rlib")]);
    let library = format!("made={}", at("libmade.rlib"));
    rustc(&folder.join("src/main.rs"), &["--extern", &library, "-o", &at("original")]);
    output(&folder.join("original"))
}

fn run_alone(text: &str, folder: &Path, name: &str) -> String {
    let source = folder.join(format!("{name}.rs"));
    fs::write(&source, text).unwrap();
    let program: PathBuf = folder.join(name);
    rustc(&source, &["-o", &program.display().to_string()]);
    output(&program)
}

/// Checks that a random program's output stays the same, and returns the sizes of the packed and the minified file.
fn stays_the_same(seed: u64) -> (usize, usize) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated").join(seed.to_string());
    let judge = Site::find("codingame").unwrap();
    let expected = original(&program(seed), &folder);
    let manifest = folder.join("Cargo.toml");
    let packed = pack_program(&manifest, None, &[], judge, None, &GO_ON)
        .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let place = folder.display();
    assert_eq!(run_alone(&packed.text, &folder, "packed"), expected, "seed {seed}: packed in {place}");
    let short =
        minify(&packed.text, &packed.build, &GO_ON).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    assert_eq!(run_alone(&short.text, &folder, "short"), expected, "seed {seed}: minified in {place}");
    assert!(short.renamed > 20, "seed {seed}: {} names", short.renamed);
    let _ = fs::remove_dir_all(folder);
    (packed.text.len(), short.text.len())
}

#[test]
fn random_programs_stay_the_same() {
    let number = |name: &str, default: u64| match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is no number")),
        Err(_) => default,
    };
    let first = number("CONTENDER_SEED", 1);
    let (mut packed, mut short) = (0, 0);
    for seed in first..first + number("CONTENDER_PROGRAMS", 2) {
        let sizes = stays_the_same(seed);
        (packed, short) = (packed + sizes.0, short + sizes.1);
        println!("{seed}: {} bytes packed, {} minified", sizes.0, sizes.1);
    }
    assert!(short * 100 < packed * 65, "{short} of {packed} bytes");
}
