//! Tokens as text, as short as the compiler allows.

use super::names::is_reserved;
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// Attributes that mean nothing to the program.
const IDLE: [&str; 6] = ["doc", "must_use", "allow", "warn", "deny", "expect"];

/// How tokens are written.
#[derive(Clone, Copy)]
pub(super) struct Style<'a> {
    /// New names.
    pub names: &'a BTreeMap<String, String>,
    /// Leave out what the compiler reads as well without: last commas, the underscores and last zeros of numbers, the `(crate)` of `pub`.
    pub tight: bool,
    /// Where in the source `#[deprecated]` is put in.
    pub marks: &'a BTreeSet<usize>,
}

/// A file, and where in it each identifier starts, in their order.
pub(super) struct Printed {
    pub text: String,
    pub identifiers: Vec<usize>,
}

/// The tokens with white space only where they would run together.
pub(super) fn print(tokens: TokenStream, style: Style<'_>) -> Printed {
    let printed = Printed { text: String::new(), identifiers: Vec::new() };
    let mut printer = Printer { printed, style, last: Last::Nothing };
    printer.stream(tokens, Around::Code);
    printer.printed.text.push('\n');
    printer.printed
}

struct Printer<'a> {
    printed: Printed,
    style: Style<'a>,
    last: Last,
}

/// What tokens stand in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Code,
    /// Brackets of which a last comma says nothing.
    List,
    /// A macro's definition or what it is called with, where every token may count.
    Macro,
}

/// What was written last, as far as it can run together with what follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Word,
    Literal,
    /// A sign, and whether the next one belongs to it.
    Sign(char, bool),
}

impl Printer<'_> {
    fn stream(&mut self, tokens: TokenStream, around: Around) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            if let Some(length) = idle_attribute(&tokens[at..]) {
                at += length;
                continue;
            }
            let (before, rest) = tokens.split_at(at);
            let is_last = rest.len() == 1;
            if self.style.tight && around != Around::Macro {
                if is_last && around == Around::List && is_sign(&rest[0], ',') {
                    break;
                }
                if is_scope_of_crate(before, &rest[0]) {
                    at += 1;
                    continue;
                }
            }
            match &rest[0] {
                TokenTree::Group(group) => self.group(group, inside(before, group, around)),
                token => self.token(token, rest.get(1)),
            }
            at += 1;
        }
    }

    fn group(&mut self, group: &Group, around: Around) {
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => ("", ""),
        };
        self.printed.text.push_str(open);
        if !open.is_empty() {
            self.last = Last::Nothing;
        }
        self.stream(group.stream(), around);
        self.printed.text.push_str(close);
        if !close.is_empty() {
            self.last = Last::Nothing;
        }
    }

    fn token(&mut self, token: &TokenTree, next: Option<&TokenTree>) {
        if self.style.marks.contains(&token.span().byte_range().start) {
            self.printed.text.push_str("#[deprecated]");
            self.last = Last::Nothing;
        }
        match token {
            TokenTree::Group(_) => {}
            TokenTree::Ident(name) => {
                if matches!(self.last, Last::Word | Last::Literal) {
                    self.printed.text.push(' ');
                }
                let name = name.to_string();
                self.printed.identifiers.push(self.printed.text.len());
                self.printed.text.push_str(self.style.names.get(&name).unwrap_or(&name));
                self.last = Last::Word;
            }
            TokenTree::Literal(literal) => {
                let mut literal = literal.to_string();
                if self.style.tight {
                    shorten_number(&mut literal, next);
                }
                let runs_together = match self.last {
                    Last::Word | Last::Literal => true,
                    // `-1` is one value in a pattern, `- 1` too; a range before a number with a leading point does not exist.
                    Last::Sign(..) | Last::Nothing => false,
                };
                if runs_together {
                    self.printed.text.push(' ');
                }
                self.printed.text.push_str(&literal);
                self.last = Last::Literal;
            }
            TokenTree::Punct(sign) => {
                let sign_is = sign.as_char();
                let runs_together = match self.last {
                    Last::Sign(before, is_joint) => !is_joint && can_join(before, sign_is),
                    // A word before a lifetime or a label would be its prefix; a number before a point is a float.
                    Last::Word => sign_is == '\'' || sign_is == '#',
                    Last::Literal => sign_is == '.' && self.printed.text.ends_with('.') || sign_is == '\'',
                    Last::Nothing => false,
                };
                if runs_together {
                    self.printed.text.push(' ');
                }
                self.printed.text.push(sign_is);
                // The name of a lifetime follows its sign at once.
                self.last = Last::Sign(sign_is, sign.spacing() == Spacing::Joint || sign_is == '\'');
            }
        }
    }
}

fn can_join(before: char, after: char) -> bool {
    const SIGNS: [&str; 19] = [
        "&&", "||", "<<", ">>", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "->",
        "=>", "..",
    ];
    let both = [before, after].iter().collect::<String>();
    SIGNS.contains(&&both[..]) || both == "::" || both == "<-" || both == "//" || both == "/*"
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// What stands in a group after these tokens.
fn inside(before: &[TokenTree], group: &Group, around: Around) -> Around {
    let is_call = match before {
        [.., bang, TokenTree::Ident(_)] | [.., bang] if is_sign(bang, '!') => true,
        _ => around == Around::Macro,
    };
    if is_call {
        return Around::Macro;
    }
    match group.delimiter() {
        Delimiter::Brace | Delimiter::Bracket => Around::List,
        // A comma makes a tuple of a value in parentheses, but not of an argument.
        Delimiter::Parenthesis => match before.last() {
            Some(TokenTree::Ident(word)) if !is_reserved(&word.to_string()) => Around::List,
            _ => Around::Code,
        },
        Delimiter::None => Around::Code,
    }
}

/// Whether this is the `(crate)` of `pub(crate)`: in one file everything is of the crate.
fn is_scope_of_crate(before: &[TokenTree], token: &TokenTree) -> bool {
    matches!(before.last(), Some(TokenTree::Ident(word)) if word == "pub")
        && matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis && group.stream().to_string() == "crate")
}

/// Takes out of a number what it can be read without.
fn shorten_number(literal: &mut String, next: Option<&TokenTree>) {
    if !literal.starts_with(|letter: char| letter.is_ascii_digit()) {
        return;
    }
    literal.retain(|letter| letter != '_');
    // `1.` before a name or another point would be something else.
    let is_before_sign = match next {
        None => true,
        Some(token) => matches!(token, TokenTree::Punct(_)) && !is_sign(token, '.'),
    };
    if literal.ends_with(".0") && is_before_sign {
        literal.pop();
    }
}

/// How many tokens an attribute without meaning for the program takes at the start of these.
fn idle_attribute(tokens: &[TokenTree]) -> Option<usize> {
    let is_sign = |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    if !is_sign(0, '#') {
        return None;
    }
    let at = if is_sign(1, '!') { 2 } else { 1 };
    let Some(TokenTree::Group(group)) = tokens.get(at) else { return None };
    let first = group.stream().into_iter().next()?;
    let is_idle = group.delimiter() == Delimiter::Bracket && IDLE.contains(&&first.to_string()[..]);
    is_idle.then_some(at + 1)
}
