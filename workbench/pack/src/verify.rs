//! Compares a packed file with the bot from which it was packed.

use crate::compiler::{Diagnostic, PATIENCE, Scratch, release_words, run, run_cargo, rustc};
use crate::newer::{NewerSyntax, newer_syntax};
use crate::source;
use crate::{Build, PackError, Site};
use contender_game::{contest::Contest, rules::mix, settings::Options};
use contender_referee::{CommandLine, Ending, Entrant, Fixture, Program, Record, Referee};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A compiled packed file. The executable is removed when this value is dropped.
pub struct Compiled {
    _scratch: Scratch,
    /// The path of the executable.
    pub program: PathBuf,
    /// The time that the compilation took.
    pub time: Duration,
    /// The version of this machine's compiler, and that of the judge's compiler if it is installed.
    pub compilers: Vec<String>,
    /// The compiler's warnings, and warnings about features that the judge's older compiler lacks.
    pub warnings: String,
    /// The reason why it is unknown whether the judge's compiler supports the file.
    pub note: Option<String>,
}

/// Compiles the text with the judge's flags, using this machine's compiler and, if it is installed, the judge's
/// compiler. Setting `stop` interrupts the work.
///
/// # Errors
/// Returns an error with the compiler's messages if the text does not compile, or [`PackError::Interrupted`].
pub fn compile(text: &str, judge: &Site, build: &Build, stop: &AtomicBool) -> Result<Compiled, PackError> {
    let scratch = Scratch::new()?;
    let source = scratch.write("bot.rs", text)?;
    let program = scratch.folder.join("bot");
    let start = Instant::now();
    let words = |rustc: Vec<String>, program: &Path| {
        let mut words = rustc;
        words.extend(judge.flags.value.iter().map(ToString::to_string));
        words.extend(build.words());
        words.extend(["-o".to_string(), program.display().to_string(), source.display().to_string()]);
        words
    };
    let output = run(&words(vec![rustc()], &program), "rustc", None, PATIENCE, stop)?;
    if !output.is_success() {
        return Err(PackError::general(format!("the packed file does not compile:\n{}", output.stderr)));
    }
    let time = start.elapsed();
    let ours = version(stop)?;
    let (mut warnings, mut note) = (output.stderr, None);
    let mut compilers = vec![ours.clone()];
    // A compiler cannot use libraries that another compiler has built.
    let toolchain = match minor(&ours) > minor(judge.compiler.value) && build.libraries.is_empty() {
        true => toolchain(judge.compiler.value, stop)?,
        false => None,
    };
    match toolchain {
        Some(toolchain) => {
            let rustc = ["rustup", "run", &toolchain, "rustc"].map(str::to_string).to_vec();
            let output =
                run(&words(rustc, &scratch.folder.join("bot-judge")), "rustc", None, PATIENCE, stop)?;
            compilers.push(judge.compiler.value.to_string());
            if !output.is_success() {
                warnings += &format!(
                    "the packed file does not compile with rustc {} of {}:\n{}",
                    judge.compiler.value, judge.title, output.stderr
                );
            }
        }
        None => {
            for newer in newer_syntax(text, minor(judge.compiler.value).unwrap_or(u32::MAX)) {
                let NewerSyntax { line, name, since } = newer;
                let (title, has) = (judge.title, judge.compiler.value);
                warnings += &format!("{title} has rustc {has}, but {name} in line {line} needs 1.{since}\n");
            }
            match newer_than_judge(&source, &ours, judge, build, &scratch, stop)? {
                Newer::Items(items) => {
                    warnings.extend(items);
                    if build.libraries.is_empty() {
                        note = missing_compiler(&ours, judge.compiler.value, judge.title);
                    }
                }
                Newer::Unknown(reason) => note = Some(reason),
            }
        }
    }
    Ok(Compiled { _scratch: scratch, program, time, compilers, warnings, note })
}

/// Returns the version of this machine's compiler.
fn version(stop: &AtomicBool) -> Result<String, PackError> {
    let output = run(&[rustc(), "--version".to_string()], "rustc", None, PATIENCE, stop)?;
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(words.split(' ').nth(1).unwrap_or_default().to_string())
}

/// Returns the name of an installed toolchain with this compiler version, if there is one.
fn toolchain(wanted: &str, stop: &AtomicBool) -> Result<Option<String>, PackError> {
    let words = ["rustup", "toolchain", "list"].map(str::to_string);
    let output = match run(&words, "rustup", None, PATIENCE, stop) {
        Err(PackError::Interrupted) => return Err(PackError::Interrupted),
        Err(_) => return Ok(None),
        Ok(output) => output,
    };
    let list = String::from_utf8_lossy(&output.stdout).into_owned();
    let names = list.lines().filter_map(|line| line.split(' ').next());
    let has_version = |name: &&str| {
        let rest = name.strip_prefix(wanted);
        rest.is_some_and(|rest| rest.starts_with('-') || rest.starts_with(".0-"))
    };
    Ok(names.into_iter().find(has_version).map(str::to_string))
}

/// Returns a note that the judge's compiler is missing, if this machine's compiler is newer.
fn missing_compiler(ours: &str, wanted: &str, title: &str) -> Option<String> {
    (minor(ours) > minor(wanted)).then(|| {
        format!(
            "compiled with rustc {ours}, because rustc {wanted} of {title} is not installed; clippy looked for newer \
             features\nhint: `rustup toolchain install {wanted}`"
        )
    })
}

/// The uses of standard library features that the judge's compiler lacks.
enum Newer {
    /// The warnings, one line per use.
    Items(Vec<String>),
    /// The reason why the uses are unknown.
    Unknown(String),
}

/// Finds uses of features that are newer than the judge's compiler, if this machine's compiler is newer. Uses clippy,
/// which knows the version in which each item was added to the standard library.
fn newer_than_judge(
    source: &Path,
    ours: &str,
    judge: &Site,
    build: &Build,
    scratch: &Scratch,
    stop: &AtomicBool,
) -> Result<Newer, PackError> {
    let (wanted, title) = (judge.compiler.value, judge.title);
    if minor(ours).is_some_and(|ours| Some(ours) <= minor(wanted)) {
        return Ok(Newer::Items(Vec::new()));
    }
    scratch.write("clippy.toml", &format!("msrv = \"{wanted}\"\n"))?;
    let options = "--edition 2021 --crate-type bin --emit=metadata --error-format=json -A clippy::all -W clippy::incompatible_msrv -o";
    let settings = format!("CLIPPY_CONF_DIR={}", scratch.folder.display());
    let mut words = vec!["env".to_string(), settings, "clippy-driver".to_string()];
    words.extend(build.words());
    words.extend(options.split(' ').map(str::to_string));
    words.extend([&scratch.folder.join("bot.rmeta"), source].map(|path| path.display().to_string()));
    let output = match run(&words, "clippy-driver", None, PATIENCE, stop) {
        Ok(output) if output.is_success() => output,
        Err(PackError::Interrupted) => return Err(PackError::Interrupted),
        _ => {
            return Ok(Newer::Unknown(format!(
                "compiled with rustc {ours}, but {title} has {wanted}, and without clippy newer features are not \
                 found\nhint: `rustup toolchain install {wanted}`, or `rustup component add clippy`"
            )));
        }
    };
    let text = source::read_text(source).unwrap_or_default();
    let found = output.stderr.lines().filter_map(|line| serde_json::from_str::<Diagnostic>(line).ok());
    let found = found.filter(|found| found.code() == "clippy::incompatible_msrv");
    Ok(Newer::Items(found.map(|found| newer_item(&found, &text, title, wanted)).collect()))
}

/// Returns a warning such as ``CodinGame has rustc 1.70, but `x.div_ceil(2)` in line 7 needs 1.73.0``.
fn newer_item(found: &Diagnostic, text: &str, title: &str, wanted: &str) -> String {
    let since = found.message.rsplit('`').nth(1).unwrap_or("a later version");
    let place = found.ranges().next().unwrap_or_default();
    let line = text.get(..place.start).map_or(0, |before| before.matches('\n').count() + 1);
    let item = text.get(place).unwrap_or("something");
    format!("{title} has rustc {wanted}, but `{item}` in line {line} needs {since}\n")
}

/// Returns the minor version of a compiler. The major version is always 1.
fn minor(version: &str) -> Option<u32> {
    version.split('.').nth(1)?.parse().ok()
}

/// The result of comparing a packed bot's games with the unpacked bot's games.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// Number of games that each bot played.
    pub games: u32,
    /// Number of moves in these games, including the outcomes of chance.
    pub moves: usize,
    /// A description of the first game that differs.
    pub difference: Option<String>,
    /// Whether the unpacked bot played the differing game identically a second time. If not, the difference is
    /// meaningless.
    pub repeats: bool,
}

/// Creates a bundled bot that runs in this process.
#[must_use]
pub fn bundled(bot: &str, options: &Options) -> Entrant {
    Entrant {
        name: bot.to_string(),
        program: Program::Bundled { bot: bot.to_string(), options: options.clone() },
    }
}

/// Creates a bot from a program and its arguments. In the arguments, `{nodes}` and `{seed}` are replaced by the values
/// for a game.
#[must_use]
pub fn program(program: &Path, arguments: &[&str]) -> Entrant {
    let name = program.display().to_string();
    let words = std::iter::once(&name[..]).chain(arguments.iter().copied());
    Entrant { name: name.clone(), program: Program::Command(CommandLine::new(words)) }
}

/// Plays `games` games with the packed bot, and the same games with the unpacked bot. Both bots may use `nodes` nodes
/// per move. The opponents alternate between the contest's weakest and strongest bundled bot, and the bot plays in both
/// seats. Setting `stop` interrupts the work.
///
/// # Errors
/// Returns an error if a game cannot be played (a bot's failure is not an error), or [`PackError::Interrupted`].
pub fn compare(
    contest: &dyn Contest,
    [packed, unpacked]: [&Entrant; 2],
    games: u32,
    nodes: u64,
    stop: &AtomicBool,
) -> Result<Comparison, PackError> {
    let mut referee = Referee::of(contest);
    referee.conditions.limits.nodes = Some(nodes);
    // A search with a node limit takes as long as necessary, and a busy machine must not end the comparison.
    referee.conditions.margin = Duration::from_secs(600);
    let bots = contest.info().bots;
    let mut comparison = Comparison { repeats: true, ..Comparison::default() };
    for game in 0..games {
        let seat = (game % 2) as usize;
        let seed = mix(&[u64::from(game / 2), 0x7061_636b]);
        let opponent = if game / 2 % 2 == 0 { bots.first() } else { bots.last() };
        let opponent = opponent.ok_or_else(|| PackError::general("the game has no bundled bot"))?;
        let opponent = bundled(opponent.name, &Options::default());
        let play = |subject: &Entrant| {
            let players = if seat == 0 { [subject, &opponent] } else { [&opponent, subject] };
            referee
                .play(contest, &Fixture::between(players, seed, [mix(&[seed, 1]), mix(&[seed, 2])]), stop)
                .map_err(|error| PackError::general(error.to_string()))
        };
        let [of_packed, of_unpacked] = [play(packed)?, play(unpacked)?];
        if stop.load(Ordering::Relaxed) || of_packed.interrupted || of_unpacked.interrupted {
            return Err(PackError::Interrupted);
        }
        comparison.games += 1;
        comparison.moves += of_packed.moves.len();
        let is_same = |other: &Record| {
            (&other.moves, &other.setup, other.points())
                == (&of_unpacked.moves, &of_unpacked.setup, of_unpacked.points())
        };
        if !is_same(&of_packed) {
            comparison.difference = Some(difference(game + 1, seat, [&of_packed, &of_unpacked]));
            comparison.repeats = is_same(&play(unpacked)?);
            break;
        }
    }
    Ok(comparison)
}

/// Describes the first differing move of a game, and the failure of the packed bot if there is one.
fn difference(game: u32, seat: usize, [of_packed, of_unpacked]: [&Record; 2]) -> String {
    let at = of_packed.moves.iter().zip(&of_unpacked.moves).take_while(|(a, b)| a == b).count();
    let name = |moves: &[String]| moves.get(at).map_or("none".to_string(), |text| format!("`{text}`"));
    let mut difference = format!(
        "game {} (the bot has seat {seat}) differs at move {}: the packed bot's move is {}, the \
         unpacked bot's move is {}",
        game,
        at + 1,
        name(&of_packed.moves),
        name(&of_unpacked.moves)
    );
    let report = &of_packed.seats[seat];
    if report.ending != Ending::Normal {
        difference += &format!("\nthe packed bot {}", report.ending);
    }
    if !report.stderr.trim().is_empty() {
        difference += &format!("\nthe packed bot's error output: {}", report.stderr.trim());
    }
    difference
}

/// Builds a program with cargo, in the release profile of the program's workspace, and returns the program's path.
/// `features` are cargo's feature options. Setting `stop` interrupts the work.
///
/// # Errors
/// Returns an error with cargo's messages if the build fails, an error if the package has several programs and none is
/// named, or [`PackError::Interrupted`].
pub fn build(
    manifest: &Path,
    binary: Option<&str>,
    features: &[String],
    stop: &AtomicBool,
) -> Result<PathBuf, PackError> {
    let output = run_cargo(&release_words("build", manifest, binary, features), PATIENCE, stop)?;
    let made: Vec<PathBuf> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| Some(PathBuf::from(message.get("executable")?.as_str()?)))
        .collect();
    match &made[..] {
        [program] if output.is_success() => Ok(program.clone()),
        _ => Err(PackError::general(format!(
            "cargo did not build a program from {}:\n{}",
            manifest.display(),
            output.stderr
        ))),
    }
}

/// Runs a packed program and the original program with each of these files as standard input, for at most `time` each.
/// Returns the first difference between their standard outputs or exit codes. Setting `stop` interrupts the work.
///
/// # Errors
/// Returns an error if a file cannot be read, or if a program cannot be run, takes too long or writes too much, or
/// [`PackError::Interrupted`].
pub fn compare_outputs(
    [packed, unpacked]: [&Path; 2],
    arguments: &[&str],
    inputs: &[PathBuf],
    time: Duration,
    stop: &AtomicBool,
) -> Result<Option<String>, PackError> {
    for input in inputs {
        let text = source::read(input)
            .map_err(|error| PackError::general(format!("{}: {error}", input.display())))?;
        let run = |which: &str, program: &Path| {
            let program = std::iter::once(program.display().to_string());
            let words: Vec<String> = program.chain(arguments.iter().map(ToString::to_string)).collect();
            let name = format!("with {} the {which} program", input.display());
            run(&words, &name, Some(&text), time, stop)
        };
        let [one, other] = [run("packed", packed)?, run("unpacked", unpacked)?];
        if one.status != other.status {
            let reason = format!(
                "with {}, the packed program {}, but the unpacked one {}",
                input.display(),
                one.end(),
                other.end()
            );
            return Ok(Some(reason));
        }
        if one.stdout != other.stdout {
            let [one, other] = [one, other].map(|of| String::from_utf8_lossy(&of.stdout).into_owned());
            let at = one.lines().zip(other.lines()).take_while(|(one, other)| one == other).count();
            let line = |text: &str| text.lines().nth(at).unwrap_or("nothing").to_string();
            let reason = format!(
                "with {}, line {} of the output is `{}` from the packed program, but `{}` from the unpacked one",
                input.display(),
                at + 1,
                line(&one),
                line(&other)
            );
            return Ok(Some(reason));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_compiler_of_the_judge_is_named() {
        let note = missing_compiler("1.95.0", "1.70", "CodinGame").unwrap();
        assert!(
            note.starts_with("compiled with rustc 1.95.0, because rustc 1.70 of CodinGame is not installed")
        );
        assert!(note.ends_with("\nhint: `rustup toolchain install 1.70`"), "{note}");
        assert_eq!(missing_compiler("1.70.0", "1.70", "CodinGame"), None);
        assert_eq!(missing_compiler("1.66.1", "1.70", "CodinGame"), None);
    }
}
