//! Tests of several runners in one league.

use contender_game::contest::Limits;
use contender_league::{
    BotState, Event, ExportForm, GameState, League, NewBot, NewLeagueGame, Plan, Store, pictures, run,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Creates a league of Spaghetti in `folder` in which any two bots play this number of pairs.
fn league(folder: &Path, pairs: u64) -> League {
    let contest = contender_catalogue::find("spaghetti").unwrap();
    League::create(folder, NewLeagueGame::Contest(contest)).unwrap();
    let path = folder.join("league.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("# max_pairs = 500", &format!("max_pairs = {pairs}"))).unwrap();
    League::open(folder).unwrap()
}

fn add(league: &League, bots: &[(&str, &str)]) {
    let mut store = Store::open(league).unwrap();
    for &(name, command) in bots {
        store.add(NewBot { name, command, ..NewBot::default() }).unwrap();
    }
}

/// A plan that ends when all games are played.
const ONCE: Plan = Plan { jobs: 2, games: None, until: None, once: true };

/// Checks that every pair has two games with the same seed and swapped seats, and that no two pairs have the same seed.
/// Returns the number of pairs for every two bots.
fn check(league: &League) -> BTreeMap<[i64; 2], u64> {
    let games = Store::open(league).unwrap().games(true).unwrap();
    let mut pairs: BTreeMap<i64, Vec<([i64; 2], u64)>> = BTreeMap::new();
    for game in &games {
        assert_eq!(game.state, GameState::Done);
        let record: serde_json::Value = serde_json::from_str(game.record.as_ref().unwrap()).unwrap();
        let [zero, one] = &game.seats[..] else { panic!("{game:?} has not two seats") };
        let game_of_pair = ([zero.bot, one.bot], contender_play::seed::deserialize(&record["seed"]).unwrap());
        pairs.entry(game.pair.unwrap()).or_default().push(game_of_pair);
    }
    let mut seeds = BTreeSet::new();
    let mut meetings = BTreeMap::new();
    for games in pairs.into_values() {
        let [([a, b], first), ([c, d], second)] = games[..] else { panic!("{games:?} are not two games") };
        assert_eq!((a, b, first), (d, c, second));
        assert!(seeds.insert(first));
        *meetings.entry([a.min(b), a.max(b)]).or_insert(0) += 1;
    }
    meetings
}

#[test]
fn no_game_is_played_twice_or_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), 12);
    add(&league, &[("r", "random"), ("g", "greedy"), ("s", "random")]);
    let never = AtomicBool::new(false);
    let played = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let games = run(&league, ONCE, &never, &mut |event| {
                    assert!(matches!(event, Event::Game { .. } | Event::End { .. }));
                });
                played.fetch_add(games.unwrap(), Ordering::Relaxed);
            });
        }
    });
    assert_eq!(played.into_inner(), 3 * 12 * 2);
    assert!(check(&league).values().eq(&[12, 12, 12]));
}

#[test]
fn bots_come_and_go_while_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), 10);
    add(&league, &[("r", "random"), ("g", "greedy"), ("s", "random")]);
    let never = AtomicBool::new(false);
    let mut count = 0;
    run(&league, Plan { jobs: 1, ..ONCE }, &never, &mut |_| {
        count += 1;
        if count == 9 {
            Store::open(&league).unwrap().set_state("s", BotState::Paused).unwrap();
            add(&league, &[("new", "greedy")]);
        }
    })
    .unwrap();
    let store = Store::open(&league).unwrap();
    let id = |name: &str| store.bots().unwrap().into_iter().find(|bot| bot.name == name).unwrap().id;
    let games = store.games(false).unwrap();
    let of = |bot: i64| games.iter().filter(|game| game.seat_of(bot).is_some()).count();
    // The new bot has played both others. The paused bot has not played any more after its pair was complete.
    assert_eq!(of(id("new")), 2 * 10 * 2);
    assert!(of(id("s")) <= 10, "{}", of(id("s")));
    assert!(store.add_again_fails());
}

trait AddAgain {
    fn add_again_fails(self) -> bool;
}

impl AddAgain for Store {
    /// Returns whether a name cannot be used again, not even after its bot was removed.
    fn add_again_fails(mut self) -> bool {
        let again = NewBot { name: "new", command: "random", ..NewBot::default() };
        let is_taken = self.add(again).is_err();
        self.set_state("new", BotState::Removed).unwrap();
        is_taken && self.add(again).is_err() && self.set_state("nobody", BotState::Paused).is_err()
    }
}

/// A run that is stopped returns its games, and the next run plays them first.
#[test]
fn an_interrupted_run_is_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), 9);
    add(&league, &[("r", "random"), ("g", "greedy")]);
    let mut played = 0;
    for round in 1..20 {
        let stop = AtomicBool::new(false);
        let mut count = 0;
        played += run(&league, ONCE, &stop, &mut |_| {
            count += 1;
            stop.fetch_or(count >= round % 4, Ordering::Relaxed);
        })
        .unwrap();
    }
    assert_eq!(played, 18);
    assert_eq!(check(&league).into_values().sum::<u64>(), 9);
}

/// A runner with only one bot has nothing to play and waits.
#[test]
fn a_runner_waits_for_bots() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), 4);
    add(&league, &[("r", "random")]);
    let stop = AtomicBool::new(false);
    let (mut games, mut waits) = (0, 0);
    // One game at a time. Otherwise a worker would wait and stop everything while another one still plays the last
    // game.
    let played = run(&league, Plan { jobs: 1, once: false, ..ONCE }, &stop, &mut |event| match event {
        Event::Waiting => {
            waits += 1;
            match waits {
                1 => add(&league, &[("g", "greedy")]),
                2 => add(&league, &[("s", "random")]),
                _ => stop.store(true, Ordering::Relaxed),
            }
        }
        Event::Game { .. } => games += 1,
        _ => {}
    });
    assert_eq!((played.unwrap(), games), (3 * 4 * 2, 3 * 4 * 2));
}

/// A game that cannot be played is void, and after several void games the two bots do not play each other.
#[test]
fn void_games_end_a_meeting() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), 50);
    add(&league, &[("r", "random"), ("g", "greedy"), ("gone", "no-such-bot-any-more")]);
    let mut voids = 0;
    let never = AtomicBool::new(false);
    run(&league, Plan { jobs: 1, ..ONCE }, &never, &mut |event| {
        if let Event::Void { bots, reason } = event {
            assert!(bots.contains(&"gone") && reason.contains("no-such-bot-any-more"), "{reason}");
            voids += 1;
        }
    })
    .unwrap();
    // Whole pairs of games were planned before the third void game in a row.
    assert_eq!(voids, 2 * 4);
    let games = Store::open(&league).unwrap().games(false).unwrap();
    assert_eq!(games.iter().filter(|game| game.state == GameState::Done).count(), 100);
    let again = |names: &[&str]| {
        let mut store = Store::open(&league).unwrap();
        names.iter().for_each(|name| store.set_state(name, BotState::Active).unwrap());
        run(&league, Plan { jobs: 1, ..ONCE }, &never, &mut |_| {}).unwrap()
    };
    assert_eq!(again(&[]), 0);
    // Someone who resumes a bot wants to see it play. If it is still missing, its games become void again.
    assert_eq!(again(&["r"]), 4);
    assert_eq!(again(&["gone"]), 8);
    assert_eq!(again(&[]), 0);
}

#[test]
fn games_are_imported_once() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), 2);
    add(&league, &[("r", "random"), ("g", "greedy")]);
    run(&league, ONCE, &AtomicBool::new(false), &mut |_| {}).unwrap();
    let mut store = Store::open(&league).unwrap();
    let mut log: Vec<String> =
        store.games(true).unwrap().into_iter().filter_map(|game| game.record).collect();
    assert_eq!(log.len(), 4);
    log.push(
        "{\"players\": [\"x\", \"y\"], \"ranks\": [0, 1], \"player_data\": [{\"depth\": 5}]}".to_string(),
    );
    log.push(
        "{\"players\": [\"x\", \"y\"], \"ranks\": [0, 1], \"player_data\": [{\"depth\": 5}]}".to_string(),
    );
    log.push("{\"players\": [\"x\"], \"ranks\": [0]}".to_string());
    log.push("{\"game\": \"spag".to_string());
    let path = folder.path().join("games.jsonl");
    std::fs::write(&path, log.join("\n")).unwrap();
    let first = contender_league::import(&mut store, &path, "spaghetti", &mut |_| true).unwrap();
    assert_eq!((first.new, first.known, first.problems.len()), (6, 0, 2), "{first:?}");
    assert!(first.problems[0].contains("games.jsonl:7: a game with only 1 players"), "{first:?}");
    assert!(first.problems[1].contains("games.jsonl:8:"), "{first:?}");
    let again = contender_league::import(&mut store, &path, "spaghetti", &mut |_| true).unwrap();
    assert_eq!((again.new, again.known), (0, 6));
    let table = folder.path().join("table.csv");
    std::fs::write(
        &table,
        "Game,User,Score,Status\n1,ann,53,LOSE\n1,bob,247,WIN\n2,ann,0,TIMEOUT\n3,bob,9,WIN\n3,ann,x,LOSE\n",
    )
    .unwrap();
    let imported = contender_league::import(&mut store, &table, "spaghetti", &mut |_| true).unwrap();
    assert_eq!((imported.new, imported.problems.len()), (1, 2), "{imported:?}");
    assert!(
        contender_league::import(&mut store, &folder.path().join("league.toml"), "spaghetti", &mut |_| true)
            .is_err()
    );
}

#[test]
fn bad_settings_are_named_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let good = league(folder.path(), 2);
    assert!(League::create(folder.path(), NewLeagueGame::Contest(good.contest().unwrap())).is_err());
    let path = folder.path().join("league.toml");
    for (text, words) in [
        ("game = \"chess\"\n", "unknown game `chess`"),
        ("game = \"chess\"\nmatch = \"run %P1%\"\n", "the command must contain placeholders for both bots"),
        ("game = \"uttt\"\nspeed = 3\n", "league.toml:2: unknown field `speed`"),
        ("game = \"uttt\"\n\nseed = \"x\"\n", "league.toml:3: "),
        ("game = \"uttt\"\ntime = \"soon\"\n", "expected a number above 0"),
        ("game = \"uttt\"\n\ntime = \"0%\"\n", "league.toml:3: expected a positive percentage"),
        ("game = \"uttt\"\nnodes = 0\n", "invalid number of nodes"),
        ("game = \"uttt\"\nmemory = 0\n", "invalid memory limit: expected 1"),
        ("game = \"uttt\"\nmemory = 17592186044416\n", "invalid memory limit: expected 1"),
        ("game = \"uttt\"\nopenings = \"no.txt\"\n", "no.txt: No such file"),
        ("game = \"uttt\"\n[rules]\nx = \"1\"\n", "unknown rule `x`; available: opening"),
    ] {
        std::fs::write(&path, text).unwrap();
        let error = League::open(folder.path()).err().map(|error| format!("{error:#}")).unwrap_or_default();
        assert!(error.contains(words), "{text}: {error}");
    }
    std::fs::write(&path, "game = \"spaghetti\"\ntime = \"50%\"\nmemory = 100\n").unwrap();
    let league = League::open(folder.path()).unwrap();
    let contest = league.contest().unwrap();
    let referee = league.settings.referee(contest, &league.folder).unwrap();
    let half = |limit: Option<std::time::Duration>| limit.map(|limit| limit / 2);
    let limits = contest.info().limits;
    assert_eq!(
        (referee.conditions.limits.game, referee.conditions.limits.turn),
        (half(limits.game), half(limits.turn))
    );
}

/// Both games of a pair start with an opening from the file.
#[test]
fn openings_are_drawn_for_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), 8);
    let path = folder.path().join("league.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("# openings =", "openings =")).unwrap();
    assert!(League::open(folder.path()).is_err(), "there is no such file yet");
    let openings = ["start=bbs+hbl", "start=cds+ebr"];
    std::fs::write(folder.path().join("openings.txt"), openings.join("\n")).unwrap();
    let league = League::open(league.folder.as_path()).unwrap();
    add(&league, &[("r", "random"), ("g", "greedy")]);
    run(&league, ONCE, &AtomicBool::new(false), &mut |_| {}).unwrap();
    let mut pairs: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    for game in Store::open(&league).unwrap().games(true).unwrap() {
        let record: serde_json::Value = serde_json::from_str(game.record.as_ref().unwrap()).unwrap();
        let rules = record["rules"].as_str().unwrap_or_default().to_string();
        pairs.entry(game.pair.unwrap()).or_default().push(rules);
    }
    assert!(pairs.values().all(|rules| rules.len() == 2 && rules[0] == rules[1]), "{pairs:?}");
    let drawn: BTreeSet<&str> = pairs.values().map(|rules| rules[0].as_str()).collect();
    assert_eq!(drawn, BTreeSet::from(openings));
}

/// A bot that always fails is paused after a few games, and plays again after it is resumed.
#[test]
fn who_always_fails_rests() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path(), 50);
    add(&league, &[("r", "random"), ("g", "greedy"), ("mute", "false")]);
    let state = |name: &str| {
        let bots = Store::open(&league).unwrap().bots().unwrap();
        bots.into_iter().find(|bot| bot.name == name).unwrap().state
    };
    let mut resting = Vec::new();
    for round in 1..=2 {
        run(&league, Plan { jobs: 1, ..ONCE }, &AtomicBool::new(false), &mut |event| {
            if let Event::Resting { bot } = event {
                resting.push(bot.to_string());
            }
        })
        .unwrap();
        assert_eq!((resting.len(), state("mute"), state("g")), (round, BotState::Paused, BotState::Active));
        Store::open(&league).unwrap().set_state("mute", BotState::Active).unwrap();
    }
    let games = Store::open(&league).unwrap().games(false).unwrap();
    let of_mute = games.iter().filter(|game| game.has_failed()).count();
    assert_eq!(of_mute as u32, 2 * contender_league::FAILURES_IN_A_ROW);
}

/// A league with invalid settings is not created.
#[test]
fn nothing_is_written_of_a_league_with_bad_settings() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("new");
    for command in ["run %P1%", "run '%P1% %P2%"] {
        assert!(
            League::create(&place, NewLeagueGame::Command { game: "chess", command }).is_err(),
            "{command}"
        );
        assert!(!place.exists());
    }
    assert!(
        League::create(&place, NewLeagueGame::Command { game: "chess", command: "run %P1% %P2%" }).is_ok()
    );
}

/// Checks a league with a match script in psyleague's style. The bot whose name comes first in the alphabet wins,
/// unless a bot is called `broken`.
#[test]
fn another_program_referees() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("play.sh");
    let text = "[ \"$1\" = broken ] && exit 1\n[ \"$2\" = broken ] && exit 1\n\
        if [ \"$1\" \\< \"$2\" ]; then ranks=0,1; else ranks=1,0; fi\n\
        echo \"{\\\"ranks\\\": [$ranks], \\\"errors\\\": [0, 0], \\\"test_data\\\": {\\\"seed\\\": $3}, \\\"player_data\\\": [{}, {}]}\"\n";
    std::fs::write(&script, text).unwrap();
    let command = format!("bash {} %ALL_PLAYERS% %SEED%", script.display());
    let league =
        League::create(folder.path(), NewLeagueGame::Command { game: "alphabet", command: &command })
            .unwrap();
    add(&league, &[("b", "sh"), ("a", "sh"), ("c", "sh"), ("broken", "sh")]);
    let never = AtomicBool::new(false);
    let mut voids = 0;
    let plan = Plan { games: Some(38), ..ONCE };
    let played =
        run(&league, plan, &never, &mut |event| voids += u64::from(matches!(event, Event::Void { .. })));
    assert_eq!(played.unwrap(), 38);
    assert!((9..=12).contains(&voids), "{voids}");
    let store = Store::open(&league).unwrap();
    let games = store.games(true).unwrap();
    let done: Vec<_> = games.iter().filter(|game| game.state == GameState::Done).collect();
    assert_eq!(done.len() as u64, 38 - voids);
    assert!(done[0].record.as_ref().unwrap().contains("\"name\":\"seed\""));
    let table =
        contender_league::Standings::of(&store.bots().unwrap(), &games, contender_league::Model::Elo, false);
    let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c", "broken"]);
}

/// Checks that every meeting of three bots has a game for each rotation of the seats, with the same seed. The ranks are
/// printed and rated.
#[test]
fn three_bots_play_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let script = "for name in $@; do case $name in a) echo 9;; b) echo 5;; *) echo 1;; esac; done";
    let command = format!("sh -c '{script}' referee %ALL_PLAYERS%");
    League::create(folder.path(), NewLeagueGame::Command { game: "cards", command: &command }).unwrap();
    let settings = folder.path().join("league.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(&settings, text.replace("# players = 2", "players = 9")).unwrap();
    assert!(League::open(folder.path()).is_err());
    std::fs::write(&settings, text.replace("# players = 2", "players = 3")).unwrap();
    let league = League::open(folder.path()).unwrap();
    add(&league, &[("c", "sh"), ("a", "sh"), ("d", "sh"), ("b", "sh")]);
    run(&league, Plan { games: Some(60), ..ONCE }, &AtomicBool::new(false), &mut |_| {}).unwrap();
    let store = Store::open(&league).unwrap();
    let games = store.games(false).unwrap();
    let mut seats = BTreeMap::new();
    let mut meetings: BTreeMap<i64, u32> = BTreeMap::new();
    for game in games.iter().filter(|game| game.state == GameState::Done) {
        assert_eq!(game.seats.len(), 3);
        *meetings.entry(game.pair.unwrap()).or_default() += 1;
        for (at, seat) in game.seats.iter().enumerate() {
            *seats.entry((seat.bot, at)).or_insert(0) += 1;
        }
    }
    assert_eq!(meetings.values().sum::<u32>(), 60);
    assert!(meetings.values().all(|&games| games == 3), "{meetings:?}");
    // The effects of chance and seats cancel: every bot plays in every seat equally often.
    assert_eq!(seats.len(), 12);
    for bot in 1..=4 {
        assert!(
            seats[&(bot, 0)] > 0
                && seats[&(bot, 0)] == seats[&(bot, 1)]
                && seats[&(bot, 1)] == seats[&(bot, 2)]
        );
    }
    let table = league.standings(&store, league.model(), None).unwrap();
    assert_eq!((table.games, table.rows[0].name.as_str(), table.rows[1].name.as_str()), (60, "a", "b"));
    let [first, second] = [&table.rows[0], &table.rows[1]];
    assert_eq!((first.ranks.as_slice(), first.points), ([first.games, 0, 0].as_slice(), Some(1.0)));
    assert!(first.interval.unwrap().low > second.strength && second.ranks[0] < second.games);
    let text = table.text(["", ""], false);
    assert!(text.lines().next().unwrap().ends_with("    1.    2.    3."), "{text}");
    let game = games.iter().find(|game| game.state == GameState::Done).unwrap();
    let told = game.text(&store.bots().unwrap());
    assert!(told.contains(" - ") && told.contains("0.25"), "{told}");
    assert!(league.forecast(&store, league.model(), None).unwrap().rows.len() == 4);
    // Tables and charts also include the third seat.
    let mut table = Vec::new();
    ExportForm::Csv.write(&store, &mut table).unwrap();
    let table = String::from_utf8(table).unwrap();
    assert!(table.lines().next().unwrap().starts_with("game,pair,bot0,bot1,bot2,points0,"), "{table}");
    assert!(table.contains("b,a,c,0.5,1,0,normal,normal,normal,"), "{table}");
    let drawn = pictures("cards", &store.bots().unwrap(), &games, league.model(), None, Limits::default());
    let picture = |name: &str| &drawn.iter().find(|(file, _)| file == name).unwrap().1;
    // `a` wins all its duels, two per game.
    let words = format!("100 / 0 / 0 % of {}", 2 * first.games);
    assert!(picture("results.svg").contains(&words), "{}", picture("results.svg"));
    assert!(picture("scores.svg").contains("<svg"));
}
