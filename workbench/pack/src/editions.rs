//! Rewrites code from other editions so that it has the same meaning in edition 2021, which judges use.
//!
//! `let` chains and edition 2024 attributes are rewritten when a crate is read. Differences that depend on types are
//! found by the compiler's migration lints. Code from older editions is compiled in its edition, and the compiler's
//! suggestions are applied. Code from edition 2024 is compiled in edition 2021; if values would be dropped later than
//! in 2024, an explicit block drops them at the right time. A difference that cannot be rewritten causes an error with
//! its location.

use crate::PackError;
use crate::compiler::{Compiler, Diagnostic};
use crate::origin::{Origin, origin};
use crate::syntax::{block_range, module_range, parse, print};
use crate::workspace::Edition;
use proc_macro2::Span;
use std::collections::BTreeMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, Item, Lifetime, Stmt, parse_quote};

/// Rewrites syntax that exists only in edition 2024.
pub(crate) fn lower(items: &mut [Item]) {
    let mut lowering = Lowering { loops: Vec::new(), labels: 0, rescoped: None };
    for item in items {
        lowering.visit_item_mut(item);
    }
}

/// A visitor that rewrites a program for edition 2021.
struct Lowering {
    /// The loops around the current expression; `None` marks the start of a function or closure.
    loops: Vec<Option<Loop>>,
    /// Number of labels created so far.
    labels: usize,
    /// The places at which temporary values would be dropped too late. If `None`, only `let` chains are rewritten.
    rescoped: Option<Vec<Range<usize>>>,
}

struct Loop {
    label: Lifetime,
    /// Whether a `break` or `continue` needs the loop's label.
    is_named: bool,
}

/// Returns the parts of an `if` or `while` condition, in order of evaluation.
fn conditions(condition: &Expr) -> Vec<Expr> {
    match condition {
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            let mut parts = conditions(&binary.left);
            parts.extend(conditions(&binary.right));
            parts
        }
        other => vec![other.clone()],
    }
}

fn has_chain(condition: &Expr) -> bool {
    let parts = conditions(condition);
    parts.len() > 1 && parts.iter().any(|part| matches!(part, Expr::Let(_)))
}

/// Wraps a block in nested `if` expressions, one for each part of the condition.
fn nested(condition: &Expr, inner: Block) -> Expr {
    let mut groups: Vec<Expr> = Vec::new();
    for part in conditions(condition) {
        match groups.last_mut() {
            Some(last) if !matches!(last, Expr::Let(_)) && !matches!(part, Expr::Let(_)) => {
                *last = parse_quote!(#last && #part);
            }
            _ => groups.push(part),
        }
    }
    let mut block = inner;
    while let Some(condition) = groups.pop() {
        let made: Expr = parse_quote!(if #condition #block);
        block = parse_quote!({ #made });
    }
    match block.stmts.pop() {
        Some(Stmt::Expr(made, _)) => made,
        _ => parse_quote!({}),
    }
}

impl Lowering {
    fn fresh(&mut self, what: &str) -> Lifetime {
        self.labels += 1;
        Lifetime::new(&format!("'{what}_{}", self.labels), Span::call_site())
    }

    fn in_loop(&mut self, label: &mut Option<syn::Label>, body: &mut Block) {
        let name = label.as_ref().map_or_else(|| self.fresh("around"), |label| label.name.clone());
        self.loops.push(Some(Loop { label: name.clone(), is_named: false }));
        self.visit_block_mut(body);
        if self.loops.pop().flatten().is_some_and(|of| of.is_named) && label.is_none() {
            *label = Some(parse_quote!(#name:));
        }
    }

    fn outside_loops<T>(&mut self, work: impl FnOnce(&mut Lowering) -> T) -> T {
        self.loops.push(None);
        let done = work(self);
        self.loops.pop();
        done
    }

    /// Converts an `if` with an `else` to a labelled block, which the taken branch leaves early.
    fn left_early(&mut self, of: &syn::ExprIf) -> Expr {
        let label = self.fresh("taken");
        let (mut then, mut otherwise) = (of.then_branch.clone(), of.else_branch.clone());
        if let Some(Some(around)) = self.loops.last_mut() {
            let mut jumps = Jumps { label: &around.label, is_changed: false };
            jumps.visit_block_mut(&mut then);
            otherwise.iter_mut().for_each(|(_, expression)| jumps.visit_expr_mut(expression));
            around.is_named |= jumps.is_changed;
        }
        let attributes = &of.attrs;
        let leave: Expr = nested(&of.cond, parse_quote!({ break #label #then; }));
        let rest: Vec<Stmt> = match otherwise {
            Some((_, expression)) => match *expression {
                Expr::Block(block) => block.block.stmts,
                other => vec![Stmt::Expr(other, None)],
            },
            None => Vec::new(),
        };
        parse_quote!(#(#attributes)* #label: { #leave #(#rest)* })
    }

    fn is_rescoped(&self, scrutinee: &Expr) -> bool {
        let range = scrutinee.span().byte_range();
        let places = self.rescoped.iter().flatten();
        places.into_iter().any(|place| place.start < range.end && range.start < place.end)
    }
}

impl VisitMut for Lowering {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
        for attribute in attributes {
            if let syn::Meta::List(list) = &attribute.meta
                && list.path.is_ident("unsafe")
                && let Ok(inner) = list.parse_args::<syn::Meta>()
            {
                attribute.meta = inner;
            }
        }
    }

    fn visit_item_foreign_mod_mut(&mut self, item: &mut syn::ItemForeignMod) {
        item.unsafety = None;
        visit_mut::visit_item_foreign_mod_mut(self, item);
    }

    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        self.outside_loops(|this| visit_mut::visit_item_fn_mut(this, item));
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        self.outside_loops(|this| visit_mut::visit_expr_closure_mut(this, closure));
    }

    fn visit_expr_async_mut(&mut self, of: &mut syn::ExprAsync) {
        self.outside_loops(|this| visit_mut::visit_expr_async_mut(this, of));
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let Some(Stmt::Expr(tail, None)) = block.stmts.last_mut() else { return };
        if self.rescoped.is_some() && !matches!(tail, Expr::If(_) | Expr::Block(_)) && self.is_rescoped(tail)
        {
            let value = tail.clone();
            block.stmts.pop();
            block.stmts.push(parse_quote!(let value = #value;));
            block.stmts.push(Stmt::Expr(parse_quote!(value), None));
        }
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match expression {
            Expr::Loop(of) => self.in_loop(&mut of.label, &mut of.body),
            Expr::ForLoop(of) => {
                self.visit_expr_mut(&mut of.expr);
                self.in_loop(&mut of.label, &mut of.body);
            }
            Expr::While(of) => {
                self.visit_expr_mut(&mut of.cond);
                self.in_loop(&mut of.label, &mut of.body);
                if has_chain(&of.cond) {
                    let (label, attributes, body) = (&of.label, &of.attrs, &of.body);
                    let again = nested(&of.cond, parse_quote!({ #body continue; }));
                    *expression = parse_quote!(#(#attributes)* #label loop { #again break; });
                }
            }
            Expr::If(of) => {
                // Not `visit_expr_if_mut`, because the expression after an `else` must be visited like any other
                // expression.
                self.visit_expr_mut(&mut of.cond);
                self.visit_block_mut(&mut of.then_branch);
                if let Some((_, otherwise)) = &mut of.else_branch {
                    self.visit_expr_mut(otherwise);
                    if !matches!(**otherwise, Expr::If(_) | Expr::Block(_)) || has_label(otherwise) {
                        let inner = &*otherwise;
                        **otherwise = parse_quote!({ #inner });
                    }
                }
                let is_late = matches!(&*of.cond, Expr::Let(of) if self.is_rescoped(&of.expr));
                if of.else_branch.is_some() && (has_chain(&of.cond) || is_late) {
                    *expression = self.left_early(of);
                } else if has_chain(&of.cond) {
                    *expression = nested(&of.cond, of.then_branch.clone());
                }
            }
            other => visit_mut::visit_expr_mut(self, other),
        }
    }
}

fn has_label(expression: &Expr) -> bool {
    matches!(expression, Expr::Block(block) if block.label.is_some())
}

/// A visitor that adds a loop's label to the jumps of this loop.
struct Jumps<'a> {
    label: &'a Lifetime,
    is_changed: bool,
}

impl VisitMut for Jumps<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match expression {
            Expr::Break(of) => {
                if of.label.is_none() {
                    of.label = Some(self.label.clone());
                    self.is_changed = true;
                }
                visit_mut::visit_expr_break_mut(self, of);
            }
            Expr::Continue(of) if of.label.is_none() => {
                of.label = Some(self.label.clone());
                self.is_changed = true;
            }
            Expr::Loop(_) | Expr::Closure(_) | Expr::Async(_) => {}
            Expr::ForLoop(of) => self.visit_expr_mut(&mut of.expr),
            Expr::While(of) => self.visit_expr_mut(&mut of.cond),
            other => visit_mut::visit_expr_mut(self, other),
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Maximum number of times that the compiler's suggestions are applied.
const ROUNDS: usize = 6;

/// The lints for code from older editions that has a different meaning in edition 2021. A crate's `allow` must not hide
/// them.
const OLDER: &str = "--edition 2018 --force-warn rust_2021_compatibility";

/// The lints for code in edition 2021 that has a different meaning in edition 2024.
const NEWER: &str = "--edition 2021 --force-warn if_let_rescope --force-warn tail_expr_drop_order \
                     --force-warn boxed_slice_into_iter --force-warn rust_2024_prelude_collisions \
                     --force-warn never_type_fallback_flowing_into_unsafe";

/// Returns the edition of the code at a position.
fn edition_at(file: &syn::File, editions: &BTreeMap<String, Edition>, at: usize) -> Edition {
    let module = file.items.iter().find_map(|item| match item {
        Item::Mod(module) if module_range(module).contains(&at) => Some(module.ident.to_string()),
        _ => None,
    });
    let of = module.and_then(|module| editions.get(&module)).or_else(|| editions.get(""));
    of.copied().unwrap_or(Edition::E2021)
}

/// A bundle after its code of older editions was rewritten.
pub(crate) enum Migrated {
    /// The text in edition 2021.
    Done(String),
    /// Names are missing, so nothing was rewritten. The messages of the compiler refer to this text.
    Missing(String, Vec<Diagnostic>),
}

/// Rewrites code of older editions in a bundle for edition 2021. `bundle` contains the editions of the crates'
/// modules. Stops if the compiler does not find a name and `is_unknown` is true for its message, because the bundle
/// must be made again with this name.
///
/// # Errors
/// Returns an error for code that has another meaning in edition 2021 and cannot be rewritten.
pub(crate) fn migrate_older(
    mut text: String,
    bundle: &Origin<'_>,
    compiler: &Compiler<'_>,
    is_unknown: &dyn Fn(&Diagnostic, &str) -> bool,
) -> Result<Migrated, PackError> {
    let editions = bundle.editions;
    if editions.values().all(|&edition| edition >= Edition::E2021) {
        return Ok(Migrated::Done(text));
    }
    for round in 1..=ROUNDS {
        let mut file = parse(&text)?;
        add_preludes(&mut file, editions);
        let trial = print(&file);
        let file = parse(&trial)?;
        let migrations = |text: &str| -> Result<(Migrations, Vec<Diagnostic>), PackError> {
            let found = compiler.check_as(text, OLDER)?;
            let is_older = |at| edition_at(&file, editions, at) < Edition::E2021;
            Ok((Migrations::of(&found, &trial, is_older), found))
        };
        let (mut found, mut diagnostics) = migrations(&trial)?;
        if diagnostics.iter().any(|error| error.is_missing() && is_unknown(error, &trial)) {
            return Ok(Migrated::Missing(trial, diagnostics));
        }
        // The compiler runs most lints only if the whole file compiles. So if functions of newer crates do not compile
        // in edition 2018, their bodies are emptied.
        let mut compiling = trial.clone();
        while found.edits.is_empty() {
            let errors = diagnostics.iter().filter(|found| found.is_error()).flat_map(Diagnostic::starts);
            let newer = errors.filter(|&at| is_new(edition_at(&file, editions, at)));
            if !empty_bodies(&mut compiling, &file, newer) {
                break;
            }
            (found, diagnostics) = migrations(&compiling)?;
        }
        if found.edits.is_empty() || round == ROUNDS {
            PackError::all(found.rest.iter().map(|found| place(found, &trial, bundle, "2018")).collect())?;
        }
        if found.edits.is_empty() {
            break;
        }
        let mut file = parse(&found.apply(&trial))?;
        remove_prelude(&mut file.items);
        text = print(&file);
    }
    Ok(Migrated::Done(text))
}

fn is_new(edition: Edition) -> bool {
    edition >= Edition::E2021
}

/// Adds the prelude of edition 2021 to the crates of this edition.
fn add_preludes(file: &mut syn::File, editions: &BTreeMap<String, Edition>) {
    if editions.get("").copied().is_none_or(is_new) {
        add_prelude(&mut file.items, &|module| editions.get(module).is_none_or(|&of| is_new(of)));
    } else {
        for item in &mut file.items {
            let Item::Mod(module) = item else { continue };
            if let (Some(&edition), Some((_, items))) =
                (editions.get(&module.ident.to_string()), &mut module.content)
                && is_new(edition)
            {
                add_prelude(items, &|_| true);
            }
        }
    }
    file.items.push(prelude());
}

/// The differences between the editions that the compiler reports in code of older editions.
struct Migrations {
    /// The start of each replaced range, with its end and its new text.
    edits: BTreeMap<usize, (usize, String)>,
    /// The differences for which there is no edit.
    rest: Vec<Diagnostic>,
}

impl Migrations {
    fn of(diagnostics: &[Diagnostic], text: &str, is_older: impl Fn(usize) -> bool) -> Migrations {
        let mut edits = BTreeMap::new();
        let mut rest = Vec::new();
        for found in diagnostics.iter().filter(|found| is_migration(found)) {
            if !found.starts().next().is_some_and(&is_older) {
                continue;
            }
            match (found.suggestion(), found.code()) {
                (Some(parts), _) => {
                    for (range, new) in parts {
                        edits.insert(range.start, (range.end, new.to_string()));
                    }
                }
                // The compiler suggests nothing in macros, but points to the type in the macro's definition.
                (None, "bare_trait_objects") => {
                    for range in found.places() {
                        let of = text.get(range.clone()).unwrap_or_default();
                        let of = if of.contains('+') { format!("(dyn {of})") } else { format!("dyn {of}") };
                        edits.insert(range.start, (range.end, of));
                    }
                }
                (None, _) => rest.push(found.clone()),
            }
        }
        Migrations { edits, rest }
    }

    /// Returns the text with the edits, except those that overlap a later one.
    fn apply(self, text: &str) -> String {
        let mut changed = text.to_string();
        let mut until = usize::MAX;
        for (start, (end, new)) in self.edits.into_iter().rev() {
            if end <= until {
                changed.replace_range(start..end, &new);
                until = start;
            }
        }
        changed
    }
}

/// Empties the bodies of the functions around these positions, and keeps the positions of all other code. Returns
/// whether the text has changed.
fn empty_bodies(text: &mut String, file: &syn::File, positions: impl Iterator<Item = usize>) -> bool {
    let mut bodies = Bodies::default();
    bodies.visit_file(file);
    let before = text.clone();
    for at in positions {
        let Some(body) = bodies.0.iter().find(|body| body.contains(&at)) else { continue };
        let empty = format!("{{{:width$}}}", "loop {}", width = body.len().saturating_sub(2));
        if empty.len() == body.len() {
            text.replace_range(body.clone(), &empty);
        }
    }
    *text != before
}

/// A visitor that finds the bodies of functions, except functions in other functions.
#[derive(Default)]
struct Bodies(Vec<Range<usize>>);

impl Visit<'_> for Bodies {
    fn visit_item_fn(&mut self, item: &syn::ItemFn) {
        self.0.push(block_range(&item.block));
    }

    fn visit_impl_item_fn(&mut self, item: &syn::ImplItemFn) {
        self.0.push(block_range(&item.block));
    }

    fn visit_trait_item_fn(&mut self, item: &syn::TraitItemFn) {
        self.0.extend(item.default.as_ref().map(block_range));
    }
}

fn is_migration(found: &Diagnostic) -> bool {
    found.code().starts_with("rust_2021")
        || matches!(
            found.code(),
            "array_into_iter" | "bare_trait_objects" | "non_fmt_panics" | "ellipsis_inclusive_range_patterns"
        )
}

/// Creates the error for code that cannot be rewritten.
fn place(found: &Diagnostic, text: &str, bundle: &Origin<'_>, edition: &str) -> PackError {
    let range = found.ranges().next().or_else(|| found.starts().next().map(|at| at..at)).unwrap_or_default();
    let line = text.get(..range.start).map_or(0, |before| before.matches('\n').count());
    let code = text.lines().nth(line).unwrap_or_default().trim();
    PackError::general(format!(
        "{}: judges compile with edition 2021, in which `{code}` has a different meaning than in {edition}: \
         {}\nhint: rewrite the code, or migrate the crate to edition 2021 with `cargo fix --edition`",
        origin(text, range.start, bundle.folders),
        found.message
    ))
}

/// Returns the module with the names that are in scope since edition 2021, for compiling in an older edition. It does
/// not contain the other names of the prelude, because they would hide names that a module imports with `*`.
fn prelude() -> Item {
    parse_quote! {
        #[allow(unused_imports)]
        mod prelude_since_2021 {
            pub use std::convert::{TryFrom, TryInto};
            pub use std::iter::FromIterator;
        }
    }
}

fn prelude_import() -> Item {
    parse_quote!(
        #[allow(unused_imports)]
        use crate::prelude_since_2021::*;
    )
}

fn add_prelude(items: &mut Vec<Item>, is_wanted: &dyn Fn(&str) -> bool) {
    for item in items.iter_mut() {
        if let Item::Mod(module) = item
            && is_wanted(&module.ident.to_string())
            && let Some((_, items)) = &mut module.content
        {
            add_prelude(items, &|_| true);
        }
    }
    items.insert(0, prelude_import());
}

fn remove_prelude(items: &mut Vec<Item>) {
    let made = [prelude(), prelude_import()];
    items.retain(|item| !made.contains(item));
    for item in items {
        if let Item::Mod(module) = item
            && let Some((_, items)) = &mut module.content
        {
            remove_prelude(items);
        }
    }
}

/// Returns the bundle after rewriting its code of edition 2024 for edition 2021. Returns `None` if it needs no
/// rewriting.
///
/// # Errors
/// Returns an error for code that has another meaning in edition 2021 and cannot be rewritten.
pub(crate) fn migrate_newer(
    text: &str,
    bundle: &Origin<'_>,
    compiler: &Compiler<'_>,
) -> Result<Option<String>, PackError> {
    let editions = bundle.editions;
    if editions.values().all(|&edition| edition <= Edition::E2021) {
        return Ok(None);
    }
    let mut file = parse(text)?;
    let diagnostics = compiler.check_as(text, NEWER)?;
    let (mut rescoped, mut rest) = (Vec::new(), Vec::new());
    for found in &diagnostics {
        let Some(start) = found.starts().next() else { continue };
        if edition_at(&file, editions, start) <= Edition::E2021 {
            continue;
        }
        match found.code() {
            "if_let_rescope" | "tail_expr_drop_order" => rescoped.extend(found.ranges()),
            "boxed_slice_into_iter"
            | "rust_2024_prelude_collisions"
            | "never_type_fallback_flowing_into_unsafe" => {
                rest.push(place(found, text, bundle, "2024"));
            }
            _ => {}
        }
    }
    PackError::all(rest)?;
    if rescoped.is_empty() {
        return Ok(None);
    }
    Lowering { loops: Vec::new(), labels: 1000, rescoped: Some(rescoped) }.visit_file_mut(&mut file);
    Ok(Some(print(&file)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Build;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn nothing_is_rewritten_if_a_name_is_missing_that_the_caller_can_add() {
        let stop = AtomicBool::new(false);
        let build = Build::default();
        let compiler = Compiler::new(&build, &stop).unwrap();
        let editions = BTreeMap::from([(String::new(), Edition::E2018)]);
        let bundle = Origin { build: &build, suspects: &[], editions: &editions, folders: &[] };
        let text =
            "fn first() -> u32 { [1, 2].into_iter().count() as u32 } fn main() { first(); missing(); }";
        let migrate = |can_add: bool| {
            let is_unknown = |error: &Diagnostic, text: &str| {
                can_add && error.ranges().any(|range| &text[range] == "missing")
            };
            migrate_older(text.to_string(), &bundle, &compiler, &is_unknown).unwrap()
        };
        let Migrated::Missing(trial, diagnostics) = migrate(true) else { panic!("the name is not missing") };
        let error = diagnostics.iter().find(|found| found.is_missing()).unwrap();
        assert_eq!(&trial[error.ranges().next().unwrap()], "missing");
        let Migrated::Done(done) = migrate(false) else { panic!("no name is unknown") };
        assert!(done.contains("missing()"), "{done}");
    }

    #[test]
    fn a_newer_crate_can_import_names_of_the_prelude_from_elsewhere() {
        let stop = AtomicBool::new(false);
        let build = Build::default();
        let compiler = Compiler::new(&build, &stop).unwrap();
        let editions = [(String::new(), Edition::E2018), ("newer".to_string(), Edition::E2021)].into();
        let bundle = Origin { build: &build, suspects: &[], editions: &editions, folders: &[] };
        let text = "
            mod newer {
                mod read { pub type Result<T> = std::result::Result<T, ()>; }
                pub use read::*;
                pub fn read() -> Result<u8> { 300u32.try_into().map_err(|_| ()) }
            }
            fn main() { newer::read().ok(); [1, 2].into_iter().count(); }";
        let Migrated::Done(done) =
            migrate_older(text.to_string(), &bundle, &compiler, &|_, _| false).unwrap()
        else {
            panic!("a name is missing")
        };
        assert!(done.contains("[1, 2].iter()") && !done.contains("prelude"), "{done}");
    }
}
