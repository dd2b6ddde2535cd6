//! The games of a league: all games, the games of a bot or of two bots, or the games with a failure. Failures are shown
//! with the bots' output.

use super::{above, address, bad, data, name, open};
use crate::App;
use crate::failures;
use crate::listed::{self, Choice, Failure, ListedGame, RESULTS, by_result, choices};
use crate::page::{self, Problem, blocking};
use crate::pairs::Standing;
use crate::text::{ago, count, grouped, query, why_lost};
use axum::extract::{Query, State};
use axum::response::Html;
use contender_league::{GameState, LeagueBot, LeagueGame};
use contender_referee::Record;
use maud::{Markup, html};
use serde::Deserialize;
use std::cmp::Ordering;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Number of games per page.
const SHOWN: usize = 50;

/// The selection of games.
#[derive(Deserialize)]
pub struct Params {
    dir: String,
    /// A bot that plays in the games.
    #[serde(default)]
    a: String,
    /// Another bot that plays in the games.
    #[serde(default)]
    b: String,
    /// If this text is not empty, only games with a failure are listed.
    #[serde(default)]
    failed: String,
    /// The result of bot `a`; one of [`RESULTS`], or empty for any result.
    #[serde(default)]
    result: String,
    /// Number of later games to skip before the first listed game.
    #[serde(default)]
    from: usize,
}

impl Params {
    /// Returns the address of other games of the same bots.
    fn address(&self, result: &str, failed: &str, from: usize) -> String {
        let from = if from > 0 { from.to_string() } else { String::new() };
        let pairs =
            [("a", &*self.a), ("b", &*self.b), ("result", result), ("failed", failed), ("from", &from)];
        let pairs: Vec<(&str, &str)> = pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        address("/league/games", &self.dir, &pairs)
    }
}

/// Returns the form that selects games. `which` is the current selection. A script sends it after each choice.
fn choice(which: &Params, names: &[&str]) -> Markup {
    let select = |label: &str, name: &str, chosen: &str| {
        html! { label { (label) " " select name=(name) {
            option value="" { "any bot" }
            @for known in names { option selected[*known == chosen] { (known) } }
        } } }
    };
    html! {
        form.controls.choice action="/league/games" method="get" {
            input type="hidden" name="dir" value=(which.dir);
            (select("Bot", "a", &which.a)) (select("against", "b", &which.b))
            button type="submit" { "Show games" }
        }
    }
}

/// Returns the comparison of a bot's rank with its opponent's in a finished game of two players.
fn result(game: &LeagueGame, bot: i64) -> Option<Ordering> {
    let own = game.seat_of(bot).filter(|_| game.state == GameState::Done && game.seats.len() == 2)?;
    let other = game.seats.iter().find(|seat| seat.bot != bot)?;
    Some(own.rank.cmp(&other.rank))
}

/// Returns the points of a finished game. In games without points, a draw is 0 – 0 or 0.5 – 0.5, depending on the
/// game's origin, and has one word.
fn points(game: &LeagueGame) -> String {
    let is_draw = game.seats.iter().all(|seat| seat.rank == 0 && [0.0, 0.5].contains(&seat.points));
    if is_draw { "draw".to_string() } else { game.result().replace(" - ", " – ") }
}

/// Returns a game as a list shows it. `record` is its record, if a bot failed; `of` is the bot whose result is shown.
fn listed(
    dir: &str,
    bots: &[LeagueBot],
    game: &LeagueGame,
    record: Option<&Record>,
    of: Option<i64>,
) -> ListedGame {
    let names = game.names(bots);
    let is_done = game.state == GameState::Done;
    let best: Vec<usize> = (0..names.len()).filter(|&at| is_done && game.seats[at].rank == 0).collect();
    let played = game
        .finished
        .map(|seconds| SystemTime::UNIX_EPOCH + Duration::from_secs_f64(seconds.clamp(0.0, 1e12)));
    let mut failures: Vec<Failure> = match record {
        Some(record) => {
            let seats = names.iter().zip(&record.seats).filter(|(_, seat)| seat.ending.is_failure());
            seats.map(|(name, seat)| Failure::of(name, seat, None)).collect()
        }
        None => {
            let seats = names.iter().zip(&game.seats).filter(|(_, seat)| seat.has_failed());
            seats
                .map(|(name, seat)| Failure::of_kind(name, contender_play::ending_words(&seat.ending)))
                .collect()
        }
    };
    if game.state == GameState::Void {
        failures.insert(0, Failure::void(game.reason.as_deref().unwrap_or_default()));
    }
    ListedGame {
        number: game.id.to_string(),
        address: is_done
            .then(|| format!("/replay?{}", query(&[("league", dir), ("game", &game.id.to_string())]))),
        players: names.into_iter().map(str::to_string).collect(),
        winner: Some(best).filter(|best| best.len() == 1).map(|best| best[0]),
        result: of.and_then(|bot| result(game, bot)),
        points: if is_done { points(game) } else { String::new() },
        standing: Standing::Counts,
        note: played.map_or(String::new(), ago),
        slowest: None,
        failures,
    }
}

/// Returns a table of games with links to their boards. If `of` is set, the table also shows this bot's results.
pub fn table<'a>(
    dir: &str,
    bots: &[LeagueBot],
    games: impl Iterator<Item = (&'a LeagueGame, Option<&'a Record>)>,
    of: Option<i64>,
) -> Markup {
    let games: Vec<ListedGame> = games.map(|(game, record)| listed(dir, bots, game, record, of)).collect();
    let names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
    let chosen = bots.iter().find(|bot| Some(bot.id) == of).map(|bot| bot.name.as_str());
    listed::table(&games, chosen, &names, "Played")
}

pub async fn page(State(app): State<Arc<App>>, Query(which): Query<Params>) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let (league, store) = open(app, &which.dir)?;
        let contest = league.contest().map(|contest| contest.name());
        let data = data::of(app, &which.dir)?;
        let bots = &data.bots;
        let wanted = [&which.a, &which.b].map(|wanted| match wanted.as_str() {
            "" => Ok(None),
            name => bots
                .iter()
                .find(|bot| bot.name == name)
                .map(Some)
                .ok_or_else(|| Problem::not_found(format!("There is no bot {name}."))),
        });
        let [a, b] = wanted;
        let (a, b) = (a?, b?);
        let wanted: Vec<i64> = [a, b].into_iter().flatten().map(|bot| bot.id).collect();
        let of = a.map(|bot| bot.id);
        let mut games: Vec<&LeagueGame> = data.games.iter().collect();
        games.retain(|game| wanted.iter().all(|&id| game.seat_of(id).is_some()));
        let choices = all_choices(&which, &games, of);
        let has_result = |game: &LeagueGame, bot: i64| {
            let wanted = RESULTS.iter().find(|(name, ..)| *name == which.result);
            wanted.is_some_and(|wanted| result(game, bot) == Some(wanted.1))
        };
        games.retain(|game| {
            (which.failed.is_empty() || game.has_failed())
                && (which.result.is_empty() || of.is_none_or(|bot| has_result(game, bot)))
        });
        let number = games.len();
        let shown = games.into_iter().rev().skip(which.from).take(SHOWN).map(|game| {
            let whole = if game.has_failed() { store.game(game.id)? } else { None };
            let record = whole.and_then(|game| Record::from_json(game.record.as_deref()?).ok());
            Ok((game, record))
        });
        let shown = shown.collect::<anyhow::Result<Vec<_>>>().map_err(bad)?;
        let content = html! {
            (head(&which, contest, bots, &choices))
            div.previewed { section aria-label="List of games" {
            p.legend {
                @if number == 0 { "No games match." }
                @else if number > SHOWN {
                    "Games " (grouped(which.from as u64 + 1)) " to " (grouped(number.min(which.from + SHOWN) as u64)) " of " (grouped(number as u64)) ", newest first."
                }
                @else { (count(number as u64, "game", "games")) @if number > 1 { ", newest first" } "." }
            }
            (table(&which.dir, bots, shown.iter().map(|(game, record)| (*game, record.as_ref())), of))
            nav.controls aria-label="More games" {
                @let part = |from| which.address(&which.result, &which.failed, from);
                @if which.from > 0 { a.button href=(part(which.from.saturating_sub(SHOWN))) { "← Newer games" } " " }
                @if number > which.from + SHOWN { a.button href=(part(which.from + SHOWN)) { "Older games →" } }
            }
            } @if number > 0 { (listed::preview()) } }
        };
        Ok(page::frame("/leagues/*", &format!("Games of {}", name(&which.dir)), Some("/games.js"), &content))
    })
    .await
}

/// Returns the numbers of games by result, from the view of the chosen bot. If most games failed, their results say
/// nothing.
fn all_choices(which: &Params, games: &[&LeagueGame], of: Option<i64>) -> Vec<Choice> {
    let all = games.len() as u64;
    let failed = games.iter().filter(|game| game.has_failed()).count() as u64;
    let of_result = |bot: i64, order: Ordering| {
        games.iter().filter(|game| result(game, bot) == Some(order)).count() as u64
    };
    let mut choices = vec![Choice {
        words: count(all, "game", "games"),
        class: "chip",
        count: all,
        address: which.address("", "", 0),
        is_chosen: which.result.is_empty() && which.failed.is_empty(),
    }];
    if let Some(bot) = of.filter(|_| !failures::are_most(failed, all)) {
        let numbers = RESULTS.map(|(_, order, ..)| of_result(bot, order));
        choices.extend(by_result(&which.a, numbers, &which.result, &|result| which.address(result, "", 0)));
    }
    if failed > 0 {
        choices.push(Choice {
            words: failures::words(failed, all),
            class: "chip bad",
            count: failed,
            address: which.address("", "1", 0),
            is_chosen: !which.failed.is_empty(),
        });
    }
    choices
}

/// Returns the title, the numbers of games, and the form that chooses bots.
fn head(which: &Params, game: Option<&str>, bots: &[LeagueBot], all: &[Choice]) -> Markup {
    let mut names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
    names.sort_unstable();
    let who: Vec<&str> = [which.a.as_str(), &which.b].into_iter().filter(|name| !name.is_empty()).collect();
    let has_lost = all.iter().any(|choice| choice.class == "chip loss" && choice.count > 0);
    let review = [("league", &*which.dir), ("player", &which.a), ("against", &which.b)];
    html! {
        (page::crumbs(&above(&which.dir), "Games", game))
        h1 {
            @if !which.failed.is_empty() { "Failures" } @else { "Games" }
            @if !who.is_empty() { " of " (who.join(" and ")) }
        }
        (choices(all))
        (choice(which, &names))
        @if has_lost && game.is_some() {
            p { a.button href=(format!("/review?{}", query(&review))) { (why_lost(&which.a)) } }
        }
    }
}
