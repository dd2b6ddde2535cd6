//! The page of a game that was played by CodinGame's engine. The page shows the output of each bot, turn by turn.

use crate::App;
use crate::page::{self, ENGINE as TITLE, Problem, blocking};
use crate::text::{ago, count, query};
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use contender_catalogue::{contests, find};
use contender_foreign::{Frame, GameLog, MAX_LOG};
use contender_referee::ReportedFailure;
use maud::{Markup, html};
use serde::Deserialize;
use std::sync::Arc;

/// Number of frames per page.
const SHOWN: usize = 200;
/// Maximum number of characters to show of each text.
const MAX_LENGTH: usize = 2_000;

/// A log, and the part of it to show.
#[derive(Deserialize)]
pub struct Params {
    file: Option<String>,
    /// A bundled game, whose analysis is on another page.
    game: Option<String>,
    #[serde(flatten)]
    part: Part,
}

/// The part of a log to show.
#[derive(Deserialize, Default)]
pub struct Part {
    /// The number of the first frame to show.
    #[serde(default)]
    from: String,
    /// The folder of the viewer, if the user chose one.
    viewer: Option<String>,
}

impl Part {
    fn from(&self) -> usize {
        self.from.parse().unwrap_or(0)
    }

    /// Returns the script that a page with this part needs.
    pub fn script(&self) -> Option<&'static str> {
        self.viewer.as_ref().map(|_| "/viewer.js")
    }
}

/// The game in a log, shown as a part of a page.
pub struct EngineGame<'a> {
    pub file: &'a str,
    /// The names of the players, if known.
    pub names: &'a [&'a str],
    pub part: &'a Part,
    /// The address of the page: its path, and its parameters without those of [`Part`].
    pub page: (&'a str, Vec<(&'a str, &'a str)>),
}

/// Reads a log in the project.
pub fn read(app: &App, file: &str) -> Result<GameLog, Problem> {
    let bytes = contender_input::read(&app.project.file(file)?, MAX_LOG).map_err(Problem::bad)?;
    GameLog::read(&String::from_utf8_lossy(&bytes)).map_err(Problem::bad)
}

pub async fn page(State(app): State<Arc<App>>, Query(which): Query<Params>) -> Result<Response, Problem> {
    blocking(app, move |app| {
        let Some(file) = which.file.as_deref() else {
            if let Some(contest) = which.game.as_deref().and_then(find) {
                let address = format!("/analyse?{}", query(&[("game", contest.name())]));
                return Ok(Redirect::to(&address).into_response());
            }
            return Ok(page::frame("/*", TITLE, None, &list(app)).into_response());
        };
        let log = read(app, file)?;
        let page = ("/engine", vec![("file", file)]);
        let game = EngineGame { file, names: &[], part: &which.part, page };
        let above = [("/engine".to_string(), TITLE.to_string())];
        let shown = html! {
            (page::crumbs(&above, file, None))
            h1 { "A game of CodinGame's engine" }
            (players(&log))
            (game.viewers(app)?)
            (game.frames(&log))
        };
        Ok(page::frame("/*", file, which.part.script(), &shown).into_response())
    })
    .await
}

/// Returns the page without a file: the logs of the project, and the way to get one.
fn list(app: &App) -> Markup {
    let logs = app.project.contents().engine_logs;
    html! {
        (page::crumbs(&[], TITLE, None))
        h1 { (TITLE) }
        p.lead { "Watch a game frame by frame that the referee of a CodinGame challenge has played: what each bot printed, and \
                  why a bot lost." }
        p {
            "Looking for a bot that values moves? Analyse "
            @for (at, contest) in contests().iter().enumerate() {
                @if at > 0 { ", " }
                a href=(format!("/analyse?game={}", contest.name())) { (contest.name()) }
            }
            "."
        }
        @if !logs.is_empty() {
            div.wide { table.list {
                thead { tr { th { "Game" } th { "Updated" } } }
                tbody { @for entry in logs.iter().take(SHOWN) { tr {
                    td { a href=(format!("/engine?{}", query(&[("file", &entry.path)]))) { (entry.path) } }
                    td { (entry.modified.map_or(String::new(), ago)) }
                } } }
            } }
        }
        div.engine-page {
            section.card aria-labelledby="example-title" {
                h2 #example-title { @if logs.is_empty() { "A game looks like this" } @else { "How a game looks" } }
                (example())
                p.legend { "An example with two bots. If you have built the challenge's own viewer, it plays above this table." }
            }
            section.card aria-labelledby="record-title" {
                h2 #record-title { @if logs.is_empty() { "Record your first game" } @else { "Record more games" } }
                ol.steps-list {
                    li { "Add the challenge, once:" (page::command("referee add https://github.com/CodinGame/WinterChallenge --name winter")) }
                    li { "Play with its referee. The games appear on this page:" (page::command("match --referee winter ./mine ./old --logs logs")) }
                    li { "Build its viewer, if you like:" (page::command("referee viewer winter")) }
                }
                p.legend { "Or copy a log (" code { ".json" } ") of the referee into the project's folder." }
            }
        }
    }
}

/// Returns the frames of a made-up game.
fn example() -> Markup {
    let frame = |number: &str, player: usize, name: &str, output: &str, error: &str, referee: &str| {
        html! { tr {
            td.number { (number) }
            td { span class=(format!("dot seat-{player}")) {} " " (name) }
            td data-label="Output" { pre { (output) } }
            td data-label="Standard error" { @if !error.is_empty() { pre { (error) } } }
            td data-label="Referee" { @if !referee.is_empty() { pre { (referee) } } }
        } }
    };
    html! {
        div.wide { table.list.frames {
            thead { tr { th.number { "Frame" } th { "Player" } th { "Output" } th { "Standard error" } th { "Referee" } } }
            tbody {
                (frame("41", 0, "mine", "GROW 9 4 2 HARVESTER E", "depth 3, 12 ms", "mine harvests B"))
                (frame("", 1, "old", "WAIT", "", ""))
                (frame("42", 0, "mine", "GROW 9 5 2 BASIC N", "depth 4, 31 ms", ""))
                (frame("", 1, "old", "GROW 2 8 8 ROOT N", "no proteins left", "old: invalid action, not enough proteins"))
            }
        } }
    }
}

/// Returns the unchanged log for the viewer.
pub async fn log(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
) -> Result<impl IntoResponse, Problem> {
    blocking(app, move |app| {
        let file = which.file.as_deref().ok_or_else(|| Problem::not_found("No log is named."))?;
        let path = app.project.file(file)?;
        let bytes = contender_input::read(&path, MAX_LOG).map_err(Problem::bad)?;
        GameLog::read(&String::from_utf8_lossy(&bytes)).map_err(Problem::bad)?;
        Ok(([(header::CONTENT_TYPE, "application/json")], bytes))
    })
    .await
}

/// Returns a player's failure, which is taken from the engine's message or from a negative score.
fn failure(log: &GameLog, player: usize) -> Option<(ReportedFailure, String)> {
    let is_failed = log.score(player).is_some_and(|score| score < 0.0);
    log.failure(player).or_else(|| is_failed.then(|| log.words_about(player)).flatten())
}

fn players(log: &GameLog) -> Markup {
    html! {
        table.list {
            thead { tr { th { "Player" } th.number { "Score" } th { "Failure" } } }
            tbody {
                @for player in 0..log.players() {
                    tr {
                        td { "Player " (player) }
                        td.number { (log.score(player).map_or("-".to_string(), |score| score.to_string())) }
                        td.failure { @if let Some((_, words)) = failure(log, player) { (cut(&words)) } }
                    }
                }
            }
        }
    }
}

impl EngineGame<'_> {
    /// Returns the chosen viewer of the challenge, if any, and the list of viewers to choose from.
    pub fn viewers(&self, app: &App) -> Result<Markup, Problem> {
        let own = self.part.viewer.as_deref().map(|dir| app.viewers.open(&app.project, dir)).transpose()?;
        let others = app.project.contents().viewers;
        Ok(html! {
            @if !others.is_empty() {
                section aria-labelledby="viewer-title" {
                    h2 #viewer-title { "The challenge's own viewer" }
                    @if let Some(own) = own {
                        // The viewer is third-party code, so its frame is sandboxed.
                        iframe #viewer title="The challenge's own viewer" sandbox="allow-scripts" referrerpolicy="no-referrer"
                            src=(format!("{own}player.html")) data-names=(self.names.join("\n"))
                            data-log=(format!("/engine/log?{}", query(&[("file", self.file)]))) {}
                        p #viewer-state role="status" { "The viewer is not ready yet." }
                    }
                    form.controls action=(self.page.0) method="get" {
                        @for (name, value) in &self.page.1 { input type="hidden" name=(name) value=(value); }
                        label { "Viewer " select name="viewer" {
                            @for viewer in others {
                                @let dir = viewer.path;
                                option value=(dir) selected[self.part.viewer.as_ref() == Some(&dir)] { (dir) }
                            }
                        } }
                        button type="submit" { "Show" }
                    }
                }
            }
        })
    }

    /// Returns the outputs of the bots and the referee, frame by frame.
    pub fn frames(&self, log: &GameLog) -> Markup {
        let (frames, from) = (log.frames(), self.part.from());
        let (path, pairs) = &self.page;
        let place = |from: usize| {
            let from = from.to_string();
            format!("{path}?{}", query(&[pairs.as_slice(), &[("from", &from)]].concat()))
        };
        html! {
            @if let Some(cause) = log.fail_cause() {
                h2 { "The referee failed" }
                pre tabindex="0" { (cut(cause)) }
            }
            @if !log.uinput.is_empty() { p { "Made with " code { (cut(&log.uinput.join(" "))) } } }
            p { (count(frames.len() as u64, "frame", "frames")) " with output. The engine does not record the input of the bots." }
            nav.controls aria-label="More parts" {
                @if from > 0 { a.button href=(place(from.saturating_sub(SHOWN))) { "Earlier" } }
                @if frames.len() > from.saturating_add(SHOWN) { a.button href=(place(from + SHOWN)) { "Later" } }
            }
            div.wide { table.list.frames {
                thead { tr { th.number { "Frame" } th { "Player" } th { "Output" } th { "Standard error" } th { "Referee" } } }
                tbody { @for frame in frames.iter().skip(from).take(SHOWN) { (self.row(frame)) } }
            } }
        }
    }

    /// Returns a table row for each player that has printed something. The first row also contains the referee's
    /// messages.
    fn row(&self, frame: &Frame) -> Markup {
        let mut players: Vec<usize> =
            frame.outputs.iter().chain(&frame.errors).map(|(player, _)| *player).collect();
        players.sort_unstable();
        players.dedup();
        let of = |texts: &[(usize, String)], player: usize| {
            let text = texts.iter().find(|(of, _)| *of == player).map(|(_, text)| cut(text));
            html! { @if let Some(text) = text { pre tabindex="0" { (text) } } }
        };
        let words = html! {
            @if !frame.summary.trim().is_empty() { pre tabindex="0" { (cut(&frame.summary)) } }
            @for tooltip in &frame.tooltips { p { (cut(tooltip)) } }
        };
        html! {
            @if players.is_empty() {
                tr { td.number { (frame.number) } td {} td {} td {} td data-label="Referee" { (words) } }
            }
            @for (place, &player) in players.iter().enumerate() {
                tr {
                    td.number { @if place == 0 { (frame.number) } }
                    td { @match self.names.get(player) { Some(name) => (name), None => (player) } }
                    td data-label="Output" { (of(&frame.outputs, player)) }
                    td data-label="Standard error" { (of(&frame.errors, player)) }
                    td data-label="Referee" { @if place == 0 { (words) } }
                }
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
            let part = Part { from: from.to_string(), viewer: None };
            let page = ("/engine", vec![("file", "a b.json")]);
            let game = EngineGame { file: "a b.json", names: &["<i>ann"], part: &part, page };
            game.frames(&log).into_string()
        };
        let first = shown(0);
        for words in [
            "MOVE 0 &lt;b&gt;",
            "MOVE 199 ",
            "timeout",
            "<p>out</p>",
            "<td data-label=\"Output\"><pre",
            "<td data-label=\"Standard error\"><pre",
            "<td data-label=\"Referee\">",
            "seed=5",
            "a%20b.json&amp;from=200",
            "&lt;i&gt;ann",
        ] {
            assert!(first.contains(words), "{words}: {first}");
        }
        assert!(!first.contains("MOVE 200 ") && !first.contains("Earlier") && first.len() < 100_000);
        let last = shown(200);
        assert!(last.contains("MOVE 249 ") && last.contains("Earlier") && !last.contains("Later"), "{last}");
        shown(usize::MAX);
    }
}
