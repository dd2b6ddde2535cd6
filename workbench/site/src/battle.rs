//! Battles in the form in which CodinGame's site returns them, and in the shorter forms that other programs save.
//!
//! | form | keys |
//! |---|---|
//! | the site's | `gameId`, `refereeInput` (lines `seed=…` and settings), `frames` (`agentId`, `stdout`, `stderr`, `summary`, `view`, `keyframe`), `scores`, `ranks`, `tooltips`, `agents` (`index`, `codingamer.pseudo`) |
//! | wrapped | the same keys under `gameResult`, or some of the keys next to it: `seed`, `league`, `players`, `frames` |
//! | reduced | `turns` instead of `frames`; each turn has `output` by seat, and may have remarks and `failed` |

use contender_foreign::GameLog;
use contender_play::{Battle, Ending, MAX_SEATS, Record, ReportedFailure, Seat, seed};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Maximum number of characters of a player's name; longer names are cut.
const MAX_NAME: usize = 100;

/// The reason why a text is not a battle.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BattleError {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    Json(String),
    /// The JSON object is not a battle.
    #[error("not a battle: expected an object with `frames` or `turns`")]
    NotABattle,
    /// A required key is missing.
    #[error("missing `{0}`")]
    Missing(&'static str),
    /// A value that has the wrong type or is outside its range.
    #[error("invalid `{key}`: expected {expected}")]
    Invalid {
        /// The key, including its position in the battle.
        key: String,
        /// A description of the expected value.
        expected: &'static str,
    },
    /// A number of players that a game in a log cannot have.
    #[error("{0} players: expected 2 to {MAX_SEATS}")]
    Players(usize),
    /// A list by seat whose length differs from the number of players.
    #[error("`{key}` has {found} entries for {players} players")]
    Length {
        /// The key.
        key: &'static str,
        /// The number of entries in the list.
        found: usize,
        /// The number of players.
        players: usize,
    },
}

/// A parsed battle: its record, and its log in the format of CodinGame's engine, which viewers can show.
#[derive(Clone, PartialEq, Debug)]
pub struct Brought {
    /// The record.
    pub record: Record,
    /// The engine's log.
    pub engine_log: Value,
}

/// Reads a battle in any of its forms.
///
/// # Errors
/// Returns an error for the first value that is missing or unexpected.
pub fn read(value: &Value) -> Result<Brought, BattleError> {
    let fields = Fields::new(value)?;
    let frames = frames(&fields)?;
    let (scores, ranks) = (numbers(&fields, "scores")?, numbers(&fields, "ranks")?);
    let names = names(&fields, &frames, scores.as_ref().or(ranks.as_ref()).map(Vec::len))?;
    let players = names.len();
    if !(2..=MAX_SEATS).contains(&players) {
        return Err(BattleError::Players(players));
    }
    if scores.is_none() && ranks.is_none() {
        return Err(BattleError::Missing("scores"));
    }
    for (key, list) in [("scores", &scores), ("ranks", &ranks)] {
        if let Some(found) = list.as_ref().map(Vec::len).filter(|found| *found != players) {
            return Err(BattleError::Length { key, found, players });
        }
    }
    if let Some(frame) = frames.iter().find(|frame| frame.agent.is_some_and(|agent| agent >= players)) {
        let key = format!("frames[{}].agentId", frame.number);
        return Err(BattleError::Invalid { key, expected: "-1 or the seat of a player" });
    }
    let (seed, rules) = seed_and_settings(&fields)?;
    let engine_log = engine_log(&fields, &frames, scores.as_deref(), players, seed)?;
    let log = GameLog::deserialize(&engine_log).map_err(|error| BattleError::Json(error.to_string()))?;
    let mut seats: Vec<Seat> = names.into_iter().map(|bot| Seat { bot, ..Seat::default() }).collect();
    let mut summaries = Vec::new();
    for frame in &frames {
        frame.add_to(&mut seats, &mut summaries);
    }
    for (at, seat) in seats.iter_mut().enumerate() {
        seat.points = scores.as_ref().map(|scores| scores[at]);
        seat.ending = ending(&log, at, seat.points);
    }
    let mut record = Record {
        game: title(&fields)?,
        seed,
        rules,
        seats,
        summaries,
        digest: Some(log.digest()),
        battle: Some(Battle { id: id(&fields)?, me: None }),
        ..Record::default()
    };
    record.rank_by_points();
    for (seat, rank) in record.seats.iter_mut().zip(ranks.iter().flatten()) {
        seat.rank = *rank as u32;
    }
    Ok(Brought { record, engine_log })
}

/// The objects that can contain the keys of a battle, the outermost first.
struct Fields<'v>(Vec<&'v Map<String, Value>>);

impl<'v> Fields<'v> {
    fn new(value: &'v Value) -> Result<Fields<'v>, BattleError> {
        let outer = value.as_object().ok_or(BattleError::NotABattle)?;
        let inner = ["gameResult", "success"].iter().find_map(|key| outer.get(*key)?.as_object());
        Ok(Fields([Some(outer), inner].into_iter().flatten().collect()))
    }

    /// Returns the value of a key, if the key is present and not `null`.
    fn get(&self, key: &str) -> Option<&'v Value> {
        self.0.iter().find_map(|object| object.get(key).filter(|value| !value.is_null()))
    }

    fn list(&self, key: &str) -> Result<Option<&'v [Value]>, BattleError> {
        self.get(key).map(|value| list_in(value, key)).transpose()
    }

    fn text(&self, key: &str) -> Result<Option<&'v str>, BattleError> {
        self.get(key).map(|value| value.as_str().ok_or_else(|| invalid(key, "a text"))).transpose()
    }
}

fn invalid(key: &str, expected: &'static str) -> BattleError {
    BattleError::Invalid { key: key.to_string(), expected }
}

fn list_in<'v>(value: &'v Value, key: &str) -> Result<&'v [Value], BattleError> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| invalid(key, "a list"))
}

fn numbers(fields: &Fields<'_>, key: &str) -> Result<Option<Vec<f64>>, BattleError> {
    let Some(list) = fields.list(key)? else { return Ok(None) };
    // A rank of a place that no game has would not fit its type.
    let is_valid = |number: &f64| number.is_finite() && (key != "ranks" || (0.0..64.0).contains(number));
    let number = |value: &Value| value.as_f64().filter(is_valid).ok_or_else(|| invalid(key, "numbers"));
    list.iter().map(number).collect::<Result<_, _>>().map(Some)
}

/// A frame of a battle: the call of a player, or the end of a turn.
#[derive(Default)]
struct Frame<'v> {
    number: usize,
    agent: Option<usize>,
    stdout: Option<&'v str>,
    stderr: Option<&'v str>,
    summary: String,
    view: Option<&'v str>,
    is_key: bool,
}

impl Frame<'_> {
    /// The number of a turn is the number of the player's answer.
    fn add_to(&self, seats: &mut [Seat], summaries: &mut Vec<String>) {
        if let Some(agent) = self.agent {
            let seat = &mut seats[agent];
            seat.outputs.push(self.stdout.unwrap_or_default().trim_end_matches(['\n', '\r']).to_string());
            seat.answers += u32::from(self.stdout.is_some_and(|text| !text.is_empty()));
            seat.stderr += self.stderr.unwrap_or_default();
            seat.stderr_at.push(seat.stderr.len());
        }
        let turn = seats.iter().map(|seat| seat.outputs.len()).max().unwrap_or(0).max(1);
        let turn = self.agent.map_or(turn, |agent| seats[agent].outputs.len());
        if !self.summary.trim().is_empty() {
            summaries.resize(summaries.len().max(turn), String::new());
            let text = &mut summaries[turn - 1];
            *text += if text.is_empty() { "" } else { "\n" };
            *text += self.summary.trim_end();
        }
    }
}

fn frames<'v>(fields: &Fields<'v>) -> Result<Vec<Frame<'v>>, BattleError> {
    if let Some(list) = fields.list("frames")? {
        return list.iter().enumerate().map(|(number, value)| frame(number, value)).collect();
    }
    let turns = fields.list("turns")?.ok_or(BattleError::NotABattle)?;
    let mut frames = vec![Frame::default()];
    for (turn, value) in turns.iter().enumerate() {
        let key = |name: &str| format!("turns[{turn}].{name}");
        let outputs = value.get("output").ok_or_else(|| invalid(&key("output"), "a list"))?;
        let outputs = list_in(outputs, &key("output"))?;
        for (agent, output) in outputs.iter().enumerate() {
            let stdout = output.as_str();
            if stdout.is_none() && !output.is_null() {
                return Err(invalid(&key("output"), "texts"));
            }
            frames.push(Frame { number: frames.len(), agent: Some(agent), stdout, ..Frame::default() });
        }
        let remarks = value.get("failed").map(|value| list_in(value, &key("failed"))).transpose()?;
        let remarks: Vec<&str> = remarks.unwrap_or_default().iter().filter_map(Value::as_str).collect();
        if let Some(last) = frames.last_mut() {
            last.summary = remarks.join("\n");
        }
    }
    Ok(frames)
}

fn frame(number: usize, value: &Value) -> Result<Frame<'_>, BattleError> {
    let key = |name: &str| format!("frames[{number}].{name}");
    let object = value.as_object().ok_or_else(|| invalid(&format!("frames[{number}]"), "an object"))?;
    let text = |name: &str| match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_str().map(Some).ok_or_else(|| invalid(&key(name), "a text")),
    };
    let agent = match object.get("agentId") {
        None | Some(Value::Null) => -1,
        Some(value) => value.as_i64().ok_or_else(|| invalid(&key("agentId"), "a whole number"))?,
    };
    let is_key = object.get("keyframe").and_then(Value::as_bool).unwrap_or(false);
    let summary = text("summary")?.unwrap_or_default().to_string();
    let (stdout, stderr, view) = (text("stdout")?, text("stderr")?, text("view")?);
    let agent = usize::try_from(agent).ok();
    Ok(Frame { number, agent, stdout, stderr, summary, view, is_key })
}

/// Returns the players' names by seat. They come from `agents` or `players`; if there are neither, they are numbers.
fn names(
    fields: &Fields<'_>,
    frames: &[Frame<'_>],
    count: Option<usize>,
) -> Result<Vec<String>, BattleError> {
    let in_frames = || frames.iter().filter_map(|frame| frame.agent).max().map_or(0, |last| last + 1);
    let mut names: Vec<String> = Vec::new();
    if let Some(agents) = fields.list("agents")? {
        names = vec![String::new(); agents.len()];
        for (at, agent) in agents.iter().enumerate() {
            let index = agent.get("index").map_or(Some(at as u64), Value::as_u64);
            let index = index.and_then(|index| names.get_mut(index as usize));
            let name = [&["codingamer", "pseudo"], &["arenaboss", "nickname"]];
            let name = name.iter().find_map(|[outer, inner]| agent.get(outer)?.get(inner)?.as_str());
            *index.ok_or_else(|| invalid(&format!("agents[{at}].index"), "the seat of a player"))? =
                name.unwrap_or_default().to_string();
        }
    } else if let Some(list) = fields.list("players")? {
        let name =
            |value: &Value| value.as_str().map(str::to_string).ok_or_else(|| invalid("players", "texts"));
        names = list.iter().map(name).collect::<Result<_, _>>()?;
    }
    let count = if names.is_empty() { count.unwrap_or_else(in_frames) } else { names.len() };
    // A longer list than any game has would take memory for nothing.
    names.resize(count.min(MAX_SEATS + 1), String::new());
    for seat in 0..names.len() {
        let name: String = names[seat].trim().chars().take(MAX_NAME).collect();
        let name = name.replace(is_steering, "\u{fffd}");
        let name = if name.is_empty() { format!("player {seat}") } else { name };
        let is_taken = names[..seat].contains(&name);
        names[seat] = if is_taken { format!("{name}#{}", seat + 1) } else { name };
    }
    Ok(names)
}

/// Returns whether a character is a control character, or changes the direction of the text that follows.
fn is_steering(letter: char) -> bool {
    let reverses =
        matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || reverses
}

/// Returns the seed, and the settings and the league in the form of a record's rules.
fn seed_and_settings(fields: &Fields<'_>) -> Result<(u64, String), BattleError> {
    const SEED: &str = "a whole 64-bit number";
    let input = fields.text("refereeInput")?.unwrap_or_default();
    let lines = input.lines().filter_map(|line| line.trim().split_once('='));
    let mut settings: Vec<(&str, String)> = lines.map(|(key, value)| (key, value.to_string())).collect();
    let in_input = settings.iter().position(|(key, _)| *key == "seed").map(|at| settings.remove(at).1);
    let seed = match (in_input, fields.get("seed")) {
        (Some(text), _) => seed::parse(&text).ok_or_else(|| invalid("refereeInput", "seed=N"))?,
        (None, Some(value)) => seed::deserialize(value).map_err(|_| invalid("seed", SEED))?,
        (None, None) => return Err(BattleError::Missing("refereeInput")),
    };
    let title = fields.text("questionTitle")?.and_then(|title| title.rsplit_once(" Level "));
    let league = match fields.get("league") {
        Some(value) => value.as_u64().map(|league| league.to_string()),
        None => title.map(|(_, level)| level.trim().to_string()).filter(|level| level.parse::<u32>().is_ok()),
    };
    settings.extend(league.map(|league| ("league", league)));
    // These signs separate settings in a record.
    let plain = |text: &str| text.replace(char::is_control, " ").replace([',', '='], ";");
    let settings = settings.iter().map(|(key, value)| format!("{}={}", plain(key), plain(value)));
    Ok((seed, settings.collect::<Vec<_>>().join(",")))
}

/// Returns the challenge's name.
fn title(fields: &Fields<'_>) -> Result<String, BattleError> {
    let first = match fields.get("puzzleTitle") {
        Some(Value::Array(titles)) => titles.first().and_then(Value::as_str),
        _ => fields.text("questionTitle")?.map(|title| title.split(" - Level ").next().unwrap_or(title)),
    };
    Ok(first.unwrap_or("site").chars().filter(|letter| !letter.is_control()).take(MAX_NAME).collect())
}

fn id(fields: &Fields<'_>) -> Result<Option<u64>, BattleError> {
    let Some(value) = fields.get("gameId").or_else(|| fields.get("replayId")) else { return Ok(None) };
    value.as_u64().map(Some).ok_or_else(|| invalid("gameId", "a whole number"))
}

/// Returns the battle as a log of CodinGame's engine.
fn engine_log(
    fields: &Fields<'_>,
    frames: &[Frame<'_>],
    scores: Option<&[f64]>,
    players: usize,
    seed: u64,
) -> Result<Value, BattleError> {
    let by_player = |text: &dyn Fn(&Frame<'_>) -> Value| -> Value {
        let list = |player: usize| -> Vec<Value> {
            let own = |frame: &Frame<'_>| if frame.agent == Some(player) { text(frame) } else { Value::Null };
            frames.iter().map(own).collect()
        };
        (0..players).map(|player| (player.to_string(), json!(list(player)))).collect::<Map<_, _>>().into()
    };
    let mut keys = 0;
    let view = |frame: &Frame<'_>| {
        let view = frame.view?;
        // The site moves the engine's first word to `keyframe`.
        if view.starts_with("KEY_FRAME") || view.starts_with("INTERMEDIATE_FRAME") {
            return Some(view.to_string());
        }
        let word = if frame.is_key { "KEY_FRAME" } else { "INTERMEDIATE_FRAME" };
        let starts_with_number = view.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
        let number = if starts_with_number { String::new() } else { format!("{keys}\n") };
        keys += usize::from(frame.is_key);
        Some(format!("{word} {number}{}", view.trim_start()))
    };
    let views: Vec<Option<String>> = frames.iter().map(view).collect();
    let tooltips = fields.list("tooltips")?.unwrap_or_default().iter().filter(|tip| {
        tip.get("text").is_some_and(Value::is_string)
            && ["event", "turn"].iter().all(|key| tip.get(*key).is_none_or(Value::is_i64))
    });
    let scores = (0..).zip(scores.unwrap_or_default());
    let input = fields.text("refereeInput")?;
    let input = input.map_or_else(
        || vec![format!("seed={}", seed.cast_signed())],
        |input| input.lines().map(str::to_string).collect(),
    );
    Ok(json!({
        "outputs": by_player(&|frame| json!(frame.stdout)),
        "errors": by_player(&|frame| json!(frame.stderr)),
        "summaries": frames.iter().map(|frame| &frame.summary).collect::<Vec<_>>(),
        "views": views,
        "scores": scores.map(|(seat, score): (usize, _)| (seat.to_string(), json!(score))).collect::<Map<_, _>>(),
        "tooltips": tooltips.collect::<Vec<_>>(),
        "uinput": input,
        "ids": (0..players).map(|seat| (seat.to_string(), json!(seat))).collect::<Map<_, _>>(),
        "agents": (0..players).map(|seat| json!({"index": seat})).collect::<Vec<_>>(),
    }))
}

/// Returns how the game ended for a player. The site gives a negative score to a player that failed; the summaries
/// contain the reason.
fn ending(log: &GameLog, seat: usize, score: Option<f64>) -> Ending {
    let is_failed = score.is_some_and(|score| score < 0.0);
    let unknown = || (ReportedFailure::Other, String::new());
    let told = log.failure(seat).or_else(|| is_failed.then(|| log.words_about(seat).unwrap_or_else(unknown)));
    told.map_or(Ending::Normal, |(failure, words)| Ending::Reported { failure, words })
}
