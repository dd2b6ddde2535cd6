//! Errors of external referees.

use crate::stub::StubError;
use contender_input::this_program;
use contender_play::{EntrantError, GameError};
use contender_referee::StartError;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// The reason why an external referee cannot be used, installed or displayed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ForeignError {
    /// There is no folder for installed referees.
    #[error("no folder for referees\nhint: set CONTENDER_REFEREES to a folder")]
    NoFolder,
    /// The name of a referee contains invalid characters.
    #[error("invalid name `{0}`: expected letters, digits, `-`, `_` and `.`")]
    InvalidName(String),
    /// No referee with this name is installed.
    #[error(
        "unknown referee `{0}`\nhint: list all referees with `{program} referee list`, or add one with \
         `{program} referee add`",
        program = this_program()
    )]
    Unknown(String),
    /// A referee with this name is already installed.
    #[error("the referee `{0}` already exists\nhint: remove it with `{program} referee remove {0}`", program = this_program())]
    Exists(String),
    /// A file or folder cannot be read, written, copied or removed.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// The verb for the message: `read`, `write`, ...
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The settings of an installed referee are invalid.
    #[error("{}: {}", path.display(), source.message())]
    Settings {
        /// The file with the settings.
        path: PathBuf,
        /// The position and the reason.
        source: Box<toml::de::Error>,
    },
    /// A path is not a folder.
    #[error("{} is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// A new folder exists already.
    #[error("{} already exists", .0.display())]
    FolderExists(PathBuf),
    /// A path is not valid UTF-8, as Java's class path requires.
    #[error("the name of {} is not UTF-8", .0.display())]
    NotUtf8(PathBuf),
    /// A challenge's stub is invalid.
    #[error("invalid stub of {name}: {source}")]
    Stub {
        /// The name of the referee.
        name: String,
        /// The line and the reason.
        source: StubError,
    },
    /// A challenge has no stub.
    #[error("the challenge has no config/stub.txt, from which a bot could be generated")]
    NoStub,
    /// A command contains an unclosed quotation mark.
    #[error("cannot split the command `{command}`: {source}")]
    Split {
        /// The command.
        command: String,
        /// The reason.
        source: shell_words::ParseError,
    },
    /// The command of a referee or a bot is empty.
    #[error("the command of a {0} is empty")]
    EmptyCommand(&'static str),
    /// A referee's command has placeholders only for some bots.
    #[error(
        "the command must contain placeholders for both bots: %P1% and %P2%, {{P1}} and {{P2}}, %ALL_PLAYERS% or \
         {{PLAYERS}}"
    )]
    SomeBots,
    /// A league or a time is given for a referee command with placeholders, which takes no options.
    #[error(
        "a referee command with placeholders cannot take a league or a time\nhint: write them into the command"
    )]
    NoOptions,
    /// A bot's command needs a script, but the path of the script contains a space, at which the referee would split
    /// it.
    #[error(
        "the command `{command}` needs a script, but the path of the folder for scripts contains a space: \
         {}\nhint: set TMPDIR to a folder whose path contains no spaces",
        folder.display()
    )]
    SpaceInFolder {
        /// The bot's command.
        command: String,
        /// The folder for scripts.
        folder: PathBuf,
    },
    /// A program that is required for an installation is missing.
    #[error("`{tool}` not found: it is needed to {purpose}\nhint: {remedy}")]
    NoTool {
        /// The program.
        tool: &'static str,
        /// The purpose, as a verb phrase.
        purpose: &'static str,
        /// Advice on how to install the program or avoid needing it.
        remedy: &'static str,
    },
    /// A program that is required for an installation has failed.
    #[error("{task}: {failure}{}", hint.map_or(String::new(), |hint| format!("\nhint: {hint}")))]
    Tool {
        /// A clause that describes the failed task.
        task: String,
        /// The way in which the program ended.
        failure: ToolFailure,
        /// Advice, if there is any.
        hint: Option<&'static str>,
    },
    /// A referee supports only a protocol in which the tester runs the bots.
    #[error(
        "{0} supports only cg-brutaltester's old mode (`-o`), in which the tester runs the bots\nhint: look \
         for a later release of this referee that accepts -p1 and -p2"
    )]
    OldMode(String),
    /// A folder has no `pom.xml`.
    #[error("{} contains no pom.xml, so it is not a challenge as published by CodinGame", .0.display())]
    NoPom(PathBuf),
    /// A file of the viewer is missing.
    #[error(
        "no viewer found: `view/{file}`, which belongs to {origin}, is not in the class path\nhint: add the \
         resource folders to `referee add --class-path`"
    )]
    NoViewer {
        /// The missing file.
        file: &'static str,
        /// The part of the challenge to which the file belongs.
        origin: &'static str,
    },
    /// A script of the viewer imports a missing script.
    #[error("`{script}` of the viewer imports `{import}`, which does not exist{remedy}")]
    NoScript {
        /// The script with the import.
        script: String,
        /// The missing script.
        import: String,
        /// A hint on a separate line, or an empty text.
        remedy: String,
    },
    /// A file of the viewer is not valid JSON.
    #[error("{file}: {source}")]
    Json {
        /// The file.
        file: String,
        /// The position and the reason.
        source: serde_json::Error,
    },
    /// A text is not a log from CodinGame's engine.
    #[error("not a log of CodinGame's engine: {0}")]
    GameLog(serde_json::Error),
    /// A job's referee has no command.
    #[error("the external referee has no command")]
    NoCommand,
    /// The rule that gives the bundled game the referee's start position is malformed.
    #[error("invalid setup `{0}`: expected KEY=VALUE")]
    Setup(String),
    /// The contest does not accept a rule.
    #[error("{0}")]
    Rule(String),
    /// The command of a generated bot is invalid.
    #[error(transparent)]
    Entrant(#[from] EntrantError),
    /// A trial game has no result.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl ForeignError {
    /// Returns a function that adds a verb and a file name to a system error.
    pub(crate) fn file(action: &'static str, path: &Path) -> impl Fn(io::Error) -> ForeignError {
        let path = path.to_path_buf();
        move |source| ForeignError::File { action, path: path.clone(), source }
    }
}

/// The way in which a tool failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ToolFailure {
    /// The program could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The user stopped the program.
    #[error("it was stopped")]
    Stopped,
    /// The program took longer than its time limit.
    #[error("it did not finish within {0:?}")]
    Late(Duration),
    /// The program failed. The text is its output, shortened to the errors.
    #[error("{0}")]
    Output(String),
}

/// The reason why a referee's output is not a result, as a phrase that follows "the referee".
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The output is empty.
    #[error("prints nothing")]
    Nothing,
    /// The output starts like JSON, but is not a result.
    #[error("prints JSON that is not a result: {0}")]
    Json(#[from] serde_json::Error),
    /// The list does not have exactly one game.
    #[error("prints a list of {0} games instead of a single game")]
    Games(usize),
    /// The number of scores or ranks differs from the number of players.
    #[error("prints {found} {kind} for {players} players")]
    Players {
        /// The kind of values: `scores` or `ranks`.
        kind: &'static str,
        /// Number of scores or ranks.
        found: usize,
        /// Number of players in the game.
        players: usize,
    },
    /// The output is a usage message.
    #[error("prints its usage, because it does not accept these options")]
    Usage,
    /// The output contains no scores.
    #[error("prints no scores: `{0}`")]
    NoScores(String),
    /// The engine printed `null` instead of a score, because the referee failed.
    #[error("failed: it prints `null` instead of a score")]
    NullScore,
    /// A rank is infinite or not a number.
    #[error("prints the rank {0}")]
    Rank(f64),
}
