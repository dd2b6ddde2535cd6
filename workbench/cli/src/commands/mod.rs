//! The commands of `contender`. Each command has its own file, which also defines its arguments.

/// Defines the module of a command that this build leaves out. The command reports how to build it.
#[allow(unused_macros)]
macro_rules! left_out {
    ($command:ident, $arguments:ident, $feature:literal) => {
        mod $command {
            /// The arguments of the command, unparsed.
            #[derive(clap::Args)]
            #[command(disable_help_flag = true)]
            pub struct $arguments {
                #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
                words: Vec<String>,
            }

            pub fn run(arguments: &$arguments) -> anyhow::Result<std::process::ExitCode> {
                super::left_out(stringify!($command), $feature, &arguments.words)
            }
        }
    };
}

mod analyse;
#[cfg(feature = "games")]
mod bench;
#[cfg(not(feature = "games"))]
left_out!(bench, BenchArgs, "games");
#[cfg(test)]
mod book;
mod bot;
mod challenge;
mod check;
mod check_rules;
mod cluster;
mod completions;
mod doctor;
mod failures;
mod games;
mod ghosts;
mod league;
mod matches;
mod new;
mod pack;
mod perft;
mod play;
mod referee;
mod referees;
mod replay;
mod review;
#[cfg(test)]
mod schemas;
mod simulate;
mod site;
mod tournament;
#[cfg(feature = "train")]
mod train;
#[cfg(not(feature = "train"))]
left_out!(train, TrainArgs, "train");
mod tune;
#[cfg(feature = "web")]
mod web;
#[cfg(not(feature = "web"))]
left_out!(web, WebArgs, "web");
mod worker;

use analyse::AnalyseArgs;
use bench::BenchArgs;
use bot::BotArgs;
use challenge::ChallengeArgs;
use check::CheckArgs;
use check_rules::CheckRulesArgs;
use clap::{CommandFactory, Parser, Subcommand};
use completions::{CompletionsArgs, ManArgs};
use doctor::DoctorArgs;
use games::GamesArgs;
use league::LeagueArgs;
use matches::MatchArgs;
use new::NewArgs;
use pack::PackArgs;
use perft::PerftArgs;
use play::PlayArgs;
use referee::RefereeArgs;
use replay::ReplayArgs;
use review::ReviewArgs;
use simulate::SimulateArgs;
use site::SiteArgs;
use std::process::ExitCode;
use tournament::TournamentArgs;
use train::TrainArgs;
use tune::TuneArgs;
use web::WebArgs;

/// Play, rate, tune, train and pack bots for games.
#[derive(Parser)]
#[command(name = "contender", version, max_term_width = 100, disable_help_subcommand = true)]
pub struct Args {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands, in the order in which the help lists them.
#[derive(Subcommand)]
pub enum Command {
    /// List the games and their bots, or the bots of one game with their options
    Games(GamesArgs),
    /// Create a bot in Rust, C++ or Python, or a custom game
    New(NewArgs),
    /// Play against a bot in the terminal
    Play(PlayArgs),
    /// Play pairs of games (same seed, swapped seats) between two bots and show which one is better
    Match(MatchArgs),
    /// Play a tournament between several bots and rank them
    Tournament(TournamentArgs),
    /// Compare a new version of a bot with other bots in stages, and decide whether to adopt it
    Challenge(ChallengeArgs),
    /// Run a league, which bots can join and leave at any time
    League(LeagueArgs),
    /// Run a bundled bot on standard input and output, with the judge's protocol
    Bot(BotArgs),
    /// Referee one game for another arena, or manage external referees
    Referee(RefereeArgs),
    /// Check that a bot follows its judge's protocol and time limits
    Check(CheckArgs),
    /// Replay recorded games, or check them against the rules
    Replay(ReplayArgs),
    /// Import or download battles from CodinGame's site, report on them, or turn them into test cases
    Site(SiteArgs),
    /// Analyse a position with a bot: move values, principal variation and statistics
    Analyse(AnalyseArgs),
    /// Find a bot's most costly moves in recorded games, as judged by a bundled bot
    Review(ReviewArgs),
    /// Start the web app: games, leagues and training runs in a browser
    Web(WebArgs),
    /// Check a game's rules in random games, and compare them with another implementation
    CheckRules(CheckRulesArgs),
    /// Count all sequences of N decisions in a game (perft)
    Perft(PerftArgs),
    /// Train an evaluation or a network by self-play, from a recipe
    Train(TrainArgs),
    /// Find the best values of a bot's parameters, and test them
    Tune(TuneArgs),
    /// Pack a bot into one source file for its judge
    Pack(PackArgs),
    /// Simulate matches to estimate how many games a sequential test needs and how often it errs
    Simulate(SimulateArgs),
    /// Measure the speed of games and searches, or print the benchmark signature
    Bench(BenchArgs),
    /// Show which programs and features this machine has or lacks, and how to install them
    Doctor(DoctorArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Write the manual pages, one per command
    Man(ManArgs),
    /// Play games for other machines, as a worker for commands with `--on`
    Worker(worker::WorkerArgs),
    /// Start a server for workers, show its status, or print the public key for signed jobs
    Cluster(cluster::ClusterArgs),
}

/// Returns whether a word is a subcommand of `contender league`, but not a command itself.
pub fn is_of_league(word: &str) -> bool {
    let command = Args::command();
    let league = command.find_subcommand("league");
    command.find_subcommand(word).is_none()
        && league.is_some_and(|league| league.find_subcommand(word).is_some())
}

/// Returns the error that this build leaves out a command, with the command line that includes it.
#[cfg(not(all(feature = "games", feature = "train", feature = "web")))]
fn left_out(command: &str, feature: &str, words: &[String]) -> anyhow::Result<ExitCode> {
    let words = shell_words::join(std::iter::once(command).chain(words.iter().map(String::as_str)));
    Err(crate::error::UsageError(format!(
        "this program was built without the command `{command}`\nhint: build it with `cargo run --release \
         --features {feature} -- {words}`"
    ))
    .into())
}

/// Runs a command.
///
/// # Errors
/// Returns the error to print. If the command was used incorrectly, it is a [`UsageError`].
pub fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Games(args) => games::run(&args),
        Command::New(args) => new::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::League(args) => league::run(&args),
        Command::Challenge(args) => challenge::run(&args),
        Command::Tournament(args) => tournament::run(&args),
        Command::Bot(args) => bot::run(&args),
        Command::Referee(args) => referee::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Site(args) => site::run(&args),
        Command::Review(args) => review::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::CheckRules(args) => check_rules::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Web(args) => web::run(&args),
        Command::Pack(args) => pack::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => completions::man(&args),
        Command::Worker(args) => worker::run(&args),
        Command::Cluster(args) => cluster::run(&args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_consistent() {
        Args::command().debug_assert();
    }

    /// Returns the commands in the fenced blocks of README and docs, split into arguments.
    fn documented(text: &str) -> Vec<Vec<String>> {
        let mut block = None;
        let mut commands = Vec::new();
        for line in text.lines() {
            if let Some(language) = line.strip_prefix("```") {
                block = if block.is_some() { None } else { Some(language) };
                continue;
            }
            // In a `console` block, the other lines are output.
            let line = match block {
                Some("console") => line.strip_prefix("$ "),
                Some(_) => Some(line.trim()),
                None => None,
            };
            let Some(line) = line else { continue };
            let line = line.replace("cargo run --release -- ", "contender ");
            let Ok(words) = shell_words::split(&line) else { continue };
            let ends = |word: &String| {
                matches!(word.as_str(), "&&" | "|" | ";" | ">" | "<" | "#") || word.starts_with('#')
            };
            for part in words.split(ends) {
                if part.first().is_some_and(|word| word == "contender") {
                    commands.push(part.to_vec());
                }
            }
        }
        commands
    }

    /// Checks that all commands in the documents can be parsed.
    #[test]
    fn documented_commands_are_understood() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut files =
            vec![root.join("README.md"), root.join("CONTRIBUTING.md"), root.join("games/README.md")];
        for folder in ["docs", "docs/start", "docs/howto", "docs/games", "docs/reference", "docs/background"]
        {
            files.extend(std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()));
        }
        // Only the checklists among the lab notes are kept up to date.
        let notes = std::fs::read_dir(root.join("lab/notes")).unwrap().map(|entry| entry.unwrap().path());
        files.extend(notes.filter(|note| note.to_string_lossy().ends_with("-checklist.md")));
        let mut count = 0;
        let mut wrong = String::new();
        for file in files.iter().filter(|file| file.extension().is_some_and(|kind| kind == "md")) {
            for command in documented(&std::fs::read_to_string(file).unwrap()) {
                count += 1;
                // The documents' example games are not bundled, so a bundled game stands in for them.
                let own = |word: &String| {
                    if ["mygame", "tumbleweed"].contains(&word.as_str()) {
                        "uttt".into()
                    } else {
                        word.into()
                    }
                };
                let words = crate::arguments::understood(command.iter().map(own));
                if let Err(error) = Args::try_parse_from(words)
                    && error.use_stderr()
                {
                    wrong += &format!("{}: {}\n{error}\n", file.display(), command.join(" "));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
        assert!(count > 50, "only {count} commands were found");
    }
}
