//! The files of a bot that joins a league are copied or stay reachable, so that the bot can play. Otherwise `add`
//! refuses the bot.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

const CONTENDER: &str = env!("CARGO_BIN_EXE_contender");

/// Returns a folder with a league of uttt in `league`, with a time limit that no bot exceeds.
fn here() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &["init", "uttt"], 0);
    let settings = folder.path().join("league/league.toml");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, text.replace("# time = \"100ms\"", "time = \"60s\"")).unwrap();
    folder
}

/// Runs `league --dir league WORDS` in a folder, and returns the output.
fn run(folder: &Path, words: &[&str], code: i32) -> String {
    let mut command = Command::new(CONTENDER);
    let output =
        command.args(["league", "--dir", "league"]).args(words).current_dir(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{words:?}: {output:?}");
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

/// Plays some games and checks that no bot failed.
fn play(folder: &Path) {
    run(folder, &["add", "other", "greedy"], 0);
    let said = run(folder, &["run", "--games", "2", "-q", "-j", "1"], 0);
    assert!(said.contains("2 games played") && !said.contains("failed"), "{said}");
}

/// Writes a bot in Python that imports a module and then plays like a bundled bot.
fn write_bot(path: &Path, module: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text = format!(
        "import os\nimport {module}\nos.execv('{CONTENDER}', ['contender', 'bot', 'uttt', '--name', 'greedy'])\n"
    );
    fs::write(path, text).unwrap();
}

/// The interpreter of a virtual environment finds its packages only if it is used in place.
#[test]
fn a_virtual_environment_stays_where_it_is() {
    let folder = here();
    let here = folder.path();
    let made =
        Command::new("python3").args(["-m", "venv", "--without-pip", "venv"]).current_dir(here).status();
    assert!(made.unwrap().success());
    let lib = fs::read_dir(here.join("venv/lib")).unwrap().next().unwrap().unwrap().path();
    fs::write(lib.join("site-packages/packaged.py"), "").unwrap();
    write_bot(&here.join("bots/bot.py"), "packaged");
    let said = run(&here.join("league/.."), &["add", "v1", "venv/bin/python bots/bot.py"], 0);
    let python = here.canonicalize().unwrap().join("venv/bin/python");
    assert!(said.contains(&format!("v1 runs `{} ./programs/v1/bot.py`", python.display())), "{said}");
    assert!(said.contains("v1 uses ") && said.contains(" directly"), "{said}");
    // An interpreter that is a link works from the league's own folder, with and without copies of the bot's files.
    let mut inside = Command::new(CONTENDER);
    inside
        .args(["league", "add", "v2", "../venv/bin/python ../bots/bot.py"])
        .current_dir(here.join("league"));
    assert!(inside.status().unwrap().success());
    fs::remove_dir_all(here.join("bots")).unwrap();
    play(here);
}

#[test]
fn a_bot_of_several_files_is_refused_or_its_folder_copied() {
    let folder = here();
    let here = folder.path();
    write_bot(&here.join("my-bot/bot.py"), "brain");
    fs::write(here.join("my-bot/brain.py"), "").unwrap();
    let said = run(here, &["add", "v1", "python3 my-bot/bot.py"], 2);
    assert!(said.contains("`v1` exits before its first answer") && said.contains("brain"), "{said}");
    assert!(
        said.contains("hint: ") && said.contains("to copy the whole folder, use `--folder my-bot`"),
        "{said}"
    );
    assert!(!here.join("league/programs/v1").exists());
    let said = run(here, &["add", "v1", "python3 my-bot/bot.py", "--folder", "my-bot"], 0);
    assert!(said.contains("v1 runs `python3 ./programs/v1/bot.py`"), "{said}");
    assert!(
        run(here, &["add", "v2", "python3 my-bot/bot.py", "--folder", "league"], 2)
            .contains("contains the league's files")
    );
    assert!(run(here, &["add", "v2", "greedy", "--folder", "my-bot"], 2).contains("does not name a file in"));
    assert!(!here.join("league/programs/v2").exists());
    // The folder to copy may contain the league itself.
    run(here, &["add", "v3", "python3 my-bot/bot.py", "--folder", "."], 0);
    assert!(!here.join("league/programs/v3/league").exists());
    fs::remove_dir_all(here.join("my-bot")).unwrap();
    play(here);
}

/// Bots still find their files: a script the files next to it, a program its data, and Java its classes, as far as the
/// command shows them.
#[test]
fn what_a_command_names_stays_reachable() {
    let folder = here();
    let here = folder.path();
    write_bot(&here.join("classes/__main__.py"), "sys");
    // A folder that is run as a program is used in place, like a folder of classes.
    let said = run(here, &["add", "folder", "python3 ./classes"], 0);
    assert!(said.contains("folder uses ") && said.contains("/classes directly"), "{said}");
    write_bot(&here.join("tools/lib/brain.py"), "sys");
    fs::write(here.join("tools/bot.sh"), "PYTHONPATH=$(dirname \"$0\")/lib exec python3 -m brain\n").unwrap();
    let said = run(here, &["add", "wrapped", "sh tools/bot.sh"], 2);
    assert!(said.contains("to copy the whole folder, use `--folder tools`"), "{said}");
    run(here, &["add", "wrapped", "sh tools/bot.sh", "--folder", "tools"], 0);
    // Options with one path or several.
    let command = "sh tools/bot.sh -cp classes:no/such:tools/* --data=tools --file=tools/bot.sh";
    let said = run(here, &["add", "java", command, "--no-check"], 0);
    let at = here.canonicalize().unwrap();
    let words = format!(
        "-cp {0}/classes:no/such:{0}/tools/'*' --data={0}/tools --file=./programs/java/bot.sh",
        at.display()
    );
    assert!(said.replace('\'', "").contains(&words.replace('\'', "")), "{said}\n{words}");
    play(here);
}
