//! The metadata that cargo prints about a workspace.

use crate::PackError;
use crate::compiler::{PATIENCE, PLATFORM, run_cargo};
use crate::source;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

#[derive(Deserialize)]
pub(super) struct Metadata {
    pub(super) packages: Vec<Package>,
    pub(super) resolve: Option<Resolve>,
}

#[derive(Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) id: String,
    pub(super) source: Option<String>,
    pub(super) manifest_path: PathBuf,
    pub(super) targets: Vec<Target>,
    pub(super) authors: Vec<String>,
    pub(super) description: Option<String>,
    pub(super) homepage: Option<String>,
    pub(super) license: Option<String>,
    pub(super) repository: Option<String>,
    pub(super) rust_version: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Target {
    pub(super) name: String,
    pub(super) kind: Vec<String>,
    pub(super) src_path: PathBuf,
    pub(super) edition: String,
}

#[derive(Deserialize)]
pub(super) struct Resolve {
    pub(super) nodes: Vec<Node>,
}

#[derive(Deserialize)]
pub(super) struct Node {
    pub(super) id: String,
    pub(super) features: HashSet<String>,
    pub(super) deps: Vec<NodeDependency>,
}

#[derive(Deserialize)]
pub(super) struct NodeDependency {
    pub(super) name: String,
    pub(super) pkg: String,
    pub(super) dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
pub(super) struct DependencyKind {
    pub(super) kind: Option<String>,
}

/// Returns cargo's metadata of a workspace.
pub(super) fn read(manifest: &Path, features: &[String], stop: &AtomicBool) -> Result<Metadata, PackError> {
    let manifest_text = manifest.display().to_string();
    // Judges run Linux, so packages that only other systems need are ignored.
    let platform = ["--filter-platform", PLATFORM];
    let words = ["metadata", "--format-version", "1", "--manifest-path", &manifest_text];
    let words = words.into_iter().chain(platform).map(str::to_string);
    let words: Vec<String> = words.chain(features.iter().cloned()).collect();
    let output = run_cargo(&words, PATIENCE, stop)?;
    if !output.is_success() {
        return Err(PackError::general(format!("{}: {}", manifest.display(), output.stderr.trim())));
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|error| PackError::general(format!("cargo metadata: {error}")))
}

/// Returns the error for a manifest that defines no package, with the packages of its workspace.
pub(super) fn not_a_package(manifest: &Path, metadata: &Metadata) -> PackError {
    let mut names: Vec<&Path> = metadata
        .packages
        .iter()
        .filter(|package| package.source.is_none() && package.binary(None).is_ok())
        .map(|package| &package.manifest_path)
        .map(PathBuf::as_path)
        .collect();
    names.sort_unstable();
    let hint = match names.first() {
        Some(first) => format!(
            "; packages with a program: {}\nhint: contender pack --manifest {}",
            names.iter().map(|name| name.display().to_string()).collect::<Vec<_>>().join(", "),
            first.display()
        ),
        None => String::new(),
    };
    PackError::general(format!("{} is not a package's manifest{hint}", manifest.display()))
}

impl Package {
    /// Returns the variables that cargo sets for the compilation of a target.
    pub(super) fn variables(&self, target: &Target) -> HashMap<String, String> {
        let version = self.version.split('+').next().unwrap_or_default();
        let (numbers, before_release) = version.split_once('-').unwrap_or((version, ""));
        let numbers: Vec<&str> = numbers.split('.').collect();
        let number = |at: usize| numbers.get(at).copied().unwrap_or_default();
        let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
        let folder = self.manifest_path.parent().unwrap_or(Path::new("/"));
        let mut variables = vec![
            ("CARGO_CRATE_NAME", target.crate_name()),
            ("CARGO_MANIFEST_DIR", folder.display().to_string()),
            ("CARGO_MANIFEST_PATH", self.manifest_path.display().to_string()),
            ("CARGO_PKG_AUTHORS", self.authors.join(":")),
            ("CARGO_PKG_DESCRIPTION", or_empty(&self.description)),
            ("CARGO_PKG_HOMEPAGE", or_empty(&self.homepage)),
            ("CARGO_PKG_LICENSE", or_empty(&self.license)),
            ("CARGO_PKG_NAME", self.name.clone()),
            ("CARGO_PKG_REPOSITORY", or_empty(&self.repository)),
            ("CARGO_PKG_RUST_VERSION", or_empty(&self.rust_version)),
            ("CARGO_PKG_VERSION", self.version.clone()),
            ("CARGO_PKG_VERSION_MAJOR", number(0).to_string()),
            ("CARGO_PKG_VERSION_MINOR", number(1).to_string()),
            ("CARGO_PKG_VERSION_PATCH", number(2).to_string()),
            ("CARGO_PKG_VERSION_PRE", before_release.to_string()),
        ];
        if target.has_kind("bin") {
            variables.push(("CARGO_BIN_NAME", target.name.clone()));
        }
        variables.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }

    pub(super) fn has_kind(&self, kind: &str) -> bool {
        self.targets.iter().any(|target| target.has_kind(kind))
    }

    pub(super) fn is_macro(&self) -> bool {
        self.has_kind("proc-macro")
    }

    pub(super) fn library(&self) -> Option<&Target> {
        self.targets.iter().find(|target| {
            target
                .kind
                .iter()
                .any(|kind| matches!(&kind[..], "lib" | "rlib" | "dylib" | "cdylib" | "staticlib"))
        })
    }

    pub(super) fn binary(&self, name: Option<&str>) -> Result<&Target, PackError> {
        let mut binaries: Vec<&Target> =
            self.targets.iter().filter(|target| target.has_kind("bin")).collect();
        let names = binaries.iter().map(|target| &target.name[..]).collect::<Vec<_>>().join(", ");
        if let Some(name) = name {
            binaries.retain(|target| target.name == name);
        }
        match binaries[..] {
            [binary] => Ok(binary),
            [] if names.is_empty() => {
                Err(PackError::general(format!("package `{}` contains no program", self.name)))
            }
            _ => Err(PackError::general(format!(
                "package `{}` contains several programs; choose one with --bin: {names}",
                self.name
            ))),
        }
    }

    /// Returns the location of a key in the manifest, for example of a dependency, as `path:line`.
    pub(super) fn line_of(&self, key: &str) -> String {
        let text = source::read_text(&self.manifest_path).unwrap_or_default();
        let line = text.lines().position(|line| line.trim_start().starts_with(key));
        match line {
            Some(line) => format!("{}:{}", self.manifest_path.display(), line + 1),
            None => self.manifest_path.display().to_string(),
        }
    }
}

impl Target {
    pub(super) fn has_kind(&self, kind: &str) -> bool {
        self.kind.iter().any(|known| known == kind)
    }

    pub(super) fn crate_name(&self) -> String {
        self.name.replace('-', "_")
    }
}
