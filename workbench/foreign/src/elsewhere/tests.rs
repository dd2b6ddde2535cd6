use super::*;
use crate::game_log::GameLog;
use contender_play::{Entrant, Host, Job};
use std::ops::ControlFlow;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Who gets each job as text and sends its game as text.
#[derive(Debug)]
struct Letters;

impl Machines for Letters {
    fn share_out(
        &self,
        _: u64,
        _: &AtomicBool,
        _: &dyn Fn(u64) -> Option<Job>,
        _: &mut dyn FnMut(u64, Result<Record, String>) -> ControlFlow<()>,
    ) {
        unreachable!("the referee is another program");
    }

    fn play_foreign(&self, job: ForeignJob, stop: &AtomicBool) -> Option<Result<String, String>> {
        let job: ForeignJob = serde_json::from_str(&serde_json::to_string(&job).unwrap()).unwrap();
        let machine =
            Machine { name: "there".to_string(), speed: Some(2.5), late_wakeups: None, other_load: None };
        let referee = ForeignReferee::of_job(&job).unwrap();
        let played = referee.play_job(&job, machine, stop).unwrap()?;
        assert_eq!(std::fs::read_dir(referee.workplace()).unwrap().count(), 0, "something is left");
        Some(Ok(played))
    }
}

fn referee(words: &str) -> ForeignReferee {
    ForeignReferee::new(&format!("python3 {HERE}/tests/stand_in.py {words}")).unwrap()
}

fn fixture(second: &str) -> Fixture {
    let bot =
        |words: &str| Entrant::parse_command(&format!("python3 {HERE}/tests/card_bot.py {words}")).unwrap();
    Fixture { seats: vec![bot("100"), bot(second)], seed: 7, bot_seeds: Vec::new() }
}

fn play(referee: &ForeignReferee, second: &str) -> Result<Record, GameError> {
    referee.play(&fixture(second), &AtomicBool::new(false))
}

/// Whatever becomes of a game, it is what would have become of it here.
#[test]
fn games_elsewhere_are_those_of_here() {
    let server = || {
        let words = ["python3", &format!("{HERE}/tests/stand_in.py"), "-serve"].map(str::to_string);
        ForeignReferee::server(words.to_vec()).unwrap()
    };
    let cases: [(&dyn Fn() -> ForeignReferee, &str); 8] = [
        (&|| referee(""), "50"),
        (&|| referee(""), "50 crash"),
        (&|| referee("--fault brutaltester"), "50"),
        (&|| referee("--fault ignored-seed"), "50"),
        (&|| referee("-p1 {P1} -p2 {P2} -seed {SEED}"), "50"),
        (&|| referee("--fault json"), "50"),
        (&|| referee("--fault null"), "50"),
        (&server, "50 garbage"),
    ];
    for (make, second) in cases {
        let (here, mut there) = (make(), make());
        there.play_on(Some(Arc::new(Letters))).unwrap();
        let [one, other] = [&here, &there].map(|referee| play(referee, second));
        if let Ok(played) = &other {
            assert_eq!(played.machine.as_ref().map(|machine| machine.name.as_str()), Some("there"));
        }
        // What a clock says, and where it was played.
        let [one, other] = [one, other]
            .map(|played| played.map(|record| Record { seconds: None, busy: None, machine: None, ..record }));
        assert_eq!(one, other);
        assert_eq!(here.contract(), there.contract());
        assert_eq!(here.is_seed_ignored(), there.is_seed_ignored());
    }
}

#[test]
fn logs_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut there = referee("");
    there.logs = Some(folder.path().to_path_buf());
    there.play_on(Some(Arc::new(Letters))).unwrap();
    let played = play(&there, "50").unwrap();
    let log = played.engine_log.unwrap();
    assert!(Path::new(&log).starts_with(folder.path()));
    assert!(GameLog::read(&std::fs::read_to_string(&log).unwrap()).is_ok());
    let repeat = played.repeat.unwrap();
    assert!(repeat.ends_with(&log), "{repeat}");
}

#[test]
fn what_cannot_be_played_elsewhere_is_said() {
    let names = ForeignReferee::new("run %P1% %P2%").unwrap().play_on(Some(Arc::new(Letters)));
    assert!(names.unwrap_err().contains("leave out `--on`"));
    let mut there = referee("--fault hang");
    there.play_on(Some(Arc::new(Letters))).unwrap();
    assert_eq!(there.play(&fixture("50"), &AtomicBool::new(true)), Err(GameError::Stopped));
}
