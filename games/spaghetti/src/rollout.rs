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
        let mut random = 0;
        for count in (1..=left).rev() {
            random = if count & 1 == left & 1 { rng.next_u64() } else { random >> 32 };
            let product = (random & 0xffff_ffff) * count as u64;
            let tile = ((product & 0xffff_ffff) * 3) >> 32;
            let at = (product >> 32) as usize & 63;
            let cell = cells[at];
            cells[at] = cells[(count - 1) & 63];
            let mv = Move::from_code(cell | (tile as u8) << 6);
            self.tiles[usize::from(cell & 63)] = tile as u8;
            visit(mv);
            let (gain, _) = self.paths.place(mv, self.mover);
            self.scores[self.mover] += gain as i16;
            self.mover = self.mover.other();
            self.last = Some(mv);
        }
        self.empty = 0;
    }
}
