//! The first steps in a project without games.

use crate::page::{self, command};
use crate::text::query;
use contender_catalogue::contests;
use contender_game::board::Picture;
use contender_game::contest::Contest;
use contender_game::rules::mix;
use contender_game::settings::Options;
use contender_plot::board;
use contender_referee::Prompt;
use maud::{Markup, PreEscaped, html};
use std::time::Duration;

/// The moves of a demo game, which everyone can watch without a file: Ultimate Tic-Tac-Toe from the start.
const DEMO: &str = "4 4\n3 5\n1 7\n4 3\n4 1\n5 4\n6 3\n2 1\n6 5";

/// Number of random moves in the sample of a game.
const SAMPLE: usize = 16;

/// Returns the board of a game after some random moves.
fn sample(contest: &dyn Contest) -> Option<Picture> {
    let mut judge = contest.judge(1, &mut Options::rules()).ok()?;
    for step in 0..SAMPLE {
        for question in judge.ask() {
            let prompt = Prompt::of(&*judge, &question, [Duration::ZERO; 2], None);
            let at = mix(&[step as u64, prompt.player.index() as u64]) as usize;
            let choice = prompt.choices.get(at % prompt.choices.len().max(1))?;
            if judge.answer(prompt.player, &vec![choice.clone(); prompt.answer_lines]).is_err() {
                return Some(judge.picture(None));
            }
        }
    }
    Some(judge.picture(None))
}

pub fn steps() -> Markup {
    html! {
        p.lead { "Contender plays your game bots against each other, ranks them with confidence intervals, and shows where they lose." }
        div.boards-row {
            @for contest in contests() {
                @if let Some(picture) = sample(*contest) {
                    a.thumb href=(format!("/play?game={}", contest.name())) {
                        span.picture aria-hidden="true" { (PreEscaped(board::svg_small(&picture, contest.name()))) }
                        span.name { "Play " (contest.name()) }
                    }
                }
            }
            a.thumb href=(format!("/analyse?{}", query(&[("game", "uttt"), ("moves", DEMO)]))) {
                span.picture aria-hidden="true" { (PreEscaped(page::MARK)) }
                span.name { "Watch a bot think" }
            }
        }
        h2 { "Or start in the terminal" }
        (command("match uttt champion bronze --pairs 5 --log games.jsonl"))
        (command("new bot uttt --language python -o my-bot"))
        (command("league init uttt --dir league"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_show_pieces() {
        for contest in contests() {
            let start = contest.judge(1, &mut Options::rules()).unwrap().picture(None);
            let signs = |picture: &Picture| format!("{:?}", picture.squares);
            assert_ne!(signs(&sample(*contest).unwrap()), signs(&start), "{}", contest.name());
        }
    }
}
