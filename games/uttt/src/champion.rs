//! The strongest bot: best-first minimax over the network.

use crate::net::Net;
use crate::{Move, State};
use contender_game::{settings, Analysis, Bot, Clock, Game, Player, SWITCH};
use contender_search::best_first::{BestFirst, BestFirstConfig, Expand, Worth};
use contender_search::{Kept, Shares};

settings! {
    /// How the champion searches.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ChampionSettings {
        /// Weight of the exploration term, where a win is worth 1.
        exploration ("c"): f32 = 0.1, 0.0..=100.0;
        /// Share of a child's minimax value in its choice; the rest is its mean.
        minimax: f32 = 0.3, 0.0..=1.0;
        /// What doubling the visits is worth in the choice of the move to play, where a win is worth 1; inf for most visits.
        habit: f32 = 0.05, 0.0..=f32::INFINITY;
        /// Keep the tree between turns.
        reuse: bool = true, SWITCH;
        /// Share of a turn's time that is used.
        time: f32 = 0.9, 0.01..=1.0;
    }
}

/// Nodes of the tree.
const CAPACITY: usize = 1 << 22;

/// Searches over the network, with proofs of wins, losses and draws. Deterministic given a number of iterations.
pub struct ChampionBot {
    settings: ChampionSettings,
    net: Judge,
    search: Kept<State, BestFirst<State>>,
}

impl ChampionBot {
    /// The bot with these settings.
    #[must_use]
    pub fn new(settings: ChampionSettings) -> ChampionBot {
        ChampionBot::with_network(settings, Net::shipped())
    }

    /// The same with another network.
    #[must_use]
    pub fn with_network(settings: ChampionSettings, net: Net) -> ChampionBot {
        let ChampionSettings { exploration, minimax, habit, .. } = settings;
        let config = BestFirstConfig { capacity: CAPACITY, exploration, minimax, habit };
        let net = Judge { net, values: Vec::new() };
        ChampionBot { settings, net, search: Kept::new(BestFirst::new(config)) }
    }

    fn search(&mut self, state: &State, clock: &Clock) -> Analysis<Move> {
        let allowance = Shares::of_turn(f64::from(self.settings.time)).allow(clock, 1);
        if !self.settings.reuse {
            self.search.reset();
        }
        let found = self.search.of(state).search(state, &mut self.net, &allowance);
        found.measured("share of a win", |value| 0.5 + value)
    }
}

impl Bot<State, Move> for ChampionBot {
    /// # Panics
    /// When the game is over.
    fn choose(&mut self, state: &State, _player: Player, clock: &Clock) -> Move {
        let centre = Move::new(4, 4);
        if clock.nodes().is_none() && clock.turn_limit().is_some() {
            // The first turn has the time for it, the second has not.
            self.search.of(state).warm_up(centre);
        }
        if *state == State::default() {
            if self.settings.reuse {
                // The long first turn's time is for what the opponent may answer.
                let mut next = *state;
                next.play(centre);
                self.search(&next, clock);
            }
            return centre;
        }
        let mv = self.search(state, clock).moves[0].mv;
        self.search.play(state, mv);
        mv
    }

    fn observe(&mut self, state: &State, _player: Player, mv: &Move) {
        self.search.play(state, *mv);
    }

    fn analyse(&mut self, state: &State, _player: Player, clock: &Clock) -> Analysis<Move> {
        self.search(state, clock)
    }
}

/// The network as the search asks it.
struct Judge {
    net: Net,
    values: Vec<(f32, bool)>,
}

impl Expand<State> for Judge {
    /// Values are from -0.5 to 0.5, so that a win is worth 1 more than a loss.
    fn expand(&mut self, state: &State, moves: &[Move], worths: &mut Vec<Worth>) {
        self.values.clear();
        self.net.evaluate_moves(state, moves, &mut self.values);
        let sign = state.mover().sign() as f32;
        worths.extend(self.values.iter().map(|&(value, is_over)| {
            let value = sign * (value - 0.5);
            if is_over {
                Worth::Exact(value)
            } else {
                Worth::Guess(value)
            }
        }));
    }

    fn highest(&self) -> f32 {
        0.5
    }
}
