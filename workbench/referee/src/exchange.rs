//! Sends questions and reads answers. A single loop waits for all events of the external bots.

use crate::Ending;
use crate::platform::{Child, ChildProcess, Look, Stream, Watched, own_delay};
use crate::process::{EXIT_GRACE, Process};
use contender_game::contest::Question;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Interval between checks of the stop flag, which cannot wake a thread.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Delay after the start of the opponent's turn before a bot is paused. By then, a fast bot is already waiting for
/// input and does not have to be paused, which would take as long as one of its turns.
const SUSPEND_DELAY: Duration = Duration::from_micros(500);

/// Thinking time after which the referee takes the first sample of a bot's counters. The sample later shows whether the
/// machine took time from the bot. For shorter answers, the sampling itself would take longer than the delays that it
/// could detect.
const FIRST_LOOK: Duration = Duration::from_millis(2);

/// Maximum time to wait for a process that has begun to exit.
const MAX_END: Duration = Duration::from_secs(20);

/// Thinking time after which the referee checks whether a bot is waiting for a lock held by its paused opponent. While
/// the opponent runs because of a lock, the referee checks five times per interval.
const LOCK: Duration = Duration::from_millis(5);

/// A question that was sent to a process.
pub(crate) struct Pending {
    /// The instant at which the question was sent.
    pub asked: Instant,
    /// Number of lines that the answer must have.
    pub lines: usize,
    /// Maximum time to wait for the answer.
    pub patience: Option<Duration>,
    /// The outcome, which is set when the wait is over.
    pub outcome: Option<Outcome>,
    /// The instant at which the referee first saw that a pipe needed for the answer was closed.
    closed: Option<Instant>,
    /// The instant at which the referee first saw that the time was over.
    late: Option<Instant>,
    /// Time that the referee itself waited for a core when it last woke up.
    woken_late: Duration,
    /// A sample of the bot's counters early in its turn, if the turn has a clock.
    looked: Option<Look>,
}

/// The outcome of a question.
pub(crate) struct Outcome {
    /// Time from the question until the answer or until the referee stopped waiting.
    pub time: Duration,
    /// Time that the bot waited for its core during the turn, plus the time that the referee waited for a core when the
    /// turn ended; `None` if the system does not report it.
    pub delay: Option<Duration>,
    /// Time that the machine took from the bot: the bot was not asleep, but it neither ran nor waited for a core.
    pub stolen: Duration,
    /// The answer; `None` if the referee stopped waiting.
    pub answer: Result<Option<Vec<String>>, Ending>,
}

impl Pending {
    /// Sends a question.
    pub fn send(process: &mut Process, question: &Question, patience: Option<Duration>) -> Pending {
        // Before the clock starts: finish pausing the processes that are being paused.
        process.resume();
        process.count_delay();
        let asked = Instant::now();
        process.send(&question.text);
        let lines = question.answer_lines;
        Pending {
            asked,
            lines,
            patience,
            outcome: None,
            closed: None,
            late: None,
            woken_late: Duration::ZERO,
            looked: None,
        }
    }

    /// Sets the outcome of the question if there is an answer or a failure, or if the time is over.
    fn look(&mut self, process: &mut Process, now: Instant) {
        let mut time = now - self.asked;
        if let Some(ending) = process.ponders() {
            process.rest();
            self.outcome = Some(Outcome { time, delay: None, stolen: Duration::ZERO, answer: Err(ending) });
            return;
        }
        if self.is_to_be_looked_at(now) {
            self.looked = process.child.look();
        }
        let answer = match process.take_answer(self.lines) {
            Some(answer) => answer.map(Some),
            None => match self.failure(process, now) {
                Some(ending) => Err(ending),
                None if self.closed.is_none() && self.is_given_up(now) => {
                    time = self.late.map_or(time, |late| late - self.asked);
                    process.is_starved().map_or(Ok(None), Err)
                }
                None => return,
            },
        };
        // A fast answer has not waited for long, and reading the counters would take part of its time.
        let delay = if time < SUSPEND_DELAY { Some(Duration::ZERO) } else { process.delay() };
        let delay = delay.map(|delay| (delay + self.woken_late).min(time));
        let looks = self.looked.zip(self.looked.and_then(|_| process.child.look()));
        let has_answered = matches!(answer, Ok(Some(_)));
        let stolen = looks.map_or(Duration::ZERO, |(before, now)| now.stolen_since(&before, has_answered));
        let stolen =
            stolen.saturating_sub(self.woken_late).min(time.saturating_sub(delay.unwrap_or_default()));
        process.rest();
        self.outcome = Some(Outcome { time, delay, stolen, answer });
    }

    fn is_over(&self, now: Instant) -> bool {
        self.patience.is_some_and(|patience| now - self.asked >= patience)
    }

    /// Returns whether the answer has been overdue for at least `EXIT_GRACE`. During this delay, a process that is
    /// about to exit can exit, and the referee can measure how late an answer is.
    fn is_given_up(&mut self, now: Instant) -> bool {
        self.is_over(now) && now - *self.late.get_or_insert(now) >= EXIT_GRACE
    }

    fn is_to_be_looked_at(&self, now: Instant) -> bool {
        self.looked.is_none() && self.patience.is_some() && now - self.asked >= FIRST_LOOK
    }

    /// Returns the reason why no answer can follow, if there is one.
    fn failure(&mut self, process: &mut Process, now: Instant) -> Option<Ending> {
        let child = &process.child;
        let is_over = self.is_over(now);
        if child.is_open(Stream::Output) && child.has_input() && !child.has_ended() && !is_over {
            return None;
        }
        // This is also checked after the time is over, because a bot that has exited is not late.
        if let Some(ending) = process.exit() {
            self.closed.get_or_insert(now);
            // The process's last output may still be in the pipe.
            return (!process.read_stdout()).then_some(ending);
        }
        if process.child.is_open(Stream::Output) && process.child.has_input() && !process.is_ending() {
            return None;
        }
        let closed = *self.closed.get_or_insert(now);
        if now - closed < EXIT_GRACE {
            return None;
        }
        // A process that is killed for lack of memory closes its pipes long before all of its memory is freed.
        if process.is_ending() && now - closed < MAX_END {
            return None;
        }
        if let Some(ending) = process.is_starved() {
            return Some(ending);
        }
        let is_open = process.child.is_open(Stream::Output);
        Some(if is_open { Ending::ClosedStdin } else { Ending::ClosedStdout })
    }

    /// Returns the next instant at which the question must be checked even if nothing else happens.
    fn wake_up(&self, now: Instant) -> Option<Instant> {
        let deadline = self.patience.and_then(|patience| self.asked.checked_add(patience));
        let breaths = [self.closed, self.late].into_iter().flatten().map(|start| start + EXIT_GRACE);
        let look = self.patience.map(|_| self.asked + FIRST_LOOK);
        deadline.into_iter().chain(breaths).chain(look).filter(|&instant| instant > now).min()
    }
}

/// Waits until every pending question has an outcome or `stop` is set. Returns whether `stop` ended the wait. Also
/// reads the standard error output of both processes, so that a full pipe never blocks a bot.
pub(crate) fn wait(
    processes: &mut [Option<&mut Process>; 2],
    pending: &mut [Option<Pending>; 2],
    stop: &AtomicBool,
) -> bool {
    let stop_at = Instant::now() + SUSPEND_DELAY;
    let mut locks = Locks { look_at: Instant::now() + LOCK, runs: [false; 2] };
    loop {
        let now = Instant::now();
        let mut wake_up = now + POLL_INTERVAL;
        let mut all_settled = true;
        for (process, pending) in processes.iter_mut().zip(pending.iter_mut()) {
            let (Some(process), Some(pending)) = (process, pending) else { continue };
            if pending.outcome.is_none() {
                pending.look(process, now);
            }
            if pending.outcome.is_none() {
                all_settled = false;
                wake_up = pending.wake_up(now).map_or(wake_up, |time| time.min(wake_up));
            }
        }
        if all_settled {
            return false;
        }
        if stop.load(Ordering::Relaxed) {
            return true;
        }
        let is_waiting =
            [0, 1].map(|seat| pending[seat].as_ref().is_some_and(|pending| pending.outcome.is_none()));
        wake_up = locks.look(processes, is_waiting, now).min(wake_up);
        for ((process, is_asked), runs) in processes.iter_mut().zip(is_waiting).zip(locks.runs) {
            let Some(process) = process else { continue };
            if is_asked || runs {
                process.keep_resumed();
            } else if process.child.is_halted() {
                process.keep_stopped();
            } else if now >= stop_at {
                process.stop();
            } else {
                wake_up = wake_up.min(stop_at);
            }
        }
        let before = own_delay();
        serve(processes, is_waiting, wake_up.saturating_duration_since(now));
        // A bot that answers fast has not waited for long, and a second measurement would hold it up.
        let after = (now.elapsed() >= SUSPEND_DELAY).then(own_delay).flatten();
        let delay = before.zip(after).map_or(Duration::ZERO, |(before, after)| after.saturating_sub(before));
        for pending in pending.iter_mut().flatten().filter(|pending| pending.outcome.is_none()) {
            pending.woken_late = delay;
        }
    }
}

/// The state for handling file locks. Two bots that run the same program may share a lock or a log file, and a bot may
/// be paused while it holds a lock for which the other bot waits. The paused bot is then resumed until it has released
/// the lock.
struct Locks {
    look_at: Instant,
    /// For each seat, whether the bot is running only because of a lock.
    runs: [bool; 2],
}

impl Locks {
    /// Resumes a paused bot that holds a lock for which its opponent waits, and later pauses the bot again. Returns the
    /// instant at which this function must be called again.
    fn look(
        &mut self,
        processes: &mut [Option<&mut Process>; 2],
        is_asked: [bool; 2],
        now: Instant,
    ) -> Instant {
        let [Some(zero), Some(one)] = processes else { return now + POLL_INTERVAL };
        if now < self.look_at || is_asked == [true; 2] {
            return now + POLL_INTERVAL;
        }
        let seat = usize::from(is_asked[0]);
        let (asked, other) = if seat == 1 { (zero, one) } else { (one, zero) };
        let file = (self.runs[seat] || other.child.is_halted())
            .then(|| asked.child.waits_for(&other.child))
            .flatten();
        match (file, &mut self.runs[seat]) {
            (Some(file), runs @ false) => {
                *runs = true;
                asked.note_lock(file);
                other.resume();
            }
            (None, runs @ true) => {
                *runs = false;
                other.stop();
                other.rest();
            }
            _ => {}
        }
        if self.runs[seat] { now + LOCK / 5 } else { now + POLL_INTERVAL }
    }
}

/// Sends the farewell and closes the processes' standard input. Then waits, for at most `grace`, until the processes
/// have exited.
pub(crate) fn part(processes: &mut [Option<&mut Process>; 2], farewell: &str, grace: Duration) {
    let deadline = Instant::now() + grace;
    for process in processes.iter_mut().flatten() {
        process.send(farewell);
        process.resume();
    }
    loop {
        for process in processes.iter_mut().flatten() {
            if !process.child.has_unsent() {
                process.child.close_input();
            }
            process.forget_output();
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || processes.iter().flatten().all(|process| process.child.has_ended()) {
            return;
        }
        serve(processes, [true; 2], left);
    }
}

/// Waits for at most `time` for an event from one of the processes, and handles it. Always reads standard error;
/// handles standard output and input only if the process is awaited.
fn serve(processes: &mut [Option<&mut Process>; 2], is_waiting: [bool; 2], time: Duration) {
    let mut ready = [[false; 2]; 2];
    {
        let mut seats = Vec::with_capacity(2);
        let mut watched = Vec::with_capacity(2);
        for (seat, process) in processes.iter_mut().enumerate() {
            let Some(process) = process else { continue };
            seats.push(seat);
            watched.push(Watched::new(&mut process.child, is_waiting[seat]));
        }
        Child::wait(&mut watched, time);
        for (seat, watched) in seats.into_iter().zip(watched) {
            ready[seat] = [watched.has_output, watched.has_errors];
        }
    }
    for (process, [has_output, has_errors]) in processes.iter_mut().zip(ready) {
        let Some(process) = process else { continue };
        if has_output {
            process.read_stdout();
        }
        if has_errors {
            process.read_stderr();
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::CommandLine;
    use crate::process::Start;
    use contender_game::rules::Player;
    use std::thread;

    const LIMIT: Duration = Duration::from_millis(50);

    /// Starts a process that runs this script, and sends it a question under the limit.
    fn asked(script: &str) -> (Process, Pending) {
        let start = Start { stderr_tail: 0, sandbox: None, dies_with_thread: true, ponders: true };
        let mut process = Process::spawn(&CommandLine::new(["sh", "-c", script]), start).unwrap();
        let question = Question { player: Player::Zero, text: "go\n".to_string(), answer_lines: 1 };
        let pending = Pending::send(&mut process, &question, Some(LIMIT));
        (process, pending)
    }

    /// Returns the outcome, if the question is settled at this time after it was sent.
    fn look(
        process: &mut Process,
        pending: &mut Pending,
        time: Duration,
    ) -> Option<Result<Option<Vec<String>>, Ending>> {
        pending.look(process, pending.asked + time);
        pending.outcome.take().map(|outcome| outcome.answer)
    }

    #[test]
    fn who_has_ended_is_not_late() {
        let (mut process, mut pending) = asked("exit 3");
        while process.exit().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        let ended = Some(Err(Ending::Exit { code: 3 }));
        assert_eq!(look(&mut process, &mut pending, LIMIT), ended);
        // A bot that has closed its output, and may be about to exit, is not late either.
        let (mut process, mut pending) = asked("exec >&-; read line; read line");
        while process.child.is_open(Stream::Output) {
            process.read_stdout();
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(look(&mut process, &mut pending, Duration::ZERO), None);
        assert_eq!(look(&mut process, &mut pending, LIMIT), None);
        assert_eq!(look(&mut process, &mut pending, EXIT_GRACE), Some(Err(Ending::ClosedStdout)));
        // Neither is a bot that exits just after the limit.
        let (mut process, mut pending) = asked("read line; read line; exit 3");
        assert_eq!(look(&mut process, &mut pending, LIMIT), None);
        process.child.close_input();
        while process.exit().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(look(&mut process, &mut pending, LIMIT + EXIT_GRACE / 2), ended);
        // A bot that keeps running is late. Its time is the time until the referee noticed the limit.
        let (mut process, mut pending) = asked("read line; read line");
        assert_eq!(look(&mut process, &mut pending, LIMIT), None);
        pending.look(&mut process, pending.asked + LIMIT + EXIT_GRACE);
        let outcome = pending.outcome.unwrap();
        assert_eq!((outcome.answer, outcome.time), (Ok(None), LIMIT));
    }
}
