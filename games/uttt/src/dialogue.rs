//! The bot's side of the contest's protocol (see [`UtttProtocol`](crate::UtttProtocol) for the judge's).

use crate::tables::{FULL, WINNING};
use crate::{notation, Move, State};
use contender_game::{Bot, Clock, Game, Limits, LineBot, Player, Reply};

/// A bot that speaks the protocol. It keeps its own state; of the list it reads only what it takes to recognise plain 3 × 3
/// tic-tac-toe, which the arena's lowest league plays with the same protocol.
pub struct Dialogue<B> {
    bot: B,
    clock: Clock,
    state: State,
    /// Marks of this bot and of the opponent on the one board of plain tic-tac-toe, once it is known to be played.
    plain: Option<[u16; 2]>,
    /// This bot's mark after 0 0 and the first answer, when both games still look the same.
    doubt: Option<u16>,
    is_first: bool,
    /// An opening was played and nothing since.
    is_opened: bool,
    part: Part,
}

/// The part of a question that comes next.
enum Part {
    Last,
    Count { last: Option<(usize, usize)> },
    List { last: Option<(usize, usize)>, left: usize, cells: Vec<(usize, usize)> },
}

impl<B: Bot<State, Move>> Dialogue<B> {
    /// The bot at the start of a game.
    pub fn new(bot: B, limits: Limits) -> Dialogue<B> {
        Dialogue {
            bot,
            clock: Clock::new(limits),
            state: State::default(),
            plain: None,
            doubt: None,
            is_first: true,
            is_opened: false,
            part: Part::Last,
        }
    }

    fn answer(&mut self, last: Option<(usize, usize)>, cells: &[(usize, usize)]) -> Result<String, String> {
        let is_in_corner = |&(row, column): &(usize, usize)| row < 3 && column < 3;
        if self.is_first {
            // X has 9 moves instead of 81. O has 8, all in the corner, which the big board leaves after 0 0 only.
            let is_small = cells.iter().chain(&last).all(is_in_corner);
            if is_small && last != Some((0, 0)) {
                self.plain = Some([0; 2]);
            }
            self.is_first = false;
        } else if let Some(own) = self.doubt.take() {
            // On the big board the answer to 0 0 sends the opponent out of the corner.
            if last.iter().all(is_in_corner) {
                self.plain = Some([own, 1]);
            }
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
            return self.plain_answer();
        }
        // The last move of an opening is known already.
        let is_known = std::mem::take(&mut self.is_opened)
            && last.map(|(row, column)| Move::at(row, column)) == self.state.last();
        if let Some((row, column)) = last.filter(|_| !is_known) {
            let mv = notation::parse_recorded(&self.state, &format!("{row} {column}"))?;
            self.bot.observe(&self.state, self.state.mover(), &mv);
            self.state.play(mv);
        }
        if self.state.count_moves() == 0 {
            return Err("a move is asked for, and the game is over".to_string());
        }
        let player: Player = self.state.mover();
        let mv = self.bot.choose(&self.state, player, &self.clock);
        self.state.play(mv);
        if last == Some((0, 0)) && self.state.plies() == 2 {
            self.doubt = Some(1 << mv.cell());
        }
        Ok(mv.to_string())
    }

    /// Plays the moves that the judge has begun the game with.
    fn open(&mut self, moves: &str) -> Result<(), String> {
        let numbers: Vec<&str> = moves.split_whitespace().take(2 * 81).collect();
        for pair in numbers.chunks(2) {
            let mv = notation::parse_recorded(&self.state, &pair.join(" "))?;
            self.state.play(mv);
        }
        self.is_first = false;
        self.is_opened = true;
        Ok(())
    }

    /// Wins, blocks, or takes the centre, a corner, a side, in this order.
    fn plain_answer(&mut self) -> Result<String, String> {
        let Some([own, theirs]) = self.plain else { return Err("no plain game".to_string()) };
        let empty = FULL & !(own | theirs);
        let wishes =
            [WINNING[usize::from(own)], WINNING[usize::from(theirs)], 0b000_010_000, 0b101_000_101, FULL];
        let wish = wishes
            .into_iter()
            .map(|wish| wish & empty)
            .find(|&wish| wish != 0)
            .ok_or("a move is asked for, and the board is full")?;
        let cell = wish.trailing_zeros();
        self.plain = Some([own | 1 << cell, theirs]);
        Ok(format!("{} {}", cell / 3, cell % 3))
    }
}

/// Two integers with white space between them, each -1 to 8.
fn pair(line: &str) -> Option<(i32, i32)> {
    let mut numbers = line.split_whitespace().map(|piece| piece.parse::<i32>().ok());
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Some(a @ -1..=8)), Some(Some(b @ -1..=8)), None) => Some((a, b)),
        _ => None,
    }
}

impl<B: Bot<State, Move>> LineBot for Dialogue<B> {
    fn line(&mut self, line: &str) -> Result<Reply, String> {
        match std::mem::replace(&mut self.part, Part::Last) {
            Part::Last => {
                if let Some(moves) = line.strip_prefix("opening ").filter(|_| self.is_first) {
                    self.open(moves)?;
                    return Ok(Reply::Nothing);
                }
                let last = match pair(line) {
                    Some((-1, -1)) if self.is_first => None,
                    Some((row @ 0..=8, column @ 0..=8)) => Some((row as usize, column as usize)),
                    _ => return Err("expected the opponent's last move, for example 4 4".to_string()),
                };
                self.part = Part::Count { last };
                Ok(Reply::Nothing)
            }
            Part::Count { last } => {
                let count = line.trim().parse::<usize>().ok().filter(|count| (1..=81).contains(count));
                let left = count.ok_or("expected the number of legal moves, 1 to 81")?;
                self.part = Part::List { last, left, cells: Vec::with_capacity(left) };
                Ok(Reply::Nothing)
            }
            Part::List { last, left, mut cells } => {
                match pair(line) {
                    Some((row @ 0..=8, column @ 0..=8)) => cells.push((row as usize, column as usize)),
                    _ => return Err("expected a legal move, for example 4 4".to_string()),
                }
                if left > 1 {
                    self.part = Part::List { last, left: left - 1, cells };
                    return Ok(Reply::Nothing);
                }
                self.clock.start_turn();
                let answer = self.answer(last, &cells)?;
                self.clock.end_turn();
                Ok(Reply::Say(answer))
            }
        }
    }
}
