//! The crates of a program, as cargo knows them.

use crate::PackError;
use crate::compiler::{PATIENCE, run_cargo};
use crate::source;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A program in a workspace and the library crates that it uses.
#[derive(Debug)]
pub struct Program {
    /// Library crates, each one after its dependencies.
    pub crates: Vec<Crate>,
    /// The program itself; `None` if only libraries were requested.
    pub binary: Option<Crate>,
    /// Obstacles to packing that cargo's data shows. Packing continues in order to find more.
    pub obstacles: Vec<PackError>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

/// A crate that becomes part of the file.
#[derive(Clone, Debug)]
pub struct Crate {
    /// The package's name and version: `contender-game 0.1.0`.
    pub package: String,
    /// The name in source code: `contender_game`.
    pub name: String,
    /// The root source file.
    pub root: PathBuf,
    /// The package's folder.
    pub folder: PathBuf,
    /// The package's version.
    pub version: String,
    /// The enabled features.
    pub features: HashSet<String>,
    /// The library crates that the crate can name: the name in its source, and the library's own name.
    pub dependencies: Vec<(String, String)>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Option<Resolve>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    id: String,
    source: Option<String>,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
    edition: String,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    features: HashSet<String>,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    kind: Option<String>,
}

/// The part of a package to pack.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// The binary with this name, or the only one.
    Binary(Option<&'a str>),
    /// Only the library of this package in the workspace.
    Library(&'a str),
}

/// Asks cargo for a package, from this manifest or its workspace, and for all its dependencies.
///
/// # Errors
/// Returns cargo's errors, an error if the binary is unknown, or [`PackError::Interrupted`]. Dependencies that are not
/// local, are procedural macros or have a build script become obstacles of the program.
pub fn resolve(manifest: &Path, wanted: Wanted<'_>, stop: &AtomicBool) -> Result<Program, PackError> {
    let words = ["metadata", "--format-version", "1", "--manifest-path", &manifest.display().to_string()];
    let output = run_cargo(&words.map(str::to_string), PATIENCE, stop)?;
    if !output.is_success() {
        return Err(PackError::general(format!("{}: {}", manifest.display(), output.stderr.trim())));
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)
        .map_err(|error| PackError::general(format!("cargo metadata: {error}")))?;
    let absolute = manifest.canonicalize().unwrap_or_else(|_| manifest.to_path_buf());
    let root = metadata.packages.iter().find(|package| match wanted {
        Wanted::Library(name) => package.source.is_none() && package.name == name,
        Wanted::Binary(_) => package.manifest_path.canonicalize().is_ok_and(|path| path == absolute),
    });
    let root = root.ok_or_else(|| {
        PackError::general(match wanted {
            Wanted::Library(name) => {
                format!("the workspace of {} has no package `{name}`", manifest.display())
            }
            Wanted::Binary(_) => format!("{} is not a package's manifest", manifest.display()),
        })
    })?;
    let nodes = metadata.resolve.as_ref().map(|resolve| &resolve.nodes[..]).unwrap_or_default();
    let graph = Graph {
        packages: metadata.packages.iter().map(|package| (&package.id[..], package)).collect(),
        nodes: nodes.iter().map(|node| (&node.id[..], node)).collect(),
    };
    let mut program =
        Program { crates: Vec::new(), binary: None, obstacles: Vec::new(), warnings: Vec::new() };
    let mut seen = HashSet::new();
    let library = root.library();
    match wanted {
        Wanted::Library(_) => graph.add(root, &mut seen, &mut program),
        Wanted::Binary(name) => {
            let target = root.binary(name)?;
            match library {
                Some(_) => graph.add(root, &mut seen, &mut program),
                None => graph.add_dependencies(root, &mut seen, &mut program),
            }
            let mut binary = graph.describe(root, target, &mut program);
            if let Some(library) = library {
                let name = library.crate_name();
                binary.dependencies.push((name.clone(), name));
            }
            program.binary = Some(binary);
        }
    }
    Ok(program)
}

struct Graph<'a> {
    packages: HashMap<&'a str, &'a Package>,
    nodes: HashMap<&'a str, &'a Node>,
}

impl<'a> Graph<'a> {
    /// Appends the package's library after its dependencies.
    fn add(&self, package: &'a Package, seen: &mut HashSet<&'a str>, program: &mut Program) {
        if !seen.insert(&package.id) {
            return;
        }
        self.add_dependencies(package, seen, program);
        let Some(library) = package.library() else {
            let reason = format!("package `{}` has no library to pack", package.name);
            return program.obstacles.push(PackError::general(reason));
        };
        let made = self.describe(package, library, program);
        if let Some(other) = program.crates.iter().find(|other| other.name == made.name) {
            let reason =
                format!("two crates are called `{}`: {} and {}", made.name, other.package, made.package);
            program.obstacles.push(PackError::general(reason));
        }
        program.crates.push(made);
    }

    fn add_dependencies(&self, package: &'a Package, seen: &mut HashSet<&'a str>, program: &mut Program) {
        for dependency in self.dependencies(package) {
            let Some(&needed) = self.packages.get(&dependency.pkg[..]) else { continue };
            let place = package.line_of(&needed.name);
            if needed.targets.iter().any(|target| target.kind.iter().any(|kind| kind == "proc-macro")) {
                let reason = format!(
                    "{place}: `{}` is a procedural macro: its output cannot be packed; write the output out",
                    needed.name
                );
                program.obstacles.push(PackError::general(reason));
                continue;
            }
            if needed.source.is_some() {
                let reason = format!(
                    "{place}: `{}` is an external dependency: a submission may only use local crates; \
                     copy the code into a crate of the workspace",
                    needed.name
                );
                program.obstacles.push(PackError::general(reason));
                continue;
            }
            self.add(needed, seen, program);
        }
    }

    /// Returns the dependencies of the library and the binaries, without those of tests and build scripts.
    fn dependencies(&self, package: &Package) -> impl Iterator<Item = &'a Dependency> {
        let node = self.nodes.get(&package.id[..]).copied();
        node.into_iter().flat_map(|node| {
            node.deps.iter().filter(|dependency| dependency.dep_kinds.iter().any(|kind| kind.kind.is_none()))
        })
    }

    fn describe(&self, package: &Package, target: &Target, program: &mut Program) -> Crate {
        if let Some(script) =
            package.targets.iter().find(|target| target.kind.iter().any(|kind| kind == "custom-build"))
        {
            let reason =
                format!("{}: a build script cannot be packed; commit its output", script.src_path.display());
            let is_known = program.obstacles.iter().any(|known| known.to_string() == reason);
            program.obstacles.extend((!is_known).then(|| PackError::general(reason)));
        }
        match &target.edition[..] {
            "2021" => {}
            "2018" => program.warnings.push(format!(
                "{}: the crate uses edition 2018, but judges compile with edition 2021, in which some code means something else \
                 (`array.into_iter()`, `panic!(\"{{}}\")`, when captured values are dropped): `cargo fix --edition` shows \
                 where; then set `edition = \"2021\"`",
                package.line_of("edition")
            )),
            edition => program.obstacles.push(PackError::general(format!(
                "{}: the crate uses edition {edition}, but judges compile with edition 2021",
                package.line_of("edition")
            ))),
        }
        let dependencies = self.dependencies(package).filter_map(|dependency| {
            let library = self.packages.get(&dependency.pkg[..])?.library()?;
            Some((dependency.name.clone(), library.crate_name()))
        });
        let features = self.nodes.get(&package.id[..]).map(|node| node.features.clone());
        Crate {
            package: format!("{} {}", package.name, package.version),
            name: target.crate_name(),
            root: target.src_path.clone(),
            folder: package.manifest_path.parent().unwrap_or(Path::new("/")).to_path_buf(),
            version: package.version.clone(),
            features: features.unwrap_or_default(),
            dependencies: dependencies.collect(),
        }
    }
}

impl Target {
    fn crate_name(&self) -> String {
        self.name.replace('-', "_")
    }
}

impl Package {
    fn library(&self) -> Option<&Target> {
        self.targets
            .iter()
            .find(|target| target.kind.iter().any(|kind| matches!(&kind[..], "lib" | "rlib" | "proc-macro")))
    }

    fn binary(&self, name: Option<&str>) -> Result<&Target, PackError> {
        let mut binaries: Vec<&Target> =
            self.targets.iter().filter(|target| target.kind.iter().any(|kind| kind == "bin")).collect();
        let names = binaries.iter().map(|target| &target.name[..]).collect::<Vec<_>>().join(", ");
        if let Some(name) = name {
            binaries.retain(|target| target.name == name);
        }
        match binaries[..] {
            [binary] => Ok(binary),
            [] if names.is_empty() => {
                Err(PackError::general(format!("package `{}` has no program", self.name)))
            }
            _ => Err(PackError::general(format!(
                "package `{}` has several programs; choose one with --bin: {names}",
                self.name
            ))),
        }
    }

    /// Returns the place of a key in the manifest, such as a dependency: `path:line`.
    fn line_of(&self, key: &str) -> String {
        let text = source::read_text(&self.manifest_path).unwrap_or_default();
        let line = text.lines().position(|line| line.trim_start().starts_with(key));
        match line {
            Some(line) => format!("{}:{}", self.manifest_path.display(), line + 1),
            None => self.manifest_path.display().to_string(),
        }
    }
}
