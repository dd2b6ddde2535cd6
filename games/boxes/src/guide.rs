//! The game as a generic search sees it when both colours are known.

use crate::{Placement, State, Tile, COLOURS};
use contender_game::{mix, Chance, Game, Player, Rng, Turn};
use contender_search::{Bounds, Evaluate, Guide, ProbCut};

/// The game between two players who know each other's colour.
///
/// A tile then matters only by where it has these two colours: 30 outcomes of chance stand for the 720 tiles, 24 for each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenColours(pub State);

impl Game for OpenColours {
    type Move = Placement;

    #[inline]
    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn moves(&self, moves: &mut Vec<Placement>) {
        self.0.moves(moves);
    }

    fn play(&mut self, placement: Placement) {
        self.0.play(placement);
    }

    fn points(&self) -> [i32; 2] {
        self.0.points()
    }

    fn value(&self) -> i32 {
        self.0.value()
    }

    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Placement>) -> Placement {
        self.0.random_move(rng, scratch)
    }
}

impl Chance for OpenColours {
    type Outcome = Tile;

    /// The first tile of each kind, in the order of [`Tile::all`].
    fn outcomes(&self, outcomes: &mut Vec<(Tile, u32)>) {
        if self.turn() != Turn::Chance {
            return;
        }
        let mut seen = 0u64;
        for tile in Tile::all() {
            let [zero, one] = self.0.colours().map(|colour| tile.position(colour));
            let kind = 1u64 << (COLOURS * zero + one);
            if seen & kind == 0 {
                seen |= kind;
                outcomes.push((tile, 24));
            }
        }
    }

    fn resolve(&mut self, tile: Tile) {
        self.0.resolve(tile);
    }
}

/// The difference of the square scores in hundredths of a point, counted between two caps.
///
/// The caps bound all values, which is what chance nodes prune by.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreGuide {
    /// The differences, in points, below and above which all states are worth the same.
    pub caps: [i32; 2],
    /// How a chance node's value with so many decisions left is predicted, if it is.
    pub prediction: Option<(u32, ProbCut)>,
}

impl ScoreGuide {
    /// The guide for a search of `state`: capped 30 points from its difference.
    #[must_use]
    pub fn of(state: &OpenColours) -> ScoreGuide {
        let now = state.value();
        ScoreGuide { caps: [now - 30, now + 30], prediction: None }
    }
}

impl Evaluate<OpenColours> for ScoreGuide {
    fn evaluate(&mut self, state: &OpenColours) -> i32 {
        100 * state.value().clamp(self.caps[0], self.caps[1])
    }

    fn finished(&mut self, state: &OpenColours) -> i32 {
        self.evaluate(state)
    }

    fn bounds(&self, _: &OpenColours, _: u32) -> Bounds {
        Bounds::new(100 * self.caps[0], 100 * self.caps[1])
    }
}

impl Guide<OpenColours> for ScoreGuide {
    fn key(&self, OpenColours(state): &OpenColours) -> Option<u64> {
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
        Placement::COUNT
    }

    fn slot(&self, _: &OpenColours, placement: Placement) -> usize {
        placement.index()
    }

    /// What the move changes in the difference, for the player who makes it.
    fn score(&mut self, OpenColours(state): &OpenColours, placement: Placement) -> i32 {
        let Some(tile) = state.tile() else { return 0 };
        let [zero, one] = state.colours().map(|colour| state.score_change(colour, placement, tile));
        match state.mover() {
            Player::Zero => zero - one,
            Player::One => one - zero,
        }
    }

    fn prob_cut(&self, _: &OpenColours, depth: u32) -> Option<ProbCut> {
        self.prediction.filter(|&(at, _)| at == depth).map(|(_, model)| model)
    }
}
