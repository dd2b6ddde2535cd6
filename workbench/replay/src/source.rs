//! Sources of recorded games.

use anyhow::Context;
use flate2::read::MultiGzDecoder;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// Maximum length of a line in bytes. The limit prevents a malicious file from using up all memory.
const MAX_LINE: u64 = 16 << 20;

/// A file or text with recorded games, and its name for messages.
pub struct Source {
    /// The name of the file, as shown in messages.
    pub name: String,
    reader: Box<dyn BufRead>,
}

impl Source {
    /// Opens a file. The first two bytes of the file show whether it is gzipped.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn open(path: &Path) -> anyhow::Result<Source> {
        let name = path.display().to_string();
        let file = contender_input::open(path).with_context(|| format!("cannot read {name}"))?;
        Source::new(name.clone(), BufReader::new(file)).with_context(|| format!("cannot read {name}"))
    }

    /// Creates a source from text in memory. `name` is the file name for messages.
    #[must_use]
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Source {
        Source::new(name.to_string(), Cursor::new(bytes)).expect("reading from memory cannot fail")
    }

    fn new(name: String, mut raw: impl BufRead + 'static) -> std::io::Result<Source> {
        let is_gzip = raw.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let reader: Box<dyn BufRead> =
            if is_gzip { Box::new(BufReader::new(MultiGzDecoder::new(raw))) } else { Box::new(raw) };
        Ok(Source { name, reader })
    }

    /// Returns the first line that is neither blank nor a comment (`#`), without consuming it. A line that does not fit
    /// into the first buffer is truncated.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read.
    pub fn peek(&mut self) -> anyhow::Result<String> {
        let start = self.reader.fill_buf().with_context(|| format!("cannot read {}", self.name))?;
        let text = String::from_utf8_lossy(start);
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(lines.next().unwrap_or_default().to_string())
    }

    /// Returns the lines that are not blank, each with its place `file:line`. There is an error with a place for a line
    /// that is not UTF-8, a line that is too long, and a failed read. Reading continues after a line that is not UTF-8,
    /// and stops after any other error.
    pub(crate) fn lines(self) -> impl Iterator<Item = Result<(String, String), String>> {
        let Source { name, mut reader } = self;
        let mut number = 0;
        let mut has_failed = false;
        let next = move || {
            if has_failed {
                return None;
            }
            number += 1;
            let place = format!("{name}:{number}");
            let mut bytes = Vec::new();
            match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
                Ok(0) => None,
                Ok(read) if read as u64 == MAX_LINE => {
                    has_failed = true;
                    Some(Err(format!("{place}: the line is longer than {MAX_LINE} bytes")))
                }
                Ok(_) => Some(match String::from_utf8(bytes) {
                    Ok(text) => Ok((place, text.trim_end_matches(['\n', '\r']).to_string())),
                    Err(error) => {
                        Err(format!("{place}:{}: not UTF-8 text", error.utf8_error().valid_up_to() + 1))
                    }
                }),
                Err(error) => {
                    has_failed = true;
                    Some(Err(format!("{place}: {error}")))
                }
            }
        };
        std::iter::from_fn(next).filter(|line| !matches!(line, Ok((_, text)) if text.trim().is_empty()))
    }
}
