//! No search allocates in a node once its working space has grown.

mod toys;

use contender_game::Rng;
use contender_search::matrix::{Matrix, Solver};
use contender_search::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use toys::*;

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
        Config::PLAIN,
        Config { evaluate_from: 2, ..Config::FULL },
        Config {
            driver: Driver::MtdF,
            star2: 2,
            queries: 2,
            prob_cut: 1.0,
            table_bytes: 1 << 16,
            ..Config::FULL
        },
    ];
    for config in configs {
        let mut search = Search::<_, _, Fair>::new(Ranger { model: Some(model) }, config);
        let mut rng = Rng::new(1);
        let woods: Vec<Wood> = (0..30).map(|_| Wood::new(rng.next_u64(), shape)).collect();
        let mut run = || woods.iter().for_each(|wood| _ = search.value(wood, 5));
        run();
        let count = allocations(&mut run);
        // With a table the second run takes other paths, which may be a little longer; a node that allocates would show in 10^4s.
        assert!(count <= 4, "{count} allocations with {config:?}");
        assert!(search.stats().nodes > 0);
    }
}

#[test]
fn a_report_allocates_as_often_for_any_depth() {
    let shape = Shape { width: 100, branching: 5, chance: 0, layers: true, range: 1000, ends: 0 };
    let wood = Wood::new(3, shape);
    let mut search = Search::<_, _>::new(Ranger::default(), Config::FULL);
    search.search(&wood, &Allowance::depth(9));
    let count = allocations(|| drop(search.search(&wood, &Allowance::depth(8))));
    assert!(count < 12, "{count}");
}

#[test]
fn a_warm_solver_does_not_allocate() {
    let mut solver = Solver::new();
    let mut rng = Rng::new(1);
    let payoffs: Vec<f64> = (0..64).map(|_| rng.unit()).collect();
    solver.solve(Matrix::new(8, 8, &payoffs));
    solver.regret_matching(Matrix::new(8, 8, &payoffs), 10, 0.0);
    let count = allocations(|| {
        solver.solve(Matrix::new(8, 8, &payoffs));
        solver.regret_matching(Matrix::new(8, 8, &payoffs), 10, 0.0);
    });
    assert_eq!(count, 0);
}
