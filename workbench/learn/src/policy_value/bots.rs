//! The bundled bots of a game, as a recipe names them.

use contender_game::settings::Options;
use contender_input::{all_taken, did_you_mean};
use contender_puct::{BotOf, LearnedGame};

/// Splits the text for a bot, `name` or `name:options`, into the name and the options.
pub(super) fn split(words: &str) -> Result<(&str, Options), String> {
    let (name, options) = words.split_once(':').unwrap_or((words, ""));
    Ok((name, Options::parse(options)?))
}

/// Creates the bundled bot that a text names.
pub(super) fn bot<S: LearnedGame>(words: &str, seed: u64) -> Result<BotOf<S>, String> {
    let (name, mut options) = split(words)?;
    let bot = S::bot(name, &mut options, seed).ok_or_else(|| {
        let names = || S::bots().iter().map(|bot| bot.name);
        let known: Vec<&str> = names().collect();
        format!("unknown bot `{name}`; available: {}{}", known.join(", "), did_you_mean(name, names()))
    })??;
    all_taken(options).map_err(|error| error.to_string())?;
    Ok(bot)
}
