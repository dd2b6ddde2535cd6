//! Errors that occur when a game cannot be set up as requested.

use contender_play::EntrantError;

/// The reason why a referee cannot play under the requested conditions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The node budget is 0.
    #[error("invalid number of nodes: expected at least 1")]
    Nodes,
    /// A time that is neither a positive number with a unit nor a percentage.
    #[error("expected a number above 0 with a unit, for example 30s or 100ms")]
    Time,
    /// A percentage of the contest's time that is not positive.
    #[error("expected a positive percentage, for example 10%")]
    Share,
    /// An invalid seed.
    #[error("expected a whole 64-bit number, or `random`")]
    Seed,
    /// A rule that is not `KEY=VALUE`.
    #[error("invalid setup `{0}`: expected KEY=VALUE")]
    Form(String),
    /// A rule or an option that the contest does not accept, with the contest's message.
    #[error("{0}")]
    Contest(String),
    /// A file of openings that cannot be read.
    #[error("cannot read {file}: {source}")]
    File {
        /// The path of the file.
        file: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// An invalid line in a file of openings.
    #[error("{file}:{line}: {reason}")]
    Opening {
        /// The path of the file.
        file: String,
        /// The line number, starting at 1.
        line: u32,
        /// The error in this line.
        reason: Box<SetupError>,
    },
    /// A file of openings that contains only empty lines and comments.
    #[error(
        "{file} contains no openings: expected one setup per line, as listed by `{} games {game}`",
        contender_input::this_program()
    )]
    NoOpenings {
        /// The path of the file.
        file: String,
        /// The name of the game.
        game: String,
    },
    /// A memory limit outside the possible range.
    #[error("invalid memory limit: expected 1 to {most} MiB")]
    Memory {
        /// The maximum limit in MiB.
        most: u64,
    },
    /// Bots cannot be isolated on this machine.
    #[error("cannot isolate bots: {0}")]
    Isolation(String),
    /// A bundled bot, which cannot be checked.
    #[error("`{0}` is a bundled bot; `check` needs the command line of a program")]
    NotExternal(String),
    /// An invalid bot.
    #[error(transparent)]
    Entrant(#[from] EntrantError),
}

/// The reason why a bot gave no first answer, as a phrase that follows the bot's name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoAnswer {
    /// The game cannot be started.
    #[error("cannot receive a first question: {0}")]
    Game(String),
    /// The program cannot be started.
    #[error("cannot start: {0}")]
    CannotStart(String),
    /// The program exited before its first answer.
    #[error("exits before its first answer{stderr}")]
    Exits {
        /// The last lines of standard error, which are printed after the reason.
        stderr: String,
    },
    /// The program did not answer in time.
    #[error("does not give its first answer in time{stderr}")]
    Late {
        /// The last lines of standard error, which are printed after the reason.
        stderr: String,
    },
}
