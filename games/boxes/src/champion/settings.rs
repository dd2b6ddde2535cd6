//! The settings of the champion bot.

use crate::Placement;
use contender_game::settings;

settings! {
    /// Settings of the champion's search.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ChampionSettings {
        /// Number of placements to search; the other placements are rated only by their immediate gain
        candidates: usize = 32, 1..=Placement::COUNT;
        /// Weight of the bot's losses when the opponent's replies are chosen; with 1, they count as much as the
        /// opponent's gains
        denial: f32 = 1.0, 0.0..=2.0;
        /// Number of the opponent's best replies to consider; the worst of them for the bot is assumed
        replies: usize = 6, 1..=Placement::COUNT;
        /// Number of points that it is worth to hide the bot's colour from the opponent
        hiding: f64 = 3.0, 0.0..=20.0;
        /// Initial probability that the opponent guesses the colour whose evaluation the bot's moves have raised most
        /// (like `classic`), instead of weighing all moves (like the champion)
        guesses: f64 = 0.3, 0.0..=1.0;
        /// Weight of the opponent's replies as evidence of how the opponent guesses; 0 ignores the replies, 1 uses
        /// their likelihoods unchanged
        learning: f64 = 3.0, 0.0..=4.0;
        /// Ignore opponent's colours that are less probable than this value.
        unlikely: f64 = 0.02, 0.0..=0.2;
    }
}
