//! The bundled bots, weakest first.

use crate::protocol::Reader;
use crate::{GreedyBot, UctBot};
use contender_game::{RandomBot, TurnListener};

contender_game::bots! {
    TurnListener<Reader>;
    random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
    greedy "takes the most points its move can make": |_: (), seed| GreedyBot::new(seed);
    uct "Monte Carlo tree search by random games, for its own points": |_: (), seed| UctBot::new(seed);
}
