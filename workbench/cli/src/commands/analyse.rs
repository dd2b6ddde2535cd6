//! `contender analyse`: a bot's evaluation of a position.

use crate::arguments::{BUNDLED_BOT_HELP, game_parser};
use crate::error::UsageError;
use crate::setup::{judge_name, referee, seat};
use crate::terminal::coloured;
use anyhow::Context;
use clap::Args as ClapArgs;
use contender_game::{
    board::Picture,
    contest::{Analysis, BotSetup, Contest, MoveAnalysis, Position, PositionAnalysis},
};
use contender_plot::board::svg_file;
use contender_referee::ConditionArgs;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// `contender analyse`
#[derive(ClapArgs)]
#[command(
    after_help = BUNDLED_BOT_HELP,
    mut_arg("time", |arg| arg.help("Thinking time: `5s`, or a percentage of the default [default: 1s, unlimited with --nodes]"))
)]
pub struct AnalyseArgs {
    /// Game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// Moves to play first, as in a game's record: `1Dd DdDa` or `4 4, 3 5`
    #[arg(long, default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    pub moves: String,
    /// Move after --moves in the recorded game; shows its value, and determines the drawn chip or tile
    #[arg(long, value_name = "MOVE", allow_hyphen_values = true)]
    pub played: Option<String>,
    /// Bundled bot that analyses the position [default: the strongest]
    #[arg(long, value_name = "BOT")]
    pub bot: Option<String>,
    /// Seat of the player to analyse in a simultaneous game: its name, 0 or 1 [default: 0]
    #[arg(long)]
    pub seat: Option<String>,
    /// Show every move [default: the first 12]
    #[arg(long)]
    pub all: bool,
    /// Draw the evaluation as a board with a number in each square, if the bot reports it
    #[arg(long)]
    pub maps: bool,
    /// Folder for SVG pictures of the position and the evaluation
    #[arg(long, value_name = "FOLDER")]
    pub svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub conditions: ConditionArgs,
}

/// The default thinking time.
const TIME: Duration = Duration::from_secs(1);
const MOVES_SHOWN: usize = 12;

pub fn run(args: &AnalyseArgs) -> anyhow::Result<ExitCode> {
    let contest = args.game;
    let conditions = &args.conditions;
    let referee = referee(contest, conditions)?;
    let (bot, mut options) = judge_name(contest, args.bot.as_deref())?;
    let setup = BotSetup { limits: conditions.one_move(TIME), seed: conditions.seed };
    let moves = contest.split_moves(&args.moves);
    let position = Position {
        seed: conditions.seed,
        rules: &mut referee.conditions.rules_of(conditions.seed).clone(),
        moves: &moves,
        played: args.played.as_deref(),
        player: args.seat.as_deref().map(|text| seat(contest, text)).transpose()?,
    };
    let found = contest.analyse(position, &bot, &mut options, &setup).map_err(UsageError)?;
    options.finish().map_err(UsageError)?;
    let seat = contest.info().seats[found.player];
    let text = if args.json {
        serde_json::to_string_pretty(&AnalysisReport::new(contest, &bot, seat, &found))? + "\n"
    } else {
        let shown = if args.all { usize::MAX } else { MOVES_SHOWN };
        format!(
            "{}\n{}{}{}",
            coloured(found.picture.to_text()),
            table(&bot, seat, &found.analysis, shown),
            played(&found),
            if args.maps { maps(&found) } else { String::new() },
        )
    };
    if let Some(folder) = &args.svg {
        draw(folder, contest, &found)?;
    }
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Formats the analysis as text: a line about the search, the moves, the principal variation and the statistics.
fn table(bot: &str, seat: &str, analysis: &Analysis<String>, shown: usize) -> String {
    let mut text = analysis.headline(bot, seat);
    let seconds = analysis.elapsed.as_secs_f64();
    if let Some(&(_, count)) = analysis.counts.first().filter(|_| seconds > 0.0) {
        text += &format!(" ({:.0} thousand per second)", count as f64 / seconds / 1e3);
    }
    text += "\n\n";
    let rows: Vec<[String; 3]> = analysis.moves.iter().take(shown).map(row).collect();
    let unit =
        if analysis.unit.is_empty() { "value".to_string() } else { format!("value ({})", analysis.unit) };
    // The unit of the search's size, of which each move has a share.
    let size = analysis.counts.first().map_or("nodes", |&(name, _)| name);
    let header = ["move".to_string(), unit, size.to_string()];
    let width = |column: usize| {
        rows.iter().chain([&header]).map(|row| row[column].chars().count()).max().unwrap_or(0)
    };
    let [moves, values, efforts] = [0, 1, 2].map(width);
    for [mv, value, effort] in [&header].into_iter().chain(&rows) {
        text += &format!("  {mv:<moves$}  {value:>values$}  {effort:>efforts$}\n");
    }
    let is_bound = |of: &MoveAnalysis<String>| of.value.iter().filter(|value| value.is_finite()).count() == 1;
    if analysis.moves.len() > 1 {
        text += &format!("  (the best move first, then the other moves by {size}");
        text += if analysis.moves.iter().take(shown).any(is_bound) {
            "; \"at most\" is an upper bound)\n"
        } else {
            ")\n"
        };
    }
    if analysis.moves.len() > shown {
        text += &format!("  and {} more (show them with --all)\n", analysis.moves.len() - shown);
    }
    if !analysis.line.is_empty() {
        text += &format!("\nprincipal variation: {}\n", analysis.line.join(", "));
    }
    text += &list("counts", analysis.counts.iter().map(|(name, count)| (*name, count.to_string())));
    text += &list("inputs", analysis.inputs.iter().map(|(name, value)| (*name, format!("{value:.3}"))));
    text
}

/// Draws each map that contains at least one number as a text board.
fn maps(found: &PositionAnalysis) -> String {
    let drawn = |(name, numbers): &(&str, Vec<Option<f64>>)| {
        let picture = Picture {
            notes: Vec::new(),
            right: Vec::new(),
            below: Vec::new(),
            ..found.picture.with_numbers(numbers)
        };
        format!("\n{name}\n{}", coloured(picture.to_text()))
    };
    told(&found.analysis).map(drawn).collect()
}

/// Returns the maps that contain at least one number.
fn told(analysis: &Analysis<String>) -> impl Iterator<Item = &(&'static str, Vec<Option<f64>>)> {
    analysis.maps.iter().filter(|(_, numbers)| numbers.iter().any(Option::is_some))
}

/// Writes the position and the maps as SVG files.
fn draw(folder: &Path, contest: &dyn Contest, found: &PositionAnalysis) -> anyhow::Result<()> {
    let write = |name: &str, picture: &Picture| {
        let file = folder.join(format!("{name}.svg"));
        let caption = format!("{}: {name}", contest.name());
        std::fs::write(&file, svg_file(picture, &caption))
            .with_context(|| format!("cannot write {}", file.display()))
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    write("board", &found.picture)?;
    for (name, numbers) in told(&found.analysis) {
        write(name, &Picture { notes: Vec::new(), ..found.picture.with_numbers(numbers) })?;
    }
    Ok(())
}

/// Returns a line with the bot's value for the move that was played.
fn played(found: &PositionAnalysis) -> String {
    let Some(played) = &found.played else { return String::new() };
    let of = found.analysis.moves.iter().find(|of| of.mv == *played);
    let value = of.map_or("not searched".to_string(), MoveAnalysis::value_text);
    format!("\nplayed: {played}, {value}\n")
}

fn row(of: &MoveAnalysis<String>) -> [String; 3] {
    [of.mv.clone(), of.value_text(), of.effort.to_string()]
}

fn list<'a>(title: &str, items: impl Iterator<Item = (&'a str, String)>) -> String {
    let lines: Vec<String> = items.map(|(name, value)| format!("  {name:<28} {value:>12}\n")).collect();
    if lines.is_empty() { String::new() } else { format!("\n{title}\n{}", lines.concat()) }
}

/// An analysis as JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnalysisReport<'a> {
    /// The name of the contest.
    game: &'a str,
    /// The bot that analysed the position.
    bot: &'a str,
    /// The seat of the player who must move, 0 or 1.
    player: usize,
    /// The name of the player's seat.
    seat: &'a str,
    /// The move that was actually played, if known.
    played: Option<&'a str>,
    /// The unit of the values.
    unit: &'a str,
    /// The value of the position for the player: the value of the first move, or its only bound if the search was
    /// stopped. `null` if the bot reports no values.
    value: Option<f64>,
    /// The depth of the search.
    depth: u32,
    /// The duration of the search in seconds.
    seconds: f64,
    /// The moves as the search ranks them. The first one is the move to play.
    moves: Vec<MoveReport<'a>>,
    /// The principal variation.
    line: &'a [String],
    /// Statistics of the search, for example the number of nodes.
    counts: BTreeMap<&'a str, u64>,
    /// Maps of the evaluation. Each map has a number or `null` for each square of the board.
    maps: BTreeMap<&'a str, &'a [Option<f64>]>,
    /// The inputs of the evaluation, each with its value.
    inputs: BTreeMap<&'a str, f64>,
}

/// A move of an analysis, with bounds for its value. An unknown bound is `null`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MoveReport<'a> {
    /// The move, in the judge's notation.
    #[serde(rename = "move")]
    mv: &'a str,
    /// The lower bound of the value.
    low: Option<f64>,
    /// The upper bound of the value.
    high: Option<f64>,
    /// Whether the value is proven, because the search reached the end of the game.
    proven: bool,
    /// Number of nodes or visits that the search spent on the move.
    effort: u64,
}

/// Returns the middle of a move's bounds, or its only bound.
fn believed(of: &MoveAnalysis<String>) -> Option<f64> {
    let [low, high] = of.value;
    [(low + high) / 2.0, low, high].into_iter().find(|value| value.is_finite())
}

impl<'a> AnalysisReport<'a> {
    fn new(contest: &'a dyn Contest, bot: &'a str, seat: &'a str, found: &'a PositionAnalysis) -> Self {
        let analysis = &found.analysis;
        let moves = analysis.moves.iter().map(|of| {
            let [low, high] = of.value.map(|bound| bound.is_finite().then_some(bound));
            MoveReport { mv: &of.mv, low, high, proven: of.is_proven, effort: of.effort }
        });
        AnalysisReport {
            game: contest.name(),
            bot,
            player: found.player.index(),
            seat,
            played: found.played.as_deref(),
            unit: analysis.unit,
            value: analysis.moves.first().and_then(believed),
            depth: analysis.depth,
            seconds: analysis.elapsed.as_secs_f64(),
            moves: moves.collect(),
            line: &analysis.line,
            counts: analysis.counts.iter().copied().collect(),
            maps: told(analysis).map(|(name, numbers)| (*name, numbers.as_slice())).collect(),
            inputs: analysis.inputs.iter().copied().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_a_known_bound() {
        let worth = |value| believed(&MoveAnalysis { mv: String::new(), value, is_proven: false, effort: 0 });
        let infinity = f64::INFINITY;
        assert_eq!(worth([2.0, 2.0]), Some(2.0));
        assert_eq!(worth([1.0, 2.0]), Some(1.5));
        assert_eq!(worth([-infinity, 3.0]), Some(3.0));
        assert_eq!(worth([4.0, infinity]), Some(4.0));
        assert_eq!(worth([-infinity, infinity]), None);
    }
}
