//! What is to be played in a match.

use contender_game::{Contest, mix};
use contender_referee::{Entrant, GamePlan, Isolation, Referee};
use contender_stats::SequentialTest;

/// A number of pairs of games between two bots, A and B.
#[derive(Clone, Copy)]
pub struct Match<'a> {
    /// What is played.
    pub contest: &'a dyn Contest,
    /// Under which limits and rules.
    pub referee: &'a Referee,
    /// A and B.
    pub bots: [&'a Entrant; 2],
    /// How many pairs.
    pub pairs: u32,
    /// How many games are played at once; 0 is taken as 1.
    pub jobs: usize,
    /// The seed of all luck, of the judge's as of the bots'.
    pub seed: u64,
    /// Ends the match as soon as it decides: [`pairs`](Match::pairs) is then the most that are played. Its hypotheses
    /// are about what ranks the bots: points a game, or Elo where wins count.
    pub test: Option<SequentialTest>,
}

/// The place of a game in a match.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    pub pair: u32,
    pub game: usize,
}

impl Slot {
    pub fn of(index: u64) -> Slot {
        Slot { pair: (index / 2) as u32, game: (index % 2) as usize }
    }
}

impl<'a> Match<'a> {
    /// Games to play in all.
    pub(crate) fn games(&self) -> u64 {
        u64::from(self.pairs) * 2
    }

    /// Both games of a pair have the same luck; the bots' own luck is new in every game, so that a bot against itself
    /// does not play the same game twice.
    pub(crate) fn plan(&self, Slot { pair, game }: Slot) -> GamePlan<'a> {
        let seed = |part: u64| mix(&[self.seed, u64::from(pair), part]);
        GamePlan {
            players: [self.bots[game], self.bots[1 - game]],
            luck: seed(0),
            bot_seeds: [0, 1].map(|seat| seed(1 + 2 * game as u64 + seat)),
        }
    }

    /// A number for all that decides what the games are. How many there are and how many at once does not.
    pub(crate) fn fingerprint(&self) -> String {
        let Referee { limits, margin, clock_with_nodes, play_on, ponder, in_turn, rematches, .. } =
            self.referee;
        let decides = format!(
            "{:?}",
            (
                (self.contest.name(), self.bots.map(|bot| (&bot.name, &bot.program)), self.seed, self.test),
                (limits, margin, clock_with_nodes, play_on, ponder, in_turn, rematches),
                (self.referee.rules.to_string(), &self.referee.openings),
                self.referee.isolation.as_ref().map(Isolation::bounds),
            )
        );
        format!("{:016x}", decides.bytes().fold(0, |number, byte| mix(&[number, u64::from(byte)])))
    }
}
