//! The two seats of a game: their players, their clocks, and their endings.

use crate::bundled::Bundled;
use crate::exchange::{self, Outcome, Pending};
use crate::idle::IdleProcesses;
use crate::person::{Person, Prompt};
use crate::platform::{ChildProcess, own_look};
use crate::process::Process;
use crate::readable::readable;
use crate::{Attribute, CommandLine, Ending};
use contender_game::{
    contest::{Judge, Limits, Question},
    rules::Player,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The bot or person in a seat.
pub(crate) enum Bot {
    Bundled(Bundled),
    Person(Box<dyn Person>),
    Process(Box<Process>),
    /// The bot has failed, or never started.
    Gone,
}

/// A player in a game.
pub(crate) struct Seat {
    player: Player,
    bot: Bot,
    /// The answer to the current question.
    answer: Option<Result<Vec<String>, Ending>>,
    /// Whether the bot wrote a line before it received the current question.
    had_spoken: bool,
    report: contender_play::Seat,
    attributes: Vec<Attribute>,
    /// The command of a bot that plays several games in one process, and the pool in which it waits for the next game.
    stays: Option<(CommandLine, IdleProcesses)>,
    /// The view of a person who must answer.
    prompt: Option<Prompt>,
    /// The reason why a person's last answer was rejected.
    rejected: Option<String>,
    /// Whether the bot can know its time limit.
    knows_the_time: bool,
}

impl Seat {
    /// Creates a seat at the start of a game, with a bot or with the reason why it could not be started.
    pub fn new(player: Player, bot: Result<Bot, String>) -> Seat {
        let mut report = contender_play::Seat::default();
        let bot = bot.unwrap_or_else(|reason| {
            report.ending = Ending::CannotStart { reason };
            Bot::Gone
        });
        Seat {
            player,
            bot,
            answer: None,
            had_spoken: false,
            report,
            attributes: Vec::new(),
            stays: None,
            prompt: None,
            rejected: None,
            knows_the_time: true,
        }
    }

    /// Records that the bot cannot know the time limit of this game.
    pub fn with_unknown_time(mut self) -> Seat {
        self.knows_the_time = false;
        self
    }

    /// Keeps the bot running for another game after this one.
    pub fn stays(mut self, command: CommandLine, idle: &IdleProcesses) -> Seat {
        self.stays = Some((command, idle.clone()));
        self
    }

    /// Takes the answer to the current question, or returns the ending of a bot that is gone.
    pub fn take_answer(&mut self) -> Result<Vec<String>, Ending> {
        self.answer.take().unwrap_or_else(|| Err(self.report.ending.clone()))
    }

    /// Shows a person the other player's answer.
    pub fn hear(&mut self, other: Player, answer: &[String]) {
        if let Bot::Person(person) = &mut self.bot {
            person.hear(other, answer);
        }
    }

    /// Rejects an illegal answer. Returns whether it came from a person, who must then answer again.
    pub fn reject(&mut self, reason: &str) -> bool {
        let is_person = matches!(self.bot, Bot::Person(_));
        self.rejected = is_person.then(|| reason.to_string());
        is_person
    }

    /// Returns the bot's ending after an answer that the judge rejected.
    pub fn illegal(&mut self, reason: String, lines: &[String]) -> Ending {
        if let Some(flood) = self.process().and_then(Process::flood) {
            return flood;
        }
        let answer = readable(lines.join("\n").as_bytes());
        let (followed, end) = self.process().map_or_else(Default::default, Process::last_words);
        if !followed.is_empty() {
            self.report.notes.push(format!("standard output: \"{answer}\\n{followed}\""));
        }
        // A bot that exits with status 0 and without further output has simply made an illegal move.
        if let Some(end) = end.filter(|end| !followed.is_empty() || *end != Ending::Exit { code: 0 }) {
            if followed.is_empty() {
                self.report.notes.push(format!("standard output: \"{answer}\""));
            }
            return end;
        }
        let reason = if self.had_spoken {
            format!("{reason} (the answer was written before the question was sent)")
        } else {
            reason
        };
        Ending::Illegal { reason, answer }
    }

    /// Removes the bot from the game with this ending.
    pub fn fail(&mut self, ending: Ending) {
        self.report.ending = ending;
        self.end();
    }

    /// Records an answer and its time, and checks the time limit. `game` is the time on the game's clock, if there is
    /// one.
    fn settle(
        &mut self,
        outcome: Outcome,
        limit: Option<Duration>,
        patience: Option<Duration>,
        game: Option<Duration>,
    ) {
        let Outcome { time, delay, stolen, answer } = outcome;
        // If there is a game clock, delays in earlier answers have also used it up.
        let before = |taken: &[Duration]| game.map_or(Duration::ZERO, |_| taken.iter().sum());
        let (waited, stolen) =
            (delay.map(|delay| delay + before(&self.report.delays)), stolen + before(&self.report.stolen));
        let milliseconds = |time: Duration| time.as_micros().div_ceil(1000) as u64;
        let knows_the_time = self.knows_the_time;
        let timeout = |is_answered: bool| {
            let limit = limit.unwrap_or_default();
            let overrun_ms = is_answered.then(|| milliseconds(time.saturating_sub(limit)));
            let limit_ms = milliseconds(limit);
            // If no answer came, the time that was still needed is unknown: a delay of at least a tenth of the limit is
            // a reason to doubt. A bot that does not know the limit would have been late in any case.
            let needed = match is_answered {
                true => time.saturating_sub(limit),
                false if knows_the_time => game.unwrap_or(limit) / 10,
                false => Duration::MAX,
            };
            let taken = waited.unwrap_or_default() + stolen;
            let [delay_ms, stolen_ms] = [waited.unwrap_or_default(), stolen].map(milliseconds);
            Err(if !taken.is_zero() && taken >= needed {
                Ending::Overloaded { limit_ms, overrun_ms, delay_ms, stolen_ms }
            } else {
                Ending::Timeout { limit_ms, overrun_ms }
            })
        };
        if answer.is_ok() {
            self.report.add_time(time);
            let whole = |time: Duration| Duration::from_micros(time.as_micros() as u64);
            self.report.delays.extend(delay.map(whole));
            self.report.stolen.push(whole(outcome.stolen));
            if let Bot::Process(process) = &mut self.bot {
                self.report.stderr_at.push(process.stderr_length());
            }
        }
        self.answer = Some(match answer {
            Ok(Some(_)) if patience.is_some_and(|patience| time > patience) => timeout(true),
            Ok(Some(lines)) => {
                self.report.answers += 1;
                Ok(lines)
            }
            Ok(None) => {
                let part = self.process().and_then(|process| process.part_of_answer());
                let note = part.map(|part| format!("received an answer without a newline: \"{part}\""));
                self.report.notes.extend(note);
                timeout(false)
            }
            Err(ending) => Err(ending),
        });
    }

    /// Ends the bot and stores its report.
    fn end(&mut self) {
        if let Bot::Process(process) = &mut self.bot {
            process.kill();
        }
        self.leave();
    }

    /// Tells a bot that plays several games that this game is over, and puts it back into the pool.
    fn pause(&mut self, farewell: &str) {
        let Some((command, idle)) = self.stays.take() else { return };
        let Bot::Process(process) = &mut self.bot else { return };
        process.send(if farewell.is_empty() { "Quit\n" } else { farewell });
        process.resume();
        // A bot that does not read even now cannot be trusted with another game.
        if !process.child.flush() {
            return;
        }
        process.pause();
        if let Some(process) = self.leave() {
            idle.put(command, process);
        }
    }

    /// Removes the bot from its seat and stores its report.
    fn leave(&mut self) -> Option<Box<Process>> {
        let Bot::Process(mut process) = std::mem::replace(&mut self.bot, Bot::Gone) else { return None };
        self.report.cpu = process.cpu();
        self.report.idle_cpu = process.idle_cpu();
        self.report.exit = process.status();
        self.report.stderr = process.stderr_text();
        self.report.notes.extend(process.lock_note(self.report.is_late()));
        if self.report.stderr.is_empty() {
            self.report.stderr_at.clear();
        }
        let lost = process.stderr_lost();
        self.report.stderr_at.iter_mut().for_each(|at| *at = at.saturating_sub(lost));
        self.attributes = process.metadata.take(self.player);
        Some(process)
    }

    fn process(&mut self) -> Option<&mut Process> {
        match &mut self.bot {
            Bot::Process(process) => Some(process),
            _ => None,
        }
    }
}

/// Both seats and their time limits.
pub(crate) struct Seats {
    pub each: [Seat; 2],
    /// Time limits of each seat.
    pub limits: [Limits; 2],
    /// Tolerance for late answers.
    pub margin: Duration,
    /// Whether a player gets its question only after the other player has answered.
    pub in_turn: bool,
}

impl Seats {
    /// Prepares the prompt for a person who must answer one of these questions.
    pub fn prompt(&mut self, judge: &dyn Judge, questions: &[Question]) {
        let used = self.each.each_ref().map(|seat| seat.report.wall);
        for question in questions {
            let seat = &mut self.each[question.player];
            if matches!(seat.bot, Bot::Person(_)) {
                seat.prompt = Some(Prompt::of(judge, question, used, seat.rejected.take()));
            }
        }
    }

    /// Sends the questions and stores the seats' answers. Unless bots think in turn, sends all questions before waiting
    /// for an answer. Returns `false` if the game was stopped.
    pub fn put(&mut self, questions: &[Question], stop: &AtomicBool) -> bool {
        let at_once = if self.in_turn { 1 } else { questions.len().max(1) };
        questions.chunks(at_once).all(|questions| self.put_together(questions, stop))
    }

    fn put_together(&mut self, questions: &[Question], stop: &AtomicBool) -> bool {
        let limits = Player::BOTH.map(|player| self.limit(player));
        let patience = limits.map(|limit| limit.map(|limit| limit.saturating_add(self.margin)));
        let Some(outcomes) = self.ask(questions, patience, stop) else { return false };
        for (player, outcome) in Player::BOTH.into_iter().zip(outcomes) {
            if let Some(outcome) = outcome {
                let left = |game: &Duration| game.saturating_sub(self.each[player].report.wall);
                let game = self.limits[player].game.filter(|game| Some(left(game)) == limits[player]);
                self.each[player].settle(outcome, limits[player], patience[player], game);
            }
        }
        true
    }

    /// Returns the time limit for a player's next answer.
    fn limit(&self, player: Player) -> Option<Duration> {
        let report = &self.each[player].report;
        let limits = &self.limits[player];
        let turn = limits.for_turn(report.times.is_empty());
        let game = limits.game.map(|game| game.saturating_sub(report.wall));
        turn.into_iter().chain(game).min()
    }

    /// Returns the outcome of each player's question, or `None` if the game was stopped.
    fn ask(
        &mut self,
        questions: &[Question],
        patience: [Option<Duration>; 2],
        stop: &AtomicBool,
    ) -> Option<[Option<Outcome>; 2]> {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut pending = [None, None];
        let mut processes = [None, None];
        // Delays do not matter for a bot without a clock.
        let has_clock = patience.map(|patience| patience.is_some());
        let mut thinkers: Vec<(Player, Thinker<'_>)> = Vec::with_capacity(2);
        for (seat, player) in self.each.iter_mut().zip(Player::BOTH) {
            let question = questions.iter().find(|question| question.player == player);
            match &mut seat.bot {
                Bot::Process(process) => {
                    if let Some(question) = question {
                        seat.had_spoken = process.has_line();
                        pending[player] = Some(Pending::send(process, question, patience[player]));
                    }
                    processes[player] = Some(&mut **process);
                }
                bot => {
                    let think = question.and_then(|question| thinker(bot, &mut seat.prompt, question));
                    thinkers.extend(think.map(|think| (player, think)));
                }
            }
        }
        let mut outcomes = [None, None];
        if pending.iter().all(Option::is_none) {
            // The bundled bot will think on this thread, which cannot watch its opponent in the meantime.
            processes.iter_mut().flatten().for_each(|process: &mut &mut Process| process.stop());
            for (player, think) in thinkers {
                outcomes[player] = Some(timed(think, has_clock[player]));
            }
            return Some(outcomes);
        }
        // If a bundled bot and a process answer at the same time, the bundled bot must not keep the referee from seeing
        // the process's answer.
        let is_stopped = thread::scope(|scope| {
            let begin = |(player, think)| (player, scope.spawn(move || timed(think, has_clock[player])));
            let thinking: Vec<_> = thinkers.into_iter().map(begin).collect();
            let is_stopped = exchange::wait(&mut processes, &mut pending, stop);
            if thinking.iter().any(|(_, thread)| !thread.is_finished()) {
                processes.iter_mut().flatten().for_each(|process| process.stop());
            }
            for (player, thread) in thinking {
                outcomes[player] = thread.join().ok();
            }
            is_stopped
        });
        for (outcome, pending) in outcomes.iter_mut().zip(pending) {
            if let Some(pending) = pending {
                *outcome = pending.outcome;
            }
        }
        (!is_stopped).then_some(outcomes)
    }

    /// Ends the game for both bots. Returns their reports and the values that they reported.
    pub fn close(
        mut self,
        farewell: &str,
        grace: Duration,
        interrupted: bool,
    ) -> ([contender_play::Seat; 2], Vec<Attribute>) {
        for seat in &mut self.each {
            if interrupted && seat.report.ending == Ending::Normal {
                seat.report.ending = Ending::Interrupted;
            }
            if let Bot::Bundled(bot) = &mut seat.bot {
                bot.say_farewell(farewell);
            }
            if !interrupted {
                seat.pause(farewell);
            }
        }
        exchange::part(&mut self.each.each_mut().map(Seat::process), farewell, grace);
        for seat in &mut self.each {
            let is_there = seat.process().is_some_and(|process| !process.child.has_ended());
            seat.report.left_running = is_there && !grace.is_zero();
            seat.end();
        }
        let [mut zero, mut one] = self.each;
        for report in [&mut zero.report, &mut one.report] {
            if report.stolen.iter().all(Duration::is_zero) {
                report.stolen.clear();
            }
        }
        ([zero.report, one.report], [zero.attributes, one.attributes].concat())
    }
}

/// A function that computes the answer of a player in this process.
type Thinker<'a> = Box<dyn FnOnce() -> Result<Option<Vec<String>>, Ending> + Send + 'a>;

/// Returns the function that answers a question for a bundled bot or a person. Another player, or a person without a
/// prompt, does not answer.
fn thinker<'a>(bot: &'a mut Bot, prompt: &mut Option<Prompt>, question: &'a Question) -> Option<Thinker<'a>> {
    match bot {
        Bot::Bundled(bot) => Some(Box::new(|| bot.ask(&question.text, question.answer_lines).map(Some))),
        Bot::Person(person) => {
            let prompt = prompt.take()?;
            Some(Box::new(|| person.answer(prompt).map(Some).ok_or(Ending::Interrupted)))
        }
        Bot::Process(_) | Bot::Gone => None,
    }
}

/// Runs the function on this thread, and measures its time and the machine's delays.
fn timed(think: Thinker<'_>, has_clock: bool) -> Outcome {
    let before = has_clock.then(own_look).flatten();
    let asked = Instant::now();
    let answer = think();
    let time = asked.elapsed();
    let looks = before.and_then(|before| Some((before, own_look()?)));
    let delay = looks.map(|(before, after)| after.waited.saturating_sub(before.waited).min(time));
    let stolen = looks.map_or(Duration::ZERO, |(before, after)| after.stolen_since(&before, true).min(time));
    Outcome { time, delay, stolen, answer }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Start;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// Returns the ending of a bot whose last answer is too late for its limit, given the time and delay of each
    /// answer.
    fn ending(
        before: &[[u64; 2]],
        [time, delay]: [u64; 2],
        is_answered: bool,
        limit: u64,
        game: Option<u64>,
    ) -> Ending {
        let mut seat = Seat::new(Player::Zero, Err(String::new()));
        let mut settle = |[time, delay]: [u64; 2], answer, limit: u64| {
            // Half of the delay is waiting, and the other half is stolen time.
            let (delay, stolen) = (Some(ms(delay / 2)), ms(delay - delay / 2));
            let outcome = Outcome { time: ms(time), delay, stolen, answer: Ok(answer) };
            seat.settle(outcome, Some(ms(limit)), Some(ms(limit)), game.map(ms));
            seat.answer.take().unwrap()
        };
        for &answer in before {
            settle(answer, Some(Vec::new()), 1_000_000).unwrap();
        }
        settle([time, delay], is_answered.then(Vec::new), limit).unwrap_err()
    }

    /// A bot that would have been in time without the machine's delays is not to blame.
    #[test]
    fn whose_fault_it_is_to_be_late() {
        let is_overloaded = |before, last, is_answered, limit, game| {
            let ending = ending(before, last, is_answered, limit, game);
            assert!(matches!(ending, Ending::Timeout { .. } | Ending::Overloaded { .. }), "{ending}");
            matches!(ending, Ending::Overloaded { .. })
        };
        // The answer is 20 ms late, and the bot waited longer, equally long, or less.
        for (delay, expected) in [(30, true), (20, true), (19, false), (0, false)] {
            assert_eq!(is_overloaded(&[], [120, delay], true, 100, None), expected, "{delay}");
        }
        // There is no answer: a delay of at least a tenth of the limit is a reason to doubt.
        for (delay, expected) in [(10, true), (9, false)] {
            assert_eq!(is_overloaded(&[], [100, delay], false, 100, None), expected, "{delay}");
        }
        // Earlier waits have used up a game clock, but not a turn clock.
        let before = [[400, 15], [500, 10]];
        assert!(is_overloaded(&before, [120, 0], true, 100, Some(1000)));
        assert!(!is_overloaded(&before, [130, 0], true, 100, Some(1000)));
        assert!(!is_overloaded(&before, [120, 0], true, 100, None));
        assert!(!is_overloaded(&before, [100, 70], false, 100, Some(1000)));
        assert!(is_overloaded(&before, [100, 75], false, 100, Some(1000)));
        let said = ending(&before, [120, 3], true, 100, Some(1000)).to_string();
        assert!(
            said.contains("the bot waited 13 ms for its core and was stopped by the system for 15 ms)"),
            "{said}"
        );
    }

    /// A bot that does not know the limit would be late on any machine, so a missing answer is the bot's own fault.
    #[test]
    fn a_bot_that_does_not_know_its_time_is_late() {
        let ending = |answer: Option<Vec<String>>| {
            let mut seat = Seat::new(Player::Zero, Err(String::new())).with_unknown_time();
            let outcome = Outcome { time: ms(20), delay: Some(ms(15)), stolen: ms(3), answer: Ok(answer) };
            seat.settle(outcome, Some(ms(5)), Some(ms(5)), None);
            seat.answer.take().unwrap().unwrap_err()
        };
        assert_eq!(ending(None), Ending::Timeout { limit_ms: 5, overrun_ms: None });
        assert_eq!(ending(Some(Vec::new())).name(), "overloaded");
    }

    /// Each bot creates the same folder while it thinks, and exits if the folder exists.
    #[test]
    #[cfg(unix)]
    fn in_turn_nobody_thinks_beside_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let lock = folder.path().join("thinking").display().to_string();
        let script = "while read line; do mkdir $0 || exit 1; sleep 0.1; rmdir $0; echo $line; done";
        let command = CommandLine::new(["sh", "-c", script, &lock]);
        let seat = |player| {
            let start = Start { stderr_tail: 1000, sandbox: None, dies_with_thread: true, ponders: false };
            Seat::new(player, Ok(Bot::Process(Box::new(Process::spawn(&command, start).unwrap()))))
        };
        let each = Player::BOTH.map(seat);
        let mut seats = Seats { each, limits: [Limits::NONE; 2], margin: Duration::ZERO, in_turn: true };
        for _ in 0..3 {
            let questions = Player::BOTH.map(|player| Question {
                player,
                text: format!("{}\n", player.index()),
                answer_lines: 1,
            });
            assert!(seats.put(&questions, &AtomicBool::new(false)));
            for (seat, own) in seats.each.iter_mut().zip(["0", "1"]) {
                assert_eq!(seat.take_answer().unwrap(), [own]);
            }
        }
    }
}
