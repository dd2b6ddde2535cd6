//! Games played on other machines: a coordinator hands out jobs, workers on any number of machines play them, and NATS
//! with JetStream is the queue between them.
//!
//! The truth stays in the files of who plays: the match's log, the league's file. What the server holds may be lost at
//! any time, as with its disk. A `Job` is known by its content's hash, its `Id`, and its
//! result counts once:
//!
//! - A worker acknowledges a job after its result is in the server's stream of results, and the coordinator a result
//!   after it was handed over to be stored. Whoever dies before that leaves the job, or the result, to be had again.
//! - A job that the server has forgotten, which the coordinator looks for every few seconds, is published again.
//! - A result that comes twice is dropped: the coordinator remembers the ids of those it has handed over.
//! - A worker says every few seconds that a game goes on; a job of which nothing is heard for `ACK_WAIT` is handed to
//!   another worker.
//!
//! `docs/howto/several-machines.md` is the page for users.

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

pub use clock::Clock;
pub use connection::{OLDEST_SERVER, Secrets};
pub use coordinator::{Coordinator, CoordinatorConfig, Run};
pub use parcel::Id;
pub use streams::ACK_WAIT;
pub use trust::{Key, Trust};
pub use worker::{Act, Settings, Told, work};
pub use workers::{Presence, RunStatus, Seen, Status, status};

/// Returns the version that jobs and workers must share: another version, or a build whose fixed workloads have other
/// results (`contender bench --signature`), may play another game.
fn version(signature: u64) -> String {
    format!("{}-{FORM}-{signature:016x}", env!("CARGO_PKG_VERSION"))
}

/// Version of the messages between coordinators and workers; higher for every change.
const FORM: u32 = 4;

/// Something that the user should know, said while the work goes on.
pub type Notice = std::sync::Arc<dyn Fn(&str) + Send + Sync>;
