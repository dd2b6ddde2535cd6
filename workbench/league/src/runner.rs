//! The runner, which plays the games of a league.

use crate::game::{BotState, LeagueBot, seats_of_record};
use crate::matchmaking::{Meetings, next_meeting};
use crate::settings::League;
use crate::store::{Claim, Store};
use anyhow::Context;
use contender_play::{Fixture, GameError, Host, Record, play_safely};
use contender_referee::{Steadiness, Watch};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The plan of a runner: how many games it plays at a time, and when it stops.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Number of games at a time; 0 counts as 1.
    pub jobs: usize,
    /// Maximum number of games.
    pub games: Option<u64>,
    /// The time after which no new game is started.
    pub until: Option<Instant>,
    /// Whether to end when no games are left, instead of waiting for bots and games.
    pub once: bool,
}

/// An event for the observer of a runner.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A game has been played and saved.
    Game {
        /// The bots by seat.
        bots: &'a [&'a str],
        /// The contest points by seat.
        points: &'a [f64],
        /// The name of each bot's ending, by seat.
        ends: &'a [&'a str],
        /// For each bot, whether it lost on time without answering at all.
        silent: &'a [bool],
    },
    /// A bot has been paused because it failed in [`FAILURES_IN_A_ROW`] consecutive games of this runner.
    Resting {
        /// The bot's name.
        bot: &'a str,
    },
    /// The referee failed in a game, and the game was played again.
    Again {
        /// The bots by seat.
        bots: &'a [&'a str],
        /// The reason why the referee failed.
        reason: &'a str,
    },
    /// A game could not be played, through no fault of the bots, and has been saved as void.
    Void {
        /// The bots by seat.
        bots: &'a [&'a str],
        /// The reason.
        reason: &'a str,
    },
    /// The machine lacks a resource, or another program has locked the league's file. The runner will try again.
    Shortage {
        /// The missing resource.
        reason: &'a str,
    },
    /// No games are left to play, so the runner waits.
    Waiting,
    /// The runner has finished. This event is sent only if a bot had a clock.
    End {
        /// The timing noise of the machine.
        steadiness: &'a Steadiness,
    },
}

/// Number of consecutive games of a runner in which a bot must fail to be paused.
pub const FAILURES_IN_A_ROW: u32 = 6;

/// Interval between checks for new games.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Pause before the first retry when the machine lacks a resource. The pause doubles with each retry, up to
/// [`MAX_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const MAX_PAUSE: Duration = Duration::from_secs(10);

/// Maximum wait for the league's file before the runner gives up.
const PATIENCE: Duration = Duration::from_secs(600);

/// Data shared by all workers of a runner.
struct Shared<'a> {
    store: Store,
    left: u64,
    /// Whether the observer already knows that no games are left.
    is_waiting: bool,
    /// For each bot, the number of consecutive games in which it has failed.
    failures: BTreeMap<String, u32>,
    failure: Option<anyhow::Error>,
    watch: Watch<'a>,
    observer: &'a mut (dyn FnMut(Event<'_>) + Send),
}

/// Plays games until the plan is complete or `stop` is set. Setting `stop` aborts running games, which will be played
/// again later. Returns the number of games that were finished or declared void.
///
/// # Errors
/// Returns an error if the league's file can no longer be read or written. Games that are already committed are kept.
pub fn run(
    league: &League,
    plan: Plan,
    stop: &AtomicBool,
    observer: &mut (dyn FnMut(Event<'_>) + Send),
) -> anyhow::Result<u64> {
    league.with_host(plan.jobs, |host| run_on(host, league, plan, stop, observer))
}

fn run_on(
    host: &dyn Host,
    league: &League,
    plan: Plan,
    stop: &AtomicBool,
    observer: &mut (dyn FnMut(Event<'_>) + Send),
) -> anyhow::Result<u64> {
    let (store, runner) = open_patiently(league, stop, observer)?;
    let games = plan.games.unwrap_or(u64::MAX);
    let watch = Watch::host(host);
    let failures = BTreeMap::new();
    let shared = Mutex::new(Shared {
        store,
        left: games,
        is_waiting: false,
        failures,
        failure: None,
        watch,
        observer,
    });
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(|| {
                if let Err(error) = work(league, host, runner.id, plan, stop, &shared) {
                    shared.lock().expect("no worker panics").failure.get_or_insert(error);
                }
            });
        }
    });
    let mut shared = shared.into_inner().expect("no worker panics");
    match shared.failure {
        Some(error) => Err(error),
        None => {
            shared.patiently(stop, |store| store.leave(&runner))?;
            if let Some(steadiness) = shared.watch.end() {
                (shared.observer)(Event::End { steadiness: &steadiness });
            }
            Ok(games - shared.left)
        }
    }
}

/// Opens the league's file and registers this runner. Waits if the disk is full.
fn open_patiently(
    league: &League,
    stop: &AtomicBool,
    observer: &mut (dyn FnMut(Event<'_>) + Send),
) -> anyhow::Result<(Store, crate::store::Runner)> {
    let start = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        let opened = Store::open(league).and_then(|mut store| {
            let runner = store.register()?;
            Ok((store, runner))
        });
        match opened {
            Err(error)
                if is_passing(&error) && start.elapsed() < PATIENCE && !stop.load(Ordering::Relaxed) =>
            {
                observer(Event::Shortage { reason: &in_words(&error) });
                rest(&mut pause, stop);
            }
            result => {
                return result.map_err(|error| {
                    if is_passing(&error) { anyhow::Error::msg(in_words(&error)) } else { error }
                });
            }
        }
    }
}

/// SQLite's error code for a disk that has no room for the shared-memory file.
const NO_ROOM_FOR_SHARED_MEMORY: i32 = rusqlite::ffi::SQLITE_IOERR_SHMSIZE;

fn sqlite_error(error: &anyhow::Error) -> Option<&rusqlite::ffi::Error> {
    error.chain().find_map(|cause| match cause.downcast_ref::<rusqlite::Error>()? {
        rusqlite::Error::SqliteFailure(failure, _) => Some(failure),
        _ => None,
    })
}

/// Returns the message of an error. Adds an explanation to errors for which SQLite has only a number.
fn in_words(error: &anyhow::Error) -> String {
    let is_full = sqlite_error(error).is_some_and(|failure| {
        failure.code == rusqlite::ErrorCode::DiskFull || failure.extended_code == NO_ROOM_FOR_SHARED_MEMORY
    });
    if is_full { format!("the disk is full: {error:#}") } else { format!("{error:#}") }
}

impl Shared<'_> {
    /// Accesses the league's file. Retries if the file is in use or the disk is temporarily full, so that finished
    /// games are not lost.
    fn patiently<T>(
        &mut self,
        stop: &AtomicBool,
        mut act: impl FnMut(&mut Store) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let start = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            match act(&mut self.store) {
                Err(error) if is_passing(&error) && start.elapsed() < PATIENCE => {
                    if stop.load(Ordering::Relaxed) {
                        return Err(error);
                    }
                    (self.observer)(Event::Shortage { reason: &in_words(&error) });
                    rest(&mut pause, stop);
                }
                result => return result.context("the league's file"),
            }
        }
    }
}

impl Shared<'_> {
    /// Pauses a bot that has failed in too many consecutive games.
    fn rest_if_failing(&mut self, bot: &str, end: &str, stop: &AtomicBool) -> anyhow::Result<()> {
        if end == "normal" {
            self.failures.remove(bot);
            return Ok(());
        }
        let in_a_row = self.failures.entry(bot.to_string()).or_default();
        *in_a_row += 1;
        if *in_a_row < FAILURES_IN_A_ROW {
            return Ok(());
        }
        self.failures.remove(bot);
        // A bot that was removed in the meantime stays removed.
        let is_active = |known: &LeagueBot| known.name == bot && known.state == BotState::Active;
        if self.patiently(stop, |store| store.bots())?.iter().any(is_active) {
            self.patiently(stop, |store| store.set_state(bot, BotState::Paused))?;
            (self.observer)(Event::Resting { bot });
        }
        Ok(())
    }
}

/// Returns whether a retry may succeed.
fn is_passing(error: &anyhow::Error) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, OutOfMemory};
    let is_full_disk = error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::StorageFull)
    });
    is_full_disk
        || sqlite_error(error).is_some_and(|failure| {
            matches!(failure.code, CannotOpen | DatabaseBusy | DatabaseLocked | DiskFull | OutOfMemory)
                || failure.extended_code == NO_ROOM_FOR_SHARED_MEMORY
        })
}

/// Waits for `pause`, unless `stop` is set, and then doubles `pause` for the next wait.
fn rest(pause: &mut Duration, stop: &AtomicBool) {
    let start = Instant::now();
    while start.elapsed() < *pause && !stop.load(Ordering::Relaxed) {
        std::thread::sleep(FIRST_PAUSE.min(*pause));
    }
    *pause = (*pause * 2).min(MAX_PAUSE);
}

/// The next step of a worker.
enum Next {
    /// The worker plays this game.
    Claim(Claim),
    /// No game is left, but bots may join.
    Wait,
    /// The worker ends.
    End,
}

/// Claims the next game. `idle` is the version of the file at which no game was left.
fn next_claim(
    league: &League,
    runner: i64,
    plan: Plan,
    stop: &AtomicBool,
    idle: &mut Option<(i64, u64)>,
    shared: &mut Shared<'_>,
) -> anyhow::Result<Next> {
    let is_late = plan.until.is_some_and(|until| Instant::now() >= until);
    if stop.load(Ordering::Relaxed) || is_late || shared.left == 0 || shared.failure.is_some() {
        return Ok(Next::End);
    }
    let version = shared.patiently(stop, |store| store.version())?;
    if *idle != Some(version)
        && let Some(claim) = shared.patiently(stop, |store| claim(store, runner, league))?
    {
        shared.left -= 1;
        shared.is_waiting = false;
        *idle = None;
        return Ok(Next::Claim(claim));
    }
    if plan.once {
        return Ok(Next::End);
    }
    *idle = Some(shared.patiently(stop, |store| store.version())?);
    if !std::mem::replace(&mut shared.is_waiting, true) {
        (shared.observer)(Event::Waiting);
    }
    Ok(Next::Wait)
}

/// Stores the result of a claimed game, and reports it.
fn store_result(
    result: Result<Record, GameError>,
    claim: &Claim,
    host: &dyn Host,
    runner: i64,
    stop: &AtomicBool,
    shared: &mut Shared<'_>,
) -> anyhow::Result<()> {
    let bots: Vec<&str> = claim.bots.iter().map(|bot| bot.name.as_str()).collect();
    match result {
        Ok(record) => {
            let seats = seats_of_record(&record, host.has_points());
            let json = record.to_json();
            shared.patiently(stop, |store| store.finish(runner, claim.id, &seats, &json))?;
            for reason in &record.again {
                (shared.observer)(Event::Again { bots: &bots, reason });
            }
            let points: Vec<f64> = seats.iter().map(|seat| seat.points).collect();
            let ends: Vec<&str> = seats.iter().map(|seat| seat.ending.as_str()).collect();
            let silent: Vec<bool> = record.seats.iter().map(|seat| seat.is_silent()).collect();
            let event = Event::Game { bots: &bots, points: &points, ends: &ends, silent: &silent };
            (shared.observer)(event);
            for (bot, end) in bots.into_iter().zip(ends) {
                shared.rest_if_failing(bot, end, stop)?;
            }
        }
        Err(error @ (GameError::Stopped | GameError::Busy(_))) => {
            shared.patiently(stop, |store| store.release(runner, claim.id))?;
            shared.left += 1;
            if let GameError::Busy(reason) = error {
                (shared.observer)(Event::Shortage { reason: &reason });
            }
        }
        Err(error) => {
            let reason = error.to_string();
            shared.patiently(stop, |store| store.void(runner, claim.id, &reason))?;
            (shared.observer)(Event::Void { bots: &bots, reason: &reason });
        }
    }
    Ok(())
}

/// Plays one game after another. The file is locked only between games.
fn work(
    league: &League,
    host: &dyn Host,
    runner: i64,
    plan: Plan,
    stop: &AtomicBool,
    shared: &Mutex<Shared<'_>>,
) -> anyhow::Result<()> {
    let mut pause = FIRST_PAUSE;
    // The version of the file when there was nothing to play.
    let mut idle = None;
    loop {
        let mut locked = shared.lock().expect("no worker panics");
        let next = next_claim(league, runner, plan, stop, &mut idle, &mut locked)?;
        drop(locked);
        let claim = match next {
            Next::Claim(claim) => claim,
            Next::Wait => {
                std::thread::sleep(POLL_INTERVAL);
                continue;
            }
            Next::End => return Ok(()),
        };
        let result = play(host, league, &claim, stop);
        if let Ok(record) = &result {
            shared.lock().expect("no worker panics").watch.add(record);
        }
        let is_short = matches!(result, Err(GameError::Busy(_)));
        store_result(result, &claim, host, runner, stop, &mut shared.lock().expect("no worker panics"))?;
        if is_short {
            rest(&mut pause, stop);
        } else {
            pause = FIRST_PAUSE;
        }
    }
}

/// Claims the next game. Several new pairs are planned at a time, and more of them in a league with many games, because
/// planning then takes longer.
fn claim(store: &mut Store, runner: i64, league: &League) -> anyhow::Result<Option<Claim>> {
    let players = league.players();
    store.claim(runner, |bots, games| {
        let mut meetings = Meetings::of(bots, games);
        let mut planned = Vec::new();
        while planned.len() <= games.len() / 200
            && let Some(meeting) = next_meeting(bots, &meetings, &league.settings.matchmaking, players)
        {
            for (at, &b) in meeting.iter().enumerate() {
                meeting[..at].iter().for_each(|&a| meetings.plan(a, b));
            }
            planned.push(meeting.into_iter().map(|place| bots[place].id).collect());
        }
        planned
    })
}

/// Plays a claimed game.
fn play(host: &dyn Host, league: &League, claim: &Claim, stop: &AtomicBool) -> Result<Record, GameError> {
    let contest = league.contest();
    let entrant = |bot: &LeagueBot| {
        let entrant = bot.entrant(contest.map(|contest| contest as _), &league.folder);
        entrant.map_err(|error| GameError::void(format!("{}: {error}", bot.name)))
    };
    let seats = claim.bots.iter().map(entrant).collect::<Result<Vec<_>, GameError>>()?;
    let fixture = Fixture { seats, seed: host.seed(claim.seed), bot_seeds: claim.bot_seeds.clone() };
    play_safely(host, &fixture, stop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::NewLeagueGame;
    use crate::store::NewBot;

    /// Only failures in a row count: a game without a failure resets the count.
    #[test]
    fn who_fails_now_and_then_plays_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let contest = contender_catalogue::find("spaghetti").expect("a game");
        let league = League::create(folder.path(), NewLeagueGame::Contest(contest)).expect("a league");
        let mut store = Store::open(&league).expect("a store");
        store.add(NewBot { name: "g", command: "greedy", ..NewBot::default() }).expect("a bot");
        let mut rests = 0;
        let mut observer =
            |event: Event<'_>| rests += u32::from(matches!(event, Event::Resting { bot: "g" }));
        let mut shared = Shared {
            store,
            left: 0,
            is_waiting: false,
            failures: BTreeMap::new(),
            failure: None,
            watch: Watch::start(&contender_referee::IdleProcesses::default()),
            observer: &mut observer,
        };
        let almost = vec!["timeout"; FAILURES_IN_A_ROW as usize - 1];
        for end in almost.iter().chain(&["normal"]).chain(&almost) {
            shared.rest_if_failing("g", end, &AtomicBool::new(false)).expect("noted");
        }
        assert_eq!(shared.store.bots().expect("bots")[0].state, BotState::Active);
        shared.rest_if_failing("g", "crash", &AtomicBool::new(false)).expect("noted");
        assert_eq!(shared.store.bots().expect("bots")[0].state, BotState::Paused);
        drop(shared);
        assert_eq!(rests, 1);
    }
}
