//! The games that the tools know: the one place where a new game is entered.

use contender_game::Contest;

/// Every game, in the order of lists.
pub const CONTESTS: &[&dyn Contest] = &[
    contender_boxes::CONTEST,
    contender_cellularena::CONTEST,
    contender_entropy::CONTEST,
    contender_spaghetti::CONTEST,
    contender_uttt::CONTEST,
];

/// The game with this name, if there is one.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Contest> {
    CONTESTS.iter().copied().find(|contest| contest.name() == name)
}
