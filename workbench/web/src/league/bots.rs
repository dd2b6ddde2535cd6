//! The lists of bundled bots from which forms choose: each bot's name, its description, and its strength if a league of
//! the project knows it.

use super::cards;
use crate::App;
use crate::text::coded;
use contender_game::contest::{BotInfo, Contest};
use maud::{Markup, html};

/// Returns the list of a game's bundled bots, the strongest first. `item` adds the elements that choose a bot to its
/// description.
pub fn list(
    app: &App,
    contest: &'static dyn Contest,
    is_listed: &dyn Fn(&BotInfo) -> bool,
    item: &dyn Fn(&BotInfo, Markup) -> Markup,
) -> Markup {
    let strengths = cards::strengths(app, contest.name());
    html! {
        ul.bots {
            @for bot in strengths.sorted(contest).into_iter().filter(|bot| is_listed(bot)) {
                li {
                    (item(bot, html! {
                        span.name { (bot.name) }
                        span.about title=(bot.about.replace('`', "")) { (coded(bot.about)) }
                        @if let Some(strength) = strengths.by_name.get(bot.name) { span.number { (strength) } }
                    }))
                }
            }
        }
        @if let Some([league, unit]) = strengths.source.filter(|_| !strengths.by_name.is_empty()) {
            p.legend { "Strengths are those in " (league) ", in " (unit) "." }
        } @else {
            p.legend { "The strongest bot is the first." }
        }
    }
}
