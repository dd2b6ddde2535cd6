//! Adds paths to macro calls that have no path.

use crate::PackError;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashMap;
use syn::Item;

/// Adds paths to macro calls in an item. The paths in `paths` apply to all its code. The paths in `inner` apply to
/// exported macros, because the crate that calls such a macro may know only this one by name, and to macros marked with
/// [`INNER`].
pub(crate) fn qualify(
    item: &mut Item,
    paths: &HashMap<String, String>,
    inner: &HashMap<String, String>,
) -> Result<(), PackError> {
    match item {
        Item::Mod(module) => {
            for item in module.content.iter_mut().flat_map(|(_, items)| items) {
                qualify(item, paths, inner)?;
            }
        }
        Item::Macro(of)
            if of.attrs.iter().any(|attribute| attribute.path().is_ident(INNER))
                || of.ident.as_ref().is_some_and(|name| inner.contains_key(&name.to_string())) =>
        {
            of.attrs.retain(|attribute| !attribute.path().is_ident(INNER));
            let own = with_paths(of.mac.tokens.clone(), inner);
            of.mac.tokens = with_paths(own, paths);
        }
        item if !paths.is_empty() => {
            let tokens = with_paths(quote::ToTokens::to_token_stream(item), paths);
            *item = syn::parse2(tokens).map_err(|error| PackError::general(error.to_string()))?;
        }
        _ => {}
    }
    Ok(())
}

/// The mark of macros whose rules call other macros of their crate without a path.
pub(crate) const INNER: &str = "local_inner_macros";

/// Adds paths to the calls of these macros in a list of tokens. The path of the root is empty.
fn with_paths(tokens: TokenStream, paths: &HashMap<String, String>) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    let mut out = TokenStream::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let mut made = proc_macro2::Group::new(group.delimiter(), with_paths(group.stream(), paths));
                made.set_span(group.span());
                out.extend([TokenTree::from(made)]);
            }
            TokenTree::Ident(name)
                if is(at + 1, '!')
                    && matches!(tokens.get(at + 2), Some(TokenTree::Group(_)))
                    && !(at > 0 && (is(at - 1, ':') || is(at - 1, '$'))) =>
            {
                match paths.get(&name.to_string()) {
                    Some(module) if module.is_empty() => out.extend(quote::quote!(crate::#name)),
                    Some(module) => {
                        let module = syn::Ident::new(module, name.span());
                        out.extend(quote::quote!(crate::#module::#name));
                    }
                    None => out.extend([token.clone()]),
                }
            }
            _ => out.extend([token.clone()]),
        }
    }
    out
}
