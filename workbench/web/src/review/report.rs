//! The parts of the page: the failures, the phases of the game in which the player loses most, and the most costly
//! moves with their boards.

use super::job::{DECISIONS, Job};
use super::{Games, Params};
use crate::matches::report::bar;
use crate::text::count;
use contender_plot::board;
use contender_referee::log::rules_of;
use contender_replay::{Findings, Judged, parts as phases};
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeMap;

/// Number of failures and of costly moves to show.
const SHOWN: usize = 12;
/// Number of phases into which a game is divided.
const PHASES: usize = 8;

/// Returns the player's failures. They come first, because a game with a failure is lost no matter how good the moves
/// are.
pub fn failures(which: &Params, games: &Games) -> Markup {
    let failed: Vec<_> = games
        .records
        .iter()
        .zip(&games.numbers)
        .filter_map(|(record, number)| {
            let seat =
                record.seats.iter().find(|seat| seat.bot == games.player && seat.ending.is_failure())?;
            Some((number, record, seat))
        })
        .collect();
    html! {
        section.card #failures aria-labelledby="failures-title" {
            h2 #failures-title { "Failures" }
            @if failed.is_empty() { p.good { "None in " (count(games.records.len() as u64, "game", "games")) "." } } @else {
                table.list { tbody { @for (number, record, seat) in failed.iter().take(SHOWN) { tr {
                    td { a href=(which.replay(**number, record.moves.len())) { "Game " (number) } }
                    td { (record.bots().join(" – ")) }
                    td.failure { (seat.ending) }
                } } } }
                @if failed.len() > SHOWN { p.legend { "And " (failed.len() - SHOWN) " more." } }
            }
        }
    }
}

pub fn parts(which: &Params, games: &Games, job: Option<&Job>, is_known: bool) -> Markup {
    html! {
        section #review aria-label="Review" {
            @match job.map(|job| (job.progress().0, job.found())) {
                Some((_, Some(Ok(findings)))) => (results(which, games, findings)),
                Some((_, Some(Err(reason)))) => p.failure { (reason) },
                Some((judged, None)) => {
                    p.legend role="status" { "Judging decisions: " (judged) " of at most " (DECISIONS) " …" }
                    (bar(judged as f64 / DECISIONS as f64))
                }
                None => @if is_known { p.legend role="status" { "The strongest bundled bot judges the moves …" } },
            }
        }
    }
}

fn results(which: &Params, games: &Games, findings: &Findings) -> Markup {
    let all: f64 = findings.decisions.iter().map(|of| of.cost).sum();
    let costly: Vec<&Judged> = findings.decisions.iter().filter(|of| of.cost > 0.0).take(SHOWN).collect();
    html! {
        p.verdict {
            @if findings.decisions.is_empty() { "No decisions could be judged." } @else {
                (format!("Average loss per move: {}", amount(all / findings.decisions.len() as f64, findings.unit)))
            }
        }
        p.legend {
            (count(findings.decisions.len() as u64, "decision", "decisions")) " from " (count(findings.games as u64, "game", "games")) ", drawn at random and judged by the strongest bundled bot."
        }
        div.charts { (by_turn(games, findings)) (by_opponent(games, findings)) }
        @if !costly.is_empty() {
            h2 { "The most costly moves" }
            div.boards-row.moments { @for judged in costly { (moment(which, games, judged, findings.unit)) } }
        }
    }
}

/// Formats a loss with its unit.
fn amount(value: f64, unit: &str) -> String {
    match unit {
        "share of a win" | "wins" => format!("{:.1}% of a win", 100.0 * value),
        _ => format!("{value:.2} {unit}").trim_end().to_string(),
    }
}

/// Draws the average loss per move in the phases of the games.
fn by_turn(games: &Games, findings: &Findings) -> Markup {
    // Both seats of the player together.
    let mut means: BTreeMap<[usize; 2], (f64, usize)> = BTreeMap::new();
    for part in phases(&findings.decisions, games.contest.info().seats, PHASES) {
        let (sum, number) = means.entry(part.turns).or_default();
        *sum += part.mean * part.decisions as f64;
        *number += part.decisions;
    }
    let mean = |(sum, number): &(f64, usize)| sum / (*number).max(1) as f64;
    let most = means.values().map(mean).fold(1e-9, f64::max);
    html! {
        figure.chart {
            figcaption { "Average loss per move, by turn" }
            div.columns.losses {
                @for (turns, of) in &means {
                    div title=(format!("turns {} to {}: {}", turns[0], turns[1], amount(mean(of), findings.unit))) {
                        svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true" {
                            @let height = 100.0 * mean(of) / most;
                            rect width="10" y=(format!("{:.1}", 100.0 - height)) height=(format!("{height:.1}")) {}
                        }
                        span { (turns[0]) "–" (turns[1]) }
                    }
                }
            }
        }
    }
}

fn by_opponent(games: &Games, findings: &Findings) -> Markup {
    let mut rows: BTreeMap<&str, (f64, u64)> = BTreeMap::new();
    for judged in &findings.decisions {
        let opponent = games.records[judged.game - 1].seats.iter().find(|seat| seat.bot != games.player);
        let (sum, number) = rows.entry(opponent.map_or("itself", |seat| &seat.bot)).or_default();
        *sum += judged.cost;
        *number += 1;
    }
    let mut rows: Vec<(&str, f64, u64)> =
        rows.into_iter().map(|(name, (sum, number))| (name, sum / number as f64, number)).collect();
    rows.sort_by(|one, other| other.1.total_cmp(&one.1));
    let most = rows.first().map_or(1e-9, |row| row.1.max(1e-9));
    html! {
        figure.chart {
            figcaption { "Average loss per move, by opponent" }
            table.opponents { tbody { @for (name, mean, number) in rows.iter().take(SHOWN) { tr {
                th scope="row" { (name) }
                td { (bar(mean / most)) }
                td.number title=(count(*number, "decision", "decisions")) { (amount(*mean, findings.unit)) }
            } } } }
        }
    }
}

/// Returns a costly move, with the board before the move.
fn moment(which: &Params, games: &Games, judged: &Judged, unit: &str) -> Markup {
    let record = &games.records[judged.game - 1];
    let number = games.numbers[judged.game - 1];
    html! {
        a.thumb href=(which.replay(number, judged.turn)) {
            span.picture aria-hidden="true" { @if let Some(board) = board_before(games, judged) { (PreEscaped(board)) } }
            span.name { (judged.played) " instead of " (judged.best) }
            span.failure { @if judged.is_bound { "at least " } (amount(judged.cost, unit)) }
            span.legend { "Game " (number) ", move " (judged.turn) ", " (record.bots().join(" – ")) }
        }
    }
}

fn board_before(games: &Games, judged: &Judged) -> Option<String> {
    let record = &games.records[judged.game - 1];
    let mut judge = games.contest.judge(record.seed, &mut rules_of(&record.rules).ok()?).ok()?;
    for text in record.moves.iter().take(judged.turn) {
        judge.replay(text).ok()?;
    }
    Some(board::svg(&judge.picture(None), &format!("After {}", judged.played)))
}
