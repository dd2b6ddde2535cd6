//! Guides of the generic searches for Box and Ultimate Tic-Tac-Toe, based on the scores alone.

use contender_boxes as boxes;
use contender_game::rules::{Game, Player, Turn, mix};
use contender_search::{Bounds, Heuristics};
use contender_uttt as uttt;

/// The difference between the players' scores in Box, in hundredths of a point, limited to the range between two caps.
///
/// The caps are bounds for all values, so that chance nodes can prune.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoxScore {
    /// The lower and the upper cap of the difference, in points.
    pub caps: [i32; 2],
}

impl BoxScore {
    /// Returns the guide for a search of `state`, with caps 30 points below and above the current difference.
    #[must_use]
    pub fn of(state: &boxes::OpenColours) -> BoxScore {
        let now = state.value();
        BoxScore { caps: [now - 30, now + 30] }
    }
}

impl Heuristics<boxes::OpenColours> for BoxScore {
    fn evaluate(&mut self, state: &boxes::OpenColours) -> i32 {
        100 * state.value().clamp(self.caps[0], self.caps[1])
    }

    fn finished(&mut self, state: &boxes::OpenColours) -> i32 {
        self.evaluate(state)
    }

    fn bounds(&self, _: &boxes::OpenColours, _: u32) -> Bounds {
        Bounds::new(100 * self.caps[0], 100 * self.caps[1])
    }

    fn key(&self, boxes::OpenColours(state): &boxes::OpenColours) -> Option<u64> {
        let turn = match (state.turn(), state.tile()) {
            (Turn::Player(player), Some(tile)) => {
                let [zero, one] = state.colours().map(|colour| tile.position(colour) as u64);
                1 + 2 * (6 * zero + one) + player as u64
            }
            (Turn::Chance, _) => 1000 + state.mover() as u64,
            _ => 0,
        };
        let [zero, one] = state.colours().map(|colour| state.cells_of(colour));
        let columns = zero.iter().zip(one).zip(state.filled());
        // A word contains three columns of 16 cells.
        Some(columns.fold(turn, |key, ((&zero, &one), &filled)| {
            mix(&[key, u64::from(zero) | u64::from(one) << 16 | u64::from(filled) << 32])
        }))
    }

    fn slots(&self) -> usize {
        boxes::Placement::COUNT
    }

    fn slot(&self, _: &boxes::OpenColours, placement: boxes::Placement) -> usize {
        placement.index()
    }

    /// Returns how much a move changes the difference, from the point of view of the player who moves.
    fn score(&mut self, boxes::OpenColours(state): &boxes::OpenColours, placement: boxes::Placement) -> i32 {
        let Some(tile) = state.tile() else { return 0 };
        let [zero, one] = state.colours().map(|colour| state.score_change(colour, placement, tile));
        match state.mover() {
            Player::Zero => zero - one,
            Player::One => one - zero,
        }
    }
}

/// An evaluation of Ultimate Tic-Tac-Toe: a hundred for each small board won, one for each mark in the centre board,
/// and 10,000 for a won game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UtttBoards;

impl Heuristics<uttt::State> for UtttBoards {
    fn evaluate(&mut self, state: &uttt::State) -> i32 {
        let [zero, one] = Player::BOTH.map(|player| state.won(player).count_ones() as i32);
        let centre = |player| (state.marks(player, 4).count_ones()) as i32;
        100 * (zero - one) + centre(Player::Zero) - centre(Player::One)
    }

    fn finished(&mut self, state: &uttt::State) -> i32 {
        10_000 * state.value()
    }

    fn key(&self, state: &uttt::State) -> Option<u64> {
        Some(state.key())
    }

    fn slots(&self) -> usize {
        81
    }

    fn slot(&self, _: &uttt::State, mv: uttt::Move) -> usize {
        mv.index()
    }
}
