//! A game in which a bot must repeat the number that it receives. The game measures the code around bots instead of the
//! bots themselves, because `cat` can play it, and so can a bundled bot of one line.

use contender_game::{
    board::Picture,
    contest::{
        BotInfo, BotSetup, Contest, ContestInfo, FailureRule, Judge, JudgeSite, Limits, LineBot, Question,
        Reply,
    },
    rules::Player,
    settings::Options,
};
use contender_referee::{CommandLine, Entrant, Program};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Returns the program `cat` as a bot. It answers every question with the question itself.
pub fn cat() -> Entrant {
    Entrant { name: "cat".to_string(), program: Program::Command(CommandLine::new(["cat"])) }
}

/// Returns the program `sed` as a bot that plays many games in one process. It repeats every question except `Quit`.
pub fn sed() -> Entrant {
    let command = CommandLine::new(["sed", "-u", "/^Quit$/d"]);
    Entrant { name: "sed".to_string(), program: Program::KeepAlive(command) }
}

/// Returns a bundled bot that runs in this process.
pub fn bundled() -> Entrant {
    let program = Program::Bundled { bot: "echo".to_string(), options: Options::default() };
    Entrant { name: "echo".to_string(), program }
}

/// Asks two processes in turn with blocking calls: writes a line and reads the echo. Returns the number of correct
/// echoes.
pub fn bare_pipes(rounds: u64, last: u64) -> u64 {
    let mut right = 0;
    for _ in 0..rounds {
        let mut bots = [0; 2].map(|_| {
            let pipes = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
            let mut child = pipes.expect("cat starts");
            let input = child.stdin.take().expect("a pipe");
            let output = BufReader::new(child.stdout.take().expect("a pipe"));
            (child, input, output)
        });
        let mut line = String::new();
        for number in 0..last {
            let (_, input, output) = &mut bots[number as usize % 2];
            input.write_all(format!("{number}\n").as_bytes()).expect("cat reads");
            line.clear();
            output.read_line(&mut line).expect("cat answers");
            right += u64::from(line.trim().parse() == Ok(number));
        }
        for (mut child, input, _) in bots {
            drop(input);
            child.wait().expect("cat ends");
        }
    }
    right
}

/// A contest in which a bot must repeat the number that it receives.
pub struct EchoContest {
    /// Number of moves in a game.
    pub last: u64,
}

struct EchoJudge {
    last: u64,
    moves: Vec<String>,
}

impl Judge for EchoJudge {
    fn ask(&mut self) -> Vec<Question> {
        let number = self.moves.len();
        if number as u64 == self.last {
            return Vec::new();
        }
        vec![Question {
            player: Player::from_index(number % 2),
            text: format!("{number}\n"),
            answer_lines: 1,
        }]
    }

    fn answer(&mut self, _: Player, lines: &[String]) -> Result<(), String> {
        if lines[0].parse() != Ok(self.moves.len()) {
            return Err("another number".to_string());
        }
        self.moves.push(lines[0].clone());
        Ok(())
    }

    fn fail(&mut self, _: Player) {
        self.last = self.moves.len() as u64;
    }

    fn replay(&mut self, _: &str) -> Result<(), String> {
        Err("nothing is recorded".to_string())
    }

    fn points(&self) -> [i32; 2] {
        [0; 2]
    }

    /// This line is sent before the bot's input is closed, which makes `cat` exit.
    fn farewell(&self) -> &'static str {
        "Quit\n"
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

struct EchoBot;

impl LineBot for EchoBot {
    fn line(&mut self, line: &str) -> Result<Reply, String> {
        Ok(if line == "Quit" { Reply::Stop } else { Reply::Say(line.to_string()) })
    }
}

const INFO: ContestInfo = ContestInfo {
    name: "echo",
    package: "",
    about: "repeat the number",
    seats: ["even", "odd"],
    site: JudgeSite::CodeCup,
    failures: FailureRule::CODECUP,
    limits: Limits::per_game(Duration::from_secs(600)),
    seats_differ: false,
    bots: &[BotInfo { name: "echo", about: "repeats the number", settings: Vec::new }],
    rules: Vec::new,
};

impl Contest for EchoContest {
    fn info(&self) -> ContestInfo {
        INFO
    }

    fn bot(&self, _: &str, _: &mut Options, _: &BotSetup) -> Result<Box<dyn LineBot>, String> {
        Ok(Box::new(EchoBot))
    }

    fn judge(&self, _: u64, _: &mut Options) -> Result<Box<dyn Judge>, String> {
        Ok(Box::new(EchoJudge { last: self.last, moves: Vec::new() }))
    }

    fn recorded(&self, _: &[String], _: &mut Options) -> Result<Box<dyn Judge>, String> {
        Err("nothing is recorded".to_string())
    }

    fn perft(&self, _: &[String], _: u32) -> Result<u64, String> {
        Ok(1)
    }
}
