//! `contender referee add`, `list`, `remove` and `compare`: commands for external referees, which have names.

use crate::arguments::game_parser;
use crate::error::UsageError;
use crate::setup::{External, external_bots};
use crate::signals::stop_flag;
use anyhow::bail;
use clap::{Args as ClapArgs, Subcommand};
use contender_foreign::stub::Step;
use contender_foreign::{Addition, Compared, Installed, Stub, compare, folder};
use contender_game::contest::Contest;
use contender_input::this_program;
use contender_referee::TimeSetting;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// The commands for external referees.
#[derive(Subcommand)]
pub enum RefereesCommand {
    /// Add a CodinGame challenge: build its referee, test it and name it
    Add(AddArgs),
    /// List the external referees
    List,
    /// Remove an external referee
    Remove {
        /// Name of the referee
        name: String,
    },
    /// Build the challenge's original viewer for `contender web`
    Viewer {
        /// Name of the referee
        name: String,
        /// New folder for the viewer, inside the folder of `contender web`
        #[arg(short, long, value_name = "FOLDER", default_value = "viewer")]
        output: PathBuf,
    },
    /// Play games with both an external referee and a bundled game, and show the first difference
    Compare(CompareArgs),
}

/// `contender referee add`
#[derive(ClapArgs)]
pub struct AddArgs {
    /// Challenge, as a folder, a repository URL or a jar
    #[arg(value_name = "FOLDER|REPOSITORY|JAR")]
    pub source: String,
    /// Name of the referee
    #[arg(long)]
    pub name: String,
    /// Prebuilt classes and jars to use instead of a Maven build, separated by `:`
    #[arg(long, value_name = "PATHS")]
    pub class_path: Option<String>,
}

/// `contender referee compare`
#[derive(ClapArgs)]
pub struct CompareArgs {
    /// Bundled game to compare with the referee
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    #[command(flatten)]
    pub referee: External,
    /// Time limit per turn, for example `100ms`
    #[arg(long, value_name = "TIME", value_parser = TimeSetting::parse)]
    pub time: Option<TimeSetting>,
    /// Commands of the bots [default: the second and the first bundled bot of the game]
    #[arg(value_name = "BOT", num_args = 0..=2)]
    pub bots: Vec<String>,
    /// Range of seeds (signed 64-bit numbers), for example `1..200`
    #[arg(long, value_name = "FIRST..LAST", value_parser = seeds, default_value = "1..20", allow_hyphen_values = true)]
    pub seeds: [i64; 2],
    /// Setup that gives the bundled game the referee's start position for a seed
    #[arg(long, alias = "rule", value_name = "KEY=VALUE", default_value = "map-seed={SEED}")]
    pub setup: String,
}

fn seeds(text: &str) -> Result<[i64; 2], String> {
    let number = |text: &str| text.trim_start_matches('=').trim().parse::<i64>().ok();
    match text.split_once("..").map(|(first, last)| (number(first), number(last))) {
        Some((Some(first), Some(last))) if first <= last => Ok([first, last]),
        _ => Err("expected two 64-bit seeds in ascending order, for example 1..200 or -1..1".to_string()),
    }
}

pub fn run(command: &RefereesCommand) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout();
    match command {
        RefereesCommand::Add(args) => return add(args),
        RefereesCommand::Compare(args) => return compare_all(args),
        RefereesCommand::Viewer { name, output } => {
            let folder = folder().map_err(UsageError::new)?;
            let installed = Installed::open(&folder, name).map_err(UsageError::new)?;
            installed.viewer(&folder, output, stop_flag()?.as_ref()).map_err(anyhow::Error::msg)?;
            writeln!(
                out,
                "{}: `{} web` now shows games from CodinGame's engine in this viewer",
                output.display(),
                this_program()
            )?;
        }
        RefereesCommand::Remove { name } => {
            Installed::remove(&folder().map_err(UsageError::new)?, name).map_err(UsageError::new)?;
        }
        RefereesCommand::List => {
            let folder = folder().map_err(UsageError::new)?;
            let all = Installed::all(&folder);
            if all.is_empty() {
                say!(
                    "no referees yet; add one with `{} referee add FOLDER --name NAME` ({})",
                    this_program(),
                    folder.display()
                );
            }
            for referee in all {
                writeln!(out, "{:<20} {:<12} {}", referee.name, players(referee.players), referee.source)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn players([least, most]: [usize; 2]) -> String {
    if least == most { format!("{least} players") } else { format!("{least} to {most} players") }
}

fn add(args: &AddArgs) -> anyhow::Result<ExitCode> {
    let folder = folder().map_err(UsageError::new)?;
    let stop = stop_flag()?;
    let addition =
        Addition { source: &args.source, name: &args.name, class_path: args.class_path.as_deref() };
    let added = Installed::add(&folder, &addition, &stop, &mut |line| say!("{line}"));
    let installed = match added {
        Ok(installed) => installed,
        Err(reason) => bail!("{reason}"),
    };
    let mut out = std::io::stdout();
    writeln!(out, "players   {}", players(installed.players))?;
    writeln!(out, "leagues   {}", installed.leagues)?;
    let times = installed.times;
    let of =
        |time: Option<u64>, unit: &str| time.map_or("unknown".to_string(), |time| format!("{time}{unit}"));
    writeln!(
        out,
        "limits    first turn {}, later turns {}, game {}",
        of(times.first_turn_ms, " ms"),
        of(times.turn_ms, " ms"),
        of(times.turns, " turns")
    )?;
    let stub = installed.stub(&folder);
    match &stub {
        Ok(Some(stub)) => {
            writeln!(out, "inputs    {}", inputs(stub))?;
            match installed.try_out(&folder, &stop) {
                Ok(record) => {
                    let scores = if record.has_points() {
                        format!(", scores {:?}", record.points())
                    } else {
                        String::new()
                    };
                    let ends: Vec<String> = record.seats.iter().map(|seat| seat.ending.to_string()).collect();
                    writeln!(
                        out,
                        "a game    {:.1} s between two stub bots{scores}; {}",
                        record.seconds.unwrap_or_default(),
                        ends.join(", ")
                    )?;
                }
                Err(reason) => writeln!(out, "a game    none: {reason}")?,
            }
        }
        Ok(None) => writeln!(out, "inputs    unknown: the challenge has no config/stub.txt")?,
        Err(reason) => writeln!(out, "inputs    unknown: {reason}")?,
    }
    let (program, name) = (this_program(), &installed.name);
    // Without a stub, the format of a bot's input is unknown.
    let bot = if stub.is_ok_and(|stub| stub.is_some()) {
        writeln!(out, "a bot     {program} new bot --referee {name} --language python -o my-bot")?;
        "\"python3 my-bot/bot.py\""
    } else {
        "./MY-BOT"
    };
    let others = vec!["OTHER"; installed.players[0].max(2) - 1].join(" ");
    writeln!(out, "a match   {program} match --referee {name} {bot} {others} -n 20")?;
    Ok(ExitCode::SUCCESS)
}

/// Describes the length of a bot's input and output.
fn inputs(stub: &Stub) -> String {
    let is_write = |step: &&Step| {
        let mut step = *step;
        while let Step::Loop(_, inner) = step {
            step = inner;
        }
        matches!(step, Step::Write(_))
    };
    let count = |steps: &[Step]| steps.iter().filter(|step| !is_write(step)).count();
    let writes = stub.turn.iter().filter(is_write).count();
    format!(
        "{} inputs at the start, {} inputs and {writes} answers per turn",
        count(&stub.start),
        count(&stub.turn)
    )
}

fn compare_all(args: &CompareArgs) -> anyhow::Result<ExitCode> {
    let referee = args
        .referee
        .open(args.time)?
        .ok_or_else(|| UsageError("no referee given\nhint: `--referee NAME`".to_string()))?;
    let texts = if args.bots.len() == 2 { args.bots.clone() } else { bundled(args.game)? };
    let bots = external_bots(&texts)?;
    let stop = stop_flag()?;
    let mut out = std::io::stdout();
    let (mut games, mut turns, mut voids) = (0_u64, 0, 0_u64);
    for seed in args.seeds[0]..=args.seeds[1] {
        // The bots swap seats with every seed.
        let players = if seed % 2 == 0 { [&bots[0], &bots[1]] } else { [&bots[1], &bots[0]] };
        match compare(args.game, &args.setup, &referee, players, seed, &stop).map_err(UsageError::new)? {
            Compared::Same(same) => {
                games += 1;
                turns += same;
            }
            Compared::Different(difference) => {
                writeln!(out, "seed {seed}, {} - {}: {difference}", players[0].name, players[1].name)?;
                writeln!(out, "the {games} games before this one were identical ({turns} turns)")?;
                return Ok(ExitCode::FAILURE);
            }
            Compared::Void(reason) => {
                voids += 1;
                say!("seed {seed}: {reason}");
                if voids == 3 && games == 0 {
                    bail!("no game could be compared");
                }
            }
            Compared::Stopped => {
                writeln!(out, "stopped before seed {seed}: {games} identical games ({turns} turns)")?;
                return Ok(ExitCode::SUCCESS);
            }
        }
    }
    writeln!(out, "no difference: {games} games, {turns} turns; {voids} games could not be compared")?;
    Ok(if voids == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the commands that run the contest's first two bundled bots.
fn bundled(contest: &dyn Contest) -> anyhow::Result<Vec<String>> {
    let program = std::env::current_exe()?;
    let names = contest.info().bots.iter().take(2).map(|bot| bot.name);
    let command = |name: &str| {
        let words =
            [&program.display().to_string(), "bot", contest.name(), "--name", name].map(str::to_string);
        format!("{name}={}", shell_words::join(words))
    };
    Ok(names.map(command).collect())
}

#[cfg(test)]
mod tests {
    use super::seeds;

    #[test]
    fn seeds_have_signs_and_64_bits() {
        assert_eq!(seeds("1..20"), Ok([1, 20]));
        assert_eq!(seeds("-1..=1"), Ok([-1, 1]));
        assert_eq!(seeds("-9223372036854775808..9223372036854775807"), Ok([i64::MIN, i64::MAX]));
        assert!(seeds("2..1").is_err() && seeds("1").is_err() && seeds("0..9223372036854775808").is_err());
    }
}
