//! `contender pack`: turns a bot into one source file that its judge accepts.

mod clipboard;
mod report;
mod watch;

use crate::arguments::game_parser;
use crate::error::UsageError;
use crate::setup::{bundled_name, sources, writable};
use crate::signals;
use anyhow::Context;
use clap::Args as ClapArgs;
use contender_catalogue::contests;
use contender_game::contest::{Contest, JudgeSite};
use contender_pack::judges::Known;
use contender_pack::verify::{
    Compiled, build, bundled as bundled_bot, compare, compare_outputs, compile, program,
};
use contender_pack::{Packed, SITES, Site, Unit, pack_bot, pack_program};
use contender_table::write_whole;
pub use report::PackReport;
use report::{PackedFileReport, table};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// `contender pack`
#[derive(ClapArgs)]
#[command(
    after_help = "The packed program takes `--nodes N` and `--seed S`, which make its play reproducible. A judge passes neither."
)]
pub struct PackArgs {
    /// Game
    #[arg(value_parser = game_parser())]
    pub game: Option<&'static dyn Contest>,
    /// Bundled bot, optionally with settings, such as `expectimax:depth=3` [default: the strongest]
    #[arg(long, value_name = "BOT", conflicts_with = "manifest")]
    pub bot: Option<String>,
    /// Cargo.toml of your own program [default: that of the current folder or the nearest folder above]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "all"])]
    pub manifest: Option<PathBuf>,
    /// Name of the program, if the package has several
    #[arg(long, value_name = "NAME", conflicts_with_all = ["game", "all"])]
    pub bin: Option<String>,
    /// Features of your package to enable, separated by commas
    #[arg(long, value_name = "FEATURES", conflicts_with_all = ["game", "all"])]
    pub features: Option<String>,
    /// Pack without the default features of your package
    #[arg(long, conflicts_with_all = ["game", "all"])]
    pub no_default_features: bool,
    /// Compiler flags in addition to the judge's flags [default: the flags in .cargo/config.toml]
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, conflicts_with_all = ["game", "all"])]
    pub rustflags: Option<String>,
    /// Crates that the judge provides and that need no packing, or `all` [default: the judge's known crates]
    #[arg(long, value_name = "CRATES", value_delimiter = ',', conflicts_with_all = ["game", "all"])]
    pub judge_has: Option<Vec<String>>,
    /// Pack every bundled bot of every game and print a table of sizes
    #[arg(long, conflicts_with_all = ["game", "bot"])]
    pub all: bool,
    /// Data file, such as weights, to print as the shortest Rust expression; packs nothing
    #[arg(long, value_name = "FILE", requires = "judge", conflicts_with_all = ["game", "bot", "manifest", "all", "verify", "json", "output"])]
    pub literal: Option<PathBuf>,
    /// Judge that will compile the file [default: the contest's judge; codingame for your own program]
    #[arg(long, value_parser = SITES.map(|judge| judge.name))]
    pub judge: Option<String>,
    /// Size limit, in the judge's unit [default: the judge's limit]
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Unit of the size limit [default: the judge's unit]
    #[arg(long, value_name = "UNIT", value_parser = ["characters", "bytes"])]
    pub unit: Option<String>,
    /// Version of the judge's compiler, such as 1.75 [default: the known version]
    #[arg(long, value_name = "VERSION")]
    pub compiler: Option<String>,
    /// Output file, or output folder with --all [default: standard output, or none with --all]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Shorten names and remove white space
    #[arg(long)]
    pub minify: bool,
    /// Print the size of each module in the readable file
    #[arg(long)]
    pub sizes: bool,
    /// Write nothing, but compile as the judge does, and fail if --output is not up to date
    #[arg(long, conflicts_with_all = ["all", "literal"])]
    pub check: bool,
    /// Pack again whenever a source file changes
    #[arg(long, requires = "output", conflicts_with_all = ["all", "literal", "check", "json"])]
    pub watch: bool,
    /// Copy the file to the clipboard
    #[arg(long, conflicts_with_all = ["all", "literal", "check"])]
    pub copy: bool,
    /// Compile the file as the judge does, and compare games of the packed and the unpacked bot
    #[arg(long)]
    pub verify: bool,
    /// Game that your own program plays, for comparing games before and after packing
    #[arg(long, value_name = "GAME", value_parser = game_parser(), requires = "verify", conflicts_with = "game")]
    pub plays: Option<&'static dyn Contest>,
    /// Input file for your own program, for comparing its output before and after packing; repeatable
    #[arg(long, value_name = "FILE", requires = "verify", conflicts_with = "game")]
    pub input: Vec<PathBuf>,
    /// Time limit per input
    #[arg(long, value_name = "TIME", default_value = "60s", requires = "input", value_parser = |text: &str| humantime::parse_duration(text))]
    pub input_time: Duration,
    /// Arguments for your own program in the comparison
    /// [default: none with --input, "--nodes {nodes} --seed {seed}" with --plays]
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true, conflicts_with = "game")]
    pub arguments: Option<String>,
    /// Number of games to compare
    #[arg(long, default_value_t = 4, value_name = "N", requires = "verify", value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Nodes per move in the compared games
    #[arg(long, default_value_t = 500, value_name = "N", requires = "verify", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Folder with `games/` or a custom game [default: the current folder or the nearest one above]
    #[arg(long, value_name = "FOLDER")]
    pub workspace: Option<PathBuf>,
    /// Print the report as JSON; the packed file is then written only to --output
    #[arg(long)]
    pub json: bool,
}

/// The arguments that make a program reproducible if it uses the kit's `run_program`.
const REPEATABLE: &str = "--nodes {nodes} --seed {seed}";

pub fn run(args: &PackArgs) -> anyhow::Result<ExitCode> {
    let stop = &signals::stop_flag()?;
    if let Some(file) = &args.literal {
        return print_literal(args, file);
    }
    if let Some(path) = &args.output {
        if args.all {
            std::fs::create_dir_all(path)
                .map_err(|error| UsageError(format!("cannot write {}: {error}", path.display())))?;
            writable(&path.join("bot.rs"))?;
        } else {
            writable(path)?;
        }
    }
    if let Some(missing) = args.input.iter().find(|path| !path.exists()) {
        let hint = "hint: give a file with what the program reads, such as `--input first-turn.txt`";
        return Err(UsageError(format!("no such file: {}\n{hint}", missing.display())).into());
    }
    if args.all {
        return all(args, stop);
    }
    loop {
        let done = once(args, stop);
        if !args.watch {
            return done.map(|(code, _)| code);
        }
        let folders = match done {
            Ok((_, folders)) => folders,
            Err(error) => {
                say!("error: {error:#}");
                Vec::new()
            }
        };
        if !watch::wait_for_change(&folders, &own_manifest(args)?, stop) {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

/// Packs one program, writes the file and prints the report. Returns the folders with the program's sources.
fn once(args: &PackArgs, stop: &AtomicBool) -> anyhow::Result<(ExitCode, Vec<PathBuf>)> {
    let mut report = match args.game {
        Some(contest) => bundled(args, contest, args.bot.as_deref(), stop)?,
        None => own(args, &own_manifest(args)?, stop)?,
    };
    let mut is_fine = report.is_fine();
    match &args.output {
        Some(path) if args.check => {
            let known = contender_input::read(path, contender_input::MAX_TEXT).unwrap_or_default();
            if known != report.packed.text.as_bytes() {
                is_fine = false;
                report.warnings += &format!(
                    "{} is not up to date\nhint: pack the bot again without --check\n",
                    path.display()
                );
            }
        }
        Some(path) => save(&report, path)?,
        None if args.check || args.copy || args.json => {}
        None => std::io::stdout().write_all(report.packed.text.as_bytes())?,
    }
    if args.copy {
        clipboard::copy(&report.packed.text)?;
    }
    if args.json {
        writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&report.json())?)?;
    } else {
        eprint!("{}", report.text());
    }
    let code = if is_fine { ExitCode::SUCCESS } else { ExitCode::from(1) };
    Ok((code, report.packed.folders))
}

/// Returns the manifest of the user's program: the given one, or the nearest one in the current folder and its parents.
fn own_manifest(args: &PackArgs) -> anyhow::Result<PathBuf> {
    if let Some(manifest) = &args.manifest {
        // A folder stands for the manifest in it.
        return Ok(if manifest.is_dir() { manifest.join("Cargo.toml") } else { manifest.clone() });
    }
    let here = std::env::current_dir()?;
    let found = here.ancestors().map(|folder| folder.join("Cargo.toml")).find(|file| file.is_file());
    let found = found.ok_or_else(|| {
        UsageError(
            "nothing to pack: the current folder and its parents contain no Cargo.toml\nhint: name a game, \
             or your own program with `--manifest FILE`"
                .to_string(),
        )
    })?;
    Ok(found)
}

fn save(report: &PackedFileReport, path: &Path) -> anyhow::Result<()> {
    write_whole(path, |out| Ok(out.write_all(report.packed.text.as_bytes())?))
}

/// Prints a progress message, because packing can take a minute.
fn step(what: &str) {
    if std::io::stderr().is_terminal() {
        say!("{what} ...");
    }
}

/// Prints a Rust expression that decodes to a file's bytes.
fn print_literal(args: &PackArgs, file: &Path) -> anyhow::Result<ExitCode> {
    let bytes =
        contender_input::read(file, contender_input::MAX_TEXT).with_context(|| file.display().to_string())?;
    let judge = &judge(args, args.plays.map_or(JudgeSite::CodinGame, |contest| contest.info().site));
    let (text, function) = contender_pack::literal::data(&bytes, judge.unit);
    writeln!(std::io::stdout(), "contender_nn::{function}(\"{text}\")")?;
    say!("{} bytes as {} {}", bytes.len(), judge.size(&text), judge.unit.name());
    Ok(ExitCode::SUCCESS)
}

/// Packs every bundled bot and prints a table with one row per bot.
fn all(args: &PackArgs, stop: &AtomicBool) -> anyhow::Result<ExitCode> {
    let mut reports = Vec::new();
    for &contest in contests() {
        for bot in contest.info().bots {
            say!("{} {}", contest.name(), bot.name);
            let report = bundled(args, contest, Some(bot.name), stop)?;
            if let Some(folder) = &args.output {
                let path = folder.join(format!("{}-{}.rs", contest.name(), bot.name));
                save(&report, &path)?;
            }
            reports.push(report);
        }
    }
    let mut out = std::io::stdout();
    if args.json {
        let all: Vec<PackReport<'_>> = reports.iter().map(PackedFileReport::json).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
    } else {
        out.write_all(table(&reports, args.minify).as_bytes())?;
        for report in &reports {
            if let Some(difference) = report.difference() {
                say!("{}: {difference}", report.name);
            }
        }
    }
    Ok(if reports.iter().all(PackedFileReport::is_fine) { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Returns the size of each module in the readable file, if the user asked for the sizes.
fn modules(args: &PackArgs, judge: &Site, packed: &Packed) -> anyhow::Result<Option<Vec<(String, usize)>>> {
    Ok(if args.sizes { Some(contender_pack::sizes::modules(&packed.text, judge)?) } else { None })
}

/// Compiles a packed file as the judge does, and adds the result to the report.
fn compiled(report: &mut PackedFileReport, judge: &Site, stop: &AtomicBool) -> anyhow::Result<Compiled> {
    let compiled = compile(&report.packed.text, judge, &report.packed.build, stop)?;
    report.compile_seconds = Some(compiled.time.as_secs_f64());
    report.compilers.clone_from(&compiled.compilers);
    report.warnings.clone_from(&compiled.warnings);
    if let Some(note) = &compiled.note {
        say!("note: {note}");
    }
    Ok(compiled)
}

fn bundled(
    args: &PackArgs,
    contest: &'static dyn Contest,
    bot: Option<&str>,
    stop: &AtomicBool,
) -> anyhow::Result<PackedFileReport> {
    let workspace = sources(contest, args.workspace.as_deref())?;
    let (bot, options) = bundled_name(contest, bot)?;
    let judge = &judge(args, contest.info().site);
    step("packing and removing unreachable code");
    let packed = pack_bot(&workspace, contest, &bot, &options, judge, stop)?;
    packed.warnings.iter().for_each(|warning| say!("warning: {warning}"));
    let modules = modules(args, judge, &packed)?;
    let packed = shortened(args, judge, packed, stop)?;
    let mut report = PackedFileReport::new(format!("{} {bot}", contest.name()), judge, packed)?;
    report.modules = modules;
    if args.check && !args.verify {
        compiled(&mut report, judge, stop)?;
    }
    if args.verify {
        step("compiling and comparing games");
        let compiled = compiled(&mut report, judge, stop)?;
        let packed = program(&compiled.program, &REPEATABLE.split(' ').collect::<Vec<_>>());
        let both = [&packed, &bundled_bot(&bot, &options)];
        report.comparison = Some(compare(contest, both, args.games, args.nodes, stop)?);
    }
    Ok(report)
}

/// Returns the packed program, with shortened names if the user asked for `--minify`.
fn shortened(args: &PackArgs, judge: &Site, packed: Packed, stop: &AtomicBool) -> anyhow::Result<Packed> {
    if !args.minify {
        return Ok(packed);
    }
    if let Some(warning) = judge.renaming_warning() {
        say!("warning: {warning}");
    }
    step("shortening names");
    Ok(packed.minify(judge, stop)?)
}

fn own(args: &PackArgs, manifest: &Path, stop: &AtomicBool) -> anyhow::Result<PackedFileReport> {
    let judge = &judge(args, args.plays.map_or(JudgeSite::CodinGame, |contest| contest.info().site));
    step("packing and removing unreachable code");
    let features = &features(args);
    let packed =
        pack_program(manifest, args.bin.as_deref(), features, judge, args.rustflags.as_deref(), stop)?;
    packed.warnings.iter().for_each(|warning| say!("warning: {warning}"));
    let modules = modules(args, judge, &packed)?;
    let packed = shortened(args, judge, packed, stop)?;
    let mut report = PackedFileReport::new(packed.name.clone(), judge, packed)?;
    report.modules = modules;
    if args.check && !args.verify {
        compiled(&mut report, judge, stop)?;
    }
    if args.verify {
        step("compiling and comparing games");
        let compiled = compiled(&mut report, judge, stop)?;
        if args.plays.is_none() && args.input.is_empty() {
            return Ok(report);
        }
        let original = build(manifest, args.bin.as_deref(), features, stop)?;
        let both = [compiled.program.as_path(), original.as_path()];
        let words =
            |default| args.arguments.as_deref().unwrap_or(default).split_whitespace().collect::<Vec<_>>();
        if !args.input.is_empty() {
            let difference = compare_outputs(both, &words(""), &args.input, args.input_time, stop)?;
            report.inputs = Some((args.input.len(), difference));
        }
        if let Some(contest) = args.plays {
            let [packed, unpacked] = both.map(|path| program(path, &words(REPEATABLE)));
            let games = compare(contest, [&packed, &unpacked], args.games, args.nodes, stop)?;
            report.comparison = Some(games);
        }
    }
    Ok(report)
}

/// Returns cargo's options that select features.
fn features(args: &PackArgs) -> Vec<String> {
    let none = args.no_default_features.then(|| "--no-default-features".to_string());
    let some = args.features.iter().flat_map(|names| ["--features".to_string(), names.clone()]);
    none.into_iter().chain(some).collect()
}

/// Returns the judge that the options describe.
fn judge(args: &PackArgs, site: JudgeSite) -> Site {
    let name = args.judge.as_deref().unwrap_or(match site {
        JudgeSite::CodinGame => "codingame",
        JudgeSite::CodeCup => "codecup",
    });
    let mut judge = *Site::find(name).expect("the parser accepts only known judges");
    if let Some(crates) = &args.judge_has {
        judge.crates = Known::given(crates.iter().map(|name| (leaked(name), "")).collect::<Vec<_>>().leak());
    }
    if let Some(limit) = args.limit {
        judge.limit = Known::given(limit);
    }
    match args.unit.as_deref() {
        Some("bytes") => judge.unit = Unit::Bytes,
        Some(_) => judge.unit = Unit::Utf16,
        None => {}
    }
    if let Some(compiler) = &args.compiler {
        judge.compiler = Known::given(leaked(compiler));
    }
    judge
}

/// Converts a text to a static one, as the descriptions of known judges use.
fn leaked(text: &str) -> &'static str {
    text.to_string().leak()
}
