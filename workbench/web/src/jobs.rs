//! Jobs of the server: `contender` commands, each in a separate process. The commands write all results to files, and
//! the pages show these files. So no result is lost if a job is stopped or its page is closed.

use crate::page::Problem;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Maximum number of running jobs.
const MAX_COUNT: usize = 8;
/// Number of finished jobs to remember.
const REMEMBERED: usize = 64;
/// Maximum number of bytes of a job's output to keep; only the end of the output is kept.
const SAID: usize = 16 << 10;

/// The jobs by their keys. A key identifies what the job works on, for example a league.
pub struct Jobs {
    /// The path of the `contender` program.
    program: PathBuf,
    jobs: Mutex<BTreeMap<String, Job>>,
}

struct Job {
    /// The address of the job's page.
    page: String,
    since: Instant,
    /// The number of games at once, if the command names it.
    games_at_once: Option<u16>,
    child: Child,
    said: Arc<Mutex<Vec<u8>>>,
}

/// The state of a job.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Whether the job is running.
    pub is_running: bool,
    /// The time of its start.
    pub since: Option<Instant>,
    /// The number of games at once, if the command names it.
    pub games_at_once: Option<u16>,
    /// The end of the job's output, from standard output and standard error.
    pub said: String,
}

impl Report {
    /// Returns the reason for which the job has failed, if its output contains one.
    pub fn reason(&self) -> Option<String> {
        let start = self.said.lines().position(|line| line.starts_with("error: "))?;
        Some(without_hints(&self.said.lines().skip(start).collect::<Vec<_>>().join("\n")))
    }
}

/// A running job.
#[derive(Clone, PartialEq, Eq)]
pub struct Running {
    pub key: String,
    pub page: String,
    pub since: Instant,
}

impl Jobs {
    /// Creates an empty set of jobs, all of which run this program.
    pub fn of(program: PathBuf) -> Jobs {
        Jobs { program, jobs: Mutex::default() }
    }

    /// Returns the command that runs the program with these arguments in this folder.
    fn command<A: AsRef<OsStr>>(&self, folder: &Path, arguments: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(folder).stdin(Stdio::null());
        command
    }

    /// Runs a short command and waits until it ends.
    pub fn ask<A: AsRef<OsStr>>(
        &self,
        folder: &Path,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<(), Problem> {
        let output = self.command(folder, arguments).output().map_err(|error| self.no_program(&error))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(()) } else { Err(Problem::bad(without_hints(&said))) }
    }

    /// Starts a job, unless one with this key is running. `page` is the address of its page. The command must support
    /// `--end-with-input`.
    pub fn start<A: AsRef<OsStr>>(
        &self,
        key: &str,
        page: String,
        folder: &Path,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<(), Problem> {
        let mut jobs = self.lock();
        if jobs.get_mut(key).is_some_and(Job::is_running) {
            return Ok(());
        }
        if jobs.values_mut().filter_map(|job| job.is_running().then_some(())).count() >= MAX_COUNT {
            return Err(Problem::bad(format!("{MAX_COUNT} jobs are running: stop one of them first.")));
        }
        let arguments: Vec<OsString> =
            arguments.into_iter().map(|argument| argument.as_ref().to_os_string()).collect();
        let games_at_once =
            arguments.iter().find_map(|word| word.to_str()?.strip_prefix("--jobs=")?.parse().ok());
        let mut command = self.command(folder, arguments);
        // The command ends with its standard input, so it also ends if this server is killed.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| self.no_program(&error))?;
        let said = Arc::new(Mutex::new(Vec::new()));
        child.stdout.take().into_iter().for_each(|stream| keep_end(stream, &said));
        child.stderr.take().into_iter().for_each(|stream| keep_end(stream, &said));
        if jobs.len() >= REMEMBERED {
            jobs.retain(|_, job| job.is_running());
        }
        jobs.insert(key.to_string(), Job { page, since: Instant::now(), games_at_once, child, said });
        Ok(())
    }

    /// Stops a job at once; the results so far are in the job's files.
    pub fn stop(&self, key: &str) {
        if let Some(job) = self.lock().get_mut(key) {
            job.end();
        }
    }

    /// Stops all jobs.
    pub fn stop_all(&self) {
        self.lock().values_mut().for_each(Job::end);
    }

    /// Returns the running jobs.
    pub fn running(&self) -> Vec<Running> {
        let mut jobs = self.lock();
        let running = jobs.iter_mut().filter_map(|(key, job)| {
            let (page, since) = (job.page.clone(), job.since);
            job.is_running().then(|| Running { key: key.clone(), page, since })
        });
        running.collect()
    }

    /// Returns the state of the job, or `None` if there was no job with this key.
    pub fn report(&self, key: &str) -> Option<Report> {
        let mut jobs = self.lock();
        let job = jobs.get_mut(key)?;
        let is_running = job.is_running();
        let said = job.said.lock().unwrap_or_else(PoisonError::into_inner);
        let (games_at_once, since) = (job.games_at_once, Some(job.since));
        Some(Report {
            is_running,
            since,
            games_at_once,
            said: String::from_utf8_lossy(&said).trim().to_string(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Job>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn no_program(&self, error: &std::io::Error) -> Problem {
        Problem::bad(format!("{} cannot be run: {error}", self.program.display()))
    }
}

/// Returns a command's error message without its hints, because the hints name options that a page does not have.
pub fn without_hints(said: &str) -> String {
    let lines = said.trim().lines().take_while(|line| !line.trim_start().starts_with("hint:"));
    lines.collect::<Vec<_>>().join("\n").trim_start_matches("error: ").trim_end().to_string()
}

impl Job {
    fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.end();
    }
}

/// Starts a thread that reads a stream until it ends and keeps the last bytes.
fn keep_end(mut stream: impl Read + Send + 'static, said: &Arc<Mutex<Vec<u8>>>) {
    let said = Arc::clone(said);
    std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut chunk) {
            let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
            said.extend_from_slice(&chunk[..count]);
            let surplus = said.len().saturating_sub(SAID);
            said.drain(..surplus);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_of_the_command_line_are_left_out() {
        let said = "error: the bot is too slow\n  120 ms of 100 ms\n\nhint: `--no-trial` adds it anyway\n";
        assert_eq!(without_hints(said), "the bot is too slow\n  120 ms of 100 ms");
    }
}
