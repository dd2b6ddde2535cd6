//! A bundled bot's evaluation of every position in a game, and the loss of each move. While a user watches, the
//! positions are evaluated one after another. The result is kept, so all pages show the same numbers: in memory, and in
//! a file next to the log.

mod blame;
mod curve;
mod loss;

use loss::Losses;

pub use blame::{Blame, Reason, Stretch, TurningPoint};
pub use curve::Sides;

use super::Params;
use crate::App;
use crate::guard::Known;
use crate::live::{self, Update};
use crate::log::File;
use crate::moves::differences;
use crate::page::{Problem, blocking};
use crate::shown::SHARES;
use crate::text::{estimate, percent};
use axum::extract::{Query, State};
use axum::response::Response;
use contender_game::{
    contest::{Analyst, BotSetup, Contest, Limits, PositionAnalysis},
    rules::Player,
};
use contender_referee::{judging_bot, log::rules_of};
use contender_replay::{ReplayedGame, Valued};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The bot's thinking time per position.
const TIME: Duration = Duration::from_millis(100);
/// The thinking time for a move whose loss the curve contradicts.
const LONG_TIME: Duration = Duration::from_millis(500);
/// The thinking time for a move before one whose value has changed or is proven, because a solver may need it.
const PROOF_TIME: Duration = Duration::from_secs(1);
/// Maximum number of times that the evaluation goes through the doubtful decisions.
const PASSES: usize = 8;
/// The version of the evaluation of games for points.
const VERSION: u32 = 1;
/// The unit of values from -1 (a lost game) to 1 (a won game), which are not probabilities.
const LEAD: &str = "lead from -1 to 1";
/// The classes of bad moves: the minimum loss as a share of the maximum possible loss, the class's name, and its sign.
/// If the unit is neither a probability of winning nor a lead, losses are relative to the range of the game's curve, or
/// to the largest loss.
const MARKS: [(f64, &str, &str); 3] =
    [(0.15, "blunder", "??"), (0.10, "mistake", "?"), (0.05, "inaccuracy", "?!")];
/// The kind of a mark on the costliest move of a stretch in which a player lost move by move.
const COSTLIEST: &str = "costliest";
/// The kind of a mark on a joint turn in which a player lost as much as with a mistake, although the bot would have
/// played the same.
const TOGETHER: &str = "together";
/// The sign of both kinds.
const FALL: &str = "↘";
/// Maximum size in bytes of a file with evaluations.
const MAX_BYTES: u64 = 64 << 20;

/// Maximum number of evaluations in memory.
const MAX_KEPT: usize = 500;

/// The evaluations in memory, by the game's address and the fingerprint of its moves.
#[derive(Default)]
pub struct Evaluations(Mutex<HashMap<(String, u64), Evaluation>>);

/// A decision in the game.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct GameDecision {
    /// The number of the move that was decided, counted from 1.
    turn: usize,
    /// The seat that decides.
    player: usize,
    /// The value of the position for this player.
    value: f64,
    /// The loss of the move that was played, as the search found it, if known.
    cost: Option<f64>,
    /// Whether chance has acted since the move before.
    #[serde(default)]
    is_drawn: bool,
    /// Whether the value is that of a proven position, so that it has no tempo.
    #[serde(default)]
    is_proven: bool,
    /// The move that was played; empty in files of earlier versions.
    #[serde(default)]
    played: String,
    /// The move that the bot would have played.
    best: String,
}

/// The evaluation of a game. The file next to the log contains one such evaluation per line.
#[derive(Serialize, Deserialize, Clone)]
pub struct Evaluation {
    /// The game's number in the log.
    game: usize,
    /// A fingerprint of the moves. It shows whether the log has changed.
    moves: u64,
    bot: String,
    unit: String,
    decisions: Vec<GameDecision>,
    /// The version of the search; evaluations of earlier versions are computed again.
    #[serde(default)]
    version: u32,
}

/// A move with a large loss.
#[derive(Serialize)]
struct Mark {
    turn: usize,
    player: usize,
    kind: &'static str,
    sign: &'static str,
    /// A description of the loss, in the bot's unit.
    words: String,
    played: String,
    /// The better move; empty if the bot would have played the same.
    better: String,
    /// The differences between both moves in words.
    names: [String; 2],
    /// The opponent's move in the same turn, in words; empty if the players take turns.
    against: String,
}

impl Evaluation {
    fn of(game: &ReplayedGame, number: usize) -> Evaluation {
        let bot = game.contest.info().bots.last().map_or("", |bot| bot.name).to_string();
        Evaluation {
            game: number,
            moves: fingerprint(game),
            bot,
            unit: String::new(),
            decisions: Vec::new(),
            version: VERSION,
        }
    }

    /// Returns the kept evaluation of the game with this number, if any.
    pub fn kept(app: &App, log: &File, number: usize, game: &ReplayedGame) -> Option<Evaluation> {
        let key = (log.address("", &[("game", &number.to_string())]), fingerprint(game));
        if let Some(found) = app.evaluations.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Some(found.clone());
        }
        let path = file(app, log)?;
        if std::fs::metadata(&path).ok()?.len() > MAX_BYTES {
            return None;
        }
        let moves = fingerprint(game);
        let text = std::fs::read_to_string(path).ok()?;
        let mut kept = text.lines().filter_map(|line| serde_json::from_str::<Evaluation>(line).ok());
        kept.find(|kept| {
            kept.game == number && kept.moves == moves && (kept.is_bounded() || kept.version == VERSION)
        })
    }

    pub fn keep(&self, app: &App, log: &File) {
        let key = (log.address("", &[("game", &self.game.to_string())]), self.moves);
        {
            let mut kept = app.evaluations.0.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() >= MAX_KEPT {
                kept.clear();
            }
            kept.insert(key, self.clone());
        }
        let Some(path) = file(app, log) else { return };
        let file = std::fs::File::options().create(true).append(true).open(path);
        // If the evaluation cannot be kept, it is computed again later.
        if let (Ok(mut file), Ok(line)) = (file, serde_json::to_string(self)) {
            let _ = file.write_all((line + "\n").as_bytes());
        }
    }

    fn add(&mut self, turn: usize, found: PositionAnalysis) {
        self.unit = found.analysis.unit.to_string();
        // A recorded move names the outcome of chance before it, and the bot's answer does not.
        let is_drawn = found.analysis.moves.first().is_some_and(|best| found.answer != [best.mv.as_str()]);
        let is_proven = found.analysis.is_proven();
        let Some(Valued { player, value, cost, played, best, .. }) = searched(found) else { return };
        let (player, played) = (player.index(), played.unwrap_or_default());
        self.decisions.push(GameDecision { turn, player, value, cost, is_drawn, is_proven, played, best });
    }

    /// Returns the number of evaluated decisions.
    pub fn decided(&self) -> usize {
        self.decisions.len()
    }

    /// Returns whether the values are probabilities of winning.
    fn is_share(&self) -> bool {
        SHARES.contains(&&self.unit[..])
    }

    /// Returns the bot's unit.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Formats an amount with its unit.
    fn amount(&self, value: f64) -> String {
        let number = self.number(value);
        match &self.unit[..] {
            _ if self.is_share() => format!("{number} win chance"),
            LEAD => format!("{number} of the {LEAD}"),
            unit => format!("{number} {unit}").trim_end().to_string(),
        }
    }

    /// Formats an amount without its unit.
    fn number(&self, value: f64) -> String {
        if self.is_share() { percent(value) } else { estimate(value) }
    }

    /// Returns the value of a decision from the view of seat 0.
    fn for_zero(&self, decision: &GameDecision) -> f64 {
        self.view(decision.player, decision.value)
    }

    /// Converts a value of seat 0 into the value of a player, and the other way round.
    fn view(&self, player: usize, value: f64) -> f64 {
        match (player, self.is_share()) {
            (0, _) => value,
            (_, true) => 1.0 - value,
            (_, false) => -value,
        }
    }

    /// Returns whether the values are between those of a lost and a won game.
    fn is_bounded(&self) -> bool {
        self.is_share() || self.unit == LEAD
    }

    fn marks(&self, losses: &Losses, contest: &dyn Contest) -> Vec<Mark> {
        let mark = |at: usize| {
            let decision = &self.decisions[at];
            let cost = losses.costs[at]?;
            let &(_, kind, sign) = MARKS.iter().find(|(least, ..)| cost / losses.span >= *least)?;
            let words = format!("{kind}: {}", self.loss(losses, at, cost));
            let GameDecision { turn, player, played, best, .. } = decision.clone();
            let names = differences(contest, [&played, &best]);
            let against = self.against(at, contest);
            Some(Mark { turn, player, kind, sign, words, played, better: best, names, against })
        };
        let together = |at: usize| {
            let [_, (least, ..), _] = MARKS;
            let lost = losses.together[at].filter(|lost| lost / losses.span >= least)?;
            let GameDecision { turn, player, played, .. } = self.decisions[at].clone();
            let loss = self.loss(losses, at, lost);
            let seconds = TIME.as_secs_f64();
            let words =
                format!("{loss}, but no mistake: in {seconds} s, the engine would have played the same");
            let names = [contest.move_words(&played), String::new()];
            Some(Mark {
                turn,
                player,
                kind: TOGETHER,
                sign: FALL,
                words,
                played,
                better: String::new(),
                names,
                against: self.against(at, contest),
            })
        };
        (0..self.decisions.len()).filter_map(|at| mark(at).or_else(|| together(at))).collect()
    }

    /// Returns the move in words that the other player made in the same turn as a decision; empty if there is none.
    fn against(&self, at: usize, contest: &dyn Contest) -> String {
        let GameDecision { turn, player, .. } = self.decisions[at];
        let mut others = self.decisions.iter().filter(|other| other.turn == turn && other.player != player);
        others.next().map_or_else(String::new, |other| contest.move_words(&other.played))
    }

    /// Adds the move to blame for a lost game, or the costliest move of the stretch, unless it has a mark.
    fn mark_costliest(&self, marks: &mut Vec<Mark>, blames: &[(Player, Blame)], contest: &dyn Contest) {
        for (player, blame) in blames {
            let (point, of) = match blame {
                Blame::Move(found) => (Some(found), "move".to_string()),
                Blame::Stretch(stretch) => (stretch.costliest.as_ref(), format!("of {}", stretch.moves())),
            };
            let Some(TurningPoint { turn, played, better, loss, .. }) = point else { continue };
            let player = player.index();
            if marks.iter().any(|mark| (mark.turn, mark.player) == (*turn, player)) {
                continue;
            }
            let names = differences(contest, [played, better]);
            let words = format!("{COSTLIEST} {of}: {loss}");
            let (turn, played, better) = (*turn, played.clone(), better.clone());
            let own = self.decisions.iter().position(|of| (of.turn, of.player) == (turn, player));
            let against = own.map_or_else(String::new, |at| self.against(at, contest));
            marks.push(Mark {
                turn,
                player,
                kind: COSTLIEST,
                sign: FALL,
                words,
                played,
                better,
                names,
                against,
            });
        }
        marks.sort_by_key(|mark| (mark.turn, mark.player));
    }
}

/// A bundled bot that evaluates the decisions of a game, one after another. It then searches the moves again whose loss
/// the curve contradicts, and each decision before one whose value has changed.
pub struct Evaluator {
    start: Start,
    analyst: Box<dyn Analyst>,
    moves: Vec<String>,
    /// The remaining decisions: the number of moves before each one, and the player.
    steps: std::vec::IntoIter<(usize, Option<Player>)>,
    /// The places of the decisions to search again in this pass and in the next one.
    doubts: std::vec::IntoIter<usize>,
    next: Vec<usize>,
    /// The places of the decisions that have been searched for [`PROOF_TIME`].
    searched: Vec<usize>,
    /// Number of passes through doubtful decisions.
    passes: usize,
    /// Number of moves that the analyst has replayed.
    turn: usize,
    pub evaluation: Evaluation,
}

/// The start of a game, and the bot that evaluates it.
struct Start {
    contest: &'static dyn Contest,
    seed: u64,
    rules: String,
    bot: String,
}

impl Start {
    /// Returns the bot at the start of the game, with this thinking time per position.
    fn analyst(&self, time: Duration) -> Result<Box<dyn Analyst>, String> {
        let setup = BotSetup { limits: Limits::per_turn(time, time), seed: self.seed };
        let mut rules = rules_of(&self.rules).map_err(|error| error.to_string())?;
        let (bot, mut options) =
            judging_bot(self.contest, Some(&self.bot)).map_err(|error| error.to_string())?;
        self.contest.analyst(self.seed, &mut rules, &bot, &mut options, &setup)
    }
}

impl Evaluator {
    /// Prepares the evaluation of a game.
    pub fn of(game: &mut ReplayedGame, number: usize) -> Result<Evaluator, Problem> {
        let evaluation = Evaluation::of(game, number);
        let steps = steps(game)?.into_iter();
        let (seed, rules) =
            game.record.as_ref().map_or((1, String::new()), |record| (record.seed, record.rules.clone()));
        let start = Start { contest: game.contest, seed, rules, bot: evaluation.bot.clone() };
        let (analyst, moves) = (start.analyst(TIME).map_err(Problem::bad)?, game.moves.clone());
        Ok(Evaluator {
            start,
            analyst,
            moves,
            steps,
            doubts: Vec::new().into_iter(),
            next: Vec::new(),
            searched: Vec::new(),
            passes: 0,
            turn: 0,
            evaluation,
        })
    }

    /// Evaluates the next decision, or searches a move again. Returns `false` if there is nothing left to do.
    pub fn step(&mut self) -> Result<bool, String> {
        if let Some((before, player)) = self.steps.next() {
            let found = self.analyse(before, player)?;
            self.evaluation.add(before + 1, found);
            return Ok(true);
        }
        while self.doubts.len() == 0 && self.passes < PASSES {
            let mut found =
                if self.passes == 0 { self.evaluation.doubts() } else { self.evaluation.before_proven() };
            found.append(&mut self.next);
            found.retain(|at| !self.searched.contains(at));
            found.sort_unstable();
            found.dedup();
            let time = if self.passes == 0 { LONG_TIME } else { PROOF_TIME };
            self.passes = if found.is_empty() && self.passes > 0 { PASSES } else { self.passes + 1 };
            if !found.is_empty() {
                (self.analyst, self.turn) = (self.start.analyst(time)?, 0);
            }
            self.doubts = found.into_iter();
        }
        let Some(at) = self.doubts.next() else {
            self.evaluation.back_up();
            return Ok(false);
        };
        if self.passes > 1 {
            self.searched.push(at);
        }
        let GameDecision { turn, player, .. } = self.evaluation.decisions[at];
        let found = self.analyse(turn - 1, Some(Player::BOTH[player]))?;
        let is_proven = found.analysis.is_proven();
        if let Some(Valued { cost: cost @ Some(_), value, best, .. }) = searched(found) {
            // The value of a search without the played move is as bad as the search.
            let is_better =
                is_proven || self.evaluation.decisions[at].cost.is_none() || !self.evaluation.has_draw(at);
            let notable = self.evaluation.weigh().notable();
            let decision = &mut self.evaluation.decisions[at];
            let change = if is_better { value - decision.value } else { 0.0 };
            (decision.cost, decision.best) = (cost, best);
            (decision.value, decision.is_proven) = (decision.value + change, is_proven);
            if change.abs() >= notable
                && let Some(before) = at.checked_sub(1)
                && !self.evaluation.has_draw(before)
            {
                self.next.push(before);
            }
        }
        Ok(true)
    }

    /// Analyses the position after some moves.
    fn analyse(&mut self, before: usize, player: Option<Player>) -> Result<PositionAnalysis, String> {
        while self.turn < before {
            self.analyst.replay(&self.moves[self.turn])?;
            self.turn += 1;
        }
        self.analyst.analyse(player, self.moves.get(before).map(String::as_str))
    }
}

/// Returns the values of an analysis. If the search did not try the move that was played, its value is a guess, and
/// the loss is unknown.
fn searched(found: PositionAnalysis) -> Option<Valued> {
    let moves = &found.analysis.moves;
    let has_efforts = moves.iter().any(|of| of.effort > 0);
    let is_tried =
        moves.iter().any(|of| found.played.as_ref() == Some(&of.mv) && (of.effort > 0 || of.is_proven));
    let valued = Valued::of(found)?;
    let cost = valued.cost.filter(|cost| is_tried || !has_efforts || *cost == 0.0);
    Some(Valued { cost, ..valued })
}

fn fingerprint(game: &ReplayedGame) -> u64 {
    contender_input::fingerprint(
        [game.contest.name()].into_iter().chain(game.moves.iter().map(String::as_str)),
    )
}

/// Returns the file next to the log; `None` if the log is not a file in the project.
fn file(app: &App, log: &File) -> Option<PathBuf> {
    let mut path = app.project.file(log.path()?).ok()?.into_os_string();
    path.push(".evaluation");
    let path = PathBuf::from(path);
    // A link may lead anywhere.
    path.symlink_metadata().map_or(true, |found| found.is_file()).then_some(path)
}

fn both([chart, summary]: [Markup; 2]) -> Markup {
    html! { (chart) (summary) }
}

/// Streams the evaluation, one position per step.
pub async fn live(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
    known: Known,
) -> Result<Response, Problem> {
    known.require()?;
    let opened = blocking(Arc::clone(&app), move |app| {
        let mut game = which.open(app)?;
        let kept = Evaluation::kept(app, &which.file, which.game, &game);
        let evaluator = Evaluator::of(&mut game, which.game)?;
        let sides = Sides::of(&mut which.open(app)?);
        Ok((which, sides, kept, evaluator))
    });
    let (which, sides, kept, mut evaluator) = opened.await?;
    Ok(live::think(app, move |app| {
        if let Some(kept) = &kept {
            return Update::Last(both(kept.parts(&sides, true)));
        }
        match evaluator.step() {
            Ok(true) => Update::New(both(evaluator.evaluation.parts(&sides, false))),
            Ok(false) => {
                evaluator.evaluation.keep(app, &which.file);
                Update::Last(both(evaluator.evaluation.parts(&sides, true)))
            }
            Err(reason) => Update::Last(html! { div.failure #summary role="alert" { (reason) } }),
        }
    }))
}

/// Returns the number of decisions in a game, which must be at its start.
pub fn decisions(game: &mut ReplayedGame) -> Result<usize, Problem> {
    Ok(steps(game)?.len())
}

/// Returns every decision: the number of moves before it, and the player.
fn steps(game: &mut ReplayedGame) -> Result<Vec<(usize, Option<Player>)>, Problem> {
    let mut steps = Vec::new();
    while let Some(played) = game.step() {
        played.map_err(Problem::bad)?;
        let before = game.turn() - 1;
        match game.judge().mover() {
            Some(mover) => steps.push((before, Some(mover))),
            None => steps.extend(Player::BOTH.map(|player| (before, Some(player)))),
        }
    }
    Ok(steps)
}

#[cfg(test)]
mod tests;
