//! The input and the outputs of a network for `train train.toml`.

use super::{State, CARDS};
use contender_game::rules::Player;
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Place};
use contender_search::NoChance;

impl Learnable for State {
    type Move = u8;
    type ChanceModel = NoChance;
    // EDIT the size of the map, the number of inputs per cell (`PLANES`), and the number of actions per cell.
    const BOARD: Size = Size { width: CARDS as usize, height: 1 };
    const PLANES: usize = 4;
    const ACTIONS: usize = 1;

    /// Sets the player's and the opponent's cards, and the prizes that both players have won.
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

    // `policy:net=training/network.bin` plays with the network that `train` has written. To ship this network:
    //     fn network() -> Vec<u8> {
    //         contender_nn::include_data!("../network.bin")
    //     }
}
