//! Games that cannot be set up as the user asks.

use contender_play::EntrantError;

/// The reason why a referee cannot play under the conditions that a user asks for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// A node budget of 0.
    #[error("invalid number of nodes: expected at least 1")]
    Nodes,
    /// A time that is neither a number with a unit nor a share.
    #[error("expected a number above 0 with a unit, for example 30s or 100ms")]
    Time,
    /// A share of the contest's time that is not above 0.
    #[error("expected a number above 0 and `%`, for example 10%")]
    Share,
    /// An invalid seed.
    #[error("expected a whole 64-bit number, or `random`")]
    Seed,
    /// A rule that is not `KEY=VALUE`.
    #[error("invalid setup `{0}`: expected KEY=VALUE")]
    Form(String),
    /// A rule or an option that the contest does not take, in its words.
    #[error("{0}")]
    Contest(String),
    /// A file of openings cannot be read.
    #[error("cannot read {file}: {source}")]
    File {
        /// The file.
        file: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A line of a file of openings is wrong.
    #[error("{file}:{line}: {reason}")]
    Opening {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u32,
        /// The reason.
        reason: Box<SetupError>,
    },
    /// A file of openings without a line that counts.
    #[error(
        "{file} contains no openings: expected one setup per line, as listed by `{} games {game}`",
        contender_input::this_program()
    )]
    NoOpenings {
        /// The file.
        file: String,
        /// The game.
        game: String,
    },
    /// A memory limit outside the possible range.
    #[error("invalid memory limit: expected 1 to {most} MiB")]
    Memory {
        /// The highest limit, in MiB.
        most: u64,
    },
    /// This machine cannot isolate bots.
    #[error("cannot isolate bots: {0}")]
    Isolation(String),
    /// A bundled bot; only a program makes sense here.
    #[error("`{0}` is a bundled bot; `check` needs the command line of a program")]
    NotExternal(String),
    /// A bot that cannot take part.
    #[error(transparent)]
    Entrant(#[from] EntrantError),
}

/// The reason why a bot gave no first answer, in words that follow its name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoAnswer {
    /// The game cannot be begun.
    #[error("cannot be asked: {0}")]
    Game(String),
    /// Its program cannot be started.
    #[error("cannot start: {0}")]
    CannotStart(String),
    /// It ended first.
    #[error("exits before its first answer{stderr}")]
    Exits {
        /// The last lines of its standard error, to be printed behind the reason.
        stderr: String,
    },
    /// It did not answer in time.
    #[error("does not give its first answer in time{stderr}")]
    Late {
        /// The last lines of its standard error, to be printed behind the reason.
        stderr: String,
    },
}
