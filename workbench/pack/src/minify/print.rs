//! Prints tokens as compactly as the compiler allows.

use super::reserved::is_reserved;
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// Attributes that do not affect the program.
const IDLE: [&str; 6] = ["doc", "must_use", "allow", "warn", "deny", "expect"];

/// The style in which tokens are printed.
#[derive(Clone, Copy)]
pub(super) struct Style<'a> {
    /// The new spellings of names.
    pub names: &'a BTreeMap<String, String>,
    /// Whether to omit parts that the compiler does not need: trailing commas, underscores and final zeros in numbers,
    /// and the `(crate)` in `pub(crate)`.
    pub tight: bool,
    /// The positions in the source at which `#[deprecated]` is inserted.
    pub marks: &'a BTreeSet<usize>,
    /// Whether to add line breaks. Short lines make the compiler faster, because its messages quote whole lines.
    pub lines: bool,
}

/// The printed text, and the start positions of its identifiers, in order.
pub(super) struct Printed {
    pub text: String,
    pub identifiers: Vec<usize>,
}

/// Prints the tokens, with white space only between tokens that would otherwise be merged into one.
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

/// The context of tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Code,
    /// Brackets in which a trailing comma has no effect.
    List,
    /// The definition of a macro or the arguments of a macro call, in which every token may be significant.
    Macro,
    /// The arguments of a formatting macro, with the number of commas before the format string.
    Format(usize),
}

/// The standard library's macros with a format string, and the number of arguments before it.
const FORMATS: [(&str, usize); 14] = [
    ("format", 0),
    ("print", 0),
    ("println", 0),
    ("eprint", 0),
    ("eprintln", 0),
    ("panic", 0),
    ("unreachable", 0),
    ("format_args", 0),
    ("write", 1),
    ("writeln", 1),
    ("assert", 1),
    ("debug_assert", 1),
    ("assert_eq", 2),
    ("assert_ne", 2),
];

/// The kind of the last token. It determines whether a space is needed before the next token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Word,
    Literal,
    /// A punctuation character, and whether the next character is part of the same operator.
    Sign(char, bool),
}

impl Printer<'_> {
    fn stream(&mut self, tokens: TokenStream, around: Around) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut at, mut commas) = (0, 0);
        while at < tokens.len() {
            if let Some(length) = idle_attribute(&tokens[at..]) {
                at += length;
                continue;
            }
            let (before, rest) = tokens.split_at(at);
            let is_last = rest.len() == 1;
            if self.style.tight && !matches!(around, Around::Macro | Around::Format(_)) {
                if is_last && around == Around::List && is_sign(&rest[0], ',') {
                    break;
                }
                if is_scope_of_crate(before, &rest[0]) {
                    at += 1;
                    continue;
                }
            }
            match &rest[0] {
                TokenTree::Group(group) => {
                    let inside = inside(before, group, around, self.style.names);
                    self.group(group, inside);
                }
                TokenTree::Literal(text) if around == Around::Format(commas) => {
                    let text = rename_captures(&text.to_string(), self.style.names);
                    self.literal(&text);
                }
                // The numbers in nested tuple fields, `.0.0`, look like one number.
                TokenTree::Literal(number)
                    if self.style.tight
                        && around != Around::Macro
                        && !before.last().is_some_and(|token| is_sign(token, '.')) =>
                {
                    self.literal(&shorter_number(number.to_string(), rest.get(1)));
                }
                token => self.token(token),
            }
            commas += usize::from(is_sign(&rest[0], ','));
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
        self.break_line(open == "{");
        self.stream(group.stream(), around);
        self.printed.text.push_str(close);
        self.break_line(close == "}");
        if !close.is_empty() {
            self.last = Last::Nothing;
        }
    }

    fn break_line(&mut self, is_end: bool) {
        if is_end && self.style.lines {
            self.printed.text.push('\n');
        }
    }

    fn literal(&mut self, literal: &str) {
        // In a pattern, `-1` is one value, and so is `- 1`. A range before a number with a leading point cannot occur.
        if matches!(self.last, Last::Word | Last::Literal) {
            self.printed.text.push(' ');
        }
        self.printed.text.push_str(literal);
        self.last = Last::Literal;
    }

    fn token(&mut self, token: &TokenTree) {
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
            TokenTree::Literal(literal) => self.literal(&literal.to_string()),
            TokenTree::Punct(sign) => {
                let sign_is = sign.as_char();
                let runs_together = match self.last {
                    Last::Sign(before, is_joint) => !is_joint && can_join(before, sign_is),
                    // A word before a lifetime or a label would become its prefix, and a number before a point would
                    // become a float.
                    Last::Word => sign_is == '\'' || sign_is == '#',
                    Last::Literal => sign_is == '.' && self.printed.text.ends_with('.') || sign_is == '\'',
                    Last::Nothing => false,
                };
                if runs_together {
                    self.printed.text.push(' ');
                }
                self.printed.text.push(sign_is);
                self.break_line(matches!(sign_is, ';' | ','));
                // The name of a lifetime must directly follow its quote.
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

/// Returns the context of the tokens in a group that follows the tokens `before`.
fn inside(before: &[TokenTree], group: &Group, around: Around, names: &BTreeMap<String, String>) -> Around {
    match before {
        [.., TokenTree::Ident(name), bang] if is_sign(bang, '!') => {
            // A macro in the file with the same name may have its own rules.
            let is_own = names.contains_key(&name.to_string());
            let format = FORMATS.iter().find(|(known, _)| name == known && !is_own);
            return format.map_or(Around::Macro, |&(_, arguments)| Around::Format(arguments));
        }
        [.., bang, TokenTree::Ident(_)] | [.., bang] if is_sign(bang, '!') => return Around::Macro,
        _ if matches!(around, Around::Macro | Around::Format(_)) => return Around::Macro,
        _ => {}
    }
    match group.delimiter() {
        Delimiter::Brace | Delimiter::Bracket => Around::List,
        // In parentheses, a comma turns a value into a tuple, but not in a list of arguments.
        Delimiter::Parenthesis => match before.last() {
            Some(TokenTree::Ident(word)) if !is_reserved(&word.to_string()) => Around::List,
            _ => Around::Code,
        },
        Delimiter::None => Around::Code,
    }
}

/// Returns whether the token is the `(crate)` of `pub(crate)`, which has no effect because the whole file is one crate.
fn is_scope_of_crate(before: &[TokenTree], token: &TokenTree) -> bool {
    matches!(before.last(), Some(TokenTree::Ident(word)) if word == "pub")
        && matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis && group.stream().to_string() == "crate")
}

/// Replaces the names of variables in the braces of a format string, such as `{name:>width$}`.
fn rename_captures(literal: &str, names: &BTreeMap<String, String>) -> String {
    let is_raw = literal.starts_with('r');
    let mut out = String::with_capacity(literal.len());
    let mut rest = literal;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let is_escape = !is_raw && before.ends_with("\\u");
        let end = match from.find('}') {
            Some(end) if !from.starts_with("{{") && !is_escape => end,
            _ => {
                let length = if from.starts_with("{{") { 2 } else { 1 };
                out.push_str(&from[..length]);
                rest = &from[length..];
                continue;
            }
        };
        let (name, specification) = from[1..end].split_once(':').unwrap_or((&from[1..end], ""));
        let new = |name: &str| names.get(name).map_or(name, |new| new).to_string();
        out.push('{');
        out.push_str(&new(name));
        if name.len() < end - 1 {
            out.push(':');
        }
        // In a format specification, a name before a `$` is a width or a precision.
        let pieces: Vec<&str> = specification.split('$').collect();
        for (number, piece) in pieces.iter().enumerate() {
            let is_last = number + 1 == pieces.len();
            let start = piece.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_');
            let start = start.map_or(0, |at| at + piece[at..].chars().next().map_or(1, char::len_utf8));
            let (signs, name) = if is_last { (*piece, "") } else { piece.split_at(start) };
            out.push_str(signs);
            out.push_str(&new(name));
            out.push_str(if is_last { "" } else { "$" });
        }
        rest = &from[end..];
    }
    out + rest
}

/// Shortens a number without changing its value.
fn shorter_number(mut literal: String, next: Option<&TokenTree>) -> String {
    if literal.starts_with(|letter: char| letter.is_ascii_digit()) {
        literal.retain(|letter| letter != '_');
        // A `1.` before a name or another point would have another meaning.
        let is_before_sign = match next {
            None => true,
            Some(token) => matches!(token, TokenTree::Punct(_)) && !is_sign(token, '.'),
        };
        if literal.ends_with(".0") && is_before_sign {
            literal.pop();
        }
    }
    literal
}

/// Returns the number of tokens in the attribute at the start of `tokens`, if the attribute does not affect the
/// program.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn tight(text: &str) -> String {
        let none = (BTreeMap::new(), BTreeSet::new());
        let style = Style { names: &none.0, tight: true, marks: &none.1, lines: false };
        print(text.parse().unwrap(), style).text.trim_end().to_string()
    }

    #[test]
    fn what_is_left_out_means_nothing() {
        assert_eq!(tight("f(1_000, 2.0, (a,), [1.0, b.0.0,],)"), "f(1000,2.,(a,),[1.,b.0.0])");
        assert_eq!(tight("m!(1.0, 2_0,); 1.0.max(0x_ff); 1.0 ..2.0"), "m!(1.0,2_0,);1.0.max(0xff);1.0..2.0");
        assert_eq!(tight("pub(crate) struct A { pub(super) b: (T,), }"), "pub struct A{pub(super)b:(T,)}");
        assert_eq!(
            tight("- 1 - -a && &b; a < -b; x as u8 ; 'a: loop {}"),
            "-1--a&& &b;a< -b;x as u8;'a:loop{}"
        );
    }

    #[test]
    fn lines_end_after_statements_and_fields() {
        let none = (BTreeMap::new(), BTreeSet::new());
        let style = Style { names: &none.0, tight: true, marks: &none.1, lines: true };
        let text = print("fn f() { g(1, 2); h }".parse().unwrap(), style).text;
        assert_eq!(text, "fn f(){\ng(1,\n2);\nh}\n\n");
    }

    #[test]
    fn variables_in_formats_are_renamed() {
        let names = [("value", "a"), ("width", "b"), ("u", "c")];
        let names = names.map(|(long, short)| (long.to_string(), short.to_string())).into();
        let renamed = |text: &str| rename_captures(text, &names);
        assert_eq!(renamed(r#""{value}, {{value}} {value:?}""#), r#""{a}, {{value}} {a:?}""#);
        assert_eq!(renamed(r#""{value:>width$.width$} {0:é^width$}""#), r#""{a:>b$.b$} {0:é^b$}""#);
        assert_eq!(renamed(r#""\u{1F600}{u} { {""#), r#""\u{1F600}{c} { {""#);
        assert_eq!(renamed(r#""value {} {other:width.3}""#), r#""value {} {other:width.3}""#);
    }
}
