//! The list of a game's bundled bots.

use crate::{
    contest::{Bot, BotInfo, ProtocolParser},
    settings::Options,
};

/// A boxed bot for a [`BotList`].
pub type AnyBot<L> = Box<dyn Bot<<L as ProtocolParser>::State, <L as ProtocolParser>::Move>>;

/// The bundled bots of a game, implemented by [`bots!`](crate::bots).
pub trait BotList {
    /// The bot's side of the game's protocol.
    type ProtocolParser: ProtocolParser;

    /// Names and descriptions of the bots for lists and help, weakest first.
    const INFO: &'static [BotInfo];

    /// Creates the bot with this name; returns `None` if the name is unknown.
    ///
    /// # Errors
    /// Returns an error if an option is invalid; the text is shown to the user.
    fn choose(
        name: &str,
        options: &mut Options,
        seed: u64,
    ) -> Option<Result<AnyBot<Self::ProtocolParser>, String>>;
}

/// Declares the bundled bots of a game, weakest first, in a module `bots` of the game's crate. The first argument is
/// the type of the game's [`ProtocolParser`]. Each bot has a name, one line that describes how it plays, and a closure.
/// The closure creates the bot for one game from the bot's settings and the seed of its random choices.
///
/// ```ignore
/// contender_game::bots! {
///     TurnListener<Reader>;
///     random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
///     plain "searches": |settings: SearchSettings, seed| SearchBot::new(settings, seed);
///     wide "searches with other defaults":
///         |settings: SearchSettings = SearchSettings::WIDE, seed| SearchBot::new(settings, seed);
/// }
/// ```
///
/// The settings are a type made by [`settings!`](macro@crate::settings), or `()`. Help, matches, the game's program and
/// `contender pack` find the bots in this list. A packed bot calls the functions `settings` and `new` of the bot's
/// module.
#[macro_export]
macro_rules! bots {
    (
        $listener:ty;
        $(
            $name:ident $about:literal:
            |$settings:tt : $type:ty $(= $preset:expr)?, $seed:tt| $make:expr;
        )*
    ) => {
        /// The bot's side of the game's protocol.
        pub type ProtocolParser = $listener;

        $(
            #[doc = $about]
            pub mod $name {
                use super::*;

                /// Returns the default settings.
                #[must_use]
                #[allow(unreachable_code)]
                pub fn settings() -> $type {
                    $(return $preset;)?
                    Default::default()
                }

                /// Creates the bot for one game, with these settings and the seed of its random choices.
                #[must_use]
                pub fn new(
                    $settings: $type,
                    $seed: u64,
                ) -> impl $crate::contest::Bot<<ProtocolParser as $crate::contest::ProtocolParser>::State, <ProtocolParser as $crate::contest::ProtocolParser>::Move> {
                    $make
                }
            }
        )*

        /// The bots of the game.
        pub struct Bots;

        impl $crate::contest::BotList for Bots {
            type ProtocolParser = ProtocolParser;

            const INFO: &'static [$crate::contest::BotInfo] = &[$(
                $crate::contest::BotInfo {
                    name: stringify!($name),
                    about: $about,
                    settings: || $crate::settings::Settings::table($name::settings()),
                },
            )*];

            fn choose(
                name: &str,
                options: &mut $crate::settings::Options,
                seed: u64,
            ) -> Option<Result<$crate::contest::AnyBot<ProtocolParser>, String>> {
                $(
                    if name == stringify!($name) {
                        let settings = $crate::settings::Settings::with($name::settings(), options);
                        return Some(settings.map(|settings| Box::new($name::new(settings, seed)) as _));
                    }
                )*
                None
            }
        }
    };
}
