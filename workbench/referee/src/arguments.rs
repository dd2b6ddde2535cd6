//! The conditions of games that users can choose, on the command line (feature `clap`) or in a settings file.

use crate::platform::{Cores, available_cores};
use crate::{Conditions, Entrant, Isolation, Readable, Referee, ResourceLimits, SetupError};
use contender_game::{
    contest::{Contest, Limits},
    settings::Options,
};
use contender_input::all_taken;
use serde::Deserialize;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::Duration;

// The doc comments on these fields are the help texts of the command line.

/// The conditions of games that users can choose.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ConditionArgs {
    /// Thinking time, such as `30s` or `100ms`, or a percentage of the contest's limits, such as `10%`
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME", value_parser = TimeSetting::parse))]
    pub time: Option<TimeSetting>,
    /// Maximum nodes or iterations per move of bundled bots; games are reproducible, untimed without --time
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..)))]
    pub nodes: Option<u64>,
    /// Random seed: a number, or `random`
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value = "1", value_parser = seed, allow_negative_numbers = true))]
    pub seed: u64,
    /// Start position or rule variant, such as `start=216534`; `contender games GAME` lists them
    #[cfg_attr(feature = "clap", arg(long = "setup", alias = "rule", value_name = "KEY=VALUE"))]
    pub rules: Vec<String>,
    /// File of openings, one per line, such as `start=216534 colours=12`; the seed selects one
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub openings: Option<PathBuf>,
}

impl Default for ConditionArgs {
    fn default() -> ConditionArgs {
        ConditionArgs { time: None, nodes: None, seed: 1, rules: Vec::new(), openings: None }
    }
}

impl ConditionArgs {
    /// Creates a referee for a contest under these conditions.
    ///
    /// # Errors
    /// Returns an error if the number of nodes is 0, or if the contest does not accept one of the rules.
    pub fn referee(&self, contest: &dyn Contest) -> Result<Referee, SetupError> {
        let mut conditions = Conditions::of(contest);
        if let Some(time) = self.time {
            conditions.limits = time.apply(conditions.limits);
            conditions.clock_with_nodes = true;
        }
        if self.nodes == Some(0) {
            return Err(SetupError::Nodes);
        }
        conditions.limits.nodes = self.nodes;
        conditions.rules = parse_rules(&self.rules)?;
        check_rules(contest, &conditions.rules)?;
        if let Some(path) = &self.openings {
            conditions.openings = read_openings(contest, &conditions.rules, path)?;
        }
        Ok(Referee::new(conditions))
    }

    /// Returns the limits of a bot that chooses one move, by default within this time, or without a time limit if the
    /// number of nodes is given.
    #[must_use]
    pub fn one_move(&self, time: Duration) -> Limits {
        // A separate limit for the first turn would not change with the user's setting.
        let one_move = Limits { turn: Some(time), ..Limits::NONE };
        let limits = match (self.time, self.nodes) {
            (Some(setting), _) => setting.apply(one_move),
            (None, Some(_)) => Limits::NONE,
            (None, None) => one_move,
        };
        Limits { nodes: self.nodes, ..limits }
    }
}

/// Parses rules of the form `key=value`.
///
/// # Errors
/// Returns an error if a rule has another form or is given twice.
pub fn parse_rules(rules: &[String]) -> Result<Options, SetupError> {
    let mut options = Options::rules();
    rules.iter().try_for_each(|rule| add_rule(&mut options, rule))?;
    Ok(options)
}

fn add_rule(rules: &mut Options, rule: &str) -> Result<(), SetupError> {
    let (key, value) = rule.split_once('=').ok_or_else(|| SetupError::Form(rule.to_string()))?;
    rules.add(key, value).map_err(SetupError::Contest)
}

/// Returns an error if the number of nodes is 0, or if the contest does not accept one of the rules.
fn check_rules(contest: &dyn Contest, rules: &Options) -> Result<(), SetupError> {
    let mut untaken = rules.clone();
    contest.judge(1, &mut untaken).map_err(SetupError::Contest)?;
    all_taken(untaken).map_err(|error| SetupError::Contest(error.to_string()))
}

/// Reads a file of openings. Returns the rules of each opening: the given rules, followed by the rules on the opening's
/// line, which are separated by spaces. `#` starts a comment.
fn read_openings(contest: &dyn Contest, rules: &Options, path: &Path) -> Result<Vec<Options>, SetupError> {
    let file = path.display().to_string();
    let text =
        contender_input::read_text(path).map_err(|source| SetupError::File { file: file.clone(), source })?;
    let mut openings = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        let mut opening = rules.clone();
        let added = words.iter().try_for_each(|word| add_rule(&mut opening, word));
        added.and_then(|()| check_rules(contest, &opening)).map_err(|reason| SetupError::Opening {
            file: file.clone(),
            line: number,
            reason: Box::new(reason),
        })?;
        openings.push(opening);
    }
    if openings.is_empty() {
        return Err(SetupError::NoOpenings { file, game: contest.name().to_string() });
    }
    Ok(openings)
}

/// Parses a seed, which is a number or `random`.
///
/// # Errors
/// Returns an error for any other text.
pub fn seed(text: &str) -> Result<u64, SetupError> {
    if text == "random" {
        // The standard library seeds its hashers from the system's randomness. A seed of 31 bits is easy to pass on.
        return Ok(RandomState::new().build_hasher().finish() >> 33);
    }
    contender_play::seed::parse(text).ok_or(SetupError::Seed)
}

/// The options for external programs that users can choose.
#[derive(Clone, Copy, Default, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Processes {
    /// Isolate external bots: no network, no writing, no access to other files, 1 GiB of memory
    #[cfg_attr(feature = "clap", arg(long))]
    pub isolate: bool,
    /// Memory limit of an external bot, in MiB
    #[cfg_attr(feature = "clap", arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=Processes::MAX_MEMORY)))]
    pub memory: Option<u64>,
    /// Let external bots think during their opponents' turns, each on its own core
    #[cfg_attr(feature = "clap", arg(long))]
    pub ponder: bool,
    /// Let simultaneous bots think one after the other, each with a whole core; doubles the time
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "ponder"))]
    pub in_turn: bool,
    /// Let the system schedule external bots, instead of pinning each game to its own core
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_pin: bool,
}

impl Processes {
    /// The maximum memory limit in MiB: 16 TiB.
    pub const MAX_MEMORY: u64 = 1 << 24;

    /// Returns the isolation, or `None` if the user did not ask for it.
    ///
    /// # Errors
    /// Returns an error if the memory limit is 0 or above [`Processes::MAX_MEMORY`], or if this machine cannot isolate
    /// bots.
    pub fn isolation(self) -> Result<Option<Isolation>, SetupError> {
        self.isolation_but(Vec::new())
    }

    /// Applies these options to a referee's external bots.
    ///
    /// # Errors
    /// See [`Processes::isolation`].
    pub fn put_on(self, referee: &mut Referee) -> Result<(), SetupError> {
        referee.isolate(self.isolation()?);
        referee.conditions.ponder = self.ponder;
        referee.conditions.in_turn = self.in_turn;
        Ok(())
    }

    /// Returns the isolation, with additional hidden paths: bots cannot read these paths, and paths below them, even in
    /// their own folders.
    ///
    /// # Errors
    /// See [`Processes::isolation`].
    pub fn isolation_but(self, hidden: Vec<PathBuf>) -> Result<Option<Isolation>, SetupError> {
        if self.memory.is_some_and(|mib| !(1..=Processes::MAX_MEMORY).contains(&mib)) {
            return Err(SetupError::Memory { most: Processes::MAX_MEMORY });
        }
        let mut bounds = if self.isolate { ResourceLimits::strict() } else { ResourceLimits::NONE };
        if self.isolate {
            bounds.readable = Readable::Needed { hidden, others: Vec::new() };
        }
        bounds.memory = self.memory.map(|mib| mib << 20).or(bounds.memory);
        if bounds == ResourceLimits::NONE {
            return Ok(None);
        }
        Isolation::new(&bounds).map(Some).map_err(|error| SetupError::Isolation(error.to_string()))
    }
}

/// Number of games at a time.
#[derive(Clone, Copy, Default, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ParallelGames {
    /// Number of games at a time [default: one per core]
    #[cfg_attr(feature = "clap", arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024)))]
    pub jobs: Option<u16>,
}

impl ParallelGames {
    /// Returns the number of games at a time, at least 1.
    #[must_use]
    pub fn count(self) -> usize {
        self.jobs.map_or_else(available_cores, usize::from).max(1)
    }

    /// Reserves cores for each game, if there are enough cores for all games and `processes` allows it, and isolates
    /// external bots. Cores are not reserved for only some of the games, because these games would then be at a
    /// disadvantage. Returns warnings for the user, one sentence each.
    ///
    /// # Errors
    /// See [`Processes::isolation`]. Also returns an error if the contest does not accept the rules.
    pub fn place(
        self,
        referee: &mut Referee,
        contest: &dyn Contest,
        bots: &[Entrant],
        processes: Processes,
    ) -> Result<Vec<String>, SetupError> {
        let jobs = self.count();
        processes.put_on(referee)?;
        let mut warnings: Vec<String> = referee.isolation().map_or(&[][..], Isolation::missing).to_vec();
        warnings.extend(referee.untold(contest, bots));
        let cores = Cores::new();
        let free = cores.free();
        let is_external = bots.iter().any(|bot| bot.program.is_external());
        let questions =
            contest.judge(1, &mut referee.conditions.rules_of(1).clone()).map_err(SetupError::Contest)?.ask();
        // Bundled bots think on one thread, one after the other.
        let thinkers = if is_external { referee.conditions.thinkers(questions.len()) } else { 1 };
        if jobs > free {
            let cores = if free == 1 { "core" } else { "cores" };
            warnings.push(format!(
                "{jobs} games at a time on {free} {cores}: bots must share cores and get \
                less computing time"
            ));
        } else if jobs * thinkers > free {
            warnings.push(format!(
                "{jobs} games with {thinkers} bots thinking at the same time on {free} free cores: bots \
                 must share cores and get less computing time; use `--jobs {}`{}",
                (free / thinkers).max(1),
                if processes.ponder { "" } else { " or `--in-turn`" }
            ));
        }
        referee.resources.cores = (!processes.no_pin && jobs * thinkers <= free).then_some(cores);
        Ok(warnings)
    }
}

/// A thinking time that the user chooses.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub enum TimeSetting {
    /// A time that replaces the contest's limit per game, or per turn if the contest limits turns.
    Fixed(Duration),
    /// A fraction of each limit of the contest.
    Share(f64),
}

impl TimeSetting {
    /// Parses `30s`, `100ms` or `10%`.
    ///
    /// # Errors
    /// Returns an error for any other text.
    pub fn parse(text: &str) -> Result<TimeSetting, SetupError> {
        if let Some(percent) = text.strip_suffix('%') {
            return match percent.trim().parse::<f64>() {
                Ok(percent) if percent > 0.0 && percent <= 10_000.0 => {
                    Ok(TimeSetting::Share(percent / 100.0))
                }
                _ => Err(SetupError::Share),
            };
        }
        match humantime::parse_duration(text) {
            Ok(time) if !time.is_zero() => Ok(TimeSetting::Fixed(time)),
            _ => Err(SetupError::Time),
        }
    }

    /// Returns the contest's limits with this setting applied.
    #[must_use]
    pub fn apply(self, contest: Limits) -> Limits {
        match self {
            TimeSetting::Fixed(time) if contest.game.is_some() => Limits { game: Some(time), ..contest },
            TimeSetting::Fixed(time) => Limits {
                first_turn: contest.first_turn.map(|first| first.max(time)),
                turn: Some(time),
                ..contest
            },
            TimeSetting::Share(share) => {
                let scale = |limit: Option<Duration>| limit.map(|limit| limit.mul_f64(share));
                Limits {
                    first_turn: scale(contest.first_turn),
                    turn: scale(contest.turn),
                    game: scale(contest.game),
                    ..contest
                }
            }
        }
    }
}

impl TryFrom<String> for TimeSetting {
    type Error = SetupError;

    fn try_from(text: String) -> Result<TimeSetting, SetupError> {
        TimeSetting::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let codecup = Limits::per_game(Duration::from_secs(30));
        let codingame = Limits::per_turn(Duration::from_millis(1000), Duration::from_millis(100));
        let apply = |text: &str, limits| TimeSetting::parse(text).unwrap().apply(limits);
        assert_eq!(apply("3s", codecup), Limits::per_game(Duration::from_secs(3)));
        assert_eq!(apply("10%", codecup), Limits::per_game(Duration::from_secs(3)));
        assert_eq!(
            apply("50ms", codingame),
            Limits::per_turn(Duration::from_millis(1000), Duration::from_millis(50))
        );
        assert_eq!(
            apply("50%", codingame),
            Limits::per_turn(Duration::from_millis(500), Duration::from_millis(50))
        );
        for bad in ["", "0s", "-1%", "0%", "soon", "100"] {
            assert!(TimeSetting::parse(bad).is_err(), "{bad}");
        }
    }
}
