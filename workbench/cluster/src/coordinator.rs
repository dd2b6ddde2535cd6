//! Hands out jobs and takes results.

use crate::connection::{backoff, connect, host};
use crate::parcel::{Id, Key, Luggage};
use crate::streams::{self, Streams};
use crate::worker::Answer;
use crate::workers::{GONE, Presence};
use crate::{ACK_WAIT, Notice, Secrets};
use anyhow::{Context as _, Result, anyhow};
use async_nats::HeaderMap;
use async_nats::jetstream::Message;
use contender_referee::{GameRecord, Job, Machines};
use futures_util::{StreamExt, future};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

/// How often is looked whether somebody wants an end.
const LOOK_UP: Duration = Duration::from_millis(50);

/// How often is looked for jobs that the server has forgotten.
const SWEEP: Duration = Duration::from_secs(2);

/// Jobs that are handed out where no worker has said yet that it is there.
const FEWEST: usize = 8;

/// A series of jobs that belong together: results of an earlier coordinator of the same run still count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run(String);

impl Run {
    /// The run whose games are kept in a file or folder: who goes on with it on this machine goes on with the run.
    ///
    /// # Errors
    /// A path that cannot be resolved.
    pub fn kept_in(path: &Path) -> Result<Run> {
        let path = std::path::absolute(path)?;
        let path = path.canonicalize().unwrap_or(path);
        Ok(Run::of(format!("{}:{}", host(), path.display()).as_bytes()))
    }

    /// A run that nobody can go on with.
    #[must_use]
    pub fn new() -> Run {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the system has randomness");
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

/// Other machines, behind a server.
pub struct Coordinator {
    shared: Arc<Shared>,
    /// What takes results and looks for lost jobs.
    tasks: [JoinHandle<()>; 2],
    /// Last, so that what it runs is over before.
    runtime: Runtime,
}

struct Shared {
    url: String,
    context: async_nats::jetstream::Context,
    run: String,
    version: String,
    key: Option<Key>,
    ack_wait: Duration,
    notice: Notice,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Jobs whose results are waited for.
    pending: HashMap<Id, Pending>,
    /// Results that came before their job was asked for, as after the death of an earlier coordinator.
    early: HashMap<Id, Message>,
    /// Jobs whose results were handed over: what comes of them once more is dropped.
    done: HashSet<Id>,
    workers: HashMap<String, (Instant, Presence)>,
    luggage: Luggage,
    /// The hashes of the files that the server has.
    stored: HashSet<String>,
    /// When the server's streams were made: others are new ones.
    created: Option<i128>,
}

struct Pending {
    /// Which job of its caller it is.
    index: u64,
    payload: Vec<u8>,
    headers: HeaderMap,
    files: Vec<String>,
    reply: Sender<(Id, u64, Message)>,
    /// When the server has taken it.
    published: Option<Instant>,
    /// The server did not have it when it was looked for.
    is_missing: bool,
}

impl fmt::Debug for Coordinator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coordinator").field("url", &self.shared.url).finish_non_exhaustive()
    }
}

impl Coordinator {
    /// Connects to the server and makes there what is missing.
    ///
    /// # Errors
    /// In words for the user.
    pub fn connect(
        url: &str,
        secrets: &Secrets,
        run: Run,
        key: Option<Key>,
        ack_wait: Option<Duration>,
        notice: Notice,
    ) -> Result<Coordinator> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let shared = runtime.block_on(async {
            let context = connect(url, secrets, "contender coordinator", notice.clone()).await?;
            let shared = Arc::new(Shared {
                url: url.to_string(),
                context,
                run: run.0,
                version: env!("CARGO_PKG_VERSION").to_string(),
                key,
                ack_wait: ack_wait.unwrap_or(ACK_WAIT),
                notice,
                state: Mutex::default(),
            });
            shared.open().await?;
            let heard = shared.context.client().subscribe("contender.workers.*").await?;
            tokio::spawn(hear(heard, Arc::downgrade(&shared)));
            Ok::<_, anyhow::Error>(shared)
        })?;
        let tasks =
            [runtime.spawn(take_results(Arc::clone(&shared))), runtime.spawn(sweep(Arc::clone(&shared)))];
        Ok(Coordinator { shared, tasks, runtime })
    }
}

impl Machines for Coordinator {
    fn share_out(
        &self,
        count: u64,
        stop: &AtomicBool,
        job: &dyn Fn(u64) -> Option<Job>,
        collect: &mut dyn FnMut(u64, Result<GameRecord, String>) -> ControlFlow<()>,
    ) {
        let (reply, results) = channel();
        let mut out: HashMap<Id, u64> = HashMap::new();
        let mut next = 0;
        'all: while !stop.load(Ordering::Relaxed) {
            while next < count && out.len() < self.shared.room() {
                next += 1;
                let Some(job) = job(next - 1) else { continue };
                let luck = job.luck;
                match self.hand_out(job, next - 1, &reply) {
                    Ok(id) => drop(out.insert(id, luck)),
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
            match results.recv_timeout(LOOK_UP) {
                Ok((id, index, message)) => {
                    let Some(luck) = out.remove(&id) else { continue };
                    let flow = collect(index, read(&message, luck));
                    // Only now: what is not stored yet comes again.
                    self.runtime.spawn(async move { message.ack().await });
                    if flow.is_break() {
                        break;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("this function has a sender"),
            }
        }
        self.give_up(out.into_keys().collect());
    }
}

/// What a worker has made of a job.
fn read(message: &Message, luck: u64) -> Result<GameRecord, String> {
    let answer: Answer =
        serde_json::from_slice(&message.payload).map_err(|error| format!("a result is none: {error}"))?;
    let text = answer.record.map_err(|words| format!("{}: {words}", answer.worker))?;
    let record = GameRecord::from_json(&text)
        .map_err(|error| format!("{}: a result is none: {error}", answer.worker))?;
    if record.seed == luck {
        Ok(record)
    } else {
        Err(format!("{}: a result is of another game", answer.worker))
    }
}

impl Coordinator {
    fn hand_out(&self, job: Job, index: u64, reply: &Sender<(Id, u64, Message)>) -> Result<Id> {
        let shared = &self.shared;
        let mut state = shared.lock();
        let parcel = state.luggage.pack(job)?;
        let payload = serde_json::to_vec(&parcel)?;
        let largest = shared.context.client().server_info().max_payload;
        if payload.len() > largest {
            return Err(anyhow!(
                "a job of {} bytes, and the server takes {largest} (`max_payload`)",
                payload.len()
            ));
        }
        let id = Id::of(&payload);
        state.done.remove(&id);
        let reply = reply.clone();
        if let Some(message) = state.early.remove(&id) {
            state.done.insert(id);
            let _ = reply.send((id, index, message));
            return Ok(id);
        }
        let headers = shared.key.as_ref().map_or_else(|| Ok(HeaderMap::new()), |key| key.sign(&payload))?;
        let files = parcel.files.iter().flatten().map(|file| file.sha256().to_string()).collect();
        let pending = Pending { index, payload, headers, files, reply, published: None, is_missing: false };
        state.pending.insert(id, pending);
        drop(state);
        self.runtime.spawn(publish(Arc::clone(shared), id));
        Ok(id)
    }

    /// No longer waits for these jobs, and takes from the server those that nobody has begun.
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
    /// Everything that was asked for is answered or given up: nothing of this run is left on the server.
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        let shared = &self.shared;
        let clear = async {
            let _ = shared.context.client().flush().await;
            let results = shared.context.get_stream_no_info(streams::RESULTS).await?;
            results.delete_consumer(&format!("run-{}", shared.run)).await?;
            results.purge().filter(format!("contender.results.{}.>", shared.run)).await?;
            let jobs = shared.context.get_stream_no_info(streams::JOBS).await?;
            jobs.purge().filter(format!("{}.>", shared.subjects())).await?;
            Ok::<_, anyhow::Error>(())
        };
        // Without the server it is thrown away when it is old.
        let _ = self.runtime.block_on(async { tokio::time::timeout(Duration::from_secs(5), clear).await });
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics with the state")
    }

    /// What the subjects of all jobs of this run begin with.
    fn subjects(&self) -> String {
        format!("contender.jobs.{}.{}", streams::token(&self.version), self.run)
    }

    fn subject(&self, id: Id) -> String {
        format!("{}.{id}", self.subjects())
    }

    /// How many jobs may be out at once: two for every slot, so that no worker waits and few are given up at the end.
    fn room(&self) -> usize {
        let mut state = self.lock();
        state.workers.retain(|_, (heard, presence)| heard.elapsed() < GONE && !presence.has_left);
        let ours = state.workers.values().filter(|(_, presence)| presence.version == self.version);
        (2 * ours.map(|(_, presence)| presence.slots).sum::<usize>()).max(FEWEST)
    }

    async fn open(&self) -> Result<Streams> {
        let streams = streams::open(&self.context).await?;
        streams::jobs_of(&streams, &self.version, Some(self.ack_wait)).await?;
        let created = streams.jobs.get_info().await?.created.unix_timestamp_nanos();
        let mut state = self.lock();
        if state.created.replace(created).is_some_and(|before| before != created) {
            (self.notice)("the server has lost its store; what was out is handed out again");
            state.stored.clear();
        }
        Ok(streams)
    }

    /// Puts the files of a job where workers find them.
    async fn store(&self, files: &[String]) -> Result<()> {
        for sha256 in files {
            let path = {
                let state = self.lock();
                if state.stored.contains(sha256) {
                    continue;
                }
                state.luggage.paths.get(sha256).cloned().context("a file that nobody has read")?
            };
            let store = self.context.get_object_store("CONTENDER_FILES").await?;
            let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
            if crate::parcel::sha256(&bytes) != *sha256 {
                return Err(anyhow!("{} has changed since the run began", path.display()));
            }
            store.put(sha256.as_str(), &mut bytes.as_slice()).await?;
            self.lock().stored.insert(sha256.clone());
        }
        Ok(())
    }
}

/// Gives a job to the server, and again until it has it or nobody wants it any more.
async fn publish(shared: Arc<Shared>, id: Id) {
    for attempt in 0.. {
        let (payload, headers, files) = match shared.lock().pending.get(&id) {
            Some(pending) => (pending.payload.clone(), pending.headers.clone(), pending.files.clone()),
            None => return,
        };
        let sent = async {
            shared.store(&files).await?;
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
            (shared.notice)(&format!("the server does not take jobs: {words}{}", streams::remedy(&words)));
        }
        tokio::time::sleep(backoff(attempt)).await;
        if attempt % 4 == 3 {
            // Its streams may be gone with its store.
            let _ = shared.open().await;
        }
    }
}

/// Hears of workers.
async fn hear(mut heard: async_nats::Subscriber, shared: std::sync::Weak<Shared>) {
    while let Some(message) = heard.next().await {
        let Some(shared) = shared.upgrade() else { return };
        let Ok(presence) = serde_json::from_slice::<Presence>(&message.payload) else { continue };
        shared.lock().workers.insert(presence.worker.clone(), (Instant::now(), presence));
    }
}

/// Takes results as they come, and begins anew where the server was away or has lost its store.
async fn take_results(shared: Arc<Shared>) {
    for attempt in 0.. {
        let taken = async {
            let streams = shared.open().await?;
            let consumer = streams::results_of(&streams, &shared.run).await?;
            let pull = consumer.stream().max_messages_per_batch(256).heartbeat(Duration::from_secs(3));
            let mut messages = pull.expires(Duration::from_secs(30)).messages().await?;
            while let Some(message) = messages.next().await {
                shared.take(message?).await;
            }
            Ok::<_, anyhow::Error>(())
        };
        if let Err(error) = taken.await
            && attempt > 8
        {
            (shared.notice)(&format!("results do not come: {error:#}"));
        }
        tokio::time::sleep(backoff(attempt.min(3))).await;
    }
}

impl Shared {
    /// Hands a result to whom it belongs.
    async fn take(&self, message: Message) {
        let Some(id) = message.subject.rsplit('.').next().and_then(Id::parse) else { return };
        let is_old = {
            let mut state = self.lock();
            match state.pending.remove(&id) {
                Some(pending) => {
                    state.done.insert(id);
                    let _ = pending.reply.send((id, pending.index, message));
                    return;
                }
                None if state.done.contains(&id) => true,
                None => {
                    state.early.insert(id, message.clone());
                    false
                }
            }
        };
        if is_old {
            let _ = message.ack().await;
        }
    }
}

/// Looks for jobs that the server has forgotten and publishes them again.
async fn sweep(shared: Arc<Shared>) {
    let mut without_workers = 0;
    loop {
        tokio::time::sleep(SWEEP).await;
        let _ = lost(&shared).await.map(|lost| {
            for id in lost {
                tokio::spawn(publish(Arc::clone(&shared), id));
            }
        });
        // Nobody plays: the user should know why.
        shared.room();
        let (is_waiting, others) = {
            let state = shared.lock();
            let versions: HashSet<&str> =
                state.workers.values().map(|(_, presence)| presence.version.as_str()).collect();
            let is_served = versions.contains(shared.version.as_str());
            let others: Vec<String> = versions.into_iter().map(str::to_string).collect();
            (!state.pending.is_empty() && !is_served, others)
        };
        without_workers = if is_waiting { without_workers + 1 } else { 0 };
        if without_workers == 5 {
            let others = if others.is_empty() {
                String::new()
            } else {
                format!(" (those that are there are of version {})", others.join(", "))
            };
            (shared.notice)(&format!(
                "no worker of version {} is there{others}: start one with `contender worker --on {}`",
                shared.version, shared.url
            ));
        }
    }
}

/// The jobs that the server has taken, has no more, and has no result of.
async fn lost(shared: &Shared) -> Result<Vec<Id>> {
    let is_old = |pending: &Pending| pending.published.is_some_and(|time| time.elapsed() > SWEEP);
    if !shared.lock().pending.values().any(is_old) {
        return Ok(Vec::new());
    }
    let streams = shared.open().await?;
    let mut known = HashSet::new();
    let mut listed = streams.jobs.info_with_subjects(format!("{}.>", shared.subjects())).await?;
    while let Some(subject) = listed.next().await {
        known.extend(subject?.0.rsplit('.').next().and_then(Id::parse));
    }
    let mut state = shared.lock();
    let mut lost = Vec::new();
    for (id, pending) in &mut state.pending {
        if !is_old(pending) || known.contains(id) {
            pending.is_missing = false;
        } else if !std::mem::replace(&mut pending.is_missing, true) {
            // Its result may be on its way: it is looked for once more.
        } else {
            pending.published = None;
            pending.is_missing = false;
            lost.push(*id);
        }
    }
    Ok(lost)
}
