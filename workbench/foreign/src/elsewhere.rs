//! Games on other machines: the data that is sent to them and the data that they return.

use crate::ForeignError;
use crate::commands::Contract;
use crate::referee::ExternalReferee;
use contender_play::{
    CommandLine, ExternalSpec, Fixture, GameError, HostSpec, Job, Machine, Program, Record,
};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The answer of a machine that played a game.
#[derive(Serialize, Deserialize)]
struct Answer {
    /// The protocol of the referee's command line, if it is known.
    contract: Option<Contract>,
    is_seed_ignored: bool,
    /// The record as a line of a log, or the reason why there is no record.
    result: Result<String, GameError>,
    /// The referee's log, if it was requested.
    log: Option<String>,
}

impl ExternalReferee {
    pub(crate) fn read_answer_of(&self, fixture: &Fixture, text: &str) -> Result<Record, GameError> {
        let own = shell_words::join(&self.words);
        let of_another = || GameError::Void {
            reason: "a worker sent the result of a different game".to_string(),
            repeat: Some(own.clone()),
            is_final: true,
        };
        let answer: Answer = serde_json::from_str(text).map_err(|_| of_another())?;
        let log = self.log_of(fixture);
        if let Some(contract) = answer.contract {
            let _ = self.contract.set(contract);
            self.is_seed_ignored.fetch_or(answer.is_seed_ignored, Ordering::Relaxed);
        }
        // If there is no result, this protocol was tried first.
        let contract = answer.contract.unwrap_or(Contract::CodinGame);
        // The other machine's command contains its own paths.
        let repeat = Some(self.question(contract, fixture, &log)?.repeat);
        let text = match answer.result {
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
        if let (Some(text), true) = (answer.log, self.logs.is_some()) {
            self.make_folder_of_logs()?;
            std::fs::write(&log, &text).map_err(|error| {
                GameError::Busy(format!("cannot write the log {}: {error}", log.display()))
            })?;
            record.engine_log = Some(log.display().to_string());
        }
        Ok(record)
    }

    pub(crate) fn job_of(&self, fixture: &Fixture) -> Result<Job, GameError> {
        if self.words.iter().any(|word| word.contains("%P1%") || word.contains("%ALL_PLAYERS%")) {
            return Err(GameError::void(
                "a referee with the placeholders %P1% and %P2% can play only on this machine\nhint: use \
                 {P1} and {P2} (the bots' commands) instead, or run the command without `--on`",
            ));
        }
        let within = |command: CommandLine| match &self.within {
            Some(folder) => command.anywhere().within(folder),
            None => command.anywhere(),
        };
        let command = within(CommandLine::new(&self.words));
        let mut fixture = fixture.clone();
        // The referee starts bots in its own folder.
        for command in fixture.seats.iter_mut().filter_map(|bot| bot.program.command_line_mut()) {
            *command = within(command.clone());
        }
        let host = HostSpec::External(ExternalSpec {
            referee: if self.is_server { Program::KeepAlive(command) } else { Program::Command(command) },
            league: self.league,
            time: self.time,
            limit: self.limit,
            retries: self.retries,
            rematches: self.rematches,
            wants_log: self.logs.is_some(),
        });
        Ok(Job::new(&fixture, host))
    }

    /// Creates the referee for a job from another machine.
    ///
    /// # Errors
    /// Returns an error if the referee is not a command, or if no temporary folder can be created.
    pub fn from_spec(spec: &ExternalSpec) -> Result<ExternalReferee, ForeignError> {
        let (command, is_server) = match &spec.referee {
            Program::Command(command) => (command, false),
            Program::KeepAlive(command) => (command, true),
            Program::Bundled { .. } => return Err(ForeignError::NoCommand),
        };
        let mut referee = ExternalReferee::of_words(command.words.clone(), is_server)?;
        referee.within = command.folder().map(Path::to_path_buf);
        referee.league = spec.league;
        referee.time = spec.time;
        referee.limit = spec.limit;
        referee.retries = spec.retries;
        referee.rematches = spec.rematches;
        referee.logs = spec.wants_log.then(|| referee.workplace().to_path_buf());
        Ok(referee)
    }

    pub(crate) fn answer_of(
        &self,
        fixture: &Fixture,
        machine: &dyn Fn() -> Machine,
        stop: &AtomicBool,
    ) -> Result<String, GameError> {
        let mut result = match self.play_here(fixture, stop) {
            Err(error @ (GameError::Stopped | GameError::Busy(_))) => return Err(error),
            result => result.map(|played| played.record),
        };
        let file = result.as_ref().ok().and_then(|record| record.engine_log.clone());
        let log = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
        if let Some(file) = file {
            let _ = std::fs::remove_file(file);
        }
        if let Ok(record) = &mut result {
            record.machine = Some(machine());
        }
        let result = result.map(|record| record.to_json());
        let answer =
            Answer { contract: self.contract(), is_seed_ignored: self.is_seed_ignored(), result, log };
        serde_json::to_string(&answer).map_err(|error| GameError::Bug(error.to_string()))
    }
}

#[cfg(test)]
mod tests;
