//! `contender doctor`: lists the programs and features that are present or missing on this machine, and how to install
//! them.

use crate::signals::stop_flag;
use crate::terminal::coloured;
use clap::Args as ClapArgs;
use contender_game::board::ansi;
use contender_referee::{
    ChildGuard, CommandLine, ExitStatus, IdleProcesses, ProcessOutput, WaitOutcome, Watch, available_cores,
    facilities,
};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// `contender doctor`
#[derive(ClapArgs)]
#[command(after_help = "The exit code is always 0, because each command needs only some of these items.")]
pub struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Time for measuring the clock's precision, in seconds; 0 skips the measurement
    #[arg(long, value_name = "SECONDS", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=600))]
    clock: u64,
}

/// Whether an item is present.
#[derive(Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ItemState {
    /// Present.
    Good,
    /// Present, but limited.
    Weak,
    /// Not found.
    Missing,
}

/// A program or feature that `doctor` looks for.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// The name of the program or feature.
    what: &'static str,
    /// Whether the program or feature is present.
    state: ItemState,
    /// The version or path that was found.
    found: String,
    /// The purpose of the program or feature.
    serves: &'static str,
    /// The way to install the program or feature if it is missing; otherwise empty.
    remedy: String,
}

/// Programs that commands or bot authors may need. Each row contains the name, the purpose, alternative commands (each
/// with the option that prints its version), and the way to install one of these commands.
const PROGRAMS: [(&str, &str, &[[&str; 2]], &str); 10] = [
    (
        "Rust",
        "Rust bots, `pack`, custom games",
        &[["cargo", "--version"]],
        "https://rustup.rs, or `apt install cargo`",
    ),
    ("C++ compiler", "C++ bots", &[["g++", "--version"], ["clang++", "--version"]], "`apt install g++`"),
    ("Python", "Python bots", &[["python3", "--version"]], "`apt install python3`"),
    (
        "Java compiler",
        "CodinGame challenges: `referee add`",
        &[["javac", "-version"]],
        "`apt install default-jdk-headless`",
    ),
    (
        "Maven",
        "building CodinGame challenges from their sources",
        &[["mvn", "--version"]],
        "`apt install maven`",
    ),
    ("git", "fetching a challenge from its URL", &[["git", "--version"]], "`apt install git`"),
    (
        "browser",
        "the web app",
        &[
            ["chromium", "--version"],
            ["google-chrome", "--version"],
            ["firefox", "--version"],
            ["firefox-esr", "--version"],
        ],
        "`apt install chromium`; any browser works, including a browser on another machine",
    ),
    (
        "browser's driver",
        "testing the web app",
        &[["chromedriver", "--version"]],
        "`scripts/install-browser.sh`",
    ),
    (
        "NATS server",
        "playing games on several machines",
        &[["nats-server", "--version"]],
        "`apt install nats-server`",
    ),
    ("mdbook", "building the book", &[["mdbook", "--version"]], "`cargo install mdbook`"),
];

pub fn run(args: &DoctorArgs) -> anyhow::Result<ExitCode> {
    let stop = stop_flag()?;
    let mut findings = vec![cores(), vectors()];
    findings.extend((args.clock > 0).then(|| clock(Duration::from_secs(args.clock), &stop)));
    findings.extend(isolation());
    findings.extend(PROGRAMS.iter().map(|&(what, serves, commands, remedy)| {
        let found = commands.iter().find_map(|command| version(command, &stop));
        let state = if found.is_some() { ItemState::Good } else { ItemState::Missing };
        finding(what, serves, state, found.unwrap_or_default(), remedy)
    }));
    let text = if args.json { serde_json::to_string_pretty(&findings)? + "\n" } else { table(&findings) };
    std::io::stdout().write_all(coloured(text).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn finding(
    what: &'static str,
    serves: &'static str,
    state: ItemState,
    found: String,
    remedy: &str,
) -> Finding {
    let remedy = if state == ItemState::Good { "" } else { remedy }.to_string();
    Finding { what, state, found, serves, remedy }
}

fn table(findings: &[Finding]) -> String {
    let mut text = String::new();
    for Finding { what, state, found, serves, remedy } in findings {
        let word = match state {
            ItemState::Good => "good   ",
            ItemState::Weak => "weak   ",
            ItemState::Missing => "missing",
        };
        let found = if found.is_empty() { format!("for {serves}") } else { found.clone() };
        let _ = writeln!(text, "{word}  {what:<32} {found}");
        if !remedy.is_empty() {
            let _ = writeln!(text, "{}", ansi::dim(&format!("{:9}{:<32} -> {remedy}", "", "")));
        }
    }
    text
}

fn cores() -> Finding {
    let cores = available_cores();
    let state = if cores > 1 { ItemState::Good } else { ItemState::Weak };
    let found = format!("{cores} available to this process");
    let remedy = "with a single core, bots share the core with the referee, so timing is less stable; use \
        `-j 1`";
    finding("cores", "playing several games at a time, each on its own core", state, found, remedy)
}

fn vectors() -> Finding {
    #[cfg(target_arch = "x86_64")]
    let (found, state) = {
        let known = [
            ("AVX2", is_x86_feature_detected!("avx2")),
            ("FMA", is_x86_feature_detected!("fma")),
            ("AVX-512", is_x86_feature_detected!("avx512f")),
        ];
        let names: Vec<&str> =
            known.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name).collect();
        (names.join(", "), if known[0].1 && known[1].1 { ItemState::Good } else { ItemState::Weak })
    };
    #[cfg(not(target_arch = "x86_64"))]
    let (found, state) = (std::env::consts::ARCH.to_string(), ItemState::Weak);
    let found = if found.is_empty() { "no AVX2".to_string() } else { found };
    let remedy = "bots with a network search several times slower here than on a judge with AVX2";
    finding("vector units", "networks", state, found, remedy)
}

fn clock(time: Duration, stop: &AtomicBool) -> Finding {
    let watch = Watch::start(&IdleProcesses::default());
    let end = Instant::now() + time;
    while Instant::now() < end && !stop.load(std::sync::atomic::Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(10).min(end.saturating_duration_since(Instant::now())));
    }
    let seen = watch.machine();
    let state = if seen.is_steady { ItemState::Good } else { ItemState::Weak };
    let remedy = "timed matches need an idle machine; see \"A shared machine\" in \
        docs/howto/troubleshooting.md";
    finding("clock", "timed matches", state, seen.figures(), remedy)
}

fn isolation() -> Vec<Finding> {
    let offered = facilities();
    let serves = "isolation of bots: `--isolate`";
    offered
        .into_iter()
        .map(|facility| {
            let state = if facility.holds { ItemState::Good } else { ItemState::Weak };
            finding(facility.what, serves, state, facility.how, facility.remedy)
        })
        .collect()
}

/// Returns the first line that a program prints for its version option, or `None` if the program is missing or fails.
fn version(command: &[&str], stop: &AtomicBool) -> Option<String> {
    const PATIENCE: Duration = Duration::from_secs(20);
    let mut process = ChildGuard::start(&CommandLine::new(command.iter().copied()), 1 << 16, 1 << 12).ok()?;
    process.close_input();
    let is_over = process.wait(PATIENCE, stop, |_| false) == WaitOutcome::Ended;
    let ProcessOutput { output, stderr, status } = process.end();
    let said = format!("{}\n{stderr}", String::from_utf8_lossy(&output));
    let line = said.lines().find(|line| !line.trim().is_empty())?;
    (is_over && status == Some(ExitStatus::Code(0))).then(|| line.trim().chars().take(60).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_missing_with_its_remedy() {
        let stop = AtomicBool::new(false);
        assert_eq!(version(&["no-such-program-here", "--version"], &stop), None);
        assert_eq!(version(&["false"], &stop), None);
        assert_eq!(version(&["echo", "a 1.2"], &stop).as_deref(), Some("a 1.2"));
        let good = finding("a", "b", ItemState::Good, "a 1.2".to_string(), "get it");
        let missing = finding("a", "b", ItemState::Missing, String::new(), "get it");
        assert!(!table(&[good]).contains("get it"));
        let text = table(&[missing]);
        assert!(text.contains("missing") && text.contains("for b") && text.contains("-> get it"), "{text}");
    }

    #[test]
    fn what_is_less_than_good_has_a_remedy() {
        let mut all = vec![cores(), vectors(), clock(Duration::from_millis(50), &AtomicBool::new(false))];
        all.extend(isolation());
        for finding in &all {
            assert_eq!(finding.state == ItemState::Good, finding.remedy.is_empty(), "{}", finding.what);
            assert!(!finding.found.is_empty(), "{}", finding.what);
        }
        assert!(all.len() > 3);
    }
}
