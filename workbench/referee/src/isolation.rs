//! Bounds that are ready to be applied to bots.

use crate::platform::Sandbox;
use contender_play::ResourceLimits;
use std::io;
use std::sync::Arc;

/// Bounds that are ready to be applied to bots, in any number of games and threads. Clones share the same sandbox.
#[derive(Clone, Debug)]
pub struct Isolation {
    pub(crate) sandbox: Arc<Sandbox>,
    bounds: ResourceLimits,
}

impl Isolation {
    /// Prepares bounds.
    ///
    /// # Errors
    /// Returns an error if a folder in [`ResourceLimits::writable`] does not exist, or if the system has run out of
    /// memory or descriptors. A missing feature of the system is not an error.
    pub fn new(bounds: &ResourceLimits) -> io::Result<Isolation> {
        Ok(Isolation { sandbox: Arc::new(Sandbox::new(bounds)?), bounds: bounds.clone() })
    }

    /// Returns the bounds for bots.
    #[must_use]
    pub fn bounds(&self) -> &ResourceLimits {
        &self.bounds
    }

    /// Returns one sentence for each limit that this system cannot enforce. The list is empty if the system enforces
    /// all limits.
    #[must_use]
    pub fn missing(&self) -> &[String] {
        self.sandbox.missing()
    }
}
