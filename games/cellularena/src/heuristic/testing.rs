//! States for the tests.

use crate::{map, Content, Organ, State};
use contender_game::rules::{Player, Rng, Simultaneous};

/// Visits every state of `games` random games. In two of three games the players have enough proteins for large
/// organisms.
pub(super) fn after_random_turns(seed: u64, games: u32, mut visit: impl FnMut(&State, &mut Rng)) {
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        let mut state = map::generate(rng.next_u64() as i64 | 1).unwrap();
        let rich = [0, 20, 80][rng.index(3)];
        if rich > 0 {
            Player::BOTH.iter().for_each(|&player| state.set_stock(player, [rich; 4]).unwrap());
        }
        loop {
            visit(&state, &mut rng);
            if state.is_over() {
                break;
            }
            let pair = Player::BOTH.map(|player| state.random_move(player, &mut rng));
            state.play([&pair[0], &pair[1]]);
        }
    }
}

/// Returns the state with the players' organs and proteins exchanged. The game must not be over.
pub(super) fn swapped(state: &State) -> State {
    let mut image = State::empty(state.width(), state.height()).unwrap();
    for cell in state.cells() {
        match state.content(cell) {
            Content::Wall => image.build_wall(cell).unwrap(),
            Content::Source(protein) => image.put_source(cell, protein).unwrap(),
            Content::Empty | Content::Organ { .. } => {}
        }
    }
    let organ = |organ: Organ| Organ { owner: organ.owner.other(), ..organ };
    image.put_organs(state.organs().into_iter().map(organ).collect()).unwrap();
    for player in Player::BOTH {
        image.set_stock(player.other(), *state.stock(player)).unwrap();
    }
    image.set_turns(state.turns() as u8);
    image
}
