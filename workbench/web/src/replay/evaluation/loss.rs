//! The loss of each move, and the effect of each draw.
//!
//! A move's loss is what it gives away in its own position: the value of the best move minus the value of the played
//! move. If chance acts after the move, the curve also changes by the outcome. This part is not a loss.

use super::{Evaluation, GameDecision, LEAD, MARKS};
use contender_game::rules::Player;
use contender_replay::cost_before;
use serde::Serialize;

/// Minimum number of moves whose median loss is an estimate of the bot's error.
const MANY: usize = 10;
/// The maximum possible loss is at least this many times the bot's error, so that marked moves lose at least twice this
/// error.
const ERROR_SPAN: f64 = 40.0;
/// Number of next evaluations that may take back the loss of a joint decision.
const LASTING: usize = 3;

/// The losses of a game's moves.
pub struct Losses {
    /// The value of every turn from the view of seat 0 (see [`Evaluation::course`]).
    pub course: Vec<(usize, f64)>,
    /// The maximum possible loss.
    pub span: f64,
    /// The loss of each decision, if known.
    pub costs: Vec<Option<f64>>,
    /// The loss of each joint decision in which the player plays the bot's own choice. It comes from both moves.
    pub together: Vec<Option<f64>>,
    /// The notable gains of seat 0 from draws, by decision: the change of the curve that the decision does not explain.
    pub luck: Vec<Option<f64>>,
    /// The notable changes of the curve in favour of seat 0 that neither the decision nor a draw explains, so that the
    /// bot has misjudged the position before.
    pub corrections: Vec<Option<f64>>,
}

/// A draw that changed the evaluation much, or a correction of the evaluation.
#[derive(Serialize)]
pub struct Draw {
    /// The number of the move before the change, counted from 1.
    pub turn: usize,
    /// The seat that the change helped.
    pub player: usize,
    /// The change, in the bot's unit.
    pub words: String,
    /// Whether the bot had misjudged the position before, so that nothing was drawn.
    pub is_correction: bool,
}

impl Losses {
    /// Returns the sum of the notable changes by draws from the view of seat 0, apart from the losses of moves.
    pub fn all_luck(&self) -> f64 {
        self.luck.iter().flatten().sum()
    }

    /// Returns the least change that needs an explanation.
    pub fn notable(&self) -> f64 {
        let [_, (mistake, ..), _] = MARKS;
        mistake * self.span
    }

    /// Returns the value of the position before a move for a player, on the curve.
    pub fn before(&self, of: &Evaluation, turn: usize, player: usize) -> Option<f64> {
        let (_, value) = self.course.iter().find(|(before, _)| before + 1 == turn)?;
        Some(of.view(player, *value))
    }

    /// Returns the value of the next position on the curve, for the player who decides.
    fn after(&self, of: &Evaluation, at: usize) -> Option<f64> {
        let GameDecision { turn, player, .. } = of.decisions[at];
        let (_, value) = self.course.iter().find(|(before, _)| *before >= turn)?;
        Some(of.view(player, *value))
    }

    /// Returns the fall of the curve from the position before a decision to the next one, for the player who decides.
    pub fn drop(&self, of: &Evaluation, at: usize) -> Option<f64> {
        let GameDecision { turn, player, .. } = of.decisions[at];
        Some(self.before(of, turn, player)? - self.after(of, at)?)
    }
}

impl Evaluation {
    /// Returns the losses of all moves.
    pub fn weigh(&self) -> Losses {
        let course = self.course();
        let mut losses = Losses {
            course,
            span: 0.0,
            costs: Vec::new(),
            together: Vec::new(),
            luck: Vec::new(),
            corrections: Vec::new(),
        };
        let all = 0..self.decisions.len();
        losses.costs = all.clone().map(|at| self.searched(&losses, at)).collect();
        losses.span = self.span(&losses);
        losses.together = all.clone().map(|at| self.lost_together(&losses, at)).collect();
        let [.., (least, ..)] = MARKS;
        let [(notable, ..), ..] = MARKS;
        let (least, notable) = (least * losses.span, notable * losses.span);
        for at in all.clone() {
            // The search has seen a loss, so the curve shows its size.
            if !(self.has_draw(at) || self.is_bounded() && self.is_joint(at))
                && losses.costs[at].is_some_and(|cost| cost >= least)
                && let Some(drop) = losses.drop(self, at)
            {
                losses.costs[at] = Some(drop);
            }
        }
        let luck = |at: usize| {
            let change = -losses.drop(self, at).filter(|_| self.has_draw(at))?;
            // Without the loss of the move, the effect of the draw is unknown, too.
            let luck = change + Some(losses.costs[at]?).filter(|cost| *cost >= least).unwrap_or(0.0);
            let sign = if self.decisions[at].player == 0 { 1.0 } else { -1.0 };
            (luck.abs() >= notable && luck != 0.0).then_some(sign * luck)
        };
        losses.luck = all.clone().map(luck).collect();
        let correction = |at: usize| {
            let drop = losses.drop(self, at).filter(|_| !self.has_draw(at) && !self.is_joint(at))?;
            let change = losses.costs[at].filter(|cost| *cost >= least).unwrap_or(0.0) - drop;
            let sign = if self.decisions[at].player == 0 { 1.0 } else { -1.0 };
            (change.abs() >= losses.notable() && change != 0.0).then_some(sign * change)
        };
        losses.corrections = all.map(correction).collect();
        losses
    }

    /// Returns what a player lost by marked moves, what the opponent lost by them, and what the player gained by named
    /// draws. Without draws in the game, returns `None`.
    pub fn balance(&self, player: Player) -> Option<[f64; 3]> {
        let all = 0..self.decisions.len();
        if !all.clone().any(|at| self.has_draw(at)) {
            return None;
        }
        let losses = self.weigh();
        let [.., (least, ..)] = MARKS;
        let mistakes = |player: Player| -> f64 {
            let own = all.clone().filter(|&at| self.decisions[at].player == player.index());
            own.filter_map(|at| losses.costs[at]).filter(|cost| *cost >= least * losses.span).sum()
        };
        let luck = losses.all_luck();
        let luck = if player == Player::Zero { luck } else { -luck };
        Some([mistakes(player), mistakes(player.other()), luck])
    }

    /// Returns the draws that changed the evaluation much, and the corrections of the evaluation.
    pub fn draws(&self, losses: &Losses) -> Vec<Draw> {
        let draw = |at: usize| {
            let is_correction = losses.luck[at].is_none();
            let change = losses.luck[at].or(losses.corrections[at])?;
            let words = format!("+{}", self.amount(change.abs()));
            let (turn, player) = (self.decisions[at].turn, usize::from(change < 0.0));
            Some(Draw { turn, player, words, is_correction })
        };
        (0..self.decisions.len()).filter_map(draw).collect()
    }

    /// Raises the value of each position to the proven value after the move that was played, because a position is
    /// worth at least as much as each of its moves.
    pub fn back_up(&mut self) {
        if self.is_bounded() {
            return;
        }
        for at in (1..self.decisions.len()).rev() {
            let next = self.decisions[at].clone();
            let before = &self.decisions[at - 1];
            let value = self.view(before.player, self.for_zero(&next));
            let shown = self.view(before.player, self.for_zero(before) - self.tempo(at - 1));
            if next.is_proven && !next.is_drawn && !self.is_joint(at) && shown < value {
                let before = &mut self.decisions[at - 1];
                (before.value, before.is_proven) = (value, true);
            }
        }
    }

    /// Returns the places of the decisions to search again: those whose loss is large enough for a mark, although the
    /// curve contradicts it, those that the bot had misjudged by the curve, and those in which the bot had no time to
    /// try the move that was played.
    pub fn doubts(&self) -> Vec<usize> {
        if self.is_bounded() {
            return Vec::new();
        }
        let losses = self.weigh();
        let [.., (least, ..)] = MARKS;
        let least = least * losses.span;
        let is_doubt = |at: &usize| {
            let cost = losses.costs[*at].filter(|cost| *cost >= least && self.has_draw(*at));
            cost.zip(losses.drop(self, *at)).is_some_and(|(cost, drop)| cost - drop > least)
                || self.decisions[*at].cost.is_none() && !self.is_joint(*at)
                || losses.corrections[*at].is_some()
        };
        (0..self.decisions.len()).filter(is_doubt).collect()
    }

    /// Returns the places of the decisions without a proven value right before one with a proven value.
    pub fn before_proven(&self) -> Vec<usize> {
        let is_before = |at: &usize| {
            let next = self.decisions.get(at + 1).is_some_and(|next| next.is_proven);
            next && !self.decisions[*at].is_proven && !self.is_joint(*at) && !self.has_draw(*at)
        };
        let all = 0..self.decisions.len();
        if self.is_bounded() { Vec::new() } else { all.filter(is_before).collect() }
    }

    /// Describes the loss of a move.
    pub fn loss(&self, losses: &Losses, at: usize, cost: f64) -> String {
        let GameDecision { turn, player, .. } = self.decisions[at];
        let before = losses.before(self, turn, player).filter(|_| self.is_share() && !self.has_draw(at));
        match before.zip(losses.after(self, at)) {
            Some((before, _)) => {
                let [before, after] = [before, before - cost].map(|value| super::percent(value.max(0.0)));
                format!("win chance from {before} to {after}")
            }
            None => format!("loses {}{}", self.amount(cost), self.turned(losses, at, cost)),
        }
    }

    /// Names the draw after a move that lost something, if the curve rises all the same, and no note names it.
    fn turned(&self, losses: &Losses, at: usize, cost: f64) -> String {
        match losses
            .drop(self, at)
            .filter(|drop| *drop < 0.0 && self.has_draw(at) && losses.luck[at].is_none())
        {
            Some(drop) => format!("; the draw after it won back {}", self.number(cost - drop)),
            None => String::new(),
        }
    }

    /// Returns whether chance acts between a decision and the next one. The rules of simultaneous moves have no chance.
    pub fn has_draw(&self, at: usize) -> bool {
        if (0..self.decisions.len()).any(|at| self.is_joint(at)) {
            return false;
        }
        let turn = self.decisions[at].turn;
        self.decisions[at..].iter().find(|next| next.turn > turn).is_some_and(|next| next.is_drawn)
    }

    /// Returns the loss of a move that the search has seen. The evaluation of the next position may take back a part
    /// of it, unless chance has changed this position.
    fn searched(&self, losses: &Losses, at: usize) -> Option<f64> {
        if self.is_bounded() && self.is_joint(at) {
            return self.joint_cost(losses, at);
        }
        let GameDecision { player, value, cost, .. } = self.decisions[at];
        let drop = losses.drop(self, at).map(|drop| drop.max(0.0)).filter(|_| !self.has_draw(at));
        match (cost, drop) {
            (Some(cost), Some(drop)) => Some(cost.min(drop)),
            (None, Some(drop)) => Some(drop),
            // The fall of the curve has two parts, the move and the draw, and the search knows none of them.
            (None, None) if self.has_draw(at) => None,
            (cost, None) => {
                let next = self.decisions[at + 1..].iter().find(|next| next.player == player);
                cost_before(cost, value, next.map(|next| next.value))
            }
        }
    }

    /// Returns the loss of a joint decision. A search hardly tries most of these moves, so the loss of a move that the
    /// bot would not play is the drop of the curve.
    fn joint_cost(&self, losses: &Losses, at: usize) -> Option<f64> {
        let GameDecision { cost, played, best, .. } = &self.decisions[at];
        let Some(drop) = self.lasting_drop(losses, at) else { return *cost };
        Some(if played == best { 0.0 } else { drop })
    }

    /// Returns the drop of the curve after a joint decision in which the player plays the bot's own choice.
    fn lost_together(&self, losses: &Losses, at: usize) -> Option<f64> {
        let GameDecision { played, best, .. } = &self.decisions[at];
        let is_meant = self.is_bounded() && self.is_joint(at) && played == best;
        self.lasting_drop(losses, at).filter(|drop| is_meant && *drop > 0.0)
    }

    /// Returns the drop of the curve after a decision; `None` after the last one. A drop of which one of the next
    /// values takes back more than half is an error of the search, and counts as 0.
    fn lasting_drop(&self, losses: &Losses, at: usize) -> Option<f64> {
        let GameDecision { turn, player, .. } = &self.decisions[at];
        let mut own = losses.course.iter().filter(|(before, _)| before + 1 >= *turn);
        let mut own = own.by_ref().map(|(_, value)| self.view(*player, *value));
        let (value, later) = (own.next()?, own.take(LASTING).collect::<Vec<_>>());
        let next = later.first()?;
        let lasting = value - later.iter().copied().fold(*next, f64::max);
        let drop = (value - next).max(0.0);
        Some(if 2.0 * lasting < drop { 0.0 } else { drop })
    }

    /// Returns whether the other player decides at the same time.
    pub fn is_joint(&self, at: usize) -> bool {
        let turn = self.decisions[at].turn;
        let around = [at.wrapping_sub(1), at + 1].map(|other| self.decisions.get(other));
        around.into_iter().flatten().any(|other| other.turn == turn)
    }

    /// Returns the maximum possible loss, given the losses that the search has seen.
    fn span(&self, losses: &Losses) -> f64 {
        let range = self.range(&losses.course);
        if self.is_bounded() {
            return range;
        }
        // A search may see a loss that is larger than the range of the curve.
        let mut costs: Vec<f64> = losses.costs.iter().copied().flatten().collect();
        costs.sort_by(f64::total_cmp);
        // If most moves lose something, such losses are the error of the bot's estimates.
        let error = costs.get(costs.len() / 2).filter(|_| costs.len() >= MANY).copied().unwrap_or(0.0);
        costs.last().copied().unwrap_or(0.0).max(range).max(ERROR_SPAN * error)
    }

    /// Returns the range of the curve; if the values have limits, the range between them.
    pub fn range(&self, course: &[(usize, f64)]) -> f64 {
        match &self.unit[..] {
            _ if self.is_share() => return 1.0,
            LEAD => return 2.0,
            _ => {}
        }
        let values = || course.iter().map(|(_, value)| *value);
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::super::VERSION;
    use super::*;
    use crate::text::percent;
    use contender_game::rules::Rng;

    fn evaluation(unit: &str, decisions: &[(usize, f64, f64, bool)]) -> Evaluation {
        let decision = |(at, &(player, value, cost, is_drawn)): (usize, &(usize, f64, f64, bool))| {
            let (played, best) = ("y".to_string(), if cost > 0.0 { "x" } else { "y" }.to_string());
            GameDecision {
                turn: at + 1,
                player,
                value,
                cost: Some(cost),
                is_drawn,
                is_proven: false,
                played,
                best,
            }
        };
        let decisions = decisions.iter().enumerate().map(decision).collect();
        let (bot, unit) = ("b".to_string(), unit.to_string());
        Evaluation { game: 1, moves: 0, bot, unit, decisions, version: VERSION }
    }

    fn draws(of: &Evaluation) -> Vec<(usize, usize, String)> {
        of.draws(&of.weigh()).into_iter().map(|draw| (draw.turn, draw.player, draw.words)).collect()
    }

    /// The curve is 0, 10, 2, 2. It rises after the first move, which lost 4 points, so the draw was worth 14 points,
    /// and the search must repeat its claim. Without a draw, the curve denies the loss.
    #[test]
    fn a_rise_after_a_loss_comes_from_the_draw() {
        // All values are those of one seat, so there is no tempo.
        let game = |is_drawn| {
            let all = [
                (0, 0.0, 4.0, false),
                (0, 10.0, 0.0, is_drawn),
                (0, 2.0, 0.0, is_drawn),
                (0, 2.0, 0.0, false),
            ];
            evaluation("points", &all)
        };
        let of = game(true);
        let losses = of.weigh();
        assert_eq!((losses.span, &losses.costs[..2]), (10.0, &[Some(4.0), Some(0.0)][..]));
        assert_eq!(of.doubts(), [0]);
        assert_eq!(draws(&of), [(1, 0, "+14 points".to_string()), (2, 1, "+8.0 points".to_string())]);
        assert_eq!(of.loss(&losses, 0, 4.0), "loses 4.0 points");
        let small = [(0, 0.0, 1.0, false), (0, 0.5, 0.0, true), (0, 100.0, 0.0, false)];
        let small = evaluation("points", &small);
        assert_eq!(small.loss(&small.weigh(), 0, 1.0), "loses 1.0 points; the draw after it won back 1.5");
        let of = game(false);
        assert_eq!(of.weigh().costs[..2], [Some(0.0), Some(0.0)]);
        // Nothing else explains the changes, so the bot has misjudged the positions before them.
        assert_eq!(of.doubts(), [0, 1]);
        assert!(of.draws(&of.weigh()).iter().all(|draw| draw.is_correction));
        assert_eq!(draws(&of), [(1, 0, "+10 points".to_string()), (2, 1, "+8.0 points".to_string())]);
        let mut of = of;
        of.decisions[2].cost = None;
        assert_eq!(of.doubts(), [0, 1, 2]);
    }

    /// The sum of all draws is 14 - 8 points for seat 0: the move before the first one lost 4 points.
    #[test]
    fn luck_is_counted_apart_from_losses() {
        let all = [(0, 0.0, 4.0, false), (0, 10.0, 0.0, true), (0, 2.0, 0.0, true), (0, 2.0, 0.0, false)];
        let of = evaluation("points", &all);
        assert_eq!(of.weigh().all_luck(), 6.0);
    }

    /// A position is worth at least as much as a proven position after one of its moves. Proven values have no tempo.
    #[test]
    fn proven_values_correct_the_positions_before() {
        let all =
            [(0, -9.0, 0.0, false), (1, 13.0, 0.0, false), (0, -13.0, 0.0, false), (1, 1.0, 0.0, false)];
        let mut of = evaluation("points", &all);
        of.decisions[3].is_proven = true;
        assert_eq!(of.before_proven(), [2]);
        of.back_up();
        let values: Vec<f64> = of.decisions.iter().map(|of| of.value).collect();
        assert_eq!(values, [-9.0, 13.0, -1.0, 1.0]);
        assert_eq!(of.course()[2..], [(2, -1.0), (3, -1.0)]);
    }

    /// The record of a simultaneous turn may differ from the bot's answer, but chance does not act between the turns.
    #[test]
    fn simultaneous_moves_have_no_draws() {
        let mut of = evaluation(
            "wins",
            &[(0, 0.8, 0.0, true), (1, 0.2, 0.0, true), (0, 0.2, 0.0, true), (1, 0.8, 0.0, true)],
        );
        assert!(!draws(&of).is_empty());
        for (at, decision) in of.decisions.iter_mut().enumerate() {
            decision.turn = at / 2 + 1;
        }
        assert!(draws(&of).is_empty());
    }

    /// In every random game, the sentence of a marked move has the values of the curve, and a mark that the curve
    /// contradicts is searched again.
    #[test]
    fn sentences_and_the_curve_agree() {
        let mut rng = Rng::new(1);
        let mut seen = [0; 3];
        for number in 0..300 {
            let (unit, scale, has_luck) =
                [("wins", 1.0, false), ("points", 20.0, false), ("points", 20.0, true)][number % 3];
            let decisions: Vec<(usize, f64, f64, bool)> = (0..30)
                .map(|at| {
                    let cost = if rng.below(2) == 0 { 0.0 } else { 0.3 * rng.unit() };
                    (at % 2, scale * rng.unit(), scale * cost, has_luck && at % 2 == 1)
                })
                .collect();
            let of = evaluation(unit, &decisions);
            let (losses, doubts) = (of.weigh(), of.doubts());
            for mark in of.marks(&losses, contender_catalogue::find("uttt").unwrap()) {
                let (at, last) = (mark.turn - 1, decisions.len() - 1);
                if at == last {
                    continue;
                }
                let [before, after] = [at, at + 1].map(|turn| of.view(mark.player, losses.course[turn].1));
                let is_drawn = decisions[at + 1].3;
                let contradicts = losses.costs[at].unwrap() - (before - after) > MARKS[2].0 * losses.span;
                assert_eq!(doubts.contains(&at), is_drawn && contradicts);
                if unit == "wins" {
                    let [before, after] = [before, after].map(percent);
                    assert!(mark.words.ends_with(&format!("win chance from {before} to {after}")));
                } else if !is_drawn {
                    let fall = of.amount(before - after);
                    assert!(mark.words.ends_with(&format!(": loses {fall}")), "{} {fall}", mark.words);
                }
                seen[number % 3] += 1;
            }
        }
        assert!(seen.iter().all(|number| *number > 100), "{seen:?}");
    }

    /// A loss is named with the values of the curve, although the search saw a smaller one. A fall that the search did
    /// not see at all does not count.
    #[test]
    fn a_loss_is_the_fall_of_the_curve() {
        let of = evaluation("wins", &[(0, 0.71, 0.22, false), (1, 0.59, 0.0, false), (0, 0.2, 0.0, false)]);
        let losses = of.weigh();
        let cost = losses.costs[0].unwrap();
        assert_eq!(of.loss(&losses, 0, cost), "win chance from 71% to 41%");
        assert_eq!(losses.costs[1..], [Some(0.0), Some(0.0)]);
        // Nothing follows the last move.
        assert_eq!(of.loss(&losses, 2, 0.1), "loses 10% win chance");
    }
}
