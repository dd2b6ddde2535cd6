//! Amatriciana, Mangara's program that came fifth in CodeCup 2022, with the exact count of double passes and an exact end.

use crate::search::{Choice, Found, Limit, Policy, Search};
use crate::solver::Solver;
use crate::{Move, State};
use contender_game::{Analysis, Bot, Clock, Options, Player};

/// The write-up's numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClassicSettings {
    /// Weight of the points a move makes at once; 0 to 56 were tried.
    pub bias: f32,
    /// What stands before the logarithm under the root; 2 to 12 were tried.
    pub exploration: f32,
    /// While a node has fewer visits its moves are followed at random; 0 to 3000 were tried.
    pub random_visits: u32,
    /// The most iterations in a turn.
    pub cap: u64,
    /// So many last cells are solved.
    pub solve: u32,
}

impl Default for ClassicSettings {
    fn default() -> ClassicSettings {
        ClassicSettings { bias: 34.0, exploration: 7.0, random_visits: 1000, cap: 200_000, solve: 7 }
    }
}

impl ClassicSettings {
    /// Names and meanings of the options.
    pub const OPTIONS: &'static [(&'static str, &'static str)] = &[
        ("bias", "weight of the points a move makes at once (34)"),
        ("c", "exploration: what stands before the logarithm under the root (7)"),
        ("random", "visits of a node until which its moves are followed at random (1000)"),
        ("cap", "the most iterations in a turn (200000)"),
        ("solve", "how many last cells are solved exactly (7)"),
    ];

    /// The write-up's settings with what the options say instead.
    ///
    /// # Errors
    /// A value that makes no sense.
    pub fn take(options: &mut Options) -> Result<ClassicSettings, String> {
        let base = ClassicSettings::default();
        Ok(ClassicSettings {
            bias: options.take_number("bias", base.bias, -1000.0..=1000.0)?,
            exploration: options.take_number("c", base.exploration, 0.0..=1000.0)?,
            random_visits: options.take_number("random", base.random_visits, 0..=1_000_000)?,
            cap: options.take_number("cap", base.cap, 1..=100_000_000)?,
            solve: options.take_number("solve", base.solve, 0..=10)?,
        })
    }
}

/// The write-up's UCT for own points. Deterministic given its seed and a number of iterations.
pub struct ClassicBot {
    settings: ClassicSettings,
    search: Search,
    solver: Solver,
}

impl ClassicBot {
    /// The bot with these settings and this seed.
    #[must_use]
    pub fn new(settings: ClassicSettings, seed: u64) -> ClassicBot {
        let policy = Policy {
            choice: Choice::Confidence { exploration: settings.exploration },
            bias: settings.bias,
            random_visits: settings.random_visits,
            ..Policy::UCT
        };
        ClassicBot { settings, search: Search::new(policy, seed), solver: Solver::new([0.0; 2]) }
    }

    fn search(&mut self, state: &State, clock: &Clock) -> Found {
        if state.empty_cells() <= self.settings.solve {
            if let Ok(moves) = self.solver.solve(state, u64::MAX, None) {
                return Found::solved(state, moves, clock.turn_start());
            }
        }
        self.search.search(state, &equal_turns(clock, self.settings.cap))
    }
}

/// The same time for every turn, 29.5 of 30 parts of the limit in 30 turns, and at most so many iterations; a node budget counts
/// instead of both. It ends when one move has half of the iterations.
pub(crate) fn equal_turns(clock: &Clock, cap: u64) -> Limit {
    let iterations = clock.nodes().unwrap_or(cap);
    let limits = clock.budget().limits;
    let share = match (limits.game, limits.turn) {
        (Some(game), _) => {
            Some(game.mul_f64(29.5 / 30.0 / 30.0).min(clock.turn_limit().unwrap_or(game).mul_f64(0.9)))
        }
        (None, turn) => turn.map(|turn| turn.mul_f64(0.9)),
    };
    let deadline = share.filter(|_| clock.nodes().is_none()).map(|share| clock.turn_start() + share);
    Limit { iterations, deadline, majority: (iterations / 2).max(1), stops_early: false }
}

impl Bot<State, Move> for ClassicBot {
    /// # Panics
    /// When the game is over.
    fn choose(&mut self, state: &State, _player: Player, clock: &Clock) -> Move {
        self.search(state, clock).best()
    }

    fn analyse(&mut self, state: &State, _player: Player, clock: &Clock) -> Analysis<Move> {
        self.search(state, clock).analysis(state)
    }
}
