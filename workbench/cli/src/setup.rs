//! Converts command-line arguments to the types that the other crates expect. Invalid arguments cause a [`UsageError`].

use crate::arguments::two_numbers;
use crate::error::UsageError;
use crate::remote::On;
use anyhow::Context;
use clap::Args as ClapArgs;
use contender_arena::MatchEnd;
use contender_catalogue::{find, unknown_game};
use contender_foreign::ExternalReferee;
use contender_game::{contest::Contest, rules::Player, settings::Options};
use contender_play::Host;
use contender_referee::checker::Checker;
use contender_referee::{
    ConditionArgs, ContestHost, Entrant, Isolation, ParallelGames, Processes, Referee, TimeSetting,
    bundled_bot, judging_bot, with_distinct_names,
};
use contender_stats::{MIN_PAIRS, SequentialTest};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Creates a referee with the conditions that the user chose.
pub fn referee(contest: &dyn Contest, conditions: &ConditionArgs) -> anyhow::Result<Referee> {
    Ok(conditions.referee(contest).map_err(UsageError::new)?)
}

/// The options for an external referee.
#[derive(ClapArgs, Clone, Debug, Default)]
pub struct External {
    /// External referee: a name from `contender referee list`, or a command (`"java -jar referee.jar"`)
    #[arg(long, value_name = "REFEREE")]
    pub referee: Option<String>,
    /// With --referee: CodinGame league whose rules apply [default: the last league, with all rules]
    #[arg(long, value_name = "N", requires = "referee", value_parser = clap::value_parser!(u32).range(1..20))]
    pub league: Option<u32>,
    /// With --referee: maximum duration of a game; a longer game has no result [default: 200s]
    #[arg(long, value_name = "TIME", requires = "referee", value_parser = humantime::parse_duration)]
    pub game_time: Option<Duration>,
    /// Number of times that a game is retried if the referee fails [default: 1]
    #[arg(long, value_name = "N", requires = "referee", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub retries: Option<u32>,
    /// Folder for the logs that the external referee writes, one per game
    #[arg(long, value_name = "FOLDER", requires = "referee")]
    pub logs: Option<PathBuf>,
}

impl External {
    /// Opens the external referee, if the user named one. `time` is a bot's time per turn.
    pub fn open(&self, time: Option<TimeSetting>) -> anyhow::Result<Option<ExternalReferee>> {
        let Some(text) = &self.referee else { return Ok(None) };
        let (referee, installed) = contender_foreign::open(text).map_err(UsageError::new)?;
        let turn = installed.and_then(|installed| installed.times.turn_ms).map(Duration::from_millis);
        let time = match time {
            None => None,
            Some(TimeSetting::Fixed(time)) => Some(time),
            Some(TimeSetting::Share(share)) => {
                Some(turn.map(|turn| turn.mul_f64(share)).ok_or_else(|| {
                    let words = "--time: the external referee's time limit is unknown, so a percentage \
                                 cannot be applied";
                    UsageError(format!("{words}\nhint: give a time, for example `--time 100ms`"))
                })?)
            }
        };
        let mut referee = referee.with(self.league, time).map_err(UsageError::new)?;
        referee.limit = self.game_time.unwrap_or(referee.limit);
        referee.retries = self.retries.unwrap_or(referee.retries);
        if let Some(folder) = &self.logs {
            std::fs::create_dir_all(folder)
                .map_err(|error| UsageError(format!("{}: {error}", folder.display())))?;
            referee.logs = Some(folder.canonicalize()?);
        }
        Ok(Some(referee))
    }
}

/// The players and the referee of a series.
pub struct Opened {
    /// The contest, or `None` with an external referee.
    pub contest: Option<&'static dyn Contest>,
    pub host: Box<dyn Host>,
    pub bots: Vec<Entrant>,
    /// Number of games at a time.
    pub jobs: usize,
}

/// The options shared by all commands that play a series of games and report on it.
#[derive(ClapArgs)]
pub struct SeriesOptions {
    #[command(flatten)]
    pub external: External,
    #[command(flatten)]
    pub jobs: ParallelGames,
    #[command(flatten)]
    pub conditions: ConditionArgs,
    #[command(flatten)]
    pub processes: Processes,
    #[command(flatten)]
    pub on: On,
    /// Maximum number of times to replay a game that a bot lost on time because the machine was busy
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub rematch: u32,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Do not show progress
    #[arg(short, long)]
    pub quiet: bool,
}

impl SeriesOptions {
    /// Opens the game and the bots that are named on the command line; with `--referee`, only bots are named. `kept_in`
    /// is the file in which the games are stored. The closure `change` adjusts the conditions of a contest.
    pub fn open(
        &self,
        words: &[String],
        kept_in: Option<&Path>,
        change: impl FnOnce(&mut Referee),
    ) -> anyhow::Result<Opened> {
        if let Some(mut referee) = self.external.open(self.conditions.time)? {
            self.refuse_options_of_contests()?;
            referee.rematches = self.rematch;
            let bots = external_bots(words)?;
            let jobs = self.on.jobs(self.jobs).count();
            let host = self.on.host(Box::new(referee), kept_in)?;
            return Ok(Opened { contest: None, host, bots, jobs });
        }
        let (game, texts) = words.split_first().ok_or_else(|| UsageError("no game given".to_string()))?;
        let contest = find(game).ok_or_else(|| UsageError(unknown_game(game)))?;
        let bots = entrants(contest, texts)?;
        let mut referee = self.referee(contest, &bots)?;
        change(&mut referee);
        let host = self.on.host(Box::new(ContestHost { contest, referee }), kept_in)?;
        Ok(Opened { contest: Some(contest), host, bots, jobs: self.jobs.count() })
    }

    /// Checks that no option conflicts with an external referee, and returns an error otherwise.
    fn refuse_options_of_contests(&self) -> anyhow::Result<()> {
        self.on.has_own_clock()?;
        let SeriesOptions { conditions, processes, .. } = self;
        let given = [
            (
                "--nodes",
                conditions.nodes.is_some(),
                "the referee starts the bots itself\nhint: add `{nodes}` to the bots' commands",
            ),
            (
                "--setup",
                !conditions.rules.is_empty(),
                "the referee defines its own rule variants\nhint: select a variant with `--league N`",
            ),
            ("--openings", conditions.openings.is_some(), "the referee chooses the setup from the seed"),
            (
                "--isolate",
                processes.isolate,
                "the referee starts the bots itself\nhint: run the whole command in a container",
            ),
            (
                "--memory",
                processes.memory.is_some(),
                "the referee starts the bots itself\nhint: run the whole command in a container",
            ),
            ("--ponder", processes.ponder, "the referee starts and stops the bots itself"),
            ("--in-turn", processes.in_turn, "the referee asks the bots in its own order"),
            ("--no-pin", processes.no_pin, "the referee cannot be pinned to a core"),
        ];
        match given.iter().find(|(_, is_given, _)| *is_given) {
            Some((option, _, why)) => {
                Err(UsageError(format!("{option} has no effect with an external referee: {why}")).into())
            }
            None => Ok(()),
        }
    }

    /// Creates a referee that isolates these bots and assigns games to cores as the user requested. Warns about each
    /// guarantee that this machine cannot give.
    pub fn referee(&self, contest: &dyn Contest, bots: &[Entrant]) -> anyhow::Result<Referee> {
        let (referee, warnings) = self.referee_with_warnings(contest, bots)?;
        warnings.iter().for_each(|sentence| say!("warning: {sentence}"));
        Ok(referee)
    }

    /// Creates the same referee as [`referee`](Self::referee), and returns the warnings instead of printing them.
    pub fn referee_with_warnings(
        &self,
        contest: &dyn Contest,
        bots: &[Entrant],
    ) -> anyhow::Result<(Referee, Vec<String>)> {
        let mut referee = referee(contest, &self.conditions)?;
        referee.conditions.rematches = self.rematch;
        if self.on.on.is_some() {
            put_on(&mut referee, self.processes)?;
            let warnings = referee.untold(contest, bots);
            return Ok((referee, warnings));
        }
        let warnings =
            self.jobs.place(&mut referee, contest, bots, self.processes).map_err(UsageError::new)?;
        Ok((referee, warnings))
    }
}

/// The options of a sequential test between two bots.
#[derive(ClapArgs)]
pub struct Sprt {
    /// Stop when a sequential test decides between a lead of LO or HI, in Elo or points per game
    #[arg(long, value_name = "LO,HI", value_parser = two_numbers, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
    /// Probability that the test accepts HI if LO is true
    #[arg(long, default_value_t = SequentialTest::ERROR_PROBABILITY, requires = "sprt", value_name = "P")]
    pub alpha: f64,
    /// Probability that the test accepts LO if HI is true
    #[arg(long, default_value_t = SequentialTest::ERROR_PROBABILITY, requires = "sprt", value_name = "P")]
    pub beta: f64,
}

impl Sprt {
    /// Returns a test of at most `pairs` pairs, or `None` without `--sprt`.
    pub fn test(&self, pairs: u32) -> anyhow::Result<Option<SequentialTest>> {
        let Some([h0, h1]) = self.sprt else { return Ok(None) };
        if u64::from(pairs) < MIN_PAIRS {
            let words =
                format!("`-n {pairs}` is too low: a sequential test needs at least {MIN_PAIRS} pairs");
            return Err(UsageError(words).into());
        }
        Ok(Some(SequentialTest::new(h0, h1, self.alpha, self.beta).map_err(UsageError::new)?))
    }
}

/// Parses the commands of bots for an external referee and gives each bot a distinct name.
pub fn external_bots(texts: &[String]) -> anyhow::Result<Vec<Entrant>> {
    let bots: Result<Vec<Entrant>, _> = texts.iter().map(|text| Entrant::parse_command(text)).collect();
    Ok(bots.and_then(with_distinct_names).map_err(|error| UsageError(error.to_string()))?)
}

/// Applies the user's options for external bots to a referee, and warns about each limit that this system cannot
/// enforce.
pub fn put_on(referee: &mut Referee, processes: Processes) -> anyhow::Result<()> {
    processes.put_on(referee).map_err(UsageError::new)?;
    for sentence in referee.isolation().map_or(&[][..], Isolation::missing) {
        say!("warning: {sentence}");
    }
    Ok(())
}

/// Checks that a file can be written, so that a command can fail before its work starts.
pub fn writable(path: &Path) -> anyhow::Result<()> {
    contender_table::check_writable(path).map_err(|error| UsageError::from(error).into())
}

/// Opens a log of games for appending.
pub fn open_log(path: &Path) -> anyhow::Result<File> {
    contender_referee::log::append_to(path).with_context(|| format!("cannot write {}", path.display()))
}

/// Returns the exit code that corresponds to the end of a match.
pub fn exit_code(end: &MatchEnd) -> ExitCode {
    match end {
        MatchEnd::Failed { .. } => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

/// Parses a bot.
pub fn entrant(contest: &dyn Contest, text: &str) -> anyhow::Result<Entrant> {
    Entrant::parse(contest, text).map_err(|error| UsageError(error.to_string()).into())
}

/// Parses bots and gives each one a distinct name.
pub fn entrants<'a>(
    contest: &dyn Contest,
    texts: impl IntoIterator<Item = &'a String>,
) -> anyhow::Result<Vec<Entrant>> {
    let bots = texts.into_iter().map(|text| entrant(contest, text)).collect::<anyhow::Result<_>>()?;
    with_distinct_names(bots).map_err(|error| UsageError(error.to_string()).into())
}

/// Returns the name and the options of the named bundled bot, or of the strongest bundled bot if none is named.
pub fn bundled_name(contest: &dyn Contest, text: Option<&str>) -> anyhow::Result<(String, Options)> {
    Ok(bundled_bot(contest, text).map_err(|error| UsageError(error.to_string()))?)
}

/// Returns the bundled bot for judging moves, with its options (see [`judging_bot`]).
pub fn judge_name(contest: &dyn Contest, text: Option<&str>) -> anyhow::Result<(String, Options)> {
    Ok(judging_bot(contest, text).map_err(|error| UsageError(error.to_string()))?)
}

/// Prints the results of `check` for a program that does not answer.
pub fn say_silence(contest: &dyn Contest, referee: Referee, bot: &Entrant, seed: u64, stop: &AtomicBool) {
    let checker = Checker::new(contest, referee, bot, seed).ok();
    if let Some(words) = checker.and_then(|checker| checker.silence(stop)) {
        say!("{} does not answer: {words}", bot.name);
    }
}

/// Parses a seat: its name, or 0 or 1.
pub fn seat(contest: &dyn Contest, text: &str) -> anyhow::Result<Player> {
    let seats = contest.info().seats;
    let is_meant =
        |player: &Player| text == player.index().to_string() || text.eq_ignore_ascii_case(seats[*player]);
    Player::BOTH.into_iter().find(is_meant).ok_or_else(|| {
        let [zero, one] = seats;
        UsageError(format!("unknown seat `{text}` of {}; available: {zero} (0), {one} (1)", contest.name()))
            .into()
    })
}

/// Returns whether the contest belongs to this workspace and is not a custom game.
pub fn is_ours(contest: &dyn Contest) -> bool {
    contender_catalogue::OWN.iter().any(|own| own.info().package == contest.info().package)
}

/// Returns a folder whose `Cargo.toml` gives access to the crate of a game. For a game of this workspace, this is
/// [`workspace`]. For a custom game, it is the given folder, or otherwise the nearest folder (the current one or a
/// parent) whose manifest defines the game's package.
pub fn sources(contest: &dyn Contest, given: Option<&Path>) -> anyhow::Result<PathBuf> {
    if is_ours(contest) {
        return workspace(given);
    }
    let package = contest.info().package;
    let line = format!("name = \"{package}\"");
    let has_package = |folder: &Path| {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml"));
        manifest.is_ok_and(|text| text.lines().any(|found| found.trim() == line))
    };
    let here = std::env::current_dir()?;
    let mut folders = given.map_or_else(|| here.ancestors().collect(), |given| vec![given]).into_iter();
    folders.find(|folder| has_package(folder)).map(Path::to_path_buf).ok_or_else(|| {
        let words = "run this command in the package's folder, or use `--workspace FOLDER`";
        UsageError(format!("cannot find the Cargo.toml of the package `{package}`\nhint: {words}")).into()
    })
}

/// Returns the folder with the sources of the kit and the games. This is the given folder, or otherwise the current
/// folder or one of its parents, or otherwise the folder from which the command was built. In the last case, prints the
/// folder, because the user might expect a different one.
pub fn workspace(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    let has_games = |folder: &Path| folder.join("games").is_dir() && folder.join("kit").is_dir();
    if let Some(given) = given {
        if !has_games(given) {
            return Err(UsageError(format!(
                "{} does not contain the folders `games` and `kit`",
                given.display()
            ))
            .into());
        }
        return Ok(given.to_path_buf());
    }
    let here = std::env::current_dir()?;
    if let Some(found) = here.ancestors().find(|folder| has_games(folder)) {
        return Ok(found.to_path_buf());
    }
    if let Some(installed) = installed_sources().into_iter().find(|folder| has_games(folder)) {
        return Ok(installed);
    }
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).filter(|folder| has_games(folder));
    let built = built.ok_or_else(|| {
        UsageError(
            "cannot find Contender's sources (`games` and `kit`)\nhint: run the command inside a \
             clone of the repository, or use `--workspace FOLDER`"
                .to_string(),
        )
    })?;
    say!("using the sources in {}, from which this command was built", built.display());
    Ok(built.to_path_buf())
}

/// Returns the folders in which a release may contain the sources: next to the command in an unpacked archive, or in
/// the folder for shared files after `scripts/install.sh`.
fn installed_sources() -> Vec<PathBuf> {
    let program = std::env::current_exe().and_then(|program| program.canonicalize()).ok();
    let Some(folder) = program.as_deref().and_then(Path::parent) else { return Vec::new() };
    let shared = folder.parent().map(|folder| folder.join("share/contender/sources"));
    std::iter::once(folder.join("sources")).chain(shared).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args, FromArgMatches};

    #[test]
    fn one_move_takes_the_time_that_is_asked_for() {
        let after = |words: &[&str]| {
            let command = ConditionArgs::augment_args(clap::Command::new("analyse").no_binary_name(true));
            let conditions = ConditionArgs::from_arg_matches(&command.get_matches_from(words)).unwrap();
            let limits = conditions.one_move(Duration::from_secs(1));
            let times = [true, false].map(|is_first| limits.for_turn(is_first));
            assert_eq!((times[0], limits.game), (times[1], None));
            (times[0].map(|time| time.as_millis()), limits.nodes)
        };
        assert_eq!(after(&[]), (Some(1000), None));
        assert_eq!(after(&["--time", "40ms"]), (Some(40), None));
        assert_eq!(after(&["--time", "3s", "--nodes", "5"]), (Some(3000), Some(5)));
        assert_eq!(after(&["--time", "10%"]), (Some(100), None));
        assert_eq!(after(&["--nodes", "5"]), (None, Some(5)));
    }
}
