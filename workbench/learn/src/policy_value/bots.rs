//! The bundled bots of a game that is learned, by the words of a recipe.

use contender_game::settings::Options;
use contender_input::{all_taken, did_you_mean};
use contender_puct::{BotOf, LearnedGame};

/// The name and the options of a bot as a user gives them: `name` or `name:options`.
pub(super) fn split(words: &str) -> Result<(&str, Options), String> {
    let (name, options) = words.split_once(':').unwrap_or((words, ""));
    Ok((name, Options::parse(options)?))
}

/// A bundled bot as a user names it.
pub(super) fn bot<S: LearnedGame>(words: &str, seed: u64) -> Result<BotOf<S>, String> {
    let (name, mut options) = split(words)?;
    let bot = S::bot(name, &mut options, seed).ok_or_else(|| {
        let names = || S::bots().iter().map(|bot| bot.name);
        let known: Vec<&str> = names().collect();
        format!("there is no bot `{name}`; there are: {}{}", known.join(", "), did_you_mean(name, names()))
    })??;
    all_taken(options)?;
    Ok(bot)
}
