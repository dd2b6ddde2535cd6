//! `contender simulate cluster`: how many workers a server, a line and a coordinator carry.

use clap::Args;
use contender_game::{Rng, mix};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Duration;

/// `contender simulate cluster`
#[derive(Args)]
pub struct ClusterArgs {
    /// Workers, each number a row
    #[arg(long, value_delimiter = ',', default_value = "10,100,1000,10000",
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    workers: Vec<u32>,
    /// Games that a worker plays at once
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=256))]
    slots: u32,
    /// How long a game takes; each one between half and one and a half of it
    #[arg(long, default_value = "1s", value_name = "TIME", value_parser = humantime::parse_duration)]
    game: Duration,
    /// How long a worker waits for its next job where nobody else asks
    #[arg(long, default_value = "4ms", value_name = "TIME", value_parser = humantime::parse_duration)]
    ask: Duration,
    /// Messages that the server takes and sends for a game
    #[arg(long, default_value_t = 10.0, value_name = "N", value_parser = positive)]
    messages: f64,
    /// Messages a second that the server is good for
    #[arg(long, default_value_t = 15_000.0, value_name = "N", value_parser = positive)]
    server: f64,
    /// CPU time of the coordinator for a game
    #[arg(long, default_value = "550us", value_name = "TIME", value_parser = humantime::parse_duration)]
    coordinator: Duration,
    /// Games a second that the file of the coordinator takes: a league's, which is the slowest; a match's log takes
    /// forty times as many
    #[arg(long, default_value_t = 1_000.0, value_name = "N", value_parser = positive)]
    store: f64,
    /// Bytes on the server's line for a game
    #[arg(long, default_value_t = 5_000.0, value_name = "N", value_parser = positive)]
    bytes: f64,
    /// The server's line, in megabits a second
    #[arg(long, default_value_t = 1_000.0, value_name = "N", value_parser = positive)]
    line: f64,
    /// A network that every worker is sent, in megabytes; 0 for none
    #[arg(long, default_value_t = 0.0, value_name = "N")]
    network: f64,
    /// How often there is a new one
    #[arg(long, default_value = "1min", value_name = "TIME", value_parser = humantime::parse_duration)]
    network_every: Duration,
    /// The seed of the lengths of games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What all games pass one after the other, in the order in which they pass it, and what makes it faster.
const STATIONS: [(&str, &str); 4] = [
    ("line", "a faster line, or shorter logs of games: bots that write less on standard error"),
    (
        "server",
        "a server on a machine of its own, or several servers, each with its coordinators and workers",
    ),
    ("coordinator", "several coordinators, each with a part of the match"),
    ("store", "a file for each of several coordinators, or a faster disk"),
];

/// A row.
#[derive(Serialize, PartialEq, Debug)]
struct Row {
    workers: u32,
    /// Games a second.
    games: f64,
    /// The share of what the workers would play if nothing held them up.
    share: f64,
    /// Station by station, the share of the time in which it is busy.
    busy: [f64; 4],
    /// What holds the others up, if anything does.
    bottleneck: Option<&'static str>,
}

pub fn run(args: &ClusterArgs) -> anyhow::Result<String> {
    let rows: Vec<Row> = args.workers.iter().map(|&workers| row(args, workers)).collect();
    if args.json {
        return Ok(serde_json::to_string_pretty(&rows)? + "\n");
    }
    let mut text = format!(
        "games of {}, {} at once on each worker, seed {}; a game: {} messages of the server's {}/s, {} of the \
         coordinator, one of the store's {}/s, {} bytes of {} Mbit/s\n\n",
        humantime::format_duration(args.game),
        args.slots,
        args.seed,
        args.messages,
        args.server,
        humantime::format_duration(args.coordinator),
        args.store,
        args.bytes,
        args.line
    );
    text += "workers    games/s  of what they could      line    server  coordinator     store  bottleneck\n";
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    for row in &rows {
        let [line, server, coordinator, store] = row.busy.map(percent);
        text += &format!(
            "{:>7} {:>10.0} {:>19} {line:>9} {server:>9} {coordinator:>12} {store:>9}  {}\n",
            row.workers,
            row.games,
            percent(row.share),
            row.bottleneck.unwrap_or("none")
        );
    }
    let first = rows.iter().find_map(|row| Some((row.workers, row.bottleneck?)));
    if let Some((workers, name)) = first {
        let remedy = STATIONS.iter().find(|station| station.0 == name).map_or("", |station| station.1);
        text += &format!(
            "\nThe first bottleneck, with {workers} workers, is the {name}; what moves it: {remedy}.\n"
        );
    }
    Ok(text)
}

/// How long a game holds each station.
fn demands(args: &ClusterArgs, workers: u32) -> [f64; 4] {
    let line = args.line * 1e6 / 8.0;
    // What networks leave of the line.
    let networks = args.network * 1e6 * f64::from(workers) / args.network_every.as_secs_f64().max(1e-3);
    let left = (line - networks).max(line * 1e-6);
    [args.bytes / left, args.messages / args.server, args.coordinator.as_secs_f64(), 1.0 / args.store]
}

/// Two jobs for each place of a worker go round: a place, and then every station, each of which serves one after the
/// other. A place is taken from the question for a job to the end of its game.
fn row(args: &ClusterArgs, workers: u32) -> Row {
    let places = u64::from(workers) * u64::from(args.slots);
    let demands = demands(args, workers);
    let mut rng = Rng::new(mix(&[args.seed, places]));
    let game = args.game.as_secs_f64();
    let mut play = || args.ask.as_secs_f64() + game * (0.5 + rng.index(1 << 20) as f64 / f64::from(1 << 20));
    // Times in nanoseconds, so that they have an order.
    let nanos = |seconds: f64| (seconds * 1e9) as u64;
    let mut events = BinaryHeap::new();
    let mut free = places;
    let mut waiting: VecDeque<u64> = (0..2 * places).collect();
    let mut free_at = [0_u64; 4];
    let (mut stored, mut now) = (0_u64, 0);
    // The beginning, in which all games begin at once, does not count.
    let (warm, all) = (places * 10, places * 30);
    let mut begun = None;
    while stored < all {
        while free > 0
            && let Some(job) = waiting.pop_front()
        {
            free -= 1;
            events.push(Reverse((now + nanos(play()), job, 0)));
        }
        let Some(Reverse((time, job, station))) = events.pop() else { break };
        now = time;
        if station == 0 {
            free += 1;
        }
        if station == STATIONS.len() {
            stored += 1;
            waiting.push_back(job);
            if stored == warm {
                begun = Some(now);
            }
            continue;
        }
        free_at[station] = free_at[station].max(now) + nanos(demands[station]);
        events.push(Reverse((free_at[station], job, station + 1)));
    }
    let seconds = (now - begun.unwrap_or(0)) as f64 / 1e9;
    let games = (stored - warm) as f64 / seconds;
    let share = games * (game + args.ask.as_secs_f64()) / places as f64;
    let busy = demands.map(|demand| (demand * games).min(1.0));
    let most = (0..STATIONS.len()).max_by(|&a, &b| busy[a].total_cmp(&busy[b])).unwrap_or(0);
    Row { workers, games, share, busy, bottleneck: (busy[most] > 0.95).then_some(STATIONS[most].0) }
}

fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|number: &f64| number.is_finite() && *number > 0.0)
        .ok_or("a number above 0".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: ClusterArgs,
    }

    /// Few workers play as fast as they can, many as fast as the slowest station serves.
    #[test]
    fn throughput_keeps_its_bounds() {
        for (words, slowest) in
            [("", 1000.0), ("--server 1000", 100.0), ("--bytes 1250000", 100.0), ("--store 40000", 1500.0)]
        {
            let args = Line::parse_from(["x"].into_iter().chain(words.split_whitespace())).args;
            for workers in [1, 10, 2000] {
                let row = row(&args, workers);
                let bound = (f64::from(workers * args.slots) / 1.004).min(slowest);
                assert!((0.93..1.02).contains(&(row.games / bound)), "{words} {workers}: {row:?} {bound}");
                assert_eq!(row.bottleneck.is_some(), bound == slowest, "{words} {workers}: {row:?}");
            }
        }
    }

    #[test]
    fn networks_take_from_the_line() {
        let busy = |words: &str| {
            let args = Line::parse_from(["x"].into_iter().chain(words.split_whitespace())).args;
            row(&args, 100).busy[0]
        };
        assert!(busy("--network 70") > 2.0 * busy(""));
    }
}
