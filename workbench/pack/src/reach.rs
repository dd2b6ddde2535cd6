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

mod imports;
mod mentions;
mod names;

use imports::{Provided, remove_broken};
use mentions::{Facts, Mention, NUMBERS, Reader};
pub(crate) use mentions::{PLAIN_MACROS, identifiers};
use names::{content, names};
use quote::ToTokens;
use std::collections::{BTreeMap, HashMap, HashSet};
use syn::{ImplItem, Item, TraitItem, UseTree};

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
    let mut graph = Graph { is_strict, kept: more.clone(), facts: Facts::of(file), ..Graph::default() };
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

/// A part of the program that is kept or removed as a whole.
struct Node {
    /// The mentions by which the node is reached. A node without them is reached if its other conditions hold.
    names: Vec<Mention>,
    /// The types and traits that must also be mentioned.
    needs: Vec<String>,
    /// The implementation or trait that contains the node.
    parent: Option<usize>,
    /// The mentions in the node.
    mentions: Vec<Mention>,
}

/// All nodes of the program, in the order in which [`Cut`] visits them.
#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    /// Types and traits, by the paths of their modules.
    types: HashSet<(String, String)>,
    /// The names of the types and traits.
    type_names: HashSet<String>,
    /// Types and traits that are removed already, by the paths of their modules.
    gone: HashSet<(String, String)>,
    traits: HashSet<String>,
    /// The types that implement each trait. An implementation for any type makes it the empty name.
    implementors: HashMap<String, HashSet<String>>,
    facts: Facts,
    /// Functions, by the paths of their modules.
    functions: HashSet<(String, String)>,
    /// Imports: the mention of the new name, and the mention of the old one that it stands for.
    imports: Vec<(Mention, Mention)>,
    /// The paths of modules that import everything from another one, and the name of the other one.
    globs: Vec<(String, String)>,
    is_strict: bool,
    /// The names that count as mentioned.
    kept: HashSet<String>,
}

/// Returns the last name in the path of a type.
fn type_name(of: &syn::Type) -> Option<String> {
    match of {
        syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    }
}

/// Returns the last name in the path of a module, or an empty name for the root.
fn last(module: &str) -> &str {
    module.rsplit("::").next().unwrap_or_default()
}

impl Graph {
    /// Records the types and traits that the program defines.
    fn declare(&mut self, items: &[Item], module: &str) {
        for item in items {
            let name = match item {
                Item::Mod(inner) => {
                    self.declare(content(inner), &format!("{module}::{}", inner.ident));
                    continue;
                }
                Item::Fn(of) => {
                    self.functions.insert((module.to_string(), of.sig.ident.to_string()));
                    continue;
                }
                Item::Trait(of) => {
                    self.traits.insert(of.ident.to_string());
                    &of.ident
                }
                Item::Impl(of) => {
                    if let Some((_, path, _)) = &of.trait_
                        && let Some(last) = path.segments.last()
                    {
                        let is_generic =
                            |name: &String| of.generics.type_params().any(|generic| generic.ident == name);
                        let of_type = type_name(&of.self_ty).filter(|name| !is_generic(name));
                        let implementors = self.implementors.entry(last.ident.to_string()).or_default();
                        implementors.insert(of_type.unwrap_or_default());
                    }
                    continue;
                }
                Item::Struct(of) => &of.ident,
                Item::Enum(of) => &of.ident,
                Item::Union(of) => &of.ident,
                Item::Type(of) => &of.ident,
                _ => continue,
            };
            self.type_names.insert(name.to_string());
            self.types.insert((module.to_string(), name.to_string()));
        }
    }

    fn items(&mut self, items: &[Item], module: &str) {
        for item in items {
            match item {
                Item::Mod(inner) => self.items(content(inner), &format!("{module}::{}", inner.ident)),
                Item::Use(item) => {
                    self.import(&item.tree, None, module);
                }
                Item::Trait(of) => self.add_trait(of, module),
                Item::Impl(of) => self.add_impl(of, module),
                _ => {
                    let kind = match item {
                        Item::Macro(of) if of.ident.is_some() => Mention::Macro,
                        _ => Mention::Item,
                    };
                    let mut mentions: Vec<Mention> =
                        names(item, module.is_empty()).into_iter().map(kind).collect();
                    if let (Item::Fn(of), false) = (item, mentions.is_empty()) {
                        let place = Mention::MemberOf(last(module).to_string(), of.sig.ident.to_string());
                        mentions.insert(0, place);
                    }
                    self.add(mentions, None, item, (module, None));
                }
            }
        }
    }

    /// Records that a mention of an imported name, after the name of the importing module, is a mention of the item.
    /// `from` is the path of the module before the tree, of which only the last name matters.
    fn import(&mut self, tree: &UseTree, from: Option<&str>, module: &str) {
        let mut leaf = |old: &syn::Ident, new: &syn::Ident| {
            let item = match from {
                None if self.facts.is_item(&old.to_string()) => Mention::Item(old.to_string()),
                from => Mention::MemberOf(last(from.unwrap_or(module)).to_string(), old.to_string()),
            };
            self.imports.push((Mention::MemberOf(last(module).to_string(), new.to_string()), item));
        };
        match tree {
            UseTree::Path(path) => {
                let name = path.ident.to_string();
                let outer =
                    |module: &str| module.rsplit_once("::").map_or("", |(outer, _)| outer).to_string();
                let inner = match (&name[..], from) {
                    ("crate", _) => String::new(),
                    ("self", _) => module.to_string(),
                    ("super", None) => outer(module),
                    ("super", Some(from)) => outer(from),
                    _ => name,
                };
                self.import(&path.tree, Some(&inner), module);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, from, module)),
            UseTree::Name(of) => leaf(&of.ident, &of.ident),
            UseTree::Rename(of) => leaf(&of.ident, &of.rename),
            UseTree::Glob(_) => {
                self.globs.push((module.to_string(), last(from.unwrap_or_default()).to_string()));
            }
        }
    }

    /// Adds a node with the mentions in `tokens`, which are code of a module. `Self` in them is the type `own`.
    fn add(
        &mut self,
        names: Vec<Mention>,
        parent: Option<usize>,
        tokens: impl ToTokens,
        (module, own): (&str, Option<&str>),
    ) -> usize {
        let mut reader = Reader { facts: &self.facts, module, own, mentions: Vec::new() };
        reader.read(tokens.to_token_stream(), None, false);
        let mentions = reader.mentions;
        self.nodes.push(Node { names, needs: Vec::new(), parent, mentions });
        self.nodes.len() - 1
    }

    fn add_trait(&mut self, of: &syn::ItemTrait, module: &str) {
        let types = self.members_of(&of.ident.to_string());
        let members = of.items.iter().filter_map(trait_member).flat_map(|member| member.names(&types));
        let names = std::iter::once(Mention::Item(of.ident.to_string())).chain(members).collect();
        let parent =
            self.add(names, None, syn::ItemTrait { items: Vec::new(), ..of.clone() }, (module, None));
        for item in &of.items {
            let names = trait_member(item).map(|member| member.names(&types)).unwrap_or_default();
            self.add(names, Some(parent), item, (module, None));
        }
    }

    /// Returns the types after which a member of a trait can be named. None of them means any type.
    fn members_of(&self, of_trait: &str) -> Vec<String> {
        let implementors = self.implementors.get(of_trait);
        let types: Vec<String> = implementors.into_iter().flatten().cloned().collect();
        if types.iter().any(|name| name.is_empty() || self.facts.is_vague(name)) {
            return Vec::new();
        }
        types.into_iter().chain([of_trait.to_string()]).collect()
    }

    fn add_impl(&mut self, of: &syn::ItemImpl, module: &str) {
        let of_type = type_name(&of.self_ty);
        let own = of_type.as_deref();
        let head = syn::ItemImpl { items: Vec::new(), ..of.clone() };
        let parent = self.add(Vec::new(), None, head, (module, own));
        let mut needs = Vec::new();
        let is_kept = |member: Member<'_>| self.kept.contains(&member.name.to_string());
        if self.is_strict && !of.items.iter().filter_map(impl_member).any(is_kept) {
            identifiers(of.self_ty.to_token_stream(), &mut needs);
            if let Some((_, path, _)) = &of.trait_ {
                identifiers(path.to_token_stream(), &mut needs);
            }
        } else {
            // Type inference may choose the types in the brackets. Then no code mentions these types.
            let of_trait = of.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
            needs.extend(of_type.iter().cloned());
            needs.extend(of_trait.map(|segment| segment.ident.to_string()));
        }
        let is_parameter = |name: &String| of.generics.type_params().any(|generic| generic.ident == name);
        needs.retain(|name| !is_parameter(name));
        if needs.iter().any(|name| self.is_gone(module, name)) {
            self.nodes[parent].names = vec![Mention::Never];
        }
        let is_number = |name: &String| self.is_strict && NUMBERS.contains(&&name[..]);
        needs.retain(|name| self.type_names.contains(name) || is_number(name));
        self.nodes[parent].needs = needs;
        let needs_all = needs_all_members(of, &self.traits);
        let of_trait = of.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        let types = match of_trait {
            Some(of_trait) => self.members_of(&of_trait.ident.to_string()),
            None => own.map(str::to_string).into_iter().collect(),
        };
        for item in &of.items {
            let member = impl_member(item).filter(|_| !needs_all);
            let names = member.map(|member| member.names(&types)).unwrap_or_default();
            self.add(names, Some(parent), item, (module, own));
        }
    }

    /// Returns whether a module's code names a type or trait that is removed already: one of the same module, or the
    /// last one with this name.
    fn is_gone(&self, module: &str, name: &str) -> bool {
        let in_module = (module.to_string(), name.to_string());
        self.gone.contains(&in_module)
            || !self.type_names.contains(name) && self.gone.iter().any(|(_, gone)| gone == name)
    }

    /// Returns the imports that follow from imports of everything, for the mentions in the program.
    fn of_globs(&self) -> Vec<(Mention, Mention)> {
        let mentions = self.nodes.iter().flat_map(|node| &node.mentions);
        let mentions = mentions.chain(self.imports.iter().map(|(_, old)| old));
        let mut todo: HashSet<(String, String)> = mentions
            .filter_map(|mention| match mention {
                Mention::MemberOf(of, name) => Some((of.clone(), name.clone())),
                _ => None,
            })
            .collect();
        let mut of_globs = Vec::new();
        let mut seen = HashSet::new();
        while !todo.is_empty() {
            let mut next = HashSet::new();
            for (of, name) in todo {
                let globs = self.globs.iter().filter(|(module, _)| last(module) == of);
                for (module, from) in globs {
                    // A function of the module hides the one that it imports.
                    if self.functions.contains(&(module.clone(), name.clone())) {
                        continue;
                    }
                    next.insert((from.clone(), name.clone()));
                    let [new, old] = [&of, from].map(|of| Mention::MemberOf(of.clone(), name.clone()));
                    of_globs.push((new, old));
                }
                seen.insert((of, name));
            }
            todo = next.difference(&seen).cloned().collect();
        }
        of_globs
    }

    /// Returns whether each node is reached.
    fn reach(&self, more: &HashSet<String>) -> Vec<bool> {
        let more: Vec<Mention> = more.iter().flat_map(|name| Mention::all(name)).collect();
        let mut mentioned: HashSet<&Mention> = more.iter().collect();
        let mut items: HashSet<&str> = HashSet::new();
        let mut reached = vec![false; self.nodes.len()];
        let of_globs = self.of_globs();
        let renamed = self.facts.renamed.iter().flat_map(|(old, new)| {
            [Mention::Item, Mention::Macro].map(|kind| [old, new].map(|name| kind(name.clone())))
        });
        let renamed: Vec<[Mention; 2]> = renamed.collect();
        loop {
            let before = mentioned.len();
            let had = reached.iter().filter(|reached| **reached).count();
            items.extend(mentioned.iter().filter_map(|mention| match mention {
                Mention::Item(name) => Some(&name[..]),
                _ => None,
            }));
            for (index, node) in self.nodes.iter().enumerate() {
                if reached[index]
                    || node.parent.is_some_and(|parent| !reached[parent])
                    || node.needs.iter().any(|name| !items.contains(&name[..]))
                    || !node.names.is_empty() && node.names.iter().all(|name| !mentioned.contains(name))
                {
                    continue;
                }
                reached[index] = true;
                // A type or trait that is reached by a variant or a method also counts under its own name.
                mentioned.extend(node.names.first().filter(|name| matches!(name, Mention::Item(_))));
                mentioned.extend(&node.mentions);
            }
            for [old, new] in &renamed {
                if mentioned.contains(new) {
                    mentioned.insert(old);
                }
            }
            for (new, old) in self.imports.iter().chain(&of_globs) {
                if mentioned.contains(new) {
                    mentioned.insert(old);
                }
            }
            let has = reached.iter().filter(|reached| **reached).count();
            if (mentioned.len(), has) == (before, had) {
                return reached;
            }
        }
    }
}

/// A function or constant of a trait or an implementation.
struct Member<'a> {
    name: &'a syn::Ident,
    is_method: bool,
}

impl Member<'_> {
    /// Returns the mentions that reach the member: after one of these types, or after any if there are none.
    fn names(&self, types: &[String]) -> Vec<Mention> {
        let name = self.name.to_string();
        let mut names = match types.is_empty() {
            true => vec![Mention::Member(name.clone())],
            false => vec![Mention::MemberOfAny(name.clone())],
        };
        names.extend(types.iter().map(|of| Mention::MemberOf(of.clone(), name.clone())));
        names.extend(self.is_method.then_some(Mention::Method(name)));
        names
    }
}

fn trait_member(item: &TraitItem) -> Option<Member<'_>> {
    match item {
        TraitItem::Fn(item) => {
            Some(Member { name: &item.sig.ident, is_method: item.sig.receiver().is_some() })
        }
        TraitItem::Const(item) => Some(Member { name: &item.ident, is_method: false }),
        _ => None,
    }
}

fn impl_member(item: &ImplItem) -> Option<Member<'_>> {
    match item {
        ImplItem::Fn(item) => {
            Some(Member { name: &item.sig.ident, is_method: item.sig.receiver().is_some() })
        }
        ImplItem::Const(item) => Some(Member { name: &item.ident, is_method: false }),
        _ => None,
    }
}

/// Returns whether an implementation is for another crate's trait, so that all its members must be kept.
fn needs_all_members(of: &syn::ItemImpl, traits: &HashSet<String>) -> bool {
    let name = of.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
    name.is_some_and(|name| !traits.contains(&name.ident.to_string()))
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
