//! Games that CodeCup published: a CSV file with one game per row. In Box, the file also has the colours, and the start
//! tile is the first move. Files of other games do not name their game.
//!
//! If a player failed, the points follow from the contest's rule. In Box, the judge moved for this player until the
//! board was full.

#[cfg(feature = "games")]
mod colours;

#[cfg(feature = "games")]
pub use colours::{AfterMoves, Guesses, Settled, Tenth, colours};

use crate::ReplayError;
use crate::games::ReplayedGame;
use crate::outcome::Outcome;
use crate::source::Source;
use anyhow::Context;
use contender_catalogue::{find, unknown_game};
use contender_game::{
    contest::{Contest, Judge},
    rules::Player,
    settings::Options,
};
use serde::Deserialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The columns that every file has. The contest's files have further columns.
const COLUMNS: [&str; 8] = ["Game", "User1", "Score1", "Status1", "User2", "Score2", "Status2", "Moves"];

/// The first line of the Box contest's files.
#[cfg(test)]
const HEADER: &str = "Game,Round,IsSwiss,User1,Score1,Status1,User2,Score2,Status2,Color1,Color2,Moves";

/// The contest whose games a file contains.
#[derive(Clone, Copy)]
struct Games {
    contest: &'static dyn Contest,
    /// Whether the games are those of Box, with two more columns for the colours.
    is_box: bool,
}

/// One row of the file.
#[derive(Deserialize)]
struct Row {
    #[serde(rename = "Game")]
    number: u64,
    #[serde(rename = "User1")]
    first: String,
    #[serde(rename = "Score1")]
    first_points: i32,
    #[serde(rename = "Status1")]
    first_status: Status,
    #[serde(rename = "User2")]
    second: String,
    #[serde(rename = "Score2")]
    second_points: i32,
    #[serde(rename = "Status2")]
    second_status: Status,
    #[serde(rename = "Color1", default)]
    first_colour: String,
    #[serde(rename = "Color2", default)]
    second_colour: String,
    #[serde(rename = "Moves")]
    moves: String,
}

/// The status of a player at the end of a game, as the contest published it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Status {
    Win,
    Draw,
    Lose,
    Timeout,
    Illegal,
    Exit,
    Crash,
}

impl Status {
    fn is_failure(self) -> bool {
        !matches!(self, Status::Win | Status::Draw | Status::Lose)
    }

    /// Returns the status of a player who did not fail, from the points of both players on the board.
    fn of_points(own: i32, other: i32) -> Status {
        match own.cmp(&other) {
            Ordering::Equal => Status::Draw,
            Ordering::Greater => Status::Win,
            Ordering::Less => Status::Lose,
        }
    }
}

impl Row {
    fn statuses(&self) -> [Status; 2] {
        [self.first_status, self.second_status]
    }

    fn points(&self) -> [i32; 2] {
        [self.first_points, self.second_points]
    }

    /// Returns the judge after the setup, and the moves that follow.
    fn start(&self, games: Games) -> Result<(Box<dyn Judge>, impl Iterator<Item = &str>), String> {
        let mut moves = self.moves.split_ascii_whitespace();
        let mut setup = Vec::new();
        if games.is_box {
            let tile = moves.next().unwrap_or_default();
            setup = [&self.first_colour, &self.second_colour, tile].map(str::to_string).to_vec();
        }
        let judge = games.contest.recorded(&setup, &mut Options::rules());
        Ok((judge.map_err(|reason| format!("setup: {reason}"))?, moves))
    }

    /// Replays the game. Returns the first difference between the record and the replay as an error.
    fn check(&self, games: Games) -> Result<(), String> {
        let (mut judge, moves) = self.start(games)?;
        for (at, text) in moves.enumerate() {
            judge
                .replay(text)
                .map_err(|reason| format!("column Moves: move {} `{text}`: {reason}", at + 1))?;
        }
        let board = judge.points();
        let failed = self.statuses().map(Status::is_failure);
        // A failure may have stopped the game anywhere.
        let is_stopped = games.contest.info().failures.stops(failed);
        if !is_stopped && !judge.ask().is_empty() {
            return Err("column Moves: the game is not over after the last move".to_string());
        }
        Player::BOTH.into_iter().filter(|&player| failed[player]).for_each(|player| judge.fail(player));
        for player in Player::BOTH {
            let number = player.index() + 1;
            let (recorded, replayed) = (self.points()[player], judge.points()[player]);
            if recorded != replayed {
                return Err(format!("column Score{number}: recorded {recorded}, replayed {replayed}"));
            }
            let status = self.statuses()[player];
            let expected = Status::of_points(board[player], board[player.other()]);
            if !is_stopped && !failed[player] && status != expected {
                return Err(format!("column Status{number}: recorded {status:?}, replayed {expected:?}"));
            }
        }
        Ok(())
    }
}

/// Compares every game with the rules: each move must be legal, the game must end after its last move, and points and
/// statuses must match.
///
/// # Errors
/// Returns an error if a column is missing, or if the game is not known.
pub fn check(source: Source, game: Option<&'static dyn Contest>) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut failures = BTreeMap::new();
    let (games, rows) = rows(source, game)?;
    for row in rows {
        match row {
            Err(problem) => outcome.add_problem(problem),
            Ok((place, row)) => match row.check(games) {
                Err(problem) => outcome.add_problem(format!("{place}: game {}: {problem}", row.number)),
                Ok(()) => {
                    outcome.equal += 1;
                    for status in row.statuses().into_iter().filter(|status| status.is_failure()) {
                        *failures.entry(format!("{status:?}").to_uppercase()).or_insert(0) += 1;
                    }
                }
            },
        }
    }
    outcome.compared = format!("{} contest points", 2 * outcome.equal);
    outcome.notes = failures.iter().map(|(status, count)| format!("{count} games with {status}")).collect();
    Ok(outcome)
}

/// Returns the games for replay; see [`games`](crate::games).
///
/// # Errors
/// Returns an error if a column is missing, or if the game is not known.
pub fn games(
    source: Source,
    game: Option<&'static dyn Contest>,
    skipped: usize,
) -> anyhow::Result<impl Iterator<Item = Result<ReplayedGame, ReplayError>>> {
    let (games, rows) = rows(source, game)?;
    Ok(rows.skip(skipped).map(move |row| {
        let (place, row) = row.map_err(ReplayError::Malformed)?;
        let title = format!("game {}, {} against {}", row.number, row.first, row.second);
        let (judge, moves) = row
            .start(games)
            .map_err(|reason| ReplayError::Malformed(format!("{place}: {title}: {reason}")))?;
        let moves = moves.map(str::to_string).collect();
        Ok(ReplayedGame::new(place, title, games.contest, judge, moves))
    }))
}

/// A row with its place (`file:line`), or a message if the row is malformed.
type PlacedRow = Result<(String, Row), String>;

/// Returns the games' contest and the rows. A row is always a single line, because no field in these files contains a
/// line break.
fn rows(
    source: Source,
    game: Option<&'static dyn Contest>,
) -> anyhow::Result<(Games, impl Iterator<Item = PlacedRow>)> {
    let name = source.name.clone();
    let mut lines = source.lines();
    let (_, first) =
        lines.next().unwrap_or_else(|| Err("the file is empty".to_string())).map_err(anyhow::Error::msg)?;
    let header = record(&first).with_context(|| format!("{name}:1"))?;
    let has = |column: &str| header.iter().any(|other| other == column);
    for column in COLUMNS {
        let columns = COLUMNS.join(",");
        anyhow::ensure!(has(column), "{name}:1: missing column {column}: expected the columns {columns}");
    }
    let is_box = has("Color1") && has("Color2");
    let game = if is_box { Some(find("box").with_context(|| unknown_game("box"))?) } else { game };
    let contest =
        game.with_context(|| format!("{name}: the file does not name its game\nhint: use `--game GAME`"))?;
    let rows = lines.map(move |line| {
        let (place, text) = line?;
        let row = record(&text).and_then(|record| record.deserialize(Some(&header)));
        match row {
            Ok(row) => Ok((place, row)),
            Err(error) => Err(format!("{place}: {}", reason(&error, &header))),
        }
    });
    Ok((Games { contest, is_box }, rows))
}

/// Parses the fields of one line.
fn record(line: &str) -> csv::Result<csv::StringRecord> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
    let mut record = csv::StringRecord::new();
    reader.read_record(&mut record)?;
    Ok(record)
}

/// Returns a description of an error, with the column's name if it is known.
fn reason(error: &csv::Error, header: &csv::StringRecord) -> String {
    let csv::ErrorKind::Deserialize { err, .. } = error.kind() else { return error.to_string() };
    let column = err.field().and_then(|at| header.get(usize::try_from(at).ok()?));
    column.map_or_else(|| err.kind().to_string(), |column| format!("column {column}: {}", err.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const GAME: &str = "270954,6,swiss,A,150,DRAW,B,150,DRAW,1,6,Hh541362h Ie354261h Fk146523v Ii516324v Oh326514h Fc321456v \
        Da451632v Gl256341h Bk462135v Eg135264h Iq645231v Er326145v Bi453261v Mg451362h Na125436h Ja421536v Dd426135h \
        Mo426153h Cp546132v Km245631h Bm245613h Kc415326h Ad153624h Bs645312v Oo251364h Bb256143h Am631254v";

    fn check_text(rows: &[&str]) -> Outcome {
        let text = format!("{HEADER}\n{}\n", rows.join("\n"));
        check(Source::from_bytes("games.csv", text.into_bytes()), None).unwrap()
    }

    fn problem(row: &str) -> String {
        let outcome = check_text(&[GAME, row]);
        assert_eq!((outcome.equal, outcome.problems.len()), (1, 1), "{row}");
        outcome.problems[0].clone()
    }

    #[test]
    fn every_published_game_agrees_with_the_rules() {
        let folder = std::env::var_os("CONTENDER_DATA").map_or_else(
            || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
            PathBuf::from,
        );
        let mut equal = 0;
        let mut failures = BTreeMap::new();
        for number in 1..=3 {
            let path = folder.join(format!("box-games-{number}.csv"));
            if !path.exists() {
                eprintln!("skipped: no {}", path.display());
                return;
            }
            let outcome = check(Source::open(&path).unwrap(), None).unwrap();
            assert_eq!(outcome.problems, [""; 0], "{}", path.display());
            equal += outcome.equal;
            for note in &outcome.notes {
                let (count, status) = note.split_once(" games with ").unwrap();
                *failures.entry(status.to_string()).or_insert(0) += count.parse::<u64>().unwrap();
            }
        }
        // 5,290 of these games ended regularly.
        assert_eq!(equal, 5_350);
        let expected = [("EXIT", 15), ("ILLEGAL", 34), ("TIMEOUT", 11)];
        assert_eq!(failures, expected.map(|(status, count)| (status.to_string(), count)).into());
    }

    #[test]
    fn differences_are_named_with_line_and_column() {
        let place = "games.csv:3: game 270954: column";
        assert_eq!(
            problem(&GAME.replacen("150", "151", 1)),
            format!("{place} Score1: recorded 151, replayed 150")
        );
        assert_eq!(
            problem(&GAME.replace("B,150,DRAW", "B,150,WIN")),
            format!("{place} Status2: recorded Win, replayed Draw")
        );
        assert_eq!(
            problem(&GAME.replace(" Am631254v", "")),
            format!("{place} Moves: the game is not over after the last move")
        );
        assert_eq!(
            problem(&GAME.replace("Fk146523v", "Hk146523v")),
            format!(
                "{place} Moves: move 13 `Mg451362h`: a tile at Mgh covers 6 filled cells; at most 4 are allowed"
            )
        );
        assert_eq!(
            problem(&format!("{GAME} Aa123456h")),
            format!("{place} Moves: move 27 `Aa123456h`: `Aa123456h` comes after the end of the game")
        );
        assert!(problem(&GAME.replace(",1,6,", ",1,1,")).starts_with("games.csv:3: game 270954: setup: "));
    }

    #[test]
    fn malformed_rows_are_named_and_skipped() {
        assert_eq!(
            problem(&GAME.replace("A,150", "A,many")),
            "games.csv:3: column Score1: invalid digit found in string"
        );
        assert!(
            problem(&GAME.replace("A,150,DRAW", "A,150,HAPPY"))
                .starts_with("games.csv:3: unknown variant `HAPPY`")
        );
        assert!(problem("1,2,3").starts_with("games.csv:3: "));
        assert_eq!(check_text(&["1,2", GAME]).equal, 1);
        assert!(check(Source::from_bytes("games.csv", Vec::new()), None).is_err());
        let headless = Source::from_bytes("games.csv", b"Game,Round\n1,2\n".to_vec());
        let error = check(headless, None).unwrap_err().to_string();
        assert!(error.starts_with("games.csv:1: missing column User1: "), "{error}");
    }

    #[test]
    fn a_game_ends_when_both_have_failed() {
        let row = GAME
            .replace(" Am631254v", "")
            .replace("A,150,DRAW", "A,0,TIMEOUT")
            .replace("B,150,DRAW", "B,0,CRASH");
        assert_eq!(check_text(&[&row]).problems, [""; 0]);
    }

    #[test]
    fn a_failed_player_has_nothing() {
        let row = GAME.replace("A,150,DRAW", "A,0,TIMEOUT");
        let outcome = check_text(&[&row]);
        assert_eq!((outcome.equal, outcome.notes), (1, vec!["1 games with TIMEOUT".to_string()]));
        assert!(
            problem(&GAME.replace("A,150,DRAW", "A,150,CRASH"))
                .contains("column Score1: recorded 150, replayed 0")
        );
    }

    /// The game of other files comes from the command line. A failure ends a game of Ultimate Tic-Tac-Toe.
    #[test]
    fn other_games_are_named_by_the_user() {
        let header = "Game,User1,Score1,Status1,User2,Score2,Status2,Moves";
        let text = |row: &str| format!("{header}\n{row}\n").into_bytes();
        let check = |row: &str, game| check(Source::from_bytes("games.csv", text(row)), game);
        let uttt = contender_catalogue::find("uttt");
        let whole = "1,ann,0,TIMEOUT,bob,1,WIN,\"4,4 4,3\"";
        assert_eq!(check(whole, uttt).unwrap().problems, [""; 0]);
        let wrong = check(&whole.replace(",1,WIN", ",2,WIN"), uttt).unwrap();
        assert_eq!(wrong.problems, ["games.csv:2: game 1: column Score2: recorded 2, replayed 1"]);
        let open = check(&whole.replace("TIMEOUT", "LOSE"), uttt).unwrap();
        assert_eq!(
            open.problems,
            ["games.csv:2: game 1: column Moves: the game is not over after the last move"]
        );
        assert!(check(whole, None).unwrap_err().to_string().contains("--game GAME"));
    }

    #[test]
    fn games_are_replayed_move_by_move() {
        let text = format!("{HEADER}\n1,2\n{GAME}");
        let source = || Source::from_bytes("games.csv", text.clone().into_bytes());
        let mut game = games(source(), None, 1).unwrap().next().unwrap().unwrap();
        assert_eq!((game.place.as_str(), game.title.as_str()), ("games.csv:3", "game 270954, A against B"));
        assert_eq!((game.turn(), game.moves.len(), game.judge().moves().len()), (0, 26, 0));
        game.go_to(100).unwrap();
        assert_eq!((game.turn(), game.judge().points()), (26, [150, 150]));
        assert!(game.step().is_none());
        assert!(games(source(), None, 0).unwrap().next().unwrap().is_err());
        assert!(games(source(), None, 2).unwrap().next().is_none());
    }
}
