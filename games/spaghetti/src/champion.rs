//! The strongest bot.

use crate::search::{solved, Choice, Limit, Policy, Search};
use crate::solver::Solver;
use crate::{Move, State};
use contender_game::{Analysis, Bot, Clock, Options, Player};
use contender_search::Shares;
use std::time::Instant;

/// How the champion plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChampionSettings {
    /// It maximises its own points less this share of the other's.
    pub share: f32,
    /// It takes the other to do so with this share.
    pub model: f32,
    /// Weight of the points a move makes at once.
    pub bias: f32,
    /// What the opponent's best answer scores counts so much in that.
    pub reply: f32,
    /// What stands before the logarithm under the root.
    pub exploration: f32,
    /// How often a random game draws again in a turn that would cost points.
    pub redraws: u32,
    /// While a node has fewer visits its moves are followed at random.
    pub random_visits: u32,
    /// Positions that differ in nothing that matters share a node, and the tree is kept.
    pub shares_nodes: bool,
    /// So many last cells are solved, and two more if there is a clock that allows it.
    pub solve: u32,
}

impl Default for ChampionSettings {
    fn default() -> ChampionSettings {
        ChampionSettings {
            share: 0.5,
            model: 0.5,
            bias: 34.0,
            reply: 0.0,
            exploration: 7.0,
            redraws: 3,
            random_visits: 0,
            shares_nodes: false,
            solve: 11,
        }
    }
}

impl ChampionSettings {
    /// Names and meanings of the options.
    pub const OPTIONS: &'static [(&'static str, &'static str)] = &[
        ("share", "it maximises its own points less this share of the other's (0.5)"),
        ("model", "it takes the other to do so with this share (0.5)"),
        ("bias", "weight of the points a move makes at once (34)"),
        ("reply", "what the best answer scores counts so much in that (0)"),
        ("c", "exploration: what stands before the logarithm under the root (7)"),
        ("redraws", "how often a random game draws again in a turn that would cost points (3)"),
        ("random", "visits of a node until which its moves are followed at random (0)"),
        (
            "shared",
            "positions that differ in nothing that matters share a node, and the tree is kept: on, off (off)",
        ),
        ("solve", "how many last cells are solved exactly, and two more if time allows (11)"),
    ];

    /// The default settings with what the options say instead.
    ///
    /// # Errors
    /// A value that makes no sense.
    pub fn take(options: &mut Options) -> Result<ChampionSettings, String> {
        let base = ChampionSettings::default();
        Ok(ChampionSettings {
            share: options.take_number("share", base.share, -1.0..=10.0)?,
            model: options.take_number("model", base.model, -1.0..=10.0)?,
            bias: options.take_number("bias", base.bias, -1000.0..=1000.0)?,
            reply: options.take_number("reply", base.reply, 0.0..=10.0)?,
            exploration: options.take_number("c", base.exploration, 0.0..=1000.0)?,
            redraws: options.take_number("redraws", base.redraws, 0..=100)?,
            random_visits: options.take_number("random", base.random_visits, 0..=1_000_000)?,
            shares_nodes: options.take_switch("shared", base.shares_nodes)?,
            solve: options.take_number("solve", base.solve, 0..=14)?,
        })
    }
}

/// The most positions the solver takes on in one turn: its table has 128 MiB then.
const MOST_POSITIONS: u64 = 4_000_000;

/// Equal shares of the game's time.
const SHARES: Shares = Shares { unlimited: 200_000, ..Shares::EQUAL };

/// Nodes of the tree.
const CAPACITY: usize = 1 << 21;

/// Deterministic given its seed and a number of iterations.
pub struct ChampionBot {
    settings: ChampionSettings,
    search: Search,
    /// For one of the players.
    solver: Option<(Player, Solver)>,
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
            shares_nodes: settings.shares_nodes,
            capacity: CAPACITY,
            ..Policy::UCT
        };
        ChampionBot { settings, search: Search::new(policy, seed), solver: None }
    }

    fn search(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Move> {
        let began = Instant::now();
        if let Some(moves) = self.solve(state, player, clock) {
            let positions = self.solver.as_ref().map_or(0, |(_, solver)| solver.positions());
            return solved(state, moves, self.settings.share, positions, began);
        }
        // The solver's time is on top of the search's, so that the search always has some.
        let late = |time: Instant| time + began.elapsed();
        let last = clock.turn_limit().map(|left| clock.turn_start() + left.mul_f64(0.9));
        let allowance = SHARES.allow(clock, self.turns_to_search(state));
        let deadline =
            allowance.hard.map(late).into_iter().chain(last).min().filter(|_| allowance.hard.is_some());
        let iterations = allowance.nodes.unwrap_or(u64::MAX);
        self.search.search(state, &Limit { iterations, deadline, majority: u64::MAX, stops_early: true })
    }

    /// How many turns there are to share the time with: those before the solver takes over, which gets as much as some more.
    fn turns_to_search(&self, state: &State) -> u32 {
        const SOLVERS_SHARE: u32 = 4;
        (state.empty_cells() + 1) / 2 - (self.solve_at_clock() / 2).min(state.empty_cells() / 2)
            + SOLVERS_SHARE
    }

    /// Where time is limited the solver is tried earlier: if it succeeds no later turn needs time, and if not, much of what it solved
    /// helps in the next turn.
    fn solve_at_clock(&self) -> u32 {
        self.settings.solve + 2 * u32::from(self.settings.solve > 0)
    }

    /// The moves of a position near the end, the best first; `None` if there are too many cells or too little time.
    fn solve(&mut self, state: &State, player: Player, clock: &Clock) -> Option<Vec<(Move, [i32; 2])>> {
        let left = clock.turn_limit().filter(|_| clock.nodes().is_none());
        let cells = if left.is_some() { self.solve_at_clock() } else { self.settings.solve };
        if state.empty_cells() > cells {
            return None;
        }
        if self.solver.as_ref().map_or(true, |(of, _)| *of != player) {
            let mut shares = [self.settings.model; 2];
            shares[player] = self.settings.share;
            self.solver = Some((player, Solver::new(shares)));
        }
        let (_, solver) = self.solver.as_mut()?;
        solver.solve(state, MOST_POSITIONS, left.map(|left| clock.turn_start() + left / 2)).ok()
    }
}

impl Bot<State, Move> for ChampionBot {
    /// # Panics
    /// When the game is over.
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Move {
        self.search(state, player, clock).moves[0].mv
    }

    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Move> {
        self.search(state, player, clock)
    }
}
