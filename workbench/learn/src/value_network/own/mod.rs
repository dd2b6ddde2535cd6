//! Training for a game with [`Features`]: a network over the features learns from games that a search plays.

mod network;
mod sample;
#[cfg(test)]
mod tests;

pub use network::FeatureNetwork;
pub use sample::{MAX_FEATURES, Sample};

use crate::self_play::{MAX_QUIESCENCE, Searching, budgeted_search, endless, exact_search, resolve, start};
use contender_game::{
    contest::{Judge, MoveOf, OpenJudge, StateOf, TypedContest, numbered},
    rules::{Game, Player, Rng, Turn},
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
        /// Number of neurons in the network; 0 for a weighted sum of the features.
        neurons: usize = 16, 0..=MAX_NEURONS;
        /// Depth of the searches in decisions, for moves and for labels.
        depth: u32 = 2, 1..=8;
        /// Maximum number of nodes of a search. With it, `depth` is the maximum depth, and positions before a chance
        /// outcome are not samples.
        nodes: Option<u64> = None, OrNone(1..=u64::MAX);
        /// Maximum number of consecutive noisy moves that the searches follow beyond this depth. With it, positions are
        /// not samples if the best move is noisy or the game is decided: such searches evaluate only quiet positions.
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
    /// Searches a player's position. Returns the best move, and the position as a sample with the value of the search,
    /// or no sample if the position is not quiet or [does not teach](Features::teaches).
    fn searched(
        &mut self,
        state: &StateOf<C>,
        player: Player,
    ) -> (<StateOf<C> as Game>::Move, Option<Sample<StateOf<C>>>) {
        let best = self.search.search(state, &self.play.limits()).moves.swap_remove(0);
        // A search that is stopped in its first iteration knows only a bound of the value, or nothing.
        let value = best.value[0].max(f64::from(-WON)) as f32 / WON as f32 * player.sign() as f32;
        let is_quiet = self.play.quiescence.is_none() || !state.is_noisy(best.mv) && value.abs() < 1.0;
        (best.mv, (is_quiet && state.teaches()).then(|| Sample::new(state, value)))
    }

    /// Prepares the search for a game and returns an empty list of samples.
    fn first_samples(&mut self) -> Samples<StateOf<C>> {
        // Entries in the table may change which of several equally good moves is played.
        self.search.forget();
        Samples { played: Vec::new(), others: Vec::new() }
    }

    /// Adds the sample of a player's position, and sometimes the sample of the position after a random move. Returns
    /// the best move.
    fn add_samples(
        &mut self,
        state: &StateOf<C>,
        player: Player,
        rng: &mut Rng,
        samples: &mut Samples<StateOf<C>>,
    ) -> <StateOf<C> as Game>::Move {
        let (found, sample) = self.searched(state, player);
        samples.played.extend(sample);
        if rng.unit() < self.play.aside {
            let mut other = state.clone();
            other.play(state.random_move(rng, &mut Vec::new()));
            samples.others.extend(match other.turn() {
                Turn::Over => None,
                Turn::Chance => self.before_chance(&other),
                Turn::Player(player) => self.searched(&other, player).1,
            });
        }
        found
    }

    /// Returns a position before a chance outcome as a sample with the value of the search, or no sample if searches
    /// have a node budget.
    fn before_chance(&mut self, state: &StateOf<C>) -> Option<Sample<StateOf<C>>> {
        let Play { depth, nodes, .. } = self.play;
        let value = |search: &mut Searching<_, _>| search.value(state, depth) as f32 / WON as f32;
        nodes.is_none().then(|| Sample::new(state, value(&mut self.search)))
    }
}

/// The samples of a game.
struct Samples<G> {
    /// The positions of the game.
    played: Vec<Sample<G>>,
    /// Positions after random moves, whose target does not depend on the game's result.
    others: Vec<Sample<G>>,
}

impl<G> Samples<G> {
    /// Returns all samples, after a game with this result (-1, 0 or 1) whose weight in the targets is `share`.
    fn with_result(mut self, result: i32, share: f64) -> Vec<Sample<G>> {
        for sample in &mut self.played {
            sample.target = (share * f64::from(result) + (1.0 - share) * f64::from(sample.target)) as f32;
        }
        self.played.extend(self.others);
        self.played
    }
}

impl Play {
    fn limits(&self) -> SearchLimits {
        SearchLimits { nodes: self.nodes, ..SearchLimits::depth(self.depth) }
    }

    fn search<G: Features>(&self, evaluation: Evaluation<G>) -> Searching<G, Evaluation<G>> {
        let quiescence = self.quiescence.unwrap_or(0);
        match self.nodes {
            None => exact_search(evaluation, quiescence),
            Some(_) => budgeted_search(evaluation, quiescence),
        }
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
        Own { play, search: play.search(evaluation) }
    }

    fn pairs<'a>(&self, network: Option<&[u8]>, opponent: Opponent<'a>) -> Result<Pairs<'a>, String> {
        let play = self.play;
        let player = |network: Option<&[u8]>| -> Result<Maker<'a, C>, String> {
            let evaluation = match network {
                Some(bytes) => Evaluation::<StateOf<C>>::read(bytes)?,
                None => Evaluation::new(0.0, &vec![0.0; <StateOf<C>>::COUNT]),
            };
            Ok(Box::new(move |_| -> Chooser<'a, C> {
                let (mut search, limits) = (play.search(evaluation.clone()), play.limits());
                Box::new(move |state, _| search.search(state, &limits).moves.swap_remove(0).mv)
            }))
        };
        let opening = move |seed| opening::<C>(&play, seed);
        pairs::<C, <StateOf<C> as Features>::ChanceModel>(Unit::Wins, opening, player, network, opponent)
    }

    fn play_with(&mut self, network: &[u8]) -> Result<(), String> {
        self.search = self.play.search(Evaluation::read(network)?);
        Ok(())
    }

    fn game(&mut self, seed: u64) -> Result<Vec<Self::Sample>, String> {
        let Play { random_turns, random_share, .. } = self.play;
        let rng = &mut Rng::new(seed);
        let mut state = start::<C>(rng.next_u64());
        let (mut samples, mut turns) = (self.first_samples(), 0);
        loop {
            match state.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    samples.played.extend(self.before_chance(&state));
                    resolve(&mut state, rng);
                }
                Turn::Player(_) if turns == <StateOf<C>>::MAX_TURNS => return Err(endless(turns)),
                Turn::Player(player) => {
                    let found = self.add_samples(&state, player, rng, &mut samples);
                    let is_random = turns < random_turns as usize && rng.unit() < random_share;
                    state.play(if is_random { state.random_move(rng, &mut Vec::new()) } else { found });
                    turns += 1;
                }
            }
        }
        Ok(samples.with_result(state.value().signum(), self.play.result))
    }

    fn recorded(
        &mut self,
        seed: u64,
        setup: &[String],
        moves: &[String],
    ) -> Result<Vec<Self::Sample>, String> {
        let rules = C::Rules::default();
        let mut judge = if setup.is_empty() { C::start(seed, rules)? } else { C::recorded(setup, rules)? };
        let (mut samples, rng) = (self.first_samples(), &mut Rng::new(seed));
        numbered(moves, |text| {
            if judge.state().turn() == Turn::Chance {
                samples.played.extend(self.before_chance(judge.state()));
                // The record contains the outcome. A move's text does not depend on the player.
                judge.read_recorded(text, Player::Zero)?;
            }
            if let Turn::Player(player) = judge.state().turn() {
                self.add_samples(judge.state(), player, rng, &mut samples);
            }
            judge.replay(text)
        })?;
        let [zero, one] = judge.points();
        Ok(samples.with_result((zero - one).signum(), self.play.result))
    }

    fn network(&self, seed: u64) -> Self::Network {
        FeatureNetwork::new(self.play.neurons, seed)
    }

    fn examples(&self, samples: Vec<Self::Sample>) -> Vec<Self::Sample> {
        samples
    }
}
