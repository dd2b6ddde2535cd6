//! Bundled bots play the same games packed and unpacked.

use contender_game::{contest::Contest, settings::Options};
use contender_pack::verify::{Comparison, Compiled, bundled, compare, compile, program};
use contender_pack::{Site, pack_bot};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Never set, so packing runs to its end.
static GO_ON: AtomicBool = AtomicBool::new(false);

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

fn judge(contest: &dyn Contest) -> &'static Site {
    Site::find(if contest.info().site == contender_game::contest::JudgeSite::CodeCup {
        "codecup"
    } else {
        "codingame"
    })
    .unwrap()
}

fn games(contest: &dyn Contest, bot: &str, options: &Options, compiled: &Compiled) -> Comparison {
    let packed = program(&compiled.program, &["--nodes", "{nodes}", "--seed", "{seed}"]);
    compare(contest, [&packed, &bundled(bot, options)], 2, 100, &GO_ON).unwrap()
}

fn plays_like_unpacked(game: &str, bot: &str, options: &str) {
    let contest = contender_catalogue::find(game).unwrap();
    let options = Options::parse(options).unwrap();
    let judge = judge(contest);
    let packed = pack_bot(workspace(), contest, bot, &options, judge, &GO_ON).unwrap();
    assert!(judge.size(&packed.text) <= judge.limit.value);
    let compiled = compile(&packed.text, judge, &packed.build, &GO_ON).unwrap();
    assert_eq!(compiled.warnings, "");
    let same = games(contest, bot, &options, &compiled);
    assert_eq!(same.difference, None);
    assert_eq!(same.games, 2);
    assert!(same.moves > 20);
}

#[test]
fn a_bot_with_options() {
    plays_like_unpacked("entropy", "expectimax", "depth=1");
}

#[test]
fn a_bot_of_each_judge() {
    plays_like_unpacked("uttt", "greedy", "");
    plays_like_unpacked("spaghetti", "greedy", "");
}

/// The comparison can fail: a random bot differs from the greedy one.
#[test]
fn another_bot_is_noticed() {
    let contest = contender_catalogue::find("uttt").unwrap();
    let none = Options::default();
    let packed = pack_bot(workspace(), contest, "random", &none, judge(contest), &GO_ON).unwrap();
    for other in ["GreedyBot", "UctBot"] {
        assert!(!packed.text.contains(other), "{other} is still there");
    }
    let compiled = compile(&packed.text, judge(contest), &packed.build, &GO_ON).unwrap();
    let other = games(contest, "greedy", &none, &compiled);
    let difference = other.difference.unwrap();
    assert!(
        difference.starts_with("game 1 (the bot has seat 0) differs at move 1: the packed bot's"),
        "{difference}"
    );
    assert!(other.repeats);
}

#[test]
#[ignore = "minutes: cargo test -p contender-pack -- --ignored"]
fn every_bundled_bot() {
    for &contest in contender_catalogue::contests() {
        for bot in contest.info().bots {
            plays_like_unpacked(contest.name(), bot.name, "");
        }
    }
}
