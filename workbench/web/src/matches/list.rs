//! The list of the project's matches, the running ones first. It updates itself.

use super::form::new_match;
use super::{Params, job};
use crate::App;
use crate::files::{FileSummary, newest_game};
use crate::guard::Known;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking};
use crate::pairs::Standing;
use crate::project::Entry;
use crate::text::{ago, count, grouped, query, why_lost};
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use contender_catalogue::find;
use contender_referee::PERSON;
use maud::{Markup, html};
use serde::Deserialize;
use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

/// Maximum number of matches in the list.
const SHOWN: usize = 100;
/// Maximum number of the newest files that are looked at.
const MAX_LOOKED: usize = 200;
/// Number of matches on the first page, and maximum number of running ones, which it shows elsewhere.
const LATEST: usize = 5;
const MAX_RUNNING: usize = 20;

/// The game whose matches are listed; empty for all games.
#[derive(Deserialize, Clone)]
pub struct Wanted {
    #[serde(default)]
    game: String,
}

impl Wanted {
    fn address(&self, page: &str) -> String {
        if self.game.is_empty() {
            page.to_string()
        } else {
            format!("{page}?{}", query(&[("game", &self.game)]))
        }
    }
}

/// A match in the list.
struct Listed {
    file: String,
    /// The address of its page.
    page: String,
    is_running: bool,
    /// The planned number of games of a match that is running or was stopped, if it is known.
    planned: Option<u64>,
    /// Number of games that were played.
    games: u64,
    summary: Arc<FileSummary>,
    updated: String,
    /// The names of A and B.
    players: Vec<String>,
}

impl Listed {
    /// Returns whether a person has played, so that the games are not a match between bots.
    fn is_of_person(&self) -> bool {
        self.players.iter().any(|name| name == PERSON)
    }
}

/// Returns the page. A project without matches shows the form for a new one.
pub async fn page(
    State(app): State<Arc<App>>,
    Query(wanted): Query<Wanted>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        if !wanted.game.is_empty() && find(&wanted.game).is_none() {
            return Err(Problem::not_found("Unknown game."));
        }
        let all = matches(app);
        let is_empty = all.is_empty();
        let content = html! {
            (page::crumbs(&[], "Matches", None))
            @if is_empty {
                p { "This project has no matches yet. A match shows which of two bots is stronger." }
                (new_match(app, find(&wanted.game).unwrap_or_else(|| newest_game(app)), is_known))
            } @else {
                div.headline {
                    h1 { "Matches" }
                    @if is_known { a.button.primary href=(wanted.address("/matches/new")) { "New match" } }
                }
                (page::read_only(is_known))
                (kinds(&all, &wanted))
                @if all.len() >= page::MANY {
                    p.controls { label { "Filter " input #search type="search" autocomplete="off" placeholder="a bot, a file" data-of="match"; } }
                }
                div data-live=(wanted.address("/matches/live")) { (table(&all, &wanted)) }
            }
        };
        let script = if is_empty { "/match.js" } else { "/home.js" };
        Ok(page::frame("/matches", "Matches", Some(script), &content))
    })
    .await
}

/// Streams the list while files change and matches run.
pub async fn live(State(app): State<Arc<App>>, Query(wanted): Query<Wanted>) -> Response {
    let mut seen = None;
    live::watch(app, wanted.address("/matches/live"), move |app| {
        let logs = app.project.contents().logs;
        let files: Vec<_> = logs.into_iter().map(|entry| (entry.path, entry.size, entry.modified)).collect();
        let now = (files, app.jobs.running());
        if seen.as_ref() == Some(&now) {
            return Update::Same;
        }
        seen = Some(now);
        Update::New(table(&matches(app), &wanted))
    })
}

/// Returns the newest files with games between two bots, the running matches first.
fn matches(app: &App) -> Vec<Listed> {
    let mut all = newest(app, &app.project.contents().logs, MAX_LOOKED);
    all.sort_by_key(|one| Reverse(one.is_running));
    all
}

/// Returns the section of the first page with the newest matches that are not running, each with its verdict.
pub fn latest(app: &App, logs: &[Entry]) -> Markup {
    let all = newest(app, logs, LATEST + MAX_RUNNING);
    let ended: Vec<&Listed> =
        all.iter().filter(|one| !one.is_running && !one.is_of_person()).take(LATEST).collect();
    html! {
        section #matches aria-label="Latest matches" {
            @if !ended.is_empty() {
                h2 { "Latest matches" }
                (rows(&ended, false))
                p { a href="/matches" { "All matches" } }
            }
        }
    }
}

/// Returns at most `most` of the newest files with games between two bots.
fn newest(app: &App, logs: &[Entry], most: usize) -> Vec<Listed> {
    let running = app.jobs.running();
    let listed = |entry: &Entry| {
        let summary = app.summaries.of(app, entry);
        let started = running.iter().find(|of| of.key == job(&entry.path));
        let known = || app.matches.names(&entry.path).map(Vec::from).filter(|_| started.is_some());
        let players = if summary.is_match() { summary.players.clone() } else { known()? };
        let page = app.matches.page(&entry.path);
        // A match that this server has started has a plan.
        let which = page.is_some().then(|| Params::of(app, &entry.path));
        let log = which.as_ref().filter(|of| {
            started.is_some()
                || summary.has_more
                || !of.sprt.is_empty()
                || of.planned() > Some(summary.games as u64)
        });
        let log = log.and_then(|of| Some((of, of.log(app).ok()?)));
        let open = log.as_ref().filter(|(of, log)| started.is_some() || !of.is_complete(log));
        Some(Listed {
            file: entry.path.clone(),
            page: page.unwrap_or_else(|| format!("/match?{}", query(&[("file", &entry.path)]))),
            is_running: started.is_some(),
            planned: open.and_then(|(of, _)| of.planned()),
            games: log.as_ref().map_or(summary.games as u64, |(_, log)| log.count),
            summary,
            updated: entry.modified.map_or(String::new(), ago),
            players,
        })
    };
    logs.iter().take(MAX_LOOKED).filter_map(listed).take(most).collect()
}

/// Returns the games of the listed matches as links that show only the matches of one game.
fn kinds(all: &[Listed], wanted: &Wanted) -> Markup {
    let mut kinds: Vec<&str> =
        all.iter().map(|one| one.summary.game.as_str()).filter(|kind| !kind.is_empty()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    html! {
        @if kinds.len() > 1 || !wanted.game.is_empty() {
            nav.games aria-label="Games" {
                a href="/matches" aria-current=[wanted.game.is_empty().then_some("true")] { "All games" }
                @for kind in kinds { a href=(format!("/matches?{}", query(&[("game", kind)]))) aria-current=[(kind == wanted.game).then_some("true")] { (kind) } }
            }
        }
    }
}

fn table(all: &[Listed], wanted: &Wanted) -> Markup {
    let shown: Vec<&Listed> = all
        .iter()
        .filter(|one| wanted.game.is_empty() || one.summary.game == wanted.game)
        .take(SHOWN)
        .collect();
    html! {
        section #matches aria-label="Matches" {
            @if shown.is_empty() { p { "No matches of " (wanted.game) " yet." } } @else {
                (rows(&shown, true))
            }
        }
    }
}

/// Returns the table of matches. The list of all matches can be filtered and has their files, which the first page has
/// in another table.
fn rows(shown: &[&Listed], are_all: bool) -> Markup {
    html! {
        div.wide { table.list.files.matches id=[are_all.then_some("logs")] {
            thead { tr { th { "Bots" } th { "Result" } th.extra { "Won, lost" } th.advantage { "Verdict" } th.number.extra { "Games" } th.extra { "Game" } @if are_all { th { "File" } th.lost-games { "Lost games" } } @else { th { "Lost games" } } th { "Updated" } } }
            tbody { @for one in shown { (row(one, are_all)) } }
        } }
    }
}

fn row(one: &Listed, has_file: bool) -> Markup {
    let summary = &one.summary;
    html! { tr data-key=(one.file) {
        td { a href=(one.page) { @if summary.players == one.players { (summary.names()) } @else { (one.players.join(" – ")) } }
            @if one.is_running { " " span.chip.good { "Running" } }
            @else if let Some(planned) = one.planned { " " span.chip.warn title=(format!("{} of {planned} games were played", one.games)) { "Stopped" } }
        }
        @if summary.is_broken() {
            // These matches have no shares and no verdict, so the reason has their columns.
            td.result.no-verdict colspan="3" { (summary.result()) }
        } @else {
            td.result { (summary.result()) }
            td.extra.share { @if summary.first().is_some() { (shares(summary.listed().map(|count| count as u64))) } }
            td.advantage { (verdict(one)) }
        }
        td.number.extra { (grouped(one.games)) @if let Some(planned) = one.planned { " of " (grouped(planned)) } @else if one.games == summary.games as u64 && summary.has_more { "+" } }
        td.extra { (summary.game) }
        @if has_file { td.players title=(one.file) { (shortened(&one.file)) } td.lost-games { (losses(one, true)) } }
        @else { td.players { (losses(one, false)) } }
        // A narrow page has no other column with the game and the number of games.
        td.of { (summary.game) @if !summary.game.is_empty() { " · " } (played(one)) }
        td.updated { (one.updated) }
    } }
}

/// Maximum number of letters of a file's name in the list.
const MAX_NAME: usize = 20;

/// Returns a file's name without its extension. The middle of a long name is left out, because files of one folder or
/// game differ at the end.
fn shortened(file: &str) -> String {
    let name = file.trim_end_matches(".gz").trim_end_matches(".jsonl");
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= MAX_NAME {
        return name.to_string();
    }
    let part = |letters: &[char]| letters.iter().collect::<String>();
    let end = letters.len() - (MAX_NAME - MAX_NAME / 2 - 1);
    format!("{}…{}", part(&letters[..MAX_NAME / 2]), part(&letters[end..]))
}

/// Returns the number of games in words.
fn played(one: &Listed) -> String {
    match one.planned {
        Some(planned) => format!("{} of {}", grouped(one.games), count(planned, "game", "games")),
        None if one.games == one.summary.games as u64 && one.summary.has_more => {
            format!("{}+ games", grouped(one.games))
        }
        None => count(one.games, "game", "games"),
    }
}

/// Returns the link to the failed games, or else to the games that the bot behind has lost.
fn losses(one: &Listed, is_short: bool) -> Markup {
    let [won, _, lost] = one.summary.listed();
    // A late game on a busy machine does not count.
    let failed = if one.summary.failed_and_uncounted()[0] > 0 { "failed" } else { Standing::UNCOUNTED };
    // The weak points of the loser are clearer.
    let player = one
        .summary
        .players
        .get(usize::from(won >= lost))
        .filter(|_| one.summary.is_reviewable() && won + lost > 0);
    html! {
        @if let Some(player) = player {
            a href=(format!("/review?{}", query(&[("file", &one.file), ("player", player)]))) title=[is_short.then(|| why_lost(player))] {
                @if is_short { @if player == PERSON { "Your losses" } @else { (player) "’s losses" } } @else { (why_lost(player)) }
            }
        } @else if one.summary.is_broken() {
            a href=(format!("/log?{}", query(&[("file", one.file.as_str()), ("result", failed)]))) { @if is_short { "Failures" } @else { "Show the failures" } }
        }
    }
}

/// Returns the verdict on the first bot, or whether it leads in a running match. Games of a person have no verdict.
fn verdict(one: &Listed) -> Markup {
    let [won, _, lost] = one.summary.listed();
    html! {
        @if one.is_of_person() { span.legend { "games of a person" } }
        @else if one.is_running && one.summary.first().is_some() && won + lost > 0 {
            span.legend { (match won.cmp(&lost) { Ordering::Greater => "leads", Ordering::Equal => "even", Ordering::Less => "is behind" }) " so far" }
        }
        @else if let Some(of) = one.summary.verdict.as_ref().filter(|_| !one.is_running) {
            span title=(of.details) {
                (of.word)
                @if !of.range.is_empty() { ", " span.legend { (of.range) } }
            }
        }
    }
}

/// Draws the shares of games won, drawn and lost as a bar.
pub fn shares([wins, draws, losses]: [u64; 3]) -> Markup {
    let total = (wins + draws + losses).max(1) as f64;
    let [won, drawn, lost] = [wins, draws, losses].map(|number| 100.0 * number as f64 / total);
    html! {
        svg.shares viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
            rect.win width=(format!("{won:.1}")) height="10" {}
            rect x=(format!("{won:.1}")) width=(format!("{drawn:.1}")) height="10" {}
            rect.loss x=(format!("{:.1}", won + drawn)) width=(format!("{lost:.1}")) height="10" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers at the end of long names differ.
    #[test]
    fn short_names_of_files_differ() {
        assert_eq!(shortened("match-uttt-12.jsonl"), "match-uttt-12");
        let long =
            [1, 2].map(|number| shortened(&format!("games/of/november/match-spaghetti-{number}.jsonl.gz")));
        assert_eq!(long, ["games/of/n…aghetti-1", "games/of/n…aghetti-2"]);
    }
}
