//! `contender bot`: runs a bundled bot as a program.

use crate::arguments::{BUNDLED_BOT_HELP, game_parser};
use crate::error::UsageError;
use crate::setup::{bundled_name, referee};
use clap::Args as ClapArgs;
use contender_game::contest::Contest;
use contender_referee::ConditionArgs;
use std::process::ExitCode;

/// `contender bot`
#[derive(ClapArgs)]
#[command(after_help = BUNDLED_BOT_HELP)]
pub struct BotArgs {
    /// Game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// Bundled bot [default: the strongest]
    #[arg(long, value_name = "BOT")]
    pub name: Option<String>,
    #[command(flatten)]
    pub conditions: ConditionArgs,
}

pub fn run(args: &BotArgs) -> anyhow::Result<ExitCode> {
    let referee = referee(args.game, &args.conditions)?;
    let (name, options) = bundled_name(args.game, args.name.as_deref())?;
    let bot = referee.bundled_bot(args.game, &name, &options, args.conditions.seed);
    let mut bot = bot.map_err(UsageError::new)?;
    contender_game::contest::run_stdio(bot.as_mut()).map_err(anyhow::Error::msg)?;
    Ok(ExitCode::SUCCESS)
}
