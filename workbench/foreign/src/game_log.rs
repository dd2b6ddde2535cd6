//! The log that CodinGame's engine writes for a game (`-l FILE`), as one JSON object.

use crate::ForeignError;
use contender_game::rules::mix;
use contender_play::ReportedFailure;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A game turn by turn, as the engine recorded it.
///
/// A *frame* is a call of a player or the end of a turn, and there is a frame before the first call. The lists of
/// outputs, errors and summaries have one entry per frame, or fewer if the game was stopped.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct GameLog {
    /// The standard output of each player, under the player's number, and of the referee, under the key `referee`.
    outputs: BTreeMap<String, Vec<Option<String>>>,
    /// The standard error output of each player and of the referee, in the same form.
    errors: BTreeMap<String, Vec<Option<String>>>,
    /// The referee's summary of each frame.
    summaries: Vec<Option<String>>,
    /// The data for the challenge's viewer.
    views: Vec<Option<String>>,
    scores: BTreeMap<String, Value>,
    tooltips: Vec<Tooltip>,
    /// The parameters of the game, as `key=value`.
    pub uinput: Vec<String>,
    #[serde(rename = "failCause")]
    fail_cause: Option<String>,
}

/// A remark about a frame of the game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Tooltip {
    /// The text.
    pub text: String,
    /// The number of the player.
    pub event: i64,
    /// The number of the frame.
    pub turn: i64,
}

/// A frame of a game, with everything that was printed in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The number of the frame.
    pub number: usize,
    /// The answers, each with the number of its player.
    pub outputs: Vec<(usize, String)>,
    /// The standard error outputs, each with the number of its player.
    pub errors: Vec<(usize, String)>,
    /// The referee's summary, without colour codes.
    pub summary: String,
    /// The texts of the remarks.
    pub tooltips: Vec<String>,
}

/// Maximum size of a log in bytes. Larger logs are not read.
pub const MAX_LOG: u64 = 64 << 20;

impl GameLog {
    /// Parses a log.
    ///
    /// # Errors
    /// Returns an error with the position and the reason if the text is not a log.
    pub fn read(text: &str) -> Result<GameLog, ForeignError> {
        serde_json::from_str(text).map_err(ForeignError::GameLog)
    }

    /// Returns the number of players.
    #[must_use]
    pub fn players(&self) -> usize {
        self.outputs.keys().filter(|name| name.parse::<usize>().is_ok()).count()
    }

    /// Returns the player's score, if there is one.
    #[must_use]
    pub fn score(&self, player: usize) -> Option<f64> {
        self.scores.get(&player.to_string())?.as_f64()
    }

    /// Returns the reason why the referee failed, with the stack trace, if it failed.
    #[must_use]
    pub fn fail_cause(&self) -> Option<&str> {
        self.fail_cause.as_deref().filter(|cause| !cause.trim().is_empty())
    }

    /// Returns the player's answers, in order.
    pub fn answers(&self, player: usize) -> impl Iterator<Item = &str> {
        self.outputs.get(&player.to_string()).into_iter().flatten().flatten().map(String::as_str)
    }

    /// Returns the end of the player's standard error output, at most `most` bytes.
    #[must_use]
    pub fn last_words(&self, player: usize, most: usize) -> String {
        let all: String = self
            .errors
            .get(&player.to_string())
            .into_iter()
            .flatten()
            .flatten()
            .map(String::as_str)
            .collect();
        let mut start = all.len().saturating_sub(most);
        while !all.is_char_boundary(start) {
            start += 1;
        }
        all[start..].to_string()
    }

    /// Returns the largest number of bytes that the player wrote to standard error before an answer.
    #[must_use]
    pub fn said(&self, player: usize) -> usize {
        let frames = self.errors.get(&player.to_string()).into_iter().flatten().flatten();
        frames.map(String::len).max().unwrap_or(0)
    }

    /// Returns how a player failed, if the log shows it: the log contains a message about the failure, and the player
    /// does not answer after the message. The log is needed because some referees give a failed player a positive
    /// score.
    #[must_use]
    pub fn failure(&self, player: usize) -> Option<(ReportedFailure, String)> {
        let said = self.remarks(player).into_iter().rev().find(|(_, words)| is_failure(words))?;
        Some((kind(&said.1), said.1))
    }

    /// Returns the referee's message about a player whose score shows that it failed. This is a message that shows the
    /// kind of failure, or otherwise the last message that names the player.
    #[must_use]
    pub fn words_about(&self, player: usize) -> Option<(ReportedFailure, String)> {
        let remarks = self.remarks(player);
        let telling = remarks.iter().rev().find(|(_, words)| kind(words) != ReportedFailure::Other);
        let named = || remarks.iter().rev().find(|(is_named, _)| *is_named);
        let (_, words) = telling.or_else(named)?;
        Some((kind(words), words.clone()))
    }

    /// Returns the referee's remarks about a player since its last answer, each with a flag that shows whether it
    /// contains the player's number. Remarks are tooltips, lines of summaries with the player's number, and lines
    /// without any number in a frame in which the player answered. Remarks about the end of the game are excluded.
    fn remarks(&self, player: usize) -> Vec<(bool, String)> {
        let answers = self.outputs.get(&player.to_string()).map_or(&[][..], Vec::as_slice);
        let has_answered = |frame: usize| {
            answers.get(frame).is_some_and(|text| text.as_ref().is_some_and(|text| !text.is_empty()))
        };
        let last = (0..answers.len()).rev().find(|&frame| has_answered(frame));
        let mut remarks = Vec::new();
        for (frame, summary) in self.summaries.iter().enumerate().filter(|(frame, _)| Some(*frame) >= last) {
            for line in summary.iter().flat_map(|summary| summary.lines()) {
                let text = plain(line);
                let is_named = names(&text, player);
                if text.to_lowercase().contains("game over")
                    || !(is_named || !text.contains('$') && has_answered(frame))
                {
                    continue;
                }
                let words = text.replacen(&format!("${player}"), "", 1);
                remarks.push((is_named, words.trim_matches([':', ' ', ',']).to_string()));
            }
        }
        let tips = self.tooltips.iter().filter(|tip| tip.event == player as i64);
        let tips = tips.filter(|tip| last.is_none_or(|last| tip.turn >= last as i64));
        remarks.extend(tips.map(|tip| (true, plain(&tip.text))));
        remarks.retain(|(_, words)| !words.is_empty());
        remarks
    }

    /// Returns a hash of all answers. Equal games have equal hashes.
    #[must_use]
    pub fn digest(&self) -> String {
        let all = self.outputs.iter().flat_map(|(player, texts)| {
            let texts = texts.iter().flatten().flat_map(|text| text.bytes().chain([0]));
            player.bytes().chain([1]).chain(texts)
        });
        format!("{:016x}", all.fold(0, |number, byte| mix(&[number, u64::from(byte)])))
    }

    /// Returns the frames in which something was printed.
    #[must_use]
    pub fn frames(&self) -> Vec<Frame> {
        let lists = self.outputs.values().chain(self.errors.values());
        let count = lists.map(Vec::len).chain([self.summaries.len(), self.views.len()]).max().unwrap_or(0);
        let said = |lists: &BTreeMap<String, Vec<Option<String>>>, at: usize| -> Vec<(usize, String)> {
            let of = lists.iter().filter_map(|(name, list)| {
                let text = list.get(at)?.as_ref()?;
                (!text.is_empty()).then(|| Some((name.parse().ok()?, text.clone())))?
            });
            of.collect()
        };
        let frames = (0..count).map(|number| Frame {
            number,
            outputs: said(&self.outputs, number),
            errors: said(&self.errors, number),
            summary: self.summaries.get(number).and_then(Option::as_deref).map(plain).unwrap_or_default(),
            tooltips: self
                .tooltips
                .iter()
                .filter(|tip| tip.turn == number as i64)
                .map(|tip| tip.text.clone())
                .collect(),
        });
        frames
            .filter(|frame| {
                !(frame.outputs.is_empty() && frame.errors.is_empty() && frame.summary.trim().is_empty())
            })
            .collect()
    }

    /// Returns a summary without its colour codes.
    #[must_use]
    pub fn plain(summary: &str) -> String {
        plain(summary)
    }

    /// Returns the data for the challenge's viewer, frame by frame.
    #[must_use]
    pub fn views(&self) -> &[Option<String>] {
        &self.views
    }
}

/// Returns whether a line of a summary contains a player's number. For example, `$1` must not match `$10`.
fn names(line: &str, player: usize) -> bool {
    let name = format!("${player}");
    line.match_indices(&name)
        .any(|(at, _)| !line[at + name.len()..].starts_with(|letter: char| letter.is_ascii_digit()))
}

fn has(words: &str, list: &[&str]) -> bool {
    let words = words.to_lowercase();
    list.iter().any(|word| words.contains(word))
}

const TIMEOUT: [&str; 7] =
    ["timeout", "timed out", "time out", "in time", "too slow", "did not respond", "has not provided"];

/// Returns the kind of a player's failure, according to the referee's message.
fn kind(words: &str) -> ReportedFailure {
    const ILLEGAL: [&str; 10] = [
        "invalid",
        "unknown",
        "illegal",
        "unexpected",
        "unrecogni",
        "expected",
        "not allowed",
        "cannot",
        "error",
        "bad command",
    ];
    if has(words, &TIMEOUT) {
        ReportedFailure::Timeout
    } else if has(words, &ILLEGAL) {
        ReportedFailure::Illegal
    } else {
        ReportedFailure::Other
    }
}

/// Returns whether engines use this message when they remove a player from the game. Other messages about illegal moves
/// may be mere warnings.
fn is_failure(words: &str) -> bool {
    const OUT: [&str; 7] = [
        "invalid input",
        "bad command",
        "illegal input",
        "disqualified",
        "deactivated",
        "invalid output",
        "eliminated for",
    ];
    has(words, &TIMEOUT) || has(words, &OUT)
}

/// Removes the colour codes from a summary: `¤RED¤...§RED§`.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(['¤', '§']) {
        let mark = rest[start..].chars().next().unwrap_or('¤');
        let after = &rest[start + mark.len_utf8()..];
        match after.find(mark) {
            Some(end) if after[..end].chars().all(|letter| letter.is_ascii_uppercase() || letter == '_') => {
                plain += &rest[..start];
                rest = &after[end + mark.len_utf8()..];
            }
            _ => {
                plain += &rest[..start + mark.len_utf8()];
                rest = after;
            }
        }
    }
    (plain + rest).trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game as the engine writes it: three frames, in which the second player does not answer.
    const LOG: &str = r#"{"errors":{"0":[null,"thinking\n",null],"1":[null,null,"Traceback\nNameError: x\n"],"referee":["","",""]},
        "outputs":{"0":[null,"WAIT\n",null],"1":[null,null,null],"referee":["","",""]},
        "summaries":["","$0 waits","$1 has not provided 1 lines in time\n¤GREEN¤\nGame over: $1 lost.§GREEN§\n"],
        "views":["KEY_FRAME 0\n{}",null,"INTERMEDIATE_FRAME 1"],"scores":{"0":1,"1":-1},"uinput":["seed=5"],"metadata":"{}",
        "tooltips":[{"text":"out","event":1,"turn":2}],"ids":{"0":0,"1":1},"agents":[{"index":0}],"failCause":null,"new":3}"#;

    #[test]
    fn a_log_tells_who_failed_and_why() {
        let log = GameLog::read(LOG).unwrap();
        assert_eq!((log.players(), log.score(1), log.score(2)), (2, Some(-1.0), None));
        let words = "has not provided 1 lines in time".to_string();
        assert_eq!(log.failure(1), Some((ReportedFailure::Timeout, words)));
        assert_eq!(log.failure(2), None);
        assert_eq!(log.last_words(1, 12), "NameError: x\n"[1..].to_string());
        assert_eq!(log.answers(0).collect::<Vec<_>>(), ["WAIT\n"]);
        assert_eq!(log.fail_cause(), None);
        let frames = log.frames();
        assert_eq!(frames.len(), 2);
        assert_eq!(frames[0].outputs, [(0, "WAIT\n".to_string())]);
        assert_eq!(frames[1].summary, "$1 has not provided 1 lines in time\n\nGame over: $1 lost.");
        assert_eq!(frames[1].tooltips, ["out"]);
    }

    #[test]
    fn words_tell_the_kind_of_a_failure() {
        for (words, kind) in [
            ("timeout", ReportedFailure::Timeout),
            ("$1: Timeout!", ReportedFailure::Timeout),
            ("has not provided 3 lines in time", ReportedFailure::Timeout),
            ("Unknown command: garbage", ReportedFailure::Illegal),
            ("Invalid Input: Expected MOVE", ReportedFailure::Illegal),
            ("lost all units", ReportedFailure::Other),
        ] {
            assert_eq!(super::kind(words), kind, "{words}");
        }
    }

    #[test]
    fn player_1_is_not_player_10_and_colours_go() {
        let log =
            GameLog { summaries: vec![Some("$10: timeout\n$1 scores".to_string())], ..GameLog::default() };
        assert_eq!(log.words_about(1), Some((ReportedFailure::Other, "scores".to_string())));
        assert_eq!(plain("¤RED¤a§RED§ costs 5¤ or 6§"), "a costs 5¤ or 6§");
    }

    /// Returns a log of two players with these answers and summaries by frame.
    fn log(answers: [&[Option<&str>]; 2], summaries: &[&str]) -> GameLog {
        let texts = |list: &[Option<&str>]| list.iter().map(|text| text.map(str::to_string)).collect();
        GameLog {
            outputs: [("0", answers[0]), ("1", answers[1])]
                .map(|(name, list)| (name.to_string(), texts(list)))
                .into(),
            summaries: summaries.iter().map(|text| Some((*text).to_string())).collect(),
            ..GameLog::default()
        }
    }

    /// Checks referees that give a positive score to a player that is out, and that print other messages about it
    /// later.
    #[test]
    fn a_failure_is_known_whatever_the_score_is() {
        let (a, none) = (Some("MOVE 0 1 1\n"), None);
        let crashed = log(
            [&[none, a, none, a], &[none, none, none, none]],
            &["", "$1 has not provided 1 lines in time", "", "$0 wins"],
        );
        assert_eq!(crashed.failure(0), None);
        assert_eq!(crashed.failure(1).unwrap().0, ReportedFailure::Timeout);
        let garbage = log(
            [&[none, Some("hello\n"), none], &[none, none, a]],
            &[
                "",
                "Invalid Input: Expected UP | DOWN but got hello",
                "$0 earns a BRONZE medal\n$1 earns a GOLD medal",
            ],
        );
        let words = "Invalid Input: Expected UP | DOWN but got hello".to_string();
        assert_eq!(garbage.failure(0), Some((ReportedFailure::Illegal, words.clone())));
        assert_eq!(garbage.words_about(0), Some((ReportedFailure::Illegal, words)));
        assert_eq!(garbage.failure(1), None);
        // A player that continues to play was only warned.
        let warned =
            log([&[none, a, none, a], &[none, none, a, none]], &["", "$0: Invalid Input: ignored", "", ""]);
        assert_eq!(warned.failure(0), None);
        let tip = Tooltip { text: "Bad command: Invalid Input".to_string(), event: 1, turn: 2 };
        let told =
            GameLog { tooltips: vec![tip], ..log([&[none, a, none], &[none, none, a]], &["", "", ""]) };
        assert_eq!(told.failure(1).unwrap().0, ReportedFailure::Illegal);
    }

    #[test]
    fn equal_games_have_equal_digests() {
        let (a, b) = (Some("1\n"), Some("2\n"));
        let one = log([&[a, a], &[b, b]], &["x"]);
        assert_eq!(one.digest(), log([&[a, a], &[b, b]], &["y"]).digest());
        assert_ne!(one.digest(), log([&[a, b], &[b, a]], &["x"]).digest());
    }

    #[test]
    fn what_is_no_log_is_refused() {
        assert!(GameLog::read("{\"views\": 3}").is_err());
        assert!(GameLog::read("").is_err());
        assert!(GameLog::read("{}").unwrap().frames().is_empty());
    }
}
