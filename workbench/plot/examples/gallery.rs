//! Draws every picture into a folder, for leagues of 59 and of 6 bots with made-up results:
//! `cargo run -p contender-plot --example gallery -- FOLDER`.

use contender_plot::{
    Meeting, Point, Rating, Scores, Track, Turns, distributions, head_to_head, move_times, progress, ratings,
};
use contender_stats::Interval;

/// Returns made-up, deterministic noise: about normal, with a standard deviation of 1.
fn noise(seed: usize) -> f64 {
    let one = |at: usize| {
        let word = (seed * 7 + at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((word ^ (word >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    (0..6).map(one).sum::<f64>() * 2f64.sqrt()
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_string());
    std::fs::create_dir_all(&folder)?;
    for bots in [6, 59] {
        let names: Vec<String> = (0..bots)
            .map(|bot| {
                ["champion", "classic", "greedy", "Marcel van K.", "wombat", "random"][bot % 6].to_string()
                    + &if bot < 6 { String::new() } else { format!("-{bot}") }
            })
            .collect();
        let truth = |bot: usize| 40.0 - 80.0 * bot as f64 / bots as f64 + 6.0 * noise(bot);
        let around = |value: f64, reach: f64| Some(Interval { low: value - reach, high: value + reach });
        let rows: Vec<Rating> = (0..bots)
            .map(|bot| Rating {
                name: names[bot].clone(),
                value: truth(bot),
                interval: around(truth(bot), 3.0 + noise(bot + 900).abs()),
            })
            .collect();
        let cells: Vec<Vec<Option<Meeting>>> = (0..bots)
            .map(|a| {
                (0..bots)
                    .map(|b| {
                        let luck = 4.0 * (noise(a * bots + b) - noise(b * bots + a));
                        let ahead = truth(a) - truth(b) + luck;
                        ((a * b) % 17 != 5).then(|| Meeting { ahead, games: 40 + (a + b) as u32 })
                    })
                    .collect()
            })
            .collect();
        let tracks: Vec<Track> = (0..bots)
            .map(|bot| {
                let point = |at: usize| {
                    let reach = 60.0 / (at as f64).sqrt();
                    let value = truth(bot) + reach * 0.4 * noise(bot * 100 + at / 4);
                    Point { games: 20 * at as u64, value, interval: around(value, reach) }
                };
                Track { name: names[bot].clone(), points: (1..=60).map(point).collect() }
            })
            .collect();
        let scores: Vec<Scores> = (0..bots)
            .map(|bot| Scores {
                name: names[bot].clone(),
                values: (0..800)
                    .map(|game| (100.0 + truth(bot) + 22.0 * noise(bot * 1000 + game)).round())
                    .collect(),
            })
            .collect();
        let times: Vec<Turns> = (0..bots.min(12))
            .map(|bot| {
                let time = |game: usize, turn: u32| {
                    0.4 / (bot + 1) as f64
                        * (-f64::from(turn) / 30.0).exp()
                        * (0.4 * noise(game * 97 + turn as usize + bot)).exp()
                };
                Turns {
                    name: names[bot].clone(),
                    values: (0..40)
                        .flat_map(|game| (1..50).map(move |turn| (turn, time(game, turn))))
                        .collect(),
                }
            })
            .collect();
        let pictures = [
            ("ratings", ratings("Ratings", "points a game above the mean of all, with 95% intervals", &rows)),
            (
                "head-to-head",
                head_to_head(
                    "Head to head",
                    "points a game that the row is ahead of the column",
                    &names,
                    &cells,
                ),
            ),
            ("progress", progress("Progress", "points a game above the mean, with 95% intervals", &tracks)),
            ("distributions", distributions("Scores", "points of a game", &scores)),
            ("move-times", move_times("Time per move", &times, Some(1.0))),
        ];
        for (picture, text) in pictures {
            std::fs::write(format!("{folder}/{picture}-{bots}.svg"), text)?;
        }
    }
    Ok(())
}
