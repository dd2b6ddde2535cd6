//! The time plan of `classic` and `champion`.

use contender_search::TimeManager;

/// The division of the game's time. The middle of the game is the most important part: before it, few chips can be
/// close to each other, and near the end, a search to the last chip takes less time than the turn's share. Of the
/// contest's 30 s, 1.05 s are kept in reserve.
pub const TIME: TimeManager = TimeManager {
    weight: |turn| match turn {
        0..=3 => 0.4,
        4..=9 => 0.8,
        10..=37 => 1.2,
        38..=42 => 0.8,
        _ => 0.3,
    },
    reserve: 0.035,
    soft: 0.45,
    hard: 1.5,
    ..TimeManager::EQUAL
};

/// Maximum share of a turn for judging the opponent's move.
pub const JUDGING: f64 = 0.15;

/// Share of a turn's maximum time for random games, which corresponds to the turn's planned share.
pub const SAMPLING: f64 = 0.65;
