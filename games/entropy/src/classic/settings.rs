//! The settings of the classic bot.

use crate::evaluation::POINT;
use contender_game::{settings, settings::SWITCH};
use contender_search::{Driver, SearchConfig, TableDepth};

settings! {
    /// The techniques and parameters of [`ClassicBot`](super::ClassicBot).
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ClassicSettings {
        /// Maximum number of decisions to look ahead.
        depth: u32 = 97, 1..=97;
        /// Search depth by depth, instead of only at the full depth.
        deepening: bool = true, SWITCH;
        /// Size of the transposition table in MiB; 0 for no table.
        table: usize = 32, 0..=1024;
        /// Try the table's move first.
        table_move ("tablemove"): bool = true, SWITCH;
        /// Then try the moves that caused the latest cutoffs.
        killers: bool = true, SWITCH;
        /// Order moves by the evaluation after them, rather than by the points they make.
        order: bool = true, SWITCH;
        /// Window of the search at each depth: open, an aspiration window of a point around the last value, or MTD(f)
        driver: Driver = Driver::Open, [
            ("open", Driver::Open),
            ("aspiration", Driver::Aspiration(POINT as u32)),
            ("mtdf", Driver::MtdF),
        ];
        /// Search all moves after the first with a null window.
        null_windows ("pvs"): bool = true, SWITCH;
        /// Prune at chance nodes (Star1).
        star1: bool = true, SWITCH;
        /// Number of moves to probe at chance nodes (Star2).
        star2: usize = 1, 0..=8;
        /// Look up all outcomes of a chance node in the table first (StarETC).
        star_etc ("etc"): bool = true, SWITCH;
        /// Minimum depth at which searches with infinite windows bound all outcomes first; 0 for never.
        queries: u32 = 0, 0..=97;
        /// Number of standard deviations at which a predicted value causes a cutoff (ChanceProbCut); 0 for never.
        prob_cut ("probcut"): f64 = 1.5, 0.0..=10.0;
        /// Do not search moves whose evaluation is this many points below the best; 0 searches all.
        margin: f64 = 0.0, 0.0..=1000.0;
        /// Search again, without pruning moves, once the search has reached the end of the game.
        settle: bool = false, SWITCH;
        /// Range of evaluations around the root's, in points; values outside are clamped
        focus: i32 = 20, 1..=1000;
        /// Exploit the weakness of the opponent: on (if it is weak), off, always.
        optimism ("optimistic"): Optimism = Optimism::Earned, [
            ("on", Optimism::Earned),
            ("off", Optimism::Off),
            ("always", Optimism::Always),
        ];
        /// Also exploit the opponent's habits as Chaos.
        as_chaos ("aschaos"): bool = false, SWITCH;
        /// Placements that an optimistic Order expects: none (no more chips come), or habits (placements like those of
        /// the opponent so far).
        replies: Replies = Replies::None, [("none", Replies::None), ("habits", Replies::Habits)];
        /// Number of rounds in each random game of `replies=habits`.
        rounds: u32 = 3, 1..=49;
        /// Number of its moves that Order looks ahead with `replies=none`.
        optimistic_depth ("optdepth"): u32 = 3, 1..=6;
        /// Number of chips on the board at which the bot stops playing optimistically.
        optimistic_until ("optuntil"): u32 = 42, 0..=49;
        /// Bonus for a point that is scored one move earlier, with `replies=none`.
        early: f32 = 0.1, 0.0..=1.0;
        /// Number of decisions to look ahead when judging the opponent's moves.
        judging_depth ("judging"): u32 = 2, 1..=4;
        /// Total regret at which the opponent counts as weak, in points.
        threshold_base ("regret"): f32 = 8.0, 0.0..=1000.0;
        /// Number of points by which the threshold `regret` grows with each move.
        threshold_rate ("regretrate"): f32 = 0.8, 0.0..=100.0;
    }
}

/// The cases in which the bot exploits the opponent's weakness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimism {
    /// Never.
    Off,
    /// Only if the opponent's regret is above the threshold.
    Earned,
    /// Always.
    Always,
}

/// The model of Chaos that the bot uses as an optimistic Order.
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
