//! A bundled bot's analysis of a position, with more and more time until the budget is spent. The page's address
//! contains the game, the moves, the bot and the budget.

mod question;

use crate::App;
use crate::guard::Known;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking, games};
use crate::shown::{self, layers};
use crate::text::{coded, decimal};
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use contender_game::{
    board::Picture,
    contest::{Analysis, PositionAnalysis},
};
use contender_plot::board::{self, MoveOnBoard};
use maud::{Markup, PreEscaped, html};
use question::{AnalysisQuery, Question, shifted};
use std::sync::Arc;

/// The available budgets: their names in addresses and on the page.
const BUDGETS: [(&str, &str); 6] = [
    ("1s", "1 s"),
    ("5s", "5 s"),
    ("30s", "30 s"),
    ("1000", "1,000 nodes"),
    ("30000", "30,000 nodes"),
    ("1000000", "1,000,000 nodes"),
];

/// Maximum number of listed moves that lead to the position.
const LINE: usize = 8;
/// This number if both players move at once.
const LONG_LINE: usize = 3;

pub async fn page(
    State(app): State<Arc<App>>,
    Query(wanted): Query<AnalysisQuery>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |_| {
        let question = Question::of(wanted)?;
        let title = format!("Analyse {}", question.contest.name());
        Ok(page::frame(
            "/analyse",
            &title,
            Some("/analyse.js"),
            &content(&question, &question.board()?, is_known),
        ))
    })
    .await
}

/// Streams the analysis, step by step.
pub async fn live(
    State(app): State<Arc<App>>,
    Query(wanted): Query<AnalysisQuery>,
    known: Known,
) -> Result<Response, Problem> {
    known.require()?;
    let question = Question::of(wanted)?;
    let mut step = 0;
    Ok(live::think(app, move |_| {
        let Some(limits) = question.step(step) else { return Update::Same };
        step += 1;
        match question.think(limits).map(|found| shifted(found, question.wanted.shift)) {
            Ok(found) if question.step(step).is_none() || found.analysis.is_proven() => {
                Update::Last(parts(&question, &found, true))
            }
            Ok(found) => Update::New(parts(&question, &found, false)),
            Err(_) if question.is_over() => {
                Update::Last(html! { p #best {} div #found { p role="status" { "The game is over." } } })
            }
            Err(problem) => {
                Update::Last(html! { div #found { p.failure role="alert" { (coded(problem.words())) } } })
            }
        }
    }))
}

/// Returns the parts of the page that show an analysis.
fn parts(question: &Question, found: &PositionAnalysis, is_over: bool) -> Markup {
    let seat = question.contest.info().seats[found.player];
    let (picture, analysis) = (&found.picture, &shown::sorted(&found.analysis));
    let scale = shown::Scale::of(analysis);
    let values: Vec<Option<f64>> = shown::values_by_square(question.contest, picture, analysis)
        .into_iter()
        .map(|value| Some(scale.factor * value?))
        .collect();
    let ranks = shown::ranks(question.contest, picture, analysis);
    let picture = &shown::with_arrows(question.contest, picture, analysis);
    let pending: Vec<MoveOnBoard> = question.pending().into_iter().collect();
    let maps = analysis.maps.iter().filter(|(_, numbers)| numbers.iter().any(Option::is_some));
    let digits = scale.digits.min(board::digits(&values));
    // A search that only proves bounds of the other moves knows the value of one square.
    let is_alone = values.iter().flatten().count() == 1;
    let mut views = vec![("values of moves", Some((&values, digits)))];
    let maps: Vec<(&str, Vec<Option<f64>>)> = maps
        .map(|(name, numbers)| {
            let factor = if layers::is_share(name) { 100.0 } else { 1.0 };
            (*name, numbers.iter().map(|number| Some(factor * (*number)?)).collect())
        })
        .collect();
    for (name, numbers) in &maps {
        let digits = if layers::is_share(name) { 0 } else { board::digits(numbers) };
        views.push((name, Some((numbers, digits))));
    }
    views.push(("the position", None));
    html! {
        div #boards {
            @for (at, (name, numbers)) in views.iter().enumerate() {
                figure data-view=(name) hidden[at > 0] {
                    @let caption = question.caption(name);
                    @let board = match numbers {
                        Some((numbers, digits)) => {
                            let (span, ranks) = if at == 0 { (scale.span(numbers), &ranks[..]) } else { (0.0, &[][..]) };
                            board::heat_map(picture, numbers, *digits, span, ranks, &pending, &caption)
                        }
                        None => board::svg_with_moves(picture, &caption, &pending),
                    };
                    (PreEscaped(board::with_notes(picture, &board)))
                    @if let Some((numbers, digits)) = numbers {
                        @let words = match at {
                            0 if is_alone => format!("{} with the framed move", scale.meaning()),
                            0 => format!("{} with the best move to each square", scale.meaning()),
                            _ => layers::meaning(name, &analysis.inputs),
                        };
                        @let (sign, span) = match at {
                            0 => (scale.sign, scale.span(numbers)),
                            _ => (if layers::is_share(name) { "%" } else { "" }, 0.0),
                        };
                        (key(numbers, *digits, sign, span, &words))
                    }
                }
            }
        }
        fieldset.views #views {
            legend { "On the board" }
            @for (at, (name, _)) in views.iter().enumerate() {
                label { input type="radio" name="view" value=(name) checked[at == 0]; " " (layers::label(name)) }
            }
        }
        (best(question, analysis, is_over))
        div #found class=[(!is_over).then_some("running")] data-share=[shown::share_of_zero(analysis, found.player)] data-player=(found.player.index()) {
            p.size role="status" {
                (shown::headline(analysis, &question.bot, seat))
                @if question.wanted.shift != 0.0 && !analysis.is_proven() { ", on the scale of the curve" }
                @if !is_over { ", searching …" }
            }
            (shown::table(question.contest, analysis, found.played.as_deref(), &ranks))
            @if scale.name == "points" && !analysis.is_proven() {
                p.legend.order { "The values are the bot's estimates at this turn: compare moves of one position, not positions." }
            }
            @if is_over && !analysis.is_proven() && question.longer().next().is_some() {
                p.controls {
                    @for seconds in question.longer() {
                        a.button.small href=(question.with_time(seconds)) { "Think " (seconds) " s" }
                    }
                }
            }
            (shown::line(question.contest, analysis))
            (shown::inputs(analysis))
        }
    }
}

/// Returns the best move with its value, which is the result of the analysis.
fn best(question: &Question, analysis: &Analysis<String>, is_over: bool) -> Markup {
    let scale = shown::Scale::of(analysis);
    html! {
        p #best class=[(!is_over).then_some("running")] {
            @if let Some(first) = analysis.moves.first() {
                "Best: " strong { (shown::repeated_words(question.contest, &first.mv)) }
                @let value = scale.text(first);
                @if value != "–" { " " span.number { (value) } " " span.legend { (scale.meaning()) @if !is_over { ", searching …" } } }
            }
        }
    }
}

/// Returns the explanation of a heat map's shades: the least and the greatest number, and their meaning.
fn key(numbers: &[Option<f64>], digits: usize, sign: &str, span: f64, words: &str) -> Markup {
    let text = |number: f64| format!("{}{sign}", decimal(number, digits));
    html! {
        @if let Some([least, most]) = board::scale(numbers, span) {
            p.heat-key.legend {
                @if text(least) == text(most) { (text(least)) }
                @else { (text(least)) " " span.ramp role="img" aria-label="to" {} " " (text(most)) }
                ": " (words)
            }
        }
    }
}

fn content(question: &Question, picture: &Picture, is_known: bool) -> Markup {
    let info = question.contest.info();
    let pending: Vec<MoveOnBoard> = question.pending().into_iter().collect();
    let board = board::svg_with_moves(picture, &question.caption("the position"), &pending);
    let board = board::with_notes(picture, &board);
    html! {
        (games("/analyse", info.name))
        h1.path { (info.about) }
        div class=(page::with_board("replay analysis", picture, page::WIDE)) data-live=[is_known.then(|| question.address("/analyse/live"))] {
            div.stage {
                (page::whole_board())
                div.field tabindex="0" role="group" aria-label="Board" {
                    div.boards {
                        div #boards { figure { (PreEscaped(board)) } }
                        div.over #over aria-hidden="true" {}
                    }
                }
                fieldset.views #views hidden {}
                p.legend.crosses { "×: organs that this move kills, if the other player waits" }
            }
            div.side {
                p #best {}
                div.rest {
                    (tried(question))
                    @let draws = if question.wanted.played.is_empty() { question.draws() } else { Vec::new() };
                    @if !draws.is_empty() {
                        nav.controls.draws aria-label="Draws of chance" {
                            span.legend { "Drawn" }
                            @for (word, seed) in &draws {
                                a.button.small href=(question.wanted.after_draw(question.contest, *seed)) aria-current=[(*seed == question.seed).then_some("true")] { (word) }
                            }
                        }
                }
                p.legend #next role="status" {}
                div.acts {
                    div.choices #choices role="group" aria-label="Ways to complete the move" {}
                    @if is_known { p.legend #worth {} }
                }
                div #found {
                    @if is_known { p role="status" { (question.bot) " thinks …" } } @else { (page::read_only(false)) }
                }
                details #position data-both[question.asked() == Some(2)] data-seats=(question.contest.info().seats.join("\n")) data-zero=(question.wanted.zero) data-one=(question.wanted.one)
                    data-line=(question.wanted.unanswered().address(question.contest, question.seed, "/line")) data-page=(question.after(&question.moves)) {
                    summary { "Set up: bot, time and moves" }
                    (set_up(question))
                }
                }
            }
        }
    }
}

/// Returns the moves that lead to the position. Each is a link to the position after it.
fn tried(question: &Question) -> Markup {
    let (moves, answered, seats) = (&question.moves, question.answered(), question.contest.info().seats);
    let are_long = moves.last().is_some_and(|mv| shown::sides(mv).is_some());
    let first = moves.len().saturating_sub(if are_long { LONG_LINE } else { LINE });
    let words = |mv: &str| match shown::sides(mv) {
        None => html! { (question.contest.move_words(mv)) },
        Some(sides) => html! {
            @for (seat, part) in sides.into_iter().enumerate() {
                @if seat > 0 { " · " }
                span class=(format!("seat-{seat}")) { (question.contest.move_words(part)) }
            }
        },
    };
    html! {
        @let back = if answered.is_some() { Some(&moves[..]) } else { moves.split_last().map(|(_, before)| before) };
        @if let Some(back) = back {
            nav.line aria-label="Moves to this position" {
                a.button.small href=(question.after(back)) { "Take back" }
                @if !moves.is_empty() { a.button.small href=(question.after(&[])) { "Start" } }
                ol start=(first + 1) {
                    @if first > 0 { li.more { "…" } }
                    @for (at, mv) in moves.iter().enumerate().skip(first) {
                        li { span.number { (at + 1) "." } " " a href=(question.after(&moves[..=at])) aria-current=[(at + 1 == moves.len() && answered.is_none()).then_some("step")] { (words(mv)) } }
                    }
                    @if let Some((seat, answer)) = answered {
                        li { span.number { (moves.len() + 1) "." } " " strong class=(format!("joint seat-{seat}")) { (seats[seat]) ": " (shown::repeated_words(question.contest, &answer.replace('\n', "; "))) } " (dotted on the board), now " (seats[1 - seat]) }
                    }
                }
            }
        }
    }
}

/// Returns the form for everything that a click on the board cannot set.
fn set_up(question: &Question) -> Markup {
    let (info, wanted) = (question.contest.info(), &question.wanted);
    html! {
        form action="/analyse" method="get" {
            input type="hidden" name="game" value=(info.name);
            input type="hidden" name="rules" value=(wanted.rules);
            p { label { "Bot " select name="bot" {
                @for bot in info.bots { option value=(bot.name) selected[bot.name == question.bot] title=(bot.about.replace('`', "")) { (bot.name) } }
            } } " " label { "with " select name="budget" {
                @for (budget, words) in BUDGETS { option value=(budget) selected[budget == wanted.budget] { (words) } }
            } } }
            p { label { "For " select name="seat" {
                option value="" { "the player to move" }
                @for (at, seat) in info.seats.iter().enumerate() { option value=(at) selected[wanted.seat == at.to_string()] { (seat) } }
            } } " " label { "Seed " input type="text" name="seed" size="6" value=(question.seed.cast_signed()); } }
            p { label { "Moves" br; textarea name="moves" rows="4" spellcheck="false" { (question.moves.join("\n")) } } }
            p { button type="submit" { "Analyse" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::{contest::Limits, rules::Player, settings::Options};

    /// The layers of Entropy's champion have plain names.
    #[test]
    fn layers_have_plain_names() {
        let [game, moves] = ["entropy", "3Dd\nDdDa"].map(str::to_string);
        let question = Question::of(AnalysisQuery { game, moves, ..AnalysisQuery::default() }).unwrap();
        let found = question.think(Limits { nodes: Some(10), ..Limits::NONE }).unwrap();
        assert!(!found.analysis.maps.is_empty());
        for (name, _) in &found.analysis.maps {
            assert_ne!(layers::meaning(name, &[]), shown::plain(name));
        }
    }

    /// A finished analysis offers longer times, unless it is proven or had a longer time.
    #[test]
    fn more_time_is_offered() {
        let offered = |budget: &str| {
            let wanted =
                AnalysisQuery { game: "uttt".into(), budget: budget.into(), ..AnalysisQuery::default() };
            let question = Question::of(wanted).unwrap();
            let found = question.think(Limits { nodes: Some(10), ..Limits::NONE }).unwrap();
            let page = [false, true].map(|is_over| parts(&question, &found, is_over).into_string());
            assert!(!page[0].contains("Think "));
            // The values of a search that goes on are provisional.
            assert_eq!([0, 1].map(|at| page[at].matches("class=\"running\"").count()), [2, 0]);
            [5, 30].map(|seconds| page[1].contains(&format!("Think {seconds} s")))
        };
        assert_eq!(
            ["", "5s", "30s", "1000"].map(offered),
            [[true; 2], [false, true], [false; 2], [false; 2]]
        );
    }

    /// The answer of the player who has chosen is on the board during the other one's turn.
    #[test]
    fn a_pending_answer_is_on_the_board() {
        let board = |zero: &str| {
            let game = "cellularena".into();
            let wanted =
                AnalysisQuery { game, seed: "1".into(), zero: zero.into(), ..AnalysisQuery::default() };
            let question = Question::of(wanted).unwrap();
            let picture = question.board().unwrap();
            let found = question.think(Limits { nodes: Some(10), ..Limits::NONE }).unwrap();
            let pages = [content(&question, &picture, false), parts(&question, &found, true)];
            pages.map(|page| page.into_string().matches("<path class=\"joint seat-0\"").count())
        };
        let mut judge =
            contender_catalogue::find("cellularena").unwrap().judge(1, &mut Options::rules()).unwrap();
        judge.ask();
        let choices = judge.choices(Player::Zero);
        let grow = choices.iter().find(|choice| choice.starts_with("GROW")).unwrap();
        let [start, views] = board(grow);
        assert!(start == 1 && views > 1, "{start} {views}");
        assert_eq!([board(""), board("WAIT")], [[0; 2]; 2]);
    }
}
