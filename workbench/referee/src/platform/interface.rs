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

/// How a process has ended and what it had used by then, its own dead children included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    pub status: ExitStatus,
    /// CPU time, where it is known.
    pub cpu: Option<Duration>,
    /// The most memory that was in use at once, in bytes, where it is known.
    pub peak: Option<u64>,
    /// Whether the system has ended one of its processes because the memory it may use was used up.
    pub is_out_of_memory: bool,
}

/// What the cores of this machine have done since it was started: CPU time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Load {
    /// All of it, idle time too.
    pub all: Duration,
    /// In which they ran programs and the kernel.
    pub busy: Duration,
    /// Which a hypervisor gave to other machines.
    pub stolen: Duration,
    /// What this process and its dead descendants have used.
    pub own: Duration,
}

/// What a process has done until some instant: two of them say where the time between has gone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Look {
    pub at: Instant,
    /// CPU time of its threads.
    pub ran: Duration,
    /// CPU time of its descendants too, as far as it is known.
    pub all_ran: Duration,
    /// How long its first thread has been ready to run and waited for a core.
    pub waited: Duration,
    /// How long all its threads have, and those of its descendants, if it is under a quota.
    pub all_waited: Duration,
    /// Whether its first thread sleeps now, and how often that has gone to sleep.
    pub is_asleep: bool,
    pub sleeps: u64,
    /// How long a quota has kept its control group from running.
    pub throttled: Duration,
    /// What a hypervisor has taken from its core.
    pub stolen: Duration,
}

impl Look {
    /// At this instant, of a process that has done nothing.
    pub fn now() -> Look {
        let [ran, all_ran, waited, all_waited, throttled, stolen] = [Duration::ZERO; 6];
        let (at, is_asleep, sleeps) = (Instant::now(), false, 0);
        Look { at, ran, all_ran, waited, all_waited, is_asleep, sleeps, throttled, stolen }
    }

    /// How long the process neither ran nor waited since an earlier look, and not of its own accord. One that has
    /// answered may sleep now. If it has not slept since, that is all the time that is missing. If it has, its own
    /// threads and descendants may have been kept from running for which it waited: then it is what the kernel says of
    /// the quota and the core, but no more than they have waited, or have run on it.
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
    /// Whether there is something to read, as the wait finds it: bytes, or the end of the stream.
    pub has_output: bool,
    /// The same of standard error.
    pub has_errors: bool,
}

impl<'a, C> Watched<'a, C> {
    pub fn new(child: &'a mut C, is_awaited: bool) -> Watched<'a, C> {
        Watched { child, is_awaited, has_output: false, has_errors: false }
    }
}

/// A process and our ends of its three pipes. Nothing here blocks but [`wait`](ChildProcess::wait).
pub(crate) trait ChildProcess: Sized {
    /// What it may use.
    type Sandbox;

    /// Starts a program. It dies with the thread that starts it if it is to and the system offers that.
    fn start(
        command: &CommandLine,
        sandbox: Option<&Self::Sandbox>,
        dies_with_thread: bool,
    ) -> Result<Self, StartError>;

    /// Queues bytes for its standard input and sends what there is room for. Where it has closed its end they are
    /// forgotten.
    fn send(&mut self, bytes: &[u8]);

    /// Whether some of that waits for room.
    fn has_unsent(&self) -> bool;

    /// Whether all of that has been sent. Waits a little where sending is the work of another thread.
    fn flush(&mut self) -> bool;

    /// Ends its standard input.
    fn close_input(&mut self);

    /// Whether it may still read its standard input: neither side has closed it, as far as that is known.
    fn has_input(&self) -> bool;

    /// Hands over what is there to read, [`CHUNK`] bytes at most. Returns whether there was something.
    fn read(&mut self, stream: Stream, keep: impl FnOnce(&[u8])) -> bool;

    /// Whether more may come from it; `false` as soon as its end has been read.
    fn is_open(&self, stream: Stream) -> bool;

    /// Whether a wait has found that the process has ended.
    fn has_ended(&self) -> bool;

    /// How it has ended, if it has. What it wrote before that may be there still to read.
    fn exit(&mut self) -> Option<Exit>;

    /// Whether the system has ended one of its processes for want of memory.
    fn is_out_of_memory(&self) -> bool;

    /// CPU time of all its threads, and of its descendants where there is a control group, so far, where it is known.
    fn cpu(&self) -> Option<Duration>;

    /// How long its first thread has been ready to run and waited for a core so far, and CPU time of its other threads,
    /// and of its descendants as far as they are known to work, for which it may have waited. Where it is known.
    fn delay(&self) -> Option<[Duration; 2]>;

    /// What it has done until now, where the system tells.
    fn look(&mut self) -> Option<Look>;

    /// The file whose lock this process waits for and another one has, in a few words, where the system tells.
    fn waits_for(&self, other: &Self) -> Option<String>;

    /// Whether it has begun to end: it runs no more, and its memory may take long to clear.
    fn is_ending(&self) -> bool;

    /// A clock of CPU time for differences between two looks: as [`cpu`](ChildProcess::cpu) and quicker where no
    /// descendants work.
    fn clock(&self) -> Option<Duration>;

    /// Sees whether descendants work. Returns by how much the clock is ahead from now on: by what they have used.
    fn observe(&mut self) -> Duration;

    /// Whether descendants of a process that has ended live on, where the system tells.
    fn has_survivors(&self) -> bool;

    /// Lets it run where the calling thread may.
    fn follow(&self);

    /// Stops it and its descendants until [`resume`](ChildProcess::resume), where the system offers that.
    fn halt(&mut self);

    /// Sees whether it stands still since it was [halted](ChildProcess::halt), and stops it again if not: where signals
    /// stop it, others make it go on. Returns the CPU time of its first process meanwhile, if that is any.
    fn keep_halted(&mut self) -> Duration;

    /// Whether it has been stopped.
    fn is_halted(&self) -> bool;

    /// Lets them go on.
    fn resume(&mut self);

    /// While it goes on: lets go on who was missed when it was [resumed](ChildProcess::resume).
    fn keep_resumed(&mut self);

    /// Waits until it waits itself, for `time` at most, where the system tells.
    fn settle(&self, time: Duration);

    /// Ends it, and its descendants where the system offers that. What it has written can still be read.
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
    /// What is promised, in a word or two: `memory`.
    pub what: &'static str,
    /// Whether it holds whatever a bot does.
    pub holds: bool,
    /// By what: `control group, version 2`.
    pub how: String,
    /// What does not hold, and how to get it; empty if all holds.
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
