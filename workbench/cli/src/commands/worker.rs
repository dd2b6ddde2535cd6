//! `contender worker`: plays games for commands on other machines.

use clap::Args as ClapArgs;
#[cfg(feature = "cluster")]
use contender_referee::{IdleProcesses, Watch, available_cores};
use std::path::PathBuf;
use std::process::ExitCode;
#[cfg(feature = "cluster")]
use std::time::Duration;

/// `contender worker`
#[derive(ClapArgs)]
#[command(
    after_help = "Credentials are read from CONTENDER_NATS_USER and CONTENDER_NATS_PASSWORD, or from the files named by \
CONTENDER_NATS_USER_FILE and CONTENDER_NATS_PASSWORD_FILE. Guide: docs/howto/several-machines.md"
)]
pub struct WorkerArgs {
    /// NATS server to connect to: `nats://HOST:4222`
    #[arg(long, value_name = "URL")]
    pub on: String,
    /// Number of games at a time [default: one per idle core]
    #[arg(short = 'j', long, value_name = "JOBS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Public key (from `contender cluster key`) of a user whose commands may run here, or `any`
    #[arg(long, value_name = "KEY")]
    pub trust: Vec<String>,
    /// Run third-party bots without isolation; they then have all your permissions
    #[arg(long)]
    pub no_isolation: bool,
    /// Exit after N games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Folder for copies of the bots' files
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
    /// Print only errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Plays games until Ctrl-C.
#[cfg(feature = "cluster")]
pub fn run(args: &WorkerArgs) -> anyhow::Result<ExitCode> {
    use contender_cluster::{Secrets, Trust, WorkerSettings, work};
    let stop = crate::signals::end_flag()?;
    let trust = Trust::parse(&args.trust).map_err(|error| crate::error::UsageError(error.to_string()))?;
    let settings = WorkerSettings {
        slots: args.jobs.map_or_else(quiet_cores, usize::from),
        trust,
        cache: args.cache.clone().unwrap_or_else(|| crate::remote::folder("CACHE", ".cache").join("bots")),
        without_isolation: args.no_isolation,
        games: args.games,
        speed: crate::remote::speed(),
        signature: contender_bench::signature(),
        act: |batch, networks, is_stopped| {
            let networks: Vec<&[u8]> = networks.iter().map(|network| network.as_slice()).collect();
            Ok(contender_learn::policy_value::act(batch, &networks, is_stopped)?)
        },
    };
    if !args.quiet {
        say!(
            "playing up to {} games at a time for jobs from {} (press Ctrl-C to stop)",
            settings.slots,
            args.on
        );
    }
    let notice = std::sync::Arc::new(|words: &str| say!("{words}"));
    let told = work(&args.on, &Secrets::from_environment()?, settings, &stop, notice)?;
    if !args.quiet {
        say!("{} games played", told.games);
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the number of cores that other programs leave idle, but at least 1.
#[cfg(feature = "cluster")]
fn quiet_cores() -> usize {
    let watch = Watch::start(&IdleProcesses::default());
    std::thread::sleep(Duration::from_secs(2));
    quiet(available_cores(), watch.machine().other_load)
}

/// Returns how many of `cores` cores are idle if other programs use a fraction `other_load` of the total capacity. A
/// core with a load of 25% or more counts as used.
#[cfg(feature = "cluster")]
fn quiet(cores: usize, other_load: Option<f64>) -> usize {
    let used = other_load.unwrap_or(0.0) * cores as f64;
    cores.saturating_sub((used + 0.75) as usize).max(1)
}

/// Returns an error, because this build does not include workers.
#[cfg(not(feature = "cluster"))]
pub fn run(_: &WorkerArgs) -> anyhow::Result<ExitCode> {
    Err(crate::remote::not_built_in())
}

#[cfg(all(test, feature = "cluster"))]
mod tests {
    use super::quiet;

    #[test]
    fn cores_of_others_are_left_to_them() {
        for (cores, load, slots) in [
            (4, None, 4),
            (4, Some(0.05), 4),
            (4, Some(0.07), 3),
            (4, Some(0.6), 1),
            (2, Some(1.0), 1),
            (64, Some(0.5), 32),
        ] {
            assert_eq!(quiet(cores, load), slots, "{cores} {load:?}");
        }
    }
}
