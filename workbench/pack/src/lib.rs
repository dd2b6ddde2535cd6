//! Packs a bot into one source file that a judge accepts.
//!
//! | step | module |
//! |---|---|
//! | find the crates of a program | [`workspace`] |
//! | turn crates into modules of one file | [`bundle`], with `tokens` for paths and `cfg` for conditions |
//! | expand macro calls that produce items | [`expand`] |
//! | add a `main` that plays one bundled bot | [`submission`] |
//! | remove unreachable code: by name in one step, then by the compiler's warnings | [`prune`], with `reach` and `compiler` |
//! | print a readable text with the origin of every module | `finish` |
//! | shorten names and remove white space | [`minify`] |
//! | encode bytes as text in the source | [`literal`] |
//! | know the limits and the compilers of judges | [`judges`] |
//! | compile the file and compare it with the unpacked bot | [`verify`] |

#![forbid(unsafe_code)]

pub mod bundle;
mod cfg;
mod compiler;
mod error;
pub mod expand;
mod finish;
pub mod judges;
pub mod literal;
pub mod minify;
pub mod prune;
mod reach;
mod source;
pub mod submission;
mod tokens;
pub mod verify;
pub mod workspace;

pub use error::PackError;
pub use judges::{SITES, Site, Unit};

use contender_game::{contest::Contest, settings::Options};
use prune::Removed;
use source::with_deep_stack;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use workspace::Wanted;

/// A packed program.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The bot with its options, or the program's package with its version.
    pub name: String,
    /// The source file.
    pub text: String,
    /// The definitions that were removed because they are unreachable.
    pub removed: Removed,
    /// The readable file, if names were shortened.
    pub minified: Option<Readable>,
    /// The total size of all sources in bytes, including tests and documentation.
    pub before: usize,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

/// The readable version of a minified file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Readable {
    /// The file's size in the judge's unit.
    pub size: usize,
    /// Number of different shortened names.
    pub renamed: usize,
}

/// Packs a bundled bot of a game.
///
/// `workspace` is the folder with `games/`. Setting `stop` interrupts the packing.
///
/// # Errors
/// Returns an error with its place if code cannot be packed, an error if the bot is unknown, or
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
    let mut program = workspace::resolve(&workspace.join("Cargo.toml"), Wanted::Library(info.package), stop)?;
    let mut file = bundle::bundle(&mut program, judge.unit)?;
    let game = program.crates.last().ok_or_else(|| PackError::general("the game has no crate"))?;
    submission::add_main(&mut file, &game.name, bot, options, info.limits)?;
    expand::expand(&mut file);
    let (text, removed) = prune::prune(bundle::print(&file), stop)?;
    let name = match &options.to_string()[..] {
        "" => bot.to_string(),
        options => format!("{bot}:{options}"),
    };
    let head = format!("{}\n{}", contest.info().about, origin(&name, judge, &program));
    let text = finish::finish(&text, &head);
    Ok(Packed {
        name,
        text,
        removed,
        minified: None,
        before: program_size(&program),
        warnings: program.warnings,
    })
}

/// Packs a program from any workspace: the package's binary with this name, or its only one. Setting `stop` interrupts
/// the packing.
///
/// # Errors
/// Returns an error with its place if code cannot be packed, or [`PackError::Interrupted`].
pub fn pack_program(
    manifest: &Path,
    binary: Option<&str>,
    judge: &Site,
    stop: &AtomicBool,
) -> Result<Packed, PackError> {
    with_deep_stack(|| pack_program_here(manifest, binary, judge, stop))
}

fn pack_program_here(
    manifest: &Path,
    binary: Option<&str>,
    judge: &Site,
    stop: &AtomicBool,
) -> Result<Packed, PackError> {
    let mut program = workspace::resolve(manifest, Wanted::Binary(binary), stop)?;
    let mut file = bundle::bundle(&mut program, judge.unit)?;
    expand::expand(&mut file);
    let (text, removed) = prune::prune(bundle::print(&file), stop)?;
    let name = program.binary.as_ref().map(|binary| &binary.package[..]).unwrap_or_default();
    let head = origin(name, judge, &program);
    let text = finish::finish(&text, &head);
    Ok(Packed {
        name: name.to_string(),
        text,
        removed,
        minified: None,
        before: program_size(&program),
        warnings: program.warnings,
    })
}

impl Packed {
    /// Shortens names and removes white space. The comments at the head of the file are kept. Setting `stop` interrupts
    /// the work.
    ///
    /// # Errors
    /// Returns the compiler's errors, or [`PackError::Interrupted`].
    pub fn minify(self, judge: &Site, stop: &AtomicBool) -> Result<Packed, PackError> {
        let head: String = self
            .text
            .lines()
            .take_while(|line| line.starts_with("//"))
            .map(|line| format!("{line}\n"))
            .collect();
        let short = with_deep_stack(|| minify::minify(&self.text, stop))?;
        let minified = Some(Readable { size: judge.size(&self.text), renamed: short.renamed });
        Ok(Packed { text: head + &short.text, minified, ..self })
    }
}

/// Returns the head of a file: its name, its source and the command that compiles it.
fn origin(name: &str, judge: &Site, program: &workspace::Program) -> String {
    format!(
        "{name}, packed by contender {} for {} from {}.\nCompile it with: rustc {} FILE",
        env!("CARGO_PKG_VERSION"),
        judge.title,
        packages(program),
        judge.flags.value.join(" ")
    )
}

fn packages(program: &workspace::Program) -> String {
    let all = program.crates.iter().chain(&program.binary);
    let mut names: Vec<&str> = all.map(|krate| &krate.package[..]).collect();
    names.dedup();
    names.join(", ")
}

fn program_size(program: &workspace::Program) -> usize {
    let mut folders: Vec<&Path> =
        program.crates.iter().chain(&program.binary).filter_map(|krate| krate.root.parent()).collect();
    folders.dedup();
    folders.into_iter().map(source_size).sum()
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
