//! The form that starts a match, and the actions that start and stop one.

use super::log::MatchLog;
use super::{Params, job, test};
use crate::App;
use crate::files::{FileSummary, newest_game};
use crate::guard::Known;
use crate::league::bots;
use crate::machine::{Machine, REMATCHES, Relief, longer};
use crate::page::{self, Problem, blocking, games};
use crate::text::{ago, query};
use axum::Form;
use axum::extract::{Query, State};
use axum::response::{Html, Redirect};
use contender_catalogue::find;
use contender_game::contest::Contest;
use contender_game::settings::Options;
use contender_input::this_program;
use contender_plot::board;
use contender_referee::{
    ContestHost, Entrant, Fixture, Host, Program, RankedBy, Referee, TimeSetting, with_distinct_names,
};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::fs::File;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};

/// The game that the form shows.
#[derive(Deserialize)]
pub struct FormQuery {
    game: Option<String>,
}

/// The values of the form for a new match.
#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub struct NewMatch {
    game: String,
    a: String,
    b: String,
    pairs: String,
    /// A time limit in the form of `--time`; empty for the contest's time limits.
    time: String,
    /// Nodes per move; empty if the time limits apply.
    nodes: String,
    seed: String,
    sprt: String,
    /// Number of games at once; empty for one per core.
    jobs: String,
    /// Maximum number of times that a game is replayed because a bot lost on time on a busy machine; empty for none.
    rematch: String,
    /// Whether bots that are not bundled play a test game first; empty means no.
    tested: String,
    /// The names of A and B, which are known after the start.
    #[serde(skip)]
    pub names: [String; 2],
}

/// Returns the form. The address cannot fill in any field, so a match contains only values that the user has typed.
pub async fn form(
    State(app): State<Arc<App>>,
    Query(wanted): Query<FormQuery>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let contest = wanted.game.map_or_else(|| Some(newest_game(app)), |name| find(&name));
        let contest = contest.ok_or_else(|| Problem::not_found("There is no such game."))?;
        let content = content(app, contest, is_known);
        Ok(page::frame("/matches", &format!("New match of {}", contest.name()), Some("/match.js"), &content))
    })
    .await
}

/// Maximum number of matches to remember.
const MAX_STARTED: usize = 200;
/// Maximum number of recorded matches in the list.
const SHOWN: usize = 15;

/// Returns a list of the newest files with games between two bots, with links to their results.
fn recorded(app: &App) -> Markup {
    let contents = app.project.contents();
    let summaries = contents.logs.iter().take(4 * SHOWN).map(|entry| (entry, app.summaries.of(app, entry)));
    let is_match = |summary: &FileSummary| {
        summary.players.len() == 2 && !summary.is_of_site && find(&summary.game).is_some()
    };
    let matches: Vec<_> = summaries.filter(|(_, summary)| is_match(summary)).take(SHOWN).collect();
    html! {
        @if !matches.is_empty() {
            section aria-labelledby="recorded" {
                h2 #recorded { "Recorded matches" }
                div.wide { table.list.files {
                    thead { tr { th { "File" } th { "Players" } th { "Result" } th { "Game" } th { "Updated" } } }
                    tbody { @for (entry, summary) in &matches { tr {
                        td { a href=(format!("/match?{}", query(&[("file", &entry.path)]))) { (entry.path) } }
                        td.players { (summary.players.join(" – ")) }
                        td.result {
                            (summary.result())
                        }
                        td.extra { (summary.game) }
                        td.updated { (entry.modified.map_or(String::new(), ago)) }
                    } } }
                } }
            }
        }
    }
}

fn content(app: &App, contest: &'static dyn Contest, is_known: bool) -> Markup {
    let info = contest.info();
    let strongest = info.bots.last().map_or("", |bot| bot.name);
    let second = info.bots.iter().rev().nth(1).map_or(strongest, |bot| bot.name);
    let field = |label: &str, name: &str, value: &str, hint: &str| {
        html! { p { label { span.label { (label) } input type="text" name=(name) value=(value) placeholder=(hint) autocomplete="off" spellcheck="false"; } } }
    };
    html! {
        (page::crumbs(&[], "New match", None))
        (games("/matches", info.name))
        h1 { "New match of " (info.name) }
        p.path { (info.about) }
        (page::read_only(is_known))
        @if is_known {
            div.with-aside.matches {
            form.fields.card action="/match/start" method="post" data-command="match" {
                input type="hidden" name="game" value=(info.name);
                @for (label, name, value) in [("Bot A", "a", strongest), ("Bot B", "b", second)] {
                    p { label { span.label { (label) } input.long type="text" name=(name) value=(value) list="bots" required autocomplete="off" spellcheck="false"; } }
                }
                datalist #bots { @for bot in info.bots { option value=(bot.name) { (bot.about) } } }
                (bots::list(app, contest, &|_| true, &|bot, words| html! {
                    (words)
                    @for (name, label) in [("a", "A"), ("b", "B")] {
                        button.small type="button" data-field=(name) value=(bot.name) aria-pressed="false" aria-label=(format!("{} as bot {label}", bot.name)) { (label) }
                    }
                }))
                p { label { span.label { "Pairs of games" } input type="number" name="pairs" min="1" max="1000000" value="100"; } }
                p { label { span.label { "Stop early" } select name="sprt" {
                    option value="" { "no, play all pairs" }
                    @for (value, words) in tests(contest) { option value=(value) { (words) } }
                } } }
                (Machine::now().field())
                (field("Time per move", "time", "", "the contest's; or 200%, 100ms"))
                details { summary { "More settings" }
                    (field("Nodes per move", "nodes", "", "no limit"))
                    (field("Seed", "seed", "1", ""))
                    p { label { input type="checkbox" name="rematch" value=(REMATCHES) checked; " Replay a game that a bot lost on time because the machine was busy" } }
                }
                p { label { input type="checkbox" name="tested" value="1" checked; " Test your own bots in one game first" } }
                p { button.primary type="submit" { "Start the match" } }
                p.command { code #line tabindex="0" {} button.small #copy-line type="button" data-copy="" { "Copy" } }
            }
            aside aria-label="The game and its bots" {
                @if let Ok(judge) = contest.judge(1, &mut Options::rules()) {
                    figure.card { (PreEscaped(board::svg(&judge.picture(None), &format!("{} at the start", info.name)))) }
                }
            p.legend {
                "A bot is the name of a bundled bot, with options such as " code { "classic:depth=3" } ", or a command that runs in the project's folder on this machine. "
                "Both games of a pair have the same seed and swapped seats. The page writes the games to a file in \
                 the project's folder, as " code { (this_program()) " match --log" } " does."
            }
            }
            }
        }
        (recorded(app))
    }
}

/// Returns the sequential tests that the form offers for a game: the value of `--sprt`, and its meaning.
fn tests(contest: &'static dyn Contest) -> [(&'static str, &'static str); 3] {
    match ContestHost::new(contest).ranked_by() {
        RankedBy::Wins => [
            ("0,5", "when it is clear whether A is 5 Elo stronger"),
            ("0,20", "when it is clear whether A is 20 Elo stronger"),
            ("-10,0", "when it is clear that A is not 10 Elo weaker"),
        ],
        RankedBy::Points | RankedBy::Rank => [
            ("0,1", "when it is clear whether A leads by 1 point per game"),
            ("0,5", "when it is clear whether A leads by 5 points per game"),
            ("-1,0", "when it is clear that A is not behind by 1 point per game"),
        ],
    }
}

/// Starts a match whose log is a new file in the project folder.
pub async fn begin(State(app): State<Arc<App>>, Form(new): Form<NewMatch>) -> Result<Redirect, Problem> {
    blocking(app, move |app| start(app, new)).await
}

/// Starts a match and returns the address of its page.
fn start(app: &App, new: NewMatch) -> Result<Redirect, Problem> {
    let contest = find(&new.game).ok_or_else(|| Problem::bad(format!("There is no game {}.", new.game)))?;
    let bots = [&new.a, &new.b].map(|bot| Entrant::parse_within(contest, bot, &app.project.path("")));
    let [a, b] = bots;
    let bots = with_distinct_names(vec![a.map_err(Problem::bad)?, b.map_err(Problem::bad)?])
        .map_err(Problem::bad)?;
    test(&new.sprt)?;
    let pairs: u32 = new.pairs.trim().parse().map_err(|_| Problem::bad("Expected a number of pairs."))?;
    // Values cannot be taken for options, whatever they look like.
    let mut words = vec![
        "match".to_string(),
        "--quiet".to_string(),
        "--end-with-input".to_string(),
        format!("--pairs={pairs}"),
    ];
    for (option, value) in [
        ("seed", &new.seed),
        ("nodes", &new.nodes),
        ("time", &new.time),
        ("sprt", &new.sprt),
        ("jobs", &new.jobs),
        ("rematch", &new.rematch),
    ] {
        words.extend((!value.trim().is_empty()).then(|| format!("--{option}={}", value.trim())));
    }
    for bot in &bots {
        if !new.tested.is_empty() && matches!(bot.program, Program::Command(_)) {
            try_out(contest, bot)?;
        }
    }
    let file = new_log(app, contest.name())?;
    words.push(format!("--log={file}"));
    words.extend(["--".to_string(), new.game.clone(), new.a.clone(), new.b.clone()]);
    let which = Params { file, games: (2 * u64::from(pairs)).to_string(), sprt: new.sprt.clone() };
    app.jobs.start(&job(&which.file), which.address("/match"), &app.project.path(""), words)?;
    let mut started = app.matches.started.lock().unwrap_or_else(PoisonError::into_inner);
    if started.len() >= MAX_STARTED {
        started.clear();
    }
    let names = [0, 1].map(|at| bots[at].name.clone());
    started.insert(which.file.clone(), NewMatch { names, ..new });
    Ok(Redirect::to(&which.address("/match")))
}

impl NewMatch {
    /// Returns the match that wrote this log, if it was started on a page or has only bundled bots. Commands come only
    /// from a page, because a log may be from somebody else.
    pub fn of(app: &App, which: &Params, log: &MatchLog) -> Option<NewMatch> {
        let started = app.matches.started.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = started.get(&which.file) {
            return Some(known.clone());
        }
        let (contest, [a, b]) = (find(&log.game)?, log.names.as_ref()?);
        let is_bundled = |name: &String| {
            let bot = Entrant::parse(contest, name);
            bot.is_ok_and(|bot| matches!(bot.program, Program::Bundled { .. }))
        };
        let games = which.games.parse().unwrap_or(log.count).max(2);
        ([a, b].into_iter().all(is_bundled)).then(|| NewMatch {
            game: log.game.clone(),
            a: a.clone(),
            b: b.clone(),
            pairs: (games / 2).to_string(),
            sprt: which.sprt.clone(),
            rematch: REMATCHES.to_string(),
            ..NewMatch::default()
        })
    }
}

/// A match in which bots lost on time, and the way to play it again.
#[derive(Deserialize)]
pub struct Again {
    #[serde(flatten)]
    which: Params,
    relief: Relief,
}

/// Stops a match and plays it again, one game at a time, or with more time per move.
pub async fn again(State(app): State<Arc<App>>, Form(order): Form<Again>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let log = order.which.log(app)?;
        let mut new = NewMatch::of(app, &order.which, &log)
            .ok_or_else(|| Problem::bad("The bots of this match are not known. Start a new match."))?;
        new.jobs = "1".to_string();
        if order.relief == Relief::Longer {
            new.time = longer(TimeSetting::parse(new.time.trim()).ok());
        }
        app.jobs.stop(&job(&order.which.file));
        start(app, new)
    })
    .await
}

/// Plays one game between a bot and the fastest bundled bot. Returns an error with the bot's own words if it fails.
fn try_out(contest: &'static dyn Contest, bot: &Entrant) -> Result<(), Problem> {
    let Some(quick) = contest.info().bots.first() else { return Ok(()) };
    let quick = Entrant::parse(contest, quick.name).map_err(Problem::bad)?;
    let fixture = Fixture::between([bot, &quick], 1, [1, 2]);
    let record =
        Referee::of(contest).play(contest, &fixture, &AtomicBool::new(false)).map_err(Problem::bad)?;
    let seat = &record.seats[0];
    if !seat.ending.is_failure() {
        return Ok(());
    }
    Err(Problem::bad(
        format!("{} failed in a test game: {}\n{}", bot.name, seat.ending, seat.stderr).trim_end(),
    ))
}

/// Creates an empty log file with an unused name.
fn new_log(app: &App, game: &str) -> Result<String, Problem> {
    for number in 1..10_000 {
        let name = format!("match-{game}-{number}.jsonl");
        match File::create_new(app.project.path(&name)) {
            Ok(_) => return Ok(name),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Problem::bad(format!("{name} cannot be written: {error}"))),
        }
    }
    Err(Problem::bad("The folder already has 10,000 matches. Move some of them to another folder."))
}

pub async fn stop(State(app): State<Arc<App>>, Form(which): Form<Params>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        app.jobs.stop(&job(&which.file));
        Ok(Redirect::to(&which.address("/match")))
    })
    .await
}
