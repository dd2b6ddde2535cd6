//! The options of the tactical search. Each technique has its own option.

/// The techniques of a [`TacticalSearch`](crate::TacticalSearch), in addition to those of a
/// [`SearchConfig`](crate::SearchConfig). Most of them change values: they skip moves that are probably worthless, and
/// search deeper in tactical positions. [`TacticalConfig::NONE`] does not change values.
///
/// Margins are in the evaluation's unit. [`TacticalConfig::of_unit`] computes them from the value of the least valuable
/// piece.
///
/// ```
/// use contender_search::TacticalConfig;
///
/// // A pawn is worth 100. Without null moves, because a player who may not pass is sometimes better off.
/// let config = TacticalConfig { null_move: 0, ..TacticalConfig::of_unit(100) };
/// assert_eq!(config.delta_margin, 200);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TacticalConfig {
    /// Maximum number of consecutive noisy moves that are searched beyond the horizon; 0 disables quiescence search. A
    /// player that is not in check may also accept the evaluation (stand pat). This technique needs
    /// [`Tactics::is_noisy`](crate::Tactics::is_noisy).
    ///
    /// Source: Harris, "The heuristic search and the game of chess: a study of quiescence, sacrifices, and plan
    /// oriented play", 1975.
    pub quiescence: u32,
    /// Number of moves beyond the horizon up to which a player in check cannot accept the evaluation: all
    /// [answers](crate::Tactics::answers) to the check are searched. After that, the player may accept the evaluation
    /// even in check.
    pub quiescence_checks: u32,
    /// Margin for delta pruning: beyond the horizon, a move is skipped if the evaluation plus its
    /// [gain](crate::Tactics::gain) plus this margin does not reach the window. Negative values disable pruning.
    ///
    /// Source: Schrüfer, "A strategic quiescence search", 1989.
    pub delta_margin: i32,
    /// Depth reduction of null-move pruning: the player passes, and the result is searched with a depth reduced by this
    /// number, plus 1 for every four remaining decisions. If the value is still beyond the window, the node is cut off.
    /// 0 disables null moves. This technique needs [`Tactics::pass`](crate::Tactics::pass).
    ///
    /// Source: Donninger, "Null move and deep search", 1993.
    pub null_move: u32,
    /// Whether positions in which the player is in check are searched one decision deeper. In these positions, only
    /// [answers](crate::Tactics::answers) are searched. This technique needs
    /// [`Tactics::is_check`](crate::Tactics::is_check).
    ///
    /// Source: Slate, Atkin, "CHESS 4.5: the Northwestern University chess program", 1977.
    pub check_extension: bool,
    /// Number of moves in a node that are searched to full depth before reductions start; 0 disables reductions. Later
    /// moves are searched to a reduced depth, unless they are noisy, killers or answers to a check. A reduced move with
    /// a good result is searched again to full depth. The reduction grows with the index of the move and with the
    /// depth.
    ///
    /// Source: late move reductions, as in Fruit (Letouzey, 2005); the product of logarithms comes from Stockfish.
    pub late_moves: usize,
    /// Late move pruning: after this number of moves plus the square of the depth, quiet moves are skipped. Applies up
    /// to the depth [`shallow`](TacticalConfig::shallow). 0 disables pruning.
    ///
    /// Source: Stockfish and Reckless.
    pub late_move_pruning: usize,
    /// Margin per remaining decision for futility pruning: quiet moves are skipped if the evaluation plus the margin
    /// does not reach the window. Applies up to the depth [`shallow`](TacticalConfig::shallow). 0 disables pruning.
    ///
    /// Source: Heinz, "Extended futility pruning", 1998.
    pub futility_margin: i32,
    /// Margin per remaining decision for reverse futility pruning: a node returns its evaluation if the evaluation is
    /// beyond the window by the margin. Applies up to the depth [`shallow`](TacticalConfig::shallow). 0 disables
    /// pruning.
    ///
    /// Source: Heinz, 1998; also known as static null move pruning.
    pub beta_margin: i32,
    /// Maximum remaining depth at which moves are pruned by count or margin.
    pub shallow: u32,
    /// Whether the depth is reduced by one at nodes without a move in the table, if at least four decisions remain.
    ///
    /// Source: Schröder, 2018 (internal iterative reduction). This technique replaces internal iterative deepening
    /// (Scott, 1969).
    pub unknown_reduction: bool,
    /// Whether quiet moves are also ordered by how often they caused a cut-off after the same previous move of the
    /// opponent, and after the player's own previous move. This technique needs
    /// [`Tactics::reply_slots`](crate::Tactics::reply_slots).
    ///
    /// Source: Uiterwijk, "The countermove heuristic", 1992; Stockfish uses a table of pairs of moves.
    pub replies: bool,
    /// Whether the table is used only for move ordering in nodes with an open window. The search then returns the
    /// complete principal variation.
    pub keeps_line: bool,
}

impl TacticalConfig {
    /// All techniques off. Values are then the same as those of a [`Search`](crate::Search) without tactics.
    pub const NONE: TacticalConfig = TacticalConfig {
        quiescence: 0,
        quiescence_checks: 0,
        delta_margin: -1,
        null_move: 0,
        check_extension: false,
        late_moves: 0,
        late_move_pruning: 0,
        futility_margin: 0,
        beta_margin: 0,
        shallow: 6,
        unknown_reduction: false,
        replies: false,
        keeps_line: false,
    };

    /// Returns the usual techniques, with margins for a game whose least valuable piece (for example a pawn) is worth
    /// `unit`.
    #[must_use]
    pub const fn of_unit(unit: i32) -> TacticalConfig {
        TacticalConfig {
            quiescence: 16,
            quiescence_checks: 0,
            delta_margin: 2 * unit,
            null_move: 2,
            check_extension: true,
            late_moves: 3,
            late_move_pruning: 4,
            futility_margin: unit,
            beta_margin: unit,
            shallow: 6,
            unknown_reduction: true,
            replies: true,
            keeps_line: true,
        }
    }

    /// Returns whether a node must be evaluated before its moves are searched.
    pub(crate) fn needs_evaluation(&self) -> bool {
        self.null_move > 0 || self.late_move_pruning > 0 || self.futility_margin > 0 || self.beta_margin > 0
    }
}
