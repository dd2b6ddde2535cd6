//! The interface that a game must implement for training a custom network that evaluates positions.

use crate::{Opponent, Pairs, Unit};
use contender_game::{rules::Rng, settings::Settings};
use std::ops::Range;

/// A game whose positions a network learns to evaluate, from games that a search plays against itself.
///
/// A game with [`Features`](crate::Features) does not need this trait, because the trainer derives the implementation
/// from the features. Implement this trait for a game with its own kind of network.
pub trait ValueLearnedGame: Sized {
    /// The settings for playing games and learning from them. In a recipe, they are in the section with the game's
    /// name.
    type Settings: Settings + Default;
    /// A position with information about its value, or a game with such positions.
    type Sample: Record;
    /// The network in floating point.
    type Network: Model;
    /// The fraction of examples that is used only to measure the quality of a fit: the last 1/`CHECK` of each
    /// generation.
    const CHECK: usize;
    /// The meaning of the results of [`pairs`](ValueLearnedGame::pairs).
    const UNIT: Unit = Unit::Wins;

    /// Creates the game with these settings. The game's bots play without a network until
    /// [`play_with`](ValueLearnedGame::play_with) sets one.
    fn new(settings: Self::Settings) -> Self;

    /// Sets the network, in the format of [`Model::write`], that plays from now on.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid network.
    fn play_with(&mut self, network: &[u8]) -> Result<(), String>;

    /// Plays a game in which the search plays both sides, and returns its positions. The game depends only on the
    /// network and the seed.
    ///
    /// # Errors
    /// Returns an error if the game does not end.
    fn game(&mut self, seed: u64) -> Result<Vec<Self::Sample>, String>;

    /// Returns the positions of a recorded game, with targets as in [`game`](ValueLearnedGame::game). The record
    /// consists of the seed, the setup (empty if the seed determines it) and the moves, in the judge's notation.
    ///
    /// # Errors
    /// Returns an error if the record does not follow the rules. The default implementation always returns an error,
    /// because the game does not support records.
    fn recorded(
        &mut self,
        seed: u64,
        setup: &[String],
        moves: &[String],
    ) -> Result<Vec<Self::Sample>, String> {
        let _ = (seed, setup, moves);
        Err("the game does not implement `ValueLearnedGame::recorded`".to_string())
    }

    /// Returns a function that plays pairs of games between a network and an opponent, for the matches of a training
    /// run. The function [`pairs`](crate::pairs) creates such a function for any contest.
    ///
    /// # Errors
    /// Returns an error if a network or a bot is invalid. The default implementation always returns an error, because
    /// the game does not support matches.
    fn pairs<'a>(&self, network: Option<&[u8]>, opponent: Opponent<'a>) -> Result<Pairs<'a>, String> {
        let _ = (network, opponent);
        Err("the game does not implement `ValueLearnedGame::pairs`".to_string())
    }

    /// Creates an untrained network.
    fn network(&self, seed: u64) -> Self::Network;

    /// Converts samples to training examples for the network.
    fn examples(&self, samples: Vec<Self::Sample>) -> Vec<<Self::Network as Model>::Example>;
}

/// A network that can be trained.
pub trait Model {
    /// A training example.
    type Example;

    /// Returns all numbers of the network.
    fn numbers(&mut self) -> &mut Vec<f32>;

    /// Adds the gradient of an example's loss, multiplied by `share`, to `gradient`. Returns the loss.
    fn learn(&self, example: &Self::Example, share: f32, rng: &mut Rng, gradient: &mut [f32]) -> f64;

    /// Returns the inputs, neurons and other parts of the network, grouped by kind. Each part is a list of ranges of
    /// numbers. A training run reports parts that have no effect because their gradients are always 0.
    fn parts(&self) -> Vec<(&'static str, Vec<Vec<Range<usize>>>)> {
        Vec::new()
    }

    /// Clamps the numbers to their allowed range after a training step.
    fn restrict(&mut self);

    /// Returns the mean loss over these examples.
    fn loss(&self, examples: &[Self::Example]) -> f64;

    /// Encodes the network in the format that the game's bots read.
    fn write(&self) -> Vec<u8>;

    /// Reads the (rounded) numbers of a network from bytes that [`write`](Model::write) returned.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid network.
    fn read(&mut self, bytes: &[u8]) -> Result<(), String>;
}

/// A record in a file of many records.
pub trait Record: Sized {
    /// The size of a record in bytes. If records differ in size, this is the size of the head, which contains the
    /// number of bytes that follow it.
    const BYTES: usize;

    /// Returns the number of bytes that follow a head, or 0 if all records have the same size.
    fn more(head: &[u8]) -> usize {
        let _ = head;
        0
    }

    /// Returns the number of positions in this record.
    fn positions(&self) -> usize {
        1
    }

    /// Appends the encoded record, which has [`BYTES`](Record::BYTES) plus [`more`](Record::more) bytes.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Decodes a record that [`write`](Record::write) wrote.
    ///
    /// # Errors
    /// Returns an error with the reason if the bytes are invalid.
    fn read(bytes: &[u8]) -> Result<Self, String>;
}
