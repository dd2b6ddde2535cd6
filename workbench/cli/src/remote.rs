//! Games on other machines: what commands share that have them played there. Without the feature `cluster` there are
//! none, and who asks for them is told so.

#[cfg(feature = "cluster")]
use contender_cluster::{Coordinator, Key, Run, Secrets};
use contender_referee::Machines;
use std::path::Path;
#[cfg(feature = "cluster")]
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Those who play by the server of this address; `kept_in` is the file or folder that keeps the games.
#[cfg(feature = "cluster")]
pub fn machines(
    url: &str,
    ack_wait: Option<Duration>,
    kept_in: Option<&Path>,
) -> anyhow::Result<Arc<dyn Machines>> {
    let run = kept_in.map_or_else(|| Ok(Run::new()), Run::kept_in)?;
    let secrets = Secrets::from_environment()?;
    let notice = Arc::new(|words: &str| say!("{words}"));
    Ok(Arc::new(Coordinator::connect(url, &secrets, run, Some(key()?), ack_wait, notice)?))
}

/// Nobody.
#[cfg(not(feature = "cluster"))]
pub fn machines(_: &str, _: Option<Duration>, _: Option<&Path>) -> anyhow::Result<Arc<dyn Machines>> {
    Err(not_built_in())
}

/// What is said where the client of NATS was left out.
#[cfg(not(feature = "cluster"))]
pub fn not_built_in() -> anyhow::Error {
    let words = "this program was built for one machine: `cargo build --release --features cluster` builds it for more";
    crate::error::UsageError(words.to_string()).into()
}

/// The folder of ours among the user's caches, settings or data.
#[cfg(feature = "cluster")]
pub fn folder(kind: &str, home: &str) -> PathBuf {
    let named =
        std::env::var_os(format!("XDG_{kind}_HOME")).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || std::env::var_os("HOME").map_or_else(std::env::temp_dir, PathBuf::from).join(home);
    named.unwrap_or_else(home).join("contender")
}

/// The key that this user's jobs are signed with, made at the first use.
#[cfg(feature = "cluster")]
pub fn key() -> anyhow::Result<Key> {
    let path = std::env::var_os("CONTENDER_CLUSTER_KEY").map(PathBuf::from);
    Key::open_or_make(&path.unwrap_or_else(|| folder("CONFIG", ".config").join("cluster.key")))
}
