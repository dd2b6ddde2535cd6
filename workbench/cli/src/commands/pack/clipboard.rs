//! The clipboard of the desktop, accessed through a helper program.

use crate::error::UsageError;
use std::io::Write;
use std::process::{Command, Stdio};

/// Programs that copy their standard input to the clipboard, each with the environment variable that identifies its
/// desktop.
const PROGRAMS: [(&str, &[&str], &str); 5] = [
    ("wl-copy", &[], "WAYLAND_DISPLAY"),
    ("xclip", &["-selection", "clipboard"], "DISPLAY"),
    ("xsel", &["--clipboard", "--input"], "DISPLAY"),
    ("pbcopy", &[], ""),
    ("clip.exe", &[], ""),
];

/// Copies a text to the clipboard.
pub fn copy(text: &str) -> anyhow::Result<()> {
    for (program, arguments, variable) in PROGRAMS {
        if !variable.is_empty() && std::env::var_os(variable).is_none() {
            continue;
        }
        let started = Command::new(program).args(arguments).stdin(Stdio::piped()).spawn();
        let Ok(mut child) = started else { continue };
        if let Some(mut input) = child.stdin.take() {
            input.write_all(text.as_bytes())?;
        }
        if child.wait()?.success() {
            return Ok(());
        }
    }
    let names = PROGRAMS.map(|(program, ..)| program).join(", ");
    Err(UsageError(format!(
        "cannot copy: there is no clipboard, or none of these programs is installed: {names}\n\
         hint: write a file with `-o FILE`"
    ))
    .into())
}
