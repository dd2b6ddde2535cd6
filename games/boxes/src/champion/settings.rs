//! The settings of the champion.

use crate::Placement;
use contender_game::settings;

settings! {
    /// Settings of the search.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ChampionSettings {
        /// Number of placements to look ahead from; the others count only by their immediate gain
        candidates: usize = 32, 1..=Placement::COUNT;
        /// Weight of the bot's colour, which the opponent does not know, in the opponent's replies: 1 is as much as its
        /// own
        denial: f32 = 1.0, 0.0..=2.0;
        /// Number of the opponent's best replies to look at; the one that leaves least is taken
        replies: usize = 6, 1..=Placement::COUNT;
        /// Value of hiding the bot's colour from the opponent, in points
        hiding: f64 = 3.0, 0.0..=20.0;
        /// Initial probability that the opponent takes the colour whose evaluation the bot's moves have raised most for
        /// the bot's, as `classic` does, and does not weigh all moves, as the champion does
        guesses: f64 = 0.3, 0.0..=1.0;
        /// Weight of the opponent's replies as evidence for either of the two: 0 is none, at 1 each counts by its
        /// likelihood
        learning: f64 = 3.0, 0.0..=4.0;
        /// Colours of the opponent less likely than this are left out.
        unlikely: f64 = 0.02, 0.0..=0.2;
    }
}
