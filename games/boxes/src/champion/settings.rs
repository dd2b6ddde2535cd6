//! What the champion is made with.

use crate::Placement;
use contender_game::settings;

settings! {
    /// How the search works.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ChampionSettings {
        /// How many placements are looked ahead from; the others only by what they gain at once.
        candidates: usize = 32, 1..=Placement::COUNT;
        /// How much the replying opponent cares about the bot's colour, which it does not know: 1 is as much as about
        /// its own.
        denial: f32 = 1.0, 0.0..=2.0;
        /// How many of the opponent's best replies are looked at; the one that leaves least is taken.
        replies: usize = 6, 1..=Placement::COUNT;
        /// How many points it is worth that the opponent does not know the bot's colour.
        hiding: f64 = 3.0, 0.0..=20.0;
        /// How likely the opponent takes the colour whose evaluation the bot's moves have raised most for the bot's, as
        /// `classic` does; else it weighs all moves, as the champion does. So
        /// it is before the first reply.
        guesses: f64 = 0.3, 0.0..=1.0;
        /// How much the opponent's replies teach of which of the two it is: 0 is nothing, at 1 each counts by its
        /// likelihood.
        learning: f64 = 3.0, 0.0..=4.0;
        /// Colours of the opponent less likely than this are left out.
        unlikely: f64 = 0.02, 0.0..=0.2;
    }
}
