//! Tests in which both players get their questions at once, and answers have two lines.

use contender_game::prelude::*;
use contender_referee::*;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

/// A game of three rounds. In each round, both players write the next number twice. If a player fails, its opponent
/// plays on alone.
struct Together {
    round: usize,
    due: [bool; 2],
    failed: [bool; 2],
    moves: Vec<String>,
}

impl Judge for Together {
    fn ask(&mut self) -> Vec<Question> {
        assert_eq!(self.due, [false; 2], "every question has been answered or failed");
        if self.round == 3 {
            return Vec::new();
        }
        let text = if self.round == 0 { "Start\n".to_string() } else { format!("{}\n", self.round) };
        self.round += 1;
        let players = Player::BOTH.into_iter().filter(|&player| !self.failed[player]);
        let questions: Vec<Question> =
            players.map(|player| Question { player, text: text.clone(), answer_lines: 2 }).collect();
        for question in &questions {
            self.due[question.player] = true;
        }
        questions
    }

    fn answer(&mut self, player: Player, lines: &[String]) -> Result<(), String> {
        assert!(self.due[player]);
        if lines != [self.round.to_string(), self.round.to_string()] {
            return Err(format!("{lines:?} in round {}", self.round));
        }
        self.due[player] = false;
        self.moves.push(format!("{}:{}", player.index(), lines[0]));
        Ok(())
    }

    fn fail(&mut self, player: Player) {
        self.due[player] = false;
        self.failed[player] = true;
    }

    fn replay(&mut self, _: &str) -> Result<(), String> {
        Err("not here".to_string())
    }

    fn points(&self) -> [i32; 2] {
        self.failed.map(|failed| i32::from(!failed))
    }

    fn farewell(&self) -> &'static str {
        ""
    }

    fn setup(&self) -> Vec<String> {
        Vec::new()
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn picture(&self, _: Option<Player>) -> Picture {
        Picture::default()
    }

    fn prompt(&self, _: Player) -> String {
        String::new()
    }
}

/// A bundled bot that creates a file at its first question and waits for its opponent's file, as the program does.
struct Meets {
    own: String,
    other: String,
}

impl LineBot for Meets {
    fn line(&mut self, line: &str) -> Result<Reply, String> {
        std::fs::write(&self.own, "").map_err(|error| error.to_string())?;
        while !Path::new(&self.other).exists() {
            thread::sleep(Duration::from_millis(2));
        }
        let next = line.parse::<u32>().map_or(1, |number| number + 1);
        Ok(Reply::Say(format!("{next}\n{next}")))
    }
}

struct TogetherContest;

const INFO: ContestInfo = ContestInfo {
    name: "together",
    package: "",
    about: "count at once",
    seats: ["left", "right"],
    site: JudgeSite::CodinGame,
    failures: FailureRule::CODINGAME,
    limits: Limits::per_turn(Duration::from_secs(600), Duration::from_secs(600)),
    seats_differ: false,
    bots: &[BotInfo { name: "meets", about: "", settings: Vec::new }],
    rules: Vec::new,
};

impl Contest for TogetherContest {
    fn info(&self) -> ContestInfo {
        INFO
    }

    fn bot(&self, _: &str, options: &mut Options, _: &BotSetup) -> Result<Box<dyn LineBot>, String> {
        let mut path = |key| options.take::<String>(key).map(Option::unwrap_or_default);
        Ok(Box::new(Meets { own: path("own")?, other: path("other")? }))
    }

    fn judge(&self, _: u64, _: &mut Options) -> Result<Box<dyn Judge>, String> {
        Ok(Box::new(Together { round: 0, due: [false; 2], failed: [false; 2], moves: Vec::new() }))
    }

    fn recorded(&self, _: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String> {
        self.judge(0, options)
    }

    fn perft(&self, _: &[String], _: u32) -> Result<u64, String> {
        Ok(1)
    }
}

fn play(players: [String; 2]) -> Record {
    let players = players.map(|text| Entrant::parse(&TogetherContest, &text).unwrap());
    let fixture = Fixture::between([&players[0], &players[1]], 1, [1, 2]);
    Referee::of(&TogetherContest).play(&TogetherContest, &fixture, &AtomicBool::new(false)).unwrap()
}

fn external(arguments: &str) -> String {
    format!("{} {arguments}", env!("CARGO_BIN_EXE_contender-zoo"))
}

/// A folder that is removed after the test.
struct Folder(String);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("contender-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder.to_str().unwrap().to_string())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn both_have_their_question_before_either_answers() {
    let folder = Folder::new("meet");
    let [a, b] = ["a", "b"].map(|name| format!("{}/{name}", folder.0));
    let clear = || {
        let _ = [&a, &b].map(std::fs::remove_file);
    };
    let zoo = [external(&format!("meet {a} {b}")), external(&format!("meet {b} {a}"))];
    let bundled = [format!("meets:own={a},other={b}"), format!("meets:own={b},other={a}")];
    for players in [
        [zoo[0].clone(), zoo[1].clone()],
        [zoo[0].clone(), bundled[1].clone()],
        [bundled[0].clone(), zoo[1].clone()],
    ] {
        clear();
        let game = play(players);
        assert_eq!(game.points(), [1.0, 1.0], "{game:?}");
        assert_eq!(game.moves.join(" "), "0:1 1:1 0:2 1:2 0:3 1:3");
    }
}

#[test]
fn each_has_its_own_clock() {
    // On a busy machine the other bot may sometimes be just as late, but not every time.
    let is_its_own = (0..100).any(|_| {
        let game = play([external("late-pair 1"), external("pair")]);
        assert_eq!(game.points(), [1.0, 1.0], "{game:?}");
        assert!(game.seats[0].slowest >= Duration::from_millis(400));
        game.seats[1].times[1] < game.seats[0].times[1]
    });
    assert!(is_its_own);
}

#[test]
fn one_or_both_may_fail_in_the_same_round() {
    let game = play([external("pair"), external("crash-pair 1")]);
    assert_eq!(game.points(), [1.0, 0.0]);
    assert_eq!(game.seats[1].ending, Ending::Crash { signal: 6 });
    assert_eq!(game.moves.join(" "), "0:1 1:1 0:2 0:3");

    let game = play([external("crash"), external("exit")]);
    assert_eq!(game.points(), [0.0, 0.0]);
    assert_eq!(game.seats[0].ending, Ending::Crash { signal: 6 });
    assert_eq!(game.seats[1].ending, Ending::Exit { code: 9 });
}
