//! `contender tournament`: plays games between several bots and ranks the bots.

use super::failures::Failures;
use super::matches::{known_games, play_rotation};
use crate::arguments::BOT_HELP;
use crate::error::UsageError;
use crate::progress::progress_bar;
use crate::setup::{SeriesOptions, exit_code};
use crate::signals::stop_flag;
use clap::{Args as ClapArgs, ValueEnum};
use contender_arena::{Event, Format, Rotation, Tournament};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// `contender tournament`
#[derive(ClapArgs)]
#[command(
    after_help = BOT_HELP,
    override_usage = "contender tournament [OPTIONS] <GAME> <BOT> <BOT>...\n       contender tournament [OPTIONS] --referee <REFEREE> <BOT> <BOT>..."
)]
pub struct TournamentArgs {
    /// Game and bots; with --referee, only the bots
    #[arg(required = true, num_args = 1.., value_name = "GAME|BOT")]
    pub words: Vec<String>,
    /// With --referee: number of bots per game; every group plays once in each rotation of the seats [default: the
    /// referee's minimum]
    #[arg(long, value_name = "N", requires = "referee", value_parser = clap::value_parser!(u16).range(2..=8))]
    pub players: Option<u16>,
    /// Pairings: all against all, challengers against all others, or bots with similar scores
    #[arg(long, value_enum, default_value_t = FormatName::RoundRobin)]
    pub format: FormatName,
    /// Number of challengers in a gauntlet, which are the first bots [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub challengers: Option<u16>,
    /// Number of rounds in a Swiss tournament [default: enough to leave at most one bot unbeaten]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,
    /// Number of pairs of games (same seed, swapped seats) per pairing
    #[arg(short = 'n', long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub pairs: u32,
    #[command(flatten)]
    pub series: SeriesOptions,
    /// Log file, to which every finished game is appended; the same command resumes from it
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

/// The kinds of pairings, as the user types them.
#[derive(Clone, Copy, ValueEnum)]
pub enum FormatName {
    RoundRobin,
    Gauntlet,
    Swiss,
}

impl TournamentArgs {
    /// Returns the format of a tournament between this number of bots.
    fn format(&self, bots: usize) -> Result<Format, UsageError> {
        let is_gauntlet = matches!(self.format, FormatName::Gauntlet);
        let is_swiss = matches!(self.format, FormatName::Swiss);
        if self.challengers.is_some() && !is_gauntlet {
            return Err(UsageError("--challengers needs `--format gauntlet`".to_string()));
        }
        if self.rounds.is_some() && !is_swiss {
            return Err(UsageError("--rounds needs `--format swiss`".to_string()));
        }
        match self.format {
            FormatName::RoundRobin => Ok(Format::RoundRobin),
            FormatName::Gauntlet => {
                let challengers = self.challengers.map_or(1, usize::from);
                if challengers >= bots {
                    let words = format!("--challengers {challengers}: no opponents left among {bots} bots");
                    return Err(UsageError(words));
                }
                Ok(Format::Gauntlet { challengers })
            }
            FormatName::Swiss => {
                Ok(Format::Swiss { rounds: self.rounds.unwrap_or(bots.next_power_of_two().ilog2()) })
            }
        }
    }
}

pub fn run(args: &TournamentArgs) -> anyhow::Result<ExitCode> {
    let log = args.log.as_deref();
    let opened = args.series.open(&args.words, log, |_| ())?;
    let (bots, seats) = (&opened.bots, opened.host.seats());
    let players = args.players.map_or((*seats.start()).max(2), usize::from);
    if !seats.contains(&players) {
        let (least, most) = (seats.start(), seats.end());
        let words =
            format!("invalid number of players {players}: {} takes {least} to {most}", opened.host.game());
        return Err(UsageError(words).into());
    }
    if bots.len() < players {
        let words = format!("a tournament needs at least {players} bots, not {}", bots.len());
        return Err(UsageError(words).into());
    }
    if players > 2 {
        if !matches!(args.format, FormatName::RoundRobin) {
            return Err(UsageError("--format works only with two-player games".to_string()).into());
        }
        let host = opened.host.as_ref();
        let seed = args.series.conditions.seed;
        let planned = Rotation { host, bots, players, rounds: args.pairs, jobs: opened.jobs, seed };
        return play_rotation(&planned, &args.series, log, &*stop_flag()?);
    }
    let format = args.format(bots.len())?;
    let planned = Tournament {
        host: opened.host.as_ref(),
        bots,
        format,
        pairs: args.pairs,
        jobs: opened.jobs,
        seed: args.series.conditions.seed,
    };
    let (known, mut file) = known_games(log)?;
    let mut failures = Failures::after(args.log.as_deref())?;
    let stop = stop_flag()?;
    let bar = progress_bar(args.series.quiet);
    let file = file.as_mut().map(|file| file as &mut dyn Write);
    let report = planned.run(known, &stop, file, &mut |event, [a, b], progress| {
        let names = || format!("{} - {}", bots[a].name, bots[b].name);
        match event {
            Event::Error { pair, error, .. } => {
                let pair = pair + 1;
                bar.suspend(|| say!("error: {}: a game of pair {pair} cannot be played: {error}", names()));
            }
            Event::Game { record, .. } => failures.add(record),
            Event::Pair { .. } => {}
        }
        bar.set_length(progress.games);
        bar.set_message(names());
        bar.set_position(progress.games_done);
    });
    bar.finish_and_clear();
    let text = if args.series.json { serde_json::to_string_pretty(&report)? + "\n" } else { report.text() };
    std::io::stdout().write_all(text.as_bytes())?;
    failures.say(args.log.as_deref());
    Ok(exit_code(&report.end))
}
