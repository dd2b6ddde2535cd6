//! The judge's maps. For each of the judge's seeds, the generated map equals the judge's map cell by cell.

mod java;
mod sha1;

use crate::{Cell, Cells, Dir, Kind, Organ, Protein, State};
use contender_game::rules::Player;
use java::JavaRandom;

/// Minimum number of source placements on a map. Each placement is a cell and its mirror image.
const MIN_PLACEMENTS: usize = 8;

/// Exclusive upper bound of the random distance, in columns and in rows, between a player's root and the player's
/// corner.
const SPAWN_RANGE: u32 = 4;

/// Returns the start of the game for a map seed, as in the judge.
///
/// # Errors
/// Returns an error for the seed 0, which the judge replaces with a random one.
pub fn generate(seed: i64) -> Result<State, String> {
    if seed == 0 {
        return Err("the judge has no map for the seed 0".to_string());
    }
    let mut random = JavaRandom::new(seed);
    let height = random.range(8, 13) as usize;
    let is_point_symmetric = random.boolean() || random.boolean();
    let mut plan = Plan {
        width: 2 * height,
        height,
        is_point_symmetric,
        walls: Cells::EMPTY,
        sources: vec![None; 4 * height * height],
    };
    let area = |ratio: f64| (ratio * height as f64 * (2 * height) as f64) as u32;
    let source_target = area(random.double() * 0.25);
    let wall_target = area(random.double() * 0.5);
    let mut pool = plan.cells();
    plan.place_walls(wall_target, &mut pool, &mut random);
    plan.place_sources(source_target, &mut pool, &mut random);
    let (x, y) = (random.range(0, SPAWN_RANGE), random.range(0, SPAWN_RANGE));
    let spawn = Cell::new(x as usize, y as usize);
    let spawns = [spawn, plan.image(spawn)];
    spawns.iter().for_each(|&cell| plan.set(cell, None));
    plan.connect(&mut random);
    let stock = [(); 4].map(|()| random.range(3, 11) as i32);
    Ok(plan.build(spawns, stock))
}

/// A map during its generation.
struct Plan {
    width: usize,
    height: usize,
    /// Whether player 1's half is player 0's half rotated by 180 degrees. Otherwise it is mirrored at the vertical
    /// axis.
    is_point_symmetric: bool,
    walls: Cells,
    /// The sources, ordered by row and then by column.
    sources: Vec<Option<Protein>>,
}

impl Plan {
    fn cells(&self) -> Vec<Cell> {
        (0..self.height).flat_map(|y| (0..self.width).map(move |x| Cell::new(x, y))).collect()
    }

    /// Returns the image of a cell under the map's symmetry, which is the corresponding cell of the other player.
    fn image(&self, cell: Cell) -> Cell {
        let y = if self.is_point_symmetric { self.height - 1 - cell.y() } else { cell.y() };
        Cell::new(self.width - 1 - cell.x(), y)
    }

    fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        let (x, y) = (cell.x(), cell.y());
        let on_board = move |dir: &Dir| match dir {
            Dir::N => y > 0,
            Dir::E => x + 1 < self.width,
            Dir::S => y + 1 < self.height,
            Dir::W => x > 0,
        };
        Dir::ALL.into_iter().filter(on_board).map(move |dir| cell.step(dir))
    }

    /// Makes a cell empty, or puts a source on it.
    fn set(&mut self, cell: Cell, source: Option<Protein>) {
        self.walls.remove(cell);
        self.sources[cell.y() * self.width + cell.x()] = source;
    }

    /// Places walls. The image of a drawn cell stays in the pool and can be drawn later.
    fn place_walls(&mut self, target: u32, pool: &mut Vec<Cell>, random: &mut JavaRandom) {
        while self.walls.len() < target && !pool.is_empty() {
            let cell = pool.remove(random.below(pool.len() as u32) as usize);
            self.walls.insert(cell);
            self.walls.insert(self.image(cell));
        }
    }

    /// Places sources. A placement may overwrite a wall or an earlier source.
    fn place_sources(&mut self, target: u32, pool: &mut Vec<Cell>, random: &mut JavaRandom) {
        let mut placed = Cells::EMPTY;
        let mut placements = 0;
        while (placed.len() < target || placements < MIN_PLACEMENTS) && !pool.is_empty() {
            let cell = pool.remove(random.below(pool.len() as u32) as usize);
            for cell in [cell, self.image(cell)] {
                placed.insert(cell);
                self.set(cell, Some(Protein::ALL[placements % 4]));
            }
            placements += 1;
        }
    }

    /// Opens walls until every free cell is reachable from every other free cell.
    fn connect(&mut self, random: &mut JavaRandom) {
        let mut walls: Vec<Cell> = self.walls.iter().collect();
        random.shuffle(&mut walls);
        let mut regions = self.regions();
        while regions.len() > 1 {
            let touched = |cell: Cell, regions: &[Cells]| -> Vec<usize> {
                (0..regions.len())
                    .filter(|&at| self.neighbours(cell).any(|next| regions[at].has(next)))
                    .collect()
            };
            let bridge = walls
                .iter()
                .map(|&cell| (cell, touched(cell, &regions)))
                .find(|(_, joined)| joined.len() > 1);
            if let Some((cell, joined)) = bridge {
                self.open(cell, &mut walls);
                // The opened cells stay outside all regions, as in the judge's program.
                let union = joined.iter().fold(Cells::EMPTY, |union, &at| union | regions[at]);
                joined.iter().rev().for_each(|&at| {
                    regions.remove(at);
                });
                regions.push(union);
            } else {
                let is_free = |cell: Cell| !self.walls.has(cell);
                let beside_free = walls.iter().copied().find(|&wall| self.neighbours(wall).any(is_free));
                let Some(cell) = beside_free else { return };
                self.open(cell, &mut walls);
                regions = self.regions();
            }
        }
    }

    fn open(&mut self, cell: Cell, walls: &mut Vec<Cell>) {
        let image = self.image(cell);
        self.walls.remove(cell);
        self.walls.remove(image);
        walls.retain(|&wall| wall != cell && wall != image);
    }

    /// Returns the connected sets of cells that are not walls, ordered by their first cells.
    fn regions(&self) -> Vec<Cells> {
        let mut regions = Vec::new();
        let mut seen = self.walls;
        for start in self.cells() {
            if seen.has(start) {
                continue;
            }
            let mut region = Cells::EMPTY;
            let mut stack = vec![start];
            seen.insert(start);
            while let Some(cell) = stack.pop() {
                region.insert(cell);
                for next in self.neighbours(cell) {
                    if !seen.has(next) {
                        seen.insert(next);
                        stack.push(next);
                    }
                }
            }
            regions.push(region);
        }
        regions
    }

    fn build(&self, spawns: [Cell; 2], stock: [i32; 4]) -> State {
        let build = || -> Result<State, String> {
            let mut state = State::empty(self.width, self.height)?;
            for cell in self.cells() {
                if self.walls.has(cell) {
                    state.build_wall(cell)?;
                } else if let Some(protein) = self.sources[cell.y() * self.width + cell.x()] {
                    state.put_source(cell, protein)?;
                }
            }
            let root = |player: Player| {
                let id = 1 + player as u16;
                Organ {
                    id,
                    owner: player,
                    cell: spawns[player],
                    kind: Kind::Root,
                    dir: Dir::N,
                    parent: 0,
                    root: id,
                }
            };
            state.put_organs(Player::BOTH.map(root).to_vec())?;
            for player in Player::BOTH {
                state.set_stock(player, stock)?;
            }
            Ok(state)
        };
        build().expect("a generated map is well formed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Content;
    use contender_game::rules::Rng;

    #[test]
    fn maps_are_symmetric_connected_and_fair() {
        let mut rng = Rng::new(1);
        for _ in 0..300 {
            let seed = rng.next_u64() as i64 | 1;
            let state = generate(seed).unwrap();
            assert!((8..=12).contains(&state.height()));
            assert_eq!(state.width(), 2 * state.height());
            assert_eq!(state.stock(Player::Zero), state.stock(Player::One));
            assert!(state.stock(Player::Zero).iter().all(|amount| (3..=10).contains(amount)));
            let roots = Player::BOTH.map(|player| state.roots(player).nth(0));
            assert!(roots[0].x() < 4 && roots[0].y() < 4);
            let is_image = |is_point: bool| {
                state.cells().all(|cell| {
                    let y = if is_point { state.height() - 1 - cell.y() } else { cell.y() };
                    let image = Cell::new(state.width() - 1 - cell.x(), y);
                    match (state.content(cell), state.content(image)) {
                        (Content::Organ { owner, .. }, Content::Organ { owner: other, .. }) => owner != other,
                        (one, other) => one == other,
                    }
                })
            };
            assert!(is_image(true) || is_image(false), "{state:?}");
            let mut reached: Cells = [roots[0]].into_iter().collect();
            for _ in 0..300 {
                for dir in Dir::ALL {
                    reached |= reached.shifted(dir).without(state.walls());
                }
            }
            assert_eq!(reached, !state.walls(), "{state:?}");
        }
    }

    #[test]
    fn the_seed_zero_is_refused() {
        assert!(generate(0).is_err());
    }
}
