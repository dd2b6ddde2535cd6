//! `contender check`: whether a bot keeps its judge's protocol and clock, before it joins an arena.

use crate::arguments::game_parser;
use crate::error::UsageError;
use crate::interrupt::stop_flag;
use crate::setup::{entrant, isolation, open_log, referee};
use clap::Args as ClapArgs;
use contender_game::Contest;
use contender_referee::checker::Checker;
use contender_referee::{Conditions, Processes, Referee, facilities};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// `contender check`
#[derive(ClapArgs)]
#[command(after_help = "Exit code 1 if a check fails. Warnings do not fail.")]
pub struct CheckArgs {
    /// The game
    #[arg(value_parser = game_parser(), required_unless_present = "isolation")]
    game: Option<&'static dyn Contest>,
    /// The bot's command line, in quotes
    #[arg(value_name = "COMMAND", required_unless_present = "isolation")]
    bot: Option<String>,
    /// Say what this machine offers to keep bots apart, and how to get the best of it
    #[arg(long, conflicts_with_all = ["game", "bot"])]
    isolation: bool,
    /// Games in each seat
    #[arg(short = 'n', long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    games: u32,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    processes: Processes,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    /// Append every game to this file, one JSON object a line, for `contender replay`
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let (Some(game), Some(bot)) = (args.game, &args.bot) else { return tell_facilities(args.json) };
    let entrant = entrant(game, bot)?;
    let referee = Referee {
        isolation: isolation(args.processes)?,
        ponder: args.processes.ponder,
        ..referee(game, &args.conditions)?
    };
    referee.untold(game, [&entrant]).iter().for_each(|sentence| say!("warning: {sentence}"));
    let checker = Checker::new(game, referee, &entrant, args.conditions.seed).map_err(UsageError)?;
    let mut log = args.log.as_ref().map(|path| open_log(path)).transpose()?;
    let log = log.as_mut().map(|file| file as &mut dyn Write);
    let stop = stop_flag()?;
    let report = checker.run(bot, args.games, log, &stop)?;
    let text = if args.json { serde_json::to_string_pretty(&report)? + "\n" } else { report.text() };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(if report.passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What this machine offers, a line for each promise.
fn tell_facilities(as_json: bool) -> anyhow::Result<ExitCode> {
    let facilities = facilities();
    let mut text = String::new();
    if as_json {
        text = serde_json::to_string_pretty(&facilities)? + "\n";
    } else {
        for facility in &facilities {
            let word = if facility.holds { "HOLDS" } else { "WEAK" };
            text += &format!("{word:<6} {:<32} {}\n", facility.what, facility.how);
        }
        let mut remedies: Vec<&str> = facilities.iter().map(|facility| facility.remedy).collect();
        remedies.retain(|remedy| !remedy.is_empty());
        remedies.dedup();
        text.extend(remedies.iter().map(|remedy| format!("for more: {remedy}\n")));
    }
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
