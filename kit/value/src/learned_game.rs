//! What a game gives for the training of a network that values positions.

use contender_game::{Rng, Settings};

/// A game as a network learns to value its positions, from games of a search against itself.
///
/// A game that states its [`Features`](crate::Features) needs none of this: the trainer derives it from them. It is for
/// a network of the game's own.
pub trait ValueLearnedGame: Sized {
    /// How games are played and what is learned from them: the part of a recipe that has the game's name.
    type Settings: Settings + Default;
    /// A position with what is known of its worth.
    type Sample: Record;
    /// The network in floating point.
    type Network: Model;
    /// One in so many examples, the last ones, tell how well a fit does.
    const CHECK: usize;

    /// The game, played so. It plays without a network until it is [given](ValueLearnedGame::play_with) one.
    fn new(settings: Self::Settings) -> Self;

    /// Plays from now on with this network, as [`Model::write`] wrote it.
    ///
    /// # Errors
    /// If the bytes are no network.
    fn play_with(&mut self, network: &[u8]) -> Result<(), String>;

    /// Plays a game against itself and returns its positions. Everything follows from the player and the seed.
    ///
    /// # Errors
    /// If the game has no end.
    fn game(&mut self, seed: u64) -> Result<Vec<Self::Sample>, String>;

    /// A network that has learned nothing yet.
    fn network(&self, seed: u64) -> Self::Network;

    /// The samples as the network learns from them.
    fn examples(&self, samples: Vec<Self::Sample>) -> Vec<<Self::Network as Model>::Example>;
}

/// A network that learns.
pub trait Model {
    /// What it learns from.
    type Example;

    /// All its numbers.
    fn numbers(&mut self) -> &mut Vec<f32>;

    /// Adds the gradient of an example's loss, times `share`, and returns the loss.
    fn learn(&self, example: &Self::Example, share: f32, rng: &mut Rng, gradient: &mut [f32]) -> f64;

    /// Puts numbers back into their range after a step.
    fn restrict(&mut self);

    /// The mean loss over examples.
    fn loss(&self, examples: &[Self::Example]) -> f64;

    /// The network as the game's bots read it.
    fn write(&self) -> Vec<u8>;

    /// Takes the numbers of a network that [`write`](Model::write) wrote, as they were rounded.
    ///
    /// # Errors
    /// If the bytes are no network.
    fn read(&mut self, bytes: &[u8]) -> Result<(), String>;
}

/// A part of a file that has many of them one after the other.
pub trait Record: Sized {
    /// Bytes of each; if they differ in size, bytes of the head, which tells how many follow.
    const BYTES: usize;

    /// How many bytes follow a head; none if all records are of one size.
    fn more(head: &[u8]) -> usize {
        let _ = head;
        0
    }

    /// Appends its bytes, [`BYTES`](Record::BYTES) and [`more`](Record::more) of them.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads what [`write`](Record::write) wrote.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    fn read(bytes: &[u8]) -> Result<Self, String>;
}
