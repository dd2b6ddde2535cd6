//! Packs a bot into one source file that a judge accepts.
//!
//! | step | module |
//! |---|---|
//! | find the crates of a program | [`workspace`] |
//! | combine the crates into one file, as modules | `bundle`, with `load`, `clean`, `tokens` (for paths) and `cfg` (for conditions) |
//! | expand derives that are procedural macros | `derives` |
//! | convert code from other editions to edition 2021 | `editions`, with `captures` |
//! | expand macro calls that produce items | [`expand`] |
//! | add a `main` function that plays one bundled bot | [`submission`] |
//! | remove unreachable code, first by name and then by the compiler's warnings | [`prune`], with `reach` and `compiler` |
//! | format the file, with comments that show the origin of the code | `finish` |
//! | shorten names and remove white space | [`minify`] |
//! | encode bytes as text in the source | [`literal`] |
//! | look up a judge's limits and compiler | [`judges`] |
//! | name the source file and line of code in the bundle | `origin` |
//! | find syntax that the judge's compiler does not support | `newer` |
//! | measure the parts of the file | [`sizes`] |
//! | compile the file and compare its games with the unpacked bot's games | [`verify`] |

#![forbid(unsafe_code)]

mod attributes;
mod built;
mod bundle;
mod captures;
mod cfg;
mod clean;
mod compiler;
mod derives;
mod editions;
mod error;
pub mod expand;
mod finish;
pub mod judges;
pub mod literal;
mod load;
mod macro_paths;
pub mod minify;
mod named_files;
mod newer;
mod origin;
pub mod prune;
mod reach;
mod rustflags;
pub mod sizes;
mod source;
pub mod submission;
mod syntax;
mod tokens;
pub mod verify;
pub mod workspace;

pub use compiler::Build;
pub use error::PackError;
pub use judges::{SITES, Site, Unit};

use compiler::Compiler;
use contender_game::{contest::Contest, settings::Options};
use origin::Origin;
use prune::Removed;
use source::with_deep_stack;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use workspace::{Program, Wanted};

/// A packed program.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The name: the bot with its options, or the package with its version.
    pub name: String,
    /// The source file.
    pub text: String,
    /// The definitions that were removed because they are unreachable.
    pub removed: Removed,
    /// Data about the readable file, if names were shortened.
    pub minified: Option<Readable>,
    /// The total size of the original sources in bytes, including tests and documentation.
    pub before: usize,
    /// Warnings for the user.
    pub warnings: Vec<String>,
    /// Flags and libraries with which the file must be compiled, in addition to the judge's flags.
    pub build: Build,
    /// The folders with sources that the user can change.
    pub folders: Vec<PathBuf>,
}

/// Data about the readable version of a minified file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Readable {
    /// The file's size in the judge's unit.
    pub size: usize,
    /// Number of different shortened names.
    pub renamed: usize,
}

/// Packs a bundled bot of a game.
///
/// `workspace` is the folder that contains `games/`. Setting `stop` interrupts the packing.
///
/// # Errors
/// Returns an error if the bot is unknown, an error with a location if code cannot be packed, or
/// [`PackError::Interrupted`].
pub fn pack_bot(
    workspace: &Path,
    contest: &dyn Contest,
    bot: &str,
    options: &Options,
    judge: &Site,
    stop: &AtomicBool,
) -> Result<Packed, PackError> {
    with_deep_stack(|| pack_bot_here(workspace, contest, bot, options, judge, stop))
}

fn pack_bot_here(
    workspace: &Path,
    contest: &dyn Contest,
    bot: &str,
    options: &Options,
    judge: &Site,
    stop: &AtomicBool,
) -> Result<Packed, PackError> {
    let info = contest.info();
    if info.bots.iter().all(|known| known.name != bot) {
        return Err(PackError::general(contest.unknown_bot(bot)));
    }
    let program =
        workspace::resolve(&workspace.join("Cargo.toml"), Wanted::Library(info.package), &[], judge, stop)?;
    let game = program.crates.last().ok_or_else(|| PackError::general("the game has no crate"))?;
    let name = match &options.to_string()[..] {
        "" => bot.to_string(),
        options => format!("{bot}:{options}"),
    };
    let add_main = |file: &mut syn::File| submission::add_main(file, &game.name, bot, options, info.limits);
    let packed = pack(&program, &name, judge, Vec::new(), add_main, stop)?;
    Ok(Packed { text: format!("// {}\n{}", info.about.replace('\n', "\n// "), packed.text), ..packed })
}

/// Packs a program from any workspace: the package's binary with this name, or its only binary. `features` are cargo's
/// feature options, such as `--no-default-features`. `flags` are compiler flags in addition to the judge's flags; the
/// default is the flags in cargo's configuration. Setting `stop` interrupts the packing.
///
/// # Errors
/// Returns an error with a location if code cannot be packed, or [`PackError::Interrupted`].
pub fn pack_program(
    manifest: &Path,
    binary: Option<&str>,
    features: &[String],
    judge: &Site,
    flags: Option<&str>,
    stop: &AtomicBool,
) -> Result<Packed, PackError> {
    with_deep_stack(|| {
        let program = workspace::resolve(manifest, Wanted::Binary(binary), features, judge, stop)?;
        let flags = rustflags::of(&program.manifest, flags)?;
        let name = program.binary.as_ref().map(|binary| binary.package.clone()).unwrap_or_default();
        pack(&program, &name, judge, flags, |_| Ok(()), stop)
    })
}

/// Packs the code that a program reaches from its root, after the closure `add` has extended the root.
fn pack(
    program: &Program,
    name: &str,
    judge: &Site,
    flags: Vec<String>,
    add: impl FnOnce(&mut syn::File) -> Result<(), PackError>,
    stop: &AtomicBool,
) -> Result<Packed, PackError> {
    let judges: Vec<String> = judge.flags.value.iter().map(ToString::to_string).collect();
    let conditions = Compiler::conditions(&[&judges[..], &flags].concat(), stop)?;
    let mut bundle = bundle::bundle(program, judge, &conditions, stop)?;
    add(&mut bundle.file)?;
    expand::expand(&mut bundle.file);
    let build = Build { flags, libraries: bundle.libraries };
    let folders = program.crates.iter().chain(&program.binary);
    let folders = folders.map(|krate| (krate.package.clone(), krate.folder.clone()));
    let root = program.binary.iter().map(|krate| (String::new(), krate.root.clone()));
    let folders: Vec<(String, PathBuf)> = folders.chain(root).collect();
    let origin =
        Origin { build: &build, suspects: &bundle.suspects, editions: &bundle.editions, folders: &folders };
    let (text, removed) = prune::prune(&bundle.file, &origin, stop)?;
    let head = format!(
        "{name}, packed by contender {} for {} from {}.\nCompile it with: rustc {} FILE",
        env!("CARGO_PKG_VERSION"),
        judge.title,
        bundle.packages.join(", "),
        judges.iter().chain(&build.flags).map(String::as_str).collect::<Vec<_>>().join(" ")
    );
    let mut warnings = program.warnings.clone();
    let plain = if build.flags.is_empty() { conditions } else { Compiler::conditions(&judges, stop)? };
    let missing: Vec<String> = bundle
        .needed
        .into_iter()
        .filter(|feature| !plain.contains(&format!("target_feature=\"{feature}\"")))
        .collect();
    let mut guard = String::new();
    if !missing.is_empty() {
        guard = feature_guard(&missing, &build);
        warnings.push(format!(
            "the code was selected for {}, so the judge must compile it with `{}`\nhint: use `--rustflags \
             \"\"` to select code for every processor",
            missing.join(", "),
            build.flags.join(" ")
        ));
    }
    let text = finish::finish(&with_guard(&text, &guard), &head);
    Ok(Packed {
        name: name.to_string(),
        text,
        removed,
        minified: None,
        before: program_size(program),
        warnings,
        build,
        folders: own_folders(program),
    })
}

/// Returns an item that stops a compilation without these processor features.
fn feature_guard(features: &[String], build: &Build) -> String {
    let all: Vec<String> = features.iter().map(|feature| format!("target_feature = \"{feature}\"")).collect();
    let (all, flags) = (all.join(", "), build.flags.join(" "));
    format!("#[cfg(not(all({all})))]\ncompile_error!(\"compile with {flags}\");\n")
}

/// Inserts a guard after the attributes of the file.
fn with_guard(text: &str, guard: &str) -> String {
    let lines = text.lines().take_while(|line| line.starts_with("#![")).map(|line| line.len() + 1);
    let (attributes, rest) = text.split_at(lines.sum::<usize>().min(text.len()));
    format!("{attributes}{guard}{rest}")
}

impl Packed {
    /// Shortens names and removes white space. Keeps the comments at the head of the file. If this does not make the
    /// file smaller, the file stays as it is. Setting `stop` interrupts the work.
    ///
    /// # Errors
    /// Returns an error with the compiler's messages, or [`PackError::Interrupted`].
    pub fn minify(self, judge: &Site, stop: &AtomicBool) -> Result<Packed, PackError> {
        let head: String = self
            .text
            .lines()
            .take_while(|line| line.starts_with("//"))
            .map(|line| format!("{line}\n"))
            .collect();
        let short = with_deep_stack(|| minify::minify(&self.text, &self.build, stop))?;
        let size = judge.size(&self.text);
        let text = head + &short.text;
        // The first line of a minified file can be longer than what a tiny program saves.
        Ok(match judge.size(&text) < size {
            true => Packed { text, minified: Some(Readable { size, renamed: short.renamed }), ..self },
            false => Packed { minified: Some(Readable { size, renamed: 0 }), ..self },
        })
    }
}

fn program_size(program: &workspace::Program) -> usize {
    let mut folders: Vec<&Path> =
        program.crates.iter().chain(&program.binary).filter_map(|krate| krate.root.parent()).collect();
    folders.dedup();
    folders.into_iter().map(source_size).sum()
}

fn own_folders(program: &Program) -> Vec<PathBuf> {
    let own = program.crates.iter().chain(&program.binary).filter(|krate| !krate.is_external);
    let mut folders: Vec<PathBuf> = own.map(|krate| krate.folder.clone()).collect();
    folders.dedup();
    folders
}

fn source_size(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.path() {
            path if path.is_dir() => source_size(&path),
            path if path.extension().is_some_and(|extension| extension == "rs") => {
                entry.metadata().map_or(0, |meta| meta.len() as usize)
            }
            _ => 0,
        })
        .sum()
}
