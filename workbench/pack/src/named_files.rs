//! Files whose names are arguments of a macro, which passes them to `include_str!` or `include_bytes!`.
//!
//! Such a macro gets the content from another macro, which has a rule for each name. Only a parameter of the kind `tt`
//! can be compared with the names.

use crate::{PackError, source};
use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use syn::{Item, parse_quote};

/// The name of an existing file in a call of a macro.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct NamedFile {
    /// The name of the macro.
    pub called: String,
    /// The name of the file in the call.
    pub name: String,
    pub path: PathBuf,
}

/// The compiler's macros that read files, and the macros that replace them.
const READERS: [(&str, &str); 2] = [("include_str", "included_str"), ("include_bytes", "included_bytes")];

/// Changes the definitions of macros in these modules that read the files. Returns the macros with their contents.
///
/// # Errors
/// Returns an error if a file cannot be read or is not UTF-8.
pub(crate) fn include<'a>(
    modules: impl Iterator<Item = &'a mut Vec<Item>>,
    files: &BTreeSet<NamedFile>,
) -> Result<Vec<Item>, PackError> {
    let mut contents: [BTreeMap<String, TokenTree>; 2] = Default::default();
    for items in modules {
        in_items(items, files, &mut contents)?;
    }
    let mut made = Vec::new();
    for ((_, name), rules) in READERS.into_iter().zip(contents).filter(|(_, rules)| !rules.is_empty()) {
        let name = format_ident!("{name}");
        let rules = rules.iter().map(|(file, content)| quote!((#file) => { #content };));
        made.push(parse_quote!(macro_rules! #name { #(#rules)* }));
        made.push(parse_quote!(pub(crate) use #name;));
    }
    Ok(made)
}

fn in_items(
    items: &mut [Item],
    files: &BTreeSet<NamedFile>,
    contents: &mut [BTreeMap<String, TokenTree>; 2],
) -> Result<(), PackError> {
    for item in items {
        match item {
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    in_items(items, files, contents)?;
                }
            }
            Item::Macro(syn::ItemMacro { ident: Some(name), mac, .. }) => {
                let own: Vec<&NamedFile> = files.iter().filter(|file| *name == file.called).collect();
                for (number, (reader, replacement)) in READERS.into_iter().enumerate() {
                    let mut parameters = BTreeSet::new();
                    let changed = replaced(mac.tokens.clone(), reader, replacement, &mut parameters);
                    if parameters.is_empty() || !add(&own, number == 1, &mut contents[number])? {
                        continue;
                    }
                    mac.tokens = with_trees(changed, &parameters);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Adds the contents of the files. Returns whether there are any and none has the name of another file.
fn add(
    files: &[&NamedFile],
    is_binary: bool,
    contents: &mut BTreeMap<String, TokenTree>,
) -> Result<bool, PackError> {
    let mut found = BTreeMap::new();
    for file in files {
        let bytes = source::read(&file.path)
            .map_err(|error| PackError::general(format!("{}: {error}", file.path.display())))?;
        let literal = match is_binary {
            true => Literal::byte_string(&bytes),
            false => match String::from_utf8(bytes) {
                Ok(text) => Literal::string(&text),
                Err(_) => return Ok(false),
            },
        };
        let content = literal.to_string();
        let is_other = |known: Option<&TokenTree>| known.is_some_and(|known| known.to_string() != content);
        if is_other(contents.get(&file.name)) || is_other(found.get(&file.name)) {
            return Ok(false);
        }
        found.insert(file.name.clone(), TokenTree::from(literal));
    }
    let is_any = !found.is_empty();
    contents.extend(found);
    Ok(is_any)
}

/// Returns the tokens with calls of the replacement instead of `reader!($name)`, and collects the parameters.
fn replaced(
    tokens: TokenStream,
    reader: &str,
    replacement: &str,
    parameters: &mut BTreeSet<String>,
) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = &token else {
            out.push(token);
            continue;
        };
        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
        let is_call = matches!(&out[..], [.., TokenTree::Ident(name), TokenTree::Punct(bang)]
            if name == reader && bang.as_char() == '!');
        match &inner[..] {
            [TokenTree::Punct(dollar), TokenTree::Ident(name)] if is_call && dollar.as_char() == '$' => {
                parameters.insert(name.to_string());
                out.truncate(out.len() - 2);
                let path = Ident::new(replacement, Span::call_site());
                out.extend(quote!(crate::#path!));
                out.push(token);
            }
            _ => {
                let inner = replaced(group.stream(), reader, replacement, parameters);
                let mut made = Group::new(group.delimiter(), inner);
                made.set_span(group.span());
                out.push(made.into());
            }
        }
    }
    out.into_iter().collect()
}

/// Returns the tokens in which these parameters are of the kind `tt`.
fn with_trees(tokens: TokenStream, parameters: &BTreeSet<String>) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let is_kind = matches!(&out[..], [.., TokenTree::Punct(dollar), TokenTree::Ident(name), TokenTree::Punct(colon)]
            if dollar.as_char() == '$' && colon.as_char() == ':' && parameters.contains(&name.to_string()));
        out.push(match token {
            TokenTree::Ident(kind) if is_kind => Ident::new("tt", kind.span()).into(),
            TokenTree::Group(group) => {
                let mut made = Group::new(group.delimiter(), with_trees(group.stream(), parameters));
                made.set_span(group.span());
                made.into()
            }
            token => token,
        });
    }
    out.into_iter().collect()
}
