//! The command line: one table that feeds parsing and help.

use crate::commands::analyse::AnalyseArgs;
use crate::commands::challenge::ChallengeArgs;
use crate::commands::check::CheckArgs;
use crate::commands::dataset::DatasetArgs;
use crate::commands::games::GamesArgs;
use crate::commands::league::LeagueArgs;
use crate::commands::pack::PackArgs;
use crate::commands::relay::Relay;
use crate::commands::simulate::SimulateArgs;
use crate::commands::tournament::TournamentArgs;
use crate::commands::train::TrainArgs;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand};
use contender_catalogue::{CONTESTS, find};
use contender_game::Contest;
use contender_referee::TimeSetting;
use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;

/// From the rules of a game to a bot that wins the contest.
#[derive(Parser)]
#[command(name = "contender", version, max_term_width = 100, disable_help_subcommand = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands, in the order of the help.
#[derive(Subcommand)]
pub enum Command {
    /// List the games and their bots; of one game, the bots' options too
    Games(GamesArgs),
    /// Play against a bot in the terminal
    Play(PlayArgs),
    /// Play paired games between two bots and say which is better
    Match(MatchArgs),
    /// Play a tournament between many bots and rank them
    Tournament(TournamentArgs),
    /// Measure a new version of a bot against old ones, in stages, and decide whether it replaces the first
    Challenge(ChallengeArgs),
    /// Keep a league: bots that come and go, all their games in one file
    League(LeagueArgs),
    /// Run a bundled bot on standard input and output, in the judge's own protocol
    Bot(BotArgs),
    /// Referee one game for another arena (psyleague, CG Arena, cg-brutaltester)
    Referee(RefereeArgs),
    /// Test a bot's protocol and clock before it joins an arena
    Check(CheckArgs),
    /// Replay recorded games; with --check compare every recorded state and score
    Replay(ReplayArgs),
    /// Let a bot think about a position and print what it found: the values of the moves, the expected play, statistics
    Analyse(AnalyseArgs),
    /// Count the sequences of a number of decisions
    Perft(PerftArgs),
    /// Learn an evaluation from games of a bot against itself, by a recipe (feature `learn`)
    Train(TrainArgs),
    /// Make a dataset of positions, or see how well evaluations predict one (feature `learn`)
    Dataset(DatasetArgs),
    /// Pack a bot into one source file that its judge takes
    Pack(PackArgs),
    /// Measure how often sequential tests err and how long they take, and whether intervals hold what they claim
    Simulate(SimulateArgs),
    /// Measure speed, or print the benchmark signature
    Bench(BenchArgs),
}

/// Where a bot may be a bundled bot or any program.
pub const BOT_HELP: &str = "A BOT is a bundled bot (`greedy`, with options: `expectimax:depth=2`), a quoted command line of any program \
that speaks the judge's protocol (`\"python3 bot.py\"`), or `name=command`. `contender games GAME` lists a game's bundled bots and their options.";

/// Where a bot is a bundled bot.
pub const BUNDLED_BOT_HELP: &str = "A BOT is a bundled bot (`greedy`, with options: `expectimax:depth=2`). `contender games GAME` lists \
a game's bundled bots and their options.";

/// `contender play`
#[derive(ClapArgs)]
#[command(after_help = BUNDLED_BOT_HELP)]
pub struct PlayArgs {
    /// The game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// The opponent [default: the strongest bundled bot]
    #[arg(long, value_name = "BOT")]
    pub bot: Option<String>,
    /// Your seat: its name, or 0 or 1 [default: the one that moves first]
    #[arg(long)]
    pub seat: Option<String>,
    #[command(flatten)]
    pub conditions: Conditions,
}

/// `contender match`
#[derive(ClapArgs)]
#[command(after_help = BOT_HELP)]
pub struct MatchArgs {
    /// The game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// The first bot
    pub a: String,
    /// The second bot
    pub b: String,
    /// Pairs to play: two games with the same luck and exchanged seats; with --sprt the most pairs
    #[arg(short = 'n', long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub pairs: u32,
    /// Stop as soon as a sequential test decides between "the first bot is ahead by LO" and "by HI": in Elo where the contest counts
    /// wins, else in points per game
    #[arg(long, value_name = "LO,HI", value_parser = two_numbers, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
    /// Probability that the test accepts HI where LO is true
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_name = "P")]
    pub alpha: f64,
    /// Probability that the test accepts LO where HI is true
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_name = "P")]
    pub beta: f64,
    /// Games played at the same time [default: one for each core]
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub conditions: Conditions,
    #[command(flatten)]
    pub processes: Processes,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    /// Append every finished game to this file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Stop the game at a bot's failure instead of letting the judge move at random in its place
    #[arg(long)]
    pub stop_at_failure: bool,
    /// Do not show progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// Under what conditions games are played.
#[derive(ClapArgs, Clone)]
pub struct Conditions {
    /// Thinking time: `30s` or `100ms` in place of the contest's limit, or `10%` of every limit of the contest
    #[arg(long, value_name = "TIME", value_parser = TimeSetting::parse)]
    pub time: Option<TimeSetting>,
    /// Nodes or iterations per move for bundled bots, which then have no clock unless --time is given: makes their play reproducible
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Seed of all luck: a number, or `random`
    #[arg(long, value_name = "S", default_value = "1", value_parser = seed)]
    pub seed: u64,
    /// A rule variant or a fixed setup, as listed by `contender games`
    #[arg(long = "rule", value_name = "KEY=VALUE")]
    pub rules: Vec<String>,
}

/// What external bots may use.
#[derive(ClapArgs, Clone)]
pub struct Processes {
    /// Keep external bots from the network and from writing files, and to 1 GiB of memory
    #[arg(long)]
    pub isolate: bool,
    /// Memory of an external bot in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    pub memory: Option<u64>,
    /// Let the system place external bots on cores, instead of keeping each game on its own
    #[arg(long)]
    pub no_pin: bool,
}

/// `contender bot`
#[derive(ClapArgs)]
#[command(after_help = BUNDLED_BOT_HELP)]
pub struct BotArgs {
    /// The game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// The bot [default: the strongest]
    #[arg(long, value_name = "BOT")]
    pub name: Option<String>,
    #[command(flatten)]
    pub conditions: Conditions,
}

/// `contender referee`
#[derive(ClapArgs)]
#[command(
    after_help = "Prints one JSON object with `ranks`, `errors`, `test_data`, `attributes` and `player_data`, as psyleague and \
CG Arena expect it. With `-p1 CMD -p2 CMD` it prints one score a line instead, as cg-brutaltester expects it. \
With `--relay` it runs no bots, and speaks over standard input and output to an arena that does."
)]
pub struct RefereeArgs {
    /// The game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// The bots, by seat
    #[arg(value_name = "BOT", num_args = 0..=2)]
    pub bots: Vec<String>,
    /// The bot of the first seat, as cg-brutaltester gives it
    #[arg(long, value_name = "CMD", requires = "p2", conflicts_with = "bots")]
    pub p1: Option<String>,
    /// The bot of the second seat
    #[arg(long, value_name = "CMD", requires = "p1")]
    pub p2: Option<String>,
    /// Speak to an arena that runs the bots itself and carries lines
    #[arg(long, value_enum, conflicts_with_all = ["bots", "p1"])]
    pub relay: Option<Relay>,
    /// Settings as cg-brutaltester gives them: `seed=N`
    #[arg(short = 'd', value_name = "KEY=VALUE")]
    pub settings: Option<String>,
    /// Write the game's record to this file
    #[arg(short = 'l', long = "log", value_name = "FILE")]
    pub log: Option<PathBuf>,
    #[command(flatten)]
    pub conditions: Conditions,
    #[command(flatten)]
    pub processes: Processes,
}

/// `contender replay`
#[derive(ClapArgs)]
pub struct ReplayArgs {
    /// Files of recorded games, also gzipped
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The game, where the file does not tell
    #[arg(long, value_parser = game_parser())]
    pub game: Option<&'static dyn Contest>,
    /// Compare every recorded state and score; exit code 1 on a difference
    #[arg(long)]
    pub check: bool,
}

/// `contender perft`
#[derive(ClapArgs)]
pub struct PerftArgs {
    /// The game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// How many decisions, outcomes of chance included
    #[arg(long)]
    pub depth: u32,
    /// Moves to play first, in the notation of a game's record: `1Dd DdDa`, `4 4, 3 5`
    #[arg(long, default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    pub moves: String,
}

/// `contender bench`
#[derive(ClapArgs)]
pub struct BenchArgs {
    /// Only this game, or `arena`, `referee` or `search`
    pub subject: Option<String>,
    /// Only workloads whose name contains this; with --turns the bot
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Seconds for each workload
    #[arg(long, default_value_t = 2.0, value_name = "S")]
    pub seconds: f64,
    /// Run exactly this many rounds of each workload, for instruction counters
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    pub rounds: Option<u64>,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    /// Print one number that changes when any rule or search changes its behaviour
    #[arg(long)]
    pub signature: bool,
    /// Instead of speeds: how a bot of `entropy` searches at each turn, the mean of so many games against itself
    #[arg(long, value_name = "GAMES", requires = "subject", conflicts_with_all = ["rounds", "signature"],
        value_parser = clap::value_parser!(u32).range(1..))]
    pub turns: Option<u32>,
    /// With --turns, thinking time: `30s` in place of the contest's limit, or `10%` of it
    #[arg(long, value_name = "TIME", requires = "turns", value_parser = TimeSetting::parse)]
    pub time: Option<TimeSetting>,
    /// With --turns, nodes per move, which make the result reproducible but for the times
    #[arg(long, value_name = "N", requires = "turns", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
}

pub fn seed(text: &str) -> Result<u64, String> {
    if text == "random" {
        // The standard library's hashers start from the system's randomness. 31 bits, so that the seed is easily passed on.
        return Ok(RandomState::new().build_hasher().finish() >> 33);
    }
    text.parse().map_err(|_| "a seed is a whole number from 0, or `random`".to_string())
}

pub fn two_numbers(text: &str) -> Result<[f64; 2], String> {
    let number = |part: &str| part.trim().parse::<f64>().ok();
    match text.split_once(',').map(|(low, high)| (number(low), number(high))) {
        Some((Some(low), Some(high))) if low < high => Ok([low, high]),
        _ => Err("two numbers in ascending order are wanted, for example 0,5".to_string()),
    }
}

pub fn game_parser() -> impl TypedValueParser<Value = &'static dyn Contest> {
    let names = CONTESTS.map(|contest| PossibleValue::new(contest.name()).help(contest.info().about));
    PossibleValuesParser::new(names).map(|name| find(&name).expect("the parser accepts known names only"))
}

/// Lets `-p1`, `-p2` and `-seed` be written with one dash, as cg-brutaltester does.
pub fn with_single_dash_words(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    args.map(|arg| match arg.to_str() {
        Some(word @ ("-p1" | "-p2" | "-seed")) => OsString::from(format!("-{word}")),
        _ => arg,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_table_is_consistent() {
        Args::command().debug_assert();
    }
}
