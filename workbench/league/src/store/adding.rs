//! Adding bots with their files to a league.

use super::{Store, check_name, now};
use crate::game::{BotState, LeagueBot};
use anyhow::{Context, bail};
use contender_input::this_program;
use rusqlite::params;
use sha2::{Digest, Sha256};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The prefix in the command of a bot that plays many games in one process.
const KEEP_ALIVE: &str = "[keep-alive]";

/// A bot to add.
#[derive(Clone, Copy, Default, Debug)]
pub struct NewBot<'a> {
    /// The bot's name, which must be unique in the league.
    pub name: &'a str,
    /// The bundled bot or command.
    pub command: &'a str,
    /// The folder in which paths of the command are looked up first. The league's folder is the second.
    pub from: Option<&'a Path>,
    /// Whether the bot uses its original files, which are then not copied into the league's folder.
    pub in_place: bool,
    /// A folder that is copied completely, if the bot needs files that its command does not name.
    pub folder: Option<&'a Path>,
    /// A source file that is copied into the league's folder.
    pub source: Option<&'a Path>,
}

/// A command whose paths are valid in the league's folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The command.
    pub command: String,
    /// The folder of the first file that was copied individually.
    pub copied_from: Option<PathBuf>,
    /// Whether any file was copied.
    pub is_copied: bool,
    /// Paths whose files are not copied: folders, and programs that belong to an installation.
    pub stays: Vec<String>,
}

impl Store {
    /// Adds a bot.
    ///
    /// # Errors
    /// See [`add_if`](Self::add_if).
    pub fn add(&mut self, new: NewBot<'_>) -> anyhow::Result<()> {
        self.add_if(new, |_| Ok(())).map(|_| ())
    }

    /// Adds a bot if `test` accepts its command. The bot's files are copied before `test` runs, and removed if the test
    /// fails.
    ///
    /// # Errors
    /// Returns an error if the name is invalid or already used, if files cannot be copied, or if `test` fails.
    pub fn add_if(
        &mut self,
        new: NewBot<'_>,
        test: impl FnOnce(&Placed) -> anyhow::Result<()>,
    ) -> anyhow::Result<Placed> {
        self.check_new(new.name)?;
        let folders = ["programs", "sources"].map(|kind| self.folder.join(kind).join(new.name));
        let new_folders = folders.map(|folder| (!folder.exists()).then_some(folder));
        let added = self.place(new).and_then(|placed| {
            let source = new.source.map(|path| self.keep("sources", new.name, path)).transpose()?;
            test(&placed)?;
            let (file, hash) = source.unzip();
            self.connection.execute(
                "INSERT INTO bots (name, command, state, source, source_sha256, added, changed) VALUES (?, ?, 'active', ?, ?, ?, ?)",
                params![new.name, placed.command, file, hash, now(), now()],
            )?;
            Ok(placed)
        });
        if added.is_err() {
            for folder in new_folders.into_iter().flatten() {
                let _ = fs::remove_dir_all(folder);
            }
        }
        added
    }

    /// Checks that the name can be used for a new bot.
    fn check_new(&self, name: &str) -> anyhow::Result<()> {
        check_name(name)?;
        let bots = self.bots()?;
        if let Some(old) = bots.iter().find(|bot| bot.name == name) {
            match old.state {
                BotState::Removed => {
                    bail!(
                        "`{name}` is the name of a removed bot whose games are kept\nhint: choose another \
                         name, or bring the bot back with `{} league resume {name}`",
                        this_program()
                    )
                }
                _ => bail!("a bot called `{name}` already exists"),
            }
        }
        // The files of a renamed bot are still stored under its first name.
        let folders = ["programs", "sources"].map(|kind| format!("{kind}/{name}/"));
        let lies_there = |bot: &&LeagueBot| {
            let source = bot.source.as_ref().map_or("", |(file, _)| file);
            folders.iter().any(|folder| bot.command.contains(folder) || source.starts_with(folder))
        };
        match bots.iter().find(lies_there) {
            Some(other) => {
                bail!(
                    "the files of the bot `{}` are stored under the name `{name}`; choose another name",
                    other.name
                )
            }
            None => Ok(()),
        }
    }

    /// Adapts the paths of a command to the league's folder, and copies the bot's files. The copies do not change when
    /// the author rebuilds the bot.
    fn place(&self, new: NewBot<'_>) -> anyhow::Result<Placed> {
        let placed = Placed {
            command: new.command.to_string(),
            copied_from: None,
            is_copied: false,
            stays: Vec::new(),
        };
        let league = self.folder.canonicalize().unwrap_or_else(|_| self.folder.clone());
        let whole = match new.folder {
            Some(folder) => Some(self.copy_whole(new, folder, &league)?),
            None => None,
        };
        let Ok(words) = shell_words::split(new.command) else { return Ok(placed) };
        let mut placing = Placing { store: self, new, league, whole, copies: BTreeMap::new(), placed };
        let mut changed = Vec::new();
        let first = usize::from(words.first().is_some_and(|word| word == KEEP_ALIVE));
        for (at, word) in words.iter().enumerate() {
            changed.push(match at.cmp(&first) {
                Ordering::Less => word.clone(),
                Ordering::Equal => placing.program(word)?,
                Ordering::Greater => placing.argument(word, words[at - 1].starts_with('-'))?,
            });
        }
        let Placing { mut placed, whole, .. } = placing;
        if let Some(folder) = whole.filter(|_| !placed.is_copied) {
            bail!("the command `{}` does not name a file in {}", new.command, folder.display());
        }
        if changed != words {
            placed.command = shell_words::join(&changed);
        }
        Ok(placed)
    }

    /// Copies a folder into `programs` and returns the full path of the original.
    fn copy_whole(&self, new: NewBot<'_>, folder: &Path, league: &Path) -> anyhow::Result<PathBuf> {
        let from = new.from.unwrap_or(&self.folder).join(folder);
        let from = from.canonicalize().with_context(|| format!("cannot read {}", from.display()))?;
        if !from.is_dir() {
            bail!("{} is not a folder", from.display());
        }
        let to = league.join("programs").join(new.name);
        if from.starts_with(league) && to.starts_with(&from) {
            bail!(
                "{} contains the league's files\nhint: choose a folder that contains only the bot's files",
                from.display()
            );
        }
        if to.symlink_metadata().is_ok() {
            bail!("{} already exists; choose another name or move the folder", to.display());
        }
        let mut left = MAX_OF_A_FOLDER;
        copy_folder(&from, &from, &to, league, &mut left)
            .with_context(|| format!("cannot copy {}", from.display()))?;
        Ok(from)
    }

    /// Copies a file into the league's folder, and returns its path there and its hash. Symbolic links are not
    /// followed.
    fn keep(&self, kind: &str, name: &str, path: &Path) -> anyhow::Result<(String, String)> {
        let bytes = contender_input::read(path, contender_input::MAX_DATA)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let file = path.file_name().with_context(|| format!("{} is not a file", path.display()))?;
        let place = Path::new(kind).join(name).join(file);
        let folder = self.folder.join(kind).join(name);
        let full = folder.join(file);
        let write = || {
            fs::create_dir_all(&folder)?;
            if folder.symlink_metadata()?.is_symlink() {
                return Err(io::Error::other(format!("{} is a symbolic link", folder.display())));
            }
            // An existing file is replaced. It is not overwritten, because it may be a link.
            if full.symlink_metadata().is_ok() {
                fs::remove_file(&full)?;
            }
            File::create_new(&full)?.write_all(&bytes)?;
            fs::set_permissions(&full, fs::metadata(path)?.permissions())
        };
        write().with_context(|| format!("cannot write {}", full.display()))?;
        let hash = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok((place.display().to_string(), hash))
    }
}

/// A command whose paths are being adapted to the league's folder.
struct Placing<'a> {
    store: &'a Store,
    new: NewBot<'a>,
    /// The league's folder.
    league: PathBuf,
    /// The path of the original folder, if a folder was copied as a whole.
    whole: Option<PathBuf>,
    /// The copied files, by name.
    copies: BTreeMap<String, PathBuf>,
    placed: Placed,
}

impl Placing<'_> {
    /// Returns the file or folder that a word names. Does not resolve a symbolic link, because a program may find its
    /// files by the name under which it was started.
    fn found(&self, word: &str) -> Option<PathBuf> {
        let places = [self.new.from.unwrap_or(&self.league), &self.league];
        let path = places.into_iter().map(|place| place.join(word)).find(|path| path.exists())?;
        match (path.parent().map(Path::canonicalize), path.file_name()) {
            (Some(Ok(parent)), Some(file)) => Some(parent.join(file)),
            _ => path.canonicalize().ok(),
        }
    }

    /// Returns the program. A name without a folder means a program of the system, such as `python3`.
    fn program(&mut self, word: &str) -> anyhow::Result<String> {
        match self.found(word).filter(|path| word.contains('/') && path.is_file()) {
            // A symbolic link to a program might not find its files from another folder.
            Some(path) if path.is_symlink() => Ok(self.in_place(word, &path)),
            Some(path) => self.file(word, &path),
            None => Ok(word.to_string()),
        }
    }

    /// Returns an argument: a path, `KEY=PATH`, or paths separated by `:`, as in a Java class path. The name of a
    /// folder without a slash counts as a path only if it is the value of an option.
    fn argument(&mut self, word: &str, is_value: bool) -> anyhow::Result<String> {
        let is_path = is_value || word.contains('/') || word.starts_with('.');
        match self.found(word).filter(|_| !word.is_empty()) {
            Some(path) if path.is_file() => return self.file(word, &path),
            Some(path) if is_path => return Ok(self.in_place(word, &path)),
            Some(_) => return Ok(word.to_string()),
            None if word.contains(char::is_whitespace) => return Ok(word.to_string()),
            None => {}
        }
        if let Some((folder, path)) = word.strip_suffix("/*").and_then(|part| Some((part, self.found(part)?)))
        {
            return Ok(self.in_place(folder, &path) + "/*");
        }
        if let Some((key, value)) = word.split_once('=') {
            return Ok(format!("{key}={}", self.argument(value, true)?));
        }
        if is_path && word.contains(':') && !word.contains("://") {
            let parts = word.split(':').map(|part| self.argument(part, true));
            return Ok(parts.collect::<anyhow::Result<Vec<_>>>()?.join(":"));
        }
        Ok(word.to_string())
    }

    /// Returns the path of a file, or of its copy if the file should be copied.
    fn file(&mut self, word: &str, path: &Path) -> anyhow::Result<String> {
        if self.new.in_place || is_system(path) || is_installed(path) || self.is_in_whole(path) {
            return Ok(self.in_place(word, path));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(other) = self.copies.get(&name).filter(|other| *other != path) {
            bail!(
                "cannot copy both {} and {}, because they have the same name\nhint: use `--folder DIR` to \
                 copy a whole folder, or `--in-place` to copy nothing",
                other.display(),
                path.display()
            );
        }
        let (place, _) = self.store.keep("programs", self.new.name, path)?;
        self.copies.insert(name, path.to_path_buf());
        self.placed.is_copied = true;
        self.placed.copied_from.get_or_insert_with(|| path.parent().unwrap_or(path).to_path_buf());
        Ok(format!("./{place}"))
    }

    fn is_in_whole(&self, path: &Path) -> bool {
        self.whole.as_ref().is_some_and(|whole| path.starts_with(whole))
    }

    /// Returns a path relative to the league's folder. The path of a file in a copied folder becomes its path in the
    /// copy.
    fn in_place(&mut self, word: &str, path: &Path) -> String {
        if let Some(within) = self.whole.as_ref().and_then(|whole| path.strip_prefix(whole).ok()) {
            self.placed.is_copied = true;
            return format!("./programs/{}/{}", self.new.name, within.display());
        }
        let is_relative = Path::new(word).is_relative();
        if let Ok(within) = path.strip_prefix(&self.league) {
            let is_as_it_was = self.league.join(word) == path;
            return if is_as_it_was { word.to_string() } else { format!("./{}", within.display()) };
        }
        let name = if is_relative { path.display().to_string() } else { word.to_string() };
        self.placed.stays.extend((!is_system(path)).then(|| name.clone()));
        name
    }
}

/// Returns whether a path is in a system folder, whose files are not rebuilt.
fn is_system(path: &Path) -> bool {
    ["/usr", "/bin", "/opt", "/nix"].iter().any(|folder| path.starts_with(folder))
}

/// Returns whether a file belongs to an installation, whose other files it would not find if it were copied. This is
/// the case in a Python virtual environment and in a folder `bin` next to `lib`.
fn is_installed(path: &Path) -> bool {
    let Some(folder) = path.parent() else { return false };
    let Some(prefix) = folder.parent() else { return false };
    prefix.join("pyvenv.cfg").is_file() || folder.ends_with("bin") && prefix.join("lib").is_dir()
}

/// Maximum size of a copied folder, in bytes.
const MAX_OF_A_FOLDER: u64 = 1 << 30;

/// Copies a folder, except for `.git` and the league. Symbolic links keep their targets, even if these are outside
/// `root`.
fn copy_folder(from: &Path, root: &Path, to: &Path, league: &Path, left: &mut u64) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, kind, copy) = (entry.path(), entry.file_type()?, to.join(entry.file_name()));
        if kind.is_symlink() {
            copy_link(&path, root, &copy)?;
        } else if kind.is_dir() {
            if path != league && entry.file_name() != ".git" {
                copy_folder(&path, root, &copy, league, left)?;
            }
        } else if kind.is_file() {
            *left = left.checked_sub(entry.metadata()?.len()).ok_or_else(|| {
                io::Error::other(format!(
                    "it has more than {} MiB\nhint: choose a folder that contains only the files that the \
                     bot needs",
                    MAX_OF_A_FOLDER >> 20
                ))
            })?;
            fs::copy(&path, &copy)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn copy_link(path: &Path, root: &Path, copy: &Path) -> io::Result<()> {
    let target = fs::read_link(path)?;
    let full = path.parent().unwrap_or(path).join(&target);
    let is_within = full.canonicalize().is_ok_and(|full| full.starts_with(root));
    std::os::unix::fs::symlink(if is_within { target } else { full }, copy)
}

#[cfg(not(unix))]
fn copy_link(path: &Path, _: &Path, copy: &Path) -> io::Result<()> {
    if path.is_file() { fs::copy(path, copy).map(|_| ()) } else { Ok(()) }
}
