//! Removes imports of removed items.

use super::mentions::identifiers;
use super::names::{content, names};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::{Item, UseTree};

/// Returns the names of the program's macros.
pub(super) fn macros(items: &[Item]) -> HashSet<String> {
    Provided::of(items).macros
}

/// Removes all imports of removed items. `macros` contains the names of the macros that the program had.
pub(super) fn remove_broken(items: &mut Vec<Item>, macros: &HashSet<String>) {
    loop {
        let mut provided = Provided::of(items);
        provided.gone = macros.difference(&provided.macros).cloned().collect();
        if !remove_imports(items, "", &provided) {
            return;
        }
    }
}

/// Maximum number of imports of everything that are followed to find a name.
const MAX_GLOBS: usize = 8;

/// The names that remain in the program.
#[derive(Default)]
struct Provided {
    /// Items, variants, modules and imported names.
    names: HashSet<String>,
    /// The modules, by path.
    modules: HashMap<String, Module>,
    macros: HashSet<String>,
    /// Macros that were removed.
    gone: HashSet<String>,
}

/// The names that a module contains.
#[derive(Default)]
struct Module {
    /// Items, and names that it imports.
    names: HashSet<String>,
    /// Modules that only the module itself and the modules in it can import.
    private: HashSet<String>,
    /// The paths from which it imports everything.
    globs: Vec<Vec<String>>,
}

impl Provided {
    fn of(items: &[Item]) -> Provided {
        let mut provided = Provided::default();
        provided.items(items, "");
        provided
    }

    fn items(&mut self, items: &[Item], path: &str) {
        let mut module = Module::default();
        for item in items {
            match item {
                Item::Mod(inner) => {
                    let name = inner.ident.to_string();
                    self.items(content(inner), &format!("{path}::{name}"));
                    match inner.vis {
                        syn::Visibility::Inherited => module.private.insert(name.clone()),
                        _ => module.names.insert(name.clone()),
                    };
                    self.names.insert(name);
                }
                Item::Trait(of) => {
                    module.names.insert(of.ident.to_string());
                }
                Item::ExternCrate(of) => {
                    module.names.insert(of.ident.to_string());
                    module.names.extend(of.rename.as_ref().map(|(_, name)| name.to_string()));
                }
                Item::Use(_) | Item::Impl(_) => {}
                item => {
                    module.names.extend(names(item, false));
                    if let Item::Macro(syn::ItemMacro { ident: Some(name), .. }) = item {
                        self.macros.insert(name.to_string());
                    }
                }
            }
        }
        self.names.extend(module.names.iter().cloned());
        for item in items {
            if let Item::Use(item) = item {
                brings(&item.tree, &mut self.names);
                module.import(&item.tree, &mut Vec::new());
            }
        }
        self.modules.insert(path.to_string(), module);
    }

    /// Returns the path of the module that a path in the module `from` names.
    fn resolve(&self, from: &str, path: &[String]) -> Option<String> {
        let outer = |module: &str| Some(module.rsplit_once("::")?.0.to_string());
        let mut at = None;
        for name in path {
            let next = match (&name[..], at) {
                ("crate", _) => String::new(),
                ("self", at) => at.unwrap_or_else(|| from.to_string()),
                ("super", at) => outer(at.as_deref().unwrap_or(from))?,
                (_, Some(at)) => format!("{at}::{name}"),
                (_, None) if self.modules.contains_key(&format!("{from}::{name}")) => {
                    format!("{from}::{name}")
                }
                (_, None) => format!("::{name}"),
            };
            at = Some(self.modules.contains_key(&next).then_some(next)?);
        }
        at
    }

    /// Returns whether the module `from` can still import a name after this path.
    fn has(&self, from: &str, path: &[String], name: &str, depth: usize) -> bool {
        if name == "self" {
            return true;
        }
        match self.resolve(from, path) {
            Some(target) => {
                let module = &self.modules[&target];
                let is_inside = from == target || from.starts_with(&format!("{target}::"));
                module.names.contains(name)
                    || is_inside && module.private.contains(name)
                    || module.globs.iter().any(|glob| {
                        let is_known = depth > 0 && self.resolve(&target, glob).is_some();
                        !is_known || self.has(&target, glob, name, depth - 1)
                    })
            }
            // A name without a path can be a macro.
            None if path.is_empty() && self.gone.contains(name) => false,
            None => {
                // The path can lead to a type, which must still be there as well.
                let is_there = path
                    .split_last()
                    .is_none_or(|(last, before)| before.is_empty() || self.has(from, before, last, depth));
                is_there && self.names.contains(name)
            }
        }
    }
}
impl Module {
    /// Adds the names that an import after this path brings into the module.
    fn import(&mut self, tree: &UseTree, path: &mut Vec<String>) {
        match tree {
            UseTree::Path(of) => {
                path.push(of.ident.to_string());
                self.import(&of.tree, path);
                path.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, path)),
            UseTree::Name(of) if of.ident == "self" => self.names.extend(path.last().cloned()),
            UseTree::Name(of) => {
                self.names.insert(of.ident.to_string());
            }
            UseTree::Rename(of) => {
                self.names.insert(of.rename.to_string());
            }
            UseTree::Glob(_) => self.globs.push(path.clone()),
        }
    }
}

/// Collects the names that an import brings in from other crates or introduces by renaming.
fn brings(tree: &UseTree, provided: &mut HashSet<String>) {
    match tree {
        UseTree::Path(path) if is_external(&path.ident) => {
            let mut all = Vec::new();
            identifiers(path.tree.to_token_stream(), &mut all);
            provided.extend(all);
        }
        UseTree::Path(path) => brings(&path.tree, provided),
        UseTree::Group(group) => group.items.iter().for_each(|tree| brings(tree, provided)),
        UseTree::Rename(of) => {
            provided.insert(of.rename.to_string());
        }
        UseTree::Name(_) | UseTree::Glob(_) => {}
    }
}

fn is_external(name: &syn::Ident) -> bool {
    ["std", "core", "alloc"].iter().any(|external| name == external)
}

/// Removes imports of removed items from the module `path`. Returns whether any import was removed.
fn remove_imports(items: &mut Vec<Item>, path: &str, provided: &Provided) -> bool {
    let mut removed = false;
    items.retain_mut(|item| match item {
        Item::Mod(module) => {
            let inner = format!("{path}::{}", module.ident);
            let Some((_, items)) = &mut module.content else { return true };
            removed |= remove_imports(items, &inner, provided);
            // A module that only imports the compiler's own crates counts as empty.
            let is_empty = items.iter().all(|item| matches!(item, Item::ExternCrate(_)));
            removed |= is_empty;
            !is_empty
        }
        Item::Use(item) => {
            Imports { provided, module: path, removed: &mut removed }.keeps(&mut item.tree, &mut Vec::new())
        }
        _ => true,
    });
    removed
}

/// Removes imports of removed items from a module.
struct Imports<'a> {
    provided: &'a Provided,
    module: &'a str,
    removed: &'a mut bool,
}

impl Imports<'_> {
    /// Removes names from an import after this path. Returns whether any name remains.
    fn keeps(&mut self, tree: &mut UseTree, path: &mut Vec<String>) -> bool {
        let keeps = match tree {
            UseTree::Path(of) if path.is_empty() && is_external(&of.ident) => return true,
            UseTree::Path(of) => {
                let name = of.ident.to_string();
                let is_there =
                    ["crate", "self", "super"].contains(&&name[..]) || self.provided.names.contains(&name);
                path.push(name);
                let keeps = is_there && self.keeps(&mut of.tree, path);
                path.pop();
                keeps
            }
            UseTree::Name(syn::UseName { ident }) | UseTree::Rename(syn::UseRename { ident, .. }) => {
                self.provided.has(self.module, path, &ident.to_string(), MAX_GLOBS)
            }
            UseTree::Glob(_) => true,
            UseTree::Group(group) => {
                let trees = std::mem::take(&mut group.items);
                group.items = trees
                    .into_pairs()
                    .filter_map(|mut pair| self.keeps(pair.value_mut(), path).then_some(pair))
                    .collect();
                !group.items.is_empty()
            }
        };
        *self.removed |= !keeps;
        keeps
    }
}
