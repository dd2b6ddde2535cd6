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
    greedy "plays the move that scores the most points at once": |_: (), seed| GreedyBot::new(seed);
    maximax "looks a few moves ahead; each player maximises its own points":
        |settings: MaximaxSettings, seed| MaximaxBot::new(settings, seed);
    flat "plays the same number of random games after each move":
        |settings: ClassicSettings = ClassicSettings::FLAT, seed| ClassicBot::new(settings, seed);
    epsilon "plays random games, half of them after the best move so far":
        |settings: ClassicSettings = ClassicSettings::GREEDY_FLAT, seed| ClassicBot::new(settings, seed);
    ucb "plays random games after moves chosen by upper confidence bounds":
        |settings: ClassicSettings = ClassicSettings::CONFIDENT_FLAT, seed| ClassicBot::new(settings, seed);
    mcts "tree search with random games; follows the best moves, except for a fixed share of random ones":
        |settings: ClassicSettings = ClassicSettings::GREEDY_TREE, seed| ClassicBot::new(settings, seed);
    decaying "mcts with a share of random moves that falls as visits grow":
        |settings: ClassicSettings = ClassicSettings::DECAYING_TREE, seed| ClassicBot::new(settings, seed);
    uct "UCT that maximises its own points":
        |settings: ClassicSettings = ClassicSettings::UCT, seed| ClassicBot::new(settings, seed);
    limited "uct, but random while a node has few visits":
        |settings: ClassicSettings = ClassicSettings::LIMITED, seed| ClassicBot::new(settings, seed);
    classic "limited with a preference for moves that score, as in the write-up's program Amatriciana":
        |settings: ClassicSettings, seed| ClassicBot::new(settings, seed);
    champion "UCT that also denies points, avoids costly moves in random games, and solves the end exactly":
        |settings: ChampionSettings, seed| ChampionBot::new(settings, seed);
}
