//! The bot's side of the contest's protocol (see [`EntropyProtocol`](crate::EntropyProtocol) for the judge's).

use crate::{notation, Move, Scoring, State};
use contender_game::{Bot, Clock, Game, Limits, LineBot, Player, Reply, Turn};

/// A bot that speaks the protocol. It learns its role from the first line.
pub struct Dialogue<B> {
    bot: B,
    state: State,
    clock: Clock,
    role: Option<Player>,
}

impl<B: Bot<State, Move>> Dialogue<B> {
    /// The bot at the start of a game.
    pub fn new(bot: B, scoring: Scoring, limits: Limits) -> Dialogue<B> {
        // The table of lines is built with the state, so its time counts as start-up and not as the first move's.
        Dialogue { bot, state: State::new(scoring), clock: Clock::new(limits), role: None }
    }

    fn answer(&mut self, player: Player) -> Reply {
        let mv = self.bot.choose(&self.state, player, &self.clock);
        let text = notation::write_move(&self.state, mv);
        self.state.play(mv);
        self.clock.end_turn();
        Reply::Say(text)
    }

    fn hear(&mut self, player: Player, before: &State, mv: Move, after: State) {
        self.bot.observe(before, player, &mv);
        self.state = after;
    }

    fn chaos_line(&mut self, line: &str) -> Result<Reply, String> {
        match self.state.turn() {
            Turn::Chance => {
                let colour = notation::parse_colour(line)?;
                notation::draw(&mut self.state, colour)?;
                self.clock.start_turn();
                Ok(self.answer(Player::One))
            }
            _ => {
                let mut after = self.state.clone();
                let mv = notation::play_recorded(&mut after, line)?;
                let before = self.state.clone();
                self.hear(Player::One, &before, mv, after);
                Ok(Reply::Nothing)
            }
        }
    }

    fn order_line(&mut self, line: &str) -> Result<Reply, String> {
        self.clock.start_turn();
        let (colour, cell) = notation::parse_placement(line)?;
        let mut before = self.state.clone();
        notation::draw(&mut before, colour)?;
        let mv = Move::Place(cell);
        before.check(mv)?;
        let mut after = before.clone();
        after.play(mv);
        self.hear(Player::Zero, &before, mv, after);
        // The contest's judge keeps the last placement to itself; one that tells it expects no answer.
        match self.state.turn() {
            Turn::Over => Ok(Reply::Nothing),
            _ => Ok(self.answer(Player::Zero)),
        }
    }
}

impl<B: Bot<State, Move>> LineBot for Dialogue<B> {
    fn line(&mut self, line: &str) -> Result<Reply, String> {
        match (self.role, line) {
            (_, "Quit") => Ok(Reply::Stop),
            (None, "Start") => {
                self.role = Some(Player::One);
                Ok(Reply::Nothing)
            }
            (Some(Player::One), _) => self.chaos_line(line),
            (None | Some(Player::Zero), _) => {
                let reply = self.order_line(line)?;
                self.role = Some(Player::Zero);
                Ok(reply)
            }
        }
    }
}
