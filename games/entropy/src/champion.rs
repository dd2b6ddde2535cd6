//! The strongest bot: the classic's search over a network, which leaves out what hardly ever matters, for a quarter of
//! a point of error and a thirtieth of the nodes, and searches the end again without leaving anything out.

use crate::classic::Replies;
use crate::evaluation::Net;
use crate::{ClassicBot, ClassicSettings};

/// The classic bot over a network.
pub type ChampionBot = ClassicBot<Net>;

impl ChampionBot {
    /// The champion's own defaults.
    pub const SETTINGS: ClassicSettings = ClassicSettings {
        prob_cut: 0.6,
        margin: 0.35,
        settle: true,
        replies: Replies::Habits,
        as_chaos: true,
        ..ClassicSettings::DEFAULT
    };
}
