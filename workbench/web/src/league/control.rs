//! The forms that change a league, and the actions of these forms. Each action requires the token, like every request
//! that changes something.

use super::{address, bad, job, open};
use crate::App;
use crate::page::{Problem, blocking};
use axum::Form;
use axum::extract::State;
use axum::response::Redirect;
use contender_catalogue::find;
use contender_input::this_program;
use contender_league::{BotState, League, LeagueBot, StandingsRow, Store};
use maud::{Markup, html};
use serde::Deserialize;
use std::ffi::OsString;
use std::sync::Arc;

/// Returns the form that starts or stops the runner.
pub fn runner(dir: &str, is_running: bool, playing: usize) -> Markup {
    let action = if is_running { "/league/stop" } else { "/league/start" };
    html! {
        form.controls action=(action) method="post" {
            input type="hidden" name="dir" value=(dir);
            @if is_running {
                button.danger type="submit" { "Stop" }
            } @else {
                button.primary type="submit" disabled[playing < 2] title=[(playing < 2).then_some("Add at least two bots first")] { "Start" }
                label { "Games at once " input type="number" name="jobs" min="1" max="1024" placeholder="auto"; }
            }
        }
    }
}

/// Returns the form that pauses, resumes or removes a bot.
pub fn bot(dir: &str, row: &StandingsRow) -> Markup {
    let button = |state: &str, words: &str, class: &str| {
        html! { button class=(class) type="submit" name="state" value=(state) aria-label=(format!("{words} {}", row.name)) { (words) } }
    };
    html! {
        form action="/league/state" method="post" {
            input type="hidden" name="dir" value=(dir);
            input type="hidden" name="name" value=(row.name);
            @if row.state == BotState::Active { (button("paused", "Pause", "small")) } @else { (button("active", "Resume", "small")) }
            details { summary { "Remove …" } (button("removed", "Remove", "small danger")) }
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

/// Returns the forms on a bot's page. They rename the bot, or replace it with a new version.
pub fn change(dir: &str, bot: &LeagueBot) -> Markup {
    html! {
        details { summary { "Rename or replace it" }
            form.controls action="/league/rename" method="post" {
                input type="hidden" name="dir" value=(dir);
                input type="hidden" name="name" value=(bot.name);
                label { "Another name " input type="text" name="new" value=(bot.name) required autocomplete="off"; }
                button type="submit" { "Rename" }
            }
            form.controls action="/league/replace" method="post" {
                input type="hidden" name="dir" value=(dir);
                input type="hidden" name="name" value=(bot.name);
                label { "New version " input type="text" name="new" required autocomplete="off"; }
                label { "Bundled bot or command " input.long type="text" name="command" value=(bot.command) required autocomplete="off" spellcheck="false"; }
                button type="submit" { "Replace" }
            }
            p.legend { "The new version plays instead; " (bot.name) " is paused and keeps its games. To let it play again, \
                                                                     click Resume in the league's table." }
        }
    }
}

/// Returns the forms that add one bot, or all bundled bots of the league's game.
pub fn new_bot(dir: &str, league: &League) -> Markup {
    let bots = league.contest().map_or(&[][..], |contest| contest.info().bots);
    html! {
        section.card aria-labelledby="new-bot" {
            h2 #new-bot { "Add bots" }
            form.controls action="/league/add" method="post" {
                input type="hidden" name="dir" value=(dir);
                label { "Name " input type="text" name="name" required autocomplete="off"; }
                label { "Bundled bot or command " input.long type="text" name="command" list="bundled" required autocomplete="off" spellcheck="false"; }
                label { input type="checkbox" name="untried" value="1"; " Skip the test game" }
                button.primary type="submit" { "Add" }
            }
            datalist #bundled { @for bot in bots { option value=(bot.name) { (bot.about) } } }
            @if !bots.is_empty() {
                form.controls action="/league/add-all" method="post" {
                    input type="hidden" name="dir" value=(dir);
                    button type="submit" { "Add all " (bots.len()) " bundled bots" }
                }
            }
            p.legend { "A command runs in the league's folder on this machine, and the files that it names are \
                        copied there, as with " code { (this_program()) " league add" } "." }
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
    /// The bot's new name, or the name of the bot that replaces it.
    #[serde(default)]
    new: String,
}

impl Order {
    fn back(&self) -> Redirect {
        Redirect::to(&address("/league", &self.dir, &[]))
    }
}

/// The fields of the form for a new league.
#[derive(Deserialize)]
pub struct NewLeague {
    name: String,
    game: String,
    /// The name or the command of the external referee that plays the games, if any.
    #[serde(default)]
    referee: String,
    /// The bundled bots to add: `two` for the two strongest ones, `all`, or empty for none.
    #[serde(default)]
    bots: String,
    /// The command of the author's own bot; empty for none.
    #[serde(default)]
    command: String,
    /// Whether the league starts at once; empty means no.
    #[serde(default)]
    start: String,
}

impl NewLeague {
    /// Returns the bots to add: the name, the command, and whether the bot plays a test game first.
    fn entries(&self) -> Vec<(String, String, bool)> {
        let bundled = find(&self.game).map_or(&[][..], |contest| contest.info().bots);
        let bundled = match self.bots.as_str() {
            "all" => bundled,
            "two" => &bundled[bundled.len().saturating_sub(2)..],
            _ => &[],
        };
        let own = self.command.trim();
        let own = (!own.is_empty()).then(|| (name_of(own), own.to_string(), true));
        bundled.iter().map(|bot| (bot.name.to_string(), bot.name.to_string(), false)).chain(own).collect()
    }
}

/// Returns a bot's name for its command: the name of the program's file without its ending.
fn name_of(command: &str) -> String {
    let words = || command.split_whitespace();
    let is_file = |word: &&str| word.contains(['.', '/']) && !word.starts_with('-');
    let word = words().rev().find(is_file).or_else(|| words().next()).unwrap_or("bot");
    let stem = std::path::Path::new(word).file_stem().map_or("bot".into(), |stem| stem.to_string_lossy());
    stem.chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' })
        .collect()
}

pub async fn create(State(app): State<Arc<App>>, Form(new): Form<NewLeague>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
        if new.name.is_empty() || new.name.starts_with('-') || !new.name.chars().all(is_letter) {
            return Err(Problem::bad(
                "Invalid league name: expected letters, digits, _ and -, not starting with -.",
            ));
        }
        let referee = new.referee.trim();
        if referee.is_empty() && find(&new.game).is_none() {
            return Err(Problem::bad(format!("There is no game {}.", new.game)));
        }
        if app.project.path(&new.name).exists() {
            return Err(Problem::bad(format!("The project already has a file or folder {}.", new.name)));
        }
        let mut words = vec!["league".to_string(), "init".to_string(), format!("--dir={}", new.name)];
        if !referee.is_empty() {
            words.push(format!("--match={referee}"));
        }
        let game = if referee.is_empty() { &new.game } else { &new.name };
        words.extend(["--".to_string(), game.clone()]);
        let root = app.project.path("");
        app.jobs.ask(&root, words)?;
        for (name, command, is_tested) in new.entries().iter().filter(|_| referee.is_empty()) {
            let dir = format!("--dir={}", new.name);
            let options = if *is_tested { &[][..] } else { &["--no-check"] };
            let words = [&["league", "add", &dir], options, &["--", name, command]].concat();
            if let Err(problem) = app.jobs.ask(&root, words) {
                // Without this bot, the league is not the one that the user wants.
                let _ = std::fs::remove_dir_all(app.project.path(&new.name));
                return Err(problem);
            }
        }
        if !new.start.is_empty() && new.entries().len() > 1 && referee.is_empty() {
            run(app, &new.name, "")?;
        }
        Ok(Redirect::to(&address("/league", &new.name, &[])))
    })
    .await
}

pub async fn start(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        run(app, &order.dir, &order.jobs)?;
        Ok(order.back())
    })
    .await
}

/// Starts the runner of a league. `jobs` is the number of games at once, or empty for the default.
fn run(app: &App, dir: &str, jobs: &str) -> Result<(), Problem> {
    let folder = app.project.league(dir)?;
    let mut words: Vec<OsString> =
        ["league", "run", "--quiet", "--end-with-input", "--dir"].map(OsString::from).to_vec();
    words.push(folder.clone().into());
    if !jobs.is_empty() {
        words.push(format!("--jobs={jobs}").into());
    }
    app.jobs.start(&job(dir), address("/league", dir, &[]), &folder, words)
}

pub async fn stop(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        app.jobs.stop(&job(&order.dir));
        Ok(order.back())
    })
    .await
}

pub async fn add(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let folder = app.project.league(&order.dir)?;
        // Words after `--` are never taken for options.
        let options = if order.untried.is_empty() { &[][..] } else { &["--no-check"] };
        let words = [&["league", "add"], options, &["--", &order.name, &order.command]].concat();
        app.jobs.ask(&folder, words)?;
        Ok(order.back())
    })
    .await
}

/// Adds the bundled bots of the league's game that are not in the league yet.
pub async fn add_all(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
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

pub async fn set_state(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
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

pub async fn rename(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let (league, _) = open(app, &order.dir)?;
        Store::open(&league).and_then(|mut store| store.rename(&order.name, &order.new)).map_err(bad)?;
        Ok(Redirect::to(&address("/league/bot", &order.dir, &[("name", &order.new), ("was", &order.name)])))
    })
    .await
}

pub async fn replace(State(app): State<Arc<App>>, Form(order): Form<Order>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let folder = app.project.league(&order.dir)?;
        app.jobs.ask(&folder, ["league", "replace", "--", &order.name, &order.new, &order.command])?;
        Ok(Redirect::to(&address("/league/bot", &order.dir, &[("name", &order.new)])))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_league_has_the_chosen_bots() {
        let names =
            ["python3 my_bot.py", "./bots/a.out --fast", "greedy", "java -jar b/c.jar", "x y"].map(name_of);
        assert_eq!(names, ["my_bot", "a", "greedy", "c", "x"]);
        let new = |bots: &str, command: &str| NewLeague {
            name: "n".to_string(),
            game: "uttt".to_string(),
            referee: String::new(),
            bots: bots.to_string(),
            command: command.to_string(),
            start: String::new(),
        };
        let names = |new: NewLeague| new.entries().into_iter().map(|(name, ..)| name).collect::<Vec<_>>();
        assert_eq!(names(new("two", "")), ["solver", "champion"]);
        assert_eq!(names(new("", " ./own ")), ["own"]);
        assert_eq!(names(new("all", "")).len(), find("uttt").unwrap().info().bots.len());
    }
}
