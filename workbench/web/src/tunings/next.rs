//! The tuned bot as a name to copy, and the next steps: a match against the start values, and a place in a league. Only
//! bundled bots have buttons, because a tuning run may be from somebody else, and other bots are commands.

use crate::App;
use crate::machine::REMATCHES;
use crate::next_steps::{NewBot, PAIRS};
use contender_catalogue::find;
use contender_game::contest::Contest;
use contender_game::settings::SettingKind;
use contender_referee::{Entrant, Program};
use contender_tune::{AtEnd, Tuned};
use maud::{Markup, html};

pub fn steps(app: &App, tuned: &Tuned, is_known: bool) -> Markup {
    let [best, start] = &tuned.bots;
    let contest = find(&tuned.game);
    let bundled = contest.and_then(|contest| Some((contest, bundled(contest, best)?)));
    html! {
        p.command { code tabindex="0" { (best) } button.small type="button" data-copy=(best) { "Copy" } }
        @for end in &tuned.at_ends { (warning(end, bundled)) }
        @if let Some((contest, name)) = bundled {
            @let name = format!("{name}-tuned");
            (NewBot { contest, bot: best, in_league: [&name, best], rival: start, terminal: "Play it in a terminal", play: play(contest, best, start), commands: html! {} }.steps(app, is_known))
        }
    }
}

/// Returns the button that starts a match against the start values.
fn play(contest: &dyn Contest, best: &str, start: &str) -> Markup {
    html! {
        form action="/match/start" method="post" {
            @for (field, value) in [("game", contest.name()), ("a", best), ("b", start), ("pairs", PAIRS), ("rematch", REMATCHES)] {
                input type="hidden" name=(field) value=(value);
            }
            button.primary type="submit" { "Match against the start values" }
        }
    }
}

/// Returns the name of a bundled bot without its options.
fn bundled(contest: &'static dyn Contest, bot: &str) -> Option<&'static str> {
    let entrant = Entrant::parse(contest, bot).ok()?;
    let Program::Bundled { .. } = entrant.program else { return None };
    let name = bot.split(':').next()?;
    contest.info().bots.iter().find(|known| known.name == name).map(|known| known.name)
}

/// Returns the warning that a parameter's best value may be outside of its range, and the remedy. A bundled bot may
/// accept no other values.
fn warning(end: &AtEnd, bot: Option<(&'static dyn Contest, &'static str)>) -> Markup {
    let AtEnd { name, value, is_high } = end;
    html! {
        @match value {
            None => p.notice { "The games do not narrow down " code { (name) } ": its interval is the whole range. Play more games, or do not tune it." },
            Some(value) if !is_bound(name, value, bot) => {
                @let [end, beyond, key] = if *is_high { ["largest", "larger", "high"] } else { ["smallest", "smaller", "low"] };
                p.notice {
                    strong { "The best value of " code { (name) } " may be " (beyond) ". " }
                    "Its interval reaches " (value) ", the " (end) " allowed value. Tune again with a " (beyond) " " code { (key) }
                    " of " code { (name) } " in a recipe file."
                }
            }
            Some(_) => {}
        }
    }
}

/// Returns whether a bundled bot accepts no value beyond this one.
fn is_bound(name: &str, value: &str, bot: Option<(&'static dyn Contest, &'static str)>) -> bool {
    let Some((contest, bot)) = bot else { return false };
    let known = contest.info().bots.iter().find(|known| known.name == bot);
    let setting = known.and_then(|known| (known.settings)().into_iter().find(|of| of.name == name));
    let (Some(SettingKind::Whole(low, high) | SettingKind::Number(low, high)), Ok(value)) =
        (setting.map(|setting| setting.kind), value.parse::<f64>())
    else {
        return false;
    };
    // The value is rounded.
    let reach = 1e-3 * (high - low).abs().min(1.0);
    (value - low).abs() < reach || (value - high).abs() < reach
}
