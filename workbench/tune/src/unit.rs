//! The unit of strengths.

use contender_stats::ELO_OF_SCORE;
use serde::{Deserialize, Serialize};

/// The unit of strengths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Points per game.
    Points,
    /// Elo, with the slope at equal strength.
    Elo,
}

impl Unit {
    /// Converts a pair's signal to this unit.
    #[must_use]
    pub fn of(self, raw: f64) -> f64 {
        match self {
            Unit::Points => raw,
            Unit::Elo => ELO_OF_SCORE * raw,
        }
    }

    /// Returns the unit's name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Unit::Points => "points per game",
            Unit::Elo => "Elo",
        }
    }
}
