//! The page of a match: a log of games between two bots, and the results, updated while the log grows. A match that is
//! started on a page is a process of `contender match --log`. Any other log has the same page.

mod actions;
mod estimate;
mod form;
mod latest;
mod lengths;
mod list;
pub mod log;
pub mod report;
mod series;
mod start;
pub mod verdict;

pub use estimate::estimate;
pub use form::form;
pub use list::{latest as latest_matches, live as list_live, page as list};
pub use start::{again, begin, stop};

use crate::App;
use crate::guard::Known;
use crate::jobs::Report;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking};
use crate::text::query;
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use contender_catalogue::find;
use contender_stats::SequentialTest;
use log::MatchLog;
use maud::{Markup, html};
use report::parts;
use serde::Deserialize;
use start::NewMatch;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A log and its sequential test.
#[derive(Deserialize, Clone)]
pub struct Params {
    file: String,
    /// Number of planned games, if known.
    #[serde(default)]
    games: String,
    /// The hypotheses of a sequential test, `LO,HI`.
    #[serde(default)]
    sprt: String,
}

/// Maximum number of logs to keep in memory.
const MAX_KEPT: usize = 16;

/// The logs and the matches that pages have shown.
#[derive(Default)]
pub struct MatchLogs {
    /// The logs by file and test. They are kept so that a long log is read only once.
    logs: Mutex<HashMap<[String; 2], MatchLog>>,
    /// The matches that were started on a page, by file.
    started: Mutex<HashMap<String, NewMatch>>,
    /// The lengths of games, from which the form estimates the time of a match.
    lengths: lengths::Lengths,
}

impl MatchLogs {
    /// Returns the address of the page of a match that was started on a page. It has the planned number of games and
    /// the test.
    pub fn page(&self, file: &str) -> Option<String> {
        let started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.get(file).map(|new| new.params(file.to_string()).address("/match"))
    }

    /// Returns the names of A and B of a match that was started on a page.
    pub fn names(&self, file: &str) -> Option<[String; 2]> {
        let started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.get(file).map(|new| new.names.clone())
    }

    /// Returns the number of games that the log contained when a page started or resumed the match.
    pub fn before(&self, file: &str) -> u64 {
        let started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.get(file).map_or(0, |new| new.before)
    }

    /// Returns the exact time limit per move of a match that was started on a page, if the form contained it.
    pub fn limit(&self, file: &str) -> Option<Duration> {
        let started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.get(file)?.limit()
    }

    /// Returns the game of a match that was started on a page.
    fn game(&self, file: &str) -> Option<String> {
        let started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.get(file).map(|new| new.game.clone())
    }

    /// Returns the number of games at once of a match that was started on a page, if the form contained it.
    pub fn games_at_once(&self, file: &str) -> Option<u16> {
        let started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.get(file)?.jobs.trim().parse().ok()
    }
}

/// Returns the log of a match that this server plays.
pub fn playing(app: &App, file: &str) -> Option<MatchLog> {
    Params::of(app, file).log(app).ok()
}

impl Params {
    /// Returns the parameters of a log, with the plan if this server has started the match.
    fn of(app: &App, file: &str) -> Params {
        Params { file: file.to_string(), games: String::new(), sprt: String::new() }.known(app)
    }

    /// Returns the parameters with the plan of the match that this server has started, whatever the address contains.
    fn known(self, app: &App) -> Params {
        let started = app.matches.started.lock().unwrap_or_else(PoisonError::into_inner);
        match started.get(&self.file) {
            Some(new) => new.params(self.file),
            None => self,
        }
    }

    /// Returns the planned number of games, if it is known.
    fn planned(&self) -> Option<u64> {
        self.games.parse().ok().filter(|planned| *planned > 0)
    }

    /// Returns whether the planned games have been played. A match that its test has ended is complete, whatever the
    /// planned number was.
    fn is_complete(&self, log: &MatchLog) -> bool {
        log.count >= self.planned().unwrap_or(0) || log.is_decided()
    }

    /// Returns the log with all its games. Reads only the games that were added since the last request.
    fn log(&self, app: &App) -> Result<MatchLog, Problem> {
        let key = [self.file.as_str(), &self.sprt].map(str::to_string);
        let lock = || app.matches.logs.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = lock().get(&key).cloned();
        let path = app.project.file(&self.file)?;
        let mut log = match kept {
            Some(log) => log,
            None => MatchLog::of(&path, test(&self.sprt)?, app.matches.names(&self.file))
                .with_limit(app.matches.limit(&self.file)),
        };
        log.read().map_err(Problem::bad)?;
        let mut kept = lock();
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        kept.insert(key, log.clone());
        Ok(log)
    }

    fn address(&self, page: &str) -> String {
        format!("{page}?{}", query(&[("file", &self.file), ("games", &self.games), ("sprt", &self.sprt)]))
    }
}

/// Returns the key of the job that plays a match.
fn job(file: &str) -> String {
    format!("match {file}")
}

fn test(hypotheses: &str) -> Result<Option<SequentialTest>, Problem> {
    if hypotheses.trim().is_empty() {
        return Ok(None);
    }
    let numbers = hypotheses
        .split_once(',')
        .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
    let (low, high) =
        numbers.ok_or_else(|| Problem::bad("Expected two hypotheses of a test, for example 0,10."))?;
    let error = SequentialTest::ERROR_PROBABILITY;
    SequentialTest::new(low, high, error, error).map(Some).map_err(Problem::bad)
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let which = which.known(app);
        let log = which.log(app)?;
        // The log of a match that has just started has no game that names the contest.
        let game = app.matches.game(&which.file).unwrap_or_else(|| log.game.clone());
        let content = html! {
            (page::crumbs(&[("/matches".to_string(), "Matches".to_string())], &which.file, find(&game).map(|of| of.name())))
            (page::read_only(is_known))
            div data-live=(which.address("/match/live")) { (drawn(app, &which, &log, app.jobs.report(&job(&which.file)), is_known)) }
        };
        Ok(page::frame("/matches/*", &which.file, Some("/match.js"), &content))
    })
    .await
}

/// Streams the parts of the page as the log grows.
pub async fn live(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
    Known(is_known): Known,
) -> Result<Response, Problem> {
    let which = which.known(&app);
    let shared = Arc::clone(&app);
    let wanted = which.clone();
    let mut log = blocking(shared, move |app| wanted.log(app)).await?;
    let mut seen = None;
    let key = format!("{} {is_known}", which.address("/match/live"));
    Ok(live::watch(app, key, move |app| {
        let report = app.jobs.report(&job(&which.file));
        let has_grown = log.read().unwrap_or(false);
        if !has_grown && seen.as_ref() == Some(&report) {
            return Update::Same;
        }
        seen = Some(report.clone());
        Update::New(drawn(app, &which, &log, report, is_known))
    }))
}

fn drawn(app: &App, which: &Params, log: &MatchLog, report: Option<Report>, is_known: bool) -> Markup {
    let origin = NewMatch::of(app, which, log);
    let file = app.project.file(&which.file).ok();
    let is_running = report.as_ref().is_some_and(|report| report.is_running);
    // Without a verdict, a page has no charts, so it shows the end of the latest game in any case.
    let board = file.as_deref().filter(|_| is_running || log.is_broken()).and_then(latest::board);
    let played = file.and_then(|file| file.metadata().ok()?.modified().ok()).filter(|_| log.count > 0);
    parts(which, log, report, is_known, origin.as_ref(), played, board.as_deref())
}
