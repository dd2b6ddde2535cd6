//! The bundled bots, weakest first.

use crate::protocol::Reader;
use crate::value_network::ValueNetwork;
use crate::{
    AlphaBetaBot, AlphaBetaSettings, BronzeBot, ChampionBot, ChampionSettings, ClassicBot, ClassicSettings,
    GreedyBot, UctBot, UctSettings,
};
use contender_game::{
    contest::{RandomBot, TurnParser},
    settings::FromFile,
};

contender_game::bots! {
    TurnParser<Reader>;
    random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
    greedy "wins or blocks on the nearest board, without looking ahead": |_: (), seed| GreedyBot::new(seed);
    bronze "completes or blocks lines of small boards, or else takes the best cell, without looking ahead":
        |_: (), seed| BronzeBot::new(seed);
    classic "UCT with the parameters and rules of a write-up":
        |settings: ClassicSettings, seed| ClassicBot::new(settings, seed);
    uct "plain fast UCT, with options for improvements":
        |settings: UctSettings, seed| UctBot::new(settings, seed);
    alphabeta "principal variation search with a hand-made evaluation":
        |settings: AlphaBetaSettings, _| AlphaBetaBot::new(settings);
    solver "uct with a solver, priors, and rollouts that finish games":
        |settings: UctSettings = UctSettings::SOLVER, seed| UctBot::new(settings, seed);
    champion "best-first minimax with a small network trained by self-play":
        |(settings, net): (ChampionSettings, FromFile<ValueNetwork>), _| ChampionBot::new(settings, net.get());
}
