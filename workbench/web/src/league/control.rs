//! The forms that change a league, and the actions of these forms. Each action requires the token, like every request
//! that changes something.

use super::bots;
use super::failing::paused_names;
use super::{address, bad, job, open};
use crate::App;
use crate::machine::{Machine, Relief, longer};
use crate::page::{Problem, blocking};
use axum::extract::State;
use axum::response::Redirect;
use axum::routing::post;
use axum::{Form, Router};
use contender_game::contest::BotInfo;
use contender_input::this_program;
use contender_league::{BotState, League, LeagueBot, Store};
use maud::{Markup, html};
use serde::Deserialize;
use std::ffi::OsString;
use std::sync::Arc;

/// Returns the addresses that change a league.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/league/start", post(start))
        .route("/league/stop", post(stop))
        .route("/league/relieve", post(relieve))
        .route("/league/resume", post(resume))
        .route("/league/add", post(add))
        .route("/league/add-all", post(add_all))
        .route("/league/state", post(set_state))
        .route("/league/rename", post(rename))
        .route("/league/replace", post(replace))
}

/// Returns the form that starts or stops the runner. `runners` is the number of the league's runners. If a button above
/// it resumes paused bots, `is_first` is false.
pub fn runner(
    dir: &str,
    league: &League,
    is_running: bool,
    runners: usize,
    playing: usize,
    is_first: bool,
) -> Markup {
    let action = if is_running { "/league/stop" } else { "/league/start" };
    html! {
        form.controls action=(action) method="post" {
            input type="hidden" name="dir" value=(dir);
            @if is_running {
                button.danger type="submit" { "Stop" }
            } @else {
                button.primary[is_first] type="submit" disabled[playing < 2] title=[(playing < 2).then_some("Add at least two bots first")] { "Start" }
                @let machine = Machine::now();
                @let jobs = league.settings.jobs.map_or_else(|| machine.free(), usize::from).to_string();
                label { "Games at once " (machine.jobs_input(&jobs)) }
                (machine.too_many(&jobs))
                // Otherwise the league itself may use the cores.
                @if runners == 0 { (machine.notice(league.contest())) }
            }
        }
    }
}

/// Returns the menu of a bot in a table. It opens over the row of the bot.
pub fn menu(dir: &str, name: &str, state: BotState) -> Markup {
    let button = |state: &str, words: &str, class: &str| {
        html! { button class=(class) type="submit" name="state" value=(state) aria-label=(format!("{words} {name}")) { (words) } }
    };
    html! {
        details.more {
            summary aria-label=(format!("Change {name}")) title=(format!("Pause or remove {name}")) { "⋯" }
            form action="/league/state" method="post" {
                input type="hidden" name="dir" value=(dir);
                input type="hidden" name="name" value=(name);
                @if state == BotState::Active { (button("paused", "Pause", "small")) } @else { (button("active", "Resume", "small")) }
                @if state != BotState::Removed { (button("removed", "Remove", "small danger")) }
            }
        }
    }
}

/// Returns the form that pauses or resumes a bot.
pub fn pause(dir: &str, bot: &LeagueBot) -> Markup {
    let (state, words) =
        if bot.state == BotState::Active { ("paused", "Pause") } else { ("active", "Resume") };
    html! {
        form action="/league/state" method="post" {
            input type="hidden" name="dir" value=(dir);
            input type="hidden" name="name" value=(bot.name);
            button type="submit" name="state" value=(state) { (words) }
        }
    }
}

/// Returns the list of removed bots, each with a button that restores the bot.
pub fn removed(dir: &str, bots: &[LeagueBot]) -> Markup {
    let removed = || bots.iter().filter(|bot| bot.state == BotState::Removed);
    html! {
        section #removed aria-label="Removed bots" {
            @if removed().count() > 0 {
                h2 { "Removed" }
                @for bot in removed() {
                    form.controls action="/league/state" method="post" {
                        input type="hidden" name="dir" value=(dir);
                        input type="hidden" name="name" value=(bot.name);
                        (bot.name) " "
                        button.small type="submit" name="state" value="active" aria-label=(format!("Bring back {}", bot.name)) { "Bring back" }
                    }
                }
            }
        }
    }
}

/// Returns the form that restores the previous name of a bot.
pub fn renamed(dir: &str, bot: &LeagueBot, was: &str) -> Markup {
    html! {
        form.controls #renamed action="/league/rename" method="post" {
            input type="hidden" name="dir" value=(dir);
            input type="hidden" name="name" value=(bot.name);
            input type="hidden" name="new" value=(was);
            span { "It was called " (was) "." }
            button.small type="submit" { "Undo" }
        }
    }
}

/// Returns the forms on a bot's page. They rename the bot, replace it with a new version, or remove it.
pub fn change(dir: &str, bot: &LeagueBot) -> Markup {
    html! {
        details { summary.button { "Change" }
            div.card {
                form.controls action="/league/rename" method="post" {
                    input type="hidden" name="dir" value=(dir);
                    input type="hidden" name="name" value=(bot.name);
                    label { "New name " input type="text" name="new" value=(bot.name) required autocomplete="off"; }
                    button type="submit" { "Rename" }
                }
                form.controls action="/league/replace" method="post" {
                    input type="hidden" name="dir" value=(dir);
                    input type="hidden" name="name" value=(bot.name);
                    label { "Name of the new version " input type="text" name="new" required autocomplete="off"; }
                    label { "Bundled bot or command " input.long type="text" name="command" value=(bot.command) required autocomplete="off" spellcheck="false"; }
                    button type="submit" { "Replace" }
                }
                p.legend { "If you replace " (bot.name) ", it is paused and keeps its games, and the new version plays. \
                            To let " (bot.name) " play again, click Resume." }
                @if bot.state != BotState::Removed {
                    form.controls action="/league/state" method="post" {
                        input type="hidden" name="dir" value=(dir);
                        input type="hidden" name="name" value=(bot.name);
                        button.danger type="submit" name="state" value="removed" { "Remove from the league" }
                        span.legend { "Its games are kept, and you can bring it back." }
                    }
                }
            }
        }
    }
}

/// Returns the forms that add one bot, or all bundled bots of the league's game.
pub fn new_bot(app: &App, dir: &str, league: &League, known: &[LeagueBot]) -> Markup {
    let bots = league.contest().map_or(&[][..], |contest| contest.info().bots);
    let is_new = |bot: &BotInfo| known.iter().all(|known| known.name != bot.name);
    let new = bots.iter().filter(|bot| is_new(bot)).count();
    html! {
        details #new-bot open[known.len() < 2] {
            summary.button { "Add bots" }
            div.card #add {
                @if let Some(contest) = league.contest().filter(|_| new > 0) {
                    // Bundled bots need no test game.
                    form action="/league/add" method="post" {
                        input type="hidden" name="dir" value=(dir);
                        input type="hidden" name="untried" value="1";
                        (bots::list(app, contest, &is_new, &|bot, words| html! {
                            (words) button.small type="submit" name="command" value=(bot.name) aria-label=(format!("Add {}", bot.name)) { "Add" }
                        }))
                        @if new > 1 { p { button type="submit" formaction="/league/add-all" { "Add all " (new) } } }
                    }
                    h3 { "Your own bot" }
                }
                form.fields #own-bot action="/league/add" method="post" {
                    input type="hidden" name="dir" value=(dir);
                    p { label { span.label { "Name in the league" } input type="text" name="name" required autocomplete="off"; } }
                    p { label { span.label { "Bundled bot or command" } input type="text" name="command" list="bundled" required autocomplete="off" spellcheck="false"; } }
                    p.controls {
                        button.primary type="submit" { "Add" }
                        label { input type="checkbox" name="untried" value="1"; " Skip the test game" }
                    }
                }
                datalist #bundled { @for bot in bots { option value=(bot.name) { (bot.about) } } }
                p.legend { "A command runs in the league's folder on this machine. The files that it names are \
                            copied there, as with " code { (this_program()) " league add" } "." }
            }
        }
    }
}

/// A change to a league.
#[derive(Deserialize)]
pub struct Order {
    dir: String,
    #[serde(default)]
    jobs: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    command: String,
    /// Whether the bot is added without a test game; empty means no.
    #[serde(default)]
    untried: String,
    #[serde(default)]
    state: String,
    relief: Option<Relief>,
    /// The bot's new name, or the name of the bot that replaces it.
    #[serde(default)]
    new: String,
}

impl Order {
    fn back(&self) -> Redirect {
        Redirect::to(&address("/league", &self.dir, &[]))
    }
}

async fn start(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        run(app, &order.dir, &order.jobs)?;
        Ok(order.back())
    })
    .await
}

/// Starts the runner of a league. `jobs` is the number of games at once, or empty for the default.
pub fn run(app: &App, dir: &str, jobs: &str) -> Result<(), Problem> {
    let folder = app.project.league(dir)?;
    let mut words: Vec<OsString> =
        ["league", "run", "--quiet", "--end-with-input", "--dir"].map(OsString::from).to_vec();
    words.push(folder.clone().into());
    if !jobs.is_empty() {
        words.push(format!("--jobs={jobs}").into());
    }
    app.jobs.start(&job(dir), address("/league", dir, &[]), &folder, words)
}

/// Resumes the bots that a runner has paused because they failed.
async fn resume(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        resume_all(app, &order.dir)?;
        Ok(order.back())
    })
    .await
}

fn resume_all(app: &App, dir: &str) -> Result<(), Problem> {
    let (league, _) = open(app, dir)?;
    let mut store = Store::open(&league).map_err(bad)?;
    let (bots, games) = (store.bots().map_err(bad)?, store.games(false).map_err(bad)?);
    for name in paused_names(&bots, &games) {
        store.set_state(name, BotState::Active).map_err(bad)?;
    }
    Ok(())
}

/// Continues a league with one game at a time, or also with more time per move, and resumes the bots that a runner has
/// paused because they failed.
async fn relieve(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let (league, _) = open(app, &order.dir)?;
        if order.relief == Some(Relief::Longer) {
            let time = longer(league.settings.time);
            League::change_setting(&app.project.league(&order.dir)?, "time", &format!("\"{time}\""))
                .map_err(bad)?;
        }
        app.jobs.stop(&job(&order.dir));
        resume_all(app, &order.dir)?;
        run(app, &order.dir, "1")?;
        Ok(order.back())
    })
    .await
}

async fn stop(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        app.jobs.stop(&job(&order.dir));
        Ok(order.back())
    })
    .await
}

async fn add(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let folder = app.project.league(&order.dir)?;
        // Words after `--` are never taken for options.
        let options = if order.untried.is_empty() { &[][..] } else { &["--no-check"] };
        let name = if order.name.is_empty() { &order.command } else { &order.name };
        let words = [&["league", "add"], options, &["--", name, &order.command]].concat();
        app.jobs.ask(&folder, words)?;
        // The list of bots stays open for the next one.
        Ok(Redirect::to(&(address("/league", &order.dir, &[]) + "#add")))
    })
    .await
}

/// Adds the bundled bots of the league's game that are not in the league yet.
async fn add_all(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let folder = app.project.league(&order.dir)?;
        let (league, store) = open(app, &order.dir)?;
        let known = store.bots().map_err(bad)?;
        let bots = league.contest().map_or(&[][..], |contest| contest.info().bots);
        for bot in bots.iter().filter(|bot| known.iter().all(|known| known.name != bot.name)) {
            // Bundled bots need no test game.
            app.jobs.ask(&folder, ["league", "add", "--no-check", "--", bot.name, bot.name])?;
        }
        Ok(order.back())
    })
    .await
}

async fn set_state(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let state = match order.state.as_str() {
            "active" => BotState::Active,
            "paused" => BotState::Paused,
            "removed" => BotState::Removed,
            other => return Err(Problem::bad(format!("Unknown state of a bot: {other}."))),
        };
        let (league, _) = open(app, &order.dir)?;
        Store::open(&league).and_then(|mut store| store.set_state(&order.name, state)).map_err(bad)?;
        // After a removal, the page scrolls to the button that restores the bot.
        let place = if state == BotState::Removed { "#removed" } else { "" };
        Ok(Redirect::to(&(address("/league", &order.dir, &[]) + place)))
    })
    .await
}

async fn rename(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let (league, _) = open(app, &order.dir)?;
        Store::open(&league).and_then(|mut store| store.rename(&order.name, &order.new)).map_err(bad)?;
        Ok(Redirect::to(&address("/league/bot", &order.dir, &[("name", &order.new), ("was", &order.name)])))
    })
    .await
}

async fn replace(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let folder = app.project.league(&order.dir)?;
        app.jobs.ask(&folder, ["league", "replace", "--", &order.name, &order.new, &order.command])?;
        Ok(Redirect::to(&address("/league/bot", &order.dir, &[("name", &order.new)])))
    })
    .await
}
