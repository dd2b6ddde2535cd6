//! The parts of a program and what they mention.

use super::mentions::{Facts, Mention, NUMBERS, Reader, identifiers};
use super::names::{Member, content, impl_member, last, names, trait_member, type_name};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::{Item, UseTree};

/// A part of the program that is kept or removed as a whole.
pub(super) struct Node {
    /// The mentions by which the node is reached. A node without them is reached if its other conditions hold.
    names: Vec<Mention>,
    /// The types and traits that must also be mentioned.
    needs: Vec<String>,
    /// The implementation or trait that contains the node.
    parent: Option<usize>,
    /// The mentions in the node.
    mentions: Vec<Mention>,
}

/// All nodes of the program, in the order in which [`Cut`] visits them.
#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    /// Types and traits, by the paths of their modules.
    pub(super) types: HashSet<(String, String)>,
    /// The names of the types and traits.
    type_names: HashSet<String>,
    /// Types and traits that are removed already, by the paths of their modules.
    pub(super) gone: HashSet<(String, String)>,
    traits: HashSet<String>,
    /// The types that implement each trait. An implementation for any type makes it the empty name.
    implementors: HashMap<String, HashSet<String>>,
    facts: Facts,
    /// Functions, by the paths of their modules.
    functions: HashSet<(String, String)>,
    /// Imports: the mention of the new name, and the mention of the old one that it stands for.
    imports: Vec<(Mention, Mention)>,
    /// The paths of modules that import everything from another one, and the name of the other one.
    globs: Vec<(String, String)>,
    is_strict: bool,
    /// The names that count as mentioned.
    kept: HashSet<String>,
}

impl Graph {
    pub(super) fn new(facts: Facts, kept: HashSet<String>, is_strict: bool) -> Graph {
        Graph { facts, kept, is_strict, ..Graph::default() }
    }

    /// Records the types and traits that the program defines.
    pub(super) fn declare(&mut self, items: &[Item], module: &str) {
        for item in items {
            let name = match item {
                Item::Mod(inner) => {
                    self.declare(content(inner), &format!("{module}::{}", inner.ident));
                    continue;
                }
                Item::Fn(of) => {
                    self.functions.insert((module.to_string(), of.sig.ident.to_string()));
                    continue;
                }
                Item::Trait(of) => {
                    self.traits.insert(of.ident.to_string());
                    &of.ident
                }
                Item::Impl(of) => {
                    if let Some((_, path, _)) = &of.trait_
                        && let Some(last) = path.segments.last()
                    {
                        let is_generic =
                            |name: &String| of.generics.type_params().any(|generic| generic.ident == name);
                        let of_type = type_name(&of.self_ty).filter(|name| !is_generic(name));
                        let implementors = self.implementors.entry(last.ident.to_string()).or_default();
                        implementors.insert(of_type.unwrap_or_default());
                    }
                    continue;
                }
                Item::Struct(of) => &of.ident,
                Item::Enum(of) => &of.ident,
                Item::Union(of) => &of.ident,
                Item::Type(of) => &of.ident,
                _ => continue,
            };
            self.type_names.insert(name.to_string());
            self.types.insert((module.to_string(), name.to_string()));
        }
    }

    pub(super) fn items(&mut self, items: &[Item], module: &str) {
        for item in items {
            match item {
                Item::Mod(inner) => self.items(content(inner), &format!("{module}::{}", inner.ident)),
                Item::Use(item) => {
                    self.import(&item.tree, None, module);
                }
                Item::Trait(of) => self.add_trait(of, module),
                Item::Impl(of) => self.add_impl(of, module),
                _ => {
                    let kind = match item {
                        Item::Macro(of) if of.ident.is_some() => Mention::Macro,
                        _ => Mention::Item,
                    };
                    let mut mentions: Vec<Mention> =
                        names(item, module.is_empty()).into_iter().map(kind).collect();
                    if let (Item::Fn(of), false) = (item, mentions.is_empty()) {
                        let place = Mention::MemberOf(last(module).to_string(), of.sig.ident.to_string());
                        mentions.insert(0, place);
                    }
                    self.add(mentions, None, item, (module, None));
                }
            }
        }
    }

    /// Records that a mention of an imported name, after the name of the importing module, is a mention of the item.
    /// `from` is the path of the module before the tree, of which only the last name matters.
    fn import(&mut self, tree: &UseTree, from: Option<&str>, module: &str) {
        let mut leaf = |old: &syn::Ident, new: &syn::Ident| {
            let item = match from {
                None if self.facts.is_item(&old.to_string()) => Mention::Item(old.to_string()),
                from => Mention::MemberOf(last(from.unwrap_or(module)).to_string(), old.to_string()),
            };
            self.imports.push((Mention::MemberOf(last(module).to_string(), new.to_string()), item));
        };
        match tree {
            UseTree::Path(path) => {
                let name = path.ident.to_string();
                let outer =
                    |module: &str| module.rsplit_once("::").map_or("", |(outer, _)| outer).to_string();
                let inner = match (&name[..], from) {
                    ("crate", _) => String::new(),
                    ("self", _) => module.to_string(),
                    ("super", None) => outer(module),
                    ("super", Some(from)) => outer(from),
                    _ => name,
                };
                self.import(&path.tree, Some(&inner), module);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, from, module)),
            UseTree::Name(of) => leaf(&of.ident, &of.ident),
            UseTree::Rename(of) => leaf(&of.ident, &of.rename),
            UseTree::Glob(_) => {
                self.globs.push((module.to_string(), last(from.unwrap_or_default()).to_string()));
            }
        }
    }

    /// Adds a node with the mentions in `tokens`, which are code of a module. `Self` in them is the type `own`.
    fn add(
        &mut self,
        names: Vec<Mention>,
        parent: Option<usize>,
        tokens: impl ToTokens,
        (module, own): (&str, Option<&str>),
    ) -> usize {
        let mut reader = Reader { facts: &self.facts, module, own, mentions: Vec::new() };
        reader.read(tokens.to_token_stream(), None, false);
        let mentions = reader.mentions;
        self.nodes.push(Node { names, needs: Vec::new(), parent, mentions });
        self.nodes.len() - 1
    }

    fn add_trait(&mut self, of: &syn::ItemTrait, module: &str) {
        let types = self.members_of(&of.ident.to_string());
        let members = of.items.iter().filter_map(trait_member).flat_map(|member| member.names(&types));
        let names = std::iter::once(Mention::Item(of.ident.to_string())).chain(members).collect();
        let parent =
            self.add(names, None, syn::ItemTrait { items: Vec::new(), ..of.clone() }, (module, None));
        for item in &of.items {
            let names = trait_member(item).map(|member| member.names(&types)).unwrap_or_default();
            self.add(names, Some(parent), item, (module, None));
        }
    }

    /// Returns the types after which a member of a trait can be named. None of them means any type.
    fn members_of(&self, of_trait: &str) -> Vec<String> {
        let implementors = self.implementors.get(of_trait);
        let types: Vec<String> = implementors.into_iter().flatten().cloned().collect();
        if types.iter().any(|name| name.is_empty() || self.facts.is_vague(name)) {
            return Vec::new();
        }
        types.into_iter().chain([of_trait.to_string()]).collect()
    }

    fn add_impl(&mut self, of: &syn::ItemImpl, module: &str) {
        let of_type = type_name(&of.self_ty);
        let own = of_type.as_deref();
        let head = syn::ItemImpl { items: Vec::new(), ..of.clone() };
        let parent = self.add(Vec::new(), None, head, (module, own));
        let mut needs = Vec::new();
        let is_kept = |member: Member<'_>| self.kept.contains(&member.name.to_string());
        if self.is_strict && !of.items.iter().filter_map(impl_member).any(is_kept) {
            identifiers(of.self_ty.to_token_stream(), &mut needs);
            if let Some((_, path, _)) = &of.trait_ {
                identifiers(path.to_token_stream(), &mut needs);
            }
        } else {
            // Type inference may choose the types in the brackets. Then no code mentions these types.
            let of_trait = of.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
            needs.extend(of_type.iter().cloned());
            needs.extend(of_trait.map(|segment| segment.ident.to_string()));
        }
        let is_parameter = |name: &String| of.generics.type_params().any(|generic| generic.ident == name);
        needs.retain(|name| !is_parameter(name));
        if needs.iter().any(|name| self.is_gone(module, name)) {
            self.nodes[parent].names = vec![Mention::Never];
        }
        let is_number = |name: &String| self.is_strict && NUMBERS.contains(&&name[..]);
        needs.retain(|name| self.type_names.contains(name) || is_number(name));
        self.nodes[parent].needs = needs;
        let needs_all = needs_all_members(of, &self.traits);
        let of_trait = of.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        let types = match of_trait {
            Some(of_trait) => self.members_of(&of_trait.ident.to_string()),
            None => own.map(str::to_string).into_iter().collect(),
        };
        for item in &of.items {
            let member = impl_member(item).filter(|_| !needs_all);
            let names = member.map(|member| member.names(&types)).unwrap_or_default();
            self.add(names, Some(parent), item, (module, own));
        }
    }

    /// Returns whether a module's code names a type or trait that is removed already: one of the same module, or the
    /// last one with this name.
    fn is_gone(&self, module: &str, name: &str) -> bool {
        let in_module = (module.to_string(), name.to_string());
        self.gone.contains(&in_module)
            || !self.type_names.contains(name) && self.gone.iter().any(|(_, gone)| gone == name)
    }

    /// Returns the imports that follow from imports of everything, for the mentions in the program.
    fn of_globs(&self) -> Vec<(Mention, Mention)> {
        let mentions = self.nodes.iter().flat_map(|node| &node.mentions);
        let mentions = mentions.chain(self.imports.iter().map(|(_, old)| old));
        let mut todo: HashSet<(String, String)> = mentions
            .filter_map(|mention| match mention {
                Mention::MemberOf(of, name) => Some((of.clone(), name.clone())),
                _ => None,
            })
            .collect();
        let mut of_globs = Vec::new();
        let mut seen = HashSet::new();
        while !todo.is_empty() {
            let mut next = HashSet::new();
            for (of, name) in todo {
                let globs = self.globs.iter().filter(|(module, _)| last(module) == of);
                for (module, from) in globs {
                    // A function of the module hides the one that it imports.
                    if self.functions.contains(&(module.clone(), name.clone())) {
                        continue;
                    }
                    next.insert((from.clone(), name.clone()));
                    let [new, old] = [&of, from].map(|of| Mention::MemberOf(of.clone(), name.clone()));
                    of_globs.push((new, old));
                }
                seen.insert((of, name));
            }
            todo = next.difference(&seen).cloned().collect();
        }
        of_globs
    }

    /// Returns whether each node is reached.
    pub(super) fn reach(&self, more: &HashSet<String>) -> Vec<bool> {
        let more: Vec<Mention> = more.iter().flat_map(|name| Mention::all(name)).collect();
        let mut mentioned: HashSet<&Mention> = more.iter().collect();
        let mut items: HashSet<&str> = HashSet::new();
        let mut reached = vec![false; self.nodes.len()];
        let of_globs = self.of_globs();
        let renamed = self.facts.renamed.iter().flat_map(|(old, new)| {
            [Mention::Item, Mention::Macro].map(|kind| [old, new].map(|name| kind(name.clone())))
        });
        let renamed: Vec<[Mention; 2]> = renamed.collect();
        loop {
            let before = mentioned.len();
            let had = reached.iter().filter(|reached| **reached).count();
            items.extend(mentioned.iter().filter_map(|mention| match mention {
                Mention::Item(name) => Some(&name[..]),
                _ => None,
            }));
            for (index, node) in self.nodes.iter().enumerate() {
                if reached[index]
                    || node.parent.is_some_and(|parent| !reached[parent])
                    || node.needs.iter().any(|name| !items.contains(&name[..]))
                    || !node.names.is_empty() && node.names.iter().all(|name| !mentioned.contains(name))
                {
                    continue;
                }
                reached[index] = true;
                // A type or trait that is reached by a variant or a method also counts under its own name.
                mentioned.extend(node.names.first().filter(|name| matches!(name, Mention::Item(_))));
                mentioned.extend(&node.mentions);
            }
            for [old, new] in &renamed {
                if mentioned.contains(new) {
                    mentioned.insert(old);
                }
            }
            for (new, old) in self.imports.iter().chain(&of_globs) {
                if mentioned.contains(new) {
                    mentioned.insert(old);
                }
            }
            let has = reached.iter().filter(|reached| **reached).count();
            if (mentioned.len(), has) == (before, had) {
                return reached;
            }
        }
    }
}

impl Member<'_> {
    /// Returns the mentions that reach the member: after one of these types, or after any if there are none.
    fn names(&self, types: &[String]) -> Vec<Mention> {
        let name = self.name.to_string();
        let mut names = match types.is_empty() {
            true => vec![Mention::Member(name.clone())],
            false => vec![Mention::MemberOfAny(name.clone())],
        };
        names.extend(types.iter().map(|of| Mention::MemberOf(of.clone(), name.clone())));
        names.extend(self.is_method.then_some(Mention::Method(name)));
        names
    }
}

/// Returns whether an implementation is for another crate's trait, so that all its members must be kept.
fn needs_all_members(of: &syn::ItemImpl, traits: &HashSet<String>) -> bool {
    let name = of.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
    name.is_some_and(|name| !traits.contains(&name.ident.to_string()))
}
