//! A bot that uses a network with decoupled PUCT. In the search tree, each player has its own statistics and uses the
//! probabilities of its own policy. Neither player is assumed to know the other's choice. The search looks further
//! ahead along promising lines. The value of a state is a mix of the network's value and the value of the evaluation of
//! [`heuristic`](crate::heuristic). The network is smaller than the contest winner's network, and has policies for both
//! players. So a node needs only one evaluation, which matters because evaluations take most of the time.
//!
//! See [`Decoupled`] and [`Puct`] for the sources.

use crate::classic::DISCOUNT;
use crate::heuristic::{Evaluation, WEIGHTS};
use crate::network::{self, outcome, win_chance, CachedOracle, Oracle};
use crate::{Action, State};
use contender_game::{
    contest::{Analysis, Bot, Clock, Limits, MoveAnalysis},
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
        /// Number of joint moves per player in each state.
        moves: usize = 6, 1..=50;
        /// Weight of the exploration term, if a win is worth 1
        exploration ("c"): f32 = 0.6, 0.0..=100.0;
        /// First-play urgency: how much lower than its state an untried move is valued
        first: f32 = 0.2, 0.0..=10.0;
        /// Share of the hand-made evaluation in a state's value; the rest is the network's
        hand: f32 = 0.4, 0.0..=1.0;
        ..time: TurnShare = TurnShare::of(0.8);
    }
}

/// The bot's network. The network is smaller than the network of [`Classic`](crate::Classic), and was trained to
/// imitate the policy and value of that network. The smaller network is also faster, so the bot searches more states in
/// the same time.
pub struct PuctNet(pub Oracle);

impl Shipped for PuctNet {
    const NAME: &'static str = "net";

    /// Returns the compiled-in network. `games/cellularena/champion.toml` is the recipe of its training run.
    fn shipped() -> PuctNet {
        PuctNet::read(&contender_nn::include_data!("network/champion.bin"))
            .expect("a test reads the network that is compiled in")
    }

    fn read(bytes: &[u8]) -> Result<PuctNet, String> {
        network::read(bytes).map(|network| PuctNet(Oracle::new(network)))
    }
}

/// Capacity of the tree in nodes: more than a search reaches in 1,000 ms.
const CAPACITY: usize = 1 << 14;

/// The bot. The bot is deterministic if its seed and a number of nodes are given. A node is an iteration with one
/// evaluation, or with two evaluations if a state is reached again.
pub struct PuctBot {
    settings: PuctSettings,
    oracle: CachedOracle,
    tree: Decoupled<State, Puct>,
    evaluation: Evaluation,
    rng: Rng,
}

impl PuctBot {
    /// Creates the bot with these settings, this network and this seed.
    #[must_use]
    pub fn new(settings: PuctSettings, PuctNet(oracle): PuctNet, seed: u64) -> PuctBot {
        let formula = Puct { exploration: settings.exploration, first_play_reduction: settings.first };
        let oracle = CachedOracle::new(oracle, settings.moves);
        let (tree, evaluation) = (Decoupled::new(CAPACITY, formula), Evaluation::new(&WEIGHTS));
        PuctBot { settings, oracle, tree, evaluation, rng: Rng::new(seed) }
    }

    /// Returns both players' best strategies in a state whose game is not over: the moves with their shares of the
    /// visits, and values from each player's own view. The network evaluates states from the view of `player`.
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
        // If moves have exactly equal values, for example because the game is decided, a move that acts is better than
        // waiting, because organs count.
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
        let found = self.search(state, player, clock);
        let shift = self.shift(state, player, &found);
        // The search counts a clear win double, but for people it is just a win.
        let share = |value: f64| win_chance(value + shift, state.turns());
        let found = found.measured("share of a win", share);
        self.oracle.explain(state, player, found)
    }
}

/// Number by which the iterations of a search are divided to get those from the other player's view.
const OTHER_VIEW: u64 = 2;

impl PuctBot {
    /// Returns the number to add to the values of a search. The network prefers the player from whose view it evaluates
    /// states, so in a symmetric position the values of both players would be above even. A shorter search from the
    /// other player's view shows by how much. It changes neither the chosen move nor later searches.
    fn shift(&mut self, state: &State, player: Player, found: &Analysis<Vec<Action>>) -> f64 {
        let mean = |found: &Analysis<Vec<Action>>| {
            let tried = || found.moves.iter().filter(|of| of.effort > 0);
            let sum: f64 = tried().map(|of| of.effort as f64 * of.value[0]).sum();
            sum / tried().map(|of| of.effort).sum::<u64>().max(1) as f64
        };
        let iterations = found.counts.first().map_or(0, |&(_, count)| count) / OTHER_VIEW;
        let rng = self.rng.clone();
        let [zero, one] = self.think(state, player.other(), &Clock::new(Limits::nodes(iterations.max(1))));
        self.rng = rng;
        (mean(if player == Player::Zero { &zero } else { &one }) - mean(found)) / 2.0
    }
}

/// The values and moves that the network and the evaluation give to the tree.
struct Advice<'a> {
    oracle: &'a mut CachedOracle,
    evaluation: &'a Evaluation,
    /// Weight of the hand-made evaluation in a state's value, from 0 to 1.
    hand: f32,
    /// Number of turns played before the search.
    root: u32,
    /// The player from whose view the network evaluates states.
    player: Player,
}

impl Advice<'_> {
    /// Returns the values, discounted to the root.
    fn discounted(&self, state: &State, values: [f32; 2]) -> [f32; 2] {
        let share = DISCOUNT.powi((state.turns() - self.root) as i32);
        values.map(|value| share * value)
    }
}

impl LeafEvaluator<State, Vec<Action>> for Advice<'_> {
    fn finished(&mut self, state: &State) -> [f32; 2] {
        self.discounted(state, Player::BOTH.map(|player| outcome(state, player)))
    }

    /// Evaluates only one player's view, which is enough for the value. The policy is kept until the state becomes a
    /// node. When the state becomes a node, a network with a policy for only one player also evaluates the other
    /// player's view.
    fn estimate(&mut self, state: &mut State, _: &mut Rng) -> [f32; 2] {
        let known = self.oracle.evaluate(state, self.player, false).value * self.player.sign() as f32;
        let value = if self.hand > 0.0 {
            // A clear win has the value 2.
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

    /// Appends the probabilities that the ranks of the policy's moves correspond to.
    fn priors(&mut self, state: &State, player: Player, _: &[Vec<Action>], priors: &mut Vec<f32>) {
        let found = self.oracle.moves(state, player, self.player);
        let best = found.iter().map(|candidate| candidate.rank).fold(f32::NEG_INFINITY, f32::max);
        let weights: Vec<f32> = found.iter().map(|candidate| (candidate.rank - best).exp()).collect();
        let all: f32 = weights.iter().sum();
        priors.extend(weights.iter().map(|weight| weight / all));
    }
}
