//! The list of a game's bundled bots.

use crate::{
    contest::{Bot, BotInfo, ProtocolParser},
    settings::Options,
};

/// A boxed bot, the type that [`BotList`] creates.
pub type AnyBot<L> = Box<dyn Bot<<L as ProtocolParser>::State, <L as ProtocolParser>::Move>>;

/// The bundled bots of a game, implemented by [`bots!`](crate::bots).
///
/// The [example of the module](crate::contest) uses this trait.
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
/// ```
/// # #[path = "../../tests/toy_games/mod.rs"] mod toys;
/// use contender_game::prelude::*;
/// # use toys::Nim;
/// # impl Default for Nim {
/// #     fn default() -> Nim { Nim { matches: 15, mover: Player::Zero } }
/// # }
/// # impl Notation for Nim {
/// #     fn read(&self, text: &str) -> Result<u8, String> { text.parse().map_err(|_| is_not(text, "a number")) }
/// #     fn write(&self, taken: u8) -> String { taken.to_string() }
/// #     fn picture(&self, _: Option<u8>, _: Option<Player>) -> Picture { Picture::default() }
/// # }
/// # #[derive(Default)]
/// # pub struct Reader;
/// # impl TurnReader for Reader { type State = Nim; }
///
/// settings! {
///     /// Settings of the bot that takes as many matches as it may.
///     #[derive(Clone, Copy)]
///     pub struct Greed {
///         /// Maximum number of matches to take.
///         most: u8 = 3, 1..=3;
///     }
/// }
///
/// fn greedy(settings: Greed) -> impl Bot<Nim, u8> {
///     SearchBot(move |state: &Nim, _, _: &Clock| Analysis::of_move(state.matches.min(settings.most)))
/// }
///
/// mod bots {
///     use super::*;
///     bots! {
///         TurnParser<Reader>;
///         random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
///         greedy "takes as many matches as it may": |settings: Greed, _| super::greedy(settings);
///         modest "takes at most two matches": |settings: Greed = Greed { most: 2 }, _| super::greedy(settings);
///     }
/// }
///
/// # fn main() {
/// let names: Vec<&str> = bots::Bots::INFO.iter().map(|bot| bot.name).collect();
/// assert_eq!(names, ["random", "greedy", "modest"]);
/// # }
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
