//! How the strength of bots is computed.

use serde::Serialize;

/// How strength is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Model {
    /// Differences in points, by regression
    Points,
    /// Elo, by Bradley and Terry's model with draws
    Elo,
    /// TrueSkill
    Trueskill,
    /// OpenSkill
    Openskill,
}

impl Model {
    /// What strength is measured in, as the head of a column.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Model::Points => "points",
            Model::Elo => "Elo",
            Model::Trueskill => "TrueSkill",
            Model::Openskill => "OpenSkill",
        }
    }

    /// What strength is measured in, in full.
    #[must_use]
    pub fn unit(self) -> &'static str {
        if self == Model::Points { "points a game" } else { self.name() }
    }

    /// What strength is, in words.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Model::Points => "in points a game above or below the mean of all bots",
            Model::Elo => "in Elo above or below the mean of all bots",
            Model::Trueskill => "the mean of what TrueSkill believes",
            Model::Openskill => "the mean of what OpenSkill believes",
        }
    }

    /// How far intervals reach: a confidence, or deviations of what is believed.
    #[must_use]
    pub fn reach(self) -> &'static str {
        match self {
            Model::Points | Model::Elo => "95%",
            Model::Trueskill | Model::Openskill => "3 sd",
        }
    }
}
