//! Tests of league files from elsewhere. Their contents must be shown without escape codes and with limited length, and
//! a file that is not a league's file must be refused.

use contender_league::{League, NewLeagueGame, Store};
use std::fs;
use std::path::Path;

fn league(folder: &Path) -> League {
    League::create(folder, NewLeagueGame::Contest(contender_catalogue::find("spaghetti").unwrap())).unwrap()
}

fn change(league: &League, sql: &str) {
    rusqlite::Connection::open(league.database()).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn texts_are_printable_and_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path());
    drop(Store::open(&league).unwrap());
    change(
        &league,
        "INSERT INTO bots (name, command, state, source, source_sha256, added, changed) VALUES
             (char(27) || '[2J' || hex(zeroblob(100000)), char(27) || ']0;x' || char(7), 'active', '../../x', 'y', 0, 0),
             ('b', 'random', 'active', NULL, NULL, 0, 0);
         INSERT INTO games (id, pair, luck, state, reason, record) VALUES
             (1, 1, '1', 'done', char(155), hex(zeroblob(10000000)));
         INSERT INTO seats (game, seat, bot, rank, points, ending) VALUES
             (1, 0, 1, 0, 1, char(27) || 'c'), (1, 1, 2, 1, 0, 'normal');",
    );
    let store = Store::open(&league).unwrap();
    let bots = store.bots().unwrap();
    let games = store.games(true).unwrap();
    let texts = [&bots[0].name, &bots[0].command, &games[0].seats[0].ending];
    for text in texts.into_iter().chain(&games[0].reason) {
        assert!(!text.chars().any(char::is_control) && text.len() < 5000, "{text:?}");
    }
    assert!(games[0].has_failed() && games[0].record.is_none());
}

#[test]
fn what_is_no_league_is_named_with_its_remedy() {
    for (sql, word) in [
        ("DROP TABLE games;", "missing table `games`"),
        ("DROP TABLE runners; CREATE VIEW runners AS SELECT 1 AS id;", "unexpected view `runners`"),
        ("CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM bots; END;", "unexpected trigger `t`"),
        ("ALTER TABLE games DROP COLUMN record;", "missing column in the table `games`"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let league = league(folder.path());
        drop(Store::open(&league).unwrap());
        change(&league, sql);
        for opened in [Store::open(&league), Store::open_to_read(&league)] {
            let error = format!("{:#}", opened.err().unwrap());
            assert!(
                error.contains("league.sqlite")
                    && error.contains(word)
                    && error.contains("restore the file from a backup"),
                "{error}"
            );
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let league = league(folder.path());
    fs::write(league.database(), "this is no database at all, but a text that is long enough for one")
        .unwrap();
    let error = format!("{:#}", Store::open(&league).err().unwrap());
    assert!(error.contains("league.sqlite"), "{error}");
}
