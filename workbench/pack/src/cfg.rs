//! Conditional compilation. The packer evaluates conditions as far as possible.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token};

/// The known facts about how the judge will compile a crate.
#[derive(Debug)]
pub(crate) struct Cfg<'a> {
    /// The enabled features of the crate.
    pub features: &'a HashSet<String>,
    /// Conditions that the crate's build script sets.
    pub script: &'a BTreeSet<String>,
    /// Conditions that the compiler sets, as it prints them: `unix`, `target_os="linux"`.
    pub compiler: &'a BTreeSet<String>,
    /// A collection of the processor features on which decisions depended.
    pub needed: &'a RefCell<BTreeSet<String>>,
}

impl Cfg<'_> {
    /// Removes attributes that a submission does not need, and evaluates conditions in the remaining ones.
    ///
    /// Returns whether the item with these attributes is kept.
    pub fn reduce(&self, attributes: &mut Vec<Attribute>) -> syn::Result<bool> {
        let mut kept = Vec::new();
        let mut todo: Vec<Attribute> = std::mem::take(attributes);
        todo.reverse();
        while let Some(attribute) = todo.pop() {
            let path = attribute.path();
            if path.is_ident("cfg") {
                match self.decide(&attribute.parse_args()?) {
                    Some(true) => {}
                    Some(false) => return Ok(false),
                    None => kept.push(attribute),
                }
            } else if path.is_ident("cfg_attr") {
                let pieces = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
                let mut pieces = pieces.into_iter();
                let Some(condition) = pieces.next() else { continue };
                match self.decide(&condition) {
                    Some(true) => {
                        let given: Vec<Attribute> =
                            pieces.map(|meta| Attribute { meta, ..attribute.clone() }).collect();
                        todo.extend(given.into_iter().rev());
                    }
                    Some(false) => {}
                    None => kept.push(attribute),
                }
            } else if path.is_ident("test") || path.is_ident("bench") {
                return Ok(false);
            } else if is_kept(&attribute)? {
                kept.push(attribute);
            }
        }
        *attributes = kept;
        Ok(true)
    }

    fn holds(&self, condition: &str) -> bool {
        self.compiler.contains(condition) || self.script.contains(condition)
    }

    /// Returns whether a condition is true, or `None` if only the judge's compiler can evaluate it.
    pub fn decide(&self, condition: &Meta) -> Option<bool> {
        match condition {
            Meta::Path(path) => {
                let name = path.get_ident()?.to_string();
                Some(name == "true" || self.holds(&name))
            }
            Meta::NameValue(pair) => {
                let Expr::Lit(ExprLit { lit: Lit::Str(value), .. }) = &pair.value else { return None };
                let (key, value) = (pair.path.get_ident()?.to_string(), value.value());
                if key == "feature" && self.features.contains(&value) {
                    return Some(true);
                }
                let holds = self.holds(&format!("{key}=\"{value}\""));
                if key == "target_feature" && holds {
                    self.needed.borrow_mut().insert(value);
                }
                Some(holds)
            }
            Meta::List(list) => {
                let pieces = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
                let decided: Vec<Option<bool>> = pieces.iter().map(|piece| self.decide(piece)).collect();
                // A single part with this value decides the condition. Otherwise, all parts must be known.
                let of_many = |deciding: bool| {
                    if decided.contains(&Some(deciding)) {
                        Some(deciding)
                    } else if decided.contains(&None) {
                        None
                    } else {
                        Some(!deciding)
                    }
                };
                match &list.path.get_ident()?.to_string()[..] {
                    "not" => decided.first().copied()?.map(|holds| !holds),
                    "all" => of_many(false),
                    "any" => of_many(true),
                    _ => None,
                }
            }
        }
    }
}

/// Returns whether an attribute has an effect in a submission. Documentation, lint levels and hints for a crate's users
/// have no effect.
pub(crate) fn is_kept(attribute: &Attribute) -> syn::Result<bool> {
    let path = attribute.path();
    let first = path.segments.first().map(|segment| segment.ident.to_string()).unwrap_or_default();
    Ok(match &first[..] {
        "doc" | "must_use" | "deprecated" | "warn" | "deny" | "forbid" | "expect" | "rustfmt" | "clippy"
        | "non_exhaustive" | "diagnostic" | "no_std" => false,
        "allow" => {
            let lints = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
            lints.iter().any(|lint| {
                let name = lint.path().segments[0].ident.to_string();
                !(name.starts_with("unused")
                    || matches!(
                        &name[..],
                        "clippy" | "rustdoc" | "dead_code" | "missing_docs" | "unsafe_code"
                    ))
            })
        }
        _ => true,
    })
}
