//! `contender play`: a person against a bot in the terminal.

use crate::arguments::{BUNDLED_BOT_HELP, game_parser};
use crate::setup::{bundled_bot, referee, seat};
use crate::terminal::coloured;
use anyhow::{Context, anyhow, bail};
use clap::Args as ClapArgs;
use contender_game::{Contest, Judge, Question};
use contender_referee::{Bundled, Conditions};
use std::io::{BufRead, Write};
use std::process::ExitCode;

/// `contender play`
#[derive(ClapArgs)]
#[command(after_help = BUNDLED_BOT_HELP)]
pub struct PlayArgs {
    /// The game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// The opponent [default: the strongest bundled bot]
    #[arg(long, value_name = "BOT")]
    pub bot: Option<String>,
    /// Your seat: its name, or 0 or 1 [default: the one that moves first]
    #[arg(long)]
    pub seat: Option<String>,
    #[command(flatten)]
    pub conditions: Conditions,
}

pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let contest = args.game;
    let referee = referee(contest, &args.conditions)?;
    let mut bot = Bundled::new(bundled_bot(contest, args.bot.as_deref(), &args.conditions, &referee)?);
    let mut rules = referee.rules.clone();
    let mut judge = contest.judge(args.conditions.seed, &mut rules).map_err(anyhow::Error::msg)?;
    let mut questions = judge.ask();
    let first = questions.first().context("the game is over before it begins")?.player;
    let person = args.seat.as_deref().map_or(Ok(first), |text| seat(contest, text))?;
    let [zero, one] = contest.info().seats;
    writeln!(std::io::stdout(), "You are {}. Type your moves as asked, or `quit`.", [zero, one][person])?;

    let mut input = std::io::stdin().lock();
    while !questions.is_empty() {
        for question in questions {
            if question.player == person {
                let Some(()) = ask_person(judge.as_mut(), &question, &mut input)? else {
                    writeln!(std::io::stdout(), "Goodbye.")?;
                    return Ok(ExitCode::SUCCESS);
                };
            } else {
                let answer = bot.ask(&question.text, question.answer_lines);
                let answer = answer.map_err(|ending| anyhow!("the bot {ending}"))?;
                writeln!(std::io::stdout(), "{} plays {}", [zero, one][question.player], answer.join(" / "))?;
                if let Err(reason) = judge.answer(question.player, &answer) {
                    bail!("the bot's answer is not legal: {reason}");
                }
            }
        }
        questions = judge.ask();
    }
    writeln!(std::io::stdout(), "{}", coloured(judge.board(None)))?;
    let points = judge.points();
    writeln!(std::io::stdout(), "The game is over: {zero} {}, {one} {}.", points[0], points[1])?;
    Ok(ExitCode::SUCCESS)
}

/// Asks until the answer is legal; nothing when the person leaves.
fn ask_person(
    judge: &mut dyn Judge,
    question: &Question,
    input: &mut impl BufRead,
) -> anyhow::Result<Option<()>> {
    writeln!(std::io::stdout(), "\n{}", coloured(judge.board(Some(question.player))))?;
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
