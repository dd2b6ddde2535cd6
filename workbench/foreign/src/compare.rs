//! Comparison of a bundled game's rules with an external referee. Both play the same games until there is a difference.

use crate::ForeignError;
use crate::commands::{command, split};
use crate::referee::{ExternalReferee, RefereedGame};
use contender_game::{contest::Contest, settings::Options};
use contender_play::{CommandLine, Entrant, Fixture, GameError, Program, Record};
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// A difference between the rules and a referee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleDifference {
    /// The number of the turn, starting at 1, or 0 for the end of the game.
    pub turn: usize,
    /// A description of the compared value.
    pub what: String,
    /// The referee's value.
    pub referee: String,
    /// The value according to the rules.
    pub rules: String,
}

impl fmt::Display for RuleDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RuleDifference { turn, what, referee, rules } = self;
        let place = if *turn == 0 { "the end".to_string() } else { format!("turn {turn}") };
        write!(f, "{place}, {what}: `{referee}` according to the referee, `{rules}` according to the rules")
    }
}

/// The result of comparing one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compared {
    /// No difference was found. The number is the number of turns.
    Same(usize),
    /// A difference was found.
    Different(RuleDifference),
    /// The game could not be compared. The text is the reason.
    Void(String),
    /// The comparison was stopped from outside.
    Stopped,
}

/// Number of players in a contest.
const SIDES: usize = 2;

/// Plays a game with the referee, and replays the answers with the rules. The players' input must be the same in every
/// turn, and the game must end in the same turn with the same winner.
///
/// `rule` is the rule variant that gives the rules the referee's start position. It may contain `{SEED}` for the seed.
///
/// # Errors
/// Returns an error if the contest does not accept the rule, or if a folder cannot be written.
pub fn compare(
    contest: &dyn Contest,
    rule: &str,
    referee: &ExternalReferee,
    bots: [&Entrant; SIDES],
    seed: i64,
    stop: &AtomicBool,
) -> Result<Compared, ForeignError> {
    let mut options = Options::rules();
    let (key, value) = rule.split_once('=').ok_or_else(|| ForeignError::Setup(rule.to_string()))?;
    options.add(key, &value.replace("{SEED}", &seed.to_string())).map_err(ForeignError::Rule)?;
    let folder = tempfile::tempdir().map_err(ForeignError::file("create", &std::env::temp_dir()))?;
    let heard = [0, 1].map(|seat| folder.path().join(format!("heard-{seat}")));
    let recorded = [0, 1].map(|seat| recording(bots[seat], &heard[seat]));
    let [first, second] = recorded;
    let seed = seed.cast_unsigned();
    let fixture = Fixture { seats: vec![first?, second?], seed, bot_seeds: Vec::new() };
    let played: RefereedGame = match referee.play_here(&fixture, stop) {
        Ok(played) => played,
        Err(GameError::Stopped) => return Ok(Compared::Stopped),
        Err(error) => return Ok(Compared::Void(error.to_string())),
    };
    let Some(log) = &played.game_log else {
        return Ok(Compared::Void("the referee has written no log".to_string()));
    };
    let heard = heard.map(|path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned());
    let answers = [0, 1].map(|seat| log.answers(seat).map(lines).collect());
    let mut judge = contest.judge(seed, &mut options).map_err(ForeignError::Rule)?;
    options.finish().map_err(ForeignError::Rule)?;
    Ok(replay(
        judge.as_mut(),
        &Sides { heard: heard.each_ref().map(|text| lines(text)), answers },
        &played.record,
    ))
}

/// Wraps a bot so that its input is saved in a file.
fn recording(bot: &Entrant, file: &Path) -> Result<Entrant, ForeignError> {
    let words = split(&command(bot))?;
    let file = file.display().to_string();
    let script = ["sh", "-c", "tee \"$0\" | \"$@\"", &file].map(str::to_string);
    let line = CommandLine::new(script.into_iter().chain(words));
    Ok(Entrant { name: bot.name.clone(), program: Program::Command(line) })
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim_end().to_string()).collect()
}

/// The input and output of both players.
struct Sides {
    /// All lines that each player received.
    heard: [Vec<String>; SIDES],
    /// Each player's answers, as lists of lines.
    answers: [Vec<Vec<String>>; SIDES],
}

fn replay(judge: &mut dyn contender_game::contest::Judge, sides: &Sides, played: &Record) -> Compared {
    let different = |turn, what: &str, referee: &str, rules: &str| {
        Compared::Different(RuleDifference {
            turn,
            what: what.to_string(),
            referee: referee.to_string(),
            rules: rules.to_string(),
        })
    };
    let mut read = [0; SIDES];
    let mut turns = [0; SIDES];
    loop {
        let questions = judge.ask();
        if questions.is_empty() {
            break;
        }
        for question in questions {
            let (player, seat) = (question.player, question.player.index());
            turns[seat] += 1;
            let turn = turns[seat];
            let sent = &sides.heard[seat];
            for (at, line) in question.text.lines().enumerate() {
                let what = format!("line {} to player {seat}", at + 1);
                let heard = sent.get(read[seat]);
                // A player that has left does not receive its last question.
                let is_gone = heard.is_none() && sides.answers[seat].len() < turn;
                if is_gone {
                    break;
                }
                let line = line.trim_end();
                if heard.is_none_or(|heard| heard != line) {
                    let heard = heard.map_or("nothing: the game is over", String::as_str);
                    return different(turn, &what, heard, line);
                }
                read[seat] += 1;
            }
            match sides.answers[seat].get(turn - 1) {
                Some(answer) if judge.answer(player, answer).is_ok() => {}
                _ => judge.fail(player),
            }
        }
    }
    for seat in 0..SIDES {
        if let Some(line) = sides.heard[seat].get(read[seat]) {
            return different(
                turns[seat] + 1,
                &format!("to player {seat}"),
                line,
                "nothing: the game is over",
            );
        }
    }
    let [theirs, ours] = results(played, judge.points());
    if theirs[0] != ours[0] {
        return different(0, "the result", &theirs.concat(), &ours.concat());
    }
    Compared::Same(turns[0].max(turns[1]))
}

/// Returns the result of a game according to the referee and according to the rules, each as the winner and the points.
fn results(played: &Record, points: [i32; 2]) -> [[String; 2]; 2] {
    let winner = |zero_first: std::cmp::Ordering| match zero_first {
        std::cmp::Ordering::Greater => "player 0 wins".to_string(),
        std::cmp::Ordering::Equal => "a draw".to_string(),
        std::cmp::Ordering::Less => "player 1 wins".to_string(),
    };
    let scores = if played.has_points() { format!(", scores {:?}", played.points()) } else { String::new() };
    [
        [winner(played.seats[1].rank.cmp(&played.seats[0].rank)), scores],
        [winner(points[0].cmp(&points[1])), format!(", points {points:?}")],
    ]
}

#[cfg(test)]
mod tests;
