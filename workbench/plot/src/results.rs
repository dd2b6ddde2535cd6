//! Charts of bots' wins, draws and losses.

use crate::canvas::{Anchor, BLUE, INK, ORANGE, TITLE, faint, name, nothing, picture, width};

/// The results of one bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Results {
    /// The bot's name.
    pub name: String,
    /// Numbers of games won, drawn and lost.
    pub counts: [u64; 3],
}

const ROW: i32 = 26;
const PLOT: i32 = 560;

/// Draws a bar for each bot, in the given order. The bar shows the shares of wins (blue), draws (grey) and losses
/// (orange). The shares and the number of games are written on the right.
#[must_use]
pub fn results(title: &str, bots: &[Results]) -> String {
    let bots: Vec<&Results> = bots.iter().filter(|bot| bot.counts.iter().sum::<u64>() > 0).collect();
    if bots.is_empty() {
        return nothing(title);
    }
    let left = 20 + width(bots.iter().map(|bot| bot.name.as_str()));
    let right = left + PLOT;
    let bottom = TITLE + ROW * bots.len() as i32 + 4;
    picture([right + 250, bottom + 34], title, |canvas| {
        for (at, bot) in bots.iter().enumerate() {
            let games: u64 = bot.counts.iter().sum();
            let top = TITLE + ROW * at as i32;
            canvas.text(&name(&bot.name), [left - 10, top + ROW / 2], Anchor::Right);
            let mut before = 0;
            for (count, colour) in
                bot.counts.iter().zip([faint(BLUE, 0.8), faint(INK, 0.35), faint(ORANGE, 0.8)])
            {
                let place =
                    |count: u64| left + (f64::from(PLOT) * count as f64 / games as f64).round() as i32;
                let [from, to] = [place(before), place(before + count)];
                if to > from {
                    canvas.box_([from, top + 4], [to, top + ROW - 4], &colour);
                }
                before += count;
            }
            let [wins, draws, losses] = bot.counts.map(|count| 100.0 * count as f64 / games as f64);
            let words = format!("{wins:.0} / {draws:.0} / {losses:.0} % of {games}");
            canvas.text(&words, [right + 238, top + ROW / 2], Anchor::Right);
        }
        canvas.text("won (blue), drawn (grey), lost (orange)", [left, bottom + 14], Anchor::Left);
    })
}
