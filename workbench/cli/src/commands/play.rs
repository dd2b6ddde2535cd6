//! `contender play`: a person against a bot in the terminal.

use crate::arguments::{BOT_HELP, game_parser};
use crate::error::UsageError;
use crate::setup::{entrant, referee, seat};
use crate::terminal::coloured;
use anyhow::{Context, anyhow, bail};
use clap::Args as ClapArgs;
use contender_game::{Contest, Judge, Question};
use contender_league::{League, Store};
use contender_referee::{Conditions, Entrant};
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// `contender play`
#[derive(ClapArgs)]
#[command(after_help = BOT_HELP, mut_arg("seed", |arg| arg.default_value("random")))]
pub struct PlayArgs {
    /// The game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// The opponent [default: the strongest bundled bot]
    #[arg(long, value_name = "BOT")]
    pub bot: Option<String>,
    /// The folder of a league: --bot is the name of one of its bots
    #[arg(long, value_name = "FOLDER", requires = "bot")]
    pub league: Option<PathBuf>,
    /// Your seat: its name, or 0 or 1 [default: the one that moves first]
    #[arg(long)]
    pub seat: Option<String>,
    #[command(flatten)]
    pub conditions: Conditions,
}

/// How much later than its limit a bot may answer: against a person that is no loss.
const MARGIN: Duration = Duration::from_secs(10);

pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let contest = args.game;
    let seed = args.conditions.seed;
    let mut referee = referee(contest, &args.conditions)?;
    referee.margin = MARGIN;
    let bot = opponent(args)?;
    let mut rules = referee.rules_of(seed).clone();
    let mut judge = contest.judge(seed, &mut rules).map_err(anyhow::Error::msg)?;
    let mut questions = judge.ask();
    let first = questions.first().context("the game is over before it begins")?.player;
    let person = args.seat.as_deref().map_or(Ok(first), |text| seat(contest, text))?;
    let [zero, one] = contest.info().seats;
    let name = bot.name.clone();
    let mut bot = referee.opponent(contest, &bot, person.other(), seed)?;
    writeln!(
        std::io::stdout(),
        "You are {} against {name}; `--seed {seed}` has the same luck again. Type your moves as asked, or `quit`.",
        [zero, one][person]
    )?;

    let mut input = std::io::stdin().lock();
    while !questions.is_empty() {
        for question in questions {
            if question.player == person {
                let Some(()) = ask_person(judge.as_mut(), &question, &mut input)? else {
                    writeln!(std::io::stdout(), "Goodbye.")?;
                    return Ok(ExitCode::SUCCESS);
                };
            } else {
                let answer = match bot.ask(&question) {
                    Ok(answer) => answer,
                    Err(ending) => {
                        let report = bot.leave("");
                        report.stderr.lines().for_each(|line| say!("stderr: {line}"));
                        return Err(anyhow!("{name} {ending}"));
                    }
                };
                writeln!(std::io::stdout(), "{} plays {}", [zero, one][question.player], answer.join(" / "))?;
                if let Err(reason) = judge.answer(question.player, &answer) {
                    bail!("the bot's answer is not legal: {reason}");
                }
            }
        }
        questions = judge.ask();
    }
    let _ = bot.leave(judge.farewell());
    writeln!(std::io::stdout(), "{}", coloured(judge.picture(None).to_text()))?;
    let points = judge.points();
    writeln!(std::io::stdout(), "The game is over: {zero} {}, {one} {}.", points[0], points[1])?;
    Ok(ExitCode::SUCCESS)
}

/// The bot that the user names, of a league where that is meant, or the strongest.
fn opponent(args: &PlayArgs) -> anyhow::Result<Entrant> {
    let strongest = args.game.info().bots.last().map(|bot| bot.name);
    let text = args.bot.as_deref().or(strongest).context("the game has no bundled bot")?;
    match &args.league {
        Some(folder) => of_league(args.game, folder, text),
        None => entrant(args.game, text),
    }
}

/// A bot of a league, whose commands run in its folder.
fn of_league(contest: &dyn Contest, folder: &Path, name: &str) -> anyhow::Result<Entrant> {
    let wrong = |error: anyhow::Error| UsageError(format!("{error:#}"));
    let league = League::open(folder).map_err(wrong)?;
    let game = &league.settings.game;
    if game != contest.name() {
        return Err(UsageError(format!("{} is a league of {game}", folder.display())).into());
    }
    let bots = Store::open(&league)?.bots()?;
    let Some(bot) = bots.iter().find(|bot| bot.name == name) else {
        let names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
        return Err(
            UsageError(format!("the league has no bot `{name}`; it has: {}", names.join(", "))).into()
        );
    };
    std::env::set_current_dir(&league.folder)?;
    Ok(Entrant { name: name.to_string(), ..entrant(contest, &bot.command)? })
}

/// Asks until the answer is legal; nothing when the person leaves.
fn ask_person(
    judge: &mut dyn Judge,
    question: &Question,
    input: &mut impl BufRead,
) -> anyhow::Result<Option<()>> {
    writeln!(std::io::stdout(), "\n{}", coloured(judge.picture(Some(question.player)).to_text()))?;
    loop {
        writeln!(std::io::stdout(), "{}", judge.prompt(question.player))?;
        let mut answer = Vec::new();
        while answer.len() < question.answer_lines {
            print!("> ");
            std::io::stdout().flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 || line.trim() == "quit" {
                return Ok(None);
            }
            answer.push(line.trim().to_string());
        }
        match judge.answer(question.player, &answer) {
            Ok(()) => return Ok(Some(())),
            Err(reason) => writeln!(std::io::stdout(), "That is not legal: {reason}.")?,
        }
    }
}
