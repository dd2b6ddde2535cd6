//! The notices about bots that failed, above the board.

use super::data::ReplayData;
use crate::failures::late::exact;
use crate::text::last_lines;
use crate::traceback::reported;
use contender_game::rules::Player;
use contender_play::{Ending, Seat};
use contender_replay::{ReplayedGame, questions};
use maud::{Markup, html};

/// Maximum number of lines of a bot's input and standard error.
const MAX_LINES: usize = 40;

/// Returns a notice for each bot that failed: the kind of failure, the move, and the error that the bot reported. The
/// reader can open a part with the bot's input, its answer and its standard error.
///
/// `next` is the address of the next game with a failure.
pub fn notices(game: &ReplayedGame, course: &ReplayData, next: Option<&str>) -> Markup {
    let Some(record) = &game.record else { return html! {} };
    let failed = || Player::BOTH.into_iter().zip(&record.seats).filter(|(_, seat)| seat.ending.is_failure());
    html! {
        @for (at, (player, seat)) in failed().enumerate() {
            @let read = questions(record, player).ok().and_then(|asked| Some(asked.last()?.text.clone()));
            @let [error, place] = reported(&seat.stderr);
            section.card.failed aria-label=(format!("Failure of {}", seat.bot)) {
                p.failure { strong { (seat.bot) } " " (exact(seat, None)) "." }
                p.legend { "It plays " (game.contest.info().seats[player.index()]) " and was asked for move " (course.failed_move(player)) "." }
                @if at == 0 && (course.turns.len() > 1 || next.is_some()) {
                    @let title = if next.is_some() { "The failed move, then the next game with a failure (f)" } else { "The failed move (f); no other game of this file has a failure" };
                    button.small.danger #failure type="button" title=(title) data-next=[next] { @if next.is_some() { "Next failure" } @else { "To the failure" } }
                }
                @if !error.is_empty() { p.reported { strong { (error) } @if !place.is_empty() { " " span { (place) } } } }
                details {
                    summary { "Input, answer and standard error" }
                    div.evidence {
                        (evidence("It read", &last_lines(read.unwrap_or_default().trim_end(), MAX_LINES), "nothing"))
                        (evidence("It answered", answered(&seat.ending), if matches!(seat.ending, Ending::Timeout { .. } | Ending::Overloaded { .. }) { "nothing in time" } else { "nothing" }))
                        (evidence("Standard error", &last_lines(seat.stderr.trim(), MAX_LINES), "empty"))
                    }
                }
            }
        }
    }
}

/// Returns whether the notice about a bot contains its whole standard error.
pub fn shows_all(seat: &Seat) -> bool {
    seat.ending.is_failure() && seat.stderr.trim().lines().count() <= MAX_LINES
}

/// Returns the answer that a bot failed with; empty if there was none.
fn answered(ending: &Ending) -> &str {
    match ending {
        Ending::Illegal { answer, .. } => answer,
        _ => "",
    }
}

fn evidence(title: &str, text: &str, otherwise: &str) -> Markup {
    html! {
        div {
            h2 { (title) }
            @if text.is_empty() { p.legend { "(" (otherwise) ")" } } @else { pre tabindex="0" { (text) } }
        }
    }
}
