//! A position that the user tries out on a board: the board after some moves and answers, and the legal answers there.
//! The address contains the whole position, so the server keeps no data, and no bot has to think.

use crate::App;
use crate::page::{Problem, blocking};
use crate::play::{GameView, seed};
use axum::Json;
use axum::extract::{Query, State};
use contender_catalogue::find;
use contender_game::{
    contest::{Contest, Judge},
    rules::Player,
    settings::Options,
};
use serde::Deserialize;
use std::sync::Arc;

/// A position.
#[derive(Deserialize)]
pub struct Wanted {
    game: String,
    /// The seed of the start position.
    #[serde(default)]
    seed: String,
    /// Rule variants, `key=value,key=value`.
    #[serde(default)]
    rules: String,
    /// The moves from the start, one per line.
    #[serde(default)]
    moves: String,
    /// The answers of seats 0 and 1 in this position, one line per action; empty for a seat that has not answered yet.
    /// Lines that are missing at the end are choices without a square.
    #[serde(default)]
    zero: String,
    #[serde(default)]
    one: String,
    /// A move that the player of `eyes` makes now, as an analysis writes it; empty for none.
    #[serde(default)]
    then: String,
    /// The first lines of an unfinished answer of `eyes`. The choices are then those of the next line.
    #[serde(default)]
    begun: String,
    /// The seat, 0 or 1, whose view is shown; if absent, everything is visible.
    eyes: Option<usize>,
    /// The game that the server plays, if any. It replaces the game, the seed and the seat.
    session: Option<u64>,
}

pub async fn position(
    State(app): State<Arc<App>>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<GameView>, Problem> {
    blocking(app, move |app| {
        let mut wanted = wanted;
        if let Some(number) = wanted.session {
            let session = app.sessions.find(number)?;
            wanted.game = session.contest.name().to_string();
            wanted.seed = session.seed.cast_signed().to_string();
            wanted.eyes = Some(session.person.index());
        }
        wanted.view().map(Json)
    })
    .await
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
            complete(contest, judge.as_mut(), player, lines)
                .and_then(|lines| judge.answer(player, &lines))
                .map_err(|reason| Problem::bad(format!("This answer is not legal: {reason}.")))?;
        }
        let eyes = self.eyes.and_then(|seat| Player::BOTH.get(seat).copied());
        if !self.begun.is_empty() {
            let question = judge.ask().into_iter().find(|question| Some(question.player) == eyes);
            let question = question.ok_or_else(|| Problem::bad("It is not this player's turn."))?;
            let lines: Vec<String> = self.begun.lines().map(str::to_string).collect();
            return Ok(GameView::begun(contest, judge.as_ref(), &question, &lines));
        }
        if !self.then.is_empty() {
            make(contest, judge.as_mut(), eyes, &self.then)
                .map_err(|reason| Problem::bad(format!("This move is not legal: {reason}.")))?;
        }
        let Some(eyes) = eyes else {
            let question = judge.ask().into_iter().next();
            return Ok(GameView::tried(contest, judge.as_ref(), question.as_ref()));
        };
        stop_before_others(judge.as_mut(), eyes);
        Ok(GameView::seen(contest, judge.as_ref(), eyes))
    }
}

/// Makes a move as an analysis writes it: one player's answer if both players move at once, and otherwise a move of the
/// record. Lines that are missing at the end of an answer are choices without a square, such as waiting.
pub fn make(
    contest: &dyn Contest,
    judge: &mut dyn Judge,
    player: Option<Player>,
    mv: &str,
) -> Result<(), String> {
    // A question may draw a piece, and then the judge accepts no move of another piece.
    let replayed = judge.replay(mv);
    let Some(player) = player.filter(|_| replayed.is_err()) else { return replayed };
    if judge.ask().len() < 2 {
        return replayed;
    }
    let lines =
        complete(contest, judge, player, mv.split(';').map(|line| line.trim().to_string()).collect())?;
    judge.answer(player, &lines)
}

/// Returns an answer with all its lines. The added lines are choices without a square.
fn complete(
    contest: &dyn Contest,
    judge: &mut dyn Judge,
    player: Player,
    mut lines: Vec<String>,
) -> Result<Vec<String>, String> {
    let asked = judge.ask();
    let wanted = asked.iter().find(|question| question.player == player);
    let wanted = wanted.map_or(1, |question| question.answer_lines);
    let picture = judge.picture(Some(player));
    while lines.len() < wanted {
        let choices = judge.next_choices(player, &lines);
        let idle = choices.into_iter().find(|choice| contest.squares(&picture, choice).is_empty());
        lines.push(idle.ok_or("lines are missing")?);
    }
    Ok(lines)
}

/// Ends a turn in which only this player has moved. A player who tries a move must not see the next drawn piece. If
/// both players move at once, the other player is taken to fail, so that the board shows only the player's own answer.
pub fn stop_before_others(judge: &mut dyn Judge, player: Player) {
    let others = if judge.mover().is_none() { judge.ask() } else { Vec::new() };
    others.iter().filter(|other| other.player != player).for_each(|other| judge.fail(other.player));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A recorded move can be made with every piece that may be drawn.
    #[test]
    fn a_recorded_move_names_its_piece() {
        let contest = find("entropy").unwrap();
        for colour in 1..=7 {
            let mut judge = contest.judge(1, &mut Options::default()).unwrap();
            make(contest, judge.as_mut(), Some(Player::One), &format!("{colour}Aa")).unwrap();
            assert!(judge.picture(None).squares[0].is_marked);
        }
    }

    /// An analysis leaves out the organisms that wait.
    #[test]
    fn missing_lines_are_idle() {
        let contest = find("cellularena").unwrap();
        let setup = "5 2\n.....\n.....\n1 0 0 0\n5 6 7 8\n1 0 0 0 ROOT N 0 1\n2 0 4 0 ROOT N 0 2\n3 1 4 1 ROOT N 0 3\n";
        let setup: Vec<String> = setup.lines().map(str::to_string).collect();
        let mut judge = contest.recorded(&setup, &mut Options::default()).unwrap();
        make(contest, judge.as_mut(), Some(Player::Zero), "GROW 1 1 0 BASIC N").unwrap();
        stop_before_others(judge.as_mut(), Player::Zero);
        let picture = judge.picture(None);
        assert!(picture.squares[1].is_marked, "{:?}", picture.squares[1]);
    }
}
