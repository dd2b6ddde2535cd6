//! Errors for records that contradict themselves or the rules.

/// The reason why a record is not a valid game, or contradicts the rules.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A key whose value has the wrong form.
    #[error("{key}: {reason}")]
    Value {
        /// The key in the log.
        key: &'static str,
        /// The description of the error.
        reason: String,
    },
    /// A key with one value for each player, but with the wrong number of values.
    #[error("{key}: {entries} entries for {players} players")]
    Entries {
        /// The key in the log.
        key: &'static str,
        /// The number of values.
        entries: usize,
        /// The number of players.
        players: usize,
    },
    /// A number of players that is not allowed.
    #[error("players: {players} names; a game has 2 to {most}")]
    Players {
        /// The number of names.
        players: usize,
        /// The maximum number of players.
        most: usize,
    },
    /// A result that contradicts the scores.
    #[error("the result {result:?} does not match the scores {scores:?}")]
    Result {
        /// The recorded result.
        result: String,
        /// The recorded scores.
        scores: Vec<f64>,
    },
    /// A rule that is not `KEY=VALUE`, or that the game does not accept.
    #[error("{0}")]
    Rule(String),
    /// An impossible setup.
    #[error("setup: {0}")]
    Setup(String),
    /// A move that breaks the rules.
    #[error("turn {turn} `{text}`: {reason}")]
    Turn {
        /// The number of the move, from 1.
        turn: usize,
        /// The move as recorded.
        text: String,
        /// The reason why the move is illegal.
        reason: String,
    },
    /// A contest game whose number of players is not 2.
    #[error("a contest has two seats")]
    Seats,
    /// The game is not over after the last move, although no player has failed.
    #[error("the moves end before the game does")]
    EndsEarly,
    /// Moves that lead to a score that differs from the recorded score.
    #[error("end: recorded score {}-{}, replayed {}-{}", recorded[0], recorded[1], replayed[0], replayed[1])]
    Score {
        /// The points in the record.
        recorded: [f64; 2],
        /// The points after replaying the moves.
        replayed: [f64; 2],
    },
    /// A seed that leads to a setup that differs from the recorded setup.
    #[error("seed {} gives the setup `{drawn}`, but `{recorded}` is recorded", seed.cast_signed())]
    Seed {
        /// The seed.
        seed: u64,
        /// The setup that the seed leads to.
        drawn: String,
        /// The setup in the record.
        recorded: String,
    },
}
