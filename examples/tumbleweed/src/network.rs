//! The network's input and outputs, and the bot that searches with the network.

use crate::bots::setup;
use crate::rules::{Move, State, BOARD, CENTRE, HEXES, WIDTH};
use contender_game::prelude::*;
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Net, Place, PuctBot, PuctSettings};
use contender_search::NoChance;

impl Learnable for State {
    type Move = Move;
    type ChanceModel = NoChance;
    const BOARD: Size = Size { width: WIDTH, height: WIDTH };
    const PLANES: usize = 15;
    const ACTIONS: usize = 1;
    const IMAGES: usize = 12;

    fn encode(&self, player: Player, input: &mut Planes) {
        let own = |both: [u8; 2]| [both[player], both[player.other()]].map(|seen| f32::from(seen) / 6.0);
        for at in (0..WIDTH * WIDTH).map(|cell| BOARD.hex(cell / WIDTH, cell % WIDTH)) {
            if let Some(at) = at {
                input.set(0, 1.0);
                let stack = self.stack(at);
                let height = f32::from(stack.map_or(0, |(height, _)| height)) / 6.0;
                match stack {
                    Some((_, owner)) => {
                        input.set(owner.map_or(3, |owner| if owner == player { 1 } else { 2 }), 1.0);
                        input.set(4, height);
                    }
                    None => input.set(5, 1.0),
                }
                let seen = own(self.seen(at));
                for (side, other) in [(0, 1), (1, 0)] {
                    let plane = 6 + 3 * side as u16;
                    input.set(plane, seen[side]);
                    input.set(plane + 1, f32::from(u8::from(seen[side] > height)));
                    input.set(plane + 2, f32::from(u8::from(stack.is_none() && seen[side] > seen[other])));
                }
            }
            input.end_cell();
        }
        input.spread(12, player.sign() as f32 * self.value() as f32 / 50.0);
        input.spread(13, f32::from(u8::from(self.is_legal(Move::Swap))));
        input.spread(14, f32::from(u8::from(self.passes == 1)));
    }

    /// A swap has the number of the centre, because no player can capture the centre while a swap is possible.
    fn place(&self, _player: Player, mv: Move) -> Place {
        match mv {
            Move::Put(at) => Place::Cell(BOARD.cell(at), 0),
            Move::Swap => Place::Cell(BOARD.cell(CENTRE), 0),
            Move::Pass | Move::Setup(..) => Place::Nowhere,
        }
    }

    fn image(cell: usize, image: usize) -> usize {
        HexBoard::<HEXES, WIDTH>::image(cell, image)
    }

    fn open(&mut self, rng: &mut Rng) {
        self.play(setup(rng));
    }

    fn turns_left(&self) -> u32 {
        4 + self.empty() / 4
    }

    fn network() -> Vec<u8> {
        contender_nn::include_data!("../network.bin")
    }
}

/// Returns a PUCT bot with the network. Of several random pairs of start stones, the bot plays the pair that is fairest
/// according to the network.
pub fn puct(settings: PuctSettings, net: Net<State>, seed: u64) -> impl Bot<State, Move> {
    let (mut bot, mut rng) = (PuctBot::new(settings, net, seed), Rng::new(seed));
    SearchBot(move |state: &State, _, clock: &Clock| {
        if state.moves > 0 {
            return bot.think(state, clock);
        }
        let some = (0..64).map(|_| setup(&mut rng)).map(|mv| {
            let mut after = state.clone();
            after.play(mv);
            (mv, bot.oracle().ask(&after, Player::One).value.abs())
        });
        Analysis::of_move(some.min_by(|a, b| a.1.total_cmp(&b.1)).expect("there are some").0)
    })
}
