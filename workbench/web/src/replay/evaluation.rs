//! A bundled bot's evaluation of every position in a game, and the loss of each move. While a user watches, the
//! positions are evaluated one after another. The result is stored in a file next to the log.

use super::{CHART, Params, seat};
use crate::App;
use crate::guard::Known;
use crate::live::{self, Update};
use crate::page::{Problem, blocking};
use axum::extract::{Query, State};
use axum::response::Response;
use contender_game::{
    contest::{BotSetup, Limits, PositionAnalysis},
    rules::Player,
    settings::Options,
};
use contender_referee::log::rules_of;
use contender_replay::{ReplayedGame, Valued, cost_before};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The bot's thinking time per position.
const TIME: Duration = Duration::from_millis(100);
/// The units that are probabilities of winning. One comes from searches that play games to their end, and one from
/// networks. With any other unit, the thresholds are relative to the range of the game's values.
const SHARES: [&str; 2] = ["share of a win", "wins"];
/// The unit of values from -1 (a lost game) to 1 (a won game), which are not probabilities.
const LEAD: &str = "lead from -1 to 1";
/// The classes of bad moves: the minimum loss as a share of the maximum possible loss, the class's name, and its sign.
const MARKS: [(f64, &str, &str); 3] =
    [(0.15, "blunder", "??"), (0.10, "mistake", "?"), (0.05, "inaccuracy", "?!")];
/// Maximum size in bytes of a file with evaluations.
const MAX_BYTES: u64 = 64 << 20;

/// A decision in the game.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Decision {
    /// The number of the move that was decided, counted from 1.
    turn: usize,
    /// The seat that decides.
    player: usize,
    /// The value of the position for this player.
    value: f64,
    /// The loss of the move that was played, if known.
    cost: Option<f64>,
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
    decisions: Vec<Decision>,
}

/// A move with a large loss.
#[derive(Serialize)]
struct Mark {
    turn: usize,
    player: usize,
    kind: &'static str,
    sign: &'static str,
    /// A description of the loss, in the bot's unit, and of the better move.
    words: String,
}

impl Evaluation {
    fn of(game: &ReplayedGame, number: usize) -> Evaluation {
        let bot = game.contest.info().bots.last().map_or("", |bot| bot.name).to_string();
        Evaluation { game: number, moves: fingerprint(game), bot, unit: String::new(), decisions: Vec::new() }
    }

    /// Returns the stored evaluation of the game, if any.
    pub fn kept(app: &App, which: &Params, game: &ReplayedGame) -> Option<Evaluation> {
        let path = file(app, which)?;
        if std::fs::metadata(&path).ok()?.len() > MAX_BYTES {
            return None;
        }
        let moves = fingerprint(game);
        let text = std::fs::read_to_string(path).ok()?;
        let mut kept = text.lines().filter_map(|line| serde_json::from_str::<Evaluation>(line).ok());
        kept.find(|kept| kept.game == which.game && kept.moves == moves)
    }

    fn keep(&self, app: &App, which: &Params) {
        let Some(path) = file(app, which) else { return };
        let file = std::fs::File::options().create(true).append(true).open(path);
        // If the evaluation cannot be kept, it is computed again later.
        if let (Ok(mut file), Ok(line)) = (file, serde_json::to_string(self)) {
            let _ = file.write_all((line + "\n").as_bytes());
        }
    }

    fn add(&mut self, turn: usize, found: PositionAnalysis) {
        self.unit = found.analysis.unit.to_string();
        let Some(Valued { player, value, cost, best, .. }) = Valued::of(found) else { return };
        self.decisions.push(Decision { turn, player: player.index(), value, cost, best });
    }

    /// Returns whether the values are probabilities of winning.
    fn is_share(&self) -> bool {
        SHARES.contains(&&self.unit[..])
    }

    /// Formats an amount with its unit.
    fn amount(&self, value: f64) -> String {
        match &self.unit[..] {
            _ if self.is_share() => format!("{:.0}% of a win", 100.0 * value),
            LEAD => format!("{value:.2} of the {LEAD}"),
            unit => format!("{value:.2} {unit}").trim_end().to_string(),
        }
    }

    /// Returns the value of a decision from the view of seat 0.
    fn for_zero(&self, decision: &Decision) -> f64 {
        match (decision.player, self.is_share()) {
            (0, _) => decision.value,
            (_, true) => 1.0 - decision.value,
            (_, false) => -decision.value,
        }
    }

    /// Returns the maximum possible loss.
    fn span(&self) -> f64 {
        match &self.unit[..] {
            _ if self.is_share() => return 1.0,
            LEAD => return 2.0,
            _ => {}
        }
        let values = || self.decisions.iter().map(|decision| self.for_zero(decision));
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    }

    /// Returns the loss of a move.
    fn cost(&self, at: usize) -> Option<f64> {
        let Decision { player, value, cost, .. } = self.decisions[at];
        let next = self.decisions[at + 1..].iter().find(|next| next.player == player);
        cost_before(cost, value, next.map(|next| next.value))
    }

    fn marks(&self) -> Vec<Mark> {
        let span = self.span();
        let mark = |at: usize| {
            let decision = &self.decisions[at];
            let cost = self.cost(at)?;
            let &(_, kind, sign) = MARKS.iter().find(|(least, ..)| cost / span >= *least)?;
            let words = format!("{kind}: loses {}; better {}", self.amount(cost), decision.best);
            Some(Mark { turn: decision.turn, player: decision.player, kind, sign, words })
        };
        (0..self.decisions.len()).filter_map(mark).collect()
    }

    /// Converts a value of seat 0 into the filled share of the bar next to the board, from 0 to 1.
    fn share(&self, value: f64, [low, high]: [f64; 2]) -> f64 {
        match &self.unit[..] {
            _ if self.is_share() => value,
            LEAD => (1.0 + value) / 2.0,
            _ => 0.5 + value / (2.0 * low.abs().max(high.abs()).max(1e-9)),
        }
    }

    /// Returns the chart, with the values and the marks for the page's script.
    pub fn parts(&self, turns: usize, is_over: bool) -> Markup {
        // As long as the range of values is unknown, every threshold is too low.
        let is_known = is_over || self.is_share() || self.unit == LEAD;
        let marks = if is_known { self.marks() } else { Vec::new() };
        let data = serde_json::to_string(&marks).unwrap_or_default();
        let [width, height] = CHART;
        let ends = if self.is_share() {
            [0.0, 1.0]
        } else {
            let values = || self.decisions.iter().map(|decision| self.for_zero(decision));
            [values().fold(0.0, f64::min), values().fold(0.0, f64::max)]
        };
        let [low, high] = ends;
        let x = |turn: usize| width * turn as f64 / turns.max(1) as f64;
        let y = |value: f64| 4.0 + (height - 8.0) * (high - value) / (high - low).max(1e-9);
        let even = if self.is_share() { 0.5 } else { 0.0 };
        let middle = y(even);
        // The area between the values and the middle, on the side of one player.
        let area = |player: usize| {
            let clipped = |value: f64| if player == 0 { value.max(even) } else { value.min(even) };
            let point = |decision: &Decision| {
                format!("{:.1},{:.1}", x(decision.turn - 1), y(clipped(self.for_zero(decision))))
            };
            let turn = |decision: Option<&Decision>| x(decision.map_or(0, |decision| decision.turn - 1));
            let line: Vec<String> = self.decisions.iter().map(point).collect();
            let (first, last) = (turn(self.decisions.first()), turn(self.decisions.last()));
            format!("{first:.1},{middle:.1} {} {last:.1},{middle:.1}", line.join(" "))
        };
        let values: Vec<(usize, f64, String)> = self
            .decisions
            .iter()
            .map(|decision| {
                let value = self.for_zero(decision);
                (decision.turn - 1, self.share(value, ends), self.amount(value))
            })
            .collect();
        let span = self.span();
        let counts = MARKS.map(|(least, kind, sign)| {
            let count = marks.iter().filter(|mark| mark.kind == kind).count();
            format!("{sign} {kind}, from {}: {count}", self.amount(least * span))
        });
        html! {
            div #evaluation data-marks=(data) data-values=(serde_json::to_string(&values).unwrap_or_default()) {
                svg.board viewBox=(format!("0 0 {width} {height}")) preserveAspectRatio="none" role="img"
                    aria-label=(format!("Evaluation of every position by {}", self.bot)) {
                    @for player in 0..2 { polygon class=(format!("area fill {}", seat(Some(player)))) points=(area(player)) {} }
                    line.dim.stroke x1="0" x2=(width) y1=(middle) y2=(middle) vector-effect="non-scaling-stroke" {}
                    @for mark in &marks {
                        @if let Some(decision) = self.decisions.iter().find(|of| of.turn == mark.turn && of.player == mark.player) {
                            line class=(format!("{} stroke {}", seat(Some(mark.player)), mark.kind)) x1=(format!("{:.1}", x(mark.turn - 1))) x2=(format!("{:.1}", x(mark.turn - 1)))
                                y1=(format!("{:.1}", y(self.for_zero(decision)) - 5.0)) y2=(format!("{:.1}", y(self.for_zero(decision)) + 5.0)) vector-effect="non-scaling-stroke" {}
                        }
                    }
                }
                p.legend role="status" {
                    @if self.decisions.is_empty() { (self.bot) " evaluates the game …" }
                    @else if !is_over { (self.bot) " has evaluated " (self.decisions.len()) " positions …" }
                    @if is_over { (self.bot) ": " (counts.join("; ")) }
                }
            }
        }
    }
}

fn fingerprint(game: &ReplayedGame) -> u64 {
    contender_input::fingerprint(
        [game.contest.name()].into_iter().chain(game.moves.iter().map(String::as_str)),
    )
}

/// Returns the file next to the log; `None` if the log is not a file in the project.
fn file(app: &App, which: &Params) -> Option<PathBuf> {
    let mut path = app.project.file(which.file.path()?).ok()?.into_os_string();
    path.push(".evaluation");
    let path = PathBuf::from(path);
    // A link may lead anywhere.
    path.symlink_metadata().map_or(true, |found| found.is_file()).then_some(path)
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
        let kept = Evaluation::kept(app, &which, &game);
        let evaluation = Evaluation::of(&game, which.game);
        let steps = steps(&mut game)?;
        let (seed, rules) =
            game.record.as_ref().map_or((1, ""), |record| (record.seed, record.rules.as_str()));
        let mut rules = rules_of(rules).map_err(Problem::bad)?;
        let setup = BotSetup { limits: Limits::per_turn(TIME, TIME), seed };
        let analyst =
            game.contest.analyst(seed, &mut rules, &evaluation.bot, &mut Options::default(), &setup);
        Ok((which, game.moves, evaluation, kept, steps, analyst.map_err(Problem::bad)?))
    });
    let (which, moves, mut evaluation, kept, steps, mut analyst) = opened.await?;
    let (mut steps, mut turn) = (steps.into_iter(), 0);
    Ok(live::think(app, move |app| {
        if let Some(kept) = &kept {
            return Update::Last(kept.parts(moves.len(), true));
        }
        let Some((before, player)) = steps.next() else {
            evaluation.keep(app, &which);
            return Update::Last(evaluation.parts(moves.len(), true));
        };
        let mut found = || {
            while turn < before {
                analyst.replay(&moves[turn])?;
                turn += 1;
            }
            analyst.analyse(player, moves.get(before).map(String::as_str))
        };
        match found() {
            Ok(found) => {
                evaluation.add(before + 1, found);
                Update::New(evaluation.parts(moves.len(), false))
            }
            Err(reason) => Update::Last(html! { div #evaluation { p.failure role="alert" { (reason) } } }),
        }
    }))
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
mod tests {
    use super::*;

    /// Computed by hand: a move that loses a share of 0.2 is a blunder. For a move that the bot did not search, the
    /// loss is the drop of the value until the player's next decision.
    #[test]
    fn moves_that_give_much_away_are_marked() {
        let decision =
            |turn, player, value, cost| Decision { turn, player, value, cost, best: "x".to_string() };
        let mut evaluation = Evaluation {
            game: 1,
            moves: 0,
            bot: "b".to_string(),
            unit: SHARES[0].to_string(),
            decisions: vec![
                decision(1, 0, 0.6, Some(0.2)),
                decision(2, 1, 0.6, Some(0.0)),
                decision(3, 0, 0.4, None),
                decision(4, 1, 0.7, Some(0.06)),
                decision(5, 0, 0.29, Some(0.01)),
            ],
        };
        let kinds = |evaluation: &Evaluation| -> Vec<(usize, &str)> {
            evaluation.marks().iter().map(|mark| (mark.turn, mark.kind)).collect()
        };
        assert_eq!(kinds(&evaluation), [(1, "blunder"), (3, "mistake"), (4, "inaccuracy")]);
        assert!((evaluation.for_zero(&evaluation.decisions[1]) - 0.4).abs() < 1e-9);
        // With points, the same shares refer to the range of values in the game.
        evaluation.unit = "points".to_string();
        evaluation.decisions = vec![decision(1, 0, 30.0, Some(2.0)), decision(2, 1, 10.0, Some(4.0))];
        assert_eq!(kinds(&evaluation), [(1, "inaccuracy"), (2, "mistake")]);
        let words = |evaluation: &Evaluation, at: usize| evaluation.marks()[at].words.clone();
        // Before the end, the range of values is too small, and every loss would look large.
        let marks_in = |is_over| evaluation.parts(9, is_over).into_string().contains("data-marks=\"[]\"");
        assert_eq!([marks_in(false), marks_in(true)], [true, false]);
        assert_eq!(words(&evaluation, 1), "mistake: loses 4.00 points; better x");
        // With a lead, a share of one half is 1, because values range from -1 to 1.
        evaluation.unit = LEAD.to_string();
        evaluation.decisions = vec![decision(1, 0, 0.3, Some(0.25)), decision(2, 1, 0.1, Some(0.05))];
        assert_eq!(kinds(&evaluation), [(1, "mistake")]);
        assert_eq!(words(&evaluation, 0), "mistake: loses 0.25 of the lead from -1 to 1; better x");
        // Networks use the unit `wins` for the same probability.
        evaluation.unit = "wins".to_string();
        evaluation.decisions = vec![decision(1, 1, 0.7, Some(0.12)), decision(2, 0, 0.3, Some(0.01))];
        assert_eq!(kinds(&evaluation), [(1, "mistake")]);
        assert_eq!(words(&evaluation, 0), "mistake: loses 12% of a win; better x");
        assert!((evaluation.for_zero(&evaluation.decisions[0]) - 0.3).abs() < 1e-9);
    }
}
