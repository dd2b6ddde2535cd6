//! The bundled bots, weakest first.

use crate::evaluation::{Net, Weights};
use crate::expectimax::ExpectimaxSettings;
use crate::protocol::Reader;
use crate::{ChampionBot, ClassicBot, ClassicSettings, ExpectimaxBot, GreedyBot};
use contender_game::{
    contest::{RandomBot, TurnParser},
    settings::FromFile,
};

contender_game::bots! {
    TurnParser<Reader>;
    random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
    greedy "plays the move after which its score is best": |_: (), _| GreedyBot::new();
    expectimax "searches every line of play, as deep as its budget and its depth allow":
        |settings: ExpectimaxSettings, _| ExpectimaxBot::new(settings.depth);
    classic "*-minimax with a learned linear evaluation, as described in a write-up; takes risks against \
        weak opponents":
        |(settings, weights): (ClassicSettings, FromFile<Weights>), _| ClassicBot::new(settings, weights.get());
    champion "the search of classic with a small neural network":
        |(settings, net): (ClassicSettings, FromFile<Net>) = (ChampionBot::SETTINGS, FromFile::default()), _|
            ChampionBot::with(settings, net.get());
}
