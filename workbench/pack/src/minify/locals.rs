//! Finds variables that can share a name because they never occur in the same function.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Returns the variables of functions, each with the functions in which it occurs. Omits names that other items also
/// have, and names that occur outside functions, for example in a macro.
pub(super) fn locals(file: &syn::File, tokens: TokenStream) -> BTreeMap<String, BTreeSet<usize>> {
    let mut finder = Finder::default();
    finder.visit_file(file);
    let Finder { mut functions, variables, others } = finder;
    functions.sort_by_key(|range| range.start);
    let mut occurrences: BTreeMap<String, BTreeSet<usize>> =
        variables.difference(&others).map(|name| (name.clone(), BTreeSet::new())).collect();
    count(tokens, &functions, &mut occurrences);
    occurrences.retain(|_, functions| !functions.contains(&OUTSIDE));
    occurrences
}

/// The function number for tokens outside all functions.
const OUTSIDE: usize = usize::MAX;

fn count(
    tokens: TokenStream,
    functions: &[Range<usize>],
    occurrences: &mut BTreeMap<String, BTreeSet<usize>>,
) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => count(group.stream(), functions, occurrences),
            TokenTree::Ident(name) => {
                if let Some(places) = occurrences.get_mut(&name.to_string()) {
                    let at = name.span().byte_range().start;
                    let before = functions.partition_point(|range| range.start <= at);
                    let inside = before.checked_sub(1).filter(|&of| functions[of].contains(&at));
                    places.insert(inside.unwrap_or(OUTSIDE));
                }
            }
            _ => {}
        }
    }
}

#[derive(Default)]
struct Finder {
    /// The ranges of functions, excluding nested functions.
    functions: Vec<Range<usize>>,
    variables: BTreeSet<String>,
    /// The names of everything except variables.
    others: BTreeSet<String>,
}

impl Finder {
    fn function(&mut self, range: Range<usize>) {
        if self.functions.last().is_none_or(|last| range.start >= last.end) {
            self.functions.push(range);
        }
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(item.span().byte_range());
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(item.span().byte_range());
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.function(item.span().byte_range());
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.variables.insert(pattern.ident.to_string());
        if let Some((_, inner)) = &pattern.subpat {
            self.visit_pat(inner);
        }
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        // A single word may be a variable; the names in a longer path cannot.
        if path.qself.is_some() || path.path.segments.len() > 1 {
            visit::visit_expr_path(self, path);
        }
    }

    fn visit_ident(&mut self, name: &'ast proc_macro2::Ident) {
        self.others.insert(name.to_string());
    }

    fn visit_macro(&mut self, _: &'ast syn::Macro) {}
}

/// Groups variables so that the variables of a group never occur in the same function.
pub(super) fn share(locals: &[(&String, &BTreeSet<usize>)]) -> Vec<Vec<String>> {
    let mut classes: Vec<(BTreeSet<usize>, Vec<String>)> = Vec::new();
    for (name, functions) in locals {
        match classes.iter_mut().find(|(taken, _)| taken.is_disjoint(functions)) {
            Some((taken, names)) => {
                taken.extend(functions.iter());
                names.push((*name).clone());
            }
            None => classes.push(((*functions).clone(), vec![(*name).clone()])),
        }
    }
    classes.into_iter().map(|(_, names)| names).collect()
}
