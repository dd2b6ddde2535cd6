//! The parts that differ between the searching bots: the choice of moves, the random games and the end of a search.

use crate::generate::Generator;
use contender_game::rules::Player;

/// The policy of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Policy {
    /// The rule for choosing a move after all moves were tried once.
    pub choice: Choice,
    /// Number of visits below which a node chooses all moves with equal probability.
    pub random_visits: u32,
    /// Weight of a move's immediate gain: `bias * gain / sqrt(visits)` is added to the move's urgency and fades with
    /// its visits.
    pub bias: f32,
    /// The player who searches maximises its own points minus this share of the opponent's points.
    pub share: f32,
    /// The value of `share` that the search assumes for the opponent: the opponent maximises its own points minus this
    /// share of the bot's points.
    pub model: f32,
    /// Maximum number of times per turn that a random game draws another move because the drawn move would cost points.
    pub redraws: u32,
    /// Whether moves that join the side walls are tried before other moves. Apart from this, moves are tried in random
    /// order.
    pub links_first: bool,
    /// The moves that the search considers.
    pub moves: Generator,
    /// The moves from which random games choose.
    pub games: Generator,
    /// Whether only the moves of the current position are compared, with random games after each of them.
    pub is_flat: bool,
    /// Whether the bot plays the move with the best mean. Otherwise it plays the most visited move.
    pub plays_best: bool,
    /// The condition for ending a search before its limits.
    pub ending: Ending,
    /// Maximum number of nodes in the tree.
    pub capacity: usize,
}

/// The rule for choosing among moves that were tried.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Choice {
    /// Chooses the largest `mean + (pull + sqrt(exploration * ln(parent visits))) / sqrt(visits)`. For a move that ends
    /// the game, only the mean counts.
    ///
    /// Source: Kocsis, Szepesvari, "Bandit based Monte-Carlo planning", 2006.
    Confidence { exploration: f32 },
    /// Chooses a random move with the probability `least + extra / sqrt(1 + parent visits / 60)`, and otherwise the
    /// move with the best mean.
    Greedy { least: f32, extra: f32 },
    /// Chooses all moves in turn.
    Even,
}

/// The conditions for ending a search early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// One move has half of the allowed iterations.
    Majority,
    /// No other move can become the most visited move.
    Lead,
}

impl Policy {
    /// Plain UCT that maximises the player's own points.
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

/// Returns a player's weights for both players' points: 1 for its own points, and minus `share` for the points of the
/// other player.
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
        // 52.5 + (34 * 9 + sqrt(7 ln 1500)) / sqrt(25), with ln 1500 = 7.313220 and sqrt(7 ln 1500) = 7.154863.
        let explore = (7.0f32 * 1500f32.ln()).sqrt();
        assert!((explore - 7.154_863).abs() < 1e-4);
        assert!((urgency(52.5, 1.0 / 5.0, 34.0 * 9.0, explore) - 115.130_97).abs() < 1e-4);
        // A loss has a negative pull: 50 + (34 * -3 + 7.154863) / sqrt(4).
        assert!((urgency(50.0, 1.0 / 2.0, 34.0 * -3.0, explore) - 2.577_43).abs() < 1e-4);
        // If the game is over, only the mean counts.
        assert_eq!(urgency(61.0, 0.0, 34.0 * 11.0, explore), 61.0);
    }
}
