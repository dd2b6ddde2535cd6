//! Repeatedly removes the code that the compiler reports as unused.

mod knife;
mod refuse;
mod variables;

use crate::PackError;
use crate::compiler::{Compiler, Diagnostic};
use crate::editions::{Migrated, migrate_newer, migrate_older};
use crate::origin::Origin;
pub use crate::reach::Kinds;
use crate::reach::{Before, keep_reachable, type_name};
use crate::syntax::{parse, print};
use knife::{Dead, Imports, Knife, Members};
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use syn::Item;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use variables::without_unset_variables;

/// Maximum number of attempts to restore missing names before the whole program is kept.
const TRIES: usize = 8;

/// Number of compilations after which the unused code that is left stays. Programs of contests need 4 to 22 of them.
const MAX_COMPILATIONS: u32 = 32;

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

    /// Returns the text without the unused code and the code that becomes invalid with it, and the compiler's messages
    /// about the new text. Returns `None` if nothing can be removed.
    fn remove(&mut self, text: &str, dead: &Dead) -> Result<Option<(String, Vec<Diagnostic>)>, PackError> {
        'retry: for _ in 0..60 {
            let Some((mut next, mut kinds)) = self.without(text, dead)? else { return Ok(None) };
            loop {
                if self.removed.compilations >= MAX_COMPILATIONS {
                    return Ok(None);
                }
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

/// Returns the heads of the implementations that may be the reasons for an ambiguous type. The type was not ambiguous
/// in its crate, because a crate knows no implementations of crates on which it does not depend. The compiler names
/// them (E0283), or only says that it cannot infer the type (E0282), for example in `length == other as _`.
fn ambiguous_impls(errors: &[&Diagnostic], text: &str) -> Result<HashSet<String>, PackError> {
    let places: Vec<Range<usize>> =
        errors.iter().filter(|error| error.code() == "E0283").flat_map(|error| error.notes()).collect();
    let of_numbers = errors.iter().any(|error| error.code() == "E0282");
    let mut heads = Heads { places: &places, of_numbers, found: HashSet::new() };
    if of_numbers || !places.is_empty() {
        heads.visit_file(&parse(text)?);
    }
    Ok(heads.found)
}

/// A visitor that collects the heads of implementations at these places.
struct Heads<'a> {
    places: &'a [Range<usize>],
    /// Whether it also collects those that compare numbers with values of a type.
    of_numbers: bool,
    found: HashSet<String>,
}

impl Visit<'_> for Heads<'_> {
    fn visit_item_impl(&mut self, of: &syn::ItemImpl) {
        let range = head_range(of);
        let is_named = self.places.iter().any(|place| range.start <= place.start && place.end <= range.end);
        if is_named || self.of_numbers && compares_numbers(of) {
            self.found.extend(head(of));
        }
    }
}

/// Returns whether this compares numbers with values of a type.
fn compares_numbers(of: &syn::ItemImpl) -> bool {
    let name = of.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
    let compares = name.is_some_and(|last| {
        (last.ident == "PartialEq" || last.ident == "PartialOrd") && !last.arguments.is_empty()
    });
    let is_number = |name: String| {
        let bits = name.strip_prefix(['f', 'i', 'u']);
        bits.is_some_and(|bits| bits == "size" || bits.parse::<u8>().is_ok())
    };
    compares && type_name(&of.self_ty).is_some_and(is_number)
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
