//! Budgets and deadlines.

use crate::toys::*;
use contender_game::{
    contest::Analysis,
    rules::{Game, Rng},
};
use contender_search::*;
use std::time::{Duration, Instant};

const SHAPE: Shape = Shape { width: 200, branching: 5, chance: 3, layers: true, range: 1000, ends: 0 };

fn full() -> Search<Wood, Ranger, WithChance> {
    Search::new(Ranger::default(), SearchConfig { table_bytes: 1 << 16, queries: 3, ..SearchConfig::FULL })
}

/// A wood where a player with several moves is to act.
fn wood(rng: &mut Rng) -> Wood {
    loop {
        let wood = Wood::new(rng.next_u64(), SHAPE);
        let mut moves = Vec::new();
        wood.moves(&mut moves);
        if moves.len() > 2 {
            return wood;
        }
    }
}

#[test]
fn a_node_budget_is_met_exactly_and_makes_a_search_reproducible() {
    let mut rng = Rng::new(1);
    for round in 0..300 {
        let wood = wood(&mut rng);
        let budget = u64::from(rng.below(5_000));
        let found = full().search(&wood, &SearchLimits::nodes(budget));
        let nodes = found.count("nodes");
        assert!(found.is_proven() || nodes == budget, "round {round}: {nodes} of {budget}");
        assert!(!found.moves.is_empty(), "there is a move with {budget} nodes");
        let again = full().search(&wood, &SearchLimits::nodes(budget));
        assert_eq!(Analysis { elapsed: again.elapsed, ..found }, again);
    }
}

#[test]
fn a_node_budget_is_met_exactly_beside_a_deadline() {
    let mut rng = Rng::new(5);
    let hard = Some(Instant::now() + Duration::from_secs(3600));
    for budget in 900..1_030 {
        let found = full().search(&wood(&mut rng), &SearchLimits { hard, ..SearchLimits::nodes(budget) });
        let nodes = found.count("nodes");
        assert!(found.is_proven() || nodes == budget, "{nodes} of {budget}");
    }
}

#[test]
fn a_search_goes_on_where_another_stopped() {
    let mut rng = Rng::new(2);
    for _ in 0..100 {
        let wood = wood(&mut rng);
        let same = SearchConfig { table_depth: TableDepth::Same, table_bytes: 1 << 16, ..SearchConfig::FULL };
        let mut search = Search::<_, _, WithChance>::new(Ranger::default(), same);
        search.search(&wood, &SearchLimits::nodes(u64::from(rng.below(500))));
        assert_eq!(search.value(&wood, 4), expectimax(&wood, 4, &mut Ranger::default()));
    }
}

#[test]
fn more_nodes_search_deeper() {
    let wood = wood(&mut Rng::new(3));
    let depths = [100, 1_000, 10_000].map(|nodes| full().search(&wood, &SearchLimits::nodes(nodes)).depth);
    assert!(depths[0] < depths[2] && depths[0] <= depths[1], "{depths:?}");
}

#[test]
fn a_deadline_ends_an_endless_search() {
    let wood = wood(&mut Rng::new(4));
    let past = Instant::now();
    let found = full().search(&wood, &SearchLimits::until(past));
    assert_eq!((found.depth, found.count("nodes")), (0, 0));
    let soon = Instant::now() + Duration::from_millis(20);
    let slow = SearchConfig { table_bytes: 0, ..SearchConfig::FULL };
    let found =
        Search::<_, _, WithChance>::new(Ranger::default(), slow).search(&wood, &SearchLimits::until(soon));
    assert!(found.depth > 0 && found.count("nodes") > 0 && Instant::now() >= soon);
    let soft = SearchLimits { soft: Some(past), ..SearchLimits::NONE };
    assert_eq!(full().search(&wood, &soft).depth, 1, "the first iteration always runs");
}

#[test]
fn work_that_cannot_be_stopped_must_fit_before_the_hard_end() {
    let [second, hour, day] = [1, 3_600, 86_400].map(Duration::from_secs);
    let meter = |hard| SearchBudget::new(&SearchLimits { hard, ..SearchLimits::NONE });
    let now = Instant::now();
    assert!(meter(Some(now + day)).has_time_for(hour));
    assert!(!meter(Some(now + second)).has_time_for(hour));
    assert!(!meter(Some(now)).has_time_for(Duration::from_nanos(1)));
    assert!(meter(None).has_time_for(day));
    let soft =
        SearchBudget::new(&SearchLimits { soft: Some(now), hard: Some(now + day), ..SearchLimits::NONE });
    assert!(soft.has_time_for(hour), "only the hard end counts");
}
