//! `contender referee`: referees one game for another arena, in the arena's format, and manages external referees.

use crate::arguments::game_parser;
use crate::commands::referees::{self, RefereesCommand};
use crate::error::UsageError;
use crate::setup::{entrant, put_on, referee};
use crate::signals::stop_flag;
use anyhow::{Context, bail};
use clap::Args as ClapArgs;
use contender_game::{contest::Contest, rules::mix};
use contender_referee::relay::Relay;
use contender_referee::{ConditionArgs, Fixture, Processes, Record, Seat};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// `contender referee`
#[derive(ClapArgs)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Prints a JSON object with `ranks`, `errors`, `test_data`, `attributes` and `player_data`, \
        as psyleague and CG Arena expect. With `-p1 CMD -p2 CMD` it prints one score per line instead, as \
        cg-brutaltester expects. With `--relay`, the arena runs the bots, and the referee communicates with \
        the arena through standard input and output."
)]
pub struct RefereeArgs {
    /// The commands for external referees
    #[command(subcommand)]
    pub others: Option<RefereesCommand>,
    /// Game
    #[arg(value_parser = game_parser(), required = true)]
    pub game: Option<&'static dyn Contest>,
    /// Bots, in the order of their seats
    #[arg(value_name = "BOT", num_args = 0..=2)]
    pub bots: Vec<String>,
    /// Bot in the first seat (for cg-brutaltester)
    #[arg(long, value_name = "CMD", requires = "p2", conflicts_with = "bots")]
    pub p1: Option<String>,
    /// Bot in the second seat (for cg-brutaltester)
    #[arg(long, value_name = "CMD", requires = "p1")]
    pub p2: Option<String>,
    /// Protocol for arenas that run the bots themselves
    #[arg(long, value_enum, conflicts_with_all = ["bots", "p1"])]
    pub relay: Option<Relay>,
    /// Setting, as passed by cg-brutaltester: `seed=N`
    #[arg(short = 'd', value_name = "KEY=VALUE")]
    pub settings: Option<String>,
    /// File to which the record of the game is written
    #[arg(short = 'l', long = "log", value_name = "FILE")]
    pub log: Option<PathBuf>,
    #[command(flatten)]
    pub conditions: ConditionArgs,
    #[command(flatten)]
    pub processes: Processes,
}

pub fn run(args: &RefereeArgs) -> anyhow::Result<ExitCode> {
    let contest = match (&args.others, args.game) {
        (Some(command), _) => return referees::run(command),
        (None, Some(contest)) => contest,
        (None, None) => return Err(UsageError("no game given".to_string()).into()),
    };
    let mut conditions = args.conditions.clone();
    if let Some(setting) = &args.settings {
        conditions.seed = setting
            .strip_prefix("seed=")
            .and_then(contender_play::seed::parse)
            .ok_or_else(|| UsageError(format!("unknown setting `-d {setting}`; available: seed=N")))?;
    }
    if let Some(relay) = args.relay {
        let rules = referee(contest, &conditions)?.conditions.rules_of(conditions.seed).clone();
        let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
        relay.play(contest, &rules, conditions.seed, &mut input, &mut output)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (bots, wants_scores) = match (&args.p1, &args.p2, args.bots.as_slice()) {
        (Some(p1), Some(p2), []) => ([p1, p2], true),
        (None, None, [zero, one]) => ([zero, one], false),
        _ => {
            return Err(UsageError("expected two bots: `BOT BOT` or `-p1 CMD -p2 CMD`".to_string()).into());
        }
    };
    let [zero, one] = [entrant(contest, bots[0])?, entrant(contest, bots[1])?];
    let mut referee = referee(contest, &conditions)?;
    put_on(&mut referee, args.processes)?;
    let seed = conditions.seed;
    let fixture = Fixture::between([&zero, &one], seed, [mix(&[seed, 2]), mix(&[seed, 3])]);
    let stop = stop_flag()?;
    let record = referee.play(contest, &fixture, &stop)?;
    if record.interrupted {
        bail!("interrupted");
    }
    if let Some(path) = &args.log {
        std::fs::write(path, record.to_json() + "\n")
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    for seat in record.seats.iter().filter(|seat| seat.ending.is_failure()) {
        say!("{} {}", seat.bot, seat.ending);
    }
    if wants_scores {
        // cg-brutaltester treats a negative score as an error by that player.
        for seat in &record.seats {
            let score = if seat.ending.is_failure() { -1 } else { whole_points(seat) };
            writeln!(std::io::stdout(), "{score}")?;
        }
        writeln!(std::io::stdout(), "{}", record.to_json())?;
    } else {
        writeln!(std::io::stdout(), "{}", summary(&record))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns a player's points, which are integers in every contest.
fn whole_points(seat: &Seat) -> i64 {
    seat.points.unwrap_or_default() as i64
}

/// Returns the JSON object that psyleague and CG Arena expect.
fn summary(record: &Record) -> Value {
    let seed = contender_play::seed::serialize(&record.seed, serde_json::value::Serializer);
    let seed = seed.expect("a seed can be written as JSON");
    let ranks: Vec<u32> = record.seats.iter().map(|seat| seat.rank).collect();
    let errors: Vec<u8> = record.seats.iter().map(|seat| u8::from(seat.ending.is_failure())).collect();
    let player_data = (0..).zip(&record.seats).map(|(player, seat)| {
        let own = json!({
            "score": whole_points(seat),
            "time_ms": seat.wall.as_millis() as u64,
            "slowest_ms": seat.slowest.as_millis() as u64,
        });
        with_told(own, record, Some(player))
    });
    let player_data: Vec<Value> = player_data.collect();
    let score = |(player, seat): (usize, &Seat)| json!({ "name": "score", "player": player, "value": whole_points(seat).to_string() });
    let scores = record.seats.iter().enumerate().map(score);
    let attributes: Vec<_> = scores.chain(record.attributes.iter().map(|told| json!(told))).collect();
    json!({
        "ranks": ranks,
        "errors": errors,
        "test_data": with_told(json!({ "seed": seed, "moves": record.moves.len() }), record, None),
        "attributes": attributes,
        "player_data": player_data,
    })
}

/// Adds the values that bots reported about a player or about the whole game. Omits values for single turns. Numeric
/// values become JSON numbers. Existing keys keep their values.
fn with_told(data: Value, record: &Record, player: Option<u8>) -> Value {
    let told = record.attributes.iter().filter(|told| told.player == player && told.turn.is_none());
    let told = told.map(|told| {
        let number =
            told.value.parse::<f64>().ok().and_then(|_| serde_json::from_str::<Value>(&told.value).ok());
        (told.name.clone(), number.unwrap_or_else(|| json!(told.value)))
    });
    let mut all: Map<String, Value> = told.collect();
    if let Value::Object(data) = data {
        all.extend(data);
    }
    Value::Object(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_bots_tell_goes_where_the_arenas_look() {
        let line = r#"{"game":"box","seed":17,"players":["a","b"],"setup":[],"moves":[],"result":"1-0","scores":[200,0],"times_ms":[[],[]],"end":["normal","normal"],"attributes":[{"name":"map","value":"small"},{"name":"seed","value":"x"},{"name":"depth","player":1,"value":"4.5"},{"name":"odd","player":1,"value":"1e999"},{"name":"depth","player":1,"turn":7,"value":"4"}]}"#;
        let summary = summary(&Record::from_json(line).unwrap());
        assert_eq!(summary["test_data"], json!({ "map": "small", "seed": 17, "moves": 0 }));
        let data = &summary["player_data"];
        assert!(data[0].get("depth").is_none());
        assert_eq!(
            (&data[1]["depth"], &data[1]["odd"], &data[1]["score"]),
            (&json!(4.5), &json!("1e999"), &json!(0))
        );
        let told = json!({ "name": "depth", "player": 1, "turn": 7, "value": "4" });
        assert!(summary["attributes"].as_array().unwrap().contains(&told));
    }
}
