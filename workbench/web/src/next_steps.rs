//! The next steps with a bot that a tuning or a training has made: a match against the bot from which it started, a
//! place in a league, and the same steps as commands. Only bundled bots have buttons, because a run may be from
//! somebody else, and other bots are commands.

use crate::App;
use crate::page::command;
use crate::text::quoted;
use contender_game::contest::Contest;
use contender_league::League;
use maud::{Markup, html};

/// Number of pairs of the match.
pub const PAIRS: &str = "200";
/// Maximum number of leagues to choose from.
const MAX_LEAGUES: usize = 20;

/// A new bot.
pub struct NewBot<'a> {
    pub contest: &'static dyn Contest,
    /// The bot as a command line names it.
    pub bot: &'a str,
    /// The bot as a league stores it, and its name there.
    pub in_league: [&'a str; 2],
    /// The bot from which it started.
    pub rival: &'a str,
    /// The title of the commands.
    pub terminal: &'a str,
    /// The button that starts a match or leads to the form for a match.
    pub play: Markup,
    /// Further commands.
    pub commands: Markup,
}

impl NewBot<'_> {
    pub fn steps(&self, app: &App, is_known: bool) -> Markup {
        let NewBot { contest, bot, in_league: [name, stored], rival, .. } = self;
        html! {
            @if is_known { div.actions {
                (self.play)
                @let leagues = leagues(app, *contest);
                @if leagues.is_empty() { a.button href=(format!("/leagues/new?game={}", contest.name())) { "New league" } } @else {
                    form.controls action="/league/add" method="post" {
                        input type="hidden" name="name" value=(name);
                        input type="hidden" name="command" value=(stored);
                        input type="hidden" name="untried" value="1";
                        button type="submit" { "Add to a league" }
                        select name="dir" aria-label="League" { @for dir in &leagues { option value=(dir) { (if dir.is_empty() { "this folder" } else { dir }) } } }
                    }
                }
            } }
            details.terminal {
                summary { (self.terminal) }
                (command(&format!("match {} {} {} --pairs {PAIRS}", contest.name(), quoted(bot), quoted(rival))))
                (command(&format!("league --dir LEAGUE add {name} {}", quoted(stored))))
                (self.commands)
            }
        }
    }
}

/// Returns the project's leagues of a game, the newest first.
fn leagues(app: &App, contest: &dyn Contest) -> Vec<String> {
    let contents = app.project.contents();
    let is_of_game = |dir: &str| {
        let league = app.project.league(dir).ok().and_then(|folder| League::open(&folder).ok());
        league.is_some_and(|league| league.settings.game == contest.name())
    };
    let leagues = contents.leagues.iter().take(MAX_LEAGUES).map(|entry| entry.path.clone());
    leagues.filter(|dir| is_of_game(dir)).collect()
}
