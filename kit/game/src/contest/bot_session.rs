//! The bot's side of a judge's protocol: lines in, a bot asked, lines out.

use crate::{
    contest::{Bot, Clock, Limits, LineBot, Notation, Reply},
    rules::{Game, Player, Turn},
};

/// The meaning of the judge's lines for a bot. One value follows one game.
pub trait ProtocolParser: Default + Send + 'static {
    /// States as the bot sees them.
    type State: Send + 'static;
    /// The bot's moves.
    type Move: Send + 'static;

    /// Takes one line, without its end; if the bot must answer, asks the bot and returns its answer.
    ///
    /// # Errors
    /// Why the line makes no sense at this point; the bot cannot go on.
    fn line(
        &mut self,
        line: &str,
        bot: &mut dyn Bot<Self::State, Self::Move>,
        clock: &Clock,
    ) -> Result<Reply, String>;
}

/// A bot that speaks its judge's protocol. It keeps the bot's clock: a turn begins with the line that asks.
pub struct BotSession<L, B> {
    listener: L,
    bot: B,
    clock: Clock,
}

impl<L: ProtocolParser, B: Bot<L::State, L::Move>> BotSession<L, B> {
    /// Returns the bot at the start of a game.
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

/// A parsed protocol line of a game that is played in turn.
pub enum ProtocolEvent<M> {
    /// Nothing that the bot hears of: more lines belong to it, or chance has acted, and the state has it.
    Nothing,
    /// The bot's seat, if it does not follow from the opponent's first move.
    Seat(Player),
    /// The opponent's move, which is legal and not played yet.
    Move(M),
    /// The answer, for which no bot is needed.
    Say(String),
}

/// The reader of the protocol lines of a game that is played in turn.
pub trait TurnReader: Default + Send + 'static {
    /// States of the game; the default is the start, as far as it is known before the first line.
    type State: Notation + Default + Send + 'static;

    /// Reads a line; `seat` is the bot's, once it is known. What is known from it without a move, chance for instance,
    /// is put into the state. By default [`start_or_move`](TurnReader::start_or_move).
    ///
    /// # Errors
    /// Why the line makes no sense at this point.
    fn read(
        &mut self,
        state: &mut Self::State,
        seat: Option<Player>,
        line: &str,
    ) -> Result<ProtocolEvent<<Self::State as Game>::Move>, String> {
        Self::start_or_move(state, seat, line)
    }

    /// Reads what CodeCup's judge sends: `Start` to the player who moves first, and the opponent's moves as the record
    /// has them.
    ///
    /// # Errors
    /// Why the line is neither.
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

/// The [`ProtocolParser`] of a game that is played in turn: keeps the state, and asks the bot whenever the turn is the
/// bot's.
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
