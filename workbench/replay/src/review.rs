//! Which moves of a player cost most: positions of recorded games, judged by a bundled bot.

use contender_game::{BotSetup, Contest, MoveAnalysis, Options, Player, Position, PositionAnalysis, Rng};
use contender_referee::log::rules_of;
use contender_referee::{Record, share_out};
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// How a player's moves are judged.
#[derive(Clone, Copy)]
pub struct Review<'a> {
    /// What is played.
    pub contest: &'a dyn Contest,
    /// Whose moves.
    pub player: &'a str,
    /// The bundled bot that judges, and its options.
    pub bot: (&'a str, &'a Options),
    /// What it may spend on each decision, and its seed, with which decisions are drawn too.
    pub setup: BotSetup,
    /// How many decisions are judged, drawn from all; fewer where there are fewer.
    pub decisions: usize,
    /// How many at once.
    pub jobs: usize,
}

/// A decision of a recorded game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Decision {
    game: usize,
    /// How many moves were made before it.
    before: usize,
    player: Player,
}

/// A decision and what it gave away.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Judged {
    /// The game's number among those read, from 1.
    pub game: usize,
    /// The move's number in the game, from 1.
    pub turn: usize,
    /// The seat.
    pub seat: &'static str,
    /// The move that was played.
    pub played: String,
    /// The move that the judging bot would have played.
    pub best: String,
    /// What it expects then.
    pub line: Vec<String>,
    /// By how much the move that was played is worth less to its player, in the bot's unit; 0 if it is the best.
    pub cost: f64,
    /// Whether that much is the least it cost, because only a bound of the move's value is known.
    pub is_bound: bool,
}

/// What is known of a player's moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Findings {
    /// The judged decisions, the most costly first.
    pub decisions: Vec<Judged>,
    /// What costs are measured in.
    pub unit: &'static str,
    /// Decisions whose move the judging bot did not look at.
    pub unknown: usize,
    /// Games that were drawn from.
    pub games: usize,
    /// Games of the player that were left out: it failed in them, and the judge may have moved in its place.
    pub failed_games: usize,
}

impl Review<'_> {
    /// Judges moves of these games, until `stop`. `tick` is called after each.
    ///
    /// # Errors
    /// A game that is not the contest's or does not start as it was recorded; a move that is not legal; a bad option of
    /// the bot.
    pub fn run(&self, games: &[Record], stop: &AtomicBool, tick: &dyn Fn()) -> Result<Findings, String> {
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
            self.check_start(&games[at]).map_err(|error| format!("game {}: {error}", at + 1))?;
        }
        let drawn = self.draw(games, &played)?;
        let mut results = Vec::new();
        let analyse = |at: u64| {
            let decision = drawn[at as usize];
            let found = self.analyse(games, decision, self.bot, self.setup);
            Some(found.map(|found| {
                let next = if is_looked_at(&found) { None } else { self.next(games, decision) };
                (found, next)
            }))
        };
        share_out(self.jobs, drawn.len() as u64, stop, analyse, |at, result| {
            results.push((at as usize, result));
            tick();
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
        for (at, result) in results {
            let (found, next) = result?;
            findings.unit = found.analysis.unit;
            match self.judge(drawn[at], found, next) {
                Some(judged) => findings.decisions.push(judged),
                None => findings.unknown += 1,
            }
        }
        findings.decisions.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        Ok(findings)
    }

    /// Whether the game begins as its luck says: only then are positions those that were played.
    fn check_start(&self, game: &Record) -> Result<(), String> {
        if game.game != self.contest.name() {
            return Err(format!("it is of {}, not of {}", game.game, self.contest.name()));
        }
        let mut rules = rules_of(&game.rules)?;
        let start = self.contest.judge(game.seed, &mut rules)?;
        rules.finish()?;
        if start.setup() == game.setup {
            Ok(())
        } else {
            Err("its luck gives another setup than the recorded one".to_string())
        }
    }

    /// Decisions of the player, drawn from all of these games.
    fn draw(&self, games: &[Record], played: &[usize]) -> Result<Vec<Decision>, String> {
        let mut places: Vec<(usize, usize)> = played
            .iter()
            .flat_map(|&game| (0..games[game].moves.len()).map(move |before| (game, before)))
            .collect();
        Rng::new(self.setup.seed).shuffle(&mut places);
        // Whose decision it is, a bot tells that does not think.
        let weakest = (self.contest.info().bots[0].name, &Options::default());
        let mut drawn = Vec::new();
        for (game, before) in places {
            if drawn.len() == self.decisions {
                break;
            }
            for player in Player::BOTH
                .into_iter()
                .filter(|&player| games[game].seats[player.index()].bot == self.player)
            {
                let decision = Decision { game, before, player };
                if self.analyse(games, decision, weakest, BotSetup::default())?.player == player {
                    drawn.push(decision);
                }
            }
        }
        drawn.truncate(self.decisions);
        Ok(drawn)
    }

    fn analyse(
        &self,
        games: &[Record],
        Decision { game, before, player }: Decision,
        (bot, options): (&str, &Options),
        setup: BotSetup,
    ) -> Result<PositionAnalysis, String> {
        let record = &games[game];
        let position = Position {
            luck: record.seed,
            rules: &mut rules_of(&record.rules)?,
            moves: &record.moves[..before],
            played: Some(&record.moves[before]),
            player: Some(player),
        };
        let mut options = options.clone();
        let found = self.contest.analyse(position, bot, &mut options, &setup);
        let found = found.map_err(|error| format!("game {}, turn {}: {error}", game + 1, before + 1))?;
        options.finish()?;
        Ok(found)
    }

    /// What the bot makes of the same player's position after the move that was played, where both act at once and the
    /// bot looks at few of the moves that there are.
    fn next(
        &self,
        games: &[Record],
        Decision { game, before, player }: Decision,
    ) -> Option<PositionAnalysis> {
        let decision = Decision { game, before: before + 1, player };
        let is_there = before + 1 < games[game].moves.len();
        let found = is_there.then(|| self.analyse(games, decision, self.bot, self.setup))?.ok()?;
        (found.player == player).then_some(found)
    }

    /// What the move gave away: by how much it is worth less, or, of one that the bot did not look at, by how much its
    /// player is worse off in the next position. `None` if nothing is known of its value.
    fn judge(
        &self,
        decision: Decision,
        found: PositionAnalysis,
        next: Option<PositionAnalysis>,
    ) -> Option<Judged> {
        let analysis = found.analysis;
        let played = found.played?;
        let best = analysis.moves.first()?;
        let value = |of: &MoveAnalysis<String>| of.value.into_iter().find(|value| value.is_finite());
        let worth = value(best)?;
        let [low, high] = match analysis.moves.iter().find(|of| of.mv == played) {
            Some(of) => of.value,
            None => [value(next?.analysis.moves.first()?)?; 2],
        };
        let cost = if played == best.mv { 0.0 } else { (worth - high).max(0.0) };
        cost.is_finite().then(|| Judged {
            game: decision.game + 1,
            turn: decision.before + 1,
            seat: self.contest.info().seats[decision.player],
            best: best.mv.clone(),
            line: analysis.line.clone(),
            cost,
            is_bound: played != best.mv && low < high,
            played,
        })
    }
}

/// Whether the bot looked at the move that was played.
fn is_looked_at(found: &PositionAnalysis) -> bool {
    found.analysis.moves.iter().any(|of| found.played.as_ref() == Some(&of.mv))
}

/// What was given away in a part of the games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Part {
    /// The first and the last turn.
    pub turns: [usize; 2],
    /// The seat.
    pub seat: &'static str,
    /// How many decisions were judged.
    pub decisions: usize,
    /// What they gave away each, on average.
    pub mean: f64,
    /// Their share, 0 to 1, of all that was given away.
    pub share: f64,
}

/// The parts of games by phase and seat, in this order; so many phases of equal length at most.
#[must_use]
pub fn parts(decisions: &[Judged], seats: [&'static str; 2], phases: usize) -> Vec<Part> {
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
                parts.push(Part { turns, seat, decisions: count, mean: sum / count as f64, share });
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
