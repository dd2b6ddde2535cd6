//! Expands calls of the file's macros that produce items. The compiler can then report the resulting items if they are
//! unused, and pruning can remove them.
//!
//! Declarative macros are expanded as in the language reference: rules are tried in order, and `syn` parses the
//! fragments. Calls with unsupported features are not expanded. The expansion is not hygienic, which rarely matters
//! because items have no local variables. The exception is a macro that creates functions containing expressions from
//! its caller.

use crate::cfg::is_kept;
use crate::clean::item_attributes;
use crate::reach::PLAIN_MACROS;
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use std::collections::HashMap;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, Item, Type};

/// Maximum depth of nested calls.
const MAX_DEPTH: usize = 32;

/// Expands the macro calls that produce items in a file.
pub fn expand(file: &mut syn::File) {
    let mut macros = HashMap::new();
    collect(&file.items, &mut macros);
    items(&mut file.items, &macros, 0);
}

/// The macros, by name. If macros share a name, their calls are ambiguous and are not expanded.
type Macros = HashMap<String, Option<Vec<Rule>>>;

fn collect(items: &[Item], macros: &mut Macros) {
    for item in items {
        match item {
            Item::Mod(module) => collect(module.content.as_ref().map_or(&[], |(_, items)| items), macros),
            Item::Macro(item) => {
                let Some(name) = &item.ident else { continue };
                let rules = rules(item.mac.tokens.clone());
                macros.entry(name.to_string()).and_modify(|known| *known = None).or_insert(rules);
            }
            _ => {}
        }
    }
}

fn items(all: &mut Vec<Item>, macros: &Macros, depth: usize) {
    for mut item in std::mem::take(all) {
        if let Item::Mod(module) = &mut item
            && let Some((_, inner)) = &mut module.content
        {
            items(inner, macros, depth);
        }
        match made(&item, macros).filter(|_| depth < MAX_DEPTH) {
            Some(mut made) => {
                items(&mut made, macros, depth + 1);
                all.extend(made);
            }
            None => {
                if matches!(item, Item::Macro(_)) {
                    Tidy.visit_item_mut(&mut item);
                }
                all.push(item);
            }
        }
    }
}

/// Returns the items that a macro call produces.
fn made(item: &Item, macros: &Macros) -> Option<Vec<Item>> {
    let Item::Macro(item) = item else { return None };
    if item.ident.is_some() {
        return None;
    }
    let name = item.mac.path.segments.last()?.ident.to_string();
    let mut made = apply(macros.get(&name)?.as_ref()?, &item.mac)?;
    // A condition of the call is a condition of each item.
    let conditions: Vec<&Attribute> =
        item.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect();
    for attributes in made.iter_mut().filter_map(item_attributes) {
        attributes.splice(0..0, conditions.iter().copied().cloned());
    }
    Some(made)
}

/// Returns the items that a macro with this definition produces for a call. Returns `None` if they are unknown.
pub(crate) fn expansion(definition: TokenStream, call: &syn::Macro) -> Option<Vec<Item>> {
    apply(&rules(definition)?, call)
}

fn apply(rules: &[Rule], call: &syn::Macro) -> Option<Vec<Item>> {
    let tokens = rules.iter().find_map(|rule| rule.apply(call.tokens.clone()))?;
    let mut file: syn::File = syn::parse2(tokens).ok()?;
    // Calls between items may be expanded too.
    let others = file.items.iter_mut().filter(|item| !matches!(item, Item::Macro(_)));
    others.for_each(|item| Tidy.visit_item_mut(item));
    for item in &mut file.items {
        // As for imports in files.
        if let Item::Use(syn::ItemUse { vis: vis @ syn::Visibility::Public(_), .. }) = item {
            *vis = syn::parse_quote!(pub(crate));
        }
    }
    Some(file.items)
}

/// A visitor that removes documentation and the invisible brackets around substituted variables. The printer adds
/// visible brackets if they are needed. In the arguments of a macro, they become visible brackets here.
struct Tidy;

impl VisitMut for Tidy {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| is_kept(attribute).unwrap_or(true));
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        while let Expr::Group(group) = expression {
            let inner = std::mem::replace(&mut *group.expr, Expr::PLACEHOLDER);
            *expression = inner;
        }
        visit_mut::visit_expr_mut(self, expression);
    }

    fn visit_type_mut(&mut self, of: &mut Type) {
        while let Type::Group(group) = of {
            let inner = (*group.elem).clone();
            *of = inner;
        }
        visit_mut::visit_type_mut(self, of);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        let name = call.path.segments.last().map(|last| last.ident.to_string());
        let is_plain = name.is_some_and(|name| PLAIN_MACROS.contains(&&name[..]));
        call.tokens = with_brackets(std::mem::take(&mut call.tokens), is_plain);
    }
}

/// Replaces the invisible brackets around several tokens by visible ones. If the tokens are arguments of a macro with
/// plain code, brackets between separators are not needed.
fn with_brackets(tokens: TokenStream, is_plain: bool) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_end =
        |token: Option<&TokenTree>| token.is_none_or(|token| is_punct(token, ',') || is_punct(token, ';'));
    let mut out = TokenStream::new();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            out.extend([token.clone()]);
            continue;
        };
        let called = match &tokens[..at] {
            [.., TokenTree::Ident(name), bang] if is_punct(bang, '!') => Some(name.to_string()),
            _ => None,
        };
        let is_plain = called.map_or(is_plain, |name| PLAIN_MACROS.contains(&&name[..]));
        let inner = with_brackets(group.stream(), is_plain);
        if group.delimiter() != Delimiter::None {
            let mut made = Group::new(group.delimiter(), inner);
            made.set_span(group.span());
            out.extend([TokenTree::from(made)]);
            continue;
        }
        let is_alone =
            is_plain && is_end(at.checked_sub(1).map(|at| &tokens[at])) && is_end(tokens.get(at + 1));
        if inner.is_empty() {
            // The compiler does not take `[]` for `[$name:vis]`.
            out.extend(quote::quote!(pub(self)));
        } else if is_alone || inner.clone().into_iter().nth(1).is_none() {
            out.extend(inner);
        } else if [1, 2].iter().all(|more| tokens.get(at + more).is_some_and(|next| is_punct(next, ':'))) {
            // A type before the name of its member.
            out.extend(quote::quote!(<#inner>));
        } else {
            out.extend(quote::quote!((#inner)));
        }
    }
    out
}

/// A rule of a macro.
struct Rule {
    matcher: Vec<Piece>,
    transcriber: Vec<Piece>,
}

/// A part of a rule's pattern or expansion.
enum Piece {
    Token(TokenTree),
    Group(Delimiter, Vec<Piece>),
    /// A variable and the kind of its fragment. In an expansion, the kind is empty.
    Variable(String, String),
    Repeat {
        body: Vec<Piece>,
        separator: Option<TokenTree>,
        operator: char,
    },
}

/// The values of variables, nested as deeply as their repetitions.
type Bindings = HashMap<String, Bound>;

#[derive(Clone)]
enum Bound {
    One(TokenStream),
    Many(Vec<Bound>),
}

/// Parses the rules in the body of a macro definition. Returns `None` if the body contains unsupported features.
fn rules(body: TokenStream) -> Option<Vec<Rule>> {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let sides = tokens.split(|token| is_punct(token, ';')).filter(|side| !side.is_empty());
    sides
        .map(|rule| match rule {
            [TokenTree::Group(matcher), equals, greater, TokenTree::Group(transcriber)]
                if is_punct(equals, '=') && is_punct(greater, '>') =>
            {
                let transcriber = pieces(transcriber.stream(), false)?;
                Some(Rule { matcher: pieces(matcher.stream(), true)?, transcriber })
            }
            _ => None,
        })
        .collect()
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn pieces(tokens: TokenStream, is_matcher: bool) -> Option<Vec<Piece>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut pieces = Vec::new();
    let mut rest = &tokens[..];
    while let [token, after @ ..] = rest {
        rest = after;
        pieces.push(match (token, rest) {
            (TokenTree::Punct(dollar), [TokenTree::Group(group), after @ ..])
                if dollar.as_char() == '$' && group.delimiter() == Delimiter::Parenthesis =>
            {
                let body = self::pieces(group.stream(), is_matcher)?;
                let operator = |token: &TokenTree| match token {
                    TokenTree::Punct(punct) if "*+?".contains(punct.as_char()) => Some(punct.as_char()),
                    _ => None,
                };
                let (separator, operator) = match after {
                    [first, ..] if operator(first).is_some() => {
                        rest = &after[1..];
                        (None, operator(first)?)
                    }
                    [separator, second, ..] => {
                        rest = &after[2..];
                        (Some(separator.clone()), operator(second)?)
                    }
                    _ => return None,
                };
                Piece::Repeat { body, separator, operator }
            }
            (TokenTree::Punct(dollar), [TokenTree::Ident(name), after @ ..]) if dollar.as_char() == '$' => {
                rest = after;
                match after {
                    _ if name == "crate" => Piece::Token(name.clone().into()),
                    [colon, TokenTree::Ident(kind), after @ ..] if is_matcher && is_punct(colon, ':') => {
                        rest = after;
                        Piece::Variable(name.to_string(), kind.to_string())
                    }
                    _ if is_matcher => return None,
                    _ => Piece::Variable(name.to_string(), String::new()),
                }
            }
            (TokenTree::Punct(dollar), _) if dollar.as_char() == '$' => return None,
            (TokenTree::Group(group), _) => {
                Piece::Group(group.delimiter(), self::pieces(group.stream(), is_matcher)?)
            }
            (token, _) => Piece::Token(token.clone()),
        });
    }
    Some(pieces)
}

impl Rule {
    /// Returns the expansion of a macro call with these tokens, or `None` if the rule does not match.
    fn apply(&self, call: TokenStream) -> Option<TokenStream> {
        let mut bindings = Bindings::new();
        let read = |input: ParseStream<'_>| read(&self.matcher, input, &mut bindings);
        read.parse2(call).ok()?;
        transcribe(&self.transcriber, &bindings)
    }
}

fn read(matcher: &[Piece], input: ParseStream<'_>, bindings: &mut Bindings) -> syn::Result<()> {
    for piece in matcher {
        match piece {
            Piece::Token(token) => read_token(token, input)?,
            Piece::Group(delimiter, inner) => {
                let TokenTree::Group(group) = input.parse()? else { return Err(input.error("a group")) };
                if group.delimiter() != *delimiter {
                    return Err(input.error("another group"));
                }
                let read = |input: ParseStream<'_>| read(inner, input, bindings);
                read.parse2(group.stream())?;
            }
            Piece::Variable(name, kind) => {
                bindings.insert(name.clone(), Bound::One(read_fragment(kind, input)?));
            }
            Piece::Repeat { body, separator, operator } => {
                let mut rounds: Vec<Bindings> = Vec::new();
                while !input.is_empty() && (*operator != '?' || rounds.is_empty()) {
                    let ahead = input.fork();
                    let mut round = Bindings::new();
                    let separated = match separator.as_ref().filter(|_| !rounds.is_empty()) {
                        Some(separator) => read_token(separator, &ahead),
                        None => Ok(()),
                    };
                    if separated.and_then(|()| read(body, &ahead, &mut round)).is_err() {
                        break;
                    }
                    syn::parse::discouraged::Speculative::advance_to(input, &ahead);
                    rounds.push(round);
                }
                if *operator == '+' && rounds.is_empty() {
                    return Err(input.error("one at least"));
                }
                for name in variables(body) {
                    let many = rounds.iter().filter_map(|round| round.get(name).cloned()).collect();
                    bindings.insert(name.to_string(), Bound::Many(many));
                }
            }
        }
    }
    Ok(())
}

fn read_token(wanted: &TokenTree, input: ParseStream<'_>) -> syn::Result<()> {
    let found: TokenTree = input.parse()?;
    if found.to_string() == wanted.to_string() { Ok(()) } else { Err(input.error("another token")) }
}

/// Parses a fragment. Expressions and types are grouped, so that they stay together in every context.
fn read_fragment(kind: &str, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    use quote::ToTokens;
    fn tokens<T: Parse + ToTokens>(input: ParseStream<'_>) -> syn::Result<TokenStream> {
        Ok(input.parse::<T>()?.into_token_stream())
    }
    let together =
        |tokens: TokenStream| TokenStream::from(TokenTree::from(Group::new(Delimiter::None, tokens)));
    match kind {
        "expr" => tokens::<Expr>(input).map(together),
        "ty" => tokens::<Type>(input).map(together),
        "ident" => Ok(input.call(syn::Ident::parse_any)?.into_token_stream()),
        "literal" => {
            let minus = if input.peek(syn::Token![-]) {
                tokens::<syn::Token![-]>(input)?
            } else {
                TokenStream::new()
            };
            Ok(minus.into_iter().chain(tokens::<syn::Lit>(input)?).collect())
        }
        "path" => tokens::<syn::Path>(input),
        "meta" => tokens::<syn::Meta>(input),
        "vis" => tokens::<syn::Visibility>(input),
        "lifetime" => tokens::<syn::Lifetime>(input),
        "block" => tokens::<syn::Block>(input),
        "item" => tokens::<Item>(input),
        "pat" => Ok(input.call(syn::Pat::parse_multi_with_leading_vert)?.into_token_stream()),
        "tt" => read_tree(input),
        _ => Err(input.error("an unknown kind of fragment")),
    }
}

/// Signs of several characters that are one token for a macro.
const SIGNS: [&str; 25] = [
    "<<=", ">>=", "...", "..=", "..", "<<", ">>", "=>", "==", "!=", "<=", ">=", "->", "<-", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "^=", "&=", "|=", "::",
];

/// Parses one token as macros count them: all characters of a sign such as `<<` together, and a lifetime with its name.
fn read_tree(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let ahead = input.fork();
    let (mut signs, mut length) = (String::new(), 1);
    while let Ok(TokenTree::Punct(sign)) = ahead.parse() {
        signs.push(sign.as_char());
        if SIGNS.contains(&&signs[..]) {
            length = signs.len();
        }
        if sign.as_char() == '\'' {
            length = 2;
            break;
        }
        if signs.len() == 3 || sign.spacing() == Spacing::Alone {
            break;
        }
    }
    (0..length).map(|_| input.parse::<TokenTree>()).collect()
}

fn variables(pieces: &[Piece]) -> Vec<&str> {
    pieces
        .iter()
        .flat_map(|piece| match piece {
            Piece::Token(_) => Vec::new(),
            Piece::Variable(name, _) => vec![&name[..]],
            Piece::Group(_, body) | Piece::Repeat { body, .. } => variables(body),
        })
        .collect()
}

/// Separates the last sign of a fragment from the signs after it. In `of!(/, x)` the fragment `/` is joined to the
/// comma, and would become a part of `/*`.
fn apart(tokens: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if let Some(TokenTree::Punct(last)) = tokens.last_mut()
        && last.as_char() != '\''
    {
        let mut alone = Punct::new(last.as_char(), Spacing::Alone);
        alone.set_span(last.span());
        *last = alone;
    }
    tokens.into_iter().collect()
}

fn dollar() -> TokenTree {
    Punct::new('$', Spacing::Alone).into()
}

/// Returns the expansion of a rule with these bindings, or `None` if the length of a repetition is undefined.
fn transcribe(pieces: &[Piece], bindings: &Bindings) -> Option<TokenStream> {
    let mut out = TokenStream::new();
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Token(token) => out.extend([token.clone()]),
            Piece::Group(delimiter, inner) => {
                let group = Group::new(*delimiter, transcribe(inner, bindings)?);
                out.extend([TokenTree::from(group)]);
            }
            Piece::Variable(name, _) => match bindings.get(name) {
                // A visibility that is not written still counts as one at the end of another macro's arguments.
                Some(Bound::One(tokens)) if tokens.is_empty() && at + 1 == pieces.len() => {
                    out.extend([TokenTree::from(Group::new(Delimiter::None, TokenStream::new()))]);
                }
                Some(Bound::One(tokens)) => out.extend(apart(tokens.clone())),
                Some(Bound::Many(_)) => return None,
                // The variable of another macro, which the expansion defines.
                None => out.extend([dollar(), Ident::new(name, Span::call_site()).into()]),
            },
            Piece::Repeat { body, separator, operator }
                if variables(body).iter().all(|name| !bindings.contains_key(*name)) =>
            {
                let body = Group::new(Delimiter::Parenthesis, transcribe(body, bindings)?);
                out.extend([dollar(), body.into()]);
                out.extend(separator.clone());
                out.extend([TokenTree::from(Punct::new(*operator, Spacing::Alone))]);
            }
            Piece::Repeat { body, separator, .. } => {
                let lengths = variables(body).into_iter().filter_map(|name| match bindings.get(name) {
                    Some(Bound::Many(many)) => Some(many.len()),
                    _ => None,
                });
                for at in 0..lengths.max()? {
                    let mut round = bindings.clone();
                    for name in variables(body) {
                        if let Some(Bound::Many(many)) = bindings.get(name) {
                            round.insert(name.to_string(), many.get(at)?.clone());
                        }
                    }
                    out.extend(separator.clone().filter(|_| at > 0));
                    out.extend(transcribe(body, &round)?);
                }
            }
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> String {
        let mut file: syn::File = syn::parse_str(text).unwrap();
        expand(&mut file);
        file.items.retain(|item| !matches!(item, Item::Macro(item) if item.ident.is_some()));
        crate::syntax::print(&file)
    }

    fn same(text: &str, expected: &str) {
        let expected: syn::File = syn::parse_str(expected).unwrap();
        assert_eq!(expanded(text), crate::syntax::print(&expected));
    }

    #[test]
    fn conditions_of_calls_hold_for_their_items() {
        same(
            "macro_rules! never { ($($item:item)*) => { $( #[cfg(any())] $item )* }; }
             macro_rules! always { ($($item:item)*) => { $( #[cfg(all())] $item )* }; }
             never! { always! { mod lost; use lost::Name; } }
             always! { mod found {} }",
            "#[cfg(any())] #[cfg(all())] mod lost;
             #[cfg(any())] #[cfg(all())] use lost::Name;
             #[cfg(all())] mod found {}",
        );
    }

    #[test]
    fn repetitions_fragments_and_outer_variables() {
        same(
            "macro_rules! make {
                 ($t:ty; $($name:ident $(= $x:expr)?),+ $(,)?) => {
                     $( pub fn $name() -> $t { [$($x,)? 7][0] } )+
                 };
             }
             make! { u8; one = 1, two, }
             mod inner { make!(Vec<i32>; three = vec![3]); }",
            "pub fn one() -> u8 { [1, 7][0] }
             pub fn two() -> u8 { [7][0] }
             mod inner { pub fn three() -> Vec<i32> { [vec![3], 7][0] } }",
        );
    }

    #[test]
    fn expressions_keep_together() {
        same(
            "macro_rules! twice { ($name:ident, $x:expr) => { const $name: i32 = $x * 2; static S: i32 = $x; }; }
             twice!(A, 1 + 2);",
            "const A: i32 = (1 + 2) * 2; static S: i32 = 1 + 2;",
        );
    }

    #[test]
    fn arguments_of_other_calls_keep_together() {
        let made = expanded(
            "macro_rules! table {
                 ($name:ident, $t:ty, $x:expr, $($more:tt)*) => {
                     const $name: u32 = other!($x $($more)*);
                     fn sum() -> u32 { assert!($x < $t::MAX, \"{}\", $x); other!($t, $x) }
                 };
             }
             table!(A, Vec<u8>, 1 + 2, << 3 => 'a ..= 4);",
        );
        for part in
            ["other!((1 + 2) << 3 => 'a..= 4)", "assert!((1 + 2) < < Vec < u8 > > ::MAX, \"{}\", 1 + 2)"]
        {
            assert!(made.contains(part), "{part} is not in {made}");
        }
        assert!(made.contains("other!((Vec < u8 >), (1 + 2))"), "{made}");
    }

    #[test]
    fn exports_stay_in_the_file() {
        same(
            "macro_rules! all { ($($of:item)*) => { $($of)* }; } all! { pub use a::B; pub fn c() {} }",
            "pub(crate) use a::B; pub fn c() {}",
        );
    }

    #[test]
    fn rules_are_tried_in_order_and_may_call_others() {
        same(
            "macro_rules! inner { (a) => { struct A; }; ($x:tt) => { struct Other; }; }
             macro_rules! outer { ($($x:tt)*) => { $(crate::inner!($x);)* }; }
             outer!(a b);",
            "struct A; struct Other;",
        );
    }

    #[test]
    fn a_visibility_that_is_not_written_is_passed_on() {
        let text = "macro_rules! odd { ($x:nothing) => {}; }
             macro_rules! inner { ([$v:vis] $n:ident) => { $v struct $n; odd! { [$v] [$v $n] } }; }
             macro_rules! outer { ($v:vis $n:ident) => { inner! { [$v] $n } }; }
             outer!(A); outer!(pub B);";
        same(
            text,
            "struct A; odd! { [pub(self)] [A] }
             pub struct B; odd! { [pub] [pub B] }",
        );
    }

    #[test]
    fn a_macro_may_define_another_one() {
        same(
            "macro_rules! outer { ($n:ident) => { macro_rules! inner { ($x:expr $(, $y:expr)*) => { $x $(+ $y)* }; } struct $n; }; }
             outer!(A);",
            "struct A;",
        );
    }

    #[test]
    fn what_is_not_understood_stays_a_call() {
        let call = "macro_rules! odd { ($x:nothing) => { struct A; }; } odd!(1);";
        assert!(expanded(call).contains("odd!(1)"));
        assert!(expanded("thread_local! { static A: u8 = 1; }").contains("thread_local!"));
        let two = "macro_rules! a { () => {}; } mod b { macro_rules! a { () => { struct A; }; } } a!();";
        assert!(expanded(two).contains("a!()"));
        let endless = "macro_rules! again { () => { again!(); }; } again!();";
        assert!(expanded(endless).contains("again!()"));
    }
}
