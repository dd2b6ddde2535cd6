//! Macros of packages: their calls, derives and attributes.

use crate::corpus::{MANIFEST, manifest, pack, package, refusal, same, same_as_cargo_in};

/// A variable of the compilation that a macro's argument names: no matter if the macro is never called, and refused
/// otherwise.
#[test]
fn variables_that_arguments_name() {
    let with = |rules: &str, call: &str| format!("{rules}\nfn main() {{ println!(\"{{:?}}\", {call}); }}");
    let of = "macro_rules! of { ($name:expr) => { option_env!($name) }; }";
    let passes = format!("{of}\nmacro_rules! passes {{ ($name:literal) => {{ of!($name) }}; }}");
    let renames = format!("mod inner {{ {of} pub(crate) use of as shown; }}");
    let unset = [
        (of, "1"),
        (of, "of!(\"A_VARIABLE_OF_NOBODY\")"),
        // A text elsewhere names no variable.
        (of, "(\"HOME\", of!(\"A_VARIABLE_OF_NOBODY\"))"),
        (&passes, "passes!(\"A_VARIABLE_OF_NOBODY\")"),
        (&renames, "inner::shown!(\"A_VARIABLE_OF_NOBODY\")"),
    ];
    for (rules, call) in unset {
        let text = same("unset", &[("Cargo.toml", MANIFEST), ("src/main.rs", &with(rules, call))]);
        assert!(!text.contains("option_env"), "{text}");
    }
    let set = [
        (of, "of!(\"HOME\")"),
        (of, "of!(concat!(\"HO\", \"ME\"))"),
        (&passes, "passes!(\"HOME\")"),
        (&renames, "inner::shown!(\"HOME\")"),
    ];
    for (rules, call) in set {
        let refused = refusal("set", &[("Cargo.toml", MANIFEST), ("src/main.rs", &with(rules, call))]);
        let reason = "`option_env!` with a macro's parameter";
        assert!(refused.starts_with("src/main.rs:1:") && refused.contains(reason), "{refused}");
    }
}

/// A derive that is a procedural macro is written out, also if its crate hides it behind another one. Its helper
/// attributes go, and code that is never reached needs neither.
#[test]
fn derives_are_written_out() {
    let with = |name: &str, of: &[&str]| {
        let of: Vec<String> = of.iter().map(|of| format!("{of} = {{ path = \"../{of}\" }}\n")).collect();
        manifest(name, "2021", &format!("[dependencies]\n{}", of.concat()))
    };
    let main = with("main", &["shape", "board"]) + "[workspace]\n";
    let (board, shape) = (with("board", &["shape"]), with("shape", &["macros"]));
    let macros = manifest("macros", "2021", "[lib]\nproc-macro = true\n");
    // Names the type, its number of fields, and the function `suffix` of the crate that derives.
    let derive = r##"
        extern crate proc_macro;
        use proc_macro::{TokenStream, TokenTree};
        #[proc_macro_derive(Shape, attributes(shape))]
        pub fn derive(item: TokenStream) -> TokenStream {
            let text = item.to_string();
            if text.contains("impossible") { panic!("an impossible shape"); }
            let tokens: Vec<TokenTree> = item.into_iter().collect();
            let is_kind = |token: &TokenTree| ["struct", "enum"].contains(&&token.to_string()[..]);
            let name = tokens[tokens.iter().position(is_kind).unwrap() + 1].to_string();
            let marks = text.matches("shape").count();
            // A macro reads the variables of the crate that derives, and not those of its own crate.
            assert!(!text.contains("pub(") || text.contains("pub(crate)"), "{text}");
            let package = std::env::var("CARGO_PKG_NAME").unwrap();
            let written = format!(
                "#[allow(unused)] const _: () = {{ extern crate shape as _shape; impl _shape::Shape for {name} {{ \
                 fn describe(&self) -> String {{ String::from(\"{name} {marks} {package} \") + crate::suffix() \
                 + &shape::sum!({marks}, 1).to_string() }} }} }};"
            );
            written.parse().unwrap()
        }"##;
    let of_shape = "
        pub use macros::Shape;
        pub trait Shape { fn describe(&self) -> String; }
        #[macro_export]
        macro_rules! sum { ($($of:expr),*) => { 0 $(+ $of)* }; }";
    let of_board = "
        use shape::Shape;
        fn suffix() -> &'static str { \"of the board\" }
        pub mod deep {
            #[derive(Clone, Default, super::Shape)]
            pub enum Piece { #[default] #[shape(round)] Stone, #[shape] #[allow(dead_code)] King(u8) }
            #[derive(shape::Shape)]
            pub struct Unreached(#[shape] u32);
        }
        pub fn piece() -> String { deep::Piece::default().clone().describe() }";
    let of_main = "
        use shape::Shape;
        fn suffix() -> &'static str { \"of the program\" }
        fn main() {
            #[derive(Debug, Shape)]
            pub(crate) struct Local { #[shape(skip)] of: u32 }
            let local = Local { of: 4 };
            println!(\"{} {:?} {}\", local.describe(), local, board::piece());
        }";
    let files = [
        ("main/Cargo.toml", &main[..]),
        ("main/src/main.rs", of_main),
        ("board/Cargo.toml", &board),
        ("board/src/lib.rs", of_board),
        ("shape/Cargo.toml", &shape),
        ("shape/src/lib.rs", of_shape),
        ("macros/Cargo.toml", &macros),
        ("macros/src/lib.rs", derive),
    ];
    let text = same_as_cargo_in(&package("derives", &files).join("main"));
    assert!(!text.contains("#[shape") && !text.contains("Unreached"), "{text}");
    let mut failing = files;
    failing[1].1 =
        "#[derive(shape::Shape)]\nenum Impossible { impossible }\nfn main() { Impossible::impossible; }";
    let folder = package("derives-that-fail", &failing).join("main");
    let refused = pack(&folder.join("Cargo.toml")).unwrap_err().to_string();
    assert!(
        refused.contains("src/main.rs:1:17: `derive(Shape)`") && refused.contains("panicked"),
        "{refused}"
    );
}

/// A sign that a macro's caller passes does not join the sign after it: `/` and `*` are no comment.
#[test]
fn signs_stay_apart() {
    let main = "
        macro_rules! same { ($x:expr) => { $x }; }
        macro_rules! operation { ($name:ident, $sign:tt, $of:ident) => { fn $name(by: &u32) -> u32 { $of!(12 $sign *by) } }; }
        operation!(quotient, /, same);
        fn main() { println!(\"{}\", quotient(&4)); }";
    same("signs", &[("Cargo.toml", MANIFEST), ("src/main.rs", main)]);
}

/// A macro's arguments in another macro's call: a sign of two characters and an expression are one token each.
#[test]
fn arguments_stay_one_token() {
    let main = "
        macro_rules! value { (@of $kind:ident $of:tt) => { $of }; (@sum $($more:tt)*) => { 0 $($more)* }; }
        macro_rules! table {
            ($name:ident = $start:expr, { $($body:tt)* }) => { table! { @made $name (value!(@of u32 ($start))) { $($body)* } } };
            (@made $name:ident ($start:expr) { $($body:tt)* }) => {
                static $name: [u32; 2] = table! { @list ($start) $($body)* };
                fn twice() -> u32 { assert!($start != 8); value!(@of u32 $start) + value!(@sum $($body)* - $start) }
            };
            (@list ($start:tt) $($body:tt)*) => { [$start * 2, 1 $($body)*] };
        }
        table!(NUMBERS = 1 + 2, { << 3 });
        fn main() { println!(\"{:?} {}\", NUMBERS, twice()); }";
    let main = main.replace("value!(@sum $($body)* - $start)", "value!(@sum + 1 $($body)*) - $start");
    same("one-token", &[("Cargo.toml", MANIFEST), ("src/main.rs", &main)]);
}

/// Exported macros with the names of other things: an attribute of the compiler, and a function that the crate exports
/// too. An `extern crate` and a module in the arguments of a macro.
#[test]
fn macros_with_names_of_other_things() {
    let with = manifest("a", "2021", "[dependencies]\nd = { path = \"d\" }\n[workspace]\n");
    let of_d = manifest("d", "2018", "[dependencies]\nlonger = { path = \"../longer\" }\n");
    let library = "
        pub use crate::piles::pile;
        macro_rules! all { ($($of:item)*) => { $($of)* }; }
        #[macro_use]
        mod piles {
            pub fn pile(of: &[u32]) -> u32 { of.iter().sum() }
            #[macro_export]
            macro_rules! pile { ($($of:expr),*) => { $crate::pile(&[$($of),*]) }; }
            #[macro_export]
            macro_rules! warn { ($of:expr) => { $of + 1 }; }
        }
        mod inner {
            all! { extern crate longer; pub mod leaf; }
            pub fn ten() -> u32 { warn!(pile!(1, 2, 3)) + longer::three() + self::leaf::zero() }
        }
        pub fn ten() -> u32 { inner::ten() }";
    let main = "
        #[macro_export]
        macro_rules! local { ($of:expr) => { inner_local!($of) }; }
        #[macro_export]
        macro_rules! inner_local { ($of:expr) => { $of * 2 }; }
        fn main() { println!(\"{} {} {}\", d::pile!(1, 2), d::warn!(3), local!(d::ten() + d::pile(&[1]))); }";
    let files = [
        ("Cargo.toml", &with[..]),
        ("d/Cargo.toml", &of_d),
        ("d/src/lib.rs", library),
        ("d/src/inner/leaf.rs", "pub fn zero() -> u32 { 0 }"),
        ("longer/Cargo.toml", &manifest("longer", "2021", "")),
        ("longer/src/lib.rs", "pub fn three() -> u32 { 3 }"),
        ("src/main.rs", main),
    ];
    same("names-of-macros", &files);
}

/// `write!` calls a method without naming it.
#[test]
fn methods_that_macros_call() {
    let main = "
        use std::fmt;
        trait Sink { type Error; fn write_fmt(&mut self, text: fmt::Arguments) -> Result<(), Self::Error>; fn unused(&self) {} }
        impl Sink for Vec<String> {
            type Error = ();
            fn write_fmt(&mut self, text: fmt::Arguments) -> Result<(), ()> { self.push(text.to_string()); Ok(()) }
        }
        fn fill<S: Sink>(sink: &mut S) -> Result<(), S::Error> { write!(sink, \"{} and {}\", 1, 2) }
        fn main() { let mut list = Vec::new(); fill(&mut list).unwrap(); println!(\"{list:?}\"); }";
    let text = same("write-fmt", &[("Cargo.toml", MANIFEST), ("src/main.rs", main)]);
    assert!(!text.contains("unused"), "{text}");
}

/// A macro of another crate includes a file that its caller names. The name is relative to the caller.
#[test]
fn files_that_arguments_name() {
    let of_main = manifest("main", "2021", "[dependencies]\ntexts = { path = \"texts\" }\n[workspace]\n");
    let of_texts = manifest("texts", "2021", "");
    let texts = "
        #[macro_export] macro_rules! length { ($file:expr) => { include_str!($file).len() }; }
        #[macro_export] macro_rules! lengths { ($($file:literal),*) => { [$(include_bytes!($file).len()),*] }; }";
    let main = "
        mod deep { pub mod deeper; }
        fn main() { println!(\"{} {:?} {}\", texts::length!(\"one.txt\"), texts::lengths!(\"one.txt\"), deep::deeper::length()); }";
    let deeper = |name: &str| format!("pub fn length() -> usize {{ texts::length!(\"{name}\") }}");
    let with = |name: &str| {
        let deeper = deeper(name);
        let files = [
            ("Cargo.toml", &of_main[..]),
            ("src/main.rs", main),
            ("src/deep/deeper.rs", &deeper),
            ("src/one.txt", "one \"quoted\"\n"),
            ("src/deep/one.txt", "another"),
            ("src/deep/two.txt", "two lines\n\n"),
            ("texts/Cargo.toml", &of_texts),
            ("texts/src/lib.rs", texts),
        ];
        package(&format!("named-{name}"), &files)
    };
    let text = same_as_cargo_in(&with("two.txt"));
    assert!(!text.contains("include_str") && !text.contains("include_bytes"), "{text}");
    // Two files with one name cannot be told apart.
    let error = pack(&with("one.txt").join("Cargo.toml")).unwrap_err().to_string();
    assert!(
        error.contains("texts/src/lib.rs:2:") && error.contains("`include_str!` with a macro's parameter"),
        "{error}"
    );
}

/// An attribute of a function that is a procedural macro is written out. Calls of macros in the function stay calls.
#[test]
fn attributes_are_written_out() {
    let macros = manifest("macros", "2021", "[lib]\nproc-macro = true\n");
    // Runs the body as often as the argument says, and adds the results.
    let attribute = r##"
        extern crate proc_macro;
        use proc_macro::{TokenStream, TokenTree};
        #[proc_macro_attribute]
        pub fn times(count: TokenStream, item: TokenStream) -> TokenStream {
            let mut tokens: Vec<TokenTree> = item.into_iter().collect();
            let body = tokens.pop().unwrap();
            if body.to_string().contains("impossible") { panic!("an impossible body"); }
            let head: TokenStream = tokens.into_iter().collect();
            format!("{head} {{ let mut sum = 0; for _ in 0..{count} {{ sum += (|| {body})(); }} shape::checked(sum) }}").parse().unwrap()
        }"##;
    let shape = "pub use macros::times;\npub fn checked(sum: u32) -> u32 { sum }\n#[macro_export] macro_rules! seven { () => { 7 }; }";
    let main = "
        use shape::times;
        macro_rules! add { ($a:expr, $b:expr) => { $a + $b }; }
        mod inner {
            pub struct Board(pub u32);
            impl Board {
                #[shape::times(3)]
                #[inline]
                pub fn size() -> u32 { debug_assert!(true, \"{}\", 1); if false { unreachable!() } add! { 1, shape::seven!() } }
                pub fn plain(&self) -> String { format!(\"{:?}\", vec![self.0]) }
            }
        }
        #[times(2)]
        fn five() -> u32 { println! { \"five\" } let list = vec![2; 2]; add!(list.len() as u32, list[0]) + 1 }
        #[allow(dead_code)]
        #[times(4)]
        fn unused() -> u32 { 0 }
        fn main() { println!(\"{} {} {}\", five(), inner::Board::size(), inner::Board(4).plain()); }";
    let with = |name: &str, of: &[&str]| {
        let of: Vec<String> = of.iter().map(|of| format!("{of} = {{ path = \"../{of}\" }}\n")).collect();
        manifest(name, "2021", &format!("[dependencies]\n{}", of.concat()))
    };
    let of_main = manifest("main", "2021", "[dependencies]\nshape = { path = \"shape\" }\n[workspace]\n");
    let of_shape = with("shape", &["macros"]);
    let files = |main| {
        [
            ("Cargo.toml", &of_main[..]),
            ("src/main.rs", main),
            ("shape/Cargo.toml", &of_shape),
            ("shape/src/lib.rs", shape),
            ("macros/Cargo.toml", &macros),
            ("macros/src/lib.rs", attribute),
        ]
    };
    let text = same("attributes", &files(main));
    assert!(text.contains("vec![") && !text.contains("unused") && !text.contains("times"), "{text}");
    let refused = refusal("failing-attribute", &files(&main.replace("\"five\"", "\"impossible\"")));
    assert!(refused.starts_with("src/main.rs:13:11: `#[times]` is a procedural macro"), "{refused}");
    assert!(refused.contains("cause: cargo cannot build"), "{refused}");
}
