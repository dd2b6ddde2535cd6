//! The connection to the NATS server.

use crate::Notice;
use anyhow::{Context as _, Result, anyhow, bail};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use contender_input::this_program;
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::TcpStream;

/// The oldest version of the NATS server with which this crate was tested.
pub const OLDEST_SERVER: [u64; 2] = [2, 9];

/// Maximum time to wait for the answer to a request.
const PATIENCE: Duration = Duration::from_secs(5);

/// Credentials for the server. Each credential comes from an environment variable, or from the file named by a variable
/// with the suffix `_FILE`. Credentials are not passed on the command line, because every user of the machine can see
/// command lines.
#[derive(Clone, Default)]
pub struct Secrets {
    user: Option<String>,
    password: Option<String>,
    token: Option<String>,
    credentials: Option<String>,
    ca: Option<PathBuf>,
}

impl Secrets {
    /// Reads the credentials from the environment.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn from_environment() -> Result<Secrets> {
        let get = |name: &str| -> Result<Option<String>> {
            if let Ok(value) = std::env::var(name) {
                return Ok(Some(value));
            }
            let Ok(path) = std::env::var(format!("{name}_FILE")) else { return Ok(None) };
            let text = std::fs::read_to_string(&path).with_context(|| format!("{name}_FILE: {path}"))?;
            Ok(Some(text.trim_end().to_string()))
        };
        Ok(Secrets {
            user: get("CONTENDER_NATS_USER")?,
            password: get("CONTENDER_NATS_PASSWORD")?,
            token: get("CONTENDER_NATS_TOKEN")?,
            credentials: get("CONTENDER_NATS_CREDENTIALS")?,
            ca: std::env::var_os("CONTENDER_NATS_CA").map(PathBuf::from),
        })
    }

    /// Returns the user name and the password for the server, if both are set.
    #[must_use]
    pub fn user(&self) -> Option<(&str, &str)> {
        self.user.as_deref().zip(self.password.as_deref())
    }

    fn options(&self) -> Result<ConnectOptions> {
        let mut options = match &self.credentials {
            Some(text) => ConnectOptions::with_credentials(text).context("CONTENDER_NATS_CREDENTIALS")?,
            None => ConnectOptions::new(),
        };
        if let Some((user, password)) = self.user() {
            options = options.user_and_password(user.to_string(), password.to_string());
        }
        if let Some(token) = &self.token {
            options = options.token(token.clone());
        }
        if let Some(ca) = &self.ca {
            options = options.add_root_certificates(ca.clone()).require_tls(true);
        }
        Ok(options)
    }
}

/// Returns the reason why a server cannot be reached, with a hint for the user.
fn refusal(url: &str, error: &ConnectError) -> anyhow::Error {
    match error.kind() {
        ConnectErrorKind::ServerParse => {
            anyhow!("invalid server address `{url}` ({error}); expected `nats://HOST:4222`")
        }
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => anyhow!(
            "{url}: access denied\nhint: set CONTENDER_NATS_USER and CONTENDER_NATS_PASSWORD (or \
             CONTENDER_NATS_TOKEN, CONTENDER_NATS_CREDENTIALS_FILE) to the server's credentials"
        ),
        kind if kind == ConnectErrorKind::Tls || error.to_string().contains("certificate") => anyhow!(
            "{url}: {error}\nhint: set CONTENDER_NATS_CA to the path of the CA certificate that signed the \
             server's certificate"
        ),
        _ => anyhow!(
            "no NATS server at {url}: {error}\nhint: `{} cluster up` starts one on this machine (it \
             needs `apt install nats-server`)",
            this_program()
        ),
    }
}

/// Connects to the server, and checks that its version and its features are sufficient.
///
/// # Errors
/// Returns an error with a hint for the user.
pub(crate) async fn connect(url: &str, secrets: &Secrets, name: &str, notice: Notice) -> Result<Context> {
    if url.contains('@') {
        bail!(
            "`--on` must not contain a user name or a password, because everybody on this machine could \
             read them\nhint: set CONTENDER_NATS_USER and CONTENDER_NATS_PASSWORD, or \
             CONTENDER_NATS_PASSWORD_FILE"
        );
    }
    let was_away = Arc::new(AtomicBool::new(false));
    let options = secrets
        .options()?
        .name(name)
        .max_reconnects(None)
        .reconnect_delay_callback(|attempts| backoff(attempts as u32))
        .request_timeout(Some(PATIENCE))
        .event_callback(move |event| {
            let (notice, was_away) = (notice.clone(), was_away.clone());
            async move {
                match event {
                    Event::Disconnected if !was_away.swap(true, Ordering::Relaxed) => {
                        notice("lost the connection to the server; retrying");
                    }
                    Event::Connected if was_away.swap(false, Ordering::Relaxed) => {
                        notice("reconnected to the server");
                    }
                    Event::ServerError(error) => notice(&format!("error from the server: {error}")),
                    _ => {}
                }
            }
        });
    let connected = options.connect(url).await;
    if connected.is_err() && secrets.ca.is_some() && has_tls(url).await == Some(false) {
        bail!(
            "{url}: the server does not use TLS, but CONTENDER_NATS_CA requires it\nhint: give the \
             server a certificate (`tls {{ cert_file, key_file }}` in its settings), or unset the \
             variable"
        );
    }
    let client = connected.map_err(|error| refusal(url, &error))?;
    check_version(&client, url)?;
    let mut context = jetstream::new(client);
    context.set_timeout(PATIENCE);
    // Old servers give answers in a form that the client does not know, but any answer is enough.
    let asked = context.client().request("$JS.API.INFO", "".into()).await;
    if let Err(error) = asked {
        bail!(
            "{url}: JetStream is not available ({error})\nhint: start the server with `-js`, or with \
             `{} cluster up`",
            this_program()
        );
    }
    Ok(context)
}

/// Returns whether a server offers TLS according to the greeting that it sends before any login. Returns `None` if
/// there is no greeting.
async fn has_tls(url: &str) -> Option<bool> {
    #[derive(Deserialize)]
    struct Greeting {
        #[serde(default)]
        tls_required: bool,
        #[serde(default)]
        tls_available: bool,
    }
    let server: ServerAddr = url.parse().ok()?;
    let greeting = async {
        let line = TcpStream::connect((server.host(), server.port())).await.ok()?;
        let mut text = String::new();
        BufReader::new(line.take(1 << 16)).read_line(&mut text).await.ok()?;
        let Greeting { tls_required, tls_available } =
            serde_json::from_str(text.strip_prefix("INFO ")?).ok()?;
        Some(tls_required || tls_available)
    };
    tokio::time::timeout(PATIENCE, greeting).await.ok()?
}

/// Returns this machine's name.
pub(crate) fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default();
    if name.trim().is_empty() { "machine".to_string() } else { name.trim().to_string() }
}

fn check_version(client: &Client, url: &str) -> Result<()> {
    let version = client.server_info().version;
    let numbers: Vec<u64> = version.split(['.', '-']).map_while(|part| part.parse().ok()).collect();
    if numbers.as_slice() < OLDEST_SERVER.as_slice() {
        let [major, minor] = OLDEST_SERVER;
        bail!("{url}: NATS server {version} is too old; {major}.{minor} or newer is needed");
    }
    Ok(())
}

/// Returns the time to wait before the next attempt. It grows up to several seconds, and it differs between machines,
/// so that thousands of them do not reconnect at the same moment.
pub(crate) fn backoff(attempts: u32) -> Duration {
    let longest = 100 * 2_u64.pow(attempts.min(6));
    let mut bytes = [0; 8];
    // Without randomness all machines come back together, which is slower but not wrong.
    let _ = getrandom::fill(&mut bytes);
    Duration::from_millis(longest / 2 + u64::from_le_bytes(bytes) % (longest / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_differ() {
        for (attempts, least, most) in [(0, 50, 100), (1, 100, 200), (6, 3200, 6400), (90, 3200, 6400)] {
            let waits: Vec<u128> = (0..50).map(|_| backoff(attempts).as_millis()).collect();
            assert!(waits.iter().all(|wait| (least..most).contains(wait)), "{attempts}: {waits:?}");
            assert!(waits.iter().any(|wait| *wait != waits[0]), "{attempts}");
        }
    }
}
