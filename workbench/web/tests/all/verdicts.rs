//! Verdicts of matches and leagues: none from games that failed, and none that the results do not support.

use crate::common::{Site, add_duel, add_games, add_training, log_line};
use contender_league::{League, Store, import, import_text};
use contender_play::{Ending, Record};

/// Returns a game in which the first player fails.
fn failed(at: usize) -> String {
    let mut record = Record::from_json(&log_line("mine", "other")).unwrap();
    record.seed = at as u64;
    record.seats[1].ending = Ending::Normal;
    record.seats[0].ending = Ending::Timeout { limit_ms: 100, overrun_ms: None };
    record.seats[0].stderr = "no module named <numpy>".to_string();
    (record.seats[0].points, record.seats[1].points) = (Some(0.0), Some(1.0));
    record.rank_by_points();
    record.to_json() + "\n"
}

fn text(site: &Site, path: &str) -> String {
    let answer = site.get(path);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

#[test]
fn games_that_failed_give_no_verdict() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    std::fs::write(project.join("failed.jsonl"), (0..4).map(failed).collect::<String>()).unwrap();
    let page = text(&site, "/match?file=failed.jsonl");
    assert!(page.contains("No verdict: mine failed in all 4 games") && !page.contains("stronger"), "{page}");
    // The notice names the bot, how it fails, and its own words.
    let (_, notice) = page.split_once("id=\"failing\"").unwrap();
    let (notice, _) = notice.split_once("</div>").unwrap();
    for words in
        ["<strong>mine</strong> failed in <a", ">all 4 games</a>", "no module named &lt;numpy&gt;", "busy"]
    {
        assert!(notice.contains(words), "{words}: {notice}");
    }
    assert!(!page.contains("data-chart"), "{page}");
    // Lists of files show no victory either, and all pages count the failures in the same words.
    assert!(
        text(&site, "/").contains("href=\"/log?file=failed.jsonl&amp;result=failed\">Show the failures</a>")
    );
    for path in ["/", "/matches?game=uttt"] {
        let page = text(&site, path);
        assert!(page.contains("no verdict: mine loses on time in all 4 games"), "{page}");
    }
    let page = text(&site, "/log?file=failed.jsonl");
    assert!(page.contains("mine failed in all 4 games") && page.contains("no module named"), "{page}");
    assert!(!page.contains(" won<") && !page.contains(">other</td>"), "{page}");
    assert!(text(&site, "/").contains("uttt: mine failed"));
    // A league says which bot fails.
    crate::common::add_league(&project, "league");
    let league = League::open(&project.join("league")).unwrap();
    import(&mut Store::open(&league).unwrap(), &project.join("failed.jsonl"), "uttt", &mut |_| true).unwrap();
    let page = text(&site, "/league?dir=league");
    assert!(page.contains("<strong>mine</strong> failed in all 4 games"), "{page}");
    assert!(page.contains("Latest failure: it lost on time."), "{page}");
    // It has neither ranks nor strengths, and its card has no leader.
    assert!(page.contains("Too few finished games to rank the bots: all 4 games failed"), "{page}");
    assert!(
        !page.contains(">Strength<") && !page.contains("matrix") && !page.contains("W – D – L"),
        "{page}"
    );
    assert!(!text(&site, "/league/bot?dir=league&name=other").contains("% interval"));
    let home = text(&site, "/");
    let (_, card) = home.split_once("href=\"/league?dir=league\"").unwrap();
    assert!(!card.split_once("</div>").unwrap().0.contains("Elo"), "{card}");
    let games = text(&site, "/league/games?dir=league&failed=1");
    assert!(games.contains(">mine loses on time</p>") && games.contains("<strong>other</strong>"), "{games}");
    assert!(!page.contains("<strong>other</strong> failed"), "{page}");
    // Four games give one moment, so there is no line of strengths. The notice also names a bot that fails rarely.
    assert!(!page.contains("Not enough values yet") && !page.contains(">Trend<"), "{page}");
    let rows: String = (4..24).map(|at| format!("{at},mine,0,LOSE,other,1,WIN\n")).collect();
    let games = format!("Game,User1,Score1,Status1,User2,Score2,Status2\n{rows}");
    import_text(&mut Store::open(&league).unwrap(), &games, "games", "uttt").unwrap();
    let page = text(&site, "/league?dir=league");
    assert!(page.contains("<strong>mine</strong> failed in 4 of 24 games"), "{page}");
    assert!(page.contains("counts as lost") && !page.contains("is not meaningful"), "{page}");
    assert!(page.contains(">Trend<"), "{page}");
}

/// The page of a game that ended at once names the failed bot with its own words, and has no empty graph.
#[test]
fn a_game_that_failed_at_once_shows_the_failure() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    let mut record = Record::from_json(&failed(0)).unwrap();
    record.moves.clear();
    record.seats[0].stderr = (0..60).map(|line| format!("line <{line}>\n")).collect();
    std::fs::write(project.join("failed.jsonl"), record.to_json() + "\n").unwrap();
    let page = text(&site, "/replay?file=failed.jsonl&game=1");
    let (before, notice) = page.split_once("class=\"card failed\"").unwrap();
    assert!(!before.contains("id=\"board\""), "{before}");
    let (notice, _) = notice.split_once("</section>").unwrap();
    for words in [
        "<strong>mine</strong> loses on time",
        "asked for move 1",
        "line &lt;20&gt;",
        "<strong>line &lt;59&gt;",
    ] {
        assert!(notice.contains(words), "{words}: {notice}");
    }
    assert!(!notice.contains("line &lt;19&gt;"), "{notice}");
    assert!(page.contains("other wins by forfeit"), "{page}");
    assert!(page.contains("No move was played") && !page.contains("id=\"graph\""), "{page}");
    assert!(!page.contains("<strong>other</strong> "), "{page}");
    // No other game failed, and the standard error is longer than its part in the notice.
    assert!(!page.contains("data-next") && page.contains("Standard error of mine"), "{page}");
    // The button leads to the next game with a failure; the first one follows the last one.
    let mut fine = Record::from_json(&failed(2)).unwrap();
    fine.seats[0].ending = Ending::Normal;
    let fine = fine.to_json() + "\n";
    std::fs::write(project.join("failed.jsonl"), [failed(0), fine, failed(1)].concat()).unwrap();
    for (game, next) in [(1, 3), (3, 1)] {
        let page = text(&site, &format!("/replay?file=failed.jsonl&game={game}"));
        assert!(page.contains(&format!("data-next=\"/replay?file=failed.jsonl&amp;game={next}\"")), "{page}");
        assert!(!page.contains("Standard error of mine"), "{page}");
    }
}

/// The answer to why a bot loses begins with its failures.
#[test]
fn a_review_counts_the_failures_by_kind() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    std::fs::write(project.join("failed.jsonl"), (0..4).map(failed).collect::<String>()).unwrap();
    let page = text(&site, "/review?file=failed.jsonl&player=mine");
    let (_, reasons) = page.split_once("id=\"reasons\"").unwrap();
    let (reasons, _) = reasons.split_once("</dl>").unwrap();
    assert!(reasons.contains("4 of 4 lost games") && reasons.contains(">loses on time<"), "{reasons}");
}

#[test]
fn a_match_that_was_stopped_is_not_finished() {
    let site = Site::new();
    add_duel(&site.folder.path().join("project"));
    let page = text(&site, "/match?file=duel.jsonl&games=200");
    assert!(page.contains("Stopped after 5 of 200 games") && !page.contains("Finished"), "{page}");
    assert!(text(&site, "/match?file=duel.jsonl&games=5").contains("Finished"));
    let page = text(&site, "/match?file=duel.jsonl");
    assert!(!page.contains("Finished") && !page.contains("Stopped after"), "{page}");
}

/// The first page shows how a running match stands, and the list marks a match that was stopped.
#[test]
fn a_running_match_is_on_the_first_page_and_a_stopped_one_is_marked() {
    let site = Site::new();
    let known = format!("{}Content-Type: application/x-www-form-urlencoded\r\n", site.cookie());
    let body = b"game=uttt&a=greedy&b=random&pairs=100000&seed=1&jobs=1";
    assert_eq!(site.post("/match/start", &known, body).status, 303);
    let until = |page: &str, words: &str| {
        for _ in 0..600 {
            let now = text(&site, page);
            if now.contains(words) {
                return now;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("{page} never contains {words}");
    };
    until("/", " of 200,000 games");
    until("/", " so far, ");
    let list = until("/matches", " of 200,000<");
    assert!(list.contains(">Running<") && !list.contains(">Stopped<"), "{list}");
    assert!(list.contains("<span class=\"legend\">leads so far</span>"), "{list}");
    assert_eq!(site.post("/match/stop", &known, b"file=match-uttt-1.jsonl").status, 303);
    let list = until("/matches", ">Stopped<");
    assert!(list.contains(" of 200,000<") && !list.contains(">Running<"), "{list}");
    let page = until("/", "Latest matches");
    assert!(page.contains(">Stopped<") && page.contains(">Why does random lose?</a>"), "{page}");
}

/// All pages show the results of A, even if B is ahead. Lists of files have the bot that is ahead in bold.
#[test]
fn a_match_keeps_its_bots_in_order() {
    let site = Site::new();
    // `other` loses one game of each second pair, always in seat 0.
    let game = |at: usize| {
        let mut record = Record::from_json(&log_line("mine", "other")).unwrap();
        record.seats.iter_mut().for_each(|seat| seat.ending = Ending::Normal);
        record.seed = at as u64 / 2;
        let of_mine = if at % 4 == 1 { 1.0 } else { 0.0 };
        (record.seats[0].points, record.seats[1].points) = (Some(of_mine), Some(1.0 - of_mine));
        if at % 2 == 1 {
            record.seats.swap(0, 1);
        }
        record.rank_by_points();
        record.to_json() + "\n"
    };
    let project = site.folder.path().join("project");
    std::fs::write(project.join("lost.jsonl"), (0..40).map(game).collect::<String>()).unwrap();
    let page = text(&site, "/matches?game=uttt");
    assert!(page.contains("mine – <strong>other</strong>") && page.contains(">10 – 30<"), "{page}");
    let page = text(&site, "/log?file=lost.jsonl");
    assert!(
        page.contains("chip loss\">lost<") && page.contains("mine won 10 of 40 games against other"),
        "{page}"
    );
    // The numbers of games are links to these games.
    for (result, number) in [("won", 10), ("lost", 30), ("drawn", 0), ("failed", 0)] {
        let address = format!("/log?file=lost.jsonl&result={result}");
        assert_eq!(
            page.contains(&format!("href=\"{}\"", address.replace('&', "&amp;"))),
            number > 0,
            "{result}"
        );
        assert_eq!(text(&site, &address).matches("<tr data-key=").count(), number, "{result}");
    }
    let page = text(&site, "/match?file=lost.jsonl");
    for words in [
        "<h1>mine against other",
        "mine is weaker: −",
        "<span class=\"chip win\">mine won 10</span> <span class=\"chip loss\">other won 30</span>",
        "<dt>Likelihood of superiority</dt><dd>under 0.1%</dd>",
        "Results of mine in 20 pairs of games",
        "Win rate of mine, with its 95% interval",
        "as X</span> <span class=\"number\">0 won, 0 drawn, 20 lost",
        "as O</span> <span class=\"number\">10 won, 0 drawn, 10 lost",
        "Why does mine lose?",
    ] {
        let shown = page.replace("</span><span", "</span> <span");
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert_eq!(page.matches("<span class=\"chip win\">won</span>").count(), 5, "the latest 20 games");
}

/// The page of matches lists them, by game on request. Without matches, it is the form for a new one.
#[test]
fn matches_are_listed_before_the_form() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    let get = |path: &str| {
        site.send(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{}\r\n", site.host, site.cookie()), &[]).body
    };
    let page = get("/matches");
    assert!(
        page.contains("href=\"/match?file=games.jsonl\"") && page.contains("href=\"/matches/new\""),
        "{page}"
    );
    assert!(!page.contains("action=\"/match/start\""), "{page}");
    assert!(!text(&site, "/matches").contains("/matches/new"), "without the token");
    let page = get("/matches?game=box");
    assert!(page.contains("No matches of box yet") && page.contains("/matches/new?game=box"), "{page}");
    assert_eq!(site.get("/matches?game=nope").status, 404);
    for entry in std::fs::read_dir(&project).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            std::fs::remove_dir_all(path).unwrap();
        } else {
            std::fs::remove_file(path).unwrap();
        }
    }
    let page = get("/matches");
    assert!(page.contains("action=\"/match/start\"") && !page.contains("id=\"matches\""), "{page}");
}

/// A game that failed before its first move has no board on the first page, and the forms begin with the newest game.
#[test]
fn the_first_page_has_no_empty_boards() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    let mut record = Record::from_json(&failed(0)).unwrap();
    record.moves.clear();
    std::fs::write(project.join("at-once.jsonl"), record.to_json() + "\n").unwrap();
    let page = text(&site, "/");
    assert!(
        page.contains("/replay?file=games.jsonl") && !page.contains("/replay?file=at-once.jsonl"),
        "{page}"
    );
    assert!(page.contains("/log?file=at-once.jsonl"), "{page}");
    for (path, words) in [("/matches/new", "New match of uttt"), ("/rules", "Rules of Ultimate Tic-Tac-Toe")]
    {
        assert!(text(&site, path).contains(&format!("<h1>{words}")), "{path}");
    }
}

/// The head marks the current page, and every page below the first one leads back to it.
#[test]
fn the_current_page_is_marked() {
    let site = Site::new();
    crate::common::add_league(&site.folder.path().join("project"), "league");
    for (path, mark) in [
        ("/", "href=\"/\" aria-current=\"page\""),
        ("/leagues", "href=\"/leagues\" aria-current=\"page\""),
        ("/leagues/new", "href=\"/leagues\" aria-current=\"true\""),
        ("/matches", "href=\"/matches\" aria-current=\"page\""),
        ("/matches/new", "href=\"/matches\" aria-current=\"true\""),
        ("/league?dir=league", "href=\"/leagues\" aria-current=\"true\""),
        ("/league/bot?dir=league&name=greedy", "href=\"/leagues\" aria-current=\"true\""),
        ("/league/games?dir=league", "href=\"/leagues\" aria-current=\"true\""),
        ("/match?file=games.jsonl", "href=\"/matches\" aria-current=\"true\""),
        ("/log?file=games.jsonl", "href=\"/matches\" aria-current=\"true\""),
        ("/log?file=broken.jsonl", "href=\"/matches\" aria-current=\"true\""),
        ("/replay?file=games.jsonl&game=1", "href=\"/matches\" aria-current=\"true\""),
        ("/rules?game=uttt", "href=\"/\" aria-current=\"true\""),
        ("/review?file=games.jsonl", "href=\"/matches\" aria-current=\"true\""),
    ] {
        let page = text(&site, path);
        assert_eq!(page.matches(mark).count(), 1, "{path}: {page}");
        let (_, content) = page.split_once("<main").unwrap();
        assert_eq!(content.contains("<a href=\"/\">Home</a>"), path != "/", "{path}");
    }
}

/// Four games won in a row may be chance, and the sentence says so without a percentage of 100.
#[test]
fn too_few_games_decide_nothing() {
    let site = Site::new();
    let game = |at: usize| {
        let mut record = Record::from_json(&log_line("mine", "other")).unwrap();
        record.seats.iter_mut().for_each(|seat| seat.ending = Ending::Normal);
        record.seed = at as u64 / 2;
        if at % 2 == 1 {
            record.seats.swap(0, 1);
        }
        record.to_json() + "\n"
    };
    let project = site.folder.path().join("project");
    std::fs::write(project.join("four.jsonl"), (0..4).map(game).collect::<String>()).unwrap();
    let page = text(&site, "/match?file=four.jsonl");
    assert!(
        page.contains("Undecided: mine leads with 4 of 4 games won, which may be due to chance"),
        "{page}"
    );
    assert!(!page.contains("100.0%") && !page.contains("LOS"), "{page}");
}

/// Before a match, a bot that is no bundled one plays a test game; its failure comes with its own words.
#[cfg(unix)]
#[test]
fn a_bot_that_does_not_start_is_found_before_the_match() {
    let site = Site::new();
    let known = format!("{}Content-Type: application/x-www-form-urlencoded\r\n", site.cookie());
    let body = b"game=uttt&a=sh+-c+'echo+sorry+>%262;exit+3'&b=greedy&pairs=1&tested=1";
    let answer = site.post("/match/start", &known, body);
    assert_eq!(answer.status, 422);
    for words in ["failed in a test game", "exits early", "sorry"] {
        assert!(answer.body.contains(words), "{words}: {}", answer.body);
    }
    assert!(!site.folder.path().join("project/match-uttt-1.jsonl").exists());
}

/// The page of a game names what its numbers mean, shows one curve at a time, and pales repeated actions.
#[test]
fn the_scores_of_a_game_agree() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    add_games(&project);
    let page = |game: &str| text(&site, &format!("/replay?file={game}.jsonl&game=1"));
    let entropy = page("entropy");
    assert!(entropy.contains("patterns 0: ") && entropy.contains("Order 120"), "{entropy}");
    assert!(page("box").contains("(contest points "));
    let cellularena = page("cellularena");
    assert!(
        cellularena.contains("class=\"action again\"") && !cellularena.contains("contest points"),
        "{cellularena}"
    );
    assert!(cellularena.contains("data-shown=\"chart\"") && cellularena.contains("More …"), "{cellularena}");
    assert!(page("uttt").contains(" c4<"));
}

#[test]
fn metrics_have_names_on_phones_and_an_unknown_page_leads_on() {
    let site = Site::new();
    add_training(&site.folder.path().join("project"), "run", 1.0);
    let page = text(&site, "/training?dir=run");
    assert!(page.contains("data-label=\"Value error\"") && page.contains("Greedy rose from "), "{page}");
    let missing = site.get("/nope");
    assert_eq!(missing.status, 404);
    assert!(missing.body.contains("Other pages"), "{}", missing.body);
}

/// If bots lost on time, the page of a match or league offers to play on so that the bots have more time. Forms for new
/// ones begin with the number of free cores.
#[test]
fn late_bots_can_have_more_time() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    for (file, mine) in [("late.jsonl", "greedy"), ("own.jsonl", "./own")] {
        let games = (0..4).map(failed).collect::<String>();
        let games = games.replace("mine", mine).replace("other", "random");
        std::fs::write(project.join(file), games).unwrap();
    }
    let known = format!("{}Content-Type: application/x-www-form-urlencoded\r\n", site.cookie());
    let get = |path: &str| {
        site.send(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{}\r\n", site.host, site.cookie()), &[]).body
    };
    assert!(get("/match?file=late.jsonl").contains("action=\"/match/again\""));
    // A log may be from somebody else, so a command in it is not run.
    assert!(!get("/match?file=own.jsonl").contains("/match/again"));
    assert!(!text(&site, "/match?file=late.jsonl").contains("/match/again"), "without the token");
    let again =
        |file: &str| site.post("/match/again", &known, format!("file={file}&relief=longer").as_bytes());
    assert_eq!(again("own.jsonl").status, 422);
    let answer = again("late.jsonl");
    assert!(
        answer.status == 303 && answer.head.contains("/match?file=match-uttt-1.jsonl"),
        "{}",
        answer.head
    );
    // The league's settings have twice the time, and it runs.
    crate::common::add_league(&project, "league");
    let league = League::open(&project.join("league")).unwrap();
    import(&mut Store::open(&league).unwrap(), &project.join("late.jsonl"), "uttt", &mut |_| true).unwrap();
    let page = get("/league?dir=league");
    assert!(page.contains("action=\"/league/relieve\"") && page.contains("name=\"jobs\""), "{page}");
    for time in ["200%", "400%"] {
        let answer = site.post("/league/relieve", &known, b"dir=league&relief=longer");
        assert_eq!(answer.status, 303, "{}", answer.body);
        let settings = std::fs::read_to_string(project.join("league/league.toml")).unwrap();
        assert!(settings.contains(&format!("\ntime = \"{time}\"\n")), "{settings}");
    }
    assert!(get("/league?dir=league").contains("action=\"/league/stop\""));
    site.post("/league/stop", &known, b"dir=league");
    // A new league replays games that a bot lost because the machine was busy.
    let answer = site.post(
        "/league/new",
        &known,
        b"name=new&game=uttt&uttt/solver=1&uttt%2Fchampion=1&box%2Fgreedy=1&jobs=1&time=150%25",
    );
    assert_eq!(answer.status, 303, "{}", answer.body);
    let settings = std::fs::read_to_string(project.join("new/league.toml")).unwrap();
    assert!(settings.contains("\nrematch = 3\n") && settings.contains("\ntime = \"150%\"\n"), "{settings}");
    let answer = site.post("/league/new", &known, b"name=odd&game=uttt&uttt%2Fsolver=1&time=soon");
    assert!(answer.status == 422 && !project.join("odd").exists(), "{}", answer.body);
    let both = site.post("/league/new", &known, b"name=new&game=uttt&uttt%2Fsolver=1&time=banana").body;
    assert!(both.contains("data-field=\"name\"") && both.contains("data-field=\"time\""), "{both}");
    for path in ["/leagues/new", "/matches/new"] {
        assert!(get(path).contains("name=\"jobs\" min=\"1\" max=\"1024\" value=\""), "{path}");
    }
}

/// Bots that a league has paused are named at once, with their failures and one button that resumes all of them. Games
/// lost on a busy machine change no strength.
#[test]
fn paused_bots_are_named_and_resumed_together() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    crate::common::add_league(&project, "league");
    let league = League::open(&project.join("league")).unwrap();
    let late = |at: usize, own: &str| {
        let mut record = Record::from_json(&failed(at)).unwrap();
        record.seats[0].ending =
            Ending::Overloaded { limit_ms: 100, overrun_ms: None, delay_ms: 90, stolen_ms: 0 };
        record.to_json().replace("mine", own).replace("other", "random") + "\n"
    };
    let games = (0..7).map(|at| late(at, "greedy")).chain((7..14).map(|at| late(at, "second")));
    let log = project.join("late.jsonl");
    std::fs::write(&log, games.collect::<String>()).unwrap();
    let mut store = Store::open(&league).unwrap();
    let fair: String = (0..40).map(|at| format!("{at},greedy,1,WIN,second,0,LOSE\n")).collect();
    let fair = format!("Game,User1,Score1,Status1,User2,Score2,Status2\n{fair}");
    import_text(&mut store, &fair, "games", "uttt").unwrap();
    import(&mut store, &log, "uttt", &mut |_| true).unwrap();
    let known = format!("{}Content-Type: application/x-www-form-urlencoded\r\n", site.cookie());
    let get = || {
        let head = format!("GET /league?dir=league HTTP/1.1\r\nHost: {}\r\n{}\r\n", site.host, site.cookie());
        site.send(&head, &[]).body
    };
    // As long as no bot is paused, the page names those that fail.
    let page = get();
    assert!(
        page.contains("<strong>greedy</strong> was late in 7 of 47 games because the machine was busy")
            && !page.contains("paused</strong>"),
        "{page}"
    );
    assert!(page.contains("does not count for its strength") && page.contains("40 rated games"), "{page}");
    for name in ["greedy", "second", "random"] {
        store.set_state(name, contender_league::BotState::Paused).unwrap();
    }
    let page = get();
    // A user has paused `random`, which did not fail.
    for words in [
        "<strong>2 bots are paused</strong>, because each failed in 6 games in a row: it lost on time on a busy machine.",
        ">greedy 7 of 10</a>",
        ">Resume all</button>",
        ">one game at a time</button>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let [notice, table] =
        ["<strong>2 bots are paused", "<table class=\"league\""].map(|part| page.find(part).unwrap());
    assert!(notice < table, "{page}");
    let answer = site.post("/league/resume", &known, b"dir=league");
    assert_eq!(answer.status, 303, "{}", answer.body);
    let bots = store.bots().unwrap();
    let active = bots.iter().filter(|bot| bot.state == contender_league::BotState::Active);
    assert_eq!(active.map(|bot| bot.name.as_str()).collect::<Vec<_>>(), ["greedy", "second"]);
    // A league that already plays one game at a time gets other advice. It needs two bots and time for its first game.
    let answer = site.post("/league/relieve", &known, b"dir=league&relief=longer");
    assert_eq!(answer.status, 303, "{}", answer.body);
    let page = get();
    assert!(page.contains("200 ms per move, 200% of the contest's time</span>"), "{page}");
    assert!(!page.contains(">one game at a time<") && page.contains(">400 ms per move<"), "{page}");
    site.post("/league/stop", &known, b"dir=league");
}

/// Before the first result of a league, its page shows that the games have begun.
#[test]
fn a_new_league_shows_its_first_games() {
    if !crate::common::has_command() {
        return;
    }
    let site = Site::new();
    let known = format!("{}Content-Type: application/x-www-form-urlencoded\r\n", site.cookie());
    let form = b"name=new&game=uttt&uttt%2Fsolver=1&uttt%2Fchampion=1&jobs=2&time=5000%25&start=1";
    assert_eq!(site.post("/league/new", &known, form).status, 303);
    // With five seconds for each move, the first game takes minutes.
    for words in ["2 games at once", "appear after the first game", ">Game 1<", ">Game 2<"] {
        let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while !text(&site, "/league?dir=new").contains(words) {
            assert!(std::time::Instant::now() < end, "{words}: {}", text(&site, "/league?dir=new"));
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }
    site.post("/league/stop", &known, b"dir=new");
    assert!(!text(&site, "/league?dir=new").contains(">Game 1<"));
}
