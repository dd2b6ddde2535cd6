//! The input and the outputs of a network for `train train.toml`.

use super::State;
use contender_game::rules::Player;
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Place};
use contender_search::NoChance;

impl Learnable for State {
    type Move = u8;
    type ChanceModel = NoChance;
    // EDIT the size of the map, the number of inputs per cell (`PLANES`), and the number of actions per cell.
    const BOARD: Size = Size { width: 3, height: 3 };
    const PLANES: usize = 2;
    const ACTIONS: usize = 1;
    const IMAGES: usize = 2;

    /// Sets the player's and the opponent's marks.
    fn encode(&self, player: Player, input: &mut Planes) {
        for cell in 0..9 {
            for (plane, side) in [player, player.other()].into_iter().enumerate() {
                if self.marks[side] >> cell & 1 == 1 {
                    input.set(plane as u16, 1.0);
                }
            }
            input.end_cell();
        }
    }

    fn place(&self, _player: Player, cell: u8) -> Place {
        Place::Cell(cell.into(), 0)
    }

    /// EDIT the symmetries: image 1 is the mirror image.
    fn image(cell: usize, image: usize) -> usize {
        [cell, cell / 3 * 3 + 2 - cell % 3][image]
    }

    fn turns_left(&self) -> u32 {
        4
    }

    // `puct:net=training/network.bin` plays with the network that `train` has written. To ship this network:
    //     fn network() -> Vec<u8> {
    //         contender_nn::include_data!("../network.bin")
    //     }
}
