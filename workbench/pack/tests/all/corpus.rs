//! Small crates with tricky code: packed, they behave like the programs that cargo builds. Code that cannot be packed
//! is reported with its place.

use contender_pack::minify::minify;
use contender_pack::verify::{Compiled, build, compare_outputs, compile};
use contender_pack::{Build, PackError, Packed, Site, pack_program};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// For programs that end.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(600);

/// Nothing sets it: packing goes on to its end.
pub(crate) static GO_ON: AtomicBool = AtomicBool::new(false);

pub(crate) fn judge() -> &'static Site {
    Site::find("codingame").unwrap()
}

pub(crate) fn pack(manifest: &Path) -> Result<Packed, PackError> {
    pack_program(manifest, None, &[], judge(), None, &GO_ON)
}

fn compiled(text: &str) -> Compiled {
    compile(text, judge(), &Build::default(), &GO_ON).unwrap()
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
    let text = same_as_cargo_in(&corpus().join(name));
    let manifest = corpus().join(name).join("Cargo.toml");
    let short = pack(&manifest).unwrap().minify(judge(), &GO_ON).unwrap();
    assert!(short.text.len() * 100 < text.len() * 75, "{} {}", short.text.len(), text.len());
    text
}

/// Packs the crate in this folder, compares it with cargo's program, and returns the text.
pub(crate) fn same_as_cargo_in(folder: &Path) -> String {
    let manifest = folder.join("Cargo.toml");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("targets").join(folder.file_name().unwrap());
    let original = output(
        Command::new("cargo")
            .args(["run", "--quiet", "--offline", "--manifest-path"])
            .arg(&manifest)
            .arg("--target-dir")
            .arg(target),
    );
    let packed = pack(&manifest).unwrap();
    let short = packed.clone().minify(judge(), &GO_ON).unwrap();
    for text in [&packed.text, &short.text] {
        let compiled =
            compile(text, judge(), &packed.build, &GO_ON).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(compiled.warnings, "", "{text}");
        assert_eq!(output(&mut Command::new(&compiled.program)), original, "{text}");
    }
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
        compiled(&text)
    };
    let (one, other) = (echo("."), echo("!"));
    let input = corpus().join("data/Cargo.toml");
    let compare = |programs: [&Path; 2]| {
        compare_outputs(programs, &[], std::slice::from_ref(&input), PATIENCE, &GO_ON).unwrap()
    };
    assert_eq!(compare([&one.program, &one.program]), None);
    let difference = compare([&one.program, &other.program]).unwrap();
    assert!(
        difference.contains("line 11 of the output is `.` from the packed program, but `!` from"),
        "{difference}"
    );
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
    let built = build(&folder.join("Cargo.toml"), None, &[], &GO_ON).unwrap();
    let packed = compiled(&pack(&manifest).unwrap().text);
    assert_eq!(compare([&packed.program, &built]), None);
    assert!(build(&folder.join("Cargo.toml"), Some("none"), &[], &GO_ON).is_err());
}

/// Writes a package and returns its folder.
pub(crate) fn package(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages").join(name);
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// What packing these files says.
pub(crate) fn refusal(name: &str, files: &[(&str, &str)]) -> String {
    let folder = package(name, files);
    let error = pack(&folder.join("Cargo.toml")).unwrap_err().to_string();
    error
        .replace(&format!("{}/", folder.canonicalize().unwrap().display()), "")
        .replace(&format!("{}/", folder.display()), "")
}

pub(crate) const MANIFEST: &str =
    "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";

#[test]
fn refusals_name_cause_and_place() {
    let main = |text| refusal("main", &[("Cargo.toml", MANIFEST), ("src/main.rs", text)]);
    assert!(
        main("fn main() {\n    let x = include_bytes!(\"no.bin\");\n}")
            .starts_with("src/main.rs:2:27: `include_bytes!` of src/no.bin: No such file")
    );
    assert!(main("mod missing;\nfn main() {}").starts_with("src/main.rs:1:5: module `missing` has no file"));
    assert!(
        main("\n#[derive(Clone, Serialize)]\nstruct A;\nfn main() { let _ = A; }")
            .starts_with("src/main.rs:2:17: `derive(Serialize)` is a procedural macro")
    );
    assert!(
        main("fn main() {\n  env!(\"PATH\");\n}")
            .starts_with("src/main.rs:2:7: `env!(\"PATH\")` reads a variable")
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
    assert_eq!(refusal("chain", &files), "src/m499.rs: modules are nested more than 500 files deep");
    let script = "fn main() { println!(\"cargo:rustc-link-lib=m\"); }";
    let root =
        "extern \"C\" { fn cbrt(of: f64) -> f64; }\nfn main() { println!(\"{}\", unsafe { cbrt(8.0) }); }";
    let native = refusal("script", &[("Cargo.toml", MANIFEST), ("src/main.rs", root), ("build.rs", script)]);
    assert!(
        native.starts_with(
            "build.rs: the build script links the native library `m`, which judges do not provide\nhint: "
        ),
        "{native}"
    );
    // A library that only unused code needs does not matter.
    let unused = root.replace("println!(\"{}\", unsafe { cbrt(8.0) })", "");
    let folder =
        package("unused-script", &[("Cargo.toml", MANIFEST), ("src/main.rs", &unused), ("build.rs", script)]);
    assert!(!pack(&folder.join("Cargo.toml")).unwrap().text.contains("cbrt"));
    let with = "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nd = { path = \"d\" }\n[workspace]\n";
    let dependency =
        "[package]\nname = \"d\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n";
    let files = [
        ("Cargo.toml", with),
        ("src/main.rs", "fn main() { d::nothing!(); }"),
        ("d/Cargo.toml", dependency),
        ("d/src/lib.rs", DERIVE),
    ];
    let refused = refusal("macro", &files);
    assert!(refused.starts_with("Cargo.toml:6: `d` is a procedural macro"), "{refused}");
}

/// A procedural macro of nothing.
pub(crate) const DERIVE: &str = "extern crate proc_macro;\nuse proc_macro::TokenStream;\n\
    #[proc_macro]\npub fn nothing(_: TokenStream) -> TokenStream { TokenStream::new() }\n\
    #[proc_macro_derive(Written)]\npub fn written(_: TokenStream) -> TokenStream { TokenStream::new() }\n";

/// One run names all that is in the way, of cargo and of the sources.
#[test]
fn all_obstacles_are_named_at_once() {
    let main = "mod lost;\nmod b;\n#[derive(Clone, Written)]\nstruct A;\nfn main() { env!(\"PATH\"); option_env!(\"PATH\"); }";
    let files = [
        ("Cargo.toml", MANIFEST),
        ("src/main.rs", main),
        ("src/b.rs", "#[derive(Deserialize)]\nstruct B;"),
        ("build.rs", "fn main() { println!(\"cargo:rustc-link-lib=m\"); }"),
    ];
    let text = refusal("all", &files);
    assert!(text.starts_with("cargo cannot build"), "{text}");
    // Without a script nothing needs cargo to build it.
    let text = refusal("sources", &files[..3]);
    let places: Vec<&str> = text.lines().map(|line| line.split(": ").next().unwrap()).collect();
    let expected =
        ["src/main.rs:5:17", "src/main.rs:5:38", "src/main.rs:1:5", "src/main.rs:3:17", "src/b.rs:1:10"];
    assert_eq!(places, expected, "{text}");
}

/// What the judge's compiler does not have is named, as a program that uses it compiles here and not there.
#[test]
fn items_newer_than_the_judges_compiler_are_warnings() {
    let text =
        "fn main() {\n    let x = std::env::args().count();\n    println!(\"{}\", x.div_ceil(2));\n}\n";
    let compiled = compiled(text);
    let expected = format!(
        "{} has rustc {}, but `div_ceil(2)` in line 3 needs 1.73.0\n",
        judge().title,
        judge().compiler.value
    );
    assert_eq!(compiled.warnings, expected);
}

/// Names for the linker stay, in both spellings of the attribute.
#[test]
fn names_for_the_linker_stay() {
    let source = "#[unsafe(no_mangle)]\npub extern \"C\" fn exported_function() -> u32 { 5 }\n#[unsafe(no_mangle)]\npub static EXPORTED_STATIC: u32 = 6;\n#[no_mangle]\npub extern \"C\" fn exported_before() -> u32 { 7 }\nfn shortened_name() -> u32 { 8 }\nfn main() { println!(\"{}\", exported_function() + EXPORTED_STATIC + exported_before() + shortened_name()); }";
    let short = minify(source, &Build::default(), &GO_ON).unwrap().text;
    for name in ["exported_function", "EXPORTED_STATIC", "exported_before"] {
        assert!(short.contains(name), "{name} is gone:\n{short}");
    }
    assert!(!short.contains("shortened_name"), "{short}");
}

/// A program with names that are difficult to shorten: its output stays the same.
#[test]
fn names_that_are_traps() {
    let source = include_str!("../corpus/traps.rs");
    let run = |text: &str| output(&mut Command::new(&compiled(text).program));
    let short = minify(source, &Build::default(), &GO_ON).unwrap();
    assert_eq!(run(&short.text), run(source), "{}", short.text);
    assert!(short.renamed > 30, "{}", short.renamed);
    // Shortened again it is no longer, but for variables that had names of their own and now share one.
    assert!(
        minify(&short.text, &Build::default(), &GO_ON).unwrap().text.len() * 100 <= short.text.len() * 102
    );
    assert!(minify("fn main( {", &Build::default(), &GO_ON).is_err());
    assert!(
        minify("fn main() { missing() }", &Build::default(), &GO_ON)
            .unwrap_err()
            .to_string()
            .contains("missing")
    );
}

/// Returns a package's manifest.
pub(crate) fn manifest(name: &str, edition: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"1.2.3\"\nedition = \"{edition}\"\n{rest}")
}

/// Packs a package and compares it with cargo's program; returns the text.
pub(crate) fn same(name: &str, files: &[(&str, &str)]) -> String {
    same_as_cargo_in(&package(name, files))
}
