//! A program that is no player in a game of the referee's: a command that plays a whole game by itself, a bot that is
//! tried out. It is started, bounded and ended as bots are.

use crate::platform::{Child, ChildProcess, StartError, Stream, Watched};
use crate::process::{Process, Start};
use crate::{CommandLine, ExitStatus, Isolation};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often the stop flag is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// How many times as long as it is to be waited on a machine that gives the program no core.
const MAX_DELAYED: u32 = 10;

/// What is left of a time when so much has passed, in which the program waited for a core for so long.
fn time_left(time: Duration, delay: Duration, passed: Duration) -> Duration {
    (time + delay).min(MAX_DELAYED * time).saturating_sub(passed)
}

/// A running program in a process group of its own. When this is dropped or [ended](Supervised::end), it dies with all
/// its descendants.
pub struct ChildGuard {
    process: Process,
    output: Vec<u8>,
    most: usize,
    is_closing: bool,
}

/// Why a wait is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitOutcome {
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
pub struct ProcessOutput {
    /// What it wrote to standard output, as far as that is kept.
    pub output: Vec<u8>,
    /// The end of what it wrote to standard error.
    pub stderr: String,
    /// How it ended by itself; `None` if it had to be ended.
    pub status: Option<ExitStatus>,
}

impl ChildGuard {
    /// Starts a program that dies with the thread that starts it. At most `most` bytes of its standard output are kept,
    /// and the last `stderr_tail` bytes of its standard error.
    ///
    /// # Errors
    /// Why it does not run.
    pub fn start(command: &CommandLine, most: usize, stderr_tail: usize) -> Result<ChildGuard, StartError> {
        ChildGuard::start_within(command, [most, stderr_tail], None, true)
    }

    /// The same under bounds, if there are any, and without the thread, if it is to outlive that.
    ///
    /// # Errors
    /// Why it does not run.
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

    /// Sends something to its standard input, as it takes it during the next wait.
    pub fn send(&mut self, bytes: &[u8]) {
        self.process.child.send(bytes);
    }

    /// Ends its standard input as soon as it has taken what was sent.
    pub fn close_input(&mut self) {
        self.is_closing = true;
        self.close();
    }

    fn close(&mut self) {
        if self.is_closing && !self.process.child.has_unsent() {
            self.process.child.close_input();
        }
    }

    /// What it has written to standard output so far.
    #[must_use]
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// Takes in what it writes until `is_enough` says so of all its output so far, for `time` at most.
    pub fn wait(
        &mut self,
        time: Duration,
        stop: &AtomicBool,
        is_enough: impl Fn(&[u8]) -> bool,
    ) -> WaitOutcome {
        let start = Instant::now();
        loop {
            // Looked at before the pipes are, so that the last words are in them.
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

    /// Waits until it ends, for `time` at most. What it waits meanwhile for a core of a busy machine does not count, up
    /// to ten times that time in all.
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

    /// Takes in what there is.
    fn read(&mut self) {
        let ChildGuard { process, output, most, .. } = self;
        while output.len() < *most && process.child.read(Stream::Output, |new| output.extend_from_slice(new))
        {
        }
        process.read_all_stderr();
    }

    /// Whether descendants live on that it has left behind, after so much time for them to end.
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

    /// Ends it, if it has not ended, and all its descendants.
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
