//! Buffers for a bot's output: the unread lines of standard output, and the end of standard error.

use crate::Ending;
use crate::readable::readable;

/// Maximum number of unread output bytes. A longer answer is invalid.
const MAX_UNREAD: usize = 1 << 16;

/// A bot's output that has not been used as an answer yet.
#[derive(Default)]
pub(crate) struct Unread {
    bytes: Vec<u8>,
    /// Number of line ends in `bytes`.
    lines: usize,
}

impl Unread {
    pub fn add(&mut self, new: &[u8]) {
        self.lines += new.iter().filter(|&&byte| byte == b'\n').count();
        self.bytes.extend_from_slice(new);
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.lines = 0;
    }

    /// Returns whether the unread output contains a complete line.
    pub fn has_line(&self) -> bool {
        self.lines > 0
    }

    /// Returns whether the unread output ends in the middle of a line.
    pub fn has_part_of_line(&self) -> bool {
        self.bytes.last().is_some_and(|&byte| byte != b'\n')
    }

    /// Returns whether the unread output is longer than `bytes` bytes.
    pub fn is_more_than(&self, bytes: usize) -> bool {
        self.bytes.len() > bytes
    }

    /// Returns the ending of a bot that has written too much, or `None` if the unread output is short enough.
    pub fn flood(&self) -> Option<Ending> {
        let bytes = self.bytes.len();
        (bytes > MAX_UNREAD).then_some(Ending::Flood { bytes })
    }

    /// Returns the unread output without trailing white space.
    pub fn text(&self) -> &[u8] {
        self.bytes.trim_ascii_end()
    }

    /// Takes an answer of `lines` lines (at least 1) if it is complete. Returns an ending if there is too much output
    /// without a complete answer.
    pub fn take(&mut self, lines: usize) -> Option<Result<Vec<String>, Ending>> {
        if self.lines < lines {
            return self.flood().map(Err);
        }
        let mut ends = self.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let length = ends.nth(lines - 1).map_or(0, |(at, _)| at + 1);
        self.lines -= lines;
        let answer = match std::str::from_utf8(&self.bytes[..length]) {
            Ok(text) => Ok(text.lines().map(str::to_string).collect()),
            Err(_) => Err(Ending::InvalidUtf8 { answer: readable(&self.bytes[..length - 1]) }),
        };
        self.bytes.drain(..length);
        Some(answer)
    }
}

/// The last bytes of a stream, up to a limit.
pub(crate) struct Tail {
    bytes: Vec<u8>,
    limit: usize,
    /// Total number of bytes added.
    all: usize,
}

impl Tail {
    /// Creates a tail that keeps the last `limit` bytes.
    pub fn new(limit: usize) -> Tail {
        Tail { bytes: Vec::new(), limit, all: 0 }
    }

    pub fn add(&mut self, new: &[u8]) {
        self.all += new.len();
        self.bytes.extend_from_slice(&new[new.len().saturating_sub(self.limit)..]);
        // Cutting only at twice the limit moves every byte at most once on average.
        if self.bytes.len() > 2 * self.limit {
            self.bytes.drain(..self.bytes.len() - self.limit);
        }
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.all = 0;
    }

    /// Returns the total number of bytes added.
    pub fn all(&self) -> usize {
        self.all
    }

    /// Returns the number of bytes at the start of the stream that were dropped.
    pub fn lost(&self) -> usize {
        self.all - self.bytes.len().min(self.limit)
    }

    /// Returns the kept bytes as text, with invalid UTF-8 replaced.
    pub fn text(&self) -> String {
        let start = self.bytes.len().saturating_sub(self.limit);
        String::from_utf8_lossy(&self.bytes[start..]).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// Generates the chunks of a stream with many line ends and a few bytes that are not valid UTF-8.
    fn chunks() -> impl Strategy<Value = Vec<Vec<u8>>> {
        vec(vec(prop_oneof![Just(b'a'), Just(b'\n'), Just(b'\r'), 0x7e..0x82_u8], 0..12), 0..20)
    }

    proptest! {
        #[test]
        fn answers_are_the_stream_cut_at_line_ends(chunks in chunks(), lines in 1..4_usize) {
            let mut unread = Unread::default();
            let mut answers = Vec::new();
            for chunk in &chunks {
                unread.add(chunk);
                while let Some(answer) = unread.take(lines) {
                    answers.push(answer.ok());
                }
            }
            let stream = chunks.concat();
            let whole: Vec<&[u8]> = stream.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")).collect();
            let expected: Vec<Option<Vec<String>>> = whole
                .chunks_exact(lines)
                .map(|lines| {
                    let texts = lines.iter().map(|line| {
                        let line = line.strip_suffix(b"\n").unwrap();
                        String::from_utf8(line.strip_suffix(b"\r").unwrap_or(line).to_vec())
                    });
                    texts.collect::<Result<_, _>>().ok()
                })
                .collect();
            prop_assert_eq!(&answers, &expected);
            prop_assert_eq!(unread.has_line(), whole.len() != lines * expected.len());
            let taken: usize = whole[..lines * expected.len()].iter().map(|line| line.len()).sum();
            let rest = &stream[taken..];
            prop_assert_eq!(unread.has_part_of_line(), !rest.is_empty() && !rest.ends_with(b"\n"));
            for bytes in 0..=rest.len() {
                prop_assert_eq!(unread.is_more_than(bytes), bytes < rest.len());
            }
        }

        #[test]
        fn a_tail_is_the_end_of_the_stream(chunks in chunks(), limit in 0..30_usize) {
            let mut tail = Tail::new(limit);
            for chunk in &chunks {
                tail.add(chunk);
                prop_assert!(tail.bytes.len() <= 2 * limit);
            }
            let stream = chunks.concat();
            let end = &stream[stream.len().saturating_sub(limit)..];
            prop_assert_eq!(tail.text(), String::from_utf8_lossy(end));
        }
    }

    #[test]
    fn a_line_that_does_not_end_is_a_flood() {
        let mut unread = Unread::default();
        unread.add(&[b'x'; MAX_UNREAD]);
        assert_eq!(unread.take(1), None);
        unread.add(b"x");
        assert_eq!(unread.take(1), Some(Err(Ending::Flood { bytes: MAX_UNREAD + 1 })));
    }
}
