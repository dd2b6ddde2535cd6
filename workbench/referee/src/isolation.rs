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
    /// A missing folder in [`Bounds::writable`], or no memory or descriptors left. A feature that the system lacks is
    /// not an error.
    pub fn new(bounds: &Bounds) -> io::Result<Isolation> {
        Ok(Isolation { sandbox: Arc::new(Sandbox::new(bounds)?), bounds: bounds.clone() })
    }

    /// Returns the bounds of bots.
    #[must_use]
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Returns the bounds that this system does not enforce, a sentence each; empty if all are enforced.
    #[must_use]
    pub fn missing(&self) -> &[String] {
        self.sandbox.missing()
    }
}
