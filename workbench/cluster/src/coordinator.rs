//! Distributes jobs and collects results.

mod shared;
mod watch;

use crate::clock::SpeedRule;
use crate::connection::{connect, host};
use crate::parcel::{Id, Parcel, network_name};
use crate::streams;
use crate::trust::Key;
use crate::worker::Answer;
use crate::workers::{RunStatus, now};
use crate::{ACK_WAIT, Notice, Secrets, version};
use anyhow::{Result, anyhow};
use async_nats::HeaderMap;
use async_nats::jetstream::Message;
use contender_play::{Task, Workers};
use futures_util::future;
use shared::{Pending, Shared, State, publish};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use watch::{hear, restore, sweep, take_results, tell};

/// Interval between checks of the stop flag.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A series of jobs that belong together. If a coordinator dies, another coordinator of the same run can still use the
/// results of its jobs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run(String);

impl Run {
    /// Returns the run that stores its games in this file or folder. Another coordinator on this machine that uses the
    /// same path continues the run.
    ///
    /// # Errors
    /// Returns an error if the path cannot be resolved.
    pub fn kept_in(path: &Path) -> Result<Run> {
        let path = std::path::absolute(path)?;
        let path = path.canonicalize().unwrap_or(path);
        Ok(Run::of(format!("{}:{}", host(), path.display()).as_bytes()))
    }

    /// Creates a run that cannot be resumed.
    #[must_use]
    pub fn new() -> Run {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the system provides random numbers");
        Run::of(&bytes)
    }

    fn of(bytes: &[u8]) -> Run {
        Run(Id::of(bytes).to_string()[..16].to_string())
    }
}

impl Default for Run {
    fn default() -> Run {
        Run::new()
    }
}

/// Configuration of a coordinator.
pub struct CoordinatorConfig {
    /// The run to start or continue.
    pub run: Run,
    /// The key for signing jobs.
    pub key: Option<Key>,
    /// Time without a report after which a job is given to another worker. The default is [`ACK_WAIT`].
    pub ack_wait: Option<Duration>,
    /// The signature of the fixed workloads. Workers with a different signature do not play.
    pub signature: u64,
    /// The handling of timed games on machines with different speeds.
    pub clock: SpeedRule,
}

/// A connection to the workers of a server.
pub struct Coordinator {
    shared: Arc<Shared>,
    /// Tasks that collect results, look for lost jobs, and report progress.
    tasks: [JoinHandle<()>; 3],
    /// The runtime of the tasks. It must be the last field, because fields are dropped in order.
    runtime: Runtime,
}

impl fmt::Debug for Coordinator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coordinator").field("url", &self.shared.url).finish_non_exhaustive()
    }
}

impl Coordinator {
    /// Connects to the server and creates all streams that are missing on it.
    ///
    /// # Errors
    /// Returns an error with a message for the user.
    pub fn connect(
        url: &str,
        secrets: &Secrets,
        terms: CoordinatorConfig,
        notice: Notice,
    ) -> Result<Coordinator> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let shared = runtime.block_on(async {
            let context = connect(url, secrets, "contender coordinator", notice.clone()).await?;
            let course =
                RunStatus { run: terms.run.0.clone(), host: host(), since: now(), ..RunStatus::default() };
            let shared = Arc::new(Shared {
                url: url.to_string(),
                context,
                run: terms.run.0,
                version: version(terms.signature),
                key: terms.key,
                ack_wait: terms.ack_wait.unwrap_or(ACK_WAIT),
                clock: terms.clock,
                notice,
                state: Mutex::new(State { course, ..State::default() }),
                storing: tokio::sync::Mutex::default(),
            });
            shared.open().await?;
            let heard = shared.context.client().subscribe("contender.workers.*").await?;
            tokio::spawn(hear(heard, Arc::downgrade(&shared)));
            let missing = shared.context.client().subscribe(streams::MISSING).await?;
            tokio::spawn(restore(missing, Arc::downgrade(&shared)));
            Ok::<_, anyhow::Error>(shared)
        })?;
        let tasks = [
            runtime.spawn(take_results(Arc::clone(&shared))),
            runtime.spawn(sweep(Arc::clone(&shared))),
            runtime.spawn(tell(Arc::clone(&shared))),
        ];
        Ok(Coordinator { shared, tasks, runtime })
    }
}

impl Workers for Coordinator {
    fn store(&self, networks: Vec<Vec<u8>>) -> Vec<String> {
        let shared = &self.shared;
        let names: Vec<String> = networks.iter().map(|network| network_name(&shared.run, network)).collect();
        let old: Vec<String> = {
            let mut state = shared.lock();
            let now: HashMap<String, Vec<u8>> = names.iter().cloned().zip(networks).collect();
            let before = std::mem::replace(&mut state.networks, now);
            let is_old = |name: &String| !state.networks.contains_key(name);
            let old: Vec<String> = before.into_keys().filter(is_old).collect();
            state.stored.retain(|name| !old.contains(name));
            old
        };
        if !old.is_empty() {
            let shared = Arc::clone(shared);
            self.runtime.spawn(async move { shared.forget(old).await });
        }
        names
    }

    fn share_out(
        &self,
        count: u64,
        is_stopped: &dyn Fn() -> bool,
        task: &dyn Fn(u64) -> Option<Task>,
        collect: &mut dyn FnMut(u64, Result<String, String>) -> ControlFlow<()>,
    ) {
        let mut left = count;
        let is_of_games = Cell::new(false);
        let parcel = |index| {
            Some(match task(index)? {
                Task::Game(job) => {
                    is_of_games.set(true);
                    self.shared.lock().luggage.pack(*job)
                }
                Task::Batch { batch, networks } => Ok(Parcel::Batch { batch, networks }),
            })
        };
        self.share(count, is_stopped, &parcel, &mut |index, answer| {
            {
                let mut state = self.shared.lock();
                // A batch has many games, and a caller that requests one game after the other does not know their total
                // number.
                state.course.games += answer.as_ref().map_or(1, |games| games.lines().count() as u64);
                left -= 1;
                state.course.left = (count > 1 && is_of_games.get()).then_some(left);
            }
            collect(index, answer)
        });
    }
}

/// Returns a worker's answer to a job.
fn answer(message: &Message) -> Result<String, String> {
    let answer: Answer = serde_json::from_slice(&message.payload)
        .map_err(|error| format!("malformed result from a worker: {error}"))?;
    answer.record.map_err(|words| format!("{}: {words}", answer.worker))
}

impl Coordinator {
    /// Distributes the parcels with the numbers 0 to `count - 1`, except those that are `None`, and passes the workers'
    /// answers to `collect`.
    fn share(
        &self,
        count: u64,
        is_stopped: &dyn Fn() -> bool,
        parcel: &dyn Fn(u64) -> Option<Result<Parcel>>,
        collect: &mut dyn FnMut(u64, Result<String, String>) -> ControlFlow<()>,
    ) {
        let (reply, results) = channel();
        let mut out: HashSet<Id> = HashSet::new();
        let mut next = 0;
        'all: while !is_stopped() {
            while next < count && out.len() < self.shared.room() {
                next += 1;
                let Some(parcel) = parcel(next - 1) else { continue };
                match parcel.and_then(|parcel| self.hand_out(&parcel, next - 1, &reply)) {
                    Ok(id) => drop(out.insert(id)),
                    Err(error) => {
                        if collect(next - 1, Err(format!("{error:#}"))).is_break() {
                            break 'all;
                        }
                    }
                }
            }
            if next == count && out.is_empty() {
                break;
            }
            match results.recv_timeout(POLL_INTERVAL) {
                Ok((id, index, message)) => {
                    if !out.remove(&id) {
                        continue;
                    }
                    let flow = collect(index, answer(&message));
                    // Acknowledge only now: a result that was not stored will be sent again.
                    self.runtime.spawn(async move { message.ack().await });
                    if flow.is_break() {
                        break;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("this function keeps a sender alive"),
            }
        }
        self.give_up(out.into_iter().collect());
    }

    fn hand_out(&self, parcel: &Parcel, index: u64, reply: &Sender<(Id, u64, Message)>) -> Result<Id> {
        let shared = &self.shared;
        let payload = serde_json::to_vec(parcel)?;
        let largest = shared.context.client().server_info().max_payload;
        if payload.len() > largest {
            return Err(anyhow!(
                "a job has {} bytes, but the server accepts only {largest} (`max_payload`)",
                payload.len()
            ));
        }
        let id = Id::of(&payload);
        let mut state = shared.lock();
        state.done.remove(&id);
        let reply = reply.clone();
        if let Some(message) = state.early.remove(&id) {
            state.done.insert(id);
            let _ = reply.send((id, index, message));
            return Ok(id);
        }
        let mut headers = HeaderMap::new();
        if let Some(words) = shared.clock.words() {
            headers.insert(SpeedRule::HEADER, words.as_str());
        }
        if let Some(key) = &shared.key {
            key.sign(&payload, &mut headers)?;
        }
        let content = parcel.content();
        let pending = Pending { index, payload, headers, content, reply, published: None, is_missing: false };
        state.pending.insert(id, pending);
        drop(state);
        self.runtime.spawn(publish(Arc::clone(shared), id));
        Ok(id)
    }

    /// Stops waiting for these jobs, and removes jobs that have not been started from the server.
    fn give_up(&self, ids: Vec<Id>) {
        {
            let mut state = self.shared.lock();
            for id in &ids {
                state.pending.remove(id);
                state.done.insert(*id);
            }
        }
        if ids.is_empty() {
            return;
        }
        let shared = &self.shared;
        let purge = async {
            let Ok(jobs) = shared.context.get_stream_no_info(streams::JOBS).await else { return };
            let jobs = &jobs;
            future::join_all(ids.iter().map(|id| async move {
                let _ = jobs.purge().filter(shared.subject(*id)).await;
            }))
            .await;
        };
        let _ = self.runtime.block_on(async { tokio::time::timeout(Duration::from_secs(5), purge).await });
    }
}

impl Drop for Coordinator {
    /// Removes all data of this run from the server. When this function is called, all jobs have been answered or
    /// abandoned.
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        let shared = &self.shared;
        let clear = async {
            let _ = shared.context.client().flush().await;
            let networks = std::mem::take(&mut shared.lock().networks).into_keys().collect();
            shared.forget(networks).await;
            let results = shared.context.get_stream_no_info(streams::RESULTS).await?;
            results.delete_consumer(&format!("run-{}", shared.run)).await?;
            results.purge().filter(format!("contender.results.{}.>", shared.run)).await?;
            let jobs = shared.context.get_stream_no_info(streams::JOBS).await?;
            jobs.purge().filter(format!("{}.>", shared.subjects())).await?;
            let runs = shared.context.get_stream_no_info(streams::RUNS).await?;
            runs.purge().filter(format!("contender.runs.{}", shared.run)).await?;
            Ok::<_, anyhow::Error>(())
        };
        // If the server cannot be reached, the data expires there later.
        let _ = self.runtime.block_on(async { tokio::time::timeout(Duration::from_secs(5), clear).await });
    }
}
