//! The names that a file declares, and their replacements.

use super::locals::share;
use super::print::{Style, print};
use super::reserved::is_reserved;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use syn::visit::{self, Visit};

/// All names that the file declares.
#[derive(Default)]
struct Declared(BTreeSet<String>);

/// Returns the declared names that may be changed.
pub(super) fn declared(file: &syn::File) -> BTreeSet<String> {
    let mut declared = Declared::default();
    declared.visit_file(file);
    declared.0.retain(|name| !is_reserved(name));
    declared.0
}

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
        // A name with a capital letter may be an imported constant or variant. Under a new name the pattern would be a
        // variable.
        if !pattern.ident.to_string().starts_with(char::is_uppercase) {
            self.add(&pattern.ident);
        }
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

/// Returns the names that the program may print (types that still derive `Debug`, their variants and fields, and the
/// arguments of `stringify!`, including calls in macros), and the names that the linker sees.
pub(super) fn printed(file: &syn::File, tokens: TokenStream) -> BTreeSet<String> {
    let mut printed = Printed::default();
    printed.visit_file(file);
    let mut macros = BTreeSet::from(["stringify".to_string()]);
    find_stringifying(tokens.clone(), &mut macros);
    collect_arguments(tokens, &macros, &mut printed.0);
    printed.0
}

#[derive(Default)]
struct Printed(BTreeSet<String>);

impl Printed {
    fn add(&mut self, name: &proc_macro2::Ident) {
        self.0.insert(name.to_string());
    }

    fn add_fields(&mut self, fields: &syn::Fields) {
        fields.iter().filter_map(|field| field.ident.as_ref()).for_each(|name| self.add(name));
    }
}

fn derives_debug(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("derive")
            && matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string().contains("Debug"))
    })
}

/// Returns whether an attribute is `#[no_mangle]` or `#[unsafe(no_mangle)]`.
fn is_for_linker(attribute: &syn::Attribute) -> bool {
    let is_unsafe = || attribute.path().is_ident("unsafe").then(|| attribute.parse_args::<syn::Path>().ok());
    attribute.path().is_ident("no_mangle")
        || is_unsafe().flatten().is_some_and(|inner| inner.is_ident("no_mangle"))
}

impl<'ast> Visit<'ast> for Printed {
    fn visit_foreign_item_fn(&mut self, item: &'ast syn::ForeignItemFn) {
        self.add(&item.sig.ident);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if item.attrs.iter().any(is_for_linker) {
            self.add(&item.sig.ident);
        }
        visit::visit_item_fn(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        if item.attrs.iter().any(is_for_linker) {
            self.add(&item.ident);
        }
        visit::visit_item_static(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        if derives_debug(&item.attrs) {
            self.add(&item.ident);
            self.add_fields(&item.fields);
        }
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        if derives_debug(&item.attrs) {
            for variant in &item.variants {
                self.add(&variant.ident);
                self.add_fields(&variant.fields);
            }
        }
    }
}

/// Collects the names of macros whose rules contain `stringify!`.
fn find_stringifying(tokens: TokenStream, macros: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        if let Some([TokenTree::Ident(rules), _, TokenTree::Ident(name)]) =
            at.checked_sub(3).map(|start| &tokens[start..at])
            && rules == "macro_rules"
            && identifiers(&group.to_string()).any(|word| word == "stringify")
        {
            macros.insert(name.to_string());
        }
        find_stringifying(group.stream(), macros);
    }
}

/// Collects the identifiers in the calls of these macros.
fn collect_arguments(tokens: TokenStream, macros: &BTreeSet<String>, names: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        if let Some([TokenTree::Ident(name), TokenTree::Punct(bang)]) =
            at.checked_sub(2).map(|start| &tokens[start..at])
            && bang.as_char() == '!'
            && macros.contains(&name.to_string())
        {
            names.extend(identifiers(&group.to_string()).map(str::to_string));
        }
        collect_arguments(group.stream(), macros, names);
    }
}

/// The words of a file: how often each identifier occurs, and all words in literals.
#[derive(Default)]
pub(super) struct Words {
    pub identifiers: HashMap<String, usize>,
    in_literals: BTreeSet<String>,
    /// Words in conditions that the compiler evaluates. A wrong name in such a condition does not cause an error.
    pub in_conditions: BTreeSet<String>,
}

impl Words {
    pub fn read(&mut self, tokens: TokenStream) {
        let mut is_condition = false;
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    if std::mem::take(&mut is_condition) {
                        self.in_conditions.extend(identifiers(&group.to_string()).map(str::to_string));
                    }
                    self.read(group.stream());
                }
                TokenTree::Ident(name) => {
                    is_condition = name == "cfg" || name == "cfg_attr";
                    *self.identifiers.entry(name.to_string()).or_insert(0) += 1;
                }
                TokenTree::Literal(literal) => {
                    self.in_literals.extend(identifiers(&literal.to_string()).map(str::to_string));
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

/// Variables, each with the functions in which it occurs.
pub(super) type Locals = BTreeMap<String, BTreeSet<usize>>;

/// Returns a new spelling for each name. The most frequent names get the shortest spellings.
pub(super) fn shortened(
    names: &BTreeSet<String>,
    words: &Words,
    locals: &Locals,
) -> BTreeMap<String, String> {
    let often = |name: &String| words.identifiers.get(name).copied().unwrap_or(0);
    let mut variables: Vec<(&String, &BTreeSet<usize>)> =
        locals.iter().filter(|(name, _)| names.contains(*name)).collect();
    variables.sort_by_key(|(name, _)| std::cmp::Reverse(often(name)));
    let mut groups = share(&variables);
    groups.extend(names.iter().filter(|name| !locals.contains_key(*name)).map(|name| vec![name.clone()]));
    groups.sort_by_cached_key(|group| {
        (std::cmp::Reverse(group.iter().map(often).sum::<usize>()), group[0].clone())
    });
    let is_free = |name: &String| {
        let is_taken = words.identifiers.contains_key(name) && !names.contains(name);
        !is_taken && !is_reserved(name) && !words.in_literals.contains(name)
    };
    let fresh = (0..).map(spelling).filter(is_free);
    let pairs = groups.into_iter().zip(fresh);
    pairs.flat_map(|(group, short)| group.into_iter().map(move |name| (name, short.clone()))).collect()
}

/// Returns the spelling with this number, in the order `a`, `b`, ..., `Z`, `aa`, ...
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

/// Returns the words of a text.
pub(super) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(move |letter| !is_part(letter))
        .filter(|word| word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_'))
}

/// Returns all identifiers as they are printed, in order.
pub(super) fn spelled(tokens: TokenStream, tight: bool) -> Vec<String> {
    let none = (BTreeMap::new(), BTreeSet::new());
    let style = Style { names: &none.0, tight, marks: &none.1, lines: false };
    let printed = print(tokens, style);
    let word = |&start: &usize| identifiers(&printed.text[start..]).next().unwrap_or_default().to_string();
    printed.identifiers.iter().map(word).collect()
}
