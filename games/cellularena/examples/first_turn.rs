//! Measures the value of a long first turn. `first_turn BOT NODES FIRST PAIRS [SEED]` plays pairs of games of a bot
//! against itself. Both players have NODES nodes per turn, but one has FIRST nodes in its first turn. The program
//! prints this player's score, with a 95 % interval over the pairs (normal). The maps are those that the judge
//! generates for SEED (default 1) and the numbers after it.

use contender_cellularena::{bots::Bots, map, Action, State};
use contender_game::{
    contest::{Bot, BotList, Clock, Limits},
    rules::{Player, Simultaneous},
    settings::Options,
};

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u64> = words.iter().skip(1).map_while(|word| word.parse().ok()).collect();
    let (nodes, first, pairs, seed) = match numbers[..] {
        [nodes, first, pairs] if words.len() == 4 => (nodes, first, pairs, 1),
        [nodes, first, pairs, seed] if words.len() == 5 => (nodes, first, pairs, seed),
        _ => return Err("first_turn BOT NODES FIRST PAIRS [SEED]".to_string()),
    };
    if pairs < 2 || seed == 0 {
        return Err("PAIRS is 2 at least, SEED not 0".to_string());
    }
    let mut points = Vec::new();
    for map_seed in seed..seed + pairs {
        let games = Player::BOTH.map(|longer| play(&words[0], map_seed, longer, nodes, first));
        points.push(0.5 * (games[0].clone()? + games[1].clone()?));
    }
    let count = points.len() as f64;
    let mean = points.iter().sum::<f64>() / count;
    let variance = points.iter().map(|part| (part - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let half = 1.96 * (variance / count).sqrt();
    println!("{:.1} % +- {:.1} of {} games", 100.0 * mean, 100.0 * half, 2 * pairs);
    Ok(())
}

/// Returns the points of the player with the longer first turn.
fn play(name: &str, map_seed: u64, longer: Player, nodes: u64, first: u64) -> Result<f64, String> {
    let mut state = map::generate(map_seed as i64)?;
    let (name, options) = name.split_once(':').unwrap_or((name, ""));
    let bot = |player: Player| -> Result<Box<dyn Bot<State, Vec<Action>>>, String> {
        let mut options = Options::parse(options)?;
        let bot = Bots::choose(name, &mut options, 2 * map_seed + player.index() as u64);
        let bot = bot.ok_or_else(|| format!("there is no bot `{name}`"))??;
        options.finish()?;
        Ok(Box::new(bot))
    };
    let mut bots = [bot(Player::Zero)?, bot(Player::One)?];
    while !state.is_over() {
        let moves = Player::BOTH.map(|player| {
            let nodes = if player == longer && state.turns() == 0 { first } else { nodes };
            bots[player.index()].choose(&state, player, &Clock::new(Limits::nodes(nodes)))
        });
        state.play([&moves[0], &moves[1]]);
    }
    Ok(state.winner().map_or(0.5, |winner| f64::from(u8::from(winner == longer))))
}
