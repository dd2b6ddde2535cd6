//! UCT with the parameters of a write-up. The author of the write-up reached the arena's Gold league with this bot.
//!
//! This module contains a corrected form of that bot. The code in the write-up does not credit the score to the side
//! that moved, so it could not play.

use crate::tree_bot::{TreeBot, TreeSearch};
use crate::uct::STYLES;
use crate::{rollout_with, Move, State, Style};
use contender_game::{
    contest::{Analysis, Clock},
    rules::{Game, Player, Rng},
    settings,
    settings::SWITCH,
};
use contender_search::mcts::{Expansion, FinalMove, LeafEvaluator, Mcts, MctsConfig, Uct};
use contender_search::{NoChance, SearchLimits, TurnShare};

settings! {
    /// The parameters of [`ClassicBot`].
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ClassicSettings {
        /// Score of a win; the write-up's author tried 1 to 100.
        win_score ("win"): f32 = 6.0, 0.001..=1000.0;
        /// Score of a draw as a share of the score of a win.
        draw: f32 = 0.0, 0.0..=1.0;
        /// Weight of the exploration term; the write-up's author tried values up to 2.
        exploration ("c"): f32 = std::f32::consts::SQRT_2, 0.0..=1000.0;
        /// Factor by which a score shrinks per ply on the way up the tree.
        decay: f32 = 0.99, 0.01..=1.0;
        /// Number of plies in the game after which a rollout ends, without a result if no player has won; an odd number
        /// means one ply less
        cap: u32 = 70, 0..=u32::MAX;
        /// Mark moves that let the opponent win at once, and do not choose them.
        loss_mark ("mark"): bool = true, SWITCH;
        /// First move of a game.
        first_move ("first"): Option<Move> = Some(Move::new(4, 4)), [
            ("4+4", Some(Move::new(4, 4))),
            ("3+3", Some(Move::at(3, 3))),
            ("any", None),
        ];
        /// Moves in the centre and the corners of an almost empty small board: tried first, tried alone, or treated
        /// like other cells.
        centre: Centre = Centre::First, [
            ("first", Centre::First),
            ("only", Centre::Only),
            ("off", Centre::Off),
        ];
        /// If the player may choose the board, consider the moves of all open boards, not only of the first.
        free_choice ("free"): bool = true, SWITCH;
        /// Policy of rollouts: random moves, winning the game if possible, or else also winning small boards; the
        /// write-up's author tried and dropped the last two.
        rollouts: Style = Style::Random, STYLES;
        /// Number of turns at the start after which the tree is kept, to reuse the opening found in the long first
        /// turn; the write-up's author tried and dropped this.
        cached_turns ("cache"): u32 = 0, 0..=u32::MAX;
        /// Criterion for the move to play: most visits, or the highest score as in the write-up.
        final_move ("final"): FinalMove = FinalMove::Visits, [("visits", FinalMove::Visits), ("score", FinalMove::Score)];
        /// Use all the time of the long first turn; if off, the first turn is as short as the other turns (a tenth of
        /// it).
        long_first ("long"): bool = true, SWITCH;
        ..time: TurnShare = TurnShare::DEFAULT;
    }
}

impl ClassicSettings {
    /// Returns the limits of a turn.
    fn limits(&self, clock: &Clock) -> SearchLimits {
        let TurnShare { time } = self.time;
        let is_cut = clock.turns_before() == 0 && !self.long_first;
        TurnShare::of(time * if is_cut { 0.1 } else { 1.0 }).limits(clock)
    }
}

/// The treatment of the centre and the corners.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Centre {
    /// Treats them like other cells.
    Off,
    /// Tries them first.
    First,
    /// Considers only them.
    Only,
}

/// Number of nodes in the tree, which takes 60 MiB. Only the long first turn fills the tree.
const CAPACITY: usize = 1 << 20;

/// The write-up's UCT. The bot is deterministic if its seed and a number of iterations are given.
pub type ClassicBot = TreeBot<ClassicSearch>;

impl ClassicBot {
    /// Creates the bot with these settings and this seed.
    #[must_use]
    pub fn new(settings: ClassicSettings, seed: u64) -> ClassicBot {
        let config = MctsConfig {
            capacity: CAPACITY,
            decay: settings.decay,
            solver: settings.loss_mark,
            solver_reach: 1,
            final_move: settings.final_move,
            expansion: if settings.centre == Centre::First { Expansion::Prior } else { Expansion::Random },
        };
        let tree = Mcts::new(config, Uct::new(settings.exploration));
        TreeBot::with(ClassicSearch { settings, rng: Rng::new(seed) }, tree)
    }
}

/// The search of [`ClassicBot`].
pub struct ClassicSearch {
    settings: ClassicSettings,
    rng: Rng,
}

impl TreeSearch for ClassicSearch {
    type Tree = Mcts<State, NoChance, Uct>;

    fn limits(&self, clock: &Clock) -> SearchLimits {
        self.settings.limits(clock)
    }

    fn search(&mut self, tree: &mut Self::Tree, state: &State, limits: &SearchLimits) -> Analysis<Move> {
        let order = Rng::new(self.rng.next_u64());
        let mut games = Games { settings: &self.settings, order };
        tree.search(state, &mut games, limits, &mut self.rng).measured("score", |value| value)
    }

    fn keeps(&self, clock: &Clock) -> bool {
        clock.turns_before() < self.settings.cached_turns
    }

    fn first_move(&self) -> Option<Move> {
        self.settings.first_move
    }

    fn expects_answers(&self) -> bool {
        false
    }
}

struct Games<'a> {
    settings: &'a ClassicSettings,
    /// The generator that breaks ties in the order of moves.
    order: Rng,
}

impl Games<'_> {
    fn rewards(&self, value: i32) -> [f32; 2] {
        let win = self.settings.win_score;
        match value {
            1 => [win, 0.0],
            -1 => [0.0, win],
            _ => [win * self.settings.draw; 2],
        }
    }
}

/// Returns whether a move is in the centre or a corner of its small board, or in a small board with more than one mark.
fn is_preferred(state: &State, mv: Move) -> bool {
    mv.cell() % 2 == 0 || state.empty(mv.board()).count_ones() < 8
}

impl LeafEvaluator<State, Move> for Games<'_> {
    fn finished(&mut self, state: &State) -> [f32; 2] {
        self.rewards(state.value())
    }

    fn highest(&self) -> f32 {
        self.settings.win_score
    }

    fn estimate(&mut self, state: &mut State, rng: &mut Rng) -> [f32; 2] {
        let left = self.settings.cap.saturating_sub(state.plies());
        match rollout_with(state, rng, self.settings.rollouts, left) {
            Some(value) => self.rewards(value),
            None => [0.0; 2],
        }
    }

    fn candidates(&mut self, state: &State, _: Player, moves: &mut Vec<Move>) {
        state.moves(moves);
        if !self.settings.free_choice {
            let first = moves[0].board();
            moves.retain(|mv| mv.board() == first);
        }
        if self.settings.centre == Centre::Only {
            moves.retain(|&mv| is_preferred(state, mv));
        }
    }

    fn priors(&mut self, state: &State, _: Player, moves: &[Move], priors: &mut Vec<f32>) {
        let is_first = self.settings.centre == Centre::First;
        priors.extend(moves.iter().map(|&mv| match is_first {
            true => self.order.unit() as f32 + f32::from(u8::from(is_preferred(state, mv))),
            false => 0.0,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::contest::Limits;
    use std::time::Duration;

    #[test]
    fn the_first_turn_is_long_or_like_the_others() {
        let second = Duration::from_secs(1);
        for (long_first, first) in [(true, 900), (false, 90)] {
            let settings = ClassicSettings { long_first, ..ClassicSettings::DEFAULT };
            let mut clock = Clock::new(Limits::per_turn(second, second / 10));
            for expected in [first, 90, 90] {
                let time = settings.limits(&clock).hard.unwrap() - clock.turn_start();
                assert_eq!((time.as_secs_f64() * 1e3).round(), f64::from(expected));
                clock.end_turn();
                clock.start_turn();
            }
        }
    }
}
