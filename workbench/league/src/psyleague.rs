//! A finished game as psyleague and CG Arena have it: what a match command prints, and a line of psyleague's `.games`.

use crate::game::Finished;
use contender_foreign::Report;
use serde_json::{Value, json};

/// The game as a league keeps it: 1 point for a win, one half for a tie, and what bots told in the form that games of
/// our own have.
///
/// # Errors
/// Not two ranks, in words for the user.
pub(crate) fn finished(report: &Report) -> Result<Finished, String> {
    let [first, second] = report.ranks[..] else {
        return Err(format!("{} ranks for two bots", report.ranks.len()));
    };
    let points = match first.total_cmp(&second) {
        std::cmp::Ordering::Less => [1.0, 0.0],
        std::cmp::Ordering::Equal => [0.5, 0.5],
        std::cmp::Ordering::Greater => [0.0, 1.0],
    };
    let ends = [0, 1].map(|seat| if report.has_failed(seat) { "failure" } else { "normal" }.to_string());
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
    Ok(Finished {
        points,
        ends,
        seconds: [None; 2],
        slowest: [None; 2],
        record: Some(record.to_string()),
        silent: [false; 2],
    })
}
