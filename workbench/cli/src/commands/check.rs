//! `contender check`: whether a bot keeps its judge's protocol and clock, before it joins an arena.

use crate::arguments::game_parser;
use crate::error::UsageError;
use crate::interrupt::stop_flag;
use crate::setup::{entrant, isolation, open_log, referee};
use clap::Args as ClapArgs;
use contender_game::Contest;
use contender_referee::checker::Checker;
use contender_referee::{Conditions, Processes, Referee};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// `contender check`
#[derive(ClapArgs)]
#[command(after_help = "Exit code 1 if a check fails. Warnings do not fail.")]
pub struct CheckArgs {
    /// The game
    #[arg(value_parser = game_parser())]
    game: &'static dyn Contest,
    /// The bot's command line, in quotes
    #[arg(value_name = "COMMAND")]
    bot: String,
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
    let bot = entrant(args.game, &args.bot)?;
    let referee = Referee { isolation: isolation(args.processes)?, ..referee(args.game, &args.conditions)? };
    let checker = Checker::new(args.game, referee, &bot, args.conditions.seed).map_err(UsageError)?;
    let mut log = args.log.as_ref().map(|path| open_log(path)).transpose()?;
    let log = log.as_mut().map(|file| file as &mut dyn Write);
    let stop = stop_flag()?;
    let report = checker.run(&args.bot, args.games, log, &stop)?;
    let text = if args.json { serde_json::to_string_pretty(&report)? + "\n" } else { report.text() };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(if report.passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
