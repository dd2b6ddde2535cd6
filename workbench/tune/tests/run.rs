//! Complete tuning runs: the events that they report, and the result of a run that was stopped and resumed.

use contender_catalogue::find;
use contender_referee::{ParallelGames, Processes};
use contender_tune::{Finish, Recipe, RunOptions, TuneEvent, check, run};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

const RECIPE: &str = "game = \"uttt\"\nbot = \"uct\"\ngames = 80\nnoise = 200\nnodes = 10\n\
    [parameters]\nc = { low = 0.05, high = 5, log = true }\nreuse = {}\n[test]\ngames = 80\n";

fn recipe(text: &str) -> Recipe {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recipe.toml");
    std::fs::write(&path, text).unwrap();
    Recipe::read(&path).unwrap()
}

fn order(folder: &Path) -> RunOptions {
    RunOptions {
        seed: 3,
        folder: folder.to_path_buf(),
        is_new: false,
        is_plan_only: false,
        jobs: ParallelGames { jobs: Some(2) },
        processes: Processes::default(),
        workers: None,
    }
}

/// Tunes until `pairs` progress reports, or to the end.
fn tune(text: &str, folder: &Path, pairs: Option<usize>, hear: &mut dyn FnMut(&TuneEvent)) -> Finish {
    let stop = AtomicBool::new(false);
    let mut played = 0;
    run(find("uttt"), &recipe(text), &order(folder), &stop, &mut |event| {
        hear(&event);
        played += usize::from(matches!(event, TuneEvent::Progress(_)));
        stop.store(pairs.is_some_and(|pairs| played >= pairs), Ordering::Relaxed);
    })
    .unwrap()
}

/// Returns the log without the times, and the report without its line of times.
fn result(folder: &Path) -> (String, String) {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let log =
        read("pairs.jsonl").lines().filter(|line| !line.contains("batch")).collect::<Vec<_>>().join("\n");
    let report = read("report.txt").lines().skip(1).collect::<Vec<_>>().join("\n");
    (log, report)
}

#[test]
fn a_tuning_that_was_stopped_goes_on_to_the_same_end() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let mut plans = Vec::new();
    let mut left = Vec::new();
    let finish = tune(RECIPE, folders[0].path(), None, &mut |event| match event {
        TuneEvent::Plan(words) => plans.push(words.clone()),
        TuneEvent::Progress(progress) => {
            assert!(progress.per_second > 0.0 && progress.games <= progress.all, "{progress:?}");
            left.push(progress.left.unwrap());
        }
        _ => {}
    });
    assert!(
        finish.is_finished && finish.text.contains("tuned values against start values"),
        "{}",
        finish.text
    );
    assert!(plans.len() == 1 && plans[0].starts_with("80 games"), "{plans:?}");
    assert!(left[0] > left[39] && left[39].is_zero(), "{left:?}");
    let mut gone_on = Vec::new();
    for pairs in [Some(5), Some(20), Some(35), None] {
        let finish = tune(RECIPE, folders[1].path(), pairs, &mut |event| {
            if let TuneEvent::GoingOn(games) = event {
                gone_on.push(*games);
            }
        });
        assert_eq!(finish.is_finished, pairs.is_none());
    }
    assert!(gone_on.len() == 3 && gone_on.is_sorted() && gone_on[2] > 40, "{gone_on:?}");
    assert_eq!(result(folders[0].path()), result(folders[1].path()));
    for file in ["parameters.csv", "parameters.svg", "response-c.svg"] {
        let read = |folder: &tempfile::TempDir| std::fs::read(folder.path().join(file)).unwrap();
        assert_eq!(read(&folders[0]), read(&folders[1]), "{file}");
    }
}

/// A plan plays no games. It names the source of the noise and of the time of a game.
#[test]
fn a_plan_plays_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let planned = |text: &str, folder: &Path| {
        let (recipe, order) = (recipe(text), RunOptions { is_plan_only: true, ..order(folder) });
        let mut events = Vec::new();
        run(find(&recipe.game), &recipe, &order, &AtomicBool::new(false), &mut |event| events.push(event))?;
        let [TuneEvent::Plan(words)] = &events[..] else { panic!("{events:?}") };
        anyhow::Ok(words.clone())
    };
    let plan = |text: &str, folder: &Path| planned(text, folder).unwrap();
    let unknown = RECIPE.replace("noise = 200\n", "");
    let new = folder.path().join("new");
    let assumed = plan(&unknown, &new);
    // The deviation of a pair is 0.5 or -0.5 points in half of the pairs, and 0 in the other half.
    assert!(
        assumed.contains("245.7 Elo, assuming that one bot wins both games of 50% of the pairs"),
        "{assumed}"
    );
    assert!(assumed.contains("80 games, which take 40s at the assumed rate"), "{assumed}");
    assert!(assumed.contains("2 games at a time, 1 s each (an assumption)"), "{assumed}");
    let known = plan(RECIPE, &new);
    assert!(known.contains("200.0 Elo. If") && !known.contains("assuming"), "{known}");
    // Entropy adds up points, and the contest's limit is 30 s per bot and game.
    let points = "game = \"entropy\"\nbot = \"classic\"\ngames = 80\n[parameters]\nregret = {}\n";
    let error = planned(points, &new).unwrap_err().to_string();
    assert!(error.contains("the noise is unknown"), "{error}");
    let timed = plan(&format!("noise = 9\n{points}"), &new);
    assert!(timed.contains("2 games at a time, 60 s each (if both bots use all their time)"), "{timed}");
    assert!(!new.exists());
    // After the pairs of an earlier run, a plan for another length uses their noise and their rate.
    tune(&unknown, &new, Some(101), &mut |_| {});
    let again = plan(&unknown.replace("games = 80\nnodes", "games = 400\nnodes"), &new);
    assert!(again.contains("Elo, measured by the run in ") && again.contains("400 games, "), "{again}");
    assert!(again.contains("at the earlier run's rate") && !again.contains("assum"), "{again}");
    // The pairs of other games say nothing.
    let other = plan(&unknown.replace("nodes = 10", "nodes = 20"), &new);
    assert!(other.contains("assuming that one bot wins both games"), "{other}");
}

#[test]
fn a_screen_says_what_matters() {
    let folder = tempfile::tempdir().unwrap();
    let text = RECIPE.replace("games = 80\nnoise", "games = 200\nscreen = true\nnoise");
    let finish = tune(&text, folder.path(), None, &mut |_| {});
    assert!(finish.is_finished && finish.text.contains("p-value"), "{}", finish.text);
    assert!(!finish.text.contains("tuned values against start values"), "{}", finish.text);
}

#[test]
fn a_folder_keeps_its_recipe_and_its_seed() {
    let folder = tempfile::tempdir().unwrap();
    tune(RECIPE, folder.path(), Some(20), &mut |_| {});
    let check = |text: &str, seed: u64| {
        check(find("uttt"), &recipe(text), &RunOptions { seed, ..order(folder.path()) })
            .map_err(|error| error.to_string())
    };
    assert_eq!(check(RECIPE, 3), Ok(()));
    assert!(check(RECIPE, 4).unwrap_err().contains("a tuning run with seed 3"));
    let longer = RECIPE.replace("games = 80\nnoise", "games = 90\nnoise");
    assert!(check(&longer, 3).unwrap_err().contains("a different recipe"));
    let opened = RECIPE.replace("nodes = 10", "nodes = 10\nrules = [\"colour=3\"]");
    assert!(check(&opened, 3).unwrap_err().contains("colour"));
}

#[test]
fn the_recipe_of_the_page_is_one() {
    let page = include_str!("../../../docs/reference/tune-toml.md");
    let text = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    check(find("uttt"), &recipe(text), &order(folder.path())).unwrap();
}

/// An external referee for a game that the bot with the larger number usually wins, apart from chance. The referee
/// fails bots above a limit.
#[test]
fn a_bot_is_tuned_by_a_referee_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("referee.sh");
    let text = "limit=$1 noise=$2; shift 2\nfor bot; do x=${bot#true }; noise=$((noise * 31 % 10007))\n\
                if [ \"$x\" -gt \"$limit\" ]; then echo -1; else echo $((x + noise % 61)); fi; done\n";
    std::fs::write(&script, text).unwrap();
    let tuned = |share: &str, limit: i32| {
        let recipe = recipe(&format!(
            "game = \"numbers\"\nreferee = \"sh {} {limit} {{SEED}} {{P1}} {{P2}}\"\nbot = \"true {share}\"\ngames = 400\n\
             noise = 100\n[parameters]\nshare = {{ low = 0, high = 100, start = 60, step = 1 }}\n[test]\ngames = 400\nbetter = 50\n",
            script.display()
        ));
        let order = order(&folder.path().join(limit.to_string()));
        run(None, &recipe, &order, &AtomicBool::new(false), &mut |_| ())
    };
    assert!(tuned("{other}", 100).unwrap_err().to_string().contains("does not contain `{share}`"));
    let finish = tuned("{share}", 100).unwrap();
    assert!(finish.is_finished && finish.text.contains("games: better"), "{}", finish.text);
    // If the best values fail, the search avoids them, and the report names the region.
    let finish = tuned("{share}", 90).unwrap();
    assert!(finish.is_finished, "{}", finish.text);
    assert!(finish.text.contains("all of them with `share` from 9"), "{}", finish.text);
    assert!(!finish.text.contains("failures in this test"), "{}", finish.text);
    // If all values fail, the run ends with an error that contains a hint.
    let error = tuned("{share}", -1).unwrap_err().to_string();
    assert!(error.starts_with("the bot failed") && error.contains("\nhint: if bots lose on time"), "{error}");
    assert!(error.contains("`time = \"300ms\"`"), "{error}");
}

/// A tuning run from an older version, whose test had another limit, can be resumed.
#[test]
fn a_tuning_of_an_older_version_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/pairs.jsonl");
    std::fs::copy(golden, folder.path().join("pairs.jsonl")).unwrap();
    let text = "game = \"uttt\"\nbot = \"uct\"\ngames = 80\nnodes = 30\n[parameters]\nc = {}\n";
    let mut known = 0;
    let order = RunOptions { seed: 1, ..order(folder.path()) };
    let stop = AtomicBool::new(false);
    run(find("uttt"), &recipe(text), &order, &stop, &mut |event| {
        if let TuneEvent::GoingOn(games) = event {
            known = games;
        }
        stop.store(matches!(event, TuneEvent::Progress(_)), Ordering::Relaxed);
    })
    .unwrap();
    assert!(known > 400, "{known}");
}
