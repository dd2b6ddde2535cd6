//! The coordinator's subscriptions: worker reports, results, and jobs that the server has lost.

use super::shared::{Pending, Shared, publish};
use crate::connection::backoff;
use crate::parcel::Id;
use crate::streams;
use crate::workers::{HEARTBEAT, Presence, RunStatus, now};
use anyhow::Result;
use async_nats::jetstream::Message;
use contender_input::this_program;
use futures_util::StreamExt;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Interval between checks for jobs that the server has lost.
const SWEEP: Duration = Duration::from_secs(2);

/// Number of consecutive checks that find idle workers, after which the coordinator tells the user the reason.
const LONG: u32 = 5;

/// Receives the reports of workers.
pub(super) async fn hear(mut heard: async_nats::Subscriber, shared: std::sync::Weak<Shared>) {
    while let Some(message) = heard.next().await {
        let Some(shared) = shared.upgrade() else { return };
        let Ok(presence) = serde_json::from_slice::<Presence>(&message.payload) else { continue };
        shared.lock().workers.insert(presence.worker.clone(), (Instant::now(), presence));
    }
}

/// Uploads files again if workers have not found them.
pub(super) async fn restore(mut missing: async_nats::Subscriber, shared: std::sync::Weak<Shared>) {
    while let Some(message) = missing.next().await {
        let Some(shared) = shared.upgrade() else { return };
        if let Err(error) = shared.restore(&String::from_utf8_lossy(&message.payload)).await {
            (shared.notice)(&format!("cannot upload a file that the server lost: {error:#}"));
        }
    }
}

/// Reports the progress of the run every few seconds. No other task waits for this task.
pub(super) async fn tell(shared: Arc<Shared>) {
    loop {
        let course = {
            let state = shared.lock();
            RunStatus { at: now(), ..state.course.clone() }
        };
        let bytes = serde_json::to_vec(&course).expect("strings and numbers can be written as JSON");
        let _ = shared.context.client().publish(format!("contender.runs.{}", shared.run), bytes.into()).await;
        tokio::time::sleep(HEARTBEAT).await;
    }
}

/// Receives results. Starts again after the server has been unreachable or has lost its store.
pub(super) async fn take_results(shared: Arc<Shared>) {
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
            (shared.notice)(&format!("cannot receive results: {error:#}"));
        }
        tokio::time::sleep(backoff(attempt.min(3))).await;
    }
}

impl Shared {
    /// Passes a result to the caller that waits for it.
    pub async fn take(&self, message: Message) {
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

/// Looks for jobs that the server has lost and publishes them again.
pub(super) async fn sweep(shared: Arc<Shared>) {
    let (mut idle, mut said) = (0, HashSet::new());
    loop {
        tokio::time::sleep(SWEEP).await;
        let _ = lost(&shared).await.map(|lost| {
            for id in lost {
                tokio::spawn(publish(Arc::clone(&shared), id));
            }
        });
        // If no worker plays, the user should know the reason.
        if !shared.is_idle() {
            (idle, said) = (0, HashSet::new());
            continue;
        }
        idle += 1;
        if idle >= LONG {
            let words = shared.why_idle().into_iter();
            words.filter(|words| said.insert(words.clone())).for_each(|words| (shared.notice)(&words));
        }
    }
}

impl Shared {
    /// Returns whether jobs are waiting and no worker is playing.
    fn is_idle(&self) -> bool {
        self.room();
        let state = self.lock();
        let mut ours = state.workers.values().filter(|(_, presence)| presence.version == self.version);
        !state.pending.is_empty() && ours.all(|(_, presence)| presence.playing == 0)
    }

    /// Returns the messages of workers that do not accept the jobs. If there are no workers, returns a message that
    /// says so.
    fn why_idle(&self) -> Vec<String> {
        let state = self.lock();
        let (ours, others): (Vec<&Presence>, Vec<&Presence>) = state
            .workers
            .values()
            .map(|(_, presence)| presence)
            .partition(|presence| presence.version == self.version);
        if ours.is_empty() {
            let others: BTreeSet<&str> = others.iter().map(|other| other.version.as_str()).collect();
            let others = if others.is_empty() {
                String::new()
            } else {
                let versions: Vec<&str> = others.into_iter().collect();
                format!(" (the connected workers have version {})", versions.join(", "))
            };
            return vec![format!(
                "no worker of version {} is connected{others}; start one with `{} worker --on {}`",
                self.version,
                this_program(),
                self.url
            )];
        }
        let words: BTreeSet<&str> = ours.iter().filter_map(|worker| worker.words.as_deref()).collect();
        words.into_iter().map(|words| format!("no worker is playing; a worker reports: {words}")).collect()
    }
}

/// Returns the jobs that the server accepted but no longer has, and for which there is no result.
pub(super) async fn lost(shared: &Shared) -> Result<Vec<Id>> {
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
            // The result may be on its way, so check once more before publishing the job again.
        } else {
            pending.published = None;
            pending.is_missing = false;
            lost.push(*id);
        }
    }
    Ok(lost)
}
