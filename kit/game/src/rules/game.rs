//! Traits for the rules of games. A value of a game's type is a state; the trait's functions define the legal moves and
//! their effects.

use crate::rules::{Player, Rng, Turn};
use std::fmt::Debug;

/// The default maximum number of turns, far above the length of any real game.
pub(crate) const MAX_TURNS: usize = 1000;

/// A game of two players who move one after the other, with chance (see [`Chance`]) or without.
///
/// The type contains the rules, and a value of the type is a state. Searches copy states with `clone`, so keep them
/// small and flat.
///
/// The [example of the crate](crate) implements this trait. This example plays a random game:
///
/// ```
/// # #[path = "../../tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::rules::{Game, Player, Rng, Turn};
///
/// let mut state = Nim { matches: 15, mover: Player::Zero };
/// let (mut rng, mut scratch) = (Rng::new(1), Vec::new());
/// while let Turn::Player(_) = state.turn() {
///     let mv = state.random_move(&mut rng, &mut scratch);
///     state.play(mv);
/// }
/// assert_eq!(state.points().iter().sum::<i32>(), 1);
/// ```
pub trait Game: Clone {
    /// One decision of one player.
    type Move: Copy + PartialEq + Debug + Send;

    /// The maximum number of turns. A turn is one decision of a player. A longer game counts as endless: judges declare
    /// a draw, and training runs stop the game. To use a different limit, a game must count its turns and end by its
    /// own rules.
    const MAX_TURNS: usize = MAX_TURNS;

    /// Returns what happens next: a player moves, chance acts, or the game is over.
    fn turn(&self) -> Turn;

    /// Appends every legal move of the player to act exactly once, in a fixed order. Appends nothing if it is not a
    /// player's turn.
    ///
    /// A search can therefore keep the moves of all nodes on its path in one vector, without allocating memory at each
    /// node.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// Counts the legal moves. `scratch` is working space; its previous contents are preserved.
    ///
    /// The default implementation lists the moves. A game can override this function to count the moves without listing
    /// them.
    fn move_count(&self, scratch: &mut Vec<Self::Move>) -> usize {
        let before = scratch.len();
        self.moves(scratch);
        let count = scratch.len() - before;
        scratch.truncate(before);
        count
    }

    /// Plays a legal move of the player to act. An illegal move may panic or leave a meaningless state, but must not
    /// cause undefined behaviour.
    fn play(&mut self, mv: Self::Move);

    /// Returns each player's current contest points. The points are final when the game is over.
    fn points(&self) -> [i32; 2];

    /// Returns the value for zero-sum searches, which player 0 maximises and player 1 minimises. The default is player
    /// 0's points minus player 1's points.
    fn value(&self) -> i32 {
        let [zero, one] = self.points();
        zero - one
    }

    /// Returns a uniformly random legal move. `scratch` is working space; its contents are overwritten.
    ///
    /// The default implementation lists all moves and picks one. A game can override this function with a faster
    /// method.
    ///
    /// # Panics
    /// Panics if there is no legal move.
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Self::Move>) -> Self::Move {
        scratch.clear();
        self.moves(scratch);
        *rng.choose(scratch)
    }
}

/// A game with chance nodes whose probabilities are known.
///
/// ```
/// use contender_game::rules::{perft_chance, Chance, Game, Turn};
///
/// /// Throws a coin twice, and counts heads as points of player 0.
/// #[derive(Clone)]
/// struct Coin {
///     throws: u8,
///     heads: i32,
/// }
///
/// impl Game for Coin {
///     type Move = ();
///
///     fn turn(&self) -> Turn {
///         if self.throws == 2 { Turn::Over } else { Turn::Chance }
///     }
///
///     fn moves(&self, _moves: &mut Vec<()>) {}
///
///     fn play(&mut self, (): ()) {}
///
///     fn points(&self) -> [i32; 2] {
///         [self.heads, 0]
///     }
/// }
///
/// impl Chance for Coin {
///     type Outcome = bool;
///
///     fn outcomes(&self, outcomes: &mut Vec<(bool, u32)>) {
///         if self.turn() == Turn::Chance {
///             outcomes.extend([(false, 1), (true, 1)]);
///         }
///     }
///
///     fn resolve(&mut self, is_head: bool) {
///         self.throws += 1;
///         self.heads += i32::from(is_head);
///     }
/// }
///
/// assert_eq!(perft_chance(&Coin { throws: 0, heads: 0 }, 2), 4);
/// ```
pub trait Chance: Game {
    /// An outcome of chance.
    type Outcome: Copy + PartialEq + Debug;

    /// Appends every possible outcome with its weight, a positive integer. The probability of an outcome is its weight
    /// divided by the sum of the weights, so probabilities are exact. Appends nothing when it is not chance's turn.
    fn outcomes(&self, outcomes: &mut Vec<(Self::Outcome, u32)>);

    /// Applies an outcome of chance to the state.
    fn resolve(&mut self, outcome: Self::Outcome);

    /// Draws a random outcome in proportion to the weights. `scratch` is working space; its contents are overwritten.
    ///
    /// # Panics
    /// Panics if it is not chance's turn.
    fn random_outcome(&self, rng: &mut Rng, scratch: &mut Vec<(Self::Outcome, u32)>) -> Self::Outcome {
        scratch.clear();
        self.outcomes(scratch);
        let total: u32 = scratch.iter().map(|&(_, weight)| weight).sum();
        let mut rest = rng.below(total);
        for &(outcome, weight) in scratch.iter() {
            if rest < weight {
                return outcome;
            }
            rest -= weight;
        }
        unreachable!("the draw is below the sum of the weights")
    }
}

/// A game in which a player does not know the whole state (cards, secret colours).
///
/// ```
/// use contender_game::rules::{Game, Hidden, Player, Rng, Turn};
///
/// /// Each player has one of the cards 0, 1 and 2. Player 0 guesses whether its card is the higher one.
/// #[derive(Clone)]
/// struct OneCard {
///     cards: [u8; 2],
///     guess: Option<bool>,
/// }
///
/// impl Game for OneCard {
///     type Move = bool;
///
///     fn turn(&self) -> Turn {
///         if self.guess.is_some() { Turn::Over } else { Turn::Player(Player::Zero) }
///     }
///
///     fn moves(&self, moves: &mut Vec<bool>) {
///         if self.guess.is_none() {
///             moves.extend([false, true]);
///         }
///     }
///
///     fn play(&mut self, guess: bool) {
///         self.guess = Some(guess);
///     }
///
///     fn points(&self) -> [i32; 2] {
///         [i32::from(self.guess == Some(self.cards[0] > self.cards[1])), 0]
///     }
/// }
///
/// impl Hidden for OneCard {
///     fn resample(&mut self, viewer: Player, rng: &mut Rng) {
///         let others: Vec<u8> = (0..3).filter(|&card| card != self.cards[viewer]).collect();
///         self.cards[viewer.other()] = *rng.choose(&others);
///     }
/// }
///
/// let mut state = OneCard { cards: [1, 2], guess: None };
/// state.resample(Player::Zero, &mut Rng::new(1));
/// assert_eq!(state.cards[0], 1, "a player knows its own card");
/// ```
pub trait Hidden: Game {
    /// Replaces all information that `viewer` cannot know by a random sample. The new state must be consistent with
    /// everything that `viewer` has seen, and its probability must be the conditional probability given the public
    /// moves.
    fn resample(&mut self, viewer: Player, rng: &mut Rng);
}
