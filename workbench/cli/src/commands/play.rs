//! `contender play`: lets a person play against a bot in the terminal.

use crate::arguments::{BOT_HELP, game_parser};
use crate::error::UsageError;
use crate::setup::{entrant, referee, seat};
use crate::terminal::coloured;
use anyhow::{Context, bail};
use clap::Args as ClapArgs;
use contender_game::{contest::Contest, rules::Player};
use contender_league::{League, Store};
use contender_referee::{ConditionArgs, Entrant, Person, Prompt};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// `contender play`
#[derive(ClapArgs)]
#[command(after_help = BOT_HELP, mut_arg("seed", |arg| arg.default_value("random")))]
pub struct PlayArgs {
    /// Game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// Opponent [default: the strongest bundled bot]
    #[arg(long, value_name = "BOT")]
    pub bot: Option<String>,
    /// League folder; --bot is then the name of a bot in this league
    #[arg(long, value_name = "FOLDER", requires = "bot")]
    pub league: Option<PathBuf>,
    /// Your seat, by name or as 0 or 1 [default: the seat that moves first]
    #[arg(long)]
    pub seat: Option<String>,
    #[command(flatten)]
    pub conditions: ConditionArgs,
}

pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let contest = args.game;
    let seed = args.conditions.seed;
    let referee = referee(contest, &args.conditions)?;
    let bot = opponent(args)?;
    let mut judge =
        contest.judge(seed, &mut referee.conditions.rules_of(seed).clone()).map_err(UsageError)?;
    let first = judge.ask().first().context("the game is over before it begins")?.player;
    let person = args.seat.as_deref().map_or(Ok(first), |text| seat(contest, text))?;
    let seats = contest.info().seats;
    let mut out = std::io::stdout();
    writeln!(
        out,
        "You are {} against {}; to repeat this game's randomness, use `--seed {}`. Type a move when \
         prompted, or `quit`.",
        seats[person],
        bot.name,
        seed.cast_signed()
    )?;
    let (record, picture) = referee.play_person(contest, Box::new(Terminal { seats }), person, &bot, seed)?;
    if record.interrupted {
        writeln!(out, "Goodbye.")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{}", coloured(picture.to_text()))?;
    let ([zero, one], points) = (seats, record.points());
    writeln!(out, "The game is over: {zero} {}, {one} {}.", points[0], points[1])?;
    let report = &record.seats[person.other().index()];
    if report.ending.is_failure() {
        report.stderr.lines().for_each(|line| say!("stderr: {line}"));
        bail!("{} {}", bot.name, report.ending);
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the opponent: the bot with the given name, or the strongest bundled bot if there is no name. If a league is
/// given, the name refers to a bot in the league.
fn opponent(args: &PlayArgs) -> anyhow::Result<Entrant> {
    let strongest = args.game.info().bots.last().map(|bot| bot.name);
    let name = args.bot.as_deref().or(strongest).context("the game has no bundled bot")?;
    let Some(folder) = &args.league else { return entrant(args.game, name) };
    let wrong = |error: anyhow::Error| UsageError::from(error);
    let league = League::open(folder).map_err(wrong)?;
    let game = &league.settings.game;
    if game != args.game.name() {
        let (folder, asked) = (folder.display(), args.game.name());
        let words = format!("{folder} is a league for {game}, not for {asked}");
        let hint =
            format!("`{} play {game} --league {folder} --bot {name}`", contender_input::this_program());
        return Err(UsageError(format!("{words}\nhint: {hint}")).into());
    }
    Ok(Store::open_to_read(&league)?.entrant(args.game, name).map_err(wrong)?)
}

/// A person at the terminal.
struct Terminal {
    seats: [&'static str; 2],
}

impl Person for Terminal {
    fn answer(&mut self, prompt: Prompt) -> Option<Vec<String>> {
        // If the terminal can no longer be written or read, the person counts as gone.
        ask(&prompt).ok().flatten()
    }

    fn hear(&mut self, other: Player, answer: &[String]) {
        // If this line cannot be written, the next question fails too and ends the game.
        let _ = writeln!(std::io::stdout(), "{} plays {}", self.seats[other], answer.join(" / "));
    }
}

/// Shows the board (except after a rejected answer) and reads an answer. Returns `None` if the person quits.
fn ask(prompt: &Prompt) -> std::io::Result<Option<Vec<String>>> {
    let mut out = std::io::stdout();
    match &prompt.rejected {
        Some(reason) => writeln!(out, "That is not legal: {reason}.")?,
        None => writeln!(out, "\n{}", coloured(prompt.picture.to_text()))?,
    }
    writeln!(out, "{}", prompt.request)?;
    let mut answer = Vec::new();
    while answer.len() < prompt.answer_lines {
        write!(out, "> ")?;
        out.flush()?;
        let mut line = String::new();
        if std::io::stdin().read_line(&mut line)? == 0 || line.trim() == "quit" {
            return Ok(None);
        }
        answer.push(line.trim().to_string());
    }
    Ok(Some(answer))
}
