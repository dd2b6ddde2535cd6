//! Expansion of the compiler's macros that read files or cargo's environment.

use super::Rewriter;
use super::place::{is_bang, is_path_separator, is_punct, separator};
use crate::error::{Obstacle, Sign};
use crate::literal::data;
use crate::named_files::NamedFile;
use crate::{PackError, source};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use std::path::{Path, PathBuf};

/// The crate that defines the macro [`DATA_MACRO`], which includes data.
pub(super) const NN: &str = "contender_nn";
pub(super) const DATA_MACRO: &str = "include_data";

impl Rewriter<'_> {
    /// Expands a macro like [`compiler_macro`](Rewriter::compiler_macro). If this fails, records the obstacle and
    /// leaves the macro unchanged.
    pub(super) fn written_out(&self, tokens: &[TokenTree], at: usize) -> Option<Vec<TokenTree>> {
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

    /// Notes the file that the first argument of a macro's call names, if it exists.
    pub(super) fn note_file(&self, called: &str, arguments: &Group) {
        let Some(TokenTree::Literal(first)) = arguments.stream().into_iter().next() else { return };
        let Some(name) = self.text(TokenStream::from(TokenTree::from(first))) else { return };
        let is_message = |letter: char| letter.is_whitespace() || letter == '{';
        let path = self.file.parent().unwrap_or(Path::new("")).join(&name);
        if !name.is_empty() && !name.contains(is_message) && path.is_file() {
            self.files.borrow_mut().insert(NamedFile { called: called.to_string(), name, path });
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

/// Returns whether the arguments of a call contain a macro's variable.
fn has_variable(arguments: TokenStream) -> bool {
    arguments.into_iter().any(|token| is_punct(&token, '$'))
}

fn literal(mut literal: Literal, span: Span) -> TokenTree {
    literal.set_span(span);
    literal.into()
}
