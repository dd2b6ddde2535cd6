//! The name of the running program.

use std::path::PathBuf;

/// Returns the name of this program for commands in messages: `contender`, or the name under which the program of a
/// custom game was started.
#[must_use]
pub fn this_program() -> String {
    let started = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    match started.file_stem() {
        Some(name) if name != "contender" => shell_words::quote(&started.to_string_lossy()).into_owned(),
        _ => "contender".to_string(),
    }
}
