//! Explains the time during which a process neither runs nor waits for a core. For this, it samples whether the process
//! is asleep, and how much time the machine reports as stolen.
//!
//! The scheduler's *run delay* includes all waits for a core, even those under a quota. The run delay does not include
//! the time that a hypervisor takes from a core while a process runs on the core.

use super::delays;
use super::groups;
use crate::platform::interface::Look;
use nix::sys::resource::{UsageWho, getrusage};
use nix::time::ClockId;
use nix::unistd::{Pid, SysconfVar, sysconf};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// The open files about a process, which are read repeatedly.
pub(crate) struct Watcher {
    pid: Pid,
    /// The file with the state of the process and the number of times it went to sleep.
    status: File,
    /// Files about the quotas of the process.
    quotas: Vec<File>,
    /// The counters of the cores, if a hypervisor has ever taken time from the cores.
    cores: Option<File>,
    tick: Duration,
}

impl Watcher {
    pub fn new(pid: Pid) -> Option<Watcher> {
        let cores = File::open("/proc/stat")
            .ok()
            .filter(|cores| stolen_from("cpu", cores).is_some_and(|ticks| ticks > 0));
        let ticks = sysconf(SysconfVar::CLK_TCK).ok()??;
        Some(Watcher {
            pid,
            status: File::open(format!("/proc/{pid}/status")).ok()?,
            quotas: groups::above(pid).iter().filter_map(|folder| quota(folder)).collect(),
            cores,
            tick: Duration::from_secs(1) / u32::try_from(ticks).ok()?,
        })
    }

    /// Returns whether a quota limits the process.
    pub fn has_quota(&self) -> bool {
        !self.quotas.is_empty()
    }

    /// Takes a sample of the process's counters. The arguments are the CPU time of its threads, the CPU time including
    /// its descendants, and the times that its first thread and all threads have waited for a core.
    pub fn look(&self, [ran, all_ran, waited]: [Duration; 3], all_waited: Duration) -> Option<Look> {
        let (is_asleep, sleeps) = state(&read(&self.status)?)?;
        let throttled = self.quotas.iter().filter_map(|quota| throttled(&read(quota)?)).sum();
        let stolen =
            self.cores.as_ref().and_then(|cores| stolen_from(&format!("cpu{}", core_of(self.pid)?), cores));
        let stolen = self.tick * stolen.unwrap_or_default() as u32;
        Some(Look {
            at: Instant::now(),
            ran,
            all_ran,
            waited,
            all_waited,
            is_asleep,
            sleeps,
            throttled,
            stolen,
        })
    }
}

/// Takes a sample of the calling thread.
pub(crate) fn own_look() -> Option<Look> {
    let usage = getrusage(UsageWho::RUSAGE_THREAD).ok()?;
    Some(Look {
        at: Instant::now(),
        ran: ClockId::CLOCK_THREAD_CPUTIME_ID.now().ok()?.into(),
        waited: delays::own_delay()?,
        is_asleep: false,
        sleeps: usage.voluntary_context_switches() as u64,
        ..Look::now()
    })
}

/// Returns the time that these threads have waited for a core.
pub(crate) fn waits(threads: impl IntoIterator<Item = Pid>) -> Duration {
    let waited = |thread: Pid| Some(delays::read(&delays::of(&thread.to_string())?)?[1]);
    threads.into_iter().filter_map(waited).sum()
}

/// Returns the beginning of a kernel file.
fn read(file: &File) -> Option<String> {
    let mut text = [0; 1 << 14];
    let length = file.read_at(&mut text, 0).ok()?;
    Some(String::from_utf8_lossy(&text[..length]).into_owned())
}

/// Returns whether the first thread of a process is asleep, and how many times it has gone to sleep.
fn state(status: &str) -> Option<(bool, u64)> {
    let value = |key: &str| status.lines().find_map(|line| Some(line.strip_prefix(key)?.trim()));
    Some((!value("State:")?.starts_with('R'), value("voluntary_ctxt_switches:")?.parse().ok()?))
}

/// Opens the counters of a control group, if it has a quota for processor time.
fn quota(folder: &Path) -> Option<File> {
    // Without a quota, version 2 has `max` in this file and version 1 has -1.
    let has_quota = |file: &str, none: &str| {
        fs::read_to_string(folder.join(file)).is_ok_and(|quota| !quota.starts_with(none))
    };
    let has_quota = has_quota("cpu.max", "max") || has_quota("cpu.cfs_quota_us", "-1");
    has_quota.then(|| File::open(folder.join("cpu.stat")).ok())?
}

/// Returns the total time during which a quota has kept a group from running.
fn throttled(counts: &str) -> Option<Duration> {
    counts.lines().find_map(|line| {
        // Version 2 counts in microseconds, version 1 in nanoseconds.
        let micros =
            line.strip_prefix("throttled_usec ").map(|micros| micros.parse().map(Duration::from_micros));
        let nanos = line.strip_prefix("throttled_time ").map(|nanos| nanos.parse().map(Duration::from_nanos));
        micros.or(nanos)?.ok()
    })
}

/// Returns the ticks that a hypervisor has taken from one core (`cpu3`) or from all cores (`cpu`).
fn stolen_from(core: &str, counts: &File) -> Option<u64> {
    stolen_in(core, &read(counts)?)
}

fn stolen_in(core: &str, counts: &str) -> Option<u64> {
    counts
        .lines()
        .find_map(|line| line.strip_prefix(core)?.strip_prefix(' '))?
        .split_ascii_whitespace()
        .nth(7)?
        .parse()
        .ok()
}

/// Returns the core on which a process last ran.
fn core_of(pid: Pid) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(36)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_counts_are_read() {
        let status = "Name:\tbot\nState:\tS (sleeping)\nvoluntary_ctxt_switches:\t17\nnonvoluntary_ctxt_switches:\t4\n";
        assert_eq!(state(status), Some((true, 17)));
        assert_eq!(state(&status.replace('S', "R")), None);
        assert_eq!(state(&status.replace("S (", "R (")), Some((false, 17)));
        assert_eq!(throttled("nr_periods 9\nthrottled_usec 1500\n"), Some(Duration::from_micros(1500)));
        assert_eq!(throttled("nr_periods 9\nthrottled_time 1500\n"), Some(Duration::from_nanos(1500)));
        assert_eq!(throttled("usage_usec 5\n"), None);
        let cores = "cpu  9 0 0 0 0 0 0 5 0 0\ncpu0 4 0 0 0 0 0 0 2 0 0\ncpu10 5 0 0 0 0 0 0 3 0 0\nintr 7\n";
        assert_eq!(
            ["cpu", "cpu0", "cpu10", "cpu1"].map(|core| stolen_in(core, cores)),
            [Some(5), Some(2), Some(3), None]
        );
        let own = Watcher::new(Pid::this()).unwrap().look([Duration::ZERO; 3], Duration::ZERO).unwrap();
        assert!(!own.is_asleep || own.sleeps > 0);
        assert!(core_of(Pid::this()).is_some());
    }

    /// Checks that a sleeping process is seen as asleep, however long this takes on a busy machine.
    #[test]
    fn who_sleeps_is_seen() {
        let mut process = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        let watcher = Watcher::new(Pid::from_raw(process.id() as i32)).unwrap();
        let look = || watcher.look([Duration::ZERO; 3], Duration::ZERO).unwrap();
        while !look().is_asleep || look().sleeps == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        process.kill().unwrap();
        process.wait().unwrap();
    }
}
