//! Test files of Ultimate Tic-Tac-Toe: whole games with their results, perft counts, and positions. The first word of a
//! line tells the kind of the line. Lines that start with `#` are comments.
//!
//! - `game N plies P result R by REASON boards X-O : row,col ...`
//! - `start DEPTH COUNT`, and `moves RC RC ... : c1 c2 ...` with the counts for depths 1, 2, ...
//! - `position N`, then one line each for `moves`, `ply`, `side`, `target`, `row0` to `row8`, `boards`, `legal` and
//!   `perft`

use crate::outcome::Outcome;
use crate::source::Source;
use anyhow::{Context, Result, anyhow, bail, ensure};
use contender_game::{
    contest::Notation,
    rules::{Game, Player, Turn, perft},
};
use contender_uttt::{State, position};

/// Maximum depth of counts. Deeper counts are skipped with a note, because depth 9 from the start position takes
/// seconds.
const MAX_DEPTH: u32 = 8;

/// Returns whether a file that starts with this line has this format.
#[must_use]
pub fn is_first_line(line: &str) -> bool {
    matches!(line.split_whitespace().next(), Some("game" | "start" | "moves" | "position"))
}

/// A position that is being read, with the state after its moves if they are legal.
struct Position {
    place: String,
    state: Option<State>,
    is_equal: bool,
}

/// Compares every line with the rules.
///
/// # Errors
/// Never returns an error. Problems are listed in the outcome.
pub fn check(source: Source) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut counts = 0;
    let mut position: Option<Position> = None;
    for line in source.lines() {
        let (place, line) = match line {
            Ok(line) => line,
            Err(problem) => {
                outcome.add_problem(problem);
                continue;
            }
        };
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let result = match (word, &mut position) {
            ("#", _) => continue,
            ("position", _) => {
                finish(position.replace(Position { place, state: None, is_equal: true }), &mut outcome);
                continue;
            }
            ("game", None) => check_game(rest).map(|()| 0),
            ("start", None) => check_start(rest, &mut outcome.notes),
            ("moves", None) => check_perft(rest),
            (_, Some(position)) => check_field(&mut position.state, word, rest),
            _ => Err(anyhow!("unknown kind of line `{word}`")),
        };
        match (result, &mut position) {
            (Ok(count), None) => {
                outcome.equal += 1;
                counts += count;
            }
            (Ok(count), Some(_)) => counts += count,
            (Err(problem), position) => {
                outcome.add_problem(format!("{place}: {problem}"));
                if let Some(position) = position {
                    position.is_equal = false;
                }
            }
        }
    }
    finish(position, &mut outcome);
    outcome.compared = format!("{counts} perft counts");
    Ok(outcome)
}

fn finish(position: Option<Position>, outcome: &mut Outcome) {
    match position {
        Some(Position { is_equal: true, state: Some(_), .. }) => outcome.equal += 1,
        Some(Position { is_equal: true, place, .. }) => {
            outcome.add_problem(format!("{place}: no moves follow"));
        }
        _ => {}
    }
}

/// Makes moves that are written as `row,col` or `rowcol`.
fn play(moves: &str) -> Result<State> {
    let mut state = State::default();
    for (at, text) in moves.split_whitespace().enumerate() {
        let spaced = match *text.as_bytes() {
            [row @ b'0'..=b'8', column @ b'0'..=b'8'] => {
                format!("{},{}", char::from(row), char::from(column))
            }
            _ => text.to_string(),
        };
        state.play_record(&spaced).map_err(|reason| anyhow!("move {} `{text}`: {reason}", at + 1))?;
    }
    Ok(state)
}

fn expect<T: PartialEq + std::fmt::Display>(what: &str, recorded: T, replayed: T) -> Result<()> {
    ensure!(recorded == replayed, "{what}: recorded {recorded}, replayed {replayed}");
    Ok(())
}

fn check_game(rest: &str) -> Result<()> {
    let (head, moves) = rest.split_once(" : ").context("missing ` : ` before the moves")?;
    let words: Vec<&str> = head.split_whitespace().collect();
    let [_, "plies", plies, "result", result, "by", reason, "boards", boards] = words[..] else {
        bail!("expected `game N plies P result R by REASON boards X-O : moves`");
    };
    let state = play(moves)?;
    ensure!(state.turn() == Turn::Over, "the game is not over after its moves");
    let won = Player::BOTH.map(|player| state.won(player).count_ones());
    let winner = match state.points() {
        [1, 0] => "X",
        [0, 1] => "O",
        _ => "draw",
    };
    expect("plies", plies, &state.plies().to_string())?;
    expect("result", result, winner)?;
    expect("boards", boards, &format!("{}-{}", won[0], won[1]))?;
    let has_line = |mask: u16| {
        [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124].iter().any(|line| mask & line == *line)
    };
    let by_line = Player::BOTH.iter().any(|&player| has_line(state.won(player)));
    expect("reason", reason, if by_line { "line" } else { "count" })
}

fn check_start(rest: &str, notes: &mut Vec<String>) -> Result<u64> {
    let numbers = numbers(rest)?;
    let [depth, count] = numbers[..] else { bail!("expected `start DEPTH COUNT`") };
    if depth > u64::from(MAX_DEPTH) {
        notes.push(format!("perft {depth} from the start was skipped"));
        return Ok(0);
    }
    expect(&format!("perft {depth}"), count, perft(&State::default(), depth as u32))?;
    Ok(1)
}

fn check_perft(rest: &str) -> Result<u64> {
    let (moves, counts) = rest.split_once(':').context("missing `:` before the counts")?;
    check_counts(&play(moves)?, counts)
}

/// Checks the perft counts for depths 1, 2, …
fn check_counts(state: &State, counts: &str) -> Result<u64> {
    let counts = numbers(counts)?;
    ensure!(counts.len() <= 6, "expected counts for at most 6 depths");
    for (depth, &count) in (1..).zip(&counts) {
        expect(&format!("perft {depth}"), count, perft(state, depth))?;
    }
    Ok(counts.len() as u64)
}

/// Checks one line of a `position` entry. Returns the number of perft counts in it.
fn check_field(state: &mut Option<State>, word: &str, value: &str) -> Result<u64> {
    match (word, &state) {
        ("tag", _) => return Ok(0),
        ("moves", _) => {
            *state = Some(play(value)?);
            return Ok(0);
        }
        _ => {}
    }
    let Some(state) = state else { bail!("`{word}` comes before the moves") };
    let written = position::write_state(state);
    let [side, cells, target] = written.split_whitespace().collect::<Vec<_>>()[..] else {
        bail!("expected a position with three parts");
    };
    let replayed = match word {
        "perft" => return check_counts(state, value),
        "ply" => state.plies().to_string(),
        "side" => side.to_string(),
        "target" => target.to_string(),
        "boards" => boards(state),
        "legal" => return check_legal(state, value).map(|()| 0),
        _ => match word.strip_prefix("row").and_then(|row| row.parse::<usize>().ok()) {
            Some(row) if row < 9 => cells[9 * row..9 * row + 9].to_string(),
            _ => bail!("unknown kind of line `{word}`"),
        },
    };
    expect(word, value, &replayed).map(|()| 0)
}

/// Returns one character for each of the nine small boards: `X` or `O` if the board is won, `=` if it is full without a
/// winner, and `.` if it is open.
fn boards(state: &State) -> String {
    let describe = |board: usize| {
        let is_won = |player: Player| state.won(player) >> board & 1 == 1;
        match (is_won(Player::Zero), is_won(Player::One), state.open() >> board & 1) {
            (true, ..) => 'X',
            (_, true, _) => 'O',
            (_, _, 1) => '.',
            _ => '=',
        }
    };
    (0..9).map(describe).collect()
}

fn check_legal(state: &State, value: &str) -> Result<()> {
    let (count, recorded) = value.split_once(':').unwrap_or((value, ""));
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let mut replayed: Vec<String> = moves.iter().map(|mv| format!("{},{}", mv.row(), mv.column())).collect();
    replayed.sort_unstable();
    let mut recorded: Vec<&str> = recorded.split_whitespace().collect();
    recorded.sort_unstable();
    expect("number of legal moves", count.trim(), &replayed.len().to_string())?;
    expect("legal moves", recorded.join(" "), replayed.join(" "))
}

fn numbers(text: &str) -> Result<Vec<u64>> {
    text.split_whitespace()
        .map(|word| word.parse().map_err(|_| anyhow!("`{word}` is not a number")))
        .collect()
}
