//! Writes out attributes of functions that are procedural macros.
//!
//! The compiler would also expand other macros in the functions. So their calls become calls of a function before, and
//! calls of macros again afterwards.

use crate::PackError;
use crate::derives::{CALL, Items, Macros, REWRITTEN, Rewrite, renamed};
use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::sync::atomic::AtomicBool;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Attribute, ImplItem, Item, TraitItem};

/// Attributes of the compiler on functions, traits and implementations.
const BUILTIN: [&str; 30] = [
    "allow",
    "automatically_derived",
    "bench",
    "cfg",
    "cfg_attr",
    "cold",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "export_name",
    "forbid",
    "global_allocator",
    "ignore",
    "inline",
    "instruction_set",
    "link_section",
    "macro_export",
    "must_use",
    "naked",
    "no_mangle",
    "panic_handler",
    "repr",
    "should_panic",
    "target_feature",
    "test",
    "track_caller",
    "unsafe",
    "used",
    "warn",
];

/// Tools of Rust that have attributes.
const TOOLS: [&str; 5] = ["clippy", "diagnostic", "miri", "rust_analyzer", "rustfmt"];

impl Macros<'_> {
    /// Replaces the functions, traits and implementations with such attributes among the items by the code that the
    /// macros generate. `rewrite` is as in [`Macros::write_out_derives`].
    ///
    /// # Errors
    /// Returns an error if a macro is unknown or fails, or if the compiler cannot be run. The items are then
    /// unchanged. Returns [`PackError::Interrupted`] if `stop` is set.
    pub fn write_out_attributes(
        &self,
        items: &mut Vec<Item>,
        rewrite: Rewrite<'_>,
        stop: &AtomicBool,
    ) -> Result<(), PackError> {
        let mut inputs = Vec::new();
        let collect = |item: &mut Item| {
            if has_macro(item) {
                let mut input = item.clone();
                LastNames.visit_item_mut(&mut input);
                let input =
                    renamed(input.into_token_stream(), "crate", &REWRITTEN.parse().unwrap_or_default());
                inputs.push(with_hidden_calls(input));
            }
            Vec::new()
        };
        Items(collect).list(items);
        let made = self.expand_items(&inputs, rewrite, stop, |generated| generated)?;
        let before = items.clone();
        let mut made = made.into_iter();
        Items(|item: &mut Item| {
            if !has_macro(item) {
                return Vec::new();
            }
            let mut generated = made.next().unwrap_or_default().into_iter();
            *item = generated.next().unwrap_or_else(|| Item::Verbatim(TokenStream::new()));
            generated.collect()
        })
        .list(items);
        if made.next().is_some() {
            *items = before;
            return Err(PackError::general("an attribute inside the code of another one"));
        }
        Ok(())
    }
}

/// Returns whether any of the items, also of those in modules and functions, has an attribute that is a procedural
/// macro.
pub(crate) fn are_among(items: &[Item]) -> bool {
    struct Search(bool);
    impl Visit<'_> for Search {
        fn visit_item(&mut self, item: &Item) {
            self.0 |= has_macro(item);
            syn::visit::visit_item(self, item);
        }
    }
    let mut search = Search(false);
    items.iter().for_each(|item| search.visit_item(item));
    search.0
}

/// Returns whether a function, trait or implementation has an attribute that is a procedural macro, or contains a
/// function that has one.
fn has_macro(item: &Item) -> bool {
    let is_marked = |attributes: &[Attribute]| attributes.iter().any(|of| macro_name(of).is_some());
    match item {
        Item::Fn(of) => is_marked(&of.attrs),
        Item::Impl(of) => {
            let mut members = of.items.iter();
            is_marked(&of.attrs) || members.any(|of| matches!(of, ImplItem::Fn(of) if is_marked(&of.attrs)))
        }
        Item::Trait(of) => {
            let mut members = of.items.iter();
            is_marked(&of.attrs) || members.any(|of| matches!(of, TraitItem::Fn(of) if is_marked(&of.attrs)))
        }
        _ => false,
    }
}

/// Returns the name of the procedural macro that is this attribute.
fn macro_name(attribute: &Attribute) -> Option<&Ident> {
    let path = attribute.path();
    let is_one_of = |names: &[&str]| names.iter().any(|name| path.segments[0].ident == name);
    let is_known = if path.segments.len() == 1 { is_one_of(&BUILTIN) } else { is_one_of(&TOOLS) };
    path.segments.last().map(|last| &last.ident).filter(|_| !is_known)
}

/// Shortens the paths of attributes that are procedural macros to their names.
struct LastNames;

impl VisitMut for LastNames {
    fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
        let Some(name) = macro_name(attribute).cloned() else { return };
        let path = match &mut attribute.meta {
            syn::Meta::Path(path) => path,
            syn::Meta::List(list) => &mut list.path,
            syn::Meta::NameValue(of) => &mut of.path,
        };
        *path = name.into();
    }
}

/// Returns the tokens with calls of [`CALL`] instead of calls of macros.
fn with_hidden_calls(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out: Vec<TokenTree> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            out.push(token.clone());
            continue;
        };
        let Some(path) = called(&out) else {
            let mut made = Group::new(group.delimiter(), with_hidden_calls(group.stream()));
            made.set_span(group.span());
            out.push(made.into());
            continue;
        };
        let start = out.len() - path - 1;
        let name: TokenStream = out.drain(start..).take(path).collect();
        let (name, arguments) = (name.to_string(), group.stream().to_string());
        let call = quote::format_ident!("{CALL}");
        out.extend(quote!(#call(#name, #arguments)));
        let ends =
            |next: &TokenTree| matches!(next, TokenTree::Punct(sign) if ";.?".contains(sign.as_char()));
        if group.delimiter() == Delimiter::Brace && tokens.get(at + 1).is_some_and(|next| !ends(next)) {
            out.extend(quote!(;));
        }
    }
    out.into_iter().collect()
}

/// Returns the length of the path of the macro whose call begins at the end of these tokens.
fn called(before: &[TokenTree]) -> Option<usize> {
    let [path @ .., TokenTree::Ident(_), TokenTree::Punct(bang)] = before else { return None };
    if bang.as_char() != '!' {
        return None;
    }
    let is_colon = |token: &TokenTree, spacing| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ':' && sign.spacing() == spacing);
    let mut length = 1;
    let mut rest = path;
    while let [before @ .., first, second] = rest
        && is_colon(first, Spacing::Joint)
        && is_colon(second, Spacing::Alone)
    {
        let has_name = matches!(before.last(), Some(TokenTree::Ident(_)));
        length += 2 + usize::from(has_name);
        rest = if has_name { &before[..before.len() - 1] } else { before };
        if !has_name {
            break;
        }
    }
    Some(length)
}
