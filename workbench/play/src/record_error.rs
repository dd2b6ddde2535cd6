//! Errors in records of games.

/// The reason why a record is invalid or contradicts the rules.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A key whose value is malformed.
    #[error("{key}: {reason}")]
    Value {
        /// The key in the log.
        key: &'static str,
        /// A description of the error.
        reason: String,
    },
    /// A key with the wrong number of values, which must be one for each player.
    #[error("{key}: {entries} entries for {players} players")]
    Entries {
        /// The key in the log.
        key: &'static str,
        /// The number of values.
        entries: usize,
        /// The number of players.
        players: usize,
    },
    /// A number of players that is not supported.
    #[error("players: {players} names, but a game has 2 to {most} players")]
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
        /// The number of the move, starting at 1.
        turn: usize,
        /// The move as recorded.
        text: String,
        /// The reason why the move is illegal.
        reason: String,
    },
    /// A game of a contest in which the number of players is not 2.
    #[error("a contest has two seats")]
    Seats,
    /// A game that is not over after the last move, although no player has failed.
    #[error("the game is not over after the last recorded move")]
    EndsEarly,
    /// A recorded score that differs from the score after replaying the moves.
    #[error("end: recorded score {}-{}, replayed {}-{}", recorded[0], recorded[1], replayed[0], replayed[1])]
    Score {
        /// The points in the record.
        recorded: [f64; 2],
        /// The points after replaying the moves.
        replayed: [f64; 2],
    },
    /// A recorded setup that differs from the setup for the recorded seed.
    #[error("the setup for seed {} is `{drawn}`, but the recorded setup is `{recorded}`", seed.cast_signed())]
    Seed {
        /// The seed.
        seed: u64,
        /// The setup for the seed.
        drawn: String,
        /// The setup in the record.
        recorded: String,
    },
}
