//! The graph below the board. It shows the score, a bundled bot's evaluation, or the values that the bots printed.

use super::data::{ReplayData, ReplayTurn};
use super::{Around, CHART, seat};
use crate::chart::label;
use contender_game::rules::Player;
use contender_replay::ReplayedGame;
use maud::{Markup, html};

/// Names under which bots print how good they consider their position.
const TOLD: [&str; 6] = ["value", "score", "eval", "evaluation", "winrate", "win rate"];
/// Height of a label in the margin of the chart, in the unit of the chart.
pub const TICK: f64 = 14.0;

pub fn graph(game: &ReplayedGame, course: &ReplayData, around: &Around) -> Markup {
    let (points, told) = (points(game, &course.turns), told(game, course));
    // One layer is shown at a time, because each has its own scale.
    let shown = match (&around.evaluation, &points, &told) {
        (Some(_), ..) => "evaluation",
        (None, None, Some(_)) => "told",
        (None, ..) => "chart",
    };
    let layer = |id: &str, words: &str| {
        html! { button.small type="button" data-layer=(id) aria-pressed=(id == shown) {
            span class=(format!("key key-{id}")) aria-hidden="true" {} (words)
        } }
    };
    html! {
        section.graph aria-label="The course of the game" {
            div #graph data-shown=(shown) {
                @if let Some(points) = &points { (points) }
                @if let Some([curve, _]) = &around.evaluation { (curve) } @else { div #evaluation {} }
                @if let Some(told) = &told { (told) }
                svg.board.cursor viewBox=(format!("0 0 {} {}", CHART[0], CHART[1])) preserveAspectRatio="none" aria-hidden="true" {
                    line.plain.stroke #cursor x1="0" x2="0" y1="0" y2=(CHART[1]) vector-effect="non-scaling-stroke" {}
                }
            }
            div.controls {
                @if points.is_some() { (layer("chart", "Score")) }
                @if course.evaluation.is_some() { (layer("evaluation", "Evaluation")) }
                @if told.is_some() { (layer("told", "Values of the bots")) }
                @if let Some(address) = course.evaluation.as_ref().filter(|_| around.evaluation.is_none() && around.is_known) {
                    button.small.primary #evaluate type="button" data-address=(address) { "Evaluate the whole game" }
                }
                @if course.evaluation.is_some() { button.small #mistake type="button" disabled { "Next mark" } }
            }
        }
    }
}

/// Returns the summary of the evaluation.
pub fn summary(around: &Around) -> Markup {
    html! { @if let Some([_, summary]) = &around.evaluation { (summary) } @else { div.legend #summary role="status" {} } }
}

/// Returns the least and the greatest score of the game.
fn ends(turns: &[ReplayTurn]) -> Option<[i32; 2]> {
    let all = || turns.iter().flat_map(|turn| turn.standing);
    Some([all().min()?, all().max()?])
}

/// Draws both players' scores over the turns, unless they never change.
fn points(game: &ReplayedGame, turns: &[ReplayTurn]) -> Option<Markup> {
    let [least, most] = ends(turns)?;
    let [width, height] = CHART;
    let x = |turn: usize| width * turn as f64 / (turns.len() - 1).max(1) as f64;
    let y = |value: i32| 4.0 + (height - 8.0) * f64::from(most - value) / f64::from(most - least);
    let line = |player: usize| -> String {
        let points = turns.iter().enumerate();
        let points = points.map(|(at, turn)| format!("{:.1},{:.1}", x(at), y(turn.standing[player])));
        points.collect::<Vec<_>>().join(" ")
    };
    let [zero, one] = game.contest.info().seats;
    let last = turns.last()?.standing;
    let caption = format!("Score of {zero} and {one} by turn, from {least} to {most}");
    (least < most).then(|| {
        html! {
            div #chart {
                svg.board viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(caption) preserveAspectRatio="none" {
                    @for player in 0..2 {
                        polyline class=(format!("{} stroke", seat(Some(player)))) points=(line(player)) vector-effect="non-scaling-stroke" stroke-width="2" {}
                    }
                }
                p.scale { span { "Score, from " (least) " to " (most) } }
                p.limits { svg.ticks aria-hidden="true" {
                    @for (player, y) in (0..).zip(label_places(last.map(y))) {
                        text class=(seat(Some(player))) y=(format!("{:.0}%", 100.0 * y / height)) { (game.contest.info().seats[player]) " " (last[player]) }
                    }
                } }
            }
        }
    })
}

/// Returns the places of the labels of two lines: the ends of the lines, moved apart if the labels would overlap, and
/// moved into the chart. With equal ends, the first label is the upper one.
fn label_places(ends: [f64; 2]) -> [f64; 2] {
    let (top, bottom) = (TICK / 2.0, CHART[1] - TICK / 2.0);
    let upper = usize::from(ends[1] < ends[0]);
    let missing = (TICK - (ends[0] - ends[1]).abs()).max(0.0);
    let mut places = ends;
    places[upper] = (ends[upper] - missing / 2.0).clamp(top, bottom - TICK);
    places[1 - upper] = (ends[1 - upper] + missing / 2.0).clamp(places[upper] + TICK, bottom);
    places
}

/// Returns the label of an end of the scale in the margin of the curve, in the player's colour.
pub fn limit(seats: [&str; 2], player: usize, value: &str) -> Markup {
    html! { span class=(seat(Some(player))) { (seats[player]) " " (value) } }
}

/// Returns whether the bots reported enough values for a line.
pub fn has_values(course: &ReplayData) -> bool {
    lines(course).is_some()
}

/// Returns a player's name in the player's colour.
fn name(game: &ReplayedGame, player: usize) -> Markup {
    html! { span class=(seat(Some(player))) { (game.contest.info().seats[player]) } }
}

/// Values by turn, and the least and the greatest of them.
type Lines = ([Vec<[f64; 2]>; 2], [f64; 2]);

/// Returns the values with which the bots described their chances, or `None` if they are not enough for a line.
fn lines(course: &ReplayData) -> Option<Lines> {
    let lines = Player::BOTH.map(|player| course.told(player, &TOLD));
    let all = || lines.iter().flatten().map(|point| point[1]);
    let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let is_drawn = lines.iter().any(|line| line.len() > 1) && least < most;
    is_drawn.then_some((lines, [least, most]))
}

fn told(game: &ReplayedGame, course: &ReplayData) -> Option<Markup> {
    let (lines, [least, most]) = lines(course)?;
    let [width, height] = CHART;
    let last = (course.turns.len() - 1).max(1) as f64;
    let place = |point: &[f64; 2]| {
        let (x, y) = (width * point[0] / last, 4.0 + (height - 8.0) * (most - point[1]) / (most - least));
        format!("{x:.1},{y:.1}")
    };
    Some(html! {
        div #told {
            svg.board viewBox=(format!("0 0 {width} {height}")) role="img" aria-label="Values reported by the bots" preserveAspectRatio="none" {
                @for (player, line) in lines.iter().enumerate() {
                    polyline class=(format!("{} stroke", seat(Some(player)))) points=(line.iter().map(place).collect::<Vec<_>>().join(" ")) vector-effect="non-scaling-stroke" stroke-width="2" stroke-dasharray="4 3" {}
                }
            }
            p.scale { span { "Values that the bots printed, from " (label(least)) " to " (label(most)) } @for player in 0..2 { (name(game, player)) } }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A label stands at the end of its line, unless both labels would overlap or leave the chart.
    #[test]
    fn labels_are_at_the_ends_of_the_lines() {
        assert_eq!(label_places([10.0, 40.0]), [10.0, 40.0]);
        assert_eq!(label_places([40.0, 10.0]), [40.0, 10.0]);
        assert_eq!(label_places([30.0, 30.0]), [23.0, 37.0]);
        assert_eq!(label_places([68.0, 66.0]), [65.0, 51.0]);
        assert_eq!(label_places([4.0, 4.0]), [7.0, 21.0]);
    }
}
