//! `contender tune`: the repository's recipes with fewer games, and tuning runs that are stopped early.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
    command.current_dir(folder).args(words.split_whitespace()).stdin(Stdio::null());
    command
}

fn contender(folder: &Path, words: &str) -> Output {
    command(folder, words).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns a recipe of the repository with few games, few nodes per move and no time limit.
fn in_small(recipe: &Path) -> String {
    let text = std::fs::read_to_string(recipe).unwrap();
    let line = |line: &str| match line.split(" = ").next() {
        Some("precision") => "games = 80\nnoise = 100".to_string(),
        Some("nodes") => "nodes = 10".to_string(),
        Some("time") => "games = 80".to_string(),
        _ => line.to_string(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn recipes() -> Vec<PathBuf> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let folders = std::fs::read_dir(games).unwrap().map(|entry| entry.unwrap().path());
    folders.map(|folder| folder.join("tune.toml")).filter(|recipe| recipe.exists()).collect()
}

#[test]
fn the_recipes_of_the_repository_are_tuned() {
    let recipes = recipes();
    assert!(recipes.len() >= 3, "{recipes:?}");
    for recipe in recipes {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("r.toml"), in_small(&recipe)).unwrap();
        let output = contender(folder.path(), "tune r.toml -q");
        assert!(output.status.success(), "{}: {output:?}", recipe.display());
        let report = text(&output.stdout);
        assert!(report.contains("80 of 80 games played"), "{report}");
        let status = contender(folder.path(), "tune status");
        assert!(text(&status.stdout).contains(report.lines().last().unwrap()), "{status:?}");
        let again = contender(folder.path(), "tune r.toml -q");
        assert_eq!(text(&again.stdout), report, "it is done");
    }
}

/// `--games` and similar options override the recipe, and the result is checked like a recipe.
#[test]
fn options_count_in_place_of_the_recipes_words() {
    let folder = tempfile::tempdir().unwrap();
    let recipe =
        "game = \"uttt\"\nbot = \"uct\"\nprecision = 1\nnodes = 1000\nnoise = 100\n[parameters]\nc = {}\n";
    std::fs::write(folder.path().join("r.toml"), recipe).unwrap();
    let output = contender(folder.path(), "tune r.toml --games 82 --nodes 5 -q");
    assert!(text(&output.stdout).contains("82 of 82 games played"), "{output:?}");
    let few = contender(folder.path(), "tune r.toml --games 8 -q");
    assert_eq!(few.status.code(), Some(2), "{few:?}");
    assert!(text(&few.stderr).contains("`games` must be from 80"), "{few:?}");
}

/// Returns every pair that was played, and the report without its line of times.
fn result(folder: &Path) -> (Vec<String>, Vec<String>) {
    let read = |name: &str| std::fs::read_to_string(folder.join("tuning").join(name)).unwrap();
    let lines = |text: String, what: &str| {
        text.lines().filter(|line| !line.contains(what)).map(str::to_string).collect()
    };
    (lines(read("pairs.jsonl"), "batch"), lines(read("report.txt"), "running time"))
}

fn pairs(folder: &Path) -> usize {
    std::fs::read_to_string(folder.join("tuning/pairs.jsonl")).unwrap_or_default().lines().count()
}

/// Waits until the log has `lines` lines. The time limit is long enough for a busy machine.
fn wait_for(folder: &Path, lines: usize, running: &mut Child) {
    let start = Instant::now();
    while pairs(folder) < lines {
        assert!(running.try_wait().unwrap().is_none(), "it ended before {lines} lines were written");
        assert!(start.elapsed() < Duration::from_secs(120), "{} of {lines} lines", pairs(folder));
        std::thread::sleep(Duration::from_millis(2));
    }
}

const TUNE: &str = "tune uttt uct --parameters log:c=0.05..5,reuse --games 1000 --nodes 30 --seed 5";

#[test]
fn what_is_killed_goes_on_to_the_same_end() {
    let [whole, killed] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let output = contender(whole.path(), TUNE);
    assert!(output.status.success(), "{output:?}");
    let mut runs = 0;
    for lines in [60, 300, 450] {
        let mut running =
            command(killed.path(), TUNE).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_for(killed.path(), lines, &mut running);
        running.kill().unwrap();
        running.wait().unwrap();
        runs += 1;
    }
    // A kill may leave an incomplete line behind.
    let log = killed.path().join("tuning/pairs.jsonl");
    let torn = std::fs::read_to_string(&log).unwrap() + "{\"pair\":{\"sig";
    std::fs::write(&log, torn).unwrap();
    let output = contender(killed.path(), TUNE);
    assert!(text(&output.stderr).contains("resuming after"), "{output:?}");
    assert_eq!((runs, result(killed.path())), (3, result(whole.path())));
}

#[test]
fn a_signal_keeps_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let long = TUNE.replace("1000", "1000000");
    let mut running =
        command(folder.path(), &long).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    wait_for(folder.path(), 200, &mut running);
    // A shell makes its background jobs ignore SIGINT, and these tests may be one of them.
    let interrupted = Command::new("kill").args(["-TERM", &running.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let output = running.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(text(&output.stdout).contains("of 1000000 games played"), "{output:?}");
    let status = contender(folder.path(), "tune status");
    assert!(text(&status.stdout).contains("of 1000000 games played"), "{status:?}");
    let other = contender(folder.path(), &long.replace("--seed 5", "--seed 6"));
    assert_eq!(other.status.code(), Some(2), "{other:?}");
    assert!(text(&other.stderr).contains("a tuning run with seed 5"), "{other:?}");
}

#[test]
fn programs_are_tuned_by_their_command_lines() {
    let folder = tempfile::tempdir().unwrap();
    let bot = format!("{} bot uttt --name uct:c={{c}} --nodes {{nodes}}", env!("CARGO_BIN_EXE_contender"));
    let recipe = format!(
        "game = \"uttt\"\nbot = \"{bot}\"\ngames = 80\nnoise = 200\nnodes = 5\ntime = \"60s\"\n[parameters]\n\
         c = {{ low = 0.1, high = 10, start = 1, log = true }}\n[test]\ngames = 80\n"
    );
    std::fs::write(folder.path().join("r.toml"), recipe).unwrap();
    let output = contender(folder.path(), "tune r.toml -q");
    assert!(output.status.success(), "{output:?}");
    assert!(!text(&output.stdout).contains("failed"), "{output:?}");
}

#[test]
fn wrong_usage_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for (words, said) in [
        ("tune", "required"),
        ("tune nothing.toml", "cannot read nothing.toml"),
        ("tune chess uct --parameters c --games 100", "available: box,"),
        ("tune uttt", "no bot was given"),
        ("tune uttt uct", "--parameters"),
        ("tune uttt uct --parameters c", "set `precision` or `games`"),
        ("tune uttt uct --parameters exploration --games 100", "unknown setting `exploration`"),
        ("tune uttt uct --parameters c=3..200 --games 100", "200 is outside the range 0 to 100"),
        ("tune uttt uct --parameters c,c --games 100", "given twice"),
        ("tune uttt uct --parameters c --screen", "`screen` needs `games`"),
        ("tune r.toml --parameters c", "`--parameters` works only with a game and a bot"),
        ("tune uttt uct --parameters c --games 100 --setup moon=1", "moon"),
        ("tune uttt uct:nonsense=1 --parameters c --games 100", "nonsense"),
        ("tune status nowhere", "contains no saved tuning run"),
    ] {
        let output = contender(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{words}: {output:?}");
        assert!(text(&output.stderr).contains(said), "{words}: {output:?}");
    }
}
