//! The names of other crates in `extern crate` and `use`.

use super::Loader;
use crate::workspace::Place;
use std::collections::HashSet;
use syn::{Item, UseTree, parse_quote};

impl Loader<'_> {
    pub(super) fn extern_crate(&mut self, mut item: syn::ItemExternCrate) -> Option<Item> {
        let uses_macros = item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_use"));
        if item.ident == "self" {
            let (visibility, name) = (&item.vis, item.rename.map(|(_, name)| name)?);
            return Some(match self.module {
                Some(module) => {
                    let module = syn::Ident::new(module, item.ident.span());
                    parse_quote!(#visibility use crate::#module as #name;)
                }
                None => parse_quote!(#visibility use crate as #name;),
            });
        }
        let module = match self.place(&item.ident) {
            Some(Place::Module(module)) => module,
            // The compiler's own crates, and those that the judge has, keep their names.
            Some(Place::Judge) | None => {
                item.attrs.retain(|attribute| {
                    !attribute.path().is_ident("macro_use") || (self.module.is_none() && item.ident != "std")
                });
                return Some(Item::ExternCrate(item));
            }
            Some(Place::Compiler(_)) => return None,
        };
        if uses_macros {
            self.macro_use.push(module.clone());
        }
        if matches!(item.vis, syn::Visibility::Public(_)) {
            item.vis = parse_quote!(pub(crate));
        }
        let (visibility, library) = (&item.vis, syn::Ident::new(&module, item.ident.span()));
        match &item.rename {
            Some((_, name)) if name == "_" => None,
            Some((_, name)) => Some(parse_quote!(#visibility use crate::#library as #name;)),
            None if item.ident == library => Some(parse_quote!(#visibility use crate::#library;)),
            None => {
                let name = &item.ident;
                Some(parse_quote!(#visibility use crate::#library as #name;))
            }
        }
    }

    /// Returns the location of the crate with this name, and records that the source names it.
    pub(super) fn place(&self, name: &syn::Ident) -> Option<Place> {
        let place = self.krate.place_of(&name.to_string())?;
        self.named.borrow_mut().insert(name.to_string());
        Some(place.clone())
    }

    pub(super) fn library(&self, name: &syn::Ident) -> Option<String> {
        match self.place(name)? {
            Place::Module(module) => Some(module),
            Place::Judge | Place::Compiler(_) => None,
        }
    }

    /// Handles `use dependency;` and `use dependency as name;`, which have no path separator after the crate's name.
    pub(super) fn use_names(&self, tree: &mut UseTree) {
        match tree {
            UseTree::Name(name) => {
                if let Some(library) = self.library(&name.ident) {
                    let (library, own) = (syn::Ident::new(&library, name.ident.span()), &name.ident);
                    *tree = parse_quote!(crate::#library as #own);
                }
            }
            UseTree::Rename(rename) => {
                if let Some(library) = self.library(&rename.ident) {
                    let (library, own) = (syn::Ident::new(&library, rename.ident.span()), &rename.rename);
                    *tree = parse_quote!(crate::#library as #own);
                }
            }
            UseTree::Group(group) => group.items.iter_mut().for_each(|tree| self.use_names(tree)),
            UseTree::Path(_) | UseTree::Glob(_) => {}
        }
    }
}

/// Collects the names that an import brings into scope.
pub(super) fn leaves(tree: &UseTree, names: &mut HashSet<syn::Ident>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, names),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, names)),
        UseTree::Name(name) => {
            names.insert(name.ident.clone());
        }
        UseTree::Rename(rename) => {
            names.insert(rename.rename.clone());
        }
        UseTree::Glob(_) => {}
    }
}
