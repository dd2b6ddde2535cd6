//! Digits: each player has three empty places. The players take turns: a die is rolled, and the player writes its
//! number on one of the player's empty places. The higher number of three digits wins.

mod network;

use contender_game::prelude::*;
use contender_puct::{Net, PuctBot, PuctSettings};
use contender_search::mcts::{Mcts, MctsConfig, RandomGames, Uct};
use contender_search::{TimeManager, WithChance};
use std::time::Duration;

// EDIT the rules, also in the text above, which the web app shows: the state, the player to move, the legal moves, the
// outcomes of chance, and the points at the end.

/// The digits of both players (0 for an empty place), and the die to place next.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    digits: [[u8; 3]; 2],
    die: Option<u8>,
}

impl State {
    fn filled(&self) -> usize {
        self.digits.iter().flatten().filter(|&&digit| digit > 0).count()
    }

    fn mover(&self) -> Player {
        Player::from_index(self.filled() % 2)
    }
}

impl Game for State {
    type Move = u8;

    fn turn(&self) -> Turn {
        match self.die {
            Some(_) => Turn::Player(self.mover()),
            None if self.filled() == 6 => Turn::Over,
            None => Turn::Chance,
        }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.die.is_some() {
            moves.extend((0..3).filter(|&place| self.digits[self.mover()][usize::from(place)] == 0));
        }
    }

    fn play(&mut self, place: u8) {
        let mover = self.mover();
        if let Some(die) = self.die.take() {
            self.digits[mover][usize::from(place)] = die;
        }
    }

    fn points(&self) -> [i32; 2] {
        Player::BOTH.map(|player| i32::from(self.digits[player] > self.digits[player.other()]))
    }
}

impl Chance for State {
    type Outcome = u8;

    fn outcomes(&self, outcomes: &mut Vec<(u8, u32)>) {
        if self.turn() == Turn::Chance {
            outcomes.extend((1..=6).map(|die| (die, 1)));
        }
    }

    fn resolve(&mut self, die: u8) {
        self.die = Some(die);
    }
}

// EDIT the text of moves and boards. The record of a move also shows the die before the move: `5:2`.

impl Notation for State {
    fn read(&self, text: &str) -> Result<u8, String> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let place = text.parse().ok().filter(|place| moves.contains(place));
        place.ok_or_else(|| is_not(text, "an empty place 0 to 2"))
    }

    fn write(&self, place: u8) -> String {
        place.to_string()
    }

    fn write_record(&self, place: u8) -> String {
        format!("{}:{place}", self.die.unwrap_or(0))
    }

    fn read_record(&mut self, text: &str) -> Result<u8, String> {
        let wrong = || is_not(text, "a die and a place, like 5:2");
        let (die, place) = text.split_once(':').ok_or_else(wrong)?;
        let die = die.parse().ok().filter(|die| (1..=6).contains(die)).ok_or_else(wrong)?;
        if self.turn() == Turn::Over || self.die.map_or(false, |drawn| drawn != die) {
            return Err(format!("the die {die} is not due"));
        }
        let mut next = self.clone();
        next.resolve(die);
        let place = next.read(place)?;
        *self = next;
        Ok(place)
    }

    fn picture(&self, _last: Option<u8>, _viewer: Option<Player>) -> Picture {
        let mut picture = Picture::new(["First", "Second"], ["0", "1", "2"], |row, column| {
            let sign = match self.digits[row][column] {
                0 => Sign::dot(),
                digit => Sign::letter(Ink::Seat(Player::from_index(row)), digit),
            };
            let is_own = row == self.mover().index();
            Square::new(if is_own { column.to_string() } else { String::new() }, sign)
        });
        picture.notes.extend(self.die.map(|die| vec![Sign::plain(format!("die {die}"))]));
        picture
    }
}

// EDIT the judge's protocol. Before its move, a player reads the last move as recorded (or `Start`), and then its die.

pub struct DiceProtocol;

impl Protocol for DiceProtocol {
    type State = State;

    fn draw(&mut self, state: &mut State, rng: &mut Rng) {
        let die = state.random_outcome(rng, &mut Vec::new());
        state.resolve(die);
    }

    fn question(&self, state: &State, _player: Player, moves: &[String]) -> String {
        format!("{}\n{}\n", moves.last().map_or("Start", String::as_str), state.die.unwrap_or(0))
    }
}

#[derive(Default)]
pub struct Reader;

impl TurnReader for Reader {
    type State = State;

    fn read(
        &mut self,
        state: &mut State,
        seat: Option<Player>,
        line: &str,
    ) -> Result<ProtocolEvent<u8>, String> {
        match seat {
            None if line == "Start" => Ok(ProtocolEvent::Seat(Player::Zero)),
            Some(player) if state.mover() == player && state.turn() == Turn::Chance => {
                let die = line.parse().ok().filter(|die| (1..=6).contains(die));
                state.resolve(die.ok_or_else(|| is_not(line, "a die"))?);
                Ok(ProtocolEvent::Nothing)
            }
            _ => state.read_record(line).map(ProtocolEvent::Move),
        }
    }
}

// EDIT the bots, weakest first; the last one is the default. Networks and weights must be trained first.

pub mod bots {
    use super::*;

    bots! {
        TurnParser<Reader>;
        random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
        puct "PUCT search with a network":
            |(settings, net): (PuctSettings, FromFile<Net<State>>), seed| PuctBot::new(settings, net.get(), seed);
        uct "Monte Carlo tree search with random games": |_: (), seed| uct(seed);
    }
}

fn uct(seed: u64) -> impl Bot<State, u8> {
    let mut rng = Rng::new(seed);
    SearchBot(move |state: &State, _, clock: &Clock| {
        let limits = TimeManager::EQUAL.limits(clock, 3 - state.filled() as u32 / 2);
        let mut search = Mcts::<State, WithChance, Uct>::new(MctsConfig::default(), Uct::new(1.0));
        search.search(state, &mut RandomGames::<State, WithChance>::default(), &limits, &mut rng)
    })
}

// EDIT the description of the contest. The type's name is also in `workbench/main.rs`.

pub static CONTEST: &dyn Contest = &Digits;

pub struct Digits;

impl TypedContest for Digits {
    type Bots = bots::Bots;
    type Rules = ();
    type Judge = TurnJudge<DiceProtocol>;
    const SOURCE: &'static str = include_str!("lib.rs");

    const INFO: ContestInfo = ContestInfo {
        name: "digits",
        package: env!("CARGO_PKG_NAME"),
        about: "Digits: place the number on the die; the higher number wins",
        seats: ["First", "Second"],
        site: JudgeSite::CodeCup,
        failures: FailureRule::CODECUP,
        limits: Limits::per_game(Duration::from_secs(30)),
        seats_differ: false,
        bots: bots::Bots::INFO,
        rules: Vec::new,
    };

    fn start(seed: u64, (): ()) -> Result<Self::Judge, String> {
        Ok(TurnJudge::new(DiceProtocol, Self::INFO.site, State::default(), seed))
    }

    fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
        Ok(perft_chance(&State::default().after(moves)?, depth))
    }
}
