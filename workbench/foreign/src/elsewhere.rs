//! Games on other machines: what travels there, and what comes back.

use crate::commands::{Bot, Contract};
use crate::game_log::GameLog;
use crate::referee::{ForeignReferee, Game, NoResult, Played};
use contender_referee::{ForeignJob, JobBot, JobProgram, Machine, Machines};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What who has played a game writes of it.
#[derive(Serialize, Deserialize)]
struct Reply {
    /// How the referee is asked, where that is known.
    contract: Option<Contract>,
    is_seed_ignored: bool,
    result: Result<Played, NoResult>,
    /// The referee's log, if it is wanted.
    log: Option<String>,
}

impl ForeignReferee {
    /// Has games played by other machines, or here again.
    ///
    /// # Errors
    /// A referee that finds bots by their names, in words for the user: who plays elsewhere has no bots of that name.
    pub fn play_on(&mut self, machines: Option<Arc<dyn Machines>>) -> Result<(), String> {
        let is_name = |word: &String| word.contains("%P1%") || word.contains("%ALL_PLAYERS%");
        if machines.is_some() && self.words.iter().any(is_name) {
            return Err(
                "a referee that is told the bots' names plays on this machine only: write {P1} and {P2}, \
                        the bots' commands, in place of %P1% and %P2%, or leave out `--on`"
                    .to_string(),
            );
        }
        self.machines = machines;
        Ok(())
    }

    /// Has a game played on other machines.
    pub(crate) fn play_there(
        &self,
        machines: &dyn Machines,
        game: Game<'_>,
        stop: &AtomicBool,
    ) -> Result<Played, NoResult> {
        let repeat = shell_words::join(&self.words);
        let fault = |reason: String| NoResult::Void { reason, repeat: repeat.clone(), is_final: true };
        let job = self.job(game).map_err(fault)?;
        let text = machines.play_foreign(job, stop).ok_or(NoResult::Stopped)?;
        let text = text.map_err(|reason| fault(format!("does not play on other machines: {reason}")))?;
        let of_another = || fault("has a result of another game".to_string());
        let reply: Reply = serde_json::from_str(&text).map_err(|_| of_another())?;
        let log = self.log_of(game);
        if let Some(contract) = reply.contract {
            let _ = self.contract.set(contract);
            self.is_seed_ignored.fetch_or(reply.is_seed_ignored, Ordering::Relaxed);
        }
        // Who has no result was asked so first.
        let contract = reply.contract.unwrap_or(Contract::CodinGame);
        let repeat = self.question(contract, game, &log)?.repeat;
        let mut played = match reply.result {
            Ok(played) => Played { repeat, ..played },
            Err(NoResult::Void { reason, is_final, .. }) => {
                return Err(NoResult::Void { reason, repeat, is_final });
            }
            Err(no_result) => return Err(no_result),
        };
        let lengths = [
            &played.output.ranks.len(),
            &played.output.failed.len(),
            &played.ends.len(),
            &played.stderr.len(),
        ];
        if lengths.iter().any(|length| **length != game.bots.len()) {
            return Err(of_another());
        }
        if let (Some(text), true) = (reply.log, self.logs.is_some()) {
            std::fs::write(&log, &text).map_err(|error| {
                NoResult::Shortage(format!("the log {} cannot be written: {error}", log.display()))
            })?;
            played.game_log = GameLog::read(&text).ok();
            played.log = Some(log);
        }
        Ok(played)
    }

    /// A game in a form that can be sent.
    fn job(&self, game: Game<'_>) -> Result<ForeignJob, String> {
        let command = |words: Vec<String>, keep_alive| JobProgram::Command {
            words,
            folder: game.folder.map(Path::to_path_buf),
            keep_alive,
        };
        let bot = |bot: &&Bot| {
            let words = shell_words::split(&bot.command)
                .map_err(|error| format!("cannot be told of {}: {error}", bot.name))?;
            Ok(JobBot { name: bot.name.clone(), program: command(words, false) })
        };
        Ok(ForeignJob {
            version: env!("CARGO_PKG_VERSION").to_string(),
            referee: command(self.words.clone(), self.is_server),
            bots: game.bots.iter().map(bot).collect::<Result<_, String>>()?,
            seed: game.seed,
            league: self.league,
            time: self.time,
            limit: self.limit,
            retries: self.retries,
            rematches: self.rematches,
            wants_log: self.logs.is_some(),
        })
    }

    /// The referee of a job, for the machine that plays it.
    ///
    /// # Errors
    /// A job that is none, or no folder for temporary files.
    pub fn of_job(job: &ForeignJob) -> Result<ForeignReferee, String> {
        let (words, _, is_server) = command(&job.referee)?;
        let mut referee = ForeignReferee::of_words(words.to_vec(), is_server)?;
        referee.league = job.league;
        referee.time = job.time;
        referee.limit = job.limit;
        referee.retries = job.retries;
        referee.rematches = job.rematches;
        referee.logs = job.wants_log.then(|| referee.workplace().to_path_buf());
        Ok(referee)
    }

    /// Plays a job of this referee on this machine and returns what is to be sent back; `None` if it was stopped.
    ///
    /// # Errors
    /// What this machine is short of, while another one might play it.
    pub fn play_job(
        &self,
        job: &ForeignJob,
        machine: Machine,
        stop: &AtomicBool,
    ) -> Result<Option<String>, String> {
        let bot = |bot: &JobBot| {
            let (words, ..) = command(&bot.program)?;
            Ok(Bot { name: bot.name.clone(), command: shell_words::join(words) })
        };
        let bots = job.bots.iter().map(bot).collect::<Result<Vec<Bot>, String>>()?;
        let bots: Vec<&Bot> = bots.iter().collect();
        let (_, folder, _) = command(&job.referee)?;
        let mut result = match self.play(Game { bots: &bots, seed: job.seed, folder }, stop) {
            Err(NoResult::Stopped) => return Ok(None),
            Err(NoResult::Shortage(reason)) => return Err(reason),
            result => result,
        };
        let file = result.as_ref().ok().and_then(|played| played.log.as_ref());
        let log = file.and_then(|file| std::fs::read_to_string(file).ok());
        if let Some(file) = file {
            let _ = std::fs::remove_file(file);
        }
        if let Ok(played) = &mut result {
            played.machine = Some(machine);
        }
        let reply = Reply { contract: self.contract(), is_seed_ignored: self.is_seed_ignored(), result, log };
        serde_json::to_string(&reply).map(Some).map_err(|error| error.to_string())
    }
}

/// A command of a job: words, its folder, and whether it plays game after game.
fn command(program: &JobProgram) -> Result<(&[String], Option<&Path>, bool), String> {
    match program {
        JobProgram::Command { words, folder, keep_alive } => Ok((words, folder.as_deref(), *keep_alive)),
        JobProgram::Bundled { .. } => Err("a game by a program with a bundled bot".to_string()),
    }
}

#[cfg(test)]
mod tests;
