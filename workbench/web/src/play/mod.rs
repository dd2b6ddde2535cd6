//! A person against a bot: one that thinks about each position anew (`game`), or one that plays a whole game by the contest's clock
//! (`session`), as programs do.

mod game;
mod session;

pub use session::Sessions;

use crate::App;
use crate::home::query;
use crate::page::{self, Problem, blocking, games};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Html;
use contender_catalogue::{CONTESTS, find};
use contender_game::{Contest, Judge, Player};
use contender_referee::{GameRecord, SeatReport, log};
use game::Game;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The file of the project that finished games are added to.
const LOG: &str = "played.jsonl";
/// The longest time that a bot may think about a move, in milliseconds.
const LONGEST: u64 = 30_000;
/// How long a bot thinks about a hint where nobody says, in milliseconds.
const HINT: u64 = 1000;
/// So many bots think at once.
pub const THINKERS: usize = 2;

/// What a page was asked for.
#[derive(Deserialize)]
pub struct Wish {
    game: Option<String>,
    bot: Option<String>,
    seat: Option<usize>,
    league: Option<String>,
}

/// A game, as the page's script tells it.
#[derive(Deserialize)]
pub struct Told {
    game: String,
    bot: String,
    /// The person's seat, 0 or 1.
    seat: usize,
    seed: u64,
    /// What the bot may think about a move, in milliseconds; 0 for the contest's clock.
    time: u64,
    moves: Vec<String>,
    /// The person's answer, if it has given one.
    answer: Option<Vec<String>>,
    /// The number of the session that plays it, where one does.
    session: Option<u64>,
    /// The league whose bot it is.
    #[serde(default)]
    league: String,
}

/// What is to be shown and asked.
#[derive(Serialize)]
pub struct Asked {
    moves: Vec<String>,
    /// The numbers of moves before which the person had to decide.
    decisions: Vec<usize>,
    board: String,
    prompt: String,
    /// The legal answers; of each line, where there are several.
    choices: Vec<String>,
    lines: usize,
    points: [i32; 2],
    is_over: bool,
    /// Milliseconds that the bot has thought.
    thought: u64,
    /// Why the answer was not taken.
    problem: Option<String>,
    /// The session that plays on, by its number.
    session: Option<u64>,
    /// What clock the bot plays by, in words.
    limits: String,
}

/// What a bot would play.
#[derive(Serialize)]
pub struct Hint {
    words: String,
}

/// How a game has ended for the person.
fn end(points: [i32; 2], person: Player) -> String {
    let (own, other) = (points[person.index()], points[person.other().index()]);
    let how = match own.cmp(&other) {
        std::cmp::Ordering::Greater => "You win",
        std::cmp::Ordering::Less => "You lose",
        std::cmp::Ordering::Equal => "A draw",
    };
    format!("{how}, {own} to {other}.")
}

/// A finished game as logs have it.
fn record(
    contest: &dyn Contest,
    judge: &dyn Judge,
    seed: u64,
    players: [&str; 2],
    seats: [SeatReport; 2],
) -> GameRecord {
    GameRecord {
        game: contest.name().to_string(),
        seed,
        players: players.map(str::to_string),
        setup: judge.setup(),
        moves: judge.moves().to_vec(),
        points: judge.points(),
        seats,
        interrupted: false,
        rules: String::new(),
        attributes: Vec::new(),
    }
}

/// Adds a finished game to the log of the project.
fn keep(app: &App, record: &GameRecord) -> Result<(), Problem> {
    let file = log::append_to(&app.project.path(LOG));
    file.and_then(|mut file| record.write_to(&mut file))
        .map_err(|error| Problem::bad(format!("The game is over, and {LOG} cannot be written: {error}")))
}

/// Lets a bot think when it is its turn among those that are to.
pub fn think_alone<T>(app: &App, think: impl FnOnce() -> T) -> T {
    let _turn = tokio::runtime::Handle::current().block_on(app.thinkers.acquire());
    think()
}

/// Goes on with a game; one that ends with this answer is added to the log.
pub async fn go_on(State(app): State<Arc<App>>, Json(told): Json<Told>) -> Result<Json<Asked>, Problem> {
    blocking(app, move |app| {
        if told.time == 0 {
            return session::go_on(app, &told).map(Json);
        }
        let is_answer = told.answer.is_some();
        let mut game = Game::of(told)?;
        let asked = think_alone(app, || game.go_on())?;
        if asked.is_over && is_answer {
            keep(app, &game.record()?)?;
        }
        Ok(Json(asked))
    })
    .await
}

/// What the bot would play in the person's place.
pub async fn hint(State(app): State<Arc<App>>, Json(told): Json<Told>) -> Result<Json<Hint>, Problem> {
    blocking(app, move |app| {
        let contest = find(&told.game).ok_or_else(|| Problem::bad("There is no such game."))?;
        let bots = contest.info().bots;
        // What cannot be asked about a position has the strongest bundled bot advise.
        let is_bundled =
            bots.iter().any(|bot| told.bot.split(':').next() == Some(bot.name)) && told.league.is_empty();
        let strongest = bots.last().map_or("", |bot| bot.name).to_string();
        let bot = if is_bundled { told.bot } else { strongest };
        let time = if told.time == 0 { HINT } else { told.time };
        let game = Game::of(Told { bot, time, ..told })?;
        let found = think_alone(app, || game.think(game.person))?;
        let first = found.analysis.moves.first().ok_or_else(|| Problem::bad("The bot finds no move."))?;
        let [low, high] = first.value;
        let value =
            if low == high { format!(", worth {low:.2} {}", found.analysis.unit) } else { String::new() };
        Ok(Json(Hint { words: format!("{} would play {}{value}", game.told.bot, first.mv) }))
    })
    .await
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(wish): Query<Wish>,
    headers: HeaderMap,
) -> Result<Html<String>, Problem> {
    let contest = match &wish.game {
        None => CONTESTS.first().copied(),
        Some(name) => find(name),
    };
    let contest = contest.ok_or_else(|| Problem::not_found("There is no such game."))?;
    let is_known = app.guard.knows(&headers);
    blocking(app, move |app| {
        let entries = if is_known { session::entries(app, contest) } else { Vec::new() };
        let content = content(contest, &wish, &entries, is_known);
        Ok(page::frame(&format!("Play {}", contest.name()), Some("/play.js"), &content))
    })
    .await
}

/// `entries` are the leagues of this game with their bots.
fn content(contest: &dyn Contest, wish: &Wish, entries: &[(String, Vec<String>)], is_known: bool) -> Markup {
    let info = contest.info();
    let bot = wish.bot.as_deref().or(info.bots.last().map(|bot| bot.name)).unwrap_or_default();
    html! {
        (games("/play", info.name))
        h1.path { (info.about) }
        @if !is_known {
            p.failure { "To play, open the address with the token that " code { "contender web" } " printed." }
        } @else {
            div.replay {
                div.stage {
                    p #prompt role="status" {}
                    figure #board {}
                    div.choices #choices role="group" aria-label="Ways to complete the move" {}
                    form.controls #answer {
                        label { "Move " input #text type="text" list="all" autocomplete="off" size="12"; }
                        datalist #all {}
                        button type="submit" { "Play" }
                        button #undo type="button" { "Take back" }
                        button #hint type="button" { "Hint" }
                        output #clock {}
                    }
                    p.failure #problem role="alert" {}
                    p #advice role="status" {}
                }
                form.side action="/play" method="get" #new {
                    h2 { "New game" }
                    input type="hidden" name="game" value=(info.name);
                    p { label { "Against " input type="text" name="bot" list="bots" value=(bot) required autocomplete="off" spellcheck="false"; } }
                    datalist #bots { @for known in info.bots { option value=(known.name) { (known.about) } } }
                    p { label { "You are " select name="seat" {
                        @for (at, seat) in info.seats.iter().enumerate() { option value=(at) selected[wish.seat == Some(at)] { (seat) } }
                    } } }
                    p { label { "It thinks " select name="time" {
                        @for (time, name) in [("100", "0.1 s"), ("1000", "1 s"), ("5000", "5 s")] {
                            option value=(time) selected[time == "1000"] { (name) " a move" }
                        }
                        option value="0" { "by the contest's clock" }
                    } } }
                    p { button type="submit" { "Begin" } }
                    p.legend { "Against a bundled bot, or a command that runs in the project's folder; that plays by the contest's clock." }
                    @if !entries.is_empty() {
                        details { summary { "Bots of leagues" } ul {
                            @for (dir, names) in entries { @for name in names {
                                li { a href=(format!("/play?{}", query(&[("game", info.name), ("league", dir), ("bot", name), ("time", "0")]))) { (name) } " of " (crate::league::name(dir)) }
                            } }
                        } }
                    }
                    input type="hidden" name="league" value=(wish.league.as_deref().unwrap_or_default());
                    p.legend { "Finished games are added to " code { (LOG) } " in the project's folder." }
                    h2 { "Moves" }
                    ol.moves #moves {}
                }
            }
        }
    }
}
