//! The results of the author's bot by opponent, seat, setting, length of the battle, and the turn that decided it.

use crate::forecast::{OpponentForecast, Ratings};
use crate::group::{BattleGroup, Rows};
use crate::result::BattleResult;
use crate::rules::leads;
use contender_game::contest::Contest;
use contender_play::{Record, Seat, seed};
use contender_stats::Interval;
use serde::Serialize;
use std::fmt::Write;

/// Maximum number of opponents in the text. The JSON contains all opponents.
const SHOWN: usize = 20;

/// A function that finds a bundled game by its name.
pub type FindContest = fn(&str) -> Option<&'static dyn Contest>;

/// The options of a report.
#[derive(Clone, Copy, Default)]
pub struct ReportOptions<'a> {
    /// The player to report on; by default the author of each battle.
    pub me: Option<&'a str>,
    /// Returns the rules of a bundled game, from which the points after each turn follow.
    pub rules: Option<FindContest>,
    /// The ratings of a local league.
    pub ratings: Option<&'a Ratings>,
}

/// A report on the battles of one player.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
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
    /// The battles by the turn that decided them, which is the first turn from which the winner was ahead in points
    /// until the end: in the first, second or last third of the turns, only in the last turn, or never, if the battle
    /// was drawn. Contains only battles of bundled games, because the points after each turn follow from the rules.
    pub decisions: Vec<BattleGroup>,
    /// The forecast of a local league for the opponents that have a rating there. Empty without a league.
    pub forecast: Vec<OpponentForecast>,
    /// Number of battles in which the player did not take part. They are ignored.
    pub without_me: u64,
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

impl SiteReport {
    /// Returns the report on battles.
    #[must_use]
    pub fn of(records: &[Record], options: &ReportOptions<'_>) -> SiteReport {
        let me = options.me;
        let all = BattleGroup { name: "all".to_string(), ..BattleGroup::default() };
        let mut report = SiteReport { all, ..SiteReport::default() };
        let mut lengths: Vec<usize> = Vec::new();
        let [mut opponents, mut seats, mut settings] = [Rows::default(), Rows::default(), Rows::default()];
        let mut decisions =
            PARTS.map(|name| BattleGroup { name: name.to_string(), ..BattleGroup::default() });
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
            if let Some(part) = options.rules.and_then(|find| decided_in(find(&record.game)?, record)) {
                decisions[part].add(result, has_failed);
            }
        }
        report.lengths = by_length(records, me, &lengths);
        report.opponents = opponents.by_games();
        report.seats = seats.by_name();
        report.settings = settings.by_games();
        report.decisions = decisions.into_iter().filter(|row| row.games > 0).collect();
        report.forecast =
            options.ratings.map_or(Vec::new(), |ratings| OpponentForecast::all(&report.opponents, ratings));
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
            ("decided in", &self.decisions),
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
        text += &self.forecast_text();
        if self.without_me > 0 {
            let _ = writeln!(text, "\n{} battles without {} do not count", self.without_me, self.me);
        }
        text
    }

    fn forecast_text(&self) -> String {
        let shown = || self.forecast.iter().take(SHOWN).chain(self.forecast.iter().skip(SHOWN).last());
        let Some(width) = shown().map(|row| row.name.chars().count()).max() else { return String::new() };
        let width = width.max(10);
        let mut text = format!("\n{:<width$} games expected  win rate\n", "forecast");
        for row in shown() {
            let OpponentForecast { name, games, expected, win_rate, interval } = row;
            let verdict = row.verdict();
            let verdict =
                if verdict.is_empty() { String::new() } else { format!(", {verdict} the forecast") };
            let _ = writeln!(
                text,
                "{name:<width$} {games:>5} {:>8}  {}{verdict}",
                percent(*expected),
                rate_text(*win_rate, *interval)
            );
        }
        text
    }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

fn rate(row: &BattleGroup) -> String {
    rate_text(row.win_rate, row.interval)
}

fn rate_text(win_rate: f64, interval: Option<Interval>) -> String {
    let interval =
        interval.map_or(String::new(), |of| format!(" [{}, {}]", percent(of.low), percent(of.high)));
    percent(win_rate) + &interval
}

/// The names of the groups by the turn that decided the battle.
const PARTS: [&str; 5] = ["first third", "second third", "last third", "last turn", "never (drawn)"];

/// Returns the group of a battle by the turn that decided it, as an index into `PARTS`. Returns `None` if the battle
/// contradicts the rules, or has no turns.
fn decided_in(contest: &dyn Contest, record: &Record) -> Option<usize> {
    let leads = leads(contest, record).ok()?;
    let result = leads.last()?;
    if result.is_eq() {
        return Some(4);
    }
    let last = leads.len() - 1;
    let decided = leads.iter().rposition(|lead| lead != result).map_or(0, |turn| turn + 1);
    Some(if decided == last { 3 } else { 3 * decided / leads.len() })
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
