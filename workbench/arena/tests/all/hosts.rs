//! Tests of matches and rotations whose games other hosts play: other machines, and a host for any number of seats.

use crate::matches::{exchange, timeless};
use crate::prizes::{Prizes, entrants, referee};
use contender_arena::{AddError, Event, Match, MatchEnd, Rotation, Seating, Verdict};
use contender_game::contest::JudgeSite::CodeCup;
use contender_game::contest::Limits;
use contender_play::{
    Entrant, Fixture, GameError, Host, HostSpec, Job, Machine, PlayedUnder, RankedBy, RemoteHost, Seat, Task,
    Workers,
};
use contender_referee::{ContestHost, Record, Referee, read_log};
use contender_stats::{Decision, SequentialTest};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Workers that get each job as text and return its game as text, starting with the last job.
#[derive(Debug)]
struct Letters(Prizes);

impl Workers for Letters {
    fn store(&self, _: Vec<Vec<u8>>) -> Vec<String> {
        unreachable!("nothing is trained")
    }

    fn share_out(
        &self,
        count: u64,
        is_stopped: &dyn Fn() -> bool,
        task: &dyn Fn(u64) -> Option<Task>,
        collect: &mut dyn FnMut(u64, Result<String, String>) -> ControlFlow<()>,
    ) {
        for index in (0..count).rev() {
            let Some(Task::Game(job)) = task(index) else { continue };
            let job: Job = serde_json::from_str(&serde_json::to_string(&job).unwrap()).unwrap();
            let HostSpec::Contest { conditions, .. } = job.host else { panic!("a match is ours") };
            let host = ContestHost { contest: &self.0, referee: Referee::new(*conditions) };
            let answer = host.answer(&job.fixture, &Machine::default, &AtomicBool::new(is_stopped()));
            if collect(index, Ok(answer.unwrap())).is_break() {
                return;
            }
        }
    }
}

#[test]
fn games_of_other_machines_are_the_same() {
    let contest = Prizes::new(CodeCup);
    let bots = entrants(&contest, ["fixed:bid=4,nonsense=20", "random"]);
    let test = SequentialTest::new(0.0, 3.0, 0.05, 0.05).unwrap();
    let reports = [None, Some(Arc::new(Letters(Prizes::new(CodeCup))) as Arc<dyn Workers>)].map(|workers| {
        let referee = referee(&contest, "fixed=3").with(|c| c.limits = Limits::nodes(7));
        let here = ContestHost { contest: &contest, referee };
        let there = workers.map(|workers| RemoteHost::new(&here as &dyn Host, workers).unwrap());
        let host = there.as_ref().map_or(&here as &dyn Host, |there| there);
        [None, Some(test)].map(|test| {
            let plan = Match { test, ..exchange(host, [&bots[0], &bots[1]], 40, 1) };
            timeless(plan.run(&AtomicBool::new(false), None, &mut |_, _| {}))
        })
    });
    assert_eq!(reports[0], reports[1]);
}

/// A host whose games end in any order. A bot's name is its strength, and the ranks follow from the strengths and the
/// seed.
struct Dice {
    players: usize,
    /// Number of games per block. Within a block, games end from the last to the first.
    block: u64,
    identity: &'static str,
}

impl Host for Dice {
    fn game(&self) -> &str {
        "dice"
    }

    fn seats(&self) -> std::ops::RangeInclusive<usize> {
        2..=4
    }

    fn ranked_by(&self) -> RankedBy {
        RankedBy::Wins
    }

    fn has_points(&self) -> bool {
        false
    }

    fn conditions(&self, _: &[&Entrant]) -> PlayedUnder {
        PlayedUnder { play_on: true, ..PlayedUnder::default() }
    }

    fn identity(&self) -> String {
        self.identity.to_string()
    }

    fn play(&self, fixture: &Fixture, _: &AtomicBool) -> Result<Record, GameError> {
        assert_eq!(fixture.seats.len(), self.players);
        let thrown = |(seat, bot): (u64, &Entrant)| {
            let strength = bot.name.split('#').next().unwrap().parse::<f64>().unwrap();
            strength + (contender_game::rules::mix(&[fixture.seed, seat]) % 1000) as f64 / 100.0
        };
        let values: Vec<f64> = (0..).zip(&fixture.seats).map(thrown).collect();
        let better = |own: f64| values.iter().filter(|&&other| other > own).count() as u32;
        let seats = fixture.seats.iter().zip(&values);
        let seats =
            seats.map(|(bot, &own)| Seat { bot: bot.name.clone(), rank: better(own), ..Seat::default() });
        let repeat = Some("again".to_string());
        Ok(Record { seed: fixture.seed, seats: seats.collect(), repeat, ..Record::default() })
    }

    fn play_all(
        &self,
        _: usize,
        games: u64,
        fixture: &(dyn Fn(u64) -> Option<Fixture> + Sync),
        stop: &AtomicBool,
        collect: &mut dyn FnMut(u64, Result<Record, GameError>) -> ControlFlow<()>,
    ) {
        for start in (0..games).step_by(self.block as usize) {
            for index in (start..games.min(start + self.block)).rev() {
                let Some(fixture) = fixture(index) else { continue };
                if collect(index, self.play(&fixture, stop)).is_break() {
                    return;
                }
            }
        }
    }
}

fn strengths<const N: usize>(names: [&str; N]) -> [Entrant; N] {
    names.map(|name| Entrant { name: name.to_string(), ..Entrant::parse_command("true").unwrap() })
}

/// The games of another program can end in any order. The same pair decides, and the report is the same.
#[test]
fn the_order_in_which_games_end_does_not_matter() {
    let [a, b] = strengths(["2", "0"]);
    let pool = strengths(["1", "0.5"]);
    let test = SequentialTest::new(0.0, 50.0, 0.05, 0.05).ok();
    let of_ranks = SequentialTest::new(0.0, 0.1, 0.05, 0.05).ok();
    for (players, seating, test) in
        [(2, Seating::Exchange, test), (3, Seating::Substitution { players: 3, pool: &pool }, of_ranks)]
    {
        let reports = [1, 2, 7, 50].map(|block| {
            let host = Dice { players, block, identity: "" };
            let plan = Match { test, seating, ..exchange(&host, [&a, &b], 500, 1) };
            let report = plan.run(&AtomicBool::new(false), None, &mut |_, _| {});
            assert_eq!(report.end, MatchEnd::Decided);
            assert_eq!(report.test.unwrap().decision, Decision::AcceptH1);
            timeless(report)
        });
        assert!(reports.iter().all(|report| *report == reports[0]));
    }
}

/// In a substitution the two games of a pair differ only in the bot that is being compared.
#[test]
fn a_substitution_changes_one_bot() {
    let [a, b] = strengths(["5", "1"]);
    let pool = strengths(["1", "2", "3"]);
    let host = Dice { players: 3, block: 1, identity: "" };
    let seating = Seating::Substitution { players: 3, pool: &pool };
    let plan = Match { seating, ..exchange(&host, [&a, &b], 90, 1) };
    let mut games = Vec::new();
    let report = plan.run(&AtomicBool::new(false), None, &mut |event, _| {
        if let Event::Game { record, .. } = event {
            games.push(record.clone());
        }
    });
    let mut sum = 0.0;
    for (pair, games) in games.chunks(2).enumerate() {
        let [with_a, with_b] = games else { panic!("a pair has two games") };
        assert_eq!(with_a.seed, with_b.seed);
        for seat in 0..3 {
            let bots = [with_a, with_b].map(|game| game.seats[seat].bot.as_str());
            assert_eq!(bots == ["5", "1"], seat == pair % 3, "{bots:?}");
            assert!(bots[0] == bots[1] || seat == pair % 3);
        }
        let rank = |game: &Record| game.normalised_rank(&game.seats[pair % 3]);
        sum += rank(with_a) - rank(with_b);
    }
    assert!((report.difference.mean.unwrap() - sum / 90.0).abs() < 1e-9);
    assert_eq!((report.verdict, report.ranked_by), (Verdict::ABetter, RankedBy::Rank));
    assert_eq!(report.bots[0].points_by_seat.len(), 3);
    insta::assert_snapshot!(report.text());
}

/// Another referee, league or time limit makes a different match for any host.
#[test]
fn a_log_of_another_host_is_refused() {
    let [a, b] = strengths(["2", "0"]);
    let pool = strengths(["1"]);
    let host = Dice { players: 2, block: 1, identity: "league 2" };
    let plan = exchange(&host, [&a, &b], 4, 1);
    let mut log = Vec::new();
    plan.run(&AtomicBool::new(false), Some(&mut log), &mut |_, _| {});
    let game = Record::from_json(std::str::from_utf8(&log).unwrap().lines().next().unwrap()).unwrap();
    plan.begin().add(game.clone()).unwrap();
    let other = Dice { players: 2, block: 1, identity: "league 3" };
    let seating = Seating::Substitution { players: 2, pool: &pool };
    for another in [Match { host: &other, ..plan }, Match { seating, ..plan }] {
        assert_eq!(another.begin().add(game.clone()), Err(AddError::AnotherMatch));
    }
}

/// A long match requests every fixture once, and a resumed match requests only the missing games.
#[test]
fn the_work_of_a_match_is_linear() {
    let [a, b] = strengths(["1", "0"]);
    let host = Dice { players: 2, block: 1, identity: "" };
    let asked = std::sync::atomic::AtomicU64::new(0);
    struct Counting<'a>(&'a Dice, &'a std::sync::atomic::AtomicU64);
    impl Host for Counting<'_> {
        fn game(&self) -> &str {
            self.0.game()
        }
        fn seats(&self) -> std::ops::RangeInclusive<usize> {
            self.0.seats()
        }
        fn ranked_by(&self) -> RankedBy {
            self.0.ranked_by()
        }
        fn has_points(&self) -> bool {
            false
        }
        fn conditions(&self, bots: &[&Entrant]) -> PlayedUnder {
            self.0.conditions(bots)
        }
        fn identity(&self) -> String {
            self.0.identity()
        }
        fn play(&self, fixture: &Fixture, stop: &AtomicBool) -> Result<Record, GameError> {
            self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            self.0.play(fixture, stop)
        }
    }
    let counting = Counting(&host, &asked);
    let pairs = 20_000;
    let plan = exchange(&counting, [&a, &b], pairs, 1);
    let number = plan_of(&plan);
    asked.store(0, std::sync::atomic::Ordering::Relaxed);
    let mut begun = plan.begin();
    for index in 0..u64::from(pairs) {
        let game = host.play(
            &Fixture { seats: vec![a.clone(), b.clone()], seed: index, bot_seeds: vec![] },
            &AtomicBool::new(false),
        );
        let in_match = Some(contender_play::InMatch { plan: number.clone(), game: index + 1 });
        begun.add(Record { in_match, ..game.unwrap() }).unwrap();
    }
    let report = begun.run(&AtomicBool::new(false), None, &mut |_, progress| {
        assert!(progress.games_done <= progress.games);
    });
    assert_eq!(asked.load(std::sync::atomic::Ordering::Relaxed), u64::from(pairs));
    assert_eq!(report.games, 2 * u64::from(pairs));
}

/// Returns the fingerprint that the games of the match share.
fn plan_of(plan: &Match<'_>) -> String {
    let mut log = Vec::new();
    Match { pairs: 1, ..*plan }.run(&AtomicBool::new(false), Some(&mut log), &mut |_, _| {});
    let game = read_log(&log[..]).next().unwrap().unwrap();
    game.in_match.unwrap().plan
}

/// Four bots in games of three: every set plays every rotation, and the rotation is resumed from a log in any order.
#[test]
fn a_rotation_ranks_bots_of_games_with_many_seats() {
    let bots = strengths(["6", "4", "2", "0"]);
    let reports = [1, 5].map(|block| {
        let host = Dice { players: 3, block, identity: "" };
        let plan = Rotation { host: &host, bots: &bots, players: 3, rounds: 5, jobs: 1, seed: 3 };
        let mut log = Vec::new();
        let report = plan.begin().run(&AtomicBool::new(false), Some(&mut log), &mut |_, _| {});
        assert_eq!((report.games, &report.end), (5 * 4 * 3, &MatchEnd::Complete));
        let mut resumed = plan.begin();
        for game in read_log(&log[..]).take(31) {
            resumed.add(game.unwrap()).unwrap();
        }
        let mut asked = 0;
        let again = resumed.run(&AtomicBool::new(false), None, &mut |_, _| asked += 1);
        assert_eq!(asked, 60 - 31);
        assert_eq!(again, report);
        let other = Rotation { seed: 4, ..plan };
        let game = read_log(&log[..]).next().unwrap().unwrap();
        assert_eq!(other.begin().add(game), Err(AddError::AnotherMatch));
        report
    });
    assert_eq!(reports[0], reports[1]);
    let names: Vec<&str> = reports[0].bots.iter().map(|bot| bot.name.as_str()).collect();
    assert_eq!(names, ["6", "4", "2", "0"]);
    insta::assert_snapshot!(reports[0].text());
}
