//! Accessibility of every page in a real browser. On a telephone nothing scrolls sideways and no text is too small.
//! Every control has a name and can be reached with the keyboard, and axe-core finds no problem.

use crate::common::browser::Browser;
use crate::common::{ENGINE_LOG, Site, add_games, add_league, add_training, add_tuning};
use contender_league::{League, Store, import};
use contender_referee::{Entrant, Fixture, Referee};
use serde_json::json;
use std::sync::atomic::AtomicBool;

const TAB: &str = "\u{e004}";

/// Every page: its name, its address, and a selector that matches when the page is ready.
const PAGES: [(&str, &str, &str); 25] = [
    ("home", "/", "#logs tbody a"),
    ("log", "/log?file=uttt.jsonl", "tbody a"),
    ("game", "/replay?file=uttt.jsonl&game=1&turn=9", ".moves [aria-current]"),
    ("game-box", "/replay?file=box.jsonl&game=1&turn=9", ".moves [aria-current]"),
    (
        "game-cellularena",
        "/replay?file=cellularena.jsonl&game=1&turn=9",
        ".moves [aria-current] .both .seat-1",
    ),
    ("game-entropy", "/replay?file=entropy.jsonl&game=1&turn=9", ".moves [aria-current]"),
    ("game-spaghetti", "/replay?file=spaghetti.jsonl&game=1&turn=9", ".moves [aria-current]"),
    ("engine", "/engine?file=engine.json", "main h1"),
    ("engine-logs", "/engine", ".engine-page"),
    ("league", "/league?dir=league", "svg.spark"),
    ("league-games", "/league/games?dir=league", "h1"),
    ("bot", "/league/bot?dir=league&name=greedy", "#latest"),
    ("matches", "/matches", "#matches tbody a"),
    ("new-match", "/matches/new?game=box", ".fields"),
    ("leagues", "/leagues", ".leagues tbody a"),
    ("new-league", "/leagues/new?game=uttt", ".fields"),
    ("match", "/match?file=uttt.jsonl&sprt=0,10", "#games tbody a"),
    ("analyse", "/analyse?game=entropy&bot=greedy&moves=1Dd", "#found tbody tr"),
    ("play", "/play?game=uttt&bot=greedy&seat=0&seed=3", ".square.open"),
    ("play-box", "/play?game=box&bot=greedy&seat=0&seed=3", ".square.open"),
    ("rules", "/rules?game=box", ".words p"),
    ("training", "/training?dir=training", "#curves svg"),
    ("tuning", "/tuning?dir=c", "#parameters [data-chart] .band"),
    ("components", "/components", "[data-chart]"),
    ("problem", "/rules?game=none", "#ways a"),
];

/// Returns a server with content on every page.
fn site() -> Site {
    let site = Site::new();
    let project = site.folder.path().join("project");
    add_games(&project);
    add_league(&project, "league");
    add_training(&project, "training", 1.0);
    add_tuning(&project);
    std::fs::write(project.join("engine.json"), ENGINE_LOG).unwrap();
    let uttt = contender_catalogue::find("uttt").unwrap();
    let bots = ["greedy", "random"].map(|bot| Entrant::parse(uttt, bot).unwrap());
    let games = (0..24_u64).map(|seed| {
        let seats = [seed % 2, 1 - seed % 2].map(|at| &bots[at as usize]);
        let fixture = Fixture::between(seats, seed, [1, 2]);
        Referee::of(uttt).play(uttt, &fixture, &AtomicBool::new(false)).unwrap().to_json() + "\n"
    });
    std::fs::write(project.join("league.jsonl"), games.collect::<String>()).unwrap();
    let league = League::open(&project.join("league")).unwrap();
    import(&mut Store::open(&league).unwrap(), &project.join("league.jsonl"), "uttt", &mut |_| true).unwrap();
    site
}

fn open(browser: &Browser, site: &Site, path: &str, ready: &str) {
    browser.open(&site.url(path));
    browser.wait(&format!("document.querySelector(\"{ready}\")"));
}

/// Checks a page at the width of a telephone.
fn fits(browser: &Browser, site: &Site, (name, path, ready): (&str, &str, &str)) {
    open(browser, site, path, ready);
    let width = browser.eval("document.documentElement.scrollWidth").as_u64().unwrap();
    assert!(width <= 390, "{path} is {width} wide");
    let face = "document.fonts.ready.then(() => \
         [...document.fonts].map((face) => `${face.family} ${face.status}`).join())";
    assert_eq!(browser.eval(face), "Inter loaded", "{path}");
    let links = "[...document.querySelectorAll('.top a')].every((link) => { const place = link.getBoundingClientRect(); \
         return place.left >= 0 && place.right <= 390 && place.width > 0; })";
    assert_eq!(browser.eval(links), true, "{path}");
    // Text in a picture is scaled with the picture. A size of 12 becomes 11.98. Pictures that only decorate a link are
    // hidden from assistive technology, and their text may be small.
    let small = "[...document.querySelectorAll('main *')].filter((part) => part.checkVisibility() && !part.closest('[aria-hidden]') \
         && [...part.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())).map((part) => { \
         const to = part.closest('svg text')?.getScreenCTM() ?? { a: 1, b: 0 }; \
         return [part.outerHTML.slice(0, 80), parseFloat(getComputedStyle(part).fontSize) * Math.hypot(to.a, to.b)]; \
         }).filter(([, size]) => size < 11.9)";
    assert_eq!(browser.eval(small), json!([]), "{path}");
    browser.picture(&format!("web-{name}-narrow.png"));
}

/// Visits all controls of a page with the keyboard, and returns the problems that axe-core finds.
fn is_in_reach(browser: &Browser, site: &Site, (_, path, ready): (&str, &str, &str)) -> Vec<String> {
    let axe = std::env::var_os("CONTENDER_AXE").map(|path| std::fs::read_to_string(path).unwrap());
    let mut problems = Vec::new();
    open(browser, site, path, ready);
    // In a group of radio buttons only the chosen one can be reached with Tab; the arrow keys choose another.
    browser.run(
        "window.controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter((control) => \
         control.checkVisibility() && !control.disabled && control.type !== 'hidden' && (control.type !== 'radio' || control.checked)); \
         window.reached = new Set(); document.activeElement?.blur();",
    );
    let unnamed = browser.eval(
        "controls.filter((control) => !(control.getAttribute('aria-label') || control.labels?.[0]?.textContent || control.textContent).trim()) \
         .map((control) => control.outerHTML)",
    );
    assert_eq!(unnamed, json!([]), "{path}");
    let count = browser.eval("controls.length").as_u64().unwrap();
    assert!(count > 4, "{path} has {count}");
    for _ in 0..count + 5 {
        browser.press(TAB);
        browser.run("reached.add(document.activeElement)");
    }
    let missed = browser
        .eval("controls.filter((control) => !reached.has(control)).map((control) => control.outerHTML)");
    assert_eq!(missed, json!([]), "{path}");
    for width in [1280, 390] {
        let Some(axe) = &axe else { break };
        browser.narrow(width);
        browser.run(axe);
        let found = browser.eval("axe.run().then((found) => found.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join('  ')))");
        problems
            .extend(found.as_array().unwrap().iter().map(|problem| format!("{path} at {width}: {problem}")));
    }
    problems
}

/// The list of a bot's games shows only those with the chosen result. Without a bot all games are shown.
#[test]
fn games_of_a_bot_are_filtered_by_result() {
    let site = site();
    let chips = |address: &str| {
        let page = site.get(address).body;
        let rows = page.split_once("<tbody>").map_or("", |(_, rows)| rows);
        ["chip win", "chip loss", "<tr "].map(|part| rows.matches(part).count())
    };
    let all = chips("/league/games?dir=league&a=greedy");
    assert_eq!(all[2], 24);
    assert!(all[0] > 0 && all[0] + all[1] <= 24, "{all:?}");
    assert_eq!(chips("/league/games?dir=league&a=greedy&result=won"), [all[0], 0, all[0]]);
    assert_eq!(chips("/league/games?dir=league&a=greedy&result=lost"), [0, all[1], all[1]]);
    // Without a bot, no result is shown.
    assert_eq!(chips("/league/games?dir=league&result=won"), [0, 0, 24]);
    let games = |page: &str| {
        site.get(page).body.split_once("id=\"games-of\"").unwrap().1.matches("<tr data-key").count()
    };
    assert_eq!(games("/league?dir=league"), 10, "the latest games are below the table");
}

/// On a telephone nothing scrolls sideways, the whole navigation is visible, and no text is too small.
#[test]
fn a_narrow_window_shows_everything() {
    let Some(browser) = Browser::start() else { return };
    let site = site();
    browser.open(&site.pass());
    browser.narrow(390);
    for page in PAGES {
        fits(&browser, &site, page);
    }
    // One of the pages shows an error on purpose.
    browser.assert_refused(1);
    browser.assert_clean(&site.host);
}

/// Every control has a name and can be reached with the keyboard. If `CONTENDER_AXE` is the path of `axe.min.js`,
/// axe-core finds no problem either (`scripts/check-accessibility.sh`).
#[test]
fn every_control_is_in_reach_and_named() {
    let Some(browser) = Browser::start() else { return };
    let site = site();
    browser.open(&site.pass());
    let problems: Vec<String> =
        PAGES.into_iter().flat_map(|page| is_in_reach(&browser, &site, page)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    // One of the pages shows an error on purpose.
    browser.assert_refused(1);
    browser.assert_clean(&site.host);
}

/// The page of workers is accessible too, even if a worker has a long message.
#[cfg(feature = "cluster")]
#[test]
fn the_page_of_workers_is_in_reach_too() {
    use std::io::Write;
    let Some(browser) = Browser::start() else { return };
    let store = tempfile::tempdir().unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = std::process::Command::new("nats-server");
    command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"]).arg(store.path());
    let Ok(server) = command.stderr(std::process::Stdio::null()).spawn() else {
        return eprintln!("skipped: there is no nats-server (`apt install nats-server`)");
    };
    let _server = Ended(server);
    let url = format!("nats://127.0.0.1:{port}");
    // The server is running and has the streams.
    let status = || contender_cluster::status(&url, &contender_cluster::Secrets::default());
    let start = std::time::Instant::now();
    while let Err(error) = status() {
        assert!(start.elapsed() < std::time::Duration::from_secs(60), "{error:#}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let worker = |name: &str, words: &str| {
        json!({"worker": name, "host": "machine", "version": "1", "slots": 4, "playing": 3, "games": 12345, "since": 1,
            "at": 2000, "speed": 18797385.5, "late_wakeups": 0.02, "other_load": 0.3, "has_left": false, "words": words})
    };
    let said = "rejected a job: it runs a command, and this worker accepts commands only from trusted";
    let run =
        json!({"run": "0123456789abcdef", "host": "machine", "since": 1, "at": 2000, "games": 99, "left": 7});
    let messages = [
        ("contender.workers.a", worker("machine-1234-abcd", "")),
        ("contender.workers.b", worker("a-machine-with-a-long-name_example_org-99999-abcd", said)),
        ("contender.runs.0123456789abcdef", run),
    ];
    let mut line = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    line.write_all(b"CONNECT {\"verbose\":false}\r\n").unwrap();
    for (subject, message) in messages {
        let message = message.to_string();
        line.write_all(format!("PUB {subject} {}\r\n{message}\r\n", message.len()).as_bytes()).unwrap();
    }
    let site = Site::of("127.0.0.1", |server| server.with_cluster(url.clone()));
    browser.open(&site.pass());
    let page = ("workers", "/workers", "#workers tbody tr + tr");
    let problems = is_in_reach(&browser, &site, page);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    browser.narrow(390);
    fits(&browser, &site, page);
    browser.assert_clean(&site.host);
}

/// A process that is killed at the end of the test.
#[cfg(feature = "cluster")]
struct Ended(std::process::Child);

#[cfg(feature = "cluster")]
impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
