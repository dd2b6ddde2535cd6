//! Tests that every bundled bot works with any time limit.
//!
//! A bot derives its use of time from the limits alone. There must be no fixed time in its source, such as a reserve of
//! one second. Then its plan at 1% of the time is its plan at the full time, divided by a hundred. The plans themselves
//! are tested elsewhere: `TimeManager` in `kit/search`, at 1%, 5% and 20%, and the bots with their own plans in their
//! games.

use contender_catalogue::contests;
use std::fs;
use std::path::{Path, PathBuf};

/// Code that turns a number into a time, or a time into a number.
const ABSOLUTE: [&str; 6] =
    ["Duration::from_", "Duration::new", ".as_secs", ".as_millis", ".as_micros", ".as_nanos"];

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, files),
            false if path.extension().is_some_and(|kind| kind == "rs") => files.push(path),
            false => {}
        }
    }
}

/// Returns the lines of a source file, without tests, that contain one of these texts, as `FILE:LINE: TEXT`.
fn lines_with(file: &Path, parts: &[&str]) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap();
    let numbered = (1..).zip(code.lines());
    let found = numbered.filter(|(_, line)| parts.iter().any(|part| line.contains(part)));
    found.map(|(number, line)| format!("{}:{number}: {}", file.display(), line.trim())).collect()
}

#[test]
fn no_bundled_bot_keeps_back_or_takes_an_absolute_time() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut files = Vec::new();
    let mut crates = 0;
    for entry in fs::read_dir(games).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        crates += 1;
        sources(&entry.join("src"), &mut files);
    }
    assert!(crates == contests().len() && files.len() > 50, "{crates} games of {} files", files.len());
    // Only contest.rs contains the limits of the contest.
    let [limits, bots]: [Vec<_>; 2] =
        [true, false].map(|is| files.iter().filter(|file| file.ends_with("contest.rs") == is).collect());
    let found: Vec<String> = bots.iter().flat_map(|file| lines_with(file, &ABSOLUTE)).collect();
    assert!(found.is_empty(), "a time that does not follow from the limits:\n{}", found.join("\n"));
    assert!(limits.iter().all(|file| !lines_with(file, &ABSOLUTE).is_empty()));
}
