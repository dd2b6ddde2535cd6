//! The hint during a game: the move that a bot would play for the person.

use super::game::LiveGame;
use super::{GameRequest, USUAL};
use crate::App;
use crate::page::{Problem, thinking};
use crate::shown::{self, SHARES, Scale};
use crate::text::{estimate, percent};
use axum::Json;
use axum::extract::State;
use contender_game::contest::{Analysis, Contest, MoveAnalysis};
use contender_referee::bundled_bot;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// A bot's suggestion.
#[derive(Serialize)]
pub struct Hint {
    words: String,
    /// The suggested move, as an analysis writes it.
    mv: String,
    /// The names of the squares of the suggested move.
    squares: Vec<String>,
}

/// Returns the move that the bot would play for the person. If the bot cannot analyse positions, the suggestion comes
/// from the strongest bundled bot.
pub async fn hint(
    State(app): State<Arc<App>>,
    Json(request): Json<GameRequest>,
) -> Result<Json<Hint>, Problem> {
    thinking(app, move |app| {
        let game = match request.session {
            None => LiveGame::of(&request)?,
            Some(number) => {
                let session = app.sessions.find(number)?;
                let (contest, time) = (session.contest, Duration::from_millis(USUAL));
                let strongest = contest.info().bots.last().map_or("", |bot| bot.name).to_string();
                let is_bundled = bundled_bot(contest, Some(&session.bot)).is_ok();
                let bot = if is_bundled { session.bot.clone() } else { strongest };
                LiveGame {
                    contest,
                    person: session.person,
                    seed: session.seed,
                    bot,
                    time,
                    moves: request.moves,
                }
            }
        };
        let found = game.think(game.person)?;
        let first = found.analysis.moves.first().ok_or_else(|| Problem::bad("The bot found no move."))?;
        let squares = game.contest.squares(&found.picture, &first.mv);
        let squares = squares.into_iter().map(|at| found.picture.squares[at].name.clone()).collect();
        let words = advice(game.contest, &game.bot, &found.analysis);
        Ok(Json(Hint { words, mv: first.mv.clone(), squares }))
    })
    .await
}

/// Describes the move that a bot would play, and the best other one. If the search gives the other one a higher value
/// after a smaller search, the text explains why the bot does not play it.
fn advice(contest: &dyn Contest, bot: &str, analysis: &Analysis<String>) -> String {
    let Some((first, others)) = analysis.moves.split_first() else { return String::new() };
    let in_unit = |value: f64| match analysis.unit {
        unit if SHARES.contains(&unit) => format!("win chance {}", percent(value)),
        unit => format!("{} {unit}", estimate(value)),
    };
    let of = |one: &MoveAnalysis<String>| {
        let words = contest.move_words(&one.mv);
        shown::value(one).map_or_else(|| words.clone(), |value| format!("{words}, {}", in_unit(value)))
    };
    let known = others.iter().filter(|of| of.effort > 0);
    let next =
        known.filter_map(|of| Some((of, shown::value(of)?))).max_by(|one, other| one.1.total_cmp(&other.1));
    let scale = Scale::of(analysis);
    let other = match (next, shown::value(first)) {
        // The page shows rounded values.
        (Some((next, value)), Some(best)) if value <= best || in_unit(value) == in_unit(best) => {
            format!(" Next best: {}.", of(next))
        }
        // A small difference says nothing after a small search.
        (Some((next, value)), Some(best))
            if next.effort < first.effort && scale.factor * (value - best) >= scale.notable() =>
        {
            let (words, value) = (contest.move_words(&next.mv), in_unit(value));
            format!(" {words} looks better ({value}), but the bot searched it less.")
        }
        _ => String::new(),
    };
    format!("{bot} would play {}.{other}", of(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hint names the best other move, and the reason if that move has a higher value.
    #[test]
    fn a_hint_compares_two_moves() {
        let contest = contender_catalogue::find("uttt").unwrap();
        let words = |value: f64, effort| {
            let of = |mv: &str, value: f64, effort| MoveAnalysis {
                mv: mv.to_string(),
                value: [value; 2],
                is_proven: false,
                effort,
            };
            let moves = vec![of("4 4", 0.6, 900), of("0 0", 0.1, 20), of("1 2", value, effort)];
            advice(contest, "uct", &Analysis { unit: SHARES[0], ..Analysis::of(moves) })
        };
        assert_eq!(words(0.5, 80), "uct would play r4 c4, win chance 60%. Next best: r1 c2, win chance 50%.");
        assert_eq!(
            words(0.7, 3),
            "uct would play r4 c4, win chance 60%. r1 c2 looks better (win chance 70%), but the bot searched it less."
        );
        // A slightly higher value after a small search would only confuse.
        assert_eq!(words(0.62, 3), "uct would play r4 c4, win chance 60%.");
        // Values that look equal are equally good.
        assert_eq!(
            words(0.604, 3),
            "uct would play r4 c4, win chance 60%. Next best: r1 c2, win chance 60%."
        );
        assert_eq!(words(f64::INFINITY, 0), words(0.2, 0));
    }
}
