//! Tests of every way in which a program can misbehave. Each ends the game with a named ending, in bounded time, and
//! harms no other program.

use crate::common::{AGES, COUNTING, Counting, ON_LINUX};
use contender_game::{
    contest::{JudgeSite, Limits},
    settings::Options,
};
use contender_referee::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

fn zoo(mode: &str) -> Entrant {
    let command = format!("zoo={} {mode}", env!("CARGO_BIN_EXE_contender-zoo"));
    Entrant::parse(&COUNTING, &command).unwrap()
}

/// Creates a referee with very long limits for answers and for the exit of a bot.
fn referee() -> Referee {
    Referee::new(Conditions {
        limits: Limits::per_turn(AGES, AGES),
        grace: AGES,
        ..Conditions::of(&COUNTING)
    })
}

/// Creates a referee with short limits. Only bundled bots, which have no clock here, are sure to be in time on a busy
/// machine.
fn impatient(limits: Limits) -> Referee {
    Referee::new(Conditions { limits: Limits { nodes: Some(1), ..limits }, ..Conditions::of(&COUNTING) })
}

fn play(referee: &Referee, contest: &Counting, players: [&Entrant; 2]) -> Record {
    let fixture = Fixture::between(players, 1, [1, 2]);
    referee.play(contest, &fixture, &AtomicBool::new(false)).unwrap()
}

fn bundled() -> Entrant {
    Entrant::parse(&COUNTING, "counter").unwrap()
}

/// Plays the mode in seat 0 against a good bot, which must not be harmed: the contest's rules let it play on.
fn seat_of(mode: &str) -> Seat {
    let mut game = play(&referee(), &COUNTING, [&zoo(mode), &zoo("good")]);
    assert_eq!(game.seats[1].cpu.is_some(), ON_LINUX);
    check(mode, &mut game)
}

/// Plays a mode that never answers, like [`seat_of`].
fn seat_of_late(mode: &str) -> Seat {
    let limits = Limits::per_turn(Duration::from_millis(1500), Duration::from_millis(1200));
    let mut game = play(&impatient(limits), &COUNTING, [&zoo(mode), &bundled()]);
    check(mode, &mut game)
}

fn check(mode: &str, game: &mut Record) -> Seat {
    assert_eq!(game.seats[1].ending, Ending::Normal, "{mode}: {game:?}");
    assert_eq!(game.moves.len(), 12, "{mode}: the game goes on");
    let failed = game.seats[0].ending.is_failure();
    assert_eq!(game.points(), if failed { [0.0, 2.0] } else { [1.0, 2.0] }, "{mode}: {game:?}");
    assert_eq!(game.seats[1].answers, 6);
    std::mem::take(&mut game.seats[0])
}

fn ending(mode: &str) -> Ending {
    seat_of(mode).ending
}

#[test]
fn good_bots_play_to_the_end() {
    for mode in ["good", "slow-line 3", "stderr 2", "fails-at-quit", "last-words"] {
        let seat = seat_of(mode);
        assert_eq!(seat.ending, Ending::Normal, "{mode}");
        assert_eq!((seat.answers, seat.times.len()), (6, 6), "{mode}");
        assert_eq!(seat.wall, seat.times.iter().sum(), "{mode}");
        assert_eq!(Some(&seat.slowest), seat.times.iter().max(), "{mode}");
        assert!(!seat.left_running, "{mode}");
    }
    assert!(seat_of("slow-line 3").slowest >= Duration::from_millis(30));
    let words = "question with the answer 5\n";
    let loud = seat_of("stderr 2");
    assert_eq!(loud.stderr, words);
    // The answer 5 is the third one.
    assert_eq!([0, 1, 2, 3, 5, 6].map(|at| loud.stderr_for(at)), ["", "", words, "", "", ""]);
    let last = seat_of("last-words");
    assert_eq!((&last.stderr[..], last.stderr_for(5), last.stderr_for(6)), ("good bye\n", "", "good bye\n"));
    assert!(seat_of("good").stderr_at.is_empty());
}

#[test]
fn crashes_and_exits_are_told_apart() {
    assert_eq!(ending("crash-at-start"), Ending::Crash { signal: 6 });
    assert_eq!(ending("crash 3"), Ending::Crash { signal: 6 });
    assert_eq!(ending("crash-unnamed 2"), Ending::Crash { signal: 40 });
    assert_eq!(ending("exit-at-start"), Ending::Exit { code: 7 });
    let seat = seat_of("exit 3");
    assert_eq!((seat.ending, &seat.stderr[..]), (Ending::Exit { code: 9 }, "no 7 left\n"));
    // A bot that exits after its last answer, even by a crash, has done its part. The exit is recorded.
    for (mode, exit) in [
        ("leaves 5", ExitStatus::Code(0)),
        ("good", ExitStatus::Code(0)),
        ("fails-at-quit", ExitStatus::Code(5)),
        ("crash-after 5", ExitStatus::Signal(6)),
        ("crashes-at-quit", ExitStatus::Signal(6)),
    ] {
        let seat = seat_of(mode);
        assert_eq!((seat.ending, seat.exit), (Ending::Normal, Some(exit)), "{mode}");
    }
    assert_eq!(seat_of("crash-after 2").ending, Ending::Crash { signal: 6 });
}

#[test]
fn late_by_a_millisecond_is_late() {
    let limits = Limits::per_turn(Duration::from_millis(1500), Duration::from_millis(300));
    let bots = [zoo("late-ms 2 301"), bundled()];
    let game = play(&impatient(limits), &COUNTING, [&bots[0], &bots[1]]);
    // The system decides when it wakes the referee, and so whether the answer is still read.
    assert!(game.seats[0].is_late(), "{}", game.seats[0].ending);
    assert_eq!(game.seats[1].ending, Ending::Normal);
    let game = play(&impatient(limits).with(|c| c.margin = AGES), &COUNTING, [&bots[0], &bots[1]]);
    assert_eq!(game.seats[0].ending, Ending::Normal);
}

#[test]
fn what_bots_tell_of_themselves_is_collected() {
    let rules = Options::parse("last=8,padding=3").unwrap();
    let bots = [zoo("metadata-always"), zoo("good")];
    let game = play(&referee().with(|c| c.rules = rules), &COUNTING, [&bots[0], &bots[1]]);
    assert_eq!(game.rules, "last=8,padding=3");
    // The first lines are no longer in the kept end of standard error, but they were read.
    assert!(!game.seats[0].stderr.contains("said = 1\n"));
    let told: Vec<String> = game
        .attributes
        .iter()
        .map(|a| {
            format!("{}{}={}", a.name, a.turn.map_or(String::new(), |turn| format!("[{turn}]")), a.value)
        })
        .collect();
    assert_eq!(told.join(" "), "said[1]=1 said[3]=3 said[5]=5 said[7]=7 last=7 sum=16");
    assert_eq!(game.attributes.last().unwrap().player, Some(0));
}

#[test]
fn no_answer_in_time_loses() {
    for mode in ["hang 2", "hang-ignoring-sigterm 2", "half-line 2", "deaf"] {
        let seat = seat_of_late(mode);
        assert!(seat.is_late(), "{mode}: {}", seat.ending);
        assert!(seat.slowest >= Duration::from_millis(1200), "{mode}");
    }
}

#[test]
fn the_game_limit_counts_all_answers() {
    let referee = impatient(Limits::per_game(Duration::from_millis(1000)));
    let game = play(&referee, &COUNTING, [&zoo("late-always"), &bundled()]);
    assert!(game.seats[0].is_late(), "{:?}", game.seats[0]);
    assert!(game.seats[0].answers <= 2, "400 ms each");
    assert_eq!(game.points(), [0.0, 2.0]);
}

#[test]
fn bad_answers_are_named() {
    let Ending::Illegal { reason, answer } = ending("illegal 2") else { panic!() };
    assert_eq!((&reason[..], &answer[..]), ("not a number", "Zz\\u{1b}[31m"));
    assert!(matches!(ending("empty"), Ending::Illegal { answer, .. } if answer.is_empty()));
    assert_eq!(ending("invalid-utf8 1"), Ending::InvalidUtf8 { answer: "\\xff\\xfe".to_string() });
}

/// Output after an illegal answer is kept. If the process also exits, the output does not count as an answer.
#[test]
fn a_trace_on_standard_output_is_an_exit() {
    let seat = seat_of("traces 2");
    assert_eq!((&seat.ending, seat.exit), (&Ending::Exit { code: 4 }, Some(ExitStatus::Code(4))));
    assert_eq!(seat.notes, ["standard output: \"Trace:\\nat 7\""]);
    let seat = seat_of("illegal-and-more 2");
    assert!(matches!(seat.ending, Ending::Illegal { .. }), "{}", seat.ending);
    assert_eq!(seat.notes, ["standard output: \"Zz\\u{1b}[31m\\n5\""]);
    let seat = seat_of_late("half-line 2");
    // On a very busy machine the bot may not get this far.
    let notes = ["received an answer without a newline: \"1\""];
    assert!(seat.answers < 2 || seat.notes == notes, "{seat:?}");
}

#[test]
fn a_line_too_many_is_the_next_answer() {
    for mode in ["twice 1", "early"] {
        let Ending::Illegal { reason, answer } = ending(mode) else { panic!() };
        assert!(reason.contains("before the question was sent"), "{mode}: {reason}");
        assert!(["2", "3"].contains(&&answer[..]), "{mode}: {answer}");
    }
}

#[test]
fn floods_are_bounded() {
    assert!(matches!(ending("endless-line 1"), Ending::Flood { bytes } if bytes < 1 << 18));
    // A judge reads line by line, so the system decides whether the first line is found illegal before the flood is
    // seen.
    assert!(matches!(ending("flood 1"), Ending::Flood { .. } | Ending::Illegal { .. }));
    let seat = seat_of("flood-stderr-always");
    assert_eq!(seat.ending, Ending::Normal);
    assert_eq!(seat.stderr.len(), 10_000);
}

#[test]
fn closed_pipes_are_noticed_before_the_time_is_over() {
    assert_eq!(ending("closes-stdout 1"), Ending::ClosedStdout);
    assert_eq!(ending("closes-stdin 1"), Ending::ClosedStdin);
}

/// The shell's child holds the pipe open for a moment, so the question may be sent before the last reader is gone.
#[test]
#[cfg(all(target_os = "linux", not(feature = "portable")))]
fn a_question_that_nobody_is_left_to_read_is_noticed() {
    for left in ["0", "0.3"] {
        let script = format!("exec 3<&0; sleep {left} & exec 3<&- <&-; exec sleep 1000");
        let program = Program::Command(CommandLine::new(["sh", "-c", &script]));
        let deaf = Entrant { name: "deaf".to_string(), program };
        let game = play(&referee(), &COUNTING, [&deaf, &bundled()]);
        assert_eq!(game.seats[0].ending, Ending::ClosedStdin);
    }
}

/// A bot that has read the question may close its input and answer later.
#[test]
fn an_input_that_was_read_may_be_closed() {
    let script = "read -r question; exec <&-; sleep 0.4; echo 1; exec sleep 1000";
    let program = Program::Command(CommandLine::new(["sh", "-c", script]));
    let hasty = Entrant { name: "hasty".to_string(), program };
    let game = play(&referee(), &COUNTING, [&hasty, &bundled()]);
    assert_eq!((game.seats[0].answers, &game.seats[0].ending), (1, &Ending::ClosedStdin));
}

#[test]
fn who_ignores_the_farewell_is_ended_and_keeps_the_result() {
    let referee = referee().with(|c| c.grace = Duration::from_millis(100));
    let game = play(&referee, &COUNTING, [&zoo("ignores-quit"), &zoo("good")]);
    let seat = &game.seats[0];
    assert_eq!((&seat.ending, seat.left_running, seat.exit), (&Ending::Normal, true, None));
}

#[test]
fn a_bot_that_does_not_read_blocks_nobody() {
    let rules = Options::parse("padding=200000").unwrap();
    let patient = referee().with(|c| c.rules = rules.clone());
    let game = play(&patient, &COUNTING, [&zoo("good"), &zoo("good")]);
    assert_eq!(game.seats[0].ending, Ending::Normal, "questions larger than a pipe arrive whole");
    let limits = Limits::per_turn(Duration::from_millis(300), Duration::from_millis(300));
    let game = play(&impatient(limits).with(|c| c.rules = rules), &COUNTING, [&bundled(), &zoo("deaf")]);
    assert_eq!(game.seats[0].ending, Ending::Normal);
    assert!(game.seats[1].is_late());
}

#[test]
fn a_program_that_does_not_exist_cannot_start() {
    for path in ["/nowhere/bot", "/"] {
        let entrant = Entrant { name: "x".to_string(), program: Program::Command(CommandLine::new([path])) };
        let game = play(&referee(), &COUNTING, [&zoo("good"), &entrant]);
        assert!(matches!(game.seats[1].ending, Ending::CannotStart { .. }), "{path}");
        assert_eq!(game.points(), [1.0, 0.0]);
    }
}

#[test]
fn on_codingame_a_failure_ends_the_game() {
    let contest = Counting { site: JudgeSite::CodinGame, ..COUNTING };
    let game = play(&referee(), &contest, [&zoo("crash 2"), &zoo("ignores-quit")]);
    assert_eq!(game.moves, ["1", "2", "3", "4"]);
    assert_eq!(game.seats[0].ending, Ending::Crash { signal: 6 });
    assert_eq!(game.seats[1].ending, Ending::Normal);
    assert!(!game.seats[1].left_running, "nobody told it to leave");
}

#[test]
fn a_referee_may_stop_at_the_first_failure() {
    let referee = referee().with(|c| c.play_on = false);
    let game = play(&referee, &COUNTING, [&zoo("crash 2"), &zoo("good")]);
    assert_eq!(game.moves.len(), 4);
    assert_eq!(game.points()[0], 0.0);
}

#[test]
fn a_game_is_stopped_from_another_thread() {
    let referee = referee().with(|c| c.limits = Limits::NONE);
    let players = [zoo("hang 1"), zoo("good")];
    let stop = AtomicBool::new(false);
    let game = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        let fixture = Fixture::between([&players[0], &players[1]], 1, [1, 2]);
        referee.play(&COUNTING, &fixture, &stop).unwrap()
    });
    assert!(game.interrupted);
    assert!(game.seats.iter().all(|seat| seat.ending == Ending::Interrupted));
}
