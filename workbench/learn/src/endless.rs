//! An endless game for tests: the players' pieces move back and forth on a ring of four cells.

use crate::{Recipe, TrainingOptions, learns_features, train};
use contender_game::conformance::check_contest;
use contender_game::{
    board::Picture,
    bots,
    contest::{
        BotList, ContestInfo, FailureRule, JudgeSite, Limits, Notation, Protocol, RandomBot, TurnJudge,
        TurnParser, TurnReader, TypedContest,
    },
    rules::{Game, Player, Turn, perft},
    settings::FromFile,
};
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Net, Place, PuctBot, PuctSettings};
use contender_search::NoChance;
use contender_value::Features;
use std::path::Path;

const CELLS: u8 = 4;
const MAX_TURNS_PLAYED: usize = 20;

#[derive(Clone, PartialEq, Debug)]
pub struct State {
    pieces: [u8; 2],
    mover: Player,
}

impl Game for State {
    type Move = u8;

    const MAX_TURNS: usize = MAX_TURNS_PLAYED;

    fn turn(&self) -> Turn {
        Turn::Player(self.mover)
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend([1, CELLS - 1].map(|step| (self.pieces[self.mover] + step) % CELLS));
    }

    fn play(&mut self, cell: u8) {
        self.pieces[self.mover] = cell;
        self.mover = self.mover.other();
    }

    fn points(&self) -> [i32; 2] {
        self.pieces.map(i32::from)
    }
}

impl Notation for State {
    fn read(&self, text: &str) -> Result<u8, String> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        text.parse().ok().filter(|cell| moves.contains(cell)).ok_or("no neighbour".to_string())
    }

    fn write(&self, cell: u8) -> String {
        cell.to_string()
    }

    fn picture(&self, _: Option<u8>, _: Option<Player>) -> Picture {
        Picture::default()
    }
}

impl Features for State {
    type ChanceModel = NoChance;
    const COUNT: usize = CELLS as usize;

    fn features(&self, player: Player, mut add: impl FnMut(usize)) {
        add(self.pieces[player].into());
    }
}

impl Learnable for State {
    type Move = u8;
    type ChanceModel = NoChance;
    const BOARD: Size = Size { width: 2, height: 2 };
    const PLANES: usize = 2;
    const ACTIONS: usize = 1;

    fn encode(&self, player: Player, input: &mut Planes) {
        for cell in 0..CELLS {
            for (plane, side) in [player, player.other()].into_iter().enumerate() {
                if self.pieces[side] == cell {
                    input.set(plane as u16, 1.0);
                }
            }
            input.end_cell();
        }
    }

    fn place(&self, _: Player, cell: u8) -> Place {
        Place::Cell(cell.into(), 0)
    }
}

pub struct Plain;

impl Protocol for Plain {
    type State = State;
}

#[derive(Default)]
pub struct Reader;

impl TurnReader for Reader {
    type State = State;
}

impl Default for State {
    fn default() -> State {
        State { pieces: [0, 2], mover: Player::Zero }
    }
}

mod bots {
    use super::*;
    bots! {
        TurnParser<Reader>;
        random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
        puct "PUCT search with a network":
            |(settings, net): (PuctSettings, FromFile<Net<State>>), seed|
                PuctBot::new(settings, net.get(), seed);
    }
}

pub struct ToAndFro;

impl TypedContest for ToAndFro {
    type Bots = bots::Bots;
    type Rules = ();
    type Judge = TurnJudge<Plain>;

    const INFO: ContestInfo = ContestInfo {
        name: "toandfro",
        package: "",
        about: "two pieces move back and forth",
        seats: ["first", "second"],
        site: JudgeSite::CodeCup,
        failures: FailureRule::CODECUP,
        limits: Limits::NONE,
        seats_differ: false,
        bots: bots::Bots::INFO,
        rules: Vec::new,
    };

    fn start(seed: u64, (): ()) -> Result<Self::Judge, String> {
        Ok(TurnJudge::new(Plain, Self::INFO.site, State::default(), seed))
    }

    fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
        Ok(perft(&State::default().after(moves)?, depth))
    }
}

/// Returns the error of a training run with a template's recipe.
fn error(recipe: &str) -> String {
    let text = recipe.replace("{name}", ToAndFro::INFO.name).replace(", \"{strong}\"", "");
    let recipe = Recipe::parse(&text, Path::new("")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    train(&recipe, &TrainingOptions::new(folder.path(), 1), &|| false, &mut |_| ()).unwrap_err().to_string()
}

#[test]
fn trainings_stop_at_a_game_without_end_and_say_where() {
    learns_features::<ToAndFro>();
    crate::policy_value::learns::<ToAndFro>();
    for (recipe, place) in [
        (include_str!("../../cli/templates/crate/evaluation.toml"), "game 1"),
        (include_str!("../../cli/templates/crate/value.toml"), "generation 1 of 3, game 1"),
        (include_str!("../../cli/templates/crate/train.toml"), "round 1, game 1"),
    ] {
        let error = error(recipe);
        let expected =
            format!("{place}: the game is endless: it is not over after {MAX_TURNS_PLAYED} turns\nhint: ");
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn a_check_of_the_rules_finds_a_game_without_end_by_the_bound_of_its_states() {
    let broken = check_contest(&ToAndFro, 3, usize::MAX, 1).unwrap_err();
    assert_eq!((broken.guarantee, broken.moves.len()), ("a game ends", MAX_TURNS_PLAYED));
}
