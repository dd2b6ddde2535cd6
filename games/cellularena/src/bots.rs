//! The bundled bots, weakest first.

use crate::protocol::Reader;
use crate::{
    Advised, AdvisedSettings, Classic, ClassicNet, ClassicSettings, Greedy, Heuristic, HeuristicSettings,
    Policy, PuctBot, PuctNet, PuctSettings, RandomActions,
};

use contender_game::settings::FromFile;

contender_game::bots! {
    Reader;
    random "a random action of every organism, or none": |_: (), seed| RandomActions::new(seed);
    greedy "kills, harvests and grows towards sources, without looking ahead": |_: (), _| Greedy;
    classic "a network proposes joint moves and values states, alpha-beta over turns decides":
        |(settings, net): (ClassicSettings, FromFile<ClassicNet>), _| Classic::new(settings, net.get());
    heuristic "searches joint moves of both players with a hand-made evaluation":
        |settings: HeuristicSettings, _| Heuristic::new(settings);
    advised "heuristic's search, with the network's joint moves among its own":
        |(settings, net): (AdvisedSettings, FromFile<Policy>), _| Advised::over(&settings, net.get());
    champion "PUCT over a small network that tells what both players will do":
        |(settings, net): (PuctSettings, FromFile<PuctNet>), seed| PuctBot::new(settings, net.get(), seed);
}
