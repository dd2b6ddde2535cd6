//! What a league plays and how: `league.toml`.

use anyhow::{Context, bail};
use contender_catalogue::find;
use contender_game::{Contest, Limits, Options};
use contender_referee::{Bounds, Isolation, Referee};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The contents of `league.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The game's name.
    pub game: String,
    /// Seed of all luck.
    #[serde(default = "one")]
    pub seed: u64,
    /// In place of the contest's time per game, or per turn where that is what it has: `30s`, `100ms`.
    pub time: Option<String>,
    /// Nodes or iterations per move of bundled bots.
    pub nodes: Option<u64>,
    /// Games at once; one for each core if it is not given.
    pub jobs: Option<u16>,
    /// Keep external programs from the network and from files outside their folder, and bound what they use.
    #[serde(default)]
    pub isolate: bool,
    /// Memory of an external program in MiB.
    pub memory: Option<u64>,
    /// Rule variants.
    #[serde(default)]
    pub rules: std::collections::BTreeMap<String, String>,
    /// Who meets whom.
    #[serde(default)]
    pub matchmaking: Matchmaking,
}

/// What decides who meets whom.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Matchmaking {
    /// Pairs of games that any two bots play before the rest is shared out by what it tells.
    pub min_pairs: u64,
    /// Pairs of games after which two bots do not meet again; no limit if it is not given.
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

/// A league's folder and settings, checked.
pub struct League {
    /// The folder.
    pub folder: PathBuf,
    /// What `league.toml` says.
    pub settings: Settings,
    /// The game.
    pub contest: &'static dyn Contest,
}

const SETTINGS: &str = "league.toml";

impl League {
    /// Makes a new league in a folder, which is made if it does not exist.
    ///
    /// # Errors
    /// A folder that has a league already or cannot be written, in words for the user.
    pub fn create(folder: &Path, contest: &'static dyn Contest) -> anyhow::Result<League> {
        let path = folder.join(SETTINGS);
        if path.exists() {
            bail!("{} exists: there is a league already", path.display());
        }
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        std::fs::write(&path, template(contest))
            .with_context(|| format!("cannot write {}", path.display()))?;
        let league = League::open(folder)?;
        crate::Store::open(&league)?;
        Ok(league)
    }

    /// Opens the league of a folder.
    ///
    /// # Errors
    /// A file that is missing, or settings that make no sense, with their place.
    pub fn open(folder: &Path) -> anyhow::Result<League> {
        let path = folder.join(SETTINGS);
        let text = std::fs::read_to_string(&path).with_context(|| {
            format!("no league here: cannot read {}; `contender league init GAME` makes one", path.display())
        })?;
        let settings: Settings = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            anyhow::anyhow!("{}:{line}: {}", path.display(), error.message())
        })?;
        let contest = find(&settings.game)
            .with_context(|| format!("{}: there is no game `{}`", path.display(), settings.game))?;
        let league = League { folder: folder.to_path_buf(), settings, contest };
        league.referee().with_context(|| path.display().to_string())?;
        Ok(league)
    }

    /// Where the results are.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.folder.join("league.sqlite")
    }

    /// The referee that the settings ask for.
    ///
    /// # Errors
    /// A time or a rule that makes no sense.
    pub fn referee(&self) -> anyhow::Result<Referee> {
        let mut referee = Referee::of(self.contest);
        if let Some(text) = &self.settings.time {
            let time = humantime::parse_duration(text).ok().filter(|time| *time > Duration::ZERO);
            let time = time.with_context(|| {
                format!("time = {text:?}: a time is a number above 0 with a unit, for example \"100ms\"")
            })?;
            referee.limits = match referee.limits {
                limits @ Limits { game: Some(_), .. } => Limits { game: Some(time), ..limits },
                limits => Limits {
                    first_turn: limits.first_turn.map(|first| first.max(time)),
                    turn: Some(time),
                    ..limits
                },
            };
        }
        referee.nodes = self.settings.nodes;
        let mut bounds = if self.settings.isolate { Bounds::strict() } else { Bounds::NONE };
        bounds.memory = self.settings.memory.map(|mib| mib << 20).or(bounds.memory);
        if bounds != Bounds::NONE {
            referee.isolation = Some(Isolation::new(&bounds).context("bots cannot be isolated")?);
        }
        for (key, value) in &self.settings.rules {
            referee.rules.add(key, value).map_err(anyhow::Error::msg)?;
        }
        let mut untaken: Options = referee.rules.clone();
        let judge = self.contest.judge(1, &mut untaken);
        judge.and_then(|_| untaken.finish()).map_err(|error| anyhow::anyhow!("rules: {error}"))?;
        Ok(referee)
    }
}

fn template(contest: &dyn Contest) -> String {
    let mut text = format!(
        r#"# A league of {name}: {about}.
# Bots are added with `contender league add NAME COMMAND` and play with `contender league run`.

game = "{name}"

# All luck follows from it.
seed = 1

# In place of the contest's time per game or per turn.
# time = "100ms"

# Nodes or iterations per move of bundled bots: makes their play reproducible.
# nodes = 1000

# Games at once; one for each core if it is not given.
# jobs = 2

# Keep external programs from the network and from files outside their folder, and bound what they use.
# isolate = true

# Memory of an external program in MiB.
# memory = 1024

# Rule variants.
[rules]
"#,
        name = contest.name(),
        about = contest.about()
    );
    for (name, about) in contest.rule_options() {
        text += &format!("# {name} = \"\"    # {about}\n");
    }
    text += "
[matchmaking]
# Pairs of games that any two bots play before the rest is shared out by what it tells.
min_pairs = 2
# Pairs of games after which two bots do not meet again.
# max_pairs = 500
";
    text
}
