//! Removal of unused derived traits.

use super::names::identifiers;
use crate::PackError;
use crate::compiler::Compiler;
use crate::syntax::print;
use std::collections::BTreeSet;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Ident, Item};

/// Derived traits that are removed if the program compiles without them. `Clone` and `Copy` are not removed, because a
/// method call on a reference could then silently call the reference's `clone` instead.
const SPARE: [&str; 7] = ["Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];
/// Maximum number of compilations.
const ROUNDS: u32 = 12;

/// Returns the source without the derived traits that the program does not need.
pub(super) fn without_spare(source: &str, compiler: &Compiler<'_>) -> Result<String, PackError> {
    let Ok(file) = syn::parse_file(source) else { return Ok(source.to_string()) };
    // The needed traits so far, each with its type.
    let mut needed: BTreeSet<(String, String)> = BTreeSet::new();
    for _ in 0..ROUNDS {
        let mut less = file.clone();
        let mut remover = Remover { needed: &needed, removed: BTreeSet::new() };
        remover.visit_file_mut(&mut less);
        let removed = remover.removed;
        if removed.is_empty() {
            break;
        }
        let text = print(&less);
        let diagnostics = compiler.check(&text)?;
        let mut errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).peekable();
        if errors.peek().is_none() {
            return Ok(text);
        }
        let before = needed.len();
        for error in errors {
            let quoted: BTreeSet<&str> =
                error.message.split('`').skip(1).step_by(2).flat_map(identifiers).collect();
            let of_types: Vec<&(String, String)> =
                removed.iter().filter(|(name, _)| quoted.contains(&name[..])).collect();
            let exact = of_types.iter().filter(|(_, of)| quoted.contains(&of[..])).count() > 0;
            let accused = of_types.into_iter().filter(|(_, of)| !exact || quoted.contains(&of[..]));
            needed.extend(accused.cloned());
        }
        if needed.len() == before {
            break;
        }
    }
    Ok(source.to_string())
}

struct Remover<'a> {
    needed: &'a BTreeSet<(String, String)>,
    removed: BTreeSet<(String, String)>,
}

impl Remover<'_> {
    fn reduce(&mut self, name: &Ident, attributes: &mut Vec<Attribute>) {
        for attribute in attributes.iter_mut().filter(|attribute| attribute.path().is_ident("derive")) {
            let Ok(traits) = attribute
                .parse_args_with(syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated)
            else {
                continue;
            };
            let kept = traits.into_iter().filter(|path| {
                let last = path.segments.last().map(|segment| segment.ident.to_string());
                let of = (name.to_string(), last.unwrap_or_default());
                let stays = !SPARE.contains(&&of.1[..]) || self.needed.contains(&of);
                if !stays {
                    self.removed.insert(of);
                }
                stays
            });
            let kept: Vec<syn::Path> = kept.collect();
            *attribute = syn::parse_quote!(#[derive(#(#kept),*)]);
        }
        attributes.retain(|attribute| {
            !matches!(&attribute.meta, syn::Meta::List(list) if list.path.is_ident("derive") && list.tokens.is_empty())
        });
    }
}

impl VisitMut for Remover<'_> {
    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Struct(item) => self.reduce(&item.ident, &mut item.attrs),
            Item::Enum(item) => self.reduce(&item.ident, &mut item.attrs),
            _ => {}
        }
        visit_mut::visit_item_mut(self, item);
    }
}
