//! Tests of the write-up's options: each changes the behaviour of the bot.

use contender_game::{
    contest::{Bot, Clock, Limits},
    rules::{Game, Player, Rng, Turn},
};
use contender_search::mcts::FinalMove;
use contender_uttt::{Centre, ClassicBot, ClassicSettings, Move, State};

/// Returns states of random games in which a player must act.
fn states(count: usize, most: u32) -> Vec<State> {
    let mut rng = Rng::new(21);
    let mut states = Vec::new();
    while states.len() < count {
        let mut state = State::default();
        for _ in 0..rng.below(most) {
            if state.turn() != Turn::Over {
                state.play(state.random_move(&mut rng, &mut Vec::new()));
            }
        }
        if state.turn() != Turn::Over {
            states.push(state);
        }
    }
    states
}

fn moves(state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves
}

/// Returns the moves with values and visits after this number of iterations.
fn found(settings: ClassicSettings, state: &State, iterations: u64) -> Vec<(Move, f64, u64)> {
    let clock = Clock::new(Limits::nodes(iterations));
    let analysis = ClassicBot::new(settings, 1).analyse(state, state.mover(), &clock);
    analysis.moves.iter().map(|of| (of.mv, of.value[0], of.effort)).collect()
}

#[test]
fn a_win_shrinks_with_each_ply_on_the_way_up() {
    let with = |decay| ClassicSettings { decay, loss_mark: false, ..ClassicSettings::default() };
    let mut larger = 0;
    for state in states(100, 60) {
        // A leaf directly below the root scores fully; deeper leaves score at most half.
        let most = |visits: u64| 6.0 * (0.5 + 0.5 / visits as f64) + 1e-3;
        let deep = |of: &(Move, f64, u64)| {
            let mut next = state;
            next.play(of.0);
            of.2 > 1 && next.turn() != Turn::Over
        };
        for (mv, value, visits) in found(with(0.5), &state, 300).into_iter().filter(|of| deep(of)) {
            assert!(value <= most(visits), "{mv:?} {value} after {visits} visits of {state:?}");
        }
        let full = found(with(1.0), &state, 300).into_iter().filter(|of| deep(of));
        larger += full.filter(|&(_, value, visits)| value > most(visits)).count();
    }
    assert!(larger > 50, "{larger}");
}

#[test]
fn free_choice_is_of_all_boards_or_of_the_first() {
    let mut seen = 0;
    for state in states(1_000, 60).into_iter().filter(|state| state.target().is_none()) {
        let legal = moves(&state);
        let boards = |free_choice| {
            let settings = ClassicSettings { free_choice, first_move: None, ..ClassicSettings::default() };
            let mut boards: Vec<usize> =
                found(settings, &state, 10).iter().map(|(mv, ..)| mv.board()).collect();
            boards.sort_unstable();
            boards.dedup();
            boards
        };
        let all: Vec<usize> = (0..9).filter(|&board| legal.iter().any(|mv| mv.board() == board)).collect();
        assert_eq!(boards(true), all);
        assert_eq!(boards(false), all[..1]);
        seen += usize::from(all.len() > 1);
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn centre_and_corners_of_an_almost_empty_board_come_first_or_alone() {
    let is_preferred =
        |state: &State, mv: Move| mv.cell() % 2 == 0 || state.empty(mv.board()).count_ones() < 8;
    let mut apart = 0;
    for state in states(300, 12) {
        let legal = moves(&state);
        let preferred: Vec<Move> = legal.iter().copied().filter(|&mv| is_preferred(&state, mv)).collect();
        let with = |centre| ClassicSettings { centre, first_move: None, ..ClassicSettings::default() };
        let mut alone: Vec<Move> = found(with(Centre::Only), &state, 200).iter().map(|of| of.0).collect();
        alone.sort_by_key(|mv| legal.iter().position(|of| of == mv));
        assert_eq!(alone, preferred);
        // Every move is tried once before any is tried twice, so the first visits must go to the preferred moves.
        let visited = |centre| -> Vec<Move> {
            let found = found(with(centre), &state, preferred.len() as u64);
            found.iter().filter(|of| of.2 > 0).map(|of| of.0).collect()
        };
        assert!(visited(Centre::First).iter().all(|&mv| is_preferred(&state, mv)), "{state:?}");
        apart += usize::from(visited(Centre::Off).iter().any(|&mv| !is_preferred(&state, mv)));
    }
    assert!(apart > 200, "{apart}");
}

#[test]
fn the_move_to_play_has_the_most_visits_or_the_highest_score() {
    let mut apart = 0;
    for state in states(300, 60) {
        let first = |final_move| {
            let settings = ClassicSettings {
                final_move,
                first_move: None,
                loss_mark: false,
                // Visits all moves about equally often, so that the two criteria differ.
                exploration: 30.0,
                ..ClassicSettings::default()
            };
            let found = found(settings, &state, 60);
            let score = |of: &(Move, f64, u64)| if of.2 == 0 { 0.0 } else { of.1 * of.2 as f64 };
            assert!(found
                .iter()
                .all(|of| final_move == FinalMove::Visits || score(of) <= score(&found[0]) + 1e-3));
            assert!(found.iter().all(|of| final_move == FinalMove::Score || of.2 <= found[0].2));
            found[0].0
        };
        apart += usize::from(first(FinalMove::Visits) != first(FinalMove::Score));
    }
    assert!(apart > 30, "{apart}");
}

#[test]
fn the_tree_is_kept_for_as_many_first_turns_as_are_told() {
    for cached_turns in [0, 1, 2] {
        let settings = ClassicSettings { cached_turns, first_move: None, ..ClassicSettings::default() };
        let mut bot = ClassicBot::new(settings, 1);
        let mut clock = Clock::new(Limits::nodes(2_000));
        let mut state = State::default();
        for turn in 0..3 {
            clock.start_turn();
            let found = bot.analyse(&state, Player::Zero, &clock);
            let visits: u64 = found.moves.iter().map(|of| of.effort).sum();
            assert_eq!(visits > 2_000, turn > 0 && turn <= cached_turns, "{visits} visits in turn {turn}");
            // Plays the most visited moves of both sides, so that there is a tree to keep.
            for mv in [found.line[0], found.line[1]] {
                bot.observe(&state, Player::Zero, &mv);
                state.play(mv);
            }
            clock.end_turn();
        }
    }
}
