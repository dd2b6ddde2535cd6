//! Games of a bot against itself.

use super::sample::Sample;
use contender_game::{Bot, Clock, Game, Limits, Player, Rng, Turn};
use contender_uttt::value_network::ValueNetwork;
use contender_uttt::{ChampionBot, ChampionSettings, Move, State, UctBot, UctSettings};
use serde::{Deserialize, Serialize};

/// How games are played, and what is learned from them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// Iterations per move of `solver`, the best bot without a network, in the first generation.
    pub solver: u64,
    /// Iterations per move of `champion` in all others.
    pub champion: u64,
    /// At most so many random moves begin a game.
    pub opening: u32,
    /// A move is random with this probability.
    pub blunder: f64,
    /// The share of the game's result in the target; the rest is the search's value.
    pub result: f32,
}

impl Play {
    /// Says what is wrong with the settings.
    ///
    /// # Errors
    /// In words for the user.
    pub fn check(&self) -> Result<(), String> {
        if self.solver == 0 || self.champion == 0 {
            return Err("`uttt.solver` and `uttt.champion` are iterations of a move, 1 at least".to_string());
        }
        if !(0.0..=1.0).contains(&self.blunder) || !(0.0..=1.0).contains(&self.result) {
            return Err("`uttt.blunder` and `uttt.result` are between 0 and 1".to_string());
        }
        Ok(())
    }
}

/// One game's positions with their values and the result, by the champion with a network or without any by the solver.
/// Everything follows from the seed.
#[must_use]
pub fn game(play: &Play, net: Option<&ValueNetwork>, seed: u64) -> Vec<Sample> {
    let mut rng = Rng::new(seed);
    let (mut bot, iterations): (Box<dyn Bot<State, Move>>, u64) = match net {
        None => (Box::new(UctBot::new(UctSettings::SOLVER, seed)), play.solver),
        Some(net) => {
            let bot = ChampionBot::new(ChampionSettings::default(), net.clone());
            (Box::new(bot), play.champion)
        }
    };
    let clock = Clock::new(Limits::nodes(iterations));
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
