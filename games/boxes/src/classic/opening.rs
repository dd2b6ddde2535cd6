//! A table of first moves, with the placements that the search considers best.
//!
//! The colours are renamed so that the start tile is 123456. Then there are 6 × 720 combinations of the bot's colour
//! and the tile. The start position looks the same after half a turn, so a placement is as good as its mirror image,
//! and the table contains such pairs.

use super::evaluation::{Board, Weights};
use crate::shape::{kinds, Shape};
use crate::{Colour, Placement, State, Tile, COLOURS, COLUMNS, ROWS};
use contender_game::rules::{Chance, Game, Player};
use contender_search::Mix;

/// The table, with one line for each colour that the bot can have. For each tile, the line has one letter for every
/// best pair, and a comma before the next tile.
const TABLE: &str = include_str!("openings.txt");

/// The letter for the first pair.
const FIRST_LETTER: u8 = b'0';

/// Returns the best first placements. Returns `None` unless only the start tile is on the board and a tile must be
/// placed.
#[must_use]
pub fn best(state: &State, player: Player) -> Option<Vec<Placement>> {
    let tile = state.tile()?;
    let start = Shape::of(&State::default());
    if Shape::of(state) != start {
        return None;
    }
    let renamed = |colour: Colour| {
        let is_there = |&at: &usize| {
            let (row, column) = Placement::START.cells(at)[0];
            state.colour_at(row, column) == Some(colour)
        };
        (0..COLOURS).find(is_there).expect("the start tile has every colour") as Colour
    };
    let own = usize::from(renamed(state.colours()[player]));
    let tile = Tile::from_colours(tile.colours().map(renamed)).expect("renamed colours are different");
    let letters = &mut TABLE.lines().nth(own)?.bytes();
    let mut before = 0;
    let mut is_more = false;
    let of_tile = |&letter: &u8| {
        // A letter begins another tile unless a comma precedes it.
        before += usize::from(letter != b',' && !is_more);
        is_more = letter == b',';
        !is_more && before == tile.index() + 1
    };
    let pairs = pairs(&start);
    let best = letters.filter(of_tile).flat_map(|letter| pairs[usize::from(letter - FIRST_LETTER)]);
    let mut best: Vec<Placement> = best.collect();
    best.dedup();
    Some(best)
}

/// Returns the placements of the first move, each with its mirror image. A placement can be its own mirror image.
fn pairs(start: &Shape) -> Vec<[Placement; 2]> {
    let mut placements = Vec::new();
    start.placements(&mut placements);
    let mirrored = |placement: Placement| {
        let (width, height) = if placement.is_standing() { (2, 6) } else { (6, 2) };
        let (row, column) = (ROWS - height - placement.row(), COLUMNS - width - placement.column());
        Placement::new(row, column, placement.is_standing()).expect("a mirror image is on the board")
    };
    let pairs = placements.into_iter().map(|placement| [placement, mirrored(placement)]);
    pairs.filter(|[one, other]| one <= other).collect()
}

/// Computes the contents of `openings.txt`, which takes about a second.
///
/// A search evaluates every pair of placements for every colour of the opponent. But for one colour, the value of a
/// pair depends only on the positions of this colour in the two tiles. So 36 evaluations of a pair are enough for all
/// cases.
#[must_use]
pub fn opening_table() -> String {
    let start = State::default();
    let before = Shape::of(&start);
    let pairs = pairs(&before);
    let values: Vec<Vec<i32>> =
        pairs.iter().map(|&[placement, _]| values(&start, &before, placement)).collect();
    let mut table = String::new();
    for own in 0..COLOURS {
        for tile in Tile::all() {
            let at = |colour: usize| COLOURS * colour + tile.position(colour as Colour);
            let others = || (0..COLOURS).filter(|&other| other != own);
            let worst = |values: &Vec<i32>| others().map(|other| values[36 * at(own) + at(other)]).min();
            let most = values.iter().map(worst).max();
            let best = (FIRST_LETTER..).zip(&values).filter(|&(_, values)| Some(worst(values)) == most);
            let letters: Vec<String> = best.map(|(letter, _)| char::from(letter).to_string()).collect();
            table += &letters.join(",");
        }
        table.push('\n');
    }
    table
}

/// Returns the values of a first placement, indexed by the bot's colour and its position in the tile, then by the
/// opponent's colour and its position. Values for equal colours or positions are meaningless.
fn values(start: &State, before: &Shape, placement: Placement) -> Vec<i32> {
    let shape = before.with(placement);
    // One board for each colour and each position in the tile.
    let mut boards = Vec::new();
    for colour in 0..COLOURS {
        for position in 0..COLOURS {
            let has = |tile: &Tile| tile.position(colour as Colour) == position;
            let mut state = start.clone();
            state.resolve(Tile::all().find(has).expect("every colour is everywhere in some tile"));
            state.play(placement);
            boards.push(Board::new(Weights::WRITE_UP, state.cells_of(colour as Colour), &shape));
        }
    }
    let mut replies = Vec::new();
    shape.placements(&mut replies);
    // The minimum over replies, for both boards and each kind of tile for the reply.
    let mut least = vec![[[i32::MAX; COLOURS]; COLOURS]; 36 * 36];
    for reply in replies {
        let after = shape.with(reply);
        let values: Vec<[i32; COLOURS]> =
            boards.iter().map(|board| board.after(Weights::WRITE_UP, reply, &shape, &after)).collect();
        for (at, least) in least.iter_mut().enumerate() {
            let (own, other) = (&values[at / 36], &values[at % 36]);
            for (least, own) in least.iter_mut().zip(own) {
                for (least, other) in least.iter_mut().zip(other) {
                    *least = (*least).min(own - other);
                }
            }
        }
    }
    let mix = Mix::new(kinds().count() as u64);
    let mean = |least: &[[i32; COLOURS]; COLOURS]| {
        mix.value(kinds().map(|(one, other)| i64::from(least[one][other])).sum())
    };
    least.iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClassicBot, ClassicSettings};
    use contender_game::{
        contest::{Clock, Limits},
        rules::Rng,
    };

    #[test]
    fn the_table_is_the_one_computed() {
        assert_eq!(opening_table(), TABLE);
    }

    /// Compares the table with the values of a search without cut-offs, for any colours and start tile.
    #[test]
    fn the_moves_of_the_table_are_those_of_the_search() {
        let mut rng = Rng::new(1);
        for case in 0..6 {
            let mut state = State::random(&mut rng);
            state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
            let searched = ClassicBot::new(ClassicSettings::DEFAULT, case)
                .think(&state, Player::Zero, &Clock::new(Limits::nodes(1_000_000)))
                .0;
            let value = searched[0].value;
            let mut expected: Vec<Placement> = searched
                .iter()
                .filter(|judged| judged.value == value)
                .map(|judged| judged.placement)
                .collect();
            let mut found = best(&state, Player::Zero).expect("it is the first move");
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
            state.play(found[0]);
            state.resolve(Tile::from_index(0));
            assert_eq!(best(&state, Player::One), None);
        }
    }
}
