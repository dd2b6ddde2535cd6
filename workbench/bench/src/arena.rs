//! The cost of a match between trivial bots. Two games are played at a time, with new bot processes for every game,
//! with deadlines and captured standard error. For comparison, a lower bound is measured: starting the same programs
//! and passing the same lines without a referee.
//!
//! A game of 100 moves counts as 100 turns. The time per turn is the total time divided by the number of turns in both
//! slots together.

use crate::echo::{EchoContest, bare_pipes, bundled, cat, sed};
use crate::workload::{Tally, Workload};
use contender_arena::{Match, MatchEnd, Seating};
use contender_game::contest::Limits;
use contender_referee::{Conditions, ContestHost, Cores, Entrant, Isolation, Referee, ResourceLimits};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// Number of games that are played at a time.
const SLOTS: usize = 2;

/// Returns the arena's workloads. They are not part of the signature, because they start processes.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    let workload = |name, run| Workload { subject: "arena", name, unit: "games", run, signature_rounds: 0 };
    vec![
        workload("floor: bare processes, 100 lines", |rounds| floor(rounds, 100)),
        workload("games of 100 turns", |rounds| play(rounds, 100, &cat(), &pinned)),
        workload("games of 100 turns, isolated", |rounds| play(rounds, 100, &cat(), &isolated)),
        workload("games of 100 turns, bots not pinned", |rounds| play(rounds, 100, &cat(), &Clone::clone)),
        workload("floor: bare processes, 1000 lines", |rounds| floor(rounds, 1000)),
        workload("games of 1000 turns", |rounds| play(rounds, 1000, &cat(), &pinned)),
        workload("kept alive, 100 turns", |rounds| play(rounds, 100, &sed(), &pinned)),
        workload("bundled, 100 turns", |rounds| play(rounds * 100, 100, &bundled(), &pinned)),
    ]
}

/// Returns a referee that pins games to cores, as `contender match` does.
fn pinned(referee: &Referee) -> Referee {
    let mut referee = referee.clone();
    referee.resources.cores = Some(Cores::new());
    referee
}

fn isolated(referee: &Referee) -> Referee {
    let isolation = Isolation::new(&ResourceLimits::strict()).expect("the system can isolate bots");
    let mut referee = pinned(referee);
    referee.isolate(Some(isolation));
    referee
}

/// Plays a match of a bot against itself.
fn play(pairs: u64, last: u64, entrant: &Entrant, change: &dyn Fn(&Referee) -> Referee) -> Tally {
    let contest = EchoContest { last };
    let limits = Limits { turn: Some(Duration::from_secs(1)), ..Limits::per_game(Duration::from_secs(30)) };
    let referee = change(&Referee::new(Conditions { limits, ..Conditions::of(&contest) }));
    let planned = Match {
        host: &ContestHost { contest: &contest, referee: referee.clone() },
        bots: [entrant, entrant],
        seating: Seating::Exchange,
        pairs: u32::try_from(pairs).expect("the number of games is valid"),
        jobs: SLOTS,
        seed: 1,
        test: None,
    };
    let report = planned.run(&AtomicBool::new(false), None, &mut |_, _| {});
    assert_eq!(report.end, MatchEnd::Complete);
    Tally { units: 2 * pairs, checksum: report.games }
}

fn floor(pairs: u64, last: u64) -> Tally {
    let left = AtomicU64::new(2 * pairs);
    let right = AtomicU64::new(0);
    let is_left =
        || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
    thread::scope(|scope| {
        for _ in 0..SLOTS {
            scope.spawn(|| {
                while is_left() {
                    right.fetch_add(bare_pipes(1, last), Ordering::Relaxed);
                }
            });
        }
    });
    Tally { units: 2 * pairs, checksum: right.into_inner() }
}
