//! Tests of the bot without a network: its moves are legal and reproducible.

use contender_cellularena::{map, Action, Heuristic, HeuristicSettings, OrderCheck, State};
use contender_game::{
    contest::{Bot, Clock, Limits},
    rules::{Player, Rng, Simultaneous},
};

fn bot() -> Heuristic {
    Heuristic::new(HeuristicSettings::default())
}

fn choose(state: &State, player: Player, nodes: u64) -> Vec<Action> {
    bot().choose(state, player, &Clock::new(Limits::nodes(nodes)))
}

#[test]
fn the_judge_accepts_what_it_plays() {
    let mut rng = Rng::new(1);
    let mut many = 0;
    for round in 0..40 {
        let mut state = map::generate(rng.next_u64() as i64 | 1).unwrap();
        if round % 2 == 0 {
            Player::BOTH.iter().for_each(|&player| state.set_stock(player, [60; 4]).unwrap());
        }
        let mut bot = bot();
        let clock = Clock::new(Limits::nodes(1));
        while !state.is_over() {
            let pair = Player::BOTH.map(|player| {
                // Random moves in between lead to unusual states.
                if rng.below(3) > 0 {
                    return state.random_move(player, &mut rng);
                }
                let actions = bot.choose(&state, player, &clock);
                let mut check = OrderCheck::new(&state, player);
                for action in &actions {
                    assert_eq!(check.take(action.order(&state)), Ok(Some(*action)), "{state:?}");
                }
                many += u32::from(actions.len() > 2);
                actions
            });
            state.play([&pair[0], &pair[1]]);
        }
    }
    assert!(many > 50, "{many} moves of more than two organisms");
}

#[test]
fn a_number_of_nodes_makes_it_repeatable() {
    for seed in 1..4 {
        let mut state = map::generate(seed).unwrap();
        let mut kept = bot();
        for _ in 0..8 {
            let clock = Clock::new(Limits::nodes(150));
            let pair = Player::BOTH.map(|player| kept.choose(&state, player, &clock));
            assert_eq!(pair, Player::BOTH.map(|player| choose(&state, player, 150)));
            state.play([&pair[0], &pair[1]]);
        }
    }
}
