//! The text representation of a league's game.

use crate::game::{GameState, LeagueBot, LeagueGame};
use contender_referee::Record;

impl LeagueGame {
    /// Formats the game as lines of text.
    #[must_use]
    pub fn text(&self, bots: &[LeagueBot]) -> String {
        let game = self;
        let names = game.names(bots);
        let who = names.join(" - ");
        let mut lines = vec![match (game.state, &game.reason) {
            (GameState::Done, _) => format!("game {}: {who}  {}", game.id, game.result()),
            (GameState::Open, _) => format!("game {}: {who}  not played yet", game.id),
            (GameState::Void, reason) => {
                format!("game {}: {who}  no result: {}", game.id, reason.as_deref().unwrap_or_default())
            }
        }];
        let of_ours = game.record.as_deref().and_then(|record| Record::from_json(record).ok());
        let pair = game.pair.map(|pair| format!("pair {pair}"));
        let seed = of_ours.as_ref().map(|record| format!("seed {}", record.seed.cast_signed()));
        let place: Vec<String> = pair.into_iter().chain(seed).collect();
        lines.extend((!place.is_empty()).then(|| place.join(", ")));
        match &of_ours {
            Some(record) => {
                for (name, seat) in names.iter().zip(&record.seats) {
                    lines.push(format!("{name}: {}", seat.text()));
                }
                lines.extend(record.repeat.as_ref().map(|repeat| format!("again: {repeat}")));
                lines.extend(record.engine_log.as_ref().map(|log| format!("referee's log: {log}")));
                let told = record.attributes.iter().map(|told| {
                    let player = told.player.and_then(|player| names.get(usize::from(player)));
                    let player = player.map_or(String::new(), |name| format!(" by {name}"));
                    let turn = told.turn.map_or(String::new(), |turn| format!(" in turn {turn}"));
                    format!("reported{player}{turn}: {} = {}", told.name, told.value)
                });
                lines.extend(told);
                for (what, texts) in [("setup", &record.setup), ("moves", &record.moves)] {
                    let separator = if texts.iter().any(|text| text.contains(' ')) { ", " } else { " " };
                    lines.extend((!texts.is_empty()).then(|| format!("{what}: {}", texts.join(separator))));
                }
            }
            None if game.state == GameState::Done => {
                let seats = names.iter().zip(&game.seats);
                lines.extend(seats.map(|(name, seat)| format!("{name}: {}", seat.ending)));
                let more = game
                    .record
                    .as_ref()
                    .map_or("no other details are recorded", |_| "--json shows the recorded details");
                lines.push(more.to_string());
            }
            None => {}
        }
        // Bots can write anything, but it must not control the terminal.
        let is_safe = |letter: char| letter == '\n' || !letter.is_control();
        lines.join("\n").chars().map(|letter| if is_safe(letter) { letter } else { '\u{fffd}' }).collect()
    }
}
