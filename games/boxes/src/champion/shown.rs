//! The opponent's knowledge of the bot's colour, derived from the bot's moves.
//!
//! Opponents guess the bot's colour in different ways. Some of them weigh all moves, like [`Belief`]. Others guess the
//! colour whose evaluation has risen most, like [`Guess`] and the write-up. Against these opponents it is enough if
//! another colour is slightly ahead of the bot's. Once the bot's colour is far ahead, it cannot be hidden any more.
//!
//! The opponent's replies show which kind of opponent it is: the replies prevent squares of the colour that the
//! opponent believes to be the bot's.

use super::belief::{normalised, Belief, Reply};
use crate::classic::Guess;
use crate::{Colour, Placement, State, COLOURS};

/// Increase of the logarithm of a reply's probability per point of gain. The gain is that of the opponent's colour,
/// minus the gains of the colours that the opponent believes to be the bot's.
const SHARPNESS: f64 = 2.0;

/// Probability with which an opponent makes a random move.
const ANYTHING: f64 = 0.1;

/// The bot's moves as the opponent sees them.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    belief: Belief,
    guess: Guess,
    /// The logarithm of a likelihood ratio. The ratio tells how much better the opponent's replies fit an opponent that
    /// guesses by evaluations than an opponent that weighs all moves.
    by_evaluation: f64,
}

impl Shown {
    /// Observes a move of the bot. `state` is the state before the move, and contains the tile to place.
    ///
    /// # Panics
    /// Panics if there is no tile to place, or if the placement is illegal.
    pub fn observe(&mut self, state: &State, placement: Placement) {
        self.belief.observe(state, placement);
        self.guess.observe(state, placement);
    }

    /// Observes a reply. `others` contains the probabilities of the opponent's colours before the reply.
    pub(super) fn hear(&mut self, reply: &Reply, others: &[f64; COLOURS]) {
        // Returns the probability of the reply under a model of the opponent. For each colour of the opponent, `taken`
        // returns the probabilities of the colours that such an opponent takes for the bot's.
        let probability = |taken: &dyn Fn(usize) -> [f64; COLOURS]| -> f64 {
            let by_colour = |other: usize| {
                let taken = taken(other);
                let worth = |at: usize| -> f64 {
                    let denied: f64 =
                        (0..COLOURS).map(|colour| taken[colour] * reply.points[colour][at]).sum();
                    SHARPNESS * (reply.points[other][at] - denied)
                };
                let worths: Vec<f64> = (0..reply.points[other].len()).map(worth).collect();
                let most = worths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let total: f64 = worths.iter().map(|worth| (worth - most).exp()).sum();
                let meant = (worths[reply.chosen] - most).exp() / total;
                (1.0 - ANYTHING) * meant + ANYTHING / worths.len() as f64
            };
            (0..COLOURS)
                .filter(|&other| others[other] > 0.01)
                .map(|other| others[other] * by_colour(other))
                .sum()
        };
        let guessed = |other: usize| {
            let mut taken = [0.0; COLOURS];
            if let Some(colour) = self.guess.colour(other as Colour) {
                taken[usize::from(colour)] = 1.0;
            }
            taken
        };
        let weighed = |other: usize| self.belief.probabilities(other as Colour);
        self.by_evaluation += probability(&guessed).ln() - probability(&weighed).ln();
    }

    /// Returns the probability that the opponent guesses by evaluations. `prior` is this probability before any reply,
    /// and `weight` is an exponent for the likelihood of the replies.
    pub(super) fn by_evaluation(&self, prior: f64, weight: f64) -> f64 {
        normalised([prior.ln() + weight * self.by_evaluation, (1.0 - prior).ln()])[0]
    }

    /// Returns the probability that, after one more move, the opponent believes `own` to be the bot's colour.
    ///
    /// `evidence` is the move's contribution to the logarithm of each colour's likelihood, and `gains` is its
    /// contribution to the evaluations. `others` contains the probabilities of the opponent's colours. The opponent
    /// knows its own colour. `by_evaluation` is the probability that the opponent guesses by evaluations.
    pub fn after(
        &self,
        own: usize,
        evidence: [f64; COLOURS],
        gains: [i64; COLOURS],
        others: &[f64; COLOURS],
        by_evaluation: f64,
    ) -> f64 {
        let guess = self.guess.after(gains);
        let is_right = |other: usize| guess.colour(other as Colour) == Some(own as Colour);
        let right: f64 = (0..COLOURS).filter(|&other| is_right(other)).map(|other| others[other]).sum();
        by_evaluation * right + (1.0 - by_evaluation) * self.belief.probability_after(own, evidence)
    }
}

#[cfg(test)]
mod tests {
    use super::super::placements::Placements;
    use super::*;
    use crate::shape::Shape;
    use contender_game::rules::{Chance, Game, Rng, Turn};

    /// Simulated opponents maximise their own gain minus the gain of the colour that they believe to be the bot's.
    #[test]
    fn replies_tell_how_an_opponent_guesses() {
        let told = [true, false].map(|guesses_by_evaluation| {
            let mut told = 0.0;
            for seed in 0..16 {
                let mut rng = Rng::new(seed);
                let mut state = State::random(&mut rng);
                let (mut shown, mut belief) = (Shown::default(), Belief::default());
                while state.turn() != Turn::Over {
                    state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
                    let player = state.mover();
                    let [own, other] = [player, player.other()].map(|player| state.colours()[player]);
                    let any = state.random_move(&mut rng, &mut Vec::new());
                    let mut reply = Reply::new(&state, any);
                    let is_bot = player.index() == 0;
                    let taken = match shown.guess.colour(own) {
                        Some(colour) if guesses_by_evaluation => {
                            [0, 1, 2, 3, 4, 5].map(|at: Colour| f64::from(u8::from(at == colour)))
                        }
                        _ => shown.belief.probabilities(own),
                    };
                    let worth = |at: usize| -> f64 {
                        let denied: f64 =
                            (0..COLOURS).map(|colour| taken[colour] * reply.points[colour][at]).sum();
                        reply.points[usize::from(own)][at] - denied
                    };
                    let best = (0..reply.points[0].len()).max_by(|&a, &b| worth(a).total_cmp(&worth(b)));
                    // The bot plays at random, so that the guesses differ.
                    if !is_bot {
                        reply.chosen = best.expect("there is a move");
                    }
                    let mut placements = Placements::default();
                    placements.find(&Shape::of(&state));
                    let placement = placements.list[reply.chosen];
                    if is_bot {
                        shown.observe(&state, placement);
                    } else {
                        shown.hear(&reply, &belief.probabilities(other));
                        belief.hear(&reply);
                    }
                    state.play(placement);
                }
                told += shown.by_evaluation;
            }
            told
        });
        assert!(told[0] > 1.0 && told[1] < -1.0, "{told:?}");
    }

    #[test]
    fn without_replies_or_weight_nothing_is_learned() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} for {b}");
        close(Shown::default().by_evaluation(0.3, 3.0), 0.3);
        let told = Shown { by_evaluation: 2.0, ..Shown::default() };
        close(told.by_evaluation(0.3, 0.0), 0.3);
        close(told.by_evaluation(0.5, 1.0), 1.0 / (1.0 + (-2.0f64).exp()));
        for certain in [0.0, 1.0] {
            close(told.by_evaluation(certain, 3.0), certain);
        }
    }
}
