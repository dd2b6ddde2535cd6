//! Definitions of macros, and calls that declare modules in files.

use super::Loader;
use crate::cfg::Cfg;
use crate::expand::expansion;
use crate::macro_paths::INNER;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashSet;
use std::path::Path;
use syn::{Attribute, Item, Meta, parse_quote};

impl Loader<'_> {
    /// Adds the definition or the call of a macro. An exported definition gets a path, unless it is `imported`. If an
    /// item in the list `declared` or an attribute has the same name, an import of the name would also mean the other
    /// thing, so the definition gets another name.
    pub(super) fn add_macro(
        &mut self,
        mut item: syn::ItemMacro,
        (file, folder): (&Path, &Path),
        (imported, declared): (&HashSet<syn::Ident>, &HashSet<String>),
        done: &mut Vec<Item>,
    ) {
        let attributes = item.attrs.len();
        let calls_own = item.attrs.iter().any(|attribute| {
            matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("macro_export")
                && list.tokens.to_string() == INNER)
        });
        item.attrs.retain(|attribute| !attribute.path().is_ident("macro_export"));
        let is_exported = item.attrs.len() < attributes;
        if calls_own {
            item.attrs.push(parse_quote!(#[local_inner_macros]));
        }
        let name = item.ident.clone();
        if let Some(name) = name.as_ref().filter(|_| declares_file(item.mac.tokens.clone())) {
            self.module_macros.insert(name.to_string(), item.mac.tokens.clone());
        }
        if name.is_none() {
            item.mac.tokens = self.with_modules(item.mac.tokens, file, folder);
        }
        let Some(name) = name.filter(|_| is_exported) else {
            done.push(Item::Macro(item));
            return;
        };
        let is_shared =
            ATTRIBUTES.iter().any(|attribute| name == attribute) || declared.contains(&name.to_string());
        if is_shared {
            let own = quote::format_ident!("{name}_macro");
            item.ident = Some(own.clone());
            done.push(Item::Macro(item));
            done.push(parse_quote!(pub(crate) use #own as #name;));
            self.renamed.push(name.clone());
        } else {
            done.push(Item::Macro(item));
            if !imported.contains(&name) {
                done.push(parse_quote!(pub(crate) use #name;));
            }
        }
        self.exported.push(name);
    }

    /// Returns the items of a macro call if the macro's definition declares modules in files.
    pub(super) fn modules_of_call(&self, item: &Item) -> Option<Vec<Item>> {
        let Item::Macro(syn::ItemMacro { ident: None, mac, .. }) = item else { return None };
        let definition = self.module_macros.get(&mac.path.segments.last()?.ident.to_string())?;
        expansion(definition.clone(), mac)
    }

    /// Inserts the sources of modules that are declared in a macro call such as `cfg_std! { mod files; }`, because the
    /// macro would otherwise look for their files. Replaces `extern crate` there too. Does not change tokens without
    /// such items, or modules without a file, because the macro may drop them.
    pub(super) fn with_modules(&mut self, tokens: TokenStream, file: &Path, folder: &Path) -> TokenStream {
        if let [proc_macro2::TokenTree::Group(group)] = &tokens.clone().into_iter().collect::<Vec<_>>()[..]
            && group.delimiter() == proc_macro2::Delimiter::Brace
        {
            let inner = self.with_modules(group.stream(), file, folder);
            return proc_macro2::TokenTree::from(proc_macro2::Group::new(group.delimiter(), inner)).into();
        }
        let is_loaded = |item: &Item| match item {
            Item::Mod(module) => module.content.is_none(),
            Item::Macro(call) => call.ident.is_none() && declares_file(call.mac.tokens.clone()),
            item => matches!(item, Item::ExternCrate(_)),
        };
        let Ok(syn::File { items, .. }) = syn::parse2(tokens.clone()) else { return tokens };
        if !items.iter().any(is_loaded) {
            return tokens;
        }
        let items = items.into_iter().filter_map(|item| match item {
            Item::Mod(module) if module.content.is_none() => {
                // A condition may choose the module's file.
                let mut chosen = vec![Item::Mod(module)];
                self.clean(&mut chosen, file);
                let Some(Item::Mod(module)) = chosen.pop() else { return None };
                let loaded = self.module(module.clone(), file, folder);
                Some(Item::Mod(loaded.unwrap_or(module)))
            }
            Item::Macro(mut call) if call.ident.is_none() => {
                call.mac.tokens = self.with_modules(call.mac.tokens, file, folder);
                Some(Item::Macro(call))
            }
            Item::ExternCrate(krate) => self.extern_crate(krate),
            other => Some(other),
        });
        let items: Vec<Item> = items.collect();
        quote::quote!(#(#items)*)
    }
}

/// Returns whether tokens contain `mod name;` or `mod $name;`, in any depth.
pub(super) fn declares_file(tokens: TokenStream) -> bool {
    let is_dollar = |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == '$');
    let tokens: Vec<TokenTree> = tokens.into_iter().filter(|token| !is_dollar(token)).collect();
    tokens.windows(3).any(|three| {
        matches!(three, [TokenTree::Ident(word), TokenTree::Ident(_), TokenTree::Punct(end)]
            if word == "mod" && end.as_char() == ';')
    }) || tokens.iter().any(|token| matches!(token, TokenTree::Group(group) if declares_file(group.stream())))
}

/// Attributes of the compiler that can have the name of a macro.
const ATTRIBUTES: [&str; 16] = [
    "allow",
    "cfg",
    "cold",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "forbid",
    "ignore",
    "inline",
    "link",
    "must_use",
    "path",
    "repr",
    "used",
    "warn",
];

/// Returns the name of an item that is neither a macro nor an import.
pub(super) fn declared_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(of) => &of.ident,
        Item::Enum(of) => &of.ident,
        Item::Fn(of) => &of.sig.ident,
        Item::Mod(of) => &of.ident,
        Item::Static(of) => &of.ident,
        Item::Struct(of) => &of.ident,
        Item::Trait(of) => &of.ident,
        Item::Type(of) => &of.ident,
        Item::Union(of) => &of.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Returns the branch of a `cfg_if!` call whose condition is true.
pub(super) fn chosen(tokens: TokenStream, conditions: &Cfg<'_>) -> syn::Result<TokenStream> {
    let branch = |input: syn::parse::ParseStream<'_>| -> syn::Result<TokenStream> {
        loop {
            if input.peek(syn::Token![if]) {
                input.parse::<syn::Token![if]>()?;
                let mut attributes = input.call(Attribute::parse_outer)?;
                let block: proc_macro2::Group = input.parse()?;
                if conditions.reduce(&mut attributes)? {
                    input.parse::<TokenStream>()?;
                    return Ok(block.stream());
                }
            } else if input.is_empty() {
                return Ok(TokenStream::new());
            } else {
                let block: proc_macro2::Group = input.parse()?;
                return Ok(block.stream());
            }
            if input.peek(syn::Token![else]) {
                input.parse::<syn::Token![else]>()?;
            }
        }
    };
    syn::parse::Parser::parse2(branch, tokens)
}
