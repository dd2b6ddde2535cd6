//! A recorded game, turn by turn.

mod data;
pub mod evaluation;
pub mod exchange;

use crate::App;
use crate::log::File;
use crate::page::{self, Problem, blocking};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{Html, IntoResponse};
use contender_game::rules::Player;
use contender_replay::Game;
use data::{ReplayData, Turn, course, picture};
use evaluation::Evaluation;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::sync::Arc;

/// The game and the position.
#[derive(Deserialize)]
pub struct Params {
    #[serde(flatten)]
    file: File,
    /// The number of the game in the file, from 1.
    #[serde(default = "first")]
    game: usize,
    /// Number of moves played.
    #[serde(default)]
    turn: usize,
    /// The seat, 0 or 1, whose input is requested.
    #[serde(default)]
    seat: usize,
}

fn first() -> usize {
    1
}

impl Params {
    /// Returns the game at its start.
    fn open(&self, app: &App) -> Result<Game, Problem> {
        self.file.game(app, self.game)
    }

    fn address(&self, page: &str) -> String {
        self.file.address(page, &[("game", &self.game.to_string())])
    }
}

/// Returns the board only.
pub async fn board(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
) -> Result<impl IntoResponse, Problem> {
    blocking(app, move |app| {
        let mut game = which.open(app)?;
        game.go_to(which.turn).map_err(Problem::bad)?;
        Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture(&game)))
    })
    .await
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
    headers: HeaderMap,
) -> Result<Html<String>, Problem> {
    let is_known = app.guard.knows(&headers);
    blocking(app, move |app| {
        let file = which.file.name(app)?;
        let mut game = which.open(app)?;
        let (course, shown, problem) = course(&which, &mut game);
        let title = format!("{}: game {} of {file}", game.contest.name(), which.game);
        let around = Around {
            is_known,
            has_next: which.file.has_game(app, which.game + 1),
            evaluation: Evaluation::kept(app, &which, &game).map(|kept| kept.parts(game.moves.len(), true)),
        };
        let content = content(&which, &file, &game, &course, &shown, problem.as_deref(), &around)?;
        Ok(page::frame(&title, Some("/replay.js"), &content))
    })
    .await
}

/// Further data that the page depends on.
struct Around {
    /// Whether the reader may let a bot think.
    is_known: bool,
    has_next: bool,
    /// An earlier evaluation of the game.
    evaluation: Option<Markup>,
}

fn content(
    which: &Params,
    file: &str,
    game: &Game,
    course: &ReplayData,
    shown: &str,
    problem: Option<&str>,
    around: &Around,
) -> Result<Markup, Problem> {
    let last = course.turns.len() - 1;
    let turn = which.turn.min(last);
    // A `<` must not end the element that holds the data.
    let data = serde_json::to_string(course).map_err(Problem::bad)?.replace('<', "\\u003c");
    let button = |id: &str, label: &str, key: &str, sign: &str| {
        html! { button type="button" id=(id) aria-label=(label) title=(format!("{label} ({key})")) { (sign) } }
    };
    let other = |number: usize| which.file.address("/replay", &[("game", &number.to_string())]);
    Ok(html! {
        h1.path { a href=(which.file.list()) { (file) } " / game " (which.game) " / " (game.contest.info().about) " / " a href=(page::rules(game.contest.name())) { "Rules" } }
        nav.games aria-label="Other games" {
            @if which.game > 1 { a #previous href=(other(which.game - 1)) { "← previous game" } }
            @if around.has_next { a #next href=(other(which.game + 1)) { "next game →" } }
        }
        @if let Some(problem) = problem { p.failure role="alert" { "The record cannot be continued: " (problem) } }
        div.replay {
            div.stage {
                div.boards {
                    figure #board { (PreEscaped(shown)) }
                    div.over #map aria-hidden="true" {}
                    div.over #over aria-hidden="true" {}
                }
                p.legend #next role="status" {}
                div.choices #choices role="group" aria-label="Ways to complete the move" {}
                div #maps {}
                div.controls role="group" aria-label="Steps" {
                    (button("first", "Start", "Home", "|◀"))
                    (button("back", "Back", "←", "◀"))
                    (button("play", "Play", "space", "Play"))
                    (button("forward", "Forward", "→", "▶"))
                    (button("last", "End", "End", "▶|"))
                    label.speed { "Speed "
                        select id="speed" {
                            @for (speed, name) in [("1", "slow"), ("3", "normal"), ("10", "fast"), ("30", "very fast")] {
                                option value=(speed) selected[speed == "3"] { (name) }
                            }
                        }
                    }
                    @if course.line.is_some() { button #try type="button" aria-pressed="false" { "Try moves" } }
                    output #turn for="slider" { (turn) " / " (last) }
                }
                input #slider type="range" min="0" max=(last) value=(turn) aria-label="Turn";
                (chart(game, &course.turns))
                (evaluation_of(course, around))
                (told(game, course))
                div.controls role="group" aria-label="This position" {
                    @if !course.failures.is_empty() { button #failure type="button" { "Next failure" } }
                    @if let Some(position) = course.position(turn) {
                        a #analyse href=(position) { "Analyse on a page of its own" }
                    }
                    @if let Some(address) = course.play_on(turn) { a #play-on href=(address) { "Play on from here" } }
                    button #copy type="button" { "Copy the address" }
                    a #picture href=(format!("{}&turn={turn}", course.board)) download="board.svg" { "Picture" }
                    @if game.record.is_some() {
                        a href=(which.address("/replay/record")) download { "Game as a log" }
                        @for (at, name) in game.contest.info().seats.iter().enumerate() {
                            a href=(format!("{}&seat={at}", which.address("/replay/input"))) download { "Input of " (name) }
                        }
                    }
                }
            }
            div.side {
                (players(game, &course.turns[turn]))
                (thoughts(game, course, around))
                @if course.exchange.is_some() {
                    @let has_words = game.record.as_ref().is_some_and(|record| record.seats.iter().any(|seat| !seat.stderr.is_empty()));
                    details #exchange open[has_words] { summary { "Input and output of the bots" } div #read {} }
                }
                @if !course.words.is_empty() {
                    details open { summary { "Values printed by the bots" } dl #words {} }
                }
                section #lines aria-labelledby="lines-title" hidden {
                    h2 #lines-title { "Lines tried" }
                    div #tree {}
                    p { button #game type="button" { "Back to the game" } }
                }
                h2 { "Moves" }
                ol.moves #moves {
                    @for (number, turn) in course.turns.iter().enumerate().skip(1) {
                        li { a href=(format!("{}&turn={number}", course.page)) class=(seat(turn.mover)) {
                            (turn.played)
                            @if turn.by_judge { span.judge title="The judge moved for the bot, which had failed" { " by the judge" } }
                        } }
                    }
                }
                (failures(game))
            }
        }
        script type="application/json" id="data" { (PreEscaped(data)) }
    })
}

/// Returns the section with a bundled bot's evaluation of the whole game.
fn evaluation_of(course: &ReplayData, around: &Around) -> Markup {
    html! {
        @if let Some(address) = &course.evaluation {
            section aria-label="Evaluation of the whole game" {
                @match &around.evaluation {
                    Some(kept) => (kept),
                    None => div #evaluation {},
                }
                div.controls {
                    @if around.evaluation.is_none() && around.is_known {
                        button #evaluate type="button" data-address=(address) { "Evaluate the whole game" }
                    }
                    button #mistake type="button" disabled { "Next mistake" }
                }
                p.legend #verdict role="status" {}
            }
        }
    }
}

/// Returns a chart of the values that the bots printed about their own chances, by turn.
fn told(game: &Game, course: &ReplayData) -> Markup {
    let names = ["value", "score", "eval", "evaluation", "winrate", "win rate"];
    let lines = Player::BOTH.map(|player| course.told(player, &names));
    let all = || lines.iter().flatten().map(|point| point[1]);
    let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    if lines.iter().all(|line| line.len() < 2) || least >= most {
        return html! {};
    }
    let [width, height] = CHART;
    let last = (course.turns.len() - 1).max(1) as f64;
    let place = |point: &[f64; 2]| {
        let (x, y) = (width * point[0] / last, 6.0 + (height - 12.0) * (most - point[1]) / (most - least));
        format!("{x:.1},{y:.1}")
    };
    let seats = game.contest.info().seats;
    html! {
        svg.board.chart viewBox=(format!("0 0 {width} {height}")) role="img" aria-label="Values reported by the bots" preserveAspectRatio="none" {
            @for (player, line) in lines.iter().enumerate() {
                polyline class=(format!("{} stroke", seat(Some(player)))) points=(line.iter().map(place).collect::<Vec<_>>().join(" ")) vector-effect="non-scaling-stroke" stroke-width="2.5" {}
            }
        }
        p.legend { "What " span.seat-0 { (seats[0]) } " and " span.seat-1 { (seats[1]) } " reported as their own values, from " (format!("{least:.2}")) " to " (format!("{most:.2}")) }
    }
}

/// Returns the section in which bundled bots analyse the shown position, as long as it is open.
fn thoughts(game: &Game, course: &ReplayData, around: &Around) -> Markup {
    let bots = game.contest.info().bots;
    let strongest = bots.last().map_or("", |bot| bot.name);
    html! {
        @if course.analyse.is_some() && around.is_known {
            section.thoughts aria-label="Analysis of the position" {
                div.controls {
                    label { "Bot " select #thinker-0 { @for bot in bots { option selected[bot.name == strongest] { (bot.name) } } } }
                    label { "and " select #thinker-1 { option value="" { "no other" } @for bot in bots { option { (bot.name) } } } }
                    button #think type="button" aria-pressed="false" { "Think" }
                }
                div.pair { div #thought-0 {} div #thought-1 {} }
            }
        }
    }
}

/// Returns the CSS class for a player's colour.
fn seat(player: Option<usize>) -> &'static str {
    ["seat-0", "seat-1", ""][player.unwrap_or(2)]
}

fn players(game: &Game, now: &Turn) -> Markup {
    let seats = game.contest.info().seats;
    html! {
        table.players {
            thead { tr { td {} th.number { "Now" } th.number { "Time" } th.number { "End" } } }
            tbody {
                @for player in Player::BOTH {
                    @let at = player.index();
                    tr class=(seat(Some(at))) {
                        th scope="row" {
                            span.seat { (seats[at]) } " "
                            @if let Some(record) = &game.record { (record.seats[at].bot) }
                        }
                        td.number data-standing=(at) { (now.standing[at]) }
                        td.number data-used=(at) { @if game.record.is_some() { (format!("{:.1} s", now.used[at] / 1e3)) } }
                        td.number { @if let Some(record) = &game.record { (record.points()[at]) } }
                    }
                }
            }
        }
        @if let (None, false) = (&game.record, game.title.is_empty()) { p { (game.title) } }
    }
}

/// Returns the bots' failures and their standard error.
fn failures(game: &Game) -> Markup {
    let Some(record) = &game.record else { return html! {} };
    html! {
        @if record.interrupted { p.failure { "The game was interrupted." } }
        @for seat in &record.seats {
            @let name = &seat.bot;
            @if seat.ending.is_failure() { p.failure { (name) " " (seat.ending) } }
            @if !seat.stderr.is_empty() {
                details { summary { "Standard error of " (name) } pre tabindex="0" { (seat.stderr) } }
            }
        }
    }
}

const CHART: [f64; 2] = [640.0, 110.0];

/// Draws both players' scores over the turns, unless they never change.
fn chart(game: &Game, turns: &[Turn]) -> Markup {
    let all = || turns.iter().flat_map(|turn| turn.standing);
    let (Some(least), Some(most)) = (all().min(), all().max()) else { return html! {} };
    if least == most {
        return html! {};
    }
    let [width, height] = CHART;
    let x = |turn: usize| width * turn as f64 / (turns.len() - 1).max(1) as f64;
    let y = |value: i32| 6.0 + (height - 12.0) * f64::from(most - value) / f64::from(most - least);
    let line = |player: usize| -> String {
        let points = turns
            .iter()
            .enumerate()
            .map(|(at, turn)| format!("{:.1},{:.1}", x(at), y(turn.standing[player])));
        points.collect::<Vec<_>>().join(" ")
    };
    let [zero, one] = game.contest.info().seats;
    let caption = format!("{zero} and {one} over the turns, from {least} to {most}");
    html! {
        svg.board.chart #chart viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(caption) preserveAspectRatio="none" {
            title { (caption) }
            @for player in 0..2 {
                polyline class=(format!("{} stroke", seat(Some(player)))) points=(line(player)) vector-effect="non-scaling-stroke" stroke-width="2.5" {}
            }
            line #cursor class="plain stroke" x1="0" x2="0" y1="0" y2=(height) vector-effect="non-scaling-stroke" {}
        }
        p.legend {
            span.seat-0 { (zero) } " and " span.seat-1 { (one) } ", from " (least) " to " (most)
        }
    }
}
