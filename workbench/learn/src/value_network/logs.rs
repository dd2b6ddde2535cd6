//! Games of logs, from which the first generation can learn: games of a league, of stronger bots, of a deeper search.

use anyhow::{Context, Result, ensure};
use contender_play::{Ending, Record, log::read_log};
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

/// Returns the games of logs that ended without a failure. Skips an incomplete last line of a log.
///
/// # Errors
/// Returns an error if a log cannot be read, contains an invalid line or a game with other rules, or if no game ended
/// without a failure.
pub fn read(logs: &[PathBuf], game: &str) -> Result<Vec<Record>> {
    let (mut games, mut all) = (Vec::new(), 0);
    for path in logs {
        let name = path.display();
        let place = || format!("`logs` in the recipe: {name}");
        let log = BufReader::new(File::open(path).with_context(place)?);
        for record in read_log(log) {
            let record = match record {
                Err(error) if error.is_torn => break,
                record => record.with_context(place)?,
            };
            all += 1;
            let other = &record.game;
            ensure!(
                other == game,
                "{name}: game {all} is a game of `{other}`, but the recipe trains `{game}`"
            );
            ensure!(record.rules.is_empty(), "{name}: game {all} has other rules: {}", record.rules);
            let is_whole = |ending: &Ending| matches!(ending, Ending::Normal | Ending::Endless { .. });
            if record.seats.iter().all(|seat| is_whole(&seat.ending)) {
                games.push(record);
            }
        }
    }
    ensure!(!games.is_empty(), "no game in `logs` ended without a failure");
    Ok(games)
}
