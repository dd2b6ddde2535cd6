//! Games that another program referees: a command that plays one game and prints scores or an object of JSON.

use crate::game::{Finished, Seat};
use crate::psyleague::{finished, of_ranks};
use anyhow::Context;
use contender_foreign::{Bot, ForeignReferee, Game, Played, drawn_seed};
use contender_referee::TimeSetting;
use serde_json::json;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A command that plays a game, or the name of a referee that was added. [`ForeignReferee`] says how it is asked, and
/// what it may print. What it tells of a game is kept, and `show --where` knows it.
pub struct MatchCommand {
    pub(crate) referee: Box<ForeignReferee>,
}

/// How a match command is asked, and what becomes of its games.
#[derive(Clone, Copy, Default, Debug)]
pub struct Asked<'a> {
    /// CodinGame's league.
    pub league: Option<u32>,
    /// The least time of a turn.
    pub time: Option<TimeSetting>,
    /// Where its logs are kept.
    pub logs: Option<&'a Path>,
    /// How many times a game is played again that a bot lost on time while the machine had too much to do.
    pub rematches: u32,
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
    /// Bad quotes, no words, a place for one bot only, or a league or time that it does not take.
    pub fn parse(text: &str, limit: Duration, asked: Asked<'_>) -> anyhow::Result<MatchCommand> {
        let (referee, installed) = contender_foreign::open(text).map_err(anyhow::Error::msg)?;
        let stated = installed.and_then(|installed| installed.times.turn_ms).map(Duration::from_millis);
        let time = match asked.time {
            None => None,
            Some(TimeSetting::Fixed(time)) => Some(time),
            Some(TimeSetting::Share(share)) => Some(stated.map(|turn| turn.mul_f64(share)).context(
                "time: a share of what is not known here; say the time of a turn, for example \"100ms\"",
            )?),
        };
        let mut referee = referee.with(asked.league, time).map_err(anyhow::Error::msg)?;
        referee.limit = limit;
        // The referee runs in the league's folder, so that a relative path would lead elsewhere.
        referee.logs = asked.logs.map(std::path::absolute).transpose()?;
        referee.rematches = asked.rematches;
        Ok(MatchCommand { referee: Box::new(referee) })
    }

    /// Plays a game; the command runs in `folder`.
    pub(crate) fn play(
        &self,
        players: &[crate::Bot],
        luck: u64,
        folder: &Path,
        stop: &AtomicBool,
    ) -> Result<Finished, NoResult> {
        let bot = |bot: &crate::Bot| Bot { name: bot.name.clone(), command: bot.command.clone() };
        let bots: Vec<Bot> = players.iter().map(bot).collect();
        let bots: Vec<&Bot> = bots.iter().collect();
        if let Some(logs) = &self.referee.logs {
            std::fs::create_dir_all(logs)
                .map_err(|error| NoResult::Shortage(format!("cannot make {}: {error}", logs.display())))?;
        }
        let game = Game { bots: &bots, seed: drawn_seed(luck), folder: Some(folder) };
        let played = self.referee.play(game, stop).map_err(|error| match error {
            contender_foreign::NoResult::Stopped => NoResult::Stopped,
            contender_foreign::NoResult::Shortage(reason) => NoResult::Shortage(reason),
            void => NoResult::Fault(void.to_string()),
        })?;
        let finished = match &played.output.report {
            Some(report) => finished(report).map_err(NoResult::Fault)?,
            None => of_scores(&played),
        };
        let ids = players.iter().skip(2).map(|bot| bot.id);
        let more = finished.more.into_iter().zip(ids).map(|(seat, bot)| Seat { bot, ..seat });
        Ok(Finished { more: more.collect(), again: played.again.clone(), ..finished })
    }
}

/// A game of which the referee has printed scores.
fn of_scores(played: &Played) -> Finished {
    let ranks = &played.output.ranks;
    let ends: Vec<String> = (0..ranks.len()).map(|seat| played.ending(seat).to_string()).collect();
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
        "busy": played.busy,
        "again": played.again,
        "log": played.log,
        "machine": played.machine,
        "attributes": attributes,
    });
    of_ranks(&ranks.iter().map(|&rank| f64::from(rank)).collect::<Vec<_>>(), &ends, record.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::testing;

    fn parse(text: &str, limit_ms: u64, asked: Asked<'_>) -> anyhow::Result<MatchCommand> {
        MatchCommand::parse(text, Duration::from_millis(limit_ms), asked)
    }

    /// What the settings say reaches the referee, or is refused where it takes none.
    #[test]
    fn time_and_league_are_passed_on() {
        let play = |asked: Asked<'_>| {
            let words = r#"sh -c 'shift 6; echo 3; echo 1; echo "$@" >&2; exit 9' x"#;
            let command = parse(words, 600_000, asked).unwrap();
            match command.play(&bots(2), 7, Path::new("."), &AtomicBool::new(false)) {
                Err(NoResult::Fault(reason)) => reason,
                other => panic!("{other:?}"),
            }
        };
        let of = |time: &str| Asked { time: Some(TimeSetting::parse(time).unwrap()), ..Asked::default() };
        let said = play(Asked { league: Some(3), ..of("80ms") });
        assert!(said.contains("status 9: -league 3 -timeout 80 -l"), "{said}");
        assert!(play(Asked::default()).contains("status 9: -l"));
        for (text, time, words) in
            [("x", "50%", "say the time of a turn"), ("x {P1} {P2}", "1s", "with placeholders takes no")]
        {
            let error = format!("{:#}", parse(text, 0, of(time)).err().unwrap());
            assert!(error.contains(words), "{error}");
        }
    }

    fn command(text: &str, limit_ms: u64) -> MatchCommand {
        parse(text, limit_ms, Asked::default()).unwrap()
    }

    fn play(text: &str, limit_ms: u64) -> Result<Finished, NoResult> {
        command(text, limit_ms).play(&bots(2), 7, Path::new("."), &AtomicBool::new(false))
    }

    fn bots(count: i64) -> Vec<crate::Bot> {
        (1..=count).map(|id| crate::Bot { command: "./x -y".to_string(), ..testing::bot(id) }).collect()
    }

    /// Points are the share of the others that a player has left behind.
    #[test]
    fn games_of_several_have_points_by_rank() {
        let four = command("sh -c \"echo 3; echo 9; echo -1; echo 3\"", 600_000);
        let played = four.play(&bots(4), 7, Path::new("."), &AtomicBool::new(false)).unwrap();
        assert_eq!(played.points, [0.5, 1.0]);
        let seat = |bot: i64, points: f64, end: &str| Seat { bot, points, end: end.to_string() };
        assert_eq!(played.more, [seat(3, 0.0, "failure"), seat(4, 0.5, "normal")]);
        assert_eq!(Seat::read_all(&Seat::write_all(&played.more).unwrap()), Some(played.more));
        assert_eq!((Seat::write_all(&[]), Seat::read_all("[[1]]")), (None, None));
    }

    #[test]
    fn scores_are_results() {
        assert!(parse("run %P1%", 0, Asked::default()).is_err());
        assert!(parse("", 0, Asked::default()).is_err());
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
        let sleep = command("sh -c 'sleep 77' %P1% %P2%", 60_000);
        let stopped = sleep.play(&bots(2), 7, Path::new("."), &AtomicBool::new(true));
        assert_eq!(stopped, Err(NoResult::Stopped));
    }
}
