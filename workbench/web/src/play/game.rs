//! A game against a bundled bot that thinks about each position anew. The server keeps nothing of it: each request has its moves, and
//! the luck follows from its seed. So a move can be taken back, an address holds a whole game, and a restart loses none.

use super::{Asked, LONGEST, Told, end, record};
use crate::page::Problem;
use contender_catalogue::find;
use contender_game::{
    Analysis, BotSetup, Contest, Judge, Limits, Options, Player, Position, PositionAnalysis, Question,
};
use contender_plot::board;
use contender_referee::{Entrant, GameRecord, Program, SeatReport};
use std::time::Duration;

/// A game under way.
pub struct Game {
    contest: &'static dyn Contest,
    pub person: Player,
    moves: Vec<String>,
    pub told: Told,
    /// Why the person's answer was not taken.
    problem: Option<String>,
}

impl Game {
    pub fn of(told: Told) -> Result<Game, Problem> {
        let contest =
            find(&told.game).ok_or_else(|| Problem::bad(format!("There is no game {}.", told.game)))?;
        let person = *Player::BOTH.get(told.seat).ok_or_else(|| Problem::bad("A seat is 0 or 1."))?;
        if told.time > LONGEST {
            return Err(Problem::bad(format!("A bot thinks at most {} s about a move.", LONGEST / 1000)));
        }
        Ok(Game { contest, person, moves: told.moves.clone(), told, problem: None })
    }

    /// The judge after the moves, and what it asks.
    fn judge(&self) -> Result<(Box<dyn Judge>, Vec<Question>), Problem> {
        let mut judge = self.contest.judge(self.told.seed, &mut Options::rules()).map_err(Problem::bad)?;
        for (at, text) in self.moves.iter().enumerate() {
            judge
                .replay(text)
                .map_err(|reason| Problem::bad(format!("Move {} `{text}`: {reason}", at + 1)))?;
        }
        let questions = judge.ask();
        Ok((judge, questions))
    }

    /// Takes the person's answer, and lets the bot answer until it is the person's turn again.
    pub fn go_on(&mut self) -> Result<Asked, Problem> {
        let mut thought = Duration::ZERO;
        loop {
            let (mut judge, questions) = self.judge()?;
            let asks = |player: Player| questions.iter().find(|question| question.player == player);
            let own = asks(self.person);
            if questions.is_empty() || own.is_some() && self.told.answer.is_none() {
                return self.asked(judge.as_ref(), own, thought);
            }
            let bot = self.person.other();
            let found = asks(bot).map(|question| Ok((question, self.think(bot)?))).transpose()?;
            if let (Some(_), Some(answer)) = (own, self.told.answer.take())
                && let Err(reason) = judge.answer(self.person, &answer)
            {
                self.problem = Some(format!("That is not legal: {reason}."));
                continue;
            }
            if let Some((question, found)) = found {
                thought += found.analysis.elapsed;
                let mv = best(&found.analysis)?;
                if own.is_none() {
                    self.moves.push(mv.to_string());
                    continue;
                }
                let mut lines: Vec<String> = mv.split(" ; ").map(str::to_string).collect();
                lines.resize(question.answer_lines, "WAIT".to_string());
                judge
                    .answer(bot, &lines)
                    .map_err(|reason| Problem::bad(format!("The bot's answer is not legal: {reason}.")))?;
            }
            self.moves = judge.moves().to_vec();
        }
    }

    pub fn think(&self, player: Player) -> Result<PositionAnalysis, Problem> {
        let entrant = Entrant::parse(self.contest, &self.told.bot).map_err(Problem::bad)?;
        let Program::Bundled { bot, mut options } = entrant.program else {
            return Err(Problem::bad(self.contest.unknown_bot(&self.told.bot)));
        };
        let time = Duration::from_millis(self.told.time.max(1));
        let position = Position {
            luck: self.told.seed,
            rules: &mut Options::rules(),
            moves: &self.moves,
            played: None,
            player: Some(player),
        };
        let setup = BotSetup { limits: Limits::per_turn(time, time), seed: self.told.seed };
        self.contest.analyse(position, &bot, &mut options, &setup).map_err(Problem::bad)
    }

    fn asked(&self, judge: &dyn Judge, own: Option<&Question>, thought: Duration) -> Result<Asked, Problem> {
        let viewer = own.map(|_| self.person);
        let caption = format!("{} after {} moves", self.contest.name(), self.moves.len());
        Ok(Asked {
            moves: self.moves.clone(),
            decisions: self.decisions()?,
            board: board::svg(&judge.picture(viewer), &caption),
            prompt: own.map_or_else(|| end(judge.points(), self.person), |_| judge.prompt(self.person)),
            choices: own.map_or(Vec::new(), |_| judge.choices(self.person)),
            lines: own.map_or(0, |question| question.answer_lines),
            points: judge.points(),
            is_over: own.is_none(),
            thought: thought.as_millis() as u64,
            problem: self.problem.clone(),
            session: None,
            limits: String::new(),
        })
    }

    /// Where the person had to decide.
    fn decisions(&self) -> Result<Vec<usize>, Problem> {
        let mut judge = self.contest.judge(self.told.seed, &mut Options::rules()).map_err(Problem::bad)?;
        let mut decisions = Vec::new();
        for (at, text) in self.moves.iter().enumerate() {
            judge.replay(text).map_err(Problem::bad)?;
            if judge.mover().is_none_or(|mover| mover == self.person) {
                decisions.push(at);
            }
        }
        Ok(decisions)
    }

    /// The finished game as logs have it.
    pub fn record(&self) -> Result<GameRecord, Problem> {
        let (judge, _) = self.judge()?;
        let names = |player: Player| if player == self.person { "you" } else { self.told.bot.as_str() };
        Ok(record(
            self.contest,
            judge.as_ref(),
            self.told.seed,
            Player::BOTH.map(names),
            [SeatReport::default(), SeatReport::default()],
        ))
    }
}

fn best(analysis: &Analysis<String>) -> Result<&str, Problem> {
    let first = analysis.moves.first().ok_or_else(|| Problem::bad("The bot finds no move."))?;
    Ok(&first.mv)
}
