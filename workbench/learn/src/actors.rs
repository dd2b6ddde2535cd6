//! Other machines that play a training's games.

use std::fmt;
use std::ops::ControlFlow;

/// Other machines that play games for a training here ("actors" and a "learner": Espeholt and others, "IMPALA: scalable
/// distributed deep-RL with importance weighted actor-learner architectures", 2018). What they play is what this
/// machine would have played, so that what is learned does not depend on them.
pub trait Actors: fmt::Debug + Send + Sync {
    /// Has batches of games played with these networks, each as [`act`](crate::policy_value::act) plays it, and hands
    /// each result with the batch's number to `collect`, on this thread and in the order in which they come, until all
    /// are there, `collect` says stop, or `is_stopped`.
    fn play(
        &self,
        networks: Vec<Vec<u8>>,
        batches: &[String],
        is_stopped: &dyn Fn() -> bool,
        collect: &mut dyn FnMut(usize, Result<String, String>) -> ControlFlow<()>,
    );
}
