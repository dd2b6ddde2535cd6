//! The weights of the evaluation.

/// The turns for which there are weights. Between these turns the weights change linearly.
pub(super) const PHASES: [u32; 3] = [0, 40, 85];

/// Weights for one phase of the game. All weights are for advantages of a player, except [`risk`](Weights::risk), which
/// is a cost.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Weights {
    pub organ: f32,
    /// Weight of cells reached first; distant cells count less.
    pub territory: f32,
    /// Weight of the first harvested source of each protein. All sources of a protein together are worth at most twice
    /// as much as the first one.
    pub income: [f32; 4],
    /// Weight of the stock's logarithm, for each protein.
    pub stock: [f32; 4],
    /// Weight of the logarithm of the number of affordable tentacles.
    pub pairs: f32,
    /// Weight of the logarithm of the number of affordable roots.
    pub root_stock: f32,
    /// Weight of the square root of the number of roots.
    pub roots: f32,
    /// Weight of sources that the player can reach first.
    pub promise: f32,
    /// Weight of organs that the player can lose in the next turn.
    pub risk: f32,
    /// Weight of guarded cells next to enemy organs.
    pub guard: f32,
    /// Weight of cells reached first that the player can still grow onto with its proteins and time.
    pub room: f32,
}

impl Weights {
    /// Number of weights.
    pub const COUNT: usize = 17;

    /// Returns the weights as plain numbers, in the order of the fields.
    #[must_use]
    pub fn numbers(&self) -> [f32; Weights::COUNT] {
        let ([a, b, c, d], [e, f, g, h]) = (self.income, self.stock);
        [
            self.organ,
            self.territory,
            a,
            b,
            c,
            d,
            e,
            f,
            g,
            h,
            self.pairs,
            self.root_stock,
            self.roots,
            self.promise,
            self.risk,
            self.guard,
            self.room,
        ]
    }

    /// Creates the weights from their [numbers](Weights::numbers).
    #[must_use]
    pub const fn of(numbers: &[f32; Weights::COUNT]) -> Weights {
        let &[organ, territory, a, b, c, d, e, f, g, h, pairs, root_stock, roots, promise, risk, guard, room] =
            numbers;
        Weights {
            organ,
            territory,
            income: [a, b, c, d],
            stock: [e, f, g, h],
            pairs,
            root_stock,
            roots,
            promise,
            risk,
            guard,
            room,
        }
    }

    /// Returns the weights after `turns` turns.
    pub(super) fn at(phases: &[Weights; 3], turn: u32) -> Weights {
        let later = if turn < PHASES[1] { 1 } else { 2 };
        let (from, to) = (PHASES[later - 1], PHASES[later]);
        let share = (turn - from).min(to - from) as f32 / (to - from) as f32;
        let (earlier, later) = (phases[later - 1].numbers(), phases[later].numbers());
        Weights::of(&std::array::from_fn(|at| earlier[at] + share * (later[at] - earlier[at])))
    }
}

/// The weights of the bundled bots.
pub const WEIGHTS: [Weights; 3] = [
    //           organ terr  income             stock                pairs root+ roots promise risk guard room
    Weights::of(&[0.6, 0.12, 3.5, 5.0, 5.5, 5.5, 1.5, 1.0, 1.8, 1.3, 1.4, 0.8, 4.5, 7.0, 0.6, 1.5, 0.1]),
    Weights::of(&[1.2, 0.20, 2.0, 4.5, 5.0, 2.5, 1.2, 0.6, 1.4, 1.0, 1.2, 0.8, 3.0, 5.0, 1.2, 1.2, 0.5]),
    Weights::of(&[1.0, 0.10, 1.0, 1.0, 1.0, 1.0, 0.2, 0.1, 0.2, 0.2, 0.3, 0.1, 0.5, 1.0, 0.8, 0.4, 0.8]),
];
