//! Games of the batch: legal by the plain rules, spread as random games are, the same with all kinds of vectors.

use super::*;
use contender_game::{Game, Rng, Turn};
use contender_uttt::{Move, State, rollout};

struct Record(Vec<Vec<Move>>);

impl Watch for Record {
    const LISTENS: bool = true;
    fn moved(&mut self, game: usize, board: u16, cell: u16) {
        self.0[game].push(Move::new(board.trailing_zeros() as usize, cell.trailing_zeros() as usize));
    }
}

/// Plays one random game from each state and returns their values in the order of the states: 1 if player 0 has won, -1 if player 1
/// has, 0 for a draw. Deterministic by the seed.
fn play_out_each(starts: &[State], seed: u64) -> Vec<i32> {
    let mut values = vec![0; starts.len()];
    run(starts.len(), |at| &starts[at], |at, value, _| values[at] = value, &mut (), seed);
    values
}

/// The games of [`play_out_each`] move by move.
fn recorded(starts: &[State], seed: u64) -> Vec<Vec<Move>> {
    let mut record = Record(vec![Vec::new(); starts.len()]);
    run(starts.len(), |at| &starts[at], |_, _, _| {}, &mut record, seed);
    record.0
}

/// [`play_out`] with the plain vectors.
fn play_out_plain(start: &State, games: usize, seed: u64) -> Totals {
    let mut totals = Totals::default();
    let done = |_, value, moves| totals.add(value, moves);
    step_through::<lanes::Plain, _>(games, |_| start, done, &mut (), seed);
    totals
}

/// States of all stages, some of them over.
fn states(count: usize) -> Vec<State> {
    let mut rng = Rng::new(7);
    let make = |_| {
        let mut state = State::default();
        for _ in 0..rng.below(70) {
            if state.turn() != Turn::Over {
                state.play(state.random_move(&mut rng, &mut Vec::new()));
            }
        }
        state
    };
    (0..count).map(make).collect()
}

#[test]
fn every_game_is_legal_to_its_end() {
    let starts = states(3_000);
    let games = recorded(&starts, 1);
    let values = play_out_each(&starts, 1);
    for ((start, moves), value) in starts.iter().zip(games).zip(values) {
        let mut state = *start;
        for mv in moves {
            assert!(state.is_legal(mv), "{mv:?} in {state:?}");
            state.play(mv);
        }
        assert_eq!(state.turn(), Turn::Over);
        assert_eq!(state.value(), value);
    }
}

#[test]
fn both_kinds_of_vectors_play_the_same_games() {
    for (seed, start) in states(40).iter().enumerate() {
        let seed = seed as u64;
        assert_eq!(play_out(start, 100, seed), play_out_plain(start, 100, seed));
    }
    assert_eq!(play_out(&State::default(), 0, 1), Totals::default());
}

/// Figures of an independent program: X 49.1 %, O 43.6 %, draws 7.3 %, 58.9 moves, from 200,000 games.
#[test]
fn random_games_are_spread_as_known() {
    let games = 200_000;
    let totals = play_out(&State::default(), games, 3);
    assert_eq!(totals.wins[0] + totals.wins[1] + totals.draws, games as u64);
    let mut single = Totals::default();
    let mut rng = Rng::new(4);
    for _ in 0..games {
        let mut state = State::default();
        match rollout(&mut state, &mut rng) {
            0 => single.draws += 1,
            value => single.wins[usize::from(value < 0)] += 1,
        }
        single.moves += u64::from(state.plies());
    }
    for totals in [totals, single] {
        let share = |count: u64| count as f64 / games as f64;
        let near = |count, expected: f64, within| {
            assert!((share(count) - expected).abs() < within, "{expected}: {totals:?}");
        };
        near(totals.wins[0], 0.491, 0.004);
        near(totals.wins[1], 0.436, 0.004);
        near(totals.draws, 0.073, 0.003);
        near(totals.moves, 58.9, 0.1);
    }
}

/// Pearson's test of the first move, 81 cells, and of the second, 9 or 8.
#[test]
fn moves_are_uniform() {
    let starts = vec![State::default(); 81_000];
    let games = recorded(&starts, 5);
    let mut counts = [0u32; 81];
    for moves in &games {
        counts[moves[0].index()] += 1;
    }
    let chi: f64 = counts.iter().map(|&count| (f64::from(count) - 1_000.0).powi(2) / 1_000.0).sum();
    // 80 degrees of freedom: mean 80, standard deviation 12.6.
    assert!((35.0..145.0).contains(&chi), "{chi}");
}
