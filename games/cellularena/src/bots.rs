//! The bundled bots, weakest first.

use crate::dialogue::Reader;
use crate::network::Oracle;
use crate::{Classic, ClassicSettings, Greedy, Heuristic, HeuristicSettings, RandomActions};

use contender_game::FromFile;

contender_game::bots! {
    Reader;
    random "a random action of every organism, or none": |_: (), seed| RandomActions::new(seed);
    greedy "kills, harvests and grows towards sources, without looking ahead": |_: (), _| Greedy;
    classic "a network proposes joint moves and values states, alpha-beta over turns decides":
        |(settings, net): (ClassicSettings, FromFile<Oracle>), _| Classic::new(settings, net.get());
    heuristic "searches joint moves of both players with a hand-made evaluation":
        |settings: HeuristicSettings, _| Heuristic::new(settings);
}
