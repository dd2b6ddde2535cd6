//! The rules: one file for each step of a turn.
//!
//! | file | contents |
//! |---|---|
//! | `board` | cells, directions, sets of cells |
//! | `organ` | proteins, organs and their costs |
//! | `state` | the state |
//! | `action`, `actions` | the action of one organism; all its actions, and random actions |
//! | `order`, `path` | the orders of players, checked as the judge checks them |
//! | `landing`, `harvest`, `attack`, `end` | the steps of a turn, in this order |

mod action;
mod actions;
mod attack;
mod board;
mod end;
mod harvest;
mod landing;
mod order;
mod organ;
mod path;
mod state;

pub use action::Action;
pub(crate) use board::AREA;
pub use board::{Cell, Cells, CellsIter, Dir, MAX_HEIGHT, MAX_WIDTH};
pub use end::TURN_LIMIT;
pub use order::{spore_line, spore_line_from, Order, OrderCheck, Refusal};
pub use organ::{Content, Kind, Organ, Protein, Stock};
pub use state::State;

use contender_game::rules::{Combined, Player, Rng, Simultaneous};

impl State {
    /// Plays one turn with `actions[player]` for each player. The actions must be accepted by [`OrderCheck`], or be
    /// legal actions that fit together.
    ///
    /// This function is like [`Simultaneous::play`], but for callers that do not keep actions in vectors. The function
    /// allocates no memory.
    #[inline]
    pub fn play_turn(&mut self, actions: [&[Action]; 2]) {
        self.land(actions);
        self.harvest();
        self.attack();
        self.turns += 1;
        self.is_over = self.has_ended();
    }
}

/// A move is the list of actions of a player's organisms. An organism that is not in the list waits.
///
/// Listed and random moves have at most one action per organism, in ascending order of the cells of the roots, and no
/// two actions onto the same cell. The judge also accepts two actions onto the same cell. The result is a wall, and
/// both organs are paid for but lost. [`play`](Simultaneous::play) accepts such moves too, but listed moves do not
/// contain two actions onto the same cell.
impl Simultaneous for State {
    type Move = Vec<Action>;

    #[inline]
    fn is_over(&self) -> bool {
        self.is_over
    }

    fn moves(&self, player: Player, moves: &mut Vec<Vec<Action>>) {
        let organisms: Vec<Vec<Action>> = self
            .organisms(player)
            .map(|root| {
                let mut actions = Vec::new();
                self.organism_actions(player, root, self.stock(player), &mut actions);
                actions
            })
            .collect();
        let start = moves.len();
        moves.push(Vec::new());
        for actions in organisms {
            for at in start..moves.len() {
                for &next in &actions {
                    if self.goes_with(player, &moves[at], next) {
                        let mut longer = moves[at].clone();
                        longer.push(next);
                        moves.push(longer);
                    }
                }
            }
        }
    }

    fn play(&mut self, moves: [&Vec<Action>; 2]) {
        self.play_turn([moves[0], moves[1]]);
    }

    /// Returns the numbers of organs. If they are equal, another rule decides (see [`State::winner`]).
    fn points(&self) -> [i32; 2] {
        Player::BOTH.map(|player| self.organ_count(player))
    }

    fn random_move(&self, player: Player, rng: &mut Rng) -> Vec<Action> {
        let mut actions = Vec::new();
        self.random_actions(player, rng, &mut actions);
        actions
    }
}

impl Combined for State {
    type Action = Action;

    fn actions(&self, player: Player, actions: &mut Vec<Action>) {
        for root in self.organisms(player) {
            self.organism_actions(player, root, self.stock(player), actions);
        }
    }

    /// Returns whether `next` belongs to another organism than the chosen actions, has another target, and can be paid
    /// for in addition.
    fn goes_with(&self, player: Player, chosen: &[Action], next: Action) -> bool {
        let mut stock = *self.stock(player);
        chosen.iter().for_each(|action| action.kind.pay(&mut stock));
        let excludes =
            |other: &Action| other.to == next.to || self.organism(other.from) == self.organism(next.from);
        next.kind.is_paid_by(&stock) && !chosen.iter().any(excludes)
    }

    /// Returns the actions in ascending order of the cells of the roots, as in listed moves.
    fn combine(&self, _player: Player, chosen: &[Action]) -> Vec<Action> {
        let mut actions = chosen.to_vec();
        actions.sort_by_key(|action| self.organism(action.from));
        actions
    }
}
