//! The bundled bots, weakest first.

use crate::protocol::Reader;
use crate::{
    Classic, ClassicNet, ClassicSettings, Greedy, Heuristic, HeuristicSettings, PuctBot, PuctNet,
    PuctSettings, RandomActions,
};

use contender_game::settings::FromFile;

contender_game::bots! {
    Reader;
    random "plays a random action, or no action, for each organism": |_: (), seed| RandomActions::new(seed);
    greedy "kills, harvests and grows towards sources, without looking ahead": |_: (), _| Greedy;
    classic "alpha-beta search over turns, with a network that proposes joint moves and evaluates states":
        |(settings, net): (ClassicSettings, FromFile<ClassicNet>), _| Classic::new(settings, net.get());
    heuristic "searches joint moves of both players with a hand-made evaluation":
        |settings: HeuristicSettings, _| Heuristic::new(settings);
    champion "PUCT with a small network that predicts the moves of both players":
        |(settings, net): (PuctSettings, FromFile<PuctNet>), seed| PuctBot::new(settings, net.get(), seed);
}
