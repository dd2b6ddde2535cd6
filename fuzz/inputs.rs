//! What the fuzz targets do with their input, in a file of its own because an ordinary test runs it too.

use contender_catalogue::{contests, find};
use contender_game::{
    contest::{BotSetup, Limits, Reply},
    settings::Options,
};
use contender_league::{Meetings, Model, Standings, Store, import_text};
use contender_play::{Battle, Record};
use contender_replay::{Source, check, games};
use contender_site::{Case, ReportOptions, SiteReport, read};
use std::sync::atomic::AtomicBool;

/// A battle of CodinGame's site may be any JSON. A log keeps what is read, and a game's rules take its answers.
///
/// The first byte chooses the game.
pub fn battle(data: &[u8]) {
    let [game, text @ ..] = data else { return };
    let contest = contests()[usize::from(*game) % contests().len()];
    let Ok(value) = serde_json::from_slice(text) else { return };
    let Ok(mut record) = read(&value).map(|brought| brought.record) else { return };
    let line = record.to_json();
    assert_eq!(Record::from_json(&line).map(|record| record.to_json()), Ok(line));
    record.game = contest.name().to_string();
    record.rules = String::new();
    record.battle = Some(Battle { id: None, me: Some(0) });
    let source = contender_site::Source::Rules(contest);
    let _ = Case::of(&record, 0, record.seats[0].outputs.len(), &[], source, &AtomicBool::new(false));
    let options = ReportOptions { rules: Some(find), ..ReportOptions::default() };
    let _ = SiteReport::of(&[record], &options).text();
}

/// A bot reads whatever a judge might send: it answers, waits, leaves or says why it cannot go on, and never panics.
///
/// The first byte chooses the game, the second the bot.
pub fn dialogue(data: &[u8]) {
    let [game, bot, text @ ..] = data else { return };
    let contest = contests()[usize::from(*game) % contests().len()];
    let bots = contest.info().bots;
    let name = bots[usize::from(*bot) % bots.len()].name;
    let setup = BotSetup { limits: Limits::nodes(20), seed: 1 };
    let mut bot = contest.bot(name, &mut Options::default(), &setup).expect("a bundled bot without options");
    let text = String::from_utf8_lossy(text);
    for line in text.lines() {
        match bot.line(line) {
            Ok(Reply::Nothing | Reply::Say(_)) => {}
            Ok(Reply::Stop) | Err(_) => break,
        }
    }
}

/// A judge takes whatever a bot might answer: a legal move, or a reason why it is none, and never panics.
///
/// The first byte chooses the game, the second the seed; then the lines are answers. A line `!` fails the player.
pub fn judge(data: &[u8]) {
    let [game, seed, text @ ..] = data else { return };
    let contest = contests()[usize::from(*game) % contests().len()];
    let mut judge = contest.judge(u64::from(*seed), &mut Options::default()).expect("a game without options");
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines();
    loop {
        let questions = judge.ask();
        if questions.is_empty() {
            break;
        }
        for question in questions {
            let answer: Vec<String> =
                lines.by_ref().take(question.answer_lines).map(str::to_string).collect();
            if answer.len() < question.answer_lines {
                return;
            }
            if answer[0] == "!" || judge.answer(question.player, &answer).is_err() {
                judge.fail(question.player);
            }
        }
        let _ = judge.picture(None);
    }
    let _ = judge.points();
}

/// A recorded game may hold anything: setup lines up to a blank one, then moves.
///
/// The first byte chooses the game.
pub fn recorded(data: &[u8]) {
    let [game, text @ ..] = data else { return };
    let contest = contests()[usize::from(*game) % contests().len()];
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines();
    let setup: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).map(str::to_string).collect();
    let Ok(mut judge) = contest.recorded(&setup, &mut Options::default()) else { return };
    for line in lines {
        if judge.replay(line).is_err() {
            break;
        }
    }
    let _ = (judge.points(), judge.picture(None));
}

/// Names that tell the forms of files apart.
const NAMES: [&str; 5] =
    ["games.jsonl", "games.csv", "uttt-games.txt", "uttt-perft.txt", "uttt-positions.txt"];

/// Files of recorded games may hold anything, in every form that is read.
///
/// The first byte chooses the form.
pub fn replay(data: &[u8]) {
    let [form, text @ ..] = data else { return };
    // Compressed data is left out: a small input may unpack to a large one, which only costs time.
    if text.starts_with(&[0x1f, 0x8b]) {
        return;
    }
    let name = NAMES[usize::from(*form) % NAMES.len()];
    let game = contests()[usize::from(*form) / NAMES.len() % contests().len()];
    let source = || Source::from_bytes(name, text.to_vec());
    let _ = check(source(), Some(game));
    for mut game in games(source(), Some(game), 0).into_iter().flatten().flatten() {
        let _ = game.go_to(usize::MAX);
        let _ = game.judge().picture(None);
    }
}

/// A league takes any file of games from elsewhere, and what it has taken can be ranked, by every model.
///
/// The first byte chooses the game.
pub fn import(data: &[u8]) {
    let [game, text @ ..] = data else { return };
    let game = contests()[usize::from(*game) % contests().len()].name();
    let mut store = Store::in_memory().expect("a league in memory");
    if import_text(&mut store, &String::from_utf8_lossy(text), "games", game).is_err() {
        return;
    }
    let (bots, games) = (store.bots().expect("bots"), store.games(true).expect("games"));
    let _ = Meetings::of(&bots, &games);
    for model in [Model::Points, Model::Elo, Model::Trueskill, Model::Openskill] {
        let _ = Standings::of(&bots, &games, model, true).text(["first", "second"], false);
    }
}
