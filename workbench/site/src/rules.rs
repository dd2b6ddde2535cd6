//! A battle of one of our games, played again by its rules: its record has the moves then, as every game of ours.

use contender_game::{contest::Contest, rules::Player, settings::Options};
use contender_play::Record;

/// The rule of games whose maps follow from CodinGame's seeds.
const MAP: &str = "map-seed";

/// Sets the moves, the setup and the name of the game from the recorded answers.
///
/// # Errors
/// The first answer that is not legal, or other points at the end, in words for the user.
pub fn replay(contest: &dyn Contest, record: &mut Record) -> Result<(), String> {
    let mut rules = Options::rules();
    rules.add(MAP, &record.seed.cast_signed().to_string())?;
    let (mut judge, rules) =
        match contest.judge(record.seed, &mut rules).and_then(|judge| rules.finish().map(|()| judge)) {
            Ok(judge) => (judge, format!("{MAP}={}", record.seed.cast_signed())),
            // A game without maps.
            Err(_) => (contest.judge(record.seed, &mut Options::rules())?, String::new()),
        };
    if record.seats.len() != 2 {
        return Err(format!("{} players: {} has 2", record.seats.len(), contest.name()));
    }
    let mut turns = [0; 2];
    loop {
        let questions = judge.ask();
        if questions.is_empty() {
            break;
        }
        for question in questions {
            let seat = question.player.index();
            let answer = record.seats[seat].outputs.get(turns[seat]).filter(|answer| !answer.is_empty());
            turns[seat] += 1;
            let Some(answer) = answer else {
                if record.seats[seat].ending.is_failure() {
                    judge.fail(question.player);
                    continue;
                }
                return Err(format!("turn {}: no answer of player {seat} is recorded", turns[seat]));
            };
            let lines: Vec<String> = answer.lines().map(str::to_string).collect();
            if let Err(reason) = judge.answer(question.player, &lines) {
                if !record.seats[seat].ending.is_failure() {
                    return Err(format!("turn {}, player {seat}, `{answer}`: {reason}", turns[seat]));
                }
                judge.fail(question.player);
            }
        }
    }
    let order = |points: [f64; 2]| points[0].total_cmp(&points[1]);
    let points = judge.points().map(f64::from);
    let recorded = [record.seats[1].rank, record.seats[0].rank].map(f64::from);
    if order(points) != order(recorded) {
        let [zero, one] = points;
        return Err(format!("the end: {zero}-{one} by the rules, another result is recorded"));
    }
    for player in Player::BOTH {
        record.seats[player.index()].points = Some(points[player.index()]);
    }
    record.game = contest.name().to_string();
    record.rules = rules;
    record.setup = judge.setup();
    record.moves = judge.moves().to_vec();
    Ok(())
}

/// Returns the input of a seat up to a turn, from 1.
///
/// # Errors
/// An answer that is not legal, in words for the user.
pub(crate) fn input(
    contest: &dyn Contest,
    record: &Record,
    seat: usize,
    turn: usize,
) -> Result<String, String> {
    let mut rules = contender_play::log::rules_of(&record.rules)?;
    let mut judge = contest.judge(record.seed, &mut rules)?;
    let mut turns = vec![0; record.seats.len()];
    let mut text = String::new();
    loop {
        let questions = judge.ask();
        if questions.is_empty() {
            return Err(format!("the game ends before turn {turn} of seat {seat}"));
        }
        let own = questions.iter().find(|question| question.player.index() == seat);
        if let Some(question) = own {
            text += &question.text;
            if turns[seat] + 1 == turn {
                return Ok(text);
            }
        }
        for question in &questions {
            let at = question.player.index();
            let answer = record.seats[at].outputs.get(turns[at]).map_or("", String::as_str);
            turns[at] += 1;
            let lines: Vec<String> = answer.lines().map(str::to_string).collect();
            judge
                .answer(question.player, &lines)
                .map_err(|reason| format!("turn {}, player {at}, `{answer}`: {reason}", turns[at]))?;
        }
    }
}
