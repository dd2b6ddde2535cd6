//! The search at the end of a game, where it can be held against brute force.

use contender_game::{Bot, Clock, Game, Limits, Player, Rng, Turn};
use contender_spaghetti::{Move, State, UctBot};

/// The reward of each player if both go for their own points: the least and the most, as moves of the same reward to who
/// makes them may differ to the other.
fn brute_force(state: &State) -> [[i32; 2]; 2] {
    let Turn::Player(player) = state.turn() else {
        return state.points().map(|points| [points; 2]);
    };
    let replies: Vec<_> = after(state).iter().map(|(_, child)| brute_force(child)).collect();
    let sure = replies.iter().map(|reply| reply[player][0]).max().expect("a move");
    let mut range = [[i32::MAX, i32::MIN]; 2];
    // What may be best is what can reach what another move is sure of.
    for reply in replies.iter().filter(|reply| reply[player][1] >= sure) {
        for of in Player::BOTH {
            range[of] = [range[of][0].min(reply[of][0]), range[of][1].max(reply[of][1])];
        }
    }
    range[player][0] = sure;
    range
}

fn after(state: &State) -> Vec<(Move, State)> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let play = |mv| {
        let mut child = state.clone();
        child.play(mv);
        (mv, child)
    };
    moves.into_iter().map(play).collect()
}

#[test]
fn the_last_moves_equal_brute_force() {
    let clock = Clock::new(Limits::nodes(3_000));
    let mut rng = Rng::new(1);
    let mut matters = [0; 4];
    for round in 0..120 {
        let mut state = State::empty();
        let left = 1 + round % 3;
        while state.empty_cells() > left {
            let mv = state.random_move(&mut rng, &mut Vec::new());
            state.play(mv);
        }
        let Turn::Player(player) = state.turn() else { unreachable!("cells are left") };
        let values: Vec<_> =
            after(&state).iter().map(|(mv, child)| (*mv, brute_force(child)[player])).collect();
        let sure = values.iter().map(|(_, [least, _])| *least).max().expect("a move");
        let most = |mv| values.iter().find(|of| of.0 == mv).expect("it is legal").1[1];
        let analysis = UctBot::new(u64::from(round)).analyse(&state, player, &clock);
        for found in analysis.moves.iter().filter(|found| found.is_proven) {
            let [least, most] =
                values.iter().find(|of| of.0 == found.mv).expect("it is legal").1.map(f64::from);
            assert!(least <= found.value[0] && found.value[0] <= most, "{}: {:?}", found.mv, found.value);
        }
        let mv = UctBot::new(u64::from(round)).choose(&state, player, &clock);
        assert!(most(mv) >= sure, "{mv} gets {} of {sure} with {left} cells left", most(mv));
        matters[left as usize] += usize::from(values.iter().any(|(_, [_, most])| *most < sure));
    }
    assert!(matters[1..].iter().all(|&count| count > 20), "{matters:?}");
}

#[test]
fn the_tree_follows_the_game() {
    let clock = |nodes| Clock::new(Limits::nodes(nodes));
    let mut rng = Rng::new(2);
    let mut state = State::empty();
    while state.empty_cells() > 8 {
        let mv = state.random_move(&mut rng, &mut Vec::new());
        state.play(mv);
    }
    let mut bot = UctBot::new(1);
    let player = Player::Zero;
    let mv = bot.choose(&state, player, &clock(20_000));
    state.play(mv);
    let reply = state.random_move(&mut rng, &mut Vec::new());
    bot.observe(&state, player, &reply);
    state.play(reply);
    let effort = |bot: &mut UctBot, state: &State| -> u64 {
        bot.analyse(state, player, &clock(1)).moves.iter().map(|of| of.effort).sum()
    };
    assert!(effort(&mut bot, &state) > 50);
    assert_eq!(effort(&mut bot, &State::empty()), 1, "another state is begun anew");
}
