//! What a network sees of a position, so that `train train.toml` learns it.

use super::{State, CARDS};
use contender_game::rules::Player;
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Place};
use contender_search::NoChance;

impl Learnable for State {
    type Move = u8;
    type ChanceModel = NoChance;
    // EDIT the map, the numbers of a cell that the network sees, and the actions of a cell.
    const BOARD: Size = Size { width: CARDS as usize, height: 1 };
    const PLANES: usize = 4;
    const ACTIONS: usize = 1;

    /// The player's and the opponent's cards, and the prizes that both have won.
    fn encode(&self, player: Player, input: &mut Planes) {
        let sides = [player, player.other()];
        for card in 1..=CARDS {
            for (plane, side) in sides.into_iter().enumerate() {
                if self.has(side, card) {
                    input.set(plane as u16, 1.0);
                }
            }
            input.end_cell();
        }
        for (plane, side) in sides.into_iter().enumerate() {
            input.spread(2 + plane as u16, self.won[side] as f32 / 8.0);
        }
    }

    fn place(&self, _player: Player, card: u8) -> Place {
        Place::Cell(usize::from(card) - 1, 0)
    }

    // What `train` has written is played with as `policy:net=training/network.bin`. To ship it:
    //     fn network() -> Vec<u8> {
    //         contender_nn::include_data!("../network.bin")
    //     }
}
