//! A search of three plies with known colours: the bot's placement, a tile, the opponent's placement, and then the
//! evaluation.
//!
//! Only the positions of the two colours in a tile matter, and each colour's evaluation depends only on its own
//! position. So after a pair of placements, six evaluations of each colour ([`Board::after`]) give the values for all
//! 30 kinds of tiles.
//!
//! The opponent can place every kind of tile in the same cells. So the loops are turned inside out: for each placement,
//! for each reply, for all kinds of tiles. The search keeps the least value over the replies for each kind, and the
//! value of a placement is their mean. These minima only fall, so their mean is always an upper bound of the value. A
//! placement is given up as soon as this bound is at most as good as the best placement's value, which takes only a few
//! replies if good replies come first.
//!
//! Source: the write-up's expectiminimax of depth 3 with prepared leaves; the cut-off is Star2's idea with all outcomes
//! probed at once.

use super::evaluation::{difference, Board, Weights};
use crate::cells::Cells;
use crate::shape::{kinds, tile_cells, Shape};
use crate::{OpenColours, Placement, State, COLOURS};
use contender_game::{
    contest::{Analysis, MoveAnalysis},
    rules::{Chance, Game, Player, Rng, Turn},
};
use contender_search::{Bounds, Mix, SearchBudget, SearchLimits, Stopped, INFINITY};
use std::cmp::Reverse;

/// Number of kinds of tiles for two colours.
const KINDS: usize = COLOURS * (COLOURS - 1);

/// The search of three plies.
pub struct ThreePlies {
    weights: Weights,
    /// Whether leaves share the work that does not depend on the tile. If not, each leaf is evaluated separately, with
    /// the same result.
    prepares: bool,
    /// Whether a placement is given up as soon as it cannot be the best one. If not, the values of all placements are
    /// exact.
    prunes: bool,
    /// The generator that puts equally good placements into a random order.
    rng: Rng,
    meter: SearchBudget,
    /// For each placement that this search evaluated as a reply, the latest mean value from player 0's point of view.
    means: Vec<Option<i64>>,
    replies: Vec<Placement>,
}

impl ThreePlies {
    /// Creates a search with these weights and this seed.
    pub fn new(weights: Weights, prepares: bool, prunes: bool, seed: u64) -> ThreePlies {
        ThreePlies {
            weights,
            prepares,
            prunes,
            rng: Rng::new(seed),
            meter: SearchBudget::new(&SearchLimits::NONE),
            means: Vec::new(),
            replies: Vec::new(),
        }
    }

    /// Computes the contents of `openings.txt`. This takes about a second.
    pub fn pairs(&self) -> u64 {
        self.meter.nodes()
    }

    /// Returns the values of the placements of the player to act, in descending order. A value is exact, unless the
    /// placement was given up: then it is an upper bound that is at most the best placement's value.
    ///
    /// Pairs of placements are the nodes of the limits. If the limits are reached before all placements are searched,
    /// the depth is 0, and the missing placements come last, with infinite bounds.
    ///
    /// # Panics
    /// Panics if there is no tile to place.
    pub fn search(&mut self, state: &OpenColours, limits: &SearchLimits) -> Analysis<Placement> {
        self.meter = SearchBudget::new(limits);
        self.means.clear();
        self.means.resize(Placement::COUNT, None);
        let player = state.0.mover();
        let mut best = None;
        let mut found: Vec<(Bounds, MoveAnalysis<Placement>)> = Vec::new();
        let mut is_stopped = false;
        for mv in self.ordered(state) {
            let mut child = state.0.clone();
            child.play(mv);
            let pairs = self.pairs();
            let known = if is_stopped {
                Err(Stopped)
            } else {
                self.value(&child, player, best.filter(|_| self.prunes))
            };
            is_stopped = known.is_err();
            let own = known.unwrap_or(Bounds::ANY).seen_by(player);
            if own.is_exact() {
                best = Some(best.map_or(own.low, |best: i32| best.max(own.low)));
            }
            let effort = self.pairs() - pairs;
            found.push((own, MoveAnalysis { mv, value: own.range(), is_proven: false, effort }));
        }
        // A placement that was given up comes after the placement that it was no better than.
        found.sort_by_key(|(own, _)| (*own == Bounds::ANY, Reverse(own.high)));
        Analysis {
            depth: if is_stopped { 0 } else { 2 },
            ..Analysis::of(found.into_iter().map(|(_, of)| of).collect())
        }
    }

    /// Returns the placements, ordered by the evaluation after each placement. Equally good placements are in random
    /// order.
    fn ordered(&mut self, state: &OpenColours) -> Vec<Placement> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        self.rng.shuffle(&mut moves);
        let worth = worth(&self.weights, &state.0);
        moves.sort_by_cached_key(|&placement| -worth(placement));
        moves
    }

    /// Returns the value after a placement of `player`. If the value is at most `limit` for this player, returns a
    /// bound that shows this.
    fn value(&mut self, state: &State, player: Player, limit: Option<i32>) -> Result<Bounds, Stopped> {
        if state.turn() != Turn::Chance {
            return Ok(Bounds::exact(difference(&self.weights, state)));
        }
        let shape = Shape::of(state);
        self.replies.clear();
        shape.placements(&mut self.replies);
        // First the replies that were good after other placements, then replies that were not evaluated yet.
        let (means, sign) = (&self.means, i64::from(state.mover().sign()));
        self.replies.sort_by_key(|placement| means[placement.index()].map_or(0, |mean| -sign * mean));
        let boards = state.colours().map(|colour| Board::new(&self.weights, state.cells_of(colour), &shape));
        let mix = Mix::new(KINDS as u64);
        let better = if player == Player::Zero { i32::min } else { i32::max };
        let mut best = [0; KINDS];
        let mut value = 0;
        for at in 0..self.replies.len() {
            self.meter.count()?;
            self.meter.hurry(KINDS);
            let values = self.values(state, self.replies[at], &shape, &boards);
            for (best, value) in best.iter_mut().zip(values) {
                *best = if at == 0 { value } else { better(*best, value) };
            }
            value = mix.value(best.iter().map(|&best| i64::from(best)).sum());
            let is_last = at + 1 == self.replies.len();
            if !is_last && limit.map_or(false, |limit| player.sign() * value <= limit) {
                return Ok(Bounds::new(-INFINITY, player.sign() * value).seen_by(player));
            }
        }
        Ok(Bounds::exact(value))
    }

    /// Returns the value after `reply` for each kind of tile, in the order of [`kinds`].
    fn values(
        &mut self,
        state: &State,
        reply: Placement,
        shape: &Shape,
        boards: &[Board; 2],
    ) -> [i32; KINDS] {
        let after = shape.with(reply);
        let mut values = [0; KINDS];
        if self.prepares {
            let [zero, one] = [0, 1].map(|player| boards[player].after(&self.weights, reply, shape, &after));
            for (value, (at_zero, at_one)) in values.iter_mut().zip(kinds()) {
                *value = zero[at_zero] - one[at_one];
            }
        } else {
            for (value, at) in values.iter_mut().zip(kinds()) {
                let [zero, one] = [(0, at.0), (1, at.1)].map(|(player, position)| {
                    let own = laid(state.cells_of(state.colours()[player]), reply, position);
                    Board::new(&self.weights, &own, &after).value()
                });
                *value = zero - one;
            }
        }
        // Each position of a colour occurs in five of the thirty kinds.
        let sum: i64 = values.iter().map(|&value| i64::from(value)).sum();
        self.means[reply.index()] = Some(sum / 5);
        values
    }

    /// Returns the placements with the evaluation after each, from the mover's view, in descending order of evaluation.
    /// The search does not look further ahead. Equally good placements have a random order.
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

/// Returns the cells of a colour after placing a tile that has the colour at `position`.
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

/// Searches two more plies. Returns the placements in descending order of value, and the number of evaluated pairs of
/// placements. A placement's value is the mean over tiles of the value after the opponent's best reply. The value after
/// a reply is the mean over tiles of the value of the bot's best placement. The opponent's reply is found by a
/// three-ply search. Returns no placements if the limits are reached before all placements are searched.
pub fn one_more_ply(
    search: &mut ThreePlies,
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
            let found = search.search(&grandchild, &left);
            pairs += search.pairs();
            if found.depth == 0 {
                return (None, pairs);
            }
            values.push(-found.moves[0].value[0]);
        }
        let value = if values.is_empty() {
            f64::from(state.0.mover().sign() * difference(&search.weights, &child.0))
        } else {
            values.iter().sum::<f64>() / values.len() as f64
        };
        judged.push((placement, value));
    }
    judged.sort_by(|a, b| b.1.total_cmp(&a.1));
    (Some(judged), pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_search::{expectimax, Heuristics};
    use std::time::Instant;

    fn three_plies(prepares: bool, prunes: bool) -> ThreePlies {
        ThreePlies::new(Weights::WRITE_UP.clone(), prepares, prunes, 1)
    }

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
            let mut search = three_plies(true, false);
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
                let mut search = three_plies(prepares, true);
                let found = search.search(&state, &SearchLimits::NONE);
                let values: Vec<_> = found.moves.iter().map(|of| (of.mv, of.value)).collect();
                (values, search.pairs())
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
            let mut search = three_plies(true, true);
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
            let judged = three_plies(true, true).one_ply(&state);
            assert!(judged.windows(2).all(|pair| pair[0].1 >= pair[1].1));
            for (placement, worth) in judged {
                let mut child = state.0.clone();
                child.play(placement);
                assert_eq!(worth, state.0.mover().sign() * difference(Weights::WRITE_UP, &child));
            }
        }
    }

    #[test]
    fn a_stopped_search_keeps_the_values_that_it_found() {
        let mut rng = Rng::new(6);
        for _ in 0..10 {
            let Some(state) = late_state(&mut rng, 12) else { continue };
            let state = OpenColours(state);
            let whole = three_plies(true, true).search(&state, &SearchLimits::NONE);
            let pairs = whole.moves.iter().map(|of| of.effort).sum();
            let check = |limits: SearchLimits, limit: u64| {
                let mut search = three_plies(true, true);
                let part = search.search(&state, &limits);
                assert_eq!((part.depth, search.pairs()), (if limit == pairs { 2 } else { 0 }, limit));
                assert_eq!(part.moves.len(), whole.moves.len());
                let known = part.moves.iter().take_while(|of| whole.moves.contains(of)).count();
                let unknown = [f64::NEG_INFINITY, f64::INFINITY];
                assert!(part.moves[known..].iter().all(|of| of.value == unknown));
                assert!(known < whole.moves.len() || limit == pairs);
            };
            (0..=pairs).for_each(|limit| check(SearchLimits::nodes(limit), limit));
            check(SearchLimits::until(Instant::now()), 0);
        }
    }

    #[test]
    fn the_pruned_search_finds_the_same_best_value() {
        let mut rng = Rng::new(2);
        let mut pairs = [0; 2];
        let mut compared = 0;
        while compared < 40 {
            let Some(state) = late_state(&mut rng, 40) else { continue };
            let state = OpenColours(state);
            let best = [false, true].map(|prunes| {
                let mut search = three_plies(true, prunes);
                let found = search.search(&state, &SearchLimits::NONE);
                pairs[usize::from(prunes)] += search.pairs();
                found.moves[0].value
            });
            assert_eq!(best[0], best[1]);
            compared += 1;
        }
        assert!(pairs[1] * 3 < pairs[0], "{pairs:?}");
        assert_eq!(kinds().count(), KINDS);
    }
}
