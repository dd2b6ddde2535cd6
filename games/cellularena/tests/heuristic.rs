//! The bot without a network: what it plays is legal and repeatable, and it knows what to do where the answer is plain.

use contender_cellularena::{map, Action, Heuristic, HeuristicSettings, Kind, OrderCheck, State, LONGEST};
use contender_game::{Bot, Clock, Limits, Player, Rng, Simultaneous};

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
                // Random moves between lead to messy states.
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

/// What player 0 does, with few nodes and with more.
fn answers(text: &str, turns: u8) -> Vec<Vec<Action>> {
    let mut state: State = text.parse().unwrap();
    state.set_turns(turns);
    [1, 100, 1_000].map(|nodes| choose(&state, Player::Zero, nodes)).to_vec()
}

fn after(text: &str, turns: u8, actions: &[Action]) -> State {
    let mut state: State = text.parse().unwrap();
    state.set_turns(turns);
    state.play_turn([actions, &[]]);
    state
}

#[test]
fn it_finishes_won_games() {
    // Far ahead, and a tentacle before the root of an enemy that can only wait for its harvester ends the game.
    let text = "9 3\n........D\n.........\n.........\n9 3 3 0\n0 0 0 0\n1 0 0 1 ROOT N 0 1\n2 1 8 2 ROOT N 0 2\n\
        3 0 1 1 BASIC N 1 1\n4 0 2 1 BASIC N 3 1\n5 0 3 1 BASIC N 4 1\n6 0 4 1 BASIC N 5 1\n7 0 5 1 BASIC N 6 1\n\
        8 0 6 1 BASIC N 7 1\n9 0 6 2 BASIC N 8 1\n10 1 8 1 HARVESTER N 2 2\n";
    for actions in answers(text, 30) {
        let state = after(text, 30, &actions);
        assert_eq!((state.is_over(), state.organ_count(Player::One)), (true, 0), "{actions:?}");
    }
}

#[test]
fn it_keeps_tie_breaks() {
    // The last turn with equal organs and no free growth: covering the own source costs an income of nothing, and A decides.
    let text = "3 2\nA..\n...\n0 0 1 1\n0 0 0 1\n1 0 1 1 ROOT N 0 1\n2 1 2 1 ROOT N 0 2\n\
        3 0 1 0 HARVESTER W 1 1\n4 1 2 0 BASIC N 2 2\n";
    for actions in answers(text, LONGEST as u8 - 1) {
        let state = after(text, LONGEST as u8 - 1, &actions);
        assert_eq!(state.winner(), Some(Player::Zero), "{actions:?}");
    }
}

#[test]
fn it_grows_while_that_is_free() {
    // Nothing but A in stock, room all around, and the enemy far away: an organ a turn, up to the end.
    let mut text =
        "14 4\n..............\n..............\n..............\n..............\n60 0 0 0\n0 0 0 0\n"
            .to_string();
    text += "1 0 0 0 ROOT N 0 1\n2 1 13 3 ROOT N 0 2\n";
    for turns in [0, 20, 50, 80, LONGEST as u8 - 1] {
        for actions in answers(&text, turns) {
            assert_eq!(actions.len(), 1, "after turn {turns}");
        }
    }
}

#[test]
fn it_harvests_before_it_covers() {
    // One C and one D, and a source of C two steps away.
    let text = "12 3\n............\n..C.........\n............\n6 0 1 1\n6 0 0 0\n1 0 0 1 ROOT N 0 1\n2 1 11 1 ROOT N 0 2\n";
    for actions in answers(text, 0) {
        let state = after(text, 0, &actions);
        let harvests = actions.iter().any(|action| action.kind == Kind::Harvester);
        assert!(harvests && state.income(Player::Zero)[2] == 1, "{actions:?}");
    }
}

#[test]
fn it_guards_what_the_enemy_would_kill() {
    // A tentacle on the cell between the roots wins for who sets it; both at once make a wall.
    let text = "8 1\n........\n1 1 1 0\n0 1 1 0\n1 0 2 0 ROOT N 0 1\n2 1 4 0 ROOT N 0 2\n";
    for actions in answers(text, 10) {
        assert!(actions.iter().any(|action| action.to.x() == 3), "{actions:?}");
    }
}
