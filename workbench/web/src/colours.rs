//! The colours of bots. A bot has the same colour in charts and in lists.

use crate::chart::COLOURS;

/// The names of bundled bots that always have the same colour, in the order of the colours.
const FIXED: [&str; COLOURS] =
    ["champion", "solver", "classic", "greedy", "bronze", "random", "alphabeta", "uct"];

/// Returns the colour of a bot among others. It depends on the name, so a bot has the same colour on all pages, unless
/// another of these bots already has this colour and a colour is left.
pub fn colour<'a>(bots: impl Iterator<Item = &'a str> + Clone, name: &str) -> usize {
    let fixed = |name: &str| FIXED.iter().position(|known| *known == name);
    let mut free: Vec<usize> = (0..COLOURS).collect();
    free.retain(|&colour| !bots.clone().any(|bot| fixed(bot) == Some(colour)));
    if let Some(colour) = fixed(name) {
        return colour;
    }
    for bot in bots.filter(|bot| fixed(bot).is_none()) {
        let wanted = contender_input::fingerprint([bot]) as usize % COLOURS;
        let chosen = if free.contains(&wanted) { wanted } else { *free.first().unwrap_or(&wanted) };
        free.retain(|&colour| colour != chosen);
        if bot == name {
            return chosen;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bot has the same colour everywhere, unless another bot has it.
    #[test]
    fn colours_follow_names() {
        let of = |names: &[&str]| -> Vec<usize> {
            names.iter().map(|name| colour(names.iter().copied(), name)).collect()
        };
        assert_eq!(of(&["greedy", "champion"]), [3, 0]);
        assert_eq!(of(&["random", "champion", "greedy"]), [5, 0, 3]);
        let own = of(&["own"])[0];
        assert_eq!(of(&["other", "own"]).iter().filter(|&&colour| colour == own).count(), 1);
        let mut eight = of(&["a", "b", "c", "d", "e", "f", "greedy", "champion"]);
        eight.sort_unstable();
        assert_eq!(eight, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
