//! `contender cluster up`, `status` and `key`: commands for the server of a cluster.

use super::{StatusArgs, UpArgs};
use crate::error::UsageError;
use crate::remote::{folder, key};
use crate::signals::end_flag;
use anyhow::Context;
use contender_cluster::Secrets;
use contender_input::this_program;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Possible names of the server program. Debian installs the program outside the `PATH` of ordinary users.
const SERVERS: [&str; 3] = ["nats-server", "/usr/sbin/nats-server", "/usr/local/bin/nats-server"];

/// Prints the workers and jobs of a server.
pub fn status(args: &StatusArgs) -> anyhow::Result<ExitCode> {
    let status = contender_cluster::status(&args.on, &Secrets::from_environment()?)?;
    let text = if args.json { serde_json::to_string_pretty(&status)? + "\n" } else { status.text() };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the public key with which others can verify this user's jobs.
pub fn print_key() -> anyhow::Result<ExitCode> {
    writeln!(std::io::stdout(), "{}", key()?.public())?;
    Ok(ExitCode::SUCCESS)
}

/// Starts a server and runs it until Ctrl-C.
pub fn up(args: &UpArgs) -> anyhow::Result<ExitCode> {
    let secrets = Secrets::from_environment()?;
    if !args.listen.is_loopback() && secrets.user().is_none() {
        return Err(UsageError(
            "a server that accepts connections from other machines needs a password\nhint: set \
             CONTENDER_NATS_USER and CONTENDER_NATS_PASSWORD (or CONTENDER_NATS_PASSWORD_FILE) for this \
             command, for the workers, and for commands with `--on`"
                .to_string(),
        )
        .into());
    }
    let found = SERVERS.iter().find_map(|name| {
        let told = Command::new(name).arg("--version").output().ok()?;
        Some((*name, String::from_utf8_lossy(&told.stdout).trim().to_string()))
    });
    let Some((program, version)) = found else {
        return Err(UsageError(
            "nats-server not found\nhint: `apt install nats-server`, or https://nats.io/download for \
             other systems"
                .to_string(),
        )
        .into());
    };
    let store = args.store.clone().unwrap_or_else(|| folder("DATA", ".local/share").join("nats"));
    std::fs::create_dir_all(&store).with_context(|| store.display().to_string())?;
    let file = store.join("server.conf");
    write_secretly(&file, &settings(args, &store, &version, secrets.user()))?;
    let stop = end_flag()?;
    let mut server = Command::new(program)
        .arg("-c")
        .arg(&file)
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    say!(
        "{version} is running at nats://{}:{}; start a worker with `{} worker --on nats://HOST:{}`",
        args.listen,
        args.port,
        this_program(),
        args.port
    );
    loop {
        if let Some(status) = server.try_wait()? {
            return Err(anyhow::anyhow!("the server has exited ({status}); see its output above"));
        }
        if stop.load(Ordering::Relaxed) {
            server.kill()?;
            server.wait()?;
            return Ok(ExitCode::SUCCESS);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Returns the text of the server's configuration file.
fn settings(args: &UpArgs, store: &Path, version: &str, user: Option<(&str, &str)>) -> String {
    let quoted = |text: &str| format!("{text:?}");
    let mut text = format!("host: {}\nport: {}\n", quoted(&args.listen.to_string()), args.port);
    let _ = writeln!(text, "max_payload: 4MB");
    let _ = writeln!(text, "jetstream {{\n  store_dir: {}", quoted(&store.to_string_lossy()));
    // Servers older than 2.10 do not have this setting. Games that they lose in a power cut are played again.
    let numbers: Vec<u32> =
        version.split(|letter: char| !letter.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    if numbers.as_slice() >= [2, 10].as_slice() {
        let _ = writeln!(text, "  sync_interval: always");
    }
    let _ = writeln!(text, "}}");
    if let Some((user, password)) = user {
        let _ = writeln!(text, "authorization {{ user: {}, password: {} }}", quoted(user), quoted(password));
    }
    text
}

/// Writes a file that only its owner can read.
fn write_secretly(path: &Path, text: &str) -> anyhow::Result<()> {
    let write = || -> std::io::Result<()> {
        let _ = std::fs::remove_file(path);
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)?.write_all(text.as_bytes())
    };
    write().with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From version 2.10 on, this setting makes the server write messages to the disk before it acknowledges them.
    /// Older servers reject the setting.
    #[test]
    fn settings_are_those_that_the_server_knows() {
        let args = UpArgs { port: 1, listen: [127, 0, 0, 1].into(), store: None };
        for (version, is_safe) in
            [("nats-server: v2.9.10", false), ("nats-server: v2.10.0", true), ("nats-server: v2.15.1", true)]
        {
            let text = settings(&args, Path::new("/store"), version, Some(("me", "a \"b\" c")));
            assert_eq!(text.contains("sync_interval: always"), is_safe, "{version}: {text}");
            assert!(text.contains("max_payload: 4MB") && text.contains(r#"password: "a \"b\" c""#), "{text}");
        }
    }
}
