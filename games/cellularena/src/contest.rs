//! The interface of Cellularena for the tools.

use crate::bots::Bots;
use crate::notation::{organ_words, source, SEATS};
use crate::{map, CellularenaJudge, CellularenaProtocol, Dir, Kind, Order, Protein};
use contender_game::{
    board::{Picture, Side},
    contest::{
        numbered, BotList, Contest, ContestInfo, FailureRule, Judge, JudgeSite, Limits, MoveForm, OpenJudge,
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

    /// Returns each order as the new organ, its cell and its direction: `Harvester 2,2 →`.
    fn move_words(mv: &str) -> String {
        let words = |order: &str| match order.trim().parse() {
            Ok(Order::Grow { x, y, kind, dir, .. }) => organ_words(kind, x, y, dir),
            Ok(Order::Spore { x, y, .. }) => organ_words(Kind::Root, x, y, Dir::N),
            Ok(Order::Wait) => "Wait".to_string(),
            Err(_) => order.trim().to_string(),
        };
        mv.split(';').map(words).collect::<Vec<_>>().join("; ")
    }

    /// Returns the kind of organ with its direction, its parent and its cost.
    fn move_form(mv: &str) -> MoveForm {
        let (kind, id, side) = match mv.trim().parse() {
            Ok(Order::Grow { id, kind: kind @ (Kind::Basic | Kind::Root), .. }) => (kind, id, None),
            Ok(Order::Grow { id, kind, dir, .. }) => (kind, id, Some(Side::ALL[dir as usize])),
            Ok(Order::Spore { id, .. }) => (Kind::Root, id, None),
            Ok(Order::Wait) | Err(_) => return MoveForm::default(),
        };
        let (first, rest) = kind.word().split_at(1);
        let cost = Protein::ALL.into_iter().zip(kind.cost()).filter(|(_, amount)| *amount > 0);
        MoveForm {
            name: format!("{first}{}", rest.to_lowercase()),
            side,
            unit: format!("organ {id}"),
            cost: cost.map(|(protein, _)| source(protein)).collect(),
        }
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
    use contender_game::rules::Player;

    #[test]
    fn moves_have_words() {
        let words = ["GROW 1 2 3 HARVESTER E", "GROW 1 2 3 BASIC N; SPORE 4 9 0; WAIT", "?; !"]
            .map(|mv| CONTEST.move_words(mv));
        assert_eq!(words, ["Harvester 2,3 →", "Basic 2,3; Root 9,0; Wait", "?; !"]);
    }

    #[test]
    fn organs_have_a_kind_a_direction_and_a_price() {
        let form = CONTEST.move_form("GROW 7 2 3 HARVESTER E");
        let cost: Vec<&str> = form.cost.iter().map(|sign| &sign.text[..]).collect();
        assert_eq!((&form.name[..], form.side, &form.unit[..]), ("Harvester", Some(Side::Right), "organ 7"));
        assert_eq!(cost, ["C", "D"]);
        assert_eq!(CONTEST.move_form("WAIT"), MoveForm::default());
    }

    /// The second line cannot come from an organism that has acted, and cannot cost more than what is left.
    #[test]
    fn the_next_line_comes_from_another_organism() {
        let setup = "5 2\n.....\n.....\n1 0 0 0\n5 6 7 8\n1 0 0 0 ROOT N 0 1\n2 0 4 0 ROOT N 0 2\n3 1 4 1 ROOT N 0 3\n";
        let setup: Vec<String> = setup.lines().map(str::to_string).collect();
        let judge = CONTEST.recorded(&setup, &mut settings::Options::default()).unwrap();
        let all = judge.choices(Player::Zero);
        assert!(all.iter().any(|line| line.starts_with("GROW 2 ")), "{all:?}");
        assert_eq!(judge.next_choices(Player::Zero, &[]), all);
        // The only protein is spent.
        assert_eq!(judge.next_choices(Player::Zero, &["GROW 1 1 0 BASIC N".to_string()]), ["WAIT"]);
        let rest = judge.next_choices(Player::Zero, &["WAIT".to_string()]);
        assert_eq!(rest, all);
    }
}
