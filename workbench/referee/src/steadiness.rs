//! The timing noise of the machine while games are played, which shows whether the machine may have caused time-outs.

use crate::platform::{Load, load};
use crate::{Host, IdleProcesses, Record};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Interval of the wake-ups whose delay is measured.
const PERIOD: Duration = Duration::from_millis(10);

/// Minimum delay of a wake-up that counts as late.
const LATE: Duration = Duration::from_millis(1);

/// Maximum fraction of their thinking time that bots spend waiting for a core on a steady machine.
const MAX_WAITING: f64 = 0.01;
/// Maximum fraction of late wake-ups on a steady machine.
const MAX_LATE: f64 = 0.02;
/// Maximum fraction of the cores' time that other programs use, or that is stolen, on a steady machine.
const MAX_LOAD: f64 = 0.1;
/// Longest wait for a core on a steady machine, in seconds.
const MAX_WAIT: f64 = 0.02;

/// The timing noise of the machine. A value that the system does not report is `None`.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Steadiness {
    /// Whether the noise is too small to affect the result of a game.
    pub is_steady: bool,
    /// Total thinking time of bots with a clock, in seconds, for which the waiting times are known.
    pub thinking_seconds: f64,
    /// The part of the thinking time that was spent waiting for a core, including the referee's late wake-ups.
    pub waiting_seconds: f64,
    /// The longest wait for a core in one answer.
    pub longest_wait_seconds: f64,
    /// Number of answers during which the machine took at least 1 ms from a bot that neither slept nor waited for a
    /// core. This happens if a virtual machine's host gives the core to other machines, or if a quota limits the bot.
    pub stolen_answers: u64,
    /// Total time taken from bots in this way, over all answers.
    pub stolen_seconds: f64,
    /// The longest time taken from a bot in one answer.
    pub longest_stolen_seconds: f64,
    /// Number of games in which a bot lost on time because it waited for a core or because time was stolen.
    pub overloaded: u64,
    /// Number of games that were replayed for this reason.
    pub rematches: u64,
    /// Fraction of the wake-ups (one every 10 ms) that were more than 1 ms late.
    pub late_wakeups: Option<f64>,
    /// The longest delay of a wake-up.
    pub latest_wakeup_seconds: Option<f64>,
    /// Fraction of the cores' time that other programs used.
    pub other_load: Option<f64>,
    /// Fraction of the cores' time that a hypervisor gave to other machines.
    pub stolen: Option<f64>,
}

impl Steadiness {
    /// Formats the known measurements as text.
    #[must_use]
    pub fn figures(&self) -> String {
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        let mut known = Vec::new();
        if self.thinking_seconds > 0.0 {
            known.push(format!(
                "bots waited for a core for {} of their time ({:.0} ms at most)",
                percent(self.waiting_seconds / self.thinking_seconds),
                1000.0 * self.longest_wait_seconds
            ));
        }
        if self.stolen_answers > 0 {
            known.push(format!(
                "during {}, the host took time from the bot ({:.0} ms at most)",
                if self.stolen_answers == 1 {
                    "1 answer".to_string()
                } else {
                    format!("{} answers", self.stolen_answers)
                },
                1000.0 * self.longest_stolen_seconds
            ));
        }
        known.extend(
            self.other_load.map(|load| format!("other programs used {} of the cores", percent(load))),
        );
        known.extend(
            self.stolen
                .filter(|&stolen| stolen > 0.0)
                .map(|stolen| format!("{} of the cores' time was stolen", percent(stolen))),
        );
        known.extend(self.late_wakeups.map(|share| format!("{} of wake-ups were late", percent(share))));
        known.join(", ")
    }

    /// Returns a summary in one or two sentences.
    #[must_use]
    pub fn text(&self) -> String {
        let noise = if self.is_steady { "low" } else { "high" };
        let mut text = format!("Timing noise: {noise}: {}.", self.figures());
        if self.overloaded > 0 {
            // Replays mean that the option was used.
            let advice = if self.rematches > 0 {
                ", even when replayed: play fewer games at once, or allow more time."
            } else {
                "; use `--rematch N` to replay such games."
            };
            text += &format!(
                " {} lost on time because of delays{advice}",
                if self.overloaded == 1 {
                    "1 game was".to_string()
                } else {
                    format!("{} games were", self.overloaded)
                }
            );
        }
        if self.rematches > 0 {
            text += &format!(" Games replayed because of delays: {}.", self.rematches);
        }
        text
    }
}

/// A measurement of the machine's timing noise while games are played.
pub struct Watch<'h> {
    sleeper: Option<(Arc<AtomicBool>, JoinHandle<Wakeups>)>,
    before: Option<Load>,
    /// The CPU time of bots that wait for their next game. It does not count as load from other programs.
    idle_cpu: Box<dyn Fn() -> Duration + Send + 'h>,
    games: Steadiness,
}

/// Counters of a thread's wake-ups.
#[derive(Clone, Copy, Default)]
struct Wakeups {
    all: u64,
    late: u64,
    latest: Duration,
}

impl Watch<'static> {
    /// Starts a measurement. The bots in `idle` do not count as other programs.
    #[must_use]
    pub fn start(idle: &IdleProcesses) -> Watch<'static> {
        let idle = idle.clone();
        Watch::with_idle(Box::new(move || idle.cpu()))
    }
}

impl<'h> Watch<'h> {
    /// Starts a measurement while a host plays. The host's waiting bots do not count as other programs.
    #[must_use]
    pub fn host(host: &'h dyn Host) -> Watch<'h> {
        Watch::with_idle(Box::new(|| host.idle_cpu()))
    }

    fn with_idle(idle_cpu: Box<dyn Fn() -> Duration + Send + 'h>) -> Watch<'h> {
        let is_over = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_over);
        // If no thread can be started, only the wake-ups are missing.
        let sleeper = thread::Builder::new().spawn(move || wake_up_until(&stop)).ok();
        Watch {
            sleeper: sleeper.map(|thread| (is_over, thread)),
            before: load_with(idle_cpu()),
            idle_cpu,
            games: Steadiness::default(),
        }
    }

    /// Adds the thinking times of a game, which may have been played before the measurement started.
    pub fn add(&mut self, game: &Record) {
        let games = &mut self.games;
        for seat in game.seats.iter().filter(|seat| !seat.delays.is_empty()) {
            let seconds = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64();
            games.thinking_seconds += seconds(&seat.times);
            games.waiting_seconds += seconds(&seat.delays);
            let longest = seat.delays.iter().max().map_or(0.0, Duration::as_secs_f64);
            games.longest_wait_seconds = games.longest_wait_seconds.max(longest);
            games.stolen_answers += seat.stolen.iter().filter(|&&stolen| stolen >= LATE).count() as u64;
            games.stolen_seconds += seconds(&seat.stolen);
            let longest = seat.stolen.iter().max().map_or(0.0, Duration::as_secs_f64);
            games.longest_stolen_seconds = games.longest_stolen_seconds.max(longest);
        }
        games.overloaded += u64::from(game.is_overloaded());
        games.rematches += u64::from(game.rematches);
    }

    /// Ends the measurement and returns the timing noise, or `None` if load on the machine could not affect any bot, or
    /// if nothing is known.
    #[must_use]
    pub fn end(self) -> Option<Steadiness> {
        let seen = self.machine();
        (seen.thinking_seconds > 0.0).then_some(seen)
    }

    /// Ends the measurement and returns the timing noise, even if no bot had a clock.
    #[must_use]
    pub fn machine(self) -> Steadiness {
        let mut seen = self.games;
        if let Some((is_over, thread)) = self.sleeper {
            is_over.store(true, Ordering::Relaxed);
            thread.thread().unpark();
            if let Ok(Wakeups { all: all @ 1.., late, latest }) = thread.join() {
                seen.late_wakeups = Some(late as f64 / all as f64);
                seen.latest_wakeup_seconds = Some(latest.as_secs_f64());
            }
        }
        if let Some((before, after)) = self.before.zip(load_with((self.idle_cpu)())) {
            let [other_load, stolen] = shares(before, after);
            (seen.other_load, seen.stolen) = (Some(other_load), Some(stolen));
        }
        seen.is_steady = is_steady(&seen);
        seen
    }
}

/// Returns the load of the cores. The work of waiting bots does not count as load from other programs.
fn load_with(idle_cpu: Duration) -> Option<Load> {
    load().map(|load| Load { own: load.own + idle_cpu, ..load })
}

fn is_steady(seen: &Steadiness) -> bool {
    let little = |share: Option<f64>, most: f64| share.is_none_or(|share| share <= most);
    seen.overloaded == 0
        && seen.rematches == 0
        && seen.waiting_seconds + seen.stolen_seconds <= MAX_WAITING * seen.thinking_seconds
        && seen.longest_wait_seconds.max(seen.longest_stolen_seconds) <= MAX_WAIT
        && little(seen.late_wakeups, MAX_LATE)
        && little(seen.other_load, MAX_LOAD)
        && little(seen.stolen, MAX_LOAD)
}

/// Returns the fraction of the cores' time between two samples that other programs used, and the fraction that was
/// stolen.
fn shares(before: Load, after: Load) -> [f64; 2] {
    let between = |of: fn(&Load) -> Duration| of(&after).saturating_sub(of(&before)).as_secs_f64();
    let all = between(|load| load.all);
    let others = between(|load| load.busy) - between(|load| load.own);
    // The kernel counts in ticks of a few milliseconds.
    [others, between(|load| load.stolen)]
        .map(|time| if all > 0.0 { (time / all).clamp(0.0, 1.0) } else { 0.0 })
}

fn wake_up_until(stop: &AtomicBool) -> Wakeups {
    let mut seen = Wakeups::default();
    let mut due = Instant::now() + PERIOD;
    loop {
        thread::park_timeout(due.saturating_duration_since(Instant::now()));
        let now = Instant::now();
        if stop.load(Ordering::Relaxed) {
            return seen;
        }
        if now < due {
            continue;
        }
        let late = now - due;
        seen.all += 1;
        seen.late += u64::from(late > LATE);
        seen.latest = seen.latest.max(late);
        due = now + PERIOD;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ending, Seat};

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// Returns a game with these answers, each with its time and its delay.
    fn game(answers: &[[u64; 2]], ending: Ending) -> Record {
        let seat = Seat {
            ending,
            times: answers.iter().map(|answer| ms(answer[0])).collect(),
            delays: answers.iter().map(|answer| ms(answer[1])).collect(),
            ..Seat::default()
        };
        let without = Seat { times: vec![ms(5000)], ..Seat::default() };
        Record { seats: vec![seat, without], ..Record::default() }
    }

    fn of(games: &[Record]) -> Option<Steadiness> {
        let mut watch = Watch::start(&IdleProcesses::default());
        games.iter().for_each(|game| watch.add(game));
        let seen = watch.end()?;
        // The current noise of this machine does not belong to the test.
        let seen = Steadiness {
            late_wakeups: Some(0.001),
            latest_wakeup_seconds: Some(0.002),
            other_load: Some(0.02),
            stolen: Some(0.0),
            ..seen
        };
        Some(Steadiness { is_steady: is_steady(&seen), ..seen })
    }

    #[test]
    fn waits_are_added_up_and_judged() {
        let normal = || Ending::Normal;
        let steady = of(&[game(&[[500, 1], [500, 2]], normal()), game(&[[1000, 0]], normal())]).unwrap();
        assert!(steady.is_steady);
        assert_eq!((steady.thinking_seconds, steady.longest_wait_seconds), (2.0, 0.002));
        assert_eq!(
            steady.text(),
            "Timing noise: low: bots waited for a core for 0.1% of their time (2 ms at most), other \
             programs used 2.0% of the \
             cores, 0.1% of wake-ups were late."
        );
        // One long wait, and many short waits.
        for answers in [&[[5000, 25]][..], &[[100, 3]; 10]] {
            assert!(!of(&[game(answers, normal())]).unwrap().is_steady, "{answers:?}");
        }
        let lost = Ending::Overloaded { limit_ms: 100, overrun_ms: Some(1), delay_ms: 60, stolen_ms: 0 };
        let again = Record { rematches: 2, ..game(&[[100, 0]], normal()) };
        let seen = of(&[game(&[[101, 1]], lost), again]).unwrap();
        assert_eq!((seen.is_steady, seen.overloaded, seen.rematches), (false, 1, 2));
        assert!(
            seen.text().contains("1 game was lost on time because of delays, even when replayed"),
            "{}",
            seen.text()
        );
        let lost = Ending::Overloaded { limit_ms: 100, overrun_ms: Some(1), delay_ms: 60, stolen_ms: 0 };
        let text = of(&[game(&[[101, 1]], lost)]).unwrap().text();
        assert!(text.contains("1 game was lost on time because of delays; use `--rematch N`"), "{text}");
        // The host takes time while a bot runs.
        let mut robbed = game(&[[5000, 0], [90, 0], [117, 0]], normal());
        robbed.seats[0].stolen = vec![Duration::from_micros(300), ms(2), ms(27)];
        let seen = of(&[robbed]).unwrap();
        assert_eq!((seen.is_steady, seen.stolen_answers), (false, 2));
        assert!(
            seen.text().contains("during 2 answers, the host took time from the bot (27 ms at most)"),
            "{}",
            seen.text()
        );
        // If no bot has a clock, there is nothing to report.
        assert_eq!(of(&[game(&[], normal())]), None);
    }

    /// The CPU time of a bot that waits for its next game counts as our own, before and after its death.
    #[test]
    #[cfg(all(target_os = "linux", not(feature = "portable")))]
    fn what_waiting_bots_use_is_our_own() {
        use crate::CommandLine;
        use crate::process::{Process, Start};
        let command = CommandLine::new(["sh", "-c", "while :; do :; done"]);
        let start = Start { stderr_tail: 0, sandbox: None, dies_with_thread: false, ponders: true };
        let idle = IdleProcesses::default();
        let before = load_with(idle.cpu()).unwrap().own;
        idle.put(command.clone(), Box::new(Process::spawn(&command, start).unwrap()));
        while idle.cpu() < ms(50) {
            thread::sleep(ms(1));
        }
        assert!(load_with(idle.cpu()).unwrap().own >= before + ms(50));
        idle.clear();
        assert!(load_with(idle.cpu()).unwrap().own >= before + ms(50));
    }

    #[test]
    fn others_used_what_was_not_idle_and_not_our_own() {
        let before = Load { all: ms(1000), busy: ms(100), stolen: ms(10), own: ms(50) };
        let after = Load { all: ms(3000), busy: ms(1100), stolen: ms(30), own: ms(850) };
        let [others, stolen] = shares(before, after);
        assert!((others - 0.1).abs() < 1e-9 && (stolen - 0.01).abs() < 1e-9, "{others} {stolen}");
        // Ticks that do not match, and no time at all.
        assert_eq!(shares(before, Load { own: ms(5000), ..after })[0], 0.0);
        assert_eq!(shares(before, before), [0.0, 0.0]);
    }
}
