//! The server's streams and their settings.
//!
//! | stream | subject | contents |
//! |---|---|---|
//! | `CONTENDER_JOBS` | `contender.jobs.VERSION.RUN.ID` | jobs until they are acknowledged, one per id |
//! | `CONTENDER_RESULTS` | `contender.results.RUN.ID` | results until they are acknowledged |
//! | `CONTENDER_WORKERS` | `contender.workers.NAME` | the last report of each worker |
//! | `CONTENDER_RUNS` | `contender.runs.RUN` | the last report of each coordinator about its run |
//! | `OBJ_CONTENDER_FILES` | | bots' files and networks of training runs, each by the hash of its content |
//!
//! A worker reports missing files on `contender.missing`, which is not stored. The coordinator then uploads the files
//! again, and the job is sent again.
//!
//! Workers with the same version share one consumer, which receives only the jobs of this version. So a worker never
//! gets a job of another version.

use anyhow::{Context as _, Result, bail};
use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, Stream};
use std::time::Duration;

/// Time without a report after which a job is given to another worker. A worker sends three reports in this time.
pub const ACK_WAIT: Duration = Duration::from_secs(30);

/// Age at which abandoned data is deleted.
const MAX_AGE: Duration = Duration::from_secs(7 * 24 * 3600);

/// Description of a stream that marks it as a stream of this crate, and contains the version of its format.
const MARK: &str = "contender, form 1";

pub(crate) const JOBS: &str = "CONTENDER_JOBS";
pub(crate) const RESULTS: &str = "CONTENDER_RESULTS";
pub(crate) const WORKERS: &str = "CONTENDER_WORKERS";
pub(crate) const RUNS: &str = "CONTENDER_RUNS";
pub(crate) const FILES: &str = "CONTENDER_FILES";

/// The subject on which a worker reports missing files.
pub(crate) const MISSING: &str = "contender.missing";

/// The streams on the server.
#[derive(Clone)]
pub(crate) struct Streams {
    pub jobs: Stream,
    pub results: Stream,
    pub workers: Stream,
    pub runs: Stream,
    pub files: ObjectStore,
}

/// Returns a version in a form that can be part of a subject.
pub(crate) fn token(version: &str) -> String {
    version.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-', "_")
}

/// Opens the streams. Creates the streams that do not exist, for example after the server has lost its store.
///
/// # Errors
/// Returns an error if streams with these names belong to another project, or if the server cannot create the streams.
pub(crate) async fn open(context: &Context) -> Result<Streams> {
    let base = |name: &str, subject: &str| Config {
        name: name.to_string(),
        subjects: vec![subject.to_string()],
        description: Some(MARK.to_string()),
        max_age: MAX_AGE,
        max_messages: -1,
        max_bytes: -1,
        num_replicas: 1,
        ..Config::default()
    };
    let jobs = Config {
        retention: RetentionPolicy::WorkQueue,
        // If a job is published again while the server has it, the server refuses it, and nothing is lost.
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        ..base(JOBS, "contender.jobs.>")
    };
    let results = Config {
        retention: RetentionPolicy::WorkQueue,
        max_messages_per_subject: -1,
        ..base(RESULTS, "contender.results.>")
    };
    let latest = |name, subject| Config {
        max_messages_per_subject: 1,
        max_age: Duration::from_secs(24 * 3600),
        ..base(name, subject)
    };
    let bucket = object_store::Config {
        bucket: FILES.to_string(),
        description: Some(MARK.to_string()),
        max_age: MAX_AGE,
        num_replicas: 1,
        ..object_store::Config::default()
    };
    let files = match context.get_object_store(FILES).await {
        Ok(files) => files,
        Err(_) => {
            context.create_object_store(bucket).await.context("cannot create the file store on the server")?
        }
    };
    Ok(Streams {
        jobs: stream(context, jobs).await?,
        results: stream(context, results).await?,
        workers: stream(context, latest(WORKERS, "contender.workers.>")).await?,
        runs: stream(context, latest(RUNS, "contender.runs.>")).await?,
        files,
    })
}

async fn stream(context: &Context, config: Config) -> Result<Stream> {
    let name = config.name.clone();
    let made = context.get_or_create_stream(config).await;
    let stream = match made {
        Ok(stream) => stream,
        Err(error) => {
            let words = error.to_string();
            if words.contains("overlap") {
                bail!(
                    "another stream on this server receives messages to `contender.>` \
                     ({words})\nhint: delete it, or use another server or account"
                );
            }
            bail!("cannot create the stream {name}: {words}{}", remedy(&words));
        }
    };
    if stream.cached_info().config.description.as_deref() != Some(MARK) {
        bail!(
            "the stream {name} belongs to another version of Contender or another project\nhint: \
             delete it (`nats stream rm {name}`), or use another server or account"
        );
    }
    Ok(stream)
}

/// Returns advice for the user if the message shows that the server has no space left.
pub(crate) fn remedy(words: &str) -> &'static str {
    let is_full = ["insufficient", "resource", "no space", "storage", "maximum bytes"]
        .iter()
        .any(|part| words.to_lowercase().contains(part));
    if is_full { "; its disk may be full, or its limits of JetStream too low (`max_file_store`)" } else { "" }
}

/// Opens the consumer that all workers of a version share. Only the coordinator changes the settings of an existing
/// consumer.
///
/// # Errors
/// Returns an error if the server refuses the request or cannot be reached.
pub(crate) async fn jobs_of(
    streams: &Streams,
    version: &str,
    ack_wait: Option<Duration>,
) -> Result<PullConsumer> {
    let version = token(version);
    let name = format!("workers-{version}");
    let wanted = pull::Config {
        durable_name: Some(name.clone()),
        filter_subject: format!("contender.jobs.{version}.>"),
        ack_policy: AckPolicy::Explicit,
        ack_wait: ack_wait.unwrap_or(ACK_WAIT),
        max_deliver: -1,
        // The server's default limits would silently stop a thousand workers.
        max_ack_pending: -1,
        max_waiting: 100_000,
        ..pull::Config::default()
    };
    let consumer: PullConsumer = streams
        .jobs
        .get_or_create_consumer(&name, wanted.clone())
        .await
        .context("cannot create the job consumer")?;
    let known = &consumer.cached_info().config;
    if ack_wait.is_none()
        || (known.ack_wait, known.max_ack_pending) == (wanted.ack_wait, wanted.max_ack_pending)
    {
        return Ok(consumer);
    }
    streams.jobs.update_consumer(wanted).await.with_context(|| {
        format!("the consumer {name} on the server has different settings, and the server cannot change them")
    })
}

/// Creates a consumer for a run's results. It receives all results that have not been acknowledged.
///
/// # Errors
/// Returns an error if the server refuses the request or cannot be reached.
pub(crate) async fn results_of(streams: &Streams, run: &str) -> Result<PullConsumer> {
    let name = format!("run-{run}");
    // Otherwise results that an earlier coordinator received would be sent again only after the wait.
    let _ = streams.results.delete_consumer(&name).await;
    let config = pull::Config {
        durable_name: Some(name),
        filter_subject: format!("contender.results.{run}.>"),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(600),
        max_ack_pending: -1,
        inactive_threshold: MAX_AGE,
        ..pull::Config::default()
    };
    streams.results.create_consumer(config).await.context("cannot create the consumer of results")
}

/// Returns whether the server refused a job because it already has this job.
pub(crate) fn is_there_already(words: &str) -> bool {
    words.contains("maximum messages per subject exceeded")
}

#[cfg(test)]
mod tests {
    #[test]
    fn versions_are_parts_of_subjects() {
        assert_eq!(super::token("0.1.0+git.*>"), "0_1_0_git___");
    }
}
