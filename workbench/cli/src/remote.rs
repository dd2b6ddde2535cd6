//! Options for playing games on other machines. Without the feature `cluster`, these options cause an error with an
//! explanation.

use crate::error::UsageError;
use clap::Args as ClapArgs;
#[cfg(feature = "cluster")]
use contender_cluster::{Coordinator, CoordinatorConfig, Key, Run, Secrets, SpeedRule};
use contender_play::{Host, RemoteHost, Workers};
use contender_referee::ParallelGames;
use std::path::Path;
#[cfg(feature = "cluster")]
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The options that select workers on other machines.
#[derive(ClapArgs, Clone, Debug, Default)]
pub struct On {
    /// Play the games on the workers of this NATS server: `nats://HOST:4222`
    #[arg(long, value_name = "URL")]
    pub on: Option<String>,
    /// Time without a sign of life from a worker, after which its game goes to another worker
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, requires = "on", hide = true)]
    pub ack_wait: Option<Duration>,
    /// Play timed games only on machines that are at most 10% slower or faster than this one
    #[arg(long, requires = "on", conflicts_with = "scale_clock")]
    pub same_machines: bool,
    /// Scale time limits to each machine's speed, so that bots search equally deep everywhere
    #[arg(long, requires = "on")]
    pub scale_clock: bool,
}

impl On {
    /// Returns the number of games at a time. Each game takes a thread of this process.
    pub fn jobs(&self, jobs: ParallelGames) -> ParallelGames {
        const ELSEWHERE: u16 = 64;
        if self.on.is_some() { ParallelGames { jobs: jobs.jobs.or(Some(ELSEWHERE)) } } else { jobs }
    }

    /// Checks that no option changes the clock of an external referee, and returns an error otherwise.
    pub fn has_own_clock(&self) -> anyhow::Result<()> {
        let words = "--scale-clock cannot change the clock of an external referee\nhint: use \
                     --same-machines to play on equally fast machines";
        if self.scale_clock { Err(UsageError(words.to_string()).into()) } else { Ok(()) }
    }

    /// Connects to the workers if the user gave a server. `kept_in` is the file or folder with the results.
    pub fn workers(&self, kept_in: Option<&Path>) -> anyhow::Result<Option<Arc<dyn Workers>>> {
        self.on.as_ref().map(|url| workers(url, self, kept_in)).transpose()
    }

    /// Returns a host that plays games on the workers if the user gave a server, and otherwise on this machine.
    pub fn host<'a>(
        &self,
        host: Box<dyn Host + 'a>,
        kept_in: Option<&Path>,
    ) -> anyhow::Result<Box<dyn Host + 'a>> {
        match self.workers(kept_in)? {
            Some(workers) => Ok(Box::new(RemoteHost::new(host, workers).map_err(UsageError::new)?)),
            None => Ok(host),
        }
    }
}

#[cfg(feature = "cluster")]
fn workers(url: &str, on: &On, kept_in: Option<&Path>) -> anyhow::Result<Arc<dyn Workers>> {
    Ok(Arc::new(coordinator(url, on, kept_in)?))
}

#[cfg(not(feature = "cluster"))]
fn workers(_: &str, _: &On, _: Option<&Path>) -> anyhow::Result<Arc<dyn Workers>> {
    Err(not_built_in())
}

#[cfg(feature = "cluster")]
fn coordinator(url: &str, on: &On, kept_in: Option<&Path>) -> anyhow::Result<Coordinator> {
    let own_speed = || speed().ok_or_else(|| UsageError("the speed of this machine is unknown".to_string()));
    let clock = match on {
        On { same_machines: true, .. } => SpeedRule::Same(own_speed()?),
        On { scale_clock: true, .. } => SpeedRule::Scaled(own_speed()?),
        _ => SpeedRule::Any,
    };
    let run = kept_in.map_or_else(|| Ok(Run::new()), Run::kept_in)?;
    let secrets = Secrets::from_environment()?;
    let notice = Arc::new(|words: &str| say!("{words}"));
    let signature = contender_bench::signature();
    let terms = CoordinatorConfig { run, key: Some(key()?), ack_wait: on.ack_wait, signature, clock };
    Coordinator::connect(url, &secrets, terms, notice)
}

/// Measures the speed of one core with a fixed workload, so that machines can be compared. Takes the best of several
/// runs, because other programs can only slow a run down. Counts only CPU time, because on a busy machine most of the
/// elapsed time may be waiting.
#[cfg(feature = "cluster")]
pub fn speed() -> Option<f64> {
    use contender_bench::{measure_core, workloads};
    let workload = workloads().into_iter().find(|workload| workload.subject == "search")?;
    let tries = (0..5).map(|_| measure_core(&workload, Duration::from_millis(50)).per_second());
    tries.max_by(f64::total_cmp)
}

/// Returns the error that this build does not include the NATS client.
#[cfg(not(feature = "cluster"))]
pub fn not_built_in() -> anyhow::Error {
    let words = "this program was built without support for workers\nhint: build it with `cargo build \
        --release --features cluster`";
    crate::error::UsageError(words.to_string()).into()
}

/// Returns Contender's folder in the user's folder for caches, settings or data.
#[cfg(feature = "cluster")]
pub fn folder(kind: &str, home: &str) -> PathBuf {
    let named =
        std::env::var_os(format!("XDG_{kind}_HOME")).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || std::env::var_os("HOME").map_or_else(std::env::temp_dir, PathBuf::from).join(home);
    named.unwrap_or_else(home).join("contender")
}

/// Returns the key that signs this user's jobs. The first call creates the key.
#[cfg(feature = "cluster")]
pub fn key() -> anyhow::Result<Key> {
    let path = std::env::var_os("CONTENDER_CLUSTER_KEY").map(PathBuf::from);
    Key::open_or_make(&path.unwrap_or_else(|| folder("CONFIG", ".config").join("cluster.key")))
}
