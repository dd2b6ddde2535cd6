//! The test of a bot before it joins a league. For example, the test detects missing files.

use crate::game::entrant;
use crate::settings::{League, Refereed};
use contender_play::{Entrant, EntrantError, Fixture, GameError, Host, Seat};
use contender_referee::checker::{Checker, last_lines};
use std::sync::atomic::AtomicBool;

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
    pub fn try_out(&self, bot: &Entrant, stop: &AtomicBool) -> Result<(), String> {
        let Some(contest) = self.contest() else { return self.plays_itself(bot, stop) };
        let referee = self.settings.referee(contest, &self.folder);
        let referee = referee.map_err(|error| format!("{error:#}"))?;
        // Bundled bots always answer.
        let Ok(checker) = Checker::new(contest, referee, bot, 1) else { return Ok(()) };
        checker.first_answer(stop).map_err(|reason| format!("`{}` {reason}", bot.name))
    }

    fn plays_itself(&self, bot: &Entrant, stop: &AtomicBool) -> Result<(), String> {
        let name = &bot.name;
        let host = self.settings.host(&self.folder).map_err(|error| format!("{error:#}"))?;
        let Refereed::Elsewhere(mut referee) = host else { return Ok(()) };
        // This game does not belong to the league.
        referee.logs = None;
        let (seats, seed) = (vec![bot.clone(); self.players()], referee.seed(1));
        let played = referee.play(&Fixture { seats, seed, bot_seeds: Vec::new() }, stop);
        let record = played.map_err(|error| match error {
            GameError::Stopped => "interrupted".to_string(),
            error => format!("a game in which `{name}` plays against itself has no result: {error}"),
        })?;
        // Some referees give a bot that simply lost the score of a failure, without a message.
        let are_all_out = record.seats.iter().all(|seat| seat.ending.is_failure());
        let has_failed = |seat: &&Seat| match seat.ending.name() {
            "overloaded" => false,
            "failure" => are_all_out,
            _ => seat.ending.is_failure(),
        };
        let Some(seat) = record.seats.iter().find(has_failed) else { return Ok(()) };
        Err(format!(
            "`{name}` fails in a game against itself: {}{}",
            seat.ending,
            last_lines(&seat.stderr, "  ")
        ))
    }
}
