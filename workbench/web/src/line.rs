//! A position on any board that somebody tries: what it looks like after some moves and answers, and what may be
//! answered there. The address says all of it, so nothing is kept, and no bot thinks.

use crate::App;
use crate::page::{Problem, blocking};
use crate::play::{GameView, seed};
use axum::Json;
use axum::extract::{Query, State};
use contender_catalogue::find;
use contender_game::{rules::Player, settings::Options};
use serde::Deserialize;
use std::sync::Arc;

/// The position.
#[derive(Deserialize)]
pub struct Wanted {
    game: String,
    /// The seed of the start.
    #[serde(default)]
    seed: String,
    /// Rule variants, `key=value,key=value`.
    #[serde(default)]
    rules: String,
    /// The moves from the start, each on a line.
    #[serde(default)]
    moves: String,
    /// The answers of seats 0 and 1 after it, line by line; empty for a seat that has not answered yet.
    #[serde(default)]
    zero: String,
    #[serde(default)]
    one: String,
    /// Through whose eyes, 0 or 1; without it everything is seen.
    eyes: Option<usize>,
}

pub async fn position(
    State(app): State<Arc<App>>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<GameView>, Problem> {
    blocking(app, move |_| wanted.view().map(Json)).await
}

impl Wanted {
    fn view(&self) -> Result<GameView, Problem> {
        let contest =
            find(&self.game).ok_or_else(|| Problem::not_found(format!("There is no game {}.", self.game)))?;
        let seed = seed(&self.seed)?;
        let mut rules = Options::parse(&self.rules).map_err(Problem::bad)?;
        let mut judge = contest.judge(seed, &mut rules).map_err(Problem::bad)?;
        rules.finish().map_err(Problem::bad)?;
        for (at, text) in self.moves.lines().enumerate() {
            let played = judge.replay(text);
            played.map_err(|reason| Problem::bad(format!("Move {} `{text}`: {reason}", at + 1)))?;
        }
        for (player, answer) in Player::BOTH.into_iter().zip([&self.zero, &self.one]) {
            if answer.is_empty() {
                continue;
            }
            let is_asked = judge.ask().iter().any(|question| question.player == player);
            if !is_asked {
                return Err(Problem::bad("It is not this player's turn."));
            }
            let lines: Vec<String> = answer.lines().map(str::to_string).collect();
            judge
                .answer(player, &lines)
                .map_err(|reason| Problem::bad(format!("That is not legal: {reason}.")))?;
        }
        let Some(eyes) = self.eyes.and_then(|seat| Player::BOTH.get(seat).copied()) else {
            let question = judge.ask().into_iter().next();
            return Ok(GameView::tried(contest, judge.as_ref(), question.as_ref()));
        };
        // A player who looks ahead is not to see what is drawn next; where both act at once it sees what its own answer
        // does while the other one does nothing.
        let others = if judge.mover().is_none() { judge.ask() } else { Vec::new() };
        others.iter().filter(|other| other.player != eyes).for_each(|other| judge.fail(other.player));
        Ok(GameView::seen(contest, judge.as_ref(), eyes))
    }
}
