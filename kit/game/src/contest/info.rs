//! The interface between games and tools: bots, questions, answers and points. All traits in this module are
//! object-safe, so that tools can work with any game. The performance-critical code of the games does not use `dyn`.

use crate::{
    board::{Picture, Side, Sign},
    contest::{numbered, Analysis, Limits},
    rules::Player,
    settings::{Options, Setting},
};

/// A bot's reaction to a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// No answer yet. The bot waits for more lines.
    Nothing,
    /// An answer of one or more lines, separated by `\n`, without a newline at the end.
    Say(String),
    /// The game is over: the bot sends no more answers.
    Stop,
}

/// A bot from the judge's point of view: a program that reads and writes lines. One instance plays one game. The same
/// code runs whether the bot is part of this process or a separate process that uses standard input and output.
///
/// The [example of the module](crate::contest) uses this trait.
pub trait LineBot: Send {
    /// Processes one line (without its newline).
    ///
    /// # Errors
    /// Returns an error if the line is not valid at this point. The bot cannot continue after an error.
    fn line(&mut self, line: &str) -> Result<Reply, String>;
}

/// A judge's request for an answer from one player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The player that must answer.
    pub player: Player,
    /// The text that is sent to the player: complete lines, each ending in `\n`.
    pub text: String,
    /// Number of lines in the answer, at least 1.
    pub answer_lines: usize,
}

/// A game in progress, from the judge's point of view. A judge knows the rules and the protocol, but does not handle
/// processes and clocks. The referee forwards the judge's questions to the bots and their answers to the judge.
///
/// A referee calls [`ask`](Judge::ask) in a loop. For each question it then calls either [`answer`](Judge::answer) or
/// [`fail`](Judge::fail).
///
/// The [example of the module](crate::contest) uses this trait.
pub trait Judge: Send {
    /// Advances the game until a bot must decide. Returns one question if the players take turns, two questions if both
    /// act at once, and no question if the game is over. This function also draws the outcomes of chance, and moves for
    /// bots that have failed.
    fn ask(&mut self) -> Vec<Question>;

    /// Applies a player's answer. `lines` has as many lines as the question asked for, without newlines.
    ///
    /// # Errors
    /// Returns an error if the answer is illegal. In that case the state does not change, and the referee must call
    /// [`fail`](Judge::fail).
    fn answer(&mut self, player: Player, lines: &[String]) -> Result<(), String>;

    /// Records that a player failed to answer, and applies the contest's rule: either the judge moves at random for
    /// this player, or the game ends.
    fn fail(&mut self, player: Player);

    /// Plays one move of a recorded game, including chance, in the judge's notation (see [`moves`](Judge::moves)). If
    /// the judge was created with the seed of the recorded game, the game can afterwards continue with the same
    /// outcomes of chance.
    ///
    /// # Errors
    /// Returns an error if the move is malformed or illegal in the current state. In that case the state does not
    /// change.
    fn replay(&mut self, recorded: &str) -> Result<(), String>;

    /// Returns the current contest points, including penalties for failures. The points are final when
    /// [`ask`](Judge::ask) has returned no question.
    fn points(&self) -> [i32; 2];

    /// Returns whether the game was stopped because it reached the maximum number of turns
    /// ([`Game::MAX_TURNS`](crate::rules::Game::MAX_TURNS)). The judge then asks no more questions, and the points are
    /// equal unless a player has failed.
    fn is_endless(&self) -> bool {
        false
    }

    /// Returns the player who made the latest move, or `None` at the start and after a simultaneous turn.
    fn mover(&self) -> Option<Player> {
        None
    }

    /// Returns all legal moves of a player whose turn it is, in the notation of the bots. Returns an empty list if
    /// there are too many moves. If an answer has several lines, the list contains the possible single lines.
    fn choices(&self, player: Player) -> Vec<String> {
        let _ = player;
        Vec::new()
    }

    /// Returns the legal next lines of an answer with several lines, after `lines`. The default implementation returns
    /// the [`choices`](Judge::choices).
    fn next_choices(&self, player: Player, lines: &[String]) -> Vec<String> {
        let _ = lines;
        self.choices(player)
    }

    /// Returns the message that the judge sends at the end of a game: `Quit\n`, or an empty text.
    fn farewell(&self) -> &'static str;

    /// Returns the setup before the first move, in the judge's notation. The list is empty if the game has no setup.
    fn setup(&self) -> Vec<String>;

    /// Returns all moves of the game, including outcomes of chance, in the judge's notation.
    fn moves(&self) -> &[String];

    /// Returns a picture of the position with only the information that `viewer` may see. If `viewer` is `None`, the
    /// picture shows everything.
    fn picture(&self, viewer: Option<Player>) -> Picture;

    /// Returns a one-line prompt for a human player that describes the request and the format of the answer, such as
    /// `place the chip 3, for example Bc`.
    fn prompt(&self, player: Player) -> String;
}

/// The part of a move that its squares do not express. A page offers the forms of a square as buttons.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveForm {
    /// The name of the form, for example `vertical` or `Harvester`; empty if the squares express the whole move.
    pub name: String,
    /// The direction of the new piece.
    pub side: Option<Side>,
    /// The unit that makes the move, for example `organ 7`. A page names it if several units can make the move.
    pub unit: String,
    /// The price of the move; empty if moves cost nothing.
    pub cost: Vec<Sign>,
}

/// The site whose contest rules and protocol a game follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JudgeSite {
    /// CodeCup's rules: a time limit per game, and `Quit` at the end.
    CodeCup,
    /// CodinGame's rules: a time limit per turn, and no message at the end.
    CodinGame,
}

impl JudgeSite {
    /// Returns the site's usual rule for players who fail.
    #[must_use]
    pub const fn failures(self) -> FailureRule {
        match self {
            JudgeSite::CodeCup => FailureRule::CODECUP,
            JudgeSite::CodinGame => FailureRule::CODINGAME,
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

/// A contest's rule for failures: crashes, late answers and illegal moves.
///
/// ```
/// use contender_game::contest::FailureRule;
///
/// // Player 1 failed when the board gave it 12 points.
/// let failed = [false, true];
/// assert_eq!(FailureRule::CODECUP.points([9, 12], failed), [9, 0]);
/// assert_eq!(FailureRule::read("0-21").unwrap().points([9, 12], failed), [21, 0]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FailureRule {
    /// The points of a failed player and of its opponent, regardless of the board. If this is `None`, the failed player
    /// gets 0 points, and the opponent gets the points from the board, even if those are the points for a loss.
    pub points: Option<[i32; 2]>,
    /// Whether the first failure ends the game. Otherwise the judge moves at random for the failed player, and the game
    /// ends early only if both players fail.
    pub ends_game: bool,
}

impl FailureRule {
    /// The usual rule of CodeCup: the judge moves at random for a failed player, who gets 0 points.
    pub const CODECUP: FailureRule = FailureRule { points: None, ends_game: false };
    /// The rule of CodinGame: a player who fails loses at once.
    pub const CODINGAME: FailureRule = FailureRule { points: Some([0, 1]), ends_game: true };

    /// Reads the points of a failed player and of its opponent, such as `0-21`. The game ends at the first failure.
    ///
    /// # Errors
    /// Returns the expected format.
    pub fn read(text: &str) -> Result<FailureRule, String> {
        let points = text.split_once('-').and_then(|(failed, other)| {
            Some([failed.parse::<u16>().ok()?.into(), other.parse::<u16>().ok()?.into()])
        });
        match points {
            Some(_) => Ok(FailureRule { points, ends_game: true }),
            None => {
                Err("expected the points of the failed player and of its opponent, such as `0-21`"
                    .to_string())
            }
        }
    }

    /// Returns the contest points when the marked players have failed.
    #[must_use]
    pub fn points(self, points: [i32; 2], failed: [bool; 2]) -> [i32; 2] {
        match self.points {
            _ if failed == [false; 2] => points,
            None => Player::BOTH.map(|player| points[player] * i32::from(!failed[player])),
            Some([own, other]) => failed.map(|failed| if failed { own } else { other }),
        }
    }

    /// Returns whether the game stops early when the marked players have failed.
    #[must_use]
    pub fn stops(self, failed: [bool; 2]) -> bool {
        failed == [true; 2] || self.ends_game && failed != [false; 2]
    }
}

/// A bundled bot, for lists and help.
#[derive(Clone, Copy, Debug)]
pub struct BotInfo {
    /// The bot's name, as the user types it.
    pub name: &'static str,
    /// One line that describes how the bot plays.
    pub about: &'static str,
    /// The bot's settings with their defaults.
    pub settings: fn() -> Vec<Setting>,
}

/// The static description of a contest.
///
/// The [example of the module](crate::contest) uses this type.
#[derive(Clone, Copy, Debug)]
pub struct ContestInfo {
    /// The contest's name, as the user types it, for example `entropy`.
    pub name: &'static str,
    /// The package name of the contest's crate, for `contender pack`: `env!("CARGO_PKG_NAME")`.
    pub package: &'static str,
    /// A one-line description for lists: the game, the contest and its year.
    pub about: &'static str,
    /// The names of seat 0 and seat 1, for example `["Order", "Chaos"]`.
    pub seats: [&'static str; 2],
    /// The contest's site.
    pub site: JudgeSite,
    /// The contest's time limits.
    pub limits: Limits,
    /// The contest's rule for players who fail. A game with simultaneous moves must have CodinGame's rule.
    pub failures: FailureRule,
    /// Whether the seats have different roles, and do not differ only in who moves first. If so, results are shown by
    /// seat.
    pub seats_differ: bool,
    /// The bundled bots, from weakest to strongest.
    pub bots: &'static [BotInfo],
    /// The settings for variants of the rules and of the setup, which are options of [`Contest::judge`].
    pub rules: fn() -> Vec<Setting>,
}

impl ContestInfo {
    /// The name of the setting that replaces the rule for failures. All games without simultaneous moves have it.
    pub const FAILURES: &'static str = "failures";

    /// Returns the error message for an unknown bot, which lists the available bots.
    #[must_use]
    pub fn unknown_bot(&self, name: &str) -> String {
        let names: Vec<&str> = self.bots.iter().map(|bot| bot.name).collect();
        format!("{} has no bot `{name}`; available: {}", self.name, names.join(", "))
    }
}

/// The parameters with which a bot is created.
#[derive(Clone, Copy, Debug, Default)]
pub struct BotSetup {
    /// The limits of the bot's answers.
    pub limits: Limits,
    /// The random seed of the bot.
    pub seed: u64,
}

/// A position for a bot to analyse.
#[derive(Debug)]
pub struct Position<'a> {
    /// The seed of the game. If an outcome of chance follows the last move, the seed also determines this outcome,
    /// unless `played` contains it.
    pub seed: u64,
    /// The options for [`Contest::judge`]: variants of the rules, and the setup. Used options are removed.
    pub rules: &'a mut Options,
    /// The moves since the start of the game, in the notation of [`Judge::moves`].
    pub moves: &'a [String],
    /// The next move of the recorded game, if known. If its record contains outcomes of chance, they are applied to the
    /// position first.
    pub played: Option<&'a str>,
    /// The player for whom the bot should choose a move. The default is the first player that must act.
    pub player: Option<Player>,
}

/// A bot's analysis of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionAnalysis {
    /// The picture of the position, as [`Judge::picture`] returns it.
    pub picture: Picture,
    /// The player that must decide.
    pub player: Player,
    /// The move that was actually played, if known, in the same notation as the moves of
    /// [`analysis`](PositionAnalysis::analysis).
    pub played: Option<String>,
    /// The analysis, with moves in the judge's notation.
    pub analysis: Analysis<String>,
    /// The lines with which the bot would send the first move of the analysis to its judge. Empty if the analysis has
    /// no move.
    pub answer: Vec<String>,
}

/// The replay of a game during which a bundled bot analyses positions (see [`Contest::analyst`]).
pub trait Analyst: Send {
    /// Draws the outcomes of chance, then returns the players that must decide. Returns an empty list if the game is
    /// over.
    fn deciders(&mut self) -> Vec<Player>;

    /// Plays the next move, in the judge's notation.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Judge::replay`].
    fn replay(&mut self, recorded: &str) -> Result<(), String>;

    /// Lets the bot analyse the current position for `player`, or for the first player that must decide. `played` is
    /// the move from the record, if known.
    ///
    /// # Errors
    /// Returns an error if the player does not have to decide in this position, or if the move is malformed or illegal.
    fn analyse(&mut self, player: Option<Player>, played: Option<&str>) -> Result<PositionAnalysis, String>;
}

/// A game, as the tools see it.
///
/// The [example of the module](crate::contest) uses this trait.
pub trait Contest: Sync {
    /// Returns the description of the game for lists, help and referees.
    fn info(&self) -> ContestInfo;

    /// Creates a bundled bot for one game. Used options are removed from `options`. The caller must check that no
    /// options remain.
    ///
    /// # Errors
    /// Returns an error if the name is unknown or an option is invalid. The error text is shown to the user.
    fn bot(&self, name: &str, options: &mut Options, setup: &BotSetup) -> Result<Box<dyn LineBot>, String>;

    /// Creates a judge for a new game. `seed` determines all randomness: two games with the same seed
    /// have the same setup and the same random draws, regardless of the players' moves.
    ///
    /// # Errors
    /// Returns an error if an option is invalid. The error text is shown to the user.
    fn judge(&self, seed: u64, options: &mut Options) -> Result<Box<dyn Judge>, String>;

    /// Creates a judge at the start of a recorded game. [`Judge::replay`] then plays the recorded moves.
    ///
    /// # Errors
    /// Returns an error if the game cannot start from the setup, or if an option is invalid. The error text is shown to
    /// the user.
    fn recorded(&self, setup: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String>;

    /// Splits a text into moves in the judge's notation. By default, spaces and commas separate moves. A game whose
    /// moves contain spaces or commas must override this function. The moves are not checked here; an invalid move
    /// causes an error when it is played.
    fn split_moves(&self, text: &str) -> Vec<String> {
        let pieces = text.split(|letter: char| letter.is_whitespace() || letter == ',');
        pieces.filter(|piece| !piece.is_empty()).map(str::to_string).collect()
    }

    /// Returns the indices of the squares that a move names, in the order in which they occur in the move. The move may
    /// come from [`Judge::choices`], from a record or from an analysis. The default implementation uses
    /// [`Picture::named_in`].
    fn squares(&self, picture: &Picture, mv: &str) -> Vec<usize> {
        picture.named_in(mv)
    }

    /// Returns a player's move in words for readers, for example `Ik vertical` instead of `Ikv`. If the move consists
    /// of several actions, `; ` separates them. The default implementation returns the move itself.
    fn move_words(&self, mv: &str) -> String {
        mv.to_string()
    }

    /// Returns the part of a move that its squares do not express. The default implementation returns an empty form.
    fn move_form(&self, mv: &str) -> MoveForm {
        let _ = mv;
        MoveForm::default()
    }

    /// Returns the result of a game as a single number, for games that record one score instead of one score per
    /// player.
    fn shared_score(&self, points: [i32; 2]) -> Option<i32> {
        let _ = points;
        None
    }

    /// Returns the rules of the game as plain-text paragraphs and dashed lists, or an empty text if the game does not
    /// provide them.
    fn rules_text(&self) -> String {
        String::new()
    }

    /// Returns the source code of a starter bot, which plays legal moves. `ending` is the file name extension of the
    /// programming language: `py`, `cpp` or `rs`.
    fn skeleton(&self, ending: &str) -> Option<&'static str> {
        let _ = ending;
        None
    }

    /// Returns the perft count after `moves` (in the judge's notation): the number of sequences of `depth` decisions,
    /// including outcomes of chance.
    ///
    /// # Errors
    /// Returns an error that contains the number of the first malformed or illegal move.
    fn perft(&self, moves: &[String], depth: u32) -> Result<u64, String>;

    /// Creates an analyst for a new game with this seed and these rules, which uses a bundled bot. For each position,
    /// the bot gets the limits of a first turn. Each analysed seat has its own copy of the bot, which observes the
    /// moves between the analysed positions. Used options are removed from `options`, as in [`bot`](Contest::bot).
    ///
    /// # Errors
    /// Returns an error if the bot is unknown or an option is invalid. The default implementation returns an error,
    /// because the game does not support analyses.
    fn analyst(
        &self,
        seed: u64,
        rules: &mut Options,
        bot: &str,
        options: &mut Options,
        setup: &BotSetup,
    ) -> Result<Box<dyn Analyst>, String> {
        let _ = (seed, rules, bot, options, setup);
        Err(format!("{} analyses no positions", self.info().name))
    }

    /// Analyses one position with a bundled bot, as an [`analyst`](Contest::analyst) does.
    ///
    /// # Errors
    /// Returns an error if a move is malformed or illegal (the error contains the move's number), if no player must
    /// decide in the position, if the bot is unknown, or if an option is invalid.
    fn analyse(
        &self,
        position: Position<'_>,
        bot: &str,
        options: &mut Options,
        setup: &BotSetup,
    ) -> Result<PositionAnalysis, String> {
        let Position { seed, rules, moves, played, player } = position;
        let mut analyst = self.analyst(seed, rules, bot, options, setup)?;
        numbered(moves, |text| analyst.replay(text))?;
        analyst.analyse(player, played)
    }
}

impl dyn Contest + '_ {
    /// Returns the contest's name, as the user types it, for example `entropy`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.info().name
    }

    /// Returns the error message for an unknown bot, which lists the available bots.
    #[must_use]
    pub fn unknown_bot(&self, name: &str) -> String {
        self.info().unknown_bot(name)
    }
}
