//! Writes out derives that are procedural macros.
//!
//! A derive depends only on the tokens of its item. So one run of the compiler expands the derives of a whole crate, in
//! a file that contains only the items with such derives. The compiler prints the expansion before it resolves names,
//! so it does not matter that the types of the fields are missing. The option that prints it is unstable, and stable
//! compilers accept it with `RUSTC_BOOTSTRAP`.

use crate::PackError;
use crate::clean::DERIVES;
use crate::compiler::{Diagnostic, Output, PATIENCE, Scratch, run, rustc};
use crate::workspace::Crate;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Expr, Item, LitStr, Meta, Path, Stmt, Token, UseTree, parse_quote};

/// Replaces `crate` in the items, because their paths are rewritten already. Only the derive's own paths must still be
/// rewritten.
pub(crate) const REWRITTEN: &str = "__rewritten_crate";

/// Attributes of the compiler on types, fields and variants. All other attributes there belong to derives.
const BUILTIN: [&str; 7] = ["allow", "cfg", "cfg_attr", "default", "derive", "doc", "repr"];

/// The procedural macros that a crate may use.
#[derive(Clone)]
pub(crate) struct Macros<'a> {
    /// The names of the macros' crates, and their compiled files.
    pub files: Vec<(String, PathBuf)>,
    pub krate: &'a Crate,
}

/// Rewrites paths of a crate.
pub(crate) type Rewrite<'a> = &'a dyn Fn(TokenStream) -> Result<TokenStream, PackError>;

impl Macros<'_> {
    /// Replaces the derives of these macros among the items by the code that they generate. `rewrite` rewrites paths
    /// of the crate.
    ///
    /// # Errors
    /// Returns an error if a derive is unknown or fails, or if the compiler cannot be run. The items are then
    /// unchanged. Returns [`PackError::Interrupted`] if `stop` is set.
    pub fn write_out_derives(
        &self,
        items: &mut Vec<Item>,
        rewrite: Rewrite<'_>,
        stop: &AtomicBool,
    ) -> Result<(), PackError> {
        let mut inputs = Vec::new();
        let collect = |item: &mut Item| {
            inputs.extend(
                input(item).map(|input| renamed(input, "crate", &REWRITTEN.parse().unwrap_or_default())),
            );
            Vec::new()
        };
        Items(collect).list(items);
        let made = self.expand_items(&inputs, rewrite, stop, |items| {
            let generated = items
                .into_iter()
                .filter(|item| !matches!(item, Item::Struct(_) | Item::Enum(_) | Item::Union(_)));
            generated.flat_map(flattened).collect()
        })?;
        let mut made = made.into_iter();
        Items(|item: &mut Item| {
            if input(item).is_none() {
                return Vec::new();
            }
            Plain.visit_item_mut(item);
            made.next().unwrap_or_default()
        })
        .list(items);
        Ok(())
    }

    /// Returns the items that the compiler makes of each of these inputs, with rewritten paths, after `select` has
    /// chosen among them.
    pub(crate) fn expand_items(
        &self,
        inputs: &[TokenStream],
        rewrite: Rewrite<'_>,
        stop: &AtomicBool,
        select: impl Fn(Vec<Item>) -> Vec<Item>,
    ) -> Result<Vec<Vec<Item>>, PackError> {
        if inputs.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<Ident> =
            self.files.iter().map(|(name, _)| Ident::new(name, Span::call_site())).collect();
        let modules = inputs.iter().enumerate().map(|(number, input)| {
            let module = quote::format_ident!("item_{number}");
            quote!(mod #module { #(use ::#names::*;)* #input })
        });
        let file = quote!(#(extern crate #names;)* #(#modules)*);
        let expanded = without_macros(self.expand(&file.to_string(), stop)?);
        let of_syn =
            |error: syn::Error| PackError::general(format!("the expansion is not valid Rust: {error}"));
        let mut made = Vec::new();
        for item in syn::parse2::<syn::File>(expanded).map_err(of_syn)?.items {
            let Item::Mod(syn::ItemMod { content: Some((_, items)), .. }) = item else { continue };
            let items = items.into_iter().skip(names.len()).collect();
            let generated: TokenStream = select(items).into_iter().map(ToTokens::into_token_stream).collect();
            let written = renamed(rewrite(generated)?, REWRITTEN, &quote!(crate));
            made.push(syn::parse2::<syn::File>(written).map_err(of_syn)?.items);
        }
        if made.len() != inputs.len() {
            return Err(PackError::general("the compiler has not expanded every macro"));
        }
        Ok(made)
    }

    /// Returns the tokens of a file after the compiler has expanded its derives. Calls of other crates' macros in the
    /// expansion stay calls.
    fn expand(&self, text: &str, stop: &AtomicBool) -> Result<TokenStream, PackError> {
        let mut calls = Calls::default();
        loop {
            let (output, errors) = self.compile(&format!("{}{text}", calls.stubs()), stop)?;
            if output.stdout.windows(LOST.len()).any(|part| part == LOST) && calls.add(&errors) {
                continue;
            }
            // Errors of name resolution have codes. Errors of macros have none.
            let failed = errors
                .into_iter()
                .find(|found| found.code().is_empty() && !found.message.starts_with("aborting due"));
            if let Some(failed) = failed {
                return Err(PackError::general(failed.message));
            }
            let tokens = String::from_utf8_lossy(&output.stdout).parse();
            let tokens = tokens
                .map_err(|_| PackError::general(format!("rustc {}: {}", output.end(), output.stderr)))?;
            return Ok(with_calls(tokens));
        }
    }

    /// Returns what the compiler prints for a file, and its errors.
    fn compile(&self, text: &str, stop: &AtomicBool) -> Result<(Output, Vec<Diagnostic>), PackError> {
        let scratch = Scratch::new()?;
        let source = scratch.write("derives.rs", text)?;
        let options = "--crate-type lib -Zunpretty=expanded --error-format=json -A warnings --edition";
        let mut words = vec!["env".to_string(), "RUSTC_BOOTSTRAP=1".to_string()];
        // Macros may read cargo's variables, for example `clap` for the version.
        words.extend(self.krate.variables.iter().map(|(name, value)| format!("{name}={value}")));
        words.push(rustc());
        words.extend(options.split(' ').map(str::to_string));
        words.push((self.krate.edition as u32).to_string());
        for (name, file) in &self.files {
            words.extend(["--extern".to_string(), format!("{name}={}", file.display())]);
        }
        words.push(source.display().to_string());
        let output = run(&words, "rustc", None, PATIENCE, stop)?;
        let found = output.stderr.lines().filter_map(|line| serde_json::from_str::<Diagnostic>(line).ok());
        let errors = found.filter(Diagnostic::is_error).collect();
        Ok((output, errors))
    }
}

/// The compiler prints this instead of a call of an unknown macro.
const LOST: &[u8] = b"(/*ERROR*/)";

/// A function whose calls stand for calls of macros: its arguments are the path and the argument of the macro.
pub(crate) const CALL: &str = "__macro_call";

/// The names after which the compiler looks for unknown macros.
#[derive(Default)]
struct Calls {
    crates: BTreeSet<String>,
    /// Crates and names. Only some of these names belong to macros.
    names: BTreeSet<(String, String)>,
}

impl Calls {
    /// Adds the names that the compiler does not find, and returns whether there are new ones. A message quotes an
    /// unknown crate alone, or a name and then its crate.
    fn add(&mut self, errors: &[Diagnostic]) -> bool {
        let known = self.crates.len() + self.names.len();
        for error in errors.iter().filter(|error| error.code() == "E0433") {
            let quoted: Vec<&str> = error.message.split('`').skip(1).step_by(2).collect();
            match quoted[..] {
                [name] => _ = self.crates.insert(name.to_string()),
                [name, of] if self.crates.contains(of) => {
                    self.names.insert((of.to_string(), name.to_string()));
                }
                _ => {}
            }
        }
        self.crates.len() + self.names.len() > known
    }

    /// Returns items that make the crates aliases of this one, and macros that expand to calls of [`CALL`]. They come
    /// first, because an attribute without its macro then belongs to the next item.
    fn stubs(&self) -> String {
        let crates = self.crates.iter().map(|name| format!("extern crate self as {name};\n"));
        let macros = self.names.iter().map(|(of, name)| {
            format!(
                "#[macro_export]\nmacro_rules! {name} {{ ($($of:tt)*) => {{ {CALL}(\"{of}::{name}\", \
                 stringify!($($of)*)) }} }}\n"
            )
        });
        crates.chain(macros).collect()
    }
}

/// Returns the tokens with calls of macros instead of calls of [`CALL`].
fn with_calls(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            out.push(token);
            continue;
        };
        let is_call = matches!(out.last(), Some(TokenTree::Ident(name)) if name == CALL);
        if is_call && let Ok(call) = syn::parse2::<Call>(group.stream()) {
            out.pop();
            let (path, argument) = (call.path, call.argument);
            out.extend(quote!(#path!(#argument)));
        } else {
            out.push(Group::new(group.delimiter(), with_calls(group.stream())).into());
        }
    }
    out.into_iter().collect()
}

/// The arguments of a call of [`CALL`].
struct Call {
    path: Path,
    argument: TokenStream,
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> syn::Result<Call> {
        let texts = Punctuated::<LitStr, Token![,]>::parse_terminated(input)?;
        let [path, argument] = &texts.iter().collect::<Vec<_>>()[..] else {
            return Err(input.error("expected a path and an argument"));
        };
        Ok(Call { path: path.parse()?, argument: argument.parse()? })
    }
}

/// Returns the item with only those derives that are procedural macros, if it has any.
fn input(item: &Item) -> Option<TokenStream> {
    let (Item::Struct(syn::ItemStruct { attrs, .. })
    | Item::Enum(syn::ItemEnum { attrs, .. })
    | Item::Union(syn::ItemUnion { attrs, .. })) = item
    else {
        return None;
    };
    let foreign: Vec<Ident> = attrs.iter().flat_map(derives).filter_map(|path| foreign(&path)).collect();
    if foreign.is_empty() {
        return None;
    }
    let mut item = item.clone();
    if let Item::Struct(syn::ItemStruct { attrs, .. })
    | Item::Enum(syn::ItemEnum { attrs, .. })
    | Item::Union(syn::ItemUnion { attrs, .. }) = &mut item
    {
        attrs.retain(|attribute| !attribute.path().is_ident("derive"));
    }
    // Without `derive(Default)` the compiler does not know its mark.
    if let Item::Enum(of) = &mut item
        && attrs.iter().flat_map(derives).any(|path| path.is_ident("Default"))
    {
        for variant in &mut of.variants {
            variant.attrs.retain(|attribute| !is_default(attribute));
        }
    }
    Some(quote!(#[derive(#(#foreign),*)] #item))
}

/// Returns whether an attribute is `#[default]`. With arguments it belongs to a procedural macro.
fn is_default(attribute: &Attribute) -> bool {
    matches!(&attribute.meta, Meta::Path(path) if path.is_ident("default"))
}

/// Returns the paths in a derive.
fn derives(attribute: &Attribute) -> Vec<Path> {
    if !attribute.path().is_ident("derive") {
        return Vec::new();
    }
    let paths = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
    paths.into_iter().flatten().collect()
}

/// Returns the name of a derived trait that is not one of the standard library.
fn foreign(path: &Path) -> Option<Ident> {
    let name = &path.segments.last()?.ident;
    (!DERIVES.iter().any(|known| name == known)).then(|| name.clone())
}

/// Removes derives that are procedural macros, and their attributes, from an item.
struct Plain;

impl VisitMut for Plain {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain_mut(|attribute| {
            if !BUILTIN.iter().any(|name| attribute.path().is_ident(name)) {
                return false;
            }
            if !attribute.path().is_ident("derive") {
                return !attribute.path().is_ident("default") || is_default(attribute);
            }
            let own: Vec<Path> =
                derives(attribute).into_iter().filter(|path| foreign(path).is_none()).collect();
            let is_empty = own.is_empty();
            *attribute = parse_quote!(#[derive(#(#own),*)]);
            !is_empty
        });
    }
}

/// Calls a function for every item, also for those in functions. The items that it returns are inserted after the item.
pub(crate) struct Items<F>(pub F);

impl<F: FnMut(&mut Item) -> Vec<Item>> Items<F> {
    pub(crate) fn list(&mut self, items: &mut Vec<Item>) {
        for mut item in std::mem::take(items) {
            let more = (self.0)(&mut item);
            self.visit_item_mut(&mut item);
            items.push(item);
            items.extend(more);
        }
    }
}

impl<F: FnMut(&mut Item) -> Vec<Item>> VisitMut for Items<F> {
    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            self.list(items);
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        for mut statement in std::mem::take(&mut block.stmts) {
            let more = match &mut statement {
                Stmt::Item(item) => (self.0)(item),
                _ => Vec::new(),
            };
            self.visit_stmt_mut(&mut statement);
            block.stmts.push(statement);
            block.stmts.extend(more.into_iter().map(Stmt::Item));
        }
    }
}

/// Returns the tokens without definitions of macros, because all calls are expanded.
fn without_macros(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut rest = &tokens[..];
    while let [token, after @ ..] = rest {
        rest = match (token, after) {
            (TokenTree::Ident(word), [_, TokenTree::Ident(_), TokenTree::Group(_), after @ ..])
                if word == "macro_rules" =>
            {
                after
            }
            (TokenTree::Group(group), _) => {
                let group = Group::new(group.delimiter(), without_macros(group.stream()));
                out.extend([TokenTree::from(group)]);
                after
            }
            _ => {
                out.extend([token.clone()]);
                after
            }
        };
    }
    out
}

/// Returns the tokens with a path instead of each identifier `name`, except in `pub(crate)`.
pub(crate) fn renamed(tokens: TokenStream, name: &str, path: &TokenStream) -> TokenStream {
    let mut out = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(word) if word == name => out.extend(path.clone()),
            TokenTree::Group(group) => {
                let is_visibility = matches!(out.last(), Some(TokenTree::Ident(word)) if word == "pub")
                    && group.stream().to_string() == name;
                let inner = group.stream();
                let inner = if is_visibility { inner } else { renamed(inner, name, path) };
                let mut made = Group::new(group.delimiter(), inner);
                made.set_span(group.span());
                out.push(made.into());
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

/// Returns the implementations in `const _: () = { extern crate a as b; impl … };` with `::a` for `b`, so that those
/// that are never reached can be removed. If the block contains other items, it stays, but without the renamings.
fn flattened(item: Item) -> Vec<Item> {
    let Item::Const(mut of) = item else { return vec![item] };
    let Expr::Block(syn::ExprBlock { block, .. }) = &mut *of.expr else { return vec![Item::Const(of)] };
    let mut names = Vec::new();
    block.stmts.retain(|statement| {
        let renaming = match statement {
            Stmt::Item(Item::ExternCrate(syn::ItemExternCrate {
                ident, rename: Some((_, alias)), ..
            })) => Some((alias.to_string(), quote!(::#ident))),
            Stmt::Item(Item::Use(of)) => alias(&of.tree).map(|(alias, path)| {
                let root = of.leading_colon;
                (alias, quote!(#root #path))
            }),
            _ => None,
        };
        let keeps = renaming.is_none();
        names.extend(renaming);
        keeps
    });
    let named = |tokens| names.iter().fold(tokens, |tokens, (name, path)| renamed(tokens, name, path));
    let items: Vec<Item> =
        match block.stmts.iter().all(|statement| matches!(statement, Stmt::Item(Item::Impl(_)))) {
            true => block
                .stmts
                .drain(..)
                .filter_map(|statement| match statement {
                    Stmt::Item(item) => Some(item),
                    _ => None,
                })
                .collect(),
            false => vec![Item::Const(of)],
        };
    items.into_iter().map(|item| Item::Verbatim(named(item.into_token_stream()))).collect()
}

/// Returns the new name and the path of an import that renames a single item.
fn alias(tree: &UseTree) -> Option<(String, TokenStream)> {
    match tree {
        UseTree::Path(path) => {
            let (alias, inner) = alias(&path.tree)?;
            let name = &path.ident;
            Some((alias, quote!(#name::#inner)))
        }
        UseTree::Rename(of) => Some((of.rename.to_string(), of.ident.to_token_stream())),
        _ => None,
    }
}
