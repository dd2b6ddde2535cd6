//! What pages conclude from leagues, trainings and tunings: ranks, differences with intervals, and results in lists.

use crate::common::{Site, add_bots, add_league, add_training, add_tuning};
use contender_league::{BotState, League, Store, import_text};
use serde_json::json;

fn text(site: &Site, path: &str) -> String {
    let answer = site.get(path);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

/// Imports games of three bots: `greedy` beats `second`, and `second` beats `random`.
fn add_results(store: &mut Store) {
    let games: String = (0..60)
        .map(|at| match at % 3 {
            0 => format!("{at},greedy,1,WIN,second,0,LOSE\n"),
            1 => format!("{at},second,1,WIN,random,0,LOSE\n"),
            _ => format!("{at},greedy,1,WIN,random,0,LOSE\n"),
        })
        .chain(["60,second,0,DRAW,random,0,DRAW\n".to_string()])
        .collect();
    let header = "Game,User1,Score1,Status1,User2,Score2,Status2\n";
    import_text(store, &format!("{header}{games}"), "games", "uttt").unwrap();
}

/// A paused bot takes no rank from the others, and a bot's page has its rank. A draw is called so.
#[test]
fn ranks_leave_out_paused_bots() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    add_league(&project, "league");
    let league = League::open(&project.join("league")).unwrap();
    let mut store = Store::open(&league).unwrap();
    add_results(&mut store);
    let row = |name: &str| {
        let page = text(&site, "/league?dir=league");
        let (_, row) = page.split_once(&format!("<tr data-key=\"{name}\"")).unwrap();
        row.split_once("</td>").unwrap().0.to_string()
    };
    assert!(
        row("greedy").ends_with(">1") && row("second").ends_with(">2"),
        "{} {}",
        row("greedy"),
        row("second")
    );
    let page = text(&site, "/league/bot?dir=league&name=second");
    assert!(page.contains(", rank 2 of 3") && page.contains(">lost 20<"), "{page}");
    assert!(!page.contains("won most often"), "{page}");
    assert!(text(&site, "/league/games?dir=league").contains(">draw<"));
    store.set_state("greedy", BotState::Paused).unwrap();
    assert!(row("greedy").contains("paused") && row("second").ends_with(">1"), "{}", row("second"));
    let page = text(&site, "/league/bot?dir=league&name=second");
    assert!(page.contains(", rank 1 of 2"), "{page}");
    assert!(!text(&site, "/league?dir=league").contains("id=\"all-rows\""));
    add_bots(&project, "league", 20);
    assert!(text(&site, "/league?dir=league").contains("Show all 23 bots"));
    // Many versions of a bot are folded.
    let page = text(&site, "/league/bot?dir=league&name=bot-1");
    assert!(page.contains("<details><summary>Show 20 versions</summary>"), "{page}");
}

/// A league without games is listed after those with games, and its bots have no strengths for the forms.
#[test]
fn leagues_without_games_come_last() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    add_league(&project, "played");
    let league = League::open(&project.join("played")).unwrap();
    add_results(&mut Store::open(&league).unwrap());
    for name in ["empty-1", "empty-2", "empty-3"] {
        add_league(&project, name);
    }
    let home = text(&site, "/");
    let at = |dir: &str| home.find(&format!("href=\"/league?dir={dir}\""));
    assert!(at("played").unwrap() < at("empty-3").unwrap() && home.contains("All 4 leagues"), "{home}");
    assert!(text(&site, "/leagues").contains(">Stopped<"));
    let head = format!("GET /leagues/new?game=uttt HTTP/1.1\r\nHost: {}\r\n{}\r\n", site.host, site.cookie());
    let form = site.send(&head, &[]).body;
    assert!(form.contains("Strengths are those in league played"), "{form}");
}

/// Trainings are compared by a difference with its interval, and by the settings that differ.
#[test]
fn trainings_are_compared() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    for (name, value, rate) in [("first", 53.0, 0.05), ("second", 43.0, 0.01)] {
        add_training(&project, name, 1.0);
        let head = json!({"recipe": {"kind": "treestrap", "game": "entropy", "learning": {"rate": {"start": rate}, "batch": 64}},
            "length": {"minutes": 60.0}, "seed": 1, "games": 5000, "seconds": 2000.0, "state": null});
        std::fs::write(project.join(name).join("checkpoint.json"), head.to_string()).unwrap();
        let line = |minutes: f64| {
            let line = json!({"minutes": minutes, "games": 100.0 * minutes, "against previous": 90.0,
                "against greedy": value, "against greedy, low": value - 9.0, "against greedy, high": value + 9.0});
            format!("{line}\n")
        };
        let lines: String = [1.0, 2.0].map(line).concat();
        std::fs::write(project.join(name).join("metrics.jsonl"), lines).unwrap();
    }
    let page = text(&site, "/training?dir=first&other=second");
    assert!(
        page.contains("first is 10.0 points per game stronger than second (95% interval −2.7 to +22.7). The difference may be chance."),
        "{page}"
    );
    let (_, recipe) = page.split_once("id=\"recipe\"").unwrap();
    let (differing, equal) = recipe.split_once("<details>").unwrap();
    for words in ["learning.rate.start", "<strong>0.05</strong>", "<strong>0.01</strong>"] {
        assert!(differing.contains(words), "{words}: {differing}");
    }
    assert!(!differing.contains("batch") && equal.contains("learning.batch"), "{equal}");
    assert!(text(&site, "/training?dir=first").contains("<summary>Settings</summary>"));
    let home = text(&site, "/");
    assert!(home.contains("Leads greedy by 53.0 points per game") && home.contains("56% done"), "{home}");
}

/// A training leads to a match of its bot against the shipped one. Only the folder is in the address.
#[test]
fn a_training_leads_on() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    add_training(&project, "first", 1.0);
    add_league(&project, "league");
    let known = |path: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{}\r\n", site.host, site.cookie());
        site.send(&head, &[]).body
    };
    let page = known("/training?dir=first");
    assert!(!page.contains("training=first"), "the training has no file yet: {page}");
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/entropy/src/evaluation/weights.txt");
    std::fs::copy(shipped, project.join("first/weights.txt")).unwrap();
    let page = known("/training?dir=first");
    for words in [
        "href=\"/matches/new?training=first\"",
        "/leagues/new?game=entropy",
        "train RECIPE.toml -o first --games 10000",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!text(&site, "/training?dir=first").contains("training=first\""), "without the token");
    let form = known("/matches/new?training=first");
    for words in ["value=\"first=classic:weights=/", "first/weights.txt\"", "name=\"b\" value=\"classic\""] {
        assert!(form.contains(words), "{words}: {form}");
    }
    assert!(!text(&site, "/matches/new?training=first").contains("weights.txt"), "without the token");
}

/// A tuning shows the tuned bot as a name to copy, with the next steps, and the first page shows its result.
#[test]
fn a_tuning_leads_on() {
    let site = Site::new();
    let project = site.folder.path().join("project");
    add_tuning(&project);
    add_league(&project, "league");
    let page = text(&site, "/tuning?dir=c");
    let status = contender_tune::status(&project.join("c")).unwrap();
    let tuned = status.tuned.unwrap();
    let [best, start] = &tuned.bots;
    assert!(best.starts_with("classic:c=") && start.starts_with("classic:c="), "{best} {start}");
    assert!(page.contains(&format!("data-copy=\"{best}\"")), "{page}");
    assert!(!page.contains("/match/start"), "without the token");
    let head = format!("GET /tuning?dir=c HTTP/1.1\r\nHost: {}\r\n{}\r\n", site.host, site.cookie());
    let page = site.send(&head, &[]).body;
    for words in ["action=\"/match/start\"", "action=\"/league/add\"", "value=\"classic-tuned\""] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let home = text(&site, "/");
    assert!(home.contains(best.as_str()), "{home}");
    let known = format!("{}Content-Type: application/x-www-form-urlencoded\r\n", site.cookie());
    let order = format!("dir=league&name=classic-tuned&command={best}&untried=1").replace(':', "%3A");
    if crate::common::has_command() {
        let answer = site.post("/league/add", &known, order.as_bytes());
        assert_eq!(answer.status, 303, "{}", answer.body);
    }
}
