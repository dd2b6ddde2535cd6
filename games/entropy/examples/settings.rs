//! Compares settings of `classic` and `champion` without matches, which would need thousands of games.
//!
//! - `settings nodes DEPTH BOT...`: the nodes that a depth takes, and the differences of the values from the first
//!   bot's.
//! - `settings regret JUDGE BOT...`: the losses of the bots' moves, measured with `champion`'s values at depth JUDGE,
//!   and the nodes that the moves take.
//! - `settings endgame CHIPS BOT...`: the same losses, measured with exact values, with at least this many chips on the
//!   board.
//!
//! A BOT is `classic` or `champion` with options, such as `champion:depth=3,margin=1`. Positions come from games at
//! depth 1 (`nodes`) or 2 (the other commands), and are the same in each run.

use contender_entropy::classic::ClassicSettings;
use contender_entropy::evaluation::{Linear, Net, Value, ValueGuide, Weights, POINT};
use contender_entropy::{ChampionBot, Move, State};
use contender_game::{
    rules::{Chance, Game, Player, Rng, Turn},
    settings::{Options, Settings, Shipped},
};
use contender_search::{Search, SearchLimits, WithChance};
use std::ops::Range;

const USAGE: &str =
    "settings nodes DEPTH BOT..., settings regret JUDGE BOT..., or settings endgame CHIPS BOT...";

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, number, names @ ..] = &arguments[..] else { return Err(USAGE.to_string()) };
    let number: u32 = number.parse().map_err(|_| USAGE.to_string())?;
    let mut bots = names.iter().map(|name| searcher(name)).collect::<Result<Vec<_>, String>>()?;
    match what.as_str() {
        "nodes" => nodes(number, names, &mut bots),
        "regret" => {
            regret(search(ChampionBot::SETTINGS, Net::shipped()), number, 8..40, names, &mut bots);
        }
        "endgame" => {
            let exact = ClassicSettings { margin: 0.0, prob_cut: 0.0, focus: 1000, ..ChampionBot::SETTINGS };
            let chips = number.min(48)..49;
            let decisions = 2 * (49 - chips.start);
            regret(search(exact, Net::shipped()), decisions, chips, names, &mut bots);
        }
        _ => return Err(USAGE.to_string()),
    }
    Ok(())
}

/// The result of a search.
struct Found {
    /// The best move, if a player must act.
    best: Option<Move>,
    value: i32,
    nodes: u64,
}

/// A function that searches a state with an empty table, to at most the given depth.
type Searcher = Box<dyn FnMut(&State, u32) -> Found>;

fn searcher(bot: &str) -> Result<Searcher, String> {
    let (name, options) = bot.split_once(':').unwrap_or((bot, ""));
    let mut options = Options::parse(options)?;
    match name {
        "classic" => {
            Ok(search(ClassicSettings::DEFAULT.with(&mut options)?, Linear::from(Weights::shipped())))
        }
        "champion" => Ok(search(ChampionBot::SETTINGS.with(&mut options)?, Net::shipped())),
        _ => Err(format!("{name} is neither classic nor champion")),
    }
}

fn search<V: Value + 'static>(settings: ClassicSettings, evaluation: V) -> Searcher {
    let mut search = Search::<_, _, WithChance>::new(ValueGuide::<V>::new(evaluation), settings.config());
    Box::new(move |state, depth| {
        search.forget();
        search.guide().focus(state, settings.focus);
        search.guide().predict(state);
        let depth = depth.min(settings.depth);
        let found = search.search(state, &SearchLimits::depth(depth));
        let (best, value) = match (found.moves.first(), state.turn()) {
            (Some(of), Turn::Player(player)) => (Some(of.mv), player.sign() * of.value[0] as i32),
            _ => (None, search.value(state, depth)),
        };
        Found { best, value, nodes: search.stats().nodes }
    })
}

/// Plays games at a depth, and visits one in eight of the positions whose number of chips is in `chips`.
fn visit(games: u64, depth: u32, chips: Range<u32>, mut visit: impl FnMut(&State, Player)) {
    let mut player_of_games = search(ChampionBot::SETTINGS, Net::shipped());
    for game in 0..games {
        let mut rng = Rng::new(game);
        let mut state = State::default();
        loop {
            match state.turn() {
                Turn::Over => break,
                Turn::Chance => state.resolve(state.random_outcome(&mut rng, &mut Vec::new())),
                Turn::Player(player) => {
                    if rng.below(8) == 0 && chips.contains(&state.placed()) {
                        visit(&state, player);
                    }
                    let best = player_of_games(&state, depth).best;
                    state.play(best.expect("a player to act has a move"));
                }
            }
        }
    }
}

fn nodes(depth: u32, names: &[String], bots: &mut [Searcher]) {
    let mut sums = vec![[Sums::default(); 2]; bots.len()];
    visit(6, 1, 8..40, |state, player| {
        let mut truth = None;
        for (bot, sums) in bots.iter_mut().zip(&mut sums) {
            let found = bot(state, depth);
            let error = found.value - *truth.get_or_insert(found.value);
            sums[player].add(f64::from(error) / f64::from(POINT), found.nodes);
        }
    });
    print(names, &sums, |sums| format!("mean error {:+.2}, deviation {:.2}", sums.mean(), sums.deviation()));
}

fn regret(mut judge: Searcher, judge_depth: u32, chips: Range<u32>, names: &[String], bots: &mut [Searcher]) {
    let mut sums = vec![[Sums::default(); 2]; bots.len()];
    // This gives about the same number of positions for every range.
    let games = 20 * 32 / u64::from(chips.end - chips.start);
    visit(games, 2, chips, |state, player| {
        let found: Vec<Found> = bots.iter_mut().map(|bot| bot(state, judge_depth)).collect();
        let mut judged: Vec<(Move, f64)> = Vec::new();
        for report in &found {
            let mv = report.best.expect("a player to act has a move");
            if judged.iter().all(|&(other, _)| other != mv) {
                let mut after = state.clone();
                after.play(mv);
                let value = judge(&after, judge_depth - 1).value;
                judged.push((mv, f64::from(player.sign() * value) / f64::from(POINT)));
            }
        }
        let best = judged.iter().map(|&(_, value)| value).fold(f64::MIN, f64::max);
        for (report, sums) in found.iter().zip(&mut sums) {
            let value =
                judged.iter().find(|&&(mv, _)| Some(mv) == report.best).map_or(best, |&(_, value)| value);
            sums[player].add(best - value, report.nodes);
        }
    });
    print(names, &sums, |sums| format!("gives away {:.3} ± {:.3}", sums.mean(), sums.error()));
}

/// Sums over positions.
#[derive(Clone, Copy, Default)]
struct Sums {
    positions: f64,
    sum: f64,
    squares: f64,
    nodes: u64,
}

impl Sums {
    fn add(&mut self, value: f64, nodes: u64) {
        self.positions += 1.0;
        self.sum += value;
        self.squares += value * value;
        self.nodes += nodes;
    }

    fn mean(&self) -> f64 {
        self.sum / self.positions
    }

    fn deviation(&self) -> f64 {
        (self.squares / self.positions - self.mean().powi(2)).max(0.0).sqrt()
    }

    /// Returns half the width of the mean's 95% interval.
    fn error(&self) -> f64 {
        1.96 * self.deviation() / self.positions.sqrt()
    }
}

fn print(names: &[String], sums: &[[Sums; 2]], words: impl Fn(&Sums) -> String) {
    for (player, at) in [("Order", Player::Zero), ("Chaos", Player::One)] {
        println!("{player} to move, {} positions", sums[0][at].positions);
        for (name, sums) in names.iter().zip(sums) {
            let nodes = sums[at].nodes as f64 / sums[at].positions;
            println!("  {name:40} {}, {nodes:.0} nodes a position", words(&sums[at]));
        }
    }
}
