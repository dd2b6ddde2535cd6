//! The write-up's move generators, which select the moves that a player considers.

use crate::paths::cells;
use crate::tree::{self, Moves};
use crate::{Move, State};
use contender_game::rules::Rng;

/// A selection of moves. If it selects no move, all moves are considered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generator {
    /// Every move.
    All,
    /// Any tile on a cell that can connect a path from the left wall with a path from the right wall.
    Connect,
    /// The moves of `Connect`; if there are none, tiles on cells where no tile can cost points.
    ConnectNoLoss,
    /// The moves of `Connect` that gain points.
    Gain,
    /// The moves with the best sign of their gain: those that gain points; if there are none, those that cost nothing;
    /// otherwise all moves.
    Sign,
}

impl Generator {
    /// The values that the option accepts, with their names.
    pub const WORDS: [(&'static str, Generator); 5] = [
        ("all", Generator::All),
        ("connect", Generator::Connect),
        ("noloss", Generator::ConnectNoLoss),
        ("gain", Generator::Gain),
        ("sign", Generator::Sign),
    ];

    /// Returns the moves to consider. The state is unchanged afterwards.
    pub fn moves(self, state: &mut State) -> Moves {
        let all = [state.empty; 3];
        let moves = match self {
            Generator::All => all,
            Generator::Connect => [connecting(state); 3],
            Generator::ConnectNoLoss => match connecting(state) {
                0 => [safe(state); 3],
                cells => [cells; 3],
            },
            Generator::Gain => of_sign(state, [connecting(state); 3], 1),
            Generator::Sign => {
                let sets = [1, 0].map(|sign| of_sign(state, all, sign));
                sets.into_iter().find(|set| tree::count(set) > 0).unwrap_or(all)
            }
        };
        if tree::count(&moves) == 0 {
            all
        } else {
            moves
        }
    }
}

/// Returns the moves that connect the side walls. Some paths that run through the tile twice are missing (see
/// [`Paths::links`](crate::paths::Paths::links)).
pub(crate) fn links(state: &State) -> Moves {
    let mut found = [0; 3];
    state.paths.links(state.empty, |mv| found[mv.tile().index()] |= 1 << mv.cell().index());
    found
}

/// Returns the cells that can connect a path from the left wall with a path from the right wall.
fn connecting(state: &State) -> u64 {
    links(state).into_iter().fold(0, |cells, of_tile| cells | of_tile)
}

/// Returns the cells on which no tile can close a loop or connect a side wall with itself.
fn safe(state: &mut State) -> u64 {
    let costs =
        |state: &mut State, cell: u8| (0..3).any(|tile| gain(state, Move::from_code(cell | tile << 6)) < 0);
    cells(state.empty).filter(|&cell| !costs(state, cell)).fold(0, |set, cell| set | 1 << cell)
}

/// Returns the moves whose gain has this sign.
fn of_sign(state: &mut State, moves: Moves, sign: i32) -> Moves {
    let mut found = [0; 3];
    for (tile, set) in found.iter_mut().enumerate() {
        for cell in cells(moves[tile]) {
            if gain(state, Move::from_code(cell | (tile as u8) << 6)).signum() == sign {
                *set |= 1 << cell;
            }
        }
    }
    found
}

/// Returns the mover's gain from a move. The state is unchanged afterwards.
pub(crate) fn gain(state: &mut State, mv: Move) -> i32 {
    let (mover, before) = (state.mover, state.scores()[state.mover]);
    let memo = state.make(mv);
    let gain = state.scores()[mover] - before;
    state.unmake(mv, memo);
    gain
}

/// Plays random moves that a generator selects to the end of the game, and returns both players' gains.
pub(crate) fn random_game(state: &mut State, generator: Generator, rng: &mut Rng) -> [i32; 2] {
    let before = state.scores();
    while state.empty != 0 {
        let moves = generator.moves(state);
        state.make(tree::nth(&moves, rng.below(tree::count(&moves))));
    }
    let after = state.scores();
    [after[0] - before[0], after[1] - before[1]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Game;

    /// Compares each generator with a test of every single move, in random games.
    #[test]
    fn generators_give_what_they_say() {
        let mut rng = Rng::new(1);
        let (mut states, mut missed, mut linked) = (0, 0, 0);
        for _ in 0..300 {
            let mut state = State::empty();
            while state.empty != 0 {
                let mut list = Vec::new();
                state.moves(&mut list);
                let gains: Vec<(Move, i32)> = list.iter().map(|&mv| (mv, state.gain(mv))).collect();
                let best = gains.iter().map(|of| of.1).max().expect("a move");
                let before = state.clone();
                let has = |set: &Moves, mv: Move| set[mv.tile().index()] >> mv.cell().index() & 1 == 1;
                let sign = Generator::Sign.moves(&mut state);
                let gain = Generator::Gain.moves(&mut state);
                let no_loss = Generator::ConnectNoLoss.moves(&mut state);
                let connect = Generator::Connect.moves(&mut state);
                let gaining = tree::count(&gain) < list.len() as u32;
                for &(mv, of) in &gains {
                    assert!(!has(&gain, mv) || !gaining || of > 0, "{mv} gains {of}");
                    let is_loss_cell = gains.iter().any(|other| other.0.cell() == mv.cell() && other.1 < 0);
                    assert!(!has(&no_loss, mv) || has(&connect, mv) || !is_loss_cell, "{mv} may cost");
                    if best <= 0 {
                        assert_eq!(has(&sign, mv), of == best || (best < 0 && of < 0), "{mv}: {of}");
                    }
                }
                let links = links(&state);
                let link = gains.iter().filter(|of| has(&links, of.0)).map(|of| of.1).max().unwrap_or(0);
                assert_eq!(state, before, "generators leave the state as it was");
                states += 1;
                missed += u32::from(link != best.max(0));
                linked += u32::from(link > 0);
                state.play(state.random_move(&mut rng, &mut Vec::new()));
            }
        }
        assert!(linked > 1_500 && 50 * missed < states, "{missed} of {states} missed, {linked} linked");
    }
}
