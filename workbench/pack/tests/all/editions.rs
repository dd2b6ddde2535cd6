//! Crates of all editions of Rust in one packed file.

use crate::corpus::{manifest, same};

/// The lifetimes that an `impl Trait` captures in edition 2024 without naming them.
#[test]
fn captured_lifetimes() {
    let with = manifest("a", "2024", "[dependencies]\nd = { path = \"d\" }\n[workspace]\n");
    let library = "
        pub struct List<'a>(pub &'a [u32]);
        impl<'a> List<'a> {
            pub fn doubled(&self) -> impl Iterator<Item = u32> { self.0.iter().map(|of| of * 2) }
            pub fn lengths<'b, T: AsRef<str>>(&self, of: &'b [T]) -> Option<impl Iterator<Item = usize>> {
                Some(of.iter().map(|of| of.as_ref().len()))
            }
        }";
    let main = "
        fn squares(of: &[u32]) -> impl Iterator<Item = u32> { of.iter().map(|of| of * of) }
        fn main() {
            let list = d::List(&[1, 2]);
            let lengths: Vec<usize> = list.lengths(&[\"a\", \"bc\"]).unwrap().collect();
            println!(\"{:?} {:?} {}\", list.doubled().collect::<Vec<_>>(), lengths, squares(&[3, 4]).sum::<u32>());
        }";
    let files = [
        ("Cargo.toml", &with[..]),
        ("d/Cargo.toml", &manifest("d", "2024", "")),
        ("d/src/lib.rs", library),
        ("src/main.rs", main),
    ];
    same("captures", &files);
}

/// Trait objects without `dyn` in the macros of a crate of edition 2015, a public `extern crate`, a module with the
/// name of a crate, and the compiler's crates under each other's names.
#[test]
fn crates_of_2015() {
    let with = manifest("a", "2021", "[dependencies]\nold = { path = \"old\" }\n[workspace]\n");
    let of_old = manifest(
        "old",
        "2015",
        "[dependencies]\nbare = { path = \"../bare\" }\ntraces = { path = \"../traces\" }\n",
    );
    let traces = "pub fn count() -> u32 { 7 }";
    let bare = "#![no_std]\nextern crate core as std;\nuse std::cmp::max;\npub fn largest(a: u32, b: u32) -> u32 { max(a, b) }";
    let old = "
        pub extern crate bare;
        mod traces { extern crate traces; pub struct Trace(u32); impl Trace { pub fn none() -> Trace { Trace(self::traces::count()) } pub fn count(&self) -> u32 { self.0 } } }
        pub use traces::Trace;
        pub mod choice { #[cfg(not(windows))] pub use bare::largest; #[cfg(windows)] pub use self::bare::largest; #[cfg(windows)] mod bare { pub fn largest() {} } }
        #[macro_export] macro_rules! largest_of { ($a:expr, $b:expr) => { ::old::choice::largest($a, $b) }; }
        extern crate std as alloc;
        pub mod heap { use alloc::boxed::Box; pub fn four() -> Box<u32> { Box::new(4) } }
        use std::io::ErrorKind::*;
        pub trait Named { fn name(&self) -> u32; }
        impl Named for u32 { fn name(&self) -> u32 { *self } }
        macro_rules! named { ($of:ident) => { fn $of(&self, of: &Named, both: &(Named + Send)) -> u32 { of.name() + both.name() } }; }
        pub trait Sum { named!(sum); }
        impl Sum for u32 {}
        pub fn kind() -> bool { ::std::io::Error::from(NotFound).kind() == NotFound }";
    let main = "fn main() { println!(\"{} {} {} {} {} {}\", old::Sum::sum(&1, &3, &4), old::kind(), old::bare::largest(2, 9), old::Trace::none().count(), old::largest_of!(3, 2), old::heap::four()); }";
    let files = [
        ("Cargo.toml", &with[..]),
        ("old/Cargo.toml", &of_old),
        ("old/src/lib.rs", old),
        ("bare/Cargo.toml", &manifest("bare", "2015", "")),
        ("bare/src/lib.rs", bare),
        ("traces/Cargo.toml", &manifest("traces", "2018", "")),
        ("traces/src/lib.rs", traces),
        ("src/main.rs", main),
    ];
    same("crates-of-2015", &files);
}

/// Crates of older editions that allow the lints of migrations, next to a program that compiles only in edition 2021: a
/// trait object under another name, and an array that `into_iter` would move.
#[test]
fn lints_that_crates_allow() {
    let with = manifest(
        "a",
        "2021",
        "[dependencies]\nold = { path = \"old\" }\nlater = { path = \"later\" }\n[workspace]\n",
    );
    let old = "
        #![allow(unknown_lints, bare_trait_objects)]
        use std::fmt::Display as Shown;
        pub fn shown(first: Option<&Shown>) -> String { first.map_or(String::new(), |of| of.to_string()) }";
    let later = "
        #![allow(array_into_iter)]
        struct Loud(&'static str);
        impl Drop for Loud { fn drop(&mut self) { println!(\"drop {}\", self.0); } }
        pub fn count() -> usize {
            let list = [Loud(\"first\"), Loud(\"second\")];
            let count = list.into_iter().count();
            println!(\"after\");
            count
        }";
    let main = "
        struct Pair { list: Vec<u32>, sum: u32 }
        fn sum(pair: &mut Pair) -> u32 {
            let list = &pair.list;
            let mut add = |by: u32| pair.sum += by;
            list.iter().for_each(|&of| add(of));
            [pair.sum, 1].into_iter().sum()
        }
        fn main() {
            let mut pair = Pair { list: vec![1, 2], sum: 0 };
            println!(\"{} {} {}\", old::shown(Some(&3)), later::count(), sum(&mut pair));
        }";
    let (of_old, of_later) = (
        manifest("old", "2015", "[dependencies]\nlater = { path = \"../later\" }\n"),
        manifest("later", "2018", ""),
    );
    let files = [
        ("Cargo.toml", &with[..]),
        ("old/Cargo.toml", &of_old),
        ("old/src/lib.rs", old),
        ("later/Cargo.toml", &of_later),
        ("later/src/lib.rs", later),
        ("src/main.rs", main),
    ];
    same("allowed-lints", &files);
}

/// Crates of every edition in one file of edition 2021.
#[test]
fn editions() {
    let with = manifest(
        "a",
        "2024",
        "[dependencies]\nold = { path = \"old\" }\nlater = { path = \"later\" }\n[workspace]\n",
    );
    let old = "
        mod deep { pub mod deeper { pub fn two() -> u32 { ::helper() + 1 } } pub trait Named { fn name(&self) -> String; fn add(&self, u32, b: u32) -> u32; } }
        mod later { pub fn three() -> u32 { 3 } }
        mod hidden { use later::three; pub fn four() -> u32 { three() + 1 } }
        use deep::deeper::two;
        use deep::{deeper as renamed, Named};
        fn helper() -> u32 { 1 }
        struct Async;
        impl Named for Async { fn name(&self) -> String { String::from(\"async\") } fn add(&self, a: u32, b: u32) -> u32 { a + b } }
        fn apply<F: FnMut(u32) -> Option<(u32, i32)>>(by: u32, mut f: F) -> u32 { f(by).map_or(0, |pair| pair.0) }
        type Twice<'a> = Fn(u32) -> u32 + Sync + 'a;
        fn twice(f: &Twice) -> u32 { f(f(1)) }
        fn call<'a>(f: &'a mut FnMut(u32) -> u32, g: Box<Fn(&str) -> usize>) -> u32 { f(3) + g(\"four\") as u32 }
        pub fn async() -> Box<Named> { Box::new(Async) }
        pub fn describe() -> String { let of: Box<deep::Named> = async(); format!(\"{} {} {} {} {}\", of.name(), two(), renamed::two(), of.add(1, apply(2, |x| Some((x, 0)))), call(&mut |x| x * 2, Box::new(|x| x.len())) + twice(&|x| x + 1) + hidden::four()) }";
    // By reference in edition 2018, by value from 2021 on; a closure takes all of `pair` or only a part.
    let later = "
        pub struct Loud(pub &'static str);
        impl Drop for Loud { fn drop(&mut self) { println!(\"drop {}\", self.0); } }
        pub fn lengths() -> Vec<usize> { [String::from(\"a\"), String::from(\"bc\")].into_iter().map(|word: &String| word.len()).collect() }
        pub fn captures() {
            let pair = (Loud(\"first\"), Loud(\"second\"));
            {
                let take = move || { let _kept = &pair.0; };
                take();
            }
            println!(\"after\");
        }
        pub fn fails() { if std::env::args().count() > 9 { panic!(\"{}\") } }";
    let main = "
        struct Loud(&'static str);
        impl Loud { fn get(&self) -> Option<u32> { None } fn size(&self) -> usize { self.0.len() } }
        impl Drop for Loud { fn drop(&mut self) { println!(\"drop {}\", self.0); } }
        fn chain(a: Option<u32>, b: Option<u32>) -> u32 {
            if let Some(x) = a && x > 1 && let Some(y) = b { x + y } else if let Some(x) = a && x == 1 { 1 } else { 0 }
        }
        fn jumps() -> u32 {
            let mut sum = 0;
            for i in 0..10u32 {
                if let Some(x) = i.checked_sub(3) && x % 2 == 0 { if x > 5 { break; } else { continue; } } else { sum += i; }
                sum += 100;
            }
            let mut list = vec![3, 2, 1];
            while let Some(x) = list.pop() && x < 3 { sum += x * 1000; }
            sum
        }
        fn order() {
            if let Some(_) = Loud(\"scrutinee\").get() {} else { println!(\"otherwise\"); }
        }
        fn tail() -> usize {
            let _local = Loud(\"local\");
            Loud(\"temporary\").size()
        }
        #[unsafe(no_mangle)]
        extern \"C\" fn exported() -> u32 { 5 }
        fn main() {
            println!(\"{} {} {} {}\", chain(Some(2), Some(3)), chain(Some(1), None), chain(None, Some(1)), jumps());
            order();
            println!(\"{}\", tail());
            println!(\"{} {:?} {}\", old::describe(), later::lengths(), exported());
            later::captures();
            later::fails();
        }";
    let (of_old, of_later) = (
        manifest("old", "2015", "[dependencies]\nlater = { path = \"../later\" }\n"),
        manifest("later", "2018", ""),
    );
    let files = [
        ("Cargo.toml", &with[..]),
        ("old/Cargo.toml", &of_old),
        ("old/src/lib.rs", old),
        ("later/Cargo.toml", &of_later),
        ("later/src/lib.rs", later),
        ("src/main.rs", main),
    ];
    same("editions", &files);
}
