//! Requests from other sites, under other host names of this machine, and without the token.

use crate::common::{Site, log_line};

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
    // A page of another site may link here but must not read the answer.
    let get =
        |headers: &str| site.send(&format!("GET / HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", site.host), &[]);
    assert_eq!(get("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n").status, 200);
    assert_eq!(get("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n").status, 403);
    assert_eq!(get("Origin: http://evil.example\r\n").status, 403);
    // An attacker can point a host name to this machine.
    let answer = site.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", &[]);
    assert_eq!(answer.status, 421);
    assert!(!answer.body.contains("games.jsonl"));
}

/// A tunnel from another port uses a host name that the server does not know. The answer shows the option that allows
/// the name.
#[test]
fn a_name_of_a_tunnel_passes_once_it_is_given() {
    let get = |site: &Site, host: &str| site.send(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"), &[]);
    let refused = get(&Site::new(), "localhost:9000");
    assert_eq!(refused.status, 421);
    assert!(refused.body.contains("web --name localhost:9000"), "{}", refused.body);
    let site = Site::of("127.0.0.1", |server| server.with_names(&["localhost:9000".to_string()]));
    assert_eq!(get(&site, "localhost:9000").status, 200);
    assert_eq!(get(&site, "localhost:9001").status, 421);
    let own = "Host: localhost:9000\r\nOrigin: http://localhost:9000\r\nContent-Length: 0\r\n";
    let posted = site.send(&format!("POST /drop?name=a HTTP/1.1\r\n{own}{}\r\n", site.cookie()), &[]);
    assert!(![403, 421].contains(&posted.status), "{}", posted.body);
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
    assert!(site.get("/log?drop=1").body.contains(">c</"));
    // The address with the token sets a cookie that no script and no other site can use.
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

/// A visitor from another site gets a plain page, even if the browser sends the cookie, as it does from another port of
/// this machine.
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
fn changing_a_league_takes_the_token_and_sense() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    crate::common::add_league(&project, "sub/league");
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
    assert!(page().contains("3 bots<") && !page().contains("<button type=\"submit\">Start"));
    // Invalid values: a script as a name, a name that exists, an unknown state.
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
    assert!(page().contains("3 bots, 1 paused"));
    let answer = post("add", &known, "name=third&command=random");
    assert_eq!(answer.status, 303, "{}", answer.body);
    assert!(page().contains("third") && page().contains("4 bots, 1 paused"));
}

/// All addresses that change, start or add something.
const POSTS: [&str; 12] = [
    "/drop?name=a",
    "/match/start",
    "/match/stop",
    "/league/start",
    "/league/stop",
    "/league/new",
    "/league/add",
    "/league/resume",
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
        // A page on another port of this machine is as foreign as any other site.
        for foreign in ["http://evil.example", "http://127.0.0.1:1", "http://localhost:1", "null"] {
            let headers = format!("{}Origin: {foreign}\r\n", site.cookie());
            assert_eq!(site.post(page, &headers, b"x").status, 403, "{page} from {foreign}");
        }
        assert_eq!(site.post(page, "", b"x").status, 401, "{page}");
        // Reading a page changes nothing.
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
        // The request comes from a frame, on a page of this machine or of another one.
        for from in ["cross-site", "same-site"] {
            let headers =
                format!("Sec-Fetch-Site: {from}\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n");
            assert_eq!(ask(&site.host, &headers), 403, "{page} in a frame, {from}");
        }
    }
}
