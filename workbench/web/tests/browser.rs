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
        browser.wait("document.querySelector('#slider').value >= 7");
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

#[test]
fn a_game_is_played_to_its_end() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&format!("http://{}/?token={}", site.host, site.token));
    browser.open(&format!("http://{}/play?game=uttt&bot=greedy&seat=1&time=100&seed=3", site.host));
    let count = "document.querySelectorAll('#moves li').length";
    // The bot moves first; a move is taken back and played again.
    browser.wait(&format!("{count} === 1"));
    let click = "(() => { const square = document.querySelector('.square.open').getBoundingClientRect(); \
         const [x, y] = [square.x + square.width / 2, square.y + square.height / 2]; \
         document.elementFromPoint(x, y).dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: x, clientY: y})); })()";
    browser.eval(click);
    browser.wait(&format!("{count} === 3"));
    browser.click("#undo");
    browser.wait(&format!("{count} === 1"));
    browser.click("#hint");
    browser.wait("document.querySelector('#advice').textContent.includes('greedy would play')");
    // What is not legal says why.
    browser.eval("(() => { document.querySelector('#text').value = '9 9'; document.querySelector('#answer').requestSubmit(); })()");
    browser.wait("document.querySelector('#problem').textContent.includes('not on the board')");
    for _ in 0..60 {
        if browser.eval("document.querySelector('#text').disabled") == true {
            break;
        }
        let before = browser.eval(count);
        browser.eval(click);
        browser.wait(&format!("{count} > {before}"));
        if before == 9 {
            picture(&browser, "web-play.png");
        }
    }
    let end = browser.eval("document.querySelector('#prompt').textContent");
    assert!(
        end.as_str().unwrap().starts_with("You ") || end.as_str().unwrap().starts_with("A draw"),
        "{end}"
    );
    browser.assert_clean(&site.host);
    // The game is a log like any other, and agrees with the rules.
    let log = site.folder.path().join("project/played.jsonl");
    let source = contender_replay::Source::open(&log).unwrap();
    let outcome = contender_replay::check(source, None).unwrap();
    assert_eq!((outcome.equal, outcome.problems), (1, Vec::new()));
}

#[test]
fn every_game_can_be_played_by_clicks() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&format!("http://{}/?token={}", site.host, site.token));
    for contest in CONTESTS {
        for seat in 0..2 {
            let name = contest.name();
            browser.open(&format!(
                "http://{}/play?game={name}&bot=greedy&seat={seat}&time=100&seed=3",
                site.host
            ));
            browser.wait("document.querySelectorAll('.square.open').length > 0");
            let count = "document.querySelectorAll('#moves li').length";
            let before = browser.eval(count).as_u64().unwrap();
            // A square, then what is left to choose, until the move is complete.
            let act = "(() => { const button = document.querySelector('#choices button'); \
                 const square = document.querySelector('.square.open:not(.chosen)')?.getBoundingClientRect(); \
                 if (button) return button.click(); if (!square) return; \
                 const [x, y] = [square.x + square.width / 2, square.y + square.height / 2]; \
                 document.elementFromPoint(x, y).dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: x, clientY: y})); })()";
            for _ in 0..10 {
                browser.eval(act);
                std::thread::sleep(std::time::Duration::from_millis(300));
                if browser.eval(count).as_u64().unwrap() > before {
                    break;
                }
            }
            browser.wait(&format!("{count} > {before}"));
            assert_eq!(browser.eval("document.querySelector('#problem').textContent"), "", "{name}");
        }
        picture(&browser, &format!("play-{}.png", contest.name()));
    }
    browser.assert_clean(&site.host);
}
