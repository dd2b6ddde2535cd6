//! The bundled bots, weakest first.

use crate::protocol::Reader;
use crate::{
    ChampionBot, ChampionSettings, ClassicBot, ClassicSettings, GreedyBot, IsmctsBot, IsmctsSettings,
};
use contender_game::contest::{RandomBot, TurnParser};

contender_game::bots! {
    TurnParser<Reader>;
    random "plays random legal placements": |_: (), seed| RandomBot::new(seed);
    greedy "takes the placement with the highest immediate score": |_: (), seed| GreedyBot::new(seed);
    ismcts "Monte Carlo tree search with a new guess of the opponent's colour in each iteration":
        |settings: IsmctsSettings, seed| IsmctsBot::new(settings, seed);
    early "the evaluation of `classic` one placement ahead, against the worst of the opponent's colours":
        |settings: ClassicSettings = ClassicSettings::EARLY, seed| ClassicBot::new(settings, seed);
    classic "three plies of expectiminimax and a guess of the opponent's colour":
        |settings: ClassicSettings, seed| ClassicBot::new(settings, seed);
    champion "squares by their probability, two plies after each candidate, a belief about the colour":
        |settings: ChampionSettings, seed| ChampionBot::new(settings, seed);
}
