//! From what users write to what the crates that do the work take. What is wrong is a [`UsageError`].

use crate::error::UsageError;
use crate::interrupt::interrupted;
use anyhow::Context;
use contender_arena::MatchEnd;
use contender_game::{Contest, LineBot, Options, Player};
use contender_referee::{Conditions, Entrant, Isolation, Jobs, Processes, Program, Referee};
use std::fs::File;
use std::path::Path;
use std::process::ExitCode;

/// A referee under the user's conditions.
pub fn referee(contest: &dyn Contest, conditions: &Conditions) -> anyhow::Result<Referee> {
    Ok(conditions.referee(contest).map_err(UsageError)?)
}

/// Isolates external bots as the user wants it and places so many games at once on cores; warns of what is not as it should be.
pub fn place(
    referee: &mut Referee,
    contest: &dyn Contest,
    bots: &[Entrant],
    jobs: Jobs,
    processes: Processes,
) -> anyhow::Result<()> {
    let warnings = jobs.place(referee, contest, bots, processes).map_err(UsageError)?;
    warnings.iter().for_each(|sentence| eprintln!("warning: {sentence}"));
    Ok(())
}

/// What external bots may use, as far as the user wants it limited; warns of what this system does not enforce.
pub fn isolation(processes: Processes) -> anyhow::Result<Option<Isolation>> {
    let isolation = processes.isolation().map_err(UsageError)?;
    for sentence in isolation.iter().flat_map(Isolation::missing) {
        eprintln!("warning: {sentence}");
    }
    Ok(isolation)
}

/// Opens a log of games to append to it.
pub fn open_log(path: &Path) -> anyhow::Result<File> {
    contender_referee::log::append_to(path).with_context(|| format!("cannot write {}", path.display()))
}

/// What the shell is told of how matches ended.
pub fn exit_code(end: &MatchEnd) -> ExitCode {
    match end {
        MatchEnd::Failed { .. } => ExitCode::FAILURE,
        MatchEnd::Interrupted => interrupted(),
        _ => ExitCode::SUCCESS,
    }
}

/// A bot as users write it.
pub fn entrant(contest: &dyn Contest, text: &str) -> anyhow::Result<Entrant> {
    Entrant::parse(contest, text).map_err(|error| UsageError(error.to_string()).into())
}

/// Refuses different bots of one name: nobody could tell their results apart.
pub fn distinguishable(a: &Entrant, b: &Entrant) -> anyhow::Result<()> {
    if a.name != b.name || a.program == b.program {
        return Ok(());
    }
    Err(UsageError(format!("two different bots are called `{}`; name them apart", a.name)).into())
}

/// A bundled bot for a game under a referee: the one named, or the strongest.
pub fn bundled_bot(
    contest: &dyn Contest,
    text: Option<&str>,
    conditions: &Conditions,
    referee: &Referee,
) -> anyhow::Result<Box<dyn LineBot>> {
    let (bot, options) = bundled_name(contest, text)?;
    Ok(referee.bundled_bot(contest, &bot, &options, conditions.seed).map_err(UsageError)?)
}

/// The name and the options of a bundled bot: the one named, or the strongest.
pub fn bundled_name(contest: &dyn Contest, text: Option<&str>) -> anyhow::Result<(String, Options)> {
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
pub fn seat(contest: &dyn Contest, text: &str) -> anyhow::Result<Player> {
    let seats = contest.info().seats;
    let is_meant =
        |player: &Player| text == player.index().to_string() || text.eq_ignore_ascii_case(seats[*player]);
    Player::BOTH.into_iter().find(is_meant).ok_or_else(|| {
        let [zero, one] = seats;
        UsageError(format!("{} has no seat `{text}`; it has: {zero} (0), {one} (1)", contest.name())).into()
    })
}
