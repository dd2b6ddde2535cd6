//! The form for a new league, and its action.

use super::bots;
use super::control::run;
use super::{address, cards, leagues};
use crate::App;
use crate::files::newest_game;
use crate::guard::Known;
use crate::machine::{EXPECTED_TIME, Machine, REMATCHES, time_unit};
use crate::page::{self, Problem, blocking, games};
use axum::Form;
use axum::extract::{Query, State};
use axum::response::{Html, Redirect};
use contender_catalogue::find;
use contender_game::contest::{BotInfo, Contest};
use contender_league::League;
use contender_referee::TimeSetting;
use maud::{Markup, html};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// The game that the form shows.
#[derive(Deserialize)]
pub struct FormQuery {
    game: Option<String>,
}

/// Returns the form. The address cannot fill in any field.
pub async fn page(
    State(app): State<Arc<App>>,
    Query(wanted): Query<FormQuery>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let contest = wanted.game.map_or_else(|| Some(newest_game(app)), |name| find(&name));
        let contest = contest.ok_or_else(|| Problem::not_found("Unknown game."))?;
        let content = html! {
            (page::crumbs(&[leagues()], "New league", None))
            (page::read_only(is_known))
            (form(app, contest, is_known))
        };
        Ok(page::frame("/leagues/*", &title(contest), None, &content))
    })
    .await
}

fn title(contest: &dyn Contest) -> String {
    format!("New league of {}", contest.name())
}

/// Returns the form with its title and the choice of the game.
pub fn form(app: &App, contest: &'static dyn Contest, is_known: bool) -> Markup {
    let name = (1..).map(|number| format!("league-{number}")).find(|name| !app.project.path(name).exists());
    let machine = Machine::now();
    html! {
        (games("/leagues/new", contest.name()))
        h1 { (title(contest)) }
        @if is_known {
            form.fields.card.new-match #new-league action="/league/new" method="post" {
                input type="hidden" name="game" value=(contest.name());
                div.settings-row {
                    p { label { span.label { "Name" } input type="text" name="name" value=(name.unwrap_or_default()) required autocomplete="off" pattern="[A-Za-z0-9_\\-]+" title="Letters, digits, _ and -"; } }
                    (field("Your bot", "command", "optional: python3 bot.py"))
                    (field(&format!("Time per {}", time_unit(contest)), "time", "the contest's; or 200%, 100ms"))
                    (machine.games_at_once(""))
                }
                (machine.notice(Some(contest)))
                fieldset { legend { "Bundled bots" } (choice(app, contest)) }
                details { summary { "External referee" }
                    (field("Referee", "referee", "its name or command"))
                    p.legend { "An external referee plays its own game. Add the bots on the league's page." }
                }
                p.controls {
                    button.primary type="submit" { "Create the league" }
                    label { input type="checkbox" name="start" value="1" checked; " Start playing at once" }
                }
            }
        }
    }
}

fn field(label: &str, name: &str, hint: &str) -> Markup {
    html! { p { label { span.label { (label) } input type="text" name=(name) placeholder=(hint) autocomplete="off" spellcheck="false"; } } }
}

/// Returns the bundled bots of a game as boxes to tick. The two strongest bots are ticked.
fn choice(app: &App, contest: &'static dyn Contest) -> Markup {
    let strongest = cards::strengths(app, contest.name()).sorted(contest);
    let is_strong = |name: &str| strongest.iter().take(2).any(|bot| bot.name == name);
    bots::list(app, contest, &|_| true, &|bot, words| {
        html! { label {
            input type="checkbox" name=(format!("{}/{}", contest.name(), bot.name)) value="1" checked[is_strong(bot.name)];
            (words)
        } }
    })
}

/// The fields of the form for a new league.
#[derive(Deserialize)]
pub struct NewLeague {
    name: String,
    game: String,
    /// The name or the command of the external referee that plays the games, if any.
    #[serde(default)]
    referee: String,
    /// The command of the author's own bot; empty for none.
    #[serde(default)]
    command: String,
    /// The thinking time; empty for the contest's time limits.
    #[serde(default)]
    time: String,
    /// Number of games at once; empty for one per core.
    #[serde(default)]
    jobs: String,
    /// Whether the league starts at once; empty means no.
    #[serde(default)]
    start: String,
    /// The ticked bundled bots, as `GAME/BOT`.
    #[serde(flatten)]
    ticked: HashMap<String, String>,
}

impl NewLeague {
    /// Returns the bots to add: the name, the command, and whether the bot plays a test game first.
    fn entries(&self) -> Vec<(String, String, bool)> {
        let bundled = find(&self.game).map_or(&[][..], |contest| contest.info().bots);
        let is_ticked = |bot: &&BotInfo| self.ticked.contains_key(&format!("{}/{}", self.game, bot.name));
        let own = self.command.trim();
        let own = (!own.is_empty()).then(|| (name_of(own), own.to_string(), true));
        bundled
            .iter()
            .filter(is_ticked)
            .map(|bot| (bot.name.to_string(), bot.name.to_string(), false))
            .chain(own)
            .collect()
    }
}

impl NewLeague {
    /// Writes the chosen settings to the new league. If one of them is invalid, removes the league.
    fn set(&self, folder: &Path) -> Result<(), Problem> {
        let time = Some(self.time.trim()).filter(|time| !time.is_empty());
        let settings = [
            ("rematch", Some(REMATCHES.to_string())),
            ("time", time.map(|time| serde_json::Value::from(time).to_string())),
        ];
        for (key, value) in settings.into_iter().filter_map(|(key, value)| Some((key, value?))) {
            if let Err(error) = League::change_setting(folder, key, &value) {
                let _ = std::fs::remove_dir_all(folder);
                return Err(Problem::bad(format!("{error:#}")));
            }
        }
        Ok(())
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
        let is_valid = !new.name.is_empty() && !new.name.starts_with('-') && new.name.chars().all(is_letter);
        let name = match () {
            () if !is_valid => Some(
                "Invalid league name: expected letters, digits, _ and -, not starting with -.".to_string(),
            ),
            () if app.project.path(&new.name).exists() => {
                Some(format!("The project already has a file or folder {}.", new.name))
            }
            () => None,
        };
        let time = new.time.trim();
        let is_odd = !time.is_empty() && TimeSetting::parse(time).is_err();
        let problems = [("name", name), ("time", is_odd.then(|| EXPECTED_TIME.to_string()))];
        Problem::all(problems.into_iter().filter_map(|(field, words)| Some(Problem::bad(words?).at(field))))?;
        let referee = new.referee.trim();
        if referee.is_empty() && find(&new.game).is_none() {
            return Err(Problem::bad(format!("Unknown game: {}.", new.game)));
        }
        if referee.is_empty() && new.entries().is_empty() {
            return Err(Problem::bad(
                "Tick at least one bot, or enter your own bot. Games start with two bots.",
            ));
        }
        let mut words = vec!["league".to_string(), "init".to_string(), format!("--dir={}", new.name)];
        if !referee.is_empty() {
            words.push(format!("--match={referee}"));
        }
        let game = if referee.is_empty() { &new.game } else { &new.name };
        words.extend(["--".to_string(), game.clone()]);
        let root = app.project.path("");
        app.jobs.ask(&root, words)?;
        new.set(&app.project.path(&new.name))?;
        for (name, command, is_tested) in new.entries().iter().filter(|_| referee.is_empty()) {
            let dir = format!("--dir={}", new.name);
            let options = if *is_tested { &[][..] } else { &["--no-check"] };
            let words = [&["league", "add", &dir], options, &["--", name, command]].concat();
            if let Err(problem) = app.jobs.ask(&root, words) {
                // Without this bot, the league is not the one that the user wants.
                let _ = std::fs::remove_dir_all(app.project.path(&new.name));
                return Err(if *is_tested { problem.at("command") } else { problem });
            }
        }
        if !new.start.is_empty() && new.entries().len() > 1 && referee.is_empty() {
            run(app, &new.name, &new.jobs)?;
        }
        Ok(Redirect::to(&address("/league", &new.name, &[])))
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
        let new = |bots: &[&str], command: &str| NewLeague {
            name: "n".to_string(),
            game: "uttt".to_string(),
            referee: String::new(),
            ticked: bots.iter().map(|bot| ((*bot).to_string(), "1".to_string())).collect(),
            command: command.to_string(),
            start: String::new(),
            time: String::new(),
            jobs: String::new(),
        };
        let names = |new: NewLeague| new.entries().into_iter().map(|(name, ..)| name).collect::<Vec<_>>();
        let ticked = ["uttt/champion", "uttt/solver", "box/greedy", "uttt/nobody"];
        assert_eq!(names(new(&ticked, "")), ["solver", "champion"]);
        assert_eq!(names(new(&[], " ./own ")), ["own"]);
    }
}
