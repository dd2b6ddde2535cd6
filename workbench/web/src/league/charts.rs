//! The charts of a league: the bots' strengths by number of games, and the results between the best bots.

use crate::chart::{Chart, PlotLine, sparkline};
use crate::colours::Looks;
use crate::text::{count, signed};
use contender_league::{GameState, LeagueBot, LeagueGame, Model, Standings, StandingsRow};
use maud::{Markup, html};
use std::collections::HashMap;

/// Maximum number of bots in the table of results, which then fits next to the chart, and of lines in the chart.
const MAX_BOTS: usize = 12;
const MAX_LINES: usize = 8;
/// Number of bots in the table of results on a narrow page.
const NARROW_BOTS: usize = 8;
/// Maximum number of bots whose intervals are shown as bands. More bands would cover each other.
const MAX_BANDS: usize = 3;
/// Minimum number of games for which strengths are drawn as small lines. Earlier strengths are mostly chance.
const MIN_TREND: usize = 20;
/// Maximum number of moments for which the page of a league computes strengths.
pub const MAX_MOMENTS: usize = 16;

/// The bots' strengths at several moments of the league. They are kept between updates, because computing them takes
/// long in a large league.
#[derive(Default, Clone)]
pub struct LeagueProgress {
    /// For each moment, the number of games, and the strength and interval of every bot by name.
    moments: Vec<(usize, HashMap<String, [f64; 3]>)>,
    /// The unit of strength.
    unit: &'static str,
}

impl LeagueProgress {
    /// Computes the strengths for at most `most` moments, unless they are known.
    pub fn update(
        &mut self,
        bots: &[LeagueBot],
        games: &[LeagueGame],
        model: Model,
        latest: &Standings,
        most: usize,
    ) {
        self.unit = model.unit();
        let done: Vec<LeagueGame> =
            games.iter().filter(|game| game.state == GameState::Done).cloned().collect();
        let step = done.len().div_ceil(most).next_power_of_two().max(4);
        // The last moment was the end of the games at that time, and not a multiple of the step.
        self.moments.retain(|(count, _)| count % step == 0 && *count <= done.len());
        for count in (step..done.len()).step_by(step) {
            if !self.moments.iter().any(|(known, _)| *known == count) {
                let then = Standings::of(bots, &done[..count], model, false);
                self.moments.push((count, strengths(&then)));
            }
        }
        self.moments.sort_by_key(|(count, _)| *count);
        self.moments.retain(|(count, _)| *count < done.len());
        self.moments.push((done.len(), strengths(latest)));
    }

    /// Returns whether the latest strengths are those after these games.
    pub fn is_of(&self, games: &[LeagueGame]) -> bool {
        let done = games.iter().filter(|game| game.state == GameState::Done).count();
        self.moments.last().is_some_and(|(count, _)| *count == done)
    }

    /// Returns whether the strengths are known at more than one moment.
    pub fn has_lines(&self) -> bool {
        self.moments.len() > 1
    }

    /// Returns whether the strengths are drawn as small lines.
    pub fn has_trend(&self) -> bool {
        self.has_lines() && self.moments.last().is_some_and(|(games, _)| *games >= MIN_TREND)
    }

    /// Draws the strengths of the best bots by number of games.
    pub fn draw(&self, looks: &Looks<'_>, standings: &Standings) -> Markup {
        let has_bands = standings.rows.len() <= MAX_BANDS;
        let best = standings.rows.iter().filter(|row| row.is_rated()).take(MAX_LINES);
        let lines: Vec<PlotLine> = best.map(|row| self.line(looks, &row.name, has_bands)).collect();
        let title = if standings.rows.len() > MAX_LINES {
            format!("Strength of the best {MAX_LINES} bots")
        } else {
            "Strength".to_string()
        };
        Chart { title: &title, across: "games in the league", up: self.unit, lines: &lines, levels: &[] }
            .draw()
    }

    /// Draws the strength of one bot by number of games, with its interval.
    pub fn draw_one(&self, looks: &Looks<'_>, name: &str) -> Markup {
        let lines = [self.line(looks, name, true)];
        Chart {
            title: "Strength, with its 95% interval",
            across: "games in the league",
            up: self.unit,
            lines: &lines,
            levels: &[],
        }
        .draw()
    }

    fn line(&self, looks: &Looks<'_>, name: &str, has_band: bool) -> PlotLine {
        let known = || self.moments.iter().filter_map(|(count, of)| Some((*count as f64, of.get(name)?)));
        let band = known().filter(|_| has_band).map(|(count, [_, low, high])| [count, *low, *high]);
        PlotLine {
            name: name.to_string(),
            look: looks.look(name),
            points: known().map(|(count, [value, ..])| [count, *value]).collect(),
            band: band.collect(),
            ..PlotLine::default()
        }
    }

    /// Draws the strength of a bot as a small line. Its height is at least the width of the latest interval, so changes
    /// that may be chance stay small.
    pub fn sparkline(&self, looks: &Looks<'_>, name: &str) -> Markup {
        let line = self.line(looks, name, true);
        let values: Vec<f64> = line.points.iter().map(|point| point[1]).collect();
        let span = line.band.last().map_or(0.0, |[_, low, high]| high - low);
        sparkline(&values, span, line.look, &format!("Strength of {name} by number of games"))
    }
}

fn strengths(standings: &Standings) -> HashMap<String, [f64; 3]> {
    let rated = standings.rows.iter().filter(|row| row.is_rated());
    let ends = |row: &StandingsRow| row.interval.map_or([f64::NAN; 2], |of| [of.low, of.high]);
    rated.map(|row| (row.name.clone(), [row.strength, ends(row)[0], ends(row)[1]])).collect()
}

/// Returns the looks of the league's bots.
pub fn looks(bots: &[LeagueBot]) -> Looks<'_> {
    Looks::of(bots.iter().map(|bot| bot.name.as_str()))
}

/// Returns the table of results between the best bots. Each cell shows the row's bot against the column's bot: the
/// score in percent (a draw counts as half a win), or its average lead in points. `rank` returns a bot's rank in the
/// leaderboard, if it has one. If no bot has a rank, numbers connect rows and columns.
pub fn matrix(
    bots: &[LeagueBot],
    games: &[LeagueGame],
    standings: &Standings,
    rank: &dyn Fn(&str) -> Option<usize>,
    link: &dyn Fn(&str, &str) -> String,
) -> Markup {
    let best: Vec<&LeagueBot> = standings
        .rows
        .iter()
        .filter(|row| row.is_rated())
        .take(MAX_BOTS)
        .filter_map(|row| bots.iter().find(|bot| bot.name == row.name))
        .collect();
    let ranks: Vec<Option<usize>> = best.iter().map(|bot| rank(&bot.name)).collect();
    let is_ranked = ranks.iter().any(Option::is_some);
    let number = |at: usize| match ranks[at] {
        Some(rank) => rank.to_string(),
        None if is_ranked => "–".to_string(),
        None => (at + 1).to_string(),
    };
    let is_by_points = standings.model == Model::Points;
    let places: HashMap<i64, usize> = best.iter().enumerate().map(|(at, bot)| (bot.id, at)).collect();
    let mut cells = vec![(0.0, 0_u32); best.len() * best.len()];
    for game in games.iter().filter(|game| game.is_rated()) {
        for own in &game.seats {
            for other in game.seats.iter().filter(|other| other.bot != own.bot) {
                if let (Some(row), Some(column)) = (places.get(&own.bot), places.get(&other.bot)) {
                    let (ahead, count) = &mut cells[row * best.len() + column];
                    // From -1, which is a loss, to 1.
                    let won = f64::from(own.rank.cmp(&other.rank).reverse() as i8);
                    *ahead += if is_by_points { own.points - other.points } else { won };
                    *count += 1;
                }
            }
        }
    }
    let mean = |(ahead, count): (f64, u32)| ahead / f64::from(count.max(1));
    let most = cells.iter().map(|&cell| mean(cell).abs()).fold(1e-9, f64::max);
    let most = if is_by_points { most } else { 1.0 };
    let text = |value: f64| match is_by_points {
        // Large numbers would not fit into the table on a phone.
        true => signed(value, usize::from(most < 10.0)),
        false => format!("{:.0}", 50.0 + 50.0 * value),
    };
    let unit = if is_by_points { "points per game" } else { "% score" };
    // Seven classes from far behind (0) to far ahead (6).
    let class = |value: f64| format!("number h{}", ((value / most + 1.0) * 3.0).round().clamp(0.0, 6.0));
    html! {
        figure.chart {
            figcaption { @if is_by_points { "Head to head: lead of the row's bot in points per game" } @else { "Head to head: score of the row's bot in %" } }
            div.wide { table.matrix {
                thead { tr { td {} @for (at, bot) in best.iter().enumerate() { th title=(bot.name) { (number(at)) } } } }
                tbody { @for (row, bot) in best.iter().enumerate() { tr {
                    th scope="row" { (number(row)) (if ranks[row].is_some() || !is_ranked { ". " } else { " " }) (bot.name) }
                    @for (column, other) in best.iter().enumerate() {
                        @let cell = cells[row * best.len() + column];
                        @if row == column { td.self {} } @else if cell.1 == 0 { td { "·" } } @else {
                            td class=(class(mean(cell))) title=(format!("{} against {}: {} {unit} in {}", bot.name, other.name, text(mean(cell)), count(cell.1.into(), "game", "games"))) {
                                a href=(link(&bot.name, &other.name)) { (text(mean(cell))) }
                            }
                        }
                    }
                } } }
            } }
            @if standings.rows.len() > MAX_BOTS { p.legend.wide-only { "The table shows the best " (MAX_BOTS) " bots." } }
            // The style sheet hides the others.
            @if best.len() > NARROW_BOTS { p.legend.narrow-only { "On a narrow page, the table shows the best " (NARROW_BOTS) " bots." } }
        }
    }
}
