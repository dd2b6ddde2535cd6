//! Entropy: weights for every turn, in points.

use super::games::{ExactSearch, Teacher, exact_search, game_weights, play_pair, teach};
use super::subject::{Player, Subject};
use super::{Learner, Recipe, Targets, WeightsBot, stage};
use contender_entropy::evaluation::{INPUTS, TURNS, TurnWeights, Weights};
use contender_entropy::{GreedyBot, Move, State};
use contender_game::Bot;
use contender_search::Bounds;

/// The game, played and learned by a recipe.
pub struct Entropy<'a>(pub &'a Recipe);

/// The most stages of a player: each turn is one.
pub const MOST_STAGES: usize = TURNS.div_ceil(2);

impl Entropy<'_> {
    fn stages(&self) -> usize {
        self.0.stages.unwrap_or(MOST_STAGES)
    }

    fn weights(&self, learner: &Learner) -> Weights {
        let places: Vec<(f32, Vec<f32>)> = learner.turns().collect();
        game_weights((0..TURNS).map(|turn| places[stage(turn, self.stages())].clone()))
    }
}

impl Subject for Entropy<'_> {
    type Inputs = [f32; INPUTS];
    const RIVAL: &'static str = "greedy";
    const IS_SHARE: bool = false;

    fn places(&self) -> usize {
        (0..TURNS).map(|turn| stage(turn, self.stages()) + 1).max().unwrap_or_default()
    }

    fn inputs(&self) -> usize {
        INPUTS
    }

    /// A stage has the mean weights of its turns.
    fn read(&self, bytes: &[u8]) -> Result<Vec<(f64, Vec<f64>)>, String> {
        let weights: Weights = String::from_utf8_lossy(bytes).parse()?;
        let of_place = |place: usize| {
            let turns: Vec<&TurnWeights> = (0..TURNS)
                .filter(|&turn| stage(turn, self.stages()) == place)
                .map(|turn| &weights.turns[turn])
                .collect();
            let mean = |of: &dyn Fn(&TurnWeights) -> f32| {
                turns.iter().map(|&turn| f64::from(of(turn))).sum::<f64>() / turns.len().max(1) as f64
            };
            (mean(&|turn| turn.bias), (0..INPUTS).map(|input| mean(&|turn| turn.inputs[input])).collect())
        };
        Ok((0..self.places()).map(of_place).collect())
    }

    fn text(&self, learner: &Learner) -> String {
        self.weights(learner).to_string()
    }

    fn player(&self, learner: &Learner) -> Player<'_, [f32; INPUTS]> {
        let Recipe { targets, self_play, .. } = self.0;
        let mut search = exact_search(Teacher::new(self.weights(learner)));
        Box::new(move |rng| {
            let mut positions = Vec::new();
            // The table knows a value that was just searched for.
            let mut see = |state: &State, search: &mut ExactSearch<Teacher>| {
                if *targets != Targets::Nodes {
                    let value = search.value(state, self_play.depth);
                    positions.push(search.guide().node(state, Bounds::exact(value)));
                }
            };
            let end = teach(&mut search, self_play, rng, &mut see);
            targets.teach(&mut positions, end.score() as f32);
            let searched = std::mem::take(&mut search.guide().nodes);
            let mut nodes = if *targets == Targets::Nodes { searched } else { positions };
            nodes.iter_mut().for_each(|node| node.turn = stage(node.turn, self.stages()));
            Ok(nodes)
        })
    }

    /// Points of both games.
    fn rivals(&self, learner: &Learner, other: Option<&Learner>) -> Box<dyn FnMut(u64) -> f64 + '_> {
        let bot = |learner: &Learner| WeightsBot::new(self.weights(learner), self.0.matches.depth);
        let mut own = bot(learner);
        let mut rival: Box<dyn Bot<State, Move>> = match other {
            Some(other) => Box::new(bot(other)),
            None => Box::new(GreedyBot::new()),
        };
        Box::new(move |seed| play_pair(&mut own, &mut *rival, seed))
    }
}
