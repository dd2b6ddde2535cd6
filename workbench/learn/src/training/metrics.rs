//! The metrics of a training run: one line of JSON per step, in a file that people, charts and pages read.

use anyhow::{Context, Result};
use contender_plot::Curve;
use contender_table::write_whole;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::io::{Read, Write};
use std::path::Path;

/// The name of the file in a training run's folder.
pub const FILE: &str = "metrics.jsonl";

/// Maximum number of bytes that are read from the file.
const MAX_LENGTH: u64 = 64 << 20;

/// The name of the metric for the minutes of running time since the first start.
pub const MINUTES: &str = "minutes";

/// The named numbers of a step, in the order in which they were added.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Metrics(Vec<(String, f64)>);

impl Metrics {
    /// Adds a number.
    pub fn put(&mut self, name: &str, number: f64) {
        self.0.push((name.to_string(), number));
    }

    /// Returns the number with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(known, _)| known == name).map(|&(_, number)| number)
    }

    /// Returns all numbers with their names, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, number)| (name.as_str(), *number))
    }

    /// Appends all numbers of `others`.
    #[must_use]
    pub fn then(mut self, others: Metrics) -> Metrics {
        self.0.extend(others.0);
        self
    }

    /// Formats the numbers as a line of progress: `12.5 min  round 20, value error 0.17`.
    #[must_use]
    pub fn line(&self) -> String {
        let rest = self.0.iter().filter(|(name, _)| name != MINUTES && name != super::PROCESSOR_HOURS);
        let rest = Metrics(rest.cloned().collect());
        format!("{:6.1} min  {rest}", self.get(MINUTES).unwrap_or_default())
    }
}

impl fmt::Display for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, number)) in self.0.iter().enumerate() {
            let text = if number.fract() == 0.0 { number.to_string() } else { format!("{number:.4}") };
            let short =
                if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
            write!(f, "{}{name} {short}", if at > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl Serialize for Metrics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, number)| (name, number)))
    }
}

impl<'de> Deserialize<'de> for Metrics {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Metrics, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Metrics;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("numbers by names")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Metrics, A::Error> {
                let mut metrics = Metrics::default();
                while let Some((name, number)) = map.next_entry()? {
                    // Values that are not finite are `null` in JSON and are left out.
                    metrics.0.extend(Option::<f64>::map(number, |number| (name, number)));
                }
                Ok(metrics)
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

/// Appends a line to the file in a folder.
pub(super) fn append(folder: &Path, metrics: &Metrics) -> Result<()> {
    let path = folder.join(FILE);
    let line = serde_json::to_string(metrics)? + "\n";
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    file.and_then(|mut file| file.write_all(line.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Removes the lines after this number of minutes, because a training run resumes at this time.
pub(super) fn cut(folder: &Path, minutes: f64) -> Result<()> {
    let path = folder.join(FILE);
    let all = read(folder);
    let kept: Vec<&Metrics> =
        all.iter().filter(|line| line.get(MINUTES).is_some_and(|at| at <= minutes)).collect();
    if kept.len() == all.len() {
        return Ok(());
    }
    write_whole(&path, |mut out| {
        for line in kept {
            serde_json::to_writer(&mut out, line)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    })
}

/// Returns the lines of the file in a folder, or an empty list if there is no file. Skips invalid lines.
#[must_use]
pub fn read(folder: &Path) -> Vec<Metrics> {
    let mut text = String::new();
    let file = std::fs::File::open(folder.join(FILE));
    match file.and_then(|file| file.take(MAX_LENGTH).read_to_string(&mut text)) {
        Ok(_) => text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
        Err(_) => Vec::new(),
    }
}

/// The names of metrics that show the progress of a training run, not its quality.
const PLACES: [&str; 6] = [MINUTES, super::PROCESSOR_HOURS, "round", "generation", "epoch", "games"];

/// Returns the metrics in a folder as curves over the minutes of running time. Omits metrics that occur only once.
#[must_use]
pub fn numbers(folder: &Path) -> Vec<Curve> {
    numbers_over(folder, MINUTES)
}

/// Returns the metrics in a folder as curves over another metric, for example `games`. Omits metrics that occur only
/// once.
#[must_use]
pub fn numbers_over(folder: &Path, across: &str) -> Vec<Curve> {
    let mut found: Vec<Curve> = Vec::new();
    for line in read(folder) {
        let Some(place) = line.get(across) else { continue };
        for (name, number) in line.0.into_iter().filter(|(name, _)| !PLACES.contains(&name.as_str())) {
            let at = found.iter().position(|curve| curve.name == name).unwrap_or_else(|| {
                found.push(Curve { name, points: Vec::new() });
                found.len() - 1
            });
            found[at].points.push([place, number]);
        }
    }
    found.retain(|curve| curve.points.len() > 1);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written_and_found_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        assert!(numbers(folder.path()).is_empty());
        for (minutes, share) in [(1.0, 91.25), (2.5, 92.0), (4.0, 93.0)] {
            let mut line = Metrics::default();
            line.put(MINUTES, minutes);
            line.put("round", 20.0 * minutes);
            line.put("against random", share);
            if minutes == 1.0 {
                line.put("once", 0.00004);
                line.put("nothing", f64::INFINITY);
                assert_eq!(line.line(), "   1.0 min  round 20, against random 91.25, once 0, nothing inf");
            }
            append(folder.path(), &line).unwrap();
        }
        let rounds = numbers_over(folder.path(), "round");
        assert_eq!(rounds[0].points[0], [20.0, 91.25]);
        std::fs::OpenOptions::new()
            .append(true)
            .open(folder.path().join(FILE))
            .unwrap()
            .write_all(b"{\"min")
            .unwrap();
        let lines = read(folder.path());
        assert_eq!((lines.len(), lines[0].get("once"), lines[0].get("nothing")), (3, Some(0.00004), None));
        let curve =
            |points: &[[f64; 2]]| [Curve { name: "against random".to_string(), points: points.to_vec() }];
        assert_eq!(numbers(folder.path()), curve(&[[1.0, 91.25], [2.5, 92.0], [4.0, 93.0]]));
        cut(folder.path(), 2.5).unwrap();
        assert_eq!(numbers(folder.path()), curve(&[[1.0, 91.25], [2.5, 92.0]]));
    }
}
