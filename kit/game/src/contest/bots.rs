//! The list of a game's bundled bots.

use crate::{
    contest::{Bot, BotInfo, ProtocolParser},
    settings::Options,
};

/// A boxed bot, the type that [`BotList`] creates.
pub type AnyBot<L> = Box<dyn Bot<<L as ProtocolParser>::State, <L as ProtocolParser>::Move>>;

/// The bundled bots of a game, implemented by [`bots!`](crate::bots).
pub trait BotList {
    /// The parser for the game's protocol.
    type ProtocolParser: ProtocolParser;

    /// The bots' names and descriptions for lists and help, from weakest to strongest.
    const INFO: &'static [BotInfo];

    /// Creates the bot with this name; returns `None` if the name is unknown.
    ///
    /// # Errors
    /// Returns an error if an option is invalid. The error text is shown to the user.
    fn choose(
        name: &str,
        options: &mut Options,
        seed: u64,
    ) -> Option<Result<AnyBot<Self::ProtocolParser>, String>>;
}

/// Declares the bundled bots of a game, from weakest to strongest, in a module `bots` of the game's crate. The first
/// argument is the type of the game's [`ProtocolParser`]. Each bot has a name, one line that describes how it plays,
/// and a closure. The closure creates the bot for one game from the settings and a random seed.
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
/// The settings are a type made by [`settings!`](macro@crate::settings), or `()`. The help, matches, the game's
/// executable and `contender pack` use this list of bots. A packed bot calls the functions `settings` and `new` of the
/// bot's module.
#[macro_export]
macro_rules! bots {
    (
        $listener:ty;
        $(
            $name:ident $about:literal:
            |$settings:tt : $type:ty $(= $preset:expr)?, $seed:tt| $make:expr;
        )*
    ) => {
        /// The parser for the game's protocol.
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

                /// Creates the bot for one game from these settings and a random seed.
                #[must_use]
                pub fn new(
                    $settings: $type,
                    $seed: u64,
                ) -> impl $crate::contest::Bot<<ProtocolParser as $crate::contest::ProtocolParser>::State, <ProtocolParser as $crate::contest::ProtocolParser>::Move> {
                    $make
                }
            }
        )*

        /// The game's bundled bots.
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
