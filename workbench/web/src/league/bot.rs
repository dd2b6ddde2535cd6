//! The page of a bot in a league: its command, its results against each opponent, its failures, its latest games and
//! its versions.

use super::charts::{LeagueProgress, looks};
use super::data::{self, LeagueData};
use super::games;
use super::table::rank_of;
use super::{MAX_QUICK, Params, above, address, control, digits, name, open};
use crate::App;
use crate::failures;
use crate::guard::Known;
use crate::listed::{self, RESULTS};
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking};
use crate::text::{ago, count, grouped, query, signed};
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use contender_league::{BotState, GameState, LeagueBot, LeagueGame, Model, Standings};
use maud::{Markup, html};
use serde::Deserialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Number of games to list.
const SHOWN: usize = 20;

/// A bot and its league.
#[derive(Deserialize)]
pub struct Wanted {
    #[serde(flatten)]
    which: Params,
    name: String,
    /// The bot's previous name, after it was renamed.
    #[serde(default)]
    was: String,
}

/// A bot's results against one opponent.
#[derive(Default)]
struct Against {
    /// Numbers of games won, drawn and lost.
    results: [u32; 3],
    /// Total points of the bot, and total points of the opponent.
    points: [f64; 2],
    failures: u32,
    /// Number of finished games, including those that do not count for strength.
    played: u32,
}

impl Against {
    fn games(&self) -> u32 {
        self.results.iter().sum()
    }

    /// Returns the win rate from 0 to 1; a draw counts as half a win.
    fn share(&self) -> f64 {
        (f64::from(self.results[0]) + 0.5 * f64::from(self.results[1])) / f64::from(self.games().max(1))
    }
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(wanted): Query<Wanted>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let dir = &wanted.which.dir;
        let (league, _) = open(app, dir)?;
        let data = data::of(app, dir)?;
        let LeagueData { bots, games, standings } = &*data;
        let bot = bots
            .iter()
            .find(|bot| bot.name == wanted.name)
            .ok_or_else(|| Problem::not_found(format!("There is no bot {}.", wanted.name)))?;
        let has_lost = standings.rows.iter().any(|row| row.name == bot.name && row.results[2] > 0);
        let content = html! {
            (page::crumbs(&above(dir), &bot.name, league.contest().map(|contest| contest.name())))
            h1 { (looks(bots).mark(&bot.name)) " " (bot.name) }
            (page::read_only(is_known))
            (facts(dir, standings, games, bot))
            @if is_known {
                @if !wanted.was.is_empty() && wanted.was != bot.name { (control::renamed(dir, bot, &wanted.was)) }
            }
            div.actions {
                @if league.contest().is_some() && has_lost {
                    a.button.primary href=(format!("/review?{}", query(&[("league", dir), ("player", &bot.name)]))) { "Why does it lose?" }
                }
                @if has_lost { a.button href=(address("/league/games", dir, &[("a", &bot.name), ("result", "lost")])) { "Lost games" } }
                a.button href=(address("/league/games", dir, &[("a", &bot.name)])) { "All games" }
                @if is_known { (control::pause(dir, bot)) (control::change(dir, bot)) }
            }
            @let progress = data::progress(app, dir, &data, league.model(), bots.len() > MAX_QUICK);
            div.charts.pair data-live=[progress.is_none().then(|| address("/league/bot/live", dir, &[("name", &bot.name)]))] {
                (strengths(&data, bot, progress.as_deref()))
                (opponents(dir, bots, games, bot, standings))
            }
            (latest(dir, bots, games, bot))
            (versions(dir, bots, standings, bot))
        };
        Ok(page::frame("/leagues/*", &format!("{} of {}", bot.name, name(dir)), Some("/league.js"), &content))
    })
    .await
}

/// Streams the chart of a bot in a large league, because the page doesn't wait for it.
pub async fn live(State(app): State<Arc<App>>, Query(wanted): Query<Wanted>) -> Result<Response, Problem> {
    let dir = wanted.which.dir;
    let shared = Arc::clone(&app);
    let opening = dir.clone();
    let (league, _) = blocking(app, move |app| open(app, &opening)).await?;
    let key = address("/league/bot/live", &dir, &[("name", &wanted.name)]);
    let mut seen: Option<Arc<LeagueData>> = None;
    Ok(live::watch(shared, key, move |app| {
        let Ok(data) = data::of(app, &dir) else { return Update::Same };
        if seen.as_ref().is_some_and(|seen| Arc::ptr_eq(seen, &data)) {
            return Update::Same;
        }
        seen = Some(Arc::clone(&data));
        let Some(bot) = data.bots.iter().find(|bot| bot.name == wanted.name) else { return Update::Same };
        let progress = data::progress(app, &dir, &data, league.model(), false);
        Update::New(strengths(&data, bot, progress.as_deref()))
    }))
}

/// Returns the chart of a bot's strength by number of games, if the bot has played. Without `progress`, the chart is
/// announced.
fn strengths(data: &LeagueData, bot: &LeagueBot, progress: Option<&LeagueProgress>) -> Markup {
    let has_played = data.games.iter().any(|game| game.seat_of(bot.id).is_some());
    html! {
        section #strength aria-label="Strength" {
            @match progress.filter(|_| has_played) {
                Some(progress) => @if progress.has_lines() { (progress.draw_one(&looks(&data.bots), &bot.name)) },
                None => @if has_played { p.legend.later { "The chart of its strength follows in a moment." } },
            }
        }
    }
}

fn when(seconds: f64) -> String {
    ago(SystemTime::UNIX_EPOCH + Duration::from_secs_f64(seconds.clamp(0.0, 1e12)))
}

/// Returns the bot's strength as text, or `None` if the standings do not contain the bot.
fn strength(standings: &Standings, bot: &LeagueBot) -> Option<String> {
    let row = standings.rows.iter().find(|row| row.name == bot.name && row.is_rated())?;
    let digits = digits(standings);
    let reach = row.interval.map_or(String::new(), |interval| format!(" ± {:.digits$}", interval.reach()));
    Some(format!("{}{reach}", signed(row.strength, digits)))
}

/// Returns the facts about the bot as chips.
fn facts(dir: &str, standings: &Standings, games: &[LeagueGame], bot: &LeagueBot) -> Markup {
    let (state, class) = match bot.state {
        BotState::Active => ("Active", "chip good"),
        BotState::Paused => ("Paused", "chip"),
        BotState::Removed => ("Removed", "chip bad"),
    };
    let row =
        standings.rows.iter().find(|row| row.name == bot.name && row.is_rated() && row.ranks.is_empty());
    let failed =
        games.iter().filter(|game| game.seat_of(bot.id).is_some_and(|seat| seat.has_failed())).count();
    let played = games.iter().filter(|game| game.seat_of(bot.id).is_some()).count();
    let link = address("/league/games", dir, &[("a", &bot.name), ("failed", "1")]);
    let failing = games.iter().filter(|game| game.has_failed()).count() as u64;
    // As on the league's page, failures say nothing about strength.
    let is_rated = !failures::are_most(failing, games.len() as u64);
    html! {
        @if let Some(strength) = strength(standings, bot).filter(|_| is_rated) {
            p.verdict {
                (strength)
                @if let Some([rank, all]) = rank_of(standings, &bot.name) { ", rank " (grouped(rank as u64)) " of " (grouped(all as u64)) }
                " " small.legend { (standings.model.meaning()) ", with its " (standings.model.reach()) " interval. " (standings.gap().unwrap_or_default()) }
            }
        }
        p.chips {
            // Whether an active bot plays depends on the league.
            span class=(class) { (state) @if bot.state != BotState::Active { " " (when(bot.changed)) } }
            @if played > 0 { span.chip { (count(played as u64, "game", "games")) } }
            @if let Some(row) = row {
                @for ((result, _, word, class), number) in RESULTS.into_iter().zip(row.results) {
                    @if number > 0 { a class=(class) href=(address("/league/games", dir, &[("a", &bot.name), ("result", result)])) { (word) " " (grouped(number)) } }
                }
            }
            (failures::chip(failed as u64, played as u64, Some(&link)))
        }
        p.legend {
            "Command " code { (bot.command) }
            @if let Some((file, hash)) = &bot.source {
                ", with a copy of " code { (file) } " (" (hash.chars().take(12).collect::<String>()) ")"
            }
        }
    }
}

/// Number of opponents from which those with the most losses come first, because a low share of few games tells little.
const MANY_OPPONENTS: usize = 15;
/// Maximum numbers of opponents and of versions that are not folded.
const UNFOLDED: usize = 10;

/// Returns the table of results against each opponent, the worst result first, or the most losses first if there are
/// many opponents.
fn opponents(
    dir: &str,
    bots: &[LeagueBot],
    games: &[LeagueGame],
    bot: &LeagueBot,
    standings: &Standings,
) -> Markup {
    // If wins count, points would repeat them.
    let has_points = standings.model == Model::Points;
    let rows = against(games, bot.id);
    let mut rows: Vec<(&LeagueBot, Against)> =
        rows.into_iter().filter_map(|(id, row)| Some((bots.iter().find(|bot| bot.id == id)?, row))).collect();
    let are_many = rows.len() >= MANY_OPPONENTS;
    rows.sort_by(|(_, one), (_, other)| {
        let by_losses = if are_many { other.results[2].cmp(&one.results[2]) } else { Ordering::Equal };
        by_losses.then(one.share().total_cmp(&other.share()))
    });
    let has_failures = rows.iter().any(|(_, row)| row.failures > 0);
    let looks = looks(bots);
    let of = |other: &LeagueBot, more: (&str, &str)| {
        address("/league/games", dir, &[("a", &bot.name), ("b", &other.name), more])
    };
    let results = |row: &Against, other: &LeagueBot| {
        let [won, drawn, lost] = row.results.map(|number| grouped(number.into()));
        html! {
            @if row.games() == 0 { "–" } @else {
                (won) " – " (drawn) " – "
                @if row.results[2] > 0 { a.failure href=(of(other, ("result", "lost"))) title="Show the lost games" { (lost) } } @else { (lost) }
            }
        }
    };
    // Few opponents are all in sight.
    let shown = if are_many { UNFOLDED } else { rows.len() };
    let table = |rows: &[(&LeagueBot, Against)]| {
        html! {
            div.wide { table.list.fit {
                thead { tr {
                    th { "Opponent" } th.number.extra title=(standings.model.meaning()) { "Strength" } th.number { "Games" } th.number { "W – D – L" } th.number title="Wins, with a draw as half a win" { "Win rate" }
                    @if has_points { th.number.extra { "Points per game" } } @if has_failures { th.number { "Failed" } }
                } }
                tbody { @for (other, row) in rows {
                    @let each = |points: f64| format!("{:.1}", points / f64::from(row.games().max(1)));
                    tr {
                        th scope="row" {
                            (looks.mark(&other.name)) " "
                            a href=(address("/league/bot", dir, &[("name", &other.name)])) { (other.name) }
                        }
                        td.number.extra { (strength(standings, other).unwrap_or_default()) }
                        td.number { a href=(of(other, ("failed", ""))) { (grouped(row.played.into())) } }
                        td.number { (results(row, other)) }
                        td.number { @if row.games() > 0 { (format!("{:.0}%", 100.0 * row.share())) } @else { "–" } }
                        @if has_points { td.number.extra { (each(row.points[0])) " – " (each(row.points[1])) } }
                        @if has_failures { td.number { @if row.failures > 0 { a.failure href=(of(other, ("failed", "1"))) { (grouped(row.failures.into())) } } } }
                    }
                } }
            } }
        }
    };
    html! {
        section aria-labelledby="opponents" {
            h2 #opponents { "Results by opponent" }
            @if rows.is_empty() { p { "No games yet." } } @else {
                @if are_many { p.legend { "The opponents that won most often come first." } }
                (table(&rows[..shown]))
                @if rows.len() > shown {
                    details { summary { "Show " (count((rows.len() - shown) as u64, "more opponent", "more opponents")) } (table(&rows[shown..])) }
                }
                (unrated(&rows))
            }
        }
    }
}

/// Returns a sentence about the games that do not count for strength, if there are any.
fn unrated(rows: &[(&LeagueBot, Against)]) -> Markup {
    let of = |number: fn(&Against) -> u32| rows.iter().map(|(_, row)| u64::from(number(row))).sum::<u64>();
    let (played, rated) = (of(|row| row.played), of(Against::games));
    let reason = "a bot lost on time on a busy machine";
    html! {
        @if rated == 0 { p.legend { (count(played, "game", "games")) ", of which none counts for strength: in each of them, " (reason) "." } }
        @else if rated < played { p.legend { (grouped(played - rated)) " of " (count(played, "game", "games")) " do not count for strength, because " (reason) "." } }
    }
}

/// Returns the bot's results by the opponent's id. A game with more than two players counts once for each opponent.
fn against(games: &[LeagueGame], id: i64) -> BTreeMap<i64, Against> {
    let mut rows: BTreeMap<i64, Against> = BTreeMap::new();
    for game in games.iter().filter(|game| game.state == GameState::Done) {
        let Some(own) = game.seat_of(id) else { continue };
        for other in game.seats.iter().filter(|seat| seat.bot != id) {
            let row = rows.entry(other.bot).or_default();
            if game.is_rated() {
                row.results[(own.rank.cmp(&other.rank) as i8 + 1) as usize] += 1;
                row.points[0] += own.points;
                row.points[1] += other.points;
            }
            row.failures += u32::from(own.has_failed());
            row.played += 1;
        }
    }
    rows
}

/// Returns the name without the version number at its end. All versions of a bot share the name that remains.
fn stem(name: &str) -> &str {
    name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.')
}

/// Returns the bots whose names differ only in the number at the end.
fn versions(dir: &str, bots: &[LeagueBot], standings: &Standings, bot: &LeagueBot) -> Markup {
    let is_version = |other: &&LeagueBot| !stem(&bot.name).is_empty() && stem(&other.name) == stem(&bot.name);
    let versions: Vec<&LeagueBot> = bots.iter().filter(is_version).collect();
    let table = html! {
        div.wide { table.list.fit { tbody { @for version in &versions { tr {
            th scope="row" { a href=(address("/league/bot", dir, &[("name", &version.name)])) aria-current=[(version.id == bot.id).then_some("page")] { (version.name) } }
            td.number { (strength(standings, version).unwrap_or_default()) }
            td { code { (version.command) } }
            td.extra { (when(version.changed)) }
        } } } } }
    };
    html! {
        // If all bots share a name, the league's own table has them.
        @if versions.len() > 1 && (versions.len() < bots.len() || versions.len() <= UNFOLDED) {
            section aria-labelledby="versions" {
                h2 #versions { "Versions" }
                @if versions.len() > UNFOLDED {
                    details { summary { "Show " (count(versions.len() as u64, "version", "versions")) } (table) }
                } @else { (table) }
                p.legend { "Versions are bots whose names differ only in the number at the end." }
            }
        }
    }
}

fn latest(dir: &str, bots: &[LeagueBot], games: &[LeagueGame], bot: &LeagueBot) -> Markup {
    let of = |game: &&LeagueGame| game.seat_of(bot.id).is_some();
    let latest = games.iter().rev().filter(of).take(SHOWN).map(|game| (game, None));
    let all = |failed: &str| address("/league/games", dir, &[("a", &bot.name), ("failed", failed)]);
    html! {
        section aria-labelledby="latest" {
            h2 #latest { "Latest games" }
            div.previewed { (games::table(dir, bots, latest, Some(bot.id))) (listed::preview()) }
            p.controls {
                a.button href=(all("")) { "All games" }
                @if games.iter().any(|game| game.seat_of(bot.id).is_some_and(|seat| seat.has_failed())) { a.button href=(all("1")) { "Games with a failure" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_share_what_stands_before_the_number() {
        assert_eq!(["v1", "v12", "bot-1.2", "greedy"].map(stem), ["v", "v", "bot-", "greedy"]);
    }
}
