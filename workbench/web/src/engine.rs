//! The page for a game that CodinGame's engine has played: its log shows, turn by turn, the output of each bot.

use crate::App;
use crate::page::{self, Problem, blocking};
use crate::text::query;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{Html, IntoResponse};
use contender_foreign::{Frame, GameLog, MAX_LOG};
use contender_referee::Failure;
use maud::{Markup, html};
use serde::Deserialize;
use std::sync::Arc;

/// Number of frames per page.
const SHOWN: usize = 200;
/// Number of characters shown of a longer text.
const MAX_LENGTH: usize = 2_000;

/// The log and the first frame to show.
#[derive(Deserialize)]
pub struct Params {
    file: String,
    #[serde(default)]
    from: usize,
    /// The folder of the viewer, if the user chose one.
    #[serde(default)]
    viewer: Option<String>,
}

pub async fn page(State(app): State<Arc<App>>, Query(which): Query<Params>) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let path = app.project.file(&which.file)?;
        let bytes = contender_input::read(&path, MAX_LOG).map_err(Problem::bad)?;
        let log = GameLog::read(&String::from_utf8_lossy(&bytes)).map_err(Problem::bad)?;
        let own = which.viewer.as_deref().map(|dir| app.viewers.open(&app.project, dir)).transpose()?;
        let others = app.project.contents().viewers;
        let script = own.as_ref().map(|_| "/viewer.js");
        let shown = html! {
            (viewers(&which, own.as_deref(), others.iter().map(|viewer| viewer.path.as_str())))
            (content(&which, &log))
        };
        Ok(page::frame("", &which.file, script, &shown))
    })
    .await
}

/// Returns the unchanged log for the viewer.
pub async fn log(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
) -> Result<impl IntoResponse, Problem> {
    blocking(app, move |app| {
        let path = app.project.file(&which.file)?;
        let bytes = contender_input::read(&path, MAX_LOG).map_err(Problem::bad)?;
        GameLog::read(&String::from_utf8_lossy(&bytes)).map_err(Problem::bad)?;
        Ok(([(header::CONTENT_TYPE, "application/json")], bytes))
    })
    .await
}

/// Returns the chosen viewer of the challenge, if any, and the form to choose one.
fn viewers<'a>(which: &Params, own: Option<&str>, others: impl Iterator<Item = &'a str>) -> Markup {
    let others: Vec<&str> = others.collect();
    html! {
        @if !others.is_empty() {
            section aria-labelledby="viewer-title" {
                h2 #viewer-title { "The challenge's own viewer" }
                @if let Some(own) = own {
                    // The viewer is third-party code, so its frame is sandboxed.
                    iframe #viewer title="The challenge's own viewer" sandbox="allow-scripts" referrerpolicy="no-referrer"
                        src=(format!("{own}player.html"))
                        data-log=(format!("/engine/log?{}", query(&[("file", &which.file)]))) {}
                    p #viewer-state role="status" { "The viewer is not ready yet." }
                }
                form.controls action="/engine" method="get" {
                    input type="hidden" name="file" value=(which.file);
                    label { "Viewer " select name="viewer" {
                        @for dir in others { option value=(dir) selected[which.viewer.as_deref() == Some(dir)] { (dir) } }
                    } }
                    button type="submit" { "Show" }
                }
            }
        }
    }
}

/// Returns a player's failure, from the engine's message or from a negative score.
fn failure(log: &GameLog, player: usize) -> Option<(Failure, String)> {
    let is_failed = log.score(player).is_some_and(|score| score < 0.0);
    log.failure(player).or_else(|| is_failed.then(|| log.words_about(player)).flatten())
}

fn content(which: &Params, log: &GameLog) -> Markup {
    let frames = log.frames();
    let shown = frames.iter().skip(which.from).take(SHOWN);
    let place =
        |from: usize| format!("/engine?{}", query(&[("file", &which.file), ("from", &from.to_string())]));
    html! {
        p.path { a href="/" { "Home" } " / " (which.file) }
        h1 { "A game of CodinGame's engine" }
        table.list {
            thead { tr { th { "Player" } th.number { "Score" } th { "Failure" } } }
            tbody {
                @for player in 0..log.players() {
                    tr {
                        td { (player) }
                        td.number { (log.score(player).map_or("-".to_string(), |score| score.to_string())) }
                        td.failure { @if let Some((_, words)) = failure(log, player) { (cut(&words)) } }
                    }
                }
            }
        }
        @if let Some(cause) = log.fail_cause() {
            h2 { "The referee itself has failed" }
            pre tabindex="0" { (cut(cause)) }
        }
        @if !log.uinput.is_empty() { p { "Made with " code { (cut(&log.uinput.join(" "))) } } }
        p { (frames.len()) " frames with output. The engine does not record the input of the bots." }
        nav aria-label="Pages" {
            @if which.from > 0 { a href=(place(which.from.saturating_sub(SHOWN))) { "Earlier" } " " }
            @if frames.len() > which.from.saturating_add(SHOWN) { a href=(place(which.from + SHOWN)) { "Later" } }
        }
        table.list {
            thead { tr { th.number { "Frame" } th.number { "Player" } th { "Wrote" } th { "Standard error" } th { "Referee" } } }
            tbody { @for frame in shown { (row(frame)) } }
        }
    }
}

/// Returns a table row for each player with output. The first row also has the referee's messages.
fn row(frame: &Frame) -> Markup {
    let mut players: Vec<usize> =
        frame.outputs.iter().chain(&frame.errors).map(|(player, _)| *player).collect();
    players.sort_unstable();
    players.dedup();
    let of = |texts: &[(usize, String)], player: usize| {
        texts.iter().find(|(of, _)| *of == player).map_or(String::new(), |(_, text)| cut(text))
    };
    let words = html! {
        pre tabindex="0" { (cut(&frame.summary)) }
        @for tooltip in &frame.tooltips { p { (cut(tooltip)) } }
    };
    html! {
        @if players.is_empty() {
            tr { td.number { (frame.number) } td {} td {} td {} td { (words) } }
        }
        @for (place, &player) in players.iter().enumerate() {
            tr {
                td.number { @if place == 0 { (frame.number) } }
                td.number { (player) }
                td { pre tabindex="0" { (of(&frame.outputs, player)) } }
                td { pre tabindex="0" { (of(&frame.errors, player)) } }
                td { @if place == 0 { (words) } }
            }
        }
    }
}

fn cut(text: &str) -> String {
    match text.trim_end().char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.trim_end().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of bots is shown as text of limited length. A link leads to the frames that do not fit on the page.
    #[test]
    fn a_log_is_shown_turn_by_turn() {
        let wrote: Vec<String> = (0..250).map(|turn| format!("\"MOVE {turn} <b>\"")).collect();
        let long = "x".repeat(5_000);
        let text = format!(
            r#"{{"errors":{{"0":["{long}"]}},"outputs":{{"0":[{}],"1":[]}},"summaries":["¤RED¤$1: timeout§RED§"],
            "scores":{{"0":7,"1":-1}},"uinput":["seed=5"],"tooltips":[{{"text":"out","event":1,"turn":0}}]}}"#,
            wrote.join(",")
        );
        let log = GameLog::read(&text).unwrap();
        let shown = |from: usize| {
            content(&Params { file: "a b.json".to_string(), from, viewer: None }, &log).into_string()
        };
        let first = shown(0);
        for words in
            ["MOVE 0 &lt;b&gt;", "MOVE 199 ", "timeout", "<p>out</p>", "seed=5", "a%20b.json&amp;from=200"]
        {
            assert!(first.contains(words), "{words}: {first}");
        }
        assert!(!first.contains("MOVE 200 ") && !first.contains("Earlier") && first.len() < 100_000);
        let last = shown(200);
        assert!(last.contains("MOVE 249 ") && last.contains("Earlier") && !last.contains("Later"), "{last}");
        shown(usize::MAX);
    }
}
