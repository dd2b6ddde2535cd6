//! A log of games between two bots. It is read while it grows, and each game is read only once.

use super::series::Series;
use crate::failures::Tally;
use crate::listed::Failure;
use crate::pairs::{Pairs, estimate};
use crate::shown::{later_times, scores, slowest, winner};
use contender_play::{Record, Seat};
use contender_stats::{Decision, Interval, SequentialTest};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Number of bytes to read at a time.
const CHUNK: usize = 1 << 20;
/// Maximum length of a game's line in bytes.
const MAX_LINE: usize = 16 << 20;
/// Number of latest games to keep. The limit is needed because a page may stay open for days.
const KEPT: usize = 30;
/// Maximum number of points of a curve.
const POINTS: usize = 600;

/// Number of bytes before the reading position that must be unchanged. If they have changed, the file is read again
/// from the start.
const TAIL: usize = 256;

/// The games in a log, and the results of the games between two bots, A and B. A is the first bot of the match that
/// wrote the log. If the log does not tell it, A is the first player of the first game.
#[derive(Clone)]
pub struct MatchLog {
    path: PathBuf,
    /// Number of bytes of the file that have been read.
    offset: u64,
    /// The last bytes that were read, at most [`TAIL`].
    tail: Vec<u8>,
    /// The start of a line that is not yet complete.
    unfinished: Vec<u8>,
    lines: usize,
    test: Option<SequentialTest>,
    /// The names of A and B in the match that writes the log. If games are played at the same time, a game in which B
    /// moves first may end first.
    started: Option<[String; 2]>,
    /// The exact time limit per move, if it is known.
    limit: Option<Duration>,
    /// The names of A and B.
    pub names: Option<[String; 2]>,
    pub game: String,
    /// Number of games.
    pub count: u64,
    /// The failures.
    pub failures: Tally,
    /// The latest games, the newest first.
    pub latest: VecDeque<PlayedGame>,
    /// The pairs of games between A and B. The results of the match are those of the complete pairs.
    pub pairs: Pairs,
    pub course: Series<Moment>,
    /// The moves of all games, and the time that the bots A and B took for their answers.
    pub moves: u64,
    pub times: [AnswerTimes; 2],
}

/// The answers of a bot.
#[derive(Clone, Copy, Default)]
pub struct AnswerTimes {
    count: u64,
    total: Duration,
    pub slowest: Duration,
}

impl AnswerTimes {
    /// Adds the answers of a game. If first answers have a limit of their own, they are left out.
    fn add(&mut self, game: &str, seat: &Seat) {
        let times = later_times(game, seat);
        self.count += times.len() as u64;
        self.total += times.iter().sum::<Duration>();
        self.slowest = self.slowest.max(times.iter().max().copied().unwrap_or_default());
    }

    /// Returns the average time of an answer, if there is one.
    pub fn average(&self) -> Option<Duration> {
        (self.count > 0).then(|| self.total.div_f64(self.count as f64))
    }
}

/// The state of the match after a pair of games.
#[derive(Clone)]
pub struct Moment {
    /// A's lead; see [`estimate`].
    pub estimate: Point,
    /// The log-likelihood ratio, if there is a test.
    pub ratio: Option<f64>,
}

/// An estimate after some games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    pub games: u64,
    pub value: f64,
    pub interval: Option<Interval>,
}

/// A game, as it is listed.
#[derive(Clone)]
pub struct PlayedGame {
    /// The line number of the game in the log, counted from 1.
    pub number: usize,
    pub players: Vec<String>,
    /// The points or ranks by seat.
    pub scores: String,
    /// Number of moves, if the log contains them.
    pub moves: usize,
    /// The result of A, or `None` if A did not play in the game or had several opponents, or if the game does not
    /// count.
    pub result: Option<Ordering>,
    /// The seat of the only winner.
    pub winner: Option<usize>,
    /// The seat and the time of the slowest answer.
    pub slowest: Option<(usize, Duration)>,
    pub failures: Vec<Failure>,
}

impl MatchLog {
    /// Creates the state of a log that has not been read yet.
    pub fn of(path: &Path, test: Option<SequentialTest>, started: Option<[String; 2]>) -> MatchLog {
        MatchLog {
            path: path.to_path_buf(),
            offset: 0,
            tail: Vec::new(),
            unfinished: Vec::new(),
            lines: 0,
            test,
            names: started.clone(),
            started,
            limit: None,
            game: String::new(),
            count: 0,
            failures: Tally::default(),
            latest: VecDeque::new(),
            pairs: Pairs::default(),
            course: Series::new(POINTS),
            moves: 0,
            times: [AnswerTimes::default(); 2],
        }
    }

    /// Sets the exact time limit per move. The log has it only in whole milliseconds.
    pub fn with_limit(self, limit: Option<Duration>) -> MatchLog {
        MatchLog { limit, ..self }
    }

    /// Reads the data that was added since the last call. Returns whether it contained a complete line.
    pub fn read(&mut self) -> std::io::Result<bool> {
        let mut file = BufReader::with_capacity(CHUNK, File::open(&self.path)?);
        if !self.has_same_start(&mut file)? {
            *self = MatchLog::of(&self.path, self.test, self.started.take()).with_limit(self.limit);
            file.seek(SeekFrom::Start(0))?;
        }
        let before = self.lines;
        let mut piece = Vec::new();
        loop {
            piece.clear();
            let count = (&mut file).take(CHUNK as u64).read_until(b'\n', &mut piece)?;
            if count == 0 {
                if let Some(moment) = self.moment() {
                    self.course.set_latest(moment);
                }
                return Ok(self.lines > before);
            }
            self.offset += count as u64;
            self.tail.extend_from_slice(&piece[count.saturating_sub(TAIL)..]);
            self.tail.drain(..self.tail.len().saturating_sub(TAIL));
            if self.unfinished.len() + piece.len() <= MAX_LINE {
                self.unfinished.extend_from_slice(&piece);
            }
            if piece.ends_with(b"\n") {
                self.lines += 1;
                let line = std::mem::take(&mut self.unfinished);
                // A line that is not a game also has a number, but it is not counted.
                if let Some(record) =
                    std::str::from_utf8(&line).ok().and_then(|text| Record::from_json(text).ok())
                {
                    self.add(&record);
                }
            }
        }
    }

    /// Moves to the position up to which the file has been read. Returns whether the bytes before it are unchanged,
    /// which means that the file was only extended.
    fn has_same_start(&self, file: &mut BufReader<File>) -> std::io::Result<bool> {
        file.seek(SeekFrom::Start(self.offset - self.tail.len() as u64))?;
        let mut tail = Vec::new();
        file.take(self.tail.len() as u64).read_to_end(&mut tail)?;
        Ok(tail == self.tail)
    }

    fn add(&mut self, record: &Record) {
        self.failures.add(record, self.lines, self.limit);
        if self.count == 0 {
            self.names.take_if(|names| !names.iter().all(|name| record.bots().contains(&name.as_str())));
            self.game.clone_from(&record.game);
            self.pairs = Pairs::like(record);
        }
        let in_match = record.bots_in_match();
        let names = self.names.get_or_insert_with(|| [0, 1].map(|at| in_match[at].to_string()));
        let failures = record.seats.iter().filter(|seat| seat.ending.is_failure());
        let failures = failures
            .map(|seat| Failure { stderr: String::new(), ..Failure::of(&seat.bot, seat, self.limit) })
            .collect();
        let players = record.bots();
        let seat_of_a = players.iter().position(|name| *name == names[0]);
        let is_of_both = players.len() == 2 && players.contains(&names[1].as_str());
        let game = PlayedGame {
            number: self.lines,
            players: players.iter().map(|name| (*name).to_string()).collect(),
            scores: scores(record),
            moves: record.moves.len(),
            // A lower rank is better.
            result: seat_of_a
                .filter(|_| players.len() == 2 && !record.is_overloaded())
                .map(|seat| record.seats[1 - seat].rank.cmp(&record.seats[seat].rank)),
            winner: winner(record).filter(|_| !record.is_overloaded()),
            slowest: slowest(record),
            failures,
        };
        self.count += 1;
        self.moves += record.moves.len() as u64;
        for seat in &record.seats {
            if let Some(at) = names.iter().position(|name| *name == seat.bot) {
                self.times[at].add(&record.game, seat);
            }
        }
        self.latest.push_front(game);
        self.latest.truncate(KEPT);
        let counts = is_of_both && record.game == self.game;
        let Some(seat) = seat_of_a.filter(|_| counts) else { return self.pairs.leave_out(self.lines) };
        let is_pair = self.pairs.add(record, self.lines, seat);
        // An interval takes longer than reading a game, so only those that the chart shows are computed.
        if is_pair
            && self.course.advance()
            && let Some(moment) = self.moment()
        {
            self.course.keep(moment);
        }
    }

    /// Returns whether enough games failed that the results say nothing about strength.
    pub fn is_broken(&self) -> bool {
        self.pairs.are_broken(&self.failures)
    }

    /// Returns the current state of the match.
    fn moment(&self) -> Option<Moment> {
        let score = &self.pairs.score;
        let (value, interval) = estimate(score)?;
        let estimate = Point { games: 2 * score.pairs(), value, interval };
        let ratio = self.test.map(|test| score.log_likelihood_ratio(&test));
        Some(Moment { estimate, ratio })
    }

    /// Returns the test, its latest ratio, and the bounds at which the test decides.
    pub fn test(&self) -> Option<(SequentialTest, f64, Interval)> {
        let test = self.test?;
        let ratio = self.course.latest().and_then(|moment| moment.ratio);
        Some((test, ratio.unwrap_or(0.0), test.bounds()))
    }

    /// Returns whether the test has decided, so that the match is complete.
    pub fn is_decided(&self) -> bool {
        matches!(self.decision(), Some(Decision::AcceptH0 | Decision::AcceptH1))
    }

    /// Returns the decision of the test, if there is a test.
    pub fn decision(&self) -> Option<Decision> {
        self.test().map(|(test, ratio, _)| test.decide(ratio, self.pairs.score.pairs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_arena::{Results, Score};
    use contender_play::{Ending, InMatch, RankedBy};
    use std::io::Write;

    fn record(seed: u64, players: [&str; 2], points: [i32; 2]) -> String {
        let seats = players.iter().zip(points);
        let seats = seats.map(|(bot, points)| Seat {
            bot: (*bot).to_string(),
            points: Some(f64::from(points)),
            ..Seat::default()
        });
        let mut record =
            Record { game: "entropy".to_string(), seed, seats: seats.collect(), ..Record::default() };
        record.rank_by_points();
        record.to_json() + "\n"
    }

    /// Reading a log in pieces gives the same figures as reading it at once.
    #[test]
    fn a_growing_log_is_read_once_in_any_pieces() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let text = [
            record(7, ["a", "b"], [10, 4]),
            record(8, ["b", "a"], [5, 5]),
            "nonsense\n".to_string(),
            record(7, ["b", "a"], [3, 1]),
            record(9, ["c", "a"], [3, 1]),
            record(8, ["a", "b"], [9, 1]),
            record(10, ["a", "b"], [9, 1]),
        ]
        .concat();
        let test = SequentialTest::new(0.0, 5.0, 0.05, 0.05).unwrap();
        for piece in [1, 7, 100, text.len()] {
            std::fs::write(&path, "").unwrap();
            let mut log = MatchLog::of(&path, Some(test), None);
            for bytes in text.as_bytes().chunks(piece) {
                let mut file = File::options().append(true).open(&path).unwrap();
                file.write_all(bytes).unwrap();
                log.read().unwrap();
            }
            assert_eq!(log.names, Some(["a".to_string(), "b".to_string()]));
            // Seed 7 gives +6 and -2, seed 8 gives 0 and +8. Seed 10 has only one game, and seed 9 has another player.
            let Score { difference, results, .. } = log.pairs.score;
            assert_eq!(
                (difference.count(), difference.mean(), results),
                (2, Some(3.0), Results { wins: 2, draws: 1, losses: 1 })
            );
            assert_eq!(
                log.pairs.by_seat,
                [Results { wins: 2, draws: 0, losses: 0 }, Results { wins: 0, draws: 1, losses: 1 }]
            );
            assert_eq!((log.count, log.failures.failed, log.course.count()), (6, 0, 2));
            assert_eq!((log.pairs.waiting(), log.pairs.uncounted()), (1, 1));
            let numbers: Vec<usize> = log.latest.iter().map(|game| game.number).collect();
            assert_eq!(numbers, [7, 6, 5, 4, 2, 1]);
            assert!(log.test().unwrap().1 != 0.0);
            assert!(!log.read().unwrap());
        }
    }

    /// A pair does not count if a bot lost one of its games because of the machine's delays.
    #[test]
    fn games_lost_on_a_busy_machine_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let mut late = Record::from_json(&record(1, ["b", "a"], [3, 0])).unwrap();
        late.seats[1].ending =
            Ending::Overloaded { limit_ms: 100, overrun_ms: None, delay_ms: 90, stolen_ms: 0 };
        late.rematches = 3;
        let fair = record(2, ["a", "b"], [5, 2]) + &record(2, ["b", "a"], [1, 3]);
        std::fs::write(&path, record(1, ["a", "b"], [5, 2]) + &late.to_json() + "\n" + &fair).unwrap();
        let mut log = MatchLog::of(&path, None, None);
        log.read().unwrap();
        assert_eq!((log.count, log.failures.failed), (4, 1));
        assert_eq!((log.failures.repeats, log.failures.max_repeats), (3, 3));
        assert_eq!(log.pairs.waiting_results(), Results::default());
        let score = &log.pairs.score;
        assert_eq!((score.results, score.pairs()), (Results { wins: 2, draws: 0, losses: 0 }, 1));
        assert_eq!((log.pairs.waiting(), log.pairs.uncounted()), (0, 2));
        assert_eq!(log.latest[2].result, None);
        // A game that is played again counts.
        let mut text = std::fs::read_to_string(&path).unwrap();
        text += &record(1, ["b", "a"], [3, 0]);
        std::fs::write(&path, text).unwrap();
        log.read().unwrap();
        assert_eq!((log.pairs.score.pairs(), log.pairs.waiting(), log.pairs.uncounted()), (2, 0, 1));
    }

    /// The game in which B moves first may end first. Only names of the log's own players count.
    #[test]
    fn a_and_b_are_those_of_the_started_match() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        std::fs::write(&path, record(1, ["b", "a"], [3, 1]) + &record(1, ["a", "b"], [5, 2])).unwrap();
        let names = |[a, b]: [&str; 2]| [a.to_string(), b.to_string()];
        for (started, shown) in
            [(None, ["b", "a"]), (Some(["a", "b"]), ["a", "b"]), (Some(["a", "c"]), ["b", "a"])]
        {
            let mut log = MatchLog::of(&path, None, started.map(names));
            log.read().unwrap();
            assert_eq!((&log.names, log.pairs.score.results.wins), (&Some(names(shown)), 1));
            let lead = if shown[0] == "a" { 0.5 } else { -0.5 };
            assert_eq!(estimate(&log.pairs.score).unwrap().0, lead);
        }
    }

    /// In games with an even number, the first bot of the match has seat 1.
    #[test]
    fn a_is_the_first_bot_of_the_match() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        for (number, first) in [(2, "a"), (1, "b")] {
            let mut game = Record::from_json(&record(1, ["b", "a"], [3, 1])).unwrap();
            game.in_match = Some(InMatch { plan: "00000000000000ff".to_string(), game: number });
            game.moves = vec!["Bb".to_string(); 6];
            game.seats[1].times = vec![Duration::from_millis(3); 3];
            std::fs::write(&path, game.to_json() + "\n").unwrap();
            let mut log = MatchLog::of(&path, None, None);
            log.read().unwrap();
            assert_eq!(log.names.as_ref().unwrap()[0], first);
            // The times are those of the bots, whatever their seats are.
            let averages = log.times.map(|times| times.average());
            let of_a = usize::from(first == "b");
            assert_eq!((averages[of_a], averages[1 - of_a]), (Some(Duration::from_millis(3)), None));
            assert_eq!(log.moves, 6);
        }
    }

    /// The chart shows the same interval as the table, and intervals stay within the possible values.
    #[test]
    fn there_is_one_interval() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let game = |at: u64| {
            let players = [["a", "b"], ["b", "a"]][at as usize % 2];
            // `a` wins all games but one.
            let points = if players[0] == "a" || at == 5 { [1, 0] } else { [0, 1] };
            record(at / 2, players, points).replacen("entropy", "uttt", 1)
        };
        std::fs::write(&path, (0..12).map(game).collect::<String>()).unwrap();
        let mut log = MatchLog::of(&path, None, None);
        log.read().unwrap();
        let (value, interval) = estimate(&log.pairs.score).unwrap();
        let last = log.course.latest().unwrap().estimate;
        assert_eq!((last.value, last.interval), (value, interval));
        let intervals: Vec<Interval> =
            log.course.items().filter_map(|moment| moment.estimate.interval).collect();
        // The first pair has no interval.
        assert_eq!(intervals.len(), log.course.items().count() - 1);
        for interval in intervals {
            assert!(
                interval.low >= 0.0 && interval.high <= 100.0 && interval.low < interval.high,
                "{interval:?}"
            );
        }
    }

    /// A file that was replaced is read again, also if the new one is longer.
    #[test]
    fn a_replaced_log_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        std::fs::write(&path, record(1, ["a", "b"], [1, 0])).unwrap();
        let mut log = MatchLog::of(&path, None, None);
        log.read().unwrap();
        let other = [record(2, ["c", "d"], [1, 0]), record(2, ["d", "c"], [1, 0])].concat();
        for text in [other.as_str(), &other[..other.len() / 2]] {
            std::fs::write(&path, text).unwrap();
            log.read().unwrap();
            assert_eq!(log.names, Some(["c".to_string(), "d".to_string()]));
            assert_eq!(log.count, text.matches('\n').count() as u64);
        }
    }

    #[test]
    fn an_external_referees_games_are_decided_by_rank() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let game = |players: [&str; 2], ranks: [u32; 2]| {
            let seats = players.into_iter().zip(ranks);
            let seats = seats.map(|(bot, rank)| Seat { bot: bot.to_string(), rank, ..Seat::default() });
            let repeat = Some("play".to_string());
            let game = "cards".to_string();
            Record { game, seed: 3, seats: seats.collect(), repeat, ..Record::default() }.to_json() + "\n"
        };
        std::fs::write(&path, game(["a", "b"], [0, 1]) + &game(["b", "a"], [1, 0])).unwrap();
        let mut log = MatchLog::of(&path, None, None);
        log.read().unwrap();
        assert_eq!(log.pairs.score.results, Results { wins: 2, ..Results::default() });
        assert_eq!(
            (log.pairs.score.ranked_by, estimate(&log.pairs.score).unwrap().0),
            (RankedBy::Wins, 100.0)
        );
    }

    #[test]
    fn of_a_long_log_only_what_is_shown_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let fails =
            |line: &str| line.replacen("\"normal\"", r#"{"illegal":{"reason":"no","answer":"x"}}"#, 1);
        let game = |at: u64| {
            let line = record(at / 2, [["a", "b"], ["b", "a"]][at as usize % 2], [1, 0]);
            if at.is_multiple_of(3) { fails(&line) } else { line }
        };
        std::fs::write(&path, (0..3000).map(game).collect::<String>()).unwrap();
        let mut log = MatchLog::of(&path, None, None);
        log.read().unwrap();
        assert_eq!((log.count, log.failures.failed, log.course.count()), (3000, 1000, 1500));
        assert_eq!((log.latest.len(), log.failures.failing.len(), log.pairs.waiting()), (KEPT, 2, 0));
        assert_eq!(log.latest[0].number, 3000);
        assert!((POINTS / 2..=POINTS + 1).contains(&log.course.items().count()));
        assert_eq!(log.course.items().last().unwrap().estimate.games, 3000);
    }

    /// A match in which at least half of the games failed shows no strength, and the reason is kept once for each bot.
    #[test]
    fn failures_are_counted_by_bot() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let game = |at: u64, failed: bool| {
            let mut record = Record::from_json(&record(at, ["a", "b"], [0, 1])).unwrap();
            if failed {
                record.seats[0].ending = contender_play::Ending::Timeout { limit_ms: 100, overrun_ms: None };
                record.seats[0].stderr = (0..20).map(|line| format!("line {line}\n")).collect();
            }
            record.to_json() + "\n"
        };
        let text: String = [true, true, false, false, false].map(|failed| game(1, failed)).concat();
        for (lines, is_broken) in [(2, true), (4, true), (5, false)] {
            std::fs::write(
                &path,
                text.lines().take(lines).map(|line| format!("{line}\n")).collect::<String>(),
            )
            .unwrap();
            let mut log = MatchLog::of(&path, None, None);
            log.read().unwrap();
            assert_eq!(log.is_broken(), is_broken, "{lines}");
            let [failing] = &log.failures.failing[..] else { panic!("{:?}", log.failures) };
            assert_eq!((&failing.bot[..], failing.games, failing.is_late), ("a", 2, true));
            assert!(failing.stderr.starts_with("line 8\n") && failing.stderr.ends_with("line 19"));
        }
    }
}
