//! Tests of bots that play several games in one process.

use crate::common::{AGES, COUNTING, Counting, ON_LINUX};
use contender_game::contest::{JudgeSite, Limits};
use contender_referee::*;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn zoo(text: &str) -> Entrant {
    Entrant::parse(&COUNTING, &text.replace("zoo", env!("CARGO_BIN_EXE_contender-zoo"))).unwrap()
}

fn play(referee: &Referee, contest: &Counting, bot: &Entrant) -> Record {
    let good = Entrant::parse(contest, "counter").unwrap();
    let fixture = Fixture::between([bot, &good], 1, [1, 2]);
    referee.play(contest, &fixture, &AtomicBool::new(false)).unwrap()
}

#[test]
fn the_form_in_front_of_a_command() {
    for text in ["[keep-alive] zoo keeps", "me=[keep-alive]zoo keeps"] {
        let words = vec![env!("CARGO_BIN_EXE_contender-zoo").to_string(), "keeps".to_string()];
        assert_eq!(zoo(text).program, Program::KeepAlive(CommandLine::new(words)));
    }
    let error = Entrant::parse(&COUNTING, "[keep-alive] no-such-program x").unwrap_err().to_string();
    assert_eq!(error, "no program `no-such-program` found in the PATH");
}

#[test]
fn games_go_on_in_one_process_with_a_record_each() {
    for site in [JudgeSite::CodeCup, JudgeSite::CodinGame] {
        let contest = Counting { site, ..COUNTING };
        let referee = Referee::of(&contest);
        let bot = zoo("[keep-alive] zoo keeps-metadata 3");
        let games: Vec<Record> = (0..5).map(|_| play(&referee, &contest, &bot)).collect();
        let process = |game: &Record| game.seats[0].stderr.lines().next().unwrap().to_string();
        for game in &games {
            let seat = &game.seats[0];
            assert_eq!(
                (&seat.ending, seat.answers, seat.exit, seat.left_running),
                (&Ending::Normal, 6, None, false)
            );
            assert_eq!(seat.cpu.is_some_and(|cpu| cpu < Duration::from_secs(5)), ON_LINUX);
            // On other systems the bot's last output may still be with the thread that reads it.
            if ON_LINUX {
                assert_eq!(process(game), process(&games[0]), "one process");
                assert_eq!(game.attributes, games[0].attributes, "sums begin anew");
            }
        }
        assert_eq!(referee.resources.idle.count(), 1);
        referee.resources.idle.clear();
        assert_eq!(referee.resources.idle.count(), 0);
        if ON_LINUX {
            assert!(!std::path::Path::new(&format!("/proc/{}", process(&games[0]))).exists());
        }
    }
}

#[test]
fn a_failure_ends_the_process_and_the_next_game_has_another() {
    for (mode, kind) in [("crash", "crash"), ("hang", "timeout"), ("illegal", "illegal")] {
        // The bundled opponent has a node budget and therefore no clock, so it is not late on a busy machine.
        let turn = if mode == "hang" { Duration::from_millis(300) } else { AGES };
        let limits = Limits::per_turn(AGES, turn);
        let referee = Referee::new(Conditions {
            limits: Limits { nodes: Some(1), ..limits },
            ..Conditions::of(&COUNTING)
        });
        let bot = zoo(&format!("[keep-alive] zoo keeps-{mode} 2"));
        let games = [(); 2].map(|()| play(&referee, &COUNTING, &bot));
        for game in &games {
            let name = game.seats[0].ending.name();
            // On a busy machine it is unknown whether the bot would have answered.
            assert!(name == kind || kind == "timeout" && name == "overloaded", "{mode}: {name}");
            assert_eq!(game.seats[1].ending, Ending::Normal);
        }
        assert_ne!(games[0].seats[0].stderr, games[1].seats[0].stderr, "{mode}: two processes");
        assert_eq!(referee.resources.idle.count(), 0);
    }
}

#[test]
fn a_line_after_the_last_answer_is_forgotten() {
    let referee = Referee::of(&COUNTING);
    let bot = zoo("[keep-alive] zoo keeps-mutters 5");
    let games = [(); 3].map(|()| play(&referee, &COUNTING, &bot));
    for game in &games {
        assert_eq!(game.seats[0].ending, Ending::Normal);
    }
    if ON_LINUX {
        assert_eq!(games[0].seats[0].stderr, games[1].seats[0].stderr, "one process");
    }
}

/// Output that does not fit into the smallest pipe may still be on its way when the next game starts.
#[test]
fn a_bot_that_writes_on_after_its_game_gets_no_other_one() {
    let referee = Referee::of(&COUNTING);
    let bot = zoo("[keep-alive] zoo keeps-chatters 5");
    let games = [(); 2].map(|()| play(&referee, &COUNTING, &bot));
    for game in &games {
        assert_eq!(game.seats[0].ending, Ending::Normal);
    }
    assert_ne!(games[0].seats[0].stderr, games[1].seats[0].stderr, "two processes");
}

#[test]
fn budgets_are_filled_in_and_seeds_have_no_place() {
    let referee = Referee::new(Conditions {
        limits: Limits { nodes: Some(3), ..Referee::of(&COUNTING).conditions.limits },
        ..Conditions::of(&COUNTING)
    });
    let bot = zoo("[keep-alive] zoo keeps-metadata {nodes}");
    assert_eq!(
        bot.program.command(&referee.conditions.limits, 7).unwrap().words[1..],
        ["keeps-metadata", "3"]
    );
    let game = play(&referee, &COUNTING, &bot);
    let is_told = game.attributes.iter().any(|told| told.name == "last" && told.value == "7");
    // As above: on other systems the last output may not have been read yet.
    assert!(is_told || !ON_LINUX, "{:?}", game.attributes);
    let timed = zoo("zoo keeps {time}s {time:ms}");
    assert!(timed.program.is_told_the_time() && !bot.program.is_told_the_time());
    let five = Limits::per_turn(Duration::from_secs(1), Duration::from_millis(5));
    assert_eq!(timed.program.command(&five, 7).unwrap().words[2..], ["0.005s", "5"]);
    let game = Limits { game: Some(Duration::from_millis(1500)), ..five };
    assert_eq!(timed.program.command(&game, 7).unwrap().words[2..], ["1.5s", "1500"]);
    assert!(timed.program.command(&Limits::nodes(3), 7).is_err());
    // A bot that cannot know about a shorter time limit is reported.
    let mut short = Referee::new(Conditions {
        limits: Limits::per_game(Duration::from_secs(3)),
        ..Conditions::of(&COUNTING)
    });
    let warned = |referee: &mut Referee| {
        let (jobs, bots) = (ParallelGames { jobs: Some(1) }, [bot.clone(), timed.clone()]);
        let warnings = jobs.place(referee, &COUNTING, &bots, Processes::default()).unwrap();
        warnings
            .into_iter()
            .filter(|warning| warning.contains("does not know that it has less time"))
            .collect::<Vec<_>>()
    };
    assert_eq!(warned(&mut Referee::of(&COUNTING)), [""; 0]);
    let named = warned(&mut short);
    assert!(named.len() == 1 && named[0].contains(&bot.name), "{named:?}");
    for text in ["[keep-alive] zoo keeps {seed}", "[keep-alive] zoo keeps {nodes}"] {
        let game = play(&Referee::of(&COUNTING), &COUNTING, &zoo(text));
        assert!(matches!(game.seats[0].ending, Ending::CannotStart { .. }), "{text}");
    }
}
