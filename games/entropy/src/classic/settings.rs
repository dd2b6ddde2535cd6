//! The settings of the classic bot.

use crate::evaluation::POINT;
use contender_game::{settings, settings::SWITCH};
use contender_search::{Driver, SearchConfig, TableDepth};

settings! {
    /// The techniques and numbers of [`ClassicBot`](super::ClassicBot).
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ClassicSettings {
        /// Decisions to look ahead at most.
        depth: u32 = 97, 1..=97;
        /// Search depth by depth instead of the last alone.
        deepening: bool = true, SWITCH;
        /// Size of the transposition table in MiB; 0 for none.
        table: usize = 32, 0..=1024;
        /// Try the table's move first.
        table_move ("tablemove"): bool = true, SWITCH;
        /// Try the moves that last cut next.
        killers: bool = true, SWITCH;
        /// Order moves by the evaluation after them, rather than by the points they make.
        order: bool = true, SWITCH;
        /// Windows of a depth's search: the open window, an aspiration window of a point around the last, MTD(f)
        driver: Driver = Driver::Open, [
            ("open", Driver::Open),
            ("aspiration", Driver::Aspiration(POINT as u32)),
            ("mtdf", Driver::MtdF),
        ];
        /// Null windows for all moves but the first.
        null_windows ("pvs"): bool = true, SWITCH;
        /// Prune at chance nodes (Star1).
        star1: bool = true, SWITCH;
        /// Moves probed at chance nodes (Star2).
        star2: usize = 1, 0..=8;
        /// Ask the table for all outcomes of a chance node (StarETC).
        star_etc ("etc"): bool = true, SWITCH;
        /// Depth from which queries with infinite windows bound all outcomes first; 0 for none.
        queries: u32 = 0, 0..=97;
        /// Standard deviations at which predictions cut (ChanceProbCut); 0 for never.
        prob_cut ("probcut"): f64 = 1.5, 0.0..=10.0;
        /// Points by which a move may be evaluated worse than the best to be searched; 0 for any.
        margin: f64 = 0.0, 0.0..=1000.0;
        /// Search again without leaving anything out once the end of the game is seen.
        settle: bool = false, SWITCH;
        /// Range of evaluations around that of the root, in points; others are clamped
        focus: i32 = 20, 1..=1000;
        /// Play for the opponent's weakness: on (if it is weak), off, always.
        optimism ("optimistic"): Optimism = Optimism::Earned, [
            ("on", Optimism::Earned),
            ("off", Optimism::Off),
            ("always", Optimism::Always),
        ];
        /// Play for the opponent's habits as Chaos, too.
        as_chaos ("aschaos"): bool = false, SWITCH;
        /// Placements that an optimistic Order expects: none (no more chips come), habits (like those it has seen).
        replies: Replies = Replies::None, [("none", Replies::None), ("habits", Replies::Habits)];
        /// Rounds of the random games that `replies=habits` plays.
        rounds: u32 = 3, 1..=49;
        /// Own moves that Order looks ahead with `replies=none`.
        optimistic_depth ("optdepth"): u32 = 3, 1..=6;
        /// Chips on the board from which nothing optimistic is played.
        optimistic_until ("optuntil"): u32 = 42, 0..=49;
        /// With `replies=none`, points that a point is worth more for each move it is scored earlier.
        early: f32 = 0.1, 0.0..=1.0;
        /// Decisions by which the opponent's moves are judged.
        judging_depth ("judging"): u32 = 2, 1..=4;
        /// Total regret from which the opponent is weak, in points.
        threshold_base ("regret"): f32 = 8.0, 0.0..=1000.0;
        /// Points that this grows by with each move.
        threshold_rate ("regretrate"): f32 = 0.8, 0.0..=100.0;
    }
}

/// When the bot plays for the opponent's weakness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimism {
    /// Never.
    Off,
    /// When the opponent's regret is above the threshold.
    Earned,
    /// Always.
    Always,
}

/// The model of Chaos that an optimistic Order uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replies {
    /// No more chips come, as in the write-up.
    None,
    /// Chaos follows the observed habits.
    Habits,
}

impl ClassicSettings {
    /// Returns the configuration of the search with these techniques.
    #[must_use]
    pub fn config(&self) -> SearchConfig {
        SearchConfig {
            alpha_beta: true,
            driver: self.driver,
            null_windows: self.null_windows,
            deepening: self.deepening,
            table_bytes: self.table << 20,
            table_depth: TableDepth::AtLeast,
            table_move: self.table_move,
            killers: self.killers,
            scores: true,
            evaluate_from: if self.order { 2 } else { 0 },
            star1: self.star1,
            star2: self.star2,
            star_etc: self.star_etc,
            chance_table: true,
            queries: self.queries,
            prob_cut: self.prob_cut,
            margin: (self.margin * f64::from(POINT)) as u32,
            ..SearchConfig::PLAIN
        }
    }
}
