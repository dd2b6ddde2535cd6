//! Advice for reproducing failures in a series of games: a command that prints the failed bot's input.

use anyhow::Context;
use contender_input::this_program;
use contender_referee::Record;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The first failure of each bot, located by its line in the log.
pub struct Failures {
    /// Number of lines in the log.
    lines: u64,
    /// A map from a bot's name to the log line of its first failure and its seat in that game.
    first: BTreeMap<String, (u64, usize)>,
}

impl Failures {
    /// Creates a collector for the failures in games that are about to be appended to this log.
    pub fn after(log: Option<&Path>) -> anyhow::Result<Failures> {
        let mut lines = 0;
        // A pipe or a device contains no games and may never end.
        if let Some(path) = log.filter(|path| path.is_file()) {
            let file =
                std::fs::File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            for line in BufReader::new(file).split(b'\n') {
                line?;
                lines += 1;
            }
        }
        Ok(Failures { lines, first: BTreeMap::new() })
    }

    pub fn add(&mut self, record: &Record) {
        self.lines += 1;
        // The log of an external referee's game does not record the bots' input.
        if record.repeat.is_some() {
            return;
        }
        for (at, seat) in record.seats.iter().enumerate() {
            if seat.ending.is_failure() {
                self.first.entry(seat.bot.clone()).or_insert((self.lines, at));
            }
        }
    }

    /// Prints a command for each bot that failed. The command shows the bot's input up to its failure.
    pub fn say(&self, log: Option<&Path>) {
        for (name, (line, seat)) in &self.first {
            match log {
                Some(log) => say!(
                    "to print the input of {name} up to its failure: {} replay {} --number {line} --input {seat}",
                    this_program(),
                    shell_words::quote(&log.to_string_lossy())
                ),
                None => say!(
                    "with --log FILE, `{} replay FILE --number N --input SEAT` prints the input of \
                     {name} up to its failure",
                    this_program()
                ),
            }
        }
    }
}
