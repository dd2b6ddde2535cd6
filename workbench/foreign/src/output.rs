//! The output of referees, which is either a score per line or a JSON object.

use crate::error::OutputError;
use contender_play::Attribute;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A referee's output for a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Output {
    /// The ranks by seat. 0 is the best, and equal numbers mean a tie.
    pub ranks: Vec<u32>,
    /// The scores by seat (higher is better); `None` if the referee prints only ranks.
    pub scores: Option<Vec<f64>>,
    /// For each seat, whether the player failed according to the referee.
    pub failed: Vec<bool>,
    /// The seed that the referee used, according to its output.
    pub seed: Option<String>,
    /// The lines after the scores, such as `key=value`.
    pub rest: Vec<String>,
    /// The other data, if the output is a JSON object.
    pub report: Option<GameOutput>,
}

/// A finished game in the format of psyleague and CG Arena.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameOutput {
    /// The names by seat; only in psyleague's `.games`.
    #[serde(default)]
    pub players: Vec<String>,
    /// The ranks of the players. 0 is the best, and equal numbers mean a tie.
    pub ranks: Vec<f64>,
    /// For each player, a value other than 0 if the player failed.
    #[serde(default)]
    pub errors: Vec<Value>,
    /// Data about the game.
    #[serde(default)]
    pub test_data: Value,
    /// Data about each player.
    #[serde(default)]
    pub player_data: Vec<Value>,
    /// Data about the game and the players in CG Arena's format.
    #[serde(default)]
    pub attributes: Vec<Value>,
}

impl GameOutput {
    /// Parses a JSON object, or a list with a single object.
    ///
    /// # Errors
    /// Returns an error if the text is not a report.
    pub fn read(text: &str) -> Result<GameOutput, OutputError> {
        let value = match serde_json::from_str(text.trim())? {
            Value::Array(mut list) if list.len() == 1 => list.remove(0),
            Value::Array(list) => return Err(OutputError::Games(list.len())),
            value => value,
        };
        Ok(serde_json::from_value(value)?)
    }

    /// Returns the data about the game and its players, in the format of match records.
    #[must_use]
    pub fn attributes(&self) -> Vec<Attribute> {
        let listed = self.attributes.iter().filter_map(|attribute| {
            let name = attribute.get("name")?.as_str()?.to_string();
            let number = |key: &str| attribute.get(key).and_then(Value::as_u64);
            let player = number("player").and_then(|player| u8::try_from(player).ok());
            let turn = number("turn").and_then(|turn| u32::try_from(turn).ok());
            Some(Attribute { name, player, turn, value: text(attribute.get("value")?) })
        });
        let of = |data: &Value, player: Option<u8>| -> Vec<Attribute> {
            let entries = data.as_object().into_iter().flatten();
            entries
                .map(|(name, value)| Attribute { name: name.clone(), player, turn: None, value: text(value) })
                .collect()
        };
        let of_players = (0..).zip(&self.player_data).flat_map(|(player, data)| of(data, Some(player)));
        listed.chain(of(&self.test_data, None)).chain(of_players).collect()
    }

    /// Returns whether a player has failed.
    #[must_use]
    pub fn has_failed(&self, seat: usize) -> bool {
        let fine = [Value::Null, Value::from(false), Value::from(0), Value::from("")];
        self.errors.get(seat).is_some_and(|error| !fine.contains(error))
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// A line of the output, as classified by the search for scores.
#[derive(Clone, Copy, PartialEq)]
enum Line {
    Score(f64),
    /// `null`, which means that the engine has no score because the referee failed.
    NoScore,
    Other,
}

fn line(text: &str) -> Line {
    let text = text.trim();
    let is_number = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    match text.parse::<f64>() {
        Ok(score) if is_number && score.is_finite() => Line::Score(score),
        _ if text == "null" => Line::NoScore,
        _ => Line::Other,
    }
}

impl Output {
    /// Parses a referee's output for a game of `players` players. Skips banners and warnings before the scores.
    ///
    /// # Errors
    /// Returns an error if the output is not a result.
    pub fn read(text: &str, players: usize) -> Result<Output, OutputError> {
        let text = text.trim_start_matches('\u{feff}');
        if text.trim().is_empty() {
            return Err(OutputError::Nothing);
        }
        // A line of a log may also start with a bracket.
        let is_list =
            text.trim_start().starts_with('[') && serde_json::from_str::<Value>(text.trim()).is_ok();
        if text.trim_start().starts_with('{') || is_list {
            return Output::of_report(GameOutput::read(text)?, players);
        }
        let all: Vec<&str> = text.lines().collect();
        let kinds: Vec<Line> = all.iter().copied().map(line).collect();
        let runs = kinds.chunk_by(|a, b| (*a == Line::Other) == (*b == Line::Other));
        let mut at = 0;
        let mut longest = 0;
        for run in runs {
            if run[0] != Line::Other {
                if run.len() == players {
                    return Output::of_scores(run, &all[at + run.len()..]);
                }
                longest = longest.max(run.len());
            }
            at += run.len();
        }
        // There may be a banner before the object.
        let object = all
            .iter()
            .find(|line| line.trim_start().starts_with('{'))
            .and_then(|line| GameOutput::read(line).ok());
        match object {
            Some(report) => Output::of_report(report, players),
            None if longest > 0 => Err(OutputError::Players { kind: "scores", found: longest, players }),
            None if text.contains("usage:") || text.contains("Usage:") => Err(OutputError::Usage),
            None => Err(OutputError::NoScores(cut(all
                .iter()
                .find(|line| !line.trim().is_empty())
                .unwrap_or(&"")))),
        }
    }

    /// Returns the data about the game and its players, in the format of match records.
    #[must_use]
    pub fn attributes(&self) -> Vec<Attribute> {
        let scores = (0..).zip(self.scores.iter().flatten()).map(|(player, score)| Attribute {
            name: "score".to_string(),
            player: Some(player),
            turn: None,
            value: score.to_string(),
        });
        self.report.as_ref().map_or_else(|| scores.collect(), GameOutput::attributes)
    }

    fn of_scores(run: &[Line], rest: &[&str]) -> Result<Output, OutputError> {
        let scores: Option<Vec<f64>> =
            run.iter().map(|line| if let Line::Score(score) = line { Some(*score) } else { None }).collect();
        let scores = scores.ok_or(OutputError::NullScore)?;
        let better = |than: f64| scores.iter().filter(|score| **score > than).count() as u32;
        let rest: Vec<String> =
            rest.iter().filter(|line| !line.trim().is_empty()).map(|line| line.to_string()).collect();
        Ok(Output {
            ranks: scores.iter().map(|score| better(*score)).collect(),
            failed: scores.iter().map(|score| *score < 0.0).collect(),
            seed: rest.iter().find_map(|line| line.trim().strip_prefix("seed=")).map(str::to_string),
            scores: Some(scores),
            rest,
            report: None,
        })
    }

    fn of_report(report: GameOutput, players: usize) -> Result<Output, OutputError> {
        if report.ranks.len() != players {
            return Err(OutputError::Players { kind: "ranks", found: report.ranks.len(), players });
        }
        if let Some(rank) = report.ranks.iter().find(|rank| !rank.is_finite()) {
            return Err(OutputError::Rank(*rank));
        }
        let better = |than: f64| report.ranks.iter().filter(|rank| **rank < than).count() as u32;
        Ok(Output {
            ranks: report.ranks.iter().map(|rank| better(*rank)).collect(),
            scores: None,
            failed: (0..players).map(|seat| report.has_failed(seat)).collect(),
            seed: report.test_data.get("seed").map(ToString::to_string),
            rest: Vec::new(),
            report: Some(report),
        })
    }
}

/// Removes control characters from a line, and shortens it to a readable length.
pub(crate) fn cut(text: &str) -> String {
    const MAX_LENGTH: usize = 200;
    let text: String = text.trim().chars().filter(|letter| !letter.is_control()).collect();
    match text.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranks(text: &str, players: usize) -> Vec<u32> {
        Output::read(text, players).unwrap().ranks
    }

    fn fault(text: &str, players: usize) -> String {
        Output::read(text, players).unwrap_err().to_string()
    }

    #[test]
    fn scores_are_read_as_referees_print_them() {
        let output = Output::read("19\n56\nseed=1\nwidth=20\n\n", 2).unwrap();
        assert_eq!((output.ranks, output.scores), (vec![1, 0], Some(vec![19.0, 56.0])));
        assert_eq!(
            (output.seed, output.rest),
            (Some("1".to_string()), vec!["seed=1".to_string(), "width=20".to_string()])
        );
        assert_eq!(ranks("1\r\n1\r\n", 2), [0, 0]);
        assert_eq!(ranks("0.5\n-1\n0.25\n", 3), [0, 2, 1]);
        assert_eq!(Output::read("3\n-2\n", 2).unwrap().failed, [false, true]);
        // Banners and warnings may contain numbers.
        assert_eq!(ranks("[12:00:00] WARN the view is 3 big\nWelcome\n7\n3\n3 words\n", 2), [0, 1]);
        assert_eq!(ranks("1\nbanner\n4\n5\n", 2), [1, 0]);
    }

    #[test]
    fn what_is_no_result_is_named() {
        assert_eq!(fault(" \n", 2), "prints nothing");
        assert_eq!(fault("3\nseed=1\n", 2), "prints 1 scores for 2 players");
        assert_eq!(fault("3\n4\n5\n", 2), "prints 3 scores for 2 players");
        assert_eq!(fault("null\nnull\n", 2), "failed: it prints `null` instead of a score");
        assert!(fault("3\nnull\n", 2).starts_with("failed: it prints"));
        assert!(fault("usage: -p1 <player1 command line>\n -d  Referee initial data\n", 2).contains("usage"));
        assert_eq!(fault("\nSegmentation fault\n", 2), "prints no scores: `Segmentation fault`");
        assert!(fault("NaN\ninf\n", 2).starts_with("prints no scores"));
        assert_eq!(fault("{\"ranks\": [0]}", 2), "prints 1 ranks for 2 players");
        assert!(fault("[]", 2).contains("a list of 0 games"));
    }

    #[test]
    fn objects_of_json_are_read() {
        let text = r#"{"ranks": [2, 0, 1], "errors": [1, 0, ""], "test_data": {"seed": 7}}"#;
        for text in [text.to_string(), format!("[{text}]"), format!("a banner\n{text}\n")] {
            let output = Output::read(&text, 3).unwrap();
            assert_eq!((output.ranks, output.failed), (vec![2, 0, 1], vec![true, false, false]));
            assert_eq!(output.seed.as_deref(), Some("7"));
        }
        assert_eq!(ranks(r#"{"ranks": [0.5, 0.5, -3]}"#, 3), [1, 1, 0]);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(-?[0-9.]{0,3}|null|\\{\"ranks\":\\[0\\]|usage:|\n){0,12}", players in 2..5_usize) {
            if let Ok(output) = Output::read(&text, players) {
                prop_assert_eq!(output.ranks.len(), players);
                prop_assert!(output.ranks.contains(&0));
            }
        }
    }
}
