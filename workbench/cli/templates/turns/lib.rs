//! Tic-tac-toe: the players take turns to mark an empty cell from 0 to 8. Three marks in a row win.

mod features;
mod network;

use contender_game::prelude::*;
use contender_puct::{Net, PuctBot, PuctSettings};
use contender_search::mcts::{Mcts, MctsConfig, RandomGames, Uct};
use contender_search::{NoChance, TimeManager};
use contender_value::Evaluation;

// EDIT the rules, also in the text above: the state, the player to move, the legal moves and their effects, and the
// points at the end.

/// The marks of both players, with a bit for each cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    marks: [u16; 2],
}

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl State {
    fn has_line(&self, player: Player) -> bool {
        LINES.iter().any(|line| self.marks[player] & line == *line)
    }
}

impl Game for State {
    type Move = u8;

    fn turn(&self) -> Turn {
        let filled = (self.marks[0] | self.marks[1]).count_ones();
        if filled == 9 || Player::BOTH.iter().any(|&player| self.has_line(player)) {
            Turn::Over
        } else {
            Turn::Player(Player::from_index(filled as usize % 2))
        }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.turn() != Turn::Over {
            moves.extend((0..9).filter(|cell| (self.marks[0] | self.marks[1]) >> cell & 1 == 0));
        }
    }

    fn play(&mut self, cell: u8) {
        if let Turn::Player(player) = self.turn() {
            self.marks[player] |= 1 << cell;
        }
    }

    fn points(&self) -> [i32; 2] {
        Player::BOTH.map(|player| i32::from(self.has_line(player)))
    }
}

// EDIT the text of moves and boards.
impl Notation for State {
    fn read(&self, text: &str) -> Result<u8, String> {
        let is_empty = |cell: &u8| *cell < 9 && (self.marks[0] | self.marks[1]) >> cell & 1 == 0;
        let cell = text.parse().ok().filter(|cell| is_empty(cell) && self.turn() != Turn::Over);
        cell.ok_or_else(|| format!("\"{}\" is not an empty cell 0 to 8", excerpt(text)))
    }

    fn write(&self, cell: u8) -> String {
        cell.to_string()
    }

    fn picture(&self, last: Option<u8>, _viewer: Option<Player>) -> Picture {
        Picture::new(["", "", ""], ["", "", ""], |row, column| {
            let cell = 3 * row + column;
            let sign = match self.marks.map(|marks| marks >> cell & 1) {
                [1, _] => Sign::letter(Ink::Seat(Player::Zero), 'X'),
                [_, 1] => Sign::letter(Ink::Seat(Player::One), 'O'),
                _ => Sign::dot(),
            };
            Square { is_marked: last == Some(cell as u8), ..Square::new(cell.to_string(), sign) }
        })
    }
}

// EDIT the judge's protocol. In this game a bot only reads `Start` or the opponent's move, so the defaults are enough.
pub struct PlainProtocol;

impl Protocol for PlainProtocol {
    type State = State;
}

type Reader = PlainReader<State>;

// EDIT the bots, weakest first; the last one is the default. Networks and weights must be trained first.
pub mod bots {
    use super::*;
    bots! {
        TurnParser<Reader>;
        random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
        alphabeta "alpha-beta search with learned weights":
            |of: FromFile<Evaluation<State>>, _| features::alphabeta(of.get());
        puct "PUCT search with a network":
            |(settings, net): (PuctSettings, FromFile<Net<State>>), seed| PuctBot::new(settings, net.get(), seed);
        uct "Monte Carlo tree search with random games": |_: (), seed| uct(seed);
    }
}

fn uct(seed: u64) -> impl Bot<State, u8> {
    let mut rng = Rng::new(seed);
    SearchBot(move |state: &State, _, clock: &Clock| {
        let limits = TimeManager::EQUAL.limits(clock, 4);
        let mut search = Mcts::<State, NoChance, Uct>::new(MctsConfig::default(), Uct::new(1.0));
        search.search(state, &mut RandomGames::<State, NoChance>::default(), &limits, &mut rng)
    })
}

settings! {
    /// Deviations from the contest's setup.
    #[derive(Clone, Debug)]
    pub struct Rules {
        /// number of random moves that the judge plays before the first question
        opening: u32 = 0, 0..=8;
    }
}

// EDIT the description of the contest. The type's name is also in `workbench/main.rs`.
pub static CONTEST: &dyn Contest = &TicTacToe;
pub struct TicTacToe;

impl TypedContest for TicTacToe {
    type Bots = bots::Bots;
    type Rules = Rules;
    type Judge = TurnJudge<PlainProtocol>;
    const SOURCE: &'static str = include_str!("lib.rs");

    const INFO: ContestInfo = ContestInfo {
        name: "tictactoe",
        package: env!("CARGO_PKG_NAME"),
        about: "Tic-tac-toe: three in a row",
        seats: ["X", "O"],
        site: JudgeSite::CodeCup,
        failures: FailureRule::CODECUP,
        limits: Limits::per_game(std::time::Duration::from_secs(30)),
        seats_differ: false,
        bots: bots::Bots::INFO,
        rules: || Rules::DEFAULT.table(),
    };

    fn start(seed: u64, rules: Rules) -> Result<Self::Judge, String> {
        let judge = TurnJudge::new(PlainProtocol, Self::INFO.site, State::default(), seed);
        Ok(judge.with_opening(rules.opening, seed))
    }

    /// Reads the opening of a recorded game from its setup.
    fn recorded(setup: &[String], _: Rules) -> Result<Self::Judge, String> {
        Self::start(0, Rules::DEFAULT)?.with_recorded_opening(setup)
    }

    fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
        Ok(perft(&State::default().after(moves)?, depth))
    }
}
