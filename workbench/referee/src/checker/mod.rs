//! Checks of a bot's protocol and timing before it joins an arena.

mod report;

pub use report::{Check, CheckReport, CheckStatus};

use crate::{
    ChildGuard, CommandLine, Ending, Entrant, ExitStatus, Fixture, NoAnswer, Record, Referee, Seat,
    SetupError, WaitOutcome,
};
use anyhow::{Context, bail};
use contender_game::{
    contest::{Contest, Limits},
    rules::{Player, mix},
};
use contender_input::this_program;
use report::number;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Fraction of a time limit above which a bot's time is reported as too close to the limit. Such a bot would lose on a
/// slower machine.
const NEAR: f64 = 0.8;

/// Number of bytes of standard error output that CodeCup keeps per game. A bot should not write more.
const MUCH_STDERR: usize = 10_000;

/// The time that a process has to exit after the end of its game or its input. It includes the start of the process,
/// which can be slow on a busy machine.
const PATIENCE: Duration = Duration::from_secs(2);

/// Maximum number of bytes read from a process that runs without a referee.
const MAX_OUTPUT: usize = 1 << 16;

/// A bot to check and the conditions of the check.
pub struct Checker<'a> {
    contest: &'a dyn Contest,
    referee: Referee,
    bot: &'a Entrant,
    /// The command for running the program without a referee.
    command: CommandLine,
    /// The seed for all games.
    seed: u64,
}

impl<'a> Checker<'a> {
    /// Prepares the check of a program under a referee's conditions.
    ///
    /// # Errors
    /// Returns an error for a bundled bot, or if a placeholder in the command cannot be filled in.
    pub fn new(
        contest: &'a dyn Contest,
        referee: Referee,
        bot: &'a Entrant,
        seed: u64,
    ) -> Result<Checker<'a>, SetupError> {
        if !bot.program.is_external() {
            return Err(SetupError::NotExternal(bot.name.clone()));
        }
        let command = bot.program.command(&referee.conditions.limits, seed)?;
        let referee = referee.with(|conditions| {
            conditions.stderr_tail = 1 << 20;
            conditions.play_on = false;
            conditions.grace = PATIENCE;
        });
        Ok(Checker { contest, referee, bot, command, seed })
    }

    /// Plays `games` games in each seat (at least 1), tests the program without a referee, and reports the results.
    /// `command` is the bot's command as the user typed it. Appends every game to `log`.
    ///
    /// # Errors
    /// Returns an error if the check is interrupted, or if a problem occurs that the bot did not cause.
    pub fn run(
        &self,
        command: &str,
        games: u32,
        mut log: Option<&mut dyn Write>,
        stop: &AtomicBool,
    ) -> anyhow::Result<CheckReport> {
        let games = self.play(games, &mut log, stop)?;
        let checks = checks(self.contest, &self.referee, &games, &self.command, stop);
        if stop.load(Ordering::Relaxed) {
            bail!("interrupted");
        }
        let passed = checks.iter().all(|check| check.status != CheckStatus::Fail);
        let game = self.contest.name().to_string();
        Ok(CheckReport { game, command: command.to_string(), passed, checks })
    }

    /// Starts a game and asks the bot for its first answer.
    ///
    /// # Errors
    /// Returns the reason if no answer came.
    pub fn first_answer(&self, stop: &AtomicBool) -> Result<(), NoAnswer> {
        let limits = &self.referee.conditions.limits;
        let limit = first_limit(limits).max(PATIENCE);
        let judge = self.contest.judge(1, &mut self.referee.conditions.rules.clone());
        let question = judge.map_err(NoAnswer::Game)?.ask().into_iter().next();
        let Some(question) = question else { return Ok(()) };
        let mut bot = ChildGuard::start(&self.command, MAX_OUTPUT, MUCH_STDERR)
            .map_err(|error| NoAnswer::CannotStart(error.to_string()))?;
        bot.send(question.text.as_bytes());
        let waited = bot.wait(limit, stop, |output| output.contains(&b'\n'));
        if waited == WaitOutcome::Enough || stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        let remains = bot.end();
        let stderr = last_lines(&remains.stderr, "stderr: ");
        Err(match waited {
            WaitOutcome::Ended => NoAnswer::Exits { stderr },
            _ => NoAnswer::Late { stderr },
        })
    }

    /// Finds the reason why a bot does not answer at all. Returns it with advice, or `None` if the bot answers.
    #[must_use]
    pub fn silence(&self, stop: &AtomicBool) -> Option<String> {
        let found = silence(self.contest, &self.referee, &self.command, stop)?;
        Some(format!("{}: {}", found.detail, found.remedy))
    }

    /// Plays games in both seats against the weakest bundled bot. The last game is a repetition of the first.
    fn play(
        &self,
        games: u32,
        log: &mut Option<&mut dyn Write>,
        stop: &AtomicBool,
    ) -> anyhow::Result<Vec<Played>> {
        let weakest = self.contest.info().bots.first().map_or("random", |bot| bot.name);
        let opponent = Entrant::parse(self.contest, weakest)?;
        let mut played = Vec::new();
        for number in (0..2 * games.max(1)).chain([0]) {
            let seat = Player::from_index(number as usize % 2);
            let seed = |part: u64| mix(&[self.seed, u64::from(number), part]);
            let players = if seat == Player::Zero { [self.bot, &opponent] } else { [&opponent, self.bot] };
            let fixture = Fixture::between(players, seed(0), [seed(1), seed(2)]);
            let record = self.referee.play(self.contest, &fixture, stop)?;
            if record.interrupted {
                bail!("interrupted");
            }
            if let Some(log) = log {
                record.write_to(log).context("cannot write the log of games")?;
            }
            played.push(Played { seat, record });
        }
        Ok(played)
    }
}

/// A game, and the seat in which the bot played.
struct Played {
    seat: Player,
    record: Record,
}

impl Played {
    fn report(&self) -> &Seat {
        &self.record.seats[self.seat.index()]
    }
}

fn checks(
    contest: &dyn Contest,
    referee: &Referee,
    games: &[Played],
    command: &CommandLine,
    stop: &AtomicBool,
) -> Vec<Check> {
    if let Ending::CannotStart { reason } = &games[0].report().ending {
        let remedy = "give a command that starts the bot from this folder, or the bot's full path";
        return vec![Check::new("starts", CheckStatus::Fail, reason, remedy)];
    }
    let mut checks = vec![Check::new("starts", CheckStatus::Pass, "", "")];
    for player in Player::BOTH {
        checks.push(answers(contest, games, player));
    }
    checks.extend(failures(games));
    checks.push(time(referee.conditions.limits, games));
    // Only a referee isolates bots.
    let may_start = referee.isolation().is_none();
    if may_start {
        // The result of a closer look replaces the check that it explains.
        for found in closer_looks(contest, referee, games, command, stop) {
            checks.retain(|check| check.name != found.name);
            checks.push(found);
        }
    }
    let is_over = |game: &&Played| game.report().ending == Ending::Normal;
    if let Some(game) = games.iter().find(is_over) {
        checks.extend(farewell(contest, referee, game));
    }
    if may_start {
        checks.push(end_of_input(command, stop));
        checks.extend(left_behind(contest, referee, command, stop));
    }
    checks.push(repeats(games));
    checks.push(stderr(games));
    checks
}

/// Checks that no game ended with a failure of the bot.
fn failures(games: &[Played]) -> [Check; 3] {
    let failure = |name, is_so: fn(&Ending) -> bool, remedy: &str| failure(games, name, is_so, remedy);
    let replay = format!("with `--log FILE`, `{} replay FILE", this_program());
    [
        failure(
            "plays legal moves",
            |ending| matches!(ending, Ending::Illegal { .. }),
            &format!(
                "{replay}` shows the games, so that you can compare the position in the bot with the \
                 position in the judge"
            ),
        ),
        failure(
            "keeps running",
            |ending| matches!(ending, Ending::Crash { .. } | Ending::Exit { .. } | Ending::Memory { .. }),
            &format!(
                "{replay} --number N --input SEAT` prints the bot's input up to the failure, so that you can \
                 run the bot with it"
            ),
        ),
        failure(
            "writes answers only",
            |ending| {
                use Ending::{ClosedStdin, ClosedStdout, Flood, InvalidUtf8};
                matches!(ending, ClosedStdout | ClosedStdin | Flood { .. } | InvalidUtf8 { .. })
            },
            "write exactly the requested lines to standard output, and everything else to standard error",
        ),
    ]
}

/// Checks that the bot answers at all in a seat.
fn answers(contest: &dyn Contest, games: &[Played], player: Player) -> Check {
    let here = games.iter().filter(|game| game.seat == player);
    let (count, answers) =
        here.fold((0, 0), |(count, answers), game| (count + 1, answers + game.report().answers));
    let name = format!("answers as {}", contest.info().seats[player]);
    if answers == 0 {
        let first = games.iter().find(|game| game.seat == player);
        let detail = first.map_or(String::new(), |game| game.report().ending.to_string());
        return Check::new(
            name,
            CheckStatus::Fail,
            detail,
            "make the bot answer the first question in both seats",
        );
    }
    let detail = format!("{} in {}", number(answers, "answer"), number(count, "game"));
    Check::new(name, CheckStatus::Pass, detail, "")
}

/// Checks that no game ended with a given failure.
fn failure(games: &[Played], name: &str, is_so: fn(&Ending) -> bool, remedy: &str) -> Check {
    let failed = games.iter().zip(1..).find(|(game, _)| is_so(&game.report().ending));
    let Some((game, number)) = failed else {
        let is_known = games.iter().any(|game| game.report().answers > 0);
        return if is_known { Check::new(name, CheckStatus::Pass, "", "") } else { Check::skip(name) };
    };
    let report = game.report();
    // An illegal answer is included in the number of answers.
    let answer = report.answers + u32::from(!matches!(report.ending, Ending::Illegal { .. }));
    let mut detail = format!(
        "game {number} (seed {}), answer {answer}: {}",
        game.record.seed.cast_signed(),
        report.ending
    );
    detail.extend(report.notes.iter().map(|note| format!("\n{note}")));
    detail += &last_lines(&report.stderr, "stderr: ");
    Check::new(name, CheckStatus::Fail, detail, remedy)
}

/// Returns the last lines of a bot's standard error output, for printing below its failure. Each line is preceded by a
/// newline and `prefix`. Runtimes print the reason above the stack trace, so there must be room for both.
#[must_use]
pub fn last_lines(stderr: &str, prefix: &str) -> String {
    const MAX_LINES: usize = 12;
    let lines: Vec<&str> = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(MAX_LINES)..];
    let shown =
        |line: &&str| line.chars().filter(|letter| !letter.is_control()).take(200).collect::<String>();
    last.iter().map(|line| format!("\n{prefix}{}", shown(line))).collect()
}

/// Checks that all answers came in time, and reports how close they came to the limits.
fn time(limits: Limits, games: &[Played]) -> Check {
    const REMEDY: &str = "use less time: the judge's machine may be slower, and its clock includes the \
        communication with the bot";
    if let Some((game, number)) = games.iter().zip(1..).find(|(game, _)| game.report().is_late()) {
        let detail = format!("game {number}, answer {}: {}", game.report().answers + 1, game.report().ending);
        return Check::new("answers in time", CheckStatus::Fail, detail, REMEDY);
    }
    if games.iter().all(|game| game.report().times.is_empty()) {
        return Check::skip("answers in time");
    }
    // The largest share of a limit, and its description.
    let mut worst = (0.0, String::new());
    let mut compare = |what: &str, time: Duration, limit: Option<Duration>| {
        let Some(limit) = limit else { return };
        let share = time.as_secs_f64() / limit.as_secs_f64();
        if share >= worst.0 {
            let [time, limit] = [time, limit].map(|time| time.as_secs_f64() * 1000.0);
            worst = (share, format!("{what}: {time:.1} ms of {limit:.0} ms ({:.0}%)", 100.0 * share));
        }
    };
    for report in games.iter().map(Played::report) {
        for (number, &time) in report.times.iter().enumerate() {
            let what = if number == 0 { "slowest first answer" } else { "slowest answer" };
            compare(what, time, limits.for_turn(number == 0));
        }
        compare("longest game", report.wall, limits.game);
    }
    let status = if worst.0 >= NEAR { CheckStatus::Warn } else { CheckStatus::Pass };
    Check::new("answers in time", status, worst.1, REMEDY)
}

/// The advice for a bot that writes an answer in parts.
const AT_ONCE: &str = "write each answer and its newline at once, then flush standard output";

/// Starts the bot again to find the causes of late answers and of illegal first answers.
fn closer_looks(
    contest: &dyn Contest,
    referee: &Referee,
    games: &[Played],
    command: &CommandLine,
    stop: &AtomicBool,
) -> impl Iterator<Item = Check> {
    let is_late = |game: &Played| game.report().is_late();
    let is_first_illegal =
        |game: &Played| matches!(game.report().ending, Ending::Illegal { .. }) && game.report().answers <= 1;
    let silence = games.iter().any(is_late).then(|| silence(contest, referee, command, stop)).flatten();
    let chatter =
        games.iter().any(is_first_illegal).then(|| chatter(contest, referee, command, stop)).flatten();
    [silence, chatter].into_iter().flatten()
}

/// Finds out why no answer arrived in time. For example, the bot may have written an answer without flushing it.
fn silence(
    contest: &dyn Contest,
    referee: &Referee,
    command: &CommandLine,
    stop: &AtomicBool,
) -> Option<Check> {
    let mut rules = referee.conditions.rules.clone();
    let question = contest.judge(1, &mut rules).ok()?.ask().into_iter().next()?;
    let limit = first_limit(&referee.conditions.limits);
    let wait = limit.min(3 * PATIENCE);
    let mut bot = ChildGuard::start(command, MAX_OUTPUT, 0).ok()?;
    bot.send(question.text.as_bytes());
    let has_line = |output: &[u8]| output.contains(&b'\n');
    if bot.wait(wait, stop, has_line) == WaitOutcome::Enough {
        return None;
    }
    let before = String::from_utf8_lossy(bot.output()).into_owned();
    // If an answer comes now, it was late, not held back by a missing flush.
    let start = Instant::now();
    let answer = before.escape_debug();
    if bot.wait(PATIENCE, stop, has_line) == WaitOutcome::Enough {
        let late = (wait + start.elapsed()).as_secs_f64();
        let limit = limit.as_secs_f64();
        let check = if before.is_empty() {
            let detail = format!(
                "the first answer comes after {late:.1} s, including the start; the limit is {limit:.1} s"
            );
            let remedy = "start faster: load and compute less before the first answer, or do it in later \
                          turns";
            Check::new("answers in time", CheckStatus::Fail, detail, remedy)
        } else {
            let detail = format!(
                "the answer `{answer}` comes in time, but its line end only after {late:.1} s; the \
                 limit is {limit:.1} s"
            );
            Check::new("sends its answers", CheckStatus::Fail, detail, AT_ONCE)
        };
        return (late > limit).then_some(check);
    }
    bot.close_input();
    let is_ended = bot.wait(PATIENCE, stop, has_line) == WaitOutcome::Enough;
    if !before.is_empty() {
        let (how, remedy) = if is_ended {
            ("is terminated with a newline only when the input ends", AT_ONCE)
        } else {
            ("is not terminated with a newline", "end every line with a line feed")
        };
        let detail = format!("the answer `{answer}` {how}");
        return Some(Check::new("sends its answers", CheckStatus::Fail, detail, remedy));
    }
    let detail = "the answer comes only when the input ends";
    let remedy =
        "flush standard output after every answer (C: fflush, C++: endl, Python: flush=True, Java: flush)";
    (!bot.output().is_empty()).then(|| Check::new("sends its answers", CheckStatus::Fail, detail, remedy))
}

/// Returns the time limit for a first answer, or [`PATIENCE`] if the contest has none.
fn first_limit(limits: &Limits) -> Duration {
    limits.for_turn(true).or(limits.game).unwrap_or(PATIENCE)
}

/// If the bot's first answer is illegal, checks whether more lines follow it, because one of the lines may not have
/// been meant as an answer.
fn chatter(
    contest: &dyn Contest,
    referee: &Referee,
    command: &CommandLine,
    stop: &AtomicBool,
) -> Option<Check> {
    let mut rules = referee.conditions.rules.clone();
    let question = contest.judge(1, &mut rules).ok()?.ask().into_iter().next()?;
    let wait = first_limit(&referee.conditions.limits).min(PATIENCE);
    let mut bot = ChildGuard::start(command, MAX_OUTPUT, 0).ok()?;
    bot.send(question.text.as_bytes());
    let lines = |output: &[u8]| output.iter().filter(|&&byte| byte == b'\n').count();
    bot.wait(wait, stop, |output| lines(output) > question.answer_lines);
    let count = lines(bot.output());
    let text = String::from_utf8_lossy(bot.output()).into_owned();
    let first = text.lines().next().unwrap_or_default();
    (count > question.answer_lines).then(|| {
        let asked = number(question.answer_lines as u32, "line");
        let detail = format!("{count} lines instead of {asked}; the first is: {}", first.escape_debug());
        Check::new(
            "writes answers only",
            CheckStatus::Fail,
            detail,
            "write everything except answers to standard error",
        )
    })
}

/// Checks that the bot exits when the game is over.
fn farewell(contest: &dyn Contest, referee: &Referee, game: &Played) -> Option<Check> {
    let mut rules = referee.conditions.rules.clone();
    let farewell = contest.judge(1, &mut rules).ok()?.farewell().trim_end();
    if farewell.is_empty() {
        return None;
    }
    let report = game.report();
    let grace = referee.conditions.grace.as_millis();
    let (status, detail) = match report.exit {
        _ if report.left_running => {
            (CheckStatus::Fail, format!("is still running {grace} ms after `{farewell}`"))
        }
        Some(ExitStatus::Code(0)) => (CheckStatus::Pass, format!("at `{farewell}`")),
        Some(ExitStatus::Code(code)) => {
            (CheckStatus::Warn, format!("with exit status {code} after `{farewell}`"))
        }
        Some(ExitStatus::Signal(signal)) => {
            (CheckStatus::Warn, format!("by signal {signal} after `{farewell}`"))
        }
        None => return None,
    };
    Some(Check::new(
        "exits when the game is over",
        status,
        detail,
        "exit with status 0 after reading that \
                                                                    line",
    ))
}

/// Checks that the bot exits at the end of its input, for example when a runner is killed.
fn end_of_input(command: &CommandLine, stop: &AtomicBool) -> Check {
    const NAME: &str = "exits at end of input";
    let remedy = "exit at the end of input; otherwise, the bot keeps running after its runner has exited \
        (if the machine was busy, run the check again)";
    let mut bot = match ChildGuard::start(command, MAX_OUTPUT, 0) {
        Ok(bot) => bot,
        Err(error) => return Check::new(NAME, CheckStatus::Fail, error.to_string(), remedy),
    };
    bot.close_input();
    match bot.wait_for_end(PATIENCE, stop) {
        WaitOutcome::Ended => Check::new(NAME, CheckStatus::Pass, "", ""),
        WaitOutcome::Flood => {
            Check::new(NAME, CheckStatus::Fail, "keeps writing after the end of its input", remedy)
        }
        _ => Check::new(NAME, CheckStatus::Fail, "still running two seconds later", remedy),
    }
}

/// Checks that no process started by the bot keeps running after the bot has exited. Returns `None` if the bot itself
/// does not exit, which another check reports.
fn left_behind(
    contest: &dyn Contest,
    referee: &Referee,
    command: &CommandLine,
    stop: &AtomicBool,
) -> Option<Check> {
    let question = contest.judge(1, &mut referee.conditions.rules.clone()).ok()?.ask().into_iter().next()?;
    let mut bot = ChildGuard::start(command, MAX_OUTPUT, 0).ok()?;
    // The bot may start other processes when it gets a question.
    bot.send(question.text.as_bytes());
    let wait = first_limit(&referee.conditions.limits).min(PATIENCE);
    let lines = |output: &[u8]| output.iter().filter(|&&byte| byte == b'\n').count();
    bot.wait(wait, stop, |output| lines(output) >= question.answer_lines);
    bot.close_input();
    let has_ended = bot.wait_for_end(PATIENCE, stop) == WaitOutcome::Ended;
    let left = has_ended && bot.has_survivors(PATIENCE);
    has_ended.then(|| {
        Check::new(
            "leaves nothing behind",
            if left { CheckStatus::Fail } else { CheckStatus::Pass },
            if left { "processes that the bot started keep running after the bot exits" } else { "" },
            "end these processes and wait for them before the bot exits; otherwise, a judge kills them or \
             is slowed down by them",
        )
    })
}

/// Checks whether the bot plays the same moves when a game is repeated. Both results are acceptable.
fn repeats(games: &[Played]) -> Check {
    let [first, .., again] = games else { return Check::skip("repeats itself") };
    if [first, again].iter().all(|game| game.report().answers == 0) {
        return Check::skip("repeats itself");
    }
    let is_same = first.record.moves == again.record.moves;
    let detail = if is_same {
        "played the same moves when a game was repeated"
    } else {
        "not reproducible: played different moves when a game was repeated, because of timing or randomness"
    };
    Check::new("repeats itself", CheckStatus::Pass, detail, "")
}

fn stderr(games: &[Played]) -> Check {
    let most = games.iter().map(|game| game.report().stderr.len()).max().unwrap_or_default();
    let status = if most > MUCH_STDERR { CheckStatus::Warn } else { CheckStatus::Pass };
    let detail = format!("at most {most} bytes per game");
    Check::new(
        "standard error",
        status,
        detail,
        "write less: judges keep only about 10,000 bytes, and writing takes time",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the output of Node, which prints the reason above eight lines of the stack and the version.
    #[test]
    fn the_reason_above_a_stack_is_shown() {
        let stack: String = (0..8).map(|at| format!("    at node:internal/{at}\n")).collect();
        let stderr = format!("noise\n\nReferenceError: readline is not defined\n{stack}\nNode.js v18.20.4\n");
        let shown = last_lines(&stderr, "stderr: ");
        assert!(shown.contains("\nstderr: ReferenceError: readline is not defined\n"), "{shown}");
        assert!(shown.ends_with("\nstderr: Node.js v18.20.4"), "{shown}");
        assert_eq!(last_lines(" \n", ""), "");
    }
}
