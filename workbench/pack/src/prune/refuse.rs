//! The refusal of programs that still need what one file cannot contain.

use super::Pruner;
use crate::PackError;
use crate::compiler::Diagnostic;
use crate::error::{Obstacle, Sign};
use crate::origin::origins;
use crate::syntax::parse;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::Item;

impl Pruner<'_> {
    /// Describes the compiler's errors in a text: one line for each place in the sources, and the first error as the
    /// compiler prints it.
    pub(super) fn describe(&self, diagnostics: &[Diagnostic], text: &str) -> String {
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
    pub(super) fn refuse_remaining(&self, text: &str) -> Result<(), PackError> {
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
    pub(super) fn refuse(
        &self,
        diagnostics: &[Diagnostic],
        file: &syn::File,
        text: &str,
    ) -> Result<(), PackError> {
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
