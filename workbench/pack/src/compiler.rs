//! Runs the compiler and the other programs that packing needs. Every run can be interrupted.

use crate::PackError;
use contender_referee::{ChildGuard, CommandLine, ExitStatus, ProcessOutput, WaitOutcome};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The target platform of all judges.
pub(crate) const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// The flags and libraries needed to compile a packed file, in addition to the judge's flags.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Build {
    /// Compiler flags that enable processor features.
    pub flags: Vec<String>,
    /// The compiled crates that the judge provides, by name.
    pub libraries: Vec<(String, PathBuf)>,
}

impl Build {
    /// Returns the compiler arguments for these flags and libraries.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = self.flags.clone();
        for (name, file) in &self.libraries {
            words.extend(["--extern".to_string(), format!("{name}={}", file.display())]);
        }
        // The crates on which the libraries depend are in the same folders.
        let folders: BTreeSet<PathBuf> = self
            .libraries
            .iter()
            .filter_map(|(_, file)| file.parent())
            .flat_map(|folder| [folder.to_path_buf(), folder.join("deps")])
            .collect();
        for folder in folders {
            words.extend(["-L".to_string(), format!("dependency={}", folder.display())]);
        }
        words
    }
}

/// A compiler with a scratch folder and a stop flag.
pub(crate) struct Compiler<'a> {
    scratch: Scratch,
    words: Vec<String>,
    stop: &'a AtomicBool,
}

impl<'a> Compiler<'a> {
    pub fn new(build: &Build, stop: &'a AtomicBool) -> Result<Compiler<'a>, PackError> {
        Ok(Compiler { scratch: Scratch::new()?, words: build.words(), stop })
    }

    /// Returns the conditions that the compiler sets with these flags, as the compiler prints them.
    pub fn conditions(flags: &[String], stop: &AtomicBool) -> Result<BTreeSet<String>, PackError> {
        let mut words = vec![rustc(), "--print".into(), "cfg".into(), "--target".into(), PLATFORM.into()];
        words.extend(flags.iter().cloned());
        let output = run(&words, "rustc", None, PATIENCE, stop)?;
        if !output.is_success() {
            return Err(PackError::general(format!("rustc {}: {}", flags.join(" "), output.stderr.trim())));
        }
        // The compiler ignores a processor or feature that it does not know, with a warning.
        const IGNORED: [&str; 3] =
            ["not a recognized processor", "unknown feature", "unknown and unstable feature"];
        let ignored = output.stderr.lines().find(|line| IGNORED.iter().any(|words| line.contains(words)));
        if let Some(reason) = ignored {
            return Err(PackError::general(format!(
                "invalid compiler flags `{}`: {}\nhint: `rustc --print target-cpus` and `rustc --print target-features` \
                 list what the compiler knows",
                flags.join(" "),
                reason.trim_start_matches("warning: ").trim_end_matches(" (ignoring processor)")
            )));
        }
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect())
    }

    /// Checks a program without producing an executable. Returns the compiler's messages.
    pub fn check(&self, text: &str) -> Result<Vec<Diagnostic>, PackError> {
        self.check_with(text, UNUSED, &[])
    }

    /// Like [`check`](Compiler::check), for a program of which only a part changes from one call to the next. The
    /// compiler keeps its results for the rest, which costs more in the first call.
    pub fn check_again(&self, text: &str) -> Result<Vec<Diagnostic>, PackError> {
        let folder = self.scratch.folder.join("incremental");
        self.check_with(text, UNUSED, &["-C".to_string(), format!("incremental={}", folder.display())])
    }

    /// Checks a program with an edition and lint levels. Returns the compiler's messages.
    pub fn check_as(&self, text: &str, lints: &str) -> Result<Vec<Diagnostic>, PackError> {
        self.check_with(text, lints, &[])
    }

    fn check_with(&self, text: &str, lints: &str, more: &[String]) -> Result<Vec<Diagnostic>, PackError> {
        let source = self.scratch.write("bundle.rs", text)?;
        let options = "--crate-type bin --crate-name bundle --emit=metadata -C debug-assertions=off --cap-lints warn --error-format=json -o";
        let mut words = vec![rustc()];
        words.extend(self.words.iter().chain(more).cloned());
        words.extend(lints.split(' ').chain(options.split(' ')).map(str::to_string));
        words.extend(
            [self.scratch.folder.join("bundle.rmeta"), source].map(|path| path.display().to_string()),
        );
        let output = run(&words, "rustc", None, PATIENCE, self.stop)?;
        let words = output.stderr.clone();
        let diagnostics: Vec<Diagnostic> =
            words.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if !output.is_success() && diagnostics.iter().all(|diagnostic| !diagnostic.is_error()) {
            return Err(PackError::general(format!("rustc {}: {words}", output.end())));
        }
        Ok(diagnostics)
    }
}

/// The edition of judges, and the lints for code that is never reached.
const UNUSED: &str = "--edition 2021 -W dead_code -W unused";

/// Returns the command that runs this machine's compiler.
pub(crate) fn rustc() -> String {
    std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into())
}

/// Returns the arguments for running cargo's `build` or `check` on one program or on all programs of a package, in the
/// release profile and with JSON messages. `features` are cargo's feature options.
pub(crate) fn release_words(
    command: &str,
    manifest: &Path,
    binary: Option<&str>,
    features: &[String],
) -> Vec<String> {
    let options = "--release --quiet --message-format=json-render-diagnostics --manifest-path";
    let mut words = vec![command.to_string()];
    words.extend(options.split(' ').map(str::to_string));
    words.push(manifest.display().to_string());
    match binary {
        Some(name) => words.extend(["--bin".to_string(), name.to_string()]),
        None => words.push("--bins".to_string()),
    }
    words.extend_from_slice(features);
    words
}

/// Runs cargo with these arguments. If cargo fails, runs it again with the default toolchain, because the toolchain
/// selected in the environment may be too old to read the manifests.
pub(crate) fn run_cargo(
    arguments: &[String],
    time: Duration,
    stop: &AtomicBool,
) -> Result<Output, PackError> {
    let mut words = vec![cargo()];
    words.extend_from_slice(arguments);
    let output = run(&words, "cargo", None, time, stop)?;
    if output.is_success() || !cfg!(unix) || std::env::var_os("RUSTUP_TOOLCHAIN").is_none() {
        return Ok(output);
    }
    let prefix = ["env", "-u", "RUSTUP_TOOLCHAIN"].map(str::to_string);
    let again = run(&[&prefix[..], &words].concat(), "cargo", None, time, stop)?;
    Ok(if again.is_success() { again } else { output })
}

/// Returns the command that runs this machine's cargo.
pub(crate) fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".into())
}

/// Time limit of a compilation.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);

/// Maximum size of a program's output in bytes. The compiler quotes the line of each error, and a line of a minified
/// file can be as long as the file. A few hundred errors in a file with weights therefore produce hundreds of
/// megabytes.
const MAX_OUTPUT: usize = 1 << 31;

/// The output and the exit status of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Output {
    pub stdout: Vec<u8>,
    pub stderr: String,
    pub status: ExitStatus,
}

impl Output {
    pub fn is_success(&self) -> bool {
        self.status == ExitStatus::Code(0)
    }

    /// Returns a verb phrase that describes how the program ended.
    pub fn end(&self) -> String {
        match self.status {
            ExitStatus::Code(code) => format!("ends with exit code {code}"),
            ExitStatus::Signal(signal) => format!("ends by signal {signal}"),
        }
    }
}

/// Runs a program for at most `time`, with `input` as its standard input. Kills the program and all its child processes
/// at the time limit, when `stop` is set, or when this process dies. The program itself does not receive Ctrl-C.
///
/// # Errors
/// Returns an error if the program cannot be run, takes too long or writes too much, or [`PackError::Interrupted`] if
/// `stop` is set.
pub(crate) fn run(
    words: &[String],
    name: &str,
    input: Option<&[u8]>,
    time: Duration,
    stop: &AtomicBool,
) -> Result<Output, PackError> {
    if stop.load(Ordering::Relaxed) {
        return Err(PackError::Interrupted);
    }
    let failed = |reason: String| PackError::general(format!("{name} {reason}"));
    let mut program = ChildGuard::start(&CommandLine::new(words), MAX_OUTPUT, MAX_OUTPUT)
        .map_err(|error| failed(format!("cannot be run: {error}")))?;
    program.send(input.unwrap_or_default());
    program.close_input();
    let waited = program.wait(time, stop, |_| false);
    let ProcessOutput { output: stdout, stderr, status } = program.end();
    match (waited, status) {
        (WaitOutcome::Stopped, _) => Err(PackError::Interrupted),
        (WaitOutcome::Ended, Some(status)) => Ok(Output { stdout, stderr, status }),
        (WaitOutcome::Flood, _) => Err(failed(format!("writes more than {MAX_OUTPUT} bytes"))),
        _ => Err(failed(format!("has not finished after {} s", time.as_secs_f64()))),
    }
}

/// A message from the compiler.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Diagnostic {
    /// The text of the message.
    pub message: String,
    code: Option<Code>,
    /// The kind of message: `error`, `warning`, ...
    pub level: String,
    spans: Vec<Place>,
    /// The message as the compiler prints it.
    pub rendered: Option<String>,
    /// Help messages, which contain code that the compiler suggests.
    #[serde(default)]
    children: Vec<Diagnostic>,
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
    suggested_replacement: Option<String>,
    suggestion_applicability: Option<String>,
}

impl Diagnostic {
    /// Returns the message as the compiler prints it, or at least its first line.
    pub(crate) fn text(&self) -> &str {
        self.rendered.as_ref().unwrap_or(&self.message)
    }

    pub(crate) fn code(&self) -> &str {
        self.code.as_ref().map(|code| &code.code[..]).unwrap_or_default()
    }

    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let primary = self.spans.iter().filter(|place| place.is_primary && place.expansion.is_none());
        primary.map(|place| place.byte_start..place.byte_end)
    }

    /// Returns the ranges of the code to which the message refers, including code in macros.
    pub(crate) fn places(&self) -> impl Iterator<Item = Range<usize>> {
        let primary = self.spans.iter().filter(|place| place.is_primary);
        primary.map(|place| place.byte_start..place.byte_end)
    }

    /// Returns the start positions of the code to which the message refers, including code in macros.
    pub(crate) fn starts(&self) -> impl Iterator<Item = usize> {
        self.places().map(|place| place.start)
    }

    /// Returns the ranges of the code in the notes of the message.
    pub(crate) fn notes(&self) -> impl Iterator<Item = Range<usize>> {
        self.children.iter().flat_map(Diagnostic::places)
    }

    /// Returns the first change that the compiler suggests and considers safe, as ranges with their new texts.
    pub(crate) fn suggestion(&self) -> Option<Vec<(Range<usize>, &str)>> {
        let parts = self.children.iter().map(|child| {
            let places = child.spans.iter().filter(|place| {
                place.suggestion_applicability.as_deref() == Some("MachineApplicable")
                    && place.expansion.is_none()
            });
            let parts = places.filter_map(|place| {
                Some((place.byte_start..place.byte_end, place.suggested_replacement.as_deref()?))
            });
            parts.collect::<Vec<_>>()
        });
        parts.into_iter().find(|parts| !parts.is_empty())
    }

    /// Returns whether the message reports a name that the compiler does not find, or a type that is ambiguous.
    pub(crate) fn is_missing(&self) -> bool {
        const CODES: [&str; 11] = [
            "E0283", "E0404", "E0405", "E0412", "E0422", "E0425", "E0432", "E0433", "E0531", "E0599", "E0603",
        ];
        self.is_error() && CODES.contains(&self.code())
    }

    pub(crate) fn is_error(&self) -> bool {
        self.level == "error"
    }
}

/// The prefix of the names of scratch folders.
const PREFIX: &str = "contender-pack-";

/// The name of the file in a scratch folder that stays locked while the folder is in use.
const LOCK: &str = "lock";

/// A temporary folder for files that are passed to the compiler. It is removed when the value is dropped. Folders left
/// behind by killed processes are removed when a new one is created.
pub(crate) struct Scratch {
    pub folder: PathBuf,
    _lock: File,
}

impl Scratch {
    pub fn new() -> Result<Scratch, PackError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let place = std::env::temp_dir();
        sweep(&place);
        let folder = place.join(format!("{PREFIX}{}-{count}-{now}", std::process::id()));
        let lock = fs::create_dir_all(&folder)
            .and_then(|()| File::create_new(folder.join(LOCK)))
            .and_then(|lock| lock.lock().map(|()| lock))
            .map_err(|error| PackError::general(format!("{}: {error}", folder.display())))?;
        Ok(Scratch { folder, _lock: lock })
    }

    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, PackError> {
        let path = self.folder.join(name);
        fs::write(&path, text).map_err(|error| PackError::general(format!("{}: {error}", path.display())))?;
        Ok(path)
    }
}

/// Removes the scratch folders that are not locked.
fn sweep(place: &Path) {
    /// Minimum age of a folder to be removed, because a new folder may not be locked yet.
    const YOUNG: Duration = Duration::from_secs(10);
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        let Ok(lock) = File::open(entry.path().join(LOCK)) else { continue };
        let age =
            lock.metadata().and_then(|meta| meta.modified()).map(|made| made.elapsed().unwrap_or_default());
        if age.is_ok_and(|age| age > YOUNG) && lock.try_lock().is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_said_of_a_program_when_the_work_is_to_stop() {
        let stop = AtomicBool::new(false);
        let compiler = Compiler::new(&Build::default(), &stop).unwrap();
        assert!(compiler.check("fn main() { missing() }").unwrap().iter().any(Diagnostic::is_error));
        stop.store(true, Ordering::Relaxed);
        assert!(matches!(compiler.check("fn main() {}"), Err(PackError::Interrupted)));
        assert!(matches!(compiler.check("fn main() { missing() }"), Err(PackError::Interrupted)));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let words = |script: &str| ["sh", "-c", script].map(str::to_string);
        let never = AtomicBool::new(false);
        let run = |script: &str, milliseconds: u64| {
            run(&words(script), "it", Some(b"two\nlines"), Duration::from_millis(milliseconds), &never)
        };
        let late = run("sleep 1000 & sleep 1000", 100).unwrap_err().to_string();
        assert_eq!(late, "it has not finished after 0.1 s");
        assert!(run("yes", 600_000).unwrap_err().to_string().starts_with("it writes more than "));
        let done = run("cat; echo oh >&2; exit 3", 600_000).unwrap();
        assert_eq!(
            (&done.stdout[..], &done.stderr[..], done.status),
            (&b"two\nlines"[..], "oh\n", ExitStatus::Code(3))
        );
    }

    #[test]
    fn folders_of_the_dead_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let folders =
            ["dead", "young", "alive", "foreign"].map(|name| place.path().join(format!("{PREFIX}{name}")));
        let locks = folders.each_ref().map(|folder| {
            fs::create_dir(folder).unwrap();
            let lock = File::create(folder.join(if folder.ends_with("contender-pack-foreign") {
                "x"
            } else {
                LOCK
            }))
            .unwrap();
            let age = if folder.ends_with("contender-pack-young") { 0 } else { 100 };
            lock.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
            lock
        });
        locks[2].lock().unwrap();
        sweep(place.path());
        assert_eq!(folders.map(|folder| folder.exists()), [false, true, true, true]);
    }

    #[test]
    fn all_that_the_compiler_says_of_long_lines_is_kept() {
        let words = ["sh", "-c", "head -c 100000000 /dev/zero >&2"].map(str::to_string);
        let output = run(&words, "sh", None, PATIENCE, &AtomicBool::new(false)).unwrap();
        assert_eq!(output.stderr.len(), 100_000_000);
    }
}
