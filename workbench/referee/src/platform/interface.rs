//! A process on three pipes, as every system has to offer it.

use crate::CommandLine;
use contender_play::ExitStatus;
use std::time::{Duration, Instant};

/// Bytes read at a time.
pub(crate) const CHUNK: usize = 1 << 12;

/// A process's two ways out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Errors,
}

/// The end of a process and the resources it had used by then, including its dead children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    pub status: ExitStatus,
    /// CPU time, if known.
    pub cpu: Option<Duration>,
    /// Peak memory in bytes, if known.
    pub peak: Option<u64>,
    /// Whether the system killed one of its processes because the memory limit was reached.
    pub is_out_of_memory: bool,
}

/// The CPU time of this machine's cores since its start.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Load {
    /// All time, including idle time.
    pub all: Duration,
    /// In which they ran programs and the kernel.
    pub busy: Duration,
    /// Time that a hypervisor gave to other machines.
    pub stolen: Duration,
    /// Time of this process and its dead descendants.
    pub own: Duration,
}

/// A sample of a process's counters at some instant: two of them tell how the time between was spent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Look {
    pub at: Instant,
    /// CPU time of its threads.
    pub ran: Duration,
    /// CPU time of its descendants too, as far as it is known.
    pub all_ran: Duration,
    /// Time that its first thread was ready to run and waited for a core.
    pub waited: Duration,
    /// Time that all its threads and those of its descendants waited, if it is under a quota.
    pub all_waited: Duration,
    /// Whether its first thread sleeps now, and how many times it has gone to sleep.
    pub is_asleep: bool,
    pub sleeps: u64,
    /// Time that a quota has kept its control group from running.
    pub throttled: Duration,
    /// Time that a hypervisor has taken from its core.
    pub stolen: Duration,
}

impl Look {
    /// At this instant, of a process that has done nothing.
    pub fn now() -> Look {
        let [ran, all_ran, waited, all_waited, throttled, stolen] = [Duration::ZERO; 6];
        let (at, is_asleep, sleeps) = (Instant::now(), false, 0);
        Look { at, ran, all_ran, waited, all_waited, is_asleep, sleeps, throttled, stolen }
    }

    /// Returns the time since an earlier sample in which the process neither ran nor waited, and not of its own accord.
    /// A process that has answered may sleep now. If it has not slept since, this is all the missing time. If it has,
    /// it may have waited for its own threads and descendants, which were kept from running: then it is the time that
    /// the kernel reports for the quota and the core, but no more than they have waited, or have run on it.
    pub fn stolen_since(&self, before: &Look, has_answered: bool) -> Duration {
        /// Less is the way into the kernel and out of it.
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

/// Why a program does not run, in words for the user.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    /// The program is at fault.
    #[error("{0}")]
    Program(String),
    /// This machine is: no descriptors, processes or memory left, or the program's file is being written. It may pass.
    #[error("{0}")]
    Machine(String),
}

/// A process that is waited for.
pub(crate) struct Watched<'a, C> {
    pub child: &'a mut C,
    /// Whether its output, its end and room for its input are of interest; its standard error always is.
    pub is_awaited: bool,
    /// Whether the wait found something to read: bytes, or the end of the stream.
    pub has_output: bool,
    /// Whether the wait found something to read on standard error.
    pub has_errors: bool,
}

impl<'a, C> Watched<'a, C> {
    pub fn new(child: &'a mut C, is_awaited: bool) -> Watched<'a, C> {
        Watched { child, is_awaited, has_output: false, has_errors: false }
    }
}

/// A process and our ends of its three pipes. Nothing here blocks but [`wait`](ChildProcess::wait).
pub(crate) trait ChildProcess: Sized {
    /// The sandbox of this system.
    type Sandbox;

    /// Starts a program. If requested and supported, it dies with the thread that starts it.
    fn start(
        command: &CommandLine,
        sandbox: Option<&Self::Sandbox>,
        dies_with_thread: bool,
    ) -> Result<Self, StartError>;

    /// Queues bytes for its standard input and sends as many as there is room for. If the process has closed its end,
    /// they are dropped.
    fn send(&mut self, bytes: &[u8]);

    /// Returns whether some of them wait for room.
    fn has_unsent(&self) -> bool;

    /// Returns whether all of them have been sent. Waits a little if another thread sends them.
    fn flush(&mut self) -> bool;

    /// Ends its standard input.
    fn close_input(&mut self);

    /// Returns whether it may still read its standard input: neither side has closed it, as far as known.
    fn has_input(&self) -> bool;

    /// Hands over what is there to read, [`CHUNK`] bytes at most. Returns whether there was something.
    fn read(&mut self, stream: Stream, keep: impl FnOnce(&[u8])) -> bool;

    /// Returns whether more output may come; `false` as soon as its end has been read.
    fn is_open(&self, stream: Stream) -> bool;

    /// Returns whether a wait has found that the process has ended.
    fn has_ended(&self) -> bool;

    /// Returns how it ended, if it has. Output that it wrote before may still be unread.
    fn exit(&mut self) -> Option<Exit>;

    /// Returns whether the system killed one of its processes for lack of memory.
    fn is_out_of_memory(&self) -> bool;

    /// Returns the CPU time of all its threads so far, and of its descendants with a control group, if known.
    fn cpu(&self) -> Option<Duration>;

    /// Returns the time that its first thread was ready to run and waited for a core so far, and the CPU time of its
    /// other threads, and of descendants known to work, for which it may have waited; if known.
    fn delay(&self) -> Option<[Duration; 2]>;

    /// Returns a sample of its counters, if the system tells them.
    fn look(&mut self) -> Option<Look>;

    /// Returns the file whose lock this process waits for and `other` holds, in a few words, if the system tells.
    fn waits_for(&self, other: &Self) -> Option<String>;

    /// Returns whether it has begun to end: it runs no more, but clearing its memory may take long.
    fn is_ending(&self) -> bool;

    /// Returns a clock of CPU time for differences between two samples: like [`cpu`](ChildProcess::cpu), but quicker if
    /// no descendants work.
    fn clock(&self) -> Option<Duration>;

    /// Sees whether descendants work. Returns by how much the clock is ahead from now on: by what they have used.
    fn observe(&mut self) -> Duration;

    /// Returns whether descendants of an ended process still live, if the system tells.
    fn has_survivors(&self) -> bool;

    /// Lets it run on the cores of the calling thread.
    fn follow(&self);

    /// Pauses it and its descendants until [`resume`](ChildProcess::resume), if the system can.
    fn halt(&mut self);

    /// Checks that it is still paused since it was [halted](ChildProcess::halt), and pauses it again if not: if signals
    /// pause it, other signals can resume it. Returns the CPU time that its first process used since then, if any.
    fn keep_halted(&mut self) -> Duration;

    /// Returns whether it is paused.
    fn is_halted(&self) -> bool;

    /// Lets them go on.
    fn resume(&mut self);

    /// While it goes on: lets go on who was missed when it was [resumed](ChildProcess::resume).
    fn keep_resumed(&mut self);

    /// Waits until it waits itself, for at most `time`, if the system tells.
    fn settle(&self, time: Duration);

    /// Kills it, and its descendants if the system can. Output that it has written can still be read.
    fn kill(&mut self);

    /// After [`kill`](ChildProcess::kill): gives back all that the system holds for it.
    fn clear(&mut self);

    /// Waits until one of these processes does something that is of interest, for `time` at most, and sends what there
    /// is room for.
    fn wait(watched: &mut [Watched<'_, Self>], time: Duration);
}

/// A promise about bots and how it is kept here.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Facility {
    /// The guarantee in a word or two: `memory`.
    pub what: &'static str,
    /// Whether it holds for any bot.
    pub holds: bool,
    /// The mechanism: `control group, version 2`.
    pub how: String,
    /// The gap and how to close it; empty if all holds.
    pub remedy: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One that is late since the host took its core is not to blame, one that sleeps is.
    #[test]
    fn what_is_missing_is_stolen_unless_it_was_slept() {
        let ms = Duration::from_millis;
        let before = Look { sleeps: 7, ..Look::now() };
        // It stops at 90 ms, answers at 117, and goes to sleep at its input.
        let answered = Look {
            at: before.at + ms(117),
            ran: ms(90),
            all_ran: ms(90),
            is_asleep: true,
            sleeps: 8,
            ..before
        };
        assert_eq!(answered.stolen_since(&before, true), ms(27));
        // The waits for a core are not missing, and are counted by the one who asks.
        assert_eq!(Look { waited: ms(20), ..answered }.stolen_since(&before, true), ms(7));
        assert_eq!(Look { ran: ms(117), ..answered }.stolen_since(&before, true), Duration::ZERO);
        // It has slept: before it was looked at, meanwhile, or instead of an answer.
        assert_eq!(answered.stolen_since(&Look { is_asleep: true, ..before }, true), Duration::ZERO);
        assert_eq!(Look { sleeps: 9, ..answered }.stolen_since(&before, true), Duration::ZERO);
        assert_eq!(answered.stolen_since(&before, false), Duration::ZERO);
        // Then only what the machine admits counts, and only as far as the bot had something to run.
        let slept = Look { sleeps: 30, ..answered };
        let throttled = Look { throttled: ms(40), all_waited: ms(12), ..slept };
        assert_eq!(throttled.stolen_since(&before, true), ms(12));
        assert_eq!(Look { all_waited: ms(80), ..throttled }.stolen_since(&before, true), ms(27));
        assert_eq!(Look { stolen: ms(10), ..slept }.stolen_since(&before, true), ms(10));
        // A bot that only sleeps is not excused by what others have lost.
        let idle = Look { ran: ms(0), all_ran: ms(0), ..slept };
        assert_eq!(Look { throttled: ms(100), stolen: ms(20), ..idle }.stolen_since(&before, true), ms(0));
    }
}
