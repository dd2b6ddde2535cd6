//! External referees on workers, tested with a stand-in that behaves like CodinGame's referees.

use super::{Running, Server, contender, text};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Returns a folder with the stand-in, a bot, and a referee named `cards` that plays many games in one process.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let stand_ins = Path::new(env!("CARGO_MANIFEST_DIR")).join("../foreign/tests");
    for name in ["stand_in.py", "card_bot.py"] {
        fs::copy(stand_ins.join(name), folder.path().join(name)).unwrap();
    }
    let cards = folder.path().join("referees/cards");
    fs::create_dir_all(&cards).unwrap();
    let referee = folder.path().join("stand_in.py");
    let settings = format!(
        "source = \"here\"\ncommand = [\"python3\", {referee:?}, \"-serve\"]\nis_server = true\nplayers = [2, 4]\nleagues = 1\n"
    );
    fs::write(cards.join("referee.toml"), settings).unwrap();
    folder
}

/// Returns the command `contender` in this folder, with its referees.
fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = contender(folder);
    command.current_dir(folder).env("CONTENDER_REFEREES", folder.join("referees")).args(words);
    command
}

fn run(folder: &Path, words: &[&str], more: &[&str]) -> String {
    let output = command(folder, words).args(more).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    text(&output)
}

/// Starts a worker with another home folder that trusts the jobs of this folder's user.
fn trusting(folder: &Path, home: &Path, url: &str) -> Running {
    let key = run(folder, &["cluster", "key"], &[]);
    let mut worker = contender(home);
    worker.args(["worker", "--on", url, "-j", "2", "--trust", key.trim()]).stderr(Stdio::null());
    Running(worker.spawn().unwrap())
}

/// Returns the games of a log without the fields that depend on clocks and machines.
fn games(log: &Path) -> Vec<String> {
    let mut games: Vec<String> = fs::read_to_string(log)
        .unwrap()
        .lines()
        .map(|line| {
            let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
            let fields = game.as_object_mut().unwrap();
            let machine = fields.remove("machine");
            assert_eq!(machine.is_some(), log.ends_with("there.jsonl"), "{line}");
            ["seconds", "busy"].iter().for_each(|name| drop(fields.remove(*name)));
            game.to_string()
        })
        .collect();
    games.sort();
    games
}

/// Workers play the same games as one machine, with a referee given as a command and with a named one. Leagues and
/// tuning runs also work on them.
#[test]
fn games_of_a_referee_of_others_travel() {
    let Some(server) = Server::start() else { return };
    let (folder, home) = (folder(), tempfile::tempdir().unwrap());
    let (folder, url) = (folder.path(), server.url());
    let _worker = trusting(folder, home.path(), &url);
    // The bots' programs may be in another folder than the referee's program.
    fs::write(folder.join("referee.sh"), "exec python3 \"$@\"").unwrap();
    for (referee, log) in [("sh referee.sh stand_in.py", "a"), ("cards", "b")] {
        let bots = [
            "all=python3 card_bot.py 100",
            "half=python3 card_bot.py 50",
            "bad=python3 card_bot.py 90 garbage",
        ];
        let words = ["tournament", "--referee", referee, "-n", "2", "--players", "3", "--quiet", "--log"];
        let words = [&words[..], &[log], &bots].concat();
        let [here, there] = [("here.jsonl", &[][..]), ("there.jsonl", &["--on", &url])].map(|(name, on)| {
            let said = run(folder, &words, on);
            assert!(said.contains("6 games of 3 players"), "{said}");
            fs::rename(folder.join(log), folder.join(name)).unwrap();
            games(&folder.join(name))
        });
        assert_eq!(here, there);
        assert_eq!(here.len(), 6);
    }
    run(folder, &["league", "--dir", "winter", "init", "winter", "--match", "cards"], &[]);
    for (name, share) in [("all", "100"), ("half", "50")] {
        run(
            folder,
            &["league", "--dir", "winter", "add", name, &format!("python3 card_bot.py {share}")],
            &[],
        );
    }
    run(folder, &["league", "--dir", "winter", "run", "--games", "4", "-q", "--on", &url], &[]);
    let game = run(folder, &["league", "--dir", "winter", "games", "1", "--json"], &[]);
    assert!(game.contains("\"machine\"") && game.contains("\"scores\""), "{game}");
    fs::write(folder.join("tune.toml"), TUNE).unwrap();
    let played = ["here", "there"].map(|name| {
        let on: &[&str] = if name == "there" { &["--on", &url] } else { &[] };
        run(folder, &["tune", "tune.toml", "-q", "-o", name], on);
        let pairs = fs::read_to_string(folder.join(name).join("pairs.jsonl")).unwrap();
        pairs.lines().filter(|line| !line.contains("batch")).map(str::to_string).collect::<Vec<_>>()
    });
    assert!(played[0].len() > 5 && played[0] == played[1], "{played:?}");
}

const TUNE: &str = r#"
game = "cards"
referee = "cards"
bot = "python3 card_bot.py {share}"
games = 80
noise = 1.0
[parameters]
share = { low = 10, high = 90, start = 50, step = 1 }
[test]
games = 80
"#;

/// A referee that writes to a forbidden path is stopped, and a worker does not run a referee that it does not trust.
#[test]
fn a_referee_of_others_is_isolated_and_trusted_or_not_run() {
    let Some(server) = Server::start() else { return };
    let (folder, home) = (folder(), tempfile::tempdir().unwrap());
    let (folder, url) = (folder.path(), server.url());
    let _worker = trusting(folder, home.path(), &url);
    let mark = folder.join("mark");
    let referee = format!("python3 stand_in.py --fault once={}", mark.display());
    let bot = "python3 card_bot.py 50";
    let words = ["match", "--referee", &referee, bot, bot, "-n", "1", "--retries", "0", "-q", "--on", &url];
    let output = command(folder, &words).output().unwrap();
    let said = text(&output);
    assert!(said.contains("Permission") && said.contains("again: python3 stand_in.py"), "{said}");
    assert!(!mark.exists());
    let scaled = command(folder, &words).arg("--scale-clock").output().unwrap();
    assert!(
        scaled.status.code() == Some(2) && text(&scaled).contains("--same-machines"),
        "{}",
        text(&scaled)
    );
}
