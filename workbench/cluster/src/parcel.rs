//! A job in the form in which it is sent. It is identified by the hash of its content. The bots' files and the networks
//! of a training run are identified by hashes of their own content.

use anyhow::{Context as _, Result, bail};
use async_nats::jetstream::object_store::ObjectStore;
use contender_play::{HostSpec, Job, Program};
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

/// Maximum size of a bot's or referee's file.
const MAX_FILE_SIZE: u64 = 256 << 20;
/// Maximum number of files per command.
const MAX_FILES: usize = 10_000;

/// Java's options that are followed by a list of files and folders. All files and folders in the list are sent together
/// with the command.
const CLASS_PATH: [&str; 3] = ["-cp", "-classpath", "--class-path"];

/// The id of a job: the first 16 bytes of the SHA-256 hash of its parcel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Id(u128);

impl Id {
    /// Returns the id for these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Id {
        let hash = Sha256::digest(bytes);
        Id(hash.iter().take(16).fold(0, |id, &byte| id << 8 | u128::from(byte)))
    }

    /// Parses the output of [`Display`](fmt::Display).
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

/// The work of a job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Parcel {
    /// A game, with the files of the bots' commands by seat, and with the files of an external referee.
    Game { job: Box<Job>, bots: Vec<Vec<BotFile>>, referee: Vec<BotFile> },
    /// Games of a training run, and the server's names of the networks that play them.
    Batch { batch: String, networks: Vec<String> },
}

impl Parcel {
    /// Returns the names of the files that must be on the server.
    pub fn content(&self) -> Vec<String> {
        match self {
            Parcel::Game { referee, bots, .. } => {
                referee.iter().chain(bots.iter().flatten()).map(|file| file.sha256.clone()).collect()
            }
            Parcel::Batch { networks, .. } => networks.clone(),
        }
    }
}

/// Returns the name of a run's network on the server. The name is different for each run, because a run deletes its
/// network when it no longer needs it.
pub(crate) fn network_name(run: &str, network: &[u8]) -> String {
    format!("{run}-{}", sha256(network))
}

/// Fetches the network that has this [`network_name`].
///
/// # Errors
/// Returns an error if the server does not have the network, or if the network does not match its hash.
pub(crate) async fn network(name: &str, store: &ObjectStore, patience: Duration) -> Result<Vec<u8>> {
    let bytes = object(name, name, store, patience).await?;
    if name.rsplit('-').next() != Some(&sha256(&bytes)) {
        bail!("the network {name} does not match its hash");
    }
    Ok(bytes)
}

/// The error for a file that is missing on the server: the file's name there, and a message for the user.
#[derive(Debug)]
pub(crate) struct Missing {
    pub name: String,
    words: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for Missing {}

/// Fetches a file from the server by name. Data that the server has lost never arrives, so the function fails if no
/// data arrives for `patience`.
async fn object(name: &str, said: &str, store: &ObjectStore, patience: Duration) -> Result<Vec<u8>, Missing> {
    let missing = |words: String| Missing { name: name.to_string(), words: format!("{said}{words}") };
    let stalled = |_| missing(" cannot be fetched from the server".to_string());
    let opened = timeout(patience, store.get(name)).await.map_err(stalled)?;
    let mut object = opened.map_err(|error| missing(format!(": {error}")))?;
    let mut bytes = Vec::new();
    loop {
        let read = timeout(patience, object.read_buf(&mut bytes)).await.map_err(stalled)?;
        if read.map_err(|error| missing(format!(": {error}")))? == 0 {
            return Ok(bytes);
        }
    }
}

/// A file of a bot, or of a referee.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct BotFile {
    /// The path of the file in the command's folder on a worker. It starts with the index of the word that names the
    /// file, so that files with equal names do not collide.
    path: String,
    /// The hash of the content.
    sha256: String,
    executable: bool,
}

/// Files that are sent with jobs: the path for each hash, and the hash of each known path. So a file is not read again
/// for every game.
#[derive(Default)]
pub(crate) struct Luggage {
    known: BTreeMap<PathBuf, (String, bool)>,
    pub paths: BTreeMap<String, PathBuf>,
}

impl Luggage {
    /// Prepares a job for transport.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn pack(&mut self, mut job: Job) -> Result<Parcel> {
        let referee = match &mut job.host {
            HostSpec::External(spec) => self.pack_command(&mut spec.referee)?,
            HostSpec::Contest { .. } => Vec::new(),
        };
        let seats = job.fixture.seats.iter_mut();
        let bots = seats.map(|bot| self.pack_command(&mut bot.program)).collect::<Result<_>>()?;
        Ok(Parcel::Game { job: Box::new(job), bots, referee })
    }

    /// Replaces the file names in a command by paths in the command's folder on a worker.
    fn pack_command(&mut self, program: &mut Program) -> Result<Vec<BotFile>> {
        let mut files = Vec::new();
        let Some(packed_command) = program.command_line_mut() else { return Ok(files) };
        let command = packed_command.clone();
        *packed_command = command.clone().anywhere();
        let words = &mut packed_command.words;
        for (at, word) in words.iter_mut().enumerate() {
            let is_class_path = at > 0 && CLASS_PATH.contains(&command.words[at - 1].as_str());
            // A program without a folder, such as `python3`, is found in the PATH, and must also exist on the worker.
            if at == 0 && !word.contains('/') {
                continue;
            }
            if !is_class_path {
                if let Some(packed) =
                    self.pack_path(&command.path(word), false, &at.to_string(), &mut files)?
                {
                    *word = packed;
                }
                continue;
            }
            let mut packed = Vec::new();
            for (number, part) in word.split(':').enumerate() {
                let place = format!("{at}/{number}");
                // All jar files in a folder.
                let (path, rest) = part.strip_suffix("/*").map_or((part, ""), |folder| (folder, "/*"));
                let found = self.pack_path(&command.path(path), true, &place, &mut files)?;
                packed.push(found.map_or_else(|| part.to_string(), |place| place + rest));
            }
            *word = packed.join(":");
        }
        if files.len() > MAX_FILES {
            bail!("`{}` has {} files; the maximum is {MAX_FILES}", command.name(), files.len());
        }
        Ok(files)
    }

    /// Adds a file, or a whole folder if folders are allowed. Returns the file's name on a worker, or `None` if there
    /// is nothing to send.
    fn pack_path(
        &mut self,
        path: &Path,
        takes_folders: bool,
        place: &str,
        files: &mut Vec<BotFile>,
    ) -> Result<Option<String>> {
        if path.starts_with("/usr") || path.starts_with("/bin") {
            return Ok(None);
        }
        if path.is_file() {
            let (sha256, executable) = self.read(path)?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let path = format!("{place}/{name}");
            files.push(BotFile { path: path.clone(), sha256, executable });
            return Ok(Some(format!("./{path}")));
        }
        if !takes_folders || !path.is_dir() {
            return Ok(None);
        }
        let listed = fs::read_dir(path).with_context(|| path.display().to_string())?;
        let mut listed = listed.collect::<Result<Vec<_>, _>>().with_context(|| path.display().to_string())?;
        listed.sort_by_key(fs::DirEntry::file_name);
        for entry in listed {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let name = entry.file_name();
            let inside =
                if is_folder { format!("{place}/{}", name.to_string_lossy()) } else { place.to_string() };
            // A symbolic link to a folder might lead to a cycle.
            if files.len() <= MAX_FILES && (is_folder || entry.path().is_file()) {
                self.pack_path(&entry.path(), true, &inside, files)?;
            }
        }
        Ok(Some(format!("./{place}")))
    }

    fn read(&mut self, path: &Path) -> Result<(String, bool)> {
        if let Some(known) = self.known.get(path) {
            return Ok(known.clone());
        }
        let name = path.display();
        let meta = path.metadata().with_context(|| name.to_string())?;
        if meta.len() > MAX_FILE_SIZE {
            bail!("{name} is {} MiB; the maximum is {} MiB", meta.len() >> 20, MAX_FILE_SIZE >> 20);
        }
        let bytes = fs::read(path).with_context(|| name.to_string())?;
        let known = (sha256(&bytes), is_executable(&meta));
        self.paths.insert(known.0.clone(), path.to_path_buf());
        self.known.insert(path.to_path_buf(), known.clone());
        Ok(known)
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

#[cfg(unix)]
fn is_executable(meta: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}

/// Fetches a bot's files and returns the folder that contains them. Files that do not match their hash are not used.
///
/// # Errors
/// Returns an error if the server does not have a file.
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
        let is_within = |part| matches!(part, Component::Normal(_));
        if file.path.is_empty() || !Path::new(&file.path).components().all(is_within) {
            bail!("invalid file name in a job: `{}`", file.path);
        }
        let name = file.path.rsplit('/').next().unwrap_or_default();
        let bytes = object(&file.sha256, name, store, patience).await?;
        if sha256(&bytes) != file.sha256 {
            bail!("{name} does not match its hash");
        }
        let path = made.path().join(&file.path);
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
        // Another game on this machine was faster.
        Err(_) if folder.is_dir() => {}
        result => result.with_context(|| folder.display().to_string())?,
    }
    Ok(folder)
}

/// Returns a word of a command, with file names replaced by the real paths of the files. The real paths are needed
/// because the command does not run in the files' folder.
pub(crate) fn from_anywhere(word: &str, files: &[BotFile], folder: &Path) -> String {
    let part = |part: &str| {
        let inside = part.strip_prefix("./").filter(|inside| {
            let place = inside.trim_end_matches("/*");
            files.iter().any(|file| Path::new(&file.path).starts_with(place))
        });
        inside.map_or_else(|| part.to_string(), |inside| folder.join(inside).display().to_string())
    };
    word.split(':').map(part).collect::<Vec<_>>().join(":")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use contender_play::{CommandLine, Conditions, Entrant, ExternalSpec, Fixture};

    /// Returns a job with these two bots.
    pub(crate) fn job(bots: [&str; 2]) -> Job {
        let contest = contender_catalogue::find("uttt").unwrap();
        let [zero, one] = bots.map(|text| Entrant::parse(contest, text).unwrap());
        let host =
            HostSpec::Contest { game: "uttt".to_string(), conditions: Box::new(Conditions::of(contest)) };
        Job::new(&Fixture::between([&zero, &one], 3, [4, 5]), host)
    }

    #[test]
    fn a_job_is_known_by_all_of_it() {
        let id =
            |job: &Job| Id::of(&serde_json::to_vec(&Luggage::default().pack(job.clone()).unwrap()).unwrap());
        let one = job(["random", "greedy"]);
        let mut others = [job(["greedy", "random"]), one.clone(), one.clone(), one.clone(), one.clone()];
        others[1].fixture.seed += 1;
        others[2].fixture.bot_seeds[1] += 1;
        let HostSpec::Contest { conditions, .. } = &mut others[3].host else { panic!() };
        conditions.limits.nodes = Some(1);
        others[4].version.push('x');
        assert_eq!(id(&one), id(&one.clone()));
        assert!(others.iter().all(|other| id(other) != id(&one)));
        assert_eq!(Id::parse(&id(&one).to_string()), Some(id(&one)));
        assert_eq!(Id::parse("0"), None);
    }

    /// A file is identified by its content, not by its path.
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
        let command = job.fixture.seats[0].program.command_line().unwrap();
        assert_eq!((command.words[1].as_str(), command.folder()), ("./1/bot.py", None));
    }

    /// Whole folders in a class path are sent, in folders named by the indices of their words and positions.
    #[test]
    fn a_class_path_travels_with_its_folders() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["classes/a/A.class", "classes/B.class", "lib/x.jar", "y.jar"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, name).unwrap();
        }
        let words = ["java", "-cp", "classes:lib/*:y.jar:none", "Main", "classes"].map(str::to_string);
        let command = |words: &[String]| Program::KeepAlive(CommandLine::new(words).within(folder.path()));
        let bot = Entrant { name: "y".into(), program: command(&["./y.jar".into()]) };
        let host = HostSpec::External(ExternalSpec {
            referee: command(&words),
            league: None,
            time: None,
            limit: Duration::from_secs(1),
            retries: 0,
            rematches: 0,
            wants_log: false,
        });
        let mut luggage = Luggage::default();
        let parcel =
            luggage.pack(Job::new(&Fixture { seats: vec![bot], ..Fixture::default() }, host)).unwrap();
        let Parcel::Game { job, referee, bots } = &parcel else { panic!() };
        let HostSpec::External(spec) = &job.host else { panic!() };
        let command = spec.referee.command_line().unwrap();
        let words = &command.words;
        assert_eq!(command.folder(), None);
        assert_eq!(words[1..], ["-cp", "./2/0:./2/1/*:./2/2/y.jar:none", "Main", "classes"]);
        let paths: Vec<&str> = referee.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["2/0/B.class", "2/0/a/A.class", "2/1/x.jar", "2/2/y.jar"]);
        assert_eq!(luggage.paths[&bots[0][0].sha256], folder.path().join("y.jar"));
        assert_eq!(parcel.content().len(), 5);
        let there = |word: &str| from_anywhere(word, referee, Path::new("/there"));
        assert_eq!(there(&words[2]), "/there/2/0:/there/2/1/*:/there/2/2/y.jar:none");
        assert_eq!(there("./other:2/0"), "./other:2/0");
    }
}
