//! A bot with a single rule: it makes the placement that scores the most points.

use crate::{Placement, State};
use contender_game::{
    contest::{Analysis, Bot, Clock, MoveAnalysis},
    rules::{Game, Player, Rng},
};
use std::cmp::Reverse;

/// A bot that places every tile so that the score of its own colour grows most, or shrinks least. The bot ignores the
/// opponent's colour and does not look ahead. Ties are broken at random, so the bot is deterministic if its seed is
/// given.
#[derive(Clone, Debug)]
pub struct GreedyBot {
    rng: Rng,
    moves: Vec<Placement>,
}

impl GreedyBot {
    /// Creates the bot with this seed.
    #[must_use]
    pub fn new(seed: u64) -> GreedyBot {
        GreedyBot { rng: Rng::new(seed), moves: Vec::with_capacity(Placement::COUNT) }
    }
}

impl Bot<State, Placement> for GreedyBot {
    /// # Panics
    /// Panics if there is no tile to place.
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Placement {
        let change = change_of(state, player);
        self.moves.clear();
        state.moves(&mut self.moves);
        // The best placements so far are moved to the front.
        let (mut best, mut ties) = (i32::MIN, 0);
        for at in 0..self.moves.len() {
            let change = change(self.moves[at]);
            if change > best {
                (best, ties) = (change, 0);
            }
            if change == best {
                self.moves.swap(ties, at);
                ties += 1;
            }
        }
        *self.rng.choose(&self.moves[..ties])
    }

    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Placement> {
        let chosen = self.choose(state, player, clock);
        let change = change_of(state, player);
        let mut moves: Vec<(i32, Placement)> = self.moves.iter().map(|&mv| (change(mv), mv)).collect();
        moves.sort_by_key(|&(change, mv)| (Reverse(change), mv != chosen));
        let of =
            |(change, mv)| MoveAnalysis { mv, value: [f64::from(change); 2], is_proven: false, effort: 1 };
        Analysis {
            depth: 1,
            counts: vec![("placements", moves.len() as u64)],
            moves: moves.into_iter().map(of).collect(),
            unit: "change of the own score",
            elapsed: clock.turn_elapsed(),
            ..Analysis::of_move(chosen)
        }
    }
}

/// Returns a function that computes by how much a placement of the drawn tile changes the score of this player's
/// colour.
fn change_of(state: &State, player: Player) -> impl Fn(Placement) -> i32 + '_ {
    let tile = state.tile().expect("a bot is asked to place a tile");
    let colour = state.colours()[player];
    move |placement| state.score_change(colour, placement, tile)
}
