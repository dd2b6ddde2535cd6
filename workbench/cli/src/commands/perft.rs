//! `contender perft`: counts sequences of moves, for comparison with other implementations of the rules.

use crate::arguments::game_parser;
use crate::error::UsageError;
use clap::Args as ClapArgs;
use contender_game::contest::Contest;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

/// `contender perft`
#[derive(ClapArgs)]
pub struct PerftArgs {
    /// Game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// Length of the sequences: the number of decisions, including chance outcomes
    #[arg(long)]
    pub depth: u32,
    /// Moves to play first, as in a game's record: `1Dd DdDa` or `4 4, 3 5`
    #[arg(long, default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    pub moves: String,
}

pub fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let count = args.game.perft(&args.game.split_moves(&args.moves), args.depth).map_err(UsageError)?;
    writeln!(std::io::stdout(), "{count}")?;
    let seconds = start.elapsed().as_secs_f64();
    say!("{seconds:.2} s, {:.1} million per second", count as f64 / seconds.max(1e-9) / 1e6);
    Ok(ExitCode::SUCCESS)
}
