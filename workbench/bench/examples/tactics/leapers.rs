//! A game like chess with leapers on 8 by 8 cells. A captured piece can be dropped by its captor on any empty cell
//! instead of a move. The player who captures the wazir wins, and after 100 moves the game is a draw. The pieces are
//! those of Zero Point One (Jim Wickson, 2012). Instead of a setup phase, chance draws one arrangement for both
//! players.

use contender_game::rules::{Game, Player, Rng, Turn, mix};
use contender_search::{Heuristics, Tactics};

/// Jumps of each piece: wazir, ferz, dabbaba, knight, alfil.
const JUMPS: [&[(i8, i8)]; 5] = [
    &[(0, 1), (1, 0), (0, -1), (-1, 0)],
    &[(1, 1), (1, -1), (-1, 1), (-1, -1)],
    &[(0, 2), (2, 0), (0, -2), (-2, 0)],
    &[(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)],
    &[(2, 2), (2, -2), (-2, 2), (-2, -2)],
];
const WAZIR: u8 = 0;
/// The pieces of a player.
const ARMY: [u8; 16] = [0, 1, 1, 2, 2, 2, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4];
/// Values of the pieces in hundredths of an alfil.
pub const WORTH: [i32; 5] = [0, 250, 180, 400, 100];
const MAX_PLIES: u8 = 100;
/// The code of an empty cell. The code of a piece is twice the piece plus the player.
const EMPTY: u8 = 16;

/// A position.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    cells: [u8; 64],
    pub hands: [[u8; 5]; 2],
    /// The cell of each player's wazir.
    wazirs: [u8; 2],
    mover: Player,
    plies: u8,
    winner: Option<Player>,
    hash: u64,
    /// The value of player 0's pieces, including those in hand, minus the value of player 1's pieces.
    material: i32,
}

/// A move from a cell, or a drop of a piece (64 plus its number), to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub from: u8,
    pub to: u8,
}

impl Move {
    /// Returns a number below 64 times 69 that identifies the move's cells.
    pub fn place(self) -> usize {
        64 * usize::from(self.from) + usize::from(self.to)
    }
}

/// The cells that each piece reaches from each cell, as bits.
struct Reach([[u64; 64]; 5]);

static REACH: Reach = Reach::new();

impl Reach {
    const fn new() -> Reach {
        let mut reach = [[0; 64]; 5];
        let mut piece = 0;
        while piece < 5 {
            let mut cell = 0;
            while cell < 64 {
                let mut jump = 0;
                while jump < JUMPS[piece].len() {
                    let (rows, columns) = JUMPS[piece][jump];
                    let (row, column) = (cell as i8 / 8 + rows, cell as i8 % 8 + columns);
                    if row >= 0 && row < 8 && column >= 0 && column < 8 {
                        reach[piece][cell] |= 1 << (8 * row + column);
                    }
                    jump += 1;
                }
                cell += 1;
            }
            piece += 1;
        }
        Reach(reach)
    }
}

fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (cell < 64).then_some(cell)
    })
}

/// Returns a pseudorandom number for a piece on a cell, or in hand `cell - 64` times.
fn hash(piece: u8, cell: u8) -> u64 {
    let seed = u64::from(piece) << 8 | u64::from(cell);
    let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

impl State {
    /// Returns the start with the arrangement of a seed. Player 1 has the same arrangement, rotated by 180 degrees.
    pub fn start(seed: u64) -> State {
        let mut army = ARMY;
        Rng::new(mix(&[seed])).shuffle(&mut army);
        let mut state = State {
            cells: [EMPTY; 64],
            hands: [[0; 5]; 2],
            wazirs: [0; 2],
            mover: Player::Zero,
            plies: 0,
            winner: None,
            hash: 0,
            material: 0,
        };
        for (cell, piece) in army.into_iter().enumerate() {
            state.put(2 * piece, cell as u8);
            state.put(2 * piece + 1, 63 - cell as u8);
        }
        state
    }

    fn put(&mut self, piece: u8, cell: u8) {
        self.cells[usize::from(cell)] = piece;
        if piece / 2 == WAZIR {
            self.wazirs[usize::from(piece % 2)] = cell;
        }
        self.hash ^= hash(piece, cell);
    }

    fn take(&mut self, cell: u8) -> u8 {
        let piece = std::mem::replace(&mut self.cells[usize::from(cell)], EMPTY);
        if piece != EMPTY {
            self.hash ^= hash(piece, cell);
        }
        piece
    }

    fn set_hand(&mut self, piece: u8, more: i8) {
        let count = &mut self.hands[self.mover][usize::from(piece)];
        let before = *count;
        *count = before.wrapping_add_signed(more);
        let piece = 2 * piece + self.mover as u8;
        self.hash ^= hash(piece, 64 + before) ^ hash(piece, 64 + *count);
    }

    /// Returns the piece on a cell and its player.
    pub fn at(&self, cell: u8) -> Option<(u8, Player)> {
        let piece = self.cells[usize::from(cell)];
        (piece != EMPTY).then(|| (piece / 2, Player::from_index(usize::from(piece % 2))))
    }

    pub fn wazir(&self, player: Player) -> u8 {
        self.wazirs[player]
    }

    pub fn mover(&self) -> Player {
        self.mover
    }

    pub fn plies(&self) -> u8 {
        self.plies
    }

    pub fn key(&self) -> u64 {
        // Near the end, the value of a position depends on the number of moves left.
        let left = (MAX_PLIES - self.plies).min(20);
        self.hash ^ hash(32 + self.mover as u8, left)
    }

    fn is_attacked(&self, cell: u8, by: Player) -> bool {
        // Jumps are symmetric.
        (0..5).any(|piece| {
            let code = 2 * piece + by as u8;
            bits(REACH.0[usize::from(piece)][usize::from(cell)])
                .any(|from| self.cells[usize::from(from)] == code)
        })
    }

    pub fn is_check(&self) -> bool {
        self.is_attacked(self.wazir(self.mover), self.mover.other())
    }

    /// Returns whether a move brings a piece to a cell from which it attacks the opponent's wazir.
    pub fn gives_check(&self, mv: Move) -> bool {
        let wazir = self.wazir(self.mover.other());
        REACH.0[usize::from(self.piece(mv))][usize::from(mv.to)] >> wazir & 1 == 1
    }

    /// Returns whether a move moves the wazir or captures a piece that attacks the wazir. A leaper cannot be blocked.
    pub fn answers_check(&self, mv: Move) -> bool {
        let wazir = self.wazir(self.mover);
        let victim = self.cells[usize::from(mv.to)];
        mv.from == wazir
            || victim != EMPTY && REACH.0[usize::from(victim / 2)][usize::from(wazir)] >> mv.to & 1 == 1
    }

    pub fn is_capture(&self, mv: Move) -> bool {
        self.cells[usize::from(mv.to)] != EMPTY
    }

    /// Returns the piece that moves or is dropped.
    pub fn piece(&self, mv: Move) -> u8 {
        if mv.from >= 64 { mv.from - 64 } else { self.cells[usize::from(mv.from)] / 2 }
    }

    fn jumps(&self, moves: &mut Vec<Move>, only_captures: bool) {
        for from in 0..64 {
            let code = self.cells[usize::from(from)];
            if code == EMPTY || code % 2 != self.mover as u8 {
                continue;
            }
            for to in bits(REACH.0[usize::from(code / 2)][usize::from(from)]) {
                let there = self.cells[usize::from(to)];
                let is_allowed = match there {
                    EMPTY => !only_captures,
                    piece => piece % 2 != self.mover as u8,
                };
                if is_allowed {
                    moves.push(Move { from, to });
                }
            }
        }
    }

    pub fn captures(&self, moves: &mut Vec<Move>) {
        if self.turn() != Turn::Over {
            self.jumps(moves, true);
        }
    }

    /// Returns a score for move ordering: the most valuable victim captured by the least valuable piece comes first.
    pub fn capture_score(&self, mv: Move) -> i32 {
        let victim = self.cells[usize::from(mv.to)] / 2;
        let worth = if victim == WAZIR { 10_000 } else { WORTH[usize::from(victim)] };
        16 * worth - WORTH[usize::from(self.piece(mv))]
    }

    /// Returns the material plus the distance of pieces from the edge, from the view of player 0.
    pub fn evaluation(&self) -> i32 {
        let mut places = 0;
        for (cell, &piece) in self.cells.iter().enumerate() {
            if piece / 2 != WAZIR && piece != EMPTY {
                let [row, column] = [cell / 8, cell % 8].map(|at| at.min(7 - at) as i32);
                places += (row + column) * if piece % 2 == 0 { 5 } else { -5 };
            }
        }
        let turn = if self.mover == Player::Zero { 20 } else { -20 };
        self.material + places + turn
    }

    pub fn passed(&self) -> State {
        State { mover: self.mover.other(), plies: self.plies + 1, ..self.clone() }
    }
}

impl Game for State {
    type Move = Move;

    fn turn(&self) -> Turn {
        if self.winner.is_some() || self.plies >= MAX_PLIES { Turn::Over } else { Turn::Player(self.mover) }
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        if self.turn() == Turn::Over {
            return;
        }
        self.jumps(moves, false);
        for piece in 0..5 {
            if self.hands[self.mover][usize::from(piece)] > 0 {
                let empty = (0..64).filter(|&cell| self.cells[usize::from(cell)] == EMPTY);
                moves.extend(empty.map(|to| Move { from: 64 + piece, to }));
            }
        }
    }

    fn play(&mut self, mv: Move) {
        if mv.from >= 64 {
            let piece = mv.from - 64;
            self.set_hand(piece, -1);
            self.put(2 * piece + self.mover as u8, mv.to);
        } else {
            let taken = self.take(mv.to);
            if taken != EMPTY {
                if taken / 2 == WAZIR {
                    self.winner = Some(self.mover);
                } else {
                    self.set_hand(taken / 2, 1);
                    self.material += 2 * WORTH[usize::from(taken / 2)] * self.mover.sign();
                }
            }
            let piece = self.take(mv.from);
            self.put(piece, mv.to);
        }
        self.mover = self.mover.other();
        self.plies += 1;
    }

    fn points(&self) -> [i32; 2] {
        Player::BOTH.map(|player| i32::from(self.winner == Some(player)))
    }
}

/// The value of a won game, minus the number of its moves.
pub const WON: i32 = 100_000;

/// A guide with the knowledge that an author can write down in a few minutes.
#[derive(Clone, Copy, Default)]
pub struct Guide;

impl Heuristics<State> for Guide {
    fn evaluate(&mut self, state: &State) -> i32 {
        state.evaluation()
    }

    fn finished(&mut self, state: &State) -> i32 {
        state.value() * (WON - i32::from(state.plies))
    }

    fn key(&self, state: &State) -> Option<u64> {
        Some(state.key())
    }

    fn slots(&self) -> usize {
        69 * 64
    }

    fn slot(&self, _: &State, mv: Move) -> usize {
        mv.place()
    }

    fn score(&mut self, state: &State, mv: Move) -> i32 {
        if state.is_capture(mv) { state.capture_score(mv) } else { 0 }
    }
}

impl Tactics<State> for Guide {
    fn is_noisy(&self, state: &State, mv: Move) -> bool {
        state.is_capture(mv)
    }

    fn noisy_moves(&self, state: &State, moves: &mut Vec<Move>) {
        state.captures(moves);
    }

    fn gain(&self, state: &State, mv: Move) -> i32 {
        match state.at(mv.to) {
            Some((WAZIR, _)) => WON,
            Some((piece, _)) => 2 * WORTH[usize::from(piece)],
            None => 0,
        }
    }

    fn is_threat(&self, state: &State, mv: Move) -> bool {
        state.gives_check(mv)
    }

    fn is_check(&self, state: &State) -> bool {
        state.is_check()
    }

    fn answers_check(&self, state: &State, mv: Move) -> bool {
        state.answers_check(mv)
    }

    fn pass(&self, state: &State) -> Option<State> {
        Some(state.passed())
    }

    fn reply_slots(&self) -> usize {
        5 * 64
    }

    fn reply_slot(&self, state: &State, mv: Move) -> usize {
        64 * usize::from(state.piece(mv)) + usize::from(mv.to)
    }

    fn decisive(&self) -> i32 {
        WON - 1_000
    }
}
