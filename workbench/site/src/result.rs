//! The results of players in battles.

use contender_play::Record;
use serde::Serialize;
use std::cmp::Ordering;
use std::fmt;

/// The result of a player in a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BattleResult {
    /// The player ranked above all others.
    Won,
    /// The player shared the first place with another player.
    Drawn,
    /// Another player ranked higher.
    Lost,
}

impl BattleResult {
    /// Returns the result of a seat.
    #[must_use]
    pub fn of(record: &Record, seat: usize) -> BattleResult {
        let others = record.seats.iter().enumerate().filter(|(at, _)| *at != seat);
        let own = record.seats[seat].rank;
        BattleResult::between(own, others.map(|(_, other)| other.rank).min().unwrap_or(own))
    }

    /// Returns the result that follows from two ranks: `own`, and the rank of another player.
    #[must_use]
    pub fn between(own: u32, other: u32) -> BattleResult {
        match own.cmp(&other) {
            Ordering::Less => BattleResult::Won,
            Ordering::Equal => BattleResult::Drawn,
            Ordering::Greater => BattleResult::Lost,
        }
    }
}

impl fmt::Display for BattleResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BattleResult::Won => "won",
            BattleResult::Drawn => "drawn",
            BattleResult::Lost => "lost",
        })
    }
}
