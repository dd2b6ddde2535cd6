//! PUCT in many games at once. The caller evaluates the leaves of all games in one batch.

use crate::arrays::arrays;
use crate::vector::{Envs, Sizes, Vector, for_each, tell_view};
use contender_game::{
    contest::{MoveOf, StateOf, TypedContest},
    rules::{Game, Player, Rng, Turn, mix},
};
use contender_learn::policy_value::{LearnPosition, Own, TurnBased};
use contender_nn::planes::Planes;
use contender_puct::{Learnable, Sequential, softmax};
use contender_search::ChanceModel;
use contender_search::mcts::{Expansion, Mcts, MctsConfig, Puct, win_rewards};
use rayon::ThreadPool;
use std::sync::Arc;

/// Number of nodes per iteration for which a tree has room. With more moves per position, the tree stops growing
/// earlier.
const NODES_PER_ITERATION: usize = 128;

/// The settings of a search.
#[derive(Clone, Copy)]
pub struct SearchPlan {
    /// Number of iterations per search, at least 1.
    pub iterations: u32,
    pub formula: Puct,
    pub seed: u64,
}

arrays! {
    Arrays, Leaves:
    /// View of the player who must move at the leaf: `[planes][height][width]`.
    obs: f32,
    /// 1 for each cell of the frame that is on the board.
    live: u8,
    /// Whether the leaf must be evaluated. Otherwise the game's search is complete.
    waiting: u8,
    /// Share of the iterations for each action of the position.
    visits: f32,
    /// Value of the position for the player who must move, from -1 to 1.
    values: f32,
}

/// The noise that is mixed into the priors at the root, one row per game, and the noise's share.
pub type Noise<'a> = Option<(&'a [f32], f32)>;

/// Searches in all games.
pub trait Searches: Send {
    /// Starts a search from each game's position and finds the first leaf.
    ///
    /// # Panics
    /// Panics if `envs` are other games than at the creation.
    fn begin(&mut self, envs: &mut dyn Envs, told: Leaves<'_>);

    /// Continues each search with the evaluation of its leaf: the logits of all actions, and the value for the player
    /// who must move. Finds the next leaf, or completes the search.
    fn step(&mut self, logits: &[f32], values: &[f32], noise: Noise<'_>, told: Leaves<'_>);
}

/// The search in one game.
struct Row<G: Sequential> {
    root: G,
    leaf: G,
    tree: Mcts<G, G::Chance, Puct>,
    rng: Rng,
    /// Number of evaluations requested so far. The first one is for the position itself.
    asked: u32,
    input: Planes,
    moves: Vec<(MoveIn<G>, f32)>,
}

type MoveIn<G> = <G as Learnable>::Move;

/// The chance model of a game.
pub type ChanceIn<G> = <G as Sequential>::Chance;

/// The searches in the games of a contest.
pub struct Trees<C: TypedContest>
where
    StateOf<C>: Sequential,
{
    plan: SearchPlan,
    sizes: Sizes,
    /// The threads on which the games run.
    pool: Option<Arc<ThreadPool>>,
    rows: Vec<Row<StateOf<C>>>,
    /// Number of searches started so far.
    begun: u64,
}

/// Creates searches for the games of a contest.
pub fn searches<C>(envs: &dyn Envs, plan: SearchPlan) -> Box<dyn Searches>
where
    C: TypedContest + Send + Sync,
    StateOf<C>: Sequential + Learnable<Move = MoveOf<C>> + Game<Move = MoveOf<C>>,
    ChanceIn<StateOf<C>>: ChanceModel<StateOf<C>, Outcome: Send>,
    MoveOf<C>: Copy + PartialEq + Send + Sync,
{
    Box::new(Trees::<C> { plan, sizes: envs.sizes(), pool: None, rows: Vec::new(), begun: 0 })
}

impl<G: Sequential> Row<G> {
    fn new(root: &G, plan: &SearchPlan) -> Row<G> {
        let config = MctsConfig {
            capacity: (plan.iterations as usize + 1).saturating_mul(NODES_PER_ITERATION),
            expansion: Expansion::Prior,
            ..MctsConfig::default()
        };
        Row {
            root: root.clone(),
            leaf: root.clone(),
            tree: Mcts::new(config, plan.formula),
            rng: Rng::new(0),
            asked: 0,
            input: Planes::default(),
            moves: Vec::new(),
        }
    }

    fn begin(&mut self, root: &G, seed: u64) {
        self.root.clone_from(root);
        self.tree.reset();
        self.rng = Rng::new(seed);
        self.asked = 0;
    }

    /// Runs iterations until a leaf must be evaluated or the search is complete.
    fn advance(&mut self, plan: &SearchPlan, sizes: Sizes, told: &mut Leaves<'_>) {
        while self.asked <= plan.iterations && !self.tree.is_proven() {
            self.asked += 1;
            self.leaf.clone_from(&self.root);
            if self.tree.ask(&mut self.leaf, |state| win_rewards(state.points()), 1.0, &mut self.rng) {
                let Turn::Player(player) = self.leaf.turn() else {
                    unreachable!("a player must move at a leaf")
                };
                self.input.clear(G::BOARD);
                self.leaf.encode(player, &mut self.input);
                tell_view(&self.input, sizes, told.obs, told.live);
                told.waiting[0] = 1;
                return;
            }
        }
        told.waiting[0] = 0;
        self.tell_visits(told);
    }

    fn learn(&mut self, logits: &[f32], value: f32, noise: Noise<'_>) {
        let Turn::Player(player) = self.leaf.turn() else { unreachable!("a player must move at a leaf") };
        let mut legal = Vec::new();
        self.leaf.moves(&mut legal);
        let actions: Vec<usize> = legal.iter().map(|&mv| self.leaf.place(player, mv).index::<G>()).collect();
        let mut priors: Vec<f32> = actions.iter().map(|&action| logits[action]).collect();
        softmax(&mut priors);
        if let (Some((noise, share)), 1) = (noise, self.asked) {
            let all: f32 = actions.iter().map(|&action| noise[action]).sum();
            for (prior, &action) in priors.iter_mut().zip(&actions) {
                *prior = (1.0 - share) * *prior + if all > 0.0 { share * (noise[action] / all) } else { 0.0 };
            }
        }
        self.moves.clear();
        self.moves.extend(legal.into_iter().zip(priors));
        self.moves.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let own = 0.5 + 0.5 * value.clamp(-1.0, 1.0);
        let rewards = if player == Player::Zero { [own, 1.0 - own] } else { [1.0 - own, own] };
        self.tree.answer(&self.moves, rewards);
    }

    fn tell_visits(&self, told: &mut Leaves<'_>) {
        told.visits.fill(0.0);
        let Turn::Player(player) = self.root.turn() else { return };
        let found = self.tree.moves(&self.root);
        let Some(best) = found.moves.first() else { return };
        let action = |mv| self.root.place(player, mv).index::<G>();
        let all: u64 = found.moves.iter().map(|of| of.effort).sum();
        if best.is_proven || all == 0 {
            told.visits[action(best.mv)] = 1.0;
        } else {
            for of in &found.moves {
                told.visits[action(of.mv)] = of.effort as f32 / all as f32;
            }
        }
        let [low, high] = best.value;
        told.values[0] = if low == high { (2.0 * low - 1.0) as f32 } else { 0.0 };
    }
}

impl<C: TypedContest> Trees<C>
where
    StateOf<C>: Sequential,
    ChanceIn<StateOf<C>>: ChanceModel<StateOf<C>, Outcome: Send>,
{
    /// Runs `work` for every row, with the row's part of the arrays.
    fn each(
        &mut self,
        told: Leaves<'_>,
        work: impl Fn(&SearchPlan, usize, &mut Row<StateOf<C>>, &mut Leaves<'_>) + Sync,
    ) {
        let pool = self.pool.as_ref().expect("a search has begun");
        let leaves = told.split(self.rows.len());
        let rows = self.rows.iter_mut().zip(leaves).enumerate();
        for_each(pool, rows.collect(), |(number, (row, mut told))| work(&self.plan, number, row, &mut told));
    }
}

impl<C> Searches for Trees<C>
where
    C: TypedContest + Send + Sync,
    StateOf<C>: Sequential + Learnable<Move = MoveOf<C>> + Game<Move = MoveOf<C>>,
    ChanceIn<StateOf<C>>: ChanceModel<StateOf<C>, Outcome: Send>,
    MoveOf<C>: Copy + PartialEq + Send + Sync,
{
    fn begin(&mut self, envs: &mut dyn Envs, told: Leaves<'_>) {
        let vector = envs.as_any().downcast_ref::<Vector<Own<C, TurnBased<StateOf<C>>>>>();
        let (pool, games) = vector.expect("the games of the search").games();
        self.pool = Some(pool);
        let roots: Vec<StateOf<C>> = games.map(|game| game.state().state().clone()).collect();
        if self.rows.is_empty() {
            self.rows = roots.iter().map(|root| Row::new(root, &self.plan)).collect();
        }
        self.begun += 1;
        let (begun, sizes) = (self.begun, self.sizes);
        self.each(told, |plan, number, row, told| {
            row.begin(&roots[number], mix(&[plan.seed, begun, number as u64]));
            row.advance(plan, sizes, told);
        });
    }

    fn step(&mut self, logits: &[f32], values: &[f32], noise: Noise<'_>, told: Leaves<'_>) {
        let (sizes, actions) = (self.sizes, self.sizes.actions);
        self.each(told, |plan, number, row, told| {
            if told.waiting[0] == 0 {
                return;
            }
            let own = number * actions..(number + 1) * actions;
            let noise = noise.map(|(noise, share)| (&noise[own.clone()], share));
            row.learn(&logits[own], values[number], noise);
            row.advance(plan, sizes, told);
        });
    }
}
