//! Strengths in Elo from ranks in games of two or more players.

use super::Strengths;
use super::linear::{centre, inverse};
use contender_game::rules::Rng;
use std::collections::BTreeMap;

/// The Plackett-Luce model with ties and with an advantage of each seat.
///
/// Ranks are given out from the best to the last. At each step, a group `C` of the remaining players (several players
/// if they are tied) takes the next rank with a probability proportional to `e^(d + m)`. Here `m` is the mean strength
/// of the group's players, including the advantages of their seats. `d` is the tendency to ties of this number of
/// players, and 0 for a single player. One unit of strength is 400 / ln 10 Elo.
///
/// The estimate is the mode of the posterior with a normal prior of mean 0 and standard deviation 2 (347 Elo) for each
/// parameter. This prior is weak, but it gives a finite strength to a bot that has won all its games. Games are assumed
/// to be independent. With two players this is the Bradley-Terry model with Davidson's draws.
///
/// Sources: Bradley, Terry, 1952; Luce, 1959; Davidson, "On extending the Bradley-Terry model to accommodate ties in
/// paired comparison experiments", 1970; Plackett, "The analysis of permutations", 1975; the advantage of a seat as in
/// Davidson, Beaver, 1977; ties as in Turner, van Etten, Firth, Kosmidis, "Modelling rankings in R: the PlackettLuce
/// package", 2020.
#[derive(Clone, Debug)]
pub struct PlackettLuce {
    /// Strengths in Elo. Their intervals come from the curvature of the posterior.
    pub strengths: Strengths,
    /// The advantage of each seat over the last seat, in Elo.
    pub seats: Vec<f64>,
    /// The tendencies to ties of two, three, ... players.
    pub ties: Vec<f64>,
}

/// A finished game with two or more players.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RankedGame {
    /// The bot in each seat, as an index from 0. A bot occurs at most once.
    pub players: Vec<usize>,
    /// The ranks by seat. 0 is the best, and equal numbers are a tie.
    pub ranks: Vec<u32>,
}

/// Elo per unit of strength in the model.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Standard deviation of the prior.
const PRIOR: f64 = 2.0;
/// Maximum number of players in a game. The maximum is small because the model enumerates all groups of players.
pub const MAX_PLAYERS: usize = 8;

impl PlackettLuce {
    /// Fits the strengths of `bots` bots, numbered from 0.
    ///
    /// # Panics
    /// Panics if a game contains a bot that does not exist, or does not have two to eight players with a rank each.
    #[must_use]
    pub fn fit(bots: usize, games: &[RankedGame]) -> PlackettLuce {
        // Count equal games.
        let mut counts = BTreeMap::<&RankedGame, f64>::new();
        for game in games {
            let seats = game.players.len();
            assert!(
                (2..=MAX_PLAYERS).contains(&seats) && game.ranks.len() == seats,
                "a game must have a rank for each player"
            );
            assert!(
                game.players.iter().all(|&bot| bot < bots),
                "every player of a game must be one of the \
                                                                 bots"
            );
            *counts.entry(game).or_default() += 1.0;
        }
        let seats = games.iter().map(|game| game.players.len()).max().unwrap_or(2);
        let games = Games { bots, seats, counts };
        let (parameters, hessian) = games.mode();
        let size = parameters.len();
        let full = inverse(size, hessian);
        let mut covariance: Vec<f64> =
            (0..bots).flat_map(|row| full[row * size..][..bots].to_vec()).collect();
        for row in covariance.chunks_mut(bots.max(1)) {
            centre(row);
        }
        for column in 0..bots {
            let mut along: Vec<f64> = (0..bots).map(|row| covariance[row * bots + column]).collect();
            centre(&mut along);
            along.into_iter().enumerate().for_each(|(row, value)| covariance[row * bots + column] = value);
        }
        let mut values: Vec<f64> = parameters[..bots].iter().map(|strength| ELO * strength).collect();
        centre(&mut values);
        let covariance = covariance.into_iter().map(|value| ELO * ELO * value).collect();
        let mut advantages: Vec<f64> =
            parameters[games.seat(0)..games.tie(2)].iter().map(|seat| ELO * seat).collect();
        advantages.push(0.0);
        PlackettLuce {
            strengths: Strengths::new(values, Some(covariance), f64::INFINITY),
            seats: advantages,
            ties: parameters[games.tie(2)..].to_vec(),
        }
    }
}

/// The games of a league. Equal games are stored once, together with their number.
///
/// The parameters are the bots' strengths, the advantages of all seats except the last, and the tendencies to ties of
/// two or more players.
struct Games<'a> {
    bots: usize,
    seats: usize,
    counts: BTreeMap<&'a RankedGame, f64>,
}

/// A group of players that can take the next rank.
struct Chance {
    /// The seats in the group, as a bit set.
    group: u32,
    probability: f64,
    /// The features of the group: parameters with their factors.
    features: Vec<(usize, f64)>,
}

impl Games<'_> {
    fn size(&self) -> usize {
        self.bots + 2 * (self.seats - 1)
    }

    /// Returns the index of the parameter for a seat's advantage. The last seat has no parameter.
    fn seat(&self, seat: usize) -> usize {
        self.bots + seat
    }

    /// Returns the index of the parameter for ties of `players` players.
    fn tie(&self, players: usize) -> usize {
        self.bots + self.seats - 1 + players - 2
    }

    /// Returns the most likely parameters, and the negated second derivatives at that point.
    fn mode(&self) -> (Vec<f64>, Vec<f64>) {
        let size = self.size();
        let mut parameters = vec![0.0; size];
        let mut hessian = Vec::new();
        // Newton's method. The posterior is log-concave, and a step that overshoots is halved.
        for _ in 0..100 {
            let (gradient, curvature) = self.derivatives(&parameters);
            hessian = curvature;
            let steps = inverse(size, hessian.clone());
            let step: Vec<f64> = (0..size)
                .map(|row| (0..size).map(|column| steps[row * size + column] * gradient[column]).sum())
                .collect();
            let moved = |scale: f64| -> Vec<f64> {
                parameters.iter().zip(&step).map(|(parameter, step)| parameter + scale * step).collect()
            };
            let mut scale = 1.0;
            // Close to the mode, rounding would hide whether a step overshoots, and whole steps converge.
            let gain: f64 = gradient.iter().zip(&step).map(|(slope, step)| slope * step).sum();
            if gain > 1e-6 {
                let before = self.log_posterior(&parameters);
                while self.log_posterior(&moved(scale)) < before && scale > 1e-6 {
                    scale /= 2.0;
                }
            }
            parameters = moved(scale);
            if step.iter().all(|step| step.abs() < 1e-10) {
                break;
            }
        }
        (parameters, hessian)
    }

    /// Returns the features of a group of seats in a game. The group's weight is `e` to the power of the sum of the
    /// parameters times their factors.
    fn features(&self, game: &RankedGame, group: u32) -> Vec<(usize, f64)> {
        let count = group.count_ones() as usize;
        let share = 1.0 / count as f64;
        let members = (0..game.players.len()).filter(|seat| group >> seat & 1 == 1);
        let mut features: Vec<(usize, f64)> = Vec::with_capacity(2 * count + 1);
        for seat in members {
            features.push((game.players[seat], share));
            if seat + 1 < self.seats {
                features.push((self.seat(seat), share));
            }
        }
        if count > 1 {
            features.push((self.tie(count), 1.0));
        }
        features
    }

    /// Returns the choices that led to the ranks of a game: the remaining seats, and the group among them that took the
    /// next rank.
    fn choices(game: &RankedGame) -> impl Iterator<Item = (u32, u32)> {
        let mut ranks = game.ranks.clone();
        ranks.sort_unstable();
        ranks.dedup();
        let mut left = (1_u32 << game.players.len()) - 1;
        ranks.into_iter().map_while(move |rank| {
            let group = (0..game.ranks.len())
                .filter(|&seat| game.ranks[seat] == rank)
                .fold(0, |group, seat| group | 1 << seat);
            let before = left;
            left &= !group;
            // If only one player remains, there is no choice.
            (before.count_ones() > 1).then_some((before, group))
        })
    }

    /// Returns the groups that can take the next rank, with their probabilities and features.
    fn chances(&self, game: &RankedGame, left: u32, parameters: &[f64]) -> Vec<Chance> {
        let groups = (1..=left).filter(|group| group & !left == 0);
        let mut chances: Vec<Chance> = groups
            .map(|group| {
                let features = self.features(game, group);
                let exponent = features.iter().map(|&(at, factor)| factor * parameters[at]).sum();
                Chance { group, probability: exponent, features }
            })
            .collect();
        // Turn exponents into weights, and weights into probabilities.
        let largest = chances.iter().map(|chance| chance.probability).fold(f64::NEG_INFINITY, f64::max);
        chances.iter_mut().for_each(|chance| chance.probability = (chance.probability - largest).exp());
        let total: f64 = chances.iter().map(|chance| chance.probability).sum();
        chances.iter_mut().for_each(|chance| chance.probability /= total);
        chances
    }

    fn log_posterior(&self, parameters: &[f64]) -> f64 {
        let of_game = |(game, count): (&&RankedGame, &f64)| -> f64 {
            let of_choice = |(left, group): (u32, u32)| {
                let chances = self.chances(game, left, parameters);
                chances
                    .iter()
                    .find(|chance| chance.group == group)
                    .map_or(0.0, |chance| chance.probability.ln())
            };
            count * Self::choices(game).map(of_choice).sum::<f64>()
        };
        let likelihood: f64 = self.counts.iter().map(of_game).sum();
        likelihood - parameters.iter().map(|value| value * value).sum::<f64>() / (2.0 * PRIOR * PRIOR)
    }

    /// Returns the gradient and the negated second derivatives of the log posterior.
    fn derivatives(&self, parameters: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = self.size();
        let mut gradient: Vec<f64> = parameters.iter().map(|value| -value / (PRIOR * PRIOR)).collect();
        let mut curvature = vec![0.0; size * size];
        (0..size).for_each(|at| curvature[at * size + at] = 1.0 / (PRIOR * PRIOR));
        let mut mean = vec![0.0; size];
        for (game, count) in &self.counts {
            for (left, group) in Self::choices(game) {
                let chances = self.chances(game, left, parameters);
                for Chance { group: other, probability, features } in &chances {
                    for &(row, factor) in features {
                        mean[row] += probability * factor;
                        for &(column, second) in features {
                            curvature[row * size + column] += count * probability * factor * second;
                        }
                        if *other == group {
                            gradient[row] += count * factor;
                        }
                    }
                }
                // The largest group has the features of all its members.
                let Some(Chance { features, .. }) = chances.last() else { continue };
                let mut touched: Vec<usize> = features.iter().map(|&(at, _)| at).collect();
                for players in 2..left.count_ones() as usize {
                    touched.push(self.tie(players));
                }
                for &row in &touched {
                    gradient[row] -= count * mean[row];
                    for &column in &touched {
                        curvature[row * size + column] -= count * mean[row] * mean[column];
                    }
                }
                touched.into_iter().for_each(|at| mean[at] = 0.0);
            }
        }
        (gradient, curvature)
    }
}

/// Draws the ranks of a game from the model. The arguments are the strengths by seat in Elo, including the advantages
/// of the seats, and the tendencies to ties of two, three, ... players.
///
/// # Panics
/// Panics if there are more than eight strengths.
#[must_use]
pub fn draw_ranks(elo: &[f64], ties: &[f64], rng: &mut Rng) -> Vec<u32> {
    assert!(elo.len() <= MAX_PLAYERS, "a game must have at most eight players");
    let mut ranks = vec![0; elo.len()];
    let mut left = (1_u32 << elo.len()) - 1;
    while left != 0 {
        let taken = elo.len() as u32 - left.count_ones();
        let weights: Vec<(u32, f64)> = (1..=left)
            .filter(|group| group & !left == 0)
            .map(|group| {
                let count = group.count_ones() as usize;
                let sum: f64 =
                    (0..elo.len()).filter(|seat| group >> seat & 1 == 1).map(|seat| elo[seat] / ELO).sum();
                let tie =
                    if count == 1 { 0.0 } else { ties.get(count - 2).copied().unwrap_or(f64::NEG_INFINITY) };
                (group, (tie + sum / count as f64).exp())
            })
            .collect();
        let mut place = rng.unit() * weights.iter().map(|(_, weight)| weight).sum::<f64>();
        let found = weights.iter().find(|(_, weight)| {
            place -= weight;
            place < 0.0
        });
        let group = found.or(weights.last()).map_or(left, |(group, _)| *group);
        (0..elo.len()).filter(|seat| group >> seat & 1 == 1).for_each(|seat| ranks[seat] = taken);
        left &= !group;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELO_OF_BOTS: [f64; 5] = [120.0, 30.0, 0.0, -50.0, -100.0];

    /// Generates rounds of games between some of the bots, one game for each rotation of the seats.
    fn league(players: usize, rounds: usize, rng: &mut Rng) -> Vec<RankedGame> {
        let mut games = Vec::new();
        for round in 0..rounds {
            let first: Vec<usize> =
                (0..players).map(|seat| (round + seat * (1 + round / 5 % 2)) % 5).collect();
            for rotation in 0..players {
                let seated: Vec<usize> =
                    (0..players).map(|seat| first[(seat + rotation) % players]).collect();
                let elo: Vec<f64> = seated
                    .iter()
                    .enumerate()
                    .map(|(seat, &bot)| ELO_OF_BOTS[bot] + if seat == 0 { 40.0 } else { 0.0 })
                    .collect();
                let ranks = draw_ranks(&elo, &[0.0, -1.0, -2.0], rng);
                games.push(RankedGame { players: seated, ranks });
            }
        }
        games
    }

    #[test]
    fn finds_the_truth_as_often_as_it_says() {
        for players in 2..=4 {
            let mut rng = Rng::new(players as u64);
            let mut held = 0;
            for _ in 0..200 {
                let fit = PlackettLuce::fit(5, &league(players, 60 / players, &mut rng));
                held += (0..5)
                    .filter(|&bot| fit.strengths.interval(bot, 0.95).unwrap().contains(ELO_OF_BOTS[bot]))
                    .count();
            }
            let share = held as f64 / 1000.0;
            assert!((0.925..0.975).contains(&share), "{players} players: {share}");
        }
    }

    #[test]
    fn seats_and_ties_are_estimated() {
        let fit = PlackettLuce::fit(5, &league(3, 4_000, &mut Rng::new(9)));
        assert!(
            (fit.seats[0] - 40.0).abs() < 12.0 && fit.seats[1].abs() < 12.0 && fit.seats[2] == 0.0,
            "{fit:?}"
        );
        assert!(fit.ties[0].abs() < 0.1 && (fit.ties[1] + 1.0).abs() < 0.1, "{fit:?}");
    }

    /// Checks that no small step away from the mode increases the posterior. The test tries both directions of every
    /// parameter.
    #[test]
    fn the_estimate_is_the_mode_and_order_does_not_matter() {
        let mut games = league(4, 30, &mut Rng::new(5));
        let fit = PlackettLuce::fit(5, &games);
        let mut counts = BTreeMap::new();
        games.iter().for_each(|game| *counts.entry(game).or_default() += 1.0);
        let all = Games { bots: 5, seats: 4, counts };
        let (mode, _) = all.mode();
        let best = all.log_posterior(&mode);
        for parameter in 0..all.size() {
            for step in [-1e-3, 1e-3] {
                let mut moved = mode.clone();
                moved[parameter] += step;
                assert!(all.log_posterior(&moved) <= best + 1e-9);
            }
        }
        games.reverse();
        assert_eq!(fit.strengths.values(), PlackettLuce::fit(5, &games).strengths.values());
    }

    /// With two players, the posterior is that of Bradley and Terry's model, written down from its formula.
    #[test]
    fn two_players_are_bradley_and_terry() {
        let games = league(2, 30, &mut Rng::new(3));
        let mut counts = BTreeMap::new();
        games.iter().for_each(|game| *counts.entry(game).or_default() += 1.0);
        let all = Games { bots: 5, seats: 2, counts };
        let (mode, _) = all.mode();
        let (seat, draw) = (mode[5], mode[6]);
        let likelihood: f64 = games
            .iter()
            .map(|game| {
                let [zero, one] = [mode[game.players[0]] + seat, mode[game.players[1]]];
                let weights = [zero, draw + (zero + one) / 2.0, one].map(f64::exp);
                let result = 1 + usize::from(game.ranks[0] > game.ranks[1])
                    - usize::from(game.ranks[0] < game.ranks[1]);
                (weights[result] / weights.iter().sum::<f64>()).ln()
            })
            .sum();
        let prior = mode.iter().map(|value| value * value).sum::<f64>() / (2.0 * PRIOR * PRIOR);
        assert!((all.log_posterior(&mode) - (likelihood - prior)).abs() < 1e-9);
    }

    #[test]
    fn a_bot_that_always_wins_stays_finite() {
        let game = |players: [usize; 2], ranks: [u32; 2]| RankedGame {
            players: players.to_vec(),
            ranks: ranks.to_vec(),
        };
        let mut games = vec![game([0, 1], [0, 1]); 20];
        games.extend(vec![game([1, 2], [0, 0]); 5]);
        let fit = PlackettLuce::fit(3, &games);
        assert!(fit.strengths.values().iter().all(|elo| elo.abs() < 2_000.0), "{fit:?}");
    }

    #[test]
    fn ranks_are_those_of_the_model() {
        let mut rng = Rng::new(6);
        let mut wins = [0_u32; 3];
        for _ in 0..20_000 {
            let ranks = draw_ranks(&[0.0, 0.0, ELO * 2f64.ln()], &[], &mut rng);
            let mut sorted = ranks.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2]);
            wins[ranks.iter().position(|&rank| rank == 0).unwrap()] += 1;
        }
        // A bot that is twice as strong wins half of all games.
        assert!((wins[2] as f64 / 20_000.0 - 0.5).abs() < 0.02, "{wins:?}");
        assert_eq!(draw_ranks(&[0.0, 0.0], &[99.0], &mut rng), [0, 0]);
    }
}
