//! The load of the cores, from `/proc/stat`.

use crate::platform::interface::Load;
use nix::sys::resource::{UsageWho, getrusage};
use nix::unistd::{SysconfVar, sysconf};
use std::fs;
use std::time::Duration;

/// Returns the load of all cores since the machine was started, if the system reports it.
pub(crate) fn load() -> Option<Load> {
    let ticks = sysconf(SysconfVar::CLK_TCK).ok()??;
    let line = fs::read_to_string("/proc/stat").ok()?;
    let own = [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN].map(|who| {
        let usage = getrusage(who).ok()?;
        let time = usage.user_time() + usage.system_time();
        Some(Duration::from_micros((time.tv_sec() * 1_000_000 + time.tv_usec()).try_into().ok()?))
    });
    let [all, busy, stolen] =
        parse(line.lines().next()?)?.map(|time| Duration::from_secs_f64(time as f64 / ticks as f64));
    Some(Load { all, busy, stolen, own: own[0]? + own[1]? })
}

/// Parses the total, busy and stolen ticks.
fn parse(line: &str) -> Option<[u64; 3]> {
    let numbers = line.strip_prefix("cpu ")?.split_ascii_whitespace();
    let numbers: Vec<u64> = numbers.map(str::parse).collect::<Result<_, _>>().ok()?;
    // The next number, the time of guests, is already part of the user time.
    let [user, nice, system, idle, waiting, irq, soft_irq, stolen] = *numbers.first_chunk()?;
    let busy = user + nice + system + irq + soft_irq;
    Some([busy + idle + waiting + stolen, busy, stolen])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_told_apart() {
        assert_eq!(parse("cpu  100 20 30 4000 500 6 7 80 9 0"), Some([4743, 163, 80]));
        for line in ["", "cpu0 1 2 3 4 5 6 7 8", "cpu  1 2 3", "cpu  1 2 3 4 5 6 7 x"] {
            assert_eq!(parse(line), None, "{line}");
        }
    }

    /// Checks that the work of this process is measured, and does not count as another program's.
    #[test]
    fn own_work_counts() {
        let before = load().unwrap();
        while load().unwrap().own < before.own + Duration::from_millis(50) {
            std::hint::black_box((0..100_000).sum::<u64>());
        }
        let after = load().unwrap();
        assert!(after.all > before.all && after.all >= after.busy + after.stolen);
    }
}
