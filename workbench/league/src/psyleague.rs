//! A finished game as psyleague and CG Arena have it: what a match command prints, and a line of psyleague's `.games`.

use crate::game::{Finished, Seat};
use contender_foreign::Report;
use serde_json::{Value, json};

/// The game as a league keeps it: 1 point for a win, one half for a tie, and what bots told in the form that games of
/// our own have.
///
/// # Errors
/// Not two ranks, in words for the user.
pub(crate) fn finished(report: &Report) -> Result<Finished, String> {
    if report.ranks.len() < 2 {
        return Err(format!("{} ranks for two bots", report.ranks.len()));
    }
    let ends: Vec<String> = (0..report.ranks.len())
        .map(|seat| if report.has_failed(seat) { "failure" } else { "normal" }.to_string())
        .collect();
    let mut attributes = report.attributes.clone();
    let mut add = |data: &Value, player: Option<usize>| {
        for (name, value) in data.as_object().into_iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            let mut attribute = json!({ "name": name, "value": value });
            if let Some(player) = player {
                attribute["player"] = player.into();
            }
            attributes.push(attribute);
        }
    };
    add(&report.test_data, None);
    report.player_data.iter().enumerate().for_each(|(player, data)| add(data, Some(player)));
    let record = json!({ "ranks": report.ranks, "errors": report.errors, "attributes": attributes });
    Ok(of_ranks(&report.ranks, &ends, record.to_string()))
}

/// A game by its ranks, two or more, the lower the better: 1 point for a win, one half for a tie; of more than two the
/// share of the others that a player has left behind.
pub(crate) fn of_ranks(ranks: &[f64], ends: &[String], record: String) -> Finished {
    let points = |own: f64| {
        let beaten = |rank: &f64| match own.total_cmp(rank) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        };
        // A tie with itself does not count.
        (ranks.iter().map(beaten).sum::<f64>() - 0.5) / (ranks.len() - 1) as f64
    };
    let seats = ranks.iter().zip(ends).skip(2);
    Finished {
        points: [points(ranks[0]), points(ranks[1])],
        ends: [ends[0].clone(), ends[1].clone()],
        seconds: [None; 2],
        slowest: [None; 2],
        more: seats.map(|(&rank, end)| Seat { bot: 0, points: points(rank), end: end.clone() }).collect(),
        record: Some(record),
        silent: [false; 2],
        again: Vec::new(),
    }
}
