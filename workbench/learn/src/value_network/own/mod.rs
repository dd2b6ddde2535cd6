//! Training for a game with [`Features`]: a network over the features learns from games that a search plays.

mod network;
mod sample;
#[cfg(test)]
mod tests;

pub use network::FeatureNetwork;
pub use sample::{MAX_FEATURES, Sample};

use crate::self_play::{MAX_QUIESCENCE, Searching, endless, exact_search, resolve, start};
use contender_game::{
    contest::{MoveOf, StateOf, TypedContest},
    rules::{Game, Rng, Turn},
    settings,
    settings::{OrNone, Shipped},
};
use contender_search::SearchLimits;
use contender_value::{
    Chooser, Evaluation, Features, MAX_NEURONS, Maker, Opponent, Pairs, Unit, ValueLearnedGame, WON, pairs,
};

settings! {
    /// Settings of the games and the samples.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct Play {
        /// Number of neurons in the network.
        neurons: usize = 16, 1..=MAX_NEURONS;
        /// Depth of the searches in decisions, for moves and for labels.
        depth: u32 = 2, 1..=8;
        /// Maximum number of consecutive noisy moves that the searches follow beyond this depth.
        quiescence: Option<u32> = None, OrNone(1..=MAX_QUIESCENCE);
        /// Number of turns at the start of a game in which random moves are possible; later random moves would change
        /// its result.
        random_turns: u32 = 3, 0..=u32::MAX;
        /// Probability of a random move in these turns.
        random_share: f64 = 0.5, 0.0..=1.0;
        /// Probability, for each position of a game, that the position after a random move is added as a sample,
        /// because searches also reach unusual positions.
        aside: f64 = 0.5, 0.0..=1.0;
        /// Weight of the game's result in the target for a position. The remaining weight belongs to the search's
        /// value.
        result: f64 = 0.5, 0.0..=1.0;
    }
}

/// The game of a contest. Without a network, only finished games have a value.
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
    /// Searches a position and returns it as a sample with the value of the search.
    fn sample(&mut self, state: &StateOf<C>) -> Sample<StateOf<C>> {
        Sample::new(state, self.search.value(state, self.play.depth) as f32 / WON as f32)
    }
}

/// Returns the position after the opening of a match.
fn opening<C>(play: &Play, seed: u64) -> StateOf<C>
where
    C: TypedContest,
    StateOf<C>: Features,
{
    let (mut state, mut rng) = (start::<C>(seed), Rng::new(seed));
    let random_turns = if <StateOf<C>>::CHANCE_TEACHES { 0 } else { play.random_turns };
    for _ in 0..random_turns {
        while state.turn() == Turn::Chance {
            resolve(&mut state, &mut rng);
        }
        if rng.unit() < play.random_share {
            let mut next = state.clone();
            next.play(state.random_move(&mut rng, &mut Vec::new()));
            if next.turn() == Turn::Over {
                break;
            }
            state = next;
        }
    }
    state
}

impl<C> ValueLearnedGame for Own<C>
where
    C: TypedContest + 'static,
    StateOf<C>: Features<Move = MoveOf<C>>,
{
    type Settings = Play;
    type Sample = Sample<StateOf<C>>;
    type Network = FeatureNetwork<StateOf<C>>;
    const CHECK: usize = 10;

    fn new(play: Play) -> Own<C> {
        let evaluation = Evaluation::new(0.0, &vec![0.0; <StateOf<C>>::COUNT]);
        Own { play, search: exact_search(evaluation, play.quiescence.unwrap_or(0)) }
    }

    fn pairs<'a>(&self, network: Option<&[u8]>, opponent: Opponent<'a>) -> Result<Pairs<'a>, String> {
        let play = self.play;
        let player = |network: Option<&[u8]>| -> Result<Maker<'a, C>, String> {
            let evaluation = match network {
                Some(bytes) => Evaluation::<StateOf<C>>::read(bytes)?,
                None => Evaluation::new(0.0, &vec![0.0; <StateOf<C>>::COUNT]),
            };
            Ok(Box::new(move |_| -> Chooser<'a, C> {
                let mut search = exact_search(evaluation.clone(), play.quiescence.unwrap_or(0));
                let depth = SearchLimits::depth(play.depth);
                Box::new(move |state, _| search.search(state, &depth).moves.swap_remove(0).mv)
            }))
        };
        let opening = move |seed| opening::<C>(&play, seed);
        pairs::<C, <StateOf<C> as Features>::ChanceModel>(Unit::Wins, opening, player, network, opponent)
    }

    fn play_with(&mut self, network: &[u8]) -> Result<(), String> {
        self.search = exact_search(Evaluation::read(network)?, self.play.quiescence.unwrap_or(0));
        Ok(())
    }

    fn game(&mut self, seed: u64) -> Result<Vec<Self::Sample>, String> {
        // Entries in the table may change which of several equally good moves is played.
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
                    let found =
                        self.search.search(&state, &SearchLimits::depth(depth)).moves.swap_remove(0).mv;
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
        FeatureNetwork::new(self.play.neurons, seed)
    }

    fn examples(&self, samples: Vec<Self::Sample>) -> Vec<Self::Sample> {
        samples
    }
}
