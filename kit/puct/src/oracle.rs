//! A network that evaluates positions of a game.

use crate::learnable::{shape, Learnable};
use crate::weights;
use contender_game::{rules::Player, settings::Shipped};
use contender_nn::lanes::Instructions;
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Workspace};
use std::collections::HashMap;
use std::marker::PhantomData;

/// A network with working memory for evaluations and a cache of the results.
pub struct Oracle<G> {
    network: Network,
    instructions: Instructions,
    input: Planes,
    output: Workspace,
    said: HashMap<u64, Said>,
    game: PhantomData<fn() -> G>,
}

/// A network's evaluation of a state.
#[derive(Clone, PartialEq, Debug)]
pub struct Said {
    /// The value of the state for the given player, from -1 to 1.
    pub value: f32,
    /// The logits in the order of [`Place::index`](crate::Place::index).
    logits: Vec<f32>,
}

impl<G: Learnable> Oracle<G> {
    /// Creates an oracle with this network and an empty cache.
    ///
    /// # Panics
    /// Panics if the network does not match the game.
    #[must_use]
    pub fn new(network: Network) -> Oracle<G> {
        let of = network.shape();
        assert_eq!(of, shape::<G>(of.channels, of.blocks, of.hidden), "a network of this game");
        Oracle {
            output: Workspace::new(of),
            network,
            instructions: Instructions::best(),
            input: Planes::default(),
            said: HashMap::new(),
            game: PhantomData,
        }
    }

    /// Clears the cache.
    pub fn forget(&mut self) {
        self.said.clear();
    }

    /// Returns the network's evaluation of a state in which it is this player's turn. States with the same input are
    /// evaluated only once.
    pub fn ask(&mut self, state: &G, player: Player) -> &Said {
        self.input.clear(G::BOARD);
        state.encode(player, &mut self.input);
        let Oracle { network, instructions, input, output, said, .. } = self;
        said.entry(hash(input)).or_insert_with(|| {
            network.evaluate(*instructions, input, output);
            let cells = output.logits.chunks(network.shape().head_stride());
            let logits = cells.flat_map(|cell| &cell[..G::ACTIONS]).chain(&output.wait[..1]);
            Said { value: output.value.clamp(-1.0, 1.0), logits: logits.copied().collect() }
        })
    }
}

impl Said {
    /// Writes the probability of each of the player's moves in the state into an empty vector.
    pub fn probabilities<G: Learnable>(
        &self,
        state: &G,
        player: Player,
        moves: &[G::Move],
        probabilities: &mut Vec<f32>,
    ) {
        probabilities.extend(moves.iter().map(|&mv| self.logits[state.place(player, mv).index::<G>()]));
        softmax(probabilities);
    }
}

/// Replaces logits by the probabilities that they stand for.
pub fn softmax(logits: &mut [f32]) {
    let most = logits.iter().fold(f32::MIN, |most, &logit| most.max(logit));
    let mut total = 0.0;
    for logit in &mut *logits {
        *logit = (*logit - most).exp();
        total += *logit;
    }
    for part in logits {
        *part /= total;
    }
}

/// Returns a 64-bit hash of an input. Collisions are very unlikely.
fn hash(input: &Planes) -> u64 {
    let mut hash = 0u64;
    let mut add = |part: u64| {
        hash = (hash.rotate_left(23) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 32;
    };
    for entries in
        std::iter::once(input.everywhere()).chain((0..input.size().cells()).map(|at| input.cell(at)))
    {
        for &(channel, value) in entries {
            add(u64::from(channel) << 32 | u64::from(value.to_bits()));
        }
        add(u64::MAX);
    }
    hash
}

/// The network that a game's bot plays with: [`Learnable::network`], or a file given by the setting `net`.
///
/// The [example of the crate](crate) uses this type.
pub struct Net<G>(Network, PhantomData<fn() -> G>);

// An implementation of `From` for `Network` would keep this file in every packed bot that contains a `Network`.
#[allow(clippy::from_over_into)]
impl<G> Into<Network> for Net<G> {
    fn into(self) -> Network {
        self.0
    }
}

impl<G: Learnable> Shipped for Net<G> {
    const NAME: &'static str = "net";

    fn shipped() -> Net<G> {
        Net(
            weights::network::<G>(&G::network()).expect("the shipped network is one of the game"),
            PhantomData,
        )
    }

    fn read(bytes: &[u8]) -> Result<Net<G>, String> {
        let (shape, parameters) = weights::read::<G>(bytes)?;
        Ok(Net(Network::new(shape, &parameters), PhantomData))
    }
}
