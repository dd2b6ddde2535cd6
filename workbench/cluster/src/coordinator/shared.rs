//! Data that the coordinator's tasks share: the open jobs, and the connection to the server.

use crate::Notice;
use crate::clock::SpeedRule;
use crate::connection::backoff;
use crate::parcel::{Id, Luggage};
use crate::streams::{self, Streams};
use crate::trust::Key;
use crate::workers::{GONE, Presence, RunStatus};
use anyhow::{Context as _, Result, anyhow};
use async_nats::HeaderMap;
use async_nats::jetstream::Message;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Maximum number of open jobs until enough workers have reported.
const MIN_COUNT: usize = 8;

pub(super) struct Shared {
    pub url: String,
    pub context: async_nats::jetstream::Context,
    pub run: String,
    pub version: String,
    pub key: Option<Key>,
    pub ack_wait: Duration,
    pub clock: SpeedRule,
    pub notice: Notice,
    pub state: Mutex<State>,
    /// A lock that is held while files or networks are written to the server.
    pub storing: tokio::sync::Mutex<()>,
}

#[derive(Default)]
pub(super) struct State {
    /// Jobs whose results have not arrived yet.
    pub pending: HashMap<Id, Pending>,
    /// Results that arrived before their job was requested, for example because an earlier coordinator died.
    pub early: HashMap<Id, Message>,
    /// Jobs whose results have been passed on. Any further results of these jobs are dropped.
    pub done: HashSet<Id>,
    pub workers: HashMap<String, (Instant, Presence)>,
    pub luggage: Luggage,
    /// The networks that current games use, by their names on the server.
    pub networks: HashMap<String, Vec<u8>>,
    /// The files and networks that are on the server.
    pub stored: HashSet<String>,
    /// Files that were uploaded again, with the time of the latest upload.
    pub restored: HashMap<String, Instant>,
    /// The coordinator's report about itself.
    pub course: RunStatus,
    /// Creation time of the server's streams. It shows whether the server has lost its store and created a new one.
    pub created: Option<i128>,
}

pub(super) struct Pending {
    /// The index of the job in the numbering of the caller.
    pub index: u64,
    pub payload: Vec<u8>,
    pub headers: HeaderMap,
    /// Files that the server must have for this job.
    pub content: Vec<String>,
    pub reply: Sender<(Id, u64, Message)>,
    /// Time at which the server accepted the job.
    pub published: Option<Instant>,
    /// Whether the server did not have the job at the latest check.
    pub is_missing: bool,
}

impl Shared {
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }

    /// Returns the common prefix of the subjects of all jobs in this run.
    pub fn subjects(&self) -> String {
        format!("contender.jobs.{}.{}", streams::token(&self.version), self.run)
    }

    pub fn subject(&self, id: Id) -> String {
        format!("{}.{id}", self.subjects())
    }

    /// Returns the maximum number of open jobs: two for every slot of a worker, so that no worker has to wait and few
    /// jobs are abandoned at the end.
    pub fn room(&self) -> usize {
        let mut state = self.lock();
        state.workers.retain(|_, (heard, presence)| heard.elapsed() < GONE && !presence.has_left);
        let ours = state.workers.values().filter(|(_, presence)| presence.version == self.version);
        (2 * ours.map(|(_, presence)| presence.slots).sum::<usize>()).max(MIN_COUNT)
    }

    pub async fn open(&self) -> Result<Streams> {
        let streams = streams::open(&self.context).await?;
        streams::jobs_of(&streams, &self.version, Some(self.ack_wait)).await?;
        let created = streams.jobs.get_info().await?.created.unix_timestamp_nanos();
        let mut state = self.lock();
        if state.created.replace(created).is_some_and(|before| before != created) {
            (self.notice)("the server lost its data; sending the open jobs again");
            state.stored.clear();
        }
        Ok(streams)
    }

    /// Uploads the files of a job to the server.
    ///
    /// Only one upload runs at a time. A second writer of the same file would remove the data of the first writer, and
    /// anyone who reads this data would wait forever.
    pub async fn store(&self, content: &[String]) -> Result<()> {
        let _alone = self.storing.lock().await;
        for name in content {
            if self.lock().stored.contains(name) {
                continue;
            }
            let store = self.context.get_object_store(streams::FILES).await?;
            // Another coordinator may have uploaded a file with the same name, which means the same contents.
            if !store.info(name).await.is_ok_and(|info| !info.deleted) {
                store.put(name.as_str(), &mut self.content(name)?.as_slice()).await?;
            }
            self.lock().stored.insert(name.clone());
        }
        Ok(())
    }

    /// Uploads a file again after a worker has not found it, if the file belongs to this run. Several workers may
    /// report the same missing file.
    pub async fn restore(&self, name: &str) -> Result<()> {
        let _alone = self.storing.lock().await;
        {
            let mut state = self.lock();
            let is_new = state.restored.get(name).is_some_and(|put| put.elapsed() < self.ack_wait);
            if is_new || !state.stored.contains(name) {
                return Ok(());
            }
            state.restored.insert(name.to_string(), Instant::now());
        }
        let store = self.context.get_object_store(streams::FILES).await?;
        store.put(name, &mut self.content(name)?.as_slice()).await?;
        (self.notice)("the server lost a file; uploading it again");
        Ok(())
    }

    /// Returns the contents of a file or network for jobs.
    fn content(&self, name: &str) -> Result<Vec<u8>> {
        let (network, path) = {
            let state = self.lock();
            (state.networks.get(name).cloned(), state.luggage.paths.get(name).cloned())
        };
        match network {
            Some(network) => Ok(network),
            None => read(&path.context("unknown file")?, name),
        }
    }

    /// Removes networks from the server that the run does not need any more. If the server cannot be reached, they stay
    /// there until they expire.
    pub async fn forget(&self, networks: Vec<String>) {
        let Ok(store) = self.context.get_object_store(streams::FILES).await else { return };
        for name in networks {
            let _ = store.delete(&name).await;
        }
    }
}

/// Reads a bot's file, and checks that it has not changed since the job was created.
fn read(path: &Path, sha256: &str) -> Result<Vec<u8>> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    if crate::parcel::sha256(&bytes) != sha256 {
        return Err(anyhow!("{} has changed since the start of the run", path.display()));
    }
    Ok(bytes)
}

/// Publishes a job. Tries again until the server has the job, or until the job is no longer needed.
pub(super) async fn publish(shared: Arc<Shared>, id: Id) {
    for attempt in 0.. {
        let (payload, headers, content) = match shared.lock().pending.get(&id) {
            Some(pending) => (pending.payload.clone(), pending.headers.clone(), pending.content.clone()),
            None => return,
        };
        let sent = async {
            shared.store(&content).await?;
            let subject = shared.subject(id);
            shared.context.publish_with_headers(subject, headers, payload.into()).await?.await?;
            Ok::<_, anyhow::Error>(())
        };
        let words = match sent.await {
            Ok(()) => None,
            Err(error) => Some(format!("{error:#}")).filter(|words| !streams::is_there_already(words)),
        };
        let Some(words) = words else {
            if let Some(pending) = shared.lock().pending.get_mut(&id) {
                pending.published = Some(Instant::now());
            }
            return;
        };
        if attempt == 3 {
            (shared.notice)(&format!("the server rejects jobs: {words}{}", streams::remedy(&words)));
        }
        tokio::time::sleep(backoff(attempt)).await;
        if attempt % 4 == 3 {
            // The server may have lost its streams together with its store.
            let _ = shared.open().await;
        }
    }
}
