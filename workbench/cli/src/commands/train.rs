//! `contender train`: trains an evaluation by self-play, as described in a recipe.

use crate::error::UsageError;
use crate::progress::{course_bar, rate, whole_seconds};
use crate::remote::On;
use crate::signals::stop_flag;
use clap::{Args, Subcommand};
use contender_learn::training::{self, Live};
use contender_learn::{Event, Length, Recipe, TrainingOptions, TrainingProgress, train};
use contender_plot::{Curve, curves};
use contender_referee::available_cores;
use contender_table::write_whole;
use indicatif::ProgressBar;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// `contender train`
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "The output folder receives the trained weights or network (`weights.txt`, `net.bin`, or \
        `network.bin` with its learning curve `curve.svg`), the metrics of every step (`metrics.jsonl`) and \
        a checkpoint (`checkpoint.json`). Ctrl-C stops the training run. The same command resumes the run, \
        even with a longer time or more games. With --games, the result does not depend on -j or --on. To \
        use a recipe file called `status`, write `./status`."
)]
pub struct TrainArgs {
    #[command(subcommand)]
    pub question: Option<TrainCommand>,
    /// Recipe, for example `games/entropy/train.toml`
    #[arg(required = true)]
    pub recipe: Option<PathBuf>,
    /// Total training time in minutes, across interruptions [default: from the recipe]
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = minutes)]
    pub minutes: Option<f64>,
    /// Number of games to learn from, instead of a time; makes the training run reproducible
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Random seed: a number, or `random`
    #[arg(long, value_name = "S", default_value = "1", value_parser = contender_referee::seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// Output folder
    #[arg(short, long, value_name = "FOLDER", default_value = "training")]
    pub output: PathBuf,
    /// Start again, even if the folder already contains results
    #[arg(long)]
    pub restart: bool,
    /// Number of threads for training a policy network; other kinds use one [default: one per core]
    #[arg(short = 'j', long = "jobs", value_name = "JOBS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Play a policy network's games on the workers of this NATS server: `nats://HOST:4222`
    #[arg(long, value_name = "URL")]
    pub on: Option<String>,
    /// Do not show progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// The subcommands, which inspect training runs instead of starting one.
#[derive(Subcommand)]
pub enum TrainCommand {
    /// Show the progress of a training run, which may still be running
    Status {
        /// Output folder of the training run
        #[arg(default_value = "training")]
        folder: PathBuf,
    },
    /// Plot a metric of several training runs over time
    Compare {
        /// Output folders of the training runs; their names label the lines
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// Metric to plot, for example `against greedy` or `error`
        #[arg(long, value_name = "NAME")]
        number: String,
        /// SVG file to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
}

/// Number of lines from the end of the log that a status shows.
const LOG_LINES: usize = 5;

fn status(folder: &Path) -> anyhow::Result<ExitCode> {
    let status = training::status(folder, LOG_LINES).map_err(UsageError::from)?;
    let minutes = |time: Duration| format!("{:.1} min", time.as_secs_f64() / 60.0);
    let length = match status.length {
        Length::Minutes(minutes) => format!("{minutes} min"),
        Length::Games(games) => format!("{games} games"),
    };
    let share = status.length.share(status.games, status.running.as_secs_f64());
    println!("training  {}, seed {}", status.subject, status.seed.cast_signed());
    println!("now       {}", status.now.as_ref().map_or_else(|| "not running".to_string(), now));
    println!("played    {} games in {} of training", status.games, minutes(status.running));
    println!("length    {length}, {:.1}% done", 100.0 * share.min(1.0));
    println!("saved     {}", status.saved.map_or("?".to_string(), |time| format!("{} ago", minutes(time))));
    for line in &status.log {
        println!("log       {}", line.trim_start());
    }
    if status.log.is_empty() {
        println!("log       no metrics yet; the first line follows after some games, a fit or a match");
    }
    Ok(ExitCode::SUCCESS)
}

/// Describes the current phase of a training run.
fn now(live: &Live) -> String {
    let time = |seconds: f64| Duration::try_from_secs_f64(seconds).map(whole_seconds).unwrap_or_default();
    let left = live.left_seconds.map(|left| format!(", {} left", humantime::format_duration(time(left))));
    let since = live.started.elapsed().map(whole_seconds).unwrap_or_default();
    format!(
        "{}, {:.1}% done{}; started {} ago",
        live.phase,
        100.0 * live.done,
        left.unwrap_or_default(),
        humantime::format_duration(since)
    )
}

fn compare(folders: &[PathBuf], number: &str, output: &Path) -> anyhow::Result<ExitCode> {
    let mut lines = Vec::new();
    for folder in folders {
        let numbers = training::numbers(folder);
        if numbers.is_empty() {
            // A training run without metrics yet must not prevent the comparison of the others.
            let log = folder.join(training::METRICS);
            say!(
                "warning: {} contains no metrics yet; expected the output folder of a training run",
                log.display()
            );
            continue;
        }
        let Some(found) = numbers.iter().find(|curve| curve.name == number) else {
            let names: Vec<&str> = numbers.iter().map(|curve| curve.name.as_str()).collect();
            let log = folder.join(training::METRICS);
            let message =
                format!("no metric `{number}` in {}; available: {}", log.display(), names.join(", "));
            return Err(UsageError(message).into());
        };
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        lines.push(Curve { name, points: found.points.clone() });
    }
    if lines.is_empty() {
        return Err(UsageError(format!("no folder has the metric `{number}`")).into());
    }
    let picture = curves(number, ["minutes of training", number], &lines);
    write_whole(output, |out| Ok(out.write_all(picture.as_bytes())?))?;
    Ok(ExitCode::SUCCESS)
}

/// Shows the progress of a training run.
fn show_course(bar: &ProgressBar, progress: &TrainingProgress) {
    let TrainingProgress { phase, done, count, unit, per_second, left, figures } = progress;
    let left = left.map(|left| format!("{} left", humantime::format_duration(whole_seconds(left))));
    let parts = [
        phase.clone(),
        format!("{count} {unit}"),
        rate(*per_second),
        figures.clone(),
        left.unwrap_or_default(),
    ];
    bar.set_position((1_000.0 * done) as u64);
    bar.set_message(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  "));
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(minutes) if minutes > 0.0 && minutes <= 1e6 => Ok(minutes),
        _ => Err("expected a number of minutes above 0 and at most 1000000".to_string()),
    }
}

pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    match &args.question {
        Some(TrainCommand::Status { folder }) => return status(folder),
        Some(TrainCommand::Compare { folders, number, output }) => return compare(folders, number, output),
        None => {}
    }
    let path = args.recipe.as_ref().expect("clap requires a recipe unless there is a subcommand");
    let recipe = Recipe::read(path).map_err(UsageError::from)?;
    let order = TrainingOptions {
        length: args.games.map(Length::Games).or(args.minutes.map(Length::Minutes)),
        is_new: args.restart,
        threads: args.threads.map_or_else(available_cores, usize::from),
        ..TrainingOptions::new(&args.output, args.seed)
    };
    order.check(&recipe).map_err(|error| {
        UsageError(format!(
            "{error:#}\nhint: choose another folder with `--output`, or \
             start again with `--restart`"
        ))
    })?;
    let on = On { on: args.on.clone(), ..On::default() };
    let order = TrainingOptions { workers: on.workers(Some(&args.output))?, ..order };
    let stop = stop_flag()?;
    let bar = course_bar(args.quiet);
    let outcome = train(&recipe, &order, &|| stop.load(Ordering::Relaxed), &mut |event| match event {
        Event::GoingOn(games) => bar.suspend(|| say!("resuming after {games} games")),
        Event::Progress(progress) => show_course(&bar, &progress),
        Event::Log(line) => bar.suspend(|| {
            // If the output is closed, the training run must still continue. The log also contains the line.
            let _ = writeln!(std::io::stdout(), "{line}");
        }),
    })?;
    bar.finish_and_clear();
    let file = outcome.file.display();
    if let Some(verdict) = &outcome.verdict {
        say!("{verdict}");
    }
    if outcome.is_finished {
        say!("finished; the result is in {file}");
    } else {
        say!("stopped; run the same command to resume. The result so far is in {file}");
    }
    Ok(ExitCode::SUCCESS)
}
