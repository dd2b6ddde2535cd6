//! The interface of Box for the tools.

use crate::bots::Bots;
use crate::notation::{parse_full_move, SEATS};
use crate::protocol::parse_start;
use crate::{BoxProtocol, Colour, Colours, Placement, State, Tile};
use contender_game::{
    contest::{
        numbered, BotList, Contest, ContestInfo, FailureRule, JudgeSite, Limits, MoveForm, Notation,
        TurnJudge, TypedContest,
    },
    rules::{mix, perft_weighted, Chance, Rng},
    settings,
    settings::{Settings, Text},
};
use std::time::Duration;

/// Box, as played in CodeCup 2025.
#[derive(Clone, Copy, Debug)]
pub struct BoxContest;

/// The contest, for lists of contests.
pub static CONTEST: &dyn Contest = &BoxContest;

settings! {
    /// The parts of the setup that `--rule` can fix.
    #[derive(Clone, Debug)]
    pub struct Rules {
        /// the start tile, for example start=216534
        start: Option<Tile> = None, Text("random");
        /// the secret colours of player 1 and player 2, for example colours=12
        colours: Option<Colours> = None, Text("random");
    }
}

impl TypedContest for BoxContest {
    type Bots = Bots;
    type Rules = Rules;
    type Judge = TurnJudge<BoxProtocol>;

    const SOURCE: &'static str = include_str!("lib.rs");

    const INFO: ContestInfo = ContestInfo {
        name: "box",
        package: env!("CARGO_PKG_NAME"),
        about: "Box: tiles of six colours, squares of your secret colour (CodeCup 2025)",
        seats: SEATS,
        site: JudgeSite::CodeCup,
        failures: FailureRule::CODECUP,
        limits: Limits::per_game(Duration::from_secs(30)),
        seats_differ: false,
        bots: Bots::INFO,
        rules: || Rules::DEFAULT.table(),
    };

    const SKELETONS: &'static [(&'static str, &'static str)] =
        &[("cpp", include_str!("../skeletons/bot.cpp")), ("py", include_str!("../skeletons/bot.py"))];

    /// Derives the secret colours, the start tile and the tiles from the seed. A rule fixes one of these parts and does
    /// not change the other parts.
    fn start(seed: u64, rules: Rules) -> Result<Self::Judge, String> {
        let mut rng = Rng::new(mix(&[seed, 2]));
        let random = State::random(&mut rng).colours();
        let tile = Tile::from_index(rng.index(Tile::COUNT));
        let Colours(colours) = rules.colours.unwrap_or(Colours(random));
        Ok(judge(colours, rules.start.unwrap_or(tile), seed))
    }

    /// Reads the setup in the form that [`Judge::setup`](contender_game::contest::Judge::setup) returns. Without a
    /// setup, both rules must be given.
    fn recorded(setup: &[String], rules: Rules) -> Result<Self::Judge, String> {
        let (Colours(colours), start) = match setup {
            [zero, one, start] => (format!("{zero}{one}").parse()?, parse_start(start)?),
            [] => {
                let colours = rules.colours.ok_or_else(|| missing("colours"))?;
                (colours, rules.start.ok_or_else(|| missing("start"))?)
            }
            _ => {
                return Err(format!(
                    "a setup consists of two colours and the start tile, but this setup has {} lines",
                    setup.len()
                ))
            }
        };
        Ok(judge(colours, start, 0))
    }

    /// Returns the corner and the orientation: `Ik vertical`. The tile is the one that the board shows.
    fn move_words(mv: &str) -> String {
        placement(mv).map_or_else(
            || mv.to_string(),
            |placement| format!("{} {}", placement.corner(), orientation(placement)),
        )
    }

    /// Returns the orientation.
    fn move_form(mv: &str) -> MoveForm {
        let name = placement(mv).map_or("", orientation).to_string();
        MoveForm { name, ..MoveForm::default() }
    }

    /// Counts sequences of decisions from the start of the game. The first move may be the start tile, `Hh216534h`; the
    /// counts do not depend on it. Drawing a tile is a decision, and placing it is another.
    fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
        let mut state = State::default();
        let mut is_first = true;
        numbered(moves, |text| {
            if std::mem::take(&mut is_first) && parse_start(text).is_ok() {
                return Ok(());
            }
            state.play_record(text).map(|_| ())
        })?;
        Ok(perft(&state, depth))
    }
}

/// Returns the placement of a move, with or without the drawn tile.
fn placement(mv: &str) -> Option<Placement> {
    parse_full_move(mv).map(|(placement, _)| placement).or_else(|_| mv.parse()).ok()
}

fn orientation(placement: Placement) -> &'static str {
    if placement.is_standing() {
        "vertical"
    } else {
        "horizontal"
    }
}

fn judge(colours: [Colour; 2], start: Tile, seed: u64) -> TurnJudge<BoxProtocol> {
    TurnJudge::new(BoxProtocol::new(start), BoxContest::INFO.site, State::new(colours, start), seed)
}

fn missing(rule: &str) -> String {
    format!("a recorded game without a setup needs the rule `{rule}`")
}

/// Uses only one tile for counting, because legal placements do not depend on the colours of the tiles.
fn perft(state: &State, depth: u32) -> u64 {
    let drawn = |state: &State| {
        let mut drawn = state.clone();
        drawn.resolve(Tile::from_index(0));
        vec![(drawn, Tile::COUNT as u64)]
    };
    perft_weighted(state, depth, &drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::{perft_chance, Game};

    #[test]
    fn moves_have_words() {
        let words = ["Ikv", "Hj364521h", "Qkv"].map(|mv| CONTEST.move_words(mv));
        assert_eq!(words, ["Ik vertical", "Hj horizontal", "Qkv"]);
        assert_eq!(
            ["Ikv", "Hj364521h", "Qkv"].map(|mv| CONTEST.move_form(mv).name),
            ["vertical", "horizontal", ""]
        );
    }

    #[test]
    fn perft_counts_like_the_general_one() {
        let state = State::new([0, 1], Tile::from_index(0));
        assert_eq!(perft(&state, 0), 1);
        assert_eq!(perft(&state, 1), perft_chance(&state, 1));
        assert_eq!(perft(&state, 2), perft_chance(&state, 2));
        assert_eq!(perft(&state, 2), 720 * 125);
        // Three decisions, as a sum of the general counts after one draw and each placement.
        let mut drawn = state.clone();
        drawn.resolve(Tile::from_index(5));
        let mut moves = Vec::new();
        drawn.moves(&mut moves);
        let mut total = 0;
        for placement in moves {
            let mut child = drawn.clone();
            child.play(placement);
            total += perft_chance(&child, 2);
        }
        assert_eq!(perft(&state, 4), 720 * total);
    }

    #[test]
    fn perft_takes_moves_and_names_the_wrong_one() {
        let moves = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
        assert_eq!(CONTEST.perft(&moves("Hh216534h Ik364521v If462513v"), 2), Ok(720 * 172));
        assert_eq!(CONTEST.perft(&moves("Ik364521v If462513v"), 2), Ok(720 * 172));
        let error = CONTEST.perft(&moves("Hh216534h Hj364521h"), 1).unwrap_err();
        assert_eq!(error, "move 2: a tile at Hjh covers 8 filled cells; at most 4 are allowed");
    }
}
