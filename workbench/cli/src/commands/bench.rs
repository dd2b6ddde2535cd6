//! `contender bench`: measures the speed of standard workloads, prints their signature, or shows a bot's search turn by
//! turn.

use crate::error::UsageError;
use clap::Args as ClapArgs;
use contender_bench::{Profile, TurnMeans, Workload, measure, profiles, signature, workloads};
use contender_catalogue::find;
use contender_game::contest::Limits;
use contender_referee::TimeSetting;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

/// `contender bench`
#[derive(ClapArgs)]
pub struct BenchArgs {
    /// Subject to measure: a game, `arena`, `referee` or `search` [default: all]
    pub subject: Option<String>,
    /// Run only workloads whose name contains this text; with --turns, show only this bot
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Seconds per workload
    #[arg(long, default_value_t = 2.0, value_name = "S")]
    pub seconds: f64,
    /// Run each workload exactly N times, for example to count instructions
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    pub rounds: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print a number that changes if any game rule or search changes its behaviour
    #[arg(long)]
    pub signature: bool,
    /// Let a bot play N games of `entropy` against itself, and show its average search in each turn
    #[arg(long, value_name = "N", requires = "subject", conflicts_with_all = ["rounds", "signature"],
        value_parser = clap::value_parser!(u32).range(1..))]
    pub turns: Option<u32>,
    /// With --turns: thinking time per game, such as `30s`, or a percentage of the contest's limit
    #[arg(long, value_name = "TIME", requires = "turns", value_parser = TimeSetting::parse)]
    pub time: Option<TimeSetting>,
    /// With --turns: maximum number of nodes per move; makes all results except times reproducible
    #[arg(long, value_name = "N", requires = "turns", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
}

/// A measured workload, as `--json` prints it.
/// The speed of a workload.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WorkloadRow {
    /// The measured game, or the measured part of Contender.
    subject: &'static str,
    /// The name of the workload.
    name: &'static str,
    /// The unit of work.
    unit: &'static str,
    /// Number of units of work that were done.
    units: u64,
    /// The total time for this work, in seconds.
    seconds: f64,
    /// Number of units of work per second.
    per_second: f64,
}

pub fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    if args.signature {
        writeln!(std::io::stdout(), "{:016x}", signature())?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(games) = args.turns {
        return turns(args, games);
    }
    let chosen = choose(args)?;
    if let Some(rounds) = args.rounds {
        for workload in chosen {
            let tally = (workload.run)(rounds);
            writeln!(
                std::io::stdout(),
                "{} {}: {} {}, checksum {:016x}",
                workload.subject,
                workload.name,
                tally.units,
                workload.unit,
                tally.checksum
            )?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        return Err(UsageError("--seconds: expected a number above 0 and at most 3600".to_string()).into());
    }
    let time = Duration::from_secs_f64(args.seconds);
    let mut rows = Vec::new();
    for workload in chosen {
        let speed = measure(&workload, time);
        let row = WorkloadRow {
            subject: workload.subject,
            name: workload.name,
            unit: workload.unit,
            units: speed.units,
            seconds: speed.elapsed.as_secs_f64(),
            per_second: speed.per_second(),
        };
        if !args.json {
            let each = describe_seconds(1.0 / row.per_second);
            writeln!(
                std::io::stdout(),
                "{:<12} {:<44} {:>10} {}/s  {each} each",
                row.subject,
                row.name,
                describe_rate(row.per_second),
                row.unit
            )?;
        }
        rows.push(row);
    }
    if args.json {
        writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&rows)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A turn, as `--turns --json` prints it. A bot's search in one turn; all numbers are averages over the games.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TurnRow {
    /// The name of the seat.
    seat: &'static str,
    /// The number of the turn, starting at 0.
    turn: u32,
    /// The depth of the search in decisions.
    depth: f64,
    /// Number of nodes.
    nodes: f64,
    /// The duration of the search in seconds.
    seconds: f64,
    /// The value of the position, in the bot's unit.
    value: f64,
    /// The absolute change of the value since the bot's previous turn.
    change: f64,
}

fn turns(args: &BenchArgs, games: u32) -> anyhow::Result<ExitCode> {
    let profiles = profiles();
    let fits = |profile: &&Profile| {
        args.subject.as_deref() == Some(profile.game)
            && args.only.as_deref().is_none_or(|text| profile.bot.contains(text))
    };
    let Some(profile) = profiles.iter().find(fits) else {
        let bots: Vec<String> =
            profiles.iter().map(|profile| format!("{} {}", profile.game, profile.bot)).collect();
        return Err(UsageError(format!(
            "--turns needs a game, optionally with a bot; available: {}",
            bots.join(", ")
        ))
        .into());
    };
    let contest = find(profile.game).expect("every profile belongs to a known game").info().limits;
    let limits = args.time.map_or(contest, |time| time.apply(contest));
    let means = (profile.run)(games, Limits { nodes: args.nodes, ..limits }, 1);
    let mut out = std::io::stdout().lock();
    if args.json {
        let row = |means: &TurnMeans| TurnRow {
            seat: profile.seats[means.player.index()],
            turn: means.turn,
            depth: means.depth,
            nodes: means.nodes,
            seconds: means.seconds,
            value: means.value,
            change: means.change.sqrt(),
        };
        let rows: Vec<TurnRow> = means.iter().map(row).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&rows)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{} against itself, averages over {games} games", profile.bot)?;
    writeln!(out, "seat   turn  depth    knodes  knodes/s        ms   value  change")?;
    for of in &means {
        writeln!(
            out,
            "{:<6} {:>4} {:>6.1} {:>9.1} {:>9.0} {:>9.1} {:>7.1} {:>7.1}",
            profile.seats[of.player.index()],
            of.turn,
            of.depth,
            of.nodes / 1e3,
            of.nodes / 1e3 / of.seconds.max(1e-9),
            of.seconds * 1e3,
            of.value,
            of.change.sqrt(),
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn choose(args: &BenchArgs) -> anyhow::Result<Vec<Workload>> {
    let all = workloads();
    let mut subjects: Vec<&str> = all.iter().map(|workload| workload.subject).collect();
    subjects.dedup();
    let fits = |workload: &Workload| {
        args.subject.as_deref().is_none_or(|subject| subject == workload.subject)
            && args.only.as_deref().is_none_or(|text| workload.name.contains(text))
    };
    let chosen: Vec<Workload> = all.iter().copied().filter(fits).collect();
    if !chosen.is_empty() {
        return Ok(chosen);
    }
    let of_subject = |workload: &&Workload| args.subject.as_deref() == Some(workload.subject);
    let names: Vec<&str> = all.iter().filter(of_subject).map(|workload| workload.name).collect();
    let words = match (&args.subject, names.is_empty(), &args.only) {
        (Some(subject), false, Some(text)) => {
            let names = names.join("\n  ");
            format!("no workload of `{subject}` contains `{text}`; available:\n  {names}")
        }
        (None, _, Some(text)) => {
            let names: Vec<String> =
                all.iter().map(|workload| format!("{} {}", workload.subject, workload.name)).collect();
            format!("no workload contains `{text}`; available:\n  {}", names.join("\n  "))
        }
        _ => format!(
            "no workloads for `{}`; available: {}",
            args.subject.as_deref().unwrap_or_default(),
            subjects.join(", ")
        ),
    };
    Err(UsageError(words).into())
}

fn describe_rate(rate: f64) -> String {
    match rate {
        rate if rate >= 1e7 => format!("{:.1} M", rate / 1e6),
        rate if rate >= 1e6 => format!("{:.2} M", rate / 1e6),
        rate if rate >= 1e3 => format!("{:.1} k", rate / 1e3),
        rate => format!("{rate:.1}"),
    }
}

fn describe_seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.1} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.2} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
