//! `contender challenge`: decides whether a new version of a bot replaces the old one.

use super::failures::Failures;
use super::matches::known_games;
use crate::arguments::{BOT_HELP, two_numbers};
use crate::error::UsageError;
use crate::progress::progress_bar;
use crate::setup::{SeriesOptions, exit_code, external_bots};
use crate::signals::stop_flag;
use clap::Args as ClapArgs;
use contender_arena::{
    Challenge, ChallengeMatch, Estimate, Event, MatchEnd, MatchReport, Seating, Verdict, default_bounds,
    first_failures,
};
use contender_play::{Host, RankedBy};
use contender_stats::{Decision, MIN_PAIRS, SequentialTest};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// The lengths of the stages, and the hypotheses of the test in stage 3.
#[derive(ClapArgs)]
pub struct Stages {
    /// Number of pairs against every benchmark in stage 1
    #[arg(long, alias = "few", default_value_t = 10, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(2..))]
    pub stage1_pairs: u32,
    /// Number of pairs in stage 2, against each benchmark without a clear result in stage 1
    #[arg(long, alias = "more", default_value_t = 40, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(2..))]
    pub stage2_pairs: u32,
    /// Maximum number of pairs in stage 3, against the old version; at least 40
    #[arg(long, alias = "most", default_value_t = 1000, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(MIN_PAIRS as i64..))]
    pub max_pairs: u32,
    /// Hypotheses of the test in stage 3, as leads in Elo or points per game [default: 0,20 Elo or 0,5 points]
    #[arg(long, value_name = "LO,HI", value_parser = two_numbers, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
}

/// `contender challenge`
#[derive(ClapArgs)]
#[command(
    after_help = BOT_HELP,
    override_usage = "contender challenge [OPTIONS] <GAME> <CANDIDATE> <BENCHMARK>...\n       contender challenge [OPTIONS] --referee <REFEREE> <CANDIDATE> <BENCHMARK>..."
)]
pub struct ChallengeArgs {
    /// Game, new version, old version and further benchmarks; with --referee, leave out the game
    #[arg(required = true, num_args = 1.., value_name = "GAME|BOT")]
    pub words: Vec<String>,
    /// With --referee and --pool: number of bots per game [default: the referee's minimum]
    #[arg(long, value_name = "N", requires = "pool", value_parser = clap::value_parser!(u16).range(2..=8))]
    pub players: Option<u16>,
    /// Opponents, drawn at random for each pair; both bots play the same seat against the same opponents
    #[arg(long, value_name = "BOT,BOT...", requires = "referee", value_delimiter = ',')]
    pub pool: Vec<String>,
    #[command(flatten)]
    pub stages: Stages,
    #[command(flatten)]
    pub series: SeriesOptions,
    /// Log file, to which every finished game is appended; the same command resumes from it
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

pub fn run(args: &ChallengeArgs) -> anyhow::Result<ExitCode> {
    let opened = args.series.open(&args.words, args.log.as_deref(), |_| ())?;
    let pool = external_bots(&args.pool)?;
    let players = players(args, opened.host.as_ref(), !pool.is_empty())?;
    let seating =
        if pool.is_empty() { Seating::Exchange } else { Seating::Substitution { players, pool: &pool } };
    let Some((candidate, benchmarks)) = opened.bots.split_first().filter(|(_, others)| !others.is_empty())
    else {
        return Err(UsageError("a challenge needs a candidate and at least one benchmark".to_string()).into());
    };
    let ranked_by = if pool.is_empty() { opened.host.ranked_by() } else { RankedBy::Rank };
    let [h0, h1] = args.stages.sprt.unwrap_or_else(|| default_bounds(ranked_by));
    let error = SequentialTest::ERROR_PROBABILITY;
    let challenge = Challenge {
        host: opened.host.as_ref(),
        seating,
        candidate,
        benchmarks,
        few: args.stages.stage1_pairs,
        more: args.stages.stage2_pairs,
        most: args.stages.max_pairs,
        test: SequentialTest::new(h0, h1, error, error).map_err(UsageError::new)?,
        jobs: opened.jobs,
        seed: args.series.conditions.seed,
    };
    let (known, mut file) = known_games(args.log.as_deref())?;
    let mut failures = Failures::after(args.log.as_deref())?;
    let stop = stop_flag()?;
    let bar = progress_bar(args.series.quiet);
    let file = file.as_mut().map(|file| file as &mut dyn Write);
    let bouts = challenge.run(known, &stop, file, &mut |stage, benchmark, event, progress| {
        match event {
            Event::Error { pair, error, .. } => {
                bar.suspend(|| say!("error: a game of pair {} cannot be played: {error}", pair + 1));
            }
            Event::Game { record, .. } => failures.add(record),
            Event::Pair { .. } => {}
        }
        bar.set_length(progress.games);
        bar.set_message(format!("stage {stage}, {}", benchmarks[benchmark].name));
        bar.set_position(progress.games_done);
    });
    bar.finish_and_clear();
    let text = if args.series.json {
        serde_json::to_string_pretty(&bouts)? + "\n"
    } else {
        let names: Vec<&str> = benchmarks.iter().map(|bot| bot.name.as_str()).collect();
        let conclusion = conclusion(&candidate.name, &names, &bouts, stop.load(Ordering::Relaxed));
        let first = first_failures(bouts.iter().map(|bout| &bout.report));
        let first = if first.is_empty() { first } else { format!("\n{first}") };
        format!("{}{first}\n{conclusion}\n", table(&names, &bouts, ranked_by))
    };
    std::io::stdout().write_all(text.as_bytes())?;
    failures.say(args.log.as_deref());
    Ok(bouts.last().map_or(ExitCode::SUCCESS, |bout| exit_code(&bout.report.end)))
}

/// Returns the number of players in each game.
fn players(args: &ChallengeArgs, host: &dyn Host, has_pool: bool) -> Result<usize, UsageError> {
    let seats = host.seats();
    let players = args.players.map_or((*seats.start()).max(2), usize::from);
    if seats.contains(&players) && (players == 2 || has_pool) {
        return Ok(players);
    }
    Err(UsageError(format!(
        "opponents are missing: each game of {} has {players} players\n\
         hint: name the opponents with `--pool A,B,C`",
        host.game()
    )))
}

/// Returns the candidate's lead, either in points or as a win rate. The unit depends on how the contest ranks bots.
fn estimate(report: &MatchReport, ranked_by: RankedBy) -> Estimate {
    match ranked_by {
        RankedBy::Points | RankedBy::Rank => report.difference,
        RankedBy::Wins => {
            Estimate { mean: report.win_rate, interval: report.win_rate_interval, standard_deviation: None }
        }
    }
}

fn table(benchmarks: &[&str], bouts: &[ChallengeMatch], ranked_by: RankedBy) -> String {
    let width = benchmarks.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(9);
    let unit = match ranked_by {
        RankedBy::Points => "points",
        RankedBy::Wins => "wins",
        RankedBy::Rank => "rank",
    };
    let mut text =
        format!("stage  {:<width$}  {:>5}  {unit:>8}  {:>18}\n", "benchmark", "pairs", "95% interval");
    for ChallengeMatch { stage, benchmark, report } in bouts {
        let MatchReport { pairs, verdict, .. } = report;
        let Estimate { mean, interval, .. } = estimate(report, ranked_by);
        let (mean, interval) = match ranked_by {
            RankedBy::Points | RankedBy::Rank => (
                mean.map(|mean| format!("{mean:+.2}")),
                interval.map(|of| format!("{:+.2} to {:+.2}", of.low, of.high)),
            ),
            RankedBy::Wins => (
                mean.map(|rate| format!("{:.1}%", 100.0 * rate)),
                interval.map(|of| format!("{:.1}% to {:.1}%", 100.0 * of.low, 100.0 * of.high)),
            ),
        };
        let [mean, interval] = [mean, interval].map(|text| text.unwrap_or("-".to_string()));
        let verdict = match verdict {
            Verdict::ABetter => "better",
            Verdict::BBetter => "worse",
            Verdict::NoDifferenceShown if *pairs == 0 => "-",
            Verdict::NoDifferenceShown => "close",
        };
        let name = benchmarks[*benchmark];
        text += &format!("{stage:>5}  {name:<width$}  {pairs:>5}  {mean:>8}  {interval:>18}  {verdict}\n");
    }
    text
}

/// Returns a sentence that states the result of the challenge.
fn conclusion(
    candidate: &str,
    benchmarks: &[&str],
    bouts: &[ChallengeMatch],
    is_interrupted: bool,
) -> String {
    let old = benchmarks[0];
    let undecided = format!("no decision between {candidate} and {old}");
    let Some(ChallengeMatch { benchmark, report: MatchReport { verdict, test, end, .. }, .. }) = bouts.last()
    else {
        return format!("Interrupted: {undecided}.");
    };
    if let MatchEnd::Failed { error } = end {
        return format!("The match against {} failed: {error}", benchmarks[*benchmark]);
    }
    let is_worse = bouts.iter().any(|bout| bout.benchmark == 0 && bout.report.verdict == Verdict::BBetter);
    let test = test.map(|test| (test.decision, test.log_likelihood_ratio, test.bounds));
    match test {
        Some((Decision::AcceptH1, ..)) => {
            format!("{candidate} should replace {old}: the test accepts that {candidate} is better.")
        }
        _ if is_worse => format!("{candidate} should not replace {old}: {candidate} is worse."),
        Some((Decision::AcceptH0, ..)) => {
            format!("{candidate} should not replace {old}: the test accepts that {candidate} is not better.")
        }
        _ if is_interrupted || *end == MatchEnd::Interrupted => format!("Interrupted: {undecided}."),
        Some(_) if *end == MatchEnd::Repeating => {
            format!("Stopped: all pairs are identical, so more pairs would show nothing new; {undecided}.")
        }
        Some((_, ratio, bounds)) if *verdict == Verdict::ABetter => format!(
            "{candidate} is better than {old} so far (95% confidence), but the test has not decided yet \
             (LLR {ratio:.2} of {:.2}). To continue the test, increase --max-pairs.",
            bounds.high
        ),
        Some((_, ratio, bounds)) => format!(
            "The test has not decided between {candidate} and {old} (LLR {ratio:.2}; not better at \
             {:.2}, better at {:.2}).",
            bounds.low, bounds.high
        ),
        None => format!("{}.", undecided.replacen('n', "N", 1)),
    }
}
