//! Paired games in one thread, for tuning: `duel A B PAIRS NODES_A NODES_B SEED`, bots as `champion:candidates=24`.

use contender_boxes::{ChampionBot, ChampionSettings, ClassicBot, GreedyBot, Placement, State};
use contender_game::{mix, Bot, Chance, Clock, Game, Limits, Options, Player, Rng, Settings, Turn};
use std::time::Instant;

type BoxedBot = Box<dyn Bot<State, Placement>>;

fn bot(text: &str, seed: u64) -> BoxedBot {
    let (name, options) = text.split_once(':').unwrap_or((text, ""));
    let mut options = Options::parse(options).unwrap();
    let settings = ChampionSettings::DEFAULT.with(&mut options).unwrap();
    options.finish().unwrap();
    match name {
        "greedy" => Box::new(GreedyBot::new(seed)),
        "classic" => Box::new(ClassicBot::new(seed)),
        "champion" => Box::new(ChampionBot::new(settings, seed)),
        _ => panic!("{name}"),
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let pairs: u64 = args[2].parse().unwrap();
    let nodes: [u64; 2] = [args[3].parse().unwrap(), args[4].parse().unwrap()];
    let seed: u64 = args.get(5).map_or(1, |text| text.parse().unwrap());
    let record = args.get(6).is_some();
    let (mut sums, mut squares, mut contest) = (0.0, 0.0, 0.0);
    let mut seconds = [0.0; 2];
    for pair in 0..pairs {
        let mut total = 0.0;
        for swap in 0..2 {
            let mut rng = Rng::new(mix(&[seed, pair]));
            let mut state = State::random(&mut rng);
            let mut text = format!("{}{} ", state.colours()[0] + 1, state.colours()[1] + 1);
            let start = contender_boxes::Tile::from_colours([0, 1, 2, 3, 4, 5].map(|p| {
                (0..6)
                    .find(|&c| {
                        let [(r, q), _] = Placement::START.cells(p);
                        state.colour_at(r, q) == Some(c)
                    })
                    .unwrap()
            }))
            .unwrap();
            text += &contender_boxes::notation::full_move(Placement::START, start);
            let who = |player: Player| (player.index() + swap) % 2;
            let mut bots =
                Player::BOTH.map(|player| bot(&args[who(player)], mix(&[seed, pair, who(player) as u64])));
            let clocks = Player::BOTH.map(|player| Clock::new(Limits::nodes(nodes[who(player)])));
            while state.turn() != Turn::Over {
                state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
                let player = state.mover();
                let seen = |player: Player| {
                    let mut seen = state.clone();
                    seen.set_colour(player.other(), (state.colours()[player] + 1) % 6);
                    seen
                };
                let begin = Instant::now();
                let placement = bots[player].choose(&seen(player), player, &clocks[player]);
                seconds[who(player)] += begin.elapsed().as_secs_f64();
                text +=
                    &format!(" {}", contender_boxes::notation::full_move(placement, state.tile().unwrap()));
                bots[player.other()].observe(&seen(player.other()), player.other(), &placement);
                state.play(placement);
            }
            if record {
                println!("{text}");
            }
            let sign = if swap == 0 { 1 } else { -1 };
            total += f64::from(sign * state.value()) / 2.0;
            let points = state.points();
            contest += f64::from(sign * (points[0] - points[1])) / 2.0;
        }
        sums += total;
        squares += total * total;
    }
    let n = pairs as f64;
    let mean = sums / n;
    let sd = ((squares / n - mean * mean) * n / (n - 1.0)).sqrt();
    eprintln!(
        "{} vs {}: D {mean:+.2} ± {:.2} a game, contest {:+.1}, {pairs} pairs; ms a game {:.0} {:.0}",
        args[0],
        args[1],
        1.96 * sd / n.sqrt(),
        contest / n / 2.0,
        seconds[0] / n / 2.0 * 1e3,
        seconds[1] / n / 2.0 * 1e3
    );
}
