//! Games played to the end at random, as fast as they go.

use crate::moves::Move;
use crate::State;
use contender_game::Rng;

impl State {
    /// Plays uniformly random moves to the end of the game.
    #[inline]
    pub fn rollout(&mut self, rng: &mut Rng) {
        self.rollout_with(rng, |_| {});
    }

    /// Plays uniformly random moves to the end of the game and shows each to `visit`, in order.
    ///
    /// One 64-bit random number serves two moves, and no draw is repeated: each half picks a cell by its high part and
    /// a tile by the rest, so probabilities are off by a factor of at most 1 ± 2⁻²⁴.
    #[inline]
    pub fn rollout_with(&mut self, rng: &mut Rng, mut visit: impl FnMut(Move)) {
        let (mut cells, mut left) = list(self.empty);
        let players = [self.mover, self.mover.other()];
        let mut gains = [0; 2];
        let mut last = self.last;
        let mut play = |random: u64, count: usize, turn: usize| {
            let product = (random & 0xffff_ffff) * count as u64;
            let tile = (((product & 0xffff_ffff) * 3) >> 32) as u8;
            let at = (product >> 32) as usize & 63;
            let cell = cells[at];
            cells[at] = cells[(count - 1) & 63];
            let mv = Move::from_code(cell | (tile << 6));
            visit(mv);
            self.tiles[usize::from(cell & 63)] = tile;
            let (gain, _) = self.paths.place(mv, players[turn]);
            gains[turn] += gain;
            last = Some(mv);
        };
        while left >= 2 {
            let random = rng.next_u64();
            play(random, left, 0);
            play(random >> 32, left - 1, 1);
            left -= 2;
        }
        if left == 1 {
            play(rng.next_u64(), 1, 0);
            self.mover = players[1];
        }
        self.last = last;
        self.scores[players[0]] += gains[0] as i16;
        self.scores[players[1]] += gains[1] as i16;
        self.empty = 0;
    }

    /// Plays random moves to the end of the game, but draws again where a move costs points, up to so many times in a
    /// turn; gives what both players gain. The state is good for nothing afterwards.
    #[inline]
    pub(crate) fn rollout_avoiding(&mut self, rng: &mut Rng, redraws: u32) -> [i32; 2] {
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

/// The cells of a set and how many they are.
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
