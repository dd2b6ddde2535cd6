//! What a network sees of a position, so that `train train.toml` learns it.

use super::State;
use contender_game::rules::Player;
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Place};
use contender_search::WithChance;

impl Learnable for State {
    type Move = u8;
    type ChanceModel = WithChance;
    // EDIT the map, the numbers of a cell that the network sees, and the actions of a cell.
    const BOARD: Size = Size { width: 3, height: 2 };
    const PLANES: usize = 4;
    const ACTIONS: usize = 1;

    /// The player's and the opponent's places, and the die. It is called only if a player must move.
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

    // What `train` has written is played with as `puct:net=training/network.bin`. To ship it:
    //     fn network() -> Vec<u8> {
    //         contender_nn::include_data!("../network.bin")
    //     }
}
