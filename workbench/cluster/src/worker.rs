//! Receives jobs, plays them, and sends the results.

mod foreign;

use crate::clock::{SpeedRule, has_clock, scale};
use crate::connection::{backoff, connect, host};
use crate::parcel::{BotFile, Missing, Parcel, network, unpack};
use crate::streams::{self, Streams};
use crate::workers::{HEARTBEAT, Presence, now};
use crate::{ACK_WAIT, Notice, Secrets, Trust, version};
use anyhow::{Result, anyhow};
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Context, Message};
use contender_input::this_program;
use contender_play::{Conditions, Fixture, GameError, Host, HostSpec, Job, Machine, ResourceLimits};
use contender_referee::{ContestHost, Cores, Isolation, Referee, Resources, Steadiness, Watch};
use data_encoding::HEXLOWER;
use foreign::Referees;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::{JoinHandle, JoinSet};

/// Time after which a request for a job is repeated if no job has arrived.
const PULL: Duration = Duration::from_secs(20);

/// Interval of the server's heartbeats while a request is open. If the request is lost, for example because the
/// connection broke, it is repeated after two intervals.
const PULSE: Duration = Duration::from_secs(2);

/// Maximum number of times that a job is sent to workers. A job that is not finished after that probably crashes its
/// workers.
const MAX_DELIVERIES: i64 = 20;

/// Time after which a job that this worker cannot play is offered to other workers. Before its next request, the worker
/// waits longer each time. Otherwise it would receive such jobs so often that the jobs would appear to crash their
/// workers.
const FOR_ANOTHER: Duration = Duration::from_secs(5);

/// Number of networks that a worker keeps, which is enough for one round of several training runs.
const MAX_NETWORKS: usize = 100;

/// Interval between checks of the stop flag.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Settings of a worker.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Number of games that are played at a time. Each game has its own core if there are enough cores.
    pub slots: usize,
    /// The coordinators whose jobs the worker plays.
    pub trust: Trust,
    /// Folder for the bots' files.
    pub cache: PathBuf,
    /// Whether external bots run without isolation and with all rights of the worker's user. If not, they are isolated
    /// with [`ResourceLimits::strict`], or with the bounds that the coordinator sets.
    pub without_isolation: bool,
    /// Number of games after which the worker ends.
    pub games: Option<u64>,
    /// Speed of one core, in rounds of a fixed workload per second, if known.
    pub speed: Option<f64>,
    /// The signature of the fixed workloads. The worker only plays jobs with this signature.
    pub signature: u64,
    /// The function that plays games of training runs.
    pub act: Act,
}

/// Plays a batch of games of a training run with these networks. Returns the games as text, one per line, or the reason
/// why they cannot be played. Returns `None` if the batch was interrupted. Returns an error with the reason if this
/// program cannot play the games.
pub type Act = fn(&str, &[Arc<Vec<u8>>], &dyn Fn() -> bool) -> Result<Option<Played>>;

/// The result of a job as text, or the reason why the job cannot be played.
type Played = Result<String, String>;

/// A job that is running. The result is `None` if the job was aborted, and an error if another worker may be able to
/// play the job.
type Work = JoinHandle<Result<Option<Played>>>;

/// The total numbers of a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Told {
    /// Number of games played.
    pub games: u64,
}

/// A worker's answer to a job, as it is sent to the coordinator.
#[derive(Serialize, Deserialize)]
pub(crate) struct Answer {
    /// The worker's name.
    pub worker: String,
    /// The game as a line of JSON, or the games of a batch as one line each, or the reason why they cannot be played.
    pub record: Result<String, String>,
}

struct Worker {
    context: Context,
    settings: WorkerSettings,
    name: String,
    since: u64,
    version: String,
    /// The machine resources that games use.
    resources: Resources,
    playing: AtomicUsize,
    games: AtomicU64,
    /// Number of jobs that the worker could not play since it last played one.
    refusals: AtomicU32,
    words: Mutex<Option<String>>,
    /// The recent timing noise of the machine.
    steadiness: Mutex<Steadiness>,
    /// The networks of training runs, by name. The most recently used network is last.
    networks: Mutex<VecDeque<(String, Arc<Vec<u8>>)>>,
    /// The prepared external referees.
    referees: Referees,
    notice: Notice,
    stop: Arc<AtomicBool>,
}

/// Plays jobs until `stop` is set. Then running games are aborted, and other workers play them.
///
/// # Errors
/// Returns an error if no work is possible.
pub fn work(
    url: &str,
    secrets: &Secrets,
    settings: WorkerSettings,
    stop: &Arc<AtomicBool>,
    notice: Notice,
) -> Result<Told> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let context = connect(url, secrets, "contender worker", notice.clone()).await?;
        let cores = Cores::new();
        let mut resources = Resources::default();
        resources.cores = (settings.slots <= cores.free()).then_some(cores);
        let streams = streams::open(&context).await?;
        let version = version(settings.signature);
        streams::jobs_of(&streams, &version, None).await?;
        let mut number = [0; 2];
        getrandom::fill(&mut number).map_err(|error| anyhow!("{error}"))?;
        let worker = Arc::new(Worker {
            name: format!("{}-{}-{}", streams::token(&host()), std::process::id(), HEXLOWER.encode(&number)),
            since: now(),
            context,
            settings,
            version,
            resources,
            playing: AtomicUsize::new(0),
            games: AtomicU64::new(0),
            refusals: AtomicU32::new(0),
            words: Mutex::new(None),
            steadiness: Mutex::default(),
            networks: Mutex::default(),
            referees: Referees::default(),
            notice,
            stop: Arc::clone(stop),
        });
        worker.look_at_others(&streams).await;
        let slots: Vec<_> =
            (0..worker.settings.slots.max(1)).map(|_| tokio::spawn(slot(Arc::clone(&worker)))).collect();
        let heartbeat = tokio::spawn({
            let worker = Arc::clone(&worker);
            async move {
                loop {
                    worker.tell(false).await;
                    let watch = Watch::start(&worker.resources.idle);
                    tokio::time::sleep(HEARTBEAT).await;
                    *worker.steadiness.lock().expect("no thread panics while it holds the lock") =
                        watch.machine();
                }
            }
        });
        for slot in slots {
            let _ = slot.await;
        }
        heartbeat.abort();
        worker.tell(true).await;
        let _ = tokio::time::timeout(Duration::from_secs(2), worker.context.client().flush()).await;
        Ok(Told { games: worker.games.load(Ordering::Relaxed) })
    })
}

/// Plays one job after another until the worker ends. While a result is sent, the worker already requests and plays the
/// next job. The next result waits until the previous one has arrived, so a worker stops playing while the server
/// cannot be reached.
async fn slot(worker: Arc<Worker>) {
    let mut attempt = 0;
    let mut sending = JoinSet::new();
    while !worker.is_over() {
        match worker.turn(&mut sending).await {
            Ok(()) => attempt = 0,
            Err(error) => {
                attempt += 1;
                if attempt == 5 {
                    worker.say(&format!("cannot receive jobs: {error:#}"));
                }
                tokio::time::sleep(backoff(attempt)).await;
            }
        }
    }
    while sending.join_next().await.is_some() {}
}

impl Worker {
    fn is_over(&self) -> bool {
        let is_enough = self.settings.games.is_some_and(|games| {
            self.games.load(Ordering::Relaxed) + self.playing.load(Ordering::Relaxed) as u64 >= games
        });
        self.stop.load(Ordering::Relaxed) || is_enough
    }

    /// Shows a message to the worker's owner, both here and in the worker's report.
    fn say(&self, words: &str) {
        let mut last = self.words.lock().expect("no thread panics while it holds the lock");
        if last.as_deref() != Some(words) {
            (self.notice)(words);
            *last = Some(words.to_string());
        }
    }

    /// Reports that the worker is running or that it is leaving.
    async fn tell(&self, has_left: bool) {
        let seen = *self.steadiness.lock().expect("no thread panics while it holds the lock");
        let presence = Presence {
            late_wakeups: seen.late_wakeups,
            other_load: seen.other_load,
            worker: self.name.clone(),
            host: host(),
            version: self.version.clone(),
            slots: self.settings.slots,
            playing: self.playing.load(Ordering::Relaxed),
            games: self.games.load(Ordering::Relaxed),
            since: self.since,
            at: now(),
            speed: self.settings.speed,
            has_left,
            words: self.words.lock().expect("no thread panics while it holds the lock").clone(),
        };
        let bytes = serde_json::to_vec(&presence).expect("strings and numbers can be written as JSON");
        let subject = format!("contender.workers.{}", self.name);
        let _ = self.context.client().publish(subject, bytes.into()).await;
    }

    /// Plays jobs until the connection is lost.
    async fn turn(self: &Arc<Self>, sending: &mut JoinSet<()>) -> Result<()> {
        let streams = streams::open(&self.context).await?;
        let consumer = streams::jobs_of(&streams, &self.version, None).await?;
        // The current run, and its time limit for reports about a job.
        let mut known = (String::new(), ACK_WAIT);
        while !self.is_over() {
            let Some(message) = self.pull(&consumer).await? else {
                // The processes of referees take memory.
                self.referees.lock().expect("no thread panics while it holds the lock").clear();
                self.look_at_others(&streams).await;
                continue;
            };
            let run = message.subject.rsplit('.').nth(1).unwrap_or_default();
            if known.0 != run {
                // The run's coordinator may have started after this worker and set another time limit.
                let consumer = streams::jobs_of(&streams, &self.version, None).await?;
                known = (run.to_string(), consumer.cached_info().config.ack_wait);
            }
            self.playing.fetch_add(1, Ordering::Relaxed);
            let answer = self.play(&streams, &message, known.1).await;
            self.playing.fetch_sub(1, Ordering::Relaxed);
            match answer? {
                Some(answer) => {
                    while sending.join_next().await.is_some() {}
                    sending.spawn(Arc::clone(self).answer(message, answer));
                }
                None => self.rest().await,
            }
        }
        Ok(())
    }

    /// Waits after a job that this worker could not play, so that other workers can take jobs.
    async fn rest(&self) {
        let refusals = self.refusals.load(Ordering::Relaxed);
        let end = Instant::now() + FOR_ANOTHER * (2_u32.pow(refusals.min(5)) / 2);
        while Instant::now() < end && !self.is_over() {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Looks for waiting jobs of other versions while this worker has no work.
    async fn look_at_others(&self, streams: &Streams) {
        let own = streams::token(&self.version);
        let mut consumers = streams.jobs.consumers();
        while let Some(Ok(consumer)) = consumers.next().await {
            if let Some(other) = consumer.name.strip_prefix("workers-")
                && other != own
                && consumer.num_pending > 0
            {
                self.say(&format!(
                    "jobs are waiting for workers of version {other}, but this worker has {own}: the \
                     version number or the signature (`{} bench --signature`) differs",
                    this_program()
                ));
            }
        }
    }

    /// Requests one job. Returns `None` if no job arrives soon.
    async fn pull(&self, consumer: &PullConsumer) -> Result<Option<Message>> {
        let mut batch = consumer.batch().max_messages(1).expires(PULL).heartbeat(PULSE).messages().await?;
        loop {
            tokio::select! {
                message = batch.next() => {
                    return message.transpose().map_err(|error| anyhow!("{error}"));
                }
                () = tokio::time::sleep(POLL_INTERVAL) => {
                    if self.is_over() {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Returns the answer to a job, if this worker must answer it.
    async fn play(
        &self,
        streams: &Streams,
        message: &Message,
        ack_wait: Duration,
    ) -> Result<Option<Vec<u8>>> {
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let record = if deliveries > MAX_DELIVERIES {
            Err(format!("the job was sent {deliveries} times without a result; it may crash its workers"))
        } else {
            match self.result(streams, message, ack_wait).await {
                Ok(Some(record)) => record,
                // The job was aborted, so another worker can play it right away.
                Ok(None) => {
                    let _ = message.ack_with(AckKind::Nak(None)).await;
                    return Ok(None);
                }
                Err(error) => {
                    self.say(&format!("rejected a job: {error:#}"));
                    if let Some(missing) = error.downcast_ref::<Missing>() {
                        let name = missing.name.clone();
                        let _ = self.context.client().publish(streams::MISSING, name.into()).await;
                    }
                    let _ = message.ack_with(AckKind::Nak(Some(FOR_ANOTHER))).await;
                    self.refusals.fetch_add(1, Ordering::Relaxed);
                    return Ok(None);
                }
            }
        };
        if let Ok(games) = &record {
            self.refusals.store(0, Ordering::Relaxed);
            self.games.fetch_add(games.lines().count() as u64, Ordering::Relaxed);
        }
        let mut answer = Answer { worker: self.name.clone(), record };
        let mut bytes = serde_json::to_vec(&answer)?;
        let largest = self.context.client().server_info().max_payload;
        if bytes.len() > largest {
            answer.record = Err(format!(
                "a result has {} bytes, but the server accepts only {largest} (`max_payload`)",
                bytes.len()
            ));
            bytes = serde_json::to_vec(&answer)?;
        }
        Ok(Some(bytes))
    }

    /// Sends a result, and then acknowledges the job on the server.
    async fn answer(self: Arc<Self>, message: Message, bytes: Vec<u8>) {
        let mut words = message.subject.rsplit('.');
        let [id, run] = [(); 2].map(|()| words.next().unwrap_or_default());
        self.send(format!("contender.results.{run}.{id}"), bytes).await;
        // If this fails, the job is sent again and its second result is dropped.
        let _ = tokio::time::timeout(Duration::from_secs(5), message.double_ack()).await;
    }

    /// Sends a result until the server has it or this worker must end.
    async fn send(&self, subject: String, bytes: Vec<u8>) {
        for attempt in 0.. {
            let sent = async {
                self.context.publish(subject.clone(), bytes.clone().into()).await?.await?;
                Ok::<_, anyhow::Error>(())
            };
            let Err(error) = sent.await else { return };
            if attempt == 3 {
                let words = format!("{error:#}");
                self.say(&format!("the server rejects a result: {words}{}", streams::remedy(&words)));
            }
            if attempt % 4 == 3 {
                // The server may have lost its streams together with its store.
                let _ = streams::open(&self.context).await;
            }
            if self.stop.load(Ordering::Relaxed) && attempt > 5 {
                return;
            }
            tokio::time::sleep(backoff(attempt)).await;
        }
    }

    /// Returns the result of a job, or the reason why the job cannot be played. Returns `None` if the job was
    /// interrupted.
    ///
    /// # Errors
    /// Returns an error with the reason if this worker cannot play the job, but another worker might.
    async fn result(
        &self,
        streams: &Streams,
        message: &Message,
        ack_wait: Duration,
    ) -> Result<Option<Played>> {
        let Ok(parcel) = serde_json::from_slice::<Parcel>(&message.payload) else {
            return Ok(Some(Err("unknown kind of job".to_string())));
        };
        self.settings
            .trust
            .allows(&parcel, &message.payload, message.headers.as_ref())
            .map_err(|words| anyhow!("{words}"))?;
        let clock = SpeedRule::of(message.headers.as_ref());
        let run = message.subject.rsplit('.').nth(1).unwrap_or_default();
        // Fetching the files for a job may also take long.
        let mut work = pin!(async {
            let begun = match parcel {
                Parcel::Game { job, bots, referee } => {
                    let Job { fixture, host, .. } = *job;
                    match host {
                        HostSpec::Contest { game, conditions } => {
                            self.game(streams, &game, *conditions, fixture, &bots, clock, ack_wait).await?
                        }
                        HostSpec::External(spec) => {
                            clock.factor(self.settings.speed).map_err(|words| anyhow!("{words}"))?;
                            self.foreign(streams, run, spec, fixture, &referee, &bots, ack_wait).await?
                        }
                    }
                }
                Parcel::Batch { batch, networks } => {
                    Ok(self.batch(streams, batch, &networks, ack_wait).await?)
                }
            };
            match begun {
                Ok(work) => work.await?,
                Err(words) => Ok(Some(Err(words))),
            }
        });
        let mut unheard = 0;
        loop {
            tokio::select! {
                played = &mut work => return played,
                () = tokio::time::sleep(ack_wait / 3) => {
                    // A slow job is not dead. Only an answer shows that the server has received the report.
                    let told = message.double_ack_with(AckKind::Progress);
                    match tokio::time::timeout(ack_wait / 3, told).await {
                        Ok(Ok(())) => unheard = 0,
                        _ => unheard += 1,
                    }
                    if unheard == 2 {
                        self.say("cannot report a running game to the server; another worker may also play it");
                    }
                }
            }
        }
    }

    /// Prepares a game of a contest, or returns the reason why it cannot be played.
    #[allow(clippy::too_many_arguments)]
    async fn game(
        &self,
        streams: &Streams,
        game: &str,
        mut conditions: Conditions,
        mut fixture: Fixture,
        files: &[Vec<BotFile>],
        clock: SpeedRule,
        patience: Duration,
    ) -> Result<Result<Work, String>> {
        let Some(contest) = contender_catalogue::find(game) else {
            return Err(anyhow!("unknown game `{game}`"));
        };
        let has_clock = has_clock(&conditions, &fixture);
        let mut runs_commands = false;
        for (bot, files) in fixture.seats.iter_mut().zip(files) {
            if let Some(command) = bot.program.command_line_mut() {
                runs_commands = true;
                let folder = unpack(files, &streams.files, patience, &self.settings.cache).await?;
                *command = command.clone().within(&folder);
            }
        }
        if has_clock {
            let factor = clock.factor(self.settings.speed);
            scale(&mut conditions.limits, factor.map_err(|words| anyhow!("{words}"))?);
        }
        // Bundled bots run in this process, so bounds are only prepared for commands: preparing them takes longer than
        // many games.
        let bounds =
            conditions.bounds.take().or((!self.settings.without_isolation).then(ResourceLimits::strict));
        let isolation = bounds.filter(|_| runs_commands).map(|bounds| Isolation::new(&bounds)).transpose()?;
        let mut referee = Referee { conditions, resources: self.resources.clone() };
        referee.isolate(isolation);
        let host = ContestHost { contest, referee };
        // A game without a clock does not depend on the machine.
        Ok(Ok(self.begin(has_clock, move |machine, stop| host.answer(&fixture, machine, stop))))
    }

    /// Starts a game in a new thread.
    fn begin(
        &self,
        has_clock: bool,
        play: impl FnOnce(&dyn Fn() -> Machine, &AtomicBool) -> Result<String, GameError> + Send + 'static,
    ) -> Work {
        let stop = Arc::clone(&self.stop);
        let idle = self.resources.idle.clone();
        let speed = self.settings.speed.filter(|_| has_clock);
        tokio::task::spawn_blocking(move || {
            let watch = RefCell::new(has_clock.then(|| Watch::start(&idle)));
            let machine = || {
                let seen = watch.take().map(Watch::machine).unwrap_or_default();
                let Steadiness { late_wakeups, other_load, .. } = seen;
                Machine { name: host(), speed, late_wakeups, other_load }
            };
            // A panic is a bug in a judge or a referee. It must not end the worker.
            let played = catch_unwind(AssertUnwindSafe(|| play(&machine, &stop)))
                .unwrap_or_else(|_| Err(GameError::Bug("the referee panicked".to_string())));
            match played {
                Ok(answer) => Ok(Some(Ok(answer))),
                Err(GameError::Stopped) => Ok(None),
                // Another machine may have the resource that this one lacks.
                Err(GameError::Busy(words)) => Err(anyhow!("{words}")),
                Err(error) => Ok(Some(Err(error.to_string()))),
            }
        })
    }

    /// Starts games of a training run.
    async fn batch(
        &self,
        streams: &Streams,
        batch: String,
        names: &[String],
        patience: Duration,
    ) -> Result<Work> {
        let mut networks = Vec::new();
        for name in names {
            networks.push(self.network(streams, name, patience).await?);
        }
        let (stop, act) = (Arc::clone(&self.stop), self.settings.act);
        Ok(tokio::task::spawn_blocking(move || {
            let is_stopped = || stop.load(Ordering::Relaxed);
            catch_unwind(AssertUnwindSafe(|| act(&batch, &networks, &is_stopped))).unwrap_or_else(|_| {
                Ok(Some(Err("the games of a training run panicked; this is a bug".to_string())))
            })
        }))
    }

    /// Returns a network. A network is fetched only once for all batches that use it.
    async fn network(&self, streams: &Streams, name: &str, patience: Duration) -> Result<Arc<Vec<u8>>> {
        let known = || self.networks.lock().expect("no thread panics while it holds the lock");
        if let Some((_, network)) = known().iter().find(|(known, _)| known == name) {
            return Ok(Arc::clone(network));
        }
        let network = Arc::new(network(name, &streams.files, patience).await?);
        let mut known = known();
        known.push_back((name.to_string(), Arc::clone(&network)));
        if known.len() > MAX_NETWORKS {
            known.pop_front();
        }
        Ok(network)
    }
}
