//! The contents of charts, and their behaviour with any data.

use contender_plot::{
    Curve, Meeting, ProgressPoint, Rating, Results, Scores, Track, Turns, cloud, curves, distributions,
    head_to_head, move_times, progress, ratings, results,
};
use contender_stats::Interval;

fn all(values: &[f64], names: &[String]) -> [String; 7] {
    let interval = |value: f64| Some(Interval { low: value - 1.0, high: value + 2.0 });
    let rows: Vec<Rating> = names
        .iter()
        .zip(values)
        .map(|(name, &value)| Rating { name: name.clone(), value, interval: interval(value) })
        .collect();
    let meeting = |ahead: f64| Some(Meeting { ahead, games: 77 });
    let cells: Vec<Vec<_>> = values.iter().map(|a| values.iter().map(|b| meeting(a - b)).collect()).collect();
    let tracks: Vec<Track> = names
        .iter()
        .map(|name| {
            let point = |(at, &value): (usize, &f64)| ProgressPoint {
                games: at as u64 * 10,
                value,
                interval: interval(value),
            };
            Track { name: name.clone(), points: values.iter().enumerate().map(point).collect() }
        })
        .collect();
    let groups: Vec<Scores> =
        names.iter().map(|name| Scores { name: name.clone(), values: values.to_vec() }).collect();
    let won = |name: &String| Results { name: name.clone(), counts: [3, 0, 1] };
    let wins: Vec<Results> = names.iter().filter(|_| !values.is_empty()).map(won).collect();
    let times: Vec<Turns> = names
        .iter()
        .map(|name| Turns {
            name: name.clone(),
            values: values.iter().enumerate().map(|(turn, &v)| (turn as u32, v)).collect(),
        })
        .collect();
    let lines: Vec<Curve> = names
        .iter()
        .map(|name| Curve {
            name: name.clone(),
            points: values.iter().enumerate().map(|(at, &value)| [at as f64, value]).collect(),
        })
        .collect();
    [
        ratings("T", "points", &rows),
        head_to_head("T", "points", names, &cells),
        progress("T", "points", &tracks),
        distributions("T", "points", &groups),
        results("T", &wins),
        move_times("T", &times, Some(2.0)),
        curves("T", ["turn", "points"], &lines),
    ]
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|bot| format!("bot{bot}")).collect()
}

#[test]
fn pictures_name_every_bot_and_are_the_same_again() {
    let values = [3.0, 1.0, 2.0];
    for text in all(&values, &names(3)) {
        assert!((0..3).all(|bot| text.contains(&format!("bot{bot}"))), "{text}");
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
    }
    assert_eq!(all(&values, &names(3)), all(&values, &names(3)));
}

/// Twelve lines have twelve styles, each with its name next to its end.
#[test]
fn a_dozen_bots_can_be_told_apart() {
    let names = names(12);
    let values: Vec<f64> = (1..=12).map(f64::from).collect();
    let [_, _, progress, _, _, times, curves] = all(&values, &names);
    for text in [progress, times, curves] {
        assert!(names.iter().all(|bot| text.contains(&format!(">\n{bot}\n<"))), "{text}");
        // This many bands would cover each other.
        assert!(!text.contains("<polygon"), "{text}");
    }
    assert!(all(&values, &names[..3])[2].contains("<polygon"));
}

#[test]
fn meetings_tell_how_many_games_they_had_and_times_their_limit() {
    let texts = all(&[3.0, 1.0, 2.0], &names(3));
    assert_eq!(texts[1].matches("\n77\n").count(), 6);
    assert!(texts[5].contains("\nlimit 2000\n"), "{}", texts[5]);
}

#[test]
fn the_strongest_is_first() {
    let text = &all(&[1.0, 9.0, 5.0], &names(3))[0];
    let place = |bot: &str| text.find(bot).unwrap();
    assert!(place("bot1") < place("bot2") && place("bot2") < place("bot0"));
}

#[test]
fn no_data_break_a_picture() {
    for values in [
        vec![],
        vec![f64::NAN, f64::INFINITY],
        vec![0.0],
        vec![5.0, 5.0],
        vec![f64::MAX, f64::MIN, 0.0],
        vec![5e-324, 1e-310],
        vec![1e-9, 1e15, f64::NAN],
    ] {
        for count in [0, 1, values.len(), 9] {
            for text in all(&values, &names(count)) {
                assert!(text.len() < 2_000_000 && text.contains("</svg>"));
            }
        }
        let points: Vec<[f64; 2]> = values.iter().rev().zip(&values).map(|(&x, &y)| [x, y]).collect();
        assert!(cloud("T", ["x", "y"], &points).contains("</svg>"));
    }
}

#[test]
fn a_cloud_has_all_its_points() {
    let points = [[1.0, 2.0], [3.0, 4.0], [5.0, f64::NAN], [6.0, 1.0]];
    assert_eq!(cloud("T", ["x", "y"], &points).matches("<circle").count(), 3);
}
