//! Time that threads wait for a core, as counted by the kernel's scheduler: the *run delay* in `/proc/PID/schedstat`.

use std::cell::OnceCell;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// Opens the counters of a process's first thread, which can be read repeatedly.
pub(crate) fn of(process: &str) -> Option<File> {
    File::open(format!("/proc/{process}/schedstat")).ok()
}

/// Returns the time that the thread has run, and the time that it was ready to run but waited for a core.
pub(crate) fn read(counts: &File) -> Option<[Duration; 2]> {
    let mut text = [0; 80];
    let length = counts.read_at(&mut text, 0).ok()?;
    parse(&text[..length])
}

fn parse(text: &[u8]) -> Option<[Duration; 2]> {
    // Both numbers are in nanoseconds. The third number, which is ignored, counts the time slices.
    let mut numbers = std::str::from_utf8(text).ok()?.split_ascii_whitespace();
    let mut next = || numbers.next()?.parse().ok().map(Duration::from_nanos);
    Some([next()?, next()?])
}

/// Returns the time that the calling thread was ready to run and waited for a core.
pub(crate) fn own_delay() -> Option<Duration> {
    thread_local! {
        static COUNTS: OnceCell<Option<File>> = const { OnceCell::new() };
    }
    COUNTS.with(|counts| Some(read(counts.get_or_init(|| of("thread-self")).as_ref()?)?[1]))
}

/// Returns the total time since the machine was started during which any runnable task waited for a core (the kernel's
/// pressure stall information), or `None` if the kernel does not count it.
pub(crate) fn all_delays() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/pressure/cpu").ok()?;
    let micros = text.lines().find(|line| line.starts_with("some "))?.rsplit_once("total=")?.1;
    micros.trim().parse().ok().map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_number_is_the_wait() {
        let times = [Duration::from_nanos(1023), Duration::from_micros(5500)];
        assert_eq!(parse(b"1023 5500000 17\n"), Some(times));
        for text in [&b""[..], b"5", b"5 x 7", b"\xff 5"] {
            assert_eq!(parse(text), None);
        }
    }
}
