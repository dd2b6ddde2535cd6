//! Both sides of the contest's protocol.
//!
//! In every turn the bot reads the opponent's last move (`-1 -1` at the start of the game), then the number of legal
//! moves, and then the legal moves in random order, one per line: `4 4`. The bot answers with one move.
//!
//! In the contest the judge plays no opening. If our judge plays one, a bot's first question begins with a line that
//! lists the opening's moves, `opening 4 4 3 5`. Otherwise the bot could not continue from an unknown position.

use crate::plain::{Cell, PlainBoard};
use crate::{notation, Move, Opening, State};
use contender_game::{
    contest::{numbers, Notation, Protocol, ProtocolEvent, TurnReader},
    rules::{mix, Game, Player, Rng},
};

/// The judge's side of the protocol.
#[derive(Clone, Debug)]
pub struct UtttProtocol {
    /// The seed of the game, which determines the order of the legal moves in questions.
    pub seed: u64,
    /// The moves that the judge plays before the first question; empty in the contest.
    pub opening: Opening,
}

impl Protocol for UtttProtocol {
    type State = State;

    fn preface(&self, state: &State, _player: Player) -> String {
        match self.opening.moves() {
            [] => String::new(),
            _ => format!("opening {}\n", self.setup(state).join(" ")),
        }
    }

    fn question(&self, state: &State, _player: Player, moves: &[String]) -> String {
        let mut legal = Vec::new();
        state.moves(&mut legal);
        Rng::new(mix(&[self.seed, moves.len() as u64])).shuffle(&mut legal);
        let last = state.last().map_or("-1 -1".to_string(), |last| last.to_string());
        let list: String = legal.iter().map(|mv| format!("{mv}\n")).collect();
        format!("{last}\n{}\n{list}", legal.len())
    }

    fn setup(&self, _start: &State) -> Vec<String> {
        self.opening.moves().iter().map(ToString::to_string).collect()
    }

    fn prompt(&self, state: &State, player: Player) -> String {
        let letter = notation::letter(player);
        let Some(target) = state.target() else {
            return format!("{letter} on any empty cell of an open board: row and column, for example 4 4");
        };
        let (row, column) = (3 * (target / 3), 3 * (target % 3));
        let example = Move::new(target, state.empty(target).trailing_zeros().min(8) as usize);
        let (last_row, last_column) = (row + 2, column + 2);
        format!(
            "{letter} in rows {row} to {last_row} and columns {column} to {last_column}: row and column, for example {example}"
        )
    }
}

/// The bot's side of the protocol. The reader uses the list of moves only to recognise plain tic-tac-toe.
#[derive(Default)]
pub struct Reader {
    part: Part,
    /// The board of plain tic-tac-toe, if the bot has recognised this game.
    plain: Option<PlainBoard>,
}

/// The next part of a question.
#[derive(Default)]
enum Part {
    #[default]
    Last,
    Count(Option<Cell>),
    List {
        last: Option<Cell>,
        left: usize,
        cells: Vec<Cell>,
    },
}

impl TurnReader for Reader {
    type State = State;

    fn read(
        &mut self,
        state: &mut State,
        seat: Option<Player>,
        line: &str,
    ) -> Result<ProtocolEvent<Move>, String> {
        self.part = match std::mem::take(&mut self.part) {
            Part::Last => {
                let is_first = seat.is_none() && self.plain.is_none();
                if let Some(moves) = line.strip_prefix("opening ").filter(|_| is_first) {
                    let numbers: Vec<&str> = moves.split_whitespace().take(2 * 81).collect();
                    for pair in numbers.chunks(2) {
                        state.play_record(&pair.join(" "))?;
                    }
                    return Ok(ProtocolEvent::Nothing);
                }
                match cell(line) {
                    None if is_first && numbers(line) == Ok([-1, -1]) => Part::Count(None),
                    None => return Err("expected the opponent's last move, for example 4 4".to_string()),
                    last => Part::Count(last),
                }
            }
            Part::Count(last) => {
                let count = line.trim().parse::<usize>().ok().filter(|count| (1..=81).contains(count));
                let left = count.ok_or("expected the number of legal moves, 1 to 81")?;
                Part::List { last, left, cells: Vec::with_capacity(left) }
            }
            Part::List { last, left, mut cells } => {
                cells.push(cell(line).ok_or("expected a legal move, for example 4 4")?);
                if left == 1 {
                    return self.asked(state, seat, last, &cells);
                }
                Part::List { last, left: left - 1, cells }
            }
        };
        Ok(ProtocolEvent::Nothing)
    }
}

impl Reader {
    /// Returns the protocol event for a question that has been read completely.
    fn asked(
        &mut self,
        state: &mut State,
        seat: Option<Player>,
        last: Option<Cell>,
        cells: &[Cell],
    ) -> Result<ProtocolEvent<Move>, String> {
        if self.plain.is_none() {
            self.plain = PlainBoard::recognise(state, seat, last, cells);
        }
        if let Some(plain) = &mut self.plain {
            let (row, column) = plain.answer(last)?;
            return Ok(ProtocolEvent::Say(format!("{row} {column}")));
        }
        match last.map(|(row, column)| Move::at(row, column)) {
            // The bot already knows the last move of an opening.
            Some(mv) if seat.is_some() || state.last() != Some(mv) => {
                state.read_record(&mv.to_string()).map(ProtocolEvent::Move)
            }
            _ => Ok(ProtocolEvent::Seat(state.mover())),
        }
    }
}

/// Parses a row and a column, each 0 to 8.
fn cell(line: &str) -> Option<Cell> {
    numbers(line).ok().map(|[row, column]| (row, column)).filter(|&(row, column)| row < 9 && column < 9)
}
