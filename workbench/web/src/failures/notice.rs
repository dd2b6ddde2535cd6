//! The notice of a match whose bots failed.

use super::late::LateAnswers;
use super::{MAX_NAMED, Tally};
use crate::text::{all_games, count, grouped};
use crate::traceback::reported;
use maud::{Markup, html};

/// The page of a notice, and the means by which it helps.
pub struct Context<'a> {
    /// The number of games at once, if it is known.
    pub games_at_once: Option<u16>,
    /// Returns the address of a game.
    pub link: &'a dyn Fn(usize) -> String,
    /// Returns the address of the list of the games in which this bot failed in this way.
    pub list: &'a dyn Fn(&str, &str) -> String,
    /// The rule which games count, with their numbers. Empty if the games are not in pairs.
    pub rule: String,
    /// Maximum number of times that a late game is repeated, if it is known.
    pub repeats: Option<u64>,
    /// Whether the games are still being played.
    pub is_running: bool,
    /// The buttons that play the games again with more time.
    pub remedy: Markup,
}

/// Returns the notice about failures: each bot that failed, with the last line of its error output and a link to the
/// first of these games.
pub fn notice(tally: &Tally, context: &Context<'_>) -> Markup {
    let late = LateAnswers::of_all(&tally.failing);
    let rounded = late.rounded_limit();
    let is_late = tally.failing.iter().any(|of| of.is_late);
    let repeats = context.repeats.filter(|_| tally.repeats > 0);
    html! {
        div.notice #failing role="alert" {
            @for of in tally.failing.iter().take(MAX_NAMED) {
                p {
                    strong { (of.bot) } (if of.is_slow() { " was late in " } else { " failed in " })
                    a href=((context.list)(&of.bot, of.kind)) { @if of.games == tally.games { (all_games(of.games)) } @else { (grouped(of.games)) " of " (count(tally.games, "game", "games")) } }
                    @if !of.is_slow() { ": " (of.ending) }
                    @if let Some(delay) = of.late.delay(rounded) { ": " (delay) }
                    ". "
                    a.button.small href=((context.link)(of.shown)) { "Show the position" }
                }
                (output(&of.stderr))
            }
            p.legend {
                @if is_late {
                    @if tally.late == 0 { "A bot that does not answer may hang, or the machine may be busy. " }
                    @if let Some(cause) = tally.cause() { (cause) " " }
                    @if tally.is_mainly_busy() {
                        @if context.games_at_once == Some(1) { "End other programs, and leave the machine alone." } @else { "Play fewer games at once, or leave the machine alone." }
                    } @else {
                        @if late.are_first() { "A first answer has a limit of its own, so more time per move does not help: " } @else { "Allow more time per move, or " }
                        @if context.games_at_once == Some(1) { "end other programs." } @else { "play fewer games at once." }
                    }
                } @else if tally.is_broken() {
                    "Repair the bot first, or try its command in a terminal in the project's folder."
                }
            }
            @if !context.rule.is_empty() || repeats.is_some() {
                details #counting {
                    summary { "Rule for counting games" }
                    p.legend {
                        (context.rule)
                        @if let Some(most) = repeats {
                            " A game that a busy machine makes late is repeated up to " (count(most, "time", "times")) ": " (count(tally.repeats, "repeat", "repeats")) @if context.is_running { " so far" } "."
                        }
                    }
                }
            }
            @if is_late && !late.are_first() { (context.remedy) }
        }
    }
}

/// Returns the error that a bot reported with its place in the program, and the whole error output on demand.
pub fn output(stderr: &str) -> Markup {
    let [error, place] = reported(stderr);
    html! {
        @if !error.is_empty() {
            p.reported { strong { (error) } @if !place.is_empty() { " " span { (place) } } }
            @if error != stderr.trim() { details { summary { "Standard error" } pre tabindex="0" { (stderr) } } }
        }
    }
}
