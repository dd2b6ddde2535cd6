//! The bundled bots, weakest first.

use crate::evaluation::{Net, Weights};
use crate::expectimax::ExpectimaxSettings;
use crate::protocol::Reader;
use crate::{ClassicBot, ClassicSettings, ExpectimaxBot, GreedyBot};
use contender_game::{RandomBot, TurnListener};

contender_game::bots! {
    TurnListener<Reader>;
    random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
    greedy "takes the best score right after its move": |_: (), _| GreedyBot::new();
    expectimax "looks at every line of play, as deep as its budget and its depth allow":
        |settings: ExpectimaxSettings, _| ExpectimaxBot::new(settings.depth);
    classic "*-minimax over a learned linear evaluation; gambles on weak opponents":
        |settings: ClassicSettings, _| ClassicBot::new(settings, Weights::shipped());
    champion "the classic's search over a small neural network":
        |settings: ClassicSettings = ClassicSettings::CHAMPION, _| ClassicBot::with(settings, Net::shipped());
}
