//! Training for a game with [`Features`]: a network over the features learns from games that a search plays.

mod network;
mod played;
mod sample;
#[cfg(test)]
mod tests;

pub use network::FeatureNetwork;
pub use played::PlayedGame;
pub use sample::{MAX_FEATURES, Sample};

use crate::self_play::{MAX_QUIESCENCE, Searching, endless, resolve, start, tactical_search};
use contender_game::{
    contest::{Judge, MoveOf, Notation, OpenJudge, StateOf, TypedContest, numbered},
    rules::{Game, Player, Rng, Turn},
    settings,
    settings::{OrNone, Shipped},
};
use contender_search::{SearchLimits, TacticalConfig};
use contender_value::{
    Chooser, Evaluation, Features, MAX_NEURONS, Maker, Opponent, Pairs, TrainingGuide, Unit,
    ValueLearnedGame, WON, pairs,
};
use played::{GameMoves, Place};
use std::marker::PhantomData;

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
        /// Maximum number of consecutive noisy moves that the searches follow beyond this depth; by default, the number
        /// of the game's tactics, or 0. With noisy moves, positions are not samples if the best move is noisy or the
        /// game is decided: such searches evaluate only quiet positions.
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

/// The game of a contest, played by a search with a guide of type `E`. Without a network, only finished games have a
/// value.
pub struct Own<C: TypedContest, E>
where
    StateOf<C>: Features,
{
    play: Play,
    search: Searching<StateOf<C>, E>,
    contest: PhantomData<fn() -> C>,
}

impl<C, E> Own<C, E>
where
    C: TypedContest,
    StateOf<C>: Features + Notation,
    E: TrainingGuide<StateOf<C>>,
{
    /// Searches a player's position. Returns the best move, and the value that the search found, or no value if the
    /// position is not quiet or [does not teach](Features::teaches).
    fn searched(&mut self, state: &StateOf<C>, player: Player) -> (<StateOf<C> as Game>::Move, Option<f32>) {
        let best = self.search.search(state, &self.play.limits()).moves.swap_remove(0);
        // A search that is stopped in its first iteration knows only a bound of the value, or nothing.
        let value = best.value[0].max(f64::from(-WON)) as f32 / WON as f32 * player.sign() as f32;
        let tactical = self.search.guide();
        let is_quiet = tactical.config().quiescence == 0
            || !tactical.guide().is_noisy(state, best.mv) && value.abs() < 1.0;
        (best.mv, (is_quiet && state.teaches()).then_some(value))
    }

    /// Prepares the search for a game without moves.
    fn begin(&mut self, seed: u64, setup: &[String]) -> GameMoves {
        // Entries in the table may change which of several equally good moves is played.
        self.search.forget();
        GameMoves::new(C::INFO.name, seed, setup)
    }

    /// Adds the value of a player's position, and sometimes the value of the position after a random move. Returns the
    /// best move.
    fn label(
        &mut self,
        state: &StateOf<C>,
        player: Player,
        rng: &mut Rng,
        game: &mut GameMoves,
    ) -> <StateOf<C> as Game>::Move {
        let (found, value) = self.searched(state, player);
        if let Some(value) = value {
            game.label(Place::Move, value);
        }
        if rng.unit() < self.play.aside {
            let mut other = state.clone();
            let mv = state.random_move(rng, &mut Vec::new());
            other.play(mv);
            let value = match other.turn() {
                Turn::Over => None,
                Turn::Chance => self.before_chance(&other),
                Turn::Player(player) => self.searched(&other, player).1,
            };
            if let Some(value) = value {
                game.label(Place::Aside(state.write(mv)), value);
            }
        }
        found
    }

    /// Returns the value of a position before a chance outcome, or nothing if searches have a node budget.
    fn before_chance(&mut self, state: &StateOf<C>) -> Option<f32> {
        let Play { depth, nodes, .. } = self.play;
        nodes.is_none().then(|| self.search.value(state, depth) as f32 / WON as f32)
    }
}

impl Play {
    fn limits(&self) -> SearchLimits {
        SearchLimits { nodes: self.nodes, ..SearchLimits::depth(self.depth) }
    }

    fn search<G: Features, E: TrainingGuide<G>>(&self, evaluation: Evaluation<G>) -> Searching<G, E> {
        let quiescence = self.quiescence.unwrap_or(E::TACTICS.quiescence);
        let tactics = TacticalConfig { quiescence, ..E::TACTICS };
        tactical_search(E::new(evaluation), self.nodes.is_some(), tactics)
    }
}

/// Plays a move and returns its record.
fn play_written<G: Notation>(state: &mut G, mv: G::Move) -> String {
    let record = state.write_record(mv);
    state.play(mv);
    record
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

impl<C, E> ValueLearnedGame for Own<C, E>
where
    C: TypedContest + 'static,
    StateOf<C>: Features<Move = MoveOf<C>> + Notation,
    E: TrainingGuide<StateOf<C>>,
{
    type Settings = Play;
    type Sample = PlayedGame<C>;
    type Network = FeatureNetwork<StateOf<C>>;
    const CHECK: usize = 10;

    fn new(play: Play) -> Self {
        let evaluation = Evaluation::new(0.0, &vec![0.0; <StateOf<C>>::COUNT]);
        Own { play, search: play.search(evaluation), contest: PhantomData }
    }

    fn pairs<'a>(&self, network: Option<&[u8]>, opponent: Opponent<'a>) -> Result<Pairs<'a>, String> {
        let play = self.play;
        let player = |network: Option<&[u8]>| -> Result<Maker<'a, C>, String> {
            let evaluation = match network {
                Some(bytes) => Evaluation::<StateOf<C>>::read(bytes)?,
                None => Evaluation::new(0.0, &vec![0.0; <StateOf<C>>::COUNT]),
            };
            Ok(Box::new(move |_| -> Chooser<'a, C> {
                let mut search: Searching<_, E> = play.search(evaluation.clone());
                let limits = play.limits();
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
        let seed = rng.next_u64();
        let (mut state, mut game) = (start::<C>(seed), self.begin(seed, &[]));
        let mut is_chance = false;
        loop {
            match state.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    // The record of a move contains all outcomes before it.
                    if let Some(value) = self.before_chance(&state).filter(|_| !is_chance) {
                        game.label(Place::Chance, value);
                    }
                    is_chance = true;
                    resolve(&mut state, rng);
                }
                Turn::Player(_) if game.moves.len() == <StateOf<C>>::MAX_TURNS => {
                    return Err(endless(game.moves.len()));
                }
                Turn::Player(player) => {
                    let found = self.label(&state, player, rng, &mut game);
                    let is_random = game.moves.len() < random_turns as usize && rng.unit() < random_share;
                    let mv = if is_random { state.random_move(rng, &mut Vec::new()) } else { found };
                    game.moves.push(play_written(&mut state, mv));
                    is_chance = false;
                }
            }
        }
        game.result = state.value().signum();
        Ok(vec![PlayedGame::new(game)?])
    }

    fn recorded(
        &mut self,
        seed: u64,
        setup: &[String],
        moves: &[String],
    ) -> Result<Vec<Self::Sample>, String> {
        let rules = C::Rules::default();
        let mut judge = if setup.is_empty() { C::start(seed, rules)? } else { C::recorded(setup, rules)? };
        let (mut game, rng) = (self.begin(seed, setup), &mut Rng::new(seed));
        numbered(moves, |text| {
            if judge.state().turn() == Turn::Chance {
                if let Some(value) = self.before_chance(judge.state()) {
                    game.label(Place::Chance, value);
                }
                // The record contains the outcome. A move's text does not depend on the player.
                judge.read_recorded(text, Player::Zero)?;
            }
            if let Turn::Player(player) = judge.state().turn() {
                self.label(judge.state(), player, rng, &mut game);
            }
            game.moves.push(text.to_string());
            judge.replay(text)
        })?;
        let [zero, one] = judge.points();
        game.result = (zero - one).signum();
        Ok(vec![PlayedGame::new(game)?])
    }

    fn network(&self, seed: u64) -> Self::Network {
        FeatureNetwork::new(self.play.neurons, seed)
    }

    fn examples(&self, games: Vec<Self::Sample>) -> Vec<Sample<StateOf<C>>> {
        games.into_iter().flat_map(|game| game.with_result(self.play.result)).collect()
    }
}
