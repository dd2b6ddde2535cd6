//! Both sides of the contest's protocol.
//!
//! Every turn the bot is sent the opponent's last move, `-1 -1` at the start of the game, then the number of legal moves, then the
//! legal moves in random order, one a line: `4 4`. It answers with one move.
//!
//! Where the judge has played an opening, which no contest does, a bot's first question begins with a line of its moves,
//! `opening 4 4 3 5`: nobody can play on from a position that it does not know.

use crate::tables::{FULL, WINNING};
use crate::{notation, Move, State};
use contender_game::{mix, Game, Heard, Notation, Player, Protocol, Rng, TurnReader};

/// The protocol; the order of the lists follows from a seed and the number of the move.
#[derive(Clone, Debug)]
pub struct UtttProtocol {
    luck: u64,
    opening: Vec<Move>,
}

impl UtttProtocol {
    /// The protocol of a game with this luck, after these moves that the judge plays itself; none in the contest.
    #[must_use]
    pub fn new(luck: u64, opening: Vec<Move>) -> UtttProtocol {
        UtttProtocol { luck, opening }
    }
}

impl Protocol for UtttProtocol {
    type State = State;

    fn preface(&self, state: &State, _player: Player) -> String {
        match &self.opening[..] {
            [] => String::new(),
            _ => format!("opening {}\n", self.setup(state).join(" ")),
        }
    }

    fn question(&self, state: &State, _player: Player, moves: &[String]) -> String {
        let mut legal = Vec::new();
        state.moves(&mut legal);
        Rng::new(mix(&[self.luck, moves.len() as u64])).shuffle(&mut legal);
        let last = state.last().map_or("-1 -1".to_string(), |last| last.to_string());
        let list: String = legal.iter().map(|mv| format!("{mv}\n")).collect();
        format!("{last}\n{}\n{list}", legal.len())
    }

    fn setup(&self, _start: &State) -> Vec<String> {
        self.opening.iter().map(ToString::to_string).collect()
    }

    fn prompt(&self, state: &State, player: Player) -> String {
        let letter = notation::letter(player);
        match state.target() {
            Some(target) => {
                let corner = Move::new(target, 0);
                let (row, column) = (corner.row(), corner.column());
                format!(
                    "{letter} in rows {row} to {} and columns {column} to {}: row and column, for example {}",
                    row + 2,
                    column + 2,
                    Move::new(target, state.empty(target).trailing_zeros().min(8) as usize)
                )
            }
            None => format!("{letter} on any empty cell of an open board: row and column, for example 4 4"),
        }
    }
}

/// The bot's side. Of the list it reads only what it takes to recognise plain 3 × 3 tic-tac-toe, which the arena's lowest league
/// plays with the same protocol.
#[derive(Default)]
pub struct Reader {
    part: Part,
    /// Marks of this bot and of the opponent on the one board of plain tic-tac-toe, once it is known to be played.
    plain: Option<[u16; 2]>,
}

/// Row and column.
type Cell = (usize, usize);

/// The part of a question that comes next.
#[derive(Default)]
enum Part {
    #[default]
    Last,
    Count {
        last: Option<Cell>,
    },
    List {
        last: Option<Cell>,
        left: usize,
        cells: Vec<Cell>,
    },
}

impl TurnReader for Reader {
    type State = State;

    fn read(&mut self, state: &mut State, seat: Option<Player>, line: &str) -> Result<Heard<Move>, String> {
        match std::mem::take(&mut self.part) {
            Part::Last => {
                let is_first = seat.is_none() && self.plain.is_none();
                if let Some(moves) = line.strip_prefix("opening ").filter(|_| is_first) {
                    let numbers: Vec<&str> = moves.split_whitespace().take(2 * 81).collect();
                    for pair in numbers.chunks(2) {
                        state.play_record(&pair.join(" "))?;
                    }
                    return Ok(Heard::Nothing);
                }
                let last = match pair(line) {
                    Some((-1, -1)) if is_first => None,
                    Some((row @ 0..=8, column @ 0..=8)) => Some((row as usize, column as usize)),
                    _ => return Err("expected the opponent's last move, for example 4 4".to_string()),
                };
                self.part = Part::Count { last };
            }
            Part::Count { last } => {
                let count = line.trim().parse::<usize>().ok().filter(|count| (1..=81).contains(count));
                let left = count.ok_or("expected the number of legal moves, 1 to 81")?;
                self.part = Part::List { last, left, cells: Vec::with_capacity(left) };
            }
            Part::List { last, left, mut cells } => {
                match pair(line) {
                    Some((row @ 0..=8, column @ 0..=8)) => cells.push((row as usize, column as usize)),
                    _ => return Err("expected a legal move, for example 4 4".to_string()),
                }
                if left == 1 {
                    return self.asked(state, seat, last, &cells);
                }
                self.part = Part::List { last, left: left - 1, cells };
            }
        }
        Ok(Heard::Nothing)
    }
}

impl Reader {
    /// The end of a question.
    fn asked(
        &mut self,
        state: &mut State,
        seat: Option<Player>,
        last: Option<Cell>,
        cells: &[Cell],
    ) -> Result<Heard<Move>, String> {
        let is_in_corner = |&(row, column): &Cell| row < 3 && column < 3;
        if self.plain.is_none() {
            self.plain = match (seat, state.last()) {
                // X has 9 moves instead of 81. O has 8, all in the corner, which the big board leaves after 0 0 only.
                (None, None) if last != Some((0, 0)) && cells.iter().chain(&last).all(is_in_corner) => {
                    Some([0; 2])
                }
                // After 0 0 both games look the same; the big board's answer to it sends the opponent out of the corner.
                (Some(Player::One), Some(own))
                    if state.plies() == 2
                        && state.marks(Player::Zero, 0) == 1
                        && last.iter().all(is_in_corner) =>
                {
                    Some([1 << own.cell(), 1])
                }
                _ => None,
            };
        }
        if let Some([own, theirs]) = &mut self.plain {
            if let Some((row, column)) = last {
                if !is_in_corner(&(row, column)) {
                    return Err(format!("{row} {column} is not on the board of 3 x 3 that is played on"));
                }
                let cell = 1 << (3 * row + column);
                if (*own | *theirs) & cell != 0 {
                    return Err(format!("cell {row} {column} is taken"));
                }
                *theirs |= cell;
            }
            let cell = plain_answer(*own, *theirs).ok_or("a move is asked for, and the board is full")?;
            *own |= 1 << cell;
            return Ok(Heard::Say(format!("{} {}", cell / 3, cell % 3)));
        }
        match last.map(|(row, column)| Move::at(row, column)) {
            // The last move of an opening is known already.
            Some(mv) if seat.is_some() || state.last() != Some(mv) => {
                state.read_record(&mv.to_string()).map(Heard::Move)
            }
            _ => Ok(Heard::Seat(state.mover())),
        }
    }
}

/// Wins, blocks, or takes the centre, a corner, a side, in this order.
fn plain_answer(own: u16, theirs: u16) -> Option<u32> {
    let wishes =
        [WINNING[usize::from(own)], WINNING[usize::from(theirs)], 0b000_010_000, 0b101_000_101, FULL];
    let wish = wishes.into_iter().map(|wish| wish & FULL & !(own | theirs)).find(|&wish| wish != 0)?;
    Some(wish.trailing_zeros())
}

/// Two integers with white space between them, each -1 to 8.
fn pair(line: &str) -> Option<(i32, i32)> {
    let mut numbers = line.split_whitespace().map(|piece| piece.parse::<i32>().ok());
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Some(a @ -1..=8)), Some(Some(b @ -1..=8)), None) => Some((a, b)),
        _ => None,
    }
}
