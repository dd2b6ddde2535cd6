//! What the network sees of a position, and the bot that searches with it.

use crate::bots::setup;
use crate::rules::{hex, Move, State, PLACES, WIDTH};
use contender_game::*;
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Net, Place, PuctBot, PuctSettings};
use contender_search::Sure;

/// Where a hex is in the network's map, row by row.
fn cell(at: u8) -> usize {
    let (row, column) = PLACES[at as usize];
    usize::from(row) * WIDTH + usize::from(column)
}

impl Learnable for State {
    type Luck = Sure;
    const BOARD: Size = Size { width: WIDTH, height: WIDTH };
    const PLANES: usize = 15;
    const ACTIONS: usize = 1;
    const IMAGES: usize = 12;

    fn encode(&self, input: &mut Planes) {
        let player = Player::from_index(usize::from(self.moves_made() % 2));
        let own = |both: [u8; 2]| [both[player], both[player.other()]].map(|seen| f32::from(seen) / 6.0);
        for at in (0..WIDTH * WIDTH).map(|cell| hex(cell / WIDTH, cell % WIDTH)) {
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
        input.spread(14, f32::from(u8::from(self.last_passed())));
    }

    /// Nobody can take the centre with a single stack: where swapping is possible, the centre's number is its own.
    fn place(&self, mv: Move) -> Place {
        match mv {
            Move::Put(at) => Place::Cell(cell(at), 0),
            Move::Swap => Place::Cell(WIDTH * WIDTH / 2, 0),
            Move::Pass | Move::Setup(..) => Place::Nowhere,
        }
    }

    /// Sixths of a turn around the centre, and from 6 on what a mirror makes of them.
    fn image(cell: usize, image: usize) -> usize {
        let (mut down, mut right) = ((cell / WIDTH) as i32 - 7, (cell % WIDTH) as i32 - 7);
        if (down + right).abs() > 7 {
            return cell;
        }
        for _ in 0..image % 6 {
            (down, right) = (-right, down + right);
        }
        if image >= 6 {
            (down, right) = (right, down);
        }
        ((down + 7) * WIDTH as i32 + right + 7) as usize
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

/// PUCT over the network. The start stones are those of some that the network finds fairest.
pub struct NetworkBot(PuctBot<State>, Rng);

impl NetworkBot {
    pub fn new(settings: PuctSettings, net: Net<State>, seed: u64) -> NetworkBot {
        NetworkBot(PuctBot::new(settings, net, seed), Rng::new(seed))
    }
}

impl Bot<State, Move> for NetworkBot {
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Move {
        if state.moves_made() > 0 {
            return self.0.choose(state, player, clock);
        }
        let NetworkBot(bot, rng) = self;
        let mut worth = |mv| {
            let mut after = state.clone();
            after.play(mv);
            bot.oracle().ask(&after).value.abs()
        };
        let some: Vec<(Move, f32)> = (0..64).map(|_| setup(rng)).map(|mv| (mv, worth(mv))).collect();
        some.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).expect("there are some").0
    }

    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Move> {
        match state.moves_made() {
            0 => Analysis::of_move(self.choose(state, player, clock)),
            _ => self.0.analyse(state, player, clock),
        }
    }
}
