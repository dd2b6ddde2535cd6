//! The plan of a match.

use contender_game::rules::{Rng, mix};
use contender_play::{Entrant, Fixture, Host, RankedBy};
use contender_stats::SequentialTest;

/// Keeps the draw of opponents apart from other uses of the same seed.
const OPPONENT_STREAM: u64 = 6;

/// A number of pairs of games that compare two bots, A and B.
#[derive(Clone, Copy)]
pub struct Match<'a> {
    /// The referee of the games, with its conditions.
    pub host: &'a dyn Host,
    /// A and B.
    pub bots: [&'a Entrant; 2],
    /// The seats of A and B in the two games of a pair.
    pub seating: Seating<'a>,
    /// Number of pairs.
    pub pairs: u32,
    /// Games played at once; 0 is taken as 1.
    pub jobs: usize,
    /// The seed of all chance, of the games as of the bots.
    pub seed: u64,
    /// Ends the match as soon as it decides: [`pairs`](Match::pairs) is then the maximum. Its hypotheses are about what
    /// ranks the bots: points a game, Elo if wins count, the difference of normalised ranks in a substitution.
    pub test: Option<SequentialTest>,
}

/// The seats of the two bots of a match.
#[derive(Clone, Copy, Default, Debug)]
pub enum Seating<'a> {
    /// Both play in both games, with swapped seats.
    #[default]
    Exchange,
    /// One of them plays, in the same seat against the same opponents: A in the first game of a pair, B in the second.
    Substitution {
        /// Bots of a game.
        players: usize,
        /// The bots that the opponents are drawn from, at least one.
        pool: &'a [Entrant],
    },
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

    pub fn index(self) -> u64 {
        2 * u64::from(self.pair) + self.game as u64
    }
}

impl Match<'_> {
    /// Games to play in all.
    pub(crate) fn games(&self) -> u64 {
        u64::from(self.pairs) * 2
    }

    /// Returns the criterion that decides which bot is better.
    pub(crate) fn ranked_by(&self) -> RankedBy {
        match self.seating {
            Seating::Exchange => self.host.ranked_by(),
            Seating::Substitution { .. } => RankedBy::Rank,
        }
    }

    /// Bots of a game.
    pub(crate) fn players(&self) -> usize {
        match self.seating {
            Seating::Exchange => 2,
            Seating::Substitution { players, .. } => players,
        }
    }

    /// Returns the seats of A and B in a game; `None` for the bot that does not play.
    pub(crate) fn seats(&self, Slot { pair, game }: Slot) -> [Option<usize>; 2] {
        match self.seating {
            Seating::Exchange => [Some(game), Some(1 - game)],
            Seating::Substitution { players, .. } => {
                let seat = pair as usize % players;
                [0, 1].map(|bot| (bot == game).then_some(seat))
            }
        }
    }

    /// Both games of a pair have the same seed. Bundled bots that exchange seats get new seeds in every game, so that a
    /// bot against itself does not play the same game twice; in a substitution all seats keep theirs.
    pub(crate) fn fixture(&self, slot: Slot) -> Fixture {
        let Slot { pair, game } = slot;
        let seed = |part: u64| mix(&[self.seed, u64::from(pair), part]);
        match self.seating {
            Seating::Exchange => Fixture {
                seats: [game, 1 - game].map(|bot| self.bots[bot].clone()).to_vec(),
                seed: self.host.seed(seed(0)),
                bot_seeds: [0, 1].map(|seat| seed(1 + 2 * game as u64 + seat)).to_vec(),
            },
            Seating::Substitution { players, pool } => {
                let mut seats = opponents(pool, players - 1, seed(OPPONENT_STREAM));
                seats.insert(pair as usize % players, self.bots[game].clone());
                Fixture {
                    seats,
                    seed: self.host.seed(seed(0)),
                    bot_seeds: (1..=players as u64).map(seed).collect(),
                }
            }
        }
    }

    /// Returns a number for all that decides what the games are. How many there are and how many at once does not.
    pub(crate) fn fingerprint(&self) -> String {
        let bots = self.bots.map(|bot| (&bot.name, &bot.program));
        let mut decides =
            format!("({:?}, {})", (self.host.game(), bots, self.seed, self.test), self.host.identity());
        if let Seating::Substitution { .. } = self.seating {
            decides += &format!(", {:?}", self.seating);
        }
        format!("{:016x}", decides.bytes().fold(0, |number, byte| mix(&[number, u64::from(byte)])))
    }
}

/// Draws bots from a pool: different ones as long as there are any.
fn opponents(pool: &[Entrant], count: usize, seed: u64) -> Vec<Entrant> {
    let mut rng = Rng::new(seed);
    let mut left: Vec<&Entrant> = Vec::new();
    let mut drawn: Vec<Entrant> = Vec::new();
    while drawn.len() < count {
        if left.is_empty() {
            left = pool.iter().collect();
        }
        drawn.push(left.swap_remove(rng.index(left.len())).clone());
    }
    // Two processes of one program are told apart by their names.
    for at in 0..drawn.len() {
        let copies = drawn[..at].iter().filter(|other| other.program == drawn[at].program).count();
        if copies > 0 {
            drawn[at].name += &format!("#{}", copies + 1);
        }
    }
    drawn
}
