//! JSON lines with one game per line: our own logs, and plain records `{"game", "moves", "running", "score"}`.

use crate::ReplayError;
use crate::games::ReplayedGame;
use crate::outcome::Outcome;
use crate::source::Source;
use contender_catalogue::{find, unknown_game};
use contender_game::{
    contest::{Contest, Judge},
    rules::Player,
};
use contender_input::this_program;
use contender_play::log::{no_game, result_of, rules_of};
use contender_play::{Ending, Record};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

/// A recorded game. Values that are missing from the record are not compared.
#[derive(Deserialize)]
struct Recorded {
    game: Option<String>,
    /// The seed, which determines the setup if none is recorded.
    seed: Option<Seed>,
    setup: Option<Vec<String>>,
    moves: Option<Vec<String>>,
    /// The score after every move: one number, or one number per player. If there are more moves than scores, the first
    /// moves are the setup.
    running: Option<Vec<Score>>,
    /// The final score, which is the last value of `running`.
    score: Option<Score>,
    /// Contest points by seat.
    scores: Option<[i32; 2]>,
    /// The result by contest points, as in our own logs. The game must be over unless the result is `*`.
    result: Option<String>,
    /// The ending of the game for each player, as in our own logs.
    end: Option<[Ending; 2]>,
    /// The rule variants, as in our own logs.
    #[serde(default)]
    rules: String,
}

/// A seed in the form that records use: a number, or its digits as text.
#[derive(Deserialize, Clone, Copy)]
struct Seed(#[serde(with = "contender_play::seed")] u64);

/// A recorded score: one number for both players, or one number per player.
#[derive(Deserialize, Clone, Copy, PartialEq, Debug)]
#[serde(untagged)]
enum Score {
    Shared(i32),
    Own([i32; 2]),
}

impl Score {
    /// Converts the judge's points into the form of this score.
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

/// Returns the games for replay; see [`games`](crate::games).
pub fn games(
    source: Source,
    game: Option<&'static dyn Contest>,
    skipped: usize,
) -> impl Iterator<Item = Result<ReplayedGame, ReplayError>> {
    source.lines().skip(skipped).map(move |line| {
        let malformed = ReplayError::Malformed;
        let (place, text) = line.map_err(malformed)?;
        let recorded = parse(&text, &place)?;
        let (contest, judge) = start(&recorded, game, &place).map_err(malformed)?;
        let record = Record::from_json(&text).ok();
        let title = record.as_ref().map_or(String::new(), |game| game.bots().join(" against "));
        let moves = recorded.moves()[recorded.moves_in_setup()..].to_vec();
        let mut game = ReplayedGame::new(place, title, contest, judge, moves);
        game.record = record.map(Box::new);
        Ok(game)
    })
}

fn parse(line: &str, place: &str) -> Result<Recorded, ReplayError> {
    if !line.trim_start().starts_with('{') {
        return Err(ReplayError::Malformed(format!("{place}: {}", no_game())));
    }
    if let Some(record) = Record::from_json(line).ok().filter(has_no_moves) {
        let reason = match (&record.battle, &record.repeat) {
            (Some(_), _) => format!(
                "{place}: a battle of the site has recorded answers, but no moves that Contender can read\nhint: the \
                 challenge's referee plays it again with `{} replay LOG --referee REFEREE --check`",
                this_program()
            ),
            (None, repeat) => format!(
                "{place}: this game was played by an external referee, and its log has neither the moves nor the bots' \
                 input{}",
                repeat
                    .as_ref()
                    .map_or(String::new(), |repeat| format!("\nhint: this command plays it again: {repeat}"))
            ),
        };
        return Err(ReplayError::WithoutMoves { reason, record: Box::new(record) });
    }
    serde_json::from_str(line).map_err(|error| {
        // serde_json counts lines from the start of this text, but `place` already contains the line in the file.
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        ReplayError::Malformed(format!("{place}:{}: {reason}", error.column()))
    })
}

/// Returns whether another referee played the game. Contender does not know the moves of such a game.
fn has_no_moves(record: &Record) -> bool {
    record.is_external() || record.moves.is_empty() && find(&record.game).is_none() && !record.game.is_empty()
}

impl Recorded {
    fn moves(&self) -> &[String] {
        self.moves.as_deref().unwrap_or_default()
    }

    fn moves_in_setup(&self) -> usize {
        if self.setup.is_some() {
            return 0;
        }
        self.running.as_ref().map_or(0, |running| self.moves().len().saturating_sub(running.len()))
    }

    /// Returns the setup if the record contains it.
    fn setup(&self) -> Option<&[String]> {
        match self.moves_in_setup() {
            0 => self.setup.as_deref(),
            count => Some(&self.moves()[..count]),
        }
    }

    /// Checks that the record contains everything that a replay needs. The error lists all missing parts.
    fn check_complete(&self, contest: Option<&dyn Contest>) -> Result<(), String> {
        let mut missing = Vec::new();
        if contest.is_none() {
            missing.push("`game` (or give --game)");
        }
        if self.moves.is_none() {
            missing.push("`moves`");
        }
        let has_start = self.seed.is_some() || self.setup().is_some();
        let draws_setup = |contest: &dyn Contest| {
            let mut rules = rules_of(&self.rules).ok()?;
            Some(!contest.judge(0, &mut rules).ok()?.setup().is_empty())
        };
        if !has_start && contest.is_some_and(|contest| draws_setup(contest).unwrap_or(false)) {
            missing.push("`setup` (or `seed`)");
        }
        if missing.is_empty() { Ok(()) } else { Err(format!("missing keys: {}", missing.join(", "))) }
    }
}

/// Returns the contest and a judge at the start of the game.
fn start(
    recorded: &Recorded,
    game: Option<&'static dyn Contest>,
    place: &str,
) -> Result<(&'static dyn Contest, Box<dyn Judge>), String> {
    let at = |reason: String| format!("{place}: {reason}");
    let contest = match &recorded.game {
        Some(name) => Some(find(name).ok_or_else(|| at(unknown_game(name)))?),
        None => game,
    };
    recorded.check_complete(contest).map_err(at)?;
    let contest = contest.expect("a complete record has a game");
    let mut rules = rules_of(&recorded.rules).map_err(|error| at(error.to_string()))?;
    let judge = match (recorded.setup(), recorded.seed) {
        (None, Some(Seed(seed))) => contest.judge(seed, &mut rules).map_err(at)?,
        (setup, _) => contest
            .recorded(setup.unwrap_or_default(), &mut rules)
            .map_err(|reason| format!("{place}: setup: {reason}"))?,
    };
    rules.finish().map_err(at)?;
    Ok((contest, judge))
}

/// The keys of every game that the built-in referee has played.
const KEYS_OF_LOGS: [&str; 9] =
    ["game", "seed", "players", "setup", "moves", "result", "scores", "times_ms", "end"];

fn has_all_keys(text: &str) -> bool {
    let found = serde_json::from_str::<BTreeMap<&str, IgnoredAny>>(text).unwrap_or_default();
    KEYS_OF_LOGS.iter().all(|key| found.contains_key(key))
}

/// Checks one line. In a game from our own logs, all data must match. If a record lacks one of the keys in these logs,
/// only its moves and scores are compared.
fn check_line(text: &str, game: Option<&'static dyn Contest>, place: &str) -> Result<u64, String> {
    let recorded = parse(text, place).map_err(|error| error.to_string())?;
    if !has_all_keys(text) {
        return check_game(&recorded, game, place);
    }
    let at = |reason: String| format!("{place}: {reason}");
    let record =
        Record::from_json(text).map_err(|error| format!("{place}:{}: {}", error.column, error.reason))?;
    let contest = find(&record.game).ok_or_else(|| at(unknown_game(&record.game)))?;
    record.check(contest).and_then(|()| record.check_seed(contest)).map_err(|error| at(error.to_string()))?;
    Ok(1)
}

/// Replays a game. Returns the number of compared scores, or an error with the first difference.
fn check_game(recorded: &Recorded, game: Option<&'static dyn Contest>, place: &str) -> Result<u64, String> {
    let (contest, mut judge) = start(recorded, game, place)?;
    if let (Some(recorded_setup), Some(Seed(seed))) = (recorded.setup(), recorded.seed) {
        let mut rules = rules_of(&recorded.rules).map_err(|error| error.to_string())?;
        let drawn = contest.judge(seed, &mut rules)?.setup();
        if drawn != recorded_setup {
            let [recorded, drawn] = [recorded_setup, &drawn].map(|setup| setup.join(" "));
            return Err(format!(
                "{place}: the setup for seed {} is `{drawn}`, but the recorded setup is `{recorded}`",
                seed.cast_signed()
            ));
        }
    }
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
    let moves = &recorded.moves()[recorded.moves_in_setup()..];
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
    let failed = |player: Player| recorded.end.as_ref().is_some_and(|end| end[player].is_failure());
    let result = recorded.result.as_deref().filter(|&result| result != "*");
    if result.is_some() && !Player::BOTH.into_iter().any(failed) && !judge.ask().is_empty() {
        return Err(format!("{place}: the game is not over after the last recorded move"));
    }
    Player::BOTH.into_iter().filter(|&player| failed(player)).for_each(|player| judge.fail(player));
    if let Some(result) = result {
        let replayed = result_of(judge.points());
        if replayed != result {
            return Err(format!("{place}: end: recorded result {result}, replayed {replayed}"));
        }
    }
    let last = recorded.score.or(recorded.scores.map(Score::Own));
    if let Some(score) = last {
        compare("end", score, judge.as_ref())?;
    }
    Ok(compared + u64::from(result.is_some()))
}
