//! The strongest bot.

use crate::generate::Generator;
use crate::search::{Choice, Found, Limit, Policy, Search};
use crate::solver::Solver;
use crate::{Move, State};
use contender_game::{settings, Analysis, Bot, Clock, Player, SWITCH};
use contender_search::{Allowance, Shares};
use std::time::Instant;

settings! {
    /// How the champion plays.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ChampionSettings {
        /// It maximises its own points less this share of the other's.
        share: f32 = 0.5, -1.0..=10.0;
        /// It takes the other to do so with this share.
        model: f32 = 0.5, -1.0..=10.0;
        /// Weight of the points a move makes at once.
        bias: f32 = 34.0, -1000.0..=1000.0;
        /// What the opponent's best answer scores counts so much in that.
        reply: f32 = 0.0, 0.0..=10.0;
        /// Exploration: what stands before the logarithm under the root.
        exploration ("c"): f32 = 7.0, 0.0..=1000.0;
        /// How often a random game draws again in a turn that would cost points.
        redraws: u32 = 3, 0..=100;
        /// Visits of a node until which its moves are followed at random.
        random_visits ("random"): u32 = 0, 0..=1_000_000;
        /// Positions that differ in nothing that matters share a node, and the tree is kept.
        shares_nodes ("shared"): bool = true, SWITCH;
        /// How many last cells are solved exactly.
        solve: u32 = 10, 0..=20;
    }
}

/// Iterations of a bot that nobody limits.
const UNLIMITED: u64 = 200_000;

/// Nodes of the tree.
const CAPACITY: usize = 1 << 21;

/// Deterministic given its seed and a number of iterations.
pub struct ChampionBot {
    settings: ChampionSettings,
    search: Search,
    solver: Option<Solver>,
}

impl ChampionBot {
    /// The bot with these settings and this seed.
    #[must_use]
    pub fn new(settings: ChampionSettings, seed: u64) -> ChampionBot {
        let policy = Policy {
            choice: Choice::Confidence { exploration: settings.exploration },
            random_visits: settings.random_visits,
            bias: settings.bias,
            reply: settings.reply,
            share: settings.share,
            model: settings.model,
            redraws: settings.redraws,
            moves: Generator::All,
            games: Generator::All,
            is_flat: false,
            plays_best: false,
            shares_nodes: settings.shares_nodes,
            capacity: CAPACITY,
        };
        ChampionBot { settings, search: Search::new(policy, seed), solver: None }
    }

    fn search(&mut self, state: &State, player: Player, clock: &Clock) -> Found {
        let began = Instant::now();
        if state.empty_cells() <= self.settings.solve {
            let settings = &self.settings;
            let solver = self.solver.get_or_insert_with(|| {
                let mut shares = [settings.model; 2];
                shares[player] = settings.share;
                Solver::new(shares)
            });
            if let Ok(moves) = solver.solve(state, u64::MAX, None) {
                return Found::solved(state, moves, began);
            }
        }
        let turns_left = (state.empty_cells() + 1) / 2;
        let mut allowance = Shares::EQUAL.allow(clock, turns_left);
        if allowance == Allowance::NONE {
            allowance = Allowance::nodes(UNLIMITED);
        }
        let iterations = allowance.nodes.unwrap_or(u64::MAX);
        let limit = Limit { iterations, deadline: allowance.hard, majority: u64::MAX, stops_early: true };
        self.search.search(state, &limit)
    }
}

impl Bot<State, Move> for ChampionBot {
    /// # Panics
    /// When the game is over.
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Move {
        self.search(state, player, clock).best()
    }

    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Move> {
        self.search(state, player, clock).analysis(state)
    }
}
