//! Who plays: a bundled bot with options, or a command.

use contender_game::{BotSetup, Contest, Options};

/// A bot as a user names it: `greedy`, `expectimax:depth=2`, `"python3 bot.py"`, or `mybot=python3 bot.py`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// What tables and records call it.
    pub name: String,
    /// What is run.
    pub program: Program,
}

/// What is run for an entrant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Program {
    /// A bundled bot, in this process.
    Bundled {
        /// Its name in the contest's list.
        bot: String,
        /// Its options.
        options: Options,
    },
    /// A program and its arguments, split as a shell splits words; no shell runs.
    Command(Vec<String>),
}

/// Why a text names no entrant, in words for the user.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct EntrantError(pub String);

impl Entrant {
    /// Reads what a user wrote. A text whose first word (up to a `:`) is the name of a bundled bot is that bot; anything else is a
    /// command, with `name=` in front or named after itself.
    ///
    /// # Errors
    /// An unknown bundled bot, a bad option, or a command whose program does not exist.
    pub fn parse(contest: &dyn Contest, text: &str) -> Result<Entrant, EntrantError> {
        let (bot, options) = text.split_once(':').unwrap_or((text, ""));
        let mut options = Options::parse(options).map_err(EntrantError)?;
        let program = Program::Bundled { bot: bot.to_string(), options: options.clone() };
        contest.bot(bot, &mut options, &BotSetup::default()).map_err(EntrantError)?;
        Ok(Entrant { name: text.to_string(), program })
    }
}
