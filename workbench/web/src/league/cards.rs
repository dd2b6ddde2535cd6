//! The cards of leagues, each with the best bots.

use super::charts::{LeagueProgress, colour};
use super::{MAX_QUICK, digits, open};
use crate::App;
use crate::files::folders;
use crate::project::{Contents, Entry};
use crate::text::{count, query, signed};
use contender_league::Standings;
use maud::{Markup, html};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Number of leagues whose best bots are listed.
const LEAGUES: usize = 6;
/// Maximum number of games in a league for which the best bots are computed.
const MAX_GAMES: usize = 20_000;
/// Maximum number of kept cards.
const MAX_KEPT: usize = 200;

/// Returns the cards of the newest leagues, and a list of all others.
pub fn cards(app: &App, contents: &Contents) -> Markup {
    html! {
        div.cards { @for entry in contents.leagues.iter().take(LEAGUES) { (card(app, entry)) } }
        @if contents.leagues.len() > LEAGUES { (folders("/league", contents.leagues.iter().skip(LEAGUES).take(MAX_KEPT))) }
    }
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

/// The cards of leagues by folder, each with the league's version at the time of drawing.
#[derive(Default)]
pub struct Cards(Mutex<HashMap<String, Card>>);

/// A league's version, the strengths by number of games, and the drawn card.
type Card = (Option<Version>, LeagueProgress, Markup);

/// Returns the card of a league. The card is drawn again only if the league has changed, because computing ratings
/// takes long.
fn card(app: &App, entry: &Entry) -> Markup {
    let now = version(app, &entry.path);
    let lock = || app.cards.0.lock().unwrap_or_else(PoisonError::into_inner);
    let (known, mut progress, card) = lock().get(&entry.path).cloned().unwrap_or_default();
    if known == now && now.is_some() {
        return card;
    }
    let card = draw(app, entry, &mut progress);
    let mut kept = lock();
    if kept.len() >= MAX_KEPT {
        kept.clear();
    }
    kept.insert(entry.path.clone(), (now, progress, card.clone()));
    card
}

fn draw(app: &App, entry: &Entry, progress: &mut LeagueProgress) -> Markup {
    let dir = &entry.path;
    let opened = open(app, dir).ok();
    let data = opened
        .as_ref()
        .and_then(|(league, store)| Some((league, store.bots().ok()?, store.games(false).ok()?)));
    html! {
        div.card data-key=(dir) {
            h3 {
                a href=(format!("/league?{}", query(&[("dir", dir)]))) { (if dir.is_empty() { "this folder" } else { dir }) }
                @if let Some((league, ..)) = &data { span.chip { (league.settings.game) } }
            }
            @if let Some((league, bots, games)) = &data {
                @if games.len() <= MAX_GAMES {
                    @let standings = Standings::of(bots, games, league.model(), false);
                    @let () = if bots.len() <= MAX_QUICK && standings.games > 0 { progress.update(bots, games, league.model(), &standings) };
                    ol.podium {
                        @for row in standings.rows.iter().filter(|row| row.games > 0).take(3) {
                            li {
                                span class=(format!("dot c{}", colour(bots, &row.name))) {} " "
                                span.name { (row.name) } " "
                                @if progress.has_trend() { (progress.sparkline(bots, &row.name)) }
                                span.number { (signed(row.strength, digits(&standings))) @if let Some(interval) = row.interval { small { " ± " (format!("{:.1$}", interval.reach(), digits(&standings))) } } }
                            }
                        }
                    }
                }
                p.legend { (count(games.len() as u64, "game", "games")) " · " (count(bots.len() as u64, "bot", "bots")) }
            }
        }
    }
}
