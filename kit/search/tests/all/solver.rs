//! The solver of Monte Carlo tree search: values that it proves equal those of full search.

use crate::mcts::{best_of, formulas, max_n, own_points, shrub, Shrub};
use crate::toys::TicTacToe;
use contender_game::rules::{Game, Player, Rng, Turn};
use contender_search::mcts::{Expansion, Mcts, MctsConfig, RandomGames, Uct};
use contender_search::{NoChance, SearchLimits, WithChance};

#[test]
fn proven_values_of_opposed_scores_equal_full_search() {
    let mut rng = Rng::new(1);
    let mut proven = 0;
    for round in 0..600 {
        let start = shrub(&mut rng, round % 2 == 0, true);
        if start.turn() == Turn::Over {
            continue;
        }
        let select = formulas()[round / 3 % 3];
        let expansion = [Expansion::Random, Expansion::Prior][round / 2 % 2];
        let config = MctsConfig { expansion, ..MctsConfig::default() };
        let mut search = Mcts::<Shrub, WithChance, Uct>::new(config, select);
        let found = search.search(
            &start,
            &mut own_points::<WithChance>(3.0),
            &SearchLimits::nodes(200_000),
            &mut rng,
        );
        let exact = max_n(&start);
        let Turn::Player(player) = start.turn() else { continue };
        // The search ended because the root is proven: its best move is, with the root's value.
        assert!(found.is_proven() && found.count("iterations") < 200_000, "not proven in round {round}");
        let value = found.moves[0].value[0];
        assert!((value - exact[player]).abs() < 1e-4, "round {round}: {value} instead of {exact:?}");
        proven += 1;
    }
    assert!(proven > 200, "{proven}");
}

#[test]
fn own_scores_are_maximised_by_each_player() {
    let mut rng = Rng::new(2);
    for round in 0..300 {
        let start = shrub(&mut rng, false, false);
        let Turn::Player(player) = start.turn() else { continue };
        let mut search = Mcts::<Shrub, NoChance, Uct>::new(MctsConfig::default(), Uct::new(4.0));
        // No reward is the highest, so that nothing is cut and ties break as in the reference implementation, by order.
        let config = MctsConfig { expansion: Expansion::Prior, ..MctsConfig::default() };
        search = if round % 2 == 0 { search } else { Mcts::new(config, Uct::new(4.0)) };
        let found = search.search(
            &start,
            &mut own_points::<NoChance>(f32::INFINITY),
            &SearchLimits::nodes(100_000),
            &mut rng,
        );
        if round % 2 == 1 {
            assert!(found.is_proven(), "round {round}");
            let value = found.moves[0].value[0];
            assert!((value - max_n(&start)[player]).abs() < 1e-4, "round {round}");
        }
    }
}

#[test]
fn tic_tac_toe_is_proven_to_be_drawn() {
    let mut search = Mcts::<TicTacToe, NoChance, Uct>::new(MctsConfig::default(), Uct::new(1.0));
    let mut rng = Rng::new(3);
    let start = TicTacToe::default();
    let found = search.search(
        &start,
        &mut RandomGames::<_, NoChance>::default(),
        &SearchLimits::nodes(2_000_000),
        &mut rng,
    );
    assert_eq!((found.moves[0].value, found.is_proven()), ([0.5; 2], true));
}

/// Player 0 takes the draw, 0, or goes into a trap, 1: player 1 can then win whatever is played (1), at the fourth
/// move, or let player 0 win in one of many long lines (0).
#[derive(Clone, PartialEq, Debug, Default)]
struct Trap(Vec<u8>);

impl Game for Trap {
    type Move = u8;

    fn turn(&self) -> Turn {
        match self.0[..] {
            [0] | [1, 1, _, _] | [_, _, _, _, _, _, _, _, _, _, _, _, _, _] => Turn::Over,
            _ => Turn::Player(Player::BOTH[self.0.len() % 2]),
        }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.turn() != Turn::Over {
            moves.extend([0, 1]);
        }
    }

    fn play(&mut self, mv: u8) {
        self.0.push(mv);
    }

    fn points(&self) -> [i32; 2] {
        match self.0[..] {
            [0] => [0, 0],
            [1, 1, _, 1] => [0, 1],
            _ => [1, 0],
        }
    }
}

#[test]
fn a_win_beyond_the_reach_of_the_solver_is_not_hidden() {
    for seed in 0..20 {
        for select in formulas() {
            let config = MctsConfig { solver_reach: 1, ..MctsConfig::default() };
            let found = Mcts::<Trap, NoChance, Uct>::new(config, select).search(
                &Trap::default(),
                &mut RandomGames::<_, NoChance>::default(),
                &SearchLimits::nodes(2_000),
                &mut Rng::new(seed),
            );
            let trap = found.moves.iter().find(|found| found.mv == 1).expect("it is listed");
            assert!(found.moves[0].mv == 0 && trap.value[0] < 0.3, "{select:?}: {trap:?}");
        }
    }
}

#[test]
fn a_solver_with_reach_one_marks_immediate_losses_and_no_more() {
    let mut rng = Rng::new(12);
    let (mut marked, mut open) = (0, 0);
    for round in 0..300 {
        let mut state = TicTacToe::default();
        for _ in 0..round % 7 {
            if state.turn() != Turn::Over {
                let mv = state.random_move(&mut rng, &mut Vec::new());
                state.play(mv);
            }
        }
        let Turn::Player(player) = state.turn() else { continue };
        let after = |state: &TicTacToe| -> Vec<TicTacToe> {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let play = |mv| {
                let mut child = state.clone();
                child.play(mv);
                child
            };
            moves.into_iter().map(play).collect()
        };
        let is_over = |state: &TicTacToe| state.turn() == Turn::Over;
        let wins = |state: &TicTacToe, player: Player| is_over(state) && state.points()[player] > 0;
        if after(&state).iter().any(|child| wins(child, player)) {
            continue; // The search ends with this proof.
        }
        let config = MctsConfig { solver_reach: 1, ..MctsConfig::default() };
        for found in best_of(Uct::new(1.0), config, &state, round).moves {
            let mut child = state.clone();
            child.play(found.mv);
            let next = after(&child);
            let is_lost = next.iter().any(|child| wins(child, player.other()));
            assert_eq!(found.is_proven, is_lost || next.iter().all(is_over), "{} in {state:?}", found.mv);
            *if is_lost { &mut marked } else { &mut open } += 1;
        }
    }
    assert!(marked > 100 && open > 100, "{marked} {open}");
}
