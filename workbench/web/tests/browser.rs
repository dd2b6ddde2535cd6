//! The pages in a real browser. Skipped with a word where none is installed. With `CONTENDER_PICTURES` set to a folder the pictures of
//! the documentation are written there.

mod common;

use common::Site;
use common::browser::Browser;
use contender_catalogue::CONTESTS;
use contender_game::Player;
use contender_referee::{Entrant, GamePlan, Referee};
use std::path::Path;
use std::sync::atomic::AtomicBool;

const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";
const END: &str = "\u{e010}";

/// Adds a game of every kind to the project: `entropy.jsonl` and so on.
fn add_games(project: &Path) {
    for contest in CONTESTS {
        let greedy = Entrant::parse(*contest, "greedy").unwrap();
        let plan = GamePlan { players: [&greedy, &greedy], luck: 5, bot_seeds: [1, 2] };
        let record = Referee::of(*contest).play(*contest, plan, &AtomicBool::new(false)).unwrap();
        assert!(Player::BOTH.iter().all(|&player| record.seats[player.index()].answers > 5));
        std::fs::write(project.join(format!("{}.jsonl", contest.name())), record.to_json() + "\n").unwrap();
    }
}

fn picture(browser: &Browser, name: &str) {
    if let Some(folder) = std::env::var_os("CONTENDER_PICTURES") {
        browser.screenshot(&Path::new(&folder).join(name));
    }
}

#[test]
fn a_replay_of_every_game_is_stepped_through() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    add_games(&site.folder.path().join("project"));
    browser.open(&format!("http://{}/?token={}", site.host, site.token));
    assert!(browser.eval("document.body.innerText").as_str().unwrap().contains("entropy.jsonl"));
    picture(&browser, "web-home.png");
    for contest in CONTESTS {
        let name = contest.name();
        browser.open(&format!("http://{}/replay?file={name}.jsonl&game=1", site.host));
        browser.wait("document.querySelector('#first')?.disabled");
        let board = "document.querySelector('#board svg').getAttribute('aria-label')";
        for turn in 1..=3 {
            browser.press(RIGHT);
            browser.wait(&format!("{board}.includes('after move {turn}:')"));
        }
        browser.press(LEFT);
        browser.wait(&format!("{board}.includes('after move 2:')"));
        assert!(browser.eval("location.search").as_str().unwrap().ends_with("turn=2"));
        assert_eq!(browser.eval("document.querySelector('.moves [aria-current]').parentElement.parentElement.children[1] === document.querySelector('.moves [aria-current]').parentElement"), true);
        browser.click(".moves li:nth-child(5) a");
        browser.wait(&format!("{board}.includes('after move 5:')"));
        browser.click("#play");
        browser.wait(&format!("{board}.includes('after move 7:')"));
        browser.click("#play");
        browser.press(END);
        browser.wait("document.querySelector('#last')?.disabled");
        browser.open(&format!("http://{}/replay?file={name}.jsonl&game=1&turn=24", site.host));
        browser.wait("document.querySelector('.moves [aria-current]')");
        picture(&browser, &format!("web-replay-{name}.png"));
    }
    browser.assert_clean(&site.host);
}

#[test]
fn scripts_in_names_do_not_run() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    for path in ["/", "/log?file=evil.jsonl", "/replay?file=evil.jsonl&game=1&turn=1"] {
        browser.open(&format!("http://{}{path}", site.host));
        browser.wait("document.readyState === 'complete'");
        assert_eq!(browser.eval("document.querySelectorAll('main img, main script:not([type])').length"), 0);
    }
    browser.wait("document.querySelector('#words').innerText.includes('onerror')");
    browser.assert_clean(&site.host);
}

#[test]
fn a_file_can_be_dropped() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&format!("http://{}/?token={}", site.host, site.token));
    let line = serde_json::to_string(&common::log_line("dropped", "file")).unwrap();
    browser.eval(&format!(
        "(() => {{ const data = new DataTransfer(); data.items.add(new File([{line}], 'my games.jsonl')); \
         dispatchEvent(new DragEvent('drop', {{ dataTransfer: data }})); }})()"
    ));
    browser.wait("location.pathname === '/log'");
    browser.wait(
        "document.body.innerText.includes('my games.jsonl') && document.body.innerText.includes('dropped')",
    );
    browser.click("tbody a");
    browser.wait("document.querySelector('#board svg')");
    browser.assert_clean(&site.host);
}
