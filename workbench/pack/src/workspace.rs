//! Determines the crates of a program with cargo.

mod metadata;

use crate::built::Built;
use crate::source;
use crate::{PackError, Site};
use metadata::{Node, NodeDependency, Package, Target};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A program in a workspace, with the library crates that it may need.
#[derive(Debug)]
pub struct Program {
    /// The library crates, each after the crates on which it depends. Only crates that the code names become part of
    /// the bundle.
    pub crates: Vec<Crate>,
    /// The crate of the program itself, or `None` if only libraries were requested.
    pub binary: Option<Crate>,
    /// The path of the package's manifest.
    pub manifest: PathBuf,
    /// The name of the program in the package.
    pub target: Option<String>,
    /// Cargo's feature options.
    pub features: Vec<String>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

impl Program {
    /// Builds or only checks the program with cargo.
    pub(crate) fn build(&self, libraries: bool, stop: &AtomicBool) -> Result<Built, PackError> {
        Built::of(&self.manifest, self.target.as_deref(), &self.features, libraries, stop)
    }
}

/// A crate that becomes part of the file.
#[derive(Clone, Debug)]
pub struct Crate {
    /// The package's name and version, such as `contender-game 0.1.0`.
    pub package: String,
    /// The package's ID in cargo's output.
    pub id: String,
    /// The name of the crate's module in the file. This is the crate's name, unless several crates have the same name.
    pub name: String,
    /// The root source file.
    pub root: PathBuf,
    /// The package's folder.
    pub folder: PathBuf,
    /// The variables that cargo sets for the compilation of the crate, such as `CARGO_PKG_VERSION`.
    pub variables: HashMap<String, String>,
    /// The edition in which the crate's code is written.
    pub edition: Edition,
    /// Whether the crate comes from a registry or another repository, so that the user cannot change it.
    pub is_external: bool,
    /// Whether the crate has a build script that sets conditions and variables.
    pub has_script: bool,
    /// The enabled features.
    pub features: HashSet<String>,
    /// The dependencies that the crate's source may name.
    pub dependencies: Vec<Dependency>,
    /// Procedural macros that the crate's source may use, also through the crates that it names: their ids and names.
    pub macros: Vec<(String, String)>,
}

impl Crate {
    /// Returns the location of a dependency's code, given the name of the dependency in the source.
    pub(crate) fn place_of(&self, name: &str) -> Option<&Place> {
        self.dependencies.iter().find(|known| known.name == name).map(|known| &known.place)
    }

    /// Returns whether a module of the file is one of the crate's dependencies.
    pub(crate) fn uses(&self, module: &str) -> bool {
        self.dependencies.iter().any(|known| matches!(&known.place, Place::Module(name) if name == module))
    }

    /// Adds the new names of packed crates from items such as `extern crate board as game` in the root file. In edition
    /// 2015, only the root contains such a name; later, all modules know it. It takes precedence over a dependency of
    /// the same name.
    fn add_renamed(&mut self) {
        if self.edition == Edition::E2015 {
            return;
        }
        for item in root_items(&self.root) {
            if let syn::Item::ExternCrate(syn::ItemExternCrate { ident, rename: Some((_, name)), .. }) = item
                && let Some(place @ Place::Module(_)) = self.place_of(&ident.to_string()).cloned()
            {
                self.dependencies.insert(0, Dependency { name: name.to_string(), place });
            }
        }
    }
}

/// A Rust edition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Edition {
    /// Edition 2015.
    E2015 = 2015,
    /// Edition 2018.
    E2018 = 2018,
    /// Edition 2021, with which judges compile.
    E2021 = 2021,
    /// Edition 2024.
    E2024 = 2024,
}

/// A dependency that a crate's source may name.
#[derive(Clone, Debug)]
pub struct Dependency {
    /// The name in the source.
    pub name: String,
    /// The location of the dependency's code.
    pub place: Place,
}

/// The location of a dependency's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// The dependency is this module of the file.
    Module(String),
    /// The judge provides the crate.
    Judge,
    /// The crate is a procedural macro, which runs in the compiler. The text is the reason why it cannot be packed.
    Compiler(String),
}

/// The part of a package that is packed.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// The binary with this name, or the package's only binary.
    Binary(Option<&'a str>),
    /// Only the library of the workspace's package with this name.
    Library(&'a str),
}

/// Determines a package and all packages that it may need, with the help of cargo. The package is defined by this
/// manifest or belongs to the manifest's workspace. `features` are cargo's feature options.
///
/// # Errors
/// Returns an error with cargo's messages if cargo fails, an error for an unknown binary, or
/// [`PackError::Interrupted`].
pub fn resolve(
    manifest: &Path,
    wanted: Wanted<'_>,
    features: &[String],
    judge: &Site,
    stop: &AtomicBool,
) -> Result<Program, PackError> {
    let metadata = metadata::read(manifest, features, stop)?;
    let absolute = manifest.canonicalize().unwrap_or_else(|_| manifest.to_path_buf());
    let root = metadata.packages.iter().find(|package| match wanted {
        Wanted::Library(name) => package.source.is_none() && package.name == name,
        Wanted::Binary(_) => package.manifest_path.canonicalize().is_ok_and(|path| path == absolute),
    });
    let root = root.ok_or_else(|| match wanted {
        Wanted::Library(name) => {
            PackError::general(format!("the workspace of {} has no package `{name}`", manifest.display()))
        }
        Wanted::Binary(_) => metadata::not_a_package(manifest, &metadata),
    })?;
    let nodes = metadata.resolve.as_ref().map(|resolve| &resolve.nodes[..]).unwrap_or_default();
    let mut graph = Graph {
        packages: metadata.packages.iter().map(|package| (&package.id[..], package)).collect(),
        nodes: nodes.iter().map(|node| (&node.id[..], node)).collect(),
        judge,
        shared: HashSet::new(),
        names: HashMap::new(),
        taken: HashSet::new(),
    };
    graph.find_shared(root);
    let manifest = root.manifest_path.clone();
    let features = features.to_vec();
    let mut program =
        Program { crates: Vec::new(), binary: None, manifest, target: None, features, warnings: Vec::new() };
    let mut seen = HashSet::new();
    let library = root.library();
    match wanted {
        Wanted::Library(_) => graph.add(root, &mut seen, &mut program),
        Wanted::Binary(name) => {
            let target = root.binary(name)?;
            graph.taken = root_modules(&target.src_path);
            match library {
                Some(_) => graph.add(root, &mut seen, &mut program),
                None => graph.add_dependencies(root, &mut seen, &mut program),
            }
            let mut binary = graph.describe(root, target);
            if let Some(library) = library {
                let module = graph.names.get(&root.id[..]).cloned().unwrap_or_default();
                binary
                    .dependencies
                    .push(Dependency { name: library.crate_name(), place: Place::Module(module) });
            }
            program.binary = Some(binary);
            program.target = Some(target.name.clone());
        }
    }
    program.crates.iter_mut().chain(&mut program.binary).for_each(Crate::add_renamed);
    Ok(program)
}

/// Returns the names of the modules in a program's root file, which must not be used for crates' modules.
fn root_modules(root: &Path) -> HashSet<String> {
    let modules = root_items(root).into_iter().filter_map(|item| match item {
        syn::Item::Mod(module) => Some(module.ident.to_string()),
        _ => None,
    });
    modules.collect()
}

/// Returns the items of a crate's root file, or none if it cannot be read. The loader reports the error.
fn root_items(root: &Path) -> Vec<syn::Item> {
    let text = source::read_text(root).unwrap_or_default();
    let tokens: proc_macro2::TokenStream = text.parse().unwrap_or_default();
    if source::too_deep(&tokens).is_some() {
        return Vec::new();
    }
    syn::parse_file(&text).map(|file| file.items).unwrap_or_default()
}

/// Returns the first names of the paths that a crate's root exports.
fn exported_crates(items: &[syn::Item]) -> HashSet<String> {
    fn first_names(tree: &syn::UseTree, names: &mut HashSet<String>) {
        let name = match tree {
            syn::UseTree::Path(of) => &of.ident,
            syn::UseTree::Name(of) => &of.ident,
            syn::UseTree::Rename(of) => &of.ident,
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| first_names(tree, names));
                return;
            }
            syn::UseTree::Glob(_) => return,
        };
        names.insert(name.to_string());
    }
    let mut names = HashSet::new();
    for item in items {
        match item {
            syn::Item::Use(of) if matches!(of.vis, syn::Visibility::Public(_)) => {
                first_names(&of.tree, &mut names);
            }
            syn::Item::ExternCrate(of) if matches!(of.vis, syn::Visibility::Public(_)) => {
                names.insert(of.ident.to_string());
            }
            _ => {}
        }
    }
    names
}

struct Graph<'a> {
    packages: HashMap<&'a str, &'a Package>,
    nodes: HashMap<&'a str, &'a Node>,
    judge: &'a Site,
    /// The IDs of the packages that become modules although the judge has them.
    shared: HashSet<&'a str>,
    /// The names of the modules, by package ID.
    names: HashMap<&'a str, String>,
    taken: HashSet<String>,
}

impl<'a> Graph<'a> {
    /// Finds the packages of the judge that export another package which becomes a module. The judge's package would
    /// have its own copy of the other package, with other types and traits. For example, `rand` exports `rand_core`,
    /// and the generators of `rand_pcg` implement its traits.
    fn find_shared(&mut self, root: &'a Package) {
        loop {
            let (mut modules, mut at_judge) = (HashSet::new(), Vec::new());
            let mut todo = vec![root];
            while let Some(package) = todo.pop() {
                for dependency in self.dependencies(package) {
                    let Some(&needed) = self.packages.get(&dependency.pkg[..]) else { continue };
                    if self.is_at_judge(needed) {
                        at_judge.push(needed);
                    } else if !needed.is_macro() && modules.insert(&needed.id[..]) {
                        todo.push(needed);
                    }
                }
            }
            let known = self.shared.len();
            for package in at_judge {
                let Some(library) = package.library() else { continue };
                let exported = exported_crates(&root_items(&library.src_path));
                let exports = |dependency: &NodeDependency| {
                    modules.contains(&dependency.pkg[..]) && exported.contains(&dependency.name)
                };
                if self.dependencies(package).any(exports) {
                    self.shared.insert(&package.id);
                }
            }
            if self.shared.len() == known {
                return;
            }
        }
    }

    /// Appends the libraries that the package needs, followed by the package's library.
    fn add(&mut self, package: &'a Package, seen: &mut HashSet<&'a str>, program: &mut Program) {
        if !seen.insert(&package.id) {
            return;
        }
        self.add_dependencies(package, seen, program);
        let Some(library) = package.library() else { return };
        let own = library.crate_name();
        let others = (2..).map(|number| format!("{own}_{number}"));
        let name = std::iter::once(own.clone()).chain(others).find(|name| !self.taken.contains(name));
        let name = name.unwrap_or(own);
        self.taken.insert(name.clone());
        self.names.insert(&package.id, name);
        program.crates.push(self.describe(package, library));
    }

    fn add_dependencies(&mut self, package: &'a Package, seen: &mut HashSet<&'a str>, program: &mut Program) {
        let needed: Vec<&'a Package> = self
            .dependencies(package)
            .filter_map(|dependency| self.packages.get(&dependency.pkg[..]).copied())
            .collect();
        for needed in needed {
            if !needed.is_macro() && !self.is_at_judge(needed) {
                self.add(needed, seen, program);
            }
        }
    }

    /// Returns the dependencies of the library and of the binaries, but not those of tests and build scripts.
    fn dependencies(&self, package: &Package) -> impl Iterator<Item = &'a NodeDependency> + use<'a> {
        let node = self.nodes.get(&package.id[..]).copied();
        node.into_iter().flat_map(|node| {
            node.deps.iter().filter(|dependency| dependency.dep_kinds.iter().any(|kind| kind.kind.is_none()))
        })
    }

    /// Appends the procedural macros that the package can use. A macro of a crate that the judge has stays a call.
    fn add_macros(&self, package: &Package, seen: &mut HashSet<&'a str>, macros: &mut Vec<(String, String)>) {
        for dependency in self.dependencies(package) {
            let Some(&needed) = self.packages.get(&dependency.pkg[..]) else { continue };
            if self.is_at_judge(needed) || !seen.insert(&needed.id) {
                continue;
            }
            match needed.targets.iter().find(|target| target.has_kind("proc-macro")) {
                Some(target) => macros.push((needed.id.clone(), target.crate_name())),
                None => self.add_macros(needed, seen, macros),
            }
        }
    }

    /// Returns whether the judge provides this external crate.
    fn is_at_judge(&self, package: &Package) -> bool {
        package.source.is_some()
            && self.judge.has_crate(&package.name, &package.version)
            && !self.shared.contains(&package.id[..])
    }

    fn describe(&self, package: &Package, target: &Target) -> Crate {
        let dependencies = self.dependencies(package).filter_map(|dependency| {
            let needed = *self.packages.get(&dependency.pkg[..])?;
            let place = if self.is_at_judge(needed) {
                Place::Judge
            } else if needed.is_macro() {
                Place::Compiler(format!(
                    "{}: `{}` is a procedural macro, which cannot be packed; write the generated code by \
                     hand",
                    package.line_of(&needed.name),
                    needed.name
                ))
            } else {
                Place::Module(self.names.get(&needed.id[..])?.clone())
            };
            Some(Dependency { name: dependency.name.clone(), place })
        });
        let features = self.nodes.get(&package.id[..]).map(|node| node.features.clone());
        let name = self.names.get(&package.id[..]).cloned();
        let mut macros = Vec::new();
        self.add_macros(package, &mut HashSet::new(), &mut macros);
        Crate {
            package: format!("{} {}", package.name, package.version),
            id: package.id.clone(),
            name: name.unwrap_or_else(|| target.crate_name()),
            root: target.src_path.clone(),
            folder: package.manifest_path.parent().unwrap_or(Path::new("/")).to_path_buf(),
            variables: package.variables(target),
            edition: match &target.edition[..] {
                "2015" => Edition::E2015,
                "2018" => Edition::E2018,
                "2021" => Edition::E2021,
                _ => Edition::E2024,
            },
            is_external: package.source.is_some(),
            has_script: package.has_kind("custom-build"),
            features: features.unwrap_or_default(),
            dependencies: dependencies.collect(),
            macros,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_of_the_judge_is_a_module_if_it_exports_another_module() {
        let place = tempfile::tempdir().unwrap();
        let source = place.path().join("rand.rs");
        std::fs::write(&source, "pub use rand_core::{RngCore, SeedableRng};\nuse libc::time;").unwrap();
        let package = |name: &str, version: &str, source: &str| {
            format!(
                r#"{{"name": "{name}", "version": "{version}", "id": "{name}", "source": {source}, "authors": [],
                "manifest_path": "/{name}",
                "targets": [{{"name": "{name}", "kind": ["lib"], "src_path": {:?}, "edition": "2021"}}]}}"#,
                place.path().join(format!("{name}.rs"))
            )
        };
        let node = |name: &str, needs: &[&str]| {
            let needs: Vec<String> = needs
                .iter()
                .map(|of| format!(r#"{{"name": "{of}", "pkg": "{of}", "dep_kinds": [{{"kind": null}}]}}"#))
                .collect();
            format!(r#"{{"id": "{name}", "features": [], "deps": [{}]}}"#, needs.join(", "))
        };
        let shared = |root: &[&str]| {
            let packages = [
                package("bot", "1.0.0", "null"),
                package("rand", "0.8.5", "\"registry\""),
                package("rand_core", "0.6.4", "\"registry\""),
                package("rand_pcg", "0.3.1", "\"registry\""),
                package("libc", "0.2.150", "\"registry\""),
            ];
            let nodes = [
                node("bot", root),
                node("rand", &["rand_core", "libc"]),
                node("rand_core", &[]),
                node("rand_pcg", &["rand_core", "libc"]),
                node("libc", &[]),
            ];
            let metadata = format!(
                r#"{{"packages": [{}], "resolve": {{"nodes": [{}]}}}}"#,
                packages.join(", "),
                nodes.join(", ")
            );
            let metadata: metadata::Metadata = serde_json::from_str(&metadata).unwrap();
            let nodes = &metadata.resolve.as_ref().unwrap().nodes;
            let mut graph = Graph {
                packages: metadata.packages.iter().map(|package| (&package.id[..], package)).collect(),
                nodes: nodes.iter().map(|node| (&node.id[..], node)).collect(),
                judge: Site::find("codingame").unwrap(),
                shared: HashSet::new(),
                names: HashMap::new(),
                taken: HashSet::new(),
            };
            graph.find_shared(&metadata.packages[0]);
            graph.shared.into_iter().map(str::to_string).collect::<Vec<_>>()
        };
        assert_eq!(shared(&["rand", "libc"]), [] as [&str; 0]);
        assert_eq!(shared(&["rand", "rand_pcg"]), ["rand"]);
    }
}
