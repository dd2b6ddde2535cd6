//! The bots, games and standings of leagues. The last ones are kept in memory, because reading and rating many games
//! takes long.

use super::cards::{Version, version};
use super::charts::{LeagueProgress, MAX_MOMENTS};
use super::{bad, open};
use crate::App;
use crate::page::Problem;
use contender_league::{League, LeagueBot, LeagueGame, Model, Standings, Store};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of leagues to keep.
const MAX_KEPT: usize = 4;
/// Maximum number of games in a league that is kept. They need about 400 bytes each.
const MAX_GAMES: usize = 50_000;
/// Maximum number of leagues whose earlier strengths are kept.
const MAX_PROGRESS: usize = 50;

/// The content of a league at one moment.
pub struct LeagueData {
    pub bots: Vec<LeagueBot>,
    /// The finished and void games in the order in which they were planned.
    pub games: Vec<LeagueGame>,
    pub standings: Standings,
}

impl LeagueData {
    fn read(league: &League, store: &Store) -> anyhow::Result<LeagueData> {
        let (bots, games) = (store.bots()?, store.games(false)?);
        let seats_differ = league.contest().is_some_and(|contest| contest.info().seats_differ);
        let standings = Standings::of(&bots, &games, league.model(), seats_differ);
        Ok(LeagueData { bots, games, standings })
    }
}

/// The kept leagues.
#[derive(Default)]
pub struct KeptLeagues {
    /// The content of leagues, the latest one last.
    contents: Mutex<Vec<Kept>>,
    /// The strengths at earlier moments by folder, each with the league's origin.
    progress: Mutex<HashMap<String, (Origin, Arc<LeagueProgress>)>>,
}

/// The parts of a league that don't change while it plays: the names of its bots, and when its first game ended.
type Origin = (Vec<String>, Option<u64>);

impl LeagueData {
    fn origin(&self) -> Origin {
        let first = self.games.first().and_then(|game| game.finished);
        (self.bots.iter().map(|bot| bot.name.clone()).collect(), first.map(f64::to_bits))
    }
}

struct Kept {
    dir: String,
    /// The files of the league, which show that it has been replaced by another one.
    files: Option<Version>,
    /// The connection that read the league. It knows whether any process has changed the league since then.
    store: Store,
    edition: (i64, u64),
    data: Arc<LeagueData>,
}

impl Kept {
    fn is_current(&self, files: Option<Version>) -> bool {
        files.is_some() && self.files == files && self.store.version().is_ok_and(|now| now == self.edition)
    }
}

/// Returns the content of a league.
pub fn of(app: &App, dir: &str) -> Result<Arc<LeagueData>, Problem> {
    let lock = || app.kept_leagues.contents.lock().unwrap_or_else(PoisonError::into_inner);
    let files = version(app, dir);
    if let Some(kept) = lock().iter().find(|kept| kept.dir == dir && kept.is_current(files)) {
        return Ok(Arc::clone(&kept.data));
    }
    let (league, store) = open(app, dir)?;
    let edition = store.version().map_err(bad)?;
    let data = Arc::new(LeagueData::read(&league, &store).map_err(bad)?);
    let mut all = lock();
    all.retain(|kept| kept.dir != dir);
    if data.games.len() <= MAX_GAMES {
        if all.len() >= MAX_KEPT {
            all.remove(0);
        }
        all.push(Kept { dir: dir.to_string(), files, store, edition, data: Arc::clone(&data) });
    }
    Ok(data)
}

/// Returns the strengths of a league's bots by number of games. If `is_quick`, returns only those that are known
/// already, because computing them takes some seconds in a large league.
pub fn progress(
    app: &App,
    dir: &str,
    data: &LeagueData,
    model: Model,
    is_quick: bool,
) -> Option<Arc<LeagueProgress>> {
    let lock = || app.kept_leagues.progress.lock().unwrap_or_else(PoisonError::into_inner);
    let origin = data.origin();
    let known = lock().get(dir).filter(|(of, _)| *of == origin).map(|(_, progress)| Arc::clone(progress));
    if let Some(known) = known.as_ref().filter(|known| known.is_of(&data.games)) {
        return Some(Arc::clone(known));
    }
    if is_quick {
        return None;
    }
    let mut progress = known.map_or_else(LeagueProgress::default, |known| (*known).clone());
    progress.update(&data.bots, &data.games, model, &data.standings, MAX_MOMENTS);
    let progress = Arc::new(progress);
    let mut all = lock();
    if all.len() >= MAX_PROGRESS {
        all.clear();
    }
    all.insert(dir.to_string(), (origin, Arc::clone(&progress)));
    Some(progress)
}
