//! The bundled bots, weakest first.

use crate::protocol::Reader;
use crate::{
    ChampionBot, ChampionSettings, ClassicBot, ClassicSettings, GreedyBot, MaximaxBot, MaximaxSettings,
    StraightBot,
};
use contender_game::contest::{RandomBot, TurnParser};

contender_game::bots! {
    TurnParser<Reader>;
    random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
    straight "puts straight tiles next to its own wall or tiles": |_: (), seed| StraightBot::new(seed);
    greedy "takes the most points its move can make": |_: (), seed| GreedyBot::new(seed);
    maximax "looks some moves ahead, each player for its own points":
        |settings: MaximaxSettings, seed| MaximaxBot::new(settings, seed);
    flat "the same number of random games after each move":
        |settings: ClassicSettings = ClassicSettings::FLAT, seed| ClassicBot::new(settings, seed);
    epsilon "random games, half of them after the best move so far":
        |settings: ClassicSettings = ClassicSettings::GREEDY_FLAT, seed| ClassicBot::new(settings, seed);
    ucb "random games after each move by upper confidence bounds":
        |settings: ClassicSettings = ClassicSettings::CONFIDENT_FLAT, seed| ClassicBot::new(settings, seed);
    mcts "a tree of random games that follows the best moves, except for a fixed share":
        |settings: ClassicSettings = ClassicSettings::GREEDY_TREE, seed| ClassicBot::new(settings, seed);
    decaying "mcts with a share that falls":
        |settings: ClassicSettings = ClassicSettings::DECAYING_TREE, seed| ClassicBot::new(settings, seed);
    uct "UCT for its own points":
        |settings: ClassicSettings = ClassicSettings::UCT, seed| ClassicBot::new(settings, seed);
    limited "uct, random while a node has few visits":
        |settings: ClassicSettings = ClassicSettings::LIMITED, seed| ClassicBot::new(settings, seed);
    classic "the write-up's Amatriciana: the same, drawn towards moves that score":
        |settings: ClassicSettings, seed| ClassicBot::new(settings, seed);
    champion "UCT that denies points too and redraws losing moves, with an exact end":
        |settings: ChampionSettings, seed| ChampionBot::new(settings, seed);
}
