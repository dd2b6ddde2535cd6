//! The interface of a game for training a network that values positions.

use crate::{Opponent, Pairs, Unit};
use contender_game::{rules::Rng, settings::Settings};
use std::ops::Range;

/// A game as a network learns to value its positions, from games of a search against itself.
///
/// A game that states its [`Features`](crate::Features) needs none of this: the trainer derives it from them. It is for
/// a network of the game's own.
pub trait ValueLearnedGame: Sized {
    /// Settings of the games and of learning from them: the part of a recipe with the game's name.
    type Settings: Settings + Default;
    /// A position with what is known of its worth.
    type Sample: Record;
    /// The network in floating point.
    type Network: Model;
    /// One in so many examples, the last ones, tell how well a fit does.
    const CHECK: usize;
    /// The meaning of the results of [`pairs`](ValueLearnedGame::pairs).
    const UNIT: Unit = Unit::Wins;

    /// Returns the game, played so. It plays without a network until it is [given](ValueLearnedGame::play_with) one.
    fn new(settings: Self::Settings) -> Self;

    /// Plays from now on with this network, as [`Model::write`] wrote it.
    ///
    /// # Errors
    /// Bytes that are not a network.
    fn play_with(&mut self, network: &[u8]) -> Result<(), String>;

    /// Plays a game against itself and returns its positions. Everything follows from the player and the seed.
    ///
    /// # Errors
    /// If the game has no end.
    fn game(&mut self, seed: u64) -> Result<Vec<Self::Sample>, String>;

    /// Returns a player of pairs of games between a network and an opponent, for the matches of a training.
    /// [`pairs`](crate::pairs) plays them for any contest.
    ///
    /// # Errors
    /// Returns an error if a network or a bot is invalid, or, by default, because the game has no matches.
    fn pairs<'a>(&self, network: Option<&[u8]>, opponent: Opponent<'a>) -> Result<Pairs<'a>, String> {
        let _ = (network, opponent);
        Err("the game does not implement `ValueLearnedGame::pairs`".to_string())
    }

    /// Returns a network that has learned nothing yet.
    fn network(&self, seed: u64) -> Self::Network;

    /// Returns the samples as the network learns from them.
    fn examples(&self, samples: Vec<Self::Sample>) -> Vec<<Self::Network as Model>::Example>;
}

/// A network that learns.
pub trait Model {
    /// The examples to learn from.
    type Example;

    /// Returns all its numbers.
    fn numbers(&mut self) -> &mut Vec<f32>;

    /// Adds the gradient of an example's loss, times `share`, and returns the loss.
    fn learn(&self, example: &Self::Example, share: f32, rng: &mut Rng, gradient: &mut [f32]) -> f64;

    /// Returns the inputs, neurons or other parts, by kind, each as the ranges of its numbers. A training reports those
    /// without effect, whose gradients are always 0.
    fn parts(&self) -> Vec<(&'static str, Vec<Vec<Range<usize>>>)> {
        Vec::new()
    }

    /// Puts numbers back into their range after a step.
    fn restrict(&mut self);

    /// Returns the mean loss over examples.
    fn loss(&self, examples: &[Self::Example]) -> f64;

    /// Returns the network as the game's bots read it.
    fn write(&self) -> Vec<u8>;

    /// Takes the numbers of a network that [`write`](Model::write) wrote, as they were rounded.
    ///
    /// # Errors
    /// Bytes that are not a network.
    fn read(&mut self, bytes: &[u8]) -> Result<(), String>;
}

/// A part of a file that has many of them one after the other.
pub trait Record: Sized {
    /// Bytes of each; if they differ in size, bytes of the head, which tells how many follow.
    const BYTES: usize;

    /// Returns the number of bytes after a head; 0 if all records have the same size.
    fn more(head: &[u8]) -> usize {
        let _ = head;
        0
    }

    /// Appends its bytes, [`BYTES`](Record::BYTES) and [`more`](Record::more) of them.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads what [`write`](Record::write) wrote.
    ///
    /// # Errors
    /// The reason why the bytes are invalid.
    fn read(bytes: &[u8]) -> Result<Self, String>;
}
