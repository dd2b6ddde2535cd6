//! The loop of one game.

use crate::bundled::Bundled;
use crate::platform::StartError;
use crate::process::{Process, Start};
use crate::seats::{Bot, Seat, Seats};
use crate::{Cores, Ending, Entrant, GameRecord, Idle, Isolation, Program, SeatReport};
use contender_game::{BotSetup, Contest, Limits, LineBot, Options, Player, Question, Rng, mix};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Keeps the draw of openings apart from other uses of the same luck.
const OPENING_STREAM: u64 = 5;

/// How games are refereed; one value serves any number of games and threads.
#[derive(Clone, Debug)]
pub struct Referee {
    /// Time limits for every bot, on the wall clock, from sending a question to reading the answer. Making the process is not
    /// counted, but what a program does before it reads its first question is, as at the judges.
    pub limits: Limits,
    /// How much later than the limits an answer may come: a busy machine is not the bot's fault. 0 unless set.
    pub margin: Duration,
    /// Nodes per move for bundled bots. They do not look at the clock then, and have none, so that their games depend on no machine.
    pub nodes: Option<u64>,
    /// Whether the limits hold for bundled bots with a node budget all the same.
    pub clock_with_nodes: bool,
    /// Rule variants for the judge.
    pub rules: Options,
    /// Complete rules in place of those, one of which a game draws by its luck; none unless set.
    pub openings: Vec<Options>,
    /// How many bytes of the end of a bot's standard error are kept.
    pub stderr_tail: usize,
    /// How long an external bot may take to leave after the farewell. Where the judge says no farewell, bots are ended at once.
    pub grace: Duration,
    /// Whether a game goes on, as far as the contest's rules have it, when a player has failed. If not, it ends at the first
    /// failure, with the points of the position reached: quicker, and not the contest's result.
    pub play_on: bool,
    /// What external bots may use of the machine; `None` for all that the user may. What this system does not enforce of it,
    /// [`Isolation::missing`] tells.
    pub isolation: Option<Isolation>,
    /// Whether external bots may think in their opponents' time. If not, the system stops each of them, with all its descendants, while
    /// it is not asked.
    pub ponder: bool,
    /// The cores that games run on, each on its own; `None` leaves that to the system. A game that finds none free does so too.
    pub cores: Option<Cores>,
    /// Where bots that play several games in one process ([`Program::KeepAlive`]) wait for the next one.
    pub idle: Idle,
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

/// A bundled bot or a program that is asked question by question: [`Referee::opponent`].
pub struct Opponent {
    seats: Seats,
    player: Player,
}

impl Opponent {
    /// Puts a question to the bot.
    ///
    /// # Errors
    /// How its part in the game has ended.
    pub fn ask(&mut self, question: &Question) -> Result<Vec<String>, Ending> {
        self.seats.put(std::slice::from_ref(question), &AtomicBool::new(false));
        self.seats.each[self.player].take_answer()
    }

    /// Sees the bot off; what is known of it.
    #[must_use]
    pub fn leave(self, farewell: &str) -> SeatReport {
        let ([zero, one], _) = self.seats.close(farewell, Duration::ZERO, false);
        if self.player == Player::Zero { zero } else { one }
    }
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
            limits: contest.info().limits,
            margin: Duration::ZERO,
            nodes: None,
            clock_with_nodes: false,
            rules: Options::rules(),
            openings: Vec::new(),
            stderr_tail: 10_000,
            grace: Duration::from_millis(100),
            play_on: true,
            isolation: None,
            ponder: false,
            cores: None,
            idle: Idle::default(),
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
        let rules_of_game = self.rules_of(plan.luck);
        let mut rules = rules_of_game.clone();
        let mut judge = contest.judge(plan.luck, &mut rules).map_err(RefereeError::Rules)?;
        rules.finish().map_err(RefereeError::Rules)?;

        let mut questions = judge.ask();
        // As many cores as bots think at once. A game of bundled bots is one thread, and may be over sooner than it is moved.
        let is_external =
            plan.players.iter().any(|entrant| !matches!(entrant.program, Program::Bundled { .. }));
        let cores = self.cores.as_ref().filter(|_| is_external);
        let place = cores.and_then(|cores| cores.take(self.thinkers(questions.len())));
        let [zero, one] = Player::BOTH.map(|player| {
            if let Some(place) = &place {
                place.seat(player.index());
            }
            self.seat(contest, plan, player)
        });
        if let Some(place) = &place {
            place.all();
        }
        let limits = plan.players.map(|entrant| self.limits_of(&entrant.program));
        let mut seats = Seats { each: [zero?, one?], limits, margin: self.margin };
        let mut interrupted = false;
        let mut is_stopped = false;
        while !is_stopped && !questions.is_empty() {
            interrupted = !seats.put(&questions, stop);
            if interrupted {
                break;
            }
            for question in &questions {
                let seat = &mut seats.each[question.player];
                let failure = match seat.take_answer() {
                    Ok(lines) => match judge.answer(question.player, &lines) {
                        Ok(()) => continue,
                        Err(reason) => seat.illegal(reason, &lines),
                    },
                    Err(ending) => ending,
                };
                seat.fail(failure);
                judge.fail(question.player);
                is_stopped = !self.play_on;
            }
            questions = if is_stopped { Vec::new() } else { judge.ask() };
        }
        let farewell = judge.farewell();
        let grace = if interrupted || farewell.is_empty() { Duration::ZERO } else { self.grace };
        let (seats, attributes) = seats.close(farewell, grace, interrupted);
        Ok(GameRecord {
            game: contest.name().to_string(),
            seed: plan.luck,
            players: plan.players.map(|entrant| entrant.name.clone()),
            setup: judge.setup(),
            moves: judge.moves().to_vec(),
            points: judge.points(),
            seats,
            interrupted,
            rules: rules_of_game.to_string(),
            attributes,
        })
    }

    /// The rules of a game with this luck.
    #[must_use]
    pub fn rules_of(&self, luck: u64) -> &Options {
        match &self.openings[..] {
            [] => &self.rules,
            openings => &openings[Rng::new(mix(&[luck, OPENING_STREAM])).index(openings.len())],
        }
    }

    /// How many bots may think at once in a game that begins with so many questions.
    pub(crate) fn thinkers(&self, questions: usize) -> usize {
        if self.ponder { 2 } else { questions.max(1) }
    }

    /// The limits that hold for a program.
    #[must_use]
    pub fn limits_of(&self, program: &Program) -> Limits {
        if matches!(program, Program::Bundled { .. }) { self.bundled_limits() } else { self.limits }
    }

    /// A bundled bot with a node budget has a clock only if the user wants one.
    fn bundled_limits(&self) -> Limits {
        if self.nodes.is_some() && !self.clock_with_nodes { Limits::NONE } else { self.limits }
    }

    /// A bundled bot for a game under this referee. `seed` is of its random choices.
    ///
    /// # Errors
    /// No bot of that name, or an option that it does not take, in words for the user.
    pub fn bundled_bot(
        &self,
        contest: &dyn Contest,
        name: &str,
        options: &Options,
        seed: u64,
    ) -> Result<Box<dyn LineBot>, String> {
        let setup = BotSetup { limits: Limits { nodes: self.nodes, ..self.bundled_limits() }, seed };
        let mut options = options.clone();
        let bot = contest.bot(name, &mut options, &setup)?;
        options.finish()?;
        Ok(bot)
    }

    /// A bot to play against without a referee's loop, on this seat of a game; `seed` is of its random choices. Its clock runs as in a
    /// game, with this referee's margin.
    ///
    /// # Errors
    /// Only what is no bot's fault.
    pub fn opponent(
        &self,
        contest: &dyn Contest,
        entrant: &Entrant,
        player: Player,
        seed: u64,
    ) -> Result<Opponent, RefereeError> {
        let plan = GamePlan { players: [entrant; 2], luck: seed, bot_seeds: [seed; 2] };
        let bot = self.seat(contest, plan, player)?;
        let other = Seat::new(player.other(), Err("nobody is asked on this seat".to_string()));
        let each = if player == Player::Zero { [bot, other] } else { [other, bot] };
        let limits = [self.limits_of(&entrant.program); 2];
        Ok(Opponent { seats: Seats { each, limits, margin: self.margin }, player })
    }

    fn seat(&self, contest: &dyn Contest, plan: GamePlan<'_>, player: Player) -> Result<Seat, RefereeError> {
        let program = &plan.players[player].program;
        if let Program::Bundled { bot, options } = program {
            let bot = self.bundled_bot(contest, bot, options, plan.bot_seeds[player]);
            let bot = bot.map(|bot| Bot::Bundled(Bundled::new(bot)));
            return Ok(Seat::new(player, bot));
        }
        let words = match program.words(self.nodes, plan.bot_seeds[player]) {
            Ok(words) => words,
            Err(reason) => return Ok(Seat::new(player, Err(reason))),
        };
        if !matches!(program, Program::KeepAlive(_)) {
            return Ok(Seat::new(player, self.process(&words, true)?));
        }
        let bot = match self.idle.take(&words) {
            Some(process) => Ok(Bot::Process(process)),
            None => self.process(&words, false)?,
        };
        Ok(Seat::new(player, bot).stays(&words, &self.idle))
    }

    /// A new process, or why this program cannot be one.
    fn process(&self, words: &[String], dies_with_thread: bool) -> Result<Result<Bot, String>, RefereeError> {
        let sandbox = self.isolation.as_ref().map(|isolation| &*isolation.0);
        let start = Start { stderr_tail: self.stderr_tail, sandbox, dies_with_thread, ponders: self.ponder };
        match Process::spawn(words, start) {
            Ok(mut process) => {
                process.rest();
                process.stop();
                Ok(Ok(Bot::Process(Box::new(process))))
            }
            Err(StartError::Program(reason)) => Ok(Err(reason)),
            Err(StartError::Machine(reason)) => Err(RefereeError::Machine(reason)),
        }
    }
}
