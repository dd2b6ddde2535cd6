//! Amatriciana, Mangara's program that came fifth in CodeCup 2022, with the exact count of double passes and an exact end; and the
//! searching bots of its write-up that came before it.

use crate::board::maps;
use crate::generate::Generator;
use crate::policy::{Choice, Policy};
use crate::search::Search;
use crate::solver::Solver;
use crate::{Move, State};
use contender_game::{Analysis, Bot, Clock, Player, Settings, Visitor};
use contender_search::Allowance;

/// The numbers and habits of a [`ClassicBot`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClassicSettings {
    policy: Policy,
    /// The most iterations in a turn.
    cap: u64,
    /// So many last cells are solved.
    solve: u32,
}

impl ClassicSettings {
    /// The write-up's final program: drawn towards moves that score, and random while a node has few visits.
    pub const AMATRICIANA: ClassicSettings = ClassicSettings {
        policy: Policy {
            choice: Choice::Confidence { exploration: 7.0 },
            bias: 34.0,
            random_visits: 1000,
            ..Policy::UCT
        },
        cap: 200_000,
        solve: 7,
    };

    /// The submission before it, without what moves score.
    pub const LIMITED: ClassicSettings = ClassicSettings {
        policy: Policy {
            choice: Choice::Confidence { exploration: 6.0 },
            random_visits: 1500,
            ..Policy::UCT
        },
        cap: 150_000,
        solve: 0,
    };

    /// Plain UCT.
    pub const UCT: ClassicSettings = ClassicSettings { policy: Policy::UCT, cap: 100_000, solve: 0 };

    /// A tree whose moves are chosen by their means, one in five at random.
    pub const GREEDY_TREE: ClassicSettings = ClassicSettings {
        policy: Policy { choice: Choice::Greedy { least: 0.2, extra: 0.0 }, ..Policy::UCT },
        ..ClassicSettings::UCT
    };

    /// The same, with more at random while a node has few visits.
    pub const DECAYING_TREE: ClassicSettings = ClassicSettings {
        policy: Policy { choice: Choice::Greedy { least: 0.2, extra: 0.45 }, ..Policy::UCT },
        ..ClassicSettings::UCT
    };

    /// As many random games after each move.
    pub const FLAT: ClassicSettings = ClassicSettings {
        policy: Policy { choice: Choice::Even, is_flat: true, plays_best: true, ..Policy::UCT },
        cap: 100_000,
        solve: 0,
    };

    /// Half of the random games after the move that is best so far, half after any.
    pub const GREEDY_FLAT: ClassicSettings = ClassicSettings {
        policy: Policy { choice: Choice::Greedy { least: 0.5, extra: 0.0 }, ..ClassicSettings::FLAT.policy },
        cap: 20_000,
        solve: 0,
    };

    /// Random games by upper confidence bounds.
    pub const CONFIDENT_FLAT: ClassicSettings = ClassicSettings {
        policy: Policy { choice: Choice::Confidence { exploration: 2.0 }, ..ClassicSettings::FLAT.policy },
        cap: 20_000,
        solve: 0,
    };
}

impl Default for ClassicSettings {
    fn default() -> ClassicSettings {
        ClassicSettings::AMATRICIANA
    }
}

/// A bot takes `c` or `epsilon` only if it chooses by it.
impl Settings for ClassicSettings {
    fn each(&mut self, visit: &mut Visitor<'_>) -> Result<(), String> {
        let policy = &mut self.policy;
        match &mut policy.choice {
            Choice::Confidence { exploration } => {
                let about = "Exploration: what stands before the logarithm under the root.";
                visit("c", &[about], &mut (exploration, 0.0..=1000.0))?;
            }
            Choice::Greedy { least, .. } => {
                visit("epsilon", &["Share of moves followed at random."], &mut (least, 0.0..=1.0))?;
            }
            Choice::Even => {}
        }
        let bias = &mut (&mut policy.bias, -1000.0..=1000.0);
        visit("bias", &["Weight of the points a move makes at once."], bias)?;
        let random = &mut (&mut policy.random_visits, 0..=1_000_000);
        visit("random", &["Visits of a node until which its moves are followed at random."], random)?;
        visit("moves", &["The moves that are considered."], &mut (&mut policy.moves, Generator::WORDS))?;
        visit("games", &["The moves of random games."], &mut (&mut policy.games, Generator::WORDS))?;
        visit("cap", &["The most iterations in a turn."], &mut (&mut self.cap, 1..=100_000_000))?;
        visit("solve", &["How many last cells are solved exactly."], &mut (&mut self.solve, 0..=10))
    }
}

/// Searches for own points, a new tree every turn. Deterministic given its seed and a number of iterations.
pub struct ClassicBot {
    settings: ClassicSettings,
    search: Search,
    solver: Solver,
}

impl ClassicBot {
    /// The bot with these settings and this seed.
    #[must_use]
    pub fn new(settings: ClassicSettings, seed: u64) -> ClassicBot {
        ClassicBot { settings, search: Search::new(settings.policy, seed), solver: Solver::new([0.0; 2]) }
    }

    fn search(&mut self, state: &State, clock: &Clock) -> Analysis<Move> {
        if state.empty_cells() <= self.settings.solve {
            if let Ok(solved) = self.solver.analyse(state, &Allowance::NONE) {
                return solved;
            }
        }
        self.search.search(state, &equal_turns(clock, self.settings.cap))
    }
}

/// The same time for every turn, 29.5 of 30 parts of the limit in 30 turns, and at most so many iterations; a node budget counts
/// instead of both.
fn equal_turns(clock: &Clock, cap: u64) -> Allowance {
    if let Some(nodes) = clock.nodes() {
        return Allowance::nodes(nodes);
    }
    let share = clock.limits().game.map(|game| game.mul_f64(29.5 / 30.0 / 30.0));
    let most = clock.turn_limit().map(|left| left.mul_f64(0.9));
    let time = share.into_iter().chain(most).min();
    Allowance { hard: time.map(|time| clock.turn_start() + time), ..Allowance::nodes(cap) }
}

impl Bot<State, Move> for ClassicBot {
    /// # Panics
    /// When the game is over.
    fn choose(&mut self, state: &State, _player: Player, clock: &Clock) -> Move {
        self.search(state, clock).moves[0].mv
    }

    fn analyse(&mut self, state: &State, _player: Player, clock: &Clock) -> Analysis<Move> {
        Analysis { maps: maps(state), ..self.search(state, clock) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::Limits;
    use std::time::Duration;

    #[test]
    fn every_turn_has_the_same_time_and_a_cap_or_its_nodes() {
        let limits = Limits { game: Some(Duration::from_secs(30)), ..Limits::NONE };
        let mut clock = Clock::new(limits);
        for _ in 0..3 {
            let allowance = equal_turns(&clock, 200_000);
            let time = allowance.hard.expect("time is limited") - clock.turn_start();
            assert_eq!((time.as_secs_f64() * 1e4).round(), 9_833.0, "29.5 s in 30 turns");
            assert_eq!(allowance.nodes, Some(200_000));
            clock.end_turn();
            clock.start_turn();
        }
        let clock = Clock::new(Limits { nodes: Some(7), ..limits });
        assert_eq!(equal_turns(&clock, 200_000), Allowance::nodes(7));
        assert_eq!(equal_turns(&Clock::new(Limits::NONE), 9), Allowance::nodes(9));
    }
}
