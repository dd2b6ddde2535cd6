//! The files that a bot may read and change: Landlock rules.

use super::spawn;
use crate::CommandLine;
use contender_play::{Readable, ResourceLimits};
use contender_play::{find_program, program_of};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    Scope, path_beneath_rules,
};
use nix::unistd::Uid;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The Landlock version whose rights are requested, the first one that also restricts signals and abstract sockets.
/// Older kernels enforce only the rights that they support.
const LANDLOCK: ABI = ABI::V6;

/// Paths that every program needs.
const SYSTEM: [&str; 20] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/snap",
    "/proc",
    "/sys/devices",
    "/sys/kernel/mm",
    "/sys/fs/cgroup",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Folders that are too general to be made accessible as a whole. In these folders, only the files named in a command
/// are accessible.
const WIDE: [&str; 17] = [
    "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/media", "/mnt", "/opt", "/proc", "/root", "/run",
    "/srv", "/sys", "/tmp", "/usr", "/var",
];

/// The files in `/etc` that programs need. The whole folder is not made accessible, because root could read secrets in
/// it.
const SETTINGS: [&str; 12] = [
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "alternatives",
    "localtime",
    "passwd",
    "group",
    "nsswitch.conf",
    "locale.alias",
    "mono",
    "fonts",
    "dotnet",
];

/// Creates the rules for a bot with this command. Returns `None` if nothing must be forbidden, or if the kernel cannot
/// enforce rules, which is then added to `missing`.
pub(crate) fn ruleset(
    bounds: &ResourceLimits,
    command: &CommandLine,
    missing: &mut Vec<String>,
) -> io::Result<Option<OwnedFd>> {
    let keeps_files = bounds.writable.is_some() || bounds.readable != Readable::All;
    if bounds.network && !keeps_files {
        return Ok(None);
    }
    let make = || {
        let mut rules = Ruleset::default().set_compatibility(CompatLevel::BestEffort);
        if keeps_files {
            rules = rules.handle_access(AccessFs::from_all(LANDLOCK))?;
        }
        if !bounds.network {
            rules = rules.handle_access(AccessNet::from_all(LANDLOCK))?.scope(Scope::from_all(LANDLOCK))?;
        }
        let mut rules = rules.create()?;
        if keeps_files {
            let (all, read) = (AccessFs::from_all(LANDLOCK), AccessFs::from_read(LANDLOCK));
            let everywhere = [PathBuf::from("/")];
            let write = AccessFs::from_write(LANDLOCK);
            // Bots that may write everywhere may not be allowed to read everywhere.
            let (writable, how) = match &bounds.writable {
                Some(folders) => (&folders[..], all),
                None => (&everywhere[..], write),
            };
            let readable = match &bounds.readable {
                Readable::All => everywhere.to_vec(),
                Readable::Needed { hidden, others } => needed(command, hidden, others),
            };
            rules = rules
                .add_rules(path_beneath_rules(readable, read))?
                .add_rules(path_beneath_rules(["/dev/null"], all))?
                .add_rules(path_beneath_rules(writable, how))?;
        }
        Ok::<Option<OwnedFd>, landlock::RulesetError>(rules.into())
    };
    match make() {
        Ok(Some(ruleset)) => {
            let version = spawn::landlock_version();
            let incomplete = |what, needed| {
                format!("isolation is incomplete: bots can {what} (Landlock {version}; {needed} is needed)")
            };
            if keeps_files && version < 3 {
                missing.push(incomplete("truncate any file that you can write", 3));
            }
            if !bounds.network && version < 6 {
                missing.push(incomplete("send signals to other processes", 6));
            }
            Ok(Some(ruleset))
        }
        unusable => {
            let why =
                unusable.err().map_or("this kernel has no Landlock".to_string(), |error| error.to_string());
            missing.push(format!("isolation is incomplete: bots can read and write your files ({why})"));
            Ok(None)
        }
    }
}

/// Adds the system's settings. If this process is root, which can read secrets, adds only harmless settings.
fn add_settings(paths: &mut Vec<PathBuf>) {
    if !Uid::current().is_root() {
        paths.push(PathBuf::from("/etc"));
        return;
    }
    paths.extend(SETTINGS.iter().map(|name| Path::new("/etc").join(name)));
    let settings = fs::read_dir("/etc").into_iter().flatten().flatten();
    let is_of_language =
        |name: &str| ["java", "python", "perl", "php", "lua"].iter().any(|one| name.starts_with(one));
    let of_languages = settings.filter(|entry| entry.file_name().to_str().is_some_and(is_of_language));
    paths.extend(of_languages.map(|entry| entry.path()));
}

/// Returns the paths that a command needs: system folders, the program and its folder, and every file and folder that
/// the command names.
fn needed(command: &CommandLine, hidden: &[PathBuf], others: &[PathBuf]) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    let (others, names): (Vec<_>, Vec<_>) = others.iter().partition(|other| other.components().count() > 1);
    paths.extend(others.into_iter().cloned());
    add_settings(&mut paths);
    paths.extend(
        env::split_paths(&env::var_os("PATH").unwrap_or_default()).filter(|folder| folder.is_absolute()),
    );
    let home = env::var_os("HOME").map(PathBuf::from);
    let is_wide = |folder: &Path| {
        folder.parent().is_none()
            || WIDE.iter().any(|wide| folder == Path::new(wide))
            || home.as_deref().is_some_and(|home| home.starts_with(folder))
    };
    let around = |paths: &mut Vec<PathBuf>, path: &Path, takes_prefix: bool| {
        add_but(hidden, path.to_path_buf(), paths);
        let Some(folder) = path.parent() else { return };
        let is_programs = ["bin", "sbin", "shims"].iter().any(|name| folder.ends_with(name));
        let prefix =
            folder.parent().filter(|_| takes_prefix && is_programs).filter(|prefix| !is_wide(prefix));
        let folder = prefix.unwrap_or(folder);
        if !is_wide(folder) {
            add_but(hidden, folder.to_path_buf(), paths);
        }
    };
    let words = &command.words;
    let named = names.iter().filter_map(|name| find_program(name.to_str()?));
    let programs: Vec<PathBuf> = program_of(command).into_iter().chain(named).collect();
    for program in
        programs.iter().flat_map(|program| [program.clone()].into_iter().chain(interpreters(program)))
    {
        around(&mut paths, &std::path::absolute(&program).unwrap_or_default(), true);
        // A symbolic link leads to the program's own files.
        around(&mut paths, &program.canonicalize().unwrap_or_default(), true);
    }
    // A word may be a shell script, or an option such as `--weights=file`.
    let is_between = |letter: char| letter.is_whitespace() || "'\";&|=".contains(letter);
    let pieces = words.iter().flat_map(|word| word.split(is_between).chain([&word[..]]));
    let files = pieces.filter_map(|piece| command.path(piece).canonicalize().ok());
    for path in files.filter(|path| path.is_file()) {
        around(&mut paths, &path, false);
    }
    // A folder counts as named only if it is a whole word or everything after a `=`, and has a name: `/` may be a
    // division.
    let folders =
        words.iter().flat_map(|word| [Some(&word[..]), word.split_once('=').map(|(_, value)| value)]);
    let here = command.folder().map(Path::to_path_buf).or_else(|| env::current_dir().ok());
    for folder in
        folders.flatten().filter_map(|word| named_folder(command, word)).filter(|folder| !is_wide(folder))
    {
        let is_around_it = here.as_ref().is_some_and(|here| *here != folder && here.starts_with(&folder));
        if !is_around_it {
            add_but(hidden, folder, &mut paths);
        }
    }
    paths.retain(|path| !path.as_os_str().is_empty());
    paths
}

/// Returns the folder that a word names, unless the word consists only of dots and slashes.
fn named_folder(command: &CommandLine, word: &str) -> Option<PathBuf> {
    let has_name = Path::new(word).file_name().is_some();
    let folder = has_name.then(|| command.path(word).canonicalize().ok()).flatten()?;
    folder.is_dir().then_some(folder)
}

/// Returns the programs named in the first line of a script.
fn interpreters(script: &Path) -> Vec<PathBuf> {
    let mut line = Vec::new();
    let read =
        fs::File::open(script).and_then(|file| BufReader::new(file.take(256)).read_until(b'\n', &mut line));
    let line = String::from_utf8_lossy(&line);
    match (read, line.strip_prefix("#!")) {
        (Ok(_), Some(words)) => words.split_whitespace().filter_map(find_program).collect(),
        _ => Vec::new(),
    }
}

/// Adds a file, or a folder without the hidden paths in it.
fn add_but(hidden: &[PathBuf], folder: PathBuf, paths: &mut Vec<PathBuf>) {
    let is_hidden = |path: &Path| {
        let text = path.as_os_str().as_encoded_bytes();
        hidden.iter().any(|hidden| text.starts_with(hidden.as_os_str().as_encoded_bytes()))
    };
    if is_hidden(&folder) {
        return;
    }
    if hidden.iter().all(|hidden| hidden.parent().is_none_or(|parent| !parent.starts_with(&folder))) {
        paths.push(folder);
        return;
    }
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for entry in entries {
        add_but(hidden, entry, paths);
    }
}
