//! Rewriting of tokens, including the bodies of macros.

mod compiler_macros;
mod place;

use crate::built::Script;
use crate::error::Obstacle;
use crate::named_files::NamedFile;
use crate::workspace::{Crate, Edition, Place};
use crate::{PackError, Unit};
use compiler_macros::{DATA_MACRO, NN};
use place::{
    has_conditions, is_bang, is_bare_closure, is_included_text, is_parameters, is_path_separator, is_punct,
    is_type, preceding_separator, separator, starts_path, with_names,
};
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// The context for rewriting the tokens of one source file.
#[derive(Clone, Debug)]
pub(crate) struct Rewriter<'a> {
    pub krate: &'a Crate,
    /// The module that the crate becomes, or `None` for the program itself, which remains the root.
    pub module: Option<&'a str>,
    /// The modules in the crate's root. In edition 2015, paths of imports start there.
    pub root: &'a HashSet<String>,
    /// The source file. Paths of included files are relative to it.
    pub file: &'a Path,
    /// Depth of nested `include!` calls.
    pub depth: usize,
    /// Whether the tokens are the arguments of a macro call, which may have any form.
    pub in_call: bool,
    /// The unit of the judge's limit, which determines the encoding of data.
    pub unit: Unit,
    /// The conditions and variables that the crate's build script sets.
    pub script: &'a Script,
    /// The collected parts that cannot be packed. They are left unchanged, so that the remaining code is also checked.
    pub problems: &'a RefCell<Vec<Obstacle>>,
    /// The collected dependencies that the source names.
    pub named: &'a RefCell<BTreeSet<String>>,
    /// The collected files that calls of macros name.
    pub files: &'a RefCell<BTreeSet<NamedFile>>,
}

impl Rewriter<'_> {
    /// Replaces `crate::`, `$crate::` and the names of other crates by paths to the file's modules. Expands compiler
    /// macros that read files or cargo's environment.
    pub fn rewrite(&self, tokens: TokenStream) -> Result<TokenStream, PackError> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        self.rewrite_in(&tokens, &modules(&tokens))
    }

    /// Rewrites the tokens of a module. `hidden` contains the names of its child modules, which hide crates of the same
    /// name.
    fn rewrite_in(&self, tokens: &[TokenTree], hidden: &HashSet<String>) -> Result<TokenStream, PackError> {
        let mut out: Vec<TokenTree> = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            let token = &tokens[at];
            match token {
                TokenTree::Group(group) if is_included_text(group, &out) => {
                    while out.last().is_some_and(|last| is_punct(last, '#') || is_punct(last, '!')) {
                        out.pop();
                    }
                }
                TokenTree::Group(group) => out.push(self.group(group, &out, hidden)?.into()),
                TokenTree::Ident(ident) => {
                    at = self.ident((tokens, at), ident, hidden, &mut out)?;
                    continue;
                }
                TokenTree::Punct(colon)
                    if self.krate.edition == Edition::E2015
                        && is_path_separator(tokens, at)
                        && starts_path(&out)
                        && self.is_own(tokens.get(at + 2)) =>
                {
                    out.push(Ident::new("crate", colon.span()).into());
                    if let Some(module) = self.module {
                        out.extend(separator(colon.span()));
                        out.push(Ident::new(module, colon.span()).into());
                    }
                    out.extend(separator(colon.span()));
                    at += 2;
                    // A macro may name its own crate, which its callers have in their root.
                    let names_itself = |token: &TokenTree| matches!(token, TokenTree::Ident(name) if *name == self.krate.name);
                    if tokens.get(at).is_some_and(names_itself)
                        && is_path_separator(tokens, at + 1)
                        && !self.root.contains(&self.krate.name)
                    {
                        at += 3;
                    }
                    continue;
                }
                _ => out.push(token.clone()),
            }
            at += 1;
        }
        Ok(out.into_iter().collect())
    }

    /// Rewrites a group that follows the tokens in `out`.
    fn group(&self, group: &Group, out: &[TokenTree], hidden: &HashSet<String>) -> Result<Group, PackError> {
        let stream = match has_conditions(group, out) {
            true => self.features(group.stream()),
            false => group.stream(),
        };
        let inner: Vec<TokenTree> = stream.into_iter().collect();
        let has_types = self.krate.edition == Edition::E2015 && !self.in_call;
        let inner = match has_types && is_parameters(group, out) {
            true => with_names(&inner),
            false => inner,
        };
        let starts_module = matches!(out, [.., TokenTree::Ident(word), TokenTree::Ident(_)] if word == "mod");
        let rewritten = if starts_module {
            self.rewrite_in(&inner, &modules(&inner))?
        } else if is_bang(out.last()) {
            Rewriter { in_call: true, ..self.clone() }.rewrite_in(&inner, hidden)?
        } else {
            self.rewrite_in(&inner, hidden)?
        };
        let mut made = Group::new(group.delimiter(), rewritten);
        made.set_span(group.span());
        Ok(made)
    }

    /// Rewrites the name at this position together with the tokens that belong to it, and appends them to `out`.
    /// Returns the position after them.
    fn ident(
        &self,
        (tokens, at): (&[TokenTree], usize),
        ident: &Ident,
        hidden: &HashSet<String>,
        out: &mut Vec<TokenTree>,
    ) -> Result<usize, PackError> {
        let token = &tokens[at];
        let follows_path = is_path_separator(tokens, at + 1);
        let word = ident.to_string();
        let is_variable = matches!(out.last(), Some(TokenTree::Punct(dollar)) if dollar.as_char() == '$');
        if let (true, Some(TokenTree::Group(arguments))) = (is_bang(tokens.get(at + 1)), tokens.get(at + 2)) {
            self.note_file(&word, arguments);
        }
        if word == "crate" && follows_path {
            out.push(token.clone());
            if let Some(module) = self.module {
                out.extend(separator(ident.span()));
                out.push(Ident::new(module, ident.span()).into());
            }
        } else if word == "macro_rules" && is_bang(tokens.get(at + 1)) {
            out.push(token.clone());
            if let (NN, Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
                (&self.krate.name[..], tokens.get(at + 2), tokens.get(at + 3))
                && name == DATA_MACRO
            {
                // All calls of this macro have been expanded, so its body can be empty.
                let nothing = "() => {}".parse().unwrap_or_default();
                let body = Group::new(body.delimiter(), nothing);
                out.extend([tokens[at + 1].clone(), tokens[at + 2].clone(), body.into()]);
                return Ok(at + 4);
            }
        } else if let (Some(replacement), false) = (self.written_out(tokens, at), is_variable) {
            out.extend(replacement);
            return Ok(at + 3);
        } else if word == "use" && self.krate.edition == Edition::E2015 && !is_variable {
            let end = tokens[at..].iter().position(|token| is_punct(token, ';'));
            let end = end.map_or(tokens.len(), |length| at + length);
            let tree = self.rooted(&tokens[at + 1..end]);
            out.push(token.clone());
            // These paths start at the crate's root, so modules next to them hide nothing.
            out.extend(self.rewrite_in(&tree, &HashSet::new())?);
            return Ok(end);
        } else if let (Some(place), true, false) = (self.dependency(&word), follows_path, is_variable) {
            // `::name` always is the crate.
            match hidden.contains(&word) && preceding_separator(out) != Some(true) {
                true => out.push(token.clone()),
                false => self.module_path(place, ident, out),
            }
        } else if self.krate.edition == Edition::E2015
            && ["async", "await", "dyn", "try"].contains(&&word[..])
            && !(word == "dyn" && is_type(tokens.get(at + 1)))
        {
            out.push(Ident::new_raw(&word, ident.span()).into());
        } else if self.krate.edition < Edition::E2021 && is_bare_closure(&word, tokens.get(at + 1), out) {
            out.extend([Ident::new("dyn", ident.span()).into(), token.clone()]);
        } else {
            out.push(token.clone());
        }
        Ok(at + 1)
    }

    /// Appends the start of a path: the name of a dependency.
    fn module_path(&self, place: &Place, ident: &Ident, out: &mut Vec<TokenTree>) {
        let preceded = preceding_separator(out);
        // After a path, `a::b` names an item in this path.
        if preceded == Some(false) {
            return out.push(ident.clone().into());
        }
        self.named.borrow_mut().insert(ident.to_string());
        let Place::Module(module) = place else { return out.push(ident.clone().into()) };
        if preceded.is_some() {
            out.truncate(out.len() - 2);
        }
        out.push(Ident::new("crate", ident.span()).into());
        out.extend(separator(ident.span()));
        out.push(Ident::new(module, ident.span()).into());
    }

    /// Returns whether an edition 2015 path that begins with this token starts at the crate's root.
    fn is_own(&self, first: Option<&TokenTree>) -> bool {
        matches!(first, Some(TokenTree::Ident(name)) if {
            let name = name.to_string();
            !["std", "core", "alloc", "crate", "self", "super"].contains(&&name[..])
                && (self.dependency(&name).is_none() || self.root.contains(&name))
        })
    }

    /// Converts an edition 2015 import, which starts at the crate's root, to the form used in later editions.
    fn rooted(&self, tree: &[TokenTree]) -> Vec<TokenTree> {
        match tree {
            [first, second, rest @ ..] if is_path_separator(tree, 0) => {
                let _ = (first, second);
                self.rooted(rest)
            }
            [TokenTree::Group(group)] => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let mut out = Vec::new();
                for (number, tree) in inner.split(|token| is_punct(token, ',')).enumerate() {
                    out.extend((number > 0).then(|| Punct::new(',', Spacing::Alone).into()));
                    out.extend(self.rooted(tree));
                }
                vec![Group::new(group.delimiter(), out.into_iter().collect()).into()]
            }
            [first, ..] if self.is_own(Some(first)) || is_punct(first, '*') => {
                let mut out: Vec<TokenTree> = vec![Ident::new("crate", first.span()).into()];
                out.extend(separator(first.span()));
                out.extend(tree.iter().cloned());
                out
            }
            _ => tree.to_vec(),
        }
    }

    /// Replaces features in a condition by their values: `all()` for true and `any()` for false.
    fn features(&self, condition: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = condition.into_iter().collect();
        let mut out: Vec<TokenTree> = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at..] {
                [TokenTree::Ident(feature), equals, TokenTree::Literal(name), ..]
                    if feature == "feature" && is_punct(equals, '=') =>
                {
                    let name = name.to_string();
                    let is_on = self.krate.features.contains(name.trim_matches('"'));
                    out.push(Ident::new(if is_on { "all" } else { "any" }, feature.span()).into());
                    out.push(Group::new(Delimiter::Parenthesis, TokenStream::new()).into());
                    at += 3;
                    continue;
                }
                [TokenTree::Ident(name), ..]
                    if self.script.conditions.contains(&name.to_string())
                        && !tokens.get(at + 1).is_some_and(|token| is_punct(token, '=')) =>
                {
                    out.push(Ident::new("all", name.span()).into());
                    out.push(Group::new(Delimiter::Parenthesis, TokenStream::new()).into());
                }
                [TokenTree::Group(group), ..] => {
                    out.push(Group::new(group.delimiter(), self.features(group.stream())).into());
                }
                [token, ..] => out.push(token.clone()),
                [] => {}
            }
            at += 1;
        }
        out.into_iter().collect()
    }

    fn dependency(&self, word: &str) -> Option<&Place> {
        self.krate.place_of(word)
    }
}

/// Returns the names of the modules that the tokens declare.
pub(crate) fn modules(tokens: &[TokenTree]) -> HashSet<String> {
    let pairs = tokens.windows(2).filter_map(|pair| match pair {
        [TokenTree::Ident(word), TokenTree::Ident(name)] if word == "mod" => Some(name.to_string()),
        _ => None,
    });
    pairs.collect()
}
