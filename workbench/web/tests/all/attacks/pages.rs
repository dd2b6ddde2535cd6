//! The pages that are served, with a policy that keeps foreign scripts out.

use crate::common::{Site, add_tuning, log_line};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;

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

/// The page of a finished tuning run shows its numbers of games and its charts.
#[test]
fn a_tuning_is_listed_and_shown() {
    let site = Site::new();
    add_tuning(&site.folder.path().join("project"));
    assert!(site.get("/").body.contains("/tuning?dir=c"));
    let page = site.get("/tuning?dir=c").body;
    for words in [
        "Tuning of uttt classic",
        "80 for the test",
        "80 for the tuning",
        "Effect of c",
        "Best value of c",
        "Allowed values",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains("% of the range"), "{page}");
    // The bars of the progress are gone at the end.
    assert_eq!(page.matches("<figure").count(), 2);
    assert!(!page.contains("80 of 80 games"), "{page}");
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

/// All of 127.0.0.0/8 is this machine, so the printed address is accepted as a host name.
#[cfg(target_os = "linux")]
#[test]
fn another_address_of_this_machine_is_its_own_name() {
    let site = Site::at("127.0.0.2");
    assert!(site.host.starts_with("127.0.0.2:"), "{}", site.host);
    assert_eq!(site.get("/").status, 200);
    let answer = site.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", &[]);
    assert_eq!(answer.status, 421);
}

/// The format of a file is recognised by its content, whatever the file is called.
#[test]
fn every_form_that_replay_reads_can_be_dropped() {
    let site = Site::new();
    let line = log_line("b", "c");
    let mut zipped = GzEncoder::new(Vec::new(), Compression::fast());
    zipped.write_all(line.as_bytes()).unwrap();
    let zipped = zipped.finish().unwrap();
    // The first byte of a seed selects an option of the fuzz target.
    let [boxes, cells, checks]: [&[u8]; 3] = [
        &include_bytes!("../../../../../fuzz/seeds/replay/box.csv")[1..],
        &include_bytes!("../../../../../fuzz/seeds/replay/cellularena")[1..],
        &include_bytes!("../../../../../fuzz/seeds/replay/uttt.txt")[1..],
    ];
    // With the correct hash in its start, the game can be shown up to the first difference.
    let cells = String::from_utf8_lossy(cells).replacen("\"hash\":\"0\"", "\"hash\":\"bf713d53d7503fcf\"", 1);
    let files =
        [(line.as_bytes(), ">c</"), (&zipped, ">c</"), (boxes, "A against B"), (cells.as_bytes(), "game=1")];
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
    assert!(page.body.contains("no games to show"), "{}", page.body);
}

/// Browsers keep the scripts and styles of a page, whose address changes with the program. They keep nothing else.
#[test]
fn only_scripts_and_styles_are_kept() {
    let site = Site::new();
    let page = site.get("/");
    let start = page.body.find("/assets/").expect("a page loads its files from their folder");
    let folder = &page.body[start..start + "/assets/".len() + 16];
    for file in ["/style.css", "/board.css", "/app.js", "/inter.woff2"] {
        let kept = site.get(&format!("{folder}{file}"));
        assert_eq!(kept.status, 200, "{file}");
        assert!(kept.head.contains("cache-control: private, max-age=31536000, immutable"), "{}", kept.head);
        assert!(site.get(file).head.contains("cache-control: no-store"), "{file}");
    }
    assert!(page.head.contains("cache-control: no-store"), "{}", page.head);
    let missing = site.get(&format!("{folder}/none.js"));
    assert_eq!(missing.status, 404);
    assert!(missing.head.contains("cache-control: no-store"), "{}", missing.head);
}
