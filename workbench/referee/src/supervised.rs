//! A program that is no player in a game of the referee's: a command that plays a whole game by itself, a bot that is tried out. It is
//! started, bounded and ended as bots are.

use crate::ExitStatus;
use crate::process::{Process, SpawnError, Start, read_once};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often the stop flag is looked at, in milliseconds.
const LOOK_UP: u8 = 10;

/// A running program in a process group of its own. It dies with the thread that has started it; when this is dropped or
/// [ended](Supervised::end), all its descendants die too.
pub struct Supervised {
    process: Process,
    output: Vec<u8>,
    most: usize,
}

/// Why a wait is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waited {
    /// The output is what was waited for.
    Enough,
    /// There is more output than is kept.
    Flood,
    /// The program has ended.
    Ended,
    /// The time is over.
    Late,
    /// It was stopped from outside.
    Stopped,
}

/// What is left of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remains {
    /// What it wrote to standard output, as far as that is kept.
    pub output: Vec<u8>,
    /// The end of what it wrote to standard error.
    pub stderr: String,
    /// How it ended by itself; `None` if it had to be ended.
    pub status: Option<ExitStatus>,
}

impl Supervised {
    /// Starts a program: `words` are its name and its arguments. At most `most` bytes of its standard output are kept, and the last
    /// `stderr_tail` bytes of its standard error.
    ///
    /// # Errors
    /// Why it does not run, in words for the user.
    pub fn start(words: &[String], most: usize, stderr_tail: usize) -> Result<Supervised, String> {
        let start = Start { stderr_tail, isolation: None, dies_with_thread: true };
        match Process::spawn(words, start) {
            Ok(process) => Ok(Supervised { process, output: Vec::new(), most }),
            Err(SpawnError::Program(reason) | SpawnError::Machine(reason)) => Err(reason),
        }
    }

    /// Sends a text to its standard input, as it takes it during the next wait.
    pub fn send(&mut self, text: &str) {
        self.process.send(text);
    }

    /// Ends its standard input.
    pub fn close_input(&mut self) {
        self.process.stdin = None;
    }

    /// What it has written to standard output so far.
    #[must_use]
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// Takes in what it writes until `is_enough` says so of all its output so far, for `time` at most.
    pub fn wait(&mut self, time: Duration, stop: &AtomicBool, is_enough: impl Fn(&[u8]) -> bool) -> Waited {
        let start = Instant::now();
        loop {
            // Looked at before the pipes are, so that the last words are in them.
            let has_ended = self.process.exit().is_some();
            self.read();
            if is_enough(&self.output) {
                return Waited::Enough;
            }
            if self.output.len() >= self.most {
                return Waited::Flood;
            }
            if has_ended {
                return Waited::Ended;
            }
            if stop.load(Ordering::Relaxed) {
                return Waited::Stopped;
            }
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Waited::Late;
            }
            self.sleep(left);
        }
    }

    /// Takes in what there is, and sends what there is room for.
    fn read(&mut self) {
        let Supervised { process, output, most } = self;
        while output.len() < *most && read_once(&mut process.stdout, |new| output.extend_from_slice(new)) {}
        // Bounded: who writes on and on must not keep us from looking at the time.
        for _ in 0..1 << 8 {
            if !process.read_stderr() {
                break;
            }
        }
        if process.has_unsent() {
            process.send_rest();
        }
    }

    /// Waits until there may be something to do.
    fn sleep(&self, left: Duration) {
        let process = &self.process;
        let pipes = process.stdout.iter().chain(&process.stderr).chain([&process.ended]);
        let mut pipes: Vec<PollFd<'_>> =
            pipes.map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN)).collect();
        let left = left.as_millis().clamp(1, LOOK_UP.into()) as u8;
        // After an error there is just nothing there yet.
        let _ = poll(&mut pipes, PollTimeout::from(left));
    }

    /// Ends it, if it has not ended, and all its descendants.
    #[must_use]
    pub fn end(mut self) -> Remains {
        self.process.kill();
        let (stderr, status) = (self.process.stderr_text(), self.process.status());
        Remains { output: self.output, stderr, status }
    }
}
