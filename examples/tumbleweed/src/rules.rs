//! The rules.

use contender_game::prelude::*;

/// Number of hexes of the board, whose side is 8.
pub const HEXES: usize = 169;
/// Number of rows and columns of the square that contains the board.
pub const WIDTH: usize = 15;
/// The hex in the centre, which has the neutral stack at the start.
pub const CENTRE: u8 = 84;
/// The owner's number of a hex without a stack.
const EMPTY: u8 = 3;
/// The owner's number of the neutral stack.
const NEUTRAL: u8 = 2;

/// The board, which computes rays, names and pictures.
pub static BOARD: HexBoard<HEXES, WIDTH> = HexBoard::new();

/// A player's move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Places a stack on a hex. Its height is the number of the player's stacks that see the hex.
    Put(u8),
    /// Passes.
    Pass,
    /// Places the start stones: the stone of the player who moves next, and the stone of the other player.
    Setup(u8, u8),
    /// Exchanges the owners of the start stones; then the first player moves.
    Swap,
}

/// A position. After the start stones, the second player moves or swaps.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The height of the stack on each hex; 0 without a stack.
    height: [u8; HEXES],
    /// The owner of each stack: a player's index, [`NEUTRAL`] or [`EMPTY`].
    owner: [u8; HEXES],
    /// Number of each player's stacks that see a hex.
    seen: [[u8; HEXES]; 2],
    /// Number of moves so far, including the setup.
    pub moves: u16,
    /// Number of passes at the end of the game so far.
    pub passes: u8,
    hash: u64,
}

impl Default for State {
    fn default() -> State {
        let mut state = State {
            height: [0; HEXES],
            owner: [EMPTY; HEXES],
            seen: [[0; HEXES]; 2],
            moves: 0,
            passes: 0,
            hash: 0,
        };
        state.set(CENTRE, NEUTRAL, 2);
        state
    }
}

impl State {
    /// Returns the height of a stack and its owner, which is `None` for the neutral stack.
    pub fn stack(&self, at: u8) -> Option<(u8, Option<Player>)> {
        let owner = self.owner[at as usize];
        let player = Player::BOTH.into_iter().find(|player| player.index() == owner as usize);
        (owner != EMPTY).then(|| (self.height[at as usize], player))
    }

    /// Returns the number of each player's stacks that see a hex.
    pub fn seen(&self, at: u8) -> [u8; 2] {
        [self.seen[0][at as usize], self.seen[1][at as usize]]
    }

    /// Returns the number of empty hexes.
    pub fn empty(&self) -> u32 {
        self.owner.iter().filter(|&&owner| owner == EMPTY).count() as u32
    }

    /// Returns a hash of the position and the player to move.
    pub fn key(&self) -> u64 {
        self.hash
            ^ (u64::from(self.moves % 2) + 2 * u64::from(self.passes)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Returns whether the player to move may place a stack on this hex.
    #[inline]
    fn can_put(&self, at: usize) -> bool {
        self.seen[self.moves as usize % 2][at] > self.height[at]
    }

    /// Returns whether the move is legal for the player to move.
    pub fn is_legal(&self, mv: Move) -> bool {
        let is_playing = self.moves > 0 && self.passes < 2;
        match mv {
            Move::Setup(first, other) => {
                self.moves == 0 && first != other && first != CENTRE && other != CENTRE
            }
            Move::Put(at) => is_playing && self.can_put(at.into()),
            Move::Pass => is_playing,
            Move::Swap => self.moves == 1,
        }
    }

    /// Replaces the contents of a hex with a stack.
    fn set(&mut self, at: u8, owner: u8, height: u8) {
        let hex = at as usize;
        let before = self.owner[hex];
        self.hash ^= sign(hex, before, self.height[hex]) ^ sign(hex, owner, height);
        (self.owner[hex], self.height[hex]) = (owner, height);
        // A stack on the other side of an empty hex is seen across this hex.
        let views: [u8; 6] = std::array::from_fn(|direction| match before {
            EMPTY => self.first_seen(at, (direction + 3) % 6),
            _ => before,
        });
        for (direction, &view) in views.iter().enumerate() {
            if view == owner {
                continue;
            }
            for seen in BOARD.ray(at, direction) {
                if view < NEUTRAL {
                    self.seen[view as usize][seen as usize] -= 1;
                }
                if owner < NEUTRAL {
                    self.seen[owner as usize][seen as usize] += 1;
                }
                if self.owner[seen as usize] != EMPTY {
                    break;
                }
            }
        }
    }

    /// Returns the owner of the nearest stack in a direction.
    fn first_seen(&self, at: u8, direction: usize) -> u8 {
        let mut owners = BOARD.ray(at, direction).map(|seen| self.owner[seen as usize]);
        owners.find(|&owner| owner != EMPTY).unwrap_or(EMPTY)
    }
}

/// Returns a hash of a stack on a hex.
fn sign(hex: usize, owner: u8, height: u8) -> u64 {
    let number =
        (hex as u64 * 32 + u64::from(owner) * 8 + u64::from(height)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (number ^ (number >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Game for State {
    type Move = Move;

    fn turn(&self) -> Turn {
        match self.passes {
            2 => Turn::Over,
            _ => Turn::Player(Player::from_index(self.moves as usize % 2)),
        }
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        if self.moves == 0 {
            let pairs = (0..HEXES as u8).flat_map(|a| (0..HEXES as u8).map(move |b| Move::Setup(a, b)));
            moves.extend(pairs.filter(|&mv| self.is_legal(mv)));
        } else if self.passes < 2 {
            moves.extend((0..HEXES).filter(|&at| self.can_put(at)).map(|at| Move::Put(at as u8)));
            moves.extend([Move::Pass, Move::Swap].into_iter().filter(|&mv| self.is_legal(mv)));
        }
    }

    fn play(&mut self, mv: Move) {
        let player = self.moves % 2;
        self.moves += 1;
        self.passes = if mv == Move::Pass { self.passes + 1 } else { 0 };
        match mv {
            Move::Put(at) => self.set(at, player as u8, self.seen[player as usize][at as usize]),
            Move::Pass => {}
            Move::Setup(first, other) => {
                self.set(first, 1, 1);
                self.set(other, 0, 1);
            }
            Move::Swap => {
                for at in (0..HEXES).filter(|&at| self.owner[at] < NEUTRAL).collect::<Vec<_>>() {
                    self.set(at as u8, 1 - self.owner[at], 1);
                }
            }
        }
    }

    /// Counts a player's hexes, and empty hexes that more stacks of this player see than stacks of the opponent.
    fn points(&self) -> [i32; 2] {
        let mut points = [0; 2];
        for at in 0..HEXES {
            let [zero, one] = [self.seen[0][at], self.seen[1][at]];
            let is_empty = self.owner[at] == EMPTY;
            points[0] += i32::from(self.owner[at] == 0 || is_empty && zero > one);
            points[1] += i32::from(self.owner[at] == 1 || is_empty && one > zero);
        }
        points
    }

    /// Draws hexes until a stack may be placed on the drawn hex. This is faster than a list, and all moves are equally
    /// likely.
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Move>) -> Move {
        if self.moves > 1 {
            for _ in 0..32 {
                match rng.index(HEXES + 1) {
                    HEXES => return Move::Pass,
                    at if self.can_put(at) => return Move::Put(at as u8),
                    _ => {}
                }
            }
        }
        scratch.clear();
        self.moves(scratch);
        *rng.choose(scratch)
    }
}
