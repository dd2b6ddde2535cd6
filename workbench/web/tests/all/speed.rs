//! Loading times of pages: `cargo test --release -p contender-web --test all -- --ignored --nocapture speed`.
//!
//! The goals are a first paint (Chromium's `first-contentful-paint`) within 200 ms for home, play, a replay of 100
//! turns and a league, at widths of 1280 and 390 pixels, and within 300 ms for a page of a league with 10,000 games.

use crate::common::Site;
use crate::common::browser::Browser;
use contender_game::contest::Contest;
use contender_league::{League, NewLeagueGame, Store, import};
use contender_referee::{Entrant, Fixture, Record, Referee};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const TIMES: usize = 11;

fn game(contest: &'static dyn Contest, bots: [&str; 2], seed: u64) -> Record {
    let [a, b] = bots.map(|bot| Entrant::parse(contest, bot).unwrap());
    let fixture = Fixture::between([&a, &b], seed, [seed, seed + 1]);
    Referee::of(contest).play(contest, &fixture, &AtomicBool::new(false)).unwrap()
}

/// Returns the median, the minimum and the maximum as text.
fn spread(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let [least, middle, most] = [values[0], values[values.len() / 2], values[values.len() - 1]];
    format!("{middle:.0} ms ({least:.0} to {most:.0})")
}

/// Measures the time until a page is answered, and the time until the browser paints it, without the browser's own
/// start.
fn measure(site: &Site, browser: Option<&Browser>, what: &str, path: &str) {
    let answers = (0..TIMES).map(|_| {
        let begun = Instant::now();
        let answer = site.get(path);
        assert_eq!(answer.status, 200, "{}", answer.body);
        begun.elapsed().as_secs_f64() * 1e3
    });
    let answers = spread(answers.collect());
    let entry = "performance.getEntriesByName('first-contentful-paint')[0]";
    let paint = |browser: &Browser| {
        browser.open(&site.url(path));
        browser.wait(entry);
        browser.eval(&format!("{entry}.startTime")).as_f64().unwrap()
    };
    let Some(browser) = browser else { return println!("{what}: answered after {answers}; no browser") };
    let [wide, narrow] = [1280, 390].map(|width| {
        browser.narrow(width);
        browser.open(&site.url("/rules"));
        spread((0..TIMES).map(|_| paint(browser)).collect())
    });
    println!("{what}: answered after {answers}, first paint after {wide} at 1280 pixels, {narrow} at 390");
}

#[test]
#[ignore = "a measurement"]
fn pages_are_there_soon() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    let cellularena = contender_catalogue::find("cellularena").unwrap();
    let long = (1..)
        .map(|seed| game(cellularena, ["greedy", "greedy"], seed))
        .find(|record| record.seats[0].answers >= 100)
        .unwrap();
    for name in (1..100).map(|number| format!("games-{number}.jsonl")).chain(["long.jsonl".to_string()]) {
        std::fs::write(project.join(name), long.to_json() + "\n").unwrap();
    }
    crate::common::add_league(&project, "small");

    // These are real games, with the bots' names changed.
    let uttt = contender_catalogue::find("uttt").unwrap();
    let league = League::create(&project.join("league"), NewLeagueGame::Contest(uttt)).unwrap();
    let log = site.folder.path().join("games.jsonl");
    let lines = (0..10_000_u64).map(|at| {
        let [a, b] = [at % 20, (at + 1 + at / 20 % 19) % 20];
        let bot = |number: u64| ["random", "greedy"][number as usize % 2];
        let mut record = game(uttt, [bot(a), bot(b)], at);
        for (seat, number) in record.seats.iter_mut().zip([a, b]) {
            seat.bot = format!("bot-{number}");
        }
        record.to_json() + "\n"
    });
    std::fs::write(&log, lines.collect::<String>()).unwrap();
    let imported = import(&mut Store::open(&league).unwrap(), &log, "uttt", &mut |_| true).unwrap();
    assert_eq!(imported.new, 10_000, "{imported:?}");

    let browser = Browser::start();
    let browser = browser.as_ref();
    let turns = long.seats[0].answers;
    if let Some(browser) = browser {
        browser.open(&site.pass());
    }
    measure(&site, browser, "home with 100 files", "/");
    measure(&site, browser, "play", "/play?game=uttt&bot=greedy&seat=0&seed=3");
    measure(&site, browser, "a league of three bots", "/league?dir=small");
    measure(&site, browser, &format!("a replay of {turns} turns"), "/replay?file=long.jsonl&game=1");
    measure(&site, browser, "a league of 10,000 games", "/league?dir=league");
    measure(&site, browser, "its games", "/league/games?dir=league");
    measure(&site, browser, "those of two bots", "/league/games?dir=league&a=bot-1&b=bot-2");
}
