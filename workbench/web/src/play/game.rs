//! A game between a person and a bundled bot that thinks about each position from scratch. The server keeps no state:
//! each request contains all moves, and the randomness follows from the seed. So a move can be taken back, an address
//! contains a whole game, and no game is lost when the server restarts.

use super::{GameRequest, GameView, MAX_LENGTH, seed};
use crate::page::Problem;
use contender_catalogue::find;
use contender_game::{
    contest::{BotSetup, Contest, Judge, Limits, Position, PositionAnalysis, Question},
    rules::Player,
    settings::Options,
};
use contender_referee::{PERSON, Prompt, Record, bundled_bot};
use std::time::Duration;

/// A game in progress.
pub struct LiveGame {
    pub contest: &'static dyn Contest,
    pub person: Player,
    pub seed: u64,
    /// The bot, as the user names it.
    pub bot: String,
    /// The bot's thinking time per move.
    pub time: Duration,
    pub moves: Vec<String>,
}

/// The judge after the moves, its questions, and the indices of the moves before which the person had to decide.
type GameState = (Box<dyn Judge>, Vec<Question>, Vec<usize>);

impl LiveGame {
    pub fn of(request: &GameRequest) -> Result<LiveGame, Problem> {
        let contest =
            find(&request.game).ok_or_else(|| Problem::bad(format!("There is no game {}.", request.game)))?;
        let person = *Player::BOTH.get(request.seat).ok_or_else(|| Problem::bad("A seat is 0 or 1."))?;
        if !(1..=MAX_LENGTH).contains(&request.time) {
            let most = MAX_LENGTH / 1000;
            return Err(Problem::bad(format!("Expected a thinking time of 1 ms to {most} s per move.")));
        }
        let time = Duration::from_millis(request.time);
        let (bot, moves) = (request.bot.clone(), request.moves.clone());
        Ok(LiveGame { contest, person, seed: seed(&request.seed)?, bot, time, moves })
    }

    /// Returns the judge after the moves.
    fn judge(&self) -> Result<GameState, Problem> {
        let mut judge = self.contest.judge(self.seed, &mut Options::rules()).map_err(Problem::bad)?;
        let mut decisions = Vec::new();
        for (at, text) in self.moves.iter().enumerate() {
            let played = judge.replay(text);
            played.map_err(|reason| Problem::bad(format!("Move {} `{text}`: {reason}", at + 1)))?;
            if judge.mover().is_none_or(|mover| mover == self.person) {
                decisions.push(at);
            }
        }
        let questions = judge.ask();
        Ok((judge, questions, decisions))
    }

    /// Plays the person's answer and then the bot's moves, until it is the person's turn again. Also returns the record
    /// if the game is over.
    pub fn go_on(&mut self, mut answer: Option<Vec<String>>) -> Result<(GameView, Option<Record>), Problem> {
        let mut thought = Duration::ZERO;
        let mut rejected = None;
        loop {
            let (mut judge, questions, decisions) = self.judge()?;
            let asks = |player: Player| questions.iter().find(|question| question.player == player);
            let own = asks(self.person);
            if questions.is_empty() {
                let players =
                    Player::BOTH.map(|player| if player == self.person { PERSON } else { &self.bot });
                let record = Record::from_judge(self.contest, judge.as_ref(), self.seed, players);
                let view = GameView::over(self.contest, &record, &judge.picture(None), self.person);
                let thought = thought.as_millis() as u64;
                return Ok((GameView { decisions, thought, ..view }, Some(record)));
            }
            if let (Some(question), None) = (own, &answer) {
                let prompt = Prompt::of(judge.as_ref(), question, [Duration::ZERO; 2], rejected);
                return Ok((GameView { decisions, ..GameView::asking(self.contest, prompt, thought) }, None));
            }
            let bot = self.person.other();
            let found = asks(bot).map(|_| self.think(bot)).transpose()?;
            if let (Some(_), Some(answer)) = (own, answer.take())
                && let Err(reason) = judge.answer(self.person, &answer)
            {
                rejected = Some(reason);
                continue;
            }
            if let Some(found) = found {
                thought += found.analysis.elapsed;
                let answered = judge.answer(bot, &found.answer);
                answered
                    .map_err(|reason| Problem::bad(format!("The bot's answer is not legal: {reason}.")))?;
            }
            self.moves = judge.moves().to_vec();
        }
    }

    pub fn think(&self, player: Player) -> Result<PositionAnalysis, Problem> {
        let (bot, mut options) = bundled_bot(self.contest, Some(&self.bot)).map_err(Problem::bad)?;
        let position = Position {
            seed: self.seed,
            rules: &mut Options::rules(),
            moves: &self.moves,
            played: None,
            player: Some(player),
        };
        let setup = BotSetup { limits: Limits::per_turn(self.time, self.time), seed: self.seed };
        self.contest.analyse(position, &bot, &mut options, &setup).map_err(Problem::bad)
    }
}
