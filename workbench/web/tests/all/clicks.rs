//! Moves chosen on the board in a real browser, in games against bots and in tried lines of recorded games. The tests
//! use the games of this workspace and the templates of `contender new game`. The templates use an older Rust edition,
//! which wraps their lines differently.

#[rustfmt::skip]
#[path = "../../../cli/templates/chance/lib.rs"]
#[allow(clippy::unnecessary_map_or, reason = "it is for Rust 1.66")]
mod chance;
#[rustfmt::skip]
#[path = "../../../cli/templates/hidden/lib.rs"]
#[allow(clippy::unnecessary_map_or, reason = "it is for Rust 1.66")]
mod hidden;
#[rustfmt::skip]
#[path = "../../../cli/templates/simultaneous/lib.rs"]
mod simultaneous;
#[rustfmt::skip]
#[path = "../../../cli/templates/turns/lib.rs"]
mod turns;

use crate::common::browser::Browser;
use crate::common::{self, Site, add_games, quick};
use contender_catalogue::{OWN, contests, register};
use contender_game::contest::Contest;
use std::sync::Once;

const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";

const TEMPLATES: [&dyn Contest; 4] =
    [turns::CONTEST, chance::CONTEST, hidden::CONTEST, simultaneous::CONTEST];

/// Sets the list of games of this process: those of this workspace and the templates. The list is set before the first
/// server starts, because no test may change it later.
pub fn set_games() {
    static GAMES: Once = Once::new();
    GAMES.call_once(|| register(&[OWN, &TEMPLATES].concat()).unwrap());
}

/// Script that clicks the last button that completes a move, or the last marked square.
const ACT: &str = "(() => { const button = [...document.querySelectorAll('#choices button')].at(-1); \
     const square = [...document.querySelectorAll('figure:not([hidden]) .square.open:not(.chosen)')].at(-1)?.getBoundingClientRect(); \
     if (button) return button.click(); if (!square) return; \
     const [x, y] = [square.x + square.width / 2, square.y + square.height / 2]; \
     document.elementFromPoint(x, y).dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: x, clientY: y})); })()";

/// Script that taps the middle of `window.square`.
const TAP: &str = "window.tapped = square.getBoundingClientRect(); \
     square.dispatchEvent(new PointerEvent('click', { bubbles: true, pointerType: 'touch', \
     clientX: tapped.x + tapped.width / 2, clientY: tapped.y + tapped.height / 2 }))";

/// Lines can be tried on the board of every game. They form a tree, each position has an address, and the user can
/// return to the game. Bots analyse the positions, and the board shows their values.
#[test]
fn lines_are_tried_on_the_board() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    add_games(&site.folder.path().join("project"));
    browser.open(&site.pass());
    let (steps, shown) =
        ("document.querySelectorAll('#tree a').length", "document.querySelector('#tree a[aria-current]')");
    for contest in OWN {
        let name = contest.name();
        browser.open(&site.url(&format!("/replay?file={name}.jsonl&game=1&turn=6")));
        browser.wait("document.querySelector('.moves [aria-current]')");
        assert_eq!(browser.eval("document.querySelectorAll('.square.open').length"), 0, "{name}");
        browser.click("#try");
        for wanted in 1..=2 {
            for _ in 0..40 {
                if browser.eval(steps) == wanted {
                    break;
                }
                browser.eval(ACT);
                std::thread::sleep(std::time::Duration::from_millis(250));
            }
            browser.wait(&format!("{steps} === {wanted} && {shown} && location.search.includes('line=')"));
        }
        if name == "uttt" {
            browser.run("scrollTo(0, 0)");
            browser.picture("web-line.png");
        }
        // The address restores the position. The left arrow goes back along the line, and then into the game.
        let text = browser.eval(&format!("{shown}.textContent"));
        browser.run("location.reload()");
        browser.wait(&format!("{shown} && {shown}.textContent === {text} && {steps} === 2"));
        browser.press(LEFT);
        browser.wait(&format!("{shown} && {shown} === document.querySelector('#tree a')"));
        browser.press(LEFT);
        browser.wait(&format!("!{shown} && location.search.endsWith('turn=6')"));
    }
    // While a bot analyses, the board shows its values square by square.
    browser.open(&site.url("/replay?file=uttt.jsonl&game=1&turn=6"));
    browser.wait("document.querySelector('.moves [aria-current]')");
    browser.run("document.querySelector('#thinker-0').value = 'champion'");
    browser.click("#think");
    browser.wait("document.querySelector('#maps input[value=\"values of moves\"]')");
    browser.run("document.querySelector('#maps input[value=\"values of moves\"]').click()");
    browser.wait("document.querySelector('#map .heat')");
    browser.click("#think");
    browser.wait("!document.querySelector('#map svg')");
    browser.assert_clean(&site.host);
}

/// A click on the analysed board plays a move and analyses the next position, also if both players move at once.
#[test]
fn moves_are_played_on_the_analysed_board() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    let moves = "new URLSearchParams(location.search).get('moves')";
    for game in ["uttt", "goofspiel"] {
        browser.open(&site.url(&format!("/analyse?game={game}&budget=1000")));
        for _ in 0..40 {
            browser.wait("document.querySelector('.square.open, #choices button')");
            if browser.eval(moves).as_str().is_some_and(|moves| !moves.is_empty()) {
                break;
            }
            browser.eval(ACT);
            std::thread::sleep(std::time::Duration::from_millis(250));
        }
        browser.wait(&format!("{moves} && document.querySelector('#found tbody tr')"));
        browser.wait("document.querySelector('#found p').textContent.includes('…') === false");
        browser.click("nav.line a");
        browser.wait(&format!("{moves} === ''"));
    }
    browser.assert_clean(&site.host);
}

/// The board shows the best move of an analysis as its pieces, and the table names it in words.
#[test]
fn the_best_move_is_drawn() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    // In Cellularena, the organ from which the new one grows covers the line between them.
    for (game, pieces) in [("box", 12), ("cellularena", 2)] {
        browser.open(&site.url(&format!("/analyse?game={game}&bot=greedy&budget=1000")));
        browser.wait("document.querySelector('#over svg .mark')");
        let parts = ["rect.fill:not(.held), path.piece", ".square:not(.marked)", "text.label"]
            .map(|part| browser.eval(&format!("document.querySelectorAll('#over svg :is({part})').length")));
        assert_eq!(parts, [pieces, 0, 0], "{game}");
        let cell = "document.querySelector('#found td.move')";
        assert_ne!(browser.eval(&format!("{cell}.textContent")), browser.eval(&format!("{cell}.title")));
    }
    browser.assert_clean(&site.host);
}

/// The number on the best move comes from the view that is shown, and the plain position has none.
#[test]
fn the_number_of_the_best_move_is_drawn_on_values() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/analyse?game=cellularena&budget=1000"));
    let corners = "document.querySelectorAll('#over .corner').length";
    browser.wait(&format!("{corners} > 0"));
    browser.wait("!document.querySelector('#found.running')");
    browser.click("#views label:last-of-type");
    assert_eq!(browser.eval(corners), 0);
    browser.assert_clean(&site.host);
}

/// A suggested tile is the only new one: the tile of the latest move keeps its lines, and its colour is not that of the
/// suggestion, which has a green frame.
#[test]
fn a_suggestion_covers_no_tile() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/analyse?game=spaghetti&bot=greedy&budget=1000&moves=cfs%0Afel"));
    browser.wait("document.querySelector('#over .laid.new')");
    assert_eq!(browser.eval("document.querySelectorAll('#over .laid').length"), 1);
    let style = |part: &str, name: &str| {
        browser.eval(&format!("getComputedStyle(document.querySelector('{part}')).{name}"))
    };
    let tile = ["#boards figure:not([hidden]) .laid.new", "#over .laid.new"];
    for name in ["fill", "stroke"] {
        let [latest, suggested] = tile.map(|part| style(part, name));
        assert_ne!(latest, suggested, "{name}");
    }
    // A shaped piece has the frame too.
    browser.open(&site.url("/analyse?game=cellularena&bot=greedy&budget=1000"));
    browser.wait("document.querySelector('#over .piece')");
    assert_eq!(browser.eval("document.querySelector('#over .mark').checkVisibility()"), true);
    browser.assert_clean(&site.host);
}

/// A finger next to a marked square chooses that square, because squares of wide boards are small on phones.
#[test]
fn a_finger_reaches_a_small_square() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/play?game=uttt&bot=greedy&seat=0&time=100&seed=3"));
    browser.wait("document.querySelector('.square.open')");
    let click = |kind: &str| {
        browser.run(&format!(
            "(() => {{ const place = document.querySelector('.square').getBoundingClientRect(); \
             document.querySelector('#board').dispatchEvent(new PointerEvent('click', \
             {{ clientX: place.left - 8, clientY: place.top + 4, pointerType: '{kind}' }})); }})()"
        ));
    };
    let moves = "document.querySelectorAll('#moves li').length";
    click("mouse");
    assert_eq!(browser.eval("document.querySelectorAll('.square.open').length"), 81);
    click("touch");
    browser.wait(&format!("{moves} === 2"));
    browser.assert_clean(&site.host);
}

/// On a telephone, a wide board is shown as a whole. The first tap on a small square shows the move and enlarges the
/// squares, and the second one makes the move. With one click the squares are as large as a finger, and the board
/// scrolls in its frame.
#[test]
fn a_small_square_is_tapped_twice() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.narrow(390);
    browser.open(&site.url("/play?game=box&bot=greedy&seat=0&time=100&seed=3"));
    browser.wait("document.querySelector('.square.open')");
    let field =
        "(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)(document.querySelector('.field'))";
    let width = "document.querySelector('#board .square').getBoundingClientRect().width";
    assert!(browser.eval(field) == 0 && browser.eval(width).as_f64() < Some(25.0));
    // Taps the first marked square whose only move has no other form.
    let moves = "document.querySelectorAll('#moves li').length";
    let button = "document.querySelector('#choices .primary')";
    browser.run("window.squares = [...document.querySelectorAll('#board .square.open')]");
    for _ in 0..200 {
        browser.run(&format!("window.square = squares.shift(); {TAP}"));
        if browser.eval(button) != serde_json::Value::Null {
            break;
        }
    }
    browser.wait(&format!("{button}.textContent.startsWith('Place ')"));
    browser.wait("document.querySelector('#over svg')");
    assert_eq!(browser.eval(moves), 0);
    // The square stays under the finger, and the button is on the first screen.
    assert!(browser.eval(width).as_f64() < Some(25.0));
    assert!(browser.eval(&format!("{button}.getBoundingClientRect().bottom")).as_f64() < Some(844.0));
    browser.run(TAP);
    browser.wait(&format!("{moves} === 2 && {field} === 0"));
    browser.click(".whole input");
    browser.wait(&format!("{field} > 200 && {width} > 25"));
    assert_eq!(browser.eval("document.documentElement.scrollWidth"), 390);
    browser.assert_clean(&site.host);
}

/// While a search changes the values on a board, the move that was tapped once stays, and a second tap makes it.
#[test]
fn a_tapped_square_stays_during_a_search() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.narrow(390);
    browser.open(&site.url("/analyse?game=box&bot=greedy&budget=1000"));
    browser.wait("document.querySelector('#over .suggested') && document.querySelector('.square.open')");
    browser.run(&format!("window.square = document.querySelector('.square.open'); {TAP}"));
    browser.wait("document.querySelector('#over .tapped')");
    browser.run("window.button = document.querySelector('#choices .primary'); document.dispatchEvent(new Event('updated'))");
    let kept = "button.isConnected && document.querySelector('#over .tapped') !== null && square.matches('.open.chosen')";
    for _ in 0..2 {
        assert_eq!(browser.eval(kept), true);
    }
    browser.run(TAP);
    browser.wait("new URLSearchParams(location.search).get('moves')");
    // The button has the value of the move, as soon as the search knows it.
    browser.open(&site.url("/analyse?game=box&bot=champion&budget=1000"));
    browser.wait("document.querySelector('#over .suggested') && document.querySelector('.square.open')");
    browser.run(&format!("window.square = document.querySelector('.square.open'); {TAP}"));
    browser.wait("document.querySelector('#choices .primary .worth')?.textContent");
    browser.assert_clean(&site.host);
}

/// On a phone, the opponent's move is next to the board, because the list of moves is out of sight.
#[test]
fn the_opponents_move_is_in_sight() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.narrow(390);
    let said = "document.querySelector('#said').textContent";
    let moves = ["cellularena", "uttt"].map(|game| {
        browser.open(&site.url(&format!("/play?game={game}&bot=greedy&seat=0&time=100&seed=3")));
        browser.wait("document.querySelector('.square.open')");
        // A wide board is seen as a whole.
        let field = "(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)(document.querySelector('.field'))";
        assert_eq!((browser.eval(field), browser.eval(said)), (0.into(), "".into()), "{game}");
        browser.wait(&format!("({ACT}, document.querySelector('#moves li'))"));
        browser.wait(&format!("{said}.startsWith('greedy played ')"));
        let latest = "[...document.querySelectorAll('#moves li:last-child :is(.text, .both > .seat-1 > .action)')].map((part) => part.textContent.trim()).join(' · ')";
        assert_eq!(browser.eval(&format!("{said} === 'greedy played ' + {latest}")), true, "{game}");
        browser.eval("document.querySelector('#said').getBoundingClientRect().bottom").as_f64()
    });
    assert!(moves.into_iter().all(|bottom| bottom < Some(844.0)), "{moves:?}");
    browser.assert_clean(&site.host);
}

/// An answer of several actions is on the board while it is chosen, and the first actions can be taken back.
#[test]
fn an_unfinished_answer_is_on_the_board() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    let moves = "0: GROW 1 3 4 SPORER E | 1: GROW 2 12 3 SPORER W\n0: SPORE 3 10 4 | 1: SPORE 4 5 3";
    let moves = moves.replace(' ', "+").replace('|', "%7C").replace(':', "%3A").replace('\n', "%0A");
    let game = "game=cellularena&bot=greedy&seat=0&time=100&seed=-3905225222768907362";
    browser.open(&site.url(&format!("/play?{game}&moves={moves}")));
    let next = "document.querySelector('#next').textContent";
    browser.wait(&format!("{next}.startsWith('Action 1 of 2')"));
    browser.run("(() => { const { x, y, width } = document.querySelector('[data-name=\"6 4\"]').getBoundingClientRect(); \
         document.querySelector('#board').dispatchEvent(new PointerEvent('click', { pointerType: 'mouse', clientX: x + width / 2, clientY: y + width / 2 })); })()");
    browser.wait(&format!("{next}.startsWith('Action 2 of 2') && document.querySelector('#over .tapped .square.marked')?.dataset.name === '6 4'"));
    browser.click("#undo");
    browser.wait(&format!("{next}.startsWith('Action 1 of 2') && !document.querySelector('#over svg')"));
    assert_eq!(browser.eval("document.querySelectorAll('#moves li').length"), 2);
    browser.assert_clean(&site.host);
}

/// A tile is turned with a key or a button while the board shows it, and a click of the mouse places it.
#[test]
fn a_tile_is_turned_before_it_is_placed() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/play?game=box&bot=greedy&seat=0&time=100&seed=3"));
    browser.wait("document.querySelector('.square.open')");
    // Not every square has room for both forms.
    browser.eval(
        "fetch('/line?game=box&seed=3').then((answer) => answer.json()).then(({choices}) => { window.both = \
         choices.find((one) => choices.some((other) => other !== one && other.squares[0] === one.squares[0])).squares[0]; })",
    );
    let point = |kind: &str| {
        browser.run(&format!(
            "(() => {{ const square = document.querySelector(`#board [data-name='${{both}}']`).getBoundingClientRect(); \
             const [x, y] = [square.x + square.width / 2, square.y + square.height / 2]; \
             document.elementFromPoint(x, y).dispatchEvent(new PointerEvent('{kind}', \
             {{bubbles: true, clientX: x, clientY: y, pointerType: 'mouse'}})); }})()"
        ));
    };
    let form = "document.querySelector('.turner strong').textContent";
    // Only squares with room for the shown form are marked.
    browser.run(
        "fetch('/line?game=box&seed=3').then((answer) => answer.json()).then(({choices}) => { window.forms = {}; \
         for (const choice of choices) forms[choice.form.name] = (forms[choice.form.name] ?? 0) + 1; \
         window.bySquare = Object.groupBy(choices, (choice) => choice.squares[0]); })",
    );
    let marked =
        format!("window.forms && document.querySelectorAll('.square.open').length === forms[{form}]");
    browser.wait(&marked);
    let ghost = "document.querySelector('#over svg')?.outerHTML";
    point("pointermove");
    browser.wait(ghost);
    let [first, before] = [form, ghost].map(|text| browser.eval(text));
    // The tile is drawn as it will be placed.
    let is_flat = "(([, , width, height]) => width > height)(document.querySelector('.turner svg.tile')?.getAttribute('viewBox').split(' ').map(Number) ?? [])";
    browser.wait(&format!("{is_flat} === ({form} === 'horizontal') && document.querySelectorAll('.turner svg.tile').length === 1"));
    browser.press("r");
    browser.wait(&format!("{form} !== {first} && {ghost} && {ghost} !== {before} && {marked}"));
    browser.wait(&format!(
        "document.querySelector('.turner svg.tile') && {is_flat} === ({form} === 'horizontal')"
    ));
    browser.click(".turner button");
    browser.wait(&format!("{form} === {first}"));
    // A square with room for the other form only turns the tile, and does not place it yet.
    browser.run(
        &(format!(
            "const only = Object.entries(bySquare).find(([, all]) => all.every((choice) => choice.form.name !== {form}))[0]; "
        ) + "const square = document.querySelector(`.square[data-name='${only}']`), {x, y} = square.getBoundingClientRect(); \
         square.dispatchEvent(new PointerEvent('click', {bubbles: true, clientX: x + 5, clientY: y + 5, pointerType: 'mouse'}));"),
    );
    browser.wait(&format!("{form} !== {first} && document.querySelector('.choices .primary')"));
    assert_eq!(browser.eval("document.querySelectorAll('#moves li').length").as_i64(), Some(0));
    browser.click(".turner button");
    browser.wait(&format!("{form} === {first}"));
    point("click");
    browser.wait("document.querySelectorAll('#moves li').length === 2");
    let played = browser.eval("document.querySelector('#moves li').textContent");
    assert!(played.as_str().unwrap().ends_with(first.as_str().unwrap()), "{played} is {first}");
    browser.assert_clean(&site.host);
}

/// An organ has a row for each kind, with its price and a button for each direction.
#[test]
fn an_organ_is_chosen_by_its_kind_and_direction() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/play?game=cellularena&bot=greedy&seat=0&time=100&seed=5"));
    browser.wait("document.querySelector('.square.open')");
    let click = "document.querySelector('.square.open').dispatchEvent(new MouseEvent('click', {bubbles: true, \
         clientX: document.querySelector('.square.open').getBoundingClientRect().x + 9, \
         clientY: document.querySelector('.square.open').getBoundingClientRect().y + 9}))";
    browser.run(click);
    browser.wait("document.querySelectorAll('#choices .form').length > 2");
    let rows = browser.eval("document.querySelector('#choices').innerText");
    assert!(
        rows.as_str().unwrap().contains("Harvester") && rows.as_str().unwrap().contains("costs"),
        "{rows}"
    );
    // The choice that spends the turn is the last one, and the list can be closed.
    assert_eq!(browser.eval("document.querySelector('#choices').lastElementChild.textContent"), "Wait");
    browser.run("document.querySelector('#choices .head button').click()");
    browser.wait("!document.querySelector('#choices .form')");
    browser.run(click);
    browser.wait("document.querySelectorAll('#choices .form > svg.tile').length > 2");
    browser.run("document.querySelector('#choices [aria-label^=\"Harvester\"][aria-label$=\"↓\"]').click()");
    browser.wait("document.querySelector('#moves li')?.textContent.includes('↓')");
    browser.assert_clean(&site.host);
}

/// The board shows the effect of a move before it is played, tiles have pictures, and the rules are one click away.
#[test]
fn a_move_is_seen_before_it_is_made() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/play?game=uttt&bot=greedy&seat=0&time=100&seed=3"));
    browser.wait("document.querySelector('.square.open')");
    let hover = |kind: &str| {
        browser.eval(&format!(
            "(() => {{ const square = document.querySelector('.square.open').getBoundingClientRect(); \
             const [x, y] = [square.x + square.width / 2, square.y + square.height / 2]; \
             document.elementFromPoint(x, y).dispatchEvent(new PointerEvent('{kind}', {{bubbles: true, clientX: x, clientY: y}})); }})()"
        ));
    };
    hover("pointermove");
    browser.wait("document.querySelector('#over svg')?.getAttribute('aria-label').includes('after 1 moves')");
    assert_eq!(browser.eval("document.querySelectorAll('#moves li').length"), 0, "nothing is played");
    browser.eval("document.querySelector('#board').dispatchEvent(new PointerEvent('pointerleave'))");
    browser.wait("!document.querySelector('#over svg')");
    // A tile in Spaghetti has three orientations.
    browser.open(&site.url("/play?game=spaghetti&bot=greedy&seat=0&time=100&seed=3"));
    browser.wait("document.querySelector('.square.open')");
    browser.eval(ACT);
    browser.wait("document.querySelectorAll('#choices button svg.tile').length === 3");
    let [tile, board] = ["#choices svg.tile:last-of-type", "#board svg"]
        .map(|part| format!("document.querySelector('{part}').getAttribute('viewBox')"));
    browser.wait(&format!("{tile} !== {board}"));
    browser.run("document.querySelector('#choices').scrollIntoView({block: 'end'})");
    browser.picture("web-tiles.png");
    browser.click("a.rules");
    browser.wait("location.pathname === '/rules' && document.body.innerText.includes('left wall')");
    browser.assert_clean(&site.host);
}

#[test]
fn a_game_is_played_to_its_end() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/play?game=uttt&bot=greedy&seat=1&time=100&seed=3"));
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
    // The squares of the suggested move are marked.
    browser.wait("document.querySelectorAll('#board .square.open.hinted').length === 1");
    browser.wait("document.querySelector('#over svg')");
    // An illegal move shows the reason.
    browser.eval("(() => { document.querySelector('#text').value = '9 9'; document.querySelector('#answer').requestSubmit(); })()");
    browser.wait("document.querySelector('#problem').textContent.includes('not on the board')");
    // With the keyboard, an arrow moves to another marked square, Enter plays it, and the next marked square gets the
    // focus.
    browser.run("document.querySelector('.square.open').focus()");
    let first = browser.eval("document.activeElement.dataset.name");
    browser.press(RIGHT);
    browser.wait("document.activeElement.matches('.square.open')");
    assert_ne!(browser.eval("document.activeElement.dataset.name"), first);
    let before = browser.eval(count);
    browser.press("\u{e007}");
    browser.wait(&format!("{count} > {before}"));
    browser.wait("document.activeElement.matches('.square.open')");
    assert!(
        browser
            .eval("document.querySelector('#next').textContent")
            .as_str()
            .unwrap()
            .contains("marked square")
    );
    for _ in 0..60 {
        if browser.eval("document.querySelector('#text').disabled") == true {
            break;
        }
        let before = browser.eval(count);
        browser.eval(click);
        browser.wait(&format!("{count} > {before}"));
        if before == 9 {
            browser.picture("web-play.png");
        }
    }
    let end = browser.eval("document.querySelector('#prompt').textContent");
    assert!(
        end.as_str().unwrap().starts_with("You ") || end.as_str().unwrap().starts_with("A draw"),
        "{end}"
    );
    assert_eq!(browser.eval("document.querySelector('#after').hidden"), false);
    let review = browser.eval("document.querySelector('#review').href");
    assert!(review.as_str().unwrap().ends_with("/replay?file=played.jsonl&game=1"), "{review}");
    browser.assert_clean(&site.host);
    // The game is logged like any other and follows the rules.
    let log = site.folder.path().join("project/played.jsonl");
    let source = contender_replay::Source::open(&log).unwrap();
    let outcome = contender_replay::check(source, None).unwrap();
    assert_eq!((outcome.equal, outcome.problems), (1, Vec::new()));
}

#[test]
fn every_game_can_be_played_by_clicks() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    for contest in contests() {
        for seat in 0..2 {
            let name = contest.name();
            let bot = quick(*contest);
            browser.open(&site.url(&format!("/play?game={name}&bot={bot}&seat={seat}&time=100&seed=3")));
            browser.wait("document.querySelectorAll('.square.open').length > 0");
            let count = "document.querySelectorAll('#moves li').length";
            let before = browser.eval(count).as_u64().unwrap();
            // The user clicks a square and then the remaining choices, until the move is complete.
            for _ in 0..10 {
                browser.eval(ACT);
                std::thread::sleep(std::time::Duration::from_millis(300));
                if browser.eval(count).as_u64().unwrap() > before {
                    break;
                }
            }
            browser.wait(&format!("{count} > {before}"));
            assert_eq!(browser.eval("document.querySelector('#problem').textContent"), "", "{name}");
        }
        browser.picture(&format!("play-{}.png", contest.name()));
    }
    browser.assert_clean(&site.host);
}

/// A custom game can be played with clicks to its end, and its page shows the author's rules.
#[test]
fn the_templates_games_are_played_and_explained() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    for (contest, words) in
        TEMPLATES.into_iter().zip(["Three marks in a row", "a die is rolled", "four of ten cards", "bid"])
    {
        let (name, bot) = (contest.name(), quick(contest));
        browser.open(&site.url(&format!("/play?game={name}&bot={bot}&seat=0&time=100&seed=3")));
        browser.wait("document.querySelector('.square.open')");
        let is_over = "document.querySelector('#text').disabled";
        for _ in 0..100 {
            if browser.eval(is_over) == true {
                break;
            }
            browser.eval(ACT);
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        browser.wait(is_over);
        let end = browser.eval("document.querySelector('#prompt').textContent");
        assert!(
            ["You ", "A draw"].iter().any(|words| end.as_str().unwrap().starts_with(words)),
            "{name}: {end}"
        );
        browser.picture(&format!("play-{name}.png"));
        browser.click("a.rules");
        browser.wait(&format!("location.pathname === '/rules' && document.querySelector('.words p').innerText.includes('{words}')"));
    }
    browser.assert_clean(&site.host);
    let log = site.folder.path().join("project/played.jsonl");
    let outcome = contender_replay::check(contender_replay::Source::open(&log).unwrap(), None).unwrap();
    assert_eq!((outcome.equal, outcome.problems), (4, Vec::new()));
}

#[test]
fn a_program_is_played_against_by_the_contests_clock() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    let project = site.folder.path().join("project");
    let script = "import sys\nprint('i am awake', file=sys.stderr)\nfor line in sys.stdin:\n  legal = [next(sys.stdin).strip() for _ in range(int(next(sys.stdin)))]\n  print(legal[0], flush=True)\n";
    std::fs::write(project.join("first.py"), script).unwrap();
    common::add_league(&project, "league");
    browser.open(&site.pass());
    let click = "(() => { const square = document.querySelector('.square.open').getBoundingClientRect(); \
         const [x, y] = [square.x + square.width / 2, square.y + square.height / 2]; \
         document.elementFromPoint(x, y).dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: x, clientY: y})); })()";
    let count = "document.querySelectorAll('#moves li').length";
    let begin = |bot: &str, entry: &str, seat: u32| {
        browser.open(&site.url("/play?game=uttt&time=0"));
        // The page's script adds this button after it has taken over the forms.
        browser.wait("location.search === '?game=uttt&time=0' && document.querySelector('#theme')");
        browser.eval(&format!(
            "(() => {{ const form = document.querySelector('#new'); form.elements.bot.value = '{bot}'; \
             if (!form.elements.bot.value) [form.elements.bot.value, form.elements.command.value] = ['', '{bot}']; \
             form.elements.entry.value = '{entry}'; form.elements.seat.value = '{seat}'; form.requestSubmit(); }})()"
        ));
    };
    for (bot, entry, seat, first) in
        [("python3 first.py", "", 1, 1), ("greedy", "second league", 0, 0), ("greedy", "", 0, 0)]
    {
        begin(bot, entry, seat);
        // On a busy machine the program may lose on time before its first answer.
        let is_over = "document.querySelector('#text')?.disabled";
        browser.wait(&format!("document.querySelector('.square.open') && {count} === {first} || {is_over}"));
        let clock = browser.eval("document.querySelector('#clock').textContent");
        assert!(clock.as_str().unwrap().contains("a turn") || browser.eval(is_over) == true, "{clock}");
        for _ in 0..60 {
            if browser.eval(is_over) == true {
                break;
            }
            let before = browser.eval(count);
            browser.eval(click);
            browser.wait(&format!("{count} > {before}"));
        }
        let end = browser.eval("document.querySelector('#prompt').textContent");
        assert!(["You ", "A draw"].iter().any(|words| end.as_str().unwrap().starts_with(words)), "{end}");
    }
    // An invalid command shows the reason.
    begin("./nothing", "", 0);
    browser.wait("document.querySelector('#new .failure')?.textContent.includes('nothing')");
    browser.assert_refused(1);
    let log = project.join("played.jsonl");
    let source = contender_replay::Source::open(&log).unwrap();
    let outcome = contender_replay::check(source, None).unwrap();
    assert_eq!((outcome.equal, outcome.problems), (3, Vec::new()));
    browser.assert_clean(&site.host);
}
