//! The state of a game.

use super::cells::{self, Cells};
use super::{squares, Colour, Placement, Tile, COLOURS};
use contender_game::rules::{Chance, Game, Hidden, Player, Rng, Turn};

/// A game in progress.
///
/// The value has no pointers and takes less than 400 bytes. Copying it is cheap compared with playing a move, so there
/// is no function to undo moves. Facts that depend only on filled cells (legal placements, the end of the game) ignore
/// colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The cells of each colour, as disjoint sets.
    cells: [Cells; COLOURS],
    /// The union of `cells`.
    filled: Cells,
    /// The corners of the areas with at most four filled cells, horizontal and vertical. During a game, cells are
    /// removed from these sets but never added.
    open: [Cells; 2],
    /// The secret colours of the players, which are different.
    colours: [Colour; 2],
    /// The tile to place, or `None` if it must still be drawn.
    tile: Option<Tile>,
    /// The player who places the next tile.
    mover: Player,
    /// The place of the latest tile. At the start this is the start tile.
    last: Placement,
}

/// A state after an arbitrary start tile, with arbitrary colours. It serves computations that depend on neither.
impl Default for State {
    fn default() -> State {
        State::new([0, 1], Tile::from_index(0))
    }
}

impl State {
    /// Creates the state after the start tile, before the first draw.
    ///
    /// # Panics
    /// Panics if the secret colours are equal or not below 6.
    #[must_use]
    pub fn new(colours: [Colour; 2], start: Tile) -> State {
        assert!(colours[0] != colours[1], "the players have different colours");
        assert!(colours.iter().all(|&colour| usize::from(colour) < COLOURS), "colours are below 6");
        let mut state = State {
            cells: [cells::NONE; COLOURS],
            filled: cells::NONE,
            open: [cells::NONE; 2],
            colours,
            tile: None,
            mover: Player::Zero,
            last: Placement::START,
        };
        state.lay(Placement::START, start);
        state
    }

    /// Creates a game with random secret colours and a random start tile.
    #[must_use]
    pub fn random(rng: &mut Rng) -> State {
        let first = rng.below(COLOURS as u32);
        let second = rng.below(COLOURS as u32 - 1);
        let second = second + u32::from(second >= first);
        State::new([first as Colour, second as Colour], Tile::from_index(rng.index(Tile::COUNT)))
    }

    /// Returns the secret colours of both players.
    #[must_use]
    pub fn colours(&self) -> [Colour; 2] {
        self.colours
    }

    /// Sets the secret colour of `player`, for example to a guess. If this is the other player's colour, the players
    /// have equal colours, which is impossible in a game.
    ///
    /// # Panics
    /// Panics if the colour is not below 6.
    pub fn set_colour(&mut self, player: Player, colour: Colour) {
        assert!(usize::from(colour) < COLOURS, "colours are below 6");
        self.colours[player] = colour;
    }

    /// Returns the tile to place, or `None` if it must still be drawn or the game is over.
    #[must_use]
    pub fn tile(&self) -> Option<Tile> {
        self.tile
    }

    /// Returns the player who places the next tile.
    #[must_use]
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// Returns the place of the latest tile. At the start this is the start tile.
    #[must_use]
    pub fn last(&self) -> Placement {
        self.last
    }

    /// Returns the cells of a colour.
    ///
    /// # Panics
    /// Panics if the colour does not exist.
    #[inline]
    #[must_use]
    pub fn cells_of(&self, colour: Colour) -> &Cells {
        &self.cells[usize::from(colour)]
    }

    /// Returns the filled cells.
    #[inline]
    #[must_use]
    pub fn filled(&self) -> &Cells {
        &self.filled
    }

    /// Returns the colour of a cell, or `None` if it is empty.
    ///
    /// # Panics
    /// Panics if the cell is not on the board.
    #[must_use]
    pub fn colour_at(&self, row: usize, column: usize) -> Option<Colour> {
        assert!(row < super::ROWS, "the board has {} rows", super::ROWS);
        (0..COLOURS as Colour).find(|&colour| self.cells_of(colour)[column] >> row & 1 == 1)
    }

    /// Returns the corners of all areas with at most four filled cells, whether or not they touch a filled cell: first
    /// horizontal areas, then vertical areas. If there are none, the game is over.
    #[inline]
    #[must_use]
    pub fn open(&self) -> &[Cells; 2] {
        &self.open
    }

    /// Returns the corners of all legal placements: first horizontal placements, then vertical placements. Legal
    /// placements do not depend on the tile.
    #[must_use]
    pub fn legal(&self) -> [Cells; 2] {
        let touching = cells::touching_areas(&self.filled);
        [cells::intersection(&self.open[0], &touching[0]), cells::intersection(&self.open[1], &touching[1])]
    }

    /// Returns whether a tile may be placed here.
    #[must_use]
    pub fn is_legal(&self, placement: Placement) -> bool {
        let corners = &self.legal()[usize::from(placement.is_standing())];
        corners[placement.column()] >> placement.row() & 1 == 1
    }

    /// Returns the number of filled cells that a tile at this placement would cover.
    #[must_use]
    pub fn overlap(&self, placement: Placement) -> u32 {
        let (width, rows) = placement.span();
        self.filled[placement.column()..][..width].iter().map(|column| (column & rows).count_ones()).sum()
    }

    /// Returns the cells whose contents are final, because no area with at most four filled cells contains them. Some
    /// of these cells may be empty.
    #[must_use]
    pub fn fixed(&self) -> Cells {
        cells::covered(&self.open).map(|column| !column)
    }

    /// Returns the sum of the sides of a colour's squares.
    ///
    /// # Panics
    /// Panics if the colour does not exist.
    #[must_use]
    pub fn score(&self, colour: Colour) -> i32 {
        squares::score(self.cells_of(colour))
    }

    /// Returns how much [`State::score`] of `colour` changes when `tile` is placed. This is faster than placing the
    /// tile and counting again.
    ///
    /// # Panics
    /// Panics if the colour does not exist.
    #[must_use]
    pub fn score_change(&self, colour: Colour, placement: Placement, tile: Tile) -> i32 {
        let mut cells = *self.cells_of(colour);
        let mut change = 0;
        let (width, rows) = placement.span();
        let column = placement.column();
        for c in column..column + width {
            let mut covered = cells[c] & rows;
            while covered != 0 {
                let r = covered.trailing_zeros() as usize;
                covered &= covered - 1;
                change -= squares::score_through(&cells, r, c);
                cells[c] &= !(1 << r);
            }
        }
        for (r, c) in placement.cells(tile.position(colour)) {
            change += squares::score_through(&cells, r, c);
            cells[c] |= 1 << r;
        }
        change
    }

    /// Returns whether no tile can be placed any more, so that the game is over.
    #[inline]
    #[must_use]
    pub fn is_over(&self) -> bool {
        // An open area implies a legal placement: slide it towards the filled cells until it touches them.
        self.open.iter().all(cells::is_empty)
    }

    /// Places the tile on the board.
    fn lay(&mut self, placement: Placement, tile: Tile) {
        let (width, rows) = placement.span();
        let column = placement.column();
        for cells in &mut self.cells {
            for cells in &mut cells[column..column + width] {
                *cells &= !rows;
            }
        }
        for (position, &colour) in tile.colours().iter().enumerate() {
            for (r, c) in placement.cells(position) {
                self.cells[usize::from(colour)][c] |= 1 << r;
            }
        }
        for filled in &mut self.filled[column..column + width] {
            *filled |= rows;
        }
        self.open = cells::open_areas(&self.filled);
        self.last = placement;
    }
}

impl Game for State {
    type Move = Placement;

    #[inline]
    fn turn(&self) -> Turn {
        match self.tile {
            Some(_) => Turn::Player(self.mover),
            None if self.is_over() => Turn::Over,
            None => Turn::Chance,
        }
    }

    fn moves(&self, moves: &mut Vec<Placement>) {
        if self.tile.is_none() {
            return;
        }
        cells::placements(&self.legal(), moves);
    }

    /// # Panics
    /// Panics if there is no tile to place.
    fn play(&mut self, placement: Placement) {
        let tile = self.tile.take().expect("a tile is drawn before it is placed");
        self.lay(placement, tile);
        self.mover = self.mover.other();
    }

    fn points(&self) -> [i32; 2] {
        contest_points(self.colours.map(|colour| self.score(colour)))
    }

    /// Returns player 0's score for squares minus player 1's score.
    fn value(&self) -> i32 {
        self.score(self.colours[0]) - self.score(self.colours[1])
    }

    /// Counts the legal placements, draws a number, and selects the placement with this number without building a list.
    fn random_move(&self, rng: &mut Rng, _scratch: &mut Vec<Placement>) -> Placement {
        let words = self.legal().map(|corners| cells::words(&corners));
        let counts = words.map(|words| words.map(u64::count_ones));
        let mut rest = rng.below(counts.iter().flatten().sum());
        for kind in 0..2 {
            for (at, &count) in counts[kind].iter().enumerate() {
                if rest < count {
                    let mut word = words[kind][at];
                    for _ in 0..rest {
                        word &= word - 1;
                    }
                    return Placement::from_bit(64 * at + word.trailing_zeros() as usize, kind == 1);
                }
                rest -= count;
            }
        }
        unreachable!("the draw is below the number of placements")
    }
}

impl Chance for State {
    type Outcome = Tile;

    fn outcomes(&self, outcomes: &mut Vec<(Tile, u32)>) {
        if self.turn() == Turn::Chance {
            outcomes.extend(Tile::all().map(|tile| (tile, 1)));
        }
    }

    fn resolve(&mut self, tile: Tile) {
        self.tile = Some(tile);
    }

    fn random_outcome(&self, rng: &mut Rng, _scratch: &mut Vec<(Tile, u32)>) -> Tile {
        Tile::from_index(rng.index(Tile::COUNT))
    }
}

impl Hidden for State {
    /// Gives the opponent of `viewer` one of the five other colours with equal probabilities. The moves could reveal
    /// more about the colour, but this depends on how the opponent plays, and not on the rules.
    fn resample(&mut self, viewer: Player, rng: &mut Rng) {
        let step = 1 + rng.below(COLOURS as u32 - 1) as Colour;
        self.colours[viewer.other()] = (self.colours[viewer] + step) % COLOURS as Colour;
    }
}

/// Returns the contest points for the players' scores. If the scores differ by d, the winner gets 200 + d and the loser
/// 100 - d. If they are equal, both players get 150.
#[must_use]
pub fn contest_points(scores: [i32; 2]) -> [i32; 2] {
    let lead = scores[0] - scores[1];
    match lead.signum() {
        0 => [150; 2],
        1 => [200 + lead, 100 - lead],
        _ => [100 + lead, 200 - lead],
    }
}
