//! Bounds made ready to be put on bots.

use crate::platform::Sandbox;
use contender_play::Bounds;
use std::io;
use std::sync::Arc;

/// Bounds made ready to be put on bots, for any number of games and threads; clones share it.
#[derive(Clone, Debug)]
pub struct Isolation {
    pub(crate) sandbox: Arc<Sandbox>,
    bounds: Bounds,
}

impl Isolation {
    /// Makes bounds ready.
    ///
    /// # Errors
    /// A folder in [`Bounds::writable`] that is not there, or no memory and no descriptors left. That the system does
    /// not offer something is no error.
    pub fn new(bounds: &Bounds) -> io::Result<Isolation> {
        Ok(Isolation { sandbox: Arc::new(Sandbox::new(bounds)?), bounds: bounds.clone() })
    }

    /// What is put on bots.
    #[must_use]
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// What this system does not enforce of the bounds, a sentence each; empty if all is enforced.
    #[must_use]
    pub fn missing(&self) -> &[String] {
        self.sandbox.missing()
    }
}
