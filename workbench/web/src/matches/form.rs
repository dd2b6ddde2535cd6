//! The form for a new match: two bots side by side, the settings in one row, and the time that the match may take.

use super::Params;
use super::start::{MAX_PAIRS, NewMatch};
use crate::App;
use crate::files::newest_game;
use crate::guard::Known;
use crate::league::cards::strengths;
use crate::machine::{Machine, REMATCHES, time_unit};
use crate::page::{self, Problem, blocking, games};
use crate::text::coded;
use crate::training::next::Trained;
use axum::extract::{Query, State};
use axum::response::Html;
use contender_catalogue::find;
use contender_game::contest::Contest;
use contender_referee::{ContestHost, Host, RankedBy};
use contender_stats::MIN_PAIRS;
use maud::{Markup, html};
use serde::Deserialize;
use std::sync::Arc;

/// Number of pairs that a match is extended by.
pub const MORE: u32 = 100;

/// The game that the form shows.
#[derive(Deserialize)]
pub struct FormQuery {
    game: Option<String>,
    /// The bundled bot that is bot A.
    with: Option<String>,
    /// The log of a match whose settings the form contains.
    from: Option<String>,
    /// The folder of a training whose bot plays.
    training: Option<String>,
}

/// Returns the form. The address cannot fill in any field, so a match contains only bundled bots, the bots of known
/// matches and of trainings in the project, or values that the user has typed.
pub async fn form(
    State(app): State<Arc<App>>,
    Query(wanted): Query<FormQuery>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let known = wanted.from.filter(|_| is_known).map(|file| known(app, &file)).transpose()?.flatten();
        let trained = match wanted.training.filter(|_| is_known) {
            Some(dir) => Trained::of(app, &dir)?.map(|trained| NewMatch::of_trained(&trained)),
            None => None,
        };
        let known = known.or(trained);
        let game = known.as_ref().map(|new| new.game.clone()).or(wanted.game);
        let contest = game.map_or_else(|| Some(newest_game(app)), |name| find(&name));
        let contest = contest.ok_or_else(|| Problem::not_found("Unknown game."))?;
        let content = html! {
            (page::crumbs(&[("/matches".to_string(), "Matches".to_string())], "New match", None))
            (filled(app, contest, is_known, &known.unwrap_or_else(|| NewMatch::suggested(app, contest, wanted.with.as_deref()))))
        };
        Ok(page::frame("/matches/*", &title(contest), Some("/match.js"), &content))
    })
    .await
}

/// Returns the match that wrote a log, if its bots may be started.
fn known(app: &App, file: &str) -> Result<Option<NewMatch>, Problem> {
    let which = Params::of(app, file);
    let log = which.log(app)?;
    let pairs = |new: NewMatch| if new.is_ours { new.pairs } else { MORE.to_string() };
    Ok(NewMatch::of(app, &which, &log).map(|new| NewMatch { pairs: pairs(new.clone()), ..new }))
}

/// Maximum number of bots that a telephone shows until the user asks for all. The style sheet has the same number.
const MAX_NARROW: usize = 8;

fn title(contest: &dyn Contest) -> String {
    format!("New match of {}", contest.info().name)
}

/// Returns the form with its title and the choice of the game.
pub fn new_match(app: &App, contest: &'static dyn Contest, is_known: bool) -> Markup {
    filled(app, contest, is_known, &NewMatch::suggested(app, contest, None))
}

/// Returns the form with the values of a match.
fn filled(app: &App, contest: &'static dyn Contest, is_known: bool, new: &NewMatch) -> Markup {
    let info = contest.info();
    let machine = Machine::now();
    html! {
        (games("/matches/new", info.name))
        h1 { (title(contest)) }
        (page::read_only(is_known))
        @if is_known {
            form.fields.card.new-match action="/match/start" method="post" data-command="match" data-least=(MIN_PAIRS) {
                input type="hidden" name="game" value=(info.name);
                div.pickers {
                    @for (label, name) in [("Bot A", "a"), ("Bot B", "b")] { (picker(app, contest, label, name, new.value(name))) }
                }
                datalist #bots { @for bot in info.bots { option value=(bot.name) { (bot.about.replace('`', "")) } } }
                div.settings-row {
                    p { label { span.label { "Pairs of games" } input type="number" name="pairs" min="1" max=(MAX_PAIRS) value=(new.value("pairs")); } }
                    p { label { span.label { "Stop early" } select name="sprt" {
                        option value="" { "no, play all pairs" }
                        @for (value, words) in tests(contest) { option value=(value) selected[value == new.value("sprt")] { (words) } }
                    } } }
                    (machine.games_at_once(new.value("jobs")))
                    (field(&format!("Time per {}", time_unit(contest)), "time", new, "the contest's; or 200%, 100ms"))
                }
                (machine.notice(Some(contest)))
                p.notice.busy #warning role="status" hidden {}
                details open[!new.value("nodes").is_empty()] { summary { "More settings" }
                    div.settings-row {
                        (field("Nodes per move", "nodes", new, "no limit"))
                        (field("Seed", "seed", new, ""))
                    }
                    p { label { input type="checkbox" name="rematch" value=(REMATCHES) checked[!new.value("rematch").is_empty()]; " Replay a game that a bot lost on time because the machine was busy" } }
                    p { label { input type="checkbox" name="tested" value="1" checked[!new.value("tested").is_empty()]; " Test your own bots in one game first" } }
                }
                div.controls {
                    button.primary type="submit" { "Start the match" }
                    span.legend #estimate role="status" {}
                }
                p.command { code #line tabindex="0" {} button.small #copy-line type="button" data-copy="" { "Copy" } }
            }
            p.legend {
                "A bot is a bundled bot, with options such as " code { "classic:depth=3" } ", or a command that runs in the project's folder, such as "
                code { "python3 bot.py" } ". Both games of a pair have the same seed and swapped seats. All games are written to a file in the project's folder."
            }
        }
    }
}

fn field(label: &str, name: &str, new: &NewMatch, hint: &str) -> Markup {
    html! { p { label { span.label { (label) } input type="text" name=(name) value=(new.value(name)) placeholder=(hint) autocomplete="off" spellcheck="false"; } } }
}

/// Returns the field for one of the two bots, and the bundled bots, of which a click fills in the field.
fn picker(app: &App, contest: &'static dyn Contest, label: &str, name: &str, value: &str) -> Markup {
    let strengths = strengths(app, contest.name());
    let bots = strengths.sorted(contest);
    html! {
        fieldset {
            p { label { span.label { (label) } input.long type="text" name=(name) value=(value) list="bots" required autocomplete="off" spellcheck="false"; } }
            ul.bots.choose aria-label=(format!("Bundled bots for {}", label.to_lowercase())) {
                @for bot in &bots {
                    li { button type="button" data-field=(name) value=(bot.name) aria-pressed="false" title=(bot.about.replace('`', "")) {
                        span.name { (bot.name) }
                        span.about { (coded(bot.about)) }
                        @if let Some(strength) = strengths.by_name.get(bot.name) { span.number { (strength) } }
                    } }
                }
            }
            @if bots.len() > MAX_NARROW { p.narrow-only { label { input.all-bots type="checkbox" autocomplete="off"; " Show all " (bots.len()) " bots" } } }
            @if name == "a" { p.legend {
                @if let Some([league, unit]) = strengths.source.filter(|_| !strengths.by_name.is_empty()) {
                    "Strengths are those in " (league) ", in " (unit) "."
                } @else { "The strongest bot is the first." }
            } }
        }
    }
}

/// Returns the sequential tests that the form offers for a game: the value of `--sprt`, and its meaning.
pub fn tests(contest: &'static dyn Contest) -> [(&'static str, &'static str); 3] {
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
