//! The value of a state, without looking ahead.

use super::reach::{frontier, neighbours, spread};
use super::weights::{Weights, PHASES};
use crate::{Cells, Content, Kind, State, Stock, TURN_LIMIT};
use contender_game::rules::{Player, Simultaneous};

/// The maximum distance that the evaluation distinguishes.
const FAR: u32 = 30;
/// The maximum stock that the evaluation distinguishes. Larger stocks are treated like this one.
const RICH: usize = 255;

/// The value of a won game, which is more than any lead in a game that is not over.
const WON: f32 = 2_000.0;
/// The lead that corresponds to a value of one half.
const LEVEL: f64 = 25.0;

/// The evaluation, with tables of all data that does not change during a game.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The weights, indexed by the number of turns played.
    weights: Vec<Weights>,
    /// Table of `ln(1 + n)`.
    logarithms: [f32; RICH + 1],
    /// The value of a cell for each distance.
    nearness: [f32; FAR as usize + 1],
    /// The value of a source for each distance.
    closeness: [f32; FAR as usize + 1],
    /// For each protein, the cells of its sources in the state that was passed to [`announce`](Evaluation::announce).
    sources: [Cells; 4],
}

/// The data that the evaluation uses about one player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Side {
    /// Number of cells that the player reaches first.
    pub cells: u32,
    /// The sum of the nearness values of these cells.
    pub territory: f32,
    /// For each protein, the total closeness of the sources that the player reaches first and does not harvest.
    pub promise: [f32; 4],
    pub income: [i32; 4],
    /// The sizes, in organs, of the two largest parts of the player's organisms that an enemy tentacle can kill in the
    /// next turn.
    pub risk: [u32; 2],
    /// Number of guarded cells that the enemy could grow onto if the player did not guard them.
    pub guarded: u32,
}

impl Evaluation {
    /// Creates the evaluation with these weights.
    #[must_use]
    pub fn new(phases: &[Weights; 3]) -> Evaluation {
        let powers = |base: f32| std::array::from_fn(|distance| base.powi(distance as i32));
        Evaluation {
            weights: (0..=TURN_LIMIT).map(|turn| Weights::at(phases, turn)).collect(),
            logarithms: std::array::from_fn(|n| (1.0 + n as f32).ln()),
            nearness: powers(0.95),
            closeness: powers(0.75),
            sources: [Cells::EMPTY; 4],
        }
    }

    /// Prepares the evaluation for states that follow from this one.
    pub fn announce(&mut self, state: &State) {
        self.sources = [Cells::EMPTY; 4];
        for cell in state.sources() {
            if let Content::Source(protein) = state.content(cell) {
                self.sources[protein as usize].insert(cell);
            }
        }
    }

    /// Returns the weights for a state.
    #[inline]
    pub(super) fn weights(&self, state: &State) -> &Weights {
        &self.weights[state.turns().min(TURN_LIMIT) as usize]
    }

    /// Returns `ln(1 + amount)`.
    #[inline]
    pub(super) fn logarithm(&self, amount: i32) -> f32 {
        self.logarithms[(amount.max(0) as usize).min(RICH)]
    }

    /// Returns the source cells of a protein.
    #[inline]
    pub(super) fn sources(&self, protein: usize) -> Cells {
        self.sources[protein]
    }

    /// Returns the value for player 0 of a state that follows from the announced state. The unit is about one organ. A
    /// finished game has a much larger absolute value than any other game.
    #[must_use]
    pub fn worth(&self, state: &State) -> f32 {
        if !state.is_over() {
            let sides = self.sides(state);
            let [zero, one] = Player::BOTH.map(|player| self.sum(state, player, &sides[player]));
            return zero - one;
        }
        let margin = (state.organ_count(Player::Zero) - state.organ_count(Player::One)) as f32;
        let left = (TURN_LIMIT - state.turns().min(TURN_LIMIT)) as f32;
        state.winner().map_or(0.0, |winner| (WON + left) * winner.sign() as f32 + 0.1 * margin)
    }

    /// Returns a value from -1 to 1, for averages in a search. Earlier wins are better. Among equally early wins,
    /// larger margins are better.
    #[must_use]
    pub fn value(&self, state: &State) -> f64 {
        let worth = f64::from(self.worth(state));
        worth / (worth.abs() + LEVEL)
    }

    pub(super) fn sides(&self, state: &State) -> [Side; 2] {
        let mut sides = [Side::default(); 2];
        let left = TURN_LIMIT.saturating_sub(state.turns());
        let wanted = Player::BOTH.map(|player| state.sources().without(state.harvested(player)));
        spread(state, FAR.min(left), |distance, rims| {
            for player in 0..2 {
                let side = &mut sides[player];
                let count = rims[player].len();
                side.cells += count;
                side.territory += count as f32 * self.nearness[distance as usize];
                let promising = rims[player] & wanted[player];
                if !promising.is_empty() {
                    for (promise, sources) in side.promise.iter_mut().zip(&self.sources) {
                        *promise += (promising & *sources).len() as f32 * self.closeness[distance as usize];
                    }
                }
            }
        });
        for player in Player::BOTH {
            let enemy = player.other();
            let reach = frontier(state, enemy);
            let side = &mut sides[player];
            let harvested = state.harvested(player);
            for (income, sources) in side.income.iter_mut().zip(&self.sources) {
                *income = (harvested & *sources).len() as i32;
            }
            side.guarded =
                (state.guarded(player) & neighbours(state.organ_cells(enemy)) & state.free()).len();
            if Kind::Tentacle.is_paid_by(state.stock(enemy)) {
                side.risk = self.risk(state, player, neighbours(reach) & state.organ_cells(player));
            }
        }
        sides
    }

    /// Returns the sizes of the two largest parts of the player's organisms that would die after a hit on one organ.
    fn risk(&self, state: &State, player: Player, hits: Cells) -> [u32; 2] {
        if hits.is_empty() {
            return [0; 2];
        }
        let sizes = state.subtree_sizes(player);
        let mut largest = [0; 2];
        for hit in hits {
            let size = u32::from(sizes[hit.index()]);
            if size > largest[0] {
                largest = [size, largest[0]];
            } else {
                largest[1] = largest[1].max(size);
            }
        }
        largest
    }

    fn sum(&self, state: &State, player: Player, side: &Side) -> f32 {
        let weights = self.weights(state).numbers();
        let terms = self.terms_of(state, player, side);
        let sum: f32 = weights.iter().zip(terms).map(|(weight, term)| weight * term).sum();
        sum + 0.002 * state.stock(player).iter().sum::<i32>().min(1_000) as f32
    }

    /// Returns the terms that are multiplied by a player's [weights](Weights::numbers).
    fn terms_of(&self, state: &State, player: Player, side: &Side) -> [f32; Weights::COUNT] {
        let left = TURN_LIMIT.saturating_sub(state.turns()) as i32;
        let stock = state.stock(player);
        let horizon = (left as f32 / 20.0).min(1.0);
        let roots = state.roots(player).len() as i32;
        let ln = |amount: i32| self.logarithm(amount);
        let promise: f32 = (side.promise.iter().zip(&side.income))
            .map(|(promise, &income)| (0.3 * promise).min(0.8) / (1 + income) as f32)
            .sum();
        let growths = growths(stock, &side.income, left).min(left * roots).min(side.cells as i32);
        let terms = Weights {
            organ: state.organ_count(player) as f32,
            territory: side.territory,
            income: side.income.map(|income| horizon * saturated(income)),
            stock: [0, 1, 2, 3].map(|protein: usize| ln(stock[protein])),
            pairs: ln(stock[1].min(stock[2])),
            root_stock: ln(stock.iter().copied().min().unwrap_or(0)),
            roots: horizon * ((roots as f32).sqrt() - 1.0),
            promise: horizon * promise,
            risk: -(side.risk[0] as f32 + 0.3 * side.risk[1] as f32),
            guard: side.guarded as f32,
            room: growths as f32,
        };
        terms.numbers()
    }

    /// Returns the inputs of the evaluation in a state, with their names. Each input is player 0's value minus player
    /// 1's value.
    #[must_use]
    pub fn inputs(&self, state: &State) -> Vec<(&'static str, f64)> {
        let [zero, one] = self.sides(state);
        let total = |side: &Side| f64::from(side.income.iter().sum::<i32>());
        vec![
            ("organs", f64::from(state.organ_count(Player::Zero) - state.organ_count(Player::One))),
            ("cells reached first", f64::from(zero.cells) - f64::from(one.cells)),
            ("income", total(&zero) - total(&one)),
            ("organs at risk", f64::from(zero.risk[0]) - f64::from(one.risk[0])),
            ("worth", f64::from(self.worth(state))),
        ]
    }
}

/// Returns the value of the income of one protein. The first protein per turn is worth 1, the second adds 1/3, and the
/// value stays below 2.
#[inline]
pub(super) fn saturated(income: i32) -> f32 {
    2.0 * income as f32 / (income + 1) as f32
}

/// Returns the number of organs of any type that a stock and the income until the end can pay for: organs that cost one
/// A, plus organs that cost two different proteins of B, C and D.
#[inline]
pub(super) fn growths(stock: &Stock, income: &[i32; 4], left: i32) -> i32 {
    let [a, b, c, d]: [i32; 4] =
        std::array::from_fn(|at| stock[at].min(1_000_000).saturating_add(income[at] * left));
    let sum = b + c + d;
    a + (sum / 2).min(sum - b.max(c).max(d))
}

const _: () = assert!(PHASES[2] < TURN_LIMIT);

#[cfg(test)]
mod tests {
    use super::super::testing::{after_random_turns, swapped};
    use super::*;
    use crate::heuristic::WEIGHTS;
    use crate::Cell;
    use contender_game::rules::Rng;

    #[test]
    fn worth_is_the_enemys_turned_round() {
        let mut evaluation = Evaluation::new(&WEIGHTS);
        after_random_turns(1, 60, |state, _| {
            if state.is_over() {
                return;
            }
            evaluation.announce(state);
            let (own, enemy) = (evaluation.worth(state), evaluation.worth(&swapped(state)));
            assert!((own + enemy).abs() < 1e-3 * own.abs().max(1.0), "{own} and {enemy} in {state:?}");
            assert!(evaluation.value(state).abs() <= 1.0);
        });
    }

    #[test]
    fn won_games_are_worth_more_than_any_lead_and_the_sooner_the_more() {
        let mut evaluation = Evaluation::new(&WEIGHTS);
        let mut most = 0.0f32;
        let mut won = Vec::new();
        after_random_turns(2, 200, |state, _| {
            evaluation.announce(state);
            let worth = evaluation.worth(state);
            match (state.is_over(), state.winner()) {
                (false, _) => most = most.max(worth.abs()),
                (true, winner) => {
                    assert_eq!(worth.partial_cmp(&0.0), winner.map_or(0, Player::sign).partial_cmp(&0));
                    assert!(winner.is_none() || worth.abs() >= WON);
                    won.extend(winner.map(|_| (state.turns(), worth.abs())));
                }
            }
        });
        // Twenty turns are worth more than any margin in these games.
        let much_sooner = |a: &(u32, f32), b: &(u32, f32)| a.0 + 20 <= b.0;
        let pairs = won.iter().flat_map(|a| won.iter().map(move |b| (a, b)));
        let compared =
            pairs.filter(|(a, b)| much_sooner(a, b)).inspect(|(a, b)| assert!(a.1 > b.1, "{a:?} {b:?}"));
        assert!(compared.count() > 50);
        assert!(most > 10.0 && most < WON - 100.0, "{most}");
    }

    #[test]
    fn risks_are_what_single_hits_kill() {
        let evaluation = Evaluation::new(&WEIGHTS);
        let mut seen = 0;
        after_random_turns(3, 60, |state, rng: &mut Rng| {
            for player in Player::BOTH {
                let organs: Vec<Cell> = state.organ_cells(player).iter().collect();
                let hits: Cells = organs.iter().copied().filter(|_| rng.below(6) == 0).collect();
                let parts = hits.iter().map(|hit| state.doomed(player, [hit].into_iter().collect()).len());
                let mut parts: Vec<u32> = parts.collect();
                parts.sort_unstable_by(|a, b| b.cmp(a));
                let [largest, second] = [0, 1].map(|at| parts.get(at).copied().unwrap_or(0));
                assert_eq!(evaluation.risk(state, player, hits), [largest, second]);
                seen += u32::from(largest > second && second > 2);
            }
        });
        assert!(seen > 100, "{seen}");
    }

    #[test]
    fn growths_are_counted_like_by_paying_one_after_the_other() {
        let mut rng = Rng::new(4);
        for _ in 0..2_000 {
            let stock: Stock = std::array::from_fn(|_| rng.below(12) as i32);
            // Takes the most even pairs first, always from the two largest piles of B, C and D.
            let mut piles = [stock[1], stock[2], stock[3]];
            let mut count = stock[0];
            loop {
                piles.sort_unstable();
                if piles[1] == 0 {
                    break;
                }
                piles[1] -= 1;
                piles[2] -= 1;
                count += 1;
            }
            assert_eq!(growths(&stock, &[0; 4], 9), count, "{stock:?}");
        }
    }
}
