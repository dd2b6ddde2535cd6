//! The pages in a real browser. Without a browser the tests print a notice and pass. If `CONTENDER_PICTURES` is set to
//! a folder, the tests write the documentation's pictures there; with `CONTENDER_DARK` they use the dark theme.

use crate::common::browser::Browser;
use crate::common::{self, ENGINE_LOG, Site, add_games, add_training};
use contender_catalogue::OWN;
use contender_referee::{Entrant, Fixture, Referee};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;

const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";
const END: &str = "\u{e010}";

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
            .eval("[...document.querySelectorAll('#evaluation .scale span')].map((end) => end.textContent)"),
        serde_json::json!(["Win chance", "▲ X 100%", "▼ O 100%"])
    );
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
    for part in ["#board svg", "#slider", "#play", "#turn", "#now"] {
        browser.wait(&format!("(({{top, bottom, height}}) => top >= 0 && bottom <= 844 && height > 0)(document.querySelector('{part}').getBoundingClientRect())"));
    }
    browser.size(1280, 800);
    // The winner is named.
    let outcome = browser.eval("document.querySelector('.crumbs .outcome strong').textContent");
    assert!(
        outcome.as_str().unwrap().starts_with("greedy (") && outcome.as_str().unwrap().contains(" wins "),
        "{outcome}"
    );
    assert_eq!(browser.eval("[...document.querySelectorAll('.player .chip.win, .player .chip.loss')].map((chip) => chip.textContent.slice(0, 3)).sort()"), serde_json::json!(["Los", "Won"]));
    // The values appear under the pointer.
    browser.run("document.querySelector('#graph').dispatchEvent(new PointerEvent('pointermove', {clientX: 300, clientY: 700}))");
    browser.wait("document.querySelector('#graph .values')?.textContent.includes('% win chance')");
    // The game continues from here against a bot.
    browser.run("document.querySelector('#play-on').click()");
    browser.wait("location.pathname === '/play' && document.querySelectorAll('#moves li').length === 6");
    browser.wait("document.querySelector('.square.open')");
    browser.assert_clean(&site.host);
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
    let notice = browser.eval("document.querySelector('.failed').innerText");
    for words in ["makes an illegal move", "asked for move", "loud", "It read", "It answered", "zz"] {
        assert!(notice.as_str().unwrap().contains(words), "{words}: {notice}");
    }
    assert_eq!(browser.eval("document.querySelector('.failed').getBoundingClientRect().bottom <= document.querySelector('#board').getBoundingClientRect().top"), true);
    // The bot's standard error is shown at its turn.
    browser.press(LEFT);
    browser.wait("document.querySelector('#read .said')?.textContent === 'loud\\n'");
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

/// Leagues, matches and other jobs of the server need the program that `cargo build -p contender-cli` builds.
pub fn has_command() -> bool {
    let is_there = common::contender().is_file();
    if !is_there {
        eprintln!("skipped: no command beside the tests; `cargo build -p contender-cli` builds it");
    }
    is_there
}

#[test]
fn a_league_is_started_and_its_ratings_change() {
    let Some(browser) = Browser::start().filter(|_| has_command()) else { return };
    let site = Site::new();
    common::add_league(&site.folder.path().join("project"), "league");
    browser.open(&site.pass());
    browser.click("a[href='/league?dir=league']");
    browser.wait("document.querySelector('#state')?.textContent.includes('0 games')");
    let strength = "document.querySelector('tbody .strength').textContent";
    assert_eq!(browser.eval(strength), "");
    // A bot is added, the league is started, and the page updates itself.
    browser.eval(
        "(() => { const form = document.querySelector('#own-bot'); form.elements.name.value = 'bronze'; \
        form.elements.command.value = 'bronze'; form.requestSubmit(); })()",
    );
    browser.wait("document.querySelector('#state')?.textContent.includes('4 active bots')");
    browser.click("form[action='/league/start'] button");
    browser.wait("document.querySelector('#state')?.textContent.includes('Running')");
    browser.eval("window.isSame = true");
    browser.wait(&format!("{strength} !== ''"));
    let before = browser.eval(strength);
    browser.wait(&format!("{strength} !== {before}"));
    browser.wait("parseInt(document.querySelector('#state').textContent.match(/(\\d+) games/)[1]) > 60");
    browser.wait("document.querySelectorAll('#pictures .chart').length === 2");
    assert_eq!(browser.eval("window.isSame"), true);
    browser.picture("web-league.png");
    browser.click("form[action='/league/stop'] button");
    browser.wait("document.querySelector('#state')?.textContent.includes('Stopped')");
    // The page lists the games between two bots and shows one on the board.
    browser.eval(
        "(() => { const form = document.querySelector('#choice form'); form.elements.a.value = 'greedy'; \
        form.elements.b.value = 'random'; form.requestSubmit(); })()",
    );
    browser.wait("document.querySelector('h1')?.textContent === 'Games of greedy and random'");
    browser.picture("league-games.png");
    browser.click("tbody a");
    browser.wait("document.querySelector('#board svg')");
    browser.press(RIGHT);
    browser.wait("document.querySelector('#board svg').getAttribute('aria-label').includes('after move 1:')");
    browser.assert_clean(&site.host);
}

#[test]
fn a_position_of_a_replay_is_analysed() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    add_games(&site.folder.path().join("project"));
    browser.open(&site.pass());
    for contest in OWN {
        let name = contest.name();
        browser.open(&site.url(&format!("/replay?file={name}.jsonl&game=1&turn=8")));
        browser.wait("document.querySelector('.moves [aria-current]')");
        browser.press(LEFT);
        browser.wait("location.search.endsWith('turn=7')");
        browser.run("document.querySelector('#analyse').click()");
        browser.wait("document.querySelectorAll('#found tbody tr').length > 0");
        assert_eq!(
            browser.eval("document.querySelector('textarea').value.trim().split('\\n').length"),
            7,
            "{name}"
        );
        browser.wait("!document.querySelector('#found p').textContent.includes('…')");
        // The bot has evaluated squares, and each view of the board can be chosen.
        assert!(browser.eval("document.querySelectorAll('#boards figure:not([hidden])').length") == 1);
        let views = browser.eval("[...document.querySelectorAll('#views input')].map(input => input.value)");
        let views = views.as_array().unwrap().clone();
        assert!(views.len() >= 2, "{name}: {views:?}");
        assert!(name != "cellularena" || views.iter().any(|view| view == "likely moves"), "{views:?}");
        assert!(
            browser.eval("document.querySelectorAll('#boards .heat, #boards .rim').length").as_u64()
                > Some(0),
            "{name}"
        );
        browser.picture(&format!("analyse-{name}.png"));
        for view in views {
            browser.eval(&format!(
                "[...document.querySelectorAll('#views input')].find(input => input.value === {view}).click()"
            ));
            assert_eq!(
                browser.eval("document.querySelector('#boards figure:not([hidden])').dataset.view"),
                view
            );
            if ["potential5", "enemy's likely colour", "longest path", "likely moves"]
                .iter()
                .any(|wanted| view == *wanted)
            {
                browser.picture(&format!("analyse-{name}-map.png"));
            }
        }
    }
    // With a longer budget the page shows the progress, and the chosen view stays.
    let moves = "4 4%0A3 5%0A0 7%0A2 4%0A6 4";
    browser.open(&site.url(&format!("/analyse?game=uttt&bot=champion&budget=5s&moves={moves}")));
    browser.wait("document.querySelector('#found p')?.textContent.includes('iterations')");
    browser.eval("document.querySelector('#views input[value=\"the position\"]').click()");
    let first = browser.eval("document.querySelector('#found p').textContent");
    browser.wait(&format!("document.querySelector('#found p').textContent !== {first}"));
    assert_eq!(
        browser.eval("document.querySelector('#boards figure:not([hidden])').dataset.view"),
        "the position"
    );
    browser.eval("document.querySelector('#views input').click()");
    browser.wait("!document.querySelector('#found p').textContent.includes('…')");
    browser.picture("web-analyse.png");
    browser.assert_clean(&site.host);
}

#[test]
fn a_match_is_started_and_followed() {
    let Some(browser) = Browser::start().filter(|_| has_command()) else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/matches?game=uttt"));
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
    browser.wait("document.querySelector('h1').textContent === 'first and second'");
    loaded();
    browser.click("input[name=other][value=third]");
    browser.wait("document.querySelector('h1').textContent === 'first and second and third'");
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
    browser.wait("document.querySelectorAll('#weights svg').length === 14");
    // All curves mark the same minute.
    loaded();
    // An update of the page may remove the mark at any time.
    browser.wait("document.querySelector('#curves svg').dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: document.querySelector('#curves svg').getBoundingClientRect().left + 200})) \
         && document.querySelectorAll('#curves svg .common').length === 2");
    assert_eq!(browser.eval("document.querySelectorAll('#weights svg .common').length"), 0);
    browser.picture("web-training.png");
    browser.assert_clean(&site.host);
}

/// A click into a field with suggestions shows all of them, and leaving the field restores its value.
#[test]
fn a_click_shows_all_suggestions() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/matches?game=uttt"));
    browser.wait("document.querySelector('#line').textContent");
    let value = "document.querySelector('input[name=a]').value";
    browser.click("input[name=a]");
    assert_eq!(browser.eval(value), "");
    browser.click("h1");
    assert_eq!(browser.eval(value), "champion");
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

/// Ranks change while a part of the table is open: the part stays with its bot.
#[test]
fn an_open_part_stays_with_its_row() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    common::add_league(&site.folder.path().join("project"), "league");
    browser.open(&site.pass());
    browser.open(&site.url("/league?dir=league"));
    browser.wait("document.querySelector('tr[data-key=second]')");
    let button = "document.querySelector('tr[data-key=second] details button')";
    browser
        .run(&format!("document.querySelector('tr[data-key=second] details').open = true; {button}.focus()"));
    // Everything is looked at in one step, because the server's next update puts the rows in their order again.
    browser.eval(&format!(
        "import('/live.js').then(({{morph}}) => {{ const old = document.querySelector('#standings'); \
         const fresh = old.cloneNode(true); const body = fresh.querySelector('tbody'); \
         for (const part of fresh.querySelectorAll('details')) part.open = false; \
         body.prepend(body.lastElementChild); morph(old, fresh); \
         const open = [...document.querySelectorAll('#standings details[open]')]; \
         window.seen = [document.querySelector('#standings tbody tr').dataset.key, {button} === document.activeElement, \
             open.map((part) => part.closest('tr').dataset.key)]; }})"
    ));
    browser.wait("window.seen");
    assert_eq!(browser.eval("window.seen"), serde_json::json!(["second", true, ["second"]]));
    browser.assert_clean(&site.host);
}

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
    search("zzz");
    browser.wait("document.querySelector('#palette li').textContent === 'Nothing found for “zzz”'");
    search("many-letters");
    browser.wait("document.querySelectorAll('#palette li span').length === 2");
    browser.press("\u{e007}");
    browser.wait("location.pathname === '/log'");
    browser.press("?");
    browser.wait("document.querySelector('#keys')?.open");
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

/// A league is created on the first page, a removed bot is restored, and an error in a form leads back to the form.
#[test]
fn a_league_is_made_and_a_bot_comes_back() {
    let Some(browser) = Browser::start().filter(|_| has_command()) else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/leagues"));
    browser.run("const form = document.querySelector('form[action=\"/league/new\"]'); form.elements.name.value = 'mine'; \
                 form.elements.game.value = 'uttt'; form.querySelectorAll('.of-game input').forEach((box) => { box.checked = false; }); form.requestSubmit()");
    browser.wait("document.querySelector('h1')?.textContent === 'mine uttt'");
    // A league without bots shows the form for a bot.
    assert_eq!(browser.eval("document.querySelector('#new-bot').open"), true);
    let add = |name: &str, command: &str| {
        browser.run(&format!(
            "const form = document.querySelector('#own-bot'); form.elements.name.value = '{name}'; \
             form.elements.command.value = '{command}'; form.requestSubmit()"
        ));
    };
    add("first", "greedy");
    browser.wait("document.querySelector('tbody th a')?.textContent === 'first'");
    browser.click("tbody details summary");
    browser.click("tbody details button");
    browser.wait("document.querySelector('#removed button')");
    browser.click("#removed button");
    browser.wait("document.querySelector('tbody th a')?.textContent === 'first' && !document.querySelector('#removed button')");
    // On the bot's page, the bot is renamed and replaced by a new version.
    browser.click("tbody th a");
    browser.wait("location.pathname === '/league/bot'");
    let send = |action: &str, name: &str| {
        browser.run(&format!(
            "const form = document.querySelector('form[action=\"{action}\"]'); form.elements.new.value = '{name}'; form.requestSubmit()"
        ));
    };
    send("/league/rename", "v1");
    browser.wait("document.querySelector('h1')?.textContent.trim() === 'v1'");
    browser.click("#renamed button");
    browser.wait("document.querySelector('h1')?.textContent.trim() === 'first'");
    send("/league/rename", "v1");
    browser.wait("document.querySelector('h1')?.textContent.trim() === 'v1'");
    send("/league/replace", "v2");
    browser.wait("document.querySelector('h1')?.textContent.trim() === 'v2' && document.querySelectorAll('#versions ~ .wide tr').length === 2");
    browser.click(".path a[href^='/league?']");
    browser.wait("document.querySelectorAll('#standings tbody tr').length === 2 && document.querySelector('tr.resting th a').textContent === 'v1'");
    browser.assert_clean(&site.host);
    add("v1", "greedy");
    // The form stays as it is, with the reason below it.
    let form = "document.querySelector('#own-bot')";
    browser.wait(&format!("{form}.querySelector('.failure')?.textContent.includes('v1')"));
    assert_eq!(browser.eval(&format!("{form}.elements.command.value")), "greedy");
    browser.assert_refused(1);
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
    browser.open(&site.url("/matches?game=uttt"));
    browser.click("button[data-field=b][value=greedy]");
    browser.wait("document.querySelector('[name=b]').value === 'greedy'");
    assert_eq!(browser.eval("document.querySelector('[name=a]').value"), "champion");
    assert_eq!(browser.eval("[...document.querySelectorAll('[aria-pressed=true]')].map((of) => of.dataset.field + of.value).join()"), "achampion,bgreedy");
    browser.wait("document.querySelector('#line').textContent.includes('uttt champion greedy')");
    // The strength is that of the league.
    let row = "[...document.querySelectorAll('.bots li')].find((row) => row.querySelector('.name').textContent === 'greedy')";
    assert_eq!(browser.eval(&format!("/^[+]\\d+$/.test({row}.querySelector('.number').textContent)")), true);
    // The form of a league shows the bots of the chosen game, the two strongest ticked.
    browser.open(&site.url("/leagues"));
    let shown = "[...document.querySelectorAll('.of-game input')].filter((box) => box.offsetParent)";
    let ticked = format!("{shown}.filter((box) => box.checked).map((box) => box.name).join()");
    assert_eq!(browser.eval(&ticked), "uttt/champion,uttt/solver");
    browser.click("label[for=game-box]");
    browser.wait(&format!("{shown}.length > 0 && {shown}.every((box) => box.name.startsWith('box/'))"));
}

/// With the form's defaults, a league of two bots plays after two clicks.
#[test]
fn a_league_of_two_bots_plays_after_two_clicks() {
    let Some(browser) = Browser::start().filter(|_| has_command()) else { return };
    let site = Site::new();
    browser.open(&site.pass());
    // The game is that of the newest file.
    browser.click("a[href='/leagues']");
    browser.wait("document.querySelector('#new-league')");
    assert_eq!(browser.eval("document.querySelector('#new-league').elements.game.value"), "uttt");
    browser.click("#new-league button.primary");
    browser.wait("location.pathname === '/league' && document.querySelector('#state')?.textContent.includes('Running')");
    browser.wait("document.querySelectorAll('#standings tbody tr').length === 2");
    browser.click("form[action='/league/stop'] button");
    browser.wait("document.querySelector('#state')?.textContent.includes('Stopped')");
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

/// The lost games of a player are reviewed on a page, each with its turning point. Its link leads to the position
/// before the costly move, with frames around the played and the better move, and their names.
#[test]
fn the_reasons_of_losses_are_shown() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    common::add_duel(&site.folder.path().join("project"));
    assert!(site.get("/review?file=duel.jsonl").body.contains("with the token"));
    assert_eq!(site.get("/review/live?file=duel.jsonl").status, 401);
    assert_eq!(site.get("/review?file=duel.jsonl&player=nobody").status, 404);
    browser.open(&site.pass());
    // A lost position is two clicks away from the list of games.
    browser.open(&site.url("/log?file=duel.jsonl"));
    browser.click("a[href^='/review'][href*='random']");
    browser.wait("document.querySelector('.moments a')");
    browser.wait("!document.querySelector('#review [role=status]').textContent.includes('…')");
    // Only the player's own games count, and each lost game is shown once.
    let lost = browser.eval("Number(document.querySelector('.chips .loss').textContent.match(/\\d+/)[0])");
    assert!(lost.as_u64() > Some(0));
    assert!(
        browser
            .eval("document.querySelector('.verdict').textContent")
            .as_str()
            .unwrap()
            .contains("of 4 games")
    );
    assert_eq!(browser.eval("document.querySelectorAll('.moments a').length"), lost);
    assert_eq!(browser.eval("document.querySelectorAll('.moments .name').length === [...document.querySelectorAll('.moments .name')].filter((name) => name.textContent.includes('greedy')).length"), true);
    assert_eq!(
        browser.eval("document.querySelectorAll('.moments svg .played, .moments svg .better').length >= 2"),
        true
    );
    assert_eq!(browser.eval("document.querySelector('.losses rect') !== null"), true);
    assert_eq!(browser.eval("document.querySelector('#opponents ~ .wide tbody th').textContent"), "greedy");
    browser.picture("web-review.png");
    let named = |place: &str| {
        browser.eval(&format!(
            "['played', 'better'].map((kind) => document.querySelector('{place} span.' + kind).textContent)"
        ))
    };
    let moves = named(".moments");
    let loss = browser.eval("document.querySelector('.moments .failure').textContent");
    browser.click(".moments a");
    browser.wait("location.pathname === '/replay' && document.querySelector('#board svg .better') && document.querySelector('#first')");
    assert_eq!(named("#verdict"), moves);
    // The page of the game shows the same numbers, because the review's evaluation is kept.
    browser.wait("document.querySelector('#evaluation polygon')");
    assert_eq!(
        browser.eval(&format!("document.querySelector('#verdict').textContent.includes({loss})")),
        true
    );
    // The framed squares are those of the two moves, and the played one is the next move of the game.
    let framed = "(kind) => { const { x, width } = document.querySelector('#board .' + kind).getBoundingClientRect(); const { y, height } = document.querySelector('#board .' + kind).getBoundingClientRect(); \
         return [...document.querySelectorAll('#board .square')].find((square) => { const place = square.getBoundingClientRect(); \
         return Math.abs(place.x + place.width / 2 - x - width / 2) < 2 && Math.abs(place.y + place.height / 2 - y - height / 2) < 2; }).dataset.name; }";
    let codes = "['played', 'better'].map((kind) => document.querySelector(`#verdict span.${kind}`).title)";
    assert_eq!(browser.eval(&format!("['played', 'better'].map({framed})")), browser.eval(codes));
    assert_eq!(browser.eval("location.search.includes('better=')"), true);
    // The frames are those of the shown position.
    let frames = "[...document.querySelectorAll('#board svg :is(.played, .better)')].map((frame) => frame.outerHTML).join()";
    let before = browser.eval(frames);
    browser.press(RIGHT);
    browser.wait(&format!("{frames} !== {before}"));
    browser.press(LEFT);
    browser.wait(&format!("{frames} === {before}"));
    browser.assert_clean(&site.host);
}

/// A league of many bots has a filter, and its columns are sorted by a click.
#[test]
fn a_long_league_is_filtered_and_sorted() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    let project = site.folder.path().join("project");
    common::add_league(&project, "league");
    browser.open(&site.url("/league?dir=league"));
    browser.wait("document.querySelector('tr[data-key=second]')");
    assert_eq!(browser.eval("document.querySelector('#filter')"), serde_json::Value::Null);
    common::add_bots(&project, "league", 20);
    browser.wait("document.querySelector('#filter')");
    browser.run("const filter = document.querySelector('#filter'); filter.value = 'bot-1'; filter.dispatchEvent(new Event('input', {bubbles: true}))");
    let rows =
        "[...document.querySelectorAll('#standings tbody tr:not([hidden])')].map((row) => row.dataset.key)";
    browser.wait(&format!("{rows}.length === 11"));
    let sorted = |is_up: bool| {
        browser.run("document.querySelectorAll('#standings .sort')[1].click()");
        browser.wait(&format!("{rows}[{}] === 'bot-1'", if is_up { 0 } else { 10 }));
    };
    sorted(true);
    sorted(false);
    browser.assert_clean(&site.host);
}
