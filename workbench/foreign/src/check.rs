//! Whether a bot plays by a referee without failing, before it joins a league.

use crate::commands::Bot;
use crate::game_log::Failure;
use crate::referee::{End, ForeignReferee, Game, NoResult, Played, drawn_seed};
use contender_game::mix;
use contender_referee::checker::{Check, CheckReport, Status};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// The engine reads a bot's standard error after its answer, and a pipe holds 64 KiB: a bot that has written more waits
/// for its reader, and its answer is late.
const MUCH_STDERR: usize = 10_000;

/// How much is played.
#[derive(Clone, Copy, Debug)]
pub struct Checking {
    /// Players of a game.
    pub players: usize,
    /// Games in each seat; 0 is taken as 1.
    pub games: u32,
    /// The seed of all luck.
    pub seed: u64,
}

/// Plays games in each seat, with `other` in all other seats, and says what there is to say of the bot. The first game
/// is played twice. `played` hears of every game.
///
/// # Errors
/// [`NoResult::Stopped`] and [`NoResult::Shortage`]. A referee that has no result fails the check.
pub fn check(
    referee: &ForeignReferee,
    name: &str,
    [bot, other]: [&Bot; 2],
    Checking { players, games, seed }: Checking,
    stop: &AtomicBool,
    played: &mut dyn FnMut(&Played, &[&Bot], u64),
) -> Result<CheckReport, NoResult> {
    let mut found: Vec<(usize, Played)> = Vec::new();
    let mut void = None;
    for number in (0..games.max(1) as usize * players).chain([0]) {
        let seat = number % players;
        let bots: Vec<&Bot> = (0..players).map(|place| if place == seat { bot } else { other }).collect();
        let luck = drawn_seed(mix(&[seed, number as u64]));
        match referee.play(Game { bots: &bots, seed: luck, folder: None }, stop) {
            Ok(game) => {
                played(&game, &bots, luck);
                found.push((seat, game));
            }
            Err(NoResult::Void { reason, repeat, .. }) => {
                void = Some(format!("{reason}\nagain: {repeat}"));
                break;
            }
            Err(error) => return Err(error),
        }
    }
    let mut checks = Vec::new();
    if let Some(reason) = void {
        let is_missing = reason.contains("Cannot run program");
        let (name, remedy) = match is_missing {
            true => ("starts", "give a command that starts the bot from this folder, or its full path"),
            false => (
                "has a result",
                "run the command again by itself: the referee or the way it is called is at fault",
            ),
        };
        checks.push(Check::new(name, Status::Fail, reason, remedy));
    }
    if !found.is_empty() {
        for seat in 0..players {
            checks.push(plays(&found, seat));
        }
        checks.push(failure(
            &found,
            "answers in time",
            |failure| failure == Failure::Timeout,
            "the engine does not tell a slow bot from one that crashed or does not flush: see its standard error, and run \
             the command again",
        ));
        checks.push(failure(
            &found,
            "plays legal moves",
            |failure| failure != Failure::Timeout,
            "compare the answer with the statement: the referee's words name what it does not take",
        ));
        checks.push(stderr(&found));
        checks.push(repeats(&found));
    }
    let passed = checks.iter().all(|check| check.status != Status::Fail);
    Ok(CheckReport { game: name.to_string(), command: bot.command.clone(), passed, checks })
}

/// How many games it plays to the end in a seat.
fn plays(games: &[(usize, Played)], seat: usize) -> Check {
    let here = || games.iter().filter(|(of, _)| *of == seat);
    let (count, whole) = (here().count(), here().filter(|(_, game)| game.ends[seat] == End::Normal).count());
    let mut scores = BTreeMap::new();
    for (_, game) in here() {
        *scores.entry(game.output.ranks[seat] + 1).or_insert(0) += 1;
    }
    let ranks: Vec<String> = scores.iter().map(|(rank, count)| format!("{count} of rank {rank}")).collect();
    let status = if whole == count { Status::Pass } else { Status::Fail };
    let detail = format!("{whole} of {count} games to the end: {}", ranks.join(", "));
    Check::new(format!("plays in seat {seat}"), status, detail, "see the failures below")
}

/// Whether no game has ended for it in this way.
fn failure(games: &[(usize, Played)], name: &str, is_so: fn(Failure) -> bool, remedy: &'static str) -> Check {
    let failed = games.iter().zip(1..).find_map(|((seat, game), number)| match &game.ends[*seat] {
        End::Failed { failure, words } if is_so(*failure) => Some((seat, game, number, words)),
        _ => None,
    });
    let Some((seat, game, number, words)) = failed else { return Check::new(name, Status::Pass, "", "") };
    let words = if words.is_empty() { "the referee says no more" } else { words };
    let mut detail = format!("game {number}, seat {seat}: {words}");
    let last_lines: Vec<&str> = game.stderr[*seat].lines().rev().take(3).collect();
    for line in last_lines.iter().rev() {
        detail += &format!("\nstderr: {line}");
    }
    Check::new(name, Status::Fail, detail + &format!("\nagain: {}", game.repeat), remedy)
}

fn stderr(games: &[(usize, Played)]) -> Check {
    let sizes = games.iter().filter_map(|(seat, game)| Some(game.game_log.as_ref()?.said(*seat)));
    let Some(most) = sizes.max() else {
        return Check::new("standard error", Status::Skip, "the referee writes no log", "");
    };
    let status = if most > MUCH_STDERR { Status::Warn } else { Status::Pass };
    let remedy = "write less: the engine reads it after the answer, and what does not fit in a pipe (64 KiB) is waited for";
    Check::new("standard error", status, format!("at most {most} bytes before an answer"), remedy)
}

/// Whether it plays the same in the same game. Both may be right.
fn repeats(games: &[(usize, Played)]) -> Check {
    let answers = |(seat, game): &(usize, Played)| -> Option<Vec<String>> {
        Some(game.game_log.as_ref()?.answers(*seat).map(str::to_string).collect())
    };
    let [first, .., again] = games else {
        return Check::new("repeats itself", Status::Skip, "only one game was played", "");
    };
    let detail = match (answers(first), answers(again)) {
        (Some(one), Some(other)) if one == other => "the same game twice, answer by answer",
        (Some(_), Some(_)) => "no: the same game takes another course, by the clock or by chance",
        _ if first.1.output == again.1.output => {
            "the same result twice; the referee writes no log of the answers"
        }
        _ => "no: the same game has another result, by the clock or by chance",
    };
    Check::new("repeats itself", Status::Pass, detail, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = env!("CARGO_MANIFEST_DIR");

    fn bot(arguments: &str) -> Bot {
        Bot { name: "bot".to_string(), command: format!("python3 {HERE}/tests/card_bot.py {arguments}") }
    }

    fn checked(referee: &str, arguments: &str) -> CheckReport {
        let referee =
            ForeignReferee::new(format!("python3 {HERE}/tests/stand_in.py {referee}").trim()).unwrap();
        let mut games = 0;
        let (mine, other) = (bot(arguments), bot("20"));
        let mut count = |_: &Played, _: &[&Bot], _: u64| games += 1;
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
        assert!(text.contains("plays in seat 2    1 of 1 games to the end: 1 of rank 1"), "{text}");
        assert!(text.contains("the same game twice, answer by answer"), "{text}");
    }

    #[test]
    fn failures_are_told_with_the_referees_words() {
        let text = checked("", "50 garbage").text();
        assert!(
            text.contains("game 1, seat 0: Invalid answer: what?") && text.contains("again: python3"),
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
        assert!(!report.passed && report.text().contains("leaves with status 1"), "{}", report.text());
    }
}
