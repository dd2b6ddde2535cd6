//! One file per command.

pub mod analyse;
mod bench;
mod bot;
pub mod challenge;
pub mod check;
pub mod dataset;
pub mod games;
pub mod league;
mod matches;
pub mod pack;
mod perft;
mod play;
mod progress;
mod referee;
pub mod relay;
mod replay;
pub mod simulate;
pub mod tournament;
pub mod train;

use crate::UsageError;
use crate::args::{Command, Conditions, Processes};
use anyhow::Context;
use contender_game::{BotSetup, Contest, Limits, LineBot, Options, Player};
use contender_referee::{Cores, Entrant, Isolation, Program, Referee};
use std::process::ExitCode;

/// Runs a command.
///
/// # Errors
/// In words for the user; a [`UsageError`] where the usage was wrong.
pub fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Games(args) => games::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::League(args) => league::run(&args),
        Command::Challenge(args) => challenge::run(&args),
        Command::Tournament(args) => tournament::run(&args),
        Command::Bot(args) => bot::run(&args),
        Command::Referee(args) => referee::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Dataset(args) => dataset::run(&args),
        Command::Pack(args) => pack::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Bench(args) => bench::run(&args),
    }
}

/// A referee under the user's conditions.
fn referee(contest: &dyn Contest, conditions: &Conditions) -> anyhow::Result<Referee> {
    let Conditions { time, nodes, .. } = *conditions;
    let conditions = contender_referee::Conditions { time, nodes, rules: rules(conditions)? };
    Ok(conditions.referee(contest).map_err(UsageError)?)
}

/// Isolates external bots as the user wants it, and keeps each of so many games at once on cores of its own, if there are as many and the user does not mind, and warns if there are not.
/// A game so kept beside games that may use all cores would be at a disadvantage.
fn place(
    referee: &mut Referee,
    contest: &dyn Contest,
    bots: &[Entrant],
    jobs: usize,
    conditions: &Conditions,
    processes: &Processes,
) -> anyhow::Result<()> {
    referee.isolation = isolation(processes)?;
    let cores = Cores::new();
    let free = cores.free();
    let is_external = bots.iter().any(|bot| !matches!(bot.program, Program::Bundled { .. }));
    let questions = contest.judge(conditions.seed, &mut referee.rules.clone()).map_err(UsageError)?.ask();
    // Bundled bots think one after the other, on one thread.
    let thinkers = if is_external { questions.len().max(1) } else { 1 };
    if jobs > free {
        eprintln!("warning: {jobs} games at once on {free} cores: bots share them and lose time");
    } else if jobs * thinkers > free {
        eprintln!(
            "warning: {jobs} games at once on {free} cores, and in each {thinkers} bots think at once: they share cores and lose time; \
             `--jobs {}` would not",
            (free / thinkers).max(1)
        );
    }
    referee.cores = (!processes.no_pin && jobs * thinkers <= free).then_some(cores);
    Ok(())
}

/// What external bots may use, as far as the user wants it limited; warns of what this system does not enforce.
fn isolation(processes: &Processes) -> anyhow::Result<Option<Isolation>> {
    let processes = contender_referee::Processes { isolate: processes.isolate, memory: processes.memory };
    let isolation = processes.isolation().map_err(UsageError)?;
    for sentence in isolation.iter().flat_map(Isolation::missing) {
        eprintln!("warning: {sentence}");
    }
    Ok(isolation)
}

fn rules(conditions: &Conditions) -> anyhow::Result<Options> {
    let mut rules = Options::rules();
    for rule in &conditions.rules {
        let (key, value) =
            rule.split_once('=').ok_or_else(|| UsageError(format!("rule `{rule}` is not key=value")))?;
        rules.add(key, value).map_err(UsageError)?;
    }
    Ok(rules)
}

fn entrant(contest: &dyn Contest, text: &str) -> anyhow::Result<Entrant> {
    Entrant::parse(contest, text).map_err(|error| UsageError(error.to_string()).into())
}

/// Refuses different bots of one name: nobody could tell their results apart.
fn distinguishable(a: &Entrant, b: &Entrant) -> anyhow::Result<()> {
    if a.name != b.name || a.program == b.program {
        return Ok(());
    }
    Err(UsageError(format!("two different bots are called `{}`; name them apart", a.name)).into())
}

/// A bundled bot: the one named, or the strongest.
fn bundled_bot(
    contest: &dyn Contest,
    text: Option<&str>,
    conditions: &Conditions,
    referee: &Referee,
) -> anyhow::Result<Box<dyn LineBot>> {
    let (bot, mut options) = bundled_name(contest, text)?;
    // As in a match, where a bundled bot with a node budget has a clock only if the user wants one.
    let is_clocked = referee.nodes.is_none() || conditions.time.is_some();
    let limits = if is_clocked { referee.limits } else { Limits::NONE };
    let setup = BotSetup { limits: Limits { nodes: referee.nodes, ..limits }, seed: conditions.seed };
    Ok(contest.bot(&bot, &mut options, &setup).map_err(UsageError)?)
}

/// The name and the options of a bundled bot: the one named, or the strongest.
fn bundled_name(contest: &dyn Contest, text: Option<&str>) -> anyhow::Result<(String, Options)> {
    let text =
        text.or(contest.info().bots.last().map(|bot| bot.name)).context("the game has no bundled bot")?;
    let name = text.split(':').next().unwrap_or_default();
    if contest.info().bots.iter().all(|bot| bot.name != name) {
        return Err(UsageError(contest.unknown_bot(name)).into());
    }
    match entrant(contest, text)?.program {
        Program::Bundled { bot, options } => Ok((bot, options)),
        _ => unreachable!("the name is a bundled bot's"),
    }
}

/// A seat as users write it: its name, or 0 or 1.
fn seat(contest: &dyn Contest, text: &str) -> anyhow::Result<Player> {
    let seats = contest.info().seats;
    let is_meant =
        |player: &Player| text == player.index().to_string() || text.eq_ignore_ascii_case(seats[*player]);
    Player::BOTH.into_iter().find(is_meant).ok_or_else(|| {
        let [zero, one] = seats;
        UsageError(format!("{} has no seat `{text}`; it has: {zero} (0), {one} (1)", contest.name())).into()
    })
}

/// What a build without the feature `learn` says.
#[cfg(not(feature = "learn"))]
fn without_learning(command: &str) -> anyhow::Error {
    let words =
        format!("this build has no `{command}`; build it with `cargo build --release --features learn`");
    UsageError(words).into()
}
