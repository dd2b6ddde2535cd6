//! All code that depends on the operating system: programs on three pipes, cores, and the sandbox. There are two
//! implementations.
//!
//! | | `linux` | `portable`, with only the standard library |
//! |---|---|---|
//! | pipes | non-blocking, one `ppoll` for both bots | a thread for each pipe |
//! | the end of a process | detected at once (pidfd) | checked every few milliseconds |
//! | a bot outside its turns | is paused with its descendants | keeps running |
//! | descendants of a bot | are killed with it (control group or PID namespace; otherwise found by session, parents and a mark in the environment) | keep running |
//! | a runner that is killed | its bots and their descendants are also killed (control group or PID namespace; otherwise the next runner kills the descendants) | bots see the end of their input |
//! | CPU time of a bot | measured | unknown |
//! | a core for each game | yes | chosen by the system |
//! | [`ResourceLimits`](crate::ResourceLimits) | control groups or resource limits, Landlock, seccomp | none; listed in [`Isolation::missing`](crate::Isolation::missing) |
//!
//! Linux uses the first implementation, and all other systems use the second one. On Linux, both are always compiled,
//! and the feature `portable` selects the second one for tests. A port to another system would be another folder in
//! this module.

mod common;
mod interface;
#[cfg(target_os = "linux")]
#[cfg_attr(feature = "portable", allow(dead_code, unused_imports))]
mod linux;
#[cfg_attr(all(target_os = "linux", not(feature = "portable")), allow(dead_code, unused_imports))]
mod portable;

#[cfg(all(target_os = "linux", not(feature = "portable")))]
use linux as system;
#[cfg(not(all(target_os = "linux", not(feature = "portable"))))]
use portable as system;

pub use common::available_cores;
pub(crate) use interface::{CHUNK, ChildProcess, Exit, Load, Look, Stream, Watched};
pub use interface::{Facility, StartError};
pub use system::Cores;
pub(crate) use system::{Child, Place, Sandbox, load, own_look};

/// Returns the total time that the calling thread was ready to run but waited for a core, or `None` if the system does
/// not count it.
#[must_use]
pub fn own_delay() -> Option<std::time::Duration> {
    system::own_delay()
}

/// Returns the total time, since a fixed moment in the past, during which at least one runnable task waited for a core.
/// The difference between two calls shows how busy the machine was. Returns `None` if the system does not count this
/// time.
#[must_use]
pub fn all_delays() -> Option<std::time::Duration> {
    system::all_delays()
}

/// Returns how well this machine can keep its guarantees about bots for this user: the limits of
/// [`ResourceLimits::strict`](crate::ResourceLimits::strict), and pausing bots outside their turns.
#[must_use]
pub fn facilities() -> Vec<Facility> {
    system::facilities()
}

/// Tests of the guarantees of both implementations.
#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use contender_play::ExitStatus;
    use std::time::{Duration, Instant};

    /// A time that is enough even on a busy machine.
    const AGES: Duration = Duration::from_secs(600);

    fn start<C: ChildProcess>(script: &str) -> C {
        let words = ["sh", "-c", script];
        C::start(&crate::CommandLine::new(words), None, true).unwrap_or_else(|error| panic!("{error:?}"))
    }

    /// Reads until there are `length` bytes or the stream ends.
    fn read<C: ChildProcess>(child: &mut C, stream: Stream, length: usize) -> String {
        let start = Instant::now();
        let mut text = Vec::new();
        while text.len() < length && child.is_open(stream) && start.elapsed() < AGES {
            if !child.read(stream, |new| text.extend_from_slice(new)) {
                C::wait(&mut [Watched::new(child, true)], Duration::from_millis(100));
            }
        }
        String::from_utf8(text).unwrap()
    }

    fn end<C: ChildProcess>(child: &mut C) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(exit) = child.exit() {
                return exit.status;
            }
            assert!(start.elapsed() < AGES);
            C::wait(&mut [Watched::new(child, true)], Duration::from_millis(100));
        }
    }

    fn lines_go_in_and_come_out<C: ChildProcess>() {
        let mut child: C = start("while read line; do echo \"<$line>\"; echo noted >&2; done; exit 7");
        for line in ["a", "b"] {
            child.send(format!("{line}\n").as_bytes());
            assert_eq!(read(&mut child, Stream::Output, 4), format!("<{line}>\n"));
        }
        assert_eq!(read(&mut child, Stream::Errors, 12), "noted\nnoted\n");
        assert!(child.exit().is_none() && child.has_input());
        child.close_input();
        assert_eq!(end(&mut child), ExitStatus::Code(7));
        assert_eq!(read(&mut child, Stream::Output, 1), "");
        assert!(!child.is_open(Stream::Output));
        child.kill();
        child.clear();
    }

    fn more_than_a_pipe_holds_arrives_whole<C: ChildProcess>() {
        const LENGTH: usize = 1_000_000;
        let mut child: C = start("exec cat");
        child.send("x".repeat(LENGTH).as_bytes());
        assert_eq!(read(&mut child, Stream::Output, LENGTH).len(), LENGTH);
        assert!(child.flush());
        child.close_input();
        assert_eq!(end(&mut child), ExitStatus::Code(0));
        child.kill();
        child.clear();
    }

    fn who_writes_on_and_on_waits_and_can_be_ended<C: ChildProcess>() {
        let mut child: C = start("exec yes");
        assert!(read(&mut child, Stream::Output, 10).starts_with("y\ny\n"));
        assert!(child.exit().is_none());
        child.kill();
        assert_eq!(end(&mut child), ExitStatus::Signal(9));
        // The amount of output that was on its way is bounded.
        assert!(read(&mut child, Stream::Output, usize::MAX).len() < 1 << 20);
        child.clear();
    }

    fn a_wait_ends_when_the_time_is_over<C: ChildProcess>() {
        let mut child: C = start("read line");
        let time = Duration::from_millis(30);
        let begun = Instant::now();
        while begun.elapsed() < time {
            C::wait(&mut [Watched::new(&mut child, true)], time.saturating_sub(begun.elapsed()));
            assert!(!child.has_ended());
        }
        child.kill();
        child.clear();
    }

    fn what_is_no_program_does_not_start<C: ChildProcess>() {
        for path in ["/nowhere/bot", "/", "no such program"] {
            let started = C::start(&crate::CommandLine::new([path]), None, true);
            assert!(matches!(started, Err(StartError::Program(_))), "{path}");
        }
    }

    fn all<C: ChildProcess>() {
        lines_go_in_and_come_out::<C>();
        more_than_a_pipe_holds_arrives_whole::<C>();
        who_writes_on_and_on_waits_and_can_be_ended::<C>();
        a_wait_ends_when_the_time_is_over::<C>();
        what_is_no_program_does_not_start::<C>();
    }

    #[test]
    fn the_portable_one() {
        all::<portable::Child>();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn that_of_linux() {
        all::<linux::Child>();
    }
}
