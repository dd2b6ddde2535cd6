//! How deep the classic bot searches at each turn of a game, at the contest's clock.
//!
//! `cargo run --release -p contender-entropy --example depths [SECONDS [OPTIONS]]` plays a game of the bot against itself in which each
//! side has so many seconds (30).

use contender_entropy::classic::{ClassicBot, ClassicSettings};
use contender_entropy::evaluation::Weights;
use contender_entropy::State;
use contender_game::{Bot, Budget, Chance, Clock, Game, Limits, Options, Player, Rng, Turn};
use std::time::Duration;

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let seconds =
        arguments.next().map_or(Ok(30.0), |text| text.parse()).map_err(|_| "SECONDS is a number")?;
    let mut options = Options::parse(&arguments.next().unwrap_or_default())?;
    let settings = ClassicSettings::take(&mut options)?;
    options.finish()?;
    let budget = Budget { limits: Limits::per_game(Duration::from_secs_f64(seconds)), nodes: None };
    let mut clocks = [(); 2].map(|()| Clock::new(budget));
    let mut bots = [(); 2].map(|()| ClassicBot::new(settings, Weights::shipped()));
    let mut rng = Rng::new(1);
    let mut state = State::default();
    println!("chips  to move  depth     nodes  knodes/s       ms  value");
    loop {
        match state.turn() {
            Turn::Over => break,
            Turn::Chance => state.resolve(state.random_outcome(&mut rng, &mut Vec::new())),
            Turn::Player(player) => {
                let clock = &mut clocks[player.index()];
                clock.start_turn();
                let found = bots[player].analyse(&state, player, clock);
                clock.end_turn();
                let nodes = found.counts.first().map_or(0, |count| count.1);
                let seconds = found.elapsed.as_secs_f64().max(1e-9);
                println!(
                    "{:5}  {:7}  {:5} {nodes:9}  {:8.0} {:8.1}  {:5.1}",
                    state.placed(),
                    if player == Player::Zero { "Order" } else { "Chaos" },
                    found.depth,
                    nodes as f64 / seconds / 1000.0,
                    seconds * 1000.0,
                    f64::from(player.sign()) * found.moves[0].value[0],
                );
                let mv = found.moves[0].mv;
                bots[player.other()].observe(&state, player.other(), &mv);
                state.play(mv);
            }
        }
    }
    println!("score {}", state.score());
    Ok(())
}
