//! A contest for the tests. The players count in turn, and each one answers with the number after the last one. The
//! player who reaches the last number wins 2 points to 1, and a player who fails has 0 points.

#![allow(dead_code)]

use contender_game::prelude::*;
use std::time::Duration;

/// Whether bots run with Linux features rather than with only the standard library.
pub const ON_LINUX: bool = cfg!(all(target_os = "linux", not(feature = "portable")));

/// A time that is long enough on any machine, however busy it is.
pub const AGES: Duration = Duration::from_secs(600);

/// Returns whether this process creates no control groups, because [`again_without_control_groups`] has turned them
/// off.
pub fn is_without_control_groups() -> bool {
    std::env::var_os("CONTENDER_CGROUPS").is_some()
}

/// Runs a test of the calling program twice in separate processes that create no control groups. The second process
/// creates no PID namespaces either.
pub fn again_without_control_groups(test: &str) {
    for namespaces in ["on", "off"] {
        let program = std::env::current_exe().unwrap();
        let output = std::process::Command::new(program)
            .args(["--exact", test, "--nocapture"])
            .env("CONTENDER_CGROUPS", "off")
            .env("CONTENDER_NAMESPACES", namespaces)
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        let is_passed = output.status.success() && said[0].contains("1 passed");
        assert!(is_passed, "PID namespaces {namespaces}: {}", said.concat());
    }
}

pub struct Counting {
    pub site: JudgeSite,
    pub limits: Limits,
}

/// The contest under CodeCup's rules, with plenty of time.
pub static COUNTING: Counting =
    Counting { site: JudgeSite::CodeCup, limits: Limits::per_game(Duration::from_secs(60)) };

pub const LAST: u32 = 12;

#[derive(Clone, PartialEq, Debug)]
pub struct Count {
    said: u32,
    last: u32,
}

impl Game for Count {
    type Move = u32;

    fn turn(&self) -> Turn {
        if self.said == self.last {
            Turn::Over
        } else {
            Turn::Player(Player::from_index(self.said as usize % 2))
        }
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.push(self.said + 1);
    }

    fn play(&mut self, number: u32) {
        self.said = number;
    }

    fn points(&self) -> [i32; 2] {
        if self.last % 2 == 1 { [2, 1] } else { [1, 2] }
    }
}

impl Notation for Count {
    fn read(&self, text: &str) -> Result<u32, String> {
        match text.parse() {
            Ok(number) if number == self.said + 1 => Ok(number),
            Ok(number) => Err(format!("{number} does not follow {}", self.said)),
            Err(_) => Err("not a number".to_string()),
        }
    }

    fn write(&self, number: u32) -> String {
        number.to_string()
    }

    fn picture(&self, _last: Option<Self::Move>, _viewer: Option<Player>) -> Picture {
        Picture::default()
    }
}

struct Words {
    /// Length of a comment before every question.
    padding: usize,
}

impl Protocol for Words {
    type State = Count;

    fn question(&self, state: &Count, _player: Player, _moves: &[String]) -> String {
        let comment =
            if self.padding == 0 { String::new() } else { format!("#{}\n", "x".repeat(self.padding)) };
        if state.said == 0 { format!("{comment}Start\n") } else { format!("{comment}{}\n", state.said) }
    }

    fn prompt(&self, _state: &Count, _player: Player) -> String {
        "the next number".to_string()
    }
}

/// A bot that answers with the next number, unless its name says otherwise.
struct Counter {
    name: &'static str,
}

impl LineBot for Counter {
    fn line(&mut self, line: &str) -> Result<Reply, String> {
        if line == "Quit" {
            return Ok(Reply::Stop);
        }
        if line.starts_with('#') {
            return Ok(Reply::Nothing);
        }
        let next = line.parse::<u32>().map_or(1, |number| number + 1);
        match self.name {
            "panics" if next > 4 => panic!("at {next}"),
            "confused" if next > 4 => Err(format!("what is {line}?")),
            "silent" if next > 4 => Ok(Reply::Nothing),
            "leaves" if next > 4 => Ok(Reply::Stop),
            "slow" => {
                std::thread::sleep(Duration::from_millis(30));
                Ok(Reply::Say(next.to_string()))
            }
            _ => Ok(Reply::Say(next.to_string())),
        }
    }
}

const BOTS: [BotInfo; 6] = {
    const fn bot(name: &'static str) -> BotInfo {
        BotInfo { name, about: "", settings: Vec::new }
    }
    [bot("counter"), bot("panics"), bot("confused"), bot("silent"), bot("leaves"), bot("slow")]
};

const INFO: ContestInfo = ContestInfo {
    name: "counting",
    package: "",
    about: "count in turn",
    seats: ["odd", "even"],
    site: JudgeSite::CodeCup,
    failures: FailureRule::CODECUP,
    limits: Limits::NONE,
    seats_differ: false,
    bots: &BOTS,
    rules: Vec::new,
};

impl Contest for Counting {
    fn info(&self) -> ContestInfo {
        ContestInfo { site: self.site, failures: self.site.failures(), limits: self.limits, ..INFO }
    }

    fn bot(&self, name: &str, options: &mut Options, _: &BotSetup) -> Result<Box<dyn LineBot>, String> {
        let known = BOTS.iter().find(|bot| bot.name == name);
        let name = known.ok_or_else(|| (self as &dyn Contest).unknown_bot(name))?.name;
        options.take::<u32>("depth")?;
        Ok(Box::new(Counter { name }))
    }

    fn judge(&self, seed: u64, options: &mut Options) -> Result<Box<dyn Judge>, String> {
        let last = options.take("last")?.unwrap_or(LAST);
        let padding = options.take("padding")?.unwrap_or(0);
        Ok(Box::new(TurnJudge::new(Words { padding }, self.site, Count { said: 0, last }, seed)))
    }

    fn recorded(&self, _: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String> {
        self.judge(0, options)
    }

    fn perft(&self, _: &[String], _: u32) -> Result<u64, String> {
        Ok(1)
    }
}
