//! The page with the games of one file.

use crate::App;
use crate::failures;
use crate::files::FileSummary;
use crate::league;
use crate::listed::{self, Choice, Failure, ListedGame, RESULTS, by_result, choices};
use crate::page::{self, Problem, blocking};
use crate::pairs::Standing;
use crate::shown::{scores, slowest, winner};
use crate::text::{count, grouped, query, why_lost};
use axum::extract::{Query, State};
use axum::response::Html;
use contender_catalogue::find;
use contender_play::Record;
use contender_replay::{ReplayError, ReplayedGame, Source, games};
use maud::{Markup, html};
use serde::Deserialize;
use std::cmp::Ordering;
use std::sync::Arc;

/// Number of games per page.
const SHOWN: usize = 50;
/// Maximum number of games that are searched for a result.
const MAX_SEARCHED: usize = 20_000;

/// A file, as it is named in addresses.
#[derive(Deserialize, Clone)]
pub struct File {
    /// The path of a file in the project.
    file: Option<String>,
    /// The number of a file that was dropped on a page.
    drop: Option<String>,
    /// The folder of a league. Games are then identified by their numbers in the league.
    league: Option<String>,
}

impl File {
    /// Returns the file's name for display.
    pub fn name(&self, app: &App) -> Result<String, Problem> {
        Ok(match (&self.file, &self.drop) {
            (Some(file), _) => file.clone(),
            (None, Some(number)) => self.dropped(app, number)?.name,
            (None, None) => match &self.league {
                Some(dir) => league::name(dir),
                None => return Err(Problem::bad("The URL does not name a file.")),
            },
        })
    }

    /// Returns the file's path if the file is in the project.
    pub fn path(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Returns the folder of the league, if the games are those of a league.
    pub fn league(&self) -> Option<&str> {
        self.league.as_deref()
    }

    /// Returns whether the file has a game with this number.
    pub fn has_game(&self, app: &App, number: usize) -> bool {
        match (&self.league, number.checked_sub(1)) {
            (_, None) => false,
            (Some(dir), _) => league::record(app, dir, number).is_ok_and(|record| record.is_some()),
            (None, Some(skipped)) => self.games(app, skipped).is_ok_and(|mut games| games.next().is_some()),
        }
    }

    /// Returns the section of the page's head that the file's pages belong to, as [`page::frame`] takes it.
    pub fn section(&self) -> &'static str {
        if self.league.is_some() { "/leagues/*" } else { "/matches/*" }
    }

    /// Returns the address of the list of games.
    pub fn list(&self) -> String {
        match &self.league {
            Some(dir) => format!("/league?{}", query(&[("dir", dir)])),
            None => self.address("/log", &[]),
        }
    }

    /// Returns the links from a page of one game or player to the pages above it.
    pub fn above(&self, app: &App) -> Result<Vec<(String, String)>, Problem> {
        Ok(match &self.league {
            Some(dir) => league::above(dir).into(),
            None => vec![matches_list(), (self.list(), self.name(app)?)],
        })
    }

    /// Returns a game. In a file, `number` is the game's position, counted from 1.
    pub fn game(&self, app: &App, number: usize) -> Result<ReplayedGame, Problem> {
        self.read(app, number)?.map_err(Problem::bad)
    }

    /// Returns a game, or an error that tells why the game cannot be replayed.
    pub fn read(&self, app: &App, number: usize) -> Result<Result<ReplayedGame, ReplayError>, Problem> {
        let missing = || Problem::not_found(format!("There is no game {number}."));
        if let Some(dir) = &self.league {
            let record = match league::record(app, dir, number)?.ok_or_else(missing)? {
                Ok(record) => record,
                Err(record) => {
                    let reason = "The league has only the result of this game.".to_string();
                    return Ok(Err(ReplayError::WithoutMoves { reason, record }));
                }
            };
            let source = Source::from_bytes(&league::name(dir), record.into_bytes());
            let mut games = games(source, None, 0).map_err(|error| Problem::bad(format!("{error:#}")))?;
            return games.next().ok_or_else(missing);
        }
        let skipped = number.checked_sub(1).ok_or_else(missing)?;
        self.games(app, skipped)?.next().ok_or_else(missing)
    }

    fn dropped(&self, app: &App, number: &str) -> Result<crate::drops::Dropped, Problem> {
        // Numbers begin at 1, so 0 finds nothing.
        app.drops
            .get(number.parse().unwrap_or(0))
            .ok_or_else(|| Problem::not_found("The server no longer keeps this file: drop it again."))
    }

    /// Returns the games after the first `skipped` games.
    pub fn games(
        &self,
        app: &App,
        skipped: usize,
    ) -> Result<Box<dyn Iterator<Item = Result<ReplayedGame, ReplayError>>>, Problem> {
        let source = match (&self.file, &self.drop) {
            (Some(file), _) => {
                let mut source = Source::open(&app.project.file(file)?)
                    .map_err(|error| Problem::bad(format!("{error:#}")))?;
                source.name.clone_from(file);
                source
            }
            (None, Some(number)) => {
                let file = self.dropped(app, number)?;
                Source::from_bytes(&file.name, file.bytes.to_vec())
            }
            (None, None) => return Err(Problem::bad("The URL does not name a file.")),
        };
        games(source, None, skipped).map_err(|error| Problem::bad(format!("{error:#}")))
    }

    /// Returns the number of the next game with a failure after a game, or else of the first one. Returns `None` if
    /// no other game has a failure, and for a league.
    pub fn next_failure(&self, app: &App, number: usize) -> Option<usize> {
        let has_failed = |game: &Numbered| record(&game.1).is_some_and(has_failed);
        let after = (number + 1..).zip(self.games(app, number).ok()?).take(MAX_SEARCHED).find(has_failed);
        let found = match after {
            Some(found) => found,
            None => (1..number).zip(self.games(app, 0).ok()?).take(MAX_SEARCHED).find(has_failed)?,
        };
        Some(found.0)
    }

    /// Returns the query parameters that name this file.
    pub fn pairs(&self) -> Vec<(&'static str, &str)> {
        let named = [("file", &self.file), ("drop", &self.drop), ("league", &self.league)];
        named.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?))).collect()
    }

    /// Returns the address of a page with the parameters of this file and further parameters.
    pub fn address(&self, page: &str, more: &[(&str, &str)]) -> String {
        format!("{page}?{}", query(&[self.pairs().as_slice(), more].concat()))
    }
}

/// A file, and the games of it to list.
#[derive(Deserialize)]
pub struct Params {
    #[serde(flatten)]
    file: File,
    /// Number of games to skip.
    #[serde(default)]
    from: usize,
    /// The result of the player that leads in the file, one of [`RESULTS`], in games that count; `failed` for games
    /// that count and that a bot lost by a failure; the name of a [`Standing`] for games that do not count; empty for
    /// all games.
    #[serde(default)]
    result: String,
    /// The way in which [`Params::bot`] failed, if only these games are listed; see [`failures::kind`].
    #[serde(default)]
    failure: String,
    #[serde(default)]
    bot: String,
}

/// A game with its number.
type Numbered = (usize, Result<ReplayedGame, ReplayError>);

impl Params {
    /// Returns the address of these games after the first `from` ones.
    fn later(&self, from: usize) -> String {
        self.address(&[("result", &self.result), ("bot", &self.bot), ("failure", &self.failure)], from)
    }

    fn address(&self, pairs: &[(&str, &str)], from: usize) -> String {
        let from = if from > 0 { from.to_string() } else { String::new() };
        let pairs = pairs.iter().copied().chain([("from", from.as_str())]);
        let pairs: Vec<(&str, &str)> = pairs.filter(|(_, value)| !value.is_empty()).collect();
        self.file.address("/log", &pairs)
    }

    /// Reads the games to list, and one more if there are further games.
    fn games(&self, app: &App, summary: Option<&FileSummary>) -> Result<Vec<Numbered>, Problem> {
        if self.result.is_empty() && self.failure.is_empty() {
            // The last number has no successor, so a game must be found before its number is computed.
            let games = self.file.games(app, self.from)?.zip(self.from.saturating_add(1)..);
            return Ok(games.map(|(game, number)| (number, game)).take(SHOWN + 1).collect());
        }
        let leader = summary.and_then(FileSummary::first);
        let wanted = RESULTS.iter().find(|(name, ..)| *name == self.result).map(|of| of.1);
        let is_wanted = |game: &Numbered| {
            let Some(record) = record(&game.1) else { return false };
            let standing = summary.map_or(Standing::Counts, |of| of.standing(game.0));
            match (wanted, standing.words()) {
                _ if !self.failure.is_empty() => record.seats.iter().any(|seat| {
                    seat.bot == self.bot && failures::kind(&seat.ending) == Some(self.failure.as_str())
                }),
                (_, Some([name, _])) => self.result == name,
                (Some(wanted), None) => leader.is_some_and(|leader| result(record, leader) == Some(wanted)),
                (None, None) => self.result == "failed" && has_failed(record),
            }
        };
        let all = (1..).zip(self.file.games(app, 0)?).take(MAX_SEARCHED);
        Ok(all.filter(is_wanted).skip(self.from).take(SHOWN + 1).collect())
    }
}

pub async fn page(State(app): State<Arc<App>>, Query(which): Query<Params>) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let name = which.file.name(app)?;
        let path = which.file.path();
        let has_battles = path.is_some_and(|file| app.project.first_battle(file).is_some());
        let entries = app.project.contents().logs;
        let entry = entries.iter().find(|entry| Some(entry.path.as_str()) == path);
        let summary = entry.map(|entry| app.summaries.of(app, entry));
        let mut games = which.games(app, summary.as_deref())?;
        let has_more = games.len() > SHOWN;
        games.truncate(SHOWN);
        let games_at_once = path.and_then(|file| app.matches.games_at_once(file));
        let content =
            content(&which, &name, &games, [has_more, has_battles], summary.as_deref(), games_at_once);
        Ok(page::frame(which.file.section(), &name, Some("/home.js"), &content))
    })
    .await
}

/// Returns the numbers of games by result, from the view of the player that leads. If most games failed, their results
/// say nothing.
fn all_choices(which: &Params, summary: &FileSummary) -> Vec<Choice> {
    let all = summary.games as u64;
    let more = if summary.has_more { " or more" } else { "" };
    let of_result = |result: &str| which.address(&[("result", result)], 0);
    let choice = |words: String, class: &'static str, count: u64, result: &str| Choice {
        words,
        class,
        count,
        address: of_result(result),
        is_chosen: which.result == result && which.failure.is_empty(),
    };
    let mut choices = vec![choice(count(all, "game", "games") + more, "chip", all, "")];
    if let Some(first) = summary.first() {
        let numbers = summary.listed().map(|count| count as u64);
        choices.extend(by_result(first, numbers, &which.result, &of_result));
    }
    let [waiting, uncounted] = match summary.is_paired() {
        true => [summary.pairs.waiting(), summary.pairs.uncounted()],
        false => [0, 0],
    };
    for (count, standing) in [(waiting, Standing::Waits), (uncounted, Standing::LeftOut)] {
        if let Some([name, words]) = standing.words().filter(|_| count > 0) {
            choices.push(choice(format!("{} {words}", grouped(count)), "chip warn", count, name));
        }
    }
    let failed = summary.failed_and_uncounted()[0];
    if failed > 0 {
        let counted = summary.listed().iter().sum::<usize>() as u64;
        choices.push(choice(failures::remark(failed, counted), "remark", failed, "failed"));
    }
    // The notice about failures has the links to these games.
    if let Some(of) =
        summary.failures.failing.iter().find(|of| of.bot == which.bot && of.kind == which.failure)
    {
        let verb = if of.is_slow() { "was late" } else { "failed" };
        choices.push(Choice {
            words: format!("{} {verb} in {}", of.bot, grouped(of.games)),
            class: "chip bad",
            count: of.games,
            address: which.later(0),
            is_chosen: true,
        });
    }
    choices
}

/// Returns the number of games, the results of the first player, and buttons that lead to the reports.
fn head(
    which: &Params,
    has_battles: bool,
    summary: Option<&FileSummary>,
    games_at_once: Option<u16>,
) -> Markup {
    let file = which.file.path();
    let players = summary.map_or(&[][..], |summary| &summary.players);
    html! {
        @if let Some(summary) = summary.filter(|summary| summary.games > 0) {
            @if let Some(leader) = summary.first().filter(|_| !summary.is_broken() && !summary.has_more) {
                p.verdict { (leader) " won " (grouped(summary.listed()[0] as u64)) " of " (count(summary.listed().iter().sum::<usize>() as u64, "game", "games")) " against " (players[1])
                }
            } @else if summary.is_broken() { p.verdict { "No verdict: " (summary.failures.words()) } }
            (choices(&all_choices(which, summary)))
            @let rule = if summary.is_paired() && !summary.has_more { summary.pairs.rule() } else { String::new() };
            @if !summary.is_broken() && summary.standing_differs() { p.legend { (rule) } }
            @if let Some(words) = summary.failures.lateness().filter(|_| !summary.is_broken()) { p.legend { (words) } }
            @if summary.is_broken() { (failures::notice(&summary.failures, &failures::Context {
                games_at_once,
                list: &|bot, kind| which.file.address("/log", &[("bot", bot), ("failure", kind)]),
                rule,
                repeats: None,
                is_running: false,
                link: &|number| which.file.address("/replay", &[("game", &number.to_string())]),
                remedy: html! {},
            })) }
        }
        p.controls {
            @if let Some(file) = file.filter(|file| file.ends_with(".jsonl")) {
                a.button.primary href=(format!("/match?{}", query(&[("file", file)]))) { "Match report" }
                // Only bundled games can be reviewed.
                @for (_, player) in players.iter().enumerate().filter(|(at, _)| summary.is_some_and(|of| !of.is_of_site && of.is_reviewable() && find(&of.game).is_some() && of.may_have_lost(*at))) {
                    a.button href=(format!("/review?{}", query(&[("file", file), ("player", player)]))) { (why_lost(player)) }
                }
            }
            @if let Some(file) = file.filter(|_| has_battles) {
                a.button href=(format!("/battles?{}", query(&[("file", file)]))) { "Battles by opponent" }
            }
        }
    }
}

/// Returns the link to the list of matches, which is above the page of each log.
fn matches_list() -> (String, String) {
    ("/matches".to_string(), "Matches".to_string())
}

fn content(
    which: &Params,
    name: &str,
    games: &[Numbered],
    [has_more, has_battles]: [bool; 2],
    summary: Option<&FileSummary>,
    games_at_once: Option<u16>,
) -> Markup {
    let part = |from: usize| which.later(from);
    let leader = summary.and_then(FileSummary::first);
    let mut rows: Vec<ListedGame> =
        games.iter().map(|(number, game)| listed_game(which, *number, game, summary)).collect();
    let mut kinds: Vec<&str> = games.iter().filter_map(|(_, game)| game_name(game)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let is_mixed = kinds.len() > 1;
    if is_mixed {
        for (row, (_, game)) in rows.iter_mut().zip(games) {
            row.note = game_name(game).unwrap_or_default().to_string();
        }
    }
    // A long file is summarized only in part.
    let total = summary.filter(|summary| !summary.has_more).and_then(|summary| {
        let choices = all_choices(which, summary);
        choices.iter().find(|choice| choice.is_chosen).map(|choice| choice.count as usize)
    });
    let mut names: Vec<&str> = rows.iter().flat_map(|row| &row.players).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    html! {
        @let own = summary.zip(which.file.path()).filter(|(summary, _)| summary.is_match());
        @let own = own.map(|(_, file)| (format!("/match?{}", query(&[("file", file)])), name.to_string()));
        @let here = if own.is_some() { "Games" } else { name };
        @let above: Vec<(String, String)> = [matches_list()].into_iter().chain(own).collect();
        (page::crumbs(&above, here, kinds.first().filter(|_| !is_mixed).and_then(|kind| find(kind)).map(|contest| contest.name())))
        h1 {
            @match summary.filter(|of| of.is_match() && of.first().is_some()).map(|of| &of.players[..]) {
                Some([a, b]) => { (a) " against " (b) " " span.legend { (name) } },
                _ => (name),
            }
            @if let [kind] = kinds[..] { " " span.chip { (kind) } }
        }
        (head(which, has_battles, summary, games_at_once))
        @if rows.is_empty() {
            p { @if which.result.is_empty() && which.failure.is_empty() { "No games were found." } @else { "No games match." } }
        } @else {
            // All games of a pair have the same two names, so a search would find all or none.
            @if rows.len() >= page::MANY && leader.is_none() {
                p.controls { label { "Filter these games " input #search type="search" autocomplete="off" placeholder="a bot, a result"; } }
            }
            @if which.from > 0 || has_more { p.legend { (place(which.from, rows.len(), total)) } }
            (listed::table(&rows, leader, &names, if is_mixed { "Game" } else { "Moves" }))
        }
        nav.controls aria-label="More games" {
            @if which.from > SHOWN { a.button href=(part(0)) { "First games" } " " }
            @if which.from > 0 { a.button href=(part(which.from.saturating_sub(SHOWN))) { "← Earlier games" } " " }
            @if has_more { a.button href=(part(which.from + SHOWN)) { "Later games →" } }
            @if let Some(last) = total.map(|total| total.saturating_sub(1) / SHOWN * SHOWN).filter(|last| *last > which.from.saturating_add(SHOWN)) { " " a.button href=(part(last)) { "Last games" } }
        }
    }
}

/// Returns which of the games the page lists: `Games 51–100 of 240`.
fn place(from: usize, listed: usize, total: Option<usize>) -> String {
    let [first, last] = [from + 1, from + listed].map(|number| grouped(number as u64));
    let total = total.map_or(String::new(), |total| format!(" of {}", grouped(total as u64)));
    format!("Games {first}–{last}{total}")
}

fn has_failed(record: &Record) -> bool {
    record.seats.iter().any(|seat| seat.ending.is_failure())
}

/// Returns the record of a game, if the file has one.
fn record(game: &Result<ReplayedGame, ReplayError>) -> Option<&Record> {
    match game {
        Ok(game) => game.record.as_deref(),
        Err(ReplayError::WithoutMoves { record, .. }) => Some(record),
        Err(_) => None,
    }
}

fn game_name(game: &Result<ReplayedGame, ReplayError>) -> Option<&str> {
    match game {
        Ok(game) => Some(game.contest.name()),
        Err(_) => record(game).map(|record| record.game.as_str()),
    }
}

/// Returns the comparison of a player's rank with its opponent's.
fn result(record: &Record, player: &str) -> Option<Ordering> {
    // A game that a bot lost because the machine was busy does not count.
    if record.is_overloaded() {
        return None;
    }
    let own = record.seats.iter().find(|seat| seat.bot == player)?;
    let other = record.seats.iter().find(|seat| seat.bot != player)?;
    Some(own.rank.cmp(&other.rank))
}

/// Returns a game as the table shows it, with the results of the player that leads in the file.
fn listed_game(
    which: &Params,
    number: usize,
    game: &Result<ReplayedGame, ReplayError>,
    summary: Option<&FileSummary>,
) -> ListedGame {
    let of = record(game);
    let leader = summary.and_then(FileSummary::first);
    let limit = summary.and_then(|summary| summary.limit);
    let seats = of.into_iter().flat_map(|record| &record.seats).filter(|seat| seat.ending.is_failure());
    let mut failures: Vec<Failure> =
        seats.map(|seat| Failure { stderr: String::new(), ..Failure::of(&seat.bot, seat, limit) }).collect();
    let (names, note) = match game {
        Ok(game) => (players(game), game.moves.len().to_string()),
        Err(ReplayError::WithoutMoves { record, .. }) => {
            (record.bots().into_iter().map(str::to_string).collect(), String::new())
        }
        Err(problem) => {
            failures.push(Failure {
                words: problem.to_string(),
                details: String::new(),
                stderr: String::new(),
                is_late: false,
            });
            (Vec::new(), String::new())
        }
    };
    ListedGame {
        address: (!names.is_empty()).then(|| which.file.address("/replay", &[("game", &number.to_string())])),
        number: number.to_string(),
        winner: of.and_then(winner).filter(|seat| *seat < names.len()),
        players: names,
        result: of.zip(leader).and_then(|(record, leader)| result(record, leader)),
        points: of.map_or(String::new(), scores),
        standing: summary.map_or(Standing::Counts, |summary| summary.standing(number)),
        note,
        slowest: of.and_then(slowest),
        failures,
    }
}

/// Returns the names of the players of a game. Without names, returns the game's title or its seats.
fn players(game: &ReplayedGame) -> Vec<String> {
    let seats = game.contest.info().seats;
    match &game.record {
        Some(record) => record.bots().into_iter().map(str::to_string).collect(),
        None if game.title.is_empty() => seats.map(str::to_string).to_vec(),
        None => vec![game.title.clone()],
    }
}
