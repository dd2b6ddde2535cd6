//! Finds syntax that older compilers do not support.

use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, GenericArgument, ItemForeignMod, Lit, Local, Pat, ReturnType, Type};

/// A use of newer syntax.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct NewerSyntax {
    pub line: usize,
    pub name: &'static str,
    /// The minor version of the first compiler that supports the syntax.
    pub since: u32,
}

/// Finds syntax in a file that compilers before minor version `than` do not support. Does not search the arguments of
/// macros. The versions are taken from Rust's release notes.
pub(crate) fn newer_syntax(text: &str, than: u32) -> Vec<NewerSyntax> {
    let mut finder = Finder { than, found: BTreeSet::new() };
    if let Ok(file) = syn::parse_file(text) {
        finder.visit_file(&file);
    }
    finder.found.into_iter().collect()
}

struct Finder {
    than: u32,
    found: BTreeSet<NewerSyntax>,
}

impl Finder {
    fn find(&mut self, at: &impl Spanned, name: &'static str, since: u32) {
        if since > self.than {
            self.found.insert(NewerSyntax { line: at.span().start().line, name, since });
        }
    }
}

impl Visit<'_> for Finder {
    fn visit_local(&mut self, local: &Local) {
        if local.init.as_ref().is_some_and(|init| init.diverge.is_some()) {
            self.find(local, "`let … else`", 65);
        }
        visit::visit_local(self, local);
    }

    fn visit_trait_item_type(&mut self, item: &syn::TraitItemType) {
        if !item.generics.params.is_empty() {
            self.find(item, "a generic associated type", 65);
        }
        visit::visit_trait_item_type(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &syn::TraitItemFn) {
        if item.sig.asyncness.is_some() {
            self.find(item, "`async fn` in a trait", 75);
        }
        if matches!(&item.sig.output, ReturnType::Type(_, of) if matches!(**of, Type::ImplTrait(_))) {
            self.find(item, "`-> impl` in a trait", 75);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_lit(&mut self, literal: &Lit) {
        if matches!(literal, Lit::CStr(_)) {
            self.find(literal, "a C string", 77);
        }
    }

    fn visit_generic_argument(&mut self, argument: &GenericArgument) {
        if matches!(argument, GenericArgument::Constraint(_)) {
            self.find(argument, "a bound of an associated type", 79);
        }
        visit::visit_generic_argument(self, argument);
    }

    fn visit_expr(&mut self, expression: &Expr) {
        match expression {
            Expr::Const(_) => self.find(expression, "`const { … }`", 79),
            Expr::RawAddr(_) => self.find(expression, "`&raw`", 82),
            Expr::Closure(closure) if closure.asyncness.is_some() => {
                self.find(expression, "an `async` closure", 85);
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_pat(&mut self, pattern: &Pat) {
        if let Pat::Range(range) = pattern
            && matches!(range.limits, syn::RangeLimits::HalfOpen(_))
            && range.end.is_some()
        {
            self.find(pattern, "a pattern `a..b`", 80);
        }
        visit::visit_pat(self, pattern);
    }

    fn visit_attribute(&mut self, attribute: &Attribute) {
        if attribute.path().is_ident("expect") {
            self.find(attribute, "`#[expect]`", 81);
        }
        if attribute.path().is_ident("unsafe") {
            self.find(attribute, "`#[unsafe(…)]`", 82);
        }
    }

    fn visit_item_foreign_mod(&mut self, item: &ItemForeignMod) {
        if item.unsafety.is_some() {
            self.find(item, "`unsafe extern`", 82);
        }
        visit::visit_item_foreign_mod(self, item);
    }

    fn visit_precise_capture(&mut self, capture: &syn::PreciseCapture) {
        self.find(capture, "`use<…>`", 82);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_syntax_has_its_line_and_version() {
        let text = "fn f(x: Option<u32>) -> u32 {
            let Some(x) = x else { return 0 };
            match x { 0..9 => const { 1 + 1 }, _ => c\"a\".to_bytes().len() as u32 }
        }
        trait Source {
            type Of<'a>;
            fn all(&self) -> impl Iterator<Item: Copy>;
        }";
        let found = |than| -> Vec<(usize, u32)> {
            newer_syntax(text, than).iter().map(|found| (found.line, found.since)).collect()
        };
        assert_eq!(found(64), [(2, 65), (3, 79), (3, 77), (3, 80), (6, 65), (7, 75), (7, 79)]);
        assert_eq!(found(78), [(3, 79), (3, 80), (7, 79)]);
        assert_eq!(found(80), []);
    }
}
