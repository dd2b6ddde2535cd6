//! The game with both colours known, in the form of a generic search.

use crate::{Placement, State, Tile, COLOURS};
use contender_game::rules::{Chance, Game, Rng, Turn};

/// The game between two players who know each other's colour.
///
/// In this game, only the positions of these two colours in a tile matter. So chance has 30 outcomes, each of which
/// represents 24 of the 720 tiles.
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

    /// Appends the first tile of each kind, in the order of [`Tile::all`].
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
