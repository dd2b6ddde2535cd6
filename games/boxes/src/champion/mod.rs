//! The strongest bot: squares worth the probability that they are complete in the end, and two plies of play after each candidate.
//!
//! | module | what is in it |
//! |---|---|
//! | `worth` | the probabilities, counted over finished games |
//! | `board` | what a colour's squares are worth, and what every cell would change |
//! | `placements` | all placements at once: what each fixes and gains |
//! | `search` | candidates, the opponent's replies, the own best placements after them |
//! | `belief` | the opponent's colour |

mod belief;
mod board;
mod placements;
mod search;
mod worth;

pub use belief::Belief;
pub use search::ChampionSettings;

use crate::classic::allowance;
use crate::{Placement, State};
use contender_game::{Analysis, Bot, Clock, MoveAnalysis, Player};
use search::{Candidate, Search};
use std::time::Instant;

/// The bot. Deterministic with a node budget; a node is a trial: a reply of the opponent and the own best placements after it, for
/// all tiles.
pub struct ChampionBot {
    search: Search,
    belief: Belief,
}

impl ChampionBot {
    /// The bot with these settings and seed.
    #[must_use]
    pub fn new(settings: ChampionSettings, seed: u64) -> ChampionBot {
        ChampionBot { search: Search::new(settings, seed), belief: Belief::default() }
    }

    fn think(&mut self, state: &State, player: Player, clock: &Clock) -> Vec<Candidate> {
        let belief = self.belief.probabilities(state.colours()[player]);
        let allowance = allowance(state, clock);
        match allowance.hard {
            Some(hard) => {
                let start = Instant::now();
                let whole = hard.saturating_duration_since(start);
                self.search
                    .search(state, player, &belief, |part| Instant::now() < start + whole.mul_f64(part))
            }
            None => {
                let nodes = allowance.nodes.unwrap_or(u64::MAX);
                let mut used = 0;
                self.search.search(state, player, &belief, |part| {
                    let may_go_on = (used as f64) < nodes as f64 * part;
                    used += u64::from(may_go_on);
                    may_go_on
                })
            }
        }
    }
}

impl Bot<State, Placement> for ChampionBot {
    /// # Panics
    /// When there is no tile to place.
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Placement {
        self.think(state, player, clock)[0].placement
    }

    fn observe(&mut self, state: &State, _player: Player, placement: &Placement) {
        self.belief.observe(state, *placement);
    }

    /// Besides the moves, tells the probability of each colour of the opponent.
    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Placement> {
        let candidates = self.think(state, player, clock);
        let of = |candidate: &Candidate| MoveAnalysis {
            mv: candidate.placement,
            value: [candidate.value(); 2],
            is_proven: false,
            effort: u64::from(candidate.trials),
        };
        let belief = self.belief.probabilities(state.colours()[player]);
        let names = ["colour 1", "colour 2", "colour 3", "colour 4", "colour 5", "colour 6"];
        Analysis {
            depth: 3,
            counts: vec![("trials", candidates.iter().map(|candidate| u64::from(candidate.trials)).sum())],
            moves: candidates.iter().map(of).collect(),
            inputs: names.into_iter().zip(belief).collect(),
            unit: "points of squares",
            elapsed: clock.turn_elapsed(),
            ..Analysis::of_move(candidates[0].placement)
        }
    }
}
