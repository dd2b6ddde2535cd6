//! Differences between the searching bots: the choice of moves, the random games and the end of a search.

use crate::generate::Generator;
use contender_game::rules::Player;

/// The policy of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Policy {
    /// The choice of a move after all were tried once.
    pub choice: Choice,
    /// While a node has fewer visits, all moves are as likely.
    pub random_visits: u32,
    /// Weight of what a move gains at once: `bias * gain / sqrt(visits)` draws towards it and fades.
    pub bias: f32,
    /// The searching player maximises its own points less this share of the other's.
    pub share: f32,
    /// It takes the other to do so with this share.
    pub model: f32,
    /// Number of times that a random game draws again in a turn that would cost points.
    pub redraws: u32,
    /// Moves that join the side walls are tried before others; apart from that the order is random.
    pub links_first: bool,
    /// The moves that are considered.
    pub moves: Generator,
    /// The moves of which random games choose.
    pub games: Generator,
    /// Only the moves at hand are compared, by random games after each.
    pub is_flat: bool,
    /// The move with the best mean is played, not the most visited.
    pub plays_best: bool,
    /// The condition that ends a search before its limits.
    pub ending: Ending,
    /// Nodes of the tree.
    pub capacity: usize,
}

/// The choice among tried moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Choice {
    /// The largest `mean + (pull + sqrt(exploration * ln(parent visits))) / sqrt(visits)`; a move that ends the game
    /// counts by its mean alone.
    ///
    /// Source: Kocsis, Szepesvari, "Bandit based Monte-Carlo planning", 2006.
    Confidence { exploration: f32 },
    /// With the probability `least + extra / sqrt(1 + parent visits / 60)` any, otherwise the one with the best mean.
    Greedy { least: f32, extra: f32 },
    /// All in turn.
    Even,
}

/// The conditions that end a search early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// One move has half of the iterations allowed.
    Majority,
    /// No other move can catch up with the most visited one.
    Lead,
}

impl Policy {
    /// Plain UCT for own points.
    pub const UCT: Policy = Policy {
        choice: Choice::Confidence { exploration: 2.0 },
        random_visits: 0,
        bias: 0.0,
        share: 0.0,
        model: 0.0,
        redraws: 0,
        links_first: false,
        moves: Generator::All,
        games: Generator::All,
        is_flat: false,
        plays_best: false,
        ending: Ending::Majority,
        capacity: 1 << 20,
    };
}

/// Returns the urgency of a move (see [`Choice::Confidence`]).
#[inline]
pub(crate) fn urgency(mean: f32, spread: f32, pull: f32, explore: f32) -> f32 {
    mean + (pull + explore) * spread
}

/// Returns a player's weights of both players' points: its own, minus a share of the other's.
pub(crate) fn weights(player: Player, share: f32) -> [f32; 2] {
    let mut weights = [-share; 2];
    weights[player] = 1.0;
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_is_the_write_ups() {
        // 52.5 + (34 * 9 + sqrt(7 ln 1500)) / sqrt(25); ln 1500 = 7.313220, 7 times that has the root 7.154863.
        let explore = (7.0f32 * 1500f32.ln()).sqrt();
        assert!((explore - 7.154_863).abs() < 1e-4);
        assert!((urgency(52.5, 1.0 / 5.0, 34.0 * 9.0, explore) - 115.130_97).abs() < 1e-4);
        // A loss steers away: 50 + (34 * -3 + 7.154863) / sqrt(4).
        assert!((urgency(50.0, 1.0 / 2.0, 34.0 * -3.0, explore) - 2.577_43).abs() < 1e-4);
        // Where the game is over the mean counts alone.
        assert_eq!(urgency(61.0, 0.0, 34.0 * 11.0, explore), 61.0);
    }
}
