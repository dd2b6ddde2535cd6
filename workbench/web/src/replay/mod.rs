//! The page of a recorded game, turn by turn.

mod data;
pub mod evaluation;
pub mod exchange;
pub mod external;
mod failed;
mod graph;

use crate::App;
use crate::engine::Part;
use crate::guard::Known;
use crate::log::File;
use crate::page::{self, Problem, blocking};
use crate::shown::{self, repeated, sides};
use crate::text::quoted;
use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse};
use contender_game::{board::Picture, rules::Player};
use contender_input::this_program;
use contender_play::Record;
use contender_plot::board;
use contender_replay::{ReplayError, ReplayedGame};
use data::{Advice, ReplayData, ReplayTurn, course, picture};
use evaluation::{Evaluation, Sides};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::cmp::Ordering;
use std::sync::Arc;

/// Width and height of the layers of the graph.
const CHART: [f64; 2] = [640.0, 72.0];
/// The greatest ratio of a board next to which the graph is drawn.
const NARROW: f64 = 1.1;
/// Minimum number of moves of a game whose course is drawn, unless its bots reported values.
const MIN_COURSE: usize = 4;
/// The keyboard shortcuts of this page.
const KEYS: &str = "← →: previous and next move\nHome End: start and end\nSpace: play and pause\nm: next mark\n\
                    f: next failure\nj k: next and previous game";

/// A game and a position in it.
#[derive(Deserialize)]
pub struct Params {
    #[serde(flatten)]
    file: File,
    /// The number of the game in the file, counted from 1.
    #[serde(default = "first")]
    game: usize,
    /// Number of moves played.
    #[serde(default)]
    turn: usize,
    /// The seat, 0 or 1, whose input is requested, or whose better move is shown.
    #[serde(default)]
    seat: usize,
    /// A better move than the next one of the game. Both are drawn on the board. If it is empty, only the next move is.
    better: Option<String>,
    /// Whether the engine draws the better move, so that the board has only the played one.
    #[serde(default)]
    engine: bool,
    /// The part of the engine's log to show, if another referee played the game.
    #[serde(flatten)]
    part: Part,
}

fn first() -> usize {
    1
}

impl Params {
    /// Returns the game at its start.
    fn open(&self, app: &App) -> Result<ReplayedGame, Problem> {
        self.file.game(app, self.game)
    }

    fn address(&self, page: &str) -> String {
        self.file.address(page, &[("game", &self.game.to_string())])
    }
}

/// Returns only the board, as a part of the page.
pub async fn board(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
) -> Result<impl IntoResponse, Problem> {
    blocking(app, move |app| {
        let mut game = which.open(app)?;
        game.go_to(which.turn).map_err(Problem::bad)?;
        Ok(Html(picture(app, &game, &which)))
    })
    .await
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let file = which.file.name(app)?;
        let mut game = match which.file.read(app, which.game)? {
            Ok(game) => game,
            Err(ReplayError::WithoutMoves { record, .. }) => return external::page(app, &which, &record),
            Err(error) => return Err(Problem::bad(error)),
        };
        let (course, shown, problem) = course(app, &which, &mut game);
        let title = format!("{}: game {} of {file}", game.contest.name(), which.game);
        let around = Around {
            is_known,
            crumbs: crumbs(
                app,
                &which,
                &which.file.above(app)?,
                &html! {
                    @if let Some(record) = &game.record { strong { (outcome(record, game.contest.info().seats, course.turns.last().map(|turn| turn.standing))) (reason(record, &game.judge().picture(None)).unwrap_or_default()) } " " }
                    a href=(page::rules(game.contest.name())) { "Rules of " (game.contest.info().name) }
                },
            ),
            evaluation: match Evaluation::kept(app, &which.file, which.game, &game) {
                Some(kept) => Some(kept.parts(&Sides::of(&mut which.open(app)?), true)),
                None => None,
            },
            next_failure: match course.failures.is_empty() {
                false => which.file.next_failure(app, which.game).map(|number| {
                    which.file.address("/replay", &[("game", &number.to_string())])
                }),
                true => None,
            },
        };
        let content = content(&which, &game, &course, &shown, problem.as_deref(), &around)?;
        Ok(page::frame(which.file.section(), &title, Some("/replay.js"), &content))
    })
    .await
}

/// Returns the result of a game in words, the winner first. `last` is the score on the board at the end of the game. If
/// the contest counts other points, both are named.
fn outcome(record: &Record, seats: [&str; 2], last: Option<[i32; 2]>) -> String {
    let [one, other] = [0, 1].map(|seat| &record.seats[seat]);
    let points = record.points();
    let at = usize::from(one.rank > other.rank);
    let text = |of: &[f64]| format!("{}\u{a0}–\u{a0}{}", of[at], of[1 - at]);
    let score = last.map(|last| last.map(f64::from));
    let has_failed = record.seats.iter().any(|seat| seat.ending.is_failure());
    let score = score.filter(|score| !has_failed && score[..] != points[..]);
    let result = match score {
        None => text(&points),
        // The contest only counts who won.
        Some(score) if points.iter().all(|points| (0.0..=1.0).contains(points)) => {
            // The score alone does not explain the result: the game has another aim.
            let is_decided = one.rank == other.rank || score[at] > score[1 - at];
            if is_decided { text(&score) } else { format!("({} on the board)", text(&score)) }
        }
        Some(score) => format!("{} (contest points {})", text(&score), text(&points)),
    };
    if one.rank == other.rank {
        return format!("Draw {result}");
    }
    let seat = if one.bot == other.bot { format!(" ({})", seats[at]) } else { String::new() };
    let winner = [one, other][at];
    // The points of a game that the opponent forfeits are not those on the board.
    let is_forfeit = has_failed && points.iter().all(|points| [0.0, 1.0].contains(points));
    let result = if is_forfeit { "by forfeit" } else { &result };
    format!("{}{seat} wins {result}", winner.bot)
}

/// Returns how the winner has won, such as ` with more small boards`, if the notes of the last board name it.
fn reason(record: &Record, last: &Picture) -> Option<String> {
    let is_decided = !record.interrupted && !record.seats.iter().any(|seat| seat.ending.is_failure());
    let aim = shown::aim(last).filter(|_| is_decided);
    aim.map(|aim| format!(" with {aim}"))
}

/// Further data from which the page is drawn.
struct Around {
    /// Whether the reader may let a bot think.
    is_known: bool,
    crumbs: Markup,
    /// An earlier evaluation of the game.
    evaluation: Option<[Markup; 2]>,
    /// The address of the next game of the file with a failure, if this game has one.
    next_failure: Option<String>,
}

/// Returns the head of the page: the pages above it, the name of the game, and links to the previous and the next game.
fn crumbs(app: &App, which: &Params, above: &[(String, String)], game: &Markup) -> Markup {
    let other = |number: usize| which.file.address("/replay", &[("game", &number.to_string())]);
    html! {
        div.crumbs {
            h1.path { a href="/" { "Home" } " / " @for (address, name) in above { a href=(address) { (name) } " / " } "Game " (which.game) }
            p.outcome { (game) }
            nav aria-label="Other games" {
                @if which.game > 1 { a.button.small rel="prev" href=(other(which.game - 1)) { "← Previous" span.word { " game" } } }
                @if which.file.has_game(app, which.game + 1) { a.button.small rel="next" href=(other(which.game + 1)) { "Next" span.word { " game" } " →" } }
            }
        }
    }
}

fn content(
    which: &Params,
    game: &ReplayedGame,
    course: &ReplayData,
    shown: &str,
    problem: Option<&str>,
    around: &Around,
) -> Result<Markup, Problem> {
    let last = course.turns.len() - 1;
    let turn = which.turn.min(last);
    let is_short = last < MIN_COURSE && !graph::has_values(course);
    let picture = game.judge().picture(None);
    // A narrow board without a list of notes leaves more room next to it than below it.
    let is_aside = board::ratio(&picture) < NARROW && picture.notes.len() <= 1 && !is_short;
    let classes = match (is_short, is_aside) {
        (true, _) => "replay game short",
        (false, true) => "replay game aside",
        (false, false) => "replay game",
    };
    // A `<` must not end the element that holds the data.
    let data = serde_json::to_string(course).map_err(Problem::bad)?.replace('<', "\\u003c");
    Ok(html! {
        (around.crumbs)
        @if let Some(problem) = problem { p.failure role="alert" { "The record cannot be continued: " (problem) } }
        (failed::notices(game, course, around.next_failure.as_deref()))
        div class=(page::with_board(classes, &picture, page::WIDE)) data-keys=(KEYS) {
            div.stage {
                (page::whole_board())
                div.field tabindex="0" role="group" aria-label="Board" {
                    @if !is_short {
                        svg #gauge viewBox="0 0 10 100" preserveAspectRatio="none" role="img" aria-label="Evaluation of the position" {
                            rect.seat-1 width="10" height="100" {}
                            rect.seat-0 width="10" y="50" height="50" {}
                        }
                    }
                    div.boards {
                        figure #board { (PreEscaped(shown)) }
                        div.over #map aria-hidden="true" {}
                        div.over #over aria-hidden="true" {}
                    }
                }
                div #maps {}
                @if !is_short && !is_aside { (graph::graph(game, course, around)) }
            }
            div.side.panel {
                (player(game, Player::One, &course.turns[turn]))
                (thoughts(game, course, around))
                p #verdict role="status" { @if let Some(advice) = &course.advice { (better(advice)) } }
                @if is_aside { (graph::graph(game, course, around)) }
                @if !is_short { (graph::summary(around)) }
                @if last > 0 { (heads(game, course)) }
                ol.moves #moves {
                    @for (number, [before, turn]) in (1..).zip(course.turns.array_windows()) {
                        li class=(seat(turn.mover)) { a href=(format!("{}&turn={number}", course.page)) {
                            (actions(game, turn, &before.played))
                            @if turn.by_judge { span.judge title="The judge moved for the bot, which had failed" { " by the judge" } }
                        } }
                    }
                }
                @if last == 0 { p.legend { "No move was played." } }
                p.legend #next role="status" {}
                div.choices #choices role="group" aria-label="Ways to complete the move" {}
                (controls(game, which, course, turn))
                (player(game, Player::Zero, &course.turns[turn]))
            }
        }
        (page::read_only(around.is_known))
        (details(game, course))
        script type="application/json" id="data" { (PreEscaped(data)) }
    })
}

/// Returns the parts below the board: what the bots read and wrote, and the lines that the user has tried.
fn details(game: &ReplayedGame, course: &ReplayData) -> Markup {
    html! {
        div.details {
            @if course.exchange.is_some() {
                // The notice about a failure has the same texts.
                @let has_failed = game.record.as_ref().is_some_and(|record| record.seats.iter().any(|seat| seat.ending.is_failure()));
                @let has_words = game.record.as_ref().is_some_and(|record| record.seats.iter().any(|seat| !seat.stderr.is_empty()));
                details.card #exchange open[has_words && !has_failed] { summary { "Input and output of the bots" } div #read {} }
            }
            @if !course.words.is_empty() {
                details.card open { summary { "Values printed by the bots" } dl #words {} }
            }
            section.card #lines aria-labelledby="lines-title" hidden {
                h2 #lines-title { "Lines tried" }
                div #tree {}
                p { button.small #game type="button" { "Back to the game" } }
            }
            (stderr(game))
        }
    }
}

/// Returns the sentence about a better move. The frames on the board have the same colours.
fn better(Advice { turn, played, better, names, .. }: &Advice) -> Markup {
    html! { "Next, move " (turn) ": " span.played title=(played) { (names[0]) } " was played; better " span.better title=(better) { (names[1]) } "." }
}

/// Returns the move of a turn in words. If both players act at once, their actions are next to each other, and actions
/// that a player repeats from the turn before are pale.
fn actions(game: &ReplayedGame, turn: &ReplayTurn, before: &str) -> Markup {
    let words = |mv: &str| game.contest.move_words(mv);
    html! {
        @match sides(&turn.played).filter(|_| turn.mover.is_none()) {
            Some(both) => span.both {
                @for (at, text) in both.into_iter().enumerate() {
                    span class=(seat(Some(at))) title=(text) {
                        span.who { (game.contest.info().seats[at]) ": " }
                        @let is_again = sides(before).is_some_and(|before| before[at] == text);
                        @for (action, times) in repeated(&words(text)) {
                            span.action.again[is_again] { (action) @if times > 1 { " ×" (times) } " " }
                        }
                    }
                }
            },
            None => span title=(turn.played) { (words(&turn.played)) },
        }
    }
}

/// Returns the heads of the columns of the list of moves. Each player's moves are in one of them.
fn heads(game: &ReplayedGame, course: &ReplayData) -> Markup {
    let is_joint = course.turns.iter().skip(1).any(|turn| turn.mover.is_none());
    html! {
        div.heads.joint[is_joint] aria-hidden="true" {
            @for (at, name) in game.contest.info().seats.iter().enumerate() {
                span class=(seat(Some(at))) { (name) @if let Some(record) = &game.record { span { (record.seats[at].bot) } } }
            }
        }
    }
}

/// Returns the buttons that step through the game, and the menu with all further commands.
fn controls(game: &ReplayedGame, which: &Params, course: &ReplayData, turn: usize) -> Markup {
    let last = course.turns.len() - 1;
    let button = |id: &str, label: &str, key: &str, sign: &str| {
        html! { button type="button" id=(id) aria-label=(label) title=(format!("{label} ({key})")) { (sign) } }
    };
    html! {
        div.slide hidden[last == 0] {
            input #slider type="range" min="0" max=(last) value=(turn) aria-label="Turn";
            output #turn for="slider" { (turn) " / " (last) }
        }
        div.controls.steps role="group" aria-label="Steps" hidden[last == 0] {
            (button("first", "Start", "Home", "«"))
            (button("back", "Back", "←", "‹"))
            (button("play", "Play", "space", "▶ Play"))
            (button("forward", "Forward", "→", "›"))
            (button("last", "End", "End", "»"))
        }
        p #now { (now(game, course, turn)) }
        div.controls role="group" aria-label="This position" {
            @if course.line.is_some() { button.small #try type="button" aria-pressed="false" { "Try moves" } }
            @if let Some(address) = course.play_on(turn) { a.button.small #play-on href=(address) title="Play against a bot from this position" { "Play from here" } }
            @if let Some(position) = course.position(turn) { a.button.small #analyse href=(position) { "Analyse" } }
            details.menu {
                summary.button.small { "More …" }
                div.card {
                    label { "Speed " select id="speed" {
                        @for (speed, name) in [("1", "slow"), ("3", "normal"), ("10", "fast"), ("30", "very fast")] {
                            option value=(speed) selected[speed == "3"] { (name) }
                        }
                    } }
                    button.small #copy type="button" { "Copy link" }
                    a #picture href=(format!("{}&turn={turn}", course.picture)) download { "Picture of the board" }
                    @if game.record.is_some() {
                        a href=(which.address("/replay/record")) download { "Game log" }
                        @for (at, name) in game.contest.info().seats.iter().enumerate() {
                            a href=(format!("{}&seat={at}", which.address("/replay/input"))) download { "Input of " (name) }
                        }
                    }
                    @if let Some(line) = as_command(which) { button.small type="button" data-copy=(line) { "Copy as command" } }
                }
            }
        }
    }
}

/// Returns the latest move, for screens on which the list of moves is out of sight.
fn now(game: &ReplayedGame, course: &ReplayData, turn: usize) -> Markup {
    html! { @if turn == 0 { "Start" } @else { (turn) ". " (actions(game, &course.turns[turn], "")) } }
}

/// Returns the command that shows the game in a terminal, or `None` if the game is not in a file of the project.
fn as_command(which: &Params) -> Option<String> {
    let file = which.file.path()?;
    Some(format!("{} replay {} --number {}", this_program(), quoted(file), which.game))
}

/// Returns the section in which bundled bots analyse the shown position. They think only while the section is open.
fn thoughts(game: &ReplayedGame, course: &ReplayData, around: &Around) -> Markup {
    let bots = game.contest.info().bots;
    let strongest = bots.last().map_or("", |bot| bot.name);
    html! {
        @if course.analyse.is_some() && around.is_known {
            section.thoughts aria-label="Analysis of the position" {
                div.controls {
                    button.small #think type="button" aria-pressed="false" { "Engine" }
                    label { select.small #thinker-0 aria-label="Engine" { @for bot in bots { option selected[bot.name == strongest] { (bot.name) } } } }
                    label { select.small #thinker-1 aria-label="Second engine" { option value="" { "+ second engine" } @for bot in bots { option { (bot.name) } } } }
                }
                div.pair { div #thought-0 {} div #thought-1 {} }
                p.legend #compare {}
            }
        }
    }
}

/// Returns the CSS class for a player's colour.
fn seat(player: Option<usize>) -> &'static str {
    ["seat-0", "seat-1", ""][player.unwrap_or(2)]
}

/// Returns a player's row: the name with the result of the game, and the time and the score in the shown position.
fn player(game: &ReplayedGame, player: Player, now: &ReplayTurn) -> Markup {
    let at = player.index();
    let record = game.record.as_ref();
    let name = record.map_or(if at == 0 { game.title.as_str() } else { "" }, |record| &record.seats[at].bot);
    let ranks = record.map(|record| [at, 1 - at].map(|seat| record.seats[seat].rank));
    let result = ranks.map(|[own, other]| own.cmp(&other));
    html! {
        div.player.winner[result == Some(Ordering::Less)] {
            span class=(format!("dot {}", seat(Some(at)))) {}
            strong.name { @if name.is_empty() { (game.contest.info().seats[at]) } @else { (name) } }
            span.chip { (game.contest.info().seats[at]) }
            @if let (Some(record), Some(result)) = (record, result) {
                @let (class, word) = match result {
                    Ordering::Less => ("chip win", "Won"),
                    Ordering::Equal => ("chip", "Drew"),
                    Ordering::Greater => ("chip loss", "Lost"),
                };
                span class=(class) title=(format!("Result of the game. Points in the contest: {}", record.points()[at])) { (word) }
            }
            span.clock title="Time used so far" { @if record.is_some() { span.legend { "time" } span.number data-used=(at) { (format!("{:.1} s", now.used[at] / 1e3)) } } }
            span.legend { "score" }
            span.points.number data-standing=(at) title="Score on the board in this position" { (now.standing[at]) }
        }
    }
}

/// Returns the standard error of the bots.
fn stderr(game: &ReplayedGame) -> Markup {
    let Some(record) = &game.record else { return html! {} };
    html! {
        @if record.interrupted { p.failure { "The game was interrupted." } }
        @for seat in record.seats.iter().filter(|seat| !seat.stderr.is_empty() && !failed::shows_all(seat)) {
            details.card { summary { "Standard error of " (seat.bot) } pre tabindex="0" { (seat.stderr) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_play::Seat;

    /// If the score on the board does not explain the result, it comes in parentheses.
    #[test]
    fn a_winner_without_a_higher_score_is_no_draw() {
        let seat = |(bot, rank, points): (&str, u32, f64)| Seat {
            bot: bot.to_string(),
            rank,
            points: Some(points),
            ..Seat::default()
        };
        let record = Record { seats: [("a", 1, 0.0), ("b", 0, 1.0)].map(seat).to_vec(), ..Record::default() };
        let of = |last| outcome(&record, ["X", "O"], Some(last)).replace('\u{a0}', " ");
        assert_eq!(of([1, 3]), "b wins 3 – 1");
        assert_eq!(of([3, 3]), "b wins (3 – 3 on the board)");
    }

    /// The player with three small boards in a row wins at once, and the board names it.
    #[test]
    fn the_reason_of_a_win_is_named() {
        let contest = contender_catalogue::find("uttt").unwrap();
        let mut judge = contest.judge(1, &mut contender_game::settings::Options::rules()).unwrap();
        let record = Record { seats: vec![Seat::default(), Seat::default()], ..Record::default() };
        assert_eq!(reason(&record, &judge.picture(None)), None);
        while !judge.ask().is_empty() {
            let player = judge.ask()[0].player;
            let mv = judge.choices(player)[0].clone();
            judge.answer(player, &[mv]).unwrap();
        }
        let reason = reason(&record, &judge.picture(None)).unwrap();
        assert_eq!(reason, " with three small boards in a row");
    }
}
