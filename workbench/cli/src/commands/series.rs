//! `contender match --referee` and `contender tournament --referee`: games that another program referees.

use crate::arguments::two_numbers;
use crate::error::UsageError;
use crate::interrupt::{interrupted, stop_flag};
use crate::progress::progress_bar;
use crate::setup::open_log;
use clap::Args as ClapArgs;
use contender_foreign::{Bot, Event, ForeignReferee, Record, Series, SeriesEnd, SeriesReport, progress};
use contender_referee::Jobs;
use contender_stats::{LEAST_PAIRS, SequentialTest};
use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Who referees, and how.
#[derive(ClapArgs, Clone, Debug)]
pub struct RefereeOptions {
    /// A referee that `contender referee add` has made, by its name, or a command that plays one game: one for
    /// CodinGame's referees and cg-brutaltester's, or with {P1} {P2} {SEED} in it, as psyleague and CG Arena call one
    #[arg(long, value_name = "REFEREE")]
    pub referee: String,
    /// CodinGame's league, where the referee has several; the last one, with all rules, if it is not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..20))]
    pub league: Option<u32>,
    /// The least time of a turn, where the referee takes one (`-timeout`)
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub time: Option<Duration>,
    /// A game that is not over by then is ended, and void
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "200s")]
    pub game_time: Duration,
    /// Keep the referee's log of each game in this folder
    #[arg(long, value_name = "FOLDER")]
    pub logs: Option<PathBuf>,
}

impl RefereeOptions {
    /// The referee, and the most players of its games where that is known.
    pub fn open(&self) -> anyhow::Result<(ForeignReferee, Option<usize>)> {
        let (mut referee, installed) = contender_foreign::open(&self.referee).map_err(UsageError)?;
        let most = installed.map(|installed| installed.players[1]);
        referee.league = self.league.or(referee.league);
        referee.time = self.time;
        referee.limit = self.game_time;
        if let Some(folder) = &self.logs {
            std::fs::create_dir_all(folder)
                .map_err(|error| UsageError(format!("{}: {error}", folder.display())))?;
            referee.logs = Some(folder.canonicalize()?);
        }
        Ok((referee, most))
    }
}

/// `contender match --referee`, `contender tournament --referee`
#[derive(ClapArgs)]
#[command(
    override_usage = "contender match --referee REFEREE [OPTIONS] BOT BOT [BOT BOT]\n       contender tournament --referee REFEREE [OPTIONS] BOT BOT BOT...",
    after_help = "A BOT is a quoted command line of any program that speaks the challenge's protocol (`\"python3 bot.py\"`), or `name=command`. \
`docs/referees.md` has the whole way from a challenge's folder to a league."
)]
pub struct SeriesArgs {
    #[command(flatten)]
    pub referee: RefereeOptions,
    /// The bots
    #[arg(value_name = "BOT", num_args = 2.., required = true)]
    pub bots: Vec<String>,
    /// Players of a game; without it all bots in a match, and two in a tournament
    #[arg(long, value_parser = clap::value_parser!(u16).range(2..=8))]
    pub players: Option<u16>,
    /// Rounds to play: every bot sits in every seat once with the same luck; with --sprt the most rounds
    #[arg(short = 'n', long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rounds: u32,
    /// Of two bots: stop as soon as a sequential test decides between "the first bot is ahead by LO Elo" and "by HI"
    #[arg(long, value_name = "LO,HI", value_parser = two_numbers, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
    /// Probability that the test accepts HI where LO is true
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_name = "P")]
    pub alpha: f64,
    /// Probability that the test accepts LO where HI is true
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_name = "P")]
    pub beta: f64,
    /// The seed of all luck
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub jobs: Jobs,
    /// Append every finished game to this file, one JSON object a line; games of this series that are in it already are
    /// not played again
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    /// Do not show progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// Plays and reports; in a match all bots meet in every game.
pub fn run(args: &SeriesArgs, is_match: bool) -> anyhow::Result<ExitCode> {
    let (referee, most) = args.referee.open()?;
    let bots = Bot::list(args.bots.iter().map(String::as_str)).map_err(UsageError)?;
    let players = args.players.map_or(if is_match { bots.len() } else { 2 }, usize::from);
    if players > bots.len() || players > most.unwrap_or(8) {
        let words = format!(
            "a game of {players} players, with {} bots, by a referee of at most {}",
            bots.len(),
            most.unwrap_or(8)
        );
        return Err(UsageError(words).into());
    }
    if args.sprt.is_some() && (bots.len() != 2 || u64::from(args.rounds) < LEAST_PAIRS) {
        let words = format!("--sprt is for two bots and at least {LEAST_PAIRS} rounds");
        return Err(UsageError(words).into());
    }
    let test = args
        .sprt
        .map(|[h0, h1]| SequentialTest::new(h0, h1, args.alpha, args.beta))
        .transpose()
        .map_err(UsageError)?;
    let series = Series {
        referee: &referee,
        bots: &bots,
        players,
        rounds: args.rounds,
        seed: args.seed,
        jobs: args.jobs.count(),
        test,
    };
    let known = match &args.log {
        Some(path) if path.exists() => {
            let (known, problems) = Record::read_all(BufReader::new(contender_input::open(path)?))?;
            problems.iter().for_each(|problem| say!("warning: {}: {problem}", path.display()));
            known
        }
        _ => Vec::new(),
    };
    let mut log = args.log.as_ref().map(|path| open_log(path)).transpose()?;
    let stop = stop_flag()?;
    let bar = progress_bar(args.quiet);
    bar.set_length(series.slots().len() as u64);
    let course =
        series.run(&known, &stop, log.as_mut().map(|file| file as &mut dyn Write), &mut |event, course| {
            if let Event::Void { players, reason } = event {
                bar.suspend(|| say!("void: {}: {reason}", players.join(" - ")));
            }
            bar.set_position(course.games.len() as u64 + course.voids);
            bar.set_message(progress(&series, course));
        });
    bar.finish_and_clear();
    let report = SeriesReport::of(&series, &course);
    let text = if args.json { serde_json::to_string_pretty(&report)? + "\n" } else { report.text() };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(match course.end {
        SeriesEnd::Failed(_) => ExitCode::FAILURE,
        SeriesEnd::Interrupted => interrupted(),
        SeriesEnd::Complete | SeriesEnd::Decided => ExitCode::SUCCESS,
    })
}
