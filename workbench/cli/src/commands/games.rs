//! `contender games`: lists the games and their bots.

use crate::arguments::game_parser;
use crate::terminal::coloured;
use clap::Args as ClapArgs;
use contender_catalogue::contests;
use contender_game::{
    board::ansi,
    contest::{Contest, JudgeSite, Limits},
};
use contender_input::this_program;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

/// `contender games`
#[derive(ClapArgs)]
pub struct GamesArgs {
    /// Game to show, with its bots' options
    #[arg(value_parser = game_parser())]
    pub game: Option<&'static dyn Contest>,
}

pub fn run(args: &GamesArgs) -> anyhow::Result<ExitCode> {
    let text = match args.game {
        Some(contest) => describe(contest, true),
        None => {
            let all: Vec<String> = contests().iter().map(|&contest| describe(contest, false)).collect();
            let all = all.join("\n");
            let words = format!("`{} games GAME` lists the options of a game's bots.", this_program());
            format!("{all}\n{}\n", ansi::dim(&words))
        }
    };
    std::io::stdout().write_all(coloured(text).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Describes a game and its bots, with the bots' options if `has_options` is set.
fn describe(contest: &dyn Contest, has_options: bool) -> String {
    let site = match contest.info().site {
        JudgeSite::CodeCup => "CodeCup",
        JudgeSite::CodinGame => "CodinGame",
    };
    let mut text = format!("\x1b[1m{}{}  {}\n", contest.name(), ansi::RESET, contest.info().about);
    let [zero, one] = contest.info().seats;
    let seats = [(contender_game::rules::Player::Zero, zero), (contender_game::rules::Player::One, one)];
    let [zero, one] = seats.map(|(player, name)| ansi::seat(player, name));
    let _ = writeln!(text, "  seats 0 {zero}, 1 {one}; {site}, {}", describe_limits(contest.info().limits));
    for bot in contest.info().bots {
        let _ = writeln!(text, "    {:<12} {}", bot.name, bot.about);
        for setting in (bot.settings)().iter().filter(|_| has_options) {
            let _ = writeln!(text, "    {:<12} {}", "", ansi::dim(&format!("{}: {setting}", setting.name)));
        }
    }
    for rule in (contest.info().rules)() {
        let _ = writeln!(text, "    {:<12} {rule}", format!("--setup {}", rule.name));
    }
    text
}

fn describe_limits(limits: Limits) -> String {
    let with_unit = |time: Duration| humantime::format_duration(time).to_string();
    let parts = [
        limits.game.map(|time| format!("{} a game", with_unit(time))),
        limits.first_turn.map(|time| format!("{} for the first turn", with_unit(time))),
        limits.turn.map(|time| format!("{} a turn", with_unit(time))),
    ];
    let known: Vec<String> = parts.into_iter().flatten().collect();
    if known.is_empty() { "no time limit".to_string() } else { known.join(", ") }
}
