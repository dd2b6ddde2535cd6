//! Games that another program referees: a command that plays one game and prints scores or an object of JSON.

use crate::game::Finished;
use crate::psyleague::finished;
use contender_foreign::{Bot, ForeignReferee, Game, Played};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A command that plays a game, or the name of a referee that was added. [`ForeignReferee`] says how it is asked, and
/// what it may print. What it tells of a game is kept, and `show --where` knows it.
#[derive(Clone)]
pub struct MatchCommand {
    referee: Arc<ForeignReferee>,
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

impl MatchCommand {
    /// Reads a command; a game that is not over after `limit` is ended.
    ///
    /// # Errors
    /// Bad quotes, no words, or a place for one bot only.
    pub fn parse(text: &str, limit: Duration) -> anyhow::Result<MatchCommand> {
        let (mut referee, _) = contender_foreign::open(text).map_err(anyhow::Error::msg)?;
        referee.limit = limit;
        Ok(MatchCommand { referee: Arc::new(referee) })
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
        let bot = |seat: usize| Bot { name: names[seat].to_string(), command: commands[seat].to_string() };
        let [zero, one] = [bot(0), bot(1)];
        let game = Game { bots: &[&zero, &one], seed: luck, folder: Some(folder) };
        let played = self.referee.play(game, stop).map_err(|error| match error {
            contender_foreign::NoResult::Stopped => NoResult::Stopped,
            contender_foreign::NoResult::Shortage(reason) => NoResult::Shortage(reason),
            void => NoResult::Fault(void.to_string()),
        })?;
        match &played.output.report {
            Some(report) => finished(report).map_err(NoResult::Fault),
            None => Ok(of_scores(&played)),
        }
    }
}

/// A game of which the referee has printed scores: 1 point for a win, one half for a tie.
fn of_scores(played: &Played) -> Finished {
    let ranks = &played.output.ranks;
    let points = match ranks[0].cmp(&ranks[1]) {
        std::cmp::Ordering::Less => [1.0, 0.0],
        std::cmp::Ordering::Equal => [0.5, 0.5],
        std::cmp::Ordering::Greater => [0.0, 1.0],
    };
    let words = played.ends.iter().map(|end| match end {
        contender_foreign::End::Normal => "",
        contender_foreign::End::Failed { words, .. } => words,
    });
    let scores = played.output.scores.iter().flatten().enumerate();
    let attributes: Vec<_> = scores
        .map(|(player, score)| json!({ "name": "score", "player": player, "value": score.to_string() }))
        .collect();
    let record = json!({
        "ranks": ranks,
        "words": words.collect::<Vec<_>>(),
        "stderr": played.stderr,
        "repeat": played.repeat,
        "attributes": attributes,
    });
    Finished {
        points,
        ends: [0, 1].map(|seat| played.ends[seat].name().to_string()),
        seconds: [None; 2],
        slowest: [None; 2],
        record: Some(record.to_string()),
        silent: [false; 2],
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
    fn scores_are_results() {
        assert!(MatchCommand::parse("run %P1%", Duration::ZERO).is_err());
        assert!(MatchCommand::parse("", Duration::ZERO).is_err());
        let played = play("sh -c \"echo 3; echo -1; echo seed=7\"", 600_000).unwrap();
        assert_eq!(played.points, [1.0, 0.0]);
        assert_eq!(played.ends, ["normal", "failure"]);
        assert!(played.record.unwrap().contains(r#"{"name":"score","player":1,"value":"-1"}"#));
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
        assert!(fault("true %P1% %P2%", 600_000).contains("prints nothing"));
        assert!(
            fault("sh -c 'echo \"{\\\"ranks\\\": [0]}\"' %P1% %P2%", 600_000)
                .contains("prints 1 ranks for 2 players")
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
