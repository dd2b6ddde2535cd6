use super::*;
use crate::game_log::GameLog;
use contender_play::{Entrant, Host, RemoteHost, Task, Workers};
use std::ops::ControlFlow;
use std::sync::Arc;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Workers that get each job as text and return its game as text.
#[derive(Debug)]
struct Letters;

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
        for index in (0..count).filter(|_| !is_stopped()) {
            let Some(Task::Game(job)) = task(index) else { panic!("a game") };
            let job: Job = serde_json::from_str(&serde_json::to_string(&job).unwrap()).unwrap();
            let HostSpec::External(spec) = &job.host else { panic!("the referee is another program") };
            let machine = || Machine { name: "there".to_string(), speed: Some(2.5), ..Machine::default() };
            let referee = ExternalReferee::from_spec(spec).unwrap();
            let answer = referee.answer(&job.fixture, &machine, &AtomicBool::new(false)).unwrap();
            assert_eq!(std::fs::read_dir(referee.workplace()).unwrap().count(), 0, "something is left");
            let _ = collect(index, Ok(answer));
        }
    }
}

/// Returns a host that plays the referee's games elsewhere.
fn there(referee: &ExternalReferee) -> RemoteHost<'_, &(dyn Host + '_)> {
    RemoteHost::new(referee as &dyn Host, Arc::new(Letters)).unwrap()
}

fn referee(words: &str) -> ExternalReferee {
    ExternalReferee::new(&format!("python3 {HERE}/tests/stand_in.py {words}")).unwrap()
}

fn fixture(second: &str) -> Fixture {
    let bot =
        |words: &str| Entrant::parse_command(&format!("python3 {HERE}/tests/card_bot.py {words}")).unwrap();
    Fixture { seats: vec![bot("100"), bot(second)], seed: 7, bot_seeds: Vec::new() }
}

fn play(referee: &dyn Host, second: &str) -> Result<Record, GameError> {
    referee.play(&fixture(second), &AtomicBool::new(false))
}

/// A game has the same result elsewhere as here, even if it fails.
#[test]
fn games_elsewhere_are_those_of_here() {
    let server = || {
        let words = ["python3", &format!("{HERE}/tests/stand_in.py"), "-serve"].map(str::to_string);
        ExternalReferee::server(words.to_vec()).unwrap()
    };
    let cases: [(&dyn Fn() -> ExternalReferee, &str); 8] = [
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
        let (here, away) = (make(), make());
        let (one, other) = (play(&here, second), play(&there(&away), second));
        if let Ok(played) = &other {
            assert_eq!(played.machine.as_ref().map(|machine| machine.name.as_str()), Some("there"));
        }
        // Ignore times, and the machine that played the game.
        let [one, other] = [one, other]
            .map(|played| played.map(|record| Record { seconds: None, busy: None, machine: None, ..record }));
        assert_eq!(one, other);
        assert_eq!(here.contract(), away.contract());
        assert_eq!(here.is_seed_ignored(), away.is_seed_ignored());
    }
}

#[test]
fn logs_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut away = referee("");
    away.logs = Some(folder.path().to_path_buf());
    let played = play(&there(&away), "50").unwrap();
    let log = played.engine_log.unwrap();
    assert!(Path::new(&log).starts_with(folder.path()));
    assert!(GameLog::read(&std::fs::read_to_string(&log).unwrap()).is_ok());
    let repeat = played.repeat.unwrap();
    assert!(repeat.ends_with(&log), "{repeat}");
}

#[test]
fn what_cannot_be_played_elsewhere_is_said() {
    let names = ExternalReferee::new("run %P1% %P2%").unwrap();
    let refused = RemoteHost::new(&names as &dyn Host, Arc::new(Letters)).map(|_| ());
    assert!(refused.unwrap_err().to_string().contains("without `--on`"));
    let away = referee("--fault hang");
    assert_eq!(there(&away).play(&fixture("50"), &AtomicBool::new(true)), Err(GameError::Stopped));
}
