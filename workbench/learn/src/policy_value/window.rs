//! The latest decisions of a teacher, which are learned from together, kept in files from run to run.

use super::decision::{Decision, Goal};
use super::games::Played;
use super::subject::{Pick, Subject};
use anyhow::{Context, Result, anyhow};
use contender_game::{Player, Simultaneous};
use contender_table::write_whole;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A round of games: its number and how many decisions it gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Round {
    pub(super) number: u64,
    pub(super) decisions: usize,
}

/// The decisions of some rounds, the latest last.
pub(super) struct Window<S: Subject> {
    rounds: VecDeque<(u64, Vec<Decision<S>>)>,
}

/// A line of a round's file: a game by its moves, so that states need no text.
#[derive(Serialize, Deserialize)]
struct GameLine {
    luck: u64,
    turns: Vec<[Vec<u8>; 2]>,
    decisions: Vec<DecisionLine>,
}

#[derive(Serialize, Deserialize)]
struct DecisionLine {
    turn: u32,
    player: usize,
    lines: Vec<(Vec<Pick>, f32)>,
    target: f32,
}

fn file(folder: &Path, round: u64) -> PathBuf {
    folder.join(format!("round-{round}.games"))
}

/// The rounds that stay when the latest is there: as few as have so many decisions, and the latest one at least.
pub(super) fn kept(rounds: &[Round], size: usize) -> Vec<Round> {
    let mut sum = 0;
    let mut first = rounds.len();
    while first > 0 && (first == rounds.len() || sum < size) {
        first -= 1;
        sum += rounds[first].decisions;
    }
    rounds[first..].to_vec()
}

/// Writes the games of a round.
pub(super) fn save<S: Subject>(folder: &Path, round: u64, games: &[Played<S>]) -> Result<()> {
    write_whole(&file(folder, round), |mut out| {
        for game in games {
            let decision = |(turn, player, decision): &(u32, Player, Decision<S>)| DecisionLine {
                turn: *turn,
                player: player.index(),
                lines: decision.lines.clone(),
                target: decision.target,
            };
            let mut state = S::start(game.luck);
            let turns = game.turns.iter().map(|moves| {
                let packed = [S::pack(&state, &moves[0]), S::pack(&state, &moves[1])];
                state.play([&moves[0], &moves[1]]);
                packed
            });
            let line = GameLine {
                luck: game.luck,
                turns: turns.collect(),
                decisions: game.decisions.iter().map(decision).collect(),
            };
            serde_json::to_writer(&mut out, &line)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    })
}

/// Deletes the files of rounds before this one.
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

fn load<S: Subject>(folder: &Path, round: u64) -> Result<Vec<Decision<S>>> {
    let path = file(folder, round);
    let text =
        contender_input::read_text(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut decisions = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{}, line {}", path.display(), number + 1);
        let game: GameLine = serde_json::from_str(line).with_context(place)?;
        replay(game, &mut decisions).ok_or_else(|| anyhow!("no game of the rules")).with_context(place)?;
    }
    Ok(decisions)
}

fn replay<S: Subject>(game: GameLine, decisions: &mut Vec<Decision<S>>) -> Option<()> {
    let mut state = S::start(game.luck);
    let views = S::views(&state);
    let mut left = game.decisions.into_iter().peekable();
    for (turn, moves) in game.turns.iter().enumerate() {
        let shared = Arc::new(state.clone());
        while let Some(DecisionLine { player, lines, target, .. }) =
            left.next_if(|decision| decision.turn as usize == turn)
        {
            let (state, view) = (Arc::clone(&shared), *views.get(player)?);
            decisions.push(Decision { state, view, lines, goal: Goal::Imitate, target });
        }
        let moves = [S::unpack(&state, &moves[0])?, S::unpack(&state, &moves[1])?];
        state.play([&moves[0], &moves[1]]);
    }
    left.peek().is_none().then_some(())
}

impl<S: Subject> Window<S> {
    pub(super) fn new() -> Window<S> {
        Window { rounds: VecDeque::new() }
    }

    /// Has these rounds and no others; what it lacks is read from the folder.
    pub(super) fn restrict(&mut self, rounds: &[Round], folder: &Path) -> Result<()> {
        self.rounds.retain(|(number, _)| rounds.iter().any(|round| round.number == *number));
        for (at, round) in rounds.iter().enumerate() {
            if self.rounds.get(at).is_none_or(|(number, _)| *number != round.number) {
                self.rounds.insert(at, (round.number, load(folder, round.number)?));
            }
        }
        Ok(())
    }

    /// Takes the decisions of another round.
    pub(super) fn push(&mut self, round: u64, decisions: Vec<Decision<S>>) {
        self.rounds.push_back((round, decisions));
    }

    /// Takes the latest round out again.
    pub(super) fn pop(&mut self) -> Option<Vec<Decision<S>>> {
        self.rounds.pop_back().map(|(_, decisions)| decisions)
    }

    pub(super) fn decisions(&self) -> impl Iterator<Item = &Decision<S>> {
        self.rounds.iter().flat_map(|(_, decisions)| decisions)
    }
}
