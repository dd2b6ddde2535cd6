//! The ratings of other arenas, computed with the library `skillratings`.
//!
//! TrueSkill and OpenSkill process games one after the other without keeping them, so the result depends on the order
//! of the games. No order is better than another, so this module returns the mean over random orders, which are drawn
//! from a seed.

use super::RatedGame;
use contender_game::rules::Rng;
use skillratings::Outcomes;
use skillratings::trueskill::{TrueSkillConfig, TrueSkillRating};
use skillratings::weng_lin::{WengLinConfig, WengLinRating};

/// A bot's skill. Leaderboards show `mean - 3 deviation`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    /// The estimate, which is 25 for a new bot.
    pub mean: f64,
    /// The uncertainty, which is 25 / 3 for a new bot.
    pub deviation: f64,
}

/// Computes TrueSkill ratings with the usual parameters. The result is the mean over `orders` random orders of the
/// games.
///
/// Source: Herbrich, Minka, Graepel, "TrueSkill: a Bayesian skill rating system", 2006.
///
/// # Panics
/// Panics if a game contains a bot that does not exist, or if `orders` is 0.
#[must_use]
pub fn trueskill(bots: usize, games: &[RatedGame], orders: u32, seed: u64) -> Vec<Skill> {
    let config = TrueSkillConfig::new();
    let rate = |a: &TrueSkillRating, b: &TrueSkillRating, outcome: &Outcomes| {
        skillratings::trueskill::trueskill(a, b, outcome, &config)
    };
    mean_over_orders(bots, games, orders, seed, rate, |rating| Skill {
        mean: rating.rating,
        deviation: rating.uncertainty,
    })
}

/// Computes OpenSkill ratings (the model of Weng and Lin) with the usual parameters. The result is the mean over
/// `orders` random orders of the games.
///
/// Source: Weng, Lin, "A Bayesian approximation method for online ranking", 2011.
///
/// # Panics
/// Panics if a game contains a bot that does not exist, or if `orders` is 0.
#[must_use]
pub fn openskill(bots: usize, games: &[RatedGame], orders: u32, seed: u64) -> Vec<Skill> {
    let config = WengLinConfig::new();
    let rate = |a: &WengLinRating, b: &WengLinRating, outcome: &Outcomes| {
        skillratings::weng_lin::weng_lin(a, b, outcome, &config)
    };
    mean_over_orders(bots, games, orders, seed, rate, |rating| Skill {
        mean: rating.rating,
        deviation: rating.uncertainty,
    })
}

fn mean_over_orders<R: Default + Copy>(
    bots: usize,
    games: &[RatedGame],
    orders: u32,
    seed: u64,
    rate: impl Fn(&R, &R, &Outcomes) -> (R, R),
    skill: impl Fn(&R) -> Skill,
) -> Vec<Skill> {
    assert!(orders > 0, "`orders` must be at least 1");
    // Sort the games first, so that their original order does not matter.
    let mut sorted: Vec<([usize; 2], Outcomes)> = games
        .iter()
        .map(|game| {
            let outcome = match game.points[0].total_cmp(&game.points[1]) {
                std::cmp::Ordering::Greater => Outcomes::WIN,
                std::cmp::Ordering::Equal => Outcomes::DRAW,
                std::cmp::Ordering::Less => Outcomes::LOSS,
            };
            (game.players, outcome)
        })
        .collect();
    sorted.sort_by_key(|&(players, outcome)| (players, outcome as u8));
    let mut rng = Rng::new(seed);
    let mut sums = vec![Skill { mean: 0.0, deviation: 0.0 }; bots];
    for _ in 0..orders {
        rng.shuffle(&mut sorted);
        let mut ratings = vec![R::default(); bots];
        for &([zero, one], outcome) in &sorted {
            let (a, b) = rate(&ratings[zero], &ratings[one], &outcome);
            (ratings[zero], ratings[one]) = (a, b);
        }
        for (sum, rating) in sums.iter_mut().zip(&ratings) {
            let skill = skill(rating);
            sum.mean += skill.mean / f64::from(orders);
            sum.deviation += skill.deviation / f64::from(orders);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_bots_rate_higher_in_any_order() {
        let game = |players, points| RatedGame { players, points, pair: None };
        let mut games = Vec::new();
        for _ in 0..20 {
            games.extend([game([0, 1], [1.0, 0.0]), game([2, 1], [0.0, 1.0]), game([2, 0], [0.5, 0.5])]);
            games.extend([game([1, 0], [0.0, 1.0]), game([1, 2], [1.0, 0.0])]);
        }
        for rate in [trueskill, openskill] {
            let skills = rate(3, &games, 10, 1);
            assert!(skills[0].mean > skills[1].mean && skills[1].mean > skills[2].mean, "{skills:?}");
            assert!(skills.iter().all(|skill| skill.deviation < 25.0 / 3.0));
            let mut reversed = games.clone();
            reversed.reverse();
            assert_eq!(rate(3, &reversed, 10, 1), skills);
        }
    }
}
