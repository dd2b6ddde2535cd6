//! Games, tuning runs and training runs on other machines give the same results as in one process.

use super::{Running, Server, contender, text, worker};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// Runs `contender` in this folder and returns its output.
fn run(folder: &Path, words: &str, more: &[&str]) -> String {
    let output =
        contender(folder).current_dir(folder).args(words.split_whitespace()).args(more).output().unwrap();
    assert!(output.status.success(), "{words}: {}", text(&output));
    text(&output)
}

/// Plays `games` games of a league with a node limit in this folder.
fn league(folder: &Path, games: u64, more: &[&str]) {
    run(folder, "league init uttt", &[]);
    let settings = folder.join("league.toml");
    let nodes = fs::read_to_string(&settings).unwrap().replace("# nodes = 1000", "nodes = 60");
    fs::write(&settings, nodes).unwrap();
    for (name, bot) in [("a", "uct"), ("b", "greedy"), ("c", "random"), ("d", "uct")] {
        run(folder, "league add", &[name, bot]);
    }
    run(folder, &format!("league run -q --games {games}"), more);
}

/// Returns a game of a league without the fields that depend on clocks and machines.
fn game(folder: &Path, number: u64) -> serde_json::Value {
    let text = run(folder, &format!("league games {number} --json"), &[]);
    let mut game: serde_json::Value = serde_json::from_str(&text).unwrap();
    let fields = game.as_object_mut().unwrap();
    CLOCKS.iter().for_each(|name| drop(fields.remove(*name)));
    game
}

const CLOCKS: [&str; 7] =
    ["times_ms", "delays_ms", "stolen_ms", "cpu_ms", "idle_cpu_ms", "machine", "finished"];

/// If a league plays one game at a time, its pairings follow from the games before, so all its games are the same on
/// workers. If it plays many games at a time, each game still follows from its own seed, whichever worker plays it.
#[test]
fn a_league_over_workers_plays_the_same() {
    const GAMES: u64 = 8;
    let Some(server) = Server::start() else { return };
    let homes = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let [alone, together, many] = homes.each_ref().map(|home| home.path());
    let url = server.url();
    let _workers = [0, 1].map(|number| worker(alone, None, &url, number));
    league(alone, GAMES, &["-j", "1"]);
    // Two leagues share the workers.
    std::thread::scope(|scope| {
        scope.spawn(|| league(many, GAMES, &["--on", &url]));
        league(together, GAMES, &["-j", "1", "--on", &url]);
    });
    for number in 1..=GAMES {
        assert_eq!(game(alone, number), game(together, number), "{number}");
    }
    // The last columns are times.
    let table = |folder: &Path| {
        let text = run(folder, "league show", &[]);
        let width = text.find("failed").unwrap() + "failed".len();
        text.lines().map(|line| line.chars().take(width).collect()).collect::<Vec<String>>()
    };
    assert_eq!(table(alone), table(together));
    let played = |folder: &Path| run(folder, "league export", &[]).lines().count() as u64;
    assert_eq!([played(together), played(many)], [played(alone); 2]);
}

/// A tuning run on workers, one of which dies, plays the same pairs and finds the same values.
#[test]
fn a_tuning_over_workers_finds_the_same() {
    let Some(server) = Server::start() else { return };
    let home = tempfile::tempdir().unwrap();
    let (home, url) = (home.path(), server.url());
    fs::write(home.join("small.toml"), TUNE).unwrap();
    run(home, "tune small.toml -q -o alone", &[]);
    let mut workers = [0, 1].map(|number| worker(home, None, &url, number));
    let mut command = contender(home);
    command.current_dir(home).args(["tune", "small.toml", "-q", "-o", "together", "--on", &url]);
    let mut together = Running(command.args(["--ack-wait", "2s"]).stdout(Stdio::null()).spawn().unwrap());
    let pairs = |name: &str| {
        let text = fs::read_to_string(home.join(name).join("pairs.jsonl")).unwrap_or_default();
        text.lines().filter(|line| !line.contains("batch")).map(str::to_string).collect::<Vec<_>>()
    };
    while pairs("together").len() < 20 {
        assert!(together.0.try_wait().unwrap().is_none(), "it has ended before its twentieth pair");
        sleep(Duration::from_millis(5));
    }
    workers[0].0.kill().unwrap();
    assert!(together.0.wait().unwrap().success());
    assert_eq!(pairs("alone"), pairs("together"));
    let report = |name: &str| {
        let text = fs::read_to_string(home.join(name).join("report.txt")).unwrap();
        text.lines().filter(|line| !line.contains("running time")).map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(report("alone"), report("together"));
}

const TUNE: &str = r#"
game = "uttt"
bot = "uct"
games = 200
noise = 100
nodes = 60
[parameters]
c = {}
[test]
games = 80
"#;

/// A network trained on games from workers, one of which dies, is equal to that of one process, byte for byte.
#[test]
fn a_training_over_workers_learns_the_same() {
    let Some(server) = Server::start() else { return };
    let home = tempfile::tempdir().unwrap();
    let url = server.url();
    fs::write(home.path().join("small.toml"), RECIPE).unwrap();
    let train = |output: &str| {
        let mut command = contender(home.path());
        command.current_dir(home.path()).args(["train", "small.toml", "-q", "-o", output]);
        command
    };
    let alone = train("alone").output().unwrap();
    assert!(alone.status.success(), "{}", text(&alone));
    let mut workers = [0, 1].map(|number| worker(home.path(), None, &url, number));
    let mut together = Running(train("together").args(["--on", &url]).stdout(Stdio::null()).spawn().unwrap());
    let log = home.path().join("together/metrics.jsonl");
    while fs::read_to_string(&log).map_or(0, |text| text.lines().count()) < 2 {
        assert!(together.0.try_wait().unwrap().is_none(), "it has ended before its third round");
        sleep(Duration::from_millis(5));
    }
    workers[0].0.kill().unwrap();
    assert!(together.0.wait().unwrap().success());
    let learned = |name: &str| fs::read(home.path().join(name).join("network.bin")).unwrap();
    assert!(learned("alone") == learned("together"));
    // The workers have played, and no job is left on the server.
    workers[1].signal("TERM");
    workers[1].0.wait().unwrap();
    let left = contender_cluster::status(&url, &contender_cluster::Secrets::default()).unwrap();
    assert!(left.workers.iter().any(|seen| seen.presence.has_left && seen.presence.games > 0), "{left:?}");
    assert_eq!((left.jobs, left.results), (0, 0));
    // A kind of training without games on workers rejects `--on`.
    let entropy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/entropy/train.toml");
    let refused =
        contender(home.path()).args(["train", "--on", &url, "-o", "no"]).arg(entropy).output().unwrap();
    assert!(!refused.status.success() && text(&refused).contains("leave out `--on`"), "{}", text(&refused));
}

const RECIPE: &str = r#"
kind = "policy-value"
game = "cellularena"
length = { games = 96 }
[network]
channels = 16
blocks = 0
hidden = 4
[imitation]
teacher = "heuristic"
nodes = 20
rounds = 2
games = 12
own_share = 0.5
random_share = 0.2
value_share = 0.5
epochs = 1
window = 400
rate = { start = 0.003, end = 0.001, curve = "cosine" }
[self_play]
games = 12
[pool]
share = 0.5
keep_every = 1
kept = 2
bots = ["random"]
[learning]
rate = { start = 0.002, end = 0.0, curve = "linear" }
batch = 256
epochs = 1
clip = 0.2
divergence = 0.05
entropy = 0.01
value = 0.5
discount = 0.99
trace = 0.9
longest = 1.0
[matches]
every = 8
pairs = 1
opponents = ["random"]
"#;
