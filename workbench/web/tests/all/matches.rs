//! The form for a new match, and the page of a match that this server runs or has run.

use crate::common::browser::Browser;
use crate::common::{Answer, Site, add_duel, has_command, log_line};
use contender_play::{Ending, Record};
use std::time::{Duration, Instant};

fn known(site: &Site) -> String {
    format!("{}Content-Type: application/x-www-form-urlencoded\r\n", site.cookie())
}

/// Sends the form for a new match.
fn start(site: &Site, values: &str) -> Answer {
    site.post("/match/start", &known(site), format!("game=uttt&a=greedy&b=random&{values}").as_bytes())
}

fn text(site: &Site, path: &str) -> String {
    let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{}\r\n", site.host, site.cookie());
    let answer = site.send(&head, &[]);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

/// Returns the page as soon as it contains these words.
fn wait(site: &Site, path: &str, words: &str) -> String {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let page = text(site, path);
        if page.contains(words) {
            return page;
        }
        assert!(Instant::now() < end, "{words}: {page}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Returns games between two bots in pairs, of which `mine` wins all but each n-th pair.
fn pairs(count: usize, nth: usize) -> String {
    let game = |at: usize| {
        let mut record = Record::from_json(&log_line("mine", "other")).unwrap();
        record.seats.iter_mut().for_each(|seat| seat.ending = Ending::Normal);
        record.seed = at as u64 / 2;
        if (at / 2 + 1).is_multiple_of(nth) {
            (record.seats[0].points, record.seats[1].points) = (Some(0.0), Some(1.0));
        }
        if at % 2 == 1 {
            record.seats.swap(0, 1);
        }
        record.rank_by_points();
        record.to_json() + "\n"
    };
    (0..2 * count).map(game).collect()
}

/// All numbers of a match's page are numbers of games, and add up to all games: those of complete pairs, those that
/// wait for their partner, and those that do not count because a bot was late on a busy machine.
#[test]
fn the_games_of_a_match_add_up() {
    let site = Site::new();
    let mut lines: Vec<String> = pairs(20, 4).lines().map(str::to_string).collect();
    let mut late = Record::from_json(&lines[0]).unwrap();
    late.seats[0].ending = Ending::Overloaded { limit_ms: 100, overrun_ms: None, delay_ms: 90, stolen_ms: 0 };
    lines[0] = late.to_json();
    let mut single = Record::from_json(&lines[2]).unwrap();
    single.seed = 99;
    lines.push(single.to_json());
    let log = lines.join("\n") + "\n";
    std::fs::write(site.folder.path().join("project/late.jsonl"), log).unwrap();
    let page = text(&site, "/match?file=late.jsonl&games=100");
    for words in [
        "Stopped after 41 of 100 games",
        ">41 games<",
        ">mine won 28<",
        ">other won 10<",
        ">1 without partner<",
        ">2 not counted<",
        "<strong>mine</strong> was late in <a href=\"/log?file=late.jsonl&amp;bot=mine&amp;failure=late\">1 of 41 games</a>",
        "38 of 41 games count: a game counts if both games of its pair are over, and if in neither of them a busy",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    // The list of games counts in the same way, and has the names of the bots and the line about late games.
    let page = text(&site, "/log?file=late.jsonl");
    assert!(page.contains("<h1>mine against other <span class=\"legend\">late.jsonl</span>"), "{page}");
    assert!(
        page.contains("mine was late in 1 of 41 games. The machine was busy in the late game."),
        "{page}"
    );
    assert!(text(&site, "/matches").contains(", 1 without partner<"), "{}", text(&site, "/matches"));
    assert!(page.contains("mine won 28 of 38 games") && page.contains("38 of 41 games count: "), "{page}");
    for (result, rows, words) in [
        ("won", 28, "mine won 28<"),
        ("uncounted", 2, ">2 not counted<"),
        ("waiting", 1, ">1 without partner<"),
        ("failed", 0, ""),
    ] {
        assert!(page.contains(words), "{words}: {page}");
        let address = format!("/log?file=late.jsonl&result={result}");
        assert_eq!(text(&site, &address).matches("<tr data-key=").count(), rows, "{result}");
    }
    // The link of a number leads to exactly these games, and a game that does not count has no result.
    let own = text(&site, "/log?file=late.jsonl&bot=mine&failure=late");
    assert!(own.contains(">mine was late in 1<") && own.matches("<tr data-key=").count() == 1, "{own}");
    assert!(own.contains(">not counted</span></td><td class=\"points soft\">"), "{own}");
    let other = text(&site, "/log?file=late.jsonl&bot=other&failure=late");
    assert!(other.contains("No games match."), "{other}");
    assert!(page.contains("<p class=\"late\"") && !page.contains("chip bad"), "{page}");
    assert!(page.contains("<p class=\"late\">late in the other game of its pair</p>"), "{page}");
    // The review counts the same games as the match, and leads to the others.
    let page = text(&site, "/review?file=late.jsonl&player=other");
    for words in [
        "It lost 28 of 38 games",
        "/log?file=late.jsonl&amp;result=uncounted\">2 not counted<",
        ">1 without partner<",
        "38 of 41 games count: ",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

/// If most games were late, the page names the bots with the remedy, and lists the games with the end of the last one.
/// At a short limit both causes are possible.
#[test]
fn a_match_of_late_games_shows_its_games() {
    let site = Site::new();
    let lines = pairs(3, 9).replace("mine", "greedy").replace("other", "random");
    let late = |(at, line): (usize, &str)| {
        let mut record = Record::from_json(line).unwrap();
        let ending = match at {
            5 => Ending::Timeout { limit_ms: 20, overrun_ms: Some(2) },
            _ => Ending::Overloaded { limit_ms: 20, overrun_ms: Some(4), delay_ms: 5, stolen_ms: 0 },
        };
        record.seats[usize::from(at == 0)].ending = ending;
        record.rematches = 3;
        record.to_json() + "\n"
    };
    let log: String = lines.lines().enumerate().map(late).collect();
    std::fs::write(site.folder.path().join("project/late.jsonl"), log).unwrap();
    let page = text(&site, "/match?file=late.jsonl&games=100");
    for words in [
        "No verdict: bots were late in all 6 games. Play again when the machine is not busy.",
        ">6 not counted<",
        "<strong>random</strong> was late in <a",
        "bot=random&amp;failure=late\">4 of 6 games</a>: at most 4.0 ms over the limit of 20 ms",
        "The machine was busy in 5 of the 6 late games, so the time limit is not the main cause. Play fewer games",
        "at once, or leave the machine alone.",
        "A game that a busy machine makes late is repeated up to 3 times: 18 repeats.",
        "<button class=\"primary\" type=\"submit\" name=\"relief\" value=\"one\"",
        "Latest games",
        "id=\"ended\"",
        "<p class=\"late\"",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains(">5 lost by a failure<") && !page.contains("because the machine"), "{page}");
    // Lists name the bots, with short numbers.
    for path in ["/", "/matches"] {
        let page = text(&site, path);
        assert!(page.contains("no verdict: bots were late in all 6 games"), "{page}");
        assert!(page.contains("/log?file=late.jsonl&amp;result=uncounted\">"), "{page}");
    }
    assert!(text(&site, "/").contains(">uttt: not counted</span>"));
    let page = text(&site, "/review?file=late.jsonl&player=greedy");
    assert!(page.contains(">6 not counted<"), "{page}");
}

/// Settings that a match cannot have are refused with a sentence for their field, and no log is created.
#[test]
fn impossible_settings_are_refused_at_their_field() {
    let site = Site::new();
    for (values, field, words) in [
        ("pairs=20&sprt=0,5", "pairs", "To stop early, a match needs at least 40 pairs."),
        ("pairs=0", "pairs", "Expected a whole number from 1 to 1,000,000."),
        ("pairs=1&time=abc", "time", "for example 100ms, 3s or 200%"),
        ("pairs=1&time=5", "time", "for example 100ms, 3s or 200%"),
        ("pairs=1&nodes=0", "nodes", "at least 1"),
        ("pairs=1&seed=x", "seed", "or random"),
        ("pairs=1&jobs=2000", "jobs", "from 1 to 1024"),
        ("pairs=99&sprt=5,0", "sprt", ""),
        ("pairs=1&b=nobody", "b", "nobody"),
    ] {
        let values =
            if values.contains("b=") { values.to_string() } else { values.to_string() + "&b=random" };
        let body = format!("game=uttt&a=greedy&{values}");
        let answer = site.post("/match/start", &known(&site), body.as_bytes());
        assert_eq!(answer.status, 422, "{values}");
        let (_, problem) = answer.body.split_once("id=\"problem\"").unwrap();
        let (problem, _) = problem.split_once("</p>").unwrap();
        assert!(problem.contains(&format!("data-field=\"{field}\"")) && problem.contains(words), "{problem}");
        assert!(!problem.contains("--"), "{problem}");
    }
    assert!(!site.folder.path().join("project/match-uttt-1.jsonl").exists());
    // All refused fields are named at once.
    let body = b"game=uttt&a=nobody&b=random&pairs=1&time=banana&nodes=many";
    let answer = site.post("/match/start", &known(&site), body).body;
    for field in ["a", "time", "nodes"] {
        assert!(answer.contains(&format!("data-field=\"{field}\"")), "{field}: {answer}");
    }
}

/// An untouched form describes a match of at most 20 minutes, and an address can choose a bundled bot.
#[test]
fn an_untouched_form_is_for_a_short_match() {
    let site = Site::new();
    let get = |path: &str| {
        site.send(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{}\r\n", site.host, site.cookie()), &[]).body
    };
    let long = get("/matches/new?game=box");
    let (_, pairs) = long.split_once("name=\"pairs\" min=\"1\" max=\"1000000\" value=\"").unwrap();
    let pairs: u32 = pairs.split_once('"').unwrap().0.parse().unwrap();
    assert!((10..100).contains(&pairs) || contender_referee::available_cores() > 8, "{pairs}");
    assert!(!long.contains('`'), "{long}");
    let form = get("/matches/new?game=uttt&with=greedy");
    assert!(form.contains("name=\"a\" value=\"greedy\""), "{form}");
    assert!(!get("/matches/new?game=uttt&with=sh%20x").contains("sh x"), "only bundled bots");
}

/// The page of a running match shows its plan, also if its address does not contain it. After the match, the page leads
/// to more pairs and to the form with the same settings.
#[test]
fn a_match_of_this_server_keeps_its_plan() {
    if !has_command() {
        return;
    }
    let site = Site::new();
    let answer = site.post(
        "/match/start",
        &known(&site),
        b"game=uttt&a=uct&b=random&pairs=3000&sprt=-10,0&nodes=60000&seed=7&jobs=1",
    );
    assert_eq!(answer.status, 303, "{}", answer.body);
    let path = "/match?file=match-uttt-1.jsonl";
    let page = wait(&site, path, " complete pair");
    for words in [
        " of 6,000",
        "SPRT [−10, 0] of uct: LLR ",
        ", decides at ±2.94<",
        "no decision before 40 pairs",
        "60,000 nodes per move · seed 7 · 1 game at once",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains("is stronger") && !page.contains("is undecided"), "{page}");
    // A running match shows the end of its latest game.
    assert!(page.contains("id=\"ended\"") && page.contains("class=\"board"), "{page}");
    assert_eq!(site.post("/match/stop", &known(&site), b"file=match-uttt-1.jsonl").status, 303);
    let page = wait(&site, path, ">Resume</button>");
    assert!(page.contains("<button class=\"primary\" type=\"submit\">Resume<"), "{page}");
    assert!(!page.contains("id=\"ended\""), "{page}");
    assert!(page.contains("Stopped after") && page.contains("latest game"), "{page}");
    assert!(page.contains("; its sequential test is undecided"), "{page}");
    let form = text(&site, "/matches/new?from=match-uttt-1.jsonl");
    for words in [
        "name=\"a\" value=\"uct\"",
        "name=\"pairs\" min=\"1\" max=\"1000000\" value=\"3000\"",
        "value=\"-10,0\" selected",
        "name=\"nodes\" value=\"60000\"",
        "name=\"seed\" value=\"7\"",
    ] {
        assert!(form.contains(words), "{words}: {form}");
    }
    // More pairs are added to the same log.
    assert_eq!(start(&site, "pairs=2&nodes=20&jobs=1").status, 303);
    let path = "/match?file=match-uttt-2.jsonl";
    wait(&site, path, "Play 100 more pairs");
    let more = site.post("/match/again", &known(&site), b"file=match-uttt-2.jsonl&more=3");
    assert!(more.status == 303 && more.head.contains("file=match-uttt-2.jsonl&games=10"), "{}", more.head);
    let page = wait(&site, path, "Play 100 more pairs");
    assert!(page.contains(">10 games</span>"), "{page}");
    // The page has the rules from the start, although the log has no game yet.
    assert_eq!(start(&site, "pairs=2&nodes=2000000&jobs=1").status, 303);
    let page = text(&site, "/match?file=match-uttt-3.jsonl");
    assert!(page.contains("No games yet") && page.contains("Rules of uttt"), "{page}");
    assert!(page.contains("<section id=\"command\" aria-label=\"Command\"></section>"), "{page}");
    assert_eq!(site.post("/match/stop", &known(&site), b"file=match-uttt-3.jsonl").status, 303);
}

/// A match that ends before its first game leads back to the form, without words of the command line.
#[cfg(unix)]
#[test]
fn a_match_that_does_not_start_leads_back_to_the_form() {
    if !has_command() {
        return;
    }
    let site = Site::new();
    let file = site.folder.path().join("project/match-uttt-1.jsonl");
    assert_eq!(start(&site, "pairs=1&nodes=20&jobs=1").status, 303);
    let path = "/match?file=match-uttt-1.jsonl";
    wait(&site, path, "Play 100 more pairs");
    // The command refuses a log that is none.
    std::fs::write(&file, "no log\n").unwrap();
    assert_eq!(site.post("/match/again", &known(&site), b"file=match-uttt-1.jsonl&more=1").status, 303);
    let page = wait(&site, path, "The match ended before its first game was over");
    let (_, state) = page.split_once("id=\"state\"").unwrap();
    let (state, _) = state.split_once("</section>").unwrap();
    assert!(state.contains("/matches/new?from=match-uttt-1.jsonl"), "{state}");
    assert!(!state.contains("--") && !state.contains("hint:") && !state.contains("<pre"), "{state}");
}

/// A match with bundled bots can be played again from its log. A command in a log is only copied.
#[test]
fn a_finished_match_leads_on() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    add_duel(&project);
    let page = text(&site, "/match?file=duel.jsonl");
    assert!(page.contains("does not contain the time limits"), "{page}");
    // More pairs are a new match, whose settings the user sees first.
    assert!(
        page.contains("href=\"/matches/new?from=duel.jsonl\"") && page.contains(">New match, 100 pairs</a>"),
        "{page}"
    );
    assert!(!page.contains("/match/again") && !page.contains("more pairs"), "{page}");
    let form = text(&site, "/matches/new?from=duel.jsonl");
    // The log has 5 games, whose seeds are not used again.
    for words in [
        "name=\"b\" value=\"random\"",
        "New match of uttt",
        "max=\"1000000\" value=\"100\"",
        "name=\"seed\" value=\"6\"",
    ] {
        assert!(form.contains(words), "{words}: {form}");
    }
    std::fs::write(project.join("own.jsonl"), log_line("sh -c 'touch mark'", "greedy")).unwrap();
    let page = text(&site, "/match?file=own.jsonl");
    assert!(page.contains(">Copy the match command</button>") && !page.contains("Play again"), "{page}");
    assert!(!text(&site, "/matches/new?from=own.jsonl").contains("touch"));
    let more = site.post("/match/again", &known(&site), b"file=duel.jsonl&more=3");
    assert_eq!(more.status, 422, "the settings of the match are not known");
}

#[test]
fn the_list_of_matches_has_verdicts() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    std::fs::write(project.join("clear.jsonl"), pairs(40, 5)).unwrap();
    std::fs::write(project.join("open.jsonl"), pairs(3, 2)).unwrap();
    let cell = |file: &str| {
        let page = text(&site, "/matches");
        let (_, row) = page.split_once(&format!("data-key=\"{file}\"")).unwrap();
        let (_, cell) = row.split_once("<td class=\"advantage\">").unwrap();
        cell.split_once("</td>").unwrap().0.to_string()
    };
    let clear = cell("clear.jsonl");
    assert!(clear.contains(">stronger, ") && clear.contains(">+1") && clear.contains(" Elo<"), "{clear}");
    assert!(clear.contains("95% interval"), "{clear}");
    let open = cell("open.jsonl");
    assert!(open.contains(">undecided, ") && open.contains(">−") && open.contains(" to +"), "{open}");
    // A file with a match leads to its page, also on the first page.
    assert!(text(&site, "/").contains("href=\"/match?file=open.jsonl\""));
    assert!(text(&site, "/palette").contains(" lose? (open.jsonl)"));
    // The log does not contain the test of its match, so the page offers tests.
    let page = text(&site, "/match?file=open.jsonl");
    assert!(page.contains("href=\"/match?file=open.jsonl&amp;games=&amp;sprt=0%2C20\""), "{page}");
    let tested = text(&site, "/match?file=open.jsonl&sprt=0,20");
    assert!(tested.contains("SPRT [0, 20]") && tested.contains(">no test</a>"), "{tested}");
    // The applied test is marked, also if the page offers other ones.
    for (sprt, words) in [("-10,0", " [−10, 0]</a>"), ("0,7", "[0, 7]</a>")] {
        let page = text(&site, &format!("/match?file=open.jsonl&sprt={sprt}"));
        let (_, chosen) =
            page.split_once("id=\"tests\"").unwrap().1.split_once("aria-current=\"true\"").unwrap();
        assert!(chosen.split_inclusive("</a>").next().unwrap().ends_with(words), "{page}");
    }
    // A narrow page has no columns with the game and the number of games.
    assert!(text(&site, "/matches").contains("<td class=\"of\">uttt · 6 games</td>"));
    // Only the first games of a long log are read, so it has no verdict.
    std::fs::write(project.join("clear.jsonl"), pairs(501, 5)).unwrap();
    assert_eq!(cell("clear.jsonl"), "");
    // The games of a match are below its page.
    let page = text(&site, "/log?file=open.jsonl");
    for words in [
        "<a href=\"/matches\">Matches</a>",
        "<a href=\"/match?file=open.jsonl\">open.jsonl</a>",
        ">Games</span>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

/// The form stays as it is if a setting is refused, with the reason next to the field.
#[test]
fn a_refused_form_keeps_its_values() {
    let Some(browser) = Browser::start() else { return };
    let site = Site::new();
    browser.open(&site.pass());
    browser.open(&site.url("/matches/new?game=uttt"));
    browser.wait("document.querySelector('#line').textContent");
    browser.eval(
        "(() => { const {pairs, sprt, time, nodes} = document.querySelector('.fields').elements; \
        [pairs.value, sprt.value, time.value] = ['20', '0,5', 'abc']; sprt.dispatchEvent(new Event('input', {bubbles: true})); })()",
    );
    browser.wait("document.querySelector('#estimate').textContent.includes('at least 40 pairs')");
    browser.click(".fields button.primary");
    assert_eq!(browser.eval("document.querySelector('[name=pairs]').matches(':invalid')"), true);
    browser.eval(
        "(() => { const {pairs} = document.querySelector('.fields').elements; \
        pairs.value = '50'; pairs.dispatchEvent(new Event('input', {bubbles: true})); })()",
    );
    browser.click(".fields button.primary");
    browser.wait("document.querySelector('p:has([name=time]) .failure')?.textContent.includes('100ms')");
    let state = "[...document.querySelectorAll('[name=pairs], [name=time]')].map((of) => of.value + of.ariaInvalid).join()";
    assert_eq!(browser.eval(state), "50null,abctrue");
    // Another reason replaces the first one. A field among the further settings becomes visible.
    browser.eval("(() => { const {time, seed} = document.querySelector('.fields').elements; [time.value, seed.value] = ['', 'x']; })()");
    browser.click(".fields button.primary");
    browser.wait("document.querySelector('details[open] p:has([name=seed]) .failure')");
    assert_eq!(browser.eval("document.querySelectorAll('.failure').length"), 1);
}
