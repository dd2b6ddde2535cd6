//! The results of the author's bot by opponent, seat, setting and length of the battle.

use crate::result::BattleResult;
use contender_play::{Record, Seat, seed};
use contender_stats::{Interval, wilson};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

const CONFIDENCE: f64 = 0.95;
/// Maximum number of opponents in the text. The JSON contains all opponents.
const SHOWN: usize = 20;

/// A report on the battles of one player.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SiteReport {
    /// The name of the player.
    pub me: String,
    /// The results of all battles of the player.
    pub all: BattleGroup,
    /// Battles that the player lost because it failed, in the order of the log.
    pub failures: Vec<FailedBattle>,
    /// The opponents, sorted by number of battles, the most frequent first. A battle with more than two players counts
    /// for each opponent.
    pub opponents: Vec<BattleGroup>,
    /// The seats in which the player played.
    pub seats: Vec<BattleGroup>,
    /// The settings, in the form that the site or the record uses: `league=3`.
    pub settings: Vec<BattleGroup>,
    /// The lengths of battles in turns, in four groups of about equal size.
    pub lengths: Vec<BattleGroup>,
    /// Number of battles in which the player did not take part. They are ignored.
    pub without_me: u64,
}

/// A group of battles. A tie counts as a half win.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BattleGroup {
    /// The name of the group.
    pub name: String,
    /// Number of battles in the group.
    pub games: u64,
    /// Number of battles in which the player did better than the opponent, or than all opponents.
    pub wins: u64,
    /// Number of ties.
    pub draws: u64,
    /// Number of all other battles.
    pub losses: u64,
    /// Number of battles in which the player failed.
    pub failures: u64,
    /// The win rate from 0 to 1; a tie counts as half a win.
    pub win_rate: f64,
    /// Wilson's 95% interval of the win rate.
    pub interval: Option<Interval>,
}

/// A battle that the player lost because it failed.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailedBattle {
    /// The battle's number in the log, counted from 1.
    pub number: usize,
    /// The battle's number on the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The seed.
    #[serde(with = "seed")]
    #[cfg_attr(feature = "schema", schemars(with = "contender_play::seed::Form"))]
    pub seed: u64,
    /// The turn of the player's last answer.
    pub turn: usize,
    /// A description of the failure, to be printed after the player's name.
    pub words: String,
}

impl BattleGroup {
    fn add(&mut self, result: BattleResult, has_failed: bool) {
        self.games += 1;
        self.wins += u64::from(result == BattleResult::Won);
        self.draws += u64::from(result == BattleResult::Drawn);
        self.losses += u64::from(result == BattleResult::Lost);
        self.failures += u64::from(has_failed);
        let score = self.wins as f64 + self.draws as f64 / 2.0;
        self.win_rate = score / self.games as f64;
        self.interval = wilson(score, self.games, CONFIDENCE);
    }
}

/// Groups of battles by name.
#[derive(Default)]
struct Rows(BTreeMap<String, BattleGroup>);

impl Rows {
    fn add(&mut self, name: &str, result: BattleResult, has_failed: bool) {
        let row = self.0.entry(name.to_string()).or_default();
        row.name = name.to_string();
        row.add(result, has_failed);
    }

    fn by_games(self) -> Vec<BattleGroup> {
        let mut rows: Vec<BattleGroup> = self.0.into_values().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.games));
        rows
    }
}

impl SiteReport {
    /// Returns the report on the battles of `me`. If `me` is `None`, returns the report on the author of each battle.
    #[must_use]
    pub fn of(records: &[Record], me: Option<&str>) -> SiteReport {
        let mut report = SiteReport {
            me: String::new(),
            all: BattleGroup { name: "all".to_string(), ..BattleGroup::default() },
            failures: Vec::new(),
            opponents: Vec::new(),
            seats: Vec::new(),
            settings: Vec::new(),
            lengths: Vec::new(),
            without_me: 0,
        };
        let mut lengths: Vec<usize> = Vec::new();
        let [mut opponents, mut seats, mut settings] = [Rows::default(), Rows::default(), Rows::default()];
        for (number, record) in (1..).zip(records) {
            let Some(at) = seat_of(record, me) else {
                report.without_me += 1;
                continue;
            };
            let own = &record.seats[at];
            report.me.clone_from(&own.bot);
            let has_failed = own.ending.is_failure();
            if has_failed {
                report.failures.push(FailedBattle {
                    number,
                    id: record.battle.as_ref().and_then(|battle| battle.id),
                    seed: record.seed,
                    turn: own.answers as usize,
                    words: own.ending.to_string(),
                });
            }
            let others =
                || record.seats.iter().enumerate().filter(|(seat, _)| *seat != at).map(|(_, seat)| seat);
            let result = BattleResult::of(record, at);
            report.all.add(result, has_failed);
            others().for_each(|other| {
                opponents.add(&other.bot, BattleResult::between(own.rank, other.rank), has_failed);
            });
            seats.add(&format!("seat {at}"), result, has_failed);
            record
                .rules
                .split(',')
                .filter(|rule| is_setting(rule))
                .for_each(|rule| settings.add(rule, result, has_failed));
            lengths.push(turns(record));
        }
        report.lengths = by_length(records, me, &lengths);
        report.opponents = opponents.by_games();
        report.seats = seats.0.into_values().collect();
        report.settings = settings.by_games();
        report
    }

    /// Returns the report as text for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        if self.all.games == 0 {
            return "none of the battles is yours\nhint: use `--me NAME`, with your name on the site\n"
                .to_string();
        }
        let BattleGroup { games, wins, draws, losses, .. } = self.all;
        let _ = writeln!(
            text,
            "{}: {games} battles, {wins} won, {draws} drawn, {losses} lost; win rate {}",
            self.me,
            rate(&self.all)
        );
        if !self.failures.is_empty() {
            let _ = writeln!(text, "\nfailures: {}", self.failures.len());
            for failed in self.failures.iter().take(SHOWN) {
                let id = failed.id.map_or(String::new(), |id| format!(", battle {id}"));
                let _ = writeln!(
                    text,
                    "  game {}{id}, seed {}, after {} answers: {}",
                    failed.number,
                    failed.seed.cast_signed(),
                    failed.turn,
                    failed.words.replace(char::is_control, " ")
                );
            }
        }
        for (name, rows) in [
            ("opponent", &self.opponents),
            ("seat", &self.seats),
            ("setting", &self.settings),
            ("length", &self.lengths),
        ] {
            if rows.is_empty() {
                continue;
            }
            let width =
                rows.iter().take(SHOWN).map(|row| row.name.chars().count()).max().unwrap_or(0).max(10);
            let _ = writeln!(text, "\n{name:<width$} games   won drawn  lost failed  win rate");
            for row in rows.iter().take(SHOWN) {
                let BattleGroup { name, games, wins, draws, losses, failures, .. } = row;
                let _ = writeln!(
                    text,
                    "{name:<width$} {games:>5} {wins:>5} {draws:>5} {losses:>5} {failures:>6}  {}",
                    rate(row)
                );
            }
            if rows.len() > SHOWN {
                let _ = writeln!(text, "{} more with --json", rows.len() - SHOWN);
            }
        }
        if self.without_me > 0 {
            let _ = writeln!(text, "\n{} battles without {} do not count", self.without_me, self.me);
        }
        text
    }
}

fn rate(row: &BattleGroup) -> String {
    let percent = |share: f64| format!("{:.0}%", 100.0 * share);
    let interval =
        row.interval.map_or(String::new(), |of| format!(" [{}, {}]", percent(of.low), percent(of.high)));
    percent(row.win_rate) + &interval
}

/// Returns whether a rule is a setting. The map seed of a bundled game is not a setting, because it follows from the
/// seed and differs in every battle.
fn is_setting(rule: &str) -> bool {
    !rule.is_empty() && !rule.starts_with("map-seed=")
}

fn turns(record: &Record) -> usize {
    record.seats.iter().map(|seat: &Seat| seat.outputs.len()).max().unwrap_or(0)
}

/// Returns the seat of the player with this name, or of the author if no name is given.
#[must_use]
pub fn seat_of(record: &Record, me: Option<&str>) -> Option<usize> {
    match me {
        Some(me) => record.seats.iter().position(|seat| seat.bot.eq_ignore_ascii_case(me)),
        None => record.battle.as_ref()?.me.filter(|&seat| seat < record.seats.len()),
    }
}

fn by_length(records: &[Record], me: Option<&str>, lengths: &[usize]) -> Vec<BattleGroup> {
    let mut sorted = lengths.to_vec();
    sorted.sort_unstable();
    let Some((&least, &most)) = sorted.first().zip(sorted.last()) else { return Vec::new() };
    // The last length of each group; equal lengths are in one group.
    let mut ends: Vec<usize> =
        (1..4).map(|part| sorted[(sorted.len() * part / 4).saturating_sub(1)]).collect();
    ends.push(most);
    ends.dedup();
    let mut rows: Vec<BattleGroup> = Vec::new();
    let mut start = least;
    for end in ends {
        let mut row = BattleGroup { name: format!("{start} to {end} turns"), ..BattleGroup::default() };
        let of_group = records.iter().filter(|record| (start..=end).contains(&turns(record)));
        for (record, at) in of_group.filter_map(|record| Some((record, seat_of(record, me)?))) {
            row.add(BattleResult::of(record, at), record.seats[at].ending.is_failure());
        }
        start = end + 1;
        rows.push(row);
    }
    rows
}
