//! A bot reads whatever a judge might send: it answers, waits, leaves or says why it cannot go on, and never panics.
//!
//! The first byte chooses the game, the second the bot.
#![no_main]

use contender_catalogue::CONTESTS;
use contender_game::{BotSetup, Budget, Limits, Options, Reply};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [game, bot, text @ ..] = data else { return };
    let contest = CONTESTS[usize::from(*game) % CONTESTS.len()];
    let bots = contest.bots();
    let name = bots[usize::from(*bot) % bots.len()].name;
    let setup = BotSetup { budget: Budget { limits: Limits::NONE, nodes: Some(20) }, seed: 1 };
    let mut bot = contest.bot(name, &mut Options::default(), &setup).expect("a bundled bot without options");
    let text = String::from_utf8_lossy(text);
    for line in text.lines() {
        match bot.line(line) {
            Ok(Reply::Nothing | Reply::Say(_)) => {}
            Ok(Reply::Stop) | Err(_) => break,
        }
    }
});
