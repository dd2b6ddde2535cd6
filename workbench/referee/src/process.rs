//! External bots: processes on three pipes, with their output.
//!
//! The functions in this module do not block. [`exchange`](crate::exchange) waits for both bots' processes at once.
//!
//! A process that must not think outside its turns has these states:
//!
//! ```text
//! spawn ──► running ◄──────── `resume`, then the question ────────────┐
//!              │                                                      │
//!              │ answer: `rest`                                       │
//!              ▼                                                      │
//!           resting ── after `SUSPEND_DELAY`, or at once if ──────► halted ── ran for `MAX_PONDERED` ──► lost
//!            ▲ │       the bot used `MAX_IDLE` before: `stop`        │  ▲     nevertheless: `ponders`
//!            │ │                                                     ▼  │
//!            │ │ end of a game, if the process          running until it releases a lock
//!            │ │ stays for the next: `pause`            that the opponent waits for (`exchange::Locks`)
//!            │ ▼
//!           idle: `renew` goes back to resting
//!
//! every state ── a failure, or the end of the last game: `kill` ──► dead
//! ```
//!
//! Another process, for example a descendant that left the session, can resume a halted process. `keep_stopped`
//! therefore checks the process repeatedly and halts it again. The CPU time that the process used meanwhile counts as
//! `pondered`.

use crate::buffers::{Tail, Unread};
use crate::metadata::Collector;
use crate::platform::{CHUNK, Child, ChildProcess, Exit, Sandbox, StartError, Stream};
use crate::readable::readable;
use crate::{CommandLine, Ending, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// The time that a bot has to become idle or finish its output after a game.
const REST: Duration = Duration::from_millis(20);

/// CPU time per game that a bot may use outside its turns before it is paused immediately after each answer.
const MAX_IDLE: Duration = Duration::from_millis(2);

/// CPU time per game that a bot may use although it is paused. A bot that uses more loses (`pondered`). Pausing takes
/// effect only after a few microseconds.
const MAX_PONDERED: Duration = Duration::from_millis(50);

/// Maximum time to wait for a bot's last output.
const MAX_WORDS: Duration = Duration::from_secs(1);

/// The time that a process has to exit by itself after it has closed a pipe, run out of time or given an invalid
/// answer. After this time, it counts as still running.
pub(crate) const EXIT_GRACE: Duration = Duration::from_millis(100);

/// Maximum number of chunks that are read from standard error at a time, because a process may write endlessly.
const MAX_CHUNKS: usize = 1 << 8;

/// An external bot.
pub(crate) struct Process {
    pub child: Child,
    unread: Unread,
    stderr_tail: Tail,
    /// Values that the bot prints on standard error.
    pub metadata: Collector,
    /// The exit status of the process. It is read before the referee kills the process, because a killed process has no
    /// meaningful exit status.
    exit: Option<Exit>,
    cpu: Option<Duration>,
    /// CPU time used in earlier games.
    cpu_before: Duration,
    /// The reading of the CPU clock at the end of the bot's last turn; `None` during a turn.
    halted_at: Option<Duration>,
    /// CPU time in this game outside the bot's turns.
    idle_cpu: Option<Duration>,
    /// CPU time in this game that the process used although it was paused.
    pondered: Duration,
    /// The time that the process had waited for its core when the question was sent, and the CPU time of its other
    /// threads and descendants at that time.
    delay_at: Option<[Duration; 2]>,
    /// Whether the bot may think outside its turns.
    ponders: bool,
    /// The file for whose lock the bot waited in this game while its paused opponent held the lock, and the number of
    /// such waits.
    lock: Option<(String, u32)>,
    /// The memory limit in bytes.
    memory: Option<u64>,
    is_killed: bool,
}

/// Options for starting programs.
#[derive(Clone, Copy)]
pub(crate) struct Start<'a> {
    /// Number of bytes to keep from the end of standard error.
    pub stderr_tail: usize,
    pub sandbox: Option<&'a Sandbox>,
    /// Whether the bot must die with the thread that starts it.
    pub dies_with_thread: bool,
    /// Whether the bot may think outside its turns.
    pub ponders: bool,
}

impl Process {
    /// Starts a program.
    pub fn spawn(command: &CommandLine, start: Start<'_>) -> Result<Process, StartError> {
        if command.words.is_empty() {
            return Err(StartError::Program("the command is empty".to_string()));
        }
        Ok(Process {
            child: Child::start(command, start.sandbox, start.dies_with_thread)?,
            unread: Unread::default(),
            stderr_tail: Tail::new(start.stderr_tail),
            metadata: Collector::default(),
            exit: None,
            cpu: None,
            cpu_before: Duration::ZERO,
            halted_at: None,
            idle_cpu: None,
            pondered: Duration::ZERO,
            delay_at: None,
            ponders: start.ponders,
            lock: None,
            memory: start.sandbox.and_then(|sandbox| sandbox.memory),
            is_killed: false,
        })
    }

    /// Prepares a bot for another game by discarding the data of the last game. Returns whether the bot can play
    /// another game.
    pub fn renew(&mut self) -> bool {
        // If output is incomplete, or more than the smallest pipe holds, the rest would arrive in the next game.
        while !self.unread.is_more_than(CHUNK) && self.read_stdout() {}
        if self.unread.is_more_than(CHUNK) || self.unread.has_part_of_line() {
            return false;
        }
        self.read_all_stderr();
        self.unread.clear();
        self.stderr_tail.clear();
        self.metadata = Collector::default();
        self.cpu_before = self.child.cpu().unwrap_or_default();
        self.halted_at = self.child.clock();
        self.idle_cpu = None;
        self.pondered = Duration::ZERO;
        self.lock = None;
        // The new game may run on another core.
        self.child.follow();
        self.child.has_input() && self.child.is_open(Stream::Output) && self.child.exit().is_none()
    }

    /// Waits until the bot is idle after a game, pauses it, and notes its CPU time.
    pub fn pause(&mut self) {
        self.child.settle(REST);
        self.rest();
        self.stop();
        self.cpu = self.child.cpu();
        self.read_all_stderr();
    }

    /// Ends the bot's turn. From now on, CPU time of the bot and its descendants counts as time outside the bot's
    /// turns. A bot that has already used a lot of such time is paused at once.
    pub fn rest(&mut self) {
        if self.halted_at.is_none() {
            self.halted_at = self.child.clock();
        }
        if self.idle_cpu.is_some_and(|idle| idle > MAX_IDLE) {
            self.stop();
        }
    }

    /// Pauses the bot and its descendants, unless they may think during the opponent's turns.
    pub fn stop(&mut self) {
        let ahead = self.child.observe();
        self.halted_at = self.halted_at.map(|at| at + ahead);
        if !self.ponders {
            self.child.halt();
        }
    }

    /// Resumes the bot and its descendants.
    pub fn resume(&mut self) {
        if let Some((before, now)) = self.halted_at.take().zip(self.child.clock()) {
            *self.idle_cpu.get_or_insert_default() += now.saturating_sub(before);
        }
        self.child.resume();
    }

    /// Pauses the bot again if it runs although it should be paused.
    pub fn keep_stopped(&mut self) {
        if !self.ponders {
            self.pondered += self.child.keep_halted();
        }
    }

    /// Resumes descendants that the last resume missed.
    pub fn keep_resumed(&mut self) {
        self.child.keep_resumed();
    }

    /// Returns the ending if the bot has run for too long although it should have been paused. Another process must
    /// then have resumed it.
    pub fn ponders(&self) -> Option<Ending> {
        let cpu_ms = self.pondered.as_millis() as u64;
        (self.pondered > MAX_PONDERED).then_some(Ending::Pondered { cpu_ms })
    }

    /// Starts the bot's turn. From now on, the time that the bot waits for a core is counted.
    pub fn count_delay(&mut self) {
        self.delay_at = self.child.delay();
    }

    /// Returns the time that the bot has waited for its core since its question, if the system reports it. Time that
    /// the bot waited for its own threads and descendants is excluded.
    pub fn delay(&self) -> Option<Duration> {
        let ([waited, others], [waited_before, others_before]) = (self.child.delay()?, self.delay_at?);
        Some(waited.saturating_sub(waited_before).saturating_sub(others.saturating_sub(others_before)))
    }

    /// Queues a text for the bot and sends as much as the pipe accepts now.
    pub fn send(&mut self, text: &str) {
        self.child.send(text.as_bytes());
    }

    /// Reads once from the bot's standard output. Returns whether there was any output.
    pub fn read_stdout(&mut self) -> bool {
        self.child.read(Stream::Output, |new| self.unread.add(new))
    }

    /// Reads once from the bot's standard error. Returns whether there was any output.
    pub fn read_stderr(&mut self) -> bool {
        self.child.read(Stream::Errors, |new| {
            self.stderr_tail.add(new);
            self.metadata.add(new);
        })
    }

    /// Reads the bot's available standard error output, up to a limit.
    pub fn read_all_stderr(&mut self) {
        for _ in 0..MAX_CHUNKS {
            if !self.read_stderr() {
                return;
            }
        }
    }

    /// Returns whether the unread output contains a whole line.
    pub fn has_line(&self) -> bool {
        self.unread.has_line()
    }

    /// Takes an answer if it is complete, see [`Unread::take`].
    pub fn take_answer(&mut self, lines: usize) -> Option<Result<Vec<String>, Ending>> {
        self.unread.take(lines)
    }

    /// Reads all available output. If there is too much, returns the ending of a bot that has written too much.
    pub fn flood(&mut self) -> Option<Ending> {
        // The bot may have been paused in the middle of its output.
        self.resume();
        self.child.settle(REST);
        while self.unread.flood().is_none() && self.read_stdout() {}
        self.unread.flood()
    }

    /// Returns the output after the bot's last answer, and the bot's ending if it exits, because a runtime that prints
    /// an exception also exits.
    pub fn last_words(&mut self) -> (String, Option<Ending>) {
        self.resume();
        // Also if the bot is waiting for its core.
        self.child.settle(MAX_WORDS);
        let start = Instant::now();
        loop {
            let has_ended = self.child.exit().is_some();
            while self.unread.flood().is_none() && self.read_stdout() {}
            let is_silent = self.unread.text().is_empty();
            if has_ended || is_silent || start.elapsed() >= EXIT_GRACE {
                return (readable(self.unread.text()), self.exit());
            }
            thread::sleep(EXIT_GRACE / 50);
        }
    }

    /// Returns an incomplete answer, if there is one.
    pub fn part_of_answer(&self) -> Option<String> {
        let text = self.unread.text();
        (!text.is_empty()).then(|| readable(text))
    }

    /// Records that the bot waited for the lock on a file while its paused opponent held the lock.
    pub fn note_lock(&mut self, file: String) {
        let count = self.lock.take().map_or(0, |(_, count)| count);
        self.lock = Some((file, count + 1));
    }

    /// Returns a note about the times that the bot waited for a lock, or `None` if it waited only once and without
    /// consequences.
    pub fn lock_note(&self, is_late: bool) -> Option<String> {
        let (file, count) = self.lock.as_ref().filter(|(_, count)| is_late || *count > 1)?;
        let times = if *count == 1 { "once".to_string() } else { format!("{count} times") };
        Some(format!("the bot waited {times} for the lock on {file}, which its paused opponent held"))
    }

    /// Discards the bot's unread output.
    pub fn forget_output(&mut self) {
        self.unread.clear();
    }

    /// Returns the bot's ending if the process has exited.
    pub fn exit(&mut self) -> Option<Ending> {
        let exit = self.child.exit()?;
        if let Some(ending) = self.out_of_memory(exit) {
            return Some(ending);
        }
        Some(match exit.status {
            ExitStatus::Code(code) => Ending::Exit { code },
            ExitStatus::Signal(signal) => Ending::Crash { signal },
        })
    }

    /// Returns the ending if the process failed because it ran out of memory. A control group reports this. Without a
    /// control group, the kernel only refuses to allocate more memory, and the peak memory or the runtime's last output
    /// shows the reason.
    fn out_of_memory(&mut self, exit: Exit) -> Option<Ending> {
        let limit = self.memory?;
        let peak_mb = exit.peak.unwrap_or_default() >> 20;
        let ending = Ending::Memory { limit_mb: limit >> 20, peak_mb };
        if exit.is_out_of_memory {
            return Some(ending);
        }
        if exit.status == ExitStatus::Code(0) {
            return None;
        }
        // The last output may still be in the pipe.
        self.read_all_stderr();
        const WORDS: [&str; 6] = [
            "memory allocation of",
            "bad_alloc",
            "MemoryError",
            "OutOfMemory",
            "out of memory",
            "Cannot allocate memory",
        ];
        let words = self.stderr_text();
        let is_full = exit.peak.is_some_and(|peak| peak >= limit - limit / 8)
            || WORDS.iter().any(|word| words.contains(word));
        is_full.then_some(ending)
    }

    /// Returns whether the process has begun to exit.
    pub fn is_ending(&self) -> bool {
        self.child.is_ending()
    }

    /// Returns the ending if the bot does not answer because one of its processes was killed for lack of memory.
    pub fn is_starved(&self) -> Option<Ending> {
        let limit = self.memory.filter(|_| self.child.is_out_of_memory())?;
        Some(Ending::Memory { limit_mb: limit >> 20, peak_mb: limit >> 20 })
    }

    /// Returns the exit status or signal of the process, if it ended by itself. The status is known only after
    /// [`kill`](Process::kill).
    pub fn status(&self) -> Option<ExitStatus> {
        self.exit.map(|exit| exit.status)
    }

    /// Returns the CPU time of all threads in this game, and of dead children if the process ended by itself. The time
    /// is known only after [`kill`](Process::kill).
    pub fn cpu(&self) -> Option<Duration> {
        self.cpu.map(|cpu| cpu.saturating_sub(self.cpu_before))
    }

    /// Returns the CPU time in this game outside the bot's turns, including all descendants, if known.
    pub fn idle_cpu(&self) -> Option<Duration> {
        self.idle_cpu
    }

    /// Returns the end of the bot's standard error output, as far as it is kept.
    pub fn stderr_text(&self) -> String {
        self.stderr_tail.text()
    }

    /// Returns the number of bytes that the bot has written to standard error.
    pub fn stderr_length(&mut self) -> usize {
        self.read_all_stderr();
        self.stderr_tail.all()
    }

    /// Returns the number of bytes at the start of standard error that were dropped.
    pub fn stderr_lost(&self) -> usize {
        self.stderr_tail.lost()
    }

    /// Kills the process and all its descendants, reads its pipes a last time, and closes them.
    pub fn kill(&mut self) {
        self.is_killed = true;
        if let Some((before, now)) = self.halted_at.take().zip(self.child.clock()) {
            *self.idle_cpu.get_or_insert_default() += now.saturating_sub(before);
        }
        self.child.close_input();
        self.exit = self.child.exit();
        self.cpu = self.exit.and_then(|exit| exit.cpu).or_else(|| self.child.cpu());
        self.child.kill();
        // A surviving process may hold the other end of the pipe and write forever.
        self.read_all_stderr();
        self.child.clear();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.is_killed {
            self.kill();
        }
    }
}
