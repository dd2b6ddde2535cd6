//! The log that CodinGame's engine writes of a game (`-l FILE`): one object of JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A game turn by turn, as the engine has seen it.
///
/// A *frame* is a call of a player, or the end of a turn; there is one before the first call. The lists of all players
/// and the summaries have an entry a frame, or fewer where the game broke off.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct GameLog {
    /// What the players have written on standard output, by the player's number and, as `referee`, the referee.
    outputs: BTreeMap<String, Vec<Option<String>>>,
    /// The same of standard error.
    errors: BTreeMap<String, Vec<Option<String>>>,
    /// What the referee says of each frame.
    summaries: Vec<Option<String>>,
    /// What the challenge's viewer shows.
    views: Vec<Option<String>>,
    scores: BTreeMap<String, Value>,
    tooltips: Vec<Tooltip>,
    /// The parameters that the game was made with, `key=value`.
    pub uinput: Vec<String>,
    #[serde(rename = "failCause")]
    fail_cause: Option<String>,
}

/// A remark on a moment of the game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Tooltip {
    /// What it says.
    pub text: String,
    /// Whom it is of.
    pub event: i64,
    /// The frame.
    pub turn: i64,
}

/// A call of a player, with all that was said in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Its number.
    pub number: usize,
    /// Who has answered, and what.
    pub outputs: Vec<(usize, String)>,
    /// Who has written to standard error, and what.
    pub errors: Vec<(usize, String)>,
    /// What the referee says of it, without marks of colour.
    pub summary: String,
    /// What it says of its moments.
    pub tooltips: Vec<String>,
}

/// A longer log, in bytes, is not read.
pub const LONGEST_LOG: u64 = 64 << 20;

impl GameLog {
    /// Reads a log.
    ///
    /// # Errors
    /// Where and why it is none.
    pub fn read(text: &str) -> Result<GameLog, String> {
        serde_json::from_str(text).map_err(|error| format!("this is no log of CodinGame's engine: {error}"))
    }

    /// How many players there are.
    #[must_use]
    pub fn players(&self) -> usize {
        self.outputs.keys().filter(|name| name.parse::<usize>().is_ok()).count()
    }

    /// The player's score, if there is one.
    #[must_use]
    pub fn score(&self, player: usize) -> Option<f64> {
        self.scores.get(&player.to_string())?.as_f64()
    }

    /// Why the referee itself has failed, with its stack trace.
    #[must_use]
    pub fn fail_cause(&self) -> Option<&str> {
        self.fail_cause.as_deref().filter(|cause| !cause.trim().is_empty())
    }

    /// What the player has answered, in their order.
    pub fn answers(&self, player: usize) -> impl Iterator<Item = &str> {
        self.outputs.get(&player.to_string()).into_iter().flatten().flatten().map(String::as_str)
    }

    /// The end of what the player has written to standard error, at most `most` bytes.
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

    /// The most bytes that the player has written to standard error before an answer.
    #[must_use]
    pub fn said(&self, player: usize) -> usize {
        let frames = self.errors.get(&player.to_string()).into_iter().flatten().flatten();
        frames.map(String::len).max().unwrap_or(0)
    }

    /// What the referee says of the player's failure: the last of its lines that names the player, but for the game's
    /// end.
    #[must_use]
    pub fn failure(&self, player: usize) -> Option<String> {
        let name = format!("${player}");
        let names = |line: &&str| {
            line.match_indices(&name)
                .any(|(at, _)| !line[at + name.len()..].starts_with(|letter: char| letter.is_ascii_digit()))
        };
        let lines = self.summaries.iter().flatten().flat_map(|summary| summary.lines());
        let found: Vec<&str> =
            lines.filter(names).filter(|line| !line.to_lowercase().contains("game over")).collect();
        let failing = found.iter().rev().find(|line| Failure::of(line) != Failure::Other);
        let line = failing.or(found.last())?;
        Some(plain(line).replacen(&name, "", 1).trim_matches([':', ' ', ',']).to_string())
    }

    /// The frames in which something was said.
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

    /// What the challenge's viewer shows at each frame.
    #[must_use]
    pub fn views(&self) -> &[Option<String>] {
        &self.views
    }
}

/// How a player has failed, by the referee's words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Failure {
    /// No answer in time: slow, gone or crashed; the engine does not tell them apart.
    Timeout,
    /// An answer that the challenge does not take.
    Illegal,
    /// Something else.
    Other,
}

impl Failure {
    /// What the words tell.
    #[must_use]
    pub fn of(words: &str) -> Failure {
        let words = words.to_lowercase();
        let has = |list: &[&str]| list.iter().any(|word| words.contains(word));
        if has(&[
            "timeout",
            "timed out",
            "time out",
            "in time",
            "too slow",
            "did not respond",
            "has not provided",
        ]) {
            Failure::Timeout
        } else if has(&[
            "invalid",
            "unknown",
            "illegal",
            "unexpected",
            "unrecogni",
            "expected",
            "not allowed",
            "cannot",
            "error",
        ]) {
            Failure::Illegal
        } else {
            Failure::Other
        }
    }
}

/// A summary without its marks of colour: `¤RED¤...§RED§`.
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

    /// A game as the engine writes it: three frames, the second player does not answer.
    const LOG: &str = r#"{"errors":{"0":[null,"thinking\n",null],"1":[null,null,"Traceback\nNameError: x\n"],"referee":["","",""]},
        "outputs":{"0":[null,"WAIT\n",null],"1":[null,null,null],"referee":["","",""]},
        "summaries":["","$0 waits","$1 has not provided 1 lines in time\n¤GREEN¤\nGame over: $1 lost.§GREEN§\n"],
        "views":["KEY_FRAME 0\n{}",null,"INTERMEDIATE_FRAME 1"],"scores":{"0":1,"1":-1},"uinput":["seed=5"],"metadata":"{}",
        "tooltips":[{"text":"out","event":1,"turn":2}],"ids":{"0":0,"1":1},"agents":[{"index":0}],"failCause":null,"new":3}"#;

    #[test]
    fn a_log_tells_who_failed_and_why() {
        let log = GameLog::read(LOG).unwrap();
        assert_eq!((log.players(), log.score(1), log.score(2)), (2, Some(-1.0), None));
        assert_eq!(log.failure(1).unwrap(), "has not provided 1 lines in time");
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
            ("timeout", Failure::Timeout),
            ("$1: Timeout!", Failure::Timeout),
            ("has not provided 3 lines in time", Failure::Timeout),
            ("Unknown command: garbage", Failure::Illegal),
            ("Invalid Input: Expected MOVE", Failure::Illegal),
            ("lost all units", Failure::Other),
        ] {
            assert_eq!(Failure::of(words), kind, "{words}");
        }
    }

    #[test]
    fn player_1_is_not_player_10_and_colours_go() {
        let log =
            GameLog { summaries: vec![Some("$10: timeout\n$1 scores".to_string())], ..GameLog::default() };
        assert_eq!(log.failure(1).unwrap(), "scores");
        assert_eq!(plain("¤RED¤a§RED§ costs 5¤ or 6§"), "a costs 5¤ or 6§");
    }

    #[test]
    fn what_is_no_log_is_refused() {
        assert!(GameLog::read("{\"views\": 3}").is_err());
        assert!(GameLog::read("").is_err());
        assert!(GameLog::read("{}").unwrap().frames().is_empty());
    }
}
