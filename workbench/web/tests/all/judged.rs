//! Positions and losses that a bot judges, in a real browser.

use crate::common::browser::{Browser, LEFT, RIGHT};
use crate::common::{self, Site, add_games};
use contender_catalogue::OWN;

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

/// The lost games of a player are reviewed on a page, each with its turning point. Its link leads to the position
/// before the costly move, with frames around the played and the better move, and their names.
#[test]
fn the_reasons_of_losses_are_shown() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    common::add_duel(&site.folder.path().join("project"));
    let page = site.get("/review?file=duel.jsonl").body;
    assert!(
        page.contains("with the token") && page.contains("<a href=\"/matches\">Matches</a> / "),
        "{page}"
    );
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
    // There is only one opponent, so the cards name the games.
    let names = "[...document.querySelectorAll('.moments .name')].every((name) => name.textContent.startsWith('Game '))";
    assert_eq!(browser.eval(names), true);
    assert_eq!(
        browser.eval("document.querySelectorAll('.moments svg .played, .moments svg .better').length >= 2"),
        true
    );
    assert_eq!(browser.eval("document.querySelector('.losses rect') !== null"), true);
    // With one opponent, the losses are listed by seat.
    assert_eq!(browser.eval("document.querySelector('#opponents').textContent"), "Points lost, by seat");
    let seat = browser.eval("document.querySelector('#opponents ~ .wide tbody th').textContent");
    assert!(seat == "X" || seat == "O", "{seat}");
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
