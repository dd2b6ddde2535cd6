//! Groups of battles, and the results in them.

use crate::result::BattleResult;
use contender_stats::{Interval, wilson};
use serde::Serialize;
use std::collections::BTreeMap;

const CONFIDENCE: f64 = 0.95;

/// A group of battles. A tie counts as a half win.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BattleGroup {
    /// The name of the group.
    pub name: String,
    /// Number of battles in the group.
    pub games: u64,
    /// Number of battles in which the player did better than the opponent, or than all opponents.
    pub wins: u64,
    /// Number of ties.
    pub draws: u64,
    /// Number of all other battles.
    pub losses: u64,
    /// Number of battles in which the player failed.
    pub failures: u64,
    /// The win rate from 0 to 1; a tie counts as half a win.
    pub win_rate: f64,
    /// Wilson's 95% interval of the win rate.
    pub interval: Option<Interval>,
}

impl BattleGroup {
    pub(crate) fn add(&mut self, result: BattleResult, has_failed: bool) {
        let count = |wanted| u64::from(result == wanted);
        self.join(&BattleGroup {
            games: 1,
            wins: count(BattleResult::Won),
            draws: count(BattleResult::Drawn),
            losses: count(BattleResult::Lost),
            failures: u64::from(has_failed),
            ..BattleGroup::default()
        });
    }

    /// Adds the battles of another group.
    pub(crate) fn join(&mut self, other: &BattleGroup) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.failures += other.failures;
        let score = self.wins as f64 + self.draws as f64 / 2.0;
        self.win_rate = score / self.games as f64;
        self.interval = wilson(score, self.games, CONFIDENCE);
    }
}

/// Groups of battles by name.
#[derive(Default)]
pub(crate) struct Rows(BTreeMap<String, BattleGroup>);

impl Rows {
    pub(crate) fn add(&mut self, name: &str, result: BattleResult, has_failed: bool) {
        let row = self.0.entry(name.to_string()).or_default();
        row.name = name.to_string();
        row.add(result, has_failed);
    }

    pub(crate) fn by_name(self) -> Vec<BattleGroup> {
        self.0.into_values().collect()
    }

    pub(crate) fn by_games(self) -> Vec<BattleGroup> {
        let mut rows: Vec<BattleGroup> = self.0.into_values().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.games));
        rows
    }
}
