//! The curve of an evaluation: one value for each turn, from the view of seat 0, next to the score of the game.

use super::super::graph::{TICK, limit};
use super::super::{CHART, seat};
use super::loss::{Draw, Losses};
use super::{Blame, Evaluation, GameDecision, LEAD, MARKS, Mark, PROOF_TIME, TIME, TOGETHER, TurningPoint};
use crate::text::{count, estimate, percent};
use contender_game::contest::{Contest, Judge};
use contender_game::rules::Player;
use contender_replay::ReplayedGame;
use maud::{Markup, html};
use serde::Serialize;

/// Minimum distance of a value from both neighbours, as a share of the maximum possible loss, to leave it out of the
/// curve of joint decisions.
const OUTLIER: f64 = 0.4;

/// Number of decisions before and after a decision from which its tempo is estimated.
const AROUND: usize = 4;

/// A lead below this number is shown as even.
const EVEN: f64 = 0.005;

/// Minimum range of the curve, as a share of the range of the score, to draw the score next to it.
const MIN_HEIGHT: f64 = 0.8;

/// The game that an evaluation belongs to, as the page shows it.
pub struct Sides {
    /// Number of moves.
    pub turns: usize,
    pub contest: &'static dyn Contest,
    /// The bots; the seats, if the bots have no names or the same name.
    pub names: [String; 2],
    /// The result of seat 0: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub result: Option<f64>,
    /// The lead of seat 0 on the board, at the start and after each move.
    pub leads: Vec<f64>,
    /// Number of decisions; a turn in which both players act at once has two.
    pub decisions: usize,
}

impl Sides {
    /// Replays a game, which must be at its start.
    pub fn of(game: &mut ReplayedGame) -> Sides {
        let bots = game.record.as_ref().map(|record| [0, 1].map(|at| record.seats[at].bot.clone()));
        let names =
            bots.filter(|[one, other]| one != other).unwrap_or(game.contest.info().seats.map(str::to_string));
        let result = game.record.as_ref().map(|record| record.normalised_rank(&record.seats[0]));
        let mut leads = vec![lead(game.judge())];
        let mut decisions = 0;
        while let Some(Ok(())) = game.step() {
            leads.push(lead(game.judge()));
            decisions += if game.judge().mover().is_some() { 1 } else { 2 };
        }
        Sides { turns: game.moves.len(), contest: game.contest, names, result, leads, decisions }
    }
}

/// Returns the lead of seat 0 on the board.
fn lead(judge: &dyn Judge) -> f64 {
    let points = judge.points();
    let [zero, one] = judge.picture(None).standing.unwrap_or(points);
    f64::from(zero - one)
}

/// An evaluated decision, for the comparison with the engine.
#[derive(Serialize)]
struct Seen<'a> {
    turn: usize,
    player: usize,
    best: &'a str,
    /// The best move in words.
    words: String,
    /// The values of the best and of the played move.
    value: String,
    /// The value for the player as a number, and in words without its unit.
    amount: f64,
    /// The part of the curve's value that the bot's value does not have, and the bot's name.
    shift: f64,
    bot: &'a str,
    number: String,
    /// The least difference between two values that is worth a word: the loss of a mistake.
    notable: f64,
    /// The bot with its time.
    by: String,
}

/// A shape of the graph: its height by value.
struct Scale {
    low: f64,
    high: f64,
    /// The value of an even game.
    even: f64,
    turns: usize,
}

impl Scale {
    fn x(&self, turn: usize) -> f64 {
        CHART[0] * turn as f64 / self.turns.max(1) as f64
    }

    fn y(&self, value: f64) -> f64 {
        4.0 + (CHART[1] - 8.0) * (self.high - value) / (self.high - self.low).max(1e-9)
    }

    fn line(&self, points: impl Iterator<Item = (usize, f64)>) -> String {
        let points = points.map(|(turn, value)| format!("{:.1},{:.1}", self.x(turn), self.y(value)));
        points.collect::<Vec<_>>().join(" ")
    }

    /// Returns the area between the curve and the middle, on the side of one player.
    fn area(&self, course: &[(usize, f64)], player: usize) -> String {
        let clipped = |value: f64| if player == 0 { value.max(self.even) } else { value.min(self.even) };
        let end = |point: Option<&(usize, f64)>| self.x(point.map_or(0, |(turn, _)| *turn));
        let (first, last, middle) = (end(course.first()), end(course.last()), self.y(self.even));
        let line = self.line(course.iter().map(|&(turn, value)| (turn, clipped(value))));
        format!("{first:.1},{middle:.1} {line} {last:.1},{middle:.1}")
    }
}

/// Returns the ticks of a scale of leads, whose even value is 0. Both ends are positive: each is the lead of the player
/// on whose side it is.
fn ticks(scale: &Scale, seats: [&str; 2]) -> Markup {
    let height = CHART[1];
    let y = |value: f64| scale.y(value).clamp(TICK / 2.0, height - TICK / 2.0);
    let ends = [scale.high, scale.low].into_iter().filter(|end| *end != 0.0);
    let has_room = |value: f64| ends.clone().all(|end| (y(end) - y(value)).abs() >= TICK);
    let zero = Some(0.0).filter(|zero| has_room(*zero));
    let text = |value: f64| match estimate(value.abs()) {
        _ if value == 0.0 => "0".to_string(),
        number => {
            format!("{} +{}", seats[usize::from(value < 0.0)], number.strip_suffix(".0").unwrap_or(&number))
        }
    };
    let side = |value: f64| (value != 0.0).then(|| seat(Some(usize::from(value < 0.0))));
    html! {
        svg.ticks aria-hidden="true" {
            @for value in ends.clone().chain(zero) { text class=[side(value)] y=(format!("{:.0}%", 100.0 * y(value) / height)) { (text(value)) } }
        }
    }
}

impl Evaluation {
    /// Returns the value of every turn from the view of seat 0, as the chart draws it. Each value comes with the number
    /// of moves before it. If both players decide at once, the value is the mean of their decisions, and a value far
    /// above or below both neighbours is replaced by the nearer one. In games for points, a bot values the position
    /// higher for the player to move, so a curve of its values would swing: the tempo is subtracted.
    pub fn course(&self) -> Vec<(usize, f64)> {
        let mut course = self.by_turn(|at, decision| self.for_zero(decision) - self.tempo(at));
        if self.is_bounded() && (0..self.decisions.len()).any(|at| self.is_joint(at)) {
            for at in 1..course.len().saturating_sub(1) {
                let [before, value, after] = [at - 1, at, at + 1].map(|at| course[at].1);
                let least = OUTLIER * self.range(&[]);
                if (value - before.max(after)).max(before.min(after) - value) > least {
                    course[at].1 = if value > before { before.max(after) } else { before.min(after) };
                }
            }
        }
        course
    }

    /// Returns the part of a value that it only has because of the player to move, from the view of seat 0. It is the
    /// median of the decisions around.
    pub fn tempo(&self, at: usize) -> f64 {
        if self.is_bounded() || self.is_joint(at) || self.decisions[at].is_proven {
            return 0.0;
        }
        let around = at.saturating_sub(AROUND)..(at + AROUND + 1).min(self.decisions.len());
        let mut found: Vec<f64> = around.filter_map(|at| self.swing(at)).collect();
        found.sort_by(f64::total_cmp);
        let tempo = found.get(found.len() / 2).copied().unwrap_or(0.0);
        if self.decisions[at].player == 0 { tempo } else { -tempo }
    }

    /// Returns half of the difference between a value and the mean of its neighbours' values, for the player to move.
    fn swing(&self, at: usize) -> Option<f64> {
        // A proven value has no tempo.
        let found = |at: usize| self.decisions.get(at).filter(|of| !of.is_proven);
        let here = found(at)?;
        let around = [at.wrapping_sub(1), at + 1].into_iter().filter_map(found);
        let values: Vec<f64> =
            around.filter(|of| of.player != here.player).map(|of| self.for_zero(of)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let swing = self.view(here.player, (self.for_zero(here) - mean) / 2.0);
        (!values.is_empty()).then_some(swing)
    }

    /// Returns the mean value of every turn, with the number of moves before it.
    fn by_turn(&self, value: impl Fn(usize, &GameDecision) -> f64) -> Vec<(usize, f64)> {
        let values: Vec<(usize, f64)> = self
            .decisions
            .iter()
            .enumerate()
            .map(|(at, decision)| (decision.turn - 1, value(at, decision)))
            .collect();
        let turns = values.chunk_by(|(one, _), (other, _)| one == other);
        turns
            .map(|turn| (turn[0].0, turn.iter().map(|(_, value)| value).sum::<f64>() / turn.len() as f64))
            .collect()
    }

    /// Describes the values of the graph.
    fn meaning(&self) -> String {
        match &self.unit[..] {
            _ if self.is_share() => "Win chance".to_string(),
            LEAD => "Lead: 1 is a won game, -1 a lost one".to_string(),
            "" => "Expected lead at the end".to_string(),
            unit => format!("Expected lead at the end, in {unit}"),
        }
    }

    /// Describes how the curve differs from the bot's values.
    fn drawn(&self) -> Option<&'static str> {
        let is_joint = || (0..self.decisions.len()).any(|at| self.is_joint(at));
        match self.is_bounded() {
            true => is_joint().then_some("A value of one turn that the next turn takes back is left out"),
            false => Some(
                "The bot's values swing with the player to move. The curve, the notes and the engine leave this swing out",
            ),
        }
    }

    /// Describes a value from the view of seat 0.
    fn words(&self, value: f64, seats: [&str; 2]) -> String {
        match self.is_share() {
            true => format!("{} {}", seats[0], percent(value)),
            false if value.abs() < EVEN => "even".to_string(),
            false => format!("{} +{}", seats[usize::from(value < 0.0)], estimate(value.abs())),
        }
    }

    /// Converts a value of seat 0 into the filled share of the bar next to the board, from 0 to 1.
    fn share(&self, value: f64, scale: &Scale) -> f64 {
        match &self.unit[..] {
            _ if self.is_share() => value,
            LEAD => (1.0 + value) / 2.0,
            _ => 0.5 + value / (2.0 * scale.low.abs().max(scale.high.abs()).max(1e-9)),
        }
    }

    /// Returns a decision for the comparison with the engine. Its value is that of the curve, and the played move is
    /// worth less by the loss that the note names.
    fn seen(&self, at: usize, contest: &dyn Contest, losses: &Losses) -> Seen<'_> {
        let decision = &self.decisions[at];
        let value = losses.before(self, decision.turn, decision.player).unwrap_or(decision.value);
        let seat = contest.info().seats[decision.player];
        let [_, (mistake, ..), (least, ..)] = MARKS;
        let cost = losses.costs[at].filter(|cost| *cost > 0.0 && *cost >= least * losses.span);
        let played = cost.map_or(String::new(), |cost| format!(", played {}", self.number(value - cost)));
        Seen {
            turn: decision.turn,
            player: decision.player,
            best: &decision.best,
            words: contest.move_words(&decision.best),
            value: if self.is_bounded() {
                format!("{} for {seat}{played}", self.amount(value))
            } else {
                format!("lead {} for {seat}{played}", self.amount(value))
            },
            amount: value,
            shift: if self.is_bounded() { 0.0 } else { value - decision.value },
            bot: &self.bot,
            number: self.number(value),
            notable: mistake * losses.span,
            by: format!("{} with {} s a position", self.bot, TIME.as_secs_f64()),
        }
    }

    /// Returns the parts of the page: the chart, with the values and the marks for the page's script, and the summary.
    pub fn parts(&self, sides: &Sides, is_over: bool) -> [Markup; 2] {
        // As long as the range of values is unknown, every threshold is too low.
        let is_bounded = self.is_bounded();
        let losses = self.weigh();
        let blames = self.blames(sides, is_over);
        let (mut marks, draws) = match is_over || is_bounded {
            true => (self.marks(&losses, sides.contest), self.draws(&losses)),
            false => (Vec::new(), Vec::new()),
        };
        self.mark_costliest(&mut marks, &blames, sides.contest);
        let seats = sides.contest.info().seats;
        let mut course = losses.course.clone();
        let result = sides.result.filter(|_| is_over);
        // The score is in the same unit as an expected lead, so both are drawn, unless the score squeezes the curve.
        let leads = if is_bounded { &[][..] } else { &sides.leads[..] };
        let last = leads.last();
        let range = |values: &mut dyn Iterator<Item = f64>| {
            let [low, high] =
                values.fold([0.0_f64; 2], |[low, high], value| [low.min(value), high.max(value)]);
            high - low
        };
        let own = range(&mut course.iter().map(|(_, value)| *value).chain(last.copied()));
        let leads = if own < MIN_HEIGHT * range(&mut leads.iter().copied()) { &[][..] } else { leads };
        let ends = || course.iter().map(|(_, value)| *value).chain(leads.iter().chain(last).copied());
        let scale = Scale {
            low: if self.is_share() { 0.0 } else { ends().fold(0.0, f64::min) },
            high: if self.is_share() { 1.0 } else { ends().fold(0.0, f64::max) },
            even: if self.is_share() { 0.5 } else { 0.0 },
            turns: sides.turns,
        };
        let value =
            |&(turn, value): &(usize, f64)| (turn, self.share(value, &scale), self.words(value, seats));
        let mut values: Vec<(usize, f64, String)> = course.iter().map(value).collect();
        // No bot evaluates the final position: its bar shows the result.
        if let Some(result) = result {
            let words = match result {
                1.0 => format!("{} won", sides.names[0]),
                0.0 => format!("{} won", sides.names[1]),
                _ => "draw".to_string(),
            };
            values.push((sides.turns, result, words));
        }
        // The curve ends with the result, too.
        let last = match (result, last) {
            (Some(result), _) if self.is_share() => Some(result),
            (Some(result), _) if self.unit == LEAD => Some((2.0 * result - 1.0).clamp(scale.low, scale.high)),
            (Some(_), Some(lead)) => Some(*lead),
            _ => None,
        };
        course.extend(last.map(|last| (sides.turns, last)));
        let middle = scale.y(scale.even);
        let place = |mark: &Mark| {
            let value = course.iter().find(|(turn, _)| *turn == mark.turn - 1)?.1;
            Some([scale.x(mark.turn - 1), scale.y(value)])
        };
        let seen = (0..self.decisions.len()).filter(|_| is_over);
        let seen: Vec<Seen<'_>> = seen.map(|at| self.seen(at, sides.contest, &losses)).collect();
        let data = [
            serde_json::to_string(&marks),
            serde_json::to_string(&values),
            serde_json::to_string(&seen),
            serde_json::to_string(&draws),
        ]
        .map(Result::unwrap_or_default);
        let chart = html! {
            div #evaluation data-marks=(data[0]) data-values=(data[1]) data-seen=(data[2]) data-draws=(data[3]) {
                svg.board viewBox=(format!("0 0 {} {}", CHART[0], CHART[1])) preserveAspectRatio="none" role="img"
                    aria-label=(format!("Evaluation of every position by {}", self.bot)) {
                    @for player in 0..2 { polygon class=(format!("area fill {}", seat(Some(player)))) points=(scale.area(&course, player)) {} }
                    line.dim.stroke x1="0" x2=(CHART[0]) y1=(middle) y2=(middle) vector-effect="non-scaling-stroke" {}
                    @if !leads.is_empty() {
                        polyline.plain.stroke.so-far points=(scale.line(leads.iter().copied().enumerate())) vector-effect="non-scaling-stroke" {}
                    }
                    @for mark in &marks {
                        @if let Some([x, y]) = place(mark) {
                            line class=(format!("{} stroke {}", seat(Some(mark.player)), mark.kind)) x1=(format!("{x:.1}")) x2=(format!("{x:.1}"))
                                y1=(format!("{:.1}", y - 5.0)) y2=(format!("{:.1}", y + 5.0)) vector-effect="non-scaling-stroke" {}
                        }
                    }
                }
                p.scale {
                    span title=[self.drawn()] { (self.meaning()) @if !leads.is_empty() { "; dashed: the score so far" } }
                    strong #value title="Evaluation of the shown position" {}
                }
                p.limits {
                    @if self.is_share() { @for player in 0..2 { (limit(seats, player, "100%")) } }
                    @else { (ticks(&scale, seats)) }
                }
            }
        };
        let summary = match is_over && !self.decisions.is_empty() {
            true => self.summary(&losses, &marks, &draws, &blames, sides),
            false => self.progress(sides),
        };
        [chart, summary]
    }

    /// Returns the reasons why the players lost or drew the game.
    fn blames(&self, sides: &Sides, is_over: bool) -> Vec<(Player, Blame)> {
        let won = |player: Player| sides.result == Some([1.0, 0.0][player.index()]);
        let players =
            Player::BOTH.into_iter().filter(|player| is_over && sides.result.is_some() && !won(*player));
        players.filter_map(|player| Some((player, self.blame(player)?))).collect()
    }

    /// Returns the progress of the evaluation.
    fn progress(&self, sides: &Sides) -> Markup {
        html! {
            div.legend #summary role="status" {
                @if self.decisions.is_empty() { (self.bot) " evaluates the game …" }
                @else { (self.bot) " has evaluated " (self.decisions.len()) " of " (count(sides.decisions as u64, "position", "positions")) " …" }
            }
        }
    }

    /// Returns the number of each player's marks of each kind, and the reasons why they lost.
    fn summary(
        &self,
        losses: &Losses,
        marks: &[Mark],
        draws: &[Draw],
        blames: &[(Player, Blame)],
        sides: &Sides,
    ) -> Markup {
        let is_lucky = |draw: &&Draw, player: usize| draw.player == player && !draw.is_correction;
        let lucky = |player: usize| draws.iter().filter(|draw| is_lucky(draw, player)).count() as u64;
        let luck = losses.all_luck();
        let number = |player: usize, kind: &str| {
            marks.iter().filter(|mark| mark.player == player && mark.kind == kind).count() as u64
        };
        let show = |turn: usize| html! { button.small type="button" data-turn=(turn) { "Show" } };
        let marked = |player: usize| -> Markup {
            let kinds =
                MARKS.into_iter().map(|(least, kind, sign)| (least, kind, sign, number(player, kind)));
            let kinds: Vec<_> = kinds.filter(|(.., number)| *number > 0).collect();
            let together = number(player, TOGETHER);
            html! {
                @if kinds.is_empty() && together > 0 { "no mistakes" }
                @else if kinds.is_empty() && lucky(player) == 0 { "no marked moves" }
                @for (at, (least, kind, sign, number)) in kinds.iter().enumerate() {
                    @if at > 0 { ", " }
                    span title=(format!("{sign} loses at least {}", self.amount(least * losses.span))) {
                        (count(*number, kind, &plural(kind)))
                    }
                }
                @if together > 0 {
                    ", " span title="Both players move at once: the engine would have chosen the same move, but the opponent's move of the same turn met it" {
                        (count(together, "turn", "turns")) " went wrong all the same ↘"
                    }
                }
                @if lucky(player) > 0 {
                    @if !kinds.is_empty() { ", " }
                    span title="Draws that raised the player's lead more than a blunder lowers it" { (count(lucky(player), "lucky draw", "lucky draws")) }
                }
            }
        };
        html! {
            div.legend #summary role="status" {
                @for (player, blame) in blames {
                    @let name = &sides.names[player.index()];
                    @match blame {
                        Blame::Move(TurningPoint { turn, loss, .. }) => p.statement {
                            span { (name) "'s turning point: move " (turn) ", " (loss) "." } (show(turn - 1))
                        },
                        Blame::Stretch(of) => {
                            p.statement {
                                span { (name) " lost most in " (of.moves()) ": " (of.change) " (" (of.parts) ")." }
                                (show(of.first - 1))
                            }
                            @if let Some(TurningPoint { turn, loss, .. }) = &of.costliest {
                                p.statement { span { (of.costliest_of()) ": " (turn) ", " (loss) "." } (show(turn - 1)) }
                            }
                        },
                    }
                }
                @for player in 0..2 {
                    p { span class=(format!("dot {}", seat(Some(player)))) {} " " strong { (sides.names[player]) } " " (marked(player)) }
                }
                @if lucky(0) + lucky(1) > 1 {
                    p title="The sum of the draws that are named next to the moves, apart from the losses of moves" {
                        "All lucky draws together: +" (self.amount(luck.abs())) " for " (sides.names[usize::from(luck < 0.0)])
                    }
                }
                p title=[self.drawn()] {
                    "Evaluated by " (self.bot) ", " (TIME.as_secs_f64()) @if !self.is_bounded() { " to " (PROOF_TIME.as_secs_f64()) } " s a position"
                }
            }
        }
    }
}

fn plural(kind: &str) -> String {
    kind.strip_suffix('y').map_or_else(|| format!("{kind}s"), |stem| format!("{stem}ies"))
}

#[cfg(test)]
mod tests {
    use super::super::VERSION;
    use super::*;

    fn evaluation(unit: &str, decisions: &[(usize, usize, f64)]) -> Evaluation {
        let decision = |&(turn, player, value): &(usize, usize, f64)| GameDecision {
            turn,
            player,
            value,
            cost: None,
            is_drawn: false,
            is_proven: false,
            played: String::new(),
            best: String::new(),
        };
        let decisions = decisions.iter().map(decision).collect();
        let (bot, unit) = (String::new(), unit.to_string());
        Evaluation { game: 1, moves: 0, bot, unit, decisions, version: VERSION }
    }

    fn values(of: &Evaluation) -> Vec<f64> {
        of.course().into_iter().map(|(_, value)| value).collect()
    }

    /// A value for the player to move alternates from turn to turn, but the curve does not.
    #[test]
    fn a_curve_of_points_does_not_swing() {
        let decisions = [(1, 0, 50.0), (2, 1, 50.0), (3, 0, 50.0), (4, 1, 60.0), (5, 0, 50.0)];
        // The swings are 50, 50, 52.5, 55 and 55, so the tempo is 52.5.
        assert_eq!(values(&evaluation("points", &decisions)), [-2.5, 2.5, -2.5, -7.5, -2.5]);
        assert_eq!(values(&evaluation(LEAD, &decisions)), [50.0, -50.0, 50.0, -60.0, 50.0]);
        // A steady lead is not a tempo.
        let steady = [(1, 0, 8.0), (2, 1, -8.0), (3, 0, 4.0), (4, 1, -4.0), (5, 0, 4.0)];
        assert_eq!(values(&evaluation("points", &steady)), [8.0, 8.0, 4.0, 4.0, 4.0]);
    }

    /// The words next to the curve show its value, and the engine is compared with the same value.
    #[test]
    fn the_words_show_the_value_of_the_curve() {
        let of = evaluation("points", &[(1, 0, 19.8), (2, 1, -19.8), (3, 0, 19.8)]);
        assert_eq!(of.words(19.6, ["Order", "Chaos"]), "Order +20");
        // An estimate is neither certain nor impossible.
        let share = evaluation("wins", &[(1, 0, 0.5)]);
        assert_eq!(
            [0.001, 0.34, 0.999].map(|value| share.words(value, ["Order", "Chaos"])),
            ["Order <1%", "Order 34%", "Order >99%"]
        );
        let losses = of.weigh();
        let seen = of.seen(1, contender_catalogue::find("entropy").unwrap(), &losses);
        assert_eq!((&seen.value[..], &seen.number[..]), ("lead −20 points for Chaos", "−20"));
        // The swings are 28, 31 and 34, so the tempo is 31, and the curve is 39, 45 and 51.
        let mut of = evaluation("points", &[(1, 0, 70.0), (2, 1, -14.0), (3, 0, 82.0)]);
        of.decisions[1].cost = Some(20.0);
        let losses = of.weigh();
        let seen = of.seen(1, contender_catalogue::find("entropy").unwrap(), &losses);
        assert_eq!(
            (&seen.value[..], seen.amount, seen.shift),
            ("lead −45 points for Chaos, played −51", -45.0, -31.0)
        );
        assert_eq!(of.loss(&losses, 1, losses.costs[1].unwrap()), "loses 6.0 points");
    }

    /// If both players decide at once, a value that both neighbours contradict is not on the curve.
    #[test]
    fn an_outlier_of_one_joint_turn_is_left_out() {
        let chances = [0.67, 0.91, 0.0, 0.98, 0.2];
        let decisions: Vec<_> =
            (1..).zip(chances).flat_map(|(turn, one)| [(turn, 0, one), (turn, 1, 1.0 - one)]).collect();
        let rounded = |decisions: &[(usize, usize, f64)]| -> Vec<f64> {
            values(&evaluation("wins", decisions)).into_iter().map(|value| (100.0 * value).round()).collect()
        };
        assert_eq!(rounded(&decisions), [67.0, 91.0, 91.0, 98.0, 20.0]);
        // If the players take turns, each value is that of a position that a move has changed.
        let single: Vec<_> = decisions.into_iter().filter(|(_, player, _)| *player == 0).collect();
        assert_eq!(rounded(&single), [67.0, 91.0, 0.0, 98.0, 20.0]);
    }

    /// If both players decide at once, a turn has one value: the mean of both.
    #[test]
    fn a_turn_has_one_value() {
        let decisions = [(1, 0, 0.7), (1, 1, 0.5), (2, 0, 0.2), (2, 1, 0.8)];
        let course = evaluation("wins", &decisions).course();
        assert_eq!(course.iter().map(|(turn, _)| *turn).collect::<Vec<_>>(), [0, 1]);
        assert!((course[0].1 - 0.6).abs() < 1e-9 && (course[1].1 - 0.2).abs() < 1e-9, "{course:?}");
    }

    /// The curve of points ends with the score of the game, which is drawn next to it. A score with a much larger range
    /// would squeeze the curve.
    #[test]
    fn the_score_is_drawn_next_to_an_expected_lead() {
        let mut sides = Sides {
            turns: 2,
            contest: contender_catalogue::find("box").unwrap(),
            names: ["a".to_string(), "b".to_string()],
            result: Some(1.0),
            leads: vec![0.0, 0.0, 8.0],
            decisions: 2,
        };
        let shown = |unit: &str, sides: &Sides| {
            let [chart, _] = evaluation(unit, &[(1, 0, 4.0), (2, 1, 4.0)]).parts(sides, true);
            chart.0
        };
        let points = shown("points", &sides);
        assert!(points.contains("so-far") && points.contains(">Player 1 +8</text>"), "{points}");
        // The end of the scale is not the score of a player.
        assert!(points.contains(">0</text>") && !points.contains("Player 1 8"), "{points}");
        assert!(!shown("wins", &sides).contains("so-far"));
        sides.leads = vec![-60.0, 0.0, 8.0];
        let points = shown("points", &sides);
        assert!(!points.contains("so-far") && points.contains(">Player 1 +8</text>"), "{points}");
    }
}
