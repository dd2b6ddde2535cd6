//! Games that other programs referee: a referee is made ready once for the many games of a run.

use super::{Work, Worker};
use crate::connection::host;
use crate::parcel::{BotFile, Id, from_anywhere, unpack};
use crate::streams::Streams;
use anyhow::{Context as _, Result, anyhow};
use contender_foreign::ForeignReferee;
use contender_referee::{Bounds, ForeignJob, Isolation, JobProgram, Machine, Readable};
use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;

/// What a referee and all bots of its game may use of memory: a JVM takes as much as a few bots.
const MEMORY: u64 = 4 << 30;

/// Referees that are kept ready, with their processes.
const MOST: usize = 4;

/// Referees that are ready, the latest last.
pub(super) type Referees = Mutex<VecDeque<(Id, Arc<Hosted>)>>;

/// A referee that is ready for games of a run.
pub(super) struct Hosted {
    referee: ForeignReferee,
    /// Of its files, where it runs.
    folder: PathBuf,
    /// Its bots' files: those of this run, as who plays one game may read those of the next.
    bots: TempDir,
}

impl Worker {
    /// Begins a game that another program referees, or says why nobody can play it.
    pub(super) async fn foreign(
        &self,
        streams: &Streams,
        run: &str,
        mut job: ForeignJob,
        referee: &[BotFile],
        bots: &[Vec<BotFile>],
        patience: Duration,
    ) -> Result<Result<Work, String>> {
        let hosted = match self.hosted(streams, run, &job, referee, patience).await? {
            Ok(hosted) => hosted,
            Err(words) => return Ok(Err(words)),
        };
        if let JobProgram::Command { folder, .. } = &mut job.referee {
            *folder = Some(hosted.folder.clone());
        }
        for (bot, files) in job.bots.iter_mut().zip(bots) {
            let folder = unpack(files, &streams.files, patience, hosted.bots.path()).await?;
            if let JobProgram::Command { words, .. } = &mut bot.program {
                words.iter_mut().for_each(|word| *word = from_anywhere(word, files, &folder));
            }
        }
        let stop = Arc::clone(&self.stop);
        let machine =
            Machine { name: host(), speed: self.settings.speed, late_wakeups: None, other_load: None };
        Ok(Ok(tokio::task::spawn_blocking(move || {
            // A panic is a bug of ours; it must not take down the worker.
            match catch_unwind(AssertUnwindSafe(|| hosted.referee.play_job(&job, machine, &stop))) {
                Ok(played) => Ok(played.map_err(|words| anyhow!("{words}"))?.map(Ok)),
                Err(_) => Ok(Some(Err("a referee of others made us panic; this is a bug".to_string()))),
            }
        })))
    }

    /// The referee of a job, or why it is none.
    async fn hosted(
        &self,
        streams: &Streams,
        run: &str,
        job: &ForeignJob,
        files: &[BotFile],
        patience: Duration,
    ) -> Result<Result<Arc<Hosted>, String>> {
        // What bots run besides their files, as `python3`.
        let programs: BTreeSet<&str> = job.bots.iter().filter_map(|bot| program(&bot.program)).collect();
        let of_all_games = ForeignJob { bots: Vec::new(), seed: 0, ..job.clone() };
        let id = Id::of(&serde_json::to_vec(&(run, of_all_games, files, &programs))?);
        let known = || self.referees.lock().expect("nobody panics with them");
        let find = |known: &VecDeque<(Id, Arc<Hosted>)>| {
            known.iter().find(|(known, _)| *known == id).map(|(_, hosted)| Arc::clone(hosted))
        };
        if let Some(hosted) = find(&known()) {
            return Ok(Ok(hosted));
        }
        let folder = unpack(files, &streams.files, patience, &self.settings.cache).await?;
        let mut referee = match ForeignReferee::of_job(job) {
            Ok(referee) => referee,
            Err(words) => return Ok(Err(words)),
        };
        let bots = tempfile::Builder::new().prefix("contender-").tempdir().context("a folder for bots")?;
        if !self.settings.without_isolation {
            let folders = [folder.clone(), bots.path().to_path_buf()];
            let others = folders.into_iter().chain(programs.iter().map(PathBuf::from)).collect();
            let bounds = Bounds {
                memory: Some(MEMORY),
                writable: Some(vec![referee.workplace().to_path_buf()]),
                readable: Readable::Needed { hidden: Vec::new(), others },
                ..Bounds::strict()
            };
            referee.isolation = Some(Isolation::new(&bounds)?);
        }
        let mut known = known();
        // Another game may have been quicker.
        if let Some(hosted) = find(&known) {
            return Ok(Ok(hosted));
        }
        let hosted = Arc::new(Hosted { referee, folder, bots });
        known.push_back((id, Arc::clone(&hosted)));
        if known.len() > MOST {
            known.pop_front();
        }
        Ok(Ok(hosted))
    }
}

/// The program of the `PATH` that a command names.
fn program(of: &JobProgram) -> Option<&str> {
    let JobProgram::Command { words, .. } = of else { return None };
    words.first().map(String::as_str).filter(|name| !name.contains('/'))
}
