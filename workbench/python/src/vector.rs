//! Many games that run on several threads.

use crate::arrays::arrays;
use crate::played::{Played, smallest_shape};
use contender_game::{
    contest::{Clock, Limits},
    rules::{Player, mix},
    settings::Options,
};
use contender_nn::lanes::Instructions;
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Shape, Workspace};
use contender_puct::{BotOf, LearnedGame};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::sync::Arc;

/// The number of the random stream for bots, which keeps their seeds independent of the games' seeds.
const BOT_STREAM: u64 = 1;

/// The settings of many games that are played at the same time.
pub struct Plan {
    /// Number of games.
    pub games: usize,
    /// The seed of all games.
    pub seed: u64,
    /// Number of threads, at least 1.
    pub threads: usize,
    /// The bundled bot that plays one seat in each game, if there is one, with its options and limits per move.
    pub opponent: Option<(String, Options, Limits)>,
}

/// The sizes of the arrays that describe a game.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub planes: usize,
    pub height: usize,
    pub width: usize,
    pub actions: usize,
}

arrays! {
    Arrays, Told:
    /// View of the player who must choose: `[planes][height][width]`.
    obs: f32,
    /// 1 for each cell of the frame that is on the board.
    live: u8,
    /// 1 for each legal action.
    mask: u8,
    /// Player who must choose.
    player: i8,
    /// Whether the choice is the first of a turn, so that `obs` is new.
    fresh: u8,
    /// Value of the game for both players if the latest choice ended it, otherwise 0.
    reward: f32,
    /// Whether the latest choice ended the game; the row then contains the next game.
    done: u8,
    /// Contest points of both players in the last finished game.
    points: i32,
}

/// Many games of the same kind.
pub trait Envs: Send {
    fn sizes(&self) -> Sizes;

    /// Starts all games again with this seed.
    fn reset(&mut self, seed: u64, told: Told<'_>);

    /// Plays one action in each game.
    ///
    /// # Errors
    /// Returns the first row with an illegal action. In this case no action has been played.
    fn step(&mut self, actions: &[i64], told: Told<'_>) -> Result<(), usize>;

    /// Evaluates all positions with a network, from the point of view of the player who must choose. Writes the logits
    /// of all actions and the values.
    ///
    /// # Errors
    /// Returns an error if the network is for a different game.
    fn evaluate(&mut self, network: &Network, logits: &mut [f32], values: &mut [f32]) -> Result<(), String>;

    /// Returns `self`, so that a search can access the games.
    fn as_any(&self) -> &dyn Any;
}

/// A game and the data about its row.
struct Row<L: LearnedGame> {
    game: Played<L>,
    /// The seed of the row.
    seed: u64,
    /// The number of the row's current game.
    begun: u64,
    opponent: Option<Opponent<L>>,
    input: Planes,
}

/// Many games of the same kind, played on several threads.
pub struct Vector<L: LearnedGame> {
    plan: Plan,
    sizes: Sizes,
    rows: Vec<Row<L>>,
    pool: Arc<ThreadPool>,
}

/// A bot and its seat.
type Opponent<L> = (Player, BotOf<L>);

impl<L: LearnedGame> Row<L> {
    fn new(plan: &Plan, number: usize) -> Row<L> {
        let (seed, begun) = (mix(&[plan.seed, number as u64]), number as u64 % 2);
        let (game, opponent) = Row::begin(plan, seed, begun);
        Row { game, seed, begun, opponent, input: Planes::default() }
    }

    /// Starts a game. An opponent changes seats after every game.
    fn begin(plan: &Plan, seed: u64, number: u64) -> (Played<L>, Option<Opponent<L>>) {
        let game_seed = mix(&[seed, number]);
        let opponent = plan.opponent.as_ref().map(|(name, options, _)| {
            let bot = L::bot(name, &mut options.clone(), mix(&[game_seed, BOT_STREAM]));
            let bot = bot.and_then(Result::ok).expect("the same bot was created before");
            (Player::BOTH[(number % 2) as usize], bot)
        });
        (Played::start(game_seed), opponent)
    }

    /// Plays the opponent's moves until the player must choose. Starts a new game when one ends.
    fn settle(&mut self, plan: &Plan, told: &mut Told<'_>) {
        loop {
            let is_endless = self.game.is_endless();
            match (self.game.player(), &mut self.opponent) {
                (Some(player), Some((seat, bot))) if player == *seat && !is_endless => {
                    let limits = plan.opponent.as_ref().map_or(Limits::NONE, |(_, _, limits)| *limits);
                    self.game.choose_by(bot, &Clock::new(limits));
                }
                (Some(_), _) if !is_endless => return,
                (player, _) => {
                    let outcome = if player.is_some() { [0.0; 2] } else { self.game.outcome() };
                    told.reward.copy_from_slice(&outcome);
                    told.points.copy_from_slice(&self.game.points());
                    told.done[0] = 1;
                    self.begun += 1;
                    (self.game, self.opponent) = Row::begin(plan, self.seed, self.begun);
                }
            }
        }
    }

    fn step(&mut self, plan: &Plan, sizes: Sizes, action: usize, told: &mut Told<'_>) {
        told.reward.fill(0.0);
        told.done[0] = 0;
        self.game.choose(action, self.opponent.as_mut().map(|(_, bot)| bot));
        self.settle(plan, told);
        self.tell(sizes, told);
    }

    /// Writes the player who must choose, and the legal actions.
    fn tell(&mut self, sizes: Sizes, told: &mut Told<'_>) {
        let Some(player) = self.game.player() else { unreachable!("after `settle`, it is a player's turn") };
        told.player[0] = player.index() as i8;
        told.fresh[0] = u8::from(self.game.is_turn_start());
        told.mask.fill(0);
        self.game.actions().for_each(|action| told.mask[action] = 1);
        if !self.game.is_turn_start() {
            return;
        }
        self.game.encode(&mut self.input);
        tell_view(&self.input, sizes, told.obs, told.live);
    }
}

/// Writes a network's input as planes, and which cells of the frame are on the board.
pub fn tell_view(input: &Planes, sizes: Sizes, obs: &mut [f32], live: &mut [u8]) {
    let (size, area) = (input.size(), sizes.width * sizes.height);
    obs.fill(0.0);
    live.fill(0);
    for y in 0..size.height {
        let row = y * sizes.width;
        live[row..row + size.width].fill(1);
        for &(channel, value) in input.everywhere() {
            obs[usize::from(channel) * area + row..][..size.width].fill(value);
        }
        for x in 0..size.width {
            for &(channel, value) in input.cell(y * size.width + x) {
                obs[usize::from(channel) * area + row + x] += value;
            }
        }
    }
}

impl<L: LearnedGame> Vector<L> {
    /// Creates the games according to a plan.
    ///
    /// # Errors
    /// Returns an error if the opponent is not a bundled bot of the game, or if the threads cannot be started.
    pub fn new(plan: Plan) -> Result<Vector<L>, String> {
        if let Some((name, options, _)) = &plan.opponent {
            L::bot(name, &mut options.clone(), 0)
                .unwrap_or_else(|| Err(format!("the bot `{name}` cannot be an opponent")))?;
        }
        let shape = smallest_shape::<L>();
        let sizes = Sizes {
            planes: shape.planes,
            height: shape.frame.height,
            width: shape.frame.width,
            actions: shape.actions * shape.cells() + 1,
        };
        let pool = ThreadPoolBuilder::new().num_threads(plan.threads).build();
        let pool = pool.map_err(|error| format!("{} threads cannot be started: {error}", plan.threads))?;
        Ok(Vector { plan, sizes, rows: Vec::new(), pool: Arc::new(pool) })
    }

    /// Returns the threads, and the games in progress.
    pub fn games(&self) -> (Arc<ThreadPool>, impl Iterator<Item = &Played<L>>) {
        (Arc::clone(&self.pool), self.rows.iter().map(|row| &row.game))
    }

    /// Calls `work` for every row, with the row's part of the arrays.
    fn each(&mut self, told: Told<'_>, work: impl Fn(&Plan, usize, &mut Row<L>, &mut Told<'_>) + Sync) {
        let rows = self.rows.iter_mut().zip(told.split(self.plan.games)).enumerate();
        for_each(&self.pool, rows.collect(), |(number, (row, mut told))| {
            work(&self.plan, number, row, &mut told);
        });
    }
}

/// Runs `work` for all items on the threads of a pool. With a single thread, runs `work` directly, to avoid the
/// overhead of the pool.
pub fn for_each<T: Send>(pool: &ThreadPool, items: Vec<T>, work: impl Fn(T) + Sync + Send) {
    match pool.current_num_threads() {
        1 => items.into_iter().for_each(work),
        _ => pool.install(|| items.into_par_iter().for_each(work)),
    }
}

impl<L: LearnedGame> Envs for Vector<L> {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn reset(&mut self, seed: u64, told: Told<'_>) {
        self.plan.seed = seed;
        let (plan, sizes) = (&self.plan, self.sizes);
        let rows = (0..plan.games).into_par_iter().map(|number| Row::new(plan, number));
        self.rows = self.pool.install(|| rows.collect());
        self.each(told, |plan, _, row, told| {
            row.settle(plan, told);
            told.reward.fill(0.0);
            told.points.fill(0);
            told.done[0] = 0;
            row.tell(sizes, told);
        });
    }

    fn step(&mut self, actions: &[i64], told: Told<'_>) -> Result<(), usize> {
        let sizes = self.sizes;
        // The mask array belongs to the caller, who may have changed it, so the legal actions are computed again.
        let may =
            |row: &Row<L>, action: i64| row.game.actions().any(|other| i64::try_from(other) == Ok(action));
        let wrong = self.rows.iter().zip(actions).position(|(row, &action)| !may(row, action));
        match wrong {
            Some(row) => Err(row),
            None => {
                self.each(told, |plan, number, row, told| {
                    row.step(plan, sizes, actions[number] as usize, told)
                });
                Ok(())
            }
        }
    }

    fn evaluate(&mut self, network: &Network, logits: &mut [f32], values: &mut [f32]) -> Result<(), String> {
        let shape = network.shape();
        let expected = L::shape(shape.channels, shape.blocks, shape.hidden, shape.sides);
        if shape != expected {
            return Err("the network is for another game".to_string());
        }
        let instructions = Instructions::best();
        let own = || (Workspace::new(shape), Planes::default());
        let answers = logits.par_chunks_mut(self.sizes.actions).zip_eq(values);
        let rows = self.rows.par_iter_mut().zip_eq(answers);
        self.pool.install(|| {
            rows.for_each_init(own, |(output, input), (row, (logits, value))| {
                row.game.encode(input);
                network.evaluate(instructions, input, output);
                *value = output.value;
                tell_policy(shape, output, row.game.size(), logits);
            });
        });
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Writes the logits of all actions. The logits of cells outside the board are 0.
fn tell_policy(shape: Shape, output: &Workspace, size: contender_nn::winograd::Size, logits: &mut [f32]) {
    logits.fill(0.0);
    for y in 0..size.height {
        for x in 0..size.width {
            let cell = y * shape.frame.width + x;
            for action in 0..shape.actions {
                logits[cell * shape.actions + action] = output.logit(cell, 0, action);
            }
        }
    }
    logits[shape.cells() * shape.actions] = output.wait[0];
}
