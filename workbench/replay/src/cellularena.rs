//! Recordings of games by the Cellularena contest's referee. A recording consists of JSON lines. For each game there is
//! one line of the kind `init`, then one line of the kind `turn` per turn with the players' output and the state after
//! the turn, and one line of the kind `end`.
//!
//! Recordings of hand-made positions have the same format. Their games may stop before the end, and their `seed` is a
//! name.

use crate::ReplayError;
use crate::games::ReplayedGame as Replayed;
use crate::outcome::Outcome;
use crate::source::Source;
use anyhow::{Context, Error, Result, bail, ensure};
use contender_cellularena::{
    CONTEST, CellularenaJudge, CellularenaProtocol, State, TURN_LIMIT, map, position,
};
use contender_game::{
    contest::{Judge, OpenJudge},
    rules::Player,
};
use serde::Deserialize;

/// Returns whether a file that starts with this line has this format.
#[must_use]
pub fn is_first_line(line: &str) -> bool {
    matches!(serde_json::from_str(line), Ok(Record::Init { .. }))
}

/// One line of a recording.
#[derive(Deserialize)]
#[serde(tag = "k", rename_all = "lowercase")]
enum Record {
    Init {
        /// The seed of the map, or a name.
        seed: String,
        #[serde(flatten)]
        position: Position,
    },
    Turn {
        t: u8,
        /// The lines that each player printed.
        act: [Vec<String>; 2],
        #[serde(flatten)]
        position: Position,
    },
    End {
        turns: u64,
        organs: [i64; 2],
        proteins: [i64; 2],
        winner: i64,
    },
}

/// An organ: number, owner, x, y, type, direction, parent, root.
type Organ = (u16, u16, u16, u16, String, String, u16, u16);

/// A recorded state.
#[derive(Deserialize)]
struct Position {
    rows: Vec<String>,
    stock: [[i64; 4]; 2],
    organs: Vec<Organ>,
    hash: String,
}

impl Position {
    /// Returns the position in the format of [`position::canonical`].
    fn text(&self) -> String {
        let width = self.rows.first().map_or(0, String::len);
        let mut lines = vec![format!("{width} {}", self.rows.len())];
        lines.extend(self.rows.iter().cloned());
        lines.extend(self.stock.iter().map(|[a, b, c, d]| format!("{a} {b} {c} {d}")));
        lines.extend(self.organs.iter().map(|(id, owner, x, y, kind, dir, parent, root)| {
            format!("{id} {owner} {x} {y} {kind} {dir} {parent} {root}")
        }));
        lines.push(String::new());
        lines.join("\n")
    }

    /// Returns the first difference between the position and a state as an error.
    fn compare(&self, state: &State) -> Result<()> {
        let (recorded, replayed) = (self.text(), position::canonical(state));
        let (mut recorded_lines, mut replayed_lines) = (recorded.lines(), replayed.lines());
        if recorded != replayed {
            let (one, other) = loop {
                match (recorded_lines.next(), replayed_lines.next()) {
                    (Some(one), Some(other)) if one == other => {}
                    pair => break pair,
                }
            };
            let [one, other] = [one, other].map(|line| line.unwrap_or("nothing more"));
            bail!("recorded `{one}`, replayed `{other}`");
        }
        let hash = format!("{:016x}", position::hash(state));
        ensure!(hash == self.hash, "recorded hash {}, replayed {hash}", self.hash);
        Ok(())
    }
}

/// A game that is being replayed.
struct Game {
    name: String,
    judge: CellularenaJudge,
    turns: u64,
    /// Whether the judge generated the map, which means that the game must continue to its end.
    is_whole: bool,
}

impl Game {
    fn start(seed: &str, position: &Position) -> Result<Game> {
        let name = format!("game {seed}");
        let of_game = || format!("{name}: start");
        let start: State = position.text().parse().map_err(Error::msg).with_context(of_game)?;
        position.compare(&start).with_context(of_game)?;
        let seed = seed.parse().ok();
        if let Some(seed) = seed {
            let map = map::generate(seed).map_err(Error::msg).with_context(of_game)?;
            position.compare(&map).with_context(of_game)?;
        }
        Ok(Game { name, judge: CellularenaProtocol::judge(start), turns: 0, is_whole: seed.is_some() })
    }

    fn play(&mut self, turn: u8, lines: &[Vec<String>; 2]) -> Result<()> {
        ensure!(u32::from(turn) <= TURN_LIMIT, "{}: turn {turn}: the game is over", self.name);
        if self.turns == 0 && turn > 1 && !self.is_whole {
            // If the position is from later in a game, only its first turn shows the turn number.
            let mut start = self.judge.state().clone();
            start.set_turns(turn - 1);
            self.judge = CellularenaProtocol::judge(start);
        }
        let turns = self.judge.state().turns();
        ensure!(u32::from(turn) == turns + 1, "{}: turn {turn} follows turn {turns}", self.name);
        let questions = self.judge.ask();
        ensure!(!questions.is_empty(), "{}: turn {turn}: the game is over already", self.name);
        for question in questions {
            if self.judge.answer(question.player, &lines[question.player]).is_err() {
                self.judge.fail(question.player);
            }
        }
        self.turns += 1;
        Ok(())
    }

    fn end(&mut self, turns: u64, organs: [i64; 2], proteins: [i64; 2], winner: i64) -> Result<()> {
        let state = self.judge.state();
        let replayed_winner =
            self.judge.points().iter().position(|&points| points == 1).map_or(-1, |seat| seat as i64);
        let replayed_organs = Player::BOTH.map(|player| i64::from(state.organ_count(player)));
        let replayed_proteins = Player::BOTH.map(|player| state.protein_count(player));
        let compare = |what: &str, recorded: &[i64], replayed: &[i64]| {
            let name = &self.name;
            ensure!(recorded == replayed, "{name}: end: recorded {what} {recorded:?}, replayed {replayed:?}");
            Ok(())
        };
        compare("turns", &[turns as i64], &[self.turns as i64])?;
        compare("organs", &organs, &replayed_organs)?;
        compare("proteins", &proteins, &replayed_proteins)?;
        compare("winner", &[winner], &[replayed_winner])?;
        let is_complete = !self.is_whole || self.judge.ask().is_empty();
        ensure!(is_complete, "{}: end: the turns end before the game does", self.name);
        Ok(())
    }
}

fn read(line: &str) -> Result<Record> {
    Ok(serde_json::from_str(line)?)
}

/// Compares all states (including organ numbers) and the end of every game with the rules. If a game has a seed of the
/// judge, also compares its map.
///
/// # Errors
/// Never returns an error. Malformed lines are listed in the outcome's problems, and the remaining lines of their game
/// are skipped.
pub fn check(source: Source) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut states = 0;
    let mut maps = 0;
    let mut game: Option<Game> = None;
    let mut step = |record: Record, game: &mut Option<Game>| -> Result<bool> {
        let unfinished = game.as_ref().map(|game| format!("{}: missing end", game.name));
        match record {
            Record::Init { seed, position } => {
                let started = Game::start(&seed, &position)?;
                maps += u64::from(started.is_whole);
                *game = Some(started);
                ensure!(unfinished.is_none(), "{}", unfinished.unwrap_or_default());
                return Ok(false);
            }
            Record::Turn { t, act, position } => {
                if let Some(game) = game {
                    game.play(t, &act)?;
                    let of_turn = || format!("{}: turn {t}", game.name);
                    position.compare(game.judge.state()).with_context(of_turn)?;
                    states += 1;
                }
            }
            Record::End { turns, organs, proteins, winner } => {
                if let Some(mut game) = game.take() {
                    game.end(turns, organs, proteins, winner)?;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    };
    for line in source.lines() {
        let result = line.and_then(|(place, text)| {
            let record = read(&text).map_err(|problem| {
                game = None;
                format!("{place}: {problem:#}")
            })?;
            let starts_game = matches!(record, Record::Init { .. });
            step(record, &mut game).map_err(|problem| {
                if !starts_game {
                    game = None;
                }
                format!("{place}: {problem:#}")
            })
        });
        match result {
            Ok(has_ended) => outcome.equal += u64::from(has_ended),
            Err(problem) => outcome.add_problem(problem),
        }
    }
    if let Some(game) = game {
        outcome.add_problem(format!("{}: missing end", game.name));
    }
    outcome.compared = format!("{states} states and {maps} maps");
    Ok(outcome)
}

/// Returns the games for replay; see [`games`](crate::games).
pub fn games(source: Source, skipped: usize) -> impl Iterator<Item = Result<Replayed, ReplayError>> {
    let mut lines = source.lines().peekable();
    let next = move || -> Option<Result<Replayed, ReplayError>> {
        let (place, first) = match lines.next()? {
            Ok(line) => line,
            Err(problem) => return Some(Err(ReplayError::Malformed(problem))),
        };
        let mut rest = Vec::new();
        while let Some(Ok(line)) =
            lines.next_if(|line| line.as_ref().is_ok_and(|(_, text)| !is_first_line(text)))
        {
            rest.push(line);
        }
        Some(replayed(place, &first, &rest).map_err(|problem| ReplayError::Malformed(format!("{problem:#}"))))
    };
    std::iter::from_fn(next).skip(skipped)
}

/// Parses a game from its lines. `first` is the line at the start of the game.
fn replayed(place: String, first: &str, rest: &[(String, String)]) -> Result<Replayed> {
    let Record::Init { seed, position } = read(first).with_context(|| place.clone())? else {
        bail!("{place}: expected the start of a game, found a turn");
    };
    let mut game = Game::start(&seed, &position).with_context(|| place.clone())?;
    let mut start = game.judge.state().clone();
    for (at, (place, text)) in rest.iter().enumerate() {
        if let Record::Turn { t, act, .. } = read(text).with_context(|| place.clone())? {
            game.play(t, &act).with_context(|| place.clone())?;
            if at == 0 {
                start.set_turns(t - 1);
            }
        }
    }
    let moves = game.judge.moves().to_vec();
    Ok(Replayed::new(place, game.name, CONTEST, Box::new(CellularenaProtocol::judge(start)), moves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const GAME: [&str; 3] = [
        r#"{"k":"init","seed":"corridor","w":5,"h":1,"rows":["..A.."],"stock":[[2,0,0,0],[2,0,0,0]],"organs":[[1,0,0,0,"ROOT","N",0,1],[2,1,4,0,"ROOT","N",0,2]],"hash":"HASH"}"#,
        r#"{"k":"turn","t":1,"act":[["GROW 1 1 0 BASIC"],["WAIT"]],"rows":["..A.."],"stock":[[1,0,0,0],[2,0,0,0]],"organs":[[1,0,0,0,"ROOT","N",0,1],[2,1,4,0,"ROOT","N",0,2],[3,0,1,0,"BASIC","N",1,1]],"hash":"HASH"}"#,
        r#"{"k":"end","seed":"corridor","turns":1,"organs":[2,1],"proteins":[1,2],"score":[2,1],"winner":0}"#,
    ];

    /// Returns the game with its hashes filled in.
    fn game() -> [String; 3] {
        GAME.map(|line| {
            let hash = match serde_json::from_str(line) {
                Ok(Record::Init { position, .. } | Record::Turn { position, .. }) => {
                    position::hash(&position.text().parse().unwrap())
                }
                _ => 0,
            };
            line.replace("HASH", &format!("{hash:016x}"))
        })
    }

    fn source(text: &str) -> Source {
        Source::from_bytes("games.jsonl", text.as_bytes().to_vec())
    }

    fn problems(text: &str) -> Vec<String> {
        check(source(text)).unwrap().problems
    }

    #[test]
    fn every_recorded_game_agrees_with_the_rules() {
        let folder = std::env::var_os("CONTENDER_DATA").map_or_else(
            || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
            PathBuf::from,
        );
        for (name, games, compared) in [
            ("cellularena-games.jsonl.gz", 40, "2531 states and 40 maps"),
            ("cellularena-edge.jsonl.gz", 44, "66 states and 0 maps"),
        ] {
            let path = folder.join(name);
            if !path.exists() {
                eprintln!("skipped: no {}", path.display());
                continue;
            }
            let outcome = check(Source::open(&path).unwrap()).unwrap();
            assert_eq!(outcome.problems, [""; 0]);
            assert_eq!((outcome.equal, outcome.compared.as_str()), (games, compared));
        }
    }

    #[test]
    fn differences_are_named_with_line_game_and_turn() {
        let [init, turn, end] = game();
        let good = format!("{init}\n{turn}\n{end}\n");
        assert!(is_first_line(&init) && !is_first_line(&turn) && !is_first_line("{}"));
        assert_eq!(problems(&good), [""; 0]);
        for (from, to, problem) in [
            ("[1,0,0,0]", "[3,0,0,0]", "2: game corridor: turn 1: recorded `3 0 0 0`, replayed `1 0 0 0`"),
            (
                "\"BASIC\",\"N\",1,1]",
                "\"BASIC\",\"E\",1,1]",
                "2: game corridor: turn 1: recorded `3 0 1 0 BASIC E 1 1`, replayed `3 0 1 0 BASIC N 1 1`",
            ),
            ("\"t\":1", "\"t\":101", "2: game corridor: turn 101: the game is over"),
            ("\"winner\":0", "\"winner\":1", "3: game corridor: end: recorded winner [1], replayed [0]"),
            ("\"turns\":1", "\"turns\":2", "3: game corridor: end: recorded turns [2], replayed [1]"),
            ("..A..", "..x..", "1: game corridor: start: `x` is not one of `.#ABCD`"),
        ] {
            let text = good.replacen(from, to, 1);
            assert_ne!(text, good);
            assert_eq!(problems(&text), [format!("games.jsonl:{problem}")], "{to}");
            // The next game is compared again.
            let outcome = check(source(&format!("{text}{good}"))).unwrap();
            assert_eq!((outcome.equal, outcome.problems.len()), (1, 1));
        }
        assert!(problems("{\"k\":\"init\"}")[0].starts_with("games.jsonl:1: missing field"));
        assert_eq!(problems(&format!("{init}\n{turn}\n")), ["game corridor: missing end"]);
    }

    #[test]
    fn games_are_replayed_turn_by_turn() {
        let text = format!("{0}\n{0}", game().join("\n"));
        for skipped in 0..2 {
            let mut game = games(source(&text), skipped).next().unwrap().unwrap();
            let place = ["games.jsonl:1", "games.jsonl:4"][skipped];
            assert_eq!((game.place.as_str(), game.title.as_str()), (place, "game corridor"));
            assert_eq!(game.moves, ["0: GROW 1 1 0 BASIC N | 1: WAIT"]);
            game.go_to(1).unwrap();
            assert_eq!(game.judge().moves(), game.moves);
        }
        assert!(games(source(GAME[1]), 0).next().unwrap().is_err());
    }
}
