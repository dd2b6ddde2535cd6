//! The searches that sample chance and hidden state again in every iteration.

use super::games::{Subject, box_state};
use super::proofs::Values;
use contender_boxes as boxes;
use contender_game::{
    contest::Analysis,
    rules::{Game, Hidden, Rng},
};
use contender_search::mcts::{OpenLoop, Uct};
use contender_search::{Points, SearchLimits, WithChance};

/// Every iteration plays a legal move, and a search with the same seed gives the same result.
pub fn open_loop<S: Subject>() {
    let mut rng = Rng::new(5);
    for round in 0..10 {
        let (state, _) = S::position(&mut rng);
        let found = [round, round].map(|seed| {
            let mut search = OpenLoop::<S::State, S::ChanceModel, Uct>::new(1 << 12, Uct::new(1_000.0));
            let mut evaluator = Values(S::guide(&state));
            search.search(&state, &mut evaluator, &SearchLimits::nodes(500), &mut Rng::new(seed), |_, _| {})
        });
        sums_up(&state, &found[0]);
        assert_eq!(found[0].moves, found[1].moves);
    }
}

pub fn sums_up<G: Game>(state: &G, found: &Analysis<G::Move>) {
    let mut legal = Vec::new();
    state.moves(&mut legal);
    assert!(found.moves.iter().all(|of| legal.contains(&of.mv)));
    assert_eq!(found.moves.iter().map(|of| of.effort).sum::<u64>(), found.count("iterations"));
}

/// Box as its players see it: every iteration draws a new colour for the opponent, so the true colour must not matter.
pub fn information_sets() {
    let mut rng = Rng::new(6);
    for round in 0..10 {
        let state = box_state(&mut rng, 40);
        let viewer = state.mover();
        let mut disguised = state.clone();
        disguised.resample(viewer, &mut rng);
        let found = [&state, &disguised].map(|state| {
            let mut search = OpenLoop::<boxes::State, WithChance, Uct>::new(1 << 12, Uct::new(10.0));
            let deal = |state: &mut boxes::State, rng: &mut Rng| state.resample(viewer, rng);
            let mut evaluator = Values(Points);
            search.search(state, &mut evaluator, &SearchLimits::nodes(500), &mut Rng::new(round), deal)
        });
        sums_up(&state, &found[0]);
        assert_eq!(found[0].moves, found[1].moves, "the search knows the colour in {state:?}");
    }
}
