//! Settings with which the bot fails, and a way to avoid them.

use crate::{Duel, PairResult, Space};

/// Number of consecutive batches, each with failures in more than half of its pairs, after which a tuning run is
/// abandoned.
const BAD_BATCHES: u32 = 4;
/// Maximum number of tried points that are remembered. Older points are forgotten.
const REMEMBERED: usize = 2_000;
/// Number of nearest tried points that are considered. If the bot failed at most of these points, it is expected to
/// fail.
const NEAREST: usize = 3;
/// Number of steps from a failing point to a working one.
const STEPS: u32 = 8;

/// The points of a tuning run at which the bot failed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BotFailures {
    /// The latest points that were tried, each with a flag that is set if the bot failed there.
    tried: Vec<(Vec<f64>, bool)>,
    /// For each parameter, its smallest and largest place among all failing points.
    corner: Vec<[f64; 2]>,
    count: usize,
    /// A description of the first failure, with the settings of the bot.
    first: Option<String>,
    /// Number of pairs added.
    pairs: usize,
    bad_batches: u32,
}

impl BotFailures {
    /// Adds the results of a batch.
    pub fn take(&mut self, space: &Space, duels: &[Duel], played: &[PairResult]) {
        self.pairs += played.len();
        let bad = played.iter().filter(|pair| !pair.failed.is_fine() || pair.is_overloaded).count();
        self.bad_batches = if 2 * bad > played.len() { self.bad_batches + 1 } else { 0 };
        self.corner.resize(space.len(), [1.0, 0.0]);
        for (duel, pair) in duels.iter().zip(played).filter(|(_, pair)| !pair.is_overloaded) {
            for (point, words) in duel.points.iter().zip(&pair.failed.0) {
                self.tried.push((point.clone(), words.is_some()));
                let Some(words) = words else { continue };
                self.count += 1;
                for ([low, high], &place) in self.corner.iter_mut().zip(point) {
                    (*low, *high) = (low.min(place), high.max(place));
                }
                self.first.get_or_insert_with(|| format!("{} with {}", words, space.text(point)));
            }
        }
        let old = self.tried.len().saturating_sub(REMEMBERED);
        self.tried.drain(..old);
    }

    /// Returns whether the bot has never failed.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns whether the bot fails so often that the tuning run cannot continue.
    pub fn are_too_many(&self) -> bool {
        self.bad_batches >= BAD_BATCHES
    }

    /// If the bot is expected to fail at one point of the duel, moves this point towards the other point. The direction
    /// between the points does not change, because the pair measures the difference between them.
    pub fn around_duel(&self, space: &Space, duel: Duel) -> Duel {
        match duel.points.each_ref().map(|point| !self.is_empty() && self.fails_at(point)) {
            [false, false] => duel,
            [true, false] => {
                let [a, b] = duel.points;
                Duel { points: [self.moved(space, &a, &b), b] }
            }
            [false, true] => {
                let [a, b] = duel.points;
                Duel { points: [a.clone(), self.moved(space, &b, &a)] }
            }
            [true, true] => Duel { points: duel.points.map(|point| self.around(space, point)) },
        }
    }

    /// Returns the point itself or, if the bot is expected to fail there, a point on the way to the nearest point that
    /// worked.
    pub fn around(&self, space: &Space, point: Vec<f64>) -> Vec<f64> {
        if self.is_empty() || !self.fails_at(&point) {
            return point;
        }
        let worked = self.tried.iter().filter(|(_, failed)| !failed);
        let nearest = worked.min_by(|a, b| distance(&a.0, &point).total_cmp(&distance(&b.0, &point)));
        nearest.map_or_else(|| point.clone(), |(worked, _)| self.moved(space, &point, worked))
    }

    /// Returns the first point, in steps from `point` to `to`, at which the bot is not expected to fail.
    fn moved(&self, space: &Space, point: &[f64], to: &[f64]) -> Vec<f64> {
        let step = |step: u32| {
            let share = f64::from(step) / f64::from(STEPS);
            let places = point.iter().zip(to).map(|(from, to)| from + share * (to - from));
            space.settle(&places.collect::<Vec<_>>())
        };
        (1..STEPS).map(step).find(|place| !self.fails_at(place)).unwrap_or_else(|| to.to_vec())
    }

    fn fails_at(&self, place: &[f64]) -> bool {
        let mut nearest: Vec<(f64, bool)> =
            self.tried.iter().map(|(point, failed)| (distance(point, place), *failed)).collect();
        if nearest.len() < NEAREST {
            return false;
        }
        nearest.select_nth_unstable_by(NEAREST - 1, |a, b| a.0.total_cmp(&b.0));
        2 * nearest[..NEAREST].iter().filter(|(_, failed)| *failed).count() > NEAREST
    }

    /// Describes the failures: how many there were, the first one, and the parameter whose failing values are closest
    /// together.
    pub fn in_words(&self, space: &Space) -> String {
        if self.is_empty() {
            return "in most pairs, a bot lost on time while the machine was busy\n\
                    hint: set a longer `time` in the recipe, or play fewer games at a time (`--jobs 1`)"
                .to_string();
        }
        let first = self.first.as_deref().unwrap_or("no details are recorded");
        // The failing values of a parameter are reported only if they cover less than three quarters of its range.
        let corner =
            self.corner.iter().enumerate().filter(|(_, [low, high])| self.count > 2 && high - low < 0.75);
        let corner = corner.min_by(|(_, a), (_, b)| (a[1] - a[0]).total_cmp(&(b[1] - b[0])));
        let corner = corner.map_or(String::new(), |(at, &[low, high])| {
            let parameter = &space.parameters[at];
            format!(
                "; all of them with `{}` from {} to {}",
                parameter.name,
                parameter.text(low),
                parameter.text(high)
            )
        });
        let count = self.count;
        let times = if count == 1 { "once" } else { &format!("{count} times") };
        format!("the bot failed {times} in {} pairs{corner}. The first: {first}", self.pairs)
    }
}

/// Returns the square of the distance between two points.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    #[test]
    fn a_point_in_a_failing_corner_is_moved_out_and_others_stay() {
        let space = Space::plain(2);
        let mut failures = BotFailures::default();
        let places = [0.1, 0.3, 0.5, 0.7, 0.9];
        for x in places {
            for y in places {
                let fails = x > 0.6 && y > 0.6;
                let failed = Outcome([fails.then(|| "crash".to_string()), None]);
                let duel = Duel { points: [vec![x, y], vec![0.5, 0.5]] };
                failures.take(&space, &[duel], &[PairResult { failed, ..PairResult::default() }]);
            }
        }
        let around = |point: [f64; 2]| failures.around(&space, point.to_vec());
        for stays in [[0.95, 0.2], [0.5, 0.95], [0.2, 0.2]] {
            assert_eq!(around(stays), space.settle(&stays));
        }
        let moved = around([0.95, 0.95]);
        assert!(moved.iter().any(|place| *place <= 0.6), "{moved:?}");
        assert!(!failures.are_too_many());
        assert!(
            failures.in_words(&space).starts_with("the bot failed 4 times in 25 pairs; all of them with `p")
        );
    }
}
