use super::*;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

fn bot(arguments: &str) -> Entrant {
    let entrant = Entrant::parse_command(&format!("python3 {HERE}/tests/card_bot.py {arguments}")).unwrap();
    Entrant { name: format!("bot {arguments}"), ..entrant }
}

fn referee(arguments: &str) -> ExternalReferee {
    ExternalReferee::new(format!("python3 {HERE}/tests/stand_in.py {arguments}").trim()).unwrap()
}

fn play(referee: &ExternalReferee, bots: &[Entrant], seed: u64) -> Result<Record, GameError> {
    let fixture = Fixture { seats: bots.to_vec(), seed, bot_seeds: Vec::new() };
    referee.play(&fixture, &AtomicBool::new(false))
}

fn ranks(record: &Record) -> Vec<u32> {
    record.seats.iter().map(|seat| seat.rank).collect()
}

fn reported(failure: ReportedFailure, words: &str) -> Ending {
    Ending::Reported { failure, words: words.to_string() }
}

fn reason(arguments: &str) -> String {
    match play(&referee(arguments), &[bot("100"), bot("50")], 7) {
        Err(GameError::Void { reason, repeat, .. }) => {
            let repeat = repeat.unwrap();
            assert!(repeat.contains("stand_in.py") && repeat.contains("card_bot.py 100"), "{repeat}");
            reason.strip_prefix("the referee ").unwrap().to_string()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_game_is_played_and_the_same_seed_gives_the_same() {
    let referee = referee("");
    let first = play(&referee, &[bot("100"), bot("50")], 7).unwrap();
    assert_eq!(ranks(&first), [0, 1]);
    assert!(first.seats.iter().all(|seat| seat.ending == Ending::Normal));
    assert_eq!(referee.contract(), Some(Contract::CodinGame));
    assert!(!referee.is_seed_ignored());
    assert!(first.seats[0].stderr.starts_with("turn 0\nturn 1\n"), "{first:?}");
    let again = play(&referee, &[bot("50"), bot("100")], 7).unwrap();
    let scores = |played: &Record| played.points();
    assert_eq!(scores(&first), scores(&again).into_iter().rev().collect::<Vec<_>>());
    assert_ne!(scores(&first), scores(&play(&referee, &[bot("100"), bot("50")], 8).unwrap()));
    assert!(first.engine_log.is_none());
}

#[test]
fn three_and_four_play() {
    let referee = referee("");
    let four = [bot("50"), bot("100"), bot("0"), bot("50")];
    assert_eq!(ranks(&play(&referee, &four[..3], 3).unwrap()), [1, 0, 2]);
    assert_eq!(ranks(&play(&referee, &four, 3).unwrap()), [1, 0, 3, 1]);
}

#[test]
fn failures_have_the_referees_words_and_logs_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let referee = ExternalReferee { logs: Some(folder.path().to_path_buf()), ..referee("") };
    let failed = |fault: &str| {
        let played = play(&referee, &[bot("100"), bot(&format!("50 {fault}"))], 7).unwrap();
        assert_eq!((ranks(&played), &played.seats[0].ending), (vec![0, 1], &Ending::Normal));
        let log = std::fs::read_to_string(played.engine_log.as_ref().unwrap()).unwrap();
        assert!(GameLog::read(&log).unwrap().score(1) == Some(-1.0));
        (played.seats[1].ending.clone(), played.seats[1].stderr.clone())
    };
    let (end, stderr) = failed("crash");
    // The bot's process ended, although the engine calls this a time-out.
    assert_eq!(end, reported(ReportedFailure::Exit, "has not provided 1 lines in time"));
    assert!(stderr.contains("ValueError: a bug"), "{stderr}");
    assert_eq!(failed("garbage").0, reported(ReportedFailure::Illegal, "Invalid answer: what?"));
}

#[test]
fn what_referees_do_wrong_is_named() {
    assert_eq!(
        reason("--fault null"),
        "failed: it prints `null` instead of a score: java.lang.IllegalStateException: no map"
    );
    assert_eq!(reason("--fault trace"), "exits with status 1: Caused by: java.io.IOException: Cannot run");
    assert_eq!(
        reason("--fault java"),
        "exits with status 1: needs Java 21, and the `java` that runs it is Java 17: install a JDK of \
         version 21 or newer"
    );
    assert_eq!(reason("--fault few"), "prints 1 scores for 2 players");
    assert!(reason("--fault usage").contains("usage"));
    assert!(reason("--fault flood").starts_with("prints more than"));
    assert!(reason("--nonsense").contains("Unrecognized option: --nonsense"));
    let missing = ExternalReferee::new("./no-such-referee").unwrap();
    let result = play(&missing, &[bot("1"), bot("2")], 1);
    assert!(
        matches!(&result, Err(GameError::Void { reason, .. }) if reason.starts_with("the referee cannot start")),
        "{result:?}"
    );
}

/// Checks a Python stack trace, which first contains lines of the source with arbitrary words.
#[test]
fn the_last_line_of_a_trace_of_pythons_says_most() {
    let stderr = "Traceback (most recent call last):\n  File \"play.py\", line 6, in <module>\n    \
                  raise RuntimeError(\"no map\")\nRuntimeError: no map\n";
    assert_eq!(reason_of(stderr).as_deref(), Some("RuntimeError: no map"));
}

/// If a referee fails occasionally, the game is repeated once, and this is reported. With a limit of 0, there is no
/// retry.
#[test]
fn a_game_that_the_referee_failed_at_is_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let failing = |name: &str| referee(&format!("--fault once={}", folder.path().join(name).display()));
    let played = play(&failing("a"), &[bot("100"), bot("50")], 7).unwrap();
    assert_eq!((ranks(&played), played.again.len()), (vec![0, 1], 1));
    assert!(played.again[0].contains("Error reading Referee VIEW command"), "{:?}", played.again);
    let proud = ExternalReferee { retries: 0, ..failing("b") };
    assert!(matches!(
        play(&proud, &[bot("100"), bot("50")], 7),
        Err(GameError::Void { is_final: false, .. })
    ));
}

/// A late answer on a busy machine gets its own ending, but the end of a process remains an exit.
#[test]
fn a_busy_machine_is_not_at_fault_for_a_crash() {
    let output = Output::read("3\n-1\n", 2).unwrap();
    let summaries = r#"{"outputs":{"0":["1"],"1":[null]},"summaries":["$1 timeout"]}"#;
    let log = GameLog::read(summaries).unwrap();
    let of = |stderr: &str, busy: Option<f64>| {
        let ending = |seat| ending(&output, Some(&log), stderr, busy, seat);
        [0, 1].map(|seat| ending(seat).name())
    };
    assert_eq!(of("", None), ["normal", "timeout"]);
    assert_eq!(of("", Some(0.2)), ["normal", "timeout"]);
    assert_eq!(of("", Some(0.3)), ["normal", "overloaded"]);
    let trace = "Traceback (most recent call last):\nValueError: a bug\n";
    assert_eq!(of(trace, Some(0.9)), ["normal", "exit"]);
    assert_eq!(of("Error: Could not find or load main class Player\n", Some(0.9)), ["normal", "exit"]);
}

/// A referee may give a player that crashed a positive score, and report the crash only in its log.
#[test]
fn a_crash_with_a_positive_score_is_a_failure() {
    let output = Output::read("3\n1\n", 2).unwrap();
    let text = r#"{"outputs":{"0":["a","a"],"1":[null,null]},"summaries":["$1 has not provided 1 lines in time",""]}"#;
    let log = GameLog::read(text).unwrap();
    assert_eq!(ending(&output, Some(&log), "", None, 0), Ending::Normal);
    assert_eq!(ending(&output, Some(&log), "", None, 1).name(), "timeout");
}

#[test]
fn banners_decimals_and_objects_are_results() {
    assert_eq!(play(&referee("--fault banner"), &[bot("100"), bot("50")], 7).unwrap().seats[1].rank, 1);
    let decimals = play(&referee("--fault decimals"), &[bot("100"), bot("50")], 7).unwrap();
    assert_eq!(decimals.points(), [0.25, -0.5]);
    assert_eq!(decimals.seats[1].ending, reported(ReportedFailure::Other, ""));
    assert_eq!(play(&referee("--fault json"), &[bot("100"), bot("50")], 7).unwrap().seats[0].rank, 1);
}

#[test]
fn the_contract_is_found_out() {
    let old = referee("--fault brutaltester");
    let played = play(&old, &[bot("100"), bot("50")], 7).unwrap();
    assert_eq!((old.contract(), played.seed), (Some(Contract::Brutaltester), 7));
    assert!(!old.is_seed_ignored());
    let ignoring = referee("--fault ignored-seed");
    play(&ignoring, &[bot("100"), bot("50")], 7).unwrap();
    assert!(ignoring.is_seed_ignored());
    let template = referee("-p1 {P1} -p2 {P2} -seed {SEED}");
    assert_eq!(template.contract(), Some(Contract::Template));
    assert_eq!(play(&template, &[bot("50"), bot("100")], 7).unwrap().seats[0].rank, 1);
}

#[test]
fn who_hangs_is_ended_with_all_its_children() {
    let mut hanging = referee("--fault hang");
    hanging.limit = Duration::from_millis(300);
    let result = play(&hanging, &[bot("100"), bot("50")], 7);
    assert!(
        matches!(&result, Err(GameError::Void { reason, .. }) if reason == "the referee has no result after 300ms"),
        "{result:?}"
    );
    play(&referee("--fault child"), &[bot("100"), bot("50")], 7).unwrap();
    let stopped = [bot("100"), bot("50")];
    let fixture = Fixture { seats: stopped.to_vec(), seed: 1, bot_seeds: Vec::new() };
    let result = referee("--fault hang").play(&fixture, &AtomicBool::new(true));
    assert_eq!(result, Err(GameError::Stopped));
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let command = std::fs::read_to_string(process.path().join("cmdline")).unwrap_or_default();
        let parent = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        let is_ours = parent.split_whitespace().nth(3) == Some(&std::process::id().to_string());
        assert!(!(is_ours && command.contains("77777")), "{command} is left");
    }
}

#[test]
fn commands_with_quotes_reach_the_bot_whole() {
    let command = format!("quoted=sh -c 'exec python3 {HERE}/tests/card_bot.py \"$0\"' 100");
    let quoted = Entrant::parse_command(&command).unwrap();
    assert_eq!(play(&referee(""), &[bot("50"), quoted], 7).unwrap().seats[0].rank, 1);
}

#[test]
fn one_process_plays_many_games() {
    let words = ["python3", &format!("{HERE}/tests/stand_in.py"), "-serve"].map(str::to_string);
    let server = ExternalReferee::server(words.to_vec()).unwrap();
    let single = referee("");
    for seed in 1..4 {
        let bots = [bot("100"), bot("60")];
        let [one, other] = [&server, &single].map(|referee| play(referee, &bots, seed).unwrap());
        assert_eq!((&one.digest, one.points()), (&other.digest, other.points()));
        assert!(!one.repeat.unwrap().contains("-serve"));
    }
    // If a process dies in its third game, another one takes over.
    let words =
        ["python3", &format!("{HERE}/tests/stand_in.py"), "--fault", "dies", "-serve"].map(str::to_string);
    let dying = ExternalReferee { retries: 0, ..ExternalReferee::server(words.to_vec()).unwrap() };
    let results: Vec<bool> = (1..5).map(|seed| play(&dying, &[bot("1"), bot("2")], seed).is_ok()).collect();
    assert_eq!(results, [true, true, false, true]);
}
