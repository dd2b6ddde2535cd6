//! The rules of a game, with its contest's time limits and scoring.

use crate::App;
use crate::files::newest_game;
use crate::page::{self, Problem, blocking, games};
use crate::text::grouped;
use axum::extract::{Query, State};
use axum::response::Html;
use contender_catalogue::find;
use contender_game::board::Picture;
use contender_game::contest::{Contest, Limits};
use contender_game::rules::Rng;
use contender_game::settings::Options;
use contender_plot::board;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::sync::Arc;

/// A game.
#[derive(Deserialize)]
pub struct Wanted {
    game: Option<String>,
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(wanted): Query<Wanted>,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let contest = wanted.game.map_or_else(|| Some(newest_game(app)), |name| find(&name));
        let contest = contest.ok_or_else(|| Problem::not_found("There is no such game."))?;
        Ok(page::frame("/*", &format!("Rules of {}", contest.name()), None, &content(contest)))
    })
    .await
}

/// Number of moves before the shown position, and number of games from which it is chosen.
const PLAYED: usize = 40;
const GAMES: u64 = 12;

/// Returns a position after random moves with some scored points, and the number of moves.
pub fn example(contest: &dyn Contest) -> Option<(Picture, usize)> {
    let points = |(picture, _): &(Picture, usize)| picture.standing.map_or(0, |[one, other]| one.min(other));
    (1..=GAMES).filter_map(|seed| random_position(contest, seed)).max_by_key(points)
}

fn random_position(contest: &dyn Contest, seed: u64) -> Option<(Picture, usize)> {
    let mut judge = contest.judge(seed, &mut Options::rules()).ok()?;
    let mut rng = Rng::new(seed);
    while judge.moves().len() < PLAYED {
        let questions = judge.ask();
        if questions.is_empty() {
            break;
        }
        for question in questions {
            let mut lines = Vec::new();
            while lines.len() < question.answer_lines {
                let choices = judge.next_choices(question.player, &lines);
                if choices.is_empty() {
                    return None;
                }
                lines.push(rng.choose(&choices).clone());
            }
            judge.answer(question.player, &lines).ok()?;
        }
    }
    Some((judge.picture(None), judge.moves().len()))
}

fn content(contest: &dyn Contest) -> Markup {
    let info = contest.info();
    let variants = (info.rules)();
    let (name, about) = info.about.split_once(": ").unwrap_or((info.name, info.about));
    html! {
        (page::crumbs(&[], &format!("Rules of {}", info.name), None))
        (games("/rules", info.name))
        h1 { "Rules of " (name) }
        p.lead.sentence { (about) "." }
        div.with-aside.rules-page { div.words {
            @let talk = talk(contest);
            nav.contents aria-label="On this page" {
                a href="#moves" { "Moves and goal" }
                a href="#limits" { "Time limits" }
                @if talk.is_some() { a href="#protocol" { "Input and output" } }
                @if !variants.is_empty() { a href="#variants" { "Variants" } }
                a href="#bots" { "Bots" }
            }
            h2 #moves { "Moves and goal" }
            (words(&contest.rules_text()))
            h2 #limits { "Players and time limits" }
            p { "The players are called " (info.seats[0]) " and " (info.seats[1]) ". The contest allows " (clock(info.limits)) "." }
            @if let Some(talk) = talk { h2 #protocol { "Input and output of a bot" } (words(&talk)) }
            @if !variants.is_empty() {
                h2 #variants { "Variants and setups" }
                p { "Commands take each of them with " code { "--rule" } ". The usual value is in brackets." }
                div.wide tabindex="0" { table.list.prose { tbody { @for rule in &variants { tr { th scope="row" { code { (rule.name) } } td { (rule) } } } } } }
            }
            h2 #bots { "Bundled bots, from weak to strong" }
            div.wide tabindex="0" { table.list.prose { tbody { @for bot in info.bots { tr { th scope="row" { (bot.name) } td { (line(bot.about)) } } } } } }
        }
        aside aria-label="The board" {
            @if let Some((picture, moves)) = example(contest) {
                @let board = board::svg(&picture, &format!("{} after {moves} moves", contest.name()));
                figure.card { (PreEscaped(board::with_notes(&picture, &board))) figcaption.legend { "A board after " (moves) " random moves. The latest move is framed." } }
            }
            p.controls {
                a.button.primary href=(format!("/play?game={}", info.name)) { "Play" }
                a.button href=(format!("/analyse?game={}", info.name)) { "Analyse" }
                a.button href=(format!("/matches/new?game={}", info.name)) { "New match" }
            }
        } }
    }
}

fn clock(limits: Limits) -> String {
    let parts = [
        limits.first_turn.map(|time| format!("{} ms for the first turn", grouped(time.as_millis() as u64))),
        limits.turn.map(|time| format!("{} ms per turn", grouped(time.as_millis() as u64))),
        limits.game.map(|time| format!("{} s for all turns of a game", time.as_secs_f64())),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "any time".to_string() } else { parts.join(", and ") }
}

/// Returns the description of the protocol, which is the first comment of the starter bot without the first paragraph
/// of the comment.
fn talk(contest: &dyn Contest) -> Option<String> {
    let source = contest.skeleton("cpp")?;
    let lines = source.lines().map_while(|line| line.strip_prefix("//")).map(str::trim);
    let text = lines.map(|line| format!("{line}\n")).collect::<String>();
    text.split_once("\n\n").map(|(_, rest)| rest.to_string())
}

/// Formats paragraphs, and lists with dashes. Text between backquotes becomes code.
fn words(text: &str) -> Markup {
    let mut blocks: Vec<(bool, String)> = Vec::new();
    let mut is_new = true;
    for line in text.lines() {
        let item = line.trim_start().strip_prefix("- ");
        match blocks.last_mut() {
            _ if line.trim().is_empty() => {}
            Some((_, block)) if !is_new && item.is_none() => *block += &format!(" {}", line.trim()),
            _ => blocks.push((item.is_some(), item.unwrap_or(line).trim().to_string())),
        }
        is_new = line.trim().is_empty();
    }
    html! {
        @for group in blocks.chunk_by(|(one, _), (other, _)| one == other) {
            @if group[0].0 { ul { @for (_, item) in group { li { (line(item)) } } } }
            @else { @for (_, block) in group { p { (line(block)) } } }
        }
    }
}

fn line(text: &str) -> Markup {
    // Links of the API documentation have no target here.
    let text = text.replace("[`", "`").replace("`]", "`");
    html! { @for (at, part) in text.split('`').enumerate() { @if at % 2 == 1 { code { (part) } } @else { (part) } } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_catalogue::contests;

    #[test]
    fn paragraphs_and_lists_are_told_apart() {
        let shown = words("One\ntwo.\n\n- a `b`\n  c\n- d\n\nThe [`State`] & more\n").into_string();
        let wanted = "<p>One two.</p><ul><li>a <code>b</code> c</li><li>d</li></ul><p>The <code>State</code> &amp; more</p>";
        assert_eq!(shown, wanted);
    }

    /// Every game has rules, with more than a line of text.
    #[test]
    fn every_game_has_rules() {
        for contest in contests() {
            let text = contest.rules_text();
            assert!(text.len() > 300 && !text.contains("| module"), "{}: {text}", contest.name());
            // Notes for developers are not part of the rules.
            for word in ["crate", "integer", "LineTable", "Mangara", "State"] {
                assert!(!text.contains(word), "{}: {text}", contest.name());
            }
        }
    }

    /// An example is not the start. In Box, both players have points.
    #[test]
    fn examples_show_points() {
        for contest in contests() {
            let start = contest.judge(1, &mut Options::rules()).unwrap().picture(None);
            let (picture, moves) = example(*contest).unwrap();
            assert!(moves > 0 && picture.squares != start.squares, "{}", contest.name());
            if contest.name() == "box" {
                assert!(picture.standing.unwrap().iter().all(|points| *points > 0));
            }
        }
    }
}
