//! The rating models.

use serde::Serialize;

/// The rating model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Model {
    /// Differences in points, estimated by regression
    Points,
    /// Elo, by the Bradley-Terry model with draws
    Elo,
    /// TrueSkill
    Trueskill,
    /// OpenSkill
    Openskill,
}

impl Model {
    /// Returns the unit of strength as a column header.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Model::Points => "points",
            Model::Elo => "Elo",
            Model::Trueskill => "TrueSkill",
            Model::Openskill => "OpenSkill",
        }
    }

    /// Returns the full name of the unit of strength.
    #[must_use]
    pub fn unit(self) -> &'static str {
        if self == Model::Points { "points per game" } else { self.name() }
    }

    /// Returns a phrase that explains the strength values.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Model::Points => "in points per game above or below the mean of all bots",
            Model::Elo => "in Elo above or below the mean of all bots",
            Model::Trueskill => "TrueSkill's mean estimate",
            Model::Openskill => "OpenSkill's mean estimate",
        }
    }

    /// Returns a phrase that explains the width of the intervals: a confidence level or a number of standard
    /// deviations.
    #[must_use]
    pub fn reach(self) -> &'static str {
        match self {
            Model::Points | Model::Elo => "95%",
            Model::Trueskill | Model::Openskill => "3 sd",
        }
    }
}
