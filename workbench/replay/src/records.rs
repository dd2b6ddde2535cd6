//! JSON lines, one game a line: our own logs, and plain records `{"game", "moves", "running", "score"}`.

use crate::games::Game;
use crate::outcome::Outcome;
use crate::source::Source;
use contender_catalogue::{find, unknown_game};
use contender_game::{Contest, Judge, Options, Player};
use contender_referee::log::no_game;
use contender_referee::{Ending, Record};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

/// A recorded game; what is not there is not compared.
#[derive(Deserialize)]
struct Recorded {
    game: Option<String>,
    #[serde(default)]
    setup: Vec<String>,
    moves: Vec<String>,
    /// The score after every move: one number, or one for each player. Where it is shorter than `moves`, the first
    /// moves are the setup.
    running: Option<Vec<Score>>,
    /// The last of `running`.
    score: Option<Score>,
    /// Contest points by seat.
    scores: Option<[i32; 2]>,
    /// How each player's part ended, in our own logs.
    end: Option<[Ending; 2]>,
    /// Whether it has what only our own logs have.
    #[serde(default, rename = "result", deserialize_with = "is_there")]
    is_log: bool,
}

/// A score as records have it: one number that both share, or one for each player.
#[derive(Deserialize, Clone, Copy, PartialEq, Debug)]
#[serde(untagged)]
enum Score {
    Shared(i32),
    Own([i32; 2]),
}

impl Score {
    /// What the judge's points say in the form of this score, as far as the game has that form.
    fn seen_in(self, points: [i32; 2], contest: &dyn Contest) -> Score {
        match (self, contest.shared_score(points)) {
            (Score::Shared(_), Some(score)) => Score::Shared(score),
            _ => Score::Own(points),
        }
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Score::Shared(score) => write!(f, "{score}"),
            Score::Own([zero, one]) => write!(f, "{zero}-{one}"),
        }
    }
}

/// Compares every game with its record.
pub fn check(source: Source, game: Option<&'static dyn Contest>) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut compared = 0;
    for line in source.lines() {
        match line.and_then(|(place, text)| check_line(&text, game, &place)) {
            Ok(count) => {
                outcome.equal += 1;
                compared += count;
            }
            Err(problem) => outcome.add_problem(problem),
        }
    }
    outcome.compared = format!("{compared} recorded scores");
    Ok(outcome)
}

/// The games, to be replayed; see [`games`](crate::games).
pub fn games(
    source: Source,
    game: Option<&'static dyn Contest>,
    skipped: usize,
) -> impl Iterator<Item = Result<Game, String>> {
    source.lines().skip(skipped).map(move |line| {
        let (place, text) = line?;
        let recorded = parse(&text, &place)?;
        let (contest, judge) = start(&recorded, game, &place)?;
        let record = Record::from_json(&text).ok();
        let title = record.as_ref().map_or(String::new(), |game| game.bots().join(" against "));
        let moves = recorded.moves[recorded.moves_in_setup()..].to_vec();
        let mut game = Game::new(place, title, contest, judge, moves);
        game.record = record.map(Box::new);
        Ok(game)
    })
}

fn parse(line: &str, place: &str) -> Result<Recorded, String> {
    if !line.trim_start().starts_with('{') {
        return Err(format!("{place}: {}", no_game()));
    }
    serde_json::from_str(line).map_err(|error| {
        // serde_json counts lines from the start of the text it was given; the place already names the line of the
        // file.
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        format!("{place}:{}: {reason}", error.column())
    })
}

fn is_there<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(value).map(|_| true)
}

impl Recorded {
    fn moves_in_setup(&self) -> usize {
        if !self.setup.is_empty() {
            return 0;
        }
        self.running.as_ref().map_or(0, |running| self.moves.len().saturating_sub(running.len()))
    }
}

/// The contest, and the judge at the start of the game.
fn start(
    recorded: &Recorded,
    game: Option<&'static dyn Contest>,
    place: &str,
) -> Result<(&'static dyn Contest, Box<dyn Judge>), String> {
    let contest = match (&recorded.game, game) {
        (Some(name), _) => find(name).ok_or_else(|| format!("{place}: {}", unknown_game(name)))?,
        (None, Some(contest)) => contest,
        (None, None) => return Err(format!("{place}: the record names no game; give --game")),
    };
    let setup = match recorded.moves_in_setup() {
        0 => &recorded.setup,
        count => &recorded.moves[..count].to_vec(),
    };
    let judge = contest.recorded(setup, &mut Options::default());
    Ok((contest, judge.map_err(|reason| format!("{place}: setup: {reason}"))?))
}

/// A game of our own logs says more than its moves and scores, and all of it has to fit.
fn check_line(text: &str, game: Option<&'static dyn Contest>, place: &str) -> Result<u64, String> {
    let recorded = parse(text, place)?;
    if !recorded.is_log {
        return check_game(&recorded, game, place);
    }
    let at = |reason: String| format!("{place}: {reason}");
    let record =
        Record::from_json(text).map_err(|error| format!("{place}:{}: {}", error.column, error.reason))?;
    let contest = find(&record.game).ok_or_else(|| at(unknown_game(&record.game)))?;
    record.check(contest).and_then(|()| record.check_seed(contest)).map_err(at)?;
    Ok(1)
}

/// Replays one game; the number of scores compared, or the first difference.
fn check_game(recorded: &Recorded, game: Option<&'static dyn Contest>, place: &str) -> Result<u64, String> {
    let (contest, mut judge) = start(recorded, game, place)?;
    let mut compared = 0;
    let mut compare = |what: &str, expected: Score, judge: &dyn Judge| {
        let found = expected.seen_in(judge.points(), contest);
        compared += 1;
        if found == expected {
            Ok(())
        } else {
            Err(format!("{place}: {what}: recorded score {expected}, replayed {found}"))
        }
    };
    let moves = &recorded.moves[recorded.moves_in_setup()..];
    if recorded.running.as_ref().is_some_and(|running| running.len() != moves.len()) {
        return Err(format!("{place}: there are more running scores than moves"));
    }
    for (at, text) in moves.iter().enumerate() {
        let what = format!("turn {} `{text}`", at + 1);
        judge.replay(text).map_err(|reason| format!("{place}: {what}: {reason}"))?;
        if let Some(running) = &recorded.running {
            compare(&what, running[at], judge.as_ref())?;
        }
    }
    if let Some(end) = &recorded.end {
        for player in Player::BOTH.into_iter().filter(|&player| end[player].is_failure()) {
            judge.fail(player);
        }
    }
    let last = recorded.score.or(recorded.scores.map(Score::Own));
    if let Some(score) = last {
        compare("end", score, judge.as_ref())?;
    }
    Ok(compared)
}
