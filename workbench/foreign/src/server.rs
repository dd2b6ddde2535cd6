//! Processes that play many games, such as `contender.Host -serve`. For each game, the process reads a line of
//! arguments, and writes the lines of the result followed by `contender-end STATUS`.

use contender_referee::{
    ChildGuard, CommandLine, ExitStatus, Isolation, ProcessOutput, StartError, WaitOutcome,
};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Total output, in bytes, after which a process is replaced by a new one.
const MAX_LENGTH: usize = 4 << 20;
/// Number of games after which a process is replaced by a new one, because challenges may leak memory.
const MAX_GAMES: u32 = 500;
/// The beginning of the line after a result.
const END: &str = "contender-end ";

/// A process that plays games.
pub(crate) struct Server {
    process: ChildGuard,
    /// Number of bytes of output that have been read.
    read: usize,
    games: u32,
}

/// The outcome of a request.
pub(crate) enum Answer {
    /// The lines of the result.
    Lines(String),
    /// The process has ended or was killed.
    Gone { waited: WaitOutcome, remains: ProcessOutput },
}

impl Server {
    /// Starts a process, which may outlive the calling thread.
    pub fn start(
        line: &CommandLine,
        said: usize,
        isolation: Option<&Isolation>,
    ) -> Result<Server, StartError> {
        let process = ChildGuard::start_within(line, [MAX_LENGTH, said], isolation, false)?;
        Ok(Server { process, read: 0, games: 0 })
    }

    /// Plays a game. Also returns the process if it can play another game.
    pub fn play(mut self, words: &[String], limit: Duration, stop: &AtomicBool) -> (Answer, Option<Server>) {
        let request =
            words.iter().map(|word| word.replace(['\t', '\n', '\r'], " ")).collect::<Vec<_>>().join("\t");
        self.process.send(format!("{request}\n").as_bytes());
        let read = self.read;
        let waited = self.process.wait(limit, stop, |output| end_of(&output[read..]).is_some());
        let output = self.process.output();
        let Some((end, length, status)) = end_of(&output[read..]).filter(|_| waited == WaitOutcome::Enough)
        else {
            return (Answer::Gone { waited, remains: self.process.end() }, None);
        };
        if status != 0 {
            // The reason for the failure is on standard error, which is available when the process ends.
            let remains = self.process.end();
            let remains = ProcessOutput {
                output: remains.output[read..read + end].to_vec(),
                status: Some(ExitStatus::Code(status)),
                ..remains
            };
            return (Answer::Gone { waited: WaitOutcome::Ended, remains }, None);
        }
        let lines = String::from_utf8_lossy(&output[read..read + end]).into_owned();
        self.read += length;
        self.games += 1;
        let goes_on = self.games < MAX_GAMES && self.read < MAX_LENGTH / 2;
        (Answer::Lines(lines), goes_on.then_some(self))
    }
}

/// Finds the line that ends a result. Returns its position, the position after it, and the status.
fn end_of(output: &[u8]) -> Option<(usize, usize, i32)> {
    let mut start = 0;
    for line in output.split_inclusive(|&byte| byte == b'\n') {
        if let Some(status) = line.strip_prefix(END.as_bytes()).filter(|_| line.ends_with(b"\n")) {
            let status = String::from_utf8_lossy(status).trim().parse().unwrap_or(1);
            return Some((start, start + line.len(), status));
        }
        start += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_ends_where_it_says_so() {
        assert_eq!(end_of(b"3\n4\ncontender-end 0\n5\n"), Some((4, 20, 0)));
        assert_eq!(end_of(b"3\n4\ncontender-end 0"), None);
        assert_eq!(end_of(b"contender-end 1\r\n"), Some((0, 17, 1)));
        assert_eq!(end_of(b"x contender-end 0\n"), None);
    }
}
