//! The bot's side of the contest's protocol (see [`SpaghettiProtocol`](crate::SpaghettiProtocol) for the judge's).

use crate::{notation, Move, State};
use contender_game::{excerpt, Bot, Clock, Game, Limits, LineBot, Player, Reply, Turn};

/// A bot that speaks the protocol. It learns its colour from the third line.
pub struct Dialogue<B> {
    bot: B,
    clock: Clock,
    stage: Stage,
}

/// What the bot has read so far.
enum Stage {
    Nothing,
    OneTile(Move),
    /// Both start tiles; the colour is known once there is a player.
    Playing(Box<State>, Option<Player>),
}

impl<B: Bot<State, Move>> Dialogue<B> {
    /// The bot at the start of a game.
    pub fn new(bot: B, limits: Limits) -> Dialogue<B> {
        Dialogue { bot, clock: Clock::new(limits), stage: Stage::Nothing }
    }
}

impl<B: Bot<State, Move>> LineBot for Dialogue<B> {
    fn line(&mut self, line: &str) -> Result<Reply, String> {
        if line == "Quit" {
            return Ok(Reply::Stop);
        }
        match &mut self.stage {
            Stage::Nothing => {
                self.stage = Stage::OneTile(notation::parse_move(line)?);
                Ok(Reply::Nothing)
            }
            Stage::OneTile(first) => {
                let state = State::new([*first, notation::parse_move(line)?])?;
                self.stage = Stage::Playing(Box::new(state), None);
                Ok(Reply::Nothing)
            }
            Stage::Playing(state, role) => {
                self.clock.start_turn();
                let player = if line == "Start" {
                    if role.is_some() {
                        return Err("`Start` in the middle of a game".to_string());
                    }
                    Player::Zero
                } else {
                    let player = role.unwrap_or(Player::One);
                    if state.turn() != Turn::Player(player.other()) {
                        return Err(format!("\"{}\" when no move of the opponent is due", excerpt(line)));
                    }
                    let mv = notation::parse_legal(state, line)?;
                    self.bot.observe(state, player, &mv);
                    state.play(mv);
                    player
                };
                *role = Some(player);
                if state.turn() == Turn::Over {
                    return Ok(Reply::Nothing);
                }
                let mv = self.bot.choose(state, player, &self.clock);
                state.play(mv);
                self.clock.end_turn();
                Ok(Reply::Say(mv.to_string()))
            }
        }
    }
}
