//! The looks of bots: a colour and the shape of its mark. A bot looks the same in charts and in lists.

use maud::{Markup, html};
use std::collections::HashMap;

/// Number of colours, and of the shapes that a mark may have. The lines of charts have dashes instead of shapes.
pub const COLOURS: usize = 8;
const SHAPES: usize = 4;
/// Number of looks.
const LOOKS: usize = COLOURS * SHAPES;

/// The names of bundled bots that always have the same colour, in the order of the colours.
const FIXED: [&str; COLOURS] =
    ["champion", "solver", "classic", "greedy", "bronze", "random", "alphabeta", "uct"];

/// The groups of similar colours, and for each group a colour that clearly differs from all of its colours.
const GROUPS: [usize; COLOURS] = [0, 1, 0, 2, 1, 2, 0, 1];
const OTHERS: [usize; 3] = [1, 0, 2];

/// Returns the classes of a look, which is a number modulo the number of looks.
pub fn classes(look: usize) -> String {
    format!("c{} s{}", look % COLOURS, look / COLOURS % SHAPES)
}

/// Draws the mark of a look.
pub fn mark(look: usize) -> Markup {
    html! { span class=(format!("dot {}", classes(look))) {} }
}

/// Draws a piece of a line with a look, for the legend of a chart.
pub fn sample(look: usize) -> Markup {
    html! { svg class=(format!("sample {}", classes(look))) viewBox="0 0 24 8" aria-hidden="true" { line class=(format!("line {}", classes(look))) x1="0" y1="4" x2="24" y2="4" {} } }
}

/// The looks of several bots. They depend on the names, so a bot looks the same on all pages, unless another of these
/// bots already has this look, or unless it is one of only two bots and their colours are similar. Up to 32 bots all
/// look different.
pub struct Looks<'a>(HashMap<&'a str, usize>);

impl<'a> Looks<'a> {
    pub fn of(bots: impl Iterator<Item = &'a str>) -> Looks<'a> {
        let mut bots: Vec<&str> = bots.collect();
        let fixed = |name: &str| FIXED.iter().position(|known| *known == name);
        let mut looks: HashMap<&str, usize> =
            bots.iter().filter_map(|&bot| Some((bot, fixed(bot)?))).collect();
        let mut free: Vec<usize> =
            (0..LOOKS).filter(|look| !looks.values().any(|used| used == look)).collect();
        for &bot in &bots {
            if looks.contains_key(bot) {
                continue;
            }
            if free.is_empty() {
                free = (0..LOOKS).collect();
            }
            let wanted = contender_input::fingerprint([bot]) as usize % COLOURS;
            // The first free looks are circles.
            let look = free.remove(free.iter().position(|&look| look == wanted).unwrap_or(0));
            looks.insert(bot, look);
        }
        bots.sort_by_key(|&bot| (looks[bot], bot));
        bots.dedup();
        if let [first, second] = bots[..] {
            let [group, other] = [first, second].map(|bot| GROUPS[looks[bot] % COLOURS]);
            if group == other {
                looks.insert(second, OTHERS[group]);
            }
        }
        Looks(looks)
    }

    /// Returns the look of a bot.
    pub fn look(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or(0)
    }

    /// Draws the mark of a bot.
    pub fn mark(&self, name: &str) -> Markup {
        mark(self.look(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bot looks the same everywhere, unless another bot has its look.
    #[test]
    fn looks_follow_names() {
        let of = |names: &[&str]| -> Vec<usize> {
            let looks = Looks::of(names.iter().copied());
            names.iter().map(|name| looks.look(name)).collect()
        };
        assert_eq!(of(&["greedy", "champion"]), [3, 0]);
        assert_eq!(of(&["random", "champion", "greedy"]), [5, 0, 3]);
        // The colours of two bots clearly differ, whatever their order is.
        assert_eq!(of(&["champion", "alphabeta"]), [0, 1]);
        assert_eq!(of(&["alphabeta", "champion", "alphabeta"]), [1, 0, 1]);
        assert_eq!(of(&["uct", "bronze"]), [0, 4]);
        assert_eq!(of(&["random", "greedy"]), [2, 3]);
        let own = of(&["own"])[0];
        assert!(own < COLOURS && of(&["own", "other", "own"])[0] == own);
        let mut eight = of(&["a", "b", "c", "d", "e", "f", "greedy", "champion"]);
        eight.sort_unstable();
        assert_eq!(eight, [0, 1, 2, 3, 4, 5, 6, 7]);
        // More bots than colours have different shapes, and more bots than looks still have one.
        let names: Vec<String> = (0..LOOKS + 3).map(|number| format!("bot-{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut all: Vec<String> = of(&names[..LOOKS]).into_iter().map(classes).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), LOOKS);
        assert!(of(&names).iter().all(|look| *look < LOOKS));
    }
}
