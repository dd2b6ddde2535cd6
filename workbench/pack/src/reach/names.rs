//! The names of items and of their members.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, ImplItem, Item, TraitItem};

/// Attributes that make an item reachable from outside the program.
const ENTRY_POINTS: [&str; 6] =
    ["no_mangle", "export_name", "used", "global_allocator", "panic_handler", "unsafe"];

/// Returns the names through which an item is reached, or an empty list if it is always reached. The item must not be a
/// module, import, trait or implementation.
pub(super) fn names(item: &Item, is_root: bool) -> Vec<String> {
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

pub(super) fn content(module: &syn::ItemMod) -> &[Item] {
    module.content.as_ref().map_or(&[], |(_, items)| items)
}

/// Returns the last name in the path of a type.
pub(crate) fn type_name(of: &syn::Type) -> Option<String> {
    match of {
        syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    }
}

/// Returns the last name in the path of a module, or an empty name for the root.
pub(super) fn last(module: &str) -> &str {
    module.rsplit("::").next().unwrap_or_default()
}

/// A function or constant of a trait or an implementation.
pub(super) struct Member<'a> {
    pub(super) name: &'a syn::Ident,
    pub(super) is_method: bool,
}

pub(super) fn trait_member(item: &TraitItem) -> Option<Member<'_>> {
    match item {
        TraitItem::Fn(item) => {
            Some(Member { name: &item.sig.ident, is_method: item.sig.receiver().is_some() })
        }
        TraitItem::Const(item) => Some(Member { name: &item.ident, is_method: false }),
        _ => None,
    }
}

pub(super) fn impl_member(item: &ImplItem) -> Option<Member<'_>> {
    match item {
        ImplItem::Fn(item) => {
            Some(Member { name: &item.sig.ident, is_method: item.sig.receiver().is_some() })
        }
        ImplItem::Const(item) => Some(Member { name: &item.ident, is_method: false }),
        _ => None,
    }
}
