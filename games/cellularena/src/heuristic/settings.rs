//! The settings of the bot.

use contender_game::settings;
use contender_search::TurnShare;

settings! {
    /// Settings of the bot.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct HeuristicSettings {
        /// Own joint moves at the root.
        own_moves ("own"): usize = 8, 1..=100;
        /// The enemy's joint moves at the root.
        enemy_moves ("enemy"): usize = 6, 1..=100;
        /// Joint moves of each player after the root.
        later_moves ("later"): usize = 4, 1..=100;
        /// Actions of each organism that are tried at the root.
        actions: usize = 10, 1..=1000;
        /// Actions of each organism that are tried after the root.
        later_actions ("lateractions"): usize = 6, 1..=1000;
        /// Number of times that joint moves at the root are built, each time against the latest of the enemy
        rounds: u32 = 2, 1..=100;
        /// Share of the search that goes to all pairs of moves alike.
        spread: f64 = 0.3, 0.0..=1.0;
        /// Best responses are added in states of fewer turns from the root; 0 for none.
        answers: u32 = 0, 0..=100;
        ..time: TurnShare = TurnShare::of(0.8);
    }
}
