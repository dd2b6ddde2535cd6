//! The words that a referee is called with.

use crate::output::cut;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a referee is asked for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Contract {
    /// As referees of CodinGame's challenges are: `-p1 CMD -p2 CMD -seed N -league N -l FILE -timeout MS`.
    CodinGame,
    /// As cg-brutaltester asks: `-p1 CMD -p2 CMD -d seed=N -l FILE`.
    Brutaltester,
    /// As psyleague and CG Arena ask: by placeholders in the command.
    Template,
}

/// A player of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bot {
    /// Its name.
    pub name: String,
    /// What is run, in words as of a shell.
    pub command: String,
}

impl Bot {
    /// Reads what a user wrote: a command, with `name=` in front or named after itself. Commands that are entered more
    /// than once get `#1`, `#2`, ... behind their names.
    ///
    /// # Errors
    /// Bad quotes, no command, a program that is not there, or two commands of one name, in words for the user.
    pub fn list<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Vec<Bot>, String> {
        let is_name = |text: &str| {
            !text.is_empty()
                && text.chars().all(|letter| letter.is_alphanumeric() || "_-.+@".contains(letter))
        };
        let mut bots = Vec::new();
        for text in texts {
            let text = text.trim();
            let (name, command) = match text.split_once('=') {
                Some((name, command)) if is_name(name) => (name, command.trim()),
                _ => (text, text),
            };
            let words = shell_words::split(command)
                .map_err(|error| format!("command `{}`: {error}", cut(command)))?;
            let program = words.first().ok_or("a bot without a command")?;
            if !is_there(program) {
                return Err(format!("there is no program `{}`, or it is not executable", cut(program)));
            }
            bots.push(Bot { name: name.to_string(), command: command.to_string() });
        }
        for at in 0..bots.len() {
            let Bot { name, command } = bots[at].clone();
            let same: Vec<usize> = (at..bots.len()).filter(|&other| bots[other].name == name).collect();
            if same.iter().any(|&other| bots[other].command != command) {
                return Err(format!("two different bots are called `{name}`; name them apart"));
            }
            if same.len() > 1 {
                (1..)
                    .zip(same)
                    .for_each(|(number, other): (u32, _)| bots[other].name += &format!("#{number}"));
            }
        }
        Ok(bots)
    }
}

/// Whether a program can be run by this name.
fn is_there(program: &str) -> bool {
    let is_file = |path: &Path| path.is_file();
    if program.contains('/') {
        return is_file(Path::new(program));
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| is_file(&folder.join(program)))
}

/// What a call tells besides the players.
pub(crate) struct Call<'a> {
    pub bots: &'a [&'a Bot],
    /// As it is written in the command.
    pub seed: i64,
    pub league: Option<u32>,
    pub time: Option<Duration>,
    pub log: &'a Path,
    /// Where scripts are written that run bots.
    pub scripts: &'a Path,
}

/// Placeholders that stand for bots, but for their numbers.
const ALL: [&str; 2] = ["%ALL_PLAYERS%", "{PLAYERS}"];

/// Whether a command says itself where its bots stand; an error if it says so for some only.
pub(crate) fn is_template(words: &[String]) -> Result<bool, String> {
    let has = |pieces: &[&str]| words.iter().any(|word| pieces.iter().any(|piece| word.contains(piece)));
    let [first, second] = [has(&["%P1%", "{P1}"]), has(&["%P2%", "{P2}"])];
    if first != second && !has(&ALL) {
        return Err(
            "the command names one bot only: %P1% and %P2%, {P1} and {P2}, %ALL_PLAYERS% or {PLAYERS}"
                .to_string(),
        );
    }
    Ok(first || has(&ALL))
}

/// A command with its placeholders filled in:
///
/// | | |
/// |---|---|
/// | `%P1%`, `%P2%`, ... | the bots' names, as psyleague writes it |
/// | `{P1}`, `{P2}`, ... | the bots' commands, as CG Arena writes it |
/// | `%ALL_PLAYERS%`, `{PLAYERS}` | all names, all commands: the word with what is glued to it is written for each |
/// | `%SEED%`, `{SEED}` | the seed, a signed number of 64 bits; positive and of 31 bits where it is drawn |
/// | `%LOG%`, `{LOG}` | a file for the game's log |
/// | `%DIR%`, `{DIR}` | the current folder |
pub(crate) fn filled(words: &[String], call: &Call<'_>) -> Vec<String> {
    let seed = call.seed.to_string();
    let log = call.log.display().to_string();
    let one = |word: &str| {
        let mut word = word.to_string();
        for (at, bot) in call.bots.iter().enumerate() {
            word = word
                .replace(&format!("%P{}%", at + 1), &bot.name)
                .replace(&format!("{{P{}}}", at + 1), &bot.command);
        }
        for (name, value) in [("SEED", seed.as_str()), ("LOG", &log), ("DIR", ".")] {
            word = word.replace(&format!("%{name}%"), value).replace(&format!("{{{name}}}"), value);
        }
        word
    };
    let mut filled = Vec::new();
    for word in words {
        if word.contains(ALL[0]) {
            filled.extend(call.bots.iter().map(|bot| one(&word.replace(ALL[0], &bot.name))));
        } else if word.contains(ALL[1]) {
            filled.extend(call.bots.iter().map(|bot| one(&word.replace(ALL[1], &bot.command))));
        } else {
            filled.push(one(word));
        }
    }
    filled
}

/// The options of a game, for a referee without placeholders.
///
/// # Errors
/// A bot's command that cannot be split, or a script that cannot be written.
pub(crate) fn options(contract: Contract, call: &Call<'_>) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut add = |key: &str, value: String| words.extend([key.to_string(), value]);
    for (at, bot) in call.bots.iter().enumerate() {
        add(&format!("-p{}", at + 1), plain(&bot.command, call.scripts)?);
    }
    match contract {
        Contract::CodinGame => {
            add("-seed", call.seed.to_string());
            call.league.into_iter().for_each(|league| add("-league", league.to_string()));
            call.time.into_iter().for_each(|time| add("-timeout", time.as_millis().to_string()));
        }
        Contract::Brutaltester | Contract::Template => add("-d", format!("seed={}", call.seed)),
    }
    add("-l", call.log.display().to_string());
    Ok(words)
}

/// A bot's command for a referee that splits it at spaces and knows no quotes: as it is, or that of a script with it.
fn plain(command: &str, scripts: &Path) -> Result<String, String> {
    let words =
        shell_words::split(command).map_err(|error| format!("cannot split `{}`: {error}", cut(command)))?;
    if words.is_empty() {
        return Err("the command of a bot is empty".to_string());
    }
    if words.iter().all(|word| !word.is_empty() && !word.contains(char::is_whitespace)) {
        return Ok(words.join(" "));
    }
    let script = format!("#!/bin/sh\nexec {}\n", shell_words::join(&words));
    let mut hash = DefaultHasher::new();
    script.hash(&mut hash);
    let path = scripts.join(format!("bot-{:016x}.sh", hash.finish()));
    if path.to_string_lossy().contains(char::is_whitespace) {
        return Err(format!(
            "the command `{}` needs a script, and the folder for it, {}, has a space in its name: set TMPDIR to another",
            cut(command),
            scripts.display()
        ));
    }
    write_once(&path, &script).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    // Run by the shell, since a program that was just written may still be open in a process that another thread
    // starts.
    Ok(format!("/bin/sh {}", path.display()))
}

/// Writes a file as a whole, unless it is there.
fn write_once(path: &Path, text: &str) -> io::Result<()> {
    if std::fs::read_to_string(path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    let folder: PathBuf = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bots() -> [Bot; 3] {
        [("a", "./a -x"), ("b", "./b"), ("c", "sh -c 'exec ./c \"$0 1\"'")]
            .map(|(name, command)| Bot { name: name.to_string(), command: command.to_string() })
    }

    fn split(text: &str) -> Vec<String> {
        shell_words::split(text).unwrap()
    }

    #[test]
    fn placeholders_are_filled_in() {
        let bots = bots();
        let folder = tempfile::tempdir().unwrap();
        let bots: Vec<&Bot> = bots.iter().collect();
        let call = |count: usize| Call {
            bots: &bots[..count],
            seed: 7,
            league: None,
            time: None,
            log: Path::new("l"),
            scripts: folder.path(),
        };
        let two = |text: &str| filled(&split(text), &call(2));
        assert_eq!(two("run %DIR%/%ALL_PLAYERS%.exe -s {SEED}"), ["run", "./a.exe", "./b.exe", "-s", "7"]);
        assert_eq!(two("run -p1 \"{P1}\" -p2 {P2} {LOG}"), ["run", "-p1", "./a -x", "-p2", "./b", "l"]);
        assert_eq!(filled(&split("run {PLAYERS}"), &call(3))[3], "sh -c 'exec ./c \"$0 1\"'");
        assert_eq!(is_template(&split("run %P1%")).map_err(|error| error.contains("one bot")), Err(true));
        assert_eq!(is_template(&split("run {PLAYERS}")), Ok(true));
        assert_eq!(is_template(&split("run -p 1")), Ok(false));
    }

    #[test]
    fn commands_that_need_quotes_become_scripts() {
        let folder = tempfile::tempdir().unwrap();
        let bots = bots();
        assert_eq!(plain(&bots[0].command, folder.path()).unwrap(), "./a -x");
        assert_eq!(plain("'./a'  \"-x\"", folder.path()).unwrap(), "./a -x");
        let command = plain(&bots[2].command, folder.path()).unwrap();
        assert_eq!(command, plain(&bots[2].command, folder.path()).unwrap());
        let script = command.strip_prefix("/bin/sh ").unwrap();
        assert_eq!(std::fs::read_to_string(script).unwrap(), "#!/bin/sh\nexec sh -c 'exec ./c \"$0 1\"'\n");
        assert!(plain("./a 'b", folder.path()).unwrap_err().contains("cannot split"));
        assert!(plain(" ", folder.path()).unwrap_err().contains("empty"));
        let spaced = folder.path().join("a b");
        std::fs::create_dir(&spaced).unwrap();
        assert!(plain(&bots[2].command, &spaced).unwrap_err().contains("TMPDIR"));
    }

    #[test]
    fn bots_are_named_apart() {
        let names = |texts: &[&str]| {
            Bot::list(texts.iter().copied())
                .map(|bots| bots.into_iter().map(|bot| bot.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["a=sh x", "sh y"]).unwrap(), ["a", "sh y"]);
        assert_eq!(names(&["sh", "sh", "b=sh"]).unwrap(), ["sh#1", "sh#2", "b"]);
        assert!(names(&["a=sh x", "a=sh y"]).unwrap_err().contains("name them apart"));
        assert!(names(&["./no-such-bot"]).unwrap_err().contains("no program `./no-such-bot`"));
        assert!(names(&["sh 'x"]).unwrap_err().contains("command `sh 'x`"));
        assert!(names(&[" "]).unwrap_err().contains("without a command"));
    }

    #[test]
    fn options_are_those_of_the_contract() {
        let bots = bots();
        let bots: Vec<&Bot> = bots[..2].iter().collect();
        let folder = tempfile::tempdir().unwrap();
        let call = Call {
            bots: &bots,
            seed: 7,
            league: Some(4),
            time: Some(Duration::from_millis(1500)),
            log: Path::new("l.json"),
            scripts: folder.path(),
        };
        let words = |contract| options(contract, &call).unwrap().join(" ");
        assert_eq!(
            words(Contract::CodinGame),
            "-p1 ./a -x -p2 ./b -seed 7 -league 4 -timeout 1500 -l l.json"
        );
        assert_eq!(words(Contract::Brutaltester), "-p1 ./a -x -p2 ./b -d seed=7 -l l.json");
    }
}
