//! Toy games for the tests of searches.

pub use crate::toy_games::{Nim, TicTacToe};
use contender_game::rules::{mix, Chance, Game, Player, Rng, Turn};
use contender_search::{Bounds, Heuristics, ProbCut};

/// A random game tree that exists only as a hash function: kinds of nodes, moves, outcomes, values all follow from
/// `seed`.
///
/// Different paths meet in the same state, because a layer has only `width` of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Wood {
    pub seed: u64,
    pub shape: Shape,
    /// The number of moves and outcomes so far; not part of the state's identity if the wood has no layers.
    pub ply: u32,
    pub place: u64,
}

/// What kind of [`Wood`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shape {
    /// States of one layer.
    pub width: u64,
    /// At most this many moves or outcomes.
    pub branching: u64,
    /// Nodes in ten that are chance's; 0 for none.
    pub chance: u64,
    /// Whether the number of the ply belongs to the state, so that a state has one distance from the root.
    pub layers: bool,
    /// Values lie in `-range..=range`.
    pub range: u64,
    /// Nodes in ten that end the game.
    pub ends: u64,
}

impl Shape {
    pub fn random(rng: &mut Rng, chance: bool) -> Shape {
        Shape {
            width: 2 + u64::from(rng.below(12)),
            branching: 1 + u64::from(rng.below(5)),
            chance: if chance { 1 + u64::from(rng.below(6)) } else { 0 },
            layers: rng.below(2) == 0,
            range: [1, 3, 20, 1000][rng.index(4)],
            ends: u64::from(rng.below(3)),
        }
    }
}

impl Wood {
    pub fn new(seed: u64, shape: Shape) -> Wood {
        Wood { seed, shape, ply: 0, place: 0 }
    }

    fn hash(&self, what: u64) -> u64 {
        mix(&[self.key(), what])
    }

    pub fn key(&self) -> u64 {
        mix(&[self.seed, if self.shape.layers { u64::from(self.ply) } else { 0 }, self.place])
    }

    fn step(&mut self, branch: u8) {
        self.place = 1 + self.hash(100 + u64::from(branch)) % self.shape.width;
        self.ply += 1;
    }

    /// Chance must not follow chance for ever, because it takes no depth: with layers it acts at most twice in a row,
    /// without them it acts in even places and leads to odd ones.
    fn may_be_chance(&self) -> bool {
        if self.shape.layers {
            self.ply % 3 < 2
        } else {
            self.place % 2 == 0
        }
    }

    fn branches(&self) -> u8 {
        (1 + self.hash(2) % self.shape.branching) as u8
    }

    pub fn guess(&self) -> i32 {
        (self.hash(3) % (2 * self.shape.range + 1)) as i32 - self.shape.range as i32
    }
}

impl Game for Wood {
    type Move = u8;

    fn turn(&self) -> Turn {
        let hash = self.hash(1);
        if self.place > 0 && hash % 10 < self.shape.ends {
            Turn::Over
        } else if hash / 10 % 10 < self.shape.chance && self.may_be_chance() {
            Turn::Chance
        } else {
            Turn::Player(Player::from_index((hash / 100 % 2) as usize))
        }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if let Turn::Player(_) = self.turn() {
            moves.extend(0..self.branches());
        }
    }

    fn play(&mut self, branch: u8) {
        self.step(branch);
    }

    fn points(&self) -> [i32; 2] {
        [self.guess(), 0]
    }
}

impl Chance for Wood {
    type Outcome = u8;

    fn outcomes(&self, outcomes: &mut Vec<(u8, u32)>) {
        if self.turn() == Turn::Chance {
            outcomes
                .extend((0..self.branches()).map(|at| (at, 1 + self.hash(200 + u64::from(at)) as u32 % 5)));
        }
    }

    fn resolve(&mut self, branch: u8) {
        self.step(branch);
        if !self.shape.layers {
            self.place |= 1;
        }
    }
}

/// Knows all about a [`Wood`] that a guide can know.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ranger {
    /// What [`Heuristics::prob_cut`] says.
    pub model: Option<ProbCut>,
}

impl Heuristics<Wood> for Ranger {
    fn evaluate(&mut self, wood: &Wood) -> i32 {
        wood.guess()
    }

    fn bounds(&self, wood: &Wood, _: u32) -> Bounds {
        Bounds::new(-(wood.shape.range as i32), wood.shape.range as i32)
    }

    fn key(&self, wood: &Wood) -> Option<u64> {
        Some(wood.key())
    }

    fn slots(&self) -> usize {
        8
    }

    fn slot(&self, _: &Wood, branch: u8) -> usize {
        usize::from(branch)
    }

    fn score(&mut self, wood: &Wood, branch: u8) -> i32 {
        (wood.hash(300 + u64::from(branch)) % 1000) as i32
    }

    fn prob_cut(&self, _: &Wood, depth: u32) -> Option<ProbCut> {
        self.model.filter(|model| depth > model.depth)
    }
}

/// Pig: roll as often as you like, a 1 loses the turn's sum; first to 20 wins, or most points after twelve turns.
/// Values are thousandths of a point.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Pig {
    pub banked: [u8; 2],
    pub sum: u8,
    pub turns: u8,
    pub rolling: bool,
}

impl Pig {
    fn mover(&self) -> Player {
        Player::from_index(usize::from(self.turns) % 2)
    }

    fn pass(&mut self) {
        self.sum = 0;
        self.turns += 1;
    }
}

impl Game for Pig {
    type Move = bool;

    fn turn(&self) -> Turn {
        if self.banked.iter().any(|&banked| banked >= 20) || self.turns == 12 {
            Turn::Over
        } else if self.rolling {
            Turn::Chance
        } else {
            Turn::Player(self.mover())
        }
    }

    fn moves(&self, moves: &mut Vec<bool>) {
        if let Turn::Player(_) = self.turn() {
            moves.extend([true, false]);
        }
    }

    fn play(&mut self, roll: bool) {
        if roll {
            self.rolling = true;
        } else {
            let mover = self.mover();
            self.banked[mover] += self.sum;
            self.pass();
        }
    }

    fn points(&self) -> [i32; 2] {
        self.banked.map(i32::from)
    }

    fn value(&self) -> i32 {
        1000 * (i32::from(self.banked[0]) - i32::from(self.banked[1]))
    }
}

impl Chance for Pig {
    type Outcome = u8;

    fn outcomes(&self, outcomes: &mut Vec<(u8, u32)>) {
        if self.turn() == Turn::Chance {
            outcomes.extend((1..=6).map(|face| (face, 1)));
        }
    }

    fn resolve(&mut self, face: u8) {
        self.rolling = false;
        if face == 1 {
            self.pass();
        } else {
            self.sum = (self.sum + face).min(30);
        }
    }
}

/// Evaluates the toys that are no [`Wood`], with keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Toy;

impl Heuristics<TicTacToe> for Toy {
    fn evaluate(&mut self, state: &TicTacToe) -> i32 {
        state.value()
    }

    fn key(&self, state: &TicTacToe) -> Option<u64> {
        Some(mix(&state.marks.map(u64::from)))
    }

    fn slots(&self) -> usize {
        9
    }

    fn slot(&self, _: &TicTacToe, cell: u8) -> usize {
        usize::from(cell)
    }
}

impl Heuristics<Nim> for Toy {
    fn evaluate(&mut self, _: &Nim) -> i32 {
        0
    }

    fn key(&self, state: &Nim) -> Option<u64> {
        Some(mix(&[u64::from(state.matches), state.mover as u64]))
    }
}

impl Heuristics<Pig> for Toy {
    fn evaluate(&mut self, state: &Pig) -> i32 {
        state.value() + 500 * i32::from(state.sum) * state.mover().sign()
    }

    fn bounds(&self, _: &Pig, _: u32) -> Bounds {
        Bounds::new(-49_000, 49_000)
    }

    fn key(&self, state: &Pig) -> Option<u64> {
        let parts = [state.banked[0], state.banked[1], state.sum, state.turns, u8::from(state.rolling)];
        Some(mix(&parts.map(u64::from)))
    }
}
