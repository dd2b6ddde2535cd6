//! The same program in fewer characters: short names, no white space that the compiler can do without.
//!
//! Names are shortened by *spelling*: all identifiers of one spelling get the same new spelling wherever they stand, in macros too, so that
//! shadowing, shorthand fields and macro parameters stay what they are. Which spellings may change, the compiler says: at first all that the
//! file declares, and then, as long as there are errors, not those that the errors point at: a method that is the standard library's too, a
//! variable in a format string, a function of a trait from outside. New spellings are like no other word of the file, strings included, so
//! a name that compiles means what it meant. Only the text of names can differ: `stringify!` and derived `Debug`.

use crate::PackError;
use crate::prune::{Diagnostic, Scratch, check};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::str::FromStr;
use syn::visit::{self, Visit};

/// A shortened program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Minified {
    /// The source file.
    pub text: String,
    /// How many different names were shortened.
    pub renamed: usize,
    /// How many declared names had to stay.
    pub kept: usize,
}

/// The compiler is asked at most so often.
const ROUNDS: u32 = 60;

/// Shortens a program that is one file and compiles alone.
///
/// # Errors
/// A text that is no Rust source or does not compile, and a compiler that cannot be run.
pub fn minify(source: &str) -> Result<Minified, PackError> {
    let error = |error: &dyn std::fmt::Display| {
        PackError::general(format!("the file to shorten cannot be read: {error}"))
    };
    let file = syn::parse_file(source).map_err(|failure| error(&failure))?;
    let tokens = TokenStream::from_str(source).map_err(|failure| error(&failure))?;
    let mut declared = Declared::default();
    declared.visit_file(&file);
    let mut words = Words::default();
    words.read(tokens.clone());
    let mut names: BTreeSet<String> = declared.0.into_iter().filter(|name| !is_reserved(name)).collect();
    let scratch = Scratch::new()?;
    let all = names.len();
    for _ in 0..ROUNDS {
        let short = shortened(&names, &words);
        let text = print(tokens.clone(), &short);
        let path = scratch.write("short.rs", &text)?;
        let diagnostics = check(&path, &scratch.folder)?;
        let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|of| of.is_error()).collect();
        if errors.is_empty() {
            return Ok(Minified { text, renamed: short.len(), kept: all - names.len() });
        }
        let before = names.len();
        let long: HashMap<&str, &str> = short.iter().map(|(long, short)| (&short[..], &long[..])).collect();
        for error in &errors {
            let name = |word: &str| long.get(word).map_or(word, |&long| long).to_string();
            // The message's first words in backticks that are ours, or else all in the place that it points at.
            let quoted = error.message.split('`').skip(1).step_by(2).map(identifiers);
            let pointed = error.ranges().filter_map(|range| text.get(range)).map(identifiers);
            let accused = quoted
                .chain(pointed)
                .map(|words| words.map(name).filter(|name| names.contains(name)).collect::<Vec<String>>())
                .find(|words| !words.is_empty());
            accused.iter().flatten().for_each(|name| {
                names.remove(name);
            });
        }
        if names.len() == before {
            // No error names a word of ours: give up the names, and keep the saving of white space.
            if names.is_empty() {
                let words = errors[0].rendered.as_deref().unwrap_or(&errors[0].message);
                return Err(PackError::general(format!("the file to shorten does not compile:\n{words}")));
            }
            names.clear();
        }
    }
    Err(PackError::general(format!("after {ROUNDS} compilations names are still in doubt")))
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(move |letter| !is_part(letter))
        .filter(|word| word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_'))
}

/// Spellings in places that declare something.
#[derive(Default)]
struct Declared(BTreeSet<String>);

impl Declared {
    fn add(&mut self, name: &proc_macro2::Ident) {
        self.0.insert(name.to_string());
    }
}

impl<'ast> Visit<'ast> for Declared {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        match item {
            syn::Item::Const(item) => self.add(&item.ident),
            syn::Item::Enum(item) => self.add(&item.ident),
            syn::Item::Mod(item) => self.add(&item.ident),
            syn::Item::Static(item) => self.add(&item.ident),
            syn::Item::Struct(item) => self.add(&item.ident),
            syn::Item::Trait(item) => self.add(&item.ident),
            syn::Item::Type(item) => self.add(&item.ident),
            syn::Item::Macro(item) => {
                if let Some(name) = &item.ident {
                    self.add(name);
                }
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.add(&signature.ident);
        visit::visit_signature(self, signature);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        field.ident.iter().for_each(|name| self.add(name));
        visit::visit_field(self, field);
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.add(&variant.ident);
        visit::visit_variant(self, variant);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.add(&pattern.ident);
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_type_param(&mut self, parameter: &'ast syn::TypeParam) {
        self.add(&parameter.ident);
        visit::visit_type_param(self, parameter);
    }

    fn visit_const_param(&mut self, parameter: &'ast syn::ConstParam) {
        self.add(&parameter.ident);
        visit::visit_const_param(self, parameter);
    }

    fn visit_lifetime(&mut self, lifetime: &'ast syn::Lifetime) {
        self.add(&lifetime.ident);
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        match item {
            syn::ImplItem::Const(item) => self.add(&item.ident),
            syn::ImplItem::Type(item) => self.add(&item.ident),
            _ => {}
        }
        visit::visit_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        match item {
            syn::TraitItem::Const(item) => self.add(&item.ident),
            syn::TraitItem::Type(item) => self.add(&item.ident),
            _ => {}
        }
        visit::visit_trait_item(self, item);
    }

    fn visit_use_rename(&mut self, rename: &'ast syn::UseRename) {
        self.add(&rename.rename);
    }
}

/// How often each identifier stands in the file, and every word inside its literals.
#[derive(Default)]
struct Words {
    identifiers: HashMap<String, usize>,
    in_literals: BTreeSet<String>,
}

impl Words {
    fn read(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.read(group.stream()),
                TokenTree::Ident(name) => *self.identifiers.entry(name.to_string()).or_insert(0) += 1,
                TokenTree::Literal(literal) => {
                    self.in_literals.extend(identifiers(&literal.to_string()).map(str::to_string));
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

/// Words that a new name must not be: keywords, and names that are in scope without being written.
const RESERVED: &str = "Self as async await bool box break char const continue crate do dyn else enum extern f32 f64 false fn for gen \
if impl in i8 i16 i32 i64 i128 isize let loop macro main match mod move mut priv pub ref return self static str struct super trait true try \
type typeof u8 u16 u32 u64 u128 unsafe unsized use usize virtual where while yield union raw auto abstract become final override \
Box Copy Clone Debug Default Drop Eq Err Fn FnMut FnOnce From Hash Into Iterator None Ok Option Ord PartialEq PartialOrd Result Send Sized \
Some String Sync ToOwned ToString Vec dbg std core alloc test cfg doc";

fn is_reserved(name: &str) -> bool {
    name == "_" || name.starts_with("r#") || RESERVED.split_whitespace().any(|word| word == name)
}

/// The new spelling of each name, the most frequent the shortest.
fn shortened(names: &BTreeSet<String>, words: &Words) -> BTreeMap<String, String> {
    let mut order: Vec<(&String, usize)> =
        names.iter().map(|name| (name, words.identifiers.get(name).copied().unwrap_or(0))).collect();
    order.sort_by(|(a, often), (b, more)| more.cmp(often).then(a.cmp(b)));
    let is_free = |name: &String| {
        let is_taken = words.identifiers.contains_key(name) && !names.contains(name);
        !is_taken && !is_reserved(name) && !words.in_literals.contains(name)
    };
    let mut fresh = (0..).map(spelling).filter(is_free);
    order.into_iter().filter_map(|(name, _)| Some((name.clone(), fresh.next()?))).collect()
}

/// `a`, `b`, ..., `Z`, `aa`, ..., in this order.
fn spelling(number: usize) -> String {
    const FIRST: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const REST: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    let mut name = String::from(FIRST[number % FIRST.len()] as char);
    let mut rest = number / FIRST.len();
    while rest > 0 {
        rest -= 1;
        name.push(REST[rest % REST.len()] as char);
        rest /= REST.len();
    }
    name
}

/// Attributes that mean nothing to the program.
const IDLE: [&str; 6] = ["doc", "must_use", "allow", "warn", "deny", "expect"];

/// The tokens with their new names and with white space only where tokens would run together.
fn print(tokens: TokenStream, names: &BTreeMap<String, String>) -> String {
    let mut printer = Printer { text: String::from("#![allow(warnings)]"), names, last: Last::Nothing };
    printer.stream(tokens);
    printer.text.push('\n');
    printer.text
}

struct Printer<'a> {
    text: String,
    names: &'a BTreeMap<String, String>,
    last: Last,
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
    fn stream(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            if let Some(length) = idle_attribute(&tokens[at..]) {
                at += length;
                continue;
            }
            self.token(&tokens[at]);
            at += 1;
        }
    }

    fn token(&mut self, token: &TokenTree) {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                self.text.push_str(open);
                if !open.is_empty() {
                    self.last = Last::Nothing;
                }
                self.stream(group.stream());
                self.text.push_str(close);
                if !close.is_empty() {
                    self.last = Last::Nothing;
                }
            }
            TokenTree::Ident(name) => {
                if matches!(self.last, Last::Word | Last::Literal) {
                    self.text.push(' ');
                }
                let name = name.to_string();
                self.text.push_str(self.names.get(&name).unwrap_or(&name));
                self.last = Last::Word;
            }
            TokenTree::Literal(literal) => {
                let literal = literal.to_string();
                let runs_together = match self.last {
                    Last::Word | Last::Literal => true,
                    // `-1` is one value in a pattern, `- 1` too; a range before a number with a leading point does not exist.
                    Last::Sign(..) | Last::Nothing => false,
                };
                if runs_together {
                    self.text.push(' ');
                }
                self.text.push_str(&literal);
                self.last = Last::Literal;
            }
            TokenTree::Punct(sign) => {
                let sign_is = sign.as_char();
                let runs_together = match self.last {
                    Last::Sign(before, is_joint) => !is_joint && can_join(before, sign_is),
                    // A word before a lifetime or a label would be its prefix; a number before a point is a float.
                    Last::Word => sign_is == '\'' || sign_is == '#',
                    Last::Literal => sign_is == '.' && self.text.ends_with('.') || sign_is == '\'',
                    Last::Nothing => false,
                };
                if runs_together {
                    self.text.push(' ');
                }
                self.text.push(sign_is);
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
