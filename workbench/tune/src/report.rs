//! Reports on a tuning run: text, a table and charts.

use crate::log::read;
use crate::tuned::{Tuned, point, tuned};
use crate::{
    Effect, Fit, Parameter, ParameterValues, Phase, Plan, Quadratic, TestResult, TestState, Tuning, Unit,
};
use anyhow::{Context, Result};
use contender_plot::{Curve, ProgressPoint, Track, curves, progress};
use contender_stats::{Interval, normal_quantile};
use contender_table::{Column, Table, Values as Cells, write_whole};
use std::fmt;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Number of steps with which the curve of a response is drawn.
const DRAWN: u32 = 40;

/// The progress of the tuning run in a folder.
#[derive(Clone, PartialEq, Debug)]
pub struct TuneStatus {
    /// A description of the tuned bot.
    pub subject: String,
    /// The random seed.
    pub seed: u64,
    /// Running time.
    pub running: Duration,
    /// Time since the log was last written, or `None` if the system does not report it.
    pub saved: Option<Duration>,
    /// The result so far as one sentence.
    pub result: String,
    /// The current results.
    pub report: TuneReport,
    /// The phases that have started, each with its name, the number of games played and the total number of games (for
    /// a test, the maximum).
    pub phases: Vec<(&'static str, u64, u64)>,
    /// Charts of the parameters' values over time, and of each parameter's effect.
    pub pictures: Vec<TuneChart>,
    /// The values of the parameters over time.
    pub values: Vec<ParameterTrack>,
    /// The bot with the best values so far; `None` for a screen and before the first values.
    pub tuned: Option<Tuned>,
}

/// The estimated values of a parameter by number of games.
#[derive(Clone, PartialEq, Debug)]
pub struct ParameterTrack {
    /// The allowed values: the ends of a range, or words.
    pub allowed: String,
    /// The values, with the parameter's name; `None` for words.
    pub line: Option<ChartLine>,
}

/// The results of a tuning run: sentences, a table of the parameters, and further sentences.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TuneReport {
    /// The number of games and the running time, or that there are no results yet, as one line.
    pub played: String,
    /// The warnings before the table, one per line.
    pub before: String,
    /// The names of the columns, and a row for each parameter; empty before the first results.
    pub table: Vec<Vec<String>>,
    /// The sentences after the table, one per line.
    pub after: String,
    /// The results of the tests, one per line.
    pub tests: String,
}

impl fmt::Display for TuneReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.played)?;
        f.write_str(&self.before)?;
        if !self.table.is_empty() {
            writeln!(f)?;
        }
        for cells in &self.table {
            match &cells[..] {
                [name, start, tuned, effect, range] => {
                    writeln!(f, "{name:<12} {start:>9}  {tuned:>9}  {effect:<9}  {range}")?;
                }
                [name, effect, chance, gain] => writeln!(f, "{name:<12} {effect:<9}  {chance:>25}   {gain}")?,
                _ => writeln!(f, "{}", cells.join("  "))?,
            }
        }
        f.write_str(&self.after)?;
        f.write_str(&self.tests)
    }
}

/// A chart of a tuning run.
#[derive(Clone, PartialEq, Debug)]
pub struct TuneChart {
    /// The chart's file name.
    pub file: String,
    /// The chart's title.
    pub title: String,
    /// The chart as SVG.
    pub svg: String,
    /// The name of the horizontal axis.
    pub across: String,
    /// The unit of the vertical axis.
    pub up: String,
    /// The lines of the chart.
    pub lines: Vec<ChartLine>,
}

/// A line in a chart, with its 95% interval.
#[derive(Clone, PartialEq, Debug)]
pub struct ChartLine {
    /// The line's name.
    pub name: String,
    /// The points `[x, y]` in ascending order of x.
    pub points: Vec<[f64; 2]>,
    /// The interval around the line: `[x, low, high]` in ascending order of x.
    pub band: Vec<[f64; 3]>,
}

/// Returns the progress of the tuning run in a folder. The run may still be active.
///
/// # Errors
/// Returns an error if the folder contains no log or if the log cannot be read.
pub fn status(folder: &Path) -> Result<TuneStatus> {
    let found =
        read(folder)?.with_context(|| format!("{} contains no saved tuning run", folder.display()))?;
    let mut tuning = Tuning::new(&found.header);
    for batch in &found.batches {
        tuning.batch()?;
        tuning.take(batch)?;
    }
    // The plan is made when the first pairs after the noise are requested. An error in the plan is not part of the log
    // and is ignored here.
    let _ = tuning.batch();
    let saved = std::fs::metadata(folder.join(crate::log::LOG)).and_then(|file| file.modified()).ok();
    Ok(TuneStatus {
        subject: format!(
            "{} {}{}",
            tuning.recipe().game,
            tuning.recipe().bot,
            if tuning.recipe().screen { ", a screen" } else { "" }
        ),
        seed: found.header.seed,
        running: Duration::try_from_secs_f64(found.seconds).unwrap_or_default(),
        saved: saved.and_then(|at| at.elapsed().ok()),
        result: result(&tuning),
        report: report(&tuning, found.seconds),
        phases: phases(&tuning),
        pictures: pictures(&tuning),
        values: values(&tuning),
        tuned: tuned(&tuning),
    })
}

/// Returns the phases that have started.
fn phases(tuning: &Tuning) -> Vec<(&'static str, u64, u64)> {
    let all = [Phase::Noise, Phase::Tune, Phase::Test, Phase::Clock].map(|phase| {
        let (pairs, of) = pairs_of(tuning, phase);
        (phase.name(), 2 * pairs, 2 * of)
    });
    all.into_iter().filter(|(_, games, _)| *games > 0).collect()
}

/// Returns the charts for which there are results.
fn pictures(tuning: &Tuning) -> Vec<TuneChart> {
    let mut pictures = Vec::new();
    if tuning.trace().is_empty() {
        return pictures;
    }
    if !tuning.recipe().screen {
        let title = "Best value of each parameter, in percent of its range, with its 95% interval";
        let lines = tracks(tuning);
        pictures.push(TuneChart {
            file: "parameters.svg".into(),
            title: title.into(),
            svg: drawn_tracks(tuning, &lines),
            across: "games".into(),
            up: "% of the range".into(),
            lines,
        });
    }
    let Some(fitted) = tuning.response() else { return pictures };
    for (at, parameter) in tuning.space().parameters.iter().enumerate() {
        if matches!(parameter.values, ParameterValues::Numbers { .. }) {
            // The user chooses the names of external bots' parameters, so they may contain any characters.
            let plain: String =
                parameter.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
            let line = response(tuning, &fitted, at);
            let unit = tuning.unit().name();
            pictures.push(TuneChart {
                file: format!("response-{plain}.svg"),
                title: format!("Effect of {} in {unit}, with its 95% interval", parameter.name),
                svg: drawn_response(tuning, &parameter.name, &line),
                across: parameter.name.clone(),
                up: unit.into(),
                lines: vec![line],
            });
        }
    }
    pictures
}

/// The sources of the numbers in a plan.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlanBasis {
    /// Number of games per second, if known, and its source, for example "at the current rate".
    pub rate: Option<(f64, &'static str)>,
    /// The source of the noise, in brackets; empty if the run has measured it.
    pub noise: String,
    /// A last sentence; empty if nothing else is assumed.
    pub note: String,
}

/// Describes the cost of a tuning run before it starts.
pub fn plan(tuning: &Tuning, plan: &Plan, basis: &PlanBasis) -> String {
    let unit = tuning.unit().name();
    let games = 2 * plan.pairs;
    let time = |games: u64| {
        basis.rate.map_or(String::new(), |(rate, source)| {
            let time = Duration::try_from_secs_f64(games as f64 / rate).unwrap_or(Duration::MAX);
            format!(", which take {} {source}", in_words(time))
        })
    };
    let PlanBasis { noise: noise_source, note, .. } = basis;
    if tuning.recipe().screen {
        return format!("{games} games with random settings{}{note}", time(games));
    }
    let Plan { precision, confidence, stake, noise, parameters, .. } = plan;
    let test = 2 * tuning.most_test_pairs(plan);
    let at_clock = tuning
        .recipe()
        .test
        .time
        .as_ref()
        .map_or(String::new(), |time| format!(", and the same number at {time}"));
    format!(
        "{games} games{}, then a test of at most {test} games{}{at_clock}. A pair's standard deviation is \
         {noise:.1} {unit}{noise_source}. If each of the {parameters} parameters loses {stake:.1} at half a range from \
         its best value, the result is within {precision:.1} of the best values with {:.0}% confidence{note}",
        time(games),
        time(test),
        100.0 * confidence
    )
}

/// Returns the number of pairs played in a phase, and the total number of pairs (for a test, the maximum).
pub fn pairs_of(tuning: &Tuning, phase: Phase) -> (u64, u64) {
    match phase {
        Phase::Noise => tuning.noise_pairs(),
        Phase::Tune => (tuning.tuned(), tuning.plan().map_or(0, |plan| plan.pairs)),
        Phase::Test | Phase::Clock => {
            let test = tuning.tests()[usize::from(phase == Phase::Clock)].as_ref();
            test.map_or((0, 0), |test| (test.pairs(), test.most()))
        }
    }
}

/// Returns the current results of a phase as a line of text.
pub fn figures(tuning: &Tuning, phase: Phase) -> String {
    match phase {
        Phase::Noise => String::new(),
        Phase::Tune => tuning.trace().last().map_or(String::new(), |last| tuning.space().text(&last.point)),
        Phase::Test | Phase::Clock => {
            let test = tuning.tests()[usize::from(phase == Phase::Clock)].as_ref();
            test.and_then(|test| test.advantage())
                .map_or(String::new(), |(mean, interval)| with_interval(mean, interval))
        }
    }
}

/// Returns the result so far as one sentence: the verdict of the latest test, or else the best values.
fn result(tuning: &Tuning) -> String {
    let Some(last) = tuning.trace().last() else { return "No result yet: measuring the noise.".to_string() };
    let space = tuning.space();
    let point = point(tuning, last);
    let values = space.text(&point);
    let mut tested =
        tuning.tests().iter().flatten().filter_map(|test| Some((test, test.verdict()?, test.advantage()?)));
    match tested.next_back() {
        Some((test, found, (mean, interval))) => {
            let words = match found {
                TestResult::Better => "is better than the start values",
                TestResult::Worse => "is worse than the start values",
                TestResult::NotShown => "is not shown to be better than the start values",
            };
            let (amount, unit) = (with_interval(mean, interval), tuning.unit().name());
            format!("{values} {words}: {amount} {unit} in {} games.", 2 * test.pairs())
        }
        None => format!("Best values so far, not tested yet: {values}."),
    }
}

/// Returns the full report as text.
pub fn text(tuning: &Tuning, seconds: f64) -> String {
    report(tuning, seconds).to_string()
}

fn report(tuning: &Tuning, seconds: f64) -> TuneReport {
    let games = 2 * tuning.tuned();
    let mut before = String::new();
    let played = match tuning.plan() {
        None => "no results yet: measuring the noise\n".to_string(),
        Some(plan) => {
            let time = in_words(Duration::try_from_secs_f64(seconds).unwrap_or_default());
            format!("tuning run: {games} of {} games played, running time {time}\n", 2 * plan.pairs)
        }
    };
    if let Some(failures) = tuning.failures() {
        before += &format!("warning: {failures}\n");
    }
    if tuning.overloaded() > 0 {
        before += &format!(
            "warning: {} pairs do not count, because a bot lost on time while the machine was busy\n",
            tuning.overloaded()
        );
    }
    if tuning.endless() > 0 {
        before += &format!("warning: {} games did not end and count as draws\n", tuning.endless());
    }
    if games > 0 && tuning.recipe().screen {
        let table = effects(tuning);
        let after = if table.is_empty() { "there are too few pairs so far\n" } else { "" };
        return TuneReport { played, before, table, after: after.to_string(), tests: String::new() };
    }
    let (table, after) = parameters(tuning);
    TuneReport { played, before, table, after, tests: tests(tuning) }
}

/// Returns the table of the parameters' values, and the sentences about the fit. Both are empty if there is no result
/// yet.
fn parameters(tuning: &Tuning) -> (Vec<Vec<String>>, String) {
    let Some(last) = tuning.trace().last() else { return Default::default() };
    let (mut table, mut text) = (Vec::new(), String::new());
    let unit = tuning.unit().name();
    let space = tuning.space();
    let point = point(tuning, last);
    let effects = tuning.response().map(|(form, fit)| form.effects(&fit));
    let ends = if tuning.has_model() { "from the fit" } else { "assuming the planned effect" };
    let best = format!("best value, 95% {ends}");
    table.push(["parameter", "start", "tuned", "effect", &best].map(str::to_string).to_vec());
    for (at, parameter) in space.parameters.iter().enumerate() {
        let range = last.intervals[at].map_or("-".to_string(), |range| {
            format!("{} to {}", parameter.text(range.low), parameter.text(range.high))
        });
        let effect = effects.as_ref().map_or("?", |effects| matters(effects, at)).to_string();
        let values = [parameter.start, point[at]].map(|value| parameter.text(value));
        table.push([vec![parameter.name.clone()], values.to_vec(), vec![effect, range]].concat());
    }
    if let Some(within) = tuning.within() {
        let confidence = 100.0 * tuning.recipe().confidence;
        text += &format!(
            "\naccording to a fit to all these games, the tuned values are within {within:.1} {unit} of \
             the best values with {confidence:.0}% confidence\n"
        );
    }
    if tuning.answer().is_some() && space.text(&point) == space.text(&space.start()) {
        text += "\nthe start values are the best, so there is nothing to test\n";
    }
    (table, text)
}

/// Returns the results of the tests, and a sentence that compares them if there are two.
fn tests(tuning: &Tuning) -> String {
    let mut text = String::new();
    let unit = tuning.unit().name();
    let names = [
        Phase::Test.name().to_string(),
        format!("test at {}", tuning.recipe().test.time.as_deref().unwrap_or("the time limit")),
    ];
    for (name, test) in names.iter().zip(tuning.tests()) {
        let Some(test) = test else { continue };
        let advantage =
            test.advantage().map_or("?".to_string(), |(mean, interval)| with_interval(mean, interval));
        let verdict = verdict(test);
        text += &format!(
            "\n{name}: tuned values against start values: {advantage} {unit} in {} games: {verdict}\n",
            2 * test.pairs()
        );
        if test.failures != [0, 0] {
            text += &format!(
                "warning: failures in this test: {} with the tuned values, {} with the start values\n",
                test.failures[0], test.failures[1]
            );
        }
    }
    if let [Some(at_budget), Some(at_clock)] = tuning.tests()
        && let (Some(budget), Some(clock)) = (at_budget.verdict(), at_clock.verdict())
    {
        text += match (budget, clock) {
            (TestResult::Better, TestResult::Better) => {
                "the tuned values are better, both with the tuning's budget and with the time limit\n"
            }
            (TestResult::Better, _) => {
                "the tuned values are better with the tuning's budget, but no gain is shown with the time limit\n"
            }
            (_, TestResult::Better) => {
                "the tuned values are better with the time limit, but no gain is shown with the tuning's budget\n"
            }
            _ => "no gain is shown with the tuning's budget or with the time limit\n",
        };
    }
    text
}

fn verdict(test: &TestState) -> String {
    match test.verdict() {
        None => "undecided".to_string(),
        Some(TestResult::Better) => "better".to_string(),
        Some(TestResult::Worse) => "worse".to_string(),
        Some(TestResult::NotShown) if test.pairs() < test.most() => {
            format!("no improvement shown: a gain of {:.1} is unlikely", test.better())
        }
        Some(TestResult::NotShown) => "no improvement shown: the test needs more games".to_string(),
    }
}

/// Returns `yes` if a parameter's effect is significant, otherwise `not shown`. The significance level accounts for the
/// number of parameters (Bonferroni).
fn matters(effects: &[Effect], at: usize) -> &'static str {
    if effects[at].chance < 0.05 / effects.len() as f64 { "yes" } else { "not shown" }
}

/// Returns the table of the parameters' effects, the most certain one first; empty if there are too few pairs.
fn effects(tuning: &Tuning) -> Vec<Vec<String>> {
    let Some((form, fit)) = tuning.response() else { return Vec::new() };
    let effects = form.effects(&fit);
    let mut order: Vec<usize> = (0..effects.len()).collect();
    order.sort_by(|&a, &b| effects[a].chance.total_cmp(&effects[b].chance));
    let gain = format!("gain from smallest to largest value, {}", tuning.unit().name());
    let row = |at: usize| {
        let effect = &effects[at];
        vec![
            tuning.space().parameters[at].name.clone(),
            matters(&effects, at).to_string(),
            format!("{:.2}%", 100.0 * effect.chance),
            with_interval(effect.across, Some(effect.across_interval)),
        ]
    };
    let head = ["parameter", "effect", "p-value", &gain].map(str::to_string).to_vec();
    [head].into_iter().chain(order.into_iter().map(row)).collect()
}

fn with_interval(mean: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(Interval { low, high }) => format!("{mean:+.1} [{low:+.1}, {high:+.1}]"),
        None => format!("{mean:+.1}"),
    }
}

/// Formats a time with two units, such as `2h 5m`.
fn in_words(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds < 60 => format!("{seconds}s"),
        seconds if seconds < 3600 => format!("{}m {}s", seconds / 60, seconds % 60),
        seconds if seconds < 86_400 => format!("{}h {}m", seconds / 3600, seconds / 60 % 60),
        seconds => format!("{}d {}h", seconds / 86_400, seconds / 3600 % 24),
    }
}

/// Writes `report.txt`, `parameters.csv`, `parameters.svg` and one `response-NAME.svg` per parameter.
///
/// # Errors
/// Returns an error if a file cannot be written.
pub fn write(folder: &Path, tuning: &Tuning, seconds: f64) -> Result<()> {
    let file =
        |name: &str, text: &str| write_whole(&folder.join(name), |out| Ok(out.write_all(text.as_bytes())?));
    file("report.txt", &text(tuning, seconds))?;
    if tuning.trace().is_empty() {
        return Ok(());
    }
    table(tuning).write(&folder.join("parameters.csv"))?;
    pictures(tuning).iter().try_for_each(|picture| file(&picture.file, &picture.svg))
}

/// Creates a table of each parameter's values, with the ends of their intervals, by number of games.
fn table(tuning: &Tuning) -> Table {
    let trace = tuning.trace();
    let mut columns =
        vec![Column::new("games", Cells::Integers(trace.iter().map(|at| at.games as i64).collect()))];
    for (at, parameter) in tuning.space().parameters.iter().enumerate() {
        let texts = trace.iter().map(|traced| parameter.text(traced.point[at])).collect();
        columns.push(Column::new(&parameter.name, Cells::Texts(texts)));
        for (name, end) in [("low", 0), ("high", 1)] {
            let ends = trace.iter().map(|traced| {
                let range = traced.intervals[at];
                range.map(|range| parameter.values.at([range.low, range.high][end]))
            });
            columns.push(Column::new(&format!("{}_{name}", parameter.name), Cells::Options(ends.collect())));
        }
    }
    Table { columns }
}

/// Returns the estimated values of the parameters by number of games, in percent of their ranges.
fn tracks(tuning: &Tuning) -> Vec<ChartLine> {
    let track = |at: usize| {
        let parameter = &tuning.space().parameters[at];
        let last = tuning.trace().last().map_or(String::new(), |last| parameter.text(last.point[at]));
        let places = || tuning.trace().iter().map(|traced| (traced.games as f64, traced));
        let band = places().filter_map(|(games, traced)| {
            let range = traced.intervals[at]?;
            Some([games, 100.0 * range.low, 100.0 * range.high])
        });
        ChartLine {
            name: format!("{} {last}", parameter.name),
            points: places().map(|(games, traced)| [games, 100.0 * traced.point[at]]).collect(),
            band: band.collect(),
        }
    };
    (0..tuning.space().len()).map(track).collect()
}

/// Returns the estimated values of all parameters by number of games.
fn values(tuning: &Tuning) -> Vec<ParameterTrack> {
    let track = |(at, parameter): (usize, &Parameter)| {
        let (values, trace) = (&parameter.values, tuning.trace());
        let line = || ChartLine {
            name: parameter.name.clone(),
            points: trace.iter().map(|traced| [traced.games as f64, values.at(traced.point[at])]).collect(),
            band: trace
                .iter()
                .filter_map(|traced| {
                    let Interval { low, high } = traced.intervals[at]?;
                    Some([traced.games as f64, values.at(low), values.at(high)])
                })
                .collect(),
        };
        match values {
            ParameterValues::Words(words) => ParameterTrack { allowed: words.join(", "), line: None },
            ParameterValues::Numbers { .. } => {
                let [low, high] = [0.0, 1.0].map(|place| parameter.text(place));
                ParameterTrack { allowed: format!("{low} to {high}"), line: Some(line()) }
            }
        }
    };
    // A screen plays random settings, so it has no values over time.
    let is_tuned = !tuning.recipe().screen && !tuning.trace().is_empty();
    tuning.space().parameters.iter().enumerate().filter(|_| is_tuned).map(track).collect()
}

fn drawn_tracks(tuning: &Tuning, lines: &[ChartLine]) -> String {
    let interval = |line: &ChartLine, games: f64| {
        let found = line.band.iter().find(|band| band[0] == games)?;
        Some(Interval { low: found[1], high: found[2] })
    };
    let track = |line: &ChartLine| Track {
        name: line.name.clone(),
        points: line
            .points
            .iter()
            .map(|&[games, value]| ProgressPoint {
                games: games as u64,
                value,
                interval: interval(line, games),
            })
            .collect(),
    };
    let tracks: Vec<Track> = lines.iter().map(track).collect();
    progress(&format!("{} {}", tuning.recipe().game, tuning.recipe().bot), "% of the range", &tracks)
}

/// Returns the strength relative to the tuned values as a function of one parameter, over the range that was tried. The
/// other parameters have their tuned values.
fn response(tuning: &Tuning, fitted: &(Quadratic, Fit), at: usize) -> ChartLine {
    let base = match (tuning.answer(), tuning.trace().last()) {
        (Some(answer), _) => answer.to_vec(),
        (None, Some(last)) => last.point.clone(),
        _ => tuning.space().start(),
    };
    let parameter = &tuning.space().parameters[at];
    let tried = tuning.tried(at).unwrap_or(Interval { low: 0.0, high: 1.0 });
    let mut line = ChartLine { name: "the fit".to_string(), points: Vec::new(), band: Vec::new() };
    for step in 0..=DRAWN {
        let place = tried.low + (tried.high - tried.low) * f64::from(step) / f64::from(DRAWN);
        let mut point = base.clone();
        point[at] = place;
        let [mean, error] = tuning.difference(fitted, &point, &base);
        let reach = normal_quantile(0.95) * error;
        let value = parameter.values.at(place);
        line.points.push([value, mean]);
        line.band.push([value, mean - reach, mean + reach]);
    }
    line
}

fn drawn_response(tuning: &Tuning, name: &str, line: &ChartLine) -> String {
    let unit = match tuning.unit() {
        Unit::Points => "points per game, compared with the tuned values",
        Unit::Elo => "Elo, compared with the tuned values",
    };
    let end = |name: &str, end: usize| Curve {
        name: name.to_string(),
        points: line.band.iter().map(|band| [band[0], band[end]]).collect(),
    };
    let fit = Curve { name: line.name.clone(), points: line.points.clone() };
    curves(name, [name, unit], &[fit, end("95% low", 1), end("95% high", 2)])
}
