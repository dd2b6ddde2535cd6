//! Checks the guarantees that the tools rely on, in random games and in games of the bots.

use contender_game::conformance::check_contest;

#[test]
fn the_game_keeps_its_promises() {
    if let Err(broken) = check_contest({crate}::CONTEST, 100, 1_000, 1) {
        panic!("{broken}");
    }
}
