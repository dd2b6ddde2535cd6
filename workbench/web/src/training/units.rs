//! The units and the numbers of metrics.

use super::run::Run;
use contender_catalogue::find;
use contender_game::contest::Contest;
use contender_learn::training::Status;
use contender_referee::{ContestHost, Host, RankedBy};

/// The units of results: points, shares from 0 to 1, and percentages.
pub const POINTS: &str = "points per game";
pub const SHARE: &str = "share of the games won";
pub const PERCENT: &str = "% of the games won";
/// The start of the names of metrics that are results of matches.
pub const AGAINST: &str = "against ";

/// Formats a number with three digits that matter.
pub fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 0.1 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

/// Returns the game of a run.
pub fn game(status: &Status) -> Option<&'static dyn Contest> {
    status.subject.split([' ', ',']).find_map(find)
}

/// Returns the unit of a metric. The results of matches are points, or the share of the games won. For errors and
/// losses, it names the better direction.
pub fn unit(name: &str, runs: &[Run]) -> String {
    let is_by_points = runs.iter().any(|run| {
        game(&run.status).is_some_and(|contest| ContestHost::new(contest).ranked_by() == RankedBy::Points)
    });
    let points = || runs.iter().filter_map(|run| run.curve(name, "")).flat_map(|curve| &curve.points);
    let is_share = points().all(|point| (0.0..=1.0).contains(&point[1]));
    match name.starts_with(AGAINST) {
        true if is_share => SHARE.to_string(),
        true if is_by_points => POINTS.to_string(),
        true => PERCENT.to_string(),
        false if name.contains("error") || name.starts_with("loss") => "lower is better".to_string(),
        false => String::new(),
    }
}
