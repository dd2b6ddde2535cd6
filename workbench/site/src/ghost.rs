//! Recorded answers in new games: replays of whole battles, games against ghosts (seats that repeat their recorded
//! answers), and games that begin with the first turns of a battle.
//!
//! A recorded bot is a small shell script that prints all its answers at once and then reads its input to the end.
//! Referees take the lines that they request turn by turn, so the script does not have to know the game.

use crate::result::BattleResult;
use contender_foreign::{ExternalReferee, GameLog, RefereedGame};
use contender_play::{
    CommandLine, Entrant, Fixture, GameError, Host, PlayedUnder, Program, RankedBy, Record, Seat,
};
use serde::Serialize;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// A script that prints the answers, and then reads its input to the end.
const RECORDED: &str = "cat \"$0\"; exec cat > /dev/null";
/// A script that prints the answers, and writes its input to a file. The script keeps its output open for a few
/// seconds. A referee that sees the end of the output would not wait for an answer, and could end the script before it
/// has read the last question.
const HEARD: &str = "exec 3<&0; cat <&3 > \"$1\" & cat \"$0\"; sleep 5; exec >&-; wait";
/// A script that runs a bot and replaces its first lines with recorded lines.
const REPLACED: &str = "file=$0; \"$@\" | { exec 3< \"$file\"; while IFS= read -r line; do \
                        if IFS= read -r old <&3; then printf '%s\\n' \"$old\"; else printf '%s\\n' \"$line\"; fi; done; }";

/// Returns the league of a battle. The referee needs the league to replay the battle.
#[must_use]
pub fn league(record: &Record) -> Option<u32> {
    record.rules.split(',').find_map(|rule| rule.strip_prefix("league=")?.parse().ok())
}

/// Returns the reason why a record cannot be replayed, or `None` if it can.
fn problem(record: &Record) -> Option<GameError> {
    let has_answers = record.seats.iter().any(|seat| seat.outputs.iter().any(|answer| !answer.is_empty()));
    (!has_answers)
        .then(|| GameError::void("the game has no recorded answers, so it is not a battle of the site"))
}

fn folder() -> Result<TempDir, GameError> {
    let made = tempfile::Builder::new().prefix("contender-").tempdir();
    made.map_err(|error| GameError::Busy(format!("cannot create a temporary folder: {error}")))
}

fn write(path: &Path, text: &str) -> Result<(), GameError> {
    fs::write(path, text)
        .map_err(|error| GameError::Busy(format!("cannot write {}: {error}", path.display())))
}

fn shell(name: &str, script: &str, words: impl IntoIterator<Item = String>) -> Entrant {
    let head = ["sh", "-c", script].map(str::to_string);
    let line = CommandLine::new(head.into_iter().chain(words));
    Entrant { name: name.to_string(), program: Program::Command(line) }
}

/// Returns the lines of recorded answers. They end at the first turn without an answer, because the bot did not answer
/// any more from this turn on.
fn lines(outputs: &[String]) -> String {
    outputs.iter().take_while(|answer| !answer.is_empty()).map(|answer| format!("{answer}\n")).collect()
}

/// Returns a bot that gives these answers. If a file is given, the bot also writes its input to the file.
fn recorded(
    seat: &Seat,
    outputs: &[String],
    file: &Path,
    heard: Option<&Path>,
) -> Result<Entrant, GameError> {
    write(file, &lines(outputs))?;
    let files = [file].into_iter().chain(heard).map(|path| path.display().to_string());
    Ok(shell(&seat.bot, if heard.is_some() { HEARD } else { RECORDED }, files))
}

/// A seat whose bot stops answering at a turn, and the file for this bot's input.
pub(crate) struct Cut<'a> {
    pub seat: usize,
    /// Number of answers that the bot gives.
    pub turns: usize,
    pub heard: &'a Path,
}

/// Replays a battle with all recorded answers. The bot in one seat can stop early.
pub(crate) fn play(
    record: &Record,
    cut: Option<Cut<'_>>,
    referee: &ExternalReferee,
    stop: &AtomicBool,
) -> Result<RefereedGame, GameError> {
    if let Some(problem) = problem(record) {
        return Err(problem);
    }
    let folder = folder()?;
    let mut seats = Vec::new();
    for (at, seat) in record.seats.iter().enumerate() {
        let file = folder.path().join(format!("answers-{at}"));
        let (outputs, heard) = match &cut {
            Some(cut) if cut.seat == at => {
                (&seat.outputs[..cut.turns.min(seat.outputs.len())], Some(cut.heard))
            }
            _ => (&seat.outputs[..], None),
        };
        seats.push(recorded(seat, outputs, &file, heard)?);
    }
    referee.play_here(&Fixture { seats, seed: record.seed, bot_seeds: Vec::new() }, stop)
}

/// The result of replaying a battle: whether it agrees with the record.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Agreement {
    /// Scores, ranks and endings agree with the record.
    Same {
        /// Number of turns.
        turns: usize,
    },
    /// A value differs.
    Different(ReplayDifference),
}

/// The first difference between a battle and its replay by the referee.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReplayDifference {
    /// The turn, counted from 1; 0 for the end of the game.
    pub turn: usize,
    /// The name of the value that differs.
    pub what: String,
    /// The value that the site recorded.
    pub recorded: String,
    /// The value in the referee's replay.
    pub played: String,
    /// The possible cause.
    pub cause: String,
}

impl std::fmt::Display for ReplayDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ReplayDifference { turn, what, recorded, played, cause } = self;
        let place = if *turn == 0 { "the end".to_string() } else { format!("turn {turn}") };
        write!(f, "{place}, {what}: `{recorded}` on the site, `{played}` in the replay; {cause}")
    }
}

/// Lets a referee replay a battle with its seed and its recorded answers.
///
/// # Errors
/// Returns the reason why the game cannot be played.
pub fn check(record: &Record, referee: &ExternalReferee, stop: &AtomicBool) -> Result<Agreement, GameError> {
    let played = play(record, None, referee, stop)?;
    Ok(match first_difference(record, &played) {
        Some(difference) => Agreement::Different(difference),
        None => {
            let turns = record.seats.iter().map(|seat| seat.outputs.len()).max().unwrap_or(0);
            Agreement::Same { turns }
        }
    })
}

fn first_difference(record: &Record, played: &RefereedGame) -> Option<ReplayDifference> {
    let again = &played.record;
    let has_clock = |record: &Record| record.seats.iter().any(Seat::is_late);
    let cause = if has_clock(record) || has_clock(again) {
        "a bot was late in only one of the two games: the time limits, the league or the referee's version may differ"
    } else {
        "the referee may be another version, or the league may differ: try `--league N`"
    };
    let different = |turn, what: String, recorded: String, played: String| {
        Some(ReplayDifference { turn, what, recorded, played, cause: cause.to_string() })
    };
    if let Some(log) = &played.game_log {
        let remarks = summaries(log);
        for (turn, recorded) in (1..).zip(&record.summaries) {
            let told = remarks.get(turn - 1).map_or("", String::as_str);
            let told: Vec<&str> = told.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            let plain = GameLog::plain(recorded);
            let missing = plain.lines().map(str::trim).find(|line| !line.is_empty() && !told.contains(line));
            if let Some(missing) = missing {
                return different(turn, "a remark".to_string(), missing.to_string(), told.join(" / "));
            }
        }
        for (at, seat) in record.seats.iter().enumerate() {
            let recorded = seat.outputs.iter().filter(|answer| !answer.is_empty()).count();
            let given = log.answers(at).filter(|answer| !answer.trim().is_empty()).count();
            if recorded != given {
                let turn = recorded.min(given) + 1;
                let what = format!("answers of seat {at}");
                return different(turn, what, recorded.to_string(), given.to_string());
            }
        }
    }
    for (at, (seat, again)) in record.seats.iter().zip(&again.seats).enumerate() {
        let [was, is] = [seat, again].map(|seat| seat.ending.is_failure());
        if was != is {
            return different(0, format!("seat {at}"), seat.ending.to_string(), again.ending.to_string());
        }
        // A player that failed has a score of the site's own.
        if let (Some(was), Some(is), false) = (seat.points, again.points, is)
            && was != is
        {
            return different(0, format!("score of seat {at}"), was.to_string(), is.to_string());
        }
        if seat.rank != again.rank {
            return different(0, format!("rank of seat {at}"), seat.rank.to_string(), again.rank.to_string());
        }
    }
    None
}

/// Returns the referee's remarks by turn, in the form of a battle's record.
fn summaries(log: &GameLog) -> Vec<String> {
    let (mut turns, mut texts) = (vec![0_usize; log.players()], Vec::<String>::new());
    for frame in log.frames() {
        for (player, _) in &frame.outputs {
            turns[*player] += 1;
        }
        let last = frame.outputs.last().map(|(player, _)| turns[*player]);
        let turn = last.or_else(|| turns.iter().max().copied()).unwrap_or(0).max(1);
        texts.resize(texts.len().max(turn), String::new());
        texts[turn - 1] += &format!("{}\n", frame.summary);
    }
    texts
}

/// A game of a new bot against the answers that were recorded in a battle.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GhostGame {
    /// The battle's number on the site.
    pub id: Option<u64>,
    /// The seed.
    #[serde(with = "contender_play::seed")]
    #[cfg_attr(feature = "schema", schemars(with = "contender_play::seed::Form"))]
    pub seed: u64,
    /// The opponents' names.
    pub opponents: Vec<String>,
    /// Number of answers that the author's bot gave in the battle.
    pub turns: usize,
    /// Number of answers that the new bot gave before its first answer that differs from the author's bot.
    pub followed: usize,
    /// The recorded result.
    pub recorded: BattleResult,
    /// The new result. `None` if a ghost could not play to the end, because the result is then meaningless.
    pub now: Option<BattleResult>,
    /// The reason why a ghost could not play to the end: its recorded answer was illegal, or it had no more recorded
    /// answers.
    pub ghost: Option<String>,
}

impl std::fmt::Display for GhostGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let GhostGame { id, seed, opponents, turns, followed, recorded, now, ghost } = self;
        let id = id.map_or(String::new(), |id| format!("battle {id}, "));
        let against = opponents.join(", ");
        write!(f, "{id}seed {}, against {against}: {recorded} on the site, ", seed.cast_signed())?;
        match (now, ghost) {
            (Some(now), _) => write!(f, "now {now}")?,
            (None, ghost) => {
                write!(f, "now without a result: the ghost {}", ghost.as_deref().unwrap_or("failed"))?;
            }
        }
        write!(f, "; the same answers for {followed} of {turns} turns")
    }
}

/// Replays a battle with a new bot in the author's seat, and with ghosts in all other seats.
///
/// # Errors
/// Returns the reason why the game cannot be played.
pub fn against_ghosts(
    record: &Record,
    me: usize,
    bot: &Entrant,
    referee: &ExternalReferee,
    stop: &AtomicBool,
) -> Result<(GhostGame, Record), GameError> {
    if let Some(problem) = problem(record) {
        return Err(problem);
    }
    let folder = folder()?;
    let mut seats = Vec::new();
    for (at, seat) in record.seats.iter().enumerate() {
        let file = folder.path().join(format!("answers-{at}"));
        seats.push(match at == me {
            true => bot.clone(),
            false => recorded(seat, &seat.outputs, &file, None)?,
        });
    }
    let played = referee.play_here(&Fixture { seats, seed: record.seed, bot_seeds: Vec::new() }, stop)?;
    let own = &record.seats[me].outputs;
    let given: Vec<&str> = played.game_log.iter().flat_map(|log| log.answers(me)).collect();
    let followed = own.iter().zip(&given).take_while(|(old, new)| old.trim() == new.trim()).count();
    let mut others = record.seats.iter().zip(&played.record.seats).enumerate().filter(|(at, _)| *at != me);
    let ghost = others.find_map(|(at, (was, is))| {
        // One that failed on the site fails again.
        if !is.ending.is_failure() || was.ending.is_failure() {
            return None;
        }
        let given = played.game_log.as_ref().map_or(0, |log| log.answers(at).count());
        Some(if given >= was.outputs.len() && is.is_late() {
            format!("had no recorded answer after turn {given}")
        } else {
            format!("could not continue after turn {given}: it {}", is.ending)
        })
    });
    // A bot that fails has lost, whatever the ghost did.
    let has_failed = played.record.seats[me].ending.is_failure();
    let now = if has_failed {
        Some(BattleResult::Lost)
    } else {
        ghost.is_none().then(|| BattleResult::of(&played.record, me))
    };
    let names = record.seats.iter().enumerate().filter(|(at, _)| *at != me).map(|(_, seat)| seat.bot.clone());
    let game = GhostGame {
        id: record.battle.as_ref().and_then(|battle| battle.id),
        seed: record.seed,
        opponents: names.collect(),
        turns: own.len(),
        followed,
        recorded: BattleResult::of(record, me),
        now,
        ghost: ghost.filter(|_| !has_failed),
    };
    Ok((game, played.record))
}

/// A host whose games begin with the first turns of battles. The bots also answer in these turns, but their answers are
/// replaced by the recorded ones. So the bots know the position when they take over.
pub struct FromTurn {
    host: Box<dyn Host>,
    battles: Vec<Record>,
    turn: usize,
    folder: TempDir,
}

impl FromTurn {
    /// Creates a host whose bots take over in this turn, which is counted from 1.
    ///
    /// # Errors
    /// Returns an error if no battle has answers, or if there is no folder for temporary files.
    pub fn new(host: Box<dyn Host>, battles: Vec<Record>, turn: usize) -> Result<FromTurn, GameError> {
        let mut battles = battles;
        battles.retain(|record| {
            problem(record).is_none() && record.seats.iter().all(|seat| seat.outputs.len() >= turn)
        });
        if battles.is_empty() {
            return Err(GameError::void(format!("every battle in the log has fewer than {turn} turns")));
        }
        let folder = folder()?;
        for record in &battles {
            for (at, seat) in record.seats.iter().enumerate() {
                write(&folder.path().join(file(record.seed, at)), &lines(&seat.outputs[..turn.max(1) - 1]))?;
            }
        }
        Ok(FromTurn { host, battles, turn, folder })
    }

    /// Returns the number of battles that are long enough for this turn.
    #[must_use]
    pub fn battles(&self) -> usize {
        self.battles.len()
    }
}

fn file(seed: u64, seat: usize) -> String {
    format!("{}-{seat}", seed.cast_signed())
}

impl Host for FromTurn {
    fn game(&self) -> &str {
        self.host.game()
    }

    fn seats(&self) -> RangeInclusive<usize> {
        self.host.seats()
    }

    fn ranked_by(&self) -> RankedBy {
        self.host.ranked_by()
    }

    fn has_points(&self) -> bool {
        self.host.has_points()
    }

    fn conditions(&self, bots: &[&Entrant]) -> PlayedUnder {
        self.host.conditions(bots)
    }

    fn identity(&self) -> String {
        let digests = self.battles.iter().map(|record| (record.seed, &record.digest));
        format!("{}, from turn {} of {:?}", self.host.identity(), self.turn, digests.collect::<Vec<_>>())
    }

    fn seed(&self, random: u64) -> u64 {
        self.battles[(random % self.battles.len() as u64) as usize].seed
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.host.notes();
        notes.push(format!(
            "each pair begins with the first {} turns of one of {} battles, chosen by the pair's seed",
            self.turn - 1,
            self.battles.len()
        ));
        notes
    }

    fn play(&self, fixture: &Fixture, stop: &AtomicBool) -> Result<Record, GameError> {
        if stop.load(Ordering::Relaxed) {
            return Err(GameError::Stopped);
        }
        let replaced = |(at, bot): (usize, &Entrant)| {
            let command = bot.program.command_line().ok_or_else(|| {
                GameError::void(format!("`{}` has no command: only programs can take over a game", bot.name))
            })?;
            let file = self.folder.path().join(file(fixture.seed, at)).display().to_string();
            Ok(shell(&bot.name, REPLACED, [file].into_iter().chain(command.words.iter().cloned())))
        };
        let seats = fixture.seats.iter().enumerate().map(replaced).collect::<Result<_, GameError>>()?;
        self.host.play(&Fixture { seats, ..fixture.clone() }, stop)
    }
}
