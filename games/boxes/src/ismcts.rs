//! A bot that uses information-set Monte Carlo tree search. In every iteration, it draws a random colour for the
//! opponent.
//!
//! Source: Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", 2012.

use crate::{time, Placement, State};
use contender_game::{
    contest::{Analysis, Bot, Clock},
    rules::{Game, Hidden, Player, Rng},
    settings,
};
use contender_search::mcts::{OpenLoop, RandomGames, Uct};
use contender_search::WithChance;

settings! {
    /// Settings of the exploration.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct IsmctsSettings {
        /// Weight of the exploration term, if a win is worth 1.
        exploration: f32 = 0.3, 0.0..=10.0;
    }
}

/// Maximum number of placements in the tree. If each placement has a node, the tree takes about 32 MB.
const CAPACITY: usize = 1 << 20;

/// The bot. It counts wins of random games, and learns nothing from the opponent's placements. It is deterministic if a
/// node budget is given. A node is an iteration.
pub struct IsmctsBot {
    search: OpenLoop<State, WithChance, Uct>,
    games: RandomGames<State, WithChance>,
    rng: Rng,
}

impl IsmctsBot {
    /// Creates the bot with this seed, from which the colours and the random games are drawn.
    #[must_use]
    pub fn new(settings: IsmctsSettings, seed: u64) -> IsmctsBot {
        IsmctsBot {
            search: OpenLoop::new(CAPACITY, Uct::new(settings.exploration)),
            games: RandomGames::default(),
            rng: Rng::new(seed),
        }
    }
}

impl Bot<State, Placement> for IsmctsBot {
    /// # Panics
    /// Panics if there is no tile to place.
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Placement {
        match self.analyse(state, player, clock).moves.first() {
            Some(best) => best.mv,
            // The limits did not allow a single iteration.
            None => state.random_move(&mut self.rng, &mut Vec::new()),
        }
    }

    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Placement> {
        let limits = time::limits(state, clock);
        let deal = |state: &mut State, rng: &mut Rng| state.resample(player, rng);
        let found = self.search.search(state, &mut self.games, &limits, &mut self.rng, deal);
        found.measured("share of a win", |reward| reward)
    }
}
