//! The interface for processes on three pipes, which each platform must implement.

use crate::CommandLine;
use contender_play::ExitStatus;
use std::time::{Duration, Instant};

/// Number of bytes read at a time.
pub(crate) const CHUNK: usize = 1 << 12;

/// An output stream of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Errors,
}

/// The exit status of a process, and the resources that the process and its dead children used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    pub status: ExitStatus,
    /// CPU time, if it is known.
    pub cpu: Option<Duration>,
    /// Peak memory in bytes, if known.
    pub peak: Option<u64>,
    /// Whether the system killed one of the bot's processes because the memory limit was reached.
    pub is_out_of_memory: bool,
}

/// The CPU time of this machine's cores since the machine was started.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Load {
    /// Total time, including idle time.
    pub all: Duration,
    /// Time in which the cores ran programs or the kernel.
    pub busy: Duration,
    /// Time that a hypervisor gave to other machines.
    pub stolen: Duration,
    /// CPU time of this process and its dead descendants.
    pub own: Duration,
}

/// A sample of a process's counters. Two samples show how the process spent the time between them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Look {
    pub at: Instant,
    /// CPU time of the process's threads.
    pub ran: Duration,
    /// CPU time including the process's descendants, as far as known.
    pub all_ran: Duration,
    /// Time that the first thread was ready to run and waited for a core.
    pub waited: Duration,
    /// Time that all threads of the process and its descendants waited for a core, if the process is limited by a
    /// quota.
    pub all_waited: Duration,
    /// Whether the first thread is asleep now.
    pub is_asleep: bool,
    /// Number of times that this thread has gone to sleep.
    pub sleeps: u64,
    /// Time during which a quota kept the control group from running.
    pub throttled: Duration,
    /// Time that a hypervisor has taken from the process's core.
    pub stolen: Duration,
}

impl Look {
    /// Returns a sample, taken now, of a process that has not done anything yet.
    #[cfg(any(target_os = "linux", test))]
    pub fn now() -> Look {
        let [ran, all_ran, waited, all_waited, throttled, stolen] = [Duration::ZERO; 6];
        let (at, is_asleep, sleeps) = (Instant::now(), false, 0);
        Look { at, ran, all_ran, waited, all_waited, is_asleep, sleeps, throttled, stolen }
    }

    /// Returns the time since an earlier sample during which the process was awake but neither ran nor waited for a
    /// core. A process that has answered may be asleep now. If it did not sleep before its answer, all of the missing
    /// time counts. If it did sleep, it may have waited for its threads and descendants while these could not run. Then
    /// only the time counts that the kernel reports as withheld by a quota (at most the waits of these threads) or as
    /// taken from the core (at most their CPU time).
    pub fn stolen_since(&self, before: &Look, has_answered: bool) -> Duration {
        /// Minimum time that counts, because entering and leaving the kernel takes about as long.
        const LITTLE: Duration = Duration::from_micros(200);
        let since = |of: fn(&Look) -> Duration| of(self).saturating_sub(of(before));
        let missing = (self.at - before.at)
            .saturating_sub(since(|look| look.ran))
            .saturating_sub(since(|look| look.waited));
        let has_slept =
            before.is_asleep || self.sleeps - before.sleeps > u64::from(has_answered && self.is_asleep);
        let throttled = since(|look| look.throttled).min(since(|look| look.all_waited));
        let stolen = since(|look| look.stolen).min(since(|look| look.all_ran));
        let time = if has_slept { missing.min(throttled + stolen) } else { missing };
        if time < LITTLE { Duration::ZERO } else { time }
    }
}

/// The reason why a program does not run, as a message for the user.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    /// The program cannot be started.
    #[error("{0}")]
    Program(String),
    /// The machine cannot start the program at the moment: there are no descriptors, processes or memory left, or the
    /// program's file is being written. A later attempt may succeed.
    #[error("{0}")]
    Machine(String),
}

/// A process that a wait watches.
pub(crate) struct Watched<'a, C> {
    pub child: &'a mut C,
    /// Whether to also wait for the process's output, its exit, or room for its input. Standard error is always
    /// included.
    pub is_awaited: bool,
    /// Whether there is something to read on standard output: bytes, or the end of the stream.
    pub has_output: bool,
    /// Whether there is something to read on standard error.
    pub has_errors: bool,
}

impl<'a, C> Watched<'a, C> {
    pub fn new(child: &'a mut C, is_awaited: bool) -> Watched<'a, C> {
        Watched { child, is_awaited, has_output: false, has_errors: false }
    }
}

/// A process and this side of its three pipes. Only [`wait`](ChildProcess::wait) blocks.
pub(crate) trait ChildProcess: Sized {
    /// The platform's sandbox.
    type Sandbox;

    /// Starts a program. If `dies_with_thread` is set and the system supports it, the program dies with the thread that
    /// starts it.
    fn start(
        command: &CommandLine,
        sandbox: Option<&Self::Sandbox>,
        dies_with_thread: bool,
    ) -> Result<Self, StartError>;

    /// Queues bytes for the process's standard input, and sends as many as the pipe accepts. Drops the bytes if the
    /// process has closed its end.
    fn send(&mut self, bytes: &[u8]);

    /// Returns whether some queued bytes are still waiting for room.
    fn has_unsent(&self) -> bool;

    /// Returns whether all queued bytes have been sent. If another thread sends the bytes, waits briefly.
    fn flush(&mut self) -> bool;

    /// Closes the process's standard input.
    fn close_input(&mut self);

    /// Returns whether the process may still read its standard input, that is, neither side is known to have closed it.
    fn has_input(&self) -> bool;

    /// Passes the available output to `keep`, at most [`CHUNK`] bytes. Returns whether there was any output.
    fn read(&mut self, stream: Stream, keep: impl FnOnce(&[u8])) -> bool;

    /// Returns whether more output may come. Returns `false` as soon as the end of the stream has been read.
    fn is_open(&self, stream: Stream) -> bool;

    /// Returns whether a wait has shown that the process has ended.
    fn has_ended(&self) -> bool;

    /// Returns how the process ended, if it has ended. Its last output may still be unread.
    fn exit(&mut self) -> Option<Exit>;

    /// Returns whether the system killed one of the bot's processes for lack of memory.
    fn is_out_of_memory(&self) -> bool;

    /// Returns the CPU time that all threads of the process have used, if known. With a control group, this includes
    /// its descendants.
    fn cpu(&self) -> Option<Duration>;

    /// Returns two times, if known: the time that the first thread was ready to run but waited for a core, and the CPU
    /// time of the other threads and of descendants that have used CPU time before. The first thread may have waited
    /// for these threads and descendants.
    fn delay(&self) -> Option<[Duration; 2]>;

    /// Takes a sample of the process's counters, if the system provides them.
    fn look(&mut self) -> Option<Look>;

    /// Returns a short description of the file, if the system reports that this process is waiting for a file lock held
    /// by `other`.
    fn waits_for(&self, other: &Self) -> Option<String>;

    /// Returns whether the process has begun to exit. It no longer runs then, but freeing its memory may take a long
    /// time.
    fn is_ending(&self) -> bool;

    /// Returns a reading of the process's CPU clock. Only differences between two readings are meaningful. The clock is
    /// like [`cpu`](ChildProcess::cpu), but faster to read if no descendants work.
    fn clock(&self) -> Option<Duration>;

    /// Finds out whether descendants have begun to use CPU time. If so, returns the CPU time that they have used, by
    /// which [`clock`](ChildProcess::clock) then jumps ahead.
    fn observe(&mut self) -> Duration;

    /// Returns whether descendants of an exited process are still alive, if the system reports this.
    fn has_survivors(&self) -> bool;

    /// Moves the process to the cores of the calling thread.
    fn follow(&self);

    /// Pauses the process and its descendants until [`resume`](ChildProcess::resume) is called, if the system supports
    /// this.
    fn halt(&mut self);

    /// Checks that the process has been paused since [`halt`](ChildProcess::halt), and otherwise pauses it again. A
    /// process that was paused by a signal can be resumed by another signal. Returns the CPU time that the first
    /// process used although it should have been paused.
    fn keep_halted(&mut self) -> Duration;

    /// Returns whether the process is paused.
    fn is_halted(&self) -> bool;

    /// Resumes the process and its descendants.
    fn resume(&mut self);

    /// Resumes descendants of a running process that the last [`resume`](ChildProcess::resume) missed.
    fn keep_resumed(&mut self);

    /// Waits, for at most `time`, until the process is waiting for something, if the system reports this.
    fn settle(&self, time: Duration);

    /// Kills the process and, if the system supports this, its descendants. Output that the process has already written
    /// can still be read.
    fn kill(&mut self);

    /// Releases all system resources of the process. Call this function after [`kill`](ChildProcess::kill).
    fn clear(&mut self);

    /// Waits, for at most `time`, for a watched event of one of these processes. Also sends queued bytes if there is
    /// room in the pipe.
    fn wait(watched: &mut [Watched<'_, Self>], time: Duration);
}

/// A guarantee about bots, and whether and how this machine keeps it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Facility {
    /// The guarantee in one or a few words, for example `memory`.
    pub what: &'static str,
    /// Whether the guarantee holds for every bot.
    pub holds: bool,
    /// The mechanism, for example `control group, version 2`.
    pub how: String,
    /// Advice on how to get the guarantee; empty if the guarantee holds.
    pub remedy: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bot that is late because the host took its core is not to blame, but a bot that sleeps is.
    #[test]
    fn what_is_missing_is_stolen_unless_it_was_slept() {
        let ms = Duration::from_millis;
        let before = Look { sleeps: 7, ..Look::now() };
        // The bot loses its core at 90 ms, answers at 117 ms, and then sleeps until there is input.
        let answered = Look {
            at: before.at + ms(117),
            ran: ms(90),
            all_ran: ms(90),
            is_asleep: true,
            sleeps: 8,
            ..before
        };
        assert_eq!(answered.stolen_since(&before, true), ms(27));
        // Waits for a core are not missing time: the caller counts them.
        assert_eq!(Look { waited: ms(20), ..answered }.stolen_since(&before, true), ms(7));
        assert_eq!(Look { ran: ms(117), ..answered }.stolen_since(&before, true), Duration::ZERO);
        // The bot slept: before the first sample, between the samples, or instead of answering.
        assert_eq!(answered.stolen_since(&Look { is_asleep: true, ..before }, true), Duration::ZERO);
        assert_eq!(Look { sleeps: 9, ..answered }.stolen_since(&before, true), Duration::ZERO);
        assert_eq!(answered.stolen_since(&before, false), Duration::ZERO);
        // In that case only the time that the kernel reports counts, and only as far as the bot had something to run.
        let slept = Look { sleeps: 30, ..answered };
        let throttled = Look { throttled: ms(40), all_waited: ms(12), ..slept };
        assert_eq!(throttled.stolen_since(&before, true), ms(12));
        assert_eq!(Look { all_waited: ms(80), ..throttled }.stolen_since(&before, true), ms(27));
        assert_eq!(Look { stolen: ms(10), ..slept }.stolen_since(&before, true), ms(10));
        // A bot that only sleeps is not excused by time taken from other processes.
        let idle = Look { ran: ms(0), all_ran: ms(0), ..slept };
        assert_eq!(Look { throttled: ms(100), stolen: ms(20), ..idle }.stolen_since(&before, true), ms(0));
    }
}
