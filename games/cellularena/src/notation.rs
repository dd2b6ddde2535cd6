//! States and turns as text, and the picture of the board.
//!
//! A **state** is written as several lines: `W H`; the rows, with `.` for an empty cell or an organ, `#` for a wall, `A`..`D` for
//! sources; the stocks of player 0 and of player 1 as `a b c d`; then the organs by ascending number,
//! `id owner x y TYPE DIR parent root`.
//!
//! A **turn** is written as one line, `0: ANSWER | 1: ANSWER`. An answer is what the player printed, line by line, separated by
//! `; `, in its shortest spelling and without messages: `0: GROW 1 3 2 BASIC N; WAIT | 1: SPORE 4 9 0`. An unreadable line is a `?`,
//! and a `!` stands for the lines that a player did not print in time.

use crate::{Action, Cell, Content, Dir, Kind, Order, Organ, Protein, State};
use contender_game::{excerpt, Ink, Line, Picture, Player, Side, Sign, Simultaneous, Square};
use std::fmt;
use std::str::FromStr;

/// Names of the seats.
pub const SEATS: [&str; 2] = ["Blue", "Red"];

/// The state as text; see the [module](self). What it leaves out: the number of turns played, and whether the game is over.
#[must_use]
pub fn canonical(state: &State) -> String {
    let mut text = format!("{} {}\n", state.width(), state.height());
    for y in 0..state.height() {
        text.extend((0..state.width()).map(|x| terrain(state.content(Cell::new(x, y)))));
        text.push('\n');
    }
    for player in Player::BOTH {
        let [a, b, c, d] = state.stock(player);
        text += &format!("{a} {b} {c} {d}\n");
    }
    for Organ { id, owner, cell, kind, dir, parent, root } in state.organs() {
        let (x, y, owner, kind, dir) = (cell.x(), cell.y(), owner.index(), kind.word(), dir.letter());
        text += &format!("{id} {owner} {x} {y} {kind} {dir} {parent} {root}\n");
    }
    text
}

impl fmt::Debug for State {
    /// The canonical text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "after turn {}{}", self.turns(), if self.is_over() { ", over" } else { "" })?;
        f.write_str(&canonical(self))
    }
}

fn terrain(content: Content) -> char {
    match content {
        Content::Empty | Content::Organ { .. } => '.',
        Content::Wall => '#',
        Content::Source(protein) => protein.letter(),
    }
}

/// The 64-bit FNV-1a hash of the [canonical] text, by which records compare states.
#[must_use]
pub fn hash(state: &State) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    canonical(state).bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

impl FromStr for State {
    type Err = String;

    /// Reads the [canonical] text, as a state before the first turn.
    fn from_str(text: &str) -> Result<State, String> {
        let mut lines = text.lines();
        let mut next = |what: &str| lines.next().ok_or_else(|| format!("the line with {what} is missing"));
        let [width, height] = numbers::<usize, 2>(next("width and height")?)?;
        let mut state = State::empty(width, height)?;
        for y in 0..height {
            let row = next("a row of the board")?;
            if row.chars().count() != width {
                return Err(format!("row {y} has not {width} cells"));
            }
            for (x, letter) in row.chars().enumerate() {
                state.set_terrain(Cell::new(x, y), letter)?;
            }
        }
        for player in Player::BOTH {
            state.set_stock(player, numbers(next("a stock")?)?)?;
        }
        let organs = lines.map(|line| read_organ(&state, line)).collect::<Result<Vec<Organ>, String>>()?;
        state.put_organs(organs)?;
        Ok(state)
    }
}

impl State {
    /// Puts what a row of the canonical text has for an empty cell: nothing, a wall or a source.
    fn set_terrain(&mut self, cell: Cell, letter: char) -> Result<(), String> {
        match letter {
            '.' => Ok(()),
            '#' => self.build_wall(cell),
            _ => match Protein::ALL.into_iter().find(|protein| protein.letter() == letter) {
                Some(protein) => self.put_source(cell, protein),
                None => Err(format!("`{letter}` is none of `.#ABCD`")),
            },
        }
    }
}

fn read_organ(state: &State, line: &str) -> Result<Organ, String> {
    let wrong = || format!("`{}` is not an organ: id owner x y TYPE DIR parent root", excerpt(line));
    let words: Vec<&str> = line.split(' ').collect();
    let &[id, owner, x, y, kind, dir, parent, root] = &words[..] else { return Err(wrong()) };
    let number = |word: &str| word.parse::<u16>().map_err(|_| wrong());
    Ok(Organ {
        id: number(id)?,
        owner: *Player::BOTH.get(usize::from(number(owner)?)).ok_or_else(wrong)?,
        cell: state.cell(number(x)?.into(), number(y)?.into()).ok_or_else(wrong)?,
        kind: Kind::from_word(kind).ok_or_else(wrong)?,
        dir: Dir::ALL.into_iter().find(|known| known.letter().to_string() == dir).ok_or_else(wrong)?,
        parent: number(parent)?,
        root: number(root)?,
    })
}

/// `N` numbers separated by spaces.
pub(crate) fn numbers<T: FromStr, const N: usize>(line: &str) -> Result<[T; N], String> {
    let read: Option<Vec<T>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
    read.and_then(|read| read.try_into().ok())
        .ok_or_else(|| format!("`{}` is not {N} numbers", excerpt(line)))
}

/// The lines with which a player answers that has to give so many: an order for each action, and `WAIT` for the other organisms.
#[must_use]
pub fn orders(state: &State, actions: &[Action], required: usize) -> Vec<String> {
    let mut lines: Vec<String> = actions.iter().map(|action| action.order(state).to_string()).collect();
    lines.resize(required.max(lines.len()), Order::Wait.to_string());
    lines
}

/// What a player answered in a turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// Its lines; none for an unreadable one.
    pub orders: Vec<Option<Order>>,
    /// Whether lines are missing.
    pub is_late: bool,
}

impl Answer {
    /// Whether the answer disqualifies the player.
    #[must_use]
    pub fn disqualifies(&self) -> bool {
        self.is_late || self.orders.contains(&None)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<String> = self
            .orders
            .iter()
            .map(|order| order.map_or("?".to_string(), |order| order.to_string()))
            .collect();
        if self.is_late {
            lines.push("!".to_string());
        }
        f.write_str(&lines.join("; "))
    }
}

impl FromStr for Answer {
    type Err = String;

    fn from_str(text: &str) -> Result<Answer, String> {
        let mut answer = Answer::default();
        for line in text.split(';').map(str::trim).filter(|line| !line.is_empty()) {
            match line {
                _ if answer.is_late => return Err(format!("`{}` follows a `!`", excerpt(line))),
                "!" => answer.is_late = true,
                "?" => answer.orders.push(None),
                _ => answer.orders.push(Some(line.parse()?)),
            }
        }
        Ok(answer)
    }
}

/// A turn as the record of a game has it.
#[must_use]
pub fn write_turn(answers: &[Answer; 2]) -> String {
    format!("0: {} | 1: {}", answers[0], answers[1])
}

/// Reads a turn of the record of a game.
///
/// # Errors
/// What is malformed.
pub fn read_turn(text: &str) -> Result<[Answer; 2], String> {
    let halves = || text.trim().strip_prefix("0:")?.split_once("| 1:");
    let (zero, one) =
        halves().ok_or_else(|| format!("`{}` is not `0: ANSWER | 1: ANSWER`", excerpt(text)))?;
    Ok([zero.parse()?, one.parse()?])
}

/// The board; organs with numbers above `before` are marked as new, and every organ has a line to its parent.
///
/// An organ is its letter and an arrow where it points, on the colour of its owner; player 1 has small letters, so that the board can
/// be read without colours.
#[must_use]
pub fn picture(state: &State, before: u16) -> Picture {
    let mut picture = Picture::new(0..state.height(), 0..state.width(), |y, x| {
        let cell = Cell::new(x, y);
        let content = state.content(cell);
        let arrow = match content {
            Content::Organ { kind: Kind::Tentacle | Kind::Harvester | Kind::Sporer, dir, .. } => {
                Some(Side::ALL[dir as usize])
            }
            _ => None,
        };
        let is_marked = state.id(cell) > before;
        Square { arrow, is_marked, ..Square::new(format!("{x} {y}"), sign(content)) }
    });
    let at = |cell: Cell| cell.y() * state.width() + cell.x();
    for organ in state.organs() {
        if let Some(parent) = state.parent(organ.cell) {
            let (from, to) = (at(parent), at(organ.cell));
            picture.lines.push(Line { from, to, ink: Ink::Seat(organ.owner), is_arrow: false });
        }
    }
    picture.right = picture.rows.iter().map(|label| Sign::letter(Ink::Dim, label)).collect();
    picture.below = picture.columns.iter().map(|label| Sign::letter(Ink::Dim, label)).collect();
    picture.standing = Some(Player::BOTH.map(|player| state.organ_count(player)));
    for player in Player::BOTH {
        let mut note = vec![
            Sign::letter(Ink::Seat(player), format!("{:<5}", SEATS[player])),
            Sign::plain(format!(" {:>3} organs ", state.organ_count(player))),
        ];
        for ((protein, amount), income) in
            Protein::ALL.into_iter().zip(state.stock(player)).zip(state.income(player))
        {
            let letter = source(protein);
            let letter = Sign { text: format!(" {} ", letter.text), ..letter };
            note.extend([Sign::plain(" "), letter, Sign::plain(format!("{amount}"))]);
            if income > 0 {
                note.push(Sign::letter(Ink::Dim, format!("+{income}")));
            }
        }
        picture.notes.push(note);
    }
    let winner = state.winner().map_or(Sign::plain("level"), |player| {
        Sign::letter(Ink::Seat(player), format!("{} ahead", SEATS[player]))
    });
    let turn = format!("turn {} of {}: ", state.turns(), crate::LONGEST);
    picture.notes.push(vec![Sign::letter(Ink::Dim, turn), winner]);
    picture.notes.push(vec![Sign::letter(
        Ink::Dim,
        "R root, O basic, T tentacle, H harvester, S sporer; capitals blue, small letters red; A-D sources",
    )]);
    picture
}

fn sign(content: Content) -> Sign {
    match content {
        Content::Empty => Sign::dot(),
        Content::Wall => Sign::block(Ink::Dim, '▒'),
        Content::Source(protein) => source(protein),
        Content::Organ { owner, kind, .. } => {
            let letter = ["O", "T", "H", "S", "R"][kind as usize];
            let letter = if owner == Player::Zero { letter.to_string() } else { letter.to_lowercase() };
            Sign::block(Ink::Seat(owner), letter)
        }
    }
}

fn source(protein: Protein) -> Sign {
    Sign::chip(Ink::Piece([3, 6, 2, 1][protein as usize]), protein.letter())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "5 2\n.A.#.\n.....\n1 2 3 4\n5 6 7 8\n1 0 0 0 ROOT N 0 1\n2 1 4 0 ROOT N 0 2\n4 0 0 1 HARVESTER W 1 1\n";

    #[test]
    fn states_are_read_back() {
        let state: State = TEXT.parse().unwrap();
        assert_eq!(canonical(&state), TEXT);
        assert_eq!(state.last_id(), 4);
        for seed in 1..50 {
            let state = crate::map::generate(seed).unwrap();
            assert_eq!(canonical(&state).parse::<State>(), Ok(state));
        }
    }

    #[test]
    fn impossible_states_are_refused() {
        for (good, bad, error) in [
            ("5 2\n", "25 2\n", "a board of 25 x 2 cells; at most 24 x 12 are possible"),
            ("5 2\n", "5\n", "`5` is not 2 numbers"),
            (".A.#.", ".A.#", "row 0 has not 5 cells"),
            (".A.#.", ".A.x.", "`x` is none of `.#ABCD`"),
            ("1 2 3 4", "1 2 -3 4", "a stock of -3 proteins"),
            ("2 1 4 0", "1 1 4 0", "organ 1 is there twice"),
            ("2 1 4 0", "2 1 3 0", "organ 2 is at (3, 0), which is not empty"),
            ("W 1 1", "W 2 2", "organ 4 has the parent 2, of another organism"),
            ("W 1 1", "W 7 1", "organ 4 has the parent 7, which is not there"),
            ("N 0 2", "N 1 2", "organ 2 is a root and names another organ"),
            (
                "4 0 0 1",
                "4 0 0 9",
                "`4 0 0 9 HARVESTER W 1 1` is not an organ: id owner x y TYPE DIR parent root",
            ),
        ] {
            assert_eq!(TEXT.replacen(good, bad, 1).parse::<State>().unwrap_err(), error);
        }
        for end in 0..TEXT.len() {
            let _ = TEXT[..end].parse::<State>();
        }
    }

    #[test]
    fn turns_are_read_back() {
        for text in ["0: GROW 1 3 2 BASIC N; WAIT | 1: SPORE 4 9 0", "0: ! | 1: ?; WAIT", "0: WAIT; ! | 1: "]
        {
            assert_eq!(write_turn(&read_turn(text).unwrap()), text);
        }
        for text in ["", "WAIT", "0: WAIT", "0: !; WAIT | 1: WAIT", "0: wait | 1: WAIT"] {
            assert!(read_turn(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_board_without_colours() {
        let state: State = TEXT.parse().unwrap();
        let picture = picture(&state, 2);
        let lines = contender_game::ansi::plain(&picture.to_text());
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines[0], "   0  1  2  3  4");
        assert_eq!(lines[1], "0  R  A  ·  ▒  r  0");
        assert_eq!(lines[2], "1 [H← ·  ·  ·  ·  1");
        assert_eq!(lines[4], "Blue    2 organs   A 1  B 2  C 3  D 4");
        assert_eq!(lines[6], "turn 0 of 100: Blue ahead");
        let ends: Vec<(usize, usize)> = picture.lines.iter().map(|line| (line.from, line.to)).collect();
        assert_eq!(ends, [(0, 5)]);
    }
}
