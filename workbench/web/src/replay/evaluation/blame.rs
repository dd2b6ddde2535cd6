//! The reason for a lost game: the move that cost most, or the stretch in which the player lost it move by move.

use super::{Evaluation, GameDecision, MARKS};
use crate::text::{estimate, percent};
use contender_game::rules::Player;

/// Minimum fall of a player's value, as a share of the range of values, that needs an explanation.
const MIN_FALL: f64 = 0.25;
/// A turning point lost at least this share of the fall.
const MIN_PART: f64 = 1.0 / 3.0;
/// A fall ends when the value is this close to the least later value, as a share of the range of values.
const CLOSE: f64 = 0.05;
/// Minimum loss of the most costly move of a stretch, as a share of the maximum possible loss.
const MIN_COST: f64 = 0.01;

/// The reason for a lost game.
pub enum Blame {
    Move(TurningPoint),
    Stretch(Stretch),
}

/// The most costly move in the fall of a player's value.
pub struct TurningPoint {
    /// The number of the move, counted from 1.
    pub turn: usize,
    pub played: String,
    pub better: String,
    /// A description of the loss, in the bot's unit.
    pub loss: String,
}

/// Moves in which a player's value fell, although no single move lost much.
pub struct Stretch {
    /// The numbers of its first and its last move, counted from 1.
    pub first: usize,
    pub last: usize,
    /// A description of the fall, in the bot's unit.
    pub words: String,
    /// The most costly of the player's moves in it; `None` if none of them is a loss.
    pub costliest: Option<TurningPoint>,
}

/// The fall of a player's value on the curve, from its peak since it was last even.
struct Fall {
    /// Numbers of moves before its first and its last position.
    from: usize,
    to: usize,
    /// The player's values in both positions.
    values: [f64; 2],
}

impl Evaluation {
    /// Returns the losses of a player, each with the number of the move. If no single move explains the lost
    /// game, they are the falls of the curve in the stretch that lost it.
    pub fn losses(&self, player: Player) -> Vec<(usize, f64)> {
        if let Some(Blame::Stretch(Stretch { first, last, .. })) = self.blame(player) {
            let course = self.course_of(player);
            let falls = course
                .array_windows()
                .map(|[(before, value), (_, next)]| (before + 1, (value - next).max(0.0)));
            return falls.filter(|(turn, _)| (first..=last).contains(turn)).collect();
        }
        self.own(player)
            .into_iter()
            .filter_map(|at| Some((self.decisions[at].turn, self.cost(at)?)))
            .collect()
    }

    /// Returns the reason why a player lost: the move that cost most in the fall of its value, if this move lost a
    /// notable part of the fall, or else the whole fall. If the value did not fall far, returns the most costly move of
    /// the game, unless it is too small for a mark.
    pub fn blame(&self, player: Player) -> Option<Blame> {
        let [.., (least, ..)] = MARKS;
        let span = self.span();
        let costliest = |turns: std::ops::RangeInclusive<usize>, least: f64| {
            let own = self.own(player).into_iter().filter(|&at| turns.contains(&self.decisions[at].turn));
            let costs = own.filter_map(|at| Some((at, self.cost(at)?)));
            costs
                .filter(|(_, cost)| *cost > 0.0 && *cost >= least * span)
                .max_by(|one, other| one.1.total_cmp(&other.1))
        };
        let point = |(at, cost): (usize, f64)| {
            let GameDecision { turn, played, best, .. } = &self.decisions[at];
            let loss = self.loss(at, cost);
            TurningPoint { turn: *turn, played: played.clone(), better: best.clone(), loss }
        };
        let fall = self.fall(player).filter(|fall| fall.depth() >= MIN_FALL * self.range());
        let found = match &fall {
            Some(fall) => {
                costliest(fall.from + 1..=fall.to, least).filter(|(_, cost)| *cost >= MIN_PART * fall.depth())
            }
            None => costliest(1..=usize::MAX, least),
        };
        if let Some(found) = found {
            return Some(Blame::Move(point(found)));
        }
        let fall = fall?;
        let words = match self.is_share() {
            true => format!("win chance from {} to {}", percent(fall.values[0]), percent(fall.values[1])),
            false => format!("lead from {} to {}", signed(fall.values[0]), signed(fall.values[1])),
        };
        let (first, last) = (fall.from + 1, fall.to);
        let costliest = costliest(first..=last, MIN_COST).map(point);
        Some(Blame::Stretch(Stretch { first, last, words, costliest }))
    }

    /// Returns the places of a player's decisions.
    fn own(&self, player: Player) -> Vec<usize> {
        (0..self.decisions.len()).filter(|&at| self.decisions[at].player == player.index()).collect()
    }

    /// Returns the curve from a player's view.
    fn course_of(&self, player: Player) -> Vec<(usize, f64)> {
        let view = |(before, value)| (before, self.view(player.index(), value));
        self.course().into_iter().map(view).collect()
    }

    /// Returns the last fall of a player's value: from the latest peak since the value was last below even, or, if it
    /// never was at least even, from the peak of the game.
    fn fall(&self, player: Player) -> Option<Fall> {
        let course = self.course_of(player);
        let even = if self.is_share() { 0.5 } else { 0.0 };
        let is_even = |(_, value): &(usize, f64)| *value >= even;
        let (start, end) = match course.iter().rposition(is_even) {
            Some(last) => (course[..last].iter().rposition(|at| !is_even(at)).map_or(0, |at| at + 1), last),
            None => (0, course.len().checked_sub(1)?),
        };
        let peak = (start..=end).max_by(|&one, &other| course[one].1.total_cmp(&course[other].1))?;
        let least = course[peak..].iter().map(|(_, value)| *value).fold(f64::INFINITY, f64::min);
        let close = least + CLOSE * self.range();
        let bottom = (peak..course.len()).find(|&at| course[at].1 <= close)?;
        let values = [peak, bottom].map(|at| course[at].1);
        Some(Fall { from: course[peak].0, to: course[bottom].0, values })
    }
}

/// Formats a lead with its sign.
fn signed(value: f64) -> String {
    let text = estimate(value);
    if value > 0.0 { format!("+{text}") } else { text.replace('-', "−") }
}

impl Fall {
    fn depth(&self) -> f64 {
        self.values[0] - self.values[1]
    }
}

#[cfg(test)]
mod tests {
    use super::super::SHARES;
    use super::*;

    fn evaluation(decisions: Vec<GameDecision>) -> Evaluation {
        let unit = SHARES[0].to_string();
        Evaluation { game: 1, moves: 0, bot: "b".to_string(), unit, decisions }
    }

    /// A large loss in a position that is lost anyway, and one before a recovery, decide nothing.
    #[test]
    fn the_turning_point_is_in_the_last_fall_below_even() {
        let own = |(turn, value, cost)| GameDecision {
            turn,
            player: 0,
            value,
            cost: Some(cost),
            played: format!("played {turn}"),
            best: "x".to_string(),
        };
        let decisions =
            [(1, 0.9, 0.5), (3, 0.4, 0.0), (5, 0.6, 0.1), (7, 0.5, 0.2), (9, 0.3, 0.05), (11, 0.25, 0.0)];
        let mut evaluation = evaluation(decisions.map(own).to_vec());
        let point = |evaluation: &Evaluation, player| match evaluation.blame(player) {
            Some(Blame::Move(found)) => Some(found),
            _ => None,
        };
        let found = point(&evaluation, Player::Zero).unwrap();
        assert_eq!((found.turn, &found.played[..], &found.better[..]), (7, "played 7", "x"));
        assert_eq!(found.loss, "win chance from 50% to 30%");
        assert_eq!(evaluation.losses(Player::Zero).len(), 6);
        assert!(point(&evaluation, Player::One).is_none() && evaluation.losses(Player::One).is_empty());
        // A lead of 0 points is even, so the lead falls from the start.
        evaluation.unit = "points".to_string();
        let found = point(&evaluation, Player::Zero).unwrap();
        assert_eq!((found.turn, &found.loss[..]), (1, "loses 0.50 points"));
    }

    /// If both decide at once, a player's chance may fall although it plays the bot's moves. The reason is then the
    /// whole stretch, not a small mistake at its start.
    #[test]
    fn without_a_move_to_blame_the_stretch_is_shown() {
        let values = [0.5, 0.6, 0.87, 0.76, 0.6, 0.3, 0.02, 0.01];
        let decision = |turn: usize, player: usize| GameDecision {
            turn,
            player,
            value: if player == 0 { values[turn - 1] } else { 1.0 - values[turn - 1] },
            cost: Some(0.0),
            played: if turn == 3 { "y" } else { "x" }.to_string(),
            best: "x".to_string(),
        };
        let decisions = (1..=8).flat_map(|turn| [decision(turn, 0), decision(turn, 1)]);
        let evaluation = evaluation(decisions.collect());
        let Some(Blame::Stretch(found)) = evaluation.blame(Player::Zero) else { panic!("no stretch") };
        assert_eq!((found.first, found.last, &found.words[..]), (3, 6, "win chance from 87% to 2%"));
        let losses: Vec<(usize, f64)> = evaluation.losses(Player::Zero);
        let rounded: Vec<(usize, f64)> =
            losses.into_iter().map(|(turn, loss)| (turn, (100.0 * loss).round())).collect();
        assert_eq!(rounded, [(3, 11.0), (4, 16.0), (5, 30.0), (6, 28.0)]);
        let worst = found.costliest.unwrap();
        assert_eq!((worst.turn, &worst.loss[..]), (3, "win chance from 87% to 76%"));
        // The winner's chance did not fall.
        assert!(evaluation.blame(Player::One).is_none());
    }

    /// In games for points, the curve is the expected lead, and its fall is a quarter of its range or more. Computed by
    /// hand: the lead of the decisions is 8, 8, 6, 3, 0, -3 and -5, and the curve has the means of two neighbours.
    #[test]
    fn a_lead_in_points_is_lost_in_a_stretch() {
        let leads = [8.0, 8.0, 6.0, 3.0, 0.0, -3.0, -5.0];
        let decision = |(turn, lead): (usize, f64)| GameDecision {
            turn,
            player: (turn - 1) % 2,
            value: if turn % 2 == 1 { lead } else { -lead },
            cost: Some(if turn == 3 { 1.5 } else { 0.0 }),
            played: format!("played {turn}"),
            best: "x".to_string(),
        };
        let mut evaluation = evaluation((1..).zip(leads).map(decision).collect());
        evaluation.unit = "points".to_string();
        let Some(Blame::Stretch(found)) = evaluation.blame(Player::Zero) else { panic!("no stretch") };
        assert_eq!((found.first, found.last, &found.words[..]), (1, 5, "lead from +8.0 to −4.0"));
        let worst = found.costliest.unwrap();
        assert_eq!((worst.turn, &worst.loss[..]), (3, "loses 1.5 points"));
        assert!(evaluation.blame(Player::One).is_none());
        // A third of the fall explains it.
        evaluation.decisions[2].cost = Some(4.0);
        assert!(matches!(evaluation.blame(Player::Zero), Some(Blame::Move(found)) if found.turn == 3));
    }
}
