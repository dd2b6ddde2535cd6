//! What a game gives for the learning of its linear evaluation.

use super::learner::{Inputs, Learner, Node};
use contender_game::Rng;

/// A game whose linear evaluation is learned.
pub trait Subject {
    /// The inputs of a position.
    type Inputs: Inputs;
    /// The name of the bot that matches are played against.
    const RIVAL: &'static str;
    /// Whether [`rivals`](Subject::rivals) gives the share of a pair's games that is won, and not points.
    const IS_SHARE: bool;

    /// How many places for weights there are: [`Node::turn`] is below it.
    fn places(&self) -> usize;

    /// How many inputs there are.
    fn inputs(&self) -> usize;

    /// For each place the constant and the weights of a file.
    ///
    /// # Errors
    /// What is wrong with it.
    fn read(&self, bytes: &[u8]) -> Result<Vec<(f64, Vec<f64>)>, String>;

    /// The weights as the game's bots read them.
    fn text(&self, learner: &Learner) -> String;

    /// Who plays games against himself by these weights. All of a game follows from the generator and the games before.
    fn player(&self, learner: &Learner) -> Player<'_, Self::Inputs>;

    /// Who plays pairs of games of one seed by these weights, against others or else the bot [`RIVAL`](Subject::RIVAL);
    /// gives what comes of a pair for the first.
    fn rivals(&self, learner: &Learner, other: Option<&Learner>) -> Box<dyn FnMut(u64) -> f64 + '_>;
}

/// Plays a game and gives the nodes that teach, or says that it has no end.
pub type Player<'a, I> = Box<dyn FnMut(&mut Rng) -> Result<Vec<Node<I>>, String> + 'a>;
