//! Checks that a league keeps its bots' source files in its own folder, under `sources`, whatever the bots are called.

use contender_league::{League, NewBot, NewLeagueGame, Store};
use std::fs;
use std::path::Path;

fn league(folder: &Path) -> League {
    League::create(folder, NewLeagueGame::Contest(contender_catalogue::find("spaghetti").unwrap())).unwrap()
}

#[test]
fn a_name_is_no_way_out_of_the_folder_of_sources() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("league");
    let league = league(&folder);
    let mut store = Store::open(&league).unwrap();
    store.add(NewBot { name: "a", command: "random", ..NewBot::default() }).unwrap();
    let settings = fs::read(folder.join("league.toml")).unwrap();
    // Source files with the names of the league's own files.
    let bad = place.path().join("league.sqlite");
    let worse = place.path().join("league.toml");
    fs::write(&bad, "no database").unwrap();
    fs::write(&worse, "no settings").unwrap();
    for name in ["..", ".", "...", ".hidden", "../x", "a/b", "", "a\0b", "/tmp"] {
        for source in [&bad, &worse] {
            let added =
                store.add(NewBot { name, command: "random", source: Some(source), ..NewBot::default() });
            assert!(added.is_err(), "{name:?} is taken for a name");
        }
    }
    assert_eq!(fs::read(folder.join("league.toml")).unwrap(), settings);
    assert_eq!(Store::open(&league).unwrap().bots().unwrap().len(), 1);
    store.add(NewBot { name: "b..c", command: "random", source: Some(&bad), ..NewBot::default() }).unwrap();
    assert_eq!(fs::read(folder.join("sources/b..c/league.sqlite")).unwrap(), b"no database");
}

/// A symbolic link in the folder of sources is not followed.
#[cfg(unix)]
#[test]
fn a_link_is_no_way_out_either() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("league");
    let league = league(&folder);
    let mut store = Store::open(&league).unwrap();
    let (source, other) = (place.path().join("bot.rs"), place.path().join("other"));
    fs::write(&source, "fn main() {}").unwrap();
    fs::create_dir_all(&other).unwrap();
    fs::create_dir_all(folder.join("sources/b")).unwrap();
    std::os::unix::fs::symlink(&other, folder.join("sources/a")).unwrap();
    fs::write(other.join("mine"), "mine").unwrap();
    std::os::unix::fs::symlink(other.join("mine"), folder.join("sources/b/bot.rs")).unwrap();
    assert!(
        store
            .add(NewBot { name: "a", command: "random", source: Some(&source), ..NewBot::default() })
            .is_err()
    );
    assert!(!other.join("bot.rs").exists());
    store.add(NewBot { name: "b", command: "random", source: Some(&source), ..NewBot::default() }).unwrap();
    assert_eq!(fs::read(other.join("mine")).unwrap(), b"mine");
    assert_eq!(fs::read(folder.join("sources/b/bot.rs")).unwrap(), b"fn main() {}");
}
