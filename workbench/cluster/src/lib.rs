//! Games on other machines. A coordinator distributes jobs, workers on any number of machines play them, and a NATS
//! server with JetStream contains the queue between them.
//!
//! All results are stored in the coordinator's files: the log of the match or the file of the league. All data on the
//! server may be lost at any time, for example with its disk. A `Job` is identified by its `Id`, which is the hash of
//! its content, and its result counts only once:
//!
//! - A worker acknowledges a job only when the job's result is in the server's stream of results. The coordinator
//!   acknowledges a result only when the result has been passed on to be stored. If the worker or the coordinator dies
//!   earlier, the job or the result remains on the server.
//! - The coordinator checks every few seconds for jobs that the server has lost, and publishes them again.
//! - A second copy of a result is dropped: the coordinator remembers the ids of the results that it has passed on.
//! - A worker reports every few seconds that a game is still running. A job without a report for `ACK_WAIT` is given to
//!   another worker.
//!
//! The page for users is `docs/howto/several-machines.md`.

#![forbid(unsafe_code)]
#![cfg(feature = "nats")]

mod clock;
mod connection;
mod coordinator;
mod parcel;
mod streams;
mod trust;
mod worker;
mod workers;

pub use clock::SpeedRule;
pub use connection::{OLDEST_SERVER, Secrets};
pub use coordinator::{Coordinator, CoordinatorConfig, Run};
pub use parcel::Id;
pub use streams::ACK_WAIT;
pub use trust::{InvalidTrust, Key, Trust};
pub use worker::{Act, Told, WorkerSettings, work};
pub use workers::{ClusterStatus, Presence, RunStatus, Seen, status};

/// Returns the version that jobs and workers must share. A worker with another version, or with a build that produces
/// different results on the benchmark workloads (`contender bench --signature`), may play a game differently.
fn version(signature: u64) -> String {
    format!("{}-{FORM}-{signature:016x}", env!("CARGO_PKG_VERSION"))
}

/// Version of the messages between coordinators and workers. The version increases with every change to the messages.
const FORM: u32 = 4;

/// A callback that receives messages for the user while the work continues.
pub type Notice = std::sync::Arc<dyn Fn(&str) + Send + Sync>;
