//! Mentions of names in code.

use super::names::{impl_member, last, type_name};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::HashSet;
use syn::UseTree;
use syn::visit::{self, Visit};

/// A mention of a name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Mention {
    /// The name in any place in which it can be an item: alone, or as a part of a path.
    Item(String),
    /// The name of a macro in a call.
    Macro(String),
    /// The name of a method in a call.
    Method(String),
    /// The name after any path.
    Member(String),
    /// The name after a path that ends with this type or module.
    MemberOf(String, String),
    /// The name after a path that can end with any type, such as a type parameter.
    MemberOfAny(String),
    /// Nothing mentions this: the code cannot compile any more.
    Never,
}

impl Mention {
    /// Returns the mentions of a name that can become anything.
    pub fn all(name: &str) -> [Mention; 5] {
        [Mention::Item, Mention::Macro, Mention::Method, Mention::Member, Mention::MemberOfAny]
            .map(|kind| kind(name.to_string()))
    }
}

/// Facts about a program that decide what a mention can mean.
#[derive(Default)]
pub(super) struct Facts {
    /// Names that can stand for any type: type parameters, associated types, aliases and renamed imports.
    vague: HashSet<String>,
    /// Types, traits and constants whose names start with a small letter.
    small: HashSet<String>,
    /// Members that types have without a trait: the name of the type, and the name of the member.
    inherent: HashSet<(String, String)>,
    /// Renamed imports: the old name and the new name.
    pub renamed: Vec<(String, String)>,
}

/// Number types for which a program needs implementations only if it names the type. The compiler's default types and
/// the types of lengths and bytes, which many programs use without their names, are not among them.
pub(super) const NUMBERS: [&str; 10] =
    ["f32", "i8", "i16", "i64", "i128", "isize", "u16", "u32", "u64", "u128"];

impl Facts {
    pub fn of(file: &syn::File) -> Facts {
        let small = NUMBERS.map(str::to_string).into();
        let mut facts = Facts { small, ..Facts::default() };
        facts.visit_file(file);
        facts
    }

    /// Returns whether a name can stand for any type.
    pub fn is_vague(&self, name: &str) -> bool {
        self.vague.contains(name)
    }

    /// Returns whether a name can be a type, a trait or a constant.
    pub fn is_item(&self, name: &str) -> bool {
        !starts_small(name) || self.small.contains(name)
    }
}

impl Visit<'_> for Facts {
    fn visit_item(&mut self, item: &syn::Item) {
        let name = match item {
            syn::Item::Const(of) => Some(&of.ident),
            syn::Item::Enum(of) => Some(&of.ident),
            syn::Item::Static(of) => Some(&of.ident),
            syn::Item::Struct(of) => Some(&of.ident),
            syn::Item::Trait(of) => Some(&of.ident),
            syn::Item::Type(of) => Some(&of.ident),
            syn::Item::Union(of) => Some(&of.ident),
            _ => None,
        };
        self.small.extend(name.map(syn::Ident::to_string).filter(|name| starts_small(name)));
        visit::visit_item(self, item);
    }

    fn visit_item_impl(&mut self, of: &syn::ItemImpl) {
        if let (None, Some(name)) = (&of.trait_, type_name(&of.self_ty)) {
            let members = of.items.iter().filter_map(impl_member);
            self.inherent.extend(members.map(|member| (name.clone(), member.name.to_string())));
        }
        visit::visit_item_impl(self, of);
    }

    fn visit_type_param(&mut self, parameter: &syn::TypeParam) {
        self.vague.insert(parameter.ident.to_string());
        visit::visit_type_param(self, parameter);
    }

    fn visit_trait_item_type(&mut self, of: &syn::TraitItemType) {
        self.vague.insert(of.ident.to_string());
    }

    fn visit_impl_item_type(&mut self, of: &syn::ImplItemType) {
        self.vague.insert(of.ident.to_string());
    }

    fn visit_item_type(&mut self, of: &syn::ItemType) {
        self.vague.insert(of.ident.to_string());
    }

    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        renames(&item.tree, None, &mut self.renamed);
        visit::visit_item_use(self, item);
    }

    fn visit_use_rename(&mut self, of: &syn::UseRename) {
        self.vague.insert(of.rename.to_string());
    }
}

fn renames(tree: &UseTree, parent: Option<&syn::Ident>, all: &mut Vec<(String, String)>) {
    match tree {
        UseTree::Path(path) => renames(&path.tree, Some(&path.ident), all),
        UseTree::Group(group) => group.items.iter().for_each(|tree| renames(tree, parent, all)),
        UseTree::Rename(of) => {
            let old = if of.ident == "self" { parent.unwrap_or(&of.ident) } else { &of.ident };
            all.push((old.to_string(), of.rename.to_string()));
        }
        UseTree::Name(_) | UseTree::Glob(_) => {}
    }
}

/// Macros whose arguments are ordinary code. In the arguments of all others, a name can become anything.
pub(crate) const PLAIN_MACROS: [&str; 21] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "matches",
    "panic",
    "print",
    "println",
    "thread_local",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Collects the mentions in the tokens of a module.
pub(super) struct Reader<'a> {
    pub facts: &'a Facts,
    /// The module's path.
    pub module: &'a str,
    /// The type that `Self` is.
    pub own: Option<&'a str>,
    pub mentions: Vec<Mention>,
}

impl Reader<'_> {
    /// Reads code. If `is_loose` is set, each name can become anything. `path` is the [place](Reader::place) before the
    /// brackets around the tokens, as in `use path::{...}`.
    pub fn read(&mut self, tokens: TokenStream, path: Option<&str>, is_loose: bool) {
        const KEYWORDS: [&str; 6] = ["else", "if", "in", "match", "return", "while"];
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
        let word = |at: Option<usize>| match tokens.get(at?)? {
            TokenTree::Ident(word) => Some(word.to_string()),
            _ => None,
        };
        let is_path = |at: usize| is(at, ':') && is(at + 1, ':');
        let is_call = |at: usize| is(at + 1, '!') && !is(at + 2, '=');
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => {
                    // `name!(...)`, or `macro_rules! name { ... }`.
                    let bang = [1, 2].into_iter().find(|&back| at > back && is(at - back, '!'));
                    let called = bang.and_then(|back| word(Some(at - back - 1)));
                    let is_macro = called.is_some_and(|name| {
                        !PLAIN_MACROS.contains(&&name[..]) && !KEYWORDS.contains(&&name[..])
                    });
                    let path = if at >= 3 && is_path(at - 2) { self.place(&tokens[..at - 2]) } else { None };
                    self.read(group.stream(), path.as_deref(), is_loose || is_macro);
                }
                TokenTree::Literal(_) => {
                    let mut names = Vec::new();
                    identifiers(token.clone().into(), &mut names);
                    names.retain(|name| !starts_small(name));
                    self.mentions.extend(names.into_iter().map(Mention::Item));
                }
                TokenTree::Ident(name) if is_loose => self.mentions.extend(Mention::all(&name.to_string())),
                TokenTree::Ident(name) => {
                    let before = at.checked_sub(1);
                    let name = name.to_string();
                    if word(before).is_some_and(|word| word == "fn") {
                        continue;
                    }
                    if at >= 1 && is(at - 1, '.') && !(at >= 2 && is(at - 2, '.')) {
                        let is_method = matches!(tokens.get(at + 1), Some(TokenTree::Group(group))
                            if group.delimiter() == Delimiter::Parenthesis);
                        if is_method || is_path(at + 1) {
                            self.mentions.push(Mention::Method(name));
                        }
                    } else if at >= 2 && is_path(at - 2) {
                        self.member(self.place(&tokens[..at - 2]), name, is_call(at));
                    } else if let Some(path) = path {
                        self.member(Some(path.to_string()), name, is_call(at));
                    } else if is_call(at) {
                        // These macros expand to a call of this method, which need not be one of the standard library.
                        if name == "write" || name == "writeln" {
                            self.mentions.push(Mention::Method("write_fmt".to_string()));
                        }
                        self.mentions.push(Mention::Macro(name));
                    } else if self.facts.is_item(&name) {
                        self.mentions.push(Mention::Item(name));
                    } else if !is(at + 1, ':') || is_path(at + 1) {
                        // It is not the name of a field.
                        self.mentions.push(Mention::MemberOf(last(self.module).to_string(), name));
                    }
                }
                TokenTree::Punct(_) => {}
            }
        }
    }

    /// Returns the name of the type or module at the end of a path, which is the end of the tokens.
    fn place(&self, tokens: &[TokenTree]) -> Option<String> {
        let Some(TokenTree::Ident(name)) = tokens.last() else { return None };
        match &name.to_string()[..] {
            "crate" => Some(String::new()),
            "self" => Some(last(self.module).to_string()),
            "super" => {
                let steps = tokens.rchunks(3).take_while(
                    |chunk| matches!(chunk.last(), Some(TokenTree::Ident(name)) if name == "super"),
                );
                let module = steps
                    .fold(self.module, |module, _| module.rsplit_once("::").map_or("", |(outer, _)| outer));
                Some(last(module).to_string())
            }
            "Self" => self.own.map(str::to_string),
            name => Some(name.to_string()),
        }
    }

    /// Adds a name after a path that ends with the name `of`.
    fn member(&mut self, of: Option<String>, name: String, is_macro: bool) {
        if is_macro {
            self.mentions.push(Mention::Macro(name));
            return;
        }
        if self.facts.is_item(&name) {
            self.mentions.push(Mention::Item(name.clone()));
        }
        match of {
            // A module can have a second name.
            Some(of) if of.is_empty() || !self.facts.is_item(&of) => {
                let renamed = self.facts.renamed.iter().filter(|(_, new)| *new == of);
                let modules = renamed.map(|(old, _)| old.clone()).chain([of.clone()]);
                self.mentions.extend(modules.map(|of| Mention::MemberOf(of, name.clone())));
                return;
            }
            Some(of) if !self.facts.is_vague(&of) => {
                let member = (of, name.clone());
                // A member of the type itself hides the members of its traits.
                let is_found = self.facts.inherent.contains(&member);
                self.mentions.push(Mention::MemberOf(member.0, member.1));
                if is_found {
                    return;
                }
            }
            _ => self.mentions.push(Mention::MemberOfAny(name.clone())),
        }
        self.mentions.push(Mention::Member(name));
    }
}

/// Returns whether a name starts with a small letter, as names of functions and modules do.
fn starts_small(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_lowercase() || letter == '_')
}

/// Collects all identifiers in the tokens, including those captured in format strings.
pub(crate) fn identifiers(tokens: TokenStream, all: &mut Vec<String>) {
    /// Maximum length of a string that is searched for names. Longer strings are assumed to be data.
    const MAX_LENGTH: usize = 4096;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => all.push(name.to_string()),
            TokenTree::Group(group) => identifiers(group.stream(), all),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if text.len() > MAX_LENGTH {
                    continue;
                }
                for place in text.split('{').skip(1) {
                    let end = |letter: char| !(letter.is_alphanumeric() || letter == '_');
                    all.extend(place.split(end).next().filter(|name| !name.is_empty()).map(str::to_string));
                    // The name of a width or precision: `{:>WIDTH$}`.
                    let ends = place.split('}').next().unwrap_or_default();
                    all.extend(
                        ends.split('$').filter_map(|word| word.rsplit(end).next()).map(str::to_string),
                    );
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
}
