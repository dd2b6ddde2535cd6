//! Games, teachers and losses, tested on Cellularena.

mod games;
mod gradients;

use super::decision::{Decision, Goal, Sample, line, logit};
use super::engine::{Engine, Example, LossTerms, Output, OutputGradient};
use super::evaluator::{Evaluator, clock};
use super::games::{Played, Rival, Seat, play, points};
use super::method::idle_parts;
use super::own::{LearnPosition, Own, TurnBased};
use super::recipe::{Imitation, Learning, MatchSettings, NetworkSize as Sizes, Pool, Recipe, SelfPlay};
use super::teacher::{Teacher, read_teacher};
use super::window::{self, Round, Window};
use crate::kind::RecipeKind;
use crate::optimiser::{Adam, RateSchedule, Schedule};
use crate::training::Length;
use contender_cellularena::learning::Cellularena;
use contender_cellularena::network::policy::Choices;
use contender_cellularena::{Action, State};
use contender_game::{
    contest::{Analysis, Bot, Clock},
    rules::{Player, Rng, Simultaneous},
    settings::Options,
};
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, SIDES, Shape};
use contender_nn::winograd::Size;
use contender_puct::{BotOf, LearnedGame, Pick};
use contender_uttt::{Move, Uttt};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A game in which the players take turns.
type Turns = Own<Uttt, TurnState>;
type TurnState = TurnBased<contender_uttt::State>;

const RATE: Schedule = Schedule { start: 0.0, end: 0.0, curve: RateSchedule::Linear };

const LEARNING: Learning = Learning {
    rate: RATE,
    batch: 1,
    epochs: 1,
    clip: 0.2,
    divergence: 1.0,
    // The weight is large, because a single choice among many changes the entropy little.
    entropy: 20.0,
    value: 0.7,
    reward_limit: None,
    discount: 0.99,
    trace: 0.9,
    longest: 1.0,
    average: 0.0,
};

const WAIT: Pick = Cellularena::WAIT;

fn imitation(teacher: &str) -> Imitation {
    Imitation {
        teacher: teacher.to_string(),
        nodes: Some(20),
        deep_share: 1.0,
        fast_nodes: None,
        drawn_turns: 0,
        rounds: 1,
        games: 1,
        own_share: 0.5,
        random_share: 0.2,
        value_share: 0.6,
        epochs: 1,
        window: 0,
        mirrored: false,
        rate: RATE,
    }
}

/// Returns the settings of a training run whose network has policies for this number of sides.
fn recipe(sides: usize) -> Recipe {
    Recipe {
        kind: RecipeKind::PolicyValue,
        game: "cellularena".to_string(),
        length: Length::Games(1),
        network: Sizes { channels: 16, blocks: 0, hidden: 1, sides },
        start: None,
        imitation: Imitation::default(),
        self_play: SelfPlay { games: 1 },
        pool: Pool::default(),
        learning: LEARNING,
        matches: MatchSettings {
            every: 1,
            pairs: 0,
            last_pairs: None,
            patience: None,
            opponents: Vec::new(),
            nodes: None,
            drawn: false,
        },
    }
}

fn shape(sides: usize) -> Shape {
    Cellularena::shape(16, 0, 1, sides)
}

/// Returns a network with random parameters.
fn network(sides: usize) -> Network {
    let shape = shape(sides);
    let mut rng = Rng::new(3);
    let parameters: Vec<f32> = (0..shape.parameters()).map(|_| rng.unit() as f32 - 0.5).collect();
    Network::new(shape, &parameters)
}

/// Runs a bot's search as a teacher does.
fn think(name: &str, state: &State, clock: &Clock, seed: u64) -> [Analysis<Vec<Action>>; 2] {
    let search = Cellularena::search(name, &mut Options::default(), &network(1), seed);
    search.expect("it searches").unwrap()(state, clock)
}

/// Plays a game of a teacher in which the second player may move by the policy.
fn lesson(imitation: &Imitation, is_own: bool, seed: u64, sides: usize) -> Played<Cellularena> {
    let network = network(sides);
    let teacher = Teacher::new(imitation, &network, None, seed).unwrap();
    let own = || Evaluator::new(&network);
    let seats = [Seat::Teacher(own()), if is_own { Seat::Learner(own()) } else { Seat::Teacher(own()) }];
    play(seed, seats, Some(teacher), &recipe(sides), &mut Rng::new(2)).unwrap()
}
