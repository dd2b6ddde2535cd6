//! The strongest bot. The bot values squares by the probability that they are complete at the end, and looks two plies
//! ahead after each candidate.
//!
//! | module | contents |
//! |---|---|
//! | `worth` | the probabilities, counted over finished games |
//! | `board` | the value of a colour's squares, and how a change of each cell would affect it |
//! | `placements` | all placements at once: the cells that each placement fixes, and its gains |
//! | `lookahead` | the replies to a placement, and the bot's best placements after them |
//! | `search` | candidates, and their trials |
//! | `settings` | the settings of the bot |
//! | `belief` | the probability of each colour of the opponent |
//! | `shown` | what the bot's moves tell the opponent |

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

/// The bot. With a node budget, the bot is deterministic. A node is a board after a reply of the opponent, including
/// the bot's best placements for all tiles.
pub struct ChampionBot {
    search: Search,
    belief: Belief,
    /// The opponent's knowledge of the bot's colour.
    shown: Shown,
}

impl ChampionBot {
    /// Creates the bot with these settings and this seed.
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
    /// Panics if there is no tile to place.
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

    /// Analyses the position. The value of a move is the bot's expected lead at the end of the game, minus the cost of
    /// revealing the bot's colour. In addition to the moves, the result has the probability of each colour of the
    /// opponent, and two maps: the cells that no tile can reach any more, and the probability that each cell has the
    /// opponent's colour.
    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Placement> {
        let (candidates, boards) = self.think(state, player, clock);
        let belief = self.belief.probabilities(state.colours()[player]);
        // A candidate only has the change of the lead.
        let before = Search::lead(state, player, &belief);
        let of = |candidate: &Candidate| MoveAnalysis {
            mv: candidate.placement,
            value: [before + candidate.value; 2],
            is_proven: false,
            effort: u64::from(candidate.trials),
        };
        let trials = candidates.iter().map(|candidate| u64::from(candidate.trials)).sum();
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
                    "enemy's likely colour",
                    map(|row, column| Some(belief[usize::from(state.colour_at(row, column)?)])),
                ),
            ],
            unit: "points",
            elapsed: clock.turn_elapsed(),
            ..Analysis::of_move(candidates[0].placement)
        }
    }
}

/// Returns a number for each cell, row by row, as in the pictures of the board.
fn map(of: impl Fn(usize, usize) -> Option<f64>) -> Vec<Option<f64>> {
    (0..ROWS * COLUMNS).map(|at| of(at / COLUMNS, at % COLUMNS)).collect()
}
