//! An exact solver for the end of the game: computes both players' further gains if each player maximises its own goal
//! (max-n).
//!
//! Later gains depend neither on the order in which tiles were placed nor on paths that end at the top or bottom wall.
//! So positions are stored by their [key](State::key). There are far fewer keys than the 4^k arrangements of tiles on
//! the last k cells, and far fewer such arrangements than sequences of moves.

use crate::paths::cells;
use crate::policy::weights;
use crate::search::UNIT;
use crate::table::{Gains, Table};
use crate::{Move, State};
use contender_game::{
    contest::{Analysis, MoveAnalysis},
    rules::{Game, Player},
};
use contender_search::{SearchBudget, SearchLimits, Stopped};

/// Maximum number of empty cells in positions to solve.
const MAX_CELLS: usize = 16;

/// The solver, which stores all solved positions.
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    /// Each player's weights for both players' points.
    weights: [[f32; 2]; 2],
    table: Table,
    meter: SearchBudget,
}

impl Solver {
    /// Creates a solver in which each player maximises its own points minus a share of the other player's points.
    pub fn new(shares: [f32; 2]) -> Solver {
        let weights = [weights(Player::Zero, shares[0]), weights(Player::One, shares[1])];
        let meter = SearchBudget::new(&SearchLimits::NONE);
        Solver { weights, table: Table::default(), meter }
    }

    /// Returns the solution of a state. Each new position counts as a node towards the limits. The depth limit is
    /// ignored.
    ///
    /// # Errors
    /// Returns an error if the search reached its limits. In this case the solver still keeps the positions that it has
    /// solved.
    ///
    /// # Panics
    /// Panics if more than [`MAX_CELLS`] cells are empty.
    pub fn analyse(&mut self, state: &State, limits: &SearchLimits) -> Result<Analysis<Move>, Stopped> {
        let moves = self.solve(state, limits)?;
        let lead = |scores: [i32; 2]| f64::from(scores[state.mover] - scores[state.mover.other()]);
        let describe = |(mv, gains): &(Move, Gains)| MoveAnalysis {
            mv: *mv,
            value: [lead(state.scores()) + lead(*gains); 2],
            is_proven: true,
            effort: 0,
        };
        Ok(Analysis {
            line: vec![moves[0].0],
            unit: UNIT,
            depth: state.empty_cells(),
            counts: vec![("positions solved so far", self.table.used as u64)],
            elapsed: self.meter.elapsed(),
            ..Analysis::of(moves.iter().map(describe).collect())
        })
    }

    /// Returns the moves of a state, starting with the best, with both players' gains from the move to the end of the
    /// game.
    fn solve(&mut self, state: &State, limits: &SearchLimits) -> Result<Vec<(Move, Gains)>, Stopped> {
        self.meter = SearchBudget::new(limits);
        self.table.make_room(state.empty_cells());
        let mut state = state.clone();
        let mover = state.mover;
        let mut list = Vec::new();
        state.moves(&mut list);
        let mut moves = Vec::with_capacity(list.len());
        for mv in list {
            let before = state.scores()[mover];
            let memo = state.make(mv);
            let later = if state.empty == 0 { Ok([0; 2]) } else { self.later(&mut state) };
            let gain = state.scores()[mover] - before;
            state.unmake(mv, memo);
            let mut gains = later?;
            gains[mover] += gain;
            moves.push((mv, gains));
        }
        moves.sort_by(|(_, a), (_, b)| {
            self.rank(mover, b).partial_cmp(&self.rank(mover, a)).expect("a number")
        });
        Ok(moves)
    }

    /// Returns the sort key that shows which gains a player prefers. Among equal values, the player prefers more points
    /// of its own, and then fewer points of the opponent, so that the solution does not depend on the order of moves.
    fn rank(&self, player: Player, gains: &Gains) -> (f32, i32, i32) {
        let [zero, one] = self.weights[player];
        (zero * gains[0] as f32 + one * gains[1] as f32, gains[player], -gains[player.other()])
    }

    /// Returns both players' gains from this state to the end of the game. At least one cell must be empty.
    fn later(&mut self, state: &mut State) -> Result<Gains, Stopped> {
        let key = state.key();
        match self.table.look_up(key) {
            Some(gains) => Ok(gains),
            None => self.value(state, key),
        }
    }

    /// Returns both players' gains from this state to the end of the game. The state must have this key, which is not
    /// in the table, and at least one empty cell.
    fn value(&mut self, state: &mut State, key: u64) -> Result<Gains, Stopped> {
        let mover = state.mover;
        let mut children = [Child { mv: Move::from_code(0), gain: 0, key: 0 }; 3 * MAX_CELLS];
        let mut count = 0;
        for cell in cells(state.empty) {
            let left = state.empty & !(1 << cell);
            let of_turns = State::key_of_turn(state.empty, mover) ^ State::key_of_turn(left, mover.other());
            let tiles = state.paths.tiles(cell);
            for tile in (0..3).filter(|tile| tiles >> tile & 1 == 1) {
                let mv = Move::from_code(cell | tile << 6);
                let (gain, before) = state.paths.place(mv, mover);
                let key = key ^ of_turns ^ state.paths.key_change(mv, &before);
                children[count] = Child { mv, gain, key };
                state.paths.remove(mv, &before);
                count += 1;
            }
        }
        let children = &children[..count];
        // All children are looked up first, so that the memory accesses overlap.
        let is_last = state.empty & (state.empty - 1) == 0;
        let mut known = [None; 3 * MAX_CELLS];
        for (known, child) in known.iter_mut().zip(children) {
            *known = if is_last { Some([0; 2]) } else { self.table.look_up(child.key) };
        }
        let mut best = None;
        for (known, &Child { mv, gain, key }) in known.iter().zip(children) {
            let mut gains = match known.or_else(|| self.table.look_up(key)) {
                Some(gains) => gains,
                None => {
                    let memo = state.make(mv);
                    let gains = self.value(state, key);
                    state.unmake(mv, memo);
                    gains?
                }
            };
            gains[mover] += gain;
            let rank = self.rank(mover, &gains);
            if best.map_or(true, |(best, _)| rank > best) {
                best = Some((rank, gains));
            }
        }
        let (_, gains) = best.expect("a cell is empty");
        self.meter.count()?;
        self.table.store(key, gains);
        Ok(gains)
    }
}

/// A move and the key of the state after it.
#[derive(Clone, Copy, Debug)]
struct Child {
    mv: Move,
    /// The mover's immediate gain.
    gain: i32,
    /// The key of the state after the move.
    key: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::{Rng, Turn};
    use std::time::Instant;

    /// Returns a state with `empty` empty cells from a random game. If `quiet` is set, few paths have been finished in
    /// the state.
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

    /// Solves a state by playing every line to the end on copies of the state, without a table.
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
            let moves = Solver::new(shares).solve(&state, &SearchLimits::NONE).expect("no limit");
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

    /// Checks that the change of the key by a tile is the difference between the keys of the two states.
    #[test]
    fn outlooks_follow_from_those_before() {
        let mut rng = Rng::new(4);
        for _ in 0..1_000 {
            let mut state = State::empty();
            while state.empty != 0 {
                let mv = state.random_move(&mut rng, &mut Vec::new());
                let (before, of_turn) = (state.key(), State::key_of_turn(state.empty, state.mover));
                let mut paths = state.paths.clone();
                let (_, memo) = paths.place(mv, state.mover);
                state.play(mv);
                let change = of_turn ^ State::key_of_turn(state.empty, state.mover);
                assert_eq!(state.key(), before ^ change ^ paths.key_change(mv, &memo), "{mv}");
            }
        }
    }

    #[test]
    fn later_turns_find_it_solved() {
        let mut rng = Rng::new(2);
        let mut state = state(&mut rng, 7, true);
        let mut solver = Solver::new([0.5; 2]);
        let (mv, gains) = solver.solve(&state, &SearchLimits::NONE).expect("no limit")[0];
        let mover = state.mover;
        let gain = state.gain(mv);
        state.play(mv);
        let (_, mut later) = solver.solve(&state, &SearchLimits::nodes(0)).expect("nothing is new")[0];
        later[mover] += gain;
        assert_eq!(gains, later);
    }

    #[test]
    fn it_stops_at_its_limits() {
        let state = state(&mut Rng::new(3), 12, true);
        let mut solver = Solver::new([0.0; 2]);
        assert_eq!(solver.solve(&state, &SearchLimits::nodes(5_000)), Err(Stopped));
        assert_eq!(solver.table.used, 5_000);
        let over = SearchLimits { hard: Some(Instant::now()), ..SearchLimits::NONE };
        assert_eq!(solver.solve(&state, &over), Err(Stopped));
        assert!(solver.table.used < 5_100, "{}", solver.table.used);
    }
}
