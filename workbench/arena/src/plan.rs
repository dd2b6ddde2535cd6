//! The plan of a match.

use contender_game::rules::{Rng, mix};
use contender_play::{Entrant, Fixture, Host, RankedBy};
use contender_stats::SequentialTest;

/// The number of the random stream that chooses opponents. It keeps this choice independent of other uses of the seed.
const OPPONENT_STREAM: u64 = 6;

/// A match: pairs of games that compare two bots, A and B.
#[derive(Clone, Copy)]
pub struct Match<'a> {
    /// The host, which plays the games and determines their conditions.
    pub host: &'a dyn Host,
    /// The bots A and B.
    pub bots: [&'a Entrant; 2],
    /// The seating of A and B in the two games of a pair.
    pub seating: Seating<'a>,
    /// Number of pairs.
    pub pairs: u32,
    /// Number of games at a time; 0 counts as 1.
    pub jobs: usize,
    /// The seed for all randomness of the games and the bots.
    pub seed: u64,
    /// A sequential test that ends the match as soon as it reaches a decision. [`pairs`](Match::pairs) is then the
    /// maximum number of pairs. The unit of the hypotheses depends on how bots are ranked: points per game, Elo if wins
    /// count, or the difference between normalised ranks in a [`Substitution`](Seating::Substitution).
    pub test: Option<SequentialTest>,
}

/// The seating of the two bots of a match.
#[derive(Clone, Copy, Default, Debug)]
pub enum Seating<'a> {
    /// Both bots play in both games of a pair, with swapped seats.
    #[default]
    Exchange,
    /// Only one of the two bots plays in each game of a pair: A in the first game and B in the second. Both play in the
    /// same seat against the same opponents.
    Substitution {
        /// Number of bots in a game.
        players: usize,
        /// The bots from which opponents are drawn. There must be at least one.
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
    /// Returns the total number of games.
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

    /// Returns the number of bots in a game.
    pub(crate) fn players(&self) -> usize {
        match self.seating {
            Seating::Exchange => 2,
            Seating::Substitution { players, .. } => players,
        }
    }

    /// Returns the seats of A and B in a game, with `None` for a bot that does not play.
    pub(crate) fn seats(&self, Slot { pair, game }: Slot) -> [Option<usize>; 2] {
        match self.seating {
            Seating::Exchange => [Some(game), Some(1 - game)],
            Seating::Substitution { players, .. } => {
                let seat = pair as usize % players;
                [0, 1].map(|bot| (bot == game).then_some(seat))
            }
        }
    }

    /// Returns the bots and the seeds of a game. Both games of a pair have the same seed. If the bots exchange seats,
    /// bundled bots get a new seed in every game, so that a bot that plays against itself does not repeat games. In a
    /// substitution, each seat has the same seed in both games.
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

    /// Returns a fingerprint of everything that affects single games. It does not include the total number of games or
    /// the number of games at a time.
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

/// Draws bots from a pool. A bot is drawn again only after all other bots have been drawn.
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
    // Several processes of one program get different names.
    for at in 0..drawn.len() {
        let copies = drawn[..at].iter().filter(|other| other.program == drawn[at].program).count();
        if copies > 0 {
            drawn[at].name += &format!("#{}", copies + 1);
        }
    }
    drawn
}
