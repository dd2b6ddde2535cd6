//! `contender new`: the generated code can be built, keeps the rules' invariants and plays.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CONTENDER: &str = env!("CARGO_BIN_EXE_contender");
const GAMES: [&str; 5] = ["box", "cellularena", "entropy", "spaghetti", "uttt"];

fn new_bot(folder: &Path, game: &str, language: &str) -> Output {
    let words = ["new", "bot", game, "--language", language, "-o", "my-bot"];
    Command::new(CONTENDER).current_dir(folder).args(words).output().unwrap()
}

/// Returns whether a compiler is installed. A test that needs the compiler otherwise prints a notice and passes.
fn has(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        eprintln!("skipped: there is no {program}");
    }
    is_there
}

/// Checks the bots of all games in a language: after `build`, each one plays a game in each seat without a fault.
fn bots_play(language: &str, build: impl Fn(&Path), command: &str) {
    for game in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let output = new_bot(folder.path(), game, language);
        assert!(output.status.success(), "{game}: {output:?}");
        build(&folder.path().join("my-bot"));
        let words = ["check", game, command, "-n", "1", "--time", "600s", "--json"];
        let check = Command::new(CONTENDER).current_dir(folder.path()).args(words).output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&check.stdout).unwrap();
        let checks = report["checks"].as_array().unwrap();
        let passes =
            |name: &str| checks.iter().any(|check| check["name"] == name && check["status"] == "pass");
        for name in ["plays legal moves", "keeps running", "writes answers only"] {
            assert!(passes(name), "{game}: {name}: {report:#}");
        }
    }
}

#[test]
fn python_bots_play() {
    if has("python3") {
        bots_play("python", |_| {}, "python3 my-bot/bot.py --time {time}");
    }
}

#[test]
fn cpp_bots_play() {
    let build = |folder: &Path| {
        let words = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-o", "bot", "bot.cpp"];
        assert!(Command::new("g++").current_dir(folder).args(words).status().unwrap().success());
    };
    if has("g++") {
        bots_play("cpp", build, "my-bot/bot --time {time}");
    }
}

/// Returns the block of code in a document that contains this line.
fn block(document: &str, line: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
    let text = std::fs::read_to_string(path).unwrap();
    let block = text.split("\n```").find(|block| block.lines().any(|other| other == line)).unwrap();
    block.split_once('\n').unwrap().1.to_string()
}

/// Rust bots use the kit. The bot with a search, copied from its document, beats another bot and can be packed
/// unchanged.
#[test]
fn rust_bots_play() {
    let target = tempfile::tempdir().unwrap();
    let build = |folder: &Path| {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.current_dir(folder).args(["build", "--offline", "-q"]).env("CARGO_TARGET_DIR", target.path());
        assert!(cargo.env("RUSTFLAGS", "-D warnings").status().unwrap().success());
        std::fs::copy(target.path().join("debug/my-bot"), folder.join("bot")).unwrap();
    };
    bots_play("rust", build, "my-bot/bot --time {time}");

    let folder = tempfile::tempdir().unwrap();
    assert!(new_bot(folder.path(), "uttt", "rust").status.success());
    let package = folder.path().join("my-bot");
    let search =
        block("docs/start/first-bot-rust.md", "use contender_search::{NoChance, TimeManager, TreeCache};");
    std::fs::write(package.join("src/main.rs"), search).unwrap();
    build(&package);
    // An invalid time is rejected.
    let refused = Command::new(package.join("bot")).args(["--time", "nan"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("expected a number of seconds above 0"));
    let contender = |words: &str| {
        let mut command = Command::new(CONTENDER);
        let words =
            words.split(' ').map(|word| word.replace("SEARCH", "my-bot/bot --nodes {nodes} --seed {seed}"));
        command.current_dir(folder.path()).args(words).env("CARGO_TARGET_DIR", target.path());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let [played, _] = contender("match uttt random SEARCH -n 3 --nodes 300 -j 1 --json");
    let report: serde_json::Value = serde_json::from_str(&played).unwrap();
    assert!(report["win_rate"].as_f64().is_some_and(|rate| rate < 0.3), "{report:#}");
    // Without shorter names, the file only fits CodeCup's limit.
    let words = "pack --manifest my-bot/Cargo.toml --judge codecup --verify --games 2 --plays uttt -o bot.rs";
    let [_, packed] = contender(words);
    assert!(packed.contains("identical to the unpacked bot"), "{packed}");
}

#[test]
fn nothing_is_overwritten_and_the_next_steps_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let first = new_bot(folder.path(), "uttt", "python");
    let text = String::from_utf8(first.stdout).unwrap();
    assert!(text.contains("contender check uttt \"python3 my-bot/bot.py\""), "{text}");
    let again = new_bot(folder.path(), "uttt", "python");
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8(again.stderr).unwrap().contains("my-bot/bot.py already exists"));
}

fn new_game(folder: &Path, words: &[&str]) -> Output {
    Command::new(CONTENDER).current_dir(folder).args(["new", "game"]).args(words).output().unwrap()
}

/// The game's own test plays random games and games between its bots. `scripts/check-own-game.sh` tests the whole
/// workbench with such a game, which takes minutes.
#[test]
fn games_of_every_kind_keep_their_promises() {
    let target = tempfile::tempdir().unwrap();
    for kind in ["turns", "chance", "hidden", "simultaneous"] {
        let folder = tempfile::tempdir().unwrap();
        let output = new_game(folder.path(), &["my-game", "--kind", kind]);
        assert!(output.status.success(), "{kind}: {output:?}");
        let game = folder.path().join("my-game");
        let text = std::fs::read_to_string(game.join("src/lib.rs")).unwrap();
        assert!(text.matches("EDIT").count() >= 5 && text.contains("name: \"my-game\""), "{kind}");
        assert!(
            text.starts_with("//! ") && text.contains("SOURCE: &'static str = include_str!(\"lib.rs\")"),
            "{kind}"
        );
        let main = std::fs::read_to_string(game.join("workbench/main.rs")).unwrap();
        assert!(main.contains("contender::main(&[my_game::CONTEST])"), "{main}");
        let learns = match kind {
            "turns" => {
                "learns::<my_game::TicTacToe>();\n    contender::learns_features::<my_game::TicTacToe>();"
            }
            "chance" => "learns::<my_game::Digits>();",
            "hidden" => "learns::<my_game::Tricks>();",
            _ => "learns_simultaneous::<my_game::Goofspiel>();",
        };
        assert!(
            main.contains(&format!(
                "#[cfg(feature = \"train\")]\nfn register_trainings() {{\n    contender::{learns}"
            )),
            "{main}"
        );
        let recipe = std::fs::read_to_string(game.join("train.toml")).unwrap();
        let learner = if ["turns", "chance"].contains(&kind) { "`puct`" } else { "`policy`" };
        assert!(recipe.contains("game = \"my-game\"") && recipe.contains(learner), "{recipe}");
        for recipe in ["evaluation.toml", "value.toml"] {
            let recipe = std::fs::read_to_string(game.join(recipe));
            assert_eq!(recipe.is_ok_and(|text| text.contains("game = \"my-game\"")), kind == "turns");
        }
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.current_dir(&game).args(["test", "-q", "-p", "my-game", "--offline"]);
        let test =
            cargo.env("CARGO_TARGET_DIR", target.path()).env("RUSTFLAGS", "-D warnings").output().unwrap();
        assert!(test.status.success(), "{kind}: {}", String::from_utf8_lossy(&test.stderr));
        let passed = String::from_utf8_lossy(&test.stdout);
        assert!(passed.contains("1 passed"), "{kind}: {passed}");
    }
}

/// The example's profile is the same as that of a newly created game, so its bots and training runs are as fast. Cargo
/// knows all packages in the profile.
#[test]
fn the_example_is_compiled_as_own_games_are() {
    let folder = tempfile::tempdir().unwrap();
    assert!(new_game(folder.path(), &["tumbleweed"]).status.success());
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tumbleweed/Cargo.toml");
    let [made, example] = [folder.path().join("tumbleweed/Cargo.toml"), example].map(|manifest| {
        let text = std::fs::read_to_string(manifest).unwrap();
        text.split_once("[workspace]").unwrap().1.to_string()
    });
    assert_eq!(made, example);
    assert!(made.contains("contender-search.opt-level = 3") && !made.contains("curve25519"), "{made}");
}

/// Returns the program of a custom game. It is an example of this package, so it is built with the tests.
fn tumbleweed() -> PathBuf {
    let program = Path::new(CONTENDER).parent().unwrap().join("examples/tumbleweed");
    assert!(program.exists(), "build it: cargo build -p contender-cli --example tumbleweed");
    program
}

/// A bot for a custom game is a package that depends on that game, in any folder.
#[test]
fn bots_of_own_games_find_their_game() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tumbleweed").canonicalize().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let new_bot = |here: &Path, words: &[&str]| {
        let mut command = Command::new(tumbleweed());
        command
            .current_dir(here)
            .args(["new", "bot", "tumbleweed", "--language"])
            .args(words)
            .output()
            .unwrap()
    };
    let made = folder.path().join("mine");
    let made_from_there = new_bot(&own, &["rust", "-o", made.to_str().unwrap()]);
    assert!(made_from_there.status.success(), "{made_from_there:?}");
    let manifest = std::fs::read_to_string(made.join("Cargo.toml")).unwrap();
    assert!(manifest.contains(&format!("tumbleweed = {{ path = \"{}\" }}", own.display())), "{manifest}");
    for line in manifest.lines().filter(|line| line.contains("path = ")) {
        let path = line.split('"').nth(1).unwrap();
        assert!(Path::new(path).join("Cargo.toml").exists(), "{line}");
    }
    let elsewhere = new_bot(folder.path(), &["rust", "-o", "other"]);
    assert_eq!(elsewhere.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&elsewhere.stderr).contains("--workspace"), "{elsewhere:?}");
    let named = new_bot(folder.path(), &["rust", "-o", "other", "--workspace", own.to_str().unwrap()]);
    assert!(named.status.success(), "{named:?}");
    let none = new_bot(folder.path(), &["python", "-o", "third"]);
    assert!(String::from_utf8_lossy(&none.stderr).contains("in this language; available: rust"), "{none:?}");
    // The printed commands use the name of this program, not `contender`.
    let said = String::from_utf8_lossy(&named.stdout).into_owned();
    assert!(said.contains(&format!("check it  {} check tumbleweed ", tumbleweed().display())), "{said}");
}

/// The program of a custom game trains its network, and the trained network plays.
#[test]
fn an_own_game_is_trained_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let text = include_str!("../../../../examples/tumbleweed/train.toml");
    let text = text.replace("blocks = 2", "blocks = 0").replace("games = 48", "games = 2");
    let text = text.replace("nodes = 400", "nodes = 5").replace("pairs = 10", "pairs = 1");
    std::fs::write(folder.path().join("train.toml"), text).unwrap();
    let run = |words: &str| {
        let mut command = Command::new(tumbleweed());
        let output = command.current_dir(folder.path()).args(words.split(' ')).output().unwrap();
        assert!(output.status.success(), "{words}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    run("train train.toml --games 4 -q");
    let [trained, shipped] = ["a=puct:net=training/network.bin", "a=puct"]
        .map(|bot| run(&format!("match tumbleweed {bot} random -n 1 --nodes 2 --quiet")));
    assert_ne!(trained, shipped, "another network plays other games");
}

#[test]
fn a_game_has_a_name_of_its_own_and_overwrites_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["", "My", "9men", "a/b", "../up", "contender-x", "core", "match"] {
        let output = new_game(folder.path(), &["--", name]);
        assert_eq!(output.status.code(), Some(2), "{name}: {output:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(new_game(folder.path(), &["mine"]).status.success());
    // Cargo warns in every build if a profile names a package that does not exist.
    let manifest = std::fs::read_to_string(folder.path().join("mine/Cargo.toml")).unwrap();
    let lock = std::fs::read_to_string(folder.path().join("mine/Cargo.lock")).unwrap();
    let profiled = manifest.lines().filter_map(|line| line.split_once(".opt-level")).map(|(name, _)| name);
    for name in profiled.filter(|name| *name != "\"*\"") {
        assert!(lock.contains(&format!("name = \"{name}\"")), "{name}");
        assert!(
            !["contender-cluster", "curve25519-dalek"].contains(&name),
            "a game of one's own has no cluster"
        );
    }
    let again = new_game(folder.path(), &["mine"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8(again.stderr).unwrap().contains("already exists"));
}

/// An implementation that misses a move is reported, with the moves that show the mistake, in random games and in
/// recorded games.
#[test]
fn rules_are_compared_with_another_program() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = |wins: &str| {
        format!(
            "import json, sys\nfor line in sys.stdin:\n    moves = json.loads(line)['moves']\n    \
             print(json.dumps({wins}), flush=True)\n"
        )
    };
    let run =
        |words: &[&str]| Command::new(CONTENDER).current_dir(folder.path()).args(words).output().unwrap();
    let check_in = |text: String, games: [&str; 2]| {
        std::fs::write(folder.path().join("rules.py"), text).unwrap();
        run(&["check-rules", "uttt", games[0], games[1], "--against", "python3 rules.py"])
    };
    let check = |text: String| check_in(text, ["--games", "1"]);
    let differs = check(program("{'legal': ['4 4']}"));
    assert_eq!(differs.status.code(), Some(1));
    let text = String::from_utf8(differs.stdout).unwrap();
    assert!(
        text.contains("with seed 1 after 0 moves (): legal only according to the rules: 0 0, 0 1"),
        "{text}"
    );
    assert!(
        text.contains("; legal only according to the program: none\n") && text.lines().count() > 9,
        "the board is shown: {text}"
    );
    let played = run(&["match", "uttt", "random", "random", "-n", "1", "--log", "log.jsonl", "-q"]);
    assert!(played.status.success(), "{played:?}");
    let recorded = check_in(program("{'legal': ['4 4']}"), ["--recorded", "log.jsonl"]);
    let text = String::from_utf8(recorded.stdout).unwrap();
    assert!(text.contains("log.jsonl:1 after 0 moves (): legal only according to the rules: 0 0"), "{text}");
    let over = check(program("{'legal': [], 'points': [0, 0]}"));
    let text = String::from_utf8(over.stdout).unwrap();
    assert!(
        text.contains(
            "(): according to the rules, the game continues, but according to the program, it is over\n"
        ),
        "{text}"
    );
    // A program may know only some positions, for example those after a move that a recorded game contains.
    let part = "{'legal': ['4 4']} if len(moves) == 3 else {'legal': None}";
    let text = String::from_utf8(check(program(part)).stdout).unwrap();
    assert!(text.contains("with seed 1 after 3 moves ("), "{text}");
    let part = "{'legal': None if moves else [f'{row} {column}' for row in range(9) for column in range(9)]}";
    let known = check_in(program(part), ["--recorded", "log.jsonl"]);
    let text = String::from_utf8(known.stdout).unwrap();
    assert!(text.contains("agrees with the rules in all 2 positions of 2 games\n"), "{text}");
    assert!(
        text.ends_with(" positions were not compared: the program answered `{\"legal\":null}`\n"),
        "{text}"
    );
    let silent = check("print('no')\n".to_string());
    assert_eq!(silent.status.code(), Some(2));
    assert!(String::from_utf8(silent.stderr).unwrap().contains("invalid answer `no`"));
    let gone = check(String::new());
    assert_eq!(gone.status.code(), Some(2));
    let said = String::from_utf8(gone.stderr).unwrap();
    assert!(
        said.contains("the program exited without an answer") || said.contains("closed its input"),
        "{said}"
    );
}
