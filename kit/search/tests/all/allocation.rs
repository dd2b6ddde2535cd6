//! No search allocates in a node once its working space has grown.

use crate::toys::*;
use contender_game::rules::{Game, Rng, Turn};
use contender_search::best_first::{BestFirst, BestFirstConfig, ChildEvaluator, ChildValue};
use contender_search::matrix::{Matrix, Solver};
use contender_search::mcts::{Mcts, OpenLoop, RandomGames, Uct};
use contender_search::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the allocations of the thread that asks.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn counting_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
}

#[test]
fn a_warm_search_does_not_allocate() {
    let shape = Shape { width: 100, branching: 5, chance: 3, layers: true, range: 1000, ends: 1 };
    let model = ProbCut { depth: 1, slope: 1.0, offset: 0.0, sigma: 400.0 };
    let configs = [
        SearchConfig::PLAIN,
        SearchConfig { evaluate_from: 2, ..SearchConfig::FULL },
        SearchConfig {
            driver: Driver::MtdF,
            star2: 2,
            queries: 2,
            prob_cut: 1.0,
            table_bytes: 1 << 16,
            ..SearchConfig::FULL
        },
    ];
    for config in configs {
        let mut search = Search::<_, _, WithChance>::new(Ranger { model: Some(model) }, config);
        let mut rng = Rng::new(1);
        let woods: Vec<Wood> = (0..30).map(|_| Wood::new(rng.next_u64(), shape)).collect();
        let mut run = || woods.iter().for_each(|wood| _ = search.value(wood, 5));
        run();
        let count = allocations(&mut run);
        // With a table the second run takes other paths, which may be a little longer; a node that allocates would show
        // in 10^4s.
        assert!(count <= 4, "{count} allocations with {config:?}");
        assert!(search.stats().nodes > 0);
    }
}

#[test]
fn a_report_allocates_as_often_for_any_depth() {
    let shape = Shape { width: 100, branching: 5, chance: 0, layers: true, range: 1000, ends: 0 };
    let wood = Wood::new(3, shape);
    let mut search = Search::<_, _>::new(Ranger::default(), SearchConfig::FULL);
    search.search(&wood, &SearchLimits::depth(9));
    let count = allocations(|| drop(search.search(&wood, &SearchLimits::depth(8))));
    assert!(count < 12, "{count}");
}

#[test]
fn a_warm_solver_does_not_allocate() {
    let mut solver = Solver::new();
    let mut rng = Rng::new(1);
    let payoffs: Vec<f64> = (0..64).map(|_| rng.unit()).collect();
    solver.solve(Matrix::new(8, 8, &payoffs));
    let count = allocations(|| _ = solver.solve(Matrix::new(8, 8, &payoffs)));
    assert_eq!(count, 0);
}

/// Searches after a warm-up: few iterations and many.
fn few_and_many(mut search: impl FnMut(u64)) -> [u64; 2] {
    search(20_000);
    [500, 20_000].map(|iterations| allocations(|| search(iterations)))
}

#[test]
fn uct_does_not_allocate() {
    let config = mcts::MctsConfig { solver: false, capacity: 5_000, ..mcts::MctsConfig::default() };
    let mut search = Mcts::<TicTacToe, NoChance, Uct>::new(config, Uct::new(1.0));
    let mut games = RandomGames::<_, NoChance>::default();
    let [few, many] = few_and_many(|iterations| {
        search.reset();
        search.search(&TicTacToe::default(), &mut games, &SearchLimits::nodes(iterations), &mut Rng::new(1));
    });
    // The line found may grow its vector once or twice more.
    assert!(many <= few + 4, "{few} allocations in few iterations, {many} in many");
}

#[test]
fn uct_with_chance_does_not_allocate() {
    let config = mcts::MctsConfig { solver: false, capacity: 5_000, ..mcts::MctsConfig::default() };
    let mut search = Mcts::<Pig, WithChance, Uct>::new(config, Uct::new(1.0));
    let mut games = RandomGames::<_, WithChance>::default();
    let [few, many] = few_and_many(|iterations| {
        search.reset();
        search.search(&Pig::default(), &mut games, &SearchLimits::nodes(iterations), &mut Rng::new(1));
    });
    assert!(many <= few + 4, "{few} allocations in few iterations, {many} in many");
}

#[test]
fn open_loop_does_not_allocate() {
    let mut search = OpenLoop::<Pig, WithChance, Uct>::new(5_000, Uct::new(1.0));
    let mut games = RandomGames::<_, WithChance>::default();
    let [few, many] = few_and_many(|iterations| {
        search.search(
            &Pig::default(),
            &mut games,
            &SearchLimits::nodes(iterations),
            &mut Rng::new(1),
            |_, _| {},
        );
    });
    assert!(many <= few + 4, "{few} allocations in few iterations, {many} in many");
}

struct Zero;

impl ChildEvaluator<TicTacToe> for Zero {
    fn evaluate_children(&mut self, state: &TicTacToe, moves: &[u8], values: &mut Vec<ChildValue>) {
        values.extend(moves.iter().map(|&mv| {
            let mut child = state.clone();
            child.play(mv);
            if child.turn() == Turn::Over {
                ChildValue::Exact(child.value() as f32)
            } else {
                ChildValue::Estimate(0.0)
            }
        }));
    }
}

#[test]
fn best_first_does_not_allocate() {
    let mut search = BestFirst::new(BestFirstConfig { capacity: 200_000, ..BestFirstConfig::default() });
    let [few, many] = few_and_many(|iterations| {
        search.search(&TicTacToe::default(), &mut Zero, &SearchLimits::nodes(iterations));
    });
    assert!(many <= few + 4, "{few} allocations in few iterations, {many} in many");
}
