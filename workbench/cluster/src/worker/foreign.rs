//! Games with external referees. A referee is prepared once and then used for all games of a run.

use super::{Work, Worker};
use crate::parcel::{BotFile, Id, from_anywhere, unpack};
use crate::streams::Streams;
use anyhow::{Context as _, Result};
use contender_foreign::ExternalReferee;
use contender_play::{CommandLine, ExternalSpec, Fixture, Host, Program, Readable, ResourceLimits};
use contender_referee::Isolation;
use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;

/// Memory limit for a referee and all bots in its game together. The limit is high because a JVM needs as much memory
/// as several bots.
const MEMORY: u64 = 4 << 30;

/// Maximum number of prepared referees that are kept with their processes.
const MAX_KEPT: usize = 4;

/// Prepared referees. The most recently used one is last.
pub(super) type Referees = Mutex<VecDeque<(Id, Arc<Hosted>)>>;

/// A referee that is prepared for the games of a run.
pub(super) struct Hosted {
    referee: ExternalReferee,
    /// A folder that contains only the bots' files of this run, because a bot might be able to read the files for later
    /// games.
    bots: TempDir,
}

impl Worker {
    /// Prepares a game with an external referee, or returns the reason why it cannot be played.
    #[allow(clippy::too_many_arguments)]
    pub(super) async fn foreign(
        &self,
        streams: &Streams,
        run: &str,
        spec: ExternalSpec,
        mut fixture: Fixture,
        referee: &[BotFile],
        bots: &[Vec<BotFile>],
        patience: Duration,
    ) -> Result<Result<Work, String>> {
        let hosted = match self.hosted(streams, run, spec, &fixture, referee, patience).await? {
            Ok(hosted) => hosted,
            Err(error) => return Ok(Err(error.to_string())),
        };
        for (bot, files) in fixture.seats.iter_mut().zip(bots) {
            let folder = unpack(files, &streams.files, patience, hosted.bots.path()).await?;
            if let Some(command) = bot.program.command_line_mut() {
                command.words.iter_mut().for_each(|word| *word = from_anywhere(word, files, &folder));
            }
        }
        Ok(Ok(self.begin(true, move |machine, stop| hosted.referee.answer(&fixture, machine, stop))))
    }

    /// Returns the referee for a game, or the reason why there is none.
    async fn hosted(
        &self,
        streams: &Streams,
        run: &str,
        mut spec: ExternalSpec,
        fixture: &Fixture,
        files: &[BotFile],
        patience: Duration,
    ) -> Result<Result<Arc<Hosted>, String>> {
        // Programs that bots run in addition to their files, such as `python3`.
        let programs: BTreeSet<&str> = fixture.seats.iter().filter_map(|bot| program(&bot.program)).collect();
        let id = Id::of(&serde_json::to_vec(&(run, &spec, files, &programs))?);
        let known = || self.referees.lock().expect("no thread panics while it holds the lock");
        let find = |known: &VecDeque<(Id, Arc<Hosted>)>| {
            known.iter().find(|(known, _)| *known == id).map(|(_, hosted)| Arc::clone(hosted))
        };
        if let Some(hosted) = find(&known()) {
            return Ok(Ok(hosted));
        }
        let folder = unpack(files, &streams.files, patience, &self.settings.cache).await?;
        if let Some(command) = spec.referee.command_line_mut() {
            *command = command.clone().within(&folder);
        }
        let mut referee = match ExternalReferee::from_spec(&spec) {
            Ok(referee) => referee,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let bots = tempfile::Builder::new().prefix("contender-").tempdir().context("a folder for bots")?;
        if !self.settings.without_isolation {
            let folders = [folder.clone(), bots.path().to_path_buf()];
            let others = folders.into_iter().chain(programs.iter().map(PathBuf::from)).collect();
            let bounds = ResourceLimits {
                memory: Some(MEMORY),
                writable: Some(vec![referee.workplace().to_path_buf()]),
                readable: Readable::Needed { hidden: Vec::new(), others },
                ..ResourceLimits::strict()
            };
            referee.isolation = Some(Isolation::new(&bounds)?);
        }
        let mut known = known();
        // Another game may have been faster.
        if let Some(hosted) = find(&known) {
            return Ok(Ok(hosted));
        }
        let hosted = Arc::new(Hosted { referee, bots });
        known.push_back((id, Arc::clone(&hosted)));
        if known.len() > MAX_KEPT {
            known.pop_front();
        }
        Ok(Ok(hosted))
    }
}

/// Returns the name of the program in `PATH` that a command runs, or `None` if the program is bundled or given by a
/// path.
fn program(of: &Program) -> Option<&str> {
    of.command_line().map(CommandLine::name).filter(|name| !name.contains('/'))
}
