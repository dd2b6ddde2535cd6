//! The strongest bot: best-first minimax, or Monte Carlo tree search, over the network.

use crate::net::{can_win, Net};
use crate::settings::{allow, best_first};
use crate::{prior, Move, State};
use contender_game::{Analysis, Bot, Clock, Game, MoveAnalysis, Options, Player, Rng};
use contender_search::best_first::{BestFirst, BestFirstConfig, BestFirstFindings, Expand, Worth};
use contender_search::mcts::{Bias, Config, Expansion, Judgement, Mcts, Uct};
use contender_search::Sure;

/// How the champion searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChampionSettings {
    /// Monte Carlo tree search that asks the network instead of playing games, in place of best-first minimax.
    pub mcts: bool,
    /// Weight of the exploration term, where a win is worth 1.
    pub exploration: f32,
    /// Share of a child's minimax value in its choice by best-first minimax; the rest is the mean.
    pub minimax: f32,
    /// What doubling the visits is worth in the choice of the move to play, where a win is worth 1.
    pub habit: f32,
    /// Keep the tree from turn to turn.
    pub reuse: bool,
    /// Share of a turn's time that is used.
    pub time: f32,
}

impl Default for ChampionSettings {
    fn default() -> ChampionSettings {
        ChampionSettings { mcts: false, exploration: 0.1, minimax: 0.3, habit: 0.05, reuse: true, time: 0.9 }
    }
}

impl ChampionSettings {
    /// Names and meanings of the options.
    pub const OPTIONS: &'static [(&'static str, &'static str)] = &[
        ("search", "best (best-first minimax) or mcts (best)"),
        ("c", "exploration, where a win is worth 1 (0.1; mcts 0.25)"),
        ("minimax", "share of the minimax value in the choice of a child, the rest is its mean (0.3)"),
        ("habit", "what doubling the visits is worth in the choice of the move; inf for most visits (0.05)"),
        ("reuse", "keep the tree between turns: on, off (on)"),
        ("time", "share of a turn's time that is used (0.9)"),
    ];

    /// The default settings with what the options say instead.
    ///
    /// # Errors
    /// A value that makes no sense.
    pub fn take(options: &mut Options) -> Result<ChampionSettings, String> {
        let base = ChampionSettings::default();
        let mcts = options.take_word("search", base.mcts, &[("best", false), ("mcts", true)])?;
        let exploration = if mcts { MCTS_EXPLORATION } else { base.exploration };
        Ok(ChampionSettings {
            mcts,
            exploration: options.take_number("c", exploration, 0.0..=100.0)?,
            minimax: options.take_number("minimax", base.minimax, 0.0..=1.0)?,
            habit: options.take_number("habit", base.habit, 0.0..=f32::INFINITY)?,
            reuse: options.take_switch("reuse", base.reuse)?,
            time: options.take_number("time", base.time, 0.01..=1.0)?,
        })
    }
}

/// Nodes of the tree.
const CAPACITY: usize = 1 << 22;
/// Weight of the exploration term in Monte Carlo tree search.
const MCTS_EXPLORATION: f32 = 0.25;
/// Weight of the priors in Monte Carlo tree search, as in the bot without a network.
const PRIORS: f32 = 0.5;

/// Searches over the network, with proofs of wins, losses and draws. Deterministic given its seed and a number of iterations; best-first
/// minimax needs no seed.
pub struct ChampionBot {
    settings: ChampionSettings,
    net: Judge,
    search: Method,
    rng: Rng,
    /// What the tree is of.
    root: Option<State>,
}

enum Method {
    BestFirst(BestFirst<State>),
    Mcts(Mcts<State, Sure, Uct>),
}

impl ChampionBot {
    /// The bot with these settings and this seed.
    #[must_use]
    pub fn new(settings: ChampionSettings, seed: u64) -> ChampionBot {
        let net = ChampionBot::network();
        let search = if settings.mcts {
            let config = Config { capacity: CAPACITY / 4, expansion: Expansion::Prior, ..Config::default() };
            let bias = Some(Bias { weight: PRIORS, fades_slowly: false });
            Method::Mcts(Mcts::new(config, Uct { bias, ..Uct::new(settings.exploration) }))
        } else {
            let ChampionSettings { exploration, minimax, habit, .. } = settings;
            let config = BestFirstConfig { capacity: CAPACITY, exploration, minimax, habit };
            Method::BestFirst(BestFirst::new(config))
        };
        ChampionBot {
            settings,
            net: Judge { net, values: Vec::new() },
            search,
            rng: Rng::new(seed),
            root: None,
        }
    }

    /// The network that is compiled in.
    ///
    /// # Panics
    /// Never with the weights that are compiled in, as a test shows. `docs/uttt.md` has the recipe they were made by.
    #[must_use]
    pub fn network() -> Net {
        Net::read(&contender_nn::include_data!("net.bin")).expect("the weights are well-formed")
    }

    fn search(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Move> {
        let is_known = self.root == Some(*state);
        self.root = Some(*state).filter(|_| self.settings.reuse);
        let allowance = allow(clock, f64::from(self.settings.time));
        match &mut self.search {
            Method::BestFirst(search) => {
                if !is_known {
                    search.reset();
                }
                analysis(search.search(state, &mut self.net, &allowance), player)
            }
            Method::Mcts(search) => {
                if !is_known {
                    search.reset();
                }
                let found = search.search(state, &mut self.net, &allowance, &mut self.rng);
                best_first(found, player, "share of a win")
            }
        }
    }

    fn advance(&mut self, state: &State, mv: Move) {
        let is_known = self.root == Some(*state);
        self.root = None;
        if is_known {
            match &mut self.search {
                Method::BestFirst(search) => search.advance(mv),
                Method::Mcts(search) => search.advance(mv),
            }
            let mut next = *state;
            next.play(mv);
            self.root = Some(next);
        }
    }
}

/// What best-first minimax found, the best move first.
fn analysis(found: BestFirstFindings<Move>, player: Player) -> Analysis<Move> {
    let best = found.best;
    let mut moves: Vec<MoveAnalysis<Move>> = found
        .moves
        .iter()
        .map(|&(mv, visits, worth)| {
            let (value, is_proven) = match worth {
                Worth::Guess(value) => (value, false),
                Worth::Exact(value) => (value, true),
            };
            let own = f64::from(0.5 + player.sign() as f32 * value);
            MoveAnalysis { mv, value: [own; 2], is_proven, effort: u64::from(visits) }
        })
        .collect();
    moves.sort_by_key(|of| (Some(of.mv) != best, std::cmp::Reverse(of.effort)));
    Analysis {
        moves,
        line: found.line,
        unit: "share of a win",
        depth: 0,
        counts: vec![
            ("iterations", found.iterations),
            ("nodes in the tree", found.nodes as u64),
            ("longest path", u64::from(found.deepest)),
        ],
        inputs: Vec::new(),
        elapsed: found.elapsed,
    }
}

impl Bot<State, Move> for ChampionBot {
    /// # Panics
    /// When the game is over.
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Move {
        let centre = Move::new(4, 4);
        if let (Method::BestFirst(search), None, Some(_)) =
            (&mut self.search, clock.nodes(), clock.turn_limit())
        {
            // The first turn has the time for it, the second has not.
            search.warm_up(centre);
        }
        if *state == State::default() {
            if self.settings.reuse {
                // The long first turn's time is for what the opponent may answer.
                let mut next = *state;
                next.play(centre);
                self.search(&next, player.other(), clock);
            }
            return centre;
        }
        let mv = self.search(state, player, clock).moves[0].mv;
        self.advance(state, mv);
        mv
    }

    fn observe(&mut self, state: &State, _player: Player, mv: &Move) {
        self.advance(state, *mv);
    }

    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Move> {
        self.search(state, player, clock)
    }
}

/// The network as both searches ask it.
struct Judge {
    net: Net,
    values: Vec<(f32, bool)>,
}

impl Expand<State> for Judge {
    /// Values are from -0.5 to 0.5, so that a win is worth 1 more than a loss.
    fn expand(&mut self, state: &State, moves: &[Move], worths: &mut Vec<Worth>) {
        self.values.clear();
        self.net.evaluate_moves(state, moves, &mut self.values);
        let sign = state.mover().sign() as f32;
        worths.extend(self.values.iter().map(|&(value, is_over)| {
            let value = sign * (value - 0.5);
            if is_over {
                Worth::Exact(value)
            } else {
                Worth::Guess(value)
            }
        }));
    }

    fn highest(&self) -> f32 {
        0.5
    }
}

impl Judgement<State> for Judge {
    fn highest(&self) -> f32 {
        1.0
    }

    fn estimate(&mut self, state: &mut State, _: &mut Rng, _: &mut Vec<(Player, Move)>) -> [f32; 2] {
        let value = if can_win(state) { 0.0 } else { self.net.evaluate(state) };
        match state.mover() {
            Player::Zero => [1.0 - value, value],
            Player::One => [value, 1.0 - value],
        }
    }

    fn priors(&mut self, state: &State, moves: &[Move], priors: &mut Vec<f32>) {
        priors.extend(moves.iter().map(|&mv| prior(state, mv)));
    }
}
