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
    ismcts "Monte Carlo tree search that makes a new guess of the opponent's colour in each iteration":
        |settings: IsmctsSettings, seed| IsmctsBot::new(settings, seed);
    early "looks one placement ahead with classic's evaluation, against the opponent's worst possible colour":
        |settings: ClassicSettings = ClassicSettings::EARLY, seed| ClassicBot::new(settings, seed);
    classic "searches three plies of expectiminimax, with a guess of the opponent's colour":
        |settings: ClassicSettings, seed| ClassicBot::new(settings, seed);
    champion "rates squares by their probability, looks two plies ahead after each candidate, estimates the \
        opponent's colour":
        |settings: ChampionSettings, seed| ChampionBot::new(settings, seed);
}
