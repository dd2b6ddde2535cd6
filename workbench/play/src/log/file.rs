//! Log files: reading the games, appending more, and repairing the last line of a log whose writer was stopped.

use super::LogError;
use crate::Record;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Reads a log game by game and skips empty lines. Reading continues after an invalid line, but stops after an I/O
/// error or an incomplete last line.
pub fn read_log(log: impl BufRead) -> impl Iterator<Item = Result<Record, LogError>> {
    let mut log = log;
    let mut number = 0;
    let mut bytes = Vec::new();
    let mut has_failed = false;
    std::iter::from_fn(move || {
        loop {
            number += 1;
            let failed = |reason: String| LogError { line: number, column: 0, reason, is_torn: false };
            match contender_input::read_line(&mut log, &mut bytes) {
                _ if has_failed => return None,
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => {
                    has_failed = true;
                    return Some(Err(failed(error.to_string())));
                }
            }
            let is_ended = bytes.ends_with(b"\n");
            let game = match std::str::from_utf8(&bytes) {
                Ok(text) if text.trim().is_empty() => continue,
                Ok(text) => Record::from_json(text.trim_end()),
                Err(error) => Err(failed(error.to_string())),
            };
            return Some(game.map_err(|error| {
                let is_torn = !is_ended;
                let reason = if is_torn { format!("torn: {}", error.reason) } else { error.reason };
                LogError { line: number, is_torn, reason, ..error }
            }));
        }
    })
}

/// Opens a log for appending, and creates it if it does not exist. If the last line is incomplete, for example after a
/// power failure, adds a newline first. Otherwise, the next game would be lost, too.
///
/// # Errors
/// Returns an error if the log cannot be opened or repaired.
pub fn append_to(path: &Path) -> io::Result<File> {
    let mut log = OpenOptions::new().create(true).append(true).open(path)?;
    // A pipe or a device has no last line.
    if log.metadata()?.is_file() && last_byte(path)?.is_some_and(|last| last != b'\n') {
        log.write_all(b"\n")?;
    }
    Ok(log)
}

fn last_byte(path: &Path) -> io::Result<Option<u8>> {
    let mut file = File::open(path)?;
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(None);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(Some(last[0]))
}

/// Opens a log for reading its games from the beginning and appending more games. Creates the log if it does not exist.
///
/// # Errors
/// Returns an error if the log cannot be opened.
pub fn open_to_resume(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).read(true).append(true).open(path)
}

/// Returns whether a line, which may be cut off anywhere, starts like a game of this contest.
#[must_use]
pub fn begins_game(line: &[u8], contest: &str) -> bool {
    let head = format!("{{\"game\":\"{contest}\",\"seed\":");
    line.iter().zip(head.as_bytes()).all(|(a, b)| a == b) && !line.is_empty()
}

/// Repairs the last line of a log that was opened with [`open_to_resume`]. Removes an incomplete line, for example
/// after a crash or on a full disk, so that the game is played again. Adds the newline if only that is missing.
///
/// # Errors
/// Returns an error if the log cannot be read or written.
pub fn mend(log: &mut File) -> io::Result<()> {
    log.rewind()?;
    let mut reader = BufReader::new(&*log);
    let (mut whole, mut last) = (0, Vec::new());
    loop {
        let length = contender_input::read_line(&mut reader, &mut last)? as u64;
        if length == 0 {
            return Ok(());
        }
        if !last.ends_with(b"\n") {
            break;
        }
        whole += length;
    }
    if std::str::from_utf8(&last).is_ok_and(|text| Record::from_json(text).is_ok()) {
        log.write_all(b"\n")
    } else {
        log.set_len(whole)
    }
}
