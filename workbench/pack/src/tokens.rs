//! Rewriting of tokens, which also reaches the bodies of macros.

use crate::literal::data;
use crate::source;
use crate::workspace::Crate;
use crate::{PackError, Unit};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// The crate whose macro [`DATA_MACRO`] includes data.
const NN: &str = "contender_nn";
const DATA_MACRO: &str = "include_data";

/// The context for rewriting the tokens of one source file.
#[derive(Clone, Debug)]
pub(crate) struct Rewriter<'a> {
    pub krate: &'a Crate,
    /// The module that the crate becomes; `None` for the program itself, which stays the root.
    pub module: Option<&'a str>,
    /// The source file; included files are relative to it.
    pub file: &'a Path,
    /// Depth of nested `include!` calls.
    pub depth: usize,
    /// The unit of the judge's limit, which determines the encoding of data.
    pub unit: Unit,
    /// Collects the parts that cannot be packed. They are left unchanged, so that the rest is checked as well.
    pub problems: &'a RefCell<Vec<PackError>>,
}

impl Rewriter<'_> {
    /// Rewrites `crate::`, `$crate::` and the names of other crates to modules of the one file. Expands the compiler's
    /// macros that read files or cargo's environment.
    pub fn rewrite(&self, tokens: TokenStream) -> Result<TokenStream, PackError> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut out: Vec<TokenTree> = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            let token = &tokens[at];
            let follows_path = is_path_separator(&tokens, at + 1);
            match token {
                TokenTree::Group(group) => {
                    let stream = match names_condition(&out) {
                        true => self.features(group.stream()),
                        false => group.stream(),
                    };
                    let mut made = Group::new(group.delimiter(), self.rewrite(stream)?);
                    made.set_span(group.span());
                    out.push(made.into());
                }
                TokenTree::Ident(ident) => {
                    let word = ident.to_string();
                    let is_variable =
                        matches!(out.last(), Some(TokenTree::Punct(dollar)) if dollar.as_char() == '$');
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
                            at += 4;
                            continue;
                        }
                    } else if let (Some(replacement), false) = (self.written_out(&tokens, at), is_variable) {
                        out.extend(replacement);
                        at += 3;
                        continue;
                    } else if let (Some(library), true, false) =
                        (self.dependency(&word), follows_path, is_variable)
                    {
                        match preceding_separator(&out) {
                            // In `a::b` after a path, the names belong to that path.
                            Some(false) => out.push(token.clone()),
                            preceded => {
                                if preceded.is_some() {
                                    out.truncate(out.len() - 2);
                                }
                                out.push(Ident::new("crate", ident.span()).into());
                                out.extend(separator(ident.span()));
                                out.push(Ident::new(library, ident.span()).into());
                            }
                        }
                    } else {
                        out.push(token.clone());
                    }
                }
                _ => out.push(token.clone()),
            }
            at += 1;
        }
        Ok(out.into_iter().collect())
    }

    /// Returns a condition in which features are decided: `all()` is true and `any()` is false.
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

    fn dependency(&self, word: &str) -> Option<&str> {
        let found = self.krate.dependencies.iter().find(|(name, _)| name == word);
        found.map(|(_, library)| &library[..])
    }

    /// Like [`compiler_macro`](Rewriter::compiler_macro), but records obstacles to packing and leaves the macro
    /// unchanged.
    fn written_out(&self, tokens: &[TokenTree], at: usize) -> Option<Vec<TokenTree>> {
        self.compiler_macro(tokens, at).unwrap_or_else(|problem| {
            self.problems.borrow_mut().push(problem);
            None
        })
    }

    /// Returns the expansion of the compiler's macro at this place, if it reads files or cargo's environment.
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
        if group
            .stream()
            .into_iter()
            .any(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '$'))
        {
            let reason = format!("`{name}!` of a macro's argument cannot be packed; write the macro out");
            return Err(PackError::at(self.file, span, reason));
        }
        if name == "option_env" || name == "env" {
            let value = self.text(group.stream());
            return match (value.as_deref().and_then(|key| self.environment(key)), &name[..]) {
                (Some(value), "env") => Ok(Some(vec![literal(Literal::string(&value), span)])),
                _ => {
                    let reason = format!(
                        "`{name}!{}` reads the environment of the compilation, which a judge does not have; only CARGO_PKG_NAME, \
                         CARGO_PKG_VERSION and CARGO_MANIFEST_DIR of `env!` are known",
                        group
                    );
                    Err(PackError::at(self.file, span, reason))
                }
            };
        }
        let Some(path) = self.text(group.stream()) else {
            let reason = format!("`{name}!` needs a literal text");
            return Err(PackError::at(self.file, span, reason));
        };
        let path: PathBuf = self.file.parent().unwrap_or(Path::new("")).join(path);
        let content = source::read(&path).map_err(|error| {
            PackError::at(self.file, span, format!("`{name}!` of {}: {error}", path.display()))
        })?;
        let as_text = |content: Vec<u8>| {
            String::from_utf8(content).map_err(|_| {
                PackError::at(
                    self.file,
                    span,
                    format!("`{name}!` of {}: the file is not UTF-8", path.display()),
                )
            })
        };
        match &name[..] {
            DATA_MACRO => {
                let (text, decode) = data(&content, self.unit);
                let mut out = Vec::new();
                if !is_path_separator(tokens, at.wrapping_sub(2)) {
                    // The macro was imported but the function was not, so the function needs its full path.
                    out.push(Ident::new("crate", span).into());
                    out.extend(separator(span));
                    out.push(Ident::new(NN, span).into());
                    out.extend(separator(span));
                }
                out.push(Ident::new(decode, span).into());
                let argument = TokenStream::from(TokenTree::from(Literal::string(&text)));
                out.push(Group::new(Delimiter::Parenthesis, argument).into());
                Ok(Some(out))
            }
            "include_bytes" => Ok(Some(vec![literal(Literal::byte_string(&content), span)])),
            "include_str" => Ok(Some(vec![literal(Literal::string(&as_text(content)?), span)])),
            _ => {
                // Only an expression is inserted here; a file of items is inserted when items are visited.
                let Ok(expression) = syn::parse_str::<syn::Expr>(&as_text(content)?) else { return Ok(None) };
                if self.depth > 20 {
                    return Err(PackError::at(self.file, span, "`include!` of a file inside itself"));
                }
                let inner = Rewriter { file: &path, depth: self.depth + 1, ..*self };
                let tokens = inner.rewrite(quote::ToTokens::to_token_stream(&expression))?;
                Ok(Some(vec![Group::new(Delimiter::Parenthesis, tokens).into()]))
            }
        }
    }

    /// Returns the text of a literal, or of `concat!` and `env!` with literals.
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
        match key {
            "CARGO_PKG_VERSION" => Some(self.krate.version.clone()),
            "CARGO_PKG_NAME" => self.krate.package.split(' ').next().map(str::to_string),
            "CARGO_MANIFEST_DIR" => Some(self.krate.folder.display().to_string()),
            _ => None,
        }
    }
}

/// Returns whether the next tokens are the arguments of `cfg`, `cfg_attr` or `cfg!`.
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

/// Returns whether the path separator at the end starts a path (`::a`); `None` without a separator.
fn preceding_separator(out: &[TokenTree]) -> Option<bool> {
    let (before, last) = out.split_at(out.len().checked_sub(2)?);
    if !is_path_separator(last, 0) {
        return None;
    }
    Some(match before.last() {
        Some(TokenTree::Ident(word)) => {
            matches!(
                &word.to_string()[..],
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
            )
        }
        Some(TokenTree::Punct(punct)) => punct.as_char() != '>',
        _ => true,
    })
}

fn separator(span: Span) -> [TokenTree; 2] {
    [Spacing::Joint, Spacing::Alone].map(|spacing| {
        let mut colon = Punct::new(':', spacing);
        colon.set_span(span);
        colon.into()
    })
}
