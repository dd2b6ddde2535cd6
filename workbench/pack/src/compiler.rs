//! The compiler, asked again and again, and other programs that packing runs: each can be interrupted.

use crate::PackError;
use serde::Deserialize;
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The compiler with a folder of its own, asked until it is told to stop.
pub(crate) struct Compiler<'a> {
    scratch: Scratch,
    stop: &'a AtomicBool,
}

impl<'a> Compiler<'a> {
    pub fn new(stop: &'a AtomicBool) -> Result<Compiler<'a>, PackError> {
        Ok(Compiler { scratch: Scratch::new()?, stop })
    }

    /// What the compiler says of a program, without making one.
    pub fn check(&self, text: &str) -> Result<Vec<Diagnostic>, PackError> {
        let source = self.scratch.write("bundle.rs", text)?;
        let mut command = rustc();
        command
            .args(["--edition", "2021", "--crate-type", "bin", "--crate-name", "bundle", "--emit=metadata"])
            .args(["-W", "dead_code", "-W", "unused", "--error-format=json", "-o"])
            .arg(self.scratch.folder.join("bundle.rmeta"))
            .arg(source);
        let output = output(&mut command, "rustc", self.stop)?;
        let words = String::from_utf8_lossy(&output.stderr);
        let diagnostics: Vec<Diagnostic> =
            words.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if !output.status.success() && diagnostics.iter().all(|diagnostic| !diagnostic.is_error()) {
            return Err(PackError::general(format!("rustc failed ({}): {words}", output.status)));
        }
        Ok(diagnostics)
    }
}

/// The compiler of this machine.
pub(crate) fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Runs a program to its end. Ctrl-C reaches it too, so what it says after that is no verdict.
///
/// # Errors
/// That it cannot be run; [`PackError::Interrupted`].
pub(crate) fn output(command: &mut Command, name: &str, stop: &AtomicBool) -> Result<Output, PackError> {
    if stop.load(Ordering::Relaxed) {
        return Err(PackError::Interrupted);
    }
    let output =
        command.output().map_err(|error| PackError::general(format!("{name} cannot be run: {error}")))?;
    if stop.load(Ordering::Relaxed) || was_interrupted(&output) {
        return Err(PackError::Interrupted);
    }
    Ok(output)
}

/// Whether Ctrl-C ended the program: it may do so before `stop` is set.
#[cfg(unix)]
fn was_interrupted(output: &Output) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const INTERRUPT: i32 = 2;
    output.status.signal() == Some(INTERRUPT)
}

#[cfg(not(unix))]
fn was_interrupted(_: &Output) -> bool {
    false
}

/// One message of the compiler.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Diagnostic {
    /// What it says.
    pub message: String,
    code: Option<Code>,
    /// `error`, `warning`, ...
    pub level: String,
    spans: Vec<Place>,
    /// As the compiler prints it.
    pub rendered: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Code {
    code: String,
}

#[derive(Clone, Debug, Deserialize)]
struct Place {
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
    expansion: Option<serde_json::Value>,
}

impl Diagnostic {
    pub(crate) fn code(&self) -> &str {
        self.code.as_ref().map(|code| &code.code[..]).unwrap_or_default()
    }

    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let primary = self.spans.iter().filter(|place| place.is_primary && place.expansion.is_none());
        primary.map(|place| place.byte_start..place.byte_end)
    }

    /// Where the places it points at start, those in calls of macros too.
    pub(crate) fn starts(&self) -> impl Iterator<Item = usize> {
        self.spans.iter().filter(|place| place.is_primary).map(|place| place.byte_start)
    }

    pub(crate) fn is_error(&self) -> bool {
        self.level == "error"
    }
}

/// A folder for files between here and the compiler, removed with the value.
pub(crate) struct Scratch {
    pub folder: PathBuf,
}

impl Scratch {
    pub fn new() -> Result<Scratch, PackError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let folder =
            std::env::temp_dir().join(format!("contender-pack-{}-{count}-{now}", std::process::id()));
        std::fs::create_dir_all(&folder)
            .map_err(|error| PackError::general(format!("{}: {error}", folder.display())))?;
        Ok(Scratch { folder })
    }

    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, PackError> {
        let path = self.folder.join(name);
        std::fs::write(&path, text)
            .map_err(|error| PackError::general(format!("{}: {error}", path.display())))?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_said_of_a_program_when_the_work_is_to_stop() {
        let stop = AtomicBool::new(false);
        let compiler = Compiler::new(&stop).unwrap();
        assert!(compiler.check("fn main() { missing() }").unwrap().iter().any(Diagnostic::is_error));
        stop.store(true, Ordering::Relaxed);
        assert!(matches!(compiler.check("fn main() {}"), Err(PackError::Interrupted)));
        assert!(matches!(compiler.check("fn main() { missing() }"), Err(PackError::Interrupted)));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_ctrl_c_ends_is_interrupted_and_one_that_is_killed_is_not() {
        let stop = AtomicBool::new(false);
        let end = |signal: &str| {
            let mut command = Command::new("sh");
            output(command.args(["-c", &format!("kill -{signal} $$")]), "sh", &stop)
        };
        assert!(matches!(end("INT"), Err(PackError::Interrupted)));
        assert!(!end("KILL").unwrap().status.success());
    }
}
