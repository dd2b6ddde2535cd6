//! Removes imports of removed items.

use super::mentions::identifiers;
use super::names::{content, names};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::{Item, UseTree};

/// Removes all imports of removed items. `before` contains the names that the program had, and `libraries` the names of
/// the crates outside the file.
pub(super) fn remove_broken(items: &mut Vec<Item>, before: &Provided, libraries: &HashSet<String>) {
    loop {
        let now = Provided::of(items);
        if !remove_imports(items, "", &Left { before, now, libraries }) {
            return;
        }
    }
}

/// The names in the program.
#[derive(Default)]
pub(super) struct Provided {
    /// Items, variants, modules and imported names.
    names: HashSet<String>,
    /// The modules, by path.
    modules: HashMap<String, Module>,
    pub(super) macros: HashSet<String>,
}

/// The names that remain in a program.
struct Left<'a> {
    before: &'a Provided,
    now: Provided,
    /// The names of the crates outside the file, except the compiler's own.
    libraries: &'a HashSet<String>,
}

/// The names that a module contains.
#[derive(Default)]
struct Module {
    /// Items, and the names of imports.
    names: HashSet<String>,
    /// Items that other modules can import, and those that only the module itself and the modules in it can import.
    items: HashSet<String>,
    private: HashSet<String>,
    /// Imports of a name, by the new name.
    imports: HashMap<String, Vec<Import>>,
    /// The paths from which it imports everything.
    globs: Vec<Vec<String>>,
    /// Whether it contains a macro call that is not expanded and can define any name.
    has_calls: bool,
}

/// An import of one name.
struct Import {
    path: Vec<String>,
    name: String,
    is_private: bool,
}

impl Provided {
    pub(super) fn of(items: &[Item]) -> Provided {
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
                        _ => module.items.insert(name.clone()),
                    };
                    self.names.insert(name);
                }
                Item::Trait(of) => {
                    module.items.insert(of.ident.to_string());
                }
                Item::ExternCrate(of) => {
                    module.items.insert(of.ident.to_string());
                    module.items.extend(of.rename.as_ref().map(|(_, name)| name.to_string()));
                }
                Item::Use(_) | Item::Impl(_) => {}
                item => {
                    module.has_calls |= matches!(item, Item::Macro(of) if of.ident.is_none());
                    module.items.extend(names(item, false));
                    if let Item::Macro(syn::ItemMacro { ident: Some(name), .. }) = item {
                        self.macros.insert(name.to_string());
                    }
                }
            }
        }
        self.names.extend(module.items.iter().cloned());
        for item in items {
            if let Item::Use(item) = item {
                brings(&item.tree, &mut self.names);
                let is_private = matches!(item.vis, syn::Visibility::Inherited);
                module.import(&item.tree, &mut Vec::new(), is_private);
            }
        }
        module.names = module.items.iter().chain(module.imports.keys()).cloned().collect();
        self.modules.insert(path.to_string(), module);
    }
}

impl Left<'_> {
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
                (_, None) if self.now.modules.contains_key(&format!("{from}::{name}")) => {
                    format!("{from}::{name}")
                }
                (_, None) => format!("::{name}"),
            };
            at = Some(self.now.modules.contains_key(&next).then_some(next)?);
        }
        at
    }

    /// Returns whether the module `from` can still import a name after this path. `open` contains the modules and names
    /// whose imports are being followed: a name that only leads to itself is not there.
    fn has(&self, from: &str, path: &[String], name: &str, open: &mut Vec<(String, String)>) -> bool {
        if name == "self" {
            return true;
        }
        match self.resolve(from, path) {
            Some(target) => {
                let step = (target, name.to_string());
                if open.contains(&step) {
                    return false;
                }
                open.push(step.clone());
                let has = self.provides(&step.0, name, from, open);
                open.pop();
                has
            }
            // A name without a path can be a macro.
            None if path.is_empty() && self.is_gone_macro(name) => false,
            None if path.first().is_some_and(|first| self.is_gone_module(&format!("{from}::{first}"))) => {
                false
            }
            None => {
                // The path can lead to a type, which must still be there as well.
                let is_there = path
                    .split_last()
                    .is_none_or(|(last, before)| before.is_empty() || self.has(from, before, last, open));
                is_there
                    && match path.is_empty() {
                        true => self.now.names.contains(name),
                        false => !self.is_gone(name),
                    }
            }
        }
    }

    /// Returns whether a module still provides a name to the module `from`.
    fn provides(&self, target: &str, name: &str, from: &str, open: &mut Vec<(String, String)>) -> bool {
        let module = &self.now.modules[target];
        let is_inside = from == target || from.starts_with(&format!("{target}::"));
        if module.items.contains(name) || is_inside && module.private.contains(name) {
            return true;
        }
        let imports = module.imports.get(name).into_iter().flatten();
        let mut imports = imports.filter(|import| is_inside || !import.is_private);
        if imports.any(|import| self.has(target, &import.path, &import.name, open)) {
            return true;
        }
        let was_known = self.before.modules.get(target).is_some_and(|of| of.names.contains(name));
        let (known, unknown): (Vec<_>, Vec<_>) =
            module.globs.iter().partition(|glob| self.resolve(target, glob).is_some());
        known.iter().any(|glob| self.has(target, glob, name, open))
            || (module.has_calls || !unknown.is_empty()) && !was_known
    }

    /// Returns whether the program had a name that it lost. Other names come from the compiler's own crates.
    fn is_gone(&self, name: &str) -> bool {
        self.before.names.contains(name) && !self.now.names.contains(name)
    }

    fn is_gone_macro(&self, name: &str) -> bool {
        self.before.macros.contains(name) && !self.now.macros.contains(name)
    }

    fn is_gone_module(&self, path: &str) -> bool {
        self.before.modules.contains_key(path) && !self.now.modules.contains_key(path)
    }
}

impl Module {
    /// Adds the names that an import after this path brings into the module.
    fn import(&mut self, tree: &UseTree, path: &mut Vec<String>, is_private: bool) {
        let mut add = |path: &[String], old: &str, new: &str| {
            let import = Import { path: path.to_vec(), name: old.to_string(), is_private };
            self.imports.entry(new.to_string()).or_default().push(import);
        };
        match tree {
            UseTree::Path(of) => {
                path.push(of.ident.to_string());
                self.import(&of.tree, path, is_private);
                path.pop();
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(tree, path, is_private));
            }
            UseTree::Name(syn::UseName { ident }) | UseTree::Rename(syn::UseRename { ident, .. }) => {
                let new = match tree {
                    UseTree::Rename(of) => of.rename.to_string(),
                    _ if ident == "self" => path.last().cloned().unwrap_or_default(),
                    _ => ident.to_string(),
                };
                match (ident == "self", path.split_last()) {
                    (true, Some((last, before))) => add(before, last, &new),
                    _ => add(path, &ident.to_string(), &new),
                }
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
fn remove_imports(items: &mut Vec<Item>, path: &str, left: &Left<'_>) -> bool {
    let mut removed = false;
    items.retain_mut(|item| match item {
        Item::Mod(module) => {
            let inner = format!("{path}::{}", module.ident);
            let Some((_, items)) = &mut module.content else { return true };
            removed |= remove_imports(items, &inner, left);
            // A module that only imports the compiler's own crates counts as empty.
            let is_empty = items.iter().all(|item| matches!(item, Item::ExternCrate(_)));
            removed |= is_empty;
            !is_empty
        }
        Item::Use(item) => {
            Imports { left, module: path, removed: &mut removed }.keeps(&mut item.tree, &mut Vec::new())
        }
        _ => true,
    });
    removed
}

/// Removes imports of removed items from a module.
struct Imports<'a> {
    left: &'a Left<'a>,
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
                // A path can lead to the compiler's own crates through a module, but does not start with their names.
                let is_there = match path.is_empty() {
                    true => {
                        ["crate", "self", "super"].contains(&&name[..])
                            || self.left.now.names.contains(&name)
                            || self.left.libraries.contains(&name)
                    }
                    false => !self.left.is_gone(&name),
                };
                path.push(name);
                let keeps = is_there && self.keeps(&mut of.tree, path);
                path.pop();
                keeps
            }
            UseTree::Name(syn::UseName { ident }) | UseTree::Rename(syn::UseRename { ident, .. }) => {
                self.left.has(self.module, path, &ident.to_string(), &mut Vec::new())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> syn::File {
        syn::parse_str(text).unwrap()
    }

    fn without_broken(before: &str, after: &str) -> String {
        let mut file = parsed(after);
        let libraries = HashSet::from(["library".to_string()]);
        remove_broken(&mut file.items, &Provided::of(&parsed(before).items), &libraries);
        file.to_token_stream().to_string()
    }

    #[test]
    fn an_import_from_a_removed_module_goes() {
        let import = "pub(crate) use macros::three;";
        let other = "mod numbers { mod macros { fn three() {} } }";
        let before =
            format!("mod d {{ mod macros {{ macro_rules! three {{ () => {{}}; }} }} {import} {other} }}");
        let expected = parsed(&format!("mod d {{ {other} }}")).to_token_stream().to_string();
        assert_eq!(without_broken(&before, &format!("mod d {{ {import} {other} }}")), expected);
    }

    #[test]
    fn an_import_of_a_name_that_a_macro_call_defines_stays() {
        let all = "mod d { made! { Shape } pub fn name() {} } use d::{Shape, name}; fn main() {}";
        let after = "mod d { made! { Shape } } use d::{Shape, name}; fn main() {}";
        let expected = parsed("mod d { made! { Shape } } use d::{Shape,}; fn main() {}");
        assert_eq!(without_broken(all, after), expected.to_token_stream().to_string());
    }

    #[test]
    fn an_import_of_a_removed_item_goes_although_its_module_imports_unknown_names() {
        let all = "mod d { pub use std::fmt::*; pub fn gone() {} } use d::{Debug, gone};";
        let after = "mod d { pub use std::fmt::*; } use d::{Debug, gone};";
        let expected = parsed("mod d { pub use std::fmt::*; } use d::{Debug,};");
        assert_eq!(without_broken(all, after), expected.to_token_stream().to_string());
    }

    #[test]
    fn an_import_from_a_crate_outside_the_file_stays() {
        let text = "mod d { use library::{open as open_file, Mode}; use other::close; }";
        let expected =
            parsed("mod d { use library::{open as open_file, Mode}; }").to_token_stream().to_string();
        assert_eq!(without_broken(text, text), expected);
    }

    #[test]
    fn an_import_of_a_foreign_name_through_a_module_stays() {
        let text = "mod lib { pub use std::result; } use crate::lib::result::Result::Ok;";
        assert_eq!(without_broken(text, text), parsed(text).to_token_stream().to_string());
    }

    #[test]
    fn an_import_that_only_leads_to_itself_goes() {
        let left = "mod d { pub mod inner { pub(crate) use crate::d::{Gone, Kept}; } use inner::*; pub struct Kept; }";
        let expected = left.replace("Gone, ", "");
        let all = left.replace("pub struct Kept;", "pub struct Kept; pub struct Gone;");
        assert_eq!(without_broken(&all, left), parsed(&expected).to_token_stream().to_string());
    }

    #[test]
    fn a_private_import_is_no_source_for_other_modules() {
        let left = "mod d { mod any { use crate::e::Name; pub fn f() -> Name {} } pub use any::*; } mod e { pub struct Name; } use d::{f, Name};";
        let all = left.replace("pub use any", "pub struct Name; pub use any");
        let expected = left.replace("{f, Name}", "{f,}");
        assert_eq!(without_broken(&all, left), parsed(&expected).to_token_stream().to_string());
    }
}
