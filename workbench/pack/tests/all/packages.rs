//! Packages of all kinds that contest authors have: packed, they do what cargo's programs do.

use crate::corpus::{DERIVE, GO_ON, MANIFEST, judge, manifest, pack, package, refusal, same};
use contender_pack::verify::compile;
use contender_pack::{Build, Packed, pack_program};

/// What a build script decides is decided: conditions, variables, written sources.
#[test]
fn build_scripts() {
    let script = r##"
        fn main() {
            let folder = std::env::var("OUT_DIR").unwrap();
            std::fs::write(format!("{folder}/squares.rs"), "pub const SQUARES: [u32; 4] = [0, 1, 4, 9];").unwrap();
            println!("cargo:rustc-check-cfg=cfg(has_squares)");
            println!("cargo:rustc-cfg=has_squares");
            println!("cargo:rustc-env=MADE_ON=tuesday");
        }"##;
    let main = r##"
        #[cfg(has_squares)]
        mod squares { include!(concat!(env!("OUT_DIR"), "/squares.rs")); }
        #[cfg(not(has_squares))]
        mod squares { pub const SQUARES: [u32; 1] = [7]; }
        #[cfg(all(test, has_squares))]
        include!(concat!(env!("OUT_DIR"), "/missing.rs"));
        #[cfg(test)]
        mod tests { const EXPECTED: &str = include_str!("missing.txt"); }
        macro_rules! choose { () => { { #[cfg(has_squares)] { 1 } #[cfg(not(has_squares))] { 2 } } } }
        fn main() {
            println!("{:?} {} {} {}", squares::SQUARES, env!("MADE_ON"), choose!(), env!("CARGO_PKG_VERSION_MINOR"));
            println!("{:?} {:?}", option_env!("A_VARIABLE_OF_NOBODY"), cfg!(debug_assertions).then_some(0).map(|_| ()).is_some() as u8 * 0);
        }"##;
    let text = same("script", &[("Cargo.toml", MANIFEST), ("build.rs", script), ("src/main.rs", main)]);
    assert!(!text.contains("has_squares") && !text.contains("[7]"), "{text}");
}

/// What is not reached may need anything: a dependency that nobody names, a derive of a type that nobody uses.
#[test]
fn only_what_is_reached_must_be_packable() {
    let with = manifest("a", "2021", "[dependencies]\nd = { path = \"d\" }\n[workspace]\n");
    let macros = manifest("d", "2021", "[lib]\nproc-macro = true\n");
    let main = "
        #[derive(Clone, d::Written)]
        struct Replay;
        impl Replay { fn unused(&self) {} }
        macro_rules! included { ($file:expr) => { include_bytes!($file) }; }
        #[doc = include_str!(concat!(\"main\", \".rs\"))]
        fn three() -> u32 { 3 }
        fn main() { println!(\"here {}\", three()); }";
    let files = [
        ("Cargo.toml", &with[..]),
        ("d/Cargo.toml", &macros),
        ("d/src/lib.rs", DERIVE),
        ("src/main.rs", main),
    ];
    let text = same("unreached", &files);
    assert!(!text.contains("Replay") && !text.contains("include"), "{text}");
    let refused = refusal(
        "included",
        &[
            ("Cargo.toml", MANIFEST),
            ("src/main.rs", "fn main() { print!(\"{}\", include_str!(\"none.txt\")); }"),
        ],
    );
    assert!(refused.contains("src/main.rs:1:") && refused.contains("none.txt"), "{refused}");
    let main = "use d::Written;\n#[derive(Clone, Written)]\nstruct Replay;\nfn main() { let _ = Replay; d::nothing!(); }";
    let files = [files[0], files[1], files[2], ("src/main.rs", main)];
    let refused = refusal("reached", &files);
    assert!(refused.contains("Cargo.toml:6: `d` is a procedural macro"), "{refused}");
}

/// Inline assembly, assembly of the whole file, and intrinsics.
#[cfg(target_arch = "x86_64")]
#[test]
fn assembly() {
    let main = r##"
        use std::arch::{asm, global_asm};
        mod bits {
            pub fn unused() -> u64 { let x: u64; unsafe { std::arch::asm!("mov {x}, 5", x = out(reg) x) }; x }
        }
        global_asm!(".globl three_more", "three_more:", "lea rax, [rdi + 3]", "jmp {last}", last = sym last_step);
        extern "C" { fn three_more(number: u64) -> u64; fn abs(number: i32) -> i32; }
        #[no_mangle]
        extern "C" fn last_step_by_name(number: u64) -> u64 { number + 3 }
        extern "C" fn last_step(number: u64) -> u64 { number + 100 }
        fn twice(number: u64) -> u64 {
            let double: u64;
            unsafe { asm!("lea {double}, [{number} + {number}]", number = in(reg) number, double = out(reg) double) };
            double
        }
        fn by_name(number: u64) -> u64 {
            let mut answer = 0u64;
            unsafe { asm!("call last_step_by_name", in("rdi") number, inout("rax") answer, clobber_abi("C")) };
            answer
        }
        #[target_feature(enable = "avx2")]
        unsafe fn sum(numbers: [i32; 8]) -> i32 {
            use std::arch::x86_64::*;
            let lanes = _mm256_loadu_si256(numbers.as_ptr().cast());
            let half = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
            let pair = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
            _mm_cvtsi128_si32(pair) + _mm_extract_epi32::<1>(pair)
        }
        fn main() {
            let numbers = [1, 2, 3, 4, 5, 6, 7, 8];
            let all = if is_x86_feature_detected!("avx2") { unsafe { sum(numbers) } } else { numbers.iter().sum() };
            println!("{} {} {} {} {}", twice(21), unsafe { three_more(4) }, by_name(5), unsafe { abs(-7) }, all);
        }"##;
    let text = same("assembly", &[("Cargo.toml", MANIFEST), ("src/main.rs", main)]);
    assert!(!text.contains("unused"), "{text}");
}

/// The first line of a minified file must not make a tiny program larger.
#[test]
fn a_tiny_program_does_not_grow() {
    let packed = pack(
        &package("tiny", &[("Cargo.toml", MANIFEST), ("src/main.rs", "fn main() {}")]).join("Cargo.toml"),
    );
    let packed = packed.unwrap();
    assert_eq!(packed.clone().minify(judge(), &GO_ON).unwrap().text, packed.text);
}

/// An implementation in one crate makes a type ambiguous in a crate that does not know it.
#[test]
fn implementations_that_other_crates_do_not_know() {
    let with =
        "[dependencies]\njson = { path = \"json\" }\nsections = { path = \"sections\" }\n[workspace]\n";
    let json = "
        #[derive(Debug)]
        pub struct Value(pub usize);
        impl From<Value> for usize { fn from(value: Value) -> usize { value.0 } }
        impl PartialEq<Value> for usize { fn eq(&self, other: &Value) -> bool { *self == other.0 } }";
    // The compiler names the implementation only for the first of these.
    let sections = ["number == u16::MAX.into()", "number == u16::MAX as _"];
    let main = "fn main() { println!(\"{} {}\", usize::from(json::Value(3)), sections::is_largest(65535)); }";
    for (number, section) in sections.iter().enumerate() {
        let section = format!("pub fn is_largest(number: usize) -> bool {{ {section} }}");
        let files = [
            ("Cargo.toml", &manifest("a", "2021", with)[..]),
            ("json/Cargo.toml", &manifest("json", "2021", "")),
            ("json/src/lib.rs", json),
            ("sections/Cargo.toml", &manifest("sections", "2021", "")),
            ("sections/src/lib.rs", &section),
            ("src/main.rs", main),
        ];
        same(&format!("unknown-implementations-{number}"), &files);
    }
}

/// A root's `extern crate` with a new name, which names the crate in all modules, and paths from the crates' names
/// after `impl<T>`, `let`, `while` and `break`.
#[test]
fn renamed_crates() {
    let with = manifest("a", "2021", "[dependencies]\nd = { path = \"d\" }\n[workspace]\n");
    let of_d = manifest("d", "2021", "[dependencies]\nlong_name = { path = \"../long_name\" }\n");
    let library = "
        extern crate long_name as short;
        mod inner { use short::four; pub fn seven() -> u32 { four() + short::three() } }
        struct Twice<T>(T);
        impl<T: Into<u32> + Copy> ::short::Named for Twice<T> { fn name(&self) -> u32 { 2 * self.0.into() } }
        pub fn fifteen() -> u32 {
            let ::short::Number(seven) = ::short::Number(inner::seven());
            let mut steps = 0;
            while ::short::three() > steps { steps += 1; }
            let three = loop { break ::short::three() };
            seven + ::short::Named::name(&Twice(4_u8)) + steps - three
        }";
    let main = "
        extern crate d as library;
        mod inner { pub fn fifteen() -> u32 { library::fifteen() } }
        fn main() { println!(\"{}\", inner::fifteen()); }";
    let long_name = "
        pub struct Number(pub u32);
        pub trait Named { fn name(&self) -> u32; }
        pub fn three() -> u32 { 3 }
        pub fn four() -> u32 { 4 }";
    let files = [
        ("Cargo.toml", &with[..]),
        ("d/Cargo.toml", &of_d),
        ("d/src/lib.rs", library),
        ("long_name/Cargo.toml", &manifest("long_name", "2021", "")),
        ("long_name/src/lib.rs", long_name),
        ("src/main.rs", main),
    ];
    same("renamed-crates", &files);
}

/// Code that compiles with cargo but not in one file is an error that names its file and line.
#[test]
fn code_that_needs_its_own_file_is_named() {
    let with = manifest("a", "2021", "[dependencies]\nd = { path = \"d\" }\n[workspace]\n");
    let library = "pub fn three() -> u32 {\n    3\n}\n\npub fn where_it_is() -> usize {\n    three() as usize + [0; 2 - module_path!().len()].len()\n}\n";
    let main =
        "mod deep;\nfn main() {\n    println!(\"{} {}\", d::three(), d::where_it_is() + deep::place());\n}";
    let deep = "\npub fn place() -> usize { [1; 8 - module_path!().len()].len() }";
    let files = [
        ("Cargo.toml", &with[..]),
        ("d/Cargo.toml", &manifest("d", "2021", "")),
        ("d/src/lib.rs", library),
        ("src/main.rs", main),
        ("src/deep.rs", deep),
    ];
    let refused = refusal("own-file", &files);
    let reason = "this code does not compile as a part of one file";
    assert!(refused.starts_with(&format!("d/src/lib.rs:6: {reason}")), "{refused}");
    assert!(refused.contains(&format!("\nsrc/deep.rs:2: {reason}")), "{refused}");
    assert_eq!(refused.matches("hint: ").count(), 1, "{refused}");
}

/// A refusal also lists the compiler's errors, because a suspect such as `option_env!` need not be their cause.
#[test]
fn refusals_list_the_errors_of_the_compiler() {
    let with = manifest("a", "2021", "[dependencies]\nd = { path = \"d\" }\n[workspace]\n");
    let library = "pub fn depth() -> usize {\n    [0; 2 - module_path!().len()].len()\n}\npub fn home() -> bool { of!(\"HOME\") }";
    let library =
        format!("macro_rules! of {{ ($name:expr) => {{ option_env!($name).is_some() }}; }}\n{library}");
    let files = [
        ("Cargo.toml", &with[..]),
        ("d/Cargo.toml", &manifest("d", "2021", "")),
        ("d/src/lib.rs", &library),
        ("src/main.rs", "fn main() { println!(\"{} {}\", d::depth(), d::home()); }"),
    ];
    let refused = refusal("suspects", &files);
    assert!(refused.starts_with("d/src/lib.rs:1:48: `option_env!`"), "{refused}");
    assert!(refused.contains("\nd/src/lib.rs:3: this code does not compile"), "{refused}");
}

/// Names that meet in one file: a module and a crate, a macro and its export.
#[test]
fn names_that_meet() {
    let with = manifest("a", "2021", "[dependencies]\nboard = { path = \"board\" }\n[workspace]\n");
    let board = manifest("board", "2021", "");
    let library = "
        pub mod shout {
            #[macro_export]
            macro_rules! loud { ($x:expr) => { $crate::louder($x) }; }
            #[macro_export]
            macro_rules! quiet { ($x:expr) => { $x }; }
            pub use {loud, quiet};
        }
        pub fn louder(x: u32) -> u32 { x * 10 }
        #[macro_export(local_inner_macros)]
        macro_rules! twice { ($x:expr) => { once!($x) + once!($x) }; }
        #[macro_export]
        macro_rules! once { ($x:expr) => { $x }; }
        #[macro_export]
        macro_rules! thrice { ($x:expr) => { once!($x) + twice!($x) }; }";
    let main = "
        #[macro_use]
        extern crate board;
        mod inner { pub fn call() -> u32 { twice!(4) } }
        mod board_names { pub fn own() -> u32 { board::louder(2) } }
        fn main() { println!(\"{} {} {} {} {}\", board::shout::loud!(3), quiet!(1), inner::call(), board_names::own(), thrice!(5)); }";
    let files = [
        ("Cargo.toml", &with[..]),
        ("board/Cargo.toml", &board),
        ("board/src/lib.rs", library),
        ("src/main.rs", main),
    ];
    same("macro_use", &files);
    let main = "mod board { pub fn own() -> u32 { ::board::louder(5) } }\nfn main() { println!(\"{}\", board::own()); }";
    same("twins", &[files[0], files[1], files[2], ("src/main.rs", main)]);
}

/// A library without the standard library, and modules that `cfg_if!` chooses.
#[test]
fn libraries_for_every_target() {
    let with = manifest("a", "2021", "[dependencies]\nd = { path = \"d\" }\n[workspace]\n");
    let of = manifest("d", "2018", "[features]\ndefault = [\"quiet\"]\nquiet = []\nloud = []\n");
    let library = "
        #![no_std]
        #[macro_use]
        extern crate alloc;
        macro_rules! cfg_if { (if #[cfg($a:meta)] { $($x:item)* } else { $($y:item)* }) => { $(#[cfg($a)] $x)* $(#[cfg(not($a))] $y)* }; }
        cfg_if! {
            if #[cfg(windows)] { mod windows; pub use windows::name; } else { mod others; pub use others::name; }
        }
        macro_rules! everywhere { ($($x:item)*) => { $($x)* }; }
        macro_rules! nowhere { ($($x:item)*) => {}; }
        macro_rules! block { ({ $($x:item)* }) => { $($x)* }; }
        everywhere! { everywhere! { mod passed; } use passed::ending; }
        nowhere! { mod without_a_file; }
        block!({ #[cfg_attr(windows, path = \"windows.rs\")] #[cfg_attr(not(windows), path = \"others.rs\")] mod again; });
        macro_rules! root { () => { #[cfg(windows)] mod windows; #[cfg(not(windows))] #[path = \"others.rs\"] mod rooted; }; }
        root!();
        macro_rules! when { (#![$when:meta] $($of:item)*) => { $(#[cfg($when)] $of)* }; }
        when! { #![any(feature = \"loud\", feature = \"quiet\")] fn volume() -> &'static str { \" quiet \" } }
        when! { #![not(feature = \"quiet\")] fn volume() -> &'static str { \" silent \" } }
        macro_rules! chosen { ($when:meta, $name:ident) => { #[$when] mod $name; #[$when] use $name as given; }; }
        chosen!(cfg(windows), windows);
        chosen!(cfg(not(windows)), named);
        pub fn list() -> alloc::vec::Vec<alloc::string::String> { vec![alloc::string::String::from(name()) + ending() + again::name() + rooted::name() + given::name() + volume()] }";
    let files = [
        ("Cargo.toml", &with[..]),
        ("d/Cargo.toml", &of),
        ("d/src/lib.rs", library),
        ("d/src/others.rs", "pub fn name() -> &'static str { \"others\" }"),
        ("d/src/named.rs", "pub fn name() -> &'static str { \"named\" }"),
        ("d/src/passed.rs", "pub fn ending() -> &'static str { \" and more\" }"),
        ("src/main.rs", "fn main() { println!(\"{:?}\", d::list()); }"),
    ];
    same("no_std", &files);
}

fn packed_with(name: &str, files: &[(&str, &str)], flags: Option<&str>) -> Packed {
    pack_program(&package(name, files).join("Cargo.toml"), None, &[], judge(), flags, &GO_ON).unwrap()
}

/// Code is chosen with cargo's flags, and a compilation without them fails with their names.
#[test]
fn features_of_the_processor() {
    let main = "
        #[cfg(target_feature = \"avx2\")]
        fn lanes() -> u32 { 8 }
        #[cfg(not(target_feature = \"avx2\"))]
        fn lanes() -> u32 { 1 }
        fn main() { println!(\"{}\", lanes()); }";
    let config = "[build]\nrustflags = [\"-C\", \"target-feature=+avx2\"]\n";
    let files = [("Cargo.toml", MANIFEST), (".cargo/config.toml", config), ("src/main.rs", main)];
    let packed = packed_with("features", &files, None);
    assert!(packed.text.contains("{\n    8\n}") && !packed.text.contains("{\n    1\n}"), "{}", packed.text);
    assert!(packed.text.contains("opt-level=3 -C target-feature=+avx2 FILE"), "{}", packed.text);
    assert!(packed.warnings[0].contains("the code was selected for avx2"), "{:?}", packed.warnings);
    compile(&packed.text, judge(), &packed.build, &GO_ON).unwrap();
    let without = compile(&packed.text, judge(), &Build::default(), &GO_ON).err().unwrap().to_string();
    assert!(without.contains("compile with -C target-feature=+avx2"), "{without}");
    let unknown = pack_program(
        &package("features", &files).join("Cargo.toml"),
        None,
        &[],
        judge(),
        Some("-C target-cpu=abacus"),
        &GO_ON,
    );
    let unknown = unknown.unwrap_err().to_string();
    assert!(unknown.contains("target-cpu=abacus`: 'abacus' is not a recognized processor"), "{unknown}");
    let plain = packed_with("features", &files, Some(""));
    assert!(plain.text.contains("{\n    1\n}") && plain.warnings.is_empty(), "{}", plain.text);
}

/// Cargo's options choose the features, and so what must be packable.
#[test]
fn chosen_features() {
    let features = "[dependencies]\nd = { path = \"d\", optional = true }\n[features]\ndefault = [\"log\"]\nlog = [\"d\"]\n\
                    deep = []\n[workspace]\n";
    let with = manifest("a", "2021", features);
    let macros = manifest("d", "2021", "[lib]\nproc-macro = true\n");
    let main = "
        #[cfg(feature = \"log\")]
        d::nothing!();
        struct Position(u32);
        fn depth() -> u32 { if cfg!(feature = \"deep\") { 9 } else { 3 } }
        fn main() { println!(\"{}\", Position(depth()).0); }";
    let files = [
        ("Cargo.toml", &with[..]),
        ("d/Cargo.toml", &macros),
        ("d/src/lib.rs", DERIVE),
        ("src/main.rs", main),
    ];
    assert!(refusal("default-features", &files).contains("is a procedural macro"));
    let manifest = package("chosen-features", &files).join("Cargo.toml");
    let words = ["--no-default-features", "--features", "deep"].map(str::to_string);
    let packed = pack_program(&manifest, None, &words, judge(), None, &GO_ON).unwrap();
    assert!(packed.text.contains("if true { 9 }") && !packed.text.contains("derive"), "{}", packed.text);
}

/// Conditions of parameters, arguments, elements, and functions of other languages.
#[test]
fn conditions_in_lists() {
    let main = "
        extern \"C\" {
            #[cfg(debug_assertions)] fn absent(number: i32) -> i32;
            #[cfg(not(debug_assertions))] fn abs(number: i32) -> i32;
        }
        struct Sum(u32);
        impl Sum {
            fn add(&self, #[cfg(debug_assertions)] by: u8, #[cfg(not(debug_assertions))] by: u32) -> u32 { self.0 + by }
        }
        fn first<#[cfg(not(debug_assertions))] T: Copy, #[cfg(debug_assertions)] T>(list: &[T]) -> T { list[0] }
        fn main() {
            let list = [#[cfg(debug_assertions)] 1u8, #[cfg(not(debug_assertions))] 2u32];
            let pair = (#[cfg(debug_assertions)] \"debug\", #[cfg(not(debug_assertions))] { 3 }, 4);
            let sum = Sum(first(#[cfg(debug_assertions)] &[], #[cfg(not(debug_assertions))] unsafe { &list }));
            let sum = sum.add(#[cfg(debug_assertions)] 1, #[cfg(not(debug_assertions))] 2);
            println!(\"{:?} {:?} {}\", list, pair, sum);
            #[cfg(not(debug_assertions))]
            println!(\"{}\", unsafe { abs(-5) });
        }";
    let packed =
        pack(&package("conditions", &[("Cargo.toml", MANIFEST), ("src/main.rs", main)]).join("Cargo.toml"));
    let packed = packed.unwrap();
    let compiled = compile(&packed.text, judge(), &packed.build, &GO_ON).unwrap();
    assert_eq!(compiled.warnings, "", "{}", packed.text);
    let output = std::process::Command::new(&compiled.program).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "[2] (3, 4) 4\n5\n");
}

/// An implementation whose type argument inference chooses is reached.
#[test]
fn types_that_only_inference_names() {
    let main = "
        use std::marker::PhantomData;
        struct Plain;
        struct Maker<E> { of: PhantomData<E> }
        impl Default for Maker<Plain> { fn default() -> Self { Maker { of: PhantomData } } }
        impl<E> Maker<E> { fn make(&self) -> u32 { 4 } }
        fn never() {}
        fn main() { println!(\"{}\", Maker::default().make()); }";
    let text = same("inferred", &[("Cargo.toml", MANIFEST), ("src/main.rs", main)]);
    assert!(!text.contains("never"), "{text}");
}

/// Warnings of the author's code are not errors of the packed file.
#[test]
fn warnings_of_the_author() {
    let main = "fn main() { let Odd_Name = 3; println!(\"{}\", Odd_Name); let unused = 1; }";
    let packed =
        pack(&package("warnings", &[("Cargo.toml", MANIFEST), ("src/main.rs", main)]).join("Cargo.toml"));
    let packed = packed.unwrap();
    assert_eq!(compile(&packed.text, judge(), &packed.build, &GO_ON).unwrap().warnings, "");
}
