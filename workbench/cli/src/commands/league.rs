//! `contender league`: bots that come and go, all their games in one file, and how strong they are.

use crate::arguments::BOT_HELP;
use crate::error::UsageError;
use crate::interrupt::{interrupted, stop_flag};
use crate::progress::progress_of;
use crate::terminal::is_coloured;
use anyhow::{Context, bail};
use clap::{Args as ClapArgs, Subcommand};
use contender_arena::RankedBy;
use contender_catalogue::{CONTESTS, find};
use contender_league::{
    Event, ExportForm, Filter, Game, GameState, League, Meetings, Model, New, NewBot, Plan, Standings, State,
    Store, VOIDS_IN_A_ROW, import, pictures, run as play,
};
use contender_referee::{Entrant, Jobs, available_cores};
use contender_table::write_whole;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// `contender league`
#[derive(ClapArgs)]
pub struct LeagueArgs {
    /// The league's folder
    #[arg(long, default_value = ".", value_name = "FOLDER", global = true)]
    pub dir: PathBuf,
    #[command(subcommand)]
    pub command: LeagueCommand,
}

/// What to do with a league.
#[derive(Subcommand)]
pub enum LeagueCommand {
    /// Make a league: writes `league.toml`, with a comment for each setting
    Init {
        /// The game; with --match any name
        game: String,
        /// A command that plays a game in place of our referee and prints its result, as for psyleague or CG Arena:
        /// `python3 play.py %P1% %P2% %SEED%`
        #[arg(long = "match", value_name = "COMMAND")]
        match_command: Option<String>,
    },
    /// Add a bot
    #[command(after_help = BOT_HELP)]
    Add {
        /// Its name in the league
        name: String,
        /// What is run, from the league's folder: a bundled bot, or a command in quotes, whose files are copied into the league
        command: String,
        /// Copy no files: the bot changes when they do
        #[arg(long)]
        in_place: bool,
        /// A shell command that is run once before, in the league's folder
        #[arg(long, value_name = "COMMAND")]
        build: Option<String>,
        /// A file to keep in the league's folder with its hash
        #[arg(long, value_name = "FILE")]
        source: Option<PathBuf>,
    },
    /// Take a bot out; its games stay and count for others
    Remove {
        /// The bot
        name: String,
    },
    /// Let a bot rest; it is rated on
    Pause {
        /// The bot
        name: String,
    },
    /// Let a bot that rests play again
    Resume {
        /// The bot
        name: String,
    },
    /// Play, until Ctrl-C or the given end; bots may be added and removed meanwhile
    Run {
        /// So many games
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        games: Option<u64>,
        /// So long: `10m`, `8h`
        #[arg(long = "for", value_name = "TIME", value_parser = |text: &str| humantime::parse_duration(text))]
        time: Option<Duration>,
        /// End when nobody is to meet, and do not wait for bots to come
        #[arg(long)]
        once: bool,
        /// Games at the same time [default: as in league.toml, else one for each core]
        #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
        jobs: Option<u16>,
        /// Do not show progress
        #[arg(short, long)]
        quiet: bool,
    },
    /// Show where the bots stand
    Show {
        /// How strength is computed [default: points, or Elo where the contest counts wins]
        #[arg(long, value_enum)]
        rating: Option<Model>,
        /// Only games that meet a condition: 'map_size == "small" and bot.final > 3'
        #[arg(long = "where", value_name = "CONDITION", value_parser = Filter::parse)]
        filter: Option<Filter>,
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
    /// Draw ratings, who beats whom, progress, scores, thinking times and what bots tell of their turns as SVG files
    Plot {
        /// Where to write them
        folder: PathBuf,
        /// How strength is computed [default: points, or Elo where the contest counts wins]
        #[arg(long, value_enum)]
        rating: Option<Model>,
    },
    /// List games, or show one: how each bot's part ended, times, moves, what bots told
    Games {
        /// The game's number
        number: Option<i64>,
        /// Print all that is known of the game as JSON
        #[arg(long, requires = "number")]
        json: bool,
        /// Only games of this bot
        #[arg(long)]
        bot: Option<String>,
        /// Only games in which a bot failed, and void ones
        #[arg(long)]
        failed: bool,
        /// Only the last so many
        #[arg(long, value_name = "N", default_value_t = 20)]
        last: usize,
    },
    /// Write all games
    Export {
        /// CSV or Parquet with a row for each game, JSON lines of the records, or PGN without moves for Ordo and BayesElo
        #[arg(long, value_enum, default_value_t = ExportForm::Csv)]
        form: ExportForm,
        /// Write to this file [default: standard output]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Enter games from elsewhere: a log of `contender match`, a published table of CodeCup, psyleague's `.games`
    Import {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

pub fn run(args: &LeagueArgs) -> anyhow::Result<ExitCode> {
    if let LeagueCommand::Init { game, match_command } = &args.command {
        let new = match match_command {
            Some(command) => New::Command { game, command },
            None => New::Contest(find(game).ok_or_else(|| unknown_game(game))?),
        };
        Store::open(&League::create(&args.dir, new).map_err(usage)?)?;
        eprintln!(
            "a league of {} is in {}; add bots with `contender league add NAME COMMAND`",
            game,
            args.dir.display()
        );
        return Ok(ExitCode::SUCCESS);
    }
    let league = League::open(&args.dir).map_err(usage)?;
    use LeagueCommand::{Export, Games, Plot, Show};
    let mut store = match &args.command {
        Show { .. } | Plot { .. } | Games { .. } | Export { .. } => Store::open_to_read(&league)?,
        _ => Store::open(&league)?,
    };
    match &args.command {
        LeagueCommand::Init { .. } => unreachable!("handled above"),
        LeagueCommand::Add { name, command, in_place, build, source } => {
            // What users write is relative to where they are, what the league runs to its folder.
            let source = source
                .as_ref()
                .map(|path| path.canonicalize().with_context(|| format!("cannot read {}", path.display())));
            let source = source.transpose().map_err(usage)?;
            std::env::set_current_dir(&league.folder)?;
            build.as_deref().map_or(Ok(()), built)?;
            if let Some(contest) = league.contest() {
                Entrant::parse(contest, command).map_err(|error| UsageError(error.to_string()))?;
            }
            store
                .add(NewBot { name, command, source: source.as_deref(), in_place: *in_place })
                .map_err(usage)?;
            let bots = store.bots()?;
            if let Some(kept) =
                bots.iter().find(|bot| bot.name == *name).filter(|bot| bot.command != *command)
            {
                eprintln!(
                    "{name} runs `{}`: copies, which a rebuild does not change (--in-place follows it)",
                    kept.command
                );
            }
        }
        LeagueCommand::Remove { name } => store.set_state(name, State::Removed).map_err(usage)?,
        LeagueCommand::Pause { name } => store.set_state(name, State::Paused).map_err(usage)?,
        LeagueCommand::Resume { name } => store.set_state(name, State::Active).map_err(usage)?,
        LeagueCommand::Run { games, time, once, jobs, quiet } => {
            let bots = store.bots()?;
            drop(store);
            let jobs = Jobs { jobs: jobs.or(league.settings.jobs) }.count();
            let cores = available_cores();
            if jobs > cores {
                eprintln!("warning: {jobs} games at once on {cores} cores: bots share them and lose time");
            }
            let referee = league
                .contest()
                .map(|contest| league.settings.referee(contest, &league.folder))
                .transpose()?;
            if let Some(isolation) = referee.and_then(|referee| referee.isolation) {
                isolation.missing().iter().for_each(|sentence| eprintln!("warning: {sentence}"));
            }
            let playing = bots.iter().filter(|bot| bot.state == State::Active).count();
            if playing < 2 && *once {
                return Err(UsageError(format!(
                    "{playing} of the league's {} bots can play, and it takes two: add bots with `contender league add NAME COMMAND`, \
                     or let one that rests play again with `contender league resume NAME`",
                    bots.len()
                ))
                .into());
            }
            let plan =
                Plan { jobs, games: *games, until: time.map(|time| Instant::now() + time), once: *once };
            return play_on(&league, plan, *quiet);
        }
        LeagueCommand::Show { rating, filter, json } => {
            show(&league, &store, *rating, filter.as_ref(), *json)?;
        }
        LeagueCommand::Plot { folder, rating } => plot(&league, &store, folder, *rating)?,
        LeagueCommand::Games { number, json, bot, failed, last } => match number {
            Some(number) => print_game(&store, *number, *json)?,
            None => list(&store, bot.as_deref(), *failed, *last)?,
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

fn usage(error: anyhow::Error) -> anyhow::Error {
    UsageError(format!("{error:#}")).into()
}

fn unknown_game(game: &str) -> UsageError {
    let names: Vec<&str> = CONTESTS.iter().map(|contest| contest.name()).collect();
    UsageError(format!(
        "there is no game `{game}`; there are: {}; other games need --match",
        names.join(", ")
    ))
}

/// Runs a bot's build command.
fn built(command: &str) -> anyhow::Result<()> {
    let output = std::process::Command::new("sh").args(["-c", command]).output().context("cannot run sh")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("the build command failed ({}):\n{}", output.status, said.trim_end());
    }
    Ok(())
}

fn play_on(league: &League, plan: Plan, quiet: bool) -> anyhow::Result<ExitCode> {
    std::env::set_current_dir(&league.folder)?;
    let stop = stop_flag()?;
    let limit = plan.until.map(|until| until.saturating_duration_since(Instant::now()));
    let bar = progress_of(quiet, "games", limit);
    if let Some(games) = plan.games {
        bar.set_length(games);
    }
    let mut course = Course::default();
    let played = play(league, plan, &stop, &mut |event| match event {
        Event::Game { bots, points: [a, b], ends } => {
            bar.inc(1);
            for name in course.add(bots, ends) {
                bar.suspend(|| {
                    eprintln!(
                        "{name} rests: it failed in its last {FAILURES_IN_A_ROW} games; `contender league games --failed` says how, \
                         `contender league resume {name}` lets it play again"
                    );
                });
                if let Err(error) =
                    Store::open(league).and_then(|mut store| store.set_state(&name, State::Paused))
                {
                    bar.suspend(|| eprintln!("warning: {name} cannot be paused: {error:#}"));
                }
            }
            if !quiet {
                course.refresh(league);
            }
            bar.set_message(format!("{} - {} {a} - {b}{}", bots[0], bots[1], course.table));
        }
        Event::Void { bots: [zero, one], reason } => {
            bar.inc(1);
            bar.suspend(|| eprintln!("void: {zero} - {one}: {reason}"));
        }
        Event::Shortage { reason } => bar.suspend(|| eprintln!("tried again: {reason}")),
        Event::Waiting => bar.suspend(|| eprintln!("waiting: nobody is to meet now (Ctrl-C to end)")),
    })?;
    bar.finish_and_clear();
    let store = Store::open(league)?;
    if !quiet {
        show(league, &store, None, None, false)?;
    }
    eprintln!("{played} games played");
    eprint!("{}", course.failures());
    name_given_up(&store)?;
    Ok(ExitCode::SUCCESS)
}

/// A bot that failed in so many games in a row rests.
const FAILURES_IN_A_ROW: u32 = 6;

/// How long a table stands before it is computed again, and how many times as long as that takes.
const STANDS: (Duration, u32) = (Duration::from_secs(2), 20);

/// What a runner has seen.
#[derive(Default)]
struct Course {
    /// By bot: games, failures by the names of endings, and failures in a row.
    bots: BTreeMap<String, (u64, BTreeMap<String, u64>, u32)>,
    /// The standings, below the line of progress.
    table: String,
    due: Option<Instant>,
}

impl Course {
    /// Counts a game; the bots that have failed too often in a row just now.
    fn add(&mut self, bots: [&str; 2], ends: [&str; 2]) -> Vec<String> {
        let mut resting = Vec::new();
        for (name, end) in bots.into_iter().zip(ends) {
            let (games, failures, in_a_row) = self.bots.entry(name.to_string()).or_default();
            *games += 1;
            if end == "normal" {
                *in_a_row = 0;
                continue;
            }
            *failures.entry(end.to_string()).or_default() += 1;
            *in_a_row += 1;
            if *in_a_row == FAILURES_IN_A_ROW {
                resting.push(name.to_string());
            }
        }
        resting
    }

    /// Computes the standings again, if it is time.
    fn refresh(&mut self, league: &League) {
        let start = Instant::now();
        if self.due.is_some_and(|due| start < due) {
            return;
        }
        let standings = Store::open(league).and_then(|store| standings(league, &store, None, None));
        self.table = standings.map_or(String::new(), |text| format!("\n{text}"));
        self.due = Some(Instant::now() + STANDS.0.max(start.elapsed() * STANDS.1));
    }

    /// Who failed how often, and what to do.
    fn failures(&self) -> String {
        let mut text = String::new();
        let mut has_timeouts = false;
        for (name, (games, failures, _)) in
            self.bots.iter().filter(|(_, (_, failures, _))| !failures.is_empty())
        {
            let count: u64 = failures.values().sum();
            let kinds: Vec<String> = failures.iter().map(|(end, count)| format!("{end} {count}")).collect();
            text += &format!("{name} failed in {count} of {games} games: {}\n", kinds.join(", "));
            has_timeouts |= failures.contains_key("timeout");
        }
        if !text.is_empty() {
            text += "`contender league games --failed` lists these games\n";
        }
        if has_timeouts {
            text += "where bots lose on time that have enough of it: fewer games at once (`--jobs`), or more time (`time` in league.toml)\n";
        }
        text
    }
}

/// Says which bots do not meet any more because their games cannot be played.
fn name_given_up(store: &Store) -> anyhow::Result<()> {
    let bots = store.bots()?;
    let meetings = Meetings::of(&bots, &store.games(false)?);
    let active: Vec<usize> = (0..bots.len()).filter(|&place| bots[place].state == State::Active).collect();
    let mut is_any = false;
    for (index, &a) in active.iter().enumerate() {
        for &b in active[index + 1..].iter().filter(|&&b| meetings.are_given_up(a, b)) {
            let [a, b] = [a, b].map(|place| &bots[place].name);
            eprintln!("given up: {a} - {b}: their last {VOIDS_IN_A_ROW} games could not be played");
            is_any = true;
        }
    }
    if is_any {
        eprintln!(
            "`contender league games --failed` says why; `contender league resume BOT` lets a bot meet all others again"
        );
    }
    Ok(())
}

fn show(
    league: &League,
    store: &Store,
    rating: Option<Model>,
    filter: Option<&Filter>,
    json: bool,
) -> anyhow::Result<()> {
    let text = if json {
        serde_json::to_string_pretty(&computed(league, store, rating, filter)?)? + "\n"
    } else {
        standings(league, store, rating, filter)?
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

/// The standings for people.
fn standings(
    league: &League,
    store: &Store,
    rating: Option<Model>,
    filter: Option<&Filter>,
) -> anyhow::Result<String> {
    let seats = league.contest().map_or(["first", "second"], |contest| contest.info().seats);
    Ok(computed(league, store, rating, filter)?.text(seats, is_coloured()))
}

fn computed(
    league: &League,
    store: &Store,
    rating: Option<Model>,
    filter: Option<&Filter>,
) -> anyhow::Result<Standings> {
    let mut games = store.games(filter.is_some())?;
    if let Some(filter) = filter {
        filter.check(&games).map_err(usage)?;
        games.retain(|game| filter.matches(game));
    }
    let seats_differ = league.contest().is_some_and(|contest| contest.info().seats_differ);
    Ok(Standings::of(&store.bots()?, &games, model(league, rating), seats_differ))
}

fn model(league: &League, rating: Option<Model>) -> Model {
    rating.unwrap_or_else(|| match league.contest().map(RankedBy::of) {
        Some(RankedBy::Points) => Model::Points,
        Some(RankedBy::Wins) | None => Model::Elo,
    })
}

fn plot(league: &League, store: &Store, folder: &Path, rating: Option<Model>) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let games = store.games(true)?;
    let limits =
        league.contest().map(|contest| league.settings.referee(contest, &league.folder)).transpose()?;
    let limit = limits.and_then(|referee| referee.limits.turn).map(|limit| limit.as_secs_f64());
    let model = model(league, rating);
    for (name, picture) in pictures(&league.settings.game, &store.bots()?, &games, model, limit) {
        let path = folder.join(name);
        std::fs::write(&path, picture).with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("{}", path.display());
    }
    Ok(())
}

fn print_game(store: &Store, number: i64, as_json: bool) -> anyhow::Result<()> {
    let game = store.game(number)?.ok_or_else(|| UsageError(format!("there is no game {number}")))?;
    let text = match &game.record {
        Some(record) if as_json => {
            serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(record)?)?
        }
        None if as_json => "{}".to_string(),
        _ => game.text(&store.bots()?),
    };
    Ok(writeln!(std::io::stdout(), "{text}")?)
}

fn list(store: &Store, bot: Option<&str>, failed: bool, last: usize) -> anyhow::Result<()> {
    let bots = store.bots()?;
    let name = |id: i64| bots.iter().find(|bot| bot.id == id).map_or("?", |bot| bot.name.as_str());
    if let Some(bot) = bot.filter(|bot| bots.iter().all(|known| known.name != **bot)) {
        return Err(UsageError(format!("there is no bot `{bot}`")).into());
    }
    let is_wanted = |game: &Game| {
        let is_of_bot = bot.is_none_or(|bot| game.bots.iter().any(|&id| name(id) == bot));
        let has_failed = game.state == GameState::Void || game.ends.iter().any(|end| end != "normal");
        is_of_bot && (!failed || has_failed)
    };
    let games: Vec<Game> = store.games(false)?.into_iter().filter(is_wanted).collect();
    let mut out = std::io::stdout().lock();
    for game in &games[games.len().saturating_sub(last)..] {
        let [zero, one] = game.bots.map(name);
        let [a, b] = game.points;
        let ends: Vec<String> = [zero, one]
            .iter()
            .zip(&game.ends)
            .filter(|(_, end)| !matches!(end.as_str(), "normal" | ""))
            .map(|(name, end)| format!("  {name}: {end}"))
            .collect();
        match &game.reason {
            Some(reason) => writeln!(out, "{:>7}  {zero} - {one}  void: {reason}", game.id)?,
            None => writeln!(out, "{:>7}  {zero} - {one}  {a} - {b}{}", game.id, ends.concat())?,
        }
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
            bar.set_position(so_far.bytes);
            bar.set_message(format!("{} new games, {} known", so_far.new, so_far.known));
            !stop.load(Ordering::Relaxed)
        });
        bar.finish_and_clear();
        let imported = imported.map_err(usage)?;
        for problem in &imported.problems {
            eprintln!("passed over: {problem}");
        }
        if imported.passed_over > imported.problems.len() as u64 {
            eprintln!("passed over: {} lines in all", imported.passed_over);
        }
        eprintln!("{}: {} new games, {} known", file.display(), imported.new, imported.known);
        is_whole &= imported.passed_over == 0;
        if stop.load(Ordering::Relaxed) {
            eprintln!("interrupted: the rest is entered by the same command");
            return Ok(interrupted());
        }
    }
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
