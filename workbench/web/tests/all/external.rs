//! Games of other referees: their logs, matches and leagues open like those of this program, with the players' names.

use crate::common::{ENGINE_LOG, Site};
use contender_league::{League, NewLeagueGame, Store, import_text};
use contender_play::{Battle, Record, Seat};

/// Returns a game of an external referee as a line of a log: seats with their ranks and scores.
fn game(seed: u64, seats: &[(&str, u32, Option<f64>)], change: impl FnOnce(&mut Record)) -> String {
    let seat = |&(bot, rank, points): &(&str, u32, Option<f64>)| Seat {
        bot: bot.to_string(),
        rank,
        points,
        ..Seat::default()
    };
    let mut record = Record {
        game: "cards".to_string(),
        seed,
        seats: seats.iter().map(seat).collect(),
        repeat: Some("java -jar cards.jar -p1 'ann <1>'".to_string()),
        ..Record::default()
    };
    change(&mut record);
    record.to_json() + "\n"
}

fn project() -> Site {
    let site = Site::new();
    let project = site.folder.path().join("project");
    std::fs::create_dir(project.join("logs")).unwrap();
    std::fs::write(project.join("logs/1.json"), ENGINE_LOG).unwrap();
    let absolute = project.join("logs/1.json").display().to_string();
    let battle = |record: &mut Record| {
        record.battle = Some(Battle { id: Some(7), me: Some(0) });
        record.seats[0].outputs = vec!["MOVE 1".to_string(), "MOVE <2>".to_string()];
        record.summaries = vec![String::new(), "bob falls asleep".to_string()];
    };
    let lines = [
        game(1, &[("ann", 1, Some(1.5)), ("bob", 0, Some(2.25))], |record| {
            record.engine_log = Some("logs/1.json".to_string());
        }),
        game(1, &[("bob", 0, Some(3.0)), ("ann", 1, Some(0.5))], |record| record.engine_log = Some(absolute)),
        game(2, &[("ann", 2, None), ("bob", 0, None), ("cem", 1, None)], |_| ()),
        game(3, &[("ann", 0, None), ("bob", 1, None)], battle),
    ];
    std::fs::write(project.join("cards.jsonl"), lines.concat()).unwrap();
    site
}

#[track_caller]
fn shows(site: &Site, path: &str, words: &[&str]) -> String {
    let answer = site.get(path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    for words in words {
        assert!(answer.body.contains(words), "{path} lacks {words}: {}", answer.body);
    }
    answer.body
}

#[test]
fn games_of_a_log_open_with_the_names_of_their_players() {
    let site = project();
    let list = shows(
        &site,
        "/log?file=cards.jsonl",
        &["<strong>bob</strong>", "<span>cem</span>", "1.5 – 2.25", "3rd – 1st – 2nd"],
    );
    assert!(!list.contains("colspan"), "{list}");
    let game = |number: u32| format!("/replay?file=cards.jsonl&game={number}");
    for number in [1, 2] {
        let page = shows(
            &site,
            &game(number),
            &["<pre tabindex=\"0\">UP</pre>", "<td>ann</td>", "rel=\"next\"", "ann &lt;1&gt;"],
        );
        assert!(!page.contains("Player 0"), "{page}");
    }
    shows(&site, &game(3), &["<td>cem</td>", "The log of this game is not in the project", "--logs FOLDER"]);
    shows(&site, &game(4), &["MOVE &lt;2&gt;", "bob falls asleep", "Result 1st – 2nd"]);
    shows(&site, "/match?file=cards.jsonl", &["bob won 2", "4 games", "3rd – 1st – 2nd"]);
}

/// A league with a match command keeps records, or only the results of imported games.
#[test]
fn games_of_a_league_open_too() {
    let site = project();
    let folder = site.folder.path().join("project/league");
    let command = NewLeagueGame::Command { game: "cards", command: "java -jar cards.jar" };
    let mut store = Store::open(&League::create(&folder, command).unwrap()).unwrap();
    let result = r#"{"players":["ann","bob"],"ranks":[0,1],"errors":[0,1]}"#;
    for text in [game(5, &[("ann", 0, Some(1.5)), ("bob", 1, Some(-1.0))], |_| ()), format!("{result}\n")] {
        let imported = import_text(&mut store, &text, "test", "cards").unwrap();
        assert_eq!(imported.new, 1, "{imported:?}");
    }
    let list = shows(&site, "/league/games?dir=league", &["<strong>ann</strong>", "<span>bob</span>"]);
    for (number, words) in [(1, "1.5 – -1"), (2, "Only the result of this game is known")] {
        assert!(list.contains(&format!("game={number}")), "{list}");
        shows(&site, &format!("/replay?league=league&game={number}"), &["<td>ann</td>", words]);
    }
}

/// Without a file, the page of the engine's logs explains itself, and lists the logs of the project.
#[test]
fn the_engines_logs_are_listed() {
    let site = Site::new();
    let page = || site.get("/engine").body;
    assert!(page().contains("Record your first game") && page().contains("referee add"), "{}", page());
    let project = site.folder.path().join("project");
    std::fs::write(project.join("engine.json"), ENGINE_LOG).unwrap();
    assert!(page().contains("/engine?file=engine.json") && !page().contains("your first game"), "{}", page());
    // A bundled game has its analysis.
    let answer = site.get("/engine?game=entropy");
    assert!(answer.head.contains("location: /analyse?game=entropy"), "{}", answer.head);
}

/// After the first line of an answer, only the lines of other organisms are legal.
#[test]
fn the_next_line_of_an_answer_is_offered() {
    let site = Site::new();
    let choices = |begun: &str| -> Vec<String> {
        let page = format!("/line?game=cellularena&seed=5&eyes=0&begun={begun}");
        let found: serde_json::Value = serde_json::from_str(&site.get(&page).body).unwrap();
        let choices = found["choices"].as_array().unwrap().iter();
        choices.map(|choice| choice["text"].as_str().unwrap().to_string()).collect()
    };
    let all = choices("WAIT");
    let first = all.iter().find(|text| text.starts_with("GROW")).unwrap();
    // The only organism has acted.
    assert_eq!(choices(&first.replace(' ', "%20")), ["WAIT"]);
}
