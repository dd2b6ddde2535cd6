//! Tests of the champion's search with different settings.

use contender_boxes::{Belief, ChampionBot, ChampionSettings, State};
use contender_game::{
    contest::{Bot, Clock, Limits},
    rules::{Chance, Game, Rng, Turn},
    settings::{Options, Settings},
};

#[test]
fn settings_are_checked() {
    let take = |text: &str| ChampionSettings::DEFAULT.with(&mut Options::parse(text).unwrap());
    assert_eq!(take(""), Ok(ChampionSettings::default()));
    assert_eq!(take("replies=4").unwrap().replies, 4);
    assert!(take("candidates=0").unwrap_err().contains("from 1 to 434"));
}

#[test]
fn a_board_is_a_node_and_the_placement_chosen_has_had_most() {
    let mut rng = Rng::new(1);
    let mut state = State::random(&mut rng);
    state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
    let player = state.mover();
    for nodes in [0, 1, 50, 1_500] {
        let mut bot = ChampionBot::new(ChampionSettings::default(), 1);
        let analysis = bot.analyse(&state, player, &Clock::new(Limits::nodes(nodes)));
        assert_eq!(analysis.counts[0], ("boards", nodes));
        let most = analysis.moves.iter().map(|mv| mv.effort).max();
        assert_eq!(Some(analysis.moves[0].effort), most);
    }
}

/// Each colour has 30 kinds of tiles to look ahead to. After these the search ends.
#[test]
fn looking_ahead_ends_when_all_is_known() {
    let mut rng = Rng::new(2);
    let mut state = State::random(&mut rng);
    state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
    let settings = ChampionSettings { candidates: 4, unlikely: 0.0, ..ChampionSettings::DEFAULT };
    let mut bot = ChampionBot::new(settings, 1);
    let analysis = bot.analyse(&state, state.mover(), &Clock::new(Limits::nodes(1_000_000)));
    // Five colours, 30 kinds of tiles, four candidates, six replies.
    assert_eq!(analysis.counts, [("boards", 5 * 30 * 4 * 6), ("trials", 5 * 30 * 4)]);
}

/// The belief soon finds the colour of an opponent that plays only for its own colour and does not hide it.
#[test]
fn the_belief_finds_a_greedy_opponent() {
    let (mut right, mut games) = (0, 0);
    for seed in 0..12 {
        let mut rng = Rng::new(seed);
        let mut state = State::random(&mut rng);
        let own = state.colours()[0];
        let mut belief = Belief::default();
        for _ in 0..16 {
            if state.turn() == Turn::Over {
                break;
            }
            state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
            let player = state.mover();
            let placement = if player.index() == 0 {
                state.random_move(&mut rng, &mut Vec::new())
            } else {
                let open = ChampionSettings { hiding: 0.0, ..ChampionSettings::DEFAULT };
                let mut bot = ChampionBot::new(open, seed);
                bot.choose(&state, player, &Clock::new(Limits::nodes(0)))
            };
            if player.index() == 1 {
                belief.observe(&state, placement);
            }
            state.play(placement);
        }
        let likely = belief.probabilities(own);
        assert!((likely.iter().sum::<f64>() - 1.0).abs() < 1e-9 && likely[usize::from(own)] == 0.0);
        let best = (0..6).max_by(|&a, &b| likely[a].total_cmp(&likely[b])).unwrap();
        right += u32::from(best == usize::from(state.colours()[1]));
        games += 1;
    }
    assert!(right * 4 > games * 3, "{right} of {games}");
}
