//! The bot's side of a judge's protocol: reads the judge's lines, asks the bot for moves and writes its answers.

use crate::{
    contest::{Bot, Clock, Limits, LineBot, Notation, Reply},
    rules::{Game, Player, Turn},
};
use std::marker::PhantomData;

/// A parser that interprets the judge's lines for a bot. One instance follows one game.
///
/// The [example of the module](crate::contest) uses this trait.
pub trait ProtocolParser: Default + Send + 'static {
    /// The states of the game, as the bot sees them.
    type State: Send + 'static;
    /// The moves of the bot.
    type Move: Send + 'static;

    /// Processes one line (without its newline). If the line requires an answer, asks the bot and returns the answer.
    ///
    /// # Errors
    /// Returns an error if the line is not valid at this point. The bot cannot continue after an error.
    fn line(
        &mut self,
        line: &str,
        bot: &mut dyn Bot<Self::State, Self::Move>,
        clock: &Clock,
    ) -> Result<Reply, String>;
}

/// A bot that speaks its judge's protocol. The session also runs the bot's clock: a turn starts when the line that asks
/// for a move arrives.
///
/// The [example of the module](crate::contest) uses this type through a contest.
pub struct BotSession<L, B> {
    listener: L,
    bot: B,
    clock: Clock,
}

impl<L: ProtocolParser, B: Bot<L::State, L::Move>> BotSession<L, B> {
    /// Creates the session for a new game.
    pub fn new(bot: B, limits: Limits) -> Self {
        BotSession { listener: L::default(), bot, clock: Clock::new(limits) }
    }
}

impl<L: ProtocolParser, B: Bot<L::State, L::Move>> LineBot for BotSession<L, B> {
    fn line(&mut self, line: &str) -> Result<Reply, String> {
        if line == "Quit" {
            return Ok(Reply::Stop);
        }
        self.clock.start_turn();
        let reply = self.listener.line(line, &mut self.bot, &self.clock)?;
        if reply != Reply::Nothing {
            self.clock.end_turn();
        }
        Ok(reply)
    }
}

/// A parsed protocol line, for games in which the players take turns.
pub enum ProtocolEvent<M> {
    /// No action for the bot: either the message continues on the next line, or the outcome of chance has already been
    /// applied to the state.
    Nothing,
    /// The bot's seat, for protocols in which the first move does not already reveal it.
    Seat(Player),
    /// The opponent's legal move, not yet applied to the state.
    Move(M),
    /// A fixed answer, for which the bot is not asked.
    Say(String),
}

/// A parser for protocol lines, for games in which the players take turns.
///
/// The [example of the module](crate::contest) implements this trait.
pub trait TurnReader: Default + Send + 'static {
    /// The type of the game's states. The default value is the initial state, as far as the bot knows it before the
    /// first line.
    type State: Notation + Default + Send + 'static;

    /// Parses a line. `seat` is the bot's seat, if known. Any information other than a move, such as an outcome of
    /// chance, is applied to the state. The default implementation is [`start_or_move`](TurnReader::start_or_move).
    ///
    /// # Errors
    /// Returns an error if the line is not valid at this point.
    fn read(
        &mut self,
        state: &mut Self::State,
        seat: Option<Player>,
        line: &str,
    ) -> Result<ProtocolEvent<<Self::State as Game>::Move>, String> {
        Self::start_or_move(state, seat, line)
    }

    /// Parses a line from CodeCup's judge. The judge sends `Start` to the player who moves first, and afterwards the
    /// opponent's moves in record notation.
    ///
    /// # Errors
    /// Returns an error if the line is neither `Start` nor a move.
    fn start_or_move(
        state: &mut Self::State,
        seat: Option<Player>,
        line: &str,
    ) -> Result<ProtocolEvent<<Self::State as Game>::Move>, String> {
        match (line, seat, state.turn()) {
            ("Start", None, Turn::Player(first)) => Ok(ProtocolEvent::Seat(first)),
            _ => state.read_record(line).map(ProtocolEvent::Move),
        }
    }
}

/// The [`TurnReader`] of a game in which a bot reads only `Start`, the opponent's moves, and the moves of the judge's
/// [opening](crate::contest::TurnJudge::with_opening).
#[derive(Default)]
pub struct PlainReader<S>(PhantomData<S>);

impl<S: Notation + Default + Send + 'static> TurnReader for PlainReader<S> {
    type State = S;

    fn read(
        &mut self,
        state: &mut S,
        seat: Option<Player>,
        line: &str,
    ) -> Result<ProtocolEvent<S::Move>, String> {
        match line.strip_prefix("opening ") {
            Some(mv) if seat.is_none() => state.play_record(mv).map(|_| ProtocolEvent::Nothing),
            _ => Self::start_or_move(state, seat, line),
        }
    }
}

/// The [`ProtocolParser`] of a game in which the players take turns. The parser tracks the state, and asks the bot for
/// a move when it is the bot's turn.
///
/// The [example of the module](crate::contest) uses this type.
#[derive(Default)]
pub struct TurnParser<R: TurnReader> {
    reader: R,
    state: R::State,
    seat: Option<Player>,
}

impl<R: TurnReader> ProtocolParser for TurnParser<R> {
    type State = R::State;
    type Move = <R::State as Game>::Move;

    fn line(
        &mut self,
        line: &str,
        bot: &mut dyn Bot<Self::State, Self::Move>,
        clock: &Clock,
    ) -> Result<Reply, String> {
        match self.reader.read(&mut self.state, self.seat, line)? {
            ProtocolEvent::Nothing => {}
            ProtocolEvent::Say(answer) => return Ok(Reply::Say(answer)),
            ProtocolEvent::Seat(player) => self.seat = Some(player),
            ProtocolEvent::Move(mv) => {
                let Turn::Player(mover) = self.state.turn() else { return Err(UNEXPECTED.to_string()) };
                let player = *self.seat.get_or_insert(mover.other());
                if player == mover {
                    return Err(UNEXPECTED.to_string());
                }
                bot.observe(&self.state, player, &mv);
                self.state.play(mv);
            }
        }
        match self.seat {
            Some(player) if self.state.turn() == Turn::Player(player) => {
                let mv = bot.choose(&self.state, player, clock);
                let answer = self.state.write(mv);
                self.state.play(mv);
                Ok(Reply::Say(answer))
            }
            _ => Ok(Reply::Nothing),
        }
    }
}

const UNEXPECTED: &str = "no move of the opponent is due";
