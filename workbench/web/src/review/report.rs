//! The parts of the page: the results, the failures, the turning points of the lost games, the opponents, and the
//! phases of the game in which the player loses most.

use super::Params;
use super::games::{Games, Played};
use super::job::{GAMES, Moment, Results, ReviewJob};
use crate::matches::report::bar;
use crate::text::count;
use maud::{Markup, PreEscaped, html};
use std::cmp::Ordering;

/// Number of failures and of opponents to show.
const SHOWN: usize = 12;
/// Number of phases into which a game is divided.
const PHASES: usize = 8;

/// Returns the results of all the player's games, and the opponent to which it lost most points.
pub fn verdict(games: &Games) -> Markup {
    let [won, drawn, lost] = games.results();
    let worst = games.opponents().into_iter().next().filter(|row| lost > 0 && row.lost_halves() > 0);
    html! {
        p.verdict {
            @if lost == 0 { "It lost none of its " (count(games.played.len() as u64, "game", "games")) "." }
            @else { "It lost " (lost) " of " (count(games.played.len() as u64, "game", "games")) "." }
            @if let Some(worst) = worst.filter(|_| games.players.len() > 2) {
                " Most points went to " (worst.opponent) ": " (points(worst.lost_halves())) " in " (count(worst.results.iter().sum(), "game", "games")) "."
            }
        }
        p.chips { span.chip.win { (won) " won" } span.chip { (drawn) " drawn" } span.chip.loss { (lost) " lost" } }
    }
}

/// Formats points that are given in halves.
fn points(halves: u64) -> String {
    match (halves / 2, halves % 2) {
        (0, 1) => "½".to_string(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}

/// Returns the player's failures. They come first, because a game with a failure is lost no matter how good the moves
/// are.
pub fn failures(which: &Params, games: &Games) -> Markup {
    let failed: Vec<&Played> = games.played.iter().filter(|game| !game.failure.is_empty()).collect();
    html! {
        @if !failed.is_empty() {
            section.card #failures aria-labelledby="failures-title" {
                h2 #failures-title { (count(failed.len() as u64, "game", "games")) " with a failure" }
                table.list { tbody { @for game in failed.iter().take(SHOWN) { tr {
                    td { a href=(which.file.address("/replay", &[("game", &game.number.to_string())])) { "Game " (game.number) } }
                    td { "against " (game.opponent) }
                    td.failure { (game.failure) }
                } } } }
                @if failed.len() > SHOWN { p.legend { "And " (failed.len() - SHOWN) " more." } }
            }
        }
    }
}

pub fn parts(which: &Params, games: &Games, job: Option<&ReviewJob>, is_known: bool) -> Markup {
    let wanted = games.to_judge(&which.against).len();
    html! {
        section #review aria-labelledby="review-title" {
            h2 #review-title { "Turning points of the " (if games.results()[2] > 0 { "lost" } else { "drawn" }) " games" }
            @match job {
                _ if wanted == 0 => p.legend { "No game was lost or drawn by its moves." },
                Some(job) => {
                    @let results = job.results();
                    (progress(&results, wanted.min(GAMES), job.progress()))
                    @if let Some(problem) = &results.problem { p.failure { (problem) } }
                    div.boards-row.moments { @for moment in &results.moments { (card(which, moment)) } }
                    @if job.progress().1 { (by_turn(&results)) }
                },
                None if is_known => p.legend role="status" { "The strongest bundled bot judges the moves …" },
                None => {},
            }
        }
    }
}

fn progress(results: &Results, wanted: usize, (judged, is_over): (usize, bool)) -> Markup {
    html! {
        p.legend role="status" {
            @if !is_over { "Judging game " ((results.games + 1).min(wanted)) " of " (wanted) ", " (count(judged as u64, "move", "moves")) " so far …" }
            @else { "The latest of these games, judged by the strongest bundled bot. The turning point is the most costly move since the bot was last at least even, or of the whole game if it never was." }
        }
        @if !is_over { (bar(results.games as f64 / wanted.max(1) as f64)) }
    }
}

/// Returns the turning point of a game. Its link leads to the position before the move.
fn card(which: &Params, moment: &Moment) -> Markup {
    let Moment { game, turn, played, better, loss, board } = moment;
    let (number, before, seat) =
        (game.number.to_string(), (turn - 1).to_string(), game.seat.index().to_string());
    let address = which
        .file
        .address("/replay", &[("game", &number), ("turn", &before), ("better", better), ("seat", &seat)]);
    html! {
        a.thumb data-key=(number) href=(address) {
            span.picture aria-hidden="true" { (PreEscaped(board)) }
            span.words {
                span.name { (if game.result == Ordering::Equal { "Drew against " } else { "Lost to " }) (game.opponent) }
                span { "Move " (turn) ": " span.played { (played) } }
                span { "better: " span.better { (better) } }
                span.failure { (loss) }
                span.legend { "Game " (number) }
            }
        }
    }
}

/// Returns the opponents with the points that the player lost to each of them.
pub fn opponents(which: &Params, games: &Games) -> Markup {
    let rows = games.opponents();
    let most = rows.first().map_or(1, |row| row.lost_halves().max(1)) as f64;
    html! {
        section aria-labelledby="opponents" {
            h2 #opponents { "Points lost, by opponent" }
            div.wide { table.list {
                thead { tr { th { "Opponent" } th.number { "Points lost" } td {} th.number { "Games" } th.number { "W – D – L" } } }
                tbody { @for row in rows.iter().take(SHOWN) { tr {
                    th scope="row" { a href=(which.address("/review", &games.player, row.opponent)) { (row.opponent) } }
                    td.number { (points(row.lost_halves())) }
                    td.share { (bar(row.lost_halves() as f64 / most)) }
                    td.number { (row.results.iter().sum::<u64>()) }
                    td.number { (row.results[0]) " – " (row.results[1]) " – " (row.results[2]) }
                } } }
            } }
            @if rows.len() > SHOWN { p.legend { "And " (rows.len() - SHOWN) " more." } }
        }
    }
}

/// Draws in which phases of the lost games the player lost most.
fn by_turn(results: &Results) -> Markup {
    let longest = results.losses.iter().map(|(turn, _)| *turn).max().unwrap_or(0);
    let length = longest.div_ceil(PHASES).max(1);
    let mut sums = vec![0.0; longest.div_ceil(length)];
    for (turn, cost) in &results.losses {
        sums[(turn - 1) / length] += cost;
    }
    let all: f64 = sums.iter().sum();
    let most = sums.iter().copied().fold(1e-9, f64::max);
    html! {
        @if all > 0.0 {
            h2 { "Moves at which it loses" }
            figure.chart.narrow {
                figcaption { "Share of the total loss in these games, by number of the move" }
                div.columns.losses {
                    @for (at, sum) in sums.iter().enumerate() {
                        div {
                            span { (format!("{:.0}%", 100.0 * sum / all)) }
                            svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true" {
                                @let height = 100.0 * sum / most;
                                rect width="10" y=(format!("{:.1}", 100.0 - height)) height=(format!("{height:.1}")) {}
                            }
                            span { (at * length + 1) "–" ((at + 1) * length) }
                        }
                    }
                }
            }
        }
    }
}
