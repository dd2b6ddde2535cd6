//! The input and the outputs of a network for `train train.toml`.

use super::State;
use contender_game::rules::Player;
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Place};
use contender_search::WithChance;

impl Learnable for State {
    type Move = u8;
    type ChanceModel = WithChance;
    // EDIT the size of the map, the number of inputs per cell (`PLANES`), and the number of actions per cell.
    const BOARD: Size = Size { width: 3, height: 2 };
    const PLANES: usize = 4;
    const ACTIONS: usize = 1;

    /// Sets the player's and the opponent's places, and the die. This method is only called if a player must move.
    fn encode(&self, player: Player, input: &mut Planes) {
        for (plane, side) in [player, player.other()].into_iter().enumerate() {
            for digit in self.digits[side] {
                if digit == 0 {
                    input.set(2, 1.0);
                } else {
                    input.set(plane as u16, f32::from(digit) / 6.0);
                }
                input.end_cell();
            }
        }
        input.spread(3, f32::from(self.die.unwrap_or(0)) / 6.0);
    }

    fn place(&self, _player: Player, place: u8) -> Place {
        Place::Cell(place.into(), 0)
    }

    fn turns_left(&self) -> u32 {
        3 - self.filled() as u32 / 2
    }

    // `puct:net=training/network.bin` plays with the network that `train` has written. To ship this network:
    //     fn network() -> Vec<u8> {
    //         contender_nn::include_data!("../network.bin")
    //     }
}
