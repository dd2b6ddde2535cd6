//! A small game for matches. The players take turns. Each bids for a hidden prize and earns the bid if it is not above
//! the prize.

use contender_game::prelude::*;
use contender_referee::{Entrant, Referee};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The game as a contest for either site.
#[derive(Debug)]
pub struct Prizes {
    pub site: JudgeSite,
    /// Number of judges created.
    pub judges: AtomicU64,
    /// A number of judges, and the flag to set when this many have been created.
    pub stop: Option<(u64, &'static AtomicBool)>,
}

impl Prizes {
    pub fn new(site: JudgeSite) -> Prizes {
        Prizes { site, judges: AtomicU64::new(0), stop: None }
    }
}

/// Default number of turns in a game.
const TURNS: u32 = 12;

#[derive(Clone, PartialEq, Debug)]
struct Bidding {
    /// The points by seat. Seat 0 starts with more points, so that the seats differ.
    points: [i32; 2],
    turns: u32,
    last: u32,
    prize: Option<i32>,
}

impl Game for Bidding {
    type Move = i32;

    fn turn(&self) -> Turn {
        match self.prize {
            _ if self.turns == self.last => Turn::Over,
            None => Turn::Chance,
            Some(_) => Turn::Player(Player::from_index(self.turns as usize % 2)),
        }
    }

    fn moves(&self, moves: &mut Vec<i32>) {
        if let Turn::Player(_) = self.turn() {
            moves.extend(0..10);
        }
    }

    fn play(&mut self, bid: i32) {
        let (Turn::Player(player), Some(prize)) = (self.turn(), self.prize.take()) else { return };
        self.points[player] += if bid <= prize { bid } else { 0 };
        self.turns += 1;
    }

    fn points(&self) -> [i32; 2] {
        self.points
    }
}

impl Notation for Bidding {
    fn read(&self, text: &str) -> Result<i32, String> {
        text.parse().ok().filter(|bid| (0..10).contains(bid)).ok_or("a bid is a digit".to_string())
    }

    fn write(&self, bid: i32) -> String {
        bid.to_string()
    }

    fn write_record(&self, bid: i32) -> String {
        format!("{bid}/{}", self.prize.unwrap_or(0))
    }

    fn picture(&self, _: Option<Self::Move>, _: Option<Player>) -> Picture {
        Picture::default()
    }
}

struct Rules;

impl Protocol for Rules {
    type State = Bidding;

    fn draw(&mut self, state: &mut Bidding, rng: &mut Rng) {
        state.prize = Some(rng.below(10) as i32);
    }

    fn question(&self, _: &Bidding, _: Player, _: &[String]) -> String {
        "bid\n".to_string()
    }

    fn setup(&self, start: &Bidding) -> Vec<String> {
        vec![start.points[0].to_string()]
    }

    fn prompt(&self, _: &Bidding, _: Player) -> String {
        String::new()
    }
}

/// A bot that bids a fixed number, or a random one if `bid` is `None`. Some bids are nonsense.
struct Bidder {
    rng: Rng,
    bid: Option<u32>,
    nonsense: u32,
}

impl LineBot for Bidder {
    fn line(&mut self, line: &str) -> Result<Reply, String> {
        if line != "bid" {
            return Ok(Reply::Stop);
        }
        if self.rng.below(1000) < self.nonsense {
            return Ok(Reply::Say("many".to_string()));
        }
        let bid = self.bid.unwrap_or_else(|| self.rng.below(10));
        Ok(Reply::Say(bid.to_string()))
    }
}

const INFO: ContestInfo = ContestInfo {
    name: "prizes",
    package: "",
    about: "bidding for hidden prizes",
    seats: ["Host", "Guest"],
    site: JudgeSite::CodeCup,
    failures: FailureRule::CODECUP,
    limits: Limits::NONE,
    seats_differ: true,
    bots: &[
        BotInfo { name: "random", about: "bids anything", settings: Vec::new },
        BotInfo { name: "fixed", about: "bids the same", settings: Vec::new },
    ],
    rules: Vec::new,
};

impl Contest for Prizes {
    fn info(&self) -> ContestInfo {
        ContestInfo { site: self.site, failures: self.site.failures(), ..INFO }
    }

    fn bot(&self, name: &str, options: &mut Options, setup: &BotSetup) -> Result<Box<dyn LineBot>, String> {
        let rng = Rng::new(setup.seed);
        match name {
            "random" => Ok(Box::new(Bidder { rng, bid: None, nonsense: 0 })),
            "fixed" => Ok(Box::new(Bidder {
                rng,
                bid: Some(options.take("bid")?.unwrap_or(5)),
                nonsense: options.take("nonsense")?.unwrap_or(0),
            })),
            _ => Err("no such bot".to_string()),
        }
    }

    fn judge(&self, seed: u64, options: &mut Options) -> Result<Box<dyn Judge>, String> {
        let number = self.judges.fetch_add(1, Ordering::SeqCst) + 1;
        if let Some((at, stop)) = self.stop {
            stop.fetch_or(number == at, Ordering::SeqCst);
        }
        if options.take::<u64>("broken")?.is_some_and(|broken| number.is_multiple_of(broken)) {
            return Err("the judge is broken".to_string());
        }
        let seed = options.take::<u64>("fixed")?.unwrap_or(seed);
        let bonus = Rng::new(seed).below(5) as i32;
        let last = options.take("turns")?.unwrap_or(TURNS);
        let start = Bidding { points: [bonus, 0], turns: 0, last, prize: None };
        Ok(Box::new(TurnJudge::new(Rules, self.site, start, seed)))
    }

    fn recorded(&self, _: &[String], _: &mut Options) -> Result<Box<dyn Judge>, String> {
        Err("not here".to_string())
    }

    fn perft(&self, _: &[String], _: u32) -> Result<u64, String> {
        Err("not here".to_string())
    }
}

/// Returns the contest's referee with these rules.
pub fn referee(contest: &Prizes, rules: &str) -> Referee {
    let mut referee = Referee::of(contest);
    referee.conditions.rules = Options::parse(rules).unwrap();
    referee
}

pub fn entrants<const BOTS: usize>(contest: &Prizes, texts: [&str; BOTS]) -> [Entrant; BOTS] {
    texts.map(|text| Entrant::parse(contest, text).unwrap())
}
