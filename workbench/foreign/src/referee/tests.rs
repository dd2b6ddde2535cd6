use super::*;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

fn bot(arguments: &str) -> Bot {
    Bot { name: format!("bot {arguments}"), command: format!("python3 {HERE}/tests/card_bot.py {arguments}") }
}

fn referee(arguments: &str) -> ForeignReferee {
    ForeignReferee::new(format!("python3 {HERE}/tests/stand_in.py {arguments}").trim()).unwrap()
}

fn play(referee: &ForeignReferee, bots: &[Bot], seed: u64) -> Result<Played, NoResult> {
    let bots: Vec<&Bot> = bots.iter().collect();
    referee.play(Game { bots: &bots, seed, folder: None }, &AtomicBool::new(false))
}

fn reason(arguments: &str) -> String {
    match play(&referee(arguments), &[bot("100"), bot("50")], 7) {
        Err(NoResult::Void { reason, repeat, .. }) => {
            assert!(repeat.contains("stand_in.py") && repeat.contains("card_bot.py 100"), "{repeat}");
            reason
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_game_is_played_and_the_same_seed_gives_the_same() {
    let referee = referee("");
    let first = play(&referee, &[bot("100"), bot("50")], 7).unwrap();
    assert_eq!(
        (first.output.ranks.as_slice(), first.ends.as_slice()),
        ([0, 1].as_slice(), [End::Normal, End::Normal].as_slice())
    );
    assert_eq!(referee.contract(), Some(Contract::CodinGame));
    assert!(!referee.is_seed_ignored());
    assert!(first.stderr[0].starts_with("turn 0\nturn 1\n"), "{:?}", first.stderr);
    let again = play(&referee, &[bot("50"), bot("100")], 7).unwrap();
    let scores = |played: &Played| played.output.scores.clone().unwrap();
    assert_eq!(scores(&first), scores(&again).into_iter().rev().collect::<Vec<_>>());
    assert_ne!(scores(&first), scores(&play(&referee, &[bot("100"), bot("50")], 8).unwrap()));
    assert!(first.log.is_none());
}

#[test]
fn three_and_four_play() {
    let referee = referee("");
    let four = [bot("50"), bot("100"), bot("0"), bot("50")];
    assert_eq!(play(&referee, &four[..3], 3).unwrap().output.ranks, [1, 0, 2]);
    assert_eq!(play(&referee, &four, 3).unwrap().output.ranks, [1, 0, 3, 1]);
}

#[test]
fn failures_have_the_referees_words_and_logs_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let referee = ForeignReferee { logs: Some(folder.path().to_path_buf()), ..referee("") };
    let failed = |fault: &str| {
        let played = play(&referee, &[bot("100"), bot(&format!("50 {fault}"))], 7).unwrap();
        assert_eq!((played.output.ranks, &played.ends[0]), (vec![0, 1], &End::Normal));
        let log = std::fs::read_to_string(played.log.unwrap()).unwrap();
        assert!(GameLog::read(&log).unwrap().score(1) == Some(-1.0));
        (played.ends[1].clone(), played.stderr[1].clone())
    };
    let (end, stderr) = failed("crash");
    let words = "has not provided 1 lines in time".to_string();
    assert_eq!(end, End::Failed { failure: Failure::Timeout, words });
    assert!(stderr.contains("ValueError: a bug"), "{stderr}");
    let words = "Invalid answer: what?".to_string();
    assert_eq!(failed("garbage").0, End::Failed { failure: Failure::Illegal, words });
}

#[test]
fn what_referees_do_wrong_is_named() {
    assert_eq!(
        reason("--fault null"),
        "has failed itself: it prints `null` in place of a score: java.lang.IllegalStateException: no map"
    );
    assert_eq!(reason("--fault trace"), "leaves with status 1: Caused by: java.io.IOException: Cannot run");
    assert_eq!(
        reason("--fault java"),
        "leaves with status 1: needs Java 21, and the `java` that runs it is Java 17: install a JDK of version 21 or newer"
    );
    assert_eq!(reason("--fault few"), "prints 1 scores for 2 players");
    assert!(reason("--fault usage").contains("usage"));
    assert!(reason("--fault flood").starts_with("prints more than"));
    assert!(reason("--nonsense").contains("Unrecognized option: --nonsense"));
    let missing = ForeignReferee::new("./no-such-referee").unwrap();
    let result = play(&missing, &[bot("1"), bot("2")], 1);
    assert!(
        matches!(&result, Err(NoResult::Void { reason, .. }) if reason.starts_with("cannot start")),
        "{result:?}"
    );
}

/// Python shows lines of the source first, which may have any words.
#[test]
fn the_last_line_of_a_trace_of_pythons_says_most() {
    let stderr = "Traceback (most recent call last):\n  File \"play.py\", line 6, in <module>\n    \
                  raise RuntimeError(\"no map\")\nRuntimeError: no map\n";
    assert_eq!(reason_of(stderr).as_deref(), Some("RuntimeError: no map"));
}

/// A referee that fails now and then is asked once more, and that is told; a limit of none is one.
#[test]
fn a_game_that_the_referee_failed_at_is_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let failing = |name: &str| referee(&format!("--fault once={}", folder.path().join(name).display()));
    let played = play(&failing("a"), &[bot("100"), bot("50")], 7).unwrap();
    assert_eq!((played.output.ranks, played.again.len()), (vec![0, 1], 1));
    assert!(played.again[0].contains("Error reading Referee VIEW command"), "{:?}", played.again);
    let proud = ForeignReferee { retries: 0, ..failing("b") };
    assert!(matches!(play(&proud, &[bot("100"), bot("50")], 7), Err(NoResult::Void { is_final: false, .. })));
}

/// What a busy machine may be at fault for has a name of its own.
#[test]
fn a_late_answer_on_a_busy_machine_is_told_apart() {
    let mut played = play(&referee(""), &[bot("100"), bot("50 crash")], 7).unwrap();
    let mut ending = |busy: Option<f64>| {
        played.busy = busy;
        [0, 1].map(|seat| played.ending(seat))
    };
    assert_eq!(ending(None), ["normal", "timeout"]);
    assert_eq!(ending(Some(0.2)), ["normal", "timeout"]);
    assert_eq!(ending(Some(0.3)), ["normal", "overloaded"]);
}

#[test]
fn banners_decimals_and_objects_are_results() {
    assert_eq!(play(&referee("--fault banner"), &[bot("100"), bot("50")], 7).unwrap().output.ranks, [0, 1]);
    let decimals = play(&referee("--fault decimals"), &[bot("100"), bot("50")], 7).unwrap();
    assert_eq!(decimals.output.scores, Some(vec![0.25, -0.5]));
    let end = End::Failed { failure: Failure::Other, words: String::new() };
    assert_eq!(decimals.ends, [End::Normal, end]);
    assert_eq!(play(&referee("--fault json"), &[bot("100"), bot("50")], 7).unwrap().output.ranks, [1, 0]);
}

#[test]
fn the_contract_is_found_out() {
    let old = referee("--fault brutaltester");
    let played = play(&old, &[bot("100"), bot("50")], 7).unwrap();
    assert_eq!((old.contract(), played.output.seed.as_deref()), (Some(Contract::Brutaltester), Some("7")));
    assert!(!old.is_seed_ignored());
    let ignoring = referee("--fault ignored-seed");
    play(&ignoring, &[bot("100"), bot("50")], 7).unwrap();
    assert!(ignoring.is_seed_ignored());
    let template = referee("-p1 {P1} -p2 {P2} -seed {SEED}");
    assert_eq!(template.contract(), Some(Contract::Template));
    assert_eq!(play(&template, &[bot("50"), bot("100")], 7).unwrap().output.ranks, [1, 0]);
}

#[test]
fn who_hangs_is_ended_with_all_its_children() {
    let mut hanging = referee("--fault hang");
    hanging.limit = Duration::from_millis(300);
    let result = play(&hanging, &[bot("100"), bot("50")], 7);
    assert!(
        matches!(&result, Err(NoResult::Void { reason, .. }) if reason == "has no result after 300ms"),
        "{result:?}"
    );
    play(&referee("--fault child"), &[bot("100"), bot("50")], 7).unwrap();
    let stopped = [bot("100"), bot("50")];
    let stopped: Vec<&Bot> = stopped.iter().collect();
    let result =
        referee("--fault hang").play(Game { bots: &stopped, seed: 1, folder: None }, &AtomicBool::new(true));
    assert_eq!(result, Err(NoResult::Stopped));
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let command = std::fs::read_to_string(process.path().join("cmdline")).unwrap_or_default();
        let parent = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        let is_ours = parent.split_whitespace().nth(3) == Some(&std::process::id().to_string());
        assert!(!(is_ours && command.contains("77777")), "{command} is left");
    }
}

#[test]
fn commands_with_quotes_reach_the_bot_whole() {
    let quoted = Bot {
        name: "quoted".to_string(),
        command: format!("sh -c 'exec python3 {HERE}/tests/card_bot.py \"$0\"' 100"),
    };
    assert_eq!(play(&referee(""), &[bot("50"), quoted], 7).unwrap().output.ranks, [1, 0]);
}

#[test]
fn one_process_plays_many_games() {
    let words = ["python3", &format!("{HERE}/tests/stand_in.py"), "-serve"].map(str::to_string);
    let server = ForeignReferee::server(words.to_vec()).unwrap();
    let single = referee("");
    for seed in 1..4 {
        let bots = [bot("100"), bot("60")];
        let [one, other] = [&server, &single].map(|referee| play(referee, &bots, seed).unwrap());
        assert_eq!(one.output, other.output);
        assert!(!one.repeat.contains("-serve"));
    }
    // A process that dies in its third game is followed by another.
    let words =
        ["python3", &format!("{HERE}/tests/stand_in.py"), "--fault", "dies", "-serve"].map(str::to_string);
    let dying = ForeignReferee { retries: 0, ..ForeignReferee::server(words.to_vec()).unwrap() };
    let results: Vec<bool> = (1..5).map(|seed| play(&dying, &[bot("1"), bot("2")], seed).is_ok()).collect();
    assert_eq!(results, [true, true, false, true]);
}
