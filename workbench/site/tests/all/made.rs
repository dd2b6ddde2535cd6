//! Battles in the site's form: of the stand-in referee's card game, and of bundled games.

use contender_foreign::ExternalReferee;
use contender_game::contest::Contest;
use contender_game::{rules::Rng, settings::Options};
use contender_play::{CommandLine, Entrant, Fixture, Program, Record};
use contender_site::{Import, ImportOptions};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The folder with the stand-in referee and its bot.
pub const STAND_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../foreign/tests");
/// A seed that JavaScript would round.
pub const SEED: i64 = -4_436_915_910_920_504_001;

pub fn referee() -> ExternalReferee {
    let mut referee = ExternalReferee::new(&format!("python3 {STAND_IN}/stand_in.py")).unwrap();
    referee.name = "cards".to_string();
    referee
}

pub fn bot(name: &str, words: &str) -> Entrant {
    let line = format!("python3 {STAND_IN}/card_bot.py {words}");
    let words = line.split(' ').map(str::to_string);
    Entrant { name: name.to_string(), program: Program::Command(CommandLine::new(words)) }
}

/// Plays a game between two bots and returns it as the site would give it.
pub fn battle(id: u64, seed: i64, bots: [&Entrant; 2]) -> Value {
    let fixture = Fixture {
        seats: bots.map(Entrant::clone).to_vec(),
        seed: seed.cast_unsigned(),
        bot_seeds: Vec::new(),
    };
    let referee = referee();
    let played = referee.play_here(&fixture, &AtomicBool::new(false)).unwrap();
    let log = played.game_log.unwrap();
    let mut frames = vec![json!({"agentId": -1, "view": "a map", "keyframe": true})];
    let answers = [0, 1].map(|seat| log.answers(seat).map(str::to_string).collect::<Vec<_>>());
    for turn in 0..answers[0].len().max(answers[1].len()) {
        for (seat, answers) in answers.iter().enumerate() {
            let mut frame =
                json!({"agentId": seat, "gameInformation": "", "keyframe": seat == 1, "view": "cards"});
            if let Some(answer) = answers.get(turn) {
                frame["stdout"] = json!(answer);
                if seat == 0 {
                    frame["stderr"] = json!(format!("turn {turn}\n"));
                }
            }
            frames.push(frame);
        }
    }
    for frame in log.frames().iter().filter(|frame| !frame.summary.is_empty()) {
        frames.last_mut().unwrap()["summary"] = json!(frame.summary);
    }
    let seats = &played.record.seats;
    json!({
        "gameId": id,
        "refereeInput": format!("seed={seed}\nsize=9\n"),
        "frames": frames,
        "scores": seats.iter().map(|seat| seat.points).collect::<Vec<_>>(),
        "ranks": seats.iter().map(|seat| seat.rank).collect::<Vec<_>>(),
        "tooltips": [],
        "agents": (0..2).map(|index| json!({
            "index": index, "agentId": 5_000_000 + index, "valid": true,
            "codingamer": {"pseudo": bots[index as usize].name, "userId": 7 + index},
        })).collect::<Vec<_>>(),
    })
}

/// Returns a battle between `ann` and `bob` as the site would give it. The outputs are by call: the seat and its lines.
pub fn of_outputs(id: u64, seed: i64, outputs: &[(usize, Vec<String>)], scores: [i32; 2]) -> Value {
    let call = |(seat, lines): &(usize, Vec<String>)| json!({"agentId": seat, "stdout": lines.join("\n") + "\n", "keyframe": true});
    let frames: Vec<Value> =
        [json!({"agentId": -1, "keyframe": true})].into_iter().chain(outputs.iter().map(call)).collect();
    let agent = |(index, name): (usize, &str)| json!({"index": index, "codingamer": {"pseudo": name}});
    let agents: Vec<Value> = ["ann", "bob"].into_iter().enumerate().map(agent).collect();
    json!({
        "gameId": id, "refereeInput": format!("seed={seed}\n"), "frames": frames, "tooltips": [],
        "scores": scores, "ranks": [usize::from(scores[0] < scores[1]), usize::from(scores[1] < scores[0])],
        "agents": agents,
    })
}

/// Plays a random game of a bundled game. Returns it as a battle, with the points after each turn.
pub fn random_battle(contest: &dyn Contest, seed: i64) -> (Value, Vec<[i32; 2]>) {
    let mut rules = Options::rules();
    if contest.name() == "cellularena" {
        rules.add("map-seed", &seed.to_string()).unwrap();
    }
    let mut judge = contest.judge(seed.cast_unsigned(), &mut rules).unwrap();
    let mut rng = Rng::new(seed.cast_unsigned());
    let (mut outputs, mut points) = (Vec::new(), Vec::new());
    loop {
        let questions = judge.ask();
        if questions.is_empty() {
            break;
        }
        for question in questions {
            let choices = judge.choices(question.player);
            let lines: Vec<String> =
                (0..question.answer_lines).map(|_| rng.choose(&choices).clone()).collect();
            judge.answer(question.player, &lines).unwrap();
            outputs.push((question.player.index(), lines));
        }
        points.push(judge.points());
    }
    (of_outputs(seed.unsigned_abs(), seed, &outputs, judge.points()), points)
}

/// Returns the games of these files, which must all be readable.
pub fn imported(paths: &[&Path], options: ImportOptions<'_>) -> Vec<Record> {
    let mut records = Vec::new();
    let mut import = Import::new(options);
    for path in paths {
        let mut write = |record: &Record| {
            // What a log does not keep must not be missed later.
            records.push(Record::from_json(&record.to_json()).unwrap());
            Ok(())
        };
        import.read(path, &mut write, &mut |unread| panic!("{unread}")).unwrap();
    }
    records
}

/// Writes a battle and imports it.
pub fn brought(battle: &Value, me: &str) -> Record {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("battle.json");
    fs::write(&path, battle.to_string()).unwrap();
    imported(&[&path], ImportOptions { me: Some(me), ..ImportOptions::default() }).remove(0)
}
