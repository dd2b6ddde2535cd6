//! Conditions that select games, for example `map_size == "small" and bot.final > 3`.

use crate::game::LeagueGame;
use serde_json::Value;
use std::collections::BTreeSet;

/// A condition for games.
///
/// ```text
/// condition = all { "or" all }
/// all       = one { "and" one }
/// one       = "not" one | "(" condition ")" | field ("==" | "!=" | "<" | "<=" | ">" | ">=") value
/// ```
///
/// A field is `seed`, `moves` (the number of moves), or `points0`, `end0` and so on, with the number of a seat. A field
/// can also be the name of a `[TDATA]` value that a bot printed, or of a `[PDATA]` value with the prefix `seat0.` and
/// so on, or `bot.` for any seat.
///
/// A value is a number or a string in double quotes. Numbers are compared as numbers, and all other values as text. If
/// a game does not have the field, every comparison is false, including `!=`.
#[derive(Clone, PartialEq, Debug)]
pub enum Filter {
    /// True if both conditions are true.
    And(Box<Filter>, Box<Filter>),
    /// True if at least one condition is true.
    Or(Box<Filter>, Box<Filter>),
    /// True if the condition is false.
    Not(Box<Filter>),
    /// True if the comparison of a field with a value is true.
    Compare {
        /// The field.
        field: String,
        /// The operator.
        by: Comparison,
        /// The value.
        with: String,
    },
}

/// Comparison operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// The error for an invalid condition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("character {at}: {problem}")]
pub struct FilterError {
    /// The position of the first wrong character, starting at 1.
    pub at: usize,
    /// The expected syntax, or a description of the wrong character.
    pub problem: String,
}

/// Maximum depth of nested conditions.
const MAX_DEPTH: usize = 50;

impl Filter {
    /// Parses a condition.
    ///
    /// # Errors
    /// Returns an error that describes the expected syntax if the text is not a valid condition.
    pub fn parse(text: &str) -> Result<Filter, FilterError> {
        let mut reader = Reader { tokens: tokens(text)?, next: 0, end: text.chars().count() + 1 };
        let filter = reader.any(0)?;
        match reader.peek() {
            None => Ok(filter),
            Some(_) => Err(reader.expected("`and`, `or` or the end")),
        }
    }

    /// Returns whether a game meets the condition. The game must have been read from the file together with its record.
    #[must_use]
    pub fn matches(&self, game: &LeagueGame) -> bool {
        let record = game.record.as_deref().and_then(|record| serde_json::from_str(record).ok());
        self.holds(game, record.as_ref().unwrap_or(&Value::Null))
    }

    /// Checks that every field in the condition occurs in at least one game, unless there are no games. The games must
    /// have been read together with their records.
    ///
    /// # Errors
    /// Returns an error that lists the available fields if a field does not occur in any game.
    pub fn check(&self, games: &[LeagueGame]) -> anyhow::Result<()> {
        let record =
            |game: &LeagueGame| game.record.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let records: Vec<Value> = games.iter().map(|game| record(game).unwrap_or(Value::Null)).collect();
        let mut fields = Vec::new();
        self.fields(&mut fields);
        let seats = games.iter().map(|game| game.seats.len()).max().unwrap_or_default();
        let of_seats = (0..seats).flat_map(|seat| [format!("end{seat}"), format!("points{seat}")]);
        let own: BTreeSet<String> = of_seats.chain(["moves", "seed"].map(str::to_string)).collect();
        let is_known = |field: &str| {
            own.contains(field)
                || games.iter().zip(&records).any(|(game, record)| !values(field, game, record).is_empty())
        };
        let Some(unknown) = fields.into_iter().find(|field| !games.is_empty() && !is_known(field)) else {
            return Ok(());
        };
        let told = records.iter().filter_map(|record| record["attributes"].as_array()).flatten();
        let of_games = told.filter(|told| told.get("turn").is_none()).filter_map(|told| {
            let name = told["name"].as_str()?;
            Some(if told["player"].is_null() { name.to_string() } else { format!("bot.{name}") })
        });
        let known: BTreeSet<String> = of_games.chain(own.iter().cloned()).collect();
        let known: Vec<String> = known.into_iter().collect();
        anyhow::bail!("unknown field `{unknown}`; available: {}", known.join(", "))
    }

    /// Collects the fields that occur in the condition.
    fn fields<'a>(&'a self, fields: &mut Vec<&'a str>) {
        match self {
            Filter::And(a, b) | Filter::Or(a, b) => {
                a.fields(fields);
                b.fields(fields);
            }
            Filter::Not(inner) => inner.fields(fields),
            Filter::Compare { field, .. } => fields.push(field),
        }
    }

    fn holds(&self, game: &LeagueGame, record: &Value) -> bool {
        match self {
            Filter::And(a, b) => a.holds(game, record) && b.holds(game, record),
            Filter::Or(a, b) => a.holds(game, record) || b.holds(game, record),
            Filter::Not(inner) => !inner.holds(game, record),
            Filter::Compare { field, by, with } => {
                values(field, game, record).iter().any(|value| by.holds(value, with))
            }
        }
    }
}

impl Comparison {
    fn holds(self, a: &str, b: &str) -> bool {
        let order = match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => a.partial_cmp(&b),
            _ => Some(a.cmp(b)),
        };
        let Some(order) = order else { return false };
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::Different => order.is_ne(),
            Comparison::Less => order.is_lt(),
            Comparison::AtMost => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::AtLeast => order.is_ge(),
        }
    }
}

/// Returns the values of a field in a game: none, a single value, or one for each seat.
fn values(field: &str, game: &LeagueGame, record: &Value) -> Vec<String> {
    let seat_of = |name: &str| numbered(field, name).and_then(|seat| game.seats.get(seat));
    if let Some(seat) = seat_of("points") {
        return vec![seat.points.to_string()];
    }
    if let Some(seat) = seat_of("end") {
        return vec![seat.ending.clone()];
    }
    match field {
        "seed" => {
            let seed = contender_play::seed::deserialize(&record["seed"]).ok();
            return seed.map(|seed| seed.cast_signed().to_string()).into_iter().collect();
        }
        "moves" => {
            return record["moves"].as_array().map(|moves| moves.len().to_string()).into_iter().collect();
        }
        _ => {}
    }
    let whose = |whose: &str| if whose == "bot" { Some(None) } else { numbered(whose, "seat").map(Some) };
    let (seat, name) = match field.split_once('.').and_then(|(of, name)| Some((whose(of)?, name))) {
        Some((seat, name)) => (Some(seat), name),
        None => (None, field),
    };
    let Some(attributes) = record["attributes"].as_array() else { return Vec::new() };
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    attributes
        .iter()
        .filter(|attribute| attribute["name"] == name && attribute.get("turn").is_none())
        .filter(|attribute| match (attribute["player"].as_u64(), seat) {
            (None, seat) => seat.is_none(),
            (Some(player), Some(seat)) => seat.is_none_or(|seat| seat as u64 == player),
            (Some(_), None) => false,
        })
        .map(|attribute| text(&attribute["value"]))
        .collect()
}

/// Returns the number after a name, for example 2 in `seat2`.
fn numbered(text: &str, name: &str) -> Option<usize> {
    text.strip_prefix(name)?.parse().ok()
}

/// Checks that a field's name has a valid form. An error lists the valid forms.
fn check_field(field: &str) -> Result<(), String> {
    match field.split_once('.') {
        Some((_, "")) => Err(format!("a name after `{field}`")),
        Some((seat, _)) if numbered(seat, "seat").is_some() => Ok(()),
        Some((seat, _)) if seat.is_empty() || seat.starts_with("seat") => {
            Err(format!("`bot.`, `seat0.`, `seat1.` and so on, instead of `{seat}.`"))
        }
        _ => Ok(()),
    }
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Word(String),
    Text(String),
    Sign(&'static str),
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, FilterError> {
    const SIGNS: [&str; 8] = ["==", "!=", "<=", ">=", "<", ">", "(", ")"];
    let mut found = Vec::new();
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < characters.len() {
        let start = at;
        let rest: String = characters[at..(at + 2).min(characters.len())].iter().collect();
        let is_word = |letter: char| letter.is_alphanumeric() || "_.-+".contains(letter);
        if characters[at].is_whitespace() {
            at += 1;
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            at += sign.len();
            found.push((start + 1, Token::Sign(sign)));
        } else if characters[at] == '"' {
            let length = characters[at + 1..].iter().position(|&letter| letter == '"');
            let length = length
                .ok_or_else(|| FilterError { at: start + 1, problem: "unterminated string".to_string() })?;
            found.push((start + 1, Token::Text(characters[at + 1..][..length].iter().collect())));
            at += length + 2;
        } else if is_word(characters[at]) {
            while at < characters.len() && is_word(characters[at]) {
                at += 1;
            }
            found.push((start + 1, Token::Word(characters[start..at].iter().collect())));
        } else {
            return Err(FilterError { at: start + 1, problem: format!("unexpected `{}`", characters[at]) });
        }
    }
    Ok(found)
}

struct Reader {
    tokens: Vec<(usize, Token)>,
    next: usize,
    end: usize,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    fn expected(&self, what: &str) -> FilterError {
        let at = self.tokens.get(self.next).map_or(self.end, |&(at, _)| at);
        FilterError { at, problem: format!("expected {what}") }
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_it = matches!(self.peek(), Some(Token::Word(found)) if found == word);
        self.next += usize::from(is_it);
        is_it
    }

    fn any(&mut self, depth: usize) -> Result<Filter, FilterError> {
        let mut filter = self.all(depth)?;
        while self.take_word("or") {
            filter = Filter::Or(Box::new(filter), Box::new(self.all(depth)?));
        }
        Ok(filter)
    }

    fn all(&mut self, depth: usize) -> Result<Filter, FilterError> {
        let mut filter = self.one(depth)?;
        while self.take_word("and") {
            filter = Filter::And(Box::new(filter), Box::new(self.one(depth)?));
        }
        Ok(filter)
    }

    fn one(&mut self, depth: usize) -> Result<Filter, FilterError> {
        if depth > MAX_DEPTH {
            return Err(self.expected("a simpler condition"));
        }
        if self.take_word("not") {
            return Ok(Filter::Not(Box::new(self.one(depth + 1)?)));
        }
        match self.peek().cloned() {
            Some(Token::Sign("(")) => {
                self.next += 1;
                let filter = self.any(depth + 1)?;
                if self.peek() != Some(&Token::Sign(")")) {
                    return Err(self.expected("`)`"));
                }
                self.next += 1;
                Ok(filter)
            }
            Some(Token::Word(field)) => {
                check_field(&field).map_err(|reason| self.expected(&reason))?;
                self.next += 1;
                let by = match self.peek() {
                    Some(Token::Sign("==")) => Comparison::Equal,
                    Some(Token::Sign("!=")) => Comparison::Different,
                    Some(Token::Sign("<")) => Comparison::Less,
                    Some(Token::Sign("<=")) => Comparison::AtMost,
                    Some(Token::Sign(">")) => Comparison::Greater,
                    Some(Token::Sign(">=")) => Comparison::AtLeast,
                    _ => return Err(self.expected("==, !=, <, <=, > or >=")),
                };
                self.next += 1;
                let with = match self.peek() {
                    Some(Token::Text(text)) => text.clone(),
                    Some(Token::Word(word)) if word.parse::<f64>().is_ok() => word.clone(),
                    _ => return Err(self.expected("a number or a string in double quotes")),
                };
                self.next += 1;
                Ok(Filter::Compare { field, by, with })
            }
            _ => Err(self.expected("a field, `not` or `(`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::testing;

    fn game() -> LeagueGame {
        let record = r#"{"seed": 7, "moves": ["a", "b"], "attributes": [
            {"name": "map_size", "value": "small"}, {"name": "final", "player": 1, "value": "4"},
            {"name": "final", "player": 0, "value": "2"}, {"name": "depth", "player": 0, "turn": 3, "value": "9"}]}"#;
        let mut game = testing::game(1, [1, 2], [10.0, 3.5]);
        game.seats[1].ending = "timeout".to_string();
        LeagueGame { record: Some(record.to_string()), ..game }
    }

    #[test]
    fn conditions_hold_or_not() {
        for (text, expected) in [
            ("map_size == \"small\" and bot.final > 3", true),
            ("seat0.final > 3", false),
            ("seat0.final > 3 or seat1.final >= 4", true),
            ("not (points0 < 10) and end1 == \"timeout\"", true),
            ("points1 == 3.50", true),
            ("moves == 2 and seed != 7", false),
            ("missing != 3", false),
            ("not missing == 3", true),
            ("bot.depth == 9", false),
            ("moves == 3 or moves == 2 and seed == 7", true),
            ("points2 == 1 or end2 == \"normal\" or seat2.final == 4", false),
        ] {
            assert_eq!(Filter::parse(text).unwrap().matches(&game()), expected, "{text}");
        }
    }

    #[test]
    fn bad_conditions_are_refused_with_their_place() {
        for (text, error) in [
            ("", "character 1: expected a field, `not` or `(`"),
            ("a ==", "character 5: expected a number or a string in double quotes"),
            ("a = 3", "character 3: unexpected `=`"),
            ("a == 3 b", "character 8: expected `and`, `or` or the end"),
            ("(a == 3", "character 8: expected `)`"),
            ("a == \"x", "character 6: unterminated string"),
            (
                "seatx.depth == 3",
                "character 1: expected `bot.`, `seat0.`, `seat1.` and so on, instead of `seatx.`",
            ),
            ("seat0. == 3", "character 1: expected a name after `seat0.`"),
            (
                "1 == 1 and .x == 3",
                "character 12: expected `bot.`, `seat0.`, `seat1.` and so on, instead of `.`",
            ),
            ("a 3", "character 3: expected ==, !=, <, <=, > or >="),
        ] {
            assert_eq!(Filter::parse(text).unwrap_err().to_string(), error, "{text}");
        }
        let deep = "(".repeat(100_000);
        assert!(Filter::parse(&deep).unwrap_err().problem.contains("simpler"));
    }
}
