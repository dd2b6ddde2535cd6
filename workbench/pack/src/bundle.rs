//! Combines several crates into one file, in which each crate becomes a module.

use crate::built::Built;
use crate::captures;
use crate::editions;
use crate::error::{Obstacle, Sign};
use crate::load::{Context, Loader, header};
use crate::macro_paths::qualify;
use crate::named_files::{self, NamedFile};
use crate::reach::identifiers;
use crate::workspace::{Crate, Edition, Place, Program};
use crate::{PackError, Site};
use quote::ToTokens;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use syn::{Attribute, Item, UseTree, parse_quote};

/// A program as a single syntax tree.
#[derive(Debug)]
pub(crate) struct Bundle {
    /// The syntax tree. Each library crate is a module with the crate's name, and the program itself is the root.
    pub file: syn::File,
    /// Parts that cannot be packed. They are a problem only if the program reaches them.
    pub suspects: Vec<Obstacle>,
    /// The packages in the file, each after the packages on which it depends.
    pub packages: Vec<String>,
    /// The compiled crates that the judge provides, by name.
    pub libraries: Vec<(String, PathBuf)>,
    /// The processor features that influenced which code was selected.
    pub needed: BTreeSet<String>,
    /// The edition of each crate's module. The root has an empty name.
    pub editions: BTreeMap<String, Edition>,
}

/// The code of one crate.
struct Loaded {
    attributes: Vec<Attribute>,
    items: Vec<Item>,
    /// The names of the macros that the crate exports.
    exported: Vec<syn::Ident>,
    /// The names of those exported macros whose definitions got other names.
    renamed: Vec<syn::Ident>,
    /// The modules of the crates whose macros this crate uses without a path.
    macro_use: Vec<String>,
}

/// The crates of a program that are loaded so far.
struct Loading<'a> {
    program: &'a Program,
    judge: &'a Site,
    conditions: &'a BTreeSet<String>,
    loaded: HashMap<&'a str, Loaded>,
    obstacles: Vec<Obstacle>,
    /// The files that calls of macros name.
    files: BTreeSet<NamedFile>,
    /// The names of the crates that the judge provides.
    libraries: BTreeSet<String>,
    /// The outputs of the build scripts, once they are needed.
    built: Option<Built>,
    /// The processor features that influenced which code was selected.
    needed: RefCell<BTreeSet<String>>,
}

impl<'a> Loading<'a> {
    /// Loads a crate, unless it is already loaded. Returns the crates that it names.
    fn load(&mut self, krate: &'a Crate, stop: &AtomicBool) -> Result<Vec<&'a Crate>, PackError> {
        let Loading { program, judge, conditions, loaded, obstacles, files, libraries, built, needed } = self;
        let key = key(program, krate);
        let mut named = Vec::new();
        if loaded.contains_key(key) {
            return Ok(named);
        }
        if krate.has_script && built.is_none() {
            *built = Some(program.build(false, stop)?);
        }
        let script = built.as_ref().map(|built| built.script(&krate.id)).unwrap_or_default();
        for library in script.libraries.iter().filter(|_| krate.has_script) {
            let reason = format!(
                "{}: the build script links the native library `{library}`, which judges do not provide\nhint: leave \
                 out the feature or the dependency that needs it; `cargo tree --invert {}` shows who uses it",
                krate.folder.join("build.rs").display(),
                krate.package.split(' ').next().unwrap_or_default()
            );
            let users = program.crates.iter().filter(|user| user.uses(&krate.name));
            let mut modules: Vec<String> = users.map(|user| user.name.clone()).collect();
            modules.extend([key.to_string(), String::new()]);
            obstacles.push(Obstacle { problem: PackError::general(reason), sign: Sign::Native(modules) });
        }
        let context = Context { krate, unit: judge.unit, script: &script, conditions, needed };
        let mut loader = Loader::new(context, (!key.is_empty()).then_some(&krate.name));
        let code = loader.file(&krate.root, &krate.root, None);
        let (attributes, mut items) = code.unwrap_or_else(|problem| {
            obstacles.push(Obstacle::certain(problem));
            Default::default()
        });
        loader.write_out_macros(&mut items, program, built, stop)?;
        obstacles.append(loader.problems.get_mut());
        files.append(loader.files.get_mut());
        if krate.edition == Edition::E2024 {
            editions::lower(&mut items);
        }
        for name in loader.named.take() {
            match krate.place_of(&name) {
                Some(Place::Module(module)) => {
                    named.extend(program.crates.iter().find(|krate| krate.name == *module));
                }
                Some(Place::Judge) => {
                    libraries.insert(name);
                }
                Some(Place::Compiler(reason)) => {
                    let problem = PackError::general(reason.clone());
                    obstacles.push(Obstacle { problem, sign: Sign::Crate(name) });
                }
                None => {}
            }
        }
        let Loader { exported, renamed, macro_use, .. } = loader;
        loaded.insert(key, Loaded { attributes, items, exported, renamed, macro_use });
        Ok(named)
    }
}

/// Returns the name of a crate's module, which is empty for the root.
fn key<'a>(program: &Program, krate: &'a Crate) -> &'a str {
    let is_root = program.binary.as_ref().is_some_and(|binary| std::ptr::eq(krate, binary));
    if is_root { "" } else { &krate.name }
}

/// Returns the obstacles that are a problem only if the program reaches them.
///
/// # Errors
/// Returns the obstacles that certainly are a problem.
fn suspects(obstacles: Vec<Obstacle>) -> Result<Vec<Obstacle>, PackError> {
    let (certain, suspects): (Vec<Obstacle>, _) =
        obstacles.into_iter().partition(|obstacle| obstacle.sign == Sign::Certain);
    if certain.is_empty() {
        return Ok(suspects);
    }
    // Derives are also worth reporting, although the program may not reach them.
    let derives = suspects.into_iter().filter(|suspect| matches!(suspect.sign, Sign::Derive(_)));
    PackError::all(certain.into_iter().chain(derives).map(|obstacle| obstacle.problem).collect())?;
    unreachable!("there are obstacles");
}

/// Combines the program and the crates that it uses into one file. Data is encoded for a judge that counts in `unit`.
/// `conditions` are the conditions that the judge's compiler sets.
///
/// # Errors
/// Returns an error that lists all code that cannot become part of one file, with its location.
pub(crate) fn bundle(
    program: &Program,
    judge: &Site,
    conditions: &BTreeSet<String>,
    stop: &AtomicBool,
) -> Result<Bundle, PackError> {
    let root = program.binary.as_ref().or(program.crates.last());
    let root = root.ok_or_else(|| PackError::general("the program has no crate"))?;
    let mut loading = Loading {
        program,
        judge,
        conditions,
        loaded: HashMap::new(),
        obstacles: Vec::new(),
        files: BTreeSet::new(),
        libraries: BTreeSet::new(),
        built: None,
        needed: RefCell::default(),
    };
    let mut todo = vec![root];
    while let Some(krate) = todo.pop() {
        todo.extend(loading.load(krate, stop)?);
    }
    let Loading { mut loaded, obstacles, files, libraries, needed, .. } = loading;
    let included = named_files::include(loaded.values_mut().map(|code| &mut code.items), &files)?;
    let suspects = suspects(obstacles)?;
    qualify_macros(&mut loaded)?;
    let captures = name_captures(program, &mut loaded);
    let mut bundle = Bundle {
        suspects,
        packages: Vec::new(),
        libraries: Vec::new(),
        needed: needed.take(),
        editions: BTreeMap::new(),
        file: syn::File { shebang: None, attrs: Vec::new(), items: Vec::new() },
    };
    join(program, loaded, &mut bundle);
    bundle.file.items.extend(captures);
    bundle.file.items.splice(0..0, included);
    if !libraries.is_empty() {
        let built = program.build(true, stop)?;
        for name in libraries {
            let file = built.libraries.get(&name).cloned();
            bundle.libraries.extend(file.map(|file| (name, file)));
        }
    }
    Ok(bundle)
}

/// Names the lifetimes that the code of edition 2024 captures. Returns the items that the file then needs.
fn name_captures(program: &Program, loaded: &mut HashMap<&str, Loaded>) -> Vec<Item> {
    let mut known = Vec::new();
    let root = loaded.get("").into_iter().flat_map(|root| &root.items);
    root.for_each(|item| identifiers(item.to_token_stream(), &mut known));
    let name = captures::trait_name(&known);
    let mut is_needed = false;
    for krate in program.crates.iter().chain(&program.binary) {
        if let (Edition::E2024, Some(code)) = (krate.edition, loaded.get_mut(key(program, krate))) {
            is_needed |= captures::name_captures(&mut code.items, &name);
        }
    }
    if is_needed { captures::items(&name).into() } else { Vec::new() }
}

/// Adds the loaded crates to the file: each library as a module, and the program as the root.
fn join(program: &Program, mut loaded: HashMap<&str, Loaded>, bundle: &mut Bundle) {
    for krate in program.crates.iter().chain(&program.binary) {
        let key = key(program, krate);
        let Some(Loaded { attributes, mut items, .. }) = loaded.remove(key) else { continue };
        bundle.packages.push(krate.package.clone());
        bundle.editions.insert(key.to_string(), krate.edition);
        bundle.file.attrs.extend(global(attributes));
        if key.is_empty() {
            let crates: Vec<&str> = program.crates.iter().map(|krate| &krate.name[..]).collect();
            items.retain_mut(|item| match item {
                Item::Use(item) => drop_own_names(&mut item.tree, None, &crates),
                _ => true,
            });
            bundle.file.items.extend(items);
        } else {
            let header = header(krate, &krate.root);
            let name = syn::Ident::new(&krate.name, proc_macro2::Span::call_site());
            bundle.file.items.push(parse_quote! { #[doc = #header] mod #name { #(#items)* } });
        }
    }
    bundle.packages.dedup();
    bundle.file.attrs.dedup();
    let mut finder = Finder::default();
    syn::visit::Visit::visit_file(&mut finder, &bundle.file);
    bundle.file.items.splice(0..0, finder.items);
}

/// A visitor that finds items such as `extern crate alloc`, which give names to the compiler's crates. In the root,
/// such an item makes the name available in all modules.
#[derive(Default)]
struct Finder {
    items: Vec<Item>,
}

impl syn::visit::Visit<'_> for Finder {
    fn visit_item_extern_crate(&mut self, item: &syn::ItemExternCrate) {
        let (name, rename) = (&item.ident, &item.rename);
        // A crate without the standard library can call the compiler's crates by each other's names. In the other
        // modules, these names keep their meaning.
        let is_known = ["std", "core", "alloc"].iter().any(|own| match rename {
            Some((_, rename)) => rename == own && *own != "alloc",
            None => name == own && *own != "alloc",
        });
        if is_known || !["std", "core", "alloc"].iter().any(|own| name == own) {
            return;
        }
        let made: Item = match rename {
            Some((_, rename)) if rename == "_" => return,
            // All that a crate with and without the standard library finds there is also in `alloc`.
            Some((_, rename)) if rename == "alloc" => parse_quote!(
                extern crate alloc;
            ),
            Some((_, rename)) => parse_quote!(extern crate #name as #rename;),
            None => parse_quote!(extern crate #name;),
        };
        if !self.items.contains(&made) {
            self.items.push(made);
        }
    }
}

/// Adds the path of the exporting crate to macro calls that have no path, for example after `#[macro_use] extern
/// crate`, or if the macro's definition got another name.
fn qualify_macros(loaded: &mut HashMap<&str, Loaded>) -> Result<(), PackError> {
    let exported: HashMap<String, Vec<String>> = loaded
        .iter()
        .map(|(module, code)| (module.to_string(), code.exported.iter().map(ToString::to_string).collect()))
        .collect();
    for (own, code) in loaded.iter_mut() {
        let mut paths = HashMap::new();
        for module in &code.macro_use {
            let names = exported.get(module).into_iter().flatten();
            paths.extend(names.map(|name| (name.clone(), module.clone())));
        }
        // The crate's own macros take precedence.
        for item in &code.exported {
            paths.remove(&item.to_string());
        }
        paths.extend(code.renamed.iter().map(|name| (name.to_string(), own.to_string())));
        let inner: HashMap<String, String> =
            exported[*own].iter().map(|name| (name.clone(), own.to_string())).collect();
        for item in &mut code.items {
            qualify(item, &paths, &inner)?;
        }
    }
    Ok(())
}

/// Removes imports of crates under their original names from an import at the root, because the modules with these
/// names are already in scope. Returns whether any part of the import remains.
fn drop_own_names(tree: &mut UseTree, parent: Option<&syn::Ident>, crates: &[&str]) -> bool {
    let is_crate = |name: &syn::Ident| crates.iter().any(|krate| name == krate);
    match tree {
        UseTree::Path(path) => match (parent, path.ident == "crate") {
            (None, true) => drop_own_names(&mut path.tree, Some(&path.ident), crates),
            (Some(before), _) if before == "crate" && is_crate(&path.ident) => {
                drop_own_names(&mut path.tree, Some(&path.ident), crates)
            }
            _ => true,
        },
        UseTree::Name(name) => {
            let is_self = name.ident == "self" && parent.is_some_and(is_crate);
            let is_module = parent.is_some_and(|parent| parent == "crate") && is_crate(&name.ident);
            !is_self && !is_module
        }
        UseTree::Rename(rename) => {
            let named = if rename.ident == "self" { parent } else { Some(&rename.ident) };
            !(named.is_some_and(is_crate) && named == Some(&rename.rename))
        }
        UseTree::Group(group) => {
            let trees = std::mem::take(&mut group.items);
            group.items = trees
                .into_pairs()
                .filter_map(|mut pair| drop_own_names(pair.value_mut(), parent, crates).then_some(pair))
                .collect();
            !group.items.is_empty()
        }
        UseTree::Glob(_) => true,
    }
}

/// Returns the attributes of a crate that apply to the whole file.
fn global(attributes: Vec<Attribute>) -> impl Iterator<Item = Attribute> {
    attributes.into_iter().filter(|attribute| {
        attribute.path().is_ident("recursion_limit") || attribute.path().is_ident("allow")
    })
}
