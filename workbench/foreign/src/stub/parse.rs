//! The parser of the stub language.

use super::{Count, LinePart, Step, Stub, ValueType, Variable};
use std::collections::BTreeMap;

/// The reason why a text is not a valid stub.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct StubError {
    /// The line number, starting at 1.
    pub line: usize,
    /// The message for the user.
    pub reason: String,
}

/// Maximum depth of nested loops.
const MAX_DEPTH: usize = 8;

/// The section to which a line belongs.
#[derive(Clone, Copy, PartialEq)]
enum Block {
    Main,
    /// The lines after a `write`. A line that is not a command is another line of output.
    Writing,
    Statement,
    Input,
    Output,
}

pub(super) fn parse(text: &str) -> Result<Stub, StubError> {
    let mut stub = Stub::default();
    let mut known = BTreeMap::new();
    let mut is_turn = false;
    let mut block = Block::Main;
    for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        let error = |reason: String| StubError { line: at + 1, reason };
        match line {
            "STATEMENT" => block = Block::Statement,
            "INPUT" => block = Block::Input,
            "OUTPUT" => block = Block::Output,
            "" => block = Block::Main,
            _ if block == Block::Statement => stub.statement.push(line.to_string()),
            _ if block == Block::Output => stub.output.push(line.to_string()),
            _ if block == Block::Input => {
                if let Some((name, meaning)) = line.split_once(':') {
                    stub.inputs.insert(name.trim().to_string(), meaning.trim().to_string());
                }
            }
            "gameloop" if is_turn => return Err(error("a second `gameloop`".to_string())),
            "gameloop" => (is_turn, block) = (true, Block::Main),
            _ => {
                let parsed = step(line, &mut known, 0);
                let step = match parsed {
                    Err(_) if block == Block::Writing => Step::Write(vec![LinePart::Text(line.to_string())]),
                    parsed => parsed.map_err(error)?,
                };
                block = if matches!(step, Step::Write(_)) { Block::Writing } else { Block::Main };
                if is_turn { &mut stub.turn } else { &mut stub.start }.push(step);
            }
        }
    }
    if stub.start.is_empty() && stub.turn.is_empty() {
        let reason = "the stub contains no commands: expected `read`, `write`, `loop`, `loopline` or \
            `gameloop`";
        return Err(StubError { line: 1, reason: reason.to_string() });
    }
    Ok(stub)
}

/// Parses a command. `known` contains the variables read so far.
fn step(text: &str, known: &mut BTreeMap<String, ValueType>, depth: usize) -> Result<Step, String> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    match word {
        "read" => Ok(Step::Read(variables(rest, known)?)),
        "write" => Ok(Step::Write(output(rest, known)?)),
        "loop" if depth == MAX_DEPTH => Err(format!("more than {MAX_DEPTH} nested loops")),
        "loop" => {
            let (count, rest) = count(rest, known)?;
            Ok(Step::Loop(count, Box::new(step(rest, known, depth + 1)?)))
        }
        "loopline" => {
            let (count, rest) = count(rest, known)?;
            let variables = variables(rest, known)?;
            match variables.iter().find(|variable| variable.kind == ValueType::Text) {
                Some(variable) => Err(format!(
                    "`{}` is a string, so no other variable can follow on its line",
                    variable.name
                )),
                None => Ok(Step::ReadLine(count, variables)),
            }
        }
        _ => Err(format!(
            "unknown command `{word}`: expected `read`, `write`, `loop`, `loopline` or `gameloop`"
        )),
    }
}

fn count<'a>(text: &'a str, known: &BTreeMap<String, ValueType>) -> Result<(Count, &'a str), String> {
    let (word, rest) =
        text.split_once(char::is_whitespace).ok_or("expected a count and a command after `loop`")?;
    let count = match word.parse() {
        Ok(number) => Count::Number(number),
        Err(_) => match known.get(word) {
            Some(ValueType::Int | ValueType::Long) => Count::Variable(word.to_string()),
            Some(_) => return Err(format!("`{word}` is not an integer, so it cannot count a loop")),
            None => return Err(format!("`{word}` is used as a loop count before it is read")),
        },
    };
    Ok((count, rest.trim()))
}

fn variables(text: &str, known: &mut BTreeMap<String, ValueType>) -> Result<Vec<Variable>, String> {
    let mut found: Vec<Variable> = Vec::new();
    // There may be spaces around a length.
    let text = text.replace("( ", "(").replace(" )", ")");
    for word in text.split_whitespace() {
        let (name, kind) = word.split_once(':').ok_or_else(|| {
            format!(
                "invalid variable `{word}`: expected \
            NAME:TYPE"
            )
        })?;
        if !is_name(name) {
            return Err(format!("invalid variable name `{name}`"));
        }
        if found.iter().any(|variable| variable.name == name) {
            return Err(format!("`{name}` is read twice in one line"));
        }
        if found.iter().any(|variable| variable.kind == ValueType::Text) {
            return Err("nothing can follow a string, which takes the rest of the line".to_string());
        }
        let kind = match kind.split('(').next().unwrap_or_default() {
            "int" | "bool" => ValueType::Int,
            "long" => ValueType::Long,
            "float" => ValueType::Float,
            "word" => ValueType::Word,
            "string" => ValueType::Text,
            other => {
                return Err(format!(
                    "unknown type `{other}`: expected int, long, float, bool, word(LENGTH) or string(LENGTH)"
                ));
            }
        };
        found.push(Variable { name: name.to_string(), kind });
    }
    if found.is_empty() {
        return Err("missing variables: expected NAME:TYPE".to_string());
    }
    known.extend(found.iter().map(|variable| (variable.name.clone(), variable.kind)));
    Ok(found)
}

fn output(text: &str, known: &BTreeMap<String, ValueType>) -> Result<Vec<LinePart>, String> {
    let Some(inside) = text.strip_prefix("join(").and_then(|rest| rest.strip_suffix(')')) else {
        return Ok(vec![LinePart::Text(text.to_string())]);
    };
    let mut parts = Vec::new();
    let mut rest = inside.trim();
    while !rest.is_empty() {
        let after = if let Some(quoted) = rest.strip_prefix('"') {
            let (words, after) = quoted.split_once('"').ok_or("unclosed quote in join()")?;
            parts.push(LinePart::Text(words.to_string()));
            after
        } else {
            let (name, after) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
            let name = name.trim();
            if !known.contains_key(name) {
                return Err(format!(
                    "`{name}` in join() is neither a quoted text nor a variable that was read before"
                ));
            }
            parts.push(LinePart::Variable(name.to_string()));
            after
        };
        rest = match after.trim() {
            "" => "",
            after => after.strip_prefix(',').ok_or("missing comma in join()")?.trim(),
        };
    }
    Ok(parts)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
