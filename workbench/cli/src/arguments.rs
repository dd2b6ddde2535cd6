//! Arguments shared by several commands.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use contender_catalogue::{contests, find};
use contender_game::contest::Contest;
use std::ffi::OsString;

/// Help text for commands that accept bundled bots and external programs.
pub const BOT_HELP: &str = "A BOT is a bundled bot (`greedy`, or with options `expectimax:depth=2`), a \
    quoted command that runs a program with the judge's protocol (`\"python3 bot.py\"`), or `name=command`. \
    `contender games GAME` lists the bundled bots and their options.";

/// Help text for commands that accept only bundled bots.
pub const BUNDLED_BOT_HELP: &str = "A BOT is a bundled bot (`greedy`, or with options `expectimax:depth=2`). `contender games GAME` lists \
the bundled bots and their options.";

/// Parses `LO,HI`, two numbers in ascending order.
pub fn two_numbers(text: &str) -> Result<[f64; 2], String> {
    let number = |part: &str| part.trim().parse::<f64>().ok();
    match text.split_once(',').map(|(low, high)| (number(low), number(high))) {
        Some((Some(low), Some(high))) if low < high => Ok([low, high]),
        _ => Err("expected two numbers in ascending order, for example 0,5".to_string()),
    }
}

/// Returns a parser that accepts the names of the games.
pub fn game_parser() -> impl TypedValueParser<Value = &'static dyn Contest> {
    let names: Vec<PossibleValue> = contests()
        .iter()
        .map(|contest| PossibleValue::new(contest.name()).help(contest.info().about))
        .collect();
    PossibleValuesParser::new(names).map(|name| find(&name).expect("the parser accepts only known names"))
}

/// Converts the arguments `-p1`, `-p2` and `-seed`, which cg-brutaltester writes with a single dash, to long options.
pub fn understood(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    args.map(|arg| match arg.to_str() {
        Some(word @ ("-p1" | "-p2" | "-seed")) => OsString::from(format!("-{word}")),
        _ => arg,
    })
    .collect()
}
