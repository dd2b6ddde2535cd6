//! Strengths in Elo from wins, draws and losses.

use super::plackett_luce::ELO;
use super::{PlackettLuce, RankedGame, RatedGame, Strengths};

/// The Bradley-Terry model with draws and an advantage of seat 0.
///
/// A win of the bot in seat 0, a draw, and a loss have probabilities proportional to `e^(a + s)`, `e^(d + (a + s + b) /
/// 2)` and `e^b`. Here `a` and `b` are the strengths of the bots in seats 0 and 1, `s` is the advantage of seat 0, and
/// `d` is the tendency to draw. One unit of these parameters is 400 / ln 10 Elo. The estimate is the mode of the
/// posterior with a normal prior of mean 0 and standard deviation 2 (347 Elo) for each parameter. This prior is weak,
/// but it gives a finite strength to a bot that has won all its games. Games are assumed to be independent.
///
/// Sources: Bradley, Terry, 1952; Davidson, "On extending the Bradley-Terry model to accommodate ties in paired
/// comparison experiments", 1970; the advantage of a seat as in Davidson, Beaver, 1977.
#[derive(Clone, Debug)]
pub struct BradleyTerry {
    /// Strengths in Elo. Their intervals come from the curvature of the posterior.
    pub strengths: Strengths,
    /// The advantage of seat 0 in Elo.
    pub advantage: f64,
    /// Share of draws between two equally strong bots with equal seats.
    pub draws: f64,
}

impl BradleyTerry {
    /// Fits the strengths of `bots` bots, numbered from 0. The bot with more points has won.
    ///
    /// # Panics
    /// Panics if a game contains a bot that does not exist.
    #[must_use]
    pub fn fit(bots: usize, games: &[RatedGame]) -> Self {
        let ranked: Vec<RankedGame> = games
            .iter()
            .map(|game| {
                let [zero, one] = game.points;
                let ranks = vec![u32::from(zero < one), u32::from(one < zero)];
                RankedGame { players: game.players.to_vec(), ranks }
            })
            .collect();
        let PlackettLuce { strengths, seats, ties } = PlackettLuce::fit(bots, &ranked);
        BradleyTerry { strengths, advantage: seats[0], draws: probabilities(0.0, 0.0, 0.0, ties[0])[1] }
    }
}

/// Returns the probabilities of a win of seat 0, a draw, and a loss, if seat 0 has a lead of `elo`, including the
/// advantage of the seat.
pub fn results_of(elo: f64, draw: f64) -> [f64; 3] {
    probabilities(elo / ELO, 0.0, 0.0, draw)
}

/// Returns the probabilities of a win of seat 0, a draw, and a loss.
fn probabilities(zero: f64, one: f64, seat: f64, draw: f64) -> [f64; 3] {
    let exponents = [zero + seat, draw + (zero + seat + one) / 2.0, one];
    let largest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = exponents.map(|exponent| (exponent - largest).exp());
    let total: f64 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;

    /// Standard deviation of the prior.
    const PRIOR: f64 = 2.0;

    /// Wins, draws and losses of seat 0, by the bots in the two seats.
    type Counts = std::collections::BTreeMap<[usize; 2], [f64; 3]>;

    /// Returns the log posterior, computed from the formula of the model. The test compares this slow reference
    /// implementation with the fit, which works for any number of players.
    fn log_posterior(bots: usize, counts: &Counts, parameters: &[f64]) -> f64 {
        let (draw, seat) = (parameters[bots], parameters[bots + 1]);
        let likelihood: f64 = counts
            .iter()
            .map(|(&[zero, one], counts)| {
                let p = probabilities(parameters[zero], parameters[one], seat, draw);
                counts
                    .iter()
                    .zip(p)
                    .filter(|(count, _)| **count > 0.0)
                    .map(|(count, p)| count * p.ln())
                    .sum::<f64>()
            })
            .sum();
        likelihood - parameters.iter().map(|value| value * value).sum::<f64>() / (2.0 * PRIOR * PRIOR)
    }

    /// Generates games between bots of known strengths.
    fn league(elo: &[f64], seat: f64, draw: f64, each: usize, rng: &mut Rng) -> Vec<RatedGame> {
        let mut games = Vec::new();
        for zero in 0..elo.len() {
            for one in (0..elo.len()).filter(|&one| one != zero) {
                let p = probabilities(elo[zero] / ELO, elo[one] / ELO, seat / ELO, draw);
                for _ in 0..each {
                    let uniform = f64::from(rng.below(1 << 30)) / f64::from(1 << 30);
                    let points = if uniform < p[0] {
                        [1.0, 0.0]
                    } else if uniform < p[0] + p[1] {
                        [0.5, 0.5]
                    } else {
                        [0.0, 1.0]
                    };
                    games.push(RatedGame { players: [zero, one], points, pair: None });
                }
            }
        }
        games
    }

    #[test]
    fn finds_the_truth_as_often_as_it_says() {
        let elo = [120.0, 30.0, 0.0, -50.0, -100.0];
        let mut rng = Rng::new(1);
        let mut held = 0;
        for _ in 0..300 {
            let fit = BradleyTerry::fit(5, &league(&elo, 40.0, 0.3, 10, &mut rng));
            held +=
                (0..5).filter(|&bot| fit.strengths.interval(bot, 0.95).unwrap().contains(elo[bot])).count();
        }
        let share = held as f64 / 1500.0;
        assert!((0.93..0.97).contains(&share), "{share}");
    }

    #[test]
    fn seat_and_draws_are_estimated() {
        let mut rng = Rng::new(2);
        let fit = BradleyTerry::fit(3, &league(&[50.0, 0.0, -50.0], 60.0, 0.5, 2_000, &mut rng));
        assert!((fit.advantage - 60.0).abs() < 12.0, "{fit:?}");
        let draws = probabilities(0.0, 0.0, 0.0, 0.5)[1];
        assert!((fit.draws - draws).abs() < 0.02, "{fit:?} {draws}");
    }

    /// Checks that no small step away from the mode increases the posterior. The test tries both directions of every
    /// parameter.
    #[test]
    fn the_estimate_is_the_mode() {
        let mut rng = Rng::new(3);
        for _ in 0..50 {
            let games = league(&[80.0, 0.0, -80.0], 20.0, -0.5, 3, &mut rng);
            let fit = BradleyTerry::fit(3, &games);
            let mut counts = Counts::new();
            for game in &games {
                let result = (1.0 - game.points[0] + game.points[1]) as usize;
                counts.entry(game.players).or_default()[result] += 1.0;
            }
            // The tendency to draw, recovered from the share of draws at equal strengths.
            let draw = (2.0 * fit.draws / (1.0 - fit.draws)).ln();
            let mut at: Vec<f64> = fit.strengths.values().iter().map(|elo| elo / ELO).collect();
            at.extend([draw, fit.advantage / ELO]);
            let best = log_posterior(3, &counts, &at);
            for parameter in 0..5 {
                for step in [-1e-3, 1e-3] {
                    let mut moved = at.clone();
                    moved[parameter] += step;
                    assert!(log_posterior(3, &counts, &moved) <= best + 1e-9);
                }
            }
        }
    }

    #[test]
    fn a_bot_that_always_wins_stays_finite_and_order_does_not_matter() {
        let mut games = vec![RatedGame { players: [0, 1], points: [9.0, 1.0], pair: None }; 20];
        games.extend([RatedGame { players: [1, 2], points: [3.0, 3.0], pair: None }; 5]);
        let fit = BradleyTerry::fit(3, &games);
        assert!(fit.strengths.values().iter().all(|elo| elo.abs() < 2_000.0), "{fit:?}");
        games.reverse();
        assert_eq!(fit.strengths.values(), BradleyTerry::fit(3, &games).strengths.values());
    }
}
