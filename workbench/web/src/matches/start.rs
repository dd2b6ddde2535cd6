//! The actions that start and stop a match.

use super::lengths::usual_pairs;
use super::log::MatchLog;
use super::{Params, job, test};
use crate::App;
use crate::failures::late::{LateAnswer, LateAnswers};
use crate::league::cards::strengths;
use crate::limits;
use crate::machine::{EXPECTED_TIME, Machine, REMATCHES, Relief, TWICE, enough, longer};
use crate::page::{Problem, blocking};
use crate::training::next::Trained;
use axum::Form;
use axum::extract::State;
use axum::response::Redirect;
use contender_catalogue::find;
use contender_game::contest::Contest;
use contender_referee::{Entrant, Fixture, Program, Referee, TimeSetting, seed, with_distinct_names};
use contender_stats::MIN_PAIRS;
use serde::Deserialize;
use std::fs::File;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// The values of the form for a new match.
#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub struct NewMatch {
    pub game: String,
    pub a: String,
    pub b: String,
    pub pairs: String,
    /// A time limit in the form of `--time`; empty for the contest's time limits.
    pub time: String,
    /// Nodes per move; empty if the time limits apply.
    pub nodes: String,
    pub seed: String,
    pub sprt: String,
    /// Number of games at once; empty for one per core.
    pub jobs: String,
    /// Maximum number of times that a game is replayed because a bot lost on time on a busy machine; empty for none.
    pub rematch: String,
    /// Whether bots that are not bundled play a test game first; empty means no.
    pub tested: String,
    /// The names of A and B, which are known after the start.
    #[serde(skip)]
    pub names: [String; 2],
    /// Number of games that the log contained when the match was started or resumed.
    #[serde(skip)]
    pub before: u64,
    /// Whether this server has started the match, so that all settings are known.
    #[serde(skip)]
    pub is_ours: bool,
}

/// The limits of `contender match` for the numbers of pairs and of games at once.
pub const MAX_PAIRS: u32 = 1_000_000;
pub const MAX_JOBS: u16 = 1024;
/// Maximum number of matches to remember.
const MAX_STARTED: usize = 200;

/// Starts a match whose log is a new file in the project folder.
pub async fn begin(State(app): State<Arc<App>>, Form(new): Form<NewMatch>) -> Result<Redirect, Problem> {
    blocking(app, move |app| start(app, new, None)).await
}

/// Starts a match and returns the address of its page. `file` is the log to continue, if there is one.
fn start(app: &App, new: NewMatch, file: Option<String>) -> Result<Redirect, Problem> {
    let contest = find(&new.game).ok_or_else(|| Problem::bad(format!("There is no game {}.", new.game)))?;
    let bots = [&new.a, &new.b].map(|bot| Entrant::parse_within(contest, bot, &app.project.path("")));
    let unknown = bots.iter().zip(["a", "b"]).filter_map(|(bot, field)| {
        let error = bot.as_ref().err()?;
        Some(Problem::bad(format!("This bot cannot play: {error}")).at(field))
    });
    Problem::all(unknown.chain(new.problems()))?;
    let bots = bots.into_iter().flatten().collect();
    let bots = with_distinct_names(bots).map_err(|error| Problem::bad(error).at("b"))?;
    // Values cannot be taken for options, whatever they look like.
    let mut words = vec![
        "match".to_string(),
        "--quiet".to_string(),
        "--end-with-input".to_string(),
        format!("--pairs={}", new.pairs.trim()),
    ];
    for (option, value) in [
        ("seed", &new.seed),
        ("nodes", &new.nodes),
        ("time", &new.time),
        ("sprt", &new.sprt),
        ("jobs", &new.jobs),
        ("rematch", &new.rematch),
    ] {
        words.extend((!value.trim().is_empty()).then(|| format!("--{option}={}", value.trim())));
    }
    for (bot, field) in bots.iter().zip(["a", "b"]) {
        if !new.tested.is_empty() && matches!(bot.program, Program::Command(_)) {
            try_out(contest, bot).map_err(|problem| problem.at(field))?;
        }
    }
    let file = file.map_or_else(|| new_log(app, contest.name()), Ok)?;
    words.push(format!("--log={file}"));
    words.extend(["--".to_string(), new.game.clone(), new.a.clone(), new.b.clone()]);
    let which = new.params(file);
    app.jobs.start(&job(&which.file), which.address("/match"), &app.project.path(""), words)?;
    let mut started = app.matches.started.lock().unwrap_or_else(PoisonError::into_inner);
    if started.len() >= MAX_STARTED {
        started.clear();
    }
    let names = [0, 1].map(|at| bots[at].name.clone());
    started.insert(which.file.clone(), NewMatch { names, is_ours: true, ..new });
    Ok(Redirect::to(&which.address("/match")))
}

impl NewMatch {
    /// Returns a match between the two strongest bundled bots, as the form shows it at first, or between the bundled
    /// bot `with` and the strongest other one.
    pub fn suggested(app: &App, contest: &'static dyn Contest, with: Option<&str>) -> NewMatch {
        let strengths = strengths(app, contest.name());
        let mut sorted = strengths.sorted(contest);
        // The sort is stable, so the other bots stay in their order.
        sorted.sort_by_key(|bot| Some(bot.name) != with);
        let mut strongest = sorted.into_iter().map(|bot| bot.name.to_string());
        let a = strongest.next().unwrap_or_default();
        let b = strongest.next().unwrap_or_else(|| a.clone());
        let pairs = usual_pairs(app, contest, Machine::now().free());
        NewMatch { pairs: pairs.to_string(), ..NewMatch::between(contest, a, b) }
    }

    /// Returns a match between the bot of a training and the same bot with the shipped file.
    pub fn of_trained(trained: &Trained) -> NewMatch {
        NewMatch::between(trained.contest, trained.named(), trained.bundled.to_string())
    }

    /// Returns a match with the settings that the form shows at first.
    fn between(contest: &dyn Contest, a: String, b: String) -> NewMatch {
        NewMatch {
            game: contest.name().to_string(),
            a,
            b,
            pairs: "100".to_string(),
            seed: "1".to_string(),
            rematch: REMATCHES.to_string(),
            tested: "1".to_string(),
            ..NewMatch::default()
        }
    }

    /// Returns the value of a field of the form.
    pub fn value(&self, field: &str) -> &str {
        match field {
            "a" => &self.a,
            "b" => &self.b,
            "pairs" => &self.pairs,
            "sprt" => &self.sprt,
            "jobs" => &self.jobs,
            "time" => &self.time,
            "nodes" => &self.nodes,
            "seed" => &self.seed,
            "rematch" => &self.rematch,
            "tested" => &self.tested,
            _ => "",
        }
    }

    /// Returns the errors in the settings.
    fn problems(&self) -> Vec<Problem> {
        let mut all = Vec::new();
        let mut refuse = |field, words: String| all.push(Problem::bad(words).at(field));
        let pairs = self.pairs.trim().parse().ok().filter(|pairs| (1..=MAX_PAIRS).contains(pairs));
        let is_early = test(&self.sprt).map(|test| test.is_some());
        match (pairs, &is_early) {
            (None, _) => refuse("pairs", "Expected a whole number from 1 to 1,000,000.".to_string()),
            (Some(pairs), Ok(true)) if u64::from(pairs) < MIN_PAIRS => {
                refuse("pairs", format!("To stop early, a match needs at least {MIN_PAIRS} pairs."));
            }
            _ => {}
        }
        if let Err(problem) = is_early {
            refuse("sprt", problem.words().to_string());
        }
        let [time, nodes, seed_text, jobs] =
            [&self.time, &self.nodes, &self.seed, &self.jobs].map(|text| text.trim());
        if !time.is_empty() && TimeSetting::parse(time).is_err() {
            refuse("time", EXPECTED_TIME.to_string());
        }
        if !nodes.is_empty() && !nodes.parse::<u64>().is_ok_and(|nodes| nodes > 0) {
            refuse("nodes", "Expected a whole number of nodes, at least 1.".to_string());
        }
        if !seed_text.is_empty() && seed(seed_text).is_err() {
            refuse("seed", "Expected a whole number, or random.".to_string());
        }
        if !jobs.is_empty() && !jobs.parse().is_ok_and(|jobs: u16| (1..=MAX_JOBS).contains(&jobs)) {
            refuse("jobs", format!("Expected a whole number from 1 to {MAX_JOBS}."));
        }
        all
    }

    /// Returns the time with which this match is played again after bots were late: twice the time, or if a time per
    /// move was exceeded, a time that would have been enough for all answers but the outliers. It is at most the
    /// contest's time, or twice the time if that is more.
    fn longer_time(&self, log: &MatchLog) -> String {
        let turn = find(&self.game).and_then(|contest| contest.info().limits.turn);
        let most = turn.map_or(0, |turn| turn.as_millis() as u64);
        match self.late(log).decisive() {
            Some(of) => format!("{}ms", enough(of.limit, of.time).min(most.max(enough(of.limit, of.limit)))),
            None => longer(TimeSetting::parse(self.time.trim()).ok()),
        }
    }

    /// Returns the answers that exceeded the time per move.
    pub fn late(&self, log: &MatchLog) -> LateAnswers {
        let limits = find(&self.game).map(|contest| contest.info().limits);
        LateAnswers::of_all(&log.failures.failing).filter(|of: &LateAnswer| {
            let first = limits.and_then(|limits| limits.first_turn);
            limits.is_some_and(|limits| limits.game.is_none() && limits.turn.is_some())
                && first.is_none_or(|first| of.limit < first)
        })
    }

    /// Returns this time in words.
    pub fn more_time(&self, log: &MatchLog) -> String {
        let time = TimeSetting::parse(&self.longer_time(log)).ok();
        find(&self.game)
            .and_then(|contest| limits::amount(contest, time))
            .unwrap_or_else(|| TWICE.to_string())
    }

    /// Returns the exact time limit per move that the form contains, if there is one.
    pub fn limit(&self) -> Option<Duration> {
        match TimeSetting::parse(self.time.trim()) {
            Ok(TimeSetting::Fixed(time)) => Some(time),
            _ => None,
        }
    }

    /// Returns the settings in words.
    pub fn settings(&self) -> Vec<String> {
        let contest = find(&self.game).map(|contest| contest as &dyn Contest);
        let limits =
            limits::words(contest, TimeSetting::parse(self.time.trim()).ok(), self.nodes.trim().parse().ok());
        let numbered = |number: &str, words: &str| match number.trim() {
            "" => String::new(),
            number => format!("{number} {words}"),
        };
        let seed = Some(self.seed.trim()).filter(|seed| !seed.is_empty());
        let jobs = if self.jobs.trim() == "1" { "game at once" } else { "games at once" };
        let all = [seed.map_or(String::new(), |seed| format!("seed {seed}")), numbered(&self.jobs, jobs)];
        limits.into_iter().chain(all).filter(|words| !words.is_empty()).collect()
    }

    /// Returns the parameters of the match's page.
    pub fn params(&self, file: String) -> Params {
        let games = self
            .pairs
            .trim()
            .parse::<u32>()
            .map_or(String::new(), |pairs| (2 * u64::from(pairs)).to_string());
        Params { file, games, sprt: self.sprt.clone() }
    }

    /// Returns the match that wrote this log, if it was started on a page or has only bundled bots. Commands come only
    /// from a page, because a log may be from somebody else.
    pub fn of(app: &App, which: &Params, log: &MatchLog) -> Option<NewMatch> {
        let started = app.matches.started.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = started.get(&which.file) {
            return Some(known.clone());
        }
        let (contest, [a, b]) = (find(&log.game)?, log.names.as_ref()?);
        let is_bundled = |name: &String| {
            let bot = Entrant::parse(contest, name);
            bot.is_ok_and(|bot| matches!(bot.program, Program::Bundled { .. }))
        };
        let games = which.games.parse().unwrap_or(log.count).max(2);
        ([a, b].into_iter().all(is_bundled)).then(|| NewMatch {
            pairs: (games / 2).to_string(),
            sprt: which.sprt.clone(),
            // The seed of the log is not known, and its games should not be repeated.
            seed: (log.count + 1).to_string(),
            ..NewMatch::between(contest, a.clone(), b.clone())
        })
    }
}

/// A match, and the way to play it again.
#[derive(Deserialize)]
pub struct Again {
    #[serde(flatten)]
    which: Params,
    /// The way to give bots more time that lost on time.
    relief: Option<Relief>,
    /// Number of further pairs in the same log; 0 resumes the match.
    more: Option<String>,
}

/// Stops a match and plays it again: in the same log with more pairs, or in a new one with more time for the bots.
pub async fn again(State(app): State<Arc<App>>, Form(order): Form<Again>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let which = order.which.known(app);
        let log = which.log(app)?;
        let mut new = NewMatch::of(app, &which, &log)
            .ok_or_else(|| Problem::bad("The bots of this match are not known. Start a new match."))?;
        if let Some(more) = order.more {
            let all = new.pairs.trim().parse::<u32>().ok().zip(more.parse().ok());
            let all = all.and_then(|(pairs, more)| pairs.checked_add(more)).filter(|_| new.is_ours);
            let all =
                all.ok_or_else(|| Problem::bad("This match cannot be continued. Start a new match."))?;
            new.pairs = all.to_string();
            new.before = log.count;
            return start(app, new, Some(which.file));
        }
        if let Some(relief) = order.relief {
            new.jobs = "1".to_string();
            if relief == Relief::Longer {
                new.time = new.longer_time(&log);
            }
        }
        app.jobs.stop(&job(&which.file));
        new.before = 0;
        start(app, new, None)
    })
    .await
}

/// Plays one game between a bot and the fastest bundled bot. Returns an error with the bot's own words if it fails.
fn try_out(contest: &'static dyn Contest, bot: &Entrant) -> Result<(), Problem> {
    let Some(quick) = contest.info().bots.first() else { return Ok(()) };
    let quick = Entrant::parse(contest, quick.name).map_err(Problem::bad)?;
    let fixture = Fixture::between([bot, &quick], 1, [1, 2]);
    let record =
        Referee::of(contest).play(contest, &fixture, &AtomicBool::new(false)).map_err(Problem::bad)?;
    let seat = &record.seats[0];
    if !seat.ending.is_failure() {
        return Ok(());
    }
    Err(Problem::bad(
        format!("{} failed in a test game: {}\n{}", bot.name, seat.ending, seat.stderr).trim_end(),
    ))
}

/// Creates an empty log file with an unused name.
fn new_log(app: &App, game: &str) -> Result<String, Problem> {
    for number in 1..10_000 {
        let name = format!("match-{game}-{number}.jsonl");
        match File::create_new(app.project.path(&name)) {
            Ok(_) => return Ok(name),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Problem::bad(format!("{name} cannot be written: {error}"))),
        }
    }
    Err(Problem::bad("The folder already has 10,000 matches. Move some of them to another folder."))
}

pub async fn stop(State(app): State<Arc<App>>, Form(which): Form<Params>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let which = which.known(app);
        app.jobs.stop(&job(&which.file));
        Ok(Redirect::to(&which.address("/match")))
    })
    .await
}
