//! `contender review`: finds a bot's most costly moves.

use crate::arguments::BUNDLED_BOT_HELP;
use crate::error::UsageError;
use crate::progress::progress_bar;
use crate::setup::{bundled_name, judge_name, writable};
use crate::signals::stop_flag;
use anyhow::{Context, anyhow, bail};
use clap::Args as ClapArgs;
use contender_catalogue::{find, unknown_game};
use contender_game::contest::{BotSetup, Contest};
use contender_input::this_program;
use contender_plot::{Curve, curves};
use contender_referee::{ConditionArgs, ParallelGames, Record, TimeSetting, log::read_log, seed};
use contender_replay::{Findings, Judged, LossGroup, Review, parts};
use contender_table::write_whole;
use serde::Serialize;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// `contender review`
#[derive(ClapArgs)]
#[command(after_help = BUNDLED_BOT_HELP)]
pub struct ReviewArgs {
    /// Log of games, for example from `contender match --log FILE`
    pub log: PathBuf,
    /// Player to review, by its name in the log [default: seat 0 of the first game]
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Bundled bot that judges the moves [default: the strongest]
    #[arg(long, value_name = "BOT")]
    pub bot: Option<String>,
    /// Number of decisions to judge, chosen at random
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub decisions: u32,
    /// Thinking time per decision: `1s`, or a percentage of the default [default: 200ms, unlimited with --nodes]
    #[arg(long, value_name = "TIME", value_parser = TimeSetting::parse)]
    pub time: Option<TimeSetting>,
    /// Maximum number of nodes or iterations per decision; makes the review reproducible
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Random seed: a number, or `random`
    #[arg(long, value_name = "S", default_value = "1", value_parser = seed, allow_negative_numbers = true)]
    pub seed: u64,
    #[command(flatten)]
    pub jobs: ParallelGames,
    /// Number of most costly moves to show
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub worst: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// SVG file for a chart of the average loss per move, by phase and seat
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Do not show progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// A review as JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReviewReport<'a> {
    /// The player whose decisions are judged.
    player: &'a str,
    /// The bot that judges the decisions.
    bot: &'a str,
    /// The judged decisions.
    findings: &'a Findings,
    /// The losses by phase of the game and seat.
    parts: &'a [LossGroup],
    /// Commands for analysing the most costly decisions.
    commands: Vec<String>,
}

const TIME: Duration = Duration::from_millis(200);
const PHASES: usize = 6;

pub fn run(args: &ReviewArgs) -> anyhow::Result<ExitCode> {
    let log = args.log.display();
    let games = read(&args.log)?;
    let Some(first) = games.first() else { bail!("{log} contains no games") };
    let contest = find(&first.game).with_context(|| format!("{log}: {}", unknown_game(&first.game)))?;
    let player = args.player.as_ref().unwrap_or(&first.seats[0].bot);
    if games.iter().all(|game| !game.bots().contains(&player.as_str())) {
        let mut names: Vec<&str> = games.iter().flat_map(Record::bots).collect();
        names.sort_unstable();
        names.dedup();
        let names = names.join(", ");
        return Err(UsageError(format!("{log} contains no games of `{player}`; players: {names}")).into());
    }
    let (bot, options) = judge_name(contest, args.bot.as_deref())?;
    let conditions =
        ConditionArgs { time: args.time, nodes: args.nodes, seed: args.seed, ..ConditionArgs::default() };
    let review = Review {
        contest,
        player,
        bot: (&bot, &options),
        setup: BotSetup { limits: conditions.one_move(TIME), seed: args.seed },
        decisions: args.decisions as usize,
        jobs: args.jobs.count(),
    };
    args.plot.as_deref().map_or(Ok(()), writable)?;
    let stop = stop_flag()?;
    let bar = progress_bar(args.quiet);
    bar.set_length(u64::from(args.decisions));
    let found = review.run(&games, &stop, &|| bar.inc());
    let mut findings = found.map_err(|error| anyhow!("{log}: {error}"))?;
    if findings.unit.is_empty() {
        findings.unit = "in its own unit";
    }
    bar.finish_and_clear();
    if is_judge(contest, player, &bot) {
        say!(
            "warning: {player} is judged by the same bot, so the review finds moves that a longer search would change, \
             but no errors of its evaluation\nhint: choose another judge with `--bot NAME`"
        );
    }
    let parts = parts(&findings.decisions, contest.info().seats, PHASES);
    if let Some(path) = &args.plot {
        write_whole(path, |out| Ok(out.write_all(plot(player, &findings, &parts).as_bytes())?))?;
    }
    let command = |judged: &Judged| command(args, contest, &games[judged.game - 1], judged);
    let text = if args.json {
        let worst: Vec<_> = findings.decisions.iter().take(args.worst).map(command).collect();
        let report = ReviewReport { player, bot: &bot, findings: &findings, parts: &parts, commands: worst };
        serde_json::to_string_pretty(&report)? + "\n"
    } else {
        let mut text = head(player, &bot, &findings) + &table(&findings, &parts);
        for judged in findings.decisions.iter().take(args.worst).filter(|judged| judged.cost > 0.0) {
            text += &worst(judged, findings.unit, &command(judged));
        }
        text
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns whether a player in a log is the bundled bot that judges it, with any options. Equal names of players have a
/// number, such as `uct#1`.
fn is_judge(contest: &dyn Contest, player: &str, judge: &str) -> bool {
    let text = match player.rsplit_once('#') {
        Some((text, number)) if number.parse::<u32>().is_ok() => text,
        _ => player,
    };
    bundled_name(contest, Some(text)).is_ok_and(|(name, _)| name == judge)
}

/// Maximum size of a log in bytes, because all games are kept in memory.
const MAX_LOG: u64 = 1 << 31;

fn read(path: &Path) -> anyhow::Result<Vec<Record>> {
    let file = contender_input::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let too_long = || {
        anyhow!(
            "{} has more than {MAX_LOG} bytes\nhint: review only a part of the log, for example `tail -n \
             100000 {0} > part.jsonl`",
            path.display()
        )
    };
    // The length of a pipe is only known when it has been read.
    if file.metadata().is_ok_and(|meta| meta.len() > MAX_LOG) {
        return Err(too_long());
    }
    let mut games = Vec::new();
    let mut reader = BufReader::new(file.take(MAX_LOG + 1));
    for game in read_log(&mut reader) {
        match game {
            Ok(mut game) => {
                // The review does not use these fields, and they are the largest part of a game.
                game.attributes.clear();
                game.seats.iter_mut().for_each(|seat| seat.stderr.clear());
                games.push(game);
            }
            Err(error) if error.is_torn => say!("warning: {}: {error}", path.display()),
            Err(error) => bail!("{}: {error}", path.display()),
        }
    }
    if reader.get_ref().limit() == 0 {
        return Err(too_long());
    }
    Ok(games)
}

fn head(player: &str, bot: &str, findings: &Findings) -> String {
    let Findings { decisions, unit, unknown, games, failed_games } = findings;
    let count = decisions.len();
    let mut text = format!("{player}: {count} decisions from {games} games, judged by {bot}\n");
    if *unknown > 0 {
        text += &format!("  {unknown} moves skipped: {bot} did not search them\n");
    }
    if *failed_games > 0 {
        text += &format!("  {failed_games} games skipped: {player} failed in them\n");
    }
    if count > 0 {
        let sum: f64 = decisions.iter().map(|of| of.cost).sum();
        let bounds = decisions.iter().filter(|of| of.is_bound).count();
        text += &format!("  average loss: {:.3} {unit} per decision", sum / count as f64);
        text += &match bounds {
            0 => "\n".to_string(),
            _ => format!("; for {bounds} moves the cost is a lower bound\n"),
        };
    }
    text
}

/// Returns the table of losses by phase and seat, followed by a sentence about the largest loss.
fn table(findings: &Findings, parts: &[LossGroup]) -> String {
    let Some(most) = parts.iter().max_by(|a, b| a.share.total_cmp(&b.share)).filter(|part| part.share > 0.0)
    else {
        return "\nNone of the moves lost anything.\n".to_string();
    };
    let width = parts.iter().map(|part| part.seat.chars().count()).max().unwrap_or(0).max(4);
    let mut text = format!("\n  turns    {:width$}  decisions  {} each   share\n", "seat", findings.unit);
    let unit = findings.unit.chars().count() + 5;
    for LossGroup { turns: [first, last], seat, decisions, mean, share } in parts {
        text += &format!(
            "  {:<7}  {seat:width$}  {decisions:>9}  {mean:>unit$.3}  {:>5.0} %\n",
            format!("{first}-{last}"),
            100.0 * share
        );
    }
    let [first, last] = most.turns;
    text + &format!(
        "\n{:.0} % of the loss occurred between turns {first} and {last} as {}.\n",
        100.0 * most.share,
        most.seat
    )
}

fn worst(judged: &Judged, unit: &str, command: &str) -> String {
    let Judged { game, turn, seat, played, best, line, cost, is_bound } = judged;
    let least = if *is_bound { "at least " } else { "" };
    let line = if line.len() > 1 { format!(" ({})", line.join(", ")) } else { String::new() };
    format!(
        "\n{least}{cost:.3} {unit}: game {game}, turn {turn}, {seat} played {played}; better: \
         {best}{line}\n  {command}\n"
    )
}

/// Returns the command that shows a position and the bot's evaluation of it.
fn command(args: &ReviewArgs, contest: &dyn Contest, game: &Record, judged: &Judged) -> String {
    let before = judged.turn - 1;
    let mut words = vec!["analyse".to_string(), contest.name().to_string()];
    let mut option = |name: &str, value: String| words.extend([name.to_string(), value]);
    option("--seed", game.seed.cast_signed().to_string());
    for rule in game.rules.split(',').filter(|rule| !rule.is_empty()) {
        option("--setup", rule.to_string());
    }
    if let Some(bot) = &args.bot {
        option("--bot", bot.clone());
    }
    if let Some(nodes) = args.nodes {
        option("--nodes", nodes.to_string());
    }
    option("--seat", judged.seat.to_string());
    option("--moves", game.moves[..before].join(", "));
    option("--played", game.moves[before].clone());
    format!("{} {}", this_program(), shell_words::join(words))
}

/// Draws the average loss per decision by phase, with one line per seat.
fn plot(player: &str, findings: &Findings, parts: &[LossGroup]) -> String {
    let mut lines: Vec<Curve> = Vec::new();
    for part in parts {
        let middle = (part.turns[0] + part.turns[1]) as f64 / 2.0;
        let at = lines.iter().position(|line| line.name == part.seat).unwrap_or_else(|| {
            lines.push(Curve { name: part.seat.to_string(), points: Vec::new() });
            lines.len() - 1
        });
        lines[at].points.push([middle, part.mean]);
    }
    let unit = format!("{} lost per decision", findings.unit);
    curves(&format!("{player}: average loss of its moves"), ["turn", &unit], &lines)
}
