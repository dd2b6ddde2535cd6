//! A network under decoupled PUCT, a tree in which each player follows its own statistics and the probabilities of its
//! own policy. Nobody is assumed to know the other's choice, and lines that look good are followed further. A state's
//! value is the network's mixed with that of the evaluation of [`heuristic`](crate::heuristic). The network is smaller
//! than the winner's and tells the policies of both players, so that a node needs one evaluation: iterations are what
//! the search is short of.
//!
//! Sources: those of [`Decoupled`] and [`Puct`].

use crate::classic::DISCOUNT;
use crate::heuristic::{Evaluation, WEIGHTS};
use crate::network::{self, outcome, CachedOracle, Oracle};
use crate::{Action, State};
use contender_game::{
    contest::{Analysis, Bot, Clock, MoveAnalysis},
    rules::{Player, Rng},
    settings,
    settings::Shipped,
};
use contender_search::mcts::{Decoupled, LeafEvaluator, Puct};
use contender_search::TurnShare;

settings! {
    /// Settings of the bot.
    #[derive(Clone, PartialEq, Debug)]
    pub struct PuctSettings {
        /// Joint moves of each player in a state.
        moves: usize = 6, 1..=50;
        /// Weight of the exploration term, if a win is worth 1
        exploration ("c"): f32 = 0.6, 0.0..=100.0;
        /// First-play urgency: how much worse than its state an untried move counts
        first: f32 = 0.2, 0.0..=10.0;
        /// Share of the hand-made evaluation in a state's value; the rest is the network's
        hand: f32 = 0.4, 0.0..=1.0;
        ..time: TurnShare = TurnShare::of(0.8);
    }
}

/// The network that the bot plays with: a smaller one than that of [`Classic`](crate::Classic), whose policy and value
/// it has learned. More states are looked at in the same time.
pub struct PuctNet(pub Oracle);

impl Shipped for PuctNet {
    const NAME: &'static str = "net";

    /// `games/cellularena/champion.toml` is the recipe that it was made by.
    fn shipped() -> PuctNet {
        PuctNet::read(&contender_nn::include_data!("network/champion.bin"))
            .expect("a test reads the network that is compiled in")
    }

    fn read(bytes: &[u8]) -> Result<PuctNet, String> {
        network::read(bytes).map(|network| PuctNet(Oracle::new(network)))
    }
}

/// Nodes of the tree: more than 1,000 ms bring.
const CAPACITY: usize = 1 << 14;

/// The bot. Deterministic given its seed and a number of nodes: iterations with one evaluation each, or two if a state
/// is reached again.
pub struct PuctBot {
    settings: PuctSettings,
    oracle: CachedOracle,
    tree: Decoupled<State, Puct>,
    evaluation: Evaluation,
    rng: Rng,
}

impl PuctBot {
    /// Returns the bot with these settings and this seed over this network.
    #[must_use]
    pub fn new(settings: PuctSettings, PuctNet(oracle): PuctNet, seed: u64) -> PuctBot {
        let formula = Puct { exploration: settings.exploration, first_play_reduction: settings.first };
        let oracle = CachedOracle::new(oracle, settings.moves);
        let (tree, evaluation) = (Decoupled::new(CAPACITY, formula), Evaluation::new(&WEIGHTS));
        PuctBot { settings, oracle, tree, evaluation, rng: Rng::new(seed) }
    }

    /// Returns the best strategies of both players in a state whose game is not over: moves with their shares of the
    /// visits and values from each one's view. States are valued from the view of `player`.
    pub fn think(&mut self, state: &State, player: Player, clock: &Clock) -> [Analysis<Vec<Action>>; 2] {
        self.oracle.forget(state.turns());
        let limits = self.settings.time.limits(clock);
        self.evaluation.announce(state);
        let PuctBot { oracle, evaluation, .. } = self;
        let mut advice = Advice { oracle, evaluation, hand: self.settings.hand, root: state.turns(), player };
        let found = self.tree.search(state, &mut advice, &limits, &mut self.rng);
        found.map(|found| Analysis { unit: "wins", ..found })
    }

    fn search(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Vec<Action>> {
        let [zero, one] = self.think(state, player, clock);
        let mut found = if player == Player::Zero { zero } else { one };
        // Of moves that are worth the same to the last digit, as where the game is decided, one that acts is better
        // than waiting: organs decide.
        if let Some(best) = found.moves.first().filter(|best| best.mv.is_empty()) {
            let is_as_good = |of: &MoveAnalysis<_>| (of.value[0] - best.value[0]).abs() < 1e-9;
            if let Some(at) = found.moves.iter().skip(1).position(is_as_good) {
                found.moves[..at + 2].rotate_right(1);
                found.strategy[..at + 2].rotate_right(1);
            }
        }
        found
    }
}

impl Bot<State, Vec<Action>> for PuctBot {
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Vec<Action> {
        self.search(state, player, clock).moves.into_iter().next().map_or(Vec::new(), |best| best.mv)
    }

    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Vec<Action>> {
        // Clear wins are worth twice as much to the search, and no more than a win to people.
        let share = |value: f64| (0.5 + 0.5 * value).clamp(0.0, 1.0);
        let found = self.search(state, player, clock).measured("share of a win", share);
        self.oracle.explain(state, player, found)
    }
}

/// The advice of the network and of the evaluation for the tree.
struct Advice<'a> {
    oracle: &'a mut CachedOracle,
    evaluation: &'a Evaluation,
    /// The share of the evaluation.
    hand: f32,
    /// Turns played before the search.
    root: u32,
    /// From whose view states are valued.
    player: Player,
}

impl Advice<'_> {
    /// Values as they are worth at the root.
    fn discounted(&self, state: &State, values: [f32; 2]) -> [f32; 2] {
        let share = DISCOUNT.powi((state.turns() - self.root) as i32);
        values.map(|value| share * value)
    }
}

impl LeafEvaluator<State, Vec<Action>> for Advice<'_> {
    fn finished(&mut self, state: &State) -> [f32; 2] {
        self.discounted(state, Player::BOTH.map(|player| outcome(state, player)))
    }

    /// One view is enough, and its advice on moves is kept until the state becomes a node; a network with one policy is
    /// asked for the other view then.
    fn estimate(&mut self, state: &mut State, _: &mut Rng) -> [f32; 2] {
        let known = self.oracle.evaluate(state, self.player, false).value * self.player.sign() as f32;
        let value = if self.hand > 0.0 {
            // A clear win is worth 2.
            (1.0 - self.hand) * known + self.hand * 2.0 * self.evaluation.value(state) as f32
        } else {
            known
        };
        self.discounted(state, [value, -value])
    }

    fn candidates(&mut self, state: &State, player: Player, moves: &mut Vec<Vec<Action>>) {
        let found = self.oracle.moves(state, player, self.player);
        moves.extend(found.iter().map(|candidate| candidate.actions.clone()));
    }

    /// The policy's ranks as probabilities.
    fn priors(&mut self, state: &State, player: Player, _: &[Vec<Action>], priors: &mut Vec<f32>) {
        let found = self.oracle.moves(state, player, self.player);
        let best = found.iter().map(|candidate| candidate.rank).fold(f32::NEG_INFINITY, f32::max);
        let weights: Vec<f32> = found.iter().map(|candidate| (candidate.rank - best).exp()).collect();
        let all: f32 = weights.iter().sum();
        priors.extend(weights.iter().map(|weight| weight / all));
    }
}
