//! A job on its way: known by the hash of its content, with the files of its bots and the networks of a training by
//! theirs, signed by its coordinator.

use crate::clock::Clock;
use anyhow::{Context as _, Result, anyhow, bail};
use async_nats::HeaderMap;
use async_nats::jetstream::object_store::ObjectStore;
use contender_referee::{CommandLine, Job, JobProgram};
use nkeys::KeyPair;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

/// No file of a bot is larger than that.
const LARGEST_FILE: u64 = 256 << 20;

const KEY: &str = "Contender-Key";
const SIGNATURE: &str = "Contender-Signature";

/// What a job is known by: the beginning of the SHA-256 of its [`Parcel`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Id(u128);

impl Id {
    /// Of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Id {
        let hash = Sha256::digest(bytes);
        Id(hash.iter().take(16).fold(0, |id, &byte| id << 8 | u128::from(byte)))
    }

    /// Reads what [`Display`](fmt::Display) writes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Id> {
        let is_id = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u128::from_str_radix(text, 16).ok().filter(|_| is_id).map(Id)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// What a worker is to do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Parcel {
    /// A game, with the files that its bots' commands name, by seat.
    Game { job: Box<Job>, files: [Vec<BotFile>; 2] },
    /// Games of a training, and the networks that play them, by the names that the server has for them.
    Batch { batch: String, networks: Vec<String> },
}

impl Parcel {
    /// What of this the server must have, by its names.
    pub fn content(&self) -> Vec<String> {
        match self {
            Parcel::Game { files, .. } => files.iter().flatten().map(|file| file.sha256.clone()).collect(),
            Parcel::Batch { networks, .. } => networks.clone(),
        }
    }
}

/// What a run's network is called on the server: the run deletes it when it is no longer played, whoever else has the
/// same one.
pub(crate) fn network_name(run: &str, network: &[u8]) -> String {
    format!("{run}-{}", sha256(network))
}

/// The network of a [`network_name`], if it is that one.
///
/// # Errors
/// A network that the server does not have (any more), or another one, in words for the user.
pub(crate) async fn network(name: &str, store: &ObjectStore, patience: Duration) -> Result<Vec<u8>> {
    let bytes = object(name, name, store, patience).await?;
    if name.rsplit('-').next() != Some(&sha256(&bytes)) {
        bail!("the content of the network {name} is not what its hash says");
    }
    Ok(bytes)
}

/// What the server has by a name. What it should have but has lost never comes: nothing new for so long is an error.
async fn object(name: &str, said: &str, store: &ObjectStore, patience: Duration) -> Result<Vec<u8>> {
    let stalled = || anyhow!("{said} does not come from the server");
    let opened = timeout(patience, store.get(name)).await.map_err(|_| stalled())?;
    let mut object = opened.map_err(|error| anyhow!("{said}: {error}"))?;
    let mut bytes = Vec::new();
    loop {
        let read = timeout(patience, object.read_buf(&mut bytes)).await.map_err(|_| stalled())?;
        if read.with_context(|| said.to_string())? == 0 {
            return Ok(bytes);
        }
    }
}

/// A file of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct BotFile {
    /// Which word of the command names it.
    word: usize,
    /// Its name without its folder.
    name: String,
    /// The hash of its content.
    sha256: String,
    executable: bool,
}

/// What was read of files that go with jobs: where they are, by their hashes, and what is known of each path, so that
/// none is read for every game.
#[derive(Default)]
pub(crate) struct Luggage {
    known: BTreeMap<PathBuf, (String, bool)>,
    pub paths: BTreeMap<String, PathBuf>,
}

impl Luggage {
    /// Makes a job ready to travel.
    ///
    /// # Errors
    /// A file that cannot be read, in words for the user.
    pub fn pack(&mut self, mut job: Job) -> Result<Parcel> {
        let mut files = [Vec::new(), Vec::new()];
        for (bot, files) in job.bots.iter_mut().zip(&mut files) {
            let JobProgram::Command { words, folder, .. } = &mut bot.program else { continue };
            let mut command = CommandLine::new(words.iter());
            if let Some(folder) = folder.take() {
                command = command.within(&folder);
            }
            for (at, word) in words.iter_mut().enumerate() {
                // A program without a folder is one of the PATH, as `python3`, and must be there too.
                if at == 0 && !word.contains('/') {
                    continue;
                }
                let path = command.path(word);
                if path.starts_with("/usr") || path.starts_with("/bin") || !path.is_file() {
                    continue;
                }
                let (sha256, executable) = self.read(&path)?;
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                *word = place(at, &name);
                files.push(BotFile { word: at, name, sha256, executable });
            }
        }
        Ok(Parcel::Game { job: Box::new(job), files })
    }

    fn read(&mut self, path: &Path) -> Result<(String, bool)> {
        if let Some(known) = self.known.get(path) {
            return Ok(known.clone());
        }
        let name = path.display();
        let meta = path.metadata().with_context(|| name.to_string())?;
        if meta.len() > LARGEST_FILE {
            bail!("{name} has {} MiB; a bot's file may have {}", meta.len() >> 20, LARGEST_FILE >> 20);
        }
        let bytes = fs::read(path).with_context(|| name.to_string())?;
        let known = (sha256(&bytes), is_executable(&meta));
        self.paths.insert(known.0.clone(), path.to_path_buf());
        self.known.insert(path.to_path_buf(), known.clone());
        Ok(known)
    }
}

/// Where a bot's file is in its folder on a worker: by the place of its word, so that files of one name do not meet.
fn place(word: usize, name: &str) -> String {
    format!("./{word}/{name}")
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(unix)]
fn is_executable(meta: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}

/// Brings a bot's files here and returns the folder that they lie in. A file whose content is not what its hash says is
/// not used.
///
/// # Errors
/// A file that the server does not have (any more), in words for the user.
pub(crate) async fn unpack(
    files: &[BotFile],
    store: &ObjectStore,
    patience: Duration,
    cache: &Path,
) -> Result<PathBuf> {
    let listed = serde_json::to_vec(files)?;
    let folder = cache.join(Id::of(&listed).to_string());
    if folder.is_dir() {
        return Ok(folder);
    }
    fs::create_dir_all(cache).with_context(|| cache.display().to_string())?;
    let made = tempfile::Builder::new().prefix("new-").tempdir_in(cache)?;
    for file in files {
        if file.name.is_empty() || file.name.contains('/') || file.name == ".." {
            bail!("a job has a file called `{}`", file.name);
        }
        let bytes = object(&file.sha256, &file.name, store, patience).await?;
        if sha256(&bytes) != file.sha256 {
            bail!("the content of {} is not what its hash says", file.name);
        }
        let path = made.path().join(place(file.word, &file.name));
        fs::create_dir_all(path.parent().unwrap_or(made.path()))?;
        fs::write(&path, &bytes).with_context(|| path.display().to_string())?;
        #[cfg(unix)]
        if file.executable {
            fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        }
    }
    #[cfg(unix)]
    fs::set_permissions(made.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    match fs::rename(made.path(), &folder) {
        // Another game of this machine was quicker.
        Err(_) if folder.is_dir() => {}
        result => result.with_context(|| folder.display().to_string())?,
    }
    Ok(folder)
}

/// With what a coordinator signs its jobs, so that workers know whose they are.
pub struct Key(KeyPair);

impl Key {
    /// Reads a key's file, or makes a key and its file, which only its owner reads.
    ///
    /// # Errors
    /// A file that is no key, or cannot be written.
    pub fn open_or_make(path: &Path) -> Result<Key> {
        let name = path.display();
        if path.exists() {
            let text = fs::read_to_string(path).with_context(|| name.to_string())?;
            return Ok(Key(
                KeyPair::from_seed(text.trim()).map_err(|error| anyhow!("{name} is no key: {error}"))?
            ));
        }
        let key = KeyPair::new_user();
        let seed = key.seed().map_err(|error| anyhow!("{error}"))?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).with_context(|| name.to_string())?;
        std::io::Write::write_all(&mut file, format!("{seed}\n").as_bytes())?;
        Ok(Key(key))
    }

    /// What workers are told to trust.
    #[must_use]
    pub fn public(&self) -> String {
        self.0.public_key()
    }

    /// Adds whose a parcel with these headers is.
    pub(crate) fn sign(&self, bytes: &[u8], headers: &mut HeaderMap) -> Result<()> {
        let signature = self.0.sign(&signed(bytes, Some(headers)));
        let signature = signature.map_err(|error| anyhow!("a job cannot be signed: {error}"))?;
        headers.insert(KEY, self.public().as_str());
        let signature: String = signature.iter().map(|byte| format!("{byte:02x}")).collect();
        headers.insert(SIGNATURE, signature.as_str());
        Ok(())
    }
}

/// What a signature is of: the parcel, and how its clock goes. The clock is no part of the parcel, whose hash must stay
/// when a coordinator comes back and measures its speed anew.
fn signed(bytes: &[u8], headers: Option<&HeaderMap>) -> Vec<u8> {
    let clock = headers.and_then(|headers| headers.get(Clock::HEADER)).map_or("", |words| words.as_str());
    [bytes, &[0], clock.as_bytes()].concat()
}

/// Whose jobs a worker plays.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trust {
    /// Jobs of anybody, whatever they run.
    pub any: bool,
    /// The public keys whose signed jobs it plays; others it plays only if both bots are bundled ones.
    pub keys: Vec<String>,
}

impl Trust {
    /// Whether a job may be played.
    ///
    /// # Errors
    /// Why not, in words for both sides.
    pub(crate) fn allows(
        &self,
        parcel: &Parcel,
        bytes: &[u8],
        headers: Option<&HeaderMap>,
    ) -> Result<(), String> {
        let runs_commands = |program: &JobProgram| matches!(program, JobProgram::Command { .. });
        let is_harmless = match parcel {
            Parcel::Game { job, .. } => !job.bots.iter().any(|bot| runs_commands(&bot.program)),
            Parcel::Batch { .. } => true,
        };
        if self.any || is_harmless {
            return Ok(());
        }
        let header = |name: &str| Some(headers?.get(name)?.as_str().to_string());
        let refused =
            "it runs a command, and this worker plays such jobs only of those it trusts (`--trust KEY`)";
        let (Some(key), Some(signature)) = (header(KEY), header(SIGNATURE)) else {
            return Err(format!("the job is not signed; {refused}"));
        };
        if !self.keys.contains(&key) {
            return Err(format!("the job is signed by {key}; {refused}"));
        }
        let signature: Option<Vec<u8>> = signature
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
            .collect();
        let is_right = KeyPair::from_public_key(&key)
            .ok()
            .zip(signature)
            .is_some_and(|(key, signature)| key.verify(&signed(bytes, headers), &signature).is_ok());
        if is_right { Ok(()) } else { Err(format!("the job's signature is wrong; {refused}")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_referee::{Entrant, GamePlan, Referee};

    fn job(bots: [&str; 2]) -> Job {
        let contest = contender_catalogue::find("uttt").unwrap();
        let [zero, one] = bots.map(|text| Entrant::parse(contest, text).unwrap());
        Referee::of(contest).job(contest, GamePlan { players: [&zero, &one], luck: 3, bot_seeds: [4, 5] })
    }

    #[test]
    fn a_job_is_known_by_all_of_it() {
        let id =
            |job: &Job| Id::of(&serde_json::to_vec(&Luggage::default().pack(job.clone()).unwrap()).unwrap());
        let one = job(["random", "greedy"]);
        let mut others = [job(["greedy", "random"]), one.clone(), one.clone(), one.clone(), one.clone()];
        others[1].luck += 1;
        others[2].bot_seeds[1] += 1;
        others[3].limits.nodes = Some(1);
        others[4].version.push('x');
        assert_eq!(id(&one), id(&one.clone()));
        assert!(others.iter().all(|other| id(other) != id(&one)));
        assert_eq!(Id::parse(&id(&one).to_string()), Some(id(&one)));
        assert_eq!(Id::parse("0"), None);
    }

    /// The content counts, not where the file lies.
    #[test]
    fn a_bots_files_are_known_by_their_content() {
        let folder = tempfile::tempdir().unwrap();
        let pack = |name: &str, text: &str| {
            let path = folder.path().join(name).join("bot.py");
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            let bot = format!("bot=python3 {}", path.display());
            Luggage::default().pack(job([&bot, "random"])).unwrap()
        };
        let [one, same, other] = [("a", "1"), ("b", "1"), ("c", "2")].map(|(name, text)| pack(name, text));
        assert_eq!(one, same);
        assert_ne!(one, other);
        let Parcel::Game { job, .. } = &one else { panic!() };
        let JobProgram::Command { words, folder, .. } = &job.bots[0].program else { panic!() };
        assert_eq!((words[1].as_str(), folder), ("./1/bot.py", &None));
    }

    #[test]
    fn only_what_is_signed_right_runs_commands() {
        let folder = tempfile::tempdir().unwrap();
        let [key, other] = ["a", "b"].map(|name| Key::open_or_make(&folder.path().join(name)).unwrap());
        assert_eq!(Key::open_or_make(&folder.path().join("a")).unwrap().public(), key.public());
        let parcel = |bot: &str| Luggage::default().pack(job([bot, "random"])).unwrap();
        let (bundled, command) = (parcel("greedy"), parcel("x=/bin/cat"));
        let bytes = serde_json::to_vec(&command).unwrap();
        let sign = |key: &Key, clock: Clock| {
            let mut headers = HeaderMap::new();
            clock.words().iter().for_each(|words| headers.insert(Clock::HEADER, words.as_str()));
            key.sign(&bytes, &mut headers).unwrap();
            headers
        };
        let trust = Trust { any: false, keys: vec![key.public()] };
        for clock in [Clock::Any, Clock::Scaled(100.0)] {
            assert_eq!(trust.allows(&command, &bytes, Some(&sign(&key, clock))), Ok(()));
        }
        let signed = sign(&key, Clock::Scaled(100.0));
        assert!(trust.allows(&command, &bytes, None).is_err());
        assert!(trust.allows(&command, b"another job", Some(&signed)).is_err());
        assert!(trust.allows(&command, &bytes, Some(&sign(&other, Clock::Any))).is_err());
        // Another's signature under a key that is trusted.
        let mut forged = sign(&other, Clock::Any);
        forged.insert(KEY, key.public().as_str());
        assert!(trust.allows(&command, &bytes, Some(&forged)).is_err());
        // Another clock than that which was signed, and one where none was.
        for mut headers in [signed.clone(), sign(&key, Clock::Any)] {
            headers.insert(Clock::HEADER, Clock::Scaled(1.0).words().unwrap().as_str());
            assert!(trust.allows(&command, &bytes, Some(&headers)).is_err());
        }
        assert_eq!(Trust::default().allows(&bundled, &[], None), Ok(()));
        assert!(Trust::default().allows(&command, &bytes, Some(&signed)).is_err());
        assert_eq!(Trust { any: true, keys: Vec::new() }.allows(&command, &bytes, None), Ok(()));
    }
}
