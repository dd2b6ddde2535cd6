//! Tournaments between many bots, and their standings.

use crate::matches::{Event, KnownGames, MatchState, Progress, write_to};
use crate::plan::{Match, Seating, Slot};
use crate::report::{CONFIDENCE, MatchEnd, MatchReport, Results};
use crate::score::pair_difference;
use crate::swiss::swiss_round;
use contender_play::{Entrant, Fixture, Host, InMatch, RankedBy, Record};
use contender_referee::{Steadiness, Watch};
use contender_stats::Interval;
use contender_stats::ratings::{PairDifference, PlackettLuce, RankedGame, Regression, Strengths};
use serde::Serialize;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// The pairings in a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Format {
    /// Every bot plays every other bot.
    RoundRobin,
    /// Each of the first bots (the challengers) plays each of the other bots.
    Gauntlet {
        /// Number of challengers, at least 1.
        challengers: usize,
    },
    /// In every round, bots with similar scores that have not met before play each other. If the number of bots is odd,
    /// one bot has a bye.
    Swiss {
        /// Number of rounds, at least 1.
        rounds: u32,
    },
}

/// A tournament between two or more bots. Each meeting is a [`Match`] with the tournament's seed, so that it can be
/// replayed separately.
#[derive(Clone, Copy)]
pub struct Tournament<'a> {
    /// The host that plays the games, with its conditions.
    pub host: &'a dyn Host,
    /// The bots.
    pub bots: &'a [Entrant],
    /// The pairings.
    pub format: Format,
    /// Number of pairs of games in each meeting.
    pub pairs: u32,
    /// Number of games at a time; 0 counts as 1.
    pub jobs: usize,
    /// The random seed.
    pub seed: u64,
}

/// The report of a tournament. Later versions may add fields to its JSON, but the meaning of a field does not change.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentReport {
    /// The contest's name.
    pub game: String,
    /// The random seed.
    #[serde(with = "contender_play::seed")]
    #[cfg_attr(feature = "schema", schemars(with = "contender_play::seed::Form"))]
    pub seed: u64,
    /// The pairings.
    pub format: Format,
    /// Number of pairs of games in each meeting.
    pub pairs: u32,
    /// The criterion that ranks the bots.
    pub ranked_by: RankedBy,
    /// The way in which the tournament ended.
    pub end: MatchEnd,
    /// The bots, best first.
    pub standings: Vec<Standing>,
    /// The meetings, in the order of the schedule.
    pub meetings: Vec<Meeting>,
    /// The timing noise of the machine, or `None` if load on the machine could not affect any bot.
    pub steadiness: Option<Steadiness>,
}

/// A bot's place in the standings.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Standing {
    /// The bot's index in the list of bots.
    pub bot: usize,
    /// The bot's name.
    pub name: String,
    /// Number of complete pairs.
    pub pairs: u64,
    /// The bot's results in the games of complete pairs.
    pub results: Results,
    /// Contest points per game.
    pub points: Option<f64>,
    /// The bot's strength relative to the mean of all bots, in contest points per game from a regression on the pair
    /// differences. If wins count, the strength is in Elo, from the Bradley-Terry model.
    pub strength: f64,
    /// The interval of the strength, or `None` if it cannot be computed, for example because there are too few pairs or
    /// all pairs are identical.
    pub interval: Option<Interval>,
    /// Probability that the bot is truly stronger than the next bot in the standings.
    pub ahead_of_next: Option<f64>,
    /// Number of games in which the bot failed.
    pub failures: u64,
}

/// A meeting of two bots.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Meeting {
    /// The indices of the two bots, which are A and B in the report.
    pub bots: [usize; 2],
    /// The round in a Swiss tournament, starting at 0; always 0 in other formats.
    pub round: u32,
    /// The report of the match.
    pub report: MatchReport,
    /// The points of both bots (in the order of [`bots`](Meeting::bots)) in the two games of every complete pair.
    #[serde(skip)]
    points: Vec<[[f64; 2]; 2]>,
}

/// Returns the meeting and the game of an index in the order of a round: both games of a pair in the first meeting,
/// then in the second meeting, and so on.
fn place(index: u64, meetings: usize) -> (usize, Slot) {
    let meetings = meetings as u64;
    let (pair, rest) = (index / (2 * meetings), index % (2 * meetings));
    ((rest / 2) as usize, Slot::of(2 * pair + rest % 2))
}

impl<'a> Tournament<'a> {
    /// Plays the tournament and returns its report. The report includes all finished games, even if the tournament ends
    /// early.
    ///
    /// `known` contains games from earlier runs; those that belong to this tournament are not played again. For `stop`
    /// and `log`, see [`Match::run`]. If several consecutive games of a meeting cannot be played, this meeting is
    /// abandoned and the others continue. `observer` receives every event with the bots of its meeting and the progress
    /// of the whole tournament.
    ///
    /// # Panics
    /// Panics if there are fewer than two bots, or if a gauntlet has no challengers or no opponents.
    pub fn run(
        &self,
        mut known: KnownGames,
        stop: &AtomicBool,
        mut log: Option<&mut dyn Write>,
        observer: &mut dyn FnMut(Event<'_>, [usize; 2], &Progress),
    ) -> TournamentReport {
        let rounds = match self.format {
            Format::Swiss { rounds } => rounds,
            _ => 1,
        };
        let bots = self.bots.len();
        assert!(bots >= 2, "a tournament needs at least two bots");
        let mut meetings: Vec<Meeting> = Vec::new();
        let mut whole = Progress { games: self.games(), ..Progress::default() };
        let mut end = MatchEnd::Complete;
        let mut watch = Watch::host(self.host);
        let mut observer = |event: Event<'_>, bots: [usize; 2], progress: &Progress| {
            if let Event::Game { record, .. } = event {
                watch.add(record);
            }
            observer(event, bots, progress);
        };
        for round in 0..rounds {
            let schedule = match self.format {
                Format::RoundRobin => (0..bots).flat_map(|a| (a + 1..bots).map(move |b| [a, b])).collect(),
                Format::Gauntlet { challengers } => {
                    assert!((1..bots).contains(&challengers), "a gauntlet needs challengers and opponents");
                    (0..challengers).flat_map(|a| (challengers..bots).map(move |b| [a, b])).collect()
                }
                Format::Swiss { .. } => swiss_round(&self.scores(&meetings), &met(bots, &meetings)),
            };
            let (played, ended) =
                self.round(&schedule, &mut known, stop, &mut log, &mut whole, &mut observer);
            end = ended;
            meetings.extend(schedule.into_iter().zip(played).map(|(bots, course)| {
                let points = course.points();
                Meeting { bots, round, report: course.report(), points }
            }));
            if end != MatchEnd::Complete {
                break;
            }
        }
        TournamentReport { steadiness: watch.end(), ..self.report(meetings, end) }
    }

    /// Returns the total number of games.
    fn games(&self) -> u64 {
        let bots = self.bots.len() as u64;
        let meetings = match self.format {
            Format::RoundRobin => bots * (bots - 1) / 2,
            Format::Gauntlet { challengers } => challengers as u64 * (bots - challengers as u64),
            Format::Swiss { rounds } => bots / 2 * u64::from(rounds),
        };
        meetings * 2 * u64::from(self.pairs)
    }

    /// Plays the meetings of a round. All meetings play their first pair, then their second pair, and so on, so that
    /// the results are balanced even if the tournament ends early.
    fn round(
        &self,
        schedule: &[[usize; 2]],
        known: &mut KnownGames,
        stop: &AtomicBool,
        log: &mut Option<&mut dyn Write>,
        whole: &mut Progress,
        observer: &mut dyn FnMut(Event<'_>, [usize; 2], &Progress),
    ) -> (Vec<MatchState<'a>>, MatchEnd) {
        let matches: Vec<Match<'a>> = schedule.iter().map(|&bots| self.meeting(bots)).collect();
        let begun: Vec<_> = matches.iter().map(|plan| known.begin(plan)).collect();
        let numbers: Vec<String> = begun.iter().map(|meeting| meeting.fingerprint.clone()).collect();
        let done: Vec<_> = begun.iter().map(|meeting| meeting.done.clone()).collect();
        whole.games_done += done.iter().map(|done| done.len() as u64).sum::<u64>();
        let mut courses: Vec<MatchState<'a>> = begun.into_iter().map(|meeting| meeting.course).collect();
        let given_up: Vec<AtomicBool> = matches.iter().map(|_| AtomicBool::new(false)).collect();
        let fixture = |index: u64| -> Option<Fixture> {
            let (meeting, slot) = place(index, matches.len());
            let is_wanted =
                !done[meeting].contains(&slot.index()) && !given_up[meeting].load(Ordering::Relaxed);
            is_wanted.then(|| matches[meeting].fixture(slot))
        };
        let games = matches.iter().map(Match::games).sum();
        let mut end = MatchEnd::Complete;
        let mut played: u64 = done.iter().map(|done| done.len() as u64).sum();
        self.host.play_all(self.jobs, games, &fixture, stop, &mut |index, result| {
            let (meeting, slot) = place(index, matches.len());
            let result = result.map(|record| {
                let in_match = Some(InMatch { plan: numbers[meeting].clone(), game: slot.index() + 1 });
                Record { in_match, ..record }
            });
            let logged = write_to(log, &result);
            played += 1;
            courses[meeting].take(slot, result, &mut |event, _| {
                whole.count(&event);
                observer(event, schedule[meeting], whole);
            });
            if courses[meeting].failure.is_some() {
                given_up[meeting].store(true, Ordering::Relaxed);
            }
            match logged {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    end = MatchEnd::Failed { error };
                    ControlFlow::Break(())
                }
            }
        });
        let failed = courses.iter().find_map(|course| course.failure.clone());
        if end == MatchEnd::Complete {
            if played < games && stop.load(Ordering::Relaxed) {
                end = MatchEnd::Interrupted;
            } else if let Some(error) = failed {
                end = MatchEnd::Failed { error };
            }
        }
        (courses, end)
    }

    fn meeting(&self, [a, b]: [usize; 2]) -> Match<'a> {
        Match {
            host: self.host,
            bots: [&self.bots[a], &self.bots[b]],
            seating: Seating::Exchange,
            pairs: self.pairs,
            jobs: self.jobs,
            seed: self.seed,
            test: None,
        }
    }

    /// Returns the scores in a Swiss tournament: one point for winning a pair, and half a point for a drawn pair.
    fn scores(&self, meetings: &[Meeting]) -> Vec<f64> {
        let mut scores = vec![0.0; self.bots.len()];
        for Meeting { bots: [a, b], report, .. } in meetings {
            let [ll, ld, even, wd, ww] = report.pentanomial.counts;
            scores[*a] += (wd + ww) as f64 + even as f64 / 2.0;
            scores[*b] += (ll + ld) as f64 + even as f64 / 2.0;
        }
        scores
    }

    fn report(&self, meetings: Vec<Meeting>, end: MatchEnd) -> TournamentReport {
        let ranked_by = self.host.ranked_by();
        let (strengths, has_evidence) = strengths(ranked_by, self.bots.len(), &meetings);
        let order = strengths.ranking();
        let standing = |(rank, &bot): (usize, &usize)| {
            let strength = strengths.values()[bot];
            let interval = strengths.interval(bot, CONFIDENCE).filter(|_| has_evidence);
            let next = order.get(rank + 1).filter(|_| has_evidence);
            let ahead_of_next = next.and_then(|&next| strengths.ahead(bot, next));
            Standing {
                strength,
                interval,
                ahead_of_next,
                ..Standing::of(bot, &self.bots[bot].name, &meetings)
            }
        };
        let standings = order.iter().enumerate().map(standing).collect();
        let game = self.host.game().to_string();
        let Tournament { seed, format, pairs, .. } = *self;
        TournamentReport { game, seed, format, pairs, ranked_by, end, standings, meetings, steadiness: None }
    }
}

impl Meeting {
    /// Returns the first bot's lead in every complete pair, in points per game.
    pub(crate) fn differences(&self) -> impl Iterator<Item = f64> {
        self.points.iter().map(|&points| pair_difference(RankedBy::Points, points))
    }

    /// Returns all games in complete pairs. In the first game of a pair, the first bot has seat 0.
    fn games(&self) -> impl Iterator<Item = RankedGame> {
        let [a, b] = self.bots;
        self.points.iter().flat_map(move |&[[a0, b1], [a1, b0]]| {
            [([a, b], [a0, b1]), ([b, a], [b0, a1])].map(|(players, [zero, one])| RankedGame {
                players: players.to_vec(),
                ranks: vec![u32::from(zero < one), u32::from(one < zero)],
            })
        })
    }
}

/// Returns the strengths of the bots, and whether their uncertainty can be estimated. It cannot be estimated if all
/// pairs between any two bots are identical, or if the strengths explain the points without any error.
fn strengths(ranked_by: RankedBy, bots: usize, meetings: &[Meeting]) -> (Strengths, bool) {
    /// Smallest meaningful standard deviation. Points are whole numbers, so a smaller value is only a rounding error.
    const NONE: f64 = 1e-6;
    let is_varied = meetings.iter().any(|meeting| meeting.report.distinct_pairs > 1);
    match ranked_by {
        RankedBy::Wins => {
            let games: Vec<RankedGame> = meetings.iter().flat_map(Meeting::games).collect();
            (PlackettLuce::fit(bots, &games).strengths, is_varied)
        }
        RankedBy::Points | RankedBy::Rank => {
            let differences: Vec<PairDifference> = meetings
                .iter()
                .flat_map(|meeting| {
                    let [a, b] = meeting.bots;
                    meeting.differences().map(move |points| PairDifference { a, b, points })
                })
                .collect();
            let Regression { strengths, error_deviation } = Regression::fit(bots, &differences);
            (strengths, is_varied && error_deviation.is_some_and(|deviation| deviation > NONE))
        }
    }
}

impl Standing {
    /// Collects a bot's results from its meetings, without the strength.
    fn of(bot: usize, name: &str, meetings: &[Meeting]) -> Standing {
        let mut standing = Standing {
            bot,
            name: name.to_string(),
            pairs: 0,
            results: Results::default(),
            points: None,
            strength: 0.0,
            interval: None,
            ahead_of_next: None,
            failures: 0,
        };
        let mut points = 0.0;
        for meeting in meetings {
            let Some(side) = meeting.bots.iter().position(|&other| other == bot) else { continue };
            let report = &meeting.report;
            let Results { wins, draws, losses } = report.results;
            standing.pairs += report.pairs;
            standing.results.wins += if side == 0 { wins } else { losses };
            standing.results.draws += draws;
            standing.results.losses += if side == 0 { losses } else { wins };
            standing.failures += report.bots[side].failures.values().sum::<u64>();
            points += report.bots[side].points.unwrap_or(0.0) * report.pairs as f64;
        }
        standing.points = (standing.pairs > 0).then(|| points / standing.pairs as f64);
        standing
    }
}

/// Returns a matrix, stored row by row, of which bots have played each other.
fn met(bots: usize, meetings: &[Meeting]) -> Vec<bool> {
    let mut met = vec![false; bots * bots];
    for &Meeting { bots: [a, b], .. } in meetings {
        met[a * bots + b] = true;
        met[b * bots + a] = true;
    }
    met
}
