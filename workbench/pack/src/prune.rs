//! Repeatedly removes the code that the compiler reports as unused.

use crate::PackError;
use crate::compiler::{Compiler, Diagnostic};
use crate::editions::{Migrated, migrate_newer, migrate_older};
use crate::error::{Obstacle, Sign};
use crate::origin::{Origin, origins};
pub use crate::reach::Kinds;
use crate::reach::{Before, keep_reachable};
use crate::syntax::{parse, print};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{ForeignItem, ImplItem, Item, TraitItem, UseTree};

/// Maximum number of attempts to restore missing names before the whole program is kept.
const TRIES: usize = 8;

/// The removed definitions.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Removed {
    /// Number of removed definitions of each kind: `function`, `struct`, `impl`, ...
    pub kinds: Kinds,
    /// Number of compilations.
    pub compilations: u32,
}

/// Returns the text of a complete program without its unreachable code, and rewritten for edition 2021.
/// Setting `stop` interrupts the work.
///
/// # Errors
/// Returns an error for code that cannot be packed, an error with the compiler's messages if the program does not
/// compile, or [`PackError::Interrupted`].
pub(crate) fn prune(
    whole: &syn::File,
    origin: &Origin<'_>,
    stop: &AtomicBool,
) -> Result<(String, Removed), PackError> {
    let compiler = Compiler::new(origin.build, stop)?;
    let mut pruner = Pruner {
        compiler,
        origin,
        libraries: origin.build.libraries.iter().map(|(name, _)| name.clone()).collect(),
        removed: Removed::default(),
        missed: HashSet::new(),
        kept: HashSet::new(),
        ambiguous: HashSet::new(),
        strictness: Some(true),
    };
    let (mut text, mut diagnostics) = pruner.keep_reachable(whole)?;
    loop {
        let dead = Dead::of(&diagnostics);
        let Some((next, after)) = pruner.remove(&text, &dead)? else { break };
        text = next;
        diagnostics = after;
    }
    text = without_unset_variables(&print(&parse(&text)?));
    pruner.refuse_remaining(&text)?;
    if let Some(migrated) = migrate_newer(&text, origin, &pruner.compiler)? {
        diagnostics = pruner.ask(&migrated)?;
        text = migrated;
    }
    // Fields and variants that only removed code used, and parameters that only other bots read, cannot be removed
    // without changing live code. The other warnings concern the author's code.
    let lints: BTreeSet<&str> = diagnostics
        .iter()
        .filter(|found| found.level == "warning" && !found.code().is_empty())
        .map(Diagnostic::code)
        .collect();
    for lint in lints.into_iter().rev() {
        text.insert_str(0, &format!("#![allow({lint})]\n"));
    }
    Ok((text, pruner.removed))
}

/// The dead code that the compiler reports.
#[derive(Clone, Default)]
struct Dead {
    /// The start positions of the names of unused definitions.
    definitions: HashSet<usize>,
    /// Unused imports and re-exports.
    imports: Vec<Range<usize>>,
    /// Positions in implementations whose type or trait has been removed.
    broken: Vec<Range<usize>>,
}

impl Dead {
    fn of(diagnostics: &[Diagnostic]) -> Dead {
        let mut dead = Dead::default();
        for diagnostic in diagnostics {
            match diagnostic.code() {
                "dead_code" | "unused_macros" => {
                    dead.definitions.extend(diagnostic.ranges().map(|range| range.start));
                }
                "unused_imports" => dead.imports.extend(diagnostic.ranges()),
                _ => {}
            }
        }
        dead
    }

    /// Collects code that has become invalid: imports and implementations of removed items.
    fn of_errors(diagnostics: &[Diagnostic]) -> Dead {
        let mut dead = Dead::default();
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
            match diagnostic.code() {
                "E0407" | "E0437" | "E0438" => {
                    dead.broken.extend(diagnostic.ranges());
                }
                "E0432" | "E0433" | "E0412" | "E0405" | "E0425" | "E0404" | "E0365" | "E0364" | "E0603" => {
                    dead.imports.extend(diagnostic.ranges());
                    dead.broken.extend(diagnostic.ranges());
                }
                _ => {}
            }
        }
        dead
    }
}

struct Pruner<'a> {
    compiler: Compiler<'a>,
    origin: &'a Origin<'a>,
    /// The names of the crates that the judge provides.
    libraries: HashSet<String>,
    removed: Removed,
    /// Names of code that is reached without being named, for example because a macro assembles the name.
    missed: HashSet<String>,
    /// Names that used code needs although the compiler reports them as unused, for example types that are never
    /// constructed.
    kept: HashSet<String>,
    /// The heads of implementations that make types in other crates ambiguous.
    ambiguous: HashSet<String>,
    /// Whether [`keep_reachable`] is strict; `None` if it would remove code that the program needs.
    strictness: Option<bool>,
}

impl Pruner<'_> {
    fn ask(&mut self, text: &str) -> Result<Vec<Diagnostic>, PackError> {
        self.removed.compilations += 1;
        self.compiler.check(text)
    }

    fn ask_again(&mut self, text: &str) -> Result<Vec<Diagnostic>, PackError> {
        self.removed.compilations += 1;
        self.compiler.check_again(text)
    }

    /// Rewrites code of older editions, and returns the text with the compiler's messages about it. `is_unknown` is as
    /// in [`migrate_older`].
    fn migrate(
        &mut self,
        text: String,
        is_unknown: &dyn Fn(&Diagnostic, &str) -> bool,
    ) -> Result<(String, Vec<Diagnostic>), PackError> {
        match migrate_older(text, self.origin, &self.compiler, is_unknown)? {
            Migrated::Done(text) => {
                let diagnostics = self.ask(&text)?;
                Ok((text, diagnostics))
            }
            Migrated::Missing(text, diagnostics) => Ok((text, diagnostics)),
        }
    }

    /// Returns the text of the code that is reachable by name, and the compiler's messages. If a name is missing, for
    /// example because a macro generates it, keeps all items with this name. If that does not help, keeps the whole
    /// program.
    fn keep_reachable(&mut self, whole: &syn::File) -> Result<(String, Vec<Diagnostic>), PackError> {
        let before = Before::of(whole);
        let mut cause = None;
        for _ in 0..TRIES {
            let Some(is_strict) = self.strictness else { break };
            let mut file = whole.clone();
            remove_impls(&mut file.items, &self.ambiguous);
            let kinds = keep_reachable(&mut file, &self.missed, &before, &self.libraries, is_strict);
            let missed = self.missed.clone();
            let is_new =
                |error: &Diagnostic, text: &str| names_in(error, text).any(|name| !missed.contains(&name));
            let (reached, diagnostics) = self.migrate(print(&file), &is_new)?;
            let errors: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
            if errors.is_empty() {
                self.removed.kinds = kinds;
                return Ok((reached, diagnostics));
            }
            let known = self.ambiguous.len();
            self.ambiguous.extend(ambiguous_impls(&errors, &reached)?);
            if self.ambiguous.len() > known {
                continue;
            }
            let before = self.missed.len();
            self.missed.extend(errors.iter().flat_map(|error| names_in(error, &reached)));
            if self.missed.len() == before {
                self.strictness = is_strict.then_some(false);
                cause = Some((diagnostics.clone(), reached.clone()));
            }
            if self.strictness.is_none() {
                self.refuse(&diagnostics, &file, &reached)?;
            }
        }
        self.strictness = None;
        let (text, diagnostics) = self.migrate(print(whole), &|_, _| false)?;
        if diagnostics.iter().any(Diagnostic::is_error) {
            // The errors in the reachable part are the cause, and errors elsewhere do not matter.
            let (diagnostics, text) = cause.unwrap_or((diagnostics, text));
            return Err(PackError::general(self.describe(&diagnostics, &text)));
        }
        Ok((text, diagnostics))
    }

    /// Describes the compiler's errors in a text: one line for each place in the sources, and the first error as the
    /// compiler prints it.
    fn describe(&self, diagnostics: &[Diagnostic], text: &str) -> String {
        let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|found| found.is_error()).collect();
        let (placed, general): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
            errors.iter().partition(|error| error.starts().next().is_some());
        let positions: Vec<usize> = placed.iter().filter_map(|error| error.starts().next()).collect();
        let places = origins(text, &positions, self.origin.folders);
        let mut lines: Vec<String> = places
            .iter()
            .zip(&placed)
            .map(|(place, error)| {
                format!("{place}: this code does not compile as a part of one file: {}", error.message)
            })
            .collect();
        if lines.is_empty() {
            lines.extend(general.iter().map(|error| format!("the program: {}", error.message)));
        }
        let mut known = HashSet::new();
        lines.retain(|line| known.insert(line.clone()));
        format!(
            "{}\nhint: write it without what the compiler does not find, or leave its feature or dependency \
             out\n{}",
            lines.join("\n"),
            placed.first().or(general.first()).map_or("", |error| error.text().trim_end())
        )
    }

    /// Returns an error if the text still reads the environment of the compilation, which may differ at the judge, or
    /// still needs a native library.
    fn refuse_remaining(&self, text: &str) -> Result<(), PackError> {
        let file = parse(text)?;
        let is_left = |obstacle: &&Obstacle| match &obstacle.sign {
            Sign::Call(name) => name.ends_with("env") && calls(&file.to_token_stream(), name),
            Sign::Native(modules) => self.declares_foreign(&file, modules),
            _ => false,
        };
        let suspects = self.origin.suspects.iter().filter(is_left);
        PackError::all(suspects.map(|obstacle| obstacle.problem.clone()).collect())
    }

    /// Returns whether one of these crates' modules declares functions or variables of another language.
    fn declares_foreign(&self, file: &syn::File, modules: &[String]) -> bool {
        file.items.iter().any(|item| {
            let module = match item {
                Item::Mod(module) => Some(module.ident.to_string()),
                _ => None,
            };
            let module =
                module.filter(|module| self.origin.editions.contains_key(module)).unwrap_or_default();
            let mut foreign = Foreign(false);
            syn::visit::Visit::visit_item(&mut foreign, item);
            foreign.0 && modules.contains(&module)
        })
    }

    /// Returns an error if code that cannot be packed may cause the compiler's errors about the text of this file. The
    /// error also lists the compiler's errors, because the cause can be another one.
    fn refuse(&self, diagnostics: &[Diagnostic], file: &syn::File, text: &str) -> Result<(), PackError> {
        let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|found| found.is_error()).collect();
        let quotes = |name: &str, is_about: fn(&Diagnostic) -> bool| {
            let name = format!("`{name}`");
            errors.iter().any(|error| is_about(error) && error.message.contains(&name))
        };
        let mut derives = Derives::default();
        syn::visit::Visit::visit_file(&mut derives, file);
        let reached = |obstacle: &&Obstacle| match &obstacle.sign {
            Sign::Certain => true,
            Sign::Derive(name) => derives.0.contains(name),
            Sign::Attribute(name) => quotes(name, |error| error.message.starts_with("cannot find attribute")),
            Sign::Call(name) => calls(&file.to_token_stream(), name),
            Sign::Native(modules) => self.declares_foreign(file, modules),
            Sign::Crate(name) => quotes(name, |error| matches!(error.code(), "E0432" | "E0433")),
        };
        let suspects = self.origin.suspects.iter().filter(reached);
        let mut problems: Vec<PackError> = suspects.map(|obstacle| obstacle.problem.clone()).collect();
        if !problems.is_empty() {
            problems.push(PackError::general(self.describe(diagnostics, text)));
        }
        PackError::all(problems)
    }

    /// Returns the text without the unused code and the code that becomes invalid with it, and the compiler's messages
    /// about the new text. Returns `None` if nothing can be removed.
    fn remove(&mut self, text: &str, dead: &Dead) -> Result<Option<(String, Vec<Diagnostic>)>, PackError> {
        'retry: for _ in 0..60 {
            let Some((mut next, mut kinds)) = self.without(text, dead)? else { return Ok(None) };
            loop {
                let diagnostics = self.ask_again(&next)?;
                if diagnostics.iter().all(|diagnostic| !diagnostic.is_error()) {
                    add(&mut self.removed.kinds, kinds);
                    return Ok(Some((next, diagnostics)));
                }
                match self.without(&next, &Dead::of_errors(&diagnostics))? {
                    Some((repaired, more)) => {
                        next = repaired;
                        add(&mut kinds, more);
                    }
                    None => {
                        // Live code needs some of the removed names, so everything with these names is kept.
                        let before = self.kept.len();
                        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
                        self.kept.extend(errors.flat_map(|error| names_in(error, &next)));
                        if self.kept.len() == before {
                            return Ok(None);
                        }
                        continue 'retry;
                    }
                }
            }
        }
        Ok(None)
    }

    fn without(&self, text: &str, dead: &Dead) -> Result<Option<(String, Kinds)>, PackError> {
        let whole = parse(text)?;
        let mut file = whole.clone();
        let mut knife = Knife::new(dead, &self.kept);
        knife.items(&mut file.items);
        if knife.kinds.keys().all(|&kind| kind == "module") {
            let mut imports = Imports::new(Knife::new(dead, &self.kept));
            imports.visit_file(&whole);
            return Ok(imports.edits(text));
        }
        let before = Before::of(&whole);
        Members(&knife.members).visit_file_mut(&mut file);
        let mut kinds = knife.kinds;
        // What only the removed code names goes without a further compilation.
        if let Some(is_strict) = self.strictness {
            let named = self.missed.union(&self.kept).cloned().collect();
            add(&mut kinds, keep_reachable(&mut file, &named, &before, &self.libraries, is_strict));
        }
        Ok(Some((print(&file), kinds)))
    }
}

/// Returns the heads of the implementations that the compiler names as reasons for an ambiguous type. The type was not
/// ambiguous in its crate, because a crate knows no implementations of crates on which it does not depend.
fn ambiguous_impls(errors: &[&Diagnostic], text: &str) -> Result<HashSet<String>, PackError> {
    let places: Vec<Range<usize>> =
        errors.iter().filter(|error| error.code() == "E0283").flat_map(|error| error.notes()).collect();
    let mut heads = Heads { places: &places, found: HashSet::new() };
    if !places.is_empty() {
        heads.visit_file(&parse(text)?);
    }
    Ok(heads.found)
}

/// A visitor that collects the heads of implementations at these places.
struct Heads<'a> {
    places: &'a [Range<usize>],
    found: HashSet<String>,
}

impl Visit<'_> for Heads<'_> {
    fn visit_item_impl(&mut self, of: &syn::ItemImpl) {
        let range = head_range(of);
        if self.places.iter().any(|place| range.start <= place.start && place.end <= range.end) {
            self.found.extend(head(of));
        }
    }
}

/// Returns the range of an implementation before its braces.
fn head_range(of: &syn::ItemImpl) -> Range<usize> {
    of.impl_token.span().byte_range().start..of.brace_token.span.open().byte_range().start
}

/// Returns the trait and the type of an implementation.
fn head(of: &syn::ItemImpl) -> Option<String> {
    let (_, path, _) = of.trait_.as_ref()?;
    let own = &of.self_ty;
    Some(quote::quote!(#path for #own).to_string())
}

/// Removes the implementations with these heads.
fn remove_impls(items: &mut Vec<Item>, heads: &HashSet<String>) {
    if heads.is_empty() {
        return;
    }
    items.retain_mut(|item| {
        if let Item::Mod(module) = item
            && let Some((_, items)) = &mut module.content
        {
            remove_impls(items, heads);
        }
        !matches!(item, Item::Impl(of) if head(of).is_some_and(|head| heads.contains(&head)))
    });
}

/// Replaces `option_env!($name)` in macros by `None` if no text in the program is the name of a variable that is set.
fn without_unset_variables(text: &str) -> String {
    let tokens: TokenStream = text.parse().unwrap_or_default();
    let mut texts = Vec::new();
    short_texts(tokens, &mut texts);
    if texts.iter().any(|name| name.starts_with("CARGO") || std::env::var_os(name).is_some()) {
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

/// Collects the texts in the tokens that can be names of variables.
fn short_texts(tokens: TokenStream, texts: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => short_texts(group.stream(), texts),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let text = text.trim_matches('"');
                let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
                if !text.is_empty() && text.chars().all(is_name) {
                    texts.push(text.to_string());
                }
            }
            _ => {}
        }
    }
}

fn add(kinds: &mut Kinds, more: Kinds) {
    for (kind, count) in more {
        *kinds.entry(kind).or_default() += count;
    }
}

/// Returns the names that a compiler message quotes or points to.
fn names_in<'a>(diagnostic: &'a Diagnostic, text: &'a str) -> impl Iterator<Item = String> + 'a {
    let quoted = diagnostic.message.split('`').skip(1).step_by(2);
    // A missing implementation is quoted as `Type: Trait`.
    let quoted = quoted.flat_map(|quoted| quoted.split(": "));
    quoted.chain(diagnostic.ranges().filter_map(|range| text.get(range))).map(last_word)
}

/// Returns the last segment of a path or type, without generics.
fn last_word(path: &str) -> String {
    let path = path.split('<').next().unwrap_or_default();
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    path.trim_end_matches(|letter| !is_letter(letter))
        .rsplit(|letter| !is_letter(letter))
        .next()
        .unwrap_or_default()
        .to_string()
}

/// Returns whether tokens contain a call of this macro, at any depth.
fn calls(tokens: &TokenStream, name: &str) -> bool {
    let mut is_named = false;
    tokens.clone().into_iter().any(|token| {
        let found = match &token {
            TokenTree::Group(group) => calls(&group.stream(), name),
            TokenTree::Punct(bang) => is_named && bang.as_char() == '!',
            _ => false,
        };
        is_named = matches!(&token, TokenTree::Ident(word) if word == name);
        found
    })
}

/// A visitor that finds the names of derived traits.
#[derive(Default)]
struct Derives(HashSet<String>);

impl syn::visit::Visit<'_> for Derives {
    fn visit_attribute(&mut self, attribute: &syn::Attribute) {
        if attribute.path().is_ident("derive") {
            let _ = attribute.parse_nested_meta(|meta| {
                self.0.extend(meta.path.segments.last().map(|last| last.ident.to_string()));
                Ok(())
            });
        }
    }
}

/// A visitor that finds declarations of functions and variables of another language.
struct Foreign(bool);

impl syn::visit::Visit<'_> for Foreign {
    fn visit_item_foreign_mod(&mut self, item: &syn::ItemForeignMod) {
        self.0 |= !item.items.is_empty();
    }
}

/// A visitor that removes unused code from the syntax tree.
struct Knife<'a> {
    dead: &'a Dead,
    kept: &'a HashSet<String>,
    kinds: Kinds,
    imports: usize,
    /// Removed members of traits, each with its trait.
    members: HashSet<(String, String)>,
}

impl<'a> Knife<'a> {
    fn new(dead: &'a Dead, kept: &'a HashSet<String>) -> Knife<'a> {
        Knife { dead, kept, kinds: Kinds::new(), imports: 0, members: HashSet::new() }
    }

    fn cut(&mut self, kind: &'static str) -> bool {
        *self.kinds.entry(kind).or_default() += 1;
        false
    }

    fn is_dead(&self, name: &syn::Ident) -> bool {
        self.dead.definitions.contains(&name.span().byte_range().start)
            && !self.kept.contains(&name.to_string())
    }

    fn is_broken(&self, range: &Range<usize>) -> bool {
        self.dead.broken.iter().any(|broken| broken.start < range.end && range.start < broken.end)
    }

    fn items(&mut self, items: &mut Vec<Item>) {
        items.retain_mut(|item| self.keeps(item));
    }

    fn keeps(&mut self, item: &mut Item) -> bool {
        let dead = match item {
            Item::Const(item) if self.is_dead(&item.ident) => "const",
            Item::Enum(item) if self.is_dead(&item.ident) => "enum",
            Item::Fn(item) if self.is_dead(&item.sig.ident) => "function",
            Item::Static(item) if self.is_dead(&item.ident) => "static",
            Item::Struct(item) if self.is_dead(&item.ident) => "struct",
            Item::Trait(item) if self.is_dead(&item.ident) => "trait",
            Item::Type(item) if self.is_dead(&item.ident) => "type",
            Item::Union(item) if self.is_dead(&item.ident) => "union",
            Item::Macro(item) if item.ident.as_ref().is_some_and(|name| self.is_dead(name)) => "macro",
            Item::ForeignMod(block) => {
                block.items.retain(|item| match item {
                    ForeignItem::Fn(item) if self.is_dead(&item.sig.ident) => self.cut("function"),
                    ForeignItem::Static(item) if self.is_dead(&item.ident) => self.cut("static"),
                    _ => true,
                });
                return !block.items.is_empty();
            }
            Item::Use(item) => {
                if let Some(tree) = self.import(&item.tree) {
                    item.tree = tree;
                    return true;
                }
                return false;
            }
            Item::Mod(module) => {
                let Some((_, items)) = &mut module.content else { return true };
                self.items(items);
                if !items.is_empty() {
                    return true;
                }
                "module"
            }
            Item::Impl(item) => return self.keeps_impl(item),
            other => {
                if let Item::Trait(item) = other {
                    self.members(item);
                }
                visit_mut::visit_item_mut(self, other);
                return true;
            }
        };
        self.cut(dead)
    }

    fn keeps_impl(&mut self, item: &mut syn::ItemImpl) -> bool {
        if self.is_broken(&head_range(item)) {
            return self.cut("impl");
        }
        let had = item.items.len();
        item.items.retain(|item| match item {
            ImplItem::Fn(item)
                if self.is_dead(&item.sig.ident) || self.is_broken(&item.sig.ident.span().byte_range()) =>
            {
                self.cut("function")
            }
            ImplItem::Const(item)
                if self.is_dead(&item.ident) || self.is_broken(&item.ident.span().byte_range()) =>
            {
                self.cut("const")
            }
            ImplItem::Type(item) if self.is_broken(&item.ident.span().byte_range()) => self.cut("type"),
            _ => true,
        });
        if had > 0 && item.items.is_empty() && item.trait_.is_none() {
            return self.cut("impl");
        }
        visit_mut::visit_item_impl_mut(self, item);
        true
    }

    /// Removes the dead members of a trait.
    fn members(&mut self, item: &mut syn::ItemTrait) {
        let items = std::mem::take(&mut item.items);
        item.items = items
            .into_iter()
            .filter(|member| match member {
                TraitItem::Fn(of) if self.is_dead(&of.sig.ident) => {
                    self.members.insert((item.ident.to_string(), of.sig.ident.to_string()));
                    self.cut("function")
                }
                TraitItem::Const(of) if self.is_dead(&of.ident) => {
                    self.members.insert((item.ident.to_string(), of.ident.to_string()));
                    self.cut("const")
                }
                _ => true,
            })
            .collect();
    }

    /// Returns an import without its unused names.
    fn import(&mut self, tree: &UseTree) -> Option<UseTree> {
        let dies = |range: Range<usize>| {
            self.dead.imports.iter().any(|dead| dead.start <= range.start && range.end <= dead.end)
        };
        match tree {
            UseTree::Path(path) => {
                // An error points at the part of a path that is not found. Everything after this part is removed too.
                if dies(path.ident.span().byte_range()) && !self.covers_leaves(&path.tree) {
                    self.imports += 1;
                    return None;
                }
                let inner = self.import(&path.tree)?;
                Some(UseTree::Path(syn::UsePath { tree: Box::new(inner), ..path.clone() }))
            }
            UseTree::Name(syn::UseName { ident }) | UseTree::Rename(syn::UseRename { ident, .. }) => {
                if dies(ident.span().byte_range()) {
                    self.imports += 1;
                    return None;
                }
                Some(tree.clone())
            }
            UseTree::Glob(glob) => {
                if dies(glob.span().byte_range()) {
                    self.imports += 1;
                    return None;
                }
                Some(tree.clone())
            }
            UseTree::Group(group) => {
                let left: Vec<UseTree> = group.items.iter().filter_map(|tree| self.import(tree)).collect();
                match left.len() {
                    0 => None,
                    1 if !is_self(&left[0]) => left.into_iter().next(),
                    _ => Some(UseTree::Group(syn::UseGroup {
                        items: left.into_iter().collect(),
                        ..group.clone()
                    })),
                }
            }
        }
    }

    /// Returns whether an unused range also covers the names at the end of the path. If so, each of these names is
    /// handled separately.
    fn covers_leaves(&self, tree: &UseTree) -> bool {
        let range = tree.span().byte_range();
        self.dead.imports.iter().any(|dead| dead.start < range.end && range.start < dead.end)
    }
}

/// A visitor that removes only unused imports, and the modules that become empty. All other code keeps its lines, so
/// that the compiler can use its results for this code again.
struct Imports<'a> {
    knife: Knife<'a>,
    /// The changed ranges with their new texts, in order.
    edits: Vec<(Range<usize>, String)>,
    /// Whether the module that is visited contains other code.
    has_code: bool,
}

impl<'a> Imports<'a> {
    fn new(knife: Knife<'a>) -> Imports<'a> {
        Imports { knife, edits: Vec::new(), has_code: false }
    }

    /// Returns the text after the changes, and the number of removed modules, or `None` if there are no changes.
    fn edits(self, text: &str) -> Option<(String, Kinds)> {
        let mut out = text.to_string();
        for (range, new) in self.edits.iter().rev() {
            let lines = |text: &str| text.matches('\n').count();
            let kept = lines(&text[range.clone()]).saturating_sub(lines(new));
            out.replace_range(range.clone(), &format!("{new}{}", "\n".repeat(kept)));
        }
        (!self.edits.is_empty()).then_some((out, self.knife.kinds))
    }
}

impl Visit<'_> for Imports<'_> {
    fn visit_item(&mut self, item: &Item) {
        let known = self.edits.len();
        match item {
            Item::Use(of) => {
                let before = self.knife.imports;
                let left = self.knife.import(&of.tree);
                self.has_code |= left.is_some();
                if self.knife.imports > before {
                    let left = left.map(|tree| Item::Use(syn::ItemUse { tree, ..of.clone() }));
                    let items = left.into_iter().collect();
                    let new = print(&syn::File { shebang: None, attrs: Vec::new(), items });
                    self.edits.push((of.span().byte_range(), new.trim_end().to_string()));
                }
            }
            Item::Mod(module) if module.content.is_some() => {
                let around = std::mem::replace(&mut self.has_code, false);
                syn::visit::visit_item_mod(self, module);
                if !self.has_code {
                    self.knife.cut("module");
                    self.edits.truncate(known);
                    self.edits.push((module.span().byte_range(), String::new()));
                }
                self.has_code |= around;
            }
            other => {
                syn::visit::visit_item(self, other);
                self.has_code = true;
            }
        }
    }
}

/// Removes the implementations of removed members of traits.
struct Members<'a>(&'a HashSet<(String, String)>);

impl VisitMut for Members<'_> {
    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        if let Some((_, path, _)) = &item.trait_
            && let Some(of) = path.segments.last().map(|segment| segment.ident.to_string())
        {
            item.items.retain(|item| match item {
                ImplItem::Fn(member) => !self.0.contains(&(of.clone(), member.sig.ident.to_string())),
                ImplItem::Const(member) => !self.0.contains(&(of.clone(), member.ident.to_string())),
                _ => true,
            });
        }
        visit_mut::visit_item_impl_mut(self, item);
    }
}

fn is_self(tree: &UseTree) -> bool {
    match tree {
        UseTree::Name(name) => name.ident == "self",
        UseTree::Rename(rename) => rename.ident == "self",
        _ => false,
    }
}

impl VisitMut for Knife<'_> {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain_mut(|statement| match statement {
            syn::Stmt::Item(item) => self.keeps(item),
            _ => true,
        });
        visit_mut::visit_block_mut(self, block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_keeps_its_lines_when_only_imports_go() {
        let text = "mod a {\n    use x::{\n        One,\n        Two,\n    };\n    fn f() {}\n}\nmod b {\n    use x::One;\n}\nfn main() {\n    use y::One;\n}\n";
        let imports = text.match_indices("One").map(|(at, name)| at..at + name.len()).collect();
        let dead = Dead { imports, ..Dead::default() };
        let none = HashSet::new();
        let mut imports = Imports::new(Knife::new(&dead, &none));
        imports.visit_file(&parse(text).unwrap());
        let (out, kinds) = imports.edits(text).unwrap();
        let expected = "mod a {\n    use x::Two;\n\n\n\n    fn f() {}\n}\n\n\n\nfn main() {\n    \n}\n";
        assert_eq!((&out[..], kinds), (expected, Kinds::from([("module", 1)])));
    }
}
