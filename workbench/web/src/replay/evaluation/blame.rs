//! The reason for a lost game: the move that cost most, or the stretch in which the player lost it move by move.

use super::loss::Losses;
use super::{Evaluation, GameDecision, MARKS};
use crate::text::{decimal, digits, percent, signed};
use contender_game::rules::Player;
use std::cmp::Ordering;

/// Minimum fall of a player's value, as a share of the range of values, that needs an explanation.
const MIN_FALL: f64 = 0.25;
/// A turning point lost at least this share of the fall.
const MIN_PART: f64 = 1.0 / 3.0;
/// A fall ends when the value is this close to the least later value, as a share of the range of values.
const CLOSE: f64 = 0.05;
/// A rise above the least value that continues a fall if the value is close to the least value again after it.
const RECOVERY: f64 = 0.15;
/// Minimum part of a stretch's fall that its description names.
const MIN_REASON: f64 = 0.02;
/// A stretch has at least this share of the fall, and it is the shortest one.
const MOST: f64 = 0.6;
/// Minimum loss of the most costly move of a stretch, as a share of the maximum possible loss.
const MIN_COST: f64 = 0.01;
/// Number of reasons of a fall.
const REASONS: usize = 6;

/// The reason for a lost game.
pub enum Blame {
    Move(TurningPoint),
    Stretch(Stretch),
}

/// The most costly move in the fall of a player's value.
#[derive(Clone)]
pub struct TurningPoint {
    /// The number of the move, counted from 1.
    pub turn: usize,
    pub played: String,
    pub better: String,
    /// The loss, and its description, in the bot's unit.
    pub cost: f64,
    pub loss: String,
}

/// Moves in which a player's value fell, although no single move lost much.
#[derive(Clone)]
pub struct Stretch {
    /// The numbers of its first and its last move, counted from 1.
    pub first: usize,
    pub last: usize,
    /// The main reason of the fall.
    pub reason: Reason,
    /// The fall of the value, its description in the bot's unit, and those of its parts.
    pub lost: f64,
    pub change: String,
    pub parts: String,
    /// The most costly of the player's moves in it; `None` if none of them is a loss.
    pub costliest: Option<TurningPoint>,
}

/// The reason of a fall of a player's value, or of a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    OwnMoves,
    OpponentsMoves,
    /// Draws that changed the value so much that the page names each of them.
    Draws,
    /// Both players decide at once, and their moves lose together, although the bot would have played the same.
    Together,
    /// Neither a move nor a draw explains the fall, so the bot has misjudged an earlier position.
    Evaluation,
    /// Between draws, this part of the fall is the sum of small draws and of errors of the evaluation.
    SmallDraws,
}

impl Reason {
    const ALL: [Reason; REASONS] = [
        Reason::OwnMoves,
        Reason::OpponentsMoves,
        Reason::Draws,
        Reason::Together,
        Reason::Evaluation,
        Reason::SmallDraws,
    ];

    /// Names a part of a fall.
    fn words(self, is_fall: bool) -> &'static str {
        match self {
            Reason::OwnMoves => "own moves",
            Reason::OpponentsMoves => "opponent's moves",
            Reason::Draws if is_fall => "unlucky draws",
            Reason::Draws => "lucky draws",
            Reason::Together => "both moving at once",
            Reason::Evaluation if is_fall => "evaluation too high before",
            Reason::Evaluation => "evaluation too low before",
            Reason::SmallDraws if is_fall => "small draws or evaluation too high before",
            Reason::SmallDraws => "small draws or evaluation too low before",
        }
    }
}

impl Stretch {
    fn is_one(&self) -> bool {
        self.first == self.last
    }

    /// Names the moves.
    pub fn moves(&self) -> String {
        let Stretch { first, last, .. } = self;
        if self.is_one() { format!("move {first}") } else { format!("moves {first}–{last}") }
    }

    /// Names the main reason of the fall.
    pub fn reason(&self) -> &'static str {
        match self.reason {
            Reason::Draws if self.is_one() => "an unlucky draw",
            Reason::Draws => "unlucky draws",
            Reason::Together => "both moved at once, without a clear mistake",
            Reason::Evaluation => "the evaluation before was too high",
            Reason::SmallDraws => "small draws, or the evaluation before was too high",
            Reason::OwnMoves | Reason::OpponentsMoves => "no single move lost a third of the fall",
        }
    }

    /// Introduces the number of the most costly move.
    pub fn costliest_of(&self) -> &'static str {
        if self.is_one() { "Own move" } else { "Costliest of these moves" }
    }
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
    /// game, they are the falls of the curve in the stretch that lost it, unless chance is a part of them.
    pub fn losses(&self, player: Player) -> Vec<(usize, f64)> {
        let has_luck = (0..self.decisions.len()).any(|at| self.has_draw(at));
        if !has_luck && let Some(Blame::Stretch(Stretch { first, last, .. })) = self.blame(player) {
            let course = self.course_of(&self.course(), player);
            let falls = course
                .array_windows()
                .map(|[(before, value), (_, next)]| (before + 1, (value - next).max(0.0)));
            return falls.filter(|(turn, _)| (first..=last).contains(turn)).collect();
        }
        let losses = self.weigh();
        let own = self.own(player).into_iter();
        own.filter_map(|at| Some((self.decisions[at].turn, losses.costs[at]?))).collect()
    }

    /// Returns the reason why a player lost: the move that cost most in the fall of its value, if this move lost a
    /// notable part of the fall, or else the whole fall. If the value did not fall far, returns the most costly move of
    /// the game, unless it is too small for a mark.
    pub fn blame(&self, player: Player) -> Option<Blame> {
        let [.., (least, ..)] = MARKS;
        let losses = self.weigh();
        let span = losses.span;
        // A lucky draw can make up for a loss, and the value does not turn there.
        let is_fall = |at: usize| !self.has_draw(at) || losses.drop(self, at).is_none_or(|drop| drop > 0.0);
        let costliest = |turns: std::ops::RangeInclusive<usize>, least: f64| {
            let own = self.own(player).into_iter().filter(|&at| turns.contains(&self.decisions[at].turn));
            let own = own.filter(|&at| is_fall(at));
            let costs = own.filter_map(|at| Some((at, losses.costs[at]?)));
            costs
                .filter(|(_, cost)| *cost > 0.0 && *cost >= least * span)
                .max_by(|one, other| one.1.total_cmp(&other.1))
        };
        let point = |(at, cost): (usize, f64)| {
            let GameDecision { turn, played, best, .. } = &self.decisions[at];
            let loss = self.loss(&losses, at, cost);
            TurningPoint { turn: *turn, played: played.clone(), better: best.clone(), cost, loss }
        };
        let course = self.course_of(&losses.course, player);
        let range = self.range(&losses.course);
        let fall = self.fall(&course, range).filter(|fall| fall.depth() >= MIN_FALL * range);
        let found = match &fall {
            Some(fall) => {
                costliest(fall.from + 1..=fall.to, least).filter(|(_, cost)| *cost >= MIN_PART * fall.depth())
            }
            None => costliest(1..=usize::MAX, least),
        };
        if let Some(found) = found {
            return Some(Blame::Move(point(found)));
        }
        let whole = fall?;
        let start = whole.from;
        let fall = self.with_moves_before(&losses, player, whole.steepest(&course), &course, start);
        let (first, last) = (fall.from + 1, fall.to);
        let parts = self.parts_of(&losses, player, &fall);
        let part = |reason: Reason| parts[reason as usize];
        let reason = Reason::ALL.into_iter().max_by(|one, other| part(*one).total_cmp(&part(*other)))?;
        // A move that lost less than a third of the whole fall may have lost a third of its steepest part.
        let found = costliest(first..=last, 0.0).filter(|(_, cost)| *cost >= MIN_PART * fall.depth());
        if let Some(found) = found.filter(|_| reason != Reason::Draws) {
            return Some(Blame::Move(point(found)));
        }
        let [change, mut words] = self.fall_in_words(&fall, parts);
        if part(Reason::Draws) >= MIN_REASON * fall.depth()
            && let Some((turn, luck)) = self.unluckiest(&losses, player, &fall)
        {
            words += &format!("; the largest draw −{} after move {turn}", self.number(luck));
        }
        // If draws explain the fall, a small loss explains nothing.
        let has_luck = part(Reason::Draws) >= MIN_PART * fall.depth();
        let costliest = costliest(first..=last, if has_luck { least } else { MIN_COST }).map(point);
        let lost = fall.depth();
        Some(Blame::Stretch(Stretch { first, last, reason, lost, change, parts: words, costliest }))
    }

    /// Extends a part of a fall to the player's marked moves right before it, at most to the start of the whole fall.
    fn with_moves_before(
        &self,
        losses: &Losses,
        player: Player,
        mut fall: Fall,
        course: &[(usize, f64)],
        start: usize,
    ) -> Fall {
        let [.., (least, ..)] = MARKS;
        let own = self.own(player);
        let marked: Vec<usize> = own
            .into_iter()
            .filter(|&at| losses.costs[at].is_some_and(|cost| cost > 0.0 && cost >= least * losses.span))
            .map(|at| self.decisions[at].turn)
            .collect();
        for turn in marked.into_iter().rev().filter(|turn| *turn > start) {
            let before = course.iter().find(|(before, _)| before + 1 == turn);
            if (turn..=turn + 1).contains(&fall.from)
                && let Some(&(from, value)) = before.filter(|(_, value)| *value >= fall.values[0])
            {
                fall = Fall { from, to: fall.to, values: [value, fall.values[1]] };
            }
        }
        fall
    }

    /// Divides a fall into the parts of [`Reason::ALL`], which add up to the fall. A negative part raised the value.
    fn parts_of(&self, losses: &Losses, player: Player, fall: &Fall) -> [f64; REASONS] {
        let mut parts = [0.0; REASONS];
        for at in self.within(fall) {
            let cost = losses.costs[at].unwrap_or(0.0);
            let is_own = self.decisions[at].player == player.index();
            let (of, lost) = if is_own { (Reason::OwnMoves, cost) } else { (Reason::OpponentsMoves, -cost) };
            parts[of as usize] += lost;
            if losses.luck[at].is_some()
                && let Some(drop) = losses.drop(self, at)
            {
                let drop = if is_own { drop } else { -drop };
                parts[Reason::Draws as usize] += drop - lost;
            }
        }
        let within = self.within(fall);
        let rest = if within.iter().any(|&at| self.is_joint(at)) {
            Reason::Together
        } else if within.iter().any(|&at| self.has_draw(at)) {
            Reason::SmallDraws
        } else {
            Reason::Evaluation
        };
        parts[rest as usize] = fall.depth() - parts.iter().sum::<f64>();
        parts
    }

    /// Returns the descriptions of a fall and of its notable parts. All numbers are rounded alike. The part that no
    /// move and no draw explains, or else the largest part, takes the rest, so that the parts add up to the change.
    fn fall_in_words(&self, fall: &Fall, parts: [f64; REASONS]) -> [String; 2] {
        let [from, to] = fall.values;
        let largest = fall.values.into_iter().chain(parts).fold(0.0, |most: f64, of| most.max(of.abs()));
        let (digits, scale) = match self.is_share() {
            true => (0, 100.0),
            false => (digits(largest), 1.0),
        };
        let unit = 10_f64.powi(i32::try_from(digits).unwrap_or(0)) * scale;
        let rounded = |value: f64| (unit * value).round() / unit;
        let number = |value: f64| {
            let text = decimal(scale * value, digits);
            if self.is_share() { text + "%" } else { text }
        };
        let is_notable = |of: &Reason| parts[*of as usize].abs() >= MIN_REASON * fall.depth();
        let mut shown: Vec<(Reason, f64)> = Reason::ALL
            .into_iter()
            .filter(is_notable)
            .map(|of| (of, rounded(parts[of as usize])))
            .filter(|(_, part)| *part != 0.0)
            .collect();
        let rest = rounded(from) - rounded(to) - shown.iter().map(|(_, part)| part).sum::<f64>();
        let is_rest = |of: Reason| matches!(of, Reason::Together | Reason::Evaluation | Reason::SmallDraws);
        let order = |&(of, part): &(Reason, f64)| (is_rest(of), part.abs());
        if let Some((_, part)) = shown
            .iter_mut()
            .max_by(|one, other| order(one).partial_cmp(&order(other)).unwrap_or(Ordering::Equal))
        {
            *part = rounded(*part + rest);
        }
        let named = shown.iter().map(|(of, part)| {
            let sign = if *part > 0.0 { '−' } else { '+' };
            format!("{} {sign}{}", of.words(*part > 0.0), number(part.abs()))
        });
        let change = match self.is_share() {
            true => format!("win chance from {} to {}", percent(from), percent(to)),
            false => {
                let [from, to] = fall.values.map(|value| signed(value, digits));
                format!("lead from {from} to {to} {}", self.unit).trim_end().to_string()
            }
        };
        [change, named.collect::<Vec<_>>().join(", ")]
    }

    /// Returns the draw that cost a player most in a fall: the number of the move before it, and the loss.
    fn unluckiest(&self, losses: &Losses, player: Player, fall: &Fall) -> Option<(usize, f64)> {
        let sign = if player == Player::Zero { -1.0 } else { 1.0 };
        let found = self.within(fall).into_iter();
        let found = found.filter_map(|at| Some((self.decisions[at].turn, sign * losses.luck[at]?)));
        found.filter(|(_, luck)| *luck > 0.0).max_by(|one, other| one.1.total_cmp(&other.1))
    }

    /// Returns the places of the decisions in a fall.
    fn within(&self, fall: &Fall) -> Vec<usize> {
        let turns = fall.from + 1..=fall.to;
        (0..self.decisions.len()).filter(|&at| turns.contains(&self.decisions[at].turn)).collect()
    }

    /// Returns the places of a player's decisions.
    fn own(&self, player: Player) -> Vec<usize> {
        (0..self.decisions.len()).filter(|&at| self.decisions[at].player == player.index()).collect()
    }

    /// Returns the curve from a player's view.
    fn course_of(&self, course: &[(usize, f64)], player: Player) -> Vec<(usize, f64)> {
        course.iter().map(|(before, value)| (*before, self.view(player.index(), *value))).collect()
    }

    /// Returns the last fall of a player's value: from the latest peak since the value was last below even, or, if it
    /// never was at least even, from the peak of the game. A fall whose losses the value regains ends when it is low
    /// again.
    fn fall(&self, course: &[(usize, f64)], range: f64) -> Option<Fall> {
        let even = if self.is_share() { 0.5 } else { 0.0 };
        let is_even = |(_, value): &(usize, f64)| *value >= even;
        let (start, end) = match course.iter().rposition(is_even) {
            Some(last) => (course[..last].iter().rposition(|at| !is_even(at)).map_or(0, |at| at + 1), last),
            None => (0, course.len().checked_sub(1)?),
        };
        let peak = (start..=end).max_by(|&one, &other| course[one].1.total_cmp(&course[other].1))?;
        let least = course[peak..].iter().map(|(_, value)| *value).fold(f64::INFINITY, f64::min);
        let close = least + CLOSE * range;
        let is_low = |at: &usize| course[*at].1 <= close;
        let (first, last) = ((peak..course.len()).find(is_low)?, (peak..course.len()).rfind(is_low)?);
        // A player that recovers can lose the game again.
        let recovered = (first..last).rfind(|&at| course[at].1 > least + RECOVERY * range);
        let bottom = (recovered.unwrap_or(first)..=last).find(is_low)?;
        let values = [peak, bottom].map(|at| course[at].1);
        Some(Fall { from: course[peak].0, to: course[bottom].0, values })
    }
}

impl Fall {
    fn depth(&self) -> f64 {
        self.values[0] - self.values[1]
    }

    /// Returns the shortest part of a player's curve that has most of the fall; of several, the one that falls most.
    fn steepest(self, course: &[(usize, f64)]) -> Fall {
        let within: Vec<(usize, f64)> =
            course.iter().copied().filter(|(before, _)| (self.from..=self.to).contains(before)).collect();
        let parts = |length: usize| within.windows(length + 1).map(move |part| [part[0], part[length]]);
        let fall = |[(_, first), (_, last)]: &[(usize, f64); 2]| first - last;
        let found = (1..within.len()).find_map(|length| {
            let best = parts(length).max_by(|one, other| fall(one).total_cmp(&fall(other)))?;
            (fall(&best) >= MOST * self.depth()).then_some(best)
        });
        match found {
            Some([(from, first), (to, last)]) => Fall { from, to, values: [first, last] },
            None => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::SHARES;
    use super::super::VERSION;
    use super::*;

    fn evaluation(decisions: Vec<GameDecision>) -> Evaluation {
        let unit = SHARES[0].to_string();
        Evaluation { game: 1, moves: 0, bot: "b".to_string(), unit, decisions, version: VERSION }
    }

    fn in_words(of: &Stretch) -> String {
        format!("{} ({})", of.change, of.parts)
    }

    /// A large loss in a position that is lost anyway, and one before a recovery, decide nothing.
    #[test]
    fn the_turning_point_is_in_the_last_fall_below_even() {
        let own = |(turn, value, cost)| GameDecision {
            turn,
            player: 0,
            value,
            is_drawn: false,
            is_proven: false,
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
    /// stretch with most of the fall, not a small mistake at its end.
    #[test]
    fn without_a_move_to_blame_the_stretch_is_shown() {
        let values = [0.5, 0.6, 0.87, 0.76, 0.6, 0.2, 0.02, 0.01];
        let decision = |turn: usize, player: usize| GameDecision {
            turn,
            player,
            value: if player == 0 { values[turn - 1] } else { 1.0 - values[turn - 1] },
            is_drawn: false,
            is_proven: false,
            cost: Some(0.0),
            played: if turn == 6 { "y" } else { "x" }.to_string(),
            best: "x".to_string(),
        };
        let decisions = (1..=8).flat_map(|turn| [decision(turn, 0), decision(turn, 1)]);
        let mut evaluation = evaluation(decisions.collect());
        let Some(Blame::Stretch(found)) = evaluation.blame(Player::Zero) else { panic!("no stretch") };
        assert_eq!(
            (found.first, found.last, &in_words(&found)[..]),
            (5, 6, "win chance from 60% to 2% (own moves −18%, both moving at once −40%)")
        );
        assert_eq!(
            (&found.moves()[..], found.reason()),
            ("moves 5–6", "both moved at once, without a clear mistake")
        );
        let losses: Vec<(usize, f64)> = evaluation.losses(Player::Zero);
        let rounded: Vec<(usize, f64)> =
            losses.into_iter().map(|(turn, loss)| (turn, (100.0 * loss).round())).collect();
        assert_eq!(rounded, [(5, 40.0), (6, 18.0)]);
        let worst = found.costliest.unwrap();
        assert_eq!((worst.turn, &worst.loss[..]), (6, "win chance from 20% to 2%"));
        // The winner's chance did not fall.
        assert!(evaluation.blame(Player::One).is_none());
        // A move that lost a third of the stretch, although not of the whole fall, is the turning point.
        for decision in evaluation.decisions.iter_mut().filter(|decision| decision.turn == 6) {
            decision.value += if decision.player == 0 { 0.03 } else { -0.03 };
        }
        assert!(matches!(evaluation.blame(Player::Zero), Some(Blame::Move(found)) if found.turn == 6));
    }

    /// The curve is 0.9, 0.6, 0.7 and 0.2, with draws between all moves. It rises after the costliest move, the second.
    #[test]
    fn a_loss_that_a_draw_makes_up_for_is_no_turning_point() {
        let own = |(turn, value, cost): (usize, f64, f64)| GameDecision {
            turn,
            player: 0,
            value,
            is_drawn: true,
            is_proven: false,
            cost: Some(cost),
            played: format!("played {turn}"),
            best: "x".to_string(),
        };
        let decisions = [(1, 0.9, 0.3), (2, 0.6, 0.4), (3, 0.7, 0.25), (4, 0.2, 0.0)];
        let found = evaluation(decisions.map(own).to_vec()).blame(Player::Zero);
        assert!(matches!(found, Some(Blame::Move(found)) if found.turn == 1));
    }

    /// In games for points, the curve is the expected lead, and its fall is a quarter of its range or more. Computed by
    /// hand: the lead is 8, 8, 5.5, 3, 0, -3 and -5. It falls by 13, and no shorter part falls by 60% of this.
    #[test]
    fn a_lead_in_points_is_lost_in_a_stretch() {
        let leads = [8.0, 8.0, 5.5, 3.0, 0.0, -3.0, -5.0];
        let decision = |(turn, lead): (usize, f64)| GameDecision {
            turn,
            player: (turn - 1) % 2,
            value: if turn % 2 == 1 { lead } else { -lead },
            is_drawn: false,
            is_proven: false,
            cost: Some(if turn == 3 { 1.5 } else { 0.0 }),
            played: format!("played {turn}"),
            best: "x".to_string(),
        };
        let mut evaluation = evaluation((1..).zip(leads).map(decision).collect());
        evaluation.unit = "points".to_string();
        let Some(Blame::Stretch(found)) = evaluation.blame(Player::Zero) else { panic!("no stretch") };
        let words = "lead from +5.5 to −3.0 points (own moves −2.5, evaluation too high before −6.0)";
        assert_eq!((found.first, found.last, &in_words(&found)[..]), (3, 5, words));
        let worst = found.costliest.unwrap();
        assert_eq!((worst.turn, &worst.loss[..]), (3, "loses 2.5 points"));
        assert!(evaluation.blame(Player::One).is_none());
        // A draw after the third move cost another point, and the move explains the game if it lost a third.
        evaluation.decisions[3].is_drawn = true;
        evaluation.decisions[2].cost = Some(0.0);
        let Some(Blame::Stretch(found)) = evaluation.blame(Player::Zero) else { panic!("no stretch") };
        let words = "lead from +5.5 to −3.0 points (unlucky draws −2.5, small draws or evaluation too high before −6.0; \
                     the largest draw −2.5 after move 3)";
        assert_eq!(in_words(&found), words);
        assert_eq!(evaluation.losses(Player::Zero).len(), 4);
        evaluation.decisions[2].cost = Some(5.0);
        assert!(matches!(evaluation.blame(Player::Zero), Some(Blame::Move(found)) if found.turn == 3));
    }

    /// The lead is 12, 9, 9, 6, 6, 0 and -6. Most of the fall of 18 is the last 12 points, in which no move lost
    /// anything. The blunders right before, the third and the first move, belong to the stretch all the same.
    #[test]
    fn a_stretch_begins_with_the_marked_moves_before_it() {
        let leads = [12.0, 9.0, 9.0, 6.0, 6.0, 0.0, -6.0];
        let decision = |(turn, lead): (usize, f64)| GameDecision {
            turn,
            player: (turn - 1) % 2,
            value: if turn % 2 == 1 { lead } else { -lead },
            is_drawn: turn >= 5,
            is_proven: false,
            cost: Some(if turn == 1 || turn == 3 { 3.0 } else { 0.0 }),
            played: format!("played {turn}"),
            best: "x".to_string(),
        };
        let mut evaluation = evaluation((1..).zip(leads).map(decision).collect());
        evaluation.unit = "points".to_string();
        // All values are proven, so there is no tempo.
        evaluation.decisions.iter_mut().for_each(|of| of.is_proven = true);
        let Some(Blame::Stretch(found)) = evaluation.blame(Player::Zero) else { panic!("no stretch") };
        let words = "lead from +12 to −6 points (own moves −6, unlucky draws −12; the largest draw −6.0 after move 6)";
        assert_eq!((found.first, found.last, &in_words(&found)[..]), (1, 6, words));
        assert_eq!(evaluation.balance(Player::Zero), Some([6.0, 0.0, -12.0]));
        assert_eq!(evaluation.balance(Player::One), Some([0.0, 6.0, 12.0]));
    }

    /// The opponent gives the game back after the move that cost 22%, so the later move decides.
    #[test]
    fn a_fall_that_is_taken_back_is_not_the_last_one() {
        let own = |(turn, value): (usize, f64)| GameDecision {
            turn,
            player: 0,
            value,
            is_drawn: false,
            is_proven: false,
            cost: Some(0.9),
            played: format!("played {turn}"),
            best: "x".to_string(),
        };
        let decisions = (1..).zip([0.45, 0.24, 0.02, 0.32, 0.007, 0.0]).map(own).collect();
        let Some(Blame::Move(found)) = evaluation(decisions).blame(Player::Zero) else { panic!("no move") };
        assert_eq!((found.turn, &found.loss[..]), (4, "win chance from 32% to 1%"));
    }

    /// Two digits of each part alone would be −35, +7.1 and −33 for a fall from +2.4 to −59, which is 61 in short.
    #[test]
    fn the_parts_of_a_fall_add_up() {
        let mut of = evaluation(Vec::new());
        of.unit = "points".to_string();
        let words = |of: &Evaluation, values: [f64; 2], parts| {
            let [change, parts] = of.fall_in_words(&Fall { from: 1, to: 5, values }, parts);
            format!("{change} ({parts})")
        };
        assert_eq!(
            words(&of, [2.4, -58.7], [35.4, -7.1, 0.9, 0.0, 31.9, 0.0]),
            "lead from +2 to −59 points (own moves −35, opponent's moves +7, evaluation too high before −33)"
        );
        of.unit = SHARES[0].to_string();
        assert_eq!(
            words(&of, [0.614, 0.006], [0.305, 0.0, 0.0, 0.303, 0.0, 0.0]),
            "win chance from 61% to 1% (own moves −31%, both moving at once −29%)"
        );
    }

    #[test]
    fn a_stretch_of_one_move_has_no_range() {
        let mut stretch = Stretch {
            first: 25,
            last: 25,
            reason: Reason::Draws,
            lost: 5.0,
            change: String::new(),
            parts: String::new(),
            costliest: None,
        };
        assert_eq!((&stretch.moves()[..], stretch.reason()), ("move 25", "an unlucky draw"));
        assert_eq!(stretch.costliest_of(), "Own move");
        (stretch.last, stretch.reason) = (26, Reason::OwnMoves);
        let words = ("moves 25–26", "no single move lost a third of the fall");
        assert_eq!((&stretch.moves()[..], stretch.reason()), words);
        assert_eq!(stretch.costliest_of(), "Costliest of these moves");
    }
}
