//! What the classic bot can be told.

use crate::evaluation::POINT;
use contender_game::Options;
use contender_search::{Config, Driver, TableDepth};

/// The techniques and numbers of [`ClassicBot`](super::ClassicBot).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClassicSettings {
    /// Decisions to look ahead at most, 1 to 97.
    pub depth: u32,
    /// Search depth 1, 2, 3, ... instead of the last alone.
    pub deepening: bool,
    /// Size of the transposition table in MiB; 0 for none.
    pub table: usize,
    /// Try the table's move first.
    pub table_move: bool,
    /// Try the moves that last cut next.
    pub killers: bool,
    /// Order moves by the evaluation after them, rather than by the points they make.
    pub order: bool,
    /// How each depth is asked for its value: the open window, an aspiration window, MTD(f).
    pub driver: Driver,
    /// Null windows for all moves but the first.
    pub null_windows: bool,
    /// Prune at chance nodes (Star1).
    pub star1: bool,
    /// Moves probed at chance nodes (Star2).
    pub star2: usize,
    /// Ask the table for all outcomes of a chance node (StarETC).
    pub star_etc: bool,
    /// Depth from which queries with infinite windows bound all outcomes first; 0 for none.
    pub queries: u32,
    /// Standard deviations at which predictions cut (ChanceProbCut); 0 for never.
    pub prob_cut: f64,
    /// Moves that are evaluated worse than the best by more than so many points are left out; 0 for none.
    pub margin: f64,
    /// Search again without leaving anything out where a search has seen the end of the game.
    pub settle: bool,
    /// Evaluations are clamped to so many points around that of the root.
    pub focus: i32,
    /// When the bot plays for the opponent's weakness.
    pub optimism: Optimism,
    /// Whether Chaos does the like.
    pub as_chaos: bool,
    /// What Order then expects of Chaos.
    pub replies: Replies,
    /// Rounds of the random games that [`Replies::Habits`] plays.
    pub rounds: u32,
    /// Order's own moves to look ahead with [`Replies::None`].
    pub optimistic_depth: u32,
    /// Never from this many chips on the board on.
    pub optimistic_until: u32,
    /// Points that a point is worth more for each move it is scored earlier, then.
    pub early: f32,
    /// Decisions by which the opponent's moves are judged.
    pub judging_depth: u32,
    /// The regret, in points, from which the opponent is weak: this much ...
    pub threshold_base: f32,
    /// ... and this much for each of its moves.
    pub threshold_rate: f32,
}

/// When the bot plays for the opponent's weakness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimism {
    /// Never.
    Off,
    /// While the opponent's regret is above the threshold.
    Earned,
    /// Always.
    Always,
}

/// What an optimistic Order expects of Chaos.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replies {
    /// That no more chips come, as in the write-up.
    None,
    /// Placements like those it has seen.
    Habits,
}

impl Default for ClassicSettings {
    fn default() -> ClassicSettings {
        ClassicSettings {
            depth: 97,
            deepening: true,
            table: 32,
            table_move: true,
            killers: true,
            order: true,
            driver: Driver::Open,
            null_windows: true,
            star1: true,
            star2: 1,
            star_etc: true,
            queries: 0,
            prob_cut: 1.5,
            margin: 0.0,
            settle: false,
            focus: 20,
            optimism: Optimism::Earned,
            as_chaos: true,
            replies: Replies::Habits,
            rounds: 3,
            optimistic_depth: 3,
            optimistic_until: 42,
            early: 0.1,
            judging_depth: 2,
            threshold_base: 8.0,
            threshold_rate: 0.8,
        }
    }
}

impl ClassicSettings {
    /// Those of the champion: it leaves out what hardly ever matters, for a fifth of a point of error and a twentieth of the nodes.
    #[must_use]
    pub fn champion() -> ClassicSettings {
        ClassicSettings { prob_cut: 0.6, margin: 0.35, settle: true, ..ClassicSettings::default() }
    }

    /// Names and meanings of the options.
    pub const OPTIONS: &'static [(&'static str, &'static str)] = &[
        ("depth", "decisions to look ahead at most, 1 to 97 (97)"),
        ("deepening", "search depth by depth: on, off (on)"),
        ("table", "size of the transposition table in MiB, 0 for none (32)"),
        ("tablemove", "try the table's move first: on, off (on)"),
        ("killers", "try the moves that cut last next: on, off (on)"),
        ("order", "order moves by the evaluation after them: on, off (on)"),
        ("driver", "how a depth is asked for its value: open, aspiration (a point around the last), mtdf (open)"),
        ("pvs", "null windows for all moves but the first: on, off (on)"),
        ("star1", "prune at chance nodes: on, off (on)"),
        ("star2", "moves probed at chance nodes, 0 to 8 (1)"),
        ("etc", "ask the table for all outcomes of a chance node: on, off (on)"),
        ("queries", "depth from which infinite windows bound all outcomes first, 0 for none (0)"),
        ("probcut", "standard deviations at which predictions cut, 0 for never (1.5; champion 0.6)"),
        (
            "margin",
            "points by which a move may be evaluated worse than the best to be searched, 0 for any (0; champion 0.35)",
        ),
        ("settle", "search again without leaving anything out once the end is seen: on, off (off; champion on)"),
        ("focus", "points around the root's evaluation that evaluations are clamped to (20)"),
        ("optimistic", "play for the opponent's weakness: on (if it is weak), off, always (on)"),
        ("aschaos", "play for the opponent's habits as Chaos, too: on, off (on)"),
        ("replies", "placements that Order then expects: habits (like those it has seen), none (habits)"),
        ("rounds", "with replies=habits, rounds of the random games it plays, 1 to 49 (3)"),
        ("optdepth", "own moves that the optimistic search looks ahead, 1 to 6 (3)"),
        ("optuntil", "chips on the board from which it is not used (42)"),
        ("early", "in it, worth of a point scored a move earlier, in points (0.1)"),
        ("judging", "decisions by which the opponent's moves are judged, 1 to 4 (2)"),
        ("regret", "total regret from which the opponent is weak, in points (8)"),
        ("regretrate", "points that this grows by with each move (0.8)"),
    ];

    /// The default settings with what the options say instead.
    ///
    /// # Errors
    /// A value that makes no sense.
    pub fn take(options: &mut Options) -> Result<ClassicSettings, String> {
        ClassicSettings::default().with(options)
    }

    /// These settings with what the options say instead.
    ///
    /// # Errors
    /// A value that makes no sense.
    pub fn with(self, options: &mut Options) -> Result<ClassicSettings, String> {
        let base = self;
        let drivers = &[
            ("open", Driver::Open),
            ("aspiration", Driver::Aspiration(POINT as u32)),
            ("mtdf", Driver::MtdF),
        ];
        let optimisms = &[("on", Optimism::Earned), ("off", Optimism::Off), ("always", Optimism::Always)];
        let replies = &[("habits", Replies::Habits), ("none", Replies::None)];
        Ok(ClassicSettings {
            depth: options.take_number("depth", base.depth, 1..=97)?,
            deepening: options.take_switch("deepening", base.deepening)?,
            table: options.take_number("table", base.table, 0..=1024)?,
            table_move: options.take_switch("tablemove", base.table_move)?,
            killers: options.take_switch("killers", base.killers)?,
            order: options.take_switch("order", base.order)?,
            driver: options.take_word("driver", base.driver, drivers)?,
            null_windows: options.take_switch("pvs", base.null_windows)?,
            star1: options.take_switch("star1", base.star1)?,
            star2: options.take_number("star2", base.star2, 0..=8)?,
            star_etc: options.take_switch("etc", base.star_etc)?,
            queries: options.take_number("queries", base.queries, 0..=97)?,
            prob_cut: options.take_number("probcut", base.prob_cut, 0.0..=10.0)?,
            margin: options.take_number("margin", base.margin, 0.0..=1000.0)?,
            settle: options.take_switch("settle", base.settle)?,
            focus: options.take_number("focus", base.focus, 1..=1000)?,
            optimism: options.take_word("optimistic", base.optimism, optimisms)?,
            as_chaos: options.take_switch("aschaos", base.as_chaos)?,
            replies: options.take_word("replies", base.replies, replies)?,
            rounds: options.take_number("rounds", base.rounds, 1..=49)?,
            optimistic_depth: options.take_number("optdepth", base.optimistic_depth, 1..=6)?,
            optimistic_until: options.take_number("optuntil", base.optimistic_until, 0..=49)?,
            early: options.take_number("early", base.early, 0.0..=1.0)?,
            judging_depth: options.take_number("judging", base.judging_depth, 1..=4)?,
            threshold_base: options.take_number("regret", base.threshold_base, 0.0..=1000.0)?,
            threshold_rate: options.take_number("regretrate", base.threshold_rate, 0.0..=100.0)?,
        })
    }

    /// The techniques as the search's switches.
    #[must_use]
    pub fn config(&self) -> Config {
        Config {
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
            ..Config::PLAIN
        }
    }
}
