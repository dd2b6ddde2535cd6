//! Monte Carlo tree search by random games: the rungs of the ladder below the network, one bot with switches.

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
    /// The switches of [`UctBot`]. Rewards are 1 for a win, one half for a draw.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct UctSettings {
        /// Weight of the exploration term, if a win is worth 1
        exploration ("c"): f32 = 0.5, 0.0..=100.0;
        /// Policy of rollouts: at random, to finish the game, or to win small boards as well.
        rollouts: Style = Style::Random, STYLES;
        /// Prove wins, losses and draws in the tree.
        solver: bool = false, SWITCH;
        /// Weight of what moves look like; 0 for none.
        priors: f32 = 0.0, 0.0..=100.0;
        /// Urgency of a move not tried yet, without exploration, so that 1.1 is moderate; none tries all once first.
        first_play ("first"): Option<f32> = None, OrNone(-1000.0..=1000.0);
        /// Keep the tree between turns.
        reuse: bool = true, SWITCH;
        /// Begin a game with the centre of the centre board: the one good first move, by the strongest authors of the
        /// arena. The turn's time is spent on the answers to it, if the tree is kept.
        fixed_first ("opening"): bool = true, SWITCH;
        ..time: TurnShare = TurnShare::DEFAULT;
    }
}

impl UctSettings {
    /// The highest rung without a network: rollouts that finish the game, solver and priors, each of which wins matches
    /// by itself. First-play urgency gains nothing with them, and loses below 1: the formula does not add exploration
    /// to it.
    pub const SOLVER: UctSettings =
        UctSettings { rollouts: Style::Finishing, solver: true, priors: 0.5, ..UctSettings::DEFAULT };
}

/// The words for styles of rollouts.
pub(crate) const STYLES: [(&str, Style); 3] =
    [("random", Style::Random), ("finishing", Style::Finishing), ("winning", Style::Winning)];

/// Nodes of the tree: 60 MiB, and as much again while a tree is carried over.
const CAPACITY: usize = 1 << 20;

/// UCT with [`UctSettings`]. Deterministic given its seed and a number of iterations.
pub type UctBot = TreeBot<UctSearch>;

impl UctBot {
    /// Returns the bot with these settings and this seed.
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

/// Rollouts in a style, and priors if they are wanted.
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

/// Returns the prior of a legal move, in units of a won small board: 1 for winning one (and 5 for winning the game),
/// one half for keeping the opponent from winning it; -1 for giving the opponent free choice, and the same values
/// negated for the opponent's wins in the board where it must move.
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
