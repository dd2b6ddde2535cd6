//! The bot of the write-up that came fourth in CodeCup 2025: three plies of expectiminimax over an evaluation of all
//! squares, and a guess of the opponent's colour outside the search.
//!
//! Source: Maks Verver's description of his player, github.com/maksverver/codecup-box.

mod evaluation;
mod guess;
mod opening;
mod search;

pub(crate) use evaluation::SQUARES;
pub(crate) use guess::evaluation_gains;
pub use guess::Guess;
pub use opening::opening_table;

use crate::{time, Colour, OpenColours, Placement, State, COLOURS};
use contender_game::{Analysis, Bot, Clock, MoveAnalysis, Player, Rng};
use contender_search::layers::LayerSearch;
use contender_search::SearchLimits;
use search::ThreePlies;

/// The bot. Deterministic with a node budget; a node is a pair of placements, with all 30 kinds of tiles.
pub struct ClassicBot {
    /// With cut-offs for a known colour; without for several, whose values are compared.
    searches: [LayerSearch<OpenColours, ThreePlies>; 2],
    guess: Guess,
    /// Chooses among the placements of the table.
    rng: Rng,
}

/// What is known of a placement, from the own view.
struct Judged {
    placement: Placement,
    /// The least and the greatest that it can be worth with the worst of the colours it was searched for.
    value: [f64; 2],
    /// For how many of the opponent's colours it was searched.
    colours: u32,
}

impl ClassicBot {
    /// The bot with this seed, which chooses among equally good placements.
    #[must_use]
    pub fn new(seed: u64) -> ClassicBot {
        let search = |prunes| LayerSearch::new(ThreePlies::new(seed), prunes);
        ClassicBot { searches: [search(false), search(true)], guess: Guess::default(), rng: Rng::new(seed) }
    }

    /// The placements that were searched, the best first, and the number of pairs of placements that took. Of several
    /// colours that the opponent may have, the worst counts.
    fn think(&mut self, state: &State, player: Player, clock: &Clock) -> (Vec<Judged>, u64) {
        let own = state.colours()[player];
        let colours: Vec<Colour> = match self.guess.colour(own) {
            Some(colour) => vec![colour],
            None => (0..COLOURS as Colour).filter(|&colour| colour != own).collect(),
        };
        let search = &mut self.searches[usize::from(colours.len() == 1)];
        let whole = time::limits(state, clock);
        let mut judged: Vec<Judged> = Vec::new();
        let mut pairs = 0;
        for (at, &colour) in colours.iter().enumerate() {
            // Every colour gets an equal part, and what those before have left.
            let (searched, all) = (at as u64 + 1, colours.len() as u64);
            let limits = SearchLimits {
                nodes: whole.nodes.map(|nodes| nodes * searched / all - pairs),
                hard: whole.hard_after(clock.turn_start(), searched as f64 / all as f64),
                ..whole
            };
            let mut known = OpenColours(state.clone());
            known.0.set_colour(player.other(), colour);
            search.hooks().reset();
            let found = search.search(&known, &limits);
            pairs += search.rows();
            for of in found.moves {
                let known = judged.iter().position(|judged| judged.placement == of.mv);
                let at = known.unwrap_or_else(|| {
                    judged.push(Judged { placement: of.mv, value: [f64::INFINITY; 2], colours: 0 });
                    judged.len() - 1
                });
                // What was found before a search was stopped stands; of the rest nothing is known.
                if of.value[1] < f64::INFINITY {
                    let Judged { value: [low, high], colours, .. } = &mut judged[at];
                    (*low, *high) = (low.min(of.value[0]), high.min(of.value[1]));
                    *colours += 1;
                }
            }
        }
        judged.sort_by(|a, b| {
            let by_value = |at: usize| b.value[at].total_cmp(&a.value[at]);
            b.colours.cmp(&a.colours).then_with(|| by_value(0)).then_with(|| by_value(1))
        });
        (judged, pairs)
    }
}

impl Bot<State, Placement> for ClassicBot {
    /// # Panics
    /// When there is no tile to place.
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Placement {
        match opening::best(state, player) {
            Some(best) => *self.rng.choose(&best),
            None => self.think(state, player, clock).0[0].placement,
        }
    }

    fn observe(&mut self, state: &State, _player: Player, placement: &Placement) {
        self.guess.observe(state, *placement);
    }

    /// Counts the opponent's colour that it assumes as `1`..`6`, or 0 for the worst of all.
    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Placement> {
        let (judged, pairs) = self.think(state, player, clock);
        let colour = self.guess.colour(state.colours()[player]).map_or(0, |colour| u64::from(colour) + 1);
        let of = |judged: &Judged| MoveAnalysis {
            mv: judged.placement,
            value: if judged.colours == 0 { [f64::NEG_INFINITY, f64::INFINITY] } else { judged.value },
            is_proven: false,
            effort: u64::from(judged.colours),
        };
        Analysis {
            depth: 2,
            counts: vec![("pairs of placements", pairs), ("guessed colour", colour)],
            unit: "evaluation",
            elapsed: clock.turn_elapsed(),
            ..Analysis::of(judged.iter().map(of).collect())
        }
    }
}
