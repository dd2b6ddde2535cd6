//! The first page, the search and the frame of all pages in a real browser.
//!
//! Without a browser, the tests of this program print a notice and pass. If `CONTENDER_PICTURES` is set to a folder,
//! they write the documentation's pictures there; with `CONTENDER_DARK` they use the dark theme.

use crate::common::browser::Browser;
use crate::common::{self, Site, add_training};

/// The first page shows a new file without a reload, the search over everything finds it, and the chosen theme stays.
#[test]
fn the_first_page_follows_the_project() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    let project = site.folder.path().join("project");
    add_training(&project, "training", 1.0);
    browser.open(&site.pass());
    browser.wait("document.querySelector('#logs tbody a')");
    assert_eq!(browser.eval("document.body.innerText.includes('metrics.jsonl')"), false);
    browser.eval("window.isSame = true");
    let name = "a-name-of-many-letters".repeat(5);
    std::fs::write(project.join(format!("{name}.jsonl")), common::log_line(&name, "b")).unwrap();
    browser.wait(&format!("document.querySelector('#logs tbody').textContent.includes('{name}')"));
    assert_eq!(browser.eval("window.isSame"), true);
    for width in [1280, 390] {
        browser.narrow(width);
        assert_eq!(browser.eval("document.documentElement.scrollWidth"), width, "nothing scrolls sideways");
    }
    browser.click("#theme");
    browser.click("#theme");
    assert_eq!(browser.eval("getComputedStyle(document.documentElement).colorScheme"), "dark");
    browser.run("location.reload()");
    browser.wait("document.documentElement.dataset.theme === 'dark' && document.querySelector('#find')");
    browser.click("#find");
    browser.wait("document.querySelector('#palette li')");
    let search = |words: &str| {
        browser.run(&format!("const input = document.querySelector('#palette input'); input.value = '{words}'; input.dispatchEvent(new Event('input'))"));
    };
    // A name that begins with the search comes first, before names and actions that contain it.
    search("trai");
    browser.wait("document.querySelector('#palette li span').textContent === 'training'");
    search("uttt");
    browser.wait("document.querySelectorAll('#palette li').length >= 4 && document.querySelector('#palette li span').textContent === 'Play uttt'");
    search("new match of ut");
    browser.wait("document.querySelector('#palette li span').textContent === 'New match of uttt'");
    search("matches");
    browser.wait("document.querySelector('#palette li kbd')?.textContent === 'g m'");
    search("greedy match new uttt");
    browser.wait("document.querySelector('#palette li span').textContent === 'New match with greedy (uttt)'");
    // One wrong letter is forgiven, and the buttons of this page come before other pages.
    search("tarining");
    browser.wait("document.querySelector('#palette li span').textContent === 'training'");
    search("new match");
    browser.wait("document.querySelector('#palette li').textContent === 'New matchthis page'");
    browser.wait("/^12 of \\d+ shown$/.test(document.querySelector('#palette .count').textContent)");
    search("zzz");
    browser.wait("document.querySelector('#palette li').textContent === 'Nothing found for “zzz”'");
    search("many-letters");
    browser.wait("document.querySelectorAll('#palette li span').length === 2");
    browser.press("\u{e007}");
    browser.wait("location.pathname === '/match'");
    browser.press("?");
    browser.wait("document.querySelector('#keys')?.open");
    // Pages with lists have keys that go through their entries.
    browser.open(&site.url("/"));
    browser.wait("document.readyState === 'complete' && document.querySelector('#find')");
    let at = "[...document.querySelectorAll('main :is(.thumb, .card, tbody tr)')].findIndex((entry) => entry.contains(document.activeElement))";
    for (key, place) in [("j", 0), ("j", 1), ("j", 2), ("k", 1)] {
        browser.press(key);
        assert_eq!(browser.eval(at), place, "{key}");
    }
    browser.press("?");
    browser.wait("document.querySelector('#keys h2')?.textContent === 'Keys of this page' && document.querySelector('#keys dl').textContent.includes('next entry')");
    // Without a list, a page has only the keys of all pages.
    browser.open(&site.url("/rules?game=uttt"));
    browser.wait("document.readyState === 'complete' && document.querySelector('#find')");
    browser.press("?");
    browser.wait("document.querySelector('#keys')?.open");
    assert_eq!(
        browser.eval("[...document.querySelectorAll('#keys h2')].map((title) => title.textContent).join()"),
        "Keys of all pages"
    );
    browser.press("\u{e00c}");
    browser.wait("!document.querySelector('dialog')");
    // Without a filter, the key opens the search.
    browser.press("/");
    browser.wait("document.querySelector('#palette')?.open");
    browser.press("\u{e00c}");
    browser.wait("!document.querySelector('dialog')");
    browser.press("g");
    browser.press("a");
    browser.wait("location.pathname === '/analyse'");
    browser.assert_clean(&site.host);
}

#[test]
fn a_file_can_be_dropped() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
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
fn scripts_in_names_do_not_run() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    for path in ["/", "/log?file=evil.jsonl", "/replay?file=evil.jsonl&game=1&turn=1"] {
        browser.open(&site.url(path));
        browser.wait("document.readyState === 'complete'");
        assert_eq!(browser.eval("document.querySelectorAll('main img, main script:not([type])').length"), 0);
    }
    browser.wait("document.querySelector('#words').innerText.includes('onerror')");
    browser.assert_clean(&site.host);
}

/// On a telephone, the names stay in sight while a table scrolls sideways.
#[test]
fn names_stay_in_sight() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    let project = site.folder.path().join("project");
    common::add_duel(&project);
    common::add_league(&project, "league");
    browser.narrow(390);
    for (path, name) in [
        ("/league?dir=league", "th[scope=row]"),
        ("/log?file=duel.jsonl", "tbody td"),
        ("/", "#logs tbody td"),
    ] {
        browser.open(&site.url(path));
        browser.wait(&format!("document.querySelector('.wide {name}')"));
        let left = format!("document.querySelector('.wide {name}').getBoundingClientRect().left");
        let sideways = "[...document.querySelectorAll('.wide, .wide table')].map((part) => part.scrollWidth - part.clientWidth)";
        assert!(
            browser.eval(sideways).as_array().unwrap().iter().all(|more| more.as_i64() <= Some(0)),
            "{path}"
        );
        browser.run("document.querySelector('.wide').scrollLeft = 9999");
        browser.wait(&format!("{left} >= 0 && {left} < 80"));
        assert_eq!(browser.eval("document.documentElement.scrollWidth"), 390, "{path}");
    }
    browser.assert_clean(&site.host);
}
