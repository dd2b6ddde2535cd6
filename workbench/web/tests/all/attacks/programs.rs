//! Programs that no user has started, and programs that fail.

use crate::common::Site;

#[test]
fn playing_takes_the_token_and_sense() {
    let site = Site::new();
    let told = |change: &str| {
        let plain = "{\"game\":\"uttt\",\"bot\":\"greedy\",\"seat\":0,\"seed\":\"1\",\"time\":1,\"moves\":[],\"answer\":null}";
        let (from, to) = change.split_once("=>").unwrap_or(("", ""));
        plain.replacen(from, to, usize::from(!from.is_empty()))
    };
    let json = "Content-Type: application/json\r\n";
    let known = format!("{}{json}", site.cookie());
    assert_eq!(site.post("/play/move", json, told("").as_bytes()).status, 401);
    let answer = site.post("/play/move", &known, told("").as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.body.contains("\"choices\":[{\"text\":\"0 0\""));
    // Seeds have 64 bits with or without a sign, more than a script's numbers can hold.
    for (seed, status) in
        [("9007199254740993", 200), ("18446744073709551615", 200), ("-1", 200), ("0.5", 422)]
    {
        let change = format!("\"seed\":\"1\"=>\"seed\":\"{seed}\"");
        assert_eq!(site.post("/play/move", &known, told(&change).as_bytes()).status, status, "{seed}");
    }
    // A form in another format, which pages of other sites could send, is rejected.
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
        // The bot is only created when it has to move.
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
        assert!(answer.body.contains("\"problem\":\"This answer is not legal"), "{wrong}: {}", answer.body);
    }
}

/// Starts a game with the form and returns the number of its session.
fn begin(site: &Site, form: &str) -> String {
    let headers = format!("{}Content-Type: application/x-www-form-urlencoded\r\n", site.cookie());
    let answer = site.post("/play/start", &headers, form.as_bytes());
    assert_eq!(answer.status, 303, "{}", answer.body);
    let place = answer.head.lines().find_map(|line| line.strip_prefix("location: ")).unwrap().to_string();
    place.rsplit_once("session=").unwrap().1.to_string()
}

/// Sends an answer, or `null`, to a session's game.
fn go_on(site: &Site, session: &str, answer: &str) -> serde_json::Value {
    let headers = format!("{}Content-Type: application/json\r\n", site.cookie());
    let body = format!(
        "{{\"game\":\"\",\"bot\":\"\",\"seat\":0,\"seed\":\"1\",\"time\":0,\"moves\":[],\"answer\":{answer},\"session\":{session}}}"
    );
    let answer = site.post("/play/move", &headers, body.as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.body);
    serde_json::from_str(&answer.body).unwrap()
}

/// Only a form on this server's own page can start a command.
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
        format!("/matches/new?game=uttt&a={command}&b=greedy"),
        format!("/analyse?game=uttt&bot={command}"),
        format!("/analyse/live?game=uttt&bot={command}"),
    ] {
        let page = ask(&path, "");
        // The page neither starts the program with a script nor prepares a form that only needs a click.
        assert!(!page.body.contains("touch") || page.status == 422, "{path}: {}", page.body);
        assert!(!page.body.contains("id=\"board\"") || !path.starts_with("/play"), "{path}: {}", page.body);
    }
    let json = format!("{}Content-Type: application/json\r\n", site.cookie());
    for time in [0, 1000] {
        let body = format!(
            "{{\"game\":\"uttt\",\"bot\":\"sh -c 'touch mark'\",\"seat\":1,\"seed\":\"1\",\"time\":{time},\"moves\":[],\"answer\":null}}"
        );
        assert_eq!(site.post("/play/move", &json, body.as_bytes()).status, 422);
    }
    assert!(!mark.exists());
    // The form starts the program.
    let session = begin(&site, "game=uttt&bot=sh+-c+'touch+mark'&seat=1&time=0");
    assert!(go_on(&site, &session, "null")["is_over"] == true && mark.exists());
    assert!(ask(&format!("/play?session={session}"), "").body.contains("data-session"));
    assert_eq!(ask("/play?session=99", "").status, 404);
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
        "/matches/new?game=box",
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
    // A match that was not started leaves no log.
    assert!(!site.folder.path().join("project/match-uttt-1.jsonl").exists());
}
