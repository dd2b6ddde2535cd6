//! What must not work: other sites, missing tokens, paths out of the project, bodies without end, idle connections,
//! scripts in names.

mod common;

use common::{Site, add_tuning, log_line};
use flate2::{Compression, write::GzEncoder};
use std::io::{Read, Write};
use std::net::TcpStream;

#[test]
fn pages_are_served_and_carry_the_policy() {
    let site = Site::new();
    for (path, words) in [
        ("/", "games.jsonl"),
        ("/log?file=games.jsonl", "X &amp; Y"),
        ("/replay?file=games.jsonl&game=1&turn=2", "after move 2: 4 3"),
        ("/board?file=games.jsonl&game=1&turn=1", "<svg"),
        ("/replay.js", "// @ts-check"),
        ("/style.css", "body"),
        ("/board.css", "svg.board"),
    ] {
        let answer = site.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        assert!(answer.body.contains(words), "{path}: {}", answer.body);
        assert!(
            answer.head.contains("content-security-policy: default-src 'none'; script-src 'self'"),
            "{}",
            answer.head
        );
        assert!(answer.head.contains("x-content-type-options: nosniff"));
    }
}

/// What bots write in a log of CodinGame's engine is text, and only such logs are listed.
#[test]
fn a_log_of_an_engine_is_listed_and_shown() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    let log = r#"{"errors":{"0":["<script>x</script>"]},"outputs":{"0":["WAIT\n"]},"scores":{"0":3}}"#;
    std::fs::write(project.join("engine.json"), log).unwrap();
    std::fs::write(project.join("settings.json"), "{\"outputs\": 3}").unwrap();
    let home = site.get("/").body;
    assert!(home.contains("/engine?file=engine.json") && !home.contains("settings.json"), "{home}");
    let page = site.get("/engine?file=engine.json").body;
    assert!(
        page.contains("WAIT") && page.contains("&lt;script&gt;x") && !page.contains("<script>x"),
        "{page}"
    );
}

/// A viewer's files are read by the key of the page that shows it, without the token and from a frame without origin;
/// with it nothing else is read, and without it nothing at all.
#[test]
fn a_viewer_reads_its_own_folder_only() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    std::fs::create_dir_all(project.join("view/core")).unwrap();
    std::fs::write(project.join("view/player.html"), "<p>player</p>").unwrap();
    std::fs::write(project.join("view/core/Drawer.js"), "export class Drawer {}").unwrap();
    std::fs::write(project.join("engine.json"), r#"{"errors":{},"outputs":{},"views":[]}"#).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../games.jsonl", project.join("view/link.js")).unwrap();
    assert!(site.get("/engine?file=engine.json").body.contains("<option value=\"view\""));
    let page = site.get("/engine?file=engine.json&viewer=view").body;
    let place = page.split("src=\"").find(|part| part.starts_with("/viewer/")).unwrap();
    let place = place.split_once("player.html").unwrap().0;
    assert_eq!(place.len(), "/viewer//".len() + 32, "{place}");
    assert!(page.contains("sandbox=\"allow-scripts\""), "{page}");
    // The same page again has the same key.
    assert!(site.get("/engine?file=engine.json&viewer=view").body.contains(place));
    let ask = |method: &str, path: &str| {
        let from = "Origin: null\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n";
        site.send(&format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n{from}\r\n", site.host), &[])
    };
    let drawer = ask("GET", &format!("{place}core/Drawer.js"));
    assert!(
        drawer.body.contains("class Drawer") && drawer.head.contains("text/javascript"),
        "{}",
        drawer.head
    );
    let own = format!("connect-src http://{}{place};", site.host);
    for words in ["sandbox allow-scripts; default-src 'none'", "access-control-allow-origin: null", &own] {
        assert!(drawer.head.contains(words), "{words}: {}", drawer.head);
    }
    let wrong = place.replace(&place[8..12], if &place[8..12] == "0000" { "1111" } else { "0000" });
    for path in [
        format!("{place}../games.jsonl"),
        format!("{place}%2e%2e/games.jsonl"),
        format!("{place}link.js"),
        format!("{place}none.js"),
        format!("{wrong}core/Drawer.js"),
        "/viewer/view/core/Drawer.js".to_string(),
        "/games.jsonl".to_string(),
        "/log?file=games.jsonl".to_string(),
        "/engine/log?file=engine.json".to_string(),
    ] {
        let answer = ask("GET", &path);
        assert!(matches!(answer.status, 403 | 404), "{path}: {}", answer.status);
        assert!(!answer.body.contains("X & Y"), "{path}");
    }
    assert_eq!(ask("POST", &format!("{place}core/Drawer.js")).status, 403);
    for dir in ["", "sub", "..", "view/core"] {
        let path = format!("/engine?file=engine.json&viewer={dir}");
        assert_eq!(site.get(&path).status, 404, "{path}");
    }
}

/// How far a tuning is, with its pictures.
#[test]
fn a_tuning_is_listed_and_shown() {
    let site = Site::new();
    add_tuning(&site.folder.path().join("project"));
    assert!(site.get("/").body.contains("/tuning?dir=c"));
    let page = site.get("/tuning?dir=c").body;
    for words in [
        "Tuning of uttt classic",
        "80 of 80 games",
        "What c does",
        "<td>tuning</td><td class=\"number\">80</td>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert_eq!(page.matches("<figure").count(), 2);
    assert_eq!(site.get("/tuning?dir=sub").status, 404);
}

#[test]
fn what_is_not_there_says_so() {
    let site = Site::new();
    for (path, status) in [
        ("/nothing", 404),
        ("/log", 422),
        ("/log?file=none.jsonl", 404),
        ("/log?drop=9", 404),
        ("/engine?file=games.jsonl", 422),
        ("/engine?file=../secret.jsonl", 404),
        ("/replay?file=games.jsonl&game=0", 404),
        ("/replay?file=games.jsonl&game=99", 404),
        ("/replay?file=games.jsonl&game=x", 400),
        ("/board?file=broken.jsonl", 422),
        ("/replay?file=games.jsonl&game=1&turn=999999999999", 200),
        ("/log?file=games.jsonl&from=18446744073709551615", 200),
    ] {
        assert_eq!(site.get(path).status, status, "{path}");
    }
}

#[test]
fn no_path_leads_out_of_the_project() {
    let site = Site::new();
    let secret = site.secret.display().to_string();
    for path in [
        "../secret.jsonl",
        "..%2Fsecret.jsonl",
        "sub/../../secret.jsonl",
        "/etc/passwd",
        "%2Fetc%2Fpasswd",
        &secret,
        "link.jsonl",
    ] {
        for page in ["log", "replay", "board"] {
            let answer = site.get(&format!("/{page}?file={path}"));
            assert_eq!(answer.status, 404, "{path}");
            assert!(!answer.body.contains("hidden") && !answer.body.contains("root:"), "{}", answer.body);
        }
    }
    for path in ["/../secret.jsonl", "/..%2f..%2fetc/passwd", "//etc/passwd"] {
        assert_eq!(site.get(path).status, 404);
    }
}

#[test]
fn other_sites_are_refused() {
    let site = Site::new();
    let post = |headers: &str| site.post("/drop?name=a", headers, b"{}");
    let cookie = site.cookie();
    let own = format!("Origin: http://{}\r\n", site.host);
    assert_eq!(post(&format!("{cookie}{own}")).status, 200);
    assert_eq!(post(&format!("{cookie}Sec-Fetch-Site: same-origin\r\n")).status, 200);
    for foreign in [
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        &own.replace("http:", "https:"),
        "Origin: http://127.0.0.1:1\r\n",
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n",
        "Sec-Fetch-Site: same-site\r\n",
    ] {
        assert_eq!(post(&format!("{cookie}{foreign}")).status, 403, "{foreign}");
    }
    // A page elsewhere may link here, and may not read.
    let get =
        |headers: &str| site.send(&format!("GET / HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", site.host), &[]);
    assert_eq!(get("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n").status, 200);
    assert_eq!(get("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n").status, 403);
    assert_eq!(get("Origin: http://evil.example\r\n").status, 403);
    // A name that an attacker makes point to this machine.
    let answer = site.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", &[]);
    assert_eq!(answer.status, 421);
    assert!(!answer.body.contains("games.jsonl"));
}

/// All of 127.0.0.0/8 is this machine: the address that is printed is answered.
#[cfg(target_os = "linux")]
#[test]
fn another_address_of_this_machine_is_its_own_name() {
    let site = Site::at("127.0.0.2");
    assert!(site.host.starts_with("127.0.0.2:"), "{}", site.host);
    assert_eq!(site.get("/").status, 200);
    let answer = site.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", &[]);
    assert_eq!(answer.status, 421);
}

/// The forms are told by their content, whatever the file is called.
#[test]
fn every_form_that_replay_reads_can_be_dropped() {
    let site = Site::new();
    let line = log_line("b", "c");
    let mut zipped = GzEncoder::new(Vec::new(), Compression::fast());
    zipped.write_all(line.as_bytes()).unwrap();
    let zipped = zipped.finish().unwrap();
    // The first byte of a seed is a choice of the fuzz target.
    let [boxes, cells, checks]: [&[u8]; 3] = [
        &include_bytes!("../../../fuzz/seeds/replay/box.csv")[1..],
        &include_bytes!("../../../fuzz/seeds/replay/cellularena")[1..],
        &include_bytes!("../../../fuzz/seeds/replay/uttt.txt")[1..],
    ];
    // Its start with the hash that belongs to it, so that the game can be shown as far as it agrees.
    let cells = String::from_utf8_lossy(cells).replacen("\"hash\":\"0\"", "\"hash\":\"bf713d53d7503fcf\"", 1);
    let files = [
        (line.as_bytes(), "b – c"),
        (&zipped, "b – c"),
        (boxes, "A against B"),
        (cells.as_bytes(), "game=1"),
    ];
    for (number, (bytes, words)) in (1..).zip(files) {
        let answer = site.post("/drop?name=games", &site.cookie(), bytes);
        assert_eq!(answer.body, format!("{{\"page\":\"/log?drop={number}\"}}"));
        let list = site.get(&format!("/log?drop={number}")).body;
        assert!(list.contains(words), "{words}: {list}");
        let replay = site.get(&format!("/replay?drop={number}&game=1&turn=1"));
        assert!(replay.status == 200 && replay.body.contains("<svg"), "{words}: {}", replay.body);
    }
    site.post("/drop?name=games", &site.cookie(), checks);
    let page = site.get("/log?drop=5");
    assert!(page.body.contains("a check text has no games to show"), "{}", page.body);
}

#[test]
fn adding_takes_the_token() {
    let site = Site::new();
    let add = |headers: &str| site.post("/drop?name=a", headers, log_line("b", "c").as_bytes());
    assert_eq!(add("").status, 401);
    assert_eq!(add("Cookie: contender-1=0\r\n").status, 401);
    assert_eq!(add(&site.cookie().replace(&site.token[..4], "zzzz")).status, 401);
    let answer = add(&site.cookie());
    assert_eq!((answer.status, answer.body.as_str()), (200, "{\"page\":\"/log?drop=1\"}"));
    assert!(site.get("/log?drop=1").body.contains("b – c"));
    // The address with the token leaves a cookie that no script and no other site can use.
    let welcome = site.get(&format!("/?token={}", site.token));
    assert_eq!(welcome.status, 303);
    assert!(welcome.head.contains("location: /\r\n"));
    assert!(
        welcome.head.contains(&format!("{}; Path=/; HttpOnly; SameSite=Strict", site.token)),
        "{}",
        welcome.head
    );
    assert!(!site.get("/?token=00000000000000000000000000000000").head.contains("set-cookie"));
    assert!(site.get("/").body.contains("open the address with the token"));
}

#[test]
fn elsewhere_reading_takes_the_token_too() {
    let site = Site::at("0.0.0.0");
    for path in ["/", "/log?file=games.jsonl", "/replay?file=games.jsonl&game=1", "/style.css"] {
        assert_eq!(site.get(path).status, 401, "{path}");
        let request = format!("GET {path} HTTP/1.1\r\nHost: my-machine:1\r\n{}\r\n", site.cookie());
        assert_eq!(site.send(&request, &[]).status, 200, "{path}");
    }
}

#[test]
fn bodies_have_an_end() {
    let site = Site::new();
    let head = |length: &str| {
        format!("POST /drop?name=a HTTP/1.1\r\nHost: {}\r\n{}{length}\r\n", site.host, site.cookie())
    };
    // A gigabyte that is announced is refused before it is sent.
    assert_eq!(site.send(&head("Content-Length: 1073741824\r\n"), &[]).status, 413);
    // One that is not announced is refused on its way.
    let mut stream = site.connect();
    stream.write_all(head("Transfer-Encoding: chunked\r\n").as_bytes()).unwrap();
    let chunk = [b"100000\r\n".as_slice(), &vec![b'x'; 1 << 20], b"\r\n"].concat();
    let sent = (0..1024).take_while(|_| stream.write_all(&chunk).is_ok()).count();
    assert!(sent < 100, "{sent} MiB were taken");
    // A head without end.
    let mut stream = site.connect();
    let _ = stream.write_all(b"GET / HTTP/1.1\r\n");
    let line = [b"X-A: ".as_slice(), &[b'a'; 8000], b"\r\n"].concat();
    let sent = (0..1000).take_while(|_| stream.write_all(&line).is_ok()).count();
    assert!(sent < 1000);
    assert_eq!(site.get("/").status, 200);
}

#[test]
fn idle_connections_keep_nobody_out() {
    let site = Site::new();
    // As many as this system lets one process open on both sides.
    let idle: Vec<TcpStream> = (0..1000).map_while(|_| TcpStream::connect(&site.host).ok()).collect();
    assert!(idle.len() > 300, "{}", idle.len());
    assert_eq!(site.get("/").status, 200);
    let slow: Vec<TcpStream> = (0..300)
        .map_while(|_| {
            let mut stream = TcpStream::connect(&site.host).ok()?;
            stream.write_all(b"GET / HTTP/1.1\r\nHost:").ok()?;
            Some(stream)
        })
        .collect();
    assert_eq!(site.get("/").status, 200);
    drop((idle, slow));
}

#[test]
fn names_and_words_of_bots_are_text() {
    let site = Site::new();
    let script = "<script>alert(1)</script>";
    for path in [
        "/".to_string(),
        "/log?file=evil.jsonl".to_string(),
        "/replay?file=evil.jsonl&game=1&turn=1".to_string(),
        format!("/log?file={script}"),
        format!("/replay?file=games.jsonl&game={script}"),
    ] {
        let answer = site.get(&path);
        assert!(
            !answer.body.contains("<script>alert") && !answer.body.contains("<img"),
            "{path}: {}",
            answer.body
        );
    }
    let page = site.get("/replay?file=evil.jsonl&game=1").body;
    assert!(page.contains("&lt;script&gt;alert(1)"), "{page}");
    // The data for the page's script cannot end its element.
    let data = page.split("type=\"application/json\"").nth(1).unwrap();
    assert!(data.contains("\\u003c/script>\\u003cimg src=x onerror=alert(2)>"), "{data}");
}

#[test]
fn senseless_requests_end() {
    let site = Site::new();
    for bytes in [
        b"\0\0\0\0\r\n\r\n".as_slice(),
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\r\n\r\n",
    ] {
        let mut stream = site.connect();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 200"));
    }
    assert_eq!(site.get("/").status, 200);
}

#[test]
fn playing_takes_the_token_and_sense() {
    let site = Site::new();
    let told = |change: &str| {
        let plain = "{\"game\":\"uttt\",\"bot\":\"greedy\",\"seat\":0,\"seed\":1,\"time\":1,\"moves\":[],\"answer\":null}";
        let (from, to) = change.split_once("=>").unwrap_or(("", ""));
        plain.replacen(from, to, usize::from(!from.is_empty()))
    };
    let json = "Content-Type: application/json\r\n";
    let known = format!("{}{json}", site.cookie());
    assert_eq!(site.post("/play/move", json, told("").as_bytes()).status, 401);
    let answer = site.post("/play/move", &known, told("").as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.body.contains("\"choices\":[{\"text\":\"0 0\""));
    // A form of another kind, as pages elsewhere can send, is none.
    assert_eq!(site.post("/play/move", &site.cookie(), told("").as_bytes()).status, 415);
    for change in [
        "uttt=>chess",
        "greedy=>nobody",
        "greedy=>greedy:x=1",
        "greedy=>sh -c true",
        "\"seat\":0=>\"seat\":2",
        "\"time\":1=>\"time\":99999999",
        "[]=>[\\\"9 9\\\"]",
        "[]=>[\"9 9\"]",
    ] {
        // A bot is chosen where it is to act.
        let body = if change.starts_with("greedy") {
            told(change).replace("\"seat\":0", "\"seat\":1")
        } else {
            told(change)
        };
        let status = site.post("/play/move", &known, body.as_bytes()).status;
        assert!(matches!(status, 400 | 422), "{change}: {status}");
    }
    for wrong in ["null=>[\"9 9\"]", "null=>[]", "null=>[\"4 4\",\"4 4\"]"] {
        let answer = site.post("/play/move", &known, told(wrong).as_bytes());
        assert!(answer.body.contains("\"problem\":\"That is not legal"), "{wrong}: {}", answer.body);
    }
}

/// Begins a game by the form; the number of its session.
fn begin(site: &Site, form: &str) -> String {
    let headers = format!("{}Content-Type: application/x-www-form-urlencoded\r\n", site.cookie());
    let answer = site.post("/play/start", &headers, form.as_bytes());
    assert_eq!(answer.status, 303, "{}", answer.body);
    let place = answer.head.lines().find_map(|line| line.strip_prefix("location: ")).unwrap().to_string();
    place.rsplit_once("session=").unwrap().1.to_string()
}

/// Gives an answer in a session's game, or `null`.
fn go_on(site: &Site, session: &str, answer: &str) -> serde_json::Value {
    let headers = format!("{}Content-Type: application/json\r\n", site.cookie());
    let body = format!(
        "{{\"game\":\"\",\"bot\":\"\",\"seat\":0,\"seed\":1,\"time\":0,\"moves\":[],\"answer\":{answer},\"session\":{session}}}"
    );
    let answer = site.post("/play/move", &headers, body.as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.body);
    serde_json::from_str(&answer.body).unwrap()
}

/// A command starts when the form of our own page is sent, and by nothing else.
#[test]
fn no_address_starts_a_program() {
    let site = Site::new();
    let mark = site.folder.path().join("project/mark");
    let command = "sh%20-c%20'touch%20mark'";
    let ask = |path: &str, headers: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{}{headers}\r\n", site.host, site.cookie());
        site.send(&head, &[])
    };
    for path in [
        format!("/play?game=uttt&seat=1&time=0&bot={command}"),
        format!("/play?game=uttt&seat=1&time=1000&bot={command}&moves="),
        format!("/matches?game=uttt&a={command}&b=greedy"),
        format!("/analyse?game=uttt&bot={command}"),
        format!("/analyse/live?game=uttt&bot={command}"),
    ] {
        let page = ask(&path, "");
        // Neither is it begun by a script, nor does a form have it that only wants a click.
        assert!(!page.body.contains("touch") || page.status == 422, "{path}: {}", page.body);
        assert!(!page.body.contains("id=\"board\"") || !path.starts_with("/play"), "{path}: {}", page.body);
    }
    let json = format!("{}Content-Type: application/json\r\n", site.cookie());
    for time in [0, 1000] {
        let body = format!(
            "{{\"game\":\"uttt\",\"bot\":\"sh -c 'touch mark'\",\"seat\":1,\"seed\":1,\"time\":{time},\"moves\":[],\"answer\":null}}"
        );
        assert_eq!(site.post("/play/move", &json, body.as_bytes()).status, 422);
    }
    assert!(!mark.exists());
    // By a click it does.
    let session = begin(&site, "game=uttt&bot=sh+-c+'touch+mark'&seat=1&time=0");
    assert!(go_on(&site, &session, "null")["is_over"] == true && mark.exists());
    assert!(ask(&format!("/play?session={session}"), "").body.contains("data-session"));
    assert_eq!(ask("/play?session=99", "").status, 404);
}

/// Also where the browser sends the cookie along: from another port of this machine.
#[test]
fn who_comes_from_elsewhere_gets_a_plain_page() {
    let site = Site::new();
    for path in
        ["/play?game=uttt&bot=greedy&time=1000", "/analyse?game=uttt&budget=30s", "/", "//evil.example/x"]
    {
        for from in ["cross-site", "same-site"] {
            let head = format!(
                "GET {path} HTTP/1.1\r\nHost: {}\r\n{}Sec-Fetch-Site: {from}\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n\r\n",
                site.host,
                site.cookie()
            );
            let page = site.send(&head, &[]);
            assert_eq!(page.status, 200);
            assert!(!page.body.contains("<script") && !page.body.contains("data-live"), "{}", page.body);
            let link = format!("href=\"http://{}{}\"", site.host, path.replace('&', "&amp;"));
            assert!(page.body.contains(&link), "{}", page.body);
        }
    }
}

#[test]
fn a_bot_that_crashes_has_lost_and_the_game_is_kept() {
    let site = Site::new();
    for (game, points) in [("box", "150 to 0"), ("uttt", "1 to 0")] {
        let session = begin(&site, &format!("game={game}&bot=sh+-c+'echo+sorry+>%262;exit+3'&seat=1&time=0"));
        let view = go_on(&site, &session, "null");
        let words = view["prompt"].as_str().unwrap();
        assert!(
            words.starts_with(&format!("You win, {points}: ")) && words.contains("exits early"),
            "{view}"
        );
        assert!(view["problem"].as_str().unwrap().contains("sorry"), "{view}");
        assert_eq!(go_on(&site, &session, "[\"4 4\"]"), view);
    }
    let log = site.folder.path().join("project/played.jsonl");
    let outcome = contender_replay::check(contender_replay::Source::open(&log).unwrap(), None).unwrap();
    assert_eq!((outcome.equal, outcome.problems), (2, Vec::new()));
}

#[test]
fn changing_a_league_takes_the_token_and_sense() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    common::add_league(&project, "sub/league");
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let known = format!("{}{form}", site.cookie());
    let post = |page: &str, headers: &str, body: &str| {
        site.post(&format!("/league/{page}"), headers, format!("dir=sub/league&{body}").as_bytes())
    };
    for page in ["start", "stop", "add", "state", "rename", "replace"] {
        let body = "name=greedy&state=removed&command=greedy";
        assert_eq!(post(page, form, body).status, 401, "{page}");
    }
    let page = || site.get("/league?dir=sub/league").body;
    assert!(page().contains("0 games, 3 bots playing") && !page().contains("<button type=\"submit\">Start"));
    // A script as a name, a name that is taken, a state that is none.
    for (page, body) in [
        ("add", "name=%3Cscript%3E&command=greedy"),
        ("add", "name=greedy&command=greedy"),
        ("add", "name=a&command=no-such-program-anywhere"),
        ("state", "name=greedy&state=gone"),
        ("state", "name=nobody&state=paused"),
        ("rename", "name=greedy&new=second"),
        ("rename", "name=greedy&new=.."),
        ("rename", "name=nobody&new=somebody"),
        ("replace", "name=greedy&new=second&command=greedy"),
        ("replace", "name=nobody&new=third&command=greedy"),
    ] {
        let answer = post(page, &known, body);
        assert_eq!(answer.status, 422, "{page} {body}: {}", answer.body);
    }
    assert_eq!(post("state", &known, "name=second&state=paused").status, 303);
    assert!(page().contains("2 bots playing"));
    assert_eq!(post("add", &known, "name=third&command=random").status, 303);
    assert!(page().contains("third") && page().contains("3 bots playing"));
}

#[test]
fn no_league_is_found_outside() {
    let site = Site::new();
    common::add_league(site.folder.path(), "elsewhere");
    common::add_league(&site.folder.path().join("project"), "league");
    #[cfg(unix)]
    std::os::unix::fs::symlink(
        site.folder.path().join("elsewhere"),
        site.folder.path().join("project/linked"),
    )
    .unwrap();
    let absolute = site.folder.path().join("elsewhere").display().to_string();
    for dir in ["../elsewhere", "linked", "league/../../elsewhere", &absolute, "", "nothing"] {
        for page in ["league", "league/live", "league/games", "league/nothing"] {
            assert_eq!(site.get(&format!("/{page}?dir={dir}")).status, 404, "{page} {dir}");
        }
        assert_eq!(site.get(&format!("/replay?league={dir}&game=1")).status, 404, "{dir}");
    }
    assert_eq!(site.get("/league?dir=league").status, 200);
    assert_eq!(site.get("/league/games?dir=league&a=nobody").status, 404);
    assert_eq!(site.get("/league/games?dir=league&failed=1").status, 200);
    assert_eq!(site.get("/replay?league=league&game=1").status, 404);
}

#[test]
fn starting_and_thinking_take_the_token() {
    let site = Site::new();
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let body = b"game=uttt&a=greedy&b=random&pairs=1&file=games.jsonl";
    for page in ["/match/start", "/match/stop"] {
        assert_eq!(site.post(page, form, body).status, 401, "{page}");
    }
    assert_eq!(site.get("/analyse/live?game=uttt&budget=60s").status, 401);
    for path in [
        "/analyse?game=uttt",
        "/analyse?game=box&moves=",
        "/matches?game=box",
        "/match?file=games.jsonl&sprt=0,5",
    ] {
        let answer = site.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        assert!(answer.body.contains("with the token") || path.starts_with("/match?"), "{path}");
    }
    for (path, status) in [
        ("/analyse?game=chess", 404),
        ("/analyse?game=uttt&moves=9%209", 422),
        ("/analyse?game=uttt&bot=sh%20-c%20true", 422),
        ("/analyse?game=uttt&budget=9999999s", 422),
        ("/analyse?game=uttt&budget=99999999999", 422),
        ("/analyse?game=uttt&seed=x", 422),
        ("/analyse?game=uttt&rules=a=b=c,", 422),
        ("/match?file=../secret.jsonl", 404),
        ("/match?file=link.jsonl", 404),
        ("/match/live?file=../secret.jsonl", 404),
        ("/match?file=games.jsonl&sprt=5,0", 422),
        ("/match?file=broken.jsonl", 200),
        ("/training?dir=..", 404),
        ("/training/live?dir=sub", 404),
        ("/training?dir=", 404),
    ] {
        let answer = site.get(path);
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        assert!(!answer.body.contains("hidden\u{20}"), "{path}");
    }
    let known = format!("{}{form}", site.cookie());
    for body in [
        "game=uttt&a=greedy&b=nobody&pairs=1",
        "game=uttt&a=greedy&b=random&pairs=--log%3D/etc/passwd",
        "game=chess&a=greedy&b=random&pairs=1",
        "game=uttt&a=x%3Dgreedy&b=x%3Drandom&pairs=1",
        "game=uttt&a=greedy&b=random&pairs=1&sprt=9,1",
    ] {
        assert_eq!(site.post("/match/start", &known, body.as_bytes()).status, 422, "{body}");
    }
    // No log is left of what was not started.
    assert!(!site.folder.path().join("project/match-uttt-1.jsonl").exists());
}

#[test]
fn what_bots_are_called_is_text_on_live_pages() {
    let site = Site::new();
    let script = "<script>alert(1)</script>";
    let page = site.get("/match?file=evil.jsonl").body;
    assert!(!page.contains(script) && page.contains("&lt;script&gt;"), "{page}");
}

/// All that changes, starts or adds anything.
const POSTS: [&str; 11] = [
    "/drop?name=a",
    "/match/start",
    "/match/stop",
    "/league/start",
    "/league/stop",
    "/league/new",
    "/league/add",
    "/league/state",
    "/play/start",
    "/play/move",
    "/play/hint",
];

#[test]
fn every_page_refuses_other_sites_and_other_names() {
    let site = Site::new();
    let known = format!(
        "{}Content-Type: application/x-www-form-urlencoded\r\nOrigin: http://{}\r\n",
        site.cookie(),
        site.host
    );
    for page in POSTS {
        // A page of another server on this machine is as foreign as any.
        for foreign in ["http://evil.example", "http://127.0.0.1:1", "http://localhost:1", "null"] {
            let headers = format!("{}Origin: {foreign}\r\n", site.cookie());
            assert_eq!(site.post(page, &headers, b"x").status, 403, "{page} from {foreign}");
        }
        assert_eq!(site.post(page, "", b"x").status, 401, "{page}");
        // No page does anything because it is read.
        let status = site.get(page).status;
        assert_eq!(status, 405, "{page}");
        let status = site
            .post(
                page,
                &known.replace("Content-Type: application/x-www-form-urlencoded", "Content-Type: text/plain"),
                b"x",
            )
            .status;
        assert!(page.starts_with("/drop") || status == 415, "{page}: {status}");
    }
    let pages = [
        "/",
        "/league/live?dir=league",
        "/match/live?file=games.jsonl",
        "/training/live?dir=",
        "/analyse/live?game=uttt",
        "/board?file=games.jsonl",
        "/replay?file=games.jsonl",
    ];
    for page in pages {
        let ask = |host: &str, headers: &str| {
            let head = format!("GET {page} HTTP/1.1\r\nHost: {host}\r\n{}{headers}\r\n", site.cookie());
            site.send(&head, &[]).status
        };
        for name in ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1.evil.example", ""] {
            assert_eq!(ask(name, ""), 421, "{page} of {name}");
        }
        for mode in ["cors", "no-cors", "websocket"] {
            let headers = format!("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: {mode}\r\n");
            assert_eq!(ask(&site.host, &headers), 403, "{page} as {mode}");
        }
        // In a frame, of this machine or of another.
        for from in ["cross-site", "same-site"] {
            let headers =
                format!("Sec-Fetch-Site: {from}\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n");
            assert_eq!(ask(&site.host, &headers), 403, "{page} in a frame, {from}");
        }
    }
}

#[test]
fn every_parameter_stays_in_the_project() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    common::add_league(site.folder.path(), "elsewhere");
    std::fs::write(site.folder.path().join("checkpoint.json"), "{}").unwrap();
    std::fs::write(project.join("checkpoint.json"), "{}").unwrap();
    let long = "a/".repeat(20_000);
    for outside in ["..", "../elsewhere", "%2e%2e%2felsewhere", "/etc", "..%00", "....//", &long] {
        for page in [
            format!("/training?dir={outside}"),
            format!("/training?dir=&other={outside}"),
            format!("/training/live?dir=&other={outside}"),
            format!("/league?dir={outside}"),
            format!("/league/games?dir={outside}"),
            format!("/match?file={outside}/secret.jsonl"),
            format!("/match/live?file={outside}/secret.jsonl"),
            format!("/log?file={outside}/secret.jsonl"),
            format!("/log?drop={outside}"),
            format!("/board?league={outside}&game=1"),
        ] {
            let answer = site.get(&page);
            assert!(matches!(answer.status, 404 | 414 | 422 | 431), "{:.60}: {}", page, answer.status);
            assert!(!answer.body.contains("hidden") && !answer.body.contains("0 games"), "{:.60}", page);
        }
    }
    let form = format!("{}Content-Type: application/x-www-form-urlencoded\r\n", site.cookie());
    for outside in ["..", "../elsewhere", "/etc"] {
        let new = format!("game=uttt&bot=greedy&seat=0&time=0&entry=greedy+{outside}");
        let answer = site.post("/play/start", &form, new.as_bytes());
        assert!(matches!(answer.status, 404 | 422), "{outside}: {}", answer.body);
    }
    for page in ["start", "add", "state"] {
        let body = b"dir=../elsewhere&name=greedy&state=paused&command=greedy";
        assert_eq!(site.post(&format!("/league/{page}"), &form, body).status, 404, "{page}");
    }
    // The name of a dropped file is a word, not a path.
    let name = "..%2F..%2Fetc%2Fcron.d%2Fx".to_string() + &"y".repeat(5000);
    assert_eq!(site.post(&format!("/drop?name={name}"), &form, log_line("b", "c").as_bytes()).status, 200);
    let page = site.get("/log?drop=1").body;
    assert!(page.contains("../../etc/cron.d/x") && !page.contains(&"y".repeat(200)));
}

#[test]
fn colours_and_markup_of_bots_are_text() {
    let site = Site::new();
    let words = "\u{1b}[31m\u{7}</pre><h1>owned</h1>&lt;\u{202e}\0";
    std::fs::write(
        site.folder.path().join("project/ansi.jsonl"),
        log_line(words, &format!("{words}{}", "long ".repeat(40_000))),
    )
    .unwrap();
    for path in ["/log?file=ansi.jsonl", "/replay?file=ansi.jsonl&game=1", "/match?file=ansi.jsonl"] {
        let answer = site.get(path);
        assert_eq!(answer.status, 200, "{path}");
        let is_clean = !answer.body.contains("<h1>owned") && !answer.body.contains("</pre><h1>");
        assert!(is_clean && answer.body.contains("&lt;h1&gt;owned"), "{path}");
        assert!(answer.body.contains("&amp;lt;"), "{path}");
    }
}
