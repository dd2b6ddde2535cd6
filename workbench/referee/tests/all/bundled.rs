//! Tests of bundled bots and of the ways to write a bot. A failure inside this process must not affect anything outside
//! its game.

use crate::common::COUNTING;
use contender_game::{
    contest::{Contest, Limits},
    rules::Player,
    settings::Options,
};
use contender_referee::*;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn play(referee: &Referee, players: [&str; 2]) -> Record {
    let players = players.map(|text| Entrant::parse(&COUNTING, text).unwrap());
    let fixture = Fixture::between([&players[0], &players[1]], 7, [1, 2]);
    referee.play(&COUNTING, &fixture, &AtomicBool::new(false)).unwrap()
}

#[test]
fn a_game_of_bundled_bots_is_recorded() {
    let game = play(&Referee::of(&COUNTING), ["counter", "counter:depth=2"]);
    assert_eq!(game.game, "counting");
    assert_eq!(game.seed, 7);
    assert_eq!(game.bots(), ["counter", "counter:depth=2"]);
    assert_eq!(game.moves.join(" "), "1 2 3 4 5 6 7 8 9 10 11 12");
    assert_eq!((game.points(), game.result()), (vec![1.0, 2.0], Some("0-1")));
    assert!(!game.interrupted);
    for seat in &game.seats {
        assert_eq!((&seat.ending, seat.answers, seat.cpu), (&Ending::Normal, 6, None));
    }
}

#[test]
fn every_failure_of_a_bundled_bot_has_its_name() {
    let ending = |bot| {
        let game = play(&Referee::of(&COUNTING), [bot, "counter"]);
        assert_eq!(game.moves.len(), 12, "the game goes on");
        assert_eq!(game.points(), [0.0, 2.0]);
        game.seats[0].ending.clone()
    };
    assert_eq!(ending("panics"), Ending::Panic { message: "at 5".to_string() });
    assert_eq!(ending("confused"), Ending::Confused { reason: "what is 4?".to_string() });
    assert_eq!(ending("silent"), Ending::NoAnswer);
    assert_eq!(ending("leaves"), Ending::Exit { code: 0 });
}

#[test]
fn bundled_bots_with_a_node_budget_have_no_clock() {
    let limits = Limits::per_turn(Duration::from_millis(1), Duration::from_millis(1));
    let untimed =
        Referee::new(Conditions { limits: Limits { nodes: Some(9), ..limits }, ..Conditions::of(&COUNTING) });
    let game = play(&untimed, ["slow", "sleep 9"]);
    assert_eq!(game.seats[0].ending, Ending::Normal);
    // On a busy machine, the machine may be the reason for the late answer.
    let is_late = |ending: &Ending| {
        matches!(ending, Ending::Timeout { limit_ms: 1, .. } | Ending::Overloaded { limit_ms: 1, .. })
    };
    assert!(is_late(&game.seats[1].ending), "{:?}", game.seats[1]);
    let game = play(&untimed.with(|c| c.clock_with_nodes = true), ["slow", "counter"]);
    assert!(is_late(&game.seats[0].ending), "{:?}", game.seats[0]);
}

#[test]
fn a_late_answer_of_a_bundled_bot_loses() {
    // Every answer takes 30 ms: the first one is in time, and the second one is late.
    let limits = Limits::per_turn(Duration::from_secs(20), Duration::from_millis(5));
    let game = play(&Referee::new(Conditions { limits, ..Conditions::of(&COUNTING) }), ["slow", "silent"]);
    // On a busy machine, the machine may be the reason for the late answer.
    let overrun = match game.seats[0].ending {
        Ending::Timeout { limit_ms: 5, overrun_ms: Some(overrun) }
        | Ending::Overloaded { limit_ms: 5, overrun_ms: Some(overrun), .. } => overrun,
        _ => panic!("{:?}", game.seats[0]),
    };
    assert!(overrun >= 25);
    assert_eq!((game.seats[0].answers, game.seats[0].times.len()), (1, 2));

    let margin = Duration::from_secs(20);
    let game =
        play(&Referee::new(Conditions { limits, margin, ..Conditions::of(&COUNTING) }), ["slow", "counter"]);
    assert_eq!(game.seats[0].ending, Ending::Normal);
}

#[test]
fn rules_that_the_judge_does_not_know_are_an_error() {
    let rules = Options::parse("last=4,colour=red").unwrap();
    let referee = Referee::new(Conditions { rules, ..Conditions::of(&COUNTING) });
    let counter = Entrant::parse(&COUNTING, "counter").unwrap();
    let fixture = Fixture::between([&counter, &counter], 7, [1, 2]);
    let error = referee.play(&COUNTING, &fixture, &AtomicBool::new(false)).unwrap_err();
    assert!(error.to_string().starts_with("unknown option `colour`; available: "), "{error}");
}

#[test]
fn a_stopped_referee_plays_nothing() {
    let counter = Entrant::parse(&COUNTING, "counter").unwrap();
    let fixture = Fixture::between([&counter, &counter], 7, [1, 2]);
    let game = Referee::of(&COUNTING).play(&COUNTING, &fixture, &AtomicBool::new(true)).unwrap();
    assert!(game.interrupted && game.moves.is_empty());
    assert_eq!(game.result(), Some("*"));
}

#[test]
fn entrants_are_read_as_users_write_them() {
    let parse = |text| Entrant::parse(&COUNTING, text);
    let command = |words: &[&str]| Program::Command(CommandLine::new(words.iter().copied()));
    let counter =
        |options| Program::Bundled { bot: "counter".to_string(), options: Options::parse(options).unwrap() };
    for (text, name, program) in [
        ("counter", "counter", counter("")),
        (" counter:depth=3 ", "counter:depth=3", counter("depth=3")),
        ("new=counter:depth=3", "new", counter("depth=3")),
        ("sh -c 'read x; echo 1'", "sh -c 'read x; echo 1'", command(&["sh", "-c", "read x; echo 1"])),
        ("bot-1.2=sh \"a b\" c=d", "bot-1.2", command(&["sh", "a b", "c=d"])),
        ("/bin/sh --x=3", "/bin/sh --x=3", command(&["/bin/sh", "--x=3"])),
        ("cat", "cat", command(&["cat"])),
    ] {
        assert_eq!(parse(text), Ok(Entrant { name: name.to_string(), program }), "{text}");
    }
    for (text, words) in [
        ("contre", "counting has no bot `contre`; available: counter, panics, "),
        ("contre:depth=3", "counting has no bot `contre`; "),
        ("counter:width=3", "bot `counter`: unknown option `width`"),
        ("counter:depth=x", "bot `counter`: option `depth=x`: "),
        ("counter:depth", "bot `counter`: option `depth` is not key=value"),
        ("me=contre", "counting has no bot `contre`; "),
        ("no-such-program with words", "no program `no-such-program` found in the PATH"),
        ("./no-such-program", "no such program: `./no-such-program`"),
        ("/etc/passwd", "`/etc/passwd` is not executable"),
        ("sh 'open", "command `sh 'open`: missing closing quote"),
        ("", "empty bot: expected the name of a bundled bot or a command"),
        ("me=", "empty bot: expected the name of a bundled bot or a command"),
    ] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.starts_with(words), "{text}: {error}");
    }
}

/// A person who gives these answers one after the other, and then leaves.
struct Script {
    answers: std::vec::IntoIter<&'static str>,
    seen: std::sync::mpsc::Sender<String>,
}

impl Person for Script {
    fn answer(&mut self, prompt: Prompt) -> Option<Vec<String>> {
        let Prompt { moves, rejected, choices, .. } = prompt;
        self.seen
            .send(format!("{} {} {}", moves.join(""), choices.join(","), rejected.unwrap_or_default()))
            .unwrap();
        self.answers.next().map(|answer| vec![answer.to_string()])
    }

    fn hear(&mut self, other: Player, answer: &[String]) {
        self.seen.send(format!("{}: {}", other.index(), answer.join("/"))).unwrap();
    }
}

#[test]
fn a_person_is_asked_again_and_leaves_when_it_likes() {
    let play = |bot: &str, answers: &[&'static str]| {
        let (seen, heard) = std::sync::mpsc::channel();
        let script = Script { answers: Vec::from(answers).into_iter(), seen };
        let bot = Entrant::parse(&COUNTING, bot).unwrap();
        let referee = Referee::of(&COUNTING);
        let (record, _) = referee.play_person(&COUNTING, Box::new(script), Player::One, &bot, 7).unwrap();
        (record, heard.into_iter().collect::<Vec<String>>())
    };
    let (record, seen) = play("counter", &["2", "9", "4", "6", "8", "10", "12"]);
    assert_eq!(
        (record.bots(), record.points(), record.interrupted),
        (vec!["counter", "you"], vec![1.0, 2.0], false)
    );
    assert_eq!(seen[..4], ["0: 1", "1 2 ", "0: 3", "123 4 "]);
    assert_eq!(seen[4], "123 4 9 does not follow 3");
    // A failure ends the game, and the player that failed has no points, whatever the board shows.
    let (record, _) = play("panics", &["2", "4", "6"]);
    assert_eq!((record.points(), record.moves.len()), (vec![0.0, 2.0], 4));
    assert!(matches!(record.seats[0].ending, Ending::Panic { .. }));
    let (record, _) = play("counter", &["2"]);
    assert!(record.interrupted && record.moves.len() == 3);
    let (record, _) = play("sh -c 'exit 3'", &["2"]);
    assert_eq!((record.points(), &record.seats[0].ending), (vec![0.0, 2.0], &Ending::Exit { code: 3 }));
}

/// A bot's command has paths relative to the bot's folder, whatever the current folder of this process is.
#[cfg(unix)]
#[test]
fn a_command_runs_in_its_folder() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("bot.sh");
    std::fs::write(&script, "#!/bin/sh\nwhile read n; do [ $n = Quit ] && exit; [ $n = Start ] && n=0; ls mark >&2; echo $((n + 1)); done\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::write(folder.path().join("mark"), "").unwrap();
    for command in ["./bot.sh", "sh bot.sh", "me=[keep-alive] ./bot.sh"] {
        assert!(Entrant::parse(&COUNTING, command).is_err() || command.starts_with("sh"));
        let bot = Entrant::parse_within(&COUNTING, command, folder.path()).unwrap();
        let counter = Entrant::parse(&COUNTING, "counter").unwrap();
        let fixture = Fixture::between([&bot, &counter], 7, [1, 2]);
        let game = Referee::of(&COUNTING).play(&COUNTING, &fixture, &AtomicBool::new(false)).unwrap();
        assert_eq!(game.seats[0].ending, Ending::Normal, "{command}");
        assert!(game.seats[0].stderr.starts_with("mark\n"), "{}", game.seats[0].stderr);
    }
}

/// Every setting that differs from its default survives the conversion to text and back.
#[test]
fn a_job_keeps_all_settings() {
    let conditions = Conditions {
        limits: Limits { nodes: Some(5), ..Limits::per_game(Duration::from_millis(1234)) },
        margin: Duration::from_millis(7),
        clock_with_nodes: true,
        rules: Options::rules(),
        openings: [6, 8].map(opening).to_vec(),
        stderr_tail: 11,
        grace: Duration::from_millis(13),
        play_on: false,
        rematches: 3,
        ponder: true,
        in_turn: true,
        bounds: Some(ResourceLimits::strict()),
    };
    let mut referee = Referee::new(conditions.clone());
    referee.isolate(Some(Isolation::new(&ResourceLimits::strict()).unwrap()));
    assert_eq!(referee.conditions, conditions);
    let contest: &dyn Contest = &COUNTING;
    let host = ContestHost { contest, referee };
    let players = ["counter", "counter:depth=2"].map(|text| Entrant::parse(&COUNTING, text).unwrap());
    let drawn: Vec<String> = (0..20)
        .map(|seed| {
            let fixture = Fixture::between([&players[0], &players[1]], seed, [1, 2]);
            let job = host.job(&fixture).unwrap();
            let sent: Job = serde_json::from_str(&serde_json::to_string(&job).unwrap()).unwrap();
            assert_eq!((&sent, &sent.fixture), (&job, &fixture));
            let HostSpec::Contest { game, conditions: of_game } = sent.host else { panic!("a contest") };
            assert_eq!((game.as_str(), &*of_game), (contest.name(), &conditions.for_seed(seed)));
            of_game.rules.to_string()
        })
        .collect();
    assert!(["last=6", "last=8"].iter().all(|rules| drawn.iter().any(|drawn| drawn == rules)), "{drawn:?}");
}

fn opening(last: u32) -> Options {
    let mut rules = Options::rules();
    rules.add("last", &last.to_string()).unwrap();
    rules
}

/// The game ends whatever its bots do, and no record is longer than the limit.
#[test]
fn a_game_without_end_is_broken_off_as_a_draw() {
    let rules = Options::parse("last=1000000").unwrap();
    let referee = Referee::of(&COUNTING).with(|c| c.rules = rules);
    let game = play(&referee, ["counter", "counter"]);
    let endless = Ending::Endless { turns: 1000 };
    assert_eq!((game.moves.len(), game.points(), game.result()), (1000, vec![0.0; 2], Some("1/2-1/2")));
    for seat in &game.seats {
        assert_eq!((&seat.ending, seat.answers, seat.times.len()), (&endless, 500, 500));
    }
    assert_eq!(Record::from_json(&game.to_json()).as_ref(), Ok(&game));
    assert_eq!(game.check(&COUNTING), Ok(()));

    // The judge continues to count for the bot that failed and has therefore lost.
    let game = play(&referee, ["counter", "panics"]);
    assert_eq!((game.moves.len(), game.points()), (1000, vec![1.0, 0.0]));
    assert_eq!((game.seats[0].ending.clone(), game.seats[1].ending.name()), (endless, "panic"));
}
