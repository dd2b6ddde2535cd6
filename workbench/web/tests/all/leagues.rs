//! Leagues in a real browser.

use crate::common::browser::{Browser, RIGHT};
use crate::common::{self, Site, has_command};

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
    browser.wait("document.querySelector('#state')?.textContent.includes('4 bots')");
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
    // The end of the latest game is next to the list of games, and the reader chooses another game.
    browser
        .wait("document.querySelector('#preview svg.board') && document.querySelector('#choice tr.shown')");
    browser.run("document.querySelectorAll('#choice tbody tr')[2].querySelector('a').focus()");
    browser.wait("document.querySelectorAll('#choice tbody tr')[2].matches('.shown') && document.querySelector('#preview .picture').href === document.querySelector('.shown a').href");
    // A page lists the games between two bots and shows one on the board.
    browser.click("#games-of a");
    browser.wait("document.querySelector('form.choice') && !document.querySelector('form.choice button')");
    for (field, name, title) in
        [("a", "greedy", "Games of greedy"), ("b", "random", "Games of greedy and random")]
    {
        browser.run(&format!(
            "const select = document.querySelector('form.choice').elements.{field}; select.value = '{name}'; \
             select.dispatchEvent(new Event('change', {{bubbles: true}}))"
        ));
        browser.wait(&format!("document.querySelector('h1')?.textContent === '{title}'"));
    }
    browser.picture("league-games.png");
    browser.click("tbody a");
    browser.wait("document.querySelector('#board svg')");
    browser.press(RIGHT);
    browser.wait("document.querySelector('#board svg').getAttribute('aria-label').includes('after move 1:')");
    browser.assert_clean(&site.host);
}

/// A league is created on the first page, a removed bot is restored, and an error in a form leads back to the form.
#[test]
fn a_league_is_made_and_a_bot_comes_back() {
    let Some(browser) = Browser::start().filter(|_| has_command()) else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/leagues/new?game=uttt"));
    // Without bots, the form stays with the reason in view.
    browser.run(
        "const form = document.querySelector('#new-league'); \
         form.querySelectorAll('.bots input').forEach((box) => { box.checked = false; }); form.requestSubmit()",
    );
    browser.wait(
        "document.querySelector('#new-league .failure')?.textContent.startsWith('Tick at least one bot')",
    );
    assert_eq!(
        browser.eval(
            "document.querySelector('#new-league .failure').getBoundingClientRect().bottom <= innerHeight"
        ),
        true
    );
    browser.assert_refused(1);
    // A league without bots, as the command makes it, shows the form for a bot.
    let contest = contender_catalogue::find("uttt").unwrap();
    let folder = site.folder.path().join("project/mine");
    let league =
        contender_league::League::create(&folder, contender_league::NewLeagueGame::Contest(contest)).unwrap();
    contender_league::Store::open(&league).unwrap();
    browser.open(&site.url("/league?dir=mine"));
    browser.wait("document.querySelector('h1')?.textContent === 'mine uttt'");
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
    browser.click("tbody details .danger");
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
    // A telephone shows 20 rows until the reader asks for all or filters.
    browser.narrow(390);
    browser.open(&site.url("/league?dir=league"));
    let visible =
        "[...document.querySelectorAll('#standings tbody tr')].filter((row) => row.checkVisibility()).length";
    browser.wait(&format!("{visible} === 20"));
    browser.click("#all-rows");
    browser.wait(&format!("{visible} === 23"));
    // A wide page shows 30 rows until the reader asks for all, filters, or searches in the browser.
    common::add_league(&project, "large");
    common::add_bots(&project, "large", 40);
    browser.narrow(1280);
    browser.open(&site.url("/league?dir=large"));
    browser.wait(&format!("{visible} === 30"));
    browser.run("const field = document.querySelector('#filter'); field.value = 'bot-39'; field.dispatchEvent(new Event('input', { bubbles: true }))");
    browser.wait(&format!("{visible} === 1"));
    browser.run("const none = document.querySelector('#filter'); none.value = 'zzz'; none.dispatchEvent(new Event('input', { bubbles: true }))");
    browser.wait("document.querySelector('#none')?.textContent === 'No bot contains “zzz”.'");
    browser.open(&site.url("/league?dir=large"));
    browser.wait(&format!("{visible} === 30"));
    browser.run("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true }))");
    browser.wait(&format!("{visible} === document.querySelectorAll('#standings tbody tr').length"));
    browser.assert_clean(&site.host);
}
