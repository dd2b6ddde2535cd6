//! Intervals of matches, tested with a known truth.

use crate::{Repeats, five_numbers, percent};
use clap::Args;
use contender_game::rules::{Rng, mix};
use contender_stats::Pentanomial;
use contender_stats::simulation::{draw_result, result_chances};

/// `contender-lab intervals`
#[derive(Args)]
pub struct IntervalsArgs {
    /// Weights of the five results of pairs between equal bots, as `match` prints them
    #[arg(long, value_name = "LL,LD,WL,WD,WW", value_parser = five_numbers, default_value = "5,20,50,20,5")]
    results: [f64; 5],
    /// True advantages of the first bot, in Elo
    #[arg(
        long,
        value_name = "ELO,...",
        value_delimiter = ',',
        default_value = "0,100,400",
        allow_hyphen_values = true
    )]
    advantages: Vec<f64>,
    /// Pairs of the matches
    #[arg(short = 'n', long, value_delimiter = ',', default_value = "2,5,10,30,100", value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pairs: Vec<u64>,
    #[command(flatten)]
    repeats: Repeats,
}

/// The results of intervals in many matches with the same number of pairs and the same true advantage.
#[derive(Clone, Copy, PartialEq, Debug)]
struct IntervalRun {
    /// The true advantage, in Elo.
    advantage: f64,
    /// Number of pairs per match.
    pairs: u64,
    /// Number of matches.
    matches: u32,
    /// Share of matches whose interval contained the truth.
    held: f64,
    /// Share of matches after which one bot counted as better.
    decided: f64,
    /// Mean width of the score's intervals, where 1 is the whole range.
    width: f64,
}

/// Tests [`Pentanomial::interval`]: plays matches of `pairs` pairs with random results.
///
/// # Errors
/// Returns an error if the parameters are invalid.
fn run_matches(
    even: [f64; 5],
    advantage: f64,
    pairs: u64,
    matches: u32,
    rng: &mut Rng,
) -> Result<IntervalRun, String> {
    let chances = result_chances(even, advantage).map_err(|error| error.to_string())?;
    let score: f64 = chances.iter().zip(0..).map(|(chance, half)| chance * f64::from(half) / 4.0).sum();
    let [mut held, mut decided, mut width] = [0.0; 3];
    for _ in 0..matches {
        let mut counted = Pentanomial::default();
        (0..pairs).for_each(|_| counted.counts[draw_result(&chances, rng)] += 1);
        let interval = counted.interval(0.95).ok_or("an interval takes two pairs at least")?;
        held += f64::from(u8::from(interval.contains(score)));
        decided += f64::from(u8::from(!interval.contains(0.5)));
        width += interval.high - interval.low;
    }
    let share = |sum: f64| sum / f64::from(matches);
    Ok(IntervalRun {
        advantage,
        pairs,
        matches,
        held: share(held),
        decided: share(decided),
        width: share(width),
    })
}

pub fn run(args: &IntervalsArgs) -> anyhow::Result<String> {
    let mut runs = Vec::new();
    for &advantage in &args.advantages {
        for &pairs in &args.pairs {
            let mut rng = Rng::new(mix(&[args.repeats.seed, runs.len() as u64]));
            let run = run_matches(args.results, advantage, pairs, args.repeats.rounds, &mut rng);
            runs.push(run.map_err(anyhow::Error::msg)?);
        }
    }
    let mut text = format!("95% intervals of matches, seed {}\n\n", args.repeats.seed);
    text += "  true Elo  pairs  matches  hold the truth  say who is better  mean width\n";
    for run in &runs {
        text += &format!(
            "{:>+10.0}  {:>5}  {:>7}  {:>14}  {:>17}  {:>10}\n",
            run.advantage,
            run.pairs,
            run.matches,
            percent(run.held),
            percent(run.decided),
            percent(run.width)
        );
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: [f64; 5] = [5.0, 20.0, 50.0, 20.0, 5.0];

    /// With at least two pairs, between bots of equal and of different strength, including one that nearly always wins.
    #[test]
    fn intervals_of_pairs_hold_the_truth_as_often_as_they_say() {
        let mut rng = Rng::new(4);
        for even in [EVEN, [20.0, 5.0, 50.0, 5.0, 20.0], [1.0, 4.0, 6.0, 4.0, 1.0]] {
            for advantage in [0.0, 100.0, 400.0] {
                for pairs in [2, 3, 5, 10, 30, 100] {
                    let run = run_matches(even, advantage, pairs, 4_000, &mut rng).unwrap();
                    assert!(run.held > 0.93, "{even:?}: {run:?}");
                    assert!(advantage > 0.0 || run.decided < 0.06, "{even:?}: {run:?}");
                }
            }
        }
    }
}
