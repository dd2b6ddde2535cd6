//! Tests of what every bot must do, and of the guarantees of the searching bots.

use contender_boxes::{
    contest_points, ChampionBot, ChampionSettings, ClassicBot, ClassicSettings, GreedyBot, IsmctsBot,
    IsmctsSettings, Placement, State,
};
use contender_game::{
    contest::{Bot, Clock, Limits, RandomBot},
    rules::{Chance, Game, Player, Rng, Turn},
};
use std::time::Duration;

type BoxedBot = Box<dyn Bot<State, Placement>>;

fn searching(name: &str, seed: u64) -> BoxedBot {
    match name {
        "early" => Box::new(ClassicBot::new(ClassicSettings::EARLY, seed)),
        "classic" => Box::new(ClassicBot::new(ClassicSettings::DEFAULT, seed)),
        "ismcts" => Box::new(IsmctsBot::new(IsmctsSettings::default(), seed)),
        "champion" => Box::new(ChampionBot::new(ChampionSettings::default(), seed)),
        _ => unreachable!("{name}"),
    }
}

const SEARCHING: [&str; 4] = ["ismcts", "early", "classic", "champion"];

/// Plays a game to its end without showing either bot the other's colour. Returns the moves and the last state.
fn play(mut bots: [BoxedBot; 2], seed: u64, limits: Limits) -> (Vec<Placement>, State) {
    let mut rng = Rng::new(seed);
    let mut state = State::random(&mut rng);
    let mut clocks = [Clock::new(limits), Clock::new(limits)];
    let mut moves = Vec::new();
    while state.turn() != Turn::Over {
        state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
        let player = state.mover();
        let seen = |player: Player| {
            let mut seen = state.clone();
            let own = state.colours()[player];
            seen.set_colour(player.other(), (own + 1) % 6);
            seen
        };
        clocks[player].start_turn();
        let placement = bots[player].choose(&seen(player), player, &clocks[player]);
        clocks[player].end_turn();
        assert!(state.is_legal(placement), "{placement} by {player:?}");
        bots[player.other()].observe(&seen(player.other()), player.other(), &placement);
        state.play(placement);
        moves.push(placement);
    }
    (moves, state)
}

#[test]
fn play_is_legal_to_the_end_and_the_same_with_a_node_budget() {
    for name in SEARCHING {
        for budget in [0, 1, 40, 200] {
            let game = |opponent: BoxedBot| play([searching(name, 3), opponent], 5, Limits::nodes(budget));
            let (moves, last) = game(Box::new(GreedyBot::new(1)));
            assert_eq!(game(Box::new(GreedyBot::new(1))).0, moves, "{name} with {budget} nodes");
            assert!(last.is_over());
            game(Box::new(RandomBot::new(1)));
        }
    }
}

#[test]
fn they_beat_greedy() {
    for name in SEARCHING {
        let mut lead = 0;
        for seed in 0..3 {
            for seat in 0..2 {
                let mut bots = [searching(name, 1), Box::new(GreedyBot::new(1)) as BoxedBot];
                if seat == 1 {
                    bots.swap(0, 1);
                }
                // A search with random games needs many nodes to distinguish a few hundred placements.
                let nodes = if name == "ismcts" { 2_000 } else { 300 };
                let (_, last) = play(bots, seed, Limits::nodes(nodes));
                let scores = last.colours().map(|colour| last.score(colour));
                let points = contest_points(scores);
                lead += points[seat] - points[1 - seat];
            }
        }
        assert!(lead > 0, "{name}: {lead} points in six games");
    }
}

#[test]
fn play_is_legal_however_little_time_there_is() {
    for name in SEARCHING {
        for limit in [0, 20, 200] {
            let limit = Duration::from_millis(limit);
            play([searching(name, 1), searching(name, 2)], 7, Limits::per_game(limit));
        }
    }
}
