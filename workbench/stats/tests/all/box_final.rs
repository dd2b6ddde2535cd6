//! Checks that strengths from the recorded final of a real contest agree with its table of points.

use std::collections::BTreeMap;
use std::path::PathBuf;

use contender_stats::ratings::{PairDifference, Regression, Replayed};

#[test]
fn strengths_order_the_box_final_as_its_points_do() {
    let folder = std::env::var_os("CONTENDER_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let Ok(text) = std::fs::read_to_string(folder.join("box-final-results.csv")) else {
        println!("skipped: no recorded results");
        return;
    };
    let mut games: BTreeMap<&str, Vec<(&str, f64)>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').map(|field| field.trim_matches('"')).collect();
        let [game, _, "final", _, user, score, _] = fields[..] else { continue };
        games.entry(game).or_default().push((user, score.parse().unwrap()));
    }
    let mut points: BTreeMap<&str, f64> = BTreeMap::new();
    games.values().flatten().for_each(|&(user, score)| *points.entry(user).or_default() += score);
    let mut order: Vec<&str> = points.keys().copied().collect();
    order.sort_by(|a, b| points[b].total_cmp(&points[a]));
    let index: BTreeMap<&str, usize> = order.iter().enumerate().map(|(index, &user)| (user, index)).collect();
    let differences: Vec<PairDifference> = games
        .values()
        .map(|sides| PairDifference {
            a: index[sides[0].0],
            b: index[sides[1].0],
            points: sides[0].1 - sides[1].1,
        })
        .collect();
    let Regression { strengths, .. } = Regression::fit(order.len(), &differences);

    let ranks = strengths.ranking();
    let squares: f64 = ranks.iter().enumerate().map(|(rank, &bot)| (rank as f64 - bot as f64).powi(2)).sum();
    let n = order.len() as f64;
    let spearman = 1.0 - 6.0 * squares / (n * (n * n - 1.0));
    let swap = 1.0 - strengths.ahead(3, 4).unwrap();
    let again = 1.0 - strengths.ahead_again(3, 4).unwrap();
    println!(
        "{n} bots, {} games, rank correlation {spearman:.4}, ranks 4 and 5 are truly reversed with {swap:.3}, in a replay with {again:.3}",
        games.len()
    );
    assert!(spearman > 0.99);
    // The distribution of ranks agrees: the winner is likely to win again, and every row and column adds up to 1.
    let ranks = strengths.ranks(Replayed::Tournament, 2_000, 1).unwrap();
    for at in 0..order.len() {
        assert!((ranks[at].iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!((ranks.iter().map(|of| of[at]).sum::<f64>() - 1.0).abs() < 1e-9);
    }
    println!("the winner wins again with {:.3}", ranks[0][0]);
    assert!(ranks[0][0] > 0.2 && ranks[58.min(order.len() - 1)][0] == 0.0);
}
