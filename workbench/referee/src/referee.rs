//! The loop of one game.

use crate::bundled::Bundled;
use crate::person::{PERSON, Person};
use crate::platform::StartError;
use crate::process::{Process, Start};
use crate::seats::{Bot, Seat, Seats};
use crate::{
    CommandLine, Cores, Ending, Entrant, GameError, Idle, Isolation, Job, JobBot, Machines, Program, Record,
};
use contender_game::{BotSetup, Contest, Judge, Limits, LineBot, Options, Picture, Player, Rng, mix};
use contender_play::log::rules_of;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How much later than its limit a bot may answer against a person, to whom that is no loss.
const MARGIN: Duration = Duration::from_secs(10);

/// Keeps the draw of openings apart from other uses of the same luck.
const OPENING_STREAM: u64 = 5;

/// How games are refereed; one value serves any number of games and threads.
#[derive(Clone, Debug)]
pub struct Referee {
    /// Time limits for every bot, on the wall clock, from sending a question to reading the answer. Making the process
    /// is not counted, but what a program does before it reads its first question is, as at the judges. A number of
    /// nodes holds for bundled bots: they do not look at the clock then, and have none, so that their games depend on
    /// no machine.
    pub limits: Limits,
    /// How much later than the limits an answer may come: a busy machine is not the bot's fault. 0 unless set.
    pub margin: Duration,
    /// Whether the limits of time hold for bundled bots with a node budget all the same.
    pub clock_with_nodes: bool,
    /// Rule variants for the judge.
    pub rules: Options,
    /// Complete rules in place of those, one of which a game draws by its luck; none unless set.
    pub openings: Vec<Options>,
    /// How many bytes of the end of a bot's standard error are kept.
    pub stderr_tail: usize,
    /// How long an external bot may take to leave after the farewell. Where the judge says no farewell, bots are ended
    /// at once.
    pub grace: Duration,
    /// Whether a game goes on, as far as the contest's rules have it, when a player has failed. If not, it ends at the
    /// first failure, with the points of the position reached: quicker, and not the contest's result.
    pub play_on: bool,
    /// How many times a game is played again that a bot lost on time by the machine's own delay
    /// ([`Ending::Overloaded`]), with the same luck. 0 unless set.
    pub rematches: u32,
    /// What external bots may use of the machine; `None` for all that the user may. What this system does not enforce
    /// of it, [`Isolation::missing`] tells.
    pub isolation: Option<Isolation>,
    /// Whether external bots may think in their opponents' time. If not, the system stops each of them, with all its
    /// descendants, while it is not asked.
    pub ponder: bool,
    /// Whether bots that both have a question have it one after the other, each alone on its core with its own time. If
    /// not, they have it together, and share a core where they have no two.
    pub in_turn: bool,
    /// The cores that games run on, each on its own; `None` leaves that to the system. A game that finds none free does
    /// so too.
    pub cores: Option<Cores>,
    /// Where bots that play several games in one process ([`Program::KeepAlive`]) wait for the next one.
    pub idle: Idle,
    /// Where games are played, if not on this machine.
    pub machines: Option<Arc<dyn Machines>>,
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

/// Who takes a seat.
enum Sitter<'a> {
    /// A bot with the seed of its random choices.
    Bot(&'a Entrant, u64),
    Person(Box<dyn Person>),
}

impl Sitter<'_> {
    fn name(&self) -> &str {
        match self {
            Sitter::Bot(entrant, _) => &entrant.name,
            Sitter::Person(_) => PERSON,
        }
    }

    /// Whether its moves come from another process.
    fn is_external(&self) -> bool {
        matches!(self, Sitter::Bot(entrant, _) if entrant.program.is_external())
    }
}

impl Referee {
    /// A referee with the contest's own limits, which keeps 10,000 bytes of standard error as CodeCup does.
    #[must_use]
    pub fn of(contest: &dyn Contest) -> Referee {
        Referee {
            limits: contest.info().limits,
            margin: Duration::ZERO,
            clock_with_nodes: false,
            rules: Options::rules(),
            openings: Vec::new(),
            stderr_tail: 10_000,
            grace: Duration::from_millis(100),
            play_on: true,
            rematches: 0,
            isolation: None,
            ponder: false,
            in_turn: false,
            cores: None,
            idle: Idle::default(),
            machines: None,
        }
    }

    /// Plays one game. `stop` ends it early from another thread, within some 10 milliseconds, or when a bundled bot
    /// that is thinking has answered.
    ///
    /// # Errors
    /// Only what is no bot's fault.
    pub fn play(
        &self,
        contest: &dyn Contest,
        plan: GamePlan<'_>,
        stop: &AtomicBool,
    ) -> Result<Record, GameError> {
        if let Some(machines) = &self.machines {
            return self.play_there(&**machines, contest, plan, stop);
        }
        play_until_steady(self.rematches, || {
            let sitters =
                Player::BOTH.map(|player| Sitter::Bot(plan.players[player], plan.bot_seeds[player]));
            self.play_seats(contest, sitters, plan.luck, stop).map(|(record, _)| record)
        })
    }

    /// Has one game played on other machines.
    fn play_there(
        &self,
        machines: &dyn Machines,
        contest: &dyn Contest,
        plan: GamePlan<'_>,
        stop: &AtomicBool,
    ) -> Result<Record, GameError> {
        let mut played = None;
        let job = |_| Some(self.job(contest, plan));
        machines.share_out(1, stop, &job, &mut |_, result| {
            played = Some(result);
            ControlFlow::Break(())
        });
        match played {
            Some(result) => result.map_err(GameError::Busy),
            // It was stopped.
            None => {
                let mut rules = self.rules_of(plan.luck).clone();
                let judge = contest.judge(plan.luck, &mut rules).map_err(GameError::void)?;
                let players = plan.players.map(|bot| bot.name.as_str());
                let record = Record::from_judge(contest, judge.as_ref(), plan.luck, players);
                Ok(Record { interrupted: true, ..record })
            }
        }
    }

    /// A game under this referee in a form that can be sent.
    #[must_use]
    pub fn job(&self, contest: &dyn Contest, plan: GamePlan<'_>) -> Job {
        // Every setting by its name, so that none that is added is left behind. What the machine offers stays here.
        let Referee {
            limits,
            margin,
            clock_with_nodes,
            rules: _,
            openings: _,
            stderr_tail,
            grace,
            play_on,
            rematches,
            isolation,
            ponder,
            in_turn,
            cores: _,
            idle: _,
            machines: _,
        } = self;
        Job {
            version: env!("CARGO_PKG_VERSION").to_string(),
            game: contest.name().to_string(),
            bots: plan.players.map(JobBot::of),
            luck: plan.luck,
            bot_seeds: plan.bot_seeds,
            rules: self.rules_of(plan.luck).to_string(),
            limits: *limits,
            margin: *margin,
            clock_with_nodes: *clock_with_nodes,
            stderr_tail: *stderr_tail,
            grace: *grace,
            play_on: *play_on,
            rematches: *rematches,
            ponder: *ponder,
            in_turn: *in_turn,
            bounds: isolation.as_ref().map(|isolation| isolation.bounds().clone()),
        }
    }

    /// The referee of a job: this one, which says what the machine offers (isolation, cores, waiting bots), with the
    /// job's settings.
    ///
    /// # Errors
    /// Rules that are none.
    pub fn with_settings_of(&self, job: &Job) -> Result<Referee, String> {
        Ok(Referee {
            limits: job.limits,
            margin: job.margin,
            clock_with_nodes: job.clock_with_nodes,
            rules: rules_of(&job.rules)?,
            openings: Vec::new(),
            stderr_tail: job.stderr_tail,
            grace: job.grace,
            play_on: job.play_on,
            rematches: job.rematches,
            ponder: job.ponder,
            in_turn: job.in_turn,
            ..self.clone()
        })
    }

    /// Plays a game of a person on the seat `player` against a bot; `seed` is of all luck. A bot that fails ends the
    /// game, with the points of the position reached. Returns the record, interrupted if the person has left, and the
    /// last position.
    ///
    /// # Errors
    /// Only what is no bot's fault.
    pub fn play_person(
        &self,
        contest: &dyn Contest,
        person: Box<dyn Person>,
        player: Player,
        bot: &Entrant,
        seed: u64,
    ) -> Result<(Record, Picture), GameError> {
        let referee = Referee { margin: self.margin.max(MARGIN), play_on: false, ..self.clone() };
        let (person, bot) = (Sitter::Person(person), Sitter::Bot(bot, seed));
        let sitters = if player == Player::Zero { [person, bot] } else { [bot, person] };
        let (record, judge) = referee.play_seats(contest, sitters, seed, &AtomicBool::new(false))?;
        Ok((record, judge.picture(None)))
    }

    /// Plays one game of those who sit there; the judge is as the game has left it.
    fn play_seats(
        &self,
        contest: &dyn Contest,
        sitters: [Sitter<'_>; 2],
        luck: u64,
        stop: &AtomicBool,
    ) -> Result<(Record, Box<dyn Judge>), GameError> {
        let rules_of_game = self.rules_of(luck);
        let mut rules = rules_of_game.clone();
        let mut judge = contest.judge(luck, &mut rules).map_err(GameError::void)?;
        rules.finish().map_err(GameError::void)?;

        let mut questions = judge.ask();
        // As many cores as bots think at once. A game of bundled bots is one thread, and may be over sooner than it is
        // moved.
        let cores = self.cores.as_ref().filter(|_| sitters.iter().any(Sitter::is_external));
        let place = cores.and_then(|cores| cores.take(self.thinkers(questions.len())));
        let players = sitters.each_ref().map(|sitter| sitter.name().to_string());
        let limits = sitters.each_ref().map(|sitter| match sitter {
            Sitter::Bot(entrant, _) => self.limits_of(&entrant.program),
            Sitter::Person(_) => Limits::NONE,
        });
        let mut player = Player::Zero;
        let [zero, one] = sitters.map(|sitter| {
            if let Some(place) = &place {
                place.seat(player.index());
            }
            let seat = self.seat(contest, sitter, player);
            player = player.other();
            seat
        });
        if let Some(place) = &place {
            place.all();
        }
        let mut seats = Seats { each: [zero?, one?], limits, margin: self.margin, in_turn: self.in_turn };
        let mut interrupted = false;
        let mut is_stopped = false;
        while !is_stopped && !interrupted && !questions.is_empty() {
            seats.prompt(judge.as_ref(), &questions);
            interrupted = !seats.put(&questions, stop);
            let mut rejected = Vec::new();
            if interrupted {
                break;
            }
            for question in std::mem::take(&mut questions) {
                let player = question.player;
                let seat = &mut seats.each[player];
                let failure = match seat.take_answer() {
                    Ok(lines) => match judge.answer(player, &lines) {
                        Ok(()) => {
                            seats.each[player.other()].hear(player, &lines);
                            continue;
                        }
                        Err(reason) if seat.reject(&reason) => {
                            rejected.push(question);
                            continue;
                        }
                        Err(reason) => seat.illegal(reason, &lines),
                    },
                    // A person who leaves.
                    Err(Ending::Interrupted) => {
                        interrupted = true;
                        continue;
                    }
                    Err(ending) => ending,
                };
                seat.fail(failure);
                judge.fail(player);
                is_stopped = !self.play_on;
            }
            questions =
                if is_stopped || interrupted || !rejected.is_empty() { rejected } else { judge.ask() };
        }
        let farewell = judge.farewell();
        let grace = if interrupted || farewell.is_empty() { Duration::ZERO } else { self.grace };
        let (seats, attributes) = seats.close(farewell, grace, interrupted);
        let names = players.each_ref().map(String::as_str);
        let mut record = Record::from_judge(contest, judge.as_ref(), luck, names);
        for (seat, report) in record.seats.iter_mut().zip(seats) {
            // How the game ended, unless the player's own part ended before.
            let ending =
                if report.ending == Ending::Normal { seat.ending.clone() } else { report.ending.clone() };
            *seat = contender_play::Seat {
                bot: std::mem::take(&mut seat.bot),
                rank: seat.rank,
                points: seat.points,
                ending,
                ..report
            };
        }
        let record = Record { interrupted, rules: rules_of_game.to_string(), attributes, ..record };
        Ok((record, judge))
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
        match self {
            Referee { ponder: true, .. } => 2,
            Referee { in_turn: true, .. } => 1,
            _ => questions.max(1),
        }
    }

    /// The limits that hold for a program.
    #[must_use]
    pub fn limits_of(&self, program: &Program) -> Limits {
        if program.is_external() { self.limits } else { self.bundled_limits() }
    }

    /// Whether a program can know how much time it has here: it is told, or it has no less than the contest gives.
    #[must_use]
    pub fn is_known(&self, contest: &dyn Contest, program: &Program) -> bool {
        let usual = contest.info().limits;
        let is_shorter = |own: Option<Duration>, usual: Option<Duration>| {
            own.is_some_and(|own| usual.is_none_or(|usual| own < usual))
        };
        let (own, usual) = (&self.limits, &usual);
        program.is_told_the_time()
            || !(is_shorter(own.first_turn, usual.first_turn)
                || is_shorter(own.turn, usual.turn)
                || is_shorter(own.game, usual.game))
    }

    /// Warnings of these bots that cannot know how much time they have here, a sentence each.
    pub fn untold<'b>(
        &self,
        contest: &dyn Contest,
        bots: impl IntoIterator<Item = &'b Entrant>,
    ) -> Vec<String> {
        let untold = bots.into_iter().filter(|bot| !self.is_known(contest, &bot.program));
        let warning = |bot: &Entrant| {
            format!(
                "`{}` is not told that it has less time than the contest gives: put the limit into its command, as \
                 `--time {{time}}` (seconds) or `{{time:ms}}`",
                bot.name
            )
        };
        untold.map(warning).collect()
    }

    /// A bundled bot with a node budget has a clock only if the user wants one.
    fn bundled_limits(&self) -> Limits {
        match self.limits.nodes {
            Some(nodes) if !self.clock_with_nodes => Limits::nodes(nodes),
            _ => self.limits,
        }
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
        let setup = BotSetup { limits: self.bundled_limits(), seed };
        let mut options = options.clone();
        let bot = contest.bot(name, &mut options, &setup)?;
        options.finish()?;
        Ok(bot)
    }

    fn seat(&self, contest: &dyn Contest, sitter: Sitter<'_>, player: Player) -> Result<Seat, GameError> {
        let (entrant, seed) = match sitter {
            Sitter::Bot(entrant, seed) => (entrant, seed),
            Sitter::Person(person) => return Ok(Seat::new(player, Ok(Bot::Person(person)))),
        };
        let program = &entrant.program;
        if let Program::Bundled { bot, options } = program {
            let bot = self.bundled_bot(contest, bot, options, seed);
            let bot = bot.map(|bot| Bot::Bundled(Bundled::new(bot)));
            return Ok(Seat::new(player, bot));
        }
        let command = match program.command(&self.limits, seed) {
            Ok(command) => command,
            Err(reason) => return Ok(Seat::new(player, Err(reason))),
        };
        let seat = |bot| {
            let seat = Seat::new(player, bot);
            if self.is_known(contest, program) { seat } else { seat.with_unknown_time() }
        };
        if !matches!(program, Program::KeepAlive(_)) {
            return Ok(seat(self.process(&command, true)?));
        }
        let bot = match self.idle.take(&command) {
            Some(process) => Ok(Bot::Process(process)),
            None => self.process(&command, false)?,
        };
        Ok(seat(bot).stays(command, &self.idle))
    }

    /// A new process, or why this program cannot be one.
    fn process(
        &self,
        command: &CommandLine,
        dies_with_thread: bool,
    ) -> Result<Result<Bot, String>, GameError> {
        let sandbox = self.isolation.as_ref().map(|isolation| &*isolation.sandbox);
        let start = Start { stderr_tail: self.stderr_tail, sandbox, dies_with_thread, ponders: self.ponder };
        match Process::spawn(command, start) {
            Ok(mut process) => {
                process.rest();
                process.stop();
                Ok(Ok(Bot::Process(Box::new(process))))
            }
            Err(StartError::Program(reason)) => Ok(Err(reason)),
            Err(StartError::Machine(reason)) => Err(GameError::Busy(reason)),
        }
    }
}

/// Plays a game, and again as long as a bot loses on time by the machine's own delay, so many times at most.
fn play_until_steady<E>(rematches: u32, mut play: impl FnMut() -> Result<Record, E>) -> Result<Record, E> {
    let mut record = play()?;
    for number in 1..=rematches {
        if !record.is_overloaded() || record.interrupted {
            break;
        }
        record = Record { rematches: number, ..play()? };
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of a game whose delays are so many of this machine's, then none.
    fn played(rematches: u32, delays: u32, ending: &Ending) -> (u32, Record) {
        let steady = Record { seats: vec![contender_play::Seat::default(); 2], ..Record::default() };
        let mut games = 0;
        let record = play_until_steady(rematches, || {
            games += 1;
            let mut record = steady.clone();
            if games <= delays {
                record.seats[1].ending = ending.clone();
            }
            Ok::<_, ()>(record)
        });
        (games, record.unwrap())
    }

    #[test]
    fn who_loses_by_the_machines_delay_plays_again() {
        let delay = Ending::Overloaded { limit_ms: 100, overrun_ms: Some(2), delay_ms: 30, stolen_ms: 0 };
        for (rematches, delays, games, is_overloaded) in
            [(0, 1, 1, true), (3, 0, 1, false), (3, 2, 3, false), (3, 3, 4, false), (3, 9, 4, true)]
        {
            let (played, record) = played(rematches, delays, &delay);
            assert_eq!((played, record.rematches), (games, games - 1), "{rematches} {delays}");
            assert_eq!(record.is_overloaded(), is_overloaded, "{rematches} {delays}");
        }
        let late = Ending::Timeout { limit_ms: 100, overrun_ms: Some(2) };
        let (games, record) = played(3, 9, &late);
        assert_eq!((games, record.rematches, &record.seats[1].ending), (1, 0, &late));
    }
}
