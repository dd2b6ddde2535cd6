//! Downloads public battles from CodinGame's site, one at a time and without a login.
//!
//! The program `curl` sends the requests, because it uses the system's certificates and proxies.

use crate::battle::{self, BattleError};
use contender_input::MAX_TEXT;
use contender_play::CommandLine;
use contender_referee::{ChildGuard, WaitOutcome};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The address to which the request for a battle is sent.
pub const ADDRESS: &str = "https://www.codingame.com/services/gameResult/findByGameId";
/// Maximum time of a request.
const MAX_TIME: Duration = Duration::from_secs(60);

/// The reason why a battle could not be fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The download was stopped from outside.
    #[error("stopped")]
    Stopped,
    /// The program `curl` cannot be started.
    #[error(
        "cannot start curl: {0}\nhint: install curl, or save the battle in the browser and use `site import`"
    )]
    NoCurl(String),
    /// The site did not answer.
    #[error("no answer from the site: {0}")]
    NoAnswer(String),
    /// The site refused the request.
    #[error("the site refused the request with status {status}: {answer}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The beginning of the site's answer.
        answer: String,
    },
    /// The answer is not a battle.
    #[error("the site's answer is invalid: {0}")]
    Battle(#[from] BattleError),
    /// The file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
}

/// Returns the path of the file for a battle.
#[must_use]
pub fn file_of(folder: &Path, id: u64) -> PathBuf {
    folder.join(format!("{id}.json"))
}

/// Downloads a battle into a folder. Either the complete file is written, or no file.
///
/// # Errors
/// Returns the reason why the battle could not be downloaded.
pub fn fetch(address: &str, id: u64, folder: &Path, stop: &AtomicBool) -> Result<PathBuf, FetchError> {
    let text = call(address, id, stop)?;
    let value = serde_json::from_str(&text).map_err(|error| BattleError::Json(error.to_string()))?;
    battle::read(&value)?;
    let path = file_of(folder, id);
    let write = || {
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(&path)?;
        Ok(())
    };
    match write() {
        Ok(()) => Ok(path),
        Err(error) => Err(FetchError::Write { path, error }),
    }
}

fn call(address: &str, id: u64, stop: &AtomicBool) -> Result<String, FetchError> {
    let data = format!("[{id},null]");
    let (time, size) = (MAX_TIME.as_secs().to_string(), MAX_TEXT.to_string());
    let agent = concat!("contender/", env!("CARGO_PKG_VERSION"));
    let words = [
        "curl",
        "--silent",
        "--show-error",
        "--compressed",
        "--max-time",
        &time,
        "--max-filesize",
        &size,
        "--proto",
        "=http,https",
        "--user-agent",
        agent,
        "--header",
        "Content-Type: application/json",
        "--data",
        &data,
        "--write-out",
        "\n%{http_code}",
        "--",
        address,
    ];
    let mut process = ChildGuard::start(&CommandLine::new(words), MAX_TEXT as usize + 16, 1 << 12)
        .map_err(|error| FetchError::NoCurl(error.to_string()))?;
    process.close_input();
    let waited = process.wait(MAX_TIME + Duration::from_secs(5), stop, |_| false);
    let ended = process.end();
    if waited == WaitOutcome::Stopped {
        return Err(FetchError::Stopped);
    }
    let text = String::from_utf8_lossy(&ended.output).into_owned();
    let (answer, status) = text.rsplit_once('\n').unwrap_or(("", ""));
    match status.trim().parse() {
        Ok(200) => Ok(answer.to_string()),
        Ok(status) if status > 0 => {
            let answer: String = answer.chars().filter(|letter| !letter.is_control()).take(200).collect();
            Err(FetchError::Refused { status, answer })
        }
        _ => Err(FetchError::NoAnswer(ended.stderr.trim().to_string())),
    }
}
