//! The state of a game: flat arrays indexed by cell, and sets of cells.

use super::board::{AREA, MAX_HEIGHT, MAX_WIDTH};
use super::organ::Packed;
use super::{Action, Cell, Cells, Content, Dir, Kind, Organ, Protein, Stock};
use contender_game::rules::Player;

/// Maximum stock of a protein and maximum organ number in a state that is built from data. These limits prevent
/// overflows during the game.
const MAX_GIVEN_STOCK: i32 = 1_000_000_000;
const MAX_GIVEN_ID: u16 = 30_000;

/// A state between two turns.
///
/// A state takes about 3 kB without pointers, so copying it is cheap. An organ is identified by its cell, and an
/// organism by the cell of its root. The judge's numbers of organs are stored separately.
#[derive(Clone, PartialEq, Eq)]
pub struct State {
    width: u8,
    height: u8,
    pub(super) turns: u8,
    pub(super) is_over: bool,
    /// The highest number of any organ, dead or alive.
    last_id: u16,
    pub(super) stock: [Stock; 2],
    /// The walls, and all cells of the frame that are not on the board.
    walls: Cells,
    sources: Cells,
    organs: [Cells; 2],
    roots: Cells,
    sporers: Cells,
    /// The cells that each player's tentacles face, updated with every change.
    guarded: [Cells; 2],
    /// The cells that each player's harvesters face, updated with every change.
    tended: [Cells; 2],
    content: [Packed; AREA],
    /// The number of the organ in each cell; 0 for cells without an organ.
    ids: [u16; AREA],
    /// The cell of each organ's parent. The parent is 0, which is not on the board, for roots and for cells without an
    /// organ.
    parents: [u16; AREA],
    /// The cell of each organ's root; 0 for cells without an organ.
    organisms: [u16; AREA],
}

impl State {
    /// Returns an empty board without organs and proteins.
    ///
    /// # Errors
    /// Returns an error if the size is not between 1 x 1 and 24 x 12.
    pub fn empty(width: usize, height: usize) -> Result<State, String> {
        if !(1..=MAX_WIDTH).contains(&width) || !(1..=MAX_HEIGHT).contains(&height) {
            return Err(format!(
                "a board of {width} x {height} cells; at most {MAX_WIDTH} x {MAX_HEIGHT} are possible"
            ));
        }
        let mut state = State {
            width: width as u8,
            height: height as u8,
            turns: 0,
            is_over: false,
            last_id: 0,
            stock: [[0; 4]; 2],
            walls: !Cells::EMPTY,
            sources: Cells::EMPTY,
            organs: [Cells::EMPTY; 2],
            roots: Cells::EMPTY,
            sporers: Cells::EMPTY,
            guarded: [Cells::EMPTY; 2],
            tended: [Cells::EMPTY; 2],
            content: [Packed::WALL; AREA],
            ids: [0; AREA],
            parents: [0; AREA],
            organisms: [0; AREA],
        };
        for cell in state.cells() {
            state.clear(cell);
        }
        Ok(state)
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn width(&self) -> usize {
        usize::from(self.width)
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        usize::from(self.height)
    }

    /// Returns the number of turns played.
    #[must_use]
    pub fn turns(&self) -> u32 {
        u32::from(self.turns)
    }

    /// Returns the cells of the board, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        let (width, height) = (self.width(), self.height());
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// Returns the cell at these coordinates, if it is on the board.
    #[must_use]
    pub fn cell(&self, x: i32, y: i32) -> Option<Cell> {
        let x = usize::try_from(x).ok().filter(|&x| x < self.width())?;
        let y = usize::try_from(y).ok().filter(|&y| y < self.height())?;
        Some(Cell::new(x, y))
    }

    /// Returns the contents of a cell. Cells outside the board are walls.
    #[must_use]
    pub fn content(&self, cell: Cell) -> Content {
        self.packed(cell).unpack()
    }

    /// Returns a player's proteins.
    #[inline]
    #[must_use]
    pub fn stock(&self, player: Player) -> &Stock {
        &self.stock[player]
    }

    /// Returns the cells with a player's organs.
    #[inline]
    #[must_use]
    pub fn organ_cells(&self, player: Player) -> Cells {
        self.organs[player]
    }

    /// Returns the cells with a player's roots, one for each organism.
    #[inline]
    #[must_use]
    pub fn roots(&self, player: Player) -> Cells {
        self.roots & self.organs[player]
    }

    /// Returns the cells with a player's sporers.
    #[inline]
    #[must_use]
    pub fn sporers(&self, player: Player) -> Cells {
        self.sporers & self.organs[player]
    }

    /// Returns the walls, including all cells of the frame that are not on the board.
    #[inline]
    #[must_use]
    pub fn walls(&self) -> Cells {
        self.walls
    }

    /// Returns the cells with protein sources.
    #[inline]
    #[must_use]
    pub fn sources(&self) -> Cells {
        self.sources
    }

    /// Returns the cells without a wall or an organ.
    #[inline]
    #[must_use]
    pub fn free(&self) -> Cells {
        !(self.walls | self.organs[0] | self.organs[1])
    }

    /// Returns all cells that the player's tentacles face.
    #[inline]
    #[must_use]
    pub fn guarded(&self, player: Player) -> Cells {
        self.guarded[player]
    }

    /// Returns the sources that the player's harvesters face.
    #[inline]
    #[must_use]
    pub fn harvested(&self, player: Player) -> Cells {
        self.tended[player] & self.sources
    }

    /// Returns the root of the organism that the organ in this cell belongs to, or `None` if the cell has no organ.
    #[inline]
    #[must_use]
    pub fn organism(&self, organ: Cell) -> Option<Cell> {
        let root = self.organisms[organ.index()];
        (root != 0).then_some(Cell(root))
    }

    /// Returns the parent of the organ in this cell, or `None` for a root and for a cell without an organ.
    #[inline]
    #[must_use]
    pub fn parent(&self, organ: Cell) -> Option<Cell> {
        let parent = self.parents[organ.index()];
        (parent != 0).then_some(Cell(parent))
    }

    /// Returns the judge's number of the organ in this cell, or 0 if the cell has no organ.
    #[inline]
    #[must_use]
    pub fn id(&self, organ: Cell) -> u16 {
        self.ids[organ.index()]
    }

    /// Returns the highest number of any organ, dead or alive.
    #[must_use]
    pub fn last_id(&self) -> u16 {
        self.last_id
    }

    /// Returns a hash of everything that the rules depend on, except the numbers of organs. Equal states have equal
    /// hashes, and different states nearly always have different hashes. Each step is a rotation and a multiplication
    /// by 2^64 divided by the golden ratio. There are two chains of steps, because within a chain each step must wait
    /// for the previous one.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let step = |hash: u64, part: u64| (hash.rotate_left(23) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let content = self.content.chunks(8);
        let content =
            content.map(|part| part.iter().fold(0, |word, cell| word << 8 | u64::from(cell.byte())));
        let parents = self.parents.chunks(4);
        let parents = parents.map(|part| part.iter().fold(0, |word, &cell| word << 16 | u64::from(cell)));
        let stocks = self.stock.iter().flatten().map(|&amount| amount as u64);
        step(content.fold(u64::from(self.turns), step), parents.chain(stocks).fold(0, step))
    }

    /// Returns the cell of the organ with this number.
    #[must_use]
    pub fn find(&self, id: i32) -> Option<Cell> {
        let id = u16::try_from(id).ok().filter(|&id| id != 0)?;
        self.ids.iter().position(|&other| other == id).map(|index| Cell(index as u16))
    }

    /// Returns all data about the organ in this cell, or `None` if the cell has no organ.
    #[must_use]
    pub fn organ(&self, cell: Cell) -> Option<Organ> {
        let Content::Organ { owner, kind, dir } = self.content(cell) else { return None };
        let id_of = |cell: Option<Cell>| cell.map_or(0, |cell| self.id(cell));
        let (parent, root) = (id_of(self.parent(cell)), id_of(self.organism(cell)));
        Some(Organ { id: self.id(cell), owner, cell, kind, dir, parent, root })
    }

    /// Returns all organs in ascending order of their numbers.
    #[must_use]
    pub fn organs(&self) -> Vec<Organ> {
        let cells = self.organs[0] | self.organs[1];
        let mut organs: Vec<Organ> = cells.iter().filter_map(|cell| self.organ(cell)).collect();
        organs.sort_by_key(|organ| organ.id);
        organs
    }

    /// Returns the cells of an organism.
    #[inline]
    #[must_use]
    pub fn organism_cells(&self, player: Player, root: Cell) -> Cells {
        let organs = self.organs[player];
        if self.roots(player).len() == 1 {
            return organs;
        }
        let mut cells = Cells::EMPTY;
        for cell in organs {
            if self.organisms[cell.index()] == root.0 {
                cells.insert(cell);
            }
        }
        cells
    }

    /// Makes a cell of the board a wall.
    ///
    /// # Errors
    /// Returns an error if the cell is not empty.
    pub fn build_wall(&mut self, cell: Cell) -> Result<(), String> {
        self.check_empty(cell)?;
        self.set_wall(cell);
        Ok(())
    }

    /// Puts a protein source on a cell.
    ///
    /// # Errors
    /// Returns an error if the cell is not empty.
    pub fn put_source(&mut self, cell: Cell, protein: Protein) -> Result<(), String> {
        self.check_empty(cell)?;
        self.sources.insert(cell);
        self.content[cell.index()] = Packed::source(protein);
        Ok(())
    }

    /// Sets a player's proteins.
    ///
    /// # Errors
    /// Returns an error if a number is negative or greater than 1,000,000,000.
    pub fn set_stock(&mut self, player: Player, stock: Stock) -> Result<(), String> {
        if let Some(wrong) = stock.iter().find(|amount| !(0..=MAX_GIVEN_STOCK).contains(*amount)) {
            return Err(format!("a stock of {wrong} proteins"));
        }
        self.stock[player] = stock;
        Ok(())
    }

    /// Sets the number of turns played.
    pub fn set_turns(&mut self, turns: u8) {
        self.turns = turns;
    }

    /// Raises the highest organ number. New organs get the numbers after it.
    pub fn raise_last_id(&mut self, id: u16) {
        self.last_id = self.last_id.max(id);
    }

    /// Places organs, given in any order, on a board without organs.
    ///
    /// # Errors
    /// Returns an error if these organs are impossible: if a cell is not empty, if a number occurs twice, or if a
    /// parent or root is missing, belongs to the enemy or to another organism, or is younger than the organ.
    pub fn put_organs(&mut self, mut organs: Vec<Organ>) -> Result<(), String> {
        organs.sort_by_key(|organ| organ.id);
        for organ in organs {
            let Organ { id, owner, cell, kind, dir, parent, root } = organ;
            let wrong = |what: &str| format!("organ {id} {what}");
            self.check_empty(cell).map_err(|error| wrong(&format!("is at {error}")))?;
            if id <= self.last_id || id > MAX_GIVEN_ID {
                return Err(wrong(if id == self.last_id {
                    "is there twice"
                } else {
                    "has an impossible number"
                }));
            }
            let parent_cell = if kind == Kind::Root {
                if parent != 0 || root != id {
                    return Err(wrong("is a root, but has another organ as its parent or root"));
                }
                None
            } else {
                let parent_cell = self
                    .find(parent.into())
                    .ok_or_else(|| wrong(&format!("has the parent {parent}, which does not exist")))?;
                if !self.organs[owner].has(parent_cell)
                    || self.organism(parent_cell) != self.find(root.into())
                {
                    return Err(wrong(&format!("has the parent {parent}, of another organism")));
                }
                Some(parent_cell)
            };
            self.put_organ(owner, cell, kind, dir, parent_cell, id);
        }
        Ok(())
    }

    fn check_empty(&self, cell: Cell) -> Result<(), String> {
        if self.packed(cell) == Packed::EMPTY {
            return Ok(());
        }
        let (x, y) = (cell.x(), cell.index() / super::board::STRIDE);
        if x >= self.width() || !(1..=self.height()).contains(&y) {
            return Err("a cell outside of the board".to_string());
        }
        Err(format!("({x}, {}), which is not empty", y - 1))
    }

    #[inline]
    pub(super) fn packed(&self, cell: Cell) -> Packed {
        self.content[cell.index()]
    }

    /// Empties a cell that contains a wall or a source.
    #[inline]
    pub(super) fn clear(&mut self, cell: Cell) {
        self.walls.remove(cell);
        self.sources.remove(cell);
        self.content[cell.index()] = Packed::EMPTY;
    }

    /// Makes a cell without an organ a wall.
    #[inline]
    pub(super) fn set_wall(&mut self, cell: Cell) {
        self.walls.insert(cell);
        self.sources.remove(cell);
        self.content[cell.index()] = Packed::WALL;
    }

    /// Lands the organ of an action, with the next number.
    #[inline]
    pub(super) fn put_new_organ(&mut self, owner: Player, action: &Action) {
        let parent = (action.kind != Kind::Root).then_some(action.from);
        self.put_organ(owner, action.to, action.kind, action.dir, parent, self.last_id + 1);
    }

    #[inline]
    fn put_organ(&mut self, owner: Player, cell: Cell, kind: Kind, dir: Dir, parent: Option<Cell>, id: u16) {
        let at = cell.index();
        self.sources.remove(cell);
        self.organs[owner].insert(cell);
        self.content[at] = Packed::organ(owner, kind, dir);
        self.ids[at] = id;
        self.last_id = id;
        match parent {
            Some(parent) => {
                self.parents[at] = parent.0;
                self.organisms[at] = self.organisms[parent.index()];
            }
            None => {
                self.parents[at] = 0;
                self.organisms[at] = cell.0;
            }
        }
        match kind {
            Kind::Basic => {}
            Kind::Tentacle => self.guarded[owner].insert(cell.step(dir)),
            Kind::Harvester => self.tended[owner].insert(cell.step(dir)),
            Kind::Sporer => self.sporers.insert(cell),
            Kind::Root => self.roots.insert(cell),
        }
    }

    /// Removes organs of one player from the board.
    pub(super) fn remove_organs(&mut self, owner: Player, dead: Cells) {
        for cell in dead {
            let at = cell.index();
            self.content[at] = Packed::EMPTY;
            self.ids[at] = 0;
            self.parents[at] = 0;
            self.organisms[at] = 0;
        }
        self.organs[owner] = self.organs[owner].without(dead);
        self.roots = self.roots.without(dead);
        self.sporers = self.sporers.without(dead);
        // Another tentacle may face the same cell as a dead one, so the faced cells are collected again.
        self.guarded[owner] = Cells::EMPTY;
        self.tended[owner] = Cells::EMPTY;
        for cell in self.organs[owner] {
            let organ = self.packed(cell);
            match organ.kind() {
                Kind::Tentacle => self.guarded[owner].insert(cell.step(organ.dir())),
                Kind::Harvester => self.tended[owner].insert(cell.step(organ.dir())),
                _ => {}
            }
        }
    }
}
