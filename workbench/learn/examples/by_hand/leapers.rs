//! Leapers: 451 features.

#[path = "../../../bench/examples/tactics/leapers.rs"]
#[allow(dead_code, missing_docs, clippy::large_types_passed_by_value)]
mod rules;

use crate::plain_contest;
use contender_game::rules::{Player, Rng};
use contender_search::{Heuristics, NoChance, Search, SearchConfig, SearchLimits, TableDepth};
use contender_value::{Evaluation, Features, Layout, changes_are_right};
use rules::{Move, State, WORTH};
use std::time::Instant;

plain_contest!(Leapers, "leapers", State, Move, State::start, |_| false);

/// The number of the feature for a piece on a cell, as its player sees the board. Jumps do not know left from right, so
/// cells that mirror each other share a feature.
fn place(player: Player, piece: u8, cell: u8) -> usize {
    let cell = usize::from(if player == Player::Zero { cell } else { 63 - cell });
    let [row, column] = [cell / 8, cell % 8];
    32 * usize::from(piece) + 4 * row + column.min(7 - column)
}

/// Maximum number of rows and of columns between a wazir and a piece near it.
const NEAR: i8 = 3;
/// Number of relative cells near a wazir. Mirrored ones count once.
const NEAR_CELLS: usize = (NEAR as usize + 1) * (2 * NEAR as usize + 1);

/// The number of the feature for a piece near a wazir's cell, for the wazir's player; `None` if it is farther away.
fn near(player: Player, wazir: u8, piece: (u8, Player), cell: u8) -> Option<usize> {
    let [from, to] = [wazir, cell].map(|cell| [cell / 8, cell % 8].map(|at| at as i8));
    let [rows, columns] = [(to[0] - from[0]) * player.sign() as i8, (to[1] - from[1]).abs()];
    let is_near = rows.abs() <= NEAR && columns <= NEAR && wazir != cell;
    let kind = usize::from(piece.0) + if piece.1 == player { 0 } else { 5 };
    is_near.then(|| NEAR_START + NEAR_CELLS * kind + usize::from((7 * columns + rows + NEAR).unsigned_abs()))
}

/// The first feature of the pieces in hand, the right to move, the first feature of the pieces on the board, and the
/// first feature of pieces near the wazir: own ones, then the opponent's. The features of pieces on the board are sums
/// of other features: rare cells then need to learn only their difference from the piece's mean.
const HAND: usize = 5 * 32;
const TURN: usize = HAND + 5;
const BOARD: usize = TURN + 1;
const NEAR_START: usize = BOARD + 5;

impl Position {
    /// Calls `add` with the features of the pieces near a player's wazir.
    fn near(&self, player: Player, add: &mut impl FnMut(usize)) {
        let wazir = self.0.wazir(player);
        for cell in 0..64 {
            if let Some(piece) = self.0.at(cell) {
                near(player, wazir, piece, cell).into_iter().for_each(&mut *add);
            }
        }
    }
}

impl Features for Position {
    type ChanceModel = NoChance;
    const COUNT: usize = NEAR_START + 10 * NEAR_CELLS;
    const UPDATES: bool = true;

    fn features(&self, player: Player, mut add: impl FnMut(usize)) {
        for cell in 0..64 {
            match self.0.at(cell) {
                Some((piece, of)) if of == player => {
                    add(place(player, piece, cell));
                    add(BOARD + usize::from(piece));
                }
                _ => {}
            }
        }
        for (piece, &count) in self.0.hands[player].iter().enumerate() {
            (0..count).for_each(|_| add(HAND + piece));
        }
        if self.0.mover() == player {
            add(TURN);
        }
        self.near(player, &mut add);
    }

    fn changes(before: &Self, mv: Move, after: &Self, mut change: impl FnMut(Player, usize, bool)) {
        let (player, piece) = (before.0.mover(), before.0.piece(mv));
        if mv.from >= 64 {
            change(player, HAND + usize::from(piece), false);
            change(player, BOARD + usize::from(piece), true);
        } else {
            change(player, place(player, piece, mv.from), false);
        }
        change(player, place(player, piece, mv.to), true);
        if let Some((taken, other)) = before.0.at(mv.to) {
            change(other, place(other, taken, mv.to), false);
            change(other, BOARD + usize::from(taken), false);
            // A captured wazir ends the game.
            if taken > 0 {
                change(player, HAND + usize::from(taken), true);
            }
        }
        change(player, TURN, false);
        change(player.other(), TURN, true);
        for player in Player::BOTH {
            let wazirs = [before, after].map(|state| state.0.wazir(player));
            if wazirs[0] != wazirs[1] {
                before.near(player, &mut |feature| change(player, feature, false));
                after.near(player, &mut |feature| change(player, feature, true));
                continue;
            }
            for (state, is_gained) in [(before, false), (after, true)] {
                for cell in [mv.from, mv.to] {
                    let piece = if cell < 64 { state.0.at(cell) } else { None };
                    let feature = piece.and_then(|piece| near(player, wazirs[0], piece, cell));
                    feature.into_iter().for_each(|feature| change(player, feature, is_gained));
                }
            }
        }
    }

    fn teaches(&self) -> bool {
        !self.0.is_check()
    }

    fn is_noisy(&self, mv: Move) -> bool {
        self.0.is_capture(mv)
    }

    fn key(&self) -> Option<u64> {
        Some(State::key(&self.0))
    }
}

/// Weights for material, the distance of pieces from the edge, the right to move.
pub fn by_hand() -> Vec<f32> {
    let mut weights = vec![0.0; 1 + Position::COUNT];
    for piece in 1..5u8 {
        let worth = WORTH[usize::from(piece)];
        weights[1 + HAND + usize::from(piece)] = worth as f32 / 400.0;
        for cell in 0..64u8 {
            let [row, column] = [cell / 8, cell % 8].map(|at| i32::from(at.min(7 - at)));
            weights[1 + place(Player::Zero, piece, cell)] = (worth + 5 * (row + column)) as f32 / 400.0;
        }
    }
    weights[1 + TURN] = 10.0 / 400.0;
    weights
}

/// Evaluates every position from scratch.
struct Recomputed(Evaluation<Position>);

impl Heuristics<Position> for Recomputed {
    fn evaluate(&mut self, state: &Position) -> i32 {
        self.0.evaluate(state)
    }

    fn finished(&mut self, state: &Position) -> i32 {
        Heuristics::finished(&mut self.0, state)
    }

    fn key(&self, state: &Position) -> Option<u64> {
        Some(state.0.key())
    }
}

/// Compares sums that moves update with sums from scratch.
pub fn speed() {
    changes_are_right(|seed| Position(State::start(seed)), 20);
    let config = SearchConfig { table_depth: TableDepth::Same, ..SearchConfig::FULL };
    for neurons in [0, 16, 64] {
        let mut rng = Rng::new(1);
        let evaluation = match neurons {
            0 => Evaluation::of_weights(by_hand()),
            _ => {
                let count = Layout::new(Position::COUNT, neurons).count();
                Evaluation::network(neurons, (0..count).map(|_| rng.unit() as f32 - 0.5).collect())
            }
        };
        let mut updated = Search::<Position, _>::new(evaluation.clone(), config);
        let mut recomputed = Search::<Position, _>::new(Recomputed(evaluation), config);
        let states: Vec<Position> = (0..8).map(|seed| Position(State::start(seed))).collect();
        let limits = SearchLimits::nodes(200_000);
        let time = |search: &mut dyn FnMut(&Position) -> u64| {
            let begin = Instant::now();
            let nodes: u64 = states.iter().map(search).sum();
            nodes as f64 / begin.elapsed().as_secs_f64() / 1e6
        };
        let mut both = [0.0; 2];
        both[0] = time(&mut |state| {
            recomputed.search(state, &limits);
            recomputed.stats().nodes
        });
        both[1] = time(&mut |state| {
            updated.search(state, &limits);
            updated.stats().nodes
        });
        println!("{neurons:3} neurons: {:.2} million nodes/s from scratch, {:.2} updated", both[0], both[1]);
    }
}
