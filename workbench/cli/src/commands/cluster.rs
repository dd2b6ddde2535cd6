//! `contender cluster`: starts the server for workers, shows its status, and prints the public key for signed jobs.

#[cfg(feature = "cluster")]
mod server;

use clap::{Args as ClapArgs, Subcommand};
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;

/// `contender cluster`
#[derive(ClapArgs)]
pub struct ClusterArgs {
    #[command(subcommand)]
    pub command: ClusterCommand,
}

#[derive(Subcommand)]
pub enum ClusterCommand {
    /// Run a NATS server on this machine until Ctrl-C
    Up(UpArgs),
    /// Show the workers and the waiting jobs
    Status(StatusArgs),
    /// Print your public key for `contender worker --trust`; the first call creates the key
    Key,
}

/// `contender cluster up`
#[derive(ClapArgs)]
pub struct UpArgs {
    /// Port of the server
    #[arg(long, default_value_t = 4222)]
    pub port: u16,
    /// Address to listen on; `0.0.0.0` allows connections from other machines and requires a password
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub listen: IpAddr,
    /// Folder for the server's data
    #[arg(long, value_name = "FOLDER")]
    pub store: Option<PathBuf>,
}

/// `contender cluster status`
#[derive(ClapArgs)]
pub struct StatusArgs {
    /// Address of the NATS server: `nats://HOST:4222`
    #[arg(long, value_name = "URL", default_value = "nats://127.0.0.1:4222")]
    pub on: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs the chosen subcommand.
#[cfg(feature = "cluster")]
pub fn run(args: &ClusterArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        ClusterCommand::Up(args) => server::up(args),
        ClusterCommand::Status(args) => server::status(args),
        ClusterCommand::Key => server::print_key(),
    }
}

/// Returns an error, because this build does not include the cluster commands.
#[cfg(not(feature = "cluster"))]
pub fn run(_: &ClusterArgs) -> anyhow::Result<ExitCode> {
    Err(crate::remote::not_built_in())
}
