//! Evaluators for Monte Carlo searches, which compute the rewards that iterations back up.

use crate::{draw, ChanceModel};
use contender_game::rules::{Game, Player, Rng, Turn};
use std::marker::PhantomData;

/// An evaluator for the leaves of a Monte Carlo search over states `S` and moves `M`, for games with alternating or
/// simultaneous moves. The evaluator returns each player's own reward, and the moves worth trying. The implementation
/// chooses the unit of rewards; the constants of exploration formulas depend on it.
///
/// ```
/// # #[path = "../../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::rules::{Game, Player, Rng};
/// use contender_search::mcts::{win_rewards, LeafEvaluator, Mcts, MctsConfig, Uct};
/// use contender_search::{NoChance, SearchLimits};
///
/// /// Knows who wins, and plays no random games.
/// struct Theory;
///
/// impl LeafEvaluator<Nim, u8> for Theory {
///     fn finished(&mut self, state: &Nim) -> [f32; 2] {
///         win_rewards(state.points())
///     }
///
///     fn estimate(&mut self, state: &mut Nim, _rng: &mut Rng) -> [f32; 2] {
///         let winner = if state.matches % 4 == 0 { state.mover.other() } else { state.mover };
///         Player::BOTH.map(|player| if player == winner { 0.9 } else { 0.1 })
///     }
/// }
///
/// let mut search = Mcts::<Nim, NoChance, Uct>::new(MctsConfig::default(), Uct::new(1.0));
/// let start = Nim { matches: 29, mover: Player::One };
/// let analysis = search.search(&start, &mut Theory, &SearchLimits::nodes(200), &mut Rng::new(1));
/// assert_eq!(analysis.moves[0].mv, 1);
/// ```
pub trait LeafEvaluator<S, M> {
    /// Returns the rewards of a finished game. If only wins count, use [`win_rewards`].
    fn finished(&mut self, state: &S) -> [f32; 2];

    /// Returns the maximum reward, which is 1 for [`win_rewards`]. The search stops when a player has proven this
    /// reward. The default is an unknown maximum, which is always correct.
    fn highest(&self) -> f32 {
        f32::INFINITY
    }

    /// Returns the estimated rewards of a state in which the game is not over, for example by playing a random game or
    /// with an evaluation function.
    ///
    /// The state is a temporary copy, so this function may play a random game in it.
    fn estimate(&mut self, state: &mut S, rng: &mut Rng) -> [f32; 2];

    /// Appends the moves of `player` that are worth considering. If this function appends no move (the default), all
    /// legal moves are considered. A solver's proofs hold only for the considered moves. A game with too many moves to
    /// list must propose some moves here.
    fn candidates(&mut self, state: &S, player: Player, moves: &mut Vec<M>) {
        let _ = (state, player, moves);
    }

    /// Appends a number for each of `moves` that shows how promising the move looks before it is tried: prior
    /// probabilities for [`Puct`](super::Puct), or a score in the unit of the reward for the bias of
    /// [`Uct`](super::Uct). By default, all numbers are 0.
    fn priors(&mut self, state: &S, player: Player, moves: &[M], priors: &mut Vec<f32>) {
        let _ = (state, player);
        priors.extend(moves.iter().map(|_| 0.0));
    }
}

/// Returns 1 for the player with more points and 0 for the other player, or 0.5 for both if the points are equal.
///
/// ```
/// use contender_search::mcts::win_rewards;
///
/// assert_eq!(win_rewards([7, 3]), [1.0, 0.0]);
/// assert_eq!(win_rewards([5, 5]), [0.5, 0.5]);
/// ```
#[must_use]
pub fn win_rewards([zero, one]: [i32; 2]) -> [f32; 2] {
    match zero.cmp(&one) {
        std::cmp::Ordering::Less => [0.0, 1.0],
        std::cmp::Ordering::Equal => [0.5, 0.5],
        std::cmp::Ordering::Greater => [1.0, 0.0],
    }
}

/// An evaluator that plays a uniformly random game from the state to the end. It needs no knowledge about the game.
///
/// ```
/// # #[path = "../../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::rules::{Player, Rng};
/// use contender_search::mcts::{LeafEvaluator, RandomGames};
/// use contender_search::NoChance;
///
/// let mut state = Nim { matches: 1, mover: Player::One };
/// let rewards = RandomGames::<Nim, NoChance>::default().estimate(&mut state, &mut Rng::new(1));
/// assert_eq!(rewards, [0.0, 1.0]);
/// ```
#[derive(Clone)]
pub struct RandomGames<G: Game, L: ChanceModel<G>> {
    moves: Vec<G::Move>,
    outcomes: Vec<(L::Outcome, u32)>,
    chance: PhantomData<L>,
}

impl<G: Game, L: ChanceModel<G>> Default for RandomGames<G, L> {
    fn default() -> Self {
        RandomGames { moves: Vec::new(), outcomes: Vec::new(), chance: PhantomData }
    }
}

impl<G: Game, L: ChanceModel<G>> LeafEvaluator<G, G::Move> for RandomGames<G, L> {
    fn finished(&mut self, state: &G) -> [f32; 2] {
        win_rewards(state.points())
    }

    fn highest(&self) -> f32 {
        1.0
    }

    fn estimate(&mut self, state: &mut G, rng: &mut Rng) -> [f32; 2] {
        let mut turns = 0;
        while turns < G::MAX_TURNS {
            match state.turn() {
                Turn::Over => return self.finished(state),
                Turn::Chance => {
                    let outcome = draw::<G, L>(state, rng, &mut self.outcomes).1;
                    L::resolve(state, outcome);
                }
                Turn::Player(_) => {
                    let mv = state.random_move(rng, &mut self.moves);
                    state.play(mv);
                    turns += 1;
                }
            }
        }
        // The judge breaks such a game off as a draw.
        [0.5; 2]
    }
}
