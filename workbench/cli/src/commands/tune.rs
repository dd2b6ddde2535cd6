//! `contender tune`: finds the best values for a bot's parameters, as described in a recipe or on the command line.

use crate::error::UsageError;
use crate::progress::{course_bar, rate, whole_seconds};
use crate::remote::On;
use crate::signals::stop_flag;
use anyhow::Context;
use clap::{Args, Subcommand};
use contender_catalogue::{find, unknown_game};
use contender_input::this_program;
use contender_referee::{ParallelGames, Processes};
use contender_tune::{
    PhaseProgress, Range, Recipe, RunOptions, TestRecipe, TuneEvent, TuneMethod, check, run as tune, status,
};
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `contender tune`
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "The output folder receives `report.txt`, `parameters.csv`, charts and `pairs.jsonl`. The \
        same command resumes the tuning run. Options override the settings in a recipe. In a recipe, a bot \
        can also be a command with parameter names in braces. Guide: docs/howto/tune.md"
)]
pub struct TuneArgs {
    #[command(subcommand)]
    pub question: Option<TuneCommand>,
    /// Recipe, for example `games/spaghetti/tune.toml`, or a game (with BOT and --parameters)
    #[arg(required = true, value_name = "RECIPE|GAME")]
    pub recipe: Option<String>,
    /// Bundled bot, optionally with fixed settings, such as `classic:win=3`
    pub bot: Option<String>,
    /// Parameters to tune: `c`, `c=0.1..2` with a range, or `log:c=0.1..10` on a logarithmic scale
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub parameters: Vec<String>,
    /// Do not tune, but play random settings against each other and show which parameters matter
    #[arg(long)]
    pub screen: bool,
    /// Search method: `surface` or `spsa` [default: surface for up to six parameters]
    #[arg(long, value_name = "METHOD", value_parser = TuneMethod::parse)]
    pub method: Option<TuneMethod>,
    /// Number of games for tuning, and maximum number for the final test [default: derived from --precision]
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Acceptable loss compared with the best values, in Elo or points per game
    #[arg(long, value_name = "X")]
    pub precision: Option<f64>,
    /// Maximum number of nodes or iterations per move of bundled bots; makes the tuning reproducible
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Thinking time, as in `contender match --time`
    #[arg(long, value_name = "TIME")]
    pub time: Option<String>,
    /// Start position or rule variant, such as `start=216534`; `contender games GAME` lists them
    #[arg(long = "setup", alias = "rule", value_name = "KEY=VALUE")]
    pub rules: Vec<String>,
    /// Thinking time for another test of the tuned values; `100%` is the contest's limit
    #[arg(long, value_name = "TIME")]
    pub test_time: Option<String>,
    /// Random seed: a number, or `random`
    #[arg(long, value_name = "S", default_value = "1", value_parser = contender_referee::seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// Output folder
    #[arg(short, long, value_name = "FOLDER", default_value = "tuning")]
    pub output: PathBuf,
    /// Start again, even if the folder already contains results
    #[arg(long)]
    pub restart: bool,
    /// Only estimate the number of games and their time, without playing any
    #[arg(long)]
    pub plan: bool,
    #[command(flatten)]
    pub jobs: ParallelGames,
    #[command(flatten)]
    pub processes: Processes,
    #[command(flatten)]
    pub on: On,
    /// Do not show progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// The subcommands, which inspect tuning runs instead of starting one.
#[derive(Subcommand)]
pub enum TuneCommand {
    /// Show the progress of a tuning run, which may still be running
    Status {
        /// Output folder of the tuning run
        #[arg(default_value = "tuning")]
        folder: PathBuf,
    },
}

pub fn run(args: &TuneArgs) -> anyhow::Result<ExitCode> {
    if let Some(TuneCommand::Status { folder }) = &args.question {
        return show(folder);
    }
    let first = args.recipe.as_deref().context("a recipe is required")?;
    let recipe = match &args.bot {
        Some(bot) => of_words(args, first, bot)?,
        None if find(first).is_some() => {
            return Err(UsageError(format!(
                "`{first}` is a game, but no bot was given\nhint: use `{} tune {first} BOT --parameters \
                 NAMES --games N`; for a recipe with this name, use `./{first}`",
                this_program()
            ))
            .into());
        }
        None if !args.parameters.is_empty() => {
            let words = format!(
                "`--parameters` works only with a game and a bot; the recipe {first} already lists its \
                 parameters"
            );
            return Err(UsageError(words).into());
        }
        None => Recipe::read(Path::new(first)).map_err(UsageError::from)?,
    };
    let recipe = overridden(recipe, args);
    recipe.check().map_err(UsageError::new)?;
    if recipe.referee.is_some() {
        args.on.has_own_clock()?;
    }
    let contest = match recipe.referee {
        Some(_) => None,
        None => Some(find(&recipe.game).ok_or_else(|| UsageError(unknown_game(&recipe.game)))?),
    };
    let order = RunOptions {
        seed: args.seed,
        folder: args.output.clone(),
        is_new: args.restart,
        is_plan_only: args.plan,
        jobs: args.on.jobs(args.jobs),
        processes: args.processes,
        workers: args.on.workers(Some(&args.output))?,
    };
    check(contest, &recipe, &order).map_err(UsageError::from)?;
    let stop = stop_flag()?;
    let bar = course_bar(args.quiet);
    let finish = tune(contest, &recipe, &order, &stop, &mut |event| hear(&bar, event));
    bar.finish_and_clear();
    let finish = finish?;
    std::io::stdout().write_all(finish.text.as_bytes())?;
    if !finish.is_finished && !args.plan {
        say!("stopped; run the same command to resume");
    }
    Ok(ExitCode::SUCCESS)
}

fn hear(bar: &ProgressBar, event: TuneEvent) {
    match event {
        TuneEvent::Warning(words) => bar.suspend(|| say!("warning: {words}")),
        TuneEvent::GoingOn(games) => bar.suspend(|| say!("resuming after {games} games")),
        TuneEvent::Plan(words) => bar.suspend(|| say!("plan: {words}")),
        TuneEvent::Progress(PhaseProgress { phase, games, all, per_second, left, figures }) => {
            bar.set_position(1_000 * games / all.max(1));
            let left = left.map_or(String::new(), |left| {
                format!("{} left", humantime::format_duration(whole_seconds(left)))
            });
            let parts = [format!("{} {games}/{all} games", phase.name()), rate(per_second), left, figures];
            bar.set_message(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  "));
        }
    }
}

/// Creates a recipe from the command line.
fn of_words(args: &TuneArgs, game: &str, bot: &str) -> anyhow::Result<Recipe> {
    let mut parameters = BTreeMap::new();
    for text in &args.parameters {
        let (name, range) = parameter(text).map_err(UsageError::new)?;
        if parameters.insert(name.clone(), range).is_some() {
            return Err(UsageError(format!("the parameter `{name}` is given twice")).into());
        }
    }
    if parameters.is_empty() {
        return Err(UsageError(format!(
            "no parameters given for {bot}\nhint: use `--parameters NAMES`; `{} games {game}` lists the \
             parameters",
            this_program()
        ))
        .into());
    }
    Ok(Recipe {
        game: game.to_string(),
        referee: None,
        league: None,
        bot: bot.to_string(),
        screen: false,
        method: None,
        precision: None,
        confidence: 0.95,
        games: None,
        stake: None,
        noise: None,
        nodes: None,
        time: None,
        rules: Vec::new(),
        openings: None,
        parameters,
        test: TestRecipe::default(),
    })
}

/// Returns the recipe with the command line's options applied.
fn overridden(recipe: Recipe, args: &TuneArgs) -> Recipe {
    let test_time = args.test_time.clone().or(recipe.test.time);
    // The options `--games` and `--precision` both set the length, so either one replaces both keys.
    let is_length_said = args.games.is_some() || args.precision.is_some();
    let (games, precision) =
        if is_length_said { (args.games, args.precision) } else { (recipe.games, recipe.precision) };
    Recipe {
        screen: recipe.screen || args.screen,
        method: args.method.or(recipe.method),
        precision,
        games,
        nodes: args.nodes.or(recipe.nodes),
        time: args.time.clone().or(recipe.time),
        rules: if args.rules.is_empty() { recipe.rules } else { args.rules.clone() },
        test: TestRecipe { time: test_time, ..recipe.test },
        ..recipe
    }
}

/// Parses a parameter, such as `c`, `c=0.1..2` or `log:c=0.1..10`.
fn parameter(text: &str) -> Result<(String, Range), String> {
    let (is_log, rest) = text.trim().strip_prefix("log:").map_or((false, text.trim()), |rest| (true, rest));
    let mut range = Range { log: is_log, ..Range::default() };
    let name = match rest.split_once('=') {
        None => rest,
        Some((name, ends)) => {
            let number = |text: &str| text.trim().parse::<f64>().ok();
            let ends = ends.split_once("..").and_then(|(low, high)| Some((number(low)?, number(high)?)));
            let (low, high) = ends.ok_or_else(|| {
                format!("invalid parameter `{text}`: expected a name, or a name and a range: c=0.1..2")
            })?;
            (range.low, range.high) = (Some(low), Some(high));
            name
        }
    };
    Ok((name.to_string(), range))
}

fn show(folder: &Path) -> anyhow::Result<ExitCode> {
    let status = status(folder).map_err(UsageError::from)?;
    let saved = status
        .saved
        .map_or("?".to_string(), |time| humantime::format_duration(whole_seconds(time)).to_string());
    let text =
        format!("tuning  {}, seed {}\nsaved   {saved} ago\n{}", status.subject, status.seed, status.report);
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_names_and_ranges() {
        let named = |name: &str, range| Ok((name.to_string(), range));
        assert_eq!(parameter("c"), named("c", Range::default()));
        let range = Range { low: Some(0.1), high: Some(2.0), ..Range::default() };
        assert_eq!(parameter("c=0.1..2"), named("c", range.clone()));
        assert_eq!(parameter("log:c=0.1..2"), named("c", Range { log: true, ..range }));
        assert!(parameter("c=3").is_err() && parameter("c=a..b").is_err());
    }
}
