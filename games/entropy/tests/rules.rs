//! The rules against worked examples, slow twins and the promises of the traits.

use contender_entropy::State;
use contender_game::conformance;

#[test]
fn the_traits_promises_hold() {
    let moves = conformance::check_chance_undo(|_| State::default(), 60, 97 + 49 + 1, 1);
    assert_eq!(moves, 60 * 97);
}
