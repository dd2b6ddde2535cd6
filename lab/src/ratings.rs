//! Intervals of ratings, tested with a known truth.

use crate::{Repeats, percent};
use anyhow::bail;
use clap::Args;
use contender_game::rules::{Rng, mix};
use contender_stats::ratings::{
    PairDifference, PlackettLuce, RankedGame, RatedGame, Regression, SeatRegression, Strengths, draw_ranks,
    normal,
};

/// `contender-lab ratings`
#[derive(Args)]
pub struct RatingsArgs {
    /// Bots of a league
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(2..=200))]
    bots: u16,
    /// Pairs between each two bots
    #[arg(short = 'n', long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pairs: u32,
    /// Standard deviation of the true strengths, in points and in Elo
    #[arg(long, default_value_t = 60.0)]
    spread: f64,
    /// Standard deviation of a pair's difference, in points
    #[arg(long, default_value_t = 80.0)]
    deviation: f64,
    #[command(flatten)]
    repeats: Repeats,
}

/// The settings of a league that is simulated many times.
#[derive(Clone, Copy, PartialEq, Debug)]
struct League {
    /// Number of bots, at least 2.
    bots: usize,
    /// Number of pairs that each two bots play, at least 1.
    pairs: u32,
    /// Standard deviation of the true strengths: in points for the regressions, in Elo for the other models.
    spread: f64,
    /// Standard deviation of a pair's mean difference, in points.
    deviation: f64,
}

/// How often intervals contained the truth.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Coverage {
    /// Number of leagues, each with its own random strengths.
    leagues: u32,
    /// Share of the bots' intervals that contained the true strength.
    of_strengths: f64,
    /// Share of the intervals for the difference between two bots that contained the true difference.
    of_differences: f64,
    /// Mean width of the bots' intervals.
    width: f64,
    /// Among the pairs of bots whose order has a computed probability between 0.8 and 0.9, the share in which the bot
    /// was truly ahead. It should be about 0.85. `None` without such pairs.
    ahead: Option<f64>,
}

/// The models whose intervals can be tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Model {
    /// [`Regression`], on normal differences in points.
    Regression,
    /// [`SeatRegression`]: the strengths in seat 0, on games with different seats. In the other seat all bots
    /// are equally strong on average, and half of a game's variance is randomness that both games of a pair share.
    SeatRegression,
    /// [`PlackettLuce`], on games with this number of players, which is at most the number of bots. The sets
    /// of players are random, and each set plays once in every rotation of the seats. In total, two bots meet as often
    /// as in the other models' leagues.
    PlackettLuce(usize),
}

/// Simulates leagues with known strengths and counts how often intervals with this confidence contain them.
///
/// # Panics
/// Panics if a league has fewer than two bots or no pairs, or if `confidence` is not between 0 and 1.
fn run_leagues(model: Model, league: &League, confidence: f64, leagues: u32, rng: &mut Rng) -> Coverage {
    assert!(league.bots >= 2 && league.pairs > 0, "a league has bots that meet");
    let [mut held, mut all, mut held_two, mut all_two, mut right, mut sure] = [0_u64; 6];
    let mut width = 0.0;
    for _ in 0..leagues {
        let mut truth: Vec<f64> = (0..league.bots).map(|_| league.spread * normal(rng)).collect();
        let mean = truth.iter().sum::<f64>() / league.bots as f64;
        truth.iter_mut().for_each(|strength| *strength -= mean);
        let strengths = play(model, league, &truth, rng);
        for a in 0..league.bots {
            let Some(interval) = strengths.interval(a, confidence) else { continue };
            all += 1;
            held += u64::from(interval.contains(truth[a]));
            width += interval.high - interval.low;
            for b in 0..a {
                let interval = strengths.difference_interval(a, b, confidence);
                let (Some(interval), Some(ahead)) = (interval, strengths.ahead(a, b)) else { continue };
                all_two += 1;
                held_two += u64::from(interval.contains(truth[a] - truth[b]));
                if (0.8..0.9).contains(&ahead.max(1.0 - ahead)) {
                    sure += 1;
                    right += u64::from((ahead > 0.5) == (truth[a] > truth[b]));
                }
            }
        }
    }
    let share = |count: u64, of: u64| count as f64 / of.max(1) as f64;
    Coverage {
        leagues,
        of_strengths: share(held, all),
        of_differences: share(held_two, all_two),
        width: width / all.max(1) as f64,
        ahead: (sure > 0).then(|| share(right, sure)),
    }
}

/// Simulates one league and returns the strengths that a model estimates.
fn play(model: Model, league: &League, truth: &[f64], rng: &mut Rng) -> Strengths {
    let meetings = (0..league.bots).flat_map(|a| (0..a).map(move |b| [a, b]));
    let meetings = meetings.flat_map(|players| (0..league.pairs).map(move |_| players));
    match model {
        Model::Regression => {
            let differences: Vec<PairDifference> = meetings
                .map(|[a, b]| PairDifference {
                    a,
                    b,
                    points: truth[a] - truth[b] + league.deviation * normal(rng),
                })
                .collect();
            Regression::fit(league.bots, &differences).strengths
        }
        Model::SeatRegression => {
            let others: Vec<f64> = truth.iter().map(|_| league.spread * normal(rng)).collect();
            let deviation = league.deviation * std::f64::consts::FRAC_1_SQRT_2;
            let mut games = Vec::new();
            for players in meetings {
                let shared = deviation * normal(rng);
                for players @ [zero, one] in [players, [players[1], players[0]]] {
                    let points = truth[zero] - others[one] + shared + deviation * normal(rng);
                    games.push(RatedGame { players, points: [points, 0.0], pair: None });
                }
            }
            let [zero, _] = SeatRegression::fit(league.bots, &games).strengths;
            zero
        }
        Model::PlackettLuce(players) => {
            let meetings_of_a_round = players * players * (players - 1) / 2;
            let rounds = (2 * meetings.count()).div_ceil(meetings_of_a_round);
            let mut bots: Vec<usize> = (0..league.bots).collect();
            let mut games = Vec::new();
            for _ in 0..rounds {
                for place in 0..players {
                    bots.swap(place, place + rng.below((league.bots - place) as u32) as usize);
                }
                for rotation in 0..players {
                    let seated: Vec<usize> =
                        (0..players).map(|seat| bots[(seat + rotation) % players]).collect();
                    // The first seat is worth 30 Elo. Between equal bots, a tie is as likely as a win of either one.
                    let advantage = |seat: usize| if seat == 0 { 30.0 } else { 0.0 };
                    let elo: Vec<f64> =
                        seated.iter().enumerate().map(|(seat, &bot)| truth[bot] + advantage(seat)).collect();
                    let ranks = draw_ranks(&elo, &[0.0, -1.0, -2.0], rng);
                    games.push(RankedGame { players: seated, ranks });
                }
            }
            PlackettLuce::fit(league.bots, &games).strengths
        }
    }
}

pub fn run(args: &RatingsArgs) -> anyhow::Result<String> {
    for (name, value) in [("spread", args.spread), ("deviation", args.deviation)] {
        if !(value > 0.0 && value <= 1e6) {
            bail!("--{name} is between 0 and 1000000, not {value}");
        }
    }
    let league =
        League { bots: args.bots.into(), pairs: args.pairs, spread: args.spread, deviation: args.deviation };
    let several = [3, 4].into_iter().filter(|players| league.bots >= *players).map(Model::PlackettLuce);
    let all: Vec<Model> = [Model::Regression, Model::PlackettLuce(2), Model::SeatRegression]
        .into_iter()
        .chain(several)
        .collect();
    let mut models = Vec::new();
    for (row, model) in all.into_iter().enumerate() {
        let mut rng = Rng::new(mix(&[args.repeats.seed, row as u64]));
        models.push((model, run_leagues(model, &league, 0.95, args.repeats.rounds, &mut rng)));
    }
    let mut text = format!(
        "ratings of {} bots, {} pairs between each two, seed {}: how often 95% intervals hold the truth\n\n",
        args.bots, args.pairs, args.repeats.seed
    );
    text += "model          leagues  of strengths  of differences  mean width  ahead with 80% to 90%\n";
    for (model, coverage) in &models {
        let (name, unit) = match model {
            Model::Regression => ("regression", "points"),
            Model::PlackettLuce(2) => ("Bradley-Terry", "Elo"),
            Model::SeatRegression => ("of a seat", "points"),
            Model::PlackettLuce(3) => ("of 3 players", "Elo"),
            Model::PlackettLuce(_) => ("of 4 players", "Elo"),
        };
        text += &format!(
            "{name:<13}  {:>7}  {:>12}  {:>14}  {:>10}  {:>21}\n",
            coverage.leagues,
            percent(coverage.of_strengths),
            percent(coverage.of_differences),
            format!("{:.1} {unit}", coverage.width),
            coverage.ahead.map_or("-".to_string(), |share| format!("{} truly are", percent(share)))
        );
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut rng = Rng::new(3);
        let league = League { bots: 6, pairs: 6, spread: 60.0, deviation: 80.0 };
        let several = [Model::PlackettLuce(3), Model::PlackettLuce(4)];
        for model in
            [Model::Regression, Model::PlackettLuce(2), Model::SeatRegression].into_iter().chain(several)
        {
            let coverage = run_leagues(model, &league, 0.95, 300, &mut rng);
            assert!((0.93..0.97).contains(&coverage.of_strengths), "{model:?} {coverage:?}");
            assert!((0.93..0.97).contains(&coverage.of_differences), "{model:?} {coverage:?}");
        }
    }
}
