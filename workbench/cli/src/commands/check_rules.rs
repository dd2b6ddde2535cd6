//! `contender check-rules`: checks that a game's rules keep their guarantees, and compares the rules with another
//! implementation.

use crate::arguments::game_parser;
use crate::error::UsageError;
use crate::terminal::coloured;
use clap::Args as ClapArgs;
use contender_game::conformance::check_contest;
use contender_game::{
    contest::{Contest, Judge, Question, excerpt},
    rules::Rng,
    settings::Options,
};
use contender_replay::Source;
use serde::{Deserialize, Deserializer, Serialize};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// `contender check-rules`
#[derive(ClapArgs)]
#[command(after_help = "The --against program reads one line per position of random games: \
    `{\"setup\":[...],\"question\":\"...\",\"moves\":[...]}` with the setup lines, the input of the player \
    to move, and the moves so far. The program answers each line with one line: `{\"legal\":[...]}` with \
    all legal moves in any order, or `{\"points\":[1,0]}` if the game is over. With `{\"legal\":null}`, \
    the position is not compared.")]
pub struct CheckRulesArgs {
    /// Game
    #[arg(value_parser = game_parser())]
    pub game: &'static dyn Contest,
    /// Number of random games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Maximum number of turns; a longer game is reported as endless [default: MAX_TURNS of the game, usually 1000]
    #[arg(long, alias = "longest", value_name = "N")]
    pub max_turns: Option<usize>,
    /// Random seed: a number, or `random`
    #[arg(long, value_name = "S", default_value = "1", value_parser = contender_referee::seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// Command of a program with another implementation of the rules, to compare with
    #[arg(long, value_name = "COMMAND")]
    pub against: Option<String>,
    /// File of recorded games whose positions are compared, instead of random games
    #[arg(long, value_name = "FILE", requires = "against")]
    pub recorded: Option<PathBuf>,
}

pub fn run(args: &CheckRulesArgs) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout();
    let name = args.game.name();
    match check_contest(args.game, args.games, args.max_turns.unwrap_or(usize::MAX), args.seed) {
        Ok(checked) => {
            let tested = match checked.answers == checked.legal_answers {
                true => checked.answers.to_string(),
                false => format!("{} of {}", checked.answers, checked.legal_answers),
            };
            writeln!(
                out,
                "{name} passes: {} games, {} decisions, {tested} answers tested, {} games between its bots",
                checked.games, checked.decisions, checked.bot_games
            )?;
        }
        Err(broken) => {
            writeln!(out, "{name}: {broken}")?;
            return Ok(ExitCode::FAILURE);
        }
    }
    let Some(command) = &args.against else { return Ok(ExitCode::SUCCESS) };
    let mut other = Other::start(command)?;
    let compared = match &args.recorded {
        Some(path) => compare_recorded(args.game, path, &mut other)?,
        None => compare_random(args, &mut other)?,
    };
    match compared {
        Compared::Equal { games, positions } => {
            let skipped = other.skipped;
            if skipped == positions {
                let words = format!(
                    "--against: nothing is compared: the program answered all {positions} positions with \
                     `{{\"legal\":null}}`"
                );
                return Err(UsageError(words).into());
            }
            let compared = positions - skipped;
            writeln!(out, "`{command}` agrees with the rules in all {compared} positions of {games} games")?;
            if skipped > 0 {
                writeln!(
                    out,
                    "{skipped} positions were not compared: the program answered `{{\"legal\":null}}`"
                )?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Compared::Different(difference) => {
            writeln!(out, "{name}: {difference}")?;
            Ok(ExitCode::FAILURE)
        }
    }
}

/// The result of a comparison with another program.
enum Compared {
    Equal {
        games: u64,
        positions: u64,
    },
    /// A description of the first difference.
    Different(String),
}

/// Maximum number of differing moves to show.
const MAX_SHOWN: usize = 100;

/// Returns the difference between the rules and the program's answer in a position, or `None` if they agree. `asked` is
/// the judge's first question, or `None` if the game is over.
fn difference(judge: &dyn Judge, asked: Option<&Question>, answer: Answer) -> Option<String> {
    let Some(question) = asked else {
        let ours = judge.points();
        return match answer.points {
            Some(theirs) if theirs == ours => None,
            Some(theirs) => Some(format!(
                "the points are {ours:?} according to the rules, but {theirs:?} according to the program"
            )),
            None => Some(format!(
                "according to the rules, the game is over with points {ours:?}, but according to the program, it \
                 continues"
            )),
        };
    };
    // An empty list of moves with points also marks the end of the game.
    let is_end = |moves: &Vec<String>| moves.is_empty() && answer.points.is_some();
    let Some(mut theirs) = answer.legal.flatten().filter(|moves| !is_end(moves)) else {
        let words = "according to the rules, the game continues, but according to the program, it is over";
        return Some(words.to_string());
    };
    let mut ours = judge.choices(question.player);
    ours.sort_unstable();
    theirs.sort_unstable();
    let missing = |of: &[String], in_: &[String]| {
        let missing: Vec<&str> = of.iter().filter(|mv| !in_.contains(mv)).map(String::as_str).collect();
        match missing.len() {
            0 => "none".to_string(),
            1..=MAX_SHOWN => missing.join(", "),
            count => format!("{}, and {} more", missing[..MAX_SHOWN].join(", "), count - MAX_SHOWN),
        }
    };
    (ours != theirs).then(|| {
        format!(
            "legal only according to the rules: {}; legal only according to the program: {}",
            missing(&ours, &theirs),
            missing(&theirs, &ours)
        )
    })
}

/// Compares both implementations in random games.
fn compare_random(args: &CheckRulesArgs, other: &mut Other) -> anyhow::Result<Compared> {
    let mut rng = Rng::new(args.seed);
    let mut positions = 0;
    for seed in (args.seed..).take(args.games as usize) {
        let mut judge = args.game.judge(seed, &mut Options::rules()).map_err(UsageError)?;
        loop {
            let questions = judge.ask();
            positions += 1;
            if let Some(what) = other.compare(judge.as_ref(), questions.first())? {
                return Ok(Compared::Different(format!("with seed {seed} {what}")));
            }
            if questions.is_empty() {
                break;
            }
            for question in &questions {
                let choices = judge.choices(question.player);
                if choices.is_empty() {
                    let words = "--against cannot compare this game: a position has too many moves to list";
                    return Err(UsageError(words.to_string()).into());
                }
                let lines: Vec<String> =
                    (0..question.answer_lines).map(|_| rng.choose(&choices).clone()).collect();
                judge.answer(question.player, &lines).map_err(UsageError)?;
            }
            if args.max_turns.is_some_and(|max| judge.moves().len() > max) {
                break;
            }
        }
    }
    Ok(Compared::Equal { games: args.games, positions })
}

/// Compares both implementations in all positions of recorded games.
fn compare_recorded(
    contest: &'static dyn Contest,
    path: &Path,
    other: &mut Other,
) -> anyhow::Result<Compared> {
    let (mut games, mut positions) = (0, 0);
    for game in contender_replay::games(Source::open(path)?, Some(contest), 0)? {
        let mut game = game?;
        anyhow::ensure!(
            game.contest.name() == contest.name(),
            "{}: a game of {}, expected games of {}",
            game.place,
            game.contest.name(),
            contest.name()
        );
        games += 1;
        loop {
            let asked = game.ask();
            positions += 1;
            if let Some(what) = other.compare(game.judge(), asked.first())? {
                return Ok(Compared::Different(format!("{} {what}", game.place)));
            }
            match game.step() {
                Some(played) => played?,
                None => break,
            }
        }
    }
    Ok(Compared::Equal { games, positions })
}

/// A position, as it is sent to the other program.
#[derive(Serialize)]
struct Asked<'a> {
    setup: Vec<String>,
    question: &'a str,
    moves: &'a [String],
}

/// The other program's answer for a position.
#[derive(Deserialize)]
struct Answer {
    /// The legal moves, or `Some(None)` if the program answers `null`: it does not know them.
    #[serde(default, deserialize_with = "given")]
    legal: Option<Option<Vec<String>>>,
    points: Option<[i32; 2]>,
}

impl Answer {
    /// Returns whether the program says that it does not know the position.
    fn is_unknown(&self) -> bool {
        self.legal == Some(None) && self.points.is_none()
    }
}

/// Distinguishes `null` from a missing key.
fn given<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Option<Vec<String>>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// The other program's time limit per position.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running program with another implementation of the rules. Dropping this value kills the program.
struct Other {
    child: Child,
    input: ChildStdin,
    lines: Receiver<std::io::Result<String>>,
    /// Number of positions that the program did not know.
    skipped: u64,
}

impl Other {
    fn start(command: &str) -> anyhow::Result<Other> {
        let words = shell_words::split(command).map_err(|error| UsageError(format!("--against: {error}")))?;
        let [program, arguments @ ..] = &words[..] else {
            return Err(UsageError("--against: the command is empty".to_string()).into());
        };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| UsageError(format!("--against: cannot start {program}: {error}")))?;
        let input = child.stdin.take().expect("the stream is a pipe");
        let output = BufReader::new(child.stdout.take().expect("the stream is a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Other { child, input, lines, skipped: 0 })
    }

    /// Returns the difference between the rules and the program in a position, with the position's moves and board.
    /// `asked` is the judge's first question, or `None` if the game is over.
    fn compare(&mut self, judge: &dyn Judge, asked: Option<&Question>) -> anyhow::Result<Option<String>> {
        let answer = self.ask(&Asked {
            setup: judge.setup(),
            question: asked.map_or("", |question| &question.text),
            moves: judge.moves(),
        })?;
        if answer.is_unknown() {
            self.skipped += 1;
            return Ok(None);
        }
        Ok(difference(judge, asked, answer).map(|what| {
            let moves = judge.moves();
            let board = coloured(judge.picture(None).to_text());
            format!("after {} moves ({}): {what}\n{board}", moves.len(), moves.join(", "))
        }))
    }

    fn ask(&mut self, asked: &Asked<'_>) -> anyhow::Result<Answer> {
        let words = |what: String| UsageError(format!("--against: {what}"));
        let question = serde_json::to_string(asked)?;
        writeln!(self.input, "{question}")
            .and_then(|()| self.input.flush())
            .map_err(|error| words(format!("the program closed its input: {error}")))?;
        let line = self.lines.recv_timeout(PATIENCE).map_err(|error| {
            words(match error {
                RecvTimeoutError::Timeout => {
                    format!("no answer within {} s to {question}", PATIENCE.as_secs())
                }
                RecvTimeoutError::Disconnected => {
                    format!("the program exited without an answer to {question}")
                }
            })
        })?;
        let line = line.map_err(|error| words(error.to_string()))?;
        let invalid = |why: String| words(format!("invalid answer `{}`: {why}", excerpt(&line)));
        let answer: Answer = serde_json::from_str(&line).map_err(|error| invalid(error.to_string()))?;
        if answer.legal.is_none() && answer.points.is_none() {
            return Err(invalid("expected the key `legal` or `points`".to_string()).into());
        }
        Ok(answer)
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        // The program may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
