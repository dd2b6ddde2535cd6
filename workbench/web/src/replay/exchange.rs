//! The input and output of a game's bots, and three downloads: the input of a bot, the record of the game, and the
//! picture of a board.

use super::{Params, data, seat};
use crate::App;
use crate::page::{Problem, blocking};
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{Html, IntoResponse};
use contender_game::rules::Player;
use contender_plot::board;
use contender_referee::Record;
use contender_replay::questions;
use maud::html;
use std::sync::Arc;

/// Maximum number of characters of a question that are shown.
const SHOWN: usize = 4000;

impl Params {
    fn record(&self, app: &App) -> Result<Record, Problem> {
        let record = self.open(app)?.record;
        record
            .map(|record| *record)
            .ok_or_else(|| Problem::not_found("The bots' input and output are not recorded."))
    }
}

/// Returns a part of the page: the input of the bots before the next move, and their standard error.
pub async fn turn(State(app): State<Arc<App>>, Query(which): Query<Params>) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let record = which.record(app)?;
        // The second text is what the bot wrote to standard error before its answer.
        let read = |player: Player| -> Result<Option<(String, String)>, Problem> {
            let asked = questions(&record, player).map_err(Problem::bad)?;
            let asked = asked.into_iter().enumerate().find(|(_, asked)| asked.before == which.turn);
            let short = |text: &str| text.chars().take(SHOWN).collect();
            let said = |at: usize| short(record.seats[player.index()].stderr_for(at));
            Ok(asked.map(|(at, asked)| (short(&asked.text), said(at))))
        };
        let read = [read(Player::Zero)?, read(Player::One)?];
        let page = html! {
            @for (at, text) in read.iter().enumerate() {
                @if let Some((text, said)) = text {
                    h2 class=(seat(Some(at))) { (record.seats[at].bot) " reads" }
                    pre tabindex="0" { (text) }
                    @if !said.is_empty() {
                        h2 class=(seat(Some(at))) { "and writes to standard error" }
                        pre.said tabindex="0" { (said) }
                    }
                }
            }
            @match record.moves.get(which.turn) {
                Some(mv) if read.iter().any(Option::is_some) => { p { "Move played: " code { (mv) } } },
                Some(mv) => { p { "The judge played " code { (mv) } " for a bot that had failed." } },
                None => { p { "The game is over." } },
            }
        };
        Ok(Html(page.into_string()))
    })
    .await
}

/// Returns a file with everything that a bot read until it failed or the game ended.
pub async fn input(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
) -> Result<impl IntoResponse, Problem> {
    blocking(app, move |app| {
        let player = *Player::BOTH.get(which.seat).ok_or_else(|| Problem::bad("A seat is 0 or 1."))?;
        let asked = questions(&which.record(app)?, player).map_err(Problem::bad)?;
        let text: String = asked.into_iter().map(|asked| asked.text).collect();
        Ok(attached(
            "text/plain; charset=utf-8",
            format!("game-{}-seat-{}.txt", which.game, which.seat),
            text,
        ))
    })
    .await
}

/// Returns the game as a log file with one line.
pub async fn record(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
) -> Result<impl IntoResponse, Problem> {
    blocking(app, move |app| {
        let line = which.record(app)?.to_json() + "\n";
        Ok(attached("application/x-ndjson", format!("game-{}.jsonl", which.game), line))
    })
    .await
}

/// Returns the board of a turn as a picture that needs no page.
pub async fn picture(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
) -> Result<impl IntoResponse, Problem> {
    blocking(app, move |app| {
        let mut game = which.open(app)?;
        game.go_to(which.turn).map_err(Problem::bad)?;
        let text = board::svg_file(&game.judge().picture(None), &data::caption(&game));
        Ok(attached("image/svg+xml", format!("game-{}-move-{}.svg", which.game, game.turn()), text))
    })
    .await
}

fn attached(kind: &'static str, name: String, text: String) -> impl IntoResponse {
    let name = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind.to_string()), (header::CONTENT_DISPOSITION, name)], text)
}
