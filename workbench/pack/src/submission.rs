//! Converts a bundled bot to a separate program.
//!
//! A game's crate lists its bots in its module `bots` (see [`contender_game::bots`]): a protocol parser for all bots,
//! and a module with `settings` and `new` for each bot. The added `main` function uses only one of these bots. The
//! compiler therefore reports the other bots as unused, together with the parts of the game that only tools use.

use crate::PackError;
use contender_game::{contest::Limits, settings::Options};
use proc_macro2::Span;
use std::time::Duration;
use syn::{Expr, Ident, parse_quote};

/// Adds a `main` function to a bundle of the game's crates, which plays one bot with these options. The options must be
/// valid.
///
/// # Errors
/// Returns an error if a name is not an identifier.
pub fn add_main(
    file: &mut syn::File,
    game: &str,
    bot: &str,
    options: &Options,
    limits: Limits,
) -> Result<(), PackError> {
    let bot: Ident =
        syn::parse_str(bot).map_err(|_| PackError::general(format!("`{bot}` is not a valid name")))?;
    let game = Ident::new(game, Span::call_site());
    let limit = |limit: Option<Duration>| -> Expr {
        match limit.map(|limit| limit.as_millis() as u64) {
            Some(millis) => {
                let millis = proc_macro2::Literal::u64_unsuffixed(millis);
                parse_quote!(Some(Duration::from_millis(#millis)))
            }
            None => parse_quote!(None),
        }
    };
    let (first, turn, whole) = (limit(limits.first_turn), limit(limits.turn), limit(limits.game));
    let settings: Expr = match &options.to_string()[..] {
        "" => parse_quote!(bot::settings()),
        some => parse_quote! {
            crate::contender_game::settings::Options::parse(#some)
                .and_then(|mut options| crate::contender_game::settings::Settings::with(bot::settings(), &mut options))
                .expect("the options were valid when the bot was packed")
        },
    };
    let made: syn::File = parse_quote! {
        use crate::contender_game::contest::{run_program, Limits};
        use crate::#game::bots::{#bot as bot, ProtocolParser};
        use std::process::ExitCode;
        use std::time::Duration;

        fn main() -> ExitCode {
            run_program::<ProtocolParser, _>(Limits { first_turn: #first, turn: #turn, game: #whole, nodes: None }, |seed| {
                bot::new(#settings, seed)
            })
        }
    };
    // The program comes first, because readers look for the program.
    file.items.splice(0..0, made.items);
    Ok(())
}
