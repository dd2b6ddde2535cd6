//! The interface of Cellularena for the tools.

use crate::bots::Bots;
use crate::notation::SEATS;
use crate::{map, CellularenaJudge, CellularenaProtocol, Kind, Order};
use contender_game::{
    board::Picture,
    contest::{
        numbered, BotList, Contest, ContestInfo, FailureRule, Judge, JudgeSite, Limits, OpenJudge,
        TypedContest,
    },
    rules::{mix, perft_joint},
    settings,
    settings::{Settings, Text},
};
use std::time::Duration;

/// Cellularena, as played in CodinGame's Winter Challenge 2024, in the leagues from Bronze on.
#[derive(Clone, Copy, Debug)]
pub struct CellularenaContest;

/// The contest, for lists of contests.
pub static CONTEST: &dyn Contest = &CellularenaContest;

settings! {
    /// The parts of the setup that can be fixed.
    #[derive(Clone, Debug)]
    pub struct Rules {
        /// map seed as in the judge, not 0; for example map-seed=-42
        map_seed ("map-seed"): Option<i64> = None, Text("random");
    }
}

/// The map seed of the position from which perft counts start.
const PERFT_SEED: i64 = 1;

impl TypedContest for CellularenaContest {
    type Bots = Bots;
    type Rules = Rules;
    type Judge = CellularenaJudge;

    const SOURCE: &'static str = include_str!("lib.rs");

    const INFO: ContestInfo = ContestInfo {
        name: "cellularena",
        package: env!("CARGO_PKG_NAME"),
        about: "Cellularena: organisms grow, harvest and attack (CodinGame Winter Challenge 2024)",
        seats: SEATS,
        site: JudgeSite::CodinGame,
        failures: FailureRule::CODINGAME,
        limits: Limits::per_turn(Duration::from_millis(1000), Duration::from_millis(50)),
        seats_differ: false,
        bots: Bots::INFO,
        rules: || Rules::DEFAULT.table(),
    };

    const SKELETONS: &'static [(&'static str, &'static str)] = &[
        ("rs", include_str!("../skeletons/bot.rs")),
        ("cpp", include_str!("../skeletons/bot.cpp")),
        ("py", include_str!("../skeletons/bot.py")),
    ];

    fn start(seed: u64, rules: Rules) -> Result<CellularenaJudge, String> {
        let random = mix(&[seed, 3]).max(1) as i64;
        Ok(CellularenaProtocol::judge(map::generate(rules.map_seed.unwrap_or(random))?))
    }

    fn recorded(setup: &[String], _rules: Rules) -> Result<CellularenaJudge, String> {
        Ok(CellularenaProtocol::judge(setup.join("\n").parse()?))
    }

    /// Splits a text at commas, because one move is a turn of both players: `0: WAIT | 1: GROW 2 4 8 BASIC`.
    fn split_moves(text: &str) -> Vec<String> {
        let turns = text.split(',').map(str::trim);
        turns.filter(|turn| !turn.is_empty()).map(str::to_string).collect()
    }

    /// Returns the cells that the orders name. Other numbers in the orders are numbers of organs.
    fn squares(picture: &Picture, mv: &str) -> Vec<usize> {
        let orders = mv.split([';', '|']).map(|order| order.trim_start_matches(['0', '1', ':', ' ']));
        let cells = orders.filter_map(|order| order.splitn(3, ' ').nth(2));
        cells.filter_map(|cell| picture.named_in(cell).first().copied()).collect()
    }

    /// Returns each order as the new organ, its cell and its direction: `Harvester 2,2 east`.
    fn move_words(mv: &str) -> String {
        let organ = |kind: Kind, x: i32, y: i32| {
            let (first, rest) = kind.word().split_at(1);
            format!("{first}{} {x},{y}", rest.to_lowercase())
        };
        let words = |order: &str| match order.trim().parse() {
            Ok(Order::Grow { x, y, kind: kind @ (Kind::Basic | Kind::Root), .. }) => organ(kind, x, y),
            Ok(Order::Grow { x, y, kind, dir, .. }) => {
                format!("{} {}", organ(kind, x, y), ["north", "east", "south", "west"][dir as usize])
            }
            Ok(Order::Spore { x, y, .. }) => organ(Kind::Root, x, y),
            Ok(Order::Wait) => "Wait".to_string(),
            Err(_) => order.trim().to_string(),
        };
        mv.split(';').map(words).collect::<Vec<_>>().join("; ")
    }

    /// Counts sequences of decisions from the map with the map seed 1. A decision is one player's whole answer. The
    /// players decide one after the other, so two decisions make a turn.
    fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
        let mut judge = CellularenaProtocol::judge(map::generate(PERFT_SEED)?);
        numbered(moves, |text| judge.replay(text))?;
        Ok(perft_joint(judge.state(), depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_have_words() {
        let words = ["GROW 1 2 3 HARVESTER E", "GROW 1 2 3 BASIC N; SPORE 4 9 0; WAIT", "?; !"]
            .map(|mv| CONTEST.move_words(mv));
        assert_eq!(words, ["Harvester 2,3 east", "Basic 2,3; Root 9,0; Wait", "?; !"]);
    }
}
