//! What depends on the operating system: programs on three pipes, cores, walls. There are two implementations of one interface.
//!
//! | | `linux` | `portable`, from the standard library alone |
//! |---|---|---|
//! | pipes | non-blocking, one `ppoll` for both bots | a thread for each |
//! | the end of a process | seen at once (pidfd) | looked for every few milliseconds |
//! | descendants of a bot | ended with it | left alone |
//! | a runner that is killed | takes its bots with it | bots see the end of their input |
//! | CPU time of a bot | measured | not known |
//! | a core for each game | yes | wherever the system likes |
//! | [`Bounds`](crate::Bounds) | resource limits, Landlock, seccomp | none, and [`Isolation::missing`](crate::Isolation::missing) says so |
//!
//! Linux has the first. All others have the second, and so has Linux with the feature `portable`, by which the tests run it. Both are
//! compiled on Linux in any case, so that neither falls behind. A port to another system is one more folder here.

mod common;
mod interface;
#[cfg(target_os = "linux")]
#[cfg_attr(feature = "portable", allow(dead_code, unused_imports))]
mod linux;
#[cfg_attr(all(target_os = "linux", not(feature = "portable")), allow(dead_code, unused_imports))]
mod portable;

#[cfg(all(target_os = "linux", not(feature = "portable")))]
use linux as system;
#[cfg(not(all(target_os = "linux", not(feature = "portable"))))]
use portable as system;

pub use common::available_cores;
pub(crate) use common::find_program;
pub(crate) use interface::{ChildProcess, Exit, StartError, Stream, Watched};
pub use system::Cores;
pub(crate) use system::{Child, Walls};
