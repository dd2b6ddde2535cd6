//! A finished game as psyleague and CG Arena have it: what a match command prints, and a line of psyleague's `.games`.

use crate::game::Finished;
use serde::Deserialize;
use serde_json::{Value, json};

/// A finished game in this form.
#[derive(Deserialize)]
pub(crate) struct Output {
    /// Names by seat, in `.games` only.
    #[serde(default)]
    pub players: Vec<String>,
    /// A number for each player, 0 for the best, equal ones for a tie.
    ranks: Vec<f64>,
    /// Something other than 0 for a player that failed.
    #[serde(default)]
    errors: Vec<Value>,
    #[serde(default)]
    test_data: Value,
    #[serde(default)]
    player_data: Vec<Value>,
    #[serde(default)]
    attributes: Vec<Value>,
}

impl Output {
    /// Reads an object, or a list of one.
    ///
    /// # Errors
    /// What is wrong, in words for the user.
    pub fn read(text: &str) -> Result<Output, String> {
        let value = match serde_json::from_str(text.trim()).map_err(|error| error.to_string())? {
            Value::Array(mut list) if list.len() == 1 => list.remove(0),
            Value::Array(list) => {
                return Err(format!("{} games in a list, and one was asked for", list.len()));
            }
            value => value,
        };
        serde_json::from_value(value).map_err(|error| error.to_string())
    }

    /// The game as a league keeps it: 1 point for a win, one half for a tie, and what bots told in the form that games
    /// of our own have.
    ///
    /// # Errors
    /// Not two ranks, in words for the user.
    pub fn finished(self) -> Result<Finished, String> {
        let [first, second] = self.ranks[..] else {
            return Err(format!("{} ranks for two bots", self.ranks.len()));
        };
        let points = match first.total_cmp(&second) {
            std::cmp::Ordering::Less => [1.0, 0.0],
            std::cmp::Ordering::Equal => [0.5, 0.5],
            std::cmp::Ordering::Greater => [0.0, 1.0],
        };
        let has_failed = |seat: usize| {
            let fine = [Value::Null, json!(false), json!(0), json!("")];
            self.errors.get(seat).is_some_and(|error| !fine.contains(error))
        };
        let ends = [0, 1].map(|seat| if has_failed(seat) { "failure" } else { "normal" }.to_string());
        let mut attributes = self.attributes;
        let mut add = |data: &Value, player: Option<usize>| {
            for (name, value) in data.as_object().into_iter().flatten() {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
                let mut attribute = json!({ "name": name, "value": value });
                if let Some(player) = player {
                    attribute["player"] = player.into();
                }
                attributes.push(attribute);
            }
        };
        add(&self.test_data, None);
        self.player_data.iter().enumerate().for_each(|(player, data)| add(data, Some(player)));
        let record = json!({ "ranks": self.ranks, "errors": self.errors, "attributes": attributes });
        Ok(Finished {
            points,
            ends,
            seconds: [None; 2],
            slowest: [None; 2],
            record: Some(record.to_string()),
            silent: [false; 2],
        })
    }
}
