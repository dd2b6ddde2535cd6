//! Measures how far searches overrun their time limit. Each kind of search runs on positions from all stages of a game.

use super::{box_states, entropy_states, spaghetti_states, uttt_states};
use crate::guides::{BoxScore, SpaghettiScore, UtttBoards};
use contender_boxes as boxes;
use contender_entropy as entropy;
use contender_game::rules::{Game, Hidden, Player, Rng};
use contender_search::best_first::{BestFirst, BestFirstConfig, ChildEvaluator, ChildValue};
use contender_search::mcts::{self, Mcts, OpenLoop, RandomGames, Uct};
use contender_search::{ChanceModel, Heuristics, NoChance, Search, SearchConfig, SearchLimits, WithChance};
use std::time::{Duration, Instant};

/// The overruns of one kind of search.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The name of the search and the game.
    pub name: &'static str,
    /// For each move, the time beyond the limit; 0 if the search ended within the limit.
    pub overruns: Vec<Duration>,
}

/// Searches `moves` positions with every kind of search, for `limit` each. Calls `report` after each kind of search.
pub fn overruns(moves: u32, limit: Duration, mut report: impl FnMut(Timed)) {
    let entropy = entropy_states(50, Player::One);
    let boxes = box_states(50, usize::MAX);
    let uttt = uttt_states(50);
    let spaghetti = spaghetti_states(50);

    let timed = |name, overruns| Timed { name, overruns };
    let guide = entropy::ScoreGuide::of;
    report(timed("Search, Entropy", measure(moves, limit, &entropy, tree::<_, _, WithChance>(guide))));
    let guide = BoxScore::of;
    report(timed(
        "Search, Box with known colours",
        measure(moves, limit, &boxes, tree::<_, _, WithChance>(guide)),
    ));
    let search = tree::<_, _, NoChance>(|_| UtttBoards);
    report(timed("Search, Ultimate Tic-Tac-Toe", measure(moves, limit, &uttt, search)));
    let search = tree::<_, _, NoChance>(|_| SpaghettiScore);
    report(timed("Search, Spaghetti", measure(moves, limit, &spaghetti, search)));
    report(timed("Mcts, Entropy", measure(moves, limit, &entropy, random_games::<_, WithChance>())));
    report(timed(
        "Mcts, Box with known colours",
        measure(moves, limit, &boxes, random_games::<_, WithChance>()),
    ));
    report(timed("Mcts, Ultimate Tic-Tac-Toe", measure(moves, limit, &uttt, random_games::<_, NoChance>())));
    report(timed("Mcts, Spaghetti", measure(moves, limit, &spaghetti, random_games::<_, NoChance>())));
    let hidden: Vec<boxes::State> = boxes.into_iter().map(|boxes::OpenColours(state)| state).collect();
    report(timed("OpenLoop, Box as it is", measure(moves, limit, &hidden, information_sets())));
    report(timed("BestFirst, Ultimate Tic-Tac-Toe", measure(moves, limit, &uttt, best_first(UtttBoards))));
    report(timed("BestFirst, Spaghetti", measure(moves, limit, &spaghetti, best_first(SpaghettiScore))));
}

fn measure<G>(
    moves: u32,
    limit: Duration,
    states: &[G],
    mut search: impl FnMut(&G, &SearchLimits),
) -> Vec<Duration> {
    let states = states.iter().cycle().take(moves as usize);
    states
        .map(|state| {
            let start = Instant::now();
            search(state, &SearchLimits::until(start + limit));
            start.elapsed().saturating_sub(limit)
        })
        .collect()
}

fn tree<G: Game, E: Heuristics<G>, L: ChanceModel<G>>(
    guide: impl Fn(&G) -> E,
) -> impl FnMut(&G, &SearchLimits) {
    let mut search: Option<Search<G, E, L>> = None;
    move |state, limits| {
        // The table is kept from move to move, as in a bot. The guide's caps follow the position.
        let search = search.get_or_insert_with(|| Search::new(guide(state), SearchConfig::FULL));
        search.search(state, limits);
    }
}

fn random_games<G: Game, L: ChanceModel<G>>() -> impl FnMut(&G, &SearchLimits) {
    let mut search = Mcts::<G, L, Uct>::new(mcts::MctsConfig::default(), Uct::new(1.0));
    let mut evaluator = RandomGames::<G, L>::default();
    let mut rng = Rng::new(1);
    move |state, limits| {
        search.reset();
        search.search(state, &mut evaluator, limits, &mut rng);
    }
}

fn information_sets() -> impl FnMut(&boxes::State, &SearchLimits) {
    let mut search = OpenLoop::<boxes::State, WithChance, Uct>::new(1 << 18, Uct::new(1.0));
    let mut evaluator = RandomGames::<boxes::State, WithChance>::default();
    let mut rng = Rng::new(1);
    move |state, limits| {
        let viewer = state.mover();
        let deal = |state: &mut boxes::State, rng: &mut Rng| state.resample(viewer, rng);
        search.search(state, &mut evaluator, limits, &mut rng, deal);
    }
}

fn best_first<G: Game, E: Heuristics<G>>(evaluate: E) -> impl FnMut(&G, &SearchLimits) {
    let mut search = BestFirst::new(BestFirstConfig { capacity: 1 << 22, ..BestFirstConfig::default() });
    let mut children = Children(evaluate);
    move |state, limits| {
        search.search(state, &mut children, limits);
    }
}

/// An evaluator that evaluates every child separately.
struct Children<E>(E);

impl<G: Game, E: Heuristics<G>> ChildEvaluator<G> for Children<E> {
    fn evaluate_children(&mut self, state: &G, moves: &[G::Move], values: &mut Vec<ChildValue>) {
        values.extend(moves.iter().map(|&mv| {
            let mut child = state.clone();
            child.play(mv);
            match child.turn() {
                contender_game::rules::Turn::Over => ChildValue::Exact(self.0.finished(&child) as f32),
                _ => ChildValue::Estimate(self.0.evaluate(&child) as f32),
            }
        }));
    }
}
