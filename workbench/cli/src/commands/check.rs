//! `contender check`: checks that a bot follows its judge's protocol and time limits before the bot joins an arena.

use crate::error::UsageError;
use crate::setup::{External, entrant, external_bots, open_log, put_on, referee};
use crate::signals::stop_flag;
use anyhow::Context;
use clap::Args as ClapArgs;
use contender_catalogue::{find, unknown_game};
use contender_foreign::Checking;
use contender_play::{Entrant, GameError, Host, Record};
use contender_referee::checker::{Check, CheckReport, CheckStatus, Checker};
use contender_referee::{ConditionArgs, Processes, TimeSetting, facilities};
use contender_site::Case;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// `contender check`
#[derive(ClapArgs)]
#[command(
    after_help = "The exit code is 1 if a check fails. Warnings do not change the exit code.",
    override_usage = "contender check [OPTIONS] <GAME> <COMMAND>\n       contender check [OPTIONS] --referee <REFEREE> <COMMAND> [OTHER]\n       contender check [OPTIONS] --cases <FOLDER> <COMMAND>\n       contender check --isolation"
)]
pub struct CheckArgs {
    /// Game and quoted command; with --referee, the command, and optionally a command for the other seats
    #[arg(value_name = "GAME|COMMAND", required_unless_present = "isolation", num_args = 1..=2)]
    words: Vec<String>,
    #[command(flatten)]
    external: External,
    /// With --referee: number of bots per game [default: the referee's minimum]
    #[arg(long, value_name = "N", requires = "referee", value_parser = clap::value_parser!(u16).range(2..=8))]
    players: Option<u16>,
    /// Show which isolation guarantees this machine can give, and how to improve them
    #[arg(long, conflicts_with = "words")]
    isolation: bool,
    /// Folder with test cases from `site case`; the bot runs these cases instead of games
    #[arg(long, value_name = "FOLDER", conflicts_with = "referee")]
    cases: Option<PathBuf>,
    /// Number of games in each seat
    #[arg(short = 'n', long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    games: u32,
    #[command(flatten)]
    conditions: ConditionArgs,
    #[command(flatten)]
    processes: Processes,
    /// Accepted for consistency with other commands, but ignored: a check plays one game at a time and shows no
    /// progress
    #[arg(short, long, hide = true, value_name = "N")]
    jobs: Option<u16>,
    #[arg(short, long, hide = true)]
    quiet: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Log file, to which every game is appended as a line of JSON
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    if args.isolation {
        return tell_facilities(args.json);
    }
    if let Some(folder) = &args.cases {
        return check_cases(args, folder);
    }
    if args.external.referee.is_some() {
        return check_externally(args);
    }
    let [game, bot] = args.words.as_slice() else {
        return Err(UsageError(
            "expected a game and the command line of a bot\nhint: `contender check GAME \"python3 bot.py\"`"
                .to_string(),
        )
        .into());
    };
    let game = find(game).ok_or_else(|| UsageError(unknown_game(game)))?;
    let entrant = entrant(game, bot)?;
    let mut referee = referee(game, &args.conditions)?;
    put_on(&mut referee, args.processes)?;
    referee.untold(game, [&entrant]).iter().for_each(|sentence| say!("warning: {sentence}"));
    let checker = Checker::new(game, referee, &entrant, args.conditions.seed).map_err(UsageError::new)?;
    let mut log = args.log.as_ref().map(|path| open_log(path)).transpose()?;
    let log = log.as_mut().map(|file| file as &mut dyn Write);
    let stop = stop_flag()?;
    let report = checker.run(bot, args.games, log, &stop)?;
    print(&report, args.json)
}

fn print(report: &CheckReport, as_json: bool) -> anyhow::Result<ExitCode> {
    let text = if as_json { serde_json::to_string_pretty(report)? + "\n" } else { report.text() };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(if report.passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The time limit for a bot in a test case, unless the user sets one.
const CASE_TIME: Duration = Duration::from_secs(10);

/// Runs a bot on test cases, each a single turn of a battle.
fn check_cases(args: &CheckArgs, folder: &Path) -> anyhow::Result<ExitCode> {
    let words = args.words.last().map_or("", String::as_str);
    let bot = Entrant::parse_command(words).map_err(|error| UsageError(error.to_string()))?;
    let line = bot.program.command_line().expect("the bot is a command");
    let time = match args.conditions.time {
        None => CASE_TIME,
        Some(TimeSetting::Fixed(time)) => time,
        Some(TimeSetting::Share(_)) => {
            return Err(UsageError(
                "invalid `--time`: cases need a time limit, not a percentage\n\
                            hint: for example `--time 100ms`"
                    .to_string(),
            )
            .into());
        }
    };
    let cases = Case::read_all(folder).map_err(|error| UsageError(error.to_string()))?;
    if cases.is_empty() {
        return Err(UsageError(format!("{} contains no test cases", folder.display())).into());
    }
    let stop = stop_flag()?;
    let check = |(name, case): &(String, Case)| match case.run(line, time, &stop) {
        Ok(()) => Check::new(name, CheckStatus::Pass, "", ""),
        Err(failure) => Check::new(name, CheckStatus::Fail, failure.to_string(), case.battle.clone()),
    };
    let checks: Vec<Check> = cases.iter().map(check).collect();
    let passed = checks.iter().all(|check| check.status == CheckStatus::Pass);
    let game = format!("{} cases", checks.len());
    print(&CheckReport { game, command: words.to_string(), passed, checks }, args.json)
}

/// Plays a few games in each seat with an external referee.
fn check_externally(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let _ = (args.jobs, args.quiet);
    let referee = args.external.open(args.conditions.time)?.expect("a referee is named");
    let seats = referee.seats();
    let players = args.players.map_or((*seats.start()).max(2), usize::from);
    if !seats.contains(&players) {
        let words = format!(
            "invalid number of players {players}: {} takes {} to {}",
            referee.game(),
            seats.start(),
            seats.end()
        );
        return Err(UsageError(words).into());
    }
    let bots = external_bots(&args.words)?;
    let other = bots.get(1).unwrap_or(&bots[0]);
    let mut log = args.log.as_ref().map(|path| open_log(path)).transpose()?;
    let mut written = Ok(());
    let mut write = |record: &Record| {
        if let (Some(file), Ok(())) = (log.as_mut(), &written) {
            written = record.write_to(file);
        }
    };
    let checking = Checking { players, games: args.games, seed: args.conditions.seed };
    let report = contender_foreign::check(
        &referee,
        referee.game(),
        [&bots[0], other],
        checking,
        &*stop_flag()?,
        &mut write,
    );
    written.context("cannot write the log of games")?;
    match report {
        Ok(report) => print(&report, args.json),
        Err(GameError::Stopped) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error.into()),
    }
}

/// Prints a line for each isolation guarantee. The line shows whether this machine can give the guarantee, and how.
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
        text.extend(remedies.iter().map(|remedy| format!("hint: {remedy}\n")));
    }
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
