//! `contender bot`: a bundled bot as a program.

use super::{bundled_bot, referee};
use crate::args::BotArgs;
use std::process::ExitCode;

pub fn run(args: &BotArgs) -> anyhow::Result<ExitCode> {
    let referee = referee(args.game, &args.conditions)?;
    let mut bot = bundled_bot(args.game, args.name.as_deref(), &args.conditions, &referee)?;
    contender_game::run_stdio(bot.as_mut()).map_err(anyhow::Error::msg)?;
    Ok(ExitCode::SUCCESS)
}
