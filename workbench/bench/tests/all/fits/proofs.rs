//! Values that a tree search has proven are equal to those of a full search.

use super::games::Subject;
use contender_game::rules::{Game, Rng, Turn};
use contender_search::best_first::{BestFirst, BestFirstConfig, ChildEvaluator, ChildValue};
use contender_search::mcts::{self, LeafEvaluator, Mcts, Uct};
use contender_search::{Heuristics, Search, SearchConfig, SearchLimits};

/// An evaluator that returns the guide's values, both as rewards and as values.
pub struct Values<E>(pub E);

impl<G: Game, E: Heuristics<G>> LeafEvaluator<G, G::Move> for Values<E> {
    fn finished(&mut self, state: &G) -> [f32; 2] {
        let value = self.0.finished(state) as f32;
        [value, -value]
    }

    fn highest(&self) -> f32 {
        f32::INFINITY
    }

    fn estimate(&mut self, state: &mut G, _: &mut Rng) -> [f32; 2] {
        let value = self.0.evaluate(state) as f32;
        [value, -value]
    }
}

impl<G: Game, E: Heuristics<G>> ChildEvaluator<G> for Values<E> {
    fn evaluate_children(&mut self, state: &G, moves: &[G::Move], values: &mut Vec<ChildValue>) {
        values.extend(moves.iter().map(|&mv| {
            let mut child = state.clone();
            child.play(mv);
            match child.turn() {
                Turn::Over => ChildValue::Exact(self.0.finished(&child) as f32),
                _ => ChildValue::Estimate(self.0.evaluate(&child) as f32),
            }
        }));
    }
}

/// Returns the value of a child of `state` if a full search can prove it.
pub fn solved<S: Subject>(state: &S::State, child: &S::State) -> Option<i32> {
    let Turn::Player(player) = child.turn() else { return ended::<S>(state, child) };
    let mut full =
        Search::<S::State, S::Heuristics, S::ChanceModel>::new(S::guide(state), SearchConfig::FULL);
    let found = full.search(child, &SearchLimits::nodes(200_000));
    Some(player.sign() * found.moves[0].value[0] as i32).filter(|_| found.is_proven())
}

/// Returns the value of a child in which no player must move. Two decisions are enough if the game is over or ends with
/// the next one; otherwise the result is `None`.
pub fn ended<S: Subject>(state: &S::State, child: &S::State) -> Option<i32> {
    let values = [2, 3].map(|depth| {
        Search::<S::State, S::Heuristics, S::ChanceModel>::new(S::guide(state), SearchConfig::PLAIN)
            .value(child, depth)
    });
    Some(values[0]).filter(|_| values[0] == values[1])
}

/// Every proven value is equal to that of a plain search to the end.
pub fn best_first<S: Subject>() {
    let mut rng = Rng::new(3);
    let mut proven = 0;
    for _ in 0..40 {
        let (state, _) = S::ending(&mut rng);
        let mut search = BestFirst::new(BestFirstConfig { capacity: 1 << 16, ..BestFirstConfig::default() });
        let found = search.search(&state, &mut Values(S::guide(&state)), &SearchLimits::nodes(3_000));
        let Turn::Player(player) = state.turn() else { continue };
        for of in found.moves.iter().filter(|of| of.is_proven) {
            let mut child = state.clone();
            child.play(of.mv);
            if let Some(value) = solved::<S>(&state, &child) {
                assert_eq!(of.value, [f64::from(player.sign() * value); 2], "{:?} in {state:?}", of.mv);
                proven += 1;
            }
        }
    }
    assert!(proven > 10, "{proven} moves are proven");
}

/// Every value that the solver proves is equal to that of a full search, up to rounding.
pub fn tree<S: Subject>() {
    let mut rng = Rng::new(4);
    let mut proven = 0;
    for _ in 0..60 {
        let (state, _) = S::ending(&mut rng);
        let Turn::Player(player) = state.turn() else { continue };
        let config = mcts::MctsConfig { capacity: 1 << 16, ..mcts::MctsConfig::default() };
        let mut search = Mcts::<S::State, S::ChanceModel, Uct>::new(config, Uct::new(1_000.0));
        let found =
            search.search(&state, &mut Values(S::guide(&state)), &SearchLimits::nodes(20_000), &mut rng);
        for of in found.moves.iter().filter(|of| of.is_proven) {
            let mut child = state.clone();
            child.play(of.mv);
            if let Some(value) = solved::<S>(&state, &child) {
                let own = f64::from(player.sign() * value);
                assert!((of.value[0] - own).abs() <= 1.0, "{of:?}, {own} in {state:?}");
                proven += 1;
            }
        }
    }
    assert!(proven > 10, "{proven} moves are proven");
}
