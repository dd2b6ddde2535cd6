//! Many games between two and more bots, in rounds: the same luck for every rotation of the seats, so that luck and
//! seats cancel.

use crate::Bot;
use crate::record::Record;
use crate::referee::{ForeignReferee, Game, NoResult, drawn_seed};
use contender_arena::{ERRORS_IN_A_ROW, MatchEnd, RankedBy, Score};
use contender_game::mix;
use contender_referee::share_out;
use contender_stats::{Decision, SequentialTest};
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Games to be played: in each round every set of so many bots meets, once for each rotation of its seats.
#[derive(Clone, Copy)]
pub struct Series<'a> {
    /// Who referees.
    pub referee: &'a ForeignReferee,
    /// Who plays, each by a name of its own.
    pub bots: &'a [Bot],
    /// Players of a game, at least 2 and no more than there are bots.
    pub players: usize,
    /// How many rounds.
    pub rounds: u32,
    /// The seed of all luck.
    pub seed: u64,
    /// How many games are played at once; 0 is taken as 1.
    pub jobs: usize,
    /// Ends a series of two bots as soon as it decides, in Elo.
    pub test: Option<SequentialTest>,
}

/// The place of a game in a series.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Slot {
    /// The number of its round, from 0.
    pub round: u32,
    /// The bots by seat, as their numbers.
    pub seats: Vec<usize>,
    /// Its luck.
    pub seed: u64,
}

/// What an observer hears of.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A game was played.
    Game(&'a Record),
    /// A game could not be played.
    Void {
        /// The names of its players by seat.
        players: &'a [String],
        /// Why, in words for the user.
        reason: &'a str,
    },
}

/// All finished games, and how it ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Course {
    /// The games by their places.
    pub games: BTreeMap<Slot, Record>,
    /// How many could not be played.
    pub voids: u64,
    /// How it ended.
    pub end: MatchEnd,
}

impl Series<'_> {
    /// All games, round by round.
    #[must_use]
    pub fn slots(&self) -> Vec<Slot> {
        let mut slots = Vec::new();
        for round in 0..self.rounds {
            for meeting in sets(self.bots.len(), self.players) {
                let set = meeting.iter().fold(0, |set, bot| set | 1_u64 << (bot % 64));
                // 31 bits, never 0, as referees take them.
                let seed = drawn_seed(mix(&[self.seed, u64::from(round), set]));
                for rotation in 0..self.players {
                    let seats =
                        (0..self.players).map(|seat| meeting[(seat + rotation) % self.players]).collect();
                    slots.push(Slot { round, seats, seed });
                }
            }
        }
        slots
    }

    /// Plays what is not in `known` already, games of an earlier run of this series with the same bots, referee and
    /// seed.
    ///
    /// `stop` ends it early from another thread: games under way are broken off and count for nothing. Every finished
    /// game is written to `log` at once, as one line of JSON, and flushed; a log that cannot be written ends the
    /// series, as do [`ERRORS_IN_A_ROW`] games that could not be played. `observer` is called on this thread, in the
    /// order in which games end.
    ///
    /// # Panics
    /// If there are fewer bots than players of a game, or fewer than two players.
    pub fn run(
        &self,
        known: &[Record],
        stop: &AtomicBool,
        mut log: Option<&mut dyn Write>,
        observer: &mut dyn FnMut(Event<'_>, &Course),
    ) -> Course {
        assert!(self.players >= 2 && self.players <= self.bots.len(), "enough bots for a game");
        let mut course = Course { games: BTreeMap::new(), voids: 0, end: MatchEnd::Complete };
        let mut open = Vec::new();
        for slot in self.slots() {
            let names = self.names(&slot);
            match known.iter().find(|game| game.seed == slot.seed && game.players == names) {
                Some(game) => drop(course.games.insert(slot, game.clone())),
                None => open.push(slot),
            }
        }
        if self.decision(&course) != Decision::PlayOn {
            course.end = MatchEnd::Decided;
            return course;
        }
        let mut voids_in_a_row = 0;
        let play = |at: u64| self.play(&open[at as usize], stop);
        share_out(self.jobs, open.len() as u64, stop, play, |at, result| {
            let slot = &open[at as usize];
            match result {
                Ok(game) => {
                    voids_in_a_row = 0;
                    let written = log.as_mut().map_or(Ok(()), |log| game.write_to(log));
                    course.games.insert(slot.clone(), game);
                    observer(Event::Game(&course.games[slot]), &course);
                    if let Err(error) = written {
                        log = None;
                        let error = format!("the log of games cannot be written: {error}");
                        course.end = MatchEnd::Failed { error };
                    } else if course.end == MatchEnd::Complete && self.decision(&course) != Decision::PlayOn {
                        course.end = MatchEnd::Decided;
                    }
                }
                Err(reason) => {
                    course.voids += 1;
                    voids_in_a_row += 1;
                    observer(Event::Void { players: &self.names(slot), reason: &reason }, &course);
                    if voids_in_a_row == ERRORS_IN_A_ROW {
                        course.end = MatchEnd::Failed { error: reason };
                    }
                }
            }
            if course.end == MatchEnd::Complete { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let is_short = (course.games.len() as u64 + course.voids) < self.slots().len() as u64;
        if course.end == MatchEnd::Complete && is_short {
            course.end = MatchEnd::Interrupted;
        }
        course
    }

    fn names(&self, slot: &Slot) -> Vec<String> {
        slot.seats.iter().map(|&bot| self.bots[bot].name.clone()).collect()
    }

    /// The pairs of two bots, from the view of the first one; a game whose partner is missing does not count.
    pub(crate) fn score(&self, course: &Course) -> Score {
        let mut score = Score::new(RankedBy::Wins);
        let mut open: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
        for (slot, game) in course.games.iter().filter(|_| self.bots.len() == 2) {
            // The lower the rank, the better.
            let points = [0, 1].map(|bot| {
                if slot.seats[0] == bot { -f64::from(game.ranks[0]) } else { -f64::from(game.ranks[1]) }
            });
            match open.remove(&slot.round) {
                Some(first) => score.push([first, points]),
                None => drop(open.insert(slot.round, points)),
            }
        }
        score
    }

    pub(crate) fn decision(&self, course: &Course) -> Decision {
        let Some(test) = self.test else { return Decision::PlayOn };
        let score = self.score(course);
        test.decide(score.log_likelihood_ratio(&test), score.pairs())
    }

    /// Plays a game; `None` if it was broken off.
    fn play(&self, slot: &Slot, stop: &AtomicBool) -> Option<Result<Record, String>> {
        let bots: Vec<&Bot> = slot.seats.iter().map(|&bot| &self.bots[bot]).collect();
        match self.referee.play(Game { bots: &bots, seed: slot.seed, folder: None }, stop) {
            Ok(played) => Some(Ok(Record::of(&played, &bots, slot.seed))),
            Err(NoResult::Stopped) => None,
            Err(error) => Some(Err(error.to_string())),
        }
    }
}

/// All sets of so many of the numbers below `of`, each in ascending order.
fn sets(of: usize, size: usize) -> Vec<Vec<usize>> {
    let mut sets = vec![Vec::new()];
    for _ in 0..size {
        sets = sets
            .into_iter()
            .flat_map(|set| {
                let first = set.last().map_or(0, |last| last + 1);
                (first..of).map(move |next| [set.as_slice(), &[next]].concat())
            })
            .collect();
    }
    sets
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_sets_of_a_size_are_there() {
        assert_eq!(super::sets(4, 2), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }
}
