//! The settings of the champion.

use crate::Placement;
use contender_game::settings;

settings! {
    /// Settings of the search.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ChampionSettings {
        /// Number of placements after which to search; the others are rated only by their immediate gain
        candidates: usize = 32, 1..=Placement::COUNT;
        /// Weight of the bot's losses in the choice of the opponent's replies; at 1 they count as much as the
        /// opponent's own gains
        denial: f32 = 1.0, 0.0..=2.0;
        /// Number of the opponent's best replies to look at; the reply that is worst for the bot counts
        replies: usize = 6, 1..=Placement::COUNT;
        /// Value of hiding the bot's colour from the opponent, in points
        hiding: f64 = 3.0, 0.0..=20.0;
        /// Initial probability that the opponent guesses the bot's colour as `classic` does (the colour whose
        /// evaluation the bot's moves have raised most), instead of weighing all moves as the champion does
        guesses: f64 = 0.3, 0.0..=1.0;
        /// Weight of the opponent's replies as evidence for one of these two ways of guessing; 0 ignores the replies, 1
        /// uses their likelihoods unchanged
        learning: f64 = 3.0, 0.0..=4.0;
        /// Ignore colours of the opponent that are less likely than this.
        unlikely: f64 = 0.02, 0.0..=0.2;
    }
}
