//! One file per command.

pub mod analyse;
mod bench;
mod bot;
pub mod challenge;
pub mod check;
pub mod dataset;
mod games;
pub mod league;
mod matches;
pub mod pack;
mod perft;
mod play;
mod referee;
pub mod relay;
mod replay;
pub mod simulate;
pub mod tournament;
pub mod train;

use crate::UsageError;
use crate::args::{Command, Conditions};
use anyhow::Context;
use contender_game::{BotSetup, Budget, Contest, LineBot, Options};
use contender_referee::{Bounds, Cores, Entrant, Isolation, Program, Referee};
use std::process::ExitCode;

/// Runs a command.
///
/// # Errors
/// In words for the user; a [`UsageError`] where the usage was wrong.
pub fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Games => games::run(),
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
    let mut referee = Referee::of(contest);
    if let Some(time) = conditions.time {
        referee.limits = time.apply(referee.limits);
        referee.clock_with_nodes = true;
    }
    referee.nodes = conditions.nodes;
    referee.rules = rules(conditions)?;
    referee.isolation = isolation(conditions)?;
    // A judge is made once to find out now whether it takes the rules.
    let mut options = referee.rules.clone();
    contest.judge(conditions.seed, &mut options).and_then(|_| options.finish()).map_err(UsageError)?;
    Ok(referee)
}

/// Keeps each of so many games at once on cores of its own, if there are as many and the user does not mind, and warns if there are not.
/// A game so kept beside games that may use all cores would be at a disadvantage.
fn place(
    referee: &mut Referee,
    contest: &dyn Contest,
    bots: &[Entrant],
    jobs: usize,
    conditions: &Conditions,
) -> anyhow::Result<()> {
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
    referee.cores = (!conditions.no_pin && jobs * thinkers <= free).then_some(cores);
    Ok(())
}

/// What external bots may use, as far as the user wants it limited; warns of what this system does not enforce.
fn isolation(conditions: &Conditions) -> anyhow::Result<Option<Isolation>> {
    let mut bounds = if conditions.isolate { Bounds::strict() } else { Bounds::NONE };
    bounds.memory = conditions.memory.map(|mib| mib << 20).or(bounds.memory);
    if bounds == Bounds::NONE {
        return Ok(None);
    }
    let isolation = Isolation::new(&bounds).context("bots cannot be isolated")?;
    for sentence in isolation.missing() {
        eprintln!("warning: {sentence}");
    }
    Ok(Some(isolation))
}

fn rules(conditions: &Conditions) -> anyhow::Result<Options> {
    let mut rules = Options::default();
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

/// A bundled bot: the one named, or the strongest.
fn bundled_bot(
    contest: &dyn Contest,
    text: Option<&str>,
    conditions: &Conditions,
    referee: &Referee,
) -> anyhow::Result<Box<dyn LineBot>> {
    let (bot, mut options) = bundled_name(contest, text)?;
    let setup =
        BotSetup { budget: Budget { limits: referee.limits, nodes: referee.nodes }, seed: conditions.seed };
    Ok(contest.bot(&bot, &mut options, &setup).map_err(UsageError)?)
}

/// The name and the options of a bundled bot: the one named, or the strongest.
fn bundled_name(contest: &dyn Contest, text: Option<&str>) -> anyhow::Result<(String, Options)> {
    let text =
        text.or(contest.info().bots.last().map(|bot| bot.name)).context("the game has no bundled bot")?;
    match entrant(contest, text)?.program {
        Program::Bundled { bot, options } => Ok((bot, options)),
        _ => Err(UsageError(contest.unknown_bot(text)).into()),
    }
}

/// What a build without the feature `learn` says.
#[cfg(not(feature = "learn"))]
fn without_learning(command: &str) -> anyhow::Error {
    let words =
        format!("this build has no `{command}`; build it with `cargo build --release --features learn`");
    UsageError(words).into()
}
