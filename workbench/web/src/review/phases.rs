//! The phases of the game in which the player loses most.

use super::job::Results;
use maud::{Markup, html};

/// Part of all losses that may be left out at each end of the phases.
const END: f64 = 0.01;
/// Number of phases into which a game is divided.
const PHASES: usize = 8;
/// Minimum share of the loss in the costliest phases.
const MOST: f64 = 0.5;
/// Minimum share of the loss in the costliest phases, relative to that of an even loss.
const CLEAR: f64 = 1.5;

/// A phase of the game, and its share of the total loss.
pub struct Phase {
    /// The numbers of its first and its last move.
    first: usize,
    last: usize,
    pub share: f64,
}

/// The adjacent phases in which the player loses most.
pub enum Costliest {
    /// A few phases have most of the loss.
    Few(Phase),
    /// No few phases have most of the loss. These have more than any others.
    Even(Phase),
}

impl Phase {
    pub fn moves(&self) -> String {
        let Phase { first, last, .. } = self;
        if first == last { format!("move {first}") } else { format!("moves {first}–{last}") }
    }
}

/// Returns the first move at which the losses add up to more than `least`.
fn end<'a>(mut losses: impl Iterator<Item = &'a (usize, f64)>, least: f64) -> Option<usize> {
    let mut sum = 0.0;
    let (turn, _) = losses.find(|(_, cost)| {
        sum += cost;
        sum > least
    })?;
    Some(*turn)
}

/// Divides the moves of the judged games into phases, from the first to the last move with a loss. The moves at both
/// ends whose losses together are a small part of all losses belong to no phase.
pub fn phases(results: &Results) -> Vec<Phase> {
    let mut sorted: Vec<(usize, f64)> =
        results.losses.iter().copied().filter(|(_, cost)| *cost > 0.0).collect();
    sorted.sort_by_key(|(turn, _)| *turn);
    let most = END * sorted.iter().map(|(_, cost)| cost).sum::<f64>();
    let (Some(first), Some(last)) = (end(sorted.iter(), most), end(sorted.iter().rev(), most)) else {
        return Vec::new();
    };
    let losses = || sorted.iter().filter(|(turn, _)| (first..=last).contains(turn));
    let moves = last + 1 - first;
    let length = moves.div_ceil(PHASES);
    let mut sums = vec![0.0; moves.div_ceil(length)];
    for (turn, cost) in losses() {
        sums[(turn - first) / length] += cost;
    }
    let all = sorted.iter().map(|(_, cost)| cost).sum::<f64>().max(1e-9);
    let phase = |(at, sum): (usize, f64)| Phase {
        first: first + at * length,
        last: (first + (at + 1) * length - 1).min(last),
        share: sum / all,
    };
    sums.into_iter().enumerate().map(phase).collect()
}

/// Returns the shortest range of adjacent phases that has most of the loss. It has at most a third of the phases, and
/// clearly more than its part of an even loss. Returns `None` without a loss.
pub fn costliest(phases: &[Phase]) -> Option<Costliest> {
    let longest = phases.len().div_ceil(3);
    let widest = |length: usize| {
        let ranges = phases.windows(length).map(|range| Phase {
            first: range[0].first,
            last: range[length - 1].last,
            share: range.iter().map(|phase| phase.share).sum(),
        });
        ranges.max_by(|one, other| one.share.total_cmp(&other.share))
    };
    let is_most = |length: usize, range: &Phase| {
        range.share >= MOST && range.share * phases.len() as f64 >= CLEAR * length as f64
    };
    // A single phase has the whole loss.
    let found = (1..=longest).find_map(|length| {
        widest(length).filter(|range| phases.len() == 1 || is_most(length, range)).map(Costliest::Few)
    });
    found.or_else(|| widest(longest.max(1)).filter(|range| range.share > 0.0).map(Costliest::Even))
}

/// Draws in which phases of the lost games the player lost most.
pub fn by_turn(results: &Results) -> Markup {
    let phases = phases(results);
    let most = phases.iter().map(|phase| phase.share).fold(0.0, f64::max);
    html! {
        @if most > 0.0 {
            h2 { "Moves at which it loses" }
            figure.chart {
                figcaption { "Share of the loss in the judged games, by number of the move" }
                @if !results.stretches.is_empty() {
                    p.legend { "A game that was lost over several moves counts with the moves that its card names, and any other game with all its moves." }
                }
                div.columns.losses {
                    @for phase in &phases {
                        div {
                            span { (format!("{:.0}%", 100.0 * phase.share)) }
                            svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true" {
                                @let height = 100.0 * phase.share / most;
                                rect width="10" y=(format!("{:.1}", 100.0 - height)) height=(format!("{height:.1}")) {}
                            }
                            span { (phase.first) @if phase.last > phase.first { "–" (phase.last) } }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Losses of 0.1 at move 5 and of 0.3 at move 20: with 16 moves, a phase has two moves. The moves without a loss at
    /// both ends belong to no phase.
    #[test]
    fn the_loss_is_divided_into_phases() {
        let losses = vec![(1, 0.0), (5, 0.1), (9, 0.0), (20, 0.3), (90, 0.0)];
        let results = Results { losses, ..Results::default() };
        let found = phases(&results);
        let ends: Vec<[usize; 2]> = found.iter().map(|phase| [phase.first, phase.last]).collect();
        assert_eq!((ends.len(), ends[0], ends[7]), (8, [5, 6], [19, 20]));
        assert!((found[0].share - 0.25).abs() < 1e-9 && (found[7].share - 0.75).abs() < 1e-9);
        assert!(phases(&Results::default()).is_empty());
        // A long end with hardly any loss belongs to no phase.
        let losses = vec![(1, 0.78), (8, 0.22), (98, 0.001)];
        let found = phases(&Results { losses, ..Results::default() });
        assert_eq!((found.len(), found[7].last), (8, 8));
    }

    /// The costliest moves are the shortest adjacent phases with half of the loss, not the highest phase alone.
    #[test]
    fn adjacent_phases_have_most_of_the_loss() {
        let of = |shares: &[f64]| -> Vec<Phase> {
            let phase = |(first, share): (usize, &f64)| Phase { first, last: first, share: *share };
            (1..).zip(shares).map(phase).collect()
        };
        let words = |shares: &[f64]| match costliest(&of(shares)) {
            Some(Costliest::Few(range)) => format!("{} {:.0}%", range.moves(), 100.0 * range.share),
            Some(Costliest::Even(range)) => format!("even, {} {:.0}%", range.moves(), 100.0 * range.share),
            None => String::new(),
        };
        assert_eq!(words(&[0.27, 0.21, 0.22, 0.03, 0.02, 0.03, 0.22]), "moves 1–3 70%");
        assert_eq!(words(&[0.1, 0.1, 0.6, 0.1, 0.05, 0.05]), "move 3 60%");
        assert_eq!(words(&[0.2, 0.1, 0.2, 0.1, 0.2, 0.2]), "even, moves 5–6 40%");
        // Half of the phases have slightly more than half of the loss.
        assert_eq!(words(&[0.26, 0.26, 0.24, 0.24]), "even, moves 1–2 52%");
        assert_eq!((words(&[1.0]), words(&[])), ("move 1 100%".to_string(), String::new()));
    }
}
