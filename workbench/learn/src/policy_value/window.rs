//! The latest decisions of a teacher, from which the network learns together. The decisions are stored in files between
//! runs.

use super::decision::Decision;
use super::games::Played;
use super::record;
use anyhow::{Context, Result, anyhow};
use contender_puct::LearnedGame;
use contender_table::write_whole;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A round's number, and how many decisions it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Round {
    pub(super) number: u64,
    pub(super) decisions: usize,
}

/// The decisions of the latest rounds, in the order in which the rounds were played.
pub(super) struct Window<S: LearnedGame> {
    rounds: VecDeque<(u64, Vec<Decision<S>>)>,
}

fn file(folder: &Path, round: u64) -> PathBuf {
    folder.join(format!("round-{round}.games"))
}

/// Returns the rounds to keep: the smallest number of latest rounds that have at least `size` decisions in total, and
/// at least one round.
pub(super) fn kept(rounds: &[Round], size: usize) -> Vec<Round> {
    let mut sum = 0;
    let mut first = rounds.len();
    while first > 0 && (first == rounds.len() || sum < size) {
        first -= 1;
        sum += rounds[first].decisions;
    }
    rounds[first..].to_vec()
}

/// Saves the games of a round.
pub(super) fn save<S: LearnedGame>(folder: &Path, round: u64, games: &[Played<S>]) -> Result<()> {
    write_whole(&file(folder, round), |out| Ok(out.write_all(record::write(games).as_bytes())?))
}

/// Deletes the files of earlier rounds.
pub(super) fn forget(folder: &Path, first: u64) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let number =
            name.and_then(|name| name.strip_prefix("round-")?.strip_suffix(".games")?.parse::<u64>().ok());
        if number.is_some_and(|number| number < first) {
            std::fs::remove_file(&path).with_context(|| format!("cannot delete {}", path.display()))?;
        }
    }
    Ok(())
}

fn load<S: LearnedGame>(folder: &Path, round: u64) -> Result<Vec<Decision<S>>> {
    let path = file(folder, round);
    let text =
        contender_input::read_text(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let games = record::read::<S>(&text).map_err(|error| anyhow!("{}, {error}", path.display()))?;
    Ok(games.into_iter().flat_map(|game| game.decisions).map(|(_, _, decision)| decision).collect())
}

impl<S: LearnedGame> Window<S> {
    pub(super) fn new() -> Window<S> {
        Window { rounds: VecDeque::new() }
    }

    /// Changes the window to these rounds. Reads missing rounds from the folder.
    pub(super) fn restrict(&mut self, rounds: &[Round], folder: &Path) -> Result<()> {
        self.rounds.retain(|(number, _)| rounds.iter().any(|round| round.number == *number));
        for (at, round) in rounds.iter().enumerate() {
            if self.rounds.get(at).is_none_or(|(number, _)| *number != round.number) {
                self.rounds.insert(at, (round.number, load(folder, round.number)?));
            }
        }
        Ok(())
    }

    /// Adds the decisions of another round.
    pub(super) fn push(&mut self, round: u64, decisions: Vec<Decision<S>>) {
        self.rounds.push_back((round, decisions));
    }

    /// Removes the latest round and returns its decisions.
    pub(super) fn pop(&mut self) -> Option<Vec<Decision<S>>> {
        self.rounds.pop_back().map(|(_, decisions)| decisions)
    }

    pub(super) fn decisions(&self) -> impl Iterator<Item = &Decision<S>> {
        self.rounds.iter().flat_map(|(_, decisions)| decisions)
    }
}
