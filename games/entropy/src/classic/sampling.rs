//! A search against an opponent whose habits are known. The search plays short random games in which the opponent
//! follows these habits.
//!
//! The most promising moves compete. Each round draws the chips and the opponent's habit once, and uses them for all
//! competing moves. After each move it plays a few rounds of the game, in which the bot moves greedily, and then
//! evaluates the position. Each stage keeps half of the moves (sequential halving: Karnin, Koren and Somekh, 2013).

use super::habits::{Beliefs, Habit, Picker};
use crate::evaluation::{Value, ValueGuide};
use crate::{Colour, Move, State, CELLS};
use contender_game::{
    contest::{Analysis, MoveAnalysis},
    rules::{Chance, Game, Player, Rng, Turn},
};
use contender_search::{Bounds, Heuristics, SearchBudget, SearchLimits};

/// Maximum number of competing moves.
const CANDIDATES: usize = 16;

/// A search with random games against an opponent's habits.
pub(super) struct Sampler<V> {
    guide: ValueGuide<V>,
    rng: Rng,
    /// Number of rounds in a random game.
    rounds: u32,
    picker: Picker,
}

/// A competing move.
struct Candidate {
    mv: Move,
    after: State,
    sum: i64,
    games: u64,
    nodes: u64,
    prior: i32,
}

impl Candidate {
    fn mean(&self) -> i32 {
        if self.games == 0 {
            return self.prior;
        }
        (self.sum / self.games as i64) as i32
    }
}

impl<V: Value> Sampler<V> {
    /// Creates a sampler that applies this evaluation at the end of random games of `rounds` rounds. A round is a
    /// placement and a move of Order.
    pub(super) fn new(guide: ValueGuide<V>, rounds: u32) -> Sampler<V> {
        Sampler { guide, rng: Rng::new(1), rounds, picker: Picker::new() }
    }

    /// Evaluates the moves of `player`, whose turn it must be in `state`. A node is a decision in a random game. The
    /// search runs until the hard time limit.
    pub(super) fn search(
        &mut self,
        state: &State,
        player: Player,
        beliefs: &Beliefs,
        limits: &SearchLimits,
    ) -> Analysis<Move> {
        let mut meter = SearchBudget::new(limits);
        let mut leaves = 0;
        let mut candidates = self.candidates(state, player);
        let rest = candidates.split_off(candidates.len().min(CANDIDATES));
        let mut alive = candidates.len();
        let stages = (alive.max(1) as f64).log2().ceil() as u32;
        for stage in 1..=stages {
            while meter.spent() < f64::from(stage) / f64::from(stages) {
                self.round(&mut candidates[..alive], state, player, beliefs, &mut meter);
                leaves += alive as u64;
            }
            candidates[..alive].sort_by_key(|of| -player.sign() * of.mean());
            alive = (alive + 1) / 2;
        }
        let known = candidates.iter().map(|of| (of, Bounds::exact(of.mean())));
        let moves = known.chain(rest.iter().map(|of| (of, Bounds::ANY))).map(|(of, bounds)| MoveAnalysis {
            mv: of.mv,
            value: bounds.seen_by(player).range(),
            is_proven: false,
            effort: of.nodes,
        });
        Analysis {
            line: candidates.first().map(|of| of.mv).into_iter().collect(),
            depth: 2 * self.rounds,
            counts: vec![("nodes", meter.nodes()), ("leaves", leaves)],
            elapsed: meter.elapsed(),
            ..Analysis::of(moves.collect())
        }
    }

    /// Returns all moves, the most promising first.
    fn candidates(&mut self, state: &State, player: Player) -> Vec<Candidate> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let mut candidates: Vec<Candidate> = Vec::with_capacity(moves.len());
        for mv in moves {
            let mut after = state.clone();
            after.play(mv);
            let prior = self.guide.evaluate(&after);
            candidates.push(Candidate { mv, after, sum: 0, games: 0, nodes: 0, prior });
        }
        candidates.sort_by_key(|of| -player.sign() * of.prior);
        candidates
    }

    /// Plays a random game after each of the moves, with the same chips and the same habit.
    fn round(
        &mut self,
        candidates: &mut [Candidate],
        state: &State,
        player: Player,
        beliefs: &Beliefs,
        meter: &mut SearchBudget,
    ) {
        let mut bag = [0; CELLS];
        let start = state.placed() as usize + usize::from(state.drawn().is_some());
        let mut at = start;
        for colour in 1..=7 {
            for _ in 0..state.left(colour) {
                bag[at] = colour;
                at += 1;
            }
        }
        self.rng.shuffle(&mut bag[start..at]);
        let habit = beliefs.draw(&mut self.rng);
        let rng = Rng::new(self.rng.next_u64());
        for of in candidates {
            let mut rng = rng.clone();
            let mut end = of.after.clone();
            let last = of.after.placed() + self.rounds;
            let nodes =
                self.play(
                    &mut end,
                    &bag,
                    last,
                    &mut rng,
                    |of| {
                        if of == player {
                            Habit::GREEDY
                        } else {
                            habit
                        }
                    },
                );
            of.sum += i64::from(self.guide.evaluate(&end));
            of.games += 1;
            of.nodes += nodes;
            meter.add(nodes);
        }
    }

    /// Continues the game until `placed` chips are on the board and a chip must be drawn, or to the end. Returns the
    /// number of decisions that were played.
    fn play(
        &mut self,
        state: &mut State,
        bag: &[Colour; CELLS],
        last: u32,
        rng: &mut Rng,
        habit: impl Fn(Player) -> Habit,
    ) -> u64 {
        let mut nodes = 0;
        loop {
            match state.turn() {
                Turn::Chance if state.placed() < last => state.resolve(bag[state.placed() as usize]),
                Turn::Chance | Turn::Over => return nodes,
                Turn::Player(player) => {
                    let mv = self.picker.pick(state, player, habit(player), rng);
                    state.play(mv);
                    nodes += 1;
                }
            }
        }
    }
}
