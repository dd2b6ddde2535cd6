//! The first steps in a project without games.

use crate::assets::MARK;
use crate::page::command;
use crate::rules;
use crate::text::query;
use contender_catalogue::contests;
use contender_plot::board;
use maud::{Markup, PreEscaped, html};

/// The moves of a demo game, which everyone can watch without a file: Ultimate Tic-Tac-Toe from the start.
const DEMO: &str = "4 4\n3 5\n1 7\n4 3\n4 1\n5 4\n6 3\n2 1\n6 5";

pub fn steps() -> Markup {
    html! {
        p.lead { "Contender plays your game bots against each other, ranks them with confidence intervals, and shows where they lose." }
        div.boards-row {
            @for contest in contests() {
                @if let Some((picture, _)) = rules::example(*contest) {
                    a.thumb href=(format!("/play?game={}", contest.name())) {
                        span.picture aria-hidden="true" { (PreEscaped(board::svg_small(&picture, contest.name()))) }
                        span.name { "Play " (contest.name()) }
                    }
                }
            }
            a.thumb href=(format!("/analyse?{}", query(&[("game", "uttt"), ("moves", DEMO)]))) {
                span.picture aria-hidden="true" { (PreEscaped(MARK)) }
                span.name { "Watch a bot think" }
            }
        }
        h2 { "Or start in the terminal" }
        (command("match uttt champion bronze --pairs 5 --log games.jsonl"))
        (command("new bot uttt --language python -o my-bot"))
        (command("league init uttt --dir league"))
    }
}
