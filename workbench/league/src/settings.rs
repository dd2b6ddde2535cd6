//! The settings of a league, from `league.toml`.

use crate::external::{RefereeCallOptions, open_referee};
use anyhow::{Context, anyhow, bail};
use contender_catalogue::find;
use contender_foreign::ExternalReferee;
use contender_game::contest::Contest;
use contender_input::this_program;
use contender_play::{GameError, Host};
use contender_referee::{
    ConditionArgs, ContestHost, Cores, Processes, Referee, RemoteHost, TimeSetting, Workers,
};
use contender_stats::ratings::MAX_PLAYERS;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The contents of `league.toml`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LeagueSettings {
    /// The name of the game. With a match command, it can be any name.
    pub game: String,
    /// The external referee: a command that plays a game, or the name of an installed referee.
    #[serde(rename = "match")]
    pub match_command: Option<String>,
    /// Maximum duration of a game with the match command.
    pub match_time: Option<String>,
    /// Number of players per game with the match command. The default is the referee's minimum.
    pub players: Option<u8>,
    /// The subfolder of the league in which the match command writes a log of each game. By default, there are no logs.
    pub logs: Option<PathBuf>,
    /// The CodinGame league whose rules apply, if the match command supports leagues. By default, an installed referee
    /// uses its last league.
    pub league: Option<u32>,
    /// The random seed. In the file, it is a signed 64-bit integer or a string.
    #[serde(default = "one", deserialize_with = "contender_play::seed::deserialize")]
    #[cfg_attr(feature = "schema", schemars(with = "contender_play::seed::Form"))]
    pub seed: u64,
    /// The thinking time, instead of the contest's time limits: `30s` or `100ms` per game (or per turn if the contest
    /// limits turns), or `10%` of every limit. For a match command that supports it, this is the minimum time per turn.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub time: Option<TimeSetting>,
    /// Maximum number of nodes or iterations per move of a bundled bot.
    pub nodes: Option<u64>,
    /// Number of games at a time. By default, there is one game per core.
    pub jobs: Option<u16>,
    /// Whether external programs run with limited resources, without network access and without access to files outside
    /// their folder.
    #[serde(default)]
    pub isolate: bool,
    /// Memory limit for an external program, in MiB.
    pub memory: Option<u64>,
    /// Whether external programs may think during their opponents' turns, each on its own core.
    #[serde(default)]
    pub ponder: bool,
    /// Whether simultaneous programs get their questions one after the other.
    #[serde(default)]
    pub in_turn: bool,
    /// Maximum number of times that a game is replayed because a bot lost on time while it had to wait for its core.
    #[serde(default)]
    pub rematch: u32,
    /// The variants of the rules.
    #[serde(default)]
    pub rules: std::collections::BTreeMap<String, String>,
    /// A file of openings in the league's folder, with the rules of one opening on each line. The seed of a pair
    /// selects an opening for both games.
    pub openings: Option<PathBuf>,
    /// The matchmaking settings.
    #[serde(default)]
    pub matchmaking: Matchmaking,
}

/// The settings for matchmaking.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Matchmaking {
    /// Number of pairs of games that every two bots play before matchmaking chooses the most informative pairings.
    pub min_pairs: u64,
    /// Maximum number of pairs of games between two bots. By default, there is no limit.
    pub max_pairs: Option<u64>,
}

impl Default for Matchmaking {
    fn default() -> Matchmaking {
        Matchmaking { min_pairs: 2, max_pairs: None }
    }
}

fn one() -> u64 {
    1
}

/// A league's folder and its checked settings.
pub struct League {
    /// The folder, as an absolute path.
    pub folder: PathBuf,
    /// The settings in `league.toml`.
    pub settings: LeagueSettings,
    /// The contest, if the built-in referee plays the games.
    contest: Option<&'static dyn Contest>,
    /// The external referee, if the built-in referee does not play the games.
    external: Option<Box<ExternalReferee>>,
    /// The other machines that play the games, if there are any.
    workers: Option<Arc<dyn Workers>>,
}

const SETTINGS: &str = "league.toml";

impl League {
    /// Creates a new league in a folder. Creates the folder if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the folder already contains a league, if it cannot be written, or if the settings are
    /// invalid.
    pub fn create(folder: &Path, new: NewLeagueGame<'_>) -> anyhow::Result<League> {
        let text = match new {
            NewLeagueGame::Contest(contest) => template(contest),
            NewLeagueGame::Command { game, command } => command_template(game, command),
        };
        let path = folder.join(SETTINGS);
        if path.exists() {
            bail!("{} already exists: this folder already contains a league", path.display());
        }
        // Invalid settings are refused before anything is written.
        checked(&text, folder).map_err(|(_, error)| error)?;
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        League::open(folder)
    }

    /// Opens the league in a folder.
    ///
    /// # Errors
    /// Returns an error if a file is missing, or if a setting is invalid. The error contains the line number of the
    /// setting.
    pub fn open(folder: &Path) -> anyhow::Result<League> {
        let path = folder.join(SETTINGS);
        let text = contender_input::read_text(&path).map_err(|error| {
            let (path, program) = (path.display(), this_program());
            let hint = format!("hint: create a league with `{program} league init GAME`");
            anyhow!("this folder contains no league: cannot read {path}: {error}\n{hint}")
        })?;
        let (settings, referee) = checked(&text, folder).map_err(|(line, error)| {
            let line = line.map_or(String::new(), |line| format!(":{line}"));
            error.context(format!("{}{line}", path.display()))
        })?;
        // Bots and builds run in this folder, so it must not be relative to the user's current folder.
        let folder = folder.canonicalize().with_context(|| folder.display().to_string())?;
        let (contest, external) = match referee {
            Refereed::Here(contest) => (Some(contest), None),
            Refereed::Elsewhere(mut referee) => {
                referee.within = Some(folder.clone());
                (None, Some(referee))
            }
        };
        Ok(League { folder, settings, contest, external, workers: None })
    }

    /// Changes a setting of the league at the top of `league.toml`. Comments and all other settings stay. `value` is
    /// written as TOML.
    ///
    /// # Errors
    /// Returns an error if the value is invalid or the file cannot be written.
    pub fn change_setting(folder: &Path, key: &str, value: &str) -> anyhow::Result<()> {
        let path = folder.join(SETTINGS);
        let text = contender_input::read_text(&path).with_context(|| path.display().to_string())?;
        let text = with_setting(&text, key, value);
        checked(&text, folder).map_err(|(_, error)| error.context(format!("{key} = {value}")))?;
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Lets other machines play the games.
    ///
    /// # Errors
    /// Returns an error if the games can only be played on this machine.
    pub fn play_on(&mut self, workers: Arc<dyn Workers>) -> Result<(), GameError> {
        if let Some(referee) = &self.external {
            RemoteHost::new(&**referee as &dyn Host, Arc::clone(&workers))?;
        }
        self.workers = Some(workers);
        Ok(())
    }

    /// Returns the path of the results file.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.folder.join("league.sqlite")
    }

    /// Returns the contest, if the built-in referee plays the games.
    #[must_use]
    pub fn contest(&self) -> Option<&'static dyn Contest> {
        self.contest
    }

    /// Returns the number of bots in a game.
    #[must_use]
    pub fn players(&self) -> usize {
        let least = self.external.as_ref().map_or(2, |referee| (*referee.seats.start()).max(2));
        self.settings.players.map_or(least, usize::from)
    }

    /// Calls `act` with the host for the league's games, for a runner that plays `jobs` games at a time.
    ///
    /// # Errors
    /// Returns an error if the settings are no longer valid, for example because a file of openings has been deleted.
    pub(crate) fn with_host<T>(
        &self,
        jobs: usize,
        act: impl FnOnce(&dyn Host) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let of_contest;
        let host: &dyn Host = match (&self.external, self.contest) {
            (Some(referee), _) => referee.as_ref(),
            (None, contest) => {
                let contest = contest.context("a league has a contest or an external referee")?;
                let mut referee = self.settings.referee(contest, &self.folder)?;
                // Each game gets its own core, if there are enough cores.
                let cores = Cores::new();
                referee.resources.cores = (jobs <= cores.free()).then_some(cores);
                of_contest = ContestHost { contest, referee };
                &of_contest
            }
        };
        match &self.workers {
            Some(workers) => act(&RemoteHost::new(host, Arc::clone(workers)).map_err(anyhow::Error::msg)?),
            None => act(host),
        }
    }
}

/// The referee selected by the settings.
pub(crate) enum Refereed {
    Here(&'static dyn Contest),
    Elsewhere(Box<ExternalReferee>),
}

/// Returns the text of `league.toml` with a changed setting before the first section. The setting replaces its old
/// line, or the comment that shows it.
fn with_setting(text: &str, key: &str, value: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let top = lines.iter().position(|line| line.trim_start().starts_with('[')).unwrap_or(lines.len());
    let has_key = |line: &str| {
        line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let own = lines[..top].iter().position(|line| has_key(line));
    let shown = || lines[..top].iter().position(|line| line.strip_prefix("# ").is_some_and(has_key));
    let line = format!("{key} = {value}");
    let (at, replaced) = own.or_else(shown).map_or((top, 0), |at| (at, 1));
    let (before, after) = (&lines[..at], &lines[at + replaced..]);
    [before, &[line.as_str()], after].concat().join("\n") + "\n"
}

/// Parses and checks the settings of a league in this folder. Returns the settings and the referee. An error contains
/// the line of the invalid setting, if it is known.
fn checked(text: &str, folder: &Path) -> Result<(LeagueSettings, Refereed), (Option<usize>, anyhow::Error)> {
    let settings: LeagueSettings = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        (Some(line), anyhow::Error::msg(error.message().to_string()))
    })?;
    let host = settings.host(folder).map_err(|error| (None, error))?;
    Ok((settings, host))
}

impl LeagueSettings {
    /// Opens the referee of a league in this folder.
    pub(crate) fn host(&self, folder: &Path) -> anyhow::Result<Refereed> {
        if let Some(command) = &self.match_command {
            return self.command(command, folder);
        }
        let contest = find(&self.game).with_context(|| {
            format!(
                "unknown game `{}`\nhint: for a game that is not part of Contender, set `match` in \
                 league.toml",
                self.game
            )
        })?;
        if self.players.is_some_and(|players| players != 2) {
            bail!("players: {} is a game for two players", self.game);
        }
        self.referee(contest, folder)?;
        Ok(Refereed::Here(contest))
    }

    fn command(&self, command: &str, folder: &Path) -> anyhow::Result<Refereed> {
        let time = self.match_time.as_deref().unwrap_or("60s");
        let time = humantime::parse_duration(time).ok().filter(|time| *time > Duration::ZERO);
        let logs = self.logs.as_ref().map(|logs| folder.join(logs));
        let options = RefereeCallOptions {
            league: self.league,
            time: self.time,
            logs: logs.as_deref(),
            rematches: self.rematch,
        };
        let most = MAX_PLAYERS;
        if self.players.is_some_and(|players| !(2..=most).contains(&usize::from(players))) {
            bail!("players: expected 2 to {most} with a match command");
        }
        let time = time.context("match_time: expected a number above 0 with a unit, for example \"60s\"")?;
        let referee = open_referee(command, time, folder, options).context("match")?;
        if let Some(players) =
            self.players.map(usize::from).filter(|players| !referee.seats.contains(players))
        {
            let (least, most) = (referee.seats.start(), referee.seats.end());
            bail!("players: {players} per game, but the referee takes {least} to {most}");
        }
        Ok(Refereed::Elsewhere(Box::new(referee)))
    }

    /// Returns the built-in referee for a league in this folder, configured with these settings. Isolated bots cannot
    /// read the league's files.
    ///
    /// # Errors
    /// Returns an error if a number, a rule or a file of openings is invalid.
    pub fn referee(&self, contest: &dyn Contest, folder: &Path) -> anyhow::Result<Referee> {
        let rules = self.rules.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let openings = self.openings.as_ref().map(|file| folder.join(file));
        let conditions =
            ConditionArgs { time: self.time, nodes: self.nodes, seed: self.seed, rules, openings };
        let processes = Processes {
            isolate: self.isolate,
            memory: self.memory,
            ponder: self.ponder,
            in_turn: self.in_turn,
            no_pin: false,
        };
        let hidden = ["league.", "runner-", "sources"].map(|name| folder.join(name)).to_vec();
        let isolation = processes.isolation_but(hidden).map_err(anyhow::Error::msg)?;
        let mut referee = conditions.referee(contest).map_err(anyhow::Error::msg)?;
        referee.isolate(isolation);
        Ok(referee.with(|conditions| {
            conditions.ponder = self.ponder;
            conditions.in_turn = self.in_turn;
            conditions.rematches = self.rematch;
        }))
    }
}

/// The game of a new league.
#[derive(Clone, Copy)]
pub enum NewLeagueGame<'a> {
    /// A game that Contender knows.
    Contest(&'a dyn Contest),
    /// Any game, which a match command plays.
    Command {
        /// The name of the game.
        game: &'a str,
        /// The command.
        command: &'a str,
    },
}

fn command_template(game: &str, command: &str) -> String {
    let program = this_program();
    let quoted = |text: &str| toml::Value::from(text).to_string();
    format!(
        r#"# A league for a game with an external referee.
# Bots are added with `{program} league add NAME COMMAND` and play with `{program} league run`.

game = {game}

# The referee of a game: the name of one that was added with `{program} referee add`, or a command that plays one game and
# prints one score per line or {{"ranks": [...]}}. The command takes -p1, -p2 and -seed like CodinGame's referees, or has
# placeholders: %P1% and %P2% for the bots' names, {{P1}} and {{P2}} for their commands, %SEED% for the seed.
match = {command}

# Number of players per game; by default the referee's minimum. Every set of bots plays one game in each rotation of the
# seats.
# players = 2

# Subfolder of the league for the referee's own log of each game (-l).
# logs = "logs"

# Maximum time of a game; a longer game is stopped and has no result.
match_time = "60s"

# CodinGame's league and the minimum time per turn, if the referee accepts them. By default, this is the last league and
# the challenge's own time.
# league = 3
# time = "100ms"

# Maximum number of replays of a game that a bot lost on time because the machine was busy.
# rematch = 1

# Random seed, from which all others follow.
seed = 1

# Number of games at a time; by default one per core.
# jobs = 2

[matchmaking]
# Pairs of games between any two bots before matchmaking chooses the most informative pairings.
min_pairs = 2
# Maximum number of pairs of games between two bots.
# max_pairs = 500
"#,
        game = quoted(game),
        command = quoted(command)
    )
}

fn template(contest: &dyn Contest) -> String {
    let program = this_program();
    let mut text = format!(
        r#"# A league of {name}: {about}.
# Bots are added with `{program} league add NAME COMMAND` and play with `{program} league run`.

game = "{name}"

# Random seed, from which all others follow.
seed = 1

# Thinking time per game or per turn instead of the contest's; "10%" is a share of all its limits.
# time = "100ms"

# Nodes or iterations per move of bundled bots: makes their play reproducible.
# nodes = 1000

# Number of games at a time; by default one per core.
# jobs = 2

# Isolate external bots: no network, no files outside their folder, limited resources.
# isolate = true

# Memory limit of an external bot, in MiB.
# memory = 1024

# Let external bots think in their opponents' time; each then needs its own core.
# ponder = true

# Let simultaneous bots think one after the other, each alone on the core.
# in_turn = true

# Maximum number of replays of a game that a bot lost on time because the machine was busy.
# rematch = 3

# File of openings in this folder, one setup per line (`start=216534 colours=12`); each pair of games draws one.
# openings = "openings.txt"

# Start position and rule variants.
[rules]
"#,
        name = contest.name(),
        about = contest.info().about
    );
    for rule in (contest.info().rules)() {
        text += &format!("# {} = \"\"    # {rule}\n", rule.name);
    }
    text += "\n[matchmaking]\n# Pairs of games between any two bots before matchmaking chooses the \
             most informative pairings.\nmin_pairs = 2\n# Maximum number of pairs of games between \
             two bots.\n# max_pairs = 500\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_setting_replaces_its_line() {
        let text = "game = \"uttt\"\n# time = \"100ms\"\ntimes = 1\n\n[rules]\ntime = \"1s\"\n";
        let with = |text: &str, key| with_setting(text, key, "\"2s\"");
        let changed = "game = \"uttt\"\ntime = \"2s\"\ntimes = 1\n\n[rules]\ntime = \"1s\"\n";
        assert_eq!(with(text, "time"), changed);
        assert_eq!(with(&changed.replace("2s", "7s"), "time"), changed);
        // A setting that the file does not show goes before the first section.
        assert_eq!(with("a = 1\n[b]\n", "c"), "a = 1\nc = \"2s\"\n[b]\n");
        let folder = tempfile::tempdir().unwrap();
        let contest = find("uttt").unwrap();
        League::create(folder.path(), NewLeagueGame::Contest(contest)).unwrap();
        League::change_setting(folder.path(), "rematch", "3").unwrap();
        League::change_setting(folder.path(), "time", "\"200%\"").unwrap();
        let settings = League::open(folder.path()).unwrap().settings;
        assert_eq!((settings.rematch, settings.time), (3, Some(TimeSetting::Share(2.0))));
        assert!(League::change_setting(folder.path(), "time", "\"soon\"").is_err());
        assert_eq!(League::open(folder.path()).unwrap().settings.time, Some(TimeSetting::Share(2.0)));
    }
}
