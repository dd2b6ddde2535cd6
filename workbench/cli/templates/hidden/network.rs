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
    const PLANES: usize = 5;
    const ACTIONS: usize = 1;

    /// Sets the player's cards, the played cards, the card on the table, and the tricks, but not the opponent's hand.
    fn encode(&self, player: Player, input: &mut Planes) {
        for card in 0..CARDS {
            let of = |cards: u16| cards >> card & 1 == 1;
            let planes = [of(self.hands[player]), of(self.played), self.table == Some(card)];
            for plane in (0..3).filter(|&plane| planes[plane]) {
                input.set(plane as u16, 1.0);
            }
            input.end_cell();
        }
        for (plane, side) in [player, player.other()].into_iter().enumerate() {
            input.spread(3 + plane as u16, self.tricks[side] as f32 / 4.0);
        }
    }

    fn place(&self, _player: Player, card: u8) -> Place {
        Place::Cell(card.into(), 0)
    }

    // `policy:net=training/network.bin` plays with the network that `train` has written. To ship this network:
    //     fn network() -> Vec<u8> {
    //         contender_nn::include_data!("../network.bin")
    //     }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::{Game, Hidden, Rng, Turn};

    /// Checks that the network's input does not depend on the opponent's hand.
    #[test]
    fn what_is_hidden_is_not_seen() {
        let mut rng = Rng::new(1);
        let seen = |state: &State, player: Player| {
            let mut input = Planes::new(State::BOARD);
            state.encode(player, &mut input);
            input
        };
        for _ in 0..100 {
            let mut state = State::deal(&mut rng);
            while let Turn::Player(player) = state.turn() {
                let mut other = state.clone();
                other.resample(player, &mut rng);
                assert_eq!(seen(&state, player), seen(&other, player), "{state:?} {other:?}");
                state.play(state.random_move(&mut rng, &mut Vec::new()));
            }
        }
    }
}
