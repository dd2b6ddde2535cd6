//! The command lines with which referees are called.

use crate::ForeignError;
use crate::output::cut;
use contender_play::{Entrant, Program};
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The protocol of a referee's command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Contract {
    /// The command line of the referees for CodinGame's challenges: `-p1 CMD -p2 CMD -seed N -league N -l FILE -timeout
    /// MS`.
    CodinGame,
    /// The command line of cg-brutaltester: `-p1 CMD -p2 CMD -d seed=N -l FILE`.
    Brutaltester,
    /// The command line of psyleague and CG Arena: placeholders in the command.
    Template,
}

/// Returns the command of a bot, quoted for a shell.
pub(crate) fn command(bot: &Entrant) -> String {
    match &bot.program {
        Program::Command(line) | Program::KeepAlive(line) => shell_words::join(&line.words),
        Program::Bundled { bot, .. } => bot.clone(),
    }
}

/// The data for calling a referee.
pub(crate) struct Call<'a> {
    pub bots: &'a [Entrant],
    /// The seed, as it is written on the command line.
    pub seed: i64,
    pub league: Option<u32>,
    pub time: Option<Duration>,
    pub log: &'a Path,
    /// The folder for the scripts that run bots.
    pub scripts: &'a Path,
}

/// Placeholders that represent all bots.
const ALL: [&str; 2] = ["%ALL_PLAYERS%", "{PLAYERS}"];

/// Returns whether a command has placeholders for its bots. Returns an error if it has placeholders only for some bots.
pub(crate) fn is_template(words: &[String]) -> Result<bool, ForeignError> {
    let has = |pieces: &[&str]| words.iter().any(|word| pieces.iter().any(|piece| word.contains(piece)));
    let [first, second] = [has(&["%P1%", "{P1}"]), has(&["%P2%", "{P2}"])];
    if first != second && !has(&ALL) {
        return Err(ForeignError::SomeBots);
    }
    Ok(first || has(&ALL))
}

/// Returns a command with its placeholders filled in:
///
/// | placeholder | value |
/// |---|---|
/// | `%P1%`, `%P2%`, ... | the bots' names (psyleague's notation) |
/// | `{P1}`, `{P2}`, ... | the bots' commands (CG Arena's notation) |
/// | `%ALL_PLAYERS%`, `{PLAYERS}` | all names or all commands; the word that contains the placeholder is repeated for each bot |
/// | `%SEED%`, `{SEED}` | the seed, a signed 64-bit number; a random seed is positive and has 31 bits |
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
                .replace(&format!("{{P{}}}", at + 1), &command(bot));
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
            filled.extend(call.bots.iter().map(|bot| one(&word.replace(ALL[1], &command(bot)))));
        } else {
            filled.push(one(word));
        }
    }
    filled
}

/// Returns the options of a game, for a referee without placeholders.
///
/// # Errors
/// Returns an error if a bot's command cannot be split, or if a script cannot be written.
pub(crate) fn options(contract: Contract, call: &Call<'_>) -> Result<Vec<String>, ForeignError> {
    let mut words = Vec::new();
    let mut add = |key: &str, value: String| words.extend([key.to_string(), value]);
    for (at, bot) in call.bots.iter().enumerate() {
        add(&format!("-p{}", at + 1), plain(&command(bot), call.scripts)?);
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

/// Returns a bot's command for a referee that splits commands at spaces and does not support quotes. If necessary,
/// writes a script that runs the bot, and returns the script's command.
fn plain(command: &str, scripts: &Path) -> Result<String, ForeignError> {
    let words = split(command)?;
    if words.is_empty() {
        return Err(ForeignError::EmptyCommand("bot"));
    }
    if words.iter().all(|word| !word.is_empty() && !word.contains(char::is_whitespace)) {
        return Ok(words.join(" "));
    }
    let script = format!("#!/bin/sh\nexec {}\n", shell_words::join(&words));
    let mut hash = DefaultHasher::new();
    script.hash(&mut hash);
    let path = scripts.join(format!("bot-{:016x}.sh", hash.finish()));
    if path.to_string_lossy().contains(char::is_whitespace) {
        return Err(ForeignError::SpaceInFolder { command: cut(command), folder: scripts.to_path_buf() });
    }
    write_once(&path, &script).map_err(ForeignError::file("write", &path))?;
    // The shell runs the script, because a file that was just written may still be open in a process that another
    // thread is starting.
    Ok(format!("/bin/sh {}", path.display()))
}

/// Splits a command into words as a shell does.
pub(crate) fn split(command: &str) -> Result<Vec<String>, ForeignError> {
    shell_words::split(command).map_err(|source| ForeignError::Split { command: cut(command), source })
}

/// Writes a file atomically, unless it already has this content.
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
    use contender_play::CommandLine;

    fn words(text: &str) -> Vec<String> {
        split(text).unwrap()
    }

    fn bots() -> [Entrant; 3] {
        [("a", "./a -x"), ("b", "./b"), ("c", "sh -c 'exec ./c \"$0 1\"'")].map(|(name, command)| Entrant {
            name: name.to_string(),
            program: Program::Command(CommandLine::new(words(command))),
        })
    }

    #[test]
    fn placeholders_are_filled_in() {
        let bots = bots();
        let folder = tempfile::tempdir().unwrap();
        let call = |count: usize| Call {
            bots: &bots[..count],
            seed: 7,
            league: None,
            time: None,
            log: Path::new("l"),
            scripts: folder.path(),
        };
        let two = |text: &str| filled(&words(text), &call(2));
        assert_eq!(two("run %DIR%/%ALL_PLAYERS%.exe -s {SEED}"), ["run", "./a.exe", "./b.exe", "-s", "7"]);
        assert_eq!(two("run -p1 \"{P1}\" -p2 {P2} {LOG}"), ["run", "-p1", "./a -x", "-p2", "./b", "l"]);
        assert_eq!(filled(&words("run {PLAYERS}"), &call(3))[3], "sh -c 'exec ./c \"$0 1\"'");
        assert_eq!(
            is_template(&words("run %P1%")).map_err(|error| error.to_string().contains("both bots")),
            Err(true)
        );
        assert!(is_template(&words("run {PLAYERS}")).unwrap());
        assert!(!is_template(&words("run -p 1")).unwrap());
    }

    #[test]
    fn commands_that_need_quotes_become_scripts() {
        let folder = tempfile::tempdir().unwrap();
        let bots = bots();
        assert_eq!(plain(&command(&bots[0]), folder.path()).unwrap(), "./a -x");
        assert_eq!(plain("'./a'  \"-x\"", folder.path()).unwrap(), "./a -x");
        let third = command(&bots[2]);
        let run = plain(&third, folder.path()).unwrap();
        assert_eq!(run, plain(&third, folder.path()).unwrap());
        let script = run.strip_prefix("/bin/sh ").unwrap();
        assert_eq!(std::fs::read_to_string(script).unwrap(), "#!/bin/sh\nexec sh -c 'exec ./c \"$0 1\"'\n");
        assert!(plain("./a 'b", folder.path()).unwrap_err().to_string().contains("cannot split"));
        assert!(plain(" ", folder.path()).unwrap_err().to_string().contains("empty"));
        let spaced = folder.path().join("a b");
        std::fs::create_dir(&spaced).unwrap();
        assert!(plain(&third, &spaced).unwrap_err().to_string().contains("TMPDIR"));
    }

    #[test]
    fn options_are_those_of_the_contract() {
        let bots = bots();
        let bots = &bots[..2];
        let folder = tempfile::tempdir().unwrap();
        let call = Call {
            bots,
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
