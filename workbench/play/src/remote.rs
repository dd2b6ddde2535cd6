//! Games that other machines play.

use crate::{Entrant, Fixture, GameError, Host, Job, Machine, PlayedUnder, RankedBy, Record};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{ControlFlow, Deref, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A task for another machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Task {
    /// A single game.
    Game(Box<Job>),
    /// Several games of a training run.
    Batch {
        /// The games, in the format of the training run.
        batch: String,
        /// The names of the networks that play the games, as returned by [`Workers::store`].
        networks: Vec<String>,
    },
}

/// Other machines that play games for this machine.
pub trait Workers: fmt::Debug + Send + Sync {
    /// Makes networks available to all workers, and removes the networks from earlier calls. Returns a name for each
    /// network, in the same order.
    fn store(&self, networks: Vec<Vec<u8>>) -> Vec<String>;

    /// Runs the tasks 0 to `count - 1` on other machines. Passes each answer to `collect` on this thread, in order of
    /// arrival. Stops when all tasks are done, when `collect` returns `Break`, or when `is_stopped` returns `true`.
    /// Skips numbers for which `task` returns `None`.
    ///
    /// An error contains the reason why a task failed. When this function returns, no task that is still needed is
    /// running. The other machine keeps an answer until `collect` returns, so no answer is lost before `collect` has
    /// stored it.
    fn share_out(
        &self,
        count: u64,
        is_stopped: &dyn Fn() -> bool,
        task: &dyn Fn(u64) -> Option<Task>,
        collect: &mut dyn FnMut(u64, Result<String, String>) -> ControlFlow<()>,
    );
}

/// A host whose games are played by other machines. `H` is a box with, or a reference to, the host that describes the
/// games.
pub struct RemoteHost<'a, H> {
    host: H,
    workers: Arc<dyn Workers>,
    lifetime: PhantomData<&'a ()>,
}

impl<'a, H: Deref<Target = dyn Host + 'a> + Sync> RemoteHost<'a, H> {
    /// Creates a host whose games are played by these workers.
    ///
    /// # Errors
    /// Returns an error if the host's games can be played only on this machine.
    pub fn new(host: H, workers: Arc<dyn Workers>) -> Result<RemoteHost<'a, H>, GameError> {
        host.job(&Fixture::default())?;
        Ok(RemoteHost { host, workers, lifetime: PhantomData })
    }

    fn host(&self) -> &dyn Host {
        &*self.host
    }
}

impl<'a, H: Deref<Target = dyn Host + 'a> + Sync> Host for RemoteHost<'a, H> {
    fn game(&self) -> &str {
        self.host().game()
    }

    fn seats(&self) -> RangeInclusive<usize> {
        self.host().seats()
    }

    fn seat_name(&self, seat: usize) -> String {
        self.host().seat_name(seat)
    }

    fn ranked_by(&self) -> RankedBy {
        self.host().ranked_by()
    }

    fn has_points(&self) -> bool {
        self.host().has_points()
    }

    fn conditions(&self, bots: &[&Entrant]) -> PlayedUnder {
        self.host().conditions(bots)
    }

    fn identity(&self) -> String {
        self.host().identity()
    }

    fn seed(&self, random: u64) -> u64 {
        self.host().seed(random)
    }

    fn notes(&self) -> Vec<String> {
        self.host().notes()
    }

    fn job(&self, fixture: &Fixture) -> Result<Job, GameError> {
        self.host().job(fixture)
    }

    fn answer(
        &self,
        fixture: &Fixture,
        machine: &dyn Fn() -> Machine,
        stop: &AtomicBool,
    ) -> Result<String, GameError> {
        self.host().answer(fixture, machine, stop)
    }

    fn read_answer(&self, fixture: &Fixture, answer: &str) -> Result<Record, GameError> {
        self.host().read_answer(fixture, answer)
    }

    fn play(&self, fixture: &Fixture, stop: &AtomicBool) -> Result<Record, GameError> {
        let mut played = Err(GameError::Stopped);
        self.play_all(1, 1, &|_| Some(fixture.clone()), stop, &mut |_, result| {
            played = result;
            ControlFlow::Break(())
        });
        played
    }

    fn play_all(
        &self,
        _: usize,
        games: u64,
        fixture: &(dyn Fn(u64) -> Option<Fixture> + Sync),
        stop: &AtomicBool,
        collect: &mut dyn FnMut(u64, Result<Record, GameError>) -> ControlFlow<()>,
    ) {
        let task = |index| Some(Task::Game(Box::new(self.host().job(&fixture(index)?).ok()?)));
        self.workers.share_out(games, &|| stop.load(Ordering::Relaxed), &task, &mut |index, answer| {
            let Some(fixture) = fixture(index) else { return ControlFlow::Continue(()) };
            let played = answer.map_err(GameError::void);
            collect(index, played.and_then(|answer| self.host().read_answer(&fixture, &answer)))
        });
    }
}
