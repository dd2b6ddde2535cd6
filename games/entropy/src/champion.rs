//! The strongest bot: the search of the classic bot with a network as its evaluation. The pruning skips moves that
//! hardly ever matter. The pruning raises the error by a quarter of a point on average, and leaves only a thirtieth of
//! the nodes. The bot searches the endgame a second time without this pruning.

use crate::classic::Replies;
use crate::evaluation::Net;
use crate::{ClassicBot, ClassicSettings};

/// The classic bot with a network as its evaluation.
pub type ChampionBot = ClassicBot<Net>;

impl ChampionBot {
    /// The champion's default settings.
    pub const SETTINGS: ClassicSettings = ClassicSettings {
        prob_cut: 0.6,
        margin: 0.35,
        settle: true,
        replies: Replies::Habits,
        as_chaos: true,
        ..ClassicSettings::DEFAULT
    };
}
