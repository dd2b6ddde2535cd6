//! Amatriciana, Mangara's program that came fifth in CodeCup 2022, with an exact count of paths that run through a tile
//! twice. The module also contains the earlier searching bots of the write-up.

use crate::generate::Generator;
use crate::policy::{Choice, Policy};
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

settings! {
    /// The settings of a [`ClassicBot`]. The defaults are the values of the write-up's final program, which prefers
    /// moves that score, and chooses at random while a node has few visits.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ClassicSettings {
        /// Rule for choosing among the moves that were tried: upper confidence bounds, mostly the best move, or all in
        /// turn
        choice: Rule = Rule::Confidence, [
            ("confidence", Rule::Confidence),
            ("greedy", Rule::Greedy),
            ("even", Rule::Even),
        ];
        /// Exploration of `confidence`: the factor of the logarithm in the square root.
        exploration ("c"): f32 = 7.0, 0.0..=1000.0;
        /// Probability that `choice=greedy` draws a random move.
        epsilon: f32 = 0.2, 0.0..=1.0;
        /// Addition to this probability in a node without visits; the addition falls with each visit
        extra: f32 = 0.0, 0.0..=1.0;
        /// Weight of the points that a move scores at once.
        bias: f32 = 34.0, -1000.0..=1000.0;
        /// Number of visits below which a node draws its moves at random.
        random_visits ("random"): u32 = 1000, 0..=1_000_000;
        /// Moves to consider.
        moves: Generator = Generator::All, Generator::WORDS;
        /// Moves to play in random games.
        games: Generator = Generator::All, Generator::WORDS;
        /// Compare only the current moves, by random games after each, and play the move with the best mean.
        flat: bool = false, SWITCH;
        /// Maximum number of iterations per turn.
        cap: u64 = 200_000, 1..=100_000_000;
        /// Number of last cells that the bot solves exactly; the submitted program solves none
        solve: u32 = 0, 0..=10;
    }
}

/// The values of the option `choice`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Stands for `Choice::Confidence`.
    Confidence,
    /// Stands for `Choice::Greedy`.
    Greedy,
    /// Stands for `Choice::Even`.
    Even,
}

impl ClassicSettings {
    /// The submission before the final one, which ignores the points that moves score.
    pub const LIMITED: ClassicSettings = ClassicSettings {
        exploration: 6.0,
        bias: 0.0,
        random_visits: 1500,
        cap: 150_000,
        ..ClassicSettings::DEFAULT
    };

    /// Plain UCT.
    pub const UCT: ClassicSettings =
        ClassicSettings { exploration: 2.0, random_visits: 0, cap: 100_000, ..ClassicSettings::LIMITED };

    /// A tree search that usually chooses the move with the best mean, and one move in five at random.
    pub const GREEDY_TREE: ClassicSettings = ClassicSettings { choice: Rule::Greedy, ..ClassicSettings::UCT };

    /// [`GREEDY_TREE`](Self::GREEDY_TREE) with more randomness while a node has few visits.
    pub const DECAYING_TREE: ClassicSettings =
        ClassicSettings { extra: 0.45, ..ClassicSettings::GREEDY_TREE };

    /// A search without a tree: the same number of random games after each move.
    pub const FLAT: ClassicSettings =
        ClassicSettings { choice: Rule::Even, flat: true, ..ClassicSettings::UCT };

    /// A search without a tree: half of the random games start with the best move so far, and the other half with a
    /// random move.
    pub const GREEDY_FLAT: ClassicSettings =
        ClassicSettings { choice: Rule::Greedy, epsilon: 0.5, cap: 20_000, ..ClassicSettings::FLAT };

    /// A search without a tree: random games are allocated by upper confidence bounds.
    pub const CONFIDENT_FLAT: ClassicSettings =
        ClassicSettings { choice: Rule::Confidence, cap: 20_000, ..ClassicSettings::FLAT };

    fn policy(&self) -> Policy {
        let choice = match self.choice {
            Rule::Confidence => Choice::Confidence { exploration: self.exploration },
            Rule::Greedy => Choice::Greedy { least: self.epsilon, extra: self.extra },
            Rule::Even => Choice::Even,
        };
        Policy {
            choice,
            random_visits: self.random_visits,
            bias: self.bias,
            moves: self.moves,
            games: self.games,
            is_flat: self.flat,
            plays_best: self.flat,
            ..Policy::UCT
        }
    }

    /// Returns the limits of a turn: at most `cap` iterations, and a share of the time that is equal for all turns.
    /// Half a second of the contest's 30 s is kept in reserve. A node budget replaces both limits.
    fn limits(&self, clock: &Clock) -> SearchLimits {
        let manager = TimeManager { reserve: 0.5 / 30.0, unlimited: self.cap, ..TimeManager::EQUAL };
        let limits = manager.limits(clock, TURNS.saturating_sub(clock.turns_before()));
        SearchLimits { nodes: limits.nodes.or(Some(self.cap)), ..limits }
    }
}

/// Number of turns that each player has in a game.
const TURNS: u32 = 30;

/// A bot that maximises its own points, with a new tree every turn. The bot is deterministic if its seed and a number
/// of iterations are given.
pub struct ClassicBot {
    settings: ClassicSettings,
    search: Search,
    solver: Solver,
}

impl ClassicBot {
    /// Creates the bot with these settings and this seed.
    #[must_use]
    pub fn new(settings: ClassicSettings, seed: u64) -> ClassicBot {
        ClassicBot { settings, search: Search::new(settings.policy(), seed), solver: Solver::new([0.0; 2]) }
    }

    fn search(&mut self, state: &State, clock: &Clock) -> Analysis<Move> {
        if state.empty_cells() <= self.settings.solve {
            if let Ok(solved) = self.solver.analyse(state, &SearchLimits::NONE) {
                return solved;
            }
        }
        self.search.search(state, &self.settings.limits(clock))
    }
}

impl Bot<State, Move> for ClassicBot {
    /// # Panics
    /// Panics if the game is over.
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
    use contender_game::contest::Limits;
    use std::time::Duration;

    #[test]
    fn every_turn_has_the_same_time_and_a_cap_or_its_nodes() {
        let settings = ClassicSettings::DEFAULT;
        let limits = Limits::per_game(Duration::from_secs(30));
        for turn in [0, 1, 17, 29] {
            let clock = Clock::new(limits).after(turn, Duration::from_secs(59) / 60 * turn);
            let limits = settings.limits(&clock);
            let time = limits.hard.expect("time is limited") - clock.turn_start();
            assert_eq!((time.as_secs_f64() * 1e4).round(), 9_833.0, "29.5 s in 30 turns");
            assert_eq!(limits.nodes, Some(200_000));
        }
        let clock = Clock::new(Limits { nodes: Some(7), ..limits });
        assert_eq!(settings.limits(&clock), SearchLimits::nodes(7));
        assert_eq!(settings.limits(&Clock::new(Limits::NONE)), SearchLimits::nodes(200_000));
    }
}
