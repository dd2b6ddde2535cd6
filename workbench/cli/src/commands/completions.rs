//! `contender completions` and `contender man`: shell completions and man pages, generated from the commands'
//! definitions.

use crate::commands::Args;
use anyhow::Context as _;
use clap::{Args as ClapArgs, CommandFactory};
use clap_complete::Shell;
use std::path::PathBuf;
use std::process::ExitCode;

/// `contender completions`
#[derive(ClapArgs)]
pub struct CompletionsArgs {
    /// Shell for which to print completions
    pub shell: Shell,
}

/// `contender man`
#[derive(ClapArgs)]
pub struct ManArgs {
    /// Output folder; created if it does not exist
    pub folder: PathBuf,
}

pub fn run(args: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    // A custom game's program has another name but the same commands.
    let program = std::env::current_exe().ok();
    let name = program.as_deref().and_then(|path| path.file_stem()).and_then(|name| name.to_str());
    // The text is generated in memory, because it is not an error if the shell stops reading early.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), name.unwrap_or("contender"), &mut text);
    std::io::Write::write_all(&mut std::io::stdout(), &text)?;
    Ok(ExitCode::SUCCESS)
}

pub fn man(args: &ManArgs) -> anyhow::Result<ExitCode> {
    let folder = &args.folder;
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Args::command(), folder))
        .with_context(|| format!("cannot write the manual pages to {}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
