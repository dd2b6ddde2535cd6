//! `contender league`: runs a permanent tournament that bots can join and leave. All its games are stored in one file.

mod run;
mod show;

use crate::arguments::BOT_HELP;
use crate::error::UsageError;
use crate::progress::progress_of;
use crate::remote::On;
use crate::signals::stop_flag;
use anyhow::{Context, bail};
use clap::{Args as ClapArgs, Subcommand};
use contender_catalogue::{find, unknown_game};
use contender_input::this_program;
use contender_league::{
    BotState, ExportForm, Filter, League, Model, NewBot, NewLeagueGame, Placed, Plan, Store, import,
};
use contender_referee::{ParallelGames, Referee, available_cores};
use contender_table::write_whole;
use run::{play_on, too_few};
use show::{forecast, list, plot, print_game, show, write_input};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// `contender league`
#[derive(ClapArgs)]
pub struct LeagueArgs {
    /// Folder of the league
    #[arg(long, default_value = ".", value_name = "FOLDER", global = true)]
    pub dir: PathBuf,
    #[command(subcommand)]
    pub command: LeagueCommand,
}

/// The options that select games and the rating model.
#[derive(ClapArgs, Default)]
pub struct GameSelection {
    /// Rating model [default: points, or Elo if the contest counts wins]
    #[arg(long, value_enum)]
    pub rating: Option<Model>,
    /// Count only games that match a condition, such as 'map_size == "small" and bot.final > 3'
    #[arg(long = "where", value_name = "CONDITION", value_parser = Filter::parse)]
    pub filter: Option<Filter>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A bot that joins a league.
#[derive(ClapArgs)]
pub struct AddedBot {
    /// Name of the bot in the league
    pub name: String,
    /// Bundled bot or quoted command; the files in the command are copied into the league
    pub command: String,
    /// Add the bot without testing it, for example if it cannot run on this machine
    #[arg(long, alias = "untried")]
    pub no_check: bool,
    /// Use the bot's original files instead of copies; the bot then changes when the files change
    #[arg(long, conflicts_with = "folder")]
    pub in_place: bool,
    /// Folder to copy, for a bot that consists of several files
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// Shell command that builds the bot; runs once in the league's folder before the bot is added
    #[arg(long, value_name = "COMMAND")]
    pub build: Option<String>,
    /// Source file of the bot; the league keeps a copy and its hash
    #[arg(long, value_name = "FILE")]
    pub source: Option<PathBuf>,
}

/// The subcommands of `contender league`.
#[derive(Subcommand)]
pub enum LeagueCommand {
    /// Create a league with a commented `league.toml`
    Init {
        /// Name of the game; with --match, any name
        game: String,
        /// Command that plays one game and prints the result, such as `python3 play.py %P1% %P2% %SEED%`
        #[arg(long = "match", value_name = "COMMAND")]
        match_command: Option<String>,
    },
    /// Add a bot
    #[command(after_help = BOT_HELP)]
    Add(AddedBot),
    /// Add a new version of a bot and pause the old version, whose games are kept
    #[command(after_help = BOT_HELP)]
    Replace {
        /// Bot to pause
        old: String,
        #[command(flatten)]
        new: AddedBot,
    },
    /// Rename a bot and keep its games
    Rename {
        /// Current name of the bot
        name: String,
        /// New name
        new: String,
    },
    /// Remove a bot; its games still count for its opponents
    Remove {
        /// Name of the bot
        name: String,
    },
    /// Pause a bot: it plays no more games but keeps its rating
    Pause {
        /// Name of the bot
        name: String,
    },
    /// Resume a paused bot
    Resume {
        /// Name of the bot
        name: String,
    },
    /// Play games until Ctrl-C or a limit; bots can be added and removed meanwhile
    Run {
        /// Maximum number of games; the run also ends when no games are left
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        games: Option<u64>,
        /// Maximum duration of the run, for example `10m` or `8h`
        #[arg(long = "duration", alias = "for", value_name = "TIME", value_parser = |text: &str| humantime::parse_duration(text))]
        time: Option<Duration>,
        /// Exit when no games are left, instead of waiting for new bots
        #[arg(long, alias = "once")]
        exit_when_done: bool,
        /// Number of games at a time [default: from league.toml, otherwise one per core]
        #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
        jobs: Option<u16>,
        #[command(flatten)]
        on: On,
        /// Do not show progress
        #[arg(short, long)]
        quiet: bool,
        /// Exit when standard input is closed, for programs that start this command
        #[arg(long, hide = true)]
        end_with_input: bool,
    },
    /// Show the rating table
    Show(GameSelection),
    /// Estimate how certain the ranking is, and how many more pairs of games would settle it
    Forecast(GameSelection),
    /// Draw SVG charts of ratings, results, progress, scores, times and values reported by bots
    Plot {
        /// Output folder
        folder: PathBuf,
        /// Rating model [default: points, or Elo if the contest counts wins]
        #[arg(long, value_enum)]
        rating: Option<Model>,
    },
    /// List games, or show one game with its endings, times, moves and values reported by the bots
    Games {
        /// Number of the game to show
        number: Option<i64>,
        /// Print the complete record of the game as JSON
        #[arg(long, requires = "number")]
        json: bool,
        /// Print the input that one bot received in the game; given by name or seat
        #[arg(long, value_name = "BOT", requires = "number", conflicts_with = "json")]
        input: Option<String>,
        /// List only games of this bot
        #[arg(long)]
        bot: Option<String>,
        /// List only games with a failed bot or without a result
        #[arg(long)]
        failed: bool,
        /// Number of recent games to list
        #[arg(long, value_name = "N", default_value_t = 20)]
        last: usize,
    },
    /// Export all games as CSV, Parquet, JSON lines or PGN
    Export {
        /// Format: one row per game (CSV, Parquet), full records (JSON lines), or PGN without moves
        #[arg(long, value_enum, default_value_t = ExportForm::Csv)]
        form: ExportForm,
        /// Output file [default: standard output]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Import games from a log of `contender match`, a CodeCup table or psyleague's `.games`
    Import {
        /// Files to import
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

pub fn run(args: &LeagueArgs) -> anyhow::Result<ExitCode> {
    if let LeagueCommand::Init { game, match_command } = &args.command {
        create(&args.dir, game, match_command.as_deref())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut league = League::open(&args.dir).map_err(usage)?;
    use LeagueCommand::{Export, Forecast, Games, Plot, Show};
    let mut store = match &args.command {
        Show(_) | Forecast(_) | Plot { .. } | Games { .. } | Export { .. } => Store::open_to_read(&league)?,
        _ => Store::open(&league)?,
    };
    match &args.command {
        LeagueCommand::Init { .. } => unreachable!("handled above"),
        LeagueCommand::Add(new) => add(&league, &mut store, new)?,
        LeagueCommand::Replace { old, new } => replace(&league, &mut store, old, new)?,
        LeagueCommand::Rename { name, new } => store.rename(name, new).map_err(usage)?,
        LeagueCommand::Remove { name } => store.set_state(name, BotState::Removed).map_err(usage)?,
        LeagueCommand::Pause { name } => store.set_state(name, BotState::Paused).map_err(usage)?,
        LeagueCommand::Resume { name } => store.set_state(name, BotState::Active).map_err(usage)?,
        LeagueCommand::Run { games, time, exit_when_done, jobs, on, quiet, end_with_input } => {
            let bots = store.bots()?;
            drop(store);
            let jobs = prepare_machine(&mut league, on, *jobs)?;
            let playing = bots.iter().filter(|bot| bot.state == BotState::Active).count();
            // If the user asks for a number of games, the command must not wait for more bots.
            let once = *exit_when_done || games.is_some();
            if playing < 2 && once {
                return Err(UsageError(too_few(playing, bots.len())).into());
            }
            let plan = Plan { jobs, games: *games, until: time.map(|time| Instant::now() + time), once };
            return play_on(&league, plan, *quiet, *end_with_input);
        }
        LeagueCommand::Show(shown) => show(&league, &store, shown)?,
        LeagueCommand::Forecast(shown) => forecast(&league, &store, shown)?,
        LeagueCommand::Plot { folder, rating } => plot(&league, &store, folder, *rating)?,
        LeagueCommand::Games { number, json, input, bot, failed, last } => match (number, input) {
            (Some(number), Some(seat)) => write_input(&league, &store, *number, seat)?,
            (Some(number), None) => print_game(&league, &store, *number, *json)?,
            (None, _) => list(&store, bot.as_deref(), *failed, *last)?,
        },
        LeagueCommand::Export { form, output } => {
            form.check().map_err(usage)?;
            match output {
                Some(file) => write_whole(file, |out| form.write(&store, out))?,
                None => form.write(&store, std::io::stdout())?,
            }
        }
        LeagueCommand::Import { files } => return enter(&mut store, &league.settings.game, files),
    }
    Ok(ExitCode::SUCCESS)
}

/// Creates a league for a bundled game, or for the game that a command plays.
fn create(folder: &Path, game: &str, match_command: Option<&str>) -> anyhow::Result<()> {
    let new = match match_command {
        Some(command) => NewLeagueGame::Command { game, command },
        None => NewLeagueGame::Contest(find(game).ok_or_else(|| {
            UsageError(unknown_game(game) + "\nhint: `--match COMMAND` creates a league for any other game")
        })?),
    };
    Store::open(&League::create(folder, new).map_err(usage)?)?;
    say!(
        "created a league for {game} in {}; add bots with `{} league add NAME COMMAND`",
        folder.display(),
        this_program()
    );
    Ok(())
}

/// Adds a bot, and pauses the bot that it replaces.
fn replace(league: &League, store: &mut Store, old: &str, new: &AddedBot) -> anyhow::Result<()> {
    let program = this_program();
    match store.bots()?.iter().find(|bot| bot.name == *old) {
        Some(bot) if bot.state == BotState::Removed => {
            return Err(UsageError(format!(
                "`{old}` has been removed from the league\nhint: add a new bot with `{program} league add NAME COMMAND`"
            ))
            .into());
        }
        Some(_) => {}
        // Fails with an error that lists the league's bots.
        None => store.set_state(old, BotState::Paused).map_err(usage)?,
    }
    add(league, store, new)?;
    store.set_state(old, BotState::Paused)?;
    say!("{} replaces {old}. {old} is paused; `{program} league resume {old}` lets it play again", new.name);
    Ok(())
}

/// Connects to other machines if there are any, warns about bad conditions, and returns the number of games to play at
/// a time.
fn prepare_machine(league: &mut League, on: &On, jobs: Option<u16>) -> anyhow::Result<usize> {
    if league.contest().is_none() {
        on.has_own_clock()?;
    }
    if let Some(workers) = on.workers(Some(&league.folder))? {
        league.play_on(workers).map_err(UsageError::new)?;
    }
    let jobs = on.jobs(ParallelGames { jobs: jobs.or(league.settings.jobs) }).count();
    let cores = available_cores();
    if jobs > cores && on.on.is_none() {
        let plural = if cores == 1 { "core" } else { "cores" };
        say!(
            "warning: {jobs} games at a time on {cores} {plural}: bots must share cores and get less computing time"
        );
    }
    let contest = league.contest();
    let referee = contest.map(|contest| league.settings.referee(contest, &league.folder)).transpose()?;
    if let Some(isolation) = referee.as_ref().and_then(Referee::isolation) {
        isolation.missing().iter().for_each(|sentence| say!("warning: {sentence}"));
    }
    Ok(jobs)
}

fn usage(error: anyhow::Error) -> anyhow::Error {
    UsageError::from(error).into()
}

/// Adds a bot, after testing the copies of its files.
fn add(league: &League, store: &mut Store, new: &AddedBot) -> anyhow::Result<()> {
    let AddedBot { name, command, no_check, in_place, folder, build, source } = new;
    // Paths from the user are relative to the current folder; the league runs commands in its own folder.
    let source = source
        .as_ref()
        .map(|path| path.canonicalize().with_context(|| format!("cannot read {}", path.display())));
    let source = source.transpose().map_err(usage)?;
    build.as_deref().map_or(Ok(()), |build| built(build, &league.folder))?;
    let here = std::env::current_dir().context("cannot read the current folder")?;
    let new = NewBot {
        name,
        command,
        from: Some(&here),
        in_place: *in_place,
        folder: folder.as_deref(),
        source: source.as_deref(),
    };
    let stop = stop_flag()?;
    let added = store.add_if(new, |placed| {
        let bot = league.entrant(name, &placed.command)?;
        let tried = if *no_check { Ok(()) } else { league.try_out(&bot, &stop) };
        tried.map_err(|reason| anyhow::Error::msg(format!("{reason}{}", remedies(placed, &here))))
    });
    let placed = added.map_err(usage)?;
    if placed.is_copied {
        say!(
            "{name} runs `{}`, a copy that does not change when you rebuild the bot (to run the original \
             file, use --in-place)",
            placed.command
        );
    }
    if !in_place && !placed.stays.is_empty() {
        say!("{name} uses {} directly, without a copy", placed.stays.join(" and "));
    }
    Ok(())
}

/// Returns hints for a bot that has failed its test.
fn remedies(placed: &Placed, here: &Path) -> String {
    let folder = placed.copied_from.as_ref().map(|folder| {
        let within = folder.strip_prefix(here).unwrap_or(folder);
        let folder = if within.as_os_str().is_empty() { Path::new(".") } else { within };
        format!(
            "\nhint: only the files named in the command were copied; to copy the whole folder, use \
             `--folder {}`; to run the original files, use `--in-place`",
            shell_words::quote(&folder.display().to_string())
        )
    });
    folder.unwrap_or_default()
        + "\nhint: bots run in the league's folder, so use absolute paths for other files; to add the bot \
            anyway, use `--no-check`"
}

/// Runs a bot's build command.
fn built(command: &str, folder: &Path) -> anyhow::Result<()> {
    let mut shell = std::process::Command::new("sh");
    let output =
        shell.args(["-c", command]).current_dir(folder).output().context("cannot run the shell `sh`")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("the build command failed ({}):\n{}", output.status, said.trim_end());
    }
    Ok(())
}

fn enter(store: &mut Store, game: &str, files: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let mut is_whole = true;
    let stop = stop_flag()?;
    for file in files {
        let file: &Path = file;
        let bar = progress_of(false, "bytes", None);
        if let Ok(meta) = file.metadata() {
            bar.set_length(meta.len());
        }
        let imported = import(store, file, game, &mut |so_far| {
            bar.set_message(format!("{} new games, {} already known", so_far.new, so_far.known));
            bar.set_position(so_far.bytes);
            !stop.load(Ordering::Relaxed)
        });
        bar.finish_and_clear();
        let imported = imported.map_err(usage)?;
        for problem in &imported.problems {
            say!("skipped: {problem}");
        }
        if imported.passed_over > imported.problems.len() as u64 {
            say!("{} lines skipped in total", imported.passed_over);
        }
        say!("{}: {} new games, {} already known", file.display(), imported.new, imported.known);
        is_whole &= imported.passed_over == 0;
        if stop.load(Ordering::Relaxed) {
            say!("interrupted; run the same command to import the remaining games");
            return Ok(ExitCode::SUCCESS);
        }
    }
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
