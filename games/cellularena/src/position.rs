//! Positions as text, in several lines: `W H`; the rows, with `.` for an empty cell or an organ, `#` for a wall, and
//! `A`..`D` for sources; the stocks of player 0 and of player 1 as `a b c d`; and then the organs in ascending order of
//! their numbers, `id owner x y TYPE DIR parent root`.

use crate::{Cell, Content, Dir, Kind, Organ, Protein, State};
use contender_game::{
    contest::{excerpt, numbers},
    rules::{Player, Simultaneous},
};
use std::fmt;
use std::str::FromStr;

/// Returns the state as text (see the [module](self)). The text contains neither the number of turns played nor whether
/// the game is over.
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
    /// Formats the canonical text.
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

/// Returns the 64-bit FNV-1a hash of the [canonical] text. Records use this hash to compare states.
#[must_use]
pub fn hash(state: &State) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    canonical(state).bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

impl FromStr for State {
    type Err = String;

    /// Parses the [canonical] text. The result is a state before the first turn.
    fn from_str(text: &str) -> Result<State, String> {
        let mut lines = text.lines();
        let mut next = |what: &str| lines.next().ok_or_else(|| format!("the line with {what} is missing"));
        let [width, height] = numbers::<usize, 2>(next("width and height")?)?;
        let mut state = State::empty(width, height)?;
        for y in 0..height {
            let row = next("a row of the board")?;
            if row.chars().count() != width {
                return Err(format!("row {y} does not have {width} cells"));
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
    /// Sets an empty cell to the terrain that a letter of the canonical text stands for: nothing, a wall or a source.
    fn set_terrain(&mut self, cell: Cell, letter: char) -> Result<(), String> {
        match letter {
            '.' => Ok(()),
            '#' => self.build_wall(cell),
            _ => {
                let protein = Protein::ALL.into_iter().find(|protein| protein.letter() == letter);
                let protein = protein.ok_or_else(|| format!("`{letter}` is not one of `.#ABCD`"))?;
                self.put_source(cell, protein)
            }
        }
    }
}

fn read_organ(state: &State, line: &str) -> Result<Organ, String> {
    let words: Vec<&str> = line.split(' ').collect();
    let organ = match words[..] {
        [id, owner, x, y, kind, dir, parent, root] => {
            organ(state, [id, owner, x, y, kind, dir, parent, root])
        }
        _ => None,
    };
    organ.ok_or_else(|| format!("`{}` is not an organ: id owner x y TYPE DIR parent root", excerpt(line)))
}

/// Returns the organ that these words describe: id, owner, x, y, type, direction, parent, root. Returns `None` if one
/// of the words is not possible on the board of this state.
pub(crate) fn organ(state: &State, words: [&str; 8]) -> Option<Organ> {
    let [id, owner, x, y, kind, dir, parent, root] = words;
    let number = |word: &str| word.parse::<u16>().ok();
    Some(Organ {
        id: number(id)?,
        owner: *Player::BOTH.get(usize::from(number(owner)?))?,
        cell: state.cell(number(x)?.into(), number(y)?.into())?,
        kind: Kind::from_word(kind)?,
        dir: Dir::ALL.into_iter().find(|known| known.letter().to_string() == dir)?,
        parent: number(parent)?,
        root: number(root)?,
    })
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
            (".A.#.", ".A.#", "row 0 does not have 5 cells"),
            (".A.#.", ".A.x.", "`x` is not one of `.#ABCD`"),
            ("1 2 3 4", "1 2 -3 4", "a stock of -3 proteins"),
            ("2 1 4 0", "1 1 4 0", "organ 1 is there twice"),
            ("2 1 4 0", "2 1 3 0", "organ 2 is at (3, 0), which is not empty"),
            ("W 1 1", "W 2 2", "organ 4 has the parent 2, of another organism"),
            ("W 1 1", "W 7 1", "organ 4 has the parent 7, which does not exist"),
            ("N 0 2", "N 1 2", "organ 2 is a root, but has another organ as its parent or root"),
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
}
