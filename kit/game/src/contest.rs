//! A game as a contest plays it: who asks, who answers, what counts. Everything here is object-safe, so that tools can
//! hold any game; the hot paths below it are not `dyn`.

use crate::{numbered, Analysis, Limits, Options, Picture, Player, Setting};

/// What a bot does with a line it has read.
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

/// What a judge wants from one player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// Who is to answer.
    pub player: Player,
    /// What the player is sent first: whole lines, each with its `\n`.
    pub text: String,
    /// How many lines the answer has; at least 1.
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

    /// Whether the game is broken off because it takes too many turns ([`Game::MAX_TURNS`](crate::Game::MAX_TURNS)).
    /// Then nobody is asked any more and the points are equal, unless a player has failed.
    fn is_endless(&self) -> bool {
        false
    }

    /// Who made the latest move; nobody at the start, and nobody alone where both act at once.
    fn mover(&self) -> Option<Player> {
        None
    }

    /// All legal moves of a player that is due to answer, as it writes them; empty where they are too many to list.
    /// Where an answer has several lines, what each of them may be.
    fn choices(&self, player: Player) -> Vec<String> {
        let _ = player;
        Vec::new()
    }

    /// What a player is sent when it leaves: `Quit\n`, or nothing.
    fn farewell(&self) -> &'static str;

    /// What was fixed before the first move, in the judge's notation; empty where nothing is.
    fn setup(&self) -> Vec<String>;

    /// All moves so far in the judge's notation, chance included.
    fn moves(&self) -> &[String];

    /// The position as `viewer` may see it, or all of it.
    fn picture(&self, viewer: Option<Player>) -> Picture;

    /// One line for a person who is to answer: what is asked and how to write it, for example
    /// `place the chip 3, for example Bc`.
    fn prompt(&self, player: Player) -> String;
}

/// Whose contest rules and protocol habits a game follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JudgeSite {
    /// Time per game; the judge moves at random for a bot that failed; `Quit` at the end.
    CodeCup,
    /// Time per turn; a failure ends the game; no farewell.
    CodinGame,
}

/// How a judge deals with bots that fail.
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

    /// Whether the game ends before its end: on CodeCup, where the judge moves at random for a bot that failed, when
    /// both have; on CodinGame when one has.
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
    /// What can be set, with this bot's defaults.
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
    /// Whose contest it is.
    pub site: JudgeSite,
    /// The contest's time limits.
    pub limits: Limits,
    /// Whether the seats differ in more than who moves first, so that results are told apart by seat.
    pub seats_differ: bool,
    /// The bundled bots, weakest first.
    pub bots: &'static [BotInfo],
    /// Variants of the rules and the setup that [`Contest::judge`] takes as options.
    pub rules: fn() -> Vec<Setting>,
}

impl ContestInfo {
    /// The error for a bot that the contest does not have, with those it has.
    #[must_use]
    pub fn unknown_bot(&self, name: &str) -> String {
        let names: Vec<&str> = self.bots.iter().map(|bot| bot.name).collect();
        format!("{} has no bot `{name}`; it has: {}", self.name, names.join(", "))
    }
}

/// What every new bot gets.
#[derive(Clone, Copy, Debug, Default)]
pub struct BotSetup {
    /// What it may spend.
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
    /// For whom to choose, where both players are to act; without it the first of them.
    pub player: Option<Player>,
}

/// What a bot finds out about a position.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionAnalysis {
    /// The position as [`Judge::picture`] shows it.
    pub picture: Picture,
    /// Whose decision it is.
    pub player: Player,
    /// The move that was played, as [`analysis`](PositionAnalysis::analysis) writes it, where it is known.
    pub played: Option<String>,
    /// What the bot found, moves in the judge's notation.
    pub analysis: Analysis<String>,
    /// The lines that a bot would answer its judge with for the first of these moves, as many as are asked for; empty
    /// where there is no move.
    pub answer: Vec<String>,
}

/// A game that is replayed while a bundled bot thinks about its positions: see [`Contest::analyst`].
pub trait Analyst: Send {
    /// Who has to decide here; nobody if the game is over. Chance acts before.
    fn deciders(&mut self) -> Vec<Player>;

    /// Plays the next move, in the judge's notation.
    ///
    /// # Errors
    /// As [`Judge::replay`] has them.
    fn replay(&mut self, recorded: &str) -> Result<(), String>;

    /// Lets the bot think about the position, as `player` if that one has to decide, and reads the move that was
    /// `played` there.
    ///
    /// # Errors
    /// A position without a decision, or a move that is malformed or illegal.
    fn analyse(&mut self, player: Option<Player>, played: Option<&str>) -> Result<PositionAnalysis, String>;
}

/// All that tools need to know of one game.
pub trait Contest: Sync {
    /// What lists, help and referees say and keep about it.
    fn info(&self) -> ContestInfo;

    /// A bundled bot for one game. Options are taken out of `options`; the caller checks that none is left.
    ///
    /// # Errors
    /// An unknown name or a bad option, in words for the user.
    fn bot(&self, name: &str, options: &mut Options, setup: &BotSetup) -> Result<Box<dyn LineBot>, String>;

    /// A judge for a new game. Everything random follows from `luck`: two games with the same luck have the same setup
    /// and the same draws, whatever the players do.
    ///
    /// # Errors
    /// A bad option, in words for the user.
    fn judge(&self, luck: u64, options: &mut Options) -> Result<Box<dyn Judge>, String>;

    /// A judge at the start of a recorded game, to be taken on with [`Judge::replay`].
    ///
    /// # Errors
    /// A setup that the game cannot start from, or a bad option, in words for the user.
    fn recorded(&self, setup: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String>;

    /// The moves of one text, each in the judge's notation, between them spaces or commas; a game whose moves have
    /// spaces or commas of their own splits it otherwise. Nothing is checked here: whoever plays a piece that is not a
    /// move says so.
    fn split_moves(&self, text: &str) -> Vec<String> {
        let pieces = text.split(|letter: char| letter.is_whitespace() || letter == ',');
        pieces.filter(|piece| !piece.is_empty()).map(str::to_string).collect()
    }

    /// The squares of a picture that a move names, by their numbers, in the order in which it names them; none for a
    /// move that touches no square. The move is one of [`Judge::choices`], of a record or of an analysis. By default
    /// see [`Picture::named_in`].
    fn squares(&self, picture: &Picture, mv: &str) -> Vec<usize> {
        picture.named_in(mv)
    }

    /// How a game with these points stands as one number, where records of the game keep such a number in place of both
    /// players' points.
    fn shared_score(&self, points: [i32; 2]) -> Option<i32> {
        let _ = points;
        None
    }

    /// The rules in words, as paragraphs and lists with dashes; empty where the game says none.
    fn rules_text(&self) -> String {
        String::new()
    }

    /// A bot to begin with that plays legal moves, as a source file in the language that this ending of a file's name
    /// stands for: `py`, `cpp`, `rs`.
    fn skeleton(&self, ending: &str) -> Option<&'static str> {
        let _ = ending;
        None
    }

    /// Perft: the number of sequences of `depth` decisions, chance included, after `moves` in the judge's notation.
    ///
    /// # Errors
    /// A move that is malformed or illegal, with its number.
    fn perft(&self, moves: &[String], depth: u32) -> Result<u64, String>;

    /// A game of this luck and these rules at its start, with a bundled bot that thinks about its positions, each with
    /// the limits of a game's first turn. There is one bot for each seat that is analysed, and it hears of the moves
    /// between.
    /// Options are taken out of `options` as in [`bot`](Contest::bot).
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

    /// Lets a bundled bot think about a position: an [`analyst`](Contest::analyst) that is asked once.
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
    /// The word users write: `entropy`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.info().name
    }

    /// The error for a bot that the contest does not have, with those it has.
    #[must_use]
    pub fn unknown_bot(&self, name: &str) -> String {
        self.info().unknown_bot(name)
    }
}
