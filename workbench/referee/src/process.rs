//! An external bot: a process on three pipes.
//!
//! Nothing here blocks: the pipes are non-blocking, and [`exchange`](crate::exchange) waits for all of them at once.

use crate::buffers::{Tail, Unread};
use crate::child::{self, Child, Exit, Wait};
use crate::isolation::Prepared;
use crate::metadata::Collector;
use crate::strays;
use crate::{Ending, ExitStatus};
use nix::errno::Errno;
use nix::sched::{sched_getaffinity, sched_setaffinity};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, read, write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

/// Bytes read at a time.
const CHUNK: usize = 1 << 12;

/// A bot that has written more than so many chunks since its last answer is not trusted with another game.
const MOST_LEFT_OVER: usize = 8;

/// An external bot.
pub(crate) struct Process {
    pid: Pid,
    /// Marks the process and its descendants, see [`strays`].
    mark: String,
    /// Readable when the process has ended.
    pub ended: OwnedFd,
    /// Whether that has been seen.
    pub has_ended: bool,
    /// Closed (`None`) when the bot has closed its end, or the game is over.
    pub stdin: Option<OwnedFd>,
    /// Closed (`None`) when the bot has closed its end.
    pub stdout: Option<OwnedFd>,
    /// Closed (`None`) when the bot has closed its end.
    pub stderr: Option<OwnedFd>,
    /// What the pipe to the bot had no room for.
    unsent: Vec<u8>,
    unread: Unread,
    stderr_tail: Tail,
    /// What the bot says of itself on standard error.
    pub metadata: Collector,
    /// How it ended, noted before it is killed: a bot that had to be killed has no end of its own.
    exit: Option<Exit>,
    cpu: Option<Duration>,
    /// CPU time of earlier games.
    cpu_before: Duration,
    /// The limit of its memory in bytes.
    memory: Option<u64>,
    is_killed: bool,
}

/// How programs are started.
#[derive(Clone, Copy)]
pub(crate) struct Start<'a> {
    /// How much of the end of standard error is kept.
    pub stderr_tail: usize,
    pub isolation: Option<&'a Prepared>,
    /// Whether the bot is to die with the thread that starts it.
    pub dies_with_thread: bool,
}

/// Why a program does not run.
pub(crate) enum SpawnError {
    /// The program is at fault.
    Program(String),
    /// This machine is: no descriptors, processes or memory left.
    Machine(String),
}

impl Process {
    /// Starts a program in a process group of its own. `words` are the program and its arguments.
    pub fn spawn(words: &[String], start: Start<'_>) -> Result<Process, SpawnError> {
        let [program, ..] = words else {
            return Err(SpawnError::Program("the command is empty".to_string()));
        };
        strays::adopt();
        let mark = strays::new_mark();
        let variable = (strays::VARIABLE, &mark[..]);
        let Child { pid, ended, stdin, stdout, stderr } =
            child::start(words, variable, start.isolation, start.dies_with_thread).map_err(|error| {
                match error {
                    Errno::EMFILE | Errno::ENFILE | Errno::EAGAIN | Errno::ENOMEM => {
                        SpawnError::Machine(format!("cannot start `{program}`: {}", error.desc()))
                    }
                    _ => SpawnError::Program(format!("{program}: {}", error.desc())),
                }
            })?;
        Ok(Process {
            pid,
            mark,
            ended,
            has_ended: false,
            stdin: Some(stdin),
            stdout: Some(stdout),
            stderr: Some(stderr),
            unsent: Vec::new(),
            unread: Unread::default(),
            stderr_tail: Tail::new(start.stderr_tail),
            metadata: Collector::default(),
            exit: None,
            cpu: None,
            cpu_before: Duration::ZERO,
            memory: start.isolation.and_then(|isolation| isolation.memory),
            is_killed: false,
        })
    }

    /// Forgets the last game, for a bot that plays another one, and returns whether it can.
    pub fn renew(&mut self) -> bool {
        if (0..MOST_LEFT_OVER).all(|_| self.read_stdout()) {
            return false;
        }
        for _ in 0..1 << 8 {
            if !self.read_stderr() {
                break;
            }
        }
        self.unread.clear();
        self.stderr_tail.clear();
        self.metadata = Collector::default();
        self.cpu_before = self.cpu_so_far().unwrap_or_default();
        // The game's core may be another one than last time.
        if let Ok(cores) = sched_getaffinity(Pid::from_raw(0)) {
            let _ = sched_setaffinity(self.pid, &cores);
        }
        self.stdin.is_some() && self.stdout.is_some() && child::wait(&self.ended, Wait::Look).is_none()
    }

    /// Notes what the bot has used in the game that is over.
    pub fn pause(&mut self) {
        self.cpu = self.cpu_so_far();
        for _ in 0..1 << 8 {
            if !self.read_stderr() {
                break;
            }
        }
    }

    /// Queues a text for the bot and sends what the pipe takes now.
    pub fn send(&mut self, text: &str) {
        if self.unsent.is_empty() {
            let sent = self.write(text.as_bytes());
            self.unsent.extend_from_slice(&text.as_bytes()[sent..]);
        } else {
            self.unsent.extend_from_slice(text.as_bytes());
        }
    }

    /// Whether something is waiting for room in the pipe to the bot.
    pub fn has_unsent(&self) -> bool {
        self.stdin.is_some() && !self.unsent.is_empty()
    }

    /// Sends what had to wait, as far as there is room now.
    pub fn send_rest(&mut self) {
        let unsent = std::mem::take(&mut self.unsent);
        let sent = self.write(&unsent);
        self.unsent.extend_from_slice(&unsent[sent..]);
    }

    /// Writes what there is room for and returns how much that was; a bot that has closed its end gets nothing more.
    fn write(&mut self, bytes: &[u8]) -> usize {
        let Some(stdin) = &self.stdin else { return bytes.len() };
        match retry(|| write(stdin, bytes)) {
            Ok(sent) => sent,
            Err(Errno::EAGAIN) => 0,
            Err(_) => {
                self.stdin = None;
                bytes.len()
            }
        }
    }

    /// Reads once from the bot's standard output. Returns whether there was something.
    pub fn read_stdout(&mut self) -> bool {
        read_once(&mut self.stdout, |new| self.unread.add(new))
    }

    /// Reads once from the bot's standard error. Returns whether there was something.
    pub fn read_stderr(&mut self) -> bool {
        read_once(&mut self.stderr, |new| {
            self.stderr_tail.add(new);
            self.metadata.add(new);
        })
    }

    /// Whether a whole line is there that no question has taken.
    pub fn has_line(&self) -> bool {
        self.unread.has_line()
    }

    /// Takes an answer if all of it is there, see [`Unread::take`].
    pub fn take_answer(&mut self, lines: usize) -> Option<Result<Vec<String>, Ending>> {
        self.unread.take(lines)
    }

    /// Whether the bot writes on and on: reads until nothing is there or it is too much.
    pub fn flood(&mut self) -> Option<Ending> {
        while self.unread.flood().is_none() && self.read_stdout() {}
        self.unread.flood()
    }

    /// Throws away what the bot has said.
    pub fn forget_output(&mut self) {
        self.unread.clear();
    }

    /// What it means for a game that the process has ended, if it has.
    pub fn exit(&mut self) -> Option<Ending> {
        // The process is not reaped here, so that its number and its group's stay its own until all of them are ended.
        let exit = child::wait(&self.ended, Wait::Look)?;
        if let Some(ending) = self.out_of_memory(exit) {
            return Some(ending);
        }
        Some(match exit.status {
            ExitStatus::Code(code) => Ending::Exit { code },
            ExitStatus::Signal(signal) => Ending::Crash { signal },
        })
    }

    /// Whether a process that failed did so for want of memory. The kernel refuses memory beyond the limit and kills nobody for it, so
    /// that is known from how much was in use, or from the last words that runtimes have for it.
    fn out_of_memory(&mut self, exit: Exit) -> Option<Ending> {
        let limit = self.memory?;
        if exit.status == ExitStatus::Code(0) {
            return None;
        }
        // The last words may still be in the pipe.
        for _ in 0..64 {
            if !self.read_stderr() {
                break;
            }
        }
        const WORDS: [&str; 6] = [
            "memory allocation of",
            "bad_alloc",
            "MemoryError",
            "OutOfMemory",
            "out of memory",
            "Cannot allocate memory",
        ];
        let words = self.stderr_text();
        let is_full = exit.peak >= limit - limit / 8 || WORDS.iter().any(|word| words.contains(word));
        is_full.then_some(Ending::Memory { limit_mb: limit >> 20, peak_mb: exit.peak >> 20 })
    }

    /// The process's own exit status or signal; known after [`kill`](Process::kill), unless that ended it.
    pub fn status(&self) -> Option<ExitStatus> {
        self.exit.map(|exit| exit.status)
    }

    /// CPU time of all threads, and of dead children if the process ended by itself; known after [`kill`](Process::kill).
    pub fn cpu(&self) -> Option<Duration> {
        self.cpu.map(|cpu| cpu.saturating_sub(self.cpu_before))
    }

    fn cpu_so_far(&self) -> Option<Duration> {
        let clock = nix::time::clock_getcpuclockid(self.pid).ok()?;
        clock.now().ok().map(Duration::from)
    }

    /// The end of what the bot has written to standard error.
    pub fn stderr_text(&self) -> String {
        self.stderr_tail.text()
    }

    /// Ends the process and all its descendants and closes its pipes, after a last look at them.
    pub fn kill(&mut self) {
        self.is_killed = true;
        self.stdin = None;
        self.exit = child::wait(&self.ended, Wait::Look);
        self.cpu = self.exit.map(|exit| exit.cpu).or_else(|| self.cpu_so_far());
        let _ = killpg(self.pid, Signal::SIGKILL);
        if self.exit.is_none() {
            strays::wait_for(self.ended.as_fd());
        }
        // A survivor may hold the other end and write for ever.
        for _ in 0..(1 << 20) / CHUNK {
            if !self.read_stderr() {
                break;
            }
        }
        // Before the others: they can be found only on kernels that list a process's children.
        child::wait(&self.ended, Wait::Reap);
        strays::end(self.pid, &self.mark);
        self.stdout = None;
        self.stderr = None;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.is_killed {
            self.kill();
        }
    }
}

/// Reads what is there, at most [`CHUNK`], and closes a pipe that is at its end. Returns whether there was something.
pub(crate) fn read_once(pipe: &mut Option<OwnedFd>, keep: impl FnOnce(&[u8])) -> bool {
    let Some(open) = pipe else { return false };
    let mut chunk = [0; CHUNK];
    match retry(|| read(&*open, &mut chunk)) {
        Ok(length @ 1..) => {
            keep(&chunk[..length]);
            true
        }
        Err(Errno::EAGAIN) => false,
        Ok(0) | Err(_) => {
            *pipe = None;
            false
        }
    }
}

fn retry<T>(mut call: impl FnMut() -> nix::Result<T>) -> nix::Result<T> {
    loop {
        match call() {
            Err(Errno::EINTR) => {}
            result => return result,
        }
    }
}
