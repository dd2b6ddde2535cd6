//! `contender train`: an evaluation learned from games of a bot against itself.

use clap::Args;
use std::path::PathBuf;

/// `contender train`
#[derive(Args)]
#[command(
    after_help = "The folder of the output gets `weights.txt`, `log.txt` and `checkpoint.json`. Ctrl-C stops a training, and \
the same command goes on with it. A longer time or more games may be given then."
)]
pub struct TrainArgs {
    /// The recipe, for example games/entropy/train.toml
    pub recipe: PathBuf,
    /// How long to train, in minutes of running since the first start [default: 20]
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = minutes)]
    pub minutes: Option<f64>,
    /// How many games to learn from instead: reproducible
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Seed of all luck: a number, or `random`
    #[arg(long, value_name = "S", default_value = "1", value_parser = crate::args::seed)]
    pub seed: u64,
    /// The folder of the output
    #[arg(short, long, value_name = "FOLDER", default_value = "training")]
    pub output: PathBuf,
    /// Begin anew, whatever the folder holds
    #[arg(long)]
    pub restart: bool,
    /// Do not show progress
    #[arg(short, long)]
    pub quiet: bool,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(minutes) if minutes > 0.0 && minutes <= 1e6 => Ok(minutes),
        _ => Err("a number of minutes is above 0 and at most 1000000".to_string()),
    }
}

#[cfg(not(feature = "learn"))]
pub fn run(_args: &TrainArgs) -> anyhow::Result<std::process::ExitCode> {
    Err(super::without_learning("train"))
}

#[cfg(feature = "learn")]
pub use training::run;

#[cfg(feature = "learn")]
mod training {
    use super::TrainArgs;
    use crate::UsageError;
    use crate::commands::progress::progress_bar;
    use crate::interrupt::stop_flag;
    use contender_entropy::GreedyBot;
    use contender_learn::{Event, Length, Progress, Recipe, entropy};
    use indicatif::{ProgressBar, ProgressStyle};
    use std::io::Write;
    use std::process::ExitCode;
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    const MINUTES: f64 = 20.0;

    pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
        let recipe = Recipe::read(&args.recipe).map_err(|error| UsageError(format!("{error:#}")))?;
        let length = match args.games {
            Some(games) => Length::Games(games),
            None => Length::Time(Duration::from_secs_f64(60.0 * args.minutes.unwrap_or(MINUTES))),
        };
        if recipe.game != "entropy" {
            let words =
                format!("the recipe is for `{}`; only `entropy` has inputs to learn with", recipe.game);
            return Err(UsageError(words).into());
        }
        let mut greedy = GreedyBot::new();
        let mut training =
            entropy::training(recipe, args.seed, length, &args.output, args.restart, &mut greedy).map_err(
                |error| UsageError(format!("{error:#}; another --output or --restart begins anew")),
            )?;
        if training.checkpoint.games > 0 {
            eprintln!("going on after {} games", training.checkpoint.games);
        }
        let stop = stop_flag()?;
        let bar = progress_bar(args.quiet);
        let style = ProgressStyle::with_template("{bar:24} {percent}%  {msg}");
        bar.set_style(style.expect("the template is well formed"));
        bar.set_length(1_000);
        let is_finished = training.run(&|| stop.load(Ordering::Relaxed), &mut |event| match event {
            Event::Round(progress) => show(&bar, &progress),
            Event::Log(line) => bar.suspend(|| {
                // A reader that has gone must not end hours of work; the log has the line too.
                let _ = writeln!(std::io::stdout(), "{line}");
            }),
        })?;
        bar.finish_and_clear();
        let weights = args.output.join("weights.txt");
        if is_finished {
            eprintln!("the weights are in {}", weights.display());
        } else {
            eprintln!("stopped; the same command goes on. The weights so far are in {}", weights.display());
        }
        Ok(ExitCode::SUCCESS)
    }

    fn show(bar: &ProgressBar, progress: &Progress) {
        bar.set_position((1_000.0 * progress.done) as u64);
        bar.set_message(format!(
            "{} games  {:.0}/min  error {:.2}  {} left",
            progress.games,
            progress.games_per_minute,
            progress.error,
            humantime::format_duration(Duration::from_secs(progress.left.as_secs()))
        ));
    }
}
