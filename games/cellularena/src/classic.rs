//! The contest winner's system: the network's policy proposes moves, and a search over turns decides between them.
//!
//! In each state a player has at most four joint moves, the most probable ones according to the policy. The search is
//! pessimistic about simultaneous moves: the enemy answers as if it knew the bot's move. The search is an alpha-beta
//! search over whole turns with iterative deepening, and uses the network's value at its leaves. Evaluations are kept
//! between turns, because the enemy often plays the expected moves.
//!
//! See [`network::encoder`](crate::network::encoder) for the source.

use crate::network::policy::Candidate;
use crate::network::{self, outcome, win_chance, CachedOracle, Evaluation, Oracle};
use crate::{Action, State};
use contender_game::{
    contest::{Analysis, Bot, Clock, MoveAnalysis},
    rules::{Player, Simultaneous},
    settings,
    settings::{Shipped, SWITCH},
};
use contender_search::{SearchBudget, SearchLimits, Stopped, TurnShare};

settings! {
    /// The settings of the bot.
    #[derive(Clone, PartialEq, Debug)]
    pub struct ClassicSettings {
        /// Number of joint moves per player in each state.
        moves: usize = 4, 1..=50;
        /// Maximum number of turns to look ahead; 0 plays the policy's best move.
        depth: u32 = 8, 0..=20;
        /// Keep the network's results for later turns; within a turn, results are always kept.
        cache: bool = true, SWITCH;
        ..time: TurnShare = TurnShare::of(0.8);
    }
}

/// Factor for the value of a state one turn ahead, as in training: an earlier win is better than a later one.
pub const DISCOUNT: f32 = 0.995;

/// The bot's network. A packed bot includes the files of all types that it uses, so each bot has a separate type of
/// network.
pub struct ClassicNet(pub Oracle);

impl Shipped for ClassicNet {
    const NAME: &'static str = "net";

    /// Returns the compiled-in network. `lab/notes/cellularena.md` contains the recipe of its training run.
    fn shipped() -> ClassicNet {
        ClassicNet::read(&contender_nn::include_data!("network/classic.bin"))
            .expect("a test reads the network that is compiled in")
    }

    fn read(bytes: &[u8]) -> Result<ClassicNet, String> {
        network::read(bytes).map(|network| ClassicNet(Oracle::new(network)))
    }
}

/// The winner's bot. The bot is deterministic if a number of nodes is given. A node is an evaluation by the network.
///
/// The bot has a search of its own, because the network provides the joint moves as lists, which are ranked again in
/// every iteration.
pub struct Classic {
    settings: ClassicSettings,
    oracle: CachedOracle,
    meter: SearchBudget,
    /// Number of states in this turn that the network had already evaluated.
    known: u64,
    /// Number of turns played before the search.
    root: u32,
}

impl Classic {
    /// Creates the bot with these settings and this network.
    #[must_use]
    pub fn new(settings: ClassicSettings, ClassicNet(oracle): ClassicNet) -> Classic {
        let oracle = CachedOracle::new(oracle, settings.moves);
        Classic {
            settings,
            oracle,
            meter: SearchBudget::of_evaluations(&SearchLimits::NONE),
            known: 0,
            root: 0,
        }
    }

    /// Returns the network's evaluation from the cache, or computes it if necessary. `wants_moves` requests the moves
    /// in addition to the value.
    fn think(&mut self, state: &State, player: Player, wants_moves: bool) -> Result<&Evaluation, Stopped> {
        if self.oracle.knows(state, player) {
            self.known += 1;
        } else {
            self.meter.count()?;
        }
        Ok(self.oracle.evaluate(state, player, wants_moves))
    }

    /// Returns the pessimistic value of a state for `own`. The value is exact within the bounds.
    fn value(&mut self, state: &State, own: Player, depth: u32, bounds: [f32; 2]) -> Result<f32, Stopped> {
        let share = DISCOUNT.powi((state.turns() - self.root) as i32);
        if state.is_over() {
            return Ok(share * outcome(state, own));
        }
        if depth == 0 {
            return Ok(share * self.think(state, own, false)?.value);
        }
        let moves = self.think(state, own, true)?.moves.clone();
        let answers = self.think(state, own.other(), true)?.moves.clone();
        let mut best = f32::NEG_INFINITY;
        for mv in &moves {
            let low = bounds[0].max(best);
            let value = self.worst(state, own, &mv.actions, &answers, depth, [low, bounds[1]])?;
            best = best.max(value);
            if best >= bounds[1] {
                break;
            }
        }
        Ok(best)
    }

    /// Returns the value of a move against the enemy's best answer.
    fn worst(
        &mut self,
        state: &State,
        own: Player,
        actions: &[Action],
        answers: &[Candidate],
        depth: u32,
        bounds: [f32; 2],
    ) -> Result<f32, Stopped> {
        let mut worst = f32::INFINITY;
        for answer in answers {
            let mut next = state.clone();
            match own {
                Player::Zero => next.play_turn([actions, &answer.actions]),
                Player::One => next.play_turn([&answer.actions, actions]),
            }
            let value = self.value(&next, own, depth - 1, [bounds[0], bounds[1].min(worst)])?;
            worst = worst.min(value);
            if worst <= bounds[0] {
                break;
            }
        }
        Ok(worst)
    }

    fn search(&mut self, state: &State, own: Player, clock: &Clock) -> Analysis<Vec<Action>> {
        self.oracle.forget(if self.settings.cache { state.turns() } else { u32::MAX });
        (self.root, self.known) = (state.turns(), 0);
        let limits = self.settings.time.limits(clock);
        self.meter = SearchBudget::of_evaluations(&limits);
        // Both policies of the root are evaluated, whatever the limits.
        let [(moves, value), (answers, _)] = [own, own.other()].map(|player| {
            let is_known = u64::from(self.oracle.knows(state, player));
            self.known += is_known;
            self.meter.add(1 - is_known);
            let thought = self.oracle.evaluate(state, player, true);
            (thought.moves.clone(), thought.value)
        });
        // The values of the latest finished search; before it, the network's value in the policy's order.
        let mut ranked: Vec<(f32, Vec<Action>)> = moves.into_iter().map(|mv| (value, mv.actions)).collect();
        let mut reached = 0;
        for depth in 1..=self.settings.depth {
            if ranked.len() < 2 {
                break;
            }
            let mut found = Vec::new();
            let mut best = f32::NEG_INFINITY;
            for (_, actions) in &ranked {
                match self.worst(state, own, actions, &answers, depth, [best, f32::INFINITY]) {
                    Ok(value) => {
                        best = best.max(value);
                        found.push((value, actions.clone()));
                    }
                    Err(Stopped) => break,
                }
            }
            let is_whole = found.len() == ranked.len();
            // The best move of the previous search came first. So the moves searched before the time ran out are
            // comparable with it and count.
            let rest = ranked.split_off(found.len());
            found.sort_by(|a, b| b.0.total_cmp(&a.0));
            found.extend(rest);
            ranked = found;
            if !is_whole {
                break;
            }
            reached = depth;
        }
        let moves = ranked.into_iter().map(|(value, mv)| {
            let value = [f64::from(value); 2];
            MoveAnalysis { mv, value, is_proven: false, effort: 0 }
        });
        let mut analysis = Analysis::of(moves.collect());
        analysis.depth = reached;
        analysis.counts = vec![("nodes", self.meter.nodes()), ("known", self.known)];
        analysis.elapsed = self.meter.elapsed();
        analysis
    }
}

impl Bot<State, Vec<Action>> for Classic {
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Vec<Action> {
        self.search(state, player, clock).moves.into_iter().next().map_or(Vec::new(), |best| best.mv)
    }

    /// In addition to the moves, returns the network's output without search: its value, and maps of its policy and of
    /// its values after growths.
    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Vec<Action>> {
        let share = |value: f64| win_chance(value, state.turns());
        let found = self.search(state, player, clock).measured("share of a win", share);
        self.oracle.explain(state, player, found)
    }
}
