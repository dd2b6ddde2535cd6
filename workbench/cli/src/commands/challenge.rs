//! `contender challenge`: whether a new version of a bot is to replace the old one.

use super::failures::Failures;
use crate::arguments::{BOT_HELP, game_parser, two_numbers};
use crate::error::UsageError;
use crate::interrupt::stop_flag;
use crate::progress::progress_bar;
use crate::setup::{Series, entrants, exit_code, open_log};
use anyhow::Context;
use clap::Args as ClapArgs;
use contender_arena::{
    Bout, Challenge, Estimate, Event, MatchEnd, RankedBy, TestReport, Verdict, first_failures,
};
use contender_game::Contest;
use contender_stats::{Decision, LEAST_PAIRS, SequentialTest};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// How long the stages are, and what the last one decides.
#[derive(ClapArgs)]
pub struct Stages {
    /// Pairs against every benchmark in the first stage
    #[arg(long, default_value_t = 10, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(2..))]
    pub few: u32,
    /// Pairs in the second stage against those from which the first has shown no difference
    #[arg(long, default_value_t = 40, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(2..))]
    pub more: u32,
    /// The most pairs in the last stage, against the first benchmark: 40 or more, as the test decides on no fewer
    #[arg(long, default_value_t = 1000, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(LEAST_PAIRS as i64..))]
    pub most: u32,
    /// What the last stage decides between: "ahead by LO" and "by HI", in Elo or points per game [default: 0,20 Elo or
    /// 0,5 points]
    #[arg(long, value_name = "LO,HI", value_parser = two_numbers, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
}

/// `contender challenge`
#[derive(ClapArgs)]
#[command(after_help = BOT_HELP)]
pub struct ChallengeArgs {
    /// The game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// The new version
    pub candidate: String,
    /// The bots it is compared with; the first is the one that it is to replace
    #[arg(required = true, value_name = "BENCHMARK")]
    pub benchmarks: Vec<String>,
    #[command(flatten)]
    pub stages: Stages,
    #[command(flatten)]
    pub series: Series,
    /// Append every finished game to this file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

pub fn run(args: &ChallengeArgs) -> anyhow::Result<ExitCode> {
    let contest = args.game;
    let bots = entrants(contest, std::iter::once(&args.candidate).chain(&args.benchmarks))?;
    let (candidate, benchmarks) = bots.split_first().expect("the candidate is there");
    let referee = args.series.referee(contest, &bots, args.log.as_deref())?;
    let ranked_by = RankedBy::of(contest);
    let [h0, h1] = args.stages.sprt.unwrap_or(match ranked_by {
        RankedBy::Points => [0.0, 5.0],
        RankedBy::Wins => [0.0, 20.0],
    });
    let challenge = Challenge {
        contest,
        referee: &referee,
        candidate,
        benchmarks,
        few: args.stages.few,
        more: args.stages.more,
        most: args.stages.most,
        test: SequentialTest::new(h0, h1, 0.05, 0.05).map_err(UsageError)?,
        jobs: args.series.jobs.count(),
        seed: args.series.conditions.seed,
    };
    let mut log = args.log.as_ref().map(|path| open_log(path)).transpose()?;
    let mut failures = Failures::after(args.log.as_deref())?;
    let mut written = Ok(());
    let stop = stop_flag()?;
    let bar = progress_bar(args.series.quiet);
    let bouts = challenge.run(&stop, &mut |stage, benchmark, event, progress| {
        match event {
            Event::Error { pair, error, .. } => {
                bar.suspend(|| say!("error: a game of pair {} cannot be played: {error}", pair + 1));
            }
            Event::Game { record, .. } => {
                failures.add(record);
                if let (Some(log), Ok(())) = (&mut log, &written) {
                    written = record.write_to(log);
                }
            }
            Event::Pair { .. } => {}
        }
        bar.set_length(progress.games);
        bar.set_position(progress.games_done);
        bar.set_message(format!("stage {stage}, {}", benchmarks[benchmark].name));
    });
    bar.finish_and_clear();
    let text = if args.series.json {
        serde_json::to_string_pretty(&bouts)? + "\n"
    } else {
        let names: Vec<&str> = benchmarks.iter().map(|bot| bot.name.as_str()).collect();
        let told: Vec<Told> = bouts.iter().map(|bout| Told::of(bout, ranked_by)).collect();
        let first = first_failures(bouts.iter().map(|bout| &bout.report));
        told_in_full(&candidate.name, &names, ranked_by, &told, &first, stop.load(Ordering::Relaxed))
    };
    std::io::stdout().write_all(text.as_bytes())?;
    if let Some(path) = &args.log {
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    failures.say(args.log.as_deref());
    Ok(bouts.last().map_or(ExitCode::SUCCESS, |bout| exit_code(&bout.report.end)))
}

/// A match of a challenge as it is told, whoever refereed it.
pub struct Told {
    pub stage: u32,
    pub benchmark: usize,
    pub pairs: u64,
    /// How far the candidate is ahead, by what decides.
    pub estimate: Estimate,
    pub verdict: Verdict,
    pub test: Option<TestReport>,
    pub end: MatchEnd,
}

impl Told {
    fn of(Bout { stage, benchmark, report }: &Bout, ranked_by: RankedBy) -> Told {
        let estimate = match ranked_by {
            RankedBy::Points => report.difference,
            RankedBy::Wins => Estimate {
                mean: report.win_rate,
                interval: report.win_rate_interval,
                standard_deviation: None,
            },
        };
        Told {
            stage: *stage,
            benchmark: *benchmark,
            pairs: report.pairs,
            estimate,
            verdict: report.verdict,
            test: report.test,
            end: report.end.clone(),
        }
    }
}

/// The table, what failed, and the conclusion.
pub fn told_in_full(
    candidate: &str,
    benchmarks: &[&str],
    ranked_by: RankedBy,
    bouts: &[Told],
    failures: &str,
    is_interrupted: bool,
) -> String {
    let failures = if failures.is_empty() { String::new() } else { format!("\n{failures}") };
    let conclusion = conclusion(candidate, benchmarks, bouts, is_interrupted);
    table(benchmarks, bouts, ranked_by) + &failures + &format!("\n{conclusion}\n")
}

fn table(benchmarks: &[&str], bouts: &[Told], ranked_by: RankedBy) -> String {
    let width = benchmarks.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(9);
    let unit = match ranked_by {
        RankedBy::Points => "points",
        RankedBy::Wins => "wins",
    };
    let mut text =
        format!("stage  {:<width$}  {:>5}  {unit:>8}  {:>18}\n", "benchmark", "pairs", "95% interval");
    for Told { stage, benchmark, pairs, estimate: Estimate { mean, interval, .. }, verdict, .. } in bouts {
        let (mean, interval) = match ranked_by {
            RankedBy::Points => (
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

/// What came of it, in a sentence.
fn conclusion(candidate: &str, benchmarks: &[&str], bouts: &[Told], is_interrupted: bool) -> String {
    let old = benchmarks[0];
    let undecided = format!("nothing is decided between {candidate} and {old}");
    let Some(Told { benchmark, verdict, test, end, .. }) = bouts.last() else {
        return format!("Interrupted: {undecided}.");
    };
    if let MatchEnd::Failed { error } = end {
        return format!("The match against {} cannot be played: {error}", benchmarks[*benchmark]);
    }
    let is_worse = bouts.iter().any(|bout| bout.benchmark == 0 && bout.verdict == Verdict::BBetter);
    let test = test.map(|test| (test.decision, test.log_likelihood_ratio, test.bounds));
    match test {
        Some((Decision::AcceptH1, ..)) => {
            format!("{candidate} replaces {old}: the test accepts that it is better.")
        }
        _ if is_worse => format!("{candidate} does not replace {old}: it is worse."),
        Some((Decision::AcceptH0, ..)) => {
            format!("{candidate} does not replace {old}: the test accepts that it is no better.")
        }
        _ if is_interrupted || *end == MatchEnd::Interrupted => format!("Interrupted: {undecided}."),
        Some(_) if *end == MatchEnd::Repeating => {
            format!("Stopped: all pairs are the same, game for game, and more would be too; {undecided}.")
        }
        Some((_, ratio, bounds)) if *verdict == Verdict::ABetter => format!(
            "{candidate} is better than {old} so far (95% confidence), but the test has not decided (LLR {ratio:.2} of {:.2}): \
             a higher --most lets it go on.",
            bounds.high
        ),
        Some((_, ratio, bounds)) => format!(
            "The test has not decided between {candidate} and {old} (LLR {ratio:.2}; {:.2} would be no better, {:.2} better).",
            bounds.low, bounds.high
        ),
        None => format!("{}.", undecided.replacen('n', "N", 1)),
    }
}
