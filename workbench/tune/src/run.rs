//! The execution of a tuning run: plays the games, writes the files and reports the progress.

use crate::log::{Found, Header, Writer, read};
use crate::play::PairPlayer;
use crate::report::{self, PlanBasis};
use crate::{Batch, PairResult, Phase, Recipe, TuneMethod, TunedBot, Tuning, Unit};
use anyhow::{Context, Result, anyhow, ensure};
use contender_game::contest::Contest;
use contender_play::{Entrant, Host, RankedBy};
use contender_referee::{ContestHost, ParallelGames, Processes, RemoteHost, Workers};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Seconds between two updates of the report in the run's folder.
const REPORT_SECONDS: f64 = 30.0;

/// The options of a tuning run that are not part of its recipe.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The random seed.
    pub seed: u64,
    /// The folder for the log, the report and the charts.
    pub folder: PathBuf,
    /// Whether to start again, even if the folder contains a tuning run.
    pub is_new: bool,
    /// Whether to only plan the run, without playing games or writing files.
    pub is_plan_only: bool,
    /// Number of games at a time.
    pub jobs: ParallelGames,
    /// The options for external bots.
    pub processes: Processes,
    /// The workers that play the games instead of this machine.
    pub workers: Option<Arc<dyn Workers>>,
}

impl RunOptions {
    /// Returns a host that plays the games on this machine or on the workers.
    fn host<'a>(&self, host: Box<dyn Host + 'a>) -> Result<Box<dyn Host + 'a>> {
        Ok(match &self.workers {
            Some(workers) => Box::new(RemoteHost::new(host, Arc::clone(workers))?),
            None => host,
        })
    }
}

/// An event of a tuning run.
#[derive(Clone, PartialEq, Debug)]
pub enum TuneEvent {
    /// A warning for the user.
    Warning(String),
    /// The tuning run resumes from its folder. The number is the number of games already played.
    GoingOn(u64),
    /// The plan of the run, reported once before the search starts.
    Plan(String),
    /// Some games have been played.
    Progress(PhaseProgress),
}

/// The progress of a phase.
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseProgress {
    /// The phase.
    pub phase: Phase,
    /// Number of games played in the phase.
    pub games: u64,
    /// Total number of games or, for a test, the maximum.
    pub all: u64,
    /// Number of games per second in this run; 0 before the first game.
    pub per_second: f64,
    /// Remaining time of this phase at the current rate.
    pub left: Option<Duration>,
    /// The current values.
    pub figures: String,
}

/// The result of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Finish {
    /// Whether the tuning run is complete. Otherwise it was stopped and can be resumed.
    pub is_finished: bool,
    /// The results.
    pub text: String,
}

/// Checks a tuning run before any game is played.
///
/// # Errors
/// Returns an error if the recipe, its bot or its conditions are invalid, or if the folder belongs to a different
/// recipe or seed.
pub fn check(contest: Option<&dyn Contest>, recipe: &Recipe, order: &RunOptions) -> Result<()> {
    Prepared::new(contest, recipe, order).map(drop)
}

/// A recipe together with the contest's settings and the folder's log.
struct Prepared {
    bot: TunedBot,
    header: Header,
    found: Option<Found>,
}

impl Prepared {
    fn new(contest: Option<&dyn Contest>, recipe: &Recipe, order: &RunOptions) -> Result<Prepared> {
        recipe.check()?;
        let (bot, space) = match contest {
            Some(contest) => TunedBot::read(contest, &recipe.bot, &recipe.parameters)?,
            None => {
                let (bot, space) = TunedBot::read_command(&recipe.bot, &recipe.parameters)?;
                bot.at(None, &space, &space.start())?;
                (bot, space)
            }
        };
        for is_at_clock in [false, true] {
            match contest {
                Some(contest) => {
                    let conditions = recipe.conditions(order.seed, is_at_clock);
                    conditions?.referee(contest)?;
                }
                None => drop(recipe.other_referee(is_at_clock)?),
            }
        }
        let ranked_by = contest.map(|contest| ContestHost::new(contest).ranked_by());
        let unit = match ranked_by {
            Some(RankedBy::Points | RankedBy::Rank) => Unit::Points,
            Some(RankedBy::Wins) | None => Unit::Elo,
        };
        let found = if order.is_new { None } else { read(&order.folder)? };
        // A resumed run keeps its method and its limit of the test.
        let begun = found.as_ref().map(|found| found.header.method);
        let method = recipe.method.or(begun).unwrap_or_else(|| TuneMethod::usual(space.len()));
        let is_test_bounded = found.as_ref().is_none_or(|found| found.header.is_test_bounded);
        let header =
            Header { recipe: recipe.clone(), seed: order.seed, space, unit, method, is_test_bounded };
        if let (Some(found), false) = (&found, order.is_plan_only) {
            let folder = order.folder.display();
            let remedy = "choose another folder with `-o`, or start again with `--restart`";
            ensure!(
                found.header.seed == order.seed,
                "{folder} contains a tuning run with seed {}\nhint: {remedy}",
                found.header.seed.cast_signed()
            );
            ensure!(
                found.header == header,
                "{folder} contains a tuning run with a different recipe, which cannot be changed\nhint: \
                 {remedy}"
            );
        }
        Ok(Prepared { bot, header, found })
    }
}

/// Takes the results from a log.
fn take_again(tuning: &mut Tuning, found: &Found, folder: &Path) -> Result<()> {
    for batch in &found.batches {
        let is_wanted = tuning.batch()?.is_some();
        ensure!(is_wanted, "{} contains more games than this tuning run should play", folder.display());
        tuning.take(batch)?;
    }
    Ok(())
}

/// Takes new results. Reports a warning if these are the first results with failures of the bot.
fn take(
    tuning: &mut Tuning,
    played: &[PairResult],
    recipe: &Recipe,
    report: &mut dyn FnMut(TuneEvent),
) -> Result<()> {
    let had_failures = tuning.failures().is_some();
    tuning.take(played).map_err(|error| anyhow!("{error}{}", time_hint(recipe)))?;
    if let Some(words) = tuning.failures().filter(|_| !had_failures) {
        report(TuneEvent::Warning(words + &time_hint(recipe)));
    }
    Ok(())
}

/// Returns the tuning run of a folder and the seconds that it has taken, with all results of the folder's log.
fn begin(
    header: &Header,
    found: Option<&Found>,
    folder: &Path,
    report: &mut dyn FnMut(TuneEvent),
) -> Result<(Tuning, f64)> {
    let mut tuning = Tuning::new(header);
    let Some(found) = found else { return Ok((tuning, 0.0)) };
    take_again(&mut tuning, found, folder)?;
    report(TuneEvent::GoingOn(2 * found.batches.iter().map(|batch| batch.len() as u64).sum::<u64>()));
    Ok((tuning, found.seconds))
}

/// Share of pairs whose two games the same bot wins, if nothing is known about the bot. In all other pairs, each bot
/// is assumed to win one game.
const DECISIVE: f64 = 0.5;
/// Seconds per game, if the limits do not determine the time of a game.
const GAME_SECONDS: f64 = 1.0;

/// Describes a run without playing it. The noise is that of the recipe, or of an earlier run in the folder with the
/// same bot and conditions, or is assumed.
fn plan_only(
    contest: Option<&dyn Contest>,
    header: &Header,
    found: Option<&Found>,
    order: &RunOptions,
) -> Result<String> {
    let earlier = found.filter(|found| found.header.plays_like(header));
    let mut basis = PlanBasis::default();
    let measured = earlier.map(|found| measured_noise(found, &order.folder)).transpose()?.flatten();
    let noise = match (header.recipe.noise, measured) {
        (Some(noise), _) => Some(noise),
        (None, _) if header.recipe.screen => None,
        (None, Some(noise)) => {
            basis.noise = format!(", measured by the run in {}", order.folder.display());
            Some(noise)
        }
        (None, None) => {
            ensure!(
                header.unit == Unit::Elo,
                "the noise is unknown: this game adds up points\nhint: set `noise` in the recipe, or run the \
                 same command without `--plan`, which plays 100 pairs and then prints its plan"
            );
            let percent = 100.0 * DECISIVE;
            basis.noise = format!(", assuming that one bot wins both games of {percent:.0}% of the pairs");
            Some(Unit::Elo.of(0.5 * DECISIVE.sqrt()))
        }
    };
    let games = earlier.map_or(0, |found| 2 * found.batches.iter().map(Vec::len).sum::<usize>());
    match earlier.filter(|found| games > 0 && found.seconds > 0.0) {
        Some(found) => basis.rate = Some((games as f64 / found.seconds, "at the earlier run's rate")),
        None => {
            let jobs = order.jobs.count();
            let (seconds, source) = match game_time(contest, &header.recipe, order.seed)? {
                Some(time) => (time.as_secs_f64(), "if both bots use all their time"),
                None => (GAME_SECONDS, "an assumption"),
            };
            basis.rate = Some((jobs as f64 / seconds, "at the assumed rate"));
            let games = if jobs == 1 { "game" } else { "games" };
            basis.note =
                format!(". The assumed rate is {jobs} {games} at a time, {seconds} s each ({source})");
        }
    }
    let recipe = Recipe { noise, ..header.recipe.clone() };
    let mut tuning = Tuning::new(&Header { recipe, ..header.clone() });
    tuning.batch()?;
    let plan = tuning.plan().context("a plan needs the noise")?;
    Ok(report::plan(&tuning, plan, &basis))
}

/// Returns the noise that an earlier run in this folder has measured.
fn measured_noise(found: &Found, folder: &Path) -> Result<Option<f64>> {
    if found.header.recipe.screen {
        return Ok(None);
    }
    let mut tuning = Tuning::new(&found.header);
    take_again(&mut tuning, found, folder)?;
    // An error in the plan of the earlier run does not concern this plan.
    let _ = tuning.batch();
    Ok(tuning.plan().map(|plan| plan.noise))
}

/// Returns the time of a game in which both bots use all their time, if the limits determine it.
fn game_time(contest: Option<&dyn Contest>, recipe: &Recipe, seed: u64) -> Result<Option<Duration>> {
    let Some(contest) = contest else { return Ok(None) };
    let limits = recipe.conditions(seed, false)?.referee(contest)?.conditions.limits;
    Ok(limits.game.filter(|_| limits.nodes.is_none()).map(|time| 2 * time))
}

/// Tunes a bot until the run is complete or `stop` is set. Resumes from the folder's log, if there is one. `contest` is
/// `None` with an external referee.
///
/// # Errors
/// Returns an error in the same cases as [`check`], if the folder cannot be written, or if the bot fails too often.
pub fn run(
    contest: Option<&dyn Contest>,
    recipe: &Recipe,
    order: &RunOptions,
    stop: &AtomicBool,
    report: &mut dyn FnMut(TuneEvent),
) -> Result<Finish> {
    let Prepared { bot, header, found } = Prepared::new(contest, recipe, order)?;
    if order.is_plan_only {
        report(TuneEvent::Plan(plan_only(contest, &header, found.as_ref(), order)?));
        return Ok(Finish { is_finished: false, text: String::new() });
    }
    let space = header.space.clone();
    let hosts = Hosts::new(contest, recipe, order, &bot.at(contest, &space, &space.start())?, report)?;
    let (mut tuning, mut seconds) = begin(&header, found.as_ref(), &order.folder, report)?;
    std::fs::create_dir_all(&order.folder)
        .with_context(|| format!("cannot create the folder {}", order.folder.display()))?;
    let mut log = Writer::open(&order.folder, &header, found.as_ref())?;
    let jobs = order.jobs.count();
    let mut pace = Pace::default();
    let mut reported = Instant::now();
    loop {
        let batch = tuning.batch()?;
        if let (Some(plan), false) = (tuning.plan(), pace.has_told) {
            pace.has_told = true;
            let rate = pace.per_second().map(|rate| (rate, "at the current rate"));
            report(TuneEvent::Plan(report::plan(&tuning, plan, &PlanBasis { rate, ..PlanBasis::default() })));
        }
        let Some(batch) = batch else {
            report::write(&order.folder, &tuning, seconds)?;
            return Ok(Finish { is_finished: true, text: report::text(&tuning, seconds) });
        };
        if batch.phase != pace.phase {
            pace = Pace { phase: batch.phase, has_told: pace.has_told, ..Pace::default() };
        }
        let began = Instant::now();
        let host = hosts.of(batch.phase);
        let table = PairPlayer { host, contest, bot: &bot, space: &space, jobs, seed: order.seed };
        let mut done = 0;
        let played = table.play(&batch, stop, &mut || {
            done += 1;
            report(TuneEvent::Progress(pace.progress(&tuning, &batch, done, began.elapsed().as_secs_f64())));
        });
        let played = played.map_err(|error| anyhow!("{error:#}{}", time_hint(recipe)))?;
        let is_stopped = played.is_none() || stop.load(Ordering::Relaxed);
        if let Some(played) = played {
            let took = began.elapsed().as_secs_f64();
            pace.take(&played, took);
            seconds += took;
            log.write(&played, took)?;
            take(&mut tuning, &played, recipe, report)?;
        }
        if is_stopped {
            report::write(&order.folder, &tuning, seconds)?;
            return Ok(Finish { is_finished: false, text: report::text(&tuning, seconds) });
        }
        if reported.elapsed().as_secs_f64() > REPORT_SECONDS {
            report::write(&order.folder, &tuning, seconds)?;
            reported = Instant::now();
        }
    }
}

/// Returns a hint about bots that lose on time with an external referee, which uses the contest's time limit. This
/// limit is short for a busy machine or a slow language.
fn time_hint(recipe: &Recipe) -> String {
    if recipe.referee.is_none() || recipe.time.is_some() {
        return String::new();
    }
    "\nhint: if bots lose on time, give them more time in the recipe, for example `time = \"300ms\"`, \
     or play fewer games at a time (`--jobs 1`)"
        .to_string()
}

/// The hosts of the tuning run: one for the search, and one with the time limit of the additional test.
struct Hosts<'a> {
    usual: Box<dyn Host + 'a>,
    at_clock: Option<Box<dyn Host + 'a>>,
}

impl<'a> Hosts<'a> {
    /// Makes the hosts for games of a bot. `contest` is `None` with an external referee.
    fn new(
        contest: Option<&'a dyn Contest>,
        recipe: &Recipe,
        order: &RunOptions,
        bot: &Entrant,
        report: &mut dyn FnMut(TuneEvent),
    ) -> Result<Hosts<'a>> {
        match contest {
            Some(contest) => Hosts::ours(contest, recipe, order, bot, report),
            None => Hosts::others(recipe, order),
        }
    }

    fn others(recipe: &Recipe, order: &RunOptions) -> Result<Hosts<'a>> {
        let make = |is_at_clock: bool| -> Result<Box<dyn Host + 'a>> {
            let referee = recipe.other_referee(is_at_clock)?;
            order.host(Box::new(referee.context("a recipe needs a `game` or a `referee`")?))
        };
        let at_clock = recipe.test.time.as_ref().map(|_| make(true)).transpose()?;
        Ok(Hosts { usual: make(false)?, at_clock })
    }

    fn ours(
        contest: &'a dyn Contest,
        recipe: &Recipe,
        order: &RunOptions,
        bot: &Entrant,
        report: &mut dyn FnMut(TuneEvent),
    ) -> Result<Hosts<'a>> {
        let mut make = |is_at_clock: bool| -> Result<Box<dyn Host + 'a>> {
            let conditions = recipe.conditions(order.seed, is_at_clock)?;
            let mut referee = conditions.referee(contest)?;
            let bots = [bot.clone(), bot.clone()];
            let warnings = order.jobs.place(&mut referee, contest, &bots, order.processes)?;
            if !is_at_clock && order.workers.is_none() {
                warnings.into_iter().for_each(|warning| report(TuneEvent::Warning(warning)));
            }
            order.host(Box::new(ContestHost { contest, referee }))
        };
        let at_clock = recipe.test.time.as_ref().map(|_| make(true)).transpose()?;
        Ok(Hosts { usual: make(false)?, at_clock })
    }

    fn of(&self, phase: Phase) -> &(dyn Host + 'a) {
        match (&self.at_clock, phase) {
            (Some(at_clock), Phase::Clock) => at_clock.as_ref(),
            _ => self.usual.as_ref(),
        }
    }
}

/// The speed of a phase, measured in the current run.
struct Pace {
    phase: Phase,
    pairs: u64,
    seconds: f64,
    has_told: bool,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { phase: Phase::Noise, pairs: 0, seconds: 0.0, has_told: false }
    }
}

impl Pace {
    fn take(&mut self, played: &[PairResult], seconds: f64) {
        self.pairs += played.len() as u64;
        self.seconds += seconds;
    }

    /// Returns the number of games per second, or `None` before the first game.
    fn per_second(&self) -> Option<f64> {
        (self.pairs > 0 && self.seconds > 0.0).then(|| 2.0 * self.pairs as f64 / self.seconds)
    }

    fn progress(&self, tuning: &Tuning, batch: &Batch, done: u64, seconds: f64) -> PhaseProgress {
        let (before, all) = report::pairs_of(tuning, batch.phase);
        let rate = 2.0 * (self.pairs + done) as f64 / (self.seconds + seconds).max(1e-9);
        let games = 2 * (before + done);
        let left = (2 * all).saturating_sub(games) as f64 / rate;
        PhaseProgress {
            phase: batch.phase,
            games,
            all: 2 * all,
            per_second: rate,
            left: Duration::try_from_secs_f64(left).ok(),
            figures: report::figures(tuning, batch.phase),
        }
    }
}
