//! Prints how often `classic` asks its network about a state that it has already evaluated. `cache NODES GAMES` plays
//! games of `classic` against itself, and prints the share of requests that need no evaluation, with a cache that is
//! kept between turns and without.

use contender_cellularena::{map, Classic, ClassicNet, ClassicSettings};
use contender_game::{
    contest::{Bot, Clock, Limits},
    rules::{Player, Simultaneous},
    settings::Shipped,
};

fn main() -> Result<(), String> {
    let arguments: Vec<u64> =
        std::env::args().skip(1).map(|number| number.parse()).collect::<Result<_, _>>().unwrap_or_default();
    let [nodes, games] = arguments[..] else { return Err("cache NODES GAMES".to_string()) };
    for cache in [true, false] {
        let [mut known, mut asked] = [0; 2];
        for seed in 1..=games {
            let mut state = map::generate(seed as i64)?;
            let settings = ClassicSettings { cache, ..ClassicSettings::DEFAULT };
            let mut bots = Player::BOTH.map(|_| Classic::new(settings.clone(), ClassicNet::shipped()));
            while !state.is_over() {
                let moves = Player::BOTH.map(|player| {
                    let clock = Clock::new(Limits::nodes(nodes));
                    let found = bots[player.index()].analyse(&state, player, &clock);
                    known += found.count("known");
                    asked += found.count("nodes");
                    found.moves.into_iter().next().map_or(Vec::new(), |best| best.mv)
                });
                state.play([&moves[0], &moves[1]]);
            }
        }
        let share = known as f64 / (known + asked) as f64;
        let kept = if cache { "over turns" } else { "within a turn" };
        println!("kept {kept}: {:.1} % of {} questions needed no evaluation", 100.0 * share, known + asked);
    }
    Ok(())
}
