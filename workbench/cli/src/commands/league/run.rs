//! `contender league run`: plays the games of a league.

use super::GameSelection;
use super::show::{show, text};
use crate::progress::progress_of;
use crate::setup::say_silence;
use crate::signals::{end_with_input, stop_flag};
use contender_input::this_program;
use contender_league::{
    BotState, Event, FAILURES_IN_A_ROW, League, Meetings, Plan, Store, VOIDS_IN_A_ROW, run as play,
};
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Plays games, shows the standings below the progress line, and lists the failed bots at the end. If `with_input` is
/// set, also stops when standard input is closed.
pub fn play_on(league: &League, plan: Plan, quiet: bool, with_input: bool) -> anyhow::Result<ExitCode> {
    let stop = stop_flag()?;
    if with_input {
        end_with_input(&stop);
    }
    let limit = plan.until.map(|until| until.saturating_duration_since(Instant::now()));
    let bar = progress_of(quiet, "games", limit);
    if let Some(games) = plan.games {
        bar.set_length(games);
    }
    let mut course = RunSummary::default();
    let mut machine = None;
    let mut void = 0;
    let ended = play(league, plan, &stop, &mut |event| match event {
        Event::Game { bots, points, ends, silent } => {
            course.add(bots, ends, silent);
            if !quiet {
                course.refresh(league);
            }
            bar.set_message(format!("{} {}{}", bots.join(" - "), dashed(points), course.table));
            bar.inc();
        }
        Event::Resting { bot } => bar.suspend(|| say_paused(bot)),
        Event::Again { bots, reason } => bar.suspend(|| {
            say!("retrying: {}: the referee {reason}", bots.join(" - "));
        }),
        Event::Void { bots, reason } => {
            bar.inc();
            void += 1;
            bar.suspend(|| say!("void: {}: {reason}", bots.join(" - ")));
        }
        Event::Shortage { reason } => bar.suspend(|| say!("retrying: {reason}")),
        Event::Waiting => {
            let why = Store::open_to_read(league).and_then(|store| nobody_meets(league, &store));
            let why = why.map_or(String::new(), |why| format!(": {why}"));
            bar.suspend(|| say!("waiting (press Ctrl-C to stop): no games are left to play{why}"));
        }
        Event::End { steadiness } => machine = Some(steadiness.text()),
    })?;
    bar.finish_and_clear();
    let store = Store::open(league)?;
    if !quiet {
        show(league, &store, &GameSelection::default())?;
    }
    let is_stopped = stop.load(Ordering::Relaxed) || plan.until.is_some_and(|until| Instant::now() >= until);
    let played = ended - void;
    let void = if void > 0 { format!(", {void} void") } else { String::new() };
    match plan.games.filter(|games| ended < *games && !is_stopped) {
        Some(games) => {
            let why = nobody_meets(league, &store)?;
            say!("{played} of {games} games played{void}; no games are left to play: {why}");
        }
        None => say!("{played} games played{void}"),
    }
    machine.iter().for_each(|line| say!("{line}"));
    course.failures().lines().for_each(|line| say!("{line}"));
    say_silences(league, &store, &course.silent, &stop)?;
    name_given_up(&store)?;
    Ok(ExitCode::SUCCESS)
}

/// Says that a bot is paused, and how to resume it.
fn say_paused(bot: &str) {
    let program = this_program();
    say!(
        "{bot} is paused because it failed in its last {FAILURES_IN_A_ROW} games; `{program} league games --failed` \
         shows the failures, and `{program} league resume {bot}` lets the bot play again"
    );
}

/// Returns the numbers with dashes between them.
fn dashed(points: &[f64]) -> String {
    let points: Vec<String> = points.iter().map(ToString::to_string).collect();
    points.join(" - ")
}

/// Returns a message that explains why no games are left to play and what the user can change.
fn nobody_meets(league: &League, store: &Store) -> anyhow::Result<String> {
    let bots = store.bots()?;
    let meetings = Meetings::of(&bots, &store.games(false)?);
    let active: Vec<usize> = (0..bots.len()).filter(|&place| bots[place].state == BotState::Active).collect();
    if active.len() < league.settings.players.map_or(2, usize::from) {
        return Ok(too_few(active.len(), bots.len()));
    }
    let most = league.settings.matchmaking.max_pairs.unwrap_or(u64::MAX);
    let mut pairs = active.iter().enumerate().flat_map(|(at, &a)| active[..at].iter().map(move |&b| [a, b]));
    Ok(if pairs.all(|[a, b]| meetings.pairs(a, b) >= most) {
        format!(
            "all bots have played the maximum of {most} pairs of games against each other (`max_pairs` in league.toml)"
        )
    } else {
        "the remaining pairings have had too many games without a result".to_string()
    })
}

/// Returns the error message for a league with too few active bots.
pub fn too_few(playing: usize, bots: usize) -> String {
    let program = this_program();
    format!(
        "only {playing} of the league's {bots} bots can play\nhint: add bots with `{program} league add NAME \
         COMMAND`, or resume a paused bot with `{program} league resume NAME`"
    )
}

/// Minimum time between two computations of the standings: an absolute time, and a multiple of the duration of the last
/// computation. Both must have passed.
const STANDS: (Duration, u32) = (Duration::from_secs(2), 20);

/// A summary of a runner's events.
#[derive(Default)]
struct RunSummary {
    /// For each bot, the number of games and the number of failures of each kind.
    bots: BTreeMap<String, (u64, BTreeMap<String, u64>)>,
    /// The bots that lost on time before answering at all.
    silent: BTreeSet<String>,
    /// The table of standings below the progress line.
    table: String,
    due: Option<Instant>,
}

impl RunSummary {
    /// Adds the results of a game.
    fn add(&mut self, bots: &[&str], ends: &[&str], silent: &[bool]) {
        for ((name, end), &is_silent) in bots.iter().zip(ends).zip(silent) {
            let (games, failures) = self.bots.entry(name.to_string()).or_default();
            *games += 1;
            if *end != "normal" {
                *failures.entry(end.to_string()).or_default() += 1;
            }
            if is_silent {
                self.silent.insert(name.to_string());
            }
        }
    }

    /// Recomputes the standings if enough time has passed since the last computation.
    fn refresh(&mut self, league: &League) {
        let start = Instant::now();
        if self.due.is_some_and(|due| start < due) {
            return;
        }
        let standings =
            Store::open_to_read(league).and_then(|store| league.standings(&store, league.model(), None));
        self.table = standings.map_or(String::new(), |standings| format!("\n{}", text(league, &standings)));
        self.due = Some(Instant::now() + STANDS.0.max(start.elapsed() * STANDS.1));
    }

    /// Returns a text about each bot's failures, with advice.
    fn failures(&self) -> String {
        let mut text = String::new();
        let mut has_timeouts = false;
        for (name, (games, failures)) in self.bots.iter().filter(|(_, (_, failures))| !failures.is_empty()) {
            let count: u64 = failures.values().sum();
            let kinds: Vec<String> = failures.iter().map(|(end, count)| format!("{end} {count}")).collect();
            text += &format!("{name} failed in {count} of {games} games: {}\n", kinds.join(", "));
            has_timeouts |= failures.contains_key("timeout") || failures.contains_key("overloaded");
        }
        if !text.is_empty() {
            text += &format!("to list these games, run `{} league games --failed`\n", this_program());
        }
        if has_timeouts {
            text += "hint: if bots lose on time although they are fast enough, play fewer games at a time \
                (`--jobs`) or increase the time limit (`time` in league.toml)\n";
        }
        text
    }
}

/// Runs `check` for the bots that never answered, and prints the results.
fn say_silences(
    league: &League,
    store: &Store,
    silent: &BTreeSet<String>,
    stop: &AtomicBool,
) -> anyhow::Result<()> {
    let Some(contest) = league.contest() else { return Ok(()) };
    let referee = league.settings.referee(contest, &league.folder)?;
    for bot in store.bots()?.iter().filter(|bot| silent.contains(&bot.name)) {
        // If a command no longer exists, the void games already show this as their reason.
        if let Ok(bot) = bot.entrant(Some(contest), &league.folder) {
            say_silence(contest, referee.clone(), &bot, league.settings.seed, stop);
        }
    }
    Ok(())
}

/// Prints the pairs of bots that no longer play each other because too many of their games had no result.
fn name_given_up(store: &Store) -> anyhow::Result<()> {
    let bots = store.bots()?;
    let meetings = Meetings::of(&bots, &store.games(false)?);
    let active: Vec<usize> = (0..bots.len()).filter(|&place| bots[place].state == BotState::Active).collect();
    let mut is_any = false;
    for (index, &a) in active.iter().enumerate() {
        for &b in active[index + 1..].iter().filter(|&&b| meetings.are_given_up(a, b)) {
            let [a, b] = [a, b].map(|place| &bots[place].name);
            say!(
                "{a} and {b} no longer play each other, because their last {VOIDS_IN_A_ROW} games had no \
                result"
            );
            is_any = true;
        }
    }
    if is_any {
        let program = this_program();
        say!(
            "`{program} league games --failed` shows the reasons; `{program} league resume BOT` lets a bot \
             play against all others again"
        );
    }
    Ok(())
}
