//! Removes the code that the compiler reports as unused or invalid from a syntax tree.

use super::head_range;
use crate::compiler::Diagnostic;
use crate::reach::Kinds;
use crate::syntax::print;
use std::collections::HashSet;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{ForeignItem, ImplItem, Item, TraitItem, UseTree};

/// The dead code that the compiler reports.
#[derive(Clone, Default)]
pub(super) struct Dead {
    /// The start positions of the names of unused definitions.
    definitions: HashSet<usize>,
    /// Unused imports and re-exports.
    imports: Vec<Range<usize>>,
    /// Positions in implementations whose type or trait has been removed.
    broken: Vec<Range<usize>>,
}

impl Dead {
    pub(super) fn of(diagnostics: &[Diagnostic]) -> Dead {
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
    pub(super) fn of_errors(diagnostics: &[Diagnostic]) -> Dead {
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

/// A visitor that removes unused code from the syntax tree.
pub(super) struct Knife<'a> {
    dead: &'a Dead,
    kept: &'a HashSet<String>,
    pub(super) kinds: Kinds,
    imports: usize,
    /// Removed members of traits, each with its trait.
    pub(super) members: HashSet<(String, String)>,
}

impl<'a> Knife<'a> {
    pub(super) fn new(dead: &'a Dead, kept: &'a HashSet<String>) -> Knife<'a> {
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

    pub(super) fn items(&mut self, items: &mut Vec<Item>) {
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
pub(super) struct Imports<'a> {
    knife: Knife<'a>,
    /// The changed ranges with their new texts, in order.
    edits: Vec<(Range<usize>, String)>,
    /// Whether the module that is visited contains other code.
    has_code: bool,
}

impl<'a> Imports<'a> {
    pub(super) fn new(knife: Knife<'a>) -> Imports<'a> {
        Imports { knife, edits: Vec::new(), has_code: false }
    }

    /// Returns the text after the changes, and the number of removed modules, or `None` if there are no changes.
    pub(super) fn edits(self, text: &str) -> Option<(String, Kinds)> {
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
pub(super) struct Members<'a>(pub(super) &'a HashSet<(String, String)>);

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
    use crate::syntax::parse;

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
