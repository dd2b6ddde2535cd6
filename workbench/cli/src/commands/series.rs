//! `contender match`, `tournament`, `challenge` and `check` with `--referee`: games that another program referees.

use crate::commands::challenge::{Stages, Told, told_in_full};
use crate::error::UsageError;
use crate::interrupt::stop_flag;
use crate::progress::progress_bar;
use crate::remote::On;
use crate::setup::{Sprt, exit_code, open_log};
use anyhow::Context;
use clap::Args as ClapArgs;
use contender_arena::{Bout, RankedBy};
use contender_foreign::{
    Bot, Challenge, Checking, Event, ForeignReferee, Played, Record, Series, SeriesReport, progress,
};
use contender_referee::Jobs;
use contender_stats::SequentialTest;
use indicatif::ProgressBar;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
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
    /// How often a game is played again that the referee itself has failed at
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub retries: u32,
    /// Keep the referee's log of each game in this folder
    #[arg(long, value_name = "FOLDER")]
    pub logs: Option<PathBuf>,
}

impl RefereeOptions {
    /// The referee, and the most players of its games where that is known.
    pub fn open(&self) -> anyhow::Result<(ForeignReferee, Option<usize>)> {
        let (mut referee, installed) = contender_foreign::open(&self.referee).map_err(UsageError)?;
        let most = installed.map(|installed| installed.players[1]);
        referee = referee.with(self.league, self.time).map_err(UsageError)?;
        referee.retries = self.retries;
        referee.limit = self.game_time;
        if let Some(folder) = &self.logs {
            std::fs::create_dir_all(folder)
                .map_err(|error| UsageError(format!("{}: {error}", folder.display())))?;
            referee.logs = Some(folder.canonicalize()?);
        }
        Ok((referee, most))
    }
}

/// What every command takes that plays series of games.
#[derive(ClapArgs)]
pub struct Play {
    #[command(flatten)]
    pub referee: RefereeOptions,
    /// The seed of all luck
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub jobs: Jobs,
    /// Append every finished game to this file, one JSON object a line; games of this series that are in it already
    /// are not played again
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    /// Do not show progress
    #[arg(short, long)]
    pub quiet: bool,
}

impl Play {
    /// The referee, whose games are played where the user wants them, how many of them are out at once, and the most
    /// players of a game where that is known.
    fn open(&self, on: &On) -> anyhow::Result<(ForeignReferee, usize, Option<usize>)> {
        on.has_own_clock()?;
        let (mut referee, most) = self.referee.open()?;
        referee.play_on(on.machines(self.log.as_deref())?).map_err(UsageError)?;
        Ok((referee, on.jobs(self.jobs).count(), most))
    }

    /// The games that are in the log already, and the log to write on.
    fn journal(&self) -> anyhow::Result<(Vec<Record>, Option<File>)> {
        let Some(path) = &self.log else { return Ok((Vec::new(), None)) };
        let mut known = Vec::new();
        if path.exists() {
            let (games, problems) = Record::read_all(BufReader::new(contender_input::open(path)?))?;
            problems.iter().for_each(|problem| say!("warning: {}: {problem}", path.display()));
            known = games;
        }
        Ok((known, Some(open_log(path)?)))
    }
}

/// What a bot is here.
const BOT_HELP: &str = "A BOT is a quoted command line of any program that speaks the challenge's protocol \
(`\"python3 bot.py\"`), or `name=command`. `docs/referees.md` has the whole way from a challenge's folder to a league.";

/// `contender match --referee`, `contender tournament --referee`
#[derive(ClapArgs)]
#[command(
    override_usage = "contender match --referee REFEREE [OPTIONS] BOT BOT [BOT BOT]\n       contender tournament --referee REFEREE [OPTIONS] BOT BOT BOT...",
    after_help = BOT_HELP
)]
pub struct SeriesArgs {
    #[command(flatten)]
    pub play: Play,
    /// The bots
    #[arg(value_name = "BOT", num_args = 2.., required = true)]
    pub bots: Vec<String>,
    /// Players of a game; without it all bots in a match, and two in a tournament
    #[arg(long, value_parser = clap::value_parser!(u16).range(2..=8))]
    pub players: Option<u16>,
    /// Rounds to play: every bot sits in every seat once with the same luck; with --sprt the most rounds
    #[arg(short = 'n', long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rounds: u32,
    #[command(flatten)]
    pub sprt: Sprt,
    #[command(flatten)]
    pub on: On,
}

/// Plays and reports; in a match all bots meet in every game.
pub fn run(args: &SeriesArgs, is_match: bool) -> anyhow::Result<ExitCode> {
    let (referee, jobs, most) = args.play.open(&args.on)?;
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
    if args.sprt.sprt.is_some() && bots.len() != 2 {
        return Err(UsageError("--sprt is for two bots".to_string()).into());
    }
    let test = args.sprt.test(args.rounds)?;
    let series = Series {
        referee: &referee,
        bots: &bots,
        players,
        rounds: args.rounds,
        seed: args.play.seed,
        jobs,
        test,
    };
    let (known, mut log) = args.play.journal()?;
    let stop = stop_flag()?;
    let bar = progress_bar(args.play.quiet);
    bar.set_length(series.slots().len() as u64);
    let log = log.as_mut().map(|file| file as &mut dyn Write);
    let course = series.run(&known, &stop, log, &mut |event, course| {
        tell_void(&bar, event);
        bar.set_position(course.games.len() as u64 + course.voids);
        bar.set_message(progress(&series, course));
    });
    bar.finish_and_clear();
    let report = SeriesReport::of(&series, &course);
    let text = if args.play.json { serde_json::to_string_pretty(&report)? + "\n" } else { report.text() };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(exit_code(&course.end))
}

fn tell_void(bar: &ProgressBar, event: Event<'_>) {
    if let Event::Void { players, reason } = event {
        bar.suspend(|| say!("void: {}: {reason}", players.join(" - ")));
    }
}

/// `contender challenge --referee`
#[derive(ClapArgs)]
#[command(
    override_usage = "contender challenge --referee REFEREE [OPTIONS] CANDIDATE BENCHMARK...",
    after_help = BOT_HELP
)]
pub struct ChallengeArgs {
    #[command(flatten)]
    pub play: Play,
    /// The new version
    pub candidate: String,
    /// The bots it is compared with; the first is the one that it is to replace
    #[arg(required = true, value_name = "BENCHMARK")]
    pub benchmarks: Vec<String>,
    #[command(flatten)]
    pub stages: Stages,
    #[command(flatten)]
    pub on: On,
}

/// Plays the stages and says whether the candidate replaces the first benchmark.
pub fn challenge(args: &ChallengeArgs) -> anyhow::Result<ExitCode> {
    let (referee, jobs, _) = args.play.open(&args.on)?;
    let texts = std::iter::once(&args.candidate).chain(&args.benchmarks);
    let bots = Bot::list(texts.map(String::as_str)).map_err(UsageError)?;
    let (candidate, benchmarks) = bots.split_first().expect("the candidate is there");
    let [h0, h1] = args.stages.sprt.unwrap_or([0.0, 20.0]);
    let challenge = Challenge {
        referee: &referee,
        candidate,
        benchmarks,
        pairs: [args.stages.few, args.stages.more, args.stages.most],
        test: SequentialTest::new(h0, h1, 0.05, 0.05).map_err(UsageError)?,
        seed: args.play.seed,
        jobs,
    };
    let (known, mut log) = args.play.journal()?;
    let stop = stop_flag()?;
    let bar = progress_bar(args.play.quiet);
    let log = log.as_mut().map(|file| file as &mut dyn Write);
    let bouts = challenge.run(&known, &stop, log, &mut |stage, benchmark, event, course| {
        tell_void(&bar, event);
        bar.set_length(2 * u64::from(challenge.pairs[stage as usize - 1]));
        bar.set_position(course.games.len() as u64 + course.voids);
        bar.set_message(format!("stage {stage}, {}", benchmarks[benchmark].name));
    });
    bar.finish_and_clear();
    let text = if args.play.json {
        serde_json::to_string_pretty(&bouts)? + "\n"
    } else {
        let names: Vec<&str> = benchmarks.iter().map(|bot| bot.name.as_str()).collect();
        let told: Vec<Told> = bouts.iter().filter_map(told).collect();
        let failures: Vec<String> = bouts.iter().map(|bout| bout.report.failures()).collect();
        let is_interrupted = stop.load(Ordering::Relaxed);
        let failures = failures.concat();
        told_in_full(&candidate.name, &names, RankedBy::Wins, &told, failures.trim_start(), is_interrupted)
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(bouts.last().map_or(ExitCode::SUCCESS, |bout| exit_code(&bout.report.end)))
}

fn told(bout: &Bout<SeriesReport>) -> Option<Told> {
    let pairs = bout.report.pairs.as_ref()?;
    Some(Told {
        stage: bout.stage,
        benchmark: bout.benchmark,
        pairs: pairs.results.pairs(),
        estimate: pairs.win_rate,
        verdict: pairs.verdict,
        test: pairs.test,
        end: bout.report.end.clone(),
    })
}

/// `contender check --referee`
#[derive(ClapArgs)]
#[command(
    override_usage = "contender check --referee REFEREE [OPTIONS] BOT [OTHER]",
    after_help = "Exit code 1 if a check fails. Warnings do not fail."
)]
pub struct CheckArgs {
    #[command(flatten)]
    pub play: Play,
    /// The bot's command line, in quotes
    pub bot: String,
    /// Who sits in the other seats [default: the bot itself]
    pub other: Option<String>,
    /// Players of a game
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(2..=8))]
    pub players: u16,
    /// Games in each seat
    #[arg(short = 'n', long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub games: u32,
}

/// Plays a few games in each seat and says what there is to say.
pub fn check(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let (referee, most) = args.play.referee.open()?;
    let players = usize::from(args.players);
    if most.is_some_and(|most| players > most) {
        return Err(UsageError(format!(
            "a game of {players} players by a referee of at most {}",
            most.unwrap_or(8)
        ))
        .into());
    }
    let texts = [&args.bot, args.other.as_ref().unwrap_or(&args.bot)];
    let bots = Bot::list(texts.map(String::as_str)).map_err(UsageError)?;
    let mut log = args.play.log.as_ref().map(|path| open_log(path)).transpose()?;
    let mut written = Ok(());
    let stop = stop_flag()?;
    let mut write = |played: &Played, bots: &[&Bot], seed: u64| {
        if let (Some(file), Ok(())) = (log.as_mut(), &written) {
            written = Record::of(played, bots, seed).write_to(file);
        }
    };
    let checking = Checking { players, games: args.games, seed: args.play.seed };
    let name = &args.play.referee.referee;
    let report = contender_foreign::check(&referee, name, [&bots[0], &bots[1]], checking, &stop, &mut write)
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    written.context("the log of games cannot be written")?;
    let text = if args.play.json { serde_json::to_string_pretty(&report)? + "\n" } else { report.text() };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(if report.passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
