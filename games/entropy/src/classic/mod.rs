//! The bot of the write-up that came second in CodeCup 2023. The bot combines *-minimax, a linear evaluation, and a
//! gamble against weak opponents.
//!
//! The search is [`Search`] with all techniques from the write-up; each technique is an option ([`ClassicSettings`]).
//! The bot measures the loss of each of the opponent's moves ([`Regret`]). If the total loss is large and the bot is
//! Order, it plays for the most points in its own next moves, as if no more chips came. As an option, which the
//! champion uses, it plays against the opponent's observed habits instead ([`Beliefs`]), as Order and as Chaos.

mod habits;
mod optimistic;
mod regret;
mod sampling;
mod settings;

pub use habits::{Beliefs, Habit, Picker, HABITS};
pub use optimistic::Solo;
pub use regret::{regret, Regret};
pub use settings::{ClassicSettings, Optimism, Replies};

use crate::evaluation::{
    decision, expected_lead, in_points, maps, Linear, Observer, Value, ValueGuide, Weights, NAMES, TURNS,
};
use crate::time::{JUDGING, SAMPLING, TIME};
use crate::{Move, State, CELLS};
use contender_game::{
    contest::{Analysis, Bot, Clock},
    rules::Player,
};
use contender_search::{Search, SearchLimits, WithChance};
use optimistic::Optimist;
use sampling::Sampler;

/// The classic bot. With a node budget, it is deterministic.
pub struct ClassicBot<V = Linear> {
    settings: ClassicSettings,
    search: Search<State, ValueGuide<V>, WithChance>,
    /// The exact search, which judges the opponent's moves and settles the endgame. It assigns no regret to a perfect
    /// opponent.
    exact: Search<State, ValueGuide<V>, WithChance>,
    optimist: Optimist,
    sampler: Sampler<V>,
    beliefs: Beliefs,
    regret: Regret,
    /// A move that has not been judged yet, and the state before it.
    unjudged: Option<(State, Move)>,
}

impl ClassicBot {
    /// Creates the bot with these settings and weights.
    #[must_use]
    pub fn new(settings: ClassicSettings, weights: Weights) -> ClassicBot {
        ClassicBot::with(settings, weights.into())
    }
}

impl<V: Value> ClassicBot<V> {
    /// Creates the bot with these settings and this evaluation.
    #[must_use]
    pub fn with(settings: ClassicSettings, evaluation: V) -> ClassicBot<V> {
        let guide = ValueGuide::<V>::new(evaluation);
        ClassicBot {
            search: Search::new(guide.clone(), settings.config()),
            exact: Search::new(guide.clone(), regret::CONFIG),
            sampler: Sampler::new(guide, settings.rounds),
            beliefs: Beliefs::new(),
            optimist: Optimist::new(settings.early),
            regret: Regret::default(),
            unjudged: None,
            settings,
        }
    }

    /// Returns the opponent's total regret.
    #[must_use]
    pub fn regret(&self) -> Regret {
        self.regret
    }

    /// Returns the beliefs about the opponent's habits.
    #[must_use]
    pub fn beliefs(&self) -> &Beliefs {
        &self.beliefs
    }

    /// Returns whether the bot would play optimistically if `placed` chips are on the board.
    #[must_use]
    pub fn is_optimistic(&self, placed: u32) -> bool {
        placed < self.settings.optimistic_until
            && match self.settings.optimism {
                Optimism::Off => false,
                Optimism::Always => true,
                Optimism::Earned => {
                    self.regret.total
                        > self.settings.threshold_base
                            + self.settings.threshold_rate * self.regret.moves as f32
                }
            }
    }

    /// Returns the limits of a turn.
    #[must_use]
    pub fn limits(&self, state: &State, clock: &Clock) -> SearchLimits {
        let moves_left = (CELLS as u32).saturating_sub(state.placed()).max(1);
        let depth = self.settings.depth.min(decisions_left(state));
        SearchLimits { depth, ..TIME.limits(clock, moves_left) }
    }

    /// Adds the regret of the last observed move.
    fn add_regret(&mut self, limits: &SearchLimits, clock: &Clock) {
        let Some((state, mv)) = self.unjudged.take() else { return };
        let limits = SearchLimits {
            depth: self.settings.judging_depth,
            // The depth is so small that a node budget is hardly exceeded.
            nodes: None,
            soft: None,
            hard: limits.hard_after(clock.turn_start(), JUDGING),
        };
        self.exact.guide().focus(&state, self.settings.focus);
        if let Some(regret) = regret(&mut self.exact, &state, mv, &limits) {
            self.regret.add(regret);
        }
    }

    /// Returns the analysis, and whether the bot is exploiting the opponent's weakness.
    fn think(&mut self, state: &State, player: Player, clock: &Clock) -> (Analysis<Move>, bool) {
        let limits = self.limits(state, clock);
        if self.settings.optimism != Optimism::Off && (player == Player::Zero || self.settings.as_chaos) {
            self.add_regret(&limits, clock);
            if self.is_optimistic(state.placed()) {
                let found = match self.settings.replies {
                    Replies::None if player == Player::Zero => {
                        let depth = self.settings.optimistic_depth.min(CELLS as u32 - state.placed());
                        self.optimist.search(state, &SearchLimits { depth, ..limits })
                    }
                    _ => {
                        let hard = limits.hard_after(clock.turn_start(), SAMPLING);
                        let limits = SearchLimits { hard, ..limits };
                        self.sampler.search(state, player, &self.beliefs, &limits)
                    }
                };
                return (found, true);
            }
        }
        let guide = self.search.guide();
        guide.focus(state, self.settings.focus);
        guide.predict(state);
        let found = self.search.search(state, &limits);
        (self.settle(state, found, &limits), false)
    }

    /// Runs the exact search if the search has reached the end of the game but has pruned moves. In this case enough
    /// time is left for another search, and few positions are left to search.
    fn settle(&mut self, state: &State, found: Analysis<Move>, limits: &SearchLimits) -> Analysis<Move> {
        if !self.settings.settle || found.is_proven() || found.depth < decisions_left(state) {
            return found;
        }
        let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(self.search.stats().nodes));
        self.exact.guide().focus(state, self.settings.focus);
        let exact = self.exact.search(state, &SearchLimits { nodes, ..*limits });
        if exact.is_proven() {
            exact
        } else {
            found
        }
    }
}

/// Returns the number of decisions from a state to the end of the game.
fn decisions_left(state: &State) -> u32 {
    decision(state).map_or(0, |decision| (TURNS - decision) as u32)
}

impl<V: Value> Bot<State, Move> for ClassicBot<V> {
    /// # Panics
    /// Panics if the game is over.
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Move {
        self.think(state, player, clock).0.moves[0].mv
    }

    fn observe(&mut self, state: &State, player: Player, mv: &Move) {
        self.beliefs.observe(state, player.other(), *mv);
        self.unjudged = Some((state.clone(), *mv));
    }

    /// In addition to moves and statistics, returns the inputs of the evaluation, the current points and the value of
    /// the evaluation.
    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Move> {
        let (found, is_optimistic) = self.think(state, player, clock);
        let mut analysis = found.measured("points", |value| expected_lead(value, player));
        analysis.counts.push(("optimistic", u64::from(is_optimistic)));
        let guide = self.search.guide();
        let inputs = Observer::new().inputs(state).map(f64::from);
        analysis.inputs.extend(NAMES.into_iter().zip(inputs));
        analysis.maps = maps(state);
        analysis.inputs.push(("points", f64::from(state.score())));
        analysis.inputs.push(("evaluation", in_points(f64::from(guide.unclamped(state)))));
        analysis
    }
}
