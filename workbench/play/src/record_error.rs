//! Records that do not hold together, or that the rules contradict.

/// The reason why a record is not a game, or not the game that it claims to be.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A value of a key has the wrong form.
    #[error("{key}: {reason}")]
    Value {
        /// The key in the log.
        key: &'static str,
        /// The reason.
        reason: String,
    },
    /// A key with one value a player has more or fewer of them.
    #[error("{key}: {entries} entries for {players} players")]
    Entries {
        /// The key in the log.
        key: &'static str,
        /// The number of its values.
        entries: usize,
        /// The number of players.
        players: usize,
    },
    /// The number of players.
    #[error("players: {players} names; a game has 2 to {most}")]
    Players {
        /// The number of names.
        players: usize,
        /// The maximum number of players.
        most: usize,
    },
    /// The result and the scores contradict each other.
    #[error("the result {result:?} does not match the scores {scores:?}")]
    Result {
        /// The recorded result.
        result: String,
        /// The recorded scores.
        scores: Vec<f64>,
    },
    /// A rule that is not `KEY=VALUE`, or that the game does not take.
    #[error("{0}")]
    Rule(String),
    /// The setup is impossible.
    #[error("setup: {0}")]
    Setup(String),
    /// A move is against the rules.
    #[error("turn {turn} `{text}`: {reason}")]
    Turn {
        /// Its number, from 1.
        turn: usize,
        /// The move as recorded.
        text: String,
        /// The reason.
        reason: String,
    },
    /// A game of a contest that has not two players.
    #[error("a contest has two seats")]
    Seats,
    /// No player has failed, and the game goes on after the last move.
    #[error("the moves end before the game")]
    EndsEarly,
    /// The moves lead to another score.
    #[error("end: recorded score {}-{}, replayed {}-{}", recorded[0], recorded[1], replayed[0], replayed[1])]
    Score {
        /// The points in the record.
        recorded: [f64; 2],
        /// The points after its moves.
        replayed: [f64; 2],
    },
    /// The seed gives another setup.
    #[error("seed {seed} gives the setup `{drawn}`, but `{recorded}` is recorded")]
    Seed {
        /// The seed.
        seed: u64,
        /// The setup that it gives.
        drawn: String,
        /// The setup in the record.
        recorded: String,
    },
}
