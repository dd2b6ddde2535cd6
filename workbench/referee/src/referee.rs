//! The loop of one game.

use crate::bundled::Bundled;
use crate::exchange::{self, Outcome, Pending};
use crate::process::{Process, SpawnError};
use crate::record::readable;
use crate::{Ending, Entrant, GameRecord, Program, SeatReport};
use contender_game::{BotSetup, Budget, Contest, Limits, Options, Player, Question};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How games are refereed; one value serves any number of games and threads.
#[derive(Clone, Debug)]
pub struct Referee {
    /// Time limits for every bot, on the wall clock, from sending a question to reading the answer. Making the process is not
    /// counted, but what a program does before it reads its first question is, as at the judges.
    pub limits: Limits,
    /// How much later than the limits an answer may come: a busy machine is not the bot's fault. 0 unless set.
    pub margin: Duration,
    /// Nodes per move for bundled bots.
    pub nodes: Option<u64>,
    /// Rule variants for the judge.
    pub rules: Options,
    /// How many bytes of the end of a bot's standard error are kept.
    pub stderr_tail: usize,
    /// How long an external bot may take to leave after the farewell. Where the judge says no farewell, bots are ended at once.
    pub grace: Duration,
    /// Whether a game goes on, as far as the contest's rules have it, when a player has failed. If not, it ends at the first
    /// failure, with the points of the position reached: quicker, and not the contest's result.
    pub play_on: bool,
}

/// One game to play.
#[derive(Clone, Copy, Debug)]
pub struct GamePlan<'a> {
    /// Entrants by seat.
    pub players: [&'a Entrant; 2],
    /// Seeds the judge's luck.
    pub luck: u64,
    /// Seeds the random choices of bundled bots, by seat.
    pub bot_seeds: [u64; 2],
}

/// Why a game could not be played at all; no bot is to blame.
#[derive(Debug, thiserror::Error)]
pub enum RefereeError {
    /// The judge does not accept the rules.
    #[error("{0}")]
    Rules(String),
    /// This machine has no room for another process.
    #[error("{0}")]
    Machine(String),
}

impl Referee {
    /// A referee with the contest's own limits, which keeps 10,000 bytes of standard error as CodeCup does.
    #[must_use]
    pub fn of(contest: &dyn Contest) -> Referee {
        Referee {
            limits: contest.limits(),
            margin: Duration::ZERO,
            nodes: None,
            rules: Options::default(),
            stderr_tail: 10_000,
            grace: Duration::from_millis(100),
            play_on: true,
        }
    }

    /// Plays one game. `stop` ends it early from another thread, within some 10 milliseconds, or when a bundled bot that is
    /// thinking has answered.
    ///
    /// # Errors
    /// Only what is no bot's fault.
    pub fn play(
        &self,
        contest: &dyn Contest,
        plan: GamePlan<'_>,
        stop: &AtomicBool,
    ) -> Result<GameRecord, RefereeError> {
        let mut rules = self.rules.clone();
        let mut judge = contest.judge(plan.luck, &mut rules).map_err(RefereeError::Rules)?;
        rules.finish().map_err(RefereeError::Rules)?;

        let [zero, one] = Player::BOTH.map(|player| self.seat(contest, plan, player));
        let mut table = Table { seats: [zero?, one?], limits: self.limits, margin: self.margin };
        let mut interrupted = false;
        'game: loop {
            let questions = judge.ask();
            if questions.is_empty() {
                break;
            }
            if !table.put(&questions, stop) {
                interrupted = true;
                break;
            }
            for question in &questions {
                let seat = &mut table.seats[question.player];
                let failure = match seat.answer.take().unwrap_or(Err(Ending::NoAnswer)) {
                    Ok(lines) => match judge.answer(question.player, &lines) {
                        Ok(()) => continue,
                        Err(reason) => seat.illegal(reason, &lines),
                    },
                    Err(ending) => ending,
                };
                seat.fail(failure);
                judge.fail(question.player);
                if !self.play_on {
                    break 'game;
                }
            }
        }
        let farewell = judge.farewell();
        let grace = if interrupted || farewell.is_empty() { Duration::ZERO } else { self.grace };
        Ok(GameRecord {
            game: contest.name().to_string(),
            seed: plan.luck,
            players: plan.players.map(|entrant| entrant.name.clone()),
            setup: judge.setup(),
            moves: judge.moves().to_vec(),
            points: judge.points(),
            seats: table.close(farewell, grace, interrupted),
            interrupted,
        })
    }

    fn seat(&self, contest: &dyn Contest, plan: GamePlan<'_>, player: Player) -> Result<Seat, RefereeError> {
        let start = match &plan.players[player].program {
            Program::Bundled { bot, options } => {
                let budget = Budget { limits: self.limits, nodes: self.nodes };
                let setup = BotSetup { budget, seed: plan.bot_seeds[player] };
                let mut options = options.clone();
                contest
                    .bot(bot, &mut options, &setup)
                    .and_then(|bot| options.finish().map(|()| Bot::Bundled(Bundled::new(bot))))
            }
            Program::Command(words) => match Process::spawn(words, self.stderr_tail) {
                Ok(process) => Ok(Bot::Process(Box::new(process))),
                Err(SpawnError::Program(reason)) => Err(reason),
                Err(SpawnError::Machine(reason)) => return Err(RefereeError::Machine(reason)),
            },
        };
        let (bot, answer) = match start {
            Ok(bot) => (bot, None),
            Err(reason) => (Bot::Gone, Some(Err(Ending::CannotStart { reason }))),
        };
        Ok(Seat { bot, answer, had_spoken: false, report: SeatReport::default() })
    }
}

/// What sits on a seat.
enum Bot {
    Bundled(Bundled),
    Process(Box<Process>),
    /// It has failed, or never started.
    Gone,
}

struct Seat {
    bot: Bot,
    /// The answer to the question just put.
    answer: Option<Result<Vec<String>, Ending>>,
    /// Whether a line was there before that question.
    had_spoken: bool,
    report: SeatReport,
}

impl Seat {
    fn process(&mut self) -> Option<&mut Process> {
        match &mut self.bot {
            Bot::Process(process) => Some(process),
            _ => None,
        }
    }

    /// What is wrong when the judge does not accept an answer.
    fn illegal(&mut self, reason: String, lines: &[String]) -> Ending {
        if let Some(flood) = self.process().and_then(Process::flood) {
            return flood;
        }
        let answer = readable(lines.join("\n").as_bytes());
        let reason = if self.had_spoken { format!("{reason} (written before it was asked)") } else { reason };
        Ending::Illegal { reason, answer }
    }

    /// Takes the bot out of the game.
    fn fail(&mut self, ending: Ending) {
        self.report.ending = ending;
        self.end();
    }

    /// Ends the bot and keeps what is known of it.
    fn end(&mut self) {
        if let Bot::Process(process) = &mut self.bot {
            self.report.cpu = process.cpu();
            process.kill();
            self.report.stderr = process.stderr_text();
        }
        self.bot = Bot::Gone;
    }
}

/// Both seats and their clocks.
struct Table {
    seats: [Seat; 2],
    limits: Limits,
    margin: Duration,
}

impl Table {
    /// Puts the questions, all before any answer is awaited, and fills in the seats' answers. Returns `false` if it was stopped.
    fn put(&mut self, questions: &[Question], stop: &AtomicBool) -> bool {
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        let limits = Player::BOTH.map(|player| self.limit(player));
        let patience = limits.map(|limit| limit.map(|limit| limit + self.margin));
        let mut pending = [None, None];
        for question in questions {
            let player = question.player;
            let seat = &mut self.seats[player];
            if let Bot::Process(process) = &mut seat.bot {
                seat.had_spoken = process.has_line();
                let sent = Pending::send(process, &question.text, question.answer_lines, patience[player]);
                pending[player.index()] = Some(sent);
            }
        }
        let [zero, one] = &mut self.seats;
        let mut bundled = Vec::with_capacity(2);
        let mut processes = [None, None];
        for (seat, player) in [zero, one].into_iter().zip(Player::BOTH) {
            match &mut seat.bot {
                Bot::Bundled(bot) => {
                    let question = questions.iter().find(|question| question.player == player);
                    bundled.extend(question.map(|question| (player, bot, question)));
                }
                Bot::Process(process) => processes[player.index()] = Some(&mut **process),
                Bot::Gone => {}
            }
        }
        let ask = |bot: &mut Bundled, question: &Question| {
            let asked = Instant::now();
            let answer = bot.ask(&question.text, question.answer_lines);
            Outcome { time: asked.elapsed(), answer: answer.map(Some) }
        };
        let mut outcomes: [Option<Outcome>; 2] = [None, None];
        let mut is_stopped = false;
        if pending.iter().all(Option::is_none) {
            for (player, bot, question) in bundled {
                outcomes[player] = Some(ask(bot, question));
            }
        } else {
            // A bundled bot that is asked together with a process must not keep the referee from seeing when that answers.
            thread::scope(|scope| {
                let threads: Vec<_> = bundled
                    .into_iter()
                    .map(|(player, bot, question)| (player, scope.spawn(move || ask(bot, question))))
                    .collect();
                is_stopped = exchange::wait(&mut processes, &mut pending, stop);
                for (player, thread) in threads {
                    outcomes[player] = thread.join().ok();
                }
            });
            for (outcome, pending) in outcomes.iter_mut().zip(pending) {
                if let Some(pending) = pending {
                    *outcome = pending.outcome;
                }
            }
        }
        if is_stopped {
            return false;
        }
        for player in Player::BOTH {
            if let Some(outcome) = outcomes[player].take() {
                self.seats[player].settle(outcome, limits[player], self.margin);
            }
        }
        true
    }

    /// How long the next answer of a player may take.
    fn limit(&self, player: Player) -> Option<Duration> {
        let report = &self.seats[player].report;
        let turn = self.limits.for_turn(report.times.is_empty());
        let game = self.limits.game.map(|game| game.saturating_sub(report.wall));
        turn.into_iter().chain(game).min()
    }

    /// Sees the bots off and returns what is known of them.
    fn close(mut self, farewell: &str, grace: Duration, interrupted: bool) -> [SeatReport; 2] {
        for seat in &mut self.seats {
            if interrupted && seat.report.ending == Ending::Normal {
                seat.report.ending = Ending::Interrupted;
            }
            if let Bot::Bundled(bot) = &mut seat.bot {
                bot.say_farewell(farewell);
            }
        }
        {
            let mut processes = self.seats.each_mut().map(Seat::process);
            exchange::part(&mut processes, farewell, grace);
        }
        for seat in &mut self.seats {
            seat.report.left_running =
                !grace.is_zero() && seat.process().is_some_and(|process| !process.has_ended);
            seat.end();
        }
        self.seats.map(|seat| seat.report)
    }
}

impl Seat {
    /// Notes an answer and its time.
    fn settle(&mut self, outcome: Outcome, limit: Option<Duration>, margin: Duration) {
        let Outcome { time, answer } = outcome;
        let in_time = limit.is_none_or(|limit| time <= limit + margin);
        let milliseconds = |time: Duration| time.as_micros().div_ceil(1000) as u64;
        let timeout = |is_answered: bool| {
            let limit = limit.unwrap_or_default();
            let overrun_ms = is_answered.then(|| milliseconds(time.saturating_sub(limit)));
            Err(Ending::Timeout { limit_ms: milliseconds(limit), overrun_ms })
        };
        self.answer = Some(match answer {
            Ok(Some(lines)) => {
                self.report.add_time(time);
                if in_time {
                    self.report.answers += 1;
                    Ok(lines)
                } else {
                    timeout(true)
                }
            }
            Ok(None) => {
                self.report.add_time(time);
                timeout(false)
            }
            Err(ending) => Err(ending),
        });
    }
}
