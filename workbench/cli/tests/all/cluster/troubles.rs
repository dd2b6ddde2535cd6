//! The messages that a user sees when something is wrong. Each one contains a remedy.

use super::{Running, contender, free_port, nats, text, wait_for};
use contender_cluster::{Coordinator, CoordinatorConfig, Run, Secrets, SpeedRule, Trust, WorkerSettings};
use contender_play::{Host, RemoteHost, Workers};
use contender_referee::{ContestHost, Entrant, Fixture, Referee};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Returns the message of a match that cannot be played.
fn refused(home: &Path, url: &str, variables: &[(&str, &str)]) -> String {
    let mut command = contender(home);
    command.args(["match", "uttt", "random", "random", "-n", "1", "-q", "--on", url]);
    let output = command.envs(variables.iter().copied()).output().unwrap();
    assert!(!output.status.success());
    text(&output)
}

/// Starts a server with these settings on a free port.
pub fn served(home: &Path, settings: &str) -> Option<(Running, u16)> {
    let port = free_port();
    let file = home.join("server.conf");
    fs::write(&file, format!("host: 127.0.0.1\nport: {port}\n{settings}\n")).unwrap();
    let log = fs::File::create(home.join("server.log")).unwrap();
    let mut command = Command::new(nats()?);
    let server = Running(command.arg("-c").arg(&file).stdout(Stdio::null()).stderr(log).spawn().unwrap());
    wait_for(port);
    Some((server, port))
}

pub fn jetstream(home: &Path) -> String {
    format!("jetstream {{ store_dir: {:?} }}", home.join("store"))
}

#[test]
fn what_is_wrong_is_said_with_its_remedy() {
    let home = tempfile::tempdir().unwrap();
    let run = |url: &str, variables: &[(&str, &str)]| refused(home.path(), url, variables);
    let nobody = run(&format!("nats://127.0.0.1:{}", free_port()), &[]);
    assert!(nobody.contains("apt install nats-server"), "{nobody}");
    let strange = run("http://127.0.0.1:4222", &[]);
    assert!(strange.contains("`nats://HOST:4222`") && !strange.contains("install"), "{strange}");
    let visible = run("nats://me:secret@127.0.0.1:1", &[]);
    assert!(visible.contains("CONTENDER_NATS_PASSWORD_FILE") && !visible.contains("secret"), "{visible}");
    if nats().is_none() {
        return;
    }
    let bare = contender(home.path()).args(["cluster", "up", "--listen", "0.0.0.0"]).output().unwrap();
    assert!(bare.status.code() == Some(2) && text(&bare).contains("CONTENDER_NATS_USER"), "{}", text(&bare));
    // A server with a password, started by `cluster up`.
    let port = free_port().to_string();
    let store: PathBuf = home.path().join("store");
    let user = [("CONTENDER_NATS_USER", "me"), ("CONTENDER_NATS_PASSWORD", "right")];
    let mut up = contender(home.path());
    up.args(["cluster", "up", "--port", &port, "--store"]).arg(&store).envs(user);
    let up = Running(up.stderr(Stdio::null()).spawn().unwrap());
    let url = format!("nats://127.0.0.1:{port}");
    let status = |variables: &[(&str, &str)]| {
        let mut command = contender(home.path());
        text(
            &command
                .args(["cluster", "status", "--on", &url])
                .envs(variables.iter().copied())
                .output()
                .unwrap(),
        )
    };
    let start = Instant::now();
    while !status(&user).contains("0 workers") {
        assert!(start.elapsed() < Duration::from_secs(60), "{}", status(&user));
    }
    let password = home.path().join("password");
    fs::write(&password, "right\n").unwrap();
    let file = [("CONTENDER_NATS_USER", "me"), ("CONTENDER_NATS_PASSWORD_FILE", password.to_str().unwrap())];
    assert!(status(&file).contains("0 workers"));
    let wrong = run(&url, &[user[0], ("CONTENDER_NATS_PASSWORD", "wrong")]);
    assert!(wrong.contains("access denied"), "{wrong}");
    // When `cluster up` ends, it ends the server too.
    let mut up = up;
    up.signal("TERM");
    assert!(up.0.wait().unwrap().success());
    assert!(TcpStream::connect(("127.0.0.1", port.parse::<u16>().unwrap())).is_err());
}

/// The server lists a bot's file but has lost the contents. A worker stops waiting for the file, and the match uploads
/// it again.
#[test]
fn a_file_that_the_server_has_lost_is_put_there_again() {
    let home = tempfile::tempdir().unwrap();
    let Some((_server, port)) = served(home.path(), &jetstream(home.path())) else { return };
    let url = format!("nats://127.0.0.1:{port}");
    fs::write(home.path().join("bot"), "exit").unwrap();
    let mut played = contender(home.path());
    played.current_dir(home.path()).args(["match", "uttt", "random", "x=sh bot", "-n", "1", "-q"]);
    let mut played =
        Running(played.args(["--on", &url, "--ack-wait", "1s"]).stderr(Stdio::null()).spawn().unwrap());
    let start = Instant::now();
    while !ask(port, "$JS.API.STREAM.INFO.CONTENDER_JOBS", "").contains("\"messages\":2") {
        assert!(start.elapsed() < Duration::from_secs(60), "no jobs are handed out");
        thread::sleep(Duration::from_millis(20));
    }
    let lost = r#"{"filter":"$O.CONTENDER_FILES.C.>"}"#;
    let lost = ask(port, "$JS.API.STREAM.PURGE.OBJ_CONTENDER_FILES", lost);
    assert!(lost.contains("\"purged\":1"), "{lost}");
    let mut worker = contender(home.path());
    worker.args(["worker", "--on", &url, "-j", "1", "--trust", "any"]).stderr(Stdio::piped());
    let mut worker = Running(worker.spawn().unwrap());
    let mut words = String::new();
    let mut reader = BufReader::new(worker.0.stderr.take().unwrap());
    while !words.contains("bot cannot be fetched from the server") {
        assert!(reader.read_line(&mut words).unwrap() > 0, "{words}");
    }
    thread::spawn(move || reader.read_to_string(&mut String::new()));
    assert!(played.0.wait().unwrap().success());
}

/// If the games need equally fast machines, a worker on a machine with another speed leaves games with a time limit and
/// says why; a worker on an equally fast machine plays them. Both play games with a node limit.
#[test]
fn unequal_machines_leave_games_by_the_clock() {
    let home = tempfile::tempdir().unwrap();
    let Some((_server, port)) = served(home.path(), &jetstream(home.path())) else { return };
    let url = format!("nats://127.0.0.1:{port}");
    let stop = Arc::new(AtomicBool::new(false));
    let (said, words) = channel();
    let work = |speed: f64| {
        let (url, stop, said) = (url.clone(), Arc::clone(&stop), Mutex::new(said.clone()));
        let settings = WorkerSettings {
            slots: 1,
            trust: Trust::default(),
            cache: home.path().join("cache"),
            without_isolation: false,
            games: None,
            speed: Some(speed),
            signature: 7,
            act: |_, _, _| Err(std::io::Error::other("no training").into()),
        };
        let notice = Arc::new(move |words: &str| drop(said.lock().unwrap().send(words.to_string())));
        thread::spawn(move || {
            contender_cluster::work(&url, &Secrets::default(), settings, &stop, notice).unwrap()
        })
    };
    let terms = CoordinatorConfig {
        run: Run::new(),
        key: None,
        ack_wait: None,
        signature: 7,
        clock: SpeedRule::Same(100.0),
    };
    let coordinator = Coordinator::connect(&url, &Secrets::default(), terms, Arc::new(|_: &str| {})).unwrap();
    let coordinator: Arc<dyn Workers> = Arc::new(coordinator);
    let contest = contender_catalogue::find("uttt").unwrap();
    let bots = ["random", "greedy"].map(|name| Entrant::parse(contest, name).unwrap());
    let play = |nodes: Option<u64>| {
        let referee = Referee::of(contest).with(|conditions| conditions.limits.nodes = nodes);
        let here = ContestHost { contest, referee };
        let host = RemoteHost::new(&here as &dyn Host, Arc::clone(&coordinator)).unwrap();
        let fixture = Fixture::between([&bots[0], &bots[1]], 3, [4, 5]);
        host.play(&fixture, &AtomicBool::new(false)).unwrap().machine.unwrap().speed
    };
    let slow = work(50.0);
    assert_eq!(play(Some(10)), None);
    let equal = thread::scope(|scope| {
        let played = scope.spawn(|| play(None));
        let refusal = words.iter().find(|words| words.contains("--same-machines")).unwrap();
        assert!(refusal.contains("0.50 times as fast"), "{refusal}");
        let equal = work(105.0);
        assert_eq!(played.join().unwrap(), Some(105.0));
        equal
    });
    // The status shows the run as long as it lasts.
    let runs = || contender_cluster::status(&url, &Secrets::default()).unwrap().runs;
    let start = Instant::now();
    while runs().first().is_none_or(|run| run.games < 2) {
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", runs());
    }
    let [run] = &runs()[..] else { panic!("one coordinator") };
    assert!(run.games == 2 && run.left.is_none(), "{run:?}");
    drop(coordinator);
    assert_eq!(runs(), []);
    stop.store(true, Ordering::Relaxed);
    assert_eq!([slow, equal].map(|worker| worker.join().unwrap().games), [1, 1]);
}

/// A server with TLS must have a certificate that is signed by the given authority.
#[test]
fn the_line_is_encrypted_where_the_server_asks_for_it() {
    let home = tempfile::tempdir().unwrap();
    let [key, certificate] = ["key.pem", "certificate.pem"].map(|name| home.path().join(name));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"])
        .args([
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-addext",
            "basicConstraints=CA:FALSE",
        ])
        .args([Path::new("-keyout"), &key, Path::new("-out"), &certificate])
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        return eprintln!("skipped: there is no openssl");
    }
    let tls = format!("{}\ntls {{ cert_file: {certificate:?}, key_file: {key:?} }}", jetstream(home.path()));
    let Some((_server, port)) = served(home.path(), &tls) else { return };
    let url = format!("nats://127.0.0.1:{port}");
    let strange = refused(home.path(), &url, &[]);
    assert!(strange.contains("CONTENDER_NATS_CA"), "{strange}");
    // A client that expects encryption does not send its password to a server without encryption.
    let bare = tempfile::tempdir().unwrap();
    let Some((_bare, open)) = served(bare.path(), &jetstream(bare.path())) else { return };
    let ca = [("CONTENDER_NATS_CA", certificate.to_str().unwrap())];
    let naked = refused(home.path(), &format!("nats://127.0.0.1:{open}"), &ca);
    assert!(naked.contains("does not use TLS") && naked.contains("tls {"), "{naked}");
    let status = contender(home.path())
        .args(["cluster", "status", "--on", &url])
        .env("CONTENDER_NATS_CA", &certificate)
        .output()
        .unwrap();
    assert!(status.status.success() && text(&status).contains("0 workers"), "{}", text(&status));
}

#[test]
fn an_old_server_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("nats://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for line in listener.incoming() {
            let mut line = line.unwrap();
            let hello = r#"{"server_id":"x","server_name":"x","version":"2.8.4","go":"x","host":"x","port":1,
                "headers":true,"max_payload":1048576,"proto":1,"client_id":1,"client_ip":"x","nonce":"x"}"#;
            let _ = write!(line, "INFO {}\r\n", hello.replace('\n', ""));
            let mut reader = BufReader::new(line.try_clone().unwrap());
            let mut words = String::new();
            while reader.read_line(&mut words).is_ok_and(|length| length > 0) {
                if words.starts_with("PING") {
                    let _ = line.write_all(b"PONG\r\n");
                }
                words.clear();
            }
        }
    });
    let words = refused(home.path(), &url, &[]);
    assert!(words.contains("NATS server 2.8.4 is too old; 2.9 or newer is needed"), "{words}");
}

#[test]
fn a_server_without_jetstream_or_with_streams_of_others_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let Some((server, port)) = served(home.path(), "") else { return };
    let words = refused(home.path(), &format!("nats://127.0.0.1:{port}"), &[]);
    assert!(words.contains("JetStream is not available") && words.contains("-js"), "{words}");
    drop(server);
    for (name, subject, remedy) in [
        ("theirs", "contender.>", "another stream on this server"),
        ("CONTENDER_JOBS", "contender.jobs.>", "nats stream rm CONTENDER_JOBS"),
    ] {
        let home = tempfile::tempdir().unwrap();
        let Some((_server, port)) = served(home.path(), &jetstream(home.path())) else { return };
        make_stream(port, name, subject);
        let words = refused(home.path(), &format!("nats://127.0.0.1:{port}"), &[]);
        assert!(words.contains(remedy), "{words}");
    }
}

/// Creates a stream, as another program would.
fn make_stream(port: u16, name: &str, subject: &str) {
    let stream = format!(
        r#"{{"name":"{name}","subjects":["{subject}"],"retention":"limits","storage":"file","num_replicas":1,
        "max_consumers":-1,"max_msgs":-1,"max_bytes":-1,"max_age":0,"discard":"old"}}"#
    );
    let answer = ask(port, &format!("$JS.API.STREAM.CREATE.{name}"), &stream);
    assert!(!answer.contains("\"error\""), "{answer}");
}

/// Sends a message on a subject and returns the server's answer.
pub fn ask(port: u16, subject: &str, words: &str) -> String {
    let mut line = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let length = words.len();
    let words =
        format!("CONNECT {{\"verbose\":false}}\r\nSUB here 1\r\nPUB {subject} here {length}\r\n{words}\r\n");
    line.write_all(words.as_bytes()).unwrap();
    let mut answer = String::new();
    let mut reader = BufReader::new(line);
    while !answer.contains("MSG here") || !answer.ends_with("}\r\n") {
        assert!(reader.read_line(&mut answer).unwrap() > 0, "{answer}");
    }
    answer
}

/// A build whose bots play differently, or another version, has its own jobs. A worker that must leave such jobs says
/// so.
#[test]
fn jobs_of_another_build_are_left_with_a_word() {
    let home = tempfile::tempdir().unwrap();
    let Some((_server, port)) = served(home.path(), &jetstream(home.path())) else { return };
    let url = format!("nats://127.0.0.1:{port}");
    let status = || contender(home.path()).args(["cluster", "status", "--on", &url]).output().unwrap();
    assert!(status().status.success());
    let consumer = r#"{"stream_name":"CONTENDER_JOBS","config":{"durable_name":"workers-0_0_9-abc",
        "ack_policy":"explicit",
        "filter_subject":"contender.jobs.0_0_9-abc.>","deliver_policy":"all","replay_policy":"instant"}}"#;
    let made = ask(port, "$JS.API.CONSUMER.DURABLE.CREATE.CONTENDER_JOBS.workers-0_0_9-abc", consumer);
    assert!(!made.contains("\"error\""), "{made}");
    ask(port, "contender.jobs.0_0_9-abc.run.00", "{}");
    let mut worker = contender(home.path());
    worker.args(["worker", "--on", &url, "-j", "1"]).stderr(Stdio::piped());
    let mut worker = Running(worker.spawn().unwrap());
    let mut words = String::new();
    let mut reader = BufReader::new(worker.0.stderr.take().unwrap());
    while !words.contains("jobs are waiting for workers of version 0_0_9-abc") {
        assert!(reader.read_line(&mut words).unwrap() > 0, "{words}");
    }
    // The worker's last message is kept after its end.
    let start = Instant::now();
    let told = |state: &str| {
        let status = text(&status());
        assert!(start.elapsed() < Duration::from_secs(60), "{status}");
        thread::sleep(Duration::from_millis(200));
        status.contains(state) && status.contains("    jobs are waiting for workers of version 0_0_9-abc")
    };
    while !told(" there ") {}
    worker.0.kill().unwrap();
    while !told(" vanished ") {}
}

/// The store is on a file system of one megabyte. Creating it needs permissions that the test may lack.
#[test]
fn a_full_disk_is_said() {
    let Some(nats) = nats() else { return };
    let home = tempfile::tempdir().unwrap();
    let (port, store) = (free_port(), home.path().join("store"));
    fs::create_dir(&store).unwrap();
    let mut command = Command::new("unshare");
    command.args([
        "-m",
        "sh",
        "-c",
        "mount -t tmpfs -o size=1m tmpfs \"$1\" && exec $0 -a 127.0.0.1 -p $2 -js -sd $1",
    ]);
    command.arg(nats).arg(&store).arg(port.to_string()).stderr(Stdio::piped());
    let mut server = Running(command.spawn().unwrap());
    let mut words = String::new();
    let mut reader = BufReader::new(server.0.stderr.take().unwrap());
    while !words.contains("Server is ready") {
        if reader.read_line(&mut words).unwrap() == 0 {
            return eprintln!("skipped: no file system can be made here: {words}");
        }
    }
    thread::spawn(move || reader.read_to_string(&mut String::new()));
    let url = format!("nats://127.0.0.1:{port}");
    let bot = home.path().join("bot");
    // A bot's file that does not fit.
    fs::write(&bot, vec![7; 3 << 20]).unwrap();
    let mut played = contender(home.path());
    played
        .args(["match", "uttt", "random", "-n", "1", "-q", "--on", &url])
        .arg(format!("x=sh {}", bot.display()));
    let mut played = Running(played.stderr(Stdio::piped()).spawn().unwrap());
    let mut words = String::new();
    let mut reader = BufReader::new(played.0.stderr.take().unwrap());
    while !words.contains("disk may be full") {
        assert!(reader.read_line(&mut words).unwrap() > 0, "{words}");
    }
}
