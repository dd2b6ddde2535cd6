//! Players: bundled bots with options, and commands.

use crate::command_line::{CommandLine, program_of};
use crate::options::{as_text, options};
use contender_game::{
    contest::{BotSetup, Contest, Limits},
    settings::Options,
};
use contender_input::{all_taken, did_you_mean};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;

/// The prefix in the command of a bot that plays many games in one process.
const KEEP_ALIVE: &str = "[keep-alive]";

/// A bot as the user writes it, for example `greedy`, `expectimax:depth=2`, `"python3 bot.py"`, `mybot=python3 bot.py`,
/// or `"[keep-alive] python3 bot.py"`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entrant {
    /// The name in tables and records.
    pub name: String,
    /// The program that plays.
    pub program: Program,
}

/// The program of an entrant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// A bundled bot, which runs in this process.
    Bundled {
        /// The bot's name in the contest's list of bots.
        bot: String,
        /// The bot's options.
        #[serde(serialize_with = "as_text", deserialize_with = "options")]
        options: Options,
    },
    /// An external program, given by its command. In the arguments, `{nodes}` is replaced by the node budget (which
    /// must then exist), `{seed}` by the bot's seed, and `{time}` and `{time:ms}` by the time limit (see
    /// [`Program::command`]).
    Command(CommandLine),
    /// A bot that plays many games in one process. At the end of a game, it reads the judge's farewell, or `Quit` if
    /// the judge has none, and must not write anything else about that game. The next line that it reads starts a new
    /// game. After a failure, the process is ended and the next game starts a new process. A bot that exits at the
    /// farewell, as most bots do, would fail in its next game. The command cannot contain `{seed}`, because every game
    /// has a different seed.
    KeepAlive(CommandLine),
}

/// The placeholders for the time limit in a command: in seconds and in milliseconds.
const TIMES: [&str; 2] = ["{time}", "{time:ms}"];

/// The reason why a bot cannot take part.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EntrantError {
    /// The text is empty.
    #[error("empty bot: expected the name of a bundled bot or a command")]
    Empty,
    /// The contest has no bundled bot with this name.
    #[error("{known}{tip}")]
    UnknownBot {
        /// A message that lists the bots of the contest.
        known: String,
        /// A suggestion of a similar name; empty if there is none.
        tip: String,
    },
    /// A single word that is neither the name of a bundled bot nor a program.
    #[error("{known}; {missing}{tip}")]
    NeitherBotNorProgram {
        /// A message that lists the bundled bots.
        known: String,
        /// The reason why the word is not a program.
        missing: Box<EntrantError>,
        /// A suggestion of a similar name; empty if there is none.
        tip: String,
    },
    /// Options that a bundled bot does not accept.
    #[error("bot `{bot}`: {reason}")]
    Options {
        /// The bot's name.
        bot: String,
        /// The reason why the options are invalid.
        reason: String,
    },
    /// A command with an unclosed quotation mark.
    #[error("command `{command}`: {reason}")]
    Quotes {
        /// The command.
        command: String,
        /// The reason why the command cannot be split.
        reason: String,
    },
    /// A file that is not executable.
    #[error(
        "`{program}` is not executable\nhint: use `chmod +x {program}`, or give a command that runs the \
        file"
    )]
    NotExecutable {
        /// The path of the file.
        program: String,
    },
    /// A path that does not exist.
    #[error("no such program: `{program}`")]
    NoSuchProgram {
        /// The path of the missing program.
        program: String,
    },
    /// A name that is not in any folder of PATH.
    #[error("no program `{program}` found in the PATH")]
    NotInPath {
        /// The name of the program.
        program: String,
    },
    /// Different programs with the same name, whose results could not be distinguished.
    #[error(
        "two different bots have the name `{name}`\nhint: give each bot a different name, for example \
         `{name}1=BOT {name}2=BOT`"
    )]
    SameName {
        /// The name that the programs share.
        name: String,
    },
    /// A request for the command of a bundled bot, which has none.
    #[error("`{bot}` is a bundled bot and has no command")]
    NoCommand {
        /// The bot's name.
        bot: String,
    },
    /// A command with `{nodes}` in games without a node budget.
    #[error("the command contains `{{nodes}}`, but there is no node budget\nhint: set one with `--nodes N`")]
    NoNodeBudget,
    /// A command with `{time}` in games without a time limit.
    #[error("the command contains `{{time}}`, but there is no time limit\nhint: set one with `--time TIME`")]
    NoTimeLimit,
    /// A command with `{seed}` for a process that plays several games.
    #[error("the command contains `{{seed}}`, but the process plays many games with different seeds")]
    SeedOfManyGames,
}

impl Program {
    /// Returns whether the program runs in its own process.
    #[must_use]
    pub fn is_external(&self) -> bool {
        !matches!(self, Program::Bundled { .. })
    }

    /// Returns whether the program knows its time limit, like bundled bots and commands with `{time}`.
    #[must_use]
    pub fn is_told_the_time(&self) -> bool {
        let has_time = |command: &CommandLine| {
            command.words.iter().any(|word| TIMES.iter().any(|time| word.contains(time)))
        };
        self.command_line().is_none_or(has_time)
    }

    /// Returns the command of a program that runs in its own process.
    #[must_use]
    pub fn command_line(&self) -> Option<&CommandLine> {
        match self {
            Program::Bundled { .. } => None,
            Program::Command(command) | Program::KeepAlive(command) => Some(command),
        }
    }

    /// Returns a mutable reference to the command line.
    pub fn command_line_mut(&mut self) -> Option<&mut CommandLine> {
        match self {
            Program::Bundled { .. } => None,
            Program::Command(command) | Program::KeepAlive(command) => Some(command),
        }
    }

    /// Returns the command to run. Replaces `{nodes}` by the node budget, `{seed}` by the seed, and `{time}` (in
    /// seconds) and `{time:ms}` (in milliseconds) by the time limit. This is the limit per game, or the limit per turn
    /// if games have no limit ([`Limits::main`]).
    ///
    /// # Errors
    /// Returns an error for a bundled bot, for `{nodes}` or `{time}` if there is no such limit, or for `{seed}` in the
    /// command of a process that plays several games.
    pub fn command(&self, limits: &Limits, seed: u64) -> Result<CommandLine, EntrantError> {
        let nodes = limits.nodes;
        let mut command = match self {
            Program::Bundled { bot, .. } => {
                return Err(EntrantError::NoCommand { bot: bot.clone() });
            }
            Program::Command(command) | Program::KeepAlive(command) => command.clone(),
        };
        let has = |what: &str| command.words.iter().any(|word| word.contains(what));
        if nodes.is_none() && has("{nodes}") {
            return Err(EntrantError::NoNodeBudget);
        }
        if matches!(self, Program::KeepAlive(_)) && has("{seed}") {
            return Err(EntrantError::SeedOfManyGames);
        }
        let Some(time) = limits.main().or((!self.is_told_the_time()).then_some(Duration::ZERO)) else {
            return Err(EntrantError::NoTimeLimit);
        };
        let [seconds, milliseconds] = TIMES;
        let values = [
            ("{nodes}", nodes.unwrap_or_default().to_string()),
            ("{seed}", seed.to_string()),
            (seconds, time.as_secs_f64().to_string()),
            (milliseconds, (time.as_micros() as f64 / 1000.0).to_string()),
        ];
        for word in &mut command.words {
            for (place, value) in &values {
                *word = word.replace(place, value);
            }
        }
        Ok(command)
    }
}

impl Entrant {
    /// Parses a bot as the user writes it, with or without a name: `name=BOT` or `BOT`.
    ///
    /// If the text before a `:` is the name of a bundled bot, the result is this bot with the options after the `:`.
    /// Any other text is a command. It is split into words like in a shell (with quotes and backslashes), but without
    /// expansion. `[keep-alive]` before a command makes it a [`Program::KeepAlive`]. Without `name=`, the text itself
    /// is the name.
    ///
    /// # Errors
    /// Returns an error for an unknown bundled bot, invalid options, unclosed quotes, or a command whose program does
    /// not exist.
    pub fn parse(contest: &dyn Contest, text: &str) -> Result<Entrant, EntrantError> {
        Entrant::read(contest, text, None)
    }

    /// Parses a bot whose command runs in `folder`. Relative paths in the command refer to this folder.
    ///
    /// # Errors
    /// See [`parse`](Entrant::parse).
    pub fn parse_within(contest: &dyn Contest, text: &str, folder: &Path) -> Result<Entrant, EntrantError> {
        Entrant::read(contest, text, Some(folder))
    }

    /// Parses a bot for a game without bundled bots, written as `name=COMMAND` or `COMMAND`.
    ///
    /// # Errors
    /// Returns an error if a quotation mark is not closed, if there is no command, or if the program does not exist.
    pub fn parse_command(text: &str) -> Result<Entrant, EntrantError> {
        Entrant::read_command(text, None)
    }

    /// Parses a bot whose command runs in `folder`. Relative paths in the command refer to this folder.
    ///
    /// # Errors
    /// See [`parse_command`](Entrant::parse_command).
    pub fn parse_command_within(text: &str, folder: &Path) -> Result<Entrant, EntrantError> {
        Entrant::read_command(text, Some(folder))
    }

    fn read_command(text: &str, folder: Option<&Path>) -> Result<Entrant, EntrantError> {
        let text = text.trim();
        let (name, what) = named(text);
        let command = command_line(what, folder)?;
        match missing(&command) {
            None => Ok(Entrant { name: name.to_string(), program: Program::Command(command) }),
            Some(missing) => Err(missing),
        }
    }

    fn read(contest: &dyn Contest, text: &str, folder: Option<&Path>) -> Result<Entrant, EntrantError> {
        let text = text.trim();
        if let Some(program) = bundled(contest, text)? {
            return Ok(Entrant { name: text.to_string(), program });
        }
        let (name, what) = named(text);
        let program = match bundled(contest, what)? {
            Some(program) => program,
            None => match what.strip_prefix(KEEP_ALIVE) {
                Some(what) => Program::KeepAlive(command(contest, what.trim(), folder)?),
                None => Program::Command(command(contest, what, folder)?),
            },
        };
        Ok(Entrant { name: name.to_string(), program })
    }
}

/// Returns the name and the options of the bundled bot that the user named, or of the strongest bundled bot if `text`
/// is `None`.
///
/// # Errors
/// Returns an error if the bot is unknown or an option is invalid.
pub fn bundled_bot(contest: &dyn Contest, text: Option<&str>) -> Result<(String, Options), EntrantError> {
    let strongest = contest.info().bots.last().map_or("", |bot| bot.name);
    let text = text.unwrap_or(strongest);
    match bundled(contest, text)? {
        Some(Program::Bundled { bot, options }) => Ok((bot, options)),
        _ => {
            let bot = text.split(':').next().unwrap_or_default();
            Err(EntrantError::UnknownBot { known: contest.unknown_bot(bot), tip: nearest_bot(contest, bot) })
        }
    }
}

/// Returns the bundled bot for judging moves, like [`bundled_bot`]. If the user gives no options, the bot judges by
/// what decides a game: Spaghetti's champion plays for its own points more than for its lead, so with its usual options
/// it may call a worse lead the best one.
///
/// # Errors
/// Returns an error if the bot is unknown or an option is invalid.
pub fn judging_bot(contest: &dyn Contest, text: Option<&str>) -> Result<(String, Options), EntrantError> {
    let (bot, options) = bundled_bot(contest, text)?;
    let is_plain = text.is_none_or(|text| text == bot);
    let options = match (contest.name(), &bot[..]) {
        ("spaghetti", "champion") if is_plain => Options::parse("share=1,model=1").unwrap_or_default(),
        _ => options,
    };
    Ok((bot, options))
}

/// Appends `#1`, `#2`, ... to the names of bots that occur more than once.
///
/// # Errors
/// Returns an error if different programs have the same name, because their results could not be distinguished.
pub fn with_distinct_names(mut bots: Vec<Entrant>) -> Result<Vec<Entrant>, EntrantError> {
    for at in 0..bots.len() {
        let name = bots[at].name.clone();
        let same: Vec<usize> = (at..bots.len()).filter(|&other| bots[other].name == name).collect();
        if same.iter().any(|&other| bots[other].program != bots[at].program) {
            return Err(EntrantError::SameName { name });
        }
        if same.len() > 1 {
            (1..).zip(same).for_each(|(number, other): (u32, _)| bots[other].name += &format!("#{number}"));
        }
    }
    Ok(bots)
}

/// Splits `name=COMMAND` into the name and the command. Without a name, the command is also the name.
fn named(text: &str) -> (&str, &str) {
    match text.split_once('=') {
        Some((name, what)) if is_name(name) => (name, what.trim()),
        _ => (text, text),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || "_-.+@".contains(letter))
}

/// Returns the bundled bot with this name after checking its options, or `None` if the contest has no such bot.
fn bundled(contest: &dyn Contest, text: &str) -> Result<Option<Program>, EntrantError> {
    let (bot, options) = text.split_once(':').unwrap_or((text, ""));
    if contest.info().bots.iter().all(|known| known.name != bot) {
        return Ok(None);
    }
    let of_bot = |reason: String| EntrantError::Options { bot: bot.to_string(), reason };
    let options = Options::parse(options).map_err(of_bot)?;
    let mut untaken = options.clone();
    contest.bot(bot, &mut untaken, &BotSetup::default()).map_err(of_bot)?;
    all_taken(untaken).map_err(|error| of_bot(error.to_string()))?;
    Ok(Some(Program::Bundled { bot: bot.to_string(), options }))
}

fn command(contest: &dyn Contest, text: &str, folder: Option<&Path>) -> Result<CommandLine, EntrantError> {
    let command = command_line(text, folder)?;
    let Some(missing) = missing(&command) else { return Ok(command) };
    let program = command.name();
    if command.words.len() > 1 || program.contains('/') {
        return Err(missing);
    }
    // A single word is most likely a misspelt bundled bot.
    let bot = program.split(':').next().unwrap_or_default();
    Err(EntrantError::NeitherBotNorProgram {
        known: contest.unknown_bot(bot),
        missing: Box::new(missing),
        tip: nearest_bot(contest, bot),
    })
}

/// Splits a command into words and sets its working folder.
fn command_line(text: &str, folder: Option<&Path>) -> Result<CommandLine, EntrantError> {
    let words = shell_words::split(text)
        .map_err(|error| EntrantError::Quotes { command: text.to_string(), reason: error.to_string() })?;
    let command = CommandLine::new(words);
    if command.name().is_empty() {
        return Err(EntrantError::Empty);
    }
    Ok(folder.map_or(command.clone(), |folder| command.within(folder)))
}

/// Returns the reason why a command's program cannot be run, or `None` if it can.
fn missing(command: &CommandLine) -> Option<EntrantError> {
    if program_of(command).is_some() {
        return None;
    }
    let program = command.name().to_string();
    Some(if !program.contains('/') {
        EntrantError::NotInPath { program }
    } else if command.path(&program).is_file() {
        EntrantError::NotExecutable { program }
    } else {
        EntrantError::NoSuchProgram { program }
    })
}

fn nearest_bot(contest: &dyn Contest, bot: &str) -> String {
    did_you_mean(bot, contest.info().bots.iter().map(|known| known.name))
}
