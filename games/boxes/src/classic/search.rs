//! Three plies with known colours: the bot's placement, a tile, the opponent's placement, and then the evaluation.
//!
//! Only the positions of the two colours in a tile matter, and each colour's evaluation depends only on its own
//! position. So after a pair of placements, six evaluations of each colour ([`Board::after`]) give the values for all
//! 30 kinds of tiles.

use super::evaluation::{difference, Board, Weights};
use crate::cells::Cells;
use crate::shape::{kinds, tile_cells, Shape};
use crate::{OpenColours, Placement, State, COLOURS};
use contender_game::rules::{Chance, Game, Rng};
use contender_search::layers::{LayerSearch, Layers};
use contender_search::SearchLimits;

/// The implementation of Box for [`LayerSearch`](contender_search::layers::LayerSearch).
pub struct ThreePlies {
    weights: Weights,
    /// Whether leaves share the work that does not depend on the tile. Otherwise each leaf is evaluated separately,
    /// with the same result.
    prepares: bool,
    /// The generator that puts equally good placements into a random order.
    rng: Rng,
    /// The state after the first placement: its shape, and the boards of both colours.
    after: Option<(Shape, [Board; 2])>,
    /// For each placement that was evaluated as a reply in this search, its latest mean value from player 0's point of
    /// view.
    means: Vec<Option<i64>>,
    placements: Vec<Placement>,
}

impl ThreePlies {
    /// Creates the layers for searches with these weights and this seed.
    pub fn new(weights: Weights, prepares: bool, seed: u64) -> ThreePlies {
        ThreePlies {
            weights,
            prepares,
            rng: Rng::new(seed),
            after: None,
            means: Vec::new(),
            placements: Vec::new(),
        }
    }

    /// Discards the values of replies. Must be called before every search.
    pub fn reset(&mut self) {
        self.means.clear();
        self.means.resize(Placement::COUNT, None);
    }

    /// Returns the placements with the evaluation after each, from the mover's view, the best first. The search does
    /// not look further ahead. Equally good placements have a random order.
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

/// Returns a function that computes the value of a placement for the player who places the tile: the evaluation after
/// the placement.
///
/// # Panics
/// Panics if there is no tile to place.
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

/// Returns the cells of a colour after a tile that has the colour at `position` is placed.
fn laid(own: &Cells, placement: Placement, position: usize) -> Cells {
    let mut own = *own;
    let tile = tile_cells(placement);
    for cell in tile.into_iter().flatten() {
        own[cell / 16] &= !(1 << (cell % 16));
    }
    for cell in tile[position] {
        own[cell / 16] |= 1 << (cell % 16);
    }
    own
}

/// Searches two more plies. Returns the placements, the best first, and the number of evaluated pairs of placements. A
/// placement's value is the mean over tiles of the value after the opponent's best reply. The value after a reply is
/// the mean over tiles of the value of the bot's best placement. The opponent's reply is found by a three-ply search.
/// Returns no placements if the limits are reached before all placements are searched.
pub fn one_more_ply(
    search: &mut LayerSearch<OpenColours, ThreePlies>,
    state: &OpenColours,
    limits: &SearchLimits,
) -> (Option<Vec<(Placement, f64)>>, u64) {
    let (mut pairs, mut judged) = (0, Vec::new());
    let mut moves = Vec::new();
    state.moves(&mut moves);
    for &placement in &moves {
        let mut child = state.clone();
        child.play(placement);
        let mut outcomes = Vec::new();
        child.outcomes(&mut outcomes);
        let mut values = Vec::new();
        for (tile, _) in &outcomes {
            let mut grandchild = child.clone();
            grandchild.resolve(*tile);
            let left =
                SearchLimits { nodes: limits.nodes.map(|nodes| nodes.saturating_sub(pairs)), ..*limits };
            search.hooks().reset();
            let found = search.search(&grandchild, &left);
            pairs += search.rows();
            if found.depth == 0 {
                return (None, pairs);
            }
            values.push(-found.moves[0].value[0]);
        }
        let value = if values.is_empty() {
            f64::from(state.0.mover().sign() * search.hooks().without_reply(&child))
        } else {
            values.iter().sum::<f64>() / values.len() as f64
        };
        judged.push((placement, value));
    }
    judged.sort_by(|a, b| b.1.total_cmp(&a.1));
    (Some(judged), pairs)
}

impl Layers<OpenColours> for ThreePlies {
    type Reply = Placement;

    /// Orders the placements by the evaluation after each placement.
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

    /// Appends the replies: first the replies that were good after other placements, then replies that were not
    /// evaluated yet.
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

    fn values(&mut self, OpenColours(state): &OpenColours, reply: Placement, values: &mut [i32]) {
        let (shape, boards) = self.after.as_ref().expect("replies are asked for before their values");
        let after = shape.with(reply);
        if !self.prepares {
            let mut sum = 0;
            for (value, at) in values.iter_mut().zip(kinds()) {
                let [zero, one] = [(0, at.0), (1, at.1)].map(|(player, position)| {
                    let own = laid(state.cells_of(state.colours()[player]), reply, position);
                    Board::new(&self.weights, &own, &after).value()
                });
                *value = zero - one;
                sum += i64::from(*value);
            }
            // Each position of a colour occurs in five of the thirty kinds.
            self.means[reply.index()] = Some(sum / 5);
            return;
        }
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
    use contender_game::rules::Turn;
    use contender_search::{expectimax, Bounds, Heuristics};

    struct Plain;

    impl Heuristics<OpenColours> for Plain {
        fn evaluate(&mut self, state: &OpenColours) -> i32 {
            difference(Weights::WRITE_UP, &state.0)
        }

        fn finished(&mut self, state: &OpenColours) -> i32 {
            difference(Weights::WRITE_UP, &state.0)
        }

        fn bounds(&self, _: &OpenColours, _: u32) -> Bounds {
            Bounds::VALUES
        }
    }

    impl Heuristics<State> for Plain {
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

    /// Returns a state late in a random game with a tile to place and at most `most` placements.
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
            let mut hooks = ThreePlies::new(Weights::WRITE_UP.clone(), true, 1);
            hooks.reset();
            let mut search = LayerSearch::new(hooks, false);
            let found = search.search(&OpenColours(state.clone()), &SearchLimits::NONE);
            for of in found.moves {
                let mut child = state.clone();
                child.play(of.mv);
                // Searches all 720 tiles, each with its own placements, and evaluates every leaf from scratch.
                let own = f64::from(state.mover().sign() * expectimax(&child, 1, &mut Plain));
                assert_eq!(of.value, [own; 2], "{}", of.mv);
                compared += 1;
            }
        }
    }

    #[test]
    fn leaves_evaluated_one_by_one_have_the_same_values() {
        let mut rng = Rng::new(4);
        for _ in 0..5 {
            let Some(state) = late_state(&mut rng, 40) else { continue };
            let state = OpenColours(state);
            let [plain, prepared] = [false, true].map(|prepares| {
                let mut hooks = ThreePlies::new(Weights::WRITE_UP.clone(), prepares, 1);
                hooks.reset();
                let mut search = LayerSearch::new(hooks, true);
                let found = search.search(&state, &SearchLimits::NONE);
                let values: Vec<_> = found.moves.iter().map(|of| (of.mv, of.value)).collect();
                (values, search.rows())
            });
            assert_eq!(plain, prepared);
        }
    }

    #[test]
    fn one_more_ply_is_that_of_plain_expectimax() {
        let mut rng = Rng::new(5);
        let mut compared = 0;
        while compared < 12 {
            let Some(state) = late_state(&mut rng, 5) else { continue };
            let state = OpenColours(state);
            let mut search = LayerSearch::new(ThreePlies::new(Weights::WRITE_UP.clone(), true, 1), true);
            let (found, pairs) = one_more_ply(&mut search, &state, &SearchLimits::NONE);
            let found = found.expect("there are no limits");
            assert!(found.windows(2).all(|pair| pair[0].1 >= pair[1].1));
            for (placement, value) in found {
                let mut child = state.clone();
                child.play(placement);
                let plain = f64::from(state.0.mover().sign() * expectimax(&child, 2, &mut Plain));
                // The search rounds means of integers.
                assert!((plain - value).abs() <= 1.0, "{placement}: {plain} is not {value}");
                compared += 1;
            }
            if pairs > 1 {
                let limits = SearchLimits { nodes: Some(pairs - 1), ..SearchLimits::NONE };
                assert!(one_more_ply(&mut search, &state, &limits).0.is_none());
            }
        }
    }

    #[test]
    fn one_ply_is_the_evaluation_after_each_placement() {
        let mut rng = Rng::new(3);
        for _ in 0..5 {
            let Some(state) = late_state(&mut rng, 60) else { continue };
            let state = OpenColours(state);
            let judged = ThreePlies::new(Weights::WRITE_UP.clone(), true, 1).one_ply(&state);
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
                let mut hooks = ThreePlies::new(Weights::WRITE_UP.clone(), true, 1);
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
