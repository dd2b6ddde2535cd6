//! Measures which parts a file's size consists of.

use crate::source;
use crate::{PackError, Site};
use syn::visit::{self, Visit};

/// The parts of a file's size, in the judge's unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parts {
    /// The size of all other code.
    pub code: usize,
    /// The size of constant arrays with at least 300 bytes.
    pub tables: usize,
    /// The size of string and byte literals with at least 300 bytes, for example weights and opening books.
    pub weights: usize,
}

/// Minimum size, in bytes, of an array that counts as a table or of a literal that counts as weights.
const LARGE: usize = 300;

/// Measures the parts of a file's size.
///
/// # Errors
/// Returns an error if the text is not valid Rust.
pub fn parts(text: &str, judge: &Site) -> Result<Parts, PackError> {
    source::with_deep_stack(|| parts_here(text, judge))
}

fn parts_here(text: &str, judge: &Site) -> Result<Parts, PackError> {
    let file = syn::parse_file(text)
        .map_err(|error| PackError::general(format!("cannot parse the packed file: {error}")))?;
    let mut measure = Measure { text, judge, parts: Parts::default() };
    measure.visit_file(&file);
    let Parts { tables, weights, .. } = measure.parts;
    Ok(Parts { code: judge.size(text) - tables - weights, tables, weights })
}

/// Returns the size of each module, without its child modules, from largest to smallest. The root of the program has an
/// empty name.
///
/// # Errors
/// Returns an error if the text is not valid Rust.
pub fn modules(text: &str, judge: &Site) -> Result<Vec<(String, usize)>, PackError> {
    source::with_deep_stack(|| {
        let file = syn::parse_file(text)
            .map_err(|error| PackError::general(format!("cannot parse the packed file: {error}")))?;
        let mut sizes = Vec::new();
        let inner = add_modules(&file.items, "", text, judge, &mut sizes);
        sizes.push((String::new(), judge.size(text) - inner));
        sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
        Ok(sizes)
    })
}

/// Appends the sizes of the modules among the items, and returns the sum.
fn add_modules(
    items: &[syn::Item],
    path: &str,
    text: &str,
    judge: &Site,
    sizes: &mut Vec<(String, usize)>,
) -> usize {
    let mut sum = 0;
    for item in items {
        let syn::Item::Mod(module) = item else { continue };
        let whole =
            text.get(syn::spanned::Spanned::span(module).byte_range()).map_or(0, |text| judge.size(text));
        let path = match path {
            "" => module.ident.to_string(),
            path => format!("{path}::{}", module.ident),
        };
        let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
        let inner = add_modules(items, &path, text, judge, sizes);
        sizes.push((path, whole - inner));
        sum += whole;
    }
    sum
}

struct Measure<'a> {
    text: &'a str,
    judge: &'a Site,
    parts: Parts,
}

impl Measure<'_> {
    fn large(&self, span: proc_macro2::Span) -> usize {
        let size = self.text.get(span.byte_range()).map(|text| (text.len(), self.judge.size(text)));
        size.filter(|&(bytes, _)| bytes >= LARGE).map_or(0, |(_, size)| size)
    }
}

impl<'a> Visit<'a> for Measure<'_> {
    fn visit_lit(&mut self, literal: &'a syn::Lit) {
        if matches!(literal, syn::Lit::Str(_) | syn::Lit::ByteStr(_)) {
            self.parts.weights += self.large(literal.span());
        }
    }

    fn visit_expr_array(&mut self, array: &'a syn::ExprArray) {
        let before = self.parts;
        visit::visit_expr_array(self, array);
        let inner = self.parts.weights - before.weights;
        let whole = self.large(syn::spanned::Spanned::span(array));
        if whole > 0 {
            self.parts.tables = before.tables + (whole - inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_share_the_size() {
        let text =
            "mod a {\n    const A: u8 = 1;\n    mod b {\n        fn long_name() {}\n    }\n}\nfn main() {}\n";
        let sizes = modules(text, &crate::SITES[0]).unwrap();
        let names: Vec<&str> = sizes.iter().map(|(name, _)| &name[..]).collect();
        assert_eq!(names, ["a::b", "a", ""]);
        assert_eq!(sizes.iter().map(|(_, size)| size).sum::<usize>(), text.len());
    }
}
