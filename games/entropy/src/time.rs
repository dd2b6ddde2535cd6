//! The time plan of `classic` and `champion`.

use contender_search::TimeManager;

/// The division of a game's time. The middle of the game decides most: before it few chips can be near each other, and
/// at its end everything is searched to the last chip in less time than this. Of the contest's 30 s, 1.05 s are kept
/// back.
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

/// The part of a turn that judging the opponent's move may take.
pub const JUDGING: f64 = 0.15;

/// The part of what a turn may take at most that random games take: a turn's share.
pub const SAMPLING: f64 = 0.65;
