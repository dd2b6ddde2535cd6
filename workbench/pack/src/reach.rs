//! Removes code that is certainly unreachable, in a single step: items whose names do not occur in any reachable code.
//!
//! Names are not resolved, so all items with the same name are reached together. This never removes used code, but may
//! leave unused code, which the compiler then reports to [`prune`](crate::prune). Some code is reached without being
//! named: implementations of other crates' traits (operators, `Drop`, ...) for reachable types, and traits whose
//! methods are called.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, HashSet};
use syn::{Attribute, ImplItem, Item, TraitItem, UseTree};

/// The number of definitions of each kind.
pub type Kinds = BTreeMap<&'static str, usize>;

/// Attributes that make an item reachable from outside the program.
const ENTRY_POINTS: [&str; 6] =
    ["no_mangle", "export_name", "used", "global_allocator", "panic_handler", "unsafe"];

/// Removes the unreachable items of a whole program, and returns the number of removed items of each kind. `more`
/// contains additional names that count as mentioned. If `is_strict` is set, an implementation is kept only if its
/// generic arguments are also reached.
pub(crate) fn keep_reachable(file: &mut syn::File, more: &HashSet<String>, is_strict: bool) -> Kinds {
    let mut graph = Graph { is_strict, ..Graph::default() };
    graph.declare(&file.items);
    graph.items(&file.items, true);
    let mut cut = Cut { reached: graph.reach(more).into_iter(), removed: Kinds::new() };
    cut.items(&mut file.items, true);
    loop {
        let mut provided = HashSet::new();
        provide(&file.items, &mut provided);
        if !remove_imports(&mut file.items, &provided) {
            return cut.removed;
        }
    }
}

/// A part of the program that is kept or removed as a whole.
struct Node {
    /// The names of the node. The node is reached if reachable code mentions one of them. A node without names is
    /// reached if its other conditions hold.
    names: Vec<String>,
    /// The types and traits that must also be mentioned.
    needs: Vec<String>,
    /// The implementation or trait that contains the node.
    parent: Option<usize>,
    /// The identifiers in the node.
    mentions: Vec<String>,
}

/// All nodes of the program, in the order in which [`Cut`] visits them.
#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    types: HashSet<String>,
    traits: HashSet<String>,
    /// Renamed imports: the old name and the new name.
    renamed: Vec<(String, String)>,
    is_strict: bool,
}

impl Graph {
    /// Records the types and traits that the program defines.
    fn declare(&mut self, items: &[Item]) {
        for item in items {
            let name = match item {
                Item::Mod(module) => {
                    self.declare(content(module));
                    continue;
                }
                Item::Trait(of) => {
                    self.traits.insert(of.ident.to_string());
                    &of.ident
                }
                Item::Struct(of) => &of.ident,
                Item::Enum(of) => &of.ident,
                Item::Union(of) => &of.ident,
                Item::Type(of) => &of.ident,
                _ => continue,
            };
            self.types.insert(name.to_string());
        }
    }

    fn items(&mut self, items: &[Item], is_root: bool) {
        for item in items {
            match item {
                Item::Mod(module) => self.items(content(module), false),
                Item::Use(item) => renames(&item.tree, &mut self.renamed),
                Item::Trait(of) => self.add_trait(of),
                Item::Impl(of) => self.add_impl(of),
                _ => {
                    self.add(names(item, is_root), None, item);
                }
            }
        }
    }

    fn add(&mut self, names: Vec<String>, parent: Option<usize>, tokens: impl ToTokens) -> usize {
        let mut mentions = Vec::new();
        identifiers(tokens.to_token_stream(), &mut mentions);
        self.nodes.push(Node { names, needs: Vec::new(), parent, mentions });
        self.nodes.len() - 1
    }

    fn add_trait(&mut self, of: &syn::ItemTrait) {
        let members = || of.items.iter().filter_map(trait_member).map(syn::Ident::to_string);
        let names = std::iter::once(of.ident.to_string()).chain(members()).collect();
        let parent = self.add(names, None, syn::ItemTrait { items: Vec::new(), ..of.clone() });
        for item in &of.items {
            self.add(trait_member(item).map(syn::Ident::to_string).into_iter().collect(), Some(parent), item);
        }
    }

    fn add_impl(&mut self, of: &syn::ItemImpl) {
        let parent = self.add(Vec::new(), None, syn::ItemImpl { items: Vec::new(), ..of.clone() });
        let mut needs = Vec::new();
        if self.is_strict {
            identifiers(of.self_ty.to_token_stream(), &mut needs);
            if let Some((_, path, _)) = &of.trait_ {
                identifiers(path.to_token_stream(), &mut needs);
            }
        } else {
            // Type inference may choose the types in the brackets. Then no code mentions these types.
            let of_type = match &*of.self_ty {
                syn::Type::Path(path) => path.path.segments.last(),
                _ => None,
            };
            let of_trait = of.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
            needs.extend(of_type.into_iter().chain(of_trait).map(|segment| segment.ident.to_string()));
        }
        let is_parameter = |name: &String| of.generics.type_params().any(|generic| generic.ident == name);
        needs.retain(|name| self.types.contains(name) && !is_parameter(name));
        self.nodes[parent].needs = needs;
        let needs_all = needs_all_members(of, &self.traits);
        for item in &of.items {
            let name = impl_member(item).filter(|_| !needs_all);
            self.add(name.map(syn::Ident::to_string).into_iter().collect(), Some(parent), item);
        }
    }

    /// Returns whether each node is reached.
    fn reach(&self, more: &HashSet<String>) -> Vec<bool> {
        let mut mentioned: HashSet<&str> = more.iter().map(String::as_str).collect();
        let mut reached = vec![false; self.nodes.len()];
        loop {
            let before = mentioned.len() + reached.iter().filter(|reached| **reached).count();
            for (index, node) in self.nodes.iter().enumerate() {
                if reached[index]
                    || node.parent.is_some_and(|parent| !reached[parent])
                    || node.needs.iter().any(|name| !mentioned.contains(&name[..]))
                    || !node.names.is_empty() && node.names.iter().all(|name| !mentioned.contains(&name[..]))
                {
                    continue;
                }
                reached[index] = true;
                // An item that is reached by a variant or a method also counts under its own name.
                mentioned.extend(node.names.first().map(String::as_str));
                mentioned.extend(node.mentions.iter().map(String::as_str));
            }
            for (old, new) in &self.renamed {
                if mentioned.contains(&new[..]) {
                    mentioned.insert(old);
                }
            }
            if mentioned.len() + reached.iter().filter(|reached| **reached).count() == before {
                return reached;
            }
        }
    }
}

/// Returns the names through which an item is reached, or an empty list if it is always reached. The item must not be a
/// module, import, trait or implementation.
fn names(item: &Item, is_root: bool) -> Vec<String> {
    let (name, attributes) = match item {
        Item::Fn(of) if is_root && of.sig.ident == "main" => return Vec::new(),
        Item::Fn(of) => (&of.sig.ident, &of.attrs),
        Item::Const(of) => (&of.ident, &of.attrs),
        Item::Static(of) => (&of.ident, &of.attrs),
        Item::Type(of) => (&of.ident, &of.attrs),
        Item::Struct(of) => (&of.ident, &of.attrs),
        Item::Union(of) => (&of.ident, &of.attrs),
        Item::Enum(of) => {
            // Variants can be imported without the name of their type.
            let variants = of.variants.iter().map(|variant| &variant.ident);
            return std::iter::once(&of.ident).chain(variants).map(syn::Ident::to_string).collect();
        }
        Item::Macro(of) => {
            let Some(name) = &of.ident else { return defined(of.mac.tokens.clone()) };
            (name, &of.attrs)
        }
        _ => return Vec::new(),
    };
    if name == "_" || attributes.iter().any(is_entry_point) { Vec::new() } else { vec![name.to_string()] }
}

fn is_entry_point(attribute: &Attribute) -> bool {
    ENTRY_POINTS.iter().any(|name| attribute.path().is_ident(name))
}

/// Returns the names that a macro call defines.
fn defined(tokens: TokenStream) -> Vec<String> {
    const KEYWORDS: [&str; 9] = ["struct", "enum", "union", "fn", "const", "static", "type", "trait", "mod"];
    let mut names = Vec::new();
    let mut follows = false;
    for token in tokens {
        match token {
            TokenTree::Ident(name) if KEYWORDS.contains(&&name.to_string()[..]) => follows = true,
            TokenTree::Ident(name) if follows && name != "mut" && name != "ref" => {
                names.push(name.to_string());
                follows = false;
            }
            TokenTree::Group(group) => names.extend(defined(group.stream())),
            _ => {}
        }
    }
    names
}

/// Collects all identifiers in the tokens, including those captured in format strings.
fn identifiers(tokens: TokenStream, all: &mut Vec<String>) {
    /// Maximum length of a string that is searched for names. Longer strings are assumed to be data.
    const MAX_LENGTH: usize = 4096;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => all.push(name.to_string()),
            TokenTree::Group(group) => identifiers(group.stream(), all),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if text.len() > MAX_LENGTH {
                    continue;
                }
                for place in text.split('{').skip(1) {
                    let end = |letter: char| !(letter.is_alphanumeric() || letter == '_');
                    all.extend(place.split(end).next().filter(|name| !name.is_empty()).map(str::to_string));
                    // The name of a width or precision: `{:>WIDTH$}`.
                    let ends = place.split('}').next().unwrap_or_default();
                    all.extend(
                        ends.split('$').filter_map(|word| word.rsplit(end).next()).map(str::to_string),
                    );
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
}

fn content(module: &syn::ItemMod) -> &[Item] {
    module.content.as_ref().map_or(&[], |(_, items)| items)
}

fn trait_member(item: &TraitItem) -> Option<&syn::Ident> {
    match item {
        TraitItem::Fn(item) => Some(&item.sig.ident),
        TraitItem::Const(item) => Some(&item.ident),
        _ => None,
    }
}

fn impl_member(item: &ImplItem) -> Option<&syn::Ident> {
    match item {
        ImplItem::Fn(item) => Some(&item.sig.ident),
        ImplItem::Const(item) => Some(&item.ident),
        _ => None,
    }
}

/// Returns whether an implementation is for another crate's trait, so that all its members must be kept.
fn needs_all_members(of: &syn::ItemImpl, traits: &HashSet<String>) -> bool {
    let name = of.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
    name.is_some_and(|name| !traits.contains(&name.ident.to_string()))
}

fn renames(tree: &UseTree, all: &mut Vec<(String, String)>) {
    match tree {
        UseTree::Path(path) => {
            if let UseTree::Rename(of) = &*path.tree
                && of.ident == "self"
            {
                all.push((path.ident.to_string(), of.rename.to_string()));
            }
            renames(&path.tree, all);
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| renames(tree, all)),
        UseTree::Rename(of) => all.push((of.ident.to_string(), of.rename.to_string())),
        UseTree::Name(_) | UseTree::Glob(_) => {}
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

/// Collects the names that remain in the program: items, variants, modules and imported names.
fn provide(items: &[Item], provided: &mut HashSet<String>) {
    for item in items {
        match item {
            Item::Mod(module) => {
                provided.insert(module.ident.to_string());
                provide(content(module), provided);
            }
            Item::Trait(of) => {
                provided.insert(of.ident.to_string());
            }
            Item::Use(item) => brings(&item.tree, provided),
            Item::ExternCrate(of) => {
                provided.insert(of.ident.to_string());
                provided.extend(of.rename.as_ref().map(|(_, name)| name.to_string()));
            }
            Item::Impl(_) => {}
            item => provided.extend(names(item, false)),
        }
    }
}

/// Collects the names that an import brings in from other crates or introduces by renaming.
fn brings(tree: &UseTree, provided: &mut HashSet<String>) {
    match tree {
        UseTree::Path(path) if is_external(&path.ident) => {
            let mut all = Vec::new();
            identifiers(path.tree.to_token_stream(), &mut all);
            provided.extend(all);
        }
        UseTree::Path(path) => brings(&path.tree, provided),
        UseTree::Group(group) => group.items.iter().for_each(|tree| brings(tree, provided)),
        UseTree::Rename(of) => {
            provided.insert(of.rename.to_string());
        }
        UseTree::Name(_) | UseTree::Glob(_) => {}
    }
}

fn is_external(name: &syn::Ident) -> bool {
    ["std", "core", "alloc"].iter().any(|external| name == external)
}

/// Removes imports of removed items. Returns whether any import was removed.
fn remove_imports(items: &mut Vec<Item>, provided: &HashSet<String>) -> bool {
    let mut removed = false;
    items.retain_mut(|item| match item {
        Item::Mod(module) => {
            let Some((_, items)) = &mut module.content else { return true };
            removed |= remove_imports(items, provided);
            // A module that only imports the compiler's own crates counts as empty.
            let is_empty = items.iter().all(|item| matches!(item, Item::ExternCrate(_)));
            removed |= is_empty;
            !is_empty
        }
        Item::Use(item) => keeps_import(&mut item.tree, provided, &mut removed),
        _ => true,
    });
    removed
}

fn keeps_import(tree: &mut UseTree, provided: &HashSet<String>, removed: &mut bool) -> bool {
    let is_there = |name: &syn::Ident| {
        let name = name.to_string();
        ["crate", "self", "super"].contains(&&name[..]) || provided.contains(&name)
    };
    let keeps = match tree {
        UseTree::Path(path) if is_external(&path.ident) => return true,
        UseTree::Path(path) => is_there(&path.ident) && keeps_import(&mut path.tree, provided, removed),
        UseTree::Name(of) => is_there(&of.ident),
        UseTree::Rename(of) => is_there(&of.ident),
        UseTree::Glob(_) => true,
        UseTree::Group(group) => {
            let trees = std::mem::take(&mut group.items);
            group.items = trees
                .into_pairs()
                .filter_map(|mut pair| keeps_import(pair.value_mut(), provided, removed).then_some(pair))
                .collect();
            !group.items.is_empty()
        }
    };
    *removed |= !keeps;
    keeps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(text: &str, more: &[&str]) -> String {
        let mut file = syn::parse_str(text).unwrap();
        keep_reachable(&mut file, &more.iter().map(|name| name.to_string()).collect(), true);
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
}
