//! Games of a bot against itself.

use super::sample::Sample;
use contender_game::{Bot, Clock, Game, Limits, Player, Rng, Turn};
use contender_uttt::{ChampionBot, ChampionSettings, Move, State, UctBot, UctSettings};

/// A bot that plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Who {
    /// The best bot without a network.
    Solver,
    /// The best bot with the network that is compiled in.
    Champion,
}

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Play {
    /// Who plays.
    pub player: Who,
    /// Iterations per move.
    pub iterations: u64,
    /// At most so many random moves begin a game.
    pub opening: u32,
    /// A move is random with this probability.
    pub blunder: f64,
}

/// One game's positions with their values and the result. Everything follows from the seed.
#[must_use]
pub fn game(play: &Play, seed: u64) -> Vec<Sample> {
    let mut rng = Rng::new(seed);
    let mut bot: Box<dyn Bot<State, Move>> = match play.player {
        Who::Solver => Box::new(UctBot::new(UctSettings::SOLVER, seed)),
        Who::Champion => Box::new(ChampionBot::new(ChampionSettings::default())),
    };
    let clock = Clock::new(Limits::nodes(play.iterations));
    let mut state = State::default();
    let random = rng.below(play.opening + 1);
    let mut samples = Vec::new();
    while let Turn::Player(player) = state.turn() {
        let mut mv = state.random_move(&mut rng, &mut Vec::new());
        if state.plies() >= random {
            let best = bot.analyse(&state, player, &clock).moves[0];
            let value = best.value[0] as f32;
            samples.push(Sample { state, value, result: 0.0 });
            if rng.unit() >= play.blunder {
                mv = best.mv;
            }
        }
        bot.observe(&state, player, &mv);
        state.play(mv);
    }
    for sample in &mut samples {
        let own = if sample.state.mover() == Player::Zero { state.value() } else { -state.value() };
        sample.result = (1 + own) as f32 / 2.0;
    }
    samples
}
