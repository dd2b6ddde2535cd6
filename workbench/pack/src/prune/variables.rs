//! Variables of the compilation whose names are arguments of a macro.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;

/// Replaces `option_env!($name)` in macros by `None` if the calls of these macros name only variables that are not
/// set. Returns the text unchanged if a name is unknown.
pub(super) fn without_unset_variables(text: &str) -> String {
    if !text.contains("option_env!($") {
        return text.to_string();
    }
    let tokens: TokenStream = text.parse().unwrap_or_default();
    let mut readers = Readers { macros: BTreeSet::from(["option_env".to_string()]), ..Readers::default() };
    let mut known = 0;
    while known < readers.macros.len() {
        known = readers.macros.len();
        readers.visit(&tokens);
    }
    let is_set = |name: &String| name.starts_with("CARGO") || std::env::var_os(name).is_some();
    if readers.is_unknown || readers.names.iter().any(is_set) {
        return text.to_string();
    }
    let mut pieces = text.split("option_env!($");
    let mut out = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let name = piece.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(0);
        match piece[name..].strip_prefix(')') {
            Some(rest) => out += &format!("None::<&'static str>{rest}"),
            None => out += &format!("option_env!(${piece}"),
        }
    }
    out
}

/// The macros that read variables, and the texts in their calls.
#[derive(Default)]
struct Readers {
    macros: BTreeSet<String>,
    names: BTreeSet<String>,
    /// Whether an argument is something other than a literal or a macro's parameter.
    is_unknown: bool,
}

impl Readers {
    /// Collects the texts in the calls of the known readers, and the macros that pass a parameter on to them.
    /// Returns whether the tokens pass one on.
    fn visit(&mut self, tokens: &TokenStream) -> bool {
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let mut passes = false;
        for (at, token) in tokens.iter().enumerate() {
            match (token, tokens.get(at + 1), tokens.get(at + 2)) {
                (TokenTree::Ident(word), Some(TokenTree::Ident(new)), Some(TokenTree::Ident(alias)))
                    if new == "as" && self.macros.contains(&word.to_string()) =>
                {
                    self.macros.insert(alias.to_string());
                }
                (TokenTree::Ident(word), Some(TokenTree::Punct(bang)), Some(TokenTree::Group(arguments)))
                    if bang.as_char() == '!' && self.macros.contains(&word.to_string()) =>
                {
                    passes |= self.arguments(arguments.stream());
                }
                (TokenTree::Group(group), ..) => {
                    let inner = self.visit(&group.stream());
                    passes |= inner;
                    if let [.., TokenTree::Ident(rules), TokenTree::Punct(_), TokenTree::Ident(name)] =
                        &tokens[..at]
                        && inner
                        && rules == "macro_rules"
                    {
                        self.macros.insert(name.to_string());
                    }
                }
                _ => {}
            }
        }
        passes
    }

    /// Collects the texts in a reader's arguments. Returns whether a parameter of the calling macro is among them.
    fn arguments(&mut self, arguments: TokenStream) -> bool {
        let mut passes = false;
        for argument in arguments {
            match argument {
                TokenTree::Literal(literal) => {
                    self.names.insert(literal.to_string().trim_matches('"').to_string());
                }
                TokenTree::Punct(sign) => {
                    passes |= sign.as_char() == '$';
                    self.is_unknown |= sign.as_char() == '!';
                }
                TokenTree::Group(group) => passes |= self.arguments(group.stream()),
                TokenTree::Ident(_) => {}
            }
        }
        passes
    }
}
