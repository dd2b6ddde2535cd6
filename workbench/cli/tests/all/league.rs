//! A league survives the death of its runners.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

fn contender(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
    command.args(["league", "--dir"]).arg(folder).stderr(Stdio::null());
    command
}

/// Returns the rows of the export, without the header.
fn games(folder: &Path) -> Vec<Vec<String>> {
    let output = contender(folder).arg("export").output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_string).collect()).collect()
}

#[test]
fn runners_killed_at_any_moment_lose_no_game_and_play_none_twice() {
    const PAIRS: usize = 40;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(contender(folder).args(["init", "entropy"]).status().unwrap().success());
    let settings = folder.join("league.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(&settings, text.replace("# max_pairs = 500", &format!("max_pairs = {PAIRS}"))).unwrap();
    for (name, bot) in [("a", "expectimax"), ("b", "expectimax"), ("c", "greedy")] {
        assert!(contender(folder).args(["add", name, bot]).status().unwrap().success());
    }
    let mut before = 0;
    for round in 0..20 {
        let mut runner =
            contender(folder).args(["run", "--exit-when-done", "--quiet", "-j", "2"]).spawn().unwrap();
        sleep(Duration::from_millis(5 + 13 * round % 60));
        runner.kill().unwrap();
        runner.wait().unwrap();
        let now = games(folder).len();
        assert!(now >= before, "{before} games have become {now}");
        before = now;
    }
    assert!(
        contender(folder).args(["run", "--exit-when-done", "--quiet", "-j", "2"]).status().unwrap().success()
    );
    let games = games(folder);
    assert_eq!(games.len(), 3 * PAIRS * 2);
    let mut pairs: Vec<&String> = games.iter().map(|game| &game[1]).collect();
    pairs.sort();
    assert!(pairs.chunks(2).all(|pair| pair[0] == pair[1]), "a pair without both games");
    pairs.dedup();
    assert_eq!(pairs.len(), 3 * PAIRS);
}

/// Paths from users are relative to the current folder, and the league keeps its files in its own folder.
#[test]
fn a_league_in_another_folder_keeps_its_sources_and_plays() {
    let here = tempfile::tempdir().unwrap();
    let contender = |words: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
        command.current_dir(&here).args(["league", "--dir", "my"]).args(words.split(' '));
        command.stderr(Stdio::null()).status().unwrap().success()
    };
    std::fs::write(here.path().join("bot.py"), "a bot").unwrap();
    assert!(contender("init box"));
    assert!(contender("add g greedy --source bot.py"));
    assert!(contender("add r random"));
    assert_eq!(std::fs::read_to_string(here.path().join("my/sources/g/bot.py")).unwrap(), "a bot");
    assert!(!here.path().join("my/my").exists());
    assert!(contender("run --games 2 -q -j 1"));
    assert_eq!(games(&here.path().join("my")).len(), 2);
}

/// `head` exits before it has read everything. That is not an error, and there is no panic if standard error is closed
/// as well.
#[test]
fn a_reader_may_leave_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(contender(folder).args(["init", "box"]).status().unwrap().success());
    let row = |game: usize| format!("{game},a,5,WIN,b,3,LOSE\n");
    let table: String = (0..20_000).map(row).collect();
    let file = folder.join("games.csv");
    std::fs::write(&file, format!("Game,User1,Score1,Status1,User2,Score2,Status2\n{table}")).unwrap();
    assert!(contender(folder).arg("import").arg(&file).status().unwrap().success());
    let deaf = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        writer
    };
    for form in ["csv", "pgn"] {
        let mut export = contender(folder);
        let output = export.args(["export", "--form", form]).stdout(deaf()).stderr(Stdio::piped()).output();
        let output = output.unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0), "{form}");
    }
    let status = contender(folder).args(["games", "99999999"]).stderr(deaf()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

/// `league games` prints a game in a few lines, and with `--json` everything that is known. A league with one bot
/// reports that it cannot play.
#[test]
fn games_are_shown_and_a_league_of_one_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let output =
        |words: &str| contender(folder).args(words.split(' ')).stderr(Stdio::piped()).output().unwrap();
    assert!(output("init entropy").status.success());
    assert!(output("add one greedy").status.success());
    let alone = output("run -q --exit-when-done");
    assert_eq!(alone.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&alone.stderr).contains("1 of the league's 1 bots can play"),
        "{alone:?}"
    );
    assert!(output("add two random").status.success());
    assert!(output("run --games 2 -q -j 1").status.success());
    let shown = String::from_utf8(output("games 2").stdout).unwrap();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("game 2: two - one  "), "{shown}");
    assert!(lines[1].starts_with("pair 1, seed "), "{shown}");
    assert!(lines[2].starts_with("two: plays to the end; "), "{shown}");
    assert!(lines[4].starts_with("moves: ") && lines.len() == 5, "{shown}");
    let json: serde_json::Value = serde_json::from_slice(&output("games 2 --json").stdout).unwrap();
    assert_eq!(json["players"][0], "two");
    assert_eq!(lines[4].split(' ').count() - 1, json["moves"].as_array().unwrap().len());
}

/// A copied bot keeps playing after its original is rebuilt or deleted; with `--in-place` the bot changes. A bot that
/// always fails is paused.
#[test]
fn bots_are_copied_and_those_that_always_fail_rest() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = |words: &[&str]| contender(folder).args(words).stderr(Stdio::piped()).output().unwrap();
    assert!(run(&["init", "entropy"]).status.success());
    std::fs::write(folder.join("bot.sh"), "exit 3\n").unwrap();
    let added = String::from_utf8(run(&["add", "dud", "sh bot.sh", "--no-check"]).stderr).unwrap();
    assert!(added.contains("dud runs `sh ./programs/dud/bot.sh`, a copy"), "{added}");
    let in_place = run(&["add", "follows", "sh bot.sh", "--in-place", "--no-check"]);
    assert_eq!(String::from_utf8(in_place.stderr).unwrap(), "");
    assert!(run(&["add", "greedy", "greedy"]).status.success());
    std::fs::remove_file(folder.join("bot.sh")).unwrap();
    let output = run(&["run", "--exit-when-done", "--games", "60", "-j", "1"]);
    let (shown, said) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(said.contains("dud is paused because it failed in its last 6 games"), "{said}");
    assert!(said.contains("to list these games, run `contender league games --failed`"), "{said}");
    assert!(said.contains("dud failed in ") && said.contains(": exit "), "{said}");
    let row = shown.lines().find(|line| line.contains(" dud ")).unwrap_or_default();
    assert!(row.ends_with("paused"), "{shown}");
}

/// A run with a number of games ends if too few games are left to play, and reports the reason.
#[test]
fn a_run_of_so_many_games_ends_when_nobody_is_to_meet() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = |words: &str| {
        let output = contender(folder).args(words.split(' ')).stderr(Stdio::piped()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    run("init entropy");
    let settings = folder.join("league.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(&settings, text.replace("# max_pairs = 500", "max_pairs = 1")).unwrap();
    run("add a greedy");
    run("add b random");
    let (code, said) = run("run --games 50 -q -j 1");
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains(
            "2 of 50 games played; no games are left to play: all bots have played the maximum of 1 pairs"
        ),
        "{said}"
    );
    run("pause a");
    let (code, said) = run("run --games 50 -q -j 1");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("1 of the league's 2 bots can play"), "{said}");
    run("resume a");
    run("add dud cat --no-check");
    let (_, said) = run("run --games 50 -q -j 1");
    assert!(said.contains("4 of 50 games played"), "{said}");
}

#[test]
fn a_field_that_nobody_told_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for words in ["init entropy", "add a greedy", "add b random", "run --games 2 -q -j 1"] {
        assert!(contender(folder).args(words.split(' ')).status().unwrap().success());
    }
    let shown = |condition: &str| {
        contender(folder).args(["show", "--where", condition]).stderr(Stdio::piped()).output()
    };
    let output = shown("bot.final > 3").unwrap();
    assert_eq!(output.status.code(), Some(2));
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        words,
        "error: unknown field `bot.final`; available: end0, end1, moves, points0, points1, seed\n"
    );
    assert!(shown("points0 > 3").unwrap().status.success());
}

/// Creates a league of bundled bots that can play endlessly.
#[cfg(target_os = "linux")]
fn endless(folder: &Path, bots: [&str; 2]) {
    assert!(contender(folder).args(["init", "spaghetti"]).status().unwrap().success());
    for (name, bot) in ["a", "b"].into_iter().zip(bots) {
        assert!(contender(folder).args(["add", name, bot]).status().unwrap().success());
    }
}

#[cfg(target_os = "linux")]
fn wait_until(holds: impl Fn() -> bool) {
    while !holds() {
        sleep(Duration::from_millis(20));
    }
}

/// If its terminal is closed, a runner ends cleanly: it releases the games in progress and writes its report.
#[cfg(target_os = "linux")]
#[test]
fn a_runner_whose_terminal_is_closed_ends_in_order() {
    // Child processes inherit ignored signals. The first signal is the lowest bit.
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    if u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 1 {
        eprintln!("skipped: SIGHUP is ignored here, as below nohup");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    endless(folder.path(), ["random", "greedy"]);
    let mut run = contender(folder.path());
    let runner = run.args(["run", "-q", "-j", "1"]).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(|| games(folder.path()).len() > 3);
    assert!(Command::new("kill").args(["-HUP", &runner.id().to_string()]).status().unwrap().success());
    let output = runner.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("games played"), "{output:?}");
    let locks = std::fs::read_dir(&folder).unwrap().flatten();
    assert_eq!(locks.filter(|file| file.file_name().to_string_lossy().ends_with(".lock")).count(), 0);
}

/// A temporary shortage of file descriptors is not a bot's failure and makes no game void.
#[cfg(target_os = "linux")]
#[test]
fn a_shortage_that_passes_voids_no_game() {
    if Command::new("prlimit").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("skipped: there is no prlimit");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bot = format!("{} bot spaghetti --name random", env!("CARGO_BIN_EXE_contender"));
    endless(folder.path(), [&bot, "greedy"]);
    let mut run = contender(folder.path());
    let runner = run
        .args(["run", "--exit-when-done", "-q", "-j", "1", "--games", "20"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let limit = |number: &str| {
        let arguments = ["--pid".to_string(), runner.id().to_string(), format!("--nofile={number}:1024")];
        assert!(Command::new("prlimit").args(arguments).status().unwrap().success());
    };
    wait_until(|| games(folder.path()).len() > 2);
    limit("8");
    sleep(Duration::from_millis(1500));
    limit("1024");
    let output = runner.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let games = games(folder.path());
    assert!(games.len() >= 20 && games.iter().all(|game| game[10].is_empty()), "{games:?}");
}

/// At the end of a run, the league prints the findings of `check` about a bot that does not answer. If standard error
/// cannot be written, as on a full disk, the league still continues.
#[test]
#[cfg(target_os = "linux")]
fn a_runner_that_cannot_say_anything_plays_on() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        contender(folder.path()).args(words.split(' ')).stderr(full).status().unwrap().code()
    };
    for words in ["init spaghetti", "add a random", "add b greedy"] {
        assert!(contender(folder.path()).args(words.split(' ')).status().unwrap().success());
    }
    assert_eq!(run("run --games 4 --quiet"), Some(0));
    assert_eq!(games(folder.path()).len(), 4);
}

#[test]
fn a_bot_that_does_not_answer_is_told_why() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(contender(folder).args(["init", "uttt"]).status().unwrap().success());
    let bot = "python3 -c \"import sys\nfor line in sys.stdin: sys.stdout.write('4 4')\"";
    for (name, command) in [("g", "greedy"), ("mute", bot)] {
        assert!(contender(folder).args(["add", "--no-check", name, command]).status().unwrap().success());
    }
    let mut run = contender(folder);
    let output = run.args(["run", "--games", "2", "-q", "-j", "1"]).stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("mute failed in 2 of 2 games: "), "{said}");
    assert!(said.contains("mute does not answer: ") && said.contains("flush"), "{said}");
    // The run does not depend on the message being read.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let unheard =
        contender(folder).args(["run", "--games", "2", "-q", "-j", "1"]).stderr(full).status().unwrap();
    assert_eq!(unheard.code(), Some(0));
}

/// Relative files are relative to the caller's folder, and a bot that does not answer is not added.
#[test]
fn a_bot_is_tried_before_it_is_added() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
        command.args(["league", "--dir", "league"]).args(words).current_dir(here).output().unwrap()
    };
    let said = |words: &[&str], code: i32| {
        let output = run(words);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(run(&["init", "uttt"]).status.success());
    // The time limit is long enough for a busy machine.
    let settings = here.join("league/league.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(&settings, text.replace("# time = \"100ms\"", "time = \"60s\"")).unwrap();
    std::fs::create_dir(here.join("my-bot")).unwrap();
    let nothing = said(&["add", "v1", "sh my-bot/bot.sh"], 2);
    assert!(nothing.contains("exits before its first answer") && nothing.contains("bot.sh"), "{nothing}");
    let bot = format!("exec {} bot uttt --name greedy\n", env!("CARGO_BIN_EXE_contender"));
    std::fs::write(here.join("my-bot/bot.sh"), bot).unwrap();
    let copied = said(&["add", "v1", "sh my-bot/bot.sh"], 0);
    assert!(copied.contains("v1 runs `sh ./programs/v1/bot.sh`"), "{copied}");
    said(&["add", "follows", "sh my-bot/bot.sh", "--in-place"], 0);
    said(&["add", "greedy", "greedy"], 0);
    let played = run(&["run", "--games", "6", "-q", "-j", "1"]);
    assert!(
        played.status.success() && !String::from_utf8_lossy(&played.stderr).contains("failed"),
        "{played:?}"
    );
    said(&["remove", "v1"], 0);
    let again = said(&["add", "v1", "greedy"], 2);
    assert!(again.contains("bring the bot back with `contender league resume v1`"), "{again}");
    said(&["resume", "v1"], 0);
}

/// Hints show the name of the program that prints them, which differs for a custom game.
#[cfg(unix)]
#[test]
fn hints_name_the_program_that_was_started() {
    use std::os::unix::process::CommandExt;
    let folder = tempfile::tempdir().unwrap();
    let said = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
        command.arg0("./my game").current_dir(&folder).arg("league").args(words);
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    assert!(said(&["show"]).contains("create a league with `'./my game' league init GAME`"));
    assert!(said(&["init", "uttt"]).contains("add bots with `'./my game' league add NAME COMMAND`"));
    let few = said(&["run", "--exit-when-done"]);
    assert!(few.contains("`'./my game' league add NAME COMMAND`"), "{few}");
    assert!(few.contains("`'./my game' league resume NAME`"), "{few}");
    said(&["add", "v1", "greedy"]);
    said(&["remove", "v1"]);
    let again = said(&["add", "v1", "greedy"]);
    assert!(again.contains("bring the bot back with `'./my game' league resume v1`"), "{again}");
}

/// A renamed bot keeps its games, and a new version plays instead of the old one, as in the web app.
#[test]
fn a_bot_is_renamed_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str], code: i32| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
        let output = command.arg("league").args(words).current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{words:?}: {output:?}");
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    run(&["init", "uttt"], 0);
    run(&["add", "v1", "greedy"], 0);
    run(&["add", "random", "random"], 0);
    run(&["run", "--games", "4", "-q", "-j", "1"], 0);
    run(&["rename", "v1", "first"], 0);
    let games = run(&["games", "--bot", "first"], 0);
    assert_eq!(games.lines().filter(|line| line.contains("first")).count(), 4, "{games}");
    assert!(run(&["rename", "v1", "x"], 2).contains("unknown bot `v1`"));
    assert!(run(&["rename", "first", "random"], 2).contains("a bot called `random` already exists"));
    // If the new version cannot be added, the old one continues to play.
    run(&["replace", "first", "random", "bronze"], 2);
    run(&["replace", "first", "second", "no-such-program-anywhere"], 2);
    assert!(run(&["replace", "nobody", "second", "bronze"], 2).contains("available: first, random"));
    let state = |name: &str| {
        let shown: serde_json::Value = serde_json::from_str(&run(&["show", "--json"], 0)).unwrap();
        let bots = shown["rows"].as_array().or(shown["bots"].as_array()).unwrap().clone();
        bots.iter().find(|bot| bot["name"] == name).map(|bot| bot["state"].as_str().unwrap().to_string())
    };
    assert_eq!((state("first").as_deref(), state("second")), (Some("active"), None));
    assert!(run(&["replace", "first", "second", "bronze"], 0).contains("league resume first"));
    assert_eq!((state("first").as_deref(), state("second").as_deref()), (Some("paused"), Some("active")));
    run(&["remove", "second"], 0);
    assert!(run(&["replace", "second", "third", "bronze"], 2).contains("has been removed from the league"));
}
