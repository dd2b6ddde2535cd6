//! A game as a contest plays it: who asks, who answers, what counts. Everything here is object-safe, so that tools can
//! hold any game; the hot paths below it are not `dyn`.

use crate::{
    board::Picture,
    contest::{numbered, Analysis, Limits},
    rules::Player,
    settings::{Options, Setting},
};

/// A bot's reaction to a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Waits for more.
    Nothing,
    /// Answers, with one line or several separated by `\n`, without the last line's end.
    Say(String),
    /// Leaves: the game is over.
    Stop,
}

/// A bot as its judge sees it: lines in, lines out. One value plays one game. In-process bots and bots on standard
/// input and output run this same code.
pub trait LineBot: Send {
    /// Takes one line, without its end.
    ///
    /// # Errors
    /// Why the line makes no sense at this point; the bot cannot go on.
    fn line(&mut self, line: &str) -> Result<Reply, String>;
}

/// A request of a judge to one player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The player that must answer.
    pub player: Player,
    /// The text for the player before its answer: whole lines, each with its `\n`.
    pub text: String,
    /// Number of lines of the answer, at least 1.
    pub answer_lines: usize,
}

/// One game under way, from the judge's side. It knows the rules and the protocol, and nothing of processes and clocks:
/// a referee carries its questions to the bots and their answers back.
///
/// A referee loops: [`ask`](Judge::ask); for each question either [`answer`](Judge::answer) or [`fail`](Judge::fail).
pub trait Judge: Send {
    /// Goes on to the next decisions of bots: one question when players move in turn, two when both act at once, none
    /// when the game is over. Chance, and moves for bots that have failed, happen here.
    fn ask(&mut self) -> Vec<Question>;

    /// Takes the answer to this player's question, as many lines as were asked for, without their ends.
    ///
    /// # Errors
    /// Why the answer is not legal. The state is unchanged and the referee calls [`fail`](Judge::fail).
    fn answer(&mut self, player: Player, lines: &[String]) -> Result<(), String>;

    /// Takes a player that is due to answer out of the game, as the contest's rules have it: the judge moves at random
    /// in its place, or the game ends.
    fn fail(&mut self, player: Player);

    /// Plays one move of a recorded game, in the judge's notation as [`moves`](Judge::moves) has it, chance included. A
    /// judge with the luck of that game can then go on with it: what chance decides next is what it decided there.
    ///
    /// # Errors
    /// Why the move is malformed or not legal here. The state is unchanged.
    fn replay(&mut self, recorded: &str) -> Result<(), String>;

    /// Contest points as things stand, failures included; final when [`ask`](Judge::ask) has returned no question.
    fn points(&self) -> [i32; 2];

    /// Returns whether the game was stopped because it takes too many turns
    /// ([`Game::MAX_TURNS`](crate::rules::Game::MAX_TURNS)). Then no player is asked any more, and the points are equal
    /// unless a player has failed.
    fn is_endless(&self) -> bool {
        false
    }

    /// Returns the player of the latest move; `None` at the start, and after a simultaneous turn.
    fn mover(&self) -> Option<Player> {
        None
    }

    /// Returns all legal moves of a player that must answer, as it writes them; empty if there are too many to list. If
    /// an answer has several lines, these are the possible single lines.
    fn choices(&self, player: Player) -> Vec<String> {
        let _ = player;
        Vec::new()
    }

    /// Returns the judge's message at the end of a game: `Quit\n`, or nothing.
    fn farewell(&self) -> &'static str;

    /// Returns the setup before the first move in the judge's notation; empty if the game has none.
    fn setup(&self) -> Vec<String>;

    /// Returns all moves so far in the judge's notation, including chance.
    fn moves(&self) -> &[String];

    /// Returns the position as `viewer` may see it, or all of it.
    fn picture(&self, viewer: Option<Player>) -> Picture;

    /// Returns one line for a person: the request and the form of the answer, for example
    /// `place the chip 3, for example Bc`.
    fn prompt(&self, player: Player) -> String;
}

/// The site whose contest rules and protocol a game follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JudgeSite {
    /// Time per game; the judge moves at random for a bot that failed; `Quit` at the end.
    CodeCup,
    /// Time per turn; a failure ends the game; no farewell.
    CodinGame,
}

/// The sites' rules for bots that fail.
impl JudgeSite {
    /// Contest points, given which players failed: on CodeCup they get 0, and the others what the board gives, be it a
    /// loser's points; on CodinGame who fails loses, whatever is on the board.
    #[must_use]
    pub fn points(self, points: [i32; 2], failed: [bool; 2]) -> [i32; 2] {
        match (self, failed) {
            (_, [false, false]) => points,
            (JudgeSite::CodeCup, _) => Player::BOTH.map(|player| points[player] * i32::from(!failed[player])),
            (JudgeSite::CodinGame, _) => failed.map(|failed| i32::from(!failed)),
        }
    }

    /// Returns whether the game stops early. On CodeCup, whose judge moves at random for a failed bot, it stops when
    /// both bots have failed; on CodinGame when one has.
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
    /// The name users write.
    pub name: &'static str,
    /// One line: how it plays.
    pub about: &'static str,
    /// The bot's settings with their defaults.
    pub settings: fn() -> Vec<Setting>,
}

/// A contest's facts.
#[derive(Clone, Copy, Debug)]
pub struct ContestInfo {
    /// The word users write: `entropy`.
    pub name: &'static str,
    /// The package of the crate that it is in, for `contender pack`: `env!("CARGO_PKG_NAME")`.
    pub package: &'static str,
    /// One line for lists: the game, the contest and its year.
    pub about: &'static str,
    /// Names of the seats 0 and 1: `["Order", "Chaos"]`.
    pub seats: [&'static str; 2],
    /// The contest's site.
    pub site: JudgeSite,
    /// The contest's time limits.
    pub limits: Limits,
    /// Whether the seats differ in more than who moves first, so that results are shown by seat.
    pub seats_differ: bool,
    /// The bundled bots, weakest first.
    pub bots: &'static [BotInfo],
    /// Variants of the rules and the setup that [`Contest::judge`] takes as options.
    pub rules: fn() -> Vec<Setting>,
}

impl ContestInfo {
    /// Returns the error for a bot that the contest does not have, with those it has.
    #[must_use]
    pub fn unknown_bot(&self, name: &str) -> String {
        let names: Vec<&str> = self.bots.iter().map(|bot| bot.name).collect();
        format!("{} has no bot `{name}`; available: {}", self.name, names.join(", "))
    }
}

/// The setup of a new bot.
#[derive(Clone, Copy, Debug, Default)]
pub struct BotSetup {
    /// The limits of its answers.
    pub limits: Limits,
    /// Seed of its random choices.
    pub seed: u64,
}

/// A position for a bot to analyse.
#[derive(Debug)]
pub struct Position<'a> {
    /// The luck of the game's start, and of a draw that is due after the moves and not known from `played`.
    pub luck: u64,
    /// Variants of the rules and a setup, as [`Contest::judge`] takes them; what is used is taken out.
    pub rules: &'a mut Options,
    /// The moves from the start, as [`Judge::moves`] has them.
    pub moves: &'a [String],
    /// The move that was played next in a recorded game, if it is known: what chance had decided before it is put in.
    pub played: Option<&'a str>,
    /// The player to choose for, if both players are to act; by default the first of them.
    pub player: Option<Player>,
}

/// A bot's analysis of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionAnalysis {
    /// The position as [`Judge::picture`] shows it.
    pub picture: Picture,
    /// The player who decides.
    pub player: Player,
    /// The move that was played, in the notation of [`analysis`](PositionAnalysis::analysis), if known.
    pub played: Option<String>,
    /// The analysis, with moves in the judge's notation.
    pub analysis: Analysis<String>,
    /// The bot's answer to its judge for the first of these moves, line by line; empty if there is no move.
    pub answer: Vec<String>,
}

/// A game that is replayed while a bundled bot thinks about its positions: see [`Contest::analyst`].
pub trait Analyst: Send {
    /// Returns the players that must decide here; none if the game is over. Chance acts before.
    fn deciders(&mut self) -> Vec<Player>;

    /// Plays the next move, in the judge's notation.
    ///
    /// # Errors
    /// See [`Judge::replay`].
    fn replay(&mut self, recorded: &str) -> Result<(), String>;

    /// Lets the bot think about the position, as `player` if that one has to decide, and reads the move that was
    /// `played` there.
    ///
    /// # Errors
    /// A position without a decision, or a move that is malformed or illegal.
    fn analyse(&mut self, player: Option<Player>, played: Option<&str>) -> Result<PositionAnalysis, String>;
}

/// The interface of one game to the tools.
pub trait Contest: Sync {
    /// Returns the facts about the game that lists, help and referees use.
    fn info(&self) -> ContestInfo;

    /// Returns a bundled bot for one game. Options are taken out of `options`; the caller checks that none is left.
    ///
    /// # Errors
    /// An unknown name or a bad option, in words for the user.
    fn bot(&self, name: &str, options: &mut Options, setup: &BotSetup) -> Result<Box<dyn LineBot>, String>;

    /// Returns a judge for a new game. Everything random follows from `luck`: two games with the same seed have the
    /// same setup and the same draws, whatever the players do.
    ///
    /// # Errors
    /// A bad option, in words for the user.
    fn judge(&self, luck: u64, options: &mut Options) -> Result<Box<dyn Judge>, String>;

    /// Returns a judge at the start of a recorded game, to be taken on with [`Judge::replay`].
    ///
    /// # Errors
    /// A setup that the game cannot start from, or a bad option, in words for the user.
    fn recorded(&self, setup: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String>;

    /// Returns the moves of one text, each in the judge's notation, between them spaces or commas; a game whose moves
    /// have spaces or commas of their own splits it otherwise. Nothing is checked here: whoever plays a piece that is
    /// not a move says so.
    fn split_moves(&self, text: &str) -> Vec<String> {
        let pieces = text.split(|letter: char| letter.is_whitespace() || letter == ',');
        pieces.filter(|piece| !piece.is_empty()).map(str::to_string).collect()
    }

    /// Returns the squares of a picture that a move names, by their numbers, in the order in which it names them; none
    /// for a move that touches no square. The move is one of [`Judge::choices`], of a record or of an analysis. By
    /// default see [`Picture::named_in`].
    fn squares(&self, picture: &Picture, mv: &str) -> Vec<usize> {
        picture.named_in(mv)
    }

    /// Returns a game's points as one number, if records of the game have such a number instead of both players'
    /// points.
    fn shared_score(&self, points: [i32; 2]) -> Option<i32> {
        let _ = points;
        None
    }

    /// Returns the rules as paragraphs and lists with dashes; empty if the game has no text.
    fn rules_text(&self) -> String {
        String::new()
    }

    /// Returns a bot to begin with that plays legal moves, as a source file in the language that this ending of a
    /// file's name stands for: `py`, `cpp`, `rs`.
    fn skeleton(&self, ending: &str) -> Option<&'static str> {
        let _ = ending;
        None
    }

    /// Perft: the number of sequences of `depth` decisions, chance included, after `moves` in the judge's notation.
    ///
    /// # Errors
    /// A move that is malformed or illegal, with its number.
    fn perft(&self, moves: &[String], depth: u32) -> Result<u64, String>;

    /// Returns a game of this luck and these rules at its start, with a bundled bot that thinks about its positions,
    /// each with the limits of a game's first turn. There is one bot for each seat that is analysed, and it hears of
    /// the moves between. Options are taken out of `options` as in [`bot`](Contest::bot).
    ///
    /// # Errors
    /// An unknown bot or a bad option. By default that the game cannot do this.
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

    /// Analyses a position with a bundled bot: an [`analyst`](Contest::analyst) for one position.
    ///
    /// # Errors
    /// A move that is malformed or illegal, with its number; a position without a decision; an unknown bot or a bad
    /// option.
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
    /// Returns the word users write: `entropy`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.info().name
    }

    /// Returns the error for a bot that the contest does not have, with those it has.
    #[must_use]
    pub fn unknown_bot(&self, name: &str) -> String {
        self.info().unknown_bot(name)
    }
}
