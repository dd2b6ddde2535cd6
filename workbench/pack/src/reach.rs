//! Removes code that is certainly unreachable, in a single step: items whose names do not occur in any reachable code.
//!
//! Names are not resolved, so items of the same name and kind are reached together. This leaves unused code, which the
//! compiler then reports to [`prune`](crate::prune). The form of a mention shows the kind of its item: `.name(...)` is
//! a method, `Type::name` a member of this type or of its traits, `module::name` a function in a module of this name,
//! and `name` alone a function in the same module or one that the module imports. In the arguments of a macro, a name
//! can become anything. If used code is removed all the same, the compiler reports its name, and everything with this
//! name is kept.
//!
//! Some code is reached without being named: implementations of other crates' traits (operators, `Drop`, ...) for
//! reachable types, and traits whose methods are called.

mod graph;
mod imports;
mod mentions;
mod names;

use graph::Graph;
use imports::{Provided, remove_broken};
use mentions::Facts;
pub(crate) use mentions::{PLAIN_MACROS, identifiers};
pub(crate) use names::type_name;
use std::collections::{BTreeMap, HashSet};
use syn::Item;

/// The number of definitions of each kind.
pub type Kinds = BTreeMap<&'static str, usize>;

/// Removes the unreachable items of a whole program, and returns the number of removed items of each kind. `more`
/// contains additional names that count as mentioned, `before` the names that the program had before other code was
/// removed, and `libraries` the names of the crates outside the file. If `is_strict` is set, an implementation is kept
/// only if its generic arguments are also reached.
pub(crate) fn keep_reachable(
    file: &mut syn::File,
    more: &HashSet<String>,
    before: &Before,
    libraries: &HashSet<String>,
    is_strict: bool,
) -> Kinds {
    let mut graph = Graph::new(Facts::of(file), more.clone(), is_strict);
    graph.declare(&file.items, "");
    // The compiler would not miss an implementation of its own `Drop`.
    let gone = before.types.difference(&graph.types).filter(|(_, name)| name != "Drop");
    graph.gone = gone.cloned().collect();
    graph.items(&file.items, "");
    let mut provided = Provided::of(&file.items);
    provided.macros.extend(before.macros.iter().cloned());
    let mut cut = Cut { reached: graph.reach(more).into_iter(), removed: Kinds::new() };
    cut.items(&mut file.items, true);
    remove_broken(&mut file.items, &provided, libraries);
    cut.removed
}

/// The names that a program has before code is removed from it.
pub(crate) struct Before {
    /// Types and traits, by the paths of their modules.
    types: HashSet<(String, String)>,
    macros: HashSet<String>,
}

impl Before {
    pub(crate) fn of(file: &syn::File) -> Before {
        let mut graph = Graph::default();
        graph.declare(&file.items, "");
        Before { types: graph.types, macros: Provided::of(&file.items).macros }
    }
}

/// A visitor that removes unreached nodes, in the order of [`Graph`].
struct Cut {
    reached: std::vec::IntoIter<bool>,
    removed: Kinds,
}

impl Cut {
    fn keeps(&mut self, kind: &'static str) -> bool {
        let keeps = self.reached.next().unwrap_or(true);
        if !keeps {
            *self.removed.entry(kind).or_default() += 1;
        }
        keeps
    }

    fn items(&mut self, items: &mut Vec<Item>, is_root: bool) {
        items.retain_mut(|item| {
            let kind = match item {
                Item::Use(_) => return true,
                Item::Mod(module) => {
                    let Some((_, items)) = &mut module.content else { return true };
                    self.items(items, false);
                    let keeps = !items.is_empty();
                    *self.removed.entry("module").or_default() += usize::from(!keeps);
                    return keeps;
                }
                Item::Trait(of) => {
                    let keeps = self.keeps("trait");
                    of.items.retain(|_| self.reached.next().unwrap_or(true));
                    return keeps;
                }
                Item::Impl(of) => {
                    let keeps = self.keeps("impl");
                    let had = of.items.len();
                    of.items.retain(|_| self.reached.next().unwrap_or(true));
                    if keeps {
                        *self.removed.entry("function").or_default() += had - of.items.len();
                    }
                    return keeps && (of.trait_.is_some() || !of.items.is_empty());
                }
                Item::Const(_) => "const",
                Item::Enum(_) => "enum",
                Item::Fn(_) => "function",
                Item::Macro(_) => "macro",
                Item::Static(_) => "static",
                Item::Type(_) => "type",
                Item::Union(_) => "union",
                _ => "struct",
            };
            self.keeps(kind)
        });
        debug_assert!(
            !is_root || self.reached.len() == 0,
            "after all pieces are removed, every count must be 0 again"
        );
        self.removed.retain(|_, count| *count > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(text: &str, more: &[&str]) -> String {
        let mut file = syn::parse_str(text).unwrap();
        let before = Before::of(&file);
        let more = more.iter().map(|name| name.to_string()).collect();
        keep_reachable(&mut file, &more, &before, &HashSet::new(), true);
        crate::syntax::print(&file)
    }

    #[test]
    fn what_is_named_by_reached_code_stays() {
        let text = "
            mod a {
                use super::b::{Gone, Kept};
                use std::fmt::Write;
                pub fn called() -> Kept { let width = Kept::LIMIT; format!(\"{:>WIDTH$} {CAPTURED}\", 1); Kept }
                pub fn caller() { called(); }
                const WIDTH: usize = 3;
                const CAPTURED: usize = 4;
                const UNNAMED: usize = 5;
            }
            mod b {
                pub struct Kept;
                pub struct Gone;
                impl Kept { pub const LIMIT: usize = 1; fn method(&self) {} }
                impl Drop for Kept { fn drop(&mut self) { on_drop() } }
                impl Drop for Gone { fn drop(&mut self) { never() } }
                impl From<Gone> for u8 { fn from(_: Gone) -> u8 { never() } }
                fn on_drop() {}
                fn never() -> u8 { 0 }
            }
            mod empty { fn lonely() {} }
            use empty::lonely;
            use a::called as renamed;
            const _: () = assert!(checked());
            const fn checked() -> bool { true }
            fn main() { renamed(); }";
        let kept = reached(text, &[]);
        for name in
            ["fn called", "WIDTH: usize", "CAPTURED: usize", "LIMIT", "drop(&mut self)", "on_drop", "checked"]
        {
            assert!(kept.contains(name), "{name} is gone:\n{kept}");
        }
        for name in ["Gone", "caller", "UNNAMED", "fn method", "never", "lonely", "empty"] {
            assert!(!kept.contains(name), "{name} is still there:\n{kept}");
        }
        assert!(reached(text, &["lonely"]).contains("fn lonely"));
    }

    #[test]
    fn the_form_of_a_mention_shows_what_it_reaches() {
        let text = "
            mod first {
                pub struct Engine { pub depth: u32 }
                impl Engine {
                    pub fn new(depth: u32) -> Engine { Engine { depth } }
                    pub fn unused(&self) {}
                    fn called_as_function(&self) -> u32 { self.depth }
                }
                pub fn best(of: &Engine) -> u32 { Engine::called_as_function(of) }
                pub fn player() -> u32 { gone() }
                fn gone() -> u32 { 0 }
            }
            mod second {
                pub struct Other;
                impl Other {
                    pub fn new() -> Other { gone_too(); Other }
                    pub fn depth(&self) {}
                    pub fn kept(&self) {}
                }
                pub fn new() { gone_too(); }
                fn gone_too() {}
            }
            mod third { pub use super::first::best as finest; pub use super::second::*; pub fn helped() {} }
            use third::helped;
            macro_rules! call { ($of:expr, $method:ident) => { $of.$method() }; }
            fn main() {
                let player = first::Engine::new(1);
                third::finest(&player);
                helped();
                let other: Option<second::Other> = None;
                call!(other.unwrap(), kept);
            }";
        let kept = reached(text, &[]);
        for name in ["fn called_as_function", "fn best", "struct Other", "fn kept", "fn helped"] {
            assert!(kept.contains(name), "{name} is gone:\n{kept}");
        }
        assert_eq!(kept.matches("fn new").count(), 1, "{kept}");
        for name in ["unused", "fn player", "gone", "fn depth"] {
            assert!(!kept.contains(name), "{name} is still there:\n{kept}");
        }
        let with_all = reached(text, &["new", "player"]);
        assert!(with_all.matches("fn new").count() == 3 && with_all.contains("fn gone"), "{with_all}");
    }

    #[test]
    fn calls_of_macros_and_paths_from_modules_reach_only_what_they_name() {
        let text = "
            mod texts {
                pub fn write() { gone() }
                fn gone() {}
                macro_rules! settings { () => {}; }
                pub(crate) use settings;
            }
            mod bots {
                pub mod first { pub fn settings() -> u32 { super::helper() + self::own() + crate::texts::pick!() } fn own() -> u32 { 1 } }
                pub mod second { pub fn settings() -> u32 { 2 } pub fn own() -> u32 { 2 } pub fn helper() -> u32 { 2 } }
                pub fn helper() -> u32 { super::last() }
            }
            macro_rules! pick { () => { 1 }; }
            mod shapes {
                use crate::Named;
                pub struct Square;
                impl Square { pub fn with(size: u32) -> Square { Square } }
                pub struct Circle;
                impl<T> Named for T { fn with(name: &str) { unreached() } fn named(&self) { unreached() } }
                fn unreached() {}
            }
            trait Named { fn with(name: &str); fn named(&self); }
            use bots::first as bot;
            use texts::settings;
            fn last() -> u32 { 3 }
            fn main() { write!(out, \"{}\", bot::settings()); let x = last != 3; shapes::Square::with(3); }";
        let kept = reached(text, &[]);
        for name in ["fn last", "mod first", "fn own", "fn helper", "rules! pick", "-> Square"] {
            assert!(kept.contains(name), "{name} is gone:\n{kept}");
        }
        for name in ["fn write", "fn gone", "rules! settings", "mod second", "Named", "unreached", "Circle"] {
            assert!(!kept.contains(name), "{name} is still there:\n{kept}");
        }
    }

    #[test]
    fn types_with_small_names_are_reached() {
        let text = "
            mod lanes {
                pub struct x2(pub u32);
                pub struct x4(pub u32);
                pub trait word { fn low(&self) -> u32; }
                impl word for x2 { fn low(&self) -> u32 { self.0 + wide } }
                impl x2 { pub fn new() -> x2 { x2(1) } pub fn unused() {} }
                const wide: u32 = 2;
            }
            mod names { use super::lanes::x2; pub type pair = x2; }
            fn low_of(of: impl lanes::word) -> u32 { of.low() }
            fn main() { low_of(names::pair::new()); }";
        let kept = reached(text, &[]);
        for name in ["struct x2", "trait word", "word for x2", "fn new", "const wide", "type pair"] {
            assert!(kept.contains(name), "{name} is gone:\n{kept}");
        }
        assert!(!kept.contains("x4") && !kept.contains("unused"), "{kept}");
    }

    #[test]
    fn imports_of_removed_items_go_with_them() {
        let text = "
            mod a { mod same { pub fn same() {} pub fn other() {} } pub use self::same::{other, same}; pub mod open { pub use super::same::*; } }
            mod b { mod a { pub fn same() {} } use self::a::same; fn unused() { same() } }
            use a::same;
            use a::open::other as renamed;
            use a::open::same as unused;
            fn main() { renamed(); }";
        let kept = reached(text, &[]);
        assert!(
            kept.contains("use a::open::other as renamed") && kept.contains("use self::same::other;"),
            "{kept}"
        );
        for gone in ["fn same", "use a::same", "mod b"] {
            assert!(!kept.contains(gone), "{gone} is still there:\n{kept}");
        }
    }

    #[test]
    fn traits_are_reached_by_their_methods() {
        let text = "
            trait Shape { fn area(&self) -> f64; fn unused(&self) {} type Unit; }
            trait Dead { fn dead(&self); }
            struct Square;
            struct Unmade;
            impl Shape for Square { fn area(&self) -> f64 { side() } fn unused(&self) {} type Unit = f64; }
            impl Shape for Unmade { fn area(&self) -> f64 { 0.0 } type Unit = f64; }
            impl<T: Shape> Dead for T { fn dead(&self) {} }
            fn side() -> f64 { 1.0 }
            fn main() { Square.area(); }";
        let kept = reached(text, &[]);
        for name in ["trait Shape", "type Unit", "fn side", "for Square"] {
            assert!(kept.contains(name), "{name} is gone:\n{kept}");
        }
        for name in ["Dead", "Unmade", "unused"] {
            assert!(!kept.contains(name), "{name} is still there:\n{kept}");
        }
    }

    #[test]
    fn what_names_a_removed_type_or_macro_goes() {
        let parsed = |text: &str| -> syn::File { syn::parse_str(text).unwrap() };
        let left = "
            mod a { pub struct Node; impl Default for Node { fn default() -> Node { Node } } }
            mod b { impl Default for Node { fn default() -> Node { Node } } pub(crate) use pairs; }
            impl Drop for Gone { fn drop(&mut self) {} }
            fn main() { a::Node::default(); }";
        let before = left
            .replace("mod b {", "mod b { struct Node; macro_rules! pairs { () => {}; }")
            .replace("impl Drop", "struct Gone; impl Drop");
        let before = Before::of(&parsed(&before));
        let mut file = parsed(left);
        keep_reachable(&mut file, &HashSet::new(), &before, &HashSet::new(), true);
        let kept = "mod a { pub struct Node; impl Default for Node { fn default() -> Node { Node } } }
            fn main() { a::Node::default(); }";
        assert_eq!(crate::syntax::print(&file), crate::syntax::print(&parsed(kept)));
    }

    #[test]
    fn a_kept_name_keeps_its_implementations() {
        let text = "
            struct Writer<F>(F);
            struct Wide;
            struct Narrow;
            impl Writer<Wide> { fn wide() -> Writer<Wide> { Writer(Wide) } }
            impl Writer<Narrow> { fn narrow() -> Writer<Narrow> { Writer(Narrow) } }
            fn main() { Writer::wide(); }";
        assert!(!reached(text, &[]).contains("Wide"));
        let kept = reached(text, &["wide"]);
        assert!(kept.contains("fn wide") && !kept.contains("Narrow"), "{kept}");
    }

    #[test]
    fn implementations_for_unnamed_numbers_go() {
        let text = "
            trait Size { fn size(&self) -> usize; }
            impl Size for u64 { fn size(&self) -> usize { 8 } }
            impl Size for u16 { fn size(&self) -> usize { 2 } }
            impl Size for i32 { fn size(&self) -> usize { 4 } }
            struct Of<T>(T);
            impl Size for Of<i128> { fn size(&self) -> usize { 16 } }
            impl Size for Of<u64> { fn size(&self) -> usize { 8 } }
            fn main() { Of(1u64).size() + (1 as u64).size(); }";
        let kept = reached(text, &[]);
        for name in ["for u64", "for i32", "for Of<u64>"] {
            assert!(kept.contains(name), "{name} is gone:\n{kept}");
        }
        assert!(!kept.contains("u16") && !kept.contains("i128"), "{kept}");
    }
}
