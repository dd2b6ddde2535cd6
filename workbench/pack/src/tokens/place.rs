//! Questions about tokens that the tokens around them answer.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenTree};

/// Returns whether a group is the parameter list of a function.
pub(super) fn is_parameters(group: &Group, before: &[TokenTree]) -> bool {
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
pub(super) fn with_names(tokens: &[TokenTree]) -> Vec<TokenTree> {
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
pub(super) fn is_included_text(group: &Group, before: &[TokenTree]) -> bool {
    let is_attribute = group.delimiter() == Delimiter::Bracket
        && before.last().is_some_and(|last| is_punct(last, '#') || is_punct(last, '!'));
    let words: Vec<TokenTree> = group.stream().into_iter().take(3).collect();
    is_attribute
        && matches!(&words[..], [TokenTree::Ident(doc), equals, TokenTree::Ident(include)]
            if doc == "doc" && is_punct(equals, '=') && include == "include_str")
}

/// Returns whether `dyn` is used as a keyword, judging by the next token.
pub(super) fn is_type(next: Option<&TokenTree>) -> bool {
    match next {
        Some(TokenTree::Ident(_)) => true,
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
        _ => false,
    }
}

/// Returns whether a word starts a trait object without `dyn`, such as `&mut FnMut(u8) -> u8`, `Box<Fn()>` or
/// `type Action = Fn()`.
pub(super) fn is_bare_closure(word: &str, next: Option<&TokenTree>, before: &[TokenTree]) -> bool {
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
pub(super) fn starts_path(out: &[TokenTree]) -> bool {
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

/// Returns whether a group after these tokens is the argument list of `cfg`, `cfg_attr` or `cfg!`, or an attribute such
/// as `#![any(feature = "a")]`, with which macros are called.
pub(super) fn has_conditions(group: &Group, out: &[TokenTree]) -> bool {
    let first = group.stream().into_iter().next();
    let is_attribute = group.delimiter() == Delimiter::Bracket
        && out.last().is_some_and(|last| is_punct(last, '#') || is_punct(last, '!'));
    if is_attribute
        && matches!(first, Some(TokenTree::Ident(word))
            if ["all", "any", "feature", "not"].iter().any(|known| word == known))
    {
        return true;
    }
    let name = match out {
        [.., name, bang] if is_punct(bang, '!') => name,
        [.., name] => name,
        [] => return false,
    };
    matches!(name, TokenTree::Ident(name) if name == "cfg" || name == "cfg_attr")
}

pub(super) fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

pub(super) fn is_bang(token: Option<&TokenTree>) -> bool {
    token.is_some_and(|token| is_punct(token, '!'))
}

pub(super) fn is_path_separator(tokens: &[TokenTree], at: usize) -> bool {
    matches!((tokens.get(at), tokens.get(at + 1)), (Some(first), Some(second)) if is_punct(first, ':') && is_punct(second, ':')
        && matches!(first, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint))
}

/// Returns whether the path separator at the end starts a path (`::a`), or `None` if there is no separator at the end.
pub(super) fn preceding_separator(out: &[TokenTree]) -> Option<bool> {
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

pub(super) fn separator(span: Span) -> [TokenTree; 2] {
    [Spacing::Joint, Spacing::Alone].map(|spacing| {
        let mut colon = Punct::new(':', spacing);
        colon.set_span(span);
        colon.into()
    })
}
