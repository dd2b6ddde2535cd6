//! A program with its arguments, and where it runs.

use std::path::{Path, PathBuf};

/// What is run: words, in a folder.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CommandLine {
    /// The program's name and its arguments; no shell runs.
    pub words: Vec<String>,
    /// The folder that it runs in, to which relative paths among the words belong; `None` for that of this process.
    folder: Option<PathBuf>,
}

impl CommandLine {
    /// A command in the folder of this process.
    pub fn new(words: impl IntoIterator<Item = impl Into<String>>) -> CommandLine {
        CommandLine { words: words.into_iter().map(Into::into).collect(), folder: None }
    }

    /// The same in another folder.
    #[must_use]
    pub fn within(self, folder: &Path) -> CommandLine {
        // The program is named from where this process is, and started from there.
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
        CommandLine { folder: Some(folder), ..self }
    }

    /// The folder that it runs in, where that is not the one of this process; an absolute path.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The name of its program; empty where there is none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// Where a path is that one of its words names.
    #[must_use]
    pub fn path(&self, word: &str) -> PathBuf {
        self.folder.as_deref().map_or_else(|| PathBuf::from(word), |folder| folder.join(word))
    }
}
