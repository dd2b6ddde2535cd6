//! The standings of a league.

use crate::filter::Filter;
use crate::forecast::Forecast;
use crate::game::{BotState, GameState, LeagueBot, LeagueGame, SeatResult, places};
use crate::groups::{gap, groups};
use crate::model::Model;
use crate::settings::League;
use crate::store::Store;
use contender_game::contest::JudgeSite;
use contender_stats::Interval;
use contender_stats::ratings::{
    PlackettLuce, RankedGame, RatedGame, Regression, SeatRegression, Skill, Strengths, differences,
    openskill, trueskill,
};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// A row of the standings, for one bot.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StandingsRow {
    /// The bot's name.
    pub name: String,
    /// The bot's state.
    pub state: BotState,
    /// The number of the bot's group, starting at 1 for the largest group, or `None` if the bot has no rated games.
    /// Bots in different groups are not connected by games.
    pub group: Option<usize>,
    /// The bot's strength: points per game or Elo relative to the mean of the group, or a skill.
    pub strength: f64,
    /// The 95% interval of the strength or, for a skill, three standard deviations in each direction.
    pub interval: Option<Interval>,
    /// Probability that the bot is truly stronger than the next bot in its group.
    pub ahead_of_next: Option<f64>,
    /// The strengths in seat 0 and in seat 1, in points per game, if the seats have different roles.
    pub by_seat: Option<[SeatStrength; 2]>,
    /// Number of finished games.
    pub games: u64,
    /// Numbers of rated games won, drawn and lost.
    pub results: [u64; 3],
    /// Number of rated games in each rank, starting with the best, if the league has games with more than two players;
    /// otherwise empty.
    pub ranks: Vec<u64>,
    /// Mean contest points per rated game.
    pub points: Option<f64>,
    /// Number of games in which the bot failed.
    pub failures: u64,
    /// Mean thinking time per game, in seconds.
    pub seconds: Option<f64>,
    /// The time of the bot's slowest answer, in seconds.
    pub slowest: Option<f64>,
}

/// A bot's strength in one seat.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatStrength {
    /// The strength in points per game, relative to the mean strength of the group in this seat.
    pub strength: f64,
    /// The 95% interval of the strength.
    pub interval: Option<Interval>,
}

impl League {
    /// Returns the default rating model, which depends on how the contest is scored.
    #[must_use]
    pub fn model(&self) -> Model {
        match self.contest().map(|contest| contest.info().site) {
            Some(JudgeSite::CodeCup) => Model::Points,
            Some(JudgeSite::CodinGame) | None => Model::Elo,
        }
    }

    /// Computes the standings from all games or from the games that meet a condition.
    ///
    /// # Errors
    /// Returns an error if the league's file cannot be read, or if the condition uses a field that does not occur in
    /// any game.
    pub fn standings(
        &self,
        store: &Store,
        model: Model,
        filter: Option<&Filter>,
    ) -> anyhow::Result<Standings> {
        let seats_differ = self.contest().is_some_and(|contest| contest.info().seats_differ);
        Ok(Standings::of(&store.bots()?, &games_that_meet(store, filter)?, model, seats_differ))
    }

    /// Computes the uncertainty of the ranks from the games that meet a condition.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`standings`](League::standings) and [`Forecast::of`].
    pub fn forecast(&self, store: &Store, model: Model, filter: Option<&Filter>) -> anyhow::Result<Forecast> {
        Forecast::of(&store.bots()?, &games_that_meet(store, filter)?, model)
    }
}

fn games_that_meet(store: &Store, filter: Option<&Filter>) -> anyhow::Result<Vec<LeagueGame>> {
    let mut games = store.games(filter.is_some())?;
    if let Some(filter) = filter {
        filter.check(&games)?;
        games.retain(|game| filter.matches(game));
    }
    Ok(games)
}

/// Returns a row for each bot in a group of connected bots, in descending order of strength. Omits removed bots. The
/// strengths depend only on the games in the group.
fn ranked(
    group: &[&LeagueBot],
    games: &[LeagueGame],
    by_bot: &GamesByBot<'_>,
    model: Model,
    seats_differ: bool,
) -> Vec<StandingsRow> {
    /// Number of random orders of the games. Skills are averaged over these orders, because they depend on the order.
    const ORDERS: u32 = 20;
    let count = group.len();
    let places = places(group.iter().map(|bot| bot.id));
    let is_by_duels = model != Model::Elo || seats_differ;
    let rated: Vec<RatedGame> =
        games.iter().filter(|_| is_by_duels).flat_map(|game| game.rated(&places)).collect();
    let joint: Option<Strengths> = match model {
        Model::Points => Some(Regression::fit(count, &differences(&rated)).strengths),
        Model::Elo => {
            let played: Vec<RankedGame> = games.iter().filter_map(|game| game.ranked(&places)).collect();
            Some(PlackettLuce::fit(count, &played).strengths)
        }
        Model::Trueskill | Model::Openskill => None,
    };
    let skills = match model {
        Model::Trueskill => trueskill(count, &rated, ORDERS, 1),
        Model::Openskill => openskill(count, &rated, ORDERS, 1),
        _ => Vec::new(),
    };
    let seats = seats_differ.then(|| SeatRegression::fit(count, &rated).strengths);
    let strength = |place: usize| match &joint {
        Some(strengths) => (strengths.values()[place], strengths.interval(place, 0.95)),
        None => {
            let Skill { mean, deviation } = skills[place];
            let reach = 3.0 * deviation;
            (mean, Some(Interval { low: mean - reach, high: mean + reach }))
        }
    };
    let mut order: Vec<usize> = (0..count).filter(|&place| group[place].state != BotState::Removed).collect();
    order.sort_by(|&a, &b| strength(b).0.total_cmp(&strength(a).0));
    // Strengths are relative to the mean of the bots shown. Skills have their own scale.
    let mean_of = |value: &dyn Fn(usize) -> f64| {
        order.iter().map(|&place| value(place)).sum::<f64>() / order.len().max(1) as f64
    };
    let mean = if joint.is_some() { mean_of(&|place| strength(place).0) } else { 0.0 };
    let seat_means =
        seats.as_ref().map(|seats| seats.each_ref().map(|seat| mean_of(&|place| seat.values()[place])));
    let by_seat = |place: usize| {
        seats.as_ref().zip(seat_means).map(|(seats, means)| {
            [0, 1].map(|seat| SeatStrength {
                strength: seats[seat].values()[place] - means[seat],
                interval: seats[seat].interval(place, 0.95).map(|of| of.map(|end| end - means[seat])),
            })
        })
    };
    let row = |(rank, &place): (usize, &usize)| {
        let (strength, interval) = strength(place);
        let ahead = |&next: &usize| joint.as_ref().and_then(|strengths| strengths.ahead(place, next));
        StandingsRow {
            strength: strength - mean,
            interval: interval.map(|interval| interval.map(|end| end - mean)),
            ahead_of_next: order.get(rank + 1).and_then(ahead),
            by_seat: by_seat(place),
            ..by_bot.row(group[place])
        }
    };
    order.iter().enumerate().map(row).collect()
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The standings of a league.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Standings {
    /// The rating model.
    pub model: Model,
    /// Number of rated games.
    pub games: u64,
    /// Number of games that a bot lost on time because the machine was busy. They are not rated.
    #[serde(skip_serializing_if = "is_zero")]
    pub overloaded: u64,
    /// Number of void games.
    pub void: u64,
    /// The rows of the bots with rated games, grouped, in descending order of strength within each group. The other
    /// bots follow in the order in which they were added. Removed bots are omitted, but their games count.
    pub rows: Vec<StandingsRow>,
}

impl Standings {
    /// Computes the standings from these games. If `seats_differ` is set, strengths are also computed by seat.
    #[must_use]
    pub fn of(bots: &[LeagueBot], games: &[LeagueGame], model: Model, seats_differ: bool) -> Standings {
        let (groups, idle) = groups(bots, games);
        let by_bot = GamesByBot::of(games);
        let mut rows = Vec::new();
        let mut number = 0;
        for group in groups {
            let ranked = ranked(&group, games, &by_bot, model, seats_differ);
            number += usize::from(!ranked.is_empty());
            rows.extend(ranked.into_iter().map(|row| StandingsRow { group: Some(number), ..row }));
        }
        let shown = idle.into_iter().filter(|bot| bot.state != BotState::Removed);
        rows.extend(shown.map(|bot| by_bot.row(bot)));
        let ids: HashSet<i64> = bots.iter().map(|bot| bot.id).collect();
        let is_known = |game: &&LeagueGame| game.seats.iter().all(|seat| ids.contains(&seat.bot));
        let played = games.iter().filter(|game| game.is_rated()).filter(is_known).count() as u64;
        let count =
            |is_meant: fn(&LeagueGame) -> bool| games.iter().filter(|game| is_meant(game)).count() as u64;
        let void = count(|game| game.state == GameState::Void);
        let overloaded = count(|game| game.state == GameState::Done && !game.is_rated());
        Standings { model, games: played, overloaded, void, rows }
    }

    /// Returns the rows of each group of connected bots, followed by the rows of the bots without games. Ranks start at
    /// 1 in every group.
    pub fn groups(&self) -> impl Iterator<Item = &[StandingsRow]> {
        self.rows.chunk_by(|one, next| one.group == next.group)
    }

    /// Returns the number of groups of bots that have played.
    pub(crate) fn group_count(&self) -> usize {
        self.rows.iter().filter_map(|row| row.group).max().unwrap_or_default()
    }

    /// Returns a note that strengths from different groups cannot be compared, or `None` if there is only one group.
    #[must_use]
    pub fn gap(&self) -> Option<String> {
        gap(self.group_count(), self.model)
    }

    /// Returns the range that contains all intervals, which is the common scale for drawing them. If there are no
    /// intervals, the lower end is above the upper end.
    #[must_use]
    pub fn ends(&self) -> [f64; 2] {
        let intervals = self.rows.iter().filter(|row| row.is_rated()).filter_map(|row| row.interval);
        intervals.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], interval| {
            [low.min(interval.low), high.max(interval.high)]
        })
    }

    /// Returns the number of decimals for strengths, so that differences between bots are shown with about three
    /// digits.
    #[must_use]
    pub fn digits(&self) -> usize {
        let [low, high] = self.ends();
        match high - low {
            span if span < 2.0 => 3,
            span if span < 20.0 => 2,
            _ => 1,
        }
    }

    /// Formats the table as text. `seats` are the names of the seats, and `is_coloured` enables colours for the
    /// intervals.
    #[must_use]
    pub fn text(&self, seats: [&str; 2], is_coloured: bool) -> String {
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).clamp(4, 30);
        let (unit, reach) = (self.model.name(), format!("+/- {}", self.model.reach()));
        let has_seats = self.rows.iter().any(|row| row.by_seat.is_some());
        let mut text = format!("     {:<width$}  {unit:>9} {reach:>8}  {:BAR$}  {:>6}", "bot", "", "ahead");
        if has_seats {
            let _ = write!(text, "  {:>14}  {:>14}", format!("as {}", seats[0]), format!("as {}", seats[1]));
        }
        let _ = write!(text, "  {:>6} {:>7} {:>6}", "games", "a game", "failed");
        // External referees may not report thinking times.
        let has_times = self.rows.iter().any(|row| row.seconds.is_some());
        if has_times {
            let _ = write!(text, " {:>8} {:>8}", "time", "slowest");
        }
        let ranks = self.rows.first().map_or(0, |row| row.ranks.len());
        (1..=ranks).for_each(|rank| text += &format!("{:>6}", format!("{rank}.")));
        text.push('\n');
        let layout =
            Layout { width, has_seats, has_times, ends: self.ends(), digits: self.digits(), is_coloured };
        for group in self.groups() {
            if group[0].group.is_some_and(|number| number > 1) {
                text.push('\n');
            }
            (1..).zip(group).for_each(|(rank, row)| text += &layout.line(rank, row));
        }
        let _ = write!(text, "\n{} games", self.games);
        if self.overloaded > 0 {
            let _ = write!(text, ", {} not rated (lost on time on a busy machine)", self.overloaded);
        }
        if self.void > 0 {
            let _ = write!(text, ", {} void", self.void);
        }
        text.extend(self.gap().map(|gap| format!("\n{gap}")));
        let _ = writeln!(
            text,
            "\n{unit}: {}; ahead: probability of being stronger than the next bot; a game: points per game{}",
            self.model.meaning(),
            if has_times { "; time: mean thinking time per game; slowest: the slowest answer" } else { "" }
        );
        text
    }
}

/// The layout of the table.
struct Layout {
    /// The width of the column with names.
    width: usize,
    has_seats: bool,
    has_times: bool,
    /// The range that contains all intervals.
    ends: [f64; 2],
    /// Number of decimals for strengths.
    digits: usize,
    is_coloured: bool,
}

impl Layout {
    fn line(&self, rank: usize, row: &StandingsRow) -> String {
        let &Layout { width, digits, .. } = self;
        let optional = |value: Option<f64>, text: &dyn Fn(f64) -> String| value.map_or("-".to_string(), text);
        let name: String = row.name.chars().take(30).collect();
        let rank = if row.is_rated() { format!("{rank:>3}.") } else { "    ".to_string() };
        let (strength, reach, bar) = if row.is_rated() {
            let draw = |interval| bar(interval, row.strength, self.ends, self.is_coloured);
            let bar = row.interval.map_or_else(|| " ".repeat(BAR), draw);
            let reach = optional(row.interval.map(Interval::reach), &|reach| format!("{reach:.digits$}"));
            (format!("{:+.digits$}", row.strength), reach, bar)
        } else {
            ("-".to_string(), "-".to_string(), " ".repeat(BAR))
        };
        let ahead = optional(row.ahead_of_next, &|ahead| format!("{:.0}%", 100.0 * ahead));
        let mut line = format!("{rank} {name:<width$}  {strength:>9} {reach:>8}  {bar}  {ahead:>6}");
        if self.has_seats {
            let [zero, one] = row.by_seat.map_or([const { String::new() }; 2], |seats| {
                seats.map(|SeatStrength { strength, interval }| {
                    let reach = interval.map(Interval::reach);
                    let reach = reach.map_or(String::new(), |reach| format!(" +/- {reach:.digits$}"));
                    format!("{strength:+.digits$}{reach}")
                })
            });
            let _ = write!(line, "  {zero:>14}  {one:>14}");
        }
        let points = optional(row.points, &|points| format!("{points:.2}"));
        let state = match row.state {
            BotState::Active => "",
            BotState::Paused => "  paused",
            BotState::Removed => "  removed",
        };
        let ranks: String = row.ranks.iter().map(|count| format!("{count:>6}")).collect();
        let _ = write!(line, "  {:>6} {points:>7} {:>6}", row.games, row.failures);
        if self.has_times {
            let [time, slowest] = [row.seconds, row.slowest].map(|time| optional(time, &time_text));
            let _ = write!(line, " {time:>8} {slowest:>8}");
        }
        line + &ranks + state + "\n"
    }
}

/// The width of a drawn interval.
const BAR: usize = 24;

/// Draws an interval and its middle on the common scale.
fn bar(interval: Interval, middle: f64, [low, high]: [f64; 2], is_coloured: bool) -> String {
    let place = |value: f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        ((share * (BAR - 1) as f64).round() as usize).min(BAR - 1)
    };
    let [from, at, to] = [interval.low, middle, interval.high].map(place);
    let draw = |column: usize| match column {
        _ if column == at => '●',
        _ if (from..=to).contains(&column) => '─',
        _ => ' ',
    };
    let drawn: String = (0..BAR).map(draw).collect();
    if is_coloured { format!("\x1b[36m{drawn}\x1b[0m") } else { drawn }
}

/// Converts milliseconds to seconds, rounded to a microsecond.
fn seconds(ms: f64) -> f64 {
    (ms * 1e3).round() / 1e6
}

/// Formats a time in a suitable unit, such as `12 s`, `1.5 s`, `30 ms` or `7 µs`.
#[must_use]
pub fn time_text(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 10.0 => format!("{seconds:.0} s"),
        _ if seconds >= 1.0 => format!("{seconds:.1} s"),
        _ if seconds >= 1e-3 => format!("{:.0} ms", 1e3 * seconds),
        _ => format!("{:.0} µs", 1e6 * seconds),
    }
}

impl StandingsRow {
    /// Returns whether the bot has a strength.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        self.group.is_some()
    }
}

/// The finished games of every bot, by the bot's ID.
struct GamesByBot<'a> {
    games: HashMap<i64, Vec<(&'a LeagueGame, &'a SeatResult)>>,
    /// Number of players in the largest game.
    most: usize,
}

impl<'a> GamesByBot<'a> {
    fn of(all: &'a [LeagueGame]) -> GamesByBot<'a> {
        let mut games: HashMap<i64, Vec<_>> = HashMap::new();
        for game in all.iter().filter(|game| game.state == GameState::Done) {
            for seat in &game.seats {
                games.entry(seat.bot).or_default().push((game, seat));
            }
        }
        GamesByBot { games, most: all.iter().map(|game| game.seats.len()).max().unwrap_or_default() }
    }

    /// Collects a bot's results from its games, without the strength.
    fn row(&self, bot: &LeagueBot) -> StandingsRow {
        let (mut played, mut rated, mut results, mut points, mut failures) = (0, 0, [0; 3], 0.0, 0);
        let mut ranks = vec![0; if self.most > 2 { self.most } else { 0 }];
        let (mut ms, mut timed, mut slowest_ms): (f64, u64, Option<f64>) = (0.0, 0, None);
        for &(game, seat) in self.games.get(&bot.id).into_iter().flatten() {
            played += 1;
            if game.is_rated() {
                rated += 1;
                points += seat.points;
                let place = game.place(seat);
                ranks.get_mut(place).into_iter().for_each(|count| *count += 1);
                let is_tied = game.seats.iter().filter(|other| other.rank == seat.rank).count() > 1;
                results[if place > 0 { 2 } else { usize::from(is_tied) }] += 1;
            }
            failures += u64::from(seat.has_failed());
            timed += u64::from(seat.ms.is_some());
            ms += seat.ms.unwrap_or_default();
            slowest_ms = slowest_ms.into_iter().chain(seat.slowest_ms).reduce(f64::max);
        }
        StandingsRow {
            name: bot.name.clone(),
            state: bot.state,
            group: None,
            strength: 0.0,
            interval: None,
            ahead_of_next: None,
            by_seat: None,
            games: played,
            results,
            ranks,
            points: (rated > 0).then(|| points / f64::from(rated)),
            failures,
            seconds: (timed > 0).then(|| seconds(ms) / timed as f64),
            slowest: slowest_ms.map(seconds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::testing;

    /// Small differences between strengths remain visible in the table.
    #[test]
    fn the_text_has_the_digits_that_matter() {
        let bots = [1, 2].map(testing::bot);
        let text = |scale: f64| {
            let points = |id: i64| if id % 4 == 0 { [0.0, scale] } else { [scale, 0.0] };
            let game = |id: i64| testing::game(id, [1, 2], points(id));
            let games: Vec<LeagueGame> = (1..=40).map(game).collect();
            Standings::of(&bots, &games, Model::Points, false).text(["first", "second"], false)
        };
        for (scale, strength) in [(1.0, " +0.250 "), (10.0, " +2.50 "), (100.0, " +25.0 ")] {
            let text = text(scale);
            assert!(text.contains(strength), "{text}");
            assert!(text.contains(
                "40 games\npoints: in points per game above or below the mean of all bots; ahead: probability of being stronger than the next bot"
            ));
        }
    }

    /// Games that a bot lost on time on a busy machine change no strength, but count as failures. A bot with no other
    /// games has no strength and is in no group.
    #[test]
    fn games_lost_on_a_busy_machine_are_not_rated() {
        let bots = [1, 2, 3].map(testing::bot);
        let points = |id: i64| if id % 4 == 0 { [0.0, 8.0] } else { [8.0, 0.0] };
        let games: Vec<LeagueGame> = (1..=20).map(|id| testing::game(id, [1, 2], points(id))).collect();
        let lost = |id: i64, bots: [i64; 2], ending: &str| {
            let mut game = testing::game(id, bots, [0.0, 8.0]);
            game.seats[0].ending = ending.to_string();
            game
        };
        let with = |ending: &str| -> Vec<LeagueGame> {
            let more = (21..).zip([[1, 2], [1, 2], [3, 2]]).map(|(id, bots)| lost(id, bots, ending));
            games.iter().cloned().chain(more).collect()
        };
        for model in [Model::Points, Model::Elo] {
            let before = Standings::of(&bots, &games, model, false);
            let after = Standings::of(&bots, &with("overloaded"), model, false);
            let strengths = |of: &Standings| of.rows.iter().map(|row| row.strength).collect::<Vec<_>>();
            assert_eq!(strengths(&before), strengths(&after));
            assert_eq!((after.games, after.overloaded, before.overloaded), (20, 3, 0));
            let row = |name: &str| after.rows.iter().find(|row| row.name == name).unwrap();
            assert_eq!((row("bot1").games, row("bot1").failures, row("bot1").results), (22, 2, [15, 0, 5]));
            assert_eq!((row("bot3").is_rated(), row("bot3").games, row("bot3").failures), (false, 1, 1));
            let text = after.text(["first", "second"], false);
            assert!(text.contains("20 games, 3 not rated (lost on time on a busy machine)\n"), "{text}");
            // A bot that is too slow on an idle machine loses.
            let slow = Standings::of(&bots, &with("timeout"), model, false);
            assert!(slow.rows.iter().all(StandingsRow::is_rated) && slow.games == 23, "{slow:?}");
        }
    }

    /// Games against a removed bot count, but the bot is not part of the mean: the strengths in the table add up to 0.
    #[test]
    fn removed_bots_are_in_no_mean() {
        let mut bots = [1, 2, 3].map(testing::bot);
        let points = |id: i64| if id % 4 == 0 { [0.0, 8.0] } else { [8.0, 0.0] };
        let games: Vec<LeagueGame> = (1..=60)
            .map(|id| testing::game(id, [[1, 2], [2, 3], [1, 3]][id as usize % 3], points(id)))
            .collect();
        bots[2].state = BotState::Removed;
        for model in [Model::Points, Model::Elo] {
            let rows = Standings::of(&bots, &games, model, true).rows;
            let sum = |value: &dyn Fn(&StandingsRow) -> f64| rows.iter().map(value).sum::<f64>();
            assert_eq!(rows.len(), 2);
            assert!(rows[0].strength > 0.1 && sum(&|row| row.strength).abs() < 1e-9, "{rows:?}");
            for seat in 0..2 {
                assert!(sum(&|row| row.by_seat.unwrap()[seat].strength).abs() < 1e-9, "{rows:?}");
            }
            let of_first = rows[0].interval.unwrap();
            assert!(of_first.low < rows[0].strength && rows[0].strength < of_first.high, "{rows:?}");
        }
    }

    /// Games in other groups have no effect: the strengths in a group only depend on the group's own games.
    #[test]
    fn groups_that_never_met_are_apart() {
        let bots = [1, 2, 3, 4, 5].map(testing::bot);
        let points = |id: i64, period: i64| if id % period == 0 { [0.0, 30.0] } else { [28.0, 0.0] };
        let ours = (1..=40).map(|id| testing::game(id, [1, 2], points(id, 4)));
        let theirs = (41..=240).map(|id| testing::game(id, [3, 4], points(id, 7)));
        let (ours, all): (Vec<LeagueGame>, Vec<LeagueGame>) =
            (ours.clone().collect(), ours.chain(theirs).collect());
        let strengths = |rows: &[StandingsRow]| -> Vec<_> {
            rows.iter().map(|row| (row.name.clone(), row.strength, row.interval, row.ahead_of_next)).collect()
        };
        for model in [Model::Points, Model::Elo, Model::Trueskill, Model::Openskill] {
            let [alone, both] = [&ours, &all].map(|games| Standings::of(&bots, games, model, true));
            assert_eq!(strengths(&alone.rows[..2]), strengths(&both.rows[..2]), "{model:?}");
            let groups: Vec<_> = both.rows.iter().map(|row| row.group).collect();
            assert_eq!(groups, [Some(1), Some(1), Some(2), Some(2), None]);
            if matches!(model, Model::Points | Model::Elo) {
                assert!((both.rows[2].strength + both.rows[3].strength).abs() < 1e-9, "{both:?}");
            }
            let [alone, both] = [alone, both].map(|standings| standings.text(["first", "second"], false));
            assert!(!alone.contains("No games were played"), "{alone}");
            assert!(both.contains("240 games\nNo games were played between these 2 groups"), "{both}");
            let ranks = both.lines().map(|line| line.chars().take(6).collect::<String>());
            let ranks: Vec<String> = ranks.collect();
            assert_eq!(ranks[1..7], ["  1. b", "  2. b", "", "  1. b", "  2. b", "     b"], "{both}");
        }
        // A game between the groups joins them into one group.
        let bridge = testing::game(241, [2, 3], [0.0, 1.0]);
        let all: Vec<LeagueGame> = all.into_iter().chain([bridge]).collect();
        assert_eq!(Standings::of(&bots, &all, Model::Elo, true).gap(), None);
    }
}
