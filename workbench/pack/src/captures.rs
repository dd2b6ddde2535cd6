//! Names the lifetimes that an `impl Trait` captures.
//!
//! In edition 2024, an `impl Trait` that a function returns captures all lifetimes of the function's parameters. In
//! earlier editions, it captures only those that it names.

use quote::format_ident;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Generics, Ident, Item, Signature, parse_quote};

/// Returns a name for the trait in [`items`] that differs from all `known` names.
pub(crate) fn trait_name(known: &[String]) -> Ident {
    let name = |number: usize| match number {
        0 => format_ident!("CapturesLifetime"),
        number => format_ident!("CapturesLifetime{number}"),
    };
    (0..).map(name).find(|name| known.iter().all(|known| name != known)).expect("some number is free")
}

/// Names the captured lifetimes in the code of a crate of edition 2024, with the trait of this name. Returns whether
/// there were any. The file then needs these [`items`].
pub(crate) fn name_captures(items: &mut [Item], trait_name: &Ident) -> bool {
    let mut names = Names { trait_name, around: Vec::new(), is_changed: false };
    for item in items {
        names.visit_item_mut(item);
    }
    names.is_changed
}

/// Returns the trait that names a lifetime without another meaning. All types implement it.
pub(crate) fn items(name: &Ident) -> [Item; 2] {
    [
        parse_quote!(
            trait #name<T: ?Sized> {}
        ),
        parse_quote!(
            impl<T: ?Sized, U: ?Sized> #name<T> for U {}
        ),
    ]
}

struct Names<'a> {
    trait_name: &'a Ident,
    /// The lifetimes of the implementation around the current function.
    around: Vec<String>,
    is_changed: bool,
}

fn lifetimes(generics: &Generics) -> impl Iterator<Item = String> {
    generics.lifetimes().map(|of| of.lifetime.ident.to_string())
}

impl Names<'_> {
    fn name(&mut self, signature: &mut Signature) {
        let mut named: Vec<String> = self.around.clone();
        named.extend(lifetimes(&signature.generics));
        let mut elided = Elided::default();
        signature.inputs.iter().for_each(|input| elided.visit_fn_arg(input));
        // Without a receiver, the compiler knows which lifetime `'_` is only if there is no other one.
        if elided.is_receiver || elided.count == 1 {
            named.push("_".to_string());
        }
        let mut bounds = Bounds { trait_name: self.trait_name, named, is_changed: false };
        bounds.visit_return_type_mut(&mut signature.output);
        self.is_changed |= bounds.is_changed;
    }
}

impl VisitMut for Names<'_> {
    fn visit_item_fn_mut(&mut self, of: &mut syn::ItemFn) {
        let around = std::mem::take(&mut self.around);
        self.name(&mut of.sig);
        visit_mut::visit_item_fn_mut(self, of);
        self.around = around;
    }

    fn visit_item_impl_mut(&mut self, of: &mut syn::ItemImpl) {
        let around = std::mem::replace(&mut self.around, lifetimes(&of.generics).collect());
        for item in &mut of.items {
            // Methods of traits capture all lifetimes in every edition.
            if let (syn::ImplItem::Fn(function), None) = (item, &of.trait_) {
                self.name(&mut function.sig);
            }
        }
        visit_mut::visit_item_impl_mut(self, of);
        self.around = around;
    }
}

/// A visitor that counts the lifetimes without a name in parameters.
#[derive(Default)]
struct Elided {
    count: usize,
    is_receiver: bool,
}

impl Visit<'_> for Elided {
    fn visit_receiver(&mut self, of: &syn::Receiver) {
        self.is_receiver |= matches!(&of.reference, Some((_, None)));
        visit::visit_receiver(self, of);
    }

    fn visit_type_reference(&mut self, of: &syn::TypeReference) {
        self.count += usize::from(of.lifetime.is_none());
        visit::visit_type_reference(self, of);
    }

    fn visit_lifetime(&mut self, of: &syn::Lifetime) {
        self.count += usize::from(of.ident == "_");
    }
}

/// A visitor that adds the missing lifetimes to each `impl Trait`.
struct Bounds<'a> {
    trait_name: &'a Ident,
    named: Vec<String>,
    is_changed: bool,
}

impl VisitMut for Bounds<'_> {
    fn visit_type_impl_trait_mut(&mut self, of: &mut syn::TypeImplTrait) {
        let is_precise =
            of.bounds.iter().any(|bound| matches!(bound, syn::TypeParamBound::PreciseCapture(_)));
        let mut known = Known::default();
        known.visit_type_impl_trait(of);
        for name in self.named.iter().filter(|name| !is_precise && !known.0.contains(*name)) {
            let lifetime = syn::Lifetime::new(&format!("'{name}"), proc_macro2::Span::call_site());
            let name = self.trait_name;
            of.bounds.push(parse_quote!(crate::#name<&#lifetime ()>));
            self.is_changed = true;
        }
    }
}

/// A visitor that collects the lifetimes in a type.
#[derive(Default)]
struct Known(BTreeSet<String>);

impl Visit<'_> for Known {
    fn visit_type_reference(&mut self, of: &syn::TypeReference) {
        if of.lifetime.is_none() {
            self.0.insert("_".to_string());
        }
        visit::visit_type_reference(self, of);
    }

    fn visit_lifetime(&mut self, of: &syn::Lifetime) {
        self.0.insert(of.ident.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_missing_lifetimes_are_named() {
        let text = "
            fn all<'a, T>(of: &'a [T]) -> impl Iterator<Item = usize> { of.iter().map(|_| 1) }
            fn known<'a, T>(of: &'a [T]) -> impl Iterator<Item = &'a T> { of.iter() }
            fn none(of: u32) -> impl Iterator<Item = u32> { 0..of }
            impl<'b> Of<'b> {
                fn both(&self) -> Option<impl Fn() -> u32> { None }
                fn shown(&self) -> impl Iterator<Item = &u32> + use<'_, 'b> { self.0.iter() }
            }
            impl<'b> Named for Of<'b> { fn name(&self) -> impl Fn() -> u32 { || 1 } }";
        let expected = text
            .replace("Item = usize>", "Item = usize> + crate::CapturesLifetime1<&'a ()>")
            .replace(
                "Option<impl Fn() -> u32>",
                "Option<impl Fn() -> u32 + crate::CapturesLifetime1<&'b ()> + crate::CapturesLifetime1<&'_ ()>>",
            );
        let name = trait_name(&["CapturesLifetime".to_string()]);
        let mut file: syn::File = syn::parse_str(text).unwrap();
        assert!(name_captures(&mut file.items, &name));
        assert_eq!(crate::syntax::print(&file), crate::syntax::print(&syn::parse_str(&expected).unwrap()));
        assert!(!name_captures(&mut file.items, &name));
    }
}
