//! The bot that a training has made, and the next steps: a match, a place in a league, and a longer training.

use super::run::Run;
use super::units::game;
use crate::App;
use crate::next_steps::NewBot;
use crate::page::{Problem, command};
use crate::text::{query, quoted};
use contender_game::contest::Contest;
use contender_referee::{Entrant, Program};
use maud::{Markup, html};

/// The settings of bundled bots that name a trained file, and the files that trainings write.
const FILES: [[&str; 2]; 3] = [["weights", "weights.txt"], ["net", "net.bin"], ["net", "network.bin"]];

/// A bundled bot with the trained weights or network.
pub struct Trained {
    pub contest: &'static dyn Contest,
    /// The name of the bundled bot, which plays with the shipped file.
    pub bundled: &'static str,
    /// The setting and the file that it names.
    setting: &'static str,
    file: String,
    /// The training's name, as a bot may be called.
    name: String,
}

impl Trained {
    /// Returns the strongest bundled bot that accepts the file of a training, if there is one.
    pub fn of(app: &App, dir: &str) -> Result<Option<Trained>, Problem> {
        let folder = app.project.training(dir)?;
        let status = contender_learn::training::status(&folder, 0).map_err(Problem::bad)?;
        let Some(contest) = game(&status) else { return Ok(None) };
        let name = dir.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("trained");
        let name = name.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-', "-");
        let bots = contest.info().bots.iter().rev();
        let mut all = bots.flat_map(|bot| FILES.map(|[setting, file]| (bot, setting, file)));
        Ok(all.find_map(|(bot, setting, file)| {
            let path = app.project.folder(dir, file).ok()?.join(file);
            let trained = Trained {
                contest,
                bundled: bot.name,
                setting,
                file: path.to_string_lossy().into_owned(),
                name: name.clone(),
            };
            let entrant = Entrant::parse(contest, &trained.bot()).ok()?;
            matches!(entrant.program, Program::Bundled { .. }).then_some(trained)
        }))
    }

    /// Returns the bot without a name of its own. The path is absolute, because a league's bots run in its folder.
    fn bot(&self) -> String {
        format!("{}:{}={}", self.bundled, self.setting, self.file)
    }

    /// Returns the bot as a match names it.
    pub fn named(&self) -> String {
        format!("{}={}", self.name, self.bot())
    }
}

/// Returns the next steps with the bot of a training.
pub fn steps(app: &App, run: &Run, dir: &str, is_known: bool) -> Markup {
    let Ok(Some(trained)) = Trained::of(app, dir) else { return html! {} };
    let games = (2 * run.status.games).max(1);
    let output = if dir.is_empty() { "." } else { dir };
    let bot = NewBot {
        contest: trained.contest,
        bot: &trained.named(),
        in_league: [&trained.name, &trained.bot()],
        rival: trained.bundled,
        terminal: "Play it or train longer in a terminal",
        play: html! {
            a.button.primary href=(format!("/matches/new?{}", query(&[("training", dir)]))) { "Play a match with the trained bot" }
        },
        commands: html! {
            p.legend { "To train longer, use the recipe file of this training, for example with twice as many games:" }
            (command(&format!("train RECIPE.toml -o {} --games {games}", quoted(output))))
        },
    };
    html! { section #next aria-label="Trained bot" { (bot.steps(app, is_known)) } }
}
