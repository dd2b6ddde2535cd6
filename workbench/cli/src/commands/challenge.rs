//! `contender challenge`: whether a new version of a bot is to replace the old one.

use super::progress::progress_bar;
use super::{distinguishable, entrant, place, referee};
use crate::UsageError;
use crate::args::{BOT_HELP, Conditions, Processes, game_parser, two_numbers};
use crate::interrupt::stop_flag;
use clap::Args as ClapArgs;
use contender_arena::{Bout, Challenge, Event, RankedBy, Verdict};
use contender_game::Contest;
use contender_referee::Entrant;
use contender_stats::{Decision, SequentialTest};
use std::io::Write;
use std::process::ExitCode;
use std::thread;

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
    /// Pairs against every benchmark in the first stage
    #[arg(long, default_value_t = 10, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(2..))]
    pub few: u32,
    /// Pairs in the second stage against those from which the first has shown no difference
    #[arg(long, default_value_t = 40, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(2..))]
    pub more: u32,
    /// The most pairs in the last stage, against the first benchmark
    #[arg(long, default_value_t = 1000, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(2..))]
    pub most: u32,
    /// What the last stage decides between: "ahead by LO" and "by HI", in Elo or points per game [default: 0,20 Elo or 0,5 points]
    #[arg(long, value_name = "LO,HI", value_parser = two_numbers, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
    /// Games played at the same time [default: one for each core]
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub conditions: Conditions,
    #[command(flatten)]
    pub processes: Processes,
    /// Print all matches as JSON
    #[arg(long)]
    pub json: bool,
    /// Do not show progress
    #[arg(short, long)]
    pub quiet: bool,
}

pub fn run(args: &ChallengeArgs) -> anyhow::Result<ExitCode> {
    let contest = args.game;
    let candidate = entrant(contest, &args.candidate)?;
    let benchmarks: Vec<Entrant> =
        args.benchmarks.iter().map(|bot| entrant(contest, bot)).collect::<anyhow::Result<_>>()?;
    for (at, bot) in benchmarks.iter().enumerate() {
        distinguishable(bot, &candidate)?;
        benchmarks[..at].iter().try_for_each(|other| distinguishable(bot, other))?;
    }
    let mut referee = referee(contest, &args.conditions)?;
    let jobs = args.jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let bots: Vec<Entrant> = std::iter::once(&candidate).chain(&benchmarks).cloned().collect();
    place(&mut referee, contest, &bots, jobs, &args.conditions, &args.processes)?;
    let ranked_by = RankedBy::of(contest);
    let [h0, h1] = args.sprt.unwrap_or(match ranked_by {
        RankedBy::Points => [0.0, 5.0],
        RankedBy::Wins => [0.0, 20.0],
    });
    let challenge = Challenge {
        contest,
        referee: &referee,
        candidate: &candidate,
        benchmarks: &benchmarks,
        few: args.few,
        more: args.more,
        most: args.most,
        test: SequentialTest::new(h0, h1, 0.05, 0.05).map_err(UsageError)?,
        jobs,
        seed: args.conditions.seed,
    };
    let stop = stop_flag()?;
    let bar = progress_bar(args.quiet);
    let bouts = challenge.run(&stop, &mut |stage, benchmark, event, progress| {
        if let Event::Error { pair, error, .. } = event {
            bar.suspend(|| eprintln!("error: a game of pair {} cannot be played: {error}", pair + 1));
        }
        bar.set_length(progress.games);
        bar.set_position(progress.games_done);
        bar.set_message(format!("stage {stage}, {}", benchmarks[benchmark].name));
    });
    bar.finish_and_clear();
    let text = if args.json {
        serde_json::to_string_pretty(&bouts)? + "\n"
    } else {
        table(&candidate.name, &benchmarks, &bouts, ranked_by)
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn table(candidate: &str, benchmarks: &[Entrant], bouts: &[Bout], ranked_by: RankedBy) -> String {
    let width = benchmarks.iter().map(|bot| bot.name.chars().count()).max().unwrap_or(0).max(9);
    let unit = match ranked_by {
        RankedBy::Points => "points",
        RankedBy::Wins => "wins",
    };
    let mut text =
        format!("stage  {:<width$}  {:>5}  {unit:>8}  {:>18}\n", "benchmark", "pairs", "95% interval");
    for Bout { stage, benchmark, report } in bouts {
        let (mean, interval) = match ranked_by {
            RankedBy::Points => (
                report.difference.mean.map(|mean| format!("{mean:+.2}")),
                report.difference.interval.map(|of| format!("{:+.2} to {:+.2}", of.low, of.high)),
            ),
            RankedBy::Wins => (
                report.win_rate.map(|rate| format!("{:.1}%", 100.0 * rate)),
                report
                    .win_rate_interval
                    .map(|of| format!("{:.1}% to {:.1}%", 100.0 * of.low, 100.0 * of.high)),
            ),
        };
        let [mean, interval] = [mean, interval].map(|text| text.unwrap_or("-".to_string()));
        let verdict = match report.verdict {
            Verdict::ABetter => "better",
            Verdict::BBetter => "worse",
            Verdict::NoDifferenceShown => "close",
        };
        let name = &benchmarks[*benchmark].name;
        text += &format!(
            "{stage:>5}  {name:<width$}  {:>5}  {mean:>8}  {interval:>18}  {verdict}\n",
            report.pairs
        );
    }
    let old = &benchmarks[0].name;
    let is_worse = bouts.iter().any(|bout| bout.benchmark == 0 && bout.report.verdict == Verdict::BBetter);
    let decision = bouts.last().and_then(|bout| bout.report.test).map(|test| test.decision);
    text += &match decision {
        Some(Decision::AcceptH1) => {
            format!("\n{candidate} replaces {old}: the test accepts that it is better.\n")
        }
        _ if is_worse => format!("\n{candidate} does not replace {old}: it is worse.\n"),
        Some(Decision::AcceptH0) => {
            format!("\n{candidate} does not replace {old}: the test accepts that it is no better.\n")
        }
        _ => format!("\nNothing is decided between {candidate} and {old}.\n"),
    };
    text
}
