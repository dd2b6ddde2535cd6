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
    /// One 64-bit random number serves two moves, and no draw is repeated: each half picks a cell by its high part and a tile by
    /// the rest, so probabilities are off by a factor of at most 1 ± 2⁻²⁴.
    #[inline]
    pub fn rollout_with(&mut self, rng: &mut Rng, mut visit: impl FnMut(Move)) {
        let mut cells = [0u8; 64];
        let mut left = 0;
        let mut rest = self.empty;
        while rest != 0 {
            cells[left & 63] = rest.trailing_zeros() as u8;
            left += 1;
            rest &= rest - 1;
        }
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
}
