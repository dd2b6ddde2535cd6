//! The external referee of a league, which is a command that plays one game or the name of an installed referee.

use anyhow::Context;
use contender_foreign::ExternalReferee;
use contender_referee::TimeSetting;
use std::path::Path;
use std::time::Duration;

/// The options for an external referee and its games.
#[derive(Clone, Copy, Default, Debug)]
pub struct RefereeCallOptions<'a> {
    /// The CodinGame league whose rules apply.
    pub league: Option<u32>,
    /// The time limit per turn.
    pub time: Option<TimeSetting>,
    /// The folder for the referee's logs.
    pub logs: Option<&'a Path>,
    /// Maximum number of times that a game is replayed because a bot lost on time while the machine was busy.
    pub rematches: u32,
}

/// Opens an external referee whose bots run in `folder`. A game that takes longer than `limit` is stopped.
///
/// # Errors
/// Returns an error if a quotation mark is not closed, if the command is empty or has a placeholder for only one of the
/// bots, or if the referee does not support the league or the time.
pub fn open_referee(
    text: &str,
    limit: Duration,
    folder: &Path,
    options: RefereeCallOptions<'_>,
) -> anyhow::Result<ExternalReferee> {
    let (referee, installed) = contender_foreign::open(text)?;
    let stated = installed.and_then(|installed| installed.times.turn_ms).map(Duration::from_millis);
    let time = match options.time {
        None => None,
        Some(TimeSetting::Fixed(time)) => Some(time),
        Some(TimeSetting::Share(share)) => Some(stated.map(|turn| turn.mul_f64(share)).context(
            "time: the external referee's time limit is unknown; give an absolute time, for example \"100ms\"",
        )?),
    };
    let mut referee = referee.with(options.league, time)?;
    referee.limit = limit;
    // Make the path absolute, because the referee runs in the league's folder.
    referee.logs = options.logs.map(std::path::absolute).transpose()?;
    referee.rematches = options.rematches;
    referee.within = Some(std::path::absolute(folder)?);
    Ok(referee)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{SeatResult, seats_of_record};
    use contender_play::{Entrant, Fixture, GameError, Host, Record};
    use std::sync::atomic::AtomicBool;

    fn open(text: &str, limit_ms: u64, options: RefereeCallOptions<'_>) -> anyhow::Result<ExternalReferee> {
        open_referee(text, Duration::from_millis(limit_ms), Path::new("."), options)
    }

    fn play_with(
        text: &str,
        limit_ms: u64,
        options: RefereeCallOptions<'_>,
        bots: usize,
    ) -> Result<Record, GameError> {
        let bot =
            |at: usize| Entrant { name: format!("bot{at}"), ..Entrant::parse_command("true -y").unwrap() };
        let fixture = Fixture { seats: (1..=bots).map(bot).collect(), seed: 7, bot_seeds: Vec::new() };
        let mut referee = open(text, limit_ms, options).unwrap();
        referee.retries = 0;
        referee.play(&fixture, &AtomicBool::new(false))
    }

    fn play(text: &str, limit_ms: u64) -> Result<Record, GameError> {
        play_with(text, limit_ms, RefereeCallOptions::default(), 2)
    }

    /// Returns the points and the ending of each seat.
    fn seats(record: &Record) -> Vec<(f64, String)> {
        let of = |seat: SeatResult| (seat.points, seat.ending);
        seats_of_record(record, false).into_iter().map(of).collect()
    }

    /// The settings are passed to the referee. A referee that accepts no settings reports an error.
    #[test]
    fn time_and_league_are_passed_on() {
        let said = |options: RefereeCallOptions<'_>| {
            let words = r#"sh -c 'shift 6; echo 3; echo 1; echo "$@" >&2; exit 9' x"#;
            play_with(words, 600_000, options, 2).unwrap_err().to_string()
        };
        let of = |time: &str| RefereeCallOptions {
            time: Some(TimeSetting::parse(time).unwrap()),
            ..RefereeCallOptions::default()
        };
        let words = said(RefereeCallOptions { league: Some(3), ..of("80ms") });
        assert!(words.contains("status 9: -league 3 -timeout 80 -l"), "{words}");
        assert!(said(RefereeCallOptions::default()).contains("status 9: -l"));
        for (text, time, words) in
            [("x", "50%", "give an absolute time"), ("x {P1} {P2}", "1s", "with placeholders cannot take")]
        {
            let error = format!("{:#}", open(text, 0, of(time)).err().unwrap());
            assert!(error.contains(words), "{error}");
        }
        assert!(open("run %P1%", 0, RefereeCallOptions::default()).is_err());
        assert!(open("", 0, RefereeCallOptions::default()).is_err());
    }

    /// A player's points are the share of the other players that it has beaten.
    #[test]
    fn games_of_several_have_points_by_rank() {
        let command = "sh -c \"echo 3; echo 9; echo -1; echo 3\"";
        let played = play_with(command, 600_000, RefereeCallOptions::default(), 4).unwrap();
        let normal = |points: f64| (points, "normal".to_string());
        assert_eq!(seats(&played), [normal(0.5), normal(1.0), (0.0, "failure".to_string()), normal(0.5)]);
    }

    #[test]
    fn scores_are_results() {
        let played = play("sh -c \"echo 3; echo -1; echo seed=7\"", 600_000).unwrap();
        assert_eq!(seats(&played), [(1.0, "normal".to_string()), (0.0, "failure".to_string())]);
        assert!(played.to_json().contains(r#"{"name":"score","player":1,"value":"-1"}"#));
    }

    #[test]
    fn results_are_read() {
        let text = r#"{"ranks": [1, 0], "errors": [1, 0], "test_data": {"size": 3}, "player_data": [{"depth": "4"}, {}]}"#;
        // The bots' names after the object make this invalid JSON.
        assert!(play(&format!("echo '{text}' %P1% %P2%"), 600_000).is_err());
        let text = text.replace('"', "\\\"");
        let played = play(&format!("sh -c \"echo '{text}'\" %P1% %P2%"), 600_000).unwrap();
        assert_eq!(seats(&played), [(0.0, "failure".to_string()), (1.0, "normal".to_string())]);
        let record = played.to_json();
        assert!(record.contains(r#"{"name":"size","value":"3"}"#), "{record}");
        assert!(record.contains(r#"{"name":"depth","player":0,"value":"4"}"#), "{record}");
    }

    #[test]
    fn faults_are_named_and_leave_nothing() {
        let fault = |text: &str, limit: u64| play(text, limit).unwrap_err().to_string();
        assert!(
            fault("sh -c 'echo oh no >&2; exit 3' %P1% %P2%", 600_000).contains("exits with status 3: oh no")
        );
        assert!(fault("sh -c 'kill -9 $$' %P1% %P2%", 600_000).contains("ends by signal 9"));
        assert!(fault("no-such-program %P1% %P2%", 600_000).contains("cannot start"));
        assert!(fault("sh -c 'sleep 77 & sleep 77' %P1% %P2%", 200).contains("has no result after 200ms"));
        assert!(fault("true %P1% %P2%", 600_000).contains("prints nothing"));
        assert!(
            fault("sh -c 'echo \"{\\\"ranks\\\": [0]}\"' %P1% %P2%", 600_000)
                .contains("prints 1 ranks for 2 players")
        );
        // Endless output is not read to the end.
        fault("yes %P1% %P2%", 600_000);
    }
}
