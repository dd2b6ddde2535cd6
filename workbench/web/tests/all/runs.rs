//! Matches and trainings in a real browser, and the forms that start them.

use crate::common::browser::Browser;
use crate::common::{self, Site, add_training, has_command};

#[test]
fn a_match_is_started_and_followed() {
    let Some(browser) = Browser::start().filter(|_| has_command()) else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/matches/new?game=uttt"));
    browser.eval("(() => { const {a, b, pairs, nodes, sprt} = document.querySelector('.fields').elements; \
        [a.value, b.value, pairs.value, nodes.value, sprt.value] = ['alphabeta', 'bronze', '4000', '3000', '0,5']; })()");
    browser.click(".fields button.primary");
    browser.wait("location.pathname === '/match'");
    browser.eval("window.isSame = true");
    let played = "[...document.querySelectorAll('#state .chip')].map((chip) => parseInt(chip.textContent)).find((count) => count >= 0)";
    browser.wait(&format!("{played} >= 10"));
    browser.wait("document.querySelector('#state').textContent.includes('Running')");
    browser.wait("document.querySelectorAll('#pictures .chart').length === 4");
    let games = browser.eval(played);
    browser.wait(&format!("{played} > {games}"));
    browser.wait(&format!("{played} >= 60"));
    assert_eq!(browser.eval("window.isSame"), true);
    browser.picture("web-match.png");
    browser.click("form[action='/match/stop'] button");
    browser.wait("document.querySelector('#state') && !document.querySelector('#state').textContent.includes('Running')");
    // One of the match's games is shown on the board. The log remains after the server has forgotten the match.
    browser.eval("document.querySelector('#games tbody a').click()");
    browser.wait("document.querySelector('#board svg')");
    let log = site.folder.path().join("project/match-uttt-1.jsonl");
    let source = contender_replay::Source::open(&log).unwrap();
    assert_eq!(contender_replay::check(source, None).unwrap().problems, Vec::<String>::new());
    browser.assert_clean(&site.host);
}

/// A click into a field with suggestions shows all of them, and leaving the field restores its value.
#[test]
fn a_click_shows_all_suggestions() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/matches/new?game=uttt"));
    browser.wait("document.querySelector('#line').textContent");
    let value = "document.querySelector('input[name=a]').value";
    browser.click("input[name=a]");
    assert_eq!(browser.eval(value), "");
    browser.click("h1");
    assert_eq!(browser.eval(value), "champion");
    browser.assert_clean(&site.host);
}

/// The forms list the bundled bots, and a click chooses one.
#[test]
fn bots_are_chosen_from_a_list() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    let project = site.folder.path().join("project");
    common::add_league(&project, "known");
    let league = contender_league::League::open(&project.join("known")).unwrap();
    let mut store = contender_league::Store::open(&league).unwrap();
    let header = "Game,User1,Score1,Status1,User2,Score2,Status2\n";
    let games: String = (0..30).map(|at| format!("{at},greedy,1,WIN,random,0,LOSE\n")).collect();
    contender_league::import_text(&mut store, &format!("{header}{games}"), "games", "uttt").unwrap();
    browser.open(&site.pass());
    browser.wait("document.readyState === 'complete'");
    browser.open(&site.url("/matches/new?game=uttt"));
    browser.click("button[data-field=b][value=greedy]");
    browser.wait("document.querySelector('[name=b]').value === 'greedy'");
    assert_eq!(browser.eval("document.querySelector('[name=a]').value"), "champion");
    assert_eq!(browser.eval("[...document.querySelectorAll('[aria-pressed=true]')].map((of) => of.dataset.field + of.value).join()"), "achampion,bgreedy");
    browser.wait("document.querySelector('#line').textContent.includes('uttt champion greedy')");
    let estimate = "document.querySelector('#estimate').textContent";
    browser.wait(&format!("/^200 games: at most \\d+/.test({estimate})"));
    // A time limit that is shorter than the machine's delays, and more games than cores, have a warning.
    let set = |name: &str, value: &str| {
        browser.run(&format!("(() => {{ const field = document.querySelector('[name={name}]'); field.value = '{value}'; field.dispatchEvent(new Event('input', {{bubbles: true}})); }})()"));
    };
    for (name, value, warning) in [("time", "1ms", "#warning"), ("jobs", "1000", ".too-many")] {
        let is_hidden = format!("document.querySelector('{warning}').hidden");
        assert_eq!(browser.eval(&is_hidden), true, "{warning}");
        set(name, value);
        browser.wait(&format!("!{is_hidden}"));
        set(name, if name == "time" { "" } else { "1" });
        browser.wait(&is_hidden);
    }
    // The strength is that of the league.
    let row = "[...document.querySelectorAll('.bots li')].find((row) => row.querySelector('.name').textContent === 'greedy')";
    assert_eq!(browser.eval(&format!("/^[+]\\d+$/.test({row}.querySelector('.number').textContent)")), true);
    // The form of a league shows the bots of the chosen game, the two strongest ticked.
    browser.open(&site.url("/leagues/new?game=uttt"));
    let shown = "[...document.querySelectorAll('#new-league .bots input')]";
    let ticked = format!("{shown}.filter((box) => box.checked).map((box) => box.name).join()");
    assert_eq!(browser.eval(&ticked), "uttt/champion,uttt/solver");
    // Each bot has one line.
    browser
        .wait("[...document.querySelectorAll('#new-league .bots li')].every((row) => row.offsetHeight < 40)");
    browser.click("nav.games a[href='/leagues/new?game=box']");
    browser.wait(&format!("{shown}.length > 0 && {shown}.every((box) => box.name.startsWith('box/'))"));
}

#[test]
fn trainings_are_shown_and_compared() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    let project = site.folder.path().join("project");
    // The page lists the latest first, so the second is also listed before the third if they are equally old.
    for (name, factor) in [("first", 1.0), ("third", 1.6), ("second", 1.3)] {
        add_training(&project, name, factor);
    }
    // The second run has weights, like a training run that learns weights of inputs.
    let weights = include_str!("../../../../games/entropy/src/evaluation/weights.txt");
    std::fs::write(project.join("second/weights.txt"), weights).unwrap();
    browser.open(&site.url("/"));
    browser.click("a[href='/training?dir=first']");
    browser.wait("document.querySelectorAll('#curves svg').length === 2");
    // The page's script submits the form, so it must have been loaded.
    let loaded = || browser.wait("document.readyState === 'complete'");
    loaded();
    browser.click("input[name=other][value=second]");
    browser.wait("document.querySelector('h1').textContent === 'Trainings first and second'");
    loaded();
    browser.click("input[name=other][value=third]");
    browser.wait("document.querySelector('h1').textContent === 'Trainings first and second and third'");
    browser.wait("document.querySelectorAll('#state tbody tr').length === 3");
    // Each log is a table, the newest line first.
    assert_eq!(browser.eval("[...document.querySelectorAll('#log table')].map((table) => table.querySelector('tbody td').textContent)"), serde_json::json!(["29:00", "29:00", "29:00"]));
    assert_eq!(browser.eval("document.querySelector('#curves svg').querySelectorAll('.line').length"), 3);
    // Curves over games, and the smoothed lines above the raw ones.
    let choose = |name: &str, value: &str| {
        loaded();
        browser.run(&format!("(() => {{ const field = document.querySelector('select[name={name}]'); field.value = '{value}'; field.dispatchEvent(new Event('change', {{bubbles: true}})); }})()"));
        browser.wait(&format!("location.search.includes('{name}={value}')"));
    };
    choose("across", "games");
    browser
        .wait("JSON.parse(document.querySelector('#curves [data-chart]').dataset.chart).across === 'games'");
    assert_eq!(
        browser.eval("JSON.parse(document.querySelector('#curves [data-chart]').dataset.chart).x[1]"),
        2900.0
    );
    choose("smooth", "0.9");
    browser.wait("document.querySelectorAll('#curves svg')[0]?.querySelectorAll('.line.raw').length === 3");
    browser.wait("document.querySelectorAll('#weights figure > svg').length === 14");
    // All curves mark the same minute.
    loaded();
    // An update of the page may remove the mark at any time.
    browser.wait("document.querySelector('#curves svg').dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: document.querySelector('#curves svg').getBoundingClientRect().left + 200})) \
         && document.querySelectorAll('#curves svg .common').length === 2");
    assert_eq!(browser.eval("document.querySelectorAll('#weights svg .common').length"), 0);
    browser.picture("web-training.png");
    browser.assert_clean(&site.host);
}
