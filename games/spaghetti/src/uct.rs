//! Monte Carlo tree search by random games.

use crate::{Move, State};
use contender_game::{Analysis, Bot, Clock, Game, Player, Rng};
use contender_search::mcts::{Config, Judgement, Mcts, Uct};
use contender_search::{Allowance, Kept, Shares, Sure};

/// Plain UCT: the reward of a player is its own final score in a random game, as every player of the contest is paid by its own
/// points. The tree is kept from turn to turn. Deterministic given its seed and a number of iterations.
pub struct UctBot {
    search: Kept<State, Mcts<State, Sure, Uct>>,
    rng: Rng,
}

/// Points that a standard deviation of the exploration is worth: final scores of random games spread over some tens of points.
const EXPLORATION: f32 = 6.0;
/// Nodes of the tree: 48 MiB, which half a second of a fast machine fills, and as much again while a tree is carried over.
const CAPACITY: usize = 1 << 20;
/// Iterations of a bot that nobody limits.
const UNLIMITED: u64 = 100_000;

impl UctBot {
    /// The bot with this seed.
    #[must_use]
    pub fn new(seed: u64) -> UctBot {
        let config = Config { capacity: CAPACITY, stop_early: true, ..Config::default() };
        UctBot { search: Kept::new(Mcts::new(config, Uct::new(EXPLORATION))), rng: Rng::new(seed) }
    }

    fn search(&mut self, state: &State, clock: &Clock) -> Analysis<Move> {
        let turns_left = (state.empty_cells() + 1) / 2;
        let mut allowance = Shares::EQUAL.allow(clock, turns_left);
        if allowance == Allowance::NONE {
            allowance = Allowance::nodes(UNLIMITED);
        }
        self.search
            .of(state)
            .search(state, &mut RandomGames, &allowance, &mut self.rng)
            .measured("own points", |value| value)
    }
}

impl Bot<State, Move> for UctBot {
    /// # Panics
    /// When the game is over.
    fn choose(&mut self, state: &State, _player: Player, clock: &Clock) -> Move {
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

struct RandomGames;

impl Judgement<State> for RandomGames {
    fn finished(&mut self, state: &State) -> [f32; 2] {
        state.points().map(|points| points as f32)
    }

    fn estimate(&mut self, state: &mut State, rng: &mut Rng, _: &mut Vec<(Player, Move)>) -> [f32; 2] {
        state.rollout(rng);
        self.finished(state)
    }
}
