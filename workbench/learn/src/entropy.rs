//! Entropy as learning sees it.
use crate::Position;
use contender_entropy::{Cell, Move, State};
use contender_game::Game;
pub const INPUTS: usize = 4;
pub const TURNS: usize = 97;
impl Position<INPUTS> for State {
    const TURNS: usize = TURNS;
    fn turn_index(&self) -> usize {
        match self.turn() {
            contender_game::Turn::Player(contender_game::Player::Zero) => 2 * self.placed() as usize - 1,
            _ => (2 * self.placed() as usize).min(TURNS - 1),
        }
    }
    fn inputs(&self) -> [f32; INPUTS] {
        let mut x = [0.0; INPUTS];
        for c in self.occupied_cells() {
            let r = (c.row() as i32 - 3).abs().max((c.column() as i32 - 3).abs());
            if r == 3 { x[0] += 1.0 }
            if r == 2 { x[1] += 1.0 }
            x[2] += ((c.row() as i32 - 3).abs() + (c.column() as i32 - 3).abs()) as f32;
        }
        // open
        for c in Cell::all() {
            if !self.is_occupied(c) { continue }
            for d in Cell::all() {
                if d > c && self.colour(c) == self.colour(d) && (c.row() == d.row() || c.column() == d.column()) { x[3] += 1.0 }
            }
        }
        x
    }
    fn promise(&self, mv: Move) -> i32 {
        let s = self.score_after(mv);
        if self.turn() == contender_game::Turn::Player(contender_game::Player::Zero) { s } else { -s }
    }
}

/// The training.
pub fn training(
    recipe: crate::Recipe,
    seed: u64,
    length: crate::Length,
    folder: &std::path::Path,
    is_new: bool,
) -> anyhow::Result<crate::Training<'static, State, INPUTS>> {
    let found = if is_new { None } else { crate::Checkpoint::read::<State, INPUTS>(folder, &recipe, seed)? };
    Ok(crate::Training {
        checkpoint: found.unwrap_or_else(|| crate::Checkpoint::start::<State, INPUTS>(recipe, seed)),
        length,
        folder: folder.to_path_buf(),
        start: State::default(),
        yardstick: ("greedy", Box::leak(Box::new(contender_entropy::GreedyBot::new()))),
        write_weights: |weights| format!("{weights:?}"),
    })
}
