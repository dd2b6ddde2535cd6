//! Monte Carlo tree search with random games. This bot has options for all levels of strength below the network.

use crate::tables::{HAS_LINE, WINNING};
use crate::tree_bot::{TreeBot, TreeSearch, CENTRE};
use crate::{rollout_with, Move, State, Style};
use contender_game::{
    contest::{Analysis, Clock},
    rules::{Game, Player, Rng},
    settings,
    settings::{OrNone, SWITCH},
};
use contender_search::mcts::{win_rewards, Expansion, LeafEvaluator, Mcts, MctsConfig, Uct};
use contender_search::{NoChance, SearchLimits, TurnShare};

settings! {
    /// The options of [`UctBot`]. Rewards are 1 for a win and 0.5 for a draw.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct UctSettings {
        /// Weight of the exploration term, if a win is worth 1
        exploration ("c"): f32 = 0.5, 0.0..=100.0;
        /// Policy of rollouts: random moves, winning the game if possible, or else also winning small boards.
        rollouts: Style = Style::Random, STYLES;
        /// Prove wins, losses and draws in the tree.
        solver: bool = false, SWITCH;
        /// Weight of the priors, which rate moves by their features; 0 to ignore them
        priors: f32 = 0.0, 0.0..=100.0;
        /// Score of an untried move, without an exploration term (1.1 is moderate); none tries every move once first.
        first_play ("first"): Option<f32> = None, OrNone(-1000.0..=1000.0);
        /// Keep the tree between turns.
        reuse: bool = true, SWITCH;
        /// Begin a game with the centre of the centre board, the only good first move according to the arena's
        /// strongest authors. If the tree is kept, the bot spends the turn's time on searching its replies to the
        /// opponent's answers.
        fixed_first ("opening"): bool = true, SWITCH;
        ..time: TurnShare = TurnShare::DEFAULT;
    }
}

impl UctSettings {
    /// The strongest options without a network: rollouts that finish the game, solver and priors. Each of these options
    /// improves the results of matches on its own. First-play urgency gains nothing with these options. A first-play
    /// value below 1 loses games, because the formula does not add the exploration term to it.
    pub const SOLVER: UctSettings =
        UctSettings { rollouts: Style::Finishing, solver: true, priors: 0.5, ..UctSettings::DEFAULT };
}

/// The styles of rollouts, with their names in options.
pub(crate) const STYLES: [(&str, Style); 3] =
    [("random", Style::Random), ("finishing", Style::Finishing), ("winning", Style::Winning)];

/// Maximum number of nodes in the tree. The tree takes 60 MiB, and twice as much while it is carried over to the next
/// turn.
const CAPACITY: usize = 1 << 20;

/// UCT with [`UctSettings`]. The bot is deterministic if its seed and a number of iterations are given.
pub type UctBot = TreeBot<UctSearch>;

impl UctBot {
    /// Creates the bot with these settings and this seed.
    #[must_use]
    pub fn new(settings: UctSettings, seed: u64) -> UctBot {
        let has_priors = settings.priors > 0.0;
        let config = MctsConfig {
            capacity: CAPACITY,
            solver: settings.solver,
            expansion: if has_priors { Expansion::Prior } else { Expansion::Random },
            ..MctsConfig::default()
        };
        let formula =
            Uct { first_play: settings.first_play, bias: settings.priors, ..Uct::new(settings.exploration) };
        TreeBot::with(UctSearch { settings, rng: Rng::new(seed) }, Mcts::new(config, formula))
    }
}

/// The search of [`UctBot`].
pub struct UctSearch {
    settings: UctSettings,
    rng: Rng,
}

impl TreeSearch for UctSearch {
    type Tree = Mcts<State, NoChance, Uct>;

    fn limits(&self, clock: &Clock) -> SearchLimits {
        self.settings.time.limits(clock)
    }

    fn search(&mut self, tree: &mut Self::Tree, state: &State, limits: &SearchLimits) -> Analysis<Move> {
        let mut games = Games { style: self.settings.rollouts, has_priors: self.settings.priors > 0.0 };
        tree.search(state, &mut games, limits, &mut self.rng).measured("share of a win", |value| value)
    }

    fn keeps(&self, _: &Clock) -> bool {
        self.settings.reuse
    }

    fn first_move(&self) -> Option<Move> {
        Some(CENTRE).filter(|_| self.settings.fixed_first)
    }
}

/// Evaluates leaves with rollouts in a style, and with priors if requested.
struct Games {
    style: Style,
    has_priors: bool,
}

impl LeafEvaluator<State, Move> for Games {
    fn finished(&mut self, state: &State) -> [f32; 2] {
        win_rewards(state.points())
    }

    fn highest(&self) -> f32 {
        1.0
    }

    fn estimate(&mut self, state: &mut State, rng: &mut Rng) -> [f32; 2] {
        let value = rollout_with(state, rng, self.style, u32::MAX).unwrap_or(0);
        let zero = (1 + value) as f32 / 2.0;
        [zero, 1.0 - zero]
    }

    fn priors(&mut self, state: &State, _: Player, moves: &[Move], priors: &mut Vec<f32>) {
        priors.extend(moves.iter().map(|&mv| if self.has_priors { prior(state, mv) } else { 0.0 }));
    }
}

/// Returns the prior of a legal move, in units of a won small board. A move that wins the game counts 5, a move that
/// wins a small board 1, and a move that keeps the opponent from winning the board one half. A move that gives the
/// opponent a free choice counts -1. If the move sends the opponent to a board that the opponent can win, the value of
/// this win (5 or 1) is subtracted.
#[must_use]
pub fn prior(state: &State, mv: Move) -> f32 {
    let (board, cell) = (mv.board(), mv.cell());
    let (own, other) = (state.mover(), state.mover().other());
    let winning = |player| WINNING[usize::from(state.marks(player, board))] >> cell & 1 == 1;
    let mut worth = 0.0;
    let mut won = state.won(own);
    if winning(own) {
        won |= 1 << board;
        if HAS_LINE[usize::from(won)] {
            return 5.0;
        }
        worth += 1.0;
    } else if winning(other) {
        worth += 0.5;
    }
    let mut next = *state;
    next.play(mv);
    match next.target() {
        None => worth -= 1.0,
        Some(target) => {
            let losing = WINNING[usize::from(state.marks(other, target))] & next.empty(target) != 0;
            if losing && WINNING[usize::from(state.won(other))] >> target & 1 == 1 {
                worth -= 5.0;
            } else if losing {
                worth -= 1.0;
            }
        }
    }
    worth
}
