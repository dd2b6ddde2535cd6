//! Guides of the generic searches for each game, by its scores alone. No bot uses these guides: they measure and test
//! searches.

use contender_boxes as boxes;
use contender_game::rules::{Game, Player, Turn, mix};
use contender_search::{Bounds, Heuristics, ProbCut};
use contender_spaghetti as spaghetti;
use contender_uttt as uttt;

/// The difference of the square scores of Box in hundredths of a point, counted between two caps.
///
/// The caps bound all values, which is what chance nodes prune by.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoxScore {
    /// The differences, in points, below and above which all states are worth the same.
    pub caps: [i32; 2],
    /// The predictor of a chance node's value by number of decisions left, if there is one.
    pub prediction: Option<(u32, ProbCut)>,
}

impl BoxScore {
    /// Returns the guide for a search of `state`: capped 30 points from its difference.
    #[must_use]
    pub fn of(state: &boxes::OpenColours) -> BoxScore {
        let now = state.value();
        BoxScore { caps: [now - 30, now + 30], prediction: None }
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
        // Three columns of 16 cells a word.
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

    /// Returns the move's change of the difference, for its player.
    fn score(&mut self, boxes::OpenColours(state): &boxes::OpenColours, placement: boxes::Placement) -> i32 {
        let Some(tile) = state.tile() else { return 0 };
        let [zero, one] = state.colours().map(|colour| state.score_change(colour, placement, tile));
        match state.mover() {
            Player::Zero => zero - one,
            Player::One => one - zero,
        }
    }

    fn prob_cut(&self, _: &boxes::OpenColours, depth: u32) -> Option<ProbCut> {
        self.prediction.filter(|&(at, _)| at == depth).map(|(_, model)| model)
    }
}

/// The difference of the scores of Spaghetti.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SpaghettiScore;

impl Heuristics<spaghetti::State> for SpaghettiScore {
    fn evaluate(&mut self, state: &spaghetti::State) -> i32 {
        state.value()
    }

    fn key(&self, state: &spaghetti::State) -> Option<u64> {
        let [blue, red] = state.scores();
        let tiles = spaghetti::Cell::all().map(|cell| state.tile(cell).map_or(0, |tile| 1 + tile as u64));
        let board = tiles.fold([0; 2], |[a, b], tile| [a << 2 | b >> 62, b << 2 | tile]);
        let turn = state.turn() == Turn::Player(Player::Zero);
        Some(mix(&[board[0], board[1], (blue << 16 ^ red) as u64 ^ u64::from(turn) << 63]))
    }

    fn slots(&self) -> usize {
        256
    }

    fn slot(&self, _: &spaghetti::State, mv: spaghetti::Move) -> usize {
        4 * mv.cell().index() + mv.tile() as usize
    }

    fn score(&mut self, state: &spaghetti::State, mv: spaghetti::Move) -> i32 {
        1000 * state.gain(mv)
    }
}

/// Ultimate Tic-Tac-Toe by the boards won: a hundred for each small board won, one for each centre mark; a finished
/// game counts 10,000.
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
