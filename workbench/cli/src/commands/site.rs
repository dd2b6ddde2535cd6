//! `contender site`: brings battles from CodinGame's site to your machine.

use crate::arguments::game_parser;
use crate::error::UsageError;
use crate::setup::{External, open_log};
use crate::signals::stop_flag;
use anyhow::{Context, bail};
use clap::{Args as ClapArgs, Subcommand};
use contender_catalogue::find;
use contender_game::contest::Contest;
use contender_input::this_program;
use contender_league::{League, Model, Store};
use contender_play::{Record, read_log};
use contender_referee::TimeSetting;
use contender_site::{
    Case, Import, ImportOptions, Ratings, ReportOptions, SiteReport, Source, fetch, id_of, league, seat_of,
};
use std::fs;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// `contender site`
#[derive(ClapArgs)]
pub struct SiteArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub command: SiteCommand,
}

/// The subcommands for battles from the site.
#[derive(Subcommand)]
pub enum SiteCommand {
    /// Convert saved battles to a log of games
    Import(ImportArgs),
    /// Download public battles, which need no login, one at a time
    Fetch(FetchArgs),
    /// Show your failures, and your results by opponent, seat, setting, length and deciding turn
    Report(ReportArgs),
    /// Create a test case from one turn: the input up to the turn, and the answer to give or avoid
    Case(CaseArgs),
}

/// `contender site import`
#[derive(ClapArgs)]
pub struct ImportArgs {
    /// Saved battles, or folders with them: JSON, JSON lines or HAR, plain or gzipped
    #[arg(required = true, value_name = "FILE|FOLDER")]
    pub files: Vec<PathBuf>,
    /// Log to which the battles are appended; battles already in the log are skipped
    #[arg(short, long, value_name = "LOG", default_value = "battles.jsonl")]
    pub output: PathBuf,
    /// Your name on the site [default: the player whose standard error output is in the battle]
    #[arg(long, value_name = "NAME")]
    pub me: Option<String>,
    /// Replace the names of all other players; needs a new log
    #[arg(long)]
    pub anonymous: bool,
    /// Bundled game that the battles belong to, for recording moves [default: record answers as text]
    #[arg(long, value_parser = game_parser(), conflicts_with = "name")]
    pub game: Option<&'static dyn Contest>,
    /// Name of the game in the log [default: the challenge's title]
    #[arg(long)]
    pub name: Option<String>,
    /// Folder for the engine's log of each battle; `contender web` shows these logs frame by frame
    #[arg(long, value_name = "FOLDER")]
    pub logs: Option<PathBuf>,
}

/// `contender site fetch`
#[derive(ClapArgs)]
pub struct FetchArgs {
    /// Battles, as numbers or as addresses that end with the number
    #[arg(required = true, value_name = "ID|ADDRESS", value_parser = battle_id)]
    pub ids: Vec<u64>,
    /// Folder for the battles; battles that it already contains are not downloaded again
    #[arg(short, long, value_name = "FOLDER", default_value = "battles")]
    pub output: PathBuf,
    /// Pause between two downloads
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = humantime::parse_duration)]
    pub delay: Duration,
    /// URL that receives the requests for battles
    #[arg(long, hide = true, default_value = fetch::ADDRESS)]
    pub address: String,
}

/// `contender site report`
#[derive(ClapArgs)]
pub struct ReportArgs {
    /// Log of battles
    pub log: PathBuf,
    /// Player to report on [default: the name given with --me at the import]
    #[arg(long, value_name = "NAME")]
    pub me: Option<String>,
    /// Folder of a league whose Elo ratings forecast the results against opponents of the same name
    #[arg(long, value_name = "FOLDER")]
    pub league: Option<PathBuf>,
    /// Your bot's name in the league [default: the player's name]
    #[arg(long, value_name = "NAME", requires = "league")]
    pub bot: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `contender site case`
#[derive(ClapArgs)]
pub struct CaseArgs {
    /// Log of battles
    pub log: PathBuf,
    /// Number of the battle in the log, starting at 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub number: u64,
    /// Number of the turn, starting at 1
    #[arg(long, value_name = "T")]
    pub turn: usize,
    /// Folder for the test case
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
    /// Answer that the bot should give; repeatable [default: any answer except the recorded answer]
    #[arg(long, value_name = "ANSWER", allow_hyphen_values = true)]
    pub expect: Vec<String>,
    /// Player whose turn is tested [default: the name given with --me at the import]
    #[arg(long, value_name = "NAME")]
    pub me: Option<String>,
    #[command(flatten)]
    pub referee: External,
    /// Time limit per turn, for example `100ms`
    #[arg(long, value_name = "TIME", value_parser = TimeSetting::parse)]
    pub time: Option<TimeSetting>,
}

fn battle_id(text: &str) -> Result<u64, String> {
    id_of(text)
        .ok_or_else(|| "expected the number of a battle, or an address that ends with the number".to_string())
}

pub fn run(args: &SiteArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        SiteCommand::Import(args) => import(args),
        SiteCommand::Fetch(args) => fetch_all(args),
        SiteCommand::Report(args) => report(args),
        SiteCommand::Case(args) => case(args),
    }
}

/// Returns the games of a log.
pub fn records(path: &Path) -> anyhow::Result<Vec<Record>> {
    let name = path.display();
    let file = contender_input::open(path).with_context(|| format!("cannot read {name}"))?;
    let games: Result<Vec<Record>, _> = read_log(BufReader::new(file)).collect();
    games.map_err(|error| {
        let hint = format!("hint: `{} site import` creates a log from saved battles", this_program());
        UsageError(format!("{name}: {error}\n{hint}")).into()
    })
}

fn import(args: &ImportArgs) -> anyhow::Result<ExitCode> {
    let known = if args.output.exists() { records(&args.output)? } else { Vec::new() };
    if args.anonymous && !known.is_empty() {
        let words = "--anonymous needs a new log, because it cannot rename players in an existing log";
        return Err(UsageError(format!("{words}\nhint: give a new file with `-o LOG`")).into());
    }
    if let Some(missing) = args.files.iter().find(|path| !path.exists()) {
        return Err(UsageError(format!("no such file: {}", missing.display())).into());
    }
    let mut import = Import::new(ImportOptions {
        me: args.me.as_deref(),
        is_anonymous: args.anonymous,
        game: args.name.as_deref(),
        contest: args.game.map(|game| game as &dyn Contest),
        logs: args.logs.as_deref(),
    });
    known.iter().for_each(|record| import.add_known(record));
    let mut log = open_log(&args.output)?;
    let (mut battles, mut known, mut unread) = (Vec::new(), 0, 0);
    for path in &args.files {
        let mut write = |record: &Record| {
            battles.push(record.clone());
            record.write_to(&mut log)
        };
        let counts = import.read(path, &mut write, &mut |problem| {
            unread += 1;
            say!("{problem}");
        });
        known += counts.with_context(|| format!("cannot write {}", args.output.display()))?.known;
    }
    let mut out = std::io::stdout();
    let plural = |count: usize| if count == 1 { "battle" } else { "battles" };
    writeln!(out, "{}: {} new {}", args.output.display(), battles.len(), plural(battles.len()))?;
    if known > 0 {
        writeln!(out, "{known} {} skipped: already in the log", plural(known))?;
    }
    if unread > 0 {
        writeln!(out, "{unread} {} could not be read", plural(unread))?;
    }
    let all = SiteReport::of(&battles, &ReportOptions::default());
    if all.all.games > 0 {
        let row = &all.all;
        writeln!(out, "{}: {} won, {} drawn, {} lost", all.me, row.wins, row.draws, row.losses)?;
    }
    if all.without_me > 0 && !battles.is_empty() {
        say!(
            "{} {} not counted, because you are not among the players\nhint: use `--me NAME`, with your \
             name on the site",
            all.without_me,
            plural(all.without_me as usize)
        );
    }
    Ok(if unread == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn fetch_all(args: &FetchArgs) -> anyhow::Result<ExitCode> {
    let stop = stop_flag()?;
    let mut out = std::io::stdout();
    let mut last: Option<Instant> = None;
    for id in &args.ids {
        let path = fetch::file_of(&args.output, *id);
        if path.exists() {
            writeln!(out, "{}: already downloaded", path.display())?;
            continue;
        }
        // Politely: one at a time, with a pause.
        while let Some(left) =
            last.map(|last| args.delay.saturating_sub(last.elapsed())).filter(|left| !left.is_zero())
        {
            if stop.load(Ordering::Relaxed) {
                return Ok(ExitCode::SUCCESS);
            }
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
        match fetch::fetch(&args.address, *id, &args.output, &stop) {
            Ok(path) => writeln!(out, "{}", path.display())?,
            Err(fetch::FetchError::Stopped) => return Ok(ExitCode::SUCCESS),
            Err(error) => {
                bail!(
                    "battle {id}: {error}\nhint: finished downloads are kept; run the same command to resume"
                )
            }
        }
        last = Some(Instant::now());
    }
    let folder = args.output.display();
    writeln!(out, "hint: `{} site import {folder} --me NAME`", this_program())?;
    Ok(ExitCode::SUCCESS)
}

fn report(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    let records = records(&args.log)?;
    let options =
        ReportOptions { me: args.me.as_deref(), rules: Some(contender_catalogue::find), ratings: None };
    let ratings = match &args.league {
        None => None,
        Some(folder) => {
            let me = records.iter().find_map(|record| Some(&record.seats[seat_of(record, options.me)?].bot));
            let bot = args.bot.as_ref().or(me).map_or("", String::as_str);
            Some(ratings(folder, bot)?)
        }
    };
    let report = SiteReport::of(&records, &ReportOptions { ratings: ratings.as_ref(), ..options });
    let text = if args.json { serde_json::to_string_pretty(&report)? + "\n" } else { report.text() };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the Elo ratings of a league, next to the rating of a bot.
fn ratings(folder: &Path, bot: &str) -> anyhow::Result<Ratings> {
    let usage = |error: anyhow::Error| UsageError(format!("{error:#}"));
    let league = League::open(folder).map_err(usage)?;
    let store = Store::open_to_read(&league).map_err(usage)?;
    let table = league.standings(&store, Model::Elo, None).map_err(usage)?;
    let rows = table.rows.iter().map(|row| (row.name.as_str(), row.group, row.strength));
    Ratings::of(rows.clone(), bot).ok_or_else(|| {
        let rated = rows.filter(|(_, group, _)| group.is_some());
        let names: Vec<&str> = rated.map(|(name, ..)| name).collect();
        let words = format!("{} has no games of a bot `{bot}`", folder.display());
        let words = match names.as_slice() {
            [] => words + "\nhint: play some with `contender league run`",
            names => {
                format!(
                    "{words}; available: {}\nhint: give your bot's name in the league with `--bot NAME`",
                    names.join(", ")
                )
            }
        };
        UsageError(words).into()
    })
}

/// Returns the author's seat in a battle.
pub fn own_seat(record: &Record, me: Option<&str>) -> anyhow::Result<usize> {
    seat_of(record, me).ok_or_else(|| {
        let names = record.bots().join(", ");
        let words = match me {
            Some(me) => format!("no player `{me}` in this battle; available: {names}"),
            None => format!("your seat is unknown; the players are {names}\nhint: use `--me NAME`"),
        };
        UsageError(words).into()
    })
}

fn case(args: &CaseArgs) -> anyhow::Result<ExitCode> {
    let records = records(&args.log)?;
    let record = usize::try_from(args.number - 1).ok().and_then(|at| records.get(at));
    let name = args.log.display();
    let record =
        record.ok_or_else(|| UsageError(format!("{name} has no game with the number {}", args.number)))?;
    let seat = own_seat(record, args.me.as_deref())?;
    let mut referee = args.referee.open(args.time)?;
    if let Some(referee) = &mut referee {
        referee.league = args.referee.league.or(league(record));
    }
    let source = match (&referee, find(&record.game)) {
        (Some(referee), _) => Source::Referee(referee),
        (None, Some(contest)) => Source::Rules(contest),
        (None, None) => {
            let words = "your bot's input is not recorded, so the challenge's referee must replay the battle";
            return Err(UsageError(format!("{words}\nhint: give its name with `--referee REFEREE`")).into());
        }
    };
    let case = Case::of(record, seat, args.turn, &args.expect, source, stop_flag()?.as_ref());
    let case = case.map_err(|error| UsageError(error.to_string()))?;
    let id = record.battle.as_ref().and_then(|battle| battle.id);
    let id = id.map_or_else(|| format!("game{}", args.number), |id| id.to_string());
    let path = args.output.join(format!("{id}-seat{seat}-turn{:03}.json", args.turn));
    let write = || {
        fs::create_dir_all(&args.output)?;
        fs::write(&path, serde_json::to_string_pretty(&case)? + "\n")
    };
    write().with_context(|| format!("cannot write {}", path.display()))?;
    let mut out = std::io::stdout();
    writeln!(out, "{}: {} lines of input", path.display(), case.input.lines().count())?;
    for (what, answers) in [("avoid", &case.avoid), ("expect", &case.expect)] {
        answers.iter().try_for_each(|answer| writeln!(out, "{what}: {answer}"))?;
    }
    writeln!(out, "hint: `{} check --cases {} \"./bot\"`", this_program(), args.output.display())?;
    Ok(ExitCode::SUCCESS)
}
