//! Checks that calls still have the same meaning after renaming.
//!
//! If a method of the standard library and a method of one of the file's traits have the same name, the compiler
//! prefers one of them. After renaming, a call could silently refer to the other method. To detect this, every function
//! and constant of the file's types and traits is marked as deprecated. The compiler then warns about every use. The
//! warnings must be at the same places before and after renaming.

use super::print::{Printed, Style, print};
use crate::PackError;
use crate::compiler::Compiler;
use proc_macro2::TokenStream;
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Returns the start positions of the declarations to which a call could refer by mistake.
pub(super) fn declarations(file: &syn::File) -> BTreeSet<usize> {
    let mut marks = Marks::default();
    marks.visit_file(file);
    marks.0
}

/// Returns the indices of the identifiers in the file that refer to marked declarations.
pub(super) fn uses(
    tokens: TokenStream,
    names: &BTreeMap<String, String>,
    marks: &BTreeSet<usize>,
    tight: bool,
    compiler: &Compiler<'_>,
) -> Result<BTreeSet<usize>, PackError> {
    let Printed { text, identifiers } = print(tokens, Style { names, tight, marks, lines: true });
    let diagnostics = compiler.check(&text)?;
    let starts = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code() == "deprecated")
        .flat_map(|diagnostic| diagnostic.starts());
    Ok(starts.map(|start| identifiers.partition_point(|&identifier| identifier < start)).collect())
}

#[derive(Default)]
struct Marks(BTreeSet<usize>);

impl Marks {
    /// Adds the mark after the other attributes, because some of these are omitted.
    fn add(&mut self, visibility: &syn::Visibility, rest: proc_macro2::Span) {
        let span = match visibility {
            syn::Visibility::Inherited => rest,
            given => given.span(),
        };
        self.0.insert(span.byte_range().start);
    }
}

impl<'ast> Visit<'ast> for Marks {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if item.trait_.is_none() {
            for item in &item.items {
                match item {
                    syn::ImplItem::Fn(item) => self.add(&item.vis, item.sig.span()),
                    syn::ImplItem::Const(item) => self.add(&item.vis, item.const_token.span),
                    _ => {}
                }
            }
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        for item in &item.items {
            match item {
                syn::TraitItem::Fn(item) => self.add(&syn::Visibility::Inherited, item.sig.span()),
                syn::TraitItem::Const(item) => self.add(&syn::Visibility::Inherited, item.const_token.span),
                _ => {}
            }
        }
        visit::visit_item_trait(self, item);
    }
}
