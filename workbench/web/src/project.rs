//! The project folder. The server shows only files in this folder.

use crate::page::Problem;
use anyhow::Context;
use contender_learn::training::METRICS;
use contender_play::{Record, read_log};
use contender_replay::{Source, is_table_of_games};
use std::io::{BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// Maximum number of files and maximum depth; a larger folder is not a project.
const MAX_COUNT: usize = 20_000;
const MAX_DEPTH: usize = 6;
/// Endings of the names of files that may contain recorded games.
const LOGS: [&str; 4] = [".jsonl", ".jsonl.gz", ".csv", ".csv.gz"];
/// The extension of logs of CodinGame's engine, and keys of which such a log contains one near its start.
const ENGINE_LOG: &str = ".json";
const ENGINE_KEYS: [&str; 2] = ["\"errors\":{", "\"outputs\":{"];
/// The files that tell the kind of a folder.
const LEAGUE: &str = "league.sqlite";
const TRAINING: &str = "checkpoint.json";
const TUNING: &str = contender_tune::LOG;
/// The main page of a challenge's viewer. CodinGame's site also shows this page in a frame.
pub const PLAYER: &str = "player.html";

/// A project folder.
pub struct Project {
    root: PathBuf,
}

/// The contents of a project, the latest first.
#[derive(Default)]
pub struct Contents {
    /// Files that may contain recorded games.
    pub logs: Vec<Entry>,
    /// Logs of single games by CodinGame's engine.
    pub engine_logs: Vec<Entry>,
    /// Folders with a league.
    pub leagues: Vec<Entry>,
    /// Folders of training runs.
    pub trainings: Vec<Entry>,
    /// Folders of tuning runs.
    pub tunings: Vec<Entry>,
    /// Folders that contain the viewer of a challenge.
    pub viewers: Vec<Entry>,
}

/// A file, or the folder that contains it.
pub struct Entry {
    /// The path within the project, with `/` between folders.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change.
    pub modified: Option<SystemTime>,
}

impl Project {
    pub fn open(folder: &Path) -> anyhow::Result<Project> {
        let root = folder.canonicalize().with_context(|| format!("cannot read {}", folder.display()))?;
        anyhow::ensure!(root.is_dir(), "{} is not a folder", folder.display());
        Ok(Project { root })
    }

    /// Returns the project folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the full path of a file, given its path within the project.
    pub fn file(&self, path: &str) -> Result<PathBuf, Problem> {
        let path = Path::new(path);
        let not_there = || Problem::not_found(format!("There is no file {} in the project.", path.display()));
        if !path.components().all(|component| matches!(component, Component::Normal(_))) {
            return Err(not_there());
        }
        // A link may lead out of the project.
        let found = self.root.join(path).canonicalize().map_err(|_| not_there())?;
        if found.starts_with(&self.root) && found.is_file() { Ok(found) } else { Err(not_there()) }
    }

    /// Returns the first game of a log if it is a battle of the site.
    pub fn first_battle(&self, path: &str) -> Option<Record> {
        let file = contender_input::open(&self.file(path).ok()?).ok()?;
        read_log(BufReader::new(file)).next()?.ok().filter(|record| record.battle.is_some())
    }

    /// Returns the path of a file with this name directly in the project folder. The file need not exist.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Returns the name of the project folder.
    pub fn name(&self) -> String {
        self.root.file_name().map_or("/".to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// Returns the full path of a folder in the project that contains this file.
    pub fn folder(&self, path: &str, file: &str) -> Result<PathBuf, Problem> {
        let within = if path.is_empty() { file.to_string() } else { format!("{path}/{file}") };
        let mut found = self.file(&within)?;
        found.pop();
        Ok(found)
    }

    /// Returns the folder of a league.
    pub fn league(&self, path: &str) -> Result<PathBuf, Problem> {
        self.folder(path, LEAGUE)?;
        self.folder(path, "league.toml")
    }

    /// Returns the folder of a training run.
    pub fn training(&self, path: &str) -> Result<PathBuf, Problem> {
        let folder = self.folder(path, TRAINING)?;
        // The other files in it must not be links that lead out of the project.
        for file in [METRICS, "weights.txt"].into_iter().filter(|file| folder.join(file).exists()) {
            self.folder(path, file)?;
        }
        Ok(folder)
    }

    /// Returns the folder of a tuning run.
    pub fn tuning(&self, path: &str) -> Result<PathBuf, Problem> {
        self.folder(path, TUNING)
    }

    /// Returns all contents of the project, the latest first.
    pub fn contents(&self) -> Contents {
        let mut contents = Contents::default();
        let mut left = MAX_COUNT;
        self.walk(&self.root, MAX_DEPTH, &mut left, &mut contents);
        let Contents { logs, engine_logs, leagues, trainings, tunings, viewers } = &mut contents;
        for entries in [logs, engine_logs, leagues, trainings, tunings, viewers] {
            entries.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.path.cmp(&b.path)));
        }
        contents
    }

    fn walk(&self, folder: &Path, depth: usize, left: &mut usize, contents: &mut Contents) {
        // Files that cannot be read are skipped.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(kind) = entry.file_type() else { continue };
            if *left == 0 || name.starts_with('.') {
                continue;
            }
            *left -= 1;
            let path = entry.path();
            if kind.is_dir() && depth > 0 && !matches!(name.as_str(), "target" | "node_modules") {
                self.walk(&path, depth - 1, left, contents);
                continue;
            }
            let (list, shown) = match name.as_str() {
                LEAGUE => (&mut contents.leagues, folder),
                TRAINING => (&mut contents.trainings, folder),
                TUNING => (&mut contents.tunings, folder),
                PLAYER => (&mut contents.viewers, folder),
                _ if LOGS.iter().any(|ending| name.ends_with(ending)) && is_log(&path, &name) => {
                    (&mut contents.logs, &*path)
                }
                _ if kind.is_file() && name.ends_with(ENGINE_LOG) && is_engine_log(&path) => {
                    (&mut contents.engine_logs, &*path)
                }
                _ => continue,
            };
            let (Ok(within), Ok(metadata)) = (shown.strip_prefix(&self.root), entry.metadata()) else {
                continue;
            };
            if kind.is_file() {
                let parts: Vec<_> = within.iter().map(|part| part.to_string_lossy()).collect();
                let (path, modified) = (parts.join("/"), metadata.modified().ok());
                list.push(Entry { path, size: metadata.len(), modified });
            }
        }
    }
}

/// Returns whether a JSON file starts like a log of CodinGame's engine.
fn is_engine_log(path: &Path) -> bool {
    let mut start = [0; 40];
    let read = std::fs::File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
    let start: String = String::from_utf8_lossy(&start[..read]).split_whitespace().collect();
    ENGINE_KEYS.iter().any(|key| start.contains(key))
}

/// Returns whether a file may contain recorded games. A table can contain anything, so its first line decides. The
/// metrics of a training run are not games.
fn is_log(path: &Path, name: &str) -> bool {
    if name == METRICS {
        return false;
    }
    let is_table = name.ends_with(".csv") || name.ends_with(".csv.gz");
    let first = || Source::open(path).and_then(|mut source| source.peek());
    !is_table || first().is_ok_and(|line| is_table_of_games(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out_of_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("project"), folder.path().join("secret.jsonl"));
        std::fs::create_dir_all(inside.join("sub")).unwrap();
        std::fs::write(&outside, "secret").unwrap();
        std::fs::write(inside.join("sub/a.jsonl"), "{}").unwrap();
        std::fs::write(inside.join(".hidden.jsonl"), "{}").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&outside, inside.join("link.jsonl")).unwrap();
        let project = Project::open(&inside).unwrap();
        assert!(project.file("sub/a.jsonl").is_ok());
        let absolute = outside.to_string_lossy().into_owned();
        for path in [
            "../secret.jsonl",
            "sub/../../secret.jsonl",
            &absolute,
            "link.jsonl",
            "sub",
            "",
            ".",
            "/",
            "a\0b",
        ] {
            assert!(project.file(path).is_err(), "{path}");
        }
        std::fs::write(inside.join("sub/data.csv"), "turn,score\n1,2\n").unwrap();
        std::fs::write(inside.join("sub/league.sqlite"), "").unwrap();
        std::fs::write(inside.join("checkpoint.json"), "").unwrap();
        std::fs::write(inside.join("sub").join(METRICS), "{}").unwrap();
        let contents = project.contents();
        let paths = |entries: Vec<Entry>| entries.into_iter().map(|entry| entry.path).collect::<Vec<_>>();
        assert_eq!(paths(contents.logs), ["sub/a.jsonl"]);
        assert_eq!(paths(contents.leagues), ["sub"]);
        assert_eq!(paths(contents.trainings), [""]);
        assert!(project.training("").is_ok() && project.training("sub").is_err());
        assert!(project.league("sub").is_err() && project.league("..").is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outside, inside.join(METRICS)).unwrap();
            assert!(project.training("").is_err());
        }
    }
}
