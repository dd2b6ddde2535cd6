//! Bounds that are ready to be applied to bots.

use crate::platform::Sandbox;
use contender_play::Bounds;
use std::io;
use std::sync::Arc;

/// Bounds that are ready to be applied to bots, in any number of games and threads. Clones share the sandbox.
#[derive(Clone, Debug)]
pub struct Isolation {
    pub(crate) sandbox: Arc<Sandbox>,
    bounds: Bounds,
}

impl Isolation {
    /// Prepares bounds.
    ///
    /// # Errors
    /// Returns an error if a folder in [`Bounds::writable`] is missing, or if there is no memory or descriptor left. A
    /// feature that the system lacks is not an error.
    pub fn new(bounds: &Bounds) -> io::Result<Isolation> {
        Ok(Isolation { sandbox: Arc::new(Sandbox::new(bounds)?), bounds: bounds.clone() })
    }

    /// Returns the bounds of bots.
    #[must_use]
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Returns the bounds that this system does not enforce, one sentence each. Empty if all are enforced.
    #[must_use]
    pub fn missing(&self) -> &[String] {
        self.sandbox.missing()
    }
}
