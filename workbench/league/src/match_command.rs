//! Games that another program referees: a command that plays one game and prints its result, as psyleague and CG Arena
//! have it.

use crate::game::Finished;
use crate::psyleague::Output;
use anyhow::bail;
use contender_referee::{CommandLine, ExitStatus, Remains, StartError, Supervised, Waited};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A command that plays a game. It is split into words as a shell does, and no shell runs. In its words stand for
///
/// | | |
/// |---|---|
/// | `%P1%`, `%P2%` | the bots' names, as psyleague writes it |
/// | `{P1}`, `{P2}` | the bots' commands, as CG Arena writes it |
/// | `%ALL_PLAYERS%`, `{PLAYERS}` | both names, both commands: the word with what is glued to it is written twice |
/// | `%SEED%`, `{SEED}` | the seed, a positive 31-bit number, the same for both games of a pair |
/// | `%DIR%`, `{DIR}` | the league's folder |
///
/// The command prints one object of JSON (or a list of one) on standard output and leaves with status 0. `ranks` has a
/// number for each bot, 0 for the best, equal ones for a tie; `errors`, if it is there, something other than 0 for a
/// bot that failed; `test_data`, `player_data` and `attributes` are kept with the game, and `show --where` knows them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchCommand {
    words: Vec<String>,
    limit: Duration,
}

/// Why there is no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NoResult {
    /// The game was stopped from outside.
    Stopped,
    /// The machine is short of something for the moment, in words for the user.
    Shortage(String),
    /// The command's fault, in words for the user.
    Fault(String),
}

/// A longer result, in bytes, is not read to its end.
const LONGEST: usize = 4 << 20;
/// Of what the command says on standard error the end is told.
const SAID: usize = 500;

impl MatchCommand {
    /// Reads a command; a game that is not over after `limit` is ended.
    ///
    /// # Errors
    /// Bad quotes, no words, or no place for the bots.
    pub fn parse(text: &str, limit: Duration) -> anyhow::Result<MatchCommand> {
        let words = shell_words::split(text)?;
        let has = |pieces: &[&str]| pieces.iter().any(|piece| text.contains(piece));
        if words.is_empty()
            || !(has(&["%ALL_PLAYERS%", "{PLAYERS}"]) || has(&["%P1%", "{P1}"]) && has(&["%P2%", "{P2}"]))
        {
            bail!(
                "the command names no bots: it needs %P1% and %P2%, {{P1}} and {{P2}}, %ALL_PLAYERS% or {{PLAYERS}}"
            );
        }
        Ok(MatchCommand { words, limit })
    }

    fn filled(&self, names: [&str; 2], commands: [&str; 2], luck: u64) -> Vec<String> {
        let seed = (luck & 0x7fff_ffff).max(1).to_string();
        let one = |word: &str| {
            word.replace("%P1%", names[0])
                .replace("%P2%", names[1])
                .replace("{P1}", commands[0])
                .replace("{P2}", commands[1])
                .replace("%SEED%", &seed)
                .replace("{SEED}", &seed)
                .replace("%DIR%", ".")
                .replace("{DIR}", ".")
        };
        let mut filled = Vec::new();
        for word in &self.words {
            if word.contains("%ALL_PLAYERS%") {
                filled.extend(names.map(|name| one(&word.replace("%ALL_PLAYERS%", name))));
            } else if word.contains("{PLAYERS}") {
                filled.extend(commands.map(|command| one(&word.replace("{PLAYERS}", command))));
            } else {
                filled.push(one(word));
            }
        }
        filled
    }

    /// Plays a game; the command runs in `folder`.
    pub(crate) fn play(
        &self,
        names: [&str; 2],
        commands: [&str; 2],
        luck: u64,
        folder: &Path,
        stop: &AtomicBool,
    ) -> Result<Finished, NoResult> {
        let line = CommandLine::new(self.filled(names, commands, luck)).within(folder);
        let fault = |reason: String| NoResult::Fault(format!("the match command {reason}"));
        let mut command = Supervised::start(&line, LONGEST, SAID).map_err(|error| match error {
            StartError::Program(reason) => fault(format!("cannot start: {reason}")),
            StartError::Machine(reason) => NoResult::Shortage(reason),
        })?;
        command.close_input();
        let waited = command.wait(self.limit, stop, |_| false);
        let Remains { output, stderr, status } = command.end();
        let how = match (waited, status) {
            (Waited::Stopped, _) => return Err(NoResult::Stopped),
            (Waited::Flood, _) => format!("prints more than {LONGEST} bytes"),
            (Waited::Late, _) | (_, None) => format!("has no result after {:?}", self.limit),
            (_, Some(ExitStatus::Code(0))) => String::new(),
            (_, Some(ExitStatus::Code(code))) => format!("leaves with status {code}"),
            (_, Some(ExitStatus::Signal(signal))) => format!("ends by signal {signal}"),
        };
        if !how.is_empty() {
            let said = stderr.trim();
            return Err(fault(if said.is_empty() { how } else { format!("{how}: {said}") }));
        }
        let game = Output::read(&String::from_utf8_lossy(&output)).and_then(Output::finished);
        game.map_err(|reason| fault(format!("prints no result: {reason}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str, limit_ms: u64) -> MatchCommand {
        MatchCommand::parse(text, Duration::from_millis(limit_ms)).unwrap()
    }

    fn play(text: &str, limit_ms: u64) -> Result<Finished, NoResult> {
        command(text, limit_ms).play(
            ["a", "b"],
            ["./a -x", "./b"],
            7,
            Path::new("."),
            &AtomicBool::new(false),
        )
    }

    #[test]
    fn words_are_filled_in() {
        let filled = |text: &str| command(text, 1).filled(["a", "b"], ["./a -x", "./b"], (1 << 40) + 7);
        assert_eq!(filled("run %DIR%/%ALL_PLAYERS%.exe -s {SEED}"), ["run", "./a.exe", "./b.exe", "-s", "7"]);
        assert_eq!(filled("run -p1 \"{P1}\" -p2 {P2}"), ["run", "-p1", "./a -x", "-p2", "./b"]);
        assert_eq!(filled("run {PLAYERS}"), ["run", "./a -x", "./b"]);
        assert!(MatchCommand::parse("run %P1%", Duration::ZERO).is_err());
        assert!(MatchCommand::parse("", Duration::ZERO).is_err());
    }

    #[test]
    fn results_are_read() {
        let text = r#"{"ranks": [1, 0], "errors": [1, 0], "test_data": {"size": 3}, "player_data": [{"depth": "4"}, {}]}"#;
        let played = play(&format!("echo '{text}' %P1% %P2%"), 600_000);
        // What follows the object is the bots' names: no JSON.
        assert!(matches!(played, Err(NoResult::Fault(_))), "{played:?}");
        let played =
            play(&format!("sh -c \"echo '{}'\" %P1% %P2%", text.replace('"', "\\\"")), 600_000).unwrap();
        assert_eq!(played.points, [0.0, 1.0]);
        assert_eq!(played.ends, ["failure", "normal"]);
        let record = played.record.unwrap();
        assert!(record.contains(r#"{"name":"size","value":"3"}"#), "{record}");
        assert!(record.contains(r#"{"name":"depth","player":0,"value":"4"}"#), "{record}");
    }

    #[test]
    fn faults_are_named_and_leave_nothing() {
        let fault = |text: &str, limit: u64| match play(text, limit) {
            Err(NoResult::Fault(reason)) => reason,
            other => panic!("{other:?}"),
        };
        assert!(
            fault("sh -c 'echo oh no >&2; exit 3' %P1% %P2%", 600_000)
                .contains("leaves with status 3: oh no")
        );
        assert!(fault("sh -c 'kill -9 $$' %P1% %P2%", 600_000).contains("ends by signal 9"));
        assert!(fault("no-such-program %P1% %P2%", 600_000).contains("cannot start"));
        assert!(fault("sh -c 'sleep 77 & sleep 77' %P1% %P2%", 200).contains("has no result after 200ms"));
        assert!(fault("true %P1% %P2%", 600_000).contains("prints no result"));
        assert!(
            fault("sh -c 'echo \"{\\\"ranks\\\": [0]}\"' %P1% %P2%", 600_000)
                .contains("1 ranks for two bots")
        );
        // An endless output is not read to its end.
        fault("yes %P1% %P2%", 600_000);
    }

    #[test]
    fn a_game_can_be_stopped() {
        let sleep = command("sleep 77 %P1% %P2%", 60_000);
        let stopped = sleep.play(["1", "1"], ["", ""], 7, Path::new("."), &AtomicBool::new(true));
        assert_eq!(stopped, Err(NoResult::Stopped));
    }
}
