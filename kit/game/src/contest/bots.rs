//! The bundled bots of a game, stated once.

use crate::{
    contest::{Bot, BotInfo, ProtocolParser},
    settings::Options,
};

/// The boxed bot of a [`BotList`].
pub type AnyBot<L> = Box<dyn Bot<<L as ProtocolParser>::State, <L as ProtocolParser>::Move>>;

/// The bundled bots of a game: what [`bots!`](crate::bots) makes of their statement.
pub trait BotList {
    /// The bot's side of the game's protocol.
    type ProtocolParser: ProtocolParser;

    /// Names and descriptions of the bots for lists and help, the weakest first.
    const INFO: &'static [BotInfo];

    /// Creates the bot of this name; `None` if the name is unknown.
    ///
    /// # Errors
    /// A bad option, in words for the user.
    fn choose(
        name: &str,
        options: &mut Options,
        seed: u64,
    ) -> Option<Result<AnyBot<Self::ProtocolParser>, String>>;
}

/// States the bundled bots of a game, weakest first, in a module `bots` of its crate: after the type of the game's
/// [`ProtocolParser`], for each bot its name, one line on how it plays, and how one is made of its settings and the
/// seed of its random choices, for one game.
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
/// The settings are a type that [`settings!`](macro@crate::settings) makes, or `()`. Help, matches, the game's program
/// and
/// `contender pack` know a bot from here; a packed bot names the functions `settings` and `new` of the bot's module.
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

                /// Returns the bot for one game, with these settings and the seed of its random choices.
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
