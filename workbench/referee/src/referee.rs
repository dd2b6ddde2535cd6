//! The referee, with the main loop of a game.

use crate::bundled::Bundled;
use crate::person::{PERSON, Person};
use crate::platform::{Place, StartError};
use crate::process::{Process, Start};
use crate::seats::{Bot, Seat, Seats};
use crate::{
    CommandLine, Conditions, Cores, Ending, Entrant, Fixture, GameError, IdleProcesses, Isolation, Program,
    Record, SetupError,
};
use contender_game::{
    board::Picture,
    contest::{BotSetup, Contest, Judge, Limits, LineBot},
    rules::Player,
    settings::Options,
};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The tolerance for a bot's late answers in a game against a person, who can wait.
const MARGIN: Duration = Duration::from_secs(10);

/// A referee, which can be used for any number of games and threads.
#[derive(Clone, Debug)]
pub struct Referee {
    /// The conditions that affect the result of a game.
    pub conditions: Conditions,
    /// This machine's resources for games.
    pub resources: Resources,
}

/// This machine's resources for games.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// The cores from which each game gets its own core. If this is `None`, or if no core is free, the system chooses
    /// the cores.
    pub cores: Option<Cores>,
    /// The processes of bots that play several games ([`Program::KeepAlive`]) and are waiting for the next game.
    pub idle: IdleProcesses,
    /// The prepared form of [`Conditions::bounds`].
    isolation: Option<Isolation>,
}

/// The player in a seat.
enum Sitter<'a> {
    /// A bot and its seed.
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

    /// Returns whether the player's moves come from another process.
    fn is_external(&self) -> bool {
        matches!(self, Sitter::Bot(entrant, _) if entrant.program.is_external())
    }
}

impl Referee {
    /// Creates a referee with the contest's standard limits.
    #[must_use]
    pub fn of(contest: &dyn Contest) -> Referee {
        Referee::new(Conditions::of(contest))
    }

    /// Creates a referee with these conditions, but without bounds: external bots may do everything that the user may
    /// do. See [`Referee::isolate`].
    #[must_use]
    pub fn new(conditions: Conditions) -> Referee {
        Referee { conditions: Conditions { bounds: None, ..conditions }, resources: Resources::default() }
    }

    /// Returns this referee with changed conditions.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Conditions)) -> Referee {
        change(&mut self.conditions);
        self
    }

    /// Sets the bounds for external bots, or removes them. [`Isolation::missing`] lists the bounds that this system
    /// does not enforce.
    pub fn isolate(&mut self, isolation: Option<Isolation>) {
        self.conditions.bounds = isolation.as_ref().map(|isolation| isolation.bounds().clone());
        self.resources.isolation = isolation;
    }

    /// Returns the isolation of external bots, if there is one.
    #[must_use]
    pub fn isolation(&self) -> Option<&Isolation> {
        self.resources.isolation.as_ref()
    }

    /// Plays one game between two bots. Another thread can set `stop` to end the game early. The game then ends within
    /// about 10 milliseconds or, if a bundled bot is thinking, after its answer.
    ///
    /// # Errors
    /// Returns an error only for problems that the bots did not cause.
    pub fn play(
        &self,
        contest: &dyn Contest,
        fixture: &Fixture,
        stop: &AtomicBool,
    ) -> Result<Record, GameError> {
        let [zero, one] = fixture.seats.as_slice() else {
            let (game, bots) = (contest.name(), fixture.seats.len());
            return Err(GameError::void(format!("a game of {game} needs two bots, not {bots}")));
        };
        play_until_steady(self.conditions.rematches, || {
            let sitters = [Sitter::Bot(zero, fixture.bot_seed(0)), Sitter::Bot(one, fixture.bot_seed(1))];
            self.play_seats(contest, sitters, fixture.seed, stop).map(|(record, _)| record)
        })
    }

    /// Plays a game between a person in the seat `player` and a bot. `seed` determines all randomness. If the bot
    /// fails, the game ends with the points of the current position. Returns the record and the last position. If the
    /// person has left, the record is marked as interrupted.
    ///
    /// # Errors
    /// Returns an error only for problems that the players did not cause.
    pub fn play_person(
        &self,
        contest: &dyn Contest,
        person: Box<dyn Person>,
        player: Player,
        bot: &Entrant,
        seed: u64,
    ) -> Result<(Record, Picture), GameError> {
        let referee = self.clone().with(|conditions| {
            conditions.margin = conditions.margin.max(MARGIN);
            conditions.play_on = false;
        });
        let (person, bot) = (Sitter::Person(person), Sitter::Bot(bot, seed));
        let sitters = if player == Player::Zero { [person, bot] } else { [bot, person] };
        let (record, judge) = referee.play_seats(contest, sitters, seed, &AtomicBool::new(false))?;
        Ok((record, judge.picture(None)))
    }

    /// Plays one game with these players. Returns the record, and the judge in its final state.
    fn play_seats(
        &self,
        contest: &dyn Contest,
        sitters: [Sitter<'_>; 2],
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<(Record, Box<dyn Judge>), GameError> {
        let Referee { conditions, resources } = self;
        let rules_of_game = conditions.rules_of(seed);
        let mut rules = rules_of_game.clone();
        let mut judge = contest.judge(seed, &mut rules).map_err(GameError::void)?;
        rules.finish().map_err(GameError::void)?;

        let mut questions = judge.ask();
        // Take one core for each bot that thinks at the same time. A game of bundled bots runs on one thread, and might
        // be over before it is moved.
        let cores = resources.cores.as_ref().filter(|_| sitters.iter().any(Sitter::is_external));
        let place = cores.and_then(|cores| cores.take(conditions.thinkers(questions.len())));
        let players = sitters.each_ref().map(|sitter| sitter.name().to_string());
        let limits = sitters.each_ref().map(|sitter| match sitter {
            Sitter::Bot(entrant, _) => conditions.limits_of(&entrant.program),
            Sitter::Person(_) => Limits::NONE,
        });
        let each = self.seats(contest, sitters, place.as_ref())?;
        let mut seats = Seats { each, limits, margin: conditions.margin, in_turn: conditions.in_turn };
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
                match judge_answer(judge.as_mut(), &mut seats, question.player) {
                    Judged::Accepted => {}
                    Judged::Rejected => rejected.push(question),
                    Judged::Left => interrupted = true,
                    Judged::Failed => is_stopped = !conditions.play_on,
                }
            }
            questions =
                if is_stopped || interrupted || !rejected.is_empty() { rejected } else { judge.ask() };
        }
        let farewell = judge.farewell();
        let grace = if interrupted || farewell.is_empty() { Duration::ZERO } else { conditions.grace };
        let (seats, attributes) = seats.close(farewell, grace, interrupted);
        let names = players.each_ref().map(String::as_str);
        let mut record = Record::from_judge(contest, judge.as_ref(), seed, names);
        record.seats.iter_mut().zip(seats).for_each(|(seat, report)| complete(seat, report));
        let record = Record { interrupted, rules: rules_of_game.to_string(), attributes, ..record };
        Ok((record, judge))
    }

    /// Returns whether a program can know its time limit: its command contains the limit, or the limit is at least as
    /// long as the contest's limit.
    #[must_use]
    pub fn is_known(&self, contest: &dyn Contest, program: &Program) -> bool {
        let usual = contest.info().limits;
        let is_shorter = |own: Option<Duration>, usual: Option<Duration>| {
            own.is_some_and(|own| usual.is_none_or(|usual| own < usual))
        };
        let (own, usual) = (&self.conditions.limits, &usual);
        program.is_told_the_time()
            || !(is_shorter(own.first_turn, usual.first_turn)
                || is_shorter(own.turn, usual.turn)
                || is_shorter(own.game, usual.game))
    }

    /// Returns a warning for each bot that cannot know its time limit, one sentence each.
    pub fn untold<'b>(
        &self,
        contest: &dyn Contest,
        bots: impl IntoIterator<Item = &'b Entrant>,
    ) -> Vec<String> {
        let untold = bots.into_iter().filter(|bot| !self.is_known(contest, &bot.program));
        let warning = |bot: &Entrant| {
            format!(
                "`{}` does not know that it has less time than in the contest: pass the limit in its \
                 command, for example with `--time {{time}}` (in seconds) or `{{time:ms}}`",
                bot.name
            )
        };
        untold.map(warning).collect()
    }

    /// Creates a bundled bot for a game with this referee. `seed` determines the bot's random choices.
    ///
    /// # Errors
    /// Returns an error if the bot is unknown or an option is invalid.
    pub fn bundled_bot(
        &self,
        contest: &dyn Contest,
        name: &str,
        options: &Options,
        seed: u64,
    ) -> Result<Box<dyn LineBot>, SetupError> {
        let setup = BotSetup { limits: self.conditions.bundled_limits(), seed };
        let mut options = options.clone();
        let bot = contest.bot(name, &mut options, &setup).map_err(SetupError::Contest)?;
        options.finish().map_err(SetupError::Contest)?;
        Ok(bot)
    }

    /// Returns the seats of a game. Starts each player on its own core.
    fn seats(
        &self,
        contest: &dyn Contest,
        sitters: [Sitter<'_>; 2],
        place: Option<&Place>,
    ) -> Result<[Seat; 2], GameError> {
        let mut player = Player::Zero;
        let [zero, one] = sitters.map(|sitter| {
            if let Some(place) = place {
                place.seat(player.index());
            }
            let seat = self.seat(contest, sitter, player);
            player = player.other();
            seat
        });
        if let Some(place) = place {
            place.all();
        }
        Ok([zero?, one?])
    }

    fn seat(&self, contest: &dyn Contest, sitter: Sitter<'_>, player: Player) -> Result<Seat, GameError> {
        let (entrant, seed) = match sitter {
            Sitter::Bot(entrant, seed) => (entrant, seed),
            Sitter::Person(person) => return Ok(Seat::new(player, Ok(Bot::Person(person)))),
        };
        let program = &entrant.program;
        if let Program::Bundled { bot, options } = program {
            let bot = self.bundled_bot(contest, bot, options, seed);
            let bot = bot.map(|bot| Bot::Bundled(Bundled::new(bot))).map_err(|error| error.to_string());
            return Ok(Seat::new(player, bot));
        }
        let command = match program.command(&self.conditions.limits, seed) {
            Ok(command) => command,
            Err(reason) => return Ok(Seat::new(player, Err(reason.to_string()))),
        };
        let seat = |bot| {
            let seat = Seat::new(player, bot);
            if self.is_known(contest, program) { seat } else { seat.with_unknown_time() }
        };
        if !matches!(program, Program::KeepAlive(_)) {
            return Ok(seat(self.process(&command, true)?));
        }
        let bot = match self.resources.idle.take(&command) {
            Some(process) => Ok(Bot::Process(process)),
            None => self.process(&command, false)?,
        };
        Ok(seat(bot).stays(command, &self.resources.idle))
    }

    /// Starts a process, or returns the reason why this program cannot run.
    fn process(
        &self,
        command: &CommandLine,
        dies_with_thread: bool,
    ) -> Result<Result<Bot, String>, GameError> {
        let sandbox = self.isolation().map(|isolation| &*isolation.sandbox);
        let start = Start {
            stderr_tail: self.conditions.stderr_tail,
            sandbox,
            dies_with_thread,
            ponders: self.conditions.ponder,
        };
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

/// The judge's decision about an answer.
enum Judged {
    Accepted,
    /// A person may answer again.
    Rejected,
    /// The person has left the game.
    Left,
    /// The player has failed.
    Failed,
}

/// Passes a player's answer to the judge, and an accepted answer to the opponent.
fn judge_answer(judge: &mut dyn Judge, seats: &mut Seats, player: Player) -> Judged {
    let seat = &mut seats.each[player];
    let failure = match seat.take_answer() {
        Ok(lines) => match judge.answer(player, &lines) {
            Ok(()) => {
                seats.each[player.other()].hear(player, &lines);
                return Judged::Accepted;
            }
            Err(reason) if seat.reject(&reason) => return Judged::Rejected,
            Err(reason) => seat.illegal(reason, &lines),
        },
        Err(Ending::Interrupted) => return Judged::Left,
        Err(ending) => ending,
    };
    seat.fail(failure);
    judge.fail(player);
    Judged::Failed
}

/// Completes a seat of the record with the referee's report. The ending is the game's, unless the player's own part
/// ended before.
fn complete(seat: &mut contender_play::Seat, report: contender_play::Seat) {
    let ending = if report.ending == Ending::Normal { seat.ending.clone() } else { report.ending.clone() };
    let bot = std::mem::take(&mut seat.bot);
    *seat = contender_play::Seat { bot, rank: seat.rank, points: seat.points, ending, ..report };
}

/// Plays a game, and replays it at most `rematches` times while a bot loses on time because of delays of the machine.
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

    /// Returns the number of games played and the final record, if the first `delays` games have this ending.
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
