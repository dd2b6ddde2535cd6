//! An author's own game: the network over its [`Features`], learned from games of its search.

mod network;
mod sample;
#[cfg(test)]
mod tests;

pub use network::Network;
pub use sample::{MOST_FEATURES, Sample};

use super::Subject;
use crate::own_game::{EXACT, Searching, endless, resolve, start};
use contender_game::{Game, Rng, Shipped, StateOf, Turn, TypedContest};
use contender_search::SearchLimits;
use contender_value::{Evaluation, Features, MOST_NEURONS, WON};
use serde::{Deserialize, Serialize};

/// How games are played, and what is learned from them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// Neurons of the network.
    pub neurons: usize,
    /// Decisions that searches look ahead, of moves and of labels.
    pub depth: u32,
    /// Only the first so many turns of a game may see random moves: later ones would change its result.
    pub random_turns: u32,
    /// How likely a move of those turns is random.
    pub random_share: f64,
    /// For each position of a game, the probability that the position after a random move is learned from too: searches
    /// meet all kinds.
    pub aside: f64,
    /// The share of the game's result in what is learned of its positions; the rest is the search's value.
    pub result: f64,
}

impl Play {
    /// Says what is wrong with the settings.
    ///
    /// # Errors
    /// In words for the user.
    pub fn check(&self) -> Result<(), String> {
        if !(1..=MOST_NEURONS).contains(&self.neurons) {
            return Err(format!("`own.neurons` is 1 to {MOST_NEURONS}, not {}", self.neurons));
        }
        if !(1..=4).contains(&self.depth) {
            return Err(format!("`own.depth` is 1 to 4, not {}", self.depth));
        }
        for (name, share) in
            [("random_share", self.random_share), ("aside", self.aside), ("result", self.result)]
        {
            if !(0.0..=1.0).contains(&share) {
                return Err(format!("`own.{name}` is between 0 and 1"));
            }
        }
        Ok(())
    }
}

/// The game of a contest. Without a network nothing but the end of a game is worth anything.
pub struct Own<C: TypedContest>
where
    StateOf<C>: Features,
{
    play: Play,
    search: Searching<StateOf<C>, Evaluation<StateOf<C>>>,
}

impl<C> Own<C>
where
    C: TypedContest,
    StateOf<C>: Features,
{
    /// The game, played so.
    pub fn new(play: Play) -> Own<C> {
        let evaluation = Evaluation::new(0.0, &vec![0.0; <StateOf<C>>::COUNT]);
        Own { play, search: Searching::new(evaluation, EXACT) }
    }

    /// What a search finds a position worth.
    fn sample(&mut self, state: &StateOf<C>) -> Sample<StateOf<C>> {
        Sample::new(state, self.search.value(state, self.play.depth) as f32 / WON as f32)
    }
}

impl<C> Subject for Own<C>
where
    C: TypedContest,
    StateOf<C>: Features,
{
    type Sample = Sample<StateOf<C>>;
    type Network = Network<StateOf<C>>;
    const CHECK: usize = 10;

    fn play_with(&mut self, network: &[u8]) -> Result<(), String> {
        self.search = Searching::new(Evaluation::read(network)?, EXACT);
        Ok(())
    }

    fn game(&mut self, seed: u64) -> Result<Vec<Self::Sample>, String> {
        // What the table remembers may change which of equally good moves is played.
        self.search.forget();
        let Play { depth, random_turns, random_share, aside, result, .. } = self.play;
        let rng = &mut Rng::new(seed);
        let mut state = start::<C>(rng.next_u64());
        let (mut played, mut others, mut turns) = (Vec::new(), Vec::new(), 0);
        loop {
            match state.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    played.push(self.sample(&state));
                    resolve(&mut state, rng);
                }
                Turn::Player(_) if turns == <StateOf<C>>::MAX_TURNS => return Err(endless(turns)),
                Turn::Player(_) => {
                    let found = self.search.search(&state, &SearchLimits::depth(depth)).moves[0].mv;
                    played.push(self.sample(&state));
                    if rng.unit() < aside {
                        let mut other = state.clone();
                        other.play(state.random_move(rng, &mut Vec::new()));
                        if other.turn() != Turn::Over {
                            others.push(self.sample(&other));
                        }
                    }
                    let is_random = turns < random_turns as usize && rng.unit() < random_share;
                    state.play(if is_random { state.random_move(rng, &mut Vec::new()) } else { found });
                    turns += 1;
                }
            }
        }
        let end = f64::from(state.value().signum());
        for sample in &mut played {
            sample.target = (result * end + (1.0 - result) * f64::from(sample.target)) as f32;
        }
        played.extend(others);
        Ok(played)
    }

    fn network(&self, seed: u64) -> Self::Network {
        Network::new(self.play.neurons, seed)
    }

    fn examples(&self, samples: Vec<Self::Sample>) -> Vec<Self::Sample> {
        samples
    }
}
