//! The names of items.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Item};

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
