//! The test of a bot before it joins a league. For example, the test detects missing files.

use crate::game::entrant;
use crate::settings::{League, Refereed};
use contender_play::{Ending, Entrant, EntrantError, Fixture, GameError, Host, Seat};
use contender_referee::{
    NoAnswer,
    checker::{Checker, last_lines},
};
use std::sync::atomic::AtomicBool;

/// The reason why a bot should not join a league.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrialError {
    /// The league's games cannot be played.
    #[error("{0:#}")]
    Setup(anyhow::Error),
    /// The bot does not answer the first question of a game.
    #[error("`{bot}` {reason}")]
    NoAnswer {
        /// The bot's name.
        bot: String,
        /// The reason why there is no answer.
        reason: NoAnswer,
    },
    /// The game of the bot against itself has no result.
    #[error("a game in which `{bot}` plays against itself has no result: {error}")]
    NoResult {
        /// The bot's name.
        bot: String,
        /// The reason why there is no result.
        error: GameError,
    },
    /// The bot fails in a game against itself.
    #[error("`{bot}` fails in a game against itself: {ending}{stderr}")]
    Fails {
        /// The bot's name.
        bot: String,
        /// The failure.
        ending: Ending,
        /// The last lines that the bot wrote to standard error.
        stderr: String,
    },
    /// The user stopped the test.
    #[error("interrupted")]
    Stopped,
}

impl League {
    /// Returns the bot with this name as an entrant for a referee. The bot's command runs in the league's folder.
    ///
    /// # Errors
    /// Returns an error if a bundled bot or a program does not exist.
    pub fn entrant(&self, name: &str, command: &str) -> Result<Entrant, EntrantError> {
        entrant(name, command, self.contest().map(|contest| contest as _), &self.folder)
    }

    /// Runs a bot in the same way as the league. The bot must answer the first question of a game or, with an external
    /// referee, play a game against itself.
    ///
    /// # Errors
    /// Returns an error with the reason why the bot should not join the league.
    pub fn try_out(&self, bot: &Entrant, stop: &AtomicBool) -> Result<(), TrialError> {
        let Some(contest) = self.contest() else { return self.plays_itself(bot, stop) };
        let referee = self.settings.referee(contest, &self.folder).map_err(TrialError::Setup)?;
        // Bundled bots always answer.
        let Ok(checker) = Checker::new(contest, referee, bot, 1) else { return Ok(()) };
        checker.first_answer(stop).map_err(|reason| TrialError::NoAnswer { bot: bot.name.clone(), reason })
    }

    fn plays_itself(&self, bot: &Entrant, stop: &AtomicBool) -> Result<(), TrialError> {
        let name = || bot.name.clone();
        let host = self.settings.host(&self.folder).map_err(TrialError::Setup)?;
        let Refereed::Elsewhere(mut referee) = host else { return Ok(()) };
        // This game does not belong to the league.
        referee.logs = None;
        let (seats, seed) = (vec![bot.clone(); self.players()], referee.seed(1));
        let played = referee.play(&Fixture { seats, seed, bot_seeds: Vec::new() }, stop);
        let record = played.map_err(|error| match error {
            GameError::Stopped => TrialError::Stopped,
            error => TrialError::NoResult { bot: name(), error },
        })?;
        // Some referees give a bot that simply lost the score of a failure, without a message.
        let are_all_out = record.seats.iter().all(|seat| seat.ending.is_failure());
        let has_failed = |seat: &&Seat| match seat.ending.name() {
            "overloaded" => false,
            "failure" => are_all_out,
            _ => seat.ending.is_failure(),
        };
        let Some(seat) = record.seats.iter().find(has_failed) else { return Ok(()) };
        Err(TrialError::Fails {
            bot: name(),
            ending: seat.ending.clone(),
            stderr: last_lines(&seat.stderr, "  "),
        })
    }
}
