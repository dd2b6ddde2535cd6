//! `contender worker`: plays games for commands on other machines.

use clap::Args as ClapArgs;
use contender_referee::Jobs;
use std::path::PathBuf;
use std::process::ExitCode;

/// `contender worker`
#[derive(ClapArgs)]
#[command(
    after_help = "User and password come from CONTENDER_NATS_USER and CONTENDER_NATS_PASSWORD, or from the files that \
these names with _FILE behind them name. `docs/cluster.md` has the rest."
)]
pub struct WorkerArgs {
    /// The NATS server: `nats://HOST:4222`
    #[arg(long, value_name = "URL")]
    pub on: String,
    #[command(flatten)]
    pub jobs: Jobs,
    /// Whose jobs may run commands here: a coordinator's public key (`contender cluster key` prints it), or `any`;
    /// jobs of bundled bots are played for everybody
    #[arg(long, value_name = "KEY")]
    pub trust: Vec<String>,
    /// Let bots of others use all that this user may, instead of isolating them
    #[arg(long)]
    pub no_isolation: bool,
    /// End after so many games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Keep bots' files in this folder
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
    /// Say nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Plays until Ctrl-C.
#[cfg(feature = "cluster")]
pub fn run(args: &WorkerArgs) -> anyhow::Result<ExitCode> {
    use contender_cluster::{Secrets, Settings, Trust, work};
    let stop = crate::interrupt::stop_flag()?;
    let keys: Vec<String> = args.trust.iter().filter(|key| *key != "any").cloned().collect();
    let settings = Settings {
        slots: args.jobs.count(),
        trust: Trust { any: args.trust.len() > keys.len(), keys },
        cache: args.cache.clone().unwrap_or_else(|| crate::remote::folder("CACHE", ".cache").join("bots")),
        without_isolation: args.no_isolation,
        games: args.games,
        speed: crate::remote::speed(),
        signature: contender_bench::signature(),
        act: |batch, networks, is_stopped| {
            let networks: Vec<&[u8]> = networks.iter().map(|network| network.as_slice()).collect();
            contender_learn::policy_value::act(batch, &networks, is_stopped)
        },
    };
    if !args.quiet {
        say!("{} games at once, jobs from {} (Ctrl-C to end)", settings.slots, args.on);
    }
    let notice = std::sync::Arc::new(|words: &str| say!("{words}"));
    let told = work(&args.on, &Secrets::from_environment()?, settings, &stop, notice)?;
    if !args.quiet {
        say!("{} games played", told.games);
    }
    Ok(ExitCode::SUCCESS)
}

/// Says that it cannot.
#[cfg(not(feature = "cluster"))]
pub fn run(_: &WorkerArgs) -> anyhow::Result<ExitCode> {
    Err(crate::remote::not_built_in())
}
