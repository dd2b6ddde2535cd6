//! The settings of the bot.

use contender_game::settings;
use contender_search::TurnShare;

settings! {
    /// Settings of the search.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct HeuristicSettings {
        /// Number of the bot's joint moves at the root.
        own_moves ("own"): usize = 8, 1..=100;
        /// Number of the enemy's joint moves at the root.
        enemy_moves ("enemy"): usize = 6, 1..=100;
        /// Number of joint moves per player after the root.
        later_moves ("later"): usize = 4, 1..=100;
        /// Number of actions to try per organism at the root.
        actions: usize = 10, 1..=1000;
        /// Number of actions to try per organism after the root.
        later_actions ("lateractions"): usize = 6, 1..=1000;
        /// Number of times that the joint moves at the root are built, each time against the enemy's latest joint moves
        rounds: u32 = 2, 1..=100;
        /// Share of the search that is spread evenly over all pairs of moves.
        spread: f64 = 0.3, 0.0..=1.0;
        /// Add best responses in states that are fewer than this number of turns from the root; 0 adds none.
        answers: u32 = 0, 0..=100;
        ..time: TurnShare = TurnShare::of(0.8);
    }
}
