//! Parts of pages that show the results of bots.

pub mod layers;
mod on_board;
mod order;
mod table;

pub use on_board::{ranks, values_by_square, with_arrows};
pub use order::sorted;
pub use table::table;

use crate::text::{decimal, estimate, grouped, percent};
use contender_catalogue::find;
use contender_game::{
    board::Picture,
    contest::{Analysis, Contest, MoveAnalysis},
    rules::Player,
};
use contender_play::{Record, Seat};
use maud::{Markup, html};
use std::time::Duration;

/// The units that are probabilities of winning. One comes from searches that play games to their end, and one from
/// networks.
pub const SHARES: [&str; 2] = ["share of a win", "wins"];

/// Share of a win below which one decimal place is shown.
const SMALL_SHARE: f64 = 0.0995;

/// Maximum number of moves of the principal variation; its tooltip has all of them.
const LINE: usize = 8;

/// Returns the points by seat. If there are no points, returns the ranks, because some referees report only ranks.
pub fn scores(record: &Record) -> String {
    if record.has_points() {
        return record.points_text(" – ");
    }
    let place = |seat: &Seat| {
        ["1st", "2nd", "3rd"]
            .get(seat.rank as usize)
            .map_or_else(|| format!("{}th", seat.rank + 1), ToString::to_string)
    };
    record.seats.iter().map(place).collect::<Vec<_>>().join(" – ")
}

/// Returns the times of a bot's answers. If the contest has a limit of its own for first answers, they are left out.
pub fn later_times<'a>(game: &str, seat: &'a Seat) -> &'a [Duration] {
    let has_long_first = find(game).is_some_and(|contest| contest.info().limits.first_turn.is_some());
    seat.times.get(usize::from(has_long_first)..).unwrap_or_default()
}

/// Returns the seat and the time of the slowest answer, if the record contains times, without first answers that have a
/// limit of their own.
pub fn slowest(record: &Record) -> Option<(usize, Duration)> {
    let slowest = |seat: &Seat| match seat.times[..] {
        [] => seat.slowest,
        _ => later_times(&record.game, seat).iter().max().copied().unwrap_or_default(),
    };
    let times = record.seats.iter().map(slowest).enumerate();
    times.max_by_key(|(_, time)| *time).filter(|(_, time)| !time.is_zero())
}

/// Returns the seat of the winner, if only one seat has the best rank.
pub fn winner(record: &Record) -> Option<usize> {
    let mut best = (0..record.seats.len()).filter(|&seat| record.seats[seat].rank == 0);
    best.next().filter(|_| best.next().is_none())
}

/// Returns how the winner has won, such as `more small boards`, if the notes of the last board name it.
pub fn aim(last: &Picture) -> Option<&str> {
    last.notes.iter().flatten().find_map(|sign| Some(sign.text.split_once(" wins with ")?.1))
}

/// Returns a name of a bot's inputs in words.
pub fn plain(name: &str) -> String {
    name.replace('_', " ")
}

/// Returns a move's value; `None` if only bounds are known.
pub fn value(of: &MoveAnalysis<String>) -> Option<f64> {
    let [low, high] = of.value;
    (low.is_finite() && low == high).then_some(low)
}

/// The way in which the values of an analysis are shown: as percentages if they are probabilities of winning.
pub struct Scale {
    /// The name of the values.
    pub name: &'static str,
    pub factor: f64,
    /// Number of decimal places: values are estimates, so they have about two digits.
    pub digits: usize,
    pub sign: &'static str,
}

impl Scale {
    pub fn of(analysis: &Analysis<String>) -> Scale {
        let values = analysis.moves.iter().flat_map(|of| of.value).filter(|value| value.is_finite());
        let most = values.fold(0.0_f64, |most, value| most.max(value.abs()));
        match analysis.unit {
            unit if SHARES.contains(&unit) => {
                // In a lost position, only the decimal place tells the moves apart.
                let digits = usize::from(most > 0.0 && most < SMALL_SHARE);
                Scale { name: "win chance", factor: 100.0, digits, sign: "%" }
            }
            unit => {
                let name = if unit.is_empty() { "value" } else { unit };
                let digits = if most < 10.0 { 2 } else { 1 };
                Scale { name, factor: 1.0, digits, sign: "" }
            }
        }
    }

    /// Returns the least difference between the values with the weakest and the strongest shade on a board. The weakest
    /// shade never stands for less than a certain loss.
    pub fn span(&self, values: &[Option<f64>]) -> f64 {
        let most = values.iter().flatten().copied().fold(0.0, f64::max);
        self.notable().min(if self.sign.is_empty() { f64::INFINITY } else { most })
    }

    /// Returns the least difference between two shown values that matters.
    pub fn notable(&self) -> f64 {
        match self.name {
            "win chance" => 5.0,
            "points" => 0.5,
            "lead from -1 to 1" => 0.1,
            _ => 0.0,
        }
    }

    /// Rounds a value to the digits that the page shows.
    pub fn rounded(&self, value: f64) -> f64 {
        (value * self.factor * 10_f64.powi(self.digits as i32)).round()
    }

    /// Describes the values.
    pub fn meaning(&self) -> String {
        match self.name {
            "points" => "lead in points".to_string(),
            name => name.to_string(),
        }
    }

    /// Formats a move's value or its bounds.
    pub fn text(&self, of: &MoveAnalysis<String>) -> String {
        let [low, high] = of.value;
        let text = |value: f64| decimal(self.factor * value, self.digits);
        let sign = self.sign;
        let proven = if of.is_proven { " proven" } else { "" };
        match (low.is_finite(), high.is_finite()) {
            // Only a proven game is certain.
            (true, true) if low == high && !sign.is_empty() && !of.is_proven => match low {
                small if (0.005..SMALL_SHARE).contains(&small) => format!("{:.1}%", 100.0 * small),
                share => percent(share),
            },
            (true, true) if low == high => format!("{}{sign}{proven}", text(low)),
            // Bounds that allow every value say nothing.
            (true, true) if !sign.is_empty() && low <= 0.0 && high >= 1.0 => "–".to_string(),
            (true, true) => format!("{} to {}{sign}{proven}", text(low), text(high)),
            (true, false) => format!("≥ {}{sign}{proven}", text(low)),
            (false, true) => format!("≤ {}{sign}{proven}", text(high)),
            (false, false) => "–".to_string(),
        }
    }
}

/// Returns the value of the position for seat 0 as a number from 0 to 1, or `None` if the unit of the values has no
/// such range.
pub fn share_of_zero(analysis: &Analysis<String>, player: Player) -> Option<f64> {
    let value = value(analysis.moves.first()?)?;
    let own = match analysis.unit {
        unit if SHARES.contains(&unit) => value,
        "lead from -1 to 1" => (1.0 + value) / 2.0,
        _ => return None,
    };
    Some(if player == Player::Zero { own } else { 1.0 - own })
}

/// Returns the bot, the seat and the size of the search.
pub fn headline(analysis: &Analysis<String>, bot: &str, seat: &str) -> String {
    let size = analysis.counts.first().map_or_else(String::new, |&(unit, count)| {
        let depth = if analysis.depth > 0 { format!(", depth {}", analysis.depth) } else { String::new() };
        format!("{depth}, {} {unit} in {:.2} s", grouped(count), analysis.elapsed.as_secs_f64())
    });
    format!("{bot} for {seat}{size}")
}

/// Returns the actions of both players, if this is a move in which both acted at once.
pub fn sides(mv: &str) -> Option<[&str; 2]> {
    mv.strip_prefix("0: ")?.split_once(" | 1: ").map(<[&str; 2]>::from)
}

/// Returns a move in words. If both players acted at once, each player's part keeps its place.
pub fn words(contest: &dyn Contest, mv: &str) -> String {
    match sides(mv) {
        Some([one, other]) => format!("0: {} | 1: {}", contest.move_words(one), contest.move_words(other)),
        None => contest.move_words(mv),
    }
}

/// Returns a player's move in words on one line. Repeated actions are counted.
pub fn repeated_words(contest: &dyn Contest, mv: &str) -> String {
    let words = contest.move_words(mv);
    let times = |times: usize| if times > 1 { format!(" ×{times}") } else { String::new() };
    let actions = repeated(&words).into_iter().map(|(action, count)| format!("{action}{}", times(count)));
    actions.collect::<Vec<_>>().join(" · ")
}

/// Returns the actions of a player, with the number of times that each one is repeated.
pub fn repeated(text: &str) -> Vec<(&str, usize)> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    for action in text.split("; ").map(str::trim) {
        match found.last_mut() {
            Some((last, times)) if *last == action => *times += 1,
            _ => found.push((action, 1)),
        }
    }
    found
}

/// Returns the start of the principal variation.
pub fn line(contest: &dyn Contest, analysis: &Analysis<String>) -> Markup {
    let moves: Vec<String> = analysis.line.iter().take(LINE).map(|mv| words(contest, mv)).collect();
    let more = if analysis.line.len() > LINE { " …" } else { "" };
    html! { @if !moves.is_empty() { p title=(analysis.line.join(", ")) { strong { "Principal variation: " } (moves.join(" · ")) (more) } } }
}

/// Returns the terms of the evaluation and the statistics of the search.
pub fn inputs(analysis: &Analysis<String>) -> Markup {
    html! {
        @if !analysis.inputs.is_empty() {
            details #inputs { summary { "Terms of the evaluation" } dl {
                @for (name, value) in &analysis.inputs {
                    dt { (plain(name)) } dd { (if name.contains("win chance") { percent(*value) } else { estimate(*value) }) }
                }
            } }
        }
        @if !analysis.counts.is_empty() {
            details #counts { summary { "Statistics of the search" } dl {
                @for (name, count) in &analysis.counts { dt { (name) } dd { (grouped(*count)) } }
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::settings::Options;

    /// CodinGame gives more time for the first move, so it says nothing about the later limit.
    #[test]
    fn first_moves_with_a_limit_of_their_own_are_not_the_slowest() {
        let slowest = |game: &str| {
            let text = r#","seed":1,"players":["a","b"],"scores":[0,1],"times_ms":[[900,5,7],[950,3]]}"#;
            slowest(&Record::from_json(&format!(r#"{{"game":"{game}"{text}"#)).unwrap()).unwrap()
        };
        assert_eq!(slowest("uttt"), (0, Duration::from_millis(7)));
        assert_eq!(slowest("box"), (1, Duration::from_millis(950)));
    }

    #[test]
    fn repeated_actions_are_counted() {
        assert_eq!(repeated("WAIT; WAIT ; GROW 1; WAIT"), [("WAIT", 2), ("GROW 1", 1), ("WAIT", 1)]);
        assert_eq!(repeated("one"), [("one", 1)]);
    }

    /// The scale of win chances does not begin below 0%.
    #[test]
    fn the_shades_begin_at_a_certain_loss() {
        let scale = Scale::of(&Analysis { unit: SHARES[0], ..Analysis::of(Vec::new()) });
        let spans = [3.0, 40.0, 0.0].map(|value| scale.span(&[None, Some(value), Some(value)]));
        assert_eq!(spans, [3.0, 5.0, 0.0]);
    }

    /// The best move, a move on the same square and one that was not searched have no rank on the board.
    #[test]
    fn the_next_best_moves_have_ranks() {
        let contest = find("spaghetti").unwrap();
        let picture = contest.judge(1, &mut Options::rules()).unwrap().picture(None);
        let found = |moves: &[(&str, u64)]| {
            let of = |&(mv, effort): &(&str, u64)| MoveAnalysis {
                mv: mv.to_string(),
                value: [0.5; 2],
                is_proven: false,
                effort,
            };
            ranks(contest, &picture, &Analysis::of(moves.iter().map(of).collect()))
        };
        let at = |mv: &str| contest.squares(&picture, mv)[0];
        assert_eq!(
            found(&[("aal", 9), ("abl", 5), ("acl", 4), ("adl", 3)]),
            [(at("abl"), 2), (at("acl"), 3)]
        );
        assert_eq!(found(&[("aal", 9), ("aar", 5), ("acl", 4)]), [(at("acl"), 3)]);
        assert_eq!(found(&[("aal", 9), ("abl", 0)]), []);
    }
}
