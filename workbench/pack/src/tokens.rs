//! Rewriting of tokens, including the bodies of macros.

use crate::built::Script;
use crate::error::{Obstacle, Sign};
use crate::literal::data;
use crate::source;
use crate::workspace::{Crate, Edition, Place};
use crate::{PackError, Unit};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// The crate that defines the macro [`DATA_MACRO`], which includes data.
const NN: &str = "contender_nn";
const DATA_MACRO: &str = "include_data";

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
        let stream = match names_condition(out) {
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
            out.extend(self.rewrite_in(&tree, hidden)?);
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

    /// Expands a macro like [`compiler_macro`](Rewriter::compiler_macro). If this fails, records the obstacle and
    /// leaves the macro unchanged.
    fn written_out(&self, tokens: &[TokenTree], at: usize) -> Option<Vec<TokenTree>> {
        self.compiler_macro(tokens, at).unwrap_or_else(|problem| {
            // In a macro that is never called, a file or variable may be named by the macro's argument. A file that
            // cannot be read is an error even there, because the compiler might read the file endlessly. So is an
            // environment variable, because the compiler might find it by accident.
            let name = tokens[at].to_string();
            let arguments = match tokens.get(at + 2) {
                Some(TokenTree::Group(group)) => group.stream(),
                _ => TokenStream::new(),
            };
            let is_known = self.text(arguments.clone()).is_some();
            let is_environment = name.ends_with("env") && !has_variable(arguments);
            let sign = if is_known || is_environment { Sign::Certain } else { Sign::Call(name) };
            self.problems.borrow_mut().push(Obstacle { problem, sign });
            None
        })
    }

    /// Returns the expansion of the macro call at this position, if it is a compiler macro that reads files or cargo's
    /// environment.
    fn compiler_macro(&self, tokens: &[TokenTree], at: usize) -> Result<Option<Vec<TokenTree>>, PackError> {
        let (Some(TokenTree::Ident(name)), true, Some(TokenTree::Group(group))) =
            (tokens.get(at), is_bang(tokens.get(at + 1)), tokens.get(at + 2))
        else {
            return Ok(None);
        };
        let name = name.to_string();
        let is_data = name == DATA_MACRO && self.dependency(NN).is_some();
        if !is_data
            && !matches!(&name[..], "include_str" | "include_bytes" | "include" | "env" | "option_env")
        {
            return Ok(None);
        }
        let span = group.span();
        if has_variable(group.stream()) {
            let reason =
                format!("`{name}!` with a macro's parameter cannot be packed; expand the macro by hand");
            return Err(PackError::at(self.file, span, reason));
        }
        if name == "option_env" || name == "env" {
            return self.environment_macro(&name, group).map(Some);
        }
        let Some(path) = self.text(group.stream()) else {
            let reason = format!("`{name}!` needs a string literal");
            return Err(PackError::at(self.file, span, reason));
        };
        let path: PathBuf = self.file.parent().unwrap_or(Path::new("")).join(path);
        let content = source::read(&path).map_err(|error| {
            PackError::at(self.file, span, format!("`{name}!` of {}: {error}", path.display()))
        })?;
        let of_file =
            |words: &str| PackError::at(self.file, span, format!("`{name}!` of {}: {words}", path.display()));
        let as_text =
            |content: Vec<u8>| String::from_utf8(content).map_err(|_| of_file("the file is not UTF-8"));
        match &name[..] {
            DATA_MACRO => {
                // If the macro was imported but the function was not, the function needs its full path.
                let is_qualified = is_path_separator(tokens, at.wrapping_sub(2));
                Ok(Some(self.decoded(&content, is_qualified, span)))
            }
            "include_bytes" => Ok(Some(vec![literal(Literal::byte_string(&content), span)])),
            "include_str" => Ok(Some(vec![literal(Literal::string(&as_text(content)?), span)])),
            _ => {
                // Only an expression is inserted here; a file of items is inserted when items are visited.
                let Ok(expression) = syn::parse_str::<syn::Expr>(&as_text(content)?) else { return Ok(None) };
                if self.depth > 20 {
                    return Err(PackError::at(
                        self.file,
                        span,
                        "recursive `include!`: the file includes itself",
                    ));
                }
                let inner = Rewriter { file: &path, depth: self.depth + 1, ..*self };
                let tokens = inner.rewrite(quote::ToTokens::to_token_stream(&expression))?;
                Ok(Some(vec![Group::new(Delimiter::Parenthesis, tokens).into()]))
            }
        }
    }

    /// Returns a call of the function that decodes this data.
    fn decoded(&self, content: &[u8], is_qualified: bool, span: Span) -> Vec<TokenTree> {
        let (text, decode) = data(content, self.unit);
        let mut out = Vec::new();
        if !is_qualified {
            out.push(Ident::new("crate", span).into());
            out.extend(separator(span));
            out.push(Ident::new(NN, span).into());
            out.extend(separator(span));
        }
        out.push(Ident::new(decode, span).into());
        let argument = TokenStream::from(TokenTree::from(Literal::string(&text)));
        out.push(Group::new(Delimiter::Parenthesis, argument).into());
        out
    }

    /// Returns the expansion of a call of `env!` or `option_env!`.
    fn environment_macro(&self, name: &str, group: &Group) -> Result<Vec<TokenTree>, PackError> {
        let span = group.span();
        let key = self.text(group.stream().into_iter().take_while(|token| !is_punct(token, ',')).collect());
        let value = key.as_deref().and_then(|key| self.environment(key));
        match (value, name) {
            (Some(value), "env") => Ok(vec![literal(Literal::string(&value), span)]),
            (None, "option_env") if key.as_deref().is_some_and(|key| std::env::var_os(key).is_none()) => {
                let none: TokenStream = "None::<&'static str>".parse().unwrap_or_default();
                Ok(none.into_iter().collect())
            }
            (Some(value), _) => {
                let value = TokenStream::from(literal(Literal::string(&value), span));
                let group = Group::new(Delimiter::Parenthesis, value);
                Ok(vec![Ident::new("Some", span).into(), group.into()])
            }
            _ => {
                let reason = format!(
                    "`{name}!{}` reads a variable of the build environment, which judges do not have; \
                     only variables that cargo or the build script sets are known",
                    group
                );
                Err(PackError::at(self.file, span, reason))
            }
        }
    }

    /// Evaluates a string literal, or a call of `concat!` or `env!` with literals.
    pub fn text(&self, tokens: TokenStream) -> Option<String> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (value, rest) = match &tokens[..] {
            [TokenTree::Literal(literal), rest @ ..] => {
                let value = match syn::parse_str::<syn::Lit>(&literal.to_string()).ok()? {
                    syn::Lit::Str(text) => text.value(),
                    syn::Lit::Int(number) => number.base10_digits().to_string(),
                    _ => return None,
                };
                (value, rest)
            }
            [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(group), rest @ ..]
                if bang.as_char() == '!' =>
            {
                let value = match &name.to_string()[..] {
                    "env" => self.environment(&self.text(group.stream())?)?,
                    "concat" => {
                        let pieces: Vec<TokenTree> = group.stream().into_iter().collect();
                        let pieces =
                            pieces.split(|token| is_punct(token, ',')).filter(|piece| !piece.is_empty());
                        pieces
                            .map(|piece| self.text(piece.iter().cloned().collect()))
                            .collect::<Option<String>>()?
                    }
                    _ => return None,
                };
                (value, rest)
            }
            _ => return None,
        };
        match rest {
            [] => Some(value),
            [comma] if is_punct(comma, ',') => Some(value),
            _ => None,
        }
    }

    fn environment(&self, key: &str) -> Option<String> {
        self.script.variables.get(key).or(self.krate.variables.get(key)).cloned()
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

/// Returns whether a group is the parameter list of a function.
fn is_parameters(group: &Group, before: &[TokenTree]) -> bool {
    let start = before.iter().rposition(|token| matches!(token, TokenTree::Ident(word) if word == "fn"));
    let Some([name, generics @ ..]) = start.map(|start| &before[start + 1..]) else { return false };
    // Bounds such as `<F: FnMut(u8)>` contain their own parentheses.
    let mut depth = 0;
    for (at, token) in generics.iter().enumerate() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' && !is_arrow(&generics[..=at]) => depth -= 1,
            TokenTree::Punct(punct) if punct.as_char() == ';' => return false,
            TokenTree::Group(group) if depth == 0 && group.delimiter() != Delimiter::Bracket => return false,
            _ => {}
        }
    }
    depth == 0 && group.delimiter() == Delimiter::Parenthesis && matches!(name, TokenTree::Ident(_))
}

/// Adds missing names to a parameter list, because parameters in traits can be unnamed in edition 2015.
fn with_names(tokens: &[TokenTree]) -> Vec<TokenTree> {
    let (mut out, mut start, mut depth) = (Vec::new(), 0, 0);
    for at in 0..=tokens.len() {
        match tokens.get(at) {
            Some(token) if is_punct(token, '<') => depth += 1,
            Some(token) if is_punct(token, '>') && !is_arrow(&tokens[..=at]) => depth -= 1,
            Some(token) if depth > 0 || !is_punct(token, ',') => {}
            end => {
                let parameter = &tokens[start..at];
                let is_named = parameter.iter().enumerate().any(|(at, token)| {
                    let is_path = is_path_separator(parameter, at)
                        || at.checked_sub(1).is_some_and(|before| is_path_separator(parameter, before));
                    (is_punct(token, ':') && !is_path)
                        || matches!(token, TokenTree::Ident(word) if word == "self")
                });
                if !is_named && !parameter.is_empty() {
                    let span = parameter[0].span();
                    out.extend([
                        TokenTree::from(Ident::new("_", span)),
                        Punct::new(':', Spacing::Alone).into(),
                    ]);
                }
                out.extend(parameter.iter().chain(end).cloned());
                start = at + 1;
            }
        }
    }
    out
}

/// Returns whether a group belongs to an attribute that includes documentation from a file.
fn is_included_text(group: &Group, before: &[TokenTree]) -> bool {
    let is_attribute = group.delimiter() == Delimiter::Bracket
        && before.last().is_some_and(|last| is_punct(last, '#') || is_punct(last, '!'));
    let words: Vec<TokenTree> = group.stream().into_iter().take(3).collect();
    is_attribute
        && matches!(&words[..], [TokenTree::Ident(doc), equals, TokenTree::Ident(include)]
            if doc == "doc" && is_punct(equals, '=') && include == "include_str")
}

/// Returns whether the arguments of a call contain a macro's variable.
fn has_variable(arguments: TokenStream) -> bool {
    arguments.into_iter().any(|token| is_punct(&token, '$'))
}

/// Returns whether `dyn` is used as a keyword, judging by the next token.
fn is_type(next: Option<&TokenTree>) -> bool {
    match next {
        Some(TokenTree::Ident(_)) => true,
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
        _ => false,
    }
}

/// Returns whether a word starts a trait object without `dyn`, such as `&mut FnMut(u8) -> u8`, `Box<Fn()>` or
/// `type Action = Fn()`.
fn is_bare_closure(word: &str, next: Option<&TokenTree>, before: &[TokenTree]) -> bool {
    let has_arguments =
        matches!(next, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
    let before = match before {
        [before @ .., TokenTree::Ident(word)] if word == "mut" => before,
        other => other,
    };
    let before = match before {
        [before @ .., quote, TokenTree::Ident(_)] if is_punct(quote, '\'') => before,
        other => other,
    };
    ["Fn", "FnMut", "FnOnce"].contains(&word)
        && has_arguments
        && before.last().is_some_and(|last| {
            is_punct(last, '&') || is_punct(last, '<') || (is_punct(last, '=') && starts_type(before))
        })
}

/// Returns whether the item or statement at the end of the tokens begins with `type`.
fn starts_type(tokens: &[TokenTree]) -> bool {
    let is_end = |token: &TokenTree| {
        let is_block = matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        is_block || is_punct(token, ';')
    };
    let mut inside = tokens.iter().rev().take_while(|token| !is_end(token));
    inside.any(|token| matches!(token, TokenTree::Ident(word) if word == "type"))
}

/// Returns whether a path separator at this position would start a path (`::a`).
fn starts_path(out: &[TokenTree]) -> bool {
    match out.last() {
        Some(TokenTree::Ident(word)) => is_keyword_before_path(&word.to_string()),
        Some(TokenTree::Punct(punct)) => punct.as_char() != '>' || can_precede_path(out),
        Some(TokenTree::Group(_)) => false,
        _ => true,
    }
}

/// Returns whether the `>` at the end can be followed by a path from the root: it ends an arrow, or the parameters
/// after `impl` or `for`.
fn can_precede_path(out: &[TokenTree]) -> bool {
    if is_arrow(out) {
        return true;
    }
    let mut depth = 0;
    for (at, token) in out.iter().enumerate().rev() {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == '>' && !is_arrow(&out[..=at]) => depth += 1,
            TokenTree::Punct(sign) if sign.as_char() == '<' => depth -= 1,
            TokenTree::Punct(sign) if sign.as_char() == ';' => return false,
            _ => continue,
        }
        if depth == 0 {
            return matches!(&out[..at], [.., TokenTree::Ident(word)] if word == "impl" || word == "for");
        }
    }
    false
}

fn is_arrow(out: &[TokenTree]) -> bool {
    matches!(out, [.., TokenTree::Punct(minus), _] if matches!(minus.as_char(), '-' | '=') && minus.spacing() == Spacing::Joint)
}

/// Returns whether the next group is the argument list of `cfg`, `cfg_attr` or `cfg!`.
fn names_condition(out: &[TokenTree]) -> bool {
    let name = match out {
        [.., name, bang] if is_punct(bang, '!') => name,
        [.., name] => name,
        [] => return false,
    };
    matches!(name, TokenTree::Ident(name) if name == "cfg" || name == "cfg_attr")
}

fn literal(mut literal: Literal, span: Span) -> TokenTree {
    literal.set_span(span);
    literal.into()
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_bang(token: Option<&TokenTree>) -> bool {
    token.is_some_and(|token| is_punct(token, '!'))
}

fn is_path_separator(tokens: &[TokenTree], at: usize) -> bool {
    matches!((tokens.get(at), tokens.get(at + 1)), (Some(first), Some(second)) if is_punct(first, ':') && is_punct(second, ':')
        && matches!(first, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint))
}

/// Returns whether the path separator at the end starts a path (`::a`), or `None` if there is no separator at the end.
fn preceding_separator(out: &[TokenTree]) -> Option<bool> {
    let (before, last) = out.split_at(out.len().checked_sub(2)?);
    if !is_path_separator(last, 0) {
        return None;
    }
    Some(match before.last() {
        Some(TokenTree::Ident(word)) => is_keyword_before_path(&word.to_string()),
        Some(TokenTree::Punct(punct)) => punct.as_char() != '>' || can_precede_path(before),
        _ => true,
    })
}

fn is_keyword_before_path(word: &str) -> bool {
    matches!(
        word,
        "use"
            | "as"
            | "in"
            | "impl"
            | "for"
            | "dyn"
            | "return"
            | "mut"
            | "const"
            | "else"
            | "match"
            | "if"
            | "where"
            | "let"
            | "while"
            | "break"
    )
}

fn separator(span: Span) -> [TokenTree; 2] {
    [Spacing::Joint, Spacing::Alone].map(|spacing| {
        let mut colon = Punct::new(':', spacing);
        colon.set_span(span);
        colon.into()
    })
}
