//! Supervision of programs that are not players in a game, such as a command that plays a whole game or a bot that is
//! being tested. They are started, limited and killed like bots.

use crate::platform::{Child, ChildProcess, StartError, Stream, Watched};
use crate::process::{Process, Start};
use crate::{CommandLine, ExitStatus, Isolation};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Interval between checks of the stop flag.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Maximum factor by which a time limit is extended while the program cannot get a core.
const MAX_DELAYED: u32 = 10;

/// Returns how much of `time` is left after `passed`, not counting the `delay` for which the program waited for a core.
fn time_left(time: Duration, delay: Duration, passed: Duration) -> Duration {
    (time + delay).min(MAX_DELAYED * time).saturating_sub(passed)
}

/// A running program in its own process group. When this value is dropped or [ended](ChildGuard::end), the program and
/// all its descendants are killed.
pub struct ChildGuard {
    process: Process,
    output: Vec<u8>,
    most: usize,
    is_closing: bool,
}

/// The reason why a wait ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitOutcome {
    /// The expected output has arrived.
    Enough,
    /// The program has written more output than may be kept.
    Flood,
    /// The program has exited.
    Ended,
    /// The time is over.
    Late,
    /// The stop flag was set.
    Stopped,
}

/// The output and exit status of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessOutput {
    /// The output that was kept from standard output.
    pub output: Vec<u8>,
    /// The end of the standard error output.
    pub stderr: String,
    /// The exit status, or `None` if the program had to be killed.
    pub status: Option<ExitStatus>,
}

impl ChildGuard {
    /// Starts a program that dies with the calling thread. Keeps at most `most` bytes of its standard output, and the
    /// last `stderr_tail` bytes of its standard error.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    pub fn start(command: &CommandLine, most: usize, stderr_tail: usize) -> Result<ChildGuard, StartError> {
        ChildGuard::start_within(command, [most, stderr_tail], None, true)
    }

    /// Starts a program, with bounds if there are any. The program dies with the calling thread only if
    /// `dies_with_thread` is set.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    pub fn start_within(
        command: &CommandLine,
        [most, stderr_tail]: [usize; 2],
        isolation: Option<&Isolation>,
        dies_with_thread: bool,
    ) -> Result<ChildGuard, StartError> {
        let sandbox = isolation.map(|isolation| &*isolation.sandbox);
        let start = Start { stderr_tail, sandbox, dies_with_thread, ponders: true };
        let process = Process::spawn(command, start)?;
        Ok(ChildGuard { process, output: Vec::new(), most, is_closing: false })
    }

    /// Sends bytes to the program's standard input. Bytes that do not fit in the pipe are sent during the next wait.
    pub fn send(&mut self, bytes: &[u8]) {
        self.process.child.send(bytes);
    }

    /// Closes the program's standard input as soon as all bytes have been sent.
    pub fn close_input(&mut self) {
        self.is_closing = true;
        self.close();
    }

    fn close(&mut self) {
        if self.is_closing && !self.process.child.has_unsent() {
            self.process.child.close_input();
        }
    }

    /// Returns the output that the program has written to standard output.
    #[must_use]
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// Reads the program's output for at most `time`, until `is_enough` returns true for the output so far.
    pub fn wait(
        &mut self,
        time: Duration,
        stop: &AtomicBool,
        is_enough: impl Fn(&[u8]) -> bool,
    ) -> WaitOutcome {
        let start = Instant::now();
        loop {
            // Check this before reading the pipes, so that the last output is complete.
            let has_ended = self.process.exit().is_some();
            self.read();
            if is_enough(&self.output) {
                return WaitOutcome::Enough;
            }
            if self.output.len() >= self.most {
                return WaitOutcome::Flood;
            }
            if has_ended {
                return WaitOutcome::Ended;
            }
            if stop.load(Ordering::Relaxed) {
                return WaitOutcome::Stopped;
            }
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return WaitOutcome::Late;
            }
            Child::wait(&mut [Watched::new(&mut self.process.child, true)], left.min(POLL_INTERVAL));
            self.close();
        }
    }

    /// Waits for at most `time` until the program exits. Time that the program waits for a core does not count, but the
    /// total is at most ten times `time`.
    pub fn wait_for_end(&mut self, time: Duration, stop: &AtomicBool) -> WaitOutcome {
        let start = Instant::now();
        self.process.count_delay();
        let mut left = time;
        loop {
            let waited = self.wait(left, stop, |_| false);
            left = time_left(time, self.process.delay().unwrap_or_default(), start.elapsed());
            if waited != WaitOutcome::Late || left.is_zero() {
                return waited;
            }
        }
    }

    /// Reads the output that is available now.
    fn read(&mut self) {
        let ChildGuard { process, output, most, .. } = self;
        while output.len() < *most && process.child.read(Stream::Output, |new| output.extend_from_slice(new))
        {
        }
        process.read_all_stderr();
    }

    /// Returns whether descendants of the program are still alive after `time`.
    #[must_use]
    pub fn has_survivors(&self, time: Duration) -> bool {
        let start = Instant::now();
        while self.process.child.has_survivors() {
            if start.elapsed() >= time {
                return true;
            }
            thread::sleep(POLL_INTERVAL);
        }
        false
    }

    /// Kills the program, unless it has exited, and all its descendants.
    #[must_use]
    pub fn end(mut self) -> ProcessOutput {
        self.process.kill();
        let (stderr, status) = (self.process.stderr_text(), self.process.status());
        ProcessOutput { output: self.output, stderr, status }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_machine_delays_is_waited_for_but_not_for_ever() {
        for ([time, delay, passed], left) in [
            ([2, 0, 0], 2),
            ([2, 0, 2], 0),
            ([2, 0, 3], 0),
            ([2, 5, 3], 4),
            ([2, 5, 7], 0),
            ([2, 90, 19], 1),
            ([2, 90, 20], 0),
        ] {
            let seconds = Duration::from_secs;
            assert_eq!(time_left(seconds(time), seconds(delay), seconds(passed)), seconds(left));
        }
    }
}
