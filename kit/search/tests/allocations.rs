//! No search allocates in its iterations: however many there are, the number of allocations is the same.

mod toys;

use contender_game::{Game, Rng, Turn};
use contender_search::best_first::{BestFirst, BestFirstConfig, Expand, Worth};
use contender_search::mcts::{Config, Mcts, OpenLoop, RandomGames, Uct};
use contender_search::{Allowance, Fair, Sure};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use toys::{Pig, TicTacToe};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, which counts for each thread.
struct Counting;

// SAFETY: every call goes to the system's allocator unchanged; the counter does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(act: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    act();
    ALLOCATIONS.with(Cell::get) - before
}

/// Searches after a warm-up: few iterations and many.
fn few_and_many(mut search: impl FnMut(u64)) -> [u64; 2] {
    search(20_000);
    [500, 20_000].map(|iterations| allocations(|| search(iterations)))
}

#[test]
fn uct_does_not_allocate() {
    let config = Config { solver: false, capacity: 5_000, ..Config::default() };
    let mut mcts = Mcts::<TicTacToe, Sure, Uct>::new(config, Uct { rave: Some(50.0), ..Uct::new(1.0) });
    let mut games = RandomGames::<_, Sure>::default();
    let [few, many] = few_and_many(|iterations| {
        mcts.reset();
        mcts.search(&TicTacToe::default(), &mut games, &Allowance::nodes(iterations), &mut Rng::new(1));
    });
    // The line found may grow its vector once or twice more.
    assert!(many <= few + 4, "{few} allocations in few iterations, {many} in many");
}

#[test]
fn uct_with_chance_does_not_allocate() {
    let config = Config { solver: false, capacity: 5_000, ..Config::default() };
    let mut mcts = Mcts::<Pig, Fair, Uct>::new(config, Uct::new(1.0));
    let mut games = RandomGames::<_, Fair>::default();
    let [few, many] = few_and_many(|iterations| {
        mcts.reset();
        mcts.search(&Pig::default(), &mut games, &Allowance::nodes(iterations), &mut Rng::new(1));
    });
    assert!(many <= few + 4, "{few} allocations in few iterations, {many} in many");
}

#[test]
fn open_loop_does_not_allocate() {
    let mut search = OpenLoop::<Pig, Fair, Uct>::new(5_000, Uct::new(1.0));
    let mut games = RandomGames::<_, Fair>::default();
    let [few, many] = few_and_many(|iterations| {
        search.search(
            &Pig::default(),
            &mut games,
            &Allowance::nodes(iterations),
            &mut Rng::new(1),
            |_, _| {},
        );
    });
    assert!(many <= few + 4, "{few} allocations in few iterations, {many} in many");
}

struct Zero;

impl Expand<TicTacToe> for Zero {
    fn expand(&mut self, state: &TicTacToe, moves: &[u8], worths: &mut Vec<Worth>) {
        worths.extend(moves.iter().map(|&mv| {
            let mut child = state.clone();
            child.play(mv);
            if child.turn() == Turn::Over {
                Worth::Exact(child.value() as f32)
            } else {
                Worth::Guess(0.0)
            }
        }));
    }
}

#[test]
fn best_first_does_not_allocate() {
    let mut search = BestFirst::new(BestFirstConfig { capacity: 200_000, ..BestFirstConfig::default() });
    let [few, many] = few_and_many(|iterations| {
        search.search(&TicTacToe::default(), &mut Zero, &Allowance::nodes(iterations));
    });
    assert!(many <= few + 4, "{few} allocations in few iterations, {many} in many");
}
