//! Recorded games in a real browser: their steps, evaluations, viewers and failures.

use crate::common::browser::{Browser, END, LEFT, RIGHT};
use crate::common::{self, ENGINE_LOG, Site, add_games};
use contender_catalogue::OWN;
use contender_referee::{Entrant, Fixture, Referee};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;

#[test]
fn a_replay_of_every_game_is_stepped_through() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    let project = site.folder.path().join("project");
    add_games(&project);
    browser.open(&site.pass());
    assert!(browser.eval("document.body.innerText").as_str().unwrap().contains("entropy.jsonl"));
    // A short list needs no filter.
    assert_eq!(browser.eval("document.querySelector('#search')"), serde_json::Value::Null);
    let more: Vec<_> = (0..9).map(|number| project.join(format!("more-{number}.jsonl"))).collect();
    more.iter().for_each(|path| std::fs::write(path, common::log_line("a", "b")).unwrap());
    browser.wait("document.querySelector('#search')");
    browser.run("document.querySelector('#search').value = 'entropy greedy'; document.querySelector('#search').dispatchEvent(new Event('input', {bubbles: true}))");
    assert_eq!(browser.eval("document.querySelectorAll('#logs tbody tr:not([hidden])').length"), 1);
    browser.run("document.querySelector('#search').value = ''; document.querySelector('#search').dispatchEvent(new Event('input', {bubbles: true}))");
    more.iter().for_each(|path| std::fs::remove_file(path).unwrap());
    browser.wait("!document.querySelector('#search')");
    browser.picture("web-home.png");
    for contest in OWN {
        let name = contest.name();
        browser.open(&site.url(&format!("/replay?file={name}.jsonl&game=1&turn=0")));
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
        browser.open(&site.url(&format!("/replay?file={name}.jsonl&game=1&turn=24")));
        browser.wait("document.querySelector('.moves [aria-current]')");
        browser.picture(&format!("web-replay-{name}.png"));
    }
    browser.assert_clean(&site.host);
}

/// A log of several games leads to the next one with a link and with a key. Unfinished parts of the page stay hidden.
#[test]
fn the_next_game_is_one_key_away() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    let project = site.folder.path().join("project");
    std::fs::write(project.join("two.jsonl"), common::log_line("a", "b").repeat(2)).unwrap();
    browser.open(&site.pass());
    browser.open(&site.url("/replay?file=two.jsonl&game=1&turn=1"));
    browser.wait("document.querySelector('.moves [aria-current]')");
    let twice = "[...document.querySelectorAll('[id]')].map((part) => part.id).filter((id, at, all) => all.indexOf(id) !== at)";
    assert_eq!(browser.eval(twice), serde_json::json!([]), "ids are unique");
    browser.click("#try");
    browser.wait("document.querySelector('.square.open')");
    assert!(
        browser
            .eval("document.querySelector('a[rel=next]').textContent")
            .as_str()
            .unwrap()
            .contains("Next game")
    );
    browser.press("j");
    browser.wait("location.search.includes('game=2')");
    browser.open(&site.url("/play?game=uttt&bot=greedy&seat=0&time=100&seed=3"));
    browser.wait("document.querySelector('.square.open')");
    assert_eq!(browser.eval("document.querySelector('#after').checkVisibility()"), false);
    assert_eq!(
        browser.eval("getComputedStyle(document.querySelector('#problem')).whiteSpaceCollapse"),
        "preserve-breaks"
    );
    // The own move is drawn before the bot has answered.
    browser.open(&site.url("/play?game=uttt&bot=champion&seat=0&time=5000&seed=3"));
    browser.wait("document.querySelector('.square.open')");
    browser.run(
        "document.querySelector('#text').value = '4 4'; document.querySelector('#answer').requestSubmit()",
    );
    browser.wait("document.querySelector('#board svg').getAttribute('aria-label').includes('after 1 moves')");
    assert_eq!(browser.eval("document.querySelectorAll('#moves li').length"), 0);
    browser.assert_clean(&site.host);
}

/// A step of a replay moves the changed parts of the board. Readers who prefer no motion see none.
#[test]
fn moves_are_animated_unless_the_reader_prefers_no_motion() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    add_games(&site.folder.path().join("project"));
    for (preference, moves) in [("no-preference", true), ("reduce", false)] {
        browser.prefer_motion(preference);
        browser.open(&site.url("/replay?file=uttt.jsonl&game=1&turn=3"));
        browser.wait("document.querySelector('.moves [aria-current]')");
        browser.run(
            "window.times = []; const animate = Element.prototype.animate; \
             Element.prototype.animate = function (...all) { times.push(all[1].duration); return animate.apply(this, all); }",
        );
        browser.click("#forward");
        browser.wait("document.querySelector('#board svg')?.getAttribute('aria-label').includes('move 4')");
        assert_eq!(
            browser.eval("times.length > 0 && times.every((time) => time === 120)"),
            moves,
            "{preference}"
        );
        // A jump shows the board at once.
        browser.run("times.length = 0");
        browser.click("#first");
        browser.wait("document.querySelector('#board svg')?.getAttribute('aria-label').includes('start')");
        assert_eq!(browser.eval("times.length"), 0);
    }
    browser.assert_clean(&site.host);
}

/// On a game's page, two bots analyse the position side by side, the whole game is evaluated, buttons lead to its
/// mistakes, and the bots' input is shown. The evaluation is kept.
#[test]
fn a_game_is_worked_on_at_one_page() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    let project = site.folder.path().join("project");
    add_games(&project);
    browser.open(&site.pass());
    browser.open(&site.url("/replay?file=uttt.jsonl&game=1&turn=6"));
    browser.wait("document.querySelector('.moves [aria-current]')");
    browser.run("document.querySelector('#thinker-1').value = 'bronze'");
    browser.click("#think");
    browser.wait("document.querySelectorAll('#thought-0 tbody tr, #thought-1 tbody tr').length > 1");
    browser.wait("document.querySelector('#thought-0 p') && document.querySelector('#thought-1 p')");
    // The analysis follows the turn, and stops on request.
    let before = browser.eval("document.querySelector('#thought-1').textContent");
    browser.press(RIGHT);
    browser.wait(&format!("document.querySelector('#thought-1 p') && document.querySelector('#thought-1').textContent !== {before}"));
    browser.click("#think");
    browser.wait("document.querySelector('#thought-0').childElementCount === 0");
    browser.click("#evaluate");
    browser.wait("document.querySelector('#evaluation polygon')");
    browser.wait("!document.querySelector('#evaluate')");
    // A bot that always takes the first winning move makes many costly mistakes.
    let marks = browser.eval("document.querySelectorAll('.moves .mark').length").as_u64().unwrap();
    assert!(marks > 3, "{marks} marks");
    browser.press("\u{e011}");
    browser.wait("document.querySelector('#first').disabled");
    browser.click("#mistake");
    // The mistake is shown before it is made, with the better move.
    browser
        .wait("document.querySelector('#board svg .played') && document.querySelector('#board svg .better')");
    browser.wait(
        "/win chance from \\d+% to \\d+%; better/.test(document.querySelector('#verdict').textContent)",
    );
    // The numbers of each player's mistakes are below the curve, which has a scale.
    assert_eq!(browser.eval("document.querySelectorAll('#summary .dot').length"), 2);
    assert_eq!(
        browser
            .eval("[...document.querySelectorAll('#evaluation :is(.scale span, .limits span)')].map((end) => end.textContent)"),
        serde_json::json!(["Win chance", "X 100%", "O 100%"])
    );
    // The value of the shown position is above the curve.
    browser.wait("/^X [<>]?[0-9.]+%$/.test(document.querySelector('#value').textContent)");
    // The graph shows one curve at a time.
    for (layer, hidden) in [("chart", "#evaluation"), ("evaluation", "#chart")] {
        browser.click(&format!("[data-layer={layer}]"));
        browser.wait(&format!("document.querySelector('{hidden}').checkVisibility() === false"));
        assert_eq!(browser.eval("document.querySelectorAll('[data-layer][aria-pressed=true]').length"), 1);
    }
    assert_eq!(browser.eval("document.querySelector('#summary').textContent.includes('blunder') && \
         document.querySelector('#summary').getBoundingClientRect().top >= document.querySelector('#graph').getBoundingClientRect().bottom"), true);
    browser.run("document.querySelector('#exchange').open = true");
    browser.wait("document.querySelector('#read pre')?.textContent.split('\\n').length > 2");
    browser.run("scrollTo(0, 0)");
    browser.picture("web-game.png");
    browser.open(&site.url("/replay?file=uttt.jsonl&game=1&turn=6"));
    browser.wait("document.querySelectorAll('.moves .mark').length > 3");
    assert_eq!(browser.eval("document.querySelector('#evaluate')"), serde_json::Value::Null);
    // Board, moves and controls are on one screen, without scrolling.
    browser.size(1280, 800);
    let places = "['#board svg', '#moves', '#play', '#graph', '#gauge'].every((part) => { \
         const place = document.querySelector(part).getBoundingClientRect(); return place.height > 0 && place.top >= 0 && place.bottom <= 800; })";
    assert_eq!(browser.eval(places), true);
    // On a telephone, the board, the steps and the current move are on the first screen.
    browser.narrow(390);
    browser.run("scrollTo(0, 0)");
    for part in ["#board svg", "#slider", "#play", "#turn", "#mistake", "#now"] {
        browser.wait(&format!("(({{top, bottom, height}}) => top >= 0 && bottom <= 844 && height > 0)(document.querySelector('{part}').getBoundingClientRect())"));
    }
    browser.size(1280, 800);
    // At the end, the bar belongs to the winner.
    browser.click("#last");
    browser.wait("document.querySelector('#last').disabled");
    browser.wait("['0', '100'].includes(document.querySelector('#gauge .seat-0').getAttribute('height'))");
    browser.open(&site.url("/replay?file=uttt.jsonl&game=1&turn=6"));
    browser.wait("document.querySelectorAll('.moves .mark').length > 3");
    // The winner is named.
    let outcome = browser.eval("document.querySelector('.crumbs .outcome strong').textContent");
    assert!(
        outcome.as_str().unwrap().starts_with("greedy (") && outcome.as_str().unwrap().contains(" wins "),
        "{outcome}"
    );
    assert_eq!(browser.eval("[...document.querySelectorAll('.player .chip.win, .player .chip.loss')].map((chip) => chip.textContent.slice(0, 3)).sort()"), serde_json::json!(["Los", "Won"]));
    // The values appear under the pointer.
    browser.run("document.querySelector('#graph').dispatchEvent(new PointerEvent('pointermove', {clientX: 300, clientY: 700}))");
    browser.wait("/ X [<>]?[0-9.]+%$/.test(document.querySelector('#graph .values')?.textContent)");
    // The game continues from here against a bot.
    browser.run("document.querySelector('#play-on').click()");
    browser.wait("location.pathname === '/play' && document.querySelectorAll('#moves li').length === 6");
    browser.wait("document.querySelector('.square.open')");
    browser.assert_clean(&site.host);
    // The labels of the curve's ends are next to the curve.
    browser.open(&site.url("/replay?file=uttt.jsonl&game=1&turn=6"));
    browser.wait("document.querySelector('.moves [aria-current]')");
    assert_eq!(
        browser.eval(
            "document.querySelector('#evaluation .limits').getBoundingClientRect().left >= document.querySelector('#evaluation svg').getBoundingClientRect().right - 1"
        ),
        true
    );
    // The pages of a file belong to the matches.
    assert_eq!(browser.eval("document.querySelector('header [aria-current]').textContent"), "Matches");
    let input = site.get("/replay/input?file=uttt.jsonl&game=1&seat=1");
    assert!(input.status == 200 && input.head.contains("attachment") && input.body.lines().count() > 20);
    let line = std::fs::read_to_string(project.join("uttt.jsonl")).unwrap();
    assert_eq!(site.get("/replay/record?file=uttt.jsonl&game=1").body, line);
}

/// The judge's moves for a failed bot are marked, and the page opens at the failure.
#[test]
fn the_page_goes_to_the_failure() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    let contest = contender_catalogue::find("entropy").unwrap();
    let bots =
        ["sh -c 'read a; echo loud >&2; echo zz'", "greedy"].map(|bot| Entrant::parse(contest, bot).unwrap());
    let fixture = Fixture::between([&bots[0], &bots[1]], 5, [1, 2]);
    let record = Referee::of(contest).play(contest, &fixture, &AtomicBool::new(false)).unwrap();
    assert!(record.seats[0].ending.is_failure() && record.moves.len() > 20);
    std::fs::write(site.folder.path().join("project/failed.jsonl"), record.to_json() + "\n").unwrap();
    browser.open(&site.url("/replay?file=failed.jsonl&game=1"));
    browser.wait("document.querySelector('.moves [aria-current] .judge')");
    let [by_judge, all] = [
        "document.querySelectorAll('.moves .judge').length",
        "document.querySelectorAll('.moves li').length",
    ]
    .map(|count| browser.eval(count).as_u64().unwrap());
    assert!(by_judge > 10 && by_judge < all, "{by_judge} of {all}");
    browser.press(END);
    browser.click("#failure");
    browser.wait("document.querySelector('.moves li:has([aria-current])') === document.querySelector('.moves li:has(.judge)')");
    // The notice above the board names the bot, its failure and the move, with the bot's own words.
    // The whole texts are folded.
    let notice = browser.eval("document.querySelector('.failed').innerText").to_string();
    assert!(notice.contains("loud") && !notice.contains("It read"), "{notice}");
    browser.click(".failed summary");
    let notice = browser.eval("document.querySelector('.failed').innerText");
    for words in ["makes an illegal move", "asked for move", "loud", "It read", "It answered", "zz"] {
        assert!(notice.as_str().unwrap().contains(words), "{words}: {notice}");
    }
    assert_eq!(browser.eval("document.querySelector('.failed').getBoundingClientRect().bottom <= document.querySelector('#board').getBoundingClientRect().top"), true);
    // The bot's standard error is shown at its turn.
    // The notice has the same texts, so the part below the board is closed.
    assert_eq!(browser.eval("document.querySelector('#exchange').open"), false);
    browser.run("document.querySelector('#exchange').open = true");
    browser.press(LEFT);
    browser.wait("document.querySelector('#read .said')?.textContent === 'loud\\n'");
    browser.assert_clean(&site.host);
}

/// The values that bots print about themselves are drawn.
#[test]
fn own_values_are_drawn() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    let told = |player: u32, turn: u32, value: &str| {
        format!("{{\"name\":\"value\",\"player\":{player},\"turn\":{turn},\"value\":\"{value}\"}}")
    };
    let line = common::log_line("a", "b");
    let (start, _) = line.split_once("\"attributes\":[").unwrap();
    let words = [told(0, 1, "0.5"), told(0, 2, "0.75"), told(1, 1, "0.4")].join(",");
    let project = site.folder.path().join("project");
    std::fs::write(project.join("told.jsonl"), format!("{start}\"attributes\":[{words}]}}\n")).unwrap();
    browser.open(&site.url("/replay?file=told.jsonl&game=1"));
    browser.wait("document.querySelector('svg[aria-label=\"Values reported by the bots\"] polyline.seat-0')");
    let points = "document.querySelector('svg[aria-label=\"Values reported by the bots\"] polyline.seat-0').points.length";
    assert_eq!(browser.eval(points), 2);
    browser.assert_clean(&site.host);
}

/// A viewer gets only its game. It has no origin, no network access and no storage, and cannot leave its page.
#[test]
fn a_challenges_own_viewer_is_kept_in_its_frame() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    let project = site.folder.path().join("project");
    std::fs::create_dir_all(project.join("view/core")).unwrap();
    std::fs::write(project.join("view/core/Drawer.js"), "export const own = 'own module';").unwrap();
    std::fs::write(project.join("view/data.json"), "\"own data\"").unwrap();
    let picture = r#"<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect width="8" height="16" fill="red"/></svg>"#;
    std::fs::write(project.join("view/picture.svg"), picture).unwrap();
    std::fs::write(project.join("view/player.html"), include_str!("../stand_in_viewer.html")).unwrap();
    std::fs::write(project.join("engine.json"), ENGINE_LOG).unwrap();
    browser.open(&site.pass());
    browser.open(&site.url("/engine?file=engine.json"));
    // The stand-in reports its checks to the page.
    browser.run("document.querySelector('form.controls button').scrollIntoView()");
    browser.click("form.controls button");
    browser.wait(
        "document.querySelector('#viewer') && document.querySelector('#viewer-state').textContent === ''",
    );
    browser.run(
        "window.said = []; addEventListener('message', (event) => said.push(event.data)); \
         document.querySelector('#viewer').contentWindow.postMessage({type: 'report'}, '*')",
    );
    browser.wait("said.some((message) => message.type === 'report')");
    let report = browser.eval("said.find((message) => message.type === 'report').report");
    let of = |name: &str| report[name].as_str().unwrap_or_default().to_string();
    assert_eq!(of("frames"), "true  0\nfirst UP 0|false  1\nlast DOWN 1", "{report}");
    assert_eq!([of("module"), of("data"), of("origin")], ["own module", "own data", "null"], "{report}");
    assert_eq!([of("picture"), of("avatars")], ["true", "true true"], "{report}");
    for name in ["page", "log", "elsewhere", "storage", "cookie", "parent", "socket"] {
        assert_eq!(of(name), "refused", "{name}: {report}");
    }
    assert!(of("policy").contains("connect-src"), "{report}");
    assert!(browser.eval("location.pathname") == "/engine");
    // If a viewer fails, the page shows the reason.
    browser.run("document.querySelector('#viewer').contentWindow.postMessage({type: 'fail'}, '*')");
    browser.wait("document.querySelector('#viewer-state').textContent.includes('it broke <b>')");
}

/// A challenge's real viewer shows a real game, if `CONTENDER_VIEWER` names a folder with both: a log `game.json`, and
/// the output of `contender referee viewer` in `view`.
#[test]
fn a_real_viewer_shows_its_game() {
    let Some(folder) = std::env::var_os("CONTENDER_VIEWER") else {
        eprintln!("skipped: no CONTENDER_VIEWER");
        return;
    };
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    let from = Path::new(&folder).join(".");
    let copied = Command::new("cp").arg("-r").args([&from, &site.folder.path().join("project")]).status();
    assert!(copied.unwrap().success());
    browser.open(&site.pass());
    browser.open(&site.url("/engine?file=game.json&viewer=view"));
    browser.wait("document.querySelector('#viewer-state').textContent === ''");
    browser.run("document.querySelector('#viewer').scrollIntoView()");
    // A viewer that shows nothing is black, with a bar of buttons.
    browser.wait_for_colours("#viewer", 1_000);
    browser.picture("web-viewer.png");
    assert_eq!(browser.eval("document.querySelector('#viewer-state').textContent"), "");
}
