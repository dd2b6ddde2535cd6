//! The battles from CodinGame's site in a log: the author's results by opponent and setting, and a list of all battles.

use crate::App;
use crate::page::{self, Problem, blocking};
use crate::text::query;
use axum::extract::{Query, State};
use axum::response::Html;
use contender_league::Model;
use contender_play::{Record, read_log};
use contender_site::{
    BattleGroup, BattleResult, OpponentForecast, Ratings, ReportOptions, SiteReport, seat_of,
};
use contender_stats::Interval;
use maud::{Markup, html};
use serde::Deserialize;
use std::io::BufReader;
use std::sync::Arc;

/// Maximum number of battles that the page lists.
const SHOWN: usize = 2_000;

/// A log, the player whose results are shown, and a league for a forecast.
#[derive(Default, Deserialize)]
pub struct Params {
    file: String,
    #[serde(default)]
    me: Option<String>,
    /// The folder of the league.
    #[serde(default)]
    league: Option<String>,
    /// The player's bot in the league.
    #[serde(default)]
    bot: Option<String>,
}

impl Params {
    fn me(&self) -> Option<&str> {
        self.me.as_deref().filter(|me| !me.is_empty())
    }
}

pub async fn page(State(app): State<Arc<App>>, Query(which): Query<Params>) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let path = app.project.file(&which.file)?;
        let file = contender_input::open(&path).map_err(Problem::bad)?;
        let records: Vec<Record> =
            read_log(BufReader::new(file)).flatten().filter(|record| record.battle.is_some()).collect();
        let options = ReportOptions { me: which.me(), rules: Some(contender_catalogue::find), ratings: None };
        let mut report = SiteReport::of(&records, &options);
        let leagues: Vec<String> = app
            .project
            .contents()
            .leagues
            .into_iter()
            .map(|entry| entry.path)
            .filter(|dir| !dir.is_empty())
            .collect();
        let mut has_ratings = true;
        if let Some(dir) = which.league.as_ref().filter(|dir| leagues.contains(dir)) {
            let bot = which.bot.as_deref().filter(|bot| !bot.is_empty()).unwrap_or(&report.me);
            let ratings = ratings(app, dir, bot)?;
            has_ratings = ratings.is_some();
            report = SiteReport::of(&records, &ReportOptions { ratings: ratings.as_ref(), ..options });
        }
        let content = content(&which, &records, &report, &leagues, has_ratings);
        Ok(page::frame("/*", &which.file, Some("/home.js"), &content))
    })
    .await
}

/// Returns the Elo ratings of a league, or `None` if it has no rating of the bot.
fn ratings(app: &App, dir: &str, bot: &str) -> Result<Option<Ratings>, Problem> {
    let (league, store) = crate::league::open(app, dir)?;
    let table =
        league.standings(&store, Model::Elo, None).map_err(|error| Problem::bad(format!("{error:#}")))?;
    Ok(Ratings::of(table.rows.iter().map(|row| (row.name.as_str(), row.group, row.strength)), bot))
}

fn content(
    which: &Params,
    records: &[Record],
    report: &SiteReport,
    leagues: &[String],
    has_ratings: bool,
) -> Markup {
    let me = which.me();
    let all = &report.all;
    html! {
        p.path { a href="/" { "Home" } " / " a href=(format!("/log?{}", query(&[("file", &which.file)]))) { (which.file) } }
        h1 { "Battles from CodinGame's site" }
        @if records.is_empty() {
            p { "No battles were found." }
        } @else if all.games == 0 {
            p { "None of these battles is yours." }
        } @else {
            p { (report.me) ": " (all.games) " battles, " (all.wins) " won, " (all.draws) " drawn, " (all.losses) " lost; win rate " (rate(all)) }
        }
        form.controls action="/battles" method="get" {
            input type="hidden" name="file" value=(which.file);
            label { "Player " input name="me" value=(me.unwrap_or(&report.me)); }
            @if !leagues.is_empty() {
                label { "Forecast by " select name="league" {
                    option value="" { "no league" }
                    @for dir in leagues { option value=(dir) selected[which.league.as_ref() == Some(dir)] { (dir) } }
                } }
                label { "Your bot there " input name="bot" value=(which.bot.as_deref().unwrap_or_default()) placeholder=(report.me); }
            }
            button type="submit" { "Show" }
        }
        (groups("Opponents", &report.opponents))
        (groups("Seats", &report.seats))
        (groups("Settings", &report.settings))
        (groups("Lengths", &report.lengths))
        (groups("Decided in", &report.decisions))
        @if !has_ratings { p { "This league has no games of a bot with this name." } }
        (forecast(&report.forecast))
        section aria-labelledby="list" {
            h2 #list { "Every battle" }
            p { label { "Filter battles " input #search type="search" autocomplete="off"; } }
            table.list #logs {
                thead { tr { th.number { "Game" } th.number { "Battle" } th { "Players" } th { "Result" } th.number { "Scores" } th.number { "Turns" } th.number { "Seed" } th { "Failure" } } }
                tbody { @for (number, record) in (1..).zip(records).take(SHOWN) { (row(which, me, number, record)) } }
            }
            @if records.len() > SHOWN { p { "And " (records.len() - SHOWN) " later ones." } }
        }
    }
}

fn groups(title: &str, rows: &[BattleGroup]) -> Markup {
    html! {
        @if !rows.is_empty() {
            h2 { (title) }
            table.list {
                thead { tr { th {} th.number { "Games" } th.number { "Won" } th.number { "Drawn" } th.number { "Lost" } th.number { "Failed" } th.number { "Win rate" } } }
                tbody {
                    @for row in rows {
                        tr {
                            td { (row.name) }
                            @for count in [row.games, row.wins, row.draws, row.losses, row.failures] { td.number { (count) } }
                            td.number { (rate(row)) }
                        }
                    }
                }
            }
        }
    }
}

fn forecast(rows: &[OpponentForecast]) -> Markup {
    html! {
        @if !rows.is_empty() {
            h2 { "Forecast of the league" }
            table.list #forecast {
                thead { tr { th {} th.number { "Games" } th.number { "Expected" } th.number { "Win rate" } th {} } }
                tbody {
                    @for row in rows {
                        tr {
                            td { (row.name) }
                            td.number { (row.games) }
                            td.number { (format!("{:.0}%", 100.0 * row.expected)) }
                            td.number { (rate_text(row.win_rate, row.interval)) }
                            td { (row.verdict()) }
                        }
                    }
                }
            }
        }
    }
}

fn rate(row: &BattleGroup) -> String {
    rate_text(row.win_rate, row.interval)
}

fn rate_text(win_rate: f64, interval: Option<Interval>) -> String {
    let interval =
        interval.map_or(String::new(), |of| format!(" [{:.0}%, {:.0}%]", 100.0 * of.low, 100.0 * of.high));
    format!("{:.0}%{interval}", 100.0 * win_rate)
}

fn row(which: &Params, me: Option<&str>, number: usize, record: &Record) -> Markup {
    let result = seat_of(record, me).map(|seat| BattleResult::of(record, seat).to_string());
    let address = format!("/replay?{}", query(&[("file", &which.file), ("game", &number.to_string())]));
    let turns = record.seats.iter().map(|seat| seat.outputs.len()).max().unwrap_or(0);
    let id = record.battle.as_ref().and_then(|battle| battle.id);
    let names = record.bots().join(" – ");
    html! {
        tr {
            td.number { (number) }
            td.number { @if let Some(id) = id { (id) } }
            td { a href=(address) { (names) } }
            td { (result.unwrap_or_default()) }
            td.number { @if record.has_points() { (record.points_text(" – ")) } }
            td.number { (turns) }
            td.number { (record.seed.cast_signed()) }
            td.failure { @for seat in record.seats.iter().filter(|seat| seat.ending.is_failure()) { (seat.bot) " " (seat.ending) " " } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_play::{Battle, Seat};

    #[test]
    fn battles_are_listed_with_their_results_and_exact_seeds() {
        let seat = |(bot, rank): (&str, u32)| Seat { bot: bot.to_string(), rank, ..Seat::default() };
        let record = Record {
            seed: (-4_436_915_910_920_504_001_i64).cast_unsigned(),
            seats: [("me", 1), ("<b>ann</b>", 0)].map(seat).to_vec(),
            battle: Some(Battle { id: Some(11), me: Some(0) }),
            ..Record::default()
        };
        let which = Params { file: "b.jsonl".to_string(), ..Params::default() };
        let records = [record.clone(), record];
        let report = SiteReport::of(&records, &ReportOptions::default());
        let text = content(&which, &records, &report, &[], true).into_string();
        assert!(text.contains("me: 2 battles, 0 won, 0 drawn, 2 lost"), "{text}");
        assert!(text.contains("-4436915910920504001") && text.contains("&lt;b&gt;ann"), "{text}");
        assert!(text.contains("/replay?file=b.jsonl&amp;game=2"), "{text}");
    }
}
