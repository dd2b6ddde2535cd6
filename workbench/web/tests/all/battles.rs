//! Battles of CodinGame's site: their page, the forecast of a league, and a battle frame by frame.

use crate::common::Site;
use crate::common::browser::Browser;
use contender_league::{League, NewLeagueGame, Store, import_text};
use contender_site::{Import, ImportOptions};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A seed that JavaScript would round.
const SEED: i64 = -4_436_915_910_920_504_001;

fn agents(other: &str) -> Value {
    json!([{"index": 0, "codingamer": {"pseudo": "ann"}}, {"index": 1, "codingamer": {"pseudo": other}}])
}

/// Returns a lost battle of a challenge, as the site would give it.
fn battle(id: u64, other: &str) -> Value {
    json!({
        "gameId": id, "refereeInput": format!("seed={}\nsize=9\n", SEED + id as i64),
        "scores": [1, 2], "ranks": [1, 0], "tooltips": [], "agents": agents(other),
        "frames": [
            {"agentId": -1, "view": "0\nfirst", "keyframe": true},
            {"agentId": 0, "stdout": "UP\n", "stderr": "looks <up>\n"},
            {"agentId": 1, "stdout": "DOWN\n", "view": "1\nlast", "keyframe": true, "summary": "bob falls asleep"},
        ],
    })
}

/// Returns a battle of Ultimate Tic-Tac-Toe, which a bundled game's rules replay.
fn own_battle() -> Value {
    let contest = contender_catalogue::find("uttt").unwrap();
    let mut judge = contest.judge(1, &mut contender_game::settings::Options::rules()).unwrap();
    let mut frames = vec![json!({"agentId": -1})];
    while let Some(question) = judge.ask().pop() {
        let answer = judge.choices(question.player).remove(0);
        judge.answer(question.player, std::slice::from_ref(&answer)).unwrap();
        frames.push(json!({"agentId": question.player.index(), "stdout": answer + "\n"}));
    }
    let points = judge.points();
    json!({
        "gameId": 77, "refereeInput": "seed=1\n", "scores": points, "agents": agents("bob"), "frames": frames,
        "ranks": [usize::from(points[0] < points[1]), usize::from(points[1] < points[0])],
    })
}

fn import(project: &Path, log: &str, battles: &[Value], options: ImportOptions<'_>) {
    let path = project.join("saved");
    fs::write(&path, battles.iter().map(|battle| format!("{battle}\n")).collect::<String>()).unwrap();
    let mut text = String::new();
    let mut write = |record: &contender_play::Record| {
        text += &(record.to_json() + "\n");
        Ok(())
    };
    Import::new(options).read(&path, &mut write, &mut |unread| panic!("{unread}")).unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(project.join(log), text).unwrap();
}

/// Creates a project with a log of a challenge's battles, a log of a bundled game's battle, and a league.
fn project() -> Site {
    let site = Site::new();
    let project = site.folder.path().join("project");
    let frames = project.join("frames");
    let options =
        ImportOptions { me: Some("ann"), game: Some("trains"), logs: Some(&frames), ..Default::default() };
    import(&project, "battles.jsonl", &[battle(11, "bob"), battle(12, "bob"), battle(13, "<i>cem")], options);
    let mut blind = battle(14, "bob");
    blind["frames"].as_array_mut().unwrap().iter_mut().for_each(|frame| frame["view"] = Value::Null);
    import(&project, "blind.jsonl", &[blind], options);
    let contest = contender_catalogue::find("uttt").unwrap();
    let options = ImportOptions { me: Some("ann"), contest: Some(contest), ..Default::default() };
    import(&project, "own.jsonl", &[own_battle()], options);
    let command = NewLeagueGame::Command { game: "trains", command: "java -jar trains.jar" };
    let mut store = Store::open(&League::create(&project.join("league"), command).unwrap()).unwrap();
    let results = [(["v2", "bob"], [0, 1]), (["v2", "bob"], [1, 0]), (["bob", "v2"], [0, 0])];
    let line =
        |(players, ranks): ([&str; 2], [u32; 2])| json!({"players": players, "ranks": ranks}).to_string();
    let text: Vec<String> = results.into_iter().map(line).collect();
    assert_eq!(import_text(&mut store, &text.join("\n"), "test", "trains").unwrap().new, 3);
    site
}

#[test]
fn the_page_has_the_deciding_turns_and_the_forecast() {
    let site = project();
    let get = |path: &str| {
        let answer = site.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    };
    let page = get("/battles?file=own.jsonl");
    assert!(page.contains("Decided in") && page.contains("<td>last turn</td>"), "{page}");
    let page = get("/battles?file=battles.jsonl");
    assert!(
        page.contains("ann: 3 battles, 0 won, 0 drawn, 3 lost") && page.contains("&lt;i&gt;cem"),
        "{page}"
    );
    assert!(!page.contains("Decided in") && !page.contains("id=\"forecast\""), "{page}");
    let page = get("/battles?file=battles.jsonl&league=league&bot=v2");
    let row = "<td>bob</td><td class=\"number\">2</td><td class=\"number\">50%</td>";
    assert!(page.contains(row) && page.contains("<option value=\"league\" selected>"), "{page}");
    let page = get("/battles?file=battles.jsonl&league=league");
    assert!(page.contains("This league has no games of a bot with this name."), "{page}");
    // Only a league of the project is opened.
    let page = get("/battles?file=battles.jsonl&league=..%2Fleague&bot=v2");
    assert!(!page.contains("id=\"forecast\""), "{page}");
}

/// From the list on the first page to a battle: search, open, read what was printed, and watch the frames.
#[test]
fn a_battle_is_found_and_watched() {
    let Some(browser) = Browser::start() else { return };
    let site = project();
    let project = site.folder.path().join("project");
    fs::create_dir_all(project.join("view/core")).unwrap();
    fs::write(project.join("view/core/Drawer.js"), "export const own = 'own module';").unwrap();
    fs::write(project.join("view/data.json"), "\"own data\"").unwrap();
    fs::write(project.join("view/picture.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
    fs::write(project.join("view/player.html"), include_str!("../stand_in_viewer.html")).unwrap();
    browser.open(&site.pass());
    browser.click("#logs a[href^='/battles?file=battles.jsonl']");
    browser.wait("location.pathname === '/battles'");
    let shown = "document.querySelectorAll('#logs tbody tr:not([hidden])').length";
    assert_eq!(browser.eval(shown), 3);
    // The page has the exact seed.
    let search = |words: &str| {
        browser.run(&format!(
            "document.querySelector('#search').value = '{words}'; \
             document.querySelector('#search').dispatchEvent(new Event('input', {{bubbles: true}}))"
        ));
    };
    search(&(SEED + 12).to_string());
    assert_eq!(browser.eval(shown), 1);
    search("cem lost");
    assert_eq!(browser.eval(shown), 1);
    browser.click("#logs tbody tr:not([hidden]) a");
    browser.wait("location.pathname === '/replay' && document.body.innerText.includes('bob falls asleep')");
    let text = browser.eval("document.body.innerText");
    let text = text.as_str().unwrap();
    assert!(text.contains("UP") && text.contains("looks <up>") && text.contains("<i>cem"), "{text}");
    browser.assert_clean(&site.host);
    // The challenge's viewer gets every frame, also the one without a view.
    browser.run("document.querySelector('form.controls button').scrollIntoView()");
    browser.click("form.controls button");
    let state = "document.querySelector('#viewer-state')?.textContent";
    browser.wait(&format!("{state} === ''"));
    browser.run(
        "window.said = []; addEventListener('message', (event) => said.push(event.data)); \
         document.querySelector('#viewer').contentWindow.postMessage({type: 'report'}, '*')",
    );
    browser.wait("said.some((message) => message.type === 'report')");
    let frames = browser.eval("said.find((message) => message.type === 'report').report.frames");
    assert_eq!(frames, "true  0\nfirst undefined undefined|false  UP\n 0|true  1\nlast DOWN\n 1");
    // A battle that was saved without views has nothing to show.
    browser.open(&site.url("/replay?file=blind.jsonl&game=1&viewer=view"));
    browser.wait(&format!("{state}?.includes('saved without views')"));
    // A battle of a bundled game is on the board.
    browser.open(&site.url("/battles?file=own.jsonl"));
    browser.click("#logs tbody tr a");
    browser.wait("document.querySelector('#board svg')");
}
