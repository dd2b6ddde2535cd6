//! Packs `GAME BOT[:OPTIONS] JUDGE` and prints the file.

use contender_game::Options;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [game, bot, judge] = &words[..] else { panic!("GAME BOT JUDGE") };
    let contest = contender_catalogue::find(game).unwrap();
    let (bot, options) = bot.split_once(':').unwrap_or((bot, ""));
    let judge = contender_pack::Judge::find(judge).unwrap();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match contender_pack::pack_bot(&root, contest, bot, &Options::parse(options).unwrap(), judge) {
        Ok(packed) => {
            print!("{}", packed.text);
            eprintln!("{:?} {}", packed.removed, judge.size(&packed.text));
        }
        Err(error) => eprintln!("{error}"),
    }
}
