//! The interface that a game implements for training a network that evaluates positions.

use crate::{Opponent, Pairs, Unit};
use contender_game::{rules::Rng, settings::Settings};
use std::ops::Range;

/// A game in the form in which a network learns to evaluate its positions from games of a search against itself.
///
/// A game with [`Features`](crate::Features) need not implement this trait, because the trainer derives it from the
/// features. The trait is for games with their own kind of network.
pub trait ValueLearnedGame: Sized {
    /// Settings of the games and of learning from them: the section of a recipe with the game's name.
    type Settings: Settings + Default;
    /// A position with data about its value.
    type Sample: Record;
    /// The network in floating point.
    type Network: Model;
    /// The last 1/`CHECK` of the examples measures the quality of a fit, and is not learned from.
    const CHECK: usize;
    /// The meaning of the results of [`pairs`](ValueLearnedGame::pairs).
    const UNIT: Unit = Unit::Wins;

    /// Creates the game with these settings. The game's bots play without a network until
    /// [`play_with`](ValueLearnedGame::play_with) sets one.
    fn new(settings: Self::Settings) -> Self;

    /// Sets the network that plays from now on, as written by [`Model::write`].
    ///
    /// # Errors
    /// Returns an error if the bytes are not a network.
    fn play_with(&mut self, network: &[u8]) -> Result<(), String>;

    /// Plays a game against itself and returns its positions. The game depends only on the player and the seed.
    ///
    /// # Errors
    /// Returns an error if the game has no end.
    fn game(&mut self, seed: u64) -> Result<Vec<Self::Sample>, String>;

    /// Returns a player of pairs of games between a network and an opponent, for the matches of a training run.
    /// [`pairs`](crate::pairs) can play them for any contest.
    ///
    /// # Errors
    /// Returns an error if a network or a bot is invalid. The default returns an error, because the game has no
    /// matches.
    fn pairs<'a>(&self, network: Option<&[u8]>, opponent: Opponent<'a>) -> Result<Pairs<'a>, String> {
        let _ = (network, opponent);
        Err("the game does not implement `ValueLearnedGame::pairs`".to_string())
    }

    /// Returns a network that has not learned anything yet.
    fn network(&self, seed: u64) -> Self::Network;

    /// Converts samples to the form in which the network learns from them.
    fn examples(&self, samples: Vec<Self::Sample>) -> Vec<<Self::Network as Model>::Example>;
}

/// A network that can learn.
pub trait Model {
    /// The examples to learn from.
    type Example;

    /// Returns all numbers of the network.
    fn numbers(&mut self) -> &mut Vec<f32>;

    /// Adds the gradient of an example's loss, times `share`, and returns the loss.
    fn learn(&self, example: &Self::Example, share: f32, rng: &mut Rng, gradient: &mut [f32]) -> f64;

    /// Returns the inputs, neurons and other parts by kind, each part as the ranges of its numbers. A training run
    /// reports parts without effect, whose gradients are always 0.
    fn parts(&self) -> Vec<(&'static str, Vec<Vec<Range<usize>>>)> {
        Vec::new()
    }

    /// Restricts the numbers to their range after a step.
    fn restrict(&mut self);

    /// Returns the mean loss over examples.
    fn loss(&self, examples: &[Self::Example]) -> f64;

    /// Returns the network in the format that the game's bots read.
    fn write(&self) -> Vec<u8>;

    /// Reads the rounded numbers of a network from bytes that [`write`](Model::write) returned.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a network.
    fn read(&mut self, bytes: &[u8]) -> Result<(), String>;
}

/// A record in a file of many records.
pub trait Record: Sized {
    /// The number of bytes of a record. If records differ in size, this is the number of bytes of the head, which
    /// contains the number of bytes that follow.
    const BYTES: usize;

    /// Returns the number of bytes after a head; 0 if all records have the same size.
    fn more(head: &[u8]) -> usize {
        let _ = head;
        0
    }

    /// Appends the record's bytes: [`BYTES`](Record::BYTES) and [`more`](Record::more) bytes.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads a record that [`write`](Record::write) wrote.
    ///
    /// # Errors
    /// Returns the reason if the bytes are invalid.
    fn read(bytes: &[u8]) -> Result<Self, String>;
}
