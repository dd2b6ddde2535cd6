//! The strongest bot.

use crate::policy::{Choice, Ending, Policy};
use crate::search::Search;
use crate::solver::Solver;
use crate::trace::maps;
use crate::{Move, State};
use contender_game::{
    contest::{Analysis, Bot, Clock},
    rules::Player,
    settings,
    settings::SWITCH,
};
use contender_search::{SearchLimits, TimeManager};
use std::time::Instant;

settings! {
    /// Settings of the champion.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ChampionSettings {
        /// Share of the opponent's points that is subtracted from the bot's own points in the value it maximises.
        share: f32 = 0.5, -1.0..=10.0;
        /// The share that the bot expects the opponent to subtract in the same way.
        model: f32 = 0.5, -1.0..=10.0;
        /// Weight of the points that a move scores at once.
        bias: f32 = 34.0, -1000.0..=1000.0;
        /// Exploration: the factor of the logarithm in the square root.
        exploration ("c"): f32 = 50.0, 0.0..=1000.0;
        /// Number of times per turn that a random game may replace a move that would cost points
        redraws: u32 = 3, 0..=100;
        /// Try moves that join the side walls first.
        links_first ("links"): bool = true, SWITCH;
        /// Number of last cells that the bot solves exactly; up to three more if there is enough time
        solve: u32 = 11, 0..=13;
    }
}

/// Maximum number of positions that the solver stores in one turn: the capacity of its table.
const MAX_POSITIONS: u64 = 14_000_000;

/// The time plan of the search, with an equal share of the game's time for every turn.
const TIME: TimeManager = TimeManager { unlimited: 200_000, ..TimeManager::EQUAL };

/// The time limit of a search that follows an unsuccessful run of the solver.
const LATEST: TimeManager = TimeManager { reserve: 0.0, hard: 0.9, ..TimeManager::EQUAL };

/// The solver's limits: most of the remaining time, because no later turn needs time once the game is solved.
const SOLVING: TimeManager = TimeManager { reserve: 0.0, hard: 0.75, ..TimeManager::EQUAL };

/// Maximum number of nodes in the tree.
const CAPACITY: usize = 1 << 21;

/// The strongest bot. The bot is deterministic if its seed and a number of iterations are given.
pub struct ChampionBot {
    settings: ChampionSettings,
    search: Search,
    /// The solver, and the player whose moves it solves.
    solver: Option<(Player, Solver)>,
}

impl ChampionBot {
    /// Creates the bot with these settings and this seed.
    #[must_use]
    pub fn new(settings: ChampionSettings, seed: u64) -> ChampionBot {
        let policy = Policy {
            choice: Choice::Confidence { exploration: settings.exploration },
            bias: settings.bias,
            share: settings.share,
            model: settings.model,
            redraws: settings.redraws,
            links_first: settings.links_first,
            ending: Ending::Lead,
            capacity: CAPACITY,
            ..Policy::UCT
        };
        ChampionBot { settings, search: Search::new(policy, seed), solver: None }
    }

    fn search(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Move> {
        let began = Instant::now();
        if let Some(solved) = self.solve(state, player, clock) {
            return solved;
        }
        let mut limits = TIME.limits(clock, self.turns_to_search(state));
        // The solver's time is added to the limit, so that the search always has some time.
        let latest = LATEST.limits(clock, 1).hard;
        limits.hard = limits.hard.zip(latest).map(|(hard, latest)| latest.min(hard + began.elapsed()));
        self.search.search(state, &limits)
    }

    /// Returns the number of turns that share the time: the turns before the solver starts, plus some turns for the
    /// solver.
    fn turns_to_search(&self, state: &State) -> u32 {
        const SOLVERS_SHARE: u32 = 4;
        (state.empty_cells() + 1) / 2 - (self.solve_at_clock() / 2).min(state.empty_cells() / 2)
            + SOLVERS_SHARE
    }

    /// Returns the number of empty cells at which the solver starts if there is a time limit. The solver then starts
    /// earlier: after a success, no later turn needs time, and after a failure, many of its results are useful in the
    /// next turn.
    fn solve_at_clock(&self) -> u32 {
        self.settings.solve + 3 * u32::from(self.settings.solve > 0)
    }

    /// Returns the solution of a position near the end. Returns `None` if there are too many empty cells or too little
    /// time.
    fn solve(&mut self, state: &State, player: Player, clock: &Clock) -> Option<Analysis<Move>> {
        let SearchLimits { hard, .. } = SOLVING.limits(clock, 1);
        let cells = if hard.is_some() { self.solve_at_clock() } else { self.settings.solve };
        if state.empty_cells() > cells {
            return None;
        }
        if self.solver.as_ref().map_or(true, |(of, _)| *of != player) {
            let mut shares = [self.settings.model; 2];
            shares[player] = self.settings.share;
            self.solver = Some((player, Solver::new(shares)));
        }
        let (_, solver) = self.solver.as_mut()?;
        solver.analyse(state, &SearchLimits { hard, ..SearchLimits::nodes(MAX_POSITIONS) }).ok()
    }
}

impl Bot<State, Move> for ChampionBot {
    /// # Panics
    /// Panics if the game is over.
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Move {
        self.search(state, player, clock).moves[0].mv
    }

    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Move> {
        Analysis { maps: maps(state), ..self.search(state, player, clock) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::{
        contest::Limits,
        rules::{Game, Rng},
    };

    #[test]
    fn the_end_is_solved_for_the_points_that_each_player_counts() {
        let settings = ChampionSettings { share: 1.0, model: 0.0, solve: 5, ..ChampionSettings::default() };
        let mut bot = ChampionBot::new(settings, 1);
        let clock = Clock::new(Limits::nodes(100));
        let mut rng = Rng::new(3);
        let mut apart = 0;
        for _ in 0..60 {
            let mut state = State::empty();
            while state.empty_cells() > 6 {
                state.play(state.random_move(&mut rng, &mut Vec::new()));
            }
            let values = |shares, state: &State| -> Vec<[f64; 2]> {
                let solved = Solver::new(shares).analyse(state, &SearchLimits::NONE).expect("no limit");
                solved.moves.iter().map(|of| of.value).collect()
            };
            let found = bot.analyse(&state, state.mover, &clock);
            assert!(found.moves.iter().all(|of| !of.is_proven), "six cells are too many");
            // The same bot plays both seats, one after the other.
            for player in Player::BOTH {
                let mut end = state.clone();
                while end.empty_cells() > 5 || end.mover != player {
                    end.play(end.random_move(&mut rng, &mut Vec::new()));
                }
                let mut counted = [0.0; 2];
                counted[player] = 1.0;
                let found = bot.analyse(&end, player, &clock);
                let known: Vec<[f64; 2]> = found.moves.iter().map(|of| of.value).collect();
                assert_eq!(known, values(counted, &end), "{player:?}");
                apart += usize::from(known != values([0.5; 2], &end));
            }
        }
        assert!(apart > 30, "{apart}");
    }
}
