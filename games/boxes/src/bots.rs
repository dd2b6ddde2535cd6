//! The bundled bots, weakest first.

use crate::protocol::Reader;
use crate::{
    ChampionBot, ChampionSettings, ClassicBot, ClassicSettings, GreedyBot, IsmctsBot, IsmctsSettings,
};
use contender_game::{RandomBot, TurnParser};

contender_game::bots! {
    TurnParser<Reader>;
    random "a random legal placement": |_: (), seed| RandomBot::new(seed);
    greedy "the placement that gives its own colour most at once": |_: (), seed| GreedyBot::new(seed);
    ismcts "random games, with the opponent's colour drawn anew in each":
        |settings: IsmctsSettings, seed| IsmctsBot::new(settings, seed);
    early "the evaluation of `classic` after the own placement, and the worst of the opponent's colours":
        |settings: ClassicSettings = ClassicSettings::EARLY, seed| ClassicBot::new(settings, seed);
    classic "three plies of expectiminimax and a guess of the opponent's colour":
        |settings: ClassicSettings, seed| ClassicBot::new(settings, seed);
    champion "squares by their probability, two plies after each candidate, a belief about the colour":
        |settings: ChampionSettings, seed| ChampionBot::new(settings, seed);
}
