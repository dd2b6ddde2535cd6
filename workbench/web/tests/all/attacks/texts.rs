//! Scripts and markup in names and in bots' output.

use crate::common::{Site, log_line};

/// Bots' output in a log of CodinGame's engine is shown as text, and other JSON files are not listed.
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
fn what_bots_are_called_is_text_on_live_pages() {
    let site = Site::new();
    let script = "<script>alert(1)</script>";
    let page = site.get("/match?file=evil.jsonl").body;
    assert!(!page.contains(script) && page.contains("&lt;script&gt;"), "{page}");
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
