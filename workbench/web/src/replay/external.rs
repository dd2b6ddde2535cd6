//! The page of a game that was played by another referee. Contender does not know the moves of such a game, so the page
//! shows the bots' outputs instead of a board. The outputs come from the engine's log, or else from the record.

use super::Params;
use crate::App;
use crate::engine::{self, EngineGame};
use crate::page::{self, Problem};
use crate::project::Project;
use crate::shown::scores;
use axum::response::Html;
use contender_play::Record;
use maud::{Markup, html};
use std::path::Path;

/// Maximum number of turns to list.
const SHOWN: usize = 500;

/// Returns the page of the game: its results, and the outputs of the bots.
pub fn page(app: &App, which: &Params, record: &Record) -> Result<Html<String>, Problem> {
    let file = which.file.name(app)?;
    let names = record.bots();
    let log = engine_log(&app.project, record);
    let number = which.game.to_string();
    let content = html! {
        (super::crumbs(app, which, &which.file.above(app)?, &html! { (record.game) }))
        h1 { (names.join(" – ")) }
        (players(record))
        @match &log {
            Some(log) => {
                @let page = ("/replay", [which.file.pairs(), vec![("game", number.as_str())]].concat());
                @let game = EngineGame { file: log, names: &names, part: &which.part, page };
                (game.viewers(app)?)
                (game.frames(&engine::read(app, log)?))
            },
            None => (outputs(record)),
        }
    };
    let title = format!("{}: game {} of {file}", record.game, which.game);
    Ok(page::frame(which.file.section(), &title, which.part.script(), &content))
}

/// Returns the path of the engine's log, if the log is a file in the project.
pub fn engine_log(project: &Project, record: &Record) -> Option<String> {
    let log = Path::new(record.engine_log.as_ref()?);
    let within = log.strip_prefix(project.root()).unwrap_or(log).to_string_lossy().into_owned();
    project.file(&within).is_ok().then_some(within)
}

/// Returns the result of every player, the facts about the game, and the command that plays it again.
fn players(record: &Record) -> Markup {
    html! {
        p.chips {
            span.chip { "Result " (scores(record)) }
            @if record.is_external() { span.chip { "Seed " (record.seed.cast_signed()) } }
            @if let Some(seconds) = record.seconds { span.chip { (format!("{seconds:.1} s")) } }
        }
        div.wide { table.list {
            thead { tr { th.number { "Place" } th { "Player" } th.number { "Points" } th { "Ending" } } }
            tbody { @for seat in &record.seats { tr {
                td.number { (seat.rank + 1) }
                td { (seat.bot) }
                td.number { @if let Some(points) = seat.points { (points) } }
                td class=[seat.ending.is_failure().then_some("failure")] { (seat.ending) }
            } } }
        } }
        @for seat in record.seats.iter().filter(|seat| !seat.stderr.is_empty()) {
            details.card { summary { "Standard error of " (seat.bot) } pre tabindex="0" { (seat.stderr) } }
        }
        @if let Some(repeat) = &record.repeat {
            p.command { code { (repeat) } button.small type="button" data-copy=(repeat) { "Copy" } }
            p.legend { "This command plays the game again." }
        }
    }
}

/// Returns the recorded answers of every turn. Without them, returns a description of how to get them.
fn outputs(record: &Record) -> Markup {
    let turns = record.seats.iter().map(|seat| seat.outputs.len()).max().unwrap_or(0);
    html! {
        h2 { "Turn by turn" }
        @if turns == 0 {
            p.notice {
                @if record.is_external() {
                    "The log of this game is not in the project. To see every turn, play with " code { "--logs FOLDER" }
                    ", with a folder of this project."
                } @else { "Only the result of this game is known." }
            }
        } @else {
            div.wide { table {
                thead { tr { th.number { "Turn" } @for seat in &record.seats { th { (seat.bot) } } th { "Referee" } } }
                tbody { @for turn in 0..turns.min(SHOWN) { tr {
                    td.number { (turn + 1) }
                    @for seat in &record.seats { td { code { (seat.outputs.get(turn).map_or("", String::as_str)) } } }
                    td { (record.summaries.get(turn).map_or("", String::as_str)) }
                } } }
            } }
            @if turns > SHOWN { p.legend { "And " (turns - SHOWN) " more turns." } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only a log within the project is read, by a relative path or by an absolute one.
    #[test]
    fn the_log_is_a_file_of_the_project() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.json"), "{}").unwrap();
        let project = Project::open(folder.path()).unwrap();
        let absolute = project.path("a.json").display().to_string();
        for (log, found) in [
            ("a.json", Some("a.json")),
            (&absolute, Some("a.json")),
            ("../a.json", None),
            ("/etc/passwd", None),
        ] {
            let record = Record { engine_log: Some(log.to_string()), ..Record::default() };
            assert_eq!(engine_log(&project, &record).as_deref(), found, "{log}");
        }
    }
}
