//! Positions with a plain answer, which the bots that search must find with few nodes and with more: finish won games,
//! keep tie-breaks, do not wait while growth is free, harvest before covering, guard.

use contender_cellularena::{
    Action, Champion, ChampionSettings, Classic, ClassicNet, ClassicSettings, Heuristic, HeuristicSettings,
    Kind, Policy, PuctBot, PuctNet, PuctSettings, State, LONGEST,
};
use contender_game::{Bot, Clock, Limits, Player, Shipped, Simultaneous};

/// What the bots do as player 0, each with few nodes and with more.
fn answers(text: &str, turns: u8) -> Vec<Vec<Action>> {
    let mut state: State = text.parse().unwrap();
    state.set_turns(turns);
    let choose = |bot: &mut dyn Bot<State, Vec<Action>>, nodes: u64| {
        bot.choose(&state, Player::Zero, &Clock::new(Limits::nodes(nodes)))
    };
    let heuristic = |nodes| choose(&mut Heuristic::new(HeuristicSettings::default()), nodes);
    let classic = |nodes| choose(&mut Classic::new(ClassicSettings::default(), ClassicNet::shipped()), nodes);
    let champion =
        |nodes| choose(&mut Champion::over(&ChampionSettings::default(), Policy::shipped()), nodes);
    let searched = [1, 100, 1_000].map(heuristic).into_iter().chain([1, 100, 1_000].map(champion));
    let puct = |nodes| {
        let mut bot = PuctBot::new(PuctSettings::default(), PuctNet::shipped(), 1);
        choose(&mut bot, nodes)
    };
    searched.chain([1, 40, 300].map(classic)).chain([300].map(puct)).collect()
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
        // Wiped out, or shut in with nothing left to do.
        assert_eq!((state.is_over(), state.winner()), (true, Some(Player::Zero)), "{actions:?}");
    }
}

#[test]
fn it_keeps_tie_breaks() {
    // The last turn with equal organs and no free growth: covering the own source costs an income of nothing, and A
    // decides.
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
    // The last four, of `classic` and `puct`, are the network's: not all of them do.
    let mut answers = answers(text, 0);
    answers.truncate(answers.len() - 4);
    for actions in answers {
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
