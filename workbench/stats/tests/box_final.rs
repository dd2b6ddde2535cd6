//! Strengths from the recorded final of a real contest agree with its table of points.

use std::collections::BTreeMap;
use std::path::PathBuf;

use contender_stats::{Difference, Regression};

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
    let differences: Vec<Difference> = games
        .values()
        .map(|sides| Difference {
            a: index[sides[0].0],
            b: index[sides[1].0],
            points: sides[0].1 - sides[1].1,
        })
        .collect();
    let fit = Regression::fit(order.len(), &differences);

    let mut ranks: Vec<usize> = (0..order.len()).collect();
    ranks.sort_by(|&a, &b| fit.strengths()[b].total_cmp(&fit.strengths()[a]));
    let squares: f64 = ranks.iter().enumerate().map(|(rank, &bot)| (rank as f64 - bot as f64).powi(2)).sum();
    let n = order.len() as f64;
    let spearman = 1.0 - 6.0 * squares / (n * (n * n - 1.0));
    let swap = 1.0 - fit.ahead(3, 4).unwrap();
    println!("{n} bots, {} games, rank correlation {spearman:.4}, ranks 4 and 5 swap {swap:.3}", games.len());
    assert!(spearman > 0.99);
}
