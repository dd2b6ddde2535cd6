//! The leaderboard of a league.

use super::charts::{LeagueProgress, looks};
use super::{MIN_CHARTS, View, address, control, digits};
use crate::colours::Looks;
use crate::text::{count, grouped, signed};
use contender_league::{BotState, LeagueBot, Standings, StandingsRow, time_text};
use contender_stats::Interval;
use maud::{Markup, html};

/// Width and height of a drawn interval in pixels.
const BAR: [f64; 2] = [164.0, 16.0];
/// Probability of being stronger than the next bot from which a rank says something.
const SURE: f64 = 0.9;
/// The same probability from which the first bot is called stronger: one end of a 95% interval.
const CLEAR: f64 = 0.975;
/// Number of rows that are shown until the user asks for all, filters or searches: on a telephone, and on a wider
/// screen. The style sheet has the same numbers.
const MAX_SHOWN: [usize; 2] = [20, 30];

/// Returns the leaderboard. `progress` contains the strengths by number of games, or is `None` if they are not known
/// yet. `is_broken` means that most games failed, so the results say nothing about strength. `has_failures` adds a
/// column with the numbers of failed games, if there are any.
pub fn table(
    standings: &Standings,
    bots: &[LeagueBot],
    seats: [&str; 2],
    view: &View<'_>,
    progress: Option<&LeagueProgress>,
    is_broken: bool,
    has_failures: bool,
) -> Markup {
    let rows = &standings.rows;
    let looks = looks(bots);
    if is_broken {
        return unranked(rows, &looks, view);
    }
    let ranks = rows.first().map_or(0, |row| row.ranks.len());
    let has_seats = rows.iter().any(|row| row.by_seat.is_some());
    let has_failures = has_failures && rows.iter().any(|row| row.failures > 0);
    let is_any_active = is_any_active(standings);
    let context = Context { standings, looks: &looks, view, progress, has_seats, has_failures };
    let sorted = |words: &str, title: &str, class: &str| {
        html! { th class=(format!("number {class}")) title=[(!title.is_empty()).then_some(title)] { button.sort type="button" { (words) } } }
    };
    html! {
        @if !rows.is_empty() {
            div.wide { table.league.few[standings.games < MIN_CHARTS] {
                thead { tr {
                    th.number.rank aria-sort="ascending" title="Rank" { button.sort type="button" { "#" } }
                    th { button.sort type="button" { "Bot" } }
                    (sorted("Strength", standings.model.meaning(), "strength"))
                    th.extra { (scale(standings.ends())) }
                    @if has_trend(progress) { th.extra title="Strength by number of games" { "Trend" } }
                    (sorted("Ahead of next", "Probability that the bot is stronger than the next one", "extra"))
                    @if has_seats { @for seat in seats { (sorted(&format!("As {seat}"), "", "extra")) } }
                    (sorted("Games", "", "games"))
                    @if ranks > 0 { @for rank in 1..=ranks { (sorted(&format!("{rank}."), "", "extra")) } }
                    @else { (sorted("W – D – L", "Games won, drawn and lost", "results")) }
                    @if has_failures { (sorted("Failed", "Games in which the bot failed", "failures")) }
                    (sorted("Time", "Mean thinking time per game", "extra")) (sorted("Slowest", "The bot's slowest answer", "extra"))
                    @if view.is_known { td.extra.menu {} }
                } }
                @for group in standings.groups() { tbody {
                    @for ((place, rank), row) in (1..).zip(ranks_of(group, is_any_active)).zip(group) { (line(place, rank, row, &context)) }
                } }
            } }
            @if rows.len() > MAX_SHOWN[0] {
                p class=[(rows.len() <= MAX_SHOWN[1]).then_some("narrow-only")] { label { input #all-rows type="checkbox" autocomplete="off"; " Show all " (grouped(rows.len() as u64)) " bots" } }
            }
            @if standings.games > 0 && !is_any_ranked(standings) {
                p { strong { "Too few games to rank the bots. " } "No bot is clearly stronger than the next one yet." }
            }
            @if let Some(gap) = standings.gap() { p { (gap) } }
            p.legend {
                "Strength is " (standings.model.meaning()) ", with its " (standings.model.reach()) " interval. "
                // A telephone does not show these columns.
                span.extra { "Ahead of next is the probability that a bot is stronger than the next one. "
                "Time is the mean thinking time per game, and Slowest the time of the slowest move. " }
                (count(standings.games, "rated game", "rated games")) "."
            }
        }
    }
}

/// Returns the bots of a league in which most games failed, with the numbers of their games and failures.
fn unranked(rows: &[StandingsRow], looks: &Looks<'_>, view: &View<'_>) -> Markup {
    html! {
        div.wide { table.league {
            thead { tr {
                th { "Bot" } th.number.games { "Games" } th.number.failures { "Failed" } th.number.extra { "Time" } th.number.extra { "Slowest" }
                @if view.is_known { td.extra.menu {} }
            } }
            tbody { @for row in rows {
                tr data-key=(row.name) class=(if row.state == BotState::Active { "" } else { "resting" }) {
                    (name(row, looks, view))
                    (games(row, view))
                    (failures(row, view))
                    (times(row))
                    @if view.is_known { td.extra.menu { (control::menu(view.dir, &row.name, row.state)) } }
                }
            } }
        } }
    }
}

fn name(row: &StandingsRow, looks: &Looks<'_>, view: &View<'_>) -> Markup {
    html! { th scope="row" {
        (looks.mark(&row.name)) " "
        a href=(address("/league/bot", view.dir, &[("name", &row.name)])) { (row.name) }
    } }
}

fn games(row: &StandingsRow, view: &View<'_>) -> Markup {
    let address = address("/league/games", view.dir, &[("a", &row.name)]);
    html! { td.number.games data-value=(row.games) { a href=(address) { (grouped(row.games)) } } }
}

fn failures(row: &StandingsRow, view: &View<'_>) -> Markup {
    let address = address("/league/games", view.dir, &[("a", &row.name), ("failed", "1")]);
    html! { td.number.failures data-value=(row.failures) { @if row.failures > 0 { a.failure href=(address) { (grouped(row.failures)) } } } }
}

fn times(row: &StandingsRow) -> Markup {
    html! {
        td.number.extra data-value=[row.seconds] { (row.seconds.map_or(String::new(), time_text)) }
        td.number.extra data-value=[row.slowest] { (row.slowest.map_or(String::new(), time_text)) }
    }
}

/// Returns whether a bot of the league plays.
fn is_any_active(standings: &Standings) -> bool {
    standings.rows.iter().any(|row| row.state == BotState::Active)
}

/// Returns the rank of a bot and the number of bots with a rank in its group; `None` if it has no rank.
pub fn rank_of(standings: &Standings, name: &str) -> Option<[usize; 2]> {
    let group = standings.groups().find(|group| group.iter().any(|row| row.name == name))?;
    let ranks = ranks_of(group, is_any_active(standings));
    let own = group.iter().zip(&ranks).find_map(|(row, rank)| match rank {
        Rank::Place(place) if row.name == name => Some(*place),
        _ => None,
    });
    Some([own?, ranks.iter().filter(|rank| matches!(rank, Rank::Place(_))).count()])
}

/// Returns whether a group of bots has ranks.
pub fn is_any_ranked(standings: &Standings) -> bool {
    standings.groups().any(is_ranked)
}

/// Returns whether the games tell which bots are stronger: the best one from the last one, or any one from the next.
fn is_ranked(group: &[StandingsRow]) -> bool {
    let rows: Vec<&StandingsRow> = group.iter().filter(|row| row.is_rated()).collect();
    let ends = rows.first().and_then(|row| row.interval).zip(rows.last().and_then(|row| row.interval));
    ends.is_some_and(|(best, last)| best.low > last.high)
        || rows.iter().any(|row| row.ahead_of_next.is_some_and(|ahead| ahead >= SURE))
}

/// Returns which bot is the strongest in words, if the games tell it and all bots have played against each other.
pub fn verdict(standings: &Standings) -> Option<String> {
    let mut groups = standings.groups();
    let rows: Vec<&StandingsRow> = groups.next()?.iter().filter(|row| row.is_rated()).collect();
    let ([first, second, others @ ..], None) = (&rows[..], groups.next()) else { return None };
    if !is_any_ranked(standings) {
        return None;
    }
    let [first_name, second_name] = [&first.name, &second.name];
    Some(match first.ahead_of_next? >= CLEAR {
        true if others.is_empty() => format!("{first_name} is stronger than {second_name}"),
        true => format!("{first_name} is the strongest"),
        false => format!("{first_name} leads, but is not clearly ahead of {second_name}"),
    })
}

/// Returns whether the table has a column of small lines. If the strengths by number of games are not known yet, its
/// place is kept free.
fn has_trend(progress: Option<&LeagueProgress>) -> bool {
    progress.is_none_or(LeagueProgress::has_trend)
}

/// The data that all rows of a leaderboard need.
struct Context<'a> {
    standings: &'a Standings,
    looks: &'a Looks<'a>,
    view: &'a View<'a>,
    progress: Option<&'a LeagueProgress>,
    has_seats: bool,
    has_failures: bool,
}

/// The rank of a bot in its group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rank {
    /// The number of better bots in the group plus one.
    Place(usize),
    /// The bot is paused while others play.
    Paused,
    /// The games do not tell which bots of the group are stronger.
    Unknown,
    /// The bot has no games.
    Unrated,
}

/// Returns the ranks of the bots in a group. Paused bots take no rank from the others, unless all bots are paused, as
/// those of imported games are.
fn ranks_of(group: &[StandingsRow], is_any_active: bool) -> Vec<Rank> {
    let is_ranked = is_ranked(group);
    let mut place = 0;
    let rank = |row: &StandingsRow| {
        if row.state == BotState::Paused && is_any_active {
            return Rank::Paused;
        }
        if !row.is_rated() {
            return Rank::Unrated;
        }
        place += 1;
        if is_ranked { Rank::Place(place) } else { Rank::Unknown }
    };
    group.iter().map(rank).collect()
}

/// Returns the row of a bot. `place` is its place in the group, which also counts paused bots.
fn line(place: usize, rank: Rank, row: &StandingsRow, context: &Context<'_>) -> Markup {
    let &Context { standings, looks, view, progress, has_seats, has_failures, .. } = context;
    html! {
        // The key keeps an open part and the focus with this bot when ranks change.
        tr data-key=(row.name) class=(if row.state == BotState::Active { "" } else { "resting" }) {
            td.number.rank data-value=(place) { @match rank { Rank::Place(rank) => (rank), Rank::Paused => small { "paused" }, Rank::Unknown => "–", Rank::Unrated => {} } }
            (name(row, looks, view))
            (strength(row, standings.ends(), digits(standings)))
            @if has_trend(progress) { td.extra { @match progress { Some(progress) => (progress.sparkline(looks, &row.name)), None => span.waiting aria-hidden="true" {} } } }
            td.number.extra data-value=[row.ahead_of_next] { @if let Some(ahead) = row.ahead_of_next { @if ahead > 0.995 { ">99%" } @else { (format!("{:.0}%", 100.0 * ahead)) } } }
            @if has_seats { @for seat in 0..2 { (by_seat(row, seat, digits(standings))) } }
            (games(row, view))
            @if row.ranks.is_empty() { td.number.results data-value=(row.results[0]) { (row.results.map(grouped).join(" – ")) } }
            @else { @for count in &row.ranks { td.number.extra data-value=(count) { (grouped(*count)) } } }
            @if has_failures { (failures(row, view)) }
            (times(row))
            @if view.is_known { td.extra.menu { (control::menu(view.dir, &row.name, row.state)) } }
        }
    }
}

/// Draws the scale of the intervals: its ends, and 0 if 0 is between them.
fn scale([low, high]: [f64; 2]) -> Markup {
    let [width, height] = BAR;
    html! {
        @if low < high {
            svg.interval viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) role="img" aria-label=(format!("Intervals from {low:.0} to {high:.0}")) {
                text x="0" y="12" { (signed(low, 0)) }
                text.end x=(width) y="12" { (signed(high, 0)) }
                @if low < 0.0 && high > 0.0 { text.middle x=(place(0.0, [low, high])) y="12" { "0" } }
            }
        }
    }
}

/// Returns the horizontal position of a value in a bar, as text.
fn place(value: f64, [low, high]: [f64; 2]) -> String {
    let share = if high > low { (value - low) / (high - low) } else { 0.5 };
    format!("{:.1}", 6.0 + share * (BAR[0] - 12.0))
}

fn strength(row: &StandingsRow, ends: [f64; 2], digits: usize) -> Markup {
    let is_rated = row.is_rated();
    let reach = row.interval.filter(|_| is_rated).map(Interval::reach);
    html! {
        td.number.strength data-value=[is_rated.then_some(row.strength)] {
            @if is_rated { (signed(row.strength, digits)) @if let Some(reach) = reach { small { " ± " (format!("{reach:.digits$}")) } } }
        }
        td.extra { @if let (true, Some(interval)) = (is_rated, row.interval) { (bar(interval, row.strength, ends)) } }
    }
}

fn by_seat(row: &StandingsRow, seat: usize, digits: usize) -> Markup {
    html! {
        @let known = row.by_seat.filter(|_| row.is_rated());
        td.number.extra data-value=[known.map(|by_seat| by_seat[seat].strength)] { @if let Some(by_seat) = known {
            (signed(by_seat[seat].strength, digits))
            @if let Some(interval) = by_seat[seat].interval { small { " ± " (format!("{:.digits$}", interval.reach())) } }
        } }
    }
}

/// Draws an interval and its middle on a scale with the given ends.
fn bar(interval: Interval, middle: f64, ends: [f64; 2]) -> Markup {
    let [width, height] = BAR;
    let y = height / 2.0;
    html! {
        svg.interval viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) aria-hidden="true" {
            @if ends[0] < 0.0 && ends[1] > 0.0 { line.zero x1=(place(0.0, ends)) x2=(place(0.0, ends)) y1="0" y2=(height) {} }
            line x1=(place(interval.low, ends)) x2=(place(interval.high, ends)) y1=(y) y2=(y) {}
            circle cx=(place(middle, ends)) cy=(y) r="4.5" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::data::LeagueData;
    use super::*;
    use contender_league::{League, Model, NewLeagueGame, Store, import_text};

    /// Groups of bots that are not connected by games are ranked separately: each group begins at 1, and a sentence
    /// gives the reason.
    #[test]
    fn groups_that_never_met_are_apart() {
        let folder = tempfile::tempdir().unwrap();
        let contest = contender_catalogue::find("box").unwrap();
        let league = League::create(folder.path(), NewLeagueGame::Contest(contest)).unwrap();
        let mut store = Store::open(&league).unwrap();
        let mut table_of = |games: &str| {
            let header = "Game,User1,Score1,Status1,User2,Score2,Status2\n";
            import_text(&mut store, &format!("{header}{games}"), "games", "box").unwrap();
            let standings = league.standings(&store, Model::Elo, None).unwrap();
            let (bots, games) = (store.bots().unwrap(), store.games(false).unwrap());
            let data = LeagueData { bots, games, standings };
            let view =
                View { dir: "", league: &league, store: &store, data: &data, runner: None, is_known: false };
            let table = table(&data.standings, &data.bots, ["first", "second"], &view, None, false, true);
            (table.into_string(), verdict(&data.standings))
        };
        let (one, told) = table_of("1,a,5,WIN,b,3,LOSE\n2,b,5,WIN,a,3,LOSE\n");
        assert_eq!(one.matches("<tbody>").count(), 1, "{one}");
        // One win each tells nothing.
        assert!(
            one.contains("Too few games to rank the bots.") && one.contains("data-value=\"1\">–<"),
            "{one}"
        );
        assert!(!one.contains("No games were played"), "{one}");
        assert_eq!(told, None);
        // The bots swap seats, since a bot that always moves first may owe its wins to this.
        let games = ["a,5,WIN,b,3,LOSE", "b,3,LOSE,a,5,WIN"];
        let wins: String = (5..60).map(|at| format!("{at},{}\n", games[at % 2])).collect();
        let (clear, told) = table_of(&wins);
        assert!(!clear.contains("Too few games") && clear.contains("data-value=\"1\">1<"), "{clear}");
        assert_eq!(told.as_deref(), Some("a is stronger than b"));
        let (two, told) = table_of("3,c,5,WIN,d,3,LOSE\n4,c,6,WIN,d,3,LOSE\n");
        assert_eq!(two.matches("<tbody>").count(), 2, "{two}");
        assert_eq!(two.matches("<td class=\"number rank\" data-value=\"1\">").count(), 2, "{two}");
        assert_eq!(told, None);
        assert!(two.contains("<p>No games were played between these 2 groups: "), "{two}");
    }
}
