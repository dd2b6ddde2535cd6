//! Games from which the network learns, and games that measure its strength.

use super::decision::{Decision, Goal, Lines, line};
use super::evaluator::Evaluator;
use super::recipe::{Imitation, Learning, Recipe};
use super::teacher::{Teacher, value};
use crate::self_play::endless;
use contender_game::{
    contest::{Analysis, Bot, Clock},
    rules::{Player, Rng, Simultaneous},
};
use contender_puct::{BotOf, LearnedGame};
use std::sync::Arc;

/// The player in a seat.
pub(super) enum Seat<'a, S: LearnedGame> {
    /// The network that is being trained, which plays its policy. Without a teacher, the network learns from its own
    /// moves.
    Learner(Evaluator<'a>),
    /// The teacher. In turns without its advice, the network that is being trained moves.
    Teacher(Evaluator<'a>),
    /// A past checkpoint of the network.
    Former(Evaluator<'a>),
    /// A bundled bot.
    Bot(BotOf<S>, Clock),
}

/// A finished game with the decisions from which the network learns.
pub(super) struct Played<S: LearnedGame> {
    pub(super) seed: u64,
    pub(super) turns: Vec<[S::Move; 2]>,
    pub(super) decisions: Vec<Taken<S>>,
}

/// A decision with the number of its turn (starting at 0) and its player.
type Taken<S> = (u32, Player, Decision<S>);

/// Sets the targets of a player's decisions in a game of `turns` turns, starting with the latest. Each decision comes
/// with the expected value at that time.
fn set_targets<'d, S: LearnedGame>(
    decisions: impl Iterator<Item = (&'d mut Taken<S>, &'d Option<f32>)>,
    turns: usize,
    outcome: f32,
    learning: &Learning,
    value_share: f32,
) {
    let won = learning.reward(outcome);
    let (mut next, mut advantage) = (won / learning.discount, 0.0);
    for ((turn, _, decision), &expected) in decisions {
        match &mut decision.goal {
            Goal::Imitate => {
                let ahead = turns as i32 - *turn as i32 - 1;
                let won = won * learning.discount.powi(ahead);
                decision.target = won + expected.map_or(0.0, |expected| value_share * (expected - won));
            }
            // Generalised advantage estimation.
            Goal::Improve { advantage: of_decision, .. } => {
                let expected = expected.expect("a network estimates the value");
                let surprise = learning.discount * next - expected;
                advantage = surprise + learning.discount * learning.trace * advantage;
                next = expected;
                *of_decision = advantage;
                decision.target = expected + advantage;
            }
        }
    }
}

/// Plays a game. The game depends only on the players, the seed and the generator.
///
/// # Errors
/// Returns an error if the game does not end.
pub(super) fn play<S: LearnedGame>(
    seed: u64,
    mut seats: [Seat<'_, S>; 2],
    mut teacher: Option<Teacher<'_, S>>,
    recipe: &Recipe,
    rng: &mut Rng,
) -> Result<Played<S>, String> {
    let tells_both = recipe.network.sides == 2;
    let imitation = teacher.as_ref().map(|teacher| teacher.imitation);
    let mut state = S::start(seed);
    let views = S::views(&state);
    let mut turns: Vec<[S::Move; 2]> = Vec::new();
    // The decisions, and the expected value of the state at each decision.
    let (mut decisions, mut expected) = (Vec::new(), Vec::new());
    while !state.is_over() {
        if turns.len() == S::State::MAX_TURNS {
            return Err(endless(turns.len()));
        }
        let turn = turns.len() as u32;
        let advice = teacher.as_mut().and_then(|teacher| teacher.advise(&state, &views, rng));
        let shared = Arc::new(state.clone());
        let moves = Player::BOTH.map(|player| {
            if let Some(mv) = S::idle(&state, player) {
                return mv;
            }
            let view = views[player];
            let mut learn = |lines, beside, goal, value| {
                let state = Arc::clone(&shared);
                decisions.push((turn, player, Decision { state, view, lines, beside, goal, target: 0.0 }));
                expected.push(value);
            };
            if let Some(advice) = advice.as_ref().filter(|advice| advice.is_taught) {
                let mut lines = |of, view| advice.lines(&state, of, &views[of], &view, rng);
                let own = lines(player, view);
                let beside = S::beside(&view).filter(|_| tells_both).map(|view| lines(player.other(), view));
                learn(own, beside, Goal::Imitate, value(&advice.moves[player]));
            }
            let found = advice.as_ref().map(|advice| &advice.moves[player]);
            let choice = Choice { state: &state, view: &view, player, turn, imitation, found };
            choose(&mut seats[player], &choice, rng, learn)
        });
        if tells_both && imitation.is_none() {
            let of_turn = decisions.iter_mut().rev().take_while(|(of, ..)| *of == turn);
            of_turn.for_each(|(_, player, decision)| imitate_opponent(decision, &moves[player.other()], rng));
        }
        for (seat, player) in seats.iter_mut().zip(Player::BOTH) {
            if let Seat::Bot(bot, _) = seat {
                tell::<S>(bot, &state, player, &moves);
            }
        }
        state.play([&moves[0], &moves[1]]);
        turns.push(moves);
    }
    let value_share = imitation.map_or(0.0, |imitation| imitation.value_share);
    for player in Player::BOTH {
        let own = decisions.iter_mut().zip(&expected).filter(|((_, of, _), _)| *of == player).rev();
        set_targets(own, turns.len(), S::outcome(&state, player), &recipe.learning, value_share);
    }
    Ok(Played { seed, turns, decisions })
}

/// Lets a decision imitate the opponent's move of the same turn.
fn imitate_opponent<S: LearnedGame>(decision: &mut Decision<S>, mv: &S::Move, rng: &mut Rng) {
    let view = S::beside(&decision.view);
    decision.beside = view.map(|view| vec![(line::<S>(&decision.state, &view, mv, rng), 1.0)]);
}

/// A position in which a player must move.
struct Choice<'a, S: LearnedGame> {
    state: &'a S::State,
    view: &'a S::View,
    player: Player,
    /// The number of the turn, starting at 0.
    turn: u32,
    /// The settings of the imitation, if there is a teacher.
    imitation: Option<&'a Imitation>,
    /// The teacher's analysis, if it was asked in this turn.
    found: Option<&'a Analysis<S::Move>>,
}

/// Returns the move of the player in a seat. A network that learns from its own moves passes its decision to `learn`.
fn choose<S: LearnedGame>(
    seat: &mut Seat<'_, S>,
    choice: &Choice<'_, S>,
    rng: &mut Rng,
    mut learn: impl FnMut(Lines, Option<Lines>, Goal, Option<f32>),
) -> S::Move {
    let Choice { state, view, player, turn, imitation, found } = *choice;
    match (seat, found) {
        (Seat::Teacher(_), Some(found)) => {
            let imitation = imitation.expect("the teacher has been asked");
            if rng.unit() < imitation.random_share {
                state.random_move(player, rng)
            } else if turn < imitation.drawn_turns {
                found.draw(rng).expect("a player has a move").clone()
            } else {
                found.moves[0].mv.clone()
            }
        }
        (Seat::Bot(bot, clock), _) => bot.choose(state, player, clock),
        (Seat::Former(network) | Seat::Teacher(network), _) => {
            S::sample(network.ask::<S>(state, view), state, view, rng).0
        }
        (Seat::Learner(network), _) => {
            let output = network.ask::<S>(state, view);
            let (mv, picks, log_probability) = S::sample(output, state, view, rng);
            if imitation.is_none() {
                let goal = Goal::Improve { log_probability, advantage: 0.0 };
                learn(vec![(picks, 1.0)], None, goal, Some(output.value));
            }
            mv
        }
    }
}

/// Informs a bot about its opponent's move, if the players take turns.
fn tell<S: LearnedGame>(bot: &mut BotOf<S>, state: &S::State, player: Player, moves: &[S::Move; 2]) {
    if S::idle(state, player).is_some() {
        bot.observe(state, player, &moves[player.other()]);
    }
}

/// The opponent of a network in games that measure its strength.
pub(super) enum Rival<'a, S: LearnedGame> {
    /// The policy of another network. With a generator, moves are drawn at random; otherwise the most probable move is
    /// played.
    Network(Box<Evaluator<'a>>, Option<Rng>),
    /// A bundled bot in its first turn, with the clock for each move.
    Bot(BotOf<S>, Clock),
}

/// Returns the points of the policy without search in a game in the seat `own` against an opponent. Moves are drawn
/// with `rng`; without it the most probable move is played. A win counts 1, and a draw or a game without an end counts
/// 0.5.
pub(super) fn points<S: LearnedGame>(
    seed: u64,
    own: Player,
    network: &mut Evaluator<'_>,
    rng: &mut Option<Rng>,
    rival: &mut Rival<'_, S>,
) -> f64 {
    let mut state = S::start(seed);
    let views = S::views(&state);
    let mut turns = 0;
    while !state.is_over() {
        if turns == S::State::MAX_TURNS {
            return 0.5;
        }
        turns += 1;
        let moves = Player::BOTH.map(|player| {
            let view = &views[player];
            if let Some(mv) = S::idle(&state, player) {
                return mv;
            }
            if player == own {
                return network.choose::<S>(&state, view, rng.as_mut());
            }
            match rival {
                Rival::Bot(bot, clock) => bot.choose(&state, player, clock),
                Rival::Network(other, rng) => other.choose::<S>(&state, view, rng.as_mut()),
            }
        });
        if let Rival::Bot(bot, _) = rival {
            tell::<S>(bot, &state, own.other(), &moves);
        }
        state.play([&moves[0], &moves[1]]);
    }
    let won = S::outcome(&state, own);
    f64::from(u8::from(won > 0.0)) + 0.5 * f64::from(u8::from(won == 0.0))
}
