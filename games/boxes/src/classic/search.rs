//! Three plies with known colours: my placement, a tile, the opponent's placement, evaluate.
//!
//! A tile matters only by where it has the two colours, and each colour's evaluation only by where the tile has that
//! colour. So after a pair of placements six evaluations of either colour, [`Board::after`], are the values of all 30
//! kinds of tiles.

use super::evaluation::{difference, Board, Weights};
use crate::shape::{kinds, Shape};
use crate::{OpenColours, Placement, State, COLOURS};
use contender_game::{Game, Rng};
use contender_search::layers::Layers;

/// The layers of Box for [`LayerSearch`](contender_search::layers::LayerSearch).
pub struct ThreePlies {
    weights: Weights,
    /// Puts equally good placements into a random order.
    rng: Rng,
    /// After the first placement: its shape, and the boards of both colours.
    after: Option<(Shape, [Board; 2])>,
    /// By placement: the mean value as a reply, from the view of player 0, when it was last evaluated in this search.
    means: Vec<Option<i64>>,
    placements: Vec<Placement>,
}

impl ThreePlies {
    /// The layers for searches by these weights with this seed.
    pub fn new(weights: Weights, seed: u64) -> ThreePlies {
        ThreePlies { weights, rng: Rng::new(seed), after: None, means: Vec::new(), placements: Vec::new() }
    }

    /// Forgets what replies were worth; to be called before a search.
    pub fn reset(&mut self) {
        self.means.clear();
        self.means.resize(Placement::COUNT, None);
    }

    /// The placements of a player who looks no further than its own: by the evaluation after them, from its view.
    /// Equally good ones in random order.
    pub fn one_ply(&mut self, state: &OpenColours) -> Vec<(Placement, i32)> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        self.rng.shuffle(&mut moves);
        let worth = worth(&self.weights, &state.0);
        let mut judged: Vec<_> = moves.into_iter().map(|placement| (placement, worth(placement))).collect();
        judged.sort_by_key(|&(_, worth)| -worth);
        judged
    }
}

/// What a placement of the tile is worth to who places it: the evaluation after it.
///
/// # Panics
/// If there is no tile to place.
fn worth<'a>(weights: &'a Weights, state: &State) -> impl Fn(Placement) -> i32 + 'a {
    let tile = state.tile().expect("there is a tile to place");
    let shape = Shape::of(state);
    let boards = state.colours().map(|colour| Board::new(weights, state.cells_of(colour), &shape));
    let positions = state.colours().map(|colour| tile.position(colour));
    let sign = state.mover().sign();
    move |placement| {
        let after = shape.with(placement);
        let [zero, one] =
            [0, 1].map(|player| boards[player].after(weights, placement, &shape, &after)[positions[player]]);
        sign * (zero - one)
    }
}

impl Layers<OpenColours> for ThreePlies {
    type Reply = Placement;

    /// The placements by the evaluation after them.
    fn order(&mut self, state: &OpenColours, moves: &mut [Placement]) {
        let OpenColours(state) = state;
        if state.tile().is_none() {
            return;
        }
        self.rng.shuffle(moves);
        let worth = worth(&self.weights, state);
        moves.sort_by_cached_key(|&placement| -worth(placement));
    }

    fn outcomes(&mut self, _: &OpenColours, weights: &mut Vec<u32>) {
        weights.resize(kinds().count(), 1);
    }

    /// The replies that were good after other placements first, then those that are new.
    fn replies(&mut self, OpenColours(state): &OpenColours, replies: &mut Vec<Placement>) {
        let shape = Shape::of(state);
        self.placements.clear();
        shape.placements(&mut self.placements);
        let sign = i64::from(state.mover().sign());
        let means = &self.means;
        let key = |placement: &Placement| means[placement.index()].map_or(0, |mean| -sign * mean);
        self.placements.sort_by_key(key);
        replies.extend_from_slice(&self.placements);
        let boards = state.colours().map(|colour| Board::new(&self.weights, state.cells_of(colour), &shape));
        self.after = Some((shape, boards));
    }

    fn values(&mut self, _: &OpenColours, reply: Placement, values: &mut [i32]) {
        let (shape, boards) = self.after.as_ref().expect("replies are asked for before their values");
        let after = shape.with(reply);
        let [zero, one] = [0, 1].map(|player| boards[player].after(&self.weights, reply, shape, &after));
        for (value, (at_zero, at_one)) in values.iter_mut().zip(kinds()) {
            *value = zero[at_zero] - one[at_one];
        }
        let sum = |values: [i32; COLOURS]| values.iter().map(|&value| i64::from(value)).sum::<i64>();
        self.means[reply.index()] = Some(sum(zero) - sum(one));
    }

    fn without_reply(&mut self, OpenColours(state): &OpenColours) -> i32 {
        debug_assert!(state.is_over() || state.tile().is_some());
        difference(&self.weights, state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::{Chance, Turn};
    use contender_search::layers::LayerSearch;
    use contender_search::{expectimax, Bounds, Guide, SearchLimits};

    struct Plain;

    impl Guide<State> for Plain {
        fn evaluate(&mut self, state: &State) -> i32 {
            difference(Weights::WRITE_UP, state)
        }

        fn finished(&mut self, state: &State) -> i32 {
            difference(Weights::WRITE_UP, state)
        }

        fn bounds(&self, _: &State, _: u32) -> Bounds {
            Bounds::VALUES
        }
    }

    /// A state late in a random game, where few placements are left, with a tile to place.
    fn late_state(rng: &mut Rng, most: usize) -> Option<State> {
        let mut state = State::random(rng);
        loop {
            state.resolve(state.random_outcome(rng, &mut Vec::new()));
            let mut moves = Vec::new();
            state.moves(&mut moves);
            if moves.len() <= most {
                return Some(state);
            }
            state.play(*rng.choose(&moves));
            if state.turn() == Turn::Over {
                return None;
            }
        }
    }

    #[test]
    fn thirty_kinds_give_the_mean_over_all_tiles() {
        let mut rng = Rng::new(1);
        let mut compared = 0;
        while compared < 60 {
            let Some(state) = late_state(&mut rng, 8) else { continue };
            let mut hooks = ThreePlies::new(Weights::WRITE_UP.clone(), 1);
            hooks.reset();
            let mut search = LayerSearch::new(hooks, false);
            let found = search.search(&OpenColours(state.clone()), &SearchLimits::NONE);
            for of in found.moves {
                let mut child = state.clone();
                child.play(of.mv);
                // All 720 tiles, each with its own placements, each evaluated from scratch.
                let own = f64::from(state.mover().sign() * expectimax(&child, 1, &mut Plain));
                assert_eq!(of.value, [own; 2], "{}", of.mv);
                compared += 1;
            }
        }
    }

    #[test]
    fn one_ply_is_the_evaluation_after_each_placement() {
        let mut rng = Rng::new(3);
        for _ in 0..5 {
            let Some(state) = late_state(&mut rng, 60) else { continue };
            let state = OpenColours(state);
            let judged = ThreePlies::new(Weights::WRITE_UP.clone(), 1).one_ply(&state);
            assert!(judged.windows(2).all(|pair| pair[0].1 >= pair[1].1));
            for (placement, worth) in judged {
                let mut child = state.0.clone();
                child.play(placement);
                assert_eq!(worth, state.0.mover().sign() * difference(Weights::WRITE_UP, &child));
            }
        }
    }

    #[test]
    fn the_pruned_search_finds_the_same_best_value() {
        let mut rng = Rng::new(2);
        let mut rows = [0; 2];
        let mut compared = 0;
        while compared < 40 {
            let Some(state) = late_state(&mut rng, 40) else { continue };
            let state = OpenColours(state);
            let best = [false, true].map(|prunes| {
                let mut hooks = ThreePlies::new(Weights::WRITE_UP.clone(), 1);
                hooks.reset();
                let mut search = LayerSearch::new(hooks, prunes);
                let found = search.search(&state, &SearchLimits::NONE);
                rows[usize::from(prunes)] += search.rows();
                found.moves[0].value
            });
            assert_eq!(best[0], best[1]);
            compared += 1;
        }
        assert!(rows[1] * 3 < rows[0], "{rows:?}");
        assert_eq!(kinds().count(), 30);
    }
}
