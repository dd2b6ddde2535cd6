//! Games on other machines: what travels there, and what comes back.

use crate::commands::Contract;
use crate::referee::ForeignReferee;
use contender_play::{Fixture, ForeignJob, GameError, JobBot, JobProgram, Machine, Machines, Record};
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
    /// The record as a line of a log, or why there is none.
    result: Result<String, GameError>,
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
        fixture: &Fixture,
        stop: &AtomicBool,
    ) -> Result<Record, GameError> {
        let own = shell_words::join(&self.words);
        let fault = |reason: String| GameError::Void { reason, repeat: Some(own.clone()), is_final: true };
        let text = machines.play_foreign(self.job(fixture), stop).ok_or(GameError::Stopped)?;
        let text =
            text.map_err(|reason| fault(format!("the referee does not play on other machines: {reason}")))?;
        let of_another = || fault("a worker has sent the result of another game".to_string());
        let reply: Reply = serde_json::from_str(&text).map_err(|_| of_another())?;
        let log = self.log_of(fixture);
        if let Some(contract) = reply.contract {
            let _ = self.contract.set(contract);
            self.is_seed_ignored.fetch_or(reply.is_seed_ignored, Ordering::Relaxed);
        }
        // A referee without a result was asked in this way first.
        let contract = reply.contract.unwrap_or(Contract::CodinGame);
        // The other machine's command has its own paths.
        let repeat = Some(self.question(contract, fixture, &log)?.repeat);
        let text = match reply.result {
            Ok(text) => text,
            Err(GameError::Void { reason, is_final, .. }) => {
                return Err(GameError::Void { reason, repeat, is_final });
            }
            Err(error) => return Err(error),
        };
        let mut record = Record::from_json(&text).map_err(|_| of_another())?;
        if !record.bots().iter().eq(fixture.seats.iter().map(|bot| &bot.name)) {
            return Err(of_another());
        }
        record.game.clone_from(&self.name);
        record.repeat = repeat;
        record.engine_log = None;
        if let (Some(text), true) = (reply.log, self.logs.is_some()) {
            std::fs::write(&log, &text).map_err(|error| {
                GameError::Busy(format!("the log {} cannot be written: {error}", log.display()))
            })?;
            record.engine_log = Some(log.display().to_string());
        }
        Ok(record)
    }

    /// A game in a form that can be sent.
    fn job(&self, fixture: &Fixture) -> ForeignJob {
        let words = self.words.clone();
        let program = JobProgram::Command { words, folder: self.within.clone(), keep_alive: self.is_server };
        let bot = |bot: JobBot| match bot.program {
            // The referee starts bots in its own folder.
            JobProgram::Command { words, keep_alive, .. } => JobBot {
                program: JobProgram::Command { words, folder: self.within.clone(), keep_alive },
                ..bot
            },
            JobProgram::Bundled { .. } => bot,
        };
        ForeignJob {
            version: env!("CARGO_PKG_VERSION").to_string(),
            referee: program,
            bots: fixture.seats.iter().map(|entrant| bot(JobBot::of(entrant))).collect(),
            seed: fixture.seed,
            league: self.league,
            time: self.time,
            limit: self.limit,
            retries: self.retries,
            rematches: self.rematches,
            wants_log: self.logs.is_some(),
        }
    }

    /// The referee of a job, for the machine that plays it.
    ///
    /// # Errors
    /// A job that is none, or no folder for temporary files.
    pub fn of_job(job: &ForeignJob) -> Result<ForeignReferee, String> {
        let (words, folder, is_server) = command(&job.referee)?;
        let mut referee = ForeignReferee::of_words(words.to_vec(), is_server)?;
        referee.within = folder.map(Path::to_path_buf);
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
        let seats = job.bots.iter().map(JobBot::entrant).collect::<Result<Vec<_>, String>>()?;
        let fixture = Fixture { seats, seed: job.seed, bot_seeds: Vec::new() };
        let mut result = match self.play_here(&fixture, stop) {
            Err(GameError::Stopped) => return Ok(None),
            Err(GameError::Busy(reason)) => return Err(reason),
            result => result.map(|played| played.record),
        };
        let file = result.as_ref().ok().and_then(|record| record.engine_log.clone());
        let log = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
        if let Some(file) = file {
            let _ = std::fs::remove_file(file);
        }
        if let Ok(record) = &mut result {
            record.machine = Some(machine);
        }
        let result = result.map(|record| record.to_json());
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
