//! Information from a cargo build: the output of build scripts, and the compiled files of crates that the judge
//! provides.

use crate::PackError;
use crate::compiler::{PATIENCE, release_words, run_cargo};
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The part of a build script's output that affects the code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Script {
    /// Conditions that the script sets for the crate, such as `has_i128`.
    pub conditions: BTreeSet<String>,
    /// Variables that the script sets for `env!`.
    pub variables: HashMap<String, String>,
    /// Native libraries that the script links to the crate.
    pub libraries: Vec<String>,
}

/// The results of a cargo build.
#[derive(Debug, Default)]
pub(crate) struct Built {
    scripts: HashMap<String, Script>,
    /// The compiled libraries, by crate name.
    pub libraries: HashMap<String, PathBuf>,
    /// Compiled procedural macros by the ids of their packages.
    pub macros: HashMap<String, PathBuf>,
}

#[derive(Deserialize)]
struct Message {
    reason: String,
    #[serde(default)]
    package_id: String,
    #[serde(default)]
    linked_libs: Vec<String>,
    #[serde(default)]
    cfgs: Vec<String>,
    #[serde(default)]
    env: Vec<(String, String)>,
    #[serde(default)]
    out_dir: Option<String>,
    #[serde(default)]
    target: Option<MessageTarget>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct MessageTarget {
    name: String,
    kind: Vec<String>,
}

impl Built {
    /// Builds a package with cargo, or only checks it if `libraries` is not set. Both run the build scripts.
    ///
    /// # Errors
    /// Returns an error with cargo's messages if the build fails, or [`PackError::Interrupted`].
    pub fn of(
        manifest: &Path,
        binary: Option<&str>,
        features: &[String],
        libraries: bool,
        stop: &AtomicBool,
    ) -> Result<Built, PackError> {
        let command = if libraries { "build" } else { "check" };
        let output = run_cargo(&release_words(command, manifest, binary, features), PATIENCE, stop)?;
        if !output.is_success() {
            let reason = format!("cargo cannot build {}:\n{}", manifest.display(), output.stderr);
            return Err(PackError::general(reason));
        }
        let mut built = Built::default();
        let stdout = String::from_utf8_lossy(&output.stdout);
        for message in stdout.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok()) {
            built.add(message);
        }
        Ok(built)
    }

    fn add(&mut self, message: Message) {
        if message.reason == "build-script-executed" {
            let mut variables: HashMap<String, String> = message.env.into_iter().collect();
            variables.extend(message.out_dir.map(|folder| ("OUT_DIR".to_string(), folder)));
            let conditions = message.cfgs.into_iter().collect();
            self.scripts
                .insert(message.package_id, Script { conditions, variables, libraries: message.linked_libs });
        } else if let Some(target) = message.target {
            let has_kind = |kind: &str| target.kind.iter().any(|known| known == kind);
            if has_kind("lib") {
                let is_library = |file: &PathBuf| file.extension().is_some_and(|end| end == "rlib");
                let file = message.filenames.into_iter().find(is_library);
                self.libraries.extend(file.map(|file| (target.name.replace('-', "_"), file)));
            } else if has_kind("proc-macro") {
                let file = message.filenames.into_iter().next();
                self.libraries.extend(file.clone().map(|file| (target.name.replace('-', "_"), file)));
                self.macros.extend(file.map(|file| (message.package_id, file)));
            }
        }
    }

    /// Returns the output of a package's build script.
    pub fn script(&self, package: &str) -> Script {
        self.scripts.get(package).cloned().unwrap_or_default()
    }
}
