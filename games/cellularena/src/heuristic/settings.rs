//! What the bot can be made with.

use super::weights::{Weights, WEIGHTS};
use contender_game::{Settings, Visitor};

/// What the bot is made with.
#[derive(Clone, PartialEq, Debug)]
pub struct HeuristicSettings {
    /// The share of the judge's time that is used.
    pub time: f64,
    /// Joint moves at the root, own ones and the enemy's, and of each player later.
    pub own_moves: usize,
    /// See `own_moves`.
    pub enemy_moves: usize,
    /// See `own_moves`.
    pub later_moves: usize,
    /// Actions of each organism that are tried, at the root and later.
    pub actions: usize,
    /// See `actions`.
    pub later_actions: usize,
    /// How often joint moves at the root are built, each time against the latest of the enemy.
    pub rounds: u32,
    /// The share of the search that goes to all pairs of moves alike.
    pub spread: f64,
    /// Best answers are looked for in states of fewer turns from the root.
    pub answers: u32,
    /// The evaluation's weights.
    pub weights: [Weights; 3],
}

impl Default for HeuristicSettings {
    fn default() -> Self {
        HeuristicSettings {
            time: 0.8,
            own_moves: 8,
            enemy_moves: 6,
            later_moves: 4,
            actions: 10,
            later_actions: 6,
            rounds: 2,
            spread: 0.3,
            answers: 0,
            weights: WEIGHTS,
        }
    }
}

impl Settings for HeuristicSettings {
    fn each(&mut self, visit: &mut Visitor<'_>) -> Result<(), String> {
        visit("time", &["Share of a turn's time that is used."], &mut (&mut self.time, 0.01..=1.0))?;
        visit("own", &["Own joint moves at the root."], &mut (&mut self.own_moves, 1..=100))?;
        visit("enemy", &["The enemy's joint moves at the root."], &mut (&mut self.enemy_moves, 1..=100))?;
        let later = "Joint moves of each player after the root.";
        visit("later", &[later], &mut (&mut self.later_moves, 1..=100))?;
        let spread = "Share of the search that goes to all pairs of moves alike.";
        visit("spread", &[spread], &mut (&mut self.spread, 0.0..=1.0))?;
        let answers = "Best answers are added in states of fewer turns from the root; 0 for none.";
        visit("answers", &[answers], &mut (&mut self.answers, 0..=100))
    }
}
