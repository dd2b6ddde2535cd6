//! A challenge as CodinGame publishes it: a Maven project with a folder `config/` and Java sources.

use crate::ForeignError;
use std::fs;
use std::path::{Path, PathBuf};

/// The contents of a challenge's folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChallengeProject {
    /// The path of the folder.
    pub folder: PathBuf,
    /// The minimum and maximum number of players.
    pub players: [usize; 2],
    /// Number of leagues. `config/level1` and so on define leagues with simpler rules, and `config` itself defines the
    /// league with all rules.
    pub leagues: u32,
    /// The text of the stub, if the challenge has one.
    pub stub: Option<String>,
    /// The limits that were found in the sources.
    pub times: Times,
}

/// The limits in a challenge's sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Times {
    /// Time limit for the first turn, in milliseconds.
    pub first_turn_ms: Option<u64>,
    /// Time limit for every other turn, in milliseconds.
    pub turn_ms: Option<u64>,
    /// Maximum number of turns.
    pub turns: Option<u64>,
}

/// Maximum number of files that are searched.
const MAX_FILES: usize = 20_000;
/// Maximum size of a file that is searched.
const MAX_BYTES: u64 = 4 << 20;

impl ChallengeProject {
    /// Reads the contents of a folder.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    pub fn open(folder: &Path) -> Result<ChallengeProject, ForeignError> {
        let folder = folder.canonicalize().map_err(ForeignError::file("read", folder))?;
        if !folder.is_dir() {
            return Err(ForeignError::NotAFolder(folder));
        }
        let settings = contender_input::read_text(&folder.join("config/config.ini")).unwrap_or_default();
        let number = |key: &str| {
            let value =
                settings.lines().filter_map(|line| line.split_once('=')).find(|(name, _)| name.trim() == key);
            value.and_then(|(_, value)| value.trim().parse().ok())
        };
        let least = number("min_players").unwrap_or(2).max(1);
        let most = number("max_players").unwrap_or(least).clamp(least, 8);
        let levels = fs::read_dir(folder.join("config")).into_iter().flatten().flatten();
        let leagues = levels.filter(|entry| {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix("level"));
            entry.path().is_dir() && number.is_some_and(|number| number.parse::<u32>().is_ok())
        });
        Ok(ChallengeProject {
            players: [least, most],
            leagues: leagues.count() as u32 + 1,
            stub: contender_input::read_text(&folder.join("config/stub.txt")).ok(),
            times: times(&folder.join("src/main/java")),
            folder,
        })
    }

    /// Returns whether the project has a `pom.xml`, which Maven needs.
    #[must_use]
    pub fn has_pom(&self) -> bool {
        self.folder.join("pom.xml").is_file()
    }
}

fn times(sources: &Path) -> Times {
    let mut times = Times::default();
    let mut folders = vec![sources.to_path_buf()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            files += 1;
            let (path, Ok(facts)) = (entry.path(), entry.metadata()) else { continue };
            if files > MAX_FILES {
                return times;
            }
            // A challenge may include files of the engine, whose default limits are not limits of the challenge.
            if facts.is_dir() && entry.file_name() != "gameengine" {
                folders.push(path);
            } else if path.extension().is_some_and(|suffix| suffix == "java") && facts.len() <= MAX_BYTES {
                let text = contender_input::read_text(&path).unwrap_or_default();
                let argument = |call: &str| {
                    let (_, rest) = text.split_once(call)?;
                    rest.split(')').next()?.trim().replace('_', "").parse().ok()
                };
                times.first_turn_ms = times.first_turn_ms.or(argument("setFirstTurnMaxTime("));
                times.turn_ms = times.turn_ms.or(argument("setTurnMaxTime("));
                times.turns = times.turns.or(argument("setMaxTurns("));
            }
        }
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_tells_players_leagues_and_times() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("config/config.ini", "min_players=2\nmax_players = 4\r\ntype=multi\n");
        write("config/stub.txt", "read x:int\n");
        write("config/level1/Boss.py", "");
        write("config/level2/Boss.py", "");
        write("config/levels.txt", "");
        write(
            "src/main/java/com/game/Referee.java",
            "void init() { m.setTurnMaxTime(50);\n m.setFirstTurnMaxTime( 1_000 ); m.setMaxTurns(MOST); }",
        );
        write("src/main/java/com/gameengine/GameManager.java", "setMaxTurns(3)");
        let project = ChallengeProject::open(folder.path()).unwrap();
        assert_eq!(
            (project.players, project.leagues, project.stub.as_deref()),
            ([2, 4], 3, Some("read x:int\n"))
        );
        assert_eq!(project.times, Times { first_turn_ms: Some(1000), turn_ms: Some(50), turns: None });
        assert!(!project.has_pom());
        assert!(
            ChallengeProject::open(&folder.path().join("nowhere"))
                .unwrap_err()
                .to_string()
                .contains("cannot read")
        );
    }

    #[test]
    fn an_empty_folder_is_a_project_of_two_players() {
        let folder = tempfile::tempdir().unwrap();
        let project = ChallengeProject::open(folder.path()).unwrap();
        assert_eq!((project.players, project.leagues, project.stub), ([2, 2], 1, None));
    }
}
