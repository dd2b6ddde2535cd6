//! A game as a contest plays it: bots, questions, answers and points. Every trait here is object-safe, so that tools
//! can hold any game. The performance-critical code of the games does not use `dyn`.

use crate::{
    board::Picture,
    contest::{numbered, Analysis, Limits},
    rules::Player,
    settings::{Options, Setting},
};

/// A bot's reaction to a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// No answer yet: the bot waits for more lines.
    Nothing,
    /// An answer of one line, or of several separated by `\n`, without a newline at the end.
    Say(String),
    /// No more answers: the game is over.
    Stop,
}

/// A bot as its judge sees it: a program that reads and writes lines. One instance plays one game. Bots in this process
/// and bots on standard input and output run the same code.
pub trait LineBot: Send {
    /// Takes one line without its newline.
    ///
    /// # Errors
    /// Returns an error if the line makes no sense at this point. After an error the bot cannot continue.
    fn line(&mut self, line: &str) -> Result<Reply, String>;
}

/// A judge's request to one player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The player that must answer.
    pub player: Player,
    /// The text that the player gets before answering, as whole lines that each end in `\n`.
    pub text: String,
    /// Number of lines in the answer, at least 1.
    pub answer_lines: usize,
}

/// One game in progress, from the judge's side. A judge knows the rules and the protocol, but does not handle processes
/// and clocks. A referee passes the judge's questions to the bots, and the bots' answers back to the judge.
///
/// A referee calls [`ask`](Judge::ask) in a loop, and for each question either [`answer`](Judge::answer) or
/// [`fail`](Judge::fail).
pub trait Judge: Send {
    /// Advances the game to the next decisions of bots. Returns one question when the players take turns, two when both
    /// act at once, and none when the game is over. This function also resolves chance and makes the moves for bots
    /// that have failed.
    fn ask(&mut self) -> Vec<Question>;

    /// Takes a player's answer: the number of lines that the question asked for, without newlines.
    ///
    /// # Errors
    /// Returns an error if the answer is illegal. In this case the state is unchanged, and the referee must call
    /// [`fail`](Judge::fail).
    fn answer(&mut self, player: Player, lines: &[String]) -> Result<(), String>;

    /// Removes a player that must answer from the game, as the contest's rules require: the judge moves at random for
    /// this player, or the game ends.
    fn fail(&mut self, player: Player);

    /// Plays one move of a recorded game, including chance, in the judge's notation (see [`moves`](Judge::moves)). If
    /// the judge has the seed of the recorded game, the game can continue afterwards with the outcomes of chance that
    /// it would have had.
    ///
    /// # Errors
    /// Returns an error if the move is malformed or illegal here. In this case the state is unchanged.
    fn replay(&mut self, recorded: &str) -> Result<(), String>;

    /// Returns the current contest points, including failures. The points are final when [`ask`](Judge::ask) has
    /// returned no question.
    fn points(&self) -> [i32; 2];

    /// Returns whether the game was stopped because it takes too many turns
    /// ([`Game::MAX_TURNS`](crate::rules::Game::MAX_TURNS)). The judge then asks no more questions, and the points are
    /// equal unless a player has failed.
    fn is_endless(&self) -> bool {
        false
    }

    /// Returns the player of the latest move; `None` at the start, and after a simultaneous turn.
    fn mover(&self) -> Option<Player> {
        None
    }

    /// Returns all legal moves of a player that must answer, in the player's notation. Returns an empty list if there
    /// are too many moves. If an answer has several lines, the list contains the possible single lines.
    fn choices(&self, player: Player) -> Vec<String> {
        let _ = player;
        Vec::new()
    }

    /// Returns the judge's message at the end of a game: `Quit\n`, or an empty text.
    fn farewell(&self) -> &'static str;

    /// Returns the setup before the first move, in the judge's notation. The setup is empty if the game has none.
    fn setup(&self) -> Vec<String>;

    /// Returns all moves of the game, including outcomes of chance, in the judge's notation.
    fn moves(&self) -> &[String];

    /// Returns the position as `viewer` may see it, or the whole position if `viewer` is `None`.
    fn picture(&self, viewer: Option<Player>) -> Picture;

    /// Returns one line for a person, with the request and the form of the answer: for example `place the chip 3, for
    /// example Bc`.
    fn prompt(&self, player: Player) -> String;
}

/// The site whose contest rules and protocol a game follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JudgeSite {
    /// CodeCup's rules: time per game; the judge moves at random for a failed bot; `Quit` at the end.
    CodeCup,
    /// CodinGame's rules: time per turn; a failure ends the game; no message at the end.
    CodinGame,
}

/// The sites' rules for bots that fail.
impl JudgeSite {
    /// Returns the contest points, given which players failed. On CodeCup, a failed player gets 0 points. The other
    /// player gets its points on the board, even if they are the points of a loser. On CodinGame, a player who fails
    /// loses, whatever is on the board.
    #[must_use]
    pub fn points(self, points: [i32; 2], failed: [bool; 2]) -> [i32; 2] {
        match (self, failed) {
            (_, [false, false]) => points,
            (JudgeSite::CodeCup, _) => Player::BOTH.map(|player| points[player] * i32::from(!failed[player])),
            (JudgeSite::CodinGame, _) => failed.map(|failed| i32::from(!failed)),
        }
    }

    /// Returns whether the game stops early because of failures. CodeCup's judge moves at random for a failed bot, so a
    /// game on CodeCup stops only when both bots have failed. On CodinGame a game stops when one bot has failed.
    #[must_use]
    pub fn is_stopped(self, failed: [bool; 2]) -> bool {
        match self {
            JudgeSite::CodeCup => failed == [true; 2],
            JudgeSite::CodinGame => failed != [false; 2],
        }
    }

    /// See [`Judge::farewell`].
    #[must_use]
    pub fn farewell(self) -> &'static str {
        match self {
            JudgeSite::CodeCup => "Quit\n",
            JudgeSite::CodinGame => "",
        }
    }
}

/// A bundled bot, for lists and help.
#[derive(Clone, Copy, Debug)]
pub struct BotInfo {
    /// The bot's name, as users write it.
    pub name: &'static str,
    /// One line that describes how the bot plays.
    pub about: &'static str,
    /// The bot's settings with their defaults.
    pub settings: fn() -> Vec<Setting>,
}

/// The facts about a contest.
#[derive(Clone, Copy, Debug)]
pub struct ContestInfo {
    /// The contest's name, as users write it: for example `entropy`.
    pub name: &'static str,
    /// The package name of the contest's crate, for `contender pack`: `env!("CARGO_PKG_NAME")`.
    pub package: &'static str,
    /// One line for lists: the game, the contest and its year.
    pub about: &'static str,
    /// Names of the seats 0 and 1: `["Order", "Chaos"]`.
    pub seats: [&'static str; 2],
    /// The contest's site.
    pub site: JudgeSite,
    /// The contest's time limits.
    pub limits: Limits,
    /// Whether the seats have different roles, and not only a different order of moves. In this case, results are shown
    /// by seat.
    pub seats_differ: bool,
    /// The bundled bots, weakest first.
    pub bots: &'static [BotInfo],
    /// The variants of the rules and of the setup, which are options of [`Contest::judge`].
    pub rules: fn() -> Vec<Setting>,
}

impl ContestInfo {
    /// Returns the error for an unknown bot, which lists the contest's bots.
    #[must_use]
    pub fn unknown_bot(&self, name: &str) -> String {
        let names: Vec<&str> = self.bots.iter().map(|bot| bot.name).collect();
        format!("{} has no bot `{name}`; available: {}", self.name, names.join(", "))
    }
}

/// The setup of a new bot.
#[derive(Clone, Copy, Debug, Default)]
pub struct BotSetup {
    /// The limits of the bot's answers.
    pub limits: Limits,
    /// The seed of the bot's random choices.
    pub seed: u64,
}

/// A position for a bot to analyse.
#[derive(Debug)]
pub struct Position<'a> {
    /// The seed of the game's start. If chance must act after the moves, the seed also decides the outcome, unless
    /// `played` shows it.
    pub luck: u64,
    /// Variants of the rules and a setup, as in [`Contest::judge`]. Options that are used are removed.
    pub rules: &'a mut Options,
    /// The moves from the start, in the notation of [`Judge::moves`].
    pub moves: &'a [String],
    /// The next move in the recorded game, if known. The outcomes of chance that this move's record contains are
    /// applied to the position.
    pub played: Option<&'a str>,
    /// The player whose move the bot should choose, if both players must act; by default the first player that must
    /// act.
    pub player: Option<Player>,
}

/// A bot's analysis of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionAnalysis {
    /// The position, as [`Judge::picture`] shows it.
    pub picture: Picture,
    /// The player that must decide.
    pub player: Player,
    /// The move that was played, in the notation of [`analysis`](PositionAnalysis::analysis), if known.
    pub played: Option<String>,
    /// The analysis, with its moves in the judge's notation.
    pub analysis: Analysis<String>,
    /// The bot's answer to its judge, line by line, for the first move of the analysis; empty if there is no move.
    pub answer: Vec<String>,
}

/// A game that is replayed while a bundled bot analyses its positions (see [`Contest::analyst`]).
pub trait Analyst: Send {
    /// Resolves chance, and returns the players that must decide. The list is empty if the game is over.
    fn deciders(&mut self) -> Vec<Player>;

    /// Plays the next move, in the judge's notation.
    ///
    /// # Errors
    /// Returns an error as [`Judge::replay`] does.
    fn replay(&mut self, recorded: &str) -> Result<(), String>;

    /// Lets the bot analyse the position for `player`, if this player must decide, and reads the move that was `played`
    /// there.
    ///
    /// # Errors
    /// Returns an error if no player must decide in the position, or if the move is malformed or illegal.
    fn analyse(&mut self, player: Option<Player>, played: Option<&str>) -> Result<PositionAnalysis, String>;
}

/// The interface of one game for the tools.
pub trait Contest: Sync {
    /// Returns the facts about the game for lists, help and referees.
    fn info(&self) -> ContestInfo;

    /// Creates a bundled bot for one game. Options that are used are removed from `options`. The caller checks that no
    /// option is left.
    ///
    /// # Errors
    /// Returns an error if the name is unknown or an option is invalid; the text is shown to the user.
    fn bot(&self, name: &str, options: &mut Options, setup: &BotSetup) -> Result<Box<dyn LineBot>, String>;

    /// Creates a judge for a new game. `luck` is a seed that determines all randomness: two games with the same seed
    /// have the same setup and the same draws, no matter how the players move.
    ///
    /// # Errors
    /// Returns an error if an option is invalid; the text is shown to the user.
    fn judge(&self, luck: u64, options: &mut Options) -> Result<Box<dyn Judge>, String>;

    /// Creates a judge at the start of a recorded game. [`Judge::replay`] then plays the recorded moves.
    ///
    /// # Errors
    /// Returns an error if the game cannot start from the setup, or if an option is invalid; the text is shown to the
    /// user.
    fn recorded(&self, setup: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String>;

    /// Splits a text into moves in the judge's notation. By default spaces and commas separate moves; a game overrides
    /// this if its moves contain spaces or commas. This function checks nothing: an invalid piece of text only causes
    /// an error when it is played.
    fn split_moves(&self, text: &str) -> Vec<String> {
        let pieces = text.split(|letter: char| letter.is_whitespace() || letter == ',');
        pieces.filter(|piece| !piece.is_empty()).map(str::to_string).collect()
    }

    /// Returns the squares of a picture that a move names, as indices in the order of the move. The list is empty if
    /// the move names no square. The move comes from [`Judge::choices`], from a record or from an analysis. The default
    /// uses [`Picture::named_in`].
    fn squares(&self, picture: &Picture, mv: &str) -> Vec<usize> {
        picture.named_in(mv)
    }

    /// Returns a game's points as a single number, for games whose records have one number instead of one for each
    /// player.
    fn shared_score(&self, points: [i32; 2]) -> Option<i32> {
        let _ = points;
        None
    }

    /// Returns the rules as paragraphs and lists with dashes, or an empty text if the game has none.
    fn rules_text(&self) -> String {
        String::new()
    }

    /// Returns the source file of a bot to start from, which plays legal moves. `ending` is the file name extension of
    /// the language: `py`, `cpp`, `rs`.
    fn skeleton(&self, ending: &str) -> Option<&'static str> {
        let _ = ending;
        None
    }

    /// Returns the perft count: the number of sequences of `depth` decisions, including chance, after `moves` in the
    /// judge's notation.
    ///
    /// # Errors
    /// Returns an error with the number of the first move that is malformed or illegal.
    fn perft(&self, moves: &[String], depth: u32) -> Result<u64, String>;

    /// Returns a new game with this seed and these rules, and a bundled bot that analyses the game's positions. The bot
    /// has the limits of a game's first turn for each position. Each analysed seat has its own bot, which observes the
    /// moves between the analysed positions. Options that are used are removed from `options`, as in
    /// [`bot`](Contest::bot).
    ///
    /// # Errors
    /// Returns an error if the bot is unknown or an option is invalid. The default returns the error that the game does
    /// not support analyses.
    fn analyst(
        &self,
        luck: u64,
        rules: &mut Options,
        bot: &str,
        options: &mut Options,
        setup: &BotSetup,
    ) -> Result<Box<dyn Analyst>, String> {
        let _ = (luck, rules, bot, options, setup);
        Err(format!("{} analyses no positions", self.info().name))
    }

    /// Analyses one position with a bundled bot, as an [`analyst`](Contest::analyst) does.
    ///
    /// # Errors
    /// Returns an error if a move is malformed or illegal (with its number), if no player must decide in the position,
    /// if the bot is unknown, or if an option is invalid.
    fn analyse(
        &self,
        position: Position<'_>,
        bot: &str,
        options: &mut Options,
        setup: &BotSetup,
    ) -> Result<PositionAnalysis, String> {
        let Position { luck, rules, moves, played, player } = position;
        let mut analyst = self.analyst(luck, rules, bot, options, setup)?;
        numbered(moves, |text| analyst.replay(text))?;
        analyst.analyse(player, played)
    }
}

impl dyn Contest + '_ {
    /// Returns the contest's name, as users write it: for example `entropy`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.info().name
    }

    /// Returns the error for an unknown bot, which lists the contest's bots.
    #[must_use]
    pub fn unknown_bot(&self, name: &str) -> String {
        self.info().unknown_bot(name)
    }
}
