//! Fast random games from a state to the end.

use crate::moves::Move;
use crate::State;
use contender_game::rules::Rng;

impl State {
    /// Plays random moves to the end of the game and calls `visit` with each move. If a move would cost points, the
    /// function draws another move, at most `redraws` times per turn. With `redraws` 0 all moves are equally likely,
    /// except for a factor of at most 1 ± 2⁻²⁴. Returns the gains of both players. After the call, the state must not
    /// be used any more.
    #[inline]
    pub fn rollout(&mut self, rng: &mut Rng, redraws: u32, mut visit: impl FnMut(Move)) -> [i32; 2] {
        let (mut empty, mut left) = list(self.empty);
        let mut gains = [0; 2];
        let mut player = self.mover;
        while left > 0 {
            let mut tries = redraws;
            loop {
                let random = rng.next_u64() >> 32;
                let product = random * left as u64;
                let at = (product >> 32) as usize & 63;
                let tile = (((product & 0xffff_ffff) * 3) >> 32) as u8;
                let mv = Move::from_code(empty[at] | tile << 6);
                let (gain, before) = self.paths.place(mv, player);
                if gain >= 0 || tries == 0 {
                    gains[player] += gain;
                    visit(mv);
                    empty[at] = empty[(left - 1) & 63];
                    break;
                }
                self.paths.remove(mv, &before);
                tries -= 1;
            }
            left -= 1;
            player = player.other();
        }
        gains
    }
}

/// Returns the cells in a set, and their number.
#[inline]
fn list(set: u64) -> ([u8; 64], usize) {
    let mut cells = [0u8; 64];
    let mut count = 0;
    let mut rest = set;
    while rest != 0 {
        cells[count & 63] = rest.trailing_zeros() as u8;
        count += 1;
        rest &= rest - 1;
    }
    (cells, count)
}
