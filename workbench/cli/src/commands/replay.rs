//! `contender replay`: shows recorded games on the board, or checks them against the rules.

use super::site::records;
use crate::arguments::game_parser;
use crate::error::UsageError;
use crate::setup::{External, seat};
use crate::signals::stop_flag;
use crate::terminal::coloured;
use anyhow::Context;
use clap::Args as ClapArgs;
use contender_game::contest::Contest;
use contender_input::this_program;
use contender_play::GameError;
use contender_plot::board;
use contender_referee::Record;
use contender_replay::{self as replay, ReplayedGame, Source};
use contender_site::{Agreement, league};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `contender replay`
#[derive(ClapArgs)]
pub struct ReplayArgs {
    /// Files of recorded games, plain or gzipped
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Game, if the file does not name it
    #[arg(long, value_parser = game_parser())]
    pub game: Option<&'static dyn Contest>,
    #[command(flatten)]
    pub external: External,
    /// Check games against the rules, or battles against --referee; exit code 1 if any game differs
    #[arg(long)]
    pub check: bool,
    /// Number of the game to show from each file, starting at 1 [default: all games]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "check")]
    pub number: Option<u64>,
    /// Print the input of the bot in this seat (name, 0 or 1), for use as `./bot < input`
    #[arg(long, value_name = "SEAT", requires = "number", conflicts_with_all = ["turn", "svg"])]
    pub input: Option<String>,
    /// Show only the position after N moves, or the final position of a shorter game
    #[arg(long, value_name = "N", conflicts_with = "check")]
    pub turn: Option<usize>,
    /// Output for pictures: an `.svg` file for one position, or a folder for all positions
    #[arg(long, value_name = "PATH", conflicts_with = "check")]
    pub svg: Option<PathBuf>,
}

/// Maximum number of problems to print per file.
const SHOWN: usize = 20;

pub fn run(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    if args.external.referee.is_some() {
        return check_by_referee(args);
    }
    if args.check {
        return check(args);
    }
    let is_picture = args.svg.as_ref().is_some_and(|path| path.extension().is_some_and(|kind| kind == "svg"));
    if args.svg.is_some() && args.files.len() > 1 {
        return Err(UsageError("--svg needs exactly one file".to_string()).into());
    }
    let (first, count) = match args.number {
        Some(number) => (usize::try_from(number - 1)?, 1),
        None if is_picture => (0, 1),
        None => (0, usize::MAX),
    };
    let mut pictures = 0;
    for path in &args.files {
        let games = replay::games(Source::open(path)?, args.game, first)?;
        let mut is_empty = true;
        for (number, game) in (first + 1..).zip(games).take(count) {
            is_empty = false;
            let mut game = game.map_err(anyhow::Error::msg)?;
            if let Some(seat) = &args.input {
                write_input(&game, seat)?;
                continue;
            }
            match &args.svg {
                None => show(&mut game, args.turn)?,
                Some(file) if is_picture => {
                    game.go_to(args.turn.unwrap_or(usize::MAX)).map_err(anyhow::Error::msg)?;
                    pictures += draw(&game, file)?;
                }
                Some(folder) => {
                    std::fs::create_dir_all(folder)
                        .with_context(|| format!("cannot create {}", folder.display()))?;
                    let name = |turn: usize| folder.join(format!("{number}-{turn:03}.svg"));
                    visit(&mut game, args.turn, |game| {
                        pictures += draw(game, &name(game.turn()))?;
                        Ok(())
                    })?;
                }
            }
        }
        match args.number {
            Some(number) if is_empty => {
                return Err(UsageError(format!("{} has no game {number}", path.display())).into());
            }
            None if is_empty => anyhow::bail!("{} contains no games", path.display()),
            _ => {}
        }
    }
    if let Some(path) = &args.svg {
        let plural = if pictures == 1 { "picture" } else { "pictures" };
        writeln!(std::io::stdout(), "{}: {pictures} {plural}", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Replays battles from CodinGame's site with the challenge's referee and compares the results.
fn check_by_referee(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    if !args.check {
        return Err(UsageError(
            "--referee works only with --check, which replays battles and compares the results".to_string(),
        )
        .into());
    }
    let mut referee = args.external.open(None)?.expect("a referee is named");
    let stop = stop_flag()?;
    let (mut equal, mut all) = (0, 0);
    let mut out = std::io::stdout();
    for path in &args.files {
        for (number, record) in (1..).zip(records(path)?) {
            let place = format!("{}:{number}", path.display());
            referee.league = args.external.league.or(league(&record));
            all += 1;
            match contender_site::check(&record, &referee, &stop) {
                Ok(Agreement::Same { turns }) => {
                    equal += 1;
                    writeln!(out, "{place}: identical, {turns} turns, scores {}", record.points_text("-"))?;
                }
                Ok(Agreement::Different(difference)) => {
                    writeln!(out, "{}", printable(&format!("{place}: {difference}")))?;
                }
                Ok(_) => {}
                Err(GameError::Stopped) => return Ok(ExitCode::SUCCESS),
                Err(error) => writeln!(out, "{place}: {error}")?,
            }
        }
    }
    writeln!(out, "{equal} of {all} battles are identical with the referee {}", referee.name)?;
    Ok(if equal == all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Calls a function for every position of a game, or only for the position after `turn` moves if `turn` is given.
fn visit(
    game: &mut ReplayedGame,
    turn: Option<usize>,
    mut act: impl FnMut(&ReplayedGame) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if let Some(turn) = turn {
        game.go_to(turn).map_err(anyhow::Error::msg)?;
        return act(game);
    }
    act(game)?;
    while let Some(played) = game.step() {
        played.map_err(anyhow::Error::msg)?;
        act(game)?;
    }
    Ok(())
}

/// Prints the input that a bot received in the game.
fn write_input(game: &ReplayedGame, wanted: &str) -> anyhow::Result<()> {
    let Some(record) = &game.record else {
        let words = format!(
            "{} does not contain the bots' input; a log from `{} match --log` does",
            game.place,
            this_program()
        );
        return Err(UsageError(words).into());
    };
    let questions = replay::questions(record, seat(game.contest, wanted)?);
    let questions = questions.map_err(|reason| anyhow::anyhow!("{}: {reason}", game.place))?;
    let mut out = std::io::stdout().lock();
    questions.iter().try_for_each(|asked| out.write_all(asked.text.as_bytes()))?;
    Ok(())
}

/// Prints the positions of a game.
fn show(game: &mut ReplayedGame, turn: Option<usize>) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    // If the game's own judge rejects the record, the moves below report the error.
    let stand_ins = game.stand_ins().unwrap_or_default();
    visit(game, turn, |game| {
        let [zero, one] = game.judge().points();
        let board = coloured(game.judge().picture(None).to_text());
        let is_stand_in = game.turn().checked_sub(1).is_some_and(|last| stand_ins.get(last) == Some(&true));
        let by_judge = if is_stand_in { " (played by the judge, because the bot had failed)" } else { "" };
        Ok(writeln!(out, "{}{by_judge}, points {zero}-{one}\n{board}", printable(&caption(game)))?)
    })?;
    // The header comes after the boards, because the end of the output stays visible.
    if let Some(record) = &game.record {
        out.write_all(header(record, game.contest).as_bytes())?;
    }
    Ok(())
}

/// Writes the position as an SVG picture.
fn draw(game: &ReplayedGame, path: &Path) -> anyhow::Result<u64> {
    let text = board::svg_file(&game.judge().picture(None), &caption(game));
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(1)
}

/// Returns a caption for a position, such as `games.jsonl:1: turn 3 `4 4``.
fn caption(game: &ReplayedGame) -> String {
    let title = if game.record.is_some() || game.title.is_empty() {
        String::new()
    } else {
        format!("{}: ", game.title)
    };
    match game.turn().checked_sub(1) {
        None => format!("{}: {title}start", game.place),
        Some(last) => format!("{}: {title}turn {} `{}`", game.place, game.turn(), game.moves[last]),
    }
}

/// Returns the heading of a game: the players, the seed and the result.
fn header(game: &Record, contest: &dyn Contest) -> String {
    let rules = if game.rules.is_empty() { String::new() } else { format!(", rules {}", game.rules) };
    let mut text = format!(
        "{}, seed {}{rules}: {}  {}{}\n",
        game.game,
        game.seed.cast_signed(),
        game.bots().join(" - "),
        game.points_text(" - "),
        if game.interrupted { ", interrupted" } else { "" }
    );
    for (name, seat) in contest.info().seats.iter().zip(&game.seats) {
        text += &format!("  {name}: {}: {}\n", seat.bot, seat.text());
    }
    printable(&text)
}

/// Replaces control characters in a text from a bot or a file, because they could manipulate the terminal.
fn printable(text: &str) -> String {
    text.replace(|letter: char| letter != '\n' && letter.is_control(), "\u{fffd}")
}

fn check(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    let mut is_fine = true;
    let mut out = std::io::stdout().lock();
    for path in &args.files {
        let outcome = replay::check(Source::open(path)?, args.game)?;
        writeln!(out, "{}: {} games identical, {}", path.display(), outcome.equal, outcome.compared)?;
        for note in &outcome.notes {
            writeln!(out, "  {note}")?;
        }
        for problem in outcome.problems.iter().take(SHOWN) {
            say!("error: {problem}");
        }
        let more = outcome.problems.len().saturating_sub(SHOWN) as u64 + outcome.more_problems;
        if more > 0 {
            say!("error: {more} more problems");
        }
        // A file without games is an error.
        if outcome.equal == 0 && outcome.problems.is_empty() {
            say!("error: {} contains no games", path.display());
        }
        is_fine &= outcome.problems.is_empty() && outcome.equal > 0;
    }
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
