//! Reports of workers, and the server's data about the queue.

use crate::connection::connect;
use crate::streams;
use crate::{Notice, Secrets};
use anyhow::Result;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::Stream;
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Interval at which a worker reports.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(2);

/// Time without a report after which a worker is considered gone.
pub(crate) const GONE: Duration = Duration::from_secs(8);

/// A worker's report, which is sent every few seconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Presence {
    /// The worker's unique name.
    pub worker: String,
    /// The name of the worker's machine.
    pub host: String,
    /// The worker's version of contender.
    pub version: String,
    /// Number of games that the worker can play at a time.
    pub slots: usize,
    /// Number of games that the worker is playing now.
    pub playing: usize,
    /// Number of games that the worker has played.
    pub games: u64,
    /// Unix time, in seconds, at which the worker started.
    pub since: u64,
    /// Unix time of the report, in seconds, by the worker's clock.
    pub at: u64,
    /// The speed of one of the worker's cores when the worker joined, in rounds of a fixed workload per second.
    pub speed: Option<f64>,
    /// Recent share of wake-ups that were late. The worker wakes up every 10 ms to measure this.
    #[serde(default)]
    pub late_wakeups: Option<f64>,
    /// Recent share of the cores' time that other programs used.
    #[serde(default)]
    pub other_load: Option<f64>,
    /// Whether the worker has announced that it leaves.
    pub has_left: bool,
    /// The last message for the worker's owner.
    pub words: Option<String>,
}

/// A coordinator's report about its run, which is sent every few seconds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunStatus {
    /// The name of the run.
    pub run: String,
    /// The coordinator's machine.
    pub host: String,
    /// Unix time, in seconds, at which the coordinator started.
    pub since: u64,
    /// Unix time of the report, in seconds, by the coordinator's clock.
    pub at: u64,
    /// Number of games that workers have played for the run.
    pub games: u64,
    /// Number of remaining games, if known.
    pub left: Option<u64>,
}

/// The state of a server.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClusterStatus {
    /// The server's version.
    pub server: String,
    /// Number of jobs that are waiting or running.
    pub jobs: u64,
    /// Number of results that are waiting for their coordinator.
    pub results: u64,
    /// Number of jobs of all versions that workers have received but not finished.
    pub in_hand: usize,
    /// The workers that are connected or were connected recently, by name.
    pub workers: Vec<Seen>,
    /// The runs that are active, or whose coordinator has died.
    pub runs: Vec<RunStatus>,
}

/// A worker and the age of its report.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Seen {
    /// The worker's latest report.
    #[serde(flatten)]
    pub presence: Presence,
    /// Age of the report in seconds, by the server's clock if possible.
    pub seconds_ago: u64,
    /// Whether the worker has disappeared without announcing it.
    pub has_vanished: bool,
}

/// Returns the Unix time in seconds.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Returns the state of a server.
///
/// # Errors
/// Returns an error with a message for the user.
pub fn status(url: &str, secrets: &Secrets) -> Result<ClusterStatus> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let quiet: Notice = std::sync::Arc::new(|_: &str| {});
        let context = connect(url, secrets, "contender status", quiet).await?;
        let streams = streams::open(&context).await?;
        let mut in_hand = 0;
        let mut consumers = streams.jobs.consumers();
        while let Some(Ok(consumer)) = consumers.next().await {
            in_hand += consumer.num_ack_pending;
        }
        let mut workers: Vec<Seen> = last_words(&streams.workers, "contender.workers.>")
            .await?
            .into_iter()
            .map(|(said, presence): (u64, Presence)| {
                let seconds_ago = now().saturating_sub(said);
                let has_vanished = !presence.has_left && seconds_ago > GONE.as_secs();
                Seen { presence, seconds_ago, has_vanished }
            })
            .collect();
        workers.sort_by(|a, b| a.presence.worker.cmp(&b.presence.worker));
        let runs = last_words(&streams.runs, "contender.runs.>").await?;
        Ok(ClusterStatus {
            server: context.client().server_info().version,
            jobs: streams.jobs.get_info().await?.state.messages,
            results: streams.results.get_info().await?.state.messages,
            in_hand,
            workers,
            runs: runs.into_iter().map(|(_, course)| course).collect(),
        })
    })
}

/// Returns the last message from each sender on a stream, with the Unix time of the message in seconds by the server's
/// clock.
async fn last_words<T: DeserializeOwned>(stream: &Stream, subjects: &str) -> Result<Vec<(u64, T)>> {
    let consumer: PullConsumer = stream
        .create_consumer(pull::Config {
            deliver_policy: DeliverPolicy::LastPerSubject,
            ack_policy: AckPolicy::None,
            filter_subject: subjects.to_string(),
            ..pull::Config::default()
        })
        .await?;
    let mut words = Vec::new();
    let waiting = consumer.cached_info().num_pending as usize;
    let mut messages = consumer.fetch().max_messages(waiting.max(1)).messages().await?;
    while let Some(Ok(message)) = messages.next().await {
        let Ok(said) = serde_json::from_slice(&message.payload) else { continue };
        words.push((message.info().map_or(0, |info| info.published.unix_timestamp() as u64), said));
    }
    Ok(words)
}

/// Returns the number of games per second between the Unix times `since` and `at`.
fn rate(games: u64, since: u64, at: u64) -> f64 {
    games as f64 / at.saturating_sub(since).max(1) as f64
}

impl Presence {
    /// Returns the games per second since the worker started.
    #[must_use]
    pub fn rate(&self) -> f64 {
        rate(self.games, self.since, self.at)
    }
}

impl Seen {
    /// Returns a word for the state of the worker.
    #[must_use]
    pub fn state(&self) -> &'static str {
        match (self.presence.has_left, self.has_vanished) {
            (true, _) => "left",
            (_, true) => "vanished",
            _ => "there",
        }
    }
}

impl RunStatus {
    /// Returns the progress as text.
    #[must_use]
    pub fn text(&self) -> String {
        let rate = rate(self.games, self.since, self.at);
        let mut text = format!("{} games, {rate:.2}/s", self.games);
        if let Some(left) = self.left {
            text += &format!(", {left} left");
            if rate > 0.0 {
                text += &format!(", about {:.0} min", left as f64 / rate / 60.0);
            }
        }
        let silent = now().saturating_sub(self.at);
        if silent > GONE.as_secs() {
            text += &format!(", silent for {silent} s");
        }
        text
    }
}

impl ClusterStatus {
    /// Returns a table as text.
    #[must_use]
    pub fn text(&self) -> String {
        let there = || self.workers.iter().filter(|seen| !seen.has_vanished && !seen.presence.has_left);
        let slots: usize = there().map(|seen| seen.presence.slots).sum();
        let mut text = format!(
            "server {}: {} jobs ({} being played), {} results waiting, {} workers with {slots} slots\n",
            self.server,
            self.jobs,
            self.in_hand,
            self.results,
            there().count()
        );
        for course in &self.runs {
            text += &format!("run {} of {}: {}\n", course.run, course.host, course.text());
        }
        for seen in &self.workers {
            let Seen { presence, seconds_ago, .. } = seen;
            let (rate, state) = (presence.rate(), seen.state());
            let speed = presence.speed.map_or("-".to_string(), |speed| format!("{speed:.0}"));
            let percent =
                |share: Option<f64>| share.map_or("-".to_string(), |share| format!("{:.0}%", 100.0 * share));
            text += &format!(
                "{:<28} {:<8} {}/{} playing, {} games, {rate:.2}/s, speed {speed}, {} of wake-ups late, other load {}, \
                 {} ago, version {}{}\n",
                presence.worker,
                state,
                presence.playing,
                presence.slots,
                presence.games,
                percent(presence.late_wakeups),
                percent(presence.other_load),
                format_args!("{seconds_ago} s"),
                presence.version,
                presence.words.as_ref().map_or(String::new(), |words| format!("\n    {words}")),
            );
        }
        text
    }
}
