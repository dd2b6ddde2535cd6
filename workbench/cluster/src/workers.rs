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

/// Interval of a worker's reports.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(2);

/// Silence after which a worker counts as gone.
pub(crate) const GONE: Duration = Duration::from_secs(8);

/// A worker's report, every few seconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Presence {
    /// The worker's name, of its own.
    pub worker: String,
    /// Its machine's name.
    pub host: String,
    /// Its version of contender.
    pub version: String,
    /// Number of games that it plays at a time.
    pub slots: usize,
    /// Number of games that it plays now.
    pub playing: usize,
    /// Number of games played.
    pub games: u64,
    /// Since when it has been there, in seconds since 1970.
    pub since: u64,
    /// Time of the report by its own clock, in seconds since 1970.
    pub at: u64,
    /// Its speed when it joined: rounds of the fixed workload per second on one core.
    pub speed: Option<f64>,
    /// Lately, of wake-ups every 10 ms the share that was late.
    #[serde(default)]
    pub late_wakeups: Option<f64>,
    /// Lately, the share of the cores' time that other programs used.
    #[serde(default)]
    pub other_load: Option<f64>,
    /// Whether it has left in good order.
    pub has_left: bool,
    /// The last thing that its owner should know.
    pub words: Option<String>,
}

/// A coordinator's report about its run, every few seconds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunStatus {
    /// The name of the run.
    pub run: String,
    /// The coordinator's machine.
    pub host: String,
    /// Since when it has been there, in seconds since 1970.
    pub since: u64,
    /// Time of the report by its own clock, in seconds since 1970.
    pub at: u64,
    /// Number of games that workers have played for it.
    pub games: u64,
    /// Number of remaining games, if known.
    pub left: Option<u64>,
}

/// The state of a server.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Status {
    /// The server's version.
    pub server: String,
    /// Jobs that wait or are under way.
    pub jobs: u64,
    /// Results that wait for their coordinator.
    pub results: u64,
    /// Jobs in the hands of workers, all versions together.
    pub in_hand: usize,
    /// The workers that are there or were lately, by their names.
    pub workers: Vec<Seen>,
    /// The runs that are under way, or whose coordinator has died.
    pub runs: Vec<RunStatus>,
}

/// A worker as it was seen.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Seen {
    /// Its latest report.
    #[serde(flatten)]
    pub presence: Presence,
    /// Age of the report in seconds, by the server's clock if possible.
    pub seconds_ago: u64,
    /// Whether it has vanished without a word.
    pub has_vanished: bool,
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Looks at a server.
///
/// # Errors
/// In words for the user.
pub fn status(url: &str, secrets: &Secrets) -> Result<Status> {
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
        Ok(Status {
            server: context.client().server_info().version,
            jobs: streams.jobs.get_info().await?.state.messages,
            results: streams.results.get_info().await?.state.messages,
            in_hand,
            workers,
            runs: runs.into_iter().map(|(_, course)| course).collect(),
        })
    })
}

/// The last that each has said on a stream, and when, by the server's clock: seconds since 1970.
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

/// Returns games per second since a time in seconds since 1970.
fn rate(games: u64, since: u64, at: u64) -> f64 {
    games as f64 / at.saturating_sub(since).max(1) as f64
}

impl Presence {
    /// Games a second since it has been there.
    #[must_use]
    pub fn rate(&self) -> f64 {
        rate(self.games, self.since, self.at)
    }
}

impl Seen {
    /// Returns whether it is there, in a word.
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
    /// Returns the progress, for people.
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

impl Status {
    /// Returns a table for people.
    #[must_use]
    pub fn text(&self) -> String {
        let there = || self.workers.iter().filter(|seen| !seen.has_vanished && !seen.presence.has_left);
        let slots: usize = there().map(|seen| seen.presence.slots).sum();
        let mut text = format!(
            "server {}: {} jobs ({} in hand), {} results waiting, {} workers with {slots} slots\n",
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
