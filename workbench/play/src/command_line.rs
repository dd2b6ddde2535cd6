//! A program with its arguments and its working folder.

use serde::{Deserialize, Serialize};
use std::env;
use std::path::{Path, PathBuf};

/// A command line: its words and its working folder.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CommandLine {
    /// The program's name and its arguments. They are not interpreted by a shell.
    pub words: Vec<String>,
    /// The working folder of the command. Relative paths in the words refer to this folder. `None` means the working
    /// folder of this process.
    folder: Option<PathBuf>,
}

impl CommandLine {
    /// Creates a command in this process's working folder.
    pub fn new(words: impl IntoIterator<Item = impl Into<String>>) -> CommandLine {
        CommandLine { words: words.into_iter().map(Into::into).collect(), folder: None }
    }

    /// Returns this command with a different working folder.
    #[must_use]
    pub fn within(self, folder: &Path) -> CommandLine {
        // The program is looked up in the folder of this process, but started in its own folder, so the path must be
        // absolute.
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
        CommandLine { folder: Some(folder), ..self }
    }

    /// Returns this command with this process's working folder.
    #[must_use]
    pub fn anywhere(self) -> CommandLine {
        CommandLine { folder: None, ..self }
    }

    /// Returns the absolute path of the command's working folder, or `None` if this is the folder of this process.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Returns the program's name, which is empty if there are no words.
    #[must_use]
    pub fn name(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// Returns the path to which a word of the command refers.
    #[must_use]
    pub fn path(&self, word: &str) -> PathBuf {
        self.folder.as_deref().map_or_else(|| PathBuf::from(word), |folder| folder.join(word))
    }
}

/// Returns the executable file of a command's program, if it exists.
#[must_use]
pub fn program_of(command: &CommandLine) -> Option<PathBuf> {
    let name = command.name();
    if name.contains(std::path::is_separator) {
        return find_program(&command.path(name).to_string_lossy());
    }
    find_program(name)
}

/// Returns the file that the system would execute for a program name.
#[must_use]
pub fn find_program(name: &str) -> Option<PathBuf> {
    let executable = |path: PathBuf| {
        let with_suffix = path.as_os_str().to_string_lossy().into_owned() + env::consts::EXE_SUFFIX;
        [path, PathBuf::from(with_suffix)].into_iter().find(|path| is_executable(path))
    };
    if name.contains(std::path::is_separator) {
        return executable(PathBuf::from(name));
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).filter(|_| !name.is_empty()).find_map(|folder| executable(folder.join(name)))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
