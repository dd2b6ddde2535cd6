//! `contender referee`: one game for another arena, in the form that arena expects.

use super::{entrant, referee};
use crate::UsageError;
use crate::args::RefereeArgs;
use crate::interrupt::stop_flag;
use anyhow::{Context, bail};
use contender_game::{Player, mix};
use contender_referee::{GamePlan, GameRecord};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;

pub fn run(args: &RefereeArgs) -> anyhow::Result<ExitCode> {
    let contest = args.game;
    let mut conditions = args.conditions.clone();
    if let Some(setting) = &args.settings {
        conditions.seed = setting
            .strip_prefix("seed=")
            .and_then(|seed| seed.parse().ok())
            .ok_or_else(|| UsageError(format!("`-d {setting}`: only seed=N is known")))?;
    }
    let (bots, wants_scores) = match (&args.p1, &args.p2, args.bots.as_slice()) {
        (Some(p1), Some(p2), []) => ([p1, p2], true),
        (None, None, [zero, one]) => ([zero, one], false),
        _ => {
            return Err(
                UsageError("two bots are needed, as `BOT BOT` or as `-p1 CMD -p2 CMD`".to_string()).into()
            );
        }
    };
    let [zero, one] = [entrant(contest, bots[0])?, entrant(contest, bots[1])?];
    let referee = referee(contest, &conditions)?;
    let seed = conditions.seed;
    let plan = GamePlan { players: [&zero, &one], luck: seed, bot_seeds: [mix(&[seed, 2]), mix(&[seed, 3])] };
    let stop = stop_flag()?;
    let record = referee.play(contest, plan, &stop)?;
    if record.interrupted {
        bail!("interrupted");
    }
    if let Some(path) = &args.log {
        std::fs::write(path, record.to_json() + "\n")
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    for player in Player::BOTH {
        if let Some(words) = failure(&record, player) {
            eprintln!("{} {words}", record.players[player]);
        }
    }
    if wants_scores {
        // cg-brutaltester takes a negative score as an error of that player.
        for player in Player::BOTH {
            writeln!(
                std::io::stdout(),
                "{}",
                if failure(&record, player).is_some() { -1 } else { record.points[player] }
            )?;
        }
        writeln!(std::io::stdout(), "{}", record.to_json())?;
    } else {
        writeln!(std::io::stdout(), "{}", summary(&record))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn failure(record: &GameRecord, player: Player) -> Option<String> {
    let ending = &record.seats[player].ending;
    ending.is_failure().then(|| ending.to_string())
}

/// The JSON object that psyleague and CG Arena read.
fn summary(record: &GameRecord) -> serde_json::Value {
    let points = record.points;
    let ranks = Player::BOTH.map(|player| u8::from(points[player] < points[player.other()]));
    let errors = Player::BOTH.map(|player| u8::from(failure(record, player).is_some()));
    let player_data = Player::BOTH.map(|player| {
        let seat = &record.seats[player];
        json!({
            "score": points[player],
            "time_ms": seat.wall.as_millis() as u64,
            "slowest_ms": seat.slowest.as_millis() as u64,
        })
    });
    let attributes: Vec<_> = Player::BOTH
        .into_iter()
        .map(|player| json!({ "name": "score", "player": player.index(), "value": points[player].to_string() }))
        .collect();
    json!({
        "ranks": ranks,
        "errors": errors,
        "test_data": { "seed": record.seed, "moves": record.moves.len() },
        "attributes": attributes,
        "player_data": player_data,
    })
}
