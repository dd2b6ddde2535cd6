//! The strongest bot: squares worth the probability that they are complete in the end, and two plies of play after each
//! candidate.
//!
//! | module | what is in it |
//! |---|---|
//! | `worth` | the probabilities, counted over finished games |
//! | `board` | what a colour's squares are worth, and what every cell would change |
//! | `placements` | all placements at once: what each fixes and gains |
//! | `lookahead` | what follows a placement: the opponent's replies, the own best placements after them |
//! | `search` | candidates, and trials of them |
//! | `settings` | what it is made with |
//! | `belief` | the opponent's colour |
//! | `shown` | what the own moves tell the opponent |

mod belief;
mod board;
mod lookahead;
mod placements;
mod search;
mod settings;
mod shown;
mod worth;

pub use belief::Belief;
pub use settings::ChampionSettings;

use crate::{time, Placement, State, COLUMNS, ROWS};
use belief::Reply;
use contender_game::{
    contest::{Analysis, Bot, Clock, MoveAnalysis},
    rules::Player,
};
use search::{Candidate, Search};
use shown::Shown;

/// The bot. Deterministic with a node budget; a node is a board after a reply of the opponent, with the own best
/// placements for all tiles.
pub struct ChampionBot {
    search: Search,
    belief: Belief,
    /// The opponent's knowledge from the bot's moves.
    shown: Shown,
}

impl ChampionBot {
    /// Returns the bot with these settings and seed.
    #[must_use]
    pub fn new(settings: ChampionSettings, seed: u64) -> ChampionBot {
        ChampionBot {
            search: Search::new(settings, seed),
            belief: Belief::default(),
            shown: Shown::default(),
        }
    }

    fn think(&mut self, state: &State, player: Player, clock: &Clock) -> (Vec<Candidate>, u64) {
        let belief = self.belief.probabilities(state.colours()[player]);
        self.search.search(state, player, &belief, &self.shown, &time::limits(state, clock))
    }
}

impl Bot<State, Placement> for ChampionBot {
    /// # Panics
    /// If there is no tile to place.
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Placement {
        let placement = self.think(state, player, clock).0[0].placement;
        self.shown.observe(state, placement);
        placement
    }

    fn observe(&mut self, state: &State, player: Player, placement: &Placement) {
        let reply = Reply::new(state, *placement);
        let own = state.colours()[player];
        self.shown.hear(&reply, &self.belief.probabilities(own));
        self.belief.hear(&reply);
    }

    /// Besides the moves, tells the probability of each colour of the opponent, and as maps: which cells no tile can
    /// reach any more, and how likely the colour of each cell is the opponent's.
    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Placement> {
        let (candidates, boards) = self.think(state, player, clock);
        let of = |candidate: &Candidate| MoveAnalysis {
            mv: candidate.placement,
            value: [candidate.value; 2],
            is_proven: false,
            effort: u64::from(candidate.trials),
        };
        let trials = candidates.iter().map(|candidate| u64::from(candidate.trials)).sum();
        let belief = self.belief.probabilities(state.colours()[player]);
        let fixed = state.fixed();
        let names = ["colour 1", "colour 2", "colour 3", "colour 4", "colour 5", "colour 6"];
        Analysis {
            depth: 3,
            counts: vec![("boards", boards), ("trials", trials)],
            moves: candidates.iter().map(of).collect(),
            inputs: names.into_iter().zip(belief).collect(),
            maps: vec![
                ("fixed cells", map(|row, column| (fixed[column] >> row & 1 == 1).then_some(1.0))),
                (
                    "colour belief",
                    map(|row, column| Some(belief[usize::from(state.colour_at(row, column)?)])),
                ),
            ],
            unit: "points of squares",
            elapsed: clock.turn_elapsed(),
            ..Analysis::of_move(candidates[0].placement)
        }
    }
}

/// Returns a number for each cell, row by row, as pictures have them.
fn map(of: impl Fn(usize, usize) -> Option<f64>) -> Vec<Option<f64>> {
    (0..ROWS * COLUMNS).map(|at| of(at / COLUMNS, at % COLUMNS)).collect()
}
