//! The end of the game exactly: what both players still gain when each plays best for itself (max-n).
//!
//! The order of tiles does not matter to what comes later, nor does any path that ends at the top or bottom wall, so positions are
//! kept by their [outlook](State::outlook): far fewer than the 4^k sets of tiles on the last k cells, and those are far fewer than
//! their k! orders.

use crate::paths::cells;
use crate::policy::weights;
use crate::search::UNIT;
use crate::{Move, State, CELLS};
use contender_game::{Analysis, Game, MoveAnalysis, Player, Undo};
use contender_search::{Allowance, Meter, Stopped};

/// The gains of both players from a position on.
pub(crate) type Gains = [i32; 2];

/// Solves positions and remembers all that it solved.
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    /// How each player counts both players' points.
    weights: [[f32; 2]; 2],
    /// Outlooks and gains, by outlook; a power of two. No outlook is 0 where there is nothing.
    table: Vec<(u64, [i16; 2])>,
    used: usize,
    meter: Meter,
}

impl Solver {
    /// Each of the two maximises its own points less a share of the other's.
    pub fn new(shares: [f32; 2]) -> Solver {
        let weights = [weights(Player::Zero, shares[0]), weights(Player::One, shares[1])];
        let meter = Meter::new(&Allowance::NONE);
        Solver { weights, table: vec![(0, [0; 2]); 1 << 10], used: 0, meter }
    }

    /// What is known of a state by its solution. The allowance counts new positions as nodes; its depth does not matter.
    ///
    /// # Errors
    /// The allowance is used up. What was solved by then is kept.
    pub fn analyse(&mut self, state: &State, allowance: &Allowance) -> Result<Analysis<Move>, Stopped> {
        let moves = self.solve(state, allowance)?;
        let own = f64::from(state.scores()[state.mover]);
        let describe = |(mv, gains): &(Move, Gains)| MoveAnalysis {
            mv: *mv,
            value: [own + f64::from(self.rank(state.mover, gains).0); 2],
            is_proven: true,
            effort: 0,
        };
        Ok(Analysis {
            line: vec![moves[0].0],
            unit: UNIT,
            depth: state.empty_cells(),
            counts: vec![("positions solved so far", self.used as u64)],
            elapsed: self.meter.elapsed(),
            ..Analysis::of(moves.iter().map(describe).collect())
        })
    }

    /// The moves of a state with what both players gain from there on, the best first.
    fn solve(&mut self, state: &State, allowance: &Allowance) -> Result<Vec<(Move, Gains)>, Stopped> {
        self.meter = Meter::new(allowance);
        let mut state = state.clone();
        let mover = state.mover;
        let mut list = Vec::new();
        state.moves(&mut list);
        let mut moves = Vec::with_capacity(list.len());
        for mv in list {
            moves.push((mv, self.after(&mut state, mv)?));
        }
        moves.sort_by(|(_, a), (_, b)| {
            self.rank(mover, b).partial_cmp(&self.rank(mover, a)).expect("a number")
        });
        Ok(moves)
    }

    /// What a player makes of gains; of equal ones it takes those with more points of its own, then those with fewer of the other's,
    /// so that the solution is one, whatever the order of moves.
    fn rank(&self, player: Player, gains: &Gains) -> (f32, i32, i32) {
        let [zero, one] = self.weights[player];
        (zero * gains[0] as f32 + one * gains[1] as f32, gains[player], -gains[player.other()])
    }

    /// What both players gain from a move on.
    fn after(&mut self, state: &mut State, mv: Move) -> Result<Gains, Stopped> {
        let (mover, before) = (state.mover, state.scores()[state.mover]);
        let memo = state.make(mv);
        let gain = state.scores()[mover] - before;
        let key = key(state);
        let later = match self.look_up(key) {
            _ if state.empty == 0 => Ok([0; 2]),
            Some(gains) => Ok(gains),
            None => self.value(state).and_then(|gains| self.store(key, gains)),
        };
        state.unmake(mv, memo);
        let mut gains = later?;
        gains[mover] += gain;
        Ok(gains)
    }

    /// What both players gain from here on; the state is one that the table does not have, with an empty cell.
    fn value(&mut self, state: &mut State) -> Result<Gains, Stopped> {
        // First all children are looked up, so that the machine waits for all of them at once.
        let mut children = [(0, 0, Move::from_code(0)); 3 * CELLS];
        let mut count = 0;
        let mover = state.mover;
        for cell in cells(state.empty) {
            let tiles = state.paths.tiles(cell);
            for tile in (0..3).filter(|tile| tiles >> tile & 1 == 1) {
                let mv = Move::from_code(cell | tile << 6);
                let before = state.scores()[mover];
                let memo = state.make(mv);
                children[count] = (key(state), state.scores()[mover] - before, mv);
                state.unmake(mv, memo);
                count += 1;
            }
        }
        let is_last = state.empty & (state.empty - 1) == 0;
        let mut known = [None; 3 * CELLS];
        for (known, &(key, ..)) in known.iter_mut().zip(&children[..count]) {
            *known = if is_last { Some([0; 2]) } else { self.look_up(key) };
        }
        let mut best = None;
        for (known, &(key, gain, mv)) in known.iter().zip(&children[..count]) {
            let mut gains = match known.or_else(|| self.look_up(key)) {
                Some(gains) => gains,
                None => {
                    let memo = state.make(mv);
                    let gains = self.value(state).and_then(|gains| self.store(key, gains));
                    state.unmake(mv, memo);
                    gains?
                }
            };
            gains[mover] += gain;
            if best.map_or(true, |best| self.rank(mover, &gains) > self.rank(mover, &best)) {
                best = Some(gains);
            }
        }
        Ok(best.expect("a cell is empty"))
    }

    fn look_up(&self, key: u64) -> Option<Gains> {
        let (found, gains) = self.table[self.slot(key)];
        (found == key).then(|| gains.map(i32::from))
    }

    fn slot(&self, key: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = key as usize & mask;
        while self.table[slot].0 != 0 && self.table[slot].0 != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn store(&mut self, key: u64, gains: Gains) -> Result<Gains, Stopped> {
        self.meter.count()?;
        if 4 * self.used >= 3 * self.table.len() {
            let larger = vec![(0, [0; 2]); 2 * self.table.len()];
            for (key, gains) in std::mem::replace(&mut self.table, larger) {
                if key != 0 {
                    let slot = self.slot(key);
                    self.table[slot] = (key, gains);
                }
            }
        }
        let slot = self.slot(key);
        self.table[slot] = (key, gains.map(|gain| gain as i16));
        self.used += 1;
        Ok(gains)
    }
}

/// A state's place in the table.
fn key(state: &State) -> u64 {
    state.outlook().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::{Rng, Turn};
    use std::time::Instant;

    /// A state of a random game with so many empty cells; with `quiet`, one in which few paths were finished.
    fn state(rng: &mut Rng, empty: u32, quiet: bool) -> State {
        let mut state = State::empty();
        while state.empty_cells() > empty {
            let mut mv = state.random_move(rng, &mut Vec::new());
            for _ in 0..20 {
                if quiet && state.gain(mv) != 0 {
                    mv = state.random_move(rng, &mut Vec::new());
                }
            }
            state.play(mv);
        }
        state
    }

    /// Every line to the end, without a table, on copies of the state.
    fn brute_force(state: &State, shares: [f32; 2]) -> [i32; 2] {
        let Turn::Player(player) = state.turn() else { return state.scores() };
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let ends = moves.into_iter().map(|mv| {
            let mut child = state.clone();
            child.play(mv);
            brute_force(&child, shares)
        });
        let rank = |scores: &[i32; 2]| {
            let (own, other) = (scores[player], scores[player.other()]);
            (own as f32 - shares[player] * other as f32, own, -other)
        };
        ends.max_by(|a, b| rank(a).partial_cmp(&rank(b)).expect("numbers")).expect("a move")
    }

    #[test]
    fn it_equals_brute_force() {
        let mut rng = Rng::new(1);
        for round in 0..3_000 {
            let empty = 1 + if round % 100 == 0 { 4 } else { round % 4 };
            let state = state(&mut rng, empty, round % 2 == 0);
            let shares = *rng.choose(&[[0.0, 0.0], [0.5, 0.5], [0.5, 0.0], [1.0, 0.25]]);
            let moves = Solver::new(shares).solve(&state, &Allowance::NONE).expect("no limit");
            assert_eq!(moves.len(), 3 * empty as usize);
            for (mv, gains) in moves {
                let mut child = state.clone();
                child.play(mv);
                let [blue, red] = brute_force(&child, shares);
                let scores = state.scores();
                assert_eq!(
                    gains,
                    [blue - scores[0], red - scores[1]],
                    "{mv} with {empty} cells left, {shares:?}"
                );
            }
        }
    }

    #[test]
    fn later_turns_find_it_solved() {
        let mut rng = Rng::new(2);
        let mut state = state(&mut rng, 7, true);
        let mut solver = Solver::new([0.5; 2]);
        let (mv, gains) = solver.solve(&state, &Allowance::NONE).expect("no limit")[0];
        let mover = state.mover;
        let gain = state.gain(mv);
        state.play(mv);
        let (_, mut later) = solver.solve(&state, &Allowance::nodes(0)).expect("nothing is new")[0];
        later[mover] += gain;
        assert_eq!(gains, later);
    }

    #[test]
    fn it_stops_at_its_limits() {
        let state = state(&mut Rng::new(3), 12, true);
        let mut solver = Solver::new([0.0; 2]);
        assert_eq!(solver.solve(&state, &Allowance::nodes(5_000)), Err(Stopped));
        assert_eq!(solver.used, 5_000);
        let over = Allowance { hard: Some(Instant::now()), ..Allowance::NONE };
        assert_eq!(solver.solve(&state, &over), Err(Stopped));
        assert!(solver.used < 5_100, "{}", solver.used);
    }
}
