//! The cards of leagues on the first page, and the table of all leagues, each with the best bots.

use super::charts::{LeagueProgress, looks};
use super::{MAX_QUICK, address, digits, failing, name, open};
use crate::App;
use crate::failures;
use crate::project::{Contents, Entry};
use crate::text::{ago, count, grouped, signed};
use contender_game::contest::{BotInfo, Contest};
use contender_league::{League, LeagueBot, LeagueGame, Standings, StandingsRow};
use maud::{Markup, html};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Number of bots that a card or a row names.
const BEST: usize = 3;
/// Number of cards on the first page: one row.
const FIRST: usize = 3;
/// Maximum number of games in a league for which the best bots are computed.
const MAX_GAMES: usize = 20_000;
/// Maximum number of points of the small lines. Each of them needs the strengths at an earlier moment, and the first
/// page must not wait for them.
const MOMENTS: usize = 6;
/// Maximum number of leagues in which games, and the strengths of bots, are searched.
const MAX_LOOKED: usize = 20;
/// Maximum number of kept drawings.
const MAX_KEPT: usize = 200;

/// Returns the cards of the newest leagues for the first page, those without games last, and a link to all others.
pub fn newest(app: &App, contents: &Contents) -> Markup {
    let count = contents.leagues.len();
    let mut first: Vec<&Entry> = contents.leagues.iter().take(MAX_LOOKED).collect();
    first.sort_by_key(|entry| {
        !open(app, &entry.path).is_ok_and(|(_, store)| store.has_games().unwrap_or_default())
    });
    html! {
        div.cards { @for entry in first.into_iter().take(FIRST) { (kept(app, entry, Kind::Card)) } }
        @if count > FIRST { p { a href="/leagues" { "All " (count) " leagues" } } }
    }
}

/// Returns the table of all leagues, the newest first.
pub fn all(app: &App, contents: &Contents) -> Markup {
    html! {
        @if !contents.leagues.is_empty() {
            div.wide { table.list.files.leagues {
                thead { tr { th { "League" } th { "State" } th.extra { "Game" } th { "Best bots" } th.number { "Games" } th { "Updated" } } }
                tbody { @for entry in contents.leagues.iter().take(MAX_KEPT) { tr data-key=(entry.path) {
                    td { (link(&entry.path)) }
                    td.state { @if is_running(app, &entry.path) { span.chip.good { "Running" } } @else { span.legend { "Stopped" } } }
                    (kept(app, entry, Kind::Row))
                    td.updated { (entry.modified.map_or(String::new(), ago)) }
                } } }
            } }
        }
    }
}

/// Returns whether any process plays the league's games.
fn is_running(app: &App, dir: &str) -> bool {
    open(app, dir).is_ok_and(|(_, store)| store.runners().unwrap_or_default() > 0)
}

/// The sizes and modification times of a league's files. They change with every game. SQLite writes new games to the
/// `-wal` file first.
pub type Version = [Option<(u64, SystemTime)>; 3];

pub fn version(app: &App, dir: &str) -> Option<Version> {
    let folder = app.project.league(dir).ok()?;
    Some(["league.toml", "league.sqlite", "league.sqlite-wal"].map(|file| {
        let data = folder.join(file).metadata().ok()?;
        Some((data.len(), data.modified().ok()?))
    }))
}

/// The two forms in which a league is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Card,
    Row,
}

/// The cards and rows of leagues by folder, each with the league's version at the time of drawing.
#[derive(Default)]
pub struct Cards {
    drawn: Mutex<HashMap<(String, Kind), Drawn>>,
    /// The strengths of bundled bots by game, with the folder and version of their league.
    strengths: Mutex<HashMap<&'static str, KnownStrengths>>,
}

/// The folder of a league, its version, and the strengths in it.
type KnownStrengths = (String, Option<Version>, Strengths);

/// A league's version, the strengths by number of games, and the drawn card or row.
type Drawn = (Option<Version>, LeagueProgress, Markup);

/// Returns the card or the row of a league. It is drawn again only if the league has changed, because computing ratings
/// takes long.
fn kept(app: &App, entry: &Entry, kind: Kind) -> Markup {
    let now = version(app, &entry.path);
    let lock = || app.cards.drawn.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (entry.path.clone(), kind);
    let (known, mut progress, drawn) = lock().get(&key).cloned().unwrap_or_default();
    if known == now && now.is_some() {
        return drawn;
    }
    let dir = &entry.path;
    let data = Data::read(app, dir);
    let drawn = match kind {
        Kind::Card => card(dir, data.as_ref(), &mut progress),
        Kind::Row => row(dir, data.as_ref()),
    };
    let mut kept = lock();
    if kept.len() >= MAX_KEPT {
        kept.clear();
    }
    kept.insert(key, (now, progress, drawn.clone()));
    drawn
}

/// The strengths of bundled bots in a league of the project.
#[derive(Default, Clone)]
pub struct Strengths {
    /// The league's name and the unit of strength.
    pub source: Option<[String; 2]>,
    pub by_name: HashMap<String, String>,
    /// The names of these bots, the strongest first.
    order: Vec<String>,
}

impl Strengths {
    /// Returns a game's bundled bots, the strongest first: in the game's own order of strength, in which the bots with
    /// a shown strength are sorted by it.
    pub fn sorted(&self, contest: &'static dyn Contest) -> Vec<&'static BotInfo> {
        let mut bots: Vec<&BotInfo> = contest.info().bots.iter().rev().collect();
        let known = |name: &String| bots.iter().find(|bot| bot.name == name).copied();
        let rated = self.order.iter().filter_map(known);
        let rated: Vec<&BotInfo> = rated.collect();
        let places = bots.iter_mut().filter(|bot| self.order.iter().any(|name| name == bot.name));
        places.zip(rated).for_each(|(place, bot)| *place = bot);
        bots
    }
}

/// Returns the strengths of bundled bots in the project's league that has the most of them.
pub fn strengths(app: &App, game: &'static str) -> Strengths {
    let bundled = |bots: &[LeagueBot]| bots.iter().filter(|bot| bot.command == bot.name).count();
    let contents = app.project.contents();
    let known = contents.leagues.iter().take(MAX_LOOKED).filter_map(|entry| {
        let (league, store) = open(app, &entry.path).ok()?;
        let bots =
            store.bots().ok().filter(|bots| league.settings.game == game && bots.len() <= MAX_QUICK)?;
        store.has_games().ok()?.then_some(())?;
        Some((bundled(&bots), &entry.path))
    });
    // Of equally large leagues, the newest one is the first.
    let Some((_, dir)) = known.min_by_key(|(count, _)| Reverse(*count)) else { return Strengths::default() };
    let now = version(app, dir);
    let lock = || app.cards.strengths.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = lock().get(game).filter(|(of, then, _)| of == dir && *then == now).cloned();
    if let Some((.., strengths)) = kept {
        return strengths;
    }
    let Some(data) = Data::read(app, dir) else { return Strengths::default() };
    let is_bundled = |name: &str| data.bots.iter().any(|bot| bot.name == name && bot.command == name);
    let rated = || data.best().filter(|(row, _)| is_bundled(&row.name));
    let strengths = Strengths {
        source: Some([name(dir), data.league.model().unit().to_string()]),
        by_name: rated().map(|(row, digits)| (row.name.clone(), signed(row.strength, digits))).collect(),
        order: rated().map(|(row, _)| row.name.clone()).collect(),
    };
    lock().insert(game, (dir.clone(), now, strengths.clone()));
    strengths
}

/// The content of a league.
struct Data {
    league: League,
    bots: Vec<LeagueBot>,
    games: Vec<LeagueGame>,
    /// The standings, unless the league has too many games.
    standings: Option<Standings>,
}

impl Data {
    fn read(app: &App, dir: &str) -> Option<Data> {
        let (league, store) = open(app, dir).ok()?;
        let (bots, games) = (store.bots().ok()?, store.games(false).ok()?);
        let standings =
            (games.len() <= MAX_GAMES).then(|| Standings::of(&bots, &games, league.model(), false));
        Some(Data { league, bots, games, standings })
    }

    /// Returns the number of failed games, and how many of them a bot lost on time on a busy machine.
    fn failed(&self) -> [u64; 2] {
        failing::counts(&self.games)
    }

    /// Returns whether enough games failed that the strengths say nothing.
    fn is_broken(&self) -> bool {
        failures::are_most(self.failed()[0], self.games.len() as u64)
    }

    /// Returns the bots that have played, in descending order of strength; none if most games failed.
    fn best(&self) -> impl Iterator<Item = (&StandingsRow, usize)> {
        let standings = self.standings.iter().filter(|_| !self.is_broken());
        standings.flat_map(|of| of.rows.iter().filter(|row| row.is_rated()).map(|row| (row, digits(of))))
    }

    /// Returns the name of a bot after its colour.
    fn name(&self, name: &str) -> Markup {
        html! { (looks(&self.bots).mark(name)) " " span.name { (name) } }
    }

    /// Returns the number of failed games as a link to them.
    fn failures(&self, dir: &str) -> Markup {
        let link = address("/league/games", dir, &[("failed", "1")]);
        failures::chips(self.failed(), self.games.len() as u64, Some(&link))
    }
}

/// Returns a strength with its interval.
fn strength((row, digits): (&StandingsRow, usize)) -> Markup {
    html! {
        (signed(row.strength, digits))
        @if let Some(interval) = row.interval { small { " ± " (format!("{:.digits$}", interval.reach())) } }
    }
}

fn link(dir: &str) -> Markup {
    html! { a href=(address("/league", dir, &[])) { (if dir.is_empty() { "this folder" } else { dir }) } }
}

fn card(dir: &str, data: Option<&Data>, progress: &mut LeagueProgress) -> Markup {
    let Some(data) = data else {
        return html! { div.card data-key=(dir) { h3 { (link(dir)) } p.legend { "The league cannot be read." } } };
    };
    let (bots, games, model) = (&data.bots, &data.games, data.league.model());
    if let Some(standings) = data.standings.as_ref().filter(|of| bots.len() <= MAX_QUICK && of.games > 0) {
        progress.update(bots, games, model, standings, MOMENTS);
    }
    html! {
        div.card data-key=(dir) {
            h3 { (link(dir)) span.chip { (data.league.settings.game) } }
            ol.podium {
                @for best in data.best().take(BEST) {
                    @let name = &best.0.name;
                    li {
                        (data.name(name)) " "
                        @if progress.has_trend() { (progress.sparkline(&looks(bots), name)) }
                        span.number { (strength(best)) }
                    }
                }
                @if data.best().next().is_none() { @for bot in bots.iter().take(BEST) { li { (data.name(&bot.name)) } } }
            }
            p.legend.foot {
                span { (count(games.len() as u64, "game", "games")) " · " (count(bots.len() as u64, "bot", "bots")) " " (data.failures(dir)) }
                @if data.best().next().is_some() { span title=(model.meaning()) { (model.unit()) } }
            }
        }
    }
}

/// Returns the cells with a league's game, best bots and number of games.
fn row(dir: &str, data: Option<&Data>) -> Markup {
    html! {
        @match data {
            Some(data) => {
                td.extra { (data.league.settings.game) }
                td.players { (best(data)) }
                @let [failed, late] = data.failed();
                @let link = address("/league/games", dir, &[("failed", "1")]);
                td.result.number {
                    span { (grouped(data.games.len() as u64)) span.narrow-word { @if data.games.len() == 1 { " game" } @else { " games" } } }
                    @if failed > late { " " a.chip.bad href=(link) title="A bot that fails loses the game" { (grouped(failed - late)) " failed" } }
                    @if late > 0 { " " a.chip.warn href=(link) title="The machine was busy. Late games do not count." { (grouped(late)) " late" } }
                }
            }
            None => { td.extra {} td.players { "The league cannot be read." } td.result.number {} }
        }
    }
}

/// Returns the names of the best bots with the strength of the first one. Without ranks, returns the names of all bots.
fn best(data: &Data) -> Markup {
    html! {
        @if let Some(first) = data.best().next() {
            @for (at, (row, _)) in data.best().take(BEST).enumerate() {
                span.bot {
                    (data.name(&row.name))
                    // The strength belongs to the first bot.
                    @if at == 0 { " " span.legend title=(data.league.model().meaning()) { (strength(first)) " " (data.league.model().unit()) } }
                } " "
            }
        } @else {
            span.legend { @if data.bots.is_empty() { "no bots" } @else { "no ranks yet: " } }
            @for bot in data.bots.iter().take(BEST) { span.bot { (data.name(&bot.name)) } " " }
        }
        @if data.bots.len() > BEST { span.legend { "of " (data.bots.len()) " bots" } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bots without a strength keep their places in the game's own order.
    #[test]
    fn bots_are_sorted_by_the_shown_strengths() {
        let contest = contender_catalogue::find("uttt").unwrap();
        let names = |order: &[&str]| {
            let order = order.iter().map(|name| (*name).to_string()).collect();
            let bots = Strengths { order, ..Strengths::default() }.sorted(contest);
            bots.iter().map(|bot| bot.name).collect::<Vec<_>>()
        };
        let own = names(&[]);
        let [first, second, third] = [own[0], own[1], own[2]];
        assert_eq!(names(&[third, second])[..3], [first, third, second]);
        assert_eq!(names(&[second, first, third, "another"])[..3], [second, first, third]);
        assert_eq!(names(&[third, second])[3..], own[3..]);
    }
}
