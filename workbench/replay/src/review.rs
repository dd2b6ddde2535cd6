//! A player's most costly moves: positions from recorded games, judged by a bundled bot.

use crate::ReplayError;
use contender_game::{
    contest::{Analyst, BotSetup, Contest, PositionAnalysis},
    rules::{Player, Rng},
    settings::Options,
};
use contender_play::log::rules_of;
use contender_play::{Record, share_out};
use serde::Serialize;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// The settings of a review.
#[derive(Clone, Copy)]
pub struct Review<'a> {
    /// The contest of the games.
    pub contest: &'a dyn Contest,
    /// The player's name.
    pub player: &'a str,
    /// The bundled bot that judges the moves, and its options.
    pub bot: (&'a str, &'a Options),
    /// The bot's limits for each decision, and its seed, which also selects the decisions.
    pub setup: BotSetup,
    /// Maximum number of decisions to judge, selected at random.
    pub decisions: usize,
    /// Number of games to judge at a time.
    pub jobs: usize,
}

/// A decision in a recorded game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Decision {
    game: usize,
    /// Number of moves before the decision.
    before: usize,
    player: Player,
}

/// A decision with up to two analyses by the bot: one of the decision and, if necessary, one of the same player's next
/// position.
type Found = (Decision, [Option<Valued>; 2]);

/// A decision and the loss that it caused.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Judged {
    /// The number of the game in the input, counted from 1.
    pub game: usize,
    /// The number of the move in the game, counted from 1.
    pub turn: usize,
    /// The name of the seat.
    pub seat: &'static str,
    /// The move that was played.
    pub played: String,
    /// The move that the judging bot would have played.
    pub best: String,
    /// The principal variation that follows `best`.
    pub line: Vec<String>,
    /// The loss that the played move caused, in the bot's unit; 0 if the move is the best one.
    pub cost: f64,
    /// Whether `cost` is only a lower bound, because only a bound on the move's value is known.
    pub is_bound: bool,
}

/// The results of a review.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Findings {
    /// The judged decisions, the most costly first.
    pub decisions: Vec<Judged>,
    /// The unit of the losses.
    pub unit: &'static str,
    /// Number of decisions for which the judging bot did not search the played move.
    pub unknown: usize,
    /// Number of games from which decisions were selected.
    pub games: usize,
    /// Number of games that were skipped because the player failed in them. In such games the judge may have moved for
    /// the player.
    pub failed_games: usize,
}

impl Review<'_> {
    /// Judges the player's moves in these games until `stop` is set. Calls `tick` once for each judged decision.
    ///
    /// # Errors
    /// Returns an error if a game belongs to another contest or does not start as recorded, if a move is illegal, or if
    /// an option of the bot is invalid.
    pub fn run(&self, games: &[Record], stop: &AtomicBool, tick: &dyn Fn()) -> Result<Findings, ReplayError> {
        let of_player =
            |game: &Record| game.seats.iter().any(|seat| seat.bot == self.player) && !game.interrupted;
        let is_failed = |game: &Record| {
            Player::BOTH.iter().any(|&seat| {
                game.seats[seat.index()].bot == self.player && game.seats[seat.index()].ending.is_failure()
            })
        };
        let (failed, played): (Vec<usize>, Vec<usize>) =
            (0..games.len()).filter(|&at| of_player(&games[at])).partition(|&at| is_failed(&games[at]));
        for &at in &played {
            self.check_start(&games[at]).map_err(|error| error.in_game(at))?;
        }
        let mut drawn = self.draw(games, &played)?;
        drawn.sort_by_key(|of| (of.game, of.before));
        // One bot judges all decisions in a game.
        let by_game: Vec<&[Decision]> = drawn.chunk_by(|a, b| a.game == b.game).collect();
        let mut results = Vec::new();
        let analyse = |at: u64| Some(self.analyse(games, by_game[at as usize], stop));
        share_out(self.jobs, by_game.len() as u64, stop, analyse, |at, result| {
            by_game[at as usize].iter().for_each(|_| tick());
            results.push((at, result));
            ControlFlow::Continue(())
        });
        results.sort_by_key(|(at, _)| *at);
        let mut findings = Findings {
            decisions: Vec::new(),
            unit: "",
            unknown: 0,
            games: played.len(),
            failed_games: failed.len(),
        };
        for (_, of_game) in results {
            for (decision, [found, next]) in of_game? {
                findings.unit = found.as_ref().map_or(findings.unit, |found| found.unit);
                match found.and_then(|found| self.judge(decision, found, next)) {
                    Some(judged) => findings.decisions.push(judged),
                    None => findings.unknown += 1,
                }
            }
        }
        findings.decisions.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        Ok(findings)
    }

    /// Checks that the seed leads to the recorded start position. Otherwise the replayed positions would be wrong.
    fn check_start(&self, game: &Record) -> Result<(), ReplayError> {
        if game.game != self.contest.name() {
            return Err(ReplayError::OtherGame { found: game.game.clone(), wanted: self.contest.name() });
        }
        let mut rules = rules_of(&game.rules)?;
        let start = self.contest.judge(game.seed, &mut rules).map_err(ReplayError::Unknown)?;
        rules.finish().map_err(ReplayError::Unknown)?;
        if start.setup() == game.setup { Ok(()) } else { Err(ReplayError::OtherSetup) }
    }

    /// Selects random decisions of the player from all games that are not skipped.
    fn draw(&self, games: &[Record], played: &[usize]) -> Result<Vec<Decision>, ReplayError> {
        let mut places: Vec<(usize, usize)> = played
            .iter()
            .flat_map(|&game| (0..games[game].moves.len()).map(move |before| (game, before)))
            .collect();
        Rng::new(self.setup.seed).shuffle(&mut places);
        let mut known: HashMap<usize, Vec<Vec<Player>>> = HashMap::new();
        let mut drawn = Vec::new();
        for (game, before) in places {
            if drawn.len() >= self.decisions {
                break;
            }
            let known = match known.entry(game) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let found = deciders(self.contest, &games[game]);
                    place.insert(found.map_err(|error| error.in_game(game))?)
                }
            };
            let is_reviewed = |player: &&Player| games[game].seats[player.index()].bot == self.player;
            let players = known[before].iter().filter(is_reviewed);
            drawn.extend(players.map(|&player| Decision { game, before, player }));
        }
        drawn.truncate(self.decisions);
        Ok(drawn)
    }

    /// Lets one bot judge the decisions of one game in order, until `stop` is set. Returns the bot's analysis of each
    /// decision. For a decision whose played move the bot did not search, also returns an analysis of the same player's
    /// next position.
    fn analyse(
        &self,
        games: &[Record],
        decisions: &[Decision],
        stop: &AtomicBool,
    ) -> Result<Vec<Found>, ReplayError> {
        let game = decisions[0].game;
        let record = &games[game];
        let (bot, options) = self.bot;
        let mut options = options.clone();
        let mut rules = rules_of(&record.rules)?;
        let analyst = self.contest.analyst(record.seed, &mut rules, bot, &mut options, &self.setup);
        let mut analyst = analyst.map_err(ReplayError::Unknown)?;
        options.finish().map_err(ReplayError::Unknown)?;
        let illegal = |turn: usize, reason| ReplayError::Turn { turn, text: None, reason }.in_game(game);
        let mut turn = 0;
        let mut go_to = |analyst: &mut dyn Analyst, to: usize| {
            while turn < to {
                let played = analyst.replay(&record.moves[turn]);
                turn += 1;
                played.map_err(|reason| illegal(turn, reason))?;
            }
            Ok::<_, ReplayError>(())
        };
        let mut results = Vec::new();
        for &decision in decisions {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let Decision { before, player, .. } = decision;
            let played = |at: usize| record.moves.get(at).map(String::as_str);
            go_to(&mut *analyst, before)?;
            let found = analyst.analyse(Some(player), played(before));
            let found = found.map_err(|reason| illegal(before + 1, reason))?;
            let found = Valued::of(found);
            let mut next = None;
            // If both players act at once, bots search only few of the possible moves.
            if found.as_ref().is_some_and(|found| found.cost.is_none()) && before + 1 < record.moves.len() {
                go_to(&mut *analyst, before + 1)?;
                let after = analyst.analyse(Some(player), played(before + 1)).ok();
                next = after.filter(|after| after.player == player).and_then(Valued::of);
            }
            results.push((decision, [found, next]));
        }
        Ok(results)
    }

    fn judge(&self, decision: Decision, found: Valued, next: Option<Valued>) -> Option<Judged> {
        let cost = cost_before(found.cost, found.value, next.map(|next| next.value))?;
        Some(Judged {
            game: decision.game + 1,
            turn: decision.before + 1,
            seat: self.contest.info().seats[decision.player],
            played: found.played?,
            best: found.best,
            line: found.line,
            cost,
            is_bound: found.is_bound,
        })
    }
}

/// A bot's analysis of a decision, and the loss of the move that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Valued {
    /// The player who made the decision.
    pub player: Player,
    /// The value of the position for this player, in `unit`.
    pub value: f64,
    /// The unit of values.
    pub unit: &'static str,
    /// The loss that the played move caused; `None` if the bot did not search this move.
    pub cost: Option<f64>,
    /// Whether `cost` is only a lower bound, because only a bound on the move's value is known.
    pub is_bound: bool,
    /// The move that was played, if known.
    pub played: Option<String>,
    /// The move that the bot would have played.
    pub best: String,
    /// The principal variation that follows `best`.
    pub line: Vec<String>,
}

impl Valued {
    /// Converts an analysis. Returns `None` if the analysis contains no value for the position.
    #[must_use]
    pub fn of(found: PositionAnalysis) -> Option<Valued> {
        let PositionAnalysis { player, played, analysis, .. } = found;
        let best = analysis.moves.first()?;
        let value = best.value.into_iter().find(|value| value.is_finite())?;
        let of_played = analysis.moves.iter().find(|of| played.as_ref() == Some(&of.mv));
        let is_best = played.as_ref() == Some(&best.mv);
        let cost = of_played.map(|of| if is_best { 0.0 } else { (value - of.value[1]).max(0.0) });
        Some(Valued {
            player,
            value,
            unit: analysis.unit,
            cost: cost.filter(|cost| cost.is_finite()),
            is_bound: !is_best && of_played.is_some_and(|of| of.value[0] < of.value[1]),
            best: best.mv.clone(),
            line: analysis.line.clone(),
            played,
        })
    }
}

/// Returns the loss of a move. `found` is the loss that the bot's search found, if the bot searched the move. Otherwise
/// the loss is `value` minus `next`, the value of the player's next position.
#[must_use]
pub fn cost_before(found: Option<f64>, value: f64, next: Option<f64>) -> Option<f64> {
    found.or_else(|| Some((value - next?).max(0.0)))
}

/// Returns for every move of a recorded game which players had to decide before it.
///
/// # Errors
/// Returns an error with the turn number if a move is illegal.
pub fn deciders(contest: &dyn Contest, game: &Record) -> Result<Vec<Vec<Player>>, ReplayError> {
    let mut judge = contest.judge(game.seed, &mut rules_of(&game.rules)?).map_err(ReplayError::Unknown)?;
    let mut found = Vec::new();
    for (before, text) in game.moves.iter().enumerate() {
        found.push(judge.ask().into_iter().map(|question| question.player).collect());
        judge.replay(text).map_err(|reason| ReplayError::Turn { turn: before + 1, text: None, reason })?;
    }
    Ok(found)
}

/// The losses in one part of the games: in one phase and in one seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LossGroup {
    /// The first and the last turn of the part.
    pub turns: [usize; 2],
    /// The name of the seat.
    pub seat: &'static str,
    /// Number of judged decisions.
    pub decisions: usize,
    /// Average loss per decision.
    pub mean: f64,
    /// The share of the total loss that occurred in this part, from 0 to 1.
    pub share: f64,
}

/// Returns the parts of the games, sorted by phase and then by seat. The games are divided into at most `phases` phases
/// of equal length.
#[must_use]
pub fn parts(decisions: &[Judged], seats: [&'static str; 2], phases: usize) -> Vec<LossGroup> {
    let longest = decisions.iter().map(|of| of.turn).max().unwrap_or(0);
    let length = longest.div_ceil(phases.max(1)).max(1);
    let all: f64 = decisions.iter().map(|of| of.cost).sum();
    let mut parts = Vec::new();
    for first in (1..=longest).step_by(length) {
        let turns = [first, (first + length - 1).min(longest)];
        for seat in seats {
            let of_part =
                decisions.iter().filter(|of| of.seat == seat && (turns[0]..=turns[1]).contains(&of.turn));
            let (count, sum) = of_part.fold((0, 0.0), |(count, sum), of| (count + 1, sum + of.cost));
            if count > 0 {
                let share = if all > 0.0 { sum / all } else { 0.0 };
                parts.push(LossGroup { turns, seat, decisions: count, mean: sum / count as f64, share });
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(turn: usize, seat: &'static str, cost: f64) -> Judged {
        let text = String::new;
        Judged { game: 1, turn, seat, played: text(), best: text(), line: Vec::new(), cost, is_bound: false }
    }

    #[test]
    fn parts_hold_all_that_was_given_away() {
        let decisions = [judged(1, "A", 1.0), judged(5, "A", 3.0), judged(6, "B", 4.0), judged(10, "B", 0.0)];
        let parts = parts(&decisions, ["A", "B"], 2);
        let short: Vec<_> =
            parts.iter().map(|part| (part.turns, part.seat, part.decisions, part.mean, part.share)).collect();
        assert_eq!(short, [([1, 5], "A", 2, 2.0, 0.5), ([6, 10], "B", 2, 2.0, 0.5)]);
        assert!(super::parts(&[], ["A", "B"], 6).is_empty());
    }
}
