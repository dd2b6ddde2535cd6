//! Boards on which moves are drawn: the pieces of a better move in a replay, and what is known about the players and
//! the moves of a game.

use crate::common::browser::{Browser, RIGHT};
use crate::common::{Site, add_games};
use contender_catalogue::OWN;
use contender_play::Record;

/// The first part of a move, if both players act at once.
fn first_part(mv: &str) -> &str {
    mv.strip_prefix("0: ").and_then(|mv| mv.split_once(" | 1: ")).map_or(mv, |(first, _)| first)
}

/// The board of a replay shows a better move as its pieces, in every game. Here, the move of the game is the better
/// one, so the board shows the same pieces as after the move.
#[test]
fn a_better_move_is_drawn_with_its_pieces() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    add_games(&project);
    for contest in OWN {
        let name = contest.name();
        let text = std::fs::read_to_string(project.join(format!("{name}.jsonl"))).unwrap();
        let moves = Record::from_json(&text).unwrap().moves;
        let better = first_part(&moves[6]).replace(' ', "%20").replace(';', "%3B");
        let board = |rest: &str| {
            let answer = site.get(&format!("/board?file={name}.jsonl&game=1&turn={rest}"));
            assert_eq!(answer.status, 200, "{}", answer.body);
            answer.body
        };
        let shown = board(&format!("6&better={better}&seat=0"));
        let (_, group) =
            shown.split_once("<g class=\"pieces-better\">").unwrap_or_else(|| panic!("{name}: {shown}"));
        let (pieces, rest) = group.split_once("</g>").unwrap();
        assert!(rest.contains("class=\"better\" d=\"M"), "{name}: {rest}");
        let after = board("7");
        let drawn: Vec<&str> =
            pieces.lines().filter(|line| !line.is_empty() && !line.contains("\"bare\"")).collect();
        let new = drawn.iter().filter(|line| after.contains(**line)).count();
        assert!(!drawn.is_empty() && new > 0, "{name}: {pieces}");
        // An illegal move has no pieces.
        let illegal = board("6&better=nonsense&seat=0");
        assert!(!illegal.contains("pieces-better") && illegal.contains("<svg"), "{name}");
        assert!(!board("6").contains("pieces-"), "{name}");
    }
}

/// A replay shows what chance has drawn for the next move: the chip or the tile of the recorded move.
#[test]
fn the_next_draw_is_shown() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    add_games(&project);
    for (name, words) in [("entropy", "drawn "), ("box", "tile to place")] {
        let board = |turn: usize| {
            let answer = site.get(&format!("/board?file={name}.jsonl&game=1&turn={turn}"));
            assert_eq!(answer.status, 200, "{}", answer.body);
            answer.body
        };
        let text = std::fs::read_to_string(project.join(format!("{name}.jsonl"))).unwrap();
        let moves = Record::from_json(&text).unwrap().moves;
        let first = board(0);
        let (_, notes) = first.split_once(words).unwrap_or_else(|| panic!("{name}: {first}"));
        assert!(name == "box" || notes.contains(&format!("> {} <", &moves[0][..1])), "{notes}");
        assert!(!board(moves.len()).contains(words), "{name}");
    }
}

/// Before the first move, the page of every game names the bot, its strength and its time.
#[test]
fn the_opponent_is_named_before_the_first_move() {
    let site = Site::new();
    let page = |path: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{}\r\n", site.host, site.cookie());
        site.send(&head, &[]).body
    };
    for contest in OWN {
        let (name, bots) = (contest.name(), contest.info().bots);
        let text = page(&format!("/play?game={name}"));
        let (_, players) = text.split_once("class=\"players\"").unwrap_or_else(|| panic!("{name}: {text}"));
        assert!(text.find("class=\"players\"") < text.find("id=\"board\""), "{name}");
        let strongest = bots[bots.len() - 1].name;
        assert!(
            players.contains(&format!("<strong class=\"name\">{strongest}</strong>")),
            "{name}: {players}"
        );
        assert!(
            players.contains(&format!("strongest of {} bots, 1 s a move", bots.len())),
            "{name}: {players}"
        );
        let weakest = page(&format!("/play?game={name}&bot={}&time=100", bots[0].name));
        let words = format!("no. {0} of {0} bots, 0.1 s a move", bots.len());
        assert!(weakest.contains(&words), "{name}: {weakest}");
    }
}

/// While an engine thinks about a position that has been evaluated, the page explains whose values the marks show. The
/// engine's best move is drawn on the board.
#[test]
fn the_engine_is_compared_with_the_marks() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    add_games(&site.folder.path().join("project"));
    browser.open(&site.pass());
    browser.open(&site.url("/replay?file=uttt.jsonl&game=1&turn=6"));
    browser.click("#think");
    browser.wait("document.querySelector('#thought-0 [data-move]')");
    browser.wait("document.querySelector('#over svg .mark')");
    assert_eq!(browser.eval("document.querySelector('#compare').textContent"), "");
    browser.click("#think");
    browser.wait("!document.querySelector('#over svg')");
    browser.click("#evaluate");
    browser.wait("!document.querySelector('#evaluate')");
    browser.click("#think");
    browser.wait("document.querySelector('#compare').textContent.includes('Marks: champion with 0.1 s a position, best r')");
    // The move that was played stays on the board and in the table.
    browser.click("#mistake");
    browser.wait(
        "document.querySelector('#board svg .played') && !document.querySelector('#board svg .better')",
    );
    browser.wait("document.querySelector('#thought-0 tr.played')?.checkVisibility()");
    browser.wait("/^Next, move \\d+: /.test(document.querySelector('#verdict').textContent)");
    browser.click("#think");
    browser.wait("document.querySelector('#board svg .better')");
    browser.press(RIGHT);
    browser.wait("/^(Just played|Next), move \\d+: /.test(document.querySelector('#verdict').textContent)");
    browser.assert_clean(&site.host);
}

/// A large difference between two values of the same move is named.
#[test]
fn another_value_of_the_same_move_is_named() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    add_games(&site.folder.path().join("project"));
    browser.open(&site.pass());
    browser.open(&site.url("/replay?file=uttt.jsonl&game=1&turn=6"));
    browser.wait("document.querySelector('.moves [aria-current]')");
    // The marks always have the engine's best move, and another value.
    browser.run(
        "const parse = JSON.parse; const best = { get: () => document.querySelector('#thought-0 [data-move]').dataset.move }; \
         JSON.parse = (text) => { const found = parse(text); \
         if (found[0]?.notable) for (const one of found) { one.amount -= 9; Object.defineProperty(one, 'best', best); } return found; }",
    );
    browser.click("#evaluate");
    browser.wait("!document.querySelector('#evaluate')");
    browser.click("#think");
    browser.wait("/the same move, but [0-9.]+% instead of [<>]?[0-9]+%[.]$/.test(document.querySelector('#compare').textContent)");
}

/// If several organs can grow into a square, the buttons say where each of them is.
#[test]
fn an_organ_is_named_by_its_place() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.narrow(390);
    browser.open(&site.url("/play?game=cellularena&bot=greedy&seat=0&time=100&seed=5"));
    let tap = |name: &str| {
        browser.run(&format!(
            "(() => {{ const square = document.querySelector(`#board [data-name='{name}']`); \
             const place = square.getBoundingClientRect(); square.dispatchEvent(new PointerEvent('click', {{ bubbles: true, \
             pointerType: 'touch', clientX: place.x + place.width / 2, clientY: place.y + place.height / 2 }})); }})()"
        ));
    };
    let moves = "document.querySelectorAll('#moves li').length";
    // Basic organs grow until a square has two neighbours.
    for turn in 0..12 {
        browser.wait(&format!("{moves} >= {turn} && document.querySelector('#board .square.open')"));
        let names = browser.eval(
            "[...document.querySelectorAll('#board .square.open')].map((square) => square.dataset.name)",
        );
        for name in names.as_array().unwrap() {
            tap(name.as_str().unwrap());
            if browser.eval("document.querySelectorAll('#choices .unit').length > 0") == true {
                browser.wait("[...document.querySelectorAll('#choices .unit')].every((unit) => /^from [0-9]+,[0-9]+$/.test(unit.textContent))");
                // The moves of the second organ are folded, and the other squares keep a mark.
                let found = [".fold:not([open])", "#board .square.other"]
                    .map(|part| browser.eval(&format!("document.querySelectorAll('{part}').length > 0")));
                assert_eq!(found, [true, true]);
                browser.click("#choices .fold summary");
                browser.wait("document.querySelector('#choices .fold[open] svg')");
                // The buttons are on the first screen.
                let bottom =
                    browser.eval("document.querySelector('#choices').getBoundingClientRect().bottom");
                assert!(bottom.as_f64() <= Some(844.0), "{bottom}");
                return browser.assert_clean(&site.host);
            }
        }
        browser.run("([...document.querySelectorAll('#choices button')].find((button) => button.title.includes('BASIC')) ?? document.querySelector('#choices button:not(.small)')).click()");
    }
    panic!("no square has two neighbours");
}

/// The notes next to a board name the players, and the number of moves is that of the shown form of the tile. The dots
/// of legal moves are not drawn again over the board.
#[test]
fn the_notes_name_the_players() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/play?game=box&bot=greedy&seat=0&time=100&seed=5"));
    browser.wait("document.querySelector('#board .notes p:nth-child(3)')");
    let notes = browser.eval("document.querySelector('#board .notes').textContent");
    let notes = notes.as_str().unwrap();
    assert!(notes.starts_with("You, colour") && notes.contains("greedy, secret colour"), "{notes}");
    assert!(
        notes.contains("tile to place") && notes.contains("You to move") && !notes.contains("Player"),
        "{notes}"
    );
    let words = browser.eval("document.querySelector('#next').textContent");
    assert!(words.as_str().unwrap().ends_with("horizontal of 125 legal moves."), "{words}");
    browser.open(&site.url("/play?game=uttt&bot=greedy&seat=0&time=100&seed=5"));
    browser.wait("document.querySelector('#board .square.open')");
    browser.click("#hint");
    browser.wait("document.querySelector('#over .mark')");
    assert_eq!(browser.eval("document.querySelectorAll('#over text.dim').length"), 0);
    browser.assert_clean(&site.host);
}

/// The discs on the analysed board have the numbers of the rows. The chip that Chaos must place can be chosen.
#[test]
fn the_next_best_moves_and_the_draws_are_on_the_page() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/analyse?game=spaghetti&bot=champion&budget=30000"));
    browser.wait("document.querySelectorAll('#found [data-rank]').length > 0");
    browser.wait("!document.querySelector('#found p').textContent.includes('…')");
    let [discs, rows] = ["figure:not([hidden]) circle.rank", "#found [data-rank]"]
        .map(|part| browser.eval(&format!("document.querySelectorAll('{part}').length")));
    assert_eq!(discs, rows);
    assert!(browser.eval("document.querySelector('#found [aria-sort]').textContent") == "iterations");
    browser.open(&site.url("/analyse?game=entropy&bot=greedy&budget=1000"));
    let chip = "document.querySelector('.draws [aria-current]').textContent";
    browser.wait("document.querySelectorAll('.draws a').length === 7");
    for wanted in ["5", "6"] {
        browser.run(&format!("[...document.querySelectorAll('.draws a')].find((link) => link.textContent === '{wanted}').click()"));
        browser.wait(&format!("document.querySelector('.draws') && {chip} === '{wanted}'"));
        browser.wait(&format!(
            "document.querySelector('#found td.move')?.textContent.startsWith('{wanted} at')"
        ));
    }
    browser.assert_clean(&site.host);
}

/// Moves of which only an upper bound is known follow the others, the greatest bound first. The board shows only
/// values, and the best move is above the table. A click on a row plays its move, and the moves that lead to the
/// position are links.
#[test]
fn bounds_are_marked_and_rows_are_played() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/analyse?game=entropy&bot=champion&budget=30000&seed=3"));
    browser.wait("document.querySelector('#found .bound')");
    browser.wait("!document.querySelector('#found p').textContent.includes('…')");
    let bounds =
        browser.eval("[...document.querySelectorAll('#found .bound')].map((cell) => cell.textContent)");
    let bounds: Vec<&str> = bounds.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let numbers: Vec<f64> = bounds
        .iter()
        .map(|text| text.strip_prefix("≤ ").unwrap().replace('−', "-").parse().unwrap())
        .collect();
    assert!(numbers.len() > 20 && numbers.is_sorted_by(|one, next| one >= next), "{bounds:?}");
    let shown = "[...document.querySelectorAll('figure:not([hidden]) svg text')].filter((text) => text.textContent.startsWith('≤')).length";
    assert_eq!(browser.eval(shown), 0);
    assert_eq!(browser.eval("document.querySelector('#next').textContent.slice(0, 5)"), "Place");
    let best = browser.eval("document.querySelector('#best strong').textContent");
    assert_eq!(best, browser.eval("document.querySelector('#found td.move').textContent"));
    let value = "document.querySelector('#worth').textContent";
    let first = browser.eval("document.querySelector('#found tbody td').textContent");
    browser.run("document.querySelector('#found tbody tr').click()");
    browser.wait(&format!(
        "location.search.includes('moves=') && document.querySelector('nav.line [aria-current]')?.textContent === {first}"
    ));
    // The other choices for a square have their values next to them.
    browser.open(&site.url("/analyse?game=spaghetti&bot=champion&budget=30000"));
    browser.wait("document.querySelector('.square.open') && !document.querySelector('#found p').textContent.includes('…')");
    browser.run(
        "(() => { const square = document.querySelector('figure:not([hidden]) .square.open').getBoundingClientRect(); \
         const [x, y] = [square.x + square.width / 2, square.y + square.height / 2]; \
         document.elementFromPoint(x, y).dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: x, clientY: y})); })()",
    );
    browser.wait("document.querySelectorAll('#choices .worth').length === 3");
    browser.run(
        "document.querySelector('#choices .head ~ button').dispatchEvent(new PointerEvent('pointerenter'))",
    );
    browser.wait(&format!("{value}.includes('points')"));
    // If both players move at once, the row is the answer of one of them.
    browser.open(&site.url("/analyse?game=cellularena&bot=champion&budget=1000&seed=5"));
    browser.wait("document.querySelector('#found [data-move]') && !document.querySelector('#found p').textContent.includes('…')");
    browser.wait("document.querySelector('#next').textContent.includes('root 1')");
    browser.run("document.querySelector('#found tbody tr').click()");
    browser.wait("document.querySelector('#next')?.textContent.includes('root 2')");
    // Then the other one answers, with values of its own, and the first answer can be taken back.
    browser.wait("document.querySelector('#found p').textContent.includes('Red') && document.querySelector('nav.line li').textContent.includes('now Red')");
    browser.click("nav.line a");
    browser.wait("document.querySelector('#next')?.textContent.includes('root 1') && document.querySelector('#found [data-move]')");
    browser.run("document.querySelector('#found tbody tr').click()");
    browser.wait("document.querySelector('#next')?.textContent.includes('root 2') && document.querySelector('#found [data-move]')");
    browser.run("document.querySelector('#found tbody tr').click()");
    browser.wait("new URLSearchParams(location.search).get('moves') && document.querySelector('#next')?.textContent.includes('root')");
    browser.assert_clean(&site.host);
}

/// The button for a pass does not move while a chip is chosen. The user can look back at earlier positions, where no
/// move can be made, and return to the game.
#[test]
fn a_game_can_be_looked_back_at() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/play?game=entropy&bot=greedy&seat=0&time=100&seed=3"));
    let top = "document.querySelector('#choices button')?.getBoundingClientRect().top";
    browser.wait("document.querySelector('#board .square.open')");
    let before = browser.eval(top);
    assert_eq!(browser.eval("document.querySelector('#choices').textContent"), "pass");
    assert_eq!(browser.eval("document.querySelector('.player.turn .name').textContent"), "You");
    browser.run(
        "(() => { const square = document.querySelector('#board .square.open').getBoundingClientRect(); \
         const [x, y] = [square.x + square.width / 2, square.y + square.height / 2]; \
         document.elementFromPoint(x, y).dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: x, clientY: y})); })()",
    );
    browser.wait("document.querySelector('#board .square.chosen')");
    assert_eq!(browser.eval(top), before);
    assert_eq!(browser.eval("document.querySelectorAll('#choices button').length"), 1);
    browser.click("#choices button");
    browser.wait("document.querySelectorAll('#moves li').length === 3 && document.querySelector('#board .square.open')");
    browser.press("\u{e012}");
    browser.wait("document.querySelector('#prompt').textContent === 'After move 2 of 3'");
    browser.wait("document.querySelector('#board svg').getAttribute('aria-label').includes('after 2 moves')");
    assert_eq!(browser.eval("document.querySelectorAll('#board .square.open').length"), 0);
    assert_eq!(browser.eval("document.querySelector('#moves .shown').textContent"), "pass");
    browser.press("\u{e014}");
    browser.wait("document.querySelector('#prompt').textContent.startsWith('Your turn') && document.querySelector('#board .square.open')");
    browser.run("document.querySelector('#moves li').click()");
    browser.wait("document.querySelector('#prompt').textContent === 'After move 1 of 3'");
    browser.click("#next button");
    browser.wait("document.querySelector('#prompt').textContent.startsWith('Your turn')");
    browser.assert_clean(&site.host);
}

/// The size of a board depends only on the window and the game, not on the notes next to it. The notes have a fixed
/// width, and no part of the card is empty.
#[test]
fn boards_keep_their_size() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    add_games(&site.folder.path().join("project"));
    browser.open(&site.pass());
    let side = |part: &str| {
        let text = format!("document.querySelector('#board {part}').getBoundingClientRect().width");
        browser.eval(&text).as_f64().unwrap()
    };
    for contest in OWN {
        let name = contest.name();
        let widths = [0, 5, 9].map(|turn| {
            browser.open(&site.url(&format!("/replay?file={name}.jsonl&game=1&turn={turn}")));
            browser.wait("document.querySelector('#board svg')");
            side("svg.board")
        });
        assert!(widths.iter().all(|width| *width == widths[0]), "{name}: {widths:?}");
        let [card, notes] = [".drawn", ".notes"].map(side);
        assert!(notes > card - 40.0 || notes + widths[0] > card - 40.0, "{name}: {card} {notes} {widths:?}");
        browser.open(&site.url(&format!("/analyse?game={name}&budget=1")));
        browser.wait("document.querySelector('#boards svg')");
        let places =
            "['#next', '#found'].map((part) => document.querySelector(part).getBoundingClientRect().top)";
        let places = browser.eval(places);
        assert!(places[0].as_f64() <= places[1].as_f64(), "{name}: the ways to move are above the analysis");
    }
    // There is no move after the end.
    let moves =
        Record::from_json(&std::fs::read_to_string(site.folder.path().join("project/uttt.jsonl")).unwrap());
    let moves = moves.unwrap().moves.join("%0A").replace(' ', "%20");
    browser.open(&site.url(&format!("/analyse?game=uttt&budget=1000&moves={moves}")));
    browser.wait("document.querySelector('#found p')?.textContent === 'The game is over.'");
    browser.assert_clean(&site.host);
}

/// If both players move at once, the board of a judged turn shows both moves, and the better one if there is one.
#[test]
fn the_moves_of_a_joint_turn_are_drawn() {
    let site = Site::new();
    add_games(&site.folder.path().join("project"));
    let frames = |query: &str| {
        let answer = site.get(&format!("/board?file=cellularena.jsonl&game=1&turn=0{query}"));
        assert_eq!(answer.status, 200, "{}", answer.body);
        ["played", "better", "joint seat-0", "joint seat-1"]
            .map(|kind| answer.body.matches(&format!("<path class=\"{kind}\"")).count())
    };
    let start = contender_catalogue::find("cellularena").unwrap();
    let judge = start.judge(5, &mut contender_game::settings::Options::rules()).unwrap();
    let better = judge.choices(contender_game::rules::Player::Zero).pop().unwrap().replace(' ', "+");
    assert_eq!(frames(""), [0; 4]);
    assert_eq!(frames("&better=&seat=0"), [1, 0, 0, 1]);
    assert_eq!(frames("&better=&seat=1"), [1, 0, 1, 0]);
    assert_eq!(frames(&format!("&better={better}&seat=0")), [1, 1, 0, 1]);
    // The engine draws its own best move.
    assert_eq!(frames(&format!("&better={better}&seat=0&engine=true")), [1, 0, 0, 1]);
}
