//! Reviews that run in the background. The results are kept by the review's address, so reopening the page shows them
//! again.

use super::Games;
use crate::page::Problem;
use contender_game::{
    contest::{BotSetup, Limits},
    settings::Options,
};
use contender_replay::{Findings, Review};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Number of decisions to judge.
pub const DECISIONS: usize = 200;
/// The bot's thinking time for each decision.
const TIME: Duration = Duration::from_millis(100);
/// Maximum number of kept reviews.
const MAX_KEPT: usize = 32;
/// Maximum number of reviews that run at a time.
const MAX_RUNNING: usize = 2;

/// The kept reviews by their addresses.
#[derive(Default)]
pub struct Reviews(Mutex<HashMap<String, Arc<Job>>>);

/// A review that is running or done.
#[derive(Default)]
pub struct Job {
    judged: AtomicUsize,
    /// Number of games when the review was started. If there are more games now, the review is repeated.
    games: usize,
    found: OnceLock<Result<Findings, String>>,
}

impl Job {
    /// Returns the number of judged decisions, and whether the review is complete.
    pub fn progress(&self) -> (usize, bool) {
        (self.judged.load(Ordering::Relaxed), self.found.get().is_some())
    }

    /// Returns the results if the review is complete.
    pub fn found(&self) -> Option<Result<&Findings, &str>> {
        self.found.get().map(|found| found.as_ref().map_err(String::as_str))
    }
}

impl Reviews {
    /// Returns the review with this address, if there is one.
    pub fn find(&self, key: &str) -> Option<Arc<Job>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// Starts a review, unless it is running or complete for the same games.
    pub fn start(&self, key: &str, games: &Arc<Games>) -> Result<Arc<Job>, Problem> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_running = |job: &Job| job.found.get().is_none();
        if let Some(job) = kept.get(key)
            && (is_running(job) || job.games == games.records.len())
        {
            return Ok(Arc::clone(job));
        }
        if kept.values().filter(|job| is_running(job)).count() >= MAX_RUNNING {
            return Err(Problem::bad(format!(
                "{MAX_RUNNING} reviews are running. Wait until one of them ends."
            )));
        }
        if kept.len() >= MAX_KEPT {
            kept.retain(|_, job| is_running(job));
        }
        let job = Arc::new(Job { games: games.records.len(), ..Job::default() });
        kept.insert(key.to_string(), Arc::clone(&job));
        let (running, games) = (Arc::clone(&job), Arc::clone(games));
        std::thread::spawn(move || {
            let _ = running.found.set(review(&running, &games));
        });
        Ok(job)
    }
}

fn review(job: &Job, games: &Games) -> Result<Findings, String> {
    let bot = games.contest.info().bots.last().map_or("", |bot| bot.name);
    let review = Review {
        contest: games.contest,
        player: &games.player,
        bot: (bot, &Options::default()),
        setup: BotSetup { limits: Limits::per_turn(TIME, TIME), seed: 1 },
        decisions: DECISIONS,
        jobs: 1,
    };
    let tick = || _ = job.judged.fetch_add(1, Ordering::Relaxed);
    review.run(&games.records, &AtomicBool::new(false), &tick).map_err(|error| error.to_string())
}
