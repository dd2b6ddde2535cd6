//! Formulas that select the child to follow in an iteration.

/// The statistics of a child that the formulas use.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arm {
    /// Number of iterations through the child.
    pub visits: u32,
    /// Mean reward of these iterations for the player who chooses; 0 if there are no visits.
    pub reward: f32,
    /// `1 / sqrt(visits)`; 1 if there are no visits.
    pub spread: f32,
    /// The child's [prior](super::LeafEvaluator::priors).
    pub prior: f32,
}

impl Arm {
    /// Creates the statistics of a child with this number of visits and this sum of rewards, without a prior.
    #[must_use]
    pub fn new(visits: u32, sum: f64) -> Arm {
        let count = f64::from(visits.max(1));
        let (reward, spread) = ((sum / count) as f32, count.sqrt().recip() as f32);
        Arm { visits, reward, spread, prior: 0.0 }
    }
}

/// A formula that computes the urgency of each child. The search follows the child with the highest urgency.
///
/// ```
/// use contender_search::mcts::{Arm, Select};
///
/// /// Always follows the child with the highest mean reward.
/// struct Greedy;
///
/// impl Select for Greedy {
///     type Parent = ();
///
///     fn parent(&self, _visits: u32, _reward: impl FnOnce() -> f32) {}
///
///     fn tries_all_first(&self) -> bool {
///         true
///     }
///
///     fn urgency(&self, (): (), arm: &Arm) -> f32 {
///         if arm.visits == 0 { f32::INFINITY } else { arm.reward }
///     }
/// }
///
/// assert!(Greedy.urgency((), &Arm::new(2, 1.8)) > Greedy.urgency((), &Arm::new(9, 6.3)));
/// ```
pub trait Select {
    /// The data that all children of a node share and that is computed only once.
    type Parent: Copy;

    /// Computes the data of a node with this number of visits. The closure `reward` computes the mean reward of the
    /// player who chooses at the node.
    fn parent(&self, visits: u32, reward: impl FnOnce() -> f32) -> Self::Parent;

    /// Returns whether every child must be tried once, in order, before any child is followed again.
    fn tries_all_first(&self) -> bool;

    /// Returns the urgency of a child, which is infinite for a child that must be tried first.
    fn urgency(&self, parent: Self::Parent, arm: &Arm) -> f32;
}

/// Upper confidence bounds applied to trees (UCT), with optional terms: `reward + exploration * sqrt(ln(parent visits)
/// / visits) + bias`.
///
/// Source: Kocsis, Szepesvari, 2006.
///
/// ```
/// use contender_search::mcts::{Arm, Select, Uct};
///
/// // A child with a lower mean, but few visits, is more urgent.
/// let uct = Uct::new(1.0);
/// let parent = uct.parent(101, || 0.5);
/// assert!(uct.urgency(parent, &Arm::new(1, 0.4)) > uct.urgency(parent, &Arm::new(100, 60.0)));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Uct {
    /// The weight of exploration, in the unit of the rewards. The square root of 2 suits rewards between 0 and 1.
    pub exploration: f32,
    /// The urgency of a child without visits. With `None`, every child is tried once first.
    ///
    /// Source: Wang, Gelly, "Modifications of UCT and sequence-like simulations for Monte-Carlo Go", 2007 (first-play
    /// urgency).
    pub first_play: Option<f32>,
    /// Weight of the progressive bias `prior / (visits + 1)`, which favours promising moves at first and then fades; 0
    /// disables the bias.
    ///
    /// Source: Chaslot et al., "Progressive strategies for Monte-Carlo tree search", 2008.
    pub bias: f32,
}

impl Uct {
    /// Creates plain UCT with this exploration weight.
    #[must_use]
    pub const fn new(exploration: f32) -> Uct {
        Uct { exploration, first_play: None, bias: 0.0 }
    }
}

impl Select for Uct {
    type Parent = f32;

    fn parent(&self, visits: u32, _reward: impl FnOnce() -> f32) -> f32 {
        self.exploration * (visits.max(1) as f32).ln().sqrt()
    }

    fn tries_all_first(&self) -> bool {
        self.first_play.is_none()
    }

    #[inline]
    fn urgency(&self, exploration: f32, arm: &Arm) -> f32 {
        let bias = self.bias * arm.prior * (1.0 / (arm.visits + 1) as f32);
        if arm.visits == 0 {
            return self.first_play.map_or(f32::INFINITY, |urgency| urgency + bias);
        }
        arm.reward + exploration * arm.spread + bias
    }
}

/// Predictor plus upper confidence bounds applied to trees (PUCT): `reward + exploration * prior * sqrt(parent visits)
/// / (visits + 1)`, with prior probabilities from a policy.
///
/// Source: Rosin, "Multi-armed bandits with episode context", 2011, in the form of Silver et al., "Mastering the game
/// of Go without human knowledge", 2017.
///
/// ```
/// use contender_search::mcts::{Arm, Puct, Select};
///
/// // Children without visits are tried by their priors.
/// let puct = Puct { exploration: 1.5, first_play_reduction: 0.1 };
/// let [likely, unlikely] = [0.7, 0.1].map(|prior| Arm { prior, ..Arm::new(0, 0.0) });
/// let parent = puct.parent(1, || 0.5);
/// assert!(puct.urgency(parent, &likely) > puct.urgency(parent, &unlikely));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Puct {
    /// The weight of exploration, in the unit of the rewards.
    pub exploration: f32,
    /// The amount by which an unvisited child's assumed value is below its parent's value.
    pub first_play_reduction: f32,
}

impl Select for Puct {
    type Parent = (f32, f32);

    fn parent(&self, visits: u32, reward: impl FnOnce() -> f32) -> (f32, f32) {
        (self.exploration * (visits.max(1) as f32).sqrt(), reward() - self.first_play_reduction)
    }

    fn tries_all_first(&self) -> bool {
        false
    }

    #[inline]
    fn urgency(&self, (exploration, first_play): (f32, f32), arm: &Arm) -> f32 {
        let reward = if arm.visits == 0 { first_play } else { arm.reward };
        reward + exploration * arm.prior / (arm.visits + 1) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARM: Arm = Arm { visits: 4, reward: 0.5, spread: 0.5, prior: 0.2 };

    const UNTRIED: Arm = Arm { visits: 0, reward: 0.0, spread: 1.0, ..ARM };

    #[test]
    fn uct_is_the_formula() {
        let uct = Uct::new(2.0);
        let urgency = uct.urgency(uct.parent(100, || 0.0), &ARM);
        assert!((urgency - (0.5 + 2.0 * (100f32.ln() / 4.0).sqrt())).abs() < 1e-5);
        assert_eq!(uct.urgency(uct.parent(100, || 0.0), &UNTRIED), f32::INFINITY);
    }

    #[test]
    fn terms_add_up() {
        let plain = Uct { exploration: 0.0, first_play: Some(0.3), bias: 0.0 };
        let biased = Uct { bias: 10.0, ..plain };
        assert_eq!(biased.urgency(0.0, &ARM), 0.5 + 10.0 * 0.2 / 5.0);
        assert_eq!(plain.urgency(0.0, &UNTRIED), 0.3);
    }

    #[test]
    fn puct_is_the_formula() {
        let puct = Puct { exploration: 1.5, first_play_reduction: 0.1 };
        let parent = puct.parent(100, || 0.4);
        assert!((puct.urgency(parent, &ARM) - (0.5 + 1.5 * 10.0 * 0.2 / 5.0)).abs() < 1e-6);
        assert!((puct.urgency(parent, &UNTRIED) - (0.3 + 1.5 * 10.0 * 0.2)).abs() < 1e-6);
    }
}
