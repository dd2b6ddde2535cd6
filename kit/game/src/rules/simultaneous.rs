//! Games in which both players choose at the same time.

use super::game::MAX_TURNS;
use crate::rules::{Game, Player, Rng, Turn};
use std::fmt::Debug;

/// A game in which both players choose a move without seeing the other's choice, and then both moves take effect.
///
/// This trait does not extend [`Game`], because a sequential search should not run on a simultaneous game by accident.
/// [`InTurn`] converts such a game explicitly.
///
/// ```
/// use contender_game::rules::{perft_joint, Player, Rng, Simultaneous};
///
/// /// One turn of rock (0), paper (1), scissors (2).
/// #[derive(Clone)]
/// struct Hands {
///     shown: Option<[u8; 2]>,
/// }
///
/// impl Simultaneous for Hands {
///     type Move = u8;
///
///     fn is_over(&self) -> bool {
///         self.shown.is_some()
///     }
///
///     fn moves(&self, _player: Player, moves: &mut Vec<u8>) {
///         moves.extend(0..3);
///     }
///
///     fn play(&mut self, [zero, one]: [&u8; 2]) {
///         self.shown = Some([*zero, *one]);
///     }
///
///     fn points(&self) -> [i32; 2] {
///         let wins = |own: u8, other: u8| i32::from(own == (other + 1) % 3);
///         self.shown.map_or([0, 0], |[zero, one]| [wins(zero, one), wins(one, zero)])
///     }
///
///     fn random_move(&self, _player: Player, rng: &mut Rng) -> u8 {
///         rng.below(3) as u8
///     }
/// }
///
/// let mut state = Hands { shown: None };
/// assert_eq!(perft_joint(&state, 2), 9);
/// state.play([&1, &0]);
/// assert_eq!(state.points(), [1, 0], "paper beats rock");
/// ```
pub trait Simultaneous: Clone {
    /// A player's complete decision for one turn.
    type Move: Clone + PartialEq + Debug + Send;

    /// The maximum number of turns. A turn is one decision of each player: see [`Game::MAX_TURNS`].
    const MAX_TURNS: usize = MAX_TURNS;

    /// Returns whether the game has ended.
    fn is_over(&self) -> bool;

    /// Appends every legal move of `player`. If a move combines the actions of many units, the number of moves grows
    /// exponentially: see [`Combined`].
    fn moves(&self, player: Player, moves: &mut Vec<Self::Move>);

    /// Plays one turn: each player makes the move `moves[player]`.
    fn play(&mut self, moves: [&Self::Move; 2]);

    /// Returns each player's current contest points. The points are final when the game is over.
    fn points(&self) -> [i32; 2];

    /// Returns the value for zero-sum searches, which player 0 maximises and player 1 minimises.
    fn value(&self) -> i32 {
        let [zero, one] = self.points();
        zero - one
    }

    /// Returns a random legal move. Every legal move has a positive probability.
    fn random_move(&self, player: Player, rng: &mut Rng) -> Self::Move;
}

/// A simultaneous game in which a move is a set of actions, one for each of the player's units.
///
/// To build a move, start with the list of all actions, pick one, remove the actions that are now impossible, and
/// repeat ("iterative masking").
///
/// ```
/// use contender_game::rules::{Combined, Player, Rng, Simultaneous};
///
/// /// Each player picks any two of four fields, whose numbers are its points.
/// #[derive(Clone, Default)]
/// struct Fields {
///     points: Option<[i32; 2]>,
/// }
///
/// impl Simultaneous for Fields {
///     type Move = [u8; 2];
///
///     fn is_over(&self) -> bool {
///         self.points.is_some()
///     }
///
///     fn moves(&self, _player: Player, moves: &mut Vec<[u8; 2]>) {
///         moves.extend((0..4).flat_map(|first| (first + 1..4).map(move |second| [first, second])));
///     }
///
///     fn play(&mut self, moves: [&[u8; 2]; 2]) {
///         self.points = Some(moves.map(|mv| mv.iter().map(|&field| i32::from(field)).sum()));
///     }
///
///     fn points(&self) -> [i32; 2] {
///         self.points.unwrap_or_default()
///     }
///
///     fn random_move(&self, player: Player, rng: &mut Rng) -> [u8; 2] {
///         let mut moves = Vec::new();
///         self.moves(player, &mut moves);
///         *rng.choose(&moves)
///     }
/// }
///
/// impl Combined for Fields {
///     type Action = u8;
///
///     fn actions(&self, _player: Player, actions: &mut Vec<u8>) {
///         actions.extend(0..4);
///     }
///
///     fn goes_with(&self, _player: Player, chosen: &[u8], next: u8) -> bool {
///         chosen.len() < 2 && !chosen.contains(&next)
///     }
///
///     fn combine(&self, _player: Player, chosen: &[u8]) -> [u8; 2] {
///         let [first, second] = chosen else { panic!("two actions") };
///         [*first.min(second), *first.max(second)]
///     }
/// }
///
/// let state = Fields::default();
/// assert!(state.goes_with(Player::Zero, &[3], 2));
/// assert_eq!(state.combine(Player::Zero, &[3, 2]), [2, 3]);
/// ```
pub trait Combined: Simultaneous {
    /// The action of one unit.
    type Action: Copy + PartialEq + Debug;

    /// Appends every action that is possible on its own for the player.
    fn actions(&self, player: Player, actions: &mut Vec<Self::Action>);

    /// Returns whether `player` can take the action `next` in addition to the actions in `chosen`, which are possible
    /// together.
    fn goes_with(&self, player: Player, chosen: &[Self::Action], next: Self::Action) -> bool;

    /// Returns the move that consists of exactly these actions, which must be possible together.
    fn combine(&self, player: Player, chosen: &[Self::Action]) -> Self::Move;
}

/// A simultaneous game in which the players move one after the other: `leader` chooses first, and the other player sees
/// this choice before choosing.
///
/// The value of this game is pessimistic for `leader`: it is a lower bound on the value of the simultaneous game.
///
/// ```
/// # #[path = "../../tests/toy_games/mod.rs"] mod toys;
/// # use toys::Goofspiel;
/// use contender_game::rules::{Game, InTurn, Player, Turn};
///
/// let mut state = InTurn::new(Goofspiel::new(3, 0), Player::One);
/// assert_eq!(state.turn(), Turn::Player(Player::One));
/// state.play(2);
/// state.play(0);
/// assert_eq!(state.points(), [0, 1], "the card 2 of player 1 takes the first prize");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct InTurn<G: Simultaneous> {
    game: G,
    leader: Player,
    chosen: Option<G::Move>,
}

impl<G: Simultaneous> InTurn<G> {
    /// Converts a state of `game`; `leader` chooses first in every turn.
    pub fn new(game: G, leader: Player) -> Self {
        InTurn { game, leader, chosen: None }
    }

    /// Returns the simultaneous game's state at the start of the current turn.
    pub fn game(&self) -> &G {
        &self.game
    }
}

impl<G: Simultaneous> Game for InTurn<G>
where
    G::Move: Copy,
{
    type Move = G::Move;

    const MAX_TURNS: usize = G::MAX_TURNS.saturating_mul(2);

    fn turn(&self) -> Turn {
        match self.chosen {
            _ if self.game.is_over() => Turn::Over,
            None => Turn::Player(self.leader),
            Some(_) => Turn::Player(self.leader.other()),
        }
    }

    fn moves(&self, moves: &mut Vec<G::Move>) {
        if let Turn::Player(player) = self.turn() {
            self.game.moves(player, moves);
        }
    }

    fn play(&mut self, mv: G::Move) {
        match self.chosen.take() {
            None => self.chosen = Some(mv),
            Some(first) if self.leader == Player::Zero => self.game.play([&first, &mv]),
            Some(first) => self.game.play([&mv, &first]),
        }
    }

    fn points(&self) -> [i32; 2] {
        self.game.points()
    }

    fn value(&self) -> i32 {
        self.game.value()
    }
}
