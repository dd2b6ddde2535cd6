//! What this machine offers to keep bots apart.

/// A promise about bots and how it is kept here.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Facility {
    /// What is promised, in a word or two: `memory`.
    pub what: &'static str,
    /// Whether it holds whatever a bot does.
    pub holds: bool,
    /// By what: `control group, version 2`.
    pub how: String,
    /// What does not hold, and how to get it; empty if all holds.
    pub remedy: &'static str,
}

/// How this machine keeps the promises of [`Bounds::strict`](crate::Bounds::strict) to this user, and that bots stand still while they are not asked.
#[must_use]
pub fn facilities() -> Vec<Facility> {
    crate::platform::facilities()
}
