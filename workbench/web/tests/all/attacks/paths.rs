//! Paths that lead out of the project.

use crate::common::{Site, log_line};

/// A viewer's files can be read with the key of its page, without the token and from a frame without an origin. The key
/// gives access to nothing else, and without the key nothing can be read.
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
    // The same page has the same key again.
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
fn no_league_is_found_outside() {
    let site = Site::new();
    crate::common::add_league(site.folder.path(), "elsewhere");
    crate::common::add_league(&site.folder.path().join("project"), "league");
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
fn every_parameter_stays_in_the_project() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    crate::common::add_league(site.folder.path(), "elsewhere");
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
    // The name of a dropped file is only shown, never used as a path.
    let name = "..%2F..%2Fetc%2Fcron.d%2Fx".to_string() + &"y".repeat(5000);
    assert_eq!(site.post(&format!("/drop?name={name}"), &form, log_line("b", "c").as_bytes()).status, 200);
    let page = site.get("/log?drop=1").body;
    assert!(page.contains("../../etc/cron.d/x") && !page.contains(&"y".repeat(200)));
}
