//! The options of the tactical search, one for each technique.

/// The techniques of a [`TacticalSearch`](crate::TacticalSearch), in addition to those of a
/// [`SearchConfig`](crate::SearchConfig). Most of them change values: they skip moves that are probably worthless, and
/// search deeper in tactical positions. [`TacticalConfig::NONE`] changes no value.
///
/// Margins are in the unit of the evaluation. [`TacticalConfig::of_unit`] derives them from the value of the least
/// valuable piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TacticalConfig {
    /// Searches noisy moves beyond the horizon, at most this many in a row; 0 disables it. The player may also keep the
    /// evaluation as it is (stand pat), unless it is in check; in check, all moves are searched. This technique needs
    /// [`Tactics::is_noisy`](crate::Tactics::is_noisy).
    ///
    /// Source: Harris, "The heuristic search and the game of chess: a study of quiescence, sacrifices, and plan
    /// oriented play", 1975.
    pub quiescence: u32,
    /// Answers checks beyond the horizon with all moves, up to this many moves beyond it. After that, the player may
    /// keep the evaluation even in check.
    pub quiescence_checks: u32,
    /// Beyond the horizon, skips a move if the evaluation, its [gain](crate::Tactics::gain) and this margin together do
    /// not reach the window; negative values disable it.
    ///
    /// Source: Schrüfer, "A strategic quiescence search", 1989; known as delta pruning.
    pub delta_margin: i32,
    /// Lets the player pass, and then searches with a depth that is smaller by this number than after a move, and
    /// smaller by another 1 for every four decisions that are left. If the answer is still beyond the window, the node
    /// is cut. 0 disables it. This technique needs [`Tactics::pass`](crate::Tactics::pass).
    ///
    /// Source: Donninger, "Null move and deep search", 1993.
    pub null_move: u32,
    /// Searches one decision deeper if the player is in check. This technique needs
    /// [`Tactics::is_check`](crate::Tactics::is_check).
    ///
    /// Source: Slate, Atkin, "CHESS 4.5: the Northwestern University chess program", 1977.
    pub check_extension: bool,
    /// Number of first moves that are searched to full depth. Later moves are searched with less depth, unless they are
    /// noisy, killers or answers to check. Later moves are searched again to full depth if their result is good. The
    /// reduction grows with the index of the move and with the depth. 0 disables reductions.
    ///
    /// Source: late move reductions, as in Fruit (Letouzey, 2005); the product of logarithms is Stockfish's.
    pub late_moves: usize,
    /// Skips quiet moves after this number of moves plus the square of the depth. Applies up to the depth
    /// [`shallow`](TacticalConfig::shallow). 0 disables it.
    ///
    /// Source: late move pruning, as in Stockfish and Reckless.
    pub late_move_pruning: usize,
    /// Skips quiet moves if the evaluation, plus this margin for each remaining decision, does not reach the window.
    /// Applies up to the depth [`shallow`](TacticalConfig::shallow). 0 disables it.
    ///
    /// Source: Heinz, "Extended futility pruning", 1998.
    pub futility_margin: i32,
    /// Returns the evaluation if it is beyond the window by this margin for each remaining decision. Applies up to the
    /// depth [`shallow`](TacticalConfig::shallow). 0 disables it.
    ///
    /// Source: Heinz, 1998; known as reverse futility or static null move pruning.
    pub beta_margin: i32,
    /// Maximum number of remaining decisions at which moves are pruned by count or margin.
    pub shallow: u32,
    /// Reduces the depth by one if the table has no move for the node, from four remaining decisions on.
    ///
    /// Source: Schröder, 2018; known as internal iterative reduction. This technique replaces internal iterative
    /// deepening (Scott, 1969).
    pub unknown_reduction: bool,
    /// Also orders quiet moves by how often they caused a cut after the opponent's last move, and after the player's
    /// own last move. This technique needs [`Tactics::reply_slots`](crate::Tactics::reply_slots).
    ///
    /// Source: Uiterwijk, "The countermove heuristic", 1992; as a table of pairs in Stockfish.
    pub replies: bool,
    /// In nodes with an open window, uses the table only to order moves. This keeps the complete principal variation.
    pub keeps_line: bool,
}

impl TacticalConfig {
    /// All techniques off: values are those of a [`Search`](crate::Search) without tactics.
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

    /// Returns the usual techniques for a game whose least valuable piece (a pawn, a line, a point) is worth `unit`.
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
