//! The actions that start and stop a match.

use super::log::MatchLog;
use super::{Params, job, test};
use crate::App;
use crate::machine::{REMATCHES, Relief, longer};
use crate::page::{Problem, blocking};
use axum::Form;
use axum::extract::State;
use axum::response::Redirect;
use contender_catalogue::find;
use contender_game::contest::Contest;
use contender_referee::{Entrant, Fixture, Program, Referee, TimeSetting, with_distinct_names};
use serde::Deserialize;
use std::fs::File;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};

/// The values of the form for a new match.
#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub struct NewMatch {
    game: String,
    a: String,
    b: String,
    pairs: String,
    /// A time limit in the form of `--time`; empty for the contest's time limits.
    time: String,
    /// Nodes per move; empty if the time limits apply.
    nodes: String,
    seed: String,
    sprt: String,
    /// Number of games at once; empty for one per core.
    jobs: String,
    /// Maximum number of times that a game is replayed because a bot lost on time on a busy machine; empty for none.
    rematch: String,
    /// Whether bots that are not bundled play a test game first; empty means no.
    tested: String,
    /// The names of A and B, which are known after the start.
    #[serde(skip)]
    pub names: [String; 2],
}

/// Maximum number of matches to remember.
const MAX_STARTED: usize = 200;

/// Starts a match whose log is a new file in the project folder.
pub async fn begin(State(app): State<Arc<App>>, Form(new): Form<NewMatch>) -> Result<Redirect, Problem> {
    blocking(app, move |app| start(app, new)).await
}

/// Starts a match and returns the address of its page.
fn start(app: &App, new: NewMatch) -> Result<Redirect, Problem> {
    let contest = find(&new.game).ok_or_else(|| Problem::bad(format!("There is no game {}.", new.game)))?;
    let bots = [&new.a, &new.b].map(|bot| Entrant::parse_within(contest, bot, &app.project.path("")));
    let [a, b] = bots;
    let bots = with_distinct_names(vec![a.map_err(Problem::bad)?, b.map_err(Problem::bad)?])
        .map_err(Problem::bad)?;
    test(&new.sprt)?;
    let pairs: u32 = new.pairs.trim().parse().map_err(|_| Problem::bad("Expected a number of pairs."))?;
    // Values cannot be taken for options, whatever they look like.
    let mut words = vec![
        "match".to_string(),
        "--quiet".to_string(),
        "--end-with-input".to_string(),
        format!("--pairs={pairs}"),
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
    for bot in &bots {
        if !new.tested.is_empty() && matches!(bot.program, Program::Command(_)) {
            try_out(contest, bot)?;
        }
    }
    let file = new_log(app, contest.name())?;
    words.push(format!("--log={file}"));
    words.extend(["--".to_string(), new.game.clone(), new.a.clone(), new.b.clone()]);
    let which = new.params(file);
    app.jobs.start(&job(&which.file), which.address("/match"), &app.project.path(""), words)?;
    let mut started = app.matches.started.lock().unwrap_or_else(PoisonError::into_inner);
    if started.len() >= MAX_STARTED {
        started.clear();
    }
    let names = [0, 1].map(|at| bots[at].name.clone());
    started.insert(which.file.clone(), NewMatch { names, ..new });
    Ok(Redirect::to(&which.address("/match")))
}

impl NewMatch {
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
            game: log.game.clone(),
            a: a.clone(),
            b: b.clone(),
            pairs: (games / 2).to_string(),
            sprt: which.sprt.clone(),
            rematch: REMATCHES.to_string(),
            ..NewMatch::default()
        })
    }
}

/// A match in which bots lost on time, and the way to play it again.
#[derive(Deserialize)]
pub struct Again {
    #[serde(flatten)]
    which: Params,
    relief: Relief,
}

/// Stops a match and plays it again, one game at a time, or with more time per move.
pub async fn again(State(app): State<Arc<App>>, Form(order): Form<Again>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let log = order.which.log(app)?;
        let mut new = NewMatch::of(app, &order.which, &log)
            .ok_or_else(|| Problem::bad("The bots of this match are not known. Start a new match."))?;
        new.jobs = "1".to_string();
        if order.relief == Relief::Longer {
            new.time = longer(TimeSetting::parse(new.time.trim()).ok());
        }
        app.jobs.stop(&job(&order.which.file));
        start(app, new)
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
        app.jobs.stop(&job(&which.file));
        Ok(Redirect::to(&which.address("/match")))
    })
    .await
}
