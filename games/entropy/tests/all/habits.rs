//! Tests of the habits that the classic bot learns from its opponent, and of the moves that it plays against them.

use contender_entropy::classic::{Beliefs, ClassicSettings, Habit, Picker, HABITS};
use contender_entropy::evaluation::Weights;
use contender_entropy::{ClassicBot, GreedyBot, Move, State};
use contender_game::{
    contest::{Bot, Clock, Limits, RandomBot},
    rules::{Chance, Game, Player, Rng, Turn},
    settings::{Options, Settings, Shipped},
};

/// Returns the state and the player to act after this many random decisions.
fn position(decisions: u32, rng: &mut Rng) -> (State, Player) {
    let mut state = State::default();
    let mut left = decisions;
    loop {
        match state.turn() {
            Turn::Player(player) if left == 0 => return (state, player),
            Turn::Player(_) => {
                left -= 1;
                state.play(state.random_move(rng, &mut Vec::new()));
            }
            _ => state.resolve(state.random_outcome(rng, &mut Vec::new())),
        }
    }
}

/// Returns a player's moves with their probabilities for this habit, directly from the definition.
fn chances(state: &State, player: Player, habit: Habit) -> Vec<(Move, f64)> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let score = |mv: Move| {
        let mut after = state.clone();
        after.play(mv);
        player.sign() * after.score()
    };
    let best = moves.iter().map(|&mv| score(mv)).max().unwrap();
    let first = moves.iter().position(|&mv| score(mv) == best);
    let last = moves.iter().rposition(|&mv| score(mv) == best);
    let weight = |(at, &mv): (usize, &Move)| match habit {
        Habit::First => f64::from(u8::from(Some(at) == first)),
        Habit::Last => f64::from(u8::from(Some(at) == last)),
        Habit::Care(care) => care.powi((best - score(mv)).min(39)),
    };
    let weights: Vec<f64> = moves.iter().enumerate().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    moves.into_iter().zip(weights.into_iter().map(|weight| weight / sum)).collect()
}

#[test]
fn moves_are_picked_as_often_as_their_losses_say() {
    let mut rng = Rng::new(1);
    let mut picker = Picker::new();
    for habit in HABITS.into_iter().chain([Habit::GREEDY]) {
        for decisions in [9, 30, 61] {
            let (state, player) = position(decisions, &mut rng);
            let chances = chances(&state, player, habit);
            let mut counts = vec![0.0; chances.len()];
            for _ in 0..2_000 {
                let mv = picker.pick(&state, player, habit, &mut rng);
                counts[chances.iter().position(|&(other, _)| other == mv).unwrap()] += 1.0;
            }
            for ((mv, chance), count) in chances.into_iter().zip(counts) {
                // The bound is five standard deviations plus one game.
                let most = 5.0 * (2_000.0 * chance * (1.0 - chance)).sqrt() + 1.0;
                assert!((count - 2_000.0 * chance).abs() <= most, "{habit:?} {mv:?} {chance} {count}");
                assert!(count == 0.0 || chance > 0.0);
            }
        }
    }
}

#[test]
fn beliefs_follow_bayes_rule() {
    let mut rng = Rng::new(2);
    let mut beliefs = Beliefs::new();
    let mut expected = [0.1; 10];
    for decisions in 0..60 {
        let (state, player) = position(decisions, &mut rng);
        let mv = state.random_move(&mut rng, &mut Vec::new());
        for (belief, habit) in expected.iter_mut().zip(HABITS) {
            let chances = chances(&state, player, habit);
            let chance = chances.iter().find(|&&(other, _)| other == mv).unwrap().1;
            *belief = (0.99 * *belief + 0.001) * (0.99 * chance + 0.01 / chances.len() as f64);
        }
        let sum: f64 = expected.iter().sum();
        expected = expected.map(|belief| belief / sum);
        beliefs.observe(&state, player, mv);
        for (found, expected) in beliefs.beliefs().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9);
        }
    }
}

/// Returns the beliefs about a bot after a game against a random player.
fn believed(mut bot: impl Bot<State, Move>, seat: Player) -> Beliefs {
    let mut rng = Rng::new(3);
    let mut beliefs = Beliefs::new();
    let mut state = State::default();
    let clock = Clock::new(Limits::NONE);
    loop {
        match state.turn() {
            Turn::Over => return beliefs,
            Turn::Chance => state.resolve(state.random_outcome(&mut rng, &mut Vec::new())),
            Turn::Player(player) if player == seat => {
                let mv = bot.choose(&state, player, &clock);
                beliefs.observe(&state, player, mv);
                state.play(mv);
            }
            Turn::Player(_) => state.play(state.random_move(&mut rng, &mut Vec::new())),
        }
    }
}

#[test]
fn simple_bots_are_recognised_from_both_seats() {
    for seat in Player::BOTH {
        let random: f64 = believed(RandomBot::new(4), seat).beliefs()[..3].iter().sum();
        assert!(random > 0.9, "{seat:?} {random}");
        let first = believed(GreedyBot::new(), seat).beliefs()[8];
        assert!(first > 0.9, "{seat:?} {first}");
    }
}

fn bot(options: &str) -> ClassicBot {
    let mut options = Options::parse(options).unwrap();
    ClassicBot::new(ClassicSettings::DEFAULT.with(&mut options).unwrap(), Weights::shipped())
}

#[test]
fn the_last_move_of_order_is_the_best_for_the_last_chip() {
    let mut rng = Rng::new(5);
    for _ in 0..40 {
        let (state, player) = position(95, &mut rng);
        assert_eq!((state.placed(), player), (48, Player::Zero));
        // One cell is empty and one chip is left.
        let outcome = |mv: Move| {
            let mut state = state.clone();
            state.play(mv);
            state.resolve(state.random_outcome(&mut Rng::new(1), &mut Vec::new()));
            state.play(state.random_move(&mut Rng::new(1), &mut Vec::new()));
            assert_eq!(state.turn(), Turn::Over);
            f64::from(state.score())
        };
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let best = moves.iter().map(|&mv| outcome(mv)).fold(0.0, f64::max);
        let clock = Clock::new(Limits::nodes(500));
        let found = bot("optimistic=always,replies=habits,optuntil=49").analyse(&state, player, &clock);
        assert_eq!(found.counts.last(), Some(&("optimistic", 1)));
        assert_eq!(outcome(found.moves[0].mv), best);
        let lead = (120.0 + best) - (280.0 - best);
        assert_eq!(found.moves[0].value, [lead, lead]);
    }
}

#[test]
fn random_games_are_the_same_each_time_and_keep_their_budget() {
    let mut rng = Rng::new(6);
    for (decisions, nodes) in [(1, 1), (20, 100), (41, 3_000), (60, 1_000)] {
        let (state, player) = position(decisions, &mut rng);
        let clock = Clock::new(Limits::nodes(nodes));
        let [one, other] = [(); 2]
            .map(|()| bot("optimistic=always,replies=habits,aschaos=on").analyse(&state, player, &clock));
        assert_eq!((&one.moves, &one.counts), (&other.moves, &other.counts));
        // A round plays sixteen games of three placements and three moves.
        let played = one.counts[0].1;
        assert!((nodes..nodes + 16 * 7).contains(&played), "{played} of {nodes}");
        let mut moves = Vec::new();
        state.moves(&mut moves);
        assert_eq!(one.moves.len(), moves.len());
    }
}
