//! `contender perft`: counts that any other implementation of the rules can be compared with.

use crate::UsageError;
use crate::args::PerftArgs;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

pub fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let count = args.game.perft(&args.game.split_moves(&args.moves), args.depth).map_err(UsageError)?;
    writeln!(std::io::stdout(), "{count}")?;
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{seconds:.2} s, {:.1} million a second", count as f64 / seconds.max(1e-9) / 1e6);
    Ok(ExitCode::SUCCESS)
}
