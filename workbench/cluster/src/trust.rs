//! Signatures of parcels. A coordinator signs with its key, and a worker has a list of trusted keys.

use crate::clock::SpeedRule;
use crate::parcel::Parcel;
use anyhow::{Context as _, Result, anyhow};
use async_nats::HeaderMap;
use contender_input::this_program;
use contender_play::HostSpec;
use data_encoding::HEXLOWER;
use nkeys::KeyPair;
use std::fs;
use std::path::Path;

const KEY: &str = "Contender-Key";
const SIGNATURE: &str = "Contender-Signature";

/// A key with which a coordinator signs its jobs, so that workers know the origin of the jobs.
pub struct Key(KeyPair);

impl Key {
    /// Reads a key from its file. If the file does not exist, creates a key and stores it in a file that only its owner
    /// can read. If several processes do this at the same time, all of them get the same key.
    ///
    /// # Errors
    /// Returns an error if the file does not contain a key or cannot be written.
    pub fn open_or_make(path: &Path) -> Result<Key> {
        if !path.exists() {
            Key::make(path).with_context(|| path.display().to_string())?;
        }
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let key = KeyPair::from_seed(text.trim());
        Ok(Key(key.map_err(|error| anyhow!("{} does not contain a key: {error}", path.display()))?))
    }

    /// Writes a new key to a file. If another process has already done so, leaves the file as it is.
    fn make(path: &Path) -> Result<()> {
        // A file name without a folder has an empty parent.
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        // Only its owner can read a temporary file of this kind.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        let seed = KeyPair::new_user().seed().map_err(|error| anyhow!("{error}"))?;
        std::io::Write::write_all(&mut file, format!("{seed}\n").as_bytes())?;
        match file.persist_noclobber(path) {
            Err(error) if error.error.kind() != std::io::ErrorKind::AlreadyExists => Err(error.error.into()),
            _ => Ok(()),
        }
    }

    /// Returns the public key, which workers need for `--trust`.
    #[must_use]
    pub fn public(&self) -> String {
        self.0.public_key()
    }

    /// Adds a signature of this parcel and its headers to the headers.
    pub(crate) fn sign(&self, bytes: &[u8], headers: &mut HeaderMap) -> Result<()> {
        let signature = self.0.sign(&signed(bytes, Some(headers)));
        let signature = signature.map_err(|error| anyhow!("a job cannot be signed: {error}"))?;
        headers.insert(KEY, self.public().as_str());
        headers.insert(SIGNATURE, HEXLOWER.encode(&signature).as_str());
        Ok(())
    }
}

/// Returns the text that is signed: the parcel and its clock. The clock is not part of the parcel, because the parcel's
/// hash must not change if a coordinator restarts and measures its speed again.
fn signed(bytes: &[u8], headers: Option<&HeaderMap>) -> Vec<u8> {
    let clock = headers.and_then(|headers| headers.get(SpeedRule::HEADER)).map_or("", |words| words.as_str());
    [bytes, &[0], clock.as_bytes()].concat()
}

/// The error for a word that is neither a public key nor `any`. The message does not contain the word, because it may
/// be the private key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "--trust: expected `any`, or a public key; `{} cluster key` prints it on the coordinator's machine",
    this_program()
)]
pub struct InvalidTrust;

/// The coordinators whose jobs a worker plays.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trust {
    /// Whether to play jobs from any coordinator, no matter which commands they run.
    pub any: bool,
    /// The public keys of trusted coordinators. Jobs from other coordinators are played only if both bots are bundled.
    pub keys: Vec<String>,
}

impl Trust {
    /// Parses `--trust`: public keys, or `any`.
    ///
    /// # Errors
    /// Returns an error if a word is neither a key nor `any`.
    pub fn parse(words: &[String]) -> Result<Trust, InvalidTrust> {
        let (any, keys): (Vec<String>, Vec<String>) = words.iter().cloned().partition(|word| word == "any");
        if keys.iter().any(|key| KeyPair::from_public_key(key).is_err()) {
            return Err(InvalidTrust);
        }
        Ok(Trust { any: !any.is_empty(), keys })
    }

    /// Checks whether a job may be played.
    ///
    /// # Errors
    /// Returns the reason if the job must not be played, as a message for the owners of both machines.
    pub(crate) fn allows(
        &self,
        parcel: &Parcel,
        bytes: &[u8],
        headers: Option<&HeaderMap>,
    ) -> Result<(), String> {
        let is_harmless = match parcel {
            Parcel::Game { job, .. } => {
                matches!(job.host, HostSpec::Contest { .. })
                    && !job.fixture.seats.iter().any(|bot| bot.program.is_external())
            }
            Parcel::Batch { .. } => true,
        };
        if self.any || is_harmless {
            return Ok(());
        }
        let header = |name: &str| Some(headers?.get(name)?.as_str().to_string());
        let refused = "it runs a command, but this worker accepts commands only from trusted coordinators \
                       (`--trust KEY`)";
        let (Some(key), Some(signature)) = (header(KEY), header(SIGNATURE)) else {
            return Err(format!("the job is not signed; {refused}"));
        };
        if !self.keys.contains(&key) {
            return Err(format!("the job is signed by {key}; {refused}"));
        }
        let is_right = KeyPair::from_public_key(&key)
            .ok()
            .zip(HEXLOWER.decode(signature.as_bytes()).ok())
            .is_some_and(|(key, signature)| key.verify(&signed(bytes, headers), &signature).is_ok());
        if is_right { Ok(()) } else { Err(format!("the signature of the job is wrong; {refused}")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parcel::Luggage;
    use crate::parcel::tests::job;

    #[test]
    fn those_who_make_a_key_at_once_have_the_same() {
        let folder = tempfile::tempdir().unwrap();
        for round in 0..20 {
            let file = folder.path().join(format!("{round}/key"));
            let open = || Key::open_or_make(&file).unwrap().public();
            let keys: Vec<String> = std::thread::scope(|scope| {
                let all: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
                all.into_iter().map(|one| one.join().unwrap()).collect()
            });
            assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
            #[cfg(unix)]
            {
                let mode =
                    std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&file).unwrap().permissions());
                assert_eq!(mode & 0o777, 0o600);
            }
        }
    }

    #[test]
    fn only_what_is_signed_right_runs_commands() {
        let folder = tempfile::tempdir().unwrap();
        let [key, other] = ["a", "b"].map(|name| Key::open_or_make(&folder.path().join(name)).unwrap());
        assert_eq!(Key::open_or_make(&folder.path().join("a")).unwrap().public(), key.public());
        let parcel = |bot: &str| Luggage::default().pack(job([bot, "random"])).unwrap();
        let (bundled, command) = (parcel("greedy"), parcel("x=/bin/cat"));
        let bytes = serde_json::to_vec(&command).unwrap();
        let sign = |key: &Key, clock: SpeedRule| {
            let mut headers = HeaderMap::new();
            clock.words().iter().for_each(|words| headers.insert(SpeedRule::HEADER, words.as_str()));
            key.sign(&bytes, &mut headers).unwrap();
            headers
        };
        let trust = Trust::parse(&[key.public()]).unwrap();
        assert!(Trust::parse(&[key.public(), key.0.seed().unwrap()]).is_err());
        assert_eq!(Trust::parse(&["any".to_string()]), Ok(Trust { any: true, keys: Vec::new() }));
        for clock in [SpeedRule::Any, SpeedRule::Scaled(100.0)] {
            assert_eq!(trust.allows(&command, &bytes, Some(&sign(&key, clock))), Ok(()));
        }
        let signed = sign(&key, SpeedRule::Scaled(100.0));
        assert!(trust.allows(&command, &bytes, None).is_err());
        assert!(trust.allows(&command, b"another job", Some(&signed)).is_err());
        assert!(trust.allows(&command, &bytes, Some(&sign(&other, SpeedRule::Any))).is_err());
        // The signature of another key under the name of a trusted key.
        let mut forged = sign(&other, SpeedRule::Any);
        forged.insert(KEY, key.public().as_str());
        assert!(trust.allows(&command, &bytes, Some(&forged)).is_err());
        // A clock that differs from the signed one, and a clock that was not signed.
        for mut headers in [signed.clone(), sign(&key, SpeedRule::Any)] {
            headers.insert(SpeedRule::HEADER, SpeedRule::Scaled(1.0).words().unwrap().as_str());
            assert!(trust.allows(&command, &bytes, Some(&headers)).is_err());
        }
        assert_eq!(Trust::default().allows(&bundled, &[], None), Ok(()));
        assert!(Trust::default().allows(&command, &bytes, Some(&signed)).is_err());
        assert_eq!(Trust { any: true, keys: Vec::new() }.allows(&command, &bytes, None), Ok(()));
    }
}
