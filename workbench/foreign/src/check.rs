//! Checks that a bot plays with an external referee without failing, before it joins a league.

use crate::commands::command;
use crate::referee::{ExternalReferee, RefereedGame, drawn_seed};
use contender_game::rules::mix;
use contender_play::{Ending, Entrant, Fixture, GameError, Record};
use contender_referee::checker::{Check, CheckReport, CheckStatus, last_lines};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Number of bytes that a bot should write to standard error at most. The engine reads standard error only after the
/// bot's answer, and a pipe holds 64 KiB. A bot that writes more must wait until the pipe is read, so its answer is
/// late.
const MUCH_STDERR: usize = 10_000;

/// The parameters of a check.
#[derive(Clone, Copy, Debug)]
pub struct Checking {
    /// Number of players per game.
    pub players: usize,
    /// Number of games in each seat; 0 counts as 1.
    pub games: u32,
    /// The random seed.
    pub seed: u64,
}

/// Plays games with the bot in each seat and `other` in all other seats, and reports on the bot. Plays the first game
/// twice. Calls `played` for every game.
///
/// # Errors
/// Returns [`GameError::Stopped`] or [`GameError::Busy`]. If the referee returns no result, the check fails without an
/// error.
pub fn check(
    referee: &ExternalReferee,
    name: &str,
    [bot, other]: [&Entrant; 2],
    Checking { players, games, seed }: Checking,
    stop: &AtomicBool,
    played: &mut dyn FnMut(&Record),
) -> Result<CheckReport, GameError> {
    let mut found: Vec<(usize, RefereedGame)> = Vec::new();
    let mut void = None;
    for number in (0..games.max(1) as usize * players).chain([0]) {
        let seat = number % players;
        let seats = (0..players).map(|place| if place == seat { bot } else { other }).cloned().collect();
        let fixture = Fixture { seats, seed: drawn_seed(mix(&[seed, number as u64])), bot_seeds: Vec::new() };
        match referee.play_here(&fixture, stop) {
            Ok(game) => {
                played(&game.record);
                found.push((seat, game));
            }
            Err(GameError::Void { reason, repeat, .. }) => {
                void = Some(repeat.map_or(reason.clone(), |repeat| format!("{reason}\nagain: {repeat}")));
                break;
            }
            Err(error) => return Err(error),
        }
    }
    let mut checks = Vec::new();
    if let Some(reason) = void {
        let is_missing = reason.contains("Cannot run program");
        let (name, remedy) = match is_missing {
            true => ("starts", "give a command that starts the bot from this folder, or the bot's full path"),
            false => {
                ("has a result", "run the command by itself: the fault is in the referee or its options")
            }
        };
        checks.push(Check::new(name, CheckStatus::Fail, reason, remedy));
    }
    if !found.is_empty() {
        for seat in 0..players {
            checks.push(plays(&found, seat));
        }
        checks.push(failure(
            &found,
            "answers in time",
            |name| IN_TIME.contains(&name),
            "the engine does not distinguish between bots that are slow, crash or do not flush their \
             output; run the command again and look at the bot's standard error",
        ));
        checks.push(failure(
            &found,
            "plays legal moves",
            |name| !IN_TIME.contains(&name),
            "compare the answer with the challenge's statement; the referee's message describes the problem",
        ));
        checks.push(stderr(&found));
        checks.push(repeats(&found));
    }
    let passed = checks.iter().all(|check| check.status != CheckStatus::Fail);
    Ok(CheckReport { game: name.to_string(), command: command(bot), passed, checks })
}

/// Checks how many games the bot completes in a seat.
fn plays(games: &[(usize, RefereedGame)], seat: usize) -> Check {
    let here = || games.iter().filter(|(of, _)| *of == seat);
    let (count, whole) =
        (here().count(), here().filter(|(_, game)| game.record.seats[seat].ending == Ending::Normal).count());
    let mut scores = BTreeMap::new();
    for (_, game) in here() {
        *scores.entry(game.record.seats[seat].rank + 1).or_insert(0) += 1;
    }
    let ranks: Vec<String> = scores.iter().map(|(rank, count)| format!("rank {rank} in {count}")).collect();
    let status = if whole == count { CheckStatus::Pass } else { CheckStatus::Fail };
    let detail = format!("{whole} of {count} games completed: {}", ranks.join(", "));
    Check::new(format!("plays in seat {seat}"), status, detail, "see the failures below")
}

/// The endings of bots that do not answer in time.
const IN_TIME: [&str; 3] = ["timeout", "overloaded", "exit"];

/// Checks that the bot did not fail in a given way in any game.
fn failure(
    games: &[(usize, RefereedGame)],
    name: &str,
    is_so: fn(&str) -> bool,
    remedy: &'static str,
) -> Check {
    let failed = games.iter().zip(1..).find_map(|((seat, game), number)| {
        let found = &game.record.seats[*seat];
        found.ending.failure_name().filter(|name| is_so(name)).map(|_| (seat, game, number, found))
    });
    let Some((seat, game, number, found)) = failed else {
        return Check::new(name, CheckStatus::Pass, "", "");
    };
    let mut detail = format!("game {number}, seat {seat}: {}", found.ending);
    detail += &last_lines(&found.stderr, "stderr: ");
    if let Some(repeat) = &game.record.repeat {
        detail += &format!("\nagain: {repeat}");
    }
    Check::new(name, CheckStatus::Fail, detail, remedy)
}

fn stderr(games: &[(usize, RefereedGame)]) -> Check {
    let sizes = games.iter().filter_map(|(seat, game)| Some(game.game_log.as_ref()?.said(*seat)));
    let Some(most) = sizes.max() else {
        return Check::new("standard error", CheckStatus::Skip, "the referee writes no log", "");
    };
    let status = if most > MUCH_STDERR { CheckStatus::Warn } else { CheckStatus::Pass };
    let remedy = "write less: the engine reads standard error only after the answer, so a bot that fills \
        the pipe (64 KiB) must wait";
    Check::new("standard error", status, format!("at most {most} bytes before an answer"), remedy)
}

/// Checks whether the bot gives the same answers when a game is repeated. Both results are acceptable.
fn repeats(games: &[(usize, RefereedGame)]) -> Check {
    let answers = |(seat, game): &(usize, RefereedGame)| -> Option<Vec<String>> {
        Some(game.game_log.as_ref()?.answers(*seat).map(str::to_string).collect())
    };
    let [first, .., again] = games else {
        return Check::new("repeats itself", CheckStatus::Skip, "only one game was played", "");
    };
    let result = |game: &RefereedGame| -> Vec<(u32, Option<f64>)> {
        game.record.seats.iter().map(|seat| (seat.rank, seat.points)).collect()
    };
    let detail = match (answers(first), answers(again)) {
        (Some(one), Some(other)) if one == other => "gave the same answers when a game was repeated",
        (Some(_), Some(_)) => {
            "not reproducible: gave different answers when a game was repeated, because of timing or \
             randomness"
        }
        _ if result(&first.1) == result(&again.1) => {
            "a repeated game had the same result; the referee does not log the answers"
        }
        _ => "not reproducible: a repeated game had a different result, because of timing or randomness",
    };
    Check::new("repeats itself", CheckStatus::Pass, detail, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = env!("CARGO_MANIFEST_DIR");

    fn bot(arguments: &str) -> Entrant {
        Entrant::parse_command(&format!("bot=python3 {HERE}/tests/card_bot.py {arguments}")).unwrap()
    }

    fn checked(referee: &str, arguments: &str) -> CheckReport {
        let referee =
            ExternalReferee::new(format!("python3 {HERE}/tests/stand_in.py {referee}").trim()).unwrap();
        let mut games = 0;
        let (mine, other) = (bot(arguments), bot("20"));
        let mut count = |_: &Record| games += 1;
        let stop = AtomicBool::new(false);
        let report = check(
            &referee,
            "cards",
            [&mine, &other],
            Checking { players: 3, games: 1, seed: 1 },
            &stop,
            &mut count,
        )
        .unwrap();
        assert!(games == 4 || !report.passed);
        report
    }

    #[test]
    fn a_bot_that_plays_passes_in_every_seat() {
        let report = checked("", "50");
        assert!(report.passed, "{}", report.text());
        let text = report.text();
        assert!(text.contains("plays in seat 2    1 of 1 games completed: rank 1 in 1"), "{text}");
        assert!(text.contains("gave the same answers when a game was repeated"), "{text}");
    }

    #[test]
    fn failures_are_told_with_the_referees_words() {
        let text = checked("", "50 garbage").text();
        assert!(
            text.contains("game 1, seat 0: makes an illegal move: Invalid answer: what?")
                && text.contains("again: python3"),
            "{text}"
        );
        let text = checked("", "50 crash").text();
        assert!(
            text.contains("has not provided 1 lines in time") && text.contains("stderr: ValueError: a bug"),
            "{text}"
        );
    }

    #[test]
    fn a_referee_without_a_result_fails_the_check() {
        let report = checked("--fault trace", "50");
        assert!(!report.passed && report.text().contains("exits with status 1"), "{}", report.text());
    }
}
