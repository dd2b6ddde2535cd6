//! An opponent's habits, learned from its moves. The habits predict the opponent's next moves.
//!
//! A move's loss is the score after the best move minus the score after this move, in points. A player with care `r`
//! plays a move with a loss of `n` points `r^n` times as often as a move without loss. With `r` = 1 the player moves at
//! random (the multinomial logit of McFadden, 1974). A simple program plays the first or the last of the moves without
//! loss, in row order. Bayes' rule gives the probability of each habit.

use crate::{Move, State};
use contender_game::rules::{Game, Player, Rng};

/// A way to play that depends only on the points right after each move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Habit {
    /// Plays a move with a loss of `n` points `r^n` times as often as a move without loss.
    Care(f64),
    /// Plays the first of the best moves, in the order of [`State::moves`](Game::moves).
    First,
    /// Plays the last of the best moves.
    Last,
}

impl Habit {
    /// The habit of playing all best moves with equal probability.
    pub const GREEDY: Habit = Habit::Care(0.0);
}

/// The habits whose probabilities are tracked.
pub const HABITS: [Habit; 10] = [
    Habit::Care(1.0),
    Habit::Care(0.9),
    Habit::Care(0.8),
    Habit::Care(0.65),
    Habit::Care(0.5),
    Habit::Care(0.35),
    Habit::Care(0.2),
    Habit::Care(0.05),
    Habit::First,
    Habit::Last,
];

/// Number of distinct losses. Larger losses count as the largest distinct loss.
const LOSSES: usize = 40;

/// Share of the belief that is distributed equally before each move. A belief of 0 could never recover, although
/// opponents change their habits.
const DOUBT: f64 = 0.01;

/// Probability that a player with a habit makes a random move instead.
const LAPSE: f64 = 0.01;

/// The probabilities of an opponent's habits.
#[derive(Clone, Debug)]
pub struct Beliefs {
    beliefs: [f64; HABITS.len()],
    picker: Picker,
}

impl Beliefs {
    /// Creates the beliefs before any move, with equal probabilities.
    #[must_use]
    pub fn new() -> Beliefs {
        Beliefs { beliefs: [1.0 / HABITS.len() as f64; HABITS.len()], picker: Picker::new() }
    }

    /// Updates the beliefs after a move of `player` in `state`.
    pub fn observe(&mut self, state: &State, player: Player, mv: Move) {
        self.picker.look(state, player);
        for (belief, &habit) in self.beliefs.iter_mut().zip(&HABITS) {
            let prior = (1.0 - DOUBT) * *belief + DOUBT / HABITS.len() as f64;
            let lapse = LAPSE / self.picker.moves.len().max(1) as f64;
            *belief = prior * ((1.0 - LAPSE) * self.picker.chance(habit, mv) + lapse);
        }
        let sum: f64 = self.beliefs.iter().sum();
        self.beliefs = self.beliefs.map(|belief| belief / sum);
    }

    /// Returns the probability of each of [`HABITS`]; the sum is 1.
    #[must_use]
    pub fn beliefs(&self) -> &[f64; HABITS.len()] {
        &self.beliefs
    }

    /// Draws a habit with its believed probability.
    pub fn draw(&self, rng: &mut Rng) -> Habit {
        let mut rest = rng.unit();
        for (&habit, belief) in HABITS.iter().zip(self.beliefs) {
            rest -= belief;
            if rest < 0.0 {
                return habit;
            }
        }
        HABITS[0]
    }
}

impl Default for Beliefs {
    fn default() -> Beliefs {
        Beliefs::new()
    }
}

/// A generator of moves that follow a habit.
#[derive(Clone, Debug)]
pub struct Picker {
    /// The moves of the latest state, with their losses.
    moves: Vec<Move>,
    losses: Vec<usize>,
    /// The powers `r^n` for every habit's care and every loss. The last entry is for a care of 0.
    powers: Vec<(Habit, [f64; LOSSES])>,
}

impl Picker {
    /// Creates the picker.
    #[must_use]
    pub fn new() -> Picker {
        let powers = HABITS.into_iter().chain([Habit::GREEDY]).map(|habit| {
            let mut powers = [1.0; LOSSES];
            for loss in 1..LOSSES {
                powers[loss] = powers[loss - 1] * if let Habit::Care(care) = habit { care } else { 0.0 };
            }
            (habit, powers)
        });
        Picker { moves: Vec::new(), losses: Vec::new(), powers: powers.collect() }
    }

    /// Picks a move of `player`, who must act, with this habit.
    ///
    /// # Panics
    /// Panics if there is no legal move, or if a care is neither 0 nor in [`HABITS`].
    pub fn pick(&mut self, state: &State, player: Player, habit: Habit, rng: &mut Rng) -> Move {
        self.look(state, player);
        let best = |loss: &usize| *loss == 0;
        let at = match habit {
            Habit::First => self.losses.iter().position(best),
            Habit::Last => self.losses.iter().rposition(best),
            Habit::Care(_) => {
                let powers = self.powers(habit);
                let total: f64 = self.losses.iter().map(|&loss| powers[loss]).sum();
                let mut rest = rng.unit() * total;
                let drawn = self.losses.iter().position(|&loss| {
                    rest -= powers[loss];
                    rest < 0.0
                });
                // Rounding may leave a small remainder.
                drawn.or_else(|| self.losses.iter().rposition(best))
            }
        };
        self.moves[at.expect("one of the moves has no loss")]
    }

    /// Returns the probability that a player with this habit plays `mv` in the latest state.
    fn chance(&self, habit: Habit, mv: Move) -> f64 {
        let Some(at) = self.moves.iter().position(|&other| other == mv) else { return 0.0 };
        let is_best = |loss: &usize| *loss == 0;
        match habit {
            Habit::First => f64::from(u8::from(self.losses.iter().position(is_best) == Some(at))),
            Habit::Last => f64::from(u8::from(self.losses.iter().rposition(is_best) == Some(at))),
            Habit::Care(_) => {
                let powers = self.powers(habit);
                powers[self.losses[at]] / self.losses.iter().map(|&loss| powers[loss]).sum::<f64>()
            }
        }
    }

    fn powers(&self, habit: Habit) -> &[f64; LOSSES] {
        &self.powers.iter().find(|(other, _)| *other == habit).expect("a known care").1
    }

    fn look(&mut self, state: &State, player: Player) {
        self.moves.clear();
        state.moves(&mut self.moves);
        let score = |&mv: &Move| player.sign() * state.score_after(mv);
        let scores = || self.moves.iter().map(score);
        let best = scores().max().unwrap_or_default();
        self.losses.clear();
        let losses = self.moves.iter().map(|mv| ((best - score(mv)) as usize).min(LOSSES - 1));
        self.losses.extend(losses);
    }
}

impl Default for Picker {
    fn default() -> Picker {
        Picker::new()
    }
}
