//! Tests that a log with contradictory values is not reported as equal.

use contender_catalogue::contests;
use contender_game::{
    contest::{BotSetup, Contest, Limits, Position},
    settings::Options,
};
use contender_referee::{Entrant, Fixture, Record, Referee};
use contender_replay::{Outcome, Source, check, deciders};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// Plays a game and returns it as in a log.
fn played(contest: &'static dyn Contest) -> Value {
    let [zero, one] = ["greedy", "random"].map(|bot| Entrant::parse(contest, bot).unwrap());
    let fixture = Fixture::between([&zero, &one], 5, [1, 2]);
    let record = Referee::of(contest).play(contest, &fixture, &AtomicBool::new(false)).unwrap();
    serde_json::from_str(&record.to_json()).unwrap()
}

fn checked(game: &Value) -> Outcome {
    check(Source::from_bytes("log", format!("{game}\n").into_bytes()), None).unwrap()
}

#[test]
fn contradictions_are_named() {
    for &contest in contests() {
        let game = played(contest);
        let outcome = checked(&game);
        assert_eq!((outcome.equal, outcome.problems.len()), (1, 0), "{:?}", outcome.problems);
        let result = if game["result"] == "1-0" { "0-1" } else { "1-0" };
        let more = json!([game["scores"][0].as_i64().unwrap() + 1, game["scores"][1]]);
        let [mut negative, mut shorter] = [game["times_ms"].clone(), game["moves"].clone()];
        negative[0][0] = json!(-1.0);
        shorter.as_array_mut().unwrap().pop();
        for (key, value) in [
            ("result", json!(result)),
            ("scores", more),
            ("rules", json!("no-such-rule=1")),
            ("times_ms", negative),
            ("moves", shorter),
        ] {
            let mut wrong = game.clone();
            wrong[key] = value;
            let outcome = checked(&wrong);
            let problems = outcome.problems.join("\n");
            assert!(
                outcome.equal == 0 && problems.starts_with("log:1"),
                "{} {key}: {outcome:?}",
                contest.name()
            );
        }
        // A seed that gives another setup, if the setup is random.
        let mut other = game.clone();
        other["seed"] = json!(6);
        let is_fixed = game["setup"] == json!([]);
        assert_eq!(checked(&other).equal == 1, is_fixed, "{}: seed", contest.name());
    }
}

fn problem(record: &Value) -> String {
    let outcome = checked(record);
    assert_eq!(outcome.equal, 0, "{record}");
    outcome.problems.join("\n")
}

/// A record written by hand needs everything that the check needs, and all missing parts are reported at once.
#[test]
fn a_record_needs_a_game_its_moves_and_its_start() {
    assert_eq!(problem(&json!({"result": "1-0"})), "log:1: missing keys: `game` (or give --game), `moves`");
    assert_eq!(
        problem(&json!({"game": "box", "result": "1-0"})),
        "log:1: missing keys: `moves`, `setup` (or `seed`)"
    );
    for &contest in contests() {
        let game = played(contest);
        let of = |keys: &[&str]| -> Value {
            keys.iter()
                .map(|&key| (key.to_string(), game[key].clone()))
                .collect::<serde_json::Map<_, _>>()
                .into()
        };
        for keys in
            [&["game", "moves", "seed", "result"][..], &["game", "moves", "setup", "result", "scores"]]
        {
            let mut record = of(keys);
            let outcome = checked(&record);
            assert_eq!((outcome.equal, outcome.problems.len()), (1, 0), "{:?}", outcome.problems);
            record["result"] = json!(if game["result"] == "1-0" { "0-1" } else { "1-0" });
            assert!(problem(&record).starts_with("log:1: end: recorded result"), "{}", contest.name());
            record["result"] = game["result"].clone();
            record["moves"].as_array_mut().unwrap().pop();
            assert_eq!(problem(&record), "log:1: the game is not over after the last recorded move");
        }
    }
}

/// A bot that analyses a whole game finds the same as a new bot for each position, if it keeps nothing between
/// positions. The players who must decide are known without a bot.
#[test]
fn a_game_is_analysed_by_one_bot_as_its_positions_are() {
    for &contest in contests() {
        let record = Record::from_json(&played(contest).to_string()).unwrap();
        let deciders = deciders(contest, &record).unwrap();
        assert_eq!(deciders.len(), record.moves.len());
        let setup = BotSetup { limits: Limits::nodes(10), seed: 1 };
        let mut analyst = contest
            .analyst(record.seed, &mut Options::rules(), "greedy", &mut Options::default(), &setup)
            .unwrap();
        for (before, players) in deciders.iter().enumerate() {
            assert_eq!(&analyst.deciders(), players, "{} {before}", contest.name());
            for &player in players {
                let played = Some(record.moves[before].as_str());
                let position = Position {
                    seed: record.seed,
                    rules: &mut Options::rules(),
                    moves: &record.moves[..before],
                    played,
                    player: Some(player),
                };
                let alone = contest.analyse(position, "greedy", &mut Options::default(), &setup).unwrap();
                let found = analyst.analyse(Some(player), played).unwrap();
                assert_eq!((found.player, &found.played), (player, &alone.played));
                // Moves with equal values are in random order.
                let [found, alone] = [found.analysis, alone.analysis].map(|found| found.moves[0].value);
                assert_eq!(found, alone, "{} {before}", contest.name());
            }
            analyst.replay(&record.moves[before]).unwrap();
        }
        assert!(analyst.deciders().is_empty());
    }
}
