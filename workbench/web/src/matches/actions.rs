//! The settings of a match on its page, and the ways to play on: more pairs, the same match again, or a command.

use super::Params;
use super::form::{MORE, tests};
use super::log::MatchLog;
use super::start::NewMatch;
use crate::jobs::{Report, without_hints};
use crate::machine::Relief;
use crate::text::{ago, capitalised, coded, count, query, quoted};
use contender_catalogue::find;
use contender_input::this_program;
use maud::{Markup, html};
use std::time::SystemTime;

/// Returns the hidden fields that name a match in a form.
pub fn fields(which: &Params) -> Markup {
    html! {
        @for (name, value) in [("file", &which.file), ("games", &which.games), ("sprt", &which.sprt)] {
            input type="hidden" name=(name) value=(value);
        }
    }
}

/// Returns the buttons that play the match again so that the bots have more time.
pub fn remedy(
    which: &Params,
    log: &MatchLog,
    origin: Option<&NewMatch>,
    games_at_once: Option<u16>,
    is_running: bool,
) -> Markup {
    // With one game at a time, only the user can make the machine less busy.
    let main = match log.failures.is_mainly_busy() {
        true => (games_at_once != Some(1)).then_some(Relief::One),
        false => Some(Relief::Longer),
    };
    // A time that follows from a few answers would change with each game.
    let time =
        origin.filter(|origin| !is_running || origin.late(log).is_stable()).map(|of| of.more_time(log));
    html! {
        @if origin.is_some() && (time.is_some() || games_at_once != Some(1)) {
            form.controls action="/match/again" method="post" {
                (fields(which))
                @if is_running { "Stop, and play again with" } @else { "Play again with" }
                (Relief::buttons(time.as_deref(), games_at_once, main.filter(|_| log.is_broken())))
            }
        }
    }
}

/// Returns the address of the form for a new match that contains the settings of this one.
fn form(which: &Params) -> String {
    format!("/matches/new?{}", query(&[("from", &which.file)]))
}

/// Returns the buttons that continue or repeat a match that is not running.
pub fn continuing(which: &Params, log: &MatchLog, is_known: bool, origin: Option<&NewMatch>) -> Markup {
    let ours = origin.filter(|origin| origin.is_ours && is_known);
    let is_complete = which.is_complete(log);
    html! {
        // A test that has decided would end at once, and more games than planned of a bot that fails tell nothing.
        @if ours.is_some() && !log.is_decided() && !(log.is_broken() && is_complete) {
            form action="/match/again" method="post" {
                (fields(which))
                input type="hidden" name="more" value=(if is_complete { MORE } else { 0 });
                button.primary[!is_complete && !log.is_broken()] type="submit" { @if is_complete { "Play " (count(MORE.into(), "more pair", "more pairs")) } @else { "Resume" } }
            }
        }
        // The log of another program does not contain its settings, so more pairs are a match of their own.
        @if origin.is_some_and(|origin| !origin.is_ours) && is_known {
            a.button href=(form(which)) title="Opens the form with both bots. The games are written to a new file." { "New match, " (count(MORE.into(), "pair", "pairs")) }
        } @else if origin.is_some() && is_known {
            // A bot that failed has been repaired, or it will be.
            @let is_main = log.is_broken() && !log.failures.failing.iter().any(|of| of.is_late);
            a.button.primary[is_main] href=(form(which)) { "Play again" }
        } @else if let Some([a, b]) = log.names.as_ref().filter(|_| find(&log.game).is_some()) {
            button type="button" data-copy=(again(&which.file, &log.game, [a, b])) title="Copies a command that plays these bots again" { "Copy the match command" }
        }
    }
}

/// Returns the command that plays these bots again, with a new log.
fn again(file: &str, game: &str, [a, b]: [&str; 2]) -> String {
    let log = format!("{}-again.jsonl", file.trim_end_matches(".gz").trim_end_matches(".jsonl"));
    format!("{} match {game} {} {} --log {}", this_program(), quoted(a), quoted(b), quoted(&log))
}

/// Returns the message for a match that ended before its first game.
pub fn failed_start(which: &Params, report: &Report, may_repeat: bool) -> Markup {
    let reason = without_hints(&report.said);
    // A message about options would name the command line, which the reader has not used.
    let reason = Some(reason.as_str()).filter(|reason| !reason.is_empty() && !reason.contains("--"));
    html! {
        p.verdict role="status" { "The match ended before its first game was over" }
        @if let Some(reason) = reason { p.notice role="alert" { (coded(reason)) } }
        @if may_repeat { p.controls { a.button.primary href=(form(which)) { "Change the settings" } } }
    }
}

/// Returns the settings of a match and the time of its latest game. Other logs do not contain the settings.
pub fn settings(origin: Option<&NewMatch>, played: Option<SystemTime>) -> Markup {
    let ours = origin.filter(|origin| origin.is_ours);
    let mut words = ours.map_or_else(Vec::new, NewMatch::settings);
    words.extend(played.map(|played| format!("latest game {}", ago(played))));
    if ours.is_none() {
        words.push("the log does not contain the time limits".to_string());
    }
    html! { p.legend #settings { (words.join(" · ")) } }
}

/// Returns links that apply a sequential test to a log. A match of this server knows its test.
pub fn sequential_tests(which: &Params, log: &MatchLog, origin: Option<&NewMatch>) -> Markup {
    let contest = find(&log.game).filter(|_| log.names.is_some() && log.pairs.score.pairs() > 0);
    let contest = contest.filter(|_| !log.is_broken() && !origin.is_some_and(|origin| origin.is_ours));
    let is_applied = |value: &str| value == which.sprt.replace(' ', "");
    let range = |value: &str| format!("[{}]", value.replace(' ', "").replace(',', ", ").replace('-', "−"));
    let address = |sprt: &str| Params { sprt: sprt.to_string(), ..which.clone() }.address("/match");
    html! {
        @if let Some(contest) = contest {
            details.legend #tests open[!which.sprt.is_empty()] {
                summary { "Apply a sequential test" }
                @for (value, words) in tests(contest) {
                    @let question = words.trim_start_matches("when it is clear whether ").trim_start_matches("when it is clear that ");
                    a href=(address(value)) title=(format!("Stops {words}")) aria-current=[is_applied(value).then_some("true")] { (capitalised(question)) " " (range(value)) } " · "
                }
                @if !which.sprt.is_empty() && tests(contest).iter().all(|(value, _)| !is_applied(value)) { a href=(address(&which.sprt)) aria-current="true" { (range(&which.sprt)) } " · " }
                @if which.sprt.is_empty() { "the log does not name its test" } @else { a href=(address("")) { "no test" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_does_not_continue_the_log() {
        let line = again("sub/a b.jsonl", "uttt", ["classic", "python3 bot.py"]);
        assert!(line.ends_with("match uttt classic 'python3 bot.py' --log 'sub/a b-again.jsonl'"), "{line}");
    }
}
