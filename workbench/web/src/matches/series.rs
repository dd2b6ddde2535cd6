//! A series whose length stays limited, no matter how many items are added.

/// Every n-th item that was added, and the latest item. When the series contains `most` items, every second one is
/// dropped and n doubles. So there are always between `most / 2` and `most` items, at equal distances.
#[derive(Clone)]
pub struct Series<T> {
    most: usize,
    /// The current value of n.
    step: usize,
    count: usize,
    kept: Vec<T>,
    latest: Option<T>,
}

impl<T> Series<T> {
    /// Creates an empty series that keeps at most `most` items (at least two, even if `most` is smaller).
    pub fn new(most: usize) -> Series<T> {
        Series { most: most.max(2), step: 1, count: 0, kept: Vec::new(), latest: None }
    }

    /// Counts the next item. Returns whether the item must be kept with [`keep`](Self::keep).
    pub fn advance(&mut self) -> bool {
        if self.is_due(self.count) && self.kept.len() == self.most {
            self.step *= 2;
            let mut at = 0;
            self.kept.retain(|_| {
                at += 1;
                at % 2 == 1
            });
        }
        self.count += 1;
        self.is_due(self.count - 1)
    }

    /// Adds the item that was just counted.
    pub fn keep(&mut self, item: T) {
        self.kept.push(item);
    }

    /// Sets the latest item, which is always shown.
    pub fn set_latest(&mut self, item: T) {
        self.latest = Some(item);
    }

    fn is_due(&self, place: usize) -> bool {
        place.is_multiple_of(self.step)
    }

    /// Returns the number of added items.
    pub fn count(&self) -> usize {
        self.count
    }

    pub fn latest(&self) -> Option<&T> {
        self.latest.as_ref()
    }

    /// Returns the kept items in the order in which they were added, including the first and the latest.
    pub fn items(&self) -> impl Iterator<Item = &T> {
        let is_kept = self.count > 0 && self.is_due(self.count - 1);
        self.kept.iter().chain(self.latest.as_ref().filter(|_| !is_kept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kept items are the same as if they were chosen from the whole series.
    #[test]
    fn it_stays_short_and_even() {
        for most in [2, 3, 8, 11] {
            let mut series = Series::new(most);
            assert_eq!((series.items().count(), series.latest()), (0, None));
            for count in 1..=3000_usize {
                if series.advance() {
                    series.keep(count - 1);
                }
                series.set_latest(count - 1);
                let step = (0..).map(|power| 1 << power).find(|step| count.div_ceil(*step) <= most).unwrap();
                let mut wanted: Vec<usize> = (0..count).step_by(step).collect();
                if wanted.last() != Some(&(count - 1)) {
                    wanted.push(count - 1);
                }
                assert_eq!(series.items().copied().collect::<Vec<_>>(), wanted, "{count} of {most}");
                assert_eq!((series.count(), series.latest()), (count, Some(&(count - 1))));
            }
        }
    }
}
